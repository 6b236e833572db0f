//! High hands: the best five of seven cards as a number from 1 to 7,462.
//!
//! Five-card poker hands fall into 7,462 classes of equal strength (1,277 high cards, 2,860 pairs, 858 two pairs,
//! 858 trips, 10 straights, 1,277 flushes, 156 full houses, 156 quads, 10 straight flushes). [`HighRank`] numbers
//! them from the worst up.
//!
//! A hand is prepared as a [`HandKey`], to which cards are added in any order: the upper bits of its first word
//! sum a key per card's rank, such that no two rank multisets of seven cards share a sum; the lower bits
//! hold a counter per suit, started at three so that the fifth card of a suit sets the counter's top bit; the second word is the
//! set of cards in one lane per suit. A flush is valued by its lane alone (seven cards with a flush hold neither
//! quads nor a full house), every other hand by its key sum. Additive keys are due to K. Shackleton (SpecialKEval);
//! the 49,205 sums are looked up in a row-displaced table (Tarjan and Yao, "Storing a sparse table", 1979) generated
//! by `build.rs`. All tables together take 226 KiB.
//!
//! Table lengths are such that no index needs a bounds check.

use crate::rank_sets::Repeats;
use crate::{Card, CardSet, Rank, Suit};
use std::fmt;

include!(concat!(env!("OUT_DIR"), "/rank7_tables.rs"));

const SUM_SHIFT: u32 = u64::BITS - SUM_BITS;
const ROW_SHIFT: u32 = SUM_SHIFT + COLUMN_BITS;
const COUNTER_SHIFT: u32 = 20;
/// The bits that a suit's fifth card sets.
const FLUSH_BITS: u64 = 0x8888 << COUNTER_SHIFT;

/// A set of up to seven cards, ready to be valued by [`high`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HandKey {
    /// The sum of rank keys modulo 2^23 in the upper 23 bits, four suit counters of 4 bits from bit 20 up, and the
    /// sum again, modulo 2^16, in the lowest 16 bits (and carries above them).
    key: u64,
    /// Four lanes of 16 bits, one per suit from clubs up; bit `r` stands for the card of rank `r`.
    lanes: u64,
}

/// What each card adds to a [`HandKey`]; padded so that six bits of a card index need no check.
static CARD_KEYS: [HandKey; 64] = {
    let mut keys = [HandKey { key: 0, lanes: 0 }; 64];
    let mut index = 0;
    while index < 52 {
        let (rank, suit) = (index / 4, index % 4);
        keys[index] = HandKey {
            key: rank_sum(rank) | 1 << (4 * suit as u32 + COUNTER_SHIFT),
            lanes: 1 << (16 * suit + rank),
        };
        index += 1;
    }
    keys
};

/// What each set of cards of two neighbouring ranks adds to a key.
static PAIR_KEYS: [[u64; 256]; 7] = {
    let mut keys = [[0; 256]; 7];
    let mut byte = 0;
    while byte < 7 {
        let mut set = 0;
        while set < 256 {
            let mut bit = 0;
            while bit < 8 {
                if set >> bit & 1 == 1 && byte * 8 + bit < 52 {
                    keys[byte][set] = CARD_KEYS[byte * 8 + bit].key.wrapping_add(keys[byte][set]);
                }
                bit += 1;
            }
            set += 1;
        }
        byte += 1;
    }
    keys
};

impl HandKey {
    /// No card.
    pub const EMPTY: HandKey = HandKey { key: 0x3333 << COUNTER_SHIFT, lanes: 0 };

    /// The hand with `card` added; `card` must not be in it yet.
    #[inline(always)]
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "hot loops should not need to import the trait")]
    pub fn add(self, card: Card) -> HandKey {
        let added = &CARD_KEYS[card.index() & 63];
        HandKey { key: self.key.wrapping_add(added.key), lanes: self.lanes | added.lanes }
    }

    /// The hand with `cards` added; none of them may be in it yet.
    #[must_use]
    pub fn add_set(self, cards: CardSet) -> HandKey {
        let bytes = cards.bits().to_le_bytes();
        let key = PAIR_KEYS
            .iter()
            .zip(bytes)
            .fold(self.key, |sum, (keys, byte)| sum.wrapping_add(keys[usize::from(byte)]));
        HandKey { key, lanes: self.lanes | cards.suit_lanes() }
    }

    /// How many cards.
    pub const fn len(self) -> usize {
        self.lanes.count_ones() as usize
    }

    /// Whether there is no card.
    pub const fn is_empty(self) -> bool {
        self.lanes == 0
    }

    /// The suit of which the hand, of at most seven cards, has four or more: the only one in which one more card can make a
    /// flush.
    #[inline(always)]
    pub fn four_flush(self) -> Option<Suit> {
        let fours = ((self.key >> COUNTER_SHIFT) + 0x1111) & 0x8888;
        (fours != 0).then(|| Suit::new(fours.trailing_zeros() as u8 / 4))
    }

    pub(crate) const fn suit_lanes(self) -> u64 {
        self.lanes
    }
}

