//! Players by name.

use crate::{AlwaysFold, CallingStation, Equity, Maniac, Nit, Rock, Uniform};
use doorcard_efg::Agent;
use doorcard_games::stud::StudTable;

/// The names of the rule-based players.
pub const NAMES: [&str; 7] = ["uniform", "call", "raise", "fold", "always_fold", "rock", "equity"];

/// Why there is no such player.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// A name that nobody has.
    #[error("no bot is called '{name}': there are {}", NAMES.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
    },
}

/// The player with this name.
///
/// # Errors
/// If there is none; the message lists those there are.
pub fn by_name(name: &str) -> Result<Box<dyn Agent<StudTable>>, BotError> {
    Ok(match name {
        "uniform" => Box::new(Uniform),
        "call" => Box::new(CallingStation),
        "raise" => Box::new(Maniac),
        "fold" => Box::new(Nit),
        "always_fold" => Box::new(AlwaysFold),
        "rock" => Box::new(Rock),
        "equity" => Box::new(Equity),
        _ => return Err(BotError::Unknown { name: name.chars().take(80).collect() }),
    })
}
