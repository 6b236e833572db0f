//! The rules of one game: stakes and settings as a TOML file gives them ([`RulesConfig`]), and the same checked once
//! ([`Rules`]).

use super::settings::*;
use super::{StudError, settings, toml_fault};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// The most players a hand can have.
pub const MAX_PLAYERS: usize = 8;

/// The largest starting stack, so that the chips of a table always add up without overflow.
pub const MAX_STACK: Chips = 1 << 48;

/// The bring-in of a rules file: `"half_small_bet"`, `"ante"` or a number of chips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum BringIn {
    /// Half the small bet.
    #[default]
    #[serde(with = "half_small_bet")]
    HalfSmallBet,
    /// The ante.
    #[serde(with = "ante")]
    Ante,
    /// This many chips.
    Chips(Chips),
}

/// Stakes and settings of a game as a file gives them; the keys of `configs/games/*.toml`. Whatever is left out has
/// the default of the rulebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesConfig {
    /// How hands win.
    #[serde(default)]
    pub variant: Variant,
    /// How much may be bet.
    #[serde(default)]
    pub betting: Betting,
    /// Posted by every player before any card. Units: chips.
    pub ante: Chips,
    /// Posted by the lowest door card (razz: the highest).
    #[serde(default)]
    pub bring_in: BringIn,
    /// The bet on streets 3 and 4, the completion, and the smallest bet of a pot-limit or no-limit game. Units: chips.
    pub small_bet: Chips,
    /// The bet on streets 5 to 7 of a limit game; twice the small bet if left out. Units: chips.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub big_bet: Option<Chips>,
    /// Bets and raises per round of a limit game; the completion is the first. 4 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bet_cap: Option<u8>,
    /// Whether the cap is lifted in rounds that begin with two players.
    #[serde(default)]
    pub uncapped_heads_up: bool,
    /// Whether a player may fold with nothing to call.
    #[serde(default)]
    pub fold_unbet: Permission,
    /// What a short all-in wager does in a limit game.
    #[serde(default)]
    pub short_all_in: ShortAllIn,
    /// Who may raise again after a short all-in wager; without effect under the half-bet rule.
    #[serde(default)]
    pub reopening: Reopening,
    /// What the others owe after a short bring-in.
    #[serde(default)]
    pub short_bring_in: ShortBringIn,
    /// Whether a low card with no more chips than the bring-in may call posting them a completion.
    #[serde(default)]
    pub tiny_completion: Permission,
    /// The double bet on fourth street; if left out, `any_player` in limit stud high and `off` elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fourth_street_double_bet: Option<DoubleBet>,
    /// What happens when the deck runs out.
    #[serde(default)]
    pub exhausted_deck: ExhaustedDeck,
    /// Whether a card is burnt before streets 4 to 7.
    #[serde(default = "yes")]
    pub burn: bool,
    /// Who shows first.
    #[serde(default)]
    pub show_first: ShowFirst,
    /// Whether beaten hands may be thrown away unseen.
    #[serde(default)]
    pub muck: Muck,
    /// Who gets the chips that do not divide among equal hands.
    #[serde(default)]
    pub tie_odd_chips: TieOddChips,
    /// Whether players who win nothing are dropped before pots of equal claimants are joined and split; otherwise
    /// each pot is split on its own.
    #[serde(default)]
    pub merge_pots: bool,
    /// Where the odd chip between high and low goes.
    #[serde(default)]
    pub odd_chip: OddChip,
    /// How large a completion counts (pot-limit and no-limit).
    #[serde(default)]
    pub completion_size: CompletionSize,
    /// Which pots count towards a pot-limit raise.
    #[serde(default)]
    pub pot_limit_counts: PotLimitCounts,
    /// How many seats a table has if nobody says otherwise.
    #[serde(default = "two")]
    pub seats: usize,
    /// The starting stack if nobody says otherwise; a hundred small bets if left out. Units: chips.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<Chips>,
}

fn yes() -> bool {
    true
}

fn two() -> usize {
    2
}

