//! Means and their confidence intervals.
//!
//! [`Moments`] gathers a sample's mean and variance in one pass (Welford 1962) and merges two samples (Chan, Golub and
//! LeVeque 1983), so that parts computed in parallel and merged in a fixed order give the same bits for any number of
//! threads. [`MeanCi`] is the summary that tables print.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// The 97.5% quantile of the standard normal distribution: a 95% interval is the mean plus or minus this many
/// standard errors.
const Z95: f64 = 1.959_963_984_540_054;

/// Count, mean and sum of squared deviations of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    count: u64,
    mean: f64,
    m2: f64,
}

impl Moments {
    /// Adds one observation.
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        let delta = value - self.mean;
        self.mean += delta / self.count as f64;
        self.m2 += delta * (value - self.mean);
    }

    /// Adds all observations of another sample.
    pub fn merge(&mut self, other: &Moments) {
        if other.count == 0 {
            return;
        }
        let (n, m) = (self.count as f64, other.count as f64);
        let delta = other.mean - self.mean;
        self.count += other.count;
        self.mean += delta * (m / (n + m));
        self.m2 += other.m2 + delta * delta * (n * m / (n + m));
    }

    /// How many observations.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; 0 for an empty sample.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The unbiased estimate of the variance; infinite below two observations.
    pub fn variance(&self) -> f64 {
        if self.count < 2 { f64::INFINITY } else { self.m2 / (self.count - 1) as f64 }
    }

    /// The standard error of the mean; infinite below two observations.
    pub fn std_error(&self) -> f64 {
        if self.count < 2 { f64::INFINITY } else { (self.variance() / self.count as f64).sqrt() }
    }

    /// Mean and confidence interval.
    pub fn summary(&self) -> MeanCi {
        MeanCi { mean: self.mean, ci95: Z95 * self.std_error(), count: self.count }
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Moments {
        let mut moments = Moments::default();
        for value in values {
            moments.push(value);
        }
        moments
    }
}

/// A mean with its 95% confidence interval.
///
/// The interval is the normal one. It holds for means of many independent observations (some hundreds suffice for the
/// results of duplicate hands); below two observations it is infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeanCi {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95% confidence interval.
    pub ci95: f64,
    /// How many independent observations.
    pub count: u64,
}

impl MeanCi {
    /// The same in another unit: mean and interval times `factor`.
    ///
    /// Chips per hand become thousandths of a small bet per hand with `1000.0 / small_bet`.
    pub fn scaled(self, factor: f64) -> MeanCi {
        MeanCi { mean: self.mean * factor, ci95: self.ci95 * factor.abs(), count: self.count }
    }

    /// The difference of this mean and another of an independent sample: the intervals' widths add up as squares, and
    /// the count is the smaller one.
    pub fn minus_independent(self, other: MeanCi) -> MeanCi {
        MeanCi {
            mean: self.mean - other.mean,
            ci95: self.ci95.hypot(other.ci95),
            count: self.count.min(other.count),
        }
    }

    /// The standard error of the mean.
    pub fn std_error(&self) -> f64 {
        self.ci95 / Z95
    }

    /// Half the width of the interval that holds the true mean with probability `level` (between 0 and 1).
    ///
    /// # Panics
    /// If `level` is not between 0 and 1.
    pub fn half_width(&self, level: f64) -> f64 {
        assert!(level > 0.0 && level < 1.0, "a confidence level of {level}");
        Normal::standard().inverse_cdf(0.5 + level / 2.0) * self.std_error()
    }

    /// The ends of the 95% interval.
    pub fn interval(&self) -> (f64, f64) {
        (self.mean - self.ci95, self.mean + self.ci95)
    }
}

/// The mean of the differences of paired observations, the first minus the second.
///
/// Observations pair up where both were made under the same luck, as two matches on the same deals are: the part of
/// the luck that hits both cancels, and the interval is as much narrower than
/// [that of independent samples](MeanCi::minus_independent). `None` if the samples are not equally long.
pub fn paired_difference(first: &[f32], second: &[f32]) -> Option<MeanCi> {
    let differences = first.iter().zip(second).map(|(&a, &b)| f64::from(a) - f64::from(b));
    (first.len() == second.len()).then(|| differences.collect::<Moments>().summary())
}

