//! Exact equity by dealing every way to complete the hands.
//!
//! The last hand is completed in the innermost loop, where it is only compared with the best of the others; what
//! the pot becomes is settled once per kind of outcome.

use super::Table;
use super::tally::Tally;
use crate::stud::MAX_PLAYERS;
use crate::stud::showdown::Strength;
use arrayvec::ArrayVec;
use doorcard_cards::rank7::HandKey;
use doorcard_cards::{Card, CardSet};
use rayon::prelude::*;

/// Every deal, once each.
pub(super) fn enumerate<V>(table: &Table, value: V) -> Tally
where
    V: Fn(HandKey) -> Strength + Copy + Sync,
{
    // Hands that lack the fewest cards first, so that most of the work is in the innermost loop.
    let mut order: ArrayVec<usize, MAX_PLAYERS> = (0..table.hands.len()).collect();
    order.sort_by_key(|&player| table.hands[player].missing);
    let mut starts = Vec::new();
    let mut start = |table: Table| {
        let first = table.hands[order[0]];
        let cards: ArrayVec<Card, 52> = table.live.into_iter().collect();
        complete(&cards, first.missing, first.key, CardSet::EMPTY, &mut |key, used| {
            let mut table = table.clone();
            table.hands[order[0]].key = key;
            table.live = table.live.minus(used);
            starts.push(table);
        });
    };
    if table.shared_river {
        table.live.into_iter().for_each(|river| start(table.with_river(river)));
    } else {
        start(table.clone());
    }
    starts
        .into_par_iter()
        .map(|table| {
            let mut strengths = [Strength::default(); MAX_PLAYERS];
            strengths[order[0]] = value(table.hands[order[0]].key);
            let mut tally = Tally::default();
            let live = table.live;
            Enumeration { table: &table, order: &order, value }.from(1, live, &mut strengths, &mut tally);
            tally
        })
        .sum()
}

/// How many deals [`enumerate`] visits; `None` if they are too many for 128 bits.
pub(super) fn deals(table: &Table) -> Option<u128> {
    let mut deals = 1u128;
    let mut left = table.live.len();
    let rivers = usize::from(table.shared_river);
    let own = table.hands.iter().map(|hand| hand.missing - rivers.min(hand.missing));
    for cards in own.chain([rivers]) {
        for i in 0..cards {
            // The product so far contains the binomial coefficient of `left` over `i`: this makes it that over i + 1.
            deals = deals.checked_mul((left - i) as u128)? / (i as u128 + 1);
        }
        left -= cards;
    }
    Some(deals)
}

/// Calls `f` with `key` and `used` after adding every choice of `missing` cards.
fn complete(
    cards: &[Card],
    missing: usize,
    key: HandKey,
    used: CardSet,
    f: &mut dyn FnMut(HandKey, CardSet),
) {
    if missing == 0 {
        return f(key, used);
    }
    for (i, &card) in cards.iter().enumerate() {
        complete(&cards[i + 1..], missing - 1, key.add(card), used.with(card), f);
    }
}

struct Enumeration<'a, V> {
    table: &'a Table,
    order: &'a [usize],
    value: V,
}

impl<V> Enumeration<'_, V>
where
    V: Fn(HandKey) -> Strength + Copy + Sync,
{
    /// Completes the hands from `place` in the order on.
    fn from(&self, place: usize, live: CardSet, strengths: &mut [Strength; MAX_PLAYERS], tally: &mut Tally) {
        let player = self.order[place];
        let hand = self.table.hands[player];
        let cards: ArrayVec<Card, 52> = live.into_iter().collect();
        if place + 1 < self.order.len() {
            complete(&cards, hand.missing, hand.key, CardSet::EMPTY, &mut |key, used| {
                strengths[player] = (self.value)(key);
                self.from(place + 1, live.minus(used), strengths, tally);
            });
            return;
        }
        let others = self.order[..place].iter().map(|&other| strengths[other]);
        let best = others.fold(Strength::default(), |best, other| Strength {
            high: best.high.max(other.high),
            low: best.low.max(other.low),
        });
        let mut outcomes = Outcomes { best, kinds: Default::default() };
        self.last(&cards, hand.missing, hand.key, &mut outcomes);
        for (deals, example) in outcomes.kinds {
            if deals > 0 {
                strengths[player] = example;
                tally.record(&strengths[..self.order.len()], deals);
            }
        }
    }

    fn last(&self, cards: &[Card], missing: usize, key: HandKey, outcomes: &mut Outcomes) {
        match missing {
            0 => outcomes.add((self.value)(key)),
            1 => cards.iter().for_each(|&card| outcomes.add((self.value)(key.add(card)))),
            _ => {
                for (i, &card) in cards.iter().enumerate() {
                    self.last(&cards[i + 1..], missing - 1, key.add(card), outcomes);
                }
            }
        }
    }
}

/// How often the last hand compares in each way with the best of the others, and an example of each.
struct Outcomes {
    best: Strength,
    kinds: [(u64, Strength); 9],
}

impl Outcomes {
    #[inline]
    fn add(&mut self, strength: Strength) {
        let side = |own: u16, best: u16| usize::from(own >= best) + usize::from(own > best);
        let kind = 3 * side(strength.high, self.best.high) + side(strength.low, self.best.low);
        let (deals, example) = &mut self.kinds[kind];
        *deals += 1;
        *example = strength;
    }
}
