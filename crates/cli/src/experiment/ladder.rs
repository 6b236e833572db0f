//! The step after evaluation: what the trained strategy can lose to somebody who knows it.

use super::training::{is_milestone, seconds_at};
use super::{Experiment, OWN, Outcome, RunDir, judged_strategy, write_whole};
use crate::error::CliError;
use crate::exploit::exploiter::{self, exploit};
use crate::exploit::lbr::{self, Subject};
use crate::ledger::Sink;
use crate::output::to_json;
use doorcard_cfr::Strategy;
use doorcard_report::{Bound, MilestonePoint, Rung, units};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What was measured, for the report.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ladder {
    pub(crate) rungs: Vec<Rung>,
    /// The first rung of local best response along training, earlier strategies first.
    pub(crate) exploitability: Vec<MilestonePoint>,
}

impl Ladder {
    /// One line: the largest bound.
    pub(crate) fn describe(&self) -> String {
        match Rung::best(&self.rungs) {
            Some((rung, result)) => {
                let interval = units::interval(result.value_msb_per_hand, result.ci95);
                format!("loses at least {interval} msb/h, by {}", rung.what)
            }
            None => "no rung proves that it loses anything".into(),
        }
    }
}

/// What the file of a rung holds.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// What it was made from: a rung is measured anew unless all of this is still the same.
    made: Made,
    rung: Rung,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Made {
    /// Of the program.
    version: String,
    /// Of the strategy's file.
    fingerprint: String,
    settings: BTreeMap<String, Value>,
    seed: u64,
    hands: u64,
}

/// Measures the rungs that are not there yet and adds these to the ledger. Results come in the order of the configuration.
pub(crate) fn ladder(
    experiment: &Experiment,
    run: &RunDir,
    ledger: &mut Sink,
) -> Result<(Ladder, Outcome), CliError> {
    let Some(settings) = &experiment.evaluation.ladder else {
        return Ok((Ladder::default(), Outcome::Reused));
    };
    fs::create_dir_all(run.ladder()).map_err(CliError::io(&run.ladder(), "create"))?;
    let path = judged_strategy(experiment, run)?;
    let strategy = Strategy::open(&path)?;
    let mut climb = Climb { experiment, run, ledger, outcome: Outcome::Reused };
    let plan =
        |from_street| lbr::Plan { from_street, hands: settings.hands, seed: experiment.evaluation.seed };
    let mut ladder = Ladder::default();
    for &from_street in &settings.lbr {
        let name = format!("lbr_{from_street}.json");
        ladder.rungs.push(climb.lbr(&name, &path, &experiment.name, plan(from_street))?);
    }
    for exploiter in &settings.exploiters {
        let folder = exploiter::folder(&exploiter.abstraction_name);
        let plan = exploiter::Plan {
            out: run.ladder().join(&folder),
            abstraction: exploiter.abstraction_table(),
            boards: exploiter.boards,
            max_memory: Some(experiment.training.max_memory),
            hands: settings.exploiter_hands,
            seed: experiment.evaluation.seed,
        };
        ladder.rungs.push(climb.exploiter(
            &format!("{folder}.json"),
            &path,
            &exploiter.abstraction_name,
            &plan,
        )?);
    }
    let (Some(&from_street), true) = (settings.lbr.first(), settings.milestones > 0) else {
        return Ok((ladder, climb.outcome));
    };
    let header = strategy.header();
    for iteration in experiment.milestones() {
        let path = run.milestone(iteration);
        // Training may have gone past it before it was asked for.
        if !is_milestone(&path, &header.subject, &header.settings, iteration) {
            continue;
        }
        let file = format!("lbr_{from_street}_at_{iteration}.json");
        let name = format!("{} at {iteration}", experiment.name);
        let rung = climb.lbr(&file, &path, &name, plan(from_street))?;
        ladder.exploitability.extend(point(run, iteration, &rung));
    }
    ladder.exploitability.extend(point(run, header.state.iterations, &ladder.rungs[0]));
    Ok((ladder, climb.outcome))
}

/// A rung as a point along training, if it was measured.
fn point(run: &RunDir, iteration: u64, rung: &Rung) -> Option<MilestonePoint> {
    rung.result().map(|result| MilestonePoint {
        iteration,
        seconds: seconds_at(run.root(), iteration),
        what: rung.what.clone(),
        value_msb_per_hand: result.value_msb_per_hand,
        ci95: result.ci95,
        hands: rung.hands,
    })
}

/// The ladder while it is measured.
struct Climb<'a> {
    experiment: &'a Experiment,
    run: &'a RunDir,
    ledger: &'a mut Sink,
    outcome: Outcome,
}

