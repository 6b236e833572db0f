//! Best responses and exploitability against published values.

use doorcard_efg::{EnumerableGame, Game, Infosets, Policy, Rows, Turn, UniformPolicy};
use doorcard_eval::EvalError;
use doorcard_eval::best_response::best_response;
use doorcard_eval::exploitability::{expected_values, exploitability};
use doorcard_games::kuhn::{Kuhn, KuhnDeal, KuhnInfosets, KuhnNode};
use doorcard_games::leduc::{Leduc, LeducInfosets};
use std::collections::BTreeMap;

fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() < tolerance, "{found} where {expected} was expected");
}

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

/// An equilibrium of Kuhn poker (Kuhn 1950), as the probability of betting at each infoset.
struct Equilibrium {
    bets: BTreeMap<u64, f64>,
}

impl Equilibrium {
    /// `alpha`, from 0 to 1/3, is how often the first player bets the jack.
    fn new(alpha: f64) -> Equilibrium {
        let game = Kuhn::new(2);
        let infosets = KuhnInfosets::new(&game);
        let mut bets = BTreeMap::new();
        for card in 0..3 {
            let mut deal = KuhnDeal::default();
            deal[..2].fill(card);
            let view = infosets.view(&game, &deal);
            let root = game.root(&deal);
            let at = |actions: &[usize]| -> (KuhnNode, usize) {
                let node = actions.iter().fold(root, |node, &action| game.act(&node, &deal, action));
                (node, actions.len() % 2)
            };
            let card = usize::from(card);
            for (history, bet) in [
                (&[][..], [alpha, 0.0, 3.0 * alpha][card]),
                (&[0, 1], [0.0, alpha + 1.0 / 3.0, 1.0][card]),
                (&[0], [1.0 / 3.0, 0.0, 1.0][card]),
                (&[1], [0.0, 1.0 / 3.0, 1.0][card]),
            ] {
                let (node, player) = at(history);
                bets.insert(infosets.slot(&view, &node, player), bet);
            }
        }
        Equilibrium { bets }
    }
}

impl Policy for Equilibrium {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        let bet = self.bets[&slot];
        out.copy_from_slice(&[1.0 - bet, bet]);
    }
}

#[test]
fn kuhns_equilibria_are_not_exploitable() {
    let game = Kuhn::new(2);
    let infosets = KuhnInfosets::new(&game);
    for alpha in [0.0, 0.2, 1.0 / 3.0] {
        let policy = Equilibrium::new(alpha);
        let found = exploitability(&game, &infosets, &policy).unwrap();
        assert_close(found.nash_conv, 0.0, 1e-12);
        assert_close(found.values[0], -1.0 / 18.0, 1e-12);
    }
    // A second player who never bluffs with the jack lets the first fold every queen.
    let mut tight = Equilibrium::new(0.2);
    let bluff = tight.bets.values_mut().find(|bet| **bet == 1.0 / 3.0).unwrap();
    *bluff = 0.0;
    assert!(exploitability(&game, &infosets, &tight).unwrap().nash_conv > 1e-3);
}

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
fn equals_the_best_of_all_pure_strategies() {
    let game = Kuhn::new(2);
    let infosets = KuhnInfosets::new(&game);
    for policy in [&UniformPolicy as &dyn Policy, &Equilibrium::new(0.1), &Skewed] {
        for player in 0..2 {
            let found = best_response(&game, &infosets, policy, player).unwrap();
            assert_close(found.value, brute_force(policy, player), 1e-12);
        }
    }
}

/// Different probabilities at every row.
struct Skewed;

impl Policy for Skewed {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        for (action, p) in out.iter_mut().enumerate() {
            *p = 1.0 + ((slot * 7 + action as u64 * 5) % 11) as f64;
        }
        let sum: f64 = out.iter().sum();
        out.iter_mut().for_each(|p| *p /= sum);
    }
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

    struct Half;
    impl Policy for Half {
        fn probabilities(&self, slot: u64, out: &mut [f64]) {
            out.fill(if slot == 4 { 0.25 } else { 0.5 });
        }
    }
    let error = exploitability(&game, &infosets, &Half).unwrap_err();
    assert!(matches!(&error, EvalError::NotADistribution { slot: 4, .. }), "{error}");
}
