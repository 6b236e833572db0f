//! The `doorcard` command.

fn main() {}
