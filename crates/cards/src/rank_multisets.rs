//! Multisets of up to four ranks, numbered, and the values of the hands they complete.
//!
//! Where suits do not matter, cards that are still to come are a multiset of ranks: there are 1,820 of four ranks
//! instead of 270,725 sets of cards. Those of one size are numbered in colexicographic order, which is ascending
//! order of the ranks read from the highest down: (0, 0), (1, 0), (1, 1), (2, 0), ...

use crate::board::{Values, repeated};
use crate::rank7::{offsuit, rank_sum};
use crate::{CardSet, low};

/// The most ranks in a multiset.
const MAX_SIZE: usize = 4;

/// How many multisets of `size` of the lowest `ranks` ranks there are.
const fn count_below(ranks: usize, size: usize) -> usize {
    let mut count = 1;
    let mut i = 0;
    while i < size {
        count = count * (ranks + i) / (i + 1);
        i += 1;
    }
    count
}

/// How many multisets of `size` ranks there are: 1, 13, 91, 455 and 1,820 of none to four.
pub const fn count(size: usize) -> usize {
    count_below(13, size)
}

/// Where the multisets of a size stand in `WITH`, one size after another.
const STARTS: [usize; MAX_SIZE + 1] = [
    0,
    count(0),
    count(0) + count(1),
    count(0) + count(1) + count(2),
    count(0) + count(1) + count(2) + count(3),
];

/// The number of each multiset with each rank added. Shape: \[multiset\]\[rank\].
static WITH: [[u16; 13]; STARTS[MAX_SIZE]] = {
    let mut with = [[0; 13]; STARTS[MAX_SIZE]];
    let mut size = 0;
    while size < MAX_SIZE {
        // The ranks of the multiset, highest first.
        let mut ranks = [0; MAX_SIZE];
        let mut number = 0;
        while number < count(size) {
            let mut added = 0;
            while added < 13 {
                let (mut i, mut place, mut sum, mut met) = (0, size + 1, 0, false);
                while place > 0 {
                    let rank = if !met && (i == size || ranks[i] <= added) {
                        met = true;
                        added
                    } else {
                        i += 1;
                        ranks[i - 1]
                    };
                    sum += if rank == 0 { 0 } else { count_below(rank, place) };
                    place -= 1;
                }
                with[STARTS[size] + number][added] = sum as u16;
                added += 1;
            }
            // The next multiset: the last rank that may rise does, and all after it fall to the lowest.
            let mut last = size;
            while last > 1 && ranks[last - 1] == ranks[last - 2] {
                last -= 1;
            }
            if last > 0 {
                ranks[last - 1] += 1;
                while last < size {
                    ranks[last] = 0;
                    last += 1;
                }
            }
            number += 1;
        }
        size += 1;
    }
    with
};

/// The numbers of a multiset of `size` ranks, at most three, with each rank added.
///
/// # Panics
/// If there is no such multiset.
#[inline(always)]
pub fn with_each(size: usize, number: usize) -> &'static [u16; 13] {
    &WITH[STARTS[size]..STARTS[size + 1]][number]
}

/// Values `known` cards, three or four, with every multiset of ranks that makes them seven, in order; flushes are
/// left out. The value is 0 where the deck has too few cards of a rank.
///
/// Whatever `out` held is replaced; its allocation is reused.
///
/// # Panics
/// Unless there are three or four known cards.
pub fn values(values: Values, known: CardSet, out: &mut Vec<u16>) {
    assert!((3..=4).contains(&known.len()), "three or four known cards, not {known}");
    let size = 7 - known.len();
    let lanes = known.suit_lanes();
    let mut room = [4; 13];
    known.into_iter().for_each(|card| room[card.rank().index()] -= 1);
    out.clear();
    out.resize(count(size), 0);
    match values {
        Values::High => {
            let key =
                known.into_iter().fold(0u64, |sum, card| sum.wrapping_add(rank_sum(card.rank().index())));
            fill(key, 12, size, &mut room, out, &|key, rank| key.wrapping_add(rank_sum(rank)), &offsuit);
        }
        Values::Eight => {
            let [ranks, ..] = low::at_least(lanes);
            fill(ranks, 12, size, &mut room, out, &|ranks, rank| ranks | 1 << rank, &low::eight_of_ranks);
        }
        Values::Razz => {
            let value = |at_least: [u16; 4]| match low::unpaired(at_least[0]) {
                0 => low::paired(at_least).0,
                value => value,
            };
            fill(low::at_least(lanes), 12, size, &mut room, out, &repeated, &value);
        }
    }
}

