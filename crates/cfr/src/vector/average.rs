//! The average strategy, from a walk of its own with the player's own reach.
//!
//! On a drawn board every hand of a player takes every action, weighed by how often it does, while the opponent follows
//! some lines drawn from a distribution that never changes: at each of its decisions the lines that come there are
//! shared out evenly to the actions that go on, and in the last round all actions are taken. At a node the strategy of
//! every bucket is added with the reach of its hands, times the lines that come there.
//!
//! **Why it is unbiased.** The expected addend at a row is the chance of the board and the expected number of lines,
//! neither of which depends on the iteration, times the player's own reach times its strategy: the numerator of the
//! average strategy (Zinkevich, Johanson, Bowling and Piccione 2007, equation 4) but for a factor of the row, which
//! cancels. In contrast, the reach of the opponent at the traverser's own nodes changes from iteration to iteration
//! and must not weigh them (see [`crate::average`]). With imperfect recall, where a row merges hands that a player came
//! to by different ways, the factor is one of each way: the lines share out evenly, so that ways are weighed by the
//! player's reach and not by how often the opponent lets them happen.
//!
//! **Why it is worth a walk.** Adding the strategy where a single hand of the opponent was sampled is right too, and
//! costs nothing, but gives one row a node: here a node gives all its buckets, and the reach is exact.

use super::lanes::{self, Lane, ZERO};
use super::log::Log;
use super::regrets::Scene;
use super::tables::Regrets;
use crate::MAX_ACTIONS;
use doorcard_efg::{BoardGame, Entry, LANES, RoundEnd, RoundStep};
use rand::{Rng, RngExt};

/// Room that walks use again.
#[derive(Default)]
pub(super) struct AverageScratch {
    free: Vec<Vec<f32>>,
    /// Reach by pair of buckets. Shape: `[last bucket][group]`.
    pairs: Vec<Lane>,
}

/// The reach of hands as the round before the last begins.
#[derive(Clone, Copy)]
struct PairReach<'a> {
    /// Of each pair of buckets of the last two rounds. Shape: `[last bucket][group]`.
    pairs: &'a [Lane],
    /// Of each bucket of the round. Shape: `[group]`.
    sums: &'a [Lane],
}

/// One walk.
pub(super) struct AverageWalk<'a, G: BoardGame, T, R> {
    pub(super) scene: Scene<'a, G, T>,
    pub(super) rng: &'a mut R,
    pub(super) scratch: &'a mut AverageScratch,
    pub(super) log: &'a mut Log,
    /// Lines of the opponent.
    pub(super) lines: u32,
    /// Rows visited that some hand reaches.
    pub(super) visits: u64,
}

