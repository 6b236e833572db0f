//! An iteration: passes, updates; and what is left of it, averages and checkpoints.
//!
//! A solution is fixed by its game, rows, traversal, [`ExactSettings`] and number of iterations: the tables are then the
//! same, byte for byte, for any number of threads, and however often it was interrupted and resumed.

use super::checkpoint::{self, ExactCheckpoint};
use super::pass::{Found, OwnRow, Pass, Reached, Strategies, Traversal};
use super::update::{Step, Tables};
use crate::average::AverageStrategy;
use crate::regret::uniform;
use crate::{CfrError, Layout, MAX_ACTIONS, Real, Subject, Table, UpdateRule};
use doorcard_efg::Policy;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::path::Path;

/// Against which strategies of the others a player's regrets are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Updates {
    /// Players in turn: each against what the players before have just become.
    #[default]
    Alternating,
    /// All against the strategies of the iteration before.
    Simultaneous,
}

impl fmt::Display for Updates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Updates::Alternating => "alternating",
            Updates::Simultaneous => "simultaneous",
        })
    }
}

/// What the tables depend on besides the subject, the traversal and the number of iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExactSettings {
    /// How iterations are weighed.
    pub rule: UpdateRule,
    /// Who sees whose new strategy.
    pub updates: Updates,
    /// The seed of sampled chance.
    pub seed: u64,
}

/// How to solve.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactConfig {
    /// What the tables depend on.
    pub settings: ExactSettings,
    /// Threads; 0 takes as many as the machine has. They do not change the result.
    pub threads: usize,
    /// The most that tables and sums may take. Units: bytes.
    pub max_memory: u64,
}

impl Default for ExactConfig {
    fn default() -> ExactConfig {
        ExactConfig { settings: ExactSettings::default(), threads: 1, max_memory: 8 << 30 }
    }
}

/// CFR with the regrets of a [`Traversal`].
pub struct Solver<V: Traversal, T: Real = f64> {
    traversal: V,
    subject: Subject,
    settings: ExactSettings,
    layout: Layout,
    table: Table<T>,
    /// What everybody plays now. Shape: `[slot]`.
    strategy: Vec<T>,
    /// What passes have found; zeros between iterations. Shape: `[slot]`.
    regret: Vec<f64>,
    reach: Vec<f64>,
    parts: Vec<Part<V::Scratch>>,
    iterations: u64,
    /// `None` for one thread.
    pool: Option<rayon::ThreadPool>,
}

/// A part of the game.
struct Part<S> {
    slots: Range<u64>,
    /// Shape: `[player][row]`.
    rows: Vec<Vec<OwnRow>>,
    /// Those that a sparse pass has visited; empty between updates.
    visited: Vec<OwnRow>,
    scratch: S,
}

/// A part with its slices of the tables.
struct PartTables<'a, S, T> {
    number: usize,
    rows: &'a [Vec<OwnRow>],
    scratch: &'a mut S,
    tables: Tables<'a, T>,
    found: Found<'a>,
}

