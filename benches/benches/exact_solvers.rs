//! One iteration of Discounted CFR over all infosets, one thread: on public states with vectors of hands, and history by
//! history.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use doorcard_abstraction::{CardLabels, LabelInfosets};
use doorcard_cfr::exact::{Chance, ExactConfig, ExactSettings, FullTree, Solver, Traversal, Vector};
use doorcard_cfr::{Subject, UpdateRule};
use doorcard_games::leduc::{Leduc, LeducInfosets, PublicLeduc};
use doorcard_games::stud::Rules;
use doorcard_games::stud::tree::{HistoryDetail, PublicStud, StudTree};

/// Iterations before timing: the first ones meet strategies without a zero in them.
const WARM_UP: u64 = 10;

fn bench<V: Traversal>(c: &mut Criterion, game: &str, traversal: V) {
    let id = format!("{game}/{}", traversal.name());
    let rows = traversal.rows().rows();
    let settings = ExactSettings { rule: UpdateRule::DCFR, ..ExactSettings::default() };
    let config = ExactConfig { settings, ..ExactConfig::default() };
    let mut solver = Solver::<V, f64>::new(traversal, Subject::default(), config).expect("a small game");
    for _ in 0..WARM_UP {
        solver.step();
    }
    // Regrets come from walks of the game; tables without any would be those of a solver that did nothing.
    assert!(solver.table().regret().iter().any(|&regret| regret > 0.0));
    let mut group = c.benchmark_group("exact_solvers");
    group.throughput(Throughput::Elements(rows));
    group.bench_function(id, |b| b.iter(|| solver.step()));
    group.finish();
}

fn exact_solvers(c: &mut Criterion) {
    let leduc = Leduc::new();
    let infosets = LeducInfosets::new(&leduc);
    let public = PublicLeduc::new(&leduc);
    bench(c, "leduc", Vector::new(&public, &infosets, Chance::Enumerated));
    bench(c, "leduc", FullTree::new(&leduc, &infosets));

    let rules = Rules::named("mini_high").expect("a profile");
    let stud = PublicStud::new(StudTree::new(rules, HistoryDetail::Full).expect("a limit game"))
        .expect("a small deck");
    let infosets = LabelInfosets::new(&stud, CardLabels::lossless());
    bench(c, "mini_high", Vector::new(&stud, &infosets, Chance::Enumerated));
}

criterion_group!(benches, exact_solvers);
criterion_main!(benches);
