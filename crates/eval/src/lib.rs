//! Best response, matches and their statistics.

pub mod best_response;
mod error;
pub mod exploitability;
pub mod match_play;
pub mod stats;

pub use error::EvalError;
