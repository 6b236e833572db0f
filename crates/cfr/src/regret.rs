//! Regret matching (Hart and Mas-Colell 2000): play each action in proportion to its positive regret.

use crate::Real;

/// The most actions a row may have. Rows are read and matched in arrays of this length, which for `f32` is
/// one 128-bit register; limit stud has at most four actions (fourth street with an open pair: fold, call and
/// two sizes).
pub const MAX_ACTIONS: usize = 4;

/// One number per action; those beyond a row's actions are zero.
pub type Row<T> = [T; MAX_ACTIONS];

/// The strategy that regret matching plays at a row with these cumulative regrets; uniform when none is
/// positive.
///
/// Regrets beyond `actions` are ignored: they may be those of the next row.
#[inline(always)]
pub fn matching<T: Real>(regrets: &Row<T>, actions: usize) -> Row<T> {
    let mut strategy = [T::ZERO; MAX_ACTIONS];
    let mut sum = T::ZERO;
    for action in 0..MAX_ACTIONS {
        if action < actions && regrets[action] > T::ZERO {
            strategy[action] = regrets[action];
        }
        sum += strategy[action];
    }
    if sum > T::ZERO { strategy.map(|regret| regret / sum) } else { uniform(actions) }
}

/// The same probability for each of `actions` actions.
#[inline(always)]
pub fn uniform<T: Real>(actions: usize) -> Row<T> {
    let share = T::ONE / T::from_f64(actions as f64);
    std::array::from_fn(|action| if action < actions { share } else { T::ZERO })
}

/// Draws an action by 64 random bits. An action of probability zero is never drawn.
#[inline(always)]
pub fn sample<T: Real>(strategy: &Row<T>, actions: usize, bits: u64) -> usize {
    let mut left = T::unit(bits);
    let mut drawn = 0;
    for (action, &probability) in strategy.iter().enumerate().take(actions) {
        // Rounding may leave a little above zero at the end: the last possible action takes it.
        if probability > T::ZERO {
            drawn = action;
            if left < probability {
                break;
            }
            left = left - probability;
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positive_regrets_share_and_others_get_nothing() {
        assert_eq!(matching(&[1.0f64, -5.0, 3.0, 100.0], 3), [0.25, 0.0, 0.75, 0.0]);
        assert_eq!(matching(&[2.0f32, 0.0, 2.0, 4.0], 4), [0.25, 0.0, 0.25, 0.5]);
    }

    #[test]
    fn without_positive_regret_play_is_uniform() {
        assert_eq!(matching(&[0.0f64, -1.0, f64::INFINITY, f64::NAN], 2), [0.5, 0.5, 0.0, 0.0]);
        assert_eq!(matching(&[0.0f32; 4], 4), [0.25; 4]);
    }

    #[test]
    fn extremes_stay_finite() {
        for regret in [f32::MIN_POSITIVE, f32::from_bits(1), 1e37] {
            let strategy = matching(&[regret, regret, 0.0, 0.0], 3);
            assert!((strategy[0] - 0.5).abs() < 1e-6 && strategy[2] == 0.0, "{regret}: {strategy:?}");
        }
    }

    #[test]
    fn draws_follow_the_probabilities_and_skip_zeros() {
        let strategy = [0.0f32, 0.25, 0.0, 0.75];
        let draws = 1u64 << 12;
        let mut counts = [0u64; 4];
        for i in 0..draws {
            counts[sample(&strategy, 4, i << 52)] += 1;
        }
        assert_eq!(counts, [0, draws / 4, 0, draws / 4 * 3]);
        // The sum falls short of one: the last possible action is drawn, never an impossible one.
        assert_eq!(sample(&[0.3f32, 0.3, 0.0, 0.0], 4, u64::MAX), 1);
        assert_eq!(sample(&[0.0f64, 1.0, 0.0, 0.0], 3, 0), 1);
    }
}
