//! What the players of a hand have done so far.

use super::{Action, Chips, Street};
use smallvec::SmallVec;
use std::fmt;

/// One action of a hand, packed into eight bytes since a state carries its whole history along.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Event(u64);

const FOLD: u64 = 0;
const CHECK: u64 = 1;
const CALL: u64 = 2;
const BRING_IN: u64 = 3;
const RAISE: u64 = 4;

impl Event {
    pub(super) fn new(street: Street, seat: usize, action: Action, to: Chips) -> Event {
        let kind = match action {
            Action::Fold => FOLD,
            Action::Check => CHECK,
            Action::Call => CALL,
            Action::BringIn => BRING_IN,
            Action::RaiseTo(_) => RAISE,
        };
        Event(kind | (seat as u64) << 3 | (street.index() as u64) << 6 | (to as u64) << 9)
    }

    /// The street on which it happened.
    pub fn street(self) -> Street {
        Street::ALL[(self.0 >> 6 & 7) as usize]
    }

    /// Who acted.
    pub fn seat(self) -> usize {
        (self.0 >> 3 & 7) as usize
    }

    /// The player's total wager on the street afterwards. Units: chips.
    pub fn to(self) -> Chips {
        (self.0 >> 9) as Chips
    }

    /// What was done.
    pub fn action(self) -> Action {
        match self.0 & 7 {
            FOLD => Action::Fold,
            CHECK => Action::Check,
            CALL => Action::Call,
            BRING_IN => Action::BringIn,
            _ => Action::RaiseTo(self.to()),
        }
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: seat {}: {}", self.street(), self.seat(), self.action())
    }
}

/// The actions of a hand in order. A heads-up limit hand fits in place; only longer ones use the heap.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct History(SmallVec<[Event; 32]>);

impl History {
    pub(super) fn push(&mut self, event: Event) {
        self.0.push(event);
    }

    pub(super) fn events(&self) -> &[Event] {
        &self.0
    }
}

impl Clone for History {
    fn clone(&self) -> History {
        History(SmallVec::from_slice(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stud::MAX_STACK;

    #[test]
    fn events_unpack_to_what_was_packed() {
        for street in Street::ALL {
            for seat in [0, 3, 7] {
                for (action, to) in [
                    (Action::Fold, 5),
                    (Action::Check, 0),
                    (Action::Call, 100),
                    (Action::BringIn, 50),
                    (Action::RaiseTo(MAX_STACK), MAX_STACK),
                ] {
                    let event = Event::new(street, seat, action, to);
                    let unpacked = (event.street(), event.seat(), event.action(), event.to());
                    assert_eq!(unpacked, (street, seat, action, to));
                }
            }
        }
    }
}
