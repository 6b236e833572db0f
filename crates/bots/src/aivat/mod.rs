//! AIVAT: what a hand was worth, with the luck taken off whose expectation is known.
//!
//! N. Burch, M. Schmid, M. Moravcik, D. Morrill and M. Bowling, "AIVAT: A New Variance Reduction Technique for Agent
//! Evaluation in Imperfect Information Games" (2018), for heads-up limit stud in which the chances of one player or of
//! both are known.
//!
//! A hand is followed by somebody who sees the up cards, the betting and, once dealt, the rivers, but no hole cards. What
//! a player with known chances may hold is a range, by Bayes' rule; the hole of any other player is taken as it is. Then
//! the law of every event is known, given all before, and three things are done:
//!
//! - A showdown counts for what the two ranges win of each other (imaginary observations).
//! - What a known player's action made of the value of the position, less the mean over all its actions, is luck.
//! - So is what cards made of it. Their mean needs no list of all cards that may come: the value is linear in what the
//!   ranges win of each other at a showdown, which is the mean of what it will be on the next street.
//!
//! A hand is worth what was won, less the luck. That is unbiased whatever the [value function](Values) and however roughly
//! shares are estimated before the last street, so long as each estimate is right on average, and the value function was
//! not made from the hands that it values.

mod ranges;
mod value;

pub use value::{Fit, Values};

use crate::lbr::{Decision, KnownPlayer};
use crate::outlook::{Outcome, index_of, outcomes, showdown_paid};
use doorcard_cards::Card;
use doorcard_games::stud::tree::{Position, StudDeal, StudTree, Turn};
use doorcard_games::stud::{Action, State, Street};
use rand::Rng;
use ranges::{Holes, Known, Ranges};
use value::Standing;

/// What a hand was worth to seat 0. Units: chips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// What was won, at a showdown on average over what known players may have held.
    pub won: f64,
    /// What luck of known expectation brought.
    pub luck: f64,
}

impl Estimate {
    /// What was won, luck taken off.
    pub fn value(&self) -> f64 {
        self.won - self.luck
    }
}

/// A player whose chances are known, and the game that its positions are positions of: the same rules, and as much of the
/// betting remembered as it remembers.
#[derive(Clone, Copy)]
pub struct Ranged<'a> {
    /// The player.
    pub player: &'a dyn KnownPlayer,
    /// Its game.
    pub game: &'a StudTree,
}

/// Both players by seat; `None` for one whose chances are not known.
pub type Players<'a> = [Option<Ranged<'a>>; 2];

/// Values hands of a game between two players: see the module's documentation in the source.
pub struct Aivat<'a> {
    game: &'a StudTree,
    holes: Holes,
    values: Values,
}

/// A hand as it is followed.
struct Hand<'a, 'b, R: Rng + ?Sized> {
    aivat: &'b Aivat<'a>,
    players: Players<'b>,
    deal: &'b StudDeal,
    ranges: Ranges,
    position: Position,
    /// The same position in the games of known players.
    own: [Position; 2],
    /// See [`Standing::aggressor`].
    aggressor: f64,
    luck: f64,
    rng: &'b mut R,
    /// Is told every position before the end, with the luck so far.
    watch: &'b mut dyn FnMut(Standing, f64),
}

impl<'a> Aivat<'a> {
    /// For hands of a game, with a value function that was not made from these hands.
    pub fn new(game: &'a StudTree, values: Values) -> Aivat<'a> {
        Aivat { game, holes: Holes::new(game.rules()), values }
    }

    /// The same with another value function.
    pub fn with_values(self, values: Values) -> Aivat<'a> {
        Aivat { values, ..self }
    }

    /// What a hand was worth in which these actions were taken, given by their places in the menus. Cards that were not
    /// dealt are not looked at.
    ///
    /// # Panics
    /// If the actions do not end the hand.
    pub fn estimate<R: Rng + ?Sized>(
        &self,
        players: Players<'_>,
        deal: &StudDeal,
        actions: &[usize],
        rng: &mut R,
    ) -> Estimate {
        self.follow(players, deal, actions, rng, &mut |_, _| {})
    }

    /// Adds the positions of a hand to a fit of a value function.
    ///
    /// # Panics
    /// As [`Aivat::estimate`].
    pub fn learn<R: Rng + ?Sized>(
        &self,
        players: Players<'_>,
        deal: &StudDeal,
        actions: &[usize],
        rng: &mut R,
        fit: &mut Fit,
    ) {
        let mut standings = Vec::new();
        let estimate =
            self.follow(players, deal, actions, rng, &mut |standing, luck| standings.push((standing, luck)));
        // What a position came to, luck after it taken off.
        standings.iter().for_each(|(standing, luck)| fit.add(standing, estimate.value() + luck));
    }

    /// The cards and the actions of a hand that the engine has played to its end. Cards that were not dealt are any.
    ///
    /// # Panics
    /// If the hand is not one of the game's, heads-up and never short of chips.
    pub fn record(&self, end: &State) -> (StudDeal, Vec<usize>) {
        let line = self.game.line([end.up_cards(0), end.up_cards(1)]);
        let any = Card::from_index(0);
        let (mut down, mut up) = ([[any; 3]; 2], [[any; 4]; 2]);
        for seat in 0..2 {
            down[seat][..end.down_cards(seat).len()].copy_from_slice(end.down_cards(seat));
            up[seat][..end.up_cards(seat).len()].copy_from_slice(end.up_cards(seat));
        }
        let tree = self.game.tree();
        let mut position = tree.root();
        let actions = end.history().iter().map(|event| {
            let action = index_of(tree, position, event.action()).expect("an action of the game");
            position = tree.act(position, &line, action);
            action
        });
        let actions = actions.collect();
        (StudDeal { down, up, line, share: 0.0 }, actions)
    }

