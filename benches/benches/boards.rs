//! The buckets of a whole sampled board, both players and all streets in one call: what training asks for.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use doorcard_abstraction::{BoardBuckets, CardAbstraction};
use doorcard_benches::{random_hands, small_abstraction};
use std::hint::black_box;

/// Boards to a measurement: their cost varies with the suits that show.
const BOARDS: usize = 64;

fn benches(c: &mut Criterion) {
    let boards = random_hands::<10>(12, BOARDS);
    let mut group = c.benchmark_group("abstraction/sampled_board");
    group.throughput(Throughput::Elements(BOARDS as u64));
    for (name, rules) in [
        ("default", "stud_high"),
        ("default", "stud_hilo8"),
        ("default", "razz"),
        ("default_kmeans", "stud_high"),
    ] {
        let abstraction = small_abstraction(name, rules);
        let mut buckets = BoardBuckets::default();
        group.bench_function(BenchmarkId::new(name, rules), |b| {
            b.iter(|| {
                for cards in &boards {
                    let up =
                        [[cards[0], cards[1], cards[2], cards[3]], [cards[4], cards[5], cards[6], cards[7]]];
                    abstraction.sampled_board(&up, &[cards[8], cards[9]], &mut buckets);
                    black_box(&mut buckets);
                }
            });
        });
    }
    group.finish();
}

criterion_group!(board_benches, benches);
criterion_main!(board_benches);
