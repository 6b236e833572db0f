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

    /// Calls `f` with this set and `more` of the `live` ranks, in every way.
    fn each(self, mut live: u16, more: usize, f: &mut impl FnMut(&Suited)) {
        if more == 0 {
            return f(&self);
        }
        while live != 0 {
            let rank = live.trailing_zeros() as usize;
            live &= live - 1;
            let mut larger = self;
            larger.ranks[self.len] = rank;
            larger.len += 1;
            larger.mask |= 1 << rank;
            larger.number = with_each(self.len, self.number)[rank].into();
            larger.each(live, more - 1, f);
        }
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
                    for (&number, &count) in numbers[..rank].iter().zip(&live) {
                        F::add_cell(&mut sums, against, cell(number), live[rank] * count);
                    }
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
        let PairSums { suited: of_two, single: of_one, cells, .. } = self;
        let (of_two, of_one) = (&mut of_two[suit], &mut of_one[suit]);
        // What changes for pairs without a card of the suit. Shape: [lower rank][higher rank].
        let mut of_none = [[S::default(); 13]; 13];
        for size in missing..=unknown {
            Suited::NONE.each(suited, size, &mut |set| {
                let main = scale.main_cell(rank7::high_flush(held | set.mask).0);
                let change = |number: u16| {
                    let number = usize::from(number) % NUMBERS;
                    let mut change = S::default();
                    F::add_cell(&mut change, against, (main + cells.low[number]).into(), 1);
                    F::add_cell(&mut change, against, cells.offsuit[number].into(), -1);
                    change
                };
                let mut to_two = S::default();
                let mut to_one = [S::default(); 13];
                match unknown - size {
                    0 => to_two = change(set.number as u16),
                    1 => {
                        for (rank, &number) in with_each(size, set.number).iter().enumerate() {
                            to_one[rank] = change(number);
                            F::add_sums(&mut to_two, &to_one[rank], others[rank]);
                        }
                    }
                    _ => {
                        for (high, &number) in with_each(size, set.number).iter().enumerate() {
                            for (low, &number) in
                                with_each(size + 1, number.into())[..=high].iter().enumerate()
                            {
                                let change = change(number);
                                F::add_sums(&mut of_none[low][high], &change, 1);
                                F::add_sums(&mut to_two, &change, ways(&others, low, high));
                                if low == high {
                                    F::add_sums(&mut to_one[low], &change, others[low] - 1);
                                } else {
                                    F::add_sums(&mut to_one[low], &change, others[high]);
                                    F::add_sums(&mut to_one[high], &change, others[low]);
                                }
                            }
                        }
                    }
                }
                let ranks = &set.ranks[..set.len];
                for (i, &low) in ranks.iter().enumerate() {
                    if size < unknown {
                        for (sums, change) in of_one[low].iter_mut().zip(&to_one) {
                            F::add_sums(sums, change, 1);
                        }
                    }
                    for &high in &ranks[i + 1..] {
                        F::add_sums(&mut of_two[low][high], &to_two, 1);
                    }
                }
            });
        }
        if unknown - missing < 2 {
            return;
        }
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
        for (i, low) in cards.iter().enumerate() {
            let (a, s) = (low.rank().index(), low.suit().index());
            let (offsuit, suited, single) = (&self.offsuit[a], &self.suited[s][a], &self.single[s][a]);
            all.extend(cards[i + 1..].iter().map(|high| {
                let (b, t) = (high.index() / 4 % 13, high.index() % 4);
                let mut sums = offsuit[b];
                if s == t {
                    F::add_sums(&mut sums, &suited[b], 1);
                } else {
                    F::add_sums(&mut sums, &single[b], 1);
                    F::add_sums(&mut sums, &self.single[t][b][a], 1);
                }
                sums
            }));
        }
    }
}
