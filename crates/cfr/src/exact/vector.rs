//! CFR on the public tree, the hands of a player at each state being a vector (Johanson, Waugh, Bowling and Zinkevich
//! 2011, section 4), for two players.
//!
//! Going down, a state has the reach of every hand of both players; going up, the counterfactual value of every hand of
//! the player whose pass it is: a terminal state's are found for all hands at once
//! ([`PublicGame::terminal_values`]). Hands that share a row, of one board or of several, add up there.
//!
//! **Chance** is enumerated, or sampled as in public chance sampling (Johanson, Bard, Lanctot, Gibson and Bowling
//! 2012): a public chance state takes one of its `k` outcomes, all being drawn alike, and multiplies the reach of both
//! players by `k`, which multiplies everything found below by it: values, regrets, and the player's reach in the
//! average. Expectations are thus those of the enumerated pass. Each pass draws anew, by the seed, the iteration and
//! the player. Rules that weights alone express ([`UpdateRule::grows`]) touch the rows that a pass
//! visits and no others. Discounts and the floor of CFR+ are applied to all rows, as to rows whose regrets happen to be
//! zero, at the price of a sweep through the table. Predictive CFR+ is refused: it expects the regrets last seen to
//! come again, and a row not visited has shown none.

use super::pass::{Found, Pass, Reached, Strategies, Traversal};
use crate::{CfrError, Real, UpdateRule};
use doorcard_efg::{Block, PublicGame, PublicInfosets, PublicTurn, Rows};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// What happens at public chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// Every outcome is walked.
    Enumerated,
    /// One outcome is drawn.
    Sampled,
}

/// CFR over the public states of a two-player game.
#[derive(Clone, Debug)]
pub struct Vector<'a, G, I> {
    game: &'a G,
    infosets: &'a I,
    chance: Chance,
    parts: Parts,
}

impl<'a, G: PublicGame, I: PublicInfosets<G>> Vector<'a, G, I> {
    /// The traversal of `game` with these infosets.
    pub fn new(game: &'a G, infosets: &'a I, chance: Chance) -> Vector<'a, G, I> {
        // What is sampled is walked in no time: it stays in one piece.
        let parts = match chance {
            Chance::Enumerated => Parts::new(infosets),
            Chance::Sampled => Parts::Whole(infosets.slots()),
        };
        Vector { game, infosets, chance, parts }
    }
}

impl<G: PublicGame, I: PublicInfosets<G>> Traversal for Vector<'_, G, I> {
    type Scratch = Vec<f64>;

    fn name(&self) -> &'static str {
        match self.chance {
            Chance::Enumerated => "vector",
            Chance::Sampled => "public-chance-sampling",
        }
    }

    fn players(&self) -> usize {
        2
    }

    fn rows(&self) -> &dyn Rows {
        self.infosets
    }

    fn parts(&self) -> Vec<Range<u64>> {
        self.parts.slots()
    }

    fn survey(&self, part: usize, reached: &mut Reached) -> Vec<f64> {
        vec![0.0; self.parts.survey(self.game, self.infosets, part, reached)]
    }

    fn is_sparse(&self) -> bool {
        self.chance == Chance::Sampled
    }

    fn pass<T: Real>(
        &self,
        pass: Pass,
        strategies: Strategies<'_, T>,
        found: &mut Found<'_>,
        scratch: &mut Vec<f64>,
    ) {
        let sampled = (self.chance == Chance::Sampled).then(|| pass_rng(pass));
        let opponent = Table(strategies);
        let (game, infosets, player) = (self.game, self.infosets, pass.player);
        let mut walk = Walk { game, infosets, player, strategies, found, opponent, sampled };
        walk.run(&self.parts, pass.part, scratch);
    }

    fn check(&self, rule: UpdateRule) -> Result<(), CfrError> {
        if self.chance == Chance::Enumerated || !rule.predicts() {
            return Ok(());
        }
        Err(CfrError::Setting {
            setting: "rule",
            found: rule.to_string(),
            expected: "a rule that does not predict: sampled chance leaves most rows without regrets to expect again",
        })
    }
}

/// A game in one piece or by the outcomes of the root's chance.
#[derive(Clone, Debug)]
pub(super) enum Parts {
    /// So many slots.
    Whole(u64),
    /// The slots below each outcome.
    Outcomes(Vec<Range<u64>>),
}

impl Parts {
    pub(super) fn new<G: PublicGame, I: PublicInfosets<G>>(infosets: &I) -> Parts {
        infosets.root_outcomes().map_or(Parts::Whole(infosets.slots()), Parts::Outcomes)
    }

    pub(super) fn slots(&self) -> Vec<Range<u64>> {
        match self {
            Parts::Whole(slots) => std::iter::once(0..*slots).collect(),
            Parts::Outcomes(ranges) => ranges.clone(),
        }
    }

