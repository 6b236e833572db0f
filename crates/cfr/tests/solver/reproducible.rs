//! The same tables, byte for byte, for any number of threads, however often interrupted; and the same as by
//! the plainest loop.

use crate::common::{Small, kuhn, leduc, subject};
use doorcard_cfr::depth_first::{self, MOST_DEALS};
use doorcard_cfr::external::Traversal;
use doorcard_cfr::outcome::Trajectory;
use doorcard_cfr::sampling::{Frozen, Sink};
use doorcard_cfr::seed::deal_rng;
use doorcard_cfr::{
    AverageStrategy, CfrError, Checkpoint, Checkpoints, MAX_ACTIONS, Observer, Progress, Pruning, Real,
    Regrets, Row, Sampling, StopReason, TableSummary, TrainConfig, Trainer, UpdateRule, predicted_log_bytes,
};
use doorcard_efg::{Game, Infosets, Policy, Turn};
use doorcard_eval::exploitability::exploitability;
use doorcard_games::leduc::{Leduc, LeducDeal, LeducInfosets, LeducNode, LeducView};
use doorcard_games::stud::tree::{HistoryDetail, Position, StudDeal, StudTree};
use doorcard_games::stud::{Rules, Street};
use rand::Rng;
use std::sync::atomic::{AtomicBool, Ordering};

/// A batch that neither tasks nor shards divide evenly.
fn config(iterations: u64, threads: usize) -> TrainConfig {
    TrainConfig { iterations, batch: 203, seed: 42, threads, ..TrainConfig::default() }
}

fn run<G: Game, I: Infosets<G>, T: Real>(trainer: &mut Trainer<'_, G, I, T>) {
    assert_eq!(trainer.run(None, &AtomicBool::new(false), &mut ()).unwrap(), StopReason::Finished);
}

fn bits<T: Real>(numbers: &[T]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_f64().to_bits()).collect()
}

/// Records in the order they come.
struct Pending<T> {
    records: Vec<Record<T>>,
}

enum Record<T> {
    Regret(u64, Row<T>, usize),
    Average(u64, Row<T>, usize),
    Outcome(usize, T),
}

impl<T: Real> Sink<T> for Pending<T> {
    fn regret(&mut self, slot: u64, deltas: &Row<T>, actions: usize) {
        self.records.push(Record::Regret(slot, *deltas, actions));
    }

    fn average(&mut self, slot: u64, strategy: &Row<T>, actions: usize) {
        self.records.push(Record::Average(slot, *strategy, actions));
    }

    fn outcome(&mut self, slot: u64, action: usize, value: T) {
        self.records.push(Record::Outcome(slot as usize + action, value));
    }
}

/// Training without logs, shards or threads: every record is added in the order of deals when its batch is
/// over.
fn plainly<G: Game, I: Infosets<G>, T: Real>(
    small: &Small<G, I>,
    config: &TrainConfig,
    batches: u64,
) -> [Vec<T>; 3] {
    let Small { game, infosets } = small;
    let slots = infosets.slots() as usize;
    let mut tables = [(); 3].map(|()| vec![T::ZERO; slots + MAX_ACTIONS]);
    for clock in 1..=batches {
        let weights = config.rule.weights(clock);
        let mut pending = Pending { records: Vec::new() };
        let mut frozen = Frozen::new(game, infosets, Regrets::new(&tables[0]));
        frozen.baselines = config.baseline.map(|_| Regrets::new(&tables[2]));
        frozen.pruning = config.prune.map(|p| Pruning { below: p.below * weights.regret, ..p });
        for number in (clock - 1) * config.batch..clock * config.batch {
            let mut rng = deal_rng(config.seed, number);
            let deal = game.deal(&mut rng);
            let view = infosets.view(game, &deal);
            for traverser in 0..game.players() {
                match config.sampling {
                    Sampling::External if config.batch <= MOST_DEALS && config.prune.is_none() => {
                        depth_first::run(&frozen, &deal, &view, traverser, &mut rng, &mut pending);
                    }
                    Sampling::External => {
                        Traversal::new().run(&frozen, &deal, &view, traverser, &mut rng, &mut pending);
                    }
                    Sampling::Outcome => {
                        let mut trajectory = Trajectory::new(config.exploration);
                        trajectory.run(&frozen, &deal, &view, traverser, &mut rng, &mut pending);
                    }
                    Sampling::Vector => unreachable!("trains over boards"),
                }
            }
        }
        let mut add = |table: usize, slot: u64, row: Row<T>, actions: usize, weight: f64| {
            for (action, &value) in row.iter().enumerate().take(actions) {
                tables[table][slot as usize + action] += T::from_f64(weight) * value;
            }
        };
        let mut outcomes = Vec::new();
        for record in pending.records {
            match record {
                Record::Regret(slot, row, actions) => add(0, slot, row, actions, weights.regret),
                Record::Average(slot, row, actions) => add(1, slot, row, actions, weights.average),
                Record::Outcome(slot, value) => outcomes.push((slot, value)),
            }
        }
        for (slot, value) in outcomes {
            let baseline = &mut tables[2][slot];
            *baseline += T::from_f64(config.baseline.unwrap()) * (value - *baseline);
        }
    }
    tables.iter_mut().for_each(|table| table.truncate(slots));
    tables
}

