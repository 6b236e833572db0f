//! The fixed-size parts of a container: preamble and directory entries. The crate's documentation draws them.

use crate::{ElementType, Error};
use std::fmt;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

pub(crate) const MAGIC: [u8; 8] = *b"DOORCARD";
pub(crate) const CONTAINER_VERSION: u32 = 1;
pub(crate) const ALIGN: u64 = 64;
pub(crate) const PREAMBLE_BYTES: usize = 64;
pub(crate) const ENTRY_BYTES: usize = 64;
pub(crate) const MAX_NAME: usize = 32;
/// The name of the header's own entry.
pub(crate) const HEADER: &str = "header";

/// How many zero bytes follow `length` bytes of data.
pub(crate) fn padding(length: u64) -> u64 {
    length.wrapping_neg() % ALIGN
}

/// What a file is for, and the version of its header and sections.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    name: [u8; 8],
    version: u32,
}

impl Kind {
    /// A kind of file.
    ///
    /// # Panics
    /// If the name is empty or longer than 8 bytes, or not lower-case ASCII.
    pub const fn new(name: &str, version: u32) -> Kind {
        let from = name.as_bytes();
        assert!(!from.is_empty() && from.len() <= 8, "a kind's name has 1 to 8 bytes");
        let mut bytes = [0; 8];
        let mut i = 0;
        while i < from.len() {
            assert!(from[i].is_ascii_lowercase(), "a kind's name is lower-case ASCII");
            bytes[i] = from[i];
            i += 1;
        }
        Kind { name: bytes, version }
    }

    /// The name, such as "strategy".
    pub fn name(&self) -> String {
        self.name
            .iter()
            .take_while(|&&b| b != 0)
            .map(|&b| char::from(b).escape_default().to_string())
            .collect()
    }

    /// The version of the header and sections of this kind.
    pub fn version(&self) -> u32 {
        self.version
    }

    pub(crate) fn same_name(&self, other: &Kind) -> bool {
        self.name == other.name
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} v{}", self.name(), self.version)
    }
}

/// The first 64 bytes, magic and checksum apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Preamble {
    pub(crate) kind: Kind,
    pub(crate) file_length: u64,
    pub(crate) header_length: u64,
    pub(crate) directory_offset: u64,
    pub(crate) directory_checksum: u64,
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

impl Preamble {
    pub(crate) fn encode(&self) -> [u8; PREAMBLE_BYTES] {
        let mut bytes = [0; PREAMBLE_BYTES];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&CONTAINER_VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.kind.version.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.kind.name);
        bytes[24..32].copy_from_slice(&self.file_length.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.header_length.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.directory_offset.to_le_bytes());
        bytes[48..56].copy_from_slice(&self.directory_checksum.to_le_bytes());
        let checksum = xxh3_64(&bytes[..56]);
        bytes[56..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The preamble of a file of `bytes.len()` bytes.
    ///
    /// The magic, this checksum and the container's version keep their places in all versions, so that damage
    /// is told from age.
    pub(crate) fn decode(path: &Path, bytes: &[u8]) -> Result<Preamble, Error> {
        let start = bytes.len().min(MAGIC.len());
        if bytes[..start] != MAGIC[..start] {
            return Err(Error::NotOurs { path: path.to_path_buf() });
        }
        let found = bytes.len() as u64;
        if bytes.len() < PREAMBLE_BYTES {
            return Err(Error::Truncated {
                path: path.to_path_buf(),
                expected: PREAMBLE_BYTES as u64,
                found,
            });
        }
        if xxh3_64(&bytes[..56]) != u64_at(bytes, 56) {
            return Err(Error::Checksum { path: path.to_path_buf(), part: "preamble".into() });
        }
        check_version(path, "container", u32_at(bytes, 8), CONTAINER_VERSION)?;
        let preamble = Preamble {
            kind: Kind { name: bytes[16..24].try_into().expect("8 bytes"), version: u32_at(bytes, 12) },
            file_length: u64_at(bytes, 24),
            header_length: u64_at(bytes, 32),
            directory_offset: u64_at(bytes, 40),
            directory_checksum: u64_at(bytes, 48),
        };
        let expected = preamble.file_length;
        if found < expected {
            return Err(Error::Truncated { path: path.to_path_buf(), expected, found });
        }
        if found > expected {
            return Err(Error::TrailingBytes { path: path.to_path_buf(), expected, found });
        }
        Ok(preamble)
    }
}

/// Refuses versions other than `supported`.
pub(crate) fn check_version(path: &Path, what: &str, found: u32, supported: u32) -> Result<(), Error> {
    let (path, what) = (path.to_path_buf(), what.to_string());
    match found.cmp(&supported) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(Error::NewerVersion { path, what, found, supported }),
        std::cmp::Ordering::Less => Err(Error::OlderVersion { path, what, found, supported }),
    }
}

/// Where a section lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) element: ElementType,
    pub(crate) offset: u64,
    /// In elements.
    pub(crate) length: u64,
    pub(crate) checksum: u64,
}

