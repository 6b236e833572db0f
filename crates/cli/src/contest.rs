//! Playing a duplicate match and turning its result into rows of a report.

use crate::aivat::Known;
use crate::error::CliError;
use crate::game::NamedRules;
use crate::hands_out::HandWriter;
use crate::players::{Player, Seated};
use crate::progress::Progress;
use crate::signal;
use doorcard_bots::Agent;
use doorcard_efg::Game;
use doorcard_eval::match_play::{
    self, MatchConfig, MatchObserver, MatchResult, PlayedHand, Schedule, TableResult, Valuation, Valued,
};
use doorcard_eval::standings::Standings;
use doorcard_eval::stats::MeanCi;
use doorcard_games::stud::StudTable;
use doorcard_ledger::{Bound, Entry, MATCH};
use doorcard_report::{AivatResult, CrossCell, MatchReport, MatchRow, Ranked, units};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// A match to be played.
pub(crate) struct Contest<'a> {
    pub(crate) game: &'a NamedRules,
    pub(crate) table: &'a StudTable,
    pub(crate) players: &'a [Player],
    pub(crate) schedule: Schedule,
    /// Decks; each is played once for each rotation at each table.
    pub(crate) deals: u64,
    pub(crate) seed: u64,
    pub(crate) judged: Judged,
}

/// How results are made of hands, and when there are enough.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Judged {
    /// Whether hands are valued by AIVAT too.
    pub(crate) aivat: bool,
    /// Half the width of the 95% interval of every table's first result, by AIVAT where there is one, at which the match
    /// ends. Units: msb/h.
    pub(crate) until: Option<f64>,
}

/// Decks before a match may end for its interval: with fewer the interval is hardly known itself.
const LEAST_DECKS: u64 = 1000;

/// What a match came to.
pub(crate) struct Played {
    pub(crate) report: MatchReport,
    /// Whether all decks were played, or as many as the interval took.
    pub(crate) complete: bool,
    /// Of every row of the report what each deck came to, by AIVAT if hands were valued, if that was kept. Units: msb/h.
    observations: Option<Vec<Vec<f32>>>,
}

