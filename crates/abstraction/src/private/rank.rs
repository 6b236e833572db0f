//! The place of a hand among all hands that its player may hold behind the same up cards.
//!
//! The hands behind a board are put in order of E\[HS\] and cut into equally filled ranges, each of them again by
//! E\[HS^2\], as in [`percentile`](super::percentile) but for each board on its own. A strategy that folds or bets the
//! same ranges on all boards of a public bucket thereby folds or bets the same share of hands on each. With thresholds
//! of E\[HS\] for the whole bucket it would fold too much wherever a board is a little worse than others, which is what
//! local best response lives on: the experiments' TRIALS.md has the figures.
//!
//! Nothing is fitted. All that the player may hold is what nobody has seen, so that no bucket depends on cards that
//! are dealt later. Ranges end between bins of E\[HS\], of which there are between 1024 and 2048; on seventh street
//! the hands of a cell are taken to be spread evenly over it.

use super::{PercentileStreet, StreetBuckets};
use crate::StreetSizes;
use crate::against::{Against, ONE_BITS};
use crate::reader::{Reader, Showing};
use crate::scale::{Counts, Standing};
use crate::sets::{Count, Sign};

/// How many bins of E\[HS\] there are at most.
const BINS: usize = 1 << 11;
/// How many of E\[HS^2\].
const SQUARE_BINS: usize = 1 << 8;
/// The shift from a value of HS, in units of 2^-16, to its bin.
const VALUE_SHIFT: u32 = 6;

/// The sizes of one street.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RankStreet {
    /// Ranges of E\[HS\].
    ranges: usize,
    /// Parts of each.
    spread: usize,
}

/// Where the hands behind a board are divided.
pub(crate) struct RankCuts {
    /// The range of each bin of E\[HS\].
    ranges: Box<[u16; BINS]>,
    /// From a sum of HS to its bin.
    shift: u32,
    /// Parts of each range.
    spread: usize,
    /// The least sum of HS^2 of each part but the first. Shape: \[range\]\[part - 1\].
    squares: Vec<u32>,
    /// How many hands of each range are in each bin of HS^2. Shape: \[range\]\[bin\].
    room: Vec<[u16; SQUARE_BINS]>,
}

impl Default for RankCuts {
    fn default() -> RankCuts {
        RankCuts { ranges: Box::new([0; BINS]), shift: 0, spread: 1, squares: Vec::new(), room: Vec::new() }
    }
}

impl RankCuts {
    #[inline]
    fn range(&self, mean: u32) -> usize {
        usize::from(self.ranges[(mean >> self.shift) as usize % BINS])
    }
}

impl RankStreet {
    pub(crate) fn new(sizes: StreetSizes) -> RankStreet {
        RankStreet { ranges: sizes.private / sizes.spread, spread: sizes.spread }
    }
}

/// The part, of `parts` of about equal weight, that each bin belongs to: the one its middle lies in.
fn parts_of<N: Copy + Into<u64>>(weights: &[N], parts: usize, mut tell: impl FnMut(usize, usize)) {
    let total: u64 = weights.iter().map(|&weight| weight.into()).sum();
    let parts = parts as u64;
    let (mut below, mut part) = (0, 0);
    for (bin, &weight) in weights.iter().enumerate() {
        let middle = 2 * below + weight.into();
        // Compared rather than divided: there are thousands of bins, and few parts.
        while part + 1 < parts && parts * middle >= (part + 1) * (2 * total).max(1) {
            part += 1;
        }
        tell(bin, part as usize);
        below += weight.into();
    }
}

/// The mean and the square of sums.
fn split(sums: i64) -> (u32, u32) {
    (sums as u32, (sums >> 32) as u32)
}

impl StreetBuckets for RankStreet {
    /// As the sums; of a complete hand HS alone, in units of 2^-16.
    type Point = i64;

    /// As in [`PercentileStreet`].
    type Sums = i64;

    type Cuts = RankCuts;

    const BY_BOARD: bool = true;

    fn prepare(against: &mut Against, reader: &Reader, opponent: &Showing) {
        PercentileStreet::prepare(against, reader, opponent);
    }

    #[inline(always)]
    fn add_row<C: Count>(sums: &mut i64, against: &Against, row: &[C], sign: Sign) {
        PercentileStreet::add_row(sums, against, row, sign);
    }

    #[inline(always)]
    fn add_cell(sums: &mut i64, against: &Against, cell: usize, count: i32) {
        PercentileStreet::add_cell(sums, against, cell, count);
    }

    #[inline(always)]
    fn add_sums(sums: &mut i64, more: &i64, times: i32) {
        PercentileStreet::add_sums(sums, more, times);
    }

    #[inline]
    fn of_sums(&sums: &i64, _: u32) -> i64 {
        sums
    }

    fn of_complete(against: &Against, standing: Standing) -> i64 {
        against.value(standing).into()
    }

    fn fit(_: Vec<Vec<i64>>, sizes: StreetSizes, _rounds: usize, _seed: u64) -> RankStreet {
        RankStreet::new(sizes)
    }

    fn cut(&self, cuts: &mut RankCuts, total: u32, all: &[i64]) {
        let most = total << ONE_BITS;
        cuts.shift = (u32::BITS - BINS.ilog2()).saturating_sub(most.leading_zeros());
        cuts.spread = self.spread;
        let mut bins = [0u16; BINS];
        for &sums in all {
            bins[(split(sums).0 >> cuts.shift) as usize % BINS] += 1;
        }
        parts_of(&bins, self.ranges, |bin, range| cuts.ranges[bin] = range as u16);
        if self.spread == 1 {
            return;
        }
        let square_shift = cuts.shift + (BINS / SQUARE_BINS).ilog2();
        cuts.room.clear();
        cuts.room.resize(self.ranges, [0; SQUARE_BINS]);
        for &sums in all {
            let (mean, square) = split(sums);
            let range = cuts.range(mean);
            cuts.room[range][(square >> square_shift) as usize % SQUARE_BINS] += 1;
        }
        cuts.squares.clear();
        for bins in &cuts.room {
            let start = cuts.squares.len();
            parts_of(bins, self.spread, |bin, part| {
                while cuts.squares.len() < start + part {
                    cuts.squares.push((bin as u32) << square_shift);
                }
            });
            cuts.squares.resize(start + self.spread - 1, u32::MAX);
        }
    }

    fn cut_complete(&self, cuts: &mut RankCuts, own: &Counts, against: &Against) {
        (cuts.shift, cuts.spread) = (VALUE_SHIFT, 1);
        let mut bins = [0u64; BINS];
        for (cell, &count) in own.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let (from, to) = against.span(cell);
            let bins = &mut bins[(from >> VALUE_SHIFT) as usize..=(to >> VALUE_SHIFT) as usize];
            let each = (u64::from(count) << 16) / bins.len() as u64;
            bins.iter_mut().for_each(|bin| *bin += each);
        }
        parts_of(&bins, self.ranges * self.spread, |bin, range| cuts.ranges[bin] = range as u16);
    }

    #[inline]
    fn bucket(&self, cuts: &RankCuts, _: usize, point: i64) -> u16 {
        let (mean, square) = split(point);
        let range = cuts.range(mean);
        if cuts.spread == 1 {
            return range as u16;
        }
        let squares = &cuts.squares[range * (cuts.spread - 1)..(range + 1) * (cuts.spread - 1)];
        let part: usize = squares.iter().map(|&least| usize::from(least <= square)).sum();
        (range * cuts.spread + part) as u16
    }
}
