//! The order of hands showing, which decides who opens a betting round of stud.
//!
//! Of one to four up cards only repeated ranks count: quads, trips, two pair, pair, high cards. Straights, flushes
//! and suits never do. In stud high (and hi/lo) the best high hand opens, ace high; in razz the best low hand, ace
//! low and pairs against it.

use crate::rank_sets::Repeats;
use crate::{Card, Rank};

/// The strength of the cards one player shows; greater is better in the game it was made for.
///
/// Comparable among hands of equally many cards and of the same game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UpRank(u16);

impl UpRank {
    /// How many ranks hands of `cards` up cards have: 13, 91, 455, 1,820.
    ///
    /// # Panics
    /// Unless `cards` is 1 to 4.
    pub const fn count(cards: usize) -> usize {
        assert!(1 <= cards && cards <= 4, "one to four up cards");
        Repeats::count(cards)
    }

    /// The number of the rank, 0 for the worst, below [`UpRank::count`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

fn order(cards: &[Card], rank: fn(Rank) -> usize) -> usize {
    assert!((1..=4).contains(&cards.len()), "one to four up cards, not {}", cards.len());
    Repeats::from_ranks(cards.iter().map(|card| rank(card.rank()))).order()
}

/// The rank of one to four up cards for high: the greatest opens from fourth street on.
///
/// # Panics
/// Unless there are one to four cards.
pub fn showing_high(cards: &[Card]) -> UpRank {
    UpRank(order(cards, Rank::index) as u16)
}

/// The rank of one to four up cards for ace-to-five low: the greatest, that is the best low, opens in razz.
///
/// # Panics
/// Unless there are one to four cards.
pub fn showing_low(cards: &[Card]) -> UpRank {
    UpRank((UpRank::count(cards.len()) - 1 - order(cards, Rank::low_index)) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_cards;
    use std::cmp::Reverse;
    use std::collections::BTreeSet;

    fn high(text: &str) -> UpRank {
        showing_high(&parse_cards(text).unwrap())
    }

    fn low(text: &str) -> UpRank {
        showing_low(&parse_cards(text).unwrap())
    }

    #[test]
    fn examples_for_high() {
        assert!(high("As") > high("Kc"));
        assert!(high("2c2d") > high("AsKs"));
        assert!(high("AcAd2h") > high("KcKdAh"));
        assert!(high("2c2d2h") > high("AcAdKh"));
        assert!(high("2c2d3h3c") > high("AcAdKhQh"));
        assert!(high("KcKd2h2c") > high("QcQdJhJc"));
        assert!(high("2c2d2h2s") > high("AcAdAhKs"));
        assert_eq!(high("As9s8s7s"), high("7dAh9c8d"));
        assert!(high("As9s8s7s") > high("TsJsQsKs"));
    }

    #[test]
    fn examples_for_low() {
        assert!(low("As") > low("2c"));
        assert!(low("Qs") > low("Ks"));
        assert!(low("KsQs") > low("AcAd"));
        assert!(low("AcAd2h") > low("2c2dAh"));
        assert!(low("2c3d4h8s") > low("Ac2d3h9s"));
        assert!(low("KcQdJhTs") > low("AcAd2h3s"));
        assert!(low("KcKd2h3s") > low("AcAd2h2s"));
        assert_eq!(low("As2s3s4s"), low("4dAh2c3d"));
    }

    /// How often ranks occur, most frequent first, then those ranks: compared as plain vectors.
    fn plain(cards: &[Card], rank: fn(Rank) -> usize) -> (Vec<usize>, Vec<usize>) {
        let mut groups: Vec<(usize, usize)> = (0..13)
            .map(|r| (cards.iter().filter(|c| rank(c.rank()) == r).count(), r))
            .filter(|group| group.0 > 0)
            .collect();
        groups.sort_by_key(|&group| Reverse(group));
        groups.into_iter().unzip()
    }

    #[test]
    fn order_is_that_of_the_plain_comparison() {
        let deck: Vec<Card> = Card::all().collect();
        for size in 1..=4 {
            let mut hands = Vec::new();
            let mut seen = [BTreeSet::new(), BTreeSet::new()];
            combinations(&deck, size, &mut |hand| {
                if hand.iter().map(|c| c.suit().index()).sum::<usize>() % 4 == 0 {
                    hands.push(hand.to_vec());
                }
                seen[0].insert(showing_high(hand));
                seen[1].insert(showing_low(hand));
            });
            assert_eq!(seen.each_ref().map(BTreeSet::len), [UpRank::count(size); 2]);
            assert_eq!(seen[0].last().unwrap().index(), UpRank::count(size) - 1);
            assert_eq!(seen[0].first().unwrap().index(), 0);
            hands.sort_by_key(|hand| plain(hand, Rank::index));
            assert!(hands.is_sorted_by_key(|hand| showing_high(hand)));
            hands.sort_by_key(|hand| plain(hand, Rank::low_index));
            assert!(hands.is_sorted_by_key(|hand| Reverse(showing_low(hand))));
        }
    }

    fn combinations(deck: &[Card], size: usize, f: &mut impl FnMut(&[Card])) {
        fn extend(deck: &[Card], size: usize, hand: &mut Vec<Card>, f: &mut impl FnMut(&[Card])) {
            if size == 0 {
                return f(hand);
            }
            for i in 0..deck.len() {
                hand.push(deck[i]);
                extend(&deck[i + 1..], size - 1, hand, f);
                hand.pop();
            }
        }
        extend(deck, size, &mut Vec::new(), f);
    }
}
