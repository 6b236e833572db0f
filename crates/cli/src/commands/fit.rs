//! `doorcard abstract --fit`: which abstraction fills the memory there is.

use super::abstraction::check_writable;
use crate::error::CliError;
use crate::experiment::{VECTOR_BATCH, memory};
use crate::game::{self, NamedRules};
use crate::output::Context;
use doorcard_abstraction::{
    Abstraction, AbstractionConfig, AbstractionError, StudBoards, Unbuilt, fit, planned,
};
use doorcard_cfr::Table;
use doorcard_cfr::vector::{
    BoardTraversal, ExternalSettings, Precision, VectorSettings, predicted_log_bytes, predicted_table_bytes,
};
use doorcard_games::stud::Street;
use doorcard_games::stud::tree::{HistoryDetail, StudTree};
use doorcard_report::table::{Align, fields, plain};
use doorcard_report::units;
use serde::Serialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct FitArgs {
    /// Propose sizes with which training takes this memory, such as 4GiB: the tables, the abstraction and the logs of a
    /// batch, as max_memory counts them; nothing is built
    #[arg(long, value_name = "MEMORY", value_parser = amount)]
    fit: Option<u64>,

    /// With --fit, how much of the betting a strategy remembers: full, aggressor or counts
    #[arg(long, value_name = "DETAIL", default_value = "aggressor", value_parser = detail, requires = "fit")]
    history: HistoryDetail,

    /// With --fit, how tables are stored: full (4 bytes for a regret and 4 for a sum of the strategy) or half (16 bits each
    /// and an exponent for eight of them)
    #[arg(long, value_name = "PRECISION", default_value = "full", value_parser = precision, requires = "fit")]
    precision: Precision,

    /// With --fit, the opponent's hands on each board, which logs are made room for
    #[arg(long, value_name = "N", default_value_t = ExternalSettings::default().hands as u64, value_parser = clap::value_parser!(u64).range(1..=32), requires = "fit")]
    hands: u64,

    /// With --fit, the boards of a batch of vector external sampling whose logs are made room for; other solvers need
    /// other logs, which `doorcard train` tells before it begins
    #[arg(long, value_name = "N", default_value_t = VECTOR_BATCH, value_parser = clap::value_parser!(u64).range(1..=1 << 24), requires = "fit")]
    batch: u64,
}

fn amount(text: &str) -> Result<u64, String> {
    memory::parse(text).ok_or_else(|| "expected an amount of memory such as 4GiB or 512MiB".into())
}

fn detail(text: &str) -> Result<HistoryDetail, String> {
    let details = [HistoryDetail::Full, HistoryDetail::Aggressor, HistoryDetail::Counts];
    let found = details.into_iter().find(|&detail| game::word(detail) == text);
    found.ok_or_else(|| "expected full, aggressor or counts".into())
}

fn precision(text: &str) -> Result<Precision, String> {
    let found =
        [Precision::Full, Precision::Half].into_iter().find(|&precision| game::word(precision) == text);
    found.ok_or_else(|| "expected full or half".into())
}

/// What `--json` prints. Units: bytes where the name says so.
#[derive(Serialize)]
struct Report {
    game: String,
    history: HistoryDetail,
    memory_bytes: u64,
    precision: Precision,
    batch: u64,
    infosets: u64,
    entries: u64,
    table_bytes: u64,
    abstraction_bytes: u64,
    log_bytes: u64,
    /// The three together.
    total_bytes: u64,
    build_bytes: u64,
    streets: Vec<StreetReport>,
    file: Option<PathBuf>,
    toml: String,
}

#[derive(Serialize)]
struct StreetReport {
    street: String,
    public: usize,
    private: usize,
    infosets: u64,
    entries: u64,
    bytes: u64,
}

/// What training with a proposal takes. Units: bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Taken {
    tables: u64,
    abstraction: u64,
    logs: u64,
}

impl Taken {
    fn total(self) -> u64 {
        self.tables.saturating_add(self.abstraction).saturating_add(self.logs)
    }
}

impl FitArgs {
    /// The memory to fill, if asked to.
    pub(super) fn memory(&self) -> Option<u64> {
        self.fit
    }

    fn settings(&self) -> VectorSettings {
        let external = ExternalSettings { hands: self.hands as usize, ..ExternalSettings::default() };
        VectorSettings { traversal: BoardTraversal::External(external), precision: self.precision }
    }

