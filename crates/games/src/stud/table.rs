//! The full engine as a [`Game`]: two to eight seats, cards dealt from a shuffled deck, and what each seat sees.

use super::{
    Action, Chips, Event, Legal, MAX_ACTIONS, MAX_PLAYERS, Next, Rules, SeatSet, State, Street, StudError,
};
use arrayvec::ArrayVec;
use doorcard_cards::{Card, CardSet, Suit};
use doorcard_efg::{EnumerableGame, Game, Observe, Turn};
use rand::{Rng, RngExt};

/// A table: rules and the stacks that every hand begins with.
#[derive(Clone, Debug)]
pub struct StudTable {
    start: State,
    /// How many cards a hand takes in which nobody folds.
    cards: usize,
    /// The cards of the deck in order, and after them those that are not in it.
    order: [Card; 52],
    deck: usize,
}

/// The deck of a hand in a random order, and the order in which cards come again if some are shuffled back.
///
/// Cards that are not in the rules' deck stand at the end and are never dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShuffledDeck {
    order: [Card; 52],
    second: [Card; 52],
}

impl StudTable {
    /// A table with these rules and starting stacks, one per seat. Units: chips.
    ///
    /// # Errors
    /// As [`State::new`].
    pub fn new(rules: &Rules, stacks: &[Chips]) -> Result<StudTable, StudError> {
        let start = State::new(rules, stacks)?;
        let mut order: ArrayVec<Card, 52> = rules.deck().into_iter().collect();
        order.extend(rules.deck().complement());
        let order = order.into_inner().expect("every card once");
        let cards = rules.cards_needed(stacks.len());
        Ok(StudTable { start, cards, order, deck: rules.deck().len() })
    }

    /// A table of `players` seats with the stacks of the rules.
    ///
    /// # Errors
    /// As [`State::new`].
    pub fn with_players(rules: &Rules, players: usize) -> Result<StudTable, StudError> {
        StudTable::new(rules, &vec![rules.stack(); players])
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.start.rules()
    }

    /// The starting stack of a seat. Units: chips.
    pub fn stack(&self, seat: usize) -> Chips {
        self.start.stack(seat) + self.start.paid(seat)
    }

    /// In how many orders the cards that a hand takes can come off the deck; nothing if that is beyond all counting.
    pub fn deals(&self) -> Option<u64> {
        let deck = self.deck as u64;
        (0..self.cards as u64).try_fold(1u64, |deals, dealt| deals.checked_mul(deck.checked_sub(dealt)?))
    }

    /// Deals all cards that are due.
    fn deal_due(&self, state: &mut State, deck: &ShuffledDeck) {
        while !matches!(state.next(), Next::Act(_) | Next::Over) {
            state.deal(self.next_card(state, deck)).expect("the card is in the deck");
        }
    }

    /// The card that comes next.
    ///
    /// Every seat has its own places in the deck, as if nobody ever folded, so that in replays of one deck a seat gets
    /// the same cards whatever the others do. Only where a deck cannot serve everybody, the last street takes what is
    /// left.
    fn next_card(&self, state: &State, deck: &ShuffledDeck) -> Card {
        let players = state.players();
        let rules = state.rules();
        let burns = usize::from(rules.burn());
        let street = state.street().index();
        if self.cards > 52 && state.street() == Street::Seventh {
            let order = if state.reshuffled() { &deck.second } else { &deck.order };
            let left = state.deck();
            return *order.iter().find(|&&card| left.contains(card)).expect("a card is left");
        }
        let first_downs = rules.down_cards(Street::Third);
        let begin =
            if street == 0 { 0 } else { (first_downs + 1) * players + (street - 1) * (players + burns) };
        let place = match state.next() {
            Next::Down(seat) if street == 0 => state.down_cards(seat).len() * players + seat,
            Next::Up(seat) if street == 0 => first_downs * players + seat,
            Next::Down(seat) | Next::Up(seat) => burns + seat,
            _ => 0,
        };
        deck.order[begin + place]
    }
}

impl ShuffledDeck {
    /// The same deck with other suits: `map[s]` is the new suit of suit `s`.
    #[must_use]
    pub fn relabel(&self, map: [Suit; 4]) -> ShuffledDeck {
        let relabel = |card: Card| Card::new(card.rank(), map[card.suit().index()]);
        ShuffledDeck { order: self.order.map(relabel), second: self.second.map(relabel) }
    }
}

impl Game for StudTable {
    type Deal = ShuffledDeck;
    type Node = State;

    fn players(&self) -> usize {
        self.start.players()
    }

    fn max_actions(&self) -> usize {
        MAX_ACTIONS
    }

    fn deal<R: Rng + ?Sized>(&self, rng: &mut R) -> ShuffledDeck {
        let mut order = self.order;
        shuffle(&mut order[..self.deck], self.cards.min(52), rng);
        let mut second = order;
        if self.cards > 52 {
            shuffle(&mut second, 52, rng);
        }
        ShuffledDeck { order, second }
    }

    fn root(&self, deal: &ShuffledDeck) -> State {
        let mut state = self.start.clone();
        self.deal_due(&mut state, deal);
        state
    }

    fn turn(&self, node: &State, _: &ShuffledDeck) -> Turn {
        match (node.next(), node.legal()) {
            (Next::Act(player), Some(legal)) => Turn::Decide { player, actions: legal.count() },
            _ => Turn::Over,
        }
    }

    fn act(&self, node: &State, deal: &ShuffledDeck, action: usize) -> State {
        let mut state = node.clone();
        let (Next::Act(seat), Some(legal)) = (node.next(), node.legal()) else {
            panic!("nobody is to act: {}", node.next());
        };
        state.act(seat, legal.actions()[action]);
        self.deal_due(&mut state, deal);
        state
    }

