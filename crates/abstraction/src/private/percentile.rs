//! Equally filled ranges of E\[HS\], each divided again by E\[HS^2\].
//!
//! E\[HS\] is the chance to win; between hands of equal chances E\[HS^2\] tells those that are made from those
//! that may become very strong or nothing. See M. Johanson, N. Burch, R. Valenzano and M. Bowling, "Evaluating
//! State-Space Abstractions in Extensive-Form Games" (2013), on percentile buckets nested in this way. Their
//! hold'em hands have no dead cards; here both expectations are exact given every card seen, up to the cells of
//! the scale.

use super::StreetBuckets;
use crate::StreetSizes;
use crate::against::{Against, ONE_BITS};
use crate::reader::{Reader, Showing};
use crate::scale::Standing;
use crate::sets::{Count, Sign};
use rayon::prelude::*;

/// Thresholds of one street.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PercentileStreet {
    /// Ranges of E\[HS\] in each public bucket.
    ranges: usize,
    /// Parts of each range.
    spread: usize,
    /// The least E\[HS\] of each range but the first. Shape: \[public\]\[range - 1\].
    means: Vec<u16>,
    /// The least E\[HS^2\] of each part but the first. Shape: \[public\]\[range\]\[part - 1\].
    squares: Vec<u16>,
}

/// The values that divide `sorted` into `parts` parts of about equal size, each the least of its part.
///
/// Equal values cannot be divided: where they fill more than a part, the parts after it share what is left.
/// Parts that nothing is left for begin at the largest number.
fn thresholds<T: Copy>(sorted: &[T], parts: usize, key: impl Fn(T) -> u16) -> Vec<u16> {
    let mut start = 0;
    (1..parts)
        .rev()
        .map(|later| {
            let target = start + (sorted.len() - start).div_ceil(later + 1);
            let Some(value) = sorted.get(target).map(|&value| key(value)) else { return u16::MAX };
            let first = sorted.partition_point(|&other| key(other) < value);
            let next = sorted.partition_point(|&other| key(other) <= value);
            start = if first > start && target - first <= next - target { first } else { next };
            sorted.get(start).map_or(u16::MAX, |&value| key(value))
        })
        .collect()
}

/// How many of the ascending `thresholds` are at most `value`.
fn place(thresholds: &[u16], value: u16) -> usize {
    thresholds.iter().map(|&threshold| usize::from(threshold <= value)).sum()
}

impl PercentileStreet {
    /// Takes over thresholds read from a file.
    ///
    /// # Panics
    /// Unless the lengths are those of [`PercentileStreet::lengths`].
    pub(crate) fn from_parts(sizes: StreetSizes, means: Vec<u16>, squares: Vec<u16>) -> PercentileStreet {
        assert_eq!((means.len(), squares.len()), PercentileStreet::lengths(sizes));
        PercentileStreet { ranges: sizes.private / sizes.spread, spread: sizes.spread, means, squares }
    }

    /// How many thresholds of each kind there are.
    pub(crate) fn lengths(sizes: StreetSizes) -> (usize, usize) {
        let ranges = sizes.private / sizes.spread;
        (sizes.public * (ranges - 1), sizes.public * ranges * (sizes.spread - 1))
    }

    /// The thresholds of E\[HS\] and of E\[HS^2\].
    pub(crate) fn parts(&self) -> (&[u16], &[u16]) {
        (&self.means, &self.squares)
    }

    /// The point of a complete hand with this HS. Units: 2^-16.
    fn of_value(value: u32) -> (u16, u16) {
        (
            value.min(u16::MAX.into()) as u16,
            ((u64::from(value) * u64::from(value)) >> 16).min(u16::MAX.into()) as u16,
        )
    }

    fn means(&self, public: usize) -> &[u16] {
        &self.means[public * (self.ranges - 1)..(public + 1) * (self.ranges - 1)]
    }
}

/// A sum of HS as a part of its possible `total`. Units: 2^-16, at most 2^16 - 1.
fn part(sum: u32, total: u32) -> u16 {
    ((u64::from(sum) << (16 - ONE_BITS)) / u64::from(total)).min(u16::MAX.into()) as u16
}

impl StreetBuckets for PercentileStreet {
    /// E\[HS\] and E\[HS^2\]. Units: 2^-16.
    type Point = (u16, u16);

    /// HS of every completion plus 2^32 times HS^2, so that one addition adds both. Units: 2^-[`ONE_BITS`].
    type Sums = i64;

    type Cuts = ();

    fn prepare(against: &mut Against, _: &Reader, _: &Showing) {
        against.prepare_squares();
    }

