//! What a ledger says of a result.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// The kind of what a player won at one table of a match.
pub const MATCH: &str = "match";

/// The kind of what local best response won of a player.
pub const LBR: &str = "lbr";

/// The [kind](Entry::kind) of what a trained exploiter won of a strategy.
pub const EXPLOITER: &str = "exploiter";

/// A result to be added to a ledger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// What was measured, such as [`MATCH`] or [`LBR`].
    pub kind: String,
    /// The version of the program that measured it.
    pub version: String,
    /// The game's name.
    pub game: String,
    /// The rules in full, one setting a line.
    pub rules: String,
    /// The seed of cards and choices.
    pub seed: u64,
    /// Hands played.
    pub hands: u64,
    /// How it was measured beyond that, such as the street on which a responder begins.
    pub settings: BTreeMap<String, Value>,
    /// Whose result it is, then the others in the order around the table.
    pub players: Vec<PlayerRecord>,
    /// The mean. Units: thousandths of a small bet per hand.
    pub value_msb_per_hand: f64,
    /// Half the width of its 95% confidence interval; infinite if unknown.
    pub ci95: f64,
    /// What the value says of the quantity that is meant.
    pub bound: Bound,
    /// Independent observations: decks of a match, hands of local best response.
    pub deals: u64,
    /// One observation for each deal, whose mean is the value; empty where they were not kept.
    /// Shape: `[deal]`. Units: thousandths of a small bet per hand.
    #[serde(skip)]
    pub observations: Vec<f32>,
}

/// A player of a result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerRecord {
    /// A bot's name, or what a strategy's file is called.
    pub name: String,
    /// Of a strategy: its file's fingerprint, 16 hexadecimal digits.
    pub fingerprint: Option<String>,
    /// Of a strategy: how many iterations it was trained for.
    pub iteration: Option<u64>,
    /// Of a strategy: the name of its abstraction.
    pub abstraction: Option<String>,
    /// Of a strategy: the fingerprint of its abstraction, 16 hexadecimal digits.
    pub abstraction_fingerprint: Option<String>,
    /// Of a strategy: the configuration of its experiment, where known.
    pub config: Option<String>,
}

impl PlayerRecord {
    /// Who plays whatever it is called: strategies by their fingerprints, bots by their names.
    pub(crate) fn identity(&self) -> &str {
        self.fingerprint.as_deref().unwrap_or(&self.name)
    }
}

/// For people: the name, and of a strategy the fingerprint.
impl std::fmt::Display for PlayerRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.fingerprint {
            Some(fingerprint) => write!(f, "{} ({fingerprint})", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// What a value says of the quantity that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// It is an estimate of the quantity itself.
    None,
    /// The quantity is not less.
    Lower,
    /// The quantity is not more.
    Upper,
    /// It is the quantity.
    Exact,
}

impl Bound {
    const ALL: [Bound; 4] = [Bound::None, Bound::Lower, Bound::Upper, Bound::Exact];

    /// The word that files have for it.
    pub fn word(self) -> &'static str {
        match self {
            Bound::None => "none",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
            Bound::Exact => "exact",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Bound> {
        Bound::ALL.into_iter().find(|bound| bound.word() == word)
    }
}

/// A result of a ledger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recorded {
    /// Its number, from 1 in the order in which results were added.
    pub id: i64,
    /// The number of the first of the results that were added together with it.
    pub batch: i64,
    /// When it was added: RFC 3339, UTC.
    pub time: String,
    /// A hash of the rules, 16 hexadecimal digits.
    pub rules_hash: String,
    /// Whether there is an observation for each deal.
    pub per_deal: bool,
    /// The result. [`Entry::observations`] are left in the file: [`Ledger::observations`](crate::Ledger::observations)
    /// reads them.
    #[serde(flatten)]
    pub entry: Entry,
}

/// The hash by which rules are known.
pub(crate) fn rules_hash(rules: &str) -> String {
    format!("{:016x}", xxh3_64(rules.as_bytes()))
}
