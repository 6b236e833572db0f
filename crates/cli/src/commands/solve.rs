//! `doorcard solve`: small games, exactly.

use crate::error::CliError;
use crate::output::Context;
use crate::signal;
use crate::solve::{
    self, Algorithm, Budget, Choices, Form, Order, Point, Precision, Rule, SmallGame, SolveConfig, SolveDir,
    Solved, Stop, Units,
};
use doorcard_report::units;
use serde::Serialize;
use std::path::PathBuf;

/// Iterations if the command line gives no budget.
const ITERATIONS: u64 = 1_000;

/// Solve a small game and show the way to equilibrium
///
/// Games: kuhn, kuhn3 (to kuhn7), leduc, a shipped mini-stud profile such as mini_high, or a rules file with a small deck.
/// The exploitability is exact: what best responses, found by walking the whole game, gain over the average strategy. With
/// --out, checkpoints, the curve (JSON and TensorBoard) and the result are kept, and --resume goes on; a resumed solution
/// equals an uninterrupted one byte for byte.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  doorcard solve leduc --algorithm cfr-plus --iterations 1000
  doorcard solve mini_high --algorithm dcfr --until 0.01
  doorcard solve mini_high --cards QK --iterations 500        an abstraction, judged in the real game
  doorcard solve leduc --algorithm external --seconds 10
  doorcard solve kuhn3 --iterations 10000
  doorcard solve mini_three --seconds 300 --out runs/three    then again with --resume")]
pub(crate) struct Args {
    /// The game
    game: String,

    /// The solver
    #[arg(long, short, value_enum, default_value_t = Algorithm::Dcfr)]
    algorithm: Algorithm,

    /// Iterations to reach, over all sessions; for external and outcome, deals, rounded up to whole
    /// batches [default: 1000 without another budget]
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,

    /// Stop after this many seconds of solving: the number of iterations then depends on the machine
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seconds: Option<f64>,

    /// Stop at the first regular point of the curve, ten to the decade, with an exploitability not above this. Units: chips
    #[arg(long, value_name = "CHIPS", allow_negative_numbers = true)]
    until: Option<f64>,

    /// Weighting, where the algorithm leaves it open: cfr-br, public-chance, external, outcome
    #[arg(long, value_enum)]
    rule: Option<Rule>,

    /// Update all players against the strategies of the iteration before, not one after the other
    #[arg(long)]
    simultaneous: bool,

    /// The form of the game to walk [default: public for two players]
    #[arg(long, value_enum)]
    form: Option<Form>,

    /// What players see of a card, in mini-stud: `lossless`, `ranks`, or groups of ranks such as "9T JQ KA"
    #[arg(long, value_name = "LABELS", default_value = solve::LOSSLESS)]
    cards: String,

    /// The numbers of the tables
    #[arg(long, value_enum, default_value_t)]
    precision: Precision,

    /// Deals a batch, for external and outcome: more let several threads share it [default: 8]
    #[arg(long, value_name = "N")]
    batch: Option<u64>,

    /// The probability of exploring, for outcome [default: 0.6]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    exploration: Option<f64>,

    /// Learn baselines at this rate, which lowers the variance (VR-MCCFR), for outcome; 0.1 is a good rate
    #[arg(long, value_name = "RATE", allow_negative_numbers = true)]
    baseline: Option<f64>,

    /// Leave out most of the time actions whose regret is this far below zero, for external. Units: chips
    #[arg(long, value_name = "CHIPS", allow_negative_numbers = true)]
    prune: Option<f64>,

    /// The seed of all that is sampled
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The most memory that tables may take. Units: MiB
    #[arg(long, value_name = "MIB", default_value_t = 8192)]
    max_memory: u64,

    /// Where to keep checkpoints, curve and result
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Go on from the newest checkpoint in --out
    #[arg(long, requires = "out")]
    resume: bool,
}

