//! The directory of a solution: its configuration, checkpoints and curve.

use super::{Point, SolveConfig};
use crate::error::CliError;
use crate::experiment::{difference, lock_directory, write_whole};
use crate::output::to_json;
use doorcard_cfr::Checkpoints;
use doorcard_report::tensorboard::ScalarLog;
use serde::Serialize;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Checkpoints kept, so that one remains if the newest is damaged.
const KEEP: usize = 2;

/// A directory that this process alone works in, begun with this very configuration.
pub(crate) struct SolveDir {
    root: PathBuf,
    checkpoints: Checkpoints,
    scalars: Option<ScalarLog>,
    /// Held until the process ends.
    _lock: File,
}

impl SolveDir {
    /// Opens or creates the directory. Solutions that have begun are gone on with, if `resume` says so; one has begun
    /// with its first checkpoint.
    pub(crate) fn open(root: &Path, config: &SolveConfig, resume: bool) -> Result<SolveDir, CliError> {
        fs::create_dir_all(root).map_err(CliError::io(root, "create"))?;
        let path = root.join("solve.toml");
        if !path.exists()
            && fs::read_dir(root).map_err(CliError::io(root, "read"))?.any(|entry| is_other(&entry))
        {
            let message = "not empty, and not the directory of a solution: it has no solve.toml".into();
            return Err(CliError::Mismatch { path: root.into(), message });
        }
        let lock = lock_directory(root)?;
        let begin = || {
            let text = toml::to_string(config).expect("a configuration is plain values");
            write_whole(&path, text.as_bytes())
        };
        // By this file the directory is known: it comes first.
        if !path.exists() {
            begin()?;
        }
        let checkpoints = Checkpoints::new(root.join("checkpoints"), KEEP)?;
        match checkpoints.latest()? {
            None => begin()?,
            Some(checkpoint) => {
                let text = fs::read_to_string(&path).map_err(CliError::io(&path, "read"))?;
                let begun: SolveConfig = toml::from_str(&text).map_err(|error| CliError::Config {
                    origin: path.display().to_string(),
                    message: error.message().into(),
                })?;
                if let Some((field, found, wanted)) = difference(&table(config), &table(&begun), |_| false) {
                    return Err(CliError::Changed { path: root.into(), field, found, wanted });
                }
                if !resume {
                    let message = "solving has begun here; --resume goes on from this checkpoint".into();
                    return Err(CliError::Mismatch { path: checkpoint, message });
                }
            }
        }
        Ok(SolveDir { root: root.into(), checkpoints, scalars: None, _lock: lock })
    }

    /// The newest checkpoint.
    pub(crate) fn latest(&self) -> Result<Option<PathBuf>, CliError> {
        Ok(self.checkpoints.latest()?)
    }

    /// The curve up to an iteration, from which the solver goes on. TensorBoard's begins anew with it.
    pub(crate) fn resume_curve(&mut self, iteration: u64) -> Result<Vec<Point>, CliError> {
        let path = self.curve();
        let mut points: Vec<Point> = Vec::new();
        if path.exists() {
            let text = fs::read_to_string(&path).map_err(CliError::io(&path, "read"))?;
            points = serde_json::from_str(&text).map_err(|error| CliError::Config {
                origin: path.display().to_string(),
                message: error.to_string(),
            })?;
        }
        points.retain(|point| point.iteration <= iteration);
        let seconds = points.last().map_or(0.0, |point| point.seconds);
        let mut scalars = ScalarLog::start(&self.root.join("tb"), seconds, &[])?;
        for point in &points {
            add(&mut scalars, point)?;
        }
        self.scalars = Some(scalars);
        Ok(points)
    }

    /// A new point of the curve, the last of `points`.
    pub(crate) fn point(&mut self, points: &[Point]) -> Result<(), CliError> {
        if let (Some(scalars), Some(point)) = (&mut self.scalars, points.last()) {
            add(scalars, point)?;
        }
        write_whole(&self.curve(), to_json(&points).as_bytes())
    }

    /// Where the checkpoint at an iteration goes.
    pub(crate) fn checkpoint(&self, iteration: u64) -> PathBuf {
        self.checkpoints.path(iteration)
    }

    /// Removes old checkpoints.
    pub(crate) fn prune(&self) -> Result<(), CliError> {
        Ok(self.checkpoints.prune()?)
    }

    /// Writes the result as `--json` prints it. Returns the file.
    pub(crate) fn result(&self, result: &impl Serialize) -> Result<PathBuf, CliError> {
        let path = self.root.join("result.json");
        write_whole(&path, to_json(result).as_bytes())?;
        Ok(path)
    }

    fn curve(&self) -> PathBuf {
        self.root.join("curve.json")
    }
}

fn add(scalars: &mut ScalarLog, point: &Point) -> Result<(), CliError> {
    for (tag, value) in point.scalars() {
        scalars.scalar(&tag, value, point.iteration, point.seconds)?;
    }
    Ok(scalars.flush()?)
}

/// Whether an entry is none that a solution leaves when it is killed before it has its `solve.toml`.
fn is_other(entry: &std::io::Result<fs::DirEntry>) -> bool {
    entry.as_ref().is_ok_and(|entry| entry.file_name() != ".lock" && entry.file_name() != "solve.toml.tmp")
}

/// All settings but the program's version, which may differ.
fn table(config: &SolveConfig) -> toml::Table {
    let mut table = toml::Table::try_from(config).expect("a configuration is plain values");
    table.remove("program");
    table
}
