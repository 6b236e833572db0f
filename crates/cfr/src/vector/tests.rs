//! Vector sampling on small games, against full-tree CFR.

use super::average::{AverageScratch, AverageWalk};
use super::listed::ListedBoards;
use super::log::{Log, Shards};
use super::regrets::{Scene, Scratch, Walk};
use super::tables::{Adding, Floats, Halves, Numbers, Precision, Regrets};
use super::view::View;
use super::{
    AverageFrom, BoardTrainer, BoardTraversal, ExternalSettings, VectorSettings, predicted_log_bytes,
    predicted_table_bytes,
};
use crate::checkpoint::Checkpoint;
use crate::exact::{Found, FullTree, Pass, Strategies, Traversal};
use crate::regret::matching;
use crate::sampling::Sampling;
use crate::seed::deal_rng;
use crate::trainer::{Subject, TrainConfig};
use crate::{CfrError, Layout, UpdateRule};
use doorcard_abstraction::{
    BoardSituation, CardAbstraction, CardLabels, LabelInfosets, Situation, StudBoards, StudInfosets,
};
use doorcard_cards::Card;
use doorcard_efg::{
    BoardGame, EnumerableGame, Infosets, Policy, PublicGame, PublicInfosets, RoundEnd, RoundStep,
};
use doorcard_games::kuhn::{Kuhn, KuhnInfosets, PublicKuhn};
use doorcard_games::leduc::{Leduc, LeducInfosets, PublicLeduc};
use doorcard_games::stud::tree::{HistoryDetail, PublicStud, StudTree};
use doorcard_games::stud::{Rules, Street};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

mod public_chance;

/// A small game in both forms, with a strategy.
struct Case<'a, G, P: PublicGame, I> {
    game: &'a G,
    infosets: &'a I,
    boards: ListedBoards<'a, P>,
    /// Cumulative regrets. Shape: `[slot]`.
    regrets: Vec<f32>,
}

impl<'a, G, P, I> Case<'a, G, P, I>
where
    G: EnumerableGame,
    P: PublicGame,
    I: Infosets<G> + PublicInfosets<P>,
{
    /// Random regrets; with `pure`, the rows of that player have one positive regret, so that nothing it does is drawn.
    fn new(game: &'a G, public: &'a P, infosets: &'a I, seed: u64, pure: Option<&[bool]>) -> Self {
        let mut rng = deal_rng(seed, 0);
        let mut regrets = vec![0.0; infosets.slots() as usize];
        infosets.for_each_row(&mut |slot, actions| {
            let row = &mut regrets[slot as usize..][..actions];
            row.iter_mut().for_each(|regret| *regret = rng.random::<f32>() * 10.0 - 3.0);
            if pure.is_some_and(|pure| pure[slot as usize]) {
                row.iter_mut().for_each(|regret| *regret = -regret.abs() - 1.0);
                row[rng.random_range(0..actions)] = 1.0;
            }
        });
        Case { game, infosets, boards: ListedBoards::new(public, infosets), regrets }
    }

    fn table(&self) -> Floats {
        let mut table = Floats::zeros(self.boards.table_len()).unwrap();
        self.infosets.for_each_row(&mut |slot, actions| {
            let place = self.boards.place(slot);
            for action in 0..actions {
                let at = place.first as usize + action * place.stride as usize;
                table.as_mut_slice()[at] = self.regrets[slot as usize + action];
            }
        });
        table
    }

    /// Counterfactual regrets and own reach by the full tree.
    fn exact(&self, player: usize) -> (Vec<f64>, Vec<f64>) {
        let slots = self.infosets.slots() as usize;
        let mut strategy = vec![0.0f64; slots];
        self.infosets.for_each_row(&mut |slot, actions| {
            let row = std::array::from_fn(|action| {
                if action < actions { f64::from(self.regrets[slot as usize + action]) } else { 0.0 }
            });
            strategy[slot as usize..][..actions].copy_from_slice(&matching(&row, actions)[..actions]);
        });
        let (mut regret, mut reach) = (vec![0.0; slots], vec![0.0; slots]);
        let pass = Pass { part: 0, player, iteration: 1, seed: 0 };
        let mut found = Found::new(0, &mut regret, &mut reach);
        FullTree::new(self.game, self.infosets).pass(
            pass,
            Strategies::new(0, &strategy),
            &mut found,
            &mut (),
        );
        (regret, reach)
    }

    /// The sum over all boards and all hands of the opponent of what walks log, in groups of `together` hands.
    fn all_walks(&self, player: usize, together: usize) -> Vec<f64> {
        let table = self.table();
        let shards = Shards::new(&self.boards.cuts(), 4);
        let mut sums = Floats::zeros(self.boards.table_len()).unwrap();
        let count = self.boards.len();
        let factor = (1.0 / (self.boards.deals() * count as f64)) as f32;
        for board in 0..count {
            let hands: Vec<usize> = (0..self.boards.hands(&board, 1 - player)).collect();
            walk_against((&self.boards, &board, player), &table, &hands, together, |mut log, _| {
                log.sort(&shards);
                sums.add(&shards, &[&log], Adding { factor, floor: false, clock: 1 });
            });
        }
        self.by_slot(&sums)
    }

    /// A table in the order of the infosets.
    fn by_slot(&self, table: &Floats) -> Vec<f64> {
        let mut found = vec![0.0; self.infosets.slots() as usize];
        self.infosets.for_each_row(&mut |slot, actions| {
            let place = self.boards.place(slot);
            for action in 0..actions {
                let at = place.first as usize + action * place.stride as usize;
                found[slot as usize + action] = f64::from(table.number(at));
            }
        });
        found
    }
}

