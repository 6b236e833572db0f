//! Two-player games whose chance is drawn as a whole: betting in rounds over *boards*.
//!
//! A board is everything chance decides except one *hand* of each player: all public cards, and the private cards that
//! come after the first (in stud, both rivers). Given a board a player's hands are a vector whose numbering never
//! changes, and the value of every hand against one hand of the opponent is found in one walk. Nobody may know more of
//! a board than has been dealt: buckets of a round see what their player knows then.
//!
//! Betting is the same in every game of this form: a round is a small tree ([`RoundTree`]), and an *entry* is one way
//! to come to a round. Both players have put the same into the pot when a round begins, and a hand ends by a fold or
//! after the last round.

use rand::Rng;

/// The betting of one round. Positions: 0 opens the round, 1 is the other player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundTree {
    /// Decisions, each before those below it; the first is the root.
    pub nodes: Vec<RoundNode>,
    /// Ways the round can end.
    pub ends: Vec<RoundEnd>,
    /// Decision-action pairs.
    pub slots: usize,
}

/// A decision within a round.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundNode {
    /// Who decides.
    pub position: usize,
    /// The place of the first action among all decision-action pairs of the round.
    pub slot: usize,
    /// Where each action leads.
    pub next: Vec<RoundStep>,
}

/// What an action leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundStep {
    /// A decision, of a number above that of the decision it follows.
    Node(usize),
    /// An end of the round.
    End(usize),
}

/// How a round ends. Units: chips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RoundEnd {
    /// The player in `position` has folded and loses `wager` and all it put in before.
    Fold {
        /// Who folded.
        position: usize,
        /// What it has put in in this round.
        wager: f64,
    },
    /// Both have put in `wager` in this round; cards are dealt, or hands are compared.
    Matched {
        /// What each has put in in this round.
        wager: f64,
    },
}

/// One way to come to a round.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Which round, counted from 0.
    pub round: usize,
    /// The betting.
    pub tree: &'a RoundTree,
    /// The player, 0 or 1, who opens.
    pub opener: usize,
    /// What each player has put in before. Units: chips.
    pub paid: f64,
}

/// Where a table entry of the infosets of a [`Rows`](crate::Rows) lies in the tables of a [`BoardGame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TablePlace {
    /// The place of the row's first action.
    pub first: u64,
    /// From one action to the next.
    pub stride: u64,
}

/// A game, real or abstracted, in the form vector sampling needs.
///
/// Tables are made of *blocks*, one for every decision and every public situation of its player that is told apart.
/// Shape of a block: `[action][bucket]`. The blocks of all decisions of one entry and one public situation follow each
/// other in the order of the tree's slots, so that a round's strategy is one piece of memory.
pub trait BoardGame: Sync {
    /// What chance decides.
    type Board: Send + Sync;

    /// Draws a board from the game's distribution.
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::Board;

    /// How many rounds.
    fn rounds(&self) -> usize;

    /// An upper bound on the number of a player's hands.
    fn max_hands(&self) -> usize;

    /// How many private buckets a block of this round has; where blocks of a round differ, the most.
    fn private_buckets(&self, round: usize) -> usize;

    /// How many numbers tables hold for each action of a block of this round: [`BoardGame::private_buckets`], padded to
    /// a multiple of [`LANES`].
    fn lanes(&self, round: usize) -> usize {
        padded(self.private_buckets(round))
    }

    /// The length of a table.
    fn table_len(&self) -> u64;

    /// Places where a table can be cut without cutting blocks, ascending from 0 to its length.
    fn cuts(&self) -> Vec<u64>;

    /// Calls `f` with the place, the round and the number of actions of every block.
    fn for_each_block(&self, f: &mut dyn FnMut(u64, usize, usize));

    /// Whether `player` learns on a board. One who does not plays on by its tables, which stay as they are.
    fn learns(&self, _board: &Self::Board, _player: usize) -> bool {
        true
    }

    /// How many hands `player` may hold.
    fn hands(&self, board: &Self::Board, player: usize) -> usize;

    /// The private bucket of every hand. Shape: `[hand]`.
    fn buckets<'a>(&'a self, board: &'a Self::Board, player: usize, round: usize) -> &'a [u16];

