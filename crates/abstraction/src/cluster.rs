//! k-means: seeded, weighted, the same for any number of threads.
//!
//! Starting centroids by k-means++ (D. Arthur and S. Vassilvitskii, "k-means++: The Advantages of Careful
//! Seeding", 2007), then the rounds of S. Lloyd, "Least Squares Quantization in PCM" (1982). Equal points are
//! merged first, with the sum of their weights; a cluster that loses all its points moves to the point farthest
//! from its own centroid.
//!
//! Why not a crate: `linfa-clustering` takes no weights and its own version of `ndarray`, `kmeans` needs
//! nightly Rust, and neither promises the same clusters for any number of threads. Here the distance that
//! assigns points while clusters are made is the very function that looks buckets up afterwards
//! ([`Centroids::nearest`]). It adds up in one fixed order, lane by lane, so that instruction sets cannot
//! differ either; sums over points are taken in chunks of fixed length, added in order.

use ndarray::{Array1, Array2, ArrayView2, Axis};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// Centroids handled at once. More (12, 16) and fewer (4) cost more instructions.
const LANES: usize = 8;

/// Points to a task.
const CHUNK: usize = 4096;

/// A round that lowers the inertia by less than this part is the last.
const TOLERANCE: f64 = 1e-5;

/// Points to which others are assigned, arranged for fast look-up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Centroids {
    dims: usize,
    count: usize,
    /// Shape: \[count / LANES, rounded up\]\[dimension\]\[lane\]; lanes without a centroid are infinitely far away.
    table: Vec<f32>,
}