/// Calls `f` with what each walk of a board logs against the opponent's `hands`, in groups of `together`, and the rows it
/// visited.
fn walk_against<G: BoardGame>(
    (game, board, player): (&G, &G::Board, usize),
    regrets: &Floats,
    hands: &[usize],
    together: usize,
    mut f: impl FnMut(Log, u64),
) {
    let (mut view, mut scratch) = (View::default(), Scratch::default());
    view.look(game, board, player);
    for group in hands.chunks(together) {
        view.rivals.resize_with(group.len(), Default::default);
        for (number, &hand) in group.iter().enumerate() {
            view.rival(game, board, player, number, hand);
        }
        let scene = Scene { game, board, player, view: &view, regrets };
        let (log, visits) = regrets_of(scene, &mut scratch, &mut deal_rng(5, 0));
        f(log, visits);
    }
}

/// What one walk logs, and the rows it visited.
fn regrets_of<G: BoardGame>(
    scene: Scene<'_, G, Floats>,
    scratch: &mut Scratch,
    rng: &mut Xoshiro256PlusPlus,
) -> (Log, u64) {
    let mut log = Log::default();
    let mut walk = Walk { scene, rng, scratch, log: &mut log, average: None, visits: 0, average_visits: 0 };
    walk.run();
    let visits = walk.visits;
    (log, visits)
}

/// All five streets of stud, of every variant, with the double bet.
fn studs() -> [StudTree; 3] {
    [
        ("stud_bench", HistoryDetail::Aggressor),
        ("stud_hilo8", HistoryDetail::Counts),
        ("razz", HistoryDetail::Counts),
    ]
    .map(|(rules, detail)| {
        let rules = Rules::named(rules).unwrap();
        let rules = rules.config().with("stack", "1000000").unwrap().check("test").unwrap();
        StudTree::new(rules, detail).unwrap()
    })
}

/// Which slots belong to rows of a player.
fn rows_of<G: EnumerableGame, I: Infosets<G>>(game: &G, infosets: &I, player: usize) -> Vec<bool> {
    let mut rows = vec![false; infosets.slots() as usize];
    game.for_each_deal(&mut |deal, _| {
        let view = infosets.view(game, deal);
        let mut open = vec![game.root(deal)];
        while let Some(node) = open.pop() {
            let doorcard_efg::Turn::Decide { player: mover, actions } = game.turn(&node, deal) else {
                continue;
            };
            if mover == player {
                rows[infosets.slot(&view, &node, player) as usize..][..actions].fill(true);
            }
            open.extend((0..actions).map(|action| game.act(&node, deal, action)));
        }
    });
    rows
}

/// With an opponent that never draws, the sum over all boards and hands is exact.
fn equals_the_full_tree<G, P, I>(game: &G, public: &P, infosets: &I, scale: f64)
where
    G: EnumerableGame,
    P: PublicGame,
    I: Infosets<G> + PublicInfosets<P>,
{
    Layout::new(infosets, 1).unwrap();
    for player in 0..2 {
        let pure = rows_of(game, infosets, 1 - player);
        for (seed, together) in [(1, 1), (2, 3), (3, 32)] {
            let case = Case::new(game, public, infosets, seed, Some(&pure));
            let (exact, _) = case.exact(player);
            let found = case.all_walks(player, together);
            let mut nonzero = 0;
            for (slot, (&exact, &found)) in exact.iter().zip(&found).enumerate() {
                assert!(
                    (exact - found).abs() < 1e-6 * scale,
                    "player {player} slot {slot}: {found}, not {exact}"
                );
                nonzero += usize::from(exact.abs() > 1e-9);
            }
            assert!(nonzero > 0 && (exact.len() < 1000 || nonzero > 100), "{nonzero} of {}", exact.len());
        }
    }
}

#[test]
fn kuhn_equals_the_full_tree() {
    let game = Kuhn::new(2);
    equals_the_full_tree(&game, &PublicKuhn::new(&game).unwrap(), &KuhnInfosets::new(&game), 1.0);
}

