//! Arithmetic on groups of buckets, and the loops that training spends its time in.
//!
//! A vector over the buckets of a block is a slice of [`Lane`]s. Each lane is added up on its own and sums over lanes
//! are made in one fixed order, so that results are the same bytes whatever vector instructions the machine has:
//! `multiversion` compiles these functions for AVX2 besides the baseline and chooses as the program runs.

use doorcard_efg::{LANES, RoundEnd, RoundStep, RoundTree};
use multiversion::multiversion;
use std::array::from_fn;

/// Numbers of adjacent buckets.
pub(crate) type Lane = [f32; LANES];

/// Nothing in every bucket.
pub(crate) const ZERO: Lane = [0.0; LANES];

#[inline(always)]
fn multiply(a: Lane, b: Lane) -> Lane {
    from_fn(|i| a[i] * b[i])
}

#[inline(always)]
fn add(a: Lane, b: Lane) -> Lane {
    from_fn(|i| a[i] + b[i])
}

/// `out += factor * x`
#[inline(always)]
fn add_scaled(out: &mut [Lane], factor: f32, x: &[Lane]) {
    for (out, x) in out.iter_mut().zip(x) {
        *out = from_fn(|i| out[i] + factor * x[i]);
    }
}

/// The sum over lanes, by halves.
#[inline(always)]
fn total(x: Lane) -> f32 {
    let x: [f32; 4] = from_fn(|i| x[i] + x[i + 4]);
    (x[0] + x[2]) + (x[1] + x[3])
}

/// Regret matching of `actions` actions for all buckets of a block. Shape of both: `[action][group]`.
#[inline(always)]
fn matching(regrets: &[Lane], actions: usize, strategy: &mut [Lane]) {
    let groups = regrets.len() / actions;
    let uniform = 1.0 / actions as f32;
    for group in 0..groups {
        let mut sum = ZERO;
        for action in 0..actions {
            let positive: Lane = from_fn(|i| regrets[action * groups + group][i].max(0.0));
            strategy[action * groups + group] = positive;
            sum = add(sum, positive);
        }
        for action in 0..actions {
            let strategy = &mut strategy[action * groups + group];
            *strategy = from_fn(|i| if sum[i] > 0.0 { strategy[i] / sum[i] } else { uniform });
        }
    }
}

/// [`matching`] on its own.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn match_regrets(regrets: &[Lane], actions: usize, strategy: &mut [Lane]) {
    matching(regrets, actions, strategy);
}

/// Instantaneous regrets from the values of a node's actions: `values` become regrets, and `value` the node's value.
/// Shape: `[action][group]`, `[group]`.
#[inline(always)]
fn regrets_of(strategy: &[Lane], actions: usize, values: &mut [Lane], value: &mut [Lane]) {
    let groups = value.len();
    for group in 0..groups {
        let mut mean = ZERO;
        for action in 0..actions {
            let at = action * groups + group;
            mean = add(mean, multiply(strategy[at], values[at]));
        }
        for action in 0..actions {
            let values = &mut values[action * groups + group];
            *values = from_fn(|i| values[i] - mean[i]);
        }
        value[group] = mean;
    }
}

/// [`regrets_of`] on its own.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn take_regrets(strategy: &[Lane], actions: usize, values: &mut [Lane], value: &mut [Lane]) {
    regrets_of(strategy, actions, values, value);
}

/// The reach of every child of an own node: `children = reach * strategy`. Shape: `[action][group]`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn spread(reach: &[Lane], strategy: &[Lane], children: &mut [Lane]) {
    for (children, strategy) in children.chunks_exact_mut(reach.len()).zip(strategy.chunks_exact(reach.len()))
    {
        for ((child, &reach), &strategy) in children.iter_mut().zip(reach).zip(strategy) {
            *child = multiply(reach, strategy);
        }
    }
}

/// The last round of betting, against some single hands of the opponent.
///
/// Against hand `j` the value of a hand of bucket `b` is `compatible * A[j][b] + share * B[j][b]`: only these
/// coefficients depend on the betting. They are sums over the ends of the round of the player's own reach, the
/// opponent's and what is won, so that no vector over hands is ever touched.
pub(super) struct LastRound<'a> {
    pub(super) tree: &'a RoundTree,
    /// The position of the player whose regrets are taken.
    pub(super) own: usize,
    /// What each has put in before. Units: chips.
    pub(super) paid: f32,
    /// Lanes of a vector over buckets.
    pub(super) groups: usize,
    /// How many hands of the opponent.
    pub(super) hands: usize,
}

