//! What a run shows: the data of its report, an HTML page with plots, plain tables for terminals, and TensorBoard
//! scalars.
//!
//! [`RunReport`] is the data, and `report.json` is its JSON. [`html::page`] turns it into one self-contained page.
//! This crate knows no poker: labels, groups and numbers come from the caller.

pub mod cross_table;
mod error;
pub mod html;
mod model;
pub mod plot;
pub mod table;
pub mod tensorboard;
pub mod units;

pub use error::ReportError;
pub use model::{
    AbstractionSummary, ActionKind, AivatResult, ChartAction, ChartCell, ChartScenario, CrossCell,
    CurvePoint, GameSummary, MatchReport, MatchRow, Ranked, RunReport, Sizes, StreetBuckets,
    ThirdStreetChart, TrainingSummary,
};
