//! Sums of all pairs from the tables of [`crate::sets`].
//!
//! A row of a table counts the completions of a set of four or five cards. Without flushes it depends on the set's
//! ranks alone, and all pairs of the same ranks share the row of a set spread over the suits, which cannot make a
//! flush. What flushes in a suit change depends on the set's ranks in that suit and its other ranks: it is the
//! difference to the row of a set with these cards in one suit and the others spread, shared again by all pairs
//! that have the same. Both are the parts of [`PairSums`]. Two known cards of different suits take some 440 rows in
//! place of 1,128.

use super::pair_sums::{ByRanks, PairSums};
use crate::against::Against;
use crate::private::StreetBuckets;
use crate::scale::Scale;
use crate::sets::{OwnSets, Sign};
use doorcard_cards::CardSet;
use doorcard_cards::rank_multisets::with_each;
use doorcard_cards::suit_iso::SetIndex;
use std::hint::black_box;
use std::sync::LazyLock;

/// Counts in a cache line.
const LINE: usize = 64 / size_of::<u16>();

/// A card of each of these ranks in suits of their own, the first in `suit`, going round.
fn spread(ranks: &[usize], suit: usize) -> u64 {
    ranks.iter().zip(suit..).fold(0, |lanes, (rank, suit)| lanes | 1 << (16 * (suit % 4) + rank))
}

/// The classes of sets of which some cards are of one suit, and the others spread.
struct Classes {
    /// Where the sets with these ranks in the suit begin.
    starts: Vec<u32>,
    /// Of each set, by the number of the multiset of its other ranks.
    classes: Vec<u32>,
}

impl Classes {
    /// The classes of sets of two more than `known` cards, of which at least `known` are of the suit.
    fn new(known: usize) -> Classes {
        let (mut starts, mut classes) = (Vec::new(), Vec::new());
        for suited in 0..1u64 << 13 {
            starts.push(classes.len() as u32);
            let mut push =
                |others: &[usize]| classes.push(SetIndex::class_of_lanes(suited | spread(others, 1)));
            match (known + 2).checked_sub(suited.count_ones() as usize) {
                Some(0) => push(&[]),
                Some(1) => (0..13).for_each(|other| push(&[other])),
                Some(2) => (0..13).for_each(|high| (0..=high).for_each(|low| push(&[low, high]))),
                _ => {}
            }
        }
        Classes { starts, classes }
    }

    fn get(&self, suited: u16, others: usize) -> u32 {
        self.classes[self.starts[usize::from(suited)] as usize + others]
    }
}

/// Of sets of four and of five cards.
static CLASSES: LazyLock<[Classes; 2]> = LazyLock::new(|| [2, 3].map(Classes::new));

/// The pairs that a row is for.
#[derive(Clone, Copy)]
enum Pairs {
    /// All, as if there were no flushes.
    All,
    /// Of which both, one or none is of the suit.
    Both(usize),
    One(usize),
    None(usize),
}

/// A row to be read, for pairs of two ranks.
struct Wanted {
    class: u32,
    pairs: Pairs,
    /// The lower rank, or that of the card of the suit.
    first: u8,
    second: u8,
}

/// The rows of sets that hold two or three `known` cards and a pair.
fn wanted(known: CardSet, flushes: bool) -> Vec<Wanted> {
    let mut wanted = Vec::with_capacity(800);
    let mut push = |pairs: Pairs, first: usize, second: usize, class: u32| {
        wanted.push(Wanted { class, pairs, first: first as u8, second: second as u8 });
    };
    let known_ranks: Vec<usize> = known.into_iter().map(|card| card.rank().index()).collect();
    let size = known.len() + 2;
    for high in 0..13 {
        for low in 0..=high {
            let mut ranks = [low, high, 0, 0, 0];
            ranks[2..size].copy_from_slice(&known_ranks);
            let ranks = &mut ranks[..size];
            // Equal ranks side by side come in different suits. No pair makes five of a rank.
            ranks.sort_unstable();
            if size < 5 || ranks[0] < ranks[4] {
                push(Pairs::All, low, high, SetIndex::class_of_lanes(spread(ranks, 0)));
            }
        }
    }
    let classes = &CLASSES[known.len() - 2];
    for suit in (0..4).filter(|_| flushes) {
        let held = (known.suit_lanes() >> (16 * suit)) as u16;
        // The set must hold as many cards of the suit as are known here: with those to come they are five.
        let missing = known.len() - held.count_ones() as usize;
        if missing > 2 {
            continue;
        }
        let others = known.into_iter().filter(|card| card.suit().index() != suit).enumerate();
        let others =
            others.fold(0, |number, (size, card)| with_each(size, number)[card.rank().index()].into());
        let free = || (0..13usize).filter(|rank| held >> rank & 1 == 0);
        for high in free() {
            for low in free().take_while(|&low| low < high) {
                push(Pairs::Both(suit), low, high, classes.get(held | 1 << low | 1 << high, others));
            }
            if missing < 2 {
                for (other, &others) in with_each(missing, others).iter().enumerate() {
                    push(Pairs::One(suit), high, other, classes.get(held | 1 << high, others.into()));
                }
            }
        }
        if missing == 0 {
            for high in 0..13 {
                for (low, &others) in with_each(1, high)[..=high].iter().enumerate() {
                    push(Pairs::None(suit), low, high, classes.get(held, others.into()));
                }
            }
        }
    }
    wanted
}

