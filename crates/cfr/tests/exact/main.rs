//! Exact solvers against published values, against each other, and against themselves.

mod common;
mod forms;
mod openspiel;
