//! `doorcard train`: training alone.

use super::run::{file, step, trained};
use crate::error::CliError;
use crate::experiment::{self, Existing, Experiment, Limits, Outcome, RunDir, Setup};
use crate::output::Context;
use crate::signal;
use doorcard_report::units;
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
  doorcard train experiments/quickstart.toml --resume
  doorcard train experiments/quickstart.toml --seconds 30")]
pub(crate) struct Args {
    /// The experiment's file, or a run directory
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,

    /// Go on from the newest checkpoint
    #[arg(long)]
    resume: bool,

    /// Stop after this many seconds of training, to explore: where that is depends on the machine, which the
    /// checkpoint records; resumed to the end, the training gives the same bytes as any other
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    if let Some(seconds) = args.seconds
        && !(seconds > 0.0 && seconds.is_finite())
    {
        return Err(CliError::Usage(format!("--seconds {seconds}: expected a time above 0")));
    }
    let experiment = Experiment::load(&args.experiment)?;
    context.experiment_threads(experiment.training.threads)?;
    let setup = Setup::new(&experiment)?;
    let threads = rayon::current_num_threads();
    let need = setup.check_memory(&experiment, threads)?;
    let dir = RunDir::open(&experiment)?;
    signal::install();
    context.line(format!("{}: {}", dir.root().display(), need.describe()))?;

    let start = Instant::now();
    let (abstraction, outcome) = experiment::build_cards(&experiment, &dir)?;
    step(context, "abstraction", outcome, start, &file(&dir.abstraction()))?;

    let start = Instant::now();
    let existing = if args.resume { Existing::Resume } else { Existing::Refuse };
    let limits = Limits { threads, seconds: args.seconds };
    let outcome = experiment::train(&experiment, &dir, &setup, &abstraction, existing, limits)?;
    let unit = experiment.training.solver.sampling().unit();
    let points = dir.read_metrics()?;
    let last = points.last().map_or_else(String::new, |point| trained(point, unit));
    step(context, "training", outcome, start, &last)?;
    let path = args.experiment.display();
    let mut next = format!("next: doorcard export {path}\n");
    if let Outcome::OutOfTime(done) = outcome {
        context.line(format!(
            "time is up after {} of {} {unit}, a figure that does not repeat; a checkpoint is written",
            units::count(done),
            units::count(experiment.training.iterations)
        ))?;
        next = format!("{}, or doorcard train {path} --resume\n", next.trim_end());
    }
    context.result(&points, || next)
}
