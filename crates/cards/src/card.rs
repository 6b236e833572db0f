//! One card, its rank and suit, and the two-letter notation `As`, `Td`, `2c`.

use std::fmt;
use std::str::FromStr;

/// A rank, deuce = 0 to ace = 12.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// A suit in ascending order of the bring-in's tie break: clubs, diamonds, hearts, spades.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Suit(u8);

/// A card: `rank * 4 + suit`, so that cards sort by rank, then by suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

const RANKS: &[u8; 13] = b"23456789TJQKA";
const SUITS: &[u8; 4] = b"cdhs";

impl Rank {
    /// How many ranks there are.
    pub const COUNT: usize = 13;
    /// The ace, highest for high hands.
    pub const ACE: Rank = Rank(12);

    /// The rank with this index, deuce = 0.
    ///
    /// # Panics
    /// If `index` is above 12.
    pub const fn new(index: u8) -> Rank {
        assert!(index < 13, "rank index out of range");
        Rank(index)
    }

    /// Deuce = 0 to ace = 12.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Ace = 0, deuce = 1 to king = 12: the order of low hands.
    pub const fn low_index(self) -> usize {
        (self.0 as usize + 1) % 13
    }

    /// Its name in a sentence: "six".
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 13] = [
            "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
            "king", "ace",
        ];
        NAMES[self.index()]
    }

    /// Its name for several cards: "sixes".
    pub const fn plural(self) -> &'static str {
        const NAMES: [&str; 13] = [
            "deuces", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks",
            "queens", "kings", "aces",
        ];
        NAMES[self.index()]
    }

    /// All ranks, deuce first.
    pub fn all() -> impl Iterator<Item = Rank> {
        (0..13).map(Rank)
    }
}

impl Suit {
    /// How many suits there are.
    pub const COUNT: usize = 4;

    /// The suit with this index, clubs = 0.
    ///
    /// # Panics
    /// If `index` is above 3.
    pub const fn new(index: u8) -> Suit {
        assert!(index < 4, "suit index out of range");
        Suit(index)
    }

    /// Clubs = 0 to spades = 3.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All suits, clubs first.
    pub fn all() -> impl Iterator<Item = Suit> {
        (0..4).map(Suit)
    }
}

impl Card {
    /// How many cards there are.
    pub const COUNT: usize = 52;

    /// The card of this rank and suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(rank.0 * 4 + suit.0)
    }

    /// The card with this index, `rank * 4 + suit`.
    ///
    /// # Panics
    /// If `index` is above 51.
    pub const fn from_index(index: u8) -> Card {
        assert!(index < 52, "card index out of range");
        Card(index)
    }

    /// `rank * 4 + suit`, below 52.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The rank.
    pub const fn rank(self) -> Rank {
        Rank(self.0 / 4)
    }

    /// The suit.
    pub const fn suit(self) -> Suit {
        Suit(self.0 % 4)
    }

    /// All cards in ascending order.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..52).map(Card)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", RANKS[self.index()] as char)
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", SUITS[self.index()] as char)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank(), self.suit())
    }
}

impl fmt::Debug for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a card or a list of cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCardError {
    /// The text is not a rank of `23456789TJQKA` followed by a suit of `cdhs`.
    #[error("'{0}' is not a card: expected a rank of 23456789TJQKA and a suit of cdhs, such as As")]
    NotACard(String),
    /// A card stands twice in a list of distinct cards.
    #[error("the card {0} stands twice")]
    Duplicate(Card),
}

impl FromStr for Card {
    type Err = ParseCardError;

    fn from_str(text: &str) -> Result<Card, ParseCardError> {
        let error = || ParseCardError::NotACard(text.chars().take(8).collect());
        let &[rank, suit] = text.as_bytes() else { return Err(error()) };
        let rank = RANKS.iter().position(|&r| r == rank.to_ascii_uppercase()).ok_or_else(error)?;
        let suit = SUITS.iter().position(|&s| s == suit.to_ascii_lowercase()).ok_or_else(error)?;
        Ok(Card((rank * 4 + suit) as u8))
    }
}

/// Reads cards written one after the other, with or without spaces: `AsAd Kc`.
///
/// # Errors
/// Names the first part that is no card. Duplicates are allowed here; a [`crate::CardSet`] refuses them.
pub fn parse_cards(text: &str) -> Result<Vec<Card>, ParseCardError> {
    let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    letters.chunks(2).map(|pair| pair.iter().collect::<String>().parse()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_survives_being_written_and_read() {
        for card in Card::all() {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(Card::new(card.rank(), card.suit()), card);
        }
    }

    #[test]
    fn order_is_rank_then_suit() {
        let text: Vec<String> = Card::all().map(|c| c.to_string()).collect();
        assert_eq!(&text[..5], ["2c", "2d", "2h", "2s", "3c"]);
        assert_eq!(text[51], "As");
    }

    #[test]
    fn bad_cards_are_named() {
        for text in ["", "A", "1s", "Ax", "Asd", "é", "日"] {
            assert_eq!(text.parse::<Card>(), Err(ParseCardError::NotACard(text.into())));
        }
        assert_eq!(parse_cards("AsKd 2"), Err(ParseCardError::NotACard("2".into())));
    }
}
