//! Two-player zero-sum games as linear programs over sequences of a player's own actions.
//!
//! A player's mixed strategy is a realisation plan: for every sequence of own actions the product of their
//! probabilities. Plans are the points of a polytope `E x = e, x >= 0`, and the expected payoff is bilinear in the two
//! players' plans (von Stengel 1996; Koller, Megiddo and von Stengel 1996), so that an equilibrium is a linear program
//! of about the size of the game tree:
//!
//! ```text
//! maximise q_root   over x, q   where   E x = e,   F' q <= A' x,   x >= 0
//! ```
//!
//! `A` holds the first player's payoffs by pairs of sequences, weighted by chance, `F` the second player's polytope;
//! the multipliers of the second set of constraints are the second player's plan.
//!
//! Shares nothing with solvers or best responses but the game itself: deals are listed, and every history walked.

use crate::strategies::Table;
use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{NonnegativeConeT, ZeroConeT};
use clarabel::solver::{DefaultSettings, DefaultSolution, DefaultSolver, IPSolver, SolverStatus};
use doorcard_efg::{EnumerableGame, Infosets, Policy, Turn};
use std::collections::{BTreeMap, BTreeSet};

/// The gap between the two players' programs, and how much a constraint may be missed by, at the end: the first of these
/// that rounding allows. Units: of the largest payoff, weighted by chance.
const ACCURACIES: [f64; 3] = [1e-13, 1e-11, 1e-9];

/// One player's sequences. Sequence 0 is the empty one.
struct Sequences {
    /// By the first slot of an infoset: the sequence before it and the number of its first one.
    infosets: BTreeMap<u64, Infoset>,
    count: usize,
}

#[derive(Clone, Copy)]
struct Infoset {
    before: usize,
    first: usize,
    actions: usize,
}

impl Sequences {
    /// The infoset of a slot, found after the sequence `before`.
    fn infoset(&mut self, slot: u64, before: usize, actions: usize) -> Infoset {
        let found = *self.infosets.entry(slot).or_insert_with(|| {
            let first = self.count;
            self.count += actions;
            Infoset { before, first, actions }
        });
        assert_eq!((found.before, found.actions), (before, actions), "perfect recall at slot {slot}");
        found
    }

    /// The equations of realisation plans, one a row: `(row, sequence, coefficient)`. Row 0 says that the empty
    /// sequence has probability 1, the others that an infoset's actions share the probability before it.
    fn equations(&self) -> Vec<(usize, usize, f64)> {
        let mut equations = vec![(0, 0, 1.0)];
        for (row, infoset) in self.infosets.values().enumerate() {
            equations.push((row + 1, infoset.before, -1.0));
            equations.extend((0..infoset.actions).map(|action| (row + 1, infoset.first + action, 1.0)));
        }
        equations
    }

    fn rows(&self) -> usize {
        1 + self.infosets.len()
    }

    /// The realisation plan of a strategy.
    fn plan(&self, policy: &dyn Policy) -> Vec<f64> {
        let mut plan = vec![1.0; self.count];
        // Sequences are numbered after those that they extend.
        let mut infosets: Vec<_> = self.infosets.iter().collect();
        infosets.sort_by_key(|(_, infoset)| infoset.first);
        for (&slot, &Infoset { before, first, actions }) in infosets {
            policy.probabilities(slot, &mut plan[first..][..actions]);
            for action in 0..actions {
                plan[first + action] *= plan[before];
            }
        }
        plan
    }

    /// The strategy of a realisation plan; uniform where the player's own actions keep it from coming.
    fn strategy(&self, plan: &[f64], table: &mut [f64]) {
        for (&slot, infoset) in &self.infosets {
            let weights = plan[infoset.first..][..infoset.actions].iter().map(|&weight| weight.max(0.0));
            let sum: f64 = weights.clone().sum();
            let uniform = 1.0 / infoset.actions as f64;
            for (out, weight) in table[slot as usize..].iter_mut().zip(weights) {
                *out = if sum > 0.0 { weight / sum } else { uniform };
            }
        }
    }
}

/// An equilibrium.
pub(crate) struct Equilibrium {
    /// What the first player wins on average. Units: chips per game.
    pub value: f64,
    /// Both players' strategies.
    pub strategy: Table,
    /// How many infosets each player has.
    pub infosets: [usize; 2],
}

/// The sequence form of a game as `infosets` tell its histories apart.
struct SequenceForm {
    players: [Sequences; 2],
    /// The first player's payoff by the two players' sequences, in ascending order of these.
    payoffs: Vec<((usize, usize), f64)>,
}

impl SequenceForm {
    /// That of the deals that `keep` holds for, the others being worth nothing.
    fn new<G: EnumerableGame, I: Infosets<G>>(
        game: &G,
        infosets: &I,
        keep: impl Fn(&G::Deal) -> bool,
    ) -> SequenceForm {
        let empty = || Sequences { infosets: BTreeMap::new(), count: 1 };
        let mut form = SequenceForm { players: [empty(), empty()], payoffs: Vec::new() };
        game.for_each_deal(&mut |deal, probability| {
            if !keep(deal) {
                return;
            }
            let view = infosets.view(game, deal);
            let mut stack = vec![(game.root(deal), [0; 2])];
            while let Some((node, sequences)) = stack.pop() {
                match game.turn(&node, deal) {
                    Turn::Over => {
                        let payoff = probability * game.utility(&node, deal, 0);
                        form.payoffs.push(((sequences[0], sequences[1]), payoff));
                    }
                    Turn::Decide { player, actions } => {
                        let slot = infosets.slot(&view, &node, player);
                        let infoset = form.players[player].infoset(slot, sequences[player], actions);
                        for action in 0..actions {
                            let mut after = sequences;
                            after[player] = infoset.first + action;
                            stack.push((game.act(&node, deal, action), after));
                        }
                    }
                }
            }
        });
        form.payoffs.sort_by_key(|payoff| payoff.0);
        form.payoffs.dedup_by(|next, sum| {
            let same = next.0 == sum.0;
            if same {
                sum.1 += next.1;
            }
            same
        });
        form
    }

