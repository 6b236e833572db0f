//! `doorcard match`: players against each other on duplicate deals.

use crate::contest::{Contest, Judged};
use crate::error::CliError;
use crate::experiment::write_whole;
use crate::game;
use crate::hands_out::HandWriter;
use crate::ledger::{LedgerArgs, Sink};
use crate::output::Context;
use crate::players;
use crate::signal;
use doorcard_eval::match_play::Schedule;
use doorcard_games::stud::{MAX_PLAYERS, StudTable};
use doorcard_report::{MatchReport, cross_table, table, units};
use std::path::PathBuf;

/// The most tables that one match plays.
const MOST_TABLES: usize = 500;

/// Play bots and strategies against each other on duplicate deals
///
/// Every deck is played once for each rotation of the players over the seats, so that the luck of the cards cancels.
/// Results are in msb/h (thousandths of a small bet per hand) with 95% confidence intervals. Where there is more than one
/// table, all play the same decks, and a ranking and a cross-table sum up: a player's rank is by its mean over its tables.
/// Each result is added to a ledger; when that fails, the result is printed all the same and the exit code is 2.
#[derive(clap::Args)]
#[command(after_help = "\
Players: uniform, call, raise, fold, always_fold, rock, equity, strategy:FILE, or a bot in any language:
exec:COMMAND (a program) or tcp:HOST:PORT (one that listens); crates/bots/PROTOCOL.md says what it is asked.

Examples:
  doorcard match uniform call --game stud-bench-nodouble --hands 2000000
  doorcard match strategy:runs/quickstart/strategy.dcst rock equity --round-robin --hands 200000
  doorcard match rock equity call uniform raise --seats 3 --csv cross.csv --latex cross.tex
  doorcard match strategy:a.dcst strategy:b.dcst --aivat --ci 5 --hands 1000000
  doorcard match rock rock call uniform --game razz --hands 40000 --hands-out hands.phhs
  doorcard match 'exec:python3 scripts/example_bot.py' rock --bot-timeout 0.5")]
pub(crate) struct Args {
    /// The players: names of bots, strategy:FILE, exec:COMMAND or tcp:HOST:PORT; one table with all of them unless
    /// --round-robin or --seats
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

    /// Every two players heads-up on the same decks, instead of one table with all of them; the same as --seats 2
    #[arg(long)]
    round_robin: bool,

    /// Every choice of so many of the players at a table of their own, on the same decks
    #[arg(long, value_name = "N", conflicts_with = "round_robin", value_parser = clap::value_parser!(u8).range(2..=MAX_PLAYERS as i64))]
    seats: Option<u8>,

    /// Value every hand by AIVAT too (Burch et al. 2018): the same mean with less luck. Heads-up limit, with at least one
    /// player whose chances are known: a strategy, or one of the bots that exploit takes. Ranking, cross-table and ledger
    /// then go by it
    #[arg(long)]
    aivat: bool,

    /// End the match when the 95% interval of the first result of every table is the mean +- so many msb/h, by AIVAT where
    /// that is asked for and can value; --hands is then the most
    #[arg(long, value_name = "MSB", value_parser = positive)]
    ci: Option<f64>,

    /// Write ranking and cross-table as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write ranking and cross-table as a LaTeX tabular (package booktabs)
    #[arg(long, value_name = "FILE")]
    latex: Option<PathBuf>,

    /// Write every hand as a hand history (PHH)
    #[arg(long, value_name = "FILE.phhs")]
    hands_out: Option<PathBuf>,

    #[command(flatten)]
    external: players::External,

    #[command(flatten)]
    ledger: LedgerArgs,
}

