//! The rungs: short forms of the checks of this project.

use doorcard_abstraction::{CardLabels, LabelInfosets};
use doorcard_cfr::exact::{Chance, ExactConfig, ExactSettings, Solver, Vector};
use doorcard_cfr::{Checkpoint, Subject, Table, TrainConfig, Trainer, UpdateRule};
use doorcard_efg::conformance::public_form_agrees;
use doorcard_efg::{EnumerableGame, Game, Infosets, Turn, UniformPolicy};
use doorcard_eval::exploitability::{expected_values, exploitability};
use doorcard_eval::public;
use doorcard_games::kuhn::{Kuhn, KuhnInfosets, PublicKuhn};
use doorcard_games::leduc::{Leduc, LeducInfosets, PublicLeduc};
use doorcard_games::stud::tree::{HistoryDetail, PublicStud, StudTree};
use doorcard_games::stud::{Rules, StudTable, TableInfosets};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Names and checks; a check panics if it does not hold.
pub(crate) const LADDER: [(&str, fn()); 7] = [
    ("both forms of a game agree", forms_agree),
    ("the tree pays as the engine does", tree_pays_as_engine),
    ("exploitabilities of uniform play are those on record", uniform_on_record),
    ("curves are OpenSpiel's", curves),
    ("sampled regrets are unbiased", || expectations(Estimate::Regret)),
    ("sampled averages are unbiased", || expectations(Estimate::Average)),
    ("a resumed run is an uninterrupted one", resumed),
];

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected} within {tolerance}");
}

fn mini(name: &str) -> PublicStud {
    let tree = StudTree::new(Rules::named(name).unwrap(), HistoryDetail::Full).unwrap();
    PublicStud::new(tree).unwrap()
}

fn forms_agree() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let kuhn = Kuhn::new(2);
    let infosets = KuhnInfosets::new(&kuhn);
    public_form_agrees(&kuhn, &infosets, &PublicKuhn::new(&kuhn).unwrap(), &infosets, &mut rng);
    let leduc = Leduc::new();
    let infosets = LeducInfosets::new(&leduc);
    public_form_agrees(&leduc, &infosets, &PublicLeduc::new(&leduc), &infosets, &mut rng);
    let stud = mini("mini_high");
    let infosets = LabelInfosets::new(&stud, CardLabels::lossless());
    public_form_agrees(stud.game(), &infosets, &stud, &infosets, &mut rng);
}

/// The engine settles pots in chips; the tree multiplies them by shares.
fn tree_pays_as_engine() {
    for name in ["mini_high", "mini_razz"] {
        let stud = mini(name);
        let infosets = LabelInfosets::new(&stud, CardLabels::lossless());
        let tree = expected_values(stud.game(), &infosets, &UniformPolicy).unwrap();
        let table = StudTable::with_players(stud.rules(), 2).unwrap();
        let infosets = TableInfosets::new(&table).unwrap();
        let engine = expected_values(&table, &infosets, &UniformPolicy).unwrap();
        close(tree[0], engine[0], 1e-9);
    }
}

/// Kuhn and Leduc by OpenSpiel 2.0.2; mini-stud by both forms of best response and the linear program of `doorcard-eval`.
fn uniform_on_record() {
    let kuhn = Kuhn::new(2);
    let found = exploitability(&kuhn, &KuhnInfosets::new(&kuhn), &UniformPolicy).unwrap();
    close(found.nash_conv, 11.0 / 12.0, 1e-12);
    let leduc = Leduc::new();
    let found = exploitability(&leduc, &LeducInfosets::new(&leduc), &UniformPolicy).unwrap();
    close(found.nash_conv, 4.7472222, 1e-7);
    for (name, nash_conv) in [("mini_high", 237.283951), ("mini_razz", 215.385802), ("mini_hilo", 214.130199)]
    {
        let stud = mini(name);
        let infosets = LabelInfosets::new(&stud, CardLabels::lossless());
        let found = public::exploitability(&stud, &infosets, &UniformPolicy).unwrap();
        close(found.nash_conv, nash_conv, 1e-6);
    }
}

