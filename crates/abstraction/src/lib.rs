//! Which stud situations a strategy tells apart: features, buckets, files.

mod abstraction;
mod against;
mod build;
mod cluster;
mod config;
mod error;
mod file;
mod infosets;
mod ladder;
mod private;
mod public;
mod reader;
mod scale;
mod sets;
mod situation;

pub use abstraction::Abstraction;
pub use config::{AbstractionConfig, CONFIGS, Family, StreetSizes};
pub use error::AbstractionError;
pub use file::{AbstractionHeader, KIND};
pub use infosets::{DealView, StudInfosets};
pub use situation::{BoardSituation, CardAbstraction, DealBuckets, Hidden, Situation};

#[cfg(test)]
mod tests;
