//! Finding two results to compare by numbers, places from the end, or names.

use crate::compare::differences;
use crate::{Ledger, LedgerError, Recorded};

/// What a text may stand for: one result by its number or place, or the latest ones of a player, one for each set of
/// conditions, the latest first.
fn candidates(ledger: &Ledger, text: &str) -> Result<Vec<Recorded>, LedgerError> {
    let back = match text {
        "last" => Some(0),
        _ => text.strip_prefix("last~").and_then(|back| back.parse().ok()),
    };
    let found: Vec<Recorded> = match (back, text.parse()) {
        (Some(back), _) => ledger.first_of_batch(back)?.into_iter().collect(),
        (None, Ok(id)) => ledger.get(id)?.into_iter().collect(),
        (None, Err(_)) => {
            let mut latest: Vec<Recorded> = Vec::new();
            for result in ledger.results_of(text)?.into_iter().rev() {
                if latest.iter().all(|later| !differences(later, &result).is_empty()) {
                    latest.push(result);
                }
            }
            latest
        }
    };
    match found.is_empty() {
        true => Err(LedgerError::Unknown { path: ledger.path().into(), wanted: text.into() }),
        false => Ok(found),
    }
}

impl Ledger {
    /// Two results by what they are called: the number of a result; `last`, the first result of the last piece of work
    /// that added any, and `last~1` of the one before; or the name of a player that comes first in a result.
    ///
    /// A name stands for the latest of its results that can be compared with the other. Where none can, it stands for its
    /// latest result, so that a comparison can say what differs.
    ///
    /// # Errors
    /// If there is no such result, if names leave open which results are meant, or if the file cannot be read.
    pub fn find_pair(&self, first: &str, second: &str) -> Result<(Recorded, Recorded), LedgerError> {
        let (mut ones, mut others) = (candidates(self, first)?, candidates(self, second)?);
        let mut pairs = Vec::new();
        for (i, one) in ones.iter().enumerate() {
            let comparable = |(_, other): &(usize, &Recorded)| differences(one, other).is_empty();
            pairs.extend(others.iter().enumerate().filter(comparable).map(|(j, _)| (i, j)));
        }
        let (i, j) = match pairs[..] {
            [] => (0, 0),
            [pair] => pair,
            _ => {
                let pairs = pairs.iter().map(|&(i, j)| (ones[i].id, others[j].id)).collect();
                return Err(LedgerError::Ambiguous { first: first.into(), second: second.into(), pairs });
            }
        };
        Ok((ones.swap_remove(i), others.swap_remove(j)))
    }
}