/// As tables print it: `-80.9 ± 3.6`, with as many decimals as the formatter asks for (one if it does not).
impl std::fmt::Display for MeanCi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        write!(f, "{:.decimals$} ± {:.decimals$}", self.mean, self.ci95)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn known_sample() {
        // Mean 5 and sum of squares 32 (a textbook sample): variance 32/7.
        let moments: Moments = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
        assert_eq!(moments.count(), 8);
        assert!((moments.mean() - 5.0).abs() < 1e-15);
        assert!((moments.variance() - 32.0 / 7.0).abs() < 1e-14);
        assert!((moments.std_error() - (32.0f64 / 56.0).sqrt()).abs() < 1e-14);
        assert_eq!(moments.summary().scaled(-2.0).to_string(), "-10.0 ± 3.0");
        assert_eq!(format!("{:.3}", moments.summary()), "5.000 ± 1.482");
    }

    #[test]
    fn too_small_samples_know_nothing() {
        assert_eq!(Moments::default().summary(), MeanCi { mean: 0.0, ci95: f64::INFINITY, count: 0 });
        let one: Moments = [3.0].into_iter().collect();
        assert_eq!(one.summary(), MeanCi { mean: 3.0, ci95: f64::INFINITY, count: 1 });
    }

    #[test]
    fn large_offset_keeps_the_variance() {
        // The two-pass formula in exact arithmetic gives variance 30.
        let moments: Moments = [4.0, 7.0, 13.0, 16.0].into_iter().map(|x| x + 1e9).collect();
        assert!((moments.variance() - 30.0).abs() < 1e-6);
    }

    #[test]
    fn quantiles_are_statrs_ones() {
        let summary: MeanCi = (0..100).map(f64::from).collect::<Moments>().summary();
        assert!((summary.half_width(0.95) - summary.ci95).abs() < 1e-9 * summary.ci95);
        assert!((summary.half_width(0.99) / summary.std_error() - 2.575_829_303_548_9).abs() < 1e-9);
    }

    /// Of 4,000 intervals, each from 400 draws of a skewed distribution, 95% hold the true mean.
    #[test]
    fn intervals_cover() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let (runs, draws) = (4000, 400);
        let mut covered = 0;
        for _ in 0..runs {
            // Exponential with mean 1.
            let sample: Moments = (0..draws).map(|_| -(1.0 - rng.random::<f64>()).ln()).collect();
            let (low, high) = sample.summary().interval();
            covered += u32::from(low <= 1.0 && 1.0 <= high);
        }
        let coverage = f64::from(covered) / f64::from(runs);
        // Four standard errors of the share are 0.0138. For this distribution (skewness 2, excess kurtosis 6) the
        // normal interval with 400 draws covers 0.3 points less than it says (Edgeworth expansion, Hall 1992).
        assert!((coverage - 0.95).abs() < 0.0138 + 0.003, "coverage {coverage}");
    }

    /// By the textbook, with sums of squares and products in the open.
    fn slow_paired_difference(x: &[f32], y: &[f32]) -> (f64, f64) {
        let n = x.len() as f64;
        let mean = |v: &[f32]| v.iter().map(|&v| f64::from(v)).sum::<f64>() / n;
        let (mx, my) = (mean(x), mean(y));
        let covariance = |a: &[f32], ma: f64, b: &[f32], mb: f64| {
            let products = a.iter().zip(b).map(|(&a, &b)| (f64::from(a) - ma) * (f64::from(b) - mb));
            products.sum::<f64>() / (n - 1.0)
        };
        let variance = covariance(x, mx, x, mx) + covariance(y, my, y, my) - 2.0 * covariance(x, mx, y, my);
        (mx - my, 1.96 * (variance / n).sqrt())
    }

    #[test]
    fn what_hits_both_cancels_in_pairs() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        // Luck that hits both, of standard deviation 100 / sqrt(12), and each one's own, a tenth of it.
        let luck: Vec<[f32; 3]> = (0..2000).map(|_| rng.random()).collect();
        let first: Vec<f32> = luck.iter().map(|l| 100.0 * l[0] + 10.0 * l[1] + 2.0).collect();
        let second: Vec<f32> = luck.iter().map(|l| 100.0 * l[0] + 10.0 * l[2]).collect();
        let paired = paired_difference(&first, &second).unwrap();
        let (mean, ci95) = slow_paired_difference(&first, &second);
        assert!((paired.mean - mean).abs() < 1e-9 && (paired.ci95 - ci95).abs() < 1e-4 * ci95, "{paired}");
        assert_eq!(paired.count, 2000);

        let summary = |v: &[f32]| v.iter().map(|&v| f64::from(v)).collect::<Moments>().summary();
        let independent = summary(&first).minus_independent(summary(&second));
        assert!((independent.mean - mean).abs() < 1e-9);
        let sum_of_squares = summary(&first).ci95.powi(2) + summary(&second).ci95.powi(2);
        assert!((independent.ci95.powi(2) - sum_of_squares).abs() < 1e-9 * sum_of_squares);
        // Variances of the difference: 2 * 100 / 12 paired, 2 * 10,100 / 12 if nothing cancelled.
        let narrower = independent.ci95 / paired.ci95;
        assert!((narrower - 101.0f64.sqrt()).abs() < 0.6, "{narrower}");
        assert_eq!(paired_difference(&first, &second[1..]), None);
    }

    proptest! {
        #[test]
        fn merging_equals_one_pass(values in prop::collection::vec(-1e4..1e4f64, 0..60), cut in 0usize..60) {
            let cut = cut.min(values.len());
            let whole: Moments = values.iter().copied().collect();
            let mut merged: Moments = values[..cut].iter().copied().collect();
            merged.merge(&values[cut..].iter().copied().collect());
            prop_assert_eq!(whole.count(), merged.count());
            prop_assert!((whole.mean() - merged.mean()).abs() < 1e-9);
            if values.len() >= 2 {
                prop_assert!((whole.variance() - merged.variance()).abs() < 1e-6 * (1.0 + whole.variance()));
            }
        }
    }
}
