//! Reading: the file is mapped, checked, and its sections are lent as slices.

use crate::format::{Entry, HEADER, PREAMBLE_BYTES, Preamble, check_version, decode_directory, padding};
use crate::{Element, ElementType, Error, Kind, codec};
use memmap2::Mmap;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::Read;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// A mapped container.
///
/// The map stays valid as long as nobody truncates the file: containers are replaced by renaming, never
/// rewritten in place. A file shortened by another program while it is mapped ends the process, as any mapped
/// file does.
pub struct Container {
    path: PathBuf,
    map: Mmap,
    preamble: Preamble,
    fingerprint: u64,
    entries: Vec<Entry>,
}

/// What the directory says about a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'a> {
    /// The name.
    pub name: &'a str,
    /// The type of its elements.
    pub element: ElementType,
    /// How many elements.
    pub length: u64,
    /// The xxh3 checksum of the data and its padding.
    pub checksum: u64,
}

impl Container {
    /// Maps a file of the given kind and version and compares every checksum.
    ///
    /// # Errors
    /// If the file cannot be read, is of another kind or version, or is not exactly what was written.
    pub fn open(path: impl AsRef<Path>, kind: Kind) -> Result<Container, Error> {
        let container = Container::inspect(path)?;
        container.expect(kind)?;
        container.verify()?;
        Ok(container)
    }

    /// Refuses a file that is not of this kind and version.
    ///
    /// # Errors
    /// If the kind or the version differs.
    pub fn expect(&self, kind: Kind) -> Result<(), Error> {
        let found = self.kind();
        if !found.same_name(&kind) {
            return Err(Error::WrongKind { path: self.path.clone(), expected: kind, found });
        }
        check_version(&self.path, &kind.name(), found.version(), kind.version())
    }

    /// Maps a file of any kind and checks its preamble, directory and header, but not the data of its
    /// sections.
    ///
    /// # Errors
    /// If the file cannot be read or one of these parts is not what was written.
    pub fn inspect(path: impl AsRef<Path>) -> Result<Container, Error> {
        let path = path.as_ref().to_path_buf();
        // Asked before opening, which waits where nobody writes to a pipe.
        let regular = std::fs::metadata(&path).map_err(Error::io(&path, "open"))?.is_file();
        if !regular {
            return Err(Error::NotAFile { path });
        }
        let mut file = File::open(&path).map_err(Error::io(&path, "open"))?;
        let length = file.metadata().map_err(Error::io(&path, "read the length of"))?.len();
        // Read instead of mapped where it is too short to hold a preamble, since an empty file cannot be mapped.
        if length < PREAMBLE_BYTES as u64 {
            let mut start = Vec::new();
            let limit = PREAMBLE_BYTES as u64 - 1;
            file.by_ref().take(limit).read_to_end(&mut start).map_err(Error::io(&path, "read"))?;
            return Err(Preamble::decode(&path, &start).expect_err("shorter than a preamble"));
        }
        // SAFETY: the map is read only and private to this container. Undefined behaviour would need a file
        // changed in place while mapped, which containers, replaced by renaming, never are (see the type's
        // documentation).
        let map = unsafe { Mmap::map(&file) }.map_err(Error::io(&path, "map"))?;
        let preamble = Preamble::decode(&path, &map)?;
        let entries = decode_directory(&path, &map, &preamble)?;
        let fingerprint = xxh3_64(&map[..PREAMBLE_BYTES]);
        let container = Container { path, map, preamble, fingerprint, entries };
        container.verify_entry(&container.entries[0])?;
        Ok(container)
    }

    /// Compares the checksums of all sections, which [`Container::open`] has done already.
    ///
    /// # Errors
    /// Names the first damaged section.
    pub fn verify(&self) -> Result<(), Error> {
        self.entries.iter().try_for_each(|entry| self.verify_entry(entry))
    }