impl Centroids {
    /// Shape: \[centroid\]\[dimension\].
    pub(crate) fn new(centroids: ArrayView2<'_, f32>) -> Centroids {
        let (count, dims) = centroids.dim();
        let mut table = vec![f32::INFINITY; count.div_ceil(LANES) * dims * LANES];
        for ((centroid, dim), &value) in centroids.indexed_iter() {
            table[(centroid / LANES * dims + dim) * LANES + centroid % LANES] = value;
        }
        Centroids { dims, count, table }
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Shape: \[centroid\]\[dimension\].
    pub(crate) fn to_array(&self) -> Array2<f32> {
        Array2::from_shape_fn((self.count, self.dims), |(centroid, dim)| {
            self.table[(centroid / LANES * self.dims + dim) * LANES + centroid % LANES]
        })
    }

    /// The centroid at the least squared Euclidean distance, and that distance; of several the first.
    #[inline]
    pub(crate) fn nearest(&self, point: &[f32]) -> (usize, f32) {
        let mut best = (0, f32::INFINITY);
        for (block, rows) in self.table.chunks_exact(self.dims * LANES).enumerate() {
            for (lane, distance) in distances(rows, point).into_iter().enumerate() {
                if distance < best.1 {
                    best = (block * LANES + lane, distance);
                }
            }
        }
        best
    }

    /// The squared Euclidean distances of all centroids.
    pub(crate) fn distances(&self, point: &[f32]) -> impl Iterator<Item = f32> {
        let blocks = self.table.chunks_exact(self.dims * LANES);
        blocks.flat_map(move |rows| distances(rows, point)).take(self.count)
    }
}

/// The squared distances of a block of centroids. Shape: \[dimension\]\[lane\].
#[inline(always)]
fn distances(rows: &[f32], point: &[f32]) -> [f32; LANES] {
    let mut distances = [0f32; LANES];
    for (row, &x) in rows.chunks_exact(LANES).zip(point) {
        for (distance, &y) in distances.iter_mut().zip(row) {
            *distance += (x - y) * (x - y);
        }
    }
    distances
}

/// What came of a clustering.
pub(crate) struct Clustering {
    /// Shape: \[cluster\]\[dimension\]. As many as were asked for, or as there are different points.
    pub(crate) centroids: Array2<f32>,
    /// The weighted sum of squared distances to the nearest centroid, before each round and at the end.
    pub(crate) inertia: Vec<f64>,
}

/// Divides points, at least one, into at most `count` clusters.
///
/// `points`: Shape \[point\]\[dimension\].
pub(crate) fn cluster(points: ArrayView2<'_, f32>, count: usize, rounds: usize, seed: u64) -> Clustering {
    let (points, weights) = merge(points);
    let mut centroids = seeds(points.view(), &weights, count.min(points.nrows()), seed);
    let mut inertia = Vec::new();
    loop {
        let round = Round::new(points.view(), &weights, &Centroids::new(centroids.view()));
        inertia.push(round.inertia);
        let [.., before, now] = inertia[..] else {
            centroids = round.means(points.view());
            continue;
        };
        if inertia.len() > rounds || before - now <= TOLERANCE * before {
            return Clustering { centroids, inertia };
        }
        centroids = round.means(points.view());
    }
}

/// The different points in a fixed order, and how often each occurs.
fn merge(points: ArrayView2<'_, f32>) -> (Array2<f32>, Vec<f32>) {
    let compare = |&a: &usize, &b: &usize| {
        points
            .row(a)
            .iter()
            .zip(points.row(b))
            .fold(std::cmp::Ordering::Equal, |order, (x, y)| order.then(x.total_cmp(y)))
    };
    let mut order: Vec<usize> = (0..points.nrows()).collect();
    order.par_sort_by(compare);
    let mut weights: Vec<f32> = Vec::new();
    let mut kept: Vec<usize> = Vec::new();
    for index in order {
        match kept.last() {
            Some(last) if compare(last, &index).is_eq() => {
                *weights.last_mut().expect("one for each kept") += 1.0
            }
            _ => {
                kept.push(index);
                weights.push(1.0);
            }
        }
    }
    (points.select(Axis(0), &kept), weights)
}

/// k-means++: each next centroid is a point drawn by its squared distance to the nearest one so far.
fn seeds(points: ArrayView2<'_, f32>, weights: &[f32], count: usize, seed: u64) -> Array2<f32> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut chosen = Vec::with_capacity(count);
    let mut masses: Vec<f64> = weights.iter().map(|&weight| weight.into()).collect();
    let mut nearest = vec![f32::INFINITY; points.nrows()];
    while chosen.len() < count {
        let total: f64 = masses.iter().sum();
        let mut left = rng.random::<f64>() * total;
        // Rounding may leave a rest, or a drawn point without mass: then the last point with mass is taken.
        let drawn = masses.iter().position(|&mass| {
            left -= mass;
            left < 0.0 && mass > 0.0
        });
        let Some(next) = drawn.or_else(|| masses.iter().rposition(|&mass| mass > 0.0)) else { break };
        chosen.push(next);
        let centroid = Centroids::new(points.select(Axis(0), &[next]).view());
        nearest.par_chunks_mut(CHUNK).zip(masses.par_chunks_mut(CHUNK)).enumerate().for_each(
            |(chunk, (nearest, masses))| {
                for (i, (nearest, mass)) in nearest.iter_mut().zip(masses).enumerate() {
                    let index = chunk * CHUNK + i;
                    let distance = centroid.nearest(row(points, index)).1;
                    if distance < *nearest {
                        *nearest = distance;
                        *mass = f64::from(weights[index]) * f64::from(distance);
                    }
                }
            },
        );
    }
    points.select(Axis(0), &chosen)
}

fn row(points: ArrayView2<'_, f32>, index: usize) -> &[f32] {
    points
        .to_slice()
        .map(|all| &all[index * points.ncols()..(index + 1) * points.ncols()])
        .expect("standard layout")
}

/// The points of each cluster, summed up.
struct Round {
    /// Shape: \[cluster\]\[dimension\].
    sums: Array2<f64>,
    weights: Array1<f64>,
    inertia: f64,
    /// The squared distance of each point to its centroid, times its weight.
    errors: Vec<f32>,
}

impl Round {
    fn new(points: ArrayView2<'_, f32>, weights: &[f32], centroids: &Centroids) -> Round {
        let (count, dims) = (centroids.len(), points.ncols());
        let mut errors = vec![0f32; points.nrows()];
        let parts: Vec<(Array2<f64>, Array1<f64>, f64)> = errors
            .par_chunks_mut(CHUNK)
            .enumerate()
            .map(|(chunk, errors)| {
                let mut sums = Array2::zeros((count, dims));
                let mut mass = Array1::zeros(count);
                let mut inertia = 0.0;
                for (i, error) in errors.iter_mut().enumerate() {
                    let index = chunk * CHUNK + i;
                    let (point, weight) = (row(points, index), f64::from(weights[index]));
                    let (nearest, distance) = centroids.nearest(point);
                    *error = distance * weights[index];
                    inertia += f64::from(distance) * weight;
                    mass[nearest] += weight;
                    for (sum, &x) in sums.row_mut(nearest).iter_mut().zip(point) {
                        *sum += weight * f64::from(x);
                    }
                }
                (sums, mass, inertia)
            })
            .collect();
        let zero =
            Round { sums: Array2::zeros((count, dims)), weights: Array1::zeros(count), inertia: 0.0, errors };
        parts.into_iter().fold(zero, |mut round, (sums, mass, inertia)| {
            round.sums += &sums;
            round.weights += &mass;
            round.inertia += inertia;
            round
        })
    }

