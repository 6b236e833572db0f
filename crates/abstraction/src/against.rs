//! Own strength read against what the opponent shows.

use crate::opponents::Opponents;
use crate::scale::{Counts, LOW_BINS, MAX_CELLS, Scale, Standing};

/// How many bits a win probability (hi/lo: share of the pot) has after the point.
pub(crate) const ONE_BITS: u32 = 13;

/// Points at which the distribution of HS is described.
pub(crate) const POINTS: usize = 16;

/// The fixed point of cumulative distributions. Units of [`Against::value`]: 2^-16.
pub(crate) const EDGE_BITS: u32 = 24;

/// What each own strength is worth against an opponent whose final strength has a given distribution.
///
/// HS of a cell is the probability to win with a hand of that cell, ties counted half, where hands of the
/// opponent in the same cell count as ties. In hi/lo it is the expected share of the pot: half the probability
/// to win the high side, and half that of the low side, or of the high side again where neither player has a
/// low. The opponent's histogram is a joint one, so that "wins high and has no low" needs no assumption; within
/// a bin of the high order, a hand's place is taken to be independent of the low.
///
/// Everything is computed from the opponent's counts in integers: equal counts, equal values, bit for bit.
pub(crate) struct Against {
    cells: usize,
    low_bins: usize,
    /// HS of each cell. Units: 2^-[`ONE_BITS`].
    wins: [i16; MAX_CELLS],
    /// Its square. Units: 2^-[`ONE_BITS`].
    squares: [i16; MAX_CELLS],
    /// HS plus 2^32 times its square.
    wins_and_squares: [i64; MAX_CELLS],
    /// Which of [`POINTS`] equal parts of \[0, 1\] it lies in.
    points: [u8; MAX_CELLS],
    /// The opponent's chance to be below each bin of the main order. Units: 2^-[`EDGE_BITS`].
    main: [u32; MAX_CELLS + 1],
    /// Hi/lo: the same of opponents without a low, as a part of all.
    no_low: [u32; MAX_CELLS / LOW_BINS + 1],
    /// Hi/lo: the opponent's chance to be below each low bin.
    low: [u32; LOW_BINS + 1],
    /// The same by clusters of the opponent's hands.
    opponents: Opponents,
}

/// Cumulates counts, as parts of a total. Units: 2^-[`EDGE_BITS`].
#[inline(always)]
fn cumulate(edges: &mut [u32], counts: impl Iterator<Item = u32>, total: u32) {
    // Rounded up, so that all counts together are exactly one; a product with a count has less than 58 bits.
    let factor = (1u64 << 56).div_ceil(total.into());
    let mut below = 0u32;
    edges[0] = 0;
    for (edge, count) in edges[1..].iter_mut().zip(counts) {
        below += count;
        *edge = ((u64::from(below) * factor) >> (56 - EDGE_BITS)) as u32;
    }
}

/// A place between two edges. Units: 2^-16.
fn between(edges: &[u32], bin: usize, within: u32) -> u32 {
    let (from, to) = (edges[bin], edges[bin + 1]);
    (from + (((to - from) >> 8) * within)) >> (EDGE_BITS - 16)
}

/// The place halfway between two edges. Units: 2^-[`ONE_BITS`].
fn halfway(edges: &[u32], bin: usize) -> u32 {
    (edges[bin] + edges[bin + 1]) >> (EDGE_BITS + 1 - ONE_BITS)
}

impl Against {
    pub(crate) fn new() -> Against {
        Against {
            cells: 0,
            low_bins: 1,
            wins: [0; MAX_CELLS],
            squares: [0; MAX_CELLS],
            wins_and_squares: [0; MAX_CELLS],
            points: [0; MAX_CELLS],
            main: [0; MAX_CELLS + 1],
            no_low: [0; MAX_CELLS / LOW_BINS + 1],
            low: [0; LOW_BINS + 1],
            opponents: Opponents::new(),
        }
    }

