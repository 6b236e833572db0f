//! What a player can tell apart, as dense table positions.

use crate::Game;

/// The information sets of a game, real or abstracted, laid out in one dense table of infoset-action pairs.
///
/// A row is an infoset; its `n` actions are `n` consecutive slots. Where rows lie is decided here, not in the solver:
/// an implementation keeps together what one traversal touches.
pub trait Infosets<G: Game>: Sync {
    /// What is worth computing once a deal (buckets, table bases) before any of its nodes is visited.
    type View: Send;

    /// How many infosets there are.
    fn rows(&self) -> u64;

    /// How many infoset-action pairs there are: the table's length.
    fn slots(&self) -> u64;

    /// Prepares a deal.
    fn view(&self, game: &G, deal: &G::Deal) -> Self::View;

    /// The first slot of the infoset of `player` at `node`, where `player` is to move.
    ///
    /// It depends only on what that player knows there.
    fn slot(&self, view: &Self::View, node: &G::Node, player: usize) -> u64;

    /// Calls `f` with the first slot and the number of actions of every row, in ascending order of slots.
    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize));
}