/// The rules of a game, checked: stakes and settings that fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    ante: Chips,
    bring_in: Chips,
    small_bet: Chips,
    big_bet: Chips,
    stack: Chips,
    seats: u8,
    bet_cap: Option<u8>,
    variant: Variant,
    betting: Betting,
    double_bet: DoubleBet,
    uncapped_heads_up: bool,
    fold_unbet: Permission,
    short_all_in: ShortAllIn,
    reopening: Reopening,
    short_bring_in: ShortBringIn,
    tiny_completion: Permission,
    exhausted_deck: ExhaustedDeck,
    burn: bool,
    show_first: ShowFirst,
    muck: Muck,
    tie_odd_chips: TieOddChips,
    merge_pots: bool,
    odd_chip: OddChip,
    completion_size: CompletionSize,
    pot_limit_counts: PotLimitCounts,
}

impl RulesConfig {
    /// A game with these stakes and every setting at its default.
    pub fn new(
        variant: Variant,
        betting: Betting,
        ante: Chips,
        bring_in: BringIn,
        small_bet: Chips,
    ) -> RulesConfig {
        RulesConfig {
            variant,
            betting,
            ante,
            bring_in,
            small_bet,
            big_bet: None,
            bet_cap: None,
            uncapped_heads_up: false,
            fold_unbet: Permission::default(),
            short_all_in: ShortAllIn::default(),
            reopening: Reopening::default(),
            short_bring_in: ShortBringIn::default(),
            tiny_completion: Permission::default(),
            fourth_street_double_bet: None,
            exhausted_deck: ExhaustedDeck::default(),
            burn: true,
            show_first: ShowFirst::default(),
            muck: Muck::default(),
            tie_odd_chips: TieOddChips::default(),
            merge_pots: false,
            odd_chip: OddChip::default(),
            completion_size: CompletionSize::default(),
            pot_limit_counts: PotLimitCounts::default(),
            seats: 2,
            stack: None,
        }
    }

    /// The conventions of the replay oracle, PokerKit 0.7.7, and of hand histories written for it.
    #[must_use]
    pub fn oracle(self) -> RulesConfig {
        RulesConfig {
            uncapped_heads_up: false,
            fold_unbet: Permission::Refused,
            short_all_in: ShortAllIn::FullRaise,
            reopening: Reopening::Pokerkit,
            short_bring_in: ShortBringIn::PayShort,
            tiny_completion: Permission::Allowed,
            exhausted_deck: ExhaustedDeck::BurnsAndFoldedThenCommunity,
            burn: true,
            tie_odd_chips: TieOddChips::FirstLeft,
            merge_pots: true,
            odd_chip: OddChip::HighHand,
            completion_size: CompletionSize::OverBringIn,
            pot_limit_counts: PotLimitCounts::All,
            ..self
        }
    }

    /// The same with one key changed, as in `--rules KEY=VALUE`. The value is written as in a rules file; quotes may
    /// be left out.
    ///
    /// # Errors
    /// If there is no such key or the value is of the wrong kind.
    pub fn with(self, key: &str, value: &str) -> Result<RulesConfig, StudError> {
        let syntax = |message: String| StudError::Syntax { origin: format!("{key}={value}"), message };
        let mut table = toml::Table::try_from(self).map_err(|e| syntax(e.to_string()))?;
        let parsed = value.parse().unwrap_or_else(|_| toml::Value::String(value.into()));
        table.insert(key.into(), parsed);
        table.try_into().map_err(|e: toml::de::Error| syntax(e.message().into()))
    }

