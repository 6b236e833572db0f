//! The loop: steps until the next point of the curve, a measure, a checkpoint now and then.

use super::dir::SolveDir;
use super::work::Work;
use super::{Point, schedule};
use crate::error::CliError;
use crate::progress::Progress;
use crate::signal;
use doorcard_efg::Policy;
use doorcard_eval::exploitability::Exploitability;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The time between two checkpoints, at each of which the curve has a point.
const SAVE_EVERY: Duration = Duration::from_secs(10);

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Budget {
    /// Iterations to reach in all sessions.
    pub(crate) iterations: Option<u64>,
    /// Time of this session, measures not counted. Units: seconds.
    pub(crate) seconds: Option<f64>,
    /// The exploitability to get below. Units: chips.
    pub(crate) until: Option<f64>,
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stop {
    /// All iterations are done.
    Iterations,
    /// The seconds are up: the number of iterations does not repeat.
    Seconds,
    /// The exploitability asked for has been reached.
    Until,
    /// Ctrl-C.
    Interrupted,
}

/// A measure of a strategy of the game being solved.
pub(crate) type Measure<'a> = dyn Fn(&dyn Policy) -> Result<Exploitability, CliError> + 'a;

/// How strategies of the game being solved are measured.
pub(crate) struct Measures<'a> {
    /// In the real game.
    pub(crate) real: &'a Measure<'a>,
    /// Inside the abstraction, if there is one. It walks all histories again and again, and so is taken at powers of ten and
    /// at the end.
    pub(crate) abstracted: Option<&'a Measure<'a>>,
}

/// What a session leaves.
pub(crate) struct Session {
    pub(crate) points: Vec<Point>,
    pub(crate) stop: Stop,
    /// The last measure in the real game.
    pub(crate) last: Exploitability,
}

/// Solves until the budget is spent.
pub(crate) fn run(
    work: &mut dyn Work,
    measures: &Measures<'_>,
    budget: Budget,
    mut dir: Option<&mut SolveDir>,
) -> Result<Session, CliError> {
    let mut points = match &mut dir {
        Some(dir) => dir.resume_curve(work.iterations())?,
        None => Vec::new(),
    };
    let mut seconds = points.last().map_or(0.0, |point| point.seconds);
    let deadline = budget.seconds.map(|limit| seconds + limit);
    let mut bar = Progress::new("solving", "iterations", work.iterations(), budget.iterations);
    let mut saved = (work.iterations(), Instant::now());
    loop {
        let target = budget.iterations.unwrap_or(u64::MAX);
        let next = schedule::next(work.iterations(), work.unit()).min(target);
        let start = Instant::now();
        let before = seconds;
        while work.iterations() < next
            && !signal::stopped()
            && deadline.is_none_or(|end| seconds < end)
            && (dir.is_none() || saved.1.elapsed() < SAVE_EVERY)
        {
            work.step()?;
            seconds = before + start.elapsed().as_secs_f64();
        }
        bar.at(work.iterations(), "");
        let last = (measures.real)(&*work.average())?;
        let mut point = Point::new(work.iterations(), seconds, &last);
        if measures.abstracted.is_none() {
            point.average_regret_bound = work.average_regret_bound();
        }
        // When a checkpoint is due depends on the machine, where the curve has its other points does not.
        let regular = work.iterations() >= next;
        let low = |until: f64| point.exploitability.is_some_and(|exploitability| exploitability <= until);
        let stop = match () {
            () if regular && budget.until.is_some_and(low) => Some(Stop::Until),
            () if work.iterations() >= target => Some(Stop::Iterations),
            () if signal::stopped() => Some(Stop::Interrupted),
            () if deadline.is_some_and(|end| seconds >= end) => Some(Stop::Seconds),
            () => None,
        };
        if let Some(abstracted) = measures.abstracted
            && (stop.is_some() || schedule::is_power_of_ten(work.iterations()))
        {
            point.abstract_exploitability = Some(abstracted(&*work.average())?.exploitability);
        }
        if points.last().is_none_or(|last| last.iteration < point.iteration) {
            points.push(point);
        }
        if let Some(dir) = &mut dir {
            dir.point(&points)?;
            let due = stop.is_some() || saved.1.elapsed() >= SAVE_EVERY;
            if due && saved.0 < work.iterations() {
                work.save(&dir.checkpoint(work.iterations()))?;
                dir.prune()?;
                saved = (work.iterations(), Instant::now());
            }
        }
        if let Some(stop) = stop {
            bar.finish();
            return Ok(Session { points, stop, last });
        }
    }
}
