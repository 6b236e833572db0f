//! The suit class of random sets of three to seven cards.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use doorcard_benches::random_sets;
use doorcard_cards::CardSet;
use doorcard_cards::suit_iso::SetIndex;

const SETS: usize = 1 << 16;

fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("suit_iso/class_of");
    group.throughput(Throughput::Elements(SETS as u64));
    let inputs: [(usize, Vec<CardSet>); 4] = [
        (3, random_sets::<3>(3, SETS)),
        (5, random_sets::<5>(4, SETS)),
        (6, random_sets::<6>(5, SETS)),
        (7, random_sets::<7>(6, SETS)),
    ];
    for (cards, sets) in inputs {
        group.bench_function(BenchmarkId::from_parameter(cards), |b| {
            b.iter(|| sets.iter().fold(0u32, |sum, &set| sum.wrapping_add(SetIndex::class_of(set))));
        });
    }
    group.finish();
}

criterion_group!(suit_iso, benches);
criterion_main!(suit_iso);
