//! External-sampling Monte Carlo CFR (Lanctot, Waugh, Zinkevich and Bowling 2009, section 3.2), for any
//! number of players.
//!
//! One traversal serves one player, the traverser. Chance and the other players are sampled: every deal is
//! drawn from the game, and an opponent's action from the strategy that regret matching plays. The traverser
//! tries every action. At a traverser's node `h` in infoset `I` the sampled counterfactual value of action
//! `a` is the value `v(a)` of the sampled subtree, and the sampled regret is `v(a) - sum_b sigma(I, b) v(b)`:
//! the probability of sampling `h` is exactly the counterfactual reach (chance times opponents), so that the
//! two cancel and the expectation is the counterfactual regret.
//!
//! The average strategy is accumulated at the opponents' nodes; [`crate::average`] says why there.
//!
//! Deviations from the paper: the deal is drawn once at the start (its chance moves do not depend on what the
//! players do, see [`Game`]) and shared by the traversals of all players; regrets are not changed during a
//! traversal but handed to a [`Sink`], so that all traversals of a batch play against the same frozen
//! strategies; and the tree is walked level by level instead of by recursion. A node is looked up, and its
//! row asked from memory, when its parent is visited, and visited itself only after everything else found
//! before it: in tables far larger than the cache the row has arrived by then.

use crate::regret::{matching, sample};
use crate::table::Regrets;
use crate::{MAX_ACTIONS, Real, Row};
use doorcard_efg::{Game, Infosets, Turn};
use rand::Rng;

/// Where a traversal leaves what it has found.
pub trait Sink<T> {
    /// Sampled regrets of the traverser's row at `slot`. Units: chips.
    fn regret(&mut self, slot: u64, deltas: &Row<T>, actions: usize);
    /// The strategy of an opponent's row at `slot`.
    fn average(&mut self, slot: u64, strategy: &Row<T>, actions: usize);
}

/// A game and the regrets that all traversals of a batch play by.
pub struct Frozen<'a, G, I, T> {
    /// The game.
    pub game: &'a G,
    /// Where its infosets lie.
    pub infosets: &'a I,
    /// The cumulative regrets.
    pub regrets: Regrets<'a, T>,
}

/// The memory of a traversal, reused from one to the next.
pub struct Traversal<N, T> {
    /// Decisions found, in the order they are visited.
    found: Vec<Found<N>>,
    /// The traverser's decisions visited, and before them the place of the game's value.
    own: Vec<Own<T>>,
}

/// A decision whose row is on its way.
#[derive(Clone)]
struct Found<N> {
    slot: u64,
    node: N,
    wanted: Wanted,
    player: u8,
    actions: u8,
}

/// A decision of the traverser. The values of its actions come in while the tree below it is walked.
struct Own<T> {
    slot: u64,
    strategy: Row<T>,
    values: Row<T>,
    wanted: Wanted,
    actions: u8,
}

/// Whose action a node's value is: between two decisions of the traverser there is one sampled line of play.
#[derive(Clone, Copy)]
struct Wanted {
    own: u32,
    action: u32,
}

impl<N: Clone, T: Real> Traversal<N, T> {
    /// An empty memory.
    pub fn new() -> Traversal<N, T> {
        Traversal { found: Vec::new(), own: Vec::new() }
    }

    /// Walks one deal for `traverser` and returns the sampled value of the game to that player. Units: chips.
    ///
    /// Rows must be laid out as [`crate::Layout`] demands: none wider than [`MAX_ACTIONS`].
    ///
    /// # Panics
    /// If a row lies outside the table.
    pub fn run<G: Game<Node = N>, I: Infosets<G>>(
        &mut self,
        table: &Frozen<'_, G, I, T>,
        deal: &G::Deal,
        view: &I::View,
        traverser: usize,
        rng: &mut impl Rng,
        sink: &mut impl Sink<T>,
    ) -> T {
        let zeros = [T::ZERO; MAX_ACTIONS];
        let result = Wanted { own: 0, action: 0 };
        self.found.clear();
        self.own.clear();
        self.own.push(Own { slot: 0, actions: 1, strategy: zeros, values: zeros, wanted: result });

        let at = At { table, deal, view, traverser };
        self.find(&at, table.game.root(deal), result);
        let mut next = 0;
        while next < self.found.len() {
            let Found { node, player, actions, slot, wanted } = self.found[next].clone();
            let (player, count) = (usize::from(player), usize::from(actions));
            next += 1;
            let strategy = matching(&table.regrets.row(slot), count);
            if player != traverser {
                sink.average(slot, &strategy, count);
                let action = sample(&strategy, count, rng.next_u64());
                self.find(&at, table.game.act(&node, deal, action), wanted);
            } else {
                let own = self.own.len() as u32;
                self.own.push(Own { slot, actions, strategy, values: zeros, wanted });
                for action in 0..count {
                    let wanted = Wanted { own, action: action as u32 };
                    self.find(&at, table.game.act(&node, deal, action), wanted);
                }
            }
        }

        // Decisions further down come later: going backwards, a decision's values are complete when its turn
        // comes.
        for index in (1..self.own.len()).rev() {
            let own = &self.own[index];
            let mut value = T::ZERO;
            for action in 0..MAX_ACTIONS {
                value += own.strategy[action] * own.values[action];
            }
            sink.regret(own.slot, &own.values.map(|v| v - value), own.actions.into());
            self.hand(own.wanted, value);
        }
        self.own[0].values[0]
    }

    /// Hands a node's value to the decision that wants it.
    #[inline(always)]
    fn hand(&mut self, wanted: Wanted, value: T) {
        self.own[wanted.own as usize].values[wanted.action as usize] = value;
    }

    /// Looks a node up: the end of a game hands its utility to the decision that wants it; a decision is put
    /// in line.
    #[inline(always)]
    fn find<G: Game<Node = N>, I: Infosets<G>>(&mut self, at: &At<'_, G, I, T>, node: N, wanted: Wanted) {
        match at.table.game.turn(&node, at.deal) {
            Turn::Over => {
                let utility = at.table.game.utility(&node, at.deal, at.traverser);
                self.hand(wanted, T::from_f64(utility));
            }
            Turn::Decide { player, actions } => {
                let slot = at.table.infosets.slot(at.view, &node, player);
                at.table.regrets.prefetch(slot);
                self.found.push(Found { slot, node, wanted, player: player as u8, actions: actions as u8 });
            }
        }
    }
}

impl<N: Clone, T: Real> Default for Traversal<N, T> {
    fn default() -> Self {
        Traversal::new()
    }
}

/// What stays the same during one traversal.
struct At<'a, G: Game, I: Infosets<G>, T> {
    table: &'a Frozen<'a, G, I, T>,
    deal: &'a G::Deal,
    view: &'a I::View,
    traverser: usize,
}
