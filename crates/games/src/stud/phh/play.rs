//! A recorded hand through the rules engine.
//!
//! A record leaves out the burnt cards and may leave out others. Cards are put in their places so that the rest of the
//! record can happen: an unknown up card is chosen so that the recorded player opens; other unknown cards are any that
//! the record does not deal later; a card that is dealt after the deck has run out has been burnt before. Who mucks, or is still unknown at a showdown, claims nothing.

use super::text::write_step;
use super::{FORMAT, Hand, Recorded, Step};
use crate::stud::oracle::Mismatch;
use crate::stud::{
    Action, Chips, ExhaustedDeck, Next, Rules, SeatSet, Settlement, State, Street, bring_in, first_to_act,
};
use doorcard_cards::{Card, CardSet};
use std::collections::VecDeque;

/// A hand that has been played to its end.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The end of the hand. Unknown cards have been filled in.
    pub state: State,
    /// Who wins what.
    pub settlement: Settlement,
    /// Final minus starting stack of each seat. Units: chips.
    pub payoffs: Vec<Chips>,
}

impl Hand {
    /// Plays the hand by its own rules.
    ///
    /// # Errors
    /// The first point at which the record and the rules disagree, including recorded final stacks and winnings.
    pub fn replay(&self) -> Result<Replayed, Mismatch> {
        self.replay_by(&self.rules)
    }

    /// Plays the hand by other rules.
    ///
    /// # Errors
    /// As [`Hand::replay`].
    pub fn replay_by(&self, rules: &Rules) -> Result<Replayed, Mismatch> {
        let mut player = Player::new(self, rules)?;
        while player.state.next() != Next::Over {
            player.step()?;
        }
        player.finish()
    }
}

/// A recorded card and the entry that it comes from.
#[derive(Clone, Copy)]
struct Waiting {
    card: Option<Card>,
    entry: usize,
}

struct Player<'a> {
    hand: &'a Hand,
    /// The record, with cards that are shown in the end put where they were dealt.
    steps: Vec<Step>,
    state: State,
    /// The next entry of the record.
    at: usize,
    /// Cards of entries already passed that are still to be handed out, per seat.
    waiting: Vec<VecDeque<Waiting>>,
    unknown: SeatSet,
    mucked: SeatSet,
}

