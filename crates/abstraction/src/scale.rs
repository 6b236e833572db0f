//! How strong seven cards are, in few enough cells to count them.
//!
//! Stud high and razz: a cell is a bin of the one order ([`Ladder`]). Hi/lo: a cell is a bin of the high value
//! together with a bin of the eight-or-better low or "no low", so that a histogram over cells is a joint one
//! and the share of a pot needs no assumption of independence.

use crate::ladder::Ladder;
use doorcard_cards::board::Values;
use doorcard_cards::low::{self, LowRank};
use doorcard_cards::rank7::{self, HandKey, HighRank};
use doorcard_cards::{Card, CardSet, Suit};
use doorcard_games::stud::Variant;
use rayon::prelude::*;

/// The most cells a scale can have.
pub(crate) const MAX_CELLS: usize = 256;

/// Bins of the low half in hi/lo: no low, and three of lows.
///
/// For 128 cells, 32 by 4 puts E\[share\] within 0.4 to 1.5 % of the pot of dealt-out hands, 16 by 8 within 0.7
/// to 2.4 %.
pub(crate) const LOW_BINS: usize = 4;

/// At least the number of values of an order; a power of two, so that no index needs a check.
const VALUES: usize = 1 << 13;

/// A histogram with room for the cells of any scale.
pub(crate) type Counts = [u32; MAX_CELLS];

/// The strength cells of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    pub(crate) variant: Variant,
    /// Bins of the main order: high, in razz low.
    pub(crate) main_bins: usize,
    pub(crate) main: Ladder,
    /// Hi/lo only: the eight-or-better lows, cut into `LOW_BINS - 1` bins.
    pub(crate) low: Ladder,
    /// The cell of a hand without a low by the index of its value in the main order.
    main_cells: Box<[u8; VALUES]>,
    /// What a low adds to the cell, by the index of its value.
    low_cells: Box<[u8; VALUES]>,
}

/// Where seven cards stand on a scale, finer than a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) main_bin: usize,
    /// Which part of the bin lies below. Units: 1/256.
    pub(crate) main_within: u32,
    /// 0 without a low.
    pub(crate) low_bin: usize,
    pub(crate) low_within: u32,
}

/// The first eight-or-better low.
const FIRST_EIGHT: usize = LowRank::COUNT - LowRank::EIGHTS;

impl Scale {
    /// The scale of a game with `bins` bins, as the configuration has them: hi/lo crosses half of them with
    /// [`LOW_BINS`].
    pub(crate) fn new(variant: Variant, bins: usize) -> Scale {
        let main_bins = Scale::main_bins(variant, bins);
        let (main, eights) = frequencies(variant);
        let low = match variant {
            Variant::HiLo8 => Ladder::new(&eights, LOW_BINS - 1),
            Variant::High | Variant::Razz => Ladder { bins: Vec::new(), within: Vec::new() },
        };
        Scale::from_ladders(variant, bins, Ladder::new(&main, main_bins), low)
    }

    /// The scale of a game with ladders made before.
    pub(crate) fn from_ladders(variant: Variant, bins: usize, main: Ladder, low: Ladder) -> Scale {
        let main_bins = Scale::main_bins(variant, bins);
        let low_bins = Scale::cells_for(variant, bins) / main_bins;
        let mut main_cells = Box::new([0; VALUES]);
        for (cell, &bin) in main_cells.iter_mut().zip(&main.bins) {
            *cell = bin * low_bins as u8;
        }
        let mut low_cells = Box::new([0; VALUES]);
        for (cell, &bin) in low_cells[FIRST_EIGHT..].iter_mut().zip(&low.bins) {
            *cell = 1 + bin;
        }
        Scale { variant, main_bins, main, low, main_cells, low_cells }
    }

    /// How many bins of the main order a scale has.
    pub(crate) fn main_bins(variant: Variant, bins: usize) -> usize {
        if variant == Variant::HiLo8 { bins / 2 } else { bins }
    }

    /// How many cells a scale with these bins has.
    pub(crate) fn cells_for(variant: Variant, bins: usize) -> usize {
        let low_bins = if variant == Variant::HiLo8 { LOW_BINS } else { 1 };
        Scale::main_bins(variant, bins) * low_bins
    }

    pub(crate) fn low_bins(&self) -> usize {
        if self.variant == Variant::HiLo8 { LOW_BINS } else { 1 }
    }

    pub(crate) fn cells(&self) -> usize {
        self.main_bins * self.low_bins()
    }

    #[inline(always)]
    fn high_cell(&self, hand: HandKey) -> usize {
        self.main_cells[rank7::high(hand).index() & (VALUES - 1)].into()
    }

    #[inline(always)]
    fn razz_cell(&self, hand: HandKey) -> usize {
        self.main_cells[low::razz(hand).index() & (VALUES - 1)].into()
    }

    #[inline(always)]
    fn hilo_cell(&self, hand: HandKey) -> usize {
        let low = low::eight(hand).map_or(0, |value| self.low_cells[value.index() & (VALUES - 1)]);
        self.high_cell(hand) + usize::from(low)
    }

