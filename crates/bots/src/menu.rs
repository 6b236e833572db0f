//! Choosing from the actions on offer by intention.

use arrayvec::ArrayVec;
use doorcard_games::stud::{Action, Chips, MAX_ACTIONS};

/// The menu of a decision: the actions an agent chooses from by index.
pub(crate) struct Menu(pub(crate) ArrayVec<Action, MAX_ACTIONS>);

impl Menu {
    fn position(&self, wanted: impl Fn(Action) -> bool) -> Option<usize> {
        self.0.iter().position(|&action| wanted(action))
    }

    /// Checks or calls; posts the bring-in where that is due.
    pub(crate) fn passive(&self) -> usize {
        self.position(|a| matches!(a, Action::Check | Action::Call | Action::BringIn)).unwrap_or(0)
    }

    /// Folds unless it costs nothing to stay; posts the bring-in where that is due.
    pub(crate) fn give_up(&self) -> usize {
        let free = self.position(|a| a == Action::Check);
        free.or_else(|| self.position(|a| a == Action::Fold)).unwrap_or_else(|| self.passive())
    }

    /// The smallest bet or raise, or else a check or call.
    pub(crate) fn smallest_raise(&self) -> usize {
        self.position(|a| matches!(a, Action::RaiseTo(_))).unwrap_or_else(|| self.passive())
    }

    /// The largest bet or raise, or else a check or call.
    pub(crate) fn largest_raise(&self) -> usize {
        self.raise_up_to(Chips::MAX)
    }

    /// The largest bet or raise to at most `limit`, the smallest if all are larger, or else a check or call.
    pub(crate) fn raise_up_to(&self, limit: Chips) -> usize {
        let fits = |a: &Action| matches!(a, Action::RaiseTo(to) if *to <= limit);
        self.0.iter().rposition(fits).unwrap_or_else(|| self.smallest_raise())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intentions_find_their_action() {
        let menu = |actions: &[Action]| Menu(actions.iter().copied().collect());
        let raises = [Action::Fold, Action::Call, Action::RaiseTo(200), Action::RaiseTo(300)];
        let facing = menu(&raises);
        assert_eq!((facing.give_up(), facing.passive()), (0, 1));
        assert_eq!((facing.smallest_raise(), facing.largest_raise()), (2, 3));
        assert_eq!((facing.raise_up_to(299), facing.raise_up_to(10)), (2, 2));
        let capped = menu(&raises[..2]);
        assert_eq!((capped.smallest_raise(), capped.largest_raise()), (1, 1));
        let free = menu(&[Action::Fold, Action::Check, Action::RaiseTo(100)]);
        assert_eq!(free.give_up(), 1);
        let low_card = menu(&[Action::BringIn, Action::RaiseTo(100)]);
        assert_eq!((low_card.give_up(), low_card.passive(), low_card.largest_raise()), (0, 0, 1));
    }
}
