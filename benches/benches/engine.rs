//! Whole hands through the full rules engine: `uniform` against `uniform`, cards shuffled and pots paid.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use doorcard_efg::{Game, Turn};
use doorcard_games::stud::{Rules, StudTable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::hint::black_box;

/// Hands per iteration.
const HANDS: u64 = 1024;

/// Plays hands in which everybody chooses uniformly among the legal actions, without folding when checking is free.
/// Returns what seat 0 won, so that the work cannot be left out.
fn uniform_hands(table: &StudTable, rng: &mut Xoshiro256PlusPlus) -> f64 {
    let mut won = 0.0;
    for _ in 0..HANDS {
        let deck = table.deal(rng);
        let mut node = table.root(&deck);
        while let Turn::Decide { actions, .. } = table.turn(&node, &deck) {
            node = table.act(&node, &deck, rng.random_range(0..actions));
        }
        let utility: f64 = (0..table.players()).map(|player| table.utility(&node, &deck, player)).sum();
        assert_eq!(utility, 0.0);
        won += table.utility(&node, &deck, 0);
    }
    won
}

fn engine(c: &mut Criterion) {
    let mut group = c.benchmark_group("engine/uniform");
    group.throughput(Throughput::Elements(HANDS));
    for (name, players) in
        [("stud_bench", 2), ("stud_high", 8), ("stud_hilo8", 2), ("stud_hilo8_no_limit", 6)]
    {
        let table =
            StudTable::with_players(&Rules::named(name).expect("a profile"), players).expect("a table");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        group.bench_function(format!("{name}/{players} seats"), |b| {
            b.iter(|| black_box(uniform_hands(&table, &mut rng)));
        });
    }
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
