//! The values of every hidden holding behind the same up cards, in one call.
//!
//! On seventh street a player of stud shows four cards and hides three: with 44 cards unseen, 13,244 hands. Valuing
//! them one by one repeats work, because a hand without a flush depends on the hidden ranks alone, and there are at
//! most 455 multisets of three ranks. With the live cards in ascending order, holdings that differ in the suit of
//! one card lie side by side, and those that differ in the suit of an earlier card form copies of whole
//! stretches of the output:
//!
//! 1. One look-up per rank multiset fills the run of up to four holdings whose last card has the third rank.
//! 2. The row of a pair `i < j` (all `k > j`) repeats the end of the row before it if the cards `j - 1` and `j` have the same rank.
//! 3. The block of a card `i` (all `j, k` above it) repeats the end of the block before it likewise.
//! 4. Holdings that complete a flush are overwritten.
//!
//! Steps 2 and 3 are plain copies, so that no vector instruction needs to be named; they are what the memory copy
//! of the platform makes of them. Pairs hidden behind five known cards (four up cards and a given river) work alike.

use crate::rank7::{flush, offsuit, rank_sum};
use crate::{Card, CardSet, low};

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
    cards: Vec<Card>,
    /// Live cards of equal rank are neighbours: each rank and the positions that its cards span.
    runs: Vec<Run>,
    /// Positions of each suit's cards.
    suits: [Vec<u8>; 4],
    /// The index of the triple `i < j < k` is `first[i] + second[j] + k`, wrapping.
    first: Vec<u32>,
    second: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    rank: usize,
    start: usize,
    end: usize,
}

/// Space behind the values, for writing in whole chunks.
const PADDING: usize = 16;

const fn pairs(n: usize) -> usize {
    n * n.saturating_sub(1) / 2
}

const fn triples(n: usize) -> usize {
    pairs(n) * n.saturating_sub(2) / 3
}

impl Live {
    /// Prepares the unseen cards of a board.
    pub fn new(live: CardSet) -> Live {
        let cards: Vec<Card> = live.into_iter().collect();
        let n = cards.len();
        let mut runs: Vec<Run> = Vec::with_capacity(13);
        let mut suits = [const { Vec::new() }; 4];
        for (position, card) in cards.iter().enumerate() {
            suits[card.suit().index()].push(position as u8);
            let rank = card.rank().index();
            match runs.last_mut() {
                Some(run) if run.rank == rank => run.end += 1,
                _ => runs.push(Run { rank, start: position, end: position + 1 }),
            }
        }
        let first = (0..n).map(|i| (triples(n) - triples(n - i) + pairs(n - 1 - i)) as u32).collect();
        let second = (0..n).map(|j| 0u32.wrapping_sub((pairs(n - j) + j + 1) as u32)).collect();
        Live { cards, runs, suits, first, second }
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
        self.first[i].wrapping_add(self.second[j]).wrapping_add(k as u32) as usize
    }

    fn triple_index_unordered(&self, i: usize, j: usize, k: usize) -> usize {
        let (i, j) = (i.min(j), i.max(j));
        let (j, k) = (j.min(k), j.max(k));
        let (i, j) = (i.min(j), i.max(j));
        self.triple_index(i, j, k)
    }

    /// Positions of the cards of this suit and of the other ones.
    fn split(&self, suit: usize) -> (&[u8], Vec<u8>) {
        let others =
            (0..self.cards.len() as u8).filter(|&i| self.cards[usize::from(i)].suit().index() != suit);
        (&self.suits[suit], others.collect())
    }

