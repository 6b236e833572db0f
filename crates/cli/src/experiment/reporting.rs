//! The last step: `report.json`, `report.html` and, where there is a ladder, its tables.

use super::training::{Timing, nodes};
use super::{Experiment, LadderResults, Outcome, RunDir, Setup, write_whole};
use crate::chart::{self, ThirdStreetPolicy};
use crate::error::CliError;
use crate::game;
use doorcard_abstraction::{Abstraction, CardAbstraction, Situation, StudInfosets};
use doorcard_cfr::Strategy;
use doorcard_games::stud::Street;
use doorcard_games::stud::tree::Position;
use doorcard_report::{
    AbstractionSummary, GameSummary, MatchReport, RunReport, Sizes, StreetBuckets, TrainingSummary, html,
    ladder,
};
use std::fs;

/// Makes the report from what the other steps left, and writes what is not there already.
pub(crate) fn report(
    experiment: &Experiment,
    run: &RunDir,
    setup: &Setup,
    abstraction: &Abstraction,
    matches: &[MatchReport],
    ladder: LadderResults,
) -> Result<(RunReport, Outcome), CliError> {
    let strategy = Strategy::open(run.strategy())?;
    let infosets = setup.infosets(abstraction);
    let header = strategy.header();
    let judged = experiment.judged_in();
    let rules = &judged.rules;
    let timing = Timing::read(run);
    let length = |path: &std::path::Path| fs::metadata(path).map(|data| data.len()).unwrap_or(0);
    let report = RunReport {
        name: experiment.name.clone(),
        version: env!("CARGO_PKG_VERSION").into(),
        seed: experiment.seed,
        game: GameSummary {
            name: judged.name.clone(),
            description: description(experiment),
            players: 2,
            small_bet: rules.small_bet(),
        },
        abstraction: AbstractionSummary {
            name: experiment.abstraction_name.clone(),
            fingerprint: format!("{:016x}", abstraction.fingerprint()),
            history: game::word(experiment.history),
            streets: Street::ALL.map(|street| buckets(abstraction, street)).to_vec(),
        },
        training: TrainingSummary {
            solver: header.settings.solver(),
            unit: header.settings.sampling.unit().into(),
            weighting: header.settings.rule.name().into(),
            iterations: header.state.iterations,
            batch: header.settings.batch,
            nodes: nodes(&header.state),
            threads: timing.threads,
            seconds: timing.seconds,
        },
        sizes: Sizes {
            infosets: header.rows,
            slots: header.slots,
            table_bytes: setup.table_bytes(experiment, header.slots),
            abstraction_bytes: length(&run.abstraction()),
            strategy_bytes: length(&run.strategy()),
        },
        curve: run.read_metrics()?,
        matches: matches.iter().map(|report| report.table[0].clone()).collect(),
        ladder: ladder.rungs,
        exploitability: ladder.exploitability,
        third_street: Some(chart::third_street(
            &setup.game,
            &Trained { strategy: &strategy, infosets: &infosets },
        )),
        next: format!("play against it: `doorcard play {}`", run.strategy().display()),
    };
    let mut outcome = Outcome::Reused;
    let mut files = vec![(run.report_json(), report.to_json()), (run.report_html(), html::page(&report)?)];
    if !report.ladder.is_empty() {
        files.push((run.ladder_csv(), ladder::csv(&report)));
        files.push((run.ladder_tex(), ladder::latex(&report)));
    }
    for (path, contents) in files {
        if fs::read(&path).ok().as_deref() != Some(contents.as_bytes()) {
            write_whole(&path, contents.as_bytes())?;
            outcome = Outcome::Done;
        }
    }
    Ok((report, outcome))
}

/// The game in words.
fn description(experiment: &Experiment) -> String {
    let game = game::describe(&experiment.judged_in().rules, 2);
    match &experiment.evaluation.game {
        None => game,
        Some(_) => format!("{game}; trained for {}", experiment.game.name),
    }
}

fn buckets(abstraction: &Abstraction, street: Street) -> StreetBuckets {
    StreetBuckets {
        street: format!("{street:?}").to_lowercase(),
        public: abstraction.public_buckets(street),
        private: abstraction.private_buckets(street),
    }
}

/// A trained strategy on third street, as its player plays it.
struct Trained<'a> {
    strategy: &'a Strategy,
    infosets: &'a StudInfosets<'a, &'a Abstraction>,
}

impl ThirdStreetPolicy for Trained<'_> {
    fn probabilities(&self, position: Position, situation: &Situation<'_>, out: &mut [f64]) {
        let cards = self.infosets.cards();
        let publics = cards.public_mix(Street::Third, situation.own_up, situation.opponent_up);
        let hand = (publics, cards.private_bucket(publics.first(), situation));
        doorcard_bots::probabilities(self.strategy, self.infosets, Street::Third, hand, position, out);
    }
}
