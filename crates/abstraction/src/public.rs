//! Public buckets: clusters of what both players show.
//!
//! What a player shows is described by the exact distribution of that player's final strength given all up
//! cards (the opponent's are dead), as its cumulative distribution over the cells of the scale. A board as seen
//! by one player is the pair of both descriptions. The squared distance between two boards is the sum of
//! squared differences of the two cumulative distributions: twice the squared Cramér distance, of which the
//! mean of a cluster is the minimiser. Open pairs, live and dead draws and high cards all appear as what they
//! do to the final hand.
//!
//! Buckets are in ascending order of advantage: own mean place on the scale less the opponent's, at the
//! centroid.

use crate::groups::Clusters;
use crate::scale::{Counts, LOW_BINS, Scale};
use ndarray::{ArrayView2, Axis};

/// Points at which a cumulative distribution over the main order is described.
///
/// Clusters of sampled boards made from 8 points lose 3 to 13 % more of what 32 points tell.
const MAIN_POINTS: usize = 16;

/// The most coordinates one side can have.
const MAX_SIDE: usize = MAIN_POINTS + LOW_BINS;

/// The description of one player's showing cards.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outline {
    coordinates: [f32; MAX_SIDE],
}

/// How many coordinates describe one side.
fn side_dims(scale: &Scale) -> usize {
    dims(scale.low_bins()) / 2
}

/// How many coordinates describe a board on a scale with this many low bins.
pub(crate) fn dims(low_bins: usize) -> usize {
    2 * (MAIN_POINTS - 1 + low_bins - 1)
}

impl Outline {
    /// Describes a histogram of final strength, `total` completions in all.
    pub(crate) fn draw(&mut self, scale: &Scale, counts: &Counts, total: u32) {
        let unit = 1.0 / total as f32;
        let counts = &counts[..scale.cells()];
        let mut below = 0u32;
        for (coordinate, cells) in self.coordinates[..MAIN_POINTS - 1]
            .iter_mut()
            .zip(counts.chunks_exact(scale.cells() / MAIN_POINTS))
        {
            below += cells.iter().sum::<u32>();
            *coordinate = below as f32 * unit;
        }
        let mut below = 0u32;
        for (low, coordinate) in self.coordinates[MAIN_POINTS - 1..side_dims(scale)].iter_mut().enumerate() {
            below += counts.iter().skip(low).step_by(scale.low_bins()).sum::<u32>();
            *coordinate = below as f32 * unit;
        }
    }

    /// The point that stands for a board.
    pub(crate) fn board(scale: &Scale, own: &Outline, opponent: &Outline) -> [f32; 2 * MAX_SIDE] {
        let side = side_dims(scale);
        let mut point = [0.0; 2 * MAX_SIDE];
        point[..side].copy_from_slice(&own.coordinates[..side]);
        point[side..2 * side].copy_from_slice(&opponent.coordinates[..side]);
        point
    }
}

/// The public buckets of one street.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PublicBuckets {
    /// Clusters in groups by the path before; see [`crate::recall`].
    pub(crate) clusters: Clusters,
    /// How many numbers there are for the clusters of a group.
    pub(crate) branches: usize,
}

impl PublicBuckets {
    /// Clusters boards, and returns the mean squared distance of a board to its bucket's centroid.
    ///
    /// A single group gets as many numbers as there are clusters, of several each gets `branches`.
    ///
    /// `groups`: Shape \[path before\]\[board\]\[[`dims`]\].
    pub(crate) fn fit(
        groups: &[ArrayView2<'_, f32>],
        branches: usize,
        rounds: usize,
        seed: u64,
    ) -> (PublicBuckets, f64) {
        let side = groups[0].ncols() / 2;
        let (clusters, error) = Clusters::fit(groups, branches, rounds, seed, |centroid| {
            // The more of a cumulative distribution lies low down, the weaker.
            let (own, opponent) = centroid.split_at(Axis(0), side);
            own.sum() - opponent.sum()
        });
        let boards: usize = groups.iter().map(|points| points.nrows()).sum();
        let branches = if groups.len() == 1 { clusters.len(0) } else { branches };
        (PublicBuckets { clusters, branches }, error / boards as f64)
    }

    /// How many buckets.
    pub(crate) fn len(&self) -> usize {
        self.clusters.groups() * self.branches
    }

    /// The bucket of a board as seen by the player of whom `own` is the outline, after the bucket `path`.
    #[inline]
    pub(crate) fn bucket(&self, scale: &Scale, path: u16, own: &Outline, opponent: &Outline) -> u16 {
        let point = Outline::board(scale, own, opponent);
        path * self.branches as u16 + self.clusters.nearest(path.into(), &point[..2 * side_dims(scale)])
    }
}
