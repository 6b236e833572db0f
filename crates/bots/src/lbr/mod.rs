//! Local best response: a lower bound on what a strategy loses to somebody who knows it.
//!
//! V. Lisy and M. Bowling, "Equilibrium Approximation Quality of Current No-Limit Poker Bots" (2017), for heads-up limit
//! stud. The responder plays the real game, not an abstraction of it. It knows the opponent's chances to act with every
//! hand, and so, by Bayes' rule, how likely each of its hidden pairs is after what it has done; on seventh street how
//! likely each pair with each river is, since the true river is as hidden as the rest. (Three cards weigh as one set if the
//! opponent does not remember which of them came last, which with perfect recall it does.)
//!
//! - On streets before its first, the responder checks and calls, and brings in where it must.
//! - From then on it takes the action that is worth most if both check and call ever after: fold, check or call, or a
//!   bet or raise of any size on the menu, in answer to which the opponent folds as often as its strategy says.
//!
//! Whatever the responder does, its mean result is one that an opponent can have, so it bounds from below what the
//! strategy can lose. A responder that looks further ahead wins more: a small or negative value proves nothing.
//!
//! A hand's result is an expectation where it can be: at a showdown over all that the opponent may hold. The opponent's
//! true cards only draw its actions. And luck whose expectation is known is taken off (N. Burch, M. Schmid, M. Moravcik,
//! D. Morrill and M. Bowling, "AIVAT", 2018, with the value of a showdown for what is in the pot as the value function):
//! from the responder's first street on, what the opponent's action made of that value against its mean over all actions,
//! whose chances are known; and on seventh street what the river made of it, since shares on sixth are exact means over
//! rivers. Earlier cards stay luck: shares before sixth street are estimates, and taking off their changes would bias.
//!
//! Games with small decks are played by the same code, so that the bound can be held against the exact exploitability.
//! There shares are exact on every street, and so all cards are luck that is taken off.

mod known;
mod range;
mod sets;
mod share;

pub use known::{Decision, KnownBaseline, KnownPlayer, KnownPolicy, Seen};

use crate::outlook::{Outcome, folder_paid, index_of, outcomes, passive, showdown_paid};
use crate::strategy::draw;
use doorcard_cards::CardSet;
use doorcard_efg::Game;
use doorcard_games::stud::tree::{Position, StudDeal, StudTree, Turn};
use doorcard_games::stud::{Action, Chips, Street, StudError};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use range::{Chances, Range};

/// A local best response to a player, in a game of heads-up limit stud with stacks that are never short, of the full deck
/// or a small one.
pub struct LocalBestResponse<'a> {
    game: &'a StudTree,
    opponent: &'a dyn KnownPlayer,
    from: Street,
}

/// What came of a hand. Units: chips.
struct Played {
    /// What the responder won.
    won: f64,
    /// What luck of known expectation brought it.
    luck: f64,
}

/// One hand, from the responder's seat.
struct Hand<'a> {
    deal: StudDeal,
    seat: usize,
    range: Range,
    /// What luck of known expectation has brought so far. Units: chips.
    luck: f64,
    lbr: &'a LocalBestResponse<'a>,
}

impl<'a> LocalBestResponse<'a> {
    /// The response to `opponent` that begins to bet and fold on street `from`.
    ///
    /// # Errors
    /// If the deck is neither that of the standard game nor small, the opponent does not know the game's hands, or the game
    /// is over before `from`.
    pub fn new(
        game: &'a StudTree,
        opponent: &'a dyn KnownPlayer,
        from: Street,
    ) -> Result<LocalBestResponse<'a>, StudError> {
        let rules = game.rules();
        share::check(rules)?;
        opponent.check(rules)?;
        if from > rules.last_street() {
            return Err(StudError::Value {
                field: "from_street",
                value: from.number().to_string(),
                expected: format!("a street of the game, 3 to {}", rules.last_street().number()),
            });
        }
        Ok(LocalBestResponse { game, opponent, from })
    }

    /// Plays the hand with this number and returns what the responder wins, luck of known expectation taken off; the
    /// mean is that of its winnings. Units: chips.
    ///
    /// It sits in seat 0 in even hands and in seat 1 in odd ones. A hand depends on its number and the seed alone, so
    /// that hands can be played in any order by any thread.
    pub fn play(&self, seed: u64, number: u64) -> f64 {
        let Played { won, luck } = self.play_out(seed, number);
        won - luck
    }

    fn play_out(&self, seed: u64, number: u64) -> Played {
        let rng = &mut generator(seed, number);
        let seat = (number % 2) as usize;
        let mut hand = Hand::new(self, self.game.deal(rng), seat);
        let (tree, role) = (self.game.tree(), hand.deal.line.role(seat));
        let mut position = tree.root();
        let won = loop {
            match tree.turn(position) {
                Turn::Fold { role: folder, paid } if folder == role => break -(paid as f64),
                Turn::Fold { paid, .. } => break paid as f64,
                Turn::Showdown { paid } => break hand.showdown(paid, rng),
                Turn::Decide { role: mover, .. } => {
                    hand.reveal(position, rng);
                    let action =
                        if mover == role { hand.respond(position, rng) } else { hand.answer(position, rng) };
                    position = tree.act(position, &hand.deal.line, action);
                }
            }
        };
        Played { won, luck: hand.luck }
    }

    /// The cards of the deck that a seat has not seen on a street.
    fn unseen(&self, deal: &StudDeal, seat: usize, street: Street) -> CardSet {
        let other = CardSet::from(self.game.up(deal, 1 - seat, street));
        self.game.rules().deck().minus(own_cards(self.game, deal, seat, street).union(other))
    }

    /// What the responder in this seat sees of the opponent on a street.
    fn seen<'d>(&self, deal: &'d StudDeal, seat: usize, street: Street) -> Seen<'d> {
        let [own_up, opponent_up] = [1 - seat, seat].map(|seat| self.game.up(deal, seat, street));
        let from = self.unseen(deal, seat, street);
        Seen { street, seat: 1 - seat, own_up, opponent_up, own_later: &[], from }
    }

    /// Whether shares on the street before are exact means over what the cards of a street make of them.
    fn foretold(&self, street: Street) -> bool {
        street == Street::Seventh || !self.game.rules().is_standard()
    }
}

