//! Public chance sampling over drawn boards (Johanson, Bard, Lanctot, Gibson and Bowling 2012, "Efficient Nash
//! equilibrium approximation through Monte Carlo counterfactual regret minimization").
//!
//! Nothing is drawn but the board. The whole betting is walked for one player with two vectors, the reach of all hands
//! of both players, and comes back with one: the counterfactual values of the player's hands against the opponent's
//! whole reach. Where a hand ends that takes as many steps as there are hands ([`BoardGame::contest_reach`]). A walk
//! costs far more than one of external sampling, and finds without any further chance what the board says.
//!
//! A round is walked as a whole: down, where the reach of both comes from step to step; its ends, eight at a time, with
//! the rounds that follow; and up again, where values become regrets. A *place* is a step of a round by its slot, plus
//! one; place 0 is the beginning. Hands stand in the order of the round's buckets.
//!
//! **The average strategy** is added on the same walk: at a node of the player the strategy of every bucket, with the
//! reach of its hands. That is unbiased: the expected addend of a row is the chance of the board, which never changes,
//! times the own reach times the strategy, the numerator of the average strategy (Zinkevich, Johanson, Bowling and
//! Piccione 2007, equation 4) but for a factor of the row (with imperfect recall: of each way to it). All betting is visited whatever the opponent does, so that
//! its reach, which does change, weighs nothing: where none of its hands comes there are no regrets to find, but the
//! walk goes on for the average as long as a hand of the player does.

use super::lanes::{self, Lane, ZERO};
use super::log::{Log, LogSize};
use super::tables::Regrets;
use super::view::{Order, sort_rounds};
use crate::MAX_ACTIONS;
use doorcard_efg::{BoardGame, Entry, LANES, RoundEnd, RoundStep};
use std::array::from_fn;

/// The player whose regrets are taken, in pairs of vectors.
const OWN: usize = 0;
/// The opponent.
const RIVAL: usize = 1;

/// Room that walks use again.
#[derive(Default)]
pub(super) struct PublicScratch {
    /// The hands of both by round.
    orders: [Vec<Order>; 2],
    positions: Vec<Vec<u32>>,
    rounds: Vec<RoundScratch>,
    ends: EndScratch,
}

/// Room for a round.
#[derive(Default)]
struct RoundScratch {
    /// Of both players. Shape: `[place][hand]`.
    reach: [Vec<f32>; 2],
    /// Of the player's hands. Shape: `[place][hand]`.
    values: Vec<f32>,
    places: Vec<Place>,
    /// The place that leads to each node.
    from: Vec<usize>,
    /// Of the player. Shape: `[slot][group]`.
    strategy: Vec<Lane>,
    /// Shape: `[action][group]`.
    deltas: Vec<Lane>,
    folds: Vec<End>,
    showdowns: Vec<End>,
}

/// What is known of a place.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Where the reach of each player stands: the place of its last step.
    reach: [usize; 2],
    /// Whether any hand of each comes here.
    live: [bool; 2],
}

/// A place where a hand ends.
#[derive(Clone, Copy)]
struct End {
    place: usize,
    /// A fold: what the player wins. A showdown: what it has put in. Units: chips.
    chips: f32,
}

/// Room for [`LANES`] ends. Shape of all: `[hand][end]`.
#[derive(Default)]
struct EndScratch {
    reach: Vec<Lane>,
    compatible: Vec<Lane>,
    share: Vec<Lane>,
    /// Hands in the order of the round.
    values: Vec<Lane>,
}

/// The walks of one player. Logs regrets times [`BoardGame::deals`].
pub(super) struct PublicWalk<'a, G: BoardGame, T> {
    pub(super) game: &'a G,
    pub(super) board: &'a G::Board,
    pub(super) player: usize,
    pub(super) regrets: &'a T,
    pub(super) scratch: &'a mut PublicScratch,
    /// Regrets.
    pub(super) log: &'a mut Log,
    /// The average strategy.
    pub(super) average: &'a mut Log,
    /// Rows of regrets visited.
    pub(super) visits: u64,
    /// Rows visited that some hand of the player reaches.
    pub(super) average_visits: u64,
}

