//! What external sampling reaches on Leduc poker in ten seconds of one core. Only a release build means anything:
//! `cargo test --release -p doorcard-cfr --test solver -- --ignored --nocapture speed`.

use crate::common::leduc;
use doorcard_cfr::sampling::{Frozen, Sink};
use doorcard_cfr::seed::deal_rng;
use doorcard_cfr::{AverageStrategy, MAX_ACTIONS, Regrets, Row, TrainConfig, depth_first};
use doorcard_efg::{Game, Infosets};
use doorcard_eval::exploitability::exploitability;
use std::time::Instant;

/// Counts the nodes that a traversal touches.
#[derive(Default)]
struct Nodes {
    decisions: u64,
    /// Ends of the game beyond one for every traversal: an own decision adds a branch for each action but one.
    branches: u64,
}

impl Sink<f32> for Nodes {
    fn regret(&mut self, _slot: u64, _deltas: &Row<f32>, actions: usize) {
        self.decisions += 1;
        self.branches += actions as u64 - 1;
    }

    fn average(&mut self, _slot: u64, _strategy: &Row<f32>, _actions: usize) {
        self.decisions += 1;
    }
}

/// What this thread has computed, which others cannot slow down as much as what a clock shows. Units: seconds.
fn computed(since: Instant) -> f64 {
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

#[test]
#[ignore = "takes ten seconds, and measures"]
fn leduc_in_ten_seconds_of_one_core() {
    const SECONDS: f64 = 10.0;
    let small = leduc();
    let config = TrainConfig { batch: depth_first::MOST_DEALS, threads: 1, ..TrainConfig::default() };
    let mut trainer = small.trainer::<f32>(config);
    let clock = Instant::now();
    let start = computed(clock);
    while computed(clock) - start < SECONDS {
        (0..4096).for_each(|_| trainer.step());
    }
    let seconds = computed(clock) - start;
    let deals = trainer.state().iterations as f64;
    let found = exploitability(&small.game, &small.infosets, &AverageStrategy(trainer.table())).unwrap();

    let mut regrets = trainer.table().regret().to_vec();
    regrets.extend([0.0; MAX_ACTIONS]);
    let frozen = Frozen::new(&small.game, &small.infosets, Regrets::new(&regrets));
    let (mut nodes, sample) = (Nodes::default(), 100_000);
    for number in 0..sample {
        let mut rng = deal_rng(7, number);
        let deal = small.game.deal(&mut rng);
        let view = small.infosets.view(&small.game, &deal);
        for traverser in 0..2 {
            depth_first::run(&frozen, &deal, &view, traverser, &mut rng, &mut nodes);
        }
    }
    // Decisions, ends, and the deal as one chance node.
    let per_deal = (nodes.decisions + nodes.branches) as f64 / sample as f64 + 2.0 + 1.0;
    let nodes_per_second = deals / seconds * per_deal;
    println!(
        "{:.2} M deals/s, {per_deal:.1} nodes a deal, {:.1} M nodes/s, exploitability {:.5} after {:.1} M deals",
        deals / seconds / 1e6,
        nodes_per_second / 1e6,
        found.exploitability,
        deals / 1e6
    );
    // 30 times the nodes of OpenSpiel's external sampling in C++, which needs 30 seconds for 0.020.
    assert!(nodes_per_second > 48e6, "{nodes_per_second} nodes a second");
    assert!(found.exploitability < 0.006, "{found:?}");
}
