//! What a player may do, and what it did.

use super::Chips;
use arrayvec::ArrayVec;
use std::fmt;

/// The largest number of actions in [`Legal::actions`].
pub const MAX_ACTIONS: usize = 6;

/// One player's action. Completions, bets and raises are all [`Action::RaiseTo`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Give up the pot.
    Fold,
    /// Pass with nothing to call.
    Check,
    /// Match the highest wager, or go all-in trying.
    Call,
    /// Post the bring-in.
    BringIn,
    /// Complete, bet or raise so that one's wager on this street is this amount.
    RaiseTo(Chips),
}

/// The total wagers ("raise to") that a player may make on this street.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Raise {
    /// No completion, bet or raise is possible.
    None,
    /// Limit games: one size, or two when a pair shows on fourth street; ascending.
    Fixed(ArrayVec<Chips, 2>),
    /// Pot-limit and no-limit: any amount from `min` to `max`.
    Range {
        /// The smallest total wager.
        min: Chips,
        /// The largest total wager.
        max: Chips,
    },
}

impl Raise {
    /// The smallest total wager.
    pub fn min(&self) -> Option<Chips> {
        match self {
            Raise::None => None,
            Raise::Fixed(sizes) => sizes.first().copied(),
            Raise::Range { min, .. } => Some(*min),
        }
    }

    /// The largest total wager.
    pub fn max(&self) -> Option<Chips> {
        match self {
            Raise::None => None,
            Raise::Fixed(sizes) => sizes.last().copied(),
            Raise::Range { max, .. } => Some(*max),
        }
    }

    /// Whether `to` is a possible total wager.
    pub fn contains(&self, to: Chips) -> bool {
        match self {
            Raise::None => false,
            Raise::Fixed(sizes) => sizes.contains(&to),
            Raise::Range { min, max } => (*min..=*max).contains(&to),
        }
    }
}

/// Everything the player to act may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legal {
    /// Whether folding is possible.
    pub fold: bool,
    /// The chips it takes to call, capped by the stack; 0 is a check. `None` for the player who must bring in.
    pub call: Option<Chips>,
    /// The chips of the bring-in, capped by the stack, for the player who must post it.
    pub bring_in: Option<Chips>,
    /// Completions, bets and raises.
    pub raise: Raise,
    /// Pot-limit and no-limit: the totals of about half a pot and of a pot, for [`Legal::actions`].
    pub(super) menu: [Chips; 2],
}

impl Legal {
    /// What a player may do who is not to act.
    pub(super) const NOTHING: Legal =
        Legal { fold: false, call: None, bring_in: None, raise: Raise::None, menu: [0; 2] };

    /// The menu from which agents choose by index: fold, check or call, bring-in, then raises in ascending order.
    ///
    /// It is all there is in limit games. In pot-limit and no-limit it offers the smallest raise, about half the pot,
    /// the pot and the largest raise, without repetition.
    pub fn actions(&self) -> ArrayVec<Action, MAX_ACTIONS> {
        let mut actions = ArrayVec::new();
        if self.fold {
            actions.push(Action::Fold);
        }
        match self.call {
            Some(0) => actions.push(Action::Check),
            Some(_) => actions.push(Action::Call),
            None => {}
        }
        if self.bring_in.is_some() {
            actions.push(Action::BringIn);
        }
        match &self.raise {
            Raise::None => {}
            Raise::Fixed(sizes) => actions.extend(sizes.iter().map(|&to| Action::RaiseTo(to))),
            Raise::Range { min, max } => {
                let mut last = None;
                for to in [*min, self.menu[0], self.menu[1], *max] {
                    let to = to.clamp(*min, *max);
                    if last.is_none_or(|last| to > last) {
                        actions.push(Action::RaiseTo(to));
                        last = Some(to);
                    }
                }
            }
        }
        actions
    }

    /// How many actions the menu has.
    pub fn count(&self) -> usize {
        let raises = match &self.raise {
            Raise::None => 0,
            Raise::Fixed(sizes) => sizes.len(),
            Raise::Range { .. } => return self.actions().len(),
        };
        usize::from(self.fold)
            + usize::from(self.call.is_some())
            + usize::from(self.bring_in.is_some())
            + raises
    }

    /// Whether `action` is legal, on or off the menu.
    pub fn allows(&self, action: Action) -> bool {
        match action {
            Action::Fold => self.fold,
            Action::Check => self.call == Some(0),
            Action::Call => self.call.is_some_and(|chips| chips > 0),
            Action::BringIn => self.bring_in.is_some(),
            Action::RaiseTo(to) => self.raise.contains(to),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Fold => write!(f, "fold"),
            Action::Check => write!(f, "check"),
            Action::Call => write!(f, "call"),
            Action::BringIn => write!(f, "bring in"),
            Action::RaiseTo(to) => write!(f, "raise to {to}"),
        }
    }
}

impl fmt::Display for Legal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        if self.fold {
            parts.push("fold".into());
        }
        match self.call {
            Some(0) => parts.push("check".into()),
            Some(chips) => parts.push(format!("call {chips}")),
            None => {}
        }
        if let Some(chips) = self.bring_in {
            parts.push(format!("bring in {chips}"));
        }
        match &self.raise {
            Raise::None => {}
            Raise::Fixed(sizes) => parts.extend(sizes.iter().map(|to| format!("raise to {to}"))),
            Raise::Range { min, max } => parts.push(format!("raise to {min} up to {max}")),
        }
        write!(f, "{}", parts.join(", "))
    }
}