impl<V: Traversal, T: Real> Solver<V, T> {
    /// A solver with empty tables: everybody plays uniformly.
    ///
    /// # Errors
    /// If a setting is out of range or does not suit the traversal, the tables would exceed `max_memory`, or the rows
    /// do not fit the game.
    pub fn new(traversal: V, subject: Subject, config: ExactConfig) -> Result<Solver<V, T>, CfrError> {
        let ExactConfig { settings, threads, max_memory } = config;
        settings.rule.check()?;
        traversal.check(settings.rule)?;
        let slots = traversal.rows().slots();
        // Beside both tables: strategies, regrets found, reach.
        let sums = slots.saturating_mul((size_of::<T>() + 2 * size_of::<f64>()) as u64);
        let needed = Table::<T>::predicted_bytes(slots).saturating_add(sums);
        if needed > max_memory {
            return Err(CfrError::Memory { needed, limit: max_memory });
        }
        let layout = Layout::new(traversal.rows(), 1)?;
        let table = Table::new(slots, max_memory)?;
        let ranges = traversal.parts();
        let mut end = 0;
        for range in &ranges {
            if range.start < end || range.end < range.start || slots < range.end {
                let fault =
                    format!("is where a part of the game starts, slots {range:?} of {slots}: out of order");
                return Err(CfrError::Layout { slot: range.start, fault });
            }
            end = range.end;
        }
        let mut reached = Reached::new(slots);
        let mut scratch = Vec::with_capacity(ranges.len());
        for (part, range) in ranges.iter().enumerate() {
            reached.enter(range.clone());
            scratch.push(traversal.survey(part, &mut reached));
        }
        let rows = reached.into_parts(traversal.rows(), traversal.players(), &ranges)?;
        let parts: Vec<_> = ranges
            .into_iter()
            .zip(rows)
            .zip(scratch)
            .map(|((slots, rows), scratch)| Part { slots, rows, visited: Vec::new(), scratch })
            .collect();

        let slots = slots as usize;
        let mut strategy = vec![T::ZERO; slots];
        for row in parts.iter().flat_map(|part| part.rows.iter().flatten()) {
            let actions = usize::from(row.actions);
            strategy[row.slot as usize..][..actions].copy_from_slice(&uniform(actions)[..actions]);
        }
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let pool = match threads.min(parts.len()) {
            0 | 1 => None,
            threads => Some(
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .map_err(|source| CfrError::Threads { threads, source })?,
            ),
        };
        let (regret, reach) = (vec![0.0; slots], vec![0.0; slots]);
        Ok(Solver {
            traversal,
            subject,
            settings,
            layout,
            table,
            strategy,
            regret,
            reach,
            parts,
            iterations: 0,
            pool,
        })
    }

    /// A solver that goes on from a checkpoint.
    ///
    /// # Errors
    /// As [`Solver::new`], and if the checkpoint was made for something else, by another traversal or with other
    /// settings, or with another number type.
    pub fn resume(
        traversal: V,
        subject: Subject,
        config: ExactConfig,
        checkpoint: &ExactCheckpoint,
    ) -> Result<Solver<V, T>, CfrError> {
        let mut solver = Solver::new(traversal, subject, config)?;
        checkpoint.expect(&solver.header())?;
        let (regret, strategy_sum) = solver.table.both_mut();
        checkpoint.load(regret, strategy_sum, &mut solver.strategy)?;
        solver.iterations = checkpoint.header().iterations;
        Ok(solver)
    }

    /// One iteration.
    pub fn step(&mut self) {
        self.iterations += 1;
        let Solver { traversal, settings, iterations, table, strategy, regret, reach, parts, .. } = self;
        let iteration = Iteration {
            traversal,
            step: Step::new(settings.rule, *iterations),
            settings: *settings,
            number: *iterations,
        };
        // Where rows that are not visited stay as they are, there is no need to look at them.
        let sparse = traversal.is_sparse() && settings.rule.grows();
        let (table_regret, strategy_sum) = table.both_mut();
        let mut rest = (table_regret, strategy_sum, &mut strategy[..], &mut regret[..], &mut reach[..]);
        let mut end = 0;
        let mut tables = Vec::with_capacity(parts.len());
        for (number, part) in parts.iter_mut().enumerate() {
            let (first, length) = (part.slots.start, (part.slots.end - part.slots.start) as usize);
            let skip = (first - end) as usize;
            end = part.slots.end;
            let mut found =
                Found::new(first, take(&mut rest.3, skip, length), take(&mut rest.4, skip, length));
            found.visited = sparse.then_some(&mut part.visited);
            let own = Tables {
                first,
                regret: take(&mut rest.0, skip, length),
                strategy_sum: take(&mut rest.1, skip, length),
                strategy: take(&mut rest.2, skip, length),
            };
            tables.push(PartTables {
                number,
                rows: &part.rows,
                scratch: &mut part.scratch,
                tables: own,
                found,
            });
        }
        match &self.pool {
            None => tables.into_iter().for_each(|part| iteration.run(part)),
            Some(pool) => pool.install(|| tables.into_par_iter().for_each(|part| iteration.run(part))),
        }
    }

