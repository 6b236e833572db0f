//! Clusters of points that belong to groups, such as hands that belong to public buckets: each group is divided on
//! its own, and its clusters are put in order.

use crate::cluster::{Centroids, Clustering, cluster};
use ndarray::{Array2, ArrayView1, ArrayView2, Axis, s};
use rayon::prelude::*;

/// The clusters of each group; a group with fewer different points than clusters asked for has fewer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clusters {
    groups: Vec<Centroids>,
}

impl Clusters {
    /// Divides each group into at most `count` clusters, in descending order of the weakness of their centroids, and
    /// returns the sum of squared distances beside them.
    ///
    /// A group without points has one cluster, around 0.5 in every dimension.
    ///
    /// `groups`: Shape \[group\]\[point\]\[dimension\].
    pub(crate) fn fit(
        groups: &[ArrayView2<'_, f32>],
        count: usize,
        rounds: usize,
        seed: u64,
        weakness: impl Fn(ArrayView1<'_, f32>) -> f32 + Sync,
    ) -> (Clusters, f64) {
        let fitted: Vec<(Centroids, f64)> = groups
            .par_iter()
            .enumerate()
            .map(|(group, &points)| {
                if points.is_empty() {
                    return (Centroids::new(Array2::from_elem((1, points.ncols()), 0.5).view()), 0.0);
                }
                let Clustering { centroids, inertia } =
                    cluster(points, count, rounds, seed.wrapping_add(group as u64));
                let mut order: Vec<usize> = (0..centroids.nrows()).collect();
                order.sort_by(|&a, &b| weakness(centroids.row(b)).total_cmp(&weakness(centroids.row(a))));
                let sorted = centroids.select(Axis(0), &order);
                (Centroids::new(sorted.view()), inertia.last().copied().unwrap_or(0.0))
            })
            .collect();
        let (groups, errors): (Vec<_>, Vec<f64>) = fitted.into_iter().unzip();
        (Clusters { groups }, errors.iter().sum())
    }

    /// Takes over centroids read from a file, if each group has one. Shape: \[group\]\[cluster\]\[dimension\]; the
    /// last clusters of a group may be missing, all NaN.
    pub(crate) fn from_table(table: &[f32], count: usize, dims: usize) -> Option<Clusters> {
        let groups = table.chunks_exact(count * dims).map(|rows| {
            let found = rows.iter().take_while(|x| x.is_finite()).count() / dims;
            let view = ArrayView2::from_shape((found, dims), &rows[..found * dims]).ok()?;
            (found > 0).then(|| Centroids::new(view))
        });
        Some(Clusters { groups: groups.collect::<Option<_>>()? })
    }

    /// The centroids as [`Clusters::from_table`] takes them, with room for `count` in each group.
    pub(crate) fn table(&self, count: usize, dims: usize) -> Vec<f32> {
        let mut table = Array2::from_elem((self.groups.len() * count, dims), f32::NAN);
        for (group, clusters) in self.groups.iter().enumerate() {
            let start = group * count;
            table.slice_mut(s![start..start + clusters.len(), ..]).assign(&clusters.to_array());
        }
        table.into_raw_vec_and_offset().0
    }

    /// How many groups there are.
    pub(crate) fn groups(&self) -> usize {
        self.groups.len()
    }

    /// How many clusters a group has.
    pub(crate) fn len(&self, group: usize) -> usize {
        self.groups[group].len()
    }

    /// The squared distances of a point of a group to all clusters.
    pub(crate) fn distances(&self, group: usize, point: &[f32]) -> impl Iterator<Item = f32> {
        self.groups[group].distances(point)
    }

    /// The cluster of a point of a group.
    #[inline]
    pub(crate) fn nearest(&self, group: usize, point: &[f32]) -> u16 {
        self.groups[group].nearest(point).0 as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_survive_being_written() {
        let few = Array2::from_shape_fn((2, 3), |(i, dim)| (i + dim) as f32 / 4.0);
        let many = Array2::from_shape_fn((50, 3), |(i, dim)| (i * (dim + 1)) as f32 / 150.0);
        let views = [few.view(), many.view()];
        let (clusters, _) = Clusters::fit(&views, 6, 30, 1, |centroid| -centroid.sum());
        assert_eq!((clusters.len(0), clusters.len(1)), (2, 6));
        assert_eq!(clusters.nearest(1, &[0.0; 3]), 0);
        assert_eq!(clusters.nearest(1, &[0.33, 0.66, 1.0]), 5);
        let table = clusters.table(6, 3);
        assert_eq!(table.len(), 2 * 6 * 3);
        assert_eq!(Clusters::from_table(&table, 6, 3), Some(clusters));
        assert_eq!(Clusters::from_table(&vec![f32::NAN; table.len()], 6, 3), None);
    }

    #[test]
    fn a_group_without_points_is_no_fault() {
        let (clusters, error) = Clusters::fit(&[Array2::zeros((0, 3)).view()], 6, 30, 1, |c| c.sum());
        assert_eq!((clusters.nearest(0, &[0.3; 3]), error), (0, 0.0));
    }
}
