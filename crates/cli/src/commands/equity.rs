//! `doorcard equity`: what hands win on average.

use crate::error::CliError;
use crate::game;
use crate::output::Context;
use doorcard_cards::CardSet;
use doorcard_games::stud::Variant;
use doorcard_games::stud::equity::{self, Budget, Equity, EquityReport, HandSpec, Method};
use doorcard_report::table::{Align, plain};
use doorcard_report::units;
use serde::Serialize;

/// Say what share of the pot hands win on average when nobody folds
///
/// Exact where all deals can be counted in seconds, otherwise sampled. Cards in a hand: hidden ones, a slash, up cards;
/// ?? is unknown, and alone a hand of which nothing is known. Every hand is completed to seven cards from those that nobody holds and that are not dead.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  doorcard equity 2s2h2d 7c6c5c Th9h8h
  doorcard equity AsAd/Kc '??'
  doorcard equity --game stud_hilo8 'AsAd/Kc9h' '??/7h7c' --dead '2c 3d'")]
pub(crate) struct Args {
    /// The hands, two to eight of them
    #[arg(required = true, num_args = 2.., value_name = "HAND")]
    hands: Vec<String>,

    /// The game: a shipped profile's name or the path of a rules file
    #[arg(long, default_value = "stud_bench")]
    game: String,

    /// Cards that can no longer come
    #[arg(long, value_name = "CARDS")]
    dead: Option<String>,

    /// Half the width of the 95% confidence interval of a sampled answer, in percentage points
    #[arg(long, default_value_t = 0.05, value_name = "PERCENT")]
    precision: f64,

    /// Seed of a sampled answer
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    hands: &'a [String],
    dead: String,
    seed: u64,
    #[serde(flatten)]
    answer: &'a EquityReport,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    if !(0.001..=50.0).contains(&args.precision) {
        return Err(CliError::Usage(format!("--precision {}: expected 0.001 to 50", args.precision)));
    }
    let game = game::load(&args.game)?;
    game.rules.require_standard("equity")?;
    let hands = args.hands.iter().map(|hand| hand.parse()).collect::<Result<Vec<HandSpec>, _>>()?;
    let dead: CardSet = args.dead.as_deref().unwrap_or("").parse()?;
    let budget = Budget { samples: Budget::samples_for(args.precision / 100.0), ..Budget::default() };
    let variant = game.rules.variant();
    let answer = equity::equity(variant, &hands, dead, budget, args.seed)?;
    let report = Report {
        game: &game.name,
        hands: &args.hands,
        dead: dead.to_string(),
        seed: args.seed,
        answer: &answer,
    };
    context.result(&report, || text(&args.hands, variant, &answer))
}

fn text(hands: &[String], variant: Variant, answer: &EquityReport) -> String {
    let percent = |share: f64| format!("{:.2}", share * 100.0);
    type Column = (&'static str, fn(&Equity) -> f64);
    let columns: &[Column] = match variant {
        Variant::High | Variant::Razz => &[("equity", |e| e.equity), ("win", |e| e.win), ("tie", |e| e.tie)],
        Variant::HiLo8 => &[
            ("equity", |e| e.equity),
            ("scoop", |e| e.scoop),
            ("3/4", |e| e.three_quarters),
            ("half", |e| e.half),
            ("1/4", |e| e.quarter),
            ("high", |e| e.high),
            ("low", |e| e.low),
        ],
    };
    let sampled = answer.method == Method::Sampled;
    let mut head = vec![("hand, all in %", Align::Left)];
    head.extend(columns.iter().map(|(name, _)| (*name, Align::Right)));
    if sampled {
        head.insert(2, ("95% CI", Align::Right));
    }
    let rows = hands.iter().zip(&answer.players).map(|(hand, player)| {
        let mut row = vec![hand.clone()];
        row.extend(columns.iter().map(|(_, value)| percent(value(player))));
        if sampled {
            row.insert(2, format!("± {}", percent(player.ci95)));
        }
        row
    });
    let table = plain(&head, rows.collect());
    let deals = units::count(answer.deals);
    let method = if sampled { format!("sampled, {deals} deals") } else { format!("exact, {deals} deals") };
    let shared = if answer.shared_river { "; the last card is shared: the deck runs out" } else { "" };
    format!("{table}\n{method}{shared}\n")
}
