//! `doorcard export`: the average strategy of a finished training.

use super::run::{file, step};
use crate::error::CliError;
use crate::experiment::{self, Experiment, Outcome, RunDir, Setup};
use crate::game;
use crate::output::Context;
use doorcard_cfr::Strategy;
use doorcard_report::{table, units};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// Export the average strategy of the newest checkpoint, for playing
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  doorcard export experiments/quickstart.toml
  doorcard export runs/nodouble --game stud_bench")]
pub(crate) struct Args {
    /// The experiment's file, or a run directory
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,

    /// Write it besides for this game, which may differ in the double bet from the one it was trained for: bets of either
    /// size are then read as the one it knows
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    file: PathBuf,
    fingerprint: String,
    iteration: u64,
    bytes: u64,
    infosets: u64,
    average_rows: u64,
    regret_rows: u64,
    untouched_rows: u64,
    /// The same for the game of `--game`.
    #[serde(skip_serializing_if = "Option::is_none")]
    translated: Option<PathBuf>,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    let experiment = Experiment::load(&args.experiment)?;
    let game = args.game.as_deref().map(game::load).transpose()?;
    context.experiment_threads(experiment.training.threads)?;
    let setup = Setup::new(&experiment)?;
    setup.check_memory(&experiment, 1)?;
    let dir = RunDir::open(&experiment)?;
    let (abstraction, _) = experiment::build_cards(&experiment, &dir)?;
    let start = Instant::now();
    let outcome = experiment::export(&experiment, &dir, &setup, &abstraction)?;
    step(context, "export", outcome, start, &file(&dir.strategy()))?;

    let translated = game.map(|game| experiment::export_for(&dir, &game)).transpose()?;
    if let Some(path) = &translated {
        step(context, "translation", Outcome::Done, start, &file(path))?;
    }

    let strategy = Strategy::open(dir.strategy())?;
    let header = strategy.header();
    let report = Report {
        file: dir.strategy(),
        fingerprint: format!("{:016x}", strategy.container().fingerprint()),
        iteration: header.state.iterations,
        bytes: strategy.container().bytes(),
        infosets: header.rows,
        average_rows: header.average_rows,
        regret_rows: header.regret_rows,
        untouched_rows: header.untouched_rows,
        translated,
    };
    context.result(&report, || {
        let share = |rows: u64| {
            format!(
                "{} ({})",
                units::count(rows),
                units::percent(rows as f64 / report.infosets.max(1) as f64)
            )
        };
        let fields = table::fields(&[
            ("trained on", format!("{} {}", units::count(report.iteration), header.settings.sampling.unit())),
            ("infosets", units::count(report.infosets)),
            ("  average strategy", share(report.average_rows)),
            ("  current regrets, for want of an average", share(report.regret_rows)),
            ("  never visited, uniform", share(report.untouched_rows)),
        ]);
        let next = match &report.translated {
            None => format!("doorcard eval {}", args.experiment.display()),
            Some(path) => format!("doorcard exploit {}", path.display()),
        };
        format!("\n{fields}next: {next}\n")
    })
}
