//! `doorcard eval`: the exported strategy against the bots.

use super::run::results;
use crate::error::CliError;
use crate::experiment::{self, Experiment, RunDir};
use crate::ledger::{LedgerArgs, Sink};
use crate::output::Context;
use crate::signal;
use std::path::PathBuf;

/// Play an experiment's exported strategy against the bots of its evaluation
///
/// Results go to matches/BOT.json of the run directory, those of its ladder, if it has one, to ladder/; what was measured
/// with this strategy before is kept.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  doorcard eval experiments/quickstart.toml")]
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
    let dir = RunDir::open(&experiment)?;
    signal::install();
    let mut ledger = Sink::new(args.ledger);
    let (matches, _) = experiment::evaluate(&experiment, &dir, &mut ledger)?;
    let (ladder, _) = experiment::ladder(&experiment, &dir, &mut ledger)?;
    let printed = context.result(&matches, || {
        let rows: Vec<_> = matches.iter().map(|report| report.table[0].clone()).collect();
        let tables = results(&rows, &ladder.rungs);
        format!("{tables}\nnext: doorcard report {}\n", args.experiment.display())
    });
    ledger.finish().and(printed)
}
