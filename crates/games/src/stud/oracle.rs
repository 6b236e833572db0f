//! Hands of the replay oracle: JSON lines with every legal option and the final payoffs.
//!
//! The files were played with PokerKit 0.7.7 and checked by an independent referee (`crates/games/tests/data`). A hand
//! is replayed card by card and action by action; the first thing that differs is reported.

use super::{
    Action, Betting, BringIn, Chips, DoubleBet, Legal, Next, Pot, Raise, Rules, RulesConfig, State, Street,
    StudError, Variant,
};
use doorcard_cards::Card;
use serde::Deserialize;
use serde_json::Value;
use std::fmt;

/// A hand of an oracle file. The fields are those of the file; `notes` of no use here are kept as they are.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct OracleHand {
    pub id: String,
    pub variant: String,
    pub open_pair: DoubleBet,
    pub ante: Chips,
    pub bring_in: Chips,
    pub small_bet: Chips,
    pub big_bet: Chips,
    pub stacks: Vec<Chips>,
    pub deals: Vec<(usize, Option<usize>, String, How)>,
    pub actions: Vec<OracleAction>,
    pub board: Option<String>,
    pub pots: Vec<(Chips, Vec<usize>)>,
    pub won: Vec<Chips>,
    pub payoffs: Vec<Chips>,
    pub notes: serde_json::Map<String, Value>,
}

/// How a card of an oracle hand is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum How {
    Down,
    Up,
    Burn,
    Board,
}

/// An action of an oracle hand.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct OracleAction {
    pub street: usize,
    pub seat: usize,
    pub kind: String,
    pub amount: Chips,
    pub to: Chips,
    pub legal: OracleLegal,
}

/// What was possible at a point of an oracle hand.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct OracleLegal {
    pub fold: bool,
    pub call: Option<Chips>,
    pub bring_in: Option<Chips>,
    pub raise_min: Option<Chips>,
    pub raise_max: Option<Chips>,
    pub raise_to: Option<Vec<Chips>>,
}

/// The first point at which a replayed hand differs from its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Where: a deal, an action or a result.
    pub step: String,
    /// What the record says.
    pub expected: String,
    /// What the engine says.
    pub computed: String,
}

impl Mismatch {
    pub(super) fn new(
        step: impl fmt::Display,
        expected: impl fmt::Display,
        computed: impl fmt::Display,
    ) -> Mismatch {
        Mismatch { step: step.to_string(), expected: expected.to_string(), computed: computed.to_string() }
    }

    /// `Ok` if both are equal.
    pub(super) fn unless_equal<T: PartialEq + fmt::Debug>(
        step: impl fmt::Display,
        expected: T,
        computed: T,
    ) -> Result<(), Mismatch> {
        if expected == computed {
            return Ok(());
        }
        Err(Mismatch::new(step, format!("{expected:?}"), format!("{computed:?}")))
    }
}

impl OracleHand {
    /// The rules of the hand, with the oracle's conventions.
    ///
    /// # Errors
    /// If the variant is none of stud high, hi/lo or razz.
    pub fn rules(&self) -> Result<RulesConfig, StudError> {
        let (betting, variant) = variant_of_code(&self.variant).ok_or_else(|| StudError::Setting {
            origin: self.id.clone(),
            field: "variant",
            value: self.variant.clone(),
            expected: "F7S, F7S/8 or FR, or a pot-limit (P) or no-limit (N) game of the same kind".into(),
        })?;
        let config =
            RulesConfig::new(variant, betting, self.ante, BringIn::Chips(self.bring_in), self.small_bet);
        Ok(RulesConfig {
            big_bet: Some(self.big_bet),
            fourth_street_double_bet: Some(self.open_pair),
            ..config.oracle()
        })
    }

    /// Plays the hand through the engine, comparing at every step who acts, what is legal and what it costs, and at the
    /// end the pots.
    ///
    /// # Errors
    /// The first difference.
    pub fn replay(&self, rules: &Rules) -> Result<State, Mismatch> {
        let mut state = State::new(rules, &self.stacks)
            .map_err(|error| Mismatch::new("stacks", "a hand that can be played", error))?;
        let mut deals = self.deals.iter();
        let mut actions = self.actions.iter().enumerate();
        while let next @ (Next::Burn | Next::Board | Next::Down(_) | Next::Up(_) | Next::Act(_)) =
            state.next()
        {
            if let Next::Act(seat) = next {
                let Some((index, action)) = actions.next() else {
                    return Err(Mismatch::new("the end", "no action", next));
                };
                play(&mut state, seat, action, &format!("action {index}"))?;
            } else {
                let Some(deal) = deals.next() else {
                    return Err(Mismatch::new("the end", "no card", next));
                };
                place(&mut state, deal)?;
            }
        }
        let left = (deals.len(), actions.len());
        Mismatch::unless_equal("deals and actions left at the end", left, (0, 0))?;
        let expected: Vec<(Chips, Vec<usize>)> = self.pots.clone();
        let seats = |pot: &Pot| pot.seats.into_iter().collect();
        let computed = state.pots().iter().map(|pot| (pot.amount, seats(pot))).collect();
        Mismatch::unless_equal("pots", expected, computed)?;
        let board = state.board().map(|card| card.to_string());
        Mismatch::unless_equal("board", self.board.clone(), board)?;
        Ok(state)
    }

