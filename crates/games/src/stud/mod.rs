//! Seven-card stud: high, hi/lo eight or better and razz; limit, pot-limit and no-limit; two to eight players.
//!
//! Seats are numbered clockwise from 0, the dealer's left: seat 0 is dealt to first and is "first in position".
//! Chips are integers. One engine plays every profile; where rule sources differ, the difference is a setting of
//! [`Rules`].
//!
//! # Mini-stud
//! Rules may have a smaller deck, fewer streets and fewer cards to a hand. Bring-in, completion, ties of door cards,
//! openers, the double bet on an open pair and the cap stay as they are, so that solvers are proven exact on games that
//! the same engine plays. The members shipped in `configs/games` (`d` down, `u` up; each card listed as in
//! [`RulesConfig::streets`]):
//!
//! | profile | seats | deck | streets | a hand | bets | deals | decisions | infosets |
//! |---|---|---|---|---|---|---|---|---|
//! | `mini_high` | 2 | QKA in 2 suits | du, u | best 2, pairs | 2 | 720 | 33,120 | 29,520 |
//! | `mini_hilo` | 2 | A23K in 2 suits | du, u | best 2, pairs; low of 3 | 2 | 20,160 | 881,280 | 255,456 |
//! | `mini_river` | 2 | TJKA in 2 suits | du, d | best 2, pairs and straights | 2 | 20,160 | 725,760 | 52,416 |
//! | `mini_three` | 2 | JQKA in 2 suits | du, u, d | best 3, all shapes | 1 | 40,320 | 2,407,680 | 942,528 |
//! | `mini_nine` | 2 | QKA in 3 suits | du, u, d | best 3, all shapes | 1 | 362,880 | 18,869,760 | 2,360,736 |
//! | `mini_razz` | 2 | A23 in 2 suits | du, u | best 2 for low | 2 | 720 | 25,920 | 22,320 |
//! | `mini_high_3` | 3 | QKA in 2 suits | du | best 2, pairs | 2 | 720 | 25,920 | 12,960 |
//!
//! Bets are the cap of a round; deals the orders in which the cards of a hand can come ([`StudTable::deals`]); decisions
//! those of all deals together; infosets those of all seats, suits not merged ([`TableInfosets`]). The six-card members and
//! `mini_three` deal the whole deck: on their last street a player who has counted knows the opponent's cards, and has
//! secrets to reckon with on the streets before. In `mini_hilo`, `mini_river` and `mini_nine` cards stay in the deck.
//! Flushes can decide in `mini_nine` alone.
//!
//! What the heads-up members are worth to seat 0, by linear programs over sequences whose solutions best responses gain
//! nothing against (`crates/eval/tests/exact/members.rs`), and the nash_conv of uniform play. Units: chips a hand. Seats
//! differ only in who opens on equal hands, so that most members are even:
//!
//! | profile | value | nash_conv of uniform play |
//! |---|---|---|
//! | `mini_high` | 0 | 237.283951 |
//! | `mini_hilo` | -0.000197135 | 214.130199 |
//! | `mini_river` | -0.13436822 | 205.667438 |
//! | `mini_three` | 0 | 233.031443 |
//! | `mini_nine` | 0.00, by best responses to a solution alone | 203.339361 |
//! | `mini_razz` | 0 | 215.385802 |

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
mod table_infosets;
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
pub use table_infosets::TableInfosets;

/// The most cards a player holds: four up, three down.
const MAX_HELD: usize = 7;