impl<S: Copy + Default> PairSums<S> {
    /// Adds the completions of two or three `known` cards and each pair, counted from all other cards.
    pub(super) fn add_rows<F: StreetBuckets<Sums = S>>(
        &mut self,
        scale: &Scale,
        sets: &OwnSets,
        known: CardSet,
        sign: Sign,
        against: &Against,
    ) {
        let table = if known.len() == 2 { &sets.four } else { &sets.five };
        let cells = scale.cells();
        let row = |wanted: &Wanted| &table[wanted.class as usize * cells..][..cells];
        let wanted = wanted(known, scale.counts_flushes());
        // Rows lie far apart in memory. They are touched before they are read, as many at once as the processor can
        // wait for.
        for wanted in &wanted {
            let row = row(wanted);
            row.iter().step_by(LINE).chain(row.last()).for_each(|count| {
                black_box(*count);
            });
        }
        let times = sign.of(1);
        let mut offsuit = ByRanks::<S>::default();
        let mut of_none = (0, ByRanks::<S>::default());
        for wanted in &wanted {
            let mut sums = S::default();
            F::add_row(&mut sums, against, row(wanted), Sign::Plus);
            let (first, second) = (usize::from(wanted.first), usize::from(wanted.second));
            let base = &mut offsuit[first.min(second)][first.max(second)];
            let to = match wanted.pairs {
                Pairs::All => {
                    *base = sums;
                    F::add_sums(&mut self.offsuit[first][second], &sums, times);
                    continue;
                }
                Pairs::Both(suit) => &mut self.suited[suit][first][second],
                Pairs::One(suit) => &mut self.single[suit][first][second],
                Pairs::None(suit) => {
                    of_none.0 = suit;
                    &mut of_none.1[first][second]
                }
            };
            F::add_sums(to, &sums, times);
            F::add_sums(to, base, -times);
        }
        // Known cards are all of one suit at most.
        self.add_base::<F>(of_none.0, &of_none.1, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::private::{Own, PercentileStreet};
    use crate::scale::MAX_CELLS;
    use crate::scale::tests::scale;
    use crate::sets::tests::own_sets;
    use doorcard_cards::Card;
    use doorcard_games::stud::Variant;

    #[test]
    fn sums_of_rows_are_those_of_each_pair() {
        for variant in [Variant::High, Variant::HiLo8, Variant::Razz] {
            let (scale, sets) = (scale(variant), own_sets(variant));
            let mut against = Against::new();
            let opponent: [u32; MAX_CELLS] = std::array::from_fn(|cell| 1 + cell as u32 * 7 % 11);
            against.read(scale, &opponent, opponent[..scale.cells()].iter().sum());
            against.prepare_squares();
            for known in ["Ah2c", "Ah2h", "AhAs", "9h5h2h", "9h5h5c", "9h9s9c", "9h5s2c", "KsKdQs"] {
                let known: CardSet = known.parse().unwrap();
                let cards: Vec<Card> = known.complement().into_iter().collect();
                for sign in [Sign::Plus, Sign::Minus] {
                    let (mut pairs, mut sums) = (PairSums::new(), Vec::new());
                    pairs.add_rows::<PercentileStreet>(scale, sets, known, sign, &against);
                    pairs.extend::<PercentileStreet>(&mut sums, &cards);
                    let mut sums = sums.into_iter();
                    for (i, &low) in cards.iter().enumerate() {
                        for &high in &cards[i + 1..] {
                            let mut own = Own::<PercentileStreet>::new(&against);
                            sets.add(scale, known.with(low).with(high), CardSet::EMPTY, &mut own);
                            assert_eq!(sums.next(), Some(sign.of(own.into_sums())), "{known} {low} {high}");
                        }
                    }
                }
            }
        }
    }
}
