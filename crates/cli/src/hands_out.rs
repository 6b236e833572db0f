//! Hands of a match as a hand history file.

use crate::error::CliError;
use doorcard_games::stud::phh::{self, Hand};
use doorcard_games::stud::{Rules, SeatSet, State};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A `.phhs` file that grows hand by hand.
pub(crate) struct HandWriter {
    path: PathBuf,
    file: BufWriter<File>,
    hands: u64,
    /// What other readers of the format do not know about the game, by the first hand.
    only_here: Vec<String>,
}

impl HandWriter {
    /// Hands played by `rules` will be written to `path`.
    pub(crate) fn create(path: &Path, rules: &Rules) -> Result<HandWriter, CliError> {
        rules.require_standard("--hands-out")?;
        if path.extension().is_none_or(|e| e != "phhs") {
            let message = format!("--hands-out {}: expected a name ending in .phhs", path.display());
            return Err(CliError::Usage(message));
        }
        let file = File::create(path).map_err(CliError::io(path, "create"))?;
        Ok(HandWriter {
            path: path.to_path_buf(),
            file: BufWriter::new(file),
            hands: 0,
            only_here: Vec::new(),
        })
    }

    /// Adds a hand that is over, all cards open, with the players' names in the order of the seats.
    pub(crate) fn add(&mut self, state: &State, names: &[&str]) -> Result<(), CliError> {
        self.hands += 1;
        let mut hand = Hand::from_state(state, SeatSet::first(state.players()))?;
        let names = names.iter().map(|&name| toml::Value::from(name)).collect();
        hand.info.insert("players".into(), toml::Value::Array(names));
        if self.hands == 1 {
            self.only_here = hand.only_here();
        }
        let text = phh::write_numbered(self.hands, &hand);
        let gap = if self.hands == 1 { "" } else { "\n" };
        write!(self.file, "{gap}{text}").map_err(CliError::io(&self.path, "write"))
    }

    /// Makes sure that everything is written. Returns what other readers of the format do not know about the game.
    pub(crate) fn finish(mut self) -> Result<Vec<String>, CliError> {
        self.file.flush().map_err(CliError::io(&self.path, "write"))?;
        Ok(self.only_here)
    }
}
