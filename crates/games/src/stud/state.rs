//! A hand in progress: what comes next, and what has happened.
//!
//! A state waits either for a card ([`State::deal`]) or for an action ([`State::apply`]); [`State::next`] says which.
//! It owns everything it needs and is cheap to clone, so that it serves search as well as replay.

use super::betting::{Bank, Round, Scene};
use super::dealing::{Cards, Due};
use super::history::History;
use super::pots::{self, Pot, Settlement};
use super::showdown::{self, Strength};
use super::{
    Action, Chips, Event, Legal, MAX_PLAYERS, MAX_STACK, Rules, SeatSet, ShowFirst, Street, StudError, opener,
};
use arrayvec::ArrayVec;
use doorcard_cards::{Card, CardSet};
use std::fmt;

/// What a hand waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A card to be burnt.
    Burn,
    /// A face-down card for this seat.
    Down(usize),
    /// A face-up card for this seat.
    Up(usize),
    /// The face-up card shared by all, when the deck has run out.
    Board,
    /// An action of this seat.
    Act(usize),
    /// Nothing: the hand is over.
    Over,
}

/// A hand in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    rules: Rules,
    players: u8,
    street: Street,
    next: Next,
    /// What the player to act may do: nothing if the hand waits for something else.
    legal: Legal,
    /// Who has not folded.
    live: SeatSet,
    /// Who opened this street, and who bet or raised last on it.
    opener: Option<u8>,
    aggressor: Option<u8>,
    bank: Bank,
    round: Round,
    cards: Cards,
    history: History,
}

impl State {
    /// A hand before its first card; the antes are posted. Seat 0 sits at the dealer's left. Units: chips.
    ///
    /// # Errors
    /// If there are not two to eight stacks, one is not from 1 to [`MAX_STACK`], or a deck that is not the standard one
    /// cannot serve all players.
    pub fn new(rules: &Rules, stacks: &[Chips]) -> Result<State, StudError> {
        if !(2..=MAX_PLAYERS).contains(&stacks.len()) {
            return Err(StudError::Players(stacks.len()));
        }
        for (seat, &chips) in stacks.iter().enumerate() {
            if !(1..=MAX_STACK).contains(&chips) {
                return Err(StudError::Stack { seat, chips, max: MAX_STACK });
            }
        }
        let (needed, deck) = (rules.cards_needed(stacks.len()), rules.deck().len());
        if needed > deck && !rules.is_standard() {
            return Err(StudError::TooManyPlayers { players: stacks.len(), needed, deck });
        }
        let none = [0; MAX_PLAYERS];
        let mut bank = Bank { stacks: none, wagers: none, paid: none };
        bank.stacks[..stacks.len()].copy_from_slice(stacks);
        for (seat, &chips) in stacks.iter().enumerate() {
            bank.post(seat, rules.ante().min(chips));
        }
        let live = SeatSet::first(stacks.len());
        let mut state = State {
            rules: *rules,
            players: stacks.len() as u8,
            street: Street::Third,
            next: Next::Over,
            legal: Legal::NOTHING,
            live,
            opener: None,
            aggressor: None,
            bank,
            round: Round::new(rules, Street::Third, SeatSet::EMPTY, live),
            cards: Cards::new(rules),
            history: History::default(),
        };
        state.begin_street(Street::Third);
        Ok(state)
    }

    /// What the hand waits for.
    pub fn next(&self) -> Next {
        self.next
    }

    /// Deals the card that is due.
    ///
    /// # Errors
    /// If no card is due, or `card` is not in the deck.
    pub fn deal(&mut self, card: Card) -> Result<(), StudError> {
        let due = match self.next {
            Next::Burn => Due::Burn,
            Next::Down(seat) => Due::Down(seat),
            Next::Up(seat) => Due::Up(seat),
            Next::Board => Due::Board,
            Next::Act(_) | Next::Over => {
                return Err(StudError::NoCardDue { card, expected: self.next.to_string() });
            }
        };
        if !self.cards.stub().contains(card) {
            let whereabouts = self.cards.whereabouts(card, self.players());
            return Err(StudError::NotInDeck { card, whereabouts });
        }
        self.cards.deal(&self.rules, self.street, self.live, due, card);
        self.next_card_or_round();
        Ok(())
    }

    /// What the player to act may do; `None` if nobody is to act.
    pub fn legal(&self) -> Option<&Legal> {
        matches!(self.next, Next::Act(_)).then_some(&self.legal)
    }

    /// Carries out an action of the player to act.
    ///
    /// # Errors
    /// If nobody is to act, or the action is not legal; the state is unchanged and the error says what was legal.
    pub fn apply(&mut self, action: Action) -> Result<(), StudError> {
        let Next::Act(seat) = self.next else {
            return Err(StudError::NobodyActs { action, expected: self.next.to_string() });
        };
        if !self.legal.allows(action) {
            return Err(StudError::Illegal { seat, action, legal: Box::new(self.legal.clone()) });
        }
        self.act(seat, action);
        Ok(())
    }

