//! The values of every hidden holding behind the same up cards, in one call.
//!
//! On seventh street a player of stud shows four cards and hides three: with 44 cards unseen, 13,244 hands. Valuing
//! them one by one repeats work, because a hand without a flush depends on the hidden ranks alone, and there are at
//! most 455 multisets of three ranks. With the live cards in ascending order, cards of the same rank are neighbours,
//! and the output repeats itself:
//!
//! 1. For each pair of ranks of the first two cards, a row holds the values for every third card. One look-up
//!    per rank fills a run of up to four.
//! 2. The holdings of two given cards `i < j` are the end of the row of their ranks, from `j + 1` on.
//! 3. The block of a card `i` (all holdings whose lowest card it is) is the end of the block of `i - 1` if both have
//!    the same rank.
//! 4. Holdings that complete a flush are overwritten.
//!
//! Steps 2 and 3 are plain copies, which the compiler and the C library turn into what the machine has: compiling
//! this module for AVX2 gains 3% for high hands (20% for razz, from scalar bit instructions), so no vector
//! instructions are named. Pairs hidden behind five known cards (four up cards and a given river) work alike.

use crate::rank7::{flush, offsuit, rank_sum};
use crate::{Card, CardSet, low};
use arrayvec::ArrayVec;

/// Which values to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Values {
    /// High hands: the numbers of [`crate::rank7::HighRank`].
    High,
    /// Eight-or-better: the numbers of [`crate::low::LowRank`], 0 for hands that do not qualify.
    Eight,
    /// Razz: the numbers of [`crate::low::LowRank`].
    Razz,
}

/// The cards that may be hidden, prepared for listing holdings.
#[derive(Clone, Debug)]
pub struct Live {
    cards: ArrayVec<Card, 52>,
    /// Live cards of equal rank are neighbours: each rank and the positions that its cards span.
    runs: ArrayVec<Run, 13>,
    /// Positions of each suit's cards.
    suits: [ArrayVec<u8, 13>; 4],
    /// The triple `i < j < k` stands at `first[i] + second[j] + k`, wrapping; unused positions are zero.
    first: [u32; 64],
    second: [u32; 64],
}

#[derive(Clone, Copy, Debug)]
struct Run {
    rank: usize,
    start: usize,
    end: usize,
}

/// How many values are copied at once. Copies may overrun their end by less than this, into places that are written
/// later or into padding.
const CHUNK: usize = 16;

const fn pairs(n: usize) -> usize {
    n * n.saturating_sub(1) / 2
}

const fn triples(n: usize) -> usize {
    pairs(n) * n.saturating_sub(2) / 3
}

impl Live {
    /// Prepares the unseen cards of a board.
    pub fn new(live: CardSet) -> Live {
        let n = live.len();
        let mut prepared = Live {
            cards: live.into_iter().collect(),
            runs: ArrayVec::new(),
            suits: [const { ArrayVec::new_const() }; 4],
            first: [0; 64],
            second: [0; 64],
        };
        for (position, card) in live.into_iter().enumerate() {
            prepared.suits[card.suit().index()].push(position as u8);
            let rank = card.rank().index();
            match prepared.runs.last_mut() {
                Some(run) if run.rank == rank => run.end += 1,
                _ => prepared.runs.push(Run { rank, start: position, end: position + 1 }),
            }
            prepared.first[position] = (triples(n) - triples(n - position) + pairs(n - 1 - position)) as u32;
            prepared.second[position] = 0u32.wrapping_sub((pairs(n - position) + position + 1) as u32);
        }
        prepared
    }

    /// The live cards in ascending order; holdings are named by positions in this list.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// How many pairs of live cards there are.
    pub fn pairs(&self) -> usize {
        pairs(self.cards.len())
    }

    /// How many triples of live cards there are.
    pub fn triples(&self) -> usize {
        triples(self.cards.len())
    }

    /// Where the pair of the cards at positions `i < j` stands among the holdings of two.
    pub fn pair_index(&self, i: usize, j: usize) -> usize {
        debug_assert!(i < j && j < self.cards.len());
        self.pairs() - pairs(self.cards.len() - i) + j - i - 1
    }

    /// Where the triple of the cards at positions `i < j < k` stands among the holdings of three.
    #[inline]
    pub fn triple_index(&self, i: usize, j: usize, k: usize) -> usize {
        debug_assert!(i < j && j < k && k < self.cards.len());
        self.first[i & 63].wrapping_add(self.second[j & 63]).wrapping_add(k as u32) as usize
    }

