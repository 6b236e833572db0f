//! Outcome-sampling Monte Carlo CFR (Lanctot, Waugh, Zinkevich and Bowling 2009, section 3.1) with a
//! variance-reducing baseline as an option (VR-MCCFR; Schmid, Burch, Lanctot, Moravcik, Kadlec and Bowling 2019), for
//! any number of players.
//!
//! A traversal serves one player, the traverser, and is one line of play from the root to an end: chance is drawn as it
//! is, and a player by `xi(I, a) = e / |A(I)| + (1 - e) sigma(I, a)`, `e` being the exploration, or by `sigma` itself,
//! which is `e = 0`. The traverser explores, since what it never plays must be tried too. The one opponent of a game
//! for two does not; where there are more, all do (see the average strategy). Below, `pi_i(h)` is the product of player
//! `i`'s probabilities by `sigma` on the way to `h`, and `x_i(h)` that of the probabilities it is drawn by.
//!
//! **Regrets.** Going back from the end, which is worth `u`, a node `h` at which `a*` was drawn with probability `p`
//! and led to a node worth `v` is worth
//! `sum_a sigma(a) w(a)`, where `w(a*) = b(a*) + (v - b(a*)) / p` and `w(a) = b(a)` for the others. Whatever the
//! baseline `b`, if only it is not chosen by looking at what was drawn, the expectation of `w(a)` is the expectation
//! of the value of `a`: the estimate is unbiased, and the less `v` differs from `b(a*)`, the less it varies. Without
//! baselines `b` is zero, and the worth of a node is the paper's `u pi(h, z) / q(h, z)`: the probability of the rest of
//! the line under the strategies, over that of drawing it. At a node of the traverser `i` in infoset `I` the sampled
//! regret of `a` is `w(a) - sum_b sigma(b) w(b)` times `prod_{j != i} pi_j(h) / prod_j x_j(h)`: `h` is visited with
//! probability `pi_c(h) prod_j x_j(h)`, so that the expectation holds the counterfactual reach, chance times opponents.
//!
//! **Average strategy** (stochastically weighted averaging; Lanctot 2013, chapter 4). At a node `h` of a player `i`
//! other than the traverser, `sigma(I, .)` is added to the row's sum with the weight `pi_i(h) / prod_j x_j(h)`. `h` is
//! visited with probability `pi_c(h) prod_j x_j(h)`, so that the expected addend of the row is
//! `sum_{h in I} pi_c(h) pi_i(h) sigma(I, .)`: chance times own reach times strategy, for any number of players. By
//! perfect recall that is `c(I)` times the numerator of the average strategy, as [`crate::average`] says. It needs
//! every `h` with `pi_i(h) > 0` to be visited at times. For two players it is, since the traverser explores and the
//! other is `i`; with a third who does not explore, nodes behind what it never plays would be missed, in one
//! iteration these, in another those. For two players the weight is `1 / x(h)` of the traverser, no larger than
//! `(|A| / e)` to the number of its actions before. The traverser's own nodes would do as well, with an opponent that
//! explores; that varies more.
//!
//! **Baselines** are a table beside the regrets: one number for every infoset and action, what the infoset's own player
//! expects from the action. They are frozen while a batch lasts and learn when it is over, in the order of deals:
//! `b += rate (v - b)` for each action the traverser has drawn (the exponentially decaying average of the paper). At an opponent's node the traverser takes `-b / (players - 1)` of it for its own: for two players that
//! is what the paper does; with more, what one player gains the others are thought to lose in equal parts, which
//! need not be true, since any baseline will do. The variance that chance brings in stays: the deal is drawn at
//! the root, before there is an action that could have a baseline.
//!
//! Deviations from the paper: those of [`crate::external`] that concern the deal and the [`Sink`]; numbers on the
//! way are `f64` whatever the tables hold, since weights are quotients of small probabilities.

use crate::regret::{matching, sample};
use crate::sampling::{Frozen, Sink};
use crate::{MAX_ACTIONS, Real, Row};
use doorcard_efg::{Game, Infosets, Turn};
use rand::Rng;

/// The memory of a traversal, reused from one to the next.
pub struct Trajectory {
    exploration: f64,
    /// The decisions on the way, from the root on.
    visits: Vec<Visit>,
    /// What each player has contributed to the probability of the line so far. Shape: `[player]`.
    line: Vec<Contribution>,
}

/// A player's part in the probability of a line of play.
#[derive(Clone, Copy)]
struct Contribution {
    /// The probability of its actions to be drawn.
    drawn: f64,
    /// The probability of its actions by its strategy, divided by `drawn`.
    ratio: f64,
}

