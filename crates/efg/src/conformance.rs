//! Tests any game must pass, run by each game's own tests.

use crate::{EnumerableGame, Game, Infosets, PublicGame, PublicInfosets, PublicTurn, Turn};
use rand::{Rng, RngExt};
use std::ops::Range;

/// Plays `playouts` random games and checks what every game promises: play ends, players and actions are in range,
/// acting does not change the node acted on, and the utilities of all players sum to zero.
///
/// # Panics
/// If the game breaks a promise; the message says which.
pub fn random_playouts<G: Game, R: Rng>(game: &G, playouts: usize, max_depth: usize, rng: &mut R) {
    for _ in 0..playouts {
        let deal = game.deal(rng);
        let mut node = game.root(&deal);
        let mut depth = 0;
        while let Turn::Decide { player, actions } = game.turn(&node, &deal) {
            assert!(player < game.players(), "player {player} of {}", game.players());
            assert!((1..=game.max_actions()).contains(&actions), "{actions} actions");
            let before = game.turn(&node, &deal);
            let next = game.act(&node, &deal, rng.random_range(0..actions));
            assert_eq!(before, game.turn(&node, &deal), "acting changed the node acted on");
            node = next;
            depth += 1;
            assert!(depth <= max_depth, "a game longer than {max_depth} actions");
        }
        let total: f64 = (0..game.players()).map(|p| game.utility(&node, &deal, p)).sum();
        assert!(total.abs() < 1e-6, "utilities sum to {total}");
    }
}

/// Walks a two-player game in both its forms, every deal of the one and every vector of the other, under a random
/// strategy, and checks that they agree: on the rows visited and their numbers of actions, on the counterfactual value
/// of every action of every row, and on the value of the game to both players. Values may differ by 1e-12 of the
/// largest. If [`PublicInfosets::root_outcomes`] says where the rows of an outcome lie, they must lie there.
///
/// # Panics
/// If the forms differ; the message says in what.
pub fn public_form_agrees<G, I, P, J, R>(game: &G, infosets: &I, public: &P, public_infosets: &J, rng: &mut R)
where
    G: EnumerableGame,
    I: Infosets<G>,
    P: PublicGame,
    J: PublicInfosets<P>,
    R: Rng,
{
    assert_eq!(game.players(), 2, "the public form is one of two-player games");
    assert_eq!((infosets.rows(), infosets.slots()), (public_infosets.rows(), public_infosets.slots()));
    let strategy = random_strategy(infosets, rng);

    let mut histories = Tally::new(infosets.slots());
    let mut value = [0.0; 2];
    game.for_each_deal(&mut |deal, probability| {
        let view = infosets.view(game, deal);
        let walk = HistoryWalk { game, infosets, strategy: &strategy, deal, view, probability };
        let utility = walk.node(&game.root(deal), [1.0; 2], &mut histories);
        (0..2).for_each(|player| value[player] += probability * utility[player]);
    });

    let mut vectors = Tally::new(infosets.slots());
    let (node, board) = public.root();
    for player in 0..2 {
        assert_eq!(public.hands(node, &board, player), 1, "one empty hand at the root");
    }
    let outcomes = public_infosets.root_outcomes();
    let walk = PublicWalk { game: public, infosets: public_infosets, strategy: &strategy, outcomes };
    let public_value = walk.node(node, &board, [&[1.0], &[1.0]], None, &mut vectors);

    let mut rows = vec![0; infosets.slots() as usize];
    infosets.for_each_row(&mut |slot, actions| rows[slot as usize] = actions);
    for (slot, &actions) in rows.iter().enumerate() {
        let [in_histories, in_vectors] = [&histories, &vectors].map(|tally| tally.actions[slot]);
        assert_eq!(in_histories, in_vectors, "actions of slot {slot}: histories, vectors (0: not visited)");
        assert!(
            in_histories == 0 || in_histories == actions,
            "{in_histories} actions of {actions} at slot {slot}"
        );
    }
    let largest = histories.values.iter().fold(1.0_f64, |largest, value| largest.max(value.abs()));
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * largest;
    for (slot, (&a, &b)) in histories.values.iter().zip(&vectors.values).enumerate() {
        assert!(near(a, b), "counterfactual value of slot {slot}: {a} in histories, {b} in vectors");
    }
    for player in 0..2 {
        let (a, b) = (value[player], public_value[player][0]);
        assert!(near(a, b), "value to player {player}: {a} in histories, {b} in vectors");
    }
}

/// A probability for every slot, summing to one in every row.
fn random_strategy<I: crate::Rows>(infosets: &I, rng: &mut impl Rng) -> Vec<f64> {
    let mut strategy = vec![0.0; infosets.slots() as usize];
    infosets.for_each_row(&mut |slot, actions| {
        let row = &mut strategy[slot as usize..][..actions];
        row.iter_mut().for_each(|weight| *weight = rng.random::<f64>() + 0.01);
        let total: f64 = row.iter().sum();
        row.iter_mut().for_each(|weight| *weight /= total);
    });
    strategy
}

