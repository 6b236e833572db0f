//! Leduc with infosets merged: several hands, and several boards, share a row.

use crate::common::{Small, public_leduc};
use doorcard_efg::{
    Block, EnumerableGame, Game, Infosets, Policy, PublicGame, PublicInfosets, PublicTurn, Rows, Turn,
};
use doorcard_games::leduc::{Leduc, LeducBoard, LeducDeal, LeducInfosets, LeducNode, LeducView, PublicLeduc};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct Merged {
    inner: LeducInfosets,
    /// For every slot of the game the one that stands for it.
    to: Vec<u32>,
    rows: BTreeSet<(u64, usize)>,
    /// By the first slot of a state's rows in the game: the slots of the hands.
    blocks: BTreeMap<u64, Vec<u32>>,
}

/// Merges what is equal once `private` and `public` have been applied to the cards.
pub(crate) fn merged(
    small: &Small<Leduc, LeducInfosets>,
    private: impl Fn(u8, u8) -> u8,
    public: impl Fn(u8) -> u8,
) -> Merged {
    let inner = small.infosets.clone();
    let mut to = vec![u32::MAX; inner.slots() as usize];
    let mut rows = BTreeSet::new();
    let mut first = BTreeMap::new();
    small.game.for_each_deal(&mut |deal, _| {
        let view = inner.view(&small.game, deal);
        let mut nodes = vec![(small.game.root(deal), Vec::new())];
        while let Some((node, history)) = nodes.pop() {
            let Turn::Decide { player, actions } = small.game.turn(&node, deal) else { continue };
            let slot = inner.slot(&view, &node, player);
            // A row of the first round does not depend on the public card.
            let late = view[1][player] <= slot;
            let seen = if late { public(deal.public) + 1 } else { 0 };
            let class = private(deal.private[player], if late { deal.public } else { u8::MAX });
            let stands = *first.entry((history.clone(), seen, class)).or_insert(slot);
            rows.insert((stands, actions));
            for action in 0..actions {
                to[slot as usize + action] = stands as u32 + action as u32;
                let mut history = history.clone();
                history.push(action);
                nodes.push((small.game.act(&node, deal, action), history));
            }
        }
    });
    let mut merged = Merged { inner, to, rows, blocks: BTreeMap::new() };
    let game = public_leduc();
    let (node, board) = game.root();
    merged.survey(&game, node, &board);
    merged
}

impl Merged {
    fn survey(&mut self, game: &PublicLeduc, node: LeducNode, board: &LeducBoard) {
        match game.turn(node, board) {
            PublicTurn::Decide { player, actions } => {
                let block = PublicInfosets::block(&self.inner, game, node, board, player);
                let hands = 0..game.hands(node, board, player);
                let slots = hands.map(|hand| self.to[block.slot(hand) as usize]).collect();
                self.blocks.insert(block.base, slots);
                (0..actions).for_each(|action| self.survey(game, game.act(node, board, action), board));
            }
            PublicTurn::Chance => {
                for index in 0..game.outcomes(node, board) {
                    let (node, board) = game.outcome(node, board, index);
                    self.survey(game, node, &board);
                }
            }
            _ => {}
        }
    }
}

impl Rows for Merged {
    fn rows(&self) -> u64 {
        self.rows.len() as u64
    }

    fn slots(&self) -> u64 {
        self.inner.slots()
    }

    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        self.rows.iter().for_each(|&(slot, actions)| f(slot, actions));
    }
}

impl Infosets<Leduc> for Merged {
    type View = LeducView;

    fn view(&self, game: &Leduc, deal: &LeducDeal) -> LeducView {
        self.inner.view(game, deal)
    }

    fn slot(&self, view: &LeducView, node: &LeducNode, player: usize) -> u64 {
        self.to[self.inner.slot(view, node, player) as usize].into()
    }
}

impl PublicInfosets<PublicLeduc> for Merged {
    fn block<'a>(
        &'a self,
        game: &'a PublicLeduc,
        node: LeducNode,
        board: &'a LeducBoard,
        player: usize,
    ) -> Block<'a> {
        let base = PublicInfosets::block(&self.inner, game, node, board, player).base;
        Block { base: 0, stride: 1, buckets: &self.blocks[&base] }
    }
}

/// A strategy of merged rows, played in the game.
pub(crate) struct Unmerged<'a, P>(pub(crate) &'a Merged, pub(crate) P);

impl<P: Policy> Policy for Unmerged<'_, P> {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        self.1.probabilities(self.0.to[slot as usize].into(), out);
    }
}
