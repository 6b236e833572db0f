//! The first step: the card abstraction.

use super::{Experiment, Outcome, RunDir};
use crate::error::CliError;
use crate::progress::Progress;
use crate::signal;
use doorcard_abstraction::{Abstraction, AbstractionConfig};
use doorcard_games::stud::Rules;

/// Loads the run's abstraction, or builds and saves it.
pub(crate) fn build(experiment: &Experiment, run: &RunDir) -> Result<(Abstraction, Outcome), CliError> {
    let path = run.abstraction();
    if path.exists() {
        let abstraction = Abstraction::load(&path)?;
        abstraction.check(&experiment.game.rules)?;
        if abstraction.config() != &experiment.abstraction {
            let message = "built from another configuration; delete it to build it anew".into();
            return Err(CliError::Mismatch { path, message });
        }
        return Ok((abstraction, Outcome::Reused));
    }
    let abstraction = build_with_progress(&experiment.abstraction, &experiment.game.rules);
    abstraction.save(&path)?;
    Ok((abstraction, Outcome::Done))
}

/// What Ctrl-C says during the building.
const STOPPED: &str = "stopped while the abstraction was being built; nothing is kept of it";

/// Builds an abstraction and shows how far it is. Ctrl-C ends the program: there is nothing to go on from.
pub(crate) fn build_with_progress(config: &AbstractionConfig, rules: &Rules) -> Abstraction {
    const PARTS: u64 = 1000;
    let mut phase = "";
    let mut progress: Option<Progress> = None;
    let mut show = |now, done: f64| {
        if now != phase {
            phase = now;
            if let Some(progress) = progress.take() {
                progress.finish();
            }
        }
        let bar = progress.get_or_insert_with(|| Progress::new("abstraction", "parts", 0, PARTS));
        bar.phase((done * PARTS as f64) as u64, now);
    };
    let abstraction = signal::abandoning(STOPPED, || Abstraction::build(config, rules, &mut show));
    if let Some(progress) = progress {
        progress.finish();
    }
    abstraction
}