    /// What the table takes: that of a solver that samples deals, which has a little besides its entries, or boards.
    fn table_bytes(&self, tree: &StudTree, config: &AbstractionConfig) -> u64 {
        let boards = || StudBoards::new(tree, Unbuilt::new(config));
        let slots = planned(tree, config).iter().map(|street| street.slots).sum();
        let by_boards = predicted_table_bytes(&boards(), &self.settings());
        match self.precision {
            Precision::Full => Table::<f32>::predicted_bytes(slots).max(by_boards),
            Precision::Half => by_boards,
        }
    }

    /// A configuration with which training takes at most this memory, and what it takes.
    fn propose(
        &self,
        tree: &StudTree,
        base: &AbstractionConfig,
        memory: u64,
    ) -> Result<(AbstractionConfig, Taken), AbstractionError> {
        // Boards are walked for the logs, which do not depend on public buckets: once for all numbers of private ones.
        let mut logs = HashMap::new();
        let mut taken = |config: &AbstractionConfig| {
            let private = Street::ALL.map(|street| config.buckets(street).1);
            let logs = *logs.entry(private).or_insert_with(|| {
                let boards = StudBoards::new(tree, Unbuilt::new(config));
                predicted_log_bytes(&boards, &self.settings(), self.batch)
            });
            let abstraction = Abstraction::predicted_bytes(config, tree.rules());
            Taken { tables: self.table_bytes(tree, config), abstraction, logs }
        };
        let config = fit(base, memory, |config| taken(config).total())?;
        let taken = taken(&config);
        Ok((config, taken))
    }

    /// Proposes, and writes the proposal to `out` or shows it.
    pub(super) fn run(
        &self,
        base: &AbstractionConfig,
        game: &NamedRules,
        memory: u64,
        out: Option<&Path>,
        context: Context,
    ) -> Result<(), CliError> {
        Abstraction::supports(&game.rules)?;
        out.map(check_writable).transpose()?;
        let tree = StudTree::new(game.rules, self.history)?;
        let (config, taken) = self.propose(&tree, base, memory)?;
        let toml = config.to_toml();
        if let Some(out) = out {
            std::fs::write(out, &toml).map_err(CliError::io(out, "write"))?;
        }
        let slots: u64 = planned(&tree, &config).iter().map(|street| street.slots).sum();
        let streets = planned(&tree, &config).map(|street| StreetReport {
            street: game::word(street.street),
            public: street.public,
            private: street.private,
            infosets: street.rows,
            entries: street.slots,
            bytes: (u128::from(street.slots) * u128::from(taken.tables) / u128::from(slots)) as u64,
        });
        let entries = streets.iter().map(|street| street.entries).sum();
        let report = Report {
            game: game.name.clone(),
            history: self.history,
            memory_bytes: memory,
            precision: self.precision,
            batch: self.batch,
            infosets: streets.iter().map(|street| street.infosets).sum(),
            entries,
            table_bytes: taken.tables,
            abstraction_bytes: taken.abstraction,
            log_bytes: taken.logs,
            total_bytes: taken.total(),
            build_bytes: Abstraction::predicted_build_bytes(&config, &game.rules),
            streets: streets.into(),
            file: out.map(Path::to_path_buf),
            toml,
        };
        context.result(&report, || report.text())
    }
}

