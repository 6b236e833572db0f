//! The main job: one configuration, one directory, a handful of steps.
//!
//! Each step finds what the steps before left in the [`RunDir`], checks that it belongs to this very configuration, and
//! leaves its own work there; a step whose work is already there does nothing.

mod against;
mod cards;
mod config;
mod evaluation;
mod ladder;
pub(crate) mod memory;
mod reporting;
mod run_dir;
mod setup;
mod training;
mod translation;

pub(crate) use cards::{build as build_cards, build_with_progress};
pub(crate) use config::{Experiment, OWN, VECTOR_BATCH, difference, named_table};
pub(crate) use evaluation::evaluate;
pub(crate) use ladder::{Ladder as LadderResults, ladder};
pub(crate) use reporting::report;
pub(crate) use run_dir::{RunDir, lock_directory, write_whole};
pub(crate) use setup::Setup;
pub(crate) use training::{Existing, Limits, export, newest_file, seconds_of, train};
pub(crate) use translation::{export_for, judged_strategy};

/// Whether a step had anything to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Its work was there.
    Reused,
    /// It did its work.
    Done,
    /// The time it was given is up, after so many deals.
    OutOfTime(u64),
}

/// Width of the names of steps on the terminal.
pub(crate) const STEP: usize = 12;
