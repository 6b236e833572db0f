//! The hands of down cards two players may hold, and sums over those of the opponent with shared cards removed exactly.
//!
//! A sum over the hands that share no card with a given one is the sum over all, less those that share a card, more
//! those that share two, less those that share three: with a running sum for every set of cards that a hand may contain,
//! a hand costs two, four or eight additions, and a vector O(n). Doing this level by level of strength, from the weakest
//! up, gives the sums over weaker hands and so the shares of the pot.
//!
//! `N` vectors are summed at once, a hand's numbers of all lying side by side: finding the running sums costs more than
//! adding.

use super::super::showdown::Strength;
use arrayvec::ArrayVec;
use num_traits::Float;
use smallvec::{SmallVec, smallvec};
use std::array::from_fn;
use std::ops::AddAssign;

/// The most down cards.
pub(super) const MAX_DOWN: usize = 3;

/// All hands on a street: which of the cards that nobody shows are held. Cards are numbered by their place among those,
/// and hands in the order of their first cards, then of their second, and so on.
#[derive(Clone, Debug)]
pub struct Hands {
    /// How many cards nobody shows.
    left: usize,
    /// How many of the first cards are a set.
    hole: usize,
    cards: Vec<ArrayVec<u8, MAX_DOWN>>,
    /// The hand of every sequence of cards, by [`Hands::code`].
    numbers: Vec<u32>,
    subsets: Subsets,
    /// How many running sums a vector needs.
    sums: usize,
}

/// The running sums of every hand besides the total: one for every set of some of its cards, in the order of the bits
/// that say which. Shape: `[hand][bits - 1]`.
#[derive(Clone, Debug)]
enum Subsets {
    One(Vec<[u16; 1]>),
    Two(Vec<[u16; 3]>),
    Three(Vec<[u16; 7]>),
}

/// Calls a function with the subsets of hands, whatever their number.
macro_rules! with_subsets {
    ($hands:expr, $subsets:ident => $call:expr) => {
        match &$hands.subsets {
            Subsets::One($subsets) => $call,
            Subsets::Two($subsets) => $call,
            Subsets::Three($subsets) => $call,
        }
    };
}

/// Running sums: the total first. Decks of a dozen cards need no allocation.
type Sums<F, const N: usize> = SmallVec<[[F; N]; 96]>;

impl Hands {
    /// How many hands there are of `down` cards out of `left`, the first `hole` being a set.
    pub(super) fn count(left: usize, down: usize, hole: usize) -> u64 {
        let ordered: u64 = (0..down).map(|dealt| left.saturating_sub(dealt) as u64).product();
        ordered / (1..=hole as u64).product::<u64>()
    }

    /// The hands of `down` cards, 1 to 3, out of `left`, the first `hole` being a set.
    pub fn new(left: usize, down: usize, hole: usize) -> Hands {
        let mut hands: Vec<ArrayVec<u8, MAX_DOWN>> = vec![ArrayVec::new()];
        for nth in 0..down {
            let longer = |hand: &ArrayVec<u8, MAX_DOWN>| {
                let fits = |card: &u8| match hand.last() {
                    Some(last) if nth < hole => card > last,
                    _ => !hand.contains(card),
                };
                let with = |card| hand.iter().copied().chain([card]).collect();
                (0..left as u8).filter(fits).map(with).collect::<Vec<_>>()
            };
            hands = hands.iter().flat_map(longer).collect();
        }
        let mut table = Hands {
            left,
            hole,
            numbers: vec![0; left.pow(down as u32)],
            subsets: match down {
                1 => Subsets::One(hands.iter().map(|hand| subsets(hand, left)).collect()),
                2 => Subsets::Two(hands.iter().map(|hand| subsets(hand, left)).collect()),
                _ => Subsets::Three(hands.iter().map(|hand| subsets(hand, left)).collect()),
            },
            sums: 1 + (1..=down).map(|size| choose(left, size)).sum::<usize>(),
            cards: hands,
        };
        for hand in 0..table.cards.len() {
            let code = table.code(&table.cards[hand]);
            table.numbers[code] = hand as u32;
        }
        table
    }

    fn code(&self, cards: &[u8]) -> usize {
        cards.iter().fold(0, |code, &card| code * self.left + usize::from(card))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.cards.len()
    }

    /// The cards of a hand in the order dealt.
    pub(super) fn cards(&self, hand: usize) -> &[u8] {
        &self.cards[hand]
    }

