//! `doorcard report`: the report of a run, written anew, or several runs on one page.

use crate::error::CliError;
use crate::experiment::{self, Experiment, RunDir, Setup, write_whole};
use crate::ledger::{LedgerArgs, Sink};
use crate::output::Context;
use crate::signal;
use doorcard_report::{Comparison, MatchReport, RunReport, comparison};
use std::fs;
use std::path::{Path, PathBuf};

/// Write the report of an experiment that has been trained and exported, or compare several
///
/// Of one experiment: report.html, report.json and the tables of its ladder, in its run directory. Matches and rungs that
/// are missing are played first. Of several, which must be of one game: comparison.html, comparison.json, comparison.csv
/// and comparison.tex in the folder of --out, made from their report.json files; those that are missing are made first.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  doorcard report experiments/quickstart.toml
  doorcard report runs/stud_high_10m runs/stud_high_1h --out comparison
  doorcard report runs/a runs/b --out comparison --match round_robin.json")]
pub(crate) struct Args {
    /// The experiments' files, or run directories
    #[arg(required = true, value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,

    /// Several experiments: the folder that the comparison is written to
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Several experiments: what `doorcard match ... --json` printed of their strategies, for its ranking and cross-table
    #[arg(long = "match", value_name = "FILE")]
    matches: Option<PathBuf>,

    #[command(flatten)]
    ledger: LedgerArgs,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    if let [experiment] = &args.experiments[..] {
        for (option, given) in [("--out", args.out.is_some()), ("--match", args.matches.is_some())] {
            if given {
                return Err(CliError::Usage(format!("{option}: expected two experiments or more")));
            }
        }
        return one(experiment, args.ledger, context);
    }
    let Some(out) = &args.out else {
        let message = format!("{} experiments: expected --out with a folder", args.experiments.len());
        return Err(CliError::Usage(message));
    };
    several(&args, out, context)
}

fn one(path: &Path, ledger: LedgerArgs, context: Context) -> Result<(), CliError> {
    let experiment = Experiment::load(path)?;
    context.experiment_threads(experiment.training.threads)?;
    signal::install();
    let mut ledger = Sink::new(ledger);
    let (report, dir) = make(&experiment, &mut ledger)?;
    let printed = context.result(&report, || {
        format!("wrote {}\nnext: open {}\n", dir.report_json().display(), dir.report_html().display())
    });
    ledger.finish().and(printed)
}

/// The report of a run, made from what is there and what is missing.
fn make(experiment: &Experiment, ledger: &mut Sink) -> Result<(RunReport, RunDir), CliError> {
    let setup = Setup::new(experiment)?;
    let dir = RunDir::open(experiment)?;
    let (abstraction, _) = experiment::build_cards(experiment, &dir)?;
    let (matches, _) = experiment::evaluate(experiment, &dir, ledger)?;
    let (ladder, _) = experiment::ladder(experiment, &dir, ledger)?;
    let (report, _) = experiment::report(experiment, &dir, &setup, &abstraction, &matches, ladder)?;
    Ok((report, dir))
}

fn several(args: &Args, out: &Path, context: Context) -> Result<(), CliError> {
    let experiments =
        args.experiments.iter().map(|path| Experiment::load(path)).collect::<Result<Vec<_>, _>>()?;
    let first = &experiments[0];
    for (path, experiment) in args.experiments.iter().zip(&experiments) {
        if experiment.judged_in().rules.to_toml() != first.judged_in().rules.to_toml() {
            let names = [experiment, first].map(|experiment| &experiment.judged_in().name);
            return Err(other_game(path, names[0], &args.experiments[0], names[1]));
        }
    }
    let matches = args.matches.as_deref().map(MatchReport::load).transpose()?;
    if let (Some(path), Some(report)) = (&args.matches, &matches)
        && report.game != first.judged_in().name
    {
        return Err(other_game(path, &report.game, &args.experiments[0], &first.judged_in().name));
    }
    context.experiment_threads(first.training.threads)?;
    signal::install();
    let mut ledger = Sink::new(args.ledger.clone());
    let mut reports = Vec::new();
    for experiment in &experiments {
        let written = RunDir::report_of(experiment);
        reports.push(match written.is_file() {
            true => RunReport::load(&written)?,
            false => make(experiment, &mut ledger)?.0,
        });
    }
    let compared = Comparison::new(reports, env!("CARGO_PKG_VERSION"), matches);
    fs::create_dir_all(out).map_err(CliError::io(out, "create"))?;
    for (name, contents) in [
        ("comparison.json", compared.to_json()),
        ("comparison.csv", comparison::csv(&compared)),
        ("comparison.tex", comparison::latex(&compared)),
        ("comparison.html", comparison::page(&compared)?),
    ] {
        write_whole(&out.join(name), contents.as_bytes())?;
    }
    let printed = context.result(&compared, || {
        let page = out.join("comparison.html");
        format!(
            "{}\nwrote {}, comparison.json, comparison.csv and comparison.tex\nnext: open {}\n",
            comparison::text(&compared),
            page.display(),
            page.display()
        )
    });
    ledger.finish().and(printed)
}

fn other_game(path: &Path, game: &str, first: &Path, expected: &str) -> CliError {
    let message = format!("its game is {game}: expected {expected}, the game of {}", first.display());
    CliError::Mismatch { path: path.into(), message }
}
