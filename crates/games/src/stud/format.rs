//! What a game is dealt from, what each street deals, and which of the cards held make a hand.
//!
//! The standard game deals seven of 52 cards, of which the best five play. Small relatives of it ("mini-stud") have
//! fewer cards, streets and cards to a hand, but the same betting, bring-in and openers: they are small enough to be
//! solved exactly, and the code proven on them is the code that plays the whole game.
//!
//! Streets keep the names of the standard game in order, however few cards they deal: the first is
//! [`Street::Third`], and the double bet on an open pair belongs to the second, [`Street::Fourth`].

use super::{Street, StudError};
use doorcard_cards::{Card, CardSet};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The letters of the ranks, the ace first: the order of low hands.
const RANKS: &str = "A23456789TJQK";
const SUITS: &str = "cdhs";
/// The most up cards and down cards of a hand.
const MAX_UP: usize = 4;
const MAX_DOWN: usize = 3;

/// The ranks of a deck; in a rules file their letters in any order, such as `"A23"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Ranks(u16);

/// The suits of a deck; in a rules file their letters in any order, such as `"cd"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Suits(u8);

/// What each street deals to each player in order, `d` down and `u` up: `["ddu", "u", "u", "u", "d"]` in the
/// standard game.
///
/// There are one to five streets. The first deals one or two down cards, then one up card; the others one card
/// each. A player gets at most four up cards and three down cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Streets {
    count: u8,
    /// Up and down cards of a player by each street; those of the last street beyond it.
    up: [u8; 5],
    down: [u8; 5],
}

/// The letters of `text` as a mask of places in `letters`: at least one, none twice.
fn mask(field: &'static str, letters: &str, text: &str) -> Result<u16, StudError> {
    let bad = || StudError::Value {
        field,
        value: format!("\"{}\"", text.chars().take(40).collect::<String>()),
        expected: format!("one or more letters of {letters}, none twice"),
    };
    let mut mask = 0;
    for letter in text.chars() {
        let place = letters.find(letter).ok_or_else(bad)?;
        if mask >> place & 1 == 1 {
            return Err(bad());
        }
        mask |= 1 << place;
    }
    if mask == 0 { Err(bad()) } else { Ok(mask) }
}

/// The letters at the places of a mask.
fn letters(letters: &str, mask: u16) -> String {
    letters
        .chars()
        .enumerate()
        .filter(|(place, _)| mask >> place & 1 == 1)
        .map(|(_, letter)| letter)
        .collect()
}

impl Ranks {
    /// All thirteen.
    pub const ALL: Ranks = Ranks((1 << 13) - 1);

    /// How many of the ranks are at or below `highest`, the ace counting 1 and the king 13.
    fn up_to(self, highest: u8) -> usize {
        (self.0 & ((1u32 << highest) - 1) as u16).count_ones() as usize
    }
}

impl Suits {
    /// All four.
    pub const ALL: Suits = Suits(0b1111);
}

macro_rules! letters {
    ($name:ident($bits:ty), $field:literal, $letters:ident) => {
        impl FromStr for $name {
            type Err = StudError;

            fn from_str(text: &str) -> Result<$name, StudError> {
                Ok($name(mask($field, $letters, text)? as $bits))
            }
        }

        impl TryFrom<String> for $name {
            type Error = StudError;

            fn try_from(text: String) -> Result<$name, StudError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(set: $name) -> String {
                letters($letters, set.0.into())
            }
        }

        impl Default for $name {
            fn default() -> $name {
                $name::ALL
            }
        }
    };
}

letters!(Ranks(u16), "ranks", RANKS);
letters!(Suits(u8), "suits", SUITS);

impl Streets {
    /// Those of the standard game.
    pub const STANDARD: Streets = Streets { count: 5, up: [1, 2, 3, 4, 4], down: [2, 2, 2, 2, 3] };

    /// Reads what each street deals, as in a rules file.
    ///
    /// # Errors
    /// If the streets are not as the type's documentation has them; the message names the one.
    pub fn new(streets: &[impl AsRef<str>]) -> Result<Streets, StudError> {
        let bad = |value: String, expected: &str| {
            Err(StudError::Value { field: "streets", value, expected: expected.into() })
        };
        if !(1..=5).contains(&streets.len()) {
            return bad(
                format!("{} streets", streets.len()),
                "1 to 5 streets, such as [\"ddu\", \"u\", \"d\"]",
            );
        }
        let mut plan = Streets { count: streets.len() as u8, up: [0; 5], down: [0; 5] };
        let (mut up, mut down) = (0, 0);
        for index in 0..5 {
            match (index, streets.get(index).map(AsRef::as_ref)) {
                (_, None) => {}
                (0, Some("du")) => (up, down) = (1, 1),
                (0, Some("ddu")) => (up, down) = (1, 2),
                (1.., Some("u")) => up += 1,
                (1.., Some("d")) => down += 1,
                (0, Some(text)) => {
                    let value = format!("\"{}\" on the first", text.chars().take(20).collect::<String>());
                    return bad(value, "\"du\" or \"ddu\": one or two down cards, then the door card");
                }
                (_, Some(text)) => {
                    let text: String = text.chars().take(20).collect();
                    return bad(format!("\"{text}\" on number {}", index + 1), "\"u\" or \"d\": one card");
                }
            }
            (plan.up[index], plan.down[index]) = (up, down);
        }
        if usize::from(up) > MAX_UP || usize::from(down) > MAX_DOWN {
            return bad(format!("{up} up and {down} down cards"), "at most 4 up and 3 down cards");
        }
        Ok(plan)
    }

