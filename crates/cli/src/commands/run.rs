//! `doorcard run`: the main job.

use crate::error::CliError;
use crate::experiment::{self, Existing, Experiment, Limits, Outcome, RunDir, STEP, Setup};
use crate::game;
use crate::ledger::{LedgerArgs, Sink};
use crate::output::Context;
use crate::signal;
use doorcard_report::{CurvePoint, MatchReport, MatchRow, Rung, ladder, table, units};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Build the abstraction, train, export, play against the bots, measure the ladder and write the report
///
/// The work goes to the run directory (runs/NAME). Running the same experiment again resumes where it stopped, or says
/// that it is done. Ctrl-C writes a checkpoint and stops.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  doorcard run experiments/quickstart.toml")]
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
    let threads = rayon::current_num_threads();
    let need = setup.check_memory(&experiment, threads)?;
    let dir = RunDir::open(&experiment)?;
    signal::install();

    context.line(format!("{}: {}", experiment.name, game::describe(&experiment.game.rules, 2)))?;
    context.line(format!("{}: {}", dir.root().display(), need.describe()))?;
    context.line("")?;

    let start = Instant::now();
    let (abstraction, cards) = experiment::build_cards(&experiment, &dir)?;
    step(context, "abstraction", cards, start, &file(&dir.abstraction()))?;

    let start = Instant::now();
    let training = experiment::train(
        &experiment,
        &dir,
        &setup,
        &abstraction,
        Existing::Resume,
        Limits { threads, seconds: None },
    )?;
    let last = dir.read_metrics()?.pop();
    let unit = experiment.training.solver.sampling().unit();
    step(
        context,
        "training",
        training,
        start,
        &last.map_or_else(String::new, |point| trained(&point, unit)),
    )?;

    let start = Instant::now();
    let export = experiment::export(&experiment, &dir, &setup, &abstraction)?;
    step(context, "export", export, start, &file(&dir.strategy()))?;

    let start = Instant::now();
    let mut ledger = Sink::new(args.ledger);
    let (matches, evaluation) = experiment::evaluate(&experiment, &dir, &mut ledger)?;
    step(context, "evaluation", evaluation, start, &evaluated(&matches))?;

    let start = Instant::now();
    let (ladder, climbing) = experiment::ladder(&experiment, &dir, &mut ledger)?;
    if experiment.evaluation.ladder.is_some() {
        step(context, "ladder", climbing, start, &ladder.describe())?;
    }

    let start = Instant::now();
    let (report, reporting) = experiment::report(&experiment, &dir, &setup, &abstraction, &matches, ladder)?;
    step(context, "report", reporting, start, &dir.report_html().display().to_string())?;

    let printed = context.result(&report, || {
        let rows: Vec<_> = matches.iter().map(|report| report.table[0].clone()).collect();
        let all = [cards, training, export, evaluation, climbing, reporting];
        let nothing_new = all.iter().all(|&outcome| outcome == Outcome::Reused);
        let done = if nothing_new { "everything was done before; " } else { "" };
        let played = format!("doorcard play {}", dir.strategy().display());
        let tables = results(&rows, &report.ladder);
        format!("\n{tables}\n{done}next: open {}, or {played}\n", dir.report_html().display())
    });
    ledger.finish().and(printed)
}

/// Prints the line of a step.
pub(super) fn step(
    context: Context,
    name: &str,
    outcome: Outcome,
    start: Instant,
    what: &str,
) -> Result<(), CliError> {
    let time = match outcome {
        Outcome::Reused => "already there".into(),
        Outcome::Done | Outcome::OutOfTime(_) => units::seconds(start.elapsed().as_secs_f64()),
    };
    context.line(format!("{name:<STEP$} {time:<14} {what}").trim_end())
}

/// A file and its length.
pub(super) fn file(path: &Path) -> String {
    let bytes = std::fs::metadata(path).map(|data| data.len()).unwrap_or(0);
    format!("{}, {}", path.display(), units::bytes(bytes))
}

/// Where training stands.
pub(super) fn trained(point: &CurvePoint, unit: &str) -> String {
    format!(
        "{} {unit}, {} nodes/s, per infoset {:.1} regret and {:.1} average visits",
        units::short(point.iteration as f64),
        units::short(point.nodes as f64 / point.seconds.max(1e-9)),
        point.regret_visits_per_infoset,
        point.average_visits_per_infoset
    )
}

/// The matches, and the ladder if there is one.
pub(super) fn results(rows: &[MatchRow], rungs: &[Rung]) -> String {
    let matches = table::list(rows);
    match rungs {
        [] => matches,
        rungs => format!("{matches}\n{}", ladder::text(rungs)),
    }
}

/// How many bots were beaten.
pub(super) fn evaluated(matches: &[MatchReport]) -> String {
    let wins = matches.iter().filter(|report| report.table[0].wins()).count();
    format!("beats {wins} of {} bots, the whole 95% interval above zero", matches.len())
}
