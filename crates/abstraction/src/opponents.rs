//! The opponent's possible final hands in clusters by strength, and what an own strength is worth against each.

use crate::against::{Against, EDGE_BITS};
use crate::scale::{Counts, LOW_BINS, MAX_CELLS, Scale, Standing};

/// The most clusters of opponents. Tables have room for as many, so that loops over them have a fixed length.
pub(crate) const MOST_CLUSTERS: usize = 8;

/// One number for each cluster; 0 for those there are not.
pub(crate) type ByCluster<T> = [T; MOST_CLUSTERS];

/// What each own strength is worth against each cluster of the opponent's hands.
///
/// The opponent's final hands, ordered by the main order (in hi/lo: the high one), are cut into clusters of exactly
/// equal weight. A bin that a cut goes through is shared out, whatever the low halves of its hands. Against each
/// cluster, HS is what [`Against`] makes of it.
pub(crate) struct Opponents {
    /// HS of each cell. Shape: \[cluster\]\[cell\].
    wins: Vec<[i16; MAX_CELLS]>,
    /// The same. Shape: \[cell\]\[cluster\].
    wins_by_cell: Vec<ByCluster<i16>>,
    /// As in [`Against`]. Shape of each: \[edge\]\[cluster\].
    main: Vec<ByCluster<u32>>,
    no_low: Vec<ByCluster<u32>>,
    low: Vec<ByCluster<u32>>,
}

/// Sets `part` to those of the opponent's hands, each counted `count` times, that are in cluster `index` of `count`:
/// `total` in all.
fn cut(scale: &Scale, opponent: &Counts, total: u32, index: usize, count: usize, part: &mut Counts) {
    let (from, to) = (index as u64 * u64::from(total), (index as u64 + 1) * u64::from(total));
    let (cells, low_bins) = (scale.cells(), scale.low_bins());
    let mut below = 0;
    for (row, part) in opponent[..cells].chunks_exact(low_bins).zip(part.chunks_exact_mut(low_bins)) {
        let bin: u64 = row.iter().map(|&n| u64::from(n)).sum();
        let (start, end) = (below, below + bin * count as u64);
        below = end;
        let share = to.min(end).saturating_sub(from.max(start));
        if share == 0 {
            part.fill(0);
            continue;
        }
        // Cumulated before it is rounded, so that the parts of a bin add up to its share.
        let (mut sum, mut given) = (0, 0);
        for (part, &n) in part.iter_mut().zip(row) {
            sum += u64::from(n);
            let upto = share * sum / bin;
            *part = (upto - given) as u32;
            given = upto;
        }
    }
}

fn column(rows: &mut [ByCluster<u32>], column: usize, edges: &[u32]) {
    for (row, &edge) in rows.iter_mut().zip(edges) {
        row[column] = edge;
    }
}

/// The place between two edges of each cluster. Units: 2^-16.
#[inline(always)]
fn between(edges: &[ByCluster<u32>], bin: usize, within: u32) -> ByCluster<u32> {
    let (from, to) = (&edges[bin], &edges[bin + 1]);
    std::array::from_fn(|i| (from[i] + ((to[i] - from[i]) >> 8) * within) >> (EDGE_BITS - 16))
}

impl Opponents {
    pub(crate) fn new() -> Opponents {
        Opponents {
            wins: Vec::new(),
            wins_by_cell: Vec::new(),
            main: Vec::new(),
            no_low: Vec::new(),
            low: Vec::new(),
        }
    }

    /// Divides the opponent's counts, `total` in all, into `count` clusters.
    pub(crate) fn divide(&mut self, scale: &Scale, opponent: &Counts, total: u32, count: usize) {
        self.wins.resize(MOST_CLUSTERS, [0; MAX_CELLS]);
        self.wins_by_cell.resize(MAX_CELLS, [0; MOST_CLUSTERS]);
        self.main.resize(scale.main_bins + 1, [0; MOST_CLUSTERS]);
        if scale.low_bins() > 1 {
            self.no_low.resize(scale.main_bins + 1, [0; MOST_CLUSTERS]);
            self.low.resize(LOW_BINS + 1, [0; MOST_CLUSTERS]);
        }
        let mut part = [0; MAX_CELLS];
        let mut against = Against::new();
        for index in 0..count {
            cut(scale, opponent, total, index, count, &mut part);
            against.read(scale, &part, total);
            self.wins[index] = *against.wins();
            for (row, &win) in self.wins_by_cell[..scale.cells()].iter_mut().zip(against.wins()) {
                row[index] = win;
            }
            let (main, no_low, low) = against.edges();
            column(&mut self.main, index, main);
            column(&mut self.no_low, index, no_low);
            column(&mut self.low, index, low);
        }
    }

    /// HS of each cell against each cluster. Units: 2^-[`crate::against::ONE_BITS`]. Shape: \[cluster\]\[cell\].
    #[inline(always)]
    pub(crate) fn wins(&self) -> &[[i16; MAX_CELLS]] {
        &self.wins
    }

    /// HS of a cell against each cluster. Units: 2^-[`crate::against::ONE_BITS`].
    #[inline(always)]
    pub(crate) fn wins_of_cell(&self, cell: usize) -> &ByCluster<i16> {
        &self.wins_by_cell[cell]
    }

