//! The training loop: batches, checkpoints, observers, and why it stopped.
//!
//! A run is fixed by its game, infosets, [`Settings`] and number of iterations: the tables are then the same,
//! byte for byte, for any number of threads, and however often it was interrupted and resumed. Nothing here
//! prints.

use crate::batch::{self, Batch, LogsTooLarge, Plan, Threads};
use crate::checkpoint::{Checkpoint, Checkpoints};
use crate::forecast::predicted_log_bytes;
use crate::sampling::{Pruning, Sampling};
use crate::vector::{BoardTraversal, VectorSettings};
use crate::{CfrError, Layout, Real, Table, UpdateRule, checkpoint, run, strategy};
use doorcard_efg::fault::{Fault, planted};
use doorcard_efg::{Game, Infosets};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What is being solved: written to checkpoints and strategies and compared when they are loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The game's name, such as "leduc".
    pub game: String,
    /// The rules as text, such as the TOML they are read from; empty if the name says all.
    pub rules: String,
    /// The abstraction's name; "lossless" if there is none.
    pub abstraction: String,
    /// The abstraction's fingerprint; 0 if there is none.
    pub abstraction_fingerprint: u64,
}

/// What the tables depend on besides the subject and the number of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The seed of deals and sampled actions.
    pub seed: u64,
    /// Deals a batch: traversed against the same strategies, weighed alike.
    pub batch: u64,
    /// How batches are weighed.
    pub rule: UpdateRule,
    /// Which traversal.
    pub sampling: Sampling,
    /// Outcome sampling: the probability that the traverser's action is drawn from all alike.
    pub exploration: f64,
    /// Outcome sampling: the part by which a baseline moves to what was found; without it there are no baselines.
    pub baseline: Option<f64>,
    /// External sampling: which actions are left out most of the time; without it none.
    pub prune: Option<Pruning>,
    /// Vector sampling only: what it depends on besides.
    pub vector: Option<VectorSettings>,
}

impl Settings {
    /// The solver by the name it has in the literature, and what it depends on most.
    pub fn solver(&self) -> String {
        match self.vector.unwrap_or_default().traversal {
            _ if self.sampling != Sampling::Vector => format!("{} sampling", self.sampling),
            BoardTraversal::External(external) => {
                format!("vector external sampling, {} hands a board", external.hands)
            }
            BoardTraversal::PublicChance => "public chance sampling".into(),
        }
    }

    /// Refuses values out of range, and those that the chosen traversal would not look at.
    pub(crate) fn check(&self) -> Result<(), CfrError> {
        let refuse = |setting, found: String, expected| Err(CfrError::Setting { setting, found, expected });
        self.rule.check()?;
        let vector = self.sampling == Sampling::Vector;
        if vector {
            self.vector.unwrap_or_default().check()?;
            if !(self.rule.grows() || self.rule == UpdateRule::CfrPlus) {
                let expected = "vanilla, linear, power or cfr-plus: a drawn board visits few rows, and the others would have \
                                to be swept";
                return refuse("rule", self.rule.to_string(), expected);
            }
        } else if let Some(settings) = self.vector {
            return refuse("vector", format!("{settings:?}"), "vector sampling");
        }
        if !vector && !self.rule.grows() {
            let expected = "a rule that growing weights express, vanilla, linear or power: a sampled deal visits few rows, \
                            and the others would have to be swept";
            return refuse("rule", self.rule.to_string(), expected);
        }
        // Memory allows far fewer: the logs of 2^24 deals of a thousand rows each need some hundred gigabytes.
        if !(1..=1 << 24).contains(&self.batch) {
            return refuse("batch", self.batch.to_string(), "1 to 16777216 deals");
        }
        if !(self.exploration > 0.0 && self.exploration <= 1.0) {
            return refuse("exploration", self.exploration.to_string(), "a probability above 0, at most 1,");
        }
        if let Some(rate) = self.baseline {
            if self.sampling != Sampling::Outcome {
                return refuse("baseline", rate.to_string(), "outcome sampling");
            }
            if !(rate > 0.0 && rate <= 1.0) {
                return refuse("baseline", rate.to_string(), "a rate above 0, at most 1,");
            }
        }
        if let Some(pruning) = &self.prune {
            if self.sampling != Sampling::External {
                return refuse("prune", describe(&self.prune), "external sampling");
            }
            pruning.check()?;
        }
        Ok(())
    }
}

/// An optional setting as messages name it.
pub(crate) fn describe(setting: &Option<impl std::fmt::Debug>) -> String {
    setting.as_ref().map_or("none".into(), |setting| format!("{setting:?}"))
}