/// OpenSpiel 2.0.2 after 10 iterations on Leduc: CFR, CFR+, Linear CFR, Discounted CFR.
fn curves() {
    let leduc = Leduc::new();
    let (game, infosets) = (PublicLeduc::new(&leduc), LeducInfosets::new(&leduc));
    for (rule, expected) in [
        (UpdateRule::Vanilla, 0.888578983),
        (UpdateRule::CfrPlus, 0.610438902),
        (UpdateRule::Linear, 0.721065156),
        (UpdateRule::DCFR, 0.778802047),
    ] {
        let settings = ExactSettings { rule, ..ExactSettings::default() };
        let config = ExactConfig { settings, ..ExactConfig::default() };
        let traversal = Vector::new(&game, &infosets, Chance::Enumerated);
        let mut solver = Solver::<_, f64>::new(traversal, Subject::default(), config).unwrap();
        (0..10).for_each(|_| solver.step());
        let found = public::exploitability(&game, &infosets, &solver.average()).unwrap();
        close(found.exploitability, expected, 1e-6);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Estimate {
    Regret,
    Average,
}

/// One batch of external sampling against uniform play on Kuhn: what it adds up, divided by its deals, against the
/// sums over all deals.
fn expectations(estimate: Estimate) {
    const DEALS: u64 = 60_000;
    let game = Kuhn::new(2);
    let infosets = KuhnInfosets::new(&game);
    let config = TrainConfig {
        iterations: DEALS,
        batch: DEALS,
        rule: UpdateRule::Vanilla,
        threads: 1,
        ..TrainConfig::default()
    };
    let mut trainer = Trainer::<_, _, f64>::new(&game, &infosets, Subject::default(), config).unwrap();
    trainer.step();
    let expected = Expected::of_uniform_play(&game, &infosets);
    // A deal adds at most 2 chips of regret, half of the utility's range, where two actions are played alike, and at most
    // 1 to an average: five standard errors are no more than this.
    let (found, expected, largest) = match estimate {
        Estimate::Regret => (trainer.table().regret(), expected.regret, 2.0),
        Estimate::Average => (trainer.table().strategy_sum(), expected.average, 1.0),
    };
    let tolerance = 5.0 * largest / (DEALS as f64).sqrt();
    for (&found, expected) in found.iter().zip(expected) {
        close(found / DEALS as f64, expected, tolerance);
    }
}

/// What a deal adds on average. Shape: `[slot]`.
struct Expected {
    regret: Vec<f64>,
    average: Vec<f64>,
}

/// Where a walk is: the deal's view, its probability, and each player's reach.
struct Walk<'a> {
    deal: &'a <Kuhn as Game>::Deal,
    view: <KuhnInfosets as Infosets<Kuhn>>::View,
    probability: f64,
}

impl Expected {
    fn of_uniform_play(game: &Kuhn, infosets: &KuhnInfosets) -> Expected {
        let slots = doorcard_efg::Rows::slots(infosets) as usize;
        let mut expected = Expected { regret: vec![0.0; slots], average: vec![0.0; slots] };
        game.for_each_deal(&mut |deal, probability| {
            let walk = Walk { deal, view: infosets.view(game, deal), probability };
            expected.walk(game, infosets, &walk, &game.root(deal), [1.0; 2]);
        });
        expected
    }

    /// Adds up what lies below a node; returns its value to each player.
    fn walk(
        &mut self,
        game: &Kuhn,
        infosets: &KuhnInfosets,
        walk: &Walk<'_>,
        node: &<Kuhn as Game>::Node,
        reach: [f64; 2],
    ) -> [f64; 2] {
        let Turn::Decide { player, actions } = game.turn(node, walk.deal) else {
            return [0, 1].map(|player| game.utility(node, walk.deal, player));
        };
        let share = 1.0 / actions as f64;
        let slot = infosets.slot(&walk.view, node, player) as usize;
        let values: Vec<[f64; 2]> = (0..actions)
            .map(|action| {
                let mut below = reach;
                below[player] *= share;
                self.walk(game, infosets, walk, &game.act(node, walk.deal, action), below)
            })
            .collect();
        let value = [0, 1].map(|p| values.iter().map(|value| share * value[p]).sum());
        for (action, values) in values.iter().enumerate() {
            let regret: f64 = values[player] - value[player];
            self.regret[slot + action] += walk.probability * reach[1 - player] * regret;
            self.average[slot + action] += walk.probability * reach[player] * share;
        }
        value
    }
}

fn resumed() {
    let game = Leduc::new();
    let infosets = LeducInfosets::new(&game);
    let config = TrainConfig { iterations: 256, batch: 64, seed: 7, threads: 1, ..TrainConfig::default() };
    let trainer = || Trainer::<_, _, f64>::new(&game, &infosets, Subject::default(), config.clone()).unwrap();
    let mut whole = trainer();
    (0..4).for_each(|_| whole.step());

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("half.ckpt");
    let mut first = trainer();
    (0..2).for_each(|_| first.step());
    first.save(&path).unwrap();
    let checkpoint = Checkpoint::open(&path).unwrap();
    let mut second =
        Trainer::<_, _, f64>::resume(&game, &infosets, Subject::default(), config, &checkpoint).unwrap();
    (0..2).for_each(|_| second.step());
    let tables = |table: &Table<f64>| (table.regret().to_vec(), table.strategy_sum().to_vec());
    assert_eq!(tables(whole.table()), tables(second.table()));
}
