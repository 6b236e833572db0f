//! Hand values by the rule book: sort five cards, name them, and try all subsets of seven. Shares nothing with the
//! tables it checks.

use doorcard_cards::Card;

/// A hand's category (0 high card to 8 straight flush) and its ranks in order of importance.
pub(crate) type Strength = (u8, [u8; 5]);

/// How often the ranks of five cards occur and those ranks, most frequent first, then highest.
fn groups(ranks: [u8; 5]) -> (Vec<usize>, [u8; 5]) {
    let mut sorted = ranks;
    let count = |rank: u8| ranks.iter().filter(|&&other| other == rank).count();
    sorted.sort_by_key(|&rank| std::cmp::Reverse((count(rank), rank)));
    let counts = sorted.chunk_by(|a, b| a == b).map(<[u8]>::len).collect();
    (counts, sorted)
}

/// The strength of five cards as a high hand.
pub(crate) fn high5(cards: [Card; 5]) -> Strength {
    let (counts, mut ranks) = groups(cards.map(|card| card.rank().index() as u8));
    let flush = cards.iter().all(|card| card.suit() == cards[0].suit());
    let wheel = ranks == [12, 3, 2, 1, 0];
    if wheel {
        ranks = [3, 2, 1, 0, 0];
    }
    let straight = wheel || counts.len() == 5 && ranks[0] - ranks[4] == 4;
    let category = match (&counts[..], straight, flush) {
        (_, true, true) => 8,
        ([4, 1], ..) => 7,
        ([3, 2], ..) => 6,
        (_, _, true) => 5,
        (_, true, _) => 4,
        ([3, 1, 1], ..) => 3,
        ([2, 2, 1], ..) => 2,
        ([2, 1, 1, 1], ..) => 1,
        _ => 0,
    };
    (category, ranks)
}

/// The ace-to-five value of five cards: smaller is better, pairs count against, straights and flushes do not count.
pub(crate) fn low5(cards: [Card; 5]) -> (Vec<usize>, [u8; 5]) {
    groups(cards.map(|card| card.rank().low_index() as u8))
}

/// All choices of five from a hand.
pub(crate) fn fives(hand: &[Card]) -> Vec<[Card; 5]> {
    (0u32..1 << hand.len())
        .filter(|chosen| chosen.count_ones() == 5)
        .map(|chosen| {
            let mut cards = (0..hand.len()).filter(|i| chosen >> i & 1 == 1).map(|i| hand[i]);
            std::array::from_fn(|_| cards.next().unwrap())
        })
        .collect()
}

/// The best high of five to seven cards.
pub(crate) fn high(hand: &[Card]) -> Strength {
    fives(hand).into_iter().map(high5).max().unwrap()
}

/// The best ace-to-five low of five to seven cards; smaller is better.
pub(crate) fn low(hand: &[Card]) -> (Vec<usize>, [u8; 5]) {
    fives(hand).into_iter().map(low5).min().unwrap()
}

/// Whether a low of [`low`] qualifies for eight-or-better.
pub(crate) fn is_eight(low: &(Vec<usize>, [u8; 5])) -> bool {
    low.0.len() == 5 && low.1[0] <= 7
}
