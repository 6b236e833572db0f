//! Exact histograms of final strength of any set of one to six cards, with any cards dead.
//!
//! Let H(S) count, per cell of a [`Scale`], the completions of the set S to seven cards from all other cards. H
//! depends on S only up to the names of suits, so it is tabled for the 151,828 suit classes of sets of one to
//! five cards. The completions that avoid a set D of dead cards follow by inclusion and exclusion,
//!
//! H(S without D) = sum over the subsets T of D of (-1)^|T| H(S + T),
//!
//! where only subsets that leave room in seven cards matter. Written by the last card of T it is the recursion
//! H(S without D) = H(S) - sum over d in D of H((S + d) without the cards of D after d), which ends at six
//! cards: there the cards that can still come are valued one by one.
//!
//! Counts are integers, and adding integers is exact in any order: a histogram is the same to the last bit
//! however the suits are named.
//!
//! Tables. H of five cards sums over the sixth: H(S) = (sum over c of H(S + c)) / (7 - |S|), as every
//! completion by n cards is met once for each of its n cards; likewise four cards from five, down to one.
//! Counts of five cards are below C(47,2) = 1,081 and of four below C(48,3) = 17,296, which fits 16 bits.

use crate::scale::{Counts, Scale};
use doorcard_cards::rank7::HandKey;
use doorcard_cards::suit_iso::SetIndex;
use doorcard_cards::{Card, CardSet};
use multiversion::multiversion;
use rayon::prelude::*;

/// A number of completions in a table.
pub(crate) trait Count: Copy + Default + Send + Sync {
    fn of(count: u32) -> Self;
    fn get(self) -> u32;
    /// The sums of counts times weights, for counts that add up to fewer than 2^18 and weights of at most 2^13.
    fn weighted_sums(counts: &[Self], first: &[i16], second: &[i16]) -> [i32; 2];
}

/// Counts handled at once, of which the number of cells is a multiple: a loop of fixed length is one that
/// compilers turn into vector instructions without a rest.
const LANES: usize = 32;

#[inline(always)]
fn weighted_sums_by_lanes<C: Copy>(
    counts: &[C],
    first: &[i16],
    second: &[i16],
    product: impl Fn(C, i16) -> i32,
) -> [i32; 2] {
    let sum = |counts: &[C; LANES], weights: &[i16; LANES]| -> i32 {
        counts.iter().zip(weights).map(|(&count, &weight)| product(count, weight)).sum()
    };
    let weights = first.as_chunks().0.iter().zip(second.as_chunks().0);
    counts.as_chunks().0.iter().zip(weights).fold([0, 0], |sums, (counts, (first, second))| {
        [sums[0] + sum(counts, first), sums[1] + sum(counts, second)]
    })
}

#[multiversion(targets("x86_64+avx2"))]
fn small_weighted_sums(counts: &[u16], first: &[i16], second: &[i16]) -> [i32; 2] {
    // Below 2^15 a count is the same as a signed number, of which processors multiply and add pairs at once.
    weighted_sums_by_lanes(counts, first, second, |count, weight| i32::from(count as i16) * i32::from(weight))
}

/// For sets of four and five cards, of which no histogram has more than 17,296 completions.
impl Count for u16 {
    fn of(count: u32) -> u16 {
        count as u16
    }

    fn get(self) -> u32 {
        self.into()
    }

    #[inline(always)]
    fn weighted_sums(counts: &[u16], first: &[i16], second: &[i16]) -> [i32; 2] {
        small_weighted_sums(counts, first, second)
    }
}

impl Count for u32 {
    fn of(count: u32) -> u32 {
        count
    }

    fn get(self) -> u32 {
        self
    }

    #[inline(always)]
    fn weighted_sums(counts: &[u32], first: &[i16], second: &[i16]) -> [i32; 2] {
        weighted_sums_by_lanes(counts, first, second, |count, weight| count as i32 * i32::from(weight))
    }
}

/// Whether completions are counted or taken off again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

