//! A strategy as a table, checked.

use crate::EvalError;
use doorcard_efg::{Policy, Rows};

/// How much a strategy's probabilities may miss 1 by.
const SUM_TOLERANCE: f64 = 1e-4;

/// The probabilities of a policy at every row, each row divided by its sum.
///
/// Shape: `[slot]`.
///
/// # Errors
/// If a row is no probability distribution.
pub(crate) fn tabulate<R: Rows + ?Sized>(rows: &R, policy: &dyn Policy) -> Result<Vec<f64>, EvalError> {
    let mut table = vec![0.0; rows.slots() as usize];
    let mut fault = None;
    rows.for_each_row(&mut |slot, actions| {
        let row = &mut table[slot as usize..][..actions];
        policy.probabilities(slot, row);
        let sum: f64 = row.iter().sum();
        if row.iter().all(|&p| p >= 0.0) && (sum - 1.0).abs() <= SUM_TOLERANCE {
            row.iter_mut().for_each(|p| *p /= sum);
        } else {
            fault.get_or_insert(EvalError::NotADistribution { slot, probabilities: row.to_vec() });
        }
    });
    fault.map_or(Ok(table), Err)
}