    fn is_up(&self, index: usize) -> bool {
        index == 0 || self.up[index] > self.up[index - 1]
    }
}

impl Default for Streets {
    fn default() -> Streets {
        Streets::STANDARD
    }
}

impl TryFrom<Vec<String>> for Streets {
    type Error = StudError;

    fn try_from(streets: Vec<String>) -> Result<Streets, StudError> {
        Streets::new(&streets)
    }
}

impl From<Streets> for Vec<String> {
    fn from(streets: Streets) -> Vec<String> {
        let first = "d".repeat(streets.down[0].into()) + "u";
        let later = (1..streets.count.into()).map(|i| if streets.is_up(i) { "u" } else { "d" }.to_string());
        std::iter::once(first).chain(later).collect()
    }
}

/// Deck, streets and hands of a game, checked: the part of the rules that says which cards there are and what they
/// are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) ranks: Ranks,
    pub(super) suits: Suits,
    pub(super) streets: Streets,
    pub(super) hand_cards: u8,
    pub(super) straights: bool,
    pub(super) flushes: bool,
    pub(super) low_qualifier: u8,
    /// Whether this is [`Format::STANDARD`], for which the fast evaluators hold.
    standard: bool,
}

impl Format {
    /// Seven of 52 cards, of which five play.
    pub(super) const STANDARD: Format = Format {
        ranks: Ranks::ALL,
        suits: Suits::ALL,
        streets: Streets::STANDARD,
        hand_cards: 5,
        straights: true,
        flushes: true,
        low_qualifier: 8,
        standard: true,
    };

    /// The format with these parts; [`Rules`](super::Rules) checks that they fit together.
    pub(super) fn new(
        deck: (Ranks, Suits),
        streets: Streets,
        hand_cards: u8,
        (straights, flushes): (bool, bool),
        low_qualifier: u8,
    ) -> Format {
        let (ranks, suits) = deck;
        let mut format =
            Format { ranks, suits, streets, hand_cards, straights, flushes, low_qualifier, standard: true };
        format.standard = format == Format::STANDARD;
        format
    }

    /// Whether this is the standard game: the full deck, seven cards each, of which five play, and a qualifier of 8.
    #[inline]
    pub(super) fn is_standard(&self) -> bool {
        self.standard
    }