/// What [`solve_last`] is given and leaves behind.
#[derive(Default)]
pub(super) struct LastWork {
    /// Which nodes any of the opponent's hands reaches. Shape: `[node]`.
    pub(super) live: Vec<bool>,
    /// The opponent's reach. Shape: `[node][hand]`.
    pub(super) weight: Vec<f32>,
    /// The opponent's strategy. Shape: `[slot][hand]`.
    pub(super) opponent: Vec<f32>,
    /// Compatible hands of each bucket. Shape: `[hand][group]`.
    pub(super) count: Vec<Lane>,
    /// The sum of their shares of the pot. Shape: `[hand][group]`.
    pub(super) share: Vec<Lane>,
    /// Instantaneous regrets of the live own nodes. Shape: `[slot][group]`.
    pub(super) deltas: Vec<Lane>,
    /// Coefficients of compatibility. Shape: `[hand][group]`.
    pub(super) a: Vec<Lane>,
    /// Coefficients of the share. Shape: `[hand][group]`.
    pub(super) b: Vec<Lane>,
    strategy: Vec<Lane>,
    reach: Vec<Lane>,
    value: Vec<Lane>,
    end: Vec<Lane>,
}

impl LastWork {
    /// Makes room; the root is live, and every hand comes there.
    pub(super) fn fit(&mut self, tree: &RoundTree, groups: usize, hands: usize) {
        let nodes = tree.nodes.len();
        self.live.clear();
        self.live.resize(nodes, false);
        self.live[0] = true;
        self.weight.resize(nodes * hands, 0.0);
        self.weight[..hands].fill(1.0);
        self.opponent.resize(tree.slots * hands, 0.0);
        self.count.clear();
        self.share.clear();
        self.deltas.resize(tree.slots * groups, ZERO);
        self.strategy.resize(tree.slots * groups, ZERO);
        self.reach.resize(nodes * groups, ZERO);
        self.value.resize(nodes * groups, ZERO);
        self.end.resize(groups, ZERO);
        self.a.clear();
        self.a.resize(hands * groups, ZERO);
        self.b.clear();
        self.b.resize(hands * groups, ZERO);
    }
}

/// Solves a last round. `regrets`: before it, of all nodes; those of live own nodes are read. Shape: `[slot][group]`.
/// `coefficients`: whether `a` and `b` are wanted.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn solve_last<'a>(
    round: &LastRound<'a>,
    regrets: &[Lane],
    coefficients: bool,
    work: &mut LastWork,
) {
    let LastWork { live, weight, opponent, count, share, deltas, a, b, strategy, reach, value, end } = work;
    let LastRound { tree, own, groups, hands, .. } = *round;
    // Own reach, from the root down.
    reach[..groups].fill([1.0; LANES]);
    for (number, node) in tree.nodes.iter().enumerate() {
        if !live[number] {
            continue;
        }
        let actions = node.next.len();
        let row = node.slot * groups..(node.slot + actions) * groups;
        if node.position == own {
            matching(&regrets[row.clone()], actions, &mut strategy[row.clone()]);
        }
        for (action, &step) in node.next.iter().enumerate() {
            let RoundStep::Node(child) = step else { continue };
            for group in 0..groups {
                let before = reach[number * groups + group];
                reach[child * groups + group] = if node.position == own {
                    multiply(before, strategy[(node.slot + action) * groups + group])
                } else {
                    before
                };
            }
        }
    }
    // Values, from the ends up; coefficients as each end is met.
    for (number, node) in tree.nodes.iter().enumerate().rev() {
        if !live[number] {
            continue;
        }
        let actions = node.next.len();
        let mine = node.position == own;
        let mut sum = [ZERO; MAX_GROUPS];
        for (action, &step) in node.next.iter().enumerate() {
            let slot = node.slot + action;
            match step {
                RoundStep::Node(child) => {
                    if !live[child] {
                        continue;
                    }
                    let child = &value[child * groups..][..groups];
                    if mine {
                        deltas[slot * groups..][..groups].copy_from_slice(child);
                    } else {
                        for (sum, &child) in sum.iter_mut().zip(child) {
                            *sum = add(*sum, child);
                        }
                    }
                }
                RoundStep::End(number_of_end) => {
                    let (compatible, won) = match tree.ends[number_of_end] {
                        RoundEnd::Fold { position, wager } => {
                            let paid = round.paid + wager as f32;
                            (if position == own { -paid } else { paid }, 0.0)
                        }
                        RoundEnd::Matched { wager } => {
                            let paid = round.paid + wager as f32;
                            (-paid, 2.0 * paid)
                        }
                    };
                    end[..groups].fill(ZERO);
                    for hand in 0..hands {
                        let mut weight = weight[number * hands + hand];
                        if !mine {
                            weight *= opponent[slot * hands + hand];
                        }
                        if weight == 0.0 {
                            continue;
                        }
                        let row = hand * groups..(hand + 1) * groups;
                        add_scaled(&mut end[..groups], weight * compatible, &count[row.clone()]);
                        if won != 0.0 {
                            add_scaled(&mut end[..groups], weight * won, &share[row]);
                        }
                        if !coefficients {
                            continue;
                        }
                        for group in 0..groups {
                            let mut reach = reach[number * groups + group];
                            if mine {
                                reach = multiply(reach, strategy[slot * groups + group]);
                            }
                            let (a, b) = (&mut a[hand * groups + group], &mut b[hand * groups + group]);
                            *a = from_fn(|i| a[i] + weight * compatible * reach[i]);
                            if won != 0.0 {
                                *b = from_fn(|i| b[i] + weight * won * reach[i]);
                            }
                        }
                    }
                    if mine {
                        deltas[slot * groups..][..groups].copy_from_slice(&end[..groups]);
                    } else {
                        for (sum, &end) in sum.iter_mut().zip(&end[..groups]) {
                            *sum = add(*sum, end);
                        }
                    }
                }
            }
        }
        let value = &mut value[number * groups..][..groups];
        if mine {
            let row = node.slot * groups..(node.slot + actions) * groups;
            regrets_of(&strategy[row.clone()], actions, &mut deltas[row], value);
        } else {
            value.copy_from_slice(&sum[..groups]);
        }
    }
}

