//! The average strategy: where it is accumulated, why there, and how a row of it is read.
//!
//! CFR's guarantee is about the average strategy, in which iteration `t` counts at infoset `I` of player `i`
//! in proportion to `i`'s own reach: `sum_t w_t pi_i^t(I) sigma^t(I, a)` (Zinkevich, Johanson, Bowling and
//! Piccione 2007, equation 4).
//!
//! **Estimator of external sampling** (that of outcome sampling, unbiased for any number of players, stands in
//! [`crate::outcome`]). In a traversal for another player, each visit to a node of `i` adds `sigma^t(I, .)` to the
//! row's sum. Such a node `h` in `I` is visited with probability `pi_c(h) pi_{-traverser}^t(h)`: chance and
//! all players but the traverser are sampled, the traverser tries everything.
//!
//! **Two players: unbiased.** The only player sampled is `i`, so that the expected addend is
//! `sum_{h in I} pi_c(h) pi_i^t(h) sigma^t(I, a)`. By perfect recall `pi_i^t(h)` is the same for every `h` in
//! `I`, and what remains, `c(I) = sum_{h in I} pi_c(h)`, does not depend on `t` or `a`: it cancels when the row
//! is divided by its sum. The expectation of the sums is the numerator of the equation above times `c(I)`.
//! (The quotient of unbiased sums is consistent, not unbiased.)
//!
//! **At the traverser's own nodes it would be wrong**: they are visited with the opponents' reach, which
//! changes from iteration to iteration, so that strategies would be weighed by how the opponents happened to
//! play.
//!
//! **Three and more players: biased in that very way.** A node of `i` in a traversal for `k` is visited also
//! with the reach of the players other than `i` and `k`, which changes with `t`. The sums are what simple
//! averaging gives in other implementations (OpenSpiel's default). No convergence theorem is lost, since CFR
//! has none for the average strategy of three or more players; the strategy has to be judged by play. Every
//! traversal for another player adds to the sums, not only one of them.
//!
//! **Imperfect recall** (abstractions that forget): histories merged in a row may differ in `pi_i^t(h)`; the
//! sums weigh them by it, as tabular CFR on the same abstraction does.

use crate::regret::{matching, uniform};
use crate::{MAX_ACTIONS, Real, Row, Table};
use doorcard_efg::Policy;
use serde::{Deserialize, Serialize};

/// Where a row's probabilities come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// The average strategy.
    Average,
    /// The row has never been visited as an opponent's: the current strategy of its regrets.
    Regret,
    /// The row has never been visited at all: uniform, for want of anything better.
    Untouched,
}

/// The average strategy of the row with these sums and regrets, or what stands in for it.
pub fn average_row<T: Real>(strategy_sum: &[T], regret: &[T]) -> (Source, Row<T>) {
    let actions = strategy_sum.len();
    let mut row = [T::ZERO; MAX_ACTIONS];
    row[..actions].copy_from_slice(strategy_sum);
    if row.iter().any(|&sum| sum > T::ZERO) {
        return (Source::Average, matching(&row, actions));
    }
    if regret.iter().all(|&regret| regret == T::ZERO) {
        return (Source::Untouched, uniform(actions));
    }
    row[..actions].copy_from_slice(regret);
    (Source::Regret, matching(&row, actions))
}

/// The average strategy of a table.
#[derive(Clone, Copy)]
pub struct AverageStrategy<'a, T>(pub &'a Table<T>);

impl<T: Real> Policy for AverageStrategy<'_, T> {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        let (start, end) = (slot as usize, slot as usize + out.len());
        let (_, row) = average_row(&self.0.strategy_sum()[start..end], &self.0.regret()[start..end]);
        out.iter_mut().zip(row).for_each(|(out, p)| *out = p.to_f64());
    }
}

/// What regret matching plays now; it need not be near an equilibrium.
#[derive(Clone, Copy)]
pub struct CurrentStrategy<'a, T>(pub &'a Table<T>);

impl<T: Real> Policy for CurrentStrategy<'_, T> {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        let mut row = [T::ZERO; MAX_ACTIONS];
        row[..out.len()].copy_from_slice(&self.0.regret()[slot as usize..][..out.len()]);
        let row = matching(&row, out.len());
        out.iter_mut().zip(row).for_each(|(out, p)| *out = p.to_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_where_they_come_from() {
        let cases = [
            ([1.0, 3.0], [0.0, 9.0], Source::Average, [0.25, 0.75, 0.0, 0.0]),
            ([0.0, 0.0], [1.0, 3.0], Source::Regret, [0.25, 0.75, 0.0, 0.0]),
            ([0.0, 0.0], [-1.0, -3.0], Source::Regret, [0.5, 0.5, 0.0, 0.0]),
            ([0.0, 0.0], [0.0, 0.0], Source::Untouched, [0.5, 0.5, 0.0, 0.0]),
        ];
        for (sums, regrets, source, row) in cases {
            assert_eq!(average_row::<f64>(&sums, &regrets), (source, row));
        }
    }
}
