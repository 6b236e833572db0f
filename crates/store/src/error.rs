//! Why a file could not be read or written.

use crate::{ElementType, Kind};
use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be read or written: always the file, and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried, such as "open".
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A folder, device or pipe.
    #[error("{}: not a regular file", path.display())]
    NotAFile {
        /// What there is.
        path: PathBuf,
    },
    /// The file does not start with the magic bytes of a container.
    #[error("{}: not a doorcard file", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// The file is shorter than it says.
    #[error("{}: truncated: {found} bytes of {expected}", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The length recorded in the file, or the least length of a container. Units: bytes.
        expected: u64,
        /// The length found. Units: bytes.
        found: u64,
    },
    /// The file is longer than it says.
    #[error("{}: {found} bytes where {expected} were written: something was appended", path.display())]
    TrailingBytes {
        /// The file.
        path: PathBuf,
        /// The length recorded in the file. Units: bytes.
        expected: u64,
        /// The length found. Units: bytes.
        found: u64,
    },
    /// A part's bytes are not those that were written.
    #[error("{}: damaged: the checksum of its {part} does not match", path.display())]
    Checksum {
        /// The file.
        path: PathBuf,
        /// "preamble", "directory", "header" or the name of a section.
        part: String,
    },
    /// The file was written by a newer version of this program.
    #[error("{}: its {what} version {found} is newer than this program reads ({supported})", path.display())]
    NewerVersion {
        /// The file.
        path: PathBuf,
        /// "container" or the kind of file.
        what: String,
        /// The version found.
        found: u32,
        /// The version this program reads.
        supported: u32,
    },
    /// The file has a version this program no longer reads.
    #[error("{}: its {what} version {found} is older than this program reads ({supported})", path.display())]
    OlderVersion {
        /// The file.
        path: PathBuf,
        /// "container" or the kind of file.
        what: String,
        /// The version found.
        found: u32,
        /// The version this program reads.
        supported: u32,
    },
    /// A container, but of another kind.
    #[error("{}: a file of kind '{found}' where '{expected}' is needed", path.display())]
    WrongKind {
        /// The file.
        path: PathBuf,
        /// The kind asked for.
        expected: Kind,
        /// The kind found.
        found: Kind,
    },
    /// All checksums match, but the contents make no sense: the file was not written by this program.
    #[error("{}: malformed: {what}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The header is not of the type asked for.
    #[error("{}: unreadable header: {reason}", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// What the decoder said.
        reason: String,
    },
    /// There is no such section.
    #[error("{}: no section '{section}'", path.display())]
    MissingSection {
        /// The file.
        path: PathBuf,
        /// The name asked for.
        section: String,
    },
    /// A section holds another type.
    #[error("{}: section '{section}' holds {found} where {expected} is needed", path.display())]
    WrongType {
        /// The file.
        path: PathBuf,
        /// The section.
        section: String,
        /// The type asked for.
        expected: ElementType,
        /// The type found.
        found: ElementType,
    },
    /// A section holds more or fewer elements than the header calls for.
    #[error("{}: section '{section}' holds {found} elements where {expected} are needed", path.display())]
    WrongLength {
        /// The file.
        path: PathBuf,
        /// The section.
        section: String,
        /// The number of elements asked for.
        expected: u64,
        /// The number found.
        found: u64,
    },
}

impl Error {
    /// Whether the bytes are not those that were written: something happened to the file, and an older one may serve.
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            Error::NotOurs { .. }
                | Error::Truncated { .. }
                | Error::TrailingBytes { .. }
                | Error::Checksum { .. }
        )
    }

    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Io { path: path.to_path_buf(), action, source }
    }

    pub(crate) fn malformed(path: &Path, what: impl Into<String>) -> Error {
        Error::Malformed { path: path.to_path_buf(), what: what.into() }
    }
}
