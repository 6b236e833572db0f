//! Exact best responses and exploitability in games in public form.
//!
//! One walk of the public tree with the opponent's reach, a vector over the opponent's hands, going down, and the
//! counterfactual values of the responder's hands coming up; the responder takes the best action for each hand apart
//! (Johanson, Waugh, Bowling and Zinkevich 2011, sections 3 and 4). No infoset is looked up for the responder: a
//! public state and a hand are one, since the tree shows the responder all that is public and hands forget nothing.
//!
//! **What is measured is therefore the real game**, whatever layout the strategy has: the opponent plays by the rows
//! of an abstraction, be it one that forgets, and the responder tells apart all that the rules show. See
//! [`crate::exploitability::Scope`].
//!
//! The same walk adds up what the strategy itself would win in the responder's place: the opponent's reach is the
//! same. Tasks are the outcomes of the root's chance for each responder; their results are added in the order of
//! outcomes, so that the figures are the same bits for any number of threads.

use crate::EvalError;
use crate::exploitability::{Exploitability, Scope};
use crate::tabulate::tabulate;
use doorcard_efg::{Policy, PublicGame, PublicInfosets, PublicTurn};
use rayon::prelude::*;

/// What the best response of `player` to `policy` wins in the real game. Units: chips per game.
///
/// # Errors
/// If the policy is no probability distribution.
///
/// # Panics
/// If `player` is neither 0 nor 1.
pub fn best_response<G: PublicGame, I: PublicInfosets<G>>(
    game: &G,
    infosets: &I,
    policy: &dyn Policy,
    player: usize,
) -> Result<f64, EvalError> {
    assert!(player < 2, "player {player} of 2");
    Ok(measure(game, infosets, &tabulate(infosets, policy)?)[player].best)
}

/// What each player wins on average when both play `policy`. Units: chips per game.
///
/// # Errors
/// If the policy is no probability distribution.
pub fn expected_values<G: PublicGame, I: PublicInfosets<G>>(
    game: &G,
    infosets: &I,
    policy: &dyn Policy,
) -> Result<[f64; 2], EvalError> {
    Ok(measure(game, infosets, &tabulate(infosets, policy)?).map(|gain| gain.played))
}

/// Measures `policy`, played by both players, in the real game.
///
/// # Errors
/// If the policy is no probability distribution.
pub fn exploitability<G: PublicGame, I: PublicInfosets<G>>(
    game: &G,
    infosets: &I,
    policy: &dyn Policy,
) -> Result<Exploitability, EvalError> {
    let gains = measure(game, infosets, &tabulate(infosets, policy)?);
    let values = gains.map(|gain| gain.played).to_vec();
    let best_responses = gains.map(|gain| gain.best).to_vec();
    Ok(Exploitability::new(Scope::Real, values, best_responses))
}

/// What a player wins: against the strategy with a best response, and with the strategy itself.
#[derive(Clone, Copy, Default)]
struct Gain {
    best: f64,
    played: f64,
}

/// Both players' gains. Shape: `[player]`.
fn measure<G: PublicGame, I: PublicInfosets<G>>(game: &G, infosets: &I, strategy: &[f64]) -> [Gain; 2] {
    let (root, board) = game.root();
    let chance = matches!(game.turn(root, &board), PublicTurn::Chance);
    let tasks = if chance { game.outcomes(root, &board) } else { 1 };
    let gains: Vec<Gain> = (0..2 * tasks)
        .into_par_iter()
        .map_init(Vec::new, |spare, task| {
            let walk = Walk { game, infosets, strategy, player: task / tasks };
            // Each player's only hand at the root: certain to be there.
            let mut values = Values::default();
            values.clear(1);
            if chance {
                walk.outcome((root, &board), task % tasks, &[1.0], &mut values, spare);
            } else {
                walk.visit(root, &board, &[1.0], &mut values, spare);
            }
            Gain { best: values.best[0], played: values.played[0] }
        })
        .collect();
    [0, 1].map(|player| {
        gains[player * tasks..][..tasks].iter().fold(Gain::default(), |sum, gain| Gain {
            best: sum.best + gain.best,
            played: sum.played + gain.played,
        })
    })
}

