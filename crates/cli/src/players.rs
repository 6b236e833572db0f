//! Players by name, from a strategy's file, or in programs of their own.

use crate::error::CliError;
use crate::game::NamedRules;
use crate::output::note;
use doorcard_abstraction::Abstraction;
use doorcard_bots::external::{ExternalBot, FaultCounter, is_external};
use doorcard_bots::{Agent, DecisionCounter, StrategyPlayer, by_name};
use doorcard_cfr::Strategy;
use doorcard_games::stud::{SeatView, StudTable};
use doorcard_ledger::PlayerRecord;
use rand::Rng;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How a strategy's file is written on the command line.
const PREFIX: &str = "strategy:";

/// What players in programs of their own are allowed.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct External {
    /// Time limit of an external bot's decision (exec: and tcp:); to start it has five times as long
    #[arg(long = "bot-timeout", default_value = "2", value_name = "SECONDS", value_parser = seconds)]
    timeout: Duration,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or("expected a number of seconds from 0.001 to 3600".into())
}

/// A player and the name it goes by in results.
pub(crate) struct Player {
    pub(crate) name: String,
    /// The name without the number that tells it from others at the table.
    plain: String,
    kind: Kind,
}

enum Kind {
    Rules(Box<dyn Agent<StudTable>>),
    Strategy(Box<StrategyPlayer<Abstraction>>),
    External(Box<ExternalBot>),
}

impl Player {
    fn new(name: String, kind: Kind) -> Player {
        Player { plain: name.clone(), name, kind }
    }

    pub(crate) fn agent(&self) -> &dyn Agent<StudTable> {
        match &self.kind {
            Kind::Rules(agent) => &**agent,
            Kind::Strategy(player) => &**player,
            Kind::External(bot) => &**bot,
        }
    }

    /// The player of a trained strategy, if it is one.
    pub(crate) fn strategy(&self) -> Option<&StrategyPlayer<Abstraction>> {
        match &self.kind {
            Kind::Strategy(player) => Some(player),
            Kind::Rules(_) | Kind::External(_) => None,
        }
    }

    /// Whether it is a program of its own.
    pub(crate) fn is_external(&self) -> bool {
        matches!(self.kind, Kind::External(_))
    }

    /// The rule-based bot that it is, if it is one.
    pub(crate) fn bot(&self) -> Option<&dyn Agent<StudTable>> {
        match &self.kind {
            Kind::Rules(bot) => Some(&**bot),
            Kind::Strategy(_) | Kind::External(_) => None,
        }
    }

    /// The same player under another name.
    pub(crate) fn called(self, name: &str) -> Player {
        Player { name: name.into(), plain: name.into(), ..self }
    }

    /// What a ledger says of it.
    pub(crate) fn record(&self) -> PlayerRecord {
        match &self.kind {
            Kind::Rules(_) | Kind::External(_) => {
                PlayerRecord { name: self.plain.clone(), ..PlayerRecord::default() }
            }
            Kind::Strategy(player) => strategy_record(&self.plain, player.strategy()),
        }
    }
}

/// A player at one table of a match: its decisions there are counted apart from those elsewhere.
pub(crate) struct Seated<'a> {
    player: &'a Player,
    counter: DecisionCounter,
    faults: FaultCounter,
}

impl Seated<'_> {
    pub(crate) fn new(player: &Player) -> Seated<'_> {
        Seated { player, counter: DecisionCounter::default(), faults: FaultCounter::default() }
    }

    /// The share of its decisions here for which a strategy had no average to draw from; nothing for other players.
    pub(crate) fn fallback_rate(&self) -> Option<f64> {
        match &self.player.kind {
            Kind::Rules(_) | Kind::External(_) => None,
            Kind::Strategy(_) => Some(self.counter.decisions().fallback_rate()),
        }
    }

    /// How many of its decisions here an external bot lost to each kind of fault; nothing for other players.
    pub(crate) fn faults(&self) -> Option<BTreeMap<String, u64>> {
        match &self.player.kind {
            Kind::Rules(_) | Kind::Strategy(_) => None,
            Kind::External(_) => {
                let counts = self.faults.counts();
                Some(counts.map(|(kind, count)| (kind.name().to_string(), count)).collect())
            }
        }
    }
}

impl Agent<StudTable> for Seated<'_> {
    fn name(&self) -> &str {
        &self.player.name
    }

    fn act(&self, view: &SeatView<'_>, rng: &mut dyn Rng) -> usize {
        match &self.player.kind {
            Kind::Rules(agent) => agent.act(view, rng),
            Kind::Strategy(player) => {
                let (action, drawn) = player.decide(view, rng);
                self.counter.count(drawn);
                action
            }
            Kind::External(bot) => {
                let (action, fault) = bot.decide(view, rng);
                if let Some(kind) = fault {
                    self.faults.count(kind);
                }
                action
            }
        }
    }
}

