//! The binary as its users see it: exit codes, messages, JSON, files.

mod commands;
mod common;
mod ledger;
mod run;
mod solve;