    fn follow<R: Rng + ?Sized>(
        &self,
        players: Players<'_>,
        deal: &StudDeal,
        actions: &[usize],
        rng: &mut R,
        watch: &mut dyn FnMut(Standing, f64),
    ) -> Estimate {
        let third = self.known(deal, Street::Third);
        let actual = [0, 1].map(|seat| self.game.down(deal, seat, Street::Third));
        let ranges = Ranges::third(&self.holes, players, third, actual, rng);
        let position = self.game.tree().root();
        let own = players.map(|ranged| ranged.map_or(position, |ranged| ranged.game.tree().root()));
        let (aggressor, luck) = (0.0, 0.0);
        let mut hand =
            Hand { aivat: self, players, deal, ranges, position, own, aggressor, luck, rng, watch };
        // Seats are equal before the deal: what it made of the value is luck.
        let standing = hand.standing(position, hand.ranges.balance().margin);
        hand.luck = self.values.of(&standing);
        (hand.watch)(standing, hand.luck);
        for &action in actions {
            hand.act(action);
        }
        let line = &deal.line;
        let won = match self.game.tree().turn(hand.position) {
            Turn::Fold { role, paid } if line.role(role) == 0 => -(paid as f64),
            Turn::Fold { paid, .. } => paid as f64,
            Turn::Showdown { paid } => paid as f64 * hand.ranges.balance().margin,
            Turn::Decide { .. } => panic!("a hand that is not over"),
        };
        Estimate { won, luck: hand.luck }
    }

    fn known<'d>(&self, deal: &'d StudDeal, street: Street) -> Known<'d> {
        let hole = self.game.rules().down_cards(Street::Third);
        let later = |seat: usize| &deal.down[seat][hole..self.game.rules().down_cards(street)];
        let up = |seat: usize| &deal.up[seat][..self.game.rules().up_cards(street)];
        Known { street, up: [up(0), up(1)], later: [later(0), later(1)] }
    }
}

impl<R: Rng + ?Sized> Hand<'_, '_, R> {
    fn standing(&self, position: Position, margin: f64) -> Standing {
        let tree = self.aivat.game.tree();
        let (street, aggressor) = (self.street_of(position), self.aggressor);
        Standing { street, paid: showdown_paid(tree, position), margin, aggressor }
    }

    /// The street of a position within this street's betting: that to come if only its cards are missing.
    fn street_of(&self, position: Position) -> Street {
        let street = self.ranges.street;
        match self.aivat.game.tree().awaits_cards(position) {
            true => self.aivat.game.rules().next_street(street).expect("cards are dealt"),
            false => street,
        }
    }

    /// The next action of the hand.
    fn act(&mut self, action: usize) {
        let tree = self.aivat.game.tree();
        let Turn::Decide { role, .. } = tree.turn(self.position) else { panic!("an action after the end") };
        let seat = self.deal.line.role(role);
        let raises = |action: usize| matches!(tree.actions(self.position)[action], Action::RaiseTo(_));
        let sign = if seat == 0 { 1.0 } else { -1.0 };
        if let Some(Ranged { player, game }) = self.players[seat] {
            let (groups, public) = self.ranges.groups(seat);
            let decision = Decision { game, street: self.ranges.street, position: self.own[seat], public };
            let actions = decision.actions();
            let mut chances = vec![0.0; actions * groups.len()];
            player.probabilities(&decision, groups, &mut chances);
            let chance = |action: usize| move |group: usize| group * actions + action;
            let all = self.ranges.balance().mass;
            let (mut expected, mut came_to) = (0.0, 0.0);
            for (other, outcome) in outcomes(tree, self.position).into_iter().enumerate() {
                let balance = self.ranges.balance_with(seat, |group| chances[chance(other)(group)]);
                let next = tree.act_in_round(self.position, other);
                let ends = matches!(tree.turn(next), Turn::Showdown { .. }) && !tree.awaits_cards(next);
                let value = match outcome {
                    Outcome::Fold { forfeits } => -sign * forfeits,
                    Outcome::Showdown { paid } if ends => paid * balance.margin,
                    Outcome::Showdown { .. } => {
                        let mut standing = self.standing(next, balance.margin);
                        if raises(other) {
                            standing.aggressor = sign;
                        }
                        self.aivat.values.of(&standing)
                    }
                };
                expected += balance.mass / all * value;
                if other == action {
                    came_to = value;
                }
            }
            self.luck += came_to - expected;
            self.ranges.observe(seat, |group| chances[chance(action)(group)]);
        }
        if raises(action) {
            self.aggressor = sign;
        }
        for (own, ranged) in self.own.iter_mut().zip(self.players) {
            if let Some(Ranged { game, .. }) = ranged {
                *own = game.tree().act(*own, &self.deal.line, action);
            }
        }
        let round_over = tree.act_in_round(self.position, action);
        let margin = self.ranges.balance().margin;
        if tree.awaits_cards(round_over) {
            let before = self.aivat.values.of(&self.standing(round_over, margin));
            let street = self.street_of(round_over);
            self.position = tree.act(self.position, &self.deal.line, action);
            let known = self.aivat.known(self.deal, street);
            self.ranges = self.ranges.next(&self.aivat.holes, self.players, known, self.rng);
            let standing = self.standing(self.position, self.ranges.balance().margin);
            self.luck += self.aivat.values.of(&standing) - before;
            (self.watch)(standing, self.luck);
        } else {
            self.position = round_over;
            if let Turn::Decide { .. } = tree.turn(round_over) {
                let standing = self.standing(round_over, margin);
                (self.watch)(standing, self.luck);
            }
        }
    }
}

#[cfg(test)]
mod tests;
