//! Private buckets: how the hands of one public bucket are divided.
//!
//! A family says what it keeps of a hand (a point made from the distribution of final strength read against the
//! opponent's, or from the strength itself on seventh street), how it divides sampled points, and in which bucket a
//! point lies. It never sees cards, so that no family can depend on more than the two players' distributions.
//!
//! Most families divide the hands of all boards of a group together, when the abstraction is built. Others divide those
//! behind each board when they meet it: see [`StreetBuckets::Cuts`].

mod kmeans;
mod ochs;
mod percentile;
mod rank;

pub(crate) use kmeans::{DIMS as KMEANS_DIMS, KmeansStreet};
pub(crate) use ochs::OchsStreet;
pub(crate) use percentile::PercentileStreet;
pub(crate) use rank::RankStreet;

use crate::StreetSizes;
use crate::against::Against;
use crate::reader::{Reader, Showing};
use crate::scale::{Counts, Standing};
use crate::sets::{Count, Sign, Sum};

/// The private buckets of one street in all groups of its hands: see [`StreetBuckets::fit`].
pub(crate) trait StreetBuckets: Sized + Send + Sync {
    /// What is kept of a hand.
    type Point: Copy + Send + Sync;

    /// What is added up over the completions of a hand: a linear function of its histogram.
    type Sums: Copy + Default;

    /// Where the hands behind one board are divided; nothing where boards are divided alike.
    type Cuts: Default;

    /// Whether each board is divided on its own.
    const BY_BOARD: bool = false;

    /// Prepares what is read of the opponent's distribution beyond HS.
    fn prepare(against: &mut Against, reader: &Reader, opponent: &Showing);

    /// Adds a row of a table of histograms, or takes it off; see [`Sum`].
    fn add_row<C: Count>(sums: &mut Self::Sums, against: &Against, row: &[C], sign: Sign);

    /// Adds `count` completions in a cell; see [`Sum`].
    fn add_cell(sums: &mut Self::Sums, against: &Against, cell: usize, count: i32);

    /// Adds sums, that many times.
    fn add_sums(sums: &mut Self::Sums, more: &Self::Sums, times: i32);

    /// The point of a hand with `total` completions that add up to this.
    fn of_sums(sums: &Self::Sums, total: u32) -> Self::Point;

    /// The point of a complete hand.
    fn of_complete(against: &Against, standing: Standing) -> Self::Point;

    /// Divides sampled points, each group on its own: those of one public bucket, with perfect recall of one path to
    /// it; `sizes.public` says how many groups there are. Shape: \[group\]\[sample\].
    fn fit(points: Vec<Vec<Self::Point>>, sizes: StreetSizes, rounds: usize, seed: u64) -> Self;

    /// Divides the hands behind a board: all that the player may hold there, with `total` completions each, add up to
    /// these sums.
    fn cut(&self, _cuts: &mut Self::Cuts, _total: u32, _all: &[Self::Sums]) {}

    /// Divides complete hands behind a board, of which so many end in each cell.
    fn cut_complete(&self, _cuts: &mut Self::Cuts, _own: &Counts, _against: &Against) {}

    /// The bucket of a point of a group, below `sizes.private`, in ascending order of strength.
    fn bucket(&self, cuts: &Self::Cuts, group: usize, point: Self::Point) -> u16;

    /// The buckets of hands of a group with `total` completions each that add up to these sums.
    fn buckets_of_sums(
        &self,
        cuts: &Self::Cuts,
        group: usize,
        total: u32,
        sums: &[Self::Sums],
        buckets: &mut [u16],
    ) {
        for (bucket, sums) in buckets.iter_mut().zip(sums) {
            *bucket = self.bucket(cuts, group, Self::of_sums(sums, total));
        }
    }
}

/// The sums of one hand, read against an opponent.
pub(crate) struct Own<'a, F: StreetBuckets> {
    against: &'a Against,
    sums: F::Sums,
}

impl<'a, F: StreetBuckets> Own<'a, F> {
    pub(crate) fn new(against: &'a Against) -> Own<'a, F> {
        Own { against, sums: F::Sums::default() }
    }

    pub(crate) fn into_sums(self) -> F::Sums {
        self.sums
    }

    pub(crate) fn point(&self, total: u32) -> F::Point {
        F::of_sums(&self.sums, total)
    }
}

impl<F: StreetBuckets> Sum for Own<'_, F> {
    #[inline(always)]
    fn add_row<C: Count>(&mut self, row: &[C], sign: Sign) {
        F::add_row(&mut self.sums, self.against, row, sign);
    }

    #[inline(always)]
    fn add_cell(&mut self, cell: usize, count: i32) {
        F::add_cell(&mut self.sums, self.against, cell, count);
    }
}
