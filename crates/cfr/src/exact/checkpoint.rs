//! Checkpoints of exact solvers, in one container.
//!
//! The header is an [`ExactHeader`]; the sections `regret`, `strategy_sum` and `strategy` (what is played now) hold
//! `[slot]` as `f32` or `f64`. As in [`crate::checkpoint`] nothing depends on the machine.

use super::solver::ExactSettings;
use crate::checkpoint::{expect_layout, expect_same, expect_subject};
use crate::{CfrError, Real, Subject, Table};
use doorcard_store::{Container, ContainerWriter, Kind};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The kind of checkpoints of exact solvers.
pub const EXACT: Kind = Kind::new("exact", 1);

const REGRET: &str = "regret";
const STRATEGY_SUM: &str = "strategy_sum";
const STRATEGY: &str = "strategy";

/// What such a checkpoint says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExactHeader {
    /// The version of the program that wrote it.
    pub program: String,
    /// What is being solved.
    pub subject: Subject,
    /// How many infosets.
    pub rows: u64,
    /// How many infoset-action pairs.
    pub slots: u64,
    /// The fingerprint of the layout of the infosets.
    pub layout: u64,
    /// The traversal's name.
    pub traversal: String,
    /// What the tables depend on besides.
    pub settings: ExactSettings,
    /// Iterations done.
    pub iterations: u64,
}

pub(super) fn write<T: Real>(
    path: &Path,
    header: &ExactHeader,
    table: &Table<T>,
    strategy: &[T],
) -> Result<u64, CfrError> {
    let mut writer = ContainerWriter::create(path, EXACT, header)?;
    writer.section(REGRET, table.regret())?;
    writer.section(STRATEGY_SUM, table.strategy_sum())?;
    writer.section(STRATEGY, strategy)?;
    Ok(writer.commit()?)
}

/// A checkpoint of an exact solver, mapped and verified.
#[derive(Debug)]
pub struct ExactCheckpoint {
    container: Container,
    header: ExactHeader,
}

impl ExactCheckpoint {
    /// Maps a checkpoint and compares all its checksums.
    ///
    /// # Errors
    /// If it is damaged, of another kind or version, or cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<ExactCheckpoint, CfrError> {
        let container = Container::open(path, EXACT)?;
        let header = container.header()?;
        Ok(ExactCheckpoint { container, header })
    }

    /// What it says about itself.
    pub fn header(&self) -> &ExactHeader {
        &self.header
    }

    /// The file.
    pub fn container(&self) -> &Container {
        &self.container
    }

    /// Refuses a checkpoint made for something else, naming what differs.
    pub(super) fn expect(&self, expected: &ExactHeader) -> Result<(), CfrError> {
        let (path, found) = (self.container.path(), &self.header);
        expect_subject(path, &found.subject, &expected.subject)?;
        expect_layout(path, found.layout, expected.layout)?;
        expect_same(path, "the traversal", &found.traversal, &expected.traversal)?;
        let (found, expected) = (&found.settings, &expected.settings);
        expect_same(path, "rule", &found.rule, &expected.rule)?;
        expect_same(path, "updates", &found.updates, &expected.updates)?;
        expect_same(path, "seed", &found.seed, &expected.seed)
    }

    /// Copies the tables.
    pub(super) fn load<T: Real>(
        &self,
        regret: &mut [T],
        strategy_sum: &mut [T],
        strategy: &mut [T],
    ) -> Result<(), CfrError> {
        for (section, table) in [(REGRET, regret), (STRATEGY_SUM, strategy_sum), (STRATEGY, strategy)] {
            table.copy_from_slice(self.container.section_of(section, table.len() as u64)?);
        }
        Ok(())
    }
}