    /// The value of a seven-card hand in the main order, and of its low in hi/lo, 0 without one.
    pub(crate) fn values(&self, hand: HandKey) -> (u16, u16) {
        match self.variant {
            Variant::High => (rank7::high(hand).0, 0),
            Variant::Razz => (low::razz(hand).0, 0),
            Variant::HiLo8 => (rank7::high(hand).0, low::eight(hand).map_or(0, |low| low.0)),
        }
    }

    /// Whether flushes are worth more than the ranks of their cards.
    pub(crate) fn counts_flushes(&self) -> bool {
        self.variant != Variant::Razz
    }

    /// What [`doorcard_cards::board`] computes in place of [`Scale::values`].
    pub(crate) fn board_values(&self) -> (Values, Option<Values>) {
        match self.variant {
            Variant::High => (Values::High, None),
            Variant::Razz => (Values::Razz, None),
            Variant::HiLo8 => (Values::High, Some(Values::Eight)),
        }
    }

    /// The cell of a hand with this value in the main order and without a low.
    #[inline(always)]
    pub(crate) fn main_cell(&self, value: u16) -> u8 {
        self.main_cells[usize::from(value.wrapping_sub(1)) & (VALUES - 1)]
    }

    /// What a low, 0 for none, adds to the cell.
    #[inline(always)]
    pub(crate) fn low_cell(&self, value: u16) -> u8 {
        self.low_cells[usize::from(value.wrapping_sub(1)) & (VALUES - 1)]
    }

    /// Where a hand with these values stands within its cell.
    pub(crate) fn standing(&self, (main, low): (u16, u16)) -> Standing {
        let main = usize::from(main) - 1;
        let (low_bin, low_within) = match usize::from(low) {
            0 => (0, 0),
            low => (1 + self.low.bins[low - 1 - FIRST_EIGHT], self.low.within[low - 1 - FIRST_EIGHT]),
        };
        Standing {
            main_bin: self.main.bins[main].into(),
            main_within: self.main.within[main].into(),
            low_bin: low_bin.into(),
            low_within: low_within.into(),
        }
    }

    /// Calls `count` with the cell and the number of the hands that `six` cards make with each of the `live`
    /// cards; cells may come more than once.
    #[inline(always)]
    pub(crate) fn rivers(&self, six: HandKey, live: CardSet, count: impl FnMut(usize, u16)) {
        match self.variant {
            Variant::High => rivers(six, six.four_flush(), live, |hand| self.high_cell(hand), count),
            Variant::HiLo8 => rivers(six, six.four_flush(), live, |hand| self.hilo_cell(hand), count),
            Variant::Razz => rivers(six, None, live, |hand| self.razz_cell(hand), count),
        }
    }
}

