//! Hand strengths, shares of a pot between two hands, and who shows what.

use super::pots::Pot;
use super::{MAX_PLAYERS, Muck, Rules, SeatSet, Variant, small_hand};
use arrayvec::ArrayVec;
use doorcard_cards::{CardSet, low, rank7};
use doorcard_efg::fault::{Fault, planted};

/// What a hand is worth: two numbers, of which more is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Strength {
    /// The hand's place among hands that play for the pot or its high half; above 0. For razz it orders low hands.
    pub high: u16,
    /// The hand's place among qualifying lows; 0 without one, and always in games that are not split.
    pub low: u16,
}

/// What seven cards are worth in the standard game.
///
/// # Panics
/// May panic if there are not seven cards.
pub fn strength(variant: Variant, cards: CardSet) -> Strength {
    match variant {
        Variant::High => Strength { high: rank7::high_of(cards).0, low: 0 },
        Variant::HiLo8 => {
            let low = low::eight_of(cards).map_or(0, |rank| rank.0);
            Strength { high: rank7::high_of(cards).0, low }
        }
        Variant::Razz => Strength { high: low::razz_of(cards).0, low: 0 },
    }
}

impl Strength {
    /// This hand's share of a pot contested by two: 0, 1/4, 1/2, 3/4 or 1.
    pub fn share(self, other: Strength) -> f64 {
        let side = |own: u16, other: u16| match own.cmp(&other) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal if planted(Fault::TiesNotSplit) => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        };
        let high = side(self.high, other.high);
        if self.low == 0 && other.low == 0 { high } else { (high + side(self.low, other.low)) / 2.0 }
    }
}

/// What a hand is worth by these rules.
///
/// # Panics
/// May panic if it has not as many cards as a player holds in the end.
pub fn strength_by(rules: &Rules, cards: CardSet) -> Strength {
    if rules.is_standard() {
        strength(rules.variant(), cards)
    } else {
        small_hand::strength(rules.format(), rules.variant(), cards)
    }
}

/// The first hand's share of a pot contested by two seven-card hands: 0, 1/4, 1/2, 3/4 or 1.
pub fn share(variant: Variant, first: CardSet, second: CardSet) -> f64 {
    strength(variant, first).share(strength(variant, second))
}

/// Who shows (`true`) and who throws the hand away, clockwise from `first`.
///
/// Where mucking is allowed, a hand is shown if nothing shown before beats it in some half of a pot that it claims.
pub(super) fn order(
    rules: &Rules,
    pots: &[Pot],
    live: SeatSet,
    first: usize,
    strengths: &[Strength; MAX_PLAYERS],
) -> ArrayVec<(usize, bool), MAX_PLAYERS> {
    let mut order = ArrayVec::new();
    let mut shown = SeatSet::EMPTY;
    let mut waiting = live;
    while let Some(seat) = waiting.clockwise_from(first) {
        waiting = waiting.without(seat);
        let unbeaten = |pot: &Pot| {
            let mut rivals = shown.intersection(pot.seats).into_iter().map(|rival| strengths[rival]);
            let own = strengths[seat];
            let best = rivals.clone().fold(Strength::default(), |best, rival| Strength {
                high: best.high.max(rival.high),
                low: best.low.max(rival.low),
            });
            pot.seats.contains(seat)
                && (rivals.next().is_none() || own.high >= best.high || own.low > 0 && own.low >= best.low)
        };
        let shows = rules.muck() == Muck::Never || pots.iter().any(unbeaten);
        if shows {
            shown = shown.with(seat);
        }
        order.push((seat, shows));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stud::Chips;

    fn hand(text: &str) -> CardSet {
        text.parse().unwrap()
    }

    #[test]
    fn shares_of_two_hands() {
        for (variant, first, second, expected) in [
            (Variant::High, "AsAdAhKcQd9h7c", "KsKdKhQcJd9s7d", 1.0),
            (Variant::High, "AsKdQhJcTd2h3c", "AdKsQcJhTs2s3d", 0.5),
            // A low alone takes half; the best of both takes all.
            (Variant::HiLo8, "AsKsQsJs9s2d3d", "8c7d5h4c2sKdKh", 0.5),
            (Variant::HiLo8, "As2s3s4s6sKdKh", "8c7d5h4c2cQdQh", 1.0),
            (Variant::HiLo8, "AsKsQsJs9s2d3d", "KdKhQcQdJc9c2s", 1.0),
            // The same low and the better high: three quarters.
            (Variant::HiLo8, "As2d3h4c6sAdKh", "Ac2h3d4s6cKdQh", 0.75),
            (Variant::HiLo8, "As2d3h4c6sKdQh", "Ac2h3d4s6cKhQd", 0.5),
            (Variant::Razz, "As2d3h4c5sKdKh", "2s3s4d5h6hKcQd", 1.0),
            // Full houses of deuces and of treys: the lower three of a kind is the better low.
            (Variant::Razz, "KsKdKhKc2s2d2h", "QsQdQhQc3s3d3h", 1.0),
        ] {
            assert_eq!(share(variant, hand(first), hand(second)), expected, "{variant:?} {first} {second}");
            assert_eq!(
                share(variant, hand(second), hand(first)),
                1.0 - expected,
                "{variant:?} {second} {first}"
            );
        }
    }

    #[test]
    fn beaten_hands_are_thrown_away_where_that_is_allowed() {
        let strengths = [3, 1, 5, 2].map(|high| Strength { high, low: 0 });
        let mut all = [Strength::default(); MAX_PLAYERS];
        all[..4].copy_from_slice(&strengths);
        let live = SeatSet::first(4);
        let show = |muck: &str, first: usize, pots: &[(Chips, SeatSet)]| {
            let text = format!("ante = 1\nsmall_bet = 10\nmuck = \"{muck}\"");
            let rules = Rules::from_toml(&text, "test").unwrap();
            let pots: Vec<Pot> = pots.iter().map(|&(amount, seats)| Pot { amount, seats }).collect();
            order(&rules, &pots, live, first, &all).to_vec()
        };
        let main = (40, live);
        assert_eq!(show("allowed", 0, &[main]), [(0, true), (1, false), (2, true), (3, false)]);
        assert_eq!(show("allowed", 2, &[main]), [(2, true), (3, false), (0, false), (1, false)]);
        assert_eq!(show("never", 2, &[main]), [(2, true), (3, true), (0, true), (1, true)]);
        // Seats 1 and 3 contest a side pot that seat 2 has no part in.
        let side = (20, [1, 3].into_iter().collect());
        assert_eq!(show("allowed", 2, &[main, side]), [(2, true), (3, true), (0, false), (1, false)]);
    }
}
