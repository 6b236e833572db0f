//! What can go wrong in a command, and the exit code that says so.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Why a command stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The command line asks for something that does not exist or does not fit together.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io { path: PathBuf, action: &'static str, source: io::Error },
    /// A configuration file is not what it should be. The message names the field and what was expected.
    #[error("{origin}: {message}")]
    Config { origin: String, message: String },
    /// A run directory holds the work of another configuration.
    #[error(
        "{}: {field} is {wanted} now but was {found} when this run began; \
         choose another name or out, or delete the directory to start over", path.display()
    )]
    Changed { path: PathBuf, field: String, found: String, wanted: String },
    /// Somebody else works there.
    #[error("{}: another doorcard is working in this directory", .0.display())]
    Busy(PathBuf),
    /// The work would not fit.
    #[error(
        "this experiment needs {} of memory, more than max_memory = {} ({what}); \
         choose a smaller abstraction, less history or a smaller batch", bytes(*needed), bytes(*allowed)
    )]
    Memory { what: String, needed: u64, allowed: u64 },
    /// A file belongs to other work.
    #[error("{}: {message}", path.display())]
    Mismatch { path: PathBuf, message: String },
    /// A check did not hold. The command has said which.
    #[error("{0}")]
    CheckFailed(String),
    /// Ctrl-C: everything is saved.
    #[error("{0}")]
    Interrupted(String),
    /// The reader of the output went away.
    #[error("the output was closed")]
    BrokenPipe,
    /// A result that was printed could not be added to the ledger.
    #[error(
        "{0}; the result is complete but not in the ledger (--ledger FILE chooses another, --no-ledger none)"
    )]
    NotRecorded(doorcard_ledger::LedgerError),
    #[error(transparent)]
    Ledger(#[from] doorcard_ledger::LedgerError),
    #[error(transparent)]
    Bots(#[from] doorcard_bots::BotError),
    #[error(transparent)]
    Abstraction(#[from] doorcard_abstraction::AbstractionError),
    #[error(transparent)]
    Cards(#[from] doorcard_cards::ParseCardError),
    #[error(transparent)]
    Stud(#[from] doorcard_games::stud::StudError),
    #[error(transparent)]
    Tree(#[from] doorcard_games::stud::tree::TreeError),
    #[error(transparent)]
    Cfr(#[from] doorcard_cfr::CfrError),
    #[error(transparent)]
    Eval(#[from] doorcard_eval::EvalError),
    #[error(transparent)]
    Store(#[from] doorcard_store::Error),
    #[error(transparent)]
    Report(#[from] doorcard_report::ReportError),
}

impl CliError {
    /// Names the file and what was tried.
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> CliError {
        move |source| CliError::Io { path: path.to_path_buf(), action, source }
    }

    /// 1 for a failed check, 130 after Ctrl-C as in shells, 0 when nobody reads on, 2 otherwise.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            CliError::CheckFailed(_) => ExitCode::from(1),
            CliError::Interrupted(_) => ExitCode::from(130),
            CliError::BrokenPipe => ExitCode::SUCCESS,
            _ => ExitCode::from(2),
        }
    }
}

fn bytes(n: u64) -> String {
    doorcard_report::units::bytes(n)
}
