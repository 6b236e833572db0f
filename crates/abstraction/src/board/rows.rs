//! Sums of all pairs from the tables of [`crate::sets`].
//!
//! A row of a table counts the completions of a set of four or five cards. Without flushes it depends on the set's
//! ranks alone, and all pairs of the same ranks share the row of a set spread over the suits, which cannot make a
//! flush. What flushes in a suit change depends on the set's ranks in that suit and its other ranks: it is the
//! difference to the row of a set with these cards in one suit and the others spread, shared again by all pairs
//! that have the same. Both are the parts of [`PairSums`]: a thousand rows in place of thousands.

use super::pair_sums::{ByRanks, PairSums};
use crate::against::Against;
use crate::private::StreetBuckets;
use crate::scale::Scale;
use crate::sets::{OwnSets, Sign};
use doorcard_cards::CardSet;

/// A card of each of these ranks in suits of their own, the first in `suit`, going round.
fn spread(ranks: &[usize], suit: usize) -> u64 {
    ranks.iter().zip(suit..).fold(0, |lanes, (rank, suit)| lanes | 1 << (16 * (suit % 4) + rank))
}

/// Rows of sets that hold two or three known cards and a pair.
struct Rows<'a> {
    scale: &'a Scale,
    sets: &'a OwnSets,
    against: &'a Against,
    known: CardSet,
}

impl Rows<'_> {
    fn sums<F: StreetBuckets>(&self, lanes: u64) -> F::Sums {
        let row = if self.known.len() == 2 {
            self.sets.four(self.scale, lanes)
        } else {
            self.sets.five(self.scale, lanes)
        };
        let mut sums = F::Sums::default();
        F::add_row(&mut sums, self.against, row, Sign::Plus);
        sums
    }

    /// The sums of all pairs as if there were no flushes. Shape: \[lower rank\]\[higher rank\].
    fn offsuit<F: StreetBuckets>(&self) -> ByRanks<F::Sums> {
        let known: Vec<usize> = self.known.into_iter().map(|card| card.rank().index()).collect();
        let mut sums = ByRanks::<F::Sums>::default();
        for (low, sums) in sums.iter_mut().enumerate() {
            for (high, sums) in sums.iter_mut().enumerate().skip(low) {
                let mut ranks = [low, high, 0, 0, 0];
                ranks[2..2 + known.len()].copy_from_slice(&known);
                let ranks = &mut ranks[..2 + known.len()];
                // Equal ranks side by side come in different suits. No pair makes five of a rank.
                ranks.sort_unstable();
                if ranks.len() < 5 || ranks[0] < ranks[4] {
                    *sums = self.sums::<F>(spread(ranks, 0));
                }
            }
        }
        sums
    }
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
        let rows = Rows { scale, sets, against, known };
        let times = sign.of(1);
        let offsuit = rows.offsuit::<F>();
        add_all::<F>(&mut self.offsuit, &offsuit, times);
        if !scale.counts_flushes() {
            return;
        }
        for suit in 0..4 {
            let held = (known.suit_lanes() >> (16 * suit)) as u16;
            // The set must hold as many cards of the suit as are known here: with those to come they are five.
            let missing = known.len() - held.count_ones() as usize;
            if missing > 2 {
                continue;
            }
            let others: Vec<usize> = known
                .into_iter()
                .filter(|card| card.suit().index() != suit)
                .map(|card| card.rank().index())
                .collect();
            let (lanes, next) = (u64::from(held) | spread(&others, 1), 1 + others.len());
            let free = || (0..13).filter(|rank| held >> rank & 1 == 0);
            for high in free() {
                for low in free().take_while(|&low| low < high) {
                    let sums = &mut self.suited[suit][low][high];
                    F::add_sums(sums, &rows.sums::<F>(lanes | 1 << low | 1 << high), times);
                    F::add_sums(sums, &offsuit[low][high], -times);
                }
                if missing > 1 {
                    continue;
                }
                for other in 0..13 {
                    let sums = &mut self.single[suit][high][other];
                    F::add_sums(sums, &rows.sums::<F>(lanes | 1 << high | spread(&[other], next)), times);
                    F::add_sums(sums, &offsuit[high.min(other)][high.max(other)], -times);
                }
            }
            if missing > 0 {
                continue;
            }
            let mut of_none = ByRanks::<S>::default();
            for high in 0..13 {
                for low in 0..=high {
                    let sums = &mut of_none[low][high];
                    *sums = rows.sums::<F>(lanes | spread(&[low, high], next));
                    F::add_sums(sums, &offsuit[low][high], -1);
                }
            }
            self.add_base::<F>(suit, &of_none, times);
        }
    }
}

fn add_all<F: StreetBuckets>(to: &mut ByRanks<F::Sums>, more: &ByRanks<F::Sums>, times: i32) {
    for (to, more) in to.iter_mut().zip(more) {
        to.iter_mut().zip(more).for_each(|(to, more)| F::add_sums(to, more, times));
    }
}