    /// HS of a hand that stands there against each cluster. Units: 2^-16.
    #[inline]
    pub(crate) fn values(&self, standing: Standing) -> ByCluster<u32> {
        let high = between(&self.main, standing.main_bin, standing.main_within);
        if self.low.is_empty() {
            return high;
        }
        let other = match standing.low_bin {
            0 => between(&self.no_low, standing.main_bin, standing.main_within),
            bin => between(&self.low, bin, standing.low_within),
        };
        std::array::from_fn(|i| (high[i] + other[i]) / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::tests::scale;
    use doorcard_cards::rank7::{self, HandKey};
    use doorcard_cards::{CardSet, Deck, low};
    use doorcard_games::stud::Variant;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    const VARIANTS: [Variant; 3] = [Variant::High, Variant::HiLo8, Variant::Razz];

    fn hands(seed: u64) -> Vec<HandKey> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut deck = Deck::new();
        (0..2400).map(|_| HandKey::from(CardSet::from(deck.deal(7, &mut rng)))).collect()
    }

    fn counts(scale: &Scale, hands: &[HandKey]) -> Counts {
        let mut counts = [0; MAX_CELLS];
        hands.iter().for_each(|&hand| counts[scale.cell(hand)] += 1);
        counts
    }

    #[test]
    fn clusters_are_equally_heavy_and_make_up_the_whole() {
        for variant in VARIANTS {
            let scale = scale(variant);
            let opponent = counts(scale, &hands(1));
            for count in [2, 3, 8] {
                let mut whole = [0; MAX_CELLS];
                let mut last = 0;
                for index in 0..count {
                    let mut part = [0; MAX_CELLS];
                    cut(scale, &opponent, 2400, index, count, &mut part);
                    assert_eq!(part.iter().sum::<u32>(), 2400);
                    let bins = part.chunks(scale.low_bins());
                    let bins: Vec<usize> = bins
                        .enumerate()
                        .filter(|(_, row)| row.iter().any(|&n| n > 0))
                        .map(|(bin, _)| bin)
                        .collect();
                    assert!(bins[0] >= last);
                    last = bins[bins.len() - 1];
                    whole.iter_mut().zip(part).for_each(|(sum, n)| *sum += n);
                }
                for (cell, (&sum, &n)) in whole.iter().zip(&opponent).enumerate() {
                    let expected = n * count as u32;
                    // With one order exactly; in hi/lo a bin that is cut is rounded.
                    let slack = if scale.low_bins() == 1 { 0 } else { count as u32 };
                    assert!(sum.abs_diff(expected) <= slack, "{variant:?} {cell}: {sum} {expected}");
                }
            }
        }
    }

    /// The mean over clusters is HS, and HS against one is near the share won of showdowns with its hands.
    #[test]
    fn shares_are_near_those_of_showdowns_with_a_cluster() {
        let won = |a: u16, b: u16| if a == b { 0.5 } else { f64::from(a > b) };
        for variant in VARIANTS {
            let scale = scale(variant);
            let mut others = hands(2);
            let mut against = Against::new();
            let opponent = counts(scale, &others);
            against.read(scale, &opponent, 2400);
            against.divide(scale, &opponent, 2400, 8);
            let high = |hand: HandKey| {
                if variant == Variant::Razz { low::razz(hand).0 } else { rank7::high(hand).0 }
            };
            let share = |a: HandKey, b: HandKey| {
                let high = won(high(a), high(b));
                let value = |hand| low::eight(hand).map_or(0, |low| low.0);
                match variant {
                    Variant::High | Variant::Razz => high,
                    Variant::HiLo8 if value(a).max(value(b)) == 0 => high,
                    Variant::HiLo8 => (high + won(value(a), value(b))) / 2.0,
                }
            };
            others.sort_by_key(|&hand| high(hand));
            for own in hands(3).into_iter().take(100) {
                let standing = scale.standing(scale.values(own));
                let values = against.opponents().values(standing);
                let mean = values.iter().sum::<u32>() / 8;
                assert!(mean.abs_diff(against.value(standing)) < 300, "{variant:?} {values:?}");
                let by_cell = against.opponents().wins_of_cell(scale.cell(own));
                let mean = by_cell.iter().map(|&win| i32::from(win)).sum::<i32>() / 8;
                assert!(mean.abs_diff(against.wins()[scale.cell(own)].into()) < 4, "{variant:?} {by_cell:?}");
                for ((cluster, others), &win) in others.chunks(300).enumerate().zip(by_cell) {
                    let exact = others.iter().map(|&other| share(own, other)).sum::<f64>() / 300.0;
                    let value = f64::from(values[cluster]) / 65536.0;
                    assert!((value - exact).abs() < 0.1, "{variant:?} {own:?} {cluster}: {value} {exact}");
                    assert!(
                        (f64::from(win) / 8192.0 - exact).abs() < 0.3,
                        "{variant:?} {own:?} {cluster}: {win} {exact}"
                    );
                    assert_eq!(win, against.opponents().wins()[cluster][scale.cell(own)]);
                }
            }
        }
    }
}
