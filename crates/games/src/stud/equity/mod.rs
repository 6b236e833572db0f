//! The share of the pot that hands win on average, with the unknown cards dealt at random and nobody folding.
//!
//! Small problems are solved exactly: by listing every deal, or, for two hands, by a pass over the completions of
//! each. Larger ones are sampled. Which of them is decided by counting first, against a [`Budget`].
//!
//! Every hand is completed to seven cards from those that nobody holds and that are not dead. Where they do not
//! suffice (eight hands, or many dead cards), the last card is shared: one community river for all hands that are
//! not complete. Burnt cards are not modelled: unseen cards are exchangeable.

mod enumerate;
mod hand;
mod sample;
mod sweep;
mod tally;

pub use hand::HandSpec;

use super::showdown::Strength;
use super::{MAX_PLAYERS, StudError, Variant};
use arrayvec::ArrayVec;
use doorcard_cards::rank7::{HandKey, high};
use doorcard_cards::{Card, CardSet, low};
use serde::{Deserialize, Serialize};
use tally::Tally;

/// How much work an answer may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Problems up to this size are solved exactly. Units: deals, or steps of like cost; a few nanoseconds.
    pub exact_work: u64,
    /// How many deals are drawn for others.
    pub samples: u64,
}

impl Default for Budget {
    /// Up to two or three seconds on one core, and 95% confidence intervals of at most 0.05 percentage points.
    fn default() -> Budget {
        Budget { exact_work: 400_000_000, samples: Budget::samples_for(0.0005) }
    }
}

impl Budget {
    /// How many deals make the 95% confidence interval of any share of the pot at most `half_width` to either side:
    /// a share lies between 0 and 1, so that its standard deviation is at most a half.
    ///
    /// # Panics
    /// Unless `half_width` is above 0.
    pub fn samples_for(half_width: f64) -> u64 {
        assert!(half_width > 0.0, "a half-width above 0, not {half_width}");
        (1.96 * 0.5 / half_width).powi(2).ceil() as u64
    }
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Every deal counted.
    Exact,
    /// Random deals.
    Sampled,
}

/// What one player wins. Units: probabilities and parts of the pot, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Equity {
    /// The probability of winning more of the pot than any other player.
    pub win: f64,
    /// The probability of winning as much of the pot as the best other player.
    pub tie: f64,
    /// The probability of winning the whole pot.
    pub scoop: f64,
    /// The probability of winning exactly a quarter of the pot.
    pub quarter: f64,
    /// The probability of winning exactly half of the pot.
    pub half: f64,
    /// The probability of winning exactly three quarters of the pot.
    pub three_quarters: f64,
    /// The mean part of the pot won by the high hand; where there is no low, that is the whole pot. 0 in razz.
    pub high: f64,
    /// The mean part of the pot won by the low hand. 0 in stud high.
    pub low: f64,
    /// The mean share of the pot: `high + low`. Those of all players sum to 1.
    pub equity: f64,
    /// Half the width of the 95% confidence interval of `equity` (at least 3 / deals, the rule of three); 0 if exact.
    pub ci95: f64,
}

/// The players' equities and how they were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EquityReport {
    /// How the equities were found.
    pub method: Method,
    /// How many deals they are averages of.
    pub deals: u64,
    /// Whether the last card is shared because the deck cannot supply one to every hand.
    pub shared_river: bool,
    /// In the order of the hands.
    pub players: Vec<Equity>,
}

/// A hand and how many cards it lacks.
#[derive(Clone, Copy, Debug)]
struct Incomplete {
    key: HandKey,
    missing: usize,
}

/// The hands and what is left to complete them.
#[derive(Clone, Debug)]
struct Table {
    hands: ArrayVec<Incomplete, MAX_PLAYERS>,
    live: CardSet,
    shared_river: bool,
}

