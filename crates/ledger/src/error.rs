//! What can go wrong with a ledger.

use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};

/// Why a ledger could not be read or added to.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// There is no such file.
    #[error("{}: there is no such ledger; results are added to one by match, exploit, eval, report and run", .0.display())]
    Missing(PathBuf),
    /// The file is a database of something else.
    #[error("{}: not a ledger of doorcard, but some other SQLite database", .0.display())]
    NotALedger(PathBuf),
    /// The file is no database, or damaged.
    #[error("{}: damaged, or not a ledger: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite or a check says.
        message: String,
    },
    /// The file was written by a later version of the program.
    #[error(
        "{}: a ledger of version {found}, but this program knows versions up to {known}; use a newer doorcard", path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version known.
        known: i64,
    },
    /// Another process held the file for longer than one waits.
    #[error("{}: locked by another process for more than {seconds} seconds", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
        /// How long was waited.
        seconds: u64,
    },
    /// The file may be read but not written.
    #[error("{}: the ledger is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// The file cannot be opened or created.
    #[error("{}: cannot open the ledger: {message}", path.display())]
    CannotOpen {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        message: String,
    },
    /// Anything else that SQLite says, such as a full disk.
    #[error("{}: {source}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// A result that the ledger does not have.
    #[error("{}: no result is called '{wanted}': expected the number of a result, last, last~1 or a player's name", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What was asked for.
        wanted: String,
    },
    /// Names that stand for results under several conditions.
    #[error(
        "'{first}' and '{second}' can be compared in several ways: name the results by their numbers, such as {}",
        choices(pairs)
    )]
    Ambiguous {
        /// What the first is called.
        first: String,
        /// What the second is called.
        second: String,
        /// Results that can be compared, by their numbers.
        pairs: Vec<(i64, i64)>,
    },
}

/// Some pairs of numbers in words.
fn choices(pairs: &[(i64, i64)]) -> String {
    let shown: Vec<String> = pairs.iter().take(4).map(|(a, b)| format!("{a} and {b}")).collect();
    let more = if pairs.len() > shown.len() { ", ..." } else { "" };
    shown.join("; ") + more
}

impl LedgerError {
    /// Sorts what SQLite says by what a user can do about it.
    pub(crate) fn sqlite(path: &Path, seconds: u64) -> impl Fn(rusqlite::Error) -> LedgerError + use<> {
        let path = path.to_path_buf();
        move |source| {
            let path = path.clone();
            let message = source.to_string();
            match source.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    LedgerError::Locked { path, seconds }
                }
                Some(ErrorCode::ReadOnly) => LedgerError::ReadOnly(path),
                Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                    LedgerError::CannotOpen { path, message }
                }
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                    LedgerError::Damaged { path, message }
                }
                Some(_) => LedgerError::Sqlite { path, source },
                // A column that is missing or of another type than this program writes.
                None => LedgerError::Damaged { path, message },
            }
        }
    }
}
