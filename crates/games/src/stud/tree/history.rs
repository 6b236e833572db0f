//! How much of the betting an infoset remembers.

use super::street::End;
use crate::stud::Chips;
use serde::{Deserialize, Serialize};

/// How much of the earlier streets' betting a player's infosets keep.
///
/// The betting of the current street is always kept whole, and so is who opens it. What is merged changes only which
/// histories share a strategy; pots and payoffs are always exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryDetail {
    /// Every action of every street, and who opened each: perfect recall of the betting. Large: seventh street alone
    /// has 65,610 decisions for each order of openers without an open pair, 211,410 with one.
    Full,
    /// What was wagered on each earlier street, and who made the last bet or raise before this street.
    #[default]
    Aggressor,
    /// As `Aggressor`, with each earlier street's bets counted as none, one, or two and more. The pot is then known
    /// only roughly.
    Counts,
}

/// What an infoset keeps of the earlier streets: equal memories share a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Memory {
    /// By earlier street: what the detail keeps of it.
    streets: Vec<Chips>,
    /// The role that made the last bet or raise of all earlier streets; the full detail implies it.
    aggressor: Option<u8>,
}

impl Memory {
    pub(super) fn start() -> Memory {
        Memory { streets: Vec::new(), aggressor: None }
    }

    /// The memory after a street that ended in `end`, the street's `end_index`-th, and was opened by the role `opener`
    /// in the variant `variant`.
    pub(super) fn after(
        &self,
        detail: HistoryDetail,
        opener: u8,
        variant: u8,
        end_index: usize,
        end: End,
    ) -> Memory {
        let End::Matched { wager, bets, aggressor } = end else { unreachable!("a fold ends the hand") };
        let mut next = self.clone();
        match detail {
            HistoryDetail::Full => next.streets.push(Chips::from(variant) << 8 | end_index as Chips),
            HistoryDetail::Aggressor => next.streets.push(wager),
            HistoryDetail::Counts => next.streets.push(Chips::from(bets.min(2))),
        }
        if detail != HistoryDetail::Full {
            next.aggressor = aggressor.map(|position| position ^ opener).or(self.aggressor);
        }
        next
    }
}
