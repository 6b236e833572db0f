//! Clusters of hands by their chances against clusters of the opponent's hands.
//!
//! Opponent cluster hand strength (OCHS): M. Johanson, N. Burch, R. Valenzano and M. Bowling, "Evaluating
//! State-Space Abstractions in Extensive-Form Games" (2013). The opponent's possible hands are grouped by strength,
//! a hand is described by its chance to win against each group, and hands are clustered by k-means under the L2
//! distance of these vectors. What matters in a pot is rarely the whole of what the opponent may hold: HS against
//! the upper clusters is the chance once the opponent has shown strength.
//!
//! Departures from the paper:
//! - There the groups are eight clusters of hold'em's 169 starting hands. In stud the opponent's up cards say more
//!   than that, and differ from board to board, so groups are made anew for each board: the opponent's final hands
//!   given its up cards, cut by strength into clusters of equal weight ([`Opponents`](crate::opponents::Opponents)).
//! - There the vector describes complete hands only. Here it is taken on every street, as the mean over all
//!   completions of the own hand.
//!
//! With one order of strength (stud high, razz) the chance against the k-th of K clusters is K times the area
//! under the distribution "HS above t" from (k - 1) / K to k / K: what `kmeans` sees at fifteen points, smoothed
//! over K intervals. There the two families are close relatives, and on seventh street both divide hands by HS
//! alone, if in other places. In hi/lo it tells more, on seventh street too: a low that always wins half of the pot
//! and a high hand that wins all of every second pot have the same HS, but not against the same opponents.
//!
//! Buckets are in ascending order of the mean HS of the centroid.

use super::StreetBuckets;
use crate::StreetSizes;
use crate::against::{Against, ONE_BITS};
use crate::groups::Clusters;
use crate::opponents::{ByCluster, MOST_CLUSTERS};
use crate::reader::{Reader, Showing};
use crate::scale::Standing;
use crate::sets::{Count, Sign};
use ndarray::ArrayView2;

/// The clusters of one street.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OchsStreet {
    pub(crate) clusters: Clusters,
}

impl StreetBuckets for OchsStreet {
    /// HS against each cluster of opponents, 0 for those there are not.
    type Point = ByCluster<f32>;

    /// HS of every completion against each. Units: 2^-[`ONE_BITS`].
    type Sums = ByCluster<i32>;

    type Cuts = ();

    fn prepare(against: &mut Against, reader: &Reader, opponent: &Showing) {
        against.divide(&reader.scale, &opponent.counts, opponent.total, reader.clusters);
    }

    #[inline(always)]
    fn add_row<C: Count>(sums: &mut ByCluster<i32>, against: &Against, row: &[C], sign: Sign) {
        let pairs = against.opponents().wins().as_chunks::<2>().0;
        for (sums, [first, second]) in sums.as_chunks_mut::<2>().0.iter_mut().zip(pairs) {
            let add = C::weighted_sums(row, first, second);
            *sums = [0, 1].map(|i| sums[i].wrapping_add(sign.of(add[i])));
        }
    }

    #[inline(always)]
    fn add_cell(sums: &mut ByCluster<i32>, against: &Against, cell: usize, count: i32) {
        for (sum, &win) in sums.iter_mut().zip(against.opponents().wins_of_cell(cell)) {
            *sum = sum.wrapping_add(count * i32::from(win));
        }
    }

    #[inline(always)]
    fn add_sums(sums: &mut ByCluster<i32>, more: &ByCluster<i32>, times: i32) {
        for (sum, more) in sums.iter_mut().zip(more) {
            *sum = sum.wrapping_add(times.wrapping_mul(*more));
        }
    }

    #[inline]
    fn of_sums(sums: &ByCluster<i32>, total: u32) -> ByCluster<f32> {
        let unit = 1.0 / (f64::from(total) * f64::from(1u32 << ONE_BITS)) as f32;
        sums.map(|sum| sum as f32 * unit)
    }

    fn of_complete(against: &Against, standing: Standing) -> ByCluster<f32> {
        against.opponents().values(standing).map(|value| value as f32 / 65536.0)
    }

    fn fit(points: Vec<Vec<ByCluster<f32>>>, sizes: StreetSizes, rounds: usize, seed: u64) -> OchsStreet {
        let views: Vec<ArrayView2<'_, f32>> = points.iter().map(|points| points[..].into()).collect();
        OchsStreet { clusters: Clusters::fit(&views, sizes.private, rounds, seed, |c| -c.sum()).0 }
    }

    #[inline]
    fn bucket(&self, _: &(), group: usize, point: [f32; MOST_CLUSTERS]) -> u16 {
        self.clusters.nearest(group, &point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Showing;
    use crate::scale::tests::scale;
    use crate::sets::tests::own_sets;
    use doorcard_cards::CardSet;
    use doorcard_cards::rank7::HandKey;
    use doorcard_games::stud::Variant;

    fn values(variant: Variant, clusters: usize, own: &str, opponent_up: &str) -> ByCluster<f32> {
        let reader = Reader {
            scale: scale(variant).clone(),
            sets: own_sets(variant).clone(),
            dead_cards: true,
            clusters,
        };
        let mut showing = Showing::new();
        reader.show(&mut showing, opponent_up.parse().unwrap(), CardSet::EMPTY);
        let mut against = Against::new();
        reader.read::<OchsStreet>(&mut against, &showing);
        let key = HandKey::from(own.parse::<CardSet>().unwrap());
        OchsStreet::of_complete(&against, reader.scale.standing(reader.scale.values(key)))
    }

    /// With one order, a complete hand beats the clusters below its place, loses to those above it, and has a part
    /// of the one between.
    #[test]
    fn complete_hands_beat_the_clusters_below_them() {
        for clusters in [2, 5, 8] {
            let values = values(Variant::High, clusters, "KsKd9h7c5c4h2d", "Qs8d6h3c");
            let (won, rest): (Vec<f32>, Vec<f32>) =
                values[..clusters].iter().partition(|&&value| value > 0.9999);
            assert!(!won.is_empty() && rest[1..].iter().all(|&value| value < 1e-4), "{values:?}");
            assert!(values[..clusters].is_sorted_by(|a, b| a >= b));
            assert!(values[clusters..].iter().all(|&value| value == 0.0));
        }
    }

    /// A nut low without a high and a middling high without a low: about the same share, of other pots.
    #[test]
    fn in_hilo_halves_are_told_apart() {
        let low = values(Variant::HiLo8, 8, "As2d3h4c6cQhJd", "8s7d6h3c");
        let high = values(Variant::HiLo8, 8, "AsAd9h9cJcQh2d", "8s7d6h3c");
        let mean = |values: &ByCluster<f32>| values.iter().sum::<f32>() / 8.0;
        assert!((mean(&low) - mean(&high)).abs() < 0.06, "{low:?} {high:?}");
        let apart = low.iter().zip(high).map(|(low, high)| (low - high).abs()).sum::<f32>() / 8.0;
        assert!(apart > 0.2, "{low:?} {high:?}");
    }
}
