//! `doorcard abstract`: the card abstraction alone.

use super::fit;
use super::run::{file, step};
use crate::error::CliError;
use crate::experiment::{self, Experiment, Outcome, RunDir, Setup};
use crate::output::Context;
use crate::{game, signal};
use doorcard_abstraction::{Abstraction, AbstractionConfig, CardAbstraction};
use doorcard_games::stud::Street;
use doorcard_report::table::{Align, plain};
use doorcard_report::units;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Build a card abstraction, or propose one
///
/// For an experiment, it is built into the run directory. With --out, a configuration of its own is built for a game
/// into a file. With --fit, nothing is built: a configuration is proposed with which training takes the memory given, and
/// written to --out or shown.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  doorcard abstract experiments/quickstart.toml
  doorcard abstract default_kmeans --game razz --out razz.dcab
  doorcard abstract --fit 4GiB --history counts --out cards.toml
  doorcard abstract default_ochs --fit 1GiB --json")]
pub(crate) struct Args {
    /// An experiment's file or a run directory; with --out or --fit, a shipped abstraction's name or the path of its
    /// TOML [with --fit: default]
    #[arg(value_name = "EXPERIMENT|ABSTRACTION", required_unless_present = "fit")]
    config: Option<PathBuf>,

    /// Write the abstraction, with --fit the configuration proposed, to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The game, with --out or --fit: a shipped profile's name or the path of a rules file [default: stud_bench]
    #[arg(long)]
    game: Option<String>,

    #[command(flatten)]
    fit: fit::FitArgs,
}

const GAME: &str = "stud_bench";

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    file: PathBuf,
    fingerprint: String,
    predicted_bytes: u64,
    bytes: u64,
    streets: Vec<StreetReport>,
}

#[derive(Serialize)]
struct StreetReport {
    street: String,
    public: usize,
    private: usize,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    let game = args.game.as_deref();
    match (args.fit.memory(), args.config, args.out) {
        (Some(memory), config, out) => {
            let base = load_config(config.as_deref().unwrap_or("default".as_ref()))?;
            let game = game::load(game.unwrap_or(GAME))?;
            args.fit.run(&base, &game, memory, out.as_deref(), context)
        }
        (None, Some(config), Some(out)) => build_alone(&config, game.unwrap_or(GAME), out, context),
        (None, Some(config), None) if game.is_none() => build_for_experiment(&config, context),
        _ => Err(CliError::Usage("--game: an experiment names its own; expected with --out or --fit".into())),
    }
}

/// Builds a configuration of its own.
fn build_alone(config: &Path, game: &str, out: PathBuf, context: Context) -> Result<(), CliError> {
    signal::install();
    let start = Instant::now();
    let config = load_config(config)?;
    let rules = game::load(game)?.rules;
    Abstraction::supports(&rules)?;
    check_writable(&out)?;
    let predicted = Abstraction::predicted_bytes(&config, &rules);
    context.line(format!("predicted size {}", units::bytes(predicted)))?;
    let abstraction = experiment::build_with_progress(&config, &rules);
    abstraction.save(&out)?;
    tell(&abstraction, Outcome::Done, start, out, predicted, context)
}

/// Builds that of an experiment, or finds it built.
fn build_for_experiment(config: &Path, context: Context) -> Result<(), CliError> {
    signal::install();
    let start = Instant::now();
    let experiment = Experiment::load(config)?;
    context.experiment_threads(experiment.training.threads)?;
    let need = Setup::new(&experiment)?.check_memory(&experiment, rayon::current_num_threads())?;
    context.line(format!("predicted size {}", units::bytes(need.abstraction)))?;
    let dir = RunDir::open(&experiment)?;
    let (abstraction, outcome) = experiment::build_cards(&experiment, &dir)?;
    tell(&abstraction, outcome, start, dir.abstraction(), need.abstraction, context)
}

fn tell(
    abstraction: &Abstraction,
    outcome: Outcome,
    start: Instant,
    path: PathBuf,
    predicted: u64,
    context: Context,
) -> Result<(), CliError> {
    step(context, "abstraction", outcome, start, &file(&path))?;
    let streets: Vec<StreetReport> = Street::ALL
        .into_iter()
        .map(|street| StreetReport {
            street: format!("{street:?}").to_lowercase(),
            public: abstraction.public_buckets(street),
            private: abstraction.private_buckets(street),
        })
        .collect();
    let report = Report {
        fingerprint: format!("{:016x}", abstraction.fingerprint()),
        predicted_bytes: predicted,
        bytes: std::fs::metadata(&path).map_err(CliError::io(&path, "read"))?.len(),
        file: path,
        streets,
    };
    context.result(&report, || {
        let columns =
            [("street", Align::Left), ("public buckets", Align::Right), ("private in each", Align::Right)];
        let rows = report
            .streets
            .iter()
            .map(|street| vec![street.street.clone(), street.public.to_string(), street.private.to_string()]);
        format!("\n{}\nfingerprint {}\n", plain(&columns, rows.collect()), report.fingerprint)
    })
}

/// Refuses a file that could not be written once the work is done.
pub(super) fn check_writable(file: &Path) -> Result<(), CliError> {
    if file.is_dir() || file.file_name().is_none() {
        return Err(CliError::Usage(format!("--out {}: expected the name of a file", file.display())));
    }
    let folder = match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    tempfile::tempfile_in(folder).map(drop).map_err(CliError::io(file, "create a file beside"))
}

fn load_config(path: &Path) -> Result<AbstractionConfig, CliError> {
    if path.extension().is_some_and(|e| e == "toml") || path.components().count() > 1 {
        Ok(AbstractionConfig::load(path)?)
    } else {
        Ok(AbstractionConfig::named(&path.display().to_string())?)
    }
}
