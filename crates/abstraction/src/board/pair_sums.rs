//! Sums over what may still come, for all pairs of hidden cards behind the same known ones.
//!
//! A hand with three or four known cards, two hidden ones and one or two to come is valued by its ranks unless it
//! makes a flush. So there are sums of two kinds:
//!
//! - As if there were no flushes, the sum of a pair depends on its ranks alone: it runs over the ranks that may come,
//!   each counted by how many cards of it are live without the pair. For two cards to come that is 91 pairs of ranks
//!   times 91, of 1,820 different hands ([`rank_multisets`]).
//! - What flushes change is added suit by suit, as no hand has two. For each set of live cards of the suit that makes
//!   the flush, with the ranks of the cards that fill up the hand, the change is counted once and given to every way
//!   in which two of those cards may be the hidden ones.
//!
//! All is counted, nothing approximated: sums equal those of completing each pair card by card. Dead cards are just
//! not live, so they cost nothing, where [inclusion and exclusion](crate::sets) would take eight table rows and
//! sets of six cards for each pair.

use crate::against::Against;
use crate::private::StreetBuckets;
use crate::scale::Scale;
use doorcard_cards::rank_multisets::{self, with_each};
use doorcard_cards::{Card, CardSet, rank7};
use std::array::from_fn;

/// Room for the numbers of all multisets of ranks; a power of two, so that no index needs a check.
const NUMBERS: usize = 1 << 11;

/// For each two ranks.
pub(super) type ByRanks<S> = [[S; 13]; 13];

/// The sums of all pairs, in parts.
pub(crate) struct PairSums<S> {
    /// Of pairs of which no card is of a suit that matters. Shape: \[lower rank\]\[higher rank\].
    pub(super) offsuit: ByRanks<S>,
    /// What is added for two cards of one suit. Shape: \[suit\]\[lower rank\]\[higher rank\].
    pub(super) suited: [ByRanks<S>; 4],
    /// What is added for a card of a suit beside one of another. Shape: \[suit\]\[its rank\]\[the other's rank\].
    pub(super) single: [ByRanks<S>; 4],
    cells: Cells,
}

/// What the known cards and each multiset of ranks come to.
struct Cells {
    /// The cell of the hand, flushes left out.
    offsuit: [u8; NUMBERS],
    /// What its low adds to the cell.
    low: [u8; NUMBERS],
    values: Vec<u16>,
}

impl Cells {
    fn fill(&mut self, scale: &Scale, known: CardSet) {
        let (main, low) = scale.board_values();
        rank_multisets::values(main, known, &mut self.values);
        for (cell, &value) in self.offsuit.iter_mut().zip(&self.values) {
            *cell = scale.main_cell(value);
        }
        if let Some(low) = low {
            rank_multisets::values(low, known, &mut self.values);
            for ((cell, low), &value) in self.offsuit.iter_mut().zip(&mut self.low).zip(&self.values) {
                *low = scale.low_cell(value);
                *cell += *low;
            }
        }
    }
}

/// Cards of one suit out of those that are not known.
#[derive(Clone, Copy)]
struct Suited {
    ranks: [usize; 4],
    len: usize,
    mask: u16,
    /// The number of the multiset of their ranks.
    number: usize,
}

impl Suited {
    const NONE: Suited = Suited { ranks: [0; 4], len: 0, mask: 0, number: 0 };
}

/// What a flush changes for pairs of which two cards are of its suit, or one beside another of each rank, if `ONE` is
/// 13; it is 0 where all cards are of the suit.
#[derive(Clone, Copy)]
struct Change<S, const ONE: usize> {
    to_two: S,
    to_one: [S; ONE],
}

/// Adds up what flushes in a suit change.
struct Flushes<'a, S> {
    scale: &'a Scale,
    against: &'a Against,
    cells: &'a Cells,
    /// The ranks known in the suit.
    held: u16,
    /// How many live cards of other suits there are of each rank.
    others: [i32; 13],
    /// As in [`PairSums`].
    of_two: &'a mut ByRanks<S>,
    of_one: &'a mut ByRanks<S>,
    /// For pairs without a card of the suit. Shape: \[lower rank\]\[higher rank\].
    of_none: ByRanks<S>,
}

