//! `doorcard info`: what a file is.

use crate::error::CliError;
use crate::output::Context;
use crate::{experiment, game};
use doorcard_abstraction::{Abstraction, AbstractionHeader};
use doorcard_cfr::checkpoint::{CHECKPOINT, CheckpointHeader};
use doorcard_cfr::exact::{EXACT, ExactCheckpoint, ExactHeader};
use doorcard_cfr::sampling::{Pruning, Sampling};
use doorcard_cfr::strategy::{STRATEGY, StrategyHeader};
use doorcard_cfr::vector::{AverageFrom, BoardTraversal, Precision};
use doorcard_cfr::{Checkpoint, Settings, State, Strategy, Subject};
use doorcard_games::stud::Rules;
use doorcard_report::table::{self, Align};
use doorcard_report::units;
use doorcard_store::{Container, Kind};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Say what a checkpoint, strategy or abstraction is
///
/// Exit code 2 if the file is damaged or not one of these. How long training took is told of files in a run directory,
/// which records it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  doorcard info runs/quickstart
  doorcard info runs/quickstart/strategy.dcst --verify")]
pub(crate) struct Args {
    /// The file, or a run directory: its newest checkpoint, or its strategy if there is none
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Compare every checksum; without it, only those of the file's head
    #[arg(long)]
    verify: bool,
}

/// What `--json` prints. Fields that a kind of file does not have are null.
#[derive(Serialize)]
struct Report {
    file: PathBuf,
    kind: &'static str,
    version: u32,
    fingerprint: String,
    bytes: u64,
    verified: bool,
    program: String,
    /// The shipped profile with these rules, named as in `match`; null for rules of one's own and for abstractions,
    /// which serve every game of their variant.
    game: Option<String>,
    /// "high", "hi_lo8" or "razz".
    variant: Option<String>,
    /// How much of the betting an infoset keeps.
    history: Option<String>,
    /// The rules it was trained for, as TOML.
    rules: Option<String>,
    /// The configuration an abstraction was built from, as TOML.
    config: Option<String>,
    abstraction: Option<String>,
    abstraction_fingerprint: Option<String>,
    /// What an exact solver walks: "full-tree", "vector", "vector-sampled" or "cfr-br".
    traversal: Option<String>,
    /// Of an exact solver: "alternating" or "simultaneous".
    updates: Option<String>,
    /// Of a sampled solver: "external", "outcome", "vector" or "public-chance".
    sampling: Option<String>,
    /// What iterations of a sampled solver are: "deals" or "boards".
    unit: Option<&'static str>,
    /// Of outcome sampling.
    exploration: Option<f64>,
    baseline: Option<f64>,
    /// Of external sampling.
    prune: Option<Pruning>,
    /// Of vector external sampling: the opponent's hands on each board, where the average strategy comes from, and the
    /// lines of the opponent that a walk for it follows, if there is one.
    hands: Option<usize>,
    average: Option<AverageFrom>,
    lines: Option<u32>,
    /// How the tables of a solver that walks boards are stored.
    precision: Option<Precision>,
    seed: Option<u64>,
    batch: Option<u64>,
    weighting: Option<String>,
    iteration: Option<u64>,
    ended_by_time: Option<bool>,
    /// Training time up to `iteration`, if the file lies in a run directory that has recorded it.
    seconds: Option<f64>,
    infosets: Option<u64>,
    visits_per_infoset: Option<f64>,
    average_visits_per_infoset: Option<f64>,
    sections: Vec<Section>,
}

#[derive(Serialize)]
struct Section {
    name: String,
    element: String,
    length: u64,
    checksum: String,
}