impl Default for HandKey {
    fn default() -> HandKey {
        HandKey::EMPTY
    }
}

impl From<CardSet> for HandKey {
    fn from(cards: CardSet) -> HandKey {
        HandKey::EMPTY.add_set(cards)
    }
}

impl FromIterator<Card> for HandKey {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> HandKey {
        cards.into_iter().fold(HandKey::EMPTY, HandKey::add)
    }
}

impl fmt::Debug for HandKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holds = |card: &Card| self.lanes >> (16 * card.suit().index() + card.rank().index()) & 1 == 1;
        write!(f, "HandKey({})", Card::all().filter(holds).collect::<CardSet>())
    }
}

/// The value of a high hand, 1 (75432) to 7,462 (a royal flush); bigger is better, equal hands split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HighRank(pub u16);

/// What kind of five-card hand, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Category {
    HighCard,
    Pair,
    TwoPair,
    Trips,
    Straight,
    Flush,
    FullHouse,
    Quads,
    StraightFlush,
}

impl Category {
    /// All categories, worst first.
    pub const ALL: [Category; 9] = [
        Category::HighCard,
        Category::Pair,
        Category::TwoPair,
        Category::Trips,
        Category::Straight,
        Category::Flush,
        Category::FullHouse,
        Category::Quads,
        Category::StraightFlush,
    ];

    /// 0 for high card to 8 for straight flush.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many hand values the category has.
    pub const fn count(self) -> usize {
        [1277, 2860, 858, 858, 10, 1277, 156, 156, 10][self.index()]
    }

    /// The lowest value in the category.
    pub const fn first(self) -> HighRank {
        HighRank([1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453][self.index()])
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Category::HighCard => "high card",
            Category::Pair => "pair",
            Category::TwoPair => "two pair",
            Category::Trips => "trips",
            Category::Straight => "straight",
            Category::Flush => "flush",
            Category::FullHouse => "full house",
            Category::Quads => "quads",
            Category::StraightFlush => "straight flush",
        })
    }
}

impl HighRank {
    /// How many values there are.
    pub const COUNT: usize = 7462;
    /// A royal flush.
    pub const ROYAL_FLUSH: HighRank = HighRank(HighRank::COUNT as u16);

    /// Below [`HighRank::COUNT`], 0 for the worst.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// What kind of hand.
    ///
    /// # Panics
    /// If the value is 0.
    pub fn category(self) -> Category {
        *Category::ALL.iter().rfind(|category| category.first() <= self).expect("a hand value of at least 1")
    }

    /// The ranks that matter: of a straight its top card, otherwise every rank of the five cards once, those that
    /// occur most often first.
    fn ranks(self) -> Vec<Rank> {
        let category = self.category();
        let within = (self.0 - category.first().0) as usize;
        let groups = match category {
            Category::Straight | Category::StraightFlush => [1 << (within + 3), 0, 0, 0],
            Category::HighCard | Category::Flush => [unconnected(within), 0, 0, 0],
            // Among rank multisets the five distinct ranks come first, 1,287 with the straights' ten.
            Category::Pair | Category::TwoPair | Category::Trips => {
                Repeats::with_order(self.0 as usize - Category::Pair.first().0 as usize + 1287, 5).groups
            }
            Category::FullHouse | Category::Quads => {
                Repeats::with_order(self.0 as usize - Category::FullHouse.first().0 as usize + 5863, 5).groups
            }
        };
        let downwards = |mask: u16| (0..13u8).rev().filter(move |rank| mask >> rank & 1 == 1).map(Rank::new);
        groups.into_iter().rev().flat_map(downwards).collect()
    }
}

/// The `n`-th set of five ranks that is no straight, in ascending order.
fn unconnected(n: usize) -> u16 {
    (0u16..1 << 13)
        .filter(|mask| mask.count_ones() == 5 && straight_top(*mask).is_none())
        .nth(n)
        .expect("one of 1,277 sets")
}

/// The top rank of the best straight in a set of ranks, bit 0 for the deuce.
fn straight_top(ranks: u16) -> Option<usize> {
    let ace_low = u32::from(ranks) << 1 | u32::from(ranks) >> 12;
    let runs = ace_low & ace_low >> 1 & ace_low >> 2 & ace_low >> 3 & ace_low >> 4;
    (runs != 0).then(|| runs.ilog2() as usize + 3)
}

