//! The second and third step: training, and exporting the average strategy.

use super::against::Fixed;
use super::run_dir::{CHECKPOINTS, METRICS, MILESTONES, STRATEGY, TIMING, read_metrics};
use super::{Experiment, Outcome, RunDir, Setup, write_whole};
use crate::error::CliError;
use crate::output::note;
use crate::progress::Progress;
use crate::signal;
use doorcard_abstraction::{Abstraction, Exploitation, StudBoards, StudInfosets};
use doorcard_bots::{ABSTRACTION_FILE, subject};
use doorcard_cfr::vector::BoardTrainer;
use doorcard_cfr::{
    Checkpoint, Checkpoints, Observer, Progress as Trained, Sampling, Settings, State, StopReason, Strategy,
    Subject, TableSummary, TrainConfig, Trainer,
};
use doorcard_efg::Rows;
use doorcard_games::stud::tree::StudTree;
use doorcard_report::tensorboard::ScalarLog;
use doorcard_report::{CurvePoint, units};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Points of the learning curve in a whole run.
const POINTS: u64 = 20;

/// What to do about checkpoints that are already there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// Go on from the newest.
    Resume,
    /// Refuse to go on without being asked to.
    Refuse,
}

/// What training may take, besides memory. Neither shapes the tables of a finished training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    pub(crate) threads: usize,
    /// Training stops after this time. Units: seconds.
    pub(crate) seconds: Option<f64>,
}

impl Limits {
    /// One thread, as long as it takes.
    const ONE_THREAD: Limits = Limits { threads: 1, seconds: None };
}

/// How long training has taken, by the newest checkpoint. It stands in a file of its own so that all others repeat.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Timing {
    pub(super) iteration: u64,
    pub(super) seconds: f64,
    pub(super) threads: usize,
}

impl Timing {
    pub(super) fn read(run: &RunDir) -> Timing {
        Timing::read_file(&run.timing())
    }

    fn read_file(path: &Path) -> Timing {
        let text = fs::read_to_string(path).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn write(self, run: &RunDir) -> Result<(), CliError> {
        write_whole(&run.timing(), crate::output::to_json(&self).as_bytes())
    }
}

/// How long training had taken when it came to `iteration`, as a run directory has recorded it; nothing where it has not.
/// Units: seconds.
pub(super) fn seconds_at(root: &Path, iteration: u64) -> Option<f64> {
    let timing = Timing::read_file(&root.join(TIMING));
    if timing.iteration == iteration {
        return Some(timing.seconds);
    }
    let points = read_metrics(&root.join(METRICS)).ok()?;
    points.iter().find(|point| point.iteration == iteration).map(|point| point.seconds)
}

/// As [`seconds_at`], of the run directory that a checkpoint or strategy lies in: files say nothing of time, for they must
/// repeat.
pub(crate) fn seconds_of(file: &Path, iteration: u64) -> Option<f64> {
    let file = fs::canonicalize(file).ok()?;
    let folder = file.parent()?;
    let within = [CHECKPOINTS, MILESTONES].iter().any(|name| folder.ends_with(name));
    let root = if within { folder.parent()? } else { folder };
    seconds_at(root, iteration)
}

/// The newest checkpoint of a run directory, or its strategy if there is none.
pub(crate) fn newest_file(root: &Path) -> Result<PathBuf, CliError> {
    let folder = root.join(CHECKPOINTS);
    let newest = if folder.is_dir() { Checkpoints::new(folder, 1)?.latest()? } else { None };
    let strategy = root.join(STRATEGY);
    newest.or_else(|| strategy.is_file().then_some(strategy)).ok_or_else(|| CliError::Mismatch {
        path: root.into(),
        message: "a folder with neither a checkpoint nor a strategy".into(),
    })
}

type Infosets<'a> = StudInfosets<'a, &'a Abstraction>;
type Boards<'a> = StudBoards<'a, &'a Abstraction>;
type Exploited<'a> = Exploitation<'a, &'a Abstraction, &'a Abstraction>;

/// What a trainer walks, if it walks boards.
enum Walked<'a> {
    /// Play against itself.
    Itself(Box<Boards<'a>>),
    /// Play against somebody who does not learn.
    Fixed(Box<Exploited<'a>>, &'a Fixed),
}

impl<'a> Walked<'a> {
    fn new(setup: &'a Setup, abstraction: &'a Abstraction) -> Walked<'a> {
        match &setup.fixed {
            None => Walked::Itself(Box::new(StudBoards::new(&setup.game, abstraction))),
            Some(fixed) => {
                let boards = Exploitation::new(&setup.game, abstraction, &fixed.cards);
                Walked::Fixed(Box::new(boards), fixed)
            }
        }
    }
}