    /// Positions and rank masks of a suit's cards.
    fn suited(&self, suit: usize) -> ArrayVec<(usize, u16), 13> {
        self.suits[suit]
            .iter()
            .map(|&i| (usize::from(i), 1 << self.cards[usize::from(i)].rank().index()))
            .collect()
    }
}

/// All sets of `size` cards out of `live`, in the order of the values that this module computes: lexicographic over
/// the cards in ascending order.
pub fn hidden_sets(live: CardSet, size: usize) -> Vec<CardSet> {
    fn extend(cards: &[Card], size: usize, set: CardSet, sets: &mut Vec<CardSet>) {
        if size == 0 {
            return sets.push(set);
        }
        for (i, &card) in cards.iter().enumerate() {
            extend(&cards[i + 1..], size - 1, set.with(card), sets);
        }
    }
    let cards: Vec<Card> = live.into_iter().collect();
    let mut sets = Vec::new();
    extend(&cards, size, CardSet::EMPTY, &mut sets);
    sets
}

/// Values `up` with every three of the live cards: `out[live.triple_index(i, j, k)]`.
///
/// Whatever `out` held is replaced; its allocation is reused.
///
/// # Panics
/// Unless `up` holds four cards, none of them live.
pub fn triple_values(values: Values, up: CardSet, live: &Live, out: &mut Vec<u16>) {
    check(up, 4, live);
    let lanes = up.suit_lanes();
    match values {
        Values::High => {
            let key = rank_key(up);
            fill_triples(live, out, |a, b, c| {
                offsuit(key.wrapping_add(rank_sum(a)).wrapping_add(rank_sum(b)).wrapping_add(rank_sum(c)))
            });
            for suit in 0..4 {
                triple_flushes(live, (lanes >> (16 * suit)) as u16, suit, out);
            }
        }
        Values::Eight => {
            let [ranks, ..] = low::at_least(lanes);
            fill_triples(live, out, |a, b, c| low::eight_of_ranks(ranks | 1 << a | 1 << b | 1 << c));
        }
        Values::Razz => {
            let repeats = low::at_least(lanes);
            fill_triples(live, out, |a, b, c| match low::unpaired(repeats[0] | 1 << a | 1 << b | 1 << c) {
                0 => low::paired([a, b, c].into_iter().fold(repeats, repeated)).0,
                value => value,
            });
        }
    }
}

/// Values five known cards (four up cards and a river, say) with every two of the live cards:
/// `out[live.pair_index(i, j)]`.
///
/// Whatever `out` held is replaced; its allocation is reused.
///
/// # Panics
/// Unless `known` holds five cards, none of them live.
pub fn pair_values(values: Values, known: CardSet, live: &Live, out: &mut Vec<u16>) {
    check(known, 5, live);
    let lanes = known.suit_lanes();
    match values {
        Values::High => {
            let key = rank_key(known);
            fill_pairs(live, out, |a, b| offsuit(key.wrapping_add(rank_sum(a)).wrapping_add(rank_sum(b))));
            for suit in 0..4 {
                pair_flushes(live, (lanes >> (16 * suit)) as u16, suit, out);
            }
        }
        Values::Eight => {
            let [ranks, ..] = low::at_least(lanes);
            fill_pairs(live, out, |a, b| low::eight_of_ranks(ranks | 1 << a | 1 << b));
        }
        Values::Razz => {
            let repeats = low::at_least(lanes);
            fill_pairs(live, out, |a, b| match low::unpaired(repeats[0] | 1 << a | 1 << b) {
                0 => low::paired(repeated(repeated(repeats, a), b)).0,
                value => value,
            });
        }
    }
}

fn check(known: CardSet, expected: usize, live: &Live) {
    assert_eq!(known.len(), expected, "{known}: expected {expected} known cards");
    let clash = live.cards.iter().find(|&&card| known.contains(card));
    assert!(clash.is_none(), "{known}: known cards are live");
}

/// The sum of the cards' rank keys.
fn rank_key(cards: CardSet) -> u64 {
    cards.into_iter().fold(0, |sum, card| sum.wrapping_add(rank_sum(card.rank().index())))
}

/// Masks of the ranks that occur at least once, twice, three and four times, with one more card.
pub(crate) fn repeated(mut at_least: [u16; 4], rank: usize) -> [u16; 4] {
    let mut carry = 1 << rank;
    for mask in &mut at_least {
        (*mask, carry) = (*mask | carry, *mask & carry);
    }
    at_least
}

