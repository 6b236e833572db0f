//! Best responses and exploitability in history form, against published values.

use crate::strategies::{Halves, KuhnEquilibrium, Skewed, assert_close};
use doorcard_efg::{EnumerableGame, Game, Infosets, Policy, Rows, Turn, UniformPolicy};
use doorcard_eval::EvalError;
use doorcard_eval::best_response::best_response;
use doorcard_eval::exploitability::{expected_values, exploitability};
use doorcard_games::kuhn::{Kuhn, KuhnDeal, KuhnInfosets, KuhnNode};
use doorcard_games::leduc::{Leduc, LeducInfosets};

#[test]
fn uniform_play_has_the_nash_conv_of_openspiel() {
    let kuhn = Kuhn::new(2);
    let found = exploitability(&kuhn, &KuhnInfosets::new(&kuhn), &UniformPolicy).unwrap();
    assert_close(found.nash_conv, 11.0 / 12.0, 1e-12);
    assert_close(found.exploitability, 11.0 / 24.0, 1e-12);

    let leduc = Leduc::new();
    let found = exploitability(&leduc, &LeducInfosets::new(&leduc), &UniformPolicy).unwrap();
    assert_close(found.nash_conv, 4.747222222222222, 1e-12);
    assert_close(found.values.iter().sum(), 0.0, 1e-12);
}

#[test]
fn kuhns_equilibria_are_not_exploitable() {
    let game = Kuhn::new(2);
    let infosets = KuhnInfosets::new(&game);
    for alpha in [0.0, 0.2, 1.0 / 3.0] {
        let policy = KuhnEquilibrium::new(alpha);
        let found = exploitability(&game, &infosets, &policy).unwrap();
        assert_close(found.nash_conv, 0.0, 1e-12);
        assert_close(found.values[0], -1.0 / 18.0, 1e-12);
    }
    // A second player who never bluffs with the jack lets the first fold every queen.
    let mut tight = KuhnEquilibrium::new(0.2);
    let bluff = tight.bets.values_mut().find(|bet| **bet == 1.0 / 3.0).unwrap();
    *bluff = 0.0;
    assert!(exploitability(&game, &infosets, &tight).unwrap().nash_conv > 1e-3);
}

/// One player plays a best response, the other the policy it answers.
struct Mixed<'a> {
    response: &'a doorcard_eval::best_response::BestResponse,
    others: &'a dyn Policy,
    own: Vec<bool>,
}

impl Policy for Mixed<'_> {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        let policy = if self.own[slot as usize] { self.response } else { self.others };
        policy.probabilities(slot, out);
    }
}

#[test]
fn a_response_earns_the_value_it_promises() {
    let game = Leduc::new();
    let infosets = LeducInfosets::new(&game);
    for player in 0..2 {
        let mut own = vec![false; infosets.slots() as usize];
        game.for_each_deal(&mut |deal, _| {
            let view = infosets.view(&game, deal);
            let mut stack = vec![game.root(deal)];
            while let Some(node) = stack.pop() {
                let Turn::Decide { player: mover, actions } = game.turn(&node, deal) else { continue };
                own[infosets.slot(&view, &node, mover) as usize] |= mover == player;
                stack.extend((0..actions).map(|action| game.act(&node, deal, action)));
            }
        });
        let response = best_response(&game, &infosets, &Skewed, player).unwrap();
        let mixed = Mixed { response: &response, others: &Skewed, own };
        assert_close(expected_values(&game, &infosets, &mixed).unwrap()[player], response.value, 1e-12);
    }
}

#[test]
fn three_players() {
    let game = Kuhn::new(3);
    let found = exploitability(&game, &KuhnInfosets::new(&game), &UniformPolicy).unwrap();
    assert_close(found.values.iter().sum(), 0.0, 1e-12);
    assert!(found.best_responses.iter().zip(&found.values).all(|(best, value)| best >= value));
    assert_close(found.exploitability, found.nash_conv / 3.0, 1e-15);
}

/// Kuhn poker for a player who forgets having passed.
struct Forgetful(KuhnInfosets);

impl Rows for Forgetful {
    fn rows(&self) -> u64 {
        self.0.rows()
    }

    fn slots(&self) -> u64 {
        self.0.slots()
    }

    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        self.0.for_each_row(f);
    }
}

impl Infosets<Kuhn> for Forgetful {
    type View = KuhnDeal;

    fn view(&self, game: &Kuhn, deal: &KuhnDeal) -> KuhnDeal {
        self.0.view(game, deal)
    }

    fn slot(&self, view: &KuhnDeal, _node: &KuhnNode, player: usize) -> u64 {
        self.0.slot(view, &Kuhn::new(2).root(view), player)
    }
}

#[test]
fn faults_are_refused_by_name() {
    let game = Kuhn::new(2);
    let infosets = KuhnInfosets::new(&game);
    let error = exploitability(&game, &Forgetful(infosets), &UniformPolicy).unwrap_err();
    assert!(matches!(error, EvalError::ImperfectRecall { .. }), "{error}");

    let error = exploitability(&game, &infosets, &Halves).unwrap_err();
    assert!(matches!(&error, EvalError::NotADistribution { slot: 4, .. }), "{error}");
}
