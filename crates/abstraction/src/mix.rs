//! Boards between public buckets.
//!
//! A public bucket is a cluster, and a strategy changes by a jump where one ends and the next begins. A board is really
//! nearer to several clusters than to the rest, and plays the mean of their strategies: inverse distance weighting
//! (D. Shepard, "A two-dimensional interpolation function for irregularly-spaced data", 1968) over the few nearest.
//! What sampling left of noise in each of them averages out too. Training counts a board for the nearest cluster alone:
//! the experiments' TRIALS.md has what this does to strength.

/// The most public buckets of a mix.
pub const MOST_NEIGHBOURS: usize = 8;

/// The part of a cluster's mean squared distance that is added to every squared distance, so that a board at a
/// centroid is no exception.
const SOFTENING: f32 = 0.1;

/// The public buckets a board lies near, and the weight of each strategy in that of the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublicMix {
    /// The nearest first.
    buckets: [(u16, f32); MOST_NEIGHBOURS],
    len: usize,
}

impl PublicMix {
    /// One public bucket and no other.
    pub fn one(bucket: u16) -> PublicMix {
        let mut buckets = [(0, 0.0); MOST_NEIGHBOURS];
        buckets[0] = (bucket, 1.0);
        PublicMix { buckets, len: 1 }
    }

    /// The `count` nearest of all buckets, given their squared distances in order, with weights that fall with the
    /// square of these; `scale` is a usual squared distance.
    ///
    /// # Panics
    /// If there are no buckets, or `count` is not 1 to [`MOST_NEIGHBOURS`].
    pub fn nearest(count: usize, distances: impl Iterator<Item = f32>, scale: f32) -> PublicMix {
        assert!((1..=MOST_NEIGHBOURS).contains(&count), "a mix of {count} buckets");
        // By distance, of equal ones the first bucket first.
        let mut nearest = [(0u16, f32::INFINITY); MOST_NEIGHBOURS + 1];
        let mut len = 0;
        for (bucket, distance) in (0u16..).zip(distances) {
            let place = nearest[..len].partition_point(|&(_, other)| other <= distance);
            if place < count {
                nearest.copy_within(place..len, place + 1);
                nearest[place] = (bucket, distance);
                len = count.min(len + 1);
            }
        }
        assert!(len > 0, "a street has public buckets");
        let softening = SOFTENING * scale;
        // Relative to the nearest, which also avoids quotients out of range.
        let least = nearest[0].1 + softening;
        let weight = |distance: f32| {
            let ratio = if least > 0.0 {
                least / (distance + softening)
            } else {
                f32::from(u8::from(distance == 0.0))
            };
            ratio * ratio
        };
        let total: f32 = nearest[..len].iter().map(|&(_, distance)| weight(distance)).sum();
        let mut mix = PublicMix { buckets: [(0, 0.0); MOST_NEIGHBOURS], len };
        for (to, &(bucket, distance)) in mix.buckets.iter_mut().zip(&nearest[..len]) {
            *to = (bucket, weight(distance) / total);
        }
        mix
    }

    /// The nearest bucket: the one that training counts the board for.
    pub fn first(&self) -> u16 {
        self.buckets[0].0
    }

    /// Each bucket with its weight, the nearest first; weights add up to one, but for rounding.
    pub fn iter(&self) -> impl Iterator<Item = (u16, f64)> + '_ {
        self.buckets[..self.len].iter().map(|&(bucket, weight)| (bucket, weight.into()))
    }

    /// The bucket that `luck`, a number from 0 up to 1, draws by their weights.
    pub(crate) fn draw(&self, mut luck: f64) -> u16 {
        let drawn = self.iter().find(|(_, weight)| {
            luck -= weight;
            luck < 0.0
        });
        drawn.map_or(self.first(), |(bucket, _)| bucket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mix(count: usize, distances: &[f32], scale: f32) -> Vec<(u16, f64)> {
        PublicMix::nearest(count, distances.iter().copied(), scale).iter().collect()
    }

    #[test]
    fn weights_fall_with_the_square_of_the_squared_distance() {
        // Softened by 1: 1, 2, 4 and 10, of which the last is not among the three nearest.
        let found = mix(3, &[3.0, 0.0, 9.0, 1.0], 10.0);
        let total = 1.0 + 0.25 + 0.0625;
        let expected = [(1, 1.0 / total), (3, 0.25 / total), (0, 0.0625 / total)];
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found.0, expected.0);
            assert!((found.1 - expected.1).abs() < 1e-6, "{found:?} {expected:?}");
        }
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn one_neighbour_is_the_nearest_and_the_first_of_equals() {
        assert_eq!(mix(1, &[2.0, 1.0, 1.0], 5.0), [(1, 1.0)]);
        assert_eq!(mix(1, &[2.0, 1.0, 1.0], 5.0), PublicMix::one(1).iter().collect::<Vec<_>>());
        assert_eq!(mix(2, &[1.0, 1.0, 1.0], 5.0), [(0, 0.5), (1, 0.5)]);
    }

    #[test]
    fn there_may_be_fewer_buckets_than_neighbours_and_no_error() {
        assert_eq!(mix(4, &[0.5], 1.0), [(0, 1.0)]);
        assert_eq!(mix(2, &[0.5, 0.0, 0.25], 0.0), [(1, 1.0), (2, 0.0)]);
    }
}
