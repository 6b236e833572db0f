//! A damaged file is refused: every flipped byte, every truncation, everything appended. Never a panic.

use doorcard_store::{Container, ContainerWriter, Error, Kind, MappedSection};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const KIND: Kind = Kind::new("test", 2);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    game: String,
    iteration: u64,
    seeds: Vec<u64>,
}

fn header() -> Header {
    Header { game: "leduc".into(), iteration: 123_456, seeds: vec![1, 2, u64::MAX] }
}

fn write(path: &Path) {
    let mut writer = ContainerWriter::create(path, KIND, &header()).unwrap();
    writer.section("regret", &(0..777).map(|i| i as f32 * 0.5).collect::<Vec<_>>()).unwrap();
    writer.section::<u64>("empty", &[]).unwrap();
    writer
        .section_with::<u16, Error>("quantised", |sink| {
            (0..100u16).try_for_each(|i| sink.push(&[i, 2 * i, 3 * i]))
        })
        .unwrap();
    writer.section("bytes", b"abc").unwrap();
    assert_eq!(writer.commit().unwrap(), std::fs::metadata(path).unwrap().len());
}

/// A file in a directory of its own, and its bytes.
fn written() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    write(&path);
    let bytes = std::fs::read(&path).unwrap();
    (dir, path, bytes)
}

fn refusal(path: &Path, bytes: &[u8]) -> Error {
    // A new file for each damage: a mapped file must not change.
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, bytes).unwrap();
    match Container::open(path, KIND) {
        Err(error) => {
            assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
            error
        }
        Ok(_) => panic!("a damaged file was accepted"),
    }
}

#[test]
fn what_was_written_is_read() {
    let (_dir, path, bytes) = written();
    let container = Container::open(&path, KIND).unwrap();
    assert_eq!(container.header::<Header>().unwrap(), header());
    let regret = container.section_of::<f32>("regret", 777).unwrap();
    assert!(regret.iter().enumerate().all(|(i, &x)| x == i as f32 * 0.5));
    assert_eq!(container.section::<u64>("empty").unwrap(), []);
    assert_eq!(container.section::<u16>("quantised").unwrap()[297..], [99, 198, 297]);
    assert_eq!(container.section::<u8>("bytes").unwrap(), b"abc");
    let names: Vec<&str> = container.sections().map(|s| s.name).collect();
    assert_eq!(names, ["regret", "empty", "quantised", "bytes"]);
    assert_eq!(container.bytes(), bytes.len() as u64);
    assert_eq!(regret.as_ptr() as usize % 64, 0, "sections are aligned");
    let mapped = MappedSection::<f32>::new(container.into(), "regret", 777).unwrap();
    assert_eq!((mapped.len(), mapped[776]), (777, 388.0));
}

#[test]
fn the_same_contents_are_the_same_bytes() {
    let (_dir, path, bytes) = written();
    let fingerprint = Container::open(&path, KIND).unwrap().fingerprint();
    let (_other_dir, other, other_bytes) = written();
    assert_eq!(bytes, other_bytes);
    assert_eq!(Container::open(&other, KIND).unwrap().fingerprint(), fingerprint);
}

#[test]
fn every_flipped_byte_is_refused() {
    let (_dir, path, bytes) = written();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= rng.random_range(1..=255u8);
        let error = refusal(&path, &damaged);
        assert!(error.is_damage(), "{error}");
        match error {
            Error::NotOurs { .. } => assert!(at < 8),
            Error::Checksum { part, .. } => {
                assert_eq!(part == "preamble", (8..64).contains(&at), "{at}: {part}")
            }
            other => panic!("byte {at}: {other}"),
        }
    }
}

