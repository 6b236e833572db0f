//! Vector external sampling: the regrets of all hands of one player on a board, against a few single hands of the
//! opponent.
//!
//! External sampling (Lanctot, Waugh, Zinkevich and Bowling 2009) with the traverser as a vector: on a drawn board every
//! hand of the player is tried with every action, while each of the opponent's hands draws its actions as it plays. A
//! regret is a sum over the opponent's hands, so that those which are still together share one walk.
//!
//! Three kinds of rounds:
//!
//! - **The last**: solved by buckets, with all actions of the opponent and no sampling ([`lanes::solve_last`]).
//! - **The one before**: by buckets too. A hand's value after it depends on its buckets in both rounds, which a table
//!   over pairs of buckets holds; matrices of how many hands are in each pair turn it into sums over buckets.
//! - **Earlier ones**: vectors over hands in the order of the round's buckets.
//!
//! The tests hold all three against a walk hand by hand, and in games whose rounds are all made exact
//! ([`Walk::exact_from`]) against full-tree CFR.

use super::lanes::{self, Carried, Lane, LastRound, LastWork, ZERO};
use super::log::Log;
use super::tables::Regrets;
use super::view::{Rival, View};
use crate::regret::{matching, sample};
use crate::{MAX_ACTIONS, Row};
use doorcard_efg::{BoardGame, Entry, LANES, RoundEnd, RoundNode, RoundStep};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::Range;

/// Which hands of the opponent, as bits.
type Hands = u32;

/// Units: bytes.
const CACHE_LINE: usize = 64;

/// The golden ratio's fractional part, as a share of 2^64.
const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// The most hands of the opponent in one walk.
pub(super) const MOST_RIVALS: usize = Hands::BITS as usize;

fn each(hands: Hands) -> impl Iterator<Item = usize> {
    let mut left = hands;
    std::iter::from_fn(move || {
        let hand = left.trailing_zeros() as usize;
        (left != 0).then(|| {
            left &= left - 1;
            hand
        })
    })
}

/// Room that walks use again.
#[derive(Default)]
pub(super) struct Scratch {
    /// Vectors over hands that nobody uses.
    free: Vec<Vec<f32>>,
    last: LastScratch,
    before: BeforeScratch,
}

/// Room for the last round.
#[derive(Default)]
struct LastScratch {
    work: LastWork,
    /// Where tables of another form than `f32` are read to.
    regrets: Vec<Lane>,
}

/// Room for a round before the last.
#[derive(Default)]
struct BeforeScratch {
    /// Which hands of the opponent come to each node. Shape: `[node]`.
    hands: Vec<Hands>,
    /// Shape: `[slot][group]`.
    strategy: Vec<Lane>,
    /// Values of actions, then regrets. Shape: `[slot][group]`.
    deltas: Vec<Lane>,
    /// Own reach. Shape: `[node][group]`.
    reach: Vec<Lane>,
    /// Own reach of the children of a node. Shape: `[action][group]`.
    children: Vec<Lane>,
    /// Shape: `[node][group]`.
    value: Vec<Lane>,
    /// Shape: `[end][group]`.
    end: Vec<Lane>,
    /// Which hands of the opponent come to each end. Shape: `[end]`.
    end_hands: Vec<Hands>,
    /// Own reach. Shape: `[end][group]`.
    end_reach: Vec<Lane>,
    /// Coefficients of compatibility by hand of the opponent. Shape: `[hand][last bucket][group]`.
    u: Vec<Lane>,
    /// Coefficients of the share.
    w: Vec<Lane>,
    /// Parts of `u` that are the same for all last buckets. Shape: `[hand][group]`.
    folded: Vec<Lane>,
    /// The sum of `u` over hands.
    sum: Vec<Lane>,
}

/// What a walk looks at.
pub(super) struct Scene<'a, G: BoardGame, T> {
    pub(super) game: &'a G,
    pub(super) board: &'a G::Board,
    /// Whose hands are all tried.
    pub(super) player: usize,
    pub(super) view: &'a View,
    pub(super) regrets: &'a T,
}

impl<G: BoardGame, T> Clone for Scene<'_, G, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: BoardGame, T> Copy for Scene<'_, G, T> {}

