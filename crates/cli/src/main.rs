//! The `doorcard` command.

mod aivat;
mod args;
mod chart;
mod commands;
mod contest;
mod error;
mod experiment;
mod exploit;
mod game;
mod hands_out;
mod ledger;
mod output;
mod players;
mod progress;
mod signal;
mod solve;

use clap::Parser;
use error::CliError;
use std::process::ExitCode;

fn main() -> ExitCode {
    match args::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            match &error {
                CliError::BrokenPipe => {}
                CliError::Interrupted(message) => output::note(message),
                error => output::note(format!("error: {error}")),
            }
            error.exit_code()
        }
    }
}
