//! The mini-stud family: both forms measured, and every heads-up member solved by linear programming.

use crate::sequence_form::{Equilibrium, solve, solve_parts};
use crate::strategies::{Random, assert_close};
use doorcard_abstraction::{CardLabels, LabelInfosets};
use doorcard_efg::{Policy, Rows, UniformPolicy};
use doorcard_eval::exploitability::{Exploitability, Scope, abstract_exploitability, exploitability, lift};
use doorcard_eval::{EvalError, public};
use doorcard_games::stud::Rules;
use doorcard_games::stud::tree::{HistoryDetail, PublicStud, StudTree};

fn member(name: &str, detail: HistoryDetail) -> PublicStud {
    public_form(Rules::named(name).unwrap(), detail)
}

fn public_form(rules: Rules, detail: HistoryDetail) -> PublicStud {
    PublicStud::new(StudTree::new(rules, detail).unwrap()).unwrap()
}

/// Figures of a strategy, found in both forms.
fn measure(game: &PublicStud, infosets: &LabelInfosets, policy: &dyn Policy) -> Exploitability {
    let found = public::exploitability(game, infosets, policy).unwrap();
    let histories = exploitability(game.game(), infosets, policy).unwrap();
    for player in 0..2 {
        assert_close(found.values[player], histories.values[player], 1e-9);
        assert_close(found.best_responses[player], histories.best_responses[player], 1e-9);
    }
    found
}

#[test]
fn both_forms_agree() {
    for name in ["mini_high", "mini_razz", "mini_river"] {
        let game = member(name, HistoryDetail::Full);
        let infosets = LabelInfosets::new(&game, CardLabels::lossless());
        measure(&game, &infosets, &UniformPolicy);
        measure(&game, &infosets, &Random(0));
    }
}

#[test]
fn uniform_play_is_as_exploitable_as_documented() {
    for (name, uniform) in [
        ("mini_high", 237.283951),
        ("mini_hilo", 214.130199),
        ("mini_river", 205.667438),
        ("mini_three", 233.031443),
        ("mini_razz", 215.385802),
    ] {
        let game = member(name, HistoryDetail::Full);
        let infosets = LabelInfosets::new(&game, CardLabels::lossless());
        let found = public::exploitability(&game, &infosets, &UniformPolicy).unwrap();
        println!("{name}: {} infosets, uniform nash_conv {:.6}", infosets.rows(), found.nash_conv);
        assert_close(found.nash_conv, uniform, 1e-6);
    }
}

/// Solves a member door cards by door cards, and checks the equilibrium by best responses: chips won by them in all.
fn solve_member(name: &str, nash_conv: f64) -> Equilibrium {
    let game = member(name, HistoryDetail::Full);
    let infosets = LabelInfosets::new(&game, CardLabels::lossless());
    let found = solve_parts(game.game(), &infosets, |deal| [deal.up[0][0], deal.up[1][0]]);
    assert_eq!(found.infosets.iter().sum::<usize>() as u64, infosets.rows());
    let measured = public::exploitability(&game, &infosets, &found.strategy).unwrap();
    println!(
        "{name}: {} infosets, value {:.10}, between {:.10} and {:.10}",
        infosets.rows(),
        found.value,
        -measured.best_responses[1],
        measured.best_responses[0]
    );
    assert_close(measured.nash_conv, 0.0, nash_conv);
    assert_close(measured.values[0], found.value, nash_conv);
    found
}

/// Seats are dealt alike, and where it matters who opens on equal hands the game is not even.
#[test]
fn values_by_linear_programming() {
    assert_close(solve_member("mini_high", 1e-9).value, 0.0, 1e-10);
    assert_close(solve_member("mini_razz", 1e-9).value, 0.0, 1e-10);
}

#[test]
#[ignore = "a minute: 56 linear programs of 936 infosets"]
fn value_of_mini_river_by_linear_programming() {
    assert_close(solve_member("mini_river", 1e-7).value, -0.134368215, 1e-8);
}

#[test]
#[ignore = "a minute: 56 linear programs of some 4,600 infosets"]
fn value_of_mini_hilo_by_linear_programming() {
    assert_close(solve_member("mini_hilo", 1e-7).value, -0.0001971353, 1e-8);
}

#[test]
#[ignore = "two minutes: 56 linear programs of some 17,000 infosets"]
fn value_of_mini_three_by_linear_programming() {
    assert_close(solve_member("mini_three", 1e-7).value, 0.0, 1e-8);
}

/// Who takes kings for queens plays an equilibrium of the abstract game and is exploitable in the real one.
#[test]
fn an_abstract_equilibrium_is_exploitable_in_the_real_game() {
    let game = member("mini_high", HistoryDetail::Full);
    let infosets = LabelInfosets::new(&game, CardLabels::lossless());
    let coarse = LabelInfosets::new(&game, CardLabels::named("QK").unwrap());
    let policy = solve(game.game(), &coarse).strategy;
    let found = abstract_exploitability(game.game(), &coarse, &policy).unwrap();
    let real = public::exploitability(&game, &coarse, &policy).unwrap();
    println!(
        "mini_high, QK merged: nash_conv {:.1e} {}, {} {}",
        found.nash_conv, found.scope, real.nash_conv, real.scope
    );
    assert_eq!((found.scope, real.scope), (Scope::Abstract, Scope::Real));
    assert_close(found.nash_conv, 0.0, 1e-7);
    assert!(real.nash_conv > 1.0, "{real:?}");
    let lifted = lift(game.game(), &coarse, &policy, &infosets).unwrap();
    assert_close(measure(&game, &infosets, &lifted).nash_conv, real.nash_conv, 1e-9);
}

/// Two bets taken for four: no best response inside the abstraction, but one in the real game.
#[test]
fn betting_forgotten_is_measured_in_the_real_game_alone() {
    let rules = Rules::named("mini_high").unwrap().config().with("bet_cap", "4").unwrap();
    let game = public_form(rules.check("a cap of four").unwrap(), HistoryDetail::Counts);
    let infosets = LabelInfosets::new(&game, CardLabels::lossless());
    let error = abstract_exploitability(game.game(), &infosets, &Random(0)).unwrap_err();
    assert!(matches!(error, EvalError::ImperfectRecall { .. }), "{error}");
    let real = public::exploitability(&game, &infosets, &Random(0)).unwrap();
    assert!(real.nash_conv > 100.0, "{real:?}");
}
