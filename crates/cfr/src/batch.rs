//! One batch: deals traversed in parallel against frozen tables, then the logs applied by the shards' owners.
//!
//! Neither the number of threads nor the way deals are divided into tasks can be seen in the result: a deal's
//! randomness comes from its number, the tables do not change while deals are traversed, and [`crate::log`]
//! adds up in the order of deals.

use crate::discount::Weights;
use crate::external::{Frozen, Traversal};
use crate::log::Log;
use crate::seed::deal_rng;
use crate::{Layout, Real, Table};
use doorcard_efg::{Game, Infosets};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A task traverses at least this many deals ...
const LEAST_DEALS: u64 = 8;
/// ... and a batch is divided into at most this many tasks: as many logs are kept.
const MOST_TASKS: u64 = 128;

/// The memory of a batch, reused from one to the next.
pub(crate) struct Batch<N, T: Real> {
    tasks: Vec<Task<N, T>>,
    deals_per_task: u64,
    /// The most that logs may take. Units: bytes.
    limit: u64,
}

/// The logs of a batch would have taken more than their limit: it was given up, and the table is as before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LogsTooLarge;

/// How a batch is divided into tasks: how many, and the deals of each.
pub(crate) fn tasks(deals: u64) -> (u64, u64) {
    let each = deals.div_ceil(MOST_TASKS).max(LEAST_DEALS);
    (deals.div_ceil(each), each.min(deals))
}

/// Into how many shards the table is cut at most: several for each thread, so that none waits long for the last.
pub(crate) fn shards(threads: usize) -> u64 {
    (8 * threads as u64).max(64)
}

/// How many rows were visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Visits {
    pub(crate) regret: u64,
    pub(crate) average: u64,
}

/// The memory of one task.
struct Task<N, T: Real> {
    traversal: Traversal<N, T>,
    log: Log<T>,
}

/// What one batch does.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The run's seed.
    pub(crate) seed: u64,
    /// The deals, by number: as many as [`Batch::new`] was told, or fewer.
    pub(crate) deals: Range<u64>,
    /// What the changes are multiplied by.
    pub(crate) weights: Weights,
    pub(crate) threads: Threads,
}

/// Whether to use rayon's threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    One,
    Pool,
}

impl<N: Clone + Send, T: Real> Batch<N, T> {
    /// Logs for batches of `deals` deals that take at most `limit` bytes, but for those that the deals under
    /// way when it is reached add.
    pub(crate) fn new(layout: &Layout, deals: u64, limit: u64) -> Batch<N, T> {
        let (tasks, deals_per_task) = tasks(deals);
        let task = |_| Task { traversal: Traversal::new(), log: Log::new(layout) };
        Batch { tasks: (0..tasks).map(task).collect(), deals_per_task, limit }
    }

    /// What the logs take. Units: bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.tasks.iter().map(|task| task.log.bytes()).sum()
    }

    /// The most that logs may take. Units: bytes.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Traverses the planned deals once for every player and updates the table.
    ///
    /// # Errors
    /// If the logs would take more than their limit; the table is as before.
    pub(crate) fn run<G: Game<Node = N>, I: Infosets<G>>(
        &mut self,
        game: &G,
        infosets: &I,
        layout: &Layout,
        table: &mut Table<T>,
        plan: Plan,
    ) -> Result<Visits, LogsTooLarge> {
        let Plan { seed, deals, weights, threads } = plan;
        let frozen = Frozen { game, infosets, regrets: table.regret_rows() };
        let (taken, limit) = (AtomicU64::new(self.bytes()), self.limit);
        let traverse = |(number, task): (usize, &mut Task<N, T>)| {
            let start = deals.start + number as u64 * self.deals_per_task;
            task.log.clear();
            for deal in start..(start + self.deals_per_task).min(deals.end) {
                if taken.load(Ordering::Relaxed) > limit {
                    return;
                }
                let before = task.log.bytes();
                traverse_deal(&frozen, seed, deal, task);
                taken.fetch_add(task.log.bytes() - before, Ordering::Relaxed);
            }
        };
        match threads {
            Threads::One => self.tasks.iter_mut().enumerate().for_each(traverse),
            Threads::Pool => self.tasks.par_iter_mut().enumerate().for_each(traverse),
        }
        if taken.into_inner() > limit {
            self.tasks.iter_mut().for_each(|task| task.log.release());
            return Err(LogsTooLarge);
        }

        let logs: Vec<&Log<T>> = self.tasks.iter().map(|task| &task.log).collect();
        let mut shards = table.shards(layout);
        let apply = |(number, shard): (usize, &mut _)| {
            logs.iter().for_each(|log| log.apply(number, shard, weights));
        };
        match threads {
            Threads::One => shards.iter_mut().enumerate().for_each(apply),
            Threads::Pool => shards.par_iter_mut().enumerate().for_each(apply),
        }
        Ok(logs.iter().fold(Visits::default(), |sum, log| Visits {
            regret: sum.regret + log.regret_visits,
            average: sum.average + log.average_visits,
        }))
    }
}

/// Draws the deal of this number and walks it once for every player.
fn traverse_deal<G: Game, I: Infosets<G>, T: Real>(
    frozen: &Frozen<'_, G, I, T>,
    seed: u64,
    number: u64,
    task: &mut Task<G::Node, T>,
) {
    let mut rng = deal_rng(seed, number);
    let deal = frozen.game.deal(&mut rng);
    let view = frozen.infosets.view(frozen.game, &deal);
    for traverser in 0..frozen.game.players() {
        task.traversal.run(frozen, &deal, &view, traverser, &mut rng, &mut task.log);
    }
}