#[test]
fn leduc_equals_the_full_tree() {
    let game = Leduc::new();
    equals_the_full_tree(&game, &PublicLeduc::new(&game), &LeducInfosets::new(&game), 10.0);
}

/// Two rounds and three, private rivers, all variants, rows that merge cards and betting.
const MINI_STUDS: [(&str, HistoryDetail, &str); 5] = [
    ("mini_high", HistoryDetail::Full, "lossless"),
    ("mini_razz", HistoryDetail::Counts, "ranks"),
    ("mini_river", HistoryDetail::Aggressor, "lossless"),
    ("mini_hilo", HistoryDetail::Counts, "ranks"),
    ("mini_three", HistoryDetail::Counts, "ranks"),
];

#[test]
fn mini_stud_equals_the_full_tree() {
    for (rules, detail, labels) in MINI_STUDS {
        let game = StudTree::new(Rules::named(rules).unwrap(), detail).unwrap();
        let public = PublicStud::new(game).unwrap();
        let infosets = LabelInfosets::new(&public, CardLabels::named(labels).unwrap());
        equals_the_full_tree(public.game(), &public, &infosets, 1000.0);
    }
}

/// Buckets by ranks alone: few, and different on every street.
struct Ranks;

impl CardAbstraction for Ranks {
    fn public_buckets(&self, _: Street) -> usize {
        3
    }
    fn private_buckets(&self, street: Street) -> usize {
        5 + 4 * street.index()
    }
    fn public_bucket(&self, _: Street, own_up: &[Card], opponent_up: &[Card]) -> u16 {
        let rank = |cards: &[Card]| cards.last().map_or(0, |card| card.rank().index());
        ((rank(own_up) + 2 * rank(opponent_up)) % 3) as u16
    }
    fn private_bucket(&self, public: u16, situation: &Situation<'_>) -> u16 {
        let ranks: usize = situation.own_down.into_iter().map(|card| 3 * card.rank().index() + 1).sum();
        ((ranks + usize::from(public)) % self.private_buckets(situation.street)) as u16
    }
    fn board(&self, board: &BoardSituation<'_>, private: &mut [u16]) -> u16 {
        let BoardSituation { street, own_up, opponent_up, .. } = *board;
        let public = self.public_bucket(street, own_up, opponent_up);
        for (bucket, own_down) in private.iter_mut().zip(board.hidden.sets()) {
            let situation =
                Situation { street, own_down, river: None, own_up, opponent_up, dead: Default::default() };
            *bucket = self.private_bucket(public, &situation);
        }
        public
    }
    fn fingerprint(&self) -> u64 {
        0
    }
}

/// Walks one hand of the player against one of the opponent, who never draws: the slow and obvious twin.
struct Twin<'a, G: BoardGame> {
    game: &'a G,
    board: &'a G::Board,
    player: usize,
    hands: [usize; 2],
    share: f64,
    table: &'a Floats,
    found: &'a mut [f64],
}

impl<G: BoardGame> Twin<'_, G> {
    fn value(&mut self, entry: u32, node: usize) -> f64 {
        let at = self.game.entry(self.board, entry);
        let decision = &at.tree.nodes[node];
        let mover = decision.position ^ at.opener;
        let lanes = self.game.lanes(at.round);
        let bucket = usize::from(self.game.buckets(self.board, mover, at.round)[self.hands[mover]]);
        let first = self.game.block(self.board, entry, mover) as usize + decision.slot * lanes + bucket;
        let actions = decision.next.len();
        let mut row = [0.0; crate::MAX_ACTIONS];
        (0..actions).for_each(|action| row[action] = self.table.number(first + action * lanes));
        let strategy = matching(&row, actions);
        let mut values = [0.0; crate::MAX_ACTIONS];
        for (action, &step) in decision.next.iter().enumerate() {
            if mover != self.player && strategy[action] == 0.0 {
                continue;
            }
            values[action] = match step {
                RoundStep::Node(child) => self.value(entry, child),
                RoundStep::End(end) => match at.tree.ends[end] {
                    RoundEnd::Fold { position, wager } => {
                        let paid = at.paid + wager;
                        if position ^ at.opener == self.player { -paid } else { paid }
                    }
                    RoundEnd::Matched { wager } if at.round + 1 == self.game.rounds() => {
                        (at.paid + wager) * (2.0 * self.share - 1.0)
                    }
                    RoundEnd::Matched { .. } => {
                        let next = self.game.next_entry(self.board, entry, end);
                        self.value(next, 0)
                    }
                },
            };
        }
        let value: f64 = (0..actions).map(|action| f64::from(strategy[action]) * values[action]).sum();
        if mover == self.player {
            for (action, child) in values[..actions].iter().enumerate() {
                self.found[first + action * lanes] += child - value;
            }
        }
        value
    }
}

