//! Dense numbers for sets of ranks and for the rank multisets of up to five cards.
//!
//! Two orders come up again and again. Sets of equally many ranks are ordered by their highest difference, which is
//! the numeric order of their masks (colexicographic order). Hands whose suits and straights do not matter (low
//! hands, hands showing) are ordered by how often ranks repeat, then by the ranks that occur most often, downwards:
//! quads, full house, trips, two pair, pair, high cards. [`Repeats`] numbers both ways.

/// Binomial coefficients of 0 to 13.
const CHOOSE: [[u16; 14]; 14] = {
    let mut table = [[0; 14]; 14];
    let mut n = 0;
    while n < 14 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 14 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// How many sets of `k` there are among `n`, both at most 13.
pub(crate) const fn choose(n: usize, k: usize) -> usize {
    CHOOSE[n][k] as usize
}

/// The number of each rank mask among the masks with as many bits, in ascending order from 0.
pub(crate) static SET_ORDER: [u16; 1 << 13] = {
    let mut order = [0; 1 << 13];
    let mut met = [0; 14];
    let mut mask = 0usize;
    while mask < order.len() {
        let size = mask.count_ones() as usize;
        order[mask] = met[size];
        met[size] += 1;
        mask += 1;
    }
    order
};

/// The mask of `size` bits with this number in [`SET_ORDER`].
pub(crate) fn set_with_order(mut order: usize, size: usize) -> u16 {
    let mut mask = 0;
    for left in (1..=size).rev() {
        let top = (left - 1..13).rev().find(|&bit| choose(bit, left) <= order).expect("an order in range");
        order -= choose(top, left);
        mask |= 1 << top;
    }
    mask
}

/// `mask` without the positions that are set in `removed`, the others moved together.
const fn squeeze(mut mask: u16, mut removed: u16) -> u16 {
    while removed != 0 {
        let top = 1 << removed.ilog2();
        mask = mask & (top - 1) | mask >> 1 & !(top - 1);
        removed ^= top;
    }
    mask
}

/// Undoes [`squeeze`].
fn spread(mask: u16, removed: u16) -> u16 {
    let mut result = 0;
    let mut position = 0;
    for bit in 0..13 {
        if removed >> bit & 1 == 0 {
            result |= (mask >> position & 1) << bit;
            position += 1;
        }
    }
    result
}

/// A rank multiset: `groups[m - 1]` is the mask of the ranks that occur exactly `m` times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repeats {
    pub(crate) groups: [u16; 4],
}

/// The possible sizes of the groups of one to five cards, in ascending order of strength as a high hand.
const SHAPES: [&[[u8; 4]]; 5] = [
    &[[1, 0, 0, 0]],
    &[[2, 0, 0, 0], [0, 1, 0, 0]],
    &[[3, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0]],
    &[[4, 0, 0, 0], [2, 1, 0, 0], [0, 2, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]],
    &[[5, 0, 0, 0], [3, 1, 0, 0], [1, 2, 0, 0], [2, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]],
];

/// How many multisets have groups of these sizes.
const fn shape_count(shape: &[u8; 4]) -> usize {
    let mut free = 13;
    let mut count = 1;
    let mut m = 4;
    while m > 0 {
        m -= 1;
        count *= choose(free, shape[m] as usize);
        free -= shape[m] as usize;
    }
    count
}

impl Repeats {
    /// How many multisets of `cards` cards there are.
    pub(crate) const fn count(cards: usize) -> usize {
        let mut sum = 0;
        let mut i = 0;
        while i < SHAPES[cards - 1].len() {
            sum += shape_count(&SHAPES[cards - 1][i]);
            i += 1;
        }
        sum
    }

    /// From the masks of the ranks that occur at least once, twice, three and four times.
    pub(crate) const fn from_at_least(masks: [u16; 4]) -> Repeats {
        let [one, two, three, four] = masks;
        Repeats { groups: [one & !two, two & !three, three & !four, four] }
    }

    /// From ranks given one by one, at most four alike.
    pub(crate) fn from_ranks(ranks: impl IntoIterator<Item = usize>) -> Repeats {
        let mut masks = [0u16; 4];
        for rank in ranks {
            let level = masks.iter().position(|mask| mask >> rank & 1 == 0);
            masks[level.expect("at most four cards of a rank")] |= 1 << rank;
        }
        Repeats::from_at_least(masks)
    }

    fn shape(self) -> [u8; 4] {
        self.groups.map(|group| group.count_ones() as u8)
    }

    /// How many cards.
    fn cards(self) -> usize {
        (1..).zip(self.shape()).map(|(m, size)| m * usize::from(size)).sum()
    }

    /// The number of the multiset among those of as many cards, 0 for the worst high hand.
    ///
    /// # Panics
    /// Unless there are one to five cards.
    pub(crate) fn order(self) -> usize {
        let shape = self.shape();
        let mut order = 0;
        for other in SHAPES[self.cards() - 1] {
            if *other == shape {
                break;
            }
            order += shape_count(other);
        }
        let (mut within, mut used) = (0, 0);
        for (group, size) in self.groups.into_iter().zip(shape).rev() {
            let free = 13 - u16::count_ones(used) as usize;
            within = within * choose(free, size.into())
                + usize::from(SET_ORDER[usize::from(squeeze(group, used))]);
            used |= group;
        }
        order + within
    }

    /// The multiset of `cards` cards with this number.
    pub(crate) fn with_order(mut order: usize, cards: usize) -> Repeats {
        let mut shapes = SHAPES[cards - 1].iter();
        let shape = loop {
            let shape = shapes.next().expect("an order in range");
            let count = shape_count(shape);
            if order < count {
                break shape;
            }
            order -= count;
        };
        let mut radix = shape_count(shape);
        let (mut free, mut used) = (13, 0);
        let mut groups = [0; 4];
        for (group, &size) in groups.iter_mut().zip(shape).rev() {
            let size = usize::from(size);
            radix /= choose(free, size);
            *group = spread(set_with_order(order / radix, size), used);
            order %= radix;
            used |= *group;
            free -= size;
        }
        Repeats { groups }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_order_is_inverted() {
        for mask in 0..1u16 << 13 {
            let order = SET_ORDER[usize::from(mask)];
            assert_eq!(set_with_order(order.into(), mask.count_ones() as usize), mask);
        }
    }

    #[test]
    fn multisets_are_numbered_without_gaps() {
        let counts = [1, 2, 3, 4, 5].map(Repeats::count);
        assert_eq!(counts, [13, 91, 455, 1820, 6175]);
        for cards in 1..=5 {
            for order in 0..Repeats::count(cards) {
                let repeats = Repeats::with_order(order, cards);
                assert_eq!(repeats.cards(), cards);
                assert_eq!(repeats.order(), order);
            }
        }
    }

    #[test]
    fn order_compares_repeats_then_ranks() {
        let ascending: [&[usize]; 9] = [
            &[0, 1, 2, 3, 4],
            &[8, 9, 10, 11, 12],
            &[0, 0, 1, 2, 3],
            &[0, 0, 1, 2, 4],
            &[1, 1, 0, 2, 3],
            &[12, 12, 0, 0, 1],
            &[1, 1, 1, 0, 2],
            &[0, 0, 0, 1, 1],
            &[0, 0, 0, 0, 1],
        ];
        let orders = ascending.map(|ranks| Repeats::from_ranks(ranks.iter().copied()).order());
        assert!(orders.is_sorted_by(|a, b| a < b), "{orders:?}");
    }
}
