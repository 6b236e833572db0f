//! Local best response and exploiters of mini-stud, where what a strategy can lose is known exactly.
//!
//! What is compared is what a responder wins per game on average over both seats. Of the best response that is the
//! strategy's exploitability: what the seats win when both play the strategy adds up to nothing.

use super::*;
use doorcard_abstraction::{BoardExploitation, CardLabels, LabelInfosets};
use doorcard_cfr::average::average_row;
use doorcard_cfr::exact::{Chance, ExactConfig, Solver, Vector};
use doorcard_cfr::vector::{ListedBoards, VectorSettings};
use doorcard_cfr::{MAX_ACTIONS, Subject, UpdateRule};
use doorcard_efg::{
    BoardGame, EnumerableGame, Infosets, Policy, PublicGame, PublicInfosets, PublicTurn, Rows, UniformPolicy,
};
use doorcard_eval::exploitability::lift;
use doorcard_eval::public;
use doorcard_games::stud::tree::PublicStud;

fn member(name: &str) -> PublicStud {
    PublicStud::new(StudTree::new(Rules::named(name).unwrap(), HistoryDetail::Full).unwrap()).unwrap()
}

/// A strategy written out. Shape: `[slot]`.
struct Written(Vec<f64>);

impl Policy for Written {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        out.copy_from_slice(&self.0[slot as usize..][..out.len()]);
    }
}

fn written(rows: &dyn Rows, policy: &dyn Policy) -> Written {
    let mut table = vec![0.0; rows.slots() as usize];
    rows.for_each_row(&mut |slot, actions| {
        policy.probabilities(slot, &mut table[slot as usize..][..actions]);
    });
    Written(table)
}

/// The average strategy after so many iterations of CFR.
fn solved(game: &PublicStud, infosets: &LabelInfosets<'_>, iterations: usize) -> Written {
    let traversal = Vector::new(game, infosets, Chance::Enumerated);
    let mut solver: Solver<_> = Solver::new(traversal, Subject::default(), ExactConfig::default()).unwrap();
    (0..iterations).for_each(|_| solver.step());
    written(infosets, &solver.average())
}

/// Calls `f` with strategies of a member: what they are, their infosets and themselves.
fn each_strategy(game: &PublicStud, labels: &str, mut f: impl FnMut(&str, &LabelInfosets<'_>, &dyn Policy)) {
    let exact = LabelInfosets::new(game, CardLabels::lossless());
    let merged = LabelInfosets::new(game, CardLabels::named(labels).unwrap());
    f("uniform", &exact, &UniformPolicy);
    f("average", &exact, &solved(game, &exact, 20));
    f(labels, &merged, &solved(game, &merged, 20));
}

/// What a best response to a strategy wins on average over the seats. Units: chips.
fn best_response(game: &PublicStud, infosets: &LabelInfosets<'_>, policy: &dyn Policy) -> f64 {
    let found = public::exploitability(game, infosets, policy).unwrap();
    let best = found.best_responses.iter().sum::<f64>() / 2.0;
    assert!((best - found.exploitability).abs() < 1e-9, "{found:?}");
    best
}

/// A walk of everything that the opponent may do with the cards of one deal.
struct Walk<'a> {
    infosets: &'a LabelInfosets<'a>,
    policy: &'a dyn Policy,
    view: <LabelInfosets<'a> as Infosets<StudTree>>::View,
    rng: Xoshiro256PlusPlus,
}

impl Walk<'_> {
    /// What the responder wins on average from a position on: by the cards dealt, and as it is measured. Units: chips.
    fn value(&mut self, mut hand: Hand<'_>, position: Position) -> [f64; 2] {
        let (game, seat) = (hand.lbr.game, hand.seat);
        let (tree, role) = (game.tree(), hand.deal.line.role(seat));
        let won = game.utility(&position, &hand.deal, seat);
        match tree.turn(position) {
            Turn::Fold { .. } => [won, won - hand.luck],
            Turn::Showdown { paid } => [won, hand.showdown(paid, &mut self.rng) - hand.luck],
            Turn::Decide { role: mover, .. } if mover == role => {
                hand.reveal(position, &mut self.rng);
                let action = hand.respond(position, &mut self.rng);
                let next = tree.act(position, &hand.deal.line, action);
                self.value(hand, next)
            }
            Turn::Decide { actions, .. } => {
                hand.reveal(position, &mut self.rng);
                let chances = hand.chances(position);
                let mut row = vec![0.0; actions];
                self.policy.probabilities(self.infosets.slot(&self.view, &position, 1 - seat), &mut row);
                let down = game.down(&hand.deal, 1 - seat, hand.range.street);
                assert_eq!(chances.row(hand.range.group_of(down)), row);
                let mut means = [0.0; 2];
                for (action, chance) in row.into_iter().enumerate().filter(|&(_, chance)| chance > 0.0) {
                    let mut after = Hand { range: hand.range.clone(), ..hand };
                    after.observe(position, &chances, action, &mut self.rng);
                    let values = self.value(after, tree.act(position, &hand.deal.line, action));
                    means.iter_mut().zip(values).for_each(|(mean, value)| *mean += chance * value);
                }
                means
            }
        }
    }
}