/// The values with each live card as the last one, and room to write and copy beyond.
type Row = [u16; 80];

/// Fills the runs of a row from a function of the last card's rank.
#[inline(always)]
fn fill_row(row: &mut Row, runs: &[Run], value: impl Fn(usize) -> u16) {
    for run in runs {
        // The next run overwrites what a shorter one leaves over.
        row[run.start & 63..][..4].fill(value(run.rank));
    }
}

/// Copies `row[from..n]` to `out[at..]` in whole chunks.
#[inline(always)]
fn copy_row(out: &mut [u16], at: usize, row: &Row, from: usize, n: usize) {
    for done in (0..n - from).step_by(CHUNK) {
        let chunk: [u16; CHUNK] = *row[from + done..].first_chunk().expect("rows have room");
        *out[at + done..].first_chunk_mut().expect("the output is padded") = chunk;
    }
}

/// Writes the values of hands without regard to flushes, from a function of three ascending ranks.
#[inline(always)]
fn fill_triples(live: &Live, out: &mut Vec<u16>, value: impl Fn(usize, usize, usize) -> u16) {
    let n = live.cards.len();
    out.resize(live.triples() + CHUNK, 0);
    let mut rows: [Row; 13] = [[0; 80]; 13];
    let mut at = 0;
    for (r, first) in live.runs.iter().enumerate() {
        let runs = &live.runs[r..];
        for (s, second) in runs.iter().enumerate() {
            fill_row(&mut rows[s], &runs[s..], |third| value(first.rank, second.rank, third));
        }
        for (row, second) in rows.iter().zip(runs) {
            for j in second.start.max(first.start + 1)..second.end {
                copy_row(out, at, row, j + 1, n);
                at += n - 1 - j;
            }
        }
        for i in first.start + 1..first.end {
            let len = pairs(n - 1 - i);
            out.copy_within(at - len..at, at);
            at += len;
        }
    }
    out.truncate(live.triples());
}

/// As [`fill_triples`] for two ascending ranks.
#[inline(always)]
fn fill_pairs(live: &Live, out: &mut Vec<u16>, value: impl Fn(usize, usize) -> u16) {
    let n = live.cards.len();
    out.resize(live.pairs() + CHUNK, 0);
    let mut row: Row = [0; 80];
    let mut at = 0;
    for (r, first) in live.runs.iter().enumerate() {
        fill_row(&mut row, &live.runs[r..], |second| value(first.rank, second));
        for i in first.start..first.end {
            copy_row(out, at, &row, i + 1, n);
            at += n - 1 - i;
        }
    }
    out.truncate(live.pairs());
}

/// Overwrites the triples that complete a flush with four cards, of which those of `suit` have the ranks `up`.
///
/// Holdings with more cards of the suit are written over those with fewer.
fn triple_flushes(live: &Live, up: u16, suit: usize, out: &mut [u16]) {
    let held = up.count_ones();
    if held < 2 {
        return;
    }
    let n = live.cards.len();
    let suited = live.suited(suit);
    if held == 4 {
        for &(i, rank) in &suited {
            let value = flush(up | rank);
            if i + 2 < n {
                out[live.triple_index(i, i + 1, i + 2)..][..pairs(n - 1 - i)].fill(value);
            }
            for j in 0..i {
                if i + 1 < n {
                    out[live.triple_index(j, i, i + 1)..][..n - 1 - i].fill(value);
                }
                for h in 0..j {
                    out[live.triple_index(h, j, i)] = value;
                }
            }
        }
    }
    if held >= 3 {
        for (x, &(i, first)) in suited.iter().enumerate() {
            for &(j, second) in &suited[x + 1..] {
                let value = flush(up | first | second);
                if j + 1 < n {
                    out[live.triple_index(i, j, j + 1)..][..n - 1 - j].fill(value);
                }
                for k in i + 1..j {
                    out[live.triple_index(i, k, j)] = value;
                }
                for h in 0..i {
                    out[live.triple_index(h, i, j)] = value;
                }
            }
        }
    }
    for (x, &(i, first)) in suited.iter().enumerate() {
        for (y, &(j, second)) in suited.iter().enumerate().skip(x + 1) {
            for &(k, third) in &suited[y + 1..] {
                out[live.triple_index(i, j, k)] = flush(up | first | second | third);
            }
        }
    }
}

