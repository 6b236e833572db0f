//! The rules of one game: stakes and settings as a TOML file gives them ([`RulesConfig`]), and the same checked once
//! ([`Rules`]).

use super::format::{Format, Ranks, Streets, Suits};
use super::settings::*;
use super::{StudError, settings, toml_fault};
use doorcard_cards::CardSet;
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
    /// The ranks of the deck, which has every card of these ranks and suits.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ranks: Ranks,
    /// The suits of the deck.
    #[serde(default, skip_serializing_if = "is_default")]
    pub suits: Suits,
    /// What each street deals.
    #[serde(default, skip_serializing_if = "is_default")]
    pub streets: Streets,
    /// How many of the cards held make a hand, the best of them: 1 to 5.
    #[serde(default = "five", skip_serializing_if = "is_five")]
    pub hand_cards: u8,
    /// Whether straights count in high hands; only hands of fewer than five cards may do without.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub straights: bool,
    /// Whether flushes count in high hands; only hands of fewer than five cards may do without.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub flushes: bool,
    /// The highest rank in a qualifying low of a split game: 1 for the ace, 11 to 13 for jack to king.
    #[serde(default = "eight", skip_serializing_if = "is_eight")]
    pub low_qualifier: u8,
}

// What a rules file need not say. The keys of deck, streets and hands are written only where a game is not the
// standard one, so that its text stays as it was before there were others.

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}

fn five() -> u8 {
    5
}

fn is_five(value: &u8) -> bool {
    *value == 5
}

fn eight() -> u8 {
    8
}

