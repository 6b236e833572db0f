//! `doorcard compare`: the difference of two results of the ledger.

use crate::error::CliError;
use crate::ledger::{self, DEFAULT};
use crate::output::{Context, write_json};
use doorcard_eval::stats::MeanCi;
use doorcard_ledger::{Comparison, Difference, LBR, Ledger, Recorded, Verdict};
use doorcard_report::table::{self, Align};
use doorcard_report::units;
use serde::Serialize;
use std::path::PathBuf;

/// Compare what two results of the ledger say of their players
///
/// Of two matches: what their players won of the same opponents. Of two measurements by local best response: what it won
/// of the two. A and B are numbers of results (doorcard ledger lists them), last (the first result of the last command
/// that added any), last~1 (of the one before), or names of players where these leave no choice.
///
/// Results made under different games, rules, seeds, hands, settings, opponents or versions are not compared: exit code 1,
/// and every difference is named. Where both results kept what every deal came to, the interval is that of the differences
/// deal by deal, in which the luck of the cards cancels.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  doorcard compare 12 15
  doorcard compare last last~1
  doorcard compare quickstart stud_high_10m")]
pub(crate) struct Args {
    /// The first result
    #[arg(value_name = "A")]
    first: String,

    /// The second result, which is taken away from the first
    #[arg(value_name = "B")]
    second: String,

    /// The ledger
    #[arg(long, value_name = "FILE", default_value = DEFAULT)]
    ledger: PathBuf,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    comparable: bool,
    first: Side<'a>,
    second: Side<'a>,
    /// Why not; empty if the results are compared.
    differences: &'a [Difference],
    #[serde(flatten)]
    result: Option<Figures>,
}

/// One of the results.
#[derive(Serialize)]
struct Side<'a> {
    id: i64,
    kind: &'a str,
    player: &'a str,
    fingerprint: Option<&'a str>,
    opponents: Vec<&'a str>,
    value_msb_per_hand: f64,
    ci95: f64,
}

/// The difference, the first minus the second.
#[derive(Serialize)]
struct Figures {
    /// `paired` or `unpaired`.
    method: &'static str,
    difference_msb_per_hand: f64,
    ci95: f64,
    /// The interval without pairing.
    unpaired_ci95: f64,
    /// How many times narrower pairing makes it; null where that is not known.
    narrower: Option<f64>,
    deals: u64,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    let ledger = Ledger::read(&args.ledger)?;
    let (first, second) = ledger.find_pair(&args.first, &args.second)?;
    match ledger.compare(&first, &second)? {
        Verdict::Compared(comparison) => {
            let report = report(&first, &second, &[], Some(figures(&comparison)));
            let option = ledger::option(&args.ledger);
            context.result(&report, || text(&first, &second, &comparison, &option))
        }
        Verdict::Refused(differences) => {
            if context.json {
                write_json(&report(&first, &second, &differences, None))?;
            }
            let lines: String = differences.iter().map(|difference| format!("\n  {difference}")).collect();
            Err(CliError::CheckFailed(format!(
                "results {} ({}) and {} ({}) were not made under the same conditions:{lines}",
                first.id,
                ledger::player(&first.entry),
                second.id,
                ledger::player(&second.entry)
            )))
        }
    }
}

fn report<'a>(
    first: &'a Recorded,
    second: &'a Recorded,
    differences: &'a [Difference],
    result: Option<Figures>,
) -> Report<'a> {
    let comparable = differences.is_empty();
    Report { comparable, first: side(first), second: side(second), differences, result }
}

fn side(result: &Recorded) -> Side<'_> {
    let entry = &result.entry;
    let others = entry.players.get(1..).unwrap_or_default();
    Side {
        id: result.id,
        kind: &entry.kind,
        player: ledger::player(entry),
        fingerprint: entry.players.first().and_then(|player| player.fingerprint.as_deref()),
        opponents: others.iter().map(|player| player.name.as_str()).collect(),
        value_msb_per_hand: entry.value_msb_per_hand,
        ci95: entry.ci95,
    }
}

fn figures(comparison: &Comparison) -> Figures {
    let difference = comparison.difference();
    Figures {
        method: if comparison.paired.is_some() { "paired" } else { "unpaired" },
        difference_msb_per_hand: difference.mean,
        ci95: difference.ci95,
        unpaired_ci95: comparison.unpaired.ci95,
        narrower: comparison.narrower(),
        deals: difference.count,
    }
}

fn text(first: &Recorded, second: &Recorded, comparison: &Comparison, option: &str) -> String {
    let columns = [
        ("", Align::Left),
        ("id", Align::Right),
        ("player", Align::Left),
        ("against", Align::Left),
        ("msb/h", Align::Right),
        ("95% CI", Align::Right),
    ];
    let line = |letter: &str, result: &Recorded| {
        let entry = &result.entry;
        let (id, player, against) = (result.id.to_string(), ledger::player(entry), ledger::against(entry));
        let (mean, ci95) = (entry.value_msb_per_hand, entry.ci95);
        vec![letter.into(), id, player.into(), against, units::signed(mean), ledger::half_width(ci95)]
    };
    let difference = comparison.difference();
    let (mean, ci95) = (units::signed(difference.mean), ledger::half_width(difference.ci95));
    let last = vec!["A - B".into(), String::new(), String::new(), String::new(), mean, ci95];
    let table = table::plain(&columns, vec![line("A", first), line("B", second), last]);
    let of = ledger::player(&first.entry);
    format!(
        "{table}\n{}\n{}\nnext: doorcard ledger --player {of}{option}\n",
        method(comparison),
        verdict(&first.entry.kind, difference)
    )
}

fn method(comparison: &Comparison) -> String {
    let Some(paired) = comparison.paired else {
        return "not paired, for what every deal came to was not kept of both: the interval takes the results for \
                independent"
            .into();
    };
    let unpaired = ledger::half_width(comparison.unpaired.ci95);
    let narrower = match comparison.narrower() {
        Some(narrower) if narrower > 1.0 => {
            format!(": the interval is {narrower:.2} times narrower than unpaired ({unpaired})")
        }
        Some(_) => format!(", which does not narrow the interval here (unpaired {unpaired})"),
        None => String::new(),
    };
    format!("paired over {} deals{narrower}", units::count(paired.count))
}

fn verdict(kind: &str, difference: MeanCi) -> String {
    let (low, high) = difference.interval();
    let what = match kind {
        LBR => ["more is won of A than of B", "less is won of A than of B"],
        _ => ["A wins more than B", "A wins less than B"],
    };
    if low > 0.0 {
        format!("{}: the whole interval lies above zero", what[0])
    } else if high < 0.0 {
        format!("{}: the whole interval lies below zero", what[1])
    } else {
        "not told apart: zero lies in the interval".into()
    }
}