    /// The first key of a rules file that is not that of the standard game.
    pub(super) fn first_difference(&self) -> Option<&'static str> {
        let standard = Format::STANDARD;
        [
            ("ranks", self.ranks != standard.ranks),
            ("suits", self.suits != standard.suits),
            ("streets", self.streets != standard.streets),
            ("hand_cards", self.hand_cards != standard.hand_cards),
            ("straights", self.straights != standard.straights),
            ("flushes", self.flushes != standard.flushes),
            ("low_qualifier", self.low_qualifier != standard.low_qualifier),
        ]
        .into_iter()
        .find_map(|(key, differs)| differs.then_some(key))
    }

    /// Refuses what is not the standard game for the sake of `what`, which knows no other.
    pub(super) fn require_standard(&self, what: &'static str) -> Result<(), StudError> {
        self.first_difference().map_or(Ok(()), |key| Err(StudError::NotStandard { what, key }))
    }

    /// Every card of the deck's ranks and suits.
    pub(super) fn deck(&self) -> CardSet {
        if self.standard {
            return CardSet::FULL;
        }
        let has = |card: &Card| {
            let (Ranks(ranks), Suits(suits)) = (self.ranks, self.suits);
            ranks >> card.rank().low_index() & 1 == 1 && suits >> card.suit().index() & 1 == 1
        };
        Card::all().filter(has).collect()
    }

    /// How many of the deck's ranks may stand in a qualifying low.
    pub(super) fn low_ranks(&self) -> usize {
        self.ranks.up_to(self.low_qualifier)
    }

    /// How many streets there are, 1 to 5.
    pub(super) fn streets(&self) -> usize {
        self.streets.count.into()
    }

    /// The last street.
    pub(super) fn last_street(&self) -> Street {
        Street::ALL[self.streets() - 1]
    }

    /// The street after this one.
    #[inline]
    pub(super) fn next_street(&self, street: Street) -> Option<Street> {
        if street.index() + 1 < self.streets() { street.next() } else { None }
    }

    /// How many up cards each player shows on `street`.
    #[inline]
    pub(super) fn up_cards(&self, street: Street) -> usize {
        self.streets.up[street.index()].into()
    }

    /// How many down cards each player has on `street`.
    #[inline]
    pub(super) fn down_cards(&self, street: Street) -> usize {
        self.streets.down[street.index()].into()
    }

    /// How many cards each player has in the end.
    pub(super) fn cards_each(&self) -> usize {
        self.up_cards(Street::Seventh) + self.down_cards(Street::Seventh)
    }

    /// Whether `street` deals an up card.
    pub(super) fn deals_up(&self, street: Street) -> bool {
        self.streets.is_up(street.index())
    }

    /// How many of the cards held make a hand.
    pub(super) fn hand_cards(&self) -> usize {
        self.hand_cards.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decks_are_all_cards_of_their_ranks_and_suits() {
        let format = |ranks: &str, suits: &str| {
            let deck = (ranks.parse().unwrap(), suits.parse().unwrap());
            Format::new(deck, Streets::STANDARD, 5, (true, true), 8)
        };
        assert_eq!(format("3A2", "dc").deck(), "Ac2c3cAd2d3d".parse().unwrap());
        assert_eq!(format("K", "cdhs").deck(), "KcKdKhKs".parse().unwrap());
        assert_eq!(format(RANKS, SUITS).deck(), CardSet::FULL);
        assert!(format("KQJT98765432A", "shdc").is_standard());
        assert!(!format("KQJT98765432A", "shd").is_standard());
    }

    #[test]
    fn letters_are_checked() {
        assert_eq!(String::from("3A2".parse::<Ranks>().unwrap()), "A23");
        assert_eq!(String::from("sc".parse::<Suits>().unwrap()), "cs");
        for (text, part) in [("", "\"\""), ("A1", "A1"), ("AA", "none twice"), ("é", "é")] {
            let error = text.parse::<Ranks>().unwrap_err().to_string();
            assert!(error.starts_with("ranks = ") && error.contains(part), "{error}");
        }
        let error = "cx".parse::<Suits>().unwrap_err().to_string();
        assert!(error.contains("suits = \"cx\"") && error.contains("cdhs"), "{error}");
    }

    #[test]
    fn streets_say_what_is_held() {
        let standard = Streets::new(&["ddu", "u", "u", "u", "d"]).unwrap();
        assert_eq!(standard, Streets::STANDARD);
        for street in Street::ALL {
            assert_eq!(Format::STANDARD.up_cards(street), street.up_cards());
            let held = Format::STANDARD.up_cards(street) + Format::STANDARD.down_cards(street);
            assert_eq!(held, street.number());
            assert_eq!(Format::STANDARD.next_street(street), street.next());
            assert_eq!(Format::STANDARD.deals_up(street), street != Street::Seventh);
        }
        let streets = Streets::new(&["du", "d", "u"]).unwrap();
        let format = Format::new((Ranks::ALL, Suits::ALL), streets, 3, (true, true), 8);
        assert_eq!((format.streets(), format.last_street(), format.cards_each()), (3, Street::Fifth, 4));
        assert_eq!(Street::ALL.map(|street| format.up_cards(street)), [1, 1, 2, 2, 2]);
        assert_eq!(Street::ALL.map(|street| format.down_cards(street)), [1, 2, 2, 2, 2]);
        assert_eq!(format.next_street(Street::Fourth), Some(Street::Fifth));
        assert_eq!(format.next_street(Street::Fifth), None);
        assert!(!format.deals_up(Street::Fourth) && format.deals_up(Street::Fifth));
        assert_eq!(Vec::<String>::from(streets), ["du", "d", "u"]);
    }

    #[test]
    fn streets_are_checked() {
        for (streets, part) in [
            (&[][..], "0 streets"),
            (&["du", "u", "u", "u", "u", "u"], "6 streets"),
            (&["u"], "\"u\" on the first"),
            (&["dddu"], "\"dddu\" on the first"),
            (&["du", "uu"], "\"uu\" on number 2"),
            (&["du", "x"], "\"x\" on number 2"),
            (&["ddu", "d", "d"], "1 up and 4 down cards"),
            (&["du", "u", "u", "u", "u"], "5 up and 1 down cards"),
        ] {
            let error = Streets::new(streets).unwrap_err().to_string();
            assert!(error.starts_with("streets = ") && error.contains(part), "{error}");
        }
    }
}
