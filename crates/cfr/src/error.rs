//! Why a solver cannot go on.

use std::path::PathBuf;

/// Why a solver could not be set up, or could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CfrError {
    /// A setting out of its range.
    #[error("{setting}: {found} where {expected} is needed")]
    Setting {
        /// The setting's name.
        setting: &'static str,
        /// Its value.
        found: String,
        /// What is allowed.
        expected: &'static str,
    },
    /// The layout of the infosets is inconsistent.
    #[error("the infosets' row at slot {slot} {fault}")]
    Layout {
        /// The row's first slot.
        slot: u64,
        /// What is wrong with the row.
        fault: String,
    },
    /// The tables and the logs of a batch would need more than the limit. Nothing has been allocated.
    #[error("the tables, with the logs of a batch where there are any, need {needed} bytes ({} MiB), and max_memory is {limit} bytes ({} MiB)", needed >> 20, limit >> 20)]
    Memory {
        /// What they need. Units: bytes.
        needed: u64,
        /// The limit. Units: bytes.
        limit: u64,
    },
    /// The logs of a batch grew beyond their part of the limit, against the forecast. The batch was given up; the
    /// tables are as before.
    #[error(
        "the logs of a batch of {batch} deals need more than the {} MiB that the tables leave of max_memory: \
         give it more, or choose smaller batches", limit >> 20
    )]
    Logs {
        /// Deals a batch.
        batch: u64,
        /// What the logs may take. Units: bytes.
        limit: u64,
    },
    /// More slots than this machine can address.
    #[error("a table of {slots} slots cannot be addressed")]
    TooLarge {
        /// How many slots.
        slots: u64,
    },
    /// The operating system has no memory for a table.
    #[error("cannot allocate {bytes} bytes for a table: {source}")]
    Allocation {
        /// How much was asked for. Units: bytes.
        bytes: u64,
        /// What the system said.
        source: std::io::Error,
    },
    /// The threads asked for could not be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many.
        threads: usize,
        /// What rayon or the operating system says.
        source: rayon::ThreadPoolBuildError,
    },
    /// A checkpoint or strategy belongs to something else.
    #[error("{}: made for {what} {found}, not {expected}", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// What differs, such as "game" or "abstraction".
        what: &'static str,
        /// What is being trained or played.
        expected: String,
        /// What the file was made for.
        found: String,
    },
    /// A file's numbers contradict each other although its checksums match.
    #[error("{}: {what}", path.display())]
    Inconsistent {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A directory of checkpoints cannot be read or cleaned.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    Store(#[from] doorcard_store::Error),
}
