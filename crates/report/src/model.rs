//! The data of a report.

use crate::ReportError;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Everything a run has to show. Its JSON is `report.json`.
///
/// All but the fields that record time (`seconds`, `nodes_per_second`, `threads`) repeat byte for byte with the same
/// configuration and seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunReport {
    /// The experiment's name.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// The seed everything random was derived from.
    pub seed: u64,
    /// The game.
    pub game: GameSummary,
    /// Who cannot be told apart.
    pub abstraction: AbstractionSummary,
    /// The solver and its budget.
    pub training: TrainingSummary,
    /// How large things are.
    pub sizes: Sizes,
    /// The state of training at its checkpoints, in order.
    pub curve: Vec<CurvePoint>,
    /// The trained strategy against each bot, one row each.
    pub matches: Vec<MatchRow>,
    /// What the strategy can lose to somebody who knows it, one measure each; empty where none was asked for.
    #[serde(default)]
    pub ladder: Vec<Rung>,
    /// The same measure of strategies along training, earlier ones first; empty where none was asked for.
    #[serde(default)]
    pub exploitability: Vec<MilestonePoint>,
    /// How the strategy plays third street; absent where it was not computed.
    pub third_street: Option<ThirdStreetChart>,
    /// What to do next, in one line.
    pub next: String,
}

/// A game in words and numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSummary {
    /// The profile's name.
    pub name: String,
    /// One line: variant, betting, stakes.
    pub description: String,
    /// Seats.
    pub players: usize,
    /// The small bet, the unit of msb/h. Units: chips.
    pub small_bet: i64,
}

/// A card abstraction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AbstractionSummary {
    /// Family and name.
    pub name: String,
    /// The content's hash, 16 hexadecimal digits.
    pub fingerprint: String,
    /// How much of the betting history an infoset keeps.
    pub history: String,
    /// Buckets on each street.
    pub streets: Vec<StreetBuckets>,
}

/// Buckets of one street.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreetBuckets {
    /// The street's name.
    pub street: String,
    /// Groups of boards (both players' up cards).
    pub public: usize,
    /// Groups of hidden cards within a group of boards.
    pub private: usize,
}

/// The solver and what it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingSummary {
    /// The solver.
    pub solver: String,
    /// How iterations are weighted.
    pub weighting: String,
    /// What iterations are: "deals" or "boards".
    pub unit: String,
    /// Deals or boards traversed, once for each player.
    pub iterations: u64,
    /// Deals or boards traversed against one frozen strategy.
    pub batch: u64,
    /// Decision nodes visited.
    pub nodes: u64,
    /// Worker threads of the last session.
    pub threads: usize,
    /// Training time over all sessions.
    pub seconds: f64,
}

/// How large things are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Information sets of the abstract game.
    pub infosets: u64,
    /// Infoset-action pairs: the length of the table.
    pub slots: u64,
    /// The table in memory during training.
    pub table_bytes: u64,
    /// The abstraction's file.
    pub abstraction_bytes: u64,
    /// The exported strategy's file.
    pub strategy_bytes: u64,
}

/// The state of training after some iterations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurvePoint {
    /// Deals traversed so far.
    pub iteration: u64,
    /// Training time so far, over all sessions.
    pub seconds: f64,
    /// Decision nodes visited so far.
    pub nodes: u64,
    /// Decision nodes visited per second since the point before.
    pub nodes_per_second: f64,
    /// Regret updates so far per infoset of the table.
    pub regret_visits_per_infoset: f64,
    /// Updates of the average strategy so far per infoset of the table.
    pub average_visits_per_infoset: f64,
    /// Share of infosets whose regrets were updated at least once.
    pub visited: f64,
    /// Share of infosets whose average strategy was updated at least once.
    pub averaged: f64,
    /// Sum over infosets of the largest positive cumulative regret as sampled, divided by the total weight of the
    /// iterations. It tells whether training still moves and bounds nothing: the theorem that would make it a bound
    /// needs exact regrets and players who forget nothing, and an abstraction's players do forget. Units: chips,
    /// added up over infosets.
    pub summed_positive_regret: f64,
}

