//! Checkpoints: resumed is uninterrupted, and what does not fit is refused by name.

use crate::common::{config, kuhn, leduc, public_leduc, subject};
use doorcard_cfr::exact::{
    CfrBr, Chance, EXACT, ExactCheckpoint, ExactConfig, ExactSettings, FullTree, Solver, Traversal, Updates,
    Vector,
};
use doorcard_cfr::{CfrError, Real, Subject, UpdateRule};
use std::path::Path;

const RULES: [UpdateRule; 5] =
    [UpdateRule::Vanilla, UpdateRule::Linear, UpdateRule::CfrPlus, UpdateRule::DCFR, UpdateRule::PcfrPlus];

fn bytes<V: Traversal, T: Real>(solver: &Solver<V, T>, directory: &Path) -> Vec<u8> {
    let path = directory.join("compared");
    solver.save(&path).unwrap();
    std::fs::read(path).unwrap()
}

/// Runs of 5 and 8 iterations against one of 13.
fn check<V: Traversal, T: Real>(traversal: impl Fn() -> V, rule: UpdateRule, updates: Updates) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let new = || Solver::<V, T>::new(traversal(), subject("game"), config(rule, updates)).unwrap();
    let mut whole = new();
    (0..13).for_each(|_| whole.step());
    let mut first = new();
    (0..5).for_each(|_| first.step());
    first.save(&path).unwrap();
    let checkpoint = ExactCheckpoint::open(&path).unwrap();
    let mut second =
        Solver::<V, T>::resume(traversal(), subject("game"), config(rule, updates), &checkpoint).unwrap();
    assert_eq!(second.iterations(), 5);
    assert!(bytes(&second, directory.path()) == std::fs::read(&path).unwrap());
    (0..8).for_each(|_| second.step());
    assert!(bytes(&whole, directory.path()) == bytes(&second, directory.path()), "{rule}, {updates}");
}

#[test]
fn resumed_is_uninterrupted() {
    let (small, public) = (leduc(), public_leduc());
    for rule in RULES {
        for updates in [Updates::Alternating, Updates::Simultaneous] {
            let vectors = || Vector::new(&public, &small.infosets, Chance::Enumerated);
            check::<_, f64>(vectors, rule, updates);
            check::<_, f32>(vectors, rule, updates);
            check::<_, f64>(|| CfrBr::new(&public, &small.infosets), rule, updates);
            if rule != UpdateRule::PcfrPlus {
                check::<_, f64>(|| Vector::new(&public, &small.infosets, Chance::Sampled), rule, updates);
            }
        }
        let three = kuhn(3);
        check::<_, f64>(|| FullTree::new(&three.game, &three.infosets), rule, Updates::Alternating);
    }
}

#[test]
fn checkpoints_made_for_something_else_are_refused_by_name() {
    let (small, public) = (leduc(), public_leduc());
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let settings = ExactSettings { rule: UpdateRule::DCFR, updates: Updates::Alternating, seed: 1 };
    let with = |settings| ExactConfig { settings, ..ExactConfig::default() };
    let vectors = || Vector::new(&public, &small.infosets, Chance::Enumerated);
    let mut solver = Solver::<_, f64>::new(vectors(), subject("leduc"), with(settings)).unwrap();
    solver.step();
    solver.save(&path).unwrap();
    let checkpoint = ExactCheckpoint::open(&path).unwrap();
    assert_eq!(checkpoint.container().kind(), EXACT);

    let refused = |subject: Subject, settings, expected: &str| {
        let result = Solver::<_, f64>::resume(vectors(), subject, with(settings), &checkpoint);
        let message = result.err().expect("a refusal").to_string();
        assert!(message.contains(expected) && message.contains(path.to_str().unwrap()), "{message}");
    };
    refused(subject("kuhn"), settings, "made for the game leduc, not kuhn");
    let rule = UpdateRule::Dcfr { alpha: 1.5, beta: 0.5, gamma: 2.0 };
    refused(
        subject("leduc"),
        ExactSettings { rule, ..settings },
        "made for rule dcfr(1.5, 0, 2), not dcfr(1.5, 0.5, 2)",
    );
    let updates = Updates::Simultaneous;
    refused(
        subject("leduc"),
        ExactSettings { updates, ..settings },
        "made for updates alternating, not simultaneous",
    );
    refused(subject("leduc"), ExactSettings { seed: 2, ..settings }, "made for seed 1, not 2");

    let response = Solver::<_, f64>::resume(
        CfrBr::new(&public, &small.infosets),
        subject("leduc"),
        with(settings),
        &checkpoint,
    );
    assert!(response.err().unwrap().to_string().contains("made for the traversal vector, not cfr-br"));
    let single = Solver::<_, f32>::resume(vectors(), subject("leduc"), with(settings), &checkpoint);
    assert!(matches!(single.err(), Some(CfrError::Store(doorcard_store::Error::WrongType { .. }))));
    let kuhn = kuhn(2);
    let other = Solver::<_, f64>::resume(
        FullTree::new(&kuhn.game, &kuhn.infosets),
        subject("leduc"),
        with(settings),
        &checkpoint,
    );
    assert!(other.err().unwrap().to_string().contains("infoset layout"));
}

#[test]
fn settings_out_of_range_and_tables_too_large_are_refused() {
    let small = leduc();
    let refused = |config| {
        Solver::<_, f64>::new(FullTree::new(&small.game, &small.infosets), subject("leduc"), config)
            .err()
            .expect("a refusal")
    };
    let rule = UpdateRule::Dcfr { alpha: f64::NAN, beta: 0.0, gamma: 2.0 };
    let error = refused(config(rule, Updates::Alternating));
    assert!(matches!(error, CfrError::Setting { setting: "rule", .. }), "{error}");
    let small = ExactConfig { max_memory: 80_000, ..ExactConfig::default() };
    // Two tables, strategies, regrets found and reach, of 2184 doubles each, and four more a table.
    assert!(matches!(refused(small), CfrError::Memory { needed: 87_424, .. }));
}
