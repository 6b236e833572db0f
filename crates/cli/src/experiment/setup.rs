//! What all steps need: the compiled game, and what everything will weigh.

use super::Experiment;
use super::against::Fixed;
use crate::error::CliError;
use doorcard_abstraction::{Abstraction, Exploitation, StudBoards, StudInfosets, Unbuilt, planned};
use doorcard_cfr::{Table, predicted_log_bytes, vector};
use doorcard_games::stud::tree::StudTree;
use doorcard_report::units;

/// The game of an experiment, compiled, and the opponent it is trained against, if that is not itself.
pub(crate) struct Setup {
    pub(crate) game: StudTree,
    pub(crate) fixed: Option<Fixed>,
}

/// What an experiment will need, known before anything is built: all that `max_memory` is held against. Not counted are
/// the program and the compiled betting, each thread's working space, and a checkpoint mapped while it is read. Units:
/// bytes, but for `infosets`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    /// At most; fewer where there are fewer different boards than public buckets.
    pub(crate) infosets: u64,
    pub(crate) table: u64,
    pub(crate) abstraction: u64,
    /// The logs of a batch, whatever is played.
    pub(crate) logs: u64,
}

impl Need {
    pub(crate) fn total(&self) -> u64 {
        self.table.saturating_add(self.abstraction).saturating_add(self.logs)
    }

    /// One line for people.
    pub(crate) fn describe(&self) -> String {
        format!(
            "up to {} infosets: {} for the table, {} for the abstraction, up to {} for the logs of a batch",
            units::short(self.infosets as f64),
            units::bytes(self.table),
            units::bytes(self.abstraction),
            units::bytes(self.logs)
        )
    }
}

impl Setup {
    /// Compiles the betting.
    ///
    /// Refuses rules that card abstractions cannot be built for, and an opponent of another game.
    pub(crate) fn new(experiment: &Experiment) -> Result<Setup, CliError> {
        Abstraction::supports(&experiment.game.rules)?;
        let game = StudTree::new(experiment.game.rules, experiment.history)?;
        let against = experiment.training.against.as_ref();
        let fixed = against.map(|against| Fixed::open(against, experiment, &game)).transpose()?;
        Ok(Setup { game, fixed })
    }

    /// What the experiment will need when trained on so many threads.
    fn need(&self, experiment: &Experiment, threads: usize) -> Need {
        let streets = planned(&self.game, &experiment.abstraction);
        let infosets = streets.iter().map(|street| street.rows).sum();
        let slots = streets.iter().map(|street| street.slots).sum();
        let training = &experiment.training;
        let table = self.table_bytes(experiment, slots);
        let logs = match training.vector {
            Some(vector) => {
                let cards = Unbuilt::new(&experiment.abstraction);
                match &self.fixed {
                    None => {
                        let boards = StudBoards::new(&self.game, cards);
                        vector::predicted_log_bytes(&boards, &vector, training.batch)
                    }
                    Some(fixed) => {
                        let boards = Exploitation::new(&self.game, cards, &fixed.cards);
                        vector::predicted_log_bytes(&boards, &vector, training.batch)
                    }
                }
            }
            None => {
                let sampling = training.solver.sampling();
                predicted_log_bytes::<_, f32>(&self.game, sampling, training.batch, threads)
            }
        };
        let abstraction = Abstraction::predicted_bytes(&experiment.abstraction, &experiment.game.rules);
        Need { infosets, table, abstraction, logs }
    }

    /// What the table of an experiment with so many infoset-action pairs takes. Units: bytes.
    pub(crate) fn table_bytes(&self, experiment: &Experiment, slots: u64) -> u64 {
        match experiment.training.vector {
            Some(vector) => {
                let cards = Unbuilt::new(&experiment.abstraction);
                match &self.fixed {
                    None => vector::predicted_table_bytes(&StudBoards::new(&self.game, cards), &vector),
                    Some(fixed) => {
                        let boards = Exploitation::new(&self.game, cards, &fixed.cards);
                        vector::predicted_table_bytes(&boards, &vector)
                    }
                }
            }
            None => {
                let table = Table::<f32>::predicted_bytes(slots);
                let baselines = if experiment.training.baseline.is_some() { table / 2 } else { 0 };
                table.saturating_add(baselines)
            }
        }
    }

    /// Refuses an experiment that would not fit, before anything is allocated.
    pub(crate) fn check_memory(&self, experiment: &Experiment, threads: usize) -> Result<Need, CliError> {
        let need = self.need(experiment, threads);
        let allowed = experiment.training.max_memory;
        if need.total() > allowed {
            return Err(CliError::Memory { what: need.describe(), needed: need.total(), allowed });
        }
        Ok(need)
    }

    /// The infosets of the game under an abstraction.
    pub(crate) fn infosets<'a>(&'a self, abstraction: &'a Abstraction) -> StudInfosets<'a, &'a Abstraction> {
        StudInfosets::new(&self.game, abstraction)
    }
}