/// [`count_below`]. Shape: \[ranks\]\[size\].
static COUNTS_BELOW: [[u16; MAX_SIZE + 1]; 14] = {
    let mut counts = [[0; MAX_SIZE + 1]; 14];
    let mut ranks = 1;
    while ranks < 14 {
        let mut size = 0;
        while size <= MAX_SIZE {
            counts[ranks][size] = count_below(ranks, size) as u16;
            size += 1;
        }
        ranks += 1;
    }
    counts
};

/// Adds `size` ranks, none above `top`, in every way to what `known` stands for.
fn fill<K: Copy>(
    known: K,
    top: usize,
    size: usize,
    room: &mut [u8; 13],
    mut out: &mut [u16],
    add: &impl Fn(K, usize) -> K,
    value: &impl Fn(K) -> u16,
) {
    if size == 1 {
        for (rank, (out, &room)) in out.iter_mut().zip(&*room).enumerate() {
            if room > 0 {
                *out = value(add(known, rank));
            }
        }
        return;
    }
    for rank in 0..=top {
        let (own, rest) = out.split_at_mut(COUNTS_BELOW[rank + 1][size - 1].into());
        if room[rank] > 0 {
            room[rank] -= 1;
            fill(add(known, rank), rank, size - 1, room, own, add, value);
            room[rank] += 1;
        }
        out = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::low::{eight_of, razz_of};
    use crate::rank7::{HighRank, high_of};
    use crate::{Deck, Rank, Suit};
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    /// The number of a multiset, its ranks added one by one.
    fn number(ranks: impl IntoIterator<Item = usize>) -> usize {
        ranks.into_iter().enumerate().fold(0, |number, (size, rank)| with_each(size, number)[rank].into())
    }

    #[test]
    fn numbers_are_dense_and_in_order() {
        assert_eq!([0, 1, 2, 3, 4].map(count), [1, 13, 91, 455, 1820]);
        let mut expected = 0;
        for a in 0..13 {
            for b in 0..=a {
                assert_eq!(number([b, a]), a * (a + 1) / 2 + b);
                for c in 0..=b {
                    for d in 0..=c {
                        for ranks in [[a, b, c, d], [d, c, b, a], [c, a, d, b], [b, d, a, c]] {
                            assert_eq!(number(ranks), expected);
                        }
                        expected += 1;
                    }
                }
            }
        }
        assert_eq!(expected, count(4));
        assert_eq!(number([12, 12, 12]), 454);
    }

    #[test]
    fn values_are_those_of_hands() {
        let mut rng = StdRng::seed_from_u64(5);
        let mut out = Vec::new();
        for size in [3, 4] {
            for _ in 0..2000 {
                let mut deck = Deck::new();
                let cards = deck.deal(7, &mut rng);
                let (known, hand) = (CardSet::from(&cards[..7 - size]), CardSet::from(cards));
                let number = number(cards[7 - size..].iter().map(|card| card.rank().index()));
                for kind in [Values::High, Values::Eight, Values::Razz] {
                    values(kind, known, &mut out);
                    assert_eq!(out.len(), count(size));
                    let expected = match kind {
                        // A flush beats whatever the ranks make.
                        Values::High if Suit::all().any(|suit| suited(hand, suit) >= 5) => continue,
                        Values::High => high_of(hand).0,
                        Values::Eight => eight_of(hand).map_or(0, |low| low.0),
                        Values::Razz => razz_of(hand).0,
                    };
                    assert_eq!(out[number], expected, "{known} of {hand}");
                }
            }
        }
    }

    fn suited(hand: CardSet, suit: Suit) -> usize {
        hand.into_iter().filter(|card| card.suit() == suit).count()
    }

    #[test]
    fn what_the_deck_lacks_has_no_value() {
        let mut out = Vec::new();
        let ace = Rank::ACE.index();
        for kind in [Values::High, Values::Razz] {
            values(kind, "AsAhAd".parse().unwrap(), &mut out);
            assert_eq!(out[number([ace, ace, 0, 0])], 0, "five aces");
            assert_eq!(out[number([ace; 4])], 0, "seven aces");
            assert_ne!(out[number([ace, 0, 0, 0])], 0, "four aces, three deuces");
            values(kind, "AsAhAdAc".parse().unwrap(), &mut out);
            assert_eq!(out.iter().filter(|&&value| value == 0).count(), count(2), "another ace");
            assert!(out.iter().all(|&value| usize::from(value) <= HighRank::COUNT));
        }
    }
}
