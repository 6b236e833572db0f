//! The curves of OpenSpiel, iteration by iteration.

use crate::common::{Small, config, kuhn, leduc, public_kuhn, public_leduc, solver, subject};
use crate::twin::Twin;
use doorcard_cfr::UpdateRule;
use doorcard_cfr::exact::{
    Chance, EXACT, ExactCheckpoint, ExactHeader, FullTree, Solver, Traversal, Updates, Vector,
};
use doorcard_efg::{EnumerableGame, Infosets};
use doorcard_eval::exploitability::exploitability;
use doorcard_store::ContainerWriter;
use serde::Deserialize;
use std::collections::BTreeMap;

const TOLERANCE: f64 = 1e-6;

#[derive(Deserialize)]
struct Table {
    iterations: Vec<u64>,
    kuhn: BTreeMap<String, Vec<f64>>,
    leduc: BTreeMap<String, Vec<f64>>,
    #[serde(rename = "kuhn-simultaneous")]
    kuhn_simultaneous: BTreeMap<String, Vec<f64>>,
    #[serde(rename = "leduc-simultaneous")]
    leduc_simultaneous: BTreeMap<String, Vec<f64>>,
}

fn table() -> Table {
    toml::from_str(include_str!("../data/openspiel.toml")).unwrap()
}

/// The rules, and how many iterations of each on Leduc are compared.
///
/// The iteration is chaotic there: a difference of 1e-16 in the order of a sum has grown to 1e-6 after 55 iterations of
/// Discounted CFR, 77 of Linear CFR and 118 of CFR+, and later figures of OpenSpiel are those of its order of sums.
fn rules() -> [(UpdateRule, u64); 4] {
    [(UpdateRule::Vanilla, 100), (UpdateRule::CfrPlus, 100), (UpdateRule::Linear, 10), (UpdateRule::DCFR, 10)]
}

fn compare<G: EnumerableGame, I: Infosets<G>, V: Traversal>(
    small: &Small<G, I>,
    curve: &[f64],
    mut solver: Solver<V>,
    last: u64,
) {
    for (&iterations, &expected) in table().iterations.iter().zip(curve) {
        if iterations > last {
            break;
        }
        while solver.iterations() < iterations {
            solver.step();
        }
        let found = exploitability(&small.game, &small.infosets, &solver.average()).unwrap().exploitability;
        let (name, rule) = (small.name, solver.settings().rule);
        assert!(
            (found - expected).abs() < TOLERANCE,
            "{name}, {rule}, {iterations}: {found}, not {expected}"
        );
    }
}

#[test]
fn simultaneous_updates() {
    let table = table();
    let (small, public) = (kuhn(2), public_kuhn());
    let (large, public_large) = (leduc(), public_leduc());
    for rule in [UpdateRule::Vanilla, UpdateRule::CfrPlus] {
        let curve = &table.kuhn_simultaneous[rule.name()];
        let histories = FullTree::new(&small.game, &small.infosets);
        compare(&small, curve, solver(histories, rule, Updates::Simultaneous), u64::MAX);
        let vectors = Vector::new(&public, &small.infosets, Chance::Enumerated);
        compare(&small, curve, solver(vectors, rule, Updates::Simultaneous), u64::MAX);
        let curve = &table.leduc_simultaneous[rule.name()];
        let vectors = Vector::new(&public_large, &large.infosets, Chance::Enumerated);
        compare(&large, curve, solver(vectors, rule, Updates::Simultaneous), u64::MAX);
    }
}

#[test]
fn kuhn_to_the_end() {
    let (small, curves) = (kuhn(2), table().kuhn);
    let public = public_kuhn();
    for (rule, _) in rules() {
        let curve = &curves[rule.name()];
        let histories = FullTree::new(&small.game, &small.infosets);
        compare(&small, curve, solver(histories, rule, Updates::Alternating), u64::MAX);
        let vectors = Vector::new(&public, &small.infosets, Chance::Enumerated);
        compare(&small, curve, solver(vectors, rule, Updates::Alternating), u64::MAX);
    }
}

