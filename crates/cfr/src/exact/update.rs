//! An update rule applied to the rows of one player in one part of a game.
//!
//! **Ties.** Regret matching has a gap where no regret is positive: at zero play is uniform, and a regret of 1e-17, left
//! over by rounding, would make it pure. Small games do have regrets that are zero in exact arithmetic, and in which
//! order they were added up must not decide how the game is played: regrets below [`NOTHING`] of the largest in the
//! part count as zero when strategies are made. (The tables keep them.)

use super::pass::{Found, OwnRow};
use crate::discount::{Discount, Weights};
use crate::regret::matching;
use crate::{MAX_ACTIONS, Real, UpdateRule};

/// What is left over by rounding, of the largest regret. A sum of `n` doubles is off by about `2^-53 sqrt(n)`.
const NOTHING: f64 = 1e-14;

/// A rule at one iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    weights: Weights,
    discount: Discount,
    predicts: bool,
}

/// The tables of one part. Shape of all: `[slot]`.
pub(super) struct Tables<'a, T> {
    /// The part's first slot.
    pub(super) first: u64,
    pub(super) regret: &'a mut [T],
    pub(super) strategy_sum: &'a mut [T],
    /// The strategies in force, then the next.
    pub(super) strategy: &'a mut [T],
}

impl Step {
    pub(super) fn new(rule: UpdateRule, iteration: u64) -> Step {
        Step {
            weights: rule.weights(iteration),
            discount: rule.discount(iteration),
            predicts: rule.predicts(),
        }
    }

    /// Adds what a pass has found, and the strategies in force to the average; then matches regrets. Leaves zeros in
    /// `found`.
    pub(super) fn apply<T: Real>(&self, rows: &[OwnRow], tables: &mut Tables<'_, T>, found: &mut Found<'_>) {
        let largest = self.add(rows, tables, found);
        self.strategies(rows, tables, found, NOTHING * largest);
    }

    /// Adds to the tables. Returns the largest regret, whatever its sign.
    fn add<T: Real>(&self, rows: &[OwnRow], tables: &mut Tables<'_, T>, found: &mut Found<'_>) -> f64 {
        let mut largest = 0.0f64;
        for row in rows {
            let start = (row.slot - tables.first) as usize;
            let weight = self.weights.average * std::mem::take(&mut found.reach[start]);
            for slot in start..start + usize::from(row.actions) {
                let sum = tables.strategy_sum[slot].to_f64() + weight * tables.strategy[slot].to_f64();
                tables.strategy_sum[slot] = T::from_f64(sum);

                let old = tables.regret[slot].to_f64();
                let kept = if old > 0.0 { self.discount.positive } else { self.discount.negative };
                let mut regret = old * kept + found.regret[slot] * self.weights.regret;
                if self.discount.floor {
                    regret = regret.max(0.0);
                }
                tables.regret[slot] = T::from_f64(regret);
                largest = largest.max(regret.abs());
            }
        }
        largest
    }

    /// Makes the next strategies.
    fn strategies<T: Real>(
        &self,
        rows: &[OwnRow],
        tables: &mut Tables<'_, T>,
        found: &mut Found<'_>,
        nothing: f64,
    ) {
        for row in rows {
            let start = (row.slot - tables.first) as usize;
            let actions = usize::from(row.actions);
            let mut matched = [0.0; MAX_ACTIONS];
            for (action, matched) in matched.iter_mut().enumerate().take(actions) {
                let found = std::mem::take(&mut found.regret[start + action]);
                let expected = if self.predicts { found } else { 0.0 };
                let regret = tables.regret[start + action].to_f64() + expected;
                *matched = if regret > nothing { regret } else { 0.0 };
            }
            let next = matching(&matched, actions);
            for (strategy, p) in tables.strategy[start..start + actions].iter_mut().zip(next) {
                *strategy = T::from_f64(p);
            }
        }
    }
}
