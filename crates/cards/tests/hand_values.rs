//! Seven-card values against a slow twin and against counts over all hands.

mod twin;

use doorcard_cards::rank7::{Category, HandKey, HighRank, high, high_of};
use doorcard_cards::{Card, CardSet, Deck, Rank, Suit, low};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::BTreeSet;

/// Calls `f` with every hand of five cards.
fn all_fives(mut f: impl FnMut([Card; 5])) {
    let deck: Vec<Card> = Card::all().collect();
    for a in 0..52 {
        for b in a + 1..52 {
            for c in b + 1..52 {
                for d in c + 1..52 {
                    for e in d + 1..52 {
                        f([a, b, c, d, e].map(|i| deck[i]));
                    }
                }
            }
        }
    }
}

/// Calls `f` with every hand of seven cards, of which the first is the lowest.
fn all_sevens(mut f: impl FnMut(HandKey)) {
    fn extend(hand: HandKey, from: usize, left: usize, f: &mut impl FnMut(HandKey)) {
        for index in from..=52 - left {
            let hand = hand.add(Card::from_index(index as u8));
            if left == 1 {
                f(hand);
            } else {
                extend(hand, index + 1, left - 1, f);
            }
        }
    }
    extend(HandKey::EMPTY, 0, 7, &mut f);
}

/// The strengths of all five-card hands, worst first: position + 1 is the dense value.
fn five_card_classes() -> Vec<twin::Strength> {
    let mut classes = BTreeSet::new();
    all_fives(|cards| {
        classes.insert(twin::high5(cards));
    });
    classes.into_iter().collect()
}

fn random_hands(seed: u64, count: usize) -> impl Iterator<Item = Vec<Card>> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut deck = Deck::new();
    (0..count).map(move |_| deck.deal(7, &mut rng).to_vec())
}

/// Hands that random ones seldom hold: few ranks or few suits.
fn narrow_hands(seed: u64, count: usize) -> impl Iterator<Item = Vec<Card>> {
    let mut rng = StdRng::seed_from_u64(seed);
    let decks = [
        (0..12).collect::<Vec<u8>>(),
        (40..52).collect(),
        (0..52).filter(|i| i % 4 == 2).collect(),
        (0..52).filter(|i| i % 4 < 2 && i / 4 < 8).collect(),
        (0..52).filter(|i| i / 4 < 3 || i / 4 == 12).collect(),
    ];
    let mut decks = decks.map(|cards| {
        let live: CardSet = cards.into_iter().map(Card::from_index).collect();
        Deck::without(live.complement())
    });
    (0..count).map(move |i| decks[i % 5].deal(7, &mut rng).to_vec())
}

#[test]
fn high_is_the_best_of_twenty_one() {
    let classes = five_card_classes();
    assert_eq!(classes.len(), HighRank::COUNT);
    for hand in random_hands(1, 40_000).chain(narrow_hands(2, 40_000)) {
        let strength = twin::high(&hand);
        let expected = classes.binary_search(&strength).unwrap() + 1;
        let value = hand.iter().copied().collect::<HandKey>();
        assert_eq!(usize::from(high(value).0), expected, "{hand:?}");
        assert_eq!(high_of(CardSet::from(&hand[..])), high(value));
        assert_eq!(high(value).category().index(), usize::from(strength.0));
    }
}

#[test]
fn the_twin_s_categories_have_the_counts_of_all_five_card_hands() {
    let mut counts = [0; 9];
    all_fives(|cards| counts[usize::from(twin::high5(cards).0)] += 1);
    assert_eq!(counts, [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]);
    let classes = five_card_classes();
    for category in Category::ALL {
        let count = classes.iter().filter(|class| usize::from(class.0) == category.index()).count();
        assert_eq!(count, category.count());
        let first = classes.partition_point(|class| usize::from(class.0) < category.index());
        assert_eq!(category.first().index(), first);
    }
}

#[test]
fn names_agree_with_the_five_cards() {
    let name = |rank: u8| Rank::new(rank).name();
    for (index, (category, ranks)) in five_card_classes().into_iter().enumerate() {
        let text = HighRank(index as u16 + 1).to_string();
        assert!(text.contains(name(ranks[0])) || text == "royal flush", "{text}: {ranks:?}");
        if let 2 | 6 = category {
            assert!(text.contains(name(ranks[4 - 2 * usize::from(category == 2)])), "{text}: {ranks:?}");
        }
    }
}