/// Whichever trainer the solver of an experiment needs.
enum StudTrainer<'a> {
    Deals(Trainer<'a, StudTree, Infosets<'a>, f32>),
    Boards(BoardTrainer<'a, Boards<'a>, Infosets<'a>>),
    Exploiter(BoardTrainer<'a, Exploited<'a>, Infosets<'a>>),
}

impl<'a> StudTrainer<'a> {
    /// A new one, or one that goes on from a checkpoint.
    fn new(
        experiment: &Experiment,
        setup: &'a Setup,
        (infosets, walked): (&'a Infosets<'a>, &'a Walked<'a>),
        abstraction: &Abstraction,
        (limits, target): (Limits, u64),
        latest: Option<&Checkpoint>,
    ) -> Result<StudTrainer<'a>, CliError> {
        let config = TrainConfig { iterations: target, ..train_config(experiment, limits) };
        let subject = trained_subject(experiment, setup, abstraction);
        if config.sampling != Sampling::Vector {
            return Ok(StudTrainer::Deals(match latest {
                None => Trainer::new(&setup.game, infosets, subject, config)?,
                Some(latest) => Trainer::resume(&setup.game, infosets, subject, config, latest)?,
            }));
        }
        Ok(match (walked, latest) {
            (Walked::Itself(boards), None) => {
                StudTrainer::Boards(BoardTrainer::new(&**boards, infosets, subject, config)?)
            }
            (Walked::Itself(boards), Some(latest)) => {
                StudTrainer::Boards(BoardTrainer::resume(&**boards, infosets, subject, config, latest)?)
            }
            (Walked::Fixed(boards, fixed), None) => {
                let mut trainer = BoardTrainer::new(&**boards, infosets, subject, config)?;
                fixed.fill(&setup.game, boards, &mut trainer);
                StudTrainer::Exploiter(trainer)
            }
            (Walked::Fixed(boards, _), Some(latest)) => {
                StudTrainer::Exploiter(BoardTrainer::resume(&**boards, infosets, subject, config, latest)?)
            }
        })
    }

    fn state(&self) -> &State {
        match self {
            StudTrainer::Deals(trainer) => trainer.state(),
            StudTrainer::Boards(trainer) => trainer.state(),
            StudTrainer::Exploiter(trainer) => trainer.state(),
        }
    }

    fn run(&mut self, checkpoints: &Checkpoints, watcher: &mut Watcher<'_>) -> Result<StopReason, CliError> {
        Ok(match self {
            StudTrainer::Deals(trainer) => trainer.run(Some(checkpoints), signal::flag(), watcher)?,
            StudTrainer::Boards(trainer) => trainer.run(Some(checkpoints), signal::flag(), watcher)?,
            StudTrainer::Exploiter(trainer) => trainer.run(Some(checkpoints), signal::flag(), watcher)?,
        })
    }
}

