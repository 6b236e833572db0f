//! Sampled solvers reach the known solutions of Kuhn and Leduc poker.

use crate::common::{kuhn, leduc};
use doorcard_cfr::{AverageStrategy, CurrentStrategy, Sampling, StopReason, TrainConfig, UpdateRule};
use doorcard_eval::exploitability::exploitability;
use std::sync::atomic::AtomicBool;

const KUHN: f64 = -1.0 / 18.0;
const LEDUC: f64 = -0.085606;

fn config(iterations: u64, batch: u64) -> TrainConfig {
    TrainConfig { iterations, batch, threads: 1, ..TrainConfig::default() }
}

#[test]
fn kuhn_is_solved_by_both_rules() {
    let small = kuhn(2);
    for (rule, bound) in [(UpdateRule::Vanilla, 0.01), (UpdateRule::Linear, 0.01)] {
        let mut trainer = small.trainer::<f64>(TrainConfig { rule, ..config(200_000, 16) });
        assert_eq!(trainer.run(None, &AtomicBool::new(false), &mut ()).unwrap(), StopReason::Finished);
        let found = exploitability(&small.game, &small.infosets, &AverageStrategy(trainer.table())).unwrap();
        assert!(found.exploitability < bound, "{rule:?}: {found:?}");
        assert!((found.values[0] - KUHN).abs() < bound, "{rule:?}: {found:?}");
    }
}

#[test]
fn leduc_is_solved() {
    let small = leduc();
    let mut trainer = small.trainer::<f32>(config(1_500_000, 64));
    trainer.run(None, &AtomicBool::new(false), &mut ()).unwrap();
    let found = exploitability(&small.game, &small.infosets, &AverageStrategy(trainer.table())).unwrap();
    assert!(found.exploitability < 0.02, "{found:?}");
    // Each player can be kept to within what the other gains by responding best.
    assert!((found.values[0] - LEDUC).abs() < found.nash_conv, "{found:?}");
    // The last strategy is no equilibrium: it is the average that converges.
    let last = exploitability(&small.game, &small.infosets, &CurrentStrategy(trainer.table())).unwrap();
    assert!(last.exploitability > 2.0 * found.exploitability, "{last:?}");
}

#[test]
fn outcome_sampling_solves_kuhn_and_leduc() {
    let kuhn = kuhn(2);
    let leduc = leduc();
    for baseline in [None, Some(0.1)] {
        let config = |iterations| TrainConfig {
            sampling: Sampling::Outcome,
            baseline,
            iterations,
            batch: 8,
            threads: 1,
            ..TrainConfig::default()
        };
        let mut trainer = kuhn.trainer::<f64>(config(400_000));
        trainer.run(None, &AtomicBool::new(false), &mut ()).unwrap();
        let found = exploitability(&kuhn.game, &kuhn.infosets, &AverageStrategy(trainer.table())).unwrap();
        assert!(found.exploitability < 0.01, "baseline {baseline:?}: {found:?}");
        assert!((found.values[0] - KUHN).abs() < 0.01, "baseline {baseline:?}: {found:?}");

        let mut trainer = leduc.trainer::<f64>(config(1_000_000));
        trainer.run(None, &AtomicBool::new(false), &mut ()).unwrap();
        let found = exploitability(&leduc.game, &leduc.infosets, &AverageStrategy(trainer.table())).unwrap();
        assert!(found.exploitability < 0.12, "baseline {baseline:?}: {found:?}");
        assert!((found.values[0] - LEDUC).abs() < found.nash_conv, "baseline {baseline:?}: {found:?}");
    }
}
