//! A set of cards as the low 52 bits of a `u64`.

use crate::{Card, ParseCardError, Suit, parse_cards};
use std::fmt;
use std::str::FromStr;

/// A set of cards; bit `i` stands for the card with index `i`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// The whole deck.
    pub const FULL: CardSet = CardSet((1 << 52) - 1);

    /// The set with these bits.
    ///
    /// # Panics
    /// If a bit above the 52nd is set.
    pub const fn from_bits(bits: u64) -> CardSet {
        assert!(bits >> 52 == 0, "card set bits out of range");
        CardSet(bits)
    }

    /// Bit `i` stands for the card with index `i`.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// How many cards.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no card.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `card` is in the set.
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// The set with `card` added.
    #[must_use]
    pub const fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | 1 << card.index())
    }

    /// The set with `card` taken out.
    #[must_use]
    pub const fn without(self, card: Card) -> CardSet {
        CardSet(self.0 & !(1 << card.index()))
    }

    /// Cards in either set.
    #[must_use]
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// Cards in both sets.
    #[must_use]
    pub const fn intersection(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// Cards of `self` that are not in `other`.
    #[must_use]
    pub const fn minus(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// The cards that are not in the set.
    #[must_use]
    pub const fn complement(self) -> CardSet {
        CardSet(!self.0 & CardSet::FULL.0)
    }

    /// Whether the sets share no card.
    pub const fn is_disjoint(self, other: CardSet) -> bool {
        self.0 & other.0 == 0
    }

    /// Four lanes of 16 bits, one per suit from clubs up; bit `r` of a lane stands for the card of rank `r`.
    pub const fn suit_lanes(self) -> u64 {
        // A bit's index is rank * 4 + suit and becomes suit * 16 + rank: transpose 4x4 bits within each 16,
        // then the 4x4 nibbles of the whole word.
        let bits = self.0;
        let bits = swap_bits(bits, 0x0a0a_0a0a_0a0a_0a0a, 3);
        let bits = swap_bits(bits, 0x00cc_00cc_00cc_00cc, 6);
        let bits = swap_bits(bits, 0x0000_f0f0_0000_f0f0, 12);
        swap_bits(bits, 0x0000_0000_ff00_ff00, 24)
    }

    /// The set under a relabelling of suits: `map[s]` is the new suit of suit `s`.
    #[must_use]
    pub fn relabel(self, map: [Suit; 4]) -> CardSet {
        self.into_iter().map(|c| Card::new(c.rank(), map[c.suit().index()])).collect()
    }
}

/// Exchanges each bit under `mask` with the bit `shift` above it.
const fn swap_bits(bits: u64, mask: u64, shift: u32) -> u64 {
    let differing = (bits >> shift ^ bits) & mask;
    bits ^ differing ^ differing << shift
}

/// The union of the four lanes of [`CardSet::suit_lanes`].
pub(crate) const fn fold_lanes(lanes: u64) -> u16 {
    let halves = lanes | lanes >> 32;
    (halves | halves >> 16) as u16
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, CardSet::with)
    }
}

impl From<&[Card]> for CardSet {
    fn from(cards: &[Card]) -> CardSet {
        cards.iter().copied().collect()
    }
}

/// The cards of a set in ascending order.
pub struct Iter(u64);

impl Iterator for Iter {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let card = Card::from_index(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(card)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Iter {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        Iter(self.0)
    }
}

impl FromStr for CardSet {
    type Err = ParseCardError;

    /// Reads distinct cards in any order.
    fn from_str(text: &str) -> Result<CardSet, ParseCardError> {
        parse_cards(text)?.into_iter().try_fold(CardSet::EMPTY, |set, card| {
            if set.contains(card) { Err(ParseCardError::Duplicate(card)) } else { Ok(set.with(card)) }
        })
    }
}

impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.into_iter().try_for_each(|card| write!(f, "{card}"))
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_algebra() {
        let a: CardSet = "AsKd2c".parse().unwrap();
        let b: CardSet = "Kd 3h".parse().unwrap();
        assert_eq!(a.to_string(), "2cKdAs");
        assert_eq!(a.union(b).len(), 4);
        assert_eq!(a.intersection(b).to_string(), "Kd");
        assert_eq!(a.minus(b).to_string(), "2cAs");
        assert_eq!(a.complement().len(), 49);
        assert!(a.is_disjoint(a.complement()));
    }

    #[test]
    fn a_card_twice_is_refused() {
        let twice = "AsAs".parse::<CardSet>();
        assert_eq!(twice, Err(ParseCardError::Duplicate("As".parse().unwrap())));
    }

    #[test]
    fn lanes_are_suits() {
        for card in Card::all() {
            let lanes = CardSet::EMPTY.with(card).suit_lanes();
            assert_eq!(lanes, 1 << (16 * card.suit().index() + card.rank().index()));
        }
        assert_eq!(CardSet::FULL.suit_lanes(), 0x1fff_1fff_1fff_1fff);
        assert_eq!(fold_lanes("2c2sAdAh".parse::<CardSet>().unwrap().suit_lanes()), 0b1_0000_0000_0001);
    }

    #[test]
    fn relabelling_suits() {
        let map = [3, 2, 1, 0].map(Suit::new);
        let set: CardSet = "AsKd2c".parse().unwrap();
        assert_eq!(set.relabel(map).to_string(), "2sKhAc");
    }
}
