//! Results on standard output: text for people or JSON for machines.

use crate::error::CliError;
use serde::Serialize;
use std::io::{self, Write};

/// Settings that hold for every command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// Whether standard output carries JSON and nothing else.
    pub(crate) json: bool,
    /// Worker threads asked for on the command line.
    pub(crate) threads: Option<usize>,
}

impl Context {
    /// Limits all work to the threads of an experiment, unless the command line has said how many.
    ///
    /// # Errors
    /// If the system does not give so many threads.
    pub(crate) fn experiment_threads(&self, threads: Option<usize>) -> Result<(), CliError> {
        match (self.threads, threads) {
            (None, Some(threads)) => limit_threads(threads),
            _ => Ok(()),
        }
    }

    /// Prints text for people along the way; nothing under `--json`. The text brings its own line breaks. That nobody
    /// reads on is no reason to stop working.
    pub(crate) fn text(&self, text: &str) -> Result<(), CliError> {
        match self.json {
            true => Ok(()),
            false => write(text).or_else(|error| match error {
                CliError::BrokenPipe => Ok(()),
                error => Err(error),
            }),
        }
    }

    /// As [`Context::text`], one line.
    pub(crate) fn line(&self, line: impl AsRef<str>) -> Result<(), CliError> {
        self.text(&format!("{}\n", line.as_ref()))
    }

    /// Prints a value as JSON under `--json`, otherwise the text.
    pub(crate) fn result(
        &self,
        value: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), CliError> {
        if self.json { write_json(value) } else { write(&text()) }
    }
}

/// Limits all work to so many threads; once in a process, before any work.
pub(crate) fn limit_threads(threads: usize) -> Result<(), CliError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    pool.map_err(|error| CliError::Usage(format!("{threads} threads: {error}")))
}

/// Prints a value as JSON.
pub(crate) fn write_json(value: &impl Serialize) -> Result<(), CliError> {
    write(&to_json(value))
}

/// Indented JSON with a final line break.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("results have string keys and plain values");
    text.push('\n');
    text
}

fn write(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|source| match source.kind() {
        io::ErrorKind::BrokenPipe => CliError::BrokenPipe,
        _ => CliError::Io { path: "standard output".into(), action: "write", source },
    })
}

/// Prints a line on standard error, where it is not in the way of results. A closed standard error is no reason to stop.
pub(crate) fn note(line: impl AsRef<str>) {
    let _ = writeln!(io::stderr(), "{}", line.as_ref());
}
