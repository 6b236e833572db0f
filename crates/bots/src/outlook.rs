//! Where an action leads if both players only check and call ever after: what local best response chooses by, and what
//! AIVAT values positions by.

use crate::menu::Menu;
use arrayvec::ArrayVec;
use doorcard_games::stud::Action;
use doorcard_games::stud::tree::{BettingTree, MAX_ACTIONS, Position, Turn};

/// Where an action leads. Units: chips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// Who acted folds, and loses what it has put in.
    Fold {
        /// So much.
        forfeits: f64,
    },
    /// Both show, having put in so much.
    Showdown {
        /// So much each.
        paid: f64,
    },
}

impl Outcome {
    /// What the player wins whose opponent acts, given its share at a showdown.
    pub(crate) fn value(&self, share: f64) -> f64 {
        match *self {
            Outcome::Fold { forfeits } => forfeits,
            Outcome::Showdown { paid } => paid * (2.0 * share - 1.0),
        }
    }
}

/// Where each action of a decision leads.
pub(crate) fn outcomes(tree: &BettingTree, position: Position) -> ArrayVec<Outcome, MAX_ACTIONS> {
    let outcome = |(action, what): (usize, &Action)| {
        let next = tree.act_in_round(position, action);
        match what {
            Action::Fold => Outcome::Fold { forfeits: folder_paid(tree, next) },
            _ => Outcome::Showdown { paid: showdown_paid(tree, next) },
        }
    };
    tree.actions(position).iter().enumerate().map(outcome).collect()
}

/// The check, call or bring-in of a decision.
pub(crate) fn passive(tree: &BettingTree, position: Position) -> usize {
    Menu(tree.actions(position).iter().copied().collect()).passive()
}

/// What each will have put in if both check and call from here to the end. Units: chips.
pub(crate) fn showdown_paid(tree: &BettingTree, mut position: Position) -> f64 {
    loop {
        match tree.turn(position) {
            Turn::Decide { .. } => position = tree.act_in_round(position, passive(tree, position)),
            Turn::Showdown { paid } | Turn::Fold { paid, .. } => return paid as f64,
        }
    }
}

/// What the player who has just folded had put in. Units: chips.
pub(crate) fn folder_paid(tree: &BettingTree, position: Position) -> f64 {
    match tree.turn(position) {
        Turn::Fold { paid, .. } => paid as f64,
        other => unreachable!("{other:?} after a fold"),
    }
}

/// The action of a decision that is this one.
pub(crate) fn index_of(tree: &BettingTree, position: Position, action: Action) -> Option<usize> {
    tree.actions(position).iter().position(|&other| other == action)
}
