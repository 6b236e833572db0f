//! The exported strategy for another game than it was trained for.

use super::{Experiment, RunDir};
use crate::error::CliError;
use crate::game::NamedRules;
use doorcard_abstraction::Abstraction;
use doorcard_bots::translate;
use doorcard_cfr::Strategy;
use std::path::PathBuf;

/// The strategy that is judged: the exported one, translated where it is judged in another game than it was trained for.
pub(crate) fn judged_strategy(experiment: &Experiment, run: &RunDir) -> Result<PathBuf, CliError> {
    match &experiment.evaluation.game {
        None => Ok(run.strategy()),
        Some(game) => export_for(run, game),
    }
}

/// Writes the exported strategy of a run for `game`, which may differ in the double bet from the one it was trained for,
/// unless that is there already, and returns its path.
pub(crate) fn export_for(run: &RunDir, game: &NamedRules) -> Result<PathBuf, CliError> {
    let path = run.translated(&game.name);
    let strategy = Strategy::open(run.strategy())?;
    if let Ok(translated) = Strategy::open(&path) {
        let (ours, theirs) = (strategy.header(), translated.header());
        let same_training = (ours.state, ours.settings, ours.program.as_str())
            == (theirs.state, theirs.settings, theirs.program.as_str())
            && ours.subject.abstraction_fingerprint == theirs.subject.abstraction_fingerprint;
        if same_training && theirs.subject.rules == game.rules.to_toml() {
            return Ok(path);
        }
    }
    translate(&strategy, &Abstraction::load(run.abstraction())?, (&game.name, &game.rules), &path)?;
    Ok(path)
}
