//! The configuration of an experiment: the file as written ([`Raw`]) and the same checked once ([`Experiment`]).

use super::against::Against;
use super::memory;
use crate::error::CliError;
use crate::exploit::exploiter::folder;
use crate::game::{self, NamedRules};
use crate::players;
use doorcard_abstraction::AbstractionConfig;
use doorcard_cfr::sampling::{Pruning, Sampling};
use doorcard_cfr::vector::{AverageFrom, BoardTraversal, ExternalSettings, Precision, VectorSettings};
use doorcard_cfr::{TrainConfig, UpdateRule};
use doorcard_efg::MOST_LANES;
use doorcard_games::stud::tree::HistoryDetail;
use doorcard_games::stud::{RulesConfig, Street, toml_fault};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The bots that evaluation plays against unless told otherwise.
const BOTS: [&str; 6] = ["uniform", "call", "raise", "fold", "rock", "equity"];
/// Boards in a batch of vector sampling unless told otherwise.
pub(crate) const VECTOR_BATCH: u64 = 32;
/// Boards in a batch of public chance sampling unless told otherwise: one visits as many rows as dozens of the above, and
/// takes as much memory.
const PUBLIC_CHANCE_BATCH: u64 = 4;
/// TOML's integers end here, and numbers must survive being written.
const MOST: u64 = i64::MAX as u64;
/// What sampled deals can be weighed by, as a configuration says it, and why by nothing else.
const WEIGHTINGS: &str = "\"vanilla\", \"linear\" or { power = { regret = 1.0, average = 2.0 } }: other rules change rows that \
    a sampled deal does not visit";
/// The same of boards.
const BOARD_WEIGHTINGS: &str = "\"vanilla\", \"linear\", \"cfr-plus\" or { power = { regret = 1.0, average = 2.0 } }: other rules \
    change rows that a drawn board does not visit";

/// A checked experiment. Every setting has a value; [`Experiment::to_toml`] spells them out.
#[derive(Clone, Debug)]
pub(crate) struct Experiment {
    pub(crate) name: String,
    /// The run directory.
    pub(crate) out: PathBuf,
    pub(crate) seed: u64,
    pub(crate) game: NamedRules,
    pub(crate) history: HistoryDetail,
    /// What the abstraction is called in the report.
    pub(crate) abstraction_name: String,
    pub(crate) abstraction: AbstractionConfig,
    pub(crate) training: Training,
    pub(crate) evaluation: Evaluation,
}

/// How the strategy is trained.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Training {
    pub(crate) solver: Solver,
    pub(crate) weighting: UpdateRule,
    /// Deals (vector sampling: boards), each traversed once for each player.
    pub(crate) iterations: u64,
    /// Deals or boards traversed against one frozen strategy.
    pub(crate) batch: u64,
    /// Outcome sampling: the probability of exploring.
    pub(crate) exploration: Option<f64>,
    /// Outcome sampling: the rate at which baselines learn; nothing without baselines.
    pub(crate) baseline: Option<f64>,
    /// External sampling: what is pruned; nothing without pruning.
    pub(crate) prune: Option<Pruning>,
    /// Vector and public chance sampling: what they depend on besides.
    pub(crate) vector: Option<VectorSettings>,
    /// Vector external sampling: the strategy that is to be exploited; nothing for play against itself.
    pub(crate) against: Option<Against>,
    /// Iterations between two checkpoints.
    pub(crate) checkpoint_every: u64,
    /// Checkpoints kept.
    pub(crate) keep: u64,
    /// Units: bytes.
    pub(crate) max_memory: u64,
    pub(crate) threads: Option<usize>,
}

/// How the trained strategy is judged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Evaluation {
    pub(crate) bots: Vec<String>,
    /// Decks against each bot, each played once from either seat.
    pub(crate) duplicates: u64,
    pub(crate) seed: u64,
    /// The game it is judged in, if not the one it is trained for: another double bet.
    pub(crate) game: Option<NamedRules>,
    /// How much it can lose to somebody who knows it is measured so; not at all if absent.
    pub(crate) ladder: Option<Ladder>,
}

/// The measures of what a strategy can lose, a rung each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ladder {
    /// Local best response: streets, 3 to 7, on which the responder begins to act.
    pub(crate) lbr: Vec<u8>,
    /// Hands of each local best response.
    pub(crate) hands: u64,
    /// Exploiters that are trained.
    pub(crate) exploiters: Vec<Exploiter>,
    /// Hands that each of them plays.
    pub(crate) exploiter_hands: u64,
    /// Points of training whose strategies are kept and measured by the first of `lbr`, the end among them.
    pub(crate) milestones: u32,
}

/// What an exploiter's abstraction is called that is the strategy's own.
pub(crate) const OWN: &str = "own";

/// An exploiter of a ladder.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exploiter {
    pub(crate) abstraction_name: String,
    pub(crate) abstraction: AbstractionConfig,
    /// Boards it is trained on.
    pub(crate) boards: u64,
}

impl Exploiter {
    /// Its abstraction as an experiment writes it.
    pub(crate) fn abstraction_table(&self) -> toml::Value {
        named_table(&self.abstraction.to_toml(), &self.abstraction_name)
    }
}

/// The solvers there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::enum_variant_names, reason = "what the literature calls them, and files")]
pub(crate) enum Solver {
    #[default]
    ExternalSampling,
    OutcomeSampling,
    VectorExternalSampling,
    PublicChanceSampling,
}