    #[inline(always)]
    fn add_row<C: Count>(sums: &mut i64, against: &Against, row: &[C], sign: Sign) {
        let [mean, square] = C::weighted_sums(row, against.wins(), against.squares());
        *sums += sign.of(i64::from(mean)) + (sign.of(i64::from(square)) << 32);
    }

    #[inline(always)]
    fn add_cell(sums: &mut i64, against: &Against, cell: usize, count: i32) {
        *sums += i64::from(count) * against.wins_and_squares()[cell];
    }

    #[inline(always)]
    fn add_sums(sums: &mut i64, more: &i64, times: i32) {
        *sums += i64::from(times) * more;
    }

    #[inline]
    fn of_sums(&sums: &i64, total: u32) -> (u16, u16) {
        // The sum of HS is below 2^31 and not negative.
        (part(sums as u32, total), part((sums >> 32) as u32, total))
    }

    fn of_complete(against: &Against, standing: Standing) -> (u16, u16) {
        PercentileStreet::of_value(against.value(standing))
    }

    fn fit(points: Vec<Vec<(u16, u16)>>, sizes: StreetSizes, _rounds: usize, _seed: u64) -> PercentileStreet {
        let ranges = sizes.private / sizes.spread;
        let fitted: Vec<(Vec<u16>, Vec<u16>)> = points
            .into_par_iter()
            .map(|mut points| {
                points.sort_unstable();
                let means = thresholds(&points, ranges, |(mean, _)| mean);
                let mut parts = vec![Vec::new(); ranges];
                for (mean, square) in points {
                    parts[place(&means, mean)].push(square);
                }
                let squares = parts.iter_mut().flat_map(|part| {
                    part.sort_unstable();
                    thresholds(part, sizes.spread, |square| square)
                });
                let squares = squares.collect();
                (means, squares)
            })
            .collect();
        let (means, squares): (Vec<_>, Vec<_>) = fitted.into_iter().unzip();
        PercentileStreet::from_parts(sizes, means.concat(), squares.concat())
    }

    #[inline]
    fn bucket(&self, _: &(), public: usize, (mean, square): (u16, u16)) -> u16 {
        let range = place(self.means(public), mean);
        if self.spread == 1 {
            return range as u16;
        }
        let start = (public * self.ranges + range) * (self.spread - 1);
        (range * self.spread + place(&self.squares[start..start + self.spread - 1], square)) as u16
    }