impl Sign {
    pub(crate) fn opposite(self) -> Sign {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }

    /// The number with this sign.
    #[inline(always)]
    pub(crate) fn of<N: std::ops::Neg<Output = N>>(self, number: N) -> N {
        match self {
            Sign::Plus => number,
            Sign::Minus => -number,
        }
    }
}

/// What the completions of a set add up to: a histogram, or a linear function of it.
///
/// Sums may leave their type's range on the way to a result that fits; they wrap.
pub(crate) trait Sum {
    /// Adds a row of a table, one count for each cell, or takes it off.
    fn add_row<C: Count>(&mut self, row: &[C], sign: Sign);

    /// Adds `count` completions in a cell; negative ones are taken off.
    fn add_cell(&mut self, cell: usize, count: i32);
}

impl Sum for Counts {
    #[inline(always)]
    fn add_row<C: Count>(&mut self, row: &[C], sign: Sign) {
        match sign {
            Sign::Plus => self.iter_mut().zip(row).for_each(|(sum, &n)| *sum = sum.wrapping_add(n.get())),
            Sign::Minus => self.iter_mut().zip(row).for_each(|(sum, &n)| *sum = sum.wrapping_sub(n.get())),
        }
    }

    #[inline(always)]
    fn add_cell(&mut self, cell: usize, count: i32) {
        self[cell] = self[cell].wrapping_add_signed(count);
    }
}

/// How many ways there are to choose `k` of `n`.
pub(crate) fn choose(n: usize, k: usize) -> u64 {
    (0..k as u64).fold(1, |c, i| c * (n as u64 - i) / (i + 1))
}

/// How many completions a set of `cards` cards has if `dead` of the others cannot come.
pub(crate) fn completions(cards: usize, dead: usize) -> u32 {
    choose(52 - cards - dead, 7 - cards) as u32
}

/// The histograms of all sets of one to five cards. Shape of each: \[suit class\]\[cell\].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnSets {
    pub(crate) one: Vec<u32>,
    pub(crate) two: Vec<u32>,
    pub(crate) three: Vec<u32>,
    pub(crate) four: Vec<u16>,
    pub(crate) five: Vec<u16>,
}

impl OwnSets {
    /// Counts all completions; `progress` is told which fraction is done.
    pub(crate) fn new(scale: &Scale, progress: &mut dyn FnMut(f64)) -> OwnSets {
        let cells = scale.cells();
        let mut five = vec![0u16; SetIndex::class_count(5) * cells];
        // In parts, so that progress can be told; each class is counted on its own, by whichever thread.
        const PARTS: usize = 16;
        let part = SetIndex::class_count(5).div_ceil(PARTS);
        for (i, rows) in five.chunks_mut(part * cells).enumerate() {
            rows.par_chunks_mut(cells).enumerate().for_each(|(class, row)| {
                let set = SetIndex::representative(5, (i * part + class) as u32);
                let key = HandKey::from(set);
                for card in set.complement() {
                    let six = set.with(card);
                    scale.rivers(key.add(card), six.complement(), |cell, count| row[cell] += count);
                }
                row.iter_mut().for_each(|count| *count /= 2);
            });
            progress((i + 1) as f64 / PARTS as f64);
        }
        let four = smaller::<u16, u16>(4, &five, cells);
        let three = smaller::<u32, u16>(3, &four, cells);
        let two = smaller::<u32, u32>(2, &three, cells);
        let one = smaller::<u32, u32>(1, &two, cells);
        OwnSets { one, two, three, four, five }
    }

    /// The memory of the tables with this many cells. Units: bytes.
    pub(crate) fn bytes(cells: usize) -> u64 {
        (1..=5)
            .map(|cards| (SetIndex::class_count(cards) * cells * if cards < 4 { 4 } else { 2 }) as u64)
            .sum()
    }

