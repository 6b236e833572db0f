//! The training loop over batches of boards.

use super::average::{AverageScratch, AverageWalk};
use super::lanes::{MAX_GROUPS, ZERO};
use super::log::{Log, LogSize, MOST_SHARDS, Shards};
use super::public_chance::{self, PublicScratch, PublicWalk};
use super::regrets::{MOST_RIVALS, Scene, Scratch, Walk};
use super::tables::{self, Adding, Numbers, Precision, Regrets, Untrained};
use super::view::View;
use crate::checkpoint::{self, Checkpoint, Checkpoints};
use crate::seed::deal_rng;
use crate::trainer::{Observer, State, StopReason, Subject, TableSummary, TrainConfig};
use crate::{CfrError, Layout, MAX_ACTIONS, Row, run, strategy};
use doorcard_efg::{BoardGame, LANES, MOST_LANES, Rows};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// What vector sampling depends on besides the other settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VectorSettings {
    /// How a board is walked.
    pub traversal: BoardTraversal,
    /// How tables are stored.
    pub precision: Precision,
}

/// How a board is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardTraversal {
    /// All hands of a player against a few of the opponent, which draw their actions.
    External(ExternalSettings),
    /// All hands of both players; nothing is drawn besides the board.
    PublicChance,
}

/// What vector external sampling depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExternalSettings {
    /// Single hands of the opponent for each player's walk of a board.
    pub hands: usize,
    /// Where the average strategy is taken from.
    pub average: AverageFrom,
    /// Lines of the opponent on which a player's walk for the average follows a board.
    pub lines: u32,
}

/// Where the average strategy is taken from. Both are unbiased.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AverageFrom {
    /// A walk of its own with the player's exact reach: all buckets of a node.
    #[default]
    OwnReach,
    /// The opponent's hands as they are sampled: one bucket of a node each.
    Sampled,
}

impl Default for BoardTraversal {
    fn default() -> BoardTraversal {
        BoardTraversal::External(ExternalSettings::default())
    }
}

impl Default for ExternalSettings {
    fn default() -> ExternalSettings {
        ExternalSettings { hands: 8, average: AverageFrom::OwnReach, lines: 4 }
    }
}

impl From<ExternalSettings> for VectorSettings {
    fn from(external: ExternalSettings) -> VectorSettings {
        VectorSettings { traversal: BoardTraversal::External(external), ..VectorSettings::default() }
    }
}

impl VectorSettings {
    /// Public chance sampling.
    pub fn public_chance() -> VectorSettings {
        VectorSettings { traversal: BoardTraversal::PublicChance, ..VectorSettings::default() }
    }

    /// Refuses values out of range.
    pub(crate) fn check(&self) -> Result<(), CfrError> {
        let refuse = |setting, found, expected| Err(CfrError::Setting { setting, found, expected });
        match self.traversal {
            BoardTraversal::External(of) if !(1..=MOST_RIVALS).contains(&of.hands) => {
                refuse("hands", of.hands.to_string(), "1 to 32 hands of the opponent")
            }
            BoardTraversal::External(of) if !(1..=MOST_LINES).contains(&of.lines) => {
                refuse("lines", of.lines.to_string(), "1 to 1024 lines of the opponent")
            }
            _ => Ok(()),
        }
    }
}

/// The most lines of a walk for the average.
const MOST_LINES: u32 = 1024;

/// What one board's walks need and leave behind.
#[derive(Default)]
struct Task {
    regrets: Log,
    averages: Log,
    /// How often the regrets of all the opponent's hands are in the logs: less than once if few hands are drawn.
    repeats: f64,
    regret_visits: u64,
    average_visits: u64,
}

impl Task {
    fn with_room([regrets, averages]: [LogSize; 2]) -> Task {
        let mut task = Task::default();
        task.regrets.reserve(regrets);
        task.averages.reserve(averages);
        task
    }
}

/// Room for one thread's walks.
#[derive(Default)]
struct Room {
    view: View,
    scratch: Scratch,
    average: AverageScratch,
    public: PublicScratch,
}

/// Vector sampling of a [`BoardGame`], whose rows are those of `I`.
pub struct BoardTrainer<'a, G, I> {
    game: &'a G,
    infosets: &'a I,
    subject: Subject,
    config: TrainConfig,
    vector: VectorSettings,
    layout: Layout,
    shards: Shards,
    regrets: Numbers,
    sums: Numbers,
    state: State,
    tasks: Vec<Task>,
    rooms: Mutex<Vec<Room>>,
    pool: rayon::ThreadPool,
}

