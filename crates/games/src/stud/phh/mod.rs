//! Poker hand histories in the PHH format (TOML; Kim 2024, <https://phh.readthedocs.io>), read and written.
//!
//! The standard knows three stud games: `F7S`, `F7S/8` and `FR`. Pot-limit and no-limit games are written likewise
//! with `P` and `N` (and `min_bet`), which only this project reads. Rules that differ from those every reader of the
//! format assumes ([`RulesConfig::oracle`]) stand in a user-defined table `_rules` with the keys of a rules file.
//!
//! Other programs do not read `_rules`. A hand with such rules is a valid file whose `variant` says less than the
//! truth: with a double bet on an open pair (`fourth_street_double_bet`, which `F7S` and `F7S/8` do not have) PokerKit
//! refuses the bet as too large, and with other odd chips or pots its winnings differ. [`Hand::only_here`] says what
//! keeps others from reading a hand.
//!
//! Deviations: chips are whole numbers, all antes are equal, and a remark behind an action becomes an entry of its own.

mod play;
mod text;

pub use play::Replayed;
pub use text::{read, read_many, write, write_many, write_numbered};

use super::oracle::variant_of_code;
use super::{Action, Betting, Chips, Rules, RulesConfig, SeatSet, State, Street, StudError, Variant};
use doorcard_cards::Card;

/// What refuses other games.
const FORMAT: &str = "the hand history format (PHH)";

/// A recorded hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// The rules it was played by.
    pub rules: Rules,
    /// Starting stacks, seat 0 (`p1`) at the dealer's left. Units: chips.
    pub stacks: Vec<Chips>,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// The stacks afterwards, if recorded. Units: chips.
    pub finishing_stacks: Option<Vec<Chips>>,
    /// What each seat collected from the pots, if recorded. Units: chips.
    pub winnings: Option<Vec<Chips>>,
    /// All other fields: event, players and so on.
    pub info: toml::Table,
}

/// An entry of a hand's `actions`. A card is `None` if nobody recorded it (`??`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Cards for a seat, in the order dealt (`d dh p1 ????As`).
    Deal(usize, Vec<Option<Card>>),
    /// The card shared by all (`d db 7h`).
    Board(Option<Card>),
    /// An action (`p1 pb`, `p1 f`, `p1 cc`, `p1 cbr 200`).
    Act(usize, Recorded),
    /// A seat shows all its cards, or none: it mucks (`p1 sm`).
    Show(usize, Option<Vec<Option<Card>>>),
    /// A remark (`# text`).
    Note(String),
}

/// An action as PHH records it: checks and calls are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// `f`
    Fold,
    /// `cc`
    CheckOrCall,
    /// `pb`
    BringIn,
    /// `cbr N`: complete, bet or raise to `N` in all on this street. Units: chips.
    RaiseTo(Chips),
}

impl Hand {
    /// Whether it says how the hand ended for the players.
    pub fn has_result(&self) -> bool {
        self.finishing_stacks.is_some() || self.winnings.is_some()
    }

