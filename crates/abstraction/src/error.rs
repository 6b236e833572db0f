//! Why an abstraction could not be configured, built, written or read.

use doorcard_games::stud::{StudError, Variant};

/// Why an abstraction could not be configured, built, written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AbstractionError {
    /// A file cannot be read.
    #[error("{path}: {source}")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A configuration is not TOML, has an unknown key or a value of the wrong kind.
    #[error("{origin}: {message}")]
    Syntax {
        /// The file or the name of the configuration.
        origin: String,
        /// Line or key, and what was expected.
        message: String,
    },
    /// A setting has an impossible value.
    #[error("{origin}: {field} = {value}: expected {expected}")]
    Setting {
        /// The file or the name of the configuration.
        origin: String,
        /// The key.
        field: String,
        /// Its value.
        value: String,
        /// What would have been possible.
        expected: String,
    },
    /// There is no configuration of this name.
    #[error("no abstraction named '{name}': expected one of {known}, or the path of a .toml file")]
    UnknownName {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The container is damaged, of another kind, or cannot be written.
    #[error(transparent)]
    Store(#[from] doorcard_store::Error),
    /// All checksums match, but the contents make no sense: the file was not written by this program.
    #[error("{path}: not a usable abstraction: {reason}")]
    Contents {
        /// The file.
        path: String,
        /// What was found, and what was expected.
        reason: String,
    },
    /// No proposal is small enough.
    #[error(
        "{memory} bytes are not enough: training with the smallest abstraction proposed needs {least} ({} MiB)",
        least.div_ceil(1 << 20)
    )]
    Unfit {
        /// The memory there is. Units: bytes.
        memory: u64,
        /// The least that is needed.
        least: u64,
    },
    /// The rules are not those of the standard game.
    #[error(transparent)]
    Rules(#[from] StudError),
    /// The abstraction is of another game.
    #[error("an abstraction for {}, where one for {} is needed", game(*found), game(*expected))]
    WrongVariant {
        /// The game of the abstraction.
        found: Variant,
        /// The game it was to be used for.
        expected: Variant,
    },
}

pub(crate) fn game(variant: Variant) -> &'static str {
    match variant {
        Variant::High => "stud high",
        Variant::HiLo8 => "stud hi/lo",
        Variant::Razz => "razz",
    }
}