/// How to train. In a configuration file: the section of the trainer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainConfig {
    /// Iterations: deals, each traversed once for every player. Rounded up to whole batches.
    pub iterations: u64,
    /// Deals a batch, all traversed against the same strategies. A task is 8 deals, so that many threads need
    /// large batches; but strategies grow stale while a batch lasts. What counts is how often a batch visits
    /// a row: on Leduc, whose 936 rows a batch of 64 visits 1.5 times each, 4 million deals end at an
    /// exploitability of 0.0106 with batches of 64 (0.0094 with batches of 1), 0.0123 with 256, 0.0178 with
    /// 1024 and 0.0338 with 4096.
    pub batch: u64,
    /// The seed of deals and sampled actions.
    pub seed: u64,
    /// How batches are weighed.
    pub rule: UpdateRule,
    /// Which traversal: `external`, or `outcome` for games with so many actions that trying all of one player's is too
    /// much.
    pub sampling: Sampling,
    /// With outcome sampling, the probability that the traverser's action is drawn from all alike and not as it
    /// plays. The default is the value of the paper's experiments.
    pub exploration: f64,
    /// With outcome sampling, keeps a baseline of every action, which makes what is sampled vary less, and moves it by
    /// this part to each value found, such as 0.1. Baselines take half as much memory again as the other tables.
    pub baseline: Option<f64>,
    /// With external sampling, leaves out most of the time those of the traverser's actions that have much regret to
    /// make up for.
    pub prune: Option<Pruning>,
    /// With vector sampling, what it depends on besides; nothing for the defaults.
    pub vector: Option<VectorSettings>,
    /// Threads; 0 takes as many as the machine has. They do not change the result.
    pub threads: usize,
    /// Iterations between checkpoints; 0 writes one at the end only.
    pub checkpoint_every: u64,
    /// The most that the tables and the logs of a batch may take. Units: bytes.
    pub max_memory: u64,
    /// Stops the run after this time, for exploration: where it stops then depends on the machine, which
    /// checkpoints and strategies record. At least one batch is done. Units: seconds.
    pub seconds: Option<f64>,
}

impl Default for TrainConfig {
    fn default() -> TrainConfig {
        TrainConfig {
            iterations: 1_000_000,
            batch: 512,
            seed: 1,
            rule: UpdateRule::Linear,
            sampling: Sampling::External,
            exploration: 0.6,
            baseline: None,
            prune: None,
            vector: None,
            threads: 0,
            checkpoint_every: 0,
            max_memory: 8 << 30,
            seconds: None,
        }
    }
}

impl TrainConfig {
    /// The part that the tables depend on.
    pub fn settings(&self) -> Settings {
        let TrainConfig { seed, batch, rule, sampling, exploration, baseline, prune, vector, .. } = *self;
        // The defaults spelled out, so that files made with and without them agree.
        let vector = (sampling == Sampling::Vector).then(|| vector.unwrap_or_default()).or(vector);
        Settings { seed, batch, rule, sampling, exploration, baseline, prune, vector }
    }
}

/// How far training has come: written to checkpoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Deals traversed. Deal `i` is drawn from the seed and `i`, so this is also the state of the random
    /// numbers.
    pub iterations: u64,
    /// Batches done: the clock of the [`UpdateRule`].
    pub clock: u64,
    /// Rows visited as the traverser's, with regrets recorded.
    pub regret_visits: u64,
    /// Rows visited as an opponent's, with the average strategy recorded.
    pub average_visits: u64,
    /// Whether a run ended here because its seconds were up: the number of iterations is then an accident. False
    /// again once training goes on.
    pub ended_by_time: bool,
}

/// Why [`Trainer::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// All iterations are done.
    Finished,
    /// The interrupt flag was raised.
    Interrupted,
    /// The seconds are up.
    OutOfTime,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What training has done in all runs.
    pub state: State,
    /// Iterations to reach.
    pub target: u64,
    /// Iterations that this run started from.
    pub started_at: u64,
    /// How many infosets.
    pub rows: u64,
    /// Time since this run started, checkpoints included. Units: seconds.
    pub seconds: f64,
}

impl Progress {
    /// Iterations of this run per second.
    pub fn iterations_per_second(&self) -> f64 {
        (self.state.iterations - self.started_at) as f64 / self.seconds.max(1e-9)
    }

    /// How often an infoset has been visited as the traverser's, on average over all infosets.
    pub fn regret_visits_per_row(&self) -> f64 {
        self.state.regret_visits as f64 / self.rows.max(1) as f64
    }

