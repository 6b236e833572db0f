//! Values of hands in games that are not the standard one: the best `hand_cards` of the cards held, 1 to 5.
//!
//! The order is that of five-card poker with what so few cards cannot form left out. With three cards: straight
//! flush, flush, straight, three of a kind, pair, high card; with two: straight flush, flush, straight, pair, high
//! card. One card is just a rank. Straights run over neighbouring ranks of the whole scale, whatever the deck lacks;
//! the ace stands at either end. Rules may do without straights, without flushes, or without both; then there are no
//! straight flushes either. Ranks that are equally frequent compare from the highest down; kickers count among the
//! cards that play.
//!
//! Lows are of the same number of cards, the ace low, and neither straights nor flushes count against them. In razz
//! pairs do; in a split game a low needs as many different ranks, none above the qualifier.
//!
//! Every set of so many cards is looked at (21 at most). Values are dense enough for 16 bits: a category, then the
//! combinatorial number of the ranks of each frequency.

use super::format::Format;
use super::showdown::Strength;
use super::{MAX_HELD, Variant};
use arrayvec::ArrayVec;
use doorcard_cards::{Card, CardSet};

/// More than the values of any category: 13 pairs with C(13, 3) kickers.
const CATEGORY: u16 = 4096;
const STRAIGHT: u16 = 4;
const FLUSH: u16 = 5;
const STRAIGHT_FLUSH: u16 = 8;
/// Above the value of any hand without straights and flushes.
const WORST_LOW: u16 = 8 * CATEGORY;
/// The rank masks of straights have the ace at bit 0 and again at bit 13.
const ACE_HIGH: u32 = 1 << 13;

/// What the best of these cards is worth.
///
/// # Panics
/// If there are fewer cards than play, or more than a player can hold.
pub(super) fn strength(format: &Format, variant: Variant, cards: CardSet) -> Strength {
    let count = format.hand_cards();
    assert!((count..=MAX_HELD).contains(&cards.len()), "{cards} for a hand of {count} cards");
    let mut best = Strength::default();
    for_each_choice(cards, count, |hand| {
        let found = match variant {
            Variant::High => Strength { high: high(format, hand), low: 0 },
            Variant::HiLo8 => Strength { high: high(format, hand), low: qualifying(format, hand) },
            Variant::Razz => {
                Strength { high: WORST_LOW - of_ranks(hand, |card| card.rank().low_index()), low: 0 }
            }
        };
        best = Strength { high: best.high.max(found.high), low: best.low.max(found.low) };
    });
    best
}

/// Calls `f` with every choice of `count` of the cards.
fn for_each_choice(cards: CardSet, count: usize, mut f: impl FnMut(&[Card])) {
    let cards: ArrayVec<Card, MAX_HELD> = cards.into_iter().collect();
    for chosen in 0u32..1 << cards.len() {
        if chosen.count_ones() as usize == count {
            let hand = cards.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1);
            f(&hand.map(|(_, &card)| card).collect::<ArrayVec<Card, MAX_HELD>>());
        }
    }
}

/// The value of a high hand, above 0.
fn high(format: &Format, hand: &[Card]) -> u16 {
    let ranks = of_ranks(hand, |card| card.rank().index());
    let several = hand.len() > 1;
    let flush = format.flushes && several && hand.iter().all(|card| card.suit() == hand[0].suit());
    let straight = if format.straights && several { straight(hand) } else { None };
    match (straight, flush) {
        (Some(top), true) => STRAIGHT_FLUSH * CATEGORY + top,
        // A flush has no pairs.
        (None, true) => FLUSH * CATEGORY + ranks,
        (Some(top), false) => STRAIGHT * CATEGORY + top,
        (None, false) => ranks,
    }
}

/// The value of a low hand if it qualifies, else 0.
fn qualifying(format: &Format, hand: &[Card]) -> u16 {
    let low = |card: Card| card.rank().low_index();
    let value = of_ranks(hand, low);
    let highest = hand.iter().map(|&card| low(card)).max().unwrap_or(0);
    if value < CATEGORY && highest < format.low_qualifier.into() { CATEGORY - value } else { 0 }
}

