//! What sampled solvers have in common: what they are told, what they read, and where they write.
//!
//! [`crate::external`] and [`crate::outcome`] are the traversals. Both walk a deal for one player at a time, against
//! tables that are [`Frozen`] while a batch lasts, and write what they find to a [`Sink`].

use crate::table::Regrets;
use crate::{CfrError, Row};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which traversal training runs. All draw the deal and the opponents' actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sampling {
    /// The traverser tries every action: [`crate::external`].
    #[default]
    External,
    /// The traverser's actions are drawn as well, so that a traversal is one line of play: [`crate::outcome`].
    Outcome,
    /// The traverser is a vector of all hands on a drawn board, tried with every action: [`crate::vector`].
    Vector,
}

impl Sampling {
    /// What its iterations are.
    pub fn unit(self) -> &'static str {
        match self {
            Sampling::External | Sampling::Outcome => "deals",
            Sampling::Vector => "boards",
        }
    }
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sampling::External => "external",
            Sampling::Outcome => "outcome",
            Sampling::Vector => "vector",
        })
    }
}

/// When [`crate::external`] leaves out an action of the traverser: see there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pruning {
    /// An action may be left out while its regret is below minus this, counted in the weight of the present batch: so
    /// much must be gained at one visit of this batch for the action to be played again. Several times
    /// `utility range / explore` is a cautious choice. Units: chips.
    pub below: f64,
    /// The probability that a traversal leaves nothing out.
    #[serde(default = "default_explore")]
    pub explore: f64,
}

fn default_explore() -> f64 {
    0.05
}

impl Pruning {
    /// Refuses values out of range.
    pub(crate) fn check(&self) -> Result<(), CfrError> {
        let refuse = |setting, found: f64, expected| {
            Err(CfrError::Setting { setting, found: found.to_string(), expected })
        };
        if !(self.below >= 0.0 && self.below.is_finite()) {
            return refuse("prune.below", self.below, "a number of chips, zero or more,");
        }
        if !(self.explore > 0.0 && self.explore <= 1.0) {
            return refuse("prune.explore", self.explore, "a probability above 0, at most 1,");
        }
        Ok(())
    }
}

/// A game and what all traversals of a batch play by.
pub struct Frozen<'a, G, I, T> {
    /// The game.
    pub game: &'a G,
    /// Where its infosets lie.
    pub infosets: &'a I,
    /// The cumulative regrets.
    pub regrets: Regrets<'a, T>,
    /// The baseline of every action, if there are any; read by [`crate::outcome`]. Units: chips.
    pub baselines: Option<Regrets<'a, T>>,
    /// What is left out, if anything; read by [`crate::external`]. `below` is in the units of `regrets`.
    pub pruning: Option<Pruning>,
}

impl<'a, G, I, T> Frozen<'a, G, I, T> {
    /// No baselines, and nothing left out.
    pub fn new(game: &'a G, infosets: &'a I, regrets: Regrets<'a, T>) -> Frozen<'a, G, I, T> {
        Frozen { game, infosets, regrets, baselines: None, pruning: None }
    }
}

/// Where a traversal leaves what it has found.
pub trait Sink<T> {
    /// Sampled regrets of the traverser's row at `slot`. Units: chips.
    fn regret(&mut self, slot: u64, deltas: &Row<T>, actions: usize);

    /// The strategy of an opponent's row at `slot`, times the weight that makes averages right.
    fn average(&mut self, slot: u64, strategy: &Row<T>, actions: usize);

    /// What `action` of the traverser's row at `slot` turned out to be worth to its player: what baselines learn
    /// from. Only told where there are baselines. Units: chips.
    fn outcome(&mut self, slot: u64, action: usize, value: T) {
        let _ = (slot, action, value);
    }
}
