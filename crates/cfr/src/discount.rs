//! Update rules as data: how much each batch of iterations weighs.
//!
//! A rule gives the weights by which a batch's regrets and strategies are multiplied as they are added,
//! instead of factors by which whole tables would have to be multiplied. Regret matching looks at ratios
//! only, so that growing weights and shrinking history are the same thing: Linear CFR (Brown and Sandholm
//! 2019) discounts everything accumulated by `t / (t + 1)` after iteration `t`, which is giving iteration `t`
//! the weight `t`.
//!
//! **Range.** With linear weights a slot of `f32` holds at most about `u * d * t^2 / 2`, `u` being the
//! largest utility, `d` how often a batch touches the row and `t` the number of batches. Ten million batches
//! of ten thousand touches and utilities of ten thousand chips make 5e21; an `f32` holds 3e38, so no
//! renormalisation is ever due. **Precision.** An addend is lost once it is below 2^-24 of the sum it is
//! added to, which for equal addends is after about 3e7 touches of one row. Rows of large abstractions never
//! come near it; for games of a few hundred rows take `f64`.

use serde::{Deserialize, Serialize};

/// How batches are weighed against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UpdateRule {
    /// All the same (Zinkevich, Johanson, Bowling and Piccione 2007).
    Vanilla,
    /// Each by its number, counted from one (Linear CFR; Brown and Sandholm 2019).
    #[default]
    Linear,
}

/// What one batch is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The factor of regrets.
    pub regret: f64,
    /// The factor of strategies in the average.
    pub average: f64,
}

impl UpdateRule {
    /// The weights of batch `clock`, counted from one.
    pub fn weights(self, clock: u64) -> Weights {
        match self {
            UpdateRule::Vanilla => Weights { regret: 1.0, average: 1.0 },
            UpdateRule::Linear => Weights { regret: clock as f64, average: clock as f64 },
        }
    }

    /// The sum of the regret weights of batches 1 to `clock`.
    pub fn total_regret_weight(self, clock: u64) -> f64 {
        match self {
            UpdateRule::Vanilla => clock as f64,
            UpdateRule::Linear => clock as f64 * (clock as f64 + 1.0) / 2.0,
        }
    }

    /// The name in configurations.
    pub fn name(self) -> &'static str {
        match self {
            UpdateRule::Vanilla => "vanilla",
            UpdateRule::Linear => "linear",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_weights_are_the_discount_of_the_paper() {
        // Accumulated by the paper's rule: after iteration t everything is multiplied by t / (t + 1).
        let deltas = [3.0, -1.0, 4.0, 1.0, -5.0];
        let mut discounted = 0.0;
        let mut weighted = 0.0;
        for (t, delta) in (1..).zip(deltas) {
            discounted = (discounted + delta) * t as f64 / (t as f64 + 1.0);
            weighted += UpdateRule::Linear.weights(t).regret * delta;
        }
        // Both are the same up to the factor that the discounts so far have left: 1 / (T + 1).
        assert!((discounted * 6.0 - weighted).abs() < 1e-12);
    }

    #[test]
    fn totals_are_sums() {
        for rule in [UpdateRule::Vanilla, UpdateRule::Linear] {
            let sum: f64 = (1..=9).map(|t| rule.weights(t).regret).sum();
            assert_eq!(rule.total_regret_weight(9), sum);
        }
    }
}
