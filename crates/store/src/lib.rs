//! A checksummed, atomically written, memory-mapped file container.
//!
//! Checkpoints, strategies and abstractions are files of this form. All numbers are little-endian.
//!
//! ```text
//! offset 0, 64 bytes   preamble: magic "DOORCARD" | container version u32 | version of the kind u32 | kind [u8; 8]
//!                      | file length u64 | header length u64 | directory offset u64 | xxh3 of the directory
//!                      | xxh3 of the 56 bytes before
//! offset 64            the header (a serde value in bincode 2), zero-padded to a multiple of 64 bytes
//! ...                  the data of each section, zero-padded to a multiple of 64 bytes
//! directory offset     64 bytes for the header and for each section: name [u8; 32] | element type u8 | zeros [u8; 7]
//!                      | offset u64 | length in elements u64 | xxh3 of the data and its padding
//! ```
//!
//! Every byte is covered by a checksum that is compared on opening, or stands in a checksum itself, and the
//! file's length is recorded: a changed byte, a missing tail and an appended byte are all refused, by name of
//! the fault ([`Error`]). The directory stands last so that sections of any size are written in one pass.
//!
//! A file is written under a temporary name in its own directory, synced to disk, renamed, and the directory
//! is synced: under the final name there is at every moment the old file or the whole new one.
//!
//! ```
//! use doorcard_store::{Container, ContainerWriter, Kind};
//! # let dir = tempfile::tempdir().unwrap();
//! # let path = dir.path().join("example");
//! const KIND: Kind = Kind::new("example", 1);
//!
//! let mut writer = ContainerWriter::create(&path, KIND, &("a header", 7u32))?;
//! writer.section("weights", &[0.5f32, 0.25, 0.25])?;
//! writer.commit()?;
//!
//! let container = Container::open(&path, KIND)?;
//! assert_eq!(container.header::<(String, u32)>()?, ("a header".to_string(), 7));
//! assert_eq!(container.section::<f32>("weights")?, [0.5, 0.25, 0.25]);
//! # Ok::<(), doorcard_store::Error>(())
//! ```

#[cfg(target_endian = "big")]
compile_error!("containers are mapped as they lie in the file, which is little-endian");

mod codec;
mod element;
mod error;
mod format;
mod reader;
mod writer;

pub use element::{Element, ElementType};
pub use error::Error;
pub use format::Kind;
pub use reader::{Container, MappedSection, Section};
pub use writer::{ContainerWriter, SectionSink};
