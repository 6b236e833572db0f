//! Clusters of the distribution of HS under earth mover's distance.
//!
//! In one dimension the earth mover's distance between two distributions is the area between their cumulative
//! distributions, the L1 distance of the latter. Its cluster centre would be the median at each point, which
//! k-means does not find. Clusters here are those of the squared L2 distance between cumulative distributions
//! (the Cramér distance), of which the mean is exactly the minimiser, so that every round of k-means lowers
//! what is reported. By the Cauchy-Schwarz inequality the earth mover's distance is at most this distance, and
//! it is at least its square. Distributions are described at fifteen points.
//!
//! On seventh street a hand has one HS; its earth mover's distance to another is their difference, and the
//! clusters are those of HS on the line.
//!
//! Distribution-aware buckets by k-means: A. Gilpin, T. Sandholm and T. B. Sørensen (2007); under earth mover's
//! distance: M. Johanson, N. Burch, R. Valenzano and M. Bowling, "Evaluating State-Space Abstractions in
//! Extensive-Form Games" (2013). Buckets are in ascending order of the mean HS of the centroid.

use super::StreetBuckets;
use crate::StreetSizes;
use crate::against::{Against, POINTS};
use crate::groups::Clusters;
use crate::reader::{Reader, Showing};
use crate::scale::Standing;
use crate::sets::{Count, Sign};
use ndarray::ArrayView2;

/// Coordinates of a distribution.
pub(crate) const DIMS: usize = POINTS - 1;

/// The clusters of one street.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KmeansStreet {
    pub(crate) clusters: Clusters,
}

impl KmeansStreet {
    /// The point of a complete hand with this HS. Units: 2^-16.
    fn of_value(value: u32) -> [f32; DIMS] {
        let mut point = [0.0; DIMS];
        // Less is stronger, as with cumulative distributions.
        point[0] = 1.0 - value as f32 / 65536.0;
        point
    }
}

impl StreetBuckets for KmeansStreet {
    /// The cumulative distribution of HS at 1/16 to 15/16; on seventh street HS itself, then zeros.
    type Point = [f32; DIMS];

    /// How many completions have HS in each sixteenth of \[0, 1\].
    type Sums = [i32; POINTS];

    type Cuts = ();

    fn prepare(against: &mut Against, _: &Reader, _: &Showing) {
        against.prepare_points();
    }

    #[inline(always)]
    fn add_row<C: Count>(sums: &mut [i32; POINTS], against: &Against, row: &[C], sign: Sign) {
        for (&point, count) in against.points().iter().zip(row) {
            let sum = &mut sums[usize::from(point) % POINTS];
            *sum = sum.wrapping_add(sign.of(count.get() as i32));
        }
    }

    #[inline(always)]
    fn add_cell(sums: &mut [i32; POINTS], against: &Against, cell: usize, count: i32) {
        sums[usize::from(against.points()[cell]) % POINTS] += count;
    }

    #[inline(always)]
    fn add_sums(sums: &mut [i32; POINTS], more: &[i32; POINTS], times: i32) {
        for (sum, more) in sums.iter_mut().zip(more) {
            *sum += times * more;
        }
    }

    #[inline]
    fn of_sums(sums: &[i32; POINTS], total: u32) -> [f32; DIMS] {
        let unit = 1.0 / total as f32;
        let mut below = 0;
        std::array::from_fn(|point| {
            below += sums[point];
            below as f32 * unit
        })
    }

    fn of_complete(against: &Against, standing: Standing) -> [f32; DIMS] {
        KmeansStreet::of_value(against.value(standing))
    }

    fn fit(points: Vec<Vec<[f32; DIMS]>>, sizes: StreetSizes, rounds: usize, seed: u64) -> KmeansStreet {
        let views: Vec<ArrayView2<'_, f32>> = points.iter().map(|points| points[..].into()).collect();
        KmeansStreet { clusters: Clusters::fit(&views, sizes.private, rounds, seed, |c| c.sum()).0 }
    }

    #[inline]
    fn bucket(&self, _: &(), group: usize, point: [f32; DIMS]) -> u16 {
        self.clusters.nearest(group, &point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const SIZES: StreetSizes = StreetSizes { public: 2, private: 6, spread: 1 };

    /// The distribution of a hand that wins with probability `high` half of the time, and `low` otherwise.
    fn point(low: f32, high: f32) -> [f32; DIMS] {
        std::array::from_fn(|i| {
            let at = (i + 1) as f32 / POINTS as f32;
            0.5 * f32::from(u8::from(at > low)) + 0.5 * f32::from(u8::from(at > high))
        })
    }

    #[test]
    fn draws_are_told_from_made_hands() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut jitter = |x: f32| x + 0.03 * rng.random::<f32>();
        let kinds = [(0.1, 0.1), (0.45, 0.55), (0.05, 0.95), (0.9, 0.9)];
        let points: Vec<_> =
            (0..800).map(|i| point(jitter(kinds[i % 4].0), jitter(kinds[i % 4].1))).collect();
        let sizes = StreetSizes { public: 1, private: 4, spread: 1 };
        let street = KmeansStreet::fit(vec![points], sizes, 30, 1);
        let buckets: Vec<u16> =
            kinds.iter().map(|&(low, high)| street.bucket(&(), 0, point(low, high))).collect();
        assert_eq!((buckets[0], buckets[3]), (0, 3));
        assert!(buckets[1] != buckets[2] && (1..3).contains(&buckets[1]) && (1..3).contains(&buckets[2]));
    }

    #[test]
    fn complete_hands_are_ordered_by_hs() {
        let points: Vec<_> = (0..6000).map(|i| KmeansStreet::of_value(i * 10)).collect();
        let street = KmeansStreet::fit(vec![points.clone(), points], SIZES, 30, 1);
        let buckets: Vec<u16> =
            (0..600).map(|i| street.bucket(&(), 1, KmeansStreet::of_value(i * 100))).collect();
        assert!(buckets.is_sorted());
        assert_eq!((buckets[0], buckets[599]), (0, 5));
    }
}