    /// Reports the rows of a part. Returns the length of the memory that a walk needs there.
    pub(super) fn survey<G: PublicGame, I: PublicInfosets<G>>(
        &self,
        game: &G,
        infosets: &I,
        part: usize,
        reached: &mut Reached,
    ) -> usize {
        let (node, board) = game.root();
        match self {
            Parts::Whole(_) => survey(game, infosets, node, &board, reached),
            Parts::Outcomes(_) => survey_outcome(game, infosets, game.outcome(node, &board, part), reached),
        }
    }
}

fn survey<G: PublicGame, I: PublicInfosets<G>>(
    game: &G,
    infosets: &I,
    node: G::Node,
    board: &G::Board,
    reached: &mut Reached,
) -> usize {
    let most = (0..2).map(|player| game.hands(node, board, player)).max().unwrap_or(0);
    match game.turn(node, board) {
        PublicTurn::Decide { player, actions } => {
            let block = infosets.block(game, node, board, player);
            for hand in 0..game.hands(node, board, player) {
                reached.row(block.slot(hand), player, actions);
            }
            let below = (0..actions)
                .map(|action| survey(game, infosets, game.act(node, board, action), board, reached))
                .max();
            2 * most + below.unwrap_or(0)
        }
        PublicTurn::Chance => (0..game.outcomes(node, board))
            .map(|index| survey_outcome(game, infosets, game.outcome(node, board, index), reached))
            .max()
            .unwrap_or(0),
        PublicTurn::Fold { .. } | PublicTurn::Showdown => most,
    }
}

fn survey_outcome<G: PublicGame, I: PublicInfosets<G>>(
    game: &G,
    infosets: &I,
    (node, board): (G::Node, G::Board),
    reached: &mut Reached,
) -> usize {
    let most = (0..2).map(|player| game.hands(node, &board, player)).max().unwrap_or(0);
    4 * most + survey(game, infosets, node, &board, reached)
}

/// The generator of a pass that samples.
fn pass_rng(pass: Pass) -> Xoshiro256PlusPlus {
    let mut bytes = *b"........................public chance of a pass";
    bytes[..8].copy_from_slice(&pass.seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&pass.iteration.to_le_bytes());
    bytes[16..24].copy_from_slice(&(pass.player as u64).to_le_bytes());
    Xoshiro256PlusPlus::seed_from_u64(xxh3_64(&bytes))
}

/// How the opponent of the player whose pass it is plays.
pub(super) trait Opponent {
    /// A state is entered where the opponent moves with `hands` hands. Returns what [`Opponent::play`] knows it by.
    fn enter(&mut self, hands: usize) -> usize;

    /// The reach of every hand after `action` at a state with these rows.
    fn play(&self, state: usize, block: Block<'_>, action: usize, reach: &[f64], after: &mut [f64]);
}

/// An opponent who plays by the table.
struct Table<'a, T>(Strategies<'a, T>);

impl<T: Real> Opponent for Table<'_, T> {
    fn enter(&mut self, _hands: usize) -> usize {
        0
    }

    #[inline]
    fn play(&self, _state: usize, block: Block<'_>, action: usize, reach: &[f64], after: &mut [f64]) {
        play(self.0, block, action, reach, after);
    }
}

/// The reach of every hand after `action`, played by the table.
#[inline]
pub(super) fn play<T: Real>(
    strategies: Strategies<'_, T>,
    block: Block<'_>,
    action: usize,
    reach: &[f64],
    after: &mut [f64],
) {
    let (strategy, stride) = (strategies.of_action(block, action), block.stride as usize);
    for ((after, reach), &bucket) in after.iter_mut().zip(reach).zip(block.buckets) {
        *after = reach * strategy[stride * bucket as usize].to_f64();
    }
}

/// What leads to a state. Shape of all: `[hand]`.
#[derive(Clone, Copy)]
struct Reach<'a> {
    /// The product of the player's own probabilities.
    own: &'a [f64],
    /// The probability that chance deals the hand and this board; not multiplied by how chance was sampled.
    dealt: &'a [f64],
    /// The product of the opponent's probabilities, of each of the opponent's hands.
    opponent: &'a [f64],
}

/// One pass of one player.
pub(super) struct Walk<'a, 'f, G, I, T, O> {
    pub(super) game: &'a G,
    pub(super) infosets: &'a I,
    pub(super) player: usize,
    pub(super) strategies: Strategies<'a, T>,
    pub(super) found: &'a mut Found<'f>,
    pub(super) opponent: O,
    /// Draws outcomes where chance is sampled.
    pub(super) sampled: Option<Xoshiro256PlusPlus>,
}

impl<G: PublicGame, I: PublicInfosets<G>, T: Real, O: Opponent> Walk<'_, '_, G, I, T, O> {
    /// Walks one part of the game.
    pub(super) fn run(&mut self, parts: &Parts, part: usize, memory: &mut [f64]) {
        let (node, board) = self.game.root();
        let reach = Reach { own: &[1.0], dealt: &[1.0], opponent: &[1.0] };
        let values = &mut [0.0];
        match parts {
            Parts::Whole(_) => self.state(node, &board, reach, values, memory),
            Parts::Outcomes(_) => {
                self.outcome(self.game.outcome(node, &board, part), 1.0, reach, values, memory);
            }
        }
    }

