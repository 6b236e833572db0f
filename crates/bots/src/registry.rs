//! Players by name.

use crate::lbr::KnownBaseline;
use crate::{AlwaysFold, CallingStation, Equity, Maniac, Nit, Rock, Uniform};
use doorcard_abstraction::AbstractionError;
use doorcard_cfr::CfrError;
use doorcard_efg::Agent;
use doorcard_games::stud::tree::TreeError;
use doorcard_games::stud::{Chips, Rules, StudError, StudTable};
use std::path::PathBuf;

/// The names of the rule-based players.
pub const NAMES: [&str; 7] = ["uniform", "call", "raise", "fold", "always_fold", "rock", "equity"];

/// Why a player cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// A name that nobody has.
    #[error("no bot is called '{name}': there are {}, exec:COMMAND and tcp:HOST:PORT", NAMES.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
    },
    /// A name of an external bot that does not say where it is.
    #[error("'{text}': expected {expected}")]
    Address {
        /// The name.
        text: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A player whose chances cannot be told hand by hand.
    #[error(
        "the chances of the bot '{name}' are not known for every hand; known are those of strategy files and of {}",
        KnownBaseline::NAMES.join(", ")
    )]
    Unreadable {
        /// Its name.
        name: String,
    },
    /// A strategy for something else.
    #[error("{}: a strategy for '{game}', not for stud", path.display())]
    NotStud {
        /// The file.
        path: PathBuf,
        /// What it is a strategy for.
        game: String,
    },
    /// A strategy for other rules.
    #[error("{}: trained with {trained}, but the table has {table}", path.display())]
    OtherRules {
        /// The file.
        path: PathBuf,
        /// A rule of its training.
        trained: String,
        /// The table's.
        table: String,
    },
    /// Strategies play heads-up.
    #[error("{}: a strategy for two seats at a table of {players}", path.display())]
    Seats {
        /// The file.
        path: PathBuf,
        /// How many seats the table has.
        players: usize,
    },
    /// Strategies are trained with stacks that no betting exhausts.
    #[error("{}: trained for stacks of {needed} chips or more, but the table has one of {stack}", path.display())]
    ShortStack {
        /// The file.
        path: PathBuf,
        /// The most a player can lose. Units: chips.
        needed: Chips,
        /// The shortest stack at the table. Units: chips.
        stack: Chips,
    },
    /// The rules in a strategy's file are not valid, or those of a table are none that the player knows.
    #[error(transparent)]
    Rules(#[from] StudError),
    /// The rules in a strategy's file have no compiled betting.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The abstraction beside a strategy cannot be read.
    #[error(transparent)]
    Abstraction(#[from] AbstractionError),
    /// The strategy cannot be read or belongs to another abstraction.
    #[error(transparent)]
    Strategy(#[from] CfrError),
}

/// The rule-based player with this name for a table with these rules. Strategies are
/// [opened](crate::StrategyPlayer) for a table.
///
/// # Errors
/// If there is none; the message lists those there are. If the player values hands, and deck, streets or hands are
/// not those of the standard game.
pub fn by_name(name: &str, rules: &Rules) -> Result<Box<dyn Agent<StudTable>>, BotError> {
    let values_hands = |what| rules.require_standard(what);
    Ok(match name {
        "uniform" => Box::new(Uniform),
        "call" => Box::new(CallingStation),
        "raise" => Box::new(Maniac),
        "fold" => {
            values_hands("the bot 'fold'")?;
            Box::new(Nit)
        }
        "always_fold" => Box::new(AlwaysFold),
        "rock" => {
            values_hands("the bot 'rock'")?;
            Box::new(Rock)
        }
        "equity" => {
            values_hands("the bot 'equity'")?;
            Box::new(Equity)
        }
        _ => return Err(BotError::Unknown { name: name.chars().take(80).collect() }),
    })
}
