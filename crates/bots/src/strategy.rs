//! `strategy:FILE`: the player of a trained strategy.
//!
//! At each decision the hand's history is walked through the compiled betting tree, the cards are put into their
//! bucket, and an action is drawn from the row of the strategy found there.
//!
//! A strategy plays the game it was trained for and no other: heads-up, the same rules, and stacks that no betting
//! can exhaust. [`StrategyPlayer::open`] refuses the rest and says what differs.
//!
//! A board plays the mean of the strategies of the public buckets near it ([`CardAbstraction::public_mix`]), as far as
//! they were trained. Where training came to none of them, the row of the nearest hand (private buckets lie in the order of
//! strength) within the board's own public bucket and betting is played instead, and if there is none, every action with
//! equal chance. [`StrategyPlayer::decisions`] counts how often the board's own row was no average strategy.

mod memory;

use crate::BotError;
use arrayvec::ArrayVec;
use doorcard_abstraction::{Abstraction, CardAbstraction, PublicMix, Situation, StudInfosets};
use doorcard_cards::CardSet;
use doorcard_cfr::{Source, Strategy, Subject};
use doorcard_efg::Agent;
use doorcard_games::stud::tree::{HistoryDetail, MAX_ACTIONS, Position, StudTree, Translation};
use doorcard_games::stud::{Rules, SeatView, Street, StudTable};
use memory::Memory;
use rand::{Rng, RngExt};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The name of the abstraction's file beside a strategy's.
pub const ABSTRACTION_FILE: &str = "abstraction.dcab";

const GAME: &str = "stud, betting remembered: ";

/// What a strategy for this game and abstraction is a strategy for; [`StrategyPlayer`] reads it back.
pub fn subject(game: &StudTree, abstraction: &str, cards: &impl CardAbstraction) -> Subject {
    Subject {
        game: format!("{GAME}{}", detail_name(game.tree().detail())),
        rules: game.rules().to_toml(),
        abstraction: abstraction.into(),
        abstraction_fingerprint: cards.fingerprint(),
    }
}

/// How much of the betting a strategy for this game remembers, by the game of its [`Subject`]; nothing if it is not
/// one of [`subject`]'s.
pub fn history(game: &str) -> Option<HistoryDetail> {
    let details = [HistoryDetail::Full, HistoryDetail::Aggressor, HistoryDetail::Counts];
    let name = game.strip_prefix(GAME)?;
    details.into_iter().find(|&detail| detail_name(detail) == name)
}

fn detail_name(detail: HistoryDetail) -> &'static str {
    match detail {
        HistoryDetail::Full => "full",
        HistoryDetail::Aggressor => "aggressor",
        HistoryDetail::Counts => "counts",
    }
}

/// How often a player drew from what. See the module's documentation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    /// From the average strategy.
    pub average: u64,
    /// From the current strategy of a row's regrets, for want of an average.
    pub regret: u64,
    /// From rows of boards nearby or of the nearest hand, for want of both.
    pub neighbour: u64,
    /// From nothing: every action with equal chance.
    pub uniform: u64,
}

impl Decisions {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.average + self.regret + self.neighbour + self.uniform
    }

    /// The share of decisions not drawn from the average strategy; 0 if there were none.
    pub fn fallback_rate(&self) -> f64 {
        (self.total() - self.average) as f64 / self.total().max(1) as f64
    }
}

/// What a decision was drawn from: see [`Decisions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// The average strategy.
    Average,
    /// The current strategy of the row's regrets.
    Regret,
    /// Rows of boards nearby, or of the nearest hand.
    Neighbour,
    /// Every action with equal chance.
    Uniform,
}

/// Counts decisions made on any number of threads.
#[derive(Debug, Default)]
pub struct DecisionCounter {
    average: AtomicU64,
    regret: AtomicU64,
    neighbour: AtomicU64,
    uniform: AtomicU64,
}