    /// Checks that stakes and settings fit together.
    ///
    /// # Errors
    /// Names `origin` (a file or profile), the field and what was expected.
    pub fn check(self, origin: &str) -> Result<Rules, StudError> {
        let reject = |field, value: &dyn fmt::Display, expected: &str| {
            let (origin, value) = (origin.into(), value.to_string());
            Err(StudError::Setting { origin, field, value, expected: expected.into() })
        };
        let limit = self.betting == Betting::Limit;
        if !(2..=MAX_STACK / 64).contains(&self.small_bet) {
            return reject("small_bet", &self.small_bet, "at least 2 and at most 2^42");
        }
        if !(0..=self.small_bet).contains(&self.ante) {
            return reject("ante", &self.ante, "0 to the small bet");
        }
        let bring_in = match self.bring_in {
            BringIn::HalfSmallBet if self.small_bet % 2 == 0 => self.small_bet / 2,
            BringIn::HalfSmallBet => {
                return reject(
                    "small_bet",
                    &self.small_bet,
                    "an even number, for a bring-in of half (use cents)",
                );
            }
            BringIn::Ante => self.ante,
            BringIn::Chips(chips) => chips,
        };
        if !(1..self.small_bet).contains(&bring_in) {
            return reject("bring_in", &bring_in, "above 0 and below the small bet");
        }
        let big_bet = self.big_bet.unwrap_or(if limit { 2 * self.small_bet } else { self.small_bet });
        if limit && !(self.small_bet..=MAX_STACK / 32).contains(&big_bet) {
            return reject("big_bet", &big_bet, "at least the small bet and at most 2^43");
        }
        if !limit && big_bet != self.small_bet {
            return reject(
                "big_bet",
                &big_bet,
                "none, or the small bet: the smallest bet is the same on every street",
            );
        }
        if let Some(cap) = self.bet_cap {
            if !limit {
                return reject("bet_cap", &cap, "none: only limit games have a cap");
            }
            if cap == 0 {
                return reject("bet_cap", &cap, "at least 1");
            }
        }
        let double_bet = self.fourth_street_double_bet.unwrap_or(if limit && self.variant == Variant::High {
            DoubleBet::AnyPlayer
        } else {
            DoubleBet::Off
        });
        if !limit && double_bet != DoubleBet::Off {
            return reject(
                "fourth_street_double_bet",
                &settings::name(double_bet),
                "off outside limit games",
            );
        }
        if self.uncapped_heads_up && !limit {
            return reject("uncapped_heads_up", &true, "false: only limit games have a cap");
        }
        if !(2..=MAX_PLAYERS).contains(&self.seats) {
            return reject("seats", &self.seats, "2 to 8");
        }
        let stack = self.stack.unwrap_or((100 * self.small_bet).min(MAX_STACK));
        if !(1..=MAX_STACK).contains(&stack) {
            return reject("stack", &stack, "at least 1 and at most 2^48");
        }
        Ok(Rules {
            ante: self.ante,
            bring_in,
            small_bet: self.small_bet,
            big_bet,
            stack,
            seats: self.seats as u8,
            bet_cap: limit.then(|| self.bet_cap.unwrap_or(4)),
            variant: self.variant,
            betting: self.betting,
            double_bet,
            uncapped_heads_up: self.uncapped_heads_up,
            fold_unbet: self.fold_unbet,
            short_all_in: self.short_all_in,
            reopening: self.reopening,
            short_bring_in: self.short_bring_in,
            tiny_completion: self.tiny_completion,
            exhausted_deck: self.exhausted_deck,
            burn: self.burn,
            show_first: self.show_first,
            muck: self.muck,
            tie_odd_chips: self.tie_odd_chips,
            merge_pots: self.merge_pots,
            odd_chip: self.odd_chip,
            completion_size: self.completion_size,
            pot_limit_counts: self.pot_limit_counts,
        })
    }
}