/// The names of the rule-based bots.
pub(crate) fn baselines() -> &'static [&'static str] {
    &doorcard_bots::NAMES
}

pub(crate) fn is_baseline(name: &str) -> bool {
    baselines().contains(&name)
}

/// `rock`, `strategy:FILE`, or just the path of an existing strategy file. The abstraction that a strategy was trained
/// with is looked for beside it.
pub(crate) fn load(text: &str, table: &StudTable) -> Result<Player, CliError> {
    match strategy_path(text) {
        Some(path) => strategy(path, table),
        None => Ok(Player::new(text.into(), Kind::Rules(by_name(text, table.rules())?))),
    }
}

/// As [`load`], or an external bot: `exec:COMMAND` or `tcp:HOST:PORT`. It goes by the name that it gives itself.
pub(crate) fn load_or_start(
    text: &str,
    game: &NamedRules,
    table: &StudTable,
    external: External,
) -> Result<Player, CliError> {
    if !is_external(text) {
        return load(text, table);
    }
    let bot = ExternalBot::open(text, &game.name, table, external.timeout, |line| note(line))?;
    Ok(Player::new(bot.name().into(), Kind::External(Box::new(bot))))
}

/// The file that a player's name stands for, if it is a strategy's.
pub(crate) fn strategy_path(text: &str) -> Option<&Path> {
    match text.strip_prefix(PREFIX) {
        Some(path) => Some(Path::new(path)),
        None => (!is_baseline(text) && Path::new(text).is_file()).then(|| Path::new(text)),
    }
}

fn strategy(path: &Path, table: &StudTable) -> Result<Player, CliError> {
    let player = StrategyPlayer::open(path, table)?;
    Ok(Player::new(name_of(path), Kind::Strategy(Box::new(player))))
}

/// What a ledger says of a strategy. The configuration is that of the run directory the file lies in.
pub(crate) fn strategy_record(name: &str, strategy: &Strategy) -> PlayerRecord {
    let (header, file) = (strategy.header(), strategy.container());
    let hex = |fingerprint: u64| format!("{fingerprint:016x}");
    PlayerRecord {
        name: name.into(),
        fingerprint: Some(hex(file.fingerprint())),
        iteration: Some(header.state.iterations),
        abstraction: Some(header.subject.abstraction.clone()),
        abstraction_fingerprint: Some(hex(header.subject.abstraction_fingerprint)),
        config: fs::read_to_string(file.path().with_file_name("config.toml")).ok(),
    }
}

/// What a strategy's file is called in results: by its run where it has the usual name.
pub(crate) fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy());
    match folder {
        // That of a run, or the same for another game.
        Some(folder) if stem.split('.').next() == Some("strategy") => folder.into_owned(),
        _ => stem.into_owned(),
    }
}

/// The same players with distinct names: the second `rock` becomes `rock (2)`.
pub(crate) fn distinct(mut players: Vec<Player>) -> Vec<Player> {
    for i in 1..players.len() {
        let name = players[i].name.clone();
        let earlier = |name: &str| players[..i].iter().any(|player| player.name == name);
        if earlier(&name) {
            let numbered = (2..).map(|n| format!("{name} ({n})")).find(|name| !earlier(name));
            players[i].name = numbered.expect("numbers do not end");
        }
    }
    players
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorcard_games::stud::Rules;

    fn table() -> StudTable {
        StudTable::with_players(&Rules::named("stud_bench").unwrap(), 2).unwrap()
    }

    #[test]
    fn names_are_made_distinct() {
        let players = ["rock", "call", "rock", "rock"].map(|name| load(name, &table()).unwrap());
        let names: Vec<String> = distinct(players.into()).into_iter().map(|player| player.name).collect();
        assert_eq!(names, ["rock", "call", "rock (2)", "rock (3)"]);
    }

    #[test]
    fn strategies_go_by_their_run() {
        assert_eq!(name_of(Path::new("runs/quickstart/strategy.dcst")), "quickstart");
        assert_eq!(name_of(Path::new("old/best.bin")), "best");
        assert_eq!(name_of(Path::new("strategy.dcst")), "strategy");
    }

    #[test]
    fn what_is_no_player_is_named() {
        let message = load("shark", &table()).err().unwrap().to_string();
        assert!(message.contains("'shark'") && message.contains("rock"), "{message}");
        let message = load("strategy:absent.bin", &table()).err().unwrap().to_string();
        assert!(message.contains("absent.bin"), "{message}");
    }
}
