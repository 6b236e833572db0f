//! Is what a traversal records unbiased? Compared with exact sums over the whole tree, for a fixed strategy.
//!
//! Every slot's sampled mean is compared with its exact expectation in units of the standard error of that
//! mean, estimated from the same sample. Slots with fewer than 100 expected visits are left out, since their
//! standard errors mean nothing; all others must lie within 6 standard errors (about 1e-5 for a wrong alarm
//! anywhere among thousands of slots, had the seed not been fixed), and the mean of the squared errors must
//! be near 1, which shows a bias of any systematic kind far below 6 errors.

use crate::common::{Small, kuhn, leduc};
use doorcard_cfr::external::{Frozen, Sink, Traversal};
use doorcard_cfr::regret::matching;
use doorcard_cfr::seed::deal_rng;
use doorcard_cfr::{MAX_ACTIONS, Regrets, Row};
use doorcard_efg::{EnumerableGame, Infosets, Turn};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Per slot, what one deal (walked once for every player) is expected to record. Units: chips; probabilities.
struct Expected {
    regret: Vec<f64>,
    average: Vec<f64>,
    regret_visits: Vec<f64>,
    average_visits: Vec<f64>,
}

/// Which average the exact sums stand for.
#[derive(Clone, Copy)]
enum Numerator {
    /// Chance times the player's own reach times the strategy: the paper's, for two players.
    OwnReach,
    /// In addition the reach of all but one other player, summed over which one: what holds for three and
    /// more.
    AllButOneOther,
}

/// Sums over all histories.
struct Exact<'a, G, I> {
    small: &'a Small<G, I>,
    strategy: &'a [f64],
    numerator: Numerator,
    expected: Expected,
}

impl<G: EnumerableGame, I: Infosets<G>> Exact<'_, G, I> {
    /// Adds the histories from `node` on. `reach` holds each player's own contribution, `chance` the deal's
    /// probability. Returns the players' expected utilities.
    fn walk(
        &mut self,
        deal: &G::Deal,
        view: &I::View,
        node: &G::Node,
        chance: f64,
        reach: &[f64],
    ) -> Vec<f64> {
        let game = &self.small.game;
        let Turn::Decide { player, actions } = game.turn(node, deal) else {
            return (0..game.players()).map(|p| game.utility(node, deal, p)).collect();
        };
        let slot = self.small.infosets.slot(view, node, player) as usize;
        let sigma = &self.strategy[slot..slot + actions];
        let values: Vec<Vec<f64>> = (0..actions)
            .map(|action| {
                let mut reach = reach.to_vec();
                reach[player] *= sigma[action];
                self.walk(deal, view, &game.act(node, deal, action), chance, &reach)
            })
            .collect();
        let mixed = |p: usize| (0..actions).map(|a| sigma[a] * values[a][p]).sum::<f64>();
        let others =
            |but: usize| -> f64 { (0..reach.len()).filter(|&p| p != but).map(|p| reach[p]).product() };
        let counterfactual = chance * others(player);
        let visits: f64 = (0..reach.len()).filter(|&p| p != player).map(|p| chance * others(p)).sum();
        let numerator = match self.numerator {
            Numerator::OwnReach => chance * reach[player],
            Numerator::AllButOneOther => visits,
        };
        for action in 0..actions {
            self.expected.regret[slot + action] += counterfactual * (values[action][player] - mixed(player));
            self.expected.average[slot + action] += numerator * sigma[action];
            self.expected.regret_visits[slot + action] += counterfactual;
            self.expected.average_visits[slot + action] += visits;
        }
        (0..reach.len()).map(mixed).collect()
    }
}

/// Sums and sums of squares of what single deals record.
struct Moments {
    sum: Vec<f64>,
    squares: Vec<f64>,
    /// This deal's part, and which slots it touched.
    deal: Vec<f64>,
    touched: Vec<usize>,
}

impl Moments {
    fn new(slots: usize) -> Moments {
        Moments {
            sum: vec![0.0; slots],
            squares: vec![0.0; slots],
            deal: vec![0.0; slots],
            touched: Vec::new(),
        }
    }

    fn add(&mut self, slot: u64, values: &Row<f64>, actions: usize) {
        for (action, value) in values.iter().enumerate().take(actions) {
            self.deal[slot as usize + action] += value;
            self.touched.push(slot as usize + action);
        }
    }

    fn finish_deal(&mut self) {
        for slot in self.touched.drain(..) {
            // A slot touched twice is emptied at its first turn.
            let value = std::mem::take(&mut self.deal[slot]);
            self.sum[slot] += value;
            self.squares[slot] += value * value;
        }
    }

