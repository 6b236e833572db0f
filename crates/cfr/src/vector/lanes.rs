//! Arithmetic on groups of buckets, and the loops that training spends its time in.
//!
//! A vector over the buckets of a block is a slice of [`Lane`]s. Each lane is added up on its own and sums over lanes
//! are made in one fixed order, so that results are the same bytes whatever vector instructions the machine has:
//! `multiversion` compiles these functions for AVX2 besides the baseline and chooses as the program runs.

use crate::MAX_ACTIONS;
use doorcard_efg::{LANES, MOST_LANES, RoundEnd, RoundStep, RoundTree};
use multiversion::multiversion;
use std::array::from_fn;

/// Numbers of adjacent buckets.
pub(crate) type Lane = [f32; LANES];

/// Nothing in every bucket.
pub(crate) const ZERO: Lane = [0.0; LANES];

/// Numbers of all buckets of a block, for a number of groups known to the compiler.
type Groups<const G: usize> = [Lane; G];

/// Calls a function for the number of groups.
macro_rules! with_groups {
    ($groups:expr, $f:ident($($argument:expr),*)) => {
        match $groups {
            1 => $f::<1>($($argument),*),
            2 => $f::<2>($($argument),*),
            3 => $f::<3>($($argument),*),
            4 => $f::<4>($($argument),*),
            5 => $f::<5>($($argument),*),
            6 => $f::<6>($($argument),*),
            7 => $f::<7>($($argument),*),
            8 => $f::<8>($($argument),*),
            9 => $f::<9>($($argument),*),
            10 => $f::<10>($($argument),*),
            11 => $f::<11>($($argument),*),
            12 => $f::<12>($($argument),*),
            13 => $f::<13>($($argument),*),
            14 => $f::<14>($($argument),*),
            15 => $f::<15>($($argument),*),
            16 => $f::<16>($($argument),*),
            groups => unreachable!("{groups} groups: at most {MAX_GROUPS}"),
        }
    };
}

#[inline(always)]
fn add(a: Lane, b: Lane) -> Lane {
    from_fn(|i| a[i] + b[i])
}

#[inline(always)]
fn multiply(a: Lane, b: Lane) -> Lane {
    from_fn(|i| a[i] * b[i])
}

/// `a + factor * b`
#[inline(always)]
fn add_times(a: Lane, factor: f32, b: Lane) -> Lane {
    from_fn(|i| a[i] + factor * b[i])
}

/// `a + b * c`
#[inline(always)]
fn add_product(a: Lane, b: Lane, c: Lane) -> Lane {
    from_fn(|i| a[i] + b[i] * c[i])
}

/// The sum over lanes, by halves.
#[inline(always)]
fn total(x: Lane) -> f32 {
    let x: [f32; 4] = from_fn(|i| x[i] + x[i + 4]);
    (x[0] + x[2]) + (x[1] + x[3])
}

/// Regret matching for all buckets of a block. Shape: `[action]`.
#[inline(always)]
fn matching<const G: usize>(regrets: &[Groups<G>], strategy: &mut [Groups<G>]) {
    let mut sum = [ZERO; G];
    for (strategy, regrets) in strategy.iter_mut().zip(regrets) {
        for group in 0..G {
            strategy[group] = from_fn(|i| regrets[group][i].max(0.0));
            sum[group] = add(sum[group], strategy[group]);
        }
    }
    let uniform = 1.0 / regrets.len() as f32;
    for group in 0..G {
        let sum = sum[group];
        let share: Lane = from_fn(|i| if sum[i] > 0.0 { 1.0 / sum[i] } else { 0.0 });
        let rest: Lane = from_fn(|i| if sum[i] > 0.0 { 0.0 } else { uniform });
        for strategy in strategy.iter_mut() {
            strategy[group] = add_product(rest, strategy[group], share);
        }
    }
}

/// Regret matching of `actions` actions for all buckets of a block. Shape of both: `[action][group]`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn match_regrets(regrets: &[Lane], actions: usize, strategy: &mut [Lane]) {
    #[inline(always)]
    fn run<const G: usize>(regrets: &[Lane], strategy: &mut [Lane]) {
        matching::<G>(regrets.as_chunks().0, strategy.as_chunks_mut().0);
    }
    with_groups!(regrets.len() / actions, run(regrets, strategy));
}

/// Instantaneous regrets from the values of a node's actions: `values` become regrets; returns the node's value.
#[inline(always)]
fn regrets_of<const G: usize>(strategy: &[Groups<G>], values: &mut [Groups<G>]) -> Groups<G> {
    let mut mean = [ZERO; G];
    for (strategy, values) in strategy.iter().zip(&*values) {
        for group in 0..G {
            mean[group] = add_product(mean[group], strategy[group], values[group]);
        }
    }
    for values in values {
        for group in 0..G {
            values[group] = from_fn(|i| values[group][i] - mean[group][i]);
        }
    }
    mean
}

