//! `doorcard abstract --fit`: which abstraction fills the memory there is.

use super::abstraction::check_writable;
use crate::error::CliError;
use crate::experiment::memory;
use crate::game::{self, NamedRules};
use crate::output::Context;
use doorcard_abstraction::{Abstraction, AbstractionConfig, fit, planned};
use doorcard_cfr::Table;
use doorcard_games::stud::tree::{HistoryDetail, StudTree};
use doorcard_report::table::{Align, plain};
use doorcard_report::units;
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct FitArgs {
    /// Propose sizes with which a strategy's tables fill this memory, such as 4GiB; nothing is built
    #[arg(long, value_name = "MEMORY", value_parser = amount)]
    fit: Option<u64>,

    /// With --fit, how much of the betting a strategy remembers: full, aggressor or counts
    #[arg(long, value_name = "DETAIL", default_value = "aggressor", value_parser = detail, requires = "fit")]
    history: HistoryDetail,

    /// With --fit, bytes of memory for each action of an infoset: by default a regret and a sum of the strategy, of
    /// four bytes each
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=64), requires = "fit")]
    bytes_per_entry: u64,
}

fn amount(text: &str) -> Result<u64, String> {
    memory::parse(text).ok_or_else(|| "expected an amount of memory such as 4GiB or 512MiB".into())
}

fn detail(text: &str) -> Result<HistoryDetail, String> {
    let details = [HistoryDetail::Full, HistoryDetail::Aggressor, HistoryDetail::Counts];
    let found = details.into_iter().find(|&detail| game::word(detail) == text);
    found.ok_or_else(|| "expected full, aggressor or counts".into())
}

/// What `--json` prints. Units: bytes where the name says so.
#[derive(Serialize)]
struct Report {
    game: String,
    history: HistoryDetail,
    memory_bytes: u64,
    bytes_per_entry: u64,
    infosets: u64,
    entries: u64,
    table_bytes: u64,
    abstraction_bytes: u64,
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

impl FitArgs {
    /// The memory to fill, if asked to.
    pub(super) fn memory(&self) -> Option<u64> {
        self.fit
    }

    /// What a table of so many entries takes: exactly what training allocates, if an entry takes what it does there.
    fn table_bytes(&self, entries: u64) -> u64 {
        Table::<f32>::predicted_bytes(entries) / BYTES_IN_TRAINING * self.bytes_per_entry
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
        let overhead = self.table_bytes(0) / self.bytes_per_entry;
        let config = fit(&tree, base, (memory / self.bytes_per_entry).saturating_sub(overhead))?;
        let toml = config.to_toml();
        if let Some(out) = out {
            std::fs::write(out, &toml).map_err(CliError::io(out, "write"))?;
        }
        let streets = planned(&tree, &config).map(|street| StreetReport {
            street: game::word(street.street),
            public: street.public,
            private: street.private,
            infosets: street.rows,
            entries: street.slots,
            bytes: street.slots * self.bytes_per_entry,
        });
        let entries = streets.iter().map(|street| street.entries).sum();
        let report = Report {
            game: game.name.clone(),
            history: self.history,
            memory_bytes: memory,
            bytes_per_entry: self.bytes_per_entry,
            infosets: streets.iter().map(|street| street.infosets).sum(),
            entries,
            table_bytes: self.table_bytes(entries),
            abstraction_bytes: Abstraction::predicted_bytes(&config, &game.rules),
            build_bytes: Abstraction::predicted_build_bytes(&config, &game.rules),
            streets: streets.into(),
            file: out.map(Path::to_path_buf),
            toml,
        };
        context.result(&report, || report.text())
    }
}

/// What an entry takes in training: a regret and a sum of the strategy, each an `f32`.
const BYTES_IN_TRAINING: u64 = 8;

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
        format!(
            "{}, betting remembered: {}, {} bytes an entry\n\n{}\ntable        {} of {}\nabstraction  {}, about {} while \
             it is built\n{ending}\n",
            self.game,
            game::word(self.history),
            self.bytes_per_entry,
            plain(&columns, rows),
            units::bytes(self.table_bytes),
            units::bytes(self.memory_bytes),
            units::bytes(self.abstraction_bytes),
            units::bytes(self.build_bytes),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorcard_abstraction::StudInfosets;
    use doorcard_efg::Rows;
    use doorcard_games::stud::Rules;

    /// The figures of a proposal are those of the abstraction built from it, and of the table trained on it.
    #[test]
    fn what_is_predicted_is_what_training_allocates() {
        let args = FitArgs { fit: Some(8 << 20), history: HistoryDetail::Counts, bytes_per_entry: 8 };
        let rules = Rules::named("stud_bench").unwrap();
        let tree = StudTree::new(rules, args.history).unwrap();
        let tiny = AbstractionConfig::named("tiny").unwrap();
        let most = ((8 << 20) - args.table_bytes(0)) / 8;
        let config = fit(&tree, &tiny, most).unwrap();
        let abstraction = Abstraction::build(&config, &rules, &mut |_, _| {});
        let infosets = StudInfosets::new(&tree, &abstraction);
        let planned = planned(&tree, &config);
        assert_eq!(planned.iter().map(|street| street.rows).sum::<u64>(), infosets.rows());
        assert_eq!(planned.iter().map(|street| street.slots).sum::<u64>(), infosets.slots());
        let bytes = args.table_bytes(infosets.slots());
        assert_eq!(bytes, Table::<f32>::predicted_bytes(infosets.slots()));
        assert!(bytes <= 8 << 20 && bytes > 7 << 20, "{bytes}");
        assert!(Table::<f32>::new(infosets.slots(), bytes).is_ok());
        assert!(Table::<f32>::new(infosets.slots(), bytes - 1).is_err());
    }
}