/// A measure of what a strategy can lose to somebody who knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rung {
    /// The measure: "lbr" or "exploiter".
    pub measure: String,
    /// The measure with what tells it from others of its kind, for heads of tables.
    pub name: String,
    /// What was measured, in words.
    pub what: String,
    /// What the value says of the exploitability.
    pub bound: Bound,
    /// What the strategy lost on average; absent where it could not be measured. Units: thousandths of a small bet per
    /// hand.
    pub value_msb_per_hand: Option<f64>,
    /// Half the width of the 95% confidence interval around it.
    pub ci95: Option<f64>,
    /// Hands played.
    pub hands: u64,
    /// Anything else worth knowing, such as why it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What a value says of the quantity that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The quantity is not less.
    Lower,
    /// The quantity is not more.
    Upper,
    /// Neither is known.
    None,
}

/// A value with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean. Units: thousandths of a small bet per hand.
    pub value_msb_per_hand: f64,
    /// Half the width of the 95% confidence interval around it.
    pub ci95: f64,
}

impl Estimate {
    /// Whether the whole interval lies above zero. If not, a lower bound proves nothing.
    pub fn is_positive(&self) -> bool {
        self.value_msb_per_hand - self.ci95 > 0.0
    }
}

impl Rung {
    /// What was measured; nothing where it could not be.
    pub fn result(&self) -> Option<Estimate> {
        let value_msb_per_hand = self.value_msb_per_hand?;
        Some(Estimate { value_msb_per_hand, ci95: self.ci95.unwrap_or(f64::INFINITY) })
    }

    /// The largest lower bound of those that prove anything: the figure to quote.
    pub fn best(rungs: &[Rung]) -> Option<(&Rung, Estimate)> {
        let proven = rungs.iter().filter(|rung| rung.bound == Bound::Lower).filter_map(|rung| {
            let result = rung.result().filter(Estimate::is_positive)?;
            Some((rung, result))
        });
        proven.max_by(|a, b| a.1.value_msb_per_hand.total_cmp(&b.1.value_msb_per_hand))
    }

    /// Whether it is a lower bound that is not known to lie above zero.
    pub fn proves_nothing(&self) -> bool {
        self.bound == Bound::Lower && self.result().is_some_and(|result| !result.is_positive())
    }
}

/// What a strategy that was kept along training could lose by one measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MilestonePoint {
    /// Deals or boards traversed until then.
    pub iteration: u64,
    /// Training time until then, over all sessions; absent where it was not recorded.
    pub seconds: Option<f64>,
    /// The measure, in words.
    pub what: String,
    /// What the strategy lost on average. Units: thousandths of a small bet per hand.
    pub value_msb_per_hand: f64,
    /// Half the width of the 95% confidence interval around it.
    #[serde(deserialize_with = "null_is_infinite")]
    pub ci95: f64,
    /// Hands played.
    pub hands: u64,
}

/// Matches between players. Its JSON is what `match --json` prints and what `matches/*.json` hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchReport {
    /// The version of the program that played it.
    #[serde(default)]
    pub version: String,
    /// The game's profile.
    pub game: String,
    /// Hands played in each match.
    pub hands: u64,
    /// The seed of the deals.
    pub seed: u64,
    /// The fingerprint of the strategy that the first player plays, 16 hexadecimal digits, in the matches of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// One row for each player and its opponents.
    pub table: Vec<MatchRow>,
    /// The players by what they won at all their tables, best first; empty where there was one table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<Ranked>,
    /// Every player against every other, over all tables where both sat; empty where there was one table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cross: Vec<CrossCell>,
    /// The numbers of the rows in the ledger they were added to; empty in the files of a run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ledger: Vec<i64>,
}

/// What a player won at all its tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranked {
    /// The player.
    pub player: String,
    /// The mean of its winnings over all its tables, each of the same weight. Units: thousandths of a small bet per hand.
    pub mean_msb_per_hand: f64,
    /// Half the width of the 95% confidence interval, from the spread over whole decks: what all tables made of a deck is
    /// one observation. Infinite after a single deck; in JSON that is null.
    #[serde(deserialize_with = "null_is_infinite")]
    pub ci95: f64,
    /// Tables where it sat.
    pub tables: usize,
    /// Hands it played.
    pub hands: u64,
}

/// What a player won at the tables where another sat too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossCell {
    /// The player.
    pub player: String,
    /// The other.
    pub opponent: String,
    /// The mean of the player's winnings. Units: thousandths of a small bet per hand.
    pub mean_msb_per_hand: f64,
    /// Half the width of the 95% confidence interval; as in [`Ranked`].
    #[serde(deserialize_with = "null_is_infinite")]
    pub ci95: f64,
    /// Tables where both sat.
    pub tables: usize,
}