    /// The errors of the means in units of their standard errors, at slots expected to be visited often
    /// enough.
    fn errors(&self, expected: &[f64], visits: &[f64], deals: f64) -> Vec<f64> {
        (0..expected.len())
            .filter(|&slot| visits[slot] * deals >= 100.0)
            .filter_map(|slot| {
                let mean = self.sum[slot] / deals;
                let variance = self.squares[slot] / deals - mean * mean;
                let error = mean - expected[slot];
                // A slot without variance (an action never taken) must be exact.
                if variance <= 1e-18 {
                    assert!(error.abs() < 1e-9, "slot {slot}: {mean} where {} was expected", expected[slot]);
                    return None;
                }
                Some(error / (variance / deals).sqrt())
            })
            .collect()
    }
}

struct Recorder {
    regret: Moments,
    average: Moments,
}

impl Sink<f64> for Recorder {
    fn regret(&mut self, slot: u64, deltas: &Row<f64>, actions: usize) {
        self.regret.add(slot, deltas, actions);
    }

    fn average(&mut self, slot: u64, strategy: &Row<f64>, actions: usize) {
        self.average.add(slot, strategy, actions);
    }
}

/// Regrets of a mixed strategy in which some actions are impossible.
fn regrets(slots: usize) -> Vec<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    (0..slots + MAX_ACTIONS).map(|_| rng.random_range(-0.25f64..1.0)).collect()
}

fn errors<G: EnumerableGame, I: Infosets<G>>(
    small: &Small<G, I>,
    numerator: Numerator,
    deals: u64,
) -> [Vec<f64>; 2] {
    let Small { game, infosets } = small;
    let slots = infosets.slots() as usize;
    let regrets = regrets(slots);
    let mut strategy = vec![0.0; slots];
    infosets.for_each_row(&mut |slot, actions| {
        let slot = slot as usize;
        let row: Row<f64> = regrets[slot..slot + MAX_ACTIONS].try_into().unwrap();
        strategy[slot..slot + actions].copy_from_slice(&matching(&row, actions)[..actions]);
    });

    let zeros = || vec![0.0; slots];
    let expected =
        Expected { regret: zeros(), average: zeros(), regret_visits: zeros(), average_visits: zeros() };
    let mut exact = Exact { small, strategy: &strategy, numerator, expected };
    game.for_each_deal(&mut |deal, chance| {
        let view = infosets.view(game, deal);
        exact.walk(deal, &view, &game.root(deal), chance, &vec![1.0; game.players()]);
    });
    let expected = exact.expected;

    let frozen = Frozen { game, infosets, regrets: Regrets::new(&regrets) };
    let mut recorder = Recorder { regret: Moments::new(slots), average: Moments::new(slots) };
    let mut traversal = Traversal::new();
    for number in 0..deals {
        let mut rng = deal_rng(5, number);
        let deal = game.deal(&mut rng);
        let view = infosets.view(game, &deal);
        for traverser in 0..game.players() {
            traversal.run(&frozen, &deal, &view, traverser, &mut rng, &mut recorder);
        }
        recorder.regret.finish_deal();
        recorder.average.finish_deal();
    }
    let deals = deals as f64;
    [
        recorder.regret.errors(&expected.regret, &expected.regret_visits, deals),
        recorder.average.errors(&expected.average, &expected.average_visits, deals),
    ]
}

fn mean_square(errors: &[f64]) -> f64 {
    errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64
}

fn assert_unbiased<G: EnumerableGame, I: Infosets<G>>(
    small: &Small<G, I>,
    numerator: Numerator,
    deals: u64,
    least_slots: usize,
) {
    for (what, errors) in ["regret", "average"].iter().zip(errors(small, numerator, deals)) {
        assert!(errors.len() >= least_slots, "{what}: only {} slots were compared", errors.len());
        let worst = errors.iter().fold(0.0f64, |worst, e| worst.max(e.abs()));
        assert!(worst < 6.0, "{what}: a mean {worst} standard errors off");
        let square = mean_square(&errors);
        // Slots of one row move together, so that this mean has the spread of about half as many independent
        // squares.
        let spread = 6.0 * (2.0 / (errors.len() as f64 / 2.0)).sqrt();
        assert!((square - 1.0).abs() < spread, "{what}: mean square error {square}, expected 1 +- {spread}");
    }
}

#[test]
fn kuhn_records_are_unbiased() {
    assert_unbiased(&kuhn(2), Numerator::OwnReach, 200_000, 18);
}

#[test]
fn leduc_records_are_unbiased() {
    assert_unbiased(&leduc(), Numerator::OwnReach, 200_000, 1000);
}

#[test]
fn with_three_players_regrets_are_unbiased_and_averages_weigh_the_others_reach() {
    assert_unbiased(&kuhn(3), Numerator::AllButOneOther, 200_000, 60);
    // The paper's numerator is another one here, as the documentation of `average` says.
    let [_, average] = errors(&kuhn(3), Numerator::OwnReach, 20_000);
    assert!(mean_square(&average) > 100.0);
}
