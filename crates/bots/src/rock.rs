//! `rock`: tight and aggressive, by rules.
//!
//! The rules are the common advice for limit stud (Sklansky, Malmuth and Zee, "Seven-Card Stud for Advanced Players",
//! 1989; Sklansky, "Sklansky on Poker", 1994, on razz; Zee, "High-Low-Split Poker for Advanced Players", 1992),
//! simplified until they fit in tables:
//!
//! - Third street decides. Rolled-up trips and pairs above every door card raise; smaller pairs need live cards and a
//!   kicker above the board; three-flushes and three-straights need live cards; high cards over the board and the
//!   highest door card steal when few are left.
//! - Later, a hand is worth what it makes against what the others show. Whoever is beaten in sight folds unless it
//!   draws live to a straight or better at a fair price.
//! - Razz counts low cards against those the others show, two good cards in the hole assumed. Hi/lo wants hands that
//!   go both ways, and lows.
//!
//! Each reading ends in a grade from 0 (rubbish) to 5 (as good as won); [`PLANS`] turns the grade and the bets faced
//! into a decision. The player is deterministic and ignores who bet and why.

use crate::reading::{Made, babies, connected, copies, is_run, low_outs, low_ranks, made, outs, suited};
use crate::spot::Spot;
use doorcard_cards::{Card, CardSet, Rank};
use doorcard_efg::Agent;
use doorcard_games::stud::{Betting, SeatView, Street, StudTable, Variant};
use rand::Rng;

/// What to do with a grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    Fold,
    Call,
    Raise,
}

use Plan::{Call, Fold, Raise};

/// By grade, then by pressure: nothing but the bring-in to call, one bet, two, more. Folding for nothing is a check.
const PLANS: [[Plan; 4]; 6] = [
    [Fold, Fold, Fold, Fold],
    [Call, Fold, Fold, Fold],
    [Call, Call, Fold, Fold],
    [Raise, Call, Call, Fold],
    [Raise, Raise, Call, Call],
    [Raise, Raise, Raise, Raise],
];

/// A low hand's grade on fourth to seventh street, by its lead in low cards: ahead, level, one behind, further behind.
///
/// On fourth street a bad card against a good one ends the hand; on the next two the pot is worth a chase; at the end
/// there is nothing left to come.
const LOW_LEADS: [[u8; 4]; 4] = [[4, 3, 1, 0], [4, 3, 2, 0], [4, 3, 2, 0], [4, 3, 1, 0]];

/// Tight and aggressive, by rules: see the module's documentation.
pub struct Rock;

impl Agent<StudTable> for Rock {
    fn name(&self) -> &str {
        "rock"
    }

    fn act(&self, view: &SeatView<'_>, _: &mut dyn Rng) -> usize {
        decide(&Spot::of(view))
    }
}

/// The choice on the spot's menu.
fn decide(spot: &Spot) -> usize {
    let grade = grade(spot);
    match plan(spot, grade) {
        Fold => spot.menu.give_up(),
        Call => spot.menu.passive(),
        Raise if grade >= 4 => spot.menu.raise_up_to(spot.big_raise()),
        Raise => spot.menu.smallest_raise(),
    }
}

fn plan(spot: &Spot, grade: u8) -> Plan {
    let plan = PLANS[usize::from(grade)][pressure(spot)];
    // With something in hand, nine to one is worth a look.
    let cheap = grade >= 1 && spot.pot >= 9 * spot.to_call;
    if plan == Fold && (cheap || draw_pays(spot)) { Call } else { plan }
}

/// How much is being bet: 0 for nothing (or the bring-in), up to 3.
///
/// In limit games the bets of the street less one's own; otherwise a third of the pot to call is one bet, half
/// (a bet of the pot's size) two.
fn pressure(spot: &Spot) -> usize {
    if spot.bets == 0 || spot.to_call == 0 {
        return 0;
    }
    let bets = spot.bets - usize::from(spot.wager >= spot.bet && spot.bets > 1);
    let size = match spot.betting {
        Betting::Limit => 1,
        _ if 3 * spot.to_call <= spot.pot => 1,
        _ if 2 * spot.to_call <= spot.pot => 2,
        _ => 3,
    };
    bets.max(size).min(3)
}

/// What the hand is worth.
fn grade(spot: &Spot) -> u8 {
    let third = spot.street == Street::Third;
    match (spot.variant, third) {
        (Variant::High, true) => third_high(spot).max(steal(spot)),
        (Variant::High, false) => later_high(spot),
        (Variant::Razz, true) => third_low(spot).max(steal(spot)),
        (Variant::Razz, false) => later_low(spot),
        (Variant::HiLo8, true) => third_both(spot),
        (Variant::HiLo8, false) => later_both(spot),
    }
}

