//! Seven-card high values beside the fastest crates that compute them, over the same million random hands.
//!
//! `ready`: hands in the form that each evaluator takes (16 bytes for all three), read in random order.
//! `cards`: built from seven cards and valued. `set`: from a set of 52 bits.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use doorcard_benches::random_hands;
use doorcard_cards::rank7::{HandKey, high, high_of};
use doorcard_cards::{Card, CardSet, low};
use rs_poker::core::SevenCardAccum;

const HANDS: usize = 1 << 20;

fn pokers_hand(hand: &[Card]) -> pokers::Hand {
    hand.iter().fold(pokers::Hand::default(), |sum, card| sum + pokers::CARDS[card.index()])
}

fn rs_poker_card(card: Card) -> rs_poker::core::Card {
    rs_poker::core::Card::from((card.suit().index() * 13 + card.rank().index()) as u8)
}

fn rs_poker_hand(hand: &[rs_poker::core::Card]) -> SevenCardAccum {
    hand.iter().fold(SevenCardAccum::new(), |sum, &card| sum + card)
}

/// All three must order the hands alike.
fn compare(hands: &[[Card; 7]]) {
    let mut values: Vec<_> = hands
        .iter()
        .map(|hand| {
            let ours = high(hand.iter().copied().collect());
            (ours, pokers_hand(hand).evaluate(), rs_poker_hand(&hand.map(rs_poker_card)).rank())
        })
        .collect();
    values.sort_unstable();
    for pair in values.windows(2) {
        assert_eq!(pair[0].0.cmp(&pair[1].0), pair[0].1.cmp(&pair[1].1), "{pair:?}");
        assert_eq!(pair[0].0.cmp(&pair[1].0), pair[0].2.cmp(&pair[1].2), "{pair:?}");
    }
}

fn ready(c: &mut Criterion, hands: &[[Card; 7]]) {
    let mut group = c.benchmark_group("seven_card_high/ready");
    group.throughput(Throughput::Elements(HANDS as u64));
    let ours: Vec<HandKey> = hands.iter().map(|hand| hand.iter().copied().collect()).collect();
    group.bench_function("doorcard", |b| {
        b.iter(|| ours.iter().map(|&hand| high(hand)).max());
    });
    let theirs: Vec<pokers::Hand> = hands.iter().map(|hand| pokers_hand(hand)).collect();
    group.bench_function("pokers-0.10", |b| {
        b.iter(|| theirs.iter().map(|hand| hand.evaluate()).max());
    });
    let theirs: Vec<SevenCardAccum> =
        hands.iter().map(|hand| rs_poker_hand(&hand.map(rs_poker_card))).collect();
    group.bench_function("rs_poker-5.0", |b| {
        b.iter(|| theirs.iter().map(|hand| hand.rank()).max());
    });
    group.finish();
}

fn cards(c: &mut Criterion, hands: &[[Card; 7]]) {
    let mut group = c.benchmark_group("seven_card_high/cards");
    group.throughput(Throughput::Elements(HANDS as u64));
    group.bench_function("doorcard", |b| {
        b.iter(|| hands.iter().map(|hand| high(hand.iter().copied().collect())).max());
    });
    group.bench_function("pokers-0.10", |b| {
        b.iter(|| hands.iter().map(|hand| pokers_hand(hand).evaluate()).max());
    });
    let theirs: Vec<[rs_poker::core::Card; 7]> = hands.iter().map(|hand| hand.map(rs_poker_card)).collect();
    group.bench_function("rs_poker-5.0", |b| {
        b.iter(|| theirs.iter().map(|hand| rs_poker_hand(hand).rank()).max());
    });
    group.finish();
}

fn sets(c: &mut Criterion, hands: &[[Card; 7]]) {
    let sets: Vec<CardSet> = hands.iter().map(|hand| CardSet::from(&hand[..])).collect();
    let mut group = c.benchmark_group("seven_card/set");
    group.throughput(Throughput::Elements(HANDS as u64));
    group.bench_function("high", |b| {
        b.iter(|| sets.iter().map(|&set| high_of(set)).max());
    });
    group.bench_function("razz", |b| {
        b.iter(|| sets.iter().map(|&set| low::razz_of(set)).max());
    });
    group.bench_function("eight", |b| {
        b.iter(|| sets.iter().map(|&set| low::eight_of(set)).max());
    });
    group.finish();
}

fn benches(c: &mut Criterion) {
    let hands = random_hands::<7>(1, HANDS);
    compare(&hands[..100_000]);
    ready(c, &hands);
    cards(c, &hands);
    sets(c, &hands);
}

criterion_group!(hand_values, benches);
criterion_main!(hand_values);
