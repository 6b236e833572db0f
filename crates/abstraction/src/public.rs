//! Public buckets: clusters of what both players show.
//!
//! What a player shows is the exact distribution of that player's final strength given all up cards (the opponent's are
//! dead). A board as seen by one player is a point made of both distributions, in one of two ways ([`Boards`]):
//!
//! - *absolute*: both cumulative distributions over the cells of the scale. Open pairs, live and dead draws and high
//!   cards all appear as what they do to the final hand.
//! - *relative*: the cumulative distribution of the player's own HS, which is final strength read against the
//!   opponent's distribution, and that of the opponent's. Two boards are near where the hands of one player lie alike
//!   among those of the other, whether all are strong or all are weak: at a showdown no more than that matters. In stud
//!   high and razz the two are one curve (the receiver operating characteristic of "own hand or opponent's"), read
//!   along either axis.
//!
//! The squared distance between two boards is the sum of squared differences of these cumulative distributions: twice
//! the squared Cramér distance, of which the mean of a cluster is the minimiser.
//!
//! Buckets are in ascending order of advantage: own mean place on the scale (or own mean HS) less the opponent's, at
//! the centroid.

use crate::against::{Against, ONE_BITS};
use crate::groups::Clusters;
use crate::mix::PublicMix;
use crate::reader::Showing;
use crate::scale::{LOW_BINS, Scale};
use ndarray::{ArrayView2, Axis};
use serde::{Deserialize, Serialize};

/// How boards are described for public buckets: see the module's documentation in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Boards {
    /// By how strong each player's hands are.
    #[default]
    Absolute,
    /// By how each player's hands stand against the other's.
    Relative,
}

/// Points at which a cumulative distribution over the main order, or of HS, is described.
///
/// Clusters of sampled boards made from 8 points lose 3 to 13 % more of what 32 points tell.
const MAIN_POINTS: usize = 16;

/// The most coordinates one side can have.
const MAX_SIDE: usize = MAIN_POINTS + LOW_BINS;

/// The coordinates of one side, those that are not used zero.
type Side = [f32; MAX_SIDE];

impl Boards {
    /// How many coordinates describe a board on a scale with this many low bins.
    pub(crate) fn dims(self, low_bins: usize) -> usize {
        match self {
            Boards::Absolute => 2 * (MAIN_POINTS - 1 + low_bins - 1),
            Boards::Relative => 2 * (MAIN_POINTS - 1),
        }
    }

    /// The point that stands for a board, the player's own side first.
    pub(crate) fn point(self, scale: &Scale, own: &Showing, opponent: &Showing) -> [f32; 2 * MAX_SIDE] {
        let side = self.dims(scale.low_bins()) / 2;
        let sides = match self {
            Boards::Absolute => [absolute(scale, own), absolute(scale, opponent)],
            Boards::Relative => [relative(scale, own, opponent), relative(scale, opponent, own)],
        };
        let mut point = [0.0; 2 * MAX_SIDE];
        point[..side].copy_from_slice(&sides[0][..side]);
        point[side..2 * side].copy_from_slice(&sides[1][..side]);
        point
    }
}

/// The cumulative distribution of final strength.
fn absolute(scale: &Scale, showing: &Showing) -> Side {
    let mut side = [0.0; MAX_SIDE];
    let unit = 1.0 / showing.total as f32;
    let counts = &showing.counts[..scale.cells()];
    let (main, low) = side.split_at_mut(MAIN_POINTS - 1);
    let mut below = 0u32;
    for (coordinate, cells) in main.iter_mut().zip(counts.chunks_exact(scale.cells() / MAIN_POINTS)) {
        below += cells.iter().sum::<u32>();
        *coordinate = below as f32 * unit;
    }
    let mut below = 0u32;
    for (bin, coordinate) in low[..scale.low_bins() - 1].iter_mut().enumerate() {
        below += counts.iter().skip(bin).step_by(scale.low_bins()).sum::<u32>();
        *coordinate = below as f32 * unit;
    }
    side
}

/// The cumulative distribution of own HS, at sixteenths.
fn relative(scale: &Scale, own: &Showing, opponent: &Showing) -> Side {
    let mut side = [0.0; MAX_SIDE];
    let cells = scale.cells();
    let (own_counts, counts) = (&own.counts[..cells], &opponent.counts[..cells]);
    let (own_unit, unit) = (1.0 / own.total as f32, 1.0 / opponent.total as f32);
    if scale.low_bins() == 1 {
        // HS rises from cell to cell: where it passes a sixteenth, so much of the cell lies below.
        let (mut own_below, mut below, mut point) = (0u32, 0u32, 1);
        for (&own_count, &count) in own_counts.iter().zip(counts) {
            let (from, to) = (below as f32 * unit, (below + count) as f32 * unit);
            while point < MAIN_POINTS && point as f32 / MAIN_POINTS as f32 <= to && to > from {
                let part = (point as f32 / MAIN_POINTS as f32 - from) / (to - from);
                side[point - 1] = (own_below as f32 + part * own_count as f32) * own_unit;
                point += 1;
            }
            own_below += own_count;
            below += count;
        }
        side[point - 1..MAIN_POINTS - 1].fill(1.0);
        return side;
    }
    // Hi/lo: HS does not rise from cell to cell, and that of a cell's middle stands for all of it.
    let mut against = Against::new();
    against.read(scale, &opponent.counts, opponent.total);
    let mut filled = [0u32; MAIN_POINTS];
    for (&count, &hs) in own_counts.iter().zip(against.wins()) {
        filled[((hs as usize * MAIN_POINTS) >> ONE_BITS).min(MAIN_POINTS - 1)] += count;
    }
    let mut below = 0;
    for (coordinate, filled) in side[..MAIN_POINTS - 1].iter_mut().zip(filled) {
        below += filled;
        *coordinate = below as f32 * own_unit;
    }
    side
}