impl Table {
    fn new(hands: &[HandSpec], dead: CardSet) -> Result<Table, StudError> {
        if !(2..=MAX_PLAYERS).contains(&hands.len()) {
            return Err(StudError::Players(hands.len()));
        }
        let places = hands.iter().enumerate().map(|(i, hand)| (format!("hand {}", i + 1), hand.known()));
        let places: Vec<(String, CardSet)> = places.chain([("the dead cards".into(), dead)]).collect();
        for (i, (first, cards)) in places.iter().enumerate() {
            for (second, others) in &places[i + 1..] {
                if let Some(card) = cards.intersection(*others).into_iter().next() {
                    return Err(StudError::CardTwice { card, first: first.clone(), second: second.clone() });
                }
            }
        }
        let live = places.iter().fold(CardSet::FULL, |live, (_, cards)| live.minus(*cards));
        let hands: ArrayVec<Incomplete, MAX_PLAYERS> = hands
            .iter()
            .map(|hand| Incomplete { key: HandKey::from(hand.known()), missing: hand.missing() })
            .collect();
        let mut table = Table { hands, live, shared_river: false };
        table.shared_river = table.cards_to_come() > live.len();
        let needed = table.cards_to_come();
        if needed > live.len() {
            return Err(StudError::DeckTooSmall { left: live.len(), needed });
        }
        Ok(table)
    }

    /// How many cards a deal takes.
    fn cards_to_come(&self) -> usize {
        let missing: usize = self.hands.iter().map(|hand| hand.missing).sum();
        let incomplete = self.hands.iter().filter(|hand| hand.missing > 0).count();
        if self.shared_river { missing - incomplete + 1 } else { missing }
    }

    /// The table after this card was dealt as the shared river.
    fn with_river(&self, river: Card) -> Table {
        let mut table = Table { shared_river: false, live: self.live.without(river), ..self.clone() };
        for hand in table.hands.iter_mut().filter(|hand| hand.missing > 0) {
            *hand = Incomplete { key: hand.key.add(river), missing: hand.missing - 1 };
        }
        table
    }
}

/// The average share of the pot of each hand, if all are completed from the cards that are neither known nor `dead`.
///
/// The answer depends on the arguments alone, not on the number of threads; `seed` matters if it is sampled.
///
/// # Errors
/// If there are not two to eight hands, a card stands twice, or the cards do not suffice even with a shared river.
///
/// # Panics
/// If `budget.samples` is 0 and the answer has to be sampled.
pub fn equity(
    variant: Variant,
    hands: &[HandSpec],
    dead: CardSet,
    budget: Budget,
    seed: u64,
) -> Result<EquityReport, StudError> {
    let table = Table::new(hands, dead)?;
    let (method, tally) = match variant {
        Variant::High => solve(&table, false, budget, seed, |key| Strength { high: high(key).0, low: 0 }),
        Variant::Razz => {
            solve(&table, false, budget, seed, |key| Strength { high: low::razz(key).0, low: 0 })
        }
        Variant::HiLo8 => solve(&table, true, budget, seed, |key| Strength {
            high: high(key).0,
            low: low::eight(key).map_or(0, |rank| rank.0),
        }),
    };
    Ok(EquityReport {
        method,
        deals: tally.deals(),
        shared_river: table.shared_river,
        players: tally.equities(variant, hands.len(), method),
    })
}

/// Chooses the way and goes it; `split` says whether `value` gives lows.
fn solve<V>(table: &Table, split: bool, budget: Budget, seed: u64, value: V) -> (Method, Tally)
where
    V: Fn(HandKey) -> Strength + Copy + Sync,
{
    let affordable = |work: &u64| *work <= budget.exact_work;
    let listed = enumerate::deals(table).and_then(|deals| u64::try_from(deals).ok()).filter(affordable);
    let swept = sweep::work(table, split).filter(affordable);
    match (listed, swept) {
        (Some(listed), swept) if swept.is_none_or(|swept| listed <= swept) => {
            (Method::Exact, enumerate::enumerate(table, value))
        }
        (_, Some(_)) => (Method::Exact, sweep::sweep(table, split, value)),
        (_, None) => {
            assert!(budget.samples > 0, "a budget with samples");
            (Method::Sampled, sample::sample(table, budget.samples, seed, value))
        }
    }
}

#[cfg(test)]
mod tests;
