//! The messages, as `PROTOCOL.md` describes them.

use super::connection::quoted;
use super::faults::{Fault, FaultKind};
use doorcard_cards::Card;
use doorcard_efg::Game;
use doorcard_games::stud::{Action, Betting, Chips, RulesConfig, SeatView, Street, StudTable, Variant};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The protocol's version. It changes when a bot that follows these messages could go wrong with the new ones.
pub const VERSION: u32 = 1;

/// The longest name of a bot in tables. Units: characters.
const MAX_NAME: usize = 40;

/// The first message on every connection.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "hello")]
pub(super) struct Hello<'a> {
    protocol: u32,
    program: &'static str,
    game: &'a str,
    rules: RulesConfig,
    seats: usize,
    stacks: Vec<Chips>,
    timeout_ms: u128,
}

impl Hello<'_> {
    pub(super) fn new<'a>(game: &'a str, table: &StudTable, timeout: Duration) -> Hello<'a> {
        let seats = table.players();
        Hello {
            protocol: VERSION,
            program: concat!("doorcard ", env!("CARGO_PKG_VERSION")),
            game,
            rules: table.rules().config(),
            seats,
            stacks: (0..seats).map(|seat| table.stack(seat)).collect(),
            timeout_ms: timeout.as_millis(),
        }
    }
}

/// A decision to make, with everything that its seat may know.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "act")]
pub(super) struct Act {
    id: u64,
    game: Summary,
    seat: usize,
    street: Street,
    down: Vec<String>,
    up: Vec<Vec<String>>,
    board: Option<String>,
    folded: Vec<usize>,
    stacks: Vec<Chips>,
    bets: Vec<Chips>,
    paid: Vec<Chips>,
    pot: Chips,
    to_call: Chips,
    bets_this_street: usize,
    opener: Option<usize>,
    history: Vec<Move>,
    luck: String,
    /// Last, so that a bot without a parser finds them after everything else.
    actions: Vec<Offer>,
}

/// The rules in short.
#[derive(Debug, Serialize)]
struct Summary {
    variant: Variant,
    betting: Betting,
    seats: usize,
    ante: Chips,
    bring_in: Chips,
    small_bet: Chips,
    big_bet: Chips,
}

/// What somebody did.
#[derive(Debug, Serialize)]
struct Move {
    street: Street,
    seat: usize,
    #[serde(flatten)]
    offer: Offer,
}

/// An action, on offer or done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Offer {
    action: Word,
    /// The player's bet on the street afterwards; nothing where the action leaves it as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<Chips>,
}

/// An action without its amount, in the words of [`Action`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Word {
    #[serde(rename = "fold")]
    Fold,
    #[serde(rename = "check")]
    Check,
    #[serde(rename = "call")]
    Call,
    #[serde(rename = "bring in")]
    BringIn,
    #[serde(rename = "raise to")]
    RaiseTo,
}

impl Offer {
    /// An action after which the player's bet on the street is `to`.
    fn new(action: Action, to: Chips) -> Offer {
        match action {
            Action::Fold => Offer { action: Word::Fold, amount: None },
            Action::Check => Offer { action: Word::Check, amount: None },
            Action::Call => Offer { action: Word::Call, amount: Some(to) },
            Action::BringIn => Offer { action: Word::BringIn, amount: Some(to) },
            Action::RaiseTo(to) => Offer { action: Word::RaiseTo, amount: Some(to) },
        }
    }

    fn fits(&self, reply: &Reply) -> bool {
        let same = |amount| self.amount.is_none_or(|mine| mine == amount);
        self.action == reply.action && reply.amount.is_none_or(same)
    }
}

