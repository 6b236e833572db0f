//! The command line.

use crate::commands;
use crate::error::CliError;
use crate::output::{self, Context};
use clap::{Parser, Subcommand};

/// Trains and tests bots for seven-card stud.
///
/// Cards are written `As Td 2c`; a hand with its hidden cards first: `AsAd/Kc`. Results are in msb/h: thousandths of a
/// small bet per hand. Exit codes: 0 ok, 1 a check failed, 2 bad input, 130 stopped by Ctrl-C.
#[derive(Parser)]
#[command(
    name = "doorcard",
    version,
    max_term_width = 100,
    after_help = "\
Start here:
  doorcard run experiments/quickstart.toml"
)]
pub(crate) struct Cli {
    /// Print JSON on standard output instead of text
    #[arg(long, global = true)]
    json: bool,

    /// Worker threads [default: one for each processor]; results do not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(commands::run::Args),
    Abstract(commands::abstraction::Args),
    Train(commands::train::Args),
    Export(commands::export::Args),
    Eval(commands::eval::Args),
    Report(commands::report::Args),
    Match(commands::matches::Args),
    Exploit(commands::exploit::Args),
    Ledger(commands::ledger::Args),
    Compare(commands::compare::Args),
    Equity(commands::equity::Args),
    Replay(commands::replay::Args),
    Play(commands::play::Args),
    Info(commands::info::Args),
    Bench(commands::bench::Args),
    Solve(commands::solve::Args),
}

impl Cli {
    /// Does what the command line asks for.
    pub(crate) fn run(self) -> Result<(), CliError> {
        let threads = self.threads.map(usize::from);
        if let Some(threads) = threads {
            output::limit_threads(threads)?;
        }
        let context = Context { json: self.json, threads };
        match self.command {
            Command::Run(args) => commands::run::run(args, context),
            Command::Abstract(args) => commands::abstraction::run(args, context),
            Command::Train(args) => commands::train::run(args, context),
            Command::Export(args) => commands::export::run(args, context),
            Command::Eval(args) => commands::eval::run(args, context),
            Command::Report(args) => commands::report::run(args, context),
            Command::Match(args) => commands::matches::run(args, context),
            Command::Exploit(args) => commands::exploit::run(args, context),
            Command::Ledger(args) => commands::ledger::run(args, context),
            Command::Compare(args) => commands::compare::run(args, context),
            Command::Equity(args) => commands::equity::run(args, context),
            Command::Replay(args) => commands::replay::run(args, context),
            Command::Play(args) => commands::play::run(args, context),
            Command::Info(args) => commands::info::run(args, context),
            Command::Bench(args) => commands::bench::run(args, context),
            Command::Solve(args) => commands::solve::run(args, context),
        }
    }
}