/// The counts of the categories among all 133,784,560 hands are published (Wikipedia, "Poker probability"), as is
/// the number of values that seven cards can have.
#[test]
fn every_seven_card_hand() {
    let mut counts = vec![0u32; HighRank::COUNT];
    all_sevens(|hand| counts[high(hand).index()] += 1);
    let mut categories = [0u32; 9];
    for (index, count) in counts.iter().enumerate() {
        categories[HighRank(index as u16 + 1).category().index()] += count;
    }
    assert_eq!(
        categories,
        [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584]
    );
    assert_eq!(counts.iter().filter(|count| **count > 0).count(), 4_824);
    assert_eq!(counts.iter().sum::<u32>(), 133_784_560);
}

#[test]
fn relabelling_suits_changes_no_value() {
    let maps = [[1, 0, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1]].map(|map| map.map(Suit::new));
    for hand in random_hands(3, 5_000).chain(narrow_hands(4, 5_000)) {
        let cards = CardSet::from(&hand[..]);
        for map in maps {
            let relabelled = cards.relabel(map);
            assert_eq!(high_of(relabelled), high_of(cards));
            assert_eq!(low::razz_of(relabelled), low::razz_of(cards));
            assert_eq!(low::eight_of(relabelled), low::eight_of(cards));
        }
    }
}

#[test]
fn lows_are_the_best_of_all_fives() {
    let mut classes = BTreeSet::new();
    all_fives(|cards| {
        classes.insert(twin::low5(cards));
    });
    let classes: Vec<_> = classes.into_iter().rev().collect();
    assert_eq!(classes.len(), low::LowRank::COUNT);
    for (i, hand) in random_hands(5, 40_000).chain(narrow_hands(6, 60_000)).enumerate() {
        let hand = &hand[..5 + i % 3];
        let best = twin::low(hand);
        let cards = CardSet::from(hand);
        let razz = low::razz_of(cards);
        assert_eq!(classes[razz.index()], best, "{hand:?}");
        assert_eq!(low::eight_of(cards), twin::is_eight(&best).then_some(razz), "{hand:?}");
        let key = HandKey::from(cards);
        assert_eq!((low::razz(key), low::eight(key)), (razz, low::eight_of(cards)));
    }
}

/// How many seven-card hands have exactly a given set of ranks: the coefficient of x^7 in ((1 + x)^4 - 1)^ranks.
fn hands_with_ranks(ranks: usize) -> u32 {
    let mut coefficients = [0u32; 8];
    coefficients[0] = 1;
    for _ in 0..ranks {
        let mut product = [0; 8];
        for (i, a) in coefficients.iter().enumerate() {
            for (k, ways) in [(1, 4), (2, 6), (3, 4), (4, 1)] {
                if i + k < 8 {
                    product[i + k] += a * ways;
                }
            }
        }
        coefficients = product;
    }
    coefficients[7]
}

fn choose(n: usize, k: usize) -> u32 {
    if k > n { 0 } else { (0..k).fold(1, |result, i| result * (n - i) / (i + 1)) as u32 }
}

#[test]
fn every_seven_card_low() {
    let mut razz = vec![0u32; low::LowRank::COUNT];
    let mut eights = 0;
    all_sevens(|hand| {
        razz[low::razz(hand).index()] += 1;
        eights += u32::from(low::eight(hand).is_some());
    });

    // An unpaired low leaves only higher ranks for the other cards.
    let mut unpaired: Vec<[usize; 5]> = Vec::new();
    for ranks in 0u32..1 << 13 {
        if ranks.count_ones() == 5 {
            let mut bits = (0..13).rev().filter(|bit| ranks >> bit & 1 == 1);
            unpaired.push(std::array::from_fn(|_| bits.next().unwrap()));
        }
    }
    unpaired.sort_unstable();
    for (value, ranks) in unpaired.iter().enumerate() {
        let above = 12 - ranks[0];
        let expected: u32 = (5..=7).map(|n| choose(above, n - 5) * hands_with_ranks(n)).sum();
        assert_eq!(razz[low::LowRank::COUNT - 1 - value], expected, "{ranks:?}");
    }
    let paired = |values: std::ops::Range<usize>| {
        values.map(|value| razz[low::LowRank::COUNT - 1 - value]).sum::<u32>()
    };
    assert_eq!(paired(1287..1287 + 2860), choose(13, 4) * hands_with_ranks(4));
    assert_eq!(paired(1287 + 2860..1287 + 2860 + 858), choose(13, 3) * hands_with_ranks(3));
    assert_eq!(paired(6175 - 156 - 156..6175 - 156), choose(13, 2) * hands_with_ranks(2));
    assert_eq!(razz.iter().sum::<u32>(), 133_784_560);

    let low_sets = |n: usize| (5..=n).map(|low| choose(8, low) * choose(5, n - low)).sum::<u32>();
    let expected: u32 = (5..=7).map(|n| low_sets(n) * hands_with_ranks(n)).sum();
    assert_eq!(eights, expected);
}
