//! Seeded deals: the order in which cards leave the deck.

use crate::{Card, CardSet};
use rand::{Rng, RngExt};

/// A deck in a fixed order, of which the first cards have been shuffled to the front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    cards: [Card; 52],
    len: usize,
}

impl Deck {
    /// All 52 cards, unshuffled.
    pub fn new() -> Deck {
        Deck::without(CardSet::EMPTY)
    }

    /// The cards that are not in `dead`, unshuffled.
    pub fn without(dead: CardSet) -> Deck {
        let mut cards = [Card::from_index(0); 52];
        let live = dead.complement();
        for (slot, card) in cards.iter_mut().zip(live) {
            *slot = card;
        }
        Deck { cards, len: live.len() }
    }

    /// Draws the first `n` cards: a uniform sample without replacement in random order.
    ///
    /// Every call shuffles anew (a partial Fisher-Yates shuffle of the deck's current order), so one deck serves
    /// any number of deals without being rebuilt.
    ///
    /// # Panics
    /// If the deck has fewer than `n` cards.
    pub fn deal<R: Rng + ?Sized>(&mut self, n: usize, rng: &mut R) -> &[Card] {
        assert!(n <= self.len, "dealing more cards than the deck has");
        for i in 0..n {
            let j = rng.random_range(i..self.len);
            self.cards.swap(i, j);
        }
        &self.cards[..n]
    }

    /// The cards in their present order.
    pub fn cards(&self) -> &[Card] {
        &self.cards[..self.len]
    }
}

impl Default for Deck {
    fn default() -> Deck {
        Deck::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    #[test]
    fn deals_are_distinct_and_seeded() {
        let mut rng = StdRng::seed_from_u64(7);
        let mut deck = Deck::new();
        let first = deck.deal(52, &mut rng).to_vec();
        assert_eq!(CardSet::from(&first[..]), CardSet::FULL);
        let again = Deck::new().deal(52, &mut StdRng::seed_from_u64(7)).to_vec();
        assert_eq!(first, again);
    }

    #[test]
    fn every_card_is_dealt_equally_often() {
        let mut rng = StdRng::seed_from_u64(1);
        let mut deck = Deck::without("AsAd".parse().unwrap());
        let mut counts = [0u32; 52];
        for _ in 0..50_000 {
            for card in deck.deal(3, &mut rng) {
                counts[card.index()] += 1;
            }
        }
        for card in Card::all() {
            let count = counts[card.index()];
            let expected = if deck.cards().contains(&card) { 3000.0 } else { 0.0 };
            // Five standard deviations of a binomial with mean 3,000.
            assert!((f64::from(count) - expected).abs() < 275.0, "{card}: {count}");
        }
    }
}
