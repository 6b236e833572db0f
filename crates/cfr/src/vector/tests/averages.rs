//! The average strategy by a walk of its own.

use super::*;

/// What an average walk adds at an action is, on average over opponents' lines, the own reach times the probability of the
/// action times a factor of the row that does not depend on the strategy.
fn averages_follow_the_own_reach<G, P, I>(game: &G, public: &P, infosets: &I, walks: usize)
where
    G: EnumerableGame,
    P: PublicGame,
    I: Infosets<G> + PublicInfosets<P>,
{
    for player in 0..2 {
        let own = rows_of(game, infosets, player);
        // By strategy: for each action how often the player comes there and takes it, and what was added.
        let found: Vec<(Vec<f64>, Vec<f64>)> = [1, 2]
            .map(|seed| {
                let mut case = Case::new(game, public, infosets, seed, None);
                // Every action is taken, so that the walks draw the same lines of the opponent.
                case.regrets.iter_mut().for_each(|regret| *regret = regret.max(0.1));
                let (_, reach) = case.exact(player);
                let table = case.table();
                let shards = Shards::new(&case.boards.cuts(), 4);
                let mut sums = Floats::zeros(case.boards.table_len()).unwrap();
                let (mut view, mut scratch) = (View::default(), AverageScratch::default());
                for number in 0..walks {
                    let mut rng = deal_rng(6, number as u64);
                    let board = number % case.boards.len();
                    view.look(&case.boards, &board, player);
                    let mut log = Log::default();
                    let scene =
                        Scene { game: &case.boards, board: &board, player, view: &view, regrets: &table };
                    AverageWalk {
                        scene,
                        rng: &mut rng,
                        scratch: &mut scratch,
                        log: &mut log,
                        lines: 3,
                        visits: 0,
                    }
                    .run();
                    log.sort(&shards);
                    sums.add(&shards, &[&log], Adding { factor: 1.0, floor: false, clock: 1 });
                }
                let mut taken = vec![0.0; infosets.slots() as usize];
                infosets.for_each_row(&mut |slot, actions| {
                    let slot = slot as usize;
                    let total: f32 = case.regrets[slot..][..actions].iter().sum();
                    let row = slot..slot + actions;
                    for (taken, regret) in taken[row.clone()].iter_mut().zip(&case.regrets[row]) {
                        *taken = reach[slot] * f64::from(regret / total);
                    }
                });
                (taken, case.by_slot(&sums))
            })
            .into();
        let mut compared = 0;
        infosets.for_each_row(&mut |row, actions| {
            let (first, second) = (&found[0], &found[1]);
            let row = row as usize;
            if !own[row] || first.1[row] == 0.0 {
                return;
            }
            for slot in (row..row + actions).filter(|&slot| first.0[slot].min(second.0[slot]) > 1e-4) {
                let (taken, added) = (first.0[slot] / second.0[slot], first.1[slot] / second.1[slot]);
                assert!((taken / added - 1.0).abs() < 1e-3, "row {row}, slot {slot}: {added}, not {taken}");
                compared += 1;
            }
        });
        assert!(compared >= 12, "{compared} actions");
    }
}

#[test]
fn averages_are_unbiased() {
    let game = Kuhn::new(2);
    averages_follow_the_own_reach(&game, &PublicKuhn::new(&game).unwrap(), &KuhnInfosets::new(&game), 60);
    let game = Leduc::new();
    averages_follow_the_own_reach(&game, &PublicLeduc::new(&game), &LeducInfosets::new(&game), 600);
    let game = StudTree::new(Rules::named("mini_three").unwrap(), HistoryDetail::Full).unwrap();
    let public = PublicStud::new(game).unwrap();
    let infosets = LabelInfosets::new(&public, CardLabels::lossless());
    averages_follow_the_own_reach(public.game(), &public, &infosets, 3 * 1680);
}