#[test]
fn leduc_as_long_as_rounding_does_not_matter() {
    let (small, curves) = (leduc(), table().leduc);
    let public = public_leduc();
    for (rule, last) in rules() {
        let curve = &curves[rule.name()];
        let histories = FullTree::new(&small.game, &small.infosets);
        compare(&small, curve, solver(histories, rule, Updates::Alternating), last);
        let vectors = Vector::new(&public, &small.infosets, Chance::Enumerated);
        compare(&small, curve, solver(vectors, rule, Updates::Alternating), last);
    }
}

/// A solver with the twin's tables.
fn from_twin<V: Traversal + Clone>(traversal: V, twin: &Twin<'_>, rule: UpdateRule) -> Solver<V> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("twin");
    let config = config(rule, Updates::Alternating);
    let empty: Solver<V> = Solver::new(traversal.clone(), subject("leduc"), config.clone()).unwrap();
    empty.save(&path).unwrap();
    let iterations = twin.iteration as u64;
    let header = ExactHeader { iterations, ..ExactCheckpoint::open(&path).unwrap().header().clone() };
    let mut writer = ContainerWriter::create(&path, EXACT, &header).unwrap();
    writer.section("regret", &before_discount(twin, rule)).unwrap();
    writer.section("strategy_sum", &twin.strategy_sum).unwrap();
    writer.section("strategy", &twin.strategy).unwrap();
    writer.commit().unwrap();
    Solver::resume(traversal, subject("leduc"), config, &ExactCheckpoint::open(&path).unwrap()).unwrap()
}

/// OpenSpiel discounts regrets after an iteration, the solvers before the next.
fn before_discount(twin: &Twin<'_>, rule: UpdateRule) -> Vec<f64> {
    let discount = rule.discount(twin.iteration as u64 + 1);
    let undo = |&regret: &f64| match regret {
        0.0 => 0.0,
        _ if regret > 0.0 => regret / discount.positive,
        _ => regret / discount.negative,
    };
    twin.regret.iter().map(undo).collect()
}

#[test]
fn leduc_to_the_end_in_the_order_of_openspiel() {
    let (small, public, curves) = (leduc(), public_leduc(), table().leduc);
    let linear = UpdateRule::Dcfr { alpha: 1.0, beta: 1.0, gamma: 1.0 };
    for (name, rule) in [
        ("vanilla", UpdateRule::Vanilla),
        ("cfr-plus", UpdateRule::CfrPlus),
        ("linear", linear),
        ("dcfr", UpdateRule::DCFR),
    ] {
        let mut twin = Twin::new(&small, rule);
        for (&iterations, &expected) in table().iterations.iter().zip(&curves[name]).take(4) {
            while twin.iteration + 1 < iterations as i32 {
                twin.step();
            }
            let mut histories = from_twin(FullTree::new(&small.game, &small.infosets), &twin, rule);
            let vectors = Vector::new(&public, &small.infosets, Chance::Enumerated);
            let mut vectors = from_twin(vectors, &twin, rule);
            twin.step();
            histories.step();
            vectors.step();
            let found = exploitability(&small.game, &small.infosets, &twin).unwrap().exploitability;
            assert!((found - expected).abs() < TOLERANCE, "{name}, {iterations}: {found}, not {expected}");
            let regret = before_discount(&twin, rule);
            for tables in [histories.table(), vectors.table()] {
                same(&regret, tables.regret(), &format!("{name}, {iterations}: regret"));
                same(&twin.strategy_sum, tables.strategy_sum(), &format!("{name}, {iterations}: strategy"));
            }
        }
    }
}

fn same(expected: &[f64], found: &[f64], what: &str) {
    for (slot, (a, b)) in expected.iter().zip(found).enumerate() {
        assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{what} of slot {slot}: {b}, not {a}");
    }
}