    fn bit(&self, position: u8) -> u16 {
        1 << self.cards[usize::from(position)].rank().index()
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
                offsuit(key.wrapping_add(rank_sum(a) + rank_sum(b) + rank_sum(c)))
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
            fill_triples(live, out, |a, b, c| {
                low::razz_of_repeats([a, b, c].into_iter().fold(repeats, repeated))
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
            fill_pairs(live, out, |a, b| offsuit(key.wrapping_add(rank_sum(a) + rank_sum(b))));
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
            fill_pairs(live, out, |a, b| low::razz_of_repeats(repeated(repeated(repeats, a), b)));
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
    cards.into_iter().map(|card| rank_sum(card.rank().index())).sum()
}

/// Masks of the ranks that occur at least once, twice, three and four times, with one more card.
fn repeated(mut at_least: [u16; 4], rank: usize) -> [u16; 4] {
    let mut carry = 1 << rank;
    for mask in &mut at_least {
        (*mask, carry) = (*mask | carry, *mask & carry);
    }
    at_least
}

/// Writes one value to the (up to four) places of a run; what it writes beyond them must be written later.
#[inline(always)]
fn splat(out: &mut [u16], at: usize, value: u16) {
    *out[at..].first_chunk_mut().expect("padding") = [value; 4];
}

/// Copies the `len` values before `at` to `at`, in whole chunks: what is written beyond them must be written later.
#[inline(always)]
fn repeat(out: &mut [u16], at: usize, len: usize) {
    for done in (0..len).step_by(PADDING) {
        let chunk: [u16; PADDING] = *out[at - len + done..].first_chunk().expect("padding");
        *out[at + done..].first_chunk_mut().expect("padding") = chunk;
    }
}

/// Writes the values of hands without regard to flushes, from a function of three ascending ranks.
#[inline(always)]
fn fill_triples(live: &Live, out: &mut Vec<u16>, value: impl Fn(usize, usize, usize) -> u16) {
    let n = live.cards.len();
    out.resize(live.triples() + PADDING, 0);
    let mut at = 0;
    for (r, &first) in live.runs.iter().enumerate() {
        for second in &live.runs[r..] {
            let start = if second.start == first.start { first.start + 1 } else { second.start };
            let mut row = at;
            let mut position = start + 1;
            for third in live.runs[r..].iter().filter(|third| third.rank >= second.rank) {
                if position < third.end {
                    splat(out, row, value(first.rank, second.rank, third.rank));
                    row += third.end - position;
                    position = third.end;
                }
            }
            for j in start..second.end {
                let len = n - 1 - j;
                if j > start {
                    repeat(out, at, len);
                }
                at += len;
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
    out.resize(live.pairs() + PADDING, 0);
    let mut at = 0;
    for (r, first) in live.runs.iter().enumerate() {
        let mut row = at;
        let mut position = first.start + 1;
        for second in &live.runs[r..] {
            if position < second.end {
                splat(out, row, value(first.rank, second.rank));
                row += second.end - position;
                position = second.end;
            }
        }
        for i in first.start..first.end {
            let len = n - 1 - i;
            if i > first.start {
                repeat(out, at, len);
            }
            at += len;
        }
    }
    out.truncate(live.pairs());
}

/// Overwrites the triples that complete a flush with four cards, of which those of `suit` have the ranks `up`.
fn triple_flushes(live: &Live, up: u16, suit: usize, out: &mut [u16]) {
    let held = up.count_ones();
    if held < 2 {
        return;
    }
    let (suited, others) = live.split(suit);
    for (x, &i) in suited.iter().enumerate() {
        let one = up | live.bit(i);
        if held == 4 {
            let value = flush(one);
            for (y, &j) in others.iter().enumerate() {
                for &k in &others[y + 1..] {
                    out[live.triple_index_unordered(i.into(), j.into(), k.into())] = value;
                }
            }
        }
        for (y, &j) in suited.iter().enumerate().skip(x + 1) {
            let two = one | live.bit(j);
            if held >= 3 {
                let value = flush(two);
                for &k in &others {
                    out[live.triple_index_unordered(i.into(), j.into(), k.into())] = value;
                }
            }
            for &k in &suited[y + 1..] {
                out[live.triple_index(i.into(), j.into(), k.into())] = flush(two | live.bit(k));
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
    let (suited, others) = live.split(suit);
    for (x, &i) in suited.iter().enumerate() {
        let one = known | live.bit(i);
        if held >= 4 {
            let value = flush(one);
            for &j in &others {
                out[live.pair_index(i.min(j).into(), i.max(j).into())] = value;
            }
        }
        for &j in &suited[x + 1..] {
            out[live.pair_index(i.into(), j.into())] = flush(one | live.bit(j));
        }
    }
    if held == 5 {
        let value = flush(known);
        for (x, &i) in others.iter().enumerate() {
            for &j in &others[x + 1..] {
                out[live.pair_index(i.into(), j.into())] = value;
            }
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
            assert_eq!(live.triple_index_unordered(k, i, j), index);
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
