//! Public chance sampling finds on average what the enumerated pass finds.

use crate::common::{config, leduc, public_leduc, solver, subject};
use doorcard_cfr::exact::{Chance, Found, Pass, Reached, Solver, Strategies, Traversal, Updates, Vector};
use doorcard_cfr::{CfrError, Real, UpdateRule};
use doorcard_efg::{Policy, Rows};
use doorcard_eval::exploitability::exploitability;
use std::ops::Range;

/// Passes drawn. A slot's mean misses the expectation by its standard error, some 1/77 of what one pass varies by.
const PASSES: u64 = 6000;
/// In how many standard errors all 2 * 2184 means must lie: by chance one in 10^9 would not.
const ERRORS: f64 = 6.0;

/// Regrets and reach of one pass.
fn find<V: Traversal>(traversal: &V, strategies: &[f64], pass: Pass, scratch: &mut V::Scratch) -> Vec<f64> {
    let mut found = vec![0.0; 2 * strategies.len()];
    let (regret, reach) = found.split_at_mut(strategies.len());
    traversal.pass(pass, Strategies::new(0, strategies), &mut Found::new(0, regret, reach), scratch);
    found
}

#[test]
fn sampled_passes_average_to_the_exact_one() {
    let (small, public) = (leduc(), public_leduc());
    let exact = Vector::new(&public, &small.infosets, Chance::Enumerated);
    let sampled = Vector::new(&public, &small.infosets, Chance::Sampled);
    let slots = small.infosets.slots();

    // Strategies that are neither uniform nor pure everywhere.
    let mut trained: Solver<_> = solver(exact.clone(), UpdateRule::Vanilla, Updates::Alternating);
    (0..7).for_each(|_| trained.step());
    let mut strategies = vec![0.0; slots as usize];
    let average = trained.average();
    small.infosets.for_each_row(&mut |slot, actions| {
        average.probabilities(slot, &mut strategies[slot as usize..][..actions]);
    });

    for player in 0..2 {
        let pass = |seed| Pass { part: 0, player, iteration: 1, seed };
        let expected = find(&exact, &strategies, pass(0), &mut exact.survey(0, &mut Reached::new(slots)));
        let mut scratch = sampled.survey(0, &mut Reached::new(slots));
        let mut sums = vec![(0.0, 0.0); expected.len()];
        for seed in 0..PASSES {
            let found = find(&sampled, &strategies, pass(seed), &mut scratch);
            for ((sum, squares), found) in sums.iter_mut().zip(found) {
                *sum += found;
                *squares += found * found;
            }
        }
        let n = PASSES as f64;
        let mut varied = 0;
        for (slot, (expected, (sum, squares))) in expected.iter().zip(sums).enumerate() {
            let mean = sum / n;
            let error = ((squares / n - mean * mean).max(0.0) / (n - 1.0)).sqrt();
            varied += usize::from(error > 1e-12);
            assert!(
                (mean - expected).abs() <= ERRORS * error + 1e-12,
                "player {player}, {slot}: {mean} +- {error}, not {expected}"
            );
        }
        // Half of the rows are the player's, nearly all of them behind public chance.
        assert!(varied > expected.len() / 4, "{varied} slots varied");
    }
}

/// The same passes, after which all rows are updated and not only those visited.
struct Swept<V>(V);

impl<V: Traversal> Traversal for Swept<V> {
    type Scratch = V::Scratch;

    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn players(&self) -> usize {
        self.0.players()
    }

    fn rows(&self) -> &dyn Rows {
        self.0.rows()
    }

    fn parts(&self) -> Vec<Range<u64>> {
        self.0.parts()
    }

    fn survey(&self, part: usize, reached: &mut Reached) -> V::Scratch {
        self.0.survey(part, reached)
    }

    fn pass<T: Real>(
        &self,
        pass: Pass,
        strategies: Strategies<'_, T>,
        found: &mut Found<'_>,
        scratch: &mut V::Scratch,
    ) {
        self.0.pass(pass, strategies, found, scratch);
    }
}

#[test]
fn updating_only_the_rows_visited_changes_nothing() {
    let (small, public) = (leduc(), public_leduc());
    for updates in [Updates::Alternating, Updates::Simultaneous] {
        let traversal = || Vector::new(&public, &small.infosets, Chance::Sampled);
        let mut sparse: Solver<_> = solver(traversal(), UpdateRule::Linear, updates);
        let mut swept: Solver<_> = solver(Swept(traversal()), UpdateRule::Linear, updates);
        for _ in 0..50 {
            sparse.step();
            swept.step();
        }
        assert_eq!(sparse.table().regret(), swept.table().regret());
        assert_eq!(sparse.table().strategy_sum(), swept.table().strategy_sum());
    }
}

#[test]
fn leduc_is_solved_with_sampled_chance() {
    let (small, public) = (leduc(), public_leduc());
    // Uniform play is exploited for 2.37 chips, 3000 exact iterations of Linear CFR for less than 0.005. Rules that
    // shrink or floor regrets sweep all rows, visited or not.
    for (rule, bound) in [(UpdateRule::Linear, 0.2), (UpdateRule::CfrPlus, 0.2), (UpdateRule::DCFR, 0.2)] {
        let traversal = Vector::new(&public, &small.infosets, Chance::Sampled);
        let mut solver: Solver<_> = solver(traversal, rule, Updates::Alternating);
        (0..3000).for_each(|_| solver.step());
        let found = exploitability(&small.game, &small.infosets, &solver.average()).unwrap();
        assert!(found.exploitability < bound, "{rule}: {found:?}");
    }
}

#[test]
fn predictions_from_sampled_chance_are_refused() {
    let (small, public) = (leduc(), public_leduc());
    let traversal = Vector::new(&public, &small.infosets, Chance::Sampled);
    let config = config(UpdateRule::PcfrPlus, Updates::Alternating);
    let error = Solver::<_, f64>::new(traversal, subject("leduc"), config).err().unwrap();
    assert!(matches!(error, CfrError::Setting { setting: "rule", .. }), "{error}");
}
