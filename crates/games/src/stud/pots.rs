//! Main and side pots, and how they are split.

use super::high_card::cards_in_order;
use super::showdown::Strength;
use super::{Chips, MAX_PLAYERS, OddChip, Rules, SeatSet, TieOddChips, Variant};
use arrayvec::ArrayVec;
use doorcard_cards::CardSet;
use std::cmp::Reverse;

/// A main or side pot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pot {
    /// Units: chips.
    pub amount: Chips,
    /// Who may win it.
    pub seats: SeatSet,
}

/// Who wins what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// Chips each seat takes from the pots. Units: chips.
    pub won: [Chips; MAX_PLAYERS],
    /// Chips each seat takes back because nobody matched them. Units: chips.
    pub returned: [Chips; MAX_PLAYERS],
    /// Odd chips left in the pot for the next hand ([`OddChip::NextPot`]). Units: chips.
    pub carried: Chips,
}

impl Settlement {
    pub(super) fn payoffs(&self, paid: &[Chips]) -> ArrayVec<Chips, MAX_PLAYERS> {
        paid.iter().enumerate().map(|(seat, paid)| self.won[seat] + self.returned[seat] - paid).collect()
    }
}

/// The part of the largest contribution that nobody matched: whose it is, and the contribution without it.
fn unmatched(paid: &[Chips]) -> (usize, Chips) {
    let (mut first, mut second, mut seat) = (-1, -1, 0);
    for (i, &chips) in paid.iter().enumerate() {
        if chips > first {
            (second, first, seat) = (first, chips, i);
        } else if chips > second {
            second = chips;
        }
    }
    (seat, second)
}

/// The pots made of what each seat paid, claimed by `claimants`: main pot first, uncalled chips left out, pots with the
/// same claimants joined.
pub(super) fn pots(paid: &[Chips], claimants: SeatSet) -> ArrayVec<Pot, MAX_PLAYERS> {
    let (top, matched) = unmatched(paid);
    let height = |seat: usize| if seat == top { matched } else { paid[seat] };
    let mut pots: ArrayVec<Pot, MAX_PLAYERS> = ArrayVec::new();
    let mut floor = 0;
    while let Some(level) = (0..paid.len()).map(height).filter(|&chips| chips > floor).min() {
        let amount = (0..paid.len()).map(|seat| height(seat).min(level) - height(seat).min(floor)).sum();
        let seats: SeatSet = claimants.into_iter().filter(|&seat| height(seat) >= level).collect();
        match pots.last_mut() {
            Some(last) if last.seats == seats => last.amount += amount,
            _ => pots.push(Pot { amount, seats }),
        }
        floor = level;
    }
    pots
}

/// The last player left takes everything that was matched.
pub(super) fn uncontested(paid: &[Chips], winner: SeatSet) -> Settlement {
    let mut settlement = nothing_won(paid);
    let seat = winner.lowest().expect("a winner");
    settlement.won[seat] = paid.iter().sum::<Chips>() - settlement.returned.iter().sum::<Chips>();
    settlement
}

fn nothing_won(paid: &[Chips]) -> Settlement {
    let (top, matched) = unmatched(paid);
    let mut returned = [0; MAX_PLAYERS];
    returned[top] = paid[top] - matched;
    Settlement { won: [0; MAX_PLAYERS], returned, carried: 0 }
}

/// Splits the pots by the strength of the hands. Who is left in the hand (`live`) makes the pots; only `claimants` win
/// them, unless none of those who may win a pot claims it.
pub(super) fn settle(
    rules: &Rules,
    paid: &[Chips],
    live: SeatSet,
    claimants: SeatSet,
    strengths: &[Strength; MAX_PLAYERS],
    hand: impl Fn(usize) -> CardSet,
) -> Settlement {
    let mut split = pots(paid, live);
    for pot in &mut split {
        let claimed = pot.seats.intersection(claimants);
        pot.seats = if claimed.is_empty() { pot.seats } else { claimed };
    }
    if rules.merge_pots() && split.len() > 1 {
        let winners = |pot: &Pot| {
            let high = best(pot.seats, |seat| strengths[seat].high);
            high.union(best(pot.seats, |seat| strengths[seat].low))
        };
        let able = split.iter().map(winners).fold(SeatSet::EMPTY, SeatSet::union);
        split = pots(paid, able);
    }
    let mut settlement = nothing_won(paid);
    for pot in split {
        split_pot(rules, pot, strengths, &hand, &mut settlement);
    }
    settlement
}