/// One player's result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchRow {
    /// The player.
    pub bot: String,
    /// Who else sat at the table.
    pub opponents: Vec<String>,
    /// The mean of its winnings. Units: thousandths of a small bet per hand.
    pub mean_msb_per_hand: f64,
    /// Half the width of the 95% confidence interval around the mean, from the spread of whole duplicates. Infinite
    /// after a single duplicate, which has no spread; in JSON that is null.
    #[serde(deserialize_with = "null_is_infinite")]
    pub ci95: f64,
    /// Hands played: duplicates times seats.
    pub hands: u64,
    /// Decks dealt; each was played once for every rotation of the seats.
    pub duplicates: u64,
    /// Of a trained strategy: the share of its decisions in this match for which it had no average strategy and fell
    /// back to something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback_rate: Option<f64>,
    /// Of an external bot: how many of its decisions in this match were lost to faults, by the kind of fault; kinds that
    /// did not occur are absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<BTreeMap<String, u64>>,
    /// The same mean by AIVAT, if the match was valued so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aivat: Option<AivatResult>,
}

impl MatchReport {
    /// Reads a match's file.
    ///
    /// # Errors
    /// Names the file when it cannot be read or holds no match.
    pub fn load(path: &Path) -> Result<MatchReport, ReportError> {
        let text = std::fs::read_to_string(path).map_err(ReportError::io(path))?;
        serde_json::from_str(&text).map_err(|source| ReportError::Json { path: path.into(), source })
    }

    /// The players by what they won, best first, also where there was one table.
    pub fn standings(&self) -> Vec<Ranked> {
        if !self.ranking.is_empty() {
            return self.ranking.clone();
        }
        let ranked = |row: &MatchRow| Ranked {
            player: row.bot.clone(),
            mean_msb_per_hand: row.mean_msb_per_hand,
            ci95: row.ci95,
            tables: 1,
            hands: row.hands,
        };
        let mut standings: Vec<Ranked> = self.table.iter().map(ranked).collect();
        standings.sort_by(|a, b| b.mean_msb_per_hand.total_cmp(&a.mean_msb_per_hand));
        standings
    }
}

/// JSON has no infinity and is given null in its place.
fn null_is_infinite<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
}

/// A result by AIVAT: without bias, with less luck.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AivatResult {
    /// The mean worth of its hands. Units: thousandths of a small bet per hand.
    pub mean_msb_per_hand: f64,
    /// Half the width of the 95% confidence interval around it, from whole duplicates.
    #[serde(deserialize_with = "null_is_infinite")]
    pub ci95: f64,
    /// By which part the standard deviation of single hands is smaller than that of what was won: 0.8 leaves a fifth.
    pub deviation_cut: f64,
}

impl MatchRow {
    /// Whether the whole interval lies above zero.
    pub fn wins(&self) -> bool {
        self.mean_msb_per_hand - self.ci95 > 0.0
    }

    /// Whether the whole interval lies below zero.
    pub fn loses(&self) -> bool {
        self.mean_msb_per_hand + self.ci95 < 0.0
    }
}

/// How a strategy plays the first round: frequencies of actions by door cards and by class of hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThirdStreetChart {
    /// How the frequencies were obtained.
    pub method: String,
    /// Own door cards, in the order of the chart.
    pub own: Vec<String>,
    /// Groups of the opponent's door card, in the order of the chart.
    pub opponents: Vec<String>,
    /// Classes of hands, in the order of the chart.
    pub hands: Vec<String>,
    /// The decisions.
    pub scenarios: Vec<ChartScenario>,
}

/// One decision of the first round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChartScenario {
    /// What has happened, in words.
    pub title: String,
    /// The actions, in the order of `frequencies`.
    pub actions: Vec<ChartAction>,
    /// The situations that can arise; others are absent.
    pub cells: Vec<ChartCell>,
}

/// An action of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChartAction {
    /// Its name.
    pub name: String,
    /// Its colour's meaning.
    pub kind: ActionKind,
}

/// What an action does, whatever it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// Gives up the pot.
    Fold,
    /// Puts in no more than it must: check, call, bring-in.
    Passive,
    /// Bets, completes or raises.
    Aggressive,
}

/// One situation of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChartCell {
    /// One of [`ThirdStreetChart::own`].
    pub own: String,
    /// One of [`ThirdStreetChart::opponents`].
    pub opponent: String,
    /// One of [`ThirdStreetChart::hands`].
    pub hand: String,
    /// The situation's share of all deals that reach the decision when both players play the strategy.
    pub weight: f64,
    /// How often each action is taken; they sum to one.
    pub frequencies: Vec<f64>,
}

