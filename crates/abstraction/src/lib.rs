//! Which stud situations a strategy tells apart: features, buckets, files.

mod config;
mod error;
mod infosets;
mod situation;

pub use config::{AbstractionConfig, CONFIGS, Family, StreetSizes};
pub use error::AbstractionError;
pub use infosets::{DealView, StudInfosets};
pub use situation::{BoardSituation, CardAbstraction, DealBuckets, Hidden, Situation};