impl DecisionCounter {
    /// Counts a decision.
    pub fn count(&self, drawn: Drawn) {
        let counter = match drawn {
            Drawn::Average => &self.average,
            Drawn::Regret => &self.regret,
            Drawn::Neighbour => &self.neighbour,
            Drawn::Uniform => &self.uniform,
        };
        counter.fetch_add(1, Relaxed);
    }

    /// What was counted so far.
    pub fn decisions(&self) -> Decisions {
        Decisions {
            average: self.average.load(Relaxed),
            regret: self.regret.load(Relaxed),
            neighbour: self.neighbour.load(Relaxed),
            uniform: self.uniform.load(Relaxed),
        }
    }
}

/// Writes the probabilities of the actions at a position as the player of a strategy plays them, and says where they
/// come from. `hand` is the public buckets and the private bucket within each. See the module's documentation.
///
/// # Panics
/// If the strategy is not for these infosets.
pub fn probabilities<A: CardAbstraction>(
    strategy: &Strategy,
    infosets: &StudInfosets<'_, A>,
    street: Street,
    hand: (PublicMix, u16),
    position: Position,
    out: &mut [f64],
) -> Drawn {
    let (publics, private) = hand;
    let public = publics.first();
    let (mut sum, mut weights, mut own) = ([0.0; MAX_ACTIONS], 0.0, false);
    for (near, weight) in publics.iter() {
        if strategy.row(infosets.slot_of(street, (near, private), position), out) == Source::Average {
            sum.iter_mut().zip(&*out).for_each(|(sum, probability)| *sum += weight * probability);
            weights += weight;
            own |= near == public;
        }
    }
    if weights > 0.0 {
        out.iter_mut().zip(sum).for_each(|(probability, sum)| *probability = sum / weights);
        return if own { Drawn::Average } else { Drawn::Neighbour };
    }
    let row = |private: u16, out: &mut [f64]| {
        strategy.row(infosets.slot_of(street, (public, private), position), out)
    };
    match row(private, out) {
        Source::Average | Source::Regret => return Drawn::Regret,
        Source::Untouched => {}
    }
    let hands = infosets.cards().private_buckets(street) as u16;
    for distance in 1..hands {
        let weaker = private.checked_sub(distance);
        let stronger = private.checked_add(distance).filter(|&private| private < hands);
        for private in [weaker, stronger].into_iter().flatten() {
            if row(private, out) != Source::Untouched {
                return Drawn::Neighbour;
            }
        }
    }
    out.fill(1.0 / out.len() as f64);
    Drawn::Uniform
}

/// The player of a trained strategy: see the module's documentation.
pub struct StrategyPlayer<A = Abstraction> {
    name: String,
    game: StudTree,
    cards: A,
    strategy: Strategy,
    memory: Memory,
    counter: DecisionCounter,
}

/// Where a decision lies in the strategy's table.
struct Place {
    street: Street,
    publics: PublicMix,
    private: u16,
    position: Position,
}

impl StrategyPlayer<Abstraction> {
    /// The player of the strategy in a file, for `table`.
    ///
    /// The abstraction it was trained with is read from [`ABSTRACTION_FILE`] in the same folder. All checksums of both
    /// files are compared.
    ///
    /// # Errors
    /// If one of the files is missing or damaged, and as [`StrategyPlayer::new`].
    pub fn open(path: impl AsRef<Path>, table: &StudTable) -> Result<StrategyPlayer<Abstraction>, BotError> {
        let path = path.as_ref();
        StrategyPlayer::open_with(path, path.with_file_name(ABSTRACTION_FILE), table)
    }

    /// As [`StrategyPlayer::open`], with the abstraction in another place.
    ///
    /// # Errors
    /// As [`StrategyPlayer::open`].
    pub fn open_with(
        path: impl AsRef<Path>,
        abstraction: impl AsRef<Path>,
        table: &StudTable,
    ) -> Result<StrategyPlayer<Abstraction>, BotError> {
        let strategy = Strategy::open(path)?;
        StrategyPlayer::new(strategy, Abstraction::load(abstraction)?, table)
    }
}