    fn utility(&self, node: &State, _: &ShuffledDeck, player: usize) -> f64 {
        node.payoffs()[player] as f64
    }
}

/// All orders of the cards that a hand takes: see [`StudTable::deals`] for how many there are.
impl EnumerableGame for StudTable {
    fn for_each_deal(&self, f: &mut dyn FnMut(&ShuffledDeck, f64)) {
        let cards = self.cards.min(self.deck);
        let probability = (0..cards).map(|dealt| 1.0 / (self.deck - dealt) as f64).product();
        let mut deal = ShuffledDeck { order: self.order, second: self.order };
        for_each_order(&mut deal, 0, cards, self.deck, &mut |deal| f(deal, probability));
    }
}

/// Calls `f` with every order of `cards` of the first `deck` cards, those before `at` being fixed.
fn for_each_order(
    deal: &mut ShuffledDeck,
    at: usize,
    cards: usize,
    deck: usize,
    f: &mut dyn FnMut(&ShuffledDeck),
) {
    if at == cards {
        return f(deal);
    }
    for next in at..deck {
        deal.order.swap(at, next);
        for_each_order(deal, at + 1, cards, deck, f);
        deal.order.swap(at, next);
    }
}

/// Shuffles so that the first `n` cards are a uniform sample in random order.
fn shuffle<R: Rng + ?Sized>(cards: &mut [Card], n: usize, rng: &mut R) {
    for i in 0..n {
        let j = rng.random_range(i..cards.len());
        cards.swap(i, j);
    }
}

impl Observe for StudTable {
    type Observation<'a> = SeatView<'a>;

    fn observe<'a>(&'a self, node: &'a State, _: &'a ShuffledDeck, player: usize) -> SeatView<'a> {
        SeatView::new(node, player)
    }
}

/// What one seat sees of a hand: its own cards, everybody's up cards, the chips and the actions so far.
#[derive(Clone, Copy, Debug)]
pub struct SeatView<'a> {
    state: &'a State,
    seat: usize,
}

impl<'a> SeatView<'a> {
    /// What `seat` sees.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn new(state: &'a State, seat: usize) -> SeatView<'a> {
        assert!(seat < state.players(), "seat {seat} of {}", state.players());
        SeatView { state, seat }
    }

    /// The rules of the hand.
    pub fn rules(&self) -> &'a Rules {
        self.state.rules()
    }

    /// Whose view this is.
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// How many players were dealt in.
    pub fn players(&self) -> usize {
        self.state.players()
    }

    /// The street.
    pub fn street(&self) -> Street {
        self.state.street()
    }

    /// The seat's own down cards in the order dealt: in the standard game two, or three on seventh street.
    pub fn down_cards(&self) -> &'a [Card] {
        self.state.down_cards(self.seat)
    }

    /// The up cards of any seat in the order dealt; those of folded seats too.
    pub fn up_cards(&self, seat: usize) -> &'a [Card] {
        self.state.up_cards(seat)
    }

    /// All cards the seat plays with, the shared one included.
    pub fn hand(&self) -> CardSet {
        self.state.hand(self.seat)
    }

    /// The card shared by all, when the deck has run out.
    pub fn board(&self) -> Option<Card> {
        self.state.board()
    }

    /// The up cards of all others, folded seats included: cards that cannot come any more.
    pub fn dead_cards(&self) -> CardSet {
        let others = (0..self.players()).filter(|&seat| seat != self.seat);
        others.fold(CardSet::EMPTY, |dead, seat| dead.union(CardSet::from(self.up_cards(seat))))
    }

    /// Whether a seat has folded.
    pub fn folded(&self, seat: usize) -> bool {
        self.state.folded(seat)
    }

    /// Who has not folded.
    pub fn live(&self) -> SeatSet {
        self.state.live()
    }

    /// What a seat has left to bet. Units: chips.
    pub fn stack(&self, seat: usize) -> Chips {
        self.state.stack(seat)
    }

    /// What a seat has put in on this street. Units: chips.
    pub fn wager(&self, seat: usize) -> Chips {
        self.state.wager(seat)
    }

    /// What a seat has put in altogether. Units: chips.
    pub fn paid(&self, seat: usize) -> Chips {
        self.state.paid(seat)
    }

    /// All chips put in so far. Units: chips.
    pub fn pot(&self) -> Chips {
        self.state.pot()
    }

    /// What it costs to call, capped by the stack. Units: chips.
    pub fn to_call(&self) -> Chips {
        self.state.to_call(self.seat)
    }

    /// Bets and raises on this street that count towards the cap.
    pub fn bets_this_street(&self) -> usize {
        self.state.bets_this_street()
    }

    /// Who opened this street.
    pub fn opener(&self) -> Option<usize> {
        self.state.opener()
    }

    /// What the seat may do.
    ///
    /// # Panics
    /// If the seat is not to act.
    pub fn legal(&self) -> &'a Legal {
        assert_eq!(self.state.actor(), Some(self.seat), "seat {} is not to act", self.seat);
        self.state.legal().expect("somebody is to act")
    }

    /// The menu that an agent chooses from by index.
    ///
    /// # Panics
    /// If the seat is not to act.
    pub fn actions(&self) -> ArrayVec<Action, MAX_ACTIONS> {
        self.legal().actions()
    }

    /// The actions so far, in order.
    pub fn history(&self) -> &'a [Event] {
        self.state.history()
    }
}

const _: () = assert!(MAX_PLAYERS * 6 + 3 <= 52, "only seventh street can run short");
