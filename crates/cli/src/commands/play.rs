//! `doorcard play`: you against a bot, in the terminal.

use crate::error::CliError;
use crate::game;
use crate::output::Context;
use crate::players::{self, Player};
use crate::signal;
use doorcard_cards::{Card, low, rank7};
use doorcard_efg::{Game, Observe, Turn};
use doorcard_games::stud::{Action, Betting, Chips, Event, Rules, State, Street, StudTable, Variant};
use doorcard_report::units;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::{self, BufRead};

/// Play heads-up against a bot or a trained strategy
///
/// The seats change after every hand. Answer with the number or the first letter of an action; `q` ends the game.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  doorcard play rock
  doorcard play runs/quickstart/strategy.dcst --hands 20")]
pub(crate) struct Args {
    /// The opponent: a bot's name, a strategy file, exec:COMMAND or tcp:HOST:PORT
    #[arg(value_name = "STRATEGY")]
    opponent: String,

    /// The game: a shipped profile's name or the path of a rules file
    #[arg(long, default_value = "stud_bench")]
    game: String,

    /// Stop after so many hands
    #[arg(long, value_name = "N")]
    hands: Option<u64>,

    /// Seed of the cards and of the bot's choices [default: a new one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    #[command(flatten)]
    external: players::External,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    if context.json {
        return Err(CliError::Usage("play is a conversation: it has no --json".into()));
    }
    signal::install();
    signal::abandoning("stopped", || converse(&args, context))
}

fn converse(args: &Args, context: Context) -> Result<(), CliError> {
    let game = game::load(&args.game)?;
    let table = StudTable::with_players(&game.rules, 2)?;
    let opponent = players::load_or_start(&args.opponent, &game, &table, args.external)?;
    let seed = args.seed.unwrap_or_else(|| rand::rng().random());
    context.line(format!("{}: {}", game.name, game::describe(&game.rules, 2)))?;
    context.line(format!("you against {}; seed {seed}; q ends the game", opponent.name))?;
    let mut session = Session {
        context,
        table,
        opponent,
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        input: io::stdin().lock(),
        hands: 0,
        won: 0,
    };
    while args.hands.is_none_or(|hands| session.hands < hands) && session.hand()? {}
    session.summary()
}

/// A game in progress.
struct Session<R> {
    context: Context,
    table: StudTable,
    opponent: Player,
    rng: Xoshiro256PlusPlus,
    input: R,
    hands: u64,
    /// What you have won so far. Units: chips.
    won: Chips,
}

impl<R: BufRead> Session<R> {
    /// Plays one hand; false if you had enough in the middle of it.
    fn hand(&mut self) -> Result<bool, CliError> {
        let me = (self.hands % 2) as usize;
        let deal = self.table.deal(&mut self.rng);
        let mut state = self.table.root(&deal);
        self.context.line(format!("\nhand {}", self.hands + 1))?;
        let mut street = None;
        let mut told = 0;
        while let Turn::Decide { player, .. } = self.table.turn(&state, &deal) {
            self.tell(&state, me, &mut street, &mut told)?;
            let action = if player == me {
                let Some(action) = self.ask(&state, me)? else { return Ok(false) };
                action
            } else {
                let view = self.table.observe(&state, &deal, player);
                self.opponent.agent().act(&view, &mut self.rng)
            };
            state = self.table.act(&state, &deal, action);
        }
        self.tell(&state, me, &mut street, &mut told)?;
        self.show_down(&state, me)?;
        self.hands += 1;
        self.won += state.payoffs()[me];
        let outcome = match state.payoffs()[me] {
            0 => "you break even".to_string(),
            chips if chips > 0 => format!("you win {chips}"),
            chips => format!("you lose {}", -chips),
        };
        self.context.line(format!("{outcome}; {:+} chips in all", self.won))?;
        Ok(true)
    }

    /// Says what happened since the last time: actions, and the cards of a new street.
    fn tell(
        &self,
        state: &State,
        me: usize,
        street: &mut Option<Street>,
        told: &mut usize,
    ) -> Result<(), CliError> {
        for event in &state.history()[*told..] {
            if event.seat() != me {
                self.context.line(format!("  {} {}", self.opponent.name, past(*event)))?;
            }
        }
        *told = state.history().len();
        let showing = Some(state.street());
        if *street != showing && !state.is_over() {
            *street = showing;
            self.context.line(format!("{}, pot {}", name(state.street()), state.pot()))?;
            self.context.line(format!("  {:<10} {}", self.opponent.name, cards(state, 1 - me, false)))?;
            self.context.line(format!("  {:<10} {}", "you", cards(state, me, true)))?;
        }
        Ok(())
    }