/// Fills the decisions of a board: the player's own strategy is mixed, the opponent's is not. Their public buckets may be
/// the same, and so may their blocks, but never a decision.
fn mix_against_pure<G: BoardGame>(
    boards: &G,
    board: &G::Board,
    game: &StudTree,
    player: usize,
    table: &mut Floats,
    rng: &mut Xoshiro256PlusPlus,
) {
    for entry in 0..game.tree().entries() {
        let at = boards.entry(board, entry);
        let lanes = boards.lanes(at.round);
        for node in &at.tree.nodes {
            let mover = node.position ^ at.opener;
            let first = boards.block(board, entry, mover) as usize + node.slot * lanes;
            for bucket in 0..lanes {
                let drawn = rng.random_range(0..node.next.len());
                for action in 0..node.next.len() {
                    let regret = match mover == player {
                        true => rng.random::<f32>() - 0.4,
                        false if action == drawn => 1.0,
                        false => -1.0,
                    };
                    table.as_mut_slice()[first + action * lanes + bucket] = regret;
                }
            }
        }
    }
}

/// All five streets of stud, of every variant, with the double bet: a walk finds what its twin finds.
#[test]
fn stud_walks_equal_walks_hand_by_hand() {
    for game in studs() {
        let boards = StudBoards::new(&game, Ranks);
        let mut rng = deal_rng(8, 1);
        let mut table = Floats::zeros(boards.table_len()).unwrap();
        let board = boards.draw(&mut rng);
        let mut view = View::default();
        for player in 0..2 {
            mix_against_pure(&boards, &board, &game, player, &mut table, &mut rng);
            view.look(&boards, &board, player);
            view.draw_rivals(&boards, &board, player, 3, &mut rng);
            let rivals: Vec<usize> = view.rivals.iter().map(|rival| rival.hand).collect();
            let mut logs = Vec::new();
            walk_against((&boards, &board, player), &table, &rivals, 3, |log, _| logs.push(log));
            let [log] = &mut logs[..] else { panic!("one group of hands, one walk") };
            let shards = Shards::new(&boards.cuts(), 16);
            log.sort(&shards);
            let mut sums = Floats::zeros(boards.table_len()).unwrap();
            sums.add(&shards, &[log], Adding { factor: 1.0, floor: false, clock: 1 });
            let mut found = vec![0.0; boards.table_len() as usize];
            let hands = boards.hands(&board, player);
            let (mut compatible, mut share) = (vec![0.0; hands], vec![0.0; hands]);
            for rival in rivals {
                boards.contest(&board, player, rival, &mut compatible, &mut share);
                for hand in (0..hands).filter(|&hand| compatible[hand] == 1.0) {
                    let mut hands = [hand; 2];
                    hands[1 - player] = rival;
                    let share = f64::from(share[hand]);
                    Twin {
                        game: &boards,
                        board: &board,
                        player,
                        hands,
                        share,
                        table: &table,
                        found: &mut found,
                    }
                    .value(boards.root(&board), 0);
                }
            }
            let largest = found.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            let mut differing = 0;
            for (at, (&twin, &mut walk)) in found.iter().zip(sums.as_mut_slice()).enumerate() {
                assert!(
                    (twin - f64::from(walk)).abs() < 1e-5 * largest,
                    "{at}: {walk}, not {twin} (of {largest})"
                );
                differing += usize::from(twin != 0.0);
            }
            assert!(differing > 500, "{differing}");
        }
    }
}

