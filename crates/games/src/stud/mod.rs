//! Seven-card stud: high, hi/lo eight or better and razz; limit, pot-limit and no-limit; two to eight players.
//!
//! Seats are numbered clockwise from 0, the dealer's left: seat 0 is dealt to first and is "first in position".
//! Chips are integers. One engine plays every profile; where rule sources differ, the difference is a setting of
//! [`Rules`].

mod action;
mod betting;
mod dealing;
pub mod equity;
mod error;
mod format;
mod high_card;
mod history;
mod opener;
pub mod oracle;
pub mod phh;
mod pots;
mod profiles;
pub mod replay;
mod rules;
mod seats;
mod settings;
pub mod showdown;
mod small_hand;
mod state;
mod table;
pub mod tree;

pub use action::{Action, Legal, MAX_ACTIONS, Raise};
pub use error::{StudError, toml_fault};
pub use format::{Ranks, Streets, Suits};
pub use history::Event;
pub use opener::{bring_in, first_to_act, shows_pair};
pub use pots::{Pot, Settlement};
pub use profiles::PROFILES;
pub use rules::{BringIn, MAX_PLAYERS, MAX_STACK, Rules, RulesConfig};
pub use seats::SeatSet;
pub use settings::{
    Betting, Chips, CompletionSize, DoubleBet, ExhaustedDeck, Muck, OddChip, Permission, PotLimitCounts,
    Reopening, ShortAllIn, ShortBringIn, ShowFirst, Street, TieOddChips, Variant,
};
pub use state::{Next, State};
pub use table::{SeatView, ShuffledDeck, StudTable};

/// The most cards a player holds: four up, three down.
const MAX_HELD: usize = 7;
