//! Vector external sampling of stud over the default abstraction, one thread: boards per second by hands of the
//! opponent, by where the average comes from and by the form of the tables.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use doorcard_abstraction::{StudBoards, StudInfosets};
use doorcard_benches::small_abstraction;
use doorcard_cfr::sampling::Sampling;
use doorcard_cfr::vector::{AverageFrom, BoardTrainer, ExternalSettings, Precision, VectorSettings};
use doorcard_cfr::{Subject, TrainConfig};
use doorcard_games::stud::Rules;
use doorcard_games::stud::tree::{HistoryDetail, StudTree};
use std::time::Duration;

/// Boards a batch.
const BATCH: u64 = 32;
/// Batches before timing: untrained play tries more than play does later, and pages are taken.
const WARM_UP: u64 = 200;

fn vector_sampling(c: &mut Criterion) {
    let abstraction = small_abstraction("default", "stud_bench");
    let mut group = c.benchmark_group("vector_sampling");
    group.sample_size(20).measurement_time(Duration::from_secs(10));
    let default = ExternalSettings::default();
    let (full, half) = (Precision::Full, Precision::Half);
    for (history, external, precision) in [
        (HistoryDetail::Aggressor, default, full),
        (HistoryDetail::Aggressor, ExternalSettings { hands: 4, ..default }, full),
        (HistoryDetail::Aggressor, ExternalSettings { hands: 16, ..default }, full),
        (HistoryDetail::Aggressor, ExternalSettings { average: AverageFrom::Sampled, ..default }, full),
        (HistoryDetail::Aggressor, default, half),
        (HistoryDetail::Counts, default, full),
    ] {
        let rules = Rules::named("stud_bench").expect("a shipped profile");
        let game = StudTree::new(rules, history).expect("heads-up limit");
        let (boards, infosets) =
            (StudBoards::new(&game, &abstraction), StudInfosets::new(&game, &abstraction));
        let config = TrainConfig {
            batch: BATCH,
            threads: 1,
            sampling: Sampling::Vector,
            vector: Some(VectorSettings { precision, ..external.into() }),
            max_memory: 4 << 30,
            ..TrainConfig::default()
        };
        let mut trainer = BoardTrainer::new(&boards, &infosets, Subject::default(), config).expect("memory");
        for _ in 0..WARM_UP {
            trainer.step();
        }
        group.throughput(Throughput::Elements(BATCH * external.hands as u64));
        let ExternalSettings { hands, average, .. } = external;
        let id = format!("{history:?}/hands={hands}/{average:?}/{precision:?}");
        group.bench_function(id, |b| b.iter(|| trainer.step()));
    }
    group.finish();
}

criterion_group!(benches, vector_sampling);
criterion_main!(benches);
