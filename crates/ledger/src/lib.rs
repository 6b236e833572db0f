//! The ledger of results: what was measured, of whom, under which conditions; and what may be compared with what.
//!
//! A ledger is an SQLite file. [`Ledger::append`] adds [`Entry`]s, each with everything that it takes to measure again:
//! rules, seed, hands, settings, version of the program, and players with the fingerprints of their strategies; and with
//! one observation for each deal, so that results on the same deals are compared deal by deal.
//! [`Ledger::compare`] does that, and refuses where two results were not made under the same conditions.
//!
//! Entries are only ever added. Several processes may do so at once: each waits for the others.
//!
//! This crate knows no poker: rules are text that is equal or not. Units: thousandths of a small bet per hand.

mod compare;
mod entry;
mod error;
mod schema;
mod select;
mod store;

pub use compare::{Comparison, Difference, Verdict};
pub use entry::{Bound, EXPLOITER, Entry, LBR, MATCH, PlayerRecord, Recorded};
pub use error::LedgerError;
pub use store::{Filter, Ledger};
