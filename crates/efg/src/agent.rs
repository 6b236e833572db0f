//! Players of a game.

use crate::Game;
use rand::Rng;

/// A game that can say what one player sees.
pub trait Observe: Game {
    /// What one player knows at a node, and nothing else.
    type Observation<'a>
    where
        Self: 'a;

    /// What `player` knows at `node`.
    fn observe<'a>(
        &'a self,
        node: &'a Self::Node,
        deal: &'a Self::Deal,
        player: usize,
    ) -> Self::Observation<'a>;
}

/// A player. It keeps no state between decisions: an observation holds the whole history, and chance comes from the
/// generator it is handed, so that a match is the same for any number of threads.
pub trait Agent<G: Observe>: Sync {
    /// A short name for tables.
    fn name(&self) -> &str;

    /// The action chosen, below the number of actions of [`Game::turn`].
    fn act(&self, observation: &G::Observation<'_>, rng: &mut dyn Rng) -> usize;
}