impl Climb<'_> {
    /// Local best response to the strategy in a file, as a ledger names it.
    fn lbr(&mut self, file: &str, path: &Path, name: &str, plan: lbr::Plan) -> Result<Rung, CliError> {
        let settings = [("from_street".to_string(), Value::from(plan.from_street))].into();
        let made = made(path, settings, plan.seed, plan.hands)?;
        let file = self.run.ladder().join(file);
        let plural = if plan.from_street == 7 { "" } else { "s" };
        let rung = Rung {
            measure: "lbr".into(),
            name: format!("lbr {}", plan.streets()),
            what: format!("local best response, street{plural} {}", plan.streets()),
            bound: Bound::Lower,
            value_msb_per_hand: None,
            ci95: None,
            hands: plan.hands,
            note: None,
        };
        self.rung(file, made, rung, |ledger, config| {
            let mut subject = Subject::of_file(path, None)?;
            subject.name = name.into();
            let measured = subject.measure(plan, ledger.wants_observations(plan.hands))?;
            let mut entry = measured.entry;
            entry.players[0].config = Some(config);
            Ok((entry, measured.results.count == plan.hands))
        })
    }

    /// An exploiter that is trained against the strategy in a file.
    fn exploiter(
        &mut self,
        file: &str,
        path: &Path,
        abstraction: &str,
        plan: &exploiter::Plan,
    ) -> Result<Rung, CliError> {
        let settings = [
            ("abstraction".to_string(), Value::from(plan.abstraction.to_string())),
            ("boards".to_string(), Value::from(plan.boards)),
        ];
        let made = made(path, settings.into(), plan.seed, plan.hands)?;
        let file = self.run.ladder().join(file);
        let boards = units::count(plan.boards);
        let (measure, name, what) = match abstraction {
            OWN => ("abstract", "abstract".to_string(), format!("abstract best response, {boards} boards")),
            other => {
                ("exploiter", format!("exploiter {other}"), format!("exploiter, {other}, {boards} boards"))
            }
        };
        let rung = Rung {
            measure: measure.into(),
            name,
            what,
            bound: Bound::Lower,
            value_msb_per_hand: None,
            ci95: None,
            hands: plan.hands.next_multiple_of(2),
            note: None,
        };
        self.rung(file, made, rung, |_, _| {
            exploiter::remove_other(plan, path)?;
            let exploited = exploit(plan, path)?;
            Ok((exploited.entry, exploited.played.complete))
        })
    }

    /// The rung in a file, if it was made from the same. Any other is measured: `measure` tells the result as a ledger takes
    /// it, and whether all hands were played.
    fn rung(
        &mut self,
        file: PathBuf,
        made: Made,
        mut rung: Rung,
        measure: impl FnOnce(&Sink, String) -> Result<(doorcard_ledger::Entry, bool), CliError>,
    ) -> Result<Rung, CliError> {
        let kept = fs::read(&file).ok().and_then(|text| serde_json::from_slice::<Kept>(&text).ok());
        if let Some(kept) = kept
            && kept.made == made
        {
            return Ok(kept.rung);
        }
        match measure(self.ledger, self.experiment.to_toml()) {
            Ok((entry, true)) => {
                self.outcome = Outcome::Done;
                (rung.value_msb_per_hand, rung.ci95) = (Some(entry.value_msb_per_hand), Some(entry.ci95));
                // Before the file, which keeps the rung from being measured again.
                self.ledger.add(&[entry]);
                let kept = Kept { made, rung };
                write_whole(&file, to_json(&kept).as_bytes())?;
                Ok(kept.rung)
            }
            Ok((_, false)) => {
                let message = "stopped; the rungs measured so far are kept. Go on with the same command";
                Err(CliError::Interrupted(message.into()))
            }
            // Not kept: it costs nothing to be refused again.
            Err(error) => {
                let reason = refusal(error)?;
                rung.note = Some(format!("not measured: {reason}"));
                Ok(rung)
            }
        }
    }
}

/// What a strategy's rung is made from.
fn made(path: &Path, settings: BTreeMap<String, Value>, seed: u64, hands: u64) -> Result<Made, CliError> {
    let fingerprint = format!("{:016x}", Strategy::open(path)?.container().fingerprint());
    Ok(Made { version: env!("CARGO_PKG_VERSION").into(), fingerprint, settings, seed, hands })
}

/// Why a measure does not know a strategy or its game. Other errors stay errors.
fn refusal(error: CliError) -> Result<String, CliError> {
    match error {
        CliError::Mismatch { message, .. } => Ok(message),
        error @ (CliError::Usage(_) | CliError::Memory { .. } | CliError::Stud(_) | CliError::Tree(_)) => {
            Ok(error.to_string())
        }
        error => Err(error),
    }
}
