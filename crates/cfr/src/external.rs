//! External-sampling Monte Carlo CFR (Lanctot, Waugh, Zinkevich and Bowling 2009, sections 3.2 and 4), for any number of players.
//!
//! One traversal serves one player, the traverser. Chance and the other players are sampled: every deal is drawn
//! from the game, and an opponent's action from the strategy that regret matching plays. The traverser tries every action. At a
//! traverser's node `h` in infoset `I` the sampled counterfactual value of action `a` is the value `v(a)` of the
//! sampled subtree, and the sampled regret is `v(a) - sum_b sigma(I, b) v(b)`: the probability of sampling `h` is exactly the
//! counterfactual reach (chance times opponents), so that the two cancel and the expectation is the counterfactual regret
//! (Lanctot et al., section 3.2, equation 10).
//!
//! The average strategy is accumulated at the opponents' nodes; [`crate::average`] says why there.
//!
//! Deviations from the paper: the deal is drawn once at the start (its chance moves do not depend on what the
//! players do, see [`Game`]) and shared by the traversals of all players; and regrets are not changed during a traversal but handed to a
//! [`Sink`], so that all traversals of a batch play against the same frozen strategies.

use crate::regret::{matching, sample};
use crate::table::Regrets;
use crate::{MAX_ACTIONS, Real, Row};
use arrayvec::ArrayVec;
use doorcard_efg::{Game, Infosets, Turn};
use rand::Rng;

/// Where a traversal leaves what it has found.
pub trait Sink<T> {
    /// Sampled regrets of the traverser's row at `slot`. Units: chips.
    fn regret(&mut self, slot: u64, deltas: &Row<T>, actions: usize);
    /// The strategy of an opponent's row at `slot`.
    fn average(&mut self, slot: u64, strategy: &Row<T>, actions: usize);
}

/// Walks one deal for `traverser` and returns the sampled value of the game to that player. Units: chips.
///
/// # Panics
/// If a node has more than [`MAX_ACTIONS`] actions, or a row lies outside the table.
pub fn traverse<G: Game, I: Infosets<G>, T: Real>(
    table: &Frozen<'_, G, I, T>,
    deal: &G::Deal,
    view: &I::View,
    traverser: usize,
    rng: &mut impl Rng,
    sink: &mut impl Sink<T>,
) -> T {
    let mut walk = Walk { table, deal, view, traverser, rng, sink };
    let root = walk.arrive(table.game.root(deal));
    walk.value(&root)
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

/// One traversal under way.
struct Walk<'a, G: Game, I: Infosets<G>, T, R, S> {
    table: &'a Frozen<'a, G, I, T>,
    deal: &'a G::Deal,
    view: &'a I::View,
    traverser: usize,
    rng: &'a mut R,
    sink: &'a mut S,
}

/// A node together with what [`Game`] and [`Infosets`] say about it.
enum Place<N> {
    Over(N),
    Decision { node: N, player: usize, actions: usize, slot: u64 },
}

impl<G: Game, I: Infosets<G>, T: Real, R: Rng, S: Sink<T>> Walk<'_, G, I, T, R, S> {
    /// Looks a node up and starts loading its row, which is needed only later.
    #[inline(always)]
    fn arrive(&self, node: G::Node) -> Place<G::Node> {
        match self.table.game.turn(&node, self.deal) {
            Turn::Over => Place::Over(node),
            Turn::Decide { player, actions } => {
                let slot = self.table.infosets.slot(self.view, &node, player);
                self.table.regrets.prefetch(slot);
                Place::Decision { node, player, actions, slot }
            }
        }
    }

    /// The sampled value of a node to the traverser.
    fn value(&mut self, place: &Place<G::Node>) -> T {
        let (node, player, actions, slot) = match place {
            Place::Over(node) => {
                return T::from_f64(self.table.game.utility(node, self.deal, self.traverser));
            }
            Place::Decision { node, player, actions, slot } => (node, *player, *actions, *slot),
        };
        // All children are looked up before this node's own row is read: their rows are on the way by then.
        let mut children = ArrayVec::<Place<G::Node>, MAX_ACTIONS>::new();
        for action in 0..actions {
            children.push(self.arrive(self.table.game.act(node, self.deal, action)));
        }
        let strategy = matching(&self.table.regrets.row(slot), actions);

        if player != self.traverser {
            self.sink.average(slot, &strategy, actions);
            let action = sample(&strategy, actions, self.rng.next_u64());
            return self.value(&children[action]);
        }

        let mut values = [T::ZERO; MAX_ACTIONS];
        let mut value = T::ZERO;
        for (action, child) in children.iter().enumerate() {
            values[action] = self.value(child);
            value += strategy[action] * values[action];
        }
        self.sink.regret(slot, &values.map(|v| v - value), actions);
        value
    }
}