    /// Carries out a legal action.
    pub(super) fn act(&mut self, seat: usize, action: Action) {
        let scene = Scene { rules: &self.rules, street: self.street, live: self.live, cards: &self.cards };
        self.round.apply(scene, &mut self.bank, seat, action);
        match action {
            Action::Fold => {
                self.live = self.live.without(seat);
                self.cards.fold(&self.rules, seat);
            }
            Action::RaiseTo(_) => self.aggressor = Some(seat as u8),
            _ => {}
        }
        self.history.push(Event::new(self.street, seat, action, self.bank.wagers[seat]));
        match self.next_to_act((seat + 1) % self.players()) {
            Some(next) => self.wait_for(next),
            None => self.end_round(),
        }
    }

    fn wait_for(&mut self, seat: usize) {
        self.next = Next::Act(seat);
        self.legal = self.round.legal(self.scene(), &self.bank, seat);
    }

    fn scene(&self) -> Scene<'_> {
        Scene { rules: &self.rules, street: self.street, live: self.live, cards: &self.cards }
    }

    fn begin_street(&mut self, street: Street) {
        self.street = street;
        self.opener = None;
        self.aggressor = None;
        self.bank.wagers = [0; MAX_PLAYERS];
        self.cards.begin_street(&self.rules, street, self.live);
        self.next_card_or_round();
    }

    /// Moves on to the next card, or when all are dealt, to the betting.
    fn next_card_or_round(&mut self) {
        self.next = match self.cards.next(&self.rules, self.street) {
            Some(Due::Burn) => Next::Burn,
            Some(Due::Down(seat)) => Next::Down(seat),
            Some(Due::Up(seat)) => Next::Up(seat),
            Some(Due::Board) => Next::Board,
            None => return self.begin_round(),
        };
    }

    /// Opens the betting; without two players who can bet there is none.
    fn begin_round(&mut self) {
        let variant = self.rules.variant();
        let named = if self.street == Street::Third {
            opener::bring_in(variant, self.live, |seat| &self.cards.up(seat)[0])
        } else {
            opener::first_to_act(variant, self.live, |seat| self.cards.up(seat))
        };
        let contenders: SeatSet = self.live.into_iter().filter(|&seat| self.bank.has_chips(seat)).collect();
        let opener = contenders.clockwise_from(named).unwrap_or(named);
        self.opener = Some(opener as u8);
        if contenders.len() < 2 {
            self.round = Round::new(&self.rules, self.street, SeatSet::EMPTY, self.live);
            return self.end_round();
        }
        self.round = Round::new(&self.rules, self.street, contenders, self.live);
        self.wait_for(opener);
    }

    /// The next seat, from `from` on, that has something to decide.
    fn next_to_act(&self, from: usize) -> Option<usize> {
        if self.live.len() < 2 {
            return None;
        }
        let seat = self.round.pending.clockwise_from(from)?;
        let others = self.live.without(seat);
        let alone = || !others.into_iter().any(|other| self.bank.has_chips(other));
        let decided = self.round.owed(self.scene(), &self.bank, seat) == 0 && alone();
        (!decided).then_some(seat)
    }

    /// Goes on to the next street, or ends the hand.
    fn end_round(&mut self) {
        self.legal = Legal::NOTHING;
        match self.rules.next_street(self.street) {
            Some(street) if self.live.len() > 1 => self.begin_street(street),
            _ => self.next = Next::Over,
        }
    }
}

/// What everybody at the table can see, and the chips.
impl State {
    /// The rules of the hand.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many players were dealt in.
    pub fn players(&self) -> usize {
        usize::from(self.players)
    }

    /// The street being dealt or bet on; the last one when the hand is over.
    pub fn street(&self) -> Street {
        self.street
    }

    /// Whether the hand is over.
    pub fn is_over(&self) -> bool {
        self.next == Next::Over
    }

    /// The seat to act, if the hand waits for an action.
    pub fn actor(&self) -> Option<usize> {
        match self.next {
            Next::Act(seat) => Some(seat),
            _ => None,
        }
    }

    /// Who has not folded.
    pub fn live(&self) -> SeatSet {
        self.live
    }

    /// Whether a seat has folded.
    pub fn folded(&self, seat: usize) -> bool {
        !self.live.contains(seat)
    }

    /// What a seat has left to bet. Units: chips.
    pub fn stack(&self, seat: usize) -> Chips {
        self.bank.stacks[seat]
    }

    /// What a seat has put in on this street, the ante not included. Units: chips.
    pub fn wager(&self, seat: usize) -> Chips {
        self.bank.wagers[seat]
    }

    /// What a seat has put in altogether. Units: chips.
    pub fn paid(&self, seat: usize) -> Chips {
        self.bank.paid[seat]
    }

    /// All chips put in, bets of this street included. Units: chips.
    pub fn pot(&self) -> Chips {
        self.bank.paid.iter().sum()
    }

