//! Vector sampling on small games against full-tree CFR, and on the real deck against walks hand by hand.

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

mod averages;
mod public_chance;
mod regrets;
mod training;

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

/// Two rounds and three, private rivers, all variants, rows that merge cards and betting.
const MINI_STUDS: [(&str, HistoryDetail, &str); 5] = [
    ("mini_high", HistoryDetail::Full, "lossless"),
    ("mini_razz", HistoryDetail::Counts, "ranks"),
    ("mini_river", HistoryDetail::Aggressor, "lossless"),
    ("mini_hilo", HistoryDetail::Counts, "ranks"),
    ("mini_three", HistoryDetail::Counts, "ranks"),
];

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