    /// Records a hand in progress or over. Down cards of seats outside `known` are written as unknown, unless they are
    /// shown in the end.
    ///
    /// # Errors
    /// If deck, streets or hands are not those of the standard game: the format knows no others.
    pub fn from_state(state: &State, known: SeatSet) -> Result<Hand, StudError> {
        state.rules().require_standard(FORMAT)?;
        let seats = 0..state.players();
        let mut events = state.history().iter().peekable();
        let mut steps = Vec::new();
        for street in Street::ALL.into_iter().take_while(|&street| street <= state.street()) {
            for seat in seats.clone() {
                let cards = dealt(state, street, seat, known.contains(seat));
                if !cards.is_empty() {
                    steps.push(Step::Deal(seat, cards));
                }
            }
            if street == Street::Seventh && state.board().is_some() {
                steps.push(Step::Board(state.board()));
            }
            while let Some(event) = events.next_if(|event| event.street() == street) {
                let recorded = match event.action() {
                    Action::Fold => Recorded::Fold,
                    Action::Check | Action::Call => Recorded::CheckOrCall,
                    Action::BringIn => Recorded::BringIn,
                    Action::RaiseTo(to) => Recorded::RaiseTo(to),
                };
                steps.push(Step::Act(event.seat(), recorded));
            }
        }
        for (seat, shows) in state.showdown() {
            let all =
                || Street::ALL.into_iter().flat_map(|street| dealt(state, street, seat, true)).collect();
            steps.push(Step::Show(seat, shows.then(all)));
        }
        let stacks: Vec<Chips> = seats.clone().map(|seat| state.stack(seat) + state.paid(seat)).collect();
        let finishing_stacks = state
            .is_over()
            .then(|| stacks.iter().zip(state.payoffs()).map(|(stack, won)| stack + won).collect());
        // The table's usual seats and stack say nothing about this hand.
        let rules = RulesConfig { seats: stacks.len(), stack: Some(stacks[0]), ..state.rules().config() };
        let rules = rules.check("a hand in progress").expect("its rules are valid");
        Ok(Hand { rules, stacks, steps, finishing_stacks, winnings: None, info: toml::Table::new() })
    }

    /// What other readers of the format do not know about the hand's game, in the words of a rules file; empty if they
    /// know all. Keys that make no difference to this hand are listed all the same.
    pub fn only_here(&self) -> Vec<String> {
        let (rules, assumed) = (as_table(self.rules.config()), as_table(self.assumed_rules()));
        let betting = self.rules.betting();
        let variant =
            (betting != Betting::Limit).then(|| format!("variant {}", code(betting, self.rules.variant())));
        let special = rules.iter().filter(|(key, value)| assumed.get(*key) != Some(value));
        variant.into_iter().chain(special.map(|(key, value)| format!("{key} = {value}"))).collect()
    }

    /// The rules that every reader of the format assumes for this hand's game and stakes.
    fn assumed_rules(&self) -> RulesConfig {
        assumed_rules(&self.rules, &self.stacks)
    }
}

/// What a street dealt to a seat.
fn dealt(state: &State, street: Street, seat: usize, known: bool) -> Vec<Option<Card>> {
    let hide = |card: &Card| known.then_some(*card);
    let down = state.down_cards(seat);
    let up = state.up_cards(seat);
    match street {
        Street::Third => down.iter().take(2).map(hide).chain(up.first().map(|&card| Some(card))).collect(),
        Street::Seventh => down.get(2).map(hide).into_iter().collect(),
        _ => up.get(street.index()).map(|&card| Some(card)).into_iter().collect(),
    }
}

fn assumed_rules(rules: &Rules, stacks: &[Chips]) -> RulesConfig {
    let stakes = RulesConfig::new(
        rules.variant(),
        rules.betting(),
        rules.ante(),
        super::BringIn::Chips(rules.bring_in()),
        rules.small_bet(),
    );
    let limit = rules.betting() == Betting::Limit;
    RulesConfig {
        big_bet: limit.then_some(rules.big_bet()),
        bet_cap: limit.then_some(4),
        fourth_street_double_bet: Some(super::DoubleBet::Off),
        seats: stacks.len(),
        stack: stacks.first().copied(),
        ..stakes.oracle()
    }
}

fn as_table(config: RulesConfig) -> toml::Table {
    toml::Table::try_from(config).expect("plain values")
}

/// The code of a game, such as `F7S/8`.
fn code(betting: Betting, variant: Variant) -> &'static str {
    const CODES: [&str; 9] = ["F7S", "F7S/8", "FR", "P7S", "P7S/8", "PR", "N7S", "N7S/8", "NR"];
    let found = CODES.into_iter().find(|code| variant_of_code(code) == Some((betting, variant)));
    found.expect("every game has a code")
}
