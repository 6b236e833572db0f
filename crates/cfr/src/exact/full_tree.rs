//! CFR on the whole tree of histories (Zinkevich, Johanson, Bowling and Piccione 2007, section 3), for any number of
//! players.
//!
//! All deals are listed, and for each of them all histories are walked. At a history `h` of the player, reached with
//! probability `pi_-i(h)` by chance and the others, the regret of action `a` is `pi_-i(h) (v(ha) - v(h))`, `v` being what
//! the player wins on average from there on.

use super::pass::{Found, Pass, Reached, Strategies, Traversal};
use crate::{MAX_ACTIONS, Real};
use doorcard_efg::{EnumerableGame, Infosets, Rows, Turn};
use std::ops::Range;

/// CFR over the histories of a game whose deals can be listed.
#[derive(Clone, Copy, Debug)]
pub struct FullTree<'a, G, I> {
    game: &'a G,
    infosets: &'a I,
}

impl<'a, G: EnumerableGame, I: Infosets<G>> FullTree<'a, G, I> {
    /// The traversal of `game` with these infosets.
    pub fn new(game: &'a G, infosets: &'a I) -> FullTree<'a, G, I> {
        FullTree { game, infosets }
    }

    fn survey_node(&self, at: (&G::Deal, &I::View), node: &G::Node, reached: &mut Reached) {
        let Turn::Decide { player, actions } = self.game.turn(node, at.0) else { return };
        reached.row(self.infosets.slot(at.1, node, player), player, actions);
        for action in 0..actions {
            self.survey_node(at, &self.game.act(node, at.0, action), reached);
        }
    }
}

impl<G: EnumerableGame, I: Infosets<G>> Traversal for FullTree<'_, G, I> {
    type Scratch = ();

    fn name(&self) -> &'static str {
        "full-tree"
    }

    fn players(&self) -> usize {
        self.game.players()
    }

    fn rows(&self) -> &dyn Rows {
        self.infosets
    }

    fn parts(&self) -> Vec<Range<u64>> {
        std::iter::once(0..self.infosets.slots()).collect()
    }

    fn survey(&self, _part: usize, reached: &mut Reached) {
        self.game.for_each_deal(&mut |deal, _| {
            let view = self.infosets.view(self.game, deal);
            self.survey_node((deal, &view), &self.game.root(deal), reached);
        });
    }

    fn pass<T: Real>(
        &self,
        pass: Pass,
        strategies: Strategies<'_, T>,
        found: &mut Found<'_>,
        _scratch: &mut (),
    ) {
        self.game.for_each_deal(&mut |deal, probability| {
            let view = &self.infosets.view(self.game, deal);
            let FullTree { game, infosets } = *self;
            let mut walk = Walk { game, infosets, deal, view, player: pass.player, strategies, found };
            walk.value(&game.root(deal), Reach { chance: probability, own: 1.0, others: 1.0 });
        });
    }
}

/// The probabilities that lead to a history.
#[derive(Clone, Copy)]
struct Reach {
    chance: f64,
    own: f64,
    others: f64,
}

/// The walk through one deal.
struct Walk<'a, 'f, G: EnumerableGame, I: Infosets<G>, T> {
    game: &'a G,
    infosets: &'a I,
    deal: &'a G::Deal,
    view: &'a I::View,
    player: usize,
    strategies: Strategies<'a, T>,
    found: &'a mut Found<'f>,
}

impl<G: EnumerableGame, I: Infosets<G>, T: Real> Walk<'_, '_, G, I, T> {
    /// What the player wins on average from `node` on.
    fn value(&mut self, node: &G::Node, reach: Reach) -> f64 {
        let Turn::Decide { player, actions } = self.game.turn(node, self.deal) else {
            return self.game.utility(node, self.deal, self.player);
        };
        let slot = self.infosets.slot(self.view, node, player);
        let strategy = self.strategies.row(slot, actions);
        let own = player == self.player;
        let mut values = [0.0; MAX_ACTIONS];
        let mut value = 0.0;
        for (action, probability) in strategy.iter().enumerate() {
            let probability = probability.to_f64();
            let reach = match own {
                true => Reach { own: reach.own * probability, ..reach },
                false => Reach { others: reach.others * probability, ..reach },
            };
            values[action] = self.value(&self.game.act(node, self.deal, action), reach);
            value += probability * values[action];
        }
        if own {
            let counterfactual = reach.chance * reach.others;
            for (regret, action) in self.found.regret(slot, actions).iter_mut().zip(values) {
                *regret += counterfactual * (action - value);
            }
            *self.found.reach(slot) += reach.chance * reach.own;
        }
        value
    }
}
