//! Ace-to-five low hands of five to seven cards, for razz and for the low half of hi/lo eight-or-better.
//!
//! Aces are low; straights and flushes do not count. Five different ranks are compared from the highest down, so
//! the best low is A2345. In razz there is no qualifier and any hand with a pair loses to any hand without one:
//! fewer than five different ranks among seven cards leave a pair, two pair or a full house. Eight-or-better wants
//! five different ranks of eight or lower.
//!
//! Both games share one scale, [`LowRank`]: 6,175 rank multisets of five cards, of which the best 1,287 are unpaired
//! and the best 56 qualify for eight-or-better. Unpaired hands cost one table look-up by the set of ranks.

use crate::cardset::fold_lanes;
use crate::rank_sets::{Repeats, SET_ORDER, choose};
use crate::rank7::HandKey;
use crate::{CardSet, Rank};
use std::fmt;

/// The value of an ace-to-five low hand, 1 (KKKKQ) to 6,175 (A2345); bigger is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LowRank(pub u16);

impl LowRank {
    /// How many values there are.
    pub const COUNT: usize = 6175;
    /// How many of them, the best ones, qualify for eight-or-better.
    pub const EIGHTS: usize = choose(8, 5);
    /// The best low hand, A2345.
    pub const WHEEL: LowRank = LowRank(LowRank::COUNT as u16);

    /// Below [`LowRank::COUNT`], 0 for the worst.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// Whether the hand has five different ranks of eight or lower.
    pub const fn is_eight_or_better(self) -> bool {
        self.0 as usize > LowRank::COUNT - LowRank::EIGHTS
    }

    /// Whether the hand has five different ranks.
    pub const fn is_unpaired(self) -> bool {
        self.0 as usize > LowRank::COUNT - choose(13, 5)
    }

    fn of(repeats: Repeats) -> LowRank {
        LowRank((LowRank::COUNT - repeats.order()) as u16)
    }
}

/// A set of ranks with the ace moved from the top to the bottom.
const fn ace_low(ranks: u16) -> u16 {
    (ranks << 1 | ranks >> 12) & 0x1fff
}

/// The [`LowRank`] of the lowest five of a set of ranks (ace at the top), 0 for fewer than five.
static UNPAIRED: [u16; 1 << 13] = {
    let mut table = [0; 1 << 13];
    let mut ranks = 0;
    while ranks < table.len() {
        let mut lowest = ace_low(ranks as u16);
        while lowest.count_ones() > 5 {
            lowest ^= 1 << lowest.ilog2();
        }
        if lowest.count_ones() == 5 {
            table[ranks] = LowRank::COUNT as u16 - SET_ORDER[lowest as usize];
        }
        ranks += 1;
    }
    table
};

/// The value of the lowest five of a set of ranks (bit 0 for the deuce), 0 for fewer than five.
pub(crate) fn unpaired(ranks: u16) -> u16 {
    UNPAIRED[usize::from(ranks & 0x1fff)]
}

/// The value for eight-or-better of a hand with these ranks (bit 0 for the deuce), 0 for none.
pub(crate) fn eight_of_ranks(ranks: u16) -> u16 {
    let low = unpaired(ranks);
    if LowRank(low).is_eight_or_better() { low } else { 0 }
}

/// The best low of five to seven cards with fewer than five different ranks, given the masks (bit 0 for the deuce) of
/// the ranks that occur at least once, twice, three and four times.
pub(crate) fn paired(at_least: [u16; 4]) -> LowRank {
    let [one, two, three, four] = at_least.map(ace_low);
    let lowest = |ranks: u16| ranks & ranks.wrapping_neg();
    let first = lowest(two);
    let second = lowest(two ^ first);
    let groups = match one.count_ones() {
        4 => [one ^ first, first, 0, 0],
        3 if second != 0 => [one ^ first ^ second, first | second, 0, 0],
        3 => [one ^ first, 0, first, 0],
        2 if second != 0 => [0, one ^ lowest(three), lowest(three), 0],
        2 => [one ^ four, 0, 0, four],
        different => panic!("a low hand has five to seven cards, not {different} ranks"),
    };
    LowRank::of(Repeats { groups })
}