#[test]
fn every_truncation_and_appended_byte_is_refused() {
    let (_dir, path, bytes) = written();
    for length in 0..bytes.len() {
        let error = refusal(&path, &bytes[..length]);
        assert!(error.is_damage(), "{error}");
        assert!(
            matches!(error, Error::Truncated { found, .. } if found == length as u64),
            "{length}: {error}"
        );
    }
    for extra in [&[0u8][..], &[0; 64], b"x"] {
        let error = refusal(&path, &[&bytes, extra].concat());
        assert!(matches!(error, Error::TrailingBytes { .. }) && error.is_damage(), "{error}");
    }
}

#[test]
fn random_bytes_and_shuffled_pieces_are_refused() {
    let (_dir, path, bytes) = written();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for round in 0..500 {
        let mut damaged = bytes.clone();
        if round % 2 == 0 {
            // Two different blocks change places.
            let blocks = damaged.len() / 64;
            let (a, b) = (rng.random_range(0..blocks), rng.random_range(0..blocks));
            for i in 0..64 {
                damaged.swap(a * 64 + i, b * 64 + i);
            }
            if damaged == bytes {
                continue;
            }
        } else {
            let start = if round % 4 == 1 { 0 } else { 8 };
            damaged[start..].fill_with(|| rng.random());
        }
        refusal(&path, &damaged);
    }
}

#[test]
fn faults_are_named() {
    let (dir, path, _) = written();
    let error = Container::open(&path, Kind::new("other", 2)).unwrap_err();
    assert!(error.to_string().ends_with("a file of kind 'test' where 'other' is needed"), "{error}");
    let error = Container::open(&path, Kind::new("test", 1)).unwrap_err();
    assert!(
        error.to_string().ends_with("its test version 2 is newer than this program reads (1)"),
        "{error}"
    );
    let error = Container::open(&path, Kind::new("test", 3)).unwrap_err();
    assert!(matches!(error, Error::OlderVersion { found: 2, supported: 3, .. }), "{error}");
    let error = Container::open(dir.path().join("none"), KIND).unwrap_err();
    assert!(matches!(error, Error::Io { action: "open", .. }), "{error}");
    assert!(Container::open(dir.path(), KIND).is_err(), "a directory is no file");

    let container = Container::open(&path, KIND).unwrap();
    let error = container.section::<f64>("regret").unwrap_err();
    assert!(error.to_string().ends_with("section 'regret' holds f32 where f64 is needed"), "{error}");
    let error = container.section::<f32>("average").unwrap_err();
    assert!(error.to_string().ends_with("no section 'average'"), "{error}");
    let error = container.section_of::<f32>("regret", 778).unwrap_err();
    assert!(error.to_string().ends_with("holds 777 elements where 778 are needed"), "{error}");
    assert!(matches!(container.header::<Vec<u64>>().unwrap_err(), Error::Header { .. }));
}

#[test]
fn a_damaged_section_passes_inspection_and_fails_verification() {
    let (_dir, path, mut bytes) = written();
    let data_starts = bytes.len() - 5 * 64 - 64;
    bytes[data_starts] ^= 1;
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, &bytes).unwrap();
    let container = Container::inspect(&path).unwrap();
    assert!(matches!(container.verify(), Err(Error::Checksum { part, .. }) if part == "bytes"));
}

#[test]
fn nothing_appears_before_commit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    let mut writer = ContainerWriter::create(&path, KIND, &header()).unwrap();
    writer.section("bytes", b"abc").unwrap();
    assert!(!path.exists());
    drop(writer);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "the temporary file is gone");
    write(&path);
    write(&path);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "only the file itself");
}

/// Folders, devices and pipes are refused at once: a device has no end, and a pipe may never have a writer.
#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    let paths = [Path::new("/dev/zero"), Path::new("/dev/null"), dir.path(), &pipe];
    let paths = if made.is_ok_and(|status| status.success()) { &paths[..] } else { &paths[..3] };
    for path in paths {
        let message = Container::inspect(path).err().unwrap().to_string();
        assert_eq!(message, format!("{}: not a regular file", path.display()));
    }
}