/// The public buckets of one street.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PublicBuckets {
    /// Clusters in groups by the path before; see [`crate::recall`].
    pub(crate) clusters: Clusters,
    /// How boards are described.
    pub(crate) boards: Boards,
    /// How many numbers there are for the clusters of a group.
    pub(crate) branches: usize,
}

impl PublicBuckets {
    /// Clusters boards, and returns the mean squared distance of a board to its bucket's centroid.
    ///
    /// A single group gets as many numbers as there are clusters, of several each gets `branches`.
    ///
    /// `groups`: Shape \[path before\]\[board\]\[[`Boards::dims`]\].
    pub(crate) fn fit(
        boards: Boards,
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
        let sampled: usize = groups.iter().map(|points| points.nrows()).sum();
        let branches = if groups.len() == 1 { clusters.len(0) } else { branches };
        (PublicBuckets { clusters, boards, branches }, error / sampled as f64)
    }

    /// The buckets near a board as seen by the player who shows `own`; `error` is their mean squared
    /// distance. Only where there are no paths.
    pub(crate) fn mix(
        &self,
        scale: &Scale,
        neighbours: usize,
        error: f64,
        own: &Showing,
        opponent: &Showing,
    ) -> PublicMix {
        let point = self.boards.point(scale, own, opponent);
        let dims = self.boards.dims(scale.low_bins());
        PublicMix::nearest(neighbours, self.clusters.distances(0, &point[..dims]), error as f32)
    }

    /// How many buckets.
    pub(crate) fn len(&self) -> usize {
        self.clusters.groups() * self.branches
    }

    /// The bucket of a board as seen by the player who shows `own`, after the bucket `path`.
    #[inline]
    pub(crate) fn bucket(&self, scale: &Scale, path: u16, own: &Showing, opponent: &Showing) -> u16 {
        let point = self.boards.point(scale, own, opponent);
        let dims = self.boards.dims(scale.low_bins());
        path * self.branches as u16 + self.clusters.nearest(path.into(), &point[..dims])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Reader;
    use crate::scale::tests::scale;
    use crate::sets::tests::own_sets;
    use doorcard_cards::CardSet;
    use doorcard_games::stud::Variant;

    fn showings(variant: Variant, ups: [&str; 2]) -> (Reader, [Showing; 2]) {
        let reader = Reader {
            scale: scale(variant).clone(),
            sets: own_sets(variant).clone(),
            dead_cards: true,
            clusters: 8,
        };
        let ups: [CardSet; 2] = ups.map(|up| up.parse().unwrap());
        let showings = [0, 1].map(|player: usize| {
            let mut showing = Showing::new();
            reader.show(&mut showing, ups[player], ups[1 - player]);
            showing
        });
        (reader, showings)
    }

    /// Against every cell's HS as private buckets read it.
    #[test]
    fn relative_points_are_distributions_of_hs() {
        for (variant, ups, near) in [
            (Variant::High, ["9h", "Qc"], 0.002),
            (Variant::High, ["AhKh9h2h", "Qs7h6h2d"], 0.002),
            (Variant::Razz, ["8c3d2h", "KsTd5c"], 0.002),
            // By the middles of cells.
            (Variant::HiLo8, ["8c3d2h", "KsTd5c"], 0.12),
        ] {
            let (reader, [own, opponent]) = showings(variant, ups);
            let point = Boards::Relative.point(&reader.scale, &own, &opponent);
            assert!(point[30..].iter().all(|&rest| rest == 0.0));
            for (own, opponent, side) in [(&own, &opponent, &point[..15]), (&opponent, &own, &point[15..30])]
            {
                let mut against = Against::new();
                against.read(&reader.scale, &opponent.counts, opponent.total);
                for (i, &coordinate) in side.iter().enumerate() {
                    let at = (i + 1) as f32 / 16.0;
                    let below = |(cell, &count): (usize, &u32)| {
                        let (from, to) = against.span(cell);
                        let (from, to) = (from as f32 / 65536.0, to as f32 / 65536.0);
                        let part = if to > from {
                            (at - from) / (to - from)
                        } else {
                            f32::from(u8::from(at > from))
                        };
                        count as f32 * part.clamp(0.0, 1.0)
                    };
                    let cells = &own.counts[..reader.scale.cells()];
                    let exact = cells.iter().enumerate().map(below).sum::<f32>() / own.total as f32;
                    assert!((coordinate - exact).abs() < near, "{variant:?} {i}: {coordinate} {exact}");
                }
            }
        }
    }

    /// Two boards on which hands lie alike among each other are one point, however strong they are.
    #[test]
    fn equal_boards_are_on_the_diagonal() {
        for ups in [["Ah", "Ac"], ["2h2c", "2d2s"], ["KhTh4c", "KdTd4s"]] {
            let (reader, [own, opponent]) = showings(Variant::High, ups);
            let point = Boards::Relative.point(&reader.scale, &own, &opponent);
            for (i, &coordinate) in point[..30].iter().enumerate() {
                assert!((coordinate - (i % 15 + 1) as f32 / 16.0).abs() < 0.01, "{i}: {coordinate}");
            }
        }
    }
}
