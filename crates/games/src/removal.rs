//! Sums over the opponent's hands where a hand is one card of the same deck, so that only the same hand is impossible.

use doorcard_efg::fault::{Fault, planted};
use num_traits::Float;
use std::ops::AddAssign;

/// For every hand the sum of `reach` over the others.
#[inline]
pub(crate) fn compatible<F: Float + AddAssign>(reach: &[F], compatible: &mut [F]) {
    let total = reach.iter().fold(F::zero(), |total, &reach| total + reach);
    for (compatible, &reach) in compatible.iter_mut().zip(reach) {
        *compatible = if planted(Fault::CardsNotRemoved) { total } else { total - reach };
    }
}

/// For every hand the sum of `reach` over the weaker ones and half of that over the others of its strength.
///
/// `totals` has a place for every strength, all zero; what is left in it does not matter.
#[inline]
pub(crate) fn shares<F: Float + AddAssign, const N: usize>(
    strength: impl Fn(usize) -> usize,
    mut totals: [F; N],
    reach: &[F],
    share: &mut [F],
) {
    for (hand, &reach) in reach.iter().enumerate() {
        totals[strength(hand)] += reach;
    }
    let half = F::from(0.5).expect("a float holds a half");
    let mut below = F::zero();
    // Of each strength: the sum of those below and half of its own.
    for total in &mut totals {
        let own = half * *total;
        *total = below + own;
        below += own + own;
    }
    for (hand, (share, &reach)) in share.iter_mut().zip(reach).enumerate() {
        *share = totals[strength(hand)] - half * reach;
    }
}