/// Against an opponent of mixed strategies, whose actions are drawn, regrets of drawn boards and hands are on average those
/// of the full tree, and come nearer to them with the number of boards: where chance brought a walk to a row often
/// enough for its variance to be known, `least` actions or more, each within five standard errors.
fn draws_average_to_the_full_tree<G, P, I>(game: &G, public: &P, infosets: &I, boards: u64, least: usize)
where
    G: EnumerableGame,
    P: PublicGame,
    I: Infosets<G> + PublicInfosets<P>,
{
    const HANDS: usize = 3;
    const KNOWN: u64 = 200;
    for player in 0..2 {
        let mut case = Case::new(game, public, infosets, 4, None);
        // Some actions never, the others not too seldom.
        case.regrets.iter_mut().filter(|regret| **regret > 0.0).for_each(|regret| *regret += 1.0);
        let (exact, _) = case.exact(player);
        let largest = exact.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let (regrets, shards) = (case.table(), Shards::new(&case.boards.cuts(), 1));
        let places = case.boards.table_len() as usize;
        let (mut sums, mut squares, mut hits) = (vec![0.0; places], vec![0.0; places], vec![0; places]);
        let (mut view, mut scratch) = (View::default(), Scratch::default());
        // The squared error of the actions compared, after a sixteenth of the boards and after all.
        let mut early = Vec::new();
        for number in 0..boards {
            let mut rng = deal_rng(9, number);
            let board = case.boards.draw(&mut rng);
            view.look(&case.boards, &board, player);
            view.draw_rivals(&case.boards, &board, player, HANDS, &mut rng);
            let scene = Scene { game: &case.boards, board: &board, player, view: &view, regrets: &regrets };
            let (mut log, _) = regrets_of(scene, &mut scratch, &mut rng);
            log.sort(&shards);
            let scale = case.boards.hands(&board, 1 - player) as f64 / (HANDS as f64 * case.boards.deals());
            for (first, numbers) in log.shard(0) {
                for (place, &regret) in (first as usize..).zip(numbers.as_flattened()) {
                    let regret = f64::from(regret) * scale;
                    sums[place] += regret;
                    squares[place] += regret * regret;
                    hits[place] += u64::from(regret != 0.0);
                }
            }
            if number + 1 == boards / 16 {
                early = sums.iter().map(|sum| sum / (boards / 16) as f64).collect();
            }
        }
        let (mut compared, mut errors) = (0, [0.0; 2]);
        infosets.for_each_row(&mut |slot, actions| {
            let row = case.boards.place(slot);
            for action in 0..actions {
                let place = (row.first + action as u64 * row.stride) as usize;
                if hits[place] < KNOWN {
                    continue;
                }
                let (exact, n) = (exact[slot as usize + action], boards as f64);
                let mean = sums[place] / n;
                let deviation = ((squares[place] / n - mean * mean) / n).sqrt();
                assert!(
                    (mean - exact).abs() < 5.0 * deviation + 1e-6 * largest,
                    "player {player} slot {slot}: {mean} +- {deviation}, not {exact}"
                );
                errors[0] += (early[place] - exact).powi(2);
                errors[1] += (mean - exact).powi(2);
                compared += 1;
            }
        });
        println!("player {player}: {compared} actions of {}, squared errors {errors:?}", exact.len());
        assert!(compared >= least, "{compared}");
        assert!(errors[1] < errors[0] / 4.0, "{errors:?}");
    }
}

#[test]
fn drawn_actions_are_unbiased() {
    let game = Leduc::new();
    draws_average_to_the_full_tree(&game, &PublicLeduc::new(&game), &LeducInfosets::new(&game), 8_000, 300);
    let game = StudTree::new(Rules::named("mini_three").unwrap(), HistoryDetail::Counts).unwrap();
    let public = PublicStud::new(game).unwrap();
    let infosets = LabelInfosets::new(&public, CardLabels::named("ranks").unwrap());
    draws_average_to_the_full_tree(public.game(), &public, &infosets, 40_000, 300);
}

/// Every hand of the opponent takes its actions as often as its strategy says, and hands that play alike share them out:
/// of any number of them hardly more or fewer take one than it is likely.
#[test]
fn opponents_act_by_their_strategies() {
    const DRAWS: u64 = 10_000;
    let game = StudTree::new(Rules::named("stud_bench").unwrap(), HistoryDetail::Counts).unwrap();
    let boards = StudBoards::new(&game, Ranks);
    let mut rng = deal_rng(12, 0);
    let mut table = Floats::zeros(boards.table_len()).unwrap();
    for regret in table.as_mut_slice() {
        *regret = rng.random::<f32>() - 0.3;
    }
    let board = boards.draw(&mut rng);
    let (player, entry) = (1, boards.root(&board));
    let at = boards.entry(&board, entry);
    let node = at.tree.nodes.iter().find(|node| node.position ^ at.opener != player && node.next.len() == 3);
    let node = node.expect("somebody folds, calls or raises");
    let mut view = View::default();
    view.look(&boards, &board, player);
    // One hand sixteen times, and sixteen others.
    let hands: Vec<usize> = [40; 16].into_iter().chain((0..16).map(|number| 50 * number)).collect();
    view.rivals.resize_with(hands.len(), Default::default);
    for (number, &hand) in hands.iter().enumerate() {
        view.rival(&boards, &board, player, number, hand);
    }
    let block = boards.block(&board, entry, 1 - player);
    let lanes = boards.lanes(0);
    let strategies: Vec<[f32; crate::MAX_ACTIONS]> = hands
        .iter()
        .map(|&hand| {
            let bucket = usize::from(boards.buckets(&board, 1 - player, 0)[hand]);
            let regret = |action| table.number(block as usize + (node.slot + action) * lanes + bucket);
            matching(&[regret(0), regret(1), regret(2), 0.0], 3)
        })
        .collect();
    assert!(strategies.iter().any(|strategy| strategy.iter().filter(|&&p| p > 0.0).count() >= 2));
    let mut counts = vec![[0u64; 3]; hands.len()];
    let mut walk = Walk {
        scene: Scene { game: &boards, board: &board, player, view: &view, regrets: &table },
        rng: &mut rng,
        scratch: &mut Scratch::default(),
        log: &mut Log::default(),
        average: None,
        visits: 0,
        average_visits: 0,
    };
    for _ in 0..DRAWS {
        let parts = walk.draw(block, node, 0, u32::MAX);
        assert_eq!(parts.iter().fold(0, |all, part| all ^ part), u32::MAX, "each hand takes one action");
        for (action, part) in parts[..3].iter().enumerate() {
            for (hand, counts) in counts.iter_mut().enumerate() {
                counts[action] += u64::from(part >> hand & 1);
            }
            let alike = f64::from((part & 0xffff).count_ones());
            assert!((alike - 16.0 * f64::from(strategies[0][action])).abs() < 2.0, "{alike} of 16");
        }
    }
    for (strategy, counts) in strategies.iter().zip(&counts) {
        for (&probability, &count) in strategy.iter().zip(counts) {
            let (probability, found) = (f64::from(probability), count as f64 / DRAWS as f64);
            let deviation = (probability * (1.0 - probability) / DRAWS as f64).sqrt();
            assert!((found - probability).abs() <= 4.0 * deviation, "{found}, not {probability}");
        }
    }
}

