//! The first step: the card abstraction.

use super::{Experiment, Outcome, RunDir};
use crate::error::CliError;
use crate::progress::Progress;
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

/// Builds an abstraction and shows how far it is.
pub(crate) fn build_with_progress(config: &AbstractionConfig, rules: &Rules) -> Abstraction {
    const PARTS: u64 = 1000;
    let mut phase = "";
    let mut progress: Option<Progress> = None;
    let abstraction = Abstraction::build(config, rules, &mut |now, done| {
        if now != phase {
            phase = now;
            if let Some(progress) = progress.take() {
                progress.finish();
            }
        }
        let bar = progress.get_or_insert_with(|| Progress::new("abstraction", "parts", 0, PARTS));
        bar.phase((done * PARTS as f64) as u64, now);
    });
    if let Some(progress) = progress {
        progress.finish();
    }
    abstraction
}
