//! Results on their way into the ledger.

use crate::error::CliError;
use clap::Args;
use doorcard_ledger::{Entry, Ledger, LedgerError};
use doorcard_report::units;
use std::path::{Path, PathBuf};

/// Where results are kept unless another file is named.
pub(crate) const DEFAULT: &str = "results.sqlite";

/// More observations than this are not kept: 256 MiB of them.
const MOST_OBSERVATIONS: u64 = 1 << 26;

/// Whether results are added to a ledger, and to which.
#[derive(Clone, Args)]
pub(crate) struct LedgerArgs {
    /// The ledger that results are added to
    #[arg(long, value_name = "FILE", default_value = DEFAULT)]
    ledger: PathBuf,

    /// Add results to no ledger
    #[arg(long, conflicts_with = "ledger")]
    no_ledger: bool,
}

/// Takes results as they come. A ledger that fails stops no work: results are printed all the same, and
/// [`Sink::finish`] tells at the end.
pub(crate) struct Sink {
    /// Nothing if results are not wanted.
    path: Option<PathBuf>,
    failure: Option<LedgerError>,
}

impl Sink {
    pub(crate) fn new(args: LedgerArgs) -> Sink {
        Sink { path: (!args.no_ledger).then_some(args.ledger), failure: None }
    }

    /// Whether so many observations should be kept for it.
    pub(crate) fn wants_observations(&self, observations: u64) -> bool {
        self.path.is_some() && observations <= MOST_OBSERVATIONS
    }

    /// Adds the results of one piece of work and returns their numbers; none if they are not wanted or it failed.
    pub(crate) fn add(&mut self, entries: &[Entry]) -> Vec<i64> {
        let (Some(path), None) = (&self.path, &self.failure) else { return Vec::new() };
        match Ledger::open(path).and_then(|mut ledger| ledger.append(entries)) {
            Ok(ids) => ids,
            Err(failure) => {
                self.failure = Some(failure);
                Vec::new()
            }
        }
    }

    /// A line that says where results are, if they were added.
    pub(crate) fn added(&self, ids: &[i64]) -> String {
        let (Some(path), Some(first), Some(last)) = (&self.path, ids.first(), ids.last()) else {
            return String::new();
        };
        let numbers = match first == last {
            true => format!("result {first}"),
            false => format!("results {first} to {last}"),
        };
        format!("in the ledger {}: {numbers}\n", path.display())
    }

    /// What makes another command use the same ledger.
    pub(crate) fn option(&self) -> String {
        self.path.as_deref().map_or_else(String::new, option)
    }

    /// Tells whether everything is in the ledger.
    ///
    /// # Errors
    /// If something could not be added.
    pub(crate) fn finish(self) -> Result<(), CliError> {
        self.failure.map_or(Ok(()), |failure| Err(CliError::NotRecorded(failure)))
    }
}

/// What makes a command use this ledger.
pub(crate) fn option(path: &Path) -> String {
    if path == Path::new(DEFAULT) { String::new() } else { format!(" --ledger {}", path.display()) }
}

/// Who else took part, or, where nobody did, how it was measured.
pub(crate) fn against(entry: &Entry) -> String {
    match entry.players.get(1..) {
        Some(others @ [_, ..]) => {
            others.iter().map(|player| player.name.as_str()).collect::<Vec<_>>().join(", ")
        }
        _ => {
            let setting = |(key, value): (&String, &serde_json::Value)| format!("{key} {value}");
            entry.settings.iter().map(setting).collect::<Vec<_>>().join(", ").replace('_', " ")
        }
    }
}

/// Whose result it is.
pub(crate) fn player(entry: &Entry) -> &str {
    entry.players.first().map_or("-", |player| &player.name)
}

/// Half the width of an interval, for people.
pub(crate) fn half_width(ci95: f64) -> String {
    format!("± {}", units::unsigned(ci95))
}