impl<S: Copy + Default> Flushes<'_, S> {
    /// Adds what `set` changes with `more` cards of the `live` ranks above it, and `rest` of other suits, in every way,
    /// and returns it all in all.
    ///
    /// What two ranks have in common is added where the second of them comes in, for all sets at once.
    fn each<F: StreetBuckets<Sums = S>, const ONE: usize>(
        &mut self,
        set: Suited,
        mut live: u16,
        more: usize,
        rest: usize,
    ) -> Change<S, ONE> {
        let mut all = Change { to_two: S::default(), to_one: [S::default(); ONE] };
        let numbers = with_each(set.len, set.number);
        while live != 0 {
            let rank = live.trailing_zeros() as usize % 16;
            live &= live - 1;
            let (mask, number) = (set.mask | 1 << rank, usize::from(numbers[rank]));
            let change = if more > 1 {
                let mut larger = Suited { mask, number, len: set.len + 1, ..set };
                larger.ranks[set.len] = rank;
                self.each::<F, ONE>(larger, live, more - 1, rest)
            } else {
                self.fill::<F, ONE>(mask, number, set.len + 1, rest)
            };
            for &low in &set.ranks[..set.len] {
                F::add_sums(&mut self.of_two[low][rank], &change.to_two, 1);
            }
            F::add_sums(&mut all.to_two, &change.to_two, 1);
            for (i, change) in change.to_one.iter().enumerate() {
                F::add_sums(&mut self.of_one[rank][i], change, 1);
                F::add_sums(&mut all.to_one[i], change, 1);
            }
        }
        all
    }

    /// What `size` cards of the suit change, filled up by `rest` cards of other suits.
    #[inline(always)]
    fn fill<F: StreetBuckets<Sums = S>, const ONE: usize>(
        &mut self,
        mask: u16,
        number: usize,
        size: usize,
        rest: usize,
    ) -> Change<S, ONE> {
        let main = self.scale.main_cell(rank7::high_flush(self.held | mask).0);
        let (cells, against) = (self.cells, self.against);
        let change = |number: usize| {
            let number = number % NUMBERS;
            let mut change = S::default();
            F::add_cell(&mut change, against, (main + cells.low[number]).into(), 1);
            F::add_cell(&mut change, against, cells.offsuit[number].into(), -1);
            change
        };
        if ONE == 0 {
            return Change { to_two: change(number), to_one: [S::default(); ONE] };
        }
        let mut filled = Change { to_two: S::default(), to_one: [S::default(); ONE] };
        if rest == 1 {
            let places = filled.to_one.iter_mut().zip(with_each(size, number)).zip(&self.others);
            for ((to_one, &number), &others) in places {
                *to_one = change(number.into());
                F::add_sums(&mut filled.to_two, to_one, others);
            }
            return filled;
        }
        let others = &self.others;
        for (high, &number) in with_each(size, number).iter().enumerate() {
            for (low, &number) in with_each(size + 1, number.into())[..=high].iter().enumerate() {
                let change = change(number.into());
                F::add_sums(&mut self.of_none[low][high], &change, 1);
                F::add_sums(&mut filled.to_two, &change, ways(others, low, high));
                if low == high {
                    F::add_sums(&mut filled.to_one[low], &change, others[low] - 1);
                } else {
                    F::add_sums(&mut filled.to_one[low], &change, others[high]);
                    F::add_sums(&mut filled.to_one[high], &change, others[low]);
                }
            }
        }
        filled
    }
}

/// How many of the cards have each rank.
fn rank_counts(cards: CardSet) -> [i32; 13] {
    from_fn(|rank| (cards.bits() >> (4 * rank) & 15).count_ones() as i32)
}

/// How many ways there are to take one card of each of two ranks, or two of the same.
fn ways(counts: &[i32; 13], a: usize, b: usize) -> i32 {
    if a == b { counts[a] * (counts[a] - 1) / 2 } else { counts[a] * counts[b] }
}

impl<S: Copy + Default> PairSums<S> {
    pub(crate) fn new() -> PairSums<S> {
        let zeros = [[S::default(); 13]; 13];
        let cells = Cells { offsuit: [0; NUMBERS], low: [0; NUMBERS], values: Vec::new() };
        PairSums { offsuit: zeros, suited: [zeros; 4], single: [zeros; 4], cells }
    }

    /// Sets all sums to nothing.
    pub(super) fn clear(&mut self) {
        let zeros = [[S::default(); 13]; 13];
        (self.offsuit, self.suited, self.single) = (zeros, [zeros; 4], [zeros; 4]);
    }

    /// Counts the sums of all pairs of `live` cards behind three or four `known` ones, completed to seven cards by
    /// other live cards.
    pub(crate) fn count<F: StreetBuckets<Sums = S>>(
        &mut self,
        scale: &Scale,
        known: CardSet,
        live: CardSet,
        against: &Against,
    ) {
        self.cells.fill(scale, known);
        let unknown = 7 - known.len();
        self.count_ranks::<F>(unknown - 2, rank_counts(live), against);
        let zeros = [[S::default(); 13]; 13];
        (self.suited, self.single) = ([zeros; 4], [zeros; 4]);
        if scale.counts_flushes() {
            for suit in 0..4 {
                self.count_flushes::<F>(scale, suit, known, live, against);
            }
        }
    }

