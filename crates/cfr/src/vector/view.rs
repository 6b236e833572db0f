//! A board as the walks of one player see it: hands in the order of buckets, and what a few single hands of the
//! opponent can do against all of them.

use super::lanes::{Lane, ZERO};
use doorcard_efg::{BoardGame, LANES};
use rand::{Rng, RngExt};

/// The hands of a round sorted by bucket, so that sums over buckets are sums over segments.
#[derive(Default)]
pub(super) struct Order {
    /// Which hand stands at each position.
    pub(super) hands: Vec<u32>,
    /// Where the segment of each bucket begins, and where the last ends.
    pub(super) bounds: Vec<u32>,
    /// For each position in the next round's order, where that hand stands in this one; empty in the last order.
    pub(super) from_next: Vec<u32>,
}

impl Order {
    fn sort(&mut self, buckets: &[u16], count: usize) {
        self.bounds.clear();
        self.bounds.resize(count + 1, 0);
        for &bucket in buckets {
            self.bounds[usize::from(bucket) + 1] += 1;
        }
        for bucket in 0..count {
            self.bounds[bucket + 1] += self.bounds[bucket];
        }
        self.hands.resize(buckets.len(), 0);
        let mut next: Vec<u32> = self.bounds.clone();
        for (hand, &bucket) in buckets.iter().enumerate() {
            let position = &mut next[usize::from(bucket)];
            self.hands[*position as usize] = hand as u32;
            *position += 1;
        }
    }
}

/// Sorts the hands of `player` by their buckets in each of the first `count` rounds. `positions`: where each hand stands
/// then. Shape: `[round][hand]`.
pub(super) fn sort_rounds<G: BoardGame>(
    orders: &mut Vec<Order>,
    positions: &mut Vec<Vec<u32>>,
    game: &G,
    board: &G::Board,
    player: usize,
    count: usize,
) {
    orders.resize_with(count, Order::default);
    positions.resize_with(count, Vec::new);
    for round in 0..count {
        orders[round].sort(game.buckets(board, player, round), game.lanes(round));
        let positions = &mut positions[round];
        positions.resize(game.hands(board, player), 0);
        for (position, &hand) in orders[round].hands.iter().enumerate() {
            positions[hand as usize] = position as u32;
        }
    }
    for round in 1..count {
        let (before, after) = orders.split_at_mut(round);
        let positions = &positions[round - 1];
        let from_next = &mut before[round - 1].from_next;
        from_next.clear();
        from_next.extend(after[0].hands.iter().map(|&hand| positions[hand as usize]));
    }
}

/// One hand of the opponent.
#[derive(Default)]
pub(super) struct Rival {
    /// Which hand.
    pub(super) hand: usize,
    /// Its bucket by round.
    pub(super) buckets: Vec<u16>,
    /// By order: the positions of the player's hands that share a card with it.
    pub(super) conflicts: Vec<Vec<u32>>,
    /// The player's shares of the pot against it, in the last order.
    pub(super) share: Vec<f32>,
    /// Compatible hands of each bucket of the last round. Shape: `[group]`.
    pub(super) count: Vec<Lane>,
    /// The sum of their shares.
    pub(super) won: Vec<Lane>,
    /// Compatible hands of each bucket of the last round and the round before. Shape: `[last bucket][group]`.
    pub(super) count_pairs: Vec<Lane>,
    /// The sum of their shares.
    pub(super) won_pairs: Vec<Lane>,
    /// Compatible hands of each bucket of the round before the last. Shape: `[group]`.
    pub(super) count_before: Vec<Lane>,
}

/// See the module's documentation. Memory to be used again.
#[derive(Default)]
pub(super) struct View {
    /// By round, all but the last two.
    pub(super) orders: Vec<Order>,
    /// In the last order: each hand's place in tables over pairs of buckets of the last two rounds,
    /// `[last bucket][bucket before]`.
    pub(super) pairs: Vec<u16>,
    /// Hands by pair of buckets. Shape: `[last bucket][group]`.
    all_pairs: Vec<Lane>,
    pub(super) rivals: Vec<Rival>,
    compatible: Vec<f32>,
    share: Vec<f32>,
    positions: Vec<Vec<u32>>,
}

