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
//!
//! **Regret-based pruning** (an option, [`Pruning`]). An action of the traverser that is not played now, and whose
//! regret is so far below zero that many visits cannot make it be played, is not worth walking each time (Brown
//! and Sandholm 2015; in sampled form with random exceptions: Brown and Sandholm 2019b, "Superhuman AI for multiplayer
//! poker", supplement). A coin is thrown for each traversal: with probability `explore` everything is walked, otherwise
//! such actions are left out, unless they end the game, which costs nothing to walk.
//!
//! What was left out is not recorded as a regret of zero: in the traversals that do walk such an action, its regret,
//! and everything recorded below it, regrets and averages, counts `1 / explore` times. So each record's expectation is
//! what it is without pruning, and in the terms of the 2009 paper pruning changes nothing but how likely a block of
//! terminal histories is sampled: its theorem 3 holds with `delta` smaller by the factor `explore`, a bound on
//! variance that the actions concerned, which hardly matter, must bear. (The value of a node is unchanged, since
//! the action has probability zero in it. Pluribus does not reweigh; regrets of pruned actions then move
//! `explore` times as fast, in both directions.) The price: one recorded regret may be as large as
//! `utility range / explore`, so that a threshold below that lets actions flicker.

use crate::regret::{matching, sample};
use crate::sampling::{Frozen, Pruning, Sink};
use crate::{MAX_ACTIONS, Real, Row};
use doorcard_efg::fault::{Fault, planted};
use doorcard_efg::{Game, Infosets, Turn};
use rand::Rng;

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
    /// Whether it lies below an action that most traversals leave out.
    rare: bool,
}

/// A decision of the traverser. The values of its actions come in while the tree below it is walked.
struct Own<T> {
    slot: u64,
    strategy: Row<T>,
    values: Row<T>,
    wanted: Wanted,
    actions: u8,
    rare: bool,
    /// Bit `a` stands for action `a`: set if most traversals leave it out.
    hopeless: u8,
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
        match table.pruning {
            None => self.walk::<G, I, false>(table, deal, view, traverser, rng, sink),
            Some(_) => self.walk::<G, I, true>(table, deal, view, traverser, rng, sink),
        }
    }

    #[inline(always)]
    fn walk<G: Game<Node = N>, I: Infosets<G>, const PRUNES: bool>(
        &mut self,
        table: &Frozen<'_, G, I, T>,
        deal: &G::Deal,
        view: &I::View,
        traverser: usize,
        rng: &mut impl Rng,
        sink: &mut impl Sink<T>,
    ) -> T {
        let coin = if PRUNES { table.pruning.map(|pruning| Coin::throw(&pruning, rng)) } else { None };
        let zeros = [T::ZERO; MAX_ACTIONS];
        let result = Wanted { own: 0, action: 0 };
        self.found.clear();
        self.own.clear();
        self.own.push(Own {
            slot: 0,
            actions: 1,
            strategy: zeros,
            values: zeros,
            wanted: result,
            rare: false,
            hopeless: 0,
        });

        let at = At { table, deal, view, traverser };
        self.find(&at, table.game.root(deal), result, false);
        let mut next = 0;
        while next < self.found.len() {
            let Found { node, player, actions, slot, wanted, rare } = self.found[next].clone();
            let (player, count) = (usize::from(player), usize::from(actions));
            next += 1;
            let regrets = table.regrets.row(slot);
            let mut strategy = matching(&regrets, count);
            if player != traverser {
                let action = sample(&strategy, count, rng.next_u64());
                if let (true, Some(coin)) = (rare, &coin) {
                    strategy = strategy.map(|p| p * coin.weight);
                }
                if !planted(Fault::AverageAtTraverser) {
                    sink.average(slot, &strategy, count);
                }
                self.find(&at, table.game.act(&node, deal, action), wanted, rare);
            } else {
                if planted(Fault::AverageAtTraverser) {
                    sink.average(slot, &strategy, count);
                }
                let own = self.own.len() as u32;
                self.own.push(Own { slot, actions, strategy, values: zeros, wanted, rare, hopeless: 0 });
                for action in 0..count {
                    let wanted = Wanted { own, action: action as u32 };
                    let next = table.game.act(&node, deal, action);
                    if let Some(coin) = &coin
                        && coin.gives_up(strategy[action], regrets[action])
                        && table.game.turn(&next, deal) != Turn::Over
                    {
                        self.own[own as usize].hopeless |= 1 << action;
                        if coin.explores {
                            self.find(&at, next, wanted, true);
                        }
                        continue;
                    }
                    self.find(&at, next, wanted, rare);
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
            let mut deltas = own.values.map(|v| v - value);
            if let Some(coin) = &coin {
                coin.weigh(&mut deltas, own.rare, own.hopeless);
            }
            sink.regret(own.slot, &deltas, own.actions.into());
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
    fn find<G: Game<Node = N>, I: Infosets<G>>(
        &mut self,
        at: &At<'_, G, I, T>,
        node: N,
        wanted: Wanted,
        rare: bool,
    ) {
        match at.table.game.turn(&node, at.deal) {
            Turn::Over => {
                let utility = at.table.game.utility(&node, at.deal, at.traverser);
                self.hand(wanted, T::from_f64(utility));
            }
            Turn::Decide { player, actions } => {
                let slot = at.table.infosets.slot(at.view, &node, player);
                at.table.regrets.prefetch(slot);
                let (player, actions) = (player as u8, actions as u8);
                self.found.push(Found { slot, node, wanted, player, actions, rare });
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

/// What a traversal that may leave out actions does with them.
struct Coin<T> {
    /// An action that is not played is hopeless if its regret is below this.
    limit: T,
    /// Whether this traversal walks hopeless actions.
    explores: bool,
    /// What then is recorded of them counts so often.
    weight: T,
}

impl<T: Real> Coin<T> {
    fn throw(pruning: &Pruning, rng: &mut impl Rng) -> Coin<T> {
        let explores = f64::unit(rng.next_u64()) < pruning.explore;
        Coin { limit: T::from_f64(-pruning.below), explores, weight: T::from_f64(1.0 / pruning.explore) }
    }

    fn gives_up(&self, probability: T, regret: T) -> bool {
        probability == T::ZERO && regret < self.limit
    }

    /// Makes regrets count as often as they must for those of other traversals that had no chance to be recorded.
    fn weigh(&self, deltas: &mut Row<T>, rare: bool, hopeless: u8) {
        for (action, delta) in deltas.iter_mut().enumerate() {
            let hopeless = hopeless >> action & 1 == 1;
            if hopeless && !self.explores {
                *delta = T::ZERO;
            } else if hopeless || rare {
                *delta = *delta * self.weight;
            }
        }
    }
}
