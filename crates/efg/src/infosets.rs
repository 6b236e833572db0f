//! What a player can tell apart, as dense table positions.

use crate::{Game, PublicGame};
use std::ops::Range;

/// The information sets of a game, real or abstracted, laid out in one dense table of infoset-action pairs.
///
/// A row is an infoset; its `n` actions are `n` consecutive slots. Where rows lie is decided here, not in the solver:
/// an implementation keeps together what one traversal touches.
pub trait Rows: Sync {
    /// How many infosets there are.
    fn rows(&self) -> u64;

    /// How many infoset-action pairs there are: the table's length.
    fn slots(&self) -> u64;

    /// Calls `f` with the first slot and the number of actions of every row, in ascending order of slots.
    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize));
}

/// [`Rows`] found from a history: a deal and a node of a [`Game`].
pub trait Infosets<G: Game>: Rows {
    /// What is worth computing once a deal (buckets, table bases) before any of its nodes is visited.
    type View: Send;

    /// Prepares a deal.
    fn view(&self, game: &G, deal: &G::Deal) -> Self::View;

    /// The first slot of the infoset of `player` at `node`, where `player` is to move.
    ///
    /// It depends only on what that player knows there.
    fn slot(&self, view: &Self::View, node: &G::Node, player: usize) -> u64;
}

/// [`Rows`] found from a public state of a [`PublicGame`], those of all hands at once.
///
/// A game in both forms has one type that implements this and [`Infosets`], with the same slots, so that tables,
/// strategies and files do not depend on the form.
pub trait PublicInfosets<G: PublicGame>: Rows {
    /// The rows of all hands of `player`, who is to move.
    fn block<'a>(&'a self, game: &'a G, node: G::Node, board: &'a G::Board, player: usize) -> Block<'a>;

    /// If nothing below one outcome of the root's chance shares a row with anything below another: the slots below
    /// each outcome, in order, one range after the other. Outcomes can then be solved in parallel.
    fn root_outcomes(&self) -> Option<Vec<Range<u64>>> {
        None
    }
}

/// The rows of all hands of a player at a public state. Hand `h` has the row that starts at
/// `base + stride * buckets[h]`.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The first slot of bucket 0.
    pub base: u64,
    /// From one bucket's row to the next. Units: slots.
    pub stride: u64,
    /// The bucket of each hand; hands that cannot be told apart share one. Shape: `[hand]`.
    pub buckets: &'a [u32],
}

impl Block<'_> {
    /// The first slot of the row of a hand.
    #[inline(always)]
    pub fn slot(&self, hand: usize) -> u64 {
        self.base + self.stride * u64::from(self.buckets[hand])
    }
}