/// What the response wins on average over all deals and both seats: by the cards dealt, and as it is measured.
fn over_all_deals(
    lbr: &LocalBestResponse<'_>,
    infosets: &LabelInfosets<'_>,
    policy: &dyn Policy,
) -> [f64; 2] {
    let mut means = [0.0; 2];
    lbr.game.for_each_deal(&mut |deal, probability| {
        let view = infosets.view(lbr.game, deal);
        for seat in 0..2 {
            let rng = Xoshiro256PlusPlus::seed_from_u64(0);
            let mut walk = Walk { infosets, policy, view, rng };
            let values = walk.value(Hand::new(lbr, *deal, seat), lbr.game.tree().root());
            means.iter_mut().zip(values).for_each(|(mean, value)| *mean += probability / 2.0 * value);
        }
    });
    means
}

/// Over all deals the response wins no more than the best response, from whatever street on. It is measured without bias:
/// what a showdown and luck count for is what the cards come to. Played hands say the same as far as they tell.
#[test]
fn never_above_the_exact_exploitability() {
    for (name, labels) in
        [("mini_high", "QK"), ("mini_razz", "23"), ("mini_river", "KA"), ("mini_hilo", "23")]
    {
        let game = member(name);
        each_strategy(&game, labels, |what, infosets, policy| {
            let exact = best_response(&game, infosets, policy);
            let player = KnownPolicy::new(infosets, policy).unwrap();
            let last = game.rules().last_street();
            for from in Street::ALL.into_iter().filter(|&from| from <= last) {
                let lbr = LocalBestResponse::new(player.game(), &player, from).unwrap();
                let [won, measured] = over_all_deals(&lbr, infosets, policy);
                let hands: Moments = played(&lbr, 1, 4000, 2).into_iter().collect();
                let sampled = hands.summary();
                println!(
                    "{name}, {what}: exact {exact:.3}, lbr from {from:?} {won:.3}, in 4,000 hands {sampled}"
                );
                assert!(won < exact + 1e-9, "{name}, {what}: {won} above {exact}");
                assert!((won - measured).abs() < 1e-4, "{name}, {what}: {measured}, not {won}");
                assert!(
                    (sampled.mean - won).abs() < 1.5 * sampled.ci95,
                    "{name}, {what}: {sampled}, not {won}"
                );
                assert!(what != "uniform" || won > 0.25 * exact, "{name}, {what}: {won} of {exact}");
            }
        });
    }
}

/// Three streets: as far as hands tell.
#[test]
fn never_above_the_exact_exploitability_of_three_streets() {
    for (name, labels) in [("mini_three", "QK"), ("mini_nine", "ranks")] {
        let game = member(name);
        each_strategy(&game, labels, |what, infosets, policy| {
            let exact = best_response(&game, infosets, policy);
            let player = KnownPolicy::new(infosets, policy).unwrap();
            let lbr = LocalBestResponse::new(player.game(), &player, Street::Third).unwrap();
            let hands: Moments = played(&lbr, 2, 20_000, 2).into_iter().collect();
            let found = hands.summary();
            println!("{name}, {what}: exact {exact:.3}, lbr {found}");
            assert!(found.mean < exact + found.ci95, "{name}, {what}: {found} above {exact}");
            assert!(
                what != "uniform" || found.mean > 0.25 * exact + found.ci95,
                "{name}: {found} of {exact}"
            );
        });
    }
}