    /// Writes a checkpoint. Returns its length. Units: bytes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<u64, CfrError> {
        checkpoint::write(path, &self.header(), &self.table, &self.strategy)
    }

    fn header(&self) -> checkpoint::ExactHeader {
        checkpoint::ExactHeader {
            program: env!("CARGO_PKG_VERSION").into(),
            subject: self.subject.clone(),
            rows: self.layout.rows(),
            slots: self.layout.slots(),
            layout: self.layout.fingerprint(),
            traversal: self.traversal.name().into(),
            settings: self.settings,
            iterations: self.iterations,
        }
    }

    /// Iterations done.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The average strategy.
    pub fn average(&self) -> impl Policy + '_ {
        AverageStrategy(&self.table)
    }

    /// What everybody plays now.
    pub fn current(&self) -> impl Policy + '_ {
        Current(&self.strategy)
    }

    /// For each player the sum over rows of the largest positive regret, divided by the weight of all iterations.
    ///
    /// If players forget nothing, every row is an infoset and chance is enumerated, this bounds from above what the
    /// player could have won more per game, on the (weighted) average of the iterations, by playing one strategy
    /// throughout (Zinkevich et al. 2007, theorem 3); for two players and simultaneous updates the sum over both bounds
    /// `nash_conv` of an average weighed as the regrets are. It holds for Discounted CFR as long as negative regrets
    /// shrink faster than positive ones. Units: chips.
    pub fn average_regrets(&self) -> Vec<f64> {
        let weight = self.settings.rule.total_regret_weight(self.iterations).max(1.0);
        let regret = self.table.regret();
        let largest = |row: &OwnRow| {
            let row = &regret[row.slot as usize..][..usize::from(row.actions)];
            row.iter().fold(0.0, |max, regret| regret.to_f64().max(max))
        };
        (0..self.traversal.players())
            .map(|player| {
                let rows = self.parts.iter().flat_map(|part| &part.rows[player]);
                rows.map(largest).sum::<f64>() / weight
            })
            .collect()
    }

    /// The tables.
    pub fn table(&self) -> &Table<T> {
        &self.table
    }

    /// What the tables depend on.
    pub fn settings(&self) -> &ExactSettings {
        &self.settings
    }
}

/// Takes `length` elements off the front of `rest`, after leaving out `skip`.
fn take<'a, E>(rest: &mut &'a mut [E], skip: usize, length: usize) -> &'a mut [E] {
    let (taken, left) = std::mem::take(rest)[skip..].split_at_mut(length);
    *rest = left;
    taken
}

/// What all parts of an iteration share.
struct Iteration<'a, V> {
    traversal: &'a V,
    step: Step,
    settings: ExactSettings,
    number: u64,
}

impl<V: Traversal> Iteration<'_, V> {
    /// One part's iteration.
    fn run<T: Real>(&self, mut part: PartTables<'_, V::Scratch, T>) {
        let players = self.traversal.players();
        match self.settings.updates {
            Updates::Alternating => {
                for player in 0..players {
                    self.pass(&mut part, player);
                    self.update(&mut part, player);
                }
            }
            Updates::Simultaneous => {
                (0..players).for_each(|player| self.pass(&mut part, player));
                (0..players).for_each(|player| self.update(&mut part, player));
            }
        }
    }

    fn pass<T: Real>(&self, part: &mut PartTables<'_, V::Scratch, T>, player: usize) {
        let pass = Pass { part: part.number, player, iteration: self.number, seed: self.settings.seed };
        let strategies = Strategies::new(part.tables.first, part.tables.strategy);
        self.traversal.pass(pass, strategies, &mut part.found, part.scratch);
    }

    fn update<T: Real>(&self, part: &mut PartTables<'_, V::Scratch, T>, player: usize) {
        match part.found.visited.take() {
            None => self.step.apply(&part.rows[player], &mut part.tables, &mut part.found),
            // After simultaneous passes the first update serves all players, and finds nothing left for the others.
            Some(visited) => {
                visited.sort_unstable();
                visited.dedup();
                self.step.apply(visited, &mut part.tables, &mut part.found);
                visited.clear();
                part.found.visited = Some(visited);
            }
        }
    }
}

/// A strategy as the solver keeps it. Shape: `[slot]`.
struct Current<'a, T>(&'a [T]);

impl<T: Real> Policy for Current<'_, T> {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        let row = &self.0[slot as usize..][..out.len()];
        // A row that the game never reaches holds nothing.
        if row.iter().all(|&p| p == T::ZERO) {
            out.copy_from_slice(&uniform::<f64>(out.len().min(MAX_ACTIONS))[..out.len()]);
            return;
        }
        out.iter_mut().zip(row).for_each(|(out, p)| *out = p.to_f64());
    }
}