impl View {
    /// Sorts the hands of `player`.
    pub(super) fn look<G: BoardGame>(&mut self, game: &G, board: &G::Board, player: usize) {
        let rounds = game.rounds();
        let hands = game.hands(board, player);
        let sorted = rounds.saturating_sub(2);
        sort_rounds(&mut self.orders, &mut self.positions, game, board, player, sorted);
        self.pairs.clear();
        if rounds < 2 {
            return;
        }
        let before = game.buckets(board, player, rounds - 2);
        let last = game.buckets(board, player, rounds - 1);
        let width = game.lanes(rounds - 2);
        let pair = |hand: usize| last[hand] * width as u16 + before[hand];
        match self.orders.last() {
            Some(order) => self.pairs.extend(order.hands.iter().map(|&hand| pair(hand as usize))),
            None => self.pairs.extend((0..hands).map(pair)),
        }
        self.all_pairs.clear();
        self.all_pairs.resize(width / LANES * game.lanes(rounds - 1), ZERO);
        let counts = self.all_pairs.as_flattened_mut();
        for &pair in &self.pairs {
            counts[usize::from(pair)] += 1.0;
        }
    }

    /// Draws `count` hands of the opponent, after [`View::look`]: each is any hand with the same chance, and together
    /// they are spread evenly over the opponent's hands in the order of the last round's buckets.
    pub(super) fn draw_rivals<G: BoardGame, R: Rng + ?Sized>(
        &mut self,
        game: &G,
        board: &G::Board,
        player: usize,
        count: usize,
        rng: &mut R,
    ) {
        let hands = game.hands(board, 1 - player);
        let last = game.rounds() - 1;
        let mut order = Order::default();
        order.sort(game.buckets(board, 1 - player, last), game.lanes(last));
        let offset: f64 = rng.random();
        self.rivals.resize_with(count, Rival::default);
        for number in 0..count {
            let at = (number as f64 + offset) / count as f64 * hands as f64;
            let hand = order.hands[(at as usize).min(hands - 1)] as usize;
            self.rival(game, board, player, number, hand);
        }
    }

    /// Makes a hand of the opponent number `number` of the rivals.
    pub(super) fn rival<G: BoardGame>(
        &mut self,
        game: &G,
        board: &G::Board,
        player: usize,
        number: usize,
        hand: usize,
    ) {
        let rounds = game.rounds();
        let hands = game.hands(board, player);
        self.compatible.resize(hands, 0.0);
        self.share.resize(hands, 0.0);
        game.contest(board, player, hand, &mut self.compatible, &mut self.share);
        let View { orders, pairs, all_pairs, rivals, compatible, share, positions } = self;
        let rival = &mut rivals[number];
        rival.hand = hand;
        rival.buckets.clear();
        rival.buckets.extend((0..rounds).map(|round| game.buckets(board, 1 - player, round)[hand]));
        let last = game.buckets(board, player, rounds - 1);
        let fill = |lanes: &mut Vec<Lane>, groups: usize| {
            lanes.clear();
            lanes.resize(groups, ZERO);
        };
        fill(&mut rival.count, game.lanes(rounds - 1) / LANES);
        fill(&mut rival.won, game.lanes(rounds - 1) / LANES);
        let shared: Vec<u32> =
            (0u32..).zip(&*compatible).filter(|&(_, &goes)| goes == 0.0).map(|(hand, _)| hand).collect();
        rival.conflicts.resize_with(orders.len(), Vec::new);
        for (conflicts, positions) in rival.conflicts.iter_mut().zip(&*positions) {
            conflicts.clear();
            conflicts.extend(shared.iter().map(|&hand| positions[hand as usize]));
        }
        if rounds == 1 {
            for (hand, &bucket) in last.iter().enumerate() {
                rival.count.as_flattened_mut()[usize::from(bucket)] += compatible[hand];
                rival.won.as_flattened_mut()[usize::from(bucket)] += share[hand];
            }
            return;
        }
        let before = game.buckets(board, player, rounds - 2);
        let width = game.lanes(rounds - 2);
        rival.count_pairs.clone_from(all_pairs);
        let counts = rival.count_pairs.as_flattened_mut();
        for &hand in &shared {
            counts[usize::from(last[hand as usize]) * width + usize::from(before[hand as usize])] -= 1.0;
        }
        rival.share.clear();
        match orders.last() {
            Some(order) => rival.share.extend(order.hands.iter().map(|&hand| share[hand as usize])),
            None => rival.share.extend_from_slice(share),
        }
        fill(&mut rival.won_pairs, all_pairs.len());
        let won = rival.won_pairs.as_flattened_mut();
        for (&pair, &share) in pairs.iter().zip(&rival.share) {
            won[usize::from(pair)] += share;
        }
        fill(&mut rival.count_before, width / LANES);
        for (bucket, counts) in rival.count_pairs.chunks_exact(width / LANES).enumerate() {
            super::lanes::accumulate(&mut rival.count_before, 1.0, counts);
            rival.count.as_flattened_mut()[bucket] = counts.as_flattened().iter().sum();
        }
        for (bucket, shares) in rival.won_pairs.chunks_exact(width / LANES).enumerate() {
            rival.won.as_flattened_mut()[bucket] = shares.as_flattened().iter().sum();
        }
    }
}