fn split_pot(
    rules: &Rules,
    pot: Pot,
    strengths: &[Strength; MAX_PLAYERS],
    hand: &impl Fn(usize) -> CardSet,
    settlement: &mut Settlement,
) {
    let high = best(pot.seats, |seat| strengths[seat].high);
    let low = best(pot.seats, |seat| strengths[seat].low);
    let mut share = |amount: Chips, winners: SeatSet, low_half: bool| {
        let count = winners.len() as Chips;
        for seat in winners {
            settlement.won[seat] += amount / count;
        }
        let rest = amount % count;
        match rules.tie_odd_chips() {
            _ if rest == 0 => {}
            TieOddChips::FirstLeft => settlement.won[winners.lowest().unwrap_or(0)] += rest,
            TieOddChips::OneEach => {
                winners.into_iter().take(rest as usize).for_each(|seat| settlement.won[seat] += 1);
            }
            TieOddChips::HighSuit => {
                let low = low_half || rules.variant() == Variant::Razz;
                let lucky =
                    winners.into_iter().max_by_key(|&seat| (cards_in_order(hand(seat), low), Reverse(seat)));
                settlement.won[lucky.unwrap_or(0)] += rest;
            }
        }
    };
    // One winner of both sides leaves nothing to halve; several split each half, and its odd chips, on its own.
    if low.is_empty() || (low == high && high.len() == 1) {
        share(pot.amount, high, false);
        return;
    }
    let (half, odd) = (pot.amount / 2, pot.amount % 2);
    let (to_high, to_low, carried) = match rules.odd_chip() {
        OddChip::HighHand => (odd, 0, 0),
        OddChip::LeftOfDealer if high.lowest() <= low.lowest() => (odd, 0, 0),
        OddChip::LeftOfDealer => (0, odd, 0),
        OddChip::NextPot => (0, 0, odd),
    };
    share(half + to_high, high, false);
    share(half + to_low, low, true);
    settlement.carried += carried;
}

