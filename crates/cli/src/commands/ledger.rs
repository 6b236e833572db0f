//! `doorcard ledger`: the results there are.

use crate::error::CliError;
use crate::experiment::write_whole;
use crate::ledger::{self, DEFAULT};
use crate::output::Context;
use doorcard_ledger::{Filter, LBR, Ledger, Recorded};
use doorcard_report::cross_table::{csv_text, number};
use doorcard_report::table::{self, Align};
use doorcard_report::units;
use std::path::PathBuf;

/// Results in a table, unless another number is asked for.
const SHOWN: u32 = 20;

/// List the results that match, eval, exploit and run have added to the ledger
///
/// Each has a number, by which doorcard compare knows it. A result of a match is what its player won, one of local best
/// response what that won of its player; in msb/h (thousandths of a small bet per hand) with 95% confidence intervals.
/// --json and --csv have more: versions, fingerprints, settings, and --json the rules and configurations in full.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  doorcard ledger
  doorcard ledger --player quickstart --game stud_bench --last 50
  doorcard ledger --csv results.csv")]
pub(crate) struct Args {
    /// The last results alone [default: 20 in a table, all in --json and --csv]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    last: Option<u32>,

    /// Results of this game alone
    #[arg(long)]
    game: Option<String>,

    /// Results alone in which this player took part
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Write the results to a CSV file instead of a table
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    csv: Option<PathBuf>,

    /// The ledger
    #[arg(long, value_name = "FILE", default_value = DEFAULT)]
    ledger: PathBuf,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    let ledger = Ledger::read(&args.ledger)?;
    let table = !context.json && args.csv.is_none();
    let filter = Filter {
        game: args.game.map(|game| game.replace('-', "_")),
        player: args.player,
        last: args.last.or(table.then_some(SHOWN)),
    };
    let results = ledger.results(&filter)?;
    if let Some(path) = &args.csv {
        write_whole(path, csv(&results).as_bytes())?;
        return context.line(format!("{}: {} results", path.display(), units::count(results.len() as u64)));
    }
    let all = ledger.count(&Filter { last: None, ..filter })?;
    context.result(&results, || text(&results, all, &ledger::option(&args.ledger)))
}

fn text(results: &[Recorded], all: u64, option: &str) -> String {
    let columns = [
        ("id", Align::Right),
        ("UTC", Align::Left),
        ("kind", Align::Left),
        ("player", Align::Left),
        ("against", Align::Left),
        ("game", Align::Left),
        ("seed", Align::Right),
        ("hands", Align::Right),
        ("msb/h", Align::Right),
        ("95% CI", Align::Right),
    ];
    let line = |result: &Recorded| {
        let entry = &result.entry;
        vec![
            result.id.to_string(),
            // To the minute.
            result.time.get(..16).unwrap_or(&result.time).replace('T', " "),
            entry.kind.clone(),
            ledger::player(entry).into(),
            ledger::against(entry),
            entry.game.clone(),
            entry.seed.to_string(),
            units::count(entry.hands),
            units::signed(entry.value_msb_per_hand),
            ledger::half_width(entry.ci95),
        ]
    };
    let mut text = table::plain(&columns, results.iter().map(line).collect());
    let shown = results.len() as u64;
    text += &format!("\n{} of {} results", units::count(shown), units::count(all));
    text += &if shown < all { format!("; --last {all} shows all\n") } else { "\n".into() };
    if results.iter().any(|result| result.entry.kind == LBR) {
        text += "lbr: what local best response wins of the player, a lower bound on what it can lose\n";
    }
    text + &match results.len() {
        0 | 1 => "next: doorcard match rock call\n".to_string(),
        _ => format!("next: doorcard compare ID ID{option}\n"),
    }
}

fn csv(results: &[Recorded]) -> String {
    let head = [
        "id",
        "batch",
        "time",
        "version",
        "kind",
        "game",
        "rules_hash",
        "seed",
        "hands",
        "deals",
        "settings",
        "player",
        "fingerprint",
        "iteration",
        "abstraction",
        "abstraction_fingerprint",
        "opponents",
        "opponent_fingerprints",
        "msb_per_hand",
        "ci95",
        "bound",
        "per_deal",
    ];
    let mut records = vec![head.map(String::from).to_vec()];
    records.extend(results.iter().map(record));
    csv_text(&records)
}

fn record(result: &Recorded) -> Vec<String> {
    let entry = &result.entry;
    let own = entry.players.first().cloned().unwrap_or_default();
    let others = entry.players.get(1..).unwrap_or_default();
    let joined = |parts: Vec<&str>| parts.join(";");
    vec![
        result.id.to_string(),
        result.batch.to_string(),
        result.time.clone(),
        entry.version.clone(),
        entry.kind.clone(),
        entry.game.clone(),
        result.rules_hash.clone(),
        entry.seed.to_string(),
        entry.hands.to_string(),
        entry.deals.to_string(),
        serde_json::to_string(&entry.settings).expect("settings have string keys and plain values"),
        own.name,
        own.fingerprint.unwrap_or_default(),
        own.iteration.map_or_else(String::new, |iteration| iteration.to_string()),
        own.abstraction.unwrap_or_default(),
        own.abstraction_fingerprint.unwrap_or_default(),
        joined(others.iter().map(|player| player.name.as_str()).collect()),
        joined(others.iter().map(|player| player.fingerprint.as_deref().unwrap_or_default()).collect()),
        number(entry.value_msb_per_hand),
        number(entry.ci95),
        entry.bound.word().into(),
        result.per_deal.to_string(),
    ]
}
