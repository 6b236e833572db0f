//! Reading three to seven cards: what they make, and which unseen cards improve them.
//!
//! Showdowns are decided elsewhere, by exact ranks; rules about play need the coarser terms in which players think,
//! and for hands that are not complete yet.

use doorcard_cards::{CardSet, Rank, Suit};

/// What some cards make for high, kickers left out.
///
/// Worse hands are smaller. Straights and flushes need five cards, the rest need only their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Made {
    /// Nothing but this highest card.
    HighCard(Rank),
    Pair(Rank),
    /// The higher pair and the lower.
    TwoPair(Rank, Rank),
    Trips(Rank),
    /// Straight with this highest card.
    Straight(Rank),
    /// Flush with this highest card.
    Flush(Rank),
    /// The rank of the three.
    FullHouse(Rank),
    Quads(Rank),
    /// Straight flush with this highest card.
    StraightFlush(Rank),
}

/// The ranks among `cards`: bit 0 is the deuce, bit 12 the ace.
fn ranks(cards: CardSet) -> u16 {
    cards.into_iter().fold(0, |mask, card| mask | 1 << card.rank().index())
}

/// The ranks in the order of low hands: bit 0 is the ace, bit 12 the king.
pub(crate) fn low_ranks(cards: CardSet) -> u16 {
    cards.into_iter().fold(0, |mask, card| mask | 1 << card.rank().low_index())
}

/// The different ranks eight or lower.
pub(crate) fn babies(cards: CardSet) -> u32 {
    (low_ranks(cards) & 0xff).count_ones()
}

fn highest(mask: u16) -> Rank {
    Rank::new(mask.ilog2() as u8)
}

/// The highest card of the best straight in a set of ranks.
fn straight(mask: u16) -> Option<Rank> {
    // The ace also counts below the deuce: bit 0 here, everything else one up.
    let wheel = mask << 1 | mask >> 12;
    let runs = wheel & wheel << 1 & wheel << 2 & wheel << 3 & wheel << 4;
    (runs != 0).then(|| Rank::new(runs.ilog2() as u8 - 1))
}

/// What `cards` (at least one) make.
pub(crate) fn made(cards: CardSet) -> Made {
    let mut copies = [0u8; 13];
    let mut suits = [CardSet::EMPTY; 4];
    for card in cards {
        copies[card.rank().index()] += 1;
        suits[card.suit().index()] = suits[card.suit().index()].with(card);
    }
    let flush = suits.into_iter().find(|suited| suited.len() >= 5);
    if let Some(top) = flush.and_then(|suited| straight(ranks(suited))) {
        return Made::StraightFlush(top);
    }
    let with = |n| Rank::all().filter(|r| copies[r.index()] >= n).fold(0u16, |m, r| m | 1 << r.index());
    let (all, pairs, trips, quads) = (with(1), with(2), with(3), with(4));
    if quads != 0 {
        Made::Quads(highest(quads))
    } else if trips != 0 && pairs.count_ones() > 1 {
        Made::FullHouse(highest(trips))
    } else if let Some(suited) = flush {
        Made::Flush(highest(ranks(suited)))
    } else if let Some(top) = straight(all) {
        Made::Straight(top)
    } else if trips != 0 {
        Made::Trips(highest(trips))
    } else if pairs.count_ones() > 1 {
        let top = highest(pairs);
        Made::TwoPair(top, highest(pairs & !(1 << top.index())))
    } else if pairs != 0 {
        Made::Pair(highest(pairs))
    } else {
        Made::HighCard(highest(all))
    }
}

/// The most cards of one suit.
pub(crate) fn suited(cards: CardSet) -> usize {
    let count = |suit| cards.into_iter().filter(|card| card.suit() == suit).count();
    Suit::all().map(count).max().unwrap_or(0)
}

/// The most different ranks within the span of one straight.
pub(crate) fn connected(cards: CardSet) -> u32 {
    let mask = ranks(cards);
    let wheel = mask << 1 | mask >> 12;
    (0..10).map(|low| (wheel >> low & 0b11111).count_ones()).max().unwrap_or(0)
}