/// The highest rank of a straight, the deuce at 1 and the ace at 13.
fn straight(hand: &[Card]) -> Option<u16> {
    let mut ranks = hand.iter().fold(0, |ranks, card| ranks | 1u32 << card.rank().low_index());
    if ranks & 1 == 1 {
        ranks |= ACE_HIGH;
    }
    let run = (1u32 << hand.len()) - 1;
    (0..=14 - hand.len())
        .rev()
        .find(|&low| ranks >> low & run == run)
        .map(|low| (low + hand.len() - 1) as u16)
}

/// The value above 0 of one to five cards by the frequency of their ranks alone.
fn of_ranks(hand: &[Card], rank: impl Fn(Card) -> usize) -> u16 {
    // The ranks that occur at least once, twice, three and four times, then exactly so often.
    let mut at_least = [0u16; 5];
    for &card in hand {
        let bit = 1 << rank(card);
        for n in (1..4).rev() {
            at_least[n] |= at_least[n - 1] & bit;
        }
        at_least[0] |= bit;
    }
    let groups: [u16; 4] = std::array::from_fn(|n| at_least[n] & !at_least[n + 1]);
    let [_, pairs, trips, quads] = groups.map(u16::count_ones);
    let category = match (quads, trips, pairs) {
        (1.., ..) => 7,
        (_, 1.., 1..) => 6,
        (_, 1.., _) => 3,
        (.., 2..) => 2,
        (.., 1) => 1,
        _ => 0,
    };
    let within = groups
        .iter()
        .rev()
        .fold(0, |value, &ranks| value * choose(13, ranks.count_ones() as u16) + combination(ranks));
    category * CATEGORY + within + 1
}

/// The place of a set of ranks among the sets of as many, compared from the highest rank down.
fn combination(ranks: u16) -> u16 {
    let members = (0..13).filter(|rank| ranks >> rank & 1 == 1);
    members.zip(1..).map(|(rank, place)| choose(rank, place)).sum()
}

