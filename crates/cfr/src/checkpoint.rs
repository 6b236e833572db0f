//! Checkpoints: everything a run needs to go on, in one container.
//!
//! The header says what was solved and how ([`CheckpointHeader`]); the sections `regret` and `strategy_sum`
//! hold the tables, `[slot]`, as `f32` or `f64`, and so does `baseline` where there are baselines. There are no time stamps and nothing else that depends on
//! the machine: two runs of the same configuration write the same bytes.

use crate::strategy::{self, About, StrategyHeader};
use crate::trainer::{Settings, State, Subject, describe};
use crate::vector::Numbers;
use crate::{CfrError, Layout, Real, Table};
use doorcard_efg::{BoardGame, Rows};
use doorcard_store::{Container, ContainerWriter, ElementType, Kind};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The kind of checkpoint files.
pub const CHECKPOINT: Kind = Kind::new("ckpt", 3);

pub(crate) const REGRET: &str = "regret";
pub(crate) const STRATEGY_SUM: &str = "strategy_sum";
pub(crate) const BASELINE: &str = "baseline";

/// What a checkpoint says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckpointHeader {
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
    /// What the tables depend on besides.
    pub settings: Settings,
    /// How far training has come.
    pub state: State,
}

/// Writes a checkpoint whose tables are what `sections` writes.
pub(crate) fn write(
    path: &Path,
    about: About<'_>,
    sections: impl FnOnce(&mut ContainerWriter) -> Result<(), doorcard_store::Error>,
) -> Result<u64, CfrError> {
    let header = CheckpointHeader {
        program: env!("CARGO_PKG_VERSION").into(),
        subject: about.subject.clone(),
        rows: about.layout.rows(),
        slots: about.layout.slots(),
        layout: about.layout.fingerprint(),
        settings: *about.settings,
        state: *about.state,
    };
    let mut writer = ContainerWriter::create(path, CHECKPOINT, &header)?;
    sections(&mut writer)?;
    Ok(writer.commit()?)
}

/// A checkpoint, mapped and verified.
#[derive(Debug)]
pub struct Checkpoint {
    container: Container,
    header: CheckpointHeader,
}