    /// Takes over the opponent's counts, `total` in all.
    pub(crate) fn read(&mut self, scale: &Scale, opponent: &Counts, total: u32) {
        self.cells = scale.cells();
        self.low_bins = scale.low_bins();
        let opponent = &opponent[..self.cells];
        if self.low_bins == 1 {
            cumulate(&mut self.main, opponent.iter().copied(), total);
            for (win, edges) in self.wins[..self.cells].iter_mut().zip(self.main.windows(2)) {
                *win = halfway(edges, 0) as i16;
            }
            return;
        }
        let rows = opponent.as_chunks::<LOW_BINS>().0;
        cumulate(&mut self.main, rows.iter().map(|row| row.iter().sum()), total);
        cumulate(&mut self.no_low, rows.iter().map(|row| row[0]), total);
        let columns =
            rows.iter().fold([0; LOW_BINS], |sums, row| std::array::from_fn(|low| sums[low] + row[low]));
        cumulate(&mut self.low, columns.into_iter(), total);
        for (main_bin, wins) in self.wins[..self.cells].as_chunks_mut::<LOW_BINS>().0.iter_mut().enumerate() {
            let high = halfway(&self.main, main_bin);
            for (low_bin, win) in wins.iter_mut().enumerate() {
                let other =
                    if low_bin == 0 { halfway(&self.no_low, main_bin) } else { halfway(&self.low, low_bin) };
                *win = ((high + other) / 2) as i16;
            }
        }
    }

    /// Prepares [`Against::squares`] and [`Against::wins_and_squares`].
    pub(crate) fn prepare_squares(&mut self) {
        let squares = self.squares.iter_mut().zip(&mut self.wins_and_squares);
        for ((square, both), &win) in squares.zip(&self.wins[..self.cells]) {
            *square = ((i32::from(win) * i32::from(win)) >> ONE_BITS) as i16;
            *both = i64::from(win) + (i64::from(*square) << 32);
        }
    }

    /// Prepares [`Against::points`].
    pub(crate) fn prepare_points(&mut self) {
        for (point, &win) in self.points.iter_mut().zip(&self.wins[..self.cells]) {
            *point = ((win as usize * POINTS) >> ONE_BITS).min(POINTS - 1) as u8;
        }
    }

    /// Prepares [`Against::opponents`]: `count` clusters of the opponent's counts, `total` in all.
    pub(crate) fn divide(&mut self, scale: &Scale, opponent: &Counts, total: u32, count: usize) {
        self.opponents.divide(scale, opponent, total, count);
    }

    /// HS of a hand that stands there, not just of its cell. Units: 2^-16.
    pub(crate) fn value(&self, standing: Standing) -> u32 {
        let high = between(&self.main, standing.main_bin, standing.main_within);
        if self.low_bins == 1 {
            return high;
        }
        let other = match standing.low_bin {
            0 => between(&self.no_low, standing.main_bin, standing.main_within),
            bin => between(&self.low, bin, standing.low_within),
        };
        (high + other) / 2
    }

    /// The least and the greatest HS of hands of a cell. Units: 2^-16.
    pub(crate) fn span(&self, cell: usize) -> (u32, u32) {
        let (main_bin, low_bin) = (cell / self.low_bins, cell % self.low_bins);
        let ends = [0, 256].map(|within| {
            self.value(Standing { main_bin, main_within: within, low_bin, low_within: within })
        });
        ends.into()
    }

    /// HS of each cell. Units: 2^-[`ONE_BITS`].
    #[inline(always)]
    pub(crate) fn wins(&self) -> &[i16; MAX_CELLS] {
        &self.wins
    }

    /// HS^2 of each cell, once [prepared](Against::prepare_squares). Units: 2^-[`ONE_BITS`].
    #[inline(always)]
    pub(crate) fn squares(&self) -> &[i16; MAX_CELLS] {
        &self.squares
    }

    /// HS of each cell plus 2^32 times HS^2, once [prepared](Against::prepare_squares), so that one addition adds
    /// both. Units: 2^-[`ONE_BITS`].
    #[inline(always)]
    pub(crate) fn wins_and_squares(&self) -> &[i64; MAX_CELLS] {
        &self.wins_and_squares
    }

    /// Which of [`POINTS`] equal parts of \[0, 1\] HS of each cell lies in, once
    /// [prepared](Against::prepare_points).
    #[inline(always)]
    pub(crate) fn points(&self) -> &[u8; MAX_CELLS] {
        &self.points
    }

