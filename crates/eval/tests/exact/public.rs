//! Exact measures in public form against published values and the history form.

use crate::strategies::{Halves, KuhnEquilibrium, Random, Skewed, assert_close};
use doorcard_efg::{EnumerableGame, Infosets, Policy, PublicGame, PublicInfosets, UniformPolicy};
use doorcard_eval::exploitability::Scope;
use doorcard_eval::{EvalError, exploitability, public};
use doorcard_games::kuhn::{Kuhn, KuhnInfosets, PublicKuhn};
use doorcard_games::leduc::{Leduc, LeducInfosets, PublicLeduc};

fn kuhn() -> (Kuhn, KuhnInfosets, PublicKuhn) {
    let game = Kuhn::new(2);
    (game, KuhnInfosets::new(&game), PublicKuhn::new(&game).unwrap())
}

fn leduc() -> (Leduc, LeducInfosets, PublicLeduc) {
    let game = Leduc::new();
    let (infosets, public) = (LeducInfosets::new(&game), PublicLeduc::new(&game));
    (game, infosets, public)
}

#[test]
fn uniform_play_has_the_nash_conv_of_openspiel() {
    let (_, infosets, game) = kuhn();
    let found = public::exploitability(&game, &infosets, &UniformPolicy).unwrap();
    assert_close(found.nash_conv, 11.0 / 12.0, 1e-12);
    assert_eq!(found.scope, Scope::Real);
    let (_, infosets, game) = leduc();
    let found = public::exploitability(&game, &infosets, &UniformPolicy).unwrap();
    assert_close(found.nash_conv, 4.747222222222222, 1e-12);
    assert_close(found.exploitability, found.nash_conv / 2.0, 1e-15);
}

#[test]
fn kuhns_equilibria_are_not_exploitable() {
    let (_, infosets, game) = kuhn();
    for alpha in [0.0, 0.2, 1.0 / 3.0] {
        let found = public::exploitability(&game, &infosets, &KuhnEquilibrium::new(alpha)).unwrap();
        assert_close(found.nash_conv, 0.0, 1e-12);
        assert_close(found.values[0], -1.0 / 18.0, 1e-12);
        assert_close(found.values[1], 1.0 / 18.0, 1e-12);
    }
}

/// Every figure of a strategy in both forms, which share their infosets.
fn forms_agree<G: EnumerableGame, P: PublicGame, I: Infosets<G> + PublicInfosets<P>>(
    (game, infosets, public): &(G, I, P),
    policy: &dyn Policy,
) {
    let expected = exploitability::exploitability(game, infosets, policy).unwrap();
    let found = public::exploitability(public, infosets, policy).unwrap();
    assert_eq!(public::expected_values(public, infosets, policy).unwrap()[..], found.values);
    for player in 0..2 {
        assert_close(found.values[player], expected.values[player], 1e-12);
        assert_close(found.best_responses[player], expected.best_responses[player], 1e-12);
        let best = public::best_response(public, infosets, policy, player).unwrap();
        assert_close(best, expected.best_responses[player], 1e-12);
    }
    assert_close(found.nash_conv, expected.nash_conv, 1e-12);
}

#[test]
fn both_forms_agree_on_random_and_biased_strategies() {
    let (kuhn, leduc) = (kuhn(), leduc());
    for seed in 0..8 {
        forms_agree(&kuhn, &Random(seed));
        forms_agree(&leduc, &Random(seed));
    }
    forms_agree(&kuhn, &Skewed);
    forms_agree(&leduc, &Skewed);
}

#[test]
fn figures_are_the_same_bits_for_any_number_of_threads() {
    let (_, infosets, game) = leduc();
    let [one, three] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| public::exploitability(&game, &infosets, &Random(2)).unwrap())
    });
    assert_eq!(one, three);
}

#[test]
fn what_is_no_strategy_is_refused() {
    let (_, infosets, game) = kuhn();
    let error = public::exploitability(&game, &infosets, &Halves).unwrap_err();
    assert!(matches!(&error, EvalError::NotADistribution { slot: 4, .. }), "{error}");
}