/// The highest rank that an opponent shows.
fn top_showing(spot: &Spot) -> Option<Rank> {
    spot.opponents.iter().flat_map(|&up| up).map(|card| card.rank()).max()
}

/// Three cards for high.
fn third_high(spot: &Spot) -> u8 {
    let over_board = |rank: Rank| top_showing(spot).is_none_or(|top| rank > top);
    let overcards = spot.own.into_iter().filter(|card| over_board(card.rank())).count();
    let heads_up = spot.opponents.len() == 1;
    let ten = Rank::new(8);
    match made(spot.own) {
        Made::Trips(_) => 5,
        Made::Pair(pair) => {
            let dead = copies(spot.seen, pair);
            let kicker = spot.own.into_iter().map(|card| card.rank()).find(|&rank| rank != pair);
            let kicker_plays = kicker.is_some_and(|k| k > pair && over_board(k) && copies(spot.seen, k) == 0);
            let base = if over_board(pair) {
                4
            } else if pair >= ten {
                3
            } else {
                // A small pair lives on improving.
                1 + u8::from(dead == 0 && kicker_plays) + u8::from(heads_up)
            };
            base - u8::from(dead == 2)
        }
        _ if suited(spot.own) == 3 => {
            let suit = spot.own.into_iter().next().map(|card| card.suit());
            match spot.seen.into_iter().filter(|card| Some(card.suit()) == suit).count() {
                0 | 1 => 2 + u8::from(overcards >= 2),
                2 => 2,
                _ => u8::from(overcards >= 1),
            }
        }
        _ if is_run(spot.own) && straight_is_live(spot) => 2,
        Made::HighCard(top) if overcards == 3 && top >= ten => 2,
        _ if overcards >= 2 || (heads_up && overcards == 1) => 1,
        _ => 0,
    }
}

/// Of the neighbours that three ranks in a row need, at most two cards are gone.
fn straight_is_live(spot: &Spot) -> bool {
    let helps = |card: &Card| connected(spot.own.with(*card)) == 4;
    spot.seen.into_iter().filter(helps).count() <= 2
}

/// The best door card may take the antes while nobody has bet and at most two opponents are left.
fn steal(spot: &Spot) -> u8 {
    let door = spot.showing.into_iter().next().map(|card| card.rank());
    let (Some(door), Some(top)) = (door, top_showing(spot)) else { return 0 };
    let best = match spot.variant {
        Variant::Razz => {
            let worst_is_good = |up: &CardSet| babies(*up) == 0;
            door.low_index() <= 7 && spot.opponents.iter().all(worst_is_good)
        }
        _ => door > top,
    };
    if best && spot.bets == 0 && spot.opponents.len() <= 2 { 3 } else { 0 }
}

/// Four to seven cards for high.
fn later_high(spot: &Spot) -> u8 {
    let own = made(spot.own);
    let showing = spot.opponents.iter().map(|&up| made(up)).max().unwrap_or(Made::HighCard(Rank::new(0)));
    if own < showing {
        return 0;
    }
    let open_pair = showing >= Made::Pair(Rank::new(0));
    let scary = open_pair || spot.opponents.iter().any(|&up| suited(up) >= 3 || connected(up) >= 4);
    let early = spot.street <= Street::Fifth;
    match own {
        // Only a full house beats these, and a pair that shows is half of one.
        Made::Straight(_) | Made::Flush(_) => 5 - u8::from(open_pair && !early),
        Made::FullHouse(_) | Made::Quads(_) | Made::StraightFlush(_) => 5,
        Made::Trips(_) => 4 + u8::from(early && !scary),
        Made::TwoPair(..) => 4 - u8::from(scary || spot.street == Street::Seventh),
        Made::Pair(pair) => {
            let over_board = top_showing(spot).is_none_or(|top| pair > top);
            let live = copies(spot.seen, pair) < 2;
            match (over_board, scary) {
                (true, false) => 3,
                (true, true) => 2,
                (false, false) => 1 + u8::from(live),
                (false, true) => 0,
            }
        }
        Made::HighCard(top) => {
            // On fourth street a three-flush with an overcard may see one more card.
            let over_board = top_showing(spot).is_none_or(|other| top > other);
            u8::from(spot.street == Street::Fourth && over_board && suited(spot.own) >= 3)
        }
    }
}