    /// Solves it; writes both players' strategies into `table`, by slots.
    fn solve(&self, table: &mut [f64]) -> f64 {
        let [first, second] = &self.players;
        // Columns: x, then q. Rows: E x = e; F' q - A' x <= 0; -x <= 0.
        let (n, m, k) = (first.count, second.count, first.rows());
        // Payoffs weighted by chance are tiny in large games: the program sees them with a largest one of 1.
        let scale = self.payoffs.iter().fold(0.0, |scale: f64, (_, payoff)| scale.max(payoff.abs()));
        let mut entries = first.equations();
        entries.extend(second.equations().into_iter().map(|(row, y, c)| (k + y, n + row, c)));
        entries.extend(self.payoffs.iter().map(|&((x, y), payoff)| (k + y, x, -payoff / scale)));
        entries.extend((0..n).map(|x| (k + m + x, x, -1.0)));
        let mut costs = vec![0.0; n + second.rows()];
        costs[n] = -1.0;
        let solution = minimise(&costs, &entries, k, m + n);
        first.strategy(&solution.x[..n], table);
        second.strategy(&solution.z[k..][..m], table);
        -solution.obj_val * scale
    }
}

/// Solves a game.
///
/// # Panics
/// If the layout forgets, or the solver does not reach the accuracy asked for.
pub(crate) fn solve<G: EnumerableGame, I: Infosets<G>>(game: &G, infosets: &I) -> Equilibrium {
    solve_parts(game, infosets, |_| ())
}

/// Solves a game whose deals fall into parts that share no infoset, as those with different first public cards do, each
/// part by a program of its own. Their values add up.
///
/// # Panics
/// As [`solve`], or if parts share an infoset.
pub(crate) fn solve_parts<G: EnumerableGame, I: Infosets<G>, P: Ord>(
    game: &G,
    infosets: &I,
    part: impl Fn(&G::Deal) -> P,
) -> Equilibrium {
    let mut parts = BTreeSet::new();
    game.for_each_deal(&mut |deal, _| {
        parts.insert(part(deal));
    });
    let mut table = vec![0.0; infosets.slots() as usize];
    infosets.for_each_row(&mut |slot, actions| table[slot as usize..][..actions].fill(1.0 / actions as f64));
    let mut seen = BTreeSet::new();
    let mut sizes = [0; 2];
    let mut value = 0.0;
    for kept in &parts {
        let form = SequenceForm::new(game, infosets, |deal| part(deal) == *kept);
        for (player, size) in form.players.iter().zip(&mut sizes) {
            *size += player.infosets.len();
            assert!(player.infosets.keys().all(|&slot| seen.insert(slot)), "parts that share an infoset");
        }
        value += form.solve(&mut table);
    }
    Equilibrium { value, strategy: Table(table), infosets: sizes }
}

/// What the best realisation plan of `player` wins against `policy`. Units: chips per game.
///
/// # Panics
/// As [`solve`].
pub(crate) fn best_response<G: EnumerableGame, I: Infosets<G>>(
    game: &G,
    infosets: &I,
    policy: &dyn Policy,
    player: usize,
) -> f64 {
    let form = SequenceForm::new(game, infosets, |_| true);
    let plan = form.players[1 - player].plan(policy);
    let own = &form.players[player];
    let mut costs = vec![0.0; own.count];
    for &((x, y), payoff) in &form.payoffs {
        let (mine, other, sign) = if player == 0 { (x, y, -1.0) } else { (y, x, 1.0) };
        costs[mine] += sign * payoff * plan[other];
    }
    let mut entries = own.equations();
    entries.extend((0..own.count).map(|x| (own.rows() + x, x, -1.0)));
    -minimise(&costs, &entries, own.rows(), own.count).obj_val
}

/// Minimises `costs * v` where the first `equations` rows of `entries * v` are 1, 0, 0 and so on, and the `bounds` rows
/// after them are at most 0.
fn minimise(
    costs: &[f64],
    entries: &[(usize, usize, f64)],
    equations: usize,
    bounds: usize,
) -> DefaultSolution<f64> {
    let (height, width) = (equations + bounds, costs.len());
    let constraints = CscMatrix::new_from_triplets(
        height,
        width,
        entries.iter().map(|entry| entry.0).collect(),
        entries.iter().map(|entry| entry.1).collect(),
        entries.iter().map(|entry| entry.2).collect(),
    );
    let mut right = vec![0.0; height];
    right[0] = 1.0;
    let cones = [ZeroConeT(equations), NonnegativeConeT(bounds)];
    let squares = CscMatrix::zeros((width, width));
    for accuracy in ACCURACIES {
        let settings = DefaultSettings {
            verbose: false,
            tol_gap_abs: accuracy,
            tol_gap_rel: accuracy,
            tol_feas: accuracy,
            ..DefaultSettings::default()
        };
        let mut solver = DefaultSolver::new(&squares, costs, &constraints, &right, &cones, settings)
            .expect("a well-formed program");
        solver.solve();
        if solver.solution.status == SolverStatus::Solved {
            return solver.solution;
        }
    }
    panic!("no solution in {width} variables");
}