/// The most groups of lanes a block may have.
pub(super) const MAX_GROUPS: usize = 16;

/// What the coefficients of one hand of the opponent after a round before the last mean for the buckets of that
/// round: adds the values to `value`, and the coefficients times the own `reach` to those of pairs of buckets.
///
/// Shapes: `a`, `b`: `[last bucket]`; `count`, `share`, `u`, `w`: `[last bucket][group]`; `value`, `reach`: `[group]`.
#[allow(clippy::too_many_arguments)]
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn carry_back(
    a: &[f32],
    b: &[f32],
    count: &[Lane],
    share: &[Lane],
    reach: &[Lane],
    value: &mut [Lane],
    u: &mut [Lane],
    w: &mut [Lane],
) {
    let groups = value.len();
    for (last, (&a, &b)) in a.iter().zip(b).enumerate() {
        let row = last * groups..(last + 1) * groups;
        let (count, share) = (&count[row.clone()], &share[row.clone()]);
        let (u, w) = (&mut u[row.clone()], &mut w[row]);
        for group in 0..groups {
            let (count, share, reach) = (count[group], share[group], reach[group]);
            let (value, u, w) = (&mut value[group], &mut u[group], &mut w[group]);
            *value = from_fn(|i| value[i] + (a * count[i] + b * share[i]));
            *u = from_fn(|i| u[i] + a * reach[i]);
            *w = from_fn(|i| w[i] + b * reach[i]);
        }
    }
}

/// `out += factor * x`, groups of lanes.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn accumulate(out: &mut [Lane], factor: f32, x: &[Lane]) {
    add_scaled(out, factor, x);
}

/// Sums over the segments of a vector over hands: `out[bucket]` is the sum of `x[bounds[bucket]..bounds[bucket + 1]]`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn segment_sums(x: &[f32], bounds: &[u32], out: &mut [f32]) {
    for (out, bounds) in out.iter_mut().zip(bounds.windows(2)) {
        let (groups, rest) = x[bounds[0] as usize..bounds[1] as usize].as_chunks::<LANES>();
        let mut sum = ZERO;
        for &group in groups {
            sum = add(sum, group);
        }
        *out = rest.iter().fold(total(sum), |sum, &x| sum + x);
    }
}

/// Multiplies every segment of `x` by the factor of its bucket and writes it to `out`, or adds it there.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn scale_segments(x: &[f32], bounds: &[u32], factors: &[f32], first: bool, out: &mut [f32]) {
    for (&factor, bounds) in factors.iter().zip(bounds.windows(2)) {
        let range = bounds[0] as usize..bounds[1] as usize;
        let (x, out) = (&x[range.clone()], &mut out[range]);
        if first {
            for (out, &x) in out.iter_mut().zip(x) {
                *out = factor * x;
            }
        } else {
            for (out, &x) in out.iter_mut().zip(x) {
                *out += factor * x;
            }
        }
    }
}

/// `out += x`
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn add_to(out: &mut [f32], x: &[f32]) {
    for (out, &x) in out.iter_mut().zip(x) {
        *out += x;
    }
}

/// `out[i] += share[i] * table[pairs[i]]`
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn add_shares(out: &mut [f32], share: &[f32], pairs: &[u16], table: &[f32]) {
    for ((out, &share), &pair) in out.iter_mut().zip(share).zip(pairs) {
        *out += share * table[usize::from(pair)];
    }
}

/// For every last bucket the sum over the buckets of the round before of `matrix * reach`. Shape of `matrix`:
/// `[last bucket][group]`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn column_sums(matrix: &[Lane], reach: &[Lane], out: &mut [f32]) {
    for (out, row) in out.iter_mut().zip(matrix.chunks_exact(reach.len())) {
        let mut sum = ZERO;
        for (&x, &reach) in row.iter().zip(reach) {
            sum = add(sum, multiply(x, reach));
        }
        *out = total(sum);
    }
}

/// `out += factor * x` in a table.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn add_block(out: &mut [f32], factor: f32, x: &[Lane]) {
    for (out, x) in out.as_chunks_mut::<LANES>().0.iter_mut().zip(x) {
        *out = from_fn(|i| out[i] + factor * x[i]);
    }
}

/// As [`add_block`], and nothing stays below zero.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn add_block_floored(out: &mut [f32], factor: f32, x: &[Lane]) {
    for (out, x) in out.as_chunks_mut::<LANES>().0.iter_mut().zip(x) {
        *out = from_fn(|i| (out[i] + factor * x[i]).max(0.0));
    }
}
