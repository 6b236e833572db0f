//! `doorcard bench`: what this machine does in a second.

mod scaling;

use crate::error::CliError;
use crate::output::Context;
use crate::players;
use doorcard_abstraction::{
    Abstraction, AbstractionConfig, BoardBuckets, CardAbstraction, Situation, StudBoards, StudInfosets,
};
use doorcard_bots::Agent;
use doorcard_cards::board::{self, Live, Values};
use doorcard_cards::rank7::{self, HandKey};
use doorcard_cards::{Card, CardSet, Deck};
use doorcard_cfr::sampling::Sampling;
use doorcard_cfr::vector::{BoardTrainer, BoardTraversal, ExternalSettings, VectorSettings};
use doorcard_cfr::{Subject, TrainConfig, Trainer};
use doorcard_efg::Rows;
use doorcard_eval::match_play::{self, MatchConfig};
use doorcard_games::stud::tree::{HistoryDetail, StudTree};
use doorcard_games::stud::{Rules, Street, StudTable};
use doorcard_report::table::{Align, plain};
use doorcard_report::units;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use scaling::{OnPaper, on_paper};
use serde::Serialize;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Measure the throughput of this machine
///
/// Takes about half a minute and 1 GiB of memory. Evaluations and look-ups run on one thread; hands and training run on all (or
/// --threads). Each figure is the median of seven slices of its time.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  doorcard bench
  doorcard bench --json --threads 1")]
pub(crate) struct Args {
    /// Seconds for each figure
    #[arg(long, default_value_t = 2.0, value_name = "S")]
    seconds: f64,
}

/// What `--json` prints. All figures are per second.
#[derive(Serialize)]
struct Report {
    /// Threads of `hands_per_s` and `es_nodes_per_s`; the others run on one.
    threads: usize,
    /// Seven-card high hands valued, from ready card sets in random order.
    eval7_per_s: f64,
    /// Hands valued when all three-card completions of a board of four are asked for at once.
    board_eval_per_s: f64,
    /// Heads-up limit hands that `uniform` plays against itself through the full rules engine.
    hands_per_s: f64,
    /// Decision nodes visited by external sampling.
    es_nodes_per_s: f64,
    /// Infosets of the table that external sampling ran on.
    es_infosets: u64,
    /// Boards walked by vector external sampling of stud with its default abstraction and settings.
    boards_per_s: f64,
    /// The same, times the opponent's hands that each player's walk of a board meets.
    board_hands_per_s: f64,
    /// The same with as many of these as there can be: fewer boards, and more hands in all.
    most_board_hands_per_s: f64,
    /// Regrets that vector external sampling updates: buckets times actions.
    regret_updates_per_s: f64,
    /// Infosets of the table that vector external sampling ran on.
    boards_infosets: u64,
    /// Boards whose buckets are found, of all hands on all streets: a part of each walk. One thread.
    board_buckets_per_s: f64,
    /// Single hands put into their bucket, as a strategy does at each decision.
    lookups_per_s: f64,
    /// What more threads would do for vector sampling, by the times of single boards: at most.
    on_paper: Vec<OnPaper>,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    if !(0.01..=600.0).contains(&args.seconds) {
        return Err(CliError::Usage(format!("--seconds {}: expected 0.01 to 600", args.seconds)));
    }
    let time = Duration::from_secs_f64(args.seconds);
    let threads = context.threads.unwrap_or_else(rayon::current_num_threads);
    let rules = Rules::named("stud_bench")?;
    let abstraction = Abstraction::build(&AbstractionConfig::named("quickstart")?, &rules, &mut |_, _| {});
    let (es_nodes_per_s, es_infosets) = external_sampling(time, rules, &abstraction, threads)?;
    let lookups_per_s = lookups(time, &abstraction);
    let abstraction = Abstraction::build(&AbstractionConfig::named("default")?, &rules, &mut |_, _| {});
    let game = StudTree::new(rules, HistoryDetail::Counts)?;
    let hands_of_each = ExternalSettings::default().hands;
    let vector = vector_sampling(time, &game, &abstraction, hands_of_each, threads)?;
    let most = vector_sampling(time, &game, &abstraction, MOST_HANDS, threads)?;
    let report = Report {
        threads,
        eval7_per_s: eval7(time),
        board_eval_per_s: board_eval(time),
        hands_per_s: hands(time, &rules)?,
        es_nodes_per_s,
        es_infosets,
        boards_per_s: vector.boards_per_s,
        board_hands_per_s: vector.boards_per_s * hands_of_each as f64,
        most_board_hands_per_s: most.boards_per_s * MOST_HANDS as f64,
        regret_updates_per_s: vector.updates_per_s,
        boards_infosets: vector.infosets,
        board_buckets_per_s: board_buckets(time, &abstraction),
        lookups_per_s,
        on_paper: on_paper(&board_times(&game, &abstraction)?),
    };
    context.result(&report, || report.text())
}

