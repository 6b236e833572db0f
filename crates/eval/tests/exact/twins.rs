//! Values and best responses by means that share no code with those they confirm.

use crate::sequence_form::{best_response, solve};
use crate::strategies::{KuhnEquilibrium, Random, Skewed, assert_close};
use doorcard_efg::{EnumerableGame, Game, Infosets, Policy, Turn, UniformPolicy};
use doorcard_eval::exploitability::{expected_values, exploitability};
use doorcard_eval::{best_response as histories, public};
use doorcard_games::kuhn::{Kuhn, KuhnInfosets, PublicKuhn};
use doorcard_games::leduc::{Leduc, LeducInfosets, PublicLeduc};

/// The best response found by trying every pure strategy of one player.
fn brute_force(policy: &dyn Policy, player: usize) -> f64 {
    let game = Kuhn::new(2);
    let infosets = KuhnInfosets::new(&game);
    let mut own = Vec::new();
    game.for_each_deal(&mut |deal, _| {
        let view = infosets.view(&game, deal);
        let mut stack = vec![game.root(deal)];
        while let Some(node) = stack.pop() {
            let Turn::Decide { player: mover, actions } = game.turn(&node, deal) else { continue };
            let slot = infosets.slot(&view, &node, mover);
            if mover == player && !own.contains(&slot) {
                own.push(slot);
            }
            stack.extend((0..actions).map(|action| game.act(&node, deal, action)));
        }
    });
    struct Pure<'a> {
        own: &'a [u64],
        choices: u32,
        others: &'a dyn Policy,
    }
    impl Policy for Pure<'_> {
        fn probabilities(&self, slot: u64, out: &mut [f64]) {
            match self.own.iter().position(|&s| s == slot) {
                None => self.others.probabilities(slot, out),
                Some(bit) => {
                    out.fill(0.0);
                    out[(self.choices >> bit & 1) as usize] = 1.0;
                }
            }
        }
    }
    (0..1 << own.len())
        .map(|choices| {
            let pure = Pure { own: &own, choices, others: policy };
            expected_values(&game, &infosets, &pure).unwrap()[player]
        })
        .fold(f64::MIN, f64::max)
}

#[test]
fn best_responses_equal_the_best_of_all_pure_strategies() {
    let game = Kuhn::new(2);
    let (infosets, vectors) = (KuhnInfosets::new(&game), PublicKuhn::new(&game).unwrap());
    let equilibrium = KuhnEquilibrium::new(0.1);
    for policy in [&UniformPolicy as &dyn Policy, &equilibrium, &Skewed, &Random(0), &Random(1), &Random(3)] {
        for player in 0..2 {
            let expected = brute_force(policy, player);
            let found = histories::best_response(&game, &infosets, policy, player).unwrap();
            assert_close(found.value, expected, 1e-12);
            assert_close(
                public::best_response(&vectors, &infosets, policy, player).unwrap(),
                expected,
                1e-12,
            );
            assert_close(best_response(&game, &infosets, policy, player), expected, 1e-12);
        }
    }
}

#[test]
fn best_responses_equal_those_of_the_linear_program() {
    let game = Leduc::new();
    let (infosets, vectors) = (LeducInfosets::new(&game), PublicLeduc::new(&game));
    for policy in [&UniformPolicy as &dyn Policy, &Skewed, &Random(0), &Random(1)] {
        for player in 0..2 {
            let expected = best_response(&game, &infosets, policy, player);
            let found = histories::best_response(&game, &infosets, policy, player).unwrap();
            assert_close(found.value, expected, 1e-10);
            assert_close(
                public::best_response(&vectors, &infosets, policy, player).unwrap(),
                expected,
                1e-10,
            );
        }
    }
}

/// Both directions: the program's value is the published one, and its strategies, measured, are an equilibrium.
#[test]
fn values_and_equilibria_by_linear_programming() {
    let game = Kuhn::new(2);
    let infosets = KuhnInfosets::new(&game);
    let found = solve(&game, &infosets);
    println!("Kuhn: {:?} infosets, value {:.14}", found.infosets, found.value);
    assert_eq!(found.infosets, [6; 2]);
    assert_close(found.value, -1.0 / 18.0, 1e-12);
    let vectors = PublicKuhn::new(&game).unwrap();
    assert_close(exploitability(&game, &infosets, &found.strategy).unwrap().nash_conv, 0.0, 1e-12);
    assert_close(public::exploitability(&vectors, &infosets, &found.strategy).unwrap().nash_conv, 0.0, 1e-12);

    let game = Leduc::new();
    let infosets = LeducInfosets::new(&game);
    let found = solve(&game, &infosets);
    println!("Leduc: {:?} infosets, value {:.14}", found.infosets, found.value);
    assert_eq!(found.infosets, [468; 2]);
    // Published to six digits (OpenSpiel); the rest is agreement of both players' programs.
    assert_close(found.value, -0.085606, 5e-7);
    assert_close(found.value, -0.085606424078, 1e-12);
    let vectors = PublicLeduc::new(&game);
    assert_close(exploitability(&game, &infosets, &found.strategy).unwrap().nash_conv, 0.0, 1e-11);
    assert_close(public::exploitability(&vectors, &infosets, &found.strategy).unwrap().nash_conv, 0.0, 1e-11);
}
