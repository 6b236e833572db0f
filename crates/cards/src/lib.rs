//! Playing cards for seven-card stud: cards, sets, decks, hand values, suit classes.
//!
//! Everything here is independent of betting. Ranks run from deuce (0) to ace (12), suits from clubs (0) to
//! spades (3), in the order that breaks ties for the bring-in; a card is `rank * 4 + suit`.

pub mod board;
mod card;
mod cardset;
mod deck;
pub mod low;
pub mod rank7;
pub mod rank_multisets;
mod rank_sets;
pub mod suit_iso;
pub mod up_hand;

pub use card::{Card, ParseCardError, Rank, Suit, parse_cards};
pub use cardset::CardSet;
pub use deck::Deck;