#[test]
fn tables_do_not_depend_on_threads_and_equal_the_plain_loop() {
    fn check<G: Game, I: Infosets<G>, T: Real>(small: &Small<G, I>, settings: TrainConfig) {
        // The others are single tasks, without shards and perhaps depth first.
        for (batch, batches) in [(203, 25), (MOST_DEALS, 300), (1, 500)] {
            let config =
                |threads| TrainConfig { threads, batch, iterations: batch * batches, ..settings.clone() };
            let plain = plainly::<G, I, T>(small, &config(1), batches).map(|table| bits(&table));
            for threads in [1, 2, 4] {
                let mut trainer =
                    Trainer::<G, I, T>::new(&small.game, &small.infosets, subject("test"), config(threads))
                        .unwrap();
                run(&mut trainer);
                let table = trainer.table();
                assert!(bits(table.regret()) == plain[0], "regrets differ with {threads} threads");
                assert!(bits(table.strategy_sum()) == plain[1], "averages differ with {threads} threads");
                assert_eq!(table.baseline().is_some(), settings.baseline.is_some());
                if let Some(baseline) = table.baseline() {
                    assert!(bits(baseline) == plain[2], "baselines differ with {threads} threads");
                }
            }
        }
    }
    let linear = TrainConfig { seed: 42, ..TrainConfig::default() };
    let vanilla = TrainConfig { rule: UpdateRule::Vanilla, ..linear.clone() };
    let outcome = TrainConfig { sampling: Sampling::Outcome, ..linear.clone() };
    let baseline = TrainConfig { baseline: Some(0.1), ..outcome.clone() };
    let prune = Some(Pruning { below: 20.0, explore: 0.2 });
    check::<_, _, f32>(&leduc(), linear.clone());
    check::<_, _, f64>(&leduc(), vanilla);
    check::<_, _, f32>(&kuhn(3), linear.clone());
    check::<_, _, f32>(&leduc(), outcome.clone());
    check::<_, _, f64>(&kuhn(3), outcome);
    check::<_, _, f32>(&leduc(), baseline.clone());
    check::<_, _, f64>(&kuhn(3), baseline);
    check::<_, _, f32>(&leduc(), TrainConfig { prune, ..linear.clone() });
    check::<_, _, f64>(&kuhn(3), TrainConfig { prune: Some(Pruning { below: 1.0, explore: 0.5 }), ..linear });
}

#[test]
fn pruning_leaves_actions_out_and_learns_as_well() {
    let small = leduc();
    let train = |prune| {
        let mut trainer = small.trainer::<f32>(TrainConfig { prune, ..config(406_000, 1) });
        run(&mut trainer);
        let found = exploitability(&small.game, &small.infosets, &AverageStrategy(trainer.table())).unwrap();
        (trainer.state().regret_visits, found.exploitability)
    };
    let (visits, exploitability) = train(None);
    let (pruned_visits, pruned_exploitability) = train(Some(Pruning { below: 500.0, explore: 0.1 }));
    assert!(pruned_visits < visits * 9 / 10, "{pruned_visits} of {visits}");
    assert!(pruned_exploitability < 1.3 * exploitability, "{pruned_exploitability}, {exploitability}");
}

/// Leduc for another currency: utilities are 128 times as large.
struct Dear(Leduc);

