//! The binary as its users see it: exit codes, messages, JSON, files.

mod commands;
mod common;
#[cfg(unix)]
mod external;
mod judge;
mod ladder;
mod ledger;
mod run;
mod solve;