impl Act {
    pub(super) fn new(view: &SeatView<'_>, id: u64, luck: u64) -> Act {
        let (rules, seats) = (view.rules(), view.players());
        let config = rules.config();
        let each = |chips: &dyn Fn(usize) -> Chips| (0..seats).map(chips).collect();
        let moves = view.history().iter().map(|event| Move {
            street: event.street(),
            seat: event.seat(),
            offer: Offer::new(event.action(), event.to()),
        });
        Act {
            id,
            game: Summary {
                variant: rules.variant(),
                betting: rules.betting(),
                seats,
                ante: config.ante,
                bring_in: rules.bring_in(),
                small_bet: rules.small_bet(),
                big_bet: rules.big_bet(),
            },
            seat: view.seat(),
            street: view.street(),
            down: texts(view.down_cards()),
            up: (0..seats).map(|seat| texts(view.up_cards(seat))).collect(),
            board: view.board().map(|card| card.to_string()),
            folded: (0..seats).filter(|&seat| view.folded(seat)).collect(),
            stacks: each(&|seat| view.stack(seat)),
            bets: each(&|seat| view.wager(seat)),
            paid: each(&|seat| view.paid(seat)),
            pot: view.pot(),
            to_call: view.to_call(),
            bets_this_street: view.bets_this_street(),
            opener: view.opener(),
            history: moves.collect(),
            luck: luck.to_string(),
            actions: offers(view),
        }
    }

    /// The place on the menu of the action that a bot replied with.
    ///
    /// # Errors
    /// If it is no reply to this request, or an action that is not on offer.
    pub(super) fn choice(&self, line: &[u8]) -> Result<usize, Fault> {
        let reply: Reply = parse(line, r#"{"action": "..."}"#)?;
        if let Some(echo) = reply.id.filter(|&echo| echo != self.id) {
            let what = format_args!("a reply with id {echo} to the request with id {}", self.id);
            return Err(Fault::new(FaultKind::Malformed, what));
        }
        let mut fitting = self.actions.iter().enumerate().filter(|(_, offer)| offer.fits(&reply));
        match (fitting.next(), fitting.next()) {
            (Some((place, _)), None) => Ok(place),
            (Some(_), Some(_)) => Err(Fault::new(
                FaultKind::Illegal,
                format_args!("{} without an amount, of which there are several", quoted(line)),
            )),
            (None, _) => {
                Err(Fault::new(FaultKind::Illegal, format_args!("{} is not on offer", quoted(line))))
            }
        }
    }
}

/// The menu of a decision.
fn offers(view: &SeatView<'_>) -> Vec<Offer> {
    let wager = view.wager(view.seat());
    let bring_in = view.legal().bring_in.unwrap_or(0);
    let to = |action| match action {
        Action::Call => wager + view.to_call(),
        Action::BringIn => wager + bring_in,
        _ => wager,
    };
    view.actions().into_iter().map(|action| Offer::new(action, to(action))).collect()
}

fn texts(cards: &[Card]) -> Vec<String> {
    cards.iter().map(Card::to_string).collect()
}

/// A bot's answer to [`Act`].
#[derive(Debug, Deserialize)]
struct Reply {
    action: Word,
    amount: Option<Chips>,
    id: Option<u64>,
}

/// A bot's answer to [`Hello`].
#[derive(Debug, Deserialize)]
struct Introduction {
    name: String,
}

/// The name that a bot gives itself, as far as it is fit for a table; nothing if nothing of it is.
///
/// # Errors
/// If it is no reply to [`Hello`].
pub(super) fn name(line: &[u8]) -> Result<Option<String>, Fault> {
    let Introduction { name } = parse(line, r#"{"name": "..."}"#)?;
    let fit: String = name.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
    let fit = fit.trim();
    Ok((!fit.is_empty()).then(|| fit.to_string()))
}

fn parse<'a, T: Deserialize<'a>>(line: &'a [u8], expected: &str) -> Result<T, Fault> {
    serde_json::from_slice(line).map_err(|error| {
        let what = format_args!("{} instead of {expected}: {error}", quoted(line));
        Fault::new(FaultKind::Malformed, what)
    })
}

/// A message as a line.
pub(super) fn line(message: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).expect("messages have string keys and plain values");
    line.push(b'\n');
    line
}