impl Game for Dear {
    type Deal = LeducDeal;
    type Node = LeducNode;

    fn players(&self) -> usize {
        2
    }

    fn max_actions(&self) -> usize {
        self.0.max_actions()
    }

    fn deal<R: Rng + ?Sized>(&self, rng: &mut R) -> LeducDeal {
        self.0.deal(rng)
    }

    fn root(&self, deal: &LeducDeal) -> LeducNode {
        self.0.root(deal)
    }

    fn turn(&self, node: &LeducNode, deal: &LeducDeal) -> Turn {
        self.0.turn(node, deal)
    }

    fn act(&self, node: &LeducNode, deal: &LeducDeal, action: usize) -> LeducNode {
        self.0.act(node, deal, action)
    }

    fn utility(&self, node: &LeducNode, deal: &LeducDeal, player: usize) -> f64 {
        128.0 * self.0.utility(node, deal, player)
    }
}

struct DearInfosets(LeducInfosets, Leduc);

impl doorcard_efg::Rows for DearInfosets {
    fn rows(&self) -> u64 {
        self.0.rows()
    }

    fn slots(&self) -> u64 {
        self.0.slots()
    }

    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        self.0.for_each_row(f);
    }
}

impl Infosets<Dear> for DearInfosets {
    type View = LeducView;

    fn view(&self, _game: &Dear, deal: &LeducDeal) -> LeducView {
        self.0.view(&self.1, deal)
    }

    fn slot(&self, view: &LeducView, node: &LeducNode, player: usize) -> u64 {
        self.0.slot(view, node, player)
    }
}

#[test]
fn regrets_are_in_chips_and_strategies_do_not_depend_on_their_unit() {
    let (small, dear) = (leduc(), Dear(Leduc::new()));
    let dear_infosets = DearInfosets(LeducInfosets::new(&dear.0), dear.0.clone());
    let mut cheap = small.trainer::<f32>(config(203 * 20, 1));
    let mut trainer =
        Trainer::<_, _, f32>::new(&dear, &dear_infosets, subject("dear"), config(203 * 20, 1)).unwrap();
    run(&mut cheap);
    run(&mut trainer);
    // Multiplying by a power of two is exact.
    let scaled: Vec<f32> = cheap.table().regret().iter().map(|r| 128.0 * r).collect();
    assert!(bits(trainer.table().regret()) == bits(&scaled));
    assert!(bits(trainer.table().strategy_sum()) == bits(cheap.table().strategy_sum()));
    assert_eq!(trainer.summary().positive_regret, 128.0 * cheap.summary().positive_regret);
}

/// Stud for players who do not look at their cards: only the betting tells situations apart.
struct BlindStud<'a>(&'a StudTree);

impl BlindStud<'_> {
    fn base(&self, street: Street) -> u64 {
        self.0.tree().sizes()[..street.index()].iter().map(|size| size.slots).sum()
    }
}

impl doorcard_efg::Rows for BlindStud<'_> {
    fn rows(&self) -> u64 {
        self.0.tree().sizes().iter().map(|size| size.rows).sum()
    }

    fn slots(&self) -> u64 {
        self.0.tree().sizes().iter().map(|size| size.slots).sum()
    }

    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        for street in Street::ALL {
            let base = self.base(street);
            for &(slot, actions) in self.0.tree().rows(street) {
                f(base + u64::from(slot), usize::from(actions));
            }
        }
    }
}

impl Infosets<StudTree> for BlindStud<'_> {
    type View = ();

    fn view(&self, _game: &StudTree, _deal: &StudDeal) {}

    fn slot(&self, (): &(), node: &Position, _player: usize) -> u64 {
        let tree = self.0.tree();
        self.base(tree.street(*node)) + u64::from(tree.slot(*node))
    }
}

#[test]
fn stud_runs_through_the_same_code() {
    let game = StudTree::new(Rules::named("stud_bench").unwrap(), HistoryDetail::Aggressor).unwrap();
    let infosets = BlindStud(&game);
    let tables = [1, 2, 4].map(|threads| {
        let mut trainer =
            Trainer::<_, _, f32>::new(&game, &infosets, subject("stud"), config(203 * 4, threads)).unwrap();
        run(&mut trainer);
        assert!(trainer.state().regret_visits > 100 * 203 * 4, "{:?}", trainer.state());
        [bits(trainer.table().regret()), bits(trainer.table().strategy_sum())]
    });
    assert!(tables[0] == tables[1] && tables[0] == tables[2], "tables differ between 1, 2 and 4 threads");
}

