//! Update rules as data: how much each iteration weighs, and what becomes of the regrets before it.
//!
//! | rule | regrets before iteration `t` are multiplied by | below zero | regrets of `t` count | strategies of `t` count |
//! |---|---|---|---|---|
//! | `vanilla` | 1 | kept | 1 | 1 |
//! | `linear` | 1 | kept | `t` | `t` |
//! | `power` | 1 | kept | `t^regret` | `t^average` |
//! | `cfr-plus` | 1 | become zero | 1 | `t` |
//! | `dcfr` | `(t-1)^a / ((t-1)^a + 1)`, `a` being alpha where positive, beta where negative | kept | 1 | `t^gamma` |
//! | `pcfr-plus` | 1 | become zero | 1 | `t^2` |
//!
//! **Growing weights.** Regret matching looks at ratios only, so that growing weights and shrinking history are the
//! same thing: Linear CFR (Brown and Sandholm 2019) discounts everything accumulated by `t / (t + 1)` after
//! iteration `t`, which is giving iteration `t` the weight `t`. Rules that need nothing but such weights
//! ([`UpdateRule::grows`]) suit sampling: a row that an iteration does not visit need not be touched.
//!
//! **Range.** With linear weights a slot of `f32` holds at most about `u * d * t^2 / 2`, `u` being the
//! largest utility, `d` how often a batch touches the row and `t` the number of batches. Ten million batches
//! of ten thousand touches and utilities of ten thousand chips make 5e21; an `f32` holds 3e38, so no
//! renormalisation is ever due. **Precision.** An addend is lost once it is below 2^-24 of the sum it is
//! added to, which for equal addends is after about 3e7 touches of one row. Rows of large abstractions never
//! come near it; for games of a few hundred rows take `f64`.

use crate::CfrError;
use doorcard_efg::fault::{Fault, planted};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;

/// How iterations (for sampled solvers: batches of them) are weighed against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UpdateRule {
    /// All the same (Zinkevich, Johanson, Bowling and Piccione 2007).
    Vanilla,
    /// Each by its number, counted from one (Linear CFR; Brown and Sandholm 2019, section 3).
    #[default]
    Linear,
    /// By powers of the number; `linear` is both exponents one.
    Power {
        /// The exponent for regrets.
        regret: f64,
        /// The exponent for strategies.
        average: f64,
    },
    /// Regrets never below zero, strategies weighed by their number (CFR+; Tammelin 2014).
    CfrPlus,
    /// Old regrets shrink, the positive ones otherwise than the negative ones (Discounted CFR; Brown and Sandholm
    /// 2019, section 4).
    Dcfr {
        /// The exponent for positive regrets.
        alpha: f64,
        /// The exponent for negative regrets.
        beta: f64,
        /// The exponent for strategies.
        gamma: f64,
    },
    /// As CFR+, with the last regrets expected to come again and strategies weighed by the square of their number
    /// (Predictive CFR+; Farina, Kroer and Sandholm 2021, section 4).
    PcfrPlus,
}

/// What one iteration or batch is multiplied by as it is added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The factor of regrets.
    pub regret: f64,
    /// The factor of strategies in the average.
    pub average: f64,
}

/// What becomes of the regrets accumulated before an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Discount {
    /// The factor of those above zero.
    pub positive: f64,
    /// The factor of those below zero.
    pub negative: f64,
    /// Whether what is below zero after the iteration becomes zero.
    pub floor: bool,
}

impl UpdateRule {
    /// Discounted CFR with the exponents that its authors recommend.
    pub const DCFR: UpdateRule = UpdateRule::Dcfr { alpha: 1.5, beta: 0.0, gamma: 2.0 };

    /// The exponents that [`UpdateRule::Power`] may have: larger ones would overflow tables of `f32`.
    pub const POWERS: RangeInclusive<f64> = 0.0..=3.0;

    /// The weights of iteration or batch `clock`, counted from one.
    pub fn weights(self, clock: u64) -> Weights {
        let clock = clock as f64;
        match self {
            UpdateRule::Vanilla => Weights { regret: 1.0, average: 1.0 },
            UpdateRule::Linear if planted(Fault::LinearWeightDropped) => {
                Weights { regret: 1.0, average: 1.0 }
            }
            UpdateRule::Linear => Weights { regret: clock, average: clock },
            UpdateRule::Power { regret, average } => {
                Weights { regret: clock.powf(regret), average: clock.powf(average) }
            }
            UpdateRule::CfrPlus => Weights { regret: 1.0, average: clock },
            UpdateRule::Dcfr { gamma, .. } => Weights { regret: 1.0, average: clock.powf(gamma) },
            UpdateRule::PcfrPlus => Weights { regret: 1.0, average: clock * clock },
        }
    }

    /// What iteration `clock`, counted from one, does to the regrets before it.
    pub fn discount(self, clock: u64) -> Discount {
        // t^x / (t^x + 1), which stays a number where t^x does not.
        let shrink = |exponent: f64| 1.0 / (1.0 + (clock as f64 - 1.0).powf(-exponent));
        match self {
            UpdateRule::Vanilla | UpdateRule::Linear | UpdateRule::Power { .. } => {
                Discount { positive: 1.0, negative: 1.0, floor: false }
            }
            UpdateRule::CfrPlus | UpdateRule::PcfrPlus => {
                Discount { positive: 1.0, negative: 1.0, floor: true }
            }
            UpdateRule::Dcfr { alpha, beta, .. } => {
                Discount { positive: shrink(alpha), negative: shrink(beta), floor: false }
            }
        }
    }

    /// Whether regret matching adds the last regrets once more.
    pub fn predicts(self) -> bool {
        self == UpdateRule::PcfrPlus
    }

