//! `doorcard train`: training alone.

use super::run::{file, step, trained};
use crate::error::CliError;
use crate::experiment::{self, Existing, Experiment, RunDir, Setup};
use crate::output::Context;
use crate::signal;
use std::path::PathBuf;
use std::time::Instant;

/// Train an experiment's strategy (building its abstraction first if need be)
///
/// Checkpoints, metrics.jsonl and TensorBoard scalars go to the run directory. Ctrl-C writes a checkpoint and stops. The
/// resumed training gives the same bytes as an uninterrupted one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  doorcard train experiments/quickstart.toml
  doorcard train experiments/quickstart.toml --resume")]
pub(crate) struct Args {
    /// The experiment's file, or a run directory
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,

    /// Go on from the newest checkpoint
    #[arg(long)]
    resume: bool,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    let experiment = Experiment::load(&args.experiment)?;
    context.experiment_threads(experiment.training.threads)?;
    let setup = Setup::new(&experiment)?;
    let need = setup.check_memory(&experiment)?;
    let dir = RunDir::open(&experiment)?;
    signal::install();
    context.line(format!("{}: {}", dir.root().display(), need.describe()))?;

    let start = Instant::now();
    let (abstraction, outcome) = experiment::build_cards(&experiment, &dir)?;
    step(context, "abstraction", outcome, start, &file(&dir.abstraction()))?;

    let start = Instant::now();
    let existing = if args.resume { Existing::Resume } else { Existing::Refuse };
    let outcome = experiment::train(&experiment, &dir, &setup, &abstraction, existing)?;
    let points = dir.read_metrics()?;
    let last = points.last().map_or_else(String::new, trained);
    step(context, "training", outcome, start, &last)?;
    context.result(&points, || format!("next: doorcard export {}\n", args.experiment.display()))
}