    /// Compares what each seat wins with the record.
    ///
    /// # Errors
    /// The first difference.
    pub fn compare_result(&self, state: &State) -> Result<(), Mismatch> {
        let won = state.settlement().won[..state.players()].to_vec();
        Mismatch::unless_equal("won", self.won.clone(), won)?;
        Mismatch::unless_equal("payoffs", self.payoffs.clone(), state.payoffs().to_vec())
    }
}

fn place(
    state: &mut State,
    (street, seat, card, how): &(usize, Option<usize>, String, How),
) -> Result<(), Mismatch> {
    let step = format!("dealing {card} on street {street}");
    let due = match state.next() {
        Next::Burn => (state.street().number(), None, How::Burn),
        Next::Board => (state.street().number(), None, How::Board),
        Next::Down(seat) => (state.street().number(), Some(seat), How::Down),
        Next::Up(seat) => (state.street().number(), Some(seat), How::Up),
        next => return Err(Mismatch::new(step, "a card", next)),
    };
    Mismatch::unless_equal(&step, (*street, *seat, *how), due)?;
    let parsed: Card = card.parse().map_err(|error| Mismatch::new(&step, "a card", error))?;
    state.deal(parsed).map_err(|error| Mismatch::new(&step, "a card of the deck", error))
}

fn play(state: &mut State, seat: usize, action: &OracleAction, step: &str) -> Result<(), Mismatch> {
    let place = (state.street().number(), seat);
    Mismatch::unless_equal(format!("{step}: street and seat"), (action.street, action.seat), place)?;
    let Some(legal) = state.legal() else {
        return Err(Mismatch::new(step, "an action", state.next()));
    };
    Mismatch::unless_equal(
        format!("{step}: legal"),
        action.legal.clone(),
        OracleLegal::of(legal, state.rules()),
    )?;
    let chosen = match action.kind.as_str() {
        "fold" => Action::Fold,
        "check" => Action::Check,
        "call" => Action::Call,
        "bring_in" => Action::BringIn,
        "complete" | "bet" | "raise" => Action::RaiseTo(action.to),
        other => return Err(Mismatch::new(step, other, "no such action")),
    };
    Mismatch::unless_equal(format!("{step}: kind"), action.kind.as_str(), kind(state, chosen))?;
    let before = state.stack(seat);
    state.apply(chosen).map_err(|error| Mismatch::new(step, chosen, error))?;
    let event = state.history()[state.history().len() - 1];
    let computed = (before - state.stack(seat), event.to());
    Mismatch::unless_equal(format!("{step}: amount and total wager"), (action.amount, action.to), computed)
}

/// What the oracle calls an action: the first full bet of third street is a completion, of other streets a bet.
fn kind(state: &State, action: Action) -> &'static str {
    match action {
        Action::Fold => "fold",
        Action::Check => "check",
        Action::Call => "call",
        Action::BringIn => "bring_in",
        Action::RaiseTo(_) if state.last_aggressor().is_some() => "raise",
        Action::RaiseTo(_) if state.street() == Street::Third => "complete",
        Action::RaiseTo(_) => "bet",
    }
}

impl OracleLegal {
    fn of(legal: &Legal, rules: &Rules) -> OracleLegal {
        let raise_to = match &legal.raise {
            Raise::Fixed(sizes) => sizes.to_vec(),
            Raise::None | Raise::Range { .. } => Vec::new(),
        };
        OracleLegal {
            fold: legal.fold,
            call: legal.call,
            bring_in: legal.bring_in,
            raise_min: legal.raise.min(),
            raise_max: legal.raise.max(),
            raise_to: (rules.betting() == Betting::Limit).then_some(raise_to),
        }
    }
}

/// The betting and the game of codes such as `F7S/8`: betting F, P or N and game 7S, 7S/8 or R.
pub(super) fn variant_of_code(code: &str) -> Option<(Betting, Variant)> {
    let betting = match code.get(..1)? {
        "F" => Betting::Limit,
        "P" => Betting::PotLimit,
        "N" => Betting::NoLimit,
        _ => return None,
    };
    let variant = match &code[1..] {
        "7S" => Variant::High,
        "7S/8" => Variant::HiLo8,
        "R" => Variant::Razz,
        _ => return None,
    };
    Some((betting, variant))
}