/// Trains until the iterations of the experiment are done, and keeps the strategies of its milestones on the way.
///
/// Training stops at each milestone with a checkpoint and goes on from that, so that whenever it is killed, either the
/// milestone's checkpoint is the newest or its strategy is there. One that training had gone past before it was asked for
/// is not made up for.
pub(crate) fn train(
    experiment: &Experiment,
    run: &RunDir,
    setup: &Setup,
    abstraction: &Abstraction,
    existing: Existing,
    limits: Limits,
) -> Result<Outcome, CliError> {
    let checkpoints = Checkpoints::new(run.checkpoints(), experiment.training.keep as usize)?;
    if let (Some(path), Existing::Refuse) = (checkpoints.latest()?, existing) {
        let message = "training has begun here; --resume goes on from this checkpoint".into();
        return Err(CliError::Mismatch { path, message });
    }
    let infosets = setup.infosets(abstraction);
    if is_exported(experiment, run, setup, abstraction, &infosets)? {
        return Ok(Outcome::Reused);
    }
    let whole = experiment.training.iterations;
    let started = Instant::now();
    let newest = || {
        checkpoints.open_newest(&mut |error| {
            note(format!("{error}; it is set aside, and training goes on from the checkpoint before it"));
        })
    };
    let mut latest = newest()?;
    for milestone in experiment.milestones() {
        let at = latest.as_ref().map_or(0, |latest| latest.header().state.iterations);
        if at < milestone {
            let seconds = limits.seconds.map(|limit| limit - started.elapsed().as_secs_f64());
            let stage = Stage { target: milestone, limits: Limits { seconds, ..limits }, existing };
            let outcome = stage.train(experiment, run, setup, abstraction, &checkpoints, latest.as_ref())?;
            if let Outcome::OutOfTime(_) = outcome {
                return Ok(outcome);
            }
            latest = newest()?;
        }
        if let Some(checkpoint) = &latest
            && checkpoint.header().state.iterations == milestone
        {
            keep_milestone(experiment, run, setup, abstraction, checkpoint)?;
        }
    }
    let seconds = limits.seconds.map(|limit| limit - started.elapsed().as_secs_f64());
    let stage = Stage { target: whole, limits: Limits { seconds, ..limits }, existing };
    stage.train(experiment, run, setup, abstraction, &checkpoints, latest.as_ref())
}

/// A part of training: up to a milestone, or to the end.
struct Stage {
    /// Iterations to reach.
    target: u64,
    limits: Limits,
    existing: Existing,
}

impl Stage {
    fn train(
        &self,
        experiment: &Experiment,
        run: &RunDir,
        setup: &Setup,
        abstraction: &Abstraction,
        checkpoints: &Checkpoints,
        latest: Option<&Checkpoint>,
    ) -> Result<Outcome, CliError> {
        let &Stage { target, limits, existing } = self;
        let infosets = setup.infosets(abstraction);
        let walked = Walked::new(setup, abstraction);
        let mut trainer =
            StudTrainer::new(experiment, setup, (&infosets, &walked), abstraction, (limits, target), latest)?;
        let at = *trainer.state();
        if at.iterations >= target {
            return Ok(Outcome::Reused);
        }
        // What was recorded after the checkpoint is about to be done again.
        let mut points = run.read_metrics()?;
        points.retain(|point| point.iteration <= at.iterations);
        run.write_metrics(&points)?;
        let before = match at.iterations {
            0 => 0.0,
            done => seconds_at(run.root(), done).unwrap_or_else(|| Timing::read(run).seconds),
        };
        let scalars = ScalarLog::start(&run.tensorboard(), before, &points)?;
        let unit = experiment.training.solver.sampling().unit();
        let mut watcher = Watcher {
            run,
            scalars,
            points,
            every: experiment.training.iterations.div_ceil(POINTS),
            rows: infosets.rows(),
            threads: limits.threads,
            before,
            last: (nodes(&at), 0.0),
            seen: at.iterations,
            bar: Progress::new("training", unit, at.iterations, experiment.training.iterations),
            failure: None,
        };
        let reason = trainer.run(checkpoints, &mut watcher)?;
        let Watcher { bar, failure, .. } = watcher;
        bar.finish();
        if let Some(failure) = failure {
            return Err(failure);
        }
        match reason {
            StopReason::Finished => Ok(Outcome::Done),
            StopReason::OutOfTime => Ok(Outcome::OutOfTime(trainer.state().iterations)),
            StopReason::Interrupted if trainer.state().iterations == 0 => {
                let message =
                    "stopped before the first batch; there is no checkpoint. Start with the same command";
                Err(CliError::Interrupted(message.into()))
            }
            StopReason::Interrupted => Err(CliError::Interrupted(format!(
                "stopped after {} of {} {unit}; a checkpoint is written. Go on with the same command{}",
                units::count(trainer.state().iterations),
                units::count(experiment.training.iterations),
                if existing == Existing::Refuse { " and --resume" } else { "" }
            ))),
        }
    }
}

