//! `equity`: the share of the pot against random cards, compared with pot odds.
//!
//! The cards that nobody has shown are dealt out some hundreds of times, to complete all hands still in the pot; the
//! average share of the pot is the player's equity. Dead cards are left out of the deck, hi/lo splits and ties are
//! counted as shares. If the deck cannot serve everyone, the last card is shared, as at the table.
//!
//! It folds when its equity is below the price, `to call / (pot + to call)`, and bets or raises when its equity is
//! [`RAISE_FROM`] times a fair share or more, plus [`RAISE_STEP`] for each bet already made on the street, so that
//! raising wars end. It ignores later bets, side pots, and what others' bets say about their cards.

use crate::spot::Spot;
use arrayvec::ArrayVec;
use doorcard_cards::low::{eight, razz};
use doorcard_cards::rank7::{HandKey, high};
use doorcard_cards::{CardSet, Deck};
use doorcard_efg::Agent;
use doorcard_games::stud::{Chips, MAX_PLAYERS, SeatView, StudTable, Variant};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Bets with this many times a fair share of the pot (heads-up: from 0.6).
const RAISE_FROM: f64 = 1.2;

/// How many more fair shares each bet of the street asks for.
const RAISE_STEP: f64 = 0.15;

/// Raises by the largest amount (within the pot) from this many times a fair share.
const RAISE_BIG_FROM: f64 = 1.5;

/// Cards dealt and hands valued for one decision: some twenty to thirty microseconds.
const WORK_PER_DECISION: usize = 5000;

/// Equity against random cards, compared with pot odds: see the module's documentation.
pub struct Equity;

impl Agent<StudTable> for Equity {
    fn name(&self) -> &str {
        "equity"
    }

    fn act(&self, view: &SeatView<'_>, rng: &mut dyn Rng) -> usize {
        let spot = Spot::of(view);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(rng.next_u64());
        let hands = Hands::new(spot.own, &spot.opponents);
        let samples = WORK_PER_DECISION / (hands.cards_to_come() + 2 * hands.known.len());
        let equity = hands.share(spot.variant, spot.seen, samples, &mut rng);
        decide(&spot, equity)
    }
}

/// The choice with this equity.
fn decide(spot: &Spot, equity: f64) -> usize {
    let fair_shares = equity * (spot.opponents.len() + 1) as f64;
    if fair_shares >= RAISE_FROM + RAISE_STEP * spot.bets as f64 {
        if fair_shares < RAISE_BIG_FROM {
            return spot.menu.smallest_raise();
        }
        return spot.menu.raise_up_to(spot.big_raise());
    }
    let price = |to_call: Chips| to_call as f64 / (spot.pot + to_call) as f64;
    if equity < price(spot.to_call) { spot.menu.give_up() } else { spot.menu.passive() }
}

/// The known cards of everyone left in the hand, the player whose equity is asked for first.
struct Hands {
    known: ArrayVec<(HandKey, usize), MAX_PLAYERS>,
    own: CardSet,
}

impl Hands {
    /// `own` are three to seven cards; `opponents` the up cards of each (shared ones included).
    fn new(own: CardSet, opponents: &[CardSet]) -> Hands {
        let known = std::iter::once(&own).chain(opponents);
        let known = known.map(|&cards| (HandKey::EMPTY.add_set(cards), 7 - cards.len())).collect();
        Hands { known, own }
    }

    fn cards_to_come(&self) -> usize {
        self.known.iter().map(|&(_, missing)| missing).sum()
    }

    /// The average share of the pot of the first hand when all are completed from the cards not `seen`.
    fn share<R: Rng>(&self, variant: Variant, seen: CardSet, samples: usize, rng: &mut R) -> f64 {
        let mut deck = Deck::without(self.own.union(seen));
        let shared = self.cards_to_come() > deck.cards().len();
        let hands = self.known.iter().filter(|(_, missing)| *missing > 0).count();
        let cards = if shared { self.cards_to_come() - hands + 1 } else { self.cards_to_come() };
        let mut total = 0.0;
        for _ in 0..samples {
            let mut dealt = deck.deal(cards, rng).iter();
            let river = if shared { dealt.next() } else { None };
            let mut full = self.known.iter().map(|&(mut key, missing)| {
                let own_cards = missing - usize::from(shared && missing > 0);
                for &card in dealt.by_ref().take(own_cards) {
                    key = key.add(card);
                }
                match river {
                    Some(&card) if missing > 0 => key.add(card),
                    _ => key,
                }
            });
            let own = full.next().expect("the player's own hand");
            total += share(variant, own, full);
        }
        total / samples as f64
    }
}

/// The share of the pot that `own` wins against `others`, all of seven cards.
fn share(variant: Variant, own: HandKey, others: impl Iterator<Item = HandKey>) -> f64 {
    match variant {
        Variant::High => {
            let mut race = Race::new(high(own));
            others.for_each(|other| race.against(high(other)));
            race.share()
        }
        Variant::Razz => {
            let mut race = Race::new(razz(own));
            others.for_each(|other| race.against(razz(other)));
            race.share()
        }
        Variant::HiLo8 => {
            let (mut for_high, mut for_low) = (Race::new(high(own)), Race::new(eight(own)));
            for other in others {
                for_high.against(high(other));
                for_low.against(eight(other));
            }
            let nobody_low = for_low.own.is_none() && !for_low.beaten;
            if nobody_low { for_high.share() } else { 0.5 * (for_high.share() + for_low.share()) }
        }
    }
}

/// One hand's race for one half of the pot.
struct Race<T> {
    own: T,
    beaten: bool,
    ties: u32,
}

impl<T: Ord> Race<T> {
    fn new(own: T) -> Race<T> {
        Race { own, beaten: false, ties: 0 }
    }

    fn against(&mut self, other: T) {
        self.beaten |= other > self.own;
        self.ties += u32::from(other == self.own);
    }

    fn share(&self) -> f64 {
        if self.beaten { 0.0 } else { 1.0 / f64::from(1 + self.ties) }
    }
}