    fn buckets_of_sums(&self, _: &(), public: usize, total: u32, sums: &[i64], buckets: &mut [u16]) {
        // The least sum that is the threshold's part of the total: thresholds are scaled once instead of every sum.
        let least = |&threshold: &u16| {
            (u64::from(threshold) * u64::from(total)).div_ceil(1 << (16 - ONE_BITS)) as i32
        };
        let mut means: Vec<i32> = self.means(public).iter().map(least).collect();
        means.push(i32::MAX);
        let parts = self.spread - 1;
        let start = public * self.ranges * parts;
        let squares: Vec<i32> = self.squares[start..start + self.ranges * parts].iter().map(least).collect();
        // The range of the least sum with each ten leading bits, from which those of others are seldom a step up.
        const FIRST: usize = 1 << 10;
        let shift = (u32::BITS - FIRST.ilog2()).saturating_sub((total << ONE_BITS).leading_zeros());
        let mut first = [0u16; FIRST];
        let mut from = 0;
        for (range, &least) in means.iter().enumerate() {
            let to = (least as u32).div_ceil(1 << shift).min(FIRST as u32) as usize;
            first[from..to].fill(range as u16);
            from = to;
        }
        for (bucket, &sums) in buckets.iter_mut().zip(sums) {
            let (mean, square) = (sums as i32, (sums >> 32) as i32);
            let mut range = usize::from(first[(mean as u32 >> shift) as usize % FIRST]);
            while means[range] <= mean {
                range += 1;
            }
            let part = match &squares[range * parts..(range + 1) * parts] {
                [] => 0,
                // What most have, without a branch that cannot be foreseen.
                &[least] => usize::from(least <= square),
                squares => squares.partition_point(|&least| least <= square),
            };
            *bucket = (range * self.spread + part) as u16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn buckets_of_sums_are_those_of_points() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        for (private, spread) in [(24, 2), (7, 1), (30, 5), (1, 1)] {
            let sizes = StreetSizes { public: 3, private, spread };
            let (means, squares) = PercentileStreet::lengths(sizes);
            // The last thresholds of a bucket with few samples are the largest number.
            let ascending = |rng: &mut Xoshiro256PlusPlus, count: usize, of: usize| -> Vec<u16> {
                let mut all: Vec<u16> = (0..count).map(|_| rng.random()).collect();
                for part in all.chunks_mut(of.max(1)) {
                    part.sort();
                    *part.last_mut().expect("not empty") = u16::MAX;
                }
                all
            };
            let means = ascending(&mut rng, means, private / spread - 1);
            let squares = ascending(&mut rng, squares, spread - 1);
            let street = PercentileStreet::from_parts(sizes, means.clone(), squares);
            for total in [46u32, 946, 15_180, 211_876] {
                let most = total << ONE_BITS;
                let mut sums = Vec::new();
                for _ in 0..500 {
                    let near = means.get(rng.random_range(0..means.len().max(1))).map_or(0, |&threshold| {
                        ((u64::from(threshold) * u64::from(total)) >> (16 - ONE_BITS)) as u32
                    });
                    for mean in [rng.random_range(0..=most), near, near + 1, 0, most] {
                        let mean = mean.min(most);
                        sums.push(i64::from(mean) + (i64::from(rng.random_range(0..=mean)) << 32));
                    }
                }
                let mut buckets = vec![0; sums.len()];
                for public in 0..3 {
                    street.buckets_of_sums(&(), public, total, &sums, &mut buckets);
                    for (sums, &bucket) in sums.iter().zip(&buckets) {
                        assert_eq!(
                            bucket,
                            street.bucket(&(), public, PercentileStreet::of_sums(sums, total))
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn buckets_are_equally_filled_and_ascend() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let sizes = StreetSizes { public: 2, private: 24, spread: 2 };
        let points: Vec<Vec<(u16, u16)>> = [1.0, 1.5]
            .map(|power: f64| {
                (0..24_000)
                    .map(|_| {
                        let mean = rng.random::<f64>().powf(power);
                        let square = mean * (mean + (1.0 - mean) * rng.random::<f64>());
                        ((mean * 65535.0) as u16, (square * 65535.0) as u16)
                    })
                    .collect()
            })
            .to_vec();
        let street = PercentileStreet::fit(points.clone(), sizes, 0, 0);
        for (public, points) in points.iter().enumerate() {
            let mut counts = [0; 24];
            for &point in points {
                counts[usize::from(street.bucket(&(), public, point))] += 1;
            }
            assert!(counts.iter().all(|count| (970..1030).contains(count)), "{counts:?}");
        }
        assert_eq!((street.bucket(&(), 0, (0, 0)), street.bucket(&(), 1, (u16::MAX, u16::MAX))), (0, 23));
        assert!(
            (1..500u16)
                .all(|i| street.bucket(&(), 0, (i * 100, 0)) >= street.bucket(&(), 0, ((i - 1) * 100, 0)))
        );
        let (means, squares) = street.parts();
        assert_eq!(PercentileStreet::from_parts(sizes, means.to_vec(), squares.to_vec()), street);
    }

    #[test]
    fn equal_values_take_one_bucket_and_leave_the_others() {
        let divide = |values: &[u16], parts| thresholds(values, parts, |value| value);
        assert_eq!(divide(&[0, 0, 0, 0, 0, 0, 0, 7, 8, 9], 4), [7, 8, 9]);
        assert_eq!(divide(&[1, 2, 3, 9, 9, 9, 9, 9, 9, 9], 4), [9, u16::MAX, u16::MAX]);
        assert_eq!(divide(&[1, 2, 3, 4, 5, 6, 7, 8], 4), [3, 5, 7]);
        assert_eq!(divide(&[5, 5, 5], 3), [u16::MAX; 2]);
        assert_eq!(divide(&[], 3), [u16::MAX; 2]);
    }

    #[test]
    fn few_or_no_samples_are_no_fault() {
        let sizes = StreetSizes { public: 2, private: 8, spread: 2 };
        let street = PercentileStreet::fit(vec![vec![(5, 5)], Vec::new()], sizes, 0, 0);
        assert!(street.bucket(&(), 0, (9, 9)) < 8 && street.bucket(&(), 1, (9, 9)) < 8);
    }

    #[test]
    fn values_have_their_squares() {
        assert_eq!(PercentileStreet::of_value(1 << 15), (1 << 15, 1 << 14));
        assert_eq!(PercentileStreet::of_value(1 << 16), (u16::MAX, u16::MAX));
        let sums = |mean: i64, square: i64| PercentileStreet::of_sums(&((square << 32) + mean), 211_876);
        let certain = 211_876 << ONE_BITS;
        assert_eq!(sums(certain / 2, certain / 4), (1 << 15, 1 << 14));
        assert_eq!(sums(certain, certain), (u16::MAX, u16::MAX));
    }
}