/// The masks of the ranks (bit 0 for the deuce) in at least one, two, three and four of the lanes.
pub(crate) const fn at_least(lanes: u64) -> [u16; 4] {
    let [a, b, c, d] = [lanes as u16, (lanes >> 16) as u16, (lanes >> 32) as u16, (lanes >> 48) as u16];
    let (one_ab, two_ab, one_cd, two_cd) = (a | b, a & b, c | d, c & d);
    [one_ab | one_cd, two_ab | two_cd | one_ab & one_cd, two_ab & one_cd | one_ab & two_cd, two_ab & two_cd]
}

fn razz_of_lanes(lanes: u64) -> LowRank {
    match unpaired(fold_lanes(lanes)) {
        0 => paired(at_least(lanes)),
        value => LowRank(value),
    }
}

fn eight_of_lanes(lanes: u64) -> Option<LowRank> {
    match eight_of_ranks(fold_lanes(lanes)) {
        0 => None,
        value => Some(LowRank(value)),
    }
}

/// The best ace-to-five low of five to seven cards, paired or not.
///
/// # Panics
/// May panic if there are fewer than five cards.
pub fn razz_of(cards: CardSet) -> LowRank {
    razz_of_lanes(cards.suit_lanes())
}

/// As [`razz_of`], from the key of a hand.
///
/// # Panics
/// May panic if there are fewer than five cards.
pub fn razz(hand: HandKey) -> LowRank {
    razz_of_lanes(hand.suit_lanes())
}

/// The best low of five to seven cards if it has five different ranks of eight or lower.
pub fn eight_of(cards: CardSet) -> Option<LowRank> {
    eight_of_lanes(cards.suit_lanes())
}

/// As [`eight_of`], from the key of a hand.
pub fn eight(hand: HandKey) -> Option<LowRank> {
    eight_of_lanes(hand.suit_lanes())
}

/// The ranks of a mask with the ace at bit 0, highest first.
fn ranks_downwards(ranks: u16) -> impl Iterator<Item = Rank> {
    (0..13u8).rev().filter(move |bit| ranks >> bit & 1 == 1).map(|bit| Rank::new((bit + 12) % 13))
}

impl fmt::Display for LowRank {
    /// Such as "eight-six low", "pair of threes", "kings full of queens".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [singles, pairs, trips, quads] =
            Repeats::with_order(LowRank::COUNT - self.0 as usize, 5).groups.map(|g| {
                let mut ranks = ranks_downwards(g);
                (ranks.next(), ranks.next())
            });
        match (quads, trips, pairs, singles) {
            ((Some(four), _), ..) => write!(f, "four {}", four.plural()),
            (_, (Some(three), _), (Some(two), _), _) => {
                write!(f, "{} full of {}", three.plural(), two.plural())
            }
            (_, (Some(three), _), ..) => write!(f, "three {}", three.plural()),
            (_, _, (Some(high), Some(low)), _) => {
                write!(f, "two pair, {} and {}", high.plural(), low.plural())
            }
            (_, _, (Some(pair), _), _) => write!(f, "pair of {}", pair.plural()),
            (_, _, _, (Some(first), Some(second))) => write!(f, "{}-{} low", first.name(), second.name()),
            _ => Err(fmt::Error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_the_rule_book() {
        let low = |text: &str| eight_of(text.parse().unwrap());
        assert_eq!(low("As2d3h4c5sKcKd"), Some(LowRank::WHEEL));
        assert!(low("As2d3h4c5sKcKd") > low("As2d3h4c6sKcKd"));
        assert!(low("As2d4h5c7sKcKd") > low("As2d4h6c7sKcKd"));
        assert!(low("2s3d4h5c7sKcKd") > low("As2d3h5c8sKcKd"));
        assert!(low("2s4d5h6c7sKcKd") > low("As2d3h4c8sKcKd"));
        assert_eq!(low("As2d3h4c9sKcKd"), None);
        assert_eq!(low("AsAd2h2c3s3c4d"), None);
    }

    #[test]
    fn names() {
        let name = |text: &str| razz_of(text.parse().unwrap()).to_string();
        assert_eq!(name("8s6d4h3c2sKcKd"), "eight-six low");
        assert_eq!(name("As2d3h4c5sKcKd"), "five-four low");
        assert_eq!(name("KsQdJhTc9sKcKd"), "king-queen low");
        assert_eq!(name("AsAdAhKcKsQcQd"), "two pair, queens and aces");
        assert_eq!(name("AsAdAhAcKsKcKd"), "aces full of kings");
        assert_eq!(name("3s3d4h4c5s5cKd"), "pair of threes");
        assert_eq!(LowRank(1).to_string(), "four kings");
    }
}
