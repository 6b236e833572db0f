//! Several runs side by side: for terminals, as CSV, as LaTeX and as a page.

mod page;

pub use page::page;

use crate::cross_table::{self, csv_text, escape, math, number, on_one_line};
use crate::table::{Align, plain};
use crate::{
    AbstractionSummary, Estimate, GameSummary, MatchReport, MatchRow, MilestonePoint, RunReport, Rung, Sizes,
    TrainingSummary, units,
};
use serde::{Deserialize, Serialize};

/// What several runs of one game came to. Its JSON is `comparison.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// The version of the program that compared.
    pub version: String,
    /// The game of all runs.
    pub game: GameSummary,
    /// The runs, in the order they were named.
    pub runs: Vec<ComparedRun>,
    /// A match between their strategies, if one was given.
    pub matches: Option<MatchReport>,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparedRun {
    /// Its name; the second of a name has a number.
    pub name: String,
    /// The version of the program that made its report.
    pub version: String,
    /// The seed everything random was derived from.
    pub seed: u64,
    /// Who cannot be told apart.
    pub abstraction: AbstractionSummary,
    /// The solver and its budget.
    pub training: TrainingSummary,
    /// How large things are.
    pub sizes: Sizes,
    /// As in [`RunReport`].
    pub ladder: Vec<Rung>,
    /// As in [`RunReport`].
    pub exploitability: Vec<MilestonePoint>,
    /// As in [`RunReport`].
    pub matches: Vec<MatchRow>,
    /// The share of the strategy's decisions for which training left no average, on average over the matches.
    pub fallback_rate: Option<f64>,
}

impl ComparedRun {
    fn new(report: RunReport, name: String) -> ComparedRun {
        let rates: Vec<f64> = report.matches.iter().filter_map(|row| row.fallback_rate).collect();
        ComparedRun {
            name,
            version: report.version,
            seed: report.seed,
            abstraction: report.abstraction,
            training: report.training,
            sizes: report.sizes,
            ladder: report.ladder,
            exploitability: report.exploitability,
            fallback_rate: (!rates.is_empty()).then(|| rates.iter().sum::<f64>() / rates.len() as f64),
            matches: report.matches,
        }
    }

    fn rung(&self, what: &str) -> Option<&Rung> {
        self.ladder.iter().find(|rung| rung.what == what)
    }

    /// What the strategy won of a bot.
    fn against(&self, bot: &str) -> Option<Estimate> {
        let row = self.matches.iter().find(|row| row.opponents == [bot])?;
        Some(Estimate { value_msb_per_hand: row.mean_msb_per_hand, ci95: row.ci95 })
    }
}

/// A column of results: what it is called and how a run's is found.
struct Column {
    /// In heads of tables.
    head: String,
    /// In full.
    what: String,
    results: Vec<Option<Estimate>>,
}

impl Comparison {
    /// Reports of runs of one game, at least one.
    pub fn new(reports: Vec<RunReport>, version: &str, matches: Option<MatchReport>) -> Comparison {
        let game = reports[0].game.clone();
        let mut runs: Vec<ComparedRun> = Vec::new();
        for report in reports {
            let earlier = |name: &str| runs.iter().any(|run| run.name == name);
            let numbered = (2..).map(|n| format!("{} ({n})", report.name));
            let name = [report.name.clone()].into_iter().chain(numbered).find(|name| !earlier(name));
            runs.push(ComparedRun::new(report, name.expect("numbers do not end")));
        }
        Comparison { version: version.into(), game, runs, matches }
    }

