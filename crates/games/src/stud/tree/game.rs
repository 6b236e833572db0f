//! Heads-up limit stud on the compiled betting tree: the game that solvers train on.

use super::{BettingTree, HistoryDetail, Line, MAX_ACTIONS, Position, TreeError, Turn};
use crate::stud::{Action, Rules, SeatSet, Street, bring_in, first_to_act, showdown, shows_pair};
use arrayvec::ArrayVec;
use doorcard_cards::{Card, CardSet};
use doorcard_efg as efg;
use rand::{Rng, RngExt};

/// What stands in the places of a deal that a game has no cards for.
const NO_CARD: Card = Card::from_index(0);

/// All cards of a heads-up hand, with what they decide. In games of fewer cards the places left over hold no meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudDeal {
    /// By seat, in the order dealt: in the standard game two hole cards, then the river.
    pub down: [[Card; 3]; 2],
    /// By seat, in the order dealt: in the standard game the door card and the cards of streets 4 to 6.
    pub up: [[Card; 4]; 2],
    /// Who brings in and who opens.
    pub line: Line,
    /// Seat 0's share of the pot at showdown: 0, 1/4, 1/2, 3/4 or 1.
    pub share: f32,
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
        // Places beyond the cards of a small game are no cards.
        let most = self.rules.up_cards(Street::Seventh);
        let up = up.map(|cards| &cards[..cards.len().min(most)]);
        let bring_in = bring_in(variant, seats, |seat| &up[seat][0]);
        let mut line = Line { bring_in: bring_in as u8, variant: [0; 5] };
        for &street in &Street::ALL[1..self.rules.streets()] {
            let shown = self.rules.up_cards(street);
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
        let share = if self.rules.is_standard() {
            let hand = |seat: usize| down[seat].iter().chain(&up[seat]).copied().collect::<CardSet>();
            showdown::share(self.rules.variant(), hand(0), hand(1))
        } else {
            let [ups, downs] = [self.rules.up_cards(Street::Seventh), self.rules.down_cards(Street::Seventh)];
            let hand = |seat: usize| down[seat][..downs].iter().chain(&up[seat][..ups]).copied().collect();
            let [first, second] = [0, 1].map(|seat| showdown::strength_by(&self.rules, hand(seat)));
            first.share(second)
        } as f32;
        StudDeal { down, up, line: self.line([&up[0], &up[1]]), share }
    }

    /// The cards a seat holds face down on a street.
    pub fn down<'a>(&self, deal: &'a StudDeal, seat: usize, street: Street) -> &'a [Card] {
        &deal.down[seat][..self.rules.down_cards(street)]
    }

    /// The cards a seat shows on a street.
    pub fn up<'a>(&self, deal: &'a StudDeal, seat: usize, street: Street) -> &'a [Card] {
        &deal.up[seat][..self.rules.up_cards(street)]
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

impl StudTree {
    /// A random deal of a game that is not the standard one.
    fn deal_small<R: Rng + ?Sized>(&self, rng: &mut R) -> StudDeal {
        let mut deck: ArrayVec<Card, 52> = self.rules.deck().into_iter().collect();
        let mut draw = || deck.swap_remove(rng.random_range(0..deck.len()));
        let (mut down, mut up) = ([[NO_CARD; 3]; 2], [[NO_CARD; 4]; 2]);
        for seat in 0..2 {
            down[seat][..self.rules.down_cards(Street::Seventh)].fill_with(&mut draw);
            up[seat][..self.rules.up_cards(Street::Seventh)].fill_with(&mut draw);
        }
        self.deal_of(down, up)
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
        if !self.rules.is_standard() {
            return self.deal_small(rng);
        }
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

/// Possible for small decks only: the standard game has some 10^20 deals.
impl efg::EnumerableGame for StudTree {
    /// Every order of the cards is a deal, except that down cards of the first street are a set: they are given in
    /// ascending order.
    fn for_each_deal(&self, f: &mut dyn FnMut(&StudDeal, f64)) {
        let (ups, downs) = (self.rules.up_cards(Street::Seventh), self.rules.down_cards(Street::Seventh));
        let hole = self.rules.down_cards(Street::Third);
        let deck = self.rules.deck();
        let ordered: f64 = (0..2 * (ups + downs)).map(|dealt| (deck.len() - dealt) as f64).product();
        let holes: f64 = (1..=hole).map(|n| n as f64).product();
        let probability = holes * holes / ordered;
        let shape = DealShape { ups, downs, hole };
        shape.complete(deck, 0, ([[NO_CARD; 3]; 2], [[NO_CARD; 4]; 2]), &mut |(down, up)| {
            f(&self.deal_of(down, up), probability);
        });
    }
}

/// Down cards and up cards by seat.
type Cards = ([[Card; 3]; 2], [[Card; 4]; 2]);

/// How many cards a seat gets, and how many of the down cards are a set.
#[derive(Clone, Copy)]
struct DealShape {
    ups: usize,
    downs: usize,
    hole: usize,
}

impl DealShape {
    /// Calls `f` with every way to complete a deal of which `place` cards are dealt: seat by seat the down cards, then
    /// the up cards.
    fn complete(self, left: CardSet, place: usize, mut cards: Cards, f: &mut dyn FnMut(Cards)) {
        let (seat, nth) = (place / (self.downs + self.ups), place % (self.downs + self.ups));
        if seat == 2 {
            return f(cards);
        }
        for card in left {
            let (down, up) = (&mut cards.0[seat], &mut cards.1[seat]);
            match nth.checked_sub(self.downs) {
                None if (1..self.hole).contains(&nth) && card < down[nth - 1] => continue,
                None => down[nth] = card,
                Some(nth) => up[nth] = card,
            }
            self.complete(left.without(card), place + 1, cards, f);
        }
    }
}