impl Report {
    fn text(&self) -> String {
        let columns = [("what", Align::Left), ("per second", Align::Right), ("threads", Align::Right)];
        let row = |what: &str, rate: f64, threads: usize| {
            vec![what.into(), units::short(rate), threads.to_string()]
        };
        let sampling =
            format!("external sampling, decision nodes ({} infosets)", units::short(self.es_infosets as f64));
        let vector = |unit: &str| {
            format!("vector sampling, {unit} ({} infosets)", units::short(self.boards_infosets as f64))
        };
        let rates = plain(
            &columns,
            vec![
                row("seven-card hands valued, random access", self.eval7_per_s, 1),
                row("hands valued, all completions of a board at once", self.board_eval_per_s, 1),
                row("hands played, uniform against uniform", self.hands_per_s, self.threads),
                row(&sampling, self.es_nodes_per_s, self.threads),
                row(&vector("boards"), self.boards_per_s, self.threads),
                row("the same, times hands of the opponent", self.board_hands_per_s, self.threads),
                row(
                    &format!("the same, {MOST_HANDS} hands on each board"),
                    self.most_board_hands_per_s,
                    self.threads,
                ),
                row("the same, regrets updated", self.regret_updates_per_s, self.threads),
                row("boards put into buckets, all hands and streets", self.board_buckets_per_s, 1),
                row("hands put into their bucket", self.lookups_per_s, 1),
            ],
        );
        let columns =
            [("threads", Align::Right), ("boards a batch", Align::Right), ("speed-up", Align::Right)];
        let row = |on_paper: &OnPaper| {
            let OnPaper { threads, batch, speed_up } = on_paper;
            vec![threads.to_string(), batch.to_string(), format!("{speed_up:.1}")]
        };
        let scaling = plain(&columns, self.on_paper.iter().map(row).collect());
        format!(
            "{rates}\nvector sampling on more threads, at most, from the times of single boards\n{scaling}"
        )
    }
}

