//! Best response, matches and their statistics.

pub mod best_response;
mod error;
pub mod exploitability;
pub mod match_play;
pub mod public;
pub mod standings;
pub mod stats;
mod tabulate;

pub use error::EvalError;
