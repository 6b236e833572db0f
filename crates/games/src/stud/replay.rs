//! Files of recorded hands through the rules engine: what `doorcard replay` does.
//!
//! `.phh` and `.phhs` are hand histories ([`phh`]), `.jsonl` and `.jsonl.gz` hands of the replay oracle
//! ([`oracle`](super::oracle)). A folder stands for all such files in it and in the folders below, in the order of
//! their names.

use super::oracle::{Mismatch, OracleHand};
use super::phh;
use super::{Betting, BringIn, RulesConfig, StudError, Variant};
use flate2::read::GzDecoder;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The largest `.phh` or `.phhs` file that is read, and the longest line of an oracle file. Units: bytes.
const MAX_BYTES: u64 = 1 << 30;

/// What came out of replaying hands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// How many hands were played.
    pub hands: usize,
    /// How many of them agree with their records.
    pub equal: usize,
    /// How many of the hands record what they paid, so that payoffs were compared, too.
    pub with_payoffs: usize,
    /// The hands that do not agree, and where they first differ.
    pub different: Vec<Difference>,
    /// Files that could not be read to their end.
    pub unreadable: Vec<Unreadable>,
}

/// A file that could not be read to its end. Hands before the fault have been played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unreadable {
    /// The file.
    pub source: String,
    /// What is wrong with it. Names the file.
    pub message: String,
}

/// A hand that the engine plays otherwise than recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The file.
    pub source: String,
    /// Which hand of the file, from 0.
    pub index: usize,
    /// Where in the hand it first differs.
    pub step: String,
    /// What the record says.
    pub expected: String,
    /// What the engine says.
    pub computed: String,
}

/// Plays all hands of these files and folders. `overrides` are keys and values of a rules file that replace those each
/// hand would be played by; oracle files are otherwise played by the oracle's conventions, hand histories by their own.
///
/// Files that cannot be read, or are not what their names say, are listed in the report; the others are played.
///
/// # Errors
/// If a folder cannot be read, or an override is no rule or makes the game another than the standard one.
pub fn replay(paths: &[impl AsRef<Path>], overrides: &[(String, String)]) -> Result<Report, StudError> {
    let any = RulesConfig::new(Variant::High, Betting::Limit, 1, BringIn::Chips(1), 2);
    override_rules(any, overrides)?.require_standard("replay")?;
    let mut report = Report::default();
    for path in paths {
        let path = path.as_ref();
        let files = if path.is_dir() { files_below(path)? } else { vec![path.to_path_buf()] };
        for file in files {
            if let Err(error) = replay_file(&file, overrides, &mut report) {
                let (source, message) = (file.display().to_string(), error.to_string());
                report.unreadable.push(Unreadable { source, message });
            }
        }
    }
    Ok(report)
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Phh,
    Phhs,
    Oracle,
    ZippedOracle,
}

fn kind(path: &Path) -> Option<Kind> {
    let name = path.file_name()?.to_str()?;
    let kinds = [
        (".phh", Kind::Phh),
        (".phhs", Kind::Phhs),
        (".jsonl", Kind::Oracle),
        (".jsonl.gz", Kind::ZippedOracle),
    ];
    kinds.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, kind)| kind)
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, StudError> {
    let failed = |source| StudError::Read { path: folder.display().to_string(), source };
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(failed)?;
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else if kind(&path).is_some() {
            files.push(path);
        }
    }
    Ok(files)
}

fn replay_file(path: &Path, overrides: &[(String, String)], report: &mut Report) -> Result<(), StudError> {
    let source = path.display().to_string();
    let Some(kind) = kind(path) else {
        return Err(StudError::Record {
            origin: source,
            field: "file name".into(),
            expected: "an ending of .phh, .phhs, .jsonl or .jsonl.gz".into(),
        });
    };
    let failed = |error| StudError::Read { path: source.clone(), source: error };
    let file = File::open(path).map_err(failed)?;
    match kind {
        Kind::Oracle => replay_lines(BufReader::new(file), &source, overrides, report),
        Kind::ZippedOracle => replay_lines(BufReader::new(GzDecoder::new(file)), &source, overrides, report),
        Kind::Phh | Kind::Phhs => {
            let mut text = String::new();
            file.take(MAX_BYTES).read_to_string(&mut text).map_err(failed)?;
            let hands = match kind {
                Kind::Phh => vec![phh::read(&text, &source)?],
                _ => phh::read_many(&text, &source)?,
            };
            for (index, hand) in hands.iter().enumerate() {
                let rules = override_rules(hand.rules.config(), overrides)?.check(&source)?;
                report.add(&source, index, hand.has_result(), hand.replay_by(&rules).map(|_| ()));
            }
            Ok(())
        }
    }
}

fn replay_lines(
    mut lines: impl BufRead,
    source: &str,
    overrides: &[(String, String)],
    report: &mut Report,
) -> Result<(), StudError> {
    let mut line = String::new();
    for index in 0.. {
        line.clear();
        let read = (&mut lines).take(MAX_BYTES).read_line(&mut line);
        if read.map_err(|error| StudError::Read { path: source.into(), source: error })? == 0 {
            break;
        }
        let hand: OracleHand = serde_json::from_str(&line).map_err(|error| StudError::Syntax {
            origin: format!("{source}, hand {index}"),
            message: error.to_string(),
        })?;
        let rules = override_rules(hand.rules()?, overrides)?.check(source)?;
        report.add(source, index, true, hand.replay(&rules).and_then(|state| hand.compare_result(&state)));
    }
    Ok(())
}

fn override_rules(rules: RulesConfig, overrides: &[(String, String)]) -> Result<RulesConfig, StudError> {
    overrides.iter().try_fold(rules, |rules, (key, value)| rules.with(key, value))
}

impl Report {
    fn add(&mut self, source: &str, index: usize, payoffs: bool, result: Result<(), Mismatch>) {
        self.hands += 1;
        self.with_payoffs += usize::from(payoffs);
        match result {
            Ok(()) => self.equal += 1,
            Err(Mismatch { step, expected, computed }) => {
                self.different.push(Difference { source: source.into(), index, step, expected, computed });
            }
        }
    }
}
