//! Dense numbers for sets of cards that differ in no more than the names of suits.
//!
//! The 24 relabellings of suits leave 13, 169, 1,755, 16,432, 134,459, 962,988 and 6,009,159 classes of sets of one
//! to seven cards. In the manner of K. Waugh, "A Fast and Optimal Hand Isomorphism Algorithm" (2013), a class is a
//! multiset of four rank sets, one per suit: how many cards each suit has (its shape), then for suits of equal size
//! the number of the multiset of their rank sets, by the combinatorial number system. No table grows with the number
//! of classes.

use crate::rank_sets::{SET_ORDER, choose, set_with_order};
use crate::rank7::HandKey;
use crate::{Card, CardSet, Rank, Suit};

/// Numbers the suit classes of sets of one to seven cards, those of each size from 0.
#[derive(Clone, Copy, Debug)]
pub struct SetIndex;

/// The most cards a set may have.
const MAX_CARDS: usize = 7;

/// A suit's size stands above the number of its rank set, so that suits sort by size, then by number.
const SIZE_SHIFT: u32 = 11;

/// Size and number of each rank set of up to seven cards in one word.
static SUIT_KEYS: [u16; 1 << 13] = {
    let mut keys = [0; 1 << 13];
    let mut ranks = 0usize;
    while ranks < keys.len() {
        let size = ranks.count_ones() as usize;
        if size <= MAX_CARDS {
            keys[ranks] = (size as u16) << SIZE_SHIFT | SET_ORDER[ranks];
        }
        ranks += 1;
    }
    keys
};

/// How a suit at one place of a shape contributes to the class number.
#[derive(Clone, Copy)]
struct Place {
    /// Where in `TERMS` its multiset terms begin.
    terms: u16,
    /// The product of the counts of the less significant groups.
    radix: u32,
}

/// The suits' sizes, largest first, and what they make of the class number.
#[derive(Clone, Copy)]
struct Shape {
    sizes: [u8; 4],
    /// The number of the first class of this shape.
    first: u32,
    /// How many classes have this shape.
    count: u32,
    places: [Place; 4],
}

const NO_SHAPE: Shape =
    Shape { sizes: [0; 4], first: 0, count: 0, places: [Place { terms: 0, radix: 0 }; 4] };

/// Multisets of `k` numbers below `n`.
const fn choose_repeated(n: usize, k: usize) -> usize {
    let mut result = 1;
    let mut i = 0;
    while i < k {
        result = result * (n + i) / (i + 1);
        i += 1;
    }
    result
}

/// How many rank sets suits of this size have.
const fn rank_sets(size: u8) -> usize {
    choose(13, size as usize)
}

/// How many numbers `x` are needed for the multiset term choose_repeated(x, place): suits of equal size share the
/// cards, so only small suits come in numbers.
const TERM_COUNTS: [usize; 4] = [choose(13, 6), choose(13, 3), choose(13, 2), choose(13, 1)];
const TERM_STARTS: [usize; 4] =
    [0, TERM_COUNTS[0], TERM_COUNTS[0] + TERM_COUNTS[1], TERM_COUNTS[0] + TERM_COUNTS[1] + TERM_COUNTS[2]];

/// choose_repeated(x, 1) for all x, then for 2, 3 and 4.
static TERMS: [u32; TERM_STARTS[3] + TERM_COUNTS[3]] = {
    let mut terms = [0; TERM_STARTS[3] + TERM_COUNTS[3]];
    let mut place = 0;
    while place < 4 {
        let mut x = 0;
        while x < TERM_COUNTS[place] {
            terms[TERM_STARTS[place] + x] = choose_repeated(x, place + 1) as u32;
            x += 1;
        }
        place += 1;
    }
    terms
};

/// Shapes by [`shape_code`]; those of each number of cards follow one another in class order of their codes.
static SHAPES: [Shape; 256] = {
    let mut shapes = [NO_SHAPE; 256];
    let mut firsts = [0u32; MAX_CARDS + 1];
    let mut code = 0;
    while code < 256 {
        let sizes = [code as u8 & 7, code as u8 >> 3 & 3, code as u8 >> 5 & 3, code as u8 >> 7];
        let cards = (sizes[0] + sizes[1] + sizes[2] + sizes[3]) as usize;
        let sorted = sizes[0] >= sizes[1] && sizes[1] >= sizes[2] && sizes[2] >= sizes[3];
        if sorted && 1 <= cards && cards <= MAX_CARDS {
            let mut shape = Shape { sizes, first: firsts[cards], ..NO_SHAPE };
            let mut radix = 1;
            let mut end = 4;
            while end > 0 {
                let mut start = end - 1;
                while start > 0 && sizes[start - 1] == sizes[end - 1] {
                    start -= 1;
                }
                // A group of equal suits, the largest number first: it takes the longest multiset term.
                let mut place = start;
                while place < end {
                    shape.places[place] = Place { terms: TERM_STARTS[end - place - 1] as u16, radix };
                    place += 1;
                }
                radix *= choose_repeated(rank_sets(sizes[start]), end - start) as u32;
                end = start;
            }
            shape.count = radix;
            firsts[cards] += radix;
            shapes[code] = shape;
        }
        code += 1;
    }
    shapes
};

/// The four sizes in eight bits: at most seven, three, two and one cards.
fn shape_code(sizes: [u32; 4]) -> usize {
    (sizes[0] | sizes[1] << 3 | sizes[2] << 5 | sizes[3] << 7) as usize & 255
}