    /// How often an infoset has been visited as an opponent's, on average over all infosets.
    pub fn average_visits_per_row(&self) -> f64 {
        self.state.average_visits as f64 / self.rows.max(1) as f64
    }
}

/// What a walk over all rows finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableSummary {
    /// Rows with a regret other than zero.
    pub regret_rows: u64,
    /// Rows with an average strategy.
    pub average_rows: u64,
    /// The sum over all rows of the largest positive regret, divided by the weight of all iterations.
    ///
    /// It tells whether training still moves, and is no exploitability. Only for exact regrets of a game whose
    /// players forget nothing does it bound `nash_conv` of the average strategy from above (Zinkevich et al.
    /// 2007, theorems 2 and 3); sampled regrets are noisy, and abstractions forget. Units: chips, added up over
    /// rows.
    pub positive_regret: f64,
}

/// Told about a run as it goes on. Called between batches, so an observer should do little at most calls.
pub trait Observer {
    /// A batch is done. `summary` walks the whole table when called.
    fn batch(&mut self, progress: &Progress, summary: &dyn Fn() -> TableSummary) {
        let _ = (progress, summary);
    }

    /// A checkpoint has been written.
    fn checkpoint(&mut self, progress: &Progress, path: &Path) {
        let _ = (progress, path);
    }
}

/// Observes nothing.
impl Observer for () {}

/// External or outcome sampling in batches over the infosets of a game.
pub struct Trainer<'a, G: Game, I, T: Real = f32> {
    game: &'a G,
    infosets: &'a I,
    subject: Subject,
    config: TrainConfig,
    layout: Layout,
    table: Table<T>,
    batch: Batch<G::Node, T>,
    state: State,
    /// `None` for one thread.
    pool: Option<rayon::ThreadPool>,
}

impl<'a, G: Game, I: Infosets<G>, T: Real> Trainer<'a, G, I, T> {
    /// A trainer with empty tables.
    ///
    /// # Errors
    /// If a setting is out of range, the tables and the logs (by [`crate::predicted_log_bytes`]) would exceed
    /// `max_memory`, or the infosets' layout is inconsistent.
    pub fn new(
        game: &'a G,
        infosets: &'a I,
        subject: Subject,
        config: TrainConfig,
    ) -> Result<Self, CfrError> {
        let settings = config.settings();
        settings.check()?;
        if settings.sampling == Sampling::Vector {
            let expected = "external or outcome sampling: vector sampling trains over boards";
            return Err(CfrError::Setting { setting: "sampling", found: "vector".into(), expected });
        }
        let threads = match config.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let baselines = settings.baseline.is_some();
        let tables = Table::<T>::needed_bytes(infosets.slots(), baselines);
        let logs = predicted_log_bytes::<G, T>(game, settings.sampling, settings.batch, threads);
        let needed = tables.saturating_add(logs);
        if needed > config.max_memory {
            return Err(CfrError::Memory { needed, limit: config.max_memory });
        }
        let table = Table::allocate(infosets.slots(), config.max_memory, baselines)?;
        // A batch of a single task is walked by one thread: waking others would cost more than the walk.
        let pool = match threads.min(batch::tasks(settings.batch).0 as usize) {
            0 | 1 => None,
            threads => Some(
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .map_err(|source| CfrError::Threads { threads, source })?,
            ),
        };
        let layout = Layout::new(infosets, batch::shards(settings.batch, threads))?;
        let batch = Batch::new(&layout, &settings, config.max_memory - tables);
        Ok(Trainer { game, infosets, subject, config, layout, table, batch, state: State::default(), pool })
    }

    /// A trainer that goes on from a checkpoint.
    ///
    /// # Errors
    /// As [`Trainer::new`], and if the checkpoint was made for another game, abstraction, layout or other
    /// settings, or with another number type.
    pub fn resume(
        game: &'a G,
        infosets: &'a I,
        subject: Subject,
        config: TrainConfig,
        checkpoint: &Checkpoint,
    ) -> Result<Self, CfrError> {
        let mut trainer = Trainer::new(game, infosets, subject, config)?;
        checkpoint.expect(&trainer.subject, &trainer.layout, &trainer.config.settings())?;
        checkpoint.load(&mut trainer.table)?;
        trainer.state = checkpoint.header().state;
        if planted(Fault::RandomStateLost) {
            trainer.config.seed = 0;
        }
        Ok(trainer)
    }

    /// Traverses one batch of deals and updates the tables.
    ///
    /// # Panics
    /// If [`Trainer::try_step`] fails.
    pub fn step(&mut self) {
        self.try_step().expect("logs within their limit");
    }