impl<G: BoardGame, T: Regrets> PublicWalk<'_, G, T> {
    /// Walks the whole betting.
    pub(super) fn run(&mut self) {
        let Self { game, board, player, .. } = *self;
        let PublicScratch { orders, positions, rounds, .. } = &mut *self.scratch;
        let players = [player, 1 - player];
        for (orders, player) in orders.iter_mut().zip(players) {
            sort_rounds(orders, positions, game, board, player, game.rounds());
        }
        rounds.resize_with(game.rounds(), RoundScratch::default);
        for (reach, player) in rounds[0].reach.iter_mut().zip(players) {
            reach.clear();
            reach.resize(game.hands(board, player), 1.0);
        }
        self.round(game.root(board), [true, true]);
    }

    /// Walks from an entry on. The round's scratch holds the reach at place 0, and afterwards, if the opponent is live,
    /// the values there.
    fn round(&mut self, entry: u32, live: [bool; 2]) {
        let at = self.game.entry(self.board, entry);
        let mut scratch = std::mem::take(&mut self.scratch.rounds[at.round]);
        scratch.fit(&at, self.hands(), self.game.lanes(at.round) / LANES);
        scratch.places[0] = Place { reach: [0, 0], live };
        self.down(entry, &at, &mut scratch);
        self.ends(entry, &at, &mut scratch);
        if live[RIVAL] {
            self.up(entry, &at, &mut scratch);
        }
        self.scratch.rounds[at.round] = scratch;
    }

    /// How many hands each has.
    fn hands(&self) -> [usize; 2] {
        self.scratch.orders.each_ref().map(|orders| orders[0].hands.len())
    }

    /// Brings the reach of both to every place, and adds to the average.
    fn down(&mut self, entry: u32, at: &Entry<'_>, scratch: &mut RoundScratch) {
        let lanes = self.game.lanes(at.round);
        let groups = lanes / LANES;
        let hands = self.hands();
        let mut played = [ZERO; MAX_ACTIONS * lanes::MAX_GROUPS];
        for (number, node) in at.tree.nodes.iter().enumerate() {
            let actions = node.next.len();
            let here = scratch.places[scratch.from[number]];
            let mover = if node.position == self.player ^ at.opener { OWN } else { RIVAL };
            let hands = hands[mover];
            let strategy = match mover {
                OWN => &mut scratch.strategy[node.slot * groups..][..actions * groups],
                _ => &mut played[..actions * groups],
            };
            let bounds = &self.scratch.orders[mover][at.round].bounds;
            let (above, below) = scratch.reach[mover].split_at_mut((1 + node.slot) * hands);
            let reach = &above[here.reach[mover] * hands..][..hands];
            if here.live != [false, false] {
                let block =
                    self.game.block(self.board, entry, self.player ^ mover) + (node.slot * lanes) as u64;
                let mut room = [ZERO; MAX_ACTIONS * lanes::MAX_GROUPS];
                let regrets = self.regrets.block(block as usize, &mut room[..actions * groups]);
                lanes::match_regrets(regrets, actions, strategy);
                if mover == OWN && here.live[OWN] {
                    let mut sums = [ZERO; lanes::MAX_GROUPS];
                    lanes::segment_sums(reach, bounds, &mut sums.as_flattened_mut()[..lanes]);
                    let added = self.average.room(block, actions * groups);
                    lanes::spread(&sums[..groups], strategy, added);
                    let sums = sums[..groups].as_flattened();
                    self.average_visits += sums.iter().filter(|&&reach| reach > 0.0).count() as u64;
                }
            }
            for (action, &step) in node.next.iter().enumerate() {
                let place = 1 + node.slot + action;
                let mut after = here;
                // The own reach matters for the average alone, of which nothing comes after the hand.
                if here.live[mover] && !(mover == OWN && self.ends_hand(at, step)) {
                    let child = &mut below[action * hands..][..hands];
                    let factors = &strategy.as_flattened()[action * lanes..][..lanes];
                    lanes::scale_segments(reach, bounds, factors, true, child);
                    after.reach[mover] = place;
                    after.live[mover] = child.iter().any(|&reach| reach > 0.0);
                }
                scratch.places[place] = after;
                if let RoundStep::Node(child) = step {
                    scratch.from[child] = place;
                }
            }
        }
    }

    fn ends_hand(&self, at: &Entry<'_>, step: RoundStep) -> bool {
        let RoundStep::End(end) = step else { return false };
        at.round + 1 == self.game.rounds() || matches!(at.tree.ends[end], RoundEnd::Fold { .. })
    }

    /// Finds the values of all ends.
    fn ends(&mut self, entry: u32, at: &Entry<'_>, scratch: &mut RoundScratch) {
        let last = at.round + 1 == self.game.rounds();
        scratch.folds.clear();
        scratch.showdowns.clear();
        for node in &at.tree.nodes {
            for (action, &step) in node.next.iter().enumerate() {
                let place = 1 + node.slot + action;
                let RoundStep::End(end) = step else { continue };
                let live = scratch.places[place].live;
                match at.tree.ends[end] {
                    RoundEnd::Matched { .. } if !last => {
                        if live != [false, false] {
                            let next = self.game.next_entry(self.board, entry, end);
                            self.following(next, at.round, place, scratch);
                        }
                    }
                    _ if !live[RIVAL] => {}
                    RoundEnd::Fold { position, wager } => {
                        let paid = (at.paid + wager) as f32;
                        let chips = if position == self.player ^ at.opener { -paid } else { paid };
                        scratch.folds.push(End { place, chips });
                    }
                    RoundEnd::Matched { wager } => {
                        scratch.showdowns.push(End { place, chips: (at.paid + wager) as f32 });
                    }
                }
            }
        }
        for first in (0..scratch.folds.len()).step_by(LANES) {
            self.together(at.round, first, false, scratch);
        }
        for first in (0..scratch.showdowns.len()).step_by(LANES) {
            self.together(at.round, first, true, scratch);
        }
    }

    /// Walks the next round from an end of this one, hands in the order of its buckets in between.
    fn following(&mut self, next: u32, round: usize, place: usize, scratch: &mut RoundScratch) {
        let Place { reach, live } = scratch.places[place];
        let hands = self.hands();
        for player in [OWN, RIVAL] {
            let before = &scratch.reach[player][reach[player] * hands[player]..][..hands[player]];
            let order = &self.scratch.orders[player][round];
            let after = &mut self.scratch.rounds[round + 1].reach[player];
            if live[player] {
                after.clear();
                after.extend(order.from_next.iter().map(|&position| before[position as usize]));
            }
        }
        self.round(next, live);
        if live[RIVAL] {
            let after = &self.scratch.rounds[round + 1].values[..hands[OWN]];
            let values = &mut scratch.values[place * hands[OWN]..][..hands[OWN]];
            for (&position, &value) in self.scratch.orders[OWN][round].from_next.iter().zip(after) {
                values[position as usize] = value;
            }
        }
    }

    /// Values up to [`LANES`] ends, folds or showdowns.
    fn together(&mut self, round: usize, first: usize, showdown: bool, scratch: &mut RoundScratch) {
        let hands = self.hands();
        let RoundScratch { folds, showdowns, places, reach, values, .. } = scratch;
        let ends = &if showdown { showdowns } else { folds }[first..];
        let ends = &ends[..ends.len().min(LANES)];
        let EndScratch { reach: rival, compatible, share, values: sorted } = &mut self.scratch.ends;
        let orders = self.scratch.orders.each_ref().map(|orders| &orders[round].hands);
        // Vectors beyond the ends repeat the first.
        let from: [&[f32]; LANES] = from_fn(|i| {
            let end = ends.get(i).unwrap_or(&ends[0]);
            &reach[RIVAL][places[end.place].reach[RIVAL] * hands[RIVAL]..][..hands[RIVAL]]
        });
        rival.resize(hands[RIVAL], ZERO);
        compatible.resize(hands[OWN], ZERO);
        share.resize(hands[OWN], ZERO);
        for (position, &hand) in orders[RIVAL].iter().enumerate() {
            rival[hand as usize] = from_fn(|i| from[i][position]);
        }
        let asked = showdown.then_some(&mut share[..]);
        self.game.contest_reach(self.board, self.player, rival, compatible, asked);
        let chips: Lane = from_fn(|i| ends.get(i).map_or(0.0, |end| end.chips));
        sorted.clear();
        sorted.extend(orders[OWN].iter().map(|&hand| {
            let compatible = compatible[hand as usize];
            if showdown {
                let share = share[hand as usize];
                from_fn(|i| chips[i] * (2.0 * share[i] - compatible[i]))
            } else {
                from_fn(|i| chips[i] * compatible[i])
            }
        }));
        for (i, end) in ends.iter().enumerate() {
            let values = &mut values[end.place * hands[OWN]..][..hands[OWN]];
            for (value, sorted) in values.iter_mut().zip(&*sorted) {
                *value = sorted[i];
            }
        }
    }

    /// Brings values from the ends to the beginning, and takes the regrets.
    fn up(&mut self, entry: u32, at: &Entry<'_>, scratch: &mut RoundScratch) {
        let lanes = self.game.lanes(at.round);
        let groups = lanes / LANES;
        let hands = self.hands()[OWN];
        let bounds = &self.scratch.orders[OWN][at.round].bounds;
        for (number, node) in at.tree.nodes.iter().enumerate().rev() {
            let actions = node.next.len();
            let from = scratch.from[number];
            if !scratch.places[from].live[RIVAL] {
                continue;
            }
            let (above, below) = scratch.values.split_at_mut((1 + node.slot) * hands);
            let value = &mut above[from * hands..][..hands];
            if node.position != self.player ^ at.opener {
                value.fill(0.0);
                for action in 0..actions {
                    if scratch.places[1 + node.slot + action].live[RIVAL] {
                        lanes::add_to(value, &below[action * hands..][..hands]);
                    }
                }
                continue;
            }
            let strategy = &scratch.strategy[node.slot * groups..][..actions * groups];
            let deltas = &mut scratch.deltas[..actions * groups];
            for action in 0..actions {
                let child = &below[action * hands..][..hands];
                let span = action * lanes..(action + 1) * lanes;
                lanes::segment_sums(child, bounds, &mut deltas.as_flattened_mut()[span.clone()]);
                lanes::scale_segments(child, bounds, &strategy.as_flattened()[span], action == 0, value);
            }
            let mut mean = [ZERO; lanes::MAX_GROUPS];
            lanes::take_regrets(strategy, deltas, &mut mean[..groups]);
            let block = self.game.block(self.board, entry, self.player) + (node.slot * lanes) as u64;
            self.log.push(block, deltas);
            self.visits += self.game.private_buckets(at.round) as u64;
        }
    }
}

