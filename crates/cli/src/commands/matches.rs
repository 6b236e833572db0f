//! `doorcard match`: players against each other on duplicate deals.

use crate::contest::Contest;
use crate::error::CliError;
use crate::game;
use crate::hands_out::HandWriter;
use crate::output::Context;
use crate::players;
use crate::signal;
use doorcard_eval::match_play::Schedule;
use doorcard_games::stud::{MAX_PLAYERS, StudTable};
use doorcard_report::{table, units};
use std::path::PathBuf;

/// Play bots and strategies against each other on duplicate deals
///
/// Every deck is played once for each rotation of the players over the seats, so that the luck of the cards cancels.
/// Results are in msb/h (thousandths of a small bet per hand) with 95% confidence intervals.
#[derive(clap::Args)]
#[command(after_help = "\
Players: uniform, call, raise, fold, always_fold, rock, equity, strategy:FILE, or a bot in any language:
exec:COMMAND (a program) or tcp:HOST:PORT (one that listens); crates/bots/PROTOCOL.md says what it is asked.

Examples:
  doorcard match uniform call --game stud-bench-nodouble --hands 2000000
  doorcard match strategy:runs/quickstart/strategy.dcst rock equity --round-robin --hands 200000
  doorcard match rock rock call uniform --game razz --hands 40000 --hands-out hands.phhs
  doorcard match 'exec:python3 scripts/example_bot.py' rock --bot-timeout 0.5")]
pub(crate) struct Args {
    /// The players: names of bots, strategy:FILE, exec:COMMAND or tcp:HOST:PORT; one table with all of them unless --round-robin
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,

    /// The game: a shipped profile's name or the path of a rules file
    #[arg(long, default_value = "stud_bench")]
    game: String,

    /// Hands played at each table, rounded up to whole decks
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    hands: u64,

    /// Seed of the cards and of the players' choices
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,

    /// Every two players heads-up on the same decks, instead of one table with all of them
    #[arg(long)]
    round_robin: bool,

    /// Write every hand as a hand history (PHH)
    #[arg(long, value_name = "FILE.phhs")]
    hands_out: Option<PathBuf>,

    #[command(flatten)]
    external: players::External,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    let game = game::load(&args.game)?;
    let seats = if args.round_robin { 2 } else { args.players.len() };
    if seats > MAX_PLAYERS {
        let message =
            format!("{seats} players: a table has at most {MAX_PLAYERS} seats (or use --round-robin)");
        return Err(CliError::Usage(message));
    }
    let stud = StudTable::with_players(&game.rules, seats)?;
    signal::install();
    let load = |text: &String| players::load_or_start(text, &game, &stud, args.external);
    let players = signal::abandoning("stopped before the first hand", || {
        args.players.iter().map(load).collect::<Result<Vec<_>, _>>()
    })?;
    let players = players::distinct(players);
    let schedule = match args.round_robin {
        true => Schedule::round_robin(players.len()),
        false => Schedule::one_table(seats),
    };
    let deals = args.hands.div_ceil(seats as u64);
    let contest = Contest { game: &game, table: &stud, players: &players, schedule, deals, seed: args.seed };
    let mut writer =
        args.hands_out.as_deref().map(|path| HandWriter::create(path, &game.rules)).transpose()?;
    let (report, complete) = contest.play("match", writer.as_mut())?;
    let only_here = writer.map(HandWriter::finish).transpose()?.unwrap_or_default();
    let hands = units::count(report.hands);
    context.result(&report, || {
        let mut text = table::matches(&report);
        text += &format!("\n{}, {hands} hands at each table, seed {}\n", report.game, args.seed);
        if let Some(path) = &args.hands_out {
            if !only_here.is_empty() {
                let rules = only_here.join(", ");
                text += &format!("other readers of PHH do not know these rules of the hands: {rules}\n");
            }
            text += &format!("next: doorcard replay {}\n", path.display());
        }
        text
    })?;
    if complete {
        Ok(())
    } else {
        Err(CliError::Interrupted(format!("stopped after {hands} hands at each table")))
    }
}