#[test]
fn another_seed_gives_other_tables() {
    let small = leduc();
    let table = |seed| {
        let mut trainer = small.trainer::<f32>(TrainConfig { seed, ..config(203, 1) });
        run(&mut trainer);
        bits(trainer.table().regret())
    };
    assert_ne!(table(1), table(2));
}

#[test]
fn single_precision_learns_as_well_as_double() {
    let small = leduc();
    let (mut single, mut double) =
        (small.trainer::<f32>(config(406_000, 2)), small.trainer::<f64>(config(406_000, 2)));
    run(&mut single);
    run(&mut double);
    let measure = |policy: &dyn Policy| exploitability(&small.game, &small.infosets, policy).unwrap();
    let [single, double] =
        [measure(&AverageStrategy(single.table())), measure(&AverageStrategy(double.table()))];
    // Rounding makes the runs part ways early: they are two samples of the same noise.
    assert!(single.exploitability < 1.2 * double.exploitability, "{single:?} {double:?}");
    assert!((single.values[0] - double.values[0]).abs() < 0.01, "{single:?} {double:?}");
}

/// Raises the flag after some batches.
struct Stopper<'a> {
    after: u64,
    flag: &'a AtomicBool,
    checkpoints: u64,
}

impl Observer for Stopper<'_> {
    fn batch(&mut self, progress: &Progress, _summary: &dyn Fn() -> TableSummary) {
        if progress.state.clock >= self.after {
            self.flag.store(true, Ordering::Relaxed);
        }
    }

    fn checkpoint(&mut self, _progress: &Progress, path: &std::path::Path) {
        assert!(path.exists());
        self.checkpoints += 1;
    }
}

#[test]
fn resumed_runs_end_in_the_same_bytes() {
    resumed(TrainConfig::default());
}

#[test]
fn resumed_runs_with_baselines_end_in_the_same_bytes() {
    resumed(TrainConfig { sampling: Sampling::Outcome, baseline: Some(0.2), ..TrainConfig::default() });
}

#[test]
fn resumed_runs_with_pruning_end_in_the_same_bytes() {
    let prune = Some(Pruning { below: 20.0, explore: 0.2 });
    resumed(TrainConfig { prune, ..TrainConfig::default() });
}

fn resumed(settings: TrainConfig) {
    let small = leduc();
    let dir = tempfile::tempdir().unwrap();
    let config = |threads| TrainConfig {
        iterations: 203 * 40,
        batch: 203,
        threads,
        checkpoint_every: 2000,
        ..settings.clone()
    };
    let final_bytes =
        |checkpoints: &Checkpoints| std::fs::read(checkpoints.latest().unwrap().unwrap()).unwrap();

    let whole = Checkpoints::new(dir.path().join("whole"), 3).unwrap();
    let flag = AtomicBool::new(false);
    let mut trainer = small.trainer::<f32>(config(1));
    let mut observer = Stopper { after: u64::MAX, flag: &flag, checkpoints: 0 };
    assert_eq!(trainer.run(Some(&whole), &flag, &mut observer).unwrap(), StopReason::Finished);
    // Past 2,000, 4,000 and 6,000 iterations, and at the end, which is also past 8,000.
    assert_eq!(observer.checkpoints, 4);
    assert_eq!(whole.list().unwrap().iter().map(|(at, _)| *at).collect::<Vec<_>>(), [4060, 6090, 8120]);
    let expected = final_bytes(&whole);

    for threads in [1, 2] {
        let parts = Checkpoints::new(dir.path().join(format!("parts{threads}")), 2).unwrap();
        let mut stopped = 0;
        loop {
            let flag = AtomicBool::new(false);
            let mut observer = Stopper { after: stopped + 7, flag: &flag, checkpoints: 0 };
            let checkpoint = parts.latest().unwrap().map(|path| Checkpoint::open(path).unwrap());
            let mut trainer = match &checkpoint {
                None => small.trainer::<f32>(config(threads)),
                Some(checkpoint) => Trainer::resume(
                    &small.game,
                    &small.infosets,
                    subject("leduc"),
                    config(threads),
                    checkpoint,
                )
                .unwrap(),
            };
            let reason = trainer.run(Some(&parts), &flag, &mut observer).unwrap();
            stopped = trainer.state().clock;
            if reason == StopReason::Finished {
                break;
            }
            assert_eq!(reason, StopReason::Interrupted);
        }
        assert_eq!(stopped, 40);
        assert!(final_bytes(&parts) == expected, "{threads} threads: the resumed run ends in other bytes");
        assert!(parts.list().unwrap().len() <= 2);
    }
}

