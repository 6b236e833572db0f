//! Baseline stud players and the player of a trained strategy.
//!
//! All of them are [`Agent`]s of a [`StudTable`](doorcard_games::stud::StudTable): they see what their seat sees and
//! choose from the menu by index. The rule-based ones play every profile of the standard game with two to eight
//! seats; [`by_name`] finds them. Those that do not look at cards (all but `fold`, `rock` and `equity`) play other
//! decks and streets too.
//!
//! | name | how it plays |
//! |---|---|
//! | `uniform` | [every action with equal chance](Uniform) |
//! | `call` | [never folds, never bets](CallingStation) |
//! | `raise` | [bets and raises whenever it may](Maniac) |
//! | `fold` | [calls with a made hand, folds without](Nit) |
//! | `always_fold` | [folds whenever it may](AlwaysFold) |
//! | `rock` | [tight and aggressive, by rules](Rock) |
//! | `equity` | [pot odds against random cards](Equity) |
//!
//! [`StrategyPlayer`] plays a trained strategy. [`LocalBestResponse`] bounds from below what a strategy, or a baseline
//! that does not hide its chances, can lose to somebody who knows it. [`ExternalBot`](external::ExternalBot) is a player
//! in a program of its own, in any language.

mod aivat;
mod equity;
pub mod external;
mod lbr;
mod menu;
mod outlook;
mod reading;
mod registry;
mod rock;
mod simple;
mod spot;
mod strategy;

pub use aivat::{Aivat, Estimate, Fit, Players, Ranged, Values};
pub use doorcard_efg::Agent;
pub use equity::Equity;
pub use lbr::{Decision, KnownBaseline, KnownPlayer, KnownPolicy, LocalBestResponse, Seen};
pub use registry::{BotError, NAMES, by_name};
pub use rock::Rock;
pub use simple::{AlwaysFold, CallingStation, Maniac, Nit, Uniform};
pub use strategy::{
    ABSTRACTION_FILE, DecisionCounter, Decisions, Drawn, StrategyPlayer, history, probabilities, subject,
    translate,
};