/// Instantaneous regrets from the values of a node's actions: `values` become regrets, and `value` the node's value.
/// Shape: `[action][group]`, `[group]`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn take_regrets(strategy: &[Lane], values: &mut [Lane], value: &mut [Lane]) {
    #[inline(always)]
    fn run<const G: usize>(strategy: &[Lane], values: &mut [Lane], value: &mut [Lane]) {
        let mean = regrets_of::<G>(strategy.as_chunks().0, values.as_chunks_mut().0);
        value.copy_from_slice(&mean);
    }
    with_groups!(value.len(), run(strategy, values, value));
}

/// The reach of every child of an own node: `children = reach * strategy`. Shape: `[action][group]`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn spread(reach: &[Lane], strategy: &[Lane], children: &mut [Lane]) {
    #[inline(always)]
    fn run<const G: usize>(reach: &[Lane], strategy: &[Lane], children: &mut [Lane]) {
        let reach: &Groups<G> = reach.try_into().expect("as many groups");
        let strategies: &[Groups<G>] = strategy.as_chunks().0;
        for (child, strategy) in children.as_chunks_mut::<G>().0.iter_mut().zip(strategies) {
            for group in 0..G {
                child[group] = multiply(reach[group], strategy[group]);
            }
        }
    }
    with_groups!(reach.len(), run(reach, strategy, children));
}

/// The last round of betting, against some single hands of the opponent.
///
/// Against hand `j` the value of a hand of bucket `b` is `compatible * A[j][b] + share * B[j][b]`: only these
/// coefficients depend on the betting. At an end of the round they are the same for all buckets; at a node of the
/// opponent they are sums over its actions; at an own node they are means over the own strategy. So a round is solved
/// from the ends up without touching a vector over hands.
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
    /// Coefficients of compatibility; those of the round stand at node 0. Shape: `[node][hand][group]`.
    pub(super) a: Vec<Lane>,
    /// Coefficients of the share.
    pub(super) b: Vec<Lane>,
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
        self.a.resize(nodes * hands * groups, ZERO);
        self.b.resize(nodes * hands * groups, ZERO);
    }
}

/// Solves a last round. `regrets`: before it, of all nodes; those of live own nodes are read. Shape: `[slot][group]`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn solve_last<'a>(round: &LastRound<'a>, regrets: &[Lane], work: &mut LastWork) {
    with_groups!(round.groups, solve_groups(round, regrets, work));
}

#[inline(always)]
fn solve_groups<const G: usize>(round: &LastRound<'_>, regrets: &[Lane], work: &mut LastWork) {
    let LastWork { live, weight, opponent, count, share, deltas, a, b } = work;
    let LastRound { tree, own, hands, .. } = *round;
    let regrets: &[Groups<G>] = regrets.as_chunks().0;
    let (count, share): (&[Groups<G>], &[Groups<G>]) = (count.as_chunks().0, share.as_chunks().0);
    let deltas: &mut [Groups<G>] = deltas.as_chunks_mut().0;
    let (a, b): (&mut [Groups<G>], &mut [Groups<G>]) = (a.as_chunks_mut().0, b.as_chunks_mut().0);
    for (number, node) in tree.nodes.iter().enumerate().rev() {
        if !live[number] {
            continue;
        }
        let mine = node.position == own;
        let slots = node.slot..node.slot + node.next.len();
        let mut strategy = [[ZERO; G]; MAX_ACTIONS];
        let strategy = &mut strategy[..node.next.len()];
        if mine {
            matching(&regrets[slots.clone()], strategy);
            deltas[slots.clone()].fill([ZERO; G]);
        }
        let here = number * hands;
        // Nodes below have higher numbers.
        let (a_here, a_below) = a.split_at_mut(here + hands);
        let (b_here, b_below) = b.split_at_mut(here + hands);
        let (a_here, b_here) = (&mut a_here[here..], &mut b_here[here..]);
        a_here.fill([ZERO; G]);
        b_here.fill([ZERO; G]);
        for (action, &step) in node.next.iter().enumerate() {
            let slot = node.slot + action;
            let (compatible, won) = match step {
                RoundStep::Node(child) => {
                    if !live[child] {
                        continue;
                    }
                    let below = (child - number - 1) * hands;
                    for hand in 0..hands {
                        let (from_a, from_b) = (&a_below[below + hand], &b_below[below + hand]);
                        let (to_a, to_b) = (&mut a_here[hand], &mut b_here[hand]);
                        if !mine {
                            for group in 0..G {
                                to_a[group] = add(to_a[group], from_a[group]);
                                to_b[group] = add(to_b[group], from_b[group]);
                            }
                            continue;
                        }
                        let (count, share) = (&count[hand], &share[hand]);
                        for group in 0..G {
                            let (from_a, from_b) = (from_a[group], from_b[group]);
                            let plays = strategy[action][group];
                            to_a[group] = add_product(to_a[group], plays, from_a);
                            to_b[group] = add_product(to_b[group], plays, from_b);
                            let value = add_product(deltas[slot][group], from_a, count[group]);
                            deltas[slot][group] = add_product(value, from_b, share[group]);
                        }
                    }
                    continue;
                }
                RoundStep::End(end) => match tree.ends[end] {
                    RoundEnd::Fold { position, wager } => {
                        let paid = round.paid + wager as f32;
                        (if position == own { -paid } else { paid }, 0.0)
                    }
                    RoundEnd::Matched { wager } => {
                        let paid = round.paid + wager as f32;
                        (-paid, 2.0 * paid)
                    }
                },
            };
            for hand in 0..hands {
                let mut weight = weight[here + hand];
                if !mine {
                    weight *= opponent[slot * hands + hand];
                }
                let (compatible, won) = (weight * compatible, weight * won);
                let (to_a, to_b) = (&mut a_here[hand], &mut b_here[hand]);
                if !mine {
                    for group in 0..G {
                        to_a[group] = from_fn(|i| to_a[group][i] + compatible);
                        to_b[group] = from_fn(|i| to_b[group][i] + won);
                    }
                    continue;
                }
                let (count, share) = (&count[hand], &share[hand]);
                for group in 0..G {
                    let plays = strategy[action][group];
                    to_a[group] = add_times(to_a[group], compatible, plays);
                    to_b[group] = add_times(to_b[group], won, plays);
                    let value = add_times(deltas[slot][group], compatible, count[group]);
                    deltas[slot][group] = add_times(value, won, share[group]);
                }
            }
        }
        if mine {
            regrets_of(strategy, &mut deltas[slots]);
        }
    }
}