    /// The hand of cards in the order dealt.
    pub(super) fn number(&self, cards: impl IntoIterator<Item = u8>) -> usize {
        let mut cards: ArrayVec<u8, MAX_DOWN> = cards.into_iter().collect();
        let hole = self.hole.min(cards.len());
        cards[..hole].sort_unstable();
        self.numbers[self.code(&cards)] as usize
    }

    /// For every hand the sum of `reach` over those that share no card with it. Shape of both: `[hand][vector]`.
    pub fn compatible<F: Float + AddAssign, const N: usize>(
        &self,
        reach: &[[F; N]],
        compatible: &mut [[F; N]],
    ) {
        with_subsets!(self, subsets => {
            let mut sums: Sums<F, N> = smallvec![[F::zero(); N]; self.sums];
            for (subsets, &reach) in subsets.iter().zip(reach) {
                add(&mut sums, subsets, reach);
            }
            fill(&sums, subsets, compatible);
        });
    }

    /// As [`Hands::compatible`], and the same sum with every hand's reach multiplied by `player`'s share of the pot.
    pub fn contest<F: Float + AddAssign, const N: usize>(
        &self,
        showdown: &Showdown,
        player: usize,
        reach: &[[F; N]],
        compatible: &mut [[F; N]],
        share: &mut [[F; N]],
    ) {
        with_subsets!(self, subsets => {
            let sums = shares(self.sums, subsets, showdown, player, reach, share);
            fill(&sums, subsets, compatible);
        });
    }
}

/// `n` things taken `k` at a time.
fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |ways, i| ways * n.saturating_sub(i) / (i + 1))
}

/// The running sum of every set of some of these cards: the total is number 0, then come single cards, then pairs, then
/// threes.
fn subsets<const K: usize>(hand: &[u8], left: usize) -> [u16; K] {
    from_fn(|subset| {
        let bits = subset + 1;
        let mut chosen: ArrayVec<usize, MAX_DOWN> =
            (0..hand.len()).filter(|i| bits >> i & 1 == 1).map(|i| usize::from(hand[i])).collect();
        chosen.sort_unstable();
        let smaller: usize = (0..chosen.len()).map(|size| choose(left, size)).sum();
        let place: usize = chosen.iter().zip(1..).map(|(&card, nth)| choose(card, nth)).sum();
        // At most 1 + 52 + 1,326 + 22,100.
        (smaller + place) as u16
    })
}

#[inline(always)]
fn add<const K: usize, F: Float + AddAssign, const N: usize>(
    sums: &mut [[F; N]],
    subsets: &[u16; K],
    reach: [F; N],
) {
    plus(&mut sums[0], reach);
    for &subset in subsets {
        plus(&mut sums[usize::from(subset)], reach);
    }
}

#[inline(always)]
fn plus<F: Float + AddAssign, const N: usize>(sum: &mut [F; N], addend: [F; N]) {
    for (sum, addend) in sum.iter_mut().zip(addend) {
        *sum += addend;
    }
}

/// The sum over the hands that share no card with this one.
#[inline(always)]
fn disjoint<const K: usize, F: Float, const N: usize>(sums: &[[F; N]], subsets: &[u16; K]) -> [F; N] {
    let mut sum = sums[0];
    for (i, &subset) in subsets.iter().enumerate() {
        let part = sums[usize::from(subset)];
        let odd = (i + 1).count_ones() % 2 == 1;
        sum = from_fn(|vector| if odd { sum[vector] - part[vector] } else { sum[vector] + part[vector] });
    }
    sum
}

fn fill<const K: usize, F: Float, const N: usize>(
    sums: &[[F; N]],
    subsets: &[[u16; K]],
    compatible: &mut [[F; N]],
) {
    for (compatible, subsets) in compatible.iter_mut().zip(subsets) {
        *compatible = disjoint(sums, subsets);
    }
}

/// The hands of both seats from the weakest to the strongest at a showdown.
///
/// Where a low may win half the pot, three sweeps make the shares. Half of a share is that of the high hand. The other
/// half is that of the high hand again among hands without a low; a low beats those; and lows compare among themselves:
/// the second sweep, then the third on top of its sums.
#[derive(Clone, Debug)]
pub struct Showdown {
    high: Sweep,
    /// Hands without a low by their high hand, then hands with one by their low. `None` if no hand has one.
    split: Option<[Sweep; 2]>,
}

/// Some of the hands of both seats by strength.
#[derive(Clone, Debug)]
struct Sweep {
    /// Shape: `[seat][place]`.
    order: [Vec<u16>; 2],
    /// Where each level of equal strength ends in the order of each seat.
    levels: Vec<[u16; 2]>,
}