    /// Adds up the completions of `set` to seven cards that avoid `dead`, none of which may be in the set.
    #[inline]
    pub(crate) fn add(&self, scale: &Scale, set: CardSet, dead: CardSet, sum: &mut impl Sum) {
        self.accumulate(scale, Hand::new(set), dead, Sign::Plus, sum);
    }

    fn accumulate(&self, scale: &Scale, hand: Hand, dead: CardSet, sign: Sign, sum: &mut impl Sum) {
        match hand.cards {
            1 => sum.add_row(row(&self.one, hand.class(), scale), sign),
            2 => sum.add_row(row(&self.two, hand.class(), scale), sign),
            3 => sum.add_row(row(&self.three, hand.class(), scale), sign),
            4 => sum.add_row(row(&self.four, hand.class(), scale), sign),
            5 => sum.add_row(row(&self.five, hand.class(), scale), sign),
            6 => {
                let live = hand.set.union(dead).complement();
                return scale.rivers(hand.key, live, |cell, n| sum.add_cell(cell, sign.of(i32::from(n))));
            }
            cards => panic!("one to six cards, not {cards}"),
        }
        let mut rest = dead;
        for card in dead {
            rest = rest.without(card);
            self.accumulate(scale, hand.with(card), rest, sign.opposite(), sum);
        }
    }
}

/// A set of cards and what is made of it step by step.
#[derive(Clone, Copy)]
struct Hand {
    set: CardSet,
    key: HandKey,
    cards: usize,
}

impl Hand {
    fn new(set: CardSet) -> Hand {
        Hand { set, key: HandKey::from(set), cards: set.len() }
    }

    #[inline(always)]
    fn with(self, card: Card) -> Hand {
        Hand { set: self.set.with(card), key: self.key.add(card), cards: self.cards + 1 }
    }

    fn class(self) -> u32 {
        SetIndex::class_of_key(self.key)
    }
}

#[inline(always)]
fn row<'a, C>(table: &'a [C], class: u32, scale: &Scale) -> &'a [C] {
    let start = class as usize * scale.cells();
    &table[start..start + scale.cells()]
}

