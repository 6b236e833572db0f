//! The average strategy, from a walk of its own with the player's own reach.
//!
//! On a drawn board every hand of a player takes every action, weighed by how often it does, while the opponent's line
//! is drawn from a distribution that never changes: every action that goes on with the same chance, and in the last
//! round all of them. At a node the strategy of every bucket is added with the reach of its hands.
//!
//! **Why it is unbiased.** The expected addend at a row is the chance of the board and of the opponent's fixed line,
//! neither of which depends on the iteration, times the player's own reach times its strategy: the numerator of the
//! average strategy (Zinkevich, Johanson, Bowling and Piccione 2007, equation 4) but for a factor of the row, which
//! cancels. In contrast, the reach of the opponent at the traverser's own nodes changes from iteration to iteration
//! and must not weigh them (see [`crate::average`]).
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

/// One walk.
pub(super) struct AverageWalk<'a, G: BoardGame, T, R> {
    pub(super) scene: Scene<'a, G, T>,
    pub(super) rng: &'a mut R,
    pub(super) scratch: &'a mut AverageScratch,
    pub(super) log: &'a mut Log,
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
            0 => self.before_last(root, &vec![1.0; hands]),
            _ => self.early(root, 0, &vec![1.0; hands]),
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

    /// One of the opponent's actions that do not end the hand.
    fn line(&mut self, at: &Entry<'_>, node: usize) -> RoundStep {
        let goes_on = |step: &&RoundStep| match step {
            RoundStep::Node(_) => true,
            RoundStep::End(end) => matches!(at.tree.ends[*end], RoundEnd::Matched { .. }),
        };
        let steps = &at.tree.nodes[node].next;
        let count = steps.iter().filter(goes_on).count();
        let drawn = self.rng.random_range(0..count);
        *steps.iter().filter(goes_on).nth(drawn).expect("below the count")
    }

    /// `reach`: of every hand, in the order of the round.
    fn early(&mut self, entry: u32, node: usize, reach: &[f32]) {
        let view = self.scene.view;
        let at = self.scene.game.entry(self.scene.board, entry);
        let order = &view.orders[at.round];
        let lanes = self.scene.game.lanes(at.round);
        let groups = lanes / LANES;
        let decision = &at.tree.nodes[node];
        if decision.position != self.scene.player ^ at.opener {
            let step = self.line(&at, node);
            return self.early_step(entry, &at, step, reach);
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
        self.record(block, sums, strategy);
        for (action, &step) in decision.next.iter().enumerate() {
            if self.ends_hand(&at, step) {
                continue;
            }
            let mut child = self.vector(reach.len());
            let factors = &strategy.as_flattened()[action * lanes..(action + 1) * lanes];
            lanes::scale_segments(reach, &order.bounds, factors, true, &mut child);
            if child.iter().any(|&reach| reach > 0.0) {
                self.early_step(entry, &at, step, &child);
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

    fn early_step(&mut self, entry: u32, at: &Entry<'_>, step: RoundStep, reach: &[f32]) {
        let view = self.scene.view;
        let end = match step {
            RoundStep::Node(child) => return self.early(entry, child, reach),
            RoundStep::End(end) => end,
        };
        let next = self.scene.game.next_entry(self.scene.board, entry, end);
        if at.round + 1 == view.orders.len() {
            return self.before_last(next, reach);
        }
        let mut after = self.vector(reach.len());
        for (after, &position) in after.iter_mut().zip(&view.orders[at.round].from_next) {
            *after = reach[position as usize];
        }
        self.early(next, 0, &after);
        self.scratch.free.push(after);
    }

    /// From here on by buckets: the reach of hands, in the last order, becomes that of pairs of buckets.
    fn before_last(&mut self, entry: u32, reach: &[f32]) {
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
        self.pair_node(entry, &at, 0, &pairs, &sums[..groups], &own[..groups]);
        self.scratch.pairs = pairs;
    }

    /// A node of the round before the last. `sums`: the reach at the round's beginning, by bucket; `own`: the
    /// probability that a hand of the bucket has come here since.
    fn pair_node(
        &mut self,
        entry: u32,
        at: &Entry<'_>,
        node: usize,
        pairs: &[Lane],
        sums: &[Lane],
        own: &[Lane],
    ) {
        let groups = own.len();
        let decision = &at.tree.nodes[node];
        if decision.position != self.scene.player ^ at.opener {
            let step = self.line(at, node);
            return self.pair_step(entry, at, step, pairs, sums, own);
        }
        let actions = decision.next.len();
        let block = self.scene.game.block(self.scene.board, entry, self.scene.player)
            + (decision.slot * groups * LANES) as u64;
        let mut strategy = [ZERO; MAX_ACTIONS * lanes::MAX_GROUPS];
        let strategy = &mut strategy[..actions * groups];
        self.strategy(block, actions, strategy);
        let mut reach = [ZERO; lanes::MAX_GROUPS];
        lanes::spread(sums, own, &mut reach[..groups]);
        self.record(block, &reach[..groups], strategy);
        let mut children = [ZERO; MAX_ACTIONS * lanes::MAX_GROUPS];
        lanes::spread(own, strategy, &mut children[..actions * groups]);
        for (action, &step) in decision.next.iter().enumerate() {
            let child = &children[action * groups..][..groups];
            if !self.ends_hand(at, step) && child.as_flattened().iter().any(|&own| own > 0.0) {
                self.pair_step(entry, at, step, pairs, sums, child);
            }
        }
    }

    fn pair_step(
        &mut self,
        entry: u32,
        at: &Entry<'_>,
        step: RoundStep,
        pairs: &[Lane],
        sums: &[Lane],
        own: &[Lane],
    ) {
        let end = match step {
            RoundStep::Node(child) => return self.pair_node(entry, at, child, pairs, sums, own),
            RoundStep::End(end) => end,
        };
        let next = self.scene.game.next_entry(self.scene.board, entry, end);
        let mut reach = [ZERO; lanes::MAX_GROUPS];
        let reach = &mut reach[..self.scene.game.lanes(at.round + 1) / LANES];
        lanes::column_sums(pairs, own, reach.as_flattened_mut());
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
