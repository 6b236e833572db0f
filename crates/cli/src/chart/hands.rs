//! Classes of starting hands, in the words of stud players.

use doorcard_cards::{Card, Rank};
use doorcard_games::stud::Variant;

/// A class of three-card hands, given the opponent's door card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum HandClass {
    RolledUp,
    /// Tens or better, both face down.
    BigPairBuried,
    /// Tens or better, one of them the door card.
    BigPairSplit,
    SmallPairBuried,
    SmallPairSplit,
    /// The opponent's door card is one of the two cards that would improve the pair to trips.
    PairDead,
    ThreeFlush,
    /// Three ranks in a row; the ace is high or low.
    ThreeStraight,
    /// Three different ranks, none above the eight; the ace is low.
    ThreeLow,
    /// Three different ranks from ten to ace.
    HighCards,
    /// Razz: three different ranks, the highest a five or lower; ace low.
    Wheel,
    /// Razz: the highest a six, seven or eight.
    SixLow,
    SevenLow,
    EightLow,
    /// Razz: two different ranks of eight or lower and one higher.
    TwoLow,
    Rest,
}

use HandClass::*;

impl HandClass {
    /// The classes of a variant, best first.
    pub(super) fn all(variant: Variant) -> &'static [HandClass] {
        match variant {
            Variant::High => &[
                RolledUp,
                BigPairBuried,
                BigPairSplit,
                SmallPairBuried,
                SmallPairSplit,
                PairDead,
                ThreeFlush,
                ThreeStraight,
                HighCards,
                Rest,
            ],
            Variant::HiLo8 => &[
                RolledUp,
                BigPairBuried,
                BigPairSplit,
                SmallPairBuried,
                SmallPairSplit,
                PairDead,
                ThreeLow,
                ThreeFlush,
                ThreeStraight,
                HighCards,
                Rest,
            ],
            Variant::Razz => &[Wheel, SixLow, SevenLow, EightLow, TwoLow, Rest],
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            RolledUp => "rolled-up trips",
            BigPairBuried => "big pair (T+), buried",
            BigPairSplit => "big pair (T+), split",
            SmallPairBuried => "small pair, buried",
            SmallPairSplit => "small pair, split",
            PairDead => "pair, one card dead",
            ThreeFlush => "three-flush",
            ThreeStraight => "three-straight",
            ThreeLow => "three low cards (8-)",
            HighCards => "three high cards (T+)",
            Wheel => "three cards to a five",
            SixLow => "three cards to a six",
            SevenLow => "three cards to a seven",
            EightLow => "three cards to an eight",
            TwoLow => "two low cards (8-)",
            Rest => "rest",
        }
    }

    /// The class of a hand: the first of [`HandClass::all`] that fits.
    pub(super) fn of(variant: Variant, down: [Card; 2], door: Card, opponent: Card) -> HandClass {
        match variant {
            Variant::Razz => razz(down, door),
            Variant::High | Variant::HiLo8 => high(variant, down, door, opponent),
        }
    }
}

fn high(variant: Variant, down: [Card; 2], door: Card, opponent: Card) -> HandClass {
    let [a, b] = down.map(Card::rank);
    let d = door.rank();
    if a == b && b == d {
        return RolledUp;
    }
    let ten = Rank::new(8);
    if a == b || a == d || b == d {
        let (rank, buried) = if a == b { (a, true) } else { (d, false) };
        return match (opponent.rank() == rank, rank >= ten, buried) {
            (true, _, _) => PairDead,
            (_, true, true) => BigPairBuried,
            (_, true, false) => BigPairSplit,
            (_, false, true) => SmallPairBuried,
            (_, false, false) => SmallPairSplit,
        };
    }
    let mut low = [a, b, d].map(Rank::low_index);
    low.sort_unstable();
    if variant == Variant::HiLo8 && low[2] <= 7 {
        return ThreeLow;
    }
    if down[0].suit() == door.suit() && down[1].suit() == door.suit() {
        return ThreeFlush;
    }
    let in_a_row = |r: [usize; 3]| r[1] == r[0] + 1 && r[2] == r[1] + 1;
    let mut ranks = [a, b, d].map(Rank::index);
    ranks.sort_unstable();
    if in_a_row(ranks) || in_a_row(low) {
        return ThreeStraight;
    }
    if ranks[0] >= ten.index() { HighCards } else { Rest }
}

fn razz(down: [Card; 2], door: Card) -> HandClass {
    let mut ranks = [down[0], down[1], door].map(|card| card.rank().low_index());
    ranks.sort_unstable();
    let distinct = ranks[0] != ranks[1] && ranks[1] != ranks[2];
    match ranks {
        [_, _, high] if distinct && high <= 4 => Wheel,
        [_, _, 5] if distinct => SixLow,
        [_, _, 6] if distinct => SevenLow,
        [_, _, 7] if distinct => EightLow,
        [a, b, c] if (a != b && b <= 7) || (b != c && c <= 7) => TwoLow,
        _ => Rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorcard_cards::parse_cards;

    fn class(variant: Variant, text: &str) -> HandClass {
        let cards = parse_cards(text).unwrap();
        HandClass::of(variant, [cards[0], cards[1]], cards[2], cards[3])
    }

    #[test]
    fn high_hands_have_their_class() {
        for (text, expected) in [
            ("2c2d2h As", RolledUp),
            ("TcTd2h As", BigPairBuried),
            ("Tc2dTh As", BigPairSplit),
            ("9c9d2h As", SmallPairBuried),
            ("2c9d9h As", SmallPairSplit),
            ("AcAd2h As", PairDead),
            ("Ac9dAh As", PairDead),
            ("2c9cKc As", ThreeFlush),
            ("2c3c4c As", ThreeFlush),
            ("9cTdJh As", ThreeStraight),
            ("Ac2d3h 9s", ThreeStraight),
            ("AcKdQh 9s", ThreeStraight),
            ("KcAd2h 9s", Rest),
            ("TcQdAh 9s", HighCards),
            ("9cQdAh 9s", Rest),
            ("2c5d8h 9s", Rest),
        ] {
            assert_eq!(class(Variant::High, text), expected, "{text}");
        }
        assert_eq!(class(Variant::HiLo8, "2c5d8h 9s"), ThreeLow);
        assert_eq!(class(Variant::HiLo8, "Ac2c3c 9s"), ThreeLow);
        assert_eq!(class(Variant::HiLo8, "TcJcQc 9s"), ThreeFlush);
    }

    #[test]
    fn razz_hands_have_their_class() {
        for (text, expected) in [
            ("Ac2d3h 9s", Wheel),
            ("5c4dAh 9s", Wheel),
            ("6c4dAh 9s", SixLow),
            ("2c7dAh 9s", SevenLow),
            ("8c7dAh 9s", EightLow),
            ("9c7dAh 9s", TwoLow),
            ("AcAd3h 9s", TwoLow),
            ("3cAd3h 9s", TwoLow),
            ("AcAdAh 9s", Rest),
            ("Kc9d2h 9s", Rest),
        ] {
            assert_eq!(class(Variant::Razz, text), expected, "{text}");
        }
    }

    #[test]
    fn every_class_is_listed_for_its_variant() {
        let cards: Vec<Card> = Card::all().step_by(5).collect();
        for variant in [Variant::High, Variant::HiLo8, Variant::Razz] {
            for (i, &a) in cards.iter().enumerate() {
                for &b in &cards[..i] {
                    for &door in &cards {
                        let class = HandClass::of(variant, [a, b], door, cards[0]);
                        assert!(HandClass::all(variant).contains(&class));
                    }
                }
            }
        }
    }
}