/// Overwrites the pairs that complete a flush with five cards, of which those of `suit` have the ranks `known`.
fn pair_flushes(live: &Live, known: u16, suit: usize, out: &mut [u16]) {
    let held = known.count_ones();
    if held < 3 {
        return;
    }
    let n = live.cards.len();
    let suited = live.suited(suit);
    if held == 5 {
        out.fill(flush(known));
    }
    if held >= 4 {
        for &(i, rank) in &suited {
            let value = flush(known | rank);
            if i + 1 < n {
                out[live.pair_index(i, i + 1)..][..n - 1 - i].fill(value);
            }
            for h in 0..i {
                out[live.pair_index(h, i)] = value;
            }
        }
    }
    for (x, &(i, first)) in suited.iter().enumerate() {
        for &(j, second) in &suited[x + 1..] {
            out[live.pair_index(i, j)] = flush(known | first | second);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Deck;
    use crate::low::{eight_of, razz_of};
    use crate::rank7::high_of;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    fn one_by_one(values: Values, hand: CardSet) -> u16 {
        match values {
            Values::High => high_of(hand).0,
            Values::Eight => eight_of(hand).map_or(0, |low| low.0),
            Values::Razz => razz_of(hand).0,
        }
    }

    fn compare(known: CardSet, dead: CardSet, out: &mut Vec<u16>) {
        let set = known.union(dead).complement();
        let live = Live::new(set);
        for values in [Values::High, Values::Eight, Values::Razz] {
            let size = 7 - known.len();
            if size == 3 {
                triple_values(values, known, &live, out);
            } else {
                pair_values(values, known, &live, out);
            }
            let hidden = hidden_sets(set, size);
            assert_eq!(out.len(), hidden.len());
            for (&value, hidden) in out.iter().zip(hidden) {
                assert_eq!(value, one_by_one(values, known.union(hidden)), "{values:?} {known} {hidden}");
            }
        }
    }

    #[test]
    fn boards_equal_hands_valued_one_by_one() {
        let mut rng = StdRng::seed_from_u64(21);
        let mut deck = Deck::new();
        let mut out = vec![7; 3];
        for round in 0..60 {
            let known = 4 + round % 2;
            let cards = deck.deal(known + round % 9, &mut rng).to_vec();
            compare(CardSet::from(&cards[..known]), CardSet::from(&cards[known..]), &mut out);
        }
        for known in [
            "As3s5s9s",
            "As3s5s9d",
            "AsAcAhAd",
            "2s2c2h3d",
            "KdQdJdTd",
            "KdQdJdTd4d",
            "KdQdJdTc4d",
            "8c8d8h8s7c",
        ] {
            compare(known.parse().unwrap(), "4c4d4h4sJs".parse().unwrap(), &mut out);
            compare(known.parse().unwrap(), CardSet::EMPTY, &mut out);
        }
    }

    #[test]
    fn few_live_cards() {
        let mut out = Vec::new();
        for live in ["", "2c", "2c3d", "2c2d2h", "2c2d2h2s", "Kc2d2h2s"] {
            let live: CardSet = live.parse().unwrap();
            let up = "AsAcAhAd".parse().unwrap();
            compare(up, live.union(up).complement(), &mut out);
        }
    }

    #[test]
    fn indices_follow_the_order_of_hidden_sets() {
        let mut rng = StdRng::seed_from_u64(3);
        let dead = CardSet::from(Deck::new().deal(8, &mut rng));
        let live = Live::new(dead.complement());
        let position = |card| live.cards().iter().position(|&c| c == card).unwrap();
        assert_eq!((live.pairs(), live.triples()), (946, 13_244));
        for (index, set) in hidden_sets(dead.complement(), 3).into_iter().enumerate() {
            let mut cards = set.into_iter().map(position);
            let [i, j, k] = std::array::from_fn(|_| cards.next().unwrap());
            assert_eq!(live.triple_index(i, j, k), index);
        }
        for (index, set) in hidden_sets(dead.complement(), 2).into_iter().enumerate() {
            let mut cards = set.into_iter().map(position);
            let [i, j] = std::array::from_fn(|_| cards.next().unwrap());
            assert_eq!(live.pair_index(i, j), index);
        }
    }

    #[test]
    #[should_panic(expected = "known cards are live")]
    fn a_known_card_cannot_be_live() {
        triple_values(Values::High, "AsAcAhAd".parse().unwrap(), &Live::new(CardSet::FULL), &mut Vec::new());
    }
}