#[test]
fn a_finished_run_has_nothing_to_do() {
    let small = kuhn(2);
    let mut trainer = small.trainer::<f32>(config(203, 1));
    run(&mut trainer);
    let before = bits(trainer.table().regret());
    run(&mut trainer);
    assert_eq!(bits(trainer.table().regret()), before);
}

#[test]
fn a_run_ended_by_time_says_so() {
    let small = kuhn(2);
    let mut trainer = small.trainer::<f32>(TrainConfig { seconds: Some(0.0), ..config(203 * 2, 1) });
    let reason = trainer.run(None, &AtomicBool::new(false), &mut ()).unwrap();
    assert_eq!(reason, StopReason::OutOfTime);
    assert!(trainer.state().ended_by_time && trainer.state().iterations == 203);
}

#[test]
fn a_run_ended_by_time_and_resumed_ends_in_the_bytes_of_a_whole_one() {
    let small = leduc();
    let dir = tempfile::tempdir().unwrap();
    let checkpoints = |name: &str| Checkpoints::new(dir.path().join(name), 9).unwrap();
    let last = |checkpoints: &Checkpoints| checkpoints.latest().unwrap().unwrap();
    let whole = checkpoints("whole");
    let never = AtomicBool::new(false);
    small.trainer::<f32>(config(203 * 20, 1)).run(Some(&whole), &never, &mut ()).unwrap();

    let parts = checkpoints("parts");
    // Time is up after the second batch at the earliest, and long before the last one of a run without end.
    let endless = TrainConfig { seconds: Some(1e-9), ..config(203 * 20, 1) };
    let mut trainer = small.trainer::<f32>(endless.clone());
    trainer.step();
    assert_eq!(trainer.run(Some(&parts), &never, &mut ()).unwrap(), StopReason::OutOfTime);
    let ended = Checkpoint::open(last(&parts)).unwrap();
    assert_eq!((ended.header().state.iterations, ended.header().state.ended_by_time), (406, true));
    let unlimited = TrainConfig { seconds: None, ..endless };
    let mut trainer =
        Trainer::<_, _, f32>::resume(&small.game, &small.infosets, subject("leduc"), unlimited, &ended)
            .unwrap();
    assert_eq!(trainer.run(Some(&parts), &never, &mut ()).unwrap(), StopReason::Finished);
    assert!(std::fs::read(last(&parts)).unwrap() == std::fs::read(last(&whole)).unwrap());
}

/// Logs stay within what was forecast for all sizes of batches, also when players have just learned to raise at every
/// turn, and the forecast is not a wild one.
#[test]
fn logs_take_what_was_forecast() {
    fn check<G: Game, I: Infosets<G>, T: Real>(game: &G, infosets: &I, batch: u64, batches: u64) {
        let threads = 2;
        let forecast = predicted_log_bytes::<G, T>(game, Sampling::External, batch, threads);
        let config = TrainConfig { batch, threads, ..config(batch * batches, threads) };
        let mut trainer = Trainer::<_, _, T>::new(game, infosets, subject("test"), config).unwrap();
        run(&mut trainer);
        let taken = trainer.log_bytes();
        assert!(taken <= forecast, "batches of {batch}: {taken} bytes of logs, forecast {forecast}");
        assert!(forecast < 32 * taken, "batches of {batch}: {taken} bytes of logs, forecast {forecast}");
    }
    let stud = StudTree::new(Rules::named("stud_bench").unwrap(), HistoryDetail::Aggressor).unwrap();
    let blind = BlindStud(&stud);
    check::<_, _, f32>(&stud, &blind, 512, 12);
    check::<_, _, f64>(&stud, &blind, 64, 12);
    check::<_, _, f32>(&stud, &blind, 2000, 3);
    let small = leduc();
    check::<_, _, f32>(&small.game, &small.infosets, 50_000, 3);
    check::<_, _, f64>(&small.game, &small.infosets, 50_000, 3);
}

