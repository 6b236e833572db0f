//! Decision nodes per second of external sampling, one thread: a table in the cache, and one far out of it.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use doorcard_benches::blown_up::{BlownUpInfosets, BlownUpLeduc};
use doorcard_cfr::{Real, Subject, TrainConfig, Trainer};
use doorcard_efg::{Game, Infosets};
use doorcard_games::leduc::{Leduc, LeducInfosets};

/// Deals a batch.
const BATCH: u64 = 1024;
/// Batches before timing: the strategy, and with it the shape of the walks, settles, and pages are taken.
const WARM_UP: u64 = 2000;

fn bench<G: Game, I: Infosets<G>, T: Real>(c: &mut Criterion, game: &G, infosets: &I) {
    let config = TrainConfig { batch: BATCH, threads: 1, ..TrainConfig::default() };
    let mut trainer = Trainer::<G, I, T>::new(game, infosets, Subject::default(), config).expect("memory");
    let visits =
        |trainer: &Trainer<'_, G, I, T>| trainer.state().regret_visits + trainer.state().average_visits;
    for _ in 0..WARM_UP {
        trainer.step();
    }
    let before = visits(&trainer);
    for _ in 0..WARM_UP {
        trainer.step();
    }
    let visits = (visits(&trainer) - before) / WARM_UP;
    // Both players' walks of a Leduc deal meet at least 6 and at most 42 decisions.
    assert!((6 * BATCH..42 * BATCH).contains(&visits), "{visits} decision nodes a batch");
    let mut group = c.benchmark_group("external_sampling");
    group.throughput(Throughput::Elements(visits));
    let id = format!("leduc/rows={}/{}/batch={BATCH}", infosets.rows(), std::any::type_name::<T>());
    group.bench_function(id, |b| b.iter(|| trainer.step()));
    group.finish();
}

fn external_sampling(c: &mut Criterion) {
    let leduc = Leduc::new();
    let infosets = LeducInfosets::new(&leduc);
    bench::<_, _, f32>(c, &leduc, &infosets);
    bench::<_, _, f64>(c, &leduc, &infosets);
    // 15,335,424 infosets, 286 MB.
    let large = BlownUpLeduc::new(1 << 14);
    bench::<_, _, f32>(c, &large, &BlownUpInfosets::new(&large));
}

criterion_group!(benches, external_sampling);
criterion_main!(benches);