const fn choose(n: u16, k: u16) -> u16 {
    let (mut value, mut i) = (1u32, 0);
    while i < k {
        if i >= n {
            return 0;
        }
        value = value * (n - i) as u32 / (i as u32 + 1);
        i += 1;
    }
    value as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stud::{Rules, RulesConfig};
    use doorcard_cards::{Deck, low, rank7};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::collections::BTreeMap;

    fn rules(variant: &str, hand_cards: usize, changes: &[(&str, &str)]) -> Rules {
        let text = format!("ante = 1\nsmall_bet = 10\nvariant = \"{variant}\"\nhand_cards = {hand_cards}");
        let config: RulesConfig = toml::from_str(&text).unwrap();
        let change = |config: RulesConfig, &(key, value): &(&str, &str)| config.with(key, value).unwrap();
        changes.iter().fold(config, change).check("test").unwrap()
    }

    fn value(rules: &Rules, cards: CardSet) -> Strength {
        strength(rules.format(), rules.variant(), cards)
    }

    /// Ranks by number of cards and then height, both descending, as a list of ranks: what poker compares.
    fn grouped(hand: &[Card], rank: fn(Card) -> usize) -> (Vec<usize>, Vec<usize>) {
        let mut groups: Vec<(usize, usize)> = (0..13)
            .map(|r| (hand.iter().filter(|&&card| rank(card) == r).count(), r))
            .filter(|&(count, _)| count > 0)
            .collect();
        groups.sort_by(|a, b| b.cmp(a));
        groups.into_iter().unzip()
    }

    /// A high hand in words that compare: the name's place, then the ranks.
    fn slow_high(rules: &Rules, hand: &[Card]) -> (usize, Vec<usize>) {
        let (counts, ranks) = grouped(hand, |card| card.rank().index());
        let flush = rules.flushes() && hand.iter().all(|c| hand.iter().all(|d| c.suit() == d.suit()));
        let mut run = ranks.clone();
        run.sort();
        let consecutive = |run: &[usize]| run.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let distinct = counts.iter().all(|&count| count == 1);
        let wheel = run.last() == Some(&12) && run[0] == 0 && consecutive(&run[..run.len() - 1]);
        let straight = rules.straights() && distinct && (consecutive(&run) || wheel);
        let top = if consecutive(&run) { run[run.len() - 1] + 1 } else { run.len() - 1 };
        let name = match &counts[..] {
            _ if hand.len() == 1 => 0,
            _ if straight && flush => 8,
            [4, ..] => 7,
            [3, 2] => 6,
            _ if flush => 5,
            _ if straight => 4,
            [3, ..] => 3,
            [2, 2, ..] => 2,
            [2, ..] => 1,
            _ => 0,
        };
        (name, if [4, 8].contains(&name) { vec![top] } else { ranks })
    }

    /// The same for a low: fewer cards of a rank are better, then lower ranks.
    fn slow_low(hand: &[Card]) -> (Vec<usize>, Vec<usize>) {
        let (counts, ranks) = grouped(hand, |card| card.rank().low_index());
        (counts.into_iter().map(|n| 9 - n).collect(), ranks.into_iter().map(|r| 99 - r).collect())
    }

    fn slow_qualifying(rules: &Rules, hand: &[Card]) -> Option<Vec<usize>> {
        let (counts, ranks) = slow_low(hand);
        let low_enough = |card: &Card| card.rank().low_index() < usize::from(rules.low_qualifier());
        (counts.iter().all(|&n| n == 8) && hand.iter().all(low_enough)).then_some(ranks)
    }

    /// All choices of `count` of the cards.
    fn choices(cards: &[Card], count: usize) -> Vec<Vec<Card>> {
        match (count, cards) {
            (0, _) => vec![vec![]],
            (_, []) => vec![],
            (_, [first, rest @ ..]) => {
                let with = choices(rest, count - 1).into_iter().map(|mut hand| {
                    hand.push(*first);
                    hand
                });
                with.chain(choices(rest, count)).collect()
            }
        }
    }

    /// Every pair of a slow value and a quick one: each has one other, and both rise together.
    fn agree<S: Ord + Clone + std::fmt::Debug>(pairs: impl Iterator<Item = (S, u16)>) -> usize {
        let mut found = BTreeMap::new();
        for (slow, quick) in pairs {
            assert!(quick > 0, "{slow:?}");
            assert_eq!(*found.entry(slow.clone()).or_insert(quick), quick, "{slow:?}");
        }
        let quick: Vec<u16> = found.values().copied().collect();
        assert!(quick.windows(2).all(|pair| pair[0] < pair[1]), "{quick:?}");
        quick.len()
    }

    fn deck(rules: &Rules) -> Vec<Card> {
        rules.deck().into_iter().collect()
    }

    #[test]
    fn small_hands_sort_as_by_the_slow_method() {
        let whole_deck = [1, 2, 3].map(|count| (count, "A23456789TJQK", "cdhs"));
        for (count, ranks, suits) in
            whole_deck.into_iter().chain([(4, "A23456QK", "cdh"), (4, "2569K", "cdhs")])
        {
            for shapes in [["true", "true"], ["false", "true"], ["true", "false"], ["false", "false"]] {
                let changes =
                    [("ranks", ranks), ("suits", suits), ("straights", shapes[0]), ("flushes", shapes[1])];
                let high = rules("high", count, &changes);
                let hands = choices(&deck(&high), count);
                agree(
                    hands
                        .iter()
                        .map(|hand| (slow_high(&high, hand), value(&high, CardSet::from(&hand[..])).high)),
                );
            }
            let changes = [("ranks", ranks), ("suits", suits)];
            let razz = rules("razz", count, &changes);
            let hands = choices(&deck(&razz), count);
            agree(hands.iter().map(|hand| (slow_low(hand), value(&razz, CardSet::from(&hand[..])).high)));
            let split = rules("hilo8", count, &[("ranks", ranks), ("suits", suits), ("low_qualifier", "9")]);
            agree(hands.iter().filter_map(|hand| {
                let low = value(&split, CardSet::from(&hand[..])).low;
                let slow = slow_qualifying(&split, hand);
                assert_eq!(slow.is_some(), low > 0, "{hand:?}");
                slow.map(|slow| (slow, low))
            }));
        }
    }

    /// The best of several: the greatest value of any choice.
    #[test]
    fn the_best_of_the_cards_held_plays() {
        for (held, count) in [(3, 2), (4, 3), (5, 3), (7, 3), (6, 4), (2, 1)] {
            let changes = [("ranks", "A2356789"), ("suits", "cdh")];
            let high = rules("high", count, &changes);
            let razz = rules("razz", count, &changes);
            let split = rules("hilo8", count, &changes);
            let mut deck = Deck::without(high.deck().complement());
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(held as u64);
            let hands: Vec<Vec<Card>> = (0..3_000).map(|_| deck.deal(held, &mut rng).to_vec()).collect();
            let set = |hand: &[Card]| CardSet::from(hand);
            agree(hands.iter().map(|hand| {
                let best = choices(hand, count).iter().map(|hand| slow_high(&high, hand)).max();
                assert_eq!(value(&high, set(hand)).high, value(&split, set(hand)).high);
                (best, value(&high, set(hand)).high)
            }));
            agree(hands.iter().map(|hand| {
                let best = choices(hand, count).iter().map(|hand| slow_low(hand)).max();
                (best, value(&razz, set(hand)).high)
            }));
            agree(hands.iter().filter_map(|hand| {
                let best = choices(hand, count).iter().filter_map(|hand| slow_qualifying(&split, hand)).max();
                let low = value(&split, set(hand)).low;
                assert_eq!(best.is_some(), low > 0, "{hand:?}");
                best.map(|best| (best, low))
            }));
        }
    }

    /// Published counts of three-card hands (Three Card Poker): 48 straight flushes, 52 threes of a kind, 720
    /// straights, 1,096 flushes, 3,744 pairs and 16,440 others.
    #[test]
    fn three_card_hands_are_as_many_as_published() {
        let rules = rules("high", 3, &[]);
        let hands = choices(&deck(&rules), 3);
        let mut counts = [0; 9];
        for hand in &hands {
            counts[usize::from(value(&rules, CardSet::from(&hand[..])).high / CATEGORY)] += 1;
        }
        assert_eq!(counts, [16_440, 3_744, 0, 52, 720, 1_096, 0, 0, 48]);
        // 12 straights, and of 286 sets of ranks 274 that are none.
        let values = agree(
            hands.iter().map(|hand| (slow_high(&rules, hand), value(&rules, CardSet::from(&hand[..])).high)),
        );
        assert_eq!(values, 12 + 274 + 12 + 13 + 13 * 12 + 274);
    }

    /// Five of seven cards of the full deck are worth what the evaluators of the standard game say.
    #[test]
    fn seven_card_hands_sort_as_by_the_evaluators() {
        let [high, split, razz] = ["high", "hilo8", "razz"].map(|variant| rules(variant, 5, &[]));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut deck = Deck::new();
        let hands: Vec<CardSet> = (0..20_000).map(|_| CardSet::from(deck.deal(7, &mut rng))).collect();
        agree(hands.iter().map(|&hand| (rank7::high_of(hand), value(&high, hand).high)));
        agree(hands.iter().map(|&hand| (low::razz_of(hand), value(&razz, hand).high)));
        let lows = agree(hands.iter().filter_map(|&hand| {
            assert_eq!(value(&split, hand).high, value(&high, hand).high);
            let low = value(&split, hand).low;
            assert_eq!(low::eight_of(hand).is_some(), low > 0, "{hand}");
            low::eight_of(hand).map(|slow| (slow, low))
        }));
        assert_eq!(lows, low::LowRank::EIGHTS);
    }

    #[test]
    fn hands_by_name() {
        let order = |rules: &Rules, hands: &[&str]| {
            let values: Vec<u16> =
                hands.iter().map(|hand| value(rules, hand.parse().unwrap()).high).collect();
            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{hands:?}: {values:?}");
        };
        // High card, pair, three of a kind, straights from the ace up, flush, straight flush.
        order(
            &rules("high", 3, &[]),
            &["KcQdTh", "2c2dAh", "2c2d2h", "Ac2d3h", "2c3d4h", "QcKdAh", "2c4c5c", "Ac2c3c", "QcKcAc"],
        );
        order(
            &rules("high", 3, &[("straights", "false")]),
            &["QcKdAh", "2c2d3h", "2c2d2h", "2c3c4c", "QcKcAc"],
        );
        order(&rules("high", 3, &[("flushes", "false")]), &["2c4c5c", "2c2d2h", "Ac2c3c", "QcKdAh"]);
        order(
            &rules("high", 2, &[]),
            &["2c4d", "QcAd", "2c2d", "AcAd", "Ac2d", "KcAd", "2c4c", "Ac2c", "KcAc"],
        );
        order(
            &rules("high", 4, &[]),
            &["AcKdQhTs", "2c2dAhKs", "2c2d3h3s", "2c2d2h3s", "Ac2d3h4s", "2c2d2h2s"],
        );
        order(&rules("high", 1, &[]), &["2s", "3c", "Kd", "Ac"]);
        order(&rules("razz", 2, &[]), &["KcKd", "AcAd", "KcQd", "3c2d", "3cAd", "2cAc"]);
    }
}