/// What is printed under `--json` and kept as `result.json`.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    config: &'a SolveConfig,
    players: usize,
    threads: usize,
    infosets: u64,
    iterations: u64,
    /// Solving alone, all sessions. Units: seconds.
    seconds: f64,
    stopped: Stop,
    /// What the average strategies win for player 0 against each other. Units: chips a game.
    value: f64,
    /// Between these lies the value of the game to player 0: what best responses leave it, and what its own wins.
    value_bounds: Option<[f64; 2]>,
    values: &'a [f64],
    /// What each player wins by a best response.
    best_responses: &'a [f64],
    nash_conv: f64,
    /// Null for more than two players.
    exploitability: Option<f64>,
    exploitability_msb_per_hand: Option<f64>,
    abstract_exploitability: Option<f64>,
    average_regret_bound: Option<f64>,
    /// What kind of figure nash_conv and exploitability are.
    bound: &'static str,
    curve: &'a [Point],
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    for (option, value) in [("--seconds", args.seconds), ("--until", args.until)] {
        if let Some(value) = value
            && !(value > 0.0 && value.is_finite())
        {
            return Err(CliError::Usage(format!("{option} {value}: expected a number above 0")));
        }
    }
    let choices = Choices {
        algorithm: args.algorithm,
        rule: args.rule,
        simultaneous: args.simultaneous,
        form: args.form,
        batch: args.batch,
        exploration: args.exploration,
        baseline: args.baseline,
        prune: args.prune,
    };
    let (name, small) = SmallGame::load(&args.game, &args.cards)?;
    let config = SolveConfig::new(name, &small, choices, args.precision, args.seed)?;
    let budgeted = args.iterations.is_some() || args.seconds.is_some() || args.until.is_some();
    let budget = Budget {
        iterations: args.iterations.or((!budgeted).then_some(ITERATIONS)),
        seconds: args.seconds,
        until: args.until,
    };
    if args.until.is_some() && small.players() > 2 {
        let message =
            format!("--until: exploitability is of two players, and {} has {}", args.game, small.players());
        return Err(CliError::Usage(message));
    }
    let threads = rayon::current_num_threads();
    let order =
        Order { config: &config, budget, threads, max_memory: args.max_memory.saturating_mul(1 << 20) };
    let mut dir = args.out.as_deref().map(|out| SolveDir::open(out, &config, args.resume)).transpose()?;
    signal::install();
    let solved = small.solve(&order, dir.as_mut())?;
    let report = report(&config, &small, threads, &solved);
    let kept = dir.as_ref().map(|dir| dir.result(&report)).transpose()?;
    let units = small.units();
    context.result(&report, || {
        let mut text = format!(
            "{}: {}\n{}; {} infosets, {} thread{}\n\n{}\n",
            config.game,
            small.describe(),
            config.describe(),
            units::count(report.infosets),
            threads,
            if threads == 1 { "" } else { "s" },
            solve::table(&solved.session.points, units)
        );
        text.push_str(&explain(&report, units));
        if let Some(kept) = kept {
            text.push_str(&format!("written: {}\n", kept.display()));
        }
        text
    })?;
    match solved.session.stop {
        Stop::Interrupted if report.iterations == 0 => Err(CliError::Interrupted(
            "stopped before the first iteration; start with the same command".into(),
        )),
        Stop::Interrupted if args.out.is_some() => Err(CliError::Interrupted(format!(
            "stopped after {} iterations; a checkpoint is written. Go on with the same command and --resume",
            units::count(report.iterations)
        ))),
        Stop::Interrupted => {
            Err(CliError::Interrupted("stopped; nothing was kept, for want of --out".into()))
        }
        _ => Ok(()),
    }
}

fn report<'a>(config: &'a SolveConfig, game: &SmallGame, threads: usize, solved: &'a Solved) -> Report<'a> {
    let session = &solved.session;
    let last = session.points.last().expect("a session ends with a point");
    let real = &session.last;
    let players = game.players();
    Report {
        config,
        players,
        threads,
        infosets: solved.infosets,
        iterations: last.iteration,
        seconds: last.seconds,
        stopped: session.stop,
        value: real.values[0],
        value_bounds: (players == 2).then(|| [-real.best_responses[1], real.best_responses[0]]),
        values: &real.values,
        best_responses: &real.best_responses,
        nash_conv: real.nash_conv,
        exploitability: last.exploitability,
        exploitability_msb_per_hand: last.exploitability.and_then(|chips| game.units().msb(chips)),
        abstract_exploitability: last.abstract_exploitability,
        average_regret_bound: last.average_regret_bound,
        bound: "exact",
        curve: &session.points,
    }
}

/// What the figures mean, a line each.
fn explain(report: &Report<'_>, units: Units) -> String {
    let mut lines = Vec::new();
    if let Some([low, high]) = report.value_bounds {
        lines.push(format!("the game's value to player 0 lies between {low:+.9} and {high:+.9} chips"));
    }
    let msb = |chips: f64| {
        units.msb(chips).map_or_else(String::new, |msb| format!(" ({} msb/h)", solve::small(msb)))
    };
    match (report.exploitability, report.average_regret_bound) {
        (Some(exploitability), _) => lines.push(format!(
            "exploitability {} chips{}: exact, half of what best responses to both players gain in the real game",
            solve::small(exploitability),
            msb(exploitability)
        )),
        (None, bound) => {
            lines.push(format!(
                "nash_conv {} chips: exact, what best responses to all gain together; with {} players no theorem takes it to 0",
                solve::small(report.nash_conv),
                report.players
            ));
            lines.push(bound.map_or_else(
                || "average regret: not known, since regrets are sampled; cfr, cfr-plus, dcfr and linear bound it".into(),
                |bound| {
                    format!(
                        "average regret at most {} chips{}: an upper bound, which goes to 0",
                        solve::small(bound),
                        msb(bound)
                    )
                },
            ));
        }
    }
    if let Some(inside) = report.abstract_exploitability {
        lines.push(format!(
            "abstract exploitability {} chips{}: against responders who see no more than the abstraction, a lower bound \
             of the real one",
            solve::small(inside),
            msb(inside)
        ));
    }
    lines.push(
        match report.stopped {
            Stop::Seconds => "stopped by time: the number of iterations does not repeat",
            Stop::Until => "stopped at the exploitability asked for",
            Stop::Interrupted => "stopped by Ctrl-C",
            Stop::Iterations => "repeat it with the same command: same bytes for any number of threads",
        }
        .to_string(),
    );
    lines.iter().map(|line| format!("{line}\n")).collect()
}