impl<'a, G: BoardGame, T: Regrets> Scene<'a, G, T> {
    /// The player's position in a round.
    pub(super) fn position(self, entry: &Entry<'_>) -> usize {
        self.player ^ entry.opener
    }

    /// Starts loading what comes after a step: the whole round where it is solved by buckets, else its first decision.
    #[inline]
    fn expect_step(self, entry: u32, at: &Entry<'_>, step: RoundStep, hands: Hands) {
        match step {
            RoundStep::Node(child) => self.expect(entry, child..child + 1, hands),
            RoundStep::End(end) if matches!(at.tree.ends[end], RoundEnd::Matched { .. }) => {
                let by_buckets = at.round + 1 >= self.view.orders.len();
                let nodes = if by_buckets { 0..usize::MAX } else { 0..1 };
                self.expect(self.game.next_entry(self.board, entry, end), nodes, hands);
            }
            RoundStep::End(_) => {}
        }
    }

    /// Starts loading the blocks of some decisions of an entry.
    #[inline]
    fn expect(self, entry: u32, nodes: Range<usize>, hands: Hands) {
        let at = self.game.entry(self.board, entry);
        let lanes = self.game.lanes(at.round);
        let own = self.position(&at);
        let mine = self.game.block(self.board, entry, self.player) as usize;
        let theirs = self.game.block(self.board, entry, 1 - self.player) as usize;
        for node in &at.tree.nodes[nodes.start..nodes.end.min(at.tree.nodes.len())] {
            let (first, end) = (node.slot * lanes, (node.slot + node.next.len()) * lanes);
            if node.position == own {
                for line in (mine + first..mine + end).step_by(CACHE_LINE / size_of::<f32>()) {
                    self.regrets.prefetch(line);
                }
                continue;
            }
            for rival in each(hands) {
                let bucket = usize::from(self.view.rivals[rival].buckets[at.round]);
                for block in (theirs + first..theirs + end).step_by(lanes) {
                    self.regrets.prefetch(block + bucket);
                }
            }
        }
    }

    /// The strategy of one of the opponent's hands at a node. `at`: where the opponent's blocks of the entry begin.
    #[inline(always)]
    fn rival_strategy(self, at: u64, node: &RoundNode, round: usize, rival: &Rival) -> Row<f32> {
        let lanes = self.game.lanes(round);
        let first = at as usize + node.slot * lanes + usize::from(rival.buckets[round]);
        let actions = node.next.len();
        let mut row = [0.0; MAX_ACTIONS];
        for (action, number) in row.iter_mut().enumerate().take(actions) {
            *number = self.regrets.number(first + action * lanes);
        }
        matching(&row, actions)
    }
}

/// One walk. Logs regrets times the number of the opponent's hands times [`BoardGame::deals`].
pub(super) struct Walk<'a, G: BoardGame, T> {
    pub(super) scene: Scene<'a, G, T>,
    pub(super) rng: &'a mut Xoshiro256PlusPlus,
    pub(super) scratch: &'a mut Scratch,
    /// Regrets.
    pub(super) log: &'a mut Log,
    /// The opponent's strategies where it was sampled, if they make the average.
    pub(super) average: Option<&'a mut Log>,
    /// Rows of regrets visited.
    pub(super) visits: u64,
    /// Rows of averages visited.
    pub(super) average_visits: u64,
}