    /// The comparison as indented JSON with a final line break.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a comparison is plain values");
        text.push('\n');
        text
    }

    /// The rungs of all runs, in the order they are come upon.
    fn rungs(&self) -> Vec<Column> {
        let mut columns: Vec<Column> = Vec::new();
        for rung in self.runs.iter().flat_map(|run| &run.ladder) {
            if columns.iter().all(|column| column.what != rung.what) {
                let results = self.runs.iter().map(|run| run.rung(&rung.what)?.result()).collect();
                columns.push(Column { head: rung.name.clone(), what: rung.what.clone(), results });
            }
        }
        // Exploiters with one abstraction that were not trained on as many boards.
        let heads: Vec<String> = columns.iter().map(|column| column.head.clone()).collect();
        for column in &mut columns {
            if heads.iter().filter(|head| **head == column.head).count() > 1 {
                column.head.clone_from(&column.what);
            }
        }
        columns
    }

    /// The bots of all runs, in the order they are come upon.
    fn bots(&self) -> Vec<Column> {
        let mut columns: Vec<Column> = Vec::new();
        for row in self.runs.iter().flat_map(|run| &run.matches) {
            let bot = row.opponents.join(", ");
            if columns.iter().all(|column| column.what != bot) {
                let results = self.runs.iter().map(|run| run.against(&bot)).collect();
                columns.push(Column { head: bot.clone(), what: bot, results });
            }
        }
        columns
    }

    fn fallbacks(&self) -> impl Iterator<Item = String> {
        self.runs.iter().map(|run| run.fallback_rate.map_or("-".into(), units::percent))
    }

    fn setups(&self) -> Vec<[String; 7]> {
        let setup = |run: &ComparedRun| {
            [
                run.name.clone(),
                run.abstraction.name.clone(),
                run.abstraction.history.clone(),
                run.training.solver.clone(),
                units::short(run.sizes.infosets as f64),
                format!("{} {}", units::short(run.training.iterations as f64), run.training.unit),
                format!("{}, {} threads", units::seconds(run.training.seconds), run.training.threads),
            ]
        };
        self.runs.iter().map(setup).collect()
    }
}

/// Heads of the table of set-ups.
const SETUP: [(&str, Align); 7] = [
    ("run", Align::Left),
    ("abstraction", Align::Left),
    ("history", Align::Left),
    ("solver", Align::Left),
    ("infosets", Align::Right),
    ("iterations", Align::Right),
    ("training time", Align::Right),
];

/// The comparison for a terminal.
pub fn text(comparison: &Comparison) -> String {
    let mut parts = vec![plain(&SETUP, comparison.setups().into_iter().map(Vec::from).collect())];
    let results = |corner: &str, columns: &[Column], last: Option<(&str, Vec<String>)>| {
        let mut heads = vec![(corner, Align::Left)];
        heads.extend(columns.iter().map(|column| (column.head.as_str(), Align::Right)));
        heads.extend(last.iter().map(|(head, _)| (*head, Align::Right)));
        let line = |(i, run): (usize, &ComparedRun)| {
            let mut line = vec![run.name.clone()];
            line.extend(columns.iter().map(|column| shown(column.results[i])));
            line.extend(last.iter().map(|(_, cells)| cells[i].clone()));
            line
        };
        plain(&heads, comparison.runs.iter().enumerate().map(line).collect())
    };
    let rungs = comparison.rungs();
    if !rungs.is_empty() {
        parts.push(results("msb/h lost at least", &rungs, None));
    }
    let bots = comparison.bots();
    if !bots.is_empty() {
        let fallbacks = comparison.fallbacks().collect();
        parts.push(results("msb/h won against", &bots, Some(("fallback", fallbacks))));
    }
    if let Some(report) = &comparison.matches {
        parts.extend([cross_table::ranking(report), cross_table::text(report)]);
    }
    parts.join("\n")
}

fn shown(result: Option<Estimate>) -> String {
    result.map_or("-".into(), |result| units::interval(result.value_msb_per_hand, result.ci95))
}