/// A walk visits the rows of its blocks, and numbers that pad a block are no rows: those of a street, of 5 to 21 buckets,
/// are padded to 8, 16 and 24.
#[test]
fn padding_is_not_visited() {
    let [game, ..] = studs();
    let boards = StudBoards::new(&game, Ranks);
    let rounds = 0..boards.rounds();
    assert_eq!(rounds.clone().map(|round| boards.lanes(round)).collect::<Vec<_>>(), [8, 16, 16, 24, 24]);
    let buckets: Vec<usize> = rounds.map(|round| boards.private_buckets(round)).collect();
    assert_eq!(buckets, [5, 9, 13, 17, 21]);
    let mut rounds = std::collections::HashMap::new();
    boards.for_each_block(&mut |first, round, _| {
        rounds.insert(first, round);
    });
    let board = boards.draw(&mut deal_rng(8, 1));
    let table = Floats::zeros(boards.table_len()).unwrap();
    let shards = Shards::new(&boards.cuts(), 1);
    let check = |mut log: Log, visits: u64| {
        log.sort(&shards);
        let mut by_round = [0; 5];
        log.shard(0).for_each(|(first, _)| by_round[rounds[&first]] += 1);
        assert!(by_round.iter().all(|&blocks| blocks > 0), "{by_round:?}");
        let rows: usize = by_round.iter().zip(&buckets).map(|(blocks, buckets)| blocks * buckets).sum();
        assert_eq!(visits, rows as u64);
    };
    for player in 0..2 {
        let mut drawn = 0;
        walk_against((&boards, &board, player), &table, &[3, 77, 500, 800], 4, |log, visits| {
            check(log, visits);
            drawn += 1;
        });
        assert_eq!(drawn, 1);
        let (log, visits) = public_chance::regrets_of(&boards, &board, player, &table);
        check(log, visits);
    }
}

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

const SETTINGS: [VectorSettings; 6] = [
    external(2, AverageFrom::OwnReach, Precision::Full),
    external(2, AverageFrom::Sampled, Precision::Full),
    external(3, AverageFrom::OwnReach, Precision::Half),
    external(3, AverageFrom::Sampled, Precision::Half),
    public_chance(Precision::Full),
    public_chance(Precision::Half),
];

const fn external(hands: usize, average: AverageFrom, precision: Precision) -> VectorSettings {
    let settings = ExternalSettings { hands, average, lines: 3 };
    VectorSettings { traversal: BoardTraversal::External(settings), precision }
}

const fn public_chance(precision: Precision) -> VectorSettings {
    VectorSettings { traversal: BoardTraversal::PublicChance, precision }
}

fn config(iterations: u64, threads: usize, vector: VectorSettings) -> TrainConfig {
    let vector = Some(vector);
    TrainConfig {
        iterations,
        batch: 8,
        threads,
        sampling: Sampling::Vector,
        vector,
        ..TrainConfig::default()
    }
}

/// A table of probabilities. Shape: `[slot]`.
struct Listed(Vec<f64>);

impl Policy for Listed {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        out.copy_from_slice(&self.0[slot as usize..][..out.len()]);
    }
}

/// Exploitability of the average strategy. Units: chips.
fn trained<P, I>(public: &P, infosets: &I, config: TrainConfig) -> f64
where
    P: PublicGame,
    I: PublicInfosets<P>,
{
    let boards = ListedBoards::new(public, infosets);
    let iterations = config.iterations;
    let mut trainer = BoardTrainer::new(&boards, infosets, Subject::default(), config).unwrap();
    while trainer.state().iterations < iterations {
        trainer.step();
    }
    let mut average = vec![0.0; infosets.slots() as usize];
    infosets.for_each_row(&mut |slot, actions| {
        let (_, row) = trainer.row(slot, actions);
        let total: f64 = row[..actions].iter().map(|&x| f64::from(x)).sum();
        for (action, &x) in row[..actions].iter().enumerate() {
            average[slot as usize + action] =
                if total > 0.0 { f64::from(x) / total } else { 1.0 / actions as f64 };
        }
    });
    doorcard_eval::public::exploitability(public, infosets, &Listed(average)).unwrap().exploitability
}