    fn verify_entry(&self, entry: &Entry) -> Result<(), Error> {
        let length = self.data(entry).len() as u64;
        let start = entry.offset as usize;
        let padded = &self.map[start..start + (length + padding(length)) as usize];
        if xxh3_64(padded) != entry.checksum {
            return Err(Error::Checksum { path: self.path.clone(), part: entry.name.clone() });
        }
        Ok(())
    }

    /// The data of an entry whose bounds [`decode_directory`] has checked.
    fn data(&self, entry: &Entry) -> &[u8] {
        let start = entry.offset as usize;
        &self.map[start..start + entry.length as usize * entry.element.bytes()]
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file is for.
    pub fn kind(&self) -> Kind {
        self.preamble.kind
    }

    /// The file's length. Units: bytes.
    pub fn bytes(&self) -> u64 {
        self.preamble.file_length
    }

    /// A hash that stands for the whole contents: equal files have equal fingerprints, different ones differ
    /// except with probability 2^-64.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Decodes the header.
    ///
    /// # Errors
    /// If it is not a header of this type.
    pub fn header<H: DeserializeOwned>(&self) -> Result<H, Error> {
        codec::decode(self.data(&self.entries[0]))
            .map_err(|reason| Error::Header { path: self.path.clone(), reason })
    }

    /// What sections there are, in the order of the file.
    pub fn sections(&self) -> impl Iterator<Item = Section<'_>> {
        self.entries[1..].iter().map(|entry| Section {
            name: &entry.name,
            element: entry.element,
            length: entry.length,
            checksum: entry.checksum,
        })
    }

    /// The data of a section.
    ///
    /// # Errors
    /// If there is no such section or it holds another type.
    pub fn section<T: Element>(&self, name: &str) -> Result<&[T], Error> {
        Ok(bytemuck::cast_slice(self.data(self.typed_entry::<T>(name)?)))
    }

    fn typed_entry<T: Element>(&self, name: &str) -> Result<&Entry, Error> {
        let entry = self
            .entries
            .iter()
            .find(|entry| entry.name == name && name != HEADER)
            .ok_or_else(|| Error::MissingSection { path: self.path.clone(), section: name.into() })?;
        if entry.element != T::TYPE {
            return Err(Error::WrongType {
                path: self.path.clone(),
                section: name.into(),
                expected: T::TYPE,
                found: entry.element,
            });
        }
        Ok(entry)
    }

    /// The data of a section that must hold `length` elements.
    ///
    /// # Errors
    /// As [`Container::section`], and if the length differs.
    pub fn section_of<T: Element>(&self, name: &str, length: u64) -> Result<&[T], Error> {
        let data = self.section(name)?;
        if data.len() as u64 != length {
            return Err(Error::WrongLength {
                path: self.path.clone(),
                section: name.into(),
                expected: length,
                found: data.len() as u64,
            });
        }
        Ok(data)
    }
}

/// A section that keeps its container mapped.
#[derive(Clone, Debug)]
pub struct MappedSection<T> {
    container: Arc<Container>,
    bytes: Range<usize>,
    element: PhantomData<T>,
}

impl<T: Element> MappedSection<T> {
    /// The section `name` of `container`, which must hold `length` elements.
    ///
    /// # Errors
    /// As [`Container::section_of`].
    pub fn new(container: Arc<Container>, name: &str, length: u64) -> Result<MappedSection<T>, Error> {
        container.section_of::<T>(name, length)?;
        let entry = container.typed_entry::<T>(name)?;
        let start = entry.offset as usize;
        let bytes = start..start + container.data(entry).len();
        Ok(MappedSection { container, bytes, element: PhantomData })
    }

    /// The file it lies in.
    pub fn container(&self) -> &Container {
        &self.container
    }
}

impl<T: Element> Deref for MappedSection<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.container.map[self.bytes.clone()])
    }
}

impl std::fmt::Debug for Container {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Container")
            .field("path", &self.path)
            .field("kind", &self.kind())
            .field("bytes", &self.bytes())
            .field("sections", &self.sections().collect::<Vec<_>>())
            .finish()
    }
}
