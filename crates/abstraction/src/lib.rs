//! Which stud situations a strategy tells apart: features, buckets, files.

mod config;
mod error;
mod situation;

pub use config::{AbstractionConfig, CONFIGS, Family, StreetSizes};
pub use error::AbstractionError;
pub use situation::{BoardSituation, CardAbstraction, DealBuckets, Hidden, Situation};
