//! Best response, matches and their statistics.

mod error;
pub mod match_play;
pub mod stats;

pub use error::EvalError;
