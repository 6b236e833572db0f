//! The curves of OpenSpiel, iteration by iteration.

use crate::common::{Small, kuhn, leduc, public_kuhn, public_leduc, solver};
use doorcard_cfr::UpdateRule;
use doorcard_cfr::exact::{Chance, FullTree, Solver, Traversal, Updates, Vector};
use doorcard_efg::{EnumerableGame, Infosets};
use doorcard_eval::exploitability::exploitability;
use serde::Deserialize;
use std::collections::BTreeMap;

const TOLERANCE: f64 = 1e-6;

#[derive(Deserialize)]
struct Table {
    iterations: Vec<u64>,
    kuhn: BTreeMap<String, Vec<f64>>,
    leduc: BTreeMap<String, Vec<f64>>,
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