fn is_eight(value: &u8) -> bool {
    *value == 8
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
    format: Format,
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
            ranks: Ranks::ALL,
            suits: Suits::ALL,
            streets: Streets::STANDARD,
            hand_cards: 5,
            straights: true,
            flushes: true,
            low_qualifier: 8,
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
        let rules = Rules {
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
            format: self.format(origin)?,
        };
        if !rules.is_standard() {
            let (needed, deck) = (rules.cards_needed(self.seats), rules.deck().len());
            if needed > deck {
                let expected = format!("fewer: they need {needed} cards of a deck of {deck}");
                return reject("seats", &self.seats, &expected);
            }
            if self.tie_odd_chips == TieOddChips::HighSuit {
                let expected = "another way, since these rules are not those of the standard game";
                return reject("tie_odd_chips", &settings::name(self.tie_odd_chips), expected);
            }
        }
        Ok(rules)
    }

    /// As [`Rules::require_standard`].
    pub(super) fn require_standard(&self, what: &'static str) -> Result<(), StudError> {
        self.format(what)?.require_standard(what)
    }

    /// Deck, streets and hands, checked.
    fn format(&self, origin: &str) -> Result<Format, StudError> {
        let reject = |field, value: &dyn fmt::Display, expected: &str| {
            let (origin, value) = (origin.into(), value.to_string());
            Err(StudError::Setting { origin, field, value, expected: expected.into() })
        };
        let shapes = (self.straights, self.flushes);
        let format =
            Format::new((self.ranks, self.suits), self.streets, self.hand_cards, shapes, self.low_qualifier);
        if !(1..=5).contains(&self.hand_cards) || format.hand_cards() > format.cards_each() {
            let expected = format!("1 to 5, and no more than the {} cards held", format.cards_each());
            return reject("hand_cards", &self.hand_cards, &expected);
        }
        for (field, counts) in [("straights", self.straights), ("flushes", self.flushes)] {
            if !counts && self.hand_cards == 5 {
                return reject(field, &counts, "true: only hands of fewer than five cards may do without");
            }
        }
        if !(1..=13).contains(&self.low_qualifier) {
            return reject("low_qualifier", &self.low_qualifier, "1 (the ace) to 13 (the king)");
        }
        let split = self.variant == Variant::HiLo8;
        if split && format.low_ranks() < format.hand_cards() {
            let expected = format!("a rank with {} or more of the deck's at or below it", self.hand_cards);
            return reject("low_qualifier", &self.low_qualifier, &expected);
        }
        if !split && self.low_qualifier != 8 {
            return reject("low_qualifier", &self.low_qualifier, "8 or nothing: only split games have one");
        }
        Ok(format)
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
            ranks: self.format.ranks,
            suits: self.format.suits,
            streets: self.format.streets,
            hand_cards: self.format.hand_cards,
            straights: self.format.straights,
            flushes: self.format.flushes,
            low_qualifier: self.format.low_qualifier,
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

    /// Deck, streets and hands.
    #[inline]
    pub(super) fn format(&self) -> &Format {
        &self.format
    }

    /// Whether deck, streets and hands are those of seven-card stud: 52 cards, seven each, of which five play, and a
    /// qualifier of 8.
    #[inline]
    pub fn is_standard(&self) -> bool {
        self.format.is_standard()
    }

    /// Refuses rules whose deck, streets or hands are not those of seven-card stud, for the sake of `what`, which
    /// knows no others.
    ///
    /// # Errors
    /// Names `what` and the first key of the rules that differs.
    pub fn require_standard(&self, what: &'static str) -> Result<(), StudError> {
        self.format.require_standard(what)
    }

    /// The deck: every card of its ranks and suits.
    pub fn deck(&self) -> CardSet {
        self.format.deck()
    }

    /// How many streets there are, 1 to 5. They have the names of the standard game in order.
    pub fn streets(&self) -> usize {
        self.format.streets()
    }

    /// The last street.
    pub fn last_street(&self) -> Street {
        self.format.last_street()
    }

    /// The street after this one.
    #[inline]
    pub fn next_street(&self, street: Street) -> Option<Street> {
        self.format.next_street(street)
    }

    /// How many up cards each player shows on a street; beyond the last, as on the last.
    #[inline]
    pub fn up_cards(&self, street: Street) -> usize {
        self.format.up_cards(street)
    }

    /// How many down cards each player has on a street; beyond the last, as on the last.
    #[inline]
    pub fn down_cards(&self, street: Street) -> usize {
        self.format.down_cards(street)
    }

    /// How many cards each player has in the end.
    pub fn cards_each(&self) -> usize {
        self.format.cards_each()
    }

    /// Whether a street deals an up card.
    pub fn deals_up(&self, street: Street) -> bool {
        self.format.deals_up(street)
    }

    /// How many of the cards held make a hand.
    pub fn hand_cards(&self) -> usize {
        self.format.hand_cards()
    }

    /// Whether straights count in high hands.
    pub fn straights(&self) -> bool {
        self.format.straights
    }

    /// Whether flushes count in high hands.
    pub fn flushes(&self) -> bool {
        self.format.flushes
    }

    /// The highest rank in a qualifying low of a split game: 1 for the ace, 13 for the king.
    pub fn low_qualifier(&self) -> u8 {
        self.format.low_qualifier
    }

    /// How many cards a hand takes in which nobody folds, burnt ones included.
    pub fn cards_needed(&self, players: usize) -> usize {
        let burns = if self.burn { self.streets() - 1 } else { 0 };
        self.cards_each() * players + burns
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
                "ante = 1\nsmall_bet = 10\nranks = \"A1\"",
                &["test.toml", "line 3", "ranks = \"A1\"", "A23456"],
            ),
            ("ante = 1\nsmall_bet = 10\nsuits = \"cc\"", &["test.toml", "suits = \"cc\"", "none twice"]),
            ("ante = 1\nsmall_bet = 10\nsuits = 3", &["test.toml", "line 3", "suits"]),
            (
                "ante = 1\nsmall_bet = 10\nstreets = [\"du\", \"ud\"]",
                &["test.toml", "line 3", "\"ud\" on number 2"],
            ),
            ("ante = 1\nsmall_bet = 10\nhand_cards = 6", &["hand_cards = 6", "1 to 5"]),
            ("ante = 1\nsmall_bet = 10\nstreets = [\"du\", \"u\"]", &["hand_cards = 5", "the 3 cards held"]),
            ("ante = 1\nsmall_bet = 10\nstraights = false", &["straights = false", "fewer than five"]),
            ("ante = 1\nsmall_bet = 10\nflushes = false", &["flushes = false", "fewer than five"]),
            ("ante = 1\nsmall_bet = 10\nlow_qualifier = 7", &["low_qualifier = 7", "only split games"]),
            (
                "ante = 1\nsmall_bet = 10\nvariant = \"hilo8\"\nlow_qualifier = 14",
                &["low_qualifier = 14", "13 (the king)"],
            ),
            (
                "ante = 1\nsmall_bet = 10\nvariant = \"hilo8\"\nlow_qualifier = 4",
                &["low_qualifier = 4", "with 5 or more"],
            ),
            (
                "ante = 1\nsmall_bet = 10\nranks = \"TJQKA\"\nsuits = \"cdh\"",
                &["seats = 2", "18 cards of a deck of 15"],
            ),
            (
                "ante = 1\nsmall_bet = 10\nranks = \"89TJQKA\"\ntie_odd_chips = \"high_suit\"",
                &["tie_odd_chips = high_suit", "standard game"],
            ),
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

    /// Texts, fingerprints and checkpoints of the standard game are as they were before there were others.
    #[test]
    fn only_what_differs_from_the_standard_game_is_written() {
        let standard = Rules::from_toml(PLAIN, "test.toml").unwrap();
        assert!(standard.is_standard() && standard.require_standard("x").is_ok());
        let spelled_out = standard
            .config()
            .with("ranks", "23456789TJQKA")
            .and_then(|config| config.with("suits", "shdc"))
            .and_then(|config| config.with("streets", "[\"ddu\", \"u\", \"u\", \"u\", \"d\"]"))
            .and_then(|config| config.with("hand_cards", "5"))
            .and_then(|config| config.with("straights", "true"))
            .and_then(|config| config.with("low_qualifier", "8"))
            .unwrap();
        assert_eq!(spelled_out.check("test").unwrap(), standard);
        for key in ["ranks", "suits", "streets", "hand_cards", "straights", "flushes", "low_qualifier"] {
            assert!(!standard.to_toml().contains(key), "{key}");
        }
        let text = format!(
            "{PLAIN}variant = \"hilo8\"\nranks = \"43A2\"\nsuits = \"hc\"\nstreets = [\"ddu\", \"d\", \"u\"]\n\
             burn = false\nhand_cards = 3\nstraights = false\nflushes = false\nlow_qualifier = 4\nseats = 1"
        );
        assert!(error(&text).contains("seats = 1"));
        let text = text.replace("seats = 1", "seats = 2").replace("\"ddu\", \"d\", \"u\"", "\"ddu\", \"u\"");
        let small = Rules::from_toml(&text, "test.toml").unwrap();
        for line in [
            "ranks = \"A234\"",
            "suits = \"ch\"",
            "streets = [\"ddu\", \"u\"]",
            "hand_cards = 3",
            "straights = false",
            "flushes = false",
            "low_qualifier = 4",
        ] {
            assert!(small.to_toml().lines().any(|written| written == line), "{line}: {}", small.to_toml());
        }
        assert_eq!(Rules::from_toml(&small.to_toml(), "again").unwrap(), small);
        let refusal = small.require_standard("the test").unwrap_err().to_string();
        assert!(refusal.contains("the test") && refusal.contains("ranks"), "{refusal}");
        assert_eq!((small.cards_needed(2), small.cards_each(), small.deck().len()), (8, 4, 8));
        assert_eq!((small.bet_size(Street::Fourth), small.last_street()), (10, Street::Fourth));
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
