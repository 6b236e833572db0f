//! The loop of a training: batches, checkpoints, observers, and why it stopped.

use crate::CfrError;
use crate::checkpoint::Checkpoints;
use crate::trainer::{Observer, Progress, State, StopReason, TableSummary, TrainConfig};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A training that goes on batch by batch.
pub(crate) trait Training {
    fn config(&self) -> &TrainConfig;
    fn state(&self) -> &State;
    fn state_mut(&mut self) -> &mut State;
    fn rows(&self) -> u64;
    fn try_step(&mut self) -> Result<(), CfrError>;
    fn summary(&self) -> TableSummary;
    fn save(&self, path: &Path) -> Result<u64, CfrError>;
}

/// Trains until the configured iterations are done, the seconds are up, or `interrupt` is set, which is looked at
/// between batches.
///
/// With `checkpoints`, one is written every `checkpoint_every` iterations and one at the end, whatever the reason,
/// unless nothing has been trained at all.
pub(crate) fn run(
    training: &mut impl Training,
    checkpoints: Option<&Checkpoints>,
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<StopReason, CfrError> {
    let clock = Instant::now();
    let started_at = training.state().iterations;
    let mut saved = None;
    let reason = loop {
        if training.state().iterations >= training.config().iterations {
            break StopReason::Finished;
        }
        if interrupt.load(Ordering::Relaxed) {
            break StopReason::Interrupted;
        }
        // However short the time, a run gets on.
        let got_on = training.state().iterations > started_at;
        if got_on && training.config().seconds.is_some_and(|limit| clock.elapsed().as_secs_f64() >= limit) {
            training.state_mut().ended_by_time = true;
            break StopReason::OutOfTime;
        }
        let before = training.state().iterations;
        training.try_step()?;
        observer.batch(&progress(training, started_at, &clock), &|| training.summary());
        let every = training.config().checkpoint_every;
        let at = training.state().iterations;
        if let Some(checkpoints) = checkpoints
            && every > 0
            && before / every != at / every
            && at < training.config().iterations
        {
            let path = checkpoint(training, checkpoints)?;
            saved = Some(*training.state());
            observer.checkpoint(&progress(training, started_at, &clock), &path);
        }
    };
    if let Some(checkpoints) = checkpoints
        && saved != Some(*training.state())
        && training.state().iterations > 0
    {
        let path = checkpoint(training, checkpoints)?;
        observer.checkpoint(&progress(training, started_at, &clock), &path);
    }
    Ok(reason)
}

fn progress(training: &impl Training, started_at: u64, clock: &Instant) -> Progress {
    Progress {
        state: *training.state(),
        target: training.config().iterations,
        started_at,
        rows: training.rows(),
        seconds: clock.elapsed().as_secs_f64(),
    }
}

fn checkpoint(training: &impl Training, checkpoints: &Checkpoints) -> Result<PathBuf, CfrError> {
    let path = checkpoints.path(training.state().iterations);
    training.save(&path)?;
    checkpoints.prune()?;
    Ok(path)
}