/// Three cards for low.
fn third_low(spot: &Spot) -> u8 {
    let ranks = low_ranks(spot.own);
    if ranks.count_ones() < 3 {
        return 0;
    }
    let others = spot.opponents.iter().filter(|&&up| babies(up) > 0).count();
    let base: u8 = match ranks.ilog2() {
        0..=6 => 4,
        7 => 3,
        8 if others <= 1 => 2,
        _ => return 0,
    };
    // Low cards of other ranks that are gone are missed; copies of one's own are welcome.
    let is_baby = |rank: Rank| rank.low_index() <= 7;
    let seen_babies = spot.seen.into_iter().filter(|card| is_baby(card.rank()));
    let (good, bad): (Vec<_>, Vec<_>) = seen_babies.partition(|card| copies(spot.own, card.rank()) > 0);
    base - u8::from(bad.len() >= good.len() + 4)
}

/// Four to seven cards for low: one's low cards against the most that an opponent shows, with two more in the hole.
fn later_low(spot: &Spot) -> u8 {
    let own = babies(spot.own).min(5) as i32;
    let assumed = |&up: &CardSet| (babies(up) as i32 + 2).min(5);
    let lead = own - spot.opponents.iter().map(assumed).max().unwrap_or(0);
    let column = (1 - lead).clamp(0, 3) as usize;
    let grade = LOW_LEADS[spot.street.index() - 1][column];
    if own < 5 {
        return grade;
    }
    match fifth_lowest(spot.own) {
        0..=5 => 5,
        6 => grade.max(4),
        _ => grade.max(3),
    }
}

/// The fifth lowest of the different ranks (ace = 0), of which there are at least five.
fn fifth_lowest(cards: CardSet) -> u32 {
    let mut ranks = low_ranks(cards);
    for _ in 0..4 {
        ranks &= ranks - 1;
    }
    ranks.trailing_zeros()
}

/// Three cards for high and low.
fn third_both(spot: &Spot) -> u8 {
    let (high, low) = (third_high(spot), third_low(spot));
    let ace = copies(spot.own, Rank::ACE) > 0;
    let two_way = ace || suited(spot.own) == 3 || connected(spot.own) == 3;
    let low_doors = spot.opponents.iter().filter(|&&up| babies(up) > 0).count();
    let high = match made(spot.own) {
        Made::Trips(_) => 5,
        Made::Pair(Rank::ACE) => 4,
        // Others will draw to the low half for free.
        _ if low_doors > 1 => high.min(1),
        _ => high.min(3),
    };
    let low =
        if low >= 3 && babies(spot.own) == 3 { 2 + u8::from(two_way) + u8::from(two_way && ace) } else { 0 };
    high.max(low)
}

/// Four to seven cards for high and low.
fn later_both(spot: &Spot) -> u8 {
    let high = later_high(spot);
    // Without five low cards in reach there is no low half.
    let to_come = 7 - spot.street.number() as u32;
    let low = if babies(spot.own) + to_come >= 5 { later_low(spot) } else { 0 };
    let complete = babies(spot.own) >= 5;
    let opponents_may_low = spot.opponents.iter().any(|&up| babies(up) + 3 >= 5);
    match (high, low) {
        (3.., _) if complete && low >= 3 => 5,
        (5, _) => 5,
        (_, _) if !opponents_may_low => high.max(low),
        // Only half a pot is at stake: no raising.
        _ => high.max(if complete { low } else { low.min(2) }).min(3),
    }
}

/// Whether a live draw is worth calling: what it wins, with a bet more on each street to come, against what it costs.
fn draw_pays(spot: &Spot) -> bool {
    let to_come = 7 - spot.street.number();
    if to_come == 0 || spot.street == Street::Third {
        return false;
    }
    let live = spot.own.union(spot.seen).complement().len();
    let future = (spot.bet * (to_come as i64 - 1)) as f64;
    let pays = |outs: usize, share: f64| {
        let missing = |card: usize| 1.0 - outs as f64 / (live - card) as f64;
        let hit = 1.0 - (0..to_come).map(missing).product::<f64>();
        hit * share * (spot.pot as f64 + future) > (1.0 - hit * share) * (spot.to_call as f64 + future)
    };
    let showing = spot.opponents.iter().map(|&up| made(up)).max();
    let target = showing.map_or(Made::Trips(Rank::ACE), |s| s.max(Made::Trips(Rank::ACE)));
    let high = spot.variant != Variant::Razz
        && made(spot.own) <= target
        && pays(outs(spot.own, spot.seen, target), 1.0);
    let low =
        spot.variant == Variant::HiLo8 && babies(spot.own) == 4 && pays(low_outs(spot.own, spot.seen), 0.5);
    high || low
}

#[cfg(test)]
mod tests;
