//! Checkpoints and strategies: what they hold, and what is refused.

use crate::common::{kuhn, leduc, subject};
use doorcard_cfr::{
    AverageStrategy, CfrError, Checkpoint, Checkpoints, Pruning, Sampling, Source, Strategy, Subject,
    TrainConfig, Trainer, UpdateRule, predicted_log_bytes,
};
use doorcard_efg::{Policy, Rows};
use doorcard_eval::exploitability::exploitability;
use doorcard_games::leduc::{Leduc, LeducInfosets};
use doorcard_store::Error;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::Path;
use std::sync::atomic::AtomicBool;

fn config() -> TrainConfig {
    TrainConfig { iterations: 6400, batch: 64, threads: 1, ..TrainConfig::default() }
}

fn trained<'a>(game: &'a Leduc, infosets: &'a LeducInfosets) -> Trainer<'a, Leduc, LeducInfosets> {
    let mut trainer = Trainer::new(game, infosets, subject("leduc"), config()).unwrap();
    trainer.run(None, &AtomicBool::new(false), &mut ()).unwrap();
    trainer
}

#[test]
fn checkpoints_made_for_something_else_are_refused_by_name() {
    let small = leduc();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    trained(&small.game, &small.infosets).save(&path).unwrap();
    let checkpoint = Checkpoint::open(&path).unwrap();
    assert_eq!(checkpoint.header().state.iterations, 6400);
    assert_eq!((checkpoint.header().rows, checkpoint.header().slots), (936, 2184));

    let refused = |subject: Subject, config: TrainConfig, expected: &str| {
        let result = Trainer::<_, _, f32>::resume(&small.game, &small.infosets, subject, config, &checkpoint);
        let message = result.err().expect("a refusal").to_string();
        assert!(message.contains(expected) && message.contains(path.to_str().unwrap()), "{message}");
    };
    let leduc = subject("leduc");
    refused(subject("kuhn"), config(), "made for the game leduc, not kuhn");
    refused(Subject { rules: "cap 3".into(), ..leduc.clone() }, config(), "the rules");
    let other = Subject { abstraction: "percentile".into(), abstraction_fingerprint: 255, ..leduc.clone() };
    refused(
        other,
        config(),
        "the abstraction 'lossless' (0000000000000000), not 'percentile' (00000000000000ff)",
    );
    refused(leduc.clone(), TrainConfig { seed: 2, ..config() }, "made for seed 1, not 2");
    refused(leduc.clone(), TrainConfig { batch: 128, ..config() }, "made for batch 64, not 128");
    refused(
        leduc.clone(),
        TrainConfig { rule: UpdateRule::Vanilla, ..config() },
        "made for rule linear, not vanilla",
    );
    let outcome = TrainConfig { sampling: Sampling::Outcome, ..config() };
    refused(leduc.clone(), outcome, "made for sampling external, not outcome");
    let exploration = TrainConfig { exploration: 0.5, ..config() };
    refused(leduc.clone(), exploration, "made for exploration 0.6, not 0.5");
    let prune = Some(Pruning { below: 300.0, explore: 0.1 });
    let expected = "made for prune none, not Pruning { below: 300.0, explore: 0.1 }";
    refused(leduc.clone(), TrainConfig { prune, ..config() }, expected);

    let double =
        Trainer::<_, _, f64>::resume(&small.game, &small.infosets, leduc.clone(), config(), &checkpoint);
    assert!(matches!(double.err(), Some(CfrError::Store(Error::WrongType { .. }))));
    let kuhn = kuhn(2);
    let other =
        Trainer::<_, _, f32>::resume(&kuhn.game, &kuhn.infosets, leduc.clone(), config(), &checkpoint);
    assert!(other.err().unwrap().to_string().contains("infoset layout"));

    // What does not shape the tables may change.
    let more = TrainConfig { iterations: 9000, threads: 2, checkpoint_every: 5, ..config() };
    Trainer::<_, _, f32>::resume(&small.game, &small.infosets, leduc, more, &checkpoint).unwrap();
}

