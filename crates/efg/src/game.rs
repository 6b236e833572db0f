//! Games in history form: any number of players, cheap states, chance dealt before the first action.

use rand::Rng;

/// Who moves at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A player chooses among `actions` actions, numbered from 0.
    Decide {
        /// The player, numbered from 0.
        player: usize,
        /// How many actions there are; at least one.
        actions: usize,
    },
    /// The game is over; [`Game::utility`] says how.
    Over,
}

/// A game whose chance moves do not depend on what the players do, so that all of them can be dealt at the start
/// and revealed as play goes on.
///
/// Card games are of this kind once every seat's cards are dealt in advance: a folded seat's further cards are
/// exchangeable with those left in the deck. A node is the public part of a history (the betting); together with a
/// deal it is a history.
pub trait Game: Sync {
    /// Everything chance decides.
    type Deal: Send;
    /// The players' actions so far.
    type Node: Clone + Send;

    /// How many players.
    fn players(&self) -> usize;

    /// An upper bound on the number of actions at any node.
    fn max_actions(&self) -> usize;

    /// Draws a deal from the game's distribution.
    fn deal<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::Deal;

    /// The first node.
    fn root(&self, deal: &Self::Deal) -> Self::Node;

    /// Who moves at `node`.
    fn turn(&self, node: &Self::Node, deal: &Self::Deal) -> Turn;

    /// The node after `action` (below the `actions` of [`Game::turn`]).
    fn act(&self, node: &Self::Node, deal: &Self::Deal, action: usize) -> Self::Node;

    /// What `player` has won or lost at the end. Units: chips.
    fn utility(&self, node: &Self::Node, deal: &Self::Deal, player: usize) -> f64;
}

/// A game small enough that all deals can be listed, for exact solutions.
pub trait EnumerableGame: Game {
    /// Calls `f` with every deal and its probability; the probabilities sum to one.
    fn for_each_deal(&self, f: &mut dyn FnMut(&Self::Deal, f64));
}
