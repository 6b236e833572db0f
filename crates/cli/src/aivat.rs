//! AIVAT in matches: who can be valued, and the value function, made from hands of another seed before the match.

use crate::error::CliError;
use crate::players::Player;
use crate::signal;
use doorcard_bots::{Aivat, Fit, KnownBaseline, Players, Ranged, Values};
use doorcard_efg::Game;
use doorcard_eval::match_play::{self, MatchConfig, MatchObserver, PlayedHand, Schedule, Valuation};
use doorcard_games::stud::tree::{HistoryDetail, StudTree};
use doorcard_games::stud::{State, StudTable};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;

/// At most, and at least, so many decks is the value function made from, at all tables together: a tenth of the match.
const PILOT_DECKS: [u64; 2] = [2000, 100];

/// The pilot's seed differs from the match's by this.
const PILOT_SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// What is known of the players of a match.
pub(crate) struct Known<'a> {
    players: &'a [Player],
    /// Of each player that hides nothing and is no strategy.
    baselines: Vec<Option<KnownBaseline>>,
    game: StudTree,
}

impl<'a> Known<'a> {
    /// Refuses matches in which no hand could be valued.
    pub(crate) fn new(players: &'a [Player], table: &StudTable) -> Result<Known<'a>, CliError> {
        let refuse = |why: &str| Err(CliError::Usage(format!("--aivat: {why}")));
        if table.players() != 2 {
            return refuse("values heads-up hands only");
        }
        let rules = *table.rules();
        let game = match StudTree::new(rules, HistoryDetail::Counts) {
            Ok(game) => game,
            Err(error) => return refuse(&format!("values limit stud only: {error}")),
        };
        if !rules.is_standard() {
            return refuse("values games of the full deck only");
        }
        let (stack, needed) = (table.stack(0).min(table.stack(1)), game.tree().max_paid());
        if stack < needed {
            return refuse(&format!(
                "values hands with stacks that are never short: {stack} chips, expected {needed}"
            ));
        }
        let baseline = |player: &Player| KnownBaseline::named(player.bot()?.name(), rules.variant()).ok();
        let known = Known { players, baselines: players.iter().map(baseline).collect(), game };
        if (0..players.len()).all(|player| known.ranged(player).is_none()) {
            return refuse(
                "needs a player whose chances are known: a strategy, or one of the bots that exploit takes",
            );
        }
        Ok(known)
    }

    fn ranged(&self, player: usize) -> Option<Ranged<'_>> {
        if let Some(strategy) = self.players[player].strategy() {
            return Some(Ranged { player: strategy, game: strategy.game() });
        }
        let baseline = self.baselines[player].as_ref()?;
        Some(Ranged { player: baseline, game: &self.game })
    }

    /// Makes the value function of a match of so many decks between these players. `members`: which player each agent of `schedule` is.
    pub(crate) fn valuer<'k>(
        &'k self,
        members: &'k [usize],
        schedule: &Schedule,
        table: &StudTable,
        (deals, seed): (u64, u64),
    ) -> Result<Valuer<'k>, CliError> {
        let [most, least] = PILOT_DECKS;
        let decks = (deals / 10).clamp(least, most).div_ceil(schedule.tables().len() as u64);
        let config = MatchConfig { deals: decks, seed: seed ^ PILOT_SEED, threads: None };
        // A program outside is asked about the match's hands alone: somebody who is known plays its part.
        let known = (0..self.players.len()).find(|&player| self.ranged(player).is_some());
        let part = |player: usize| match known {
            Some(known) if self.players[player].is_external() => known,
            _ => player,
        };
        let agents: Vec<_> = members.iter().map(|&player| self.players[part(player)].agent()).collect();
        let mut pilot = Pilot(Vec::new());
        match_play::play_schedule(table, &agents, schedule, &config, &mut pilot)?;
        let valuer = Valuer { known: self, members, aivat: Aivat::new(&self.game, Values::check_down()) };
        // In parts, merged in order: the same function for any number of threads.
        let fits: Vec<Fit> = pilot
            .0
            .par_chunks(64)
            .enumerate()
            .map(|(part, hands)| {
                let rng = &mut Xoshiro256PlusPlus::seed_from_u64(config.seed.wrapping_add(part as u64));
                let mut fit = Fit::default();
                for (seats, end) in hands {
                    if let Some(players) = valuer.players(seats) {
                        let (deal, actions) = valuer.aivat.record(end);
                        valuer.aivat.learn(players, &deal, &actions, rng, &mut fit);
                    }
                }
                fit
            })
            .collect();
        let mut fit = Fit::default();
        fits.iter().for_each(|part| fit.merge(part));
        Ok(Valuer { aivat: valuer.aivat.with_values(fit.values()), ..valuer })
    }
}

/// Keeps the hands of the pilot: who sat where, and the end.
struct Pilot(Vec<([usize; 2], State)>);

impl MatchObserver<StudTable> for Pilot {
    fn wants_hands(&self) -> bool {
        true
    }

    fn stop_flag(&self) -> Option<&AtomicBool> {
        Some(signal::flag())
    }

    fn hand(&mut self, hand: &PlayedHand<'_, StudTable>) {
        self.0.push(([hand.seats[0], hand.seats[1]], hand.end.clone()));
    }
}

/// Values the hands of a match.
pub(crate) struct Valuer<'a> {
    known: &'a Known<'a>,
    /// Which player each agent is.
    members: &'a [usize],
    aivat: Aivat<'a>,
}

impl Valuer<'_> {
    /// Who sits where, unless neither's chances are known.
    fn players(&self, seats: &[usize]) -> Option<Players<'_>> {
        let players = [0, 1].map(|seat: usize| self.known.ranged(self.members[seats[seat]]));
        players.iter().any(Option::is_some).then_some(players)
    }
}

impl Valuation<StudTable> for Valuer<'_> {
    fn value(
        &self,
        seats: &[usize],
        _: &<StudTable as Game>::Deal,
        end: &State,
        mut rng: &mut dyn Rng,
        values: &mut [f64],
    ) -> bool {
        let Some(players) = self.players(seats) else { return false };
        let (deal, actions) = self.aivat.record(end);
        let value = self.aivat.estimate(players, &deal, &actions, &mut rng).value();
        values.copy_from_slice(&[value, -value]);
        true
    }
}