/// Writes the average strategy of the newest checkpoint, unless that of the finished training is there.
pub(crate) fn export(
    experiment: &Experiment,
    run: &RunDir,
    setup: &Setup,
    abstraction: &Abstraction,
) -> Result<Outcome, CliError> {
    let path = run.strategy();
    let infosets = setup.infosets(abstraction);
    if is_exported(experiment, run, setup, abstraction, &infosets)? {
        return Ok(Outcome::Reused);
    }
    let checkpoints = Checkpoints::new(run.checkpoints(), experiment.training.keep as usize)?;
    let Some(latest) = checkpoints.latest()? else {
        let message = "no checkpoint there: train first".into();
        return Err(CliError::Mismatch { path: run.checkpoints(), message });
    };
    write_strategy(experiment, setup, abstraction, &Checkpoint::open(&latest)?, &path)?;
    Ok(Outcome::Done)
}

/// Writes the average strategy of a checkpoint, which must be one of this training.
fn write_strategy(
    experiment: &Experiment,
    setup: &Setup,
    abstraction: &Abstraction,
    checkpoint: &Checkpoint,
    path: &Path,
) -> Result<(), CliError> {
    let infosets = setup.infosets(abstraction);
    let header = checkpoint.header();
    let subject = trained_subject(experiment, setup, abstraction);
    if header.subject != subject || header.settings != train_config(experiment, Limits::ONE_THREAD).settings()
    {
        let path = checkpoint.container().path().to_path_buf();
        let message = "a checkpoint of another game, abstraction or training".into();
        return Err(CliError::Mismatch { path, message });
    }
    if header.settings.sampling == Sampling::Vector {
        match Walked::new(setup, abstraction) {
            Walked::Itself(boards) => checkpoint.export_boards(path, &*boards, &infosets)?,
            Walked::Fixed(boards, _) => checkpoint.export_boards(path, &*boards, &infosets)?,
        };
    } else {
        checkpoint.export(path, &infosets)?;
    }
    Ok(())
}

/// Writes the strategy of a milestone, unless it is there, and puts the abstraction beside it, where players look for it.
fn keep_milestone(
    experiment: &Experiment,
    run: &RunDir,
    setup: &Setup,
    abstraction: &Abstraction,
    checkpoint: &Checkpoint,
) -> Result<(), CliError> {
    let header = checkpoint.header();
    let path = run.milestone(header.state.iterations);
    if is_milestone(&path, &header.subject, &header.settings, header.state.iterations) {
        return Ok(());
    }
    let folder = run.milestones();
    fs::create_dir_all(&folder).map_err(CliError::io(&folder, "create"))?;
    let beside = folder.join(ABSTRACTION_FILE);
    if !beside.exists() && fs::hard_link(run.abstraction(), &beside).is_err() {
        // Not every file system links.
        let contents = fs::read(run.abstraction()).map_err(CliError::io(&run.abstraction(), "read"))?;
        write_whole(&beside, &contents)?;
    }
    write_strategy(experiment, setup, abstraction, checkpoint, &path)
}

/// Whether a file is the strategy of a training after so many iterations.
pub(super) fn is_milestone(path: &Path, subject: &Subject, settings: &Settings, iterations: u64) -> bool {
    Strategy::open(path).is_ok_and(|strategy| {
        let header = strategy.header();
        header.state.iterations == iterations && header.settings == *settings && header.subject == *subject
    })
}

/// Whether the strategy of the finished training is there; then nothing needs the checkpoints any more.
fn is_exported<'a>(
    experiment: &Experiment,
    run: &RunDir,
    setup: &'a Setup,
    abstraction: &'a Abstraction,
    infosets: &StudInfosets<'a, &'a Abstraction>,
) -> Result<bool, CliError> {
    let path = run.strategy();
    if !path.exists() {
        return Ok(false);
    }
    let strategy = Strategy::open(&path)?;
    strategy.expect(&trained_subject(experiment, setup, abstraction), infosets)?;
    let header = strategy.header();
    let settings = train_config(experiment, Limits::ONE_THREAD).settings();
    Ok(header.settings == settings && header.state.iterations >= experiment.training.iterations)
}