impl Contest<'_> {
    /// How many observations there are: one of each member of each table with each deck.
    pub(crate) fn observations(&self) -> u64 {
        let members: usize = self.schedule.tables().iter().map(Vec::len).sum();
        self.deals.saturating_mul(members as u64)
    }

    /// Refuses a match that cannot be judged as it should be.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        if self.judged.aivat {
            Known::new(self.players, self.table)?;
        }
        Ok(())
    }

    /// Plays the match and hands every hand to `hands`. A match stopped by Ctrl-C reports the decks played until then.
    /// What each deck came to is kept for a ledger if `keep_deals` says so.
    pub(crate) fn play(
        &self,
        label: &str,
        hands: Option<&mut HandWriter>,
        keep_deals: bool,
    ) -> Result<Played, CliError> {
        // Everybody sits down anew at each table, so that what is counted there is that table's.
        let members: Vec<usize> = self.schedule.tables().iter().flatten().copied().collect();
        let seated: Vec<Seated<'_>> =
            members.iter().map(|&player| Seated::new(&self.players[player])).collect();
        let agents: Vec<&dyn Agent<StudTable>> = seated.iter().map(|agent| agent as _).collect();
        let mut numbers = 0..;
        let tables = self.schedule.tables().iter().map(|table| numbers.by_ref().take(table.len()).collect());
        let schedule = Schedule::new(tables.collect());
        let config = MatchConfig { deals: self.deals, seed: self.seed, threads: None };
        let known = self.judged.aivat.then(|| Known::new(self.players, self.table)).transpose()?;
        let valuer = known
            .as_ref()
            .map(|known| known.valuer(&members, &schedule, self.table, (self.deals, self.seed)));
        let valuer = valuer.transpose()?;
        let mut watcher = Watcher {
            until: self.judged.until,
            narrow_enough: false,
            progress: Progress::new(label, "decks", 0, self.deals),
            per_msb: self.per_msb(),
            names: members.iter().map(|&player| self.players[player].name.as_str()).collect(),
            hands,
            failure: None,
            standings: (self.schedule.tables().len() > 1)
                .then(|| Standings::new(&self.schedule, self.players.len())),
            rows: schedule.tables().iter().map(|table| table.first().copied().unwrap_or(0)).collect(),
            observations: keep_deals.then(|| [(); 2].map(|()| vec![Vec::new(); members.len()])),
        };
        let valuation = valuer.as_ref().map(|valuer| valuer as &dyn Valuation<StudTable>);
        let result =
            match_play::play_valued(self.table, &agents, &schedule, &config, valuation, &mut watcher)?;
        watcher.progress.finish();
        if let Some(failure) = watcher.failure {
            return Err(failure);
        }
        let mut report = self.report(&result, &seated);
        if let Some(standings) = watcher.standings {
            report.ranking = self.ranking(&standings, report.hands);
            report.cross = self.cross(&standings);
        }
        let complete = result.complete || watcher.narrow_enough;
        let observations = watcher.observations.map(|[won, worth]| {
            let choose = |(row, (won, worth)): (&MatchRow, _)| if row.aivat.is_some() { worth } else { won };
            report.table.iter().zip(won.into_iter().zip(worth)).map(choose).collect()
        });
        Ok(Played { report, complete, observations })
    }

    /// What a ledger says of each row of the report: what AIVAT made of it, if hands were valued.
    pub(crate) fn entries(&self, played: &Played) -> Vec<Entry> {
        let report = &played.report;
        let records: Vec<_> = self.players.iter().map(Player::record).collect();
        let seats =
            |table: &Vec<usize>| (0..table.len()).map(|first| around(table, first)).collect::<Vec<_>>();
        let members = self.schedule.tables().iter().flat_map(seats);
        let settings = |members: usize, result: &MatchRow| {
            let mut settings = BTreeMap::from([("seats".to_string(), members.into())]);
            if result.aivat.is_some() {
                settings.insert("valued_by".into(), "aivat".into());
            }
            settings
        };
        let entry = |(row, (members, result)): (usize, (Vec<usize>, &MatchRow))| Entry {
            kind: MATCH.into(),
            version: report.version.clone(),
            game: report.game.clone(),
            rules: self.game.rules.to_toml(),
            seed: self.seed,
            hands: result.hands,
            settings: settings(members.len(), result),
            players: members.iter().map(|&player| records[player].clone()).collect(),
            value_msb_per_hand: result
                .aivat
                .map_or(result.mean_msb_per_hand, |aivat| aivat.mean_msb_per_hand),
            ci95: result.aivat.map_or(result.ci95, |aivat| aivat.ci95),
            bound: Bound::None,
            deals: result.duplicates,
            observations: played.observations.as_ref().map_or_else(Vec::new, |all| all[row].clone()),
        };
        members.zip(&report.table).enumerate().map(entry).collect()
    }

    fn per_msb(&self) -> f64 {
        1000.0 / self.game.rules.small_bet() as f64
    }

    fn ranking(&self, standings: &Standings, hands: u64) -> Vec<Ranked> {
        let ranked = |(player, result): (usize, MeanCi)| {
            let (result, tables) = (result.scaled(self.per_msb()), standings.tables_of(player));
            Ranked {
                player: self.players[player].name.clone(),
                mean_msb_per_hand: result.mean,
                ci95: result.ci95,
                tables,
                hands: hands * tables as u64,
            }
        };
        standings.ranking().into_iter().map(ranked).collect()
    }

    fn cross(&self, standings: &Standings) -> Vec<CrossCell> {
        let players = 0..self.players.len();
        let pairs = players.clone().flat_map(|player| players.clone().map(move |other| (player, other)));
        let cell = |(player, other): (usize, usize)| {
            let result = standings.against(player, other)?.scaled(self.per_msb());
            Some(CrossCell {
                player: self.players[player].name.clone(),
                opponent: self.players[other].name.clone(),
                mean_msb_per_hand: result.mean,
                ci95: result.ci95,
                tables: standings.shared_tables(player, other),
            })
        };
        pairs.filter_map(cell).collect()
    }

    /// The result of a table's member by AIVAT.
    fn aivat(&self, valued: &Valued, member: usize) -> AivatResult {
        let result = valued.results[member].scaled(self.per_msb());
        let [won, worth] = valued.deviations;
        AivatResult { mean_msb_per_hand: result.mean, ci95: result.ci95, deviation_cut: 1.0 - worth / won }
    }

    fn report(&self, result: &MatchResult, seated: &[Seated<'_>]) -> MatchReport {
        let per_msb = self.per_msb();
        let name = |agent: usize| seated[agent].name().to_string();
        let mut rows = Vec::new();
        for table in &result.tables {
            for (i, (&agent, mean)) in table.agents.iter().zip(&table.results).enumerate() {
                let mean = mean.scaled(per_msb);
                let others = table.agents.iter().enumerate().filter(|&(j, _)| j != i);
                rows.push(MatchRow {
                    bot: name(agent),
                    opponents: others.map(|(_, &other)| name(other)).collect(),
                    mean_msb_per_hand: mean.mean,
                    ci95: mean.ci95,
                    hands: table.hands,
                    duplicates: mean.count,
                    fallback_rate: seated[agent].fallback_rate(),
                    faults: seated[agent].faults(),
                    aivat: table.valued.as_ref().map(|valued| self.aivat(valued, i)),
                });
            }
        }
        MatchReport {
            version: env!("CARGO_PKG_VERSION").into(),
            game: self.game.name.clone(),
            hands: result.deals * self.table.players() as u64,
            seed: self.seed,
            strategy: None,
            table: rows,
            ranking: Vec::new(),
            cross: Vec::new(),
            ledger: Vec::new(),
        }
    }
}