#[test]
fn settings_out_of_range_and_tables_too_large_are_refused() {
    let small = leduc();
    let refused =
        |config| Trainer::<_, _, f32>::new(&small.game, &small.infosets, subject("leduc"), config).err();
    let error = refused(TrainConfig { batch: 0, ..config() });
    assert!(matches!(error, Some(CfrError::Setting { setting: "batch", .. })));
    let outcome = TrainConfig { sampling: Sampling::Outcome, ..config() };
    let prune = |below, explore| Some(Pruning { below, explore });
    for (config, refused_setting) in [
        (TrainConfig { exploration: 0.0, ..outcome.clone() }, "exploration"),
        (TrainConfig { exploration: f64::NAN, ..outcome.clone() }, "exploration"),
        (TrainConfig { baseline: Some(1.5), ..outcome.clone() }, "baseline"),
        (TrainConfig { baseline: Some(0.0), ..outcome.clone() }, "baseline"),
        (TrainConfig { baseline: Some(0.1), ..config() }, "baseline"),
        (TrainConfig { prune: prune(300.0, 0.1), ..outcome.clone() }, "prune"),
        (TrainConfig { prune: prune(-1.0, 0.1), ..config() }, "prune.below"),
        (TrainConfig { prune: prune(f64::INFINITY, 0.1), ..config() }, "prune.below"),
        (TrainConfig { prune: prune(300.0, 0.0), ..config() }, "prune.explore"),
    ] {
        let error = refused(config);
        assert!(
            matches!(&error, Some(CfrError::Setting { setting, .. }) if *setting == refused_setting),
            "{error:?}"
        );
    }
    // Baselines are a third table.
    let baselines = TrainConfig { baseline: Some(0.1), max_memory: 26_255, ..outcome };
    assert!(matches!(refused(baselines), Some(CfrError::Memory { needed: 26_256.., .. })));
    let error = refused(TrainConfig { max_memory: 17_000, ..config() }).unwrap().to_string();
    let logs =
        predicted_log_bytes::<_, f32>(&small.game, config().sampling, config().batch, config().threads);
    let needed = format!("{} bytes", 17_504 + logs);
    assert!(error.contains(&needed) && error.contains("17000 bytes"), "{error}");
    let fits = |max_memory| refused(TrainConfig { max_memory, ..config() }).is_none();
    assert!(fits(17_504 + logs) && !fits(17_503 + logs));
    let parsed: Result<TrainConfig, _> = toml::from_str("iterations = 5\nbach = 3");
    assert!(parsed.unwrap_err().to_string().contains("bach"));
    let parsed: TrainConfig =
        toml::from_str("sampling = \"outcome\"\nexploration = 0.5\nbaseline = 0.1\nprune = { below = 9.0 }")
            .unwrap();
    assert_eq!(
        (parsed.sampling, parsed.exploration, parsed.baseline, parsed.prune),
        (Sampling::Outcome, 0.5, Some(0.1), prune(9.0, 0.05))
    );
    let parsed: TrainConfig = toml::from_str("iterations = 5\nrule = \"vanilla\"").unwrap();
    assert_eq!(
        (parsed.iterations, parsed.rule, parsed.batch),
        (5, UpdateRule::Vanilla, TrainConfig::default().batch)
    );
}

