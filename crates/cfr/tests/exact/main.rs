//! Exact solvers against published values, against each other, and against themselves.

mod common;
mod convergence;
mod files;
mod forms;
mod merged;
mod openspiel;
mod parts;
mod sampling;
mod twin;
