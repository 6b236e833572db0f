//! `doorcard report`: the report of a run, written anew.

use crate::error::CliError;
use crate::experiment::{self, Experiment, RunDir, Setup};
use crate::ledger::{LedgerArgs, Sink};
use crate::output::Context;
use crate::signal;
use std::path::PathBuf;

/// Write report.html and report.json of an experiment that has been trained and exported
///
/// Matches that are missing are played first.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  doorcard report experiments/quickstart.toml")]
pub(crate) struct Args {
    /// The experiment's file, or a run directory
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,

    #[command(flatten)]
    ledger: LedgerArgs,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    let experiment = Experiment::load(&args.experiment)?;
    context.experiment_threads(experiment.training.threads)?;
    let setup = Setup::new(&experiment)?;
    let dir = RunDir::open(&experiment)?;
    signal::install();
    let (abstraction, _) = experiment::build_cards(&experiment, &dir)?;
    let mut ledger = Sink::new(args.ledger);
    let (matches, _) = experiment::evaluate(&experiment, &dir, &mut ledger)?;
    let (report, _) = experiment::report(&experiment, &dir, &setup, &abstraction, &matches)?;
    let printed = context.result(&report, || {
        format!("wrote {}\nnext: open {}\n", dir.report_json().display(), dir.report_html().display())
    });
    ledger.finish().and(printed)
}
