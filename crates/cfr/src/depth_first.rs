//! External sampling by plain recursion, for tables that lie in the cache.
//!
//! What [`crate::external`] says of values, regrets and averages holds here word for word. The order of visits is
//! another: an action's whole subtree comes before the next action, so that a value is returned instead of being stored
//! and nothing is put in line. Where there is nothing to wait for that is faster; in a table far larger than the cache
//! every row would be waited for. Actions are drawn in the order of visits, so that the two traversals draw other
//! samples from the same seed.
//!
//! The trainer takes it for batches of a single task, which have at most [`MOST_DEALS`] deals, with nothing pruned: on a
//! large table such batches, which cannot be shared among threads, are a mistake anyway. Nor need their changes
//! be told apart by shard: they are kept in one list and added in its order, which is that of the deals, so that the
//! sums are those that logs would give. As all this depends on the settings alone, tables are still the same for
//! any number of threads.
//!
//! Measured on Leduc with batches of 8 deals: 5,900 instructions a deal, 7,700 with logs in place of the list.

use crate::discount::Weights;
use crate::regret::{matching, sample};
use crate::sampling::{Frozen, Sink};
use crate::{MAX_ACTIONS, Real, Row, Table};
use doorcard_efg::{Game, Infosets, Turn};
use rand::Rng;

/// The largest batches that are walked depth first.
pub const MOST_DEALS: u64 = crate::batch::LEAST_DEALS;

/// Walks one deal for `traverser` and returns the sampled value of the game to that player. Units: chips.
///
/// # Panics
/// If a row lies outside the table.
pub fn run<G: Game, I: Infosets<G>, T: Real>(
    table: &Frozen<'_, G, I, T>,
    deal: &G::Deal,
    view: &I::View,
    traverser: usize,
    rng: &mut impl Rng,
    sink: &mut impl Sink<T>,
) -> T {
    let node = table.game.root(deal);
    value(&At { table, deal, view, traverser }, node, rng, sink)
}

/// What stays the same during one traversal.
struct At<'a, G: Game, I: Infosets<G>, T> {
    table: &'a Frozen<'a, G, I, T>,
    deal: &'a G::Deal,
    view: &'a I::View,
    traverser: usize,
}

fn value<G: Game, I: Infosets<G>, T: Real>(
    at: &At<'_, G, I, T>,
    mut node: G::Node,
    rng: &mut impl Rng,
    sink: &mut impl Sink<T>,
) -> T {
    let game = at.table.game;
    while let Turn::Decide { player, actions } = game.turn(&node, at.deal) {
        let slot = at.table.infosets.slot(at.view, &node, player);
        let strategy = matching(&at.table.regrets.row(slot), actions);
        if player != at.traverser {
            sink.average(slot, &strategy, actions);
            node = game.act(&node, at.deal, sample(&strategy, actions, rng.next_u64()));
            continue;
        }
        let mut values = [T::ZERO; MAX_ACTIONS];
        let mut mixed = T::ZERO;
        for action in 0..actions {
            values[action] = value(at, game.act(&node, at.deal, action), rng, sink);
            mixed += strategy[action] * values[action];
        }
        sink.regret(slot, &values.map(|v| v - mixed), actions);
        return mixed;
    }
    T::from_f64(game.utility(&node, at.deal, at.traverser))
}

/// The changes of a batch, in the order they were found.
pub(crate) struct Changes<T> {
    list: Vec<Change<T>>,
    /// Rows visited by the traverser.
    pub(crate) regret_visits: u64,
    /// Rows visited by opponents.
    pub(crate) average_visits: u64,
}

/// What is to be added to a row. What lies beyond the row's actions is zero: it can be added to the next row.
struct Change<T> {
    row: Row<T>,
    slot: u64,
    is_regret: bool,
}

impl<T: Real> Changes<T> {
    /// An empty list.
    pub(crate) fn new() -> Changes<T> {
        Changes { list: Vec::new(), regret_visits: 0, average_visits: 0 }
    }

    /// Forgets all changes; memory is kept.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        (self.regret_visits, self.average_visits) = (0, 0);
    }

    /// Forgets all changes and gives the memory back.
    pub(crate) fn release(&mut self) {
        *self = Changes::new();
    }

    /// What the list takes, used or not. Units: bytes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.list.capacity() * size_of::<Change<T>>()) as u64
    }

    /// The most that a list takes whose changes would be `words` words of a log, at least two each. Units: bytes.
    pub(crate) fn bytes_for(words: u64) -> u64 {
        // A list that grows has room for up to twice as many, and for four at least.
        (words / 2 + 4).saturating_mul(2 * size_of::<Change<T>>() as u64)
    }

    /// Adds the changes to the tables.
    pub(crate) fn apply(&self, table: &mut Table<T>, weights: Weights) {
        let (regret, average) = (T::from_f64(weights.regret), T::from_f64(weights.average));
        let (regrets, strategy_sums) = table.rows_mut();
        for change in &self.list {
            let (table, weight) =
                if change.is_regret { (&mut *regrets, regret) } else { (&mut *strategy_sums, average) };
            let slot = change.slot as usize;
            for (sum, &value) in table[slot..slot + MAX_ACTIONS].iter_mut().zip(&change.row) {
                *sum += weight * value;
            }
        }
    }

    #[inline(always)]
    fn push(&mut self, slot: u64, values: &Row<T>, actions: usize, is_regret: bool) {
        let row = std::array::from_fn(|action| if action < actions { values[action] } else { T::ZERO });
        self.list.push(Change { row, slot, is_regret });
    }
}

impl<T: Real> Sink<T> for Changes<T> {
    #[inline(always)]
    fn regret(&mut self, slot: u64, deltas: &Row<T>, actions: usize) {
        self.regret_visits += 1;
        self.push(slot, deltas, actions, true);
    }

    #[inline(always)]
    fn average(&mut self, slot: u64, strategy: &Row<T>, actions: usize) {
        self.average_visits += 1;
        self.push(slot, strategy, actions, false);
    }
}