    /// Whether [`UpdateRule::weights`] say all there is: nothing happens to a row that is not visited, and what is
    /// added commutes.
    pub fn grows(self) -> bool {
        matches!(self, UpdateRule::Vanilla | UpdateRule::Linear | UpdateRule::Power { .. })
    }

    /// The sum of the regret weights of iterations or batches 1 to `clock`, as far as later discounts (of positive
    /// regrets) have left them.
    pub fn total_regret_weight(self, clock: u64) -> f64 {
        match self {
            UpdateRule::Vanilla | UpdateRule::CfrPlus | UpdateRule::PcfrPlus => clock as f64,
            UpdateRule::Linear => clock as f64 * (clock as f64 + 1.0) / 2.0,
            UpdateRule::Power { .. } => (1..=clock).map(|clock| self.weights(clock).regret).sum(),
            UpdateRule::Dcfr { .. } => {
                (1..=clock).fold(0.0, |total, clock| total * self.discount(clock).positive + 1.0)
            }
        }
    }

    /// Refuses exponents that are no numbers, and powers that tables of `f32` could not hold.
    ///
    /// # Errors
    /// [`CfrError::Setting`].
    pub fn check(self) -> Result<(), CfrError> {
        match self {
            UpdateRule::Power { regret, average }
                if ![regret, average].iter().all(|x| UpdateRule::POWERS.contains(x)) =>
            {
                Err(CfrError::Setting {
                    setting: "rule",
                    found: self.to_string(),
                    expected: "exponents from 0 to 3",
                })
            }
            UpdateRule::Dcfr { alpha, beta, gamma }
                if ![alpha, beta, gamma].iter().all(|x| x.is_finite()) || gamma < 0.0 =>
            {
                Err(CfrError::Setting {
                    setting: "rule",
                    found: self.to_string(),
                    expected: "finite exponents, gamma not negative",
                })
            }
            _ => Ok(()),
        }
    }

    /// The name in configurations.
    pub fn name(self) -> &'static str {
        match self {
            UpdateRule::Vanilla => "vanilla",
            UpdateRule::Linear => "linear",
            UpdateRule::Power { .. } => "power",
            UpdateRule::CfrPlus => "cfr-plus",
            UpdateRule::Dcfr { .. } => "dcfr",
            UpdateRule::PcfrPlus => "pcfr-plus",
        }
    }
}

/// The name, and the exponents if there are any.
impl fmt::Display for UpdateRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            UpdateRule::Power { regret, average } => write!(f, "({regret}, {average})"),
            UpdateRule::Dcfr { alpha, beta, gamma } => write!(f, "({alpha}, {beta}, {gamma})"),
            _ => Ok(()),
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
        let power = UpdateRule::Power { regret: 1.5, average: 2.0 };
        for rule in
            [UpdateRule::Vanilla, UpdateRule::Linear, power, UpdateRule::CfrPlus, UpdateRule::PcfrPlus]
        {
            let sum: f64 = (1..=9).map(|t| rule.weights(t).regret).sum();
            assert_eq!(rule.total_regret_weight(9), sum);
        }
        // The paper's factors by hand: after iterations 1 and 2 positive regrets are left 1/2 and 2^1.5 / (2^1.5 + 1).
        let (first, second) = (0.5, 8f64.sqrt() / (8f64.sqrt() + 1.0));
        let total = (first + 1.0) * second + 1.0;
        assert!((UpdateRule::DCFR.total_regret_weight(3) - total).abs() < 1e-15);
    }

    #[test]
    fn discounted_cfr_contains_linear_cfr() {
        let rule = UpdateRule::Dcfr { alpha: 1.0, beta: 1.0, gamma: 1.0 };
        for t in 1..9 {
            let Discount { positive, negative, floor } = rule.discount(t);
            assert_eq!((positive, floor), (negative, false));
            assert!((positive - (t as f64 - 1.0) / t as f64).abs() < 1e-15);
            assert_eq!(rule.weights(t).average, UpdateRule::Linear.weights(t).average);
        }
    }

    #[test]
    fn large_exponents_stay_numbers_and_others_are_refused() {
        let keep_positive = UpdateRule::Dcfr { alpha: 1e6, beta: -1e6, gamma: 2.0 };
        keep_positive.check().unwrap();
        assert_eq!(keep_positive.discount(9), Discount { positive: 1.0, negative: 0.0, floor: false });
        for (alpha, beta, gamma) in
            [(f64::NAN, 0.0, 2.0), (1.5, f64::INFINITY, 2.0), (1.5, 0.0, f64::NAN), (1.5, 0.0, -1.0)]
        {
            let error = UpdateRule::Dcfr { alpha, beta, gamma }.check().unwrap_err();
            assert!(matches!(error, CfrError::Setting { setting: "rule", .. }), "{error}");
        }
    }

    #[test]
    fn rules_are_read_and_written_by_name() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Config {
            rule: UpdateRule,
        }
        for (rule, text) in [
            (UpdateRule::Vanilla, "rule = \"vanilla\"\n"),
            (UpdateRule::Linear, "rule = \"linear\"\n"),
            (UpdateRule::CfrPlus, "rule = \"cfr-plus\"\n"),
            (UpdateRule::PcfrPlus, "rule = \"pcfr-plus\"\n"),
            (UpdateRule::DCFR, "[rule.dcfr]\nalpha = 1.5\nbeta = 0.0\ngamma = 2.0\n"),
        ] {
            assert_eq!(toml::to_string(&Config { rule }).unwrap(), text);
            assert_eq!(toml::from_str::<Config>(text).unwrap(), Config { rule });
        }
        assert_eq!(UpdateRule::DCFR.to_string(), "dcfr(1.5, 0, 2)");
    }
}
