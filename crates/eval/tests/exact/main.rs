//! Exact measures against published values and independent twins.

mod abstractions;
mod history;
mod public;
mod sequence_form;
mod strategies;
mod twins;
