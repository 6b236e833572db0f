//! Heads-up limit stud on the compiled betting tree: the game that solvers train on.

use super::{BettingTree, HistoryDetail, Line, MAX_ACTIONS, Position, TreeError, Turn};
use crate::stud::{Action, Rules, SeatSet, Street, bring_in, first_to_act, showdown, shows_pair};
use doorcard_cards::{Card, CardSet};
use doorcard_efg as efg;
use rand::{Rng, RngExt};

/// All cards of a heads-up hand, with what they decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudDeal {
    /// By seat: two hole cards, then the river.
    pub down: [[Card; 3]; 2],
    /// By seat: the door card and the cards of streets 4 to 6.
    pub up: [[Card; 4]; 2],
    /// Who brings in and who opens.
    pub line: Line,
    /// Seat 0's share of the pot at showdown: 0, 1/4, 1/2, 3/4 or 1.
    pub share: f32,
}

impl StudDeal {
    /// The cards a seat holds face down on a street.
    pub fn down(&self, seat: usize, street: Street) -> &[Card] {
        &self.down[seat][..if street == Street::Seventh { 3 } else { 2 }]
    }

    /// The cards a seat shows on a street.
    pub fn up(&self, seat: usize, street: Street) -> &[Card] {
        &self.up[seat][..(street.index() + 1).min(4)]
    }
}

/// Heads-up limit stud with stacks that are never short, for training: [`efg::Game`] on a [`BettingTree`].
///
/// It plays as the full engine does (a test walks both), with one difference: shares of a pot are fractions, where the
/// engine deals out an odd chip. Deal the two seats in either order: cards and ties of showing hands do not favour a
/// seat except that seat 0 opens when showing hands are equal.
#[derive(Clone, Debug)]
pub struct StudTree {
    rules: Rules,
    tree: BettingTree,
}

impl StudTree {
    /// Compiles the game.
    ///
    /// # Errors
    /// As [`BettingTree::compile`].
    pub fn new(rules: Rules, detail: HistoryDetail) -> Result<StudTree, TreeError> {
        let tree = BettingTree::compile(&rules, detail)?;
        Ok(StudTree { rules, tree })
    }

    /// The compiled betting.
    pub fn tree(&self) -> &BettingTree {
        &self.tree
    }

    /// The rules it was compiled from.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The line of the hand as far as its up cards have been dealt: streets whose cards are missing keep variant 0.
    ///
    /// # Panics
    /// If a seat shows no card.
    pub fn line(&self, up: [&[Card]; 2]) -> Line {
        let variant = self.rules.variant();
        let seats = SeatSet::first(2);
        let bring_in = bring_in(variant, seats, |seat| &up[seat][0]);
        let mut line = Line { bring_in: bring_in as u8, variant: [0; 5] };
        for street in [Street::Fourth, Street::Fifth, Street::Sixth, Street::Seventh] {
            let shown = (street.index() + 1).min(4);
            if up[0].len() < shown || up[1].len() < shown {
                break;
            }
            let up = up.map(|cards| &cards[..shown]);
            let opener = first_to_act(variant, seats, |seat| up[seat]);
            let pairs = [0, 1].map(|role| shows_pair(up[line.role(role)]));
            line.variant[street.index()] = self.tree.variant(street, line.role(opener), pairs);
        }
        line
    }

    /// A deal of given cards.
    pub fn deal_of(&self, down: [[Card; 3]; 2], up: [[Card; 4]; 2]) -> StudDeal {
        let hand = |seat: usize| down[seat].iter().chain(&up[seat]).copied().collect::<CardSet>();
        let share = showdown::share(self.rules.variant(), hand(0), hand(1)) as f32;
        StudDeal { down, up, line: self.line([&up[0], &up[1]]), share }
    }

    /// The position after `actions`, in the order they were taken, given the up cards dealt so far.
    ///
    /// `None` if an action is none of the tree's: a short all-in, or a game with other stakes.
    pub fn locate(&self, up: [&[Card]; 2], actions: impl IntoIterator<Item = Action>) -> Option<Position> {
        let line = self.line(up);
        let mut position = self.tree.root();
        for action in actions {
            let Turn::Decide { .. } = self.tree.turn(position) else { return None };
            let index = self.tree.actions(position).iter().position(|&a| a == action)?;
            position = self.tree.act(position, &line, index);
        }
        Some(position)
    }
}

impl efg::Game for StudTree {
    type Deal = StudDeal;
    type Node = Position;

    fn players(&self) -> usize {
        2
    }

    fn max_actions(&self) -> usize {
        MAX_ACTIONS
    }

    fn deal<R: Rng + ?Sized>(&self, rng: &mut R) -> StudDeal {
        // A draw of 14 distinct cards: rejection is cheaper than shuffling a deck.
        let mut seen = CardSet::EMPTY;
        let mut draw = || loop {
            let card = Card::from_index(rng.random_range(0..52u8));
            if !seen.contains(card) {
                seen = seen.with(card);
                return card;
            }
        };
        let down = std::array::from_fn(|_| std::array::from_fn(|_| draw()));
        let up = std::array::from_fn(|_| std::array::from_fn(|_| draw()));
        self.deal_of(down, up)
    }

    fn root(&self, _: &StudDeal) -> Position {
        self.tree.root()
    }

    #[inline]
    fn turn(&self, &position: &Position, deal: &StudDeal) -> efg::Turn {
        match self.tree.turn(position) {
            Turn::Decide { role, actions } => efg::Turn::Decide { player: deal.line.role(role), actions },
            Turn::Fold { .. } | Turn::Showdown { .. } => efg::Turn::Over,
        }
    }

    #[inline]
    fn act(&self, &position: &Position, deal: &StudDeal, action: usize) -> Position {
        self.tree.act(position, &deal.line, action)
    }

    #[inline]
    fn utility(&self, &position: &Position, deal: &StudDeal, player: usize) -> f64 {
        match self.tree.turn(position) {
            Turn::Decide { .. } => 0.0,
            Turn::Fold { role, paid } => {
                let paid = paid as f64;
                if deal.line.role(role) == player { -paid } else { paid }
            }
            Turn::Showdown { paid } => {
                let first = paid as f64 * (2.0 * f64::from(deal.share) - 1.0);
                if player == 0 { first } else { -first }
            }
        }
    }
}
