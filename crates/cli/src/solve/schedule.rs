//! When a curve has points: ten to the decade, so that each is a quarter further than the one before.

/// The iterations of a decade at which a point is taken, tenths of it.
const DECADE: [u64; 10] = [10, 13, 16, 20, 25, 32, 40, 50, 63, 80];

/// The next iteration after `done` at which the curve has a point, a multiple of `step`.
pub(crate) fn next(done: u64, step: u64) -> u64 {
    let mut tens = 1u64;
    loop {
        for mark in DECADE {
            let point = (mark * tens / 10).max(1).saturating_mul(step);
            if point > done {
                return point;
            }
        }
        tens = tens.saturating_mul(10);
    }
}

/// Whether a number is 1, 10, 100 and so on.
pub(super) fn is_power_of_ten(n: u64) -> bool {
    n > 0 && 10u64.checked_pow(n.ilog10()) == Some(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_are_known() {
        let powers: Vec<u64> = (0..=2000).filter(|&n| is_power_of_ten(n)).collect();
        assert_eq!(powers, [1, 10, 100, 1000]);
    }

    #[test]
    fn points_lie_ten_to_the_decade() {
        let mut points = vec![next(0, 1)];
        while points.len() < 28 {
            points.push(next(*points.last().unwrap(), 1));
        }
        assert_eq!(points[..9], [1, 2, 3, 4, 5, 6, 8, 10, 13]);
        assert_eq!(points[16..27], [80, 100, 130, 160, 200, 250, 320, 400, 500, 630, 800]);
        assert_eq!((next(0, 64), next(64, 64), next(6_400, 64)), (64, 128, 8_320));
    }
}