/// The most groups of lanes a block may have.
pub(crate) const MAX_GROUPS: usize = MOST_LANES / LANES;

/// What a last round means for the buckets of the round before: adds its values to `value`, and its coefficients times
/// the own `reach` to those of pairs of buckets. Shapes: `value`, `reach`: `[group]`; `u`, `w`: `[last bucket][group]`.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn carry_back<'a>(
    last: &Carried<'a>,
    reach: &[Lane],
    value: &mut [Lane],
    u: &mut [Lane],
    w: &mut [Lane],
) {
    #[inline(always)]
    fn run<const G: usize>(
        last: &Carried<'_>,
        reach: &[Lane],
        value: &mut [Lane],
        u: &mut [Lane],
        w: &mut [Lane],
    ) {
        let reach: &Groups<G> = reach.try_into().expect("as many groups");
        let rows = last.count.as_chunks::<G>().0.iter().zip(last.share.as_chunks::<G>().0);
        let tables = u.as_chunks_mut::<G>().0.iter_mut().zip(w.as_chunks_mut::<G>().0);
        let mut sum = [ZERO; G];
        for (((&a, &b), (count, share)), (u, w)) in last.a.iter().zip(last.b).zip(rows).zip(tables) {
            for group in 0..G {
                sum[group] = add_times(add_times(sum[group], a, count[group]), b, share[group]);
                u[group] = add_times(u[group], a, reach[group]);
                w[group] = add_times(w[group], b, reach[group]);
            }
        }
        for (value, sum) in value.iter_mut().zip(sum) {
            *value = add(*value, sum);
        }
    }
    with_groups!(value.len(), run(last, reach, value, u, w));
}

/// What a last round is worth against one hand of the opponent, and the hands it is worth that to.
pub(super) struct Carried<'a> {
    /// Coefficients of compatibility. Shape: `[last bucket]`.
    pub(super) a: &'a [f32],
    /// Coefficients of the share.
    pub(super) b: &'a [f32],
    /// Compatible hands of each pair of buckets. Shape: `[last bucket][group]`.
    pub(super) count: &'a [Lane],
    /// The sum of their shares.
    pub(super) share: &'a [Lane],
}

/// `out += factor * x`, groups of lanes.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn accumulate(out: &mut [Lane], factor: f32, x: &[Lane]) {
    for (out, &x) in out.iter_mut().zip(x) {
        *out = add_times(*out, factor, x);
    }
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

/// `out[i] = base[pairs[i]] + share[i] * table[pairs[i]]`
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn begin_with_shares(out: &mut [f32], share: &[f32], pairs: &[u16], base: &[f32], table: &[f32]) {
    let table = &table[..base.len()];
    for ((out, &share), &pair) in out.iter_mut().zip(share).zip(pairs) {
        let pair = usize::from(pair);
        *out = base[pair] + share * table[pair];
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