    /// The entry a hand begins with.
    fn root(&self, board: &Self::Board) -> u32;

    /// What an entry is.
    fn entry<'a>(&'a self, board: &'a Self::Board, entry: u32) -> Entry<'a>;

    /// The entry that follows a matched end of a round before the last.
    fn next_entry(&self, board: &Self::Board, entry: u32, end: usize) -> u32;

    /// Where the blocks of an entry begin for the public situation of `player`.
    fn block(&self, board: &Self::Board, entry: u32, player: usize) -> u64;

    /// For every hand of `player` whether it shares no card with the opponent's hand `against` (1 or 0), and its share
    /// of the pot against it (0, 1/4, 1/2, 3/4 or 1; 0 where a card is shared). Shape of both: `[hand]`.
    fn contest(
        &self,
        board: &Self::Board,
        player: usize,
        against: usize,
        compatible: &mut [f32],
        share: &mut [f32],
    );

    /// As [`BoardGame::contest`] against whole vectors of the opponent's reach, [`LANES`] at once: for every hand of
    /// `player` the sum of the reach of the hands that share no card with it, and, if asked for, that sum with each
    /// multiplied by the share of the pot against it. Shape of all: `[hand][vector]`.
    ///
    /// Here [hand by hand](contest_hand_by_hand); games whose hands can be sorted take as many steps as there are hands.
    fn contest_reach(
        &self,
        board: &Self::Board,
        player: usize,
        reach: &[[f32; LANES]],
        compatible: &mut [[f32; LANES]],
        share: Option<&mut [[f32; LANES]]>,
    ) {
        contest_hand_by_hand(self, board, player, reach, compatible, share);
    }

    /// In how many ways the two players can hold their hands on a board, on average over boards: values are sums over
    /// such ways, divided by it.
    fn deals(&self) -> f64;

    /// Where the row of infosets that starts at `slot` lies in the tables.
    fn place(&self, slot: u64) -> TablePlace;
}

/// A [`BoardGame`] whose boards are made of cards, which another one of the same game can make a board of too: the same
/// deal as two abstractions have it.
pub trait CardBoards: BoardGame {
    /// What chance decides, before anything is made of it.
    type Cards;

    /// Draws cards from the game's distribution.
    fn draw_cards<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::Cards;

    /// The board of these cards.
    fn board_of(&self, cards: &Self::Cards) -> Self::Board;

    /// As [`CardBoards::board_of`], for a player who does not learn: where it plays the mean of several public buckets, one
    /// is drawn by their weights.
    fn board_of_fixed<R: Rng + ?Sized>(&self, cards: &Self::Cards, _rng: &mut R) -> Self::Board {
        self.board_of(cards)
    }
}

/// [`BoardGame::contest_reach`] by [`BoardGame::contest`] against one hand after the other: slow, and the twin that fast ones are held
/// against.
pub fn contest_hand_by_hand<G: BoardGame + ?Sized>(
    game: &G,
    board: &G::Board,
    player: usize,
    reach: &[[f32; LANES]],
    compatible: &mut [[f32; LANES]],
    share: Option<&mut [[f32; LANES]]>,
) {
    let hands = compatible.len();
    let (mut goes, mut won) = (vec![0.0; hands], vec![0.0; hands]);
    let mut nobody_asks = Vec::new();
    let share = share.unwrap_or_else(|| {
        nobody_asks.resize(hands, [0.0; LANES]);
        &mut nobody_asks
    });
    compatible.fill([0.0; LANES]);
    share.fill([0.0; LANES]);
    for (against, reach) in reach.iter().enumerate() {
        game.contest(board, player, against, &mut goes, &mut won);
        for hand in 0..hands {
            for vector in 0..LANES {
                compatible[hand][vector] += goes[hand] * reach[vector];
                share[hand][vector] += won[hand] * reach[vector];
            }
        }
    }
}

/// Tables hold buckets in groups of this many, so that vector instructions need no remainder.
pub const LANES: usize = 8;

/// The most buckets of a block: what vectors over them are compiled for.
pub const MOST_LANES: usize = 128;

/// The next multiple of [`LANES`].
pub const fn padded(buckets: usize) -> usize {
    buckets.div_ceil(LANES) * LANES
}