#[test]
fn strategies_play_as_the_tables_they_are_made_of() {
    let small = leduc();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    let trainer = trained(&small.game, &small.infosets);
    let written = trainer.export(&path).unwrap();
    let (saved, exported) = (dir.path().join("checkpoint"), dir.path().join("exported"));
    trainer.save(&saved).unwrap();
    Checkpoint::open(&saved).unwrap().export(&exported, &small.infosets).unwrap();
    assert!(
        std::fs::read(&exported).unwrap() == std::fs::read(&path).unwrap(),
        "a checkpoint exports the same"
    );
    let strategy = Strategy::open(&path).unwrap();
    assert_eq!(strategy.header(), &written);
    assert_eq!(written.average_rows + written.regret_rows + written.untouched_rows, 936);

    let average = AverageStrategy(trainer.table());
    let mut counts = [0, 0, 0];
    small.infosets.for_each_row(&mut |slot, actions| {
        let (mut exact, mut quantised) = (vec![0.0; actions], vec![0.0; actions]);
        average.probabilities(slot, &mut exact);
        let source = strategy.row(slot, &mut quantised);
        counts[source as usize] += 1;
        assert!(exact.iter().zip(&quantised).all(|(a, b)| (a - b).abs() < 3e-5), "{exact:?} {quantised:?}");
    });
    assert_eq!(counts, [written.average_rows, written.regret_rows, written.untouched_rows]);
    assert!(counts[Source::Average as usize] > 900 && counts[Source::Regret as usize] > 0, "{counts:?}");

    let measure =
        |policy: &dyn Policy| exploitability(&small.game, &small.infosets, policy).unwrap().nash_conv;
    assert!((measure(&average) - measure(&strategy)).abs() < 1e-3);

    strategy.expect(&subject("leduc"), &small.infosets).unwrap();
    let error = strategy.expect(&subject("stud"), &small.infosets).unwrap_err();
    assert!(error.to_string().contains("made for the game leduc, not stud"), "{error}");
    let error = strategy.expect(&subject("leduc"), &kuhn(2).infosets).unwrap_err();
    assert!(error.to_string().contains("infoset layout"), "{error}");
    assert!(matches!(Checkpoint::open(&path), Err(CfrError::Store(Error::WrongKind { .. }))));
}

#[test]
fn an_untrained_strategy_is_uniform() {
    let small = leduc();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    small.trainer::<f32>(config()).export(&path).unwrap();
    let strategy = Strategy::open(&path).unwrap();
    assert_eq!(strategy.header().untouched_rows, 936);
    assert_eq!(strategy.row(0, &mut [0.0; 2]), Source::Untouched);
    let found = exploitability(&small.game, &small.infosets, &strategy).unwrap();
    assert!((found.nash_conv - 4.747222222222222).abs() < 1e-12);
}

#[test]
fn damaged_checkpoints_and_strategies_are_refused() {
    let small = leduc();
    let dir = tempfile::tempdir().unwrap();
    let (checkpoint, strategy) = (dir.path().join("checkpoint"), dir.path().join("strategy"));
    let trainer = trained(&small.game, &small.infosets);
    trainer.save(&checkpoint).unwrap();
    trainer.export(&strategy).unwrap();
    refuses_damage(&checkpoint, |path| Checkpoint::open(path).map(drop));
    refuses_damage(&strategy, |path| Strategy::open(path).map(drop));
}

fn refuses_damage(path: &Path, open: impl Fn(&Path) -> Result<(), CfrError>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let bytes = std::fs::read(path).unwrap();
    open(path).unwrap();
    for round in 0..1000 {
        let mut damaged = bytes.clone();
        if round % 4 == 0 {
            damaged.truncate(rng.random_range(0..bytes.len()));
        } else {
            let at = rng.random_range(0..bytes.len());
            damaged[at] ^= 1 << rng.random_range(0..8);
        }
        std::fs::remove_file(path).unwrap();
        std::fs::write(path, damaged).unwrap();
        assert!(matches!(open(path), Err(CfrError::Store(_))), "round {round}");
    }
}

#[test]
fn the_newest_checkpoints_are_kept_and_leftovers_removed() {
    let small = kuhn(2);
    let dir = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(dir.path().join("runs/a"), 2).unwrap();
    assert!(checkpoints.latest().unwrap().is_none());
    std::fs::write(
        dir.path().join("runs/a/.checkpoint-000000000000064.ckpt-x.tmp"),
        "left by a killed process",
    )
    .unwrap();
    std::fs::write(dir.path().join("runs/a/notes.txt"), "the user's own").unwrap();
    let config = TrainConfig { checkpoint_every: 64, iterations: 640, ..config() };
    let mut trainer = small.trainer::<f32>(config);
    trainer.run(Some(&checkpoints), &AtomicBool::new(false), &mut ()).unwrap();
    let mut names: Vec<String> = std::fs::read_dir(dir.path().join("runs/a"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["checkpoint-000000000000576.ckpt", "checkpoint-000000000000640.ckpt", "notes.txt"]);
    assert_eq!(checkpoints.latest().unwrap(), Some(checkpoints.path(640)));
}
