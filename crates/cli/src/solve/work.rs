//! A solver at work, whatever its algorithm.

use crate::error::CliError;
use doorcard_cfr::exact::{Solver, Traversal};
use doorcard_cfr::{AverageStrategy, Real, Trainer};
use doorcard_efg::{Game, Infosets, Policy};
use std::path::Path;

/// A solver that can be asked for more.
pub(crate) trait Work {
    /// Iterations done in all sessions.
    fn iterations(&self) -> u64;

    /// Iterations of a step.
    fn unit(&self) -> u64;

    /// Does one step.
    fn step(&mut self) -> Result<(), CliError>;

    /// The average strategy.
    fn average(&self) -> Box<dyn Policy + '_>;

    /// An upper bound of the average regret of the player who regrets most; nothing where regrets are sampled. Units:
    /// chips.
    fn average_regret_bound(&self) -> Option<f64>;

    /// Writes a checkpoint.
    fn save(&self, path: &Path) -> Result<(), CliError>;
}

/// An exact solver, and whether its regrets are exact too: public chance sampling's are not.
pub(crate) struct ExactWork<V: Traversal, T: Real> {
    pub(crate) solver: Solver<V, T>,
    pub(crate) exact: bool,
}

impl<V: Traversal, T: Real> Work for ExactWork<V, T> {
    fn iterations(&self) -> u64 {
        self.solver.iterations()
    }

    fn unit(&self) -> u64 {
        1
    }

    fn step(&mut self) -> Result<(), CliError> {
        self.solver.step();
        Ok(())
    }

    fn average(&self) -> Box<dyn Policy + '_> {
        Box::new(self.solver.average())
    }

    fn average_regret_bound(&self) -> Option<f64> {
        let largest = || self.solver.average_regrets().into_iter().fold(0.0, f64::max);
        self.exact.then(largest)
    }

    fn save(&self, path: &Path) -> Result<(), CliError> {
        self.solver.save(path)?;
        Ok(())
    }
}

impl<G: Game, I: Infosets<G>, T: Real> Work for Trainer<'_, G, I, T> {
    fn iterations(&self) -> u64 {
        self.state().iterations
    }

    fn unit(&self) -> u64 {
        self.config().batch
    }

    fn step(&mut self) -> Result<(), CliError> {
        Ok(self.try_step()?)
    }

    fn average(&self) -> Box<dyn Policy + '_> {
        Box::new(AverageStrategy(self.table()))
    }

    fn average_regret_bound(&self) -> Option<f64> {
        None
    }

    fn save(&self, path: &Path) -> Result<(), CliError> {
        Trainer::save(self, path)?;
        Ok(())
    }
}
