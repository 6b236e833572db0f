//! The history form and the public form do the same, slot by slot.

use crate::common::{Small, kuhn, leduc, public_kuhn, public_leduc, solver};
use doorcard_cfr::UpdateRule;
use doorcard_cfr::exact::{Chance, FullTree, Solver, Updates, Vector};
use doorcard_efg::{EnumerableGame, Infosets, PublicGame, PublicInfosets};

const RULES: [UpdateRule; 5] =
    [UpdateRule::Vanilla, UpdateRule::Linear, UpdateRule::CfrPlus, UpdateRule::DCFR, UpdateRule::PcfrPlus];

/// Iterations compared: differences of rounding grow from one to the next (see `openspiel.rs`).
const ITERATIONS: u64 = 15;

fn agree<G: EnumerableGame, P: PublicGame, I: Infosets<G> + PublicInfosets<P>>(
    small: &Small<G, I>,
    public: &P,
) {
    for rule in RULES {
        for updates in [Updates::Alternating, Updates::Simultaneous] {
            let histories = FullTree::new(&small.game, &small.infosets);
            let vectors = Vector::new(public, &small.infosets, Chance::Enumerated);
            let mut histories: Solver<_> = solver(histories, rule, updates);
            let mut vectors: Solver<_> = solver(vectors, rule, updates);
            for iteration in 1..=ITERATIONS {
                histories.step();
                vectors.step();
                let (a, b) = (histories.table(), vectors.table());
                for (what, a, b) in
                    [("regret", a.regret(), b.regret()), ("strategy", a.strategy_sum(), b.strategy_sum())]
                {
                    for (slot, (x, y)) in a.iter().zip(b).enumerate() {
                        let name = small.name;
                        assert!(
                            (x - y).abs() < 1e-9,
                            "{name}, {rule}, {updates}, {iteration}: {what} of slot {slot} is {x} and {y}"
                        );
                    }
                }
                let moved = a.regret().iter().filter(|&&regret| regret != 0.0).count();
                assert!(4 * moved > a.regret().len(), "{moved} regrets of {}", a.regret().len());
            }
        }
    }
}

#[test]
fn on_kuhn() {
    agree(&kuhn(2), &public_kuhn());
}

#[test]
fn on_leduc() {
    agree(&leduc(), &public_leduc());
}
