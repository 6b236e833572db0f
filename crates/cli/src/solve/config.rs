//! What is solved and how: what the result depends on, kept beside it.

use super::SmallGame;
use crate::error::CliError;
use clap::ValueEnum;
use doorcard_cfr::UpdateRule;
use doorcard_cfr::exact::Updates;
use doorcard_cfr::sampling::Pruning;
use serde::{Deserialize, Serialize};

/// A solver by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Algorithm {
    /// Counterfactual regret minimisation (Zinkevich et al. 2007)
    Cfr,
    /// CFR+ (Tammelin 2014)
    CfrPlus,
    /// Linear CFR (Brown and Sandholm 2019)
    Linear,
    /// Discounted CFR with exponents 1.5, 0 and 2 (Brown and Sandholm 2019)
    Dcfr,
    /// Predictive CFR+ (Farina, Kroer and Sandholm 2021)
    PcfrPlus,
    /// CFR of each player against best responses in the real game (Johanson et al. 2012)
    CfrBr,
    /// CFR with public chance sampled (Johanson et al. 2012)
    PublicChance,
    /// External-sampling Monte Carlo CFR (Lanctot et al. 2009)
    External,
    /// Outcome-sampling Monte Carlo CFR (Lanctot et al. 2009)
    Outcome,
}

/// How an algorithm walks the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// All of it.
    Full,
    /// All of it, against best responses.
    BestResponse,
    /// Public chance is sampled.
    PublicChance,
    /// Chance and players are sampled.
    Sampled,
}

impl Algorithm {
    /// The word on the command line.
    pub(crate) fn word(self) -> String {
        value_name(self)
    }

    pub(crate) fn walk(self) -> Walk {
        match self {
            Algorithm::Cfr
            | Algorithm::CfrPlus
            | Algorithm::Linear
            | Algorithm::Dcfr
            | Algorithm::PcfrPlus => Walk::Full,
            Algorithm::CfrBr => Walk::BestResponse,
            Algorithm::PublicChance => Walk::PublicChance,
            Algorithm::External | Algorithm::Outcome => Walk::Sampled,
        }
    }

    /// The update rule that goes with it if nobody asks for another.
    fn rule(self) -> UpdateRule {
        match self {
            Algorithm::Cfr => UpdateRule::Vanilla,
            Algorithm::CfrPlus | Algorithm::CfrBr => UpdateRule::CfrPlus,
            Algorithm::Dcfr => UpdateRule::DCFR,
            Algorithm::PcfrPlus => UpdateRule::PcfrPlus,
            Algorithm::Linear | Algorithm::PublicChance | Algorithm::External | Algorithm::Outcome => {
                UpdateRule::Linear
            }
        }
    }
}

/// How iterations are weighed, for algorithms that leave a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rule {
    /// All alike
    Vanilla,
    /// By their number
    Linear,
    /// As CFR+ does
    CfrPlus,
    /// As Discounted CFR does
    Dcfr,
}

impl Rule {
    fn rule(self) -> UpdateRule {
        match self {
            Rule::Vanilla => UpdateRule::Vanilla,
            Rule::Linear => UpdateRule::Linear,
            Rule::CfrPlus => UpdateRule::CfrPlus,
            Rule::Dcfr => UpdateRule::DCFR,
        }
    }
}

/// The form of the game that is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Form {
    /// Public states, all hands of a player at once: two players
    Public,
    /// Histories, one deal after the other: any number of players
    History,
}

/// The numbers of the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Precision {
    /// 32 bits
    F32,
    /// 64 bits
    #[default]
    F64,
}

/// All that a solution depends on besides its number of iterations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SolveConfig {
    /// The version of the program that began.
    pub(crate) program: String,
    pub(crate) game: String,
    /// The rules of a stud game as a rules file; nothing for other games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<String>,
    /// What players see of a card.
    pub(crate) cards: String,
    pub(crate) algorithm: Algorithm,
    pub(crate) rule: UpdateRule,
    /// Full walks only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) updates: Option<Updates>,
    pub(crate) form: Form,
    pub(crate) precision: Precision,
    pub(crate) seed: u64,
    /// Sampled players only: what the trainer is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sampling: Option<Sampling>,
}

/// The settings of a sampled solver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sampling {
    /// Deals traversed against the same strategies.
    pub(crate) batch: u64,
    /// Outcome sampling: the probability of exploring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) exploration: Option<f64>,
    /// Outcome sampling: the rate at which baselines learn; nothing without baselines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) baseline: Option<f64>,
    /// External sampling: what is pruned; nothing without pruning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) prune: Option<Pruning>,
}

/// What the command line may say about the algorithm; nothing is the algorithm's own choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices {
    pub(crate) algorithm: Algorithm,
    pub(crate) rule: Option<Rule>,
    pub(crate) simultaneous: bool,
    pub(crate) form: Option<Form>,
    pub(crate) batch: Option<u64>,
    pub(crate) exploration: Option<f64>,
    pub(crate) baseline: Option<f64>,
    pub(crate) prune: Option<f64>,
}