/// Whatever the forecast says, logs do not grow beyond the limit: the batch is given up and nothing has changed.
#[test]
fn logs_beyond_the_limit_are_an_error_and_change_nothing() {
    let small = Awakening { leduc: leduc(), asleep: AtomicBool::new(true) };
    let forecast = predicted_log_bytes::<_, f32>(&small, Sampling::External, 100_000, 2);
    let config = TrainConfig {
        batch: 100_000,
        max_memory: forecast + 17_504,
        threads: 2,
        iterations: 100_000,
        ..TrainConfig::default()
    };
    let infosets = &Rows(&small.leduc.infosets);
    let mut trainer = Trainer::<_, _, f32>::new(&small, infosets, subject("leduc"), config).unwrap();
    small.asleep.store(false, Ordering::Relaxed);
    let error = trainer.run(None, &AtomicBool::new(false), &mut ()).unwrap_err();
    assert!(matches!(error, CfrError::Logs { batch: 100_000, .. }), "{error}");
    assert!(trainer.log_bytes() < forecast, "logs are given back");
    assert_eq!(trainer.state(), &Default::default());
    assert!(trainer.table().regret().iter().chain(trainer.table().strategy_sum()).all(|&x| x == 0.0));
}

/// Leduc whose games are over before they begin, as long as it is asleep: forecasts are then far too low.
struct Awakening {
    leduc: Small<Leduc, LeducInfosets>,
    asleep: AtomicBool,
}

impl Game for Awakening {
    type Deal = <Leduc as Game>::Deal;
    type Node = <Leduc as Game>::Node;

    fn players(&self) -> usize {
        self.leduc.game.players()
    }

    fn max_actions(&self) -> usize {
        self.leduc.game.max_actions()
    }

    fn deal<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::Deal {
        self.leduc.game.deal(rng)
    }

    fn root(&self, deal: &Self::Deal) -> Self::Node {
        self.leduc.game.root(deal)
    }

    fn turn(&self, node: &Self::Node, deal: &Self::Deal) -> Turn {
        if self.asleep.load(Ordering::Relaxed) { Turn::Over } else { self.leduc.game.turn(node, deal) }
    }

    fn act(&self, node: &Self::Node, deal: &Self::Deal, action: usize) -> Self::Node {
        self.leduc.game.act(node, deal, action)
    }

    fn utility(&self, node: &Self::Node, deal: &Self::Deal, player: usize) -> f64 {
        self.leduc.game.utility(node, deal, player)
    }
}

/// Its infosets.
struct Rows<'a>(&'a LeducInfosets);

impl doorcard_efg::Rows for Rows<'_> {
    fn rows(&self) -> u64 {
        self.0.rows()
    }

    fn slots(&self) -> u64 {
        self.0.slots()
    }

    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        self.0.for_each_row(f);
    }
}

impl Infosets<Awakening> for Rows<'_> {
    type View = <LeducInfosets as Infosets<Leduc>>::View;

    fn view(&self, game: &Awakening, deal: &<Leduc as Game>::Deal) -> Self::View {
        self.0.view(&game.leduc.game, deal)
    }

    fn slot(&self, view: &Self::View, node: &<Leduc as Game>::Node, player: usize) -> u64 {
        self.0.slot(view, node, player)
    }
}

#[test]
fn visits_are_counted_apart() {
    let small = kuhn(2);
    let mut trainer = small.trainer::<f64>(config(2030, 1));
    run(&mut trainer);
    let state = *trainer.state();
    assert_eq!((state.iterations, state.clock), (2030, 10));
    // Player 0 as traverser: its root, and its answer if the sampled opponent bets after a pass; the opponent
    // is met after both of its actions. Player 1: one decision after the sampled action, the opponent once or
    // twice.
    assert!((2030 * 2..2030 * 3).contains(&state.regret_visits), "{state:?}");
    assert!((2030 * 3..2030 * 4).contains(&state.average_visits), "{state:?}");
    let summary = trainer.summary();
    assert_eq!((summary.regret_rows, summary.average_rows), (12, 12));
    assert!(summary.positive_regret > 0.0 && summary.positive_regret < 1.0, "{summary:?}");
}
