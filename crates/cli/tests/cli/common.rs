//! Running the binary and looking at what it says.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A small experiment: built and trained in seconds.
pub(crate) const EXPERIMENT: &str = r#"
name = "small"
seed = 7
game = "stud_bench"
abstraction = "tiny"
history = "counts"

[training]
iterations = 6000
batch = 500
checkpoint_every = 1500

[evaluation]
bots = ["uniform", "call"]
duplicates = 500
"#;

/// What a command left behind.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Asserts that all went well.
    #[track_caller]
    pub(crate) fn ok(self) -> Ran {
        assert_eq!(self.code, Some(0), "stdout: {}\nstderr: {}", self.out, self.err);
        self
    }

    /// Asserts that the input was refused in one line that says all of `parts`, and without a panic.
    #[track_caller]
    pub(crate) fn refused(self, parts: &[&str]) {
        assert_eq!(self.code, Some(2), "stdout: {}\nstderr: {}", self.out, self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
        assert!(parts.iter().all(|part| self.err.contains(part)), "{parts:?} in: {}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }

    #[track_caller]
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.ok().out).expect("standard output is JSON")
    }
}

/// The binary, to be run in a folder.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_doorcard"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs the binary in a folder.
pub(crate) fn doorcard(folder: &Path, args: &[&str]) -> Ran {
    Ran::from(command(folder).args(args).output().expect("the binary starts"))
}

/// A folder with an experiment in it.
pub(crate) fn folder_with(experiment: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("small.toml"), experiment).expect("the experiment is written");
    folder
}

/// The files of a folder, in the order of their names.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}