impl Solver {
    pub(crate) fn sampling(self) -> Sampling {
        match self {
            Solver::ExternalSampling => Sampling::External,
            Solver::OutcomeSampling => Sampling::Outcome,
            Solver::VectorExternalSampling | Solver::PublicChanceSampling => Sampling::Vector,
        }
    }
}

/// Whole numbers are read with their sign, so that one below zero is refused by name and range like any other.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    #[serde(default = "one")]
    seed: i64,
    #[serde(default)]
    history: HistoryDetail,
    game: toml::Value,
    abstraction: toml::Value,
    training: RawTraining,
    #[serde(default)]
    evaluation: RawEvaluation,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTraining {
    #[serde(default)]
    solver: Solver,
    weighting: Option<toml::Value>,
    iterations: i64,
    batch: Option<i64>,
    checkpoint_every: Option<i64>,
    #[serde(default = "two")]
    keep: i64,
    #[serde(default = "default_memory")]
    max_memory: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exploration: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hands: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average: Option<AverageFrom>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<Precision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prune: Option<Pruning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against_fingerprint: Option<String>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEvaluation {
    bots: Option<Vec<String>>,
    duplicates: Option<i64>,
    seed: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<toml::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ladder: Option<RawLadder>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLadder {
    lbr: Option<Vec<i64>>,
    hands: Option<i64>,
    exploiter_hands: Option<i64>,
    milestones: Option<i64>,
    #[serde(default)]
    exploiters: Vec<RawExploiter>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExploiter {
    boards: i64,
    abstraction: toml::Value,
}

fn one() -> i64 {
    1
}

fn two() -> i64 {
    2
}

fn default_memory() -> String {
    "4GiB".into()
}

impl Experiment {
    /// Reads an experiment's file, or the `config.toml` of a run directory. Paths in a file are relative to it; the
    /// run directory is relative to where the program runs.
    pub(crate) fn load(path: &Path) -> Result<Experiment, CliError> {
        let folder = path.is_dir();
        let file = if folder { path.join("config.toml") } else { path.to_path_buf() };
        let text = std::fs::read_to_string(&file).map_err(CliError::io(&file, "read"))?;
        let base = file.parent().unwrap_or(Path::new("."));
        let mut experiment = Experiment::from_toml(&text, &file.display().to_string(), base)?;
        if folder {
            experiment.out = path.to_path_buf();
        }
        Ok(experiment)
    }

    /// Reads an experiment; `origin` names it in errors.
    pub(crate) fn from_toml(text: &str, origin: &str, base: &Path) -> Result<Experiment, CliError> {
        let check = Check { origin, base };
        let raw: Raw = toml::from_str(text)
            .map_err(|error| CliError::Config { origin: origin.into(), message: toml_fault(text, &error) })?;
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if raw.name.is_empty() || !raw.name.chars().all(plain) || raw.name.starts_with('.') {
            return Err(check.fault("name", format!("'{}'", raw.name), "letters, digits, '_', '-' and '.'"));
        }
        let (abstraction_name, abstraction) = check.abstraction("abstraction", raw.abstraction)?;
        let training = check.training(raw.training)?;
        if training.vector.is_some() {
            check.vectors("abstraction", &abstraction)?;
        }
        let seed = check.number("seed", raw.seed, 0, MOST)?;
        Ok(Experiment {
            out: raw.out.unwrap_or_else(|| Path::new("runs").join(&raw.name)),
            name: raw.name,
            seed,
            history: raw.history,
            game: check.game("game", raw.game)?,
            evaluation: check.evaluation(raw.evaluation, seed, &abstraction)?,
            abstraction_name,
            abstraction,
            training,
        })
    }

    /// Everything that decides the results, spelled out: the run directory's `config.toml`.
    pub(crate) fn to_toml(&self) -> String {
        let training = &self.training;
        let ladder = |ladder: &Ladder| RawLadder {
            lbr: Some(ladder.lbr.iter().map(|&street| street.into()).collect()),
            hands: Some(ladder.hands as i64),
            exploiter_hands: Some(ladder.exploiter_hands as i64),
            milestones: Some(ladder.milestones.into()),
            exploiters: (ladder.exploiters.iter())
                .map(|exploiter| RawExploiter {
                    boards: exploiter.boards as i64,
                    abstraction: exploiter.abstraction_table(),
                })
                .collect(),
        };
        let external = match training.vector.map(|vector| vector.traversal) {
            Some(BoardTraversal::External(external)) => Some(external),
            _ => None,
        };
        let raw = Raw {
            name: self.name.clone(),
            out: None,
            seed: self.seed as i64,
            history: self.history,
            game: named_table(&self.game.rules.to_toml(), &self.game.name),
            abstraction: named_table(&self.abstraction.to_toml(), &self.abstraction_name),
            training: RawTraining {
                solver: training.solver,
                weighting: Some(toml::Value::try_from(training.weighting).expect("rules are TOML")),
                iterations: training.iterations as i64,
                batch: Some(training.batch as i64),
                checkpoint_every: Some(training.checkpoint_every as i64),
                keep: training.keep as i64,
                max_memory: memory::write(training.max_memory),
                threads: training.threads.map(|threads| threads as i64),
                exploration: training.exploration,
                baseline: training.baseline,
                hands: external.map(|external| external.hands as i64),
                average: external.map(|external| external.average),
                lines: (external.filter(|external| external.average == AverageFrom::OwnReach))
                    .map(|external| external.lines.into()),
                precision: training.vector.map(|vector| vector.precision),
                prune: training.prune,
                against: training.against.as_ref().map(|against| against.path.clone()),
                against_fingerprint: training.against.as_ref().map(|against| against.fingerprint.clone()),
            },
            evaluation: RawEvaluation {
                bots: Some(self.evaluation.bots.clone()),
                duplicates: Some(self.evaluation.duplicates as i64),
                seed: Some(self.evaluation.seed as i64),
                game: (self.evaluation.game.as_ref())
                    .map(|game| named_table(&game.rules.to_toml(), &game.name)),
                ladder: self.evaluation.ladder.as_ref().map(ladder),
            },
        };
        toml::to_string(&raw).expect("plain values can be written as TOML")
    }

    /// The game that the strategy is judged in.
    pub(crate) fn judged_in(&self) -> &NamedRules {
        self.evaluation.game.as_ref().unwrap_or(&self.game)
    }

    /// The iterations at which a strategy is kept to be measured, ascending: half of the whole, half of that and so on, in
    /// whole batches. The end, which is a milestone too, is not among them.
    pub(crate) fn milestones(&self) -> Vec<u64> {
        let Training { iterations, batch, .. } = self.training;
        let points = self.evaluation.ladder.as_ref().map_or(0, |ladder| ladder.milestones);
        let in_batches = |iterations: u64| iterations.div_ceil(batch).saturating_mul(batch);
        let mut milestones: Vec<u64> =
            (1..points).rev().map(|halvings| in_batches(iterations.div_ceil(1 << halvings))).collect();
        milestones.dedup();
        milestones.retain(|&milestone| milestone < iterations);
        milestones
    }

    /// The first setting, in the order of the file, in which the two differ and may not, with both values: the
    /// other's, then this one's.
    ///
    /// Settings that do not touch what is trained may differ; results that depend on them are made anew. This one may
    /// train for more iterations, for a longer training goes on from a shorter one and comes to the same bytes as if it
    /// had been begun so.
    pub(crate) fn difference(&self, other: &Experiment) -> Option<(String, String, String)> {
        let table = |experiment: &Experiment| -> toml::Table {
            experiment.to_toml().parse().expect("what was written as TOML can be read")
        };
        let longer = self.training.iterations > other.training.iterations;
        let free = |key: &str| {
            FREE.contains(&key) || key.starts_with("evaluation.") || (longer && key == "training.iterations")
        };
        difference(&table(self), &table(other), free)
    }
}

/// A library's TOML with a name.
pub(crate) fn named_table(text: &str, name: &str) -> toml::Value {
    let mut table: toml::Table = text.parse().expect("libraries write TOML that can be read");
    table.insert("name".into(), name.into());
    toml::Value::Table(table)
}

/// The first setting that two configurations do not share, unless it is `free`, by its dotted name, with both values:
/// theirs, then mine.
pub(crate) fn difference(
    mine: &toml::Table,
    theirs: &toml::Table,
    free: impl Fn(&str) -> bool,
) -> Option<(String, String, String)> {
    let flat = |table: &toml::Table| {
        let mut list = Vec::new();
        flatten("", &toml::Value::Table(table.clone()), &mut list);
        list
    };
    let (mine, theirs) = (flat(mine), flat(theirs));
    let find = |list: &[(String, String)], key: &str| {
        list.iter().find(|(k, _)| k == key).map_or_else(|| "absent".to_string(), |(_, value)| value.clone())
    };
    let keys = mine.iter().chain(&theirs).map(|(key, _)| key);
    keys.filter(|key| !free(key)).find_map(|key| {
        let (wanted, found) = (find(&mine, key), find(&theirs, key));
        (wanted != found).then(|| (key.clone(), found, wanted))
    })
}

/// Settings of training that may change between sessions of one run: they do not touch its results.
const FREE: [&str; 5] = [
    "training.threads",
    "training.max_memory",
    "training.keep",
    "training.checkpoint_every",
    "training.against",
];

fn flatten(prefix: &str, value: &toml::Value, into: &mut Vec<(String, String)>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                let dot = if prefix.is_empty() { "" } else { "." };
                flatten(&format!("{prefix}{dot}{key}"), value, into);
            }
        }
        value => into.push((prefix.into(), value.to_string())),
    }
}

