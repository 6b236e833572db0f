//! Vector sampling over drawn boards: how heads-up stud is trained.
//!
//! An iteration draws a board ([`BoardGame`]) and walks it for each player. Boards are taken in batches against frozen
//! tables, so that the result does not depend on the number of threads. There are two ways to walk a board
//! ([`BoardTraversal`]):
//!
//! - *External sampling* finds the regrets of all the player's hands against a few single hands of the opponent, which
//!   draw their actions, and walks once more for the average strategy.
//! - *Public chance sampling* draws nothing besides the board: all hands of both players are in one walk of the whole
//!   betting.
//!
//! | file | what it does |
//! |---|---|
//! | `regrets.rs` | external sampling: the walk that finds regrets; start reading there |
//! | `average.rs` | external sampling: the walk that adds to the average strategy, and why that is unbiased |
//! | `public_chance.rs` | public chance sampling: the walk that does both |
//! | `lanes.rs` | arithmetic by groups of buckets, and the last round solved by buckets |
//! | `view.rs` | what a walk needs to know of a board |
//! | `listed.rs` | small games in the form this solver needs |
//! | `log.rs`, `tables.rs` | what walks have found, and how it gets into the tables |
//! | `trainer.rs` | batches, checkpoints, settings |

mod average;
mod lanes;
mod listed;
mod log;
mod public_chance;
mod regrets;
mod tables;
mod trainer;
mod view;

pub use listed::ListedBoards;
pub(crate) use tables::Numbers;
pub use tables::Precision;
pub(crate) use trainer::rows;
pub use trainer::{
    AverageFrom, BoardTrainer, BoardTraversal, ExternalSettings, VectorSettings, predicted_log_bytes,
    predicted_table_bytes,
};

#[cfg(test)]
mod tests;

#[cfg(doc)]
use doorcard_efg::BoardGame;
