//! `doorcard abstract`: the card abstraction alone.

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

/// Build a card abstraction
///
/// For an experiment, it is built into the run directory. With --out, a configuration of its own is built for a game
/// into a file.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  doorcard abstract experiments/quickstart.toml
  doorcard abstract default_kmeans --game razz --out razz.dcab")]
pub(crate) struct Args {
    /// An experiment's file or a run directory; with --out, a shipped abstraction's name or the path of its TOML
    #[arg(value_name = "EXPERIMENT|ABSTRACTION")]
    config: PathBuf,

    /// Write the abstraction to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The game, with --out: a shipped profile's name or the path of a rules file
    #[arg(long, default_value = "stud_bench", requires = "out")]
    game: String,
}

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
    signal::install();
    let start = Instant::now();
    let (abstraction, outcome, path, predicted) = match args.out {
        Some(out) => {
            let config = load_config(&args.config)?;
            let rules = game::load(&args.game)?.rules;
            Abstraction::supports(&rules)?;
            check_writable(&out)?;
            let predicted = Abstraction::predicted_bytes(&config, &rules);
            context.line(format!("predicted size {}", units::bytes(predicted)))?;
            let abstraction = experiment::build_with_progress(&config, &rules);
            abstraction.save(&out)?;
            (abstraction, Outcome::Done, out, predicted)
        }
        None => {
            let experiment = Experiment::load(&args.config)?;
            context.experiment_threads(experiment.training.threads)?;
            let need = Setup::new(&experiment)?.check_memory(&experiment, rayon::current_num_threads())?;
            context.line(format!("predicted size {}", units::bytes(need.abstraction)))?;
            let dir = RunDir::open(&experiment)?;
            let (abstraction, outcome) = experiment::build_cards(&experiment, &dir)?;
            (abstraction, outcome, dir.abstraction(), need.abstraction)
        }
    };
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
fn check_writable(file: &Path) -> Result<(), CliError> {
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