/// What is trained: what a strategy of the experiment says that it is.
fn trained_subject(experiment: &Experiment, setup: &Setup, abstraction: &Abstraction) -> Subject {
    let name = match &experiment.training.against {
        None => experiment.abstraction_name.clone(),
        Some(against) => format!("{}, against {}", experiment.abstraction_name, against.fingerprint),
    };
    subject(&setup.game, &name, abstraction)
}

fn train_config(experiment: &Experiment, limits: Limits) -> TrainConfig {
    let training = &experiment.training;
    let abstraction = Abstraction::predicted_bytes(&experiment.abstraction, &experiment.game.rules);
    let defaults = TrainConfig::default();
    TrainConfig {
        iterations: training.iterations,
        batch: training.batch,
        seed: experiment.seed,
        rule: training.weighting,
        sampling: training.solver.sampling(),
        exploration: training.exploration.unwrap_or(defaults.exploration),
        baseline: training.baseline,
        prune: training.prune,
        vector: training.vector,
        threads: limits.threads,
        checkpoint_every: training.checkpoint_every,
        max_memory: training.max_memory.saturating_sub(abstraction),
        seconds: limits.seconds,
    }
}

/// Decision nodes visited.
pub(super) fn nodes(state: &State) -> u64 {
    state.regret_visits + state.average_visits
}

/// Records the learning curve and shows progress.
struct Watcher<'a> {
    run: &'a RunDir,
    scalars: ScalarLog,
    points: Vec<CurvePoint>,
    /// Iterations between two points.
    every: u64,
    rows: u64,
    threads: usize,
    /// Training time of earlier sessions. Units: seconds.
    before: f64,
    /// Nodes and seconds of this session at the last point.
    last: (u64, f64),
    /// Iterations at the last batch.
    seen: u64,
    bar: Progress,
    failure: Option<CliError>,
}

impl Watcher<'_> {
    fn point(&mut self, trained: &Trained, summary: &TableSummary) -> Result<(), CliError> {
        let rows = self.rows as f64;
        let total = nodes(&trained.state);
        let (nodes_before, seconds_before) = std::mem::replace(&mut self.last, (total, trained.seconds));
        let seconds = (trained.seconds - seconds_before).max(1e-9);
        let point = CurvePoint {
            iteration: trained.state.iterations,
            seconds: self.before + trained.seconds,
            nodes: total,
            nodes_per_second: (total - nodes_before) as f64 / seconds,
            regret_visits_per_infoset: trained.regret_visits_per_row(),
            average_visits_per_infoset: trained.average_visits_per_row(),
            visited: summary.regret_rows as f64 / rows,
            averaged: summary.average_rows as f64 / rows,
            summed_positive_regret: summary.positive_regret,
        };
        self.points.push(point);
        self.run.write_metrics(&self.points)?;
        Ok(self.scalars.add(&point)?)
    }

    /// Keeps the first failure and stops the training.
    fn note(&mut self, result: Result<(), CliError>) {
        if let Err(error) = result {
            self.failure.get_or_insert(error);
            signal::stop();
        }
    }
}

impl Observer for Watcher<'_> {
    fn batch(&mut self, trained: &Trained, summary: &dyn Fn() -> TableSummary) {
        let at = trained.state.iterations;
        self.bar.at(at, &format!("{:.1} visits/infoset", trained.regret_visits_per_row()));
        let ends = at >= trained.target && self.points.last().is_none_or(|point| point.iteration < at);
        if self.seen / self.every != at / self.every || ends {
            let result = self.point(trained, &summary());
            self.note(result);
        }
        self.seen = at;
    }

    fn checkpoint(&mut self, trained: &Trained, _: &Path) {
        let seconds = self.before + trained.seconds;
        let timing = Timing { iteration: trained.state.iterations, seconds, threads: self.threads };
        let result = timing.write(self.run);
        self.note(result);
    }
}