impl Entry {
    pub(crate) fn encode(&self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..self.name.len()].copy_from_slice(self.name.as_bytes());
        bytes[32] = self.element as u8;
        bytes[40..48].copy_from_slice(&self.offset.to_le_bytes());
        bytes[48..56].copy_from_slice(&self.length.to_le_bytes());
        bytes[56..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    /// The data's length without padding, if a `u64` can hold it. Units: bytes.
    pub(crate) fn bytes(&self) -> Option<u64> {
        self.length.checked_mul(self.element.bytes() as u64)
    }

    fn decode(bytes: &[u8]) -> Result<Entry, String> {
        let name = &bytes[..bytes[..MAX_NAME].iter().position(|&b| b == 0).unwrap_or(MAX_NAME)];
        let graphic = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
        let zeros = bytes[name.len()..MAX_NAME].iter().chain(&bytes[33..40]).all(|&b| b == 0);
        if !graphic || !zeros {
            return Err("a directory entry without a proper name".into());
        }
        let name = String::from_utf8_lossy(name).into_owned();
        let element = ElementType::from_tag(bytes[32])
            .ok_or_else(|| format!("section '{name}' has the unknown element type {}", bytes[32]))?;
        Ok(Entry {
            name,
            element,
            offset: u64_at(bytes, 40),
            length: u64_at(bytes, 48),
            checksum: u64_at(bytes, 56),
        })
    }
}

/// The directory of a file whose preamble and length are known to be right, the header's entry first.
///
/// The entries must fill the file from the preamble to the directory without gap or overlap.
pub(crate) fn decode_directory(path: &Path, file: &[u8], preamble: &Preamble) -> Result<Vec<Entry>, Error> {
    let malformed = |what: &str| Error::malformed(path, what);
    let directory = usize::try_from(preamble.directory_offset)
        .ok()
        .and_then(|offset| file.get(offset..))
        .filter(|bytes| !bytes.is_empty() && bytes.len().is_multiple_of(ENTRY_BYTES))
        .ok_or_else(|| malformed("the directory lies outside the file"))?;
    if xxh3_64(directory) != preamble.directory_checksum {
        return Err(Error::Checksum { path: path.to_path_buf(), part: "directory".into() });
    }
    let mut next = PREAMBLE_BYTES as u64;
    let mut entries: Vec<Entry> = Vec::with_capacity(directory.len() / ENTRY_BYTES);
    for bytes in directory.chunks_exact(ENTRY_BYTES) {
        let entry = Entry::decode(bytes).map_err(|what| malformed(&what))?;
        let end = entry
            .bytes()
            .and_then(|length| entry.offset.checked_add(length)?.checked_add(padding(length)))
            .filter(|&end| entry.offset == next && end <= preamble.directory_offset)
            .ok_or_else(|| malformed(&format!("section '{}' lies outside its place", entry.name)))?;
        next = end;
        if entries.iter().any(|earlier| earlier.name == entry.name) {
            return Err(malformed(&format!("two sections named '{}'", entry.name)));
        }
        entries.push(entry);
    }
    let header = &entries[0];
    if header.name != HEADER || header.element != ElementType::U8 || header.length != preamble.header_length {
        return Err(malformed("the first entry is not the header"));
    }
    if next != preamble.directory_offset {
        return Err(malformed("bytes that belong to no section"));
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_reaches_the_next_multiple() {
        assert_eq!([0, 1, 63, 64, 65].map(padding), [0, 63, 1, 0, 63]);
    }

    #[test]
    fn kinds_print_their_name() {
        let kind = Kind::new("strategy", 3);
        assert_eq!((kind.to_string().as_str(), format!("{kind:?}").as_str()), ("strategy", "strategy v3"));
        let odd = Kind { name: *b"a\xffb\0\0\0\0\0", version: 0 };
        assert_eq!(odd.name(), "a\\u{ff}b");
    }

    /// A file whose checksums all match, with the directory changed by `spoil`.
    fn crafted(spoil: impl Fn(&mut Vec<Entry>)) -> Result<Vec<Entry>, Error> {
        let entry = |name: &str, element, offset, length| Entry {
            name: name.into(),
            element,
            offset,
            length,
            checksum: 0,
        };
        let mut entries =
            vec![entry(HEADER, ElementType::U8, 64, 3), entry("data", ElementType::U64, 128, 9)];
        let mut file = vec![0; 256];
        spoil(&mut entries);
        file.extend(entries.iter().flat_map(Entry::encode));
        let preamble = Preamble {
            kind: Kind::new("test", 1),
            file_length: file.len() as u64,
            header_length: 3,
            directory_offset: 256,
            directory_checksum: xxh3_64(&file[256..]),
        };
        decode_directory(Path::new("crafted"), &file, &preamble)
    }

    #[test]
    fn directories_that_make_no_sense_are_refused_even_with_matching_checksums() {
        assert_eq!(crafted(|_| ()).unwrap().len(), 2);
        let spoils: &[fn(&mut Vec<Entry>)] = &[
            |e| e.clear(),
            |e| e.truncate(1),
            |e| e[1].length = u64::MAX,
            |e| e[1].length = u64::MAX / 8,
            |e| e[1].length = 17,
            |e| e[1].length = 7,
            |e| e[1].offset = 64,
            |e| e[1].offset = u64::MAX - 63,
            |e| e[1].name = HEADER.into(),
            |e| e[1].name = String::new(),
            |e| e[1].name = "a b".into(),
            |e| e[0].name = "other".into(),
            |e| e[0].length = 4,
            |e| e.swap(0, 1),
        ];
        for (i, spoil) in spoils.iter().enumerate() {
            let result = crafted(spoil);
            assert!(matches!(result, Err(Error::Malformed { .. })), "{i}: {result:?}");
        }
    }
}
