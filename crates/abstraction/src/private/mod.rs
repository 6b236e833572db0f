//! Private buckets: how the hands of one public bucket are divided.
//!
//! A family says what it keeps of a hand (a point made from the distribution of HS, or from HS itself on seventh
//! street), how it divides sampled points, and in which bucket a point lies. It never sees cards, so that no family can
//! depend on more than the player's own distribution of HS.

mod kmeans;
mod percentile;

pub(crate) use kmeans::KmeansStreet;
pub(crate) use percentile::PercentileStreet;

use crate::StreetSizes;
use crate::against::Against;
use crate::scale::Counts;
use crate::sets::Count;

/// The private buckets of one street in all its public buckets.
pub(crate) trait StreetBuckets: Sized + Send + Sync {
    /// What is kept of a hand.
    type Point: Copy + Send + Sync;

    /// Prepares what [`StreetBuckets::of_distribution`] needs.
    fn prepare(against: &mut Against);

    /// The point of a hand that can still become any of `own` (cells of the scale, `total` in all).
    fn of_distribution<C: Count>(against: &Against, own: &Counts<C>, total: u32) -> Self::Point;

    /// The point of a complete hand with this HS. Units: 2^-16.
    fn of_value(value: u32) -> Self::Point;

    /// Divides sampled points. Shape: \[public bucket\]\[sample\].
    fn fit(points: Vec<Vec<Self::Point>>, sizes: StreetSizes, rounds: usize, seed: u64) -> Self;

    /// The bucket of a point, below `sizes.private`, in ascending order of strength.
    fn bucket(&self, public: usize, point: Self::Point) -> u16;
}
