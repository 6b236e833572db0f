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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spot::samples::limit;

    /// The equity of each hand against the others, all of them known, and four standard errors of a share.
    fn equities(variant: Variant, hands: &[&str]) -> (Vec<f64>, f64) {
        let hands: Vec<CardSet> = hands.iter().map(|hand| hand.parse().unwrap()).collect();
        let samples = 40_000;
        let equity = |first: usize| {
            let (own, mut others) = (hands[first], hands.clone());
            others.remove(first);
            let seen = others.iter().fold(CardSet::EMPTY, |seen, &other| seen.union(other));
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(first as u64);
            Hands::new(own, &others).share(variant, seen, samples, &mut rng)
        };
        // A share of the pot lies between 0 and 1, so its variance is at most a quarter.
        ((0..hands.len()).map(equity).collect(), 4.0 * (0.25 / f64::from(samples as u32)).sqrt())
    }

    /// Public calculators' values for hands whose cards are all known.
    #[test]
    fn known_equities() {
        for (hands, known) in [
            (&["2s2h2d", "7c6c5c", "Th9h8h"][..], &[0.5894, 0.2092, 0.2015][..]),
            (&["7h7c2s", "AhJh9d"], &[0.5833, 0.4167]),
        ] {
            let (found, tolerance) = equities(Variant::High, hands);
            for (found, known) in found.iter().zip(known) {
                assert!((found - known).abs() < tolerance, "{hands:?}: {found} against {known}");
            }
        }
    }

    #[test]
    fn complete_hands_need_no_luck() {
        let hands = ["As2s3s4s8d8cKh", "KsKdQcQh7s7d9c", "2d3d4d5d7cThJh"];
        assert_eq!(equities(Variant::High, &hands).0, [0.0, 1.0, 0.0]);
        assert_eq!(equities(Variant::Razz, &hands).0, [0.0, 0.0, 1.0]);
        assert_eq!(equities(Variant::HiLo8, &hands).0, [0.0, 0.5, 0.5]);
        let no_low = ["As2s3s9d8d8cKh", "KsKdQcQh7s7d9c"];
        assert_eq!(equities(Variant::HiLo8, &no_low).0, [0.0, 1.0]);
        // Two wheels, which are straights as well, against an eight.
        let wheels = ["As2s3s4s8d8cKh", "2d3d4d5d7cThAh", "2h3h4h5c7hTsAc"];
        assert_eq!(equities(Variant::HiLo8, &wheels).0, [0.0, 0.5, 0.5]);
        let tied_low = ["2d3d4d5d7cThAh", "2h3h4h5c7sTsAc", "KsKdQcQh8s8dKc"];
        assert_eq!(equities(Variant::HiLo8, &tied_low).0, [0.25, 0.25, 0.5]);
    }

    #[test]
    fn shares_of_a_pot_make_a_pot() {
        // With eight hands the deck runs out and the river is shared.
        let hands = ["As2s3s", "Kd7d7c", "QhJhTc", "4c5c6d", "8s8d9h", "AcKs2h", "3d5h9c", "ThJd6s"];
        for variant in [Variant::High, Variant::HiLo8, Variant::Razz] {
            for players in [2, 5, 8] {
                let (found, tolerance) = equities(variant, &hands[..players]);
                let total: f64 = found.iter().sum();
                assert!((total - 1.0).abs() < tolerance * (players as f64).sqrt(), "{variant:?}: {total}");
            }
        }
    }

    #[test]
    fn pot_odds_decide() {
        let spot = || limit(Variant::High, "AsKd/7c2h", &["Jh8d"]).facing(1);
        let at = |spot: Spot, equity| spot.chosen(decide(&spot, equity));
        // 100 to win 500: a sixth.
        assert_eq!((at(spot(), 0.16), at(spot(), 0.17)), ("fold", "call"));
        assert_eq!((at(spot(), 0.67), at(spot(), 0.68)), ("call", "raise"));
        assert_eq!((at(spot().facing(3), 0.80), at(spot().facing(3), 0.83)), ("call", "raise"));
        let free = || limit(Variant::High, "AsKd/7c2h", &["Jh8d", "9s9c"]);
        assert_eq!((at(free(), 0.0), at(free(), 0.39), at(free(), 0.41)), ("check", "check", "raise"));
    }
}
