//! The cards of a hand: who holds what, what comes off the deck next, and what happens when the deck runs out.
//!
//! Of the standard deck eight players need 56 cards, and seven with burns 53, so that only seventh street can run short (other decks must serve everybody). Then the cards
//! named by [`ExhaustedDeck`] are shuffled back in; if there are still not enough, one face-up card is shared by all.
//!
//! With burns shuffled back, the dealer follows the card room's procedure (Robert's Rules of Poker, seven-card stud):
//! deal all but the last card of the deck, mix that one with the burnt cards, burn one, and go on.

use super::{ExhaustedDeck, MAX_PLAYERS, Rules, SeatSet, Street};
use arrayvec::ArrayVec;
use doorcard_cards::{Card, CardSet};

/// A card that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    Burn,
    Down(usize),
    Up(usize),
    Board,
}

/// The cards of a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cards {
    down: [[Card; 3]; MAX_PLAYERS],
    up: [[Card; 4]; MAX_PLAYERS],
    downs: [u8; MAX_PLAYERS],
    ups: [u8; MAX_PLAYERS],
    burns: ArrayVec<Card, 5>,
    board: Option<Card>,
    /// What is left of the deck.
    stub: CardSet,
    /// What would be shuffled back.
    returns: CardSet,
    reshuffled: bool,
    /// Whether a card is to be burnt before the others that are due.
    burn_due: bool,
    board_due: bool,
    /// Who still gets a card in this pass round the table.
    due: SeatSet,
}

impl Cards {
    pub(super) fn new(rules: &Rules) -> Cards {
        let none = Card::from_index(0);
        Cards {
            down: [[none; 3]; MAX_PLAYERS],
            up: [[none; 4]; MAX_PLAYERS],
            downs: [0; MAX_PLAYERS],
            ups: [0; MAX_PLAYERS],
            burns: ArrayVec::new(),
            board: None,
            stub: rules.deck(),
            returns: CardSet::EMPTY,
            reshuffled: false,
            burn_due: false,
            board_due: false,
            due: SeatSet::EMPTY,
        }
    }

    /// Decides what this street deals to the players left in the hand.
    pub(super) fn begin_street(&mut self, rules: &Rules, street: Street, live: SeatSet) {
        self.due = live;
        self.burn_due = rules.burn() && street > Street::Third;
        let short = self.stub.len() < live.len() + usize::from(self.burn_due);
        if street == Street::Seventh && short {
            let available = self.stub.len() + self.returns.len();
            let enough = match rules.exhausted_deck() {
                ExhaustedDeck::Community => false,
                ExhaustedDeck::BurnsThenCommunity => {
                    available >= live.len() + if self.burn_due { 2 } else { 0 }
                }
                ExhaustedDeck::BurnsAndFoldedThenCommunity => available >= live.len(),
            };
            if !enough {
                self.due = SeatSet::EMPTY;
                self.board_due = true;
                self.burn_due &= available > 1;
            }
            self.shuffle_back(rules);
        }
    }

    /// The card that is due on this street, if any.
    pub(super) fn next(&self, rules: &Rules, street: Street) -> Option<Due> {
        if self.burn_due {
            return Some(Due::Burn);
        }
        if self.board_due {
            return Some(Due::Board);
        }
        let seat = self.due.lowest()?;
        let down = usize::from(self.downs[seat]) < rules.down_cards(street);
        Some(if down { Due::Down(seat) } else { Due::Up(seat) })
    }

    /// Deals `card` to where it is due. The caller has checked that the deck has it.
    pub(super) fn deal(&mut self, rules: &Rules, street: Street, live: SeatSet, due: Due, card: Card) {
        self.stub = self.stub.without(card);
        match due {
            Due::Burn => {
                self.burn_due = false;
                self.burns.push(card);
                if rules.exhausted_deck() != ExhaustedDeck::Community {
                    self.returns = self.returns.with(card);
                }
            }
            Due::Board => {
                self.board_due = false;
                self.board = Some(card);
            }
            Due::Down(seat) => {
                self.down[seat][usize::from(self.downs[seat])] = card;
                self.downs[seat] += 1;
                self.due = self.due.without(seat);
            }
            Due::Up(seat) => {
                self.up[seat][usize::from(self.ups[seat])] = card;
                self.ups[seat] += 1;
                self.due = self.due.without(seat);
            }
        }
        match street {
            // The first street goes round the table once for each of its cards.
            Street::Third if self.due.is_empty() && self.ups[live.lowest().unwrap_or(0)] == 0 => {
                self.due = live
            }
            Street::Seventh => self.shuffle_back(rules),
            _ => {}
        }
    }

    /// Shuffles cards back when the deck has run out with cards still due.
    fn shuffle_back(&mut self, rules: &Rules) {
        if self.burn_due && !self.stub.is_empty() || self.returns.is_empty() {
            return;
        }
        let wanted = self.due.len() + usize::from(self.board_due);
        let mix_the_last =
            rules.burn() && rules.exhausted_deck() == ExhaustedDeck::BurnsThenCommunity && !self.board_due;
        if self.stub.len() <= usize::from(mix_the_last) && wanted > self.stub.len() {
            self.stub = self.stub.union(self.returns);
            self.returns = CardSet::EMPTY;
            self.reshuffled = true;
            self.burn_due |= mix_the_last;
        }
    }

    /// Takes back the cards of a player who folds.
    pub(super) fn fold(&mut self, rules: &Rules, seat: usize) {
        if rules.exhausted_deck() == ExhaustedDeck::BurnsAndFoldedThenCommunity {
            self.returns = self.returns.union(self.held(seat));
        }
    }

    /// The down cards of a seat in the order dealt; none once they may have been dealt anew.
    pub(super) fn down(&self, seat: usize) -> &[Card] {
        &self.down[seat][..usize::from(self.downs[seat])]
    }

    /// The up cards of a seat in the order dealt.
    pub(super) fn up(&self, seat: usize) -> &[Card] {
        &self.up[seat][..usize::from(self.ups[seat])]
    }

    /// The cards dealt to a seat, without the shared one.
    pub(super) fn held(&self, seat: usize) -> CardSet {
        CardSet::from(self.down(seat)).union(CardSet::from(self.up(seat)))
    }

    /// The cards a seat plays with, the shared one included.
    pub(super) fn hand(&self, seat: usize) -> CardSet {
        self.board.map_or(self.held(seat), |card| self.held(seat).with(card))
    }

    pub(super) fn board(&self) -> Option<Card> {
        self.board
    }

    pub(super) fn burns(&self) -> &[Card] {
        &self.burns
    }

    pub(super) fn stub(&self) -> CardSet {
        self.stub
    }

    pub(super) fn reshuffled(&self) -> bool {
        self.reshuffled
    }

    /// Where a card that is not in the deck is, for error messages.
    pub(super) fn whereabouts(&self, card: Card, players: usize) -> &'static str {
        if self.burns.contains(&card) {
            "burnt"
        } else if self.board == Some(card) {
            "the shared card"
        } else if (0..players).any(|seat| self.held(seat).contains(card)) {
            "in a player's hand"
        } else {
            "not in the deck"
        }
    }
}