impl Checkpoint {
    /// Maps a checkpoint and compares all its checksums.
    ///
    /// # Errors
    /// If it is damaged, of another kind or version, or cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Checkpoint, CfrError> {
        let container = Container::open(path, CHECKPOINT)?;
        let header = container.header()?;
        Ok(Checkpoint { container, header })
    }

    /// What it says about itself.
    pub fn header(&self) -> &CheckpointHeader {
        &self.header
    }

    /// The file.
    pub fn container(&self) -> &Container {
        &self.container
    }

    /// Cumulative regrets. Shape: `[slot]`.
    ///
    /// # Errors
    /// If the tables hold another number type.
    pub fn regret<T: Real>(&self) -> Result<&[T], CfrError> {
        Ok(self.container.section_of(REGRET, self.header.slots)?)
    }

    /// Cumulative strategies. Shape: `[slot]`.
    ///
    /// # Errors
    /// If the tables hold another number type.
    pub fn strategy_sum<T: Real>(&self) -> Result<&[T], CfrError> {
        Ok(self.container.section_of(STRATEGY_SUM, self.header.slots)?)
    }

    /// Writes the average strategy for playing, without loading the tables. Returns what it consists of.
    ///
    /// # Errors
    /// If the infosets are laid out otherwise than those of the checkpoint, or the file cannot be written.
    pub fn export(&self, path: &Path, infosets: &impl Rows) -> Result<StrategyHeader, CfrError> {
        let layout = &self.expect_rows(infosets)?;
        let about = self.about(layout);
        let element =
            self.container.sections().find(|section| section.name == REGRET).map(|section| section.element);
        match element {
            Some(ElementType::F64) => self.export_as::<f64>(path, about, infosets),
            _ => self.export_as::<f32>(path, about, infosets),
        }
    }

    fn export_as<T: Real>(
        &self,
        path: &Path,
        about: About<'_>,
        infosets: &impl Rows,
    ) -> Result<StrategyHeader, CfrError> {
        let (regret, strategy_sum) = (self.regret::<T>()?, self.strategy_sum::<T>()?);
        strategy::write(path, about, infosets, |slot, actions| {
            strategy::row_of(regret, strategy_sum, slot, actions)
        })
    }

    /// As [`Checkpoint::export`], of a checkpoint of a [`crate::vector::BoardTrainer`].
    ///
    /// # Errors
    /// As [`Checkpoint::export`].
    pub fn export_boards(
        &self,
        path: &Path,
        game: &impl BoardGame,
        infosets: &impl Rows,
    ) -> Result<StrategyHeader, CfrError> {
        let layout = &self.expect_rows(infosets)?;
        let precision = self.header.settings.vector.unwrap_or_default().precision;
        let read = |name| Numbers::read(&self.container, name, game.table_len(), precision);
        let (regret, strategy_sum) = (read(REGRET)?, read(STRATEGY_SUM)?);
        strategy::write(path, self.about(layout), infosets, |slot, actions| {
            crate::vector::rows(game, (&regret, &strategy_sum), slot, actions)
        })
    }

    fn about<'a>(&'a self, layout: &'a Layout) -> About<'a> {
        let CheckpointHeader { subject, settings, state, .. } = &self.header;
        About { subject, layout, settings, state }
    }

    fn expect_rows(&self, infosets: &impl Rows) -> Result<Layout, CfrError> {
        let layout = Layout::new(infosets, 1)?;
        expect_layout(self.container.path(), self.header.layout, layout.fingerprint())?;
        Ok(layout)
    }

    /// Refuses a checkpoint made for something else, naming what differs.
    pub(crate) fn expect(
        &self,
        subject: &Subject,
        layout: &Layout,
        settings: &Settings,
    ) -> Result<(), CfrError> {
        let header = &self.header;
        let path = self.container.path();
        expect_subject(path, &header.subject, subject)?;
        expect_layout(path, header.layout, layout.fingerprint())?;
        expect_same(path, "seed", &header.settings.seed, &settings.seed)?;
        expect_same(path, "batch", &header.settings.batch, &settings.batch)?;
        expect_same(path, "rule", &header.settings.rule, &settings.rule)?;
        expect_same(path, "sampling", &header.settings.sampling, &settings.sampling)?;
        expect_same(path, "exploration", &header.settings.exploration, &settings.exploration)?;
        let baseline = |settings: &Settings| describe(&settings.baseline);
        expect_same(path, "baseline", &baseline(&header.settings), &baseline(settings))?;
        let prune = |settings: &Settings| describe(&settings.prune);
        expect_same(path, "prune", &prune(&header.settings), &prune(settings))?;
        let vector = |settings: &Settings| describe(&settings.vector);
        expect_same(path, "vector", &vector(&header.settings), &vector(settings))
    }

    /// Copies the tables. Settings must be those of the checkpoint.
    pub(crate) fn load<T: Real>(&self, table: &mut Table<T>) -> Result<(), CfrError> {
        let (regret, strategy_sum) = table.both_mut();
        regret.copy_from_slice(self.regret()?);
        strategy_sum.copy_from_slice(self.strategy_sum()?);
        if let Some(baseline) = table.baseline_mut() {
            baseline.copy_from_slice(self.container.section_of(BASELINE, self.header.slots)?);
        }
        Ok(())
    }
}

pub(crate) fn expect_same<V: PartialEq + ToString>(
    path: &Path,
    what: &'static str,
    found: &V,
    expected: &V,
) -> Result<(), CfrError> {
    if found == expected {
        return Ok(());
    }
    let (found, expected) = (found.to_string(), expected.to_string());
    Err(CfrError::Mismatch { path: path.to_path_buf(), what, expected, found })
}

pub(crate) fn expect_layout(path: &Path, found: u64, expected: u64) -> Result<(), CfrError> {
    expect_same(
        path,
        "an infoset layout of fingerprint",
        &format!("{found:016x}"),
        &format!("{expected:016x}"),
    )
}

pub(crate) fn expect_subject(path: &Path, found: &Subject, expected: &Subject) -> Result<(), CfrError> {
    expect_same(path, "the game", &found.game, &expected.game)?;
    expect_same(path, "the rules", &found.rules, &expected.rules)?;
    let abstraction = |s: &Subject| format!("'{}' ({:016x})", s.abstraction, s.abstraction_fingerprint);
    expect_same(path, "the abstraction", &abstraction(found), &abstraction(expected))
}

