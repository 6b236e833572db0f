//! Writing: one pass over a temporary file, then the rename.

use crate::format::{Entry, HEADER, MAX_NAME, PREAMBLE_BYTES, Preamble, padding};
use crate::{Element, ElementType, Error, Kind, codec};
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// A container being written. Nothing stands under its name before [`ContainerWriter::commit`]; dropped
/// without it, the temporary file is removed.
pub struct ContainerWriter {
    path: PathBuf,
    directory: PathBuf,
    file: BufWriter<NamedTempFile>,
    kind: Kind,
    entries: Vec<Entry>,
    offset: u64,
}

impl ContainerWriter {
    /// Starts a file with its header.
    ///
    /// # Errors
    /// If no file can be created beside `path`.
    ///
    /// # Panics
    /// If serde cannot encode the header or it exceeds 16 MiB.
    pub fn create<H: Serialize>(
        path: impl AsRef<Path>,
        kind: Kind,
        header: &H,
    ) -> Result<ContainerWriter, Error> {
        let path = path.as_ref().to_path_buf();
        let directory = match path.parent() {
            Some(parent) if parent != Path::new("") => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut builder = tempfile::Builder::new();
        let prefix = format!(".{name}-");
        builder.prefix(&prefix).suffix(".tmp");
        // Temporary files are private by default; this one becomes an ordinary file, cut down by the user's
        // umask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(&directory).map_err(Error::io(&path, "create a file beside"))?;
        let mut writer = ContainerWriter {
            path,
            directory,
            file: BufWriter::with_capacity(1 << 18, file),
            kind,
            entries: Vec::new(),
            offset: 0,
        };
        writer.write(&[0; PREAMBLE_BYTES])?;
        writer.append(HEADER, &codec::encode(header))?;
        Ok(writer)
    }

    /// Writes a section.
    ///
    /// # Errors
    /// If the disk refuses.
    ///
    /// # Panics
    /// If the name is empty, longer than 32 bytes, not printable ASCII, "header", or used before.
    pub fn section<T: Element>(&mut self, name: &str, data: &[T]) -> Result<(), Error> {
        self.section_with(name, |sink| sink.push(data))
    }

    /// Writes a section piece by piece, so that it never needs to be in memory as a whole.
    ///
    /// # Errors
    /// What `fill` returns. The file is then of no use: do not commit it.
    ///
    /// # Panics
    /// As [`ContainerWriter::section`].
    pub fn section_with<T: Element, E: From<Error>>(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut SectionSink<'_, T>) -> Result<(), E>,
    ) -> Result<(), E> {
        assert!(
            !name.is_empty() && name.len() <= MAX_NAME && name.bytes().all(|b| b.is_ascii_graphic()),
            "'{name}' is not a name of 1 to 32 printable ASCII characters"
        );
        assert!(self.entries.iter().all(|entry| entry.name != name), "two sections named '{name}'");
        let offset = self.offset;
        let mut sink = SectionSink { writer: self, checksum: Xxh3::new(), elements: 0, element: PhantomData };
        fill(&mut sink)?;
        let (checksum, length) = (sink.checksum, sink.elements);
        self.finish(Entry { name: name.into(), element: T::TYPE, offset, length, checksum: 0 }, checksum)?;
        Ok(())
    }

    fn append(&mut self, name: &str, data: &[u8]) -> Result<(), Error> {
        let offset = self.offset;
        let mut checksum = Xxh3::new();
        checksum.update(data);
        self.write(data)?;
        let length = data.len() as u64;
        self.finish(
            Entry { name: name.into(), element: ElementType::U8, offset, length, checksum: 0 },
            checksum,
        )
    }

    /// Pads the section just written and records it.
    fn finish(&mut self, mut entry: Entry, mut checksum: Xxh3) -> Result<(), Error> {
        let zeros = &[0; 64][..padding(self.offset) as usize];
        self.write(zeros)?;
        checksum.update(zeros);
        entry.checksum = checksum.digest();
        self.entries.push(entry);
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(Error::io(&self.path, "write"))?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    /// Ends the file and puts it under its name: written through to the disk, renamed, the directory written
    /// through. Returns the file's length. Units: bytes.
    ///
    /// # Errors
    /// If the disk refuses; a file of that name stays as it was.
    pub fn commit(mut self) -> Result<u64, Error> {
        let directory: Vec<u8> = self.entries.iter().flat_map(Entry::encode).collect();
        let directory_offset = self.offset;
        self.write(&directory)?;
        let preamble = Preamble {
            kind: self.kind,
            file_length: self.offset,
            header_length: self.entries[0].length,
            directory_offset,
            directory_checksum: xxh3_64(&directory),
        };
        let path = &self.path;
        let mut file =
            self.file.into_inner().map_err(|error| Error::io(path, "write")(error.into_error()))?;
        file.seek(SeekFrom::Start(0)).map_err(Error::io(path, "seek in"))?;
        file.write_all(&preamble.encode()).map_err(Error::io(path, "write"))?;
        file.as_file().sync_all().map_err(Error::io(path, "sync"))?;
        file.persist(path).map_err(|error| Error::io(path, "rename a file to")(error.error))?;
        // Only Unix lets a directory be opened and synced; elsewhere the rename is as durable as the system
        // makes it.
        #[cfg(unix)]
        File::open(&self.directory)
            .and_then(|directory| directory.sync_all())
            .map_err(Error::io(&self.directory, "sync"))?;
        Ok(preamble.file_length)
    }
}

/// Takes the pieces of one section.
pub struct SectionSink<'a, T> {
    writer: &'a mut ContainerWriter,
    checksum: Xxh3,
    elements: u64,
    element: PhantomData<T>,
}

impl<T: Element> SectionSink<'_, T> {
    /// Appends elements.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn push(&mut self, data: &[T]) -> Result<(), Error> {
        // Pieces small enough to be in cache when they are read the second time.
        for piece in bytemuck::cast_slice::<T, u8>(data).chunks(1 << 18) {
            self.checksum.update(piece);
            self.writer.write(piece)?;
        }
        self.elements += data.len() as u64;
        Ok(())
    }
}