    /// Asks for an action until there is one; nothing if you want to stop.
    fn ask(&mut self, state: &State, me: usize) -> Result<Option<usize>, CliError> {
        let menu = state.legal().expect("you are to act").actions();
        let options: Vec<String> = menu.iter().map(|&action| label(action, state, me)).collect();
        loop {
            let numbered = options.iter().enumerate().map(|(i, option)| format!("{} {option}", i + 1));
            self.context.text(&format!("  your move: {} > ", numbered.collect::<Vec<_>>().join("  ")))?;
            let mut line = String::new();
            let read =
                self.input.read_line(&mut line).map_err(CliError::io("standard input".as_ref(), "read"))?;
            if read == 0 {
                self.context.line("")?;
                return Ok(None);
            }
            match line.trim() {
                "q" | "quit" => return Ok(None),
                answer => match choose(answer, &options) {
                    Some(index) => return Ok(Some(index)),
                    None => self.context.line("  a number or the first letters of one of these, or q")?,
                },
            }
        }
    }

    fn show_down(&self, state: &State, me: usize) -> Result<(), CliError> {
        if !state.is_showdown() {
            return Ok(());
        }
        for (who, seat) in [(self.opponent.name.as_str(), 1 - me), ("you", me)] {
            let hand = describe(state.rules(), state, seat);
            self.context.line(format!("  {who:<10} {}  {hand}", cards(state, seat, true)))?;
        }
        Ok(())
    }

    fn summary(&self) -> Result<(), CliError> {
        let hands = units::count(self.hands);
        let per_hand =
            self.won as f64 * 1000.0 / self.table.rules().small_bet() as f64 / self.hands.max(1) as f64;
        self.context.line(format!(
            "\n{hands} hands, {:+} chips, {} msb/h{}",
            self.won,
            units::signed(per_hand),
            if self.hands < 1000 { " (so few hands prove nothing)" } else { "" }
        ))
    }
}

/// The option that an answer names by number or by its first letters, if there is exactly one.
fn choose(answer: &str, options: &[String]) -> Option<usize> {
    if let Ok(number) = answer.parse::<usize>() {
        return (1..=options.len()).contains(&number).then(|| number - 1);
    }
    let answer = answer.to_lowercase();
    let mut found =
        options.iter().enumerate().filter(|(_, option)| !answer.is_empty() && option.starts_with(&answer));
    match (found.next(), found.next()) {
        (Some((index, _)), None) => Some(index),
        _ => None,
    }
}

fn label(action: Action, state: &State, me: usize) -> String {
    match action {
        Action::Call => format!("call {}", state.to_call(me)),
        Action::BringIn => format!("bring in {}", state.rules().bring_in()),
        Action::RaiseTo(to) => format!("{} {to}", raise_word(state)),
        action => action.to_string(),
    }
}

fn raise_word(state: &State) -> &'static str {
    match (state.last_aggressor(), state.street(), state.rules().betting()) {
        (Some(_), _, _) => "raise to",
        (None, Street::Third, Betting::Limit) => "complete to",
        (None, _, _) => "bet",
    }
}

fn past(event: Event) -> String {
    match event.action() {
        Action::Fold => "folds".into(),
        Action::Check => "checks".into(),
        Action::Call => "calls".into(),
        Action::BringIn => format!("brings in {}", event.to()),
        Action::RaiseTo(to) => format!("makes it {to}"),
    }
}

fn name(street: Street) -> &'static str {
    ["third street", "fourth street", "fifth street", "sixth street", "seventh street"][street.index()]
}

/// A seat's cards, hidden ones first: `As Ad / Kc 9h`.
fn cards(state: &State, seat: usize, open: bool) -> String {
    let text = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
    let down = state.down_cards(seat);
    let down = if open { text(down) } else { vec!["??"; down.len()].join(" ") };
    let shared = state.board().map_or_else(String::new, |card| format!(" + {card}"));
    format!("{down} / {}{shared}", text(state.up_cards(seat)))
}

fn describe(rules: &Rules, state: &State, seat: usize) -> String {
    if !rules.is_standard() {
        return format!("best {} cards play", rules.hand_cards());
    }
    let hand = state.hand(seat);
    match rules.variant() {
        Variant::High => rank7::high_of(hand).to_string(),
        Variant::Razz => low::razz_of(hand).to_string(),
        Variant::HiLo8 => {
            let high = rank7::high_of(hand);
            low::eight_of(hand).map_or_else(|| format!("{high}; no low"), |low| format!("{high}; {low}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_numbers_or_first_letters() {
        let options = ["fold", "call 50", "complete to 100"].map(String::from);
        assert_eq!(choose("1", &options), Some(0));
        assert_eq!(choose("F", &options), Some(0));
        assert_eq!(choose("ca", &options), Some(1));
        for bad in ["", "0", "4", "c", "x", "fold now"] {
            assert_eq!(choose(bad, &options), None, "{bad}");
        }
    }
}
