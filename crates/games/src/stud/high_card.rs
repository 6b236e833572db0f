//! The high card by suit of a hand, which some rooms use to give an odd chip to one of several equal hands.

use doorcard_cards::{Card, CardSet};

/// The ranks of a wheel, its ace below the deuce.
const WHEEL: [i8; 5] = [3, 2, 1, 0, -1];

/// What the five cards are worth (greater is better), and how they compare otherwise.
type Value = (usize, [i8; 5], [i8; 5]);

/// The best five of seven cards as rank and suit, the highest card first, by rank and then by suit: something that
/// sorts by the highest card, and where two hands share it, by the next. `low` takes the best ace-to-five low, in which
/// the ace is the lowest card, as it is in a wheel that plays as a straight. Where several fives are equally good, the
/// one that sorts last counts.
///
/// # Panics
/// If there are not seven cards.
pub(super) fn cards_in_order(cards: CardSet, low: bool) -> [(usize, usize); 5] {
    assert_eq!(cards.len(), 7, "a hand has seven cards");
    let mut best = None;
    for first in cards {
        for second in cards.without(first) {
            let five = cards.without(first).without(second);
            let value = if low { low_value(five) } else { high_value(five) };
            let ace_low = low || value.2 == WHEEL;
            let rank = |card: Card| if ace_low { card.rank().low_index() } else { card.rank().index() + 1 };
            let mut order = [(0, 0); 5];
            for (place, card) in order.iter_mut().zip(five) {
                *place = (rank(card), card.suit().index());
            }
            order.sort_by(|a, b| b.cmp(a));
            best = best.max(Some((value, order)));
        }
    }
    best.expect("seven cards hold five").1
}

/// How often the ranks of five cards occur and which they are, the most frequent first, then the highest.
fn shape(five: CardSet, rank: impl Fn(Card) -> usize) -> ([i8; 5], [i8; 5]) {
    let mut counts = [0; 13];
    five.into_iter().for_each(|card| counts[rank(card)] += 1);
    let mut groups: Vec<(i8, i8)> = (0..13).map(|rank| (counts[rank], rank as i8)).collect();
    groups.sort_by(|a, b| b.cmp(a));
    let group = |i: usize| groups[i];
    (
        std::array::from_fn(|i| group(i).0),
        std::array::from_fn(|i| if group(i).0 > 0 { group(i).1 } else { 0 }),
    )
}

fn low_value(five: CardSet) -> Value {
    let (counts, ranks) = shape(five, |card| card.rank().low_index());
    (0, counts.map(|n| -n), ranks.map(|n| -n))
}

fn high_value(five: CardSet) -> Value {
    let (counts, mut ranks) = shape(five, |card| card.rank().index());
    let suits: Vec<usize> = five.into_iter().map(|card| card.suit().index()).collect();
    let flush = suits.iter().all(|&suit| suit == suits[0]);
    if ranks == [12, 3, 2, 1, 0] {
        ranks = WHEEL;
    }
    let straight = counts[0] == 1 && ranks[0] - ranks[4] == 4;
    let tier = match (straight, flush, counts) {
        (true, true, _) => 4,
        (_, _, [4, ..] | [3, 2, ..]) => 3,
        (_, true, _) => 2,
        (true, _, _) => 1,
        _ => 0,
    };
    (tier, counts, ranks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorcard_cards::{Deck, low, rank7};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn shown(text: &str, low: bool) -> String {
        let (rank, suit) = cards_in_order(text.parse().unwrap(), low)[0];
        format!("{}{}", &"A23456789TJQKA"[rank..=rank], &"cdhs"[suit..=suit])
    }

    #[test]
    fn the_highest_card_that_plays() {
        // The ace of spades does not play beside a club flush; the king does in the straight.
        assert_eq!(shown("KcJc9c7c2cAsAd", false), "Kc");
        assert_eq!(shown("KcKsQdJhTs9c2d", false), "Ks");
        // In the wheel the ace is low, on either side.
        assert_eq!(shown("As2c3d4h5cKsKd", false), "5c");
        assert_eq!(shown("As2c3d4h5cKsKd", true), "5c");
        // Two pair with a kicker: the kicker may be the highest.
        assert_eq!(shown("TcTd9h9sKcQs2d", false), "Kc");
        assert_eq!(shown("8c8s7d6h4c2dKs", true), "8s");
    }

    /// The order of best fives is that of the evaluators.
    #[test]
    fn values_agree_with_the_evaluators() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let best = |cards: CardSet, value: fn(CardSet) -> Value| {
            let fives = cards.into_iter().flat_map(|first| {
                let rest = cards.without(first);
                rest.into_iter().map(move |second| rest.without(second))
            });
            fives.map(value).max().unwrap()
        };
        for _ in 0..2_000 {
            let mut deck = Deck::new();
            let cards = deck.deal(14, &mut rng);
            let (a, b) = (CardSet::from(&cards[..7]), CardSet::from(&cards[7..]));
            assert_eq!(
                best(a, high_value).cmp(&best(b, high_value)),
                rank7::high_of(a).cmp(&rank7::high_of(b)),
                "{a} {b}"
            );
            assert_eq!(
                best(a, low_value).cmp(&best(b, low_value)),
                low::razz_of(a).cmp(&low::razz_of(b)),
                "{a} {b}"
            );
        }
    }
}