impl Showdown {
    /// Sorts the hands of both seats. Shape: `[seat][hand]`.
    pub fn new(strengths: [&[Strength]; 2]) -> Showdown {
        let has_low = |strength: &Strength| strength.low > 0;
        let split = strengths.iter().any(|hands| hands.iter().any(has_low)).then(|| {
            let no_low = |strength: &Strength| (!has_low(strength)).then_some(strength.high);
            let low = |strength: &Strength| has_low(strength).then_some(strength.low);
            [Sweep::new(strengths, no_low), Sweep::new(strengths, low)]
        });
        Showdown { high: Sweep::new(strengths, |strength| Some(strength.high)), split }
    }
}

impl Sweep {
    /// Sorted by counting: values are places among all hands there are, some thousands.
    fn new(strengths: [&[Strength]; 2], value: impl Fn(&Strength) -> Option<u16>) -> Sweep {
        let hands = strengths.map(|hands| {
            let values = hands.iter().map(&value).zip(0u16..);
            values.filter_map(|(value, hand)| Some((value?, hand))).collect::<Vec<(u16, u16)>>()
        });
        let most = hands.iter().flatten().map(|hand| usize::from(hand.0)).max().unwrap_or(0);
        let mut places = hands.each_ref().map(|hands| {
            let mut counts = vec![0u16; most + 1];
            hands.iter().for_each(|hand| counts[usize::from(hand.0)] += 1);
            counts
        });
        let [first, second] = &mut places;
        let (mut levels, mut ends) = (Vec::with_capacity(hands[0].len()), [0, 0]);
        for (first, second) in first.iter_mut().zip(second) {
            if (*first | *second) != 0 {
                let begin = ends;
                ends = [ends[0] + *first, ends[1] + *second];
                [*first, *second] = begin;
                levels.push(ends);
            }
        }
        let mut order = hands.each_ref().map(|hands| vec![0; hands.len()]);
        for ((order, hands), places) in order.iter_mut().zip(&hands).zip(&mut places) {
            for &(value, hand) in hands {
                let place = &mut places[usize::from(value)];
                order[usize::from(*place)] = hand;
                *place += 1;
            }
        }
        Sweep { order, levels }
    }

    /// Calls `f` with every hand of `player` in this sweep and the sum over the weaker hands of the opponent, those
    /// that tie counted half, and everything in `sums` before counted as weaker. All the opponent's hands are in `sums`
    /// afterwards.
    #[inline(always)]
    fn run<const K: usize, F: Float + AddAssign, const N: usize>(
        &self,
        subsets: &[[u16; K]],
        player: usize,
        reach: &[[F; N]],
        sums: &mut [[F; N]],
        mut f: impl FnMut(usize, [F; N]),
    ) {
        let half = F::from(0.5).expect("a float holds a half");
        let (own, other) = (&self.order[player], &self.order[1 - player]);
        let mut begin = [0, 0];
        for &level in &self.levels {
            let end = level.map(usize::from);
            let tied = &other[begin[1 - player]..end[1 - player]];
            for &hand in tied {
                add(sums, &subsets[usize::from(hand)], reach[usize::from(hand)].map(|reach| half * reach));
            }
            for &hand in &own[begin[player]..end[player]] {
                f(usize::from(hand), disjoint(sums, &subsets[usize::from(hand)]));
            }
            for &hand in tied {
                add(sums, &subsets[usize::from(hand)], reach[usize::from(hand)].map(|reach| half * reach));
            }
            begin = end;
        }
    }
}

/// Writes the shares; returns the sums over all hands of the opponent.
fn shares<const K: usize, F: Float + AddAssign, const N: usize>(
    sums: usize,
    subsets: &[[u16; K]],
    showdown: &Showdown,
    player: usize,
    reach: &[[F; N]],
    share: &mut [[F; N]],
) -> Sums<F, N> {
    let mut running: Sums<F, N> = smallvec![[F::zero(); N]; sums];
    showdown.high.run(subsets, player, reach, &mut running, |hand, sum| share[hand] = sum);
    if let Some(split) = &showdown.split {
        let half = F::from(0.5).expect("a float holds a half");
        running.fill([F::zero(); N]);
        for sweep in split {
            sweep.run(subsets, player, reach, &mut running, |hand, sum| {
                share[hand] = from_fn(|vector| half * (share[hand][vector] + sum[vector]))
            });
        }
    }
    running
}