/// The counterfactual values of the responder's hands at a state, for the two ways to play on. Shapes: `[hand]`.
#[derive(Default)]
struct Values {
    best: Vec<f64>,
    played: Vec<f64>,
}

impl Values {
    fn clear(&mut self, hands: usize) {
        for values in [&mut self.best, &mut self.played] {
            values.clear();
            values.resize(hands, 0.0);
        }
    }
}

/// Buffers for the state below the one visited.
#[derive(Default)]
struct Below {
    reach: Vec<f64>,
    values: Values,
}

/// The walk for one responder.
struct Walk<'a, G, I> {
    game: &'a G,
    infosets: &'a I,
    strategy: &'a [f64],
    player: usize,
}

impl<G: PublicGame, I: PublicInfosets<G>> Walk<'_, G, I> {
    /// Sets `values` to those of a state that the opponent's hands reach with probabilities `reach`. Buffers not in
    /// use lie in `spare`.
    fn visit(
        &self,
        node: G::Node,
        board: &G::Board,
        reach: &[f64],
        values: &mut Values,
        spare: &mut Vec<Below>,
    ) {
        values.clear(self.game.hands(node, board, self.player));
        // Hands that the opponent never holds add nothing.
        if reach.iter().all(|&reach| reach == 0.0) {
            return;
        }
        match self.game.turn(node, board) {
            PublicTurn::Decide { player, actions } if player == self.player => {
                self.respond(node, board, actions, reach, values, spare);
            }
            PublicTurn::Decide { player, actions } => {
                let rows = self.infosets.block(self.game, node, board, player);
                let mut below = spare.pop().unwrap_or_default();
                for action in 0..actions {
                    below.reach.clear();
                    below.reach.extend(
                        reach
                            .iter()
                            .enumerate()
                            .map(|(hand, &reach)| reach * self.strategy[rows.slot(hand) as usize + action]),
                    );
                    let next = self.game.act(node, board, action);
                    self.visit(next, board, &below.reach, &mut below.values, spare);
                    add(&mut values.best, &below.values.best);
                    add(&mut values.played, &below.values.played);
                }
                spare.push(below);
            }
            PublicTurn::Chance => {
                for index in 0..self.game.outcomes(node, board) {
                    self.outcome((node, board), index, reach, values, spare);
                }
            }
            PublicTurn::Fold { .. } | PublicTurn::Showdown => {
                let Values { best, played } = values;
                self.game.terminal_values(node, board, self.player, reach, best, played);
                values.played.copy_from_slice(&values.best);
            }
        }
    }

    /// The responder's decision: the best action of each hand, and the strategy's mixture.
    fn respond(
        &self,
        node: G::Node,
        board: &G::Board,
        actions: usize,
        reach: &[f64],
        values: &mut Values,
        spare: &mut Vec<Below>,
    ) {
        let rows = self.infosets.block(self.game, node, board, self.player);
        let mut below = spare.pop().unwrap_or_default();
        values.best.fill(f64::NEG_INFINITY);
        for action in 0..actions {
            let next = self.game.act(node, board, action);
            self.visit(next, board, reach, &mut below.values, spare);
            for (hand, (best, played)) in values.best.iter_mut().zip(&mut values.played).enumerate() {
                *best = best.max(below.values.best[hand]);
                *played += self.strategy[rows.slot(hand) as usize + action] * below.values.played[hand];
            }
        }
        spare.push(below);
    }

    /// Adds to `values` those of one outcome of a chance node.
    fn outcome(
        &self,
        (node, board): (G::Node, &G::Board),
        index: usize,
        reach: &[f64],
        values: &mut Values,
        spare: &mut Vec<Below>,
    ) {
        let (node, board) = self.game.outcome(node, board, index);
        let mut below = spare.pop().unwrap_or_default();
        let parents = self.game.parents(node, &board, 1 - self.player);
        below.reach.clear();
        below.reach.extend(parents.iter().map(|&parent| reach[parent as usize]));
        self.visit(node, &board, &below.reach, &mut below.values, spare);
        for (hand, &parent) in self.game.parents(node, &board, self.player).iter().enumerate() {
            values.best[parent as usize] += below.values.best[hand];
            values.played[parent as usize] += below.values.played[hand];
        }
        spare.push(below);
    }
}

fn add(sums: &mut [f64], terms: &[f64]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}
