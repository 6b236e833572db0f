//! Who starts a betting round.

use super::{MAX_PLAYERS, SeatSet, Variant};
use doorcard_cards::Card;
use doorcard_efg::fault::{Fault, planted};

/// The seat whose door card must bring in: the lowest card in stud, the highest in razz (where the ace is low). Suits
/// break ties: clubs are lowest.
///
/// # Panics
/// If `seats` is empty.
pub fn bring_in<'a>(variant: Variant, seats: SeatSet, door: impl Fn(usize) -> &'a Card) -> usize {
    let low = |&seat: &usize| door(seat).index();
    let high = |&seat: &usize| (door(seat).rank().low_index(), door(seat).suit());
    let found = match variant {
        Variant::High | Variant::HiLo8 => seats.into_iter().min_by_key(low),
        Variant::Razz => seats.into_iter().max_by_key(high),
    };
    found.expect("somebody is in the hand")
}

/// The seat that opens from fourth street on: the best hand showing for the game, and among equals the first in
/// position.
///
/// # Panics
/// If `seats` is empty.
pub fn first_to_act<'a>(variant: Variant, seats: SeatSet, up: impl Fn(usize) -> &'a [Card]) -> usize {
    let showing = |seat| match variant {
        Variant::High | Variant::HiLo8 => showing(up(seat), |card| card.rank().index()),
        Variant::Razz => u64::MAX - showing(up(seat), |card| card.rank().low_index()),
    };
    let mut shown = seats.into_iter().map(|seat| (showing(seat), seat));
    let first = shown.next().expect("somebody is in the hand");
    let (_, opener) = shown.fold(first, |best, other| if other.0 > best.0 { other } else { best });
    if planted(Fault::OpenerOffByOne) {
        return seats.clockwise_from((opener + 1) % MAX_PLAYERS).unwrap_or(opener);
    }
    opener
}

/// A number that sorts one to four up cards as [`up_hand`](doorcard_cards::up_hand) does: from the highest bits down,
/// the ranks that occur four times, three times, whether there are two pairs, the pairs, all ranks.
///
/// The dense numbers of `up_hand` cost ten times as much, a quarter of the time of a whole hand.
fn showing(up: &[Card], rank: impl Fn(Card) -> usize) -> u64 {
    let [mut once, mut twice, mut thrice, mut four_times] = [0u64; 4];
    for &card in up {
        let bit = 1 << rank(card);
        four_times |= thrice & bit;
        thrice |= twice & bit;
        twice |= once & bit;
        once |= bit;
    }
    let two_pairs = u64::from(twice & twice.wrapping_sub(1) != 0);
    four_times << 40 | thrice << 27 | two_pairs << 26 | twice << 13 | once
}

/// Whether two of these up cards are a pair.
pub fn shows_pair(up: &[Card]) -> bool {
    up.iter().enumerate().any(|(i, card)| up[..i].iter().any(|other| other.rank() == card.rank()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorcard_cards::{Rank, Suit, parse_cards, up_hand};

    fn boards(text: &str) -> Vec<Vec<Card>> {
        text.split(' ').map(|cards| parse_cards(cards).unwrap()).collect()
    }

    #[test]
    fn the_lowest_door_card_brings_in() {
        for (text, high, razz) in [
            ("2s 2c Ad", 1, 0),
            ("As Ac Kd", 2, 2),
            ("Kc Ks Kh Kd", 0, 1),
            ("Ac Ad", 0, 1),
            ("Th 9s Td", 1, 0),
        ] {
            let doors = boards(text);
            let seats = SeatSet::first(doors.len());
            assert_eq!(bring_in(Variant::High, seats, |seat| &doors[seat][0]), high, "{text}");
            assert_eq!(bring_in(Variant::HiLo8, seats, |seat| &doors[seat][0]), high, "{text}");
            assert_eq!(bring_in(Variant::Razz, seats, |seat| &doors[seat][0]), razz, "{text}");
        }
    }

    #[test]
    fn the_best_hand_showing_opens() {
        for (text, high, razz) in [
            // Suits never decide: equal hands go to the first in position.
            ("AcKd AsKs", 0, 0),
            ("2c2d AsKs", 0, 1),
            ("2c3d4h5s Ah7h9hKh", 1, 0),
            ("2c2d7h7s 8c8d3h3s", 1, 0),
            ("2c2d2h7s AcAdKhKs", 0, 1),
            ("KcQd QcKd Ah2h", 2, 2),
        ] {
            let up = boards(text);
            let seats = SeatSet::first(up.len());
            assert_eq!(first_to_act(Variant::High, seats, |seat| &up[seat][..]), high, "{text}");
            assert_eq!(first_to_act(Variant::Razz, seats, |seat| &up[seat][..]), razz, "{text}");
        }
    }

    #[test]
    fn pairs_are_seen() {
        assert!(shows_pair(&parse_cards("2c2d").unwrap()));
        assert!(!shows_pair(&parse_cards("2c3d").unwrap()));
        assert!(shows_pair(&parse_cards("2c3d2h").unwrap()));
    }

    /// All hands of equally many up cards sort as in the card library.
    #[test]
    fn showing_agrees_with_the_card_library() {
        let mut hands: Vec<Vec<Card>> = vec![vec![]];
        for _ in 1..=4 {
            let ranks = |hand: &Vec<Card>| {
                (hand.last().map_or(0, |card| card.rank().index())..13).collect::<Vec<_>>()
            };
            let with = |hand: &Vec<Card>, rank: usize| {
                let suit = hand.iter().filter(|card| card.rank().index() == rank).count();
                let card = Card::new(Rank::new(rank as u8), Suit::new(suit as u8));
                hand.iter().copied().chain([card]).collect()
            };
            hands =
                hands.iter().flat_map(|hand| ranks(hand).into_iter().map(|rank| with(hand, rank))).collect();
            let low = |card: Card| card.rank().low_index();
            for order in [
                hands
                    .iter()
                    .map(|up| (showing(up, |card| card.rank().index()), up_hand::showing_high(up)))
                    .collect(),
                hands
                    .iter()
                    .map(|up| (u64::MAX - showing(up, low), up_hand::showing_low(up)))
                    .collect::<Vec<_>>(),
            ] {
                let mut order = order;
                order.sort();
                assert!(order.windows(2).all(|pair| (pair[0].0 < pair[1].0) && (pair[0].1 < pair[1].1)));
            }
        }
        assert_eq!(hands.len(), 1820);
    }
}
