//! Playing a duplicate match and turning its result into rows of a report.

use crate::error::CliError;
use crate::game::NamedRules;
use crate::hands_out::HandWriter;
use crate::players::{Player, Seated};
use crate::progress::Progress;
use crate::signal;
use doorcard_bots::Agent;
use doorcard_efg::Game;
use doorcard_eval::match_play::{self, MatchConfig, MatchObserver, MatchResult, PlayedHand, Schedule};
use doorcard_games::stud::StudTable;
use doorcard_report::{MatchReport, MatchRow, units};
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
}

impl Contest<'_> {
    /// Plays the match and hands every hand to `hands`. A match stopped by Ctrl-C reports the decks played until then.
    pub(crate) fn play(
        &self,
        label: &str,
        hands: Option<&mut HandWriter>,
    ) -> Result<(MatchReport, bool), CliError> {
        // Everybody sits down anew at each table, so that what is counted there is that table's.
        let members: Vec<usize> = self.schedule.tables().iter().flatten().copied().collect();
        let seated: Vec<Seated<'_>> =
            members.iter().map(|&player| Seated::new(&self.players[player])).collect();
        let agents: Vec<&dyn Agent<StudTable>> = seated.iter().map(|agent| agent as _).collect();
        let mut numbers = 0..;
        let tables = self.schedule.tables().iter().map(|table| numbers.by_ref().take(table.len()).collect());
        let schedule = Schedule::new(tables.collect());
        let config = MatchConfig { deals: self.deals, seed: self.seed, threads: None };
        let mut watcher = Watcher {
            progress: Progress::new(label, "decks", 0, self.deals),
            per_msb: 1000.0 / self.game.rules.small_bet() as f64,
            names: members.iter().map(|&player| self.players[player].name.as_str()).collect(),
            hands,
            failure: None,
        };
        let result = match_play::play_schedule(self.table, &agents, &schedule, &config, &mut watcher)?;
        watcher.progress.finish();
        if let Some(failure) = watcher.failure {
            return Err(failure);
        }
        Ok((self.report(&result, &seated), result.complete))
    }

    fn report(&self, result: &MatchResult, seated: &[Seated<'_>]) -> MatchReport {
        let per_msb = 1000.0 / self.game.rules.small_bet() as f64;
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
        }
    }
}

/// Shows progress, writes hands, and stops at Ctrl-C.
struct Watcher<'a> {
    progress: Progress,
    /// Msb in a chip.
    per_msb: f64,
    names: Vec<&'a str>,
    hands: Option<&'a mut HandWriter>,
    failure: Option<CliError>,
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

    fn progress(&mut self, so_far: &MatchResult) -> ControlFlow<()> {
        let first = so_far.tables[0].results[0].scaled(self.per_msb);
        let shown = if so_far.tables.len() == 1 && first.count > 1 {
            format!("{} msb/h", units::interval(first.mean, first.ci95))
        } else {
            String::new()
        };
        self.progress.at(so_far.deals, &shown);
        if self.failure.is_some() || signal::stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
