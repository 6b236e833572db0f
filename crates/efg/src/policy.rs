//! Strategies, as what the solvers produce and the judges take.

/// How to play at every row of a layout of infosets ([`crate::Infosets`]).
pub trait Policy: Sync {
    /// Writes the probabilities of a row's actions: as many as `out` is long, summing to one.
    ///
    /// `slot` is the row's first slot.
    fn probabilities(&self, slot: u64, out: &mut [f64]);
}

/// The same probability for every action.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformPolicy;

impl Policy for UniformPolicy {
    fn probabilities(&self, _slot: u64, out: &mut [f64]) {
        out.fill(1.0 / out.len() as f64);
    }
}