impl SetIndex {
    /// How many classes sets of `cards` cards have.
    ///
    /// # Panics
    /// Unless `cards` is 1 to 7.
    pub fn class_count(cards: usize) -> usize {
        assert!((1..=MAX_CARDS).contains(&cards), "one to seven cards, not {cards}");
        SetIndex::shapes(cards).map(|shape| shape.count as usize).sum()
    }

    fn shapes(cards: usize) -> impl Iterator<Item = &'static Shape> {
        SHAPES.iter().filter(move |shape| shape.sizes.iter().sum::<u8>() as usize == cards)
    }

    /// The class of a set of one to seven cards, below the [`SetIndex::class_count`] of its size. Sets of the same
    /// size have the same class exactly if a relabelling of suits makes them equal.
    ///
    /// The result for an empty set or more than seven cards is meaningless.
    pub fn class_of(cards: CardSet) -> u32 {
        debug_assert!((1..=MAX_CARDS).contains(&cards.len()), "one to seven cards, not {}", cards.len());
        SetIndex::class_of_lanes(cards.suit_lanes())
    }

    /// As [`SetIndex::class_of`], from the key of a hand of one to seven cards.
    #[inline(always)]
    pub fn class_of_key(hand: HandKey) -> u32 {
        debug_assert!((1..=MAX_CARDS).contains(&hand.len()), "one to seven cards, not {}", hand.len());
        SetIndex::class_of_lanes(hand.suit_lanes())
    }

    /// As [`SetIndex::class_of`], from the lanes of [`CardSet::suit_lanes`].
    #[inline(always)]
    pub fn class_of_lanes(lanes: u64) -> u32 {
        let mut suits = [0, 16, 32, 48].map(|shift| u32::from(SUIT_KEYS[(lanes >> shift) as usize & 0x1fff]));
        // A sorting network for four, largest first.
        for (i, j) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
            (suits[i], suits[j]) = (suits[i].max(suits[j]), suits[i].min(suits[j]));
        }
        let shape = &SHAPES[shape_code(suits.map(|suit| suit >> SIZE_SHIFT))];
        shape.places.iter().zip(suits).fold(shape.first, |class, (place, suit)| {
            let number = suit & ((1 << SIZE_SHIFT) - 1);
            class + place.radix * TERMS[usize::from(place.terms) + number as usize]
        })
    }

    /// A set of `cards` cards of this class.
    ///
    /// # Panics
    /// If `class` is not below the [`SetIndex::class_count`] of `cards`, or `cards` is not 1 to 7.
    pub fn representative(cards: usize, class: u32) -> CardSet {
        let count = SetIndex::class_count(cards);
        assert!((class as usize) < count, "class {class} of {count} classes of {cards} cards");
        let shape = SetIndex::shapes(cards)
            .find(|shape| (shape.first..shape.first + shape.count).contains(&class))
            .expect("shapes cover all classes");
        let mut rest = class - shape.first;
        let mut set = CardSet::EMPTY;
        for (suit, (place, &size)) in Suit::all().zip(shape.places.iter().zip(&shape.sizes)) {
            // Terms ascend with the number, and those of later places cannot add up to the next one.
            let terms = &TERMS[usize::from(place.terms)..][..rank_sets(size)];
            let number = terms.partition_point(|term| place.radix * term <= rest) - 1;
            rest -= place.radix * terms[number];
            let ranks = set_with_order(number, size.into());
            for rank in Rank::all().filter(|rank| ranks >> rank.index() & 1 == 1) {
                set = set.with(Card::new(rank, suit));
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Deck;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    const COUNTS: [usize; 7] = [13, 169, 1755, 16_432, 134_459, 962_988, 6_009_159];

    #[test]
    fn class_counts() {
        assert_eq!([1, 2, 3, 4, 5, 6, 7].map(SetIndex::class_count), COUNTS);
    }

    /// Every number has a representative of that class: with the counts right, classes are numbered without gaps.
    fn representatives_cover(cards: usize, step: usize) {
        for class in (0..COUNTS[cards - 1] as u32).step_by(step) {
            let set = SetIndex::representative(cards, class);
            assert_eq!((set.len(), SetIndex::class_of(set)), (cards, class), "{set}");
        }
    }

    #[test]
    fn representatives_have_their_class() {
        (1..=5).for_each(|cards| representatives_cover(cards, 1));
        representatives_cover(6, 7);
        representatives_cover(7, 41);
    }

    fn permutations() -> Vec<[Suit; 4]> {
        let mut all = Vec::new();
        for code in 0..256u32 {
            let map = [0, 2, 4, 6].map(|shift| Suit::new((code >> shift & 3) as u8));
            if Suit::all().all(|suit| map.contains(&suit)) {
                all.push(map);
            }
        }
        all
    }

    #[test]
    fn classes_are_the_orbits_of_relabelling() {
        let permutations = permutations();
        assert_eq!(permutations.len(), 24);
        let mut rng = StdRng::seed_from_u64(11);
        let mut deck = Deck::new();
        for round in 0..20_000 {
            let cards = 1 + round % 7;
            let set = CardSet::from(deck.deal(cards, &mut rng));
            let class = SetIndex::class_of(set);
            assert_eq!(SetIndex::class_of_key(HandKey::from(set)), class);
            for &map in &permutations {
                assert_eq!(SetIndex::class_of(set.relabel(map)), class, "{set}");
            }
            let canonical = SetIndex::representative(cards, class);
            assert!(permutations.iter().any(|&map| set.relabel(map) == canonical), "{set} {canonical}");
        }
    }
}