impl<'a, G: BoardGame, I: Rows> BoardTrainer<'a, G, I> {
    /// A trainer with empty tables.
    ///
    /// # Errors
    /// If a setting is out of range, the tables and the logs of a batch would exceed `max_memory`, or the infosets' layout is inconsistent.
    pub fn new(
        game: &'a G,
        infosets: &'a I,
        subject: Subject,
        config: TrainConfig,
    ) -> Result<Self, CfrError> {
        config.settings().check()?;
        let vector = config.vector.unwrap_or_default();
        let most = (0..game.rounds()).map(|round| game.lanes(round)).max().unwrap_or(0);
        if most > MOST_LANES {
            let expected = "at most 128 for vector sampling";
            return Err(CfrError::Setting { setting: "private buckets", found: most.to_string(), expected });
        }
        let sizes = log_sizes(game, &vector);
        let logs = log_bytes(sizes, config.batch);
        let needed = predicted_table_bytes(game, &vector).saturating_add(logs);
        if needed > config.max_memory {
            return Err(CfrError::Memory { needed, limit: config.max_memory });
        }
        let threads = match config.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|source| CfrError::Threads { threads, source })?;
        let layout = Layout::new(infosets, 1)?;
        let shards = Shards::new(&game.cuts(), MOST_SHARDS);
        let length = game.table_len();
        let zeros = || Numbers::zeros(length, vector.precision);
        let (regrets, sums) = (zeros()?, zeros()?);
        let tasks = (0..config.batch).map(|_| Task::with_room(sizes)).collect();
        Ok(BoardTrainer {
            game,
            infosets,
            subject,
            config,
            vector,
            layout,
            shards,
            regrets,
            sums,
            state: State::default(),
            tasks,
            rooms: Mutex::new(Vec::new()),
            pool,
        })
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    /// As [`BoardTrainer::new`], and if the checkpoint was made for something else.
    pub fn resume(
        game: &'a G,
        infosets: &'a I,
        subject: Subject,
        config: TrainConfig,
        checkpoint: &Checkpoint,
    ) -> Result<Self, CfrError> {
        let mut trainer = BoardTrainer::new(game, infosets, subject, config)?;
        checkpoint.expect(&trainer.subject, &trainer.layout, &trainer.config.settings())?;
        let read =
            |name| Numbers::read(checkpoint.container(), name, game.table_len(), trainer.vector.precision);
        (trainer.regrets, trainer.sums) = (read(checkpoint::REGRET)?, read(checkpoint::STRATEGY_SUM)?);
        trainer.state = checkpoint.header().state;
        trainer.state.ended_by_time = false;
        Ok(trainer)
    }

    /// Gives players who do not learn ([`BoardGame::learns`]) their strategy: `fill` is called with a function that sets the
    /// regret at a place of the tables. Play is in proportion to positive regrets, so that these may be probabilities.
    pub fn set_regrets(&mut self, fill: impl FnOnce(&mut dyn FnMut(u64, f32))) {
        let regrets = &mut self.regrets;
        fill(&mut |at, regret| regrets.set(at as usize, regret));
    }

    /// Walks a batch of boards and updates the tables.
    pub fn step(&mut self) {
        let BoardTrainer { game, regrets, sums, tasks, rooms, pool, shards, config, vector, state, .. } =
            self;
        let rooms: &Mutex<Vec<Room>> = rooms;
        let first = state.iterations;
        let clock = state.clock + 1;
        let weights = config.rule.weights(clock);
        let discount = config.rule.discount(clock);
        pool.install(|| {
            // One by one: boards take different times, and a thread that is done takes the next.
            tasks.par_iter_mut().enumerate().with_max_len(1).for_each(|(number, task)| {
                let board = first + number as u64;
                let mut room = rooms.lock().expect("no walk panics").pop().unwrap_or_default();
                match &*regrets {
                    Numbers::Full(table) => walk(*game, table, config.seed, board, vector, &mut room, task),
                    Numbers::Half(table) => walk(*game, table, config.seed, board, vector, &mut room, task),
                }
                task.regrets.sort(shards);
                task.averages.sort(shards);
                rooms.lock().expect("no walk panics").push(room);
            });
            let of_regrets: Vec<&Log> = tasks.iter().map(|task| &task.regrets).collect();
            let of_averages: Vec<&Log> = tasks.iter().map(|task| &task.averages).collect();
            // The same on all boards: hands are vectors of one length.
            let repeats = tasks[0].repeats;
            let factor = (weights.regret / (repeats * game.deals())) as f32;
            regrets.add(shards, &of_regrets, Adding { factor, floor: discount.floor, clock });
            sums.add(shards, &of_averages, Adding { factor: weights.average as f32, floor: false, clock });
        });
        state.iterations += tasks.len() as u64;
        state.clock = clock;
        state.ended_by_time = false;
        for task in tasks {
            state.regret_visits += task.regret_visits;
            state.average_visits += task.average_visits;
        }
    }