/// The members of a table in the order around it, begun with the one at a place.
fn around(table: &[usize], first: usize) -> Vec<usize> {
    let mut members = table.to_vec();
    members.rotate_left(first);
    members
}

/// Shows progress, writes hands, keeps what decks came to, and stops at Ctrl-C.
struct Watcher<'a> {
    progress: Progress,
    /// Msb in a chip.
    per_msb: f64,
    names: Vec<&'a str>,
    hands: Option<&'a mut HandWriter>,
    failure: Option<CliError>,
    /// See [`Judged::until`].
    until: Option<f64>,
    narrow_enough: bool,
    /// Where there is more than one table; by AIVAT at tables that it can value.
    standings: Option<Standings>,
    /// Of each table the row of its first member.
    rows: Vec<usize>,
    /// Of every row what each deck came to, and what it was worth by AIVAT where that values, if they are to be kept.
    /// Units: msb/h.
    observations: Option<[Vec<Vec<f32>>; 2]>,
}

impl MatchObserver<StudTable> for Watcher<'_> {
    fn wants_hands(&self) -> bool {
        self.hands.is_some()
    }

    fn hand(&mut self, hand: &PlayedHand<'_, StudTable>) {
        if let (Some(writer), None) = (&mut self.hands, &self.failure) {
            let names: Vec<&str> = hand.seats.iter().map(|&agent| self.names[agent]).collect();
            self.failure = writer.add(hand.end, &names).err();
        }
    }

    fn stop_flag(&self) -> Option<&AtomicBool> {
        Some(signal::flag())
    }

    fn wants_deals(&self) -> bool {
        self.standings.is_some() || self.observations.is_some()
    }

    fn deal(&mut self, _deal_index: u64, table: usize, won: &[f64], worth: Option<&[f64]>) {
        if let Some(standings) = &mut self.standings {
            standings.deal(table, worth.unwrap_or(won));
        }
        if let Some(observations) = &mut self.observations {
            for (rows, of_members) in observations.iter_mut().zip([Some(won), worth]) {
                for (row, &of_member) in
                    rows[self.rows[table]..].iter_mut().zip(of_members.into_iter().flatten())
                {
                    row.push((of_member * self.per_msb) as f32);
                }
            }
        }
    }

    fn progress(&mut self, so_far: &MatchResult) -> ControlFlow<()> {
        let first = |table: &TableResult| {
            let valued = table.valued.as_ref().map(|valued| valued.results[0]);
            valued.unwrap_or(table.results[0]).scaled(self.per_msb)
        };
        let shown = match &so_far.tables[..] {
            [table] if so_far.deals > 1 => {
                let first = first(table);
                format!("{} msb/h", units::interval(first.mean, first.ci95))
            }
            _ => String::new(),
        };
        self.progress.at(so_far.deals, &shown);
        let narrow = |until| so_far.tables.iter().all(|table| first(table).ci95 <= until);
        self.narrow_enough = so_far.deals >= LEAST_DECKS && self.until.is_some_and(narrow);
        if self.failure.is_some() || signal::stopped() || self.narrow_enough {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
