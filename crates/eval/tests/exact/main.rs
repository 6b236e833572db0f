//! Exact measures against published values and independent twins.

mod abstractions;
mod history;
mod members;
mod mini_stud;
mod public;
mod sequence_form;
mod strategies;
mod twins;
