//! One module for each command.

pub(crate) mod abstraction;
pub(crate) mod bench;
pub(crate) mod compare;
pub(crate) mod equity;
pub(crate) mod eval;
pub(crate) mod exploit;
pub(crate) mod export;
mod fit;
pub(crate) mod info;
pub(crate) mod ledger;
pub(crate) mod matches;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod solve;
pub(crate) mod train;