impl Report {
    fn text(&self) -> String {
        let columns = [
            ("street", Align::Left),
            ("public buckets", Align::Right),
            ("private in each", Align::Right),
            ("infosets", Align::Right),
            ("entries", Align::Right),
            ("table", Align::Right),
        ];
        let row = |street: &StreetReport| {
            vec![
                street.street.clone(),
                street.public.to_string(),
                street.private.to_string(),
                units::count(street.infosets),
                units::count(street.entries),
                units::bytes(street.bytes),
            ]
        };
        let mut rows: Vec<Vec<String>> = self.streets.iter().map(row).collect();
        rows.push(vec![
            "all".into(),
            String::new(),
            String::new(),
            units::count(self.infosets),
            units::count(self.entries),
            units::bytes(self.table_bytes),
        ]);
        let ending = match &self.file {
            Some(file) => format!("written to {}", file.display()),
            None => format!("\n{}", self.toml.trim_end()),
        };
        let ending = format!(
            "{ending}\nnote: more memory is not more strength; experiments/TRIALS.md has what sizes were worth"
        );
        let bytes = units::bytes;
        let built =
            format!("{}, about {} while it is built", bytes(self.abstraction_bytes), bytes(self.build_bytes));
        let logs = format!(
            "{} for a batch of {} boards of vector external sampling; other solvers need others",
            bytes(self.log_bytes),
            self.batch
        );
        format!(
            "{}, betting remembered: {}, precision: {}\n\n{}\n{}{ending}\n",
            self.game,
            game::word(self.history),
            game::word(self.precision),
            plain(&columns, rows),
            fields(&[
                ("training", format!("{} of {}", bytes(self.total_bytes), bytes(self.memory_bytes))),
                ("  table", bytes(self.table_bytes)),
                ("  abstraction", built),
                ("  logs", logs),
            ]),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Experiment, Setup};
    use doorcard_abstraction::StudInfosets;
    use doorcard_efg::Rows;
    use doorcard_games::stud::Rules;

    fn args(history: HistoryDetail, precision: Precision) -> FitArgs {
        FitArgs { fit: None, history, precision, hands: 8, batch: VECTOR_BATCH }
    }

    /// The figures of a proposal are those of the abstraction built from it, and of the table trained on it.
    #[test]
    fn what_is_predicted_is_what_training_allocates() {
        let args = args(HistoryDetail::Counts, Precision::Full);
        let rules = Rules::named("stud_bench").unwrap();
        let tree = StudTree::new(rules, args.history).unwrap();
        let tiny = AbstractionConfig::named("tiny").unwrap();
        let memory = 128 << 20;
        let (config, taken) = args.propose(&tree, &tiny, memory).unwrap();
        let abstraction = Abstraction::build(&config, &rules, &mut |_, _| {});
        let infosets = StudInfosets::new(&tree, &abstraction);
        let planned = planned(&tree, &config);
        assert_eq!(planned.iter().map(|street| street.rows).sum::<u64>(), infosets.rows());
        assert_eq!(planned.iter().map(|street| street.slots).sum::<u64>(), infosets.slots());
        assert_eq!(taken.tables, Table::<f32>::predicted_bytes(infosets.slots()));
        assert!(taken.total() <= memory && taken.total() > memory / 10 * 9, "{taken:?}");
        assert!(Table::<f32>::new(infosets.slots(), taken.tables).is_ok());
        assert!(Table::<f32>::new(infosets.slots(), taken.tables - 1).is_err());
    }

    /// An experiment with the abstraction proposed for a memory is granted when that is its `max_memory`.
    #[test]
    fn what_is_proposed_may_be_trained() {
        for (name, history, precision, memory) in [
            ("default", HistoryDetail::Counts, Precision::Full, 1 << 30),
            ("default", HistoryDetail::Aggressor, Precision::Full, 4 << 30),
            ("default_percentile", HistoryDetail::Aggressor, Precision::Full, 1 << 30),
            ("default", HistoryDetail::Counts, Precision::Half, 1 << 30),
        ] {
            let args = args(history, precision);
            let tree = StudTree::new(Rules::named("stud_bench").unwrap(), history).unwrap();
            let base = AbstractionConfig::named(name).unwrap();
            let (config, taken) = args.propose(&tree, &base, memory).unwrap();
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("cards.toml"), config.to_toml()).unwrap();
            let text = format!(
                "name = \"test\"\ngame = \"stud_bench\"\nabstraction = \"cards.toml\"\nhistory = \"{}\"\n\
                 [training]\nsolver = \"vector_external_sampling\"\niterations = 100\nmax_memory = \"{memory}B\"\n\
                 precision = \"{}\"\n",
                game::word(history),
                game::word(precision)
            );
            let experiment = Experiment::from_toml(&text, "test", folder.path()).unwrap();
            let need = Setup::new(&experiment).unwrap().check_memory(&experiment, 2).unwrap();
            assert_eq!((need.abstraction, need.logs), (taken.abstraction, taken.logs));
            // A table of deals has a little besides its entries, which one of boards has not.
            assert!(taken.tables - need.table < 64, "{taken:?} {need:?}");
            assert!(need.total() <= memory && need.total() > memory / 100 * 95, "{name}: {need:?}");
        }
    }
}
