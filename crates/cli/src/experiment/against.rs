//! The fixed opponent of an exploiter: a trained strategy that another is trained to beat.

use super::Experiment;
use crate::error::CliError;
use doorcard_abstraction::{Abstraction, CardAbstraction, Exploitation, StudInfosets};
use doorcard_bots::{ABSTRACTION_FILE, history, subject};
use doorcard_cfr::Strategy;
use doorcard_cfr::vector::BoardTrainer;
use doorcard_efg::Rows;
use doorcard_games::stud::Rules;
use doorcard_games::stud::tree::{MAX_ACTIONS, StudTree};
use std::path::{Path, PathBuf};

/// Which strategy an experiment trains against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Against {
    /// Its file; the abstraction's lies beside it.
    pub(crate) path: PathBuf,
    /// Its file's fingerprint.
    pub(crate) fingerprint: String,
}

impl Against {
    /// The strategy in a file.
    pub(crate) fn open(path: &Path) -> Result<Against, CliError> {
        let path = std::path::absolute(path).map_err(CliError::io(path, "find"))?;
        let fingerprint = format!("{:016x}", Strategy::open(&path)?.container().fingerprint());
        Ok(Against { path, fingerprint })
    }
}

/// A strategy that does not learn.
pub(crate) struct Fixed {
    strategy: Strategy,
    pub(super) cards: Abstraction,
}

impl Fixed {
    /// The strategy that an experiment, whose game is compiled, trains against. Refuses another game.
    pub(super) fn open(
        against: &Against,
        experiment: &Experiment,
        game: &StudTree,
    ) -> Result<Fixed, CliError> {
        let strategy = Strategy::open(&against.path)?;
        let refuse = |message: String| Err(CliError::Mismatch { path: against.path.clone(), message });
        let found = format!("{:016x}", strategy.container().fingerprint());
        if found != against.fingerprint {
            return refuse(format!(
                "its fingerprint is {found}: expected {}, what training began against",
                against.fingerprint
            ));
        }
        let trained = &strategy.header().subject;
        if Rules::from_toml(&trained.rules, &against.path.display().to_string())? != experiment.game.rules {
            return refuse(format!(
                "trained for other rules than the experiment's game, {}",
                experiment.game.name
            ));
        }
        if history(&trained.game) != Some(experiment.history) {
            return refuse(format!(
                "its strategy is for '{}': expected the experiment's history",
                trained.game
            ));
        }
        let cards = Abstraction::load(against.path.with_file_name(ABSTRACTION_FILE))?;
        strategy.expect(&subject(game, &trained.abstraction, &cards), &StudInfosets::new(game, &cards))?;
        Ok(Fixed { strategy, cards })
    }

    /// Writes the strategy into the tables of a trainer, where it stays.
    pub(super) fn fill<L: CardAbstraction, I: Rows>(
        &self,
        game: &StudTree,
        boards: &Exploitation<'_, L, &Abstraction>,
        trainer: &mut BoardTrainer<'_, Exploitation<'_, L, &Abstraction>, I>,
    ) {
        trainer.set_regrets(|set| {
            StudInfosets::new(game, &self.cards).for_each_row(&mut |slot, actions| {
                let mut row = [0.0; MAX_ACTIONS];
                // Rows that training never came to are uniform, as rows without regrets are.
                self.strategy.row(slot, &mut row[..actions]);
                let place = boards.fixed_place(slot);
                for (action, &chance) in row[..actions].iter().enumerate() {
                    set(place.first + action as u64 * place.stride, chance as f32);
                }
            });
        });
    }
}