#[test]
fn small_games_are_solved() {
    let kuhn = Kuhn::new(2);
    let (public, infosets) = (PublicKuhn::new(&kuhn).unwrap(), KuhnInfosets::new(&kuhn));
    for vector in SETTINGS {
        let found = trained(&public, &infosets, config(40_000, 2, vector));
        assert!(found < 0.004, "kuhn, {vector:?}: {found}");
    }
    let leduc = Leduc::new();
    let (public, infosets) = (PublicLeduc::new(&leduc), LeducInfosets::new(&leduc));
    for vector in SETTINGS {
        for rule in [UpdateRule::Linear, UpdateRule::Vanilla] {
            let found = trained(&public, &infosets, TrainConfig { rule, ..config(100_000, 2, vector) });
            println!("leduc, {rule}, {vector:?}: {found}");
            // The six buckets of a row of Leduc share a power of two, though their regrets differ widely.
            let bound = if vector.precision == Precision::Full { 0.05 } else { 0.1 };
            assert!(found < bound, "leduc, {rule}, {vector:?}: {found}");
        }
    }
}

#[test]
fn a_mini_stud_is_solved() {
    let game = StudTree::new(Rules::named("mini_high").unwrap(), HistoryDetail::Full).unwrap();
    let public = PublicStud::new(game).unwrap();
    let infosets = LabelInfosets::new(&public, CardLabels::lossless());
    let found =
        [2_000, 20_000, 100_000].map(|boards| trained(&public, &infosets, config(boards, 2, SETTINGS[0])));
    println!("mini_high: {found:?} chips");
    assert!(found[1] < found[0] / 2.0 && found[2] < found[1] / 2.0, "{found:?}");
}

/// What a table's positive regrets add up to does not depend on how much of a board is drawn.
#[test]
fn regrets_have_one_scale() {
    let game = Leduc::new();
    let (public, infosets) = (PublicLeduc::new(&game), LeducInfosets::new(&game));
    let boards = ListedBoards::new(&public, &infosets);
    let [few, many, all] = [SETTINGS[0], external(4, AverageFrom::OwnReach, Precision::Full), SETTINGS[4]]
        .map(|vector| {
            let mut trainer =
                BoardTrainer::new(&boards, &infosets, Subject::default(), config(8, 1, vector)).unwrap();
            trainer.step();
            trainer.summary().positive_regret
        });
    assert!(many > all / 2.0 && many < all * 2.0, "{many}, not about {all}");
    assert!(few > all / 3.0 && few < all * 3.0, "{few}, not about {all}");
}

/// Tables do not depend on the number of threads, nor on being interrupted.
#[test]
fn results_repeat() {
    let game = Leduc::new();
    let (public, infosets) = (PublicLeduc::new(&game), LeducInfosets::new(&game));
    let boards = ListedBoards::new(&public, &infosets);
    let dir = tempfile::tempdir().unwrap();
    for vector in SETTINGS {
        let file = |name: &str| dir.path().join(name);
        let train = |threads, until, name: &str, from: Option<&str>| {
            let config = config(800, threads, vector);
            let subject = Subject::default();
            let mut trainer = match from {
                Some(from) => {
                    let checkpoint = Checkpoint::open(file(from)).unwrap();
                    BoardTrainer::resume(&boards, &infosets, subject, config, &checkpoint).unwrap()
                }
                None => BoardTrainer::new(&boards, &infosets, subject, config).unwrap(),
            };
            while trainer.state().iterations < until {
                trainer.step();
            }
            trainer.save(&file(name)).unwrap();
            let checkpoint = Checkpoint::open(file(name)).unwrap();
            let read = |name| {
                let numbers =
                    Numbers::read(checkpoint.container(), name, boards.table_len(), vector.precision)
                        .unwrap();
                (0..boards.table_len() as usize).map(|at| numbers.number(at).to_bits()).collect::<Vec<u32>>()
            };
            [read(crate::checkpoint::REGRET), read(crate::checkpoint::STRATEGY_SUM)]
        };
        let one = train(1, 800, "one", None);
        assert!(one.iter().all(|table| table.iter().any(|&bits| bits != 0)));
        assert_eq!(one, train(2, 800, "two", None), "{vector:?}");
        assert_eq!(one, train(3, 800, "three", None), "{vector:?}");
        train(2, 304, "part", None);
        assert_eq!(one, train(1, 800, "rest", Some("part")), "{vector:?}");
    }
}