/// Deals a batch: as many as a thread walks and adds up by itself.
const BATCH: u64 = 8;
/// The probability that a traversal which may prune leaves nothing out.
const EXPLORE: f64 = 0.05;
/// The share of sampled actions that are drawn from all alike.
const EXPLORATION: f64 = 0.6;

impl SolveConfig {
    /// The configuration that the command line asks for.
    ///
    /// # Errors
    /// Names the option that the algorithm has no use for, or that the game does not allow.
    pub(crate) fn new(
        name: String,
        game: &SmallGame,
        choices: Choices,
        precision: Precision,
        seed: u64,
    ) -> Result<SolveConfig, CliError> {
        let (rule, updates, form, sampling) = choices.settle(game.players())?;
        Ok(SolveConfig {
            program: env!("CARGO_PKG_VERSION").into(),
            game: name,
            rules: game.rules(),
            cards: game.cards(),
            algorithm: choices.algorithm,
            rule,
            updates,
            form,
            precision,
            seed,
            sampling,
        })
    }

    /// For people: "cfr-plus, alternating updates, public form, f64".
    pub(crate) fn describe(&self) -> String {
        let mut parts = vec![self.algorithm.word()];
        if self.algorithm.walk() != Walk::Full {
            parts.push(format!("rule {}", self.rule));
        }
        parts.extend(self.updates.map(|updates| format!("{updates} updates")));
        if let Some(sampling) = self.sampling {
            parts.push(match sampling.batch {
                1 => "one deal a batch".into(),
                deals => format!("{deals} deals a batch"),
            });
            parts.extend(sampling.exploration.map(|share| format!("exploration {share}")));
            parts.extend(sampling.baseline.map(|rate| format!("baselines at rate {rate}")));
            parts.extend(sampling.prune.map(|prune| format!("pruning below -{} chips", prune.below)));
        }
        parts.push(format!("{} form", value_name(self.form)));
        parts.push(value_name(self.precision));
        if self.algorithm.walk() != Walk::Full {
            parts.push(format!("seed {}", self.seed));
        }
        parts.join(", ")
    }
}

/// The word on the command line.
fn value_name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().into())
}

impl Choices {
    /// The rule, the updates, the form and the sampling that result for a game of `players` players.
    ///
    /// # Errors
    /// Names the option that the algorithm has no use for, or that the game does not allow.
    pub(crate) fn settle(
        self,
        players: usize,
    ) -> Result<(UpdateRule, Option<Updates>, Form, Option<Sampling>), CliError> {
        let Choices { algorithm, rule, simultaneous, form, batch, exploration, baseline, prune } = self;
        let word = algorithm.word();
        let refuse = |message: String| Err(CliError::Usage(message));
        let walk = algorithm.walk();
        if walk == Walk::Full && rule.is_some() {
            return refuse(format!(
                "--rule: {word} is a rule itself; it suits cfr-br, public-chance, external, outcome"
            ));
        }
        if simultaneous && walk == Walk::Sampled {
            return refuse(format!(
                "--simultaneous: {word} updates after a batch, which is always simultaneous"
            ));
        }
        if batch.is_some() && walk != Walk::Sampled {
            return refuse(format!("--batch: {word} has no batches; external and outcome do"));
        }
        for (option, given, owner) in [
            ("--exploration", exploration.is_some(), Algorithm::Outcome),
            ("--baseline", baseline.is_some(), Algorithm::Outcome),
            ("--prune", prune.is_some(), Algorithm::External),
        ] {
            if given && algorithm != owner {
                return refuse(format!("{option}: {word} has no use for it; {} does", owner.word()));
            }
        }
        let own_form = match walk {
            Walk::Full if players == 2 => form.unwrap_or(Form::Public),
            Walk::Full | Walk::Sampled => Form::History,
            Walk::BestResponse | Walk::PublicChance => Form::Public,
        };
        if own_form == Form::Public && players != 2 {
            return refuse(format!("--algorithm {word} needs a game of two players, not {players}"));
        }
        if form == Some(Form::Public) && players != 2 {
            return refuse(format!("--form public: it is one of two players, and this game has {players}"));
        }
        if form.is_some_and(|form| form != own_form) {
            let has = if own_form == Form::Public { "public" } else { "history" };
            return refuse(format!("--form: {word} for {players} players walks the {has} form"));
        }
        let updates = if simultaneous { Updates::Simultaneous } else { Updates::Alternating };
        Ok((
            rule.map_or_else(|| algorithm.rule(), Rule::rule),
            (walk != Walk::Sampled).then_some(updates),
            own_form,
            (walk == Walk::Sampled).then(|| Sampling {
                batch: batch.unwrap_or(BATCH),
                exploration: (algorithm == Algorithm::Outcome).then(|| exploration.unwrap_or(EXPLORATION)),
                baseline,
                prune: prune.map(|below| Pruning { below, explore: EXPLORE }),
            }),
        ))
    }
}
