//! Private buckets: how the hands of one public bucket are divided.
//!
//! A family says what it keeps of a hand (a point made from the distribution of final strength read against the
//! opponent's, or from the strength itself on seventh street), how it divides sampled points, and in which bucket a
//! point lies. It never sees cards, so that no family can depend on more than the two players' distributions.

mod kmeans;
mod ochs;
mod percentile;

pub(crate) use kmeans::{DIMS as KMEANS_DIMS, KmeansStreet};
pub(crate) use ochs::OchsStreet;
pub(crate) use percentile::PercentileStreet;

use crate::StreetSizes;
use crate::against::Against;
use crate::reader::{Reader, Showing};
use crate::scale::Standing;
use crate::sets::{Count, Sign, Sum};

/// The private buckets of one street in all groups of its hands: see [`StreetBuckets::fit`].
pub(crate) trait StreetBuckets: Sized + Send + Sync {
    /// What is kept of a hand.
    type Point: Copy + Send + Sync;

    /// What is added up over the completions of a hand: a linear function of its histogram.
    type Sums: Copy + Default;

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

    /// The bucket of a point of a group, below `sizes.private`, in ascending order of strength.
    fn bucket(&self, group: usize, point: Self::Point) -> u16;

    /// The buckets of hands of a group with `total` completions each that add up to these sums.
    fn buckets_of_sums(&self, group: usize, total: u32, sums: &[Self::Sums], buckets: &mut [u16]) {
        for (bucket, sums) in buckets.iter_mut().zip(sums) {
            *bucket = self.bucket(group, Self::of_sums(sums, total));
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