pub(crate) fn run(args: Args, context: Context) -> Result<(), CliError> {
    let file = if args.file.is_dir() { experiment::newest_file(&args.file)? } else { args.file };
    let container = Container::inspect(&file)?;
    let mut report = Report::new(&container, args.verify);
    let kind = container.kind();
    if same_name(kind, CHECKPOINT) {
        let header: CheckpointHeader = known(&container, CHECKPOINT)?.header()?;
        report.kind = "checkpoint";
        report.trained(&header.subject, &header.state, header.rows, header.program);
        report.settings(header.settings);
        report.seconds = experiment::seconds_of(&file, header.state.iterations);
        verify(args.verify, &file, |path| Checkpoint::open(path).map(drop))?;
    } else if same_name(kind, STRATEGY) {
        let header: StrategyHeader = known(&container, STRATEGY)?.header()?;
        report.kind = "strategy";
        report.trained(&header.subject, &header.state, header.rows, header.program);
        report.settings(header.settings);
        report.seconds = experiment::seconds_of(&file, header.state.iterations);
        verify(args.verify, &file, |path| Strategy::open(path).map(drop))?;
    } else if same_name(kind, EXACT) {
        let header: ExactHeader = known(&container, EXACT)?.header()?;
        report.kind = "exact checkpoint";
        report.solved(header);
        verify(args.verify, &file, |path| ExactCheckpoint::open(path).map(drop))?;
    } else if same_name(kind, doorcard_abstraction::KIND) {
        let header: AbstractionHeader = known(&container, doorcard_abstraction::KIND)?.header()?;
        report.kind = "abstraction";
        report.program = header.program;
        report.variant = Some(game::word(header.variant));
        report.config = Some(header.config);
        report.abstraction_fingerprint = Some(format!("{:016x}", header.fingerprint));
        verify(args.verify, &file, |path| Abstraction::load(path).map(drop))?;
    } else {
        let message = format!("a file of kind '{kind}', which this command does not know");
        return Err(CliError::Mismatch { path: file, message });
    }
    context.result(&report, || report.text())
}

fn same_name(a: Kind, b: Kind) -> bool {
    a.name() == b.name()
}

/// Refuses another version of a kind.
fn known(container: &Container, kind: Kind) -> Result<&Container, CliError> {
    container.expect(kind)?;
    Ok(container)
}

fn verify<E>(asked: bool, path: &Path, open: impl FnOnce(&Path) -> Result<(), E>) -> Result<(), CliError>
where
    CliError: From<E>,
{
    if asked {
        open(path)?;
    }
    Ok(())
}

impl Report {
    fn new(container: &Container, verified: bool) -> Report {
        let sections = container.sections().map(|section| Section {
            name: section.name.into(),
            element: section.element.to_string(),
            length: section.length,
            checksum: format!("{:016x}", section.checksum),
        });
        Report {
            file: container.path().into(),
            kind: "",
            version: container.kind().version(),
            fingerprint: format!("{:016x}", container.fingerprint()),
            bytes: container.bytes(),
            verified,
            program: String::new(),
            game: None,
            variant: None,
            history: None,
            rules: None,
            config: None,
            abstraction: None,
            abstraction_fingerprint: None,
            traversal: None,
            updates: None,
            sampling: None,
            unit: None,
            exploration: None,
            baseline: None,
            prune: None,
            hands: None,
            average: None,
            lines: None,
            precision: None,
            seed: None,
            batch: None,
            weighting: None,
            iteration: None,
            ended_by_time: None,
            seconds: None,
            infosets: None,
            visits_per_infoset: None,
            average_visits_per_infoset: None,
            sections: sections.collect(),
        }
    }

    fn trained(&mut self, subject: &Subject, state: &State, rows: u64, program: String) {
        let per_infoset = |visits: u64| Some(visits as f64 / rows.max(1) as f64);
        self.program = program;
        self.subject(subject, rows);
        self.iteration = Some(state.iterations);
        self.ended_by_time = Some(state.ended_by_time);
        self.visits_per_infoset = per_infoset(state.regret_visits);
        self.average_visits_per_infoset = per_infoset(state.average_visits);
    }

    fn solved(&mut self, header: ExactHeader) {
        self.subject(&header.subject, header.rows);
        self.program = header.program;
        self.iteration = Some(header.iterations);
        self.traversal = Some(header.traversal);
        self.updates = Some(header.settings.updates.to_string());
        self.seed = Some(header.settings.seed);
        self.weighting = Some(header.settings.rule.to_string());
    }

    fn subject(&mut self, subject: &Subject, rows: u64) {
        self.infosets = Some(rows);
        self.abstraction = Some(subject.abstraction.clone());
        self.abstraction_fingerprint = Some(format!("{:016x}", subject.abstraction_fingerprint));
        // Only games of stud have rules besides their name.
        if subject.rules.is_empty() {
            self.game = Some(subject.game.clone());
            return;
        }
        self.rules = Some(subject.rules.clone());
        self.history = doorcard_bots::history(&subject.game).map(game::word);
        if let Ok(rules) = Rules::from_toml(&subject.rules, "rules") {
            self.game = game::profile(&rules).map(String::from);
            self.variant = Some(game::word(rules.variant()));
        }
    }