impl RoundScratch {
    /// Makes room; the reach at place 0 stays.
    fn fit(&mut self, at: &Entry<'_>, hands: [usize; 2], groups: usize) {
        let places = 1 + at.tree.slots;
        for (reach, hands) in self.reach.iter_mut().zip(hands) {
            reach.resize(places * hands, 0.0);
        }
        self.values.resize(places * hands[OWN], 0.0);
        self.places.resize(places, Place::default());
        self.from.clear();
        self.from.resize(at.tree.nodes.len(), 0);
        self.strategy.resize(at.tree.slots * groups, ZERO);
        self.deltas.resize(MAX_ACTIONS * groups, ZERO);
    }
}

/// What the walk for `player` logs at most, of regrets and of the average alike.
pub(super) fn log_size<G: BoardGame>(game: &G, board: &G::Board, player: usize) -> LogSize {
    let mut size = LogSize::default();
    let mut open = vec![game.root(board)];
    while let Some(entry) = open.pop() {
        let at = game.entry(board, entry);
        let groups = game.lanes(at.round) / LANES;
        for node in at.tree.nodes.iter().filter(|node| node.position == player ^ at.opener) {
            size.blocks += 1;
            size.groups += node.next.len() * groups;
        }
        if at.round + 1 < game.rounds() {
            for (end, kind) in at.tree.ends.iter().enumerate() {
                if matches!(kind, RoundEnd::Matched { .. }) {
                    open.push(game.next_entry(board, entry, end));
                }
            }
        }
    }
    size
}