impl<'a> Hand<'a> {
    fn new(lbr: &'a LocalBestResponse<'a>, deal: StudDeal, seat: usize) -> Hand<'a> {
        let range = Range::third(lbr.opponent, lbr.game.rules(), &lbr.seen(&deal, seat, Street::Third));
        Hand { deal, seat, range, luck: 0.0, lbr }
    }

    /// Goes on to the street of a position, if play has come there.
    fn reveal(&mut self, position: Position, rng: &mut impl Rng) {
        let tree = self.lbr.game.tree();
        let street = tree.street(position);
        if self.range.street == street {
            return;
        }
        let value = |hand: &Hand<'_>| hand.range.showdown(showdown_paid(tree, position));
        let expected = (self.lbr.foretold(street) && self.range.has_shares()).then(|| value(self));
        self.deal_up_to(street);
        if let Some(expected) = expected {
            self.set_shares(rng);
            self.luck += value(self) - expected;
        }
    }

    fn deal_up_to(&mut self, street: Street) {
        let Hand { deal, seat, lbr, .. } = self;
        self.range = self.range.next(lbr.opponent, lbr.game.rules(), &lbr.seen(deal, *seat, street));
    }

    /// The opponent acts as its hand has it, and the responder draws its conclusions.
    fn answer(&mut self, position: Position, rng: &mut Xoshiro256PlusPlus) -> usize {
        let chances = self.chances(position);
        let hidden = self.lbr.game.down(&self.deal, 1 - self.seat, self.range.street);
        let action = draw(chances.row(self.range.group_of(hidden)), rng.random());
        self.observe(position, &chances, action, rng);
        action
    }

    /// The responder has seen the opponent take an action.
    fn observe(&mut self, position: Position, chances: &Chances, action: usize, rng: &mut impl Rng) {
        if self.range.street < self.lbr.from {
            return self.range.observe(chances, action);
        }
        self.set_shares(rng);
        let outcomes = outcomes(self.lbr.game.tree(), position);
        let expected = self.expected(chances, &outcomes);
        self.range.observe(chances, action);
        self.luck += self.value(&outcomes[action]) - expected;
    }

    /// What an outcome is worth to the responder on average over all that the opponent may hold.
    fn value(&self, outcome: &Outcome) -> f64 {
        self.range.expect(|_, share| outcome.value(share))
    }

    /// The mean of outcomes whose chances are given by group.
    fn expected(&self, chances: &Chances, outcomes: &[Outcome]) -> f64 {
        self.range.expect(|group, share| {
            chances
                .row(group)
                .iter()
                .zip(outcomes)
                .map(|(chance, outcome)| chance * outcome.value(share))
                .sum()
        })
    }

    fn chances(&self, position: Position) -> Chances {
        self.range.chances(self.lbr.opponent, self.lbr.game, position)
    }

    /// The responder's choice: of equal values the less active.
    fn respond(&mut self, position: Position, rng: &mut impl Rng) -> usize {
        let tree = self.lbr.game.tree();
        let passive = passive(tree, position);
        if self.range.street < self.lbr.from {
            return passive;
        }
        self.set_shares(rng);
        let mut best = (passive, self.range.showdown(showdown_paid(tree, position)));
        for (action, &what) in tree.actions(position).iter().enumerate() {
            let next = tree.act_in_round(position, action);
            let value = match what {
                Action::Check | Action::Call | Action::BringIn => continue,
                Action::Fold => -folder_paid(tree, next),
                Action::RaiseTo(_) => {
                    let fold = index_of(tree, next, Action::Fold).expect("who faces a bet may fold");
                    let forfeits = folder_paid(tree, tree.act_in_round(next, fold));
                    self.range.fold_or_showdown(
                        &self.chances(next),
                        fold,
                        forfeits,
                        showdown_paid(tree, next),
                    )
                }
            };
            if value > best.1 {
                best = (action, value);
            }
        }
        best.0
    }

    /// What the responder wins at a showdown on average over all that the opponent may hold.
    fn showdown(&mut self, paid: Chips, rng: &mut impl Rng) -> f64 {
        self.set_shares(rng);
        self.range.showdown(paid as f64)
    }

    fn set_shares(&mut self, rng: &mut impl Rng) {
        let Hand { deal, seat, lbr, range, .. } = self;
        let street = range.street;
        let own = own_cards(lbr.game, deal, *seat, street);
        let other = CardSet::from(lbr.game.up(deal, 1 - *seat, street));
        range.set_shares(|sets| share::of_sets(lbr.game.rules(), street, own, other, sets, rng));
    }
}

fn own_cards(game: &StudTree, deal: &StudDeal, seat: usize, street: Street) -> CardSet {
    CardSet::from(game.down(deal, seat, street)).union(CardSet::from(game.up(deal, seat, street)))
}

/// The random numbers of a hand: of every seed they begin elsewhere.
fn generator(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    let start = SplitMix64::seed_from_u64(seed).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(start.wrapping_add(number))
}

#[cfg(test)]
mod tests;