    fn settings(&mut self, settings: Settings) {
        self.seed = Some(settings.seed);
        self.batch = Some(settings.batch);
        self.weighting = Some(settings.rule.to_string());
        self.unit = Some(settings.sampling.unit());
        self.sampling = Some(match settings.vector {
            Some(vector) if vector.traversal == BoardTraversal::PublicChance => "public-chance".into(),
            _ => settings.sampling.to_string(),
        });
        self.exploration = (settings.sampling == Sampling::Outcome).then_some(settings.exploration);
        self.baseline = settings.baseline;
        self.prune = settings.prune;
        let Some(vector) = settings.vector else { return };
        self.precision = Some(vector.precision);
        if let BoardTraversal::External(external) = vector.traversal {
            self.hands = Some(external.hands);
            self.average = Some(external.average);
            self.lines = (external.average == AverageFrom::OwnReach).then_some(external.lines);
        }
    }

    fn text(&self) -> String {
        let mut rows = vec![
            ("file", self.file.display().to_string()),
            ("kind", format!("{}, version {}", self.kind, self.version)),
            ("fingerprint", self.fingerprint.clone()),
            ("size", units::bytes(self.bytes)),
            ("written by", format!("doorcard {}", self.program)),
        ];
        let mut add = |name, value: Option<String>| rows.extend(value.map(|value| (name, value)));
        let two = |x: f64| format!("{x:.2}");
        let own_rules = || self.rules.as_ref().map(|_| "rules of its own; --json shows them".to_string());
        add("game", self.game.clone().or_else(own_rules));
        add("variant", self.variant.clone());
        add("betting history", self.history.clone());
        let name = self.abstraction.as_ref().map(|name| format!("{name}, fingerprint "));
        let cards = self.abstraction_fingerprint.as_ref();
        add("cards", cards.map(|fingerprint| format!("{}{fingerprint}", name.unwrap_or_default())));
        add("traversal", self.traversal.clone());
        add("updates", self.updates.clone());
        add("sampling", self.sampling.clone());
        add("exploration", self.exploration.map(|share| share.to_string()));
        add("baselines", self.baseline.map(|rate| format!("learnt at rate {rate}")));
        add(
            "pruning",
            self.prune.map(|prune| {
                format!("below -{} chips, all tried in {} of traversals", prune.below, prune.explore)
            }),
        );
        add("hands a board", self.hands.map(|hands| hands.to_string()));
        add("average", self.average.map(game::word));
        add("lines a board", self.lines.map(|lines| lines.to_string()));
        add("precision", self.precision.map(game::word));
        add("seed", self.seed.map(|seed| seed.to_string()));
        add("weighting", self.weighting.clone());
        let (done, unit) = match self.unit {
            Some(unit) => ("trained on", unit),
            None => ("solved for", "iterations"),
        };
        add("batch", self.batch.map(|batch| format!("{} {unit}", units::count(batch))));
        add(done, self.iteration.map(|n| format!("{} {unit}", units::count(n))));
        let by_time = self.ended_by_time.unwrap_or(false);
        add("ended by", by_time.then(|| "time (--seconds): another run would end elsewhere".into()));
        add("training time", self.seconds.map(units::seconds));
        add("infosets", self.infosets.map(units::count));
        add("regret visits per infoset", self.visits_per_infoset.map(two));
        add("average visits per infoset", self.average_visits_per_infoset.map(two));
        let columns = [
            ("section", Align::Left),
            ("type", Align::Left),
            ("elements", Align::Right),
            ("xxh3", Align::Left),
        ];
        let sections = self.sections.iter().map(|section| {
            let Section { name, element, length, checksum } = section;
            vec![name.clone(), element.clone(), units::count(*length), checksum.clone()]
        });
        let checked =
            if self.verified { "every checksum matches" } else { "next: --verify compares every checksum" };
        format!("{}\n{}\n{checked}\n", table::fields(&rows), table::plain(&columns, sections.collect()))
    }
}
