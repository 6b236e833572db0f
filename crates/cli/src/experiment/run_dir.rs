//! The run directory: where each step leaves its work and finds that of the steps before.

use super::Experiment;
use crate::error::CliError;
use doorcard_bots::ABSTRACTION_FILE;
use doorcard_report::CurvePoint;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A run directory that this process alone works in, begun with this very configuration.
pub(crate) struct RunDir {
    root: PathBuf,
    /// Held until the process ends.
    _lock: File,
}

impl RunDir {
    /// Opens the experiment's directory, or creates it.
    ///
    /// Refuses a directory that was begun with other settings, one that holds something else, and one that another
    /// process works in.
    pub(crate) fn open(experiment: &Experiment) -> Result<RunDir, CliError> {
        let root = experiment.out.clone();
        let config = root.join("config.toml");
        if root.is_dir() && !config.exists() && !is_empty(&root)? {
            let message = "not empty, and not a run directory: it has no config.toml".into();
            return Err(CliError::Mismatch { path: root, message });
        }
        fs::create_dir_all(&root).map_err(CliError::io(&root, "create"))?;
        let lock_path = root.join(".lock");
        let lock = File::create(&lock_path).map_err(CliError::io(&lock_path, "create"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(CliError::Busy(root)),
            Err(TryLockError::Error(source)) => return Err(CliError::io(&lock_path, "lock")(source)),
        }
        if config.exists() {
            let begun = Experiment::load(&root)?;
            if let Some((field, found, wanted)) = experiment.difference(&begun) {
                return Err(CliError::Changed { path: root, field, found, wanted });
            }
        } else {
            write_whole(&config, experiment.to_toml().as_bytes())?;
        }
        Ok(RunDir { root, _lock: lock })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn abstraction(&self) -> PathBuf {
        self.root.join(ABSTRACTION_FILE)
    }

    pub(crate) fn checkpoints(&self) -> PathBuf {
        self.root.join("checkpoints")
    }

    pub(crate) fn strategy(&self) -> PathBuf {
        self.root.join("strategy.dcst")
    }

    pub(crate) fn metrics(&self) -> PathBuf {
        self.root.join("metrics.jsonl")
    }

    pub(crate) fn timing(&self) -> PathBuf {
        self.root.join("timing.json")
    }

    pub(crate) fn tensorboard(&self) -> PathBuf {
        self.root.join("tb")
    }

    pub(crate) fn matches(&self) -> PathBuf {
        self.root.join("matches")
    }

    pub(crate) fn hands(&self) -> PathBuf {
        self.root.join("hands")
    }

    pub(crate) fn match_with(&self, bot: &str) -> PathBuf {
        self.matches().join(format!("{bot}.json"))
    }

    pub(crate) fn report_json(&self) -> PathBuf {
        self.root.join("report.json")
    }

    pub(crate) fn report_html(&self) -> PathBuf {
        self.root.join("report.html")
    }

    /// The points of the learning curve recorded so far.
    pub(crate) fn read_metrics(&self) -> Result<Vec<CurvePoint>, CliError> {
        let path = self.metrics();
        if !path.exists() {
            return Ok(Vec::new());
        }
        let text = fs::read_to_string(&path).map_err(CliError::io(&path, "read"))?;
        let mut points = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let point = serde_json::from_str(line).map_err(|error| CliError::Config {
                origin: format!("{}: line {}", path.display(), i + 1),
                message: error.to_string(),
            })?;
            points.push(point);
        }
        Ok(points)
    }

    /// Replaces the learning curve.
    pub(crate) fn write_metrics(&self, points: &[CurvePoint]) -> Result<(), CliError> {
        let line = |point| serde_json::to_string(point).expect("a point is plain numbers") + "\n";
        write_whole(&self.metrics(), points.iter().map(line).collect::<String>().as_bytes())
    }
}

/// Writes a file under its name only when it is complete.
pub(crate) fn write_whole(path: &Path, contents: &[u8]) -> Result<(), CliError> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(contents)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    });
    written.map_err(CliError::io(path, "write"))
}

fn is_empty(folder: &Path) -> Result<bool, CliError> {
    let mut entries = fs::read_dir(folder).map_err(CliError::io(folder, "read"))?;
    Ok(entries.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(out: &Path, iterations: u64) -> Experiment {
        let text = format!(
            "name = \"t\"\ngame = \"stud_bench\"\nabstraction = \"tiny\"\n[training]\niterations = {iterations}\n"
        );
        let mut experiment = Experiment::from_toml(&text, "t.toml", Path::new(".")).unwrap();
        experiment.out = out.to_path_buf();
        experiment
    }

    #[test]
    fn a_directory_belongs_to_one_configuration_and_one_process() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("run");
        let first = RunDir::open(&experiment(&out, 100)).unwrap();
        assert!(matches!(RunDir::open(&experiment(&out, 100)), Err(CliError::Busy(_))));
        drop(first);
        let message = RunDir::open(&experiment(&out, 200)).err().unwrap().to_string();
        assert!(message.contains("training.") && message.contains("delete the directory"), "{message}");
        RunDir::open(&experiment(&out, 100)).unwrap();
    }

    #[test]
    fn a_folder_of_something_else_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("thesis.tex"), "").unwrap();
        let message = RunDir::open(&experiment(dir.path(), 100)).err().unwrap().to_string();
        assert!(message.contains("not a run directory"), "{message}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn the_learning_curve_survives_being_written() {
        let dir = tempfile::tempdir().unwrap();
        let run = RunDir::open(&experiment(&dir.path().join("run"), 100)).unwrap();
        assert_eq!(run.read_metrics().unwrap(), []);
        let point = |iteration| CurvePoint {
            iteration,
            seconds: 0.1,
            nodes: 3,
            nodes_per_second: 1.0 / 3.0,
            regret_visits_per_infoset: 0.5,
            average_visits_per_infoset: 0.25,
            visited: 0.1,
            averaged: 0.05,
            summed_positive_regret: 1.5,
        };
        run.write_metrics(&[point(1), point(2)]).unwrap();
        assert_eq!(run.read_metrics().unwrap(), [point(1), point(2)]);
        fs::write(run.metrics(), "{}\n").unwrap();
        let message = run.read_metrics().unwrap_err().to_string();
        assert!(message.contains("metrics.jsonl: line 1"), "{message}");
    }
}
