//! The solver on games whose solution is known, against exact values, and against itself.

mod common;
mod convergence;
mod estimator;
mod exploitation;
mod files;
mod reproducible;
mod speed;
