//! A game by the name of a shipped profile or the path of a rules file.

use crate::error::CliError;
use doorcard_games::stud::{Betting, DoubleBet, PROFILES, Rules, Variant};
use serde::Serialize;
use std::path::Path;

/// A game and the name it goes by in results.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedRules {
    pub(crate) name: String,
    pub(crate) rules: Rules,
}

/// A profile's name (`stud_bench` or `stud-bench`), or a path: anything with a separator or ending in `.toml`.
pub(crate) fn load(text: &str) -> Result<NamedRules, CliError> {
    let path = Path::new(text);
    if is_path(text) {
        let rules = Rules::load(path)?;
        let name = path.file_stem().map_or_else(|| text.into(), |stem| stem.to_string_lossy().into_owned());
        Ok(NamedRules { name, rules })
    } else {
        Ok(NamedRules { name: text.replace('-', "_"), rules: Rules::named(text)? })
    }
}

/// Whether `text` is the path of a rules file and not a name.
pub(crate) fn is_path(text: &str) -> bool {
    let path = Path::new(text);
    path.extension().is_some_and(|e| e == "toml") || path.components().count() > 1
}

/// The shipped profile that has these rules.
pub(crate) fn profile(rules: &Rules) -> Option<&'static str> {
    let same = |name: &str| Rules::named(name).is_ok_and(|profile| profile.to_toml() == rules.to_toml());
    PROFILES.iter().map(|&(name, _)| name).find(|name| same(name))
}

/// A setting as the word that configuration files have for it.
pub(crate) fn word(setting: impl Serialize) -> String {
    match toml::Value::try_from(setting) {
        Ok(toml::Value::String(word)) => word,
        other => unreachable!("settings are words, not {other:?}"),
    }
}

/// One line for people: "seven-card stud high, limit, 2 players, ante 25, bring-in 50, bets 100 and 200, double bet
/// any player".
pub(crate) fn describe(rules: &Rules, players: usize) -> String {
    let variant = match (rules.variant(), rules.is_standard()) {
        (Variant::High, true) => "seven-card stud high",
        (Variant::HiLo8, true) => "seven-card stud hi/lo eight or better",
        (Variant::Razz, true) => "razz",
        (Variant::High, false) => "mini-stud high",
        (Variant::HiLo8, false) => "mini-stud hi/lo",
        (Variant::Razz, false) => "mini-stud razz",
    };
    let betting = match rules.betting() {
        Betting::Limit => "limit",
        Betting::PotLimit => "pot-limit",
        Betting::NoLimit => "no-limit",
    };
    let bets = match rules.betting() {
        Betting::Limit => format!("bets {} and {}", rules.small_bet(), rules.big_bet()),
        _ => format!("smallest bet {}, stacks {}", rules.small_bet(), rules.stack()),
    };
    let double = match rules.double_bet() {
        DoubleBet::AnyPlayer => ", double bet on an open pair by any player",
        DoubleBet::PairHolder => ", double bet on an open pair by its holder",
        DoubleBet::Off => "",
    };
    format!(
        "{variant}, {betting}, {players} players, ante {}, bring-in {}, {bets}{double}",
        rules.ante(),
        rules.bring_in()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_and_paths_are_told_apart() {
        assert_eq!(load("stud-bench").unwrap().name, "stud_bench");
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("home_game.toml");
        std::fs::write(&path, load("razz").unwrap().rules.to_toml()).unwrap();
        assert_eq!(load(path.to_str().unwrap()).unwrap().name, "home_game");
        let message = load("holdem").unwrap_err().to_string();
        assert!(message.contains("'holdem'") && message.contains("stud_bench"), "{message}");
        let message = load("absent/rules.toml").unwrap_err().to_string();
        assert!(message.contains("absent/rules.toml"), "{message}");
    }

    #[test]
    fn profiles_are_known_by_their_rules() {
        for (name, _) in PROFILES {
            assert_eq!(profile(&Rules::named(name).unwrap()), Some(name));
        }
        let own = load("razz").unwrap().rules.config().with("ante", "7").unwrap().check("own").unwrap();
        assert_eq!(profile(&own), None);
    }

    #[test]
    fn a_game_is_described_in_one_line() {
        let rules = load("stud_bench").unwrap().rules;
        assert_eq!(
            describe(&rules, 2),
            "seven-card stud high, limit, 2 players, ante 25, bring-in 50, bets 100 and 200, \
             double bet on an open pair by any player"
        );
    }
}