impl<A: CardAbstraction> StrategyPlayer<A> {
    /// The player of `strategy`, with the abstraction of the cards it was trained with, for `table`.
    ///
    /// Its name is the file's, without the extension.
    ///
    /// # Errors
    /// If the strategy is for another game, other rules, another abstraction, more than two seats, or deeper stacks.
    pub fn new(strategy: Strategy, cards: A, table: &StudTable) -> Result<StrategyPlayer<A>, BotError> {
        let path = strategy.container().path().to_path_buf();
        let trained = &strategy.header().subject;
        let detail = history(&trained.game)
            .ok_or_else(|| BotError::NotStud { path: path.clone(), game: trained.game.clone() })?;
        let rules = Rules::from_toml(&trained.rules, &path.display().to_string())?;
        if let Some((rule, table)) = difference(&rules, table.rules()) {
            return Err(BotError::OtherRules { path, trained: rule, table });
        }
        let players = doorcard_efg::Game::players(table);
        if players != 2 {
            return Err(BotError::Seats { path, players });
        }
        let game = StudTree::new(rules, detail)?;
        let (needed, stack) = (game.tree().max_paid(), table.stack(0).min(table.stack(1)));
        if stack < needed {
            return Err(BotError::ShortStack { path, needed, stack });
        }
        strategy.expect(&subject(&game, &trained.abstraction, &cards), &StudInfosets::new(&game, &cards))?;
        let name = path.file_stem().map_or("strategy".into(), |stem| stem.to_string_lossy().into_owned());
        Ok(StrategyPlayer {
            name,
            game,
            cards,
            strategy,
            memory: Memory::new(),
            counter: DecisionCounter::default(),
        })
    }

    /// The strategy.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The game it plays, by role.
    pub fn game(&self) -> &StudTree {
        &self.game
    }

    /// The abstraction of the cards it was trained with.
    pub fn cards(&self) -> &A {
        &self.cards
    }

    /// How often it has drawn from what so far.
    pub fn decisions(&self) -> Decisions {
        self.counter.decisions()
    }

    /// Decides as [`Agent::act`] does, without counting: the action's place in the menu, and what it was drawn from.
    ///
    /// # Panics
    /// If the hand is not one of the table that the strategy was opened for.
    pub fn decide(&self, view: &SeatView<'_>, rng: &mut dyn Rng) -> (usize, Drawn) {
        let (row, drawn) = self.row(view);
        (draw(&row, rng.random()), drawn)
    }

    /// The probabilities of the actions on the menu, and where they come from.
    pub(crate) fn row(&self, view: &SeatView<'_>) -> (ArrayVec<f64, MAX_ACTIONS>, Drawn) {
        let place = self.place(view);
        let mut row = ArrayVec::from([0.0; MAX_ACTIONS]);
        row.truncate(self.game.tree().actions(place.position).len());
        let drawn = self.probabilities(&place, &mut row);
        (row, drawn)
    }

    pub(crate) fn infosets(&self) -> StudInfosets<'_, &A> {
        StudInfosets::new(&self.game, &self.cards)
    }

    fn place(&self, view: &SeatView<'_>) -> Place {
        let (seat, street) = (view.seat(), view.street());
        let actions = view.history().iter().map(|event| event.action());
        let position = self.game.locate([view.up_cards(0), view.up_cards(1)], actions);
        let situation = Situation {
            street,
            own_down: CardSet::from(view.down_cards()),
            river: view.down_cards().get(2).copied(),
            own_up: view.up_cards(seat),
            opponent_up: view.up_cards(1 - seat),
            dead: CardSet::EMPTY,
        };
        let (publics, private) = self.memory.get(&situation, || {
            let publics = self.cards.public_mix(street, situation.own_up, situation.opponent_up);
            (publics, self.cards.private_bucket(publics.first(), &situation))
        });
        Place {
            street,
            publics,
            private,
            position: position.expect("the strategy was not opened for this table"),
        }
    }

    fn probabilities(&self, place: &Place, out: &mut [f64]) -> Drawn {
        let hand = (place.publics, place.private);
        probabilities(&self.strategy, &self.infosets(), place.street, hand, place.position, out)
    }
}