    /// The means of the clusters; an empty one takes the point farthest from its centroid, the next the next.
    fn means(mut self, points: ArrayView2<'_, f32>) -> Array2<f32> {
        let mut means = Array2::zeros(self.sums.dim());
        for (cluster, mut mean) in means.rows_mut().into_iter().enumerate() {
            if self.weights[cluster] > 0.0 {
                mean.zip_mut_with(&self.sums.row(cluster), |x: &mut f32, &sum| {
                    *x = (sum / self.weights[cluster]) as f32
                });
                continue;
            }
            let farthest =
                (0..self.errors.len()).rev().max_by(|&a, &b| self.errors[a].total_cmp(&self.errors[b]));
            let farthest = farthest.expect("at least one point");
            self.errors[farthest] = 0.0;
            mean.assign(&points.row(farthest));
        }
        means
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three hundred points around each of four corners.
    fn corners() -> Array2<f32> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        Array2::from_shape_fn((1200, 2), |(i, dim)| {
            ((i / 300) >> dim & 1) as f32 * 10.0 + rng.random::<f32>()
        })
    }

    #[test]
    fn clusters_are_found_and_inertia_falls() {
        let points = corners();
        let clustering = cluster(points.view(), 4, 50, 1);
        let mut corners: Vec<(u32, u32)> =
            clustering.centroids.rows().into_iter().map(|c| (c[0] as u32, c[1] as u32)).collect();
        corners.sort();
        assert_eq!(corners, [(0, 0), (0, 10), (10, 0), (10, 10)]);
        for count in [1, 2, 7, 30] {
            let inertia = cluster(points.view(), count, 50, 2).inertia;
            assert!(inertia.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9)), "{count}: {inertia:?}");
            assert!(inertia.len() <= 51);
        }
        // The uniform square of side one around each corner: 2 / 12 for each point.
        let last = clustering.inertia.last().unwrap() / 1200.0;
        assert!((last - 1.0 / 6.0).abs() < 0.01, "{last}");
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        let points = Array2::from_shape_fn((10_000, 5), |_| rng.random::<f32>());
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| cluster(points.view(), 20, 10, 3).centroids)
        };
        let one = run(1);
        assert!(run(2) == one && run(4) == one);
        assert_eq!(Centroids::new(one.view()).to_array(), one);
    }

    #[test]
    fn nearest_is_the_first_of_the_least_distances() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let array = Array2::from_shape_fn((21, 3), |_| rng.random_range(0..4) as f32);
        let centroids = Centroids::new(array.view());
        for _ in 0..500 {
            let point = [0; 3].map(|_| rng.random_range(0..4) as f32);
            let distance =
                |i: usize| array.row(i).iter().zip(point).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
            let (found, least) = centroids.nearest(&point);
            assert_eq!(least, distance(found));
            assert!((0..21).all(|i| distance(i) > least || (distance(i) == least && i >= found)));
        }
    }

    #[test]
    fn equal_points_cannot_be_divided() {
        let points = Array2::from_shape_fn((100, 2), |(i, _)| (i % 3) as f32);
        let clustering = cluster(points.view(), 8, 10, 4);
        assert_eq!(clustering.centroids.nrows(), 3);
        assert_eq!(clustering.inertia.last(), Some(&0.0));
    }

    #[test]
    fn an_empty_cluster_moves_to_the_farthest_point() {
        let points = corners();
        let far = Array2::from_shape_vec((2, 2), vec![5.0, 5.0, 1000.0, 1000.0]).unwrap();
        let round = Round::new(points.view(), &vec![1.0; 1200], &Centroids::new(far.view()));
        let means = round.means(points.view());
        let distance = |i: usize| points.row(i).iter().map(|x| (x - 5.0) * (x - 5.0)).sum::<f32>();
        let farthest = (0..1200).max_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap();
        assert_eq!(means.row(1), points.row(farthest));
    }
}