    /// Traverses one batch of deals and updates the tables.
    ///
    /// # Errors
    /// If the logs need more than the tables leave of `max_memory`. Nothing has changed then.
    pub fn try_step(&mut self) -> Result<(), CfrError> {
        let Trainer { game, infosets, layout, table, batch, state, config, .. } = self;
        let deals = state.iterations..state.iterations + config.batch;
        let clock = state.clock + 1;
        let iterations = deals.end;
        let threads = if self.pool.is_some() { Threads::Pool } else { Threads::One };
        let plan = Plan { settings: &config.settings(), clock, deals, threads };
        let run = || batch.run(*game, *infosets, layout, table, plan);
        let visits = match &self.pool {
            None => run(),
            Some(pool) => pool.install(run),
        };
        let visits = visits
            .map_err(|LogsTooLarge| CfrError::Logs { batch: self.config.batch, limit: self.batch.limit() })?;
        self.state = State {
            iterations,
            clock,
            regret_visits: self.state.regret_visits + visits.regret,
            average_visits: self.state.average_visits + visits.average,
            ended_by_time: false,
        };
        Ok(())
    }

    /// What the logs of batches take by now. Units: bytes.
    pub fn log_bytes(&self) -> u64 {
        self.batch.bytes()
    }

    /// Trains until the configured iterations are done, the seconds are up, or `interrupt` is set, which is
    /// looked at between batches.
    ///
    /// With `checkpoints`, one is written every `checkpoint_every` iterations and one at the end, whatever
    /// the reason, unless nothing has been trained at all.
    ///
    /// # Errors
    /// If a checkpoint cannot be written, or as [`Trainer::try_step`]. The trainer stays as it is and may be run
    /// again.
    pub fn run(
        &mut self,
        checkpoints: Option<&Checkpoints>,
        interrupt: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<StopReason, CfrError> {
        run::run(self, checkpoints, interrupt, observer)
    }

    /// Writes a checkpoint. Returns its length. Units: bytes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<u64, CfrError> {
        let about = strategy::About {
            subject: &self.subject,
            layout: &self.layout,
            settings: &self.config.settings(),
            state: &self.state,
        };
        let table = &self.table;
        checkpoint::write(path, about, |writer| {
            writer.section(checkpoint::REGRET, table.regret())?;
            writer.section(checkpoint::STRATEGY_SUM, table.strategy_sum())?;
            table.baseline().map_or(Ok(()), |baseline| writer.section(checkpoint::BASELINE, baseline))
        })
    }

    /// Writes the average strategy for playing. Returns what it consists of.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn export(&self, path: &Path) -> Result<strategy::StrategyHeader, CfrError> {
        let about = strategy::About {
            subject: &self.subject,
            layout: &self.layout,
            settings: &self.config.settings(),
            state: &self.state,
        };
        let (regret, strategy_sum) = (self.table.regret(), self.table.strategy_sum());
        strategy::write(path, about, self.infosets, |slot, actions| {
            strategy::row_of(regret, strategy_sum, slot, actions)
        })
    }

    /// Walks the table.
    pub fn summary(&self) -> TableSummary {
        let (regret, sums) = (self.table.regret(), self.table.strategy_sum());
        let mut summary = TableSummary::default();
        self.infosets.for_each_row(&mut |slot, actions| {
            let row = slot as usize..slot as usize + actions;
            summary.regret_rows += u64::from(regret[row.clone()].iter().any(|&r| r != T::ZERO));
            summary.average_rows += u64::from(sums[row.clone()].iter().any(|&s| s != T::ZERO));
            summary.positive_regret += regret[row].iter().fold(0.0, |max, r| r.to_f64().max(max));
        });
        let weight = self.config.rule.total_regret_weight(self.state.clock) * self.config.batch as f64;
        summary.positive_regret /= weight.max(1.0);
        summary
    }

    /// The tables.
    pub fn table(&self) -> &Table<T> {
        &self.table
    }

    /// How far training has come.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The configuration.
    pub fn config(&self) -> &TrainConfig {
        &self.config
    }

    /// What is being solved.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The layout of the infosets.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }
}

impl<G: Game, I: Infosets<G>, T: Real> run::Training for Trainer<'_, G, I, T> {
    fn config(&self) -> &TrainConfig {
        &self.config
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    fn rows(&self) -> u64 {
        self.layout.rows()
    }

    fn try_step(&mut self) -> Result<(), CfrError> {
        Trainer::try_step(self)
    }

    fn summary(&self) -> TableSummary {
        Trainer::summary(self)
    }

    fn save(&self, path: &Path) -> Result<u64, CfrError> {
        Trainer::save(self, path)
    }
}