impl<A: CardAbstraction> Agent<StudTable> for StrategyPlayer<A> {
    fn name(&self) -> &str {
        &self.name
    }

    /// # Panics
    /// If the hand is not one of the table that the strategy was opened for.
    fn act(&self, view: &SeatView<'_>, rng: &mut dyn Rng) -> usize {
        let (action, drawn) = self.decide(view, rng);
        self.counter.count(drawn);
        action
    }
}

/// The action that `luck`, a number from 0 up to 1, draws.
pub(crate) fn draw(probabilities: &[f64], luck: f64) -> usize {
    let mut left = luck;
    for (action, &probability) in probabilities.iter().enumerate() {
        if left < probability {
            return action;
        }
        left -= probability;
    }
    // Rounding may leave a little over.
    probabilities.iter().rposition(|&p| p > 0.0).expect("some action is possible")
}

/// Writes the strategy in a file for a game that differs from its own in the double bet, by
/// [`Translation`]: it takes a bet of either size for the one it knows, and makes the smaller.
///
/// # Errors
/// If other rules differ too, the abstraction is not the one it was trained with, or the file cannot be written.
pub fn translate(
    strategy: &Strategy,
    cards: &impl CardAbstraction,
    (name, rules): (&str, &Rules),
    path: &Path,
) -> Result<(), BotError> {
    let from = strategy.container().path();
    let trained = &strategy.header().subject;
    let detail = history(&trained.game)
        .ok_or_else(|| BotError::NotStud { path: from.into(), game: trained.game.clone() })?;
    let own = Rules::from_toml(&trained.rules, &from.display().to_string())?;
    if let Some((trained, table)) = difference_but(&["stack", "seats", DOUBLE_BET], &own, rules) {
        return Err(BotError::OtherRules { path: from.into(), trained, table });
    }
    let (own, game) = (StudTree::new(own, detail)?, StudTree::new(*rules, detail)?);
    let (known, infosets) = (StudInfosets::new(&own, cards), StudInfosets::new(&game, cards));
    strategy.expect(&subject(&own, &trained.abstraction, cards), &known)?;
    let translation = Translation::new(game.tree(), own.tree());
    let subject = subject(&game, &format!("{}, translated to {name}", trained.abstraction), cards);
    strategy.write_translated(path, &subject, &infosets, |slot| {
        let (street, hand, place) = infosets.place_of(slot);
        let translated = translation.of(street, place);
        (known.slot_at((street, hand, translated.as_slot)), &translated.played_as)
    })?;
    Ok(())
}

/// The rule that [`translate`] can do without.
const DOUBLE_BET: &str = "fourth_street_double_bet";

/// The first rule that matters heads-up with deep stacks and differs, as it stands in both rule files.
fn difference(trained: &Rules, table: &Rules) -> Option<(String, String)> {
    difference_but(&["stack", "seats"], trained, table)
}

/// As [`difference`], with these rules left out.
fn difference_but(left_out: &[&str], trained: &Rules, table: &Rules) -> Option<(String, String)> {
    let lines = |rules: &Rules| -> Vec<String> {
        let matters = |line: &&str| !left_out.iter().any(|rule| line.split(" = ").next() == Some(rule));
        rules.to_toml().lines().filter(matters).map(String::from).collect()
    };
    let (trained, table) = (lines(trained), lines(table));
    let key = |line: &str| line.split(" = ").next().unwrap_or(line).to_string();
    let same_key = |lines: &[String], wanted: &str| {
        let found = lines.iter().find(|line| key(line) == wanted).cloned();
        found.unwrap_or_else(|| format!("no {wanted}"))
    };
    let missing =
        |from: &[String], others: &[String]| from.iter().find(|&line| !others.contains(line)).cloned();
    let differing = missing(&table, &trained).or_else(|| missing(&trained, &table))?;
    Some((same_key(&trained, &key(&differing)), same_key(&table, &key(&differing))))
}

#[cfg(test)]
pub(crate) mod tests;
