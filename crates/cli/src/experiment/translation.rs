//! The exported strategy for another game than it was trained for.

use super::RunDir;
use crate::error::CliError;
use crate::game::NamedRules;
use doorcard_abstraction::Abstraction;
use doorcard_bots::translate;
use doorcard_cfr::Strategy;
use std::path::PathBuf;

/// Writes the exported strategy of a run for `game`, which may differ in the double bet from the one it was trained for,
/// and returns its path.
pub(crate) fn export_for(
    run: &RunDir,
    abstraction: &Abstraction,
    game: &NamedRules,
) -> Result<PathBuf, CliError> {
    let name: String = game.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let path = run.root().join(format!("strategy.{name}.dcst"));
    translate(&Strategy::open(run.strategy())?, abstraction, (&game.name, &game.rules), &path)?;
    Ok(path)
}