/// What a walk has seen of every slot.
struct Tally {
    /// The actions of the row that starts there; 0 if it was not visited.
    actions: Vec<usize>,
    /// The counterfactual value of the action to the player who takes it.
    values: Vec<f64>,
}

impl Tally {
    fn new(slots: u64) -> Tally {
        Tally { actions: vec![0; slots as usize], values: vec![0.0; slots as usize] }
    }

    fn visit(&mut self, slot: usize, actions: usize) {
        let seen = &mut self.actions[slot];
        assert!(*seen == 0 || *seen == actions, "{actions} and {seen} actions at slot {slot}");
        *seen = actions;
    }
}

struct HistoryWalk<'a, G: Game, I: Infosets<G>> {
    game: &'a G,
    infosets: &'a I,
    strategy: &'a [f64],
    deal: &'a G::Deal,
    view: I::View,
    probability: f64,
}

impl<G: Game, I: Infosets<G>> HistoryWalk<'_, G, I> {
    /// Both players' expected utilities below a node that they reach with these probabilities.
    fn node(&self, node: &G::Node, reach: [f64; 2], tally: &mut Tally) -> [f64; 2] {
        let Turn::Decide { player, actions } = self.game.turn(node, self.deal) else {
            return [0, 1].map(|player| self.game.utility(node, self.deal, player));
        };
        let slot = self.infosets.slot(&self.view, node, player) as usize;
        tally.visit(slot, actions);
        let mut expected = [0.0; 2];
        for action in 0..actions {
            let probability = self.strategy[slot + action];
            let mut after = reach;
            after[player] *= probability;
            let utility = self.node(&self.game.act(node, self.deal, action), after, tally);
            tally.values[slot + action] += self.probability * reach[1 - player] * utility[player];
            (0..2).for_each(|player| expected[player] += probability * utility[player]);
        }
        expected
    }
}

struct PublicWalk<'a, P, J> {
    game: &'a P,
    infosets: &'a J,
    strategy: &'a [f64],
    outcomes: Option<Vec<Range<u64>>>,
}

impl<P: PublicGame, J: PublicInfosets<P>> PublicWalk<'_, P, J> {
    /// The counterfactual values of both players' hands below a public state that they reach with these
    /// probabilities, in the root's outcome of this number. Shape: `[player][hand]`.
    fn node(
        &self,
        node: P::Node,
        board: &P::Board,
        reach: [&[f64]; 2],
        outcome: Option<usize>,
        tally: &mut Tally,
    ) -> [Vec<f64>; 2] {
        let game = self.game;
        let mut values = [0, 1].map(|player| vec![0.0; reach[player].len()]);
        match game.turn(node, board) {
            PublicTurn::Chance => {
                assert!(game.outcomes(node, board) > 0, "a chance node without outcomes");
                for index in 0..game.outcomes(node, board) {
                    let (next, cards) = game.outcome(node, board, index);
                    let parents = [0, 1].map(|player| game.parents(next, &cards, player));
                    let after = [0, 1].map(|player| {
                        assert_eq!(parents[player].len(), game.hands(next, &cards, player));
                        parents[player].iter().map(|&hand| reach[player][hand as usize]).collect::<Vec<_>>()
                    });
                    let below =
                        self.node(next, &cards, [&after[0], &after[1]], outcome.or(Some(index)), tally);
                    for player in 0..2 {
                        for (&hand, value) in parents[player].iter().zip(&below[player]) {
                            values[player][hand as usize] += value;
                        }
                    }
                }
            }
            PublicTurn::Decide { player, actions } => {
                assert!((1..=game.max_actions()).contains(&actions), "{actions} actions");
                let block = self.infosets.block(game, node, board, player);
                assert_eq!(block.buckets.len(), reach[player].len(), "a bucket for every hand");
                for hand in 0..block.buckets.len() {
                    tally.visit(block.slot(hand) as usize, actions);
                    if let (Some(outcomes), Some(index)) = (&self.outcomes, outcome) {
                        let slot = block.slot(hand);
                        assert!(outcomes[index].contains(&slot), "slot {slot} below outcome {index}");
                    }
                }
                for action in 0..actions {
                    let slot = |hand: usize| block.slot(hand) as usize + action;
                    let own: Vec<f64> =
                        reach[player].iter().enumerate().map(|(h, r)| r * self.strategy[slot(h)]).collect();
                    let after = if player == 0 { [&own, reach[1]] } else { [reach[0], &own] };
                    let below = self.node(game.act(node, board, action), board, after, outcome, tally);
                    for (hand, value) in below[player].iter().enumerate() {
                        tally.values[slot(hand)] += value;
                        values[player][hand] += self.strategy[slot(hand)] * value;
                    }
                    for (value, below) in values[1 - player].iter_mut().zip(&below[1 - player]) {
                        *value += below;
                    }
                }
            }
            PublicTurn::Fold { .. } | PublicTurn::Showdown => {
                for player in 0..2 {
                    let mut share = vec![0.0; values[player].len()];
                    let (reach, values) = (reach[1 - player], &mut values[player]);
                    game.terminal_values(node, board, player, reach, values, &mut share);
                }
            }
        }
        values
    }
}