    /// The counterfactual values of the player's hands.
    fn state(
        &mut self,
        node: G::Node,
        board: &G::Board,
        reach: Reach<'_>,
        values: &mut [f64],
        memory: &mut [f64],
    ) {
        match self.game.turn(node, board) {
            PublicTurn::Decide { player, actions } if player == self.player => {
                self.own(node, board, actions, reach, values, memory);
            }
            PublicTurn::Decide { actions, .. } => {
                self.other(node, board, actions, reach, values, memory);
            }
            PublicTurn::Chance => {
                let outcomes = self.game.outcomes(node, board);
                values.fill(0.0);
                if let Some(rng) = &mut self.sampled {
                    let after = self.game.outcome(node, board, rng.random_range(0..outcomes));
                    return self.outcome(after, outcomes as f64, reach, values, memory);
                }
                for index in 0..outcomes {
                    self.outcome(self.game.outcome(node, board, index), 1.0, reach, values, memory);
                }
            }
            PublicTurn::Fold { .. } | PublicTurn::Showdown => {
                let share = &mut memory[..values.len()];
                self.game.terminal_values(node, board, self.player, reach.opponent, values, share);
            }
        }
    }

    /// The player tries every action.
    fn own(
        &mut self,
        node: G::Node,
        board: &G::Board,
        actions: usize,
        reach: Reach<'_>,
        values: &mut [f64],
        memory: &mut [f64],
    ) {
        let hands = values.len();
        let block = self.infosets.block(self.game, node, board, self.player);
        let (own, memory) = memory.split_at_mut(hands);
        let (action_values, memory) = memory.split_at_mut(hands);
        values.fill(0.0);
        let stride = block.stride as usize;
        for action in 0..actions {
            play(self.strategies, block, action, reach.own, own);
            let next = self.game.act(node, board, action);
            self.state(next, board, Reach { own, ..reach }, action_values, memory);
            let (strategy, regret) =
                (self.strategies.of_action(block, action), self.found.regrets_of_action(block, action));
            for ((value, &after), &bucket) in values.iter_mut().zip(action_values.iter()).zip(block.buckets) {
                let slot = stride * bucket as usize;
                *value += strategy[slot].to_f64() * after;
                regret[slot] += after;
            }
        }
        self.found.visit(block, actions);
        let (regret, reached) = self.found.of_block(block);
        for (hand, (&value, &bucket)) in values.iter().zip(block.buckets).enumerate() {
            let slot = stride * bucket as usize;
            regret[slot..slot + actions].iter_mut().for_each(|regret| *regret -= value);
            reached[slot] += reach.dealt[hand] * reach.own[hand];
        }
    }

    /// The opponent moves.
    fn other(
        &mut self,
        node: G::Node,
        board: &G::Board,
        actions: usize,
        reach: Reach<'_>,
        values: &mut [f64],
        memory: &mut [f64],
    ) {
        let block = self.infosets.block(self.game, node, board, 1 - self.player);
        let state = self.opponent.enter(reach.opponent.len());
        let (opponent, memory) = memory.split_at_mut(reach.opponent.len());
        let (action_values, memory) = memory.split_at_mut(values.len());
        values.fill(0.0);
        for action in 0..actions {
            self.opponent.play(state, block, action, reach.opponent, opponent);
            let next = self.game.act(node, board, action);
            self.state(next, board, Reach { opponent, ..reach }, action_values, memory);
            values.iter_mut().zip(action_values.iter()).for_each(|(value, after)| *value += after);
        }
    }

    /// Chance has dealt: adds the values of the hands after it to those of the hands before. All reach is multiplied
    /// by `weight`.
    fn outcome(
        &mut self,
        (node, board): (G::Node, G::Board),
        weight: f64,
        reach: Reach<'_>,
        values: &mut [f64],
        memory: &mut [f64],
    ) {
        let hands = [self.player, 1 - self.player].map(|player| self.game.hands(node, &board, player));
        let (own, memory) = memory.split_at_mut(hands[0]);
        let (dealt, memory) = memory.split_at_mut(hands[0]);
        let (after, memory) = memory.split_at_mut(hands[0]);
        let (opponent, memory) = memory.split_at_mut(hands[1]);

        opponent.fill(1.0);
        self.game.compatible(node, &board, self.player, opponent, dealt);
        let deals = self.game.deals(node, &board);
        dealt.iter_mut().for_each(|dealt| *dealt /= deals);

        let parents = self.game.parents(node, &board, self.player);
        carry(parents, weight, reach.own, own);
        carry(self.game.parents(node, &board, 1 - self.player), weight, reach.opponent, opponent);
        self.state(node, &board, Reach { own, dealt, opponent }, after, memory);
        for (&parent, after) in parents.iter().zip(after.iter()) {
            values[parent as usize] += after;
        }
    }
}

/// Hands after chance have the reach of the hands they were, times `weight`.
fn carry(parents: &[u32], weight: f64, before: &[f64], after: &mut [f64]) {
    for (after, &parent) in after.iter_mut().zip(parents) {
        *after = weight * before[parent as usize];
    }
}
