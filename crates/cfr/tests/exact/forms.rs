//! The history form and the public form do the same, slot by slot.

use crate::common::{Small, kuhn, leduc, public_kuhn, public_leduc, solver};
use crate::merged::{Unmerged, merged};
use doorcard_cfr::UpdateRule;
use doorcard_cfr::exact::{Chance, FullTree, Solver, Updates, Vector};
use doorcard_efg::{EnumerableGame, Infosets, Policy, PublicGame, PublicInfosets, Rows};
use doorcard_games::leduc::Leduc;

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
                assert!(moved as u64 > small.infosets.rows() / 2, "{moved} regrets");
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

/// Merges what suits alone tell apart: the same game, fewer rows.
#[test]
fn on_leduc_without_suits() {
    let lossless = leduc();
    let infosets = merged(&lossless, |card, _| card / 2, |card| card / 2);
    // Of 36 rows in the first round and 900 in the second one in 2 and in 10/3 are left.
    assert_eq!(infosets.rows(), 288);
    let small = Small { name: "leduc without suits", game: Leduc::new(), infosets };
    agree(&small, &public_leduc());

    let vectors = public_leduc();
    let all = Vector::new(&vectors, &lossless.infosets, Chance::Enumerated);
    let merged = Vector::new(&vectors, &small.infosets, Chance::Enumerated);
    let mut all: Solver<_> = solver(all, UpdateRule::CfrPlus, Updates::Alternating);
    let mut merged: Solver<_> = solver(merged, UpdateRule::CfrPlus, Updates::Alternating);
    for _ in 0..30 {
        all.step();
        merged.step();
        let average = Unmerged(&small.infosets, merged.average());
        let (all, average) = (all.average(), average);
        lossless.infosets.for_each_row(&mut |slot, actions| {
            let [mut a, mut b] = [0, 1].map(|_| vec![0.0; actions]);
            all.probabilities(slot, &mut a);
            average.probabilities(slot, &mut b);
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9), "slot {slot}: {a:?} and {b:?}");
        });
    }
}

/// Merges infosets whose histories differ in more than suits, in a way that remembers.
#[test]
fn on_leduc_with_coarse_rows() {
    let lossless = leduc();
    let infosets = merged(&lossless, |card, _| card / 4, |card| card / 4);
    assert_eq!(infosets.rows(), 132);
    agree(&Small { name: "coarse leduc", game: Leduc::new(), infosets }, &public_leduc());
}
