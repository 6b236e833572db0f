//! Hand values of one order cut into bins.

/// The values of one order, worst first, cut into bins.
///
/// Bins have about equal mass under an even mix of one random hand and the best of four: with `q` the share of
/// random hands below a value, the bin is that of `(q + q^4) / 2`. At the bottom, where hands hardly ever win,
/// a bin holds twice the share of random hands that equal bins would; at the top, where the pots are, 0.4
/// times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ladder {
    /// The bin of each value.
    pub(crate) bins: Vec<u8>,
    /// Which part of its bin lies below a value, half of those equal to it counted. Units: 1/256.
    pub(crate) within: Vec<u16>,
}

impl Ladder {
    /// Cuts the values with these frequencies among random hands into at most `count` bins; some may be empty.
    pub(crate) fn new(frequencies: &[u64], count: usize) -> Ladder {
        let total: u64 = frequencies.iter().sum();
        let mut below = 0;
        let middles: Vec<u64> = frequencies
            .iter()
            .map(|&frequency| {
                let middle = 2 * below + frequency;
                below += frequency;
                middle
            })
            .collect();
        let bin = |&middle: &u64| {
            let q = middle as f64 / (2 * total) as f64;
            ((0.5 * (q + q.powi(4)) * count as f64) as usize).min(count - 1) as u8
        };
        let bins: Vec<u8> = middles.iter().map(bin).collect();
        let mut mass = vec![0; count];
        for (&bin, &frequency) in bins.iter().zip(frequencies) {
            mass[usize::from(bin)] += frequency;
        }
        let starts: Vec<u64> = mass
            .iter()
            .scan(0, |start, mass| {
                *start += mass;
                Some(*start - mass)
            })
            .collect();
        let within = bins.iter().zip(&middles).map(|(&bin, &middle)| {
            let bin = usize::from(bin);
            ((middle - 2 * starts[bin]) * 128).checked_div(mass[bin]).unwrap_or(128) as u16
        });
        Ladder { within: within.collect(), bins }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_ascend_and_hold_what_they_should() {
        let frequencies: Vec<u64> = (0..5000).map(|i| 1000 + i % 7).collect();
        let ladder = Ladder::new(&frequencies, 64);
        assert!(ladder.bins.is_sorted());
        let count = |bin| ladder.bins.iter().filter(|&&b| b == bin).count();
        assert!((0..64).all(|bin| count(bin) > 0));
        // Of equal bins each would have 78.
        assert!((150..=157).contains(&count(0)), "{}", count(0));
        assert!((30..=33).contains(&count(63)), "{}", count(63));
        for bin in 0..64 {
            let within: Vec<u16> =
                (0..5000).filter(|&v| ladder.bins[v] == bin).map(|v| ladder.within[v]).collect();
            assert!(within.is_sorted() && within[0] < 10 && *within.last().unwrap() > 246);
        }
    }

    #[test]
    fn a_value_alone_in_its_bin_is_its_middle() {
        let ladder = Ladder::new(&[10, 1, 0, 1000], 4);
        assert_eq!(ladder.within[3], 128);
        assert_eq!(ladder.bins[0], 0);
    }
}
