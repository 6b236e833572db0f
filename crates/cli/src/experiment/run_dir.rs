//! The run directory: where each step leaves its work and finds that of the steps before.

use super::Experiment;
use crate::error::CliError;
use doorcard_bots::ABSTRACTION_FILE;
use doorcard_report::CurvePoint;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of checkpoints in a run directory.
pub(super) const CHECKPOINTS: &str = "checkpoints";
/// The folder of strategies kept along training.
pub(super) const MILESTONES: &str = "milestones";
/// The exported strategy.
pub(super) const STRATEGY: &str = "strategy.dcst";
/// The learning curve.
pub(super) const METRICS: &str = "metrics.jsonl";
/// The report as JSON.
const REPORT: &str = "report.json";
/// How long training has taken.
pub(super) const TIMING: &str = "timing.json";

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
    /// process works in. Settings that may change are written to `config.toml`; temporary files that a killed process
    /// left are removed.
    pub(crate) fn open(experiment: &Experiment) -> Result<RunDir, CliError> {
        let root = experiment.out.clone();
        let config = root.join("config.toml");
        if root.is_dir() && !config.exists() && !is_unused(&root)? {
            let message = "not empty, and not a run directory: it has no config.toml".into();
            return Err(CliError::Mismatch { path: root, message });
        }
        fs::create_dir_all(&root).map_err(CliError::io(&root, "create"))?;
        let lock = lock_directory(&root)?;
        let run = RunDir { root, _lock: lock };
        run.clean()?;
        let text = experiment.to_toml();
        let mut up_to_date = false;
        if config.exists() {
            let begun = Experiment::load(&run.root)?;
            if let Some((field, found, wanted)) = experiment.difference(&begun) {
                return Err(CliError::Changed { path: run.root, field, found, wanted });
            }
            up_to_date = begun.to_toml() == text;
        }
        if !up_to_date {
            write_whole(&config, text.as_bytes())?;
        }
        Ok(run)
    }

    /// Removes what killed processes were writing.
    fn clean(&self) -> Result<(), CliError> {
        let folders = [
            self.root.clone(),
            self.checkpoints(),
            self.milestones(),
            self.matches(),
            self.hands(),
            self.ladder(),
        ];
        for folder in folders {
            if !folder.is_dir() {
                continue;
            }
            for entry in fs::read_dir(&folder).map_err(CliError::io(&folder, "read"))? {
                let path = entry.map_err(CliError::io(&folder, "read"))?.path();
                if is_temporary(&path) {
                    fs::remove_file(&path).map_err(CliError::io(&path, "remove"))?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn abstraction(&self) -> PathBuf {
        self.root.join(ABSTRACTION_FILE)
    }

    pub(crate) fn checkpoints(&self) -> PathBuf {
        self.root.join(CHECKPOINTS)
    }

    pub(crate) fn milestones(&self) -> PathBuf {
        self.root.join(MILESTONES)
    }

    /// The strategy that is kept of an iteration.
    pub(crate) fn milestone(&self, iteration: u64) -> PathBuf {
        self.milestones().join(format!("{iteration}.dcst"))
    }

    pub(crate) fn strategy(&self) -> PathBuf {
        self.root.join(STRATEGY)
    }

    /// The strategy for another game than it was trained for.
    pub(crate) fn translated(&self, game: &str) -> PathBuf {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        self.root.join(format!("strategy.{}.dcst", game.chars().map(plain).collect::<String>()))
    }

    pub(crate) fn metrics(&self) -> PathBuf {
        self.root.join(METRICS)
    }

    pub(crate) fn timing(&self) -> PathBuf {
        self.root.join(TIMING)
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

    pub(crate) fn ladder(&self) -> PathBuf {
        self.root.join("ladder")
    }

    pub(crate) fn ladder_csv(&self) -> PathBuf {
        self.root.join("ladder.csv")
    }

    pub(crate) fn ladder_tex(&self) -> PathBuf {
        self.root.join("ladder.tex")
    }

    pub(crate) fn report_json(&self) -> PathBuf {
        self.root.join(REPORT)
    }

    /// Where the report of an experiment lies, if it was made.
    pub(crate) fn report_of(experiment: &Experiment) -> PathBuf {
        experiment.out.join(REPORT)
    }

    pub(crate) fn report_html(&self) -> PathBuf {
        self.root.join("report.html")
    }

    /// The points of the learning curve recorded so far.
    pub(crate) fn read_metrics(&self) -> Result<Vec<CurvePoint>, CliError> {
        read_metrics(&self.metrics())
    }

    /// Replaces the learning curve.
    pub(crate) fn write_metrics(&self, points: &[CurvePoint]) -> Result<(), CliError> {
        let line = |point| serde_json::to_string(point).expect("a point is plain numbers") + "\n";
        write_whole(&self.metrics(), points.iter().map(line).collect::<String>().as_bytes())
    }
}

/// The points of a learning curve; none if there is no such file.
pub(super) fn read_metrics(path: &Path) -> Result<Vec<CurvePoint>, CliError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path).map_err(CliError::io(path, "read"))?;
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

/// Keeps other processes of this program out of a directory for as long as the result lives.
pub(crate) fn lock_directory(root: &Path) -> Result<File, CliError> {
    let path = root.join(".lock");
    let lock = File::create(&path).map_err(CliError::io(&path, "create"))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(CliError::Busy(root.to_path_buf())),
        Err(TryLockError::Error(source)) => Err(CliError::io(&path, "lock")(source)),
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

/// Whether a file is one that [`write_whole`] or a container was being written to: `report.json.tmp` or
/// `.strategy.dcst-Xy12ab.tmp`.
fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ours = |name: &str| {
        let kind = Path::new(name).extension().unwrap_or_default().to_string_lossy();
        name.starts_with('.') || ["toml", "json", "jsonl", "html", "csv", "tex", "dcab"].contains(&&*kind)
    };
    path.is_file() && name.strip_suffix(".tmp").is_some_and(ours)
}

/// Whether there is nothing in a folder but what a run leaves that is killed before it has its `config.toml`.
fn is_unused(folder: &Path) -> Result<bool, CliError> {
    for entry in fs::read_dir(folder).map_err(CliError::io(folder, "read"))? {
        let name = entry.map_err(CliError::io(folder, "read"))?.file_name();
        if name != ".lock" && name != "config.toml.tmp" {
            return Ok(false);
        }
    }
    Ok(true)
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
        let message = RunDir::open(&experiment(&out, 50)).err().unwrap().to_string();
        assert!(message.contains("training.") && message.contains("delete the directory"), "{message}");
        RunDir::open(&experiment(&out, 100)).unwrap();
        RunDir::open(&experiment(&out, 200)).unwrap();
        assert_eq!(Experiment::load(&out).unwrap().training.iterations, 200);
    }

    #[test]
    fn a_directory_killed_at_birth_is_begun_anew() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(".lock"), "").unwrap();
        fs::write(dir.path().join("config.toml.tmp"), "name = ").unwrap();
        RunDir::open(&experiment(dir.path(), 100)).unwrap();
        assert!(!dir.path().join("config.toml.tmp").exists());
    }

    #[test]
    fn what_killed_processes_were_writing_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let run = RunDir::open(&experiment(dir.path(), 100)).unwrap();
        let (checkpoints, matches) = (run.checkpoints(), run.matches());
        drop(run);
        fs::create_dir_all(&checkpoints).unwrap();
        fs::create_dir_all(&matches).unwrap();
        let left = [
            dir.path().join(".strategy.dcst-WLHlct.tmp"),
            dir.path().join("report.html.tmp"),
            checkpoints.join(".checkpoint-000000000006000.ckpt-abc123.tmp"),
            matches.join("call.json.tmp"),
        ];
        let others = [dir.path().join("notes.tmp"), dir.path().join("notes.json"), matches.join("call.json")];
        for path in left.iter().chain(&others) {
            fs::write(path, "").unwrap();
        }
        RunDir::open(&experiment(dir.path(), 100)).unwrap();
        assert!(left.iter().all(|path| !path.exists()));
        assert!(others.iter().all(|path| path.exists()));
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