/// A directory of checkpoints, of which the newest are kept.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    directory: PathBuf,
    keep: usize,
}

const PREFIX: &str = "checkpoint-";
const SUFFIX: &str = ".ckpt";
/// What is added to the name of a damaged checkpoint that is set aside.
const DAMAGED: &str = ".damaged";

fn set_aside(path: &Path) -> Result<(), CfrError> {
    let mut name = path.as_os_str().to_os_string();
    name.push(DAMAGED);
    std::fs::rename(path, name).map_err(|source| CfrError::Io {
        path: path.to_path_buf(),
        action: "rename",
        source,
    })
}

impl Checkpoints {
    /// A directory, created if need be, where the newest `keep` checkpoints are kept (at least one).
    ///
    /// # Errors
    /// If the directory cannot be created.
    pub fn new(directory: impl Into<PathBuf>, keep: usize) -> Result<Checkpoints, CfrError> {
        let directory = directory.into();
        std::fs::create_dir_all(&directory).map_err(|source| CfrError::Io {
            path: directory.clone(),
            action: "create the directory",
            source,
        })?;
        Ok(Checkpoints { directory, keep: keep.max(1) })
    }

    /// The file of the checkpoint at `iterations`.
    pub fn path(&self, iterations: u64) -> PathBuf {
        self.directory.join(format!("{PREFIX}{iterations:015}{SUFFIX}"))
    }

    /// All checkpoints and their iterations, oldest first.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn list(&self) -> Result<Vec<(u64, PathBuf)>, CfrError> {
        let mut found: Vec<(u64, PathBuf)> = self
            .names()?
            .into_iter()
            .filter_map(|name| {
                let iterations = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.parse().ok()?;
                Some((iterations, self.directory.join(name)))
            })
            .collect();
        found.sort();
        Ok(found)
    }

    /// The newest checkpoint, if there is any.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn latest(&self) -> Result<Option<PathBuf>, CfrError> {
        Ok(self.list()?.pop().map(|(_, path)| path))
    }

    /// Opens the newest checkpoint that is whole. `skipped` is told about newer ones that are damaged, and they are set
    /// aside under names that are no checkpoints', so that nothing whole is ever removed in their favour. If none is
    /// whole, all stay as they are.
    ///
    /// # Errors
    /// What is wrong with the newest if none is whole; if one is wrong in another way than by damage; if the directory
    /// cannot be read or a file not be renamed.
    pub fn open_newest(&self, skipped: &mut dyn FnMut(&CfrError)) -> Result<Option<Checkpoint>, CfrError> {
        let mut damaged: Vec<(PathBuf, CfrError)> = Vec::new();
        for (_, path) in self.list()?.into_iter().rev() {
            match Checkpoint::open(&path) {
                Ok(checkpoint) => {
                    for (path, error) in &damaged {
                        set_aside(path)?;
                        skipped(error);
                    }
                    return Ok(Some(checkpoint));
                }
                Err(CfrError::Store(error)) if error.is_damage() => damaged.push((path, error.into())),
                Err(error) => return Err(error),
            }
        }
        damaged.into_iter().next().map_or(Ok(None), |(_, error)| Err(error))
    }

    /// Removes all but the newest checkpoints, and temporary files that a killed process has left.
    pub fn prune(&self) -> Result<(), CfrError> {
        let mut found = self.list()?;
        found.truncate(found.len().saturating_sub(self.keep));
        let leftovers = self.names()?.into_iter().filter(|name| {
            name.strip_prefix('.').is_some_and(|name| name.starts_with(PREFIX)) && name.ends_with(".tmp")
        });
        let old = found.into_iter().map(|(_, path)| path);
        for path in old.chain(leftovers.map(|name| self.directory.join(name))) {
            std::fs::remove_file(&path).map_err(|source| CfrError::Io { path, action: "remove", source })?;
        }
        Ok(())
    }

    fn names(&self) -> Result<Vec<String>, CfrError> {
        let error = |source| CfrError::Io { path: self.directory.clone(), action: "list", source };
        std::fs::read_dir(&self.directory)
            .map_err(error)?
            .map(|entry| Ok(entry.map_err(error)?.file_name().to_string_lossy().into_owned()))
            .collect()
    }
}
