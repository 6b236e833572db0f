//! Who won how much over all tables of a schedule, and against whom.
//!
//! A player's result is the mean over its tables, each of the same weight. All tables play the same deals, so what they
//! make of one deal goes together: the mean over tables of what a player won with a deal is one observation, and
//! intervals come from the spread of these over deals. That is right whatever the tables have in common; to add up the
//! squares of the tables' own intervals would take them for independent.

use crate::match_play::Schedule;
use crate::stats::{MeanCi, Moments};

/// Running results of the players of a schedule, fed deal by deal.
#[derive(Clone, Debug)]
pub struct Standings {
    tables: Vec<Vec<usize>>,
    overall: Vec<Part>,
    /// What a player won where another sat too. Shape: `[player][other]`.
    cross: Vec<Vec<Part>>,
}

/// A sample, and what the deal in progress adds to it.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    moments: Moments,
    won: f64,
    tables: u32,
}

impl Part {
    fn add(&mut self, won: f64) {
        self.won += won;
        self.tables += 1;
    }

    fn end_deal(&mut self) {
        if self.tables > 0 {
            self.moments.push(self.won / f64::from(self.tables));
        }
        (self.won, self.tables) = (0.0, 0);
    }

    fn summary(&self) -> Option<MeanCi> {
        (self.moments.count() > 0).then(|| self.moments.summary())
    }
}

impl Standings {
    /// Nothing won yet by so many players, seated as the schedule says.
    ///
    /// # Panics
    /// If a table seats a player with a larger number.
    pub fn new(schedule: &Schedule, players: usize) -> Standings {
        let tables = schedule.tables().to_vec();
        assert!(tables.iter().flatten().all(|&player| player < players), "a table of {players} players");
        let row = vec![Part::default(); players];
        Standings { tables, overall: row.clone(), cross: vec![row; players] }
    }

    /// Counts what the members of a table won with a deal, as
    /// [`MatchObserver::deal`](crate::match_play::MatchObserver::deal) hands it over: all tables of a deal in order.
    ///
    /// Shape: `[member of the table]`. Units: chips per hand.
    pub fn deal(&mut self, table: usize, won: &[f64]) {
        let members = &self.tables[table];
        for (&player, &won) in members.iter().zip(won) {
            self.overall[player].add(won);
            for &other in members.iter().filter(|&&other| other != player) {
                self.cross[player][other].add(won);
            }
        }
        if table + 1 == self.tables.len() {
            self.overall.iter_mut().chain(self.cross.iter_mut().flatten()).for_each(Part::end_deal);
        }
    }

    /// The players who sat anywhere with their results, the best mean first, those with equal means by their numbers.
    pub fn ranking(&self) -> Vec<(usize, MeanCi)> {
        let results = self.overall.iter().enumerate();
        let mut ranking: Vec<_> =
            results.filter_map(|(player, part)| Some((player, part.summary()?))).collect();
        ranking.sort_by(|a, b| b.1.mean.total_cmp(&a.1.mean));
        ranking
    }

    /// What a player won at the tables where another sat too; nothing if they never met.
    pub fn against(&self, player: usize, other: usize) -> Option<MeanCi> {
        self.cross[player][other].summary()
    }

    /// At how many tables a player sits.
    pub fn tables_of(&self, player: usize) -> usize {
        self.tables.iter().filter(|table| table.contains(&player)).count()
    }

    /// At how many tables two players both sit.
    pub fn shared_tables(&self, player: usize, other: usize) -> usize {
        self.tables.iter().filter(|table| table.contains(&player) && table.contains(&other)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Four players, three seats, 500 deals with luck that all tables share: against means and spreads taken deal by
    /// deal from a list of everything.
    #[test]
    fn results_are_those_of_deals_taken_one_by_one() {
        let schedule = Schedule::combinations(4, 3);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut standings = Standings::new(&schedule, 4);
        // (deal, table, player, won).
        let mut all = Vec::new();
        for deal in 0..500 {
            let luck: [f64; 4] = rng.random();
            for (table, members) in schedule.tables().iter().enumerate() {
                let won = |&player: &usize| luck[player] * 10.0 + player as f64 + rng.random::<f64>();
                let won: Vec<f64> = members.iter().map(won).collect();
                standings.deal(table, &won);
                all.extend(members.iter().zip(&won).map(|(&player, &won)| (deal, table, player, won)));
            }
        }
        let slow = |player: usize, other: Option<usize>| -> MeanCi {
            let counts = |table: usize| other.is_none_or(|other| schedule.tables()[table].contains(&other));
            let deal = |deal| -> f64 {
                let won: Vec<f64> = all
                    .iter()
                    .filter(|&&(d, table, p, _)| d == deal && p == player && counts(table))
                    .map(|&(.., won)| won)
                    .collect();
                won.iter().sum::<f64>() / won.len() as f64
            };
            (0..500).map(deal).collect::<Moments>().summary()
        };
        let same = |a: MeanCi, b: MeanCi| {
            assert!(
                a.count == b.count && (a.mean - b.mean).abs() < 1e-9 && (a.ci95 - b.ci95).abs() < 1e-9,
                "{a} {b}"
            );
        };
        let ranking = standings.ranking();
        assert!(ranking.is_sorted_by(|a, b| a.1.mean >= b.1.mean) && ranking.len() == 4);
        for (player, result) in ranking {
            same(result, slow(player, None));
            for other in (0..4).filter(|&other| other != player) {
                same(standings.against(player, other).unwrap(), slow(player, Some(other)));
                assert_eq!(standings.shared_tables(player, other), 2);
            }
            assert_eq!((standings.tables_of(player), standings.against(player, player)), (3, None));
            // Shared luck does not average out over tables: an interval that takes them for independent is too narrow.
            let table = |table: usize| {
                let won = all.iter().filter(|&&(_, t, p, _)| (t, p) == (table, player)).map(|&(.., won)| won);
                won.collect::<Moments>().summary()
            };
            let sits = (0..4).filter(|&table| schedule.tables()[table].contains(&player));
            let independent = sits.map(|t| table(t).ci95.powi(2)).sum::<f64>().sqrt() / 3.0;
            assert!(independent < 0.6 * result.ci95, "{independent} {result}");
        }
    }

    #[test]
    fn who_never_sat_has_no_rank() {
        let mut standings = Standings::new(&Schedule::new(vec![vec![0, 2]]), 3);
        assert_eq!(standings.ranking(), []);
        standings.deal(0, &[1.0, -1.0]);
        standings.deal(0, &[3.0, -3.0]);
        let order: Vec<(usize, f64)> = standings.ranking().iter().map(|r| (r.0, r.1.mean)).collect();
        assert_eq!(order, [(0, 2.0), (2, -2.0)]);
    }
}