impl fmt::Display for HighRank {
    /// Such as "two pair, aces and kings", "flush, king high", "full house, deuces over aces".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks = self.ranks();
        let (first, second) = (ranks[0], ranks.get(1).copied());
        match (self.category(), second) {
            (Category::HighCard, _) => write!(f, "{} high", first.name()),
            (Category::Pair, _) => write!(f, "pair of {}", first.plural()),
            (Category::TwoPair, Some(second)) => {
                write!(f, "two pair, {} and {}", first.plural(), second.plural())
            }
            (Category::FullHouse, Some(second)) => {
                write!(f, "full house, {} over {}", first.plural(), second.plural())
            }
            (Category::Trips, _) => write!(f, "three {}", first.plural()),
            (Category::Quads, _) => write!(f, "four {}", first.plural()),
            (Category::StraightFlush, _) if first == Rank::ACE => write!(f, "royal flush"),
            (category, _) => write!(f, "{category}, {} high", first.name()),
        }
    }
}

/// A rank's share of the sum that [`offsuit`] takes.
pub(crate) const fn rank_sum(rank: usize) -> u64 {
    (RANK_KEYS[rank] as u64) << SUM_SHIFT | RANK_KEYS[rank] as u64 & 0xffff
}

/// The cell of the seven cards whose rank sums add up to the one in `key`, flushes left out; meaningless for others.
#[inline(always)]
fn offsuit_cell(key: u64) -> u16 {
    ROWS[(key >> ROW_SHIFT) as usize].wrapping_add(key as u16)
}

/// The cell of a flush in the suit of which the hand holds these five to seven ranks.
#[inline(always)]
const fn flush_cell(ranks: u16) -> u16 {
    FLUSHES | ranks
}

/// The value of the seven cards whose rank sums add up to the one in `key`, flushes left out; meaningless for others.
#[inline(always)]
pub(crate) fn offsuit(key: u64) -> u16 {
    CELLS[usize::from(offsuit_cell(key))]
}

/// The value of a flush in the suit of which the hand holds these five to seven ranks.
#[inline(always)]
pub(crate) fn flush(ranks: u16) -> u16 {
    CELLS[usize::from(flush_cell(ranks))]
}

/// The best five of seven cards.
///
/// The hand must hold seven cards; the result for any other number is meaningless.
#[inline(always)]
pub fn high(hand: HandKey) -> HighRank {
    debug_assert_eq!(hand.len(), 7, "a seven-card hand");
    let suited = hand.key & FLUSH_BITS;
    let cell = if suited == 0 {
        offsuit_cell(hand.key)
    } else {
        flush_cell((hand.lanes >> ((suited.trailing_zeros() - COUNTER_SHIFT - 3) * 4)) as u16)
    };
    HighRank(CELLS[usize::from(cell)])
}

/// The best five of seven cards.
///
/// The set must hold seven cards; the result for any other number is meaningless.
pub fn high_of(cards: CardSet) -> HighRank {
    high(HandKey::from(cards))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let name = |text: &str| high_of(text.parse().unwrap()).to_string();
        assert_eq!(name("AsAdKcKh7s7d2c"), "two pair, aces and kings");
        assert_eq!(name("As2s3s4s5s6d6c"), "straight flush, five high");
        assert_eq!(name("AsKsQsJsTsAdAc"), "royal flush");
        assert_eq!(name("As2d3s4s5s8dJc"), "straight, five high");
        assert_eq!(name("6s6d6h9s9dKcKh"), "full house, sixes over kings");
        assert_eq!(name("2s2d2h2c3sKcKh"), "four deuces");
        assert_eq!(name("2s2d2h9c3sKcJh"), "three deuces");
        assert_eq!(name("2s2d5h9c3sKcJh"), "pair of deuces");
        assert_eq!(name("2s4d5h9cTsKcJh"), "king high");
        assert_eq!(name("2s4s5h9sTsKcJs"), "flush, jack high");
        assert_eq!(HighRank(1).to_string(), "seven high");
    }

    #[test]
    fn a_key_shows_its_cards() {
        let cards: CardSet = "2cAsKdTh".parse().unwrap();
        assert_eq!(format!("{:?}", HandKey::from(cards)), "HandKey(2cThKdAs)");
        assert_eq!(HandKey::from(cards), cards.into_iter().collect());
        assert_eq!(HandKey::from(cards).len(), 4);
        assert!(HandKey::EMPTY.is_empty());
    }

    #[test]
    fn four_of_a_suit() {
        let suit = |text: &str| HandKey::from(text.parse::<CardSet>().unwrap()).four_flush();
        for (s, cards) in ["2c4c6c8c", "2d4d6d8dTd", "2h4h6h8hTh9h", "2s4s6s8sTs9sAs"].into_iter().enumerate()
        {
            assert_eq!(suit(cards), Some(Suit::new(s as u8)), "{cards}");
        }
        assert_eq!((suit("2c4c6c8dTdJdAs"), suit(""), suit("AcAdAhAsKcKd")), (None, None, None));
    }
}