impl<G: BoardGame, T: Regrets, R: Rng> AverageWalk<'_, G, T, R> {
    /// Walks the whole betting.
    pub(super) fn run(&mut self) {
        let root = self.scene.game.root(self.scene.board);
        let hands = self.scene.game.hands(self.scene.board, self.scene.player);
        match self.scene.view.orders.len() {
            0 if self.scene.game.rounds() == 1 => {
                let mut reach = vec![ZERO; self.scene.game.lanes(0) / LANES];
                for &bucket in self.scene.game.buckets(self.scene.board, self.scene.player, 0) {
                    reach.as_flattened_mut()[usize::from(bucket)] += 1.0;
                }
                self.by_bucket(root, 0, &reach, None);
            }
            0 => self.before_last(root, self.lines, &vec![1.0; hands]),
            _ => self.early(root, 0, self.lines, &vec![1.0; hands]),
        }
    }

    fn vector(&mut self, length: usize) -> Vec<f32> {
        let mut vector = self.scratch.free.pop().unwrap_or_default();
        vector.resize(length, 0.0);
        vector
    }

    /// The strategy of the player's blocks at a node. Shape: `[action][group]`.
    fn strategy(&self, block: u64, actions: usize, out: &mut [Lane]) {
        let mut room = [ZERO; MAX_ACTIONS * lanes::MAX_GROUPS];
        let room = &mut room[..out.len()];
        lanes::match_regrets(self.scene.regrets.block(block as usize, room), actions, out);
    }

    /// Adds `reach * strategy` to the average.
    fn record(&mut self, block: u64, reach: &[Lane], strategy: &[Lane]) {
        let room = self.log.room(block, strategy.len());
        lanes::spread(reach, strategy, room);
        self.visits += reach.as_flattened().iter().filter(|&&reach| reach > 0.0).count() as u64;
    }

    /// Shares out lines to the opponent's actions that do not end the hand: to each the same number, and what is left
    /// over to some of them at random.
    fn share_out(&mut self, at: &Entry<'_>, node: usize, lines: u32) -> [u32; MAX_ACTIONS] {
        let steps = &at.tree.nodes[node].next;
        let goes_on = |step: &RoundStep| match *step {
            RoundStep::Node(_) => true,
            RoundStep::End(end) => matches!(at.tree.ends[end], RoundEnd::Matched { .. }),
        };
        let count = steps.iter().filter(|step| goes_on(step)).count() as u32;
        let (each, left) = (lines / count, lines % count);
        let first = if left > 0 { self.rng.random_range(0..count) } else { 0 };
        let mut shares = [0; MAX_ACTIONS];
        let mut number = 0;
        for (share, step) in shares.iter_mut().zip(steps) {
            if goes_on(step) {
                *share = each + u32::from((number + count - first) % count < left);
                number += 1;
            }
        }
        shares
    }

    /// `reach`: of every hand, in the order of the round.
    fn early(&mut self, entry: u32, node: usize, lines: u32, reach: &[f32]) {
        let view = self.scene.view;
        let at = self.scene.game.entry(self.scene.board, entry);
        let order = &view.orders[at.round];
        let lanes = self.scene.game.lanes(at.round);
        let groups = lanes / LANES;
        let decision = &at.tree.nodes[node];
        if decision.position != self.scene.player ^ at.opener {
            let shares = self.share_out(&at, node, lines);
            for (&step, lines) in decision.next.iter().zip(shares) {
                if lines > 0 {
                    self.early_step(entry, &at, step, lines, reach);
                }
            }
            return;
        }
        let actions = decision.next.len();
        let block = self.scene.game.block(self.scene.board, entry, self.scene.player)
            + (decision.slot * lanes) as u64;
        let mut strategy = [ZERO; MAX_ACTIONS * lanes::MAX_GROUPS];
        let strategy = &mut strategy[..actions * groups];
        self.strategy(block, actions, strategy);
        let mut sums = [ZERO; lanes::MAX_GROUPS];
        let sums = &mut sums[..groups];
        lanes::segment_sums(reach, &order.bounds, sums.as_flattened_mut());
        sums.as_flattened_mut().iter_mut().for_each(|sum| *sum *= lines as f32);
        self.record(block, sums, strategy);
        for (action, &step) in decision.next.iter().enumerate() {
            if self.ends_hand(&at, step) {
                continue;
            }
            let mut child = self.vector(reach.len());
            let factors = &strategy.as_flattened()[action * lanes..(action + 1) * lanes];
            lanes::scale_segments(reach, &order.bounds, factors, true, &mut child);
            if child.iter().any(|&reach| reach > 0.0) {
                self.early_step(entry, &at, step, lines, &child);
            }
            self.scratch.free.push(child);
        }
    }

    /// Whether nothing of the player's strategy comes after a step.
    fn ends_hand(&self, at: &Entry<'_>, step: RoundStep) -> bool {
        match step {
            RoundStep::Node(_) => false,
            RoundStep::End(end) => {
                matches!(at.tree.ends[end], RoundEnd::Fold { .. }) || at.round + 1 == self.scene.game.rounds()
            }
        }
    }

    fn early_step(&mut self, entry: u32, at: &Entry<'_>, step: RoundStep, lines: u32, reach: &[f32]) {
        let view = self.scene.view;
        let end = match step {
            RoundStep::Node(child) => return self.early(entry, child, lines, reach),
            RoundStep::End(end) => end,
        };
        let next = self.scene.game.next_entry(self.scene.board, entry, end);
        if at.round + 1 == view.orders.len() {
            return self.before_last(next, lines, reach);
        }
        let mut after = self.vector(reach.len());
        for (after, &position) in after.iter_mut().zip(&view.orders[at.round].from_next) {
            *after = reach[position as usize];
        }
        self.early(next, 0, lines, &after);
        self.scratch.free.push(after);
    }

    /// From here on by buckets: the reach of hands, in the last order, becomes that of pairs of buckets.
    fn before_last(&mut self, entry: u32, lines: u32, reach: &[f32]) {
        let at = self.scene.game.entry(self.scene.board, entry);
        let groups = self.scene.game.lanes(at.round) / LANES;
        let mut pairs = std::mem::take(&mut self.scratch.pairs);
        pairs.clear();
        pairs.resize(self.scene.game.lanes(at.round + 1) * groups, ZERO);
        for (&pair, &reach) in self.scene.view.pairs.iter().zip(reach) {
            pairs.as_flattened_mut()[usize::from(pair)] += reach;
        }
        let mut sums = [ZERO; lanes::MAX_GROUPS];
        for row in pairs.chunks_exact(groups) {
            lanes::accumulate(&mut sums[..groups], 1.0, row);
        }
        let mut own = [ZERO; lanes::MAX_GROUPS];
        own[..groups].fill([1.0; LANES]);
        let hands = PairReach { pairs: &pairs, sums: &sums[..groups] };
        self.pair_node(entry, &at, 0, lines, hands, &own[..groups]);
        self.scratch.pairs = pairs;
    }

    /// A node of the round before the last. `own`: the probability that a hand of the bucket has come here since the
    /// round began.
    fn pair_node(
        &mut self,
        entry: u32,
        at: &Entry<'_>,
        node: usize,
        lines: u32,
        hands: PairReach<'_>,
        own: &[Lane],
    ) {
        let groups = own.len();
        let decision = &at.tree.nodes[node];
        if decision.position != self.scene.player ^ at.opener {
            let shares = self.share_out(at, node, lines);
            for (&step, lines) in decision.next.iter().zip(shares) {
                if lines > 0 {
                    self.pair_step(entry, at, step, lines, hands, own);
                }
            }
            return;
        }
        let actions = decision.next.len();
        let block = self.scene.game.block(self.scene.board, entry, self.scene.player)
            + (decision.slot * groups * LANES) as u64;
        let mut strategy = [ZERO; MAX_ACTIONS * lanes::MAX_GROUPS];
        let strategy = &mut strategy[..actions * groups];
        self.strategy(block, actions, strategy);
        let mut reach = [ZERO; lanes::MAX_GROUPS];
        let reach = &mut reach[..groups];
        lanes::spread(hands.sums, own, reach);
        reach.as_flattened_mut().iter_mut().for_each(|reach| *reach *= lines as f32);
        self.record(block, reach, strategy);
        let mut children = [ZERO; MAX_ACTIONS * lanes::MAX_GROUPS];
        lanes::spread(own, strategy, &mut children[..actions * groups]);
        for (action, &step) in decision.next.iter().enumerate() {
            let child = &children[action * groups..][..groups];
            if !self.ends_hand(at, step) && child.as_flattened().iter().any(|&own| own > 0.0) {
                self.pair_step(entry, at, step, lines, hands, child);
            }
        }
    }

    fn pair_step(
        &mut self,
        entry: u32,
        at: &Entry<'_>,
        step: RoundStep,
        lines: u32,
        hands: PairReach<'_>,
        own: &[Lane],
    ) {
        let end = match step {
            RoundStep::Node(child) => return self.pair_node(entry, at, child, lines, hands, own),
            RoundStep::End(end) => end,
        };
        let next = self.scene.game.next_entry(self.scene.board, entry, end);
        let mut reach = [ZERO; lanes::MAX_GROUPS];
        let reach = &mut reach[..self.scene.game.lanes(at.round + 1) / LANES];
        lanes::column_sums(hands.pairs, own, reach.as_flattened_mut());
        reach.as_flattened_mut().iter_mut().for_each(|reach| *reach *= lines as f32);
        self.by_bucket(next, 0, reach, None);
    }

    /// A node of the last round. `reach`: of the hands of each bucket.
    fn by_bucket(&mut self, entry: u32, node: usize, reach: &[Lane], known: Option<&Entry<'_>>) {
        let groups = reach.len();
        let found;
        let at = match known {
            Some(at) => at,
            None => {
                found = self.scene.game.entry(self.scene.board, entry);
                &found
            }
        };
        let decision = &at.tree.nodes[node];
        let actions = decision.next.len();
        let mut children = [ZERO; MAX_ACTIONS * lanes::MAX_GROUPS];
        let mine = decision.position == self.scene.player ^ at.opener;
        if mine {
            let block = self.scene.game.block(self.scene.board, entry, self.scene.player)
                + (decision.slot * groups * LANES) as u64;
            let mut strategy = [ZERO; MAX_ACTIONS * lanes::MAX_GROUPS];
            let strategy = &mut strategy[..actions * groups];
            self.strategy(block, actions, strategy);
            lanes::spread(reach, strategy, &mut children[..actions * groups]);
            self.record(block, reach, strategy);
        }
        for (action, &step) in decision.next.iter().enumerate() {
            let RoundStep::Node(child) = step else { continue };
            let reach = if mine { &children[action * groups..][..groups] } else { reach };
            if !mine || reach.as_flattened().iter().any(|&reach| reach > 0.0) {
                self.by_bucket(entry, child, reach, Some(at));
            }
        }
    }
}
