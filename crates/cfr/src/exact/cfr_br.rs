//! CFR-BR (Johanson, Bard, Burch and Bowling 2012, "Finding optimal abstract strategies in extensive-form games",
//! section 4), for two players.
//!
//! Each player's table is trained against a best response of the opponent, found anew in every iteration IN THE REAL
//! GAME: the opponent chooses an action for every hand at every public state, whatever rows the two tables merge.
//! The average strategy then approaches one that no strategy of the game exploits more than need be: of all that the
//! rows can express, the least exploitable. (In the paper the opponent's response is sampled where the game is too
//! large; here it is exact.) Neither table sees the other, so that alternating and simultaneous updates are the same.
//!
//! A pass walks the public tree twice. The first walk goes up with the opponent's counterfactual values against the
//! player's strategy, and notes each hand's best action (among equals rounding may decide); the second is that of [`super::Vector`]
//! with the opponent playing what was noted.

use super::pass::{Found, Pass, Reached, Strategies, Traversal};
use super::vector::{Opponent, Parts, Walk, play};
use crate::Real;
use doorcard_efg::{Block, PublicGame, PublicInfosets, PublicTurn, Rows};
use std::ops::Range;

/// CFR of each player against a best response.
#[derive(Clone, Debug)]
pub struct CfrBr<'a, G, I> {
    game: &'a G,
    infosets: &'a I,
    parts: Parts,
}

impl<'a, G: PublicGame, I: PublicInfosets<G>> CfrBr<'a, G, I> {
    /// The traversal of `game` with these infosets.
    pub fn new(game: &'a G, infosets: &'a I) -> CfrBr<'a, G, I> {
        CfrBr { game, infosets, parts: Parts::new(infosets) }
    }
}

/// The memory of a pass.
#[derive(Debug)]
pub struct CfrBrScratch {
    vectors: Vec<f64>,
    /// The opponent's actions in the order of the walk, one of every hand at every state of the opponent.
    actions: Vec<u8>,
}

impl<G: PublicGame, I: PublicInfosets<G>> Traversal for CfrBr<'_, G, I> {
    type Scratch = CfrBrScratch;

    fn name(&self) -> &'static str {
        "cfr-br"
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

    fn survey(&self, part: usize, reached: &mut Reached) -> CfrBrScratch {
        let length = self.parts.survey(self.game, self.infosets, part, reached);
        CfrBrScratch { vectors: vec![0.0; length], actions: Vec::new() }
    }

    fn pass<T: Real>(
        &self,
        pass: Pass,
        strategies: Strategies<'_, T>,
        found: &mut Found<'_>,
        scratch: &mut CfrBrScratch,
    ) {
        let CfrBrScratch { vectors, actions } = scratch;
        actions.clear();
        let CfrBr { game, infosets, .. } = *self;
        let mut response = Response { game, infosets, trained: pass.player, strategies, actions };
        response.run(&self.parts, pass.part, vectors);

        let opponent = Responder { actions, entered: 0 };
        let player = pass.player;
        let mut walk = Walk { game, infosets, player, strategies, found, opponent, sampled: None };
        walk.run(&self.parts, pass.part, vectors);
    }
}

/// The walk that finds the best response.
struct Response<'a, G, I, T> {
    game: &'a G,
    infosets: &'a I,
    /// The player who is responded to.
    trained: usize,
    strategies: Strategies<'a, T>,
    actions: &'a mut Vec<u8>,
}

impl<G: PublicGame, I: PublicInfosets<G>, T: Real> Response<'_, G, I, T> {
    fn run(&mut self, parts: &Parts, part: usize, memory: &mut [f64]) {
        let (node, board) = self.game.root();
        let values = &mut [0.0];
        match parts {
            Parts::Whole(_) => self.state(node, &board, &[1.0], values, memory),
            Parts::Outcomes(_) => self.outcome(self.game.outcome(node, &board, part), &[1.0], values, memory),
        }
    }

    /// The responder's counterfactual values, `reach` being that of the trained player's hands.
    fn state(
        &mut self,
        node: G::Node,
        board: &G::Board,
        reach: &[f64],
        values: &mut [f64],
        memory: &mut [f64],
    ) {
        match self.game.turn(node, board) {
            PublicTurn::Decide { player, actions } if player == self.trained => {
                let block = self.infosets.block(self.game, node, board, player);
                let (after, memory) = memory.split_at_mut(reach.len());
                let (action_values, memory) = memory.split_at_mut(values.len());
                values.fill(0.0);
                for action in 0..actions {
                    play(self.strategies, block, action, reach, after);
                    self.state(self.game.act(node, board, action), board, after, action_values, memory);
                    values.iter_mut().zip(action_values.iter()).for_each(|(value, after)| *value += after);
                }
            }
            PublicTurn::Decide { actions, .. } => {
                let first = self.actions.len();
                self.actions.resize(first + values.len(), 0);
                let (action_values, memory) = memory.split_at_mut(values.len());
                self.state(self.game.act(node, board, 0), board, reach, values, memory);
                for action in 1..actions {
                    self.state(self.game.act(node, board, action), board, reach, action_values, memory);
                    let chosen = self.actions[first..].iter_mut();
                    for ((value, &after), chosen) in values.iter_mut().zip(action_values.iter()).zip(chosen) {
                        if after > *value {
                            (*value, *chosen) = (after, action as u8);
                        }
                    }
                }
            }
            PublicTurn::Chance => {
                values.fill(0.0);
                for index in 0..self.game.outcomes(node, board) {
                    self.outcome(self.game.outcome(node, board, index), reach, values, memory);
                }
            }
            PublicTurn::Fold { .. } | PublicTurn::Showdown => {
                let share = &mut memory[..values.len()];
                self.game.terminal_values(node, board, 1 - self.trained, reach, values, share);
            }
        }
    }

    /// Chance has dealt: adds the values of the hands after it to those of the hands before.
    fn outcome(
        &mut self,
        (node, board): (G::Node, G::Board),
        reach: &[f64],
        values: &mut [f64],
        memory: &mut [f64],
    ) {
        let [parents, own_parents] =
            [self.trained, 1 - self.trained].map(|player| self.game.parents(node, &board, player));
        let (after, memory) = memory.split_at_mut(parents.len());
        let (values_after, memory) = memory.split_at_mut(own_parents.len());
        after.iter_mut().zip(parents).for_each(|(after, &parent)| *after = reach[parent as usize]);
        self.state(node, &board, after, values_after, memory);
        for (&parent, after) in own_parents.iter().zip(values_after.iter()) {
            values[parent as usize] += after;
        }
    }
}

/// The opponent who plays what the first walk has noted.
struct Responder<'a> {
    actions: &'a [u8],
    /// Hands of the states entered so far.
    entered: usize,
}

impl Opponent for Responder<'_> {
    fn enter(&mut self, hands: usize) -> usize {
        let first = self.entered;
        self.entered += hands;
        first
    }

    #[inline]
    fn play(&self, state: usize, _: Block<'_>, action: usize, reach: &[f64], after: &mut [f64]) {
        let chosen = &self.actions[state..];
        for ((after, &reach), &chosen) in after.iter_mut().zip(reach).zip(chosen) {
            *after = if usize::from(chosen) == action { reach } else { 0.0 };
        }
    }
}
