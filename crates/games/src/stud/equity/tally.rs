//! Who gets what at showdown, added up in whole numbers so that the order of adding never matters.

use super::{Equity, Method};
use crate::stud::showdown::Strength;
use crate::stud::{MAX_PLAYERS, Variant};
use std::iter::Sum;
use std::ops::Add;

/// A pot in units that divide among any number of players after being halved.
const POT: u64 = 1680;

/// What happened to one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    win: u64,
    tie: u64,
    scoop: u64,
    quarter: u64,
    half: u64,
    three_quarters: u64,
    /// Sums of the parts of the pot won with the high and with the low hand, and of the squares of both together.
    high: u64,
    low: u64,
    squares: u128,
}

/// What happened in a number of deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    deals: u64,
    counts: [Count; MAX_PLAYERS],
}

/// What each player gets of one half of the pot: an equal part for everyone who has the best value.
fn divide(pot: u64, strengths: &[Strength], value: fn(&Strength) -> u16) -> [u64; MAX_PLAYERS] {
    let best = strengths.iter().map(value).max().unwrap_or(0);
    let winners = strengths.iter().filter(|strength| value(strength) == best).count() as u64;
    let mut parts = [0; MAX_PLAYERS];
    for (part, strength) in parts.iter_mut().zip(strengths) {
        if value(strength) == best {
            *part = pot / winners;
        }
    }
    parts
}

impl Tally {
    /// Counts `deals` deals that end with these strengths.
    pub(super) fn record(&mut self, strengths: &[Strength], deals: u64) {
        let split = strengths.iter().any(|strength| strength.low > 0);
        let high_pot = if split { POT / 2 } else { POT };
        let highs = divide(high_pot, strengths, |strength| strength.high);
        let lows = divide(POT - high_pot, strengths, |strength| strength.low);
        let most = highs.iter().zip(lows).map(|(high, low)| high + low).max().unwrap_or(0);
        let leaders = highs.iter().zip(lows).filter(|(high, low)| *high + low == most).count();
        self.deals += deals;
        for ((count, high), low) in self.counts.iter_mut().zip(highs).zip(lows).take(strengths.len()) {
            let share = high + low;
            count.high += high * deals;
            count.low += low * deals;
            count.squares += u128::from(share * share) * u128::from(deals);
            count.win += if share == most && leaders == 1 { deals } else { 0 };
            count.tie += if share == most && leaders > 1 { deals } else { 0 };
            match share * 4 / POT {
                _ if !(share * 4).is_multiple_of(POT) => {}
                1 => count.quarter += deals,
                2 => count.half += deals,
                3 => count.three_quarters += deals,
                4 => count.scoop += deals,
                _ => {}
            }
        }
    }

    pub(super) fn deals(&self) -> u64 {
        self.deals
    }

    /// Each player's averages.
    pub(super) fn equities(&self, variant: Variant, players: usize, method: Method) -> Vec<Equity> {
        let deals = self.deals as f64;
        let part = |count: u64| count as f64 / deals;
        let share = |units: u64| units as f64 / (deals * POT as f64);
        let counts = self.counts.iter().take(players);
        counts
            .map(|count| {
                let equity = share(count.high + count.low);
                let mean_square = count.squares as f64 / (deals * (POT * POT) as f64);
                let deviation = (mean_square - equity * equity).max(0.0).sqrt();
                let (high, low) = match variant {
                    Variant::Razz => (0.0, equity),
                    Variant::High | Variant::HiLo8 => (share(count.high), share(count.low)),
                };
                Equity {
                    win: part(count.win),
                    tie: part(count.tie),
                    scoop: part(count.scoop),
                    quarter: part(count.quarter),
                    half: part(count.half),
                    three_quarters: part(count.three_quarters),
                    high,
                    low,
                    equity,
                    ci95: match method {
                        Method::Exact => 0.0,
                        Method::Sampled => (1.96 * deviation / deals.sqrt()).max(3.0 / deals),
                    },
                }
            })
            .collect()
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(mut self, other: Tally) -> Tally {
        self.deals += other.deals;
        for (count, other) in self.counts.iter_mut().zip(other.counts) {
            count.win += other.win;
            count.tie += other.tie;
            count.scoop += other.scoop;
            count.quarter += other.quarter;
            count.half += other.half;
            count.three_quarters += other.three_quarters;
            count.high += other.high;
            count.low += other.low;
            count.squares += other.squares;
        }
        self
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), Tally::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equity, win, tie, scoop, quarter, half, three quarters of each player.
    fn outcome(strengths: &[(u16, u16)]) -> Vec<[f64; 7]> {
        let strengths: Vec<Strength> = strengths.iter().map(|&(high, low)| Strength { high, low }).collect();
        let mut tally = Tally::default();
        tally.record(&strengths, 3);
        tally
            .equities(Variant::HiLo8, strengths.len(), Method::Exact)
            .into_iter()
            .map(|e| [e.equity, e.win, e.tie, e.scoop, e.quarter, e.half, e.three_quarters])
            .collect()
    }

    #[test]
    fn parts_of_the_pot() {
        // The best high without a low takes all; a low alone takes half.
        let all = [1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let nothing = [0.0; 7];
        let half = [0.5, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0];
        assert_eq!(outcome(&[(5, 0), (3, 0)]), [all, nothing]);
        assert_eq!(outcome(&[(5, 7), (3, 0)]), [all, nothing]);
        assert_eq!(outcome(&[(5, 0), (3, 7)]), [half, half]);
        assert_eq!(outcome(&[(5, 0), (5, 0), (4, 0)]), [half, half, nothing]);
        let quarter = [0.25, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        let rest = [0.75, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        assert_eq!(outcome(&[(5, 7), (3, 7)]), [rest, quarter]);
        let third = 1.0 / 3.0;
        let thirds = [third, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(outcome(&[(5, 0), (5, 0), (5, 0)]), [thirds; 3]);
        // Three share the low, the fourth has the high.
        let sixth = [1.0 / 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let high = [0.5, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        assert_eq!(outcome(&[(5, 0), (4, 9), (3, 9), (2, 9)]), [high, sixth, sixth, sixth]);
        for players in 2..=8 {
            let total: f64 = outcome(&vec![(5, 6); players]).iter().map(|player| player[0]).sum();
            assert!((total - 1.0).abs() < 1e-12);
        }
    }
}
