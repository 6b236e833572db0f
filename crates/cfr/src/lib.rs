//! Counterfactual regret minimisation: tables, sampled traversals, trainer, checkpoints.
//!
//! Solvers here know no poker: they are generic over [`doorcard_efg::Game`] and [`doorcard_efg::Infosets`]. A
//! [`Trainer`] owns the [`Table`]s and runs [`external`] or [`outcome`] sampling in batches; [`checkpoint`] saves
//! and resumes it, [`strategy`] exports the average strategy for play.
//!
//! | module | what it does |
//! |---|---|
//! | [`regret`] | regret matching, sampling an action |
//! | [`discount`] | update rules as data: the weights of iterations or batches, and what becomes of old regrets |
//! | [`sampling`] | what the sampled traversals have in common |
//! | [`external`] | external sampling, with pruning |
//! | [`depth_first`] | external sampling for tables in the cache |
//! | [`outcome`] | outcome sampling, with baselines |
//! | [`exact`] | solvers that see the whole game: full tree, vectors of hands, CFR-BR |
//! | [`vector`] | vector external sampling over drawn boards |
//! | [`average`] | which average is accumulated where, and why it is right |
//! | `log`, `batch` | parallel batches whose result does not depend on threads |
//! | `forecast` | what their logs will take |
//! | [`trainer`] | the loop, observers, reasons to stop |

pub mod average;
mod batch;
pub mod checkpoint;
pub mod depth_first;
pub mod discount;
mod error;
pub mod exact;
pub mod external;
mod forecast;
mod layout;
mod log;
mod memory;
pub mod outcome;
mod prefetch;
mod real;
pub mod regret;
mod run;
pub mod sampling;
pub mod seed;
pub mod strategy;
mod table;
pub mod trainer;
pub mod vector;

pub use average::{AverageStrategy, CurrentStrategy, Source};
pub use checkpoint::{Checkpoint, Checkpoints};
pub use discount::UpdateRule;
pub use error::CfrError;
pub use forecast::predicted_log_bytes;
pub use layout::Layout;
pub use real::Real;
pub use regret::{MAX_ACTIONS, Row};
pub use sampling::{Pruning, Sampling};
pub use strategy::Strategy;
pub use table::{Regrets, Table};
pub use trainer::{
    Observer, Progress, Settings, State, StopReason, Subject, TableSummary, TrainConfig, Trainer,
};
