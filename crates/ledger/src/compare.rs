//! Whether two results may be compared, and what the difference is.
//!
//! Results may be compared that were made in the same way: the same measure and settings, game, rules, seed and hands,
//! against the same opponents in the same order around the table (strategies by their fingerprints, bots by their names),
//! by versions of the program that agree in their first number (below 1.0 in their second, too). All that may differ is
//! whose results they are.
//!
//! Results of one seed rest on the same deals. Where their observations were kept, the interval is that of the differences
//! deal by deal (Student's paired comparison), in which the luck of the cards cancels for what it hits alike. Then one may
//! have been made from more hands than the other, as matches that end at an interval are: the deals of both are compared.

use crate::{Ledger, LedgerError, PlayerRecord, Recorded};
use doorcard_eval::stats::{MeanCi, paired_difference};
use serde::Serialize;
use std::collections::BTreeSet;

/// A condition under which two results were not made alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The condition.
    pub what: String,
    /// What it was of the first result.
    pub first: String,
    /// What it was of the second result.
    pub second: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} against {}", self.what, self.first, self.second)
    }
}

/// What a comparison came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The difference.
    Compared(Comparison),
    /// The results were made under different conditions, and these are what differs.
    Refused(Vec<Difference>),
}

/// The difference of two results, the first minus the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The difference deal by deal, if both results have their observations; the count is the deals.
    pub paired: Option<MeanCi>,
    /// The difference with an interval that takes the results for independent. On the same deals they rarely are: it is
    /// usually too wide.
    pub unpaired: MeanCi,
}

impl Comparison {
    /// The better one of the two.
    pub fn difference(&self) -> MeanCi {
        self.paired.unwrap_or(self.unpaired)
    }

    /// How many times narrower pairing makes the interval; nothing where it is not known.
    pub fn narrower(&self) -> Option<f64> {
        let factor = self.unpaired.ci95 / self.paired?.ci95;
        factor.is_finite().then_some(factor)
    }
}

/// The conditions that say how many hands there were.
const LENGTHS: [&str; 2] = ["hands", "deals"];

impl Ledger {
    /// Compares two results of this ledger, or says why not.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn compare(&self, first: &Recorded, second: &Recorded) -> Result<Verdict, LedgerError> {
        let observations = [self.observations(first.id)?, self.observations(second.id)?];
        let mut differing = differences(first, second);
        let mut paired = None;
        if let [Some(first), Some(second)] = &observations {
            let both = first.len().min(second.len());
            paired = paired_difference(&first[..both], &second[..both]).filter(|_| both > 1);
        }
        if paired.is_some() {
            differing.retain(|difference| !LENGTHS.contains(&&*difference.what));
        }
        if !differing.is_empty() {
            return Ok(Verdict::Refused(differing));
        }
        let unpaired = first.value().minus_independent(second.value());
        Ok(Verdict::Compared(Comparison { paired, unpaired }))
    }
}

impl Recorded {
    /// The value with its interval and the number of deals.
    pub fn value(&self) -> MeanCi {
        let entry = &self.entry;
        MeanCi { mean: entry.value_msb_per_hand, ci95: entry.ci95, count: entry.deals }
    }

    fn opponents(&self) -> &[PlayerRecord] {
        self.entry.players.get(1..).unwrap_or_default()
    }
}

/// All conditions that differ, in the order in which a reader would ask.
pub(crate) fn differences(first: &Recorded, second: &Recorded) -> Vec<Difference> {
    let (a, b) = (&first.entry, &second.entry);
    let mut differing = Vec::new();
    let mut unless = |same: bool, what: &str, first: String, second: String| {
        if !same {
            differing.push(Difference { what: what.into(), first, second });
        }
    };
    unless(a.kind == b.kind, "measure", a.kind.clone(), b.kind.clone());
    unless(a.game == b.game, "game", a.game.clone(), b.game.clone());
    for (key, first, second) in differing_rules(&a.rules, &b.rules) {
        unless(false, &format!("rules, {key}"), first, second);
    }
    unless(a.seed == b.seed, "seed", a.seed.to_string(), b.seed.to_string());
    unless(a.hands == b.hands, "hands", a.hands.to_string(), b.hands.to_string());
    unless(a.deals == b.deals, "deals", a.deals.to_string(), b.deals.to_string());
    let keys: BTreeSet<&String> = a.settings.keys().chain(b.settings.keys()).collect();
    for key in keys {
        let (first, second) = (a.settings.get(key), b.settings.get(key));
        let shown = |value: Option<&serde_json::Value>| value.map_or("not set".into(), ToString::to_string);
        unless(first == second, key, shown(first), shown(second));
    }
    let identities = |result: &Recorded| -> Vec<String> {
        result.opponents().iter().map(|player| player.identity().to_string()).collect()
    };
    let names = |result: &Recorded| {
        let names: Vec<String> = result.opponents().iter().map(PlayerRecord::to_string).collect();
        if names.is_empty() { "none".into() } else { names.join(", ") }
    };
    unless(identities(first) == identities(second), "opponents", names(first), names(second));
    unless(
        compatible(&a.version) == compatible(&b.version),
        "version of doorcard",
        a.version.clone(),
        b.version.clone(),
    );
    differing
}

/// The part of a version that has to be the same: `1` of 1.4.2, `0.3` of 0.3.1 (semantic versioning).
fn compatible(version: &str) -> &str {
    let dots = if version.starts_with("0.") { 2 } else { 1 };
    version.match_indices('.').nth(dots - 1).map_or(version, |(end, _)| &version[..end])
}

/// The settings that differ, by their names, as they stand in both texts.
fn differing_rules(first: &str, second: &str) -> Vec<(String, String, String)> {
    let key = |line: &str| line.split_once('=').map_or(line, |(key, _)| key).trim().to_string();
    let own = |text: &str, other: &str| -> Vec<String> {
        let others: BTreeSet<&str> = other.lines().collect();
        text.lines().filter(|line| !others.contains(line)).map(String::from).collect()
    };
    let (ours, theirs) = (own(first, second), own(second, first));
    let keys: BTreeSet<String> = ours.iter().chain(&theirs).map(|line| key(line)).collect();
    let of = |lines: &[String], wanted: &str| {
        let found = lines.iter().find(|line| key(line) == wanted);
        found.map_or("not set".into(), |line| line.trim().to_string())
    };
    keys.into_iter().map(|key| (key.clone(), of(&ours, &key), of(&theirs, &key))).collect()
}

#[cfg(test)]
mod tests;