    /// The clusters of the opponent's hands, once [prepared](Against::divide).
    #[inline(always)]
    pub(crate) fn opponents(&self) -> &Opponents {
        &self.opponents
    }

    /// The opponent's chances to be below each bin of the main order, the same without a low, and to be below each
    /// low bin. Units: 2^-[`EDGE_BITS`].
    pub(crate) fn edges(&self) -> (&[u32], &[u32], &[u32]) {
        (&self.main, &self.no_low, &self.low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::tests::scale;
    use crate::sets::Count;
    use doorcard_cards::rank7::{self, HandKey};
    use doorcard_cards::{CardSet, Deck, low};
    use doorcard_games::stud::Variant;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn against(variant: Variant, counts: &Counts) -> Against {
        let mut against = Against::new();
        against.read(scale(variant), counts, counts.iter().sum());
        against.prepare_squares();
        against.prepare_points();
        against
    }

    #[test]
    fn ties_count_half() {
        let mut opponent = [0u32; MAX_CELLS];
        (opponent[10], opponent[20]) = (300, 100);
        let against = against(Variant::High, &opponent);
        assert_eq!([5, 10, 15, 20, 30].map(|cell| against.wins[cell]), [0, 3072, 6144, 7168, 8192]);
        assert_eq!([5, 10, 30].map(|cell| against.squares[cell]), [0, 1152, 8192]);
        assert_eq!([5, 10, 15, 20, 30].map(|cell| against.points[cell]), [0, 6, 12, 14, 15]);
    }

    #[test]
    fn certainty_fits() {
        let mut opponent = [0; MAX_CELLS];
        opponent[0] = crate::sets::completions(1, 0);
        let against = against(Variant::High, &opponent);
        assert_eq!(
            (against.wins[63], against.squares[63], against.points[63]),
            (8192, 8192, POINTS as u8 - 1)
        );
        let highest = Standing { main_bin: 63, main_within: 256, low_bin: 0, low_within: 0 };
        assert_eq!(against.value(highest), 1 << 16);
        // The most completions of a hand, all of them certain to win: sums must not overflow.
        let mut own = [0u32; MAX_CELLS];
        own[63] = crate::sets::completions(3, 0);
        assert_eq!(u32::weighted_sums(&own, &against.wins, &against.squares), [211_876 << ONE_BITS; 2]);
    }

    /// Against a thousand hands with a known holder of each half, the share by cells is near the true one.
    #[test]
    fn shares_are_near_those_of_showdowns() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        for variant in [Variant::High, Variant::HiLo8, Variant::Razz] {
            let scale = scale(variant);
            let mut deck = Deck::new();
            let hands: Vec<HandKey> =
                (0..2000).map(|_| HandKey::from(CardSet::from(deck.deal(7, &mut rng)))).collect();
            let mut counts = [0u32; MAX_CELLS];
            hands.iter().for_each(|&hand| counts[scale.cell(hand)] += 1);
            let against = against(variant, &counts);
            let won = |a: u16, b: u16| if a == b { 0.5 } else { f64::from(a > b) };
            let share = |a: HandKey, b: HandKey| match variant {
                Variant::High => won(rank7::high(a).0, rank7::high(b).0),
                Variant::Razz => won(low::razz(a).0, low::razz(b).0),
                Variant::HiLo8 => {
                    let high = won(rank7::high(a).0, rank7::high(b).0);
                    let value = |hand| low::eight(hand).map_or(0, |low| low.0);
                    let low = if value(a).max(value(b)) == 0 { high } else { won(value(a), value(b)) };
                    (high + low) / 2.0
                }
            };
            for &own in &hands[..200] {
                let exact = hands.iter().map(|&other| share(own, other)).sum::<f64>() / 2000.0;
                let by_value = f64::from(against.value(scale.standing(scale.values(own)))) / 65536.0;
                let by_cell = f64::from(against.wins[scale.cell(own)]) / 8192.0;
                assert!((by_value - exact).abs() < 0.012, "{variant:?} {own:?}: {by_value} {exact}");
                assert!((by_cell - exact).abs() < 0.05, "{variant:?} {own:?}: {by_cell} {exact}");
            }
        }
    }
}