    /// What it costs a seat to call, capped by its stack; 0 when the betting is over. Units: chips.
    pub fn to_call(&self, seat: usize) -> Chips {
        if self.round.pending.contains(seat) { self.round.owed(self.scene(), &self.bank, seat) } else { 0 }
    }

    /// Bets and raises on this street that count towards the cap; the completion counts, the bring-in does not.
    pub fn bets_this_street(&self) -> usize {
        self.round.bets as usize
    }

    /// Who opened the betting of this street, or would have if there had been any; `None` before all its cards are
    /// dealt.
    pub fn opener(&self) -> Option<usize> {
        self.opener.map(usize::from)
    }

    /// Who bet or raised last on this street.
    pub fn last_aggressor(&self) -> Option<usize> {
        self.aggressor.map(usize::from)
    }

    /// The actions so far, in order.
    pub fn history(&self) -> &[Event] {
        self.history.events()
    }

    /// The up cards of a seat in the order dealt. They stay known when it folds.
    pub fn up_cards(&self, seat: usize) -> &[Card] {
        self.cards.up(seat)
    }

    /// The down cards of a seat in the order dealt: its secret.
    pub fn down_cards(&self, seat: usize) -> &[Card] {
        self.cards.down(seat)
    }

    /// The card shared by all, when the deck has run out.
    pub fn board(&self) -> Option<Card> {
        self.cards.board()
    }

    /// The burnt cards in order.
    pub fn burns(&self) -> &[Card] {
        self.cards.burns()
    }

    /// The cards that may come next from the deck.
    pub fn deck(&self) -> CardSet {
        self.cards.stub()
    }

    /// Whether burnt or folded cards have been shuffled back into the deck.
    pub fn reshuffled(&self) -> bool {
        self.cards.reshuffled()
    }

    /// All cards a seat plays with, the shared one included.
    pub fn hand(&self, seat: usize) -> CardSet {
        self.cards.hand(seat)
    }
}

/// The end of a hand.
impl State {
    /// The pots, main pot first, uncalled chips left out: as things stand while the hand goes on.
    pub fn pots(&self) -> ArrayVec<Pot, MAX_PLAYERS> {
        pots::pots(&self.bank.paid[..self.players()], self.live)
    }

    /// Who wins what.
    ///
    /// # Panics
    /// If the hand is not over.
    pub fn settlement(&self) -> Settlement {
        self.settlement_among(self.live)
    }

    /// Who wins what if only `claimants` of those left show their hands, and the others throw theirs away.
    ///
    /// # Panics
    /// If the hand is not over, or nobody who is left claims the pot.
    pub fn settlement_among(&self, claimants: SeatSet) -> Settlement {
        assert!(self.is_over(), "the hand is not over: {}", self.next);
        let claimants = claimants.intersection(self.live);
        assert!(!claimants.is_empty(), "nobody claims the pot");
        let paid = &self.bank.paid[..self.players()];
        if self.live.len() == 1 {
            return pots::uncontested(paid, self.live);
        }
        pots::settle(&self.rules, paid, self.live, claimants, &self.strengths(self.live), |seat| {
            self.hand(seat)
        })
    }

    /// Final minus starting stack of each seat. Units: chips.
    ///
    /// They sum to zero, unless an odd chip is left for the next hand ([`Settlement::carried`]).
    ///
    /// # Panics
    /// If the hand is not over.
    pub fn payoffs(&self) -> ArrayVec<Chips, MAX_PLAYERS> {
        self.settlement().payoffs(&self.bank.paid[..self.players()])
    }

    /// Whether the hand ended with two or more players left.
    pub fn is_showdown(&self) -> bool {
        self.is_over() && self.live.len() > 1
    }

    /// Who shows and who throws the hand away, in order; empty without a showdown.
    pub fn showdown(&self) -> ArrayVec<(usize, bool), MAX_PLAYERS> {
        if !self.is_showdown() {
            return ArrayVec::new();
        }
        let opener = self.opener().unwrap_or(0);
        let first = match self.rules.show_first() {
            ShowFirst::LastAggressor => self.last_aggressor().unwrap_or(opener),
            ShowFirst::Opener => opener,
        };
        // A folded opener passes the duty on clockwise.
        let first = self.live.clockwise_from(first).unwrap_or(first);
        showdown::order(&self.rules, &self.pots(), self.live, first, &self.strengths(self.live))
    }

    fn strengths(&self, seats: SeatSet) -> [Strength; MAX_PLAYERS] {
        let mut strengths = [Strength::default(); MAX_PLAYERS];
        for seat in seats {
            strengths[seat] = showdown::strength_by(&self.rules, self.hand(seat));
        }
        strengths
    }
}

impl fmt::Display for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Next::Burn => write!(f, "a card is to be burnt"),
            Next::Down(seat) => write!(f, "seat {seat} is due a down card"),
            Next::Up(seat) => write!(f, "seat {seat} is due an up card"),
            Next::Board => write!(f, "the shared card is due"),
            Next::Act(seat) => write!(f, "seat {seat} is to act"),
            Next::Over => write!(f, "the hand is over"),
        }
    }
}