/// The memory that is refused or granted before training is, to the byte, that of the tables and of the logs of batches.
#[test]
fn memory_is_what_was_predicted() {
    let [_, game, _] = studs();
    let boards = StudBoards::new(&game, Ranks);
    let infosets = StudInfosets::new(&game, Ranks);
    for vector in [SETTINGS[0], SETTINGS[3], SETTINGS[4], SETTINGS[5]] {
        let tables = predicted_table_bytes(&boards, &vector);
        let logs = predicted_log_bytes(&boards, &vector, 4);
        let train = |max_memory| {
            let config = TrainConfig { batch: 4, max_memory, ..config(8, 2, vector) };
            BoardTrainer::new(&boards, &infosets, Subject::default(), config)
        };
        let refused = train(tables + logs - 1).err().expect("a byte too few");
        assert!(matches!(refused, CfrError::Memory { needed, .. } if needed == tables + logs), "{refused}");
        let mut trainer = train(tables + logs).unwrap();
        assert_eq!((trainer.table_bytes(), trainer.log_bytes()), (tables, logs), "{vector:?}");
        let numbers = match vector.precision {
            Precision::Full => 2 * 4 * boards.table_len(),
            Precision::Half => 2 * 17 * boards.table_len() / 8,
        };
        assert_eq!(tables, numbers);
        // Two batches do not make them grow.
        trainer.step();
        trainer.step();
        assert!(trainer.last_updates() > 0);
        assert_eq!(trainer.log_bytes(), logs, "{vector:?}");
    }
}

/// With CFR+ a sum is cut off at zero after the batch, not between its logs, whose order must not matter.
#[test]
fn sums_are_cut_off_once_a_batch() {
    let shards = Shards::new(&[0, 8], 1);
    let log_of = |number: f32| {
        let mut log = Log::default();
        log.room(0, 1).copy_from_slice(&[[number, -number, 1.0, -1.0, 0.0, 2.0, -2.0, 0.5]]);
        log.sort(&shards);
        log
    };
    let (up, down) = (log_of(3.0), log_of(-5.0));
    let expected = [0.0, 2.0, 2.0, 0.0, 0.0, 4.0, 0.0, 1.0];
    let adding = Adding { factor: 1.0, floor: true, clock: 1 };
    for logs in [[&up, &down], [&down, &up]] {
        let mut floats = Floats::zeros(8).unwrap();
        floats.add(&shards, &logs, adding);
        let mut halves = Halves::zeros(8).unwrap();
        halves.add(&shards, &logs, adding);
        for (at, expected) in expected.into_iter().enumerate() {
            assert_eq!((floats.number(at), halves.number(at)), (expected, expected), "{at}");
        }
    }
}

/// Half precision keeps fifteen bits of the largest of a group and is right in the mean.
#[test]
fn halves_round_in_proportion() {
    let mut rng = deal_rng(3, 0);
    let numbers: Vec<f32> =
        (0..64).map(|_| (rng.random::<f32>() - 0.5) * 2f32.powi(rng.random_range(-9..9))).collect();
    let shards = Shards::new(&[0, 64], 4);
    let log_of = |numbers: &[f32]| {
        let mut log = Log::default();
        for (group, numbers) in numbers.chunks_exact(8).enumerate() {
            log.room(group as u64 * 8, 1).copy_from_slice(&[numbers.try_into().unwrap()]);
        }
        log.sort(&shards);
        log
    };
    let log = log_of(&numbers);
    let (mut sums, draws) = (vec![0.0f64; 64], 4_000);
    for clock in 1..=draws {
        let mut halves = Halves::zeros(64).unwrap();
        halves.add(&shards, &[&log], Adding { factor: 1.0, floor: false, clock });
        for (at, sum) in sums.iter_mut().enumerate() {
            let group = &numbers[at / 8 * 8..][..8];
            let largest = group.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            assert!((halves.number(at) - numbers[at]).abs() <= largest / 8192.0);
            *sum += f64::from(halves.number(at));
        }
    }
    for (at, sum) in sums.iter().enumerate() {
        let largest = numbers[at / 8 * 8..][..8].iter().fold(0.0f32, |most, x| most.max(x.abs()));
        let unit = f64::from(largest) / 8192.0;
        let error = (sum / draws as f64 - f64::from(numbers[at])).abs();
        assert!(error < unit * 2.0 / (draws as f64).sqrt(), "{at}: {error}, unit {unit}");
    }
    // Small addends are not lost: a million times 1e-6 is one, beside a thousand.
    let mut halves = Halves::zeros(64).unwrap();
    let mut first = vec![0.0; 64];
    first[0] = 1000.0;
    halves.add(&shards, &[&log_of(&first)], Adding { factor: 1.0, floor: false, clock: 1 });
    let mut small = vec![0.0; 64];
    small[1] = 1e-4;
    let log = log_of(&small);
    for clock in 2..100_002 {
        halves.add(&shards, &[&log], Adding { factor: 1.0, floor: false, clock });
    }
    assert_eq!(halves.number(0), 1000.0);
    assert!((halves.number(1) - 10.0).abs() < 3.0, "{}", halves.number(1));
}