    /// Trains until the configured boards are done, the seconds are up, or `interrupt` is set. As
    /// [`crate::Trainer::run`].
    ///
    /// # Errors
    /// If a checkpoint cannot be written.
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
        checkpoint::write(path, about, |writer| {
            self.regrets.write(writer, checkpoint::REGRET)?;
            self.sums.write(writer, checkpoint::STRATEGY_SUM)
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
        strategy::write(path, about, self.infosets, |slot, actions| self.row(slot, actions))
    }

    /// Walks the table.
    pub fn summary(&self) -> TableSummary {
        let mut summary = TableSummary::default();
        let mut rooms = [[ZERO; MAX_ACTIONS * MAX_GROUPS]; 2];
        self.game.for_each_block(&mut |first, round, actions| {
            let lanes = self.game.lanes(round);
            let groups = actions * lanes / LANES;
            let [room, other] = &mut rooms;
            let regrets = self.regrets.block(first as usize, &mut room[..groups]).as_flattened();
            let sums = self.sums.block(first as usize, &mut other[..groups]).as_flattened();
            // Lanes that stand for no bucket are zero.
            for bucket in 0..lanes {
                let of =
                    |table: &[f32]| (0..actions).map(|a| table[a * lanes + bucket]).fold((0.0, false), most);
                let (regret, sum) = (of(regrets), of(sums));
                summary.regret_rows += u64::from(regret.1);
                summary.average_rows += u64::from(sum.1);
                summary.positive_regret += f64::from(regret.0);
            }
        });
        let weight = self.config.rule.total_regret_weight(self.state.clock) * self.config.batch as f64;
        summary.positive_regret /= weight.max(1.0);
        summary
    }

    /// Cumulative regrets and strategy sums of the row at a slot of the infosets.
    pub fn row(&self, slot: u64, actions: usize) -> (Row<f32>, Row<f32>) {
        rows(self.game, (&self.regrets, &self.sums), slot, actions)
    }

    /// What the tables take. Units: bytes.
    pub fn table_bytes(&self) -> u64 {
        self.regrets.bytes() + self.sums.bytes()
    }

    /// What the logs of batches take by now. Units: bytes.
    pub fn log_bytes(&self) -> u64 {
        self.tasks.iter().map(|task| task.regrets.bytes() + task.averages.bytes()).sum()
    }

    /// Regrets that the last batch updated: buckets times actions, padding included.
    pub fn last_updates(&self) -> u64 {
        self.tasks.iter().map(|task| task.regrets.numbers()).sum()
    }

    /// How far training has come.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The configuration.
    pub fn config(&self) -> &TrainConfig {
        &self.config
    }
}

/// The largest number so far, and whether any was not zero.
fn most((largest, any): (f32, bool), x: f32) -> (f32, bool) {
    (largest.max(x), any || x != 0.0)
}

/// Regrets and strategy sums of a row of the infosets in the tables of a board game.
pub(crate) fn rows<G: BoardGame>(
    game: &G,
    (regrets, sums): (&Numbers, &Numbers),
    slot: u64,
    actions: usize,
) -> (Row<f32>, Row<f32>) {
    let place = game.place(slot);
    let mut rows = ([0.0; MAX_ACTIONS], [0.0; MAX_ACTIONS]);
    for action in 0..actions {
        let at = (place.first + action as u64 * place.stride) as usize;
        (rows.0[action], rows.1[action]) = (regrets.number(at), sums.number(at));
    }
    rows
}

/// What the tables will take. Units: bytes.
pub fn predicted_table_bytes<G: BoardGame>(game: &G, vector: &VectorSettings) -> u64 {
    tables::bytes(game.table_len(), vector.precision)
}

/// Boards that are walked to tell what logs of external sampling will take.
const FORECAST_BOARDS: u64 = 16;
/// How much more play needs later, when it folds less often at random and sees more last streets: 1.8 times was measured
/// after a million boards of stud.
const LATER: usize = 2;
/// Boards whose betting is counted to tell what logs of public chance sampling will take.
const COUNTED_BOARDS: u64 = 64;

/// What the logs of batches of `batch` boards will take. Units: bytes.
pub fn predicted_log_bytes<G: BoardGame>(game: &G, vector: &VectorSettings, batch: u64) -> u64 {
    log_bytes(log_sizes(game, vector), batch)
}

fn log_bytes(sizes: [LogSize; 2], batch: u64) -> u64 {
    batch.saturating_mul(sizes.map(LogSize::bytes).iter().sum())
}

/// Room for the regrets and the averages of one board.
///
/// External sampling: by the most that some boards of untrained play need. Public chance sampling: what the largest of
/// some boards takes if everything is reached. Logs that need more still grow.
fn log_sizes<G: BoardGame>(game: &G, vector: &VectorSettings) -> [LogSize; 2] {
    match vector.traversal {
        BoardTraversal::PublicChance => {
            let of_board = |number| {
                let board = game.draw(&mut deal_rng(0, number));
                let [first, second] = [0, 1].map(|player| public_chance::log_size(game, &board, player));
                first.with(second)
            };
            let most = (0..COUNTED_BOARDS).map(of_board).fold(LogSize::default(), LogSize::max);
            [most; 2]
        }
        BoardTraversal::External(_) => {
            let (mut room, mut task) = (Room::default(), Task::default());
            let most = (0..FORECAST_BOARDS).fold([LogSize::default(); 2], |[regrets, averages], board| {
                walk(game, &Untrained, 0, board, vector, &mut room, &mut task);
                [regrets.max(task.regrets.size()), averages.max(task.averages.size())]
            });
            most.map(|size| size.times(LATER))
        }
    }
}

/// Walks one board for both players.
fn walk<G: BoardGame, T: Regrets>(
    game: &G,
    regrets: &T,
    seed: u64,
    number: u64,
    vector: &VectorSettings,
    room: &mut Room,
    task: &mut Task,
) {
    let mut rng = deal_rng(seed, number);
    let board = game.draw(&mut rng);
    task.regrets.clear();
    task.averages.clear();
    (task.regret_visits, task.average_visits) = (0, 0);
    match vector.traversal {
        BoardTraversal::External(external) => {
            task.repeats = external.hands as f64 / game.hands(&board, 0) as f64;
            walk_external(game, regrets, &board, &mut rng, external, room, task);
        }
        BoardTraversal::PublicChance => {
            task.repeats = 1.0;
            walk_public(game, regrets, &board, &mut room.public, task);
        }
    }
}

fn walk_public<G: BoardGame, T: Regrets>(
    game: &G,
    regrets: &T,
    board: &G::Board,
    scratch: &mut PublicScratch,
    task: &mut Task,
) {
    for player in (0..2).filter(|&player| game.learns(board, player)) {
        let mut walk = PublicWalk {
            game,
            board,
            player,
            regrets,
            scratch,
            log: &mut task.regrets,
            average: &mut task.averages,
            visits: 0,
            average_visits: 0,
        };
        walk.run();
        task.regret_visits += walk.visits;
        task.average_visits += walk.average_visits;
    }
}

fn walk_external<G: BoardGame, T: Regrets>(
    game: &G,
    regrets: &T,
    board: &G::Board,
    rng: &mut Xoshiro256PlusPlus,
    external: ExternalSettings,
    room: &mut Room,
    task: &mut Task,
) {
    for player in (0..2).filter(|&player| game.learns(board, player)) {
        room.view.look(game, board, player);
        room.view.draw_rivals(game, board, player, external.hands, rng);
        let sampled = external.average == AverageFrom::Sampled;
        let scene = Scene { game, board, player, view: &room.view, regrets };
        let mut walk = Walk {
            scene,
            rng,
            scratch: &mut room.scratch,
            log: &mut task.regrets,
            average: sampled.then_some(&mut task.averages),
            visits: 0,
            average_visits: 0,
        };
        walk.run();
        task.regret_visits += walk.visits;
        task.average_visits += walk.average_visits;
        if !sampled {
            let mut walk = AverageWalk {
                scene,
                rng,
                scratch: &mut room.average,
                log: &mut task.averages,
                lines: external.lines,
                visits: 0,
            };
            walk.run();
            task.average_visits += walk.visits;
        }
    }
}

impl<G: BoardGame, I: Rows> run::Training for BoardTrainer<'_, G, I> {
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
        self.step();
        Ok(())
    }

    fn summary(&self) -> TableSummary {
        BoardTrainer::summary(self)
    }

    fn save(&self, path: &Path) -> Result<u64, CfrError> {
        BoardTrainer::save(self, path)
    }
}
