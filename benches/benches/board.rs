//! All hidden holdings of a board in one call, against valuing them one by one.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use doorcard_benches::random_hands;
use doorcard_cards::board::{Live, Values, pair_values, triple_values};
use doorcard_cards::rank7::{HandKey, high};
use doorcard_cards::{Card, CardSet};

/// Boards are taken in turn, so that branch predictors meet all kinds of suit patterns.
const BOARDS: usize = 512;
const TRIPLES: u64 = 13_244;
const PAIRS: u64 = 903;

struct Board {
    up: CardSet,
    live: Live,
    /// Four up cards and a river, and what that leaves.
    known: CardSet,
    live_pairs: Live,
}

fn boards() -> Vec<Board> {
    random_hands::<9>(2, BOARDS)
        .into_iter()
        .map(|cards| {
            let set = |cards: &[Card]| CardSet::from(cards);
            let unseen = set(&cards[..8]).complement();
            Board {
                up: set(&cards[..4]),
                live: Live::new(unseen),
                known: set(&cards[..4]).with(cards[8]),
                live_pairs: Live::new(unseen.without(cards[8])),
            }
        })
        .collect()
}

fn one_by_one(board: &Board, out: &mut Vec<u16>) {
    let up = HandKey::from(board.up);
    let cards = board.live.cards();
    out.clear();
    for (i, &a) in cards.iter().enumerate() {
        let one = up.add(a);
        for (j, &b) in cards.iter().enumerate().skip(i + 1) {
            let two = one.add(b);
            out.extend(cards[j + 1..].iter().map(|&c| high(two.add(c)).0));
        }
    }
}

fn benches(c: &mut Criterion) {
    let boards = boards();
    let mut out = Vec::new();
    let mut group = c.benchmark_group("board/triples");
    group.throughput(Throughput::Elements(TRIPLES * BOARDS as u64));
    for (name, values) in [("high", Values::High), ("eight", Values::Eight), ("razz", Values::Razz)] {
        group.bench_function(name, |b| {
            b.iter(|| {
                for board in &boards {
                    triple_values(values, board.up, &board.live, &mut out);
                    std::hint::black_box(&out);
                }
            });
        });
    }
    group.bench_function("high one by one", |b| {
        b.iter(|| {
            for board in &boards {
                one_by_one(board, &mut out);
                std::hint::black_box(&out);
            }
        });
    });
    group.finish();

    let mut expected = Vec::new();
    for board in &boards {
        triple_values(Values::High, board.up, &board.live, &mut out);
        one_by_one(board, &mut expected);
        assert_eq!(out, expected);
    }

    let mut group = c.benchmark_group("board/pairs");
    group.throughput(Throughput::Elements(PAIRS * BOARDS as u64));
    for (name, values) in [("high", Values::High), ("eight", Values::Eight), ("razz", Values::Razz)] {
        group.bench_function(name, |b| {
            b.iter(|| {
                for board in &boards {
                    pair_values(values, board.known, &board.live_pairs, &mut out);
                    std::hint::black_box(&out);
                }
            });
        });
    }
    group.finish();

    let mut group = c.benchmark_group("board/live");
    group.throughput(Throughput::Elements(BOARDS as u64));
    group.bench_function("prepare", |b| {
        b.iter(|| {
            for board in &boards {
                std::hint::black_box(Live::new(board.up.complement()));
            }
        });
    });
    group.finish();
}

criterion_group!(board, benches);
criterion_main!(board);
