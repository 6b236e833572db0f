//! Solving small games exactly: which game, which algorithm, the way to equilibrium and its files.

mod config;
mod curve;
mod dir;
mod games;
mod run;
mod schedule;
mod work;

pub(crate) use config::{Algorithm, Choices, Form, Precision, Rule, SolveConfig};
pub(crate) use curve::{Point, Units, small, table};
pub(crate) use dir::SolveDir;
pub(crate) use games::{LOSSLESS, Order, SmallGame, Solved};
pub(crate) use run::{Budget, Stop};