/// The seats with the greatest value; those without one (0) never win.
fn best(seats: SeatSet, value: impl Fn(usize) -> u16) -> SeatSet {
    let best = seats.into_iter().map(&value).max().unwrap_or(0);
    seats.into_iter().filter(|&seat| best > 0 && value(seat) == best).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stud::{Betting, BringIn, RulesConfig};

    fn seats(seats: &[usize]) -> SeatSet {
        seats.iter().copied().collect()
    }

    fn split(change: &[(&str, &str)], paid: &[Chips], hands: &[(u16, u16)]) -> (Vec<Chips>, Chips) {
        let mut config = RulesConfig::new(Variant::HiLo8, Betting::Limit, 1, BringIn::Ante, 10);
        for (key, value) in change {
            config = config.with(key, value).unwrap();
        }
        let mut strengths = [Strength::default(); MAX_PLAYERS];
        for (strength, &(high, low)) in strengths.iter_mut().zip(hands) {
            *strength = Strength { high, low };
        }
        // Everybody with a high hand is left; high cards by suit: later seats hold higher suits.
        let live = (0..hands.len()).filter(|&seat| hands[seat].0 > 0).collect();
        let suits = ["Ac", "Ad", "Ah", "As"];
        let hand = |seat: usize| format!("{}2c3d4h6s8c9d", suits[seat]).parse().unwrap();
        let settlement = settle(&config.check("test").unwrap(), paid, live, live, &strengths, hand);
        let total: Chips = settlement.won.iter().chain(&settlement.returned).sum();
        assert_eq!(total + settlement.carried, paid.iter().sum::<Chips>());
        (settlement.payoffs(paid).to_vec(), settlement.carried)
    }

    #[test]
    fn pots_by_height() {
        let all = SeatSet::first(4);
        assert_eq!(
            pots(&[10, 30, 30, 5], all).to_vec(),
            [
                Pot { amount: 20, seats: all },
                Pot { amount: 15, seats: seats(&[0, 1, 2]) },
                Pot { amount: 40, seats: seats(&[1, 2]) },
            ]
        );
        // Seat 3 has folded, so that its chips make no pot of their own; what seat 1 paid beyond 30 goes back.
        assert_eq!(
            pots(&[10, 90, 30, 5], seats(&[0, 1, 2])).to_vec(),
            [Pot { amount: 35, seats: seats(&[0, 1, 2]) }, Pot { amount: 40, seats: seats(&[1, 2]) }]
        );
        assert_eq!(
            uncontested(&[10, 90, 30, 5], seats(&[1])).payoffs(&[10, 90, 30, 5]).to_vec(),
            [-10, 45, -30, -5]
        );
    }

    #[test]
    fn short_stacks_win_only_what_they_matched() {
        let (payoffs, _) = split(&[], &[10, 30, 30, 5], &[(9, 0), (4, 0), (6, 0), (1, 0)]);
        assert_eq!(payoffs, [25, -30, 10, -5]);
    }

    #[test]
    fn odd_chips_of_a_tie() {
        // Three equal hands for 32 chips, two of which are odd.
        let hands = [(5, 0), (5, 0), (5, 0)];
        for (rule, expected) in
            [("first_left", [2, 0, 0, -2]), ("one_each", [1, 1, 0, -2]), ("high_suit", [0, 0, 2, -2])]
        {
            let (payoffs, _) = split(&[("tie_odd_chips", rule)], &[10, 10, 10, 2], &hands);
            assert_eq!(payoffs, expected, "{rule}");
        }
    }

    #[test]
    fn the_odd_chip_between_high_and_low() {
        let hands = [(1, 7), (9, 0), (4, 3)];
        let paid = [5, 5, 5];
        assert_eq!(split(&[("odd_chip", "high_hand")], &paid, &hands), (vec![2, 3, -5], 0));
        assert_eq!(split(&[("odd_chip", "left_of_dealer")], &paid, &hands), (vec![3, 2, -5], 0));
        assert_eq!(split(&[("odd_chip", "next_pot")], &paid, &hands), (vec![2, 2, -5], 1));
    }

    #[test]
    fn nothing_is_carried_from_a_pot_with_one_winner() {
        let rule = [("odd_chip", "next_pot")];
        assert_eq!(split(&rule, &[15, 15, 5], &[(9, 7), (4, 0), (0, 0)]), (vec![20, -15, -5], 0));
        // The side pot of 3 chips, one of them a folded player's, has one claimant, who holds a low.
        assert_eq!(split(&rule, &[4, 5, 5, 5], &[(9, 0), (4, 7), (0, 0), (0, 0)]), (vec![4, 6, -5, -5], 0));
    }

    #[test]
    fn a_shared_high_card_leaves_it_to_the_next() {
        let mut config = RulesConfig::new(Variant::High, Betting::Limit, 1, BringIn::Ante, 10);
        config.tie_odd_chips = TieOddChips::HighSuit;
        let rules = config.check("test").unwrap();
        let strengths = [Strength { high: 5, low: 0 }; MAX_PLAYERS];
        for (hands, expected) in [
            // The ace is shared; the king of diamonds beats that of clubs.
            (["AsKdQhJh9c3c2d", "AsKcQdJs9h3d2h"], [1, 0, -1]),
            (["AsKcQdJs9h3d2h", "AsKdQhJh9c3c2d"], [0, 1, -1]),
            // Cards below the fifth do not play: the first in position.
            (["AsKdQhJh9c3c2d", "AsKdQhJh9c3d2h"], [1, 0, -1]),
        ] {
            let hand = |seat: usize| hands[seat].parse().unwrap();
            let settlement = settle(&rules, &[5, 5, 1], seats(&[0, 1]), seats(&[0, 1]), &strengths, hand);
            assert_eq!(settlement.payoffs(&[5, 5, 1]).to_vec(), expected, "{hands:?}");
        }
    }

    #[test]
    fn every_pot_is_split_in_its_own_right() {
        // Seat 0 alone has a low, and no part in the side pot.
        let (payoffs, _) = split(&[], &[10, 30, 30], &[(1, 7), (9, 0), (4, 0)]);
        assert_eq!(payoffs, [5, 25, -30]);
    }

    #[test]
    fn losers_are_dropped_before_pots_are_joined() {
        // Seats 1 and 2 tie for a main pot of 9 and a side pot of 7 chips; seats 3 and 4 have folded. Apart, each pot
        // leaves its odd chip to seat 1; joined without the loser, they divide evenly.
        let hands = [(1, 0), (5, 0), (5, 0), (0, 0), (0, 0)];
        let paid = [2, 5, 5, 1, 3];
        assert_eq!(split(&[], &paid, &hands).0, [-2, 4, 2, -1, -3]);
        assert_eq!(split(&[("merge_pots", "true")], &paid, &hands).0, [-2, 3, 3, -1, -3]);
    }
}