/// The seat of every slot.
fn seats(game: &PublicStud, infosets: &LabelInfosets<'_>) -> Vec<usize> {
    let mut seats = vec![0; infosets.slots() as usize];
    let mut open = vec![PublicGame::root(game)];
    while let Some((node, board)) = open.pop() {
        match game.turn(node, &board) {
            PublicTurn::Decide { player, actions } => {
                let block = infosets.block(game, node, &board, player);
                for hand in 0..game.hands(node, &board, player) {
                    seats[block.slot(hand) as usize..][..actions].fill(player);
                }
                open.extend((0..actions).map(|action| (game.act(node, &board, action), board)));
            }
            PublicTurn::Chance => {
                open.extend((0..game.outcomes(node, &board)).map(|index| game.outcome(node, &board, index)));
            }
            PublicTurn::Fold { .. } | PublicTurn::Showdown => {}
        }
    }
    seats
}

/// What somebody who is trained against a strategy, and tells all cards apart, wins of it: its average strategy after so
/// many boards, by exact evaluation over both seats. Units: chips.
fn exploiter(game: &PublicStud, infosets: &LabelInfosets<'_>, policy: &dyn Policy, iterations: u64) -> f64 {
    let own = LabelInfosets::new(game, CardLabels::lossless());
    let lanes: Vec<usize> = {
        let (learner, fixed) = (ListedBoards::new(game, &own), ListedBoards::new(game, infosets));
        (0..learner.rounds()).map(|round| learner.lanes(round).max(fixed.lanes(round))).collect()
    };
    let boards = BoardExploitation::of_boards(
        ListedBoards::with_lanes(game, &own, &lanes),
        ListedBoards::with_lanes(game, infosets, &lanes),
    );
    let config = TrainConfig {
        iterations,
        batch: 64,
        threads: 2,
        rule: UpdateRule::Linear,
        sampling: Sampling::Vector,
        vector: Some(VectorSettings::public_chance()),
        ..TrainConfig::default()
    };
    let mut trainer = BoardTrainer::new(&boards, &own, Subject::default(), config).unwrap();
    trainer.set_regrets(|set| {
        infosets.for_each_row(&mut |slot, actions| {
            let mut row = [0.0; MAX_ACTIONS];
            policy.probabilities(slot, &mut row[..actions]);
            let place = boards.fixed_place(slot);
            for (action, &chance) in row[..actions].iter().enumerate() {
                set(place.first + action as u64 * place.stride, chance as f32);
            }
        });
    });
    while trainer.state().iterations < iterations {
        trainer.step();
    }
    // Each seat in turn plays what was learnt, the other the strategy.
    let fixed = written(&own, &lift(game.game(), infosets, policy, &own).unwrap());
    let seats = seats(game, &own);
    let value = |learner: usize| {
        let mut both = Written(fixed.0.clone());
        own.for_each_row(&mut |slot, actions| {
            if seats[slot as usize] == learner {
                let (regrets, sums) = trainer.row(slot, actions);
                let (_, row) = average_row(&sums[..actions], &regrets[..actions]);
                for (to, chance) in both.0[slot as usize..][..actions].iter_mut().zip(row) {
                    *to = chance.into();
                }
            }
        });
        public::expected_values(game, &own, &both).unwrap()[learner]
    };
    (value(0) + value(1)) / 2.0
}

/// An exploiter wins no more than the best response, and at least this part of it.
fn check_exploiters(name: &str, labels: &str, boards: u64, least: f64) {
    let game = member(name);
    each_strategy(&game, labels, |what, infosets, policy| {
        let exact = best_response(&game, infosets, policy);
        let found = exploiter(&game, infosets, policy, boards);
        let ratio = found / exact;
        println!("{name}, {what}: exact {exact:.3}, exploiter {found:.3}, {:.1} %", 100.0 * ratio);
        assert!(found < exact + 1e-6, "{name}, {what}: {found} above {exact}");
        assert!(ratio > least, "{name}, {what}: {found} of {exact}");
    });
}

#[test]
fn exploiters_reach_nine_tenths_of_the_exact_exploitability() {
    check_exploiters("mini_high", "QK", 60_000, 0.9);
    check_exploiters("mini_razz", "23", 40_000, 0.9);
    check_exploiters("mini_river", "KA", 20_000, 0.99);
}

#[test]
#[ignore = "larger members: some minutes"]
fn exploiters_of_all_members() {
    check_exploiters("mini_hilo", "23", 200_000, 0.9);
    check_exploiters("mini_three", "QK", 200_000, 0.9);
    check_exploiters("mini_nine", "ranks", 200_000, 0.9);
}