/// A decision on the way.
struct Visit {
    slot: u64,
    strategy: Row<f64>,
    /// What the traverser expects of each action.
    baseline: Row<f64>,
    actions: usize,
    /// The action drawn, and the probability of drawing it.
    action: usize,
    probability: f64,
    /// At a decision of the traverser: what its regrets are multiplied by.
    weight: Option<f64>,
}

impl Trajectory {
    /// A memory for traversals with this exploration: above 0, at most 1.
    pub fn new(exploration: f64) -> Trajectory {
        Trajectory { exploration, visits: Vec::new(), line: Vec::new() }
    }

    /// Plays one line of a deal for `traverser` and returns the sampled value of the game to that player. Units:
    /// chips.
    ///
    /// # Panics
    /// If a row lies outside the table.
    pub fn run<G: Game, I: Infosets<G>, T: Real>(
        &mut self,
        table: &Frozen<'_, G, I, T>,
        deal: &G::Deal,
        view: &I::View,
        traverser: usize,
        rng: &mut impl Rng,
        sink: &mut impl Sink<T>,
    ) -> f64 {
        let game = table.game;
        self.visits.clear();
        self.line.clear();
        self.line.resize(game.players(), Contribution { drawn: 1.0, ratio: 1.0 });
        let mut node = game.root(deal);
        while let Turn::Decide { player, actions } = game.turn(&node, deal) {
            let slot = table.infosets.slot(view, &node, player);
            let strategy = matching(&table.regrets.row(slot), actions).map(T::to_f64);
            let own = player == traverser;
            let explores = own || game.players() > 2;
            let drawn_by = if explores { self.explore(&strategy, actions) } else { strategy };
            if !own {
                let weight = self.average_weight(player);
                sink.average(slot, &strategy.map(|p| T::from_f64(weight * p)), actions);
            }
            let action = sample(&drawn_by, actions, rng.next_u64());
            let probability = drawn_by[action];
            self.visits.push(Visit {
                slot,
                strategy,
                baseline: baseline(table, slot, actions, own),
                actions,
                action,
                probability,
                weight: own.then(|| self.regret_weight(traverser)),
            });
            let line = &mut self.line[player];
            line.drawn *= probability;
            line.ratio *= strategy[action] / probability;
            node = game.act(&node, deal, action);
        }

        let mut value = game.utility(&node, deal, traverser);
        for visit in self.visits.iter().rev() {
            let Visit { slot, action, actions, .. } = *visit;
            let mut worth = visit.baseline;
            worth[action] += (value - worth[action]) / visit.probability;
            let mixed = (0..actions).map(|a| visit.strategy[a] * worth[a]).sum::<f64>();
            if let Some(weight) = visit.weight {
                sink.regret(slot, &worth.map(|w| T::from_f64((w - mixed) * weight)), actions);
                if table.baselines.is_some() {
                    sink.outcome(slot, action, T::from_f64(value));
                }
            }
            value = mixed;
        }
        value
    }

    /// How the actions of a player who explores are drawn.
    fn explore(&self, strategy: &Row<f64>, actions: usize) -> Row<f64> {
        let share = self.exploration / actions as f64;
        let mut row = [0.0; MAX_ACTIONS];
        for action in 0..actions {
            row[action] = share + (1.0 - self.exploration) * strategy[action];
        }
        row
    }

    /// The reach of all players but the traverser over the probability that the line so far was drawn.
    fn regret_weight(&self, traverser: usize) -> f64 {
        let factor = |(player, line): (usize, &Contribution)| {
            if player == traverser { 1.0 / line.drawn } else { line.ratio }
        };
        self.line.iter().enumerate().map(factor).product()
    }

    /// The reach of `player` over the probability that the line so far was drawn.
    fn average_weight(&self, player: usize) -> f64 {
        let factor = |(other, line): (usize, &Contribution)| {
            if other == player { line.ratio } else { 1.0 / line.drawn }
        };
        self.line.iter().enumerate().map(factor).product()
    }
}

/// What the traverser expects of each action of a row, its own or an opponent's.
fn baseline<G: Game, I, T: Real>(
    table: &Frozen<'_, G, I, T>,
    slot: u64,
    actions: usize,
    own: bool,
) -> Row<f64> {
    let mut row = [0.0; MAX_ACTIONS];
    if let Some(baselines) = table.baselines {
        let share = if own { 1.0 } else { -1.0 / (table.game.players() - 1) as f64 };
        let learned = baselines.row(slot);
        (0..actions).for_each(|action| row[action] = share * learned[action].to_f64());
    }
    row
}