macro_rules! accessors {
    ($($(#[$meta:meta])* $name:ident: $type:ty,)*) => {
        $($(#[$meta])* pub fn $name(&self) -> $type { self.$name })*
    };
}

impl Rules {
    /// Reads rules from TOML; `origin` names them in errors.
    ///
    /// # Errors
    /// If the text is not TOML, has unknown keys, or stakes and settings do not fit together.
    pub fn from_toml(text: &str, origin: &str) -> Result<Rules, StudError> {
        let config: RulesConfig = toml::from_str(text)
            .map_err(|e| StudError::Syntax { origin: origin.into(), message: toml_fault(text, &e) })?;
        config.check(origin)
    }

    /// Reads a rules file.
    ///
    /// # Errors
    /// If it cannot be read, or as [`Rules::from_toml`].
    pub fn load(path: impl AsRef<Path>) -> Result<Rules, StudError> {
        let origin = path.as_ref().display().to_string();
        let text = std::fs::read_to_string(&path)
            .map_err(|source| StudError::Read { path: origin.clone(), source })?;
        Rules::from_toml(&text, &origin)
    }

    /// These rules with every setting spelled out, as a rules file.
    pub fn to_toml(&self) -> String {
        toml::to_string(&self.config()).expect("plain values can be written as TOML")
    }

    /// These rules with every setting spelled out.
    pub fn config(&self) -> RulesConfig {
        let limit = self.betting == Betting::Limit;
        RulesConfig {
            variant: self.variant,
            betting: self.betting,
            ante: self.ante,
            bring_in: BringIn::Chips(self.bring_in),
            small_bet: self.small_bet,
            big_bet: limit.then_some(self.big_bet),
            bet_cap: self.bet_cap,
            uncapped_heads_up: self.uncapped_heads_up,
            fold_unbet: self.fold_unbet,
            short_all_in: self.short_all_in,
            reopening: self.reopening,
            short_bring_in: self.short_bring_in,
            tiny_completion: self.tiny_completion,
            fourth_street_double_bet: Some(self.double_bet),
            exhausted_deck: self.exhausted_deck,
            burn: self.burn,
            show_first: self.show_first,
            muck: self.muck,
            tie_odd_chips: self.tie_odd_chips,
            merge_pots: self.merge_pots,
            odd_chip: self.odd_chip,
            completion_size: self.completion_size,
            pot_limit_counts: self.pot_limit_counts,
            seats: self.seats(),
            stack: Some(self.stack),
        }
    }

    /// The size of a bet in a limit game, and the smallest bet in the others. Units: chips.
    pub fn bet_size(&self, street: Street) -> Chips {
        if street < Street::Fifth { self.small_bet } else { self.big_bet }
    }

    /// How many seats a table has if nobody says otherwise.
    pub fn seats(&self) -> usize {
        usize::from(self.seats)
    }

    accessors! {
        /// Posted by every player before any card. Units: chips.
        ante: Chips,
        /// Posted by the lowest door card (razz: the highest). Units: chips.
        bring_in: Chips,
        /// The bet on streets 3 and 4 and the completion. Units: chips.
        small_bet: Chips,
        /// The bet on streets 5 to 7; equals the small bet in pot-limit and no-limit games. Units: chips.
        big_bet: Chips,
        /// The starting stack if nobody says otherwise. Units: chips.
        stack: Chips,
        /// Bets and raises per round; `None` in pot-limit and no-limit games.
        bet_cap: Option<u8>,
        /// How hands win.
        variant: Variant,
        /// How much may be bet.
        betting: Betting,
        /// The double bet on fourth street.
        double_bet: DoubleBet,
        /// Whether the cap is lifted in rounds that begin with two players.
        uncapped_heads_up: bool,
        /// Whether a player may fold with nothing to call.
        fold_unbet: Permission,
        /// What a short all-in wager does in a limit game.
        short_all_in: ShortAllIn,
        /// Who may raise again after a short all-in wager; without effect under the half-bet rule.
        reopening: Reopening,
        /// What the others owe after a short bring-in.
        short_bring_in: ShortBringIn,
        /// Whether posting one's last chips as bring-in may be called a completion.
        tiny_completion: Permission,
        /// What happens when the deck runs out.
        exhausted_deck: ExhaustedDeck,
        /// Whether a card is burnt before streets 4 to 7.
        burn: bool,
        /// Who shows first.
        show_first: ShowFirst,
        /// Whether beaten hands may be thrown away unseen.
        muck: Muck,
        /// Who gets the chips that do not divide among equal hands.
        tie_odd_chips: TieOddChips,
        /// Whether losers are dropped and pots of equal claimants joined before they are split.
        merge_pots: bool,
        /// Where the odd chip between high and low goes.
        odd_chip: OddChip,
        /// How large a completion counts (pot-limit and no-limit).
        completion_size: CompletionSize,
        /// Which pots count towards a pot-limit raise.
        pot_limit_counts: PotLimitCounts,
    }
}

/// Reads and writes a unit variant of an untagged enum as a word.
macro_rules! word {
    ($module:ident, $word:literal) => {
        mod $module {
            use serde::{Deserialize, Deserializer, Serializer, de::Error};

            pub(super) fn serialize<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($word)
            }

            pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
                match String::deserialize(deserializer)?.as_str() {
                    $word => Ok(()),
                    other => Err(D::Error::custom(format!("'{other}' is not '{}'", $word))),
                }
            }
        }
    };
}

word!(half_small_bet, "half_small_bet");
word!(ante, "ante");

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "ante = 1\nsmall_bet = 10\n";

    fn error(text: &str) -> String {
        Rules::from_toml(text, "test.toml").unwrap_err().to_string()
    }

    #[test]
    fn defaults_are_the_first_values_of_the_rulebook() {
        let rules = Rules::from_toml(PLAIN, "test.toml").unwrap();
        assert_eq!((rules.bring_in(), rules.big_bet(), rules.bet_cap()), (5, 20, Some(4)));
        assert_eq!(rules.double_bet(), DoubleBet::AnyPlayer);
        assert_eq!(rules.short_all_in(), ShortAllIn::HalfBet);
        assert_eq!(rules.exhausted_deck(), ExhaustedDeck::BurnsThenCommunity);
        assert!(rules.burn() && !rules.merge_pots() && !rules.uncapped_heads_up());
        let razz = Rules::from_toml(&format!("{PLAIN}variant = \"razz\""), "test.toml").unwrap();
        assert_eq!(razz.double_bet(), DoubleBet::Off);
    }

    #[test]
    fn bring_in_is_a_word_or_a_number() {
        for (text, chips) in [("\"half_small_bet\"", 5), ("\"ante\"", 1), ("7", 7)] {
            let rules = Rules::from_toml(&format!("{PLAIN}bring_in = {text}"), "test.toml").unwrap();
            assert_eq!(rules.bring_in(), chips);
        }
        assert!(error(&format!("{PLAIN}bring_in = \"twice\"")).contains("bring_in"));
    }

    #[test]
    fn faults_name_file_and_field() {
        for (text, parts) in [
            ("small_bet = 10", &["test.toml", "ante"][..]),
            ("ante = 1\nsmall_bet = 10\nsmal_blind = 3", &["test.toml", "smal_blind"]),
            ("ante = 1\nsmall_bet = 10\nburn = 3", &["test.toml", "line 3", "burn"]),
            ("ante = 1\nsmall_bet = 10\nmuck = \"maybe\"", &["test.toml", "maybe", "allowed", "never"]),
            ("ante = 1\nsmall_bet = 0", &["test.toml", "small_bet = 0"]),
            ("ante = -1\nsmall_bet = 10", &["test.toml", "ante = -1"]),
            ("ante = 1\nsmall_bet = 5", &["test.toml", "small_bet = 5", "even"]),
            ("ante = 0\nsmall_bet = 10\nbring_in = \"ante\"", &["bring_in = 0", "above 0"]),
            ("ante = 1\nsmall_bet = 10\nbring_in = 10", &["bring_in = 10", "below the small bet"]),
            ("ante = 1\nsmall_bet = 10\nbig_bet = 9", &["big_bet = 9"]),
            ("ante = 1\nsmall_bet = 10\nbet_cap = 0", &["bet_cap = 0"]),
            ("ante = 1\nsmall_bet = 10\nseats = 9", &["seats = 9", "2 to 8"]),
            ("ante = 1\nsmall_bet = 10\nstack = 0", &["stack = 0"]),
            (
                "ante = 1\nsmall_bet = 10\nbetting = \"no_limit\"\nbet_cap = 4",
                &["bet_cap = 4", "limit games"],
            ),
            (
                "ante = 1\nsmall_bet = 10\nbetting = \"pot_limit\"\nfourth_street_double_bet = \"any_player\"",
                &["fourth_street_double_bet = any_player"],
            ),
        ] {
            let message = error(text);
            assert!(parts.iter().all(|part| message.contains(part)), "{text:?}: {message}");
        }
    }

    #[test]
    fn one_key_can_be_changed() {
        let config = Rules::from_toml(PLAIN, "test.toml").unwrap().config();
        assert_eq!(config.with("muck", "never").unwrap().muck, Muck::Never);
        assert_eq!(config.with("muck", "\"never\"").unwrap().muck, Muck::Never);
        assert_eq!(config.with("ante", "3").unwrap().ante, 3);
        assert!(config.with("merge_pots", "true").unwrap().merge_pots);
        assert!(config.with("mukc", "never").unwrap_err().to_string().contains("mukc"));
        assert!(config.with("ante", "lots").unwrap_err().to_string().contains("ante=lots"));
    }
}