/// Whether the ranks are all different and in a row, the ace at either end.
pub(crate) fn is_run(cards: CardSet) -> bool {
    let in_a_row = |mask: u16| mask >> mask.trailing_zeros() == (1 << cards.len()) - 1;
    in_a_row(ranks(cards)) || in_a_row(low_ranks(cards))
}

/// How many cards that nobody has shown lift `own` above `target`, one at a time.
pub(crate) fn outs(own: CardSet, seen: CardSet, target: Made) -> usize {
    let live = own.union(seen).complement();
    live.into_iter().filter(|&card| made(own.with(card)) > target).count()
}

/// How many cards that nobody has shown are low and of a rank not in `own`.
pub(crate) fn low_outs(own: CardSet, seen: CardSet) -> usize {
    let live = own.union(seen).complement();
    live.into_iter().filter(|&card| babies(own.with(card)) > babies(own)).count()
}

/// How many of `cards` have this rank.
pub(crate) fn copies(cards: CardSet, rank: Rank) -> usize {
    cards.into_iter().filter(|card| card.rank() == rank).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorcard_cards::Card;

    fn set(text: &str) -> CardSet {
        text.parse().unwrap()
    }

    fn rank(text: &str) -> Rank {
        format!("{text}c").parse::<Card>().unwrap().rank()
    }

    #[test]
    fn reads_incomplete_and_complete_hands() {
        for (cards, expected) in [
            ("As", Made::HighCard(rank("A"))),
            ("AsKd2c", Made::HighCard(rank("A"))),
            ("7s7dKc", Made::Pair(rank("7"))),
            ("7s7dKcKh", Made::TwoPair(rank("K"), rank("7"))),
            ("7s7dKcKh9s9d2c", Made::TwoPair(rank("K"), rank("9"))),
            ("7s7d7c", Made::Trips(rank("7"))),
            ("As2d3c4h5s", Made::Straight(rank("5"))),
            ("AsKdQcJhTs9d8c", Made::Straight(rank("A"))),
            ("JsQdKcAh2s3d", Made::HighCard(rank("A"))),
            ("2s4s7s9sKsKdKc", Made::Flush(rank("K"))),
            ("7s7d7c2h2d", Made::FullHouse(rank("7"))),
            ("7s7d7c2h2d2sAs", Made::FullHouse(rank("7"))),
            ("7s7d7c7hAsAdAc", Made::Quads(rank("7"))),
            ("As2s3s4s5s6d7d", Made::StraightFlush(rank("5"))),
        ] {
            assert_eq!(made(set(cards)), expected, "{cards}");
        }
    }

    #[test]
    fn draws_count_live_cards_only() {
        let straight = Made::Trips(Rank::ACE);
        // Nine spades; then the eights and kings that are not spades, of which there are six.
        let own = set("9sTsJsQs2d");
        assert_eq!(outs(own, CardSet::EMPTY, straight), 9 + 6);
        assert_eq!(outs(own, set("3s4sKd"), straight), 7 + 5);
        // An inside straight.
        assert_eq!(outs(set("5c6d8h9s"), set("7d"), straight), 3);
        // A pair of nines against an open pair of tens: two nines for trips, three aces and fours for two pair.
        assert_eq!(outs(set("9s9dAc4h"), set("TsTd"), Made::Pair(rank("T"))), 2 + 3 + 3);
    }

    #[test]
    fn low_hands() {
        assert_eq!(babies(set("As2d3c8h")), 4);
        assert_eq!(babies(set("As2d2c9hKd")), 2);
        assert_eq!(low_outs(set("As2d3c"), set("4c4d4h4s8c")), 4 * 3 + 3);
        assert!(is_run(set("As2d3c")) && is_run(set("QsKdAc")) && is_run(set("7s8d9c")));
        assert!(!is_run(set("KsAd2c")) && !is_run(set("7s8dTc")) && !is_run(set("7s7d8c")));
        assert_eq!(
            (suited(set("As2s3c4s")), connected(set("As2s3c4s")), connected(set("KsAs2c"))),
            (3, 4, 2)
        );
    }
}
