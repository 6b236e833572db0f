//! An update rule applied to the rows of one player in one part of a game.
//!
//! **Ties.** Regret matching has a gap where no regret is positive: at zero play is uniform, and a regret of 1e-17, left
//! over by rounding, would make it pure. Small games do have regrets that are zero in exact arithmetic, and in which
//! order they were added up must not decide how the game is played: regrets below [`NOTHING`] of the largest among the
//! rows being updated count as zero when strategies are made. (The tables keep them. With tables of `f32` rounding is far
//! coarser than that, and ties are decided by it.)

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
        let largest = rows.iter().fold(0.0f64, |largest, row| {
            let start = (row.slot - tables.first) as usize;
            largest.max(match row.actions {
                1 => self.add::<T, 1>(start, tables, found),
                2 => self.add::<T, 2>(start, tables, found),
                3 => self.add::<T, 3>(start, tables, found),
                _ => self.add::<T, MAX_ACTIONS>(start, tables, found),
            })
        });
        for row in rows {
            let start = (row.slot - tables.first) as usize;
            match row.actions {
                1 => self.strategy::<T, 1>(start, tables, found, NOTHING * largest),
                2 => self.strategy::<T, 2>(start, tables, found, NOTHING * largest),
                3 => self.strategy::<T, 3>(start, tables, found, NOTHING * largest),
                _ => self.strategy::<T, MAX_ACTIONS>(start, tables, found, NOTHING * largest),
            }
        }
    }

    /// Adds to the tables of a row of `N` actions. Returns the largest regret, whatever its sign.
    #[inline(always)]
    fn add<T: Real, const N: usize>(
        &self,
        start: usize,
        tables: &mut Tables<'_, T>,
        found: &mut Found<'_>,
    ) -> f64 {
        let weight = self.weights.average * std::mem::take(&mut found.reach[start]);
        let strategy: &[T; N] = row(tables.strategy, start);
        let sums: &mut [T; N] = row_mut(tables.strategy_sum, start);
        *sums = std::array::from_fn(|a| T::from_f64(sums[a].to_f64() + weight * strategy[a].to_f64()));

        let found: &[f64; N] = row(found.regret, start);
        let regrets: &mut [T; N] = row_mut(tables.regret, start);
        let new: [f64; N] = std::array::from_fn(|a| {
            let old = regrets[a].to_f64();
            let kept = if old > 0.0 { self.discount.positive } else { self.discount.negative };
            let new = old * kept + found[a] * self.weights.regret;
            if self.discount.floor { new.max(0.0) } else { new }
        });
        *regrets = new.map(T::from_f64);
        new.iter().fold(0.0, |largest, regret| regret.abs().max(largest))
    }

    /// Makes the next strategy of a row of `N` actions.
    #[inline(always)]
    fn strategy<T: Real, const N: usize>(
        &self,
        start: usize,
        tables: &mut Tables<'_, T>,
        found: &mut Found<'_>,
        nothing: f64,
    ) {
        let found = std::mem::replace(row_mut::<_, N>(found.regret, start), [0.0; N]);
        let regrets: &[T; N] = row(tables.regret, start);
        let mut matched = [0.0; MAX_ACTIONS];
        for (a, matched) in matched[..N].iter_mut().enumerate() {
            let expected = if self.predicts { found[a] } else { 0.0 };
            let regret = regrets[a].to_f64() + expected;
            *matched = if regret > nothing { regret } else { 0.0 };
        }
        let next = matching(&matched, N);
        *row_mut::<_, N>(tables.strategy, start) = std::array::from_fn(|a| T::from_f64(next[a]));
    }
}

/// The row that starts at `start`.
#[inline(always)]
fn row<T, const N: usize>(table: &[T], start: usize) -> &[T; N] {
    table[start..].first_chunk().expect("a table holds its rows")
}

/// The row that starts at `start`, for writing.
#[inline(always)]
fn row_mut<T, const N: usize>(table: &mut [T], start: usize) -> &mut [T; N] {
    table[start..].first_chunk_mut().expect("a table holds its rows")
}