/// The comparison as CSV with a head, a record for each run: its set-up and cost, then mean and interval of each rung and
/// against each bot. Figures are not rounded; what is unknown is empty.
pub fn csv(comparison: &Comparison) -> String {
    let mut head = [
        "run",
        "abstraction",
        "abstraction_fingerprint",
        "history",
        "solver",
        "weighting",
        "infosets",
        "iterations",
        "unit",
        "seconds",
        "threads",
    ]
    .map(String::from)
    .to_vec();
    let (rungs, bots) = (comparison.rungs(), comparison.bots());
    let columns: Vec<&Column> = rungs.iter().chain(&bots).collect();
    for rung in &rungs {
        head.extend([format!("lost_msb_per_hand:{}", rung.what), format!("ci95:{}", rung.what)]);
    }
    for bot in &bots {
        head.extend([format!("won_msb_per_hand:{}", bot.what), format!("ci95:{}", bot.what)]);
    }
    head.push("fallback_rate".into());
    let mut records = vec![head];
    for (i, run) in comparison.runs.iter().enumerate() {
        let ComparedRun { abstraction, training, sizes, .. } = run;
        let mut record = vec![
            run.name.clone(),
            abstraction.name.clone(),
            abstraction.fingerprint.clone(),
            abstraction.history.clone(),
            training.solver.clone(),
            training.weighting.clone(),
            sizes.infosets.to_string(),
            training.iterations.to_string(),
            training.unit.clone(),
            number(training.seconds),
            training.threads.to_string(),
        ];
        for column in &columns {
            record.extend(column.results[i].map_or([String::new(), String::new()], |result| {
                [number(result.value_msb_per_hand), number(result.ci95)]
            }));
        }
        record.push(run.fallback_rate.map_or_else(String::new, number));
        records.push(record);
    }
    csv_text(&records)
}

/// The comparison as LaTeX `tabular`s with the rules of the package `booktabs`: set-up and cost, what each loses, what each
/// wins, and the match if there is one.
pub fn latex(comparison: &Comparison) -> String {
    let origin = format!("doorcard {}, {}", comparison.version, comparison.game.name);
    let mut text = format!("% {}\n", on_one_line(&origin));
    text += "% msb/h with 95% confidence intervals; \\usepackage{booktabs}\n";
    let heads = SETUP.map(|(head, _)| head.to_string());
    let rows = comparison.setups().into_iter().map(|row| row.map(|cell| escape(&cell)).to_vec());
    text += &tabular("llllrrr", &heads, rows);
    let results = |columns: &[Column], last: Option<(&str, Vec<String>)>| {
        let mut heads = vec!["run".to_string()];
        heads.extend(columns.iter().map(|column| escape(&column.head)));
        heads.extend(last.iter().map(|(head, _)| head.to_string()));
        let rows = comparison.runs.iter().enumerate().map(|(i, run)| {
            let mut row = vec![escape(&run.name)];
            row.extend(columns.iter().map(|column| {
                let figure = |result: Estimate| math(result.value_msb_per_hand, result.ci95);
                column.results[i].map_or("--".into(), figure)
            }));
            row.extend(last.iter().map(|(_, cells)| escape(&cells[i])));
            row
        });
        tabular(&format!("l{}", "r".repeat(heads.len() - 1)), &heads, rows)
    };
    let (rungs, bots) = (comparison.rungs(), comparison.bots());
    if !rungs.is_empty() {
        text += "\n% lost at least; lower bounds are not the exploitability\n";
        text += &results(&rungs, None);
    }
    if !bots.is_empty() {
        text += "\n% won against bots\n";
        text += &results(&bots, Some(("fallback", comparison.fallbacks().collect())));
    }
    if let Some(report) = &comparison.matches {
        text += &format!("\n{}", cross_table::latex(report));
    }
    text
}

