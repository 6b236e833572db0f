//! Two-player games in public form: a tree of what both players see, at whose nodes each player's private hands are a
//! vector.
//!
//! **Chance.** Every joint deal has weight 1: a public state and one hand of each player that share no card are one
//! of [`PublicGame::deals`] equally likely ways to have come there. Private cards are not dealt independently, so
//! nothing is divided on the way; cards are removed at terminal nodes, where the opponent's reach is summed over the
//! hands that go with one's own, and divided by the number of deals there. A chance node may bring public cards
//! (several outcomes), private cards (hands grow), or both; [`PublicGame::parents`] says which hand before it each hand
//! after it was.
//!
//! **Boards.** The betting is in the node, the cards in the board. Where chance is enumerated a board holds the public
//! cards so far. A sampled board may hold those of later streets as well, of which a node at an earlier street must
//! show nothing.

use num_traits::Float;
use std::ops::AddAssign;

/// Who moves at a public state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicTurn {
    /// A player chooses among `actions` actions, numbered from 0.
    Decide {
        /// The player, 0 or 1.
        player: usize,
        /// How many actions there are; at least one.
        actions: usize,
    },
    /// Cards are dealt: [`PublicGame::outcomes`].
    Chance,
    /// The game is over: `player` has folded.
    Fold {
        /// Who folded.
        player: usize,
    },
    /// The game is over: hands are compared.
    Showdown,
}

/// The chips at the end of a game. Units: chips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stakes {
    /// What the winner takes, both players' chips.
    pub pot: f64,
    /// What the player asked about has paid into it.
    pub paid: f64,
}

/// A two-player zero-sum game in public form.
///
/// A public state is a node and a board. Shape of every vector: `[hand]`, the hands of one player at one state.
pub trait PublicGame: Sync {
    /// The players' actions so far.
    type Node: Copy + Send + Sync;
    /// The public cards.
    type Board: Clone + Send + Sync;

    /// An upper bound on the number of actions at any node.
    fn max_actions(&self) -> usize;

    /// The first state. Each player has one hand there, the empty one.
    fn root(&self) -> (Self::Node, Self::Board);

    /// Who moves.
    fn turn(&self, node: Self::Node, board: &Self::Board) -> PublicTurn;

    /// The node after `action` of a decision; the board stays.
    fn act(&self, node: Self::Node, board: &Self::Board, action: usize) -> Self::Node;

    /// How many public outcomes a chance node has; one if only private cards are dealt.
    fn outcomes(&self, node: Self::Node, board: &Self::Board) -> usize;

    /// The state after the outcome of this number at a chance node.
    fn outcome(&self, node: Self::Node, board: &Self::Board, index: usize) -> (Self::Node, Self::Board);

    /// How many hands `player` may hold: all that go with the public cards.
    fn hands(&self, node: Self::Node, board: &Self::Board, player: usize) -> usize;

    /// For every hand of `player` at a state just after chance, the hand it was before.
    fn parents<'a>(&'a self, node: Self::Node, board: &'a Self::Board, player: usize) -> &'a [u32];

    /// How many joint deals of all cards dealt by now there are, over all public outcomes.
    fn deals(&self, node: Self::Node, board: &Self::Board) -> f64;

    /// The chips at a terminal node.
    fn stakes(&self, node: Self::Node, board: &Self::Board, player: usize) -> Stakes;

    /// For every hand of `player` the sum of `reach` over the opponent's hands that share no card with it.
    fn compatible<F: Float + AddAssign>(
        &self,
        node: Self::Node,
        board: &Self::Board,
        player: usize,
        reach: &[F],
        compatible: &mut [F],
    );

    /// As [`PublicGame::compatible`], and the same sum with each hand's reach multiplied by `player`'s share of the
    /// pot against it: 0, 1/4, 1/2, 3/4 or 1.
    fn contest<F: Float + AddAssign>(
        &self,
        node: Self::Node,
        board: &Self::Board,
        player: usize,
        reach: &[F],
        compatible: &mut [F],
        share: &mut [F],
    );

    /// The counterfactual value of every hand of `player` at a terminal node: the sum over the opponent's hands of
    /// their reach times the utility, divided by [`PublicGame::deals`]. Units: chips.
    ///
    /// `share` is memory as long as `values`; what is left in it does not matter.
    ///
    /// # Panics
    /// If play goes on at the node.
    #[inline]
    fn terminal_values<F: Float + AddAssign>(
        &self,
        node: Self::Node,
        board: &Self::Board,
        player: usize,
        reach: &[F],
        values: &mut [F],
        share: &mut [F],
    ) {
        let Stakes { pot, paid } = self.stakes(node, board, player);
        let deals = self.deals(node, board);
        let number = |x: f64| F::from(x / deals).expect("a float holds chips");
        match self.turn(node, board) {
            PublicTurn::Fold { player: folded } => {
                let won = number(if folded == player { -paid } else { pot - paid });
                self.compatible(node, board, player, reach, values);
                values.iter_mut().for_each(|value| *value = *value * won);
            }
            PublicTurn::Showdown => {
                self.contest(node, board, player, reach, values, share);
                let (pot, paid) = (number(pot), number(paid));
                for (value, &mut share) in values.iter_mut().zip(share) {
                    *value = pot * share - paid * *value;
                }
            }
            turn => panic!("the value of a node where play goes on: {turn:?}"),
        }
    }
}
