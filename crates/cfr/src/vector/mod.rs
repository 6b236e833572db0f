//! Vector external sampling over drawn boards: how heads-up stud is trained.
//!
//! An iteration draws a board ([`BoardGame`]) and walks it for each player: once for the regrets of all the player's
//! hands against a few single hands of the opponent ([`regrets`](self)), once for the average strategy. Boards are
//! taken in batches against frozen tables, so that the result does not depend on the number of threads.
//!
//! | file | what it does |
//! |---|---|
//! | `regrets.rs` | the walk that finds regrets; start reading there |
//! | `average.rs` | the walk that adds to the average strategy, and why that is unbiased |
//! | `lanes.rs` | arithmetic by groups of buckets, and the last round solved by buckets |
//! | `view.rs` | what a walk needs to know of a board |
//! | `listed.rs` | small games in the form this solver needs |
//! | `log.rs`, `tables.rs` | what walks have found, and how it gets into the tables |
//! | `trainer.rs` | batches, checkpoints, settings |

mod average;
mod lanes;
mod listed;
mod log;
mod regrets;
mod tables;
mod trainer;
mod view;

pub use listed::ListedBoards;
pub(crate) use tables::Numbers;
pub use tables::Precision;
pub(crate) use trainer::rows;
pub use trainer::{AverageFrom, BoardTrainer, VectorSettings, predicted_log_bytes, predicted_table_bytes};

#[cfg(test)]
mod tests;

#[cfg(doc)]
use doorcard_efg::BoardGame;
