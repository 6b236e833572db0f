//! One batch: deals traversed in parallel against frozen tables, then the logs applied by the shards' owners.
//!
//! Neither the number of threads nor the way deals are divided into tasks can be seen in the result: a deal's
//! randomness comes from its number, the tables do not change while deals are traversed, and [`crate::log`]
//! adds up in the order of deals.

use crate::depth_first::{self, Changes};
use crate::external::Traversal;
use crate::log::Log;
use crate::outcome::Trajectory;
use crate::sampling::{Frozen, Pruning, Sampling};
use crate::seed::deal_rng;
use crate::trainer::Settings;
use crate::{Layout, Real, Table};
use doorcard_efg::fault::{Fault, planted};
use doorcard_efg::{Game, Infosets};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A task traverses at least this many deals ...
pub(crate) const LEAST_DEALS: u64 = 8;
/// ... and a batch is divided into at most this many tasks: as many logs are kept.
const MOST_TASKS: u64 = 128;

/// The memory of a batch, reused from one to the next.
pub(crate) struct Batch<N, T: Real> {
    /// Where deals are walked depth first there are no tasks.
    tasks: Vec<Task<N, T>>,
    changes: Option<Changes<T>>,
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

/// Into how many shards the table is cut at most for batches of `deals` deals: several for each thread, so that none
/// waits long for the last. A batch of a single task is too small to share, and its log stays in the cache if it is one
/// stream.
pub(crate) fn shards(deals: u64, threads: usize) -> u64 {
    if tasks(deals).0 == 1 { 1 } else { (8 * threads as u64).max(64) }
}

/// How many rows were visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Visits {
    pub(crate) regret: u64,
    pub(crate) average: u64,
}

/// The memory of one task.
struct Task<N, T: Real> {
    walk: Walk<N, T>,
    log: Log<T>,
}

/// How deals are walked.
enum Walk<N, T> {
    External(Traversal<N, T>),
    Outcome(Trajectory),
}

/// What one batch does.
#[derive(Clone, Debug)]
pub(crate) struct Plan<'a> {
    /// Those of [`Batch::new`].
    pub(crate) settings: &'a Settings,
    /// The number of the batch, counted from one.
    pub(crate) clock: u64,
    /// The deals, by number: as many as the settings say, or fewer.
    pub(crate) deals: Range<u64>,
    pub(crate) threads: Threads,
}

/// Whether to use rayon's threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    One,
    Pool,
}

impl<N: Clone + Send, T: Real> Batch<N, T> {
    /// Logs that take at most `limit` bytes, but for those that the deals under way when it is reached add.
    pub(crate) fn new(layout: &Layout, settings: &Settings, limit: u64) -> Batch<N, T> {
        let (tasks, deals_per_task) = tasks(settings.batch);
        let walk = || match settings.sampling {
            Sampling::External => Walk::External(Traversal::new()),
            Sampling::Outcome => Walk::Outcome(Trajectory::new(settings.exploration)),
            Sampling::Vector => unreachable!("refused by the trainer over deals"),
        };
        let task = |_| Task { walk: walk(), log: Log::new(layout) };
        let depth_first = tasks == 1 && settings.sampling == Sampling::External && settings.prune.is_none();
        let tasks = if depth_first { 0 } else { tasks };
        Batch {
            tasks: (0..tasks).map(task).collect(),
            changes: depth_first.then(Changes::new),
            deals_per_task,
            limit,
        }
    }

    /// What the logs take. Units: bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let logs: u64 = self.tasks.iter().map(|task| task.log.bytes()).sum();
        logs + self.changes.as_ref().map_or(0, Changes::bytes)
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
        plan: Plan<'_>,
    ) -> Result<Visits, LogsTooLarge> {
        let Plan { settings, clock, deals, threads } = plan;
        let weights = settings.rule.weights(clock);
        let frozen = Frozen {
            game,
            infosets,
            regrets: table.regret_rows(),
            baselines: table.baseline_rows(),
            // Regrets of this batch will be multiplied by its weight.
            pruning: settings.prune.map(|p| Pruning { below: p.below * weights.regret, ..p }),
        };
        if let Some(changes) = &mut self.changes {
            changes.clear();
            for number in deals {
                walk_depth_first(&frozen, settings.seed, number, changes);
                if changes.bytes() > self.limit {
                    changes.release();
                    return Err(LogsTooLarge);
                }
            }
            changes.apply(table, weights);
            return Ok(Visits { regret: changes.regret_visits, average: changes.average_visits });
        }
        let (taken, limit) = (AtomicU64::new(self.bytes()), self.limit);
        let traverse = |(number, task): (usize, &mut Task<N, T>)| {
            let start = deals.start + number as u64 * self.deals_per_task;
            task.log.clear();
            for deal in start..(start + self.deals_per_task).min(deals.end) {
                if taken.load(Ordering::Relaxed) > limit {
                    return;
                }
                let before = task.log.bytes();
                traverse_deal(&frozen, settings.seed, deal, task);
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
        let rate = settings.baseline.unwrap_or(0.0);
        let apply = |(number, shard): (usize, &mut _)| {
            logs.iter().for_each(|log| log.apply(number, shard, weights, rate));
            if number == 0 && planted(Fault::RegretsMergedTwice) {
                logs.iter().for_each(|log| log.apply(number, shard, weights, rate));
            }
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
        let Task { walk, log } = &mut *task;
        match walk {
            Walk::External(traversal) => {
                traversal.run(frozen, &deal, &view, traverser, &mut rng, log);
            }
            Walk::Outcome(trajectory) => {
                trajectory.run(frozen, &deal, &view, traverser, &mut rng, log);
            }
        }
    }
}

/// Draws the deal of this number and walks it depth first, once for every player.
fn walk_depth_first<G: Game, I: Infosets<G>, T: Real>(
    frozen: &Frozen<'_, G, I, T>,
    seed: u64,
    number: u64,
    changes: &mut Changes<T>,
) {
    let mut rng = deal_rng(seed, number);
    let deal = frozen.game.deal(&mut rng);
    let view = frozen.infosets.view(frozen.game, &deal);
    for traverser in 0..frozen.game.players() {
        depth_first::run(frozen, &deal, &view, traverser, &mut rng, changes);
    }
}