/// Repeats a piece of work for about `time` and returns units of work per second: the median over slices of it, so
/// that a disturbance of one slice does not show.
fn rate(time: Duration, mut work: impl FnMut() -> u64) -> f64 {
    const SLICES: u32 = 7;
    work();
    let mut rates: Vec<f64> = (0..SLICES)
        .map(|_| {
            let start = Instant::now();
            let mut units = 0;
            while start.elapsed() < time / SLICES {
                units += work();
            }
            units as f64 / start.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

fn eval7(time: Duration) -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut deck = Deck::new();
    // A million hands: their values are scattered all over the tables.
    let hands: Vec<HandKey> =
        (0..1 << 20).map(|_| deck.deal(7, &mut rng).iter().copied().collect::<HandKey>()).collect();
    rate(time, || {
        black_box(hands.iter().map(|&hand| rank7::high(hand).index() as u64).sum::<u64>());
        hands.len() as u64
    })
}

fn board_eval(time: Duration) -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut deck = Deck::new();
    let boards: Vec<(CardSet, Live)> = (0..64)
        .map(|_| {
            let up = CardSet::from(deck.deal(8, &mut rng));
            let own: CardSet = up.into_iter().take(4).collect();
            (own, Live::new(up.complement()))
        })
        .collect();
    let mut values = Vec::new();
    rate(time, || {
        let mut count = 0;
        for (own, live) in &boards {
            board::triple_values(Values::High, *own, live, &mut values);
            count += black_box(&values).len() as u64;
        }
        count
    })
}

fn hands(time: Duration, rules: &Rules) -> Result<f64, CliError> {
    let table = StudTable::with_players(rules, 2)?;
    let uniform = players::load("uniform", &table)?;
    let agents: [&dyn Agent<StudTable>; 2] = [uniform.agent(), uniform.agent()];
    let mut seed = 0;
    let mut failure = None;
    let rate = rate(time, || {
        seed += 1;
        let config = MatchConfig { deals: 4096, seed, threads: None };
        match match_play::play(&table, &agents, &config, &mut ()) {
            Ok(result) => result.hands,
            Err(error) => {
                failure = Some(error);
                1
            }
        }
    });
    failure.map_or(Ok(rate), |error| Err(error.into()))
}

fn external_sampling(
    time: Duration,
    rules: Rules,
    abstraction: &Abstraction,
    threads: usize,
) -> Result<(f64, u64), CliError> {
    let game = StudTree::new(rules, HistoryDetail::Aggressor)?;
    let infosets = StudInfosets::new(&game, abstraction);
    let config = TrainConfig { threads, ..TrainConfig::default() };
    let mut trainer: Trainer<'_, _, _, f32> = Trainer::new(&game, &infosets, Subject::default(), config)?;
    let nodes =
        |trainer: &Trainer<'_, _, _, f32>| trainer.state().regret_visits + trainer.state().average_visits;
    let rate = rate(time, || {
        let before = nodes(&trainer);
        trainer.step();
        nodes(&trainer) - before
    });
    Ok((rate, infosets.rows()))
}

/// What vector sampling does.
struct VectorRates {
    boards_per_s: f64,
    updates_per_s: f64,
    infosets: u64,
}

/// The most hands of the opponent on a board that an experiment may ask for.
const MOST_HANDS: usize = 32;
/// Boards a batch, as experiments take them.
const BATCH: u64 = 32;
/// Batches before anything is measured: untrained play tries more than play does later.
const WARM_UP: u64 = 40;

type Walker<'a> = BoardTrainer<'a, StudBoards<'a, &'a Abstraction>, StudInfosets<'a, &'a Abstraction>>;

fn vector_config(hands: usize, batch: u64, threads: usize) -> TrainConfig {
    let traversal = BoardTraversal::External(ExternalSettings { hands, ..ExternalSettings::default() });
    let vector = Some(VectorSettings { traversal, ..VectorSettings::default() });
    TrainConfig { threads, batch, sampling: Sampling::Vector, vector, ..TrainConfig::default() }
}

fn vector_sampling(
    time: Duration,
    game: &StudTree,
    abstraction: &Abstraction,
    hands: usize,
    threads: usize,
) -> Result<VectorRates, CliError> {
    let (boards, infosets) = (StudBoards::new(game, abstraction), StudInfosets::new(game, abstraction));
    let config = vector_config(hands, BATCH, threads);
    let mut trainer: Walker<'_> = BoardTrainer::new(&boards, &infosets, Subject::default(), config)?;
    for _ in 0..WARM_UP {
        trainer.step();
    }
    let (mut batches, mut updates) = (0, 0);
    let boards_per_s = rate(time, || {
        trainer.step();
        batches += 1;
        updates += trainer.last_updates();
        BATCH
    });
    let updates_per_board = updates as f64 / (batches * BATCH) as f64;
    Ok(VectorRates {
        boards_per_s,
        updates_per_s: boards_per_s * updates_per_board,
        infosets: infosets.rows(),
    })
}

/// What single boards take, one after the other on one thread. Units: seconds.
fn board_times(game: &StudTree, abstraction: &Abstraction) -> Result<Vec<f64>, CliError> {
    /// Two of the largest batches.
    const BOARDS: usize = 1024;
    let (boards, infosets) = (StudBoards::new(game, abstraction), StudInfosets::new(game, abstraction));
    let config = vector_config(ExternalSettings::default().hands, 1, 1);
    let mut trainer: Walker<'_> = BoardTrainer::new(&boards, &infosets, Subject::default(), config)?;
    for _ in 0..WARM_UP * BATCH {
        trainer.step();
    }
    let time = || {
        let start = Instant::now();
        trainer.step();
        start.elapsed().as_secs_f64()
    };
    Ok(std::iter::repeat_with(time).take(BOARDS).collect())
}

fn board_buckets(time: Duration, abstraction: &Abstraction) -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut deck = Deck::new();
    let boards: Vec<Vec<Card>> = (0..64).map(|_| deck.deal(10, &mut rng).to_vec()).collect();
    let mut buckets = BoardBuckets::default();
    rate(time, || {
        for cards in &boards {
            let up = [[cards[0], cards[1], cards[2], cards[3]], [cards[4], cards[5], cards[6], cards[7]]];
            abstraction.sampled_board(&up, &[cards[8], cards[9]], &mut buckets);
            black_box(&mut buckets);
        }
        boards.len() as u64
    })
}

fn lookups(time: Duration, abstraction: &Abstraction) -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut deck = Deck::new();
    let hands: Vec<(Street, Vec<Card>)> =
        (0..1000).map(|i| (Street::ALL[i % 5], deck.deal(11, &mut rng).to_vec())).collect();
    rate(time, || {
        for (street, cards) in &hands {
            let shown = street.up_cards();
            let (own_up, opponent_up) = (&cards[..shown], &cards[4..4 + shown]);
            let hidden = if *street == Street::Seventh { 3 } else { 2 };
            let own_down = CardSet::from(&cards[8..8 + hidden]);
            let public = abstraction.public_bucket(*street, own_up, opponent_up);
            let (river, dead) = ((hidden == 3).then_some(cards[10]), CardSet::EMPTY);
            let situation = Situation { street: *street, own_down, river, own_up, opponent_up, dead };
            black_box(abstraction.private_bucket(public, &situation));
        }
        hands.len() as u64
    })
}
