//! Exact equity of two hands without dealing every pair of completions.
//!
//! Two hands that lack four cards each can be completed in 163,185 x 111,930 ways: too many to list. But each
//! completion of one hand only needs to know how many completions of the other are worse, equal and better, among
//! those that share no card with it. With the completions of both in order of strength, one pass adds those of the
//! second hand as they are overtaken, counting for every small set of cards how many of them contain it. Inclusion
//! and exclusion over the subsets of a completion's cards then gives the number of those that contain none of them:
//!
//! disjoint(h) = sum over T within h of (-1)^|T| containing(T)
//!
//! For hi/lo the counts are kept per low value in a Fenwick tree ("A New Data Structure for Cumulative Frequency
//! Tables", 1994), so that both halves of the pot are compared together.

use super::tally::Tally;
use super::{Incomplete, Table};
use crate::stud::showdown::Strength;
use arrayvec::ArrayVec;
use doorcard_cards::Card;
use doorcard_cards::low::LowRank;
use doorcard_cards::rank7::HandKey;
use std::cmp::Ordering;

/// The most cards that a hand may lack: the 70 million and more ways to complete one of which nothing is known are
/// better sampled.
const MOST: usize = 6;

/// Binomial coefficients of up to 52 over up to 6.
const CHOOSE: [[u32; MOST + 1]; 53] = {
    let mut table = [[0; MOST + 1]; 53];
    let mut n = 0;
    while n < 53 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MOST && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Leaves of the Fenwick tree over low values: no low, 56 that qualify, and up to the next power of two.
const LOWS: usize = 64;

/// What a sweep costs, in steps of a nanosecond or two; `None` if the table is not of its kind.
pub(super) fn work(table: &Table, split: bool) -> Option<u64> {
    let [first, second] = by_missing(table)?;
    let completions = |hand: Incomplete| u64::from(CHOOSE[table.live.len()][hand.missing]);
    let (queries, additions) = (completions(first) << first.missing, completions(second) << second.missing);
    // A query of a Fenwick tree reads about three nodes twice, and adding writes three.
    let steps = if split { 13 * queries + 3 * additions } else { 2 * queries + additions };
    Some(steps + 20 * (completions(first) + completions(second)))
}

/// The players in ascending order of missing cards, if there are two, one of them incomplete, neither without any
/// card, and no shared river.
fn by_missing(table: &Table) -> Option<[Incomplete; 2]> {
    let &[a, b] = &table.hands[..] else { return None };
    let ordered = if a.missing <= b.missing { [a, b] } else { [b, a] };
    ((1..=MOST).contains(&ordered[1].missing) && !table.shared_river).then_some(ordered)
}

/// The results of every deal.
///
/// # Panics
/// If [`work`] is `None`.
pub(super) fn sweep<V>(table: &Table, split: bool, value: V) -> Tally
where
    V: Fn(HandKey) -> Strength,
{
    let live: Vec<Card> = table.live.into_iter().collect();
    let hands = by_missing(table).expect("two hands without a shared river");
    let [first, second] = hands.map(|hand| completions(hand, &live, &value));
    let ascending = |sets: &[Completion]| {
        let mut order: Vec<u32> = (0..sets.len() as u32).collect();
        order.sort_unstable_by_key(|&index| (sets[index as usize].strength.high, index));
        order
    };
    let order = ascending(&first);
    let mut overtaken = ascending(&second).into_iter().map(|index| &second[index as usize]).peekable();

    let mut counts = Counts::new(live.len(), hands, split);
    let same_size = hands[0].missing == hands[1].missing;
    // How second hands compare with first ones: by stage (worse in high, not better in high, all), by whether the
    // first hand has a low, and by the comparison of lows.
    let mut found = [[[0i64; 3]; 2]; 3];
    let mut query = |stage: usize, index: u32, counts: &Counts| {
        let own = &first[index as usize];
        let found = &mut found[stage][usize::from(own.strength.low > 0)];
        for (found, count) in found.iter_mut().zip(counts.disjoint(own)) {
            *found += count;
        }
        if same_size {
            // The last term of the sum: the completion by the very same cards, which is not counted as a subset.
            let same = second[index as usize].strength;
            let added = match same.high.cmp(&own.strength.high) {
                Ordering::Less => true,
                Ordering::Equal => stage > 0,
                Ordering::Greater => stage > 1,
            };
            if added {
                found[(same.low.cmp(&own.strength.low) as i8 + 1) as usize] += sign(hands[0].missing);
            }
        }
    };
    let high = |index: u32| first[index as usize].strength.high;
    for group in order.chunk_by(|&x, &y| high(x) == high(y)) {
        while let Some(set) = overtaken.next_if(|set| set.strength.high < high(group[0])) {
            counts.add(set);
        }
        group.iter().for_each(|&index| query(0, index, &counts));
        while let Some(set) = overtaken.next_if(|set| set.strength.high == high(group[0])) {
            counts.add(set);
        }
        group.iter().for_each(|&index| query(1, index, &counts));
    }
    overtaken.for_each(|set| counts.add(set));
    order.iter().for_each(|&index| query(2, index, &counts));
    settle(table, found)
}

/// -1 for an odd number.
fn sign(number: usize) -> i64 {
    if number.is_multiple_of(2) { 1 } else { -1 }
}

/// Adds up the counted comparisons, each settled by an example.
fn settle(table: &Table, found: [[[i64; 3]; 2]; 3]) -> Tally {
    let [worse, not_better, all] = found;
    let swapped = table.hands[0].missing > table.hands[1].missing;
    let mut tally = Tally::default();
    for has_low in 0..2 {
        for low in 0..3 {
            let [worse, not_better, all] = [worse, not_better, all].map(|stage| stage[has_low][low]);
            let own = Strength { high: 2, low: 2 * has_low as u16 };
            for (high, deals) in [worse, not_better - worse, all - not_better].into_iter().enumerate() {
                let other_low = (own.low + low as u16).saturating_sub(1);
                let other = Strength { high: 1 + high as u16, low: other_low };
                let strengths = if swapped { [other, own] } else { [own, other] };
                tally.record(&strengths, deals as u64);
            }
        }
    }
    tally
}

/// One way to complete a hand: positions of the added cards among the live ones, ascending, and what it makes.
struct Completion {
    positions: ArrayVec<u8, MOST>,
    strength: Strength,
}

/// All completions of a hand in a fixed order.
fn completions(hand: Incomplete, live: &[Card], value: &impl Fn(HandKey) -> Strength) -> Vec<Completion> {
    fn extend(
        live: &[Card],
        missing: usize,
        key: HandKey,
        positions: &ArrayVec<u8, MOST>,
        f: &mut impl FnMut(HandKey, &ArrayVec<u8, MOST>),
    ) {
        if missing == 0 {
            return f(key, positions);
        }
        let from = positions.last().map_or(0, |&last| usize::from(last) + 1);
        for position in from..live.len() {
            let mut positions = positions.clone();
            positions.push(position as u8);
            extend(live, missing - 1, key.add(live[position]), &positions, f);
        }
    }
    let mut all = Vec::with_capacity(CHOOSE[live.len()][hand.missing] as usize);
    extend(live, hand.missing, hand.key, &ArrayVec::new(), &mut |key, positions| {
        all.push(Completion { positions: positions.clone(), strength: value(key) });
    });
    all
}

/// How many of the completions added so far contain each small set of cards.
struct Counts {
    /// The largest sets counted.
    depth: usize,
    /// Where sets of each size begin within a node.
    starts: [u32; MOST + 1],
    sets: usize,
    /// Nodes of the Fenwick tree over low values, or one.
    nodes: usize,
    /// Shape: `[node][set]`.
    cells: Vec<u32>,
}

impl Counts {
    fn new(live: usize, [first, second]: [Incomplete; 2], split: bool) -> Counts {
        let depth = first.missing.min(second.missing - 1);
        let mut starts = [0; MOST + 1];
        let mut sets = 0;
        for size in 0..=depth {
            starts[size] = sets;
            sets += CHOOSE[live][size];
        }
        let nodes = if split { LOWS } else { 1 };
        Counts { depth, starts, sets: sets as usize, nodes, cells: vec![0; nodes * sets as usize] }
    }

    /// Which leaf a low value belongs to, from 1.
    fn leaf(low: u16) -> usize {
        1 + usize::from(low).saturating_sub(LowRank::COUNT - LowRank::EIGHTS)
    }

    /// The places of the subsets of a completion's cards within a node, those of even and those of odd size.
    fn subsets(&self, set: &Completion) -> [ArrayVec<u32, { 1 << (MOST - 1) }>; 2] {
        let mut places = [const { ArrayVec::new_const() }; 2];
        let mut numbers = [0; 1 << MOST];
        places[0].push(self.starts[0]);
        for subset in 1usize..1 << set.positions.len() {
            let size = subset.count_ones() as usize;
            let top = subset.ilog2();
            let number = numbers[subset ^ 1 << top] + CHOOSE[usize::from(set.positions[top as usize])][size];
            numbers[subset] = number;
            if size <= self.depth {
                places[size % 2].push(self.starts[size] + number);
            }
        }
        places
    }

    fn add(&mut self, set: &Completion) {
        let subsets = self.subsets(set);
        let mut node = Counts::leaf(set.strength.low);
        while node <= self.nodes {
            let cells = &mut self.cells[(node - 1) * self.sets..node * self.sets];
            subsets.iter().flatten().for_each(|&place| cells[place as usize] += 1);
            node += node & node.wrapping_neg();
        }
    }

    /// How many added completions share no card with `set` and have a worse, an equal and a better low, but for the
    /// term of sets larger than those counted.
    fn disjoint(&self, set: &Completion) -> [i64; 3] {
        let [even, odd] = self.subsets(set);
        let up_to = |mut node: usize| {
            let mut sum = 0;
            while node > 0 {
                let cells = &self.cells[(node - 1) * self.sets..node * self.sets];
                let count = |places: &[u32]| {
                    places.iter().map(|&place| i64::from(cells[place as usize])).sum::<i64>()
                };
                sum += count(&even) - count(&odd);
                node &= node - 1;
            }
            sum
        };
        if self.nodes == 1 {
            return [0, up_to(1), 0];
        }
        let leaf = Counts::leaf(set.strength.low);
        let [worse, not_better, all] = [leaf - 1, leaf, self.nodes].map(up_to);
        [worse, not_better - worse, all - not_better]
    }
}