/// The histograms of all sets of `cards` cards from those with one card more.
fn smaller<C: Count, R: Count>(cards: usize, larger: &[R], cells: usize) -> Vec<C> {
    let mut table = vec![C::default(); SetIndex::class_count(cards) * cells];
    table.par_chunks_mut(cells).enumerate().for_each(|(class, row)| {
        let set = SetIndex::representative(cards, class as u32);
        let mut sums = vec![0u64; cells];
        for card in set.complement() {
            let start = SetIndex::class_of(set.with(card)) as usize * cells;
            for (sum, &count) in sums.iter_mut().zip(&larger[start..start + cells]) {
                *sum += u64::from(count.get());
            }
        }
        for (count, sum) in row.iter_mut().zip(sums) {
            *count = C::of((sum / (7 - cards as u64)) as u32);
        }
    });
    table
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::scale::MAX_CELLS;
    use crate::scale::tests::scale;
    use doorcard_cards::{Deck, Suit};
    use doorcard_games::stud::Variant;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::sync::LazyLock;

    const VARIANTS: [Variant; 3] = [Variant::High, Variant::HiLo8, Variant::Razz];

    /// One set of tables per game, shared by the tests.
    pub(crate) fn own_sets(variant: Variant) -> &'static OwnSets {
        static SETS: LazyLock<[OwnSets; 3]> =
            LazyLock::new(|| VARIANTS.map(|v| OwnSets::new(scale(v), &mut |_| {})));
        &SETS[variant as usize]
    }

    fn histogram(variant: Variant, set: CardSet, dead: CardSet) -> Vec<u32> {
        let mut counts = [0u32; MAX_CELLS];
        own_sets(variant).add(scale(variant), set, dead, &mut counts);
        counts[..scale(variant).cells()].to_vec()
    }

    /// Every completion valued on its own.
    fn enumerated(variant: Variant, set: CardSet, dead: CardSet) -> Vec<u32> {
        fn complete(scale: &Scale, set: CardSet, rest: CardSet, counts: &mut [u32]) {
            if set.len() == 7 {
                counts[scale.cell(HandKey::from(set))] += 1;
                return;
            }
            let mut rest = rest;
            for card in rest {
                rest = rest.without(card);
                complete(scale, set.with(card), rest, counts);
            }
        }
        let mut counts = vec![0; scale(variant).cells()];
        complete(scale(variant), set, set.union(dead).complement(), &mut counts);
        counts
    }

    #[test]
    fn rows_add_up_to_binomials() {
        for variant in VARIANTS {
            let (sets, cells) = (own_sets(variant), scale(variant).cells());
            fn check<C: Count>(table: &[C], cells: usize, cards: usize) {
                assert_eq!(table.len() / cells, SetIndex::class_count(cards));
                for row in table.chunks(cells) {
                    assert_eq!(row.iter().map(|n| n.get()).sum::<u32>(), completions(cards, 0));
                }
            }
            check(&sets.one, cells, 1);
            check(&sets.two, cells, 2);
            check(&sets.three, cells, 3);
            check(&sets.four, cells, 4);
            check(&sets.five, cells, 5);
        }
        assert_eq!((completions(5, 0), completions(4, 0), completions(3, 1)), (1081, 17_296, 194_580));
    }

    /// Exactly as many as there are, with as many dead cards as a street shows, and with none and many.
    #[test]
    fn inclusion_and_exclusion_equal_enumeration() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
        let mut deck = Deck::new();
        for variant in VARIANTS {
            for (own, dead, rounds) in [
                (3, 1, 3),
                (3, 0, 1),
                (3, 7, 2),
                (4, 2, 20),
                (4, 0, 5),
                (4, 9, 10),
                (5, 3, 100),
                (5, 16, 20),
                (6, 4, 300),
                (6, 0, 20),
                (6, 27, 20),
                (2, 8, 1),
            ] {
                for _ in 0..rounds {
                    let cards = deck.deal(own + dead, &mut rng);
                    let (set, dead_set) = (CardSet::from(&cards[..own]), CardSet::from(&cards[own..]));
                    let counts = histogram(variant, set, dead_set);
                    assert_eq!(
                        counts,
                        enumerated(variant, set, dead_set),
                        "{variant:?} {set} without {dead_set}"
                    );
                    assert_eq!(counts.iter().sum::<u32>(), completions(own, dead));
                }
            }
        }
    }

    #[test]
    fn suits_have_no_names() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(18);
        let mut deck = Deck::new();
        let map = [2, 0, 3, 1].map(Suit::new);
        for variant in VARIANTS {
            for _ in 0..300 {
                let (own, dead) = (rng.random_range(1..=6), rng.random_range(0..=4));
                let cards = deck.deal(own + dead, &mut rng);
                let (set, dead) = (CardSet::from(&cards[..own]), CardSet::from(&cards[own..]));
                let relabelled = histogram(variant, set.relabel(map), dead.relabel(map));
                assert_eq!(histogram(variant, set, dead), relabelled, "{set} without {dead}");
            }
        }
    }

    #[test]
    fn a_flush_draw_without_its_suit_is_none() {
        let set: CardSet = "AhTh6h2hKc".parse().unwrap();
        let flushes = |dead: &str| {
            let dead: CardSet = dead.parse().unwrap();
            let first_flush = scale(Variant::High).cell("7h5h4h3h2hKcKd".parse::<CardSet>().unwrap().into());
            histogram(Variant::High, set, dead)[first_flush..].iter().sum::<u32>()
        };
        // Nine hearts among 47 cards: 36 + 9 * 38 ways to be dealt one or two; five among 43, when four are dead.
        assert!((378..400).contains(&flushes("")), "{}", flushes(""));
        assert!((200..215).contains(&flushes("3h4h5h7h")), "{}", flushes("3h4h5h7h"));
        assert!(flushes("3h4h5h7h8h9hJhQhKh") < 10);
    }
}