    /// The sums as if there were no flushes, of pairs with `more` cards to come.
    fn count_ranks<F: StreetBuckets<Sums = S>>(&mut self, more: usize, live: [i32; 13], against: &Against) {
        let cell = |number: u16| self.cells.offsuit[usize::from(number) % NUMBERS].into();
        for high in 0..13 {
            for low in 0..=high {
                let mut live = live;
                live[low] -= 1;
                live[high] -= 1;
                let mut sums = S::default();
                let pair = with_each(1, high)[low].into();
                for (rank, &number) in with_each(2, pair).iter().enumerate() {
                    if more == 1 {
                        F::add_cell(&mut sums, against, cell(number), live[rank]);
                        continue;
                    }
                    let numbers = with_each(3, number.into());
                    let mut lower = S::default();
                    for (&number, &count) in numbers[..rank].iter().zip(&live) {
                        F::add_cell(&mut lower, against, cell(number), count);
                    }
                    F::add_sums(&mut sums, &lower, live[rank]);
                    F::add_cell(&mut sums, against, cell(numbers[rank]), ways(&live, rank, rank));
                }
                self.offsuit[low][high] = sums;
            }
        }
    }

    /// What flushes in a suit change.
    fn count_flushes<F: StreetBuckets<Sums = S>>(
        &mut self,
        scale: &Scale,
        suit: usize,
        known: CardSet,
        live: CardSet,
        against: &Against,
    ) {
        let unknown = 7 - known.len();
        let lane = |cards: CardSet| (cards.suit_lanes() >> (16 * suit)) as u16;
        let held = lane(known);
        let missing = 5 - held.count_ones() as usize;
        if missing > unknown {
            return;
        }
        let suited = lane(live);
        let mut others = rank_counts(live);
        others.iter_mut().enumerate().for_each(|(rank, count)| *count -= i32::from(suited >> rank & 1));
        let mut flushes = Flushes {
            scale,
            against,
            cells: &self.cells,
            held,
            others,
            of_two: &mut self.suited[suit],
            of_one: &mut self.single[suit],
            of_none: [[S::default(); 13]; 13],
        };
        for size in missing..unknown {
            flushes.each::<F, 13>(Suited::NONE, suited, size, unknown - size);
        }
        flushes.each::<F, 0>(Suited::NONE, suited, unknown, 0);
        if unknown - missing < 2 {
            return;
        }
        let of_none = flushes.of_none;
        self.add_base::<F>(suit, &of_none, 1);
    }

    /// Adds what flushes in a suit change for pairs without a card of it to the base to which all else is added.
    pub(super) fn add_base<F: StreetBuckets<Sums = S>>(
        &mut self,
        suit: usize,
        of_none: &ByRanks<S>,
        times: i32,
    ) {
        let (of_two, of_one) = (&mut self.suited[suit], &mut self.single[suit]);
        for high in 0..13 {
            for low in 0..=high {
                let change = of_none[low][high];
                F::add_sums(&mut self.offsuit[low][high], &change, times);
                F::add_sums(&mut of_two[low][high], &change, -times);
                F::add_sums(&mut of_one[low][high], &change, -times);
                if low < high {
                    F::add_sums(&mut of_one[high][low], &change, -times);
                }
            }
        }
    }

    /// Adds the sums of all pairs of these ascending cards, in order, to `all`.
    pub(crate) fn extend<F: StreetBuckets<Sums = S>>(&self, all: &mut Vec<S>, cards: &[Card]) {
        let turned: [ByRanks<S>; 4] =
            from_fn(|suit| from_fn(|other| from_fn(|own| self.single[suit][own][other])));
        let places: Vec<usize> =
            cards.iter().map(|card| card.suit().index() * 13 + card.rank().index()).collect();
        for (i, card) in cards.iter().enumerate() {
            let (rank, suit) = (card.rank().index(), card.suit().index());
            // The sums with every other card. Shape: [its suit][its rank].
            let mut sums = [self.offsuit[rank]; 4];
            for (other, sums) in sums.iter_mut().enumerate() {
                let add = |sums: &mut [S; 13], more: &[S; 13]| {
                    for (sums, more) in sums[rank..].iter_mut().zip(&more[rank..]) {
                        F::add_sums(sums, more, 1);
                    }
                };
                if other == suit {
                    add(sums, &self.suited[suit][rank]);
                } else {
                    add(sums, &self.single[suit][rank]);
                    add(sums, &turned[other][rank]);
                }
            }
            let sums = sums.as_flattened();
            all.extend(places[i + 1..].iter().map(|&place| sums[place]));
        }
    }
}