impl Args {
    /// Who sits where, and how many at each table.
    fn schedule(&self) -> Result<(Schedule, usize), CliError> {
        let players = self.players.len();
        let seats = match (self.round_robin, self.seats) {
            (true, _) => 2,
            (false, Some(seats)) => usize::from(seats),
            (false, None) => players,
        };
        if seats > MAX_PLAYERS {
            let message = format!(
                "{seats} players: a table has at most {MAX_PLAYERS} seats (or use --round-robin, or --seats)"
            );
            return Err(CliError::Usage(message));
        }
        if seats > players {
            let message = format!("--seats {seats}: expected {seats} players or more, not {players}");
            return Err(CliError::Usage(message));
        }
        let tables = choices(players, seats);
        if tables > MOST_TABLES as f64 {
            let message = format!(
                "{players} players at tables of {seats} make {} tables, more than {MOST_TABLES}: \
                 expected fewer players or another number of seats",
                units::short(tables)
            );
            return Err(CliError::Usage(message));
        }
        Ok((Schedule::combinations(players, seats), seats))
    }
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    let game = game::load(&args.game)?;
    let (schedule, seats) = args.schedule()?;
    let stud = StudTable::with_players(&game.rules, seats)?;
    signal::install();
    let load = |text: &String| players::load_or_start(text, &game, &stud, args.external);
    let players = signal::abandoning("stopped before the first hand", || {
        args.players.iter().map(load).collect::<Result<Vec<_>, _>>()
    })?;
    let players = players::distinct(players);
    let deals = args.hands.div_ceil(seats as u64);
    let judged = Judged { aivat: args.aivat, until: args.ci };
    let contest =
        Contest { game: &game, table: &stud, players: &players, schedule, deals, seed: args.seed, judged };
    contest.check()?;
    let mut writer =
        args.hands_out.as_deref().map(|path| HandWriter::create(path, &game.rules)).transpose()?;
    let mut ledger = Sink::new(args.ledger);
    let keep_deals = ledger.wants_observations(contest.observations());
    let mut played = contest.play("match", writer.as_mut(), keep_deals)?;
    let ids = ledger.add(&contest.entries(&played));
    played.report.ledger = ids;
    let report = &played.report;
    // The result is shown whatever becomes of the files.
    let only_here = writer.map(HandWriter::finish).transpose();
    let hands = units::count(report.hands);
    let printed = context.result(report, || {
        let mut text = table::matches(report);
        text += &format!("\n{}, {hands} hands at each table, seed {}\n", report.game, args.seed);
        text += &ledger.added(&report.ledger);
        if let Ok(Some(rules)) = &only_here
            && !rules.is_empty()
        {
            let rules = rules.join(", ");
            text += &format!("other readers of PHH do not know these rules of the hands: {rules}\n");
        }
        match &args.hands_out {
            Some(path) => text + &format!("next: doorcard replay {}\n", path.display()),
            None => text + &next(report, &ledger.option()),
        }
    });
    only_here?;
    if let Some(path) = &args.csv {
        write_whole(path, cross_table::csv(report).as_bytes())?;
    }
    if let Some(path) = &args.latex {
        write_whole(path, cross_table::latex(report).as_bytes())?;
    }
    ledger.finish()?;
    if !played.complete {
        return Err(CliError::Interrupted(format!("stopped after {hands} hands at each table")));
    }
    printed
}

/// A number above zero.
fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or("expected a number of msb/h above 0".into())
}

/// How many tables there are: the binomial coefficient. As a float, for it may be large.
fn choices(players: usize, seats: usize) -> f64 {
    (0..seats).map(|i| (players - i) as f64 / (i + 1) as f64).product::<f64>().round()
}

/// What to do with the result: heads-up, to compare the two best by what they won of the third; otherwise to look at what
/// there is.
fn next(report: &MatchReport, option: &str) -> String {
    let number = |player: &str, opponent: &str| {
        let row = report.table.iter().position(|row| row.bot == player && row.opponents == [opponent]);
        row.and_then(|row| report.ledger.get(row))
    };
    if let [first, second, third, ..] = &report.ranking[..]
        && let Some(one) = number(&first.player, &third.player)
        && let Some(other) = number(&second.player, &third.player)
    {
        return format!("next: doorcard compare {one} {other}{option}\n");
    }
    match report.ledger.len() {
        0 => String::new(),
        results => format!("next: doorcard ledger --last {results}{option}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_counted() {
        let counts = [(2, 2), (5, 3), (8, 4), (33, 2), (12, 6), (8, 8)].map(|(n, k)| choices(n, k));
        assert_eq!(counts, [1.0, 10.0, 70.0, 528.0, 924.0, 1.0]);
        for (players, seats) in [(5, 3), (8, 4), (12, 6)] {
            assert_eq!(Schedule::combinations(players, seats).tables().len() as f64, choices(players, seats));
        }
    }
}
