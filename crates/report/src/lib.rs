//! What a run shows: the data of its report, an HTML page with plots, plain tables for terminals, and TensorBoard
//! scalars.
//!
//! [`RunReport`] is the data, and `report.json` is its JSON. [`html::page`] turns it into one self-contained page;
//! [`Comparison`] puts several runs on one.
//! This crate knows no poker: labels, groups and numbers come from the caller.

pub mod comparison;
pub mod cross_table;
mod error;
pub mod html;
pub mod ladder;
mod model;
pub mod plot;
pub mod table;
pub mod tensorboard;
pub mod units;

pub use comparison::Comparison;
pub use error::ReportError;
pub use model::{
    AbstractionSummary, ActionKind, AivatResult, Bound, ChartAction, ChartCell, ChartScenario, CrossCell,
    CurvePoint, Estimate, GameSummary, MatchReport, MatchRow, MilestonePoint, Ranked, RunReport, Rung, Sizes,
    StreetBuckets, ThirdStreetChart, TrainingSummary,
};
