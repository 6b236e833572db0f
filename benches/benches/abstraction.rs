//! Buckets of whole deals (scalar training, play) and of whole boards (vector training).

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use doorcard_abstraction::{BoardSituation, CardAbstraction, Hidden};
use doorcard_benches::{random_hands, small_abstraction};
use doorcard_cards::{Card, CardSet};
use doorcard_games::stud::Street;
use std::hint::black_box;

const DEALS: usize = 1024;

fn up_cards(cards: &[Card; 14]) -> [[Card; 4]; 2] {
    [[cards[0], cards[1], cards[2], cards[3]], [cards[4], cards[5], cards[6], cards[7]]]
}

fn benches(c: &mut Criterion) {
    let deals = random_hands::<14>(11, DEALS);
    for (name, rules) in [
        ("default", "stud_high"),
        ("default_kmeans", "stud_high"),
        ("default", "stud_hilo8"),
        ("default", "razz"),
    ] {
        let abstraction = small_abstraction(name, rules);
        let mut group = c.benchmark_group("abstraction/deal");
        group.throughput(Throughput::Elements(DEALS as u64));
        group.bench_function(BenchmarkId::new(name, rules), |b| {
            b.iter(|| {
                for cards in &deals {
                    let down = [[cards[8], cards[9]], [cards[10], cards[11]]];
                    let river = [cards[12], cards[13]];
                    black_box(abstraction.buckets_for_deal(&down, &up_cards(cards), &river));
                }
            });
        });
        group.finish();

        let mut group = c.benchmark_group("abstraction/board");
        group.sample_size(20);
        let mut private = Vec::new();
        for street in Street::ALL {
            let mut boards = deals.iter().cycle();
            group.bench_function(BenchmarkId::new(format!("{name}/{rules}"), street.number()), |b| {
                b.iter(|| {
                    let cards = boards.next().expect("endless");
                    let up = up_cards(cards);
                    let shown: CardSet = cards[..8].iter().copied().collect();
                    let (first, second) = (cards[12], cards[13]);
                    let hidden = match street {
                        Street::Seventh => {
                            let from = shown.with(first).with(second).complement();
                            Hidden::PairsAndRiver { from, river: first }
                        }
                        _ => Hidden::Pairs { from: shown.complement() },
                    };
                    private.resize(hidden.len(), 0);
                    let (own_up, opponent_up) = (&up[0][..street.up_cards()], &up[1][..street.up_cards()]);
                    abstraction.board(&BoardSituation { street, own_up, opponent_up, hidden }, &mut private)
                });
            });
        }
        group.finish();
    }
}

criterion_group!(abstraction_benches, benches);
criterion_main!(abstraction_benches);