fn tabular(columns: &str, heads: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text =
        format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n{} \\\\\n\\midrule\n", heads.join(" & "));
    for row in rows {
        text += &format!("{} \\\\\n", row.join(" & "));
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::html::tests::sample as report;

    /// Two runs, of which the second has one rung less and one bot less.
    pub(crate) fn sample() -> Comparison {
        let mut other = RunReport { name: "rank_10m".into(), ..report() };
        other.ladder.truncate(2);
        other.ladder[0].value_msb_per_hand = Some(61.25);
        other.matches.truncate(2);
        for point in &mut other.exploitability {
            point.value_msb_per_hand *= 0.7;
            point.seconds = point.seconds.map(|seconds| seconds * 9.0);
        }
        Comparison::new(vec![report(), other], "0.1.0", Some(cross_table::tests::sample()))
    }

    #[test]
    fn runs_are_lined_up_for_a_terminal() {
        let text = text(&sample());
        let line = |start: &str, nth: usize| {
            let found: Vec<&str> = text.lines().filter(|line| line.starts_with(start)).collect();
            found[nth].split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
        };
        assert_eq!(
            line("quickstart", 0),
            [
                "quickstart",
                "percentile",
                "aggressor",
                "external sampling",
                "13.5 M",
                "2.00 M deals",
                "1 min 15 s, 2 threads"
            ]
        );
        assert_eq!(
            line("msb/h lost", 0),
            ["msb/h lost at least", "lbr 5-7", "lbr 4-7", "lbr 3-7", "exploiter default_percentile"]
        );
        assert_eq!(line("quickstart", 1)[1..], ["+85.3 ± 11.5", "-3.4 ± 16.2", "-", "+112.7 ± 9.8"]);
        assert_eq!(line("rank_10m", 1)[1..], ["+61.3 ± 11.5", "-3.4 ± 16.2", "-", "-"]);
        assert_eq!(
            line("rank_10m", 2),
            ["rank_10m", "+812.4 ± 9.1", "+1,904.0 ± 21.5", "-", "-", "-", "-", "1.3 %"]
        );
        // The match between them.
        assert!(text.contains("msb/h against"), "{text}");
    }

    #[test]
    fn csv_has_a_record_for_each_run() {
        let text = csv(&sample());
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let head = reader.headers().unwrap().clone();
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let cell = |run: usize, name: &str| {
            &records[run]
                [head.iter().position(|head| head == name).unwrap_or_else(|| panic!("{name}: {text}"))]
        };
        assert_eq!(records.len(), 2);
        assert_eq!(cell(1, "run"), "rank_10m");
        assert_eq!(cell(0, "abstraction_fingerprint"), "0123456789abcdef");
        assert_eq!(cell(1, "lost_msb_per_hand:local best response, streets 5-7"), "61.25");
        assert_eq!(cell(0, "lost_msb_per_hand:exploiter, default_percentile, 100,000 boards"), "112.7");
        assert_eq!(cell(1, "lost_msb_per_hand:exploiter, default_percentile, 100,000 boards"), "");
        assert_eq!((cell(0, "won_msb_per_hand:rock"), cell(1, "won_msb_per_hand:rock")), ("71.3", ""));
        assert_eq!((cell(0, "seconds"), cell(0, "infosets")), ("75.2", "13512000"));
    }

    #[test]
    fn latex_has_set_up_bounds_bots_and_the_match() {
        let text = latex(&sample());
        assert_eq!(text.matches("\\begin{tabular}").count(), 4);
        assert_eq!(text.matches("\\toprule").count(), text.matches("\\bottomrule").count());
        for part in [
            "run & lbr 5-7 & lbr 4-7 & lbr 3-7 & exploiter default\\_percentile \\\\",
            "rank\\_10m & $+61.3 \\pm 11.5$ & $-3.4 \\pm 16.2$ & -- & -- \\\\",
            "& 1.3 \\% \\\\",
            "lower bounds are not the exploitability",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn a_comparison_survives_being_written_and_read() {
        let comparison = sample();
        let read: Comparison = serde_json::from_str(&comparison.to_json()).unwrap();
        assert!(read == comparison);
    }

    #[test]
    fn names_and_measures_are_told_apart() {
        let mut longer = report();
        longer.ladder[3].what = "exploiter, default_percentile, 200,000 boards".into();
        let comparison = Comparison::new(vec![report(), longer, report()], "0.1.0", None);
        let names: Vec<&str> = comparison.runs.iter().map(|run| run.name.as_str()).collect();
        assert_eq!(names, ["quickstart", "quickstart (2)", "quickstart (3)"]);
        let heads: Vec<String> = comparison.rungs().into_iter().map(|column| column.head).collect();
        assert_eq!(heads[0], "lbr 5-7");
        assert!(heads[3].ends_with("100,000 boards") && heads[4].ends_with("200,000 boards"), "{heads:?}");
    }
}
