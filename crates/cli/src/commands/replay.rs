//! `doorcard replay`: recorded hands through the rules engine, step by step.

use crate::error::CliError;
use crate::output::Context;
use doorcard_games::stud::replay::{self, Difference, Unreadable};
use doorcard_report::units;
use std::path::PathBuf;

/// Differences printed for people; --json has all.
const SHOWN: usize = 10;

/// Play hand histories through the rules engine and compare every step
///
/// Takes .phh and .phhs files, the oracle's .jsonl and .jsonl.gz, and folders of them. Who acts, what is legal, pots and
/// payoffs are compared as far as the file records them. Exit code 1 if a hand differs, 2 if a file cannot be read (the
/// others are played all the same).
#[derive(clap::Args)]
#[command(after_help = "\
Oracle files are played under the oracle's conventions, hand histories under their own, unless --rules says otherwise.

Examples:
  doorcard replay crates/games/tests/data
  doorcard replay hands.phhs --rules merge_pots=false --rules tie_odd_chips=one_each")]
pub(crate) struct Args {
    /// Files and folders
    #[arg(required = true, value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,

    /// Change a rule, as in a rules file; may be given more than once
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_rule)]
    rules: Vec<(String, String)>,
}

fn parse_rule(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE, such as merge_pots=false")?;
    Ok((key.trim().into(), value.trim().into()))
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    let report = replay::replay(&args.paths, &args.rules)?;
    if report.hands == 0 && report.unreadable.is_empty() {
        let message = "no hands in .phh, .phhs, .jsonl or .jsonl.gz files there".into();
        return Err(CliError::Mismatch { path: args.paths[0].clone(), message });
    }
    let of = format!("{} of {} hands", units::count(report.equal as u64), units::count(report.hands as u64));
    context.result(&report, || {
        let mut text = String::new();
        for Difference { source, index, step, expected, computed } in report.different.iter().take(SHOWN) {
            text += &format!(
                "{source}, hand {index}, {step}\n  expected  {expected}\n  computed  {computed}\n\n"
            );
        }
        if report.different.len() > SHOWN {
            text += &format!("and {} more; --json lists all\n\n", report.different.len() - SHOWN);
        }
        for Unreadable { message, .. } in &report.unreadable {
            text += &format!("not read: {message}\n");
        }
        text += &format!("{of} replayed equal");
        match report.hands - report.with_payoffs {
            0 => text += "\n",
            without => {
                let without = units::count(without as u64);
                text +=
                    &format!("; {without} of the hands do not say what they paid: payoffs not compared\n");
            }
        }
        text
    })?;
    if let Some(Unreadable { message, .. }) = report.unreadable.first() {
        let files = match report.unreadable.len() {
            1 => "1 file".into(),
            n => format!("{n} files"),
        };
        return Err(CliError::Usage(format!("{files} not read: {message}")));
    }
    match report.different.len() {
        0 => Ok(()),
        _ => Err(CliError::CheckFailed(format!("only {of} agree with their records"))),
    }
}