impl<G: BoardGame, T: Regrets> Walk<'_, G, T> {
    /// Walks the whole betting.
    pub(super) fn run(&mut self) {
        let Scene { game, board, view, .. } = self.scene;
        let rivals = view.rivals.len();
        let all = if rivals == MOST_RIVALS { Hands::MAX } else { (1 << rivals) - 1 };
        let root = game.root(board);
        match game.rounds() {
            1 => self.last(root, all),
            2 => self.before_last(root, all, false),
            _ => {
                let values = self.early(root, 0, all);
                self.scratch.free.push(values);
            }
        }
    }

    /// Adds the opponent's strategy to the average.
    fn record(
        &mut self,
        at: u64,
        node: &RoundNode,
        round: usize,
        rival: &Rival,
        strategy: &Row<f32>,
        weight: f32,
    ) {
        let Some(average) = &mut self.average else { return };
        let lanes = self.scene.game.lanes(round);
        let first = at + (node.slot * lanes) as u64;
        average.push_bucket(first, lanes, rival.buckets[round], &strategy[..node.next.len()], weight);
        self.average_visits += 1;
    }

    // ----- Earlier rounds -----

    fn vector(&mut self, length: usize) -> Vec<f32> {
        let mut vector = self.scratch.free.pop().unwrap_or_default();
        vector.resize(length, 0.0);
        vector
    }

    /// The value of every hand in the order of a round, summed over the opponent's hands.
    fn early(&mut self, entry: u32, node: usize, hands: Hands) -> Vec<f32> {
        let Scene { game, board, player, view, regrets: table } = self.scene;
        let at = game.entry(board, entry);
        let round = at.round;
        let order = &view.orders[round];
        let lanes = game.lanes(round);
        let groups = lanes / LANES;
        let decision = &at.tree.nodes[node];
        let actions = decision.next.len();
        let mut result = self.vector(order.hands.len());
        if decision.position == self.scene.position(&at) {
            let block = game.block(board, entry, player) as usize + decision.slot * lanes;
            let mut strategy = [ZERO; MAX_ACTIONS * lanes::MAX_GROUPS];
            let mut regrets = [ZERO; MAX_ACTIONS * lanes::MAX_GROUPS];
            let (regrets, strategy) = (&mut regrets[..actions * groups], &mut strategy[..actions * groups]);
            lanes::match_regrets(table.block(block, regrets), actions, strategy);
            let mut value = [ZERO; lanes::MAX_GROUPS];
            for &step in &decision.next {
                self.scene.expect_step(entry, &at, step, hands);
            }
            for action in 0..actions {
                let child = self.early_step(entry, &at, decision.next[action], hands);
                lanes::segment_sums(
                    &child,
                    &order.bounds,
                    &mut regrets.as_flattened_mut()[action * lanes..(action + 1) * lanes],
                );
                let factors = &strategy.as_flattened()[action * lanes..(action + 1) * lanes];
                lanes::scale_segments(&child, &order.bounds, factors, action == 0, &mut result);
                self.scratch.free.push(child);
            }
            lanes::take_regrets(strategy, regrets, &mut value[..groups]);
            self.log.push(block as u64, regrets);
            self.visits += game.private_buckets(round) as u64;
        } else {
            let block = game.block(board, entry, 1 - player);
            let parts = self.draw(block, decision, round, hands);
            let taken = || (0..actions).filter(|&action| parts[action] != 0);
            for action in taken() {
                self.scene.expect_step(entry, &at, decision.next[action], parts[action]);
            }
            let mut first = true;
            for action in taken() {
                let child = self.early_step(entry, &at, decision.next[action], parts[action]);
                if std::mem::take(&mut first) {
                    self.scratch.free.push(std::mem::replace(&mut result, child));
                } else {
                    lanes::add_to(&mut result, &child);
                    self.scratch.free.push(child);
                }
            }
        }
        result
    }

    /// Draws an action for each hand of the opponent: which hands take each.
    ///
    /// The numbers that decide are spread evenly, by steps of the golden ratio from one random number on: each is as
    /// random as ever, so that every hand acts by its strategy, but hands that play alike share out the actions in
    /// proportion, where independent numbers would leave it to chance how many of them fold.
    pub(super) fn draw(
        &mut self,
        at: u64,
        node: &RoundNode,
        round: usize,
        hands: Hands,
    ) -> [Hands; MAX_ACTIONS] {
        let mut parts = [0; MAX_ACTIONS];
        let scene = self.scene;
        let mut number = self.rng.next_u64();
        for rival in each(hands) {
            let hand = &scene.view.rivals[rival];
            let strategy = scene.rival_strategy(at, node, round, hand);
            self.record(at, node, round, hand, &strategy, 1.0);
            parts[sample(&strategy, node.next.len(), number)] |= 1 << rival;
            number = number.wrapping_add(GOLDEN_RATIO);
        }
        parts
    }

    fn early_step(&mut self, entry: u32, at: &Entry<'_>, step: RoundStep, hands: Hands) -> Vec<f32> {
        let Scene { game, board, view, .. } = self.scene;
        let end = match step {
            RoundStep::Node(child) => return self.early(entry, child, hands),
            RoundStep::End(end) => end,
        };
        let order = &view.orders[at.round];
        let mut result = self.vector(order.hands.len());
        if let RoundEnd::Fold { position, wager } = at.tree.ends[end] {
            let paid = at.paid + wager;
            let won = if position == self.scene.position(at) { -paid } else { paid } as f32;
            result.fill(hands.count_ones() as f32 * won);
            for rival in each(hands) {
                for &position in &view.rivals[rival].conflicts[at.round] {
                    result[position as usize] -= won;
                }
            }
            return result;
        }
        let next = game.next_entry(board, entry, end);
        if at.round + 1 < view.orders.len() {
            let after = self.early(next, 0, hands);
            for (&position, &value) in order.from_next.iter().zip(&after) {
                result[position as usize] = value;
            }
            self.scratch.free.push(after);
        } else {
            self.before_last(next, hands, true);
            self.expand(hands, &mut result);
        }
        result
    }

    /// Values of hands, in the last order, from the coefficients that [`Walk::before_last`] has left.
    fn expand(&mut self, hands: Hands, result: &mut [f32]) {
        let view = self.scene.view;
        let BeforeScratch { u, w, sum, .. } = &self.scratch.before;
        for (number, rival) in each(hands).enumerate() {
            let rival = &view.rivals[rival];
            let part = number * sum.len()..(number + 1) * sum.len();
            let (u, w) = (u[part.clone()].as_flattened(), w[part].as_flattened());
            if number == 0 {
                lanes::begin_with_shares(result, &rival.share, &view.pairs, sum.as_flattened(), w);
            } else {
                lanes::add_shares(result, &rival.share, &view.pairs, w);
            }
            let conflicts = rival.conflicts.last().expect("orders of early rounds");
            for &position in conflicts {
                result[position as usize] -= u[usize::from(view.pairs[position as usize])];
            }
        }
    }

    // ----- The round before the last -----

    /// Takes the regrets of the round and of those after it. With `coefficients` the scratch holds afterwards what every
    /// hand is worth against each of the opponent's.
    fn before_last(&mut self, entry: u32, hands: Hands, coefficients: bool) {
        let Scene { game, board, player, regrets: table, .. } = self.scene;
        let at = game.entry(board, entry);
        let round = at.round;
        let (lanes, last_lanes) = (game.lanes(round), game.lanes(round + 1));
        let groups = lanes / LANES;
        let own = self.scene.position(&at);
        let mine = game.block(board, entry, player);
        let theirs = game.block(board, entry, 1 - player);
        let count = hands.count_ones() as usize;
        let matrix = last_lanes * groups;
        let mut scratch = std::mem::take(&mut self.scratch.before);
        scratch.fit(at.tree.nodes.len(), at.tree.slots, at.tree.ends.len(), groups);
        for lanes in [&mut scratch.u, &mut scratch.w] {
            lanes.clear();
            lanes.resize(count * matrix, ZERO);
        }
        scratch.folded.clear();
        scratch.folded.resize(count * groups, ZERO);
        // Down: who comes where, and how the player's hands get there.
        scratch.hands.fill(0);
        scratch.hands[0] = hands;
        scratch.reach[..groups].fill([1.0; LANES]);
        for (number, node) in at.tree.nodes.iter().enumerate() {
            let here = scratch.hands[number];
            if here == 0 {
                continue;
            }
            let actions = node.next.len();
            let row = node.slot * groups..(node.slot + actions) * groups;
            let is_own = node.position == own;
            let parts = if is_own {
                let regrets =
                    table.block(mine as usize + node.slot * lanes, &mut scratch.deltas[row.clone()]);
                lanes::match_regrets(regrets, actions, &mut scratch.strategy[row.clone()]);
                let (reach, children) = (&scratch.reach[number * groups..][..groups], &mut scratch.children);
                lanes::spread(reach, &scratch.strategy[row.clone()], &mut children[..actions * groups]);
                [here; MAX_ACTIONS]
            } else {
                self.draw(theirs, node, round, here)
            };
            for (action, &step) in node.next.iter().enumerate() {
                let part = parts[action];
                if part == 0 {
                    continue;
                }
                let from: Range<usize> = number * groups..(number + 1) * groups;
                let child: Range<usize> = action * groups..(action + 1) * groups;
                match step {
                    RoundStep::Node(next) => {
                        scratch.hands[next] = part;
                        if is_own {
                            let reach = &scratch.children[child];
                            scratch.reach[next * groups..][..groups].copy_from_slice(reach);
                        } else {
                            scratch.reach.copy_within(from, next * groups);
                        }
                    }
                    RoundStep::End(end) => {
                        scratch.end_hands[end] = part;
                        let reach = if is_own { &scratch.children[child] } else { &scratch.reach[from] };
                        scratch.end_reach[end * groups..][..groups].copy_from_slice(reach);
                        self.scene.expect_step(entry, &at, step, part);
                    }
                }
            }
        }
        for end in 0..at.tree.ends.len() {
            if scratch.end_hands[end] != 0 {
                self.before_end(entry, &at, end, hands, &mut scratch);
            }
        }
        // Up: values and regrets.
        for (number, node) in at.tree.nodes.iter().enumerate().rev() {
            if scratch.hands[number] == 0 {
                continue;
            }
            let actions = node.next.len();
            let is_own = node.position == own;
            let mut sum = [ZERO; lanes::MAX_GROUPS];
            for (action, &step) in node.next.iter().enumerate() {
                let source = match step {
                    RoundStep::Node(next) if scratch.hands[next] & scratch.hands[number] != 0 => {
                        &scratch.value[next * groups..][..groups]
                    }
                    RoundStep::End(end) if scratch.end_hands[end] != 0 => {
                        &scratch.end[end * groups..][..groups]
                    }
                    _ => continue,
                };
                if is_own {
                    scratch.deltas[(node.slot + action) * groups..][..groups].copy_from_slice(source);
                } else {
                    lanes::accumulate(&mut sum[..groups], 1.0, source);
                }
            }
            let value = &mut scratch.value[number * groups..][..groups];
            if is_own {
                let row = node.slot * groups..(node.slot + actions) * groups;
                let deltas = &mut scratch.deltas[row.clone()];
                lanes::take_regrets(&scratch.strategy[row], deltas, value);
                self.log.push(mine + (node.slot * lanes) as u64, deltas);
                self.visits += game.private_buckets(round) as u64;
            } else {
                value.copy_from_slice(&sum[..groups]);
            }
        }
        if coefficients {
            scratch.sum.clear();
            scratch.sum.resize(matrix, ZERO);
            for number in 0..count {
                let folded = &scratch.folded[number * groups..][..groups];
                let u = &mut scratch.u[number * matrix..][..matrix];
                for row in u.chunks_exact_mut(groups) {
                    lanes::accumulate(row, 1.0, folded);
                }
                lanes::accumulate(&mut scratch.sum, 1.0, u);
            }
        }
        self.scratch.before = scratch;
    }

    /// An end of the round before the last: its value, and its part of the coefficients. `all`: the hands the round
    /// began with.
    fn before_end(
        &mut self,
        entry: u32,
        at: &Entry<'_>,
        end: usize,
        all: Hands,
        scratch: &mut BeforeScratch,
    ) {
        let Scene { game, board, view, .. } = self.scene;
        let groups = game.lanes(at.round) / LANES;
        let hands = scratch.end_hands[end];
        let reach = &scratch.end_reach[end * groups..][..groups];
        let last_lanes = game.lanes(at.round + 1);
        let last_groups = last_lanes / LANES;
        let matrix = last_lanes * groups;
        // The number of a hand among those the round began with.
        let number_of = |rival: usize| (all & ((1 << rival) - 1)).count_ones() as usize;
        let value = &mut scratch.end[end * groups..][..groups];
        value.fill(ZERO);
        if let RoundEnd::Fold { position, wager } = at.tree.ends[end] {
            let paid = at.paid + wager;
            let won = if position == self.scene.position(at) { -paid } else { paid } as f32;
            for rival in each(hands) {
                lanes::accumulate(value, won, &view.rivals[rival].count_before);
                let folded = &mut scratch.folded[number_of(rival) * groups..][..groups];
                lanes::accumulate(folded, won, reach);
            }
            return;
        }
        let next = game.next_entry(board, entry, end);
        self.last(next, hands);
        let last = &self.scratch.last.work;
        for (number, rival) in each(hands).enumerate() {
            let part = number * last_groups..(number + 1) * last_groups;
            let (a, b) = (last.a[part.clone()].as_flattened(), last.b[part].as_flattened());
            let pairs = number_of(rival) * matrix..(number_of(rival) + 1) * matrix;
            let rival = &view.rivals[rival];
            let (u, w) = (&mut scratch.u[pairs.clone()], &mut scratch.w[pairs]);
            let carried = Carried { a, b, count: &rival.count_pairs, share: &rival.won_pairs };
            lanes::carry_back(&carried, reach, value, u, w);
        }
    }

    // ----- The last round -----

    /// Takes the regrets of a last round; the scratch holds afterwards what each bucket is worth against each of the
    /// opponent's hands.
    fn last(&mut self, entry: u32, hands: Hands) {
        let scene = self.scene;
        let Scene { game, board, player, view, regrets: table } = scene;
        let at = game.entry(board, entry);
        let tree = at.tree;
        let lanes = game.lanes(at.round);
        let groups = lanes / LANES;
        let own = scene.position(&at);
        let mine = game.block(board, entry, player);
        let theirs = game.block(board, entry, 1 - player);
        let count = hands.count_ones() as usize;
        self.scratch.last.work.fit(tree, groups, count);
        for rival in each(hands) {
            let LastWork { count, share, .. } = &mut self.scratch.last.work;
            count.extend_from_slice(&view.rivals[rival].count);
            share.extend_from_slice(&view.rivals[rival].won);
        }
        // Where the opponent's hands come with which probability.
        for (number, node) in tree.nodes.iter().enumerate() {
            let last = &self.scratch.last;
            if !last.work.live[number] {
                continue;
            }
            let actions = node.next.len();
            if node.position != own {
                for (place, rival) in each(hands).enumerate() {
                    let weight = self.scratch.last.work.weight[number * count + place];
                    let hand = &view.rivals[rival];
                    let mut strategy = [0.0; MAX_ACTIONS];
                    if weight > 0.0 {
                        strategy = scene.rival_strategy(theirs, node, at.round, hand);
                        self.record(theirs, node, at.round, hand, &strategy, weight);
                    }
                    let opponent = &mut self.scratch.last.work.opponent;
                    for (action, &probability) in strategy.iter().enumerate().take(actions) {
                        opponent[(node.slot + action) * count + place] = probability;
                    }
                }
            }
            let LastWork { live, weight, opponent, .. } = &mut self.scratch.last.work;
            for (action, &step) in node.next.iter().enumerate() {
                let RoundStep::Node(child) = step else { continue };
                let (before, after) = weight.split_at_mut(child * count);
                let (before, after) = (&before[number * count..][..count], &mut after[..count]);
                if node.position == own {
                    after.copy_from_slice(before);
                } else {
                    let strategy = &opponent[(node.slot + action) * count..][..count];
                    for ((after, &before), &probability) in after.iter_mut().zip(before).zip(strategy) {
                        *after = before * probability;
                    }
                }
                live[child] = after.iter().any(|&weight| weight > 0.0);
            }
        }
        let last = &mut self.scratch.last;
        let round = LastRound { tree, own, paid: at.paid as f32, groups, hands: count };
        lanes::solve_last(
            &round,
            table.blocks(mine as usize, tree.slots * groups, &mut last.regrets),
            &mut last.work,
        );
        for (number, node) in tree.nodes.iter().enumerate() {
            if last.work.live[number] && node.position == own {
                let row = node.slot * groups..(node.slot + node.next.len()) * groups;
                self.log.push(mine + (node.slot * lanes) as u64, &last.work.deltas[row]);
                self.visits += game.private_buckets(at.round) as u64;
            }
        }
    }
}

impl BeforeScratch {
    fn fit(&mut self, nodes: usize, slots: usize, ends: usize, groups: usize) {
        self.hands.resize(nodes, 0);
        self.strategy.resize(slots * groups, ZERO);
        self.deltas.resize(slots * groups, ZERO);
        self.reach.resize(nodes * groups, ZERO);
        self.children.resize(MAX_ACTIONS * groups, ZERO);
        self.value.resize(nodes * groups, ZERO);
        self.end.resize(ends * groups, ZERO);
        self.end_hands.clear();
        self.end_hands.resize(ends, 0);
        self.end_reach.resize(ends * groups, ZERO);
    }
}