impl RunReport {
    /// The report as indented JSON with a final line break.
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("a report has no maps and no failing serializers");
        text.push('\n');
        text
    }

    /// Reads a `report.json`.
    ///
    /// # Errors
    /// Names the file when it cannot be read or is not a report.
    pub fn load(path: &Path) -> Result<RunReport, ReportError> {
        let text = std::fs::read_to_string(path).map_err(ReportError::io(path))?;
        serde_json::from_str(&text).map_err(|source| ReportError::Json { path: path.into(), source })
    }
}

impl ChartScenario {
    /// The weighted mean of the frequencies over the cells that `keep` selects, and their total weight; nothing if
    /// they have no weight.
    pub fn mean(&self, keep: impl Fn(&ChartCell) -> bool) -> Option<(Vec<f64>, f64)> {
        let mut sum = vec![0.0; self.actions.len()];
        let mut weight = 0.0;
        for cell in self.cells.iter().filter(|cell| keep(cell)) {
            weight += cell.weight;
            for (sum, frequency) in sum.iter_mut().zip(&cell.frequencies) {
                *sum += cell.weight * frequency;
            }
        }
        (weight > 0.0).then(|| (sum.iter().map(|sum| sum / weight).collect(), weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_survives_being_written_and_read() {
        let report = crate::html::tests::sample();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("report.json");
        std::fs::write(&path, report.to_json()).unwrap();
        assert!(RunReport::load(&path).unwrap() == report);
    }

    #[test]
    fn a_report_from_before_there_were_ladders_is_read() {
        let report = crate::html::tests::sample();
        let mut json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
        assert_eq!(json["ladder"][2]["value_msb_per_hand"], serde_json::Value::Null);
        for field in ["ladder", "exploitability"] {
            json.as_object_mut().unwrap().remove(field).unwrap();
        }
        let read: RunReport = serde_json::from_value(json).unwrap();
        assert!(read == RunReport { ladder: vec![], exploitability: vec![], ..report });
    }

    #[test]
    fn the_best_rung_is_the_largest_lower_bound_that_is_proven() {
        let rungs = crate::html::tests::sample().ladder;
        assert_eq!(Rung::best(&rungs).unwrap().0.measure, "exploiter");
        assert_eq!(Rung::best(&rungs[..3]).unwrap().0.name, "lbr 5-7");
        assert!(
            Rung::best(&rungs[1..3]).is_none() && rungs[1].proves_nothing() && !rungs[2].proves_nothing()
        );
        let upper = Rung { bound: Bound::Upper, ..rungs[3].clone() };
        assert!(Rung::best(&[upper]).is_none());
    }

    #[test]
    fn an_interval_without_an_end_survives_too() {
        let mut report = crate::html::tests::sample();
        report.matches[0].ci95 = f64::INFINITY;
        assert!(report.to_json().contains("\"ci95\": null"));
        let read: RunReport = serde_json::from_str(&report.to_json()).unwrap();
        assert_eq!(read.matches, report.matches);
        assert!(!read.matches[0].wins() && !read.matches[0].loses());
    }

    #[test]
    fn a_broken_report_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("report.json");
        std::fs::write(&path, "{\"name\": 3}").unwrap();
        let message = RunReport::load(&path).unwrap_err().to_string();
        assert!(message.contains("report.json") && message.contains("line 1"), "{message}");
        let message = RunReport::load(&dir.path().join("absent.json")).unwrap_err().to_string();
        assert!(message.contains("absent.json"), "{message}");
    }

    #[test]
    fn means_are_weighted() {
        let cell = |weight, fold: f64| ChartCell {
            own: "K".into(),
            opponent: "2-5".into(),
            hand: "rest".into(),
            weight,
            frequencies: vec![fold, 1.0 - fold],
        };
        let action = |name: &str, kind| ChartAction { name: name.into(), kind };
        let scenario = ChartScenario {
            title: "t".into(),
            actions: vec![action("fold", ActionKind::Fold), action("call", ActionKind::Passive)],
            cells: vec![cell(0.3, 1.0), cell(0.1, 0.0)],
        };
        let (mean, weight) = scenario.mean(|_| true).unwrap();
        assert!(
            (mean[0] - 0.75).abs() < 1e-12 && (mean[1] - 0.25).abs() < 1e-12 && (weight - 0.4).abs() < 1e-12
        );
        assert_eq!(scenario.mean(|cell| cell.own == "A"), None);
    }
}