/// Checks the parts of one file.
struct Check<'a> {
    origin: &'a str,
    base: &'a Path,
}

impl Check<'_> {
    fn fault(&self, field: &str, value: impl ToString, expected: &str) -> CliError {
        let message = format!("{field} = {}: expected {expected}", value.to_string());
        CliError::Config { origin: self.origin.into(), message }
    }

    /// Refuses more private buckets than vectors hold.
    fn vectors(&self, field: &str, abstraction: &AbstractionConfig) -> Result<(), CliError> {
        for street in Street::ALL {
            let (_, private) = abstraction.buckets(street);
            if private > MOST_LANES {
                let field = format!("{field}.{}.private", game::word(street));
                return Err(self.fault(
                    &field,
                    private,
                    &format!("at most {MOST_LANES} for a solver that walks boards"),
                ));
            }
        }
        Ok(())
    }

    fn number(&self, field: &str, value: i64, low: u64, high: u64) -> Result<u64, CliError> {
        match u64::try_from(value) {
            Ok(value) if (low..=high).contains(&value) => Ok(value),
            _ if high == MOST => Err(self.fault(field, value, &format!("at least {low}"))),
            _ => Err(self.fault(field, value, &format!("a number from {low} to {high}"))),
        }
    }

    /// How batches are weighed; `boards` tells whether they are of boards.
    fn weighting(&self, value: Option<toml::Value>, boards: bool) -> Result<UpdateRule, CliError> {
        const FIELD: &str = "training.weighting";
        let Some(value) = value else { return Ok(UpdateRule::Linear) };
        match value.clone().try_into() {
            Ok(UpdateRule::Power { regret, average }) => {
                let range = UpdateRule::POWERS;
                for (name, exponent) in [("regret", regret), ("average", average)] {
                    if !range.contains(&exponent) {
                        let expected = format!("an exponent from {} to {}", range.start(), range.end());
                        return Err(self.fault(&format!("{FIELD}.power.{name}"), exponent, &expected));
                    }
                }
                Ok(UpdateRule::Power { regret, average })
            }
            Ok(rule) if rule.grows() || boards && rule == UpdateRule::CfrPlus => Ok(rule),
            _ => Err(self.fault(FIELD, value, if boards { BOARD_WEIGHTINGS } else { WEIGHTINGS })),
        }
    }

    fn game(&self, field: &str, value: toml::Value) -> Result<NamedRules, CliError> {
        let origin = format!("{}: {field}", self.origin);
        match value {
            toml::Value::String(text) => game::load(&self.resolve(&text)),
            toml::Value::Table(mut table) => {
                let name = self.take_name(&mut table, &format!("{field}.name"))?;
                let config: RulesConfig = table.try_into().map_err(|error: toml::de::Error| {
                    CliError::Config { origin: origin.clone(), message: toml_fault("", &error) }
                })?;
                Ok(NamedRules { name, rules: config.check(&origin)? })
            }
            other => Err(self.fault(field, other, "a profile's name, a path, or a table of rules")),
        }
    }

    fn abstraction(&self, field: &str, value: toml::Value) -> Result<(String, AbstractionConfig), CliError> {
        match value {
            toml::Value::String(text) => {
                let path = self.resolve(&text);
                let path = Path::new(&path);
                if path.extension().is_some_and(|e| e == "toml") {
                    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    Ok((name, AbstractionConfig::load(path)?))
                } else {
                    Ok((text.replace('-', "_"), AbstractionConfig::named(&text)?))
                }
            }
            toml::Value::Table(mut table) => {
                let name = self.take_name(&mut table, &format!("{field}.name"))?;
                let origin = format!("{}: {field}", self.origin);
                Ok((name, AbstractionConfig::from_table(table, &origin)?))
            }
            other => Err(self.fault(field, other, "a shipped name, a path, or a table")),
        }
    }

    /// Paths are relative to the file; names are left alone.
    fn resolve(&self, text: &str) -> String {
        if text.ends_with(".toml") { self.base.join(text).display().to_string() } else { text.into() }
    }

    fn take_name(&self, table: &mut toml::Table, field: &str) -> Result<String, CliError> {
        match table.remove("name") {
            None => Ok("inline".into()),
            Some(toml::Value::String(name)) => Ok(name),
            Some(other) => Err(self.fault(field, other, "a string")),
        }
    }

    fn training(&self, raw: RawTraining) -> Result<Training, CliError> {
        let iterations = self.number("training.iterations", raw.iterations, 1, MOST)?;
        let every = raw.checkpoint_every.unwrap_or(iterations.div_ceil(10) as i64);
        let max_memory = memory::parse(&raw.max_memory).ok_or_else(|| {
            let value = format!("'{}'", raw.max_memory);
            self.fault("training.max_memory", value, "an amount such as '2GiB' or '512MiB'")
        })?;
        let threads = raw.threads.map(|n| self.number("training.threads", n, 1, 1024)).transpose()?;
        let vector = raw.solver == Solver::VectorExternalSampling;
        let public_chance = raw.solver == Solver::PublicChanceSampling;
        let weighting = self.weighting(raw.weighting, vector || public_chance)?;
        let outcome = raw.solver == Solver::OutcomeSampling;
        for (field, given, fits, solver) in [
            ("training.exploration", raw.exploration.is_some(), outcome, "outcome_sampling"),
            ("training.baseline", raw.baseline.is_some(), outcome, "outcome_sampling"),
            (
                "training.prune",
                raw.prune.is_some(),
                raw.solver == Solver::ExternalSampling,
                "external_sampling",
            ),
            ("training.hands", raw.hands.is_some(), vector, "vector_external_sampling"),
            ("training.average", raw.average.is_some(), vector, "vector_external_sampling"),
            ("training.lines", raw.lines.is_some(), vector, "vector_external_sampling"),
            ("training.against", raw.against.is_some(), vector, "vector_external_sampling"),
            (
                "training.against_fingerprint",
                raw.against_fingerprint.is_some(),
                raw.against.is_some(),
                "vector_external_sampling\" with the key \"against",
            ),
            (
                "training.precision",
                raw.precision.is_some(),
                vector || public_chance,
                "vector_external_sampling\" or \"public_chance_sampling",
            ),
        ] {
            if given && !fits {
                let message = format!("{field}: only solver = \"{solver}\" has use for it");
                return Err(CliError::Config { origin: self.origin.into(), message });
            }
        }
        let share = |field: &str, value: f64| match value {
            value if value > 0.0 && value <= 1.0 => Ok(value),
            value => Err(self.fault(field, value, "a number above 0, at most 1")),
        };
        let defaults = ExternalSettings::default();
        let hands = raw.hands.map(|hands| self.number("training.hands", hands, 1, 32)).transpose()?;
        let lines = raw.lines.map(|lines| self.number("training.lines", lines, 1, 1024)).transpose()?;
        if let (Some(lines), Some(AverageFrom::Sampled)) = (lines, raw.average) {
            let expected = "nothing where average = \"sampled\", which has no walk of its own";
            return Err(self.fault("training.lines", lines, expected));
        }
        let external = ExternalSettings {
            hands: hands.map_or(defaults.hands, |hands| hands as usize),
            average: raw.average.unwrap_or_default(),
            lines: lines.map_or(defaults.lines, |lines| lines as u32),
        };
        let precision = raw.precision.unwrap_or_default();
        let on_boards = |traversal| Some(VectorSettings { traversal, precision });
        let (settings, batch) = match raw.solver {
            Solver::VectorExternalSampling => (on_boards(BoardTraversal::External(external)), VECTOR_BATCH),
            Solver::PublicChanceSampling => (on_boards(BoardTraversal::PublicChance), PUBLIC_CHANCE_BATCH),
            Solver::ExternalSampling | Solver::OutcomeSampling => (None, TrainConfig::default().batch),
        };
        let against = match (raw.against, raw.against_fingerprint) {
            (None, _) => None,
            (Some(path), Some(fingerprint)) => Some(Against { path, fingerprint }),
            (Some(path), None) => Some(Against::open(&self.base.join(path))?),
        };
        if against.is_some() && precision == Precision::Half {
            return Err(self.fault(
                "training.precision",
                "half",
                "'full' where training is against a strategy",
            ));
        }
        let exploration = raw.exploration.or(outcome.then_some(TrainConfig::default().exploration));
        if let Some(Pruning { below, explore }) = raw.prune {
            if !(below >= 0.0 && below.is_finite()) {
                return Err(self.fault("training.prune.below", below, "a number of chips, at least 0"));
            }
            share("training.prune.explore", explore)?;
        }
        Ok(Training {
            solver: raw.solver,
            weighting,
            iterations,
            batch: self.number("training.batch", raw.batch.unwrap_or(batch as i64), 1, 1 << 24)?,
            exploration: exploration.map(|value| share("training.exploration", value)).transpose()?,
            baseline: raw.baseline.map(|value| share("training.baseline", value)).transpose()?,
            prune: raw.prune,
            vector: settings,
            against,
            checkpoint_every: self.number("training.checkpoint_every", every, 1, MOST)?,
            keep: self.number("training.keep", raw.keep, 1, 1000)?,
            max_memory,
            threads: threads.map(|n| n as usize),
        })
    }

    fn evaluation(
        &self,
        raw: RawEvaluation,
        seed: u64,
        own: &AbstractionConfig,
    ) -> Result<Evaluation, CliError> {
        let bots = raw.bots.unwrap_or_else(|| BOTS.map(String::from).to_vec());
        for (i, bot) in bots.iter().enumerate() {
            let field = format!("evaluation.bots[{i}]");
            if !players::is_baseline(bot) {
                return Err(self.fault(&field, format!("'{bot}'"), &players::baselines().join(", ")));
            }
            if bots[..i].contains(bot) {
                return Err(self.fault(&field, format!("'{bot}'"), "each bot once"));
            }
        }
        let game = raw.game.map(|game| self.game("evaluation.game", game)).transpose()?;
        let ladder = raw.ladder.map(|ladder| self.ladder(ladder, own)).transpose()?;
        if let (Some(_), Some(Ladder { milestones: 1.., .. })) = (&game, &ladder) {
            let expected = "0 where evaluation.game is another than the one trained for";
            return Err(self.fault("evaluation.ladder.milestones", "above 0", expected));
        }
        Ok(Evaluation {
            game,
            ladder,
            bots,
            duplicates: self.number(
                "evaluation.duplicates",
                raw.duplicates.unwrap_or(100_000),
                2,
                MOST / 16,
            )?,
            seed: raw.seed.map_or(Ok(seed), |seed| self.number("evaluation.seed", seed, 0, MOST))?,
        })
    }

    /// `own`: the abstraction of the strategy.
    fn ladder(&self, raw: RawLadder, own: &AbstractionConfig) -> Result<Ladder, CliError> {
        const EXPLOITERS: &str = "evaluation.ladder.exploiters";
        let mut lbr: Vec<u8> = Vec::new();
        for (i, street) in raw.lbr.unwrap_or_else(|| vec![5, 4]).into_iter().enumerate() {
            let field = format!("evaluation.ladder.lbr[{i}]");
            let number = self.number(&field, street, 3, 7)? as u8;
            if lbr.contains(&number) {
                return Err(self.fault(&field, street, "each street once"));
            }
            lbr.push(number);
        }
        let mut exploiters: Vec<Exploiter> = Vec::new();
        for (i, exploiter) in raw.exploiters.into_iter().enumerate() {
            let field = format!("{EXPLOITERS}[{i}].abstraction");
            let (abstraction_name, abstraction) = match exploiter.abstraction.as_str() {
                Some(OWN) => (OWN.into(), own.clone()),
                _ => self.abstraction(&field, exploiter.abstraction)?,
            };
            self.vectors(&field, &abstraction)?;
            let same = |other: &Exploiter| folder(&other.abstraction_name) == folder(&abstraction_name);
            if exploiters.iter().any(same) {
                return Err(self.fault(&field, format!("'{abstraction_name}'"), "each abstraction once"));
            }
            let boards = self.number(&format!("{EXPLOITERS}[{i}].boards"), exploiter.boards, 1, 1 << 40)?;
            exploiters.push(Exploiter { abstraction_name, abstraction, boards });
        }
        if lbr.is_empty() && exploiters.is_empty() {
            return Err(self.fault("evaluation.ladder.lbr", "[]", "a street, where there are no exploiters"));
        }
        let milestones = raw.milestones.unwrap_or(if lbr.is_empty() { 0 } else { 4 });
        let milestones = self.number("evaluation.ladder.milestones", milestones, 0, 32)? as u32;
        if lbr.is_empty() && milestones > 0 {
            let expected = "0 where evaluation.ladder.lbr, which measures them, is empty";
            return Err(self.fault("evaluation.ladder.milestones", milestones, expected));
        }
        let hands = |field: &str, value: Option<i64>, default: i64| {
            self.number(&format!("evaluation.ladder.{field}"), value.unwrap_or(default), 4, 1 << 40)
        };
        Ok(Ladder {
            lbr,
            hands: hands("hands", raw.hands, 100_000)?,
            exploiters,
            exploiter_hands: hands("exploiter_hands", raw.exploiter_hands, 20_000)?,
            milestones,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "name = \"test\"\nseed = 3\ngame = \"stud_bench\"\nabstraction = \"tiny\"\n\
        [training]\niterations = 5000\n";

    fn read(text: &str) -> Result<Experiment, CliError> {
        Experiment::from_toml(text, "x.toml", Path::new("."))
    }

    #[test]
    fn what_is_left_out_has_defaults() {
        let experiment = read(SMALL).unwrap();
        assert_eq!(experiment.out, Path::new("runs/test"));
        assert_eq!((experiment.training.checkpoint_every, experiment.training.keep), (500, 2));
        assert_eq!(experiment.training.max_memory, 4 << 30);
        assert_eq!(
            experiment.evaluation,
            Evaluation {
                bots: BOTS.map(String::from).to_vec(),
                duplicates: 100_000,
                seed: 3,
                game: None,
                ladder: None
            }
        );
    }

    #[test]
    fn an_experiment_survives_being_written() {
        let experiment = read(SMALL).unwrap();
        let again = read(&experiment.to_toml()).unwrap();
        assert_eq!(again.difference(&experiment), None);
        assert_eq!(again.to_toml(), experiment.to_toml());
        assert_eq!(again.game.name, "stud_bench");
        assert_eq!(again.abstraction_name, "tiny");
    }

    #[test]
    fn settings_of_sampling_are_spelled_out_and_compared() {
        let with = |lines: &str| read(&SMALL.replace("5000", &format!("5000\n{lines}"))).unwrap();
        let plain = read(SMALL).unwrap();
        assert!(!plain.to_toml().contains("exploration"), "{}", plain.to_toml());
        let outcome = with("solver = \"outcome_sampling\"\nbaseline = 0.1");
        let text = outcome.to_toml();
        assert!(text.contains("exploration = 0.6") && text.contains("baseline = 0.1"), "{text}");
        let pruned = with("prune = { below = 20000 }");
        let text = pruned.to_toml();
        assert!(text.contains("below = 20000.0") && text.contains("explore = 0.05"), "{text}");
        for (new, field) in [(&outcome, "training.solver"), (&pruned, "training.prune.below")] {
            assert_eq!(read(&new.to_toml()).unwrap().difference(new), None);
            assert_eq!(new.difference(&plain).unwrap().0, field);
        }
        let vector = with("solver = \"vector_external_sampling\"\nhands = 4\nprecision = \"half\"");
        let text = vector.to_toml();
        for line in ["batch = 32", "hands = 4", "average = \"own_reach\"", "lines = ", "precision = \"half\""]
        {
            assert!(text.contains(line), "{text}");
        }
        assert_eq!(read(&text).unwrap().training, vector.training);
        let power = with("weighting = { power = { regret = 1.0, average = 2.0 } }");
        assert_eq!(read(&power.to_toml()).unwrap().training, power.training);
        let public_chance = with("solver = \"public_chance_sampling\"\nweighting = \"cfr-plus\"");
        let text = public_chance.to_toml();
        assert!(text.contains("batch = 4") && !text.contains("hands") && !text.contains("average"), "{text}");
        assert_eq!(read(&text).unwrap().difference(&public_chance), None);
        assert_eq!(read(&text).unwrap().training, public_chance.training);
        let other = with("solver = \"outcome_sampling\"\nbaseline = 0.1\nexploration = 0.5");
        let (field, found, wanted) = other.difference(&outcome).unwrap();
        assert_eq!((&*field, &*found, &*wanted), ("training.exploration", "0.6", "0.5"));
    }

    #[test]
    fn differences_are_named_and_threads_are_none() {
        let old = read(SMALL).unwrap();
        let new = read(&SMALL.replace("5000", "4000")).unwrap();
        let (field, found, wanted) = new.difference(&old).unwrap();
        assert_eq!(
            (field.as_str(), found.as_str(), wanted.as_str()),
            ("training.iterations", "5000", "4000")
        );
        assert_eq!(old.difference(&new), None);
        let new = read(&SMALL.replace("stud_bench", "stud_bench_nodouble")).unwrap();
        assert_eq!(new.difference(&old).unwrap().0, "game.fourth_street_double_bet");
        for free in [
            "threads = 2\nmax_memory = \"1GiB\"\nkeep = 5\ncheckpoint_every = 10",
            "[evaluation]\nbots = [\"call\"]\nduplicates = 10\nseed = 12",
        ] {
            let free = read(&SMALL.replace("5000", &format!("5000\n{free}"))).unwrap();
            assert_eq!(free.difference(&old), None);
        }
    }

    #[test]
    fn a_ladder_has_defaults_and_survives_being_written() {
        let with = |lines: &str| read(&format!("{SMALL}[evaluation.ladder]\n{lines}")).unwrap();
        let ladder = |experiment: &Experiment| experiment.evaluation.ladder.clone().unwrap();
        let plain = with("");
        let (lbr, exploiters) = (vec![5, 4], vec![]);
        let expected = Ladder { lbr, hands: 100_000, exploiters, exploiter_hands: 20_000, milestones: 4 };
        assert_eq!(ladder(&plain), expected);
        let full = with(
            "lbr = [3]\nhands = 10\nexploiters = [{ abstraction = \"default-percentile\", boards = 64 }]\n\
             exploiter_hands = 20\nmilestones = 0",
        );
        let exploiter = &ladder(&full).exploiters[0];
        assert_eq!((&*exploiter.abstraction_name, exploiter.boards), ("default_percentile", 64));
        assert_eq!(exploiter.abstraction, AbstractionConfig::named("default_percentile").unwrap());
        for experiment in [&plain, &full] {
            let again = read(&experiment.to_toml()).unwrap();
            assert_eq!(again.evaluation, experiment.evaluation);
            assert_eq!(again.to_toml(), experiment.to_toml());
            // A run may be given another ladder, or none.
            assert_eq!(read(SMALL).unwrap().difference(experiment), None);
        }
        // Without local best response there is nothing to measure milestones by.
        let none = with("lbr = []\nexploiters = [{ abstraction = \"tiny\", boards = 64 }]");
        assert_eq!(ladder(&none).milestones, 0);
    }

    #[test]
    fn milestones_are_halves_of_halves_in_whole_batches() {
        let milestones = |iterations: u64, milestones: u32| {
            let training =
                format!("{iterations}\nbatch = 500\n[evaluation.ladder]\nmilestones = {milestones}");
            read(&SMALL.replace("5000", &training)).unwrap().milestones()
        };
        assert_eq!(milestones(5000, 4), [1000, 1500, 2500]);
        assert!(milestones(5000, 1).is_empty());
        assert!(milestones(5000, 0).is_empty());
        assert_eq!(milestones(1000, 32), [500]);
        assert!(milestones(400, 4).is_empty());
        assert!(read(SMALL).unwrap().milestones().is_empty());
    }

    #[test]
    fn more_buckets_than_a_vector_holds_are_refused_where_vectors_are_walked() {
        let with = |solver: &str| {
            let tiny = AbstractionConfig::named("tiny").unwrap().to_toml();
            let (keys, streets) = tiny.split_at(tiny.find('[').unwrap());
            let streets = streets.replace('[', "[abstraction.").replace("private = 8", "private = 136");
            let text =
                SMALL.replace("abstraction = \"tiny\"\n", "").replace("5000", &format!("5000\n{solver}"));
            read(&format!("{text}[abstraction]\n{keys}{streets}"))
        };
        assert!(with("").is_ok());
        for solver in ["vector_external_sampling", "public_chance_sampling"] {
            let message = with(&format!("solver = \"{solver}\"")).unwrap_err().to_string();
            assert!(message.contains("abstraction.third.private = 136: expected at most 128"), "{message}");
        }
    }

    #[test]
    fn faults_name_file_and_field() {
        for (from, to, parts) in [
            ("seed = 3", "sead = 3", &["x.toml: line 2", "sead", "seed"][..]),
            ("5000", "0", &["x.toml", "training.iterations = 0", "at least 1"]),
            ("5000", "5000\nkeep = 0", &["training.keep = 0"]),
            ("5000", "5000\nmax_memory = \"2GB\"", &["training.max_memory = '2GB'", "2GiB"]),
            (
                "5000",
                "5000\nsolver = \"magic\"",
                &["line 7", "magic", "external_sampling", "outcome_sampling"],
            ),
            ("5000", "5000\nweighting = \"cfr-plus\"", &["training.weighting = \"cfr-plus\"", "\"linear\""]),
            (
                "5000",
                "5000\nweighting = \"dcfr\"",
                &["training.weighting = \"dcfr\"", "\"vanilla\"", "power ="],
            ),
            (
                "5000",
                "5000\nsolver = \"vector_external_sampling\"\nweighting = \"pcfr-plus\"",
                &["training.weighting = \"pcfr-plus\"", "\"linear\"", "\"cfr-plus\""],
            ),
            ("5000", "5000\nweighting = \"lineal\"", &["training.weighting = \"lineal\"", "\"linear\""]),
            (
                "5000",
                "5000\nweighting = \"power\"",
                &["training.weighting = \"power\"", "regret = 1.0, average"],
            ),
            (
                "5000",
                "5000\nweighting = { power = { regret = 1 } }",
                &["training.weighting = { power = { regret = 1 } }", "regret = 1.0, average"],
            ),
            (
                "5000",
                "5000\nweighting = { power = { regret = 4.5, average = 1 } }",
                &["x.toml: training.weighting.power.regret = 4.5", "from 0 to 3"],
            ),
            (
                "5000",
                "5000\nweighting = { power = { regret = 1, average = nan } }",
                &["training.weighting.power.average = NaN", "from 0 to 3"],
            ),
            ("seed = 3", "seed = -3", &["x.toml: seed = -3", "at least 0"]),
            ("5000", "-1", &["training.iterations = -1", "at least 1"]),
            ("5000", "5000\nbatch = -1", &["training.batch = -1", "from 1 to 16777216"]),
            ("5000", "5000\nthreads = -1", &["training.threads = -1", "from 1 to 1024"]),
            (
                "5000",
                "5000\nsolver = \"vector_external_sampling\"\nhands = -1",
                &["x.toml: training.hands = -1", "from 1 to 32"],
            ),
            (
                "5000",
                "5000\nsolver = \"vector_external_sampling\"\nlines = 2000",
                &["x.toml: training.lines = 2000", "from 1 to 1024"],
            ),
            (
                "iterations = 5000",
                "solver = \"vector_external_sampling\"\naverage = \"sampled\"\nlines = 7\niterations = 5000",
                &["training.lines = 7", "sampled"],
            ),
            (
                "5000",
                "5000\nsolver = \"vector_external_sampling\"\naverage = \"own\"",
                &["x.toml: line 8, 'average = \"own\"'", "own_reach", "sampled"],
            ),
            (
                "5000",
                "5000\nsolver = \"vector_external_sampling\"\nprecision = \"halve\"",
                &["x.toml: line 8, 'precision = \"halve\"'", "full", "half"],
            ),
            ("5000", "5000\n[evaluation]\nduplicates = -2", &["evaluation.duplicates = -2", "from 2 to"]),
            ("5000", "5000\nexploration = 0.5", &["x.toml: training.exploration", "\"outcome_sampling\""]),
            ("5000", "5000\nbaseline = 0.1", &["x.toml: training.baseline", "\"outcome_sampling\""]),
            (
                "5000",
                "5000\nsolver = \"outcome_sampling\"\nprune = { below = 1000 }",
                &["x.toml: training.prune", "\"external_sampling\""],
            ),
            (
                "5000",
                "5000\nsolver = \"outcome_sampling\"\nexploration = 0",
                &["training.exploration = 0", "above 0"],
            ),
            (
                "5000",
                "5000\nsolver = \"outcome_sampling\"\nbaseline = 1.5",
                &["training.baseline = 1.5", "at most 1"],
            ),
            (
                "5000",
                "5000\nsolver = \"public_chance_sampling\"\nhands = 8",
                &["x.toml: training.hands", "only solver = \"vector_external_sampling\""],
            ),
            ("5000", "5000\nprune = { below = -1 }", &["training.prune.below = -1", "at least 0"]),
            ("5000", "5000\nprune = { below = 1, explore = 0 }", &["training.prune.explore = 0", "above 0"]),
            ("5000", "5000\nprune = { under = 1 }", &["line 7", "under", "below"]),
            (
                "5000",
                "5000\n[evaluation]\nbots = [\"call\", \"shark\"]",
                &["evaluation.bots[1] = 'shark'", "rock"],
            ),
            (
                "5000",
                "5000\n[evaluation]\nbots = [\"call\", \"call\"]",
                &["evaluation.bots[1] = 'call'", "once"],
            ),
            (
                "5000",
                "5000\n[evaluation.ladder]\nlbr = [5, 2]",
                &["x.toml: evaluation.ladder.lbr[1] = 2", "from 3 to 7"],
            ),
            ("5000", "5000\n[evaluation.ladder]\nlbr = [5, 5]", &["evaluation.ladder.lbr[1] = 5", "once"]),
            ("5000", "5000\n[evaluation.ladder]\nlbr = []", &["evaluation.ladder.lbr = []", "a street"]),
            ("5000", "5000\n[evaluation.ladder]\nhands = 3", &["evaluation.ladder.hands = 3", "from 4"]),
            (
                "5000",
                "5000\n[evaluation.ladder]\nexploiter_hands = -1",
                &["evaluation.ladder.exploiter_hands = -1"],
            ),
            (
                "5000",
                "5000\n[evaluation.ladder]\nmilestones = 33",
                &["evaluation.ladder.milestones = 33", "from 0 to 32"],
            ),
            (
                "5000",
                "5000\n[evaluation.ladder]\nlbr = []\nmilestones = 2\nexploiters = [{ abstraction = \"tiny\", boards = 9 }]",
                &["evaluation.ladder.milestones = 2", "expected 0"],
            ),
            (
                "5000",
                "5000\n[evaluation.ladder]\nexploiters = [{ abstraction = \"tiny\", boards = 0 }]",
                &["evaluation.ladder.exploiters[0].boards = 0", "from 1"],
            ),
            (
                "5000",
                "5000\n[evaluation.ladder]\nexploiters = [{ abstraction = \"tiny\", boards = 9 }, { abstraction = \"tiny\", boards = 8 }]",
                &["evaluation.ladder.exploiters[1].abstraction = 'tiny'", "once"],
            ),
            (
                "5000",
                "5000\n[evaluation.ladder]\nexploiters = [{ abstraction = 7, boards = 9 }]",
                &["evaluation.ladder.exploiters[0].abstraction = 7", "a shipped name"],
            ),
            ("5000", "5000\n[evaluation.ladder]\nrungs = 3", &["line 8", "rungs", "lbr"]),
            ("\"stud_bench\"", "\"holdem\"", &["holdem", "stud_bench"]),
            ("\"stud_bench\"", "7", &["game = 7", "a profile's name"]),
            ("\"stud_bench\"", "{ ante = 1, small_bet = 5 }", &["x.toml: game", "small_bet = 5"]),
            ("\"stud_bench\"", "{ ante = 1, blind = 5 }", &["x.toml: game", "blind"]),
            ("\"stud_bench\"", "{ ante = \"x\" }", &["x.toml: game", "ante"]),
            ("\"tiny\"", "\"huge\"", &["huge", "tiny"]),
            ("\"tiny\"", "{ sead = 1 }", &["x.toml: abstraction: unknown field", "sead"]),
            ("\"tiny\"", "{ family = \"kmeans\", seed = -1 }", &["x.toml: abstraction", "seed"]),
            ("\"tiny\"", "\"absent.toml\"", &["absent.toml"]),
            ("\"test\"", "\"a/b\"", &["name = 'a/b'"]),
        ] {
            let message = read(&SMALL.replace(from, to)).unwrap_err().to_string();
            assert!(!message.contains('\n'), "{message}");
            assert!(parts.iter().all(|part| message.contains(part)), "{to}: {message}");
        }
    }
}