/// Suits matter only for the live cards of the suit `flush`: all others of a rank are valued once.
#[inline(always)]
fn rivers(
    six: HandKey,
    flush: Option<Suit>,
    live: CardSet,
    cell: impl Fn(HandKey) -> usize,
    mut count: impl FnMut(usize, u16),
) {
    const CLUBS: u64 = 0x1_1111_1111_1111;
    const BITS_IN_NIBBLE: [u16; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
    let lowest = |bits: u64| Card::from_index(bits.trailing_zeros() as u8);
    let mut rest = live.bits();
    if let Some(suit) = flush {
        let mut suited = rest & CLUBS << suit.index();
        rest &= !suited;
        while suited != 0 {
            count(cell(six.add(lowest(suited))), 1);
            suited &= suited - 1;
        }
    }
    while rest != 0 {
        let card = lowest(rest);
        let shift = card.index() & !3;
        count(cell(six.add(card)), BITS_IN_NIBBLE[(rest >> shift & 15) as usize]);
        rest &= !(15 << shift);
    }
}

/// How many of the 133,784,560 seven-card hands have each value of the main order, and each eight-or-better low.
fn frequencies(variant: Variant) -> (Vec<u64>, Vec<u64>) {
    let values = if variant == Variant::Razz { LowRank::COUNT } else { HighRank::COUNT };
    let zeros = || (vec![0u64; values], vec![0u64; LowRank::EIGHTS]);
    let starts: Vec<(usize, usize)> = (0..52).flat_map(|a| (a + 1..52).map(move |b| (a, b))).collect();
    starts
        .into_par_iter()
        .fold(zeros, |(mut main, mut eights), (a, b)| {
            let cards: Vec<Card> = Card::all().collect();
            let hand = HandKey::EMPTY.add(cards[a]).add(cards[b]);
            each_hand(hand, &cards[b + 1..], 5, &mut |hand| {
                match variant {
                    Variant::High | Variant::HiLo8 => main[rank7::high(hand).index()] += 1,
                    Variant::Razz => main[low::razz(hand).index()] += 1,
                }
                if variant == Variant::HiLo8
                    && let Some(value) = low::eight(hand)
                {
                    eights[value.index() - FIRST_EIGHT] += 1;
                }
            });
            (main, eights)
        })
        .reduce(zeros, |mut left, right| {
            left.0.iter_mut().zip(right.0).for_each(|(sum, count)| *sum += count);
            left.1.iter_mut().zip(right.1).for_each(|(sum, count)| *sum += count);
            left
        })
}

/// Calls `f` with every hand of `hand` and `more` of the cards.
fn each_hand(hand: HandKey, cards: &[Card], more: usize, f: &mut impl FnMut(HandKey)) {
    for (i, &card) in cards.iter().enumerate() {
        let hand = hand.add(card);
        if more == 1 {
            f(hand);
        } else {
            each_hand(hand, &cards[i + 1..], more - 1, f);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use doorcard_cards::Deck;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::sync::LazyLock;

    /// One scale per game, shared by the tests.
    pub(crate) fn scale(variant: Variant) -> &'static Scale {
        static SCALES: LazyLock<[Scale; 3]> =
            LazyLock::new(|| [Variant::High, Variant::HiLo8, Variant::Razz].map(|v| Scale::new(v, 64)));
        &SCALES[variant as usize]
    }

    impl Scale {
        /// The cell of a seven-card hand.
        pub(crate) fn cell(&self, hand: HandKey) -> usize {
            match self.variant {
                Variant::High => self.high_cell(hand),
                Variant::HiLo8 => self.hilo_cell(hand),
                Variant::Razz => self.razz_cell(hand),
            }
        }
    }

    #[test]
    fn frequencies_are_those_of_seven_card_hands() {
        let (high, eights) = frequencies(Variant::HiLo8);
        assert_eq!(high.iter().sum::<u64>(), 133_784_560);
        // Four royal flushes with any two of the other 47 cards.
        assert_eq!(high[HighRank::ROYAL_FLUSH.index()], 4 * 1081);
        let flushes = &high[5863..7140];
        assert_eq!(flushes.iter().sum::<u64>(), 4_047_644);
        // Hands with five or more different ranks of eight or lower: by how many of the eight ranks, and of the
        // other five ranks' twenty cards, the seven cards have.
        let choose = |n: u64, k: u64| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
        let mut qualifying = 0;
        for low_cards in 5..=7u64 {
            let mut sets = 0;
            // Each of eight ranks occurs 0 to 4 times, five or more of them at least once.
            for code in 0..5u64.pow(8) {
                let times: Vec<u64> = (0..8).map(|rank| code / 5u64.pow(rank) % 5).collect();
                if times.iter().sum::<u64>() == low_cards && times.iter().filter(|&&t| t > 0).count() >= 5 {
                    sets += times.iter().map(|&t| choose(4, t)).product::<u64>();
                }
            }
            qualifying += sets * choose(20, 7 - low_cards);
        }
        assert_eq!(eights.iter().sum::<u64>(), qualifying);
    }

    #[test]
    fn rivers_are_valued_by_rank_unless_suits_matter() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for variant in [Variant::High, Variant::HiLo8, Variant::Razz] {
            let scale = scale(variant);
            let mut four_flushes = 0;
            for _ in 0..3000 {
                let mut deck = Deck::new();
                let cards = deck.deal(14, &mut rng);
                let hand = HandKey::from(CardSet::from(&cards[..7]));
                let (main, low) = scale.values(hand);
                assert_eq!(usize::from(scale.main_cell(main) + scale.low_cell(low)), scale.cell(hand));
                let (six, dead) = (CardSet::from(&cards[..6]), CardSet::from(&cards[6..]));
                let key = HandKey::from(six);
                four_flushes += usize::from(key.four_flush().is_some());
                let live = six.union(dead).complement();
                let mut counts = vec![0u16; scale.cells()];
                scale.rivers(key, live, |cell, n| counts[cell] += n);
                for card in live {
                    counts[scale.cell(key.add(card))] -= 1;
                }
                assert!(counts.iter().all(|&n| n == 0), "{six} without {dead}");
            }
            assert!(four_flushes > 100, "{four_flushes}");
        }
    }

    #[test]
    fn better_hands_stand_higher() {
        let hand = |text: &str| HandKey::from(text.parse::<CardSet>().unwrap());
        let high = scale(Variant::High);
        assert!(high.cell(hand("AsAdAhKcKd2c3d")) > high.cell(hand("AsAdQhKcKd2c3d")));
        assert_eq!(
            (high.cells(), scale(Variant::HiLo8).cells(), high.cell(hand("AsKsQsJsTs2c3d"))),
            (64, 128, 63)
        );
        let razz = scale(Variant::Razz);
        assert_eq!(razz.cell(hand("As2s3s4s5sKcKd")), 63);
        assert_eq!(razz.cell(hand("AsAdAhKcKdKh2d")), 0);
        let hilo = scale(Variant::HiLo8);
        assert_eq!(hilo.cell(hand("As2s3s4s5sKcKd")), 127);
        assert_eq!(hilo.cell(hand("AsKdQh9c9d2c3d")) % LOW_BINS, 0);
        let standing = hilo.standing(hilo.values(hand("8s7d6h5c4dKcKh")));
        assert_eq!((standing.low_bin, standing.low_within < 128), (1, true));
    }
}