impl<'a> Player<'a> {
    fn new(hand: &'a Hand, rules: &Rules) -> Result<Player<'a>, Mismatch> {
        let players = hand.stacks.len();
        let state = rules
            .require_standard(FORMAT)
            .and_then(|()| State::new(rules, &hand.stacks))
            .map_err(|error| Mismatch::new("starting_stacks", "a hand that can be played", error))?;
        let seat_of = |step: &Step| match step {
            Step::Deal(seat, _) | Step::Act(seat, _) | Step::Show(seat, _) => Some(*seat),
            Step::Board(_) | Step::Note(_) => None,
        };
        if let Some(seat) = hand.steps.iter().filter_map(seat_of).find(|&seat| seat >= players) {
            return Err(Mismatch::new("actions", format!("{players} players"), format!("seat {seat}")));
        }
        let mucks = |step: &Step| match step {
            Step::Show(seat, None) => Some(*seat),
            _ => None,
        };
        let mucked = hand.steps.iter().filter_map(mucks).collect();
        let waiting = vec![VecDeque::new(); players];
        let steps = with_shown_cards(&hand.steps, players);
        Ok(Player { hand, steps, state, at: 0, waiting, unknown: SeatSet::EMPTY, mucked })
    }

    fn mismatch(&self, computed: impl std::fmt::Display) -> Mismatch {
        self.mismatch_at(self.at, computed)
    }

    fn mismatch_at(&self, entry: usize, computed: impl std::fmt::Display) -> Mismatch {
        match self.steps.get(entry) {
            Some(step) => Mismatch::new(format!("actions[{entry}]"), write_step(step), computed),
            None => Mismatch::new("the end of the record", "the hand is over", computed),
        }
    }

    /// Takes the next entry if `wanted` accepts it. Remarks are passed over, and so are hands shown, which all-in
    /// players may show before the last card.
    fn take<T>(&mut self, wanted: impl Fn(&Step) -> Option<T>) -> Option<T> {
        while let Some(Step::Note(_) | Step::Show(..)) = self.steps.get(self.at) {
            self.at += 1;
        }
        let found = self.steps.get(self.at).and_then(wanted);
        self.at += usize::from(found.is_some());
        found
    }

    fn step(&mut self) -> Result<(), Mismatch> {
        let next = self.state.next();
        // The card and, unless the record leaves it out, the entry that it comes from.
        let (card, entry) = match next {
            Next::Over => return Ok(()),
            Next::Act(seat) => return self.act(seat),
            Next::Burn => (self.burn(), self.at),
            Next::Board => {
                let board = self.take(|step| match step {
                    Step::Board(card) => Some(*card),
                    _ => None,
                });
                match board {
                    Some(card) => (card.or_else(|| self.any_card()), self.at - 1),
                    None => return Err(self.mismatch(next)),
                }
            }
            Next::Down(seat) | Next::Up(seat) => {
                let Waiting { card, entry } = self.card_for(seat)?;
                let card = match card {
                    Some(card) => Some(card),
                    None if next == Next::Up(seat) => self.fitting_up_card(seat),
                    None => {
                        self.unknown = self.unknown.with(seat);
                        self.any_down_card(seat)
                    }
                };
                (card, entry)
            }
        };
        let Some(card) = card else {
            return Err(self.mismatch_at(entry, "no card is left for an unknown one"));
        };
        self.state.deal(card).map_err(|error| self.mismatch_at(entry, error))
    }

    fn act(&mut self, seat: usize) -> Result<(), Mismatch> {
        if let Some(step) = self.waiting.iter().position(|cards| !cards.is_empty()) {
            return Err(self.mismatch(format!("more cards for seat {step} than are due")));
        }
        let recorded = self.take(|step| match step {
            Step::Act(who, recorded) if *who == seat => Some(*recorded),
            _ => None,
        });
        let action = match recorded {
            None => return Err(self.mismatch(self.state.next())),
            Some(Recorded::Fold) => Action::Fold,
            Some(Recorded::CheckOrCall) if self.state.to_call(seat) > 0 => Action::Call,
            Some(Recorded::CheckOrCall) => Action::Check,
            Some(Recorded::BringIn) => Action::BringIn,
            Some(Recorded::RaiseTo(to)) => Action::RaiseTo(to),
        };
        self.state.apply(action).map_err(|error| {
            self.at -= 1;
            self.mismatch(error)
        })
    }

    fn finish(mut self) -> Result<Replayed, Mismatch> {
        if self.take(|step| Some(step.clone())).is_some() {
            self.at -= 1;
            return Err(self.mismatch(Next::Over));
        }
        let live = self.state.live();
        let mut claimants = live.minus(self.mucked);
        if live.len() > 1 {
            claimants = claimants.minus(self.unknown);
        }
        if claimants.is_empty() {
            return Err(Mismatch::new("showdown", "somebody shows a hand", "all are mucked or unknown"));
        }
        let settlement = self.state.settlement_among(claimants);
        let payoffs: Vec<Chips> = (0..self.hand.stacks.len())
            .map(|seat| settlement.won[seat] + settlement.returned[seat] - self.state.paid(seat))
            .collect();
        if let Some(expected) = &self.hand.finishing_stacks {
            let computed: Vec<Chips> = self.hand.stacks.iter().zip(&payoffs).map(|(a, b)| a + b).collect();
            Mismatch::unless_equal("finishing_stacks", expected, &computed)?;
        }
        if let Some(expected) = &self.hand.winnings {
            // The pots collected; some writers count bets that nobody called among them.
            let won = &settlement.won[..expected.len()];
            let with_returned: Vec<Chips> = won.iter().zip(settlement.returned).map(|(a, b)| a + b).collect();
            if *expected != with_returned {
                Mismatch::unless_equal("winnings", &expected[..], won)?;
            }
        }
        Ok(Replayed { state: self.state, settlement, payoffs })
    }

    /// The recorded card that a seat gets next.
    fn card_for(&mut self, seat: usize) -> Result<Waiting, Mismatch> {
        while self.waiting[seat].is_empty() {
            let dealt = self.take(|step| match step {
                Step::Deal(who, cards) => Some((*who, cards.clone())),
                _ => None,
            });
            match dealt {
                Some((who, cards)) => {
                    let entry = self.at - 1;
                    self.waiting[who].extend(cards.into_iter().map(|card| Waiting { card, entry }));
                }
                None => return Err(self.mismatch(self.state.next())),
            }
        }
        Ok(self.waiting[seat].pop_front().expect("the loop has waited for one"))
    }

    /// All cards that the rest of the record deals, in order.
    fn cards_to_come(&self) -> impl Iterator<Item = Option<Card>> {
        let waiting = self.waiting.iter().flatten().map(|waiting| waiting.card);
        let steps = self.steps[self.at..].iter().flat_map(|step| match step {
            Step::Deal(_, cards) => &cards[..],
            Step::Board(card) => std::slice::from_ref(card),
            _ => &[],
        });
        waiting.chain(steps.copied())
    }

    /// Cards of the deck that the record never deals.
    fn free_cards(&self) -> CardSet {
        self.state.deck().minus(self.cards_to_come().flatten().collect())
    }

    /// Cards of the deck that the record deals only after the deck has run out, so that they must be burnt (or folded)
    /// before. `now` of the deck's cards go elsewhere at once.
    fn late_cards(&self, now: usize) -> CardSet {
        let rules = self.state.rules();
        if rules.exhausted_deck() == ExhaustedDeck::Community || self.state.reshuffled() {
            return CardSet::EMPTY;
        }
        let others = now + if rules.burn() { 4 - self.state.burns().len() } else { 0 };
        let deck = self.state.deck();
        let to_come: Vec<Option<Card>> = self.cards_to_come().collect();
        if to_come.len() + others <= deck.len() {
            return CardSet::EMPTY;
        }
        // Where burnt cards are mixed with the last card of the deck, that one is late, too.
        let shares = self.steps[self.at..].iter().any(|step| matches!(step, Step::Board(_)));
        let mixed = usize::from(rules.exhausted_deck() == ExhaustedDeck::BurnsThenCommunity && !shares);
        let (soon, late) = to_come.split_at(deck.len().saturating_sub(mixed + others));
        // Cards of players who fold may come twice.
        let soon: CardSet = soon.iter().copied().flatten().collect();
        late.iter().copied().flatten().collect::<CardSet>().intersection(deck).minus(soon)
    }

    /// A card to burn.
    fn burn(&self) -> Option<Card> {
        self.late_cards(0).into_iter().chain(self.free_cards()).next()
    }

    /// A card for an unknown one.
    fn any_card(&self) -> Option<Card> {
        self.free_cards().into_iter().next()
    }

    /// A card for an unknown down card of a seat.
    fn any_down_card(&self, seat: usize) -> Option<Card> {
        let folds = |step: &Step| *step == Step::Act(seat, Recorded::Fold);
        let deals = |step: &Step| matches!(step, Step::Deal(..) | Step::Board(_));
        // Whether the seat folds before the last cards are dealt.
        let folds_in_time = self.steps[self.at..].iter().skip_while(|&step| !folds(step)).any(deals);
        let comes_again = self.state.rules().exhausted_deck() == ExhaustedDeck::BurnsAndFoldedThenCommunity
            && folds_in_time;
        let late = if comes_again { self.late_cards(1) } else { CardSet::EMPTY };
        late.into_iter().next().or_else(|| self.any_card())
    }

    /// A card for a seat whose up card is unknown, such that the recorded player opens the street.
    fn fitting_up_card(&self, seat: usize) -> Option<Card> {
        let opener = self.steps[self.at..].iter().find_map(|step| match step {
            Step::Act(who, _) => Some(*who),
            _ => None,
        });
        let variant = self.state.rules().variant();
        // A card ranks before another if its holder would open against it.
        let opens = |first: Card, second: Card| {
            let cards = [first, second];
            let seats = SeatSet::first(2);
            if self.state.street() == Street::Third {
                return bring_in(variant, seats, |seat| &cards[seat]) == 0;
            }
            let hands = cards.map(|card| {
                let mut up = self.state.up_cards(seat).to_vec();
                up.push(card);
                up
            });
            first_to_act(variant, seats, |seat| &hands[seat][..]) == 0
        };
        let wants_to_open = opener == Some(seat);
        self.free_cards()
            .into_iter()
            .reduce(|best, card| if opens(card, best) == wants_to_open { card } else { best })
    }
}

/// The same entries with cards that are shown in the end put where they were dealt.
fn with_shown_cards(steps: &[Step], players: usize) -> Vec<Step> {
    let mut shown = vec![&[][..]; players];
    for step in steps {
        if let Step::Show(seat, Some(cards)) = step {
            shown[*seat] = cards;
        }
    }
    let mut steps = steps.to_vec();
    for step in &mut steps {
        if let Step::Deal(seat, cards) = step {
            for card in cards {
                let (first, rest) = shown[*seat].split_first().unwrap_or((&None, &[]));
                *card = card.or(*first);
                shown[*seat] = rest;
            }
        }
    }
    steps
}
