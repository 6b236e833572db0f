//! The infosets of abstracted heads-up stud: betting that is remembered times buckets of cards.
//!
//! Rows lie as `[street][public bucket][private bucket][place in the betting tree][action]`: all rows of one hand on one
//! street together, since a traversal with fixed cards visits many of them and no others.

use crate::CardAbstraction;
use doorcard_efg::{Infosets, Rows};
use doorcard_games::stud::Street;
use doorcard_games::stud::tree::{BettingTree, Position, StudDeal, StudTree};

/// Where each situation of a [`StudTree`] lies in a table, given an abstraction of the cards.
pub struct StudInfosets<'a, A> {
    tree: &'a BettingTree,
    cards: A,
    /// By street: the first slot, the slots of one hand, and how many hands are told apart.
    streets: [StreetTable; 5],
}

#[derive(Clone, Copy, Default)]
struct StreetTable {
    base: u64,
    block: u64,
    private: u64,
    hands: u64,
}

/// The tables of one deal.
#[derive(Clone, Copy, Debug)]
pub struct DealView {
    /// Where a hand's rows begin. Shape: `[seat][street]`.
    base: [[u64; 5]; 2],
}

impl<'a, A: CardAbstraction> StudInfosets<'a, A> {
    /// Lays out a table.
    pub fn new(game: &'a StudTree, cards: A) -> StudInfosets<'a, A> {
        let tree = game.tree();
        let mut streets = [StreetTable::default(); 5];
        let mut base = 0;
        for (street, table) in Street::ALL.into_iter().zip(&mut streets) {
            let private = cards.private_buckets(street) as u64;
            let hands = private * cards.public_buckets(street) as u64;
            let block = tree.sizes()[street.index()].slots;
            *table = StreetTable { base, block, private, hands };
            base += block * hands;
        }
        StudInfosets { tree, cards, streets }
    }

    /// The abstraction of the cards.
    pub fn cards(&self) -> &A {
        &self.cards
    }

    /// How many infosets a street has.
    pub fn street_rows(&self, street: Street) -> u64 {
        self.streets[street.index()].hands * self.tree.sizes()[street.index()].rows
    }

    /// The first slot of a decision on `street` for a hand in these buckets.
    ///
    /// # Panics
    /// If the position is no decision.
    #[inline]
    pub fn slot_of(&self, street: Street, buckets: (u16, u16), position: Position) -> u64 {
        self.hand_base(street.index(), buckets) + u64::from(self.tree.slot(position))
    }

    /// The street of a row, its hand on that street, by number, and its place in the row block.
    ///
    /// # Panics
    /// If the slot is none of the table.
    pub fn place_of(&self, slot: u64) -> (Street, u64, u32) {
        let holds = |table: &StreetTable| table.block > 0 && table.base <= slot;
        let street = self.streets.iter().rposition(holds).expect("some street has decisions");
        let table = &self.streets[street];
        let (hand, place) = ((slot - table.base) / table.block, (slot - table.base) % table.block);
        assert!(hand < table.hands, "slot {slot} is beyond the table");
        (Street::ALL[street], hand, place as u32)
    }

    /// The slot at a place that [`StudInfosets::place_of`] gives.
    pub fn slot_at(&self, (street, hand, place): (Street, u64, u32)) -> u64 {
        let table = &self.streets[street.index()];
        table.base + hand * table.block + u64::from(place)
    }

    #[inline]
    fn hand_base(&self, street: usize, (public, private): (u16, u16)) -> u64 {
        let table = &self.streets[street];
        table.base + (u64::from(public) * table.private + u64::from(private)) * table.block
    }
}

impl<A: CardAbstraction> Rows for StudInfosets<'_, A> {
    fn rows(&self) -> u64 {
        Street::ALL.into_iter().map(|street| self.street_rows(street)).sum()
    }

    fn slots(&self) -> u64 {
        self.streets.iter().map(|table| table.block * table.hands).sum()
    }

    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        for (street, table) in Street::ALL.into_iter().zip(&self.streets) {
            let rows = self.tree.rows(street);
            for hand in 0..table.hands {
                let base = table.base + hand * table.block;
                for &(slot, actions) in rows {
                    f(base + u64::from(slot), usize::from(actions));
                }
            }
        }
    }
}

impl<A: CardAbstraction> Infosets<StudTree> for StudInfosets<'_, A> {
    type View = DealView;

    fn view(&self, _: &StudTree, deal: &StudDeal) -> DealView {
        let down = deal.down.map(|[a, b, _]| [a, b]);
        let river = deal.down.map(|[_, _, river]| river);
        let buckets = self.cards.buckets_for_deal(&down, &deal.up, &river);
        let base = buckets.map(|hand| std::array::from_fn(|street| self.hand_base(street, hand[street])));
        DealView { base }
    }

    #[inline]
    fn slot(&self, view: &DealView, node: &Position, player: usize) -> u64 {
        view.base[player][self.tree.street(*node).index()] + u64::from(self.tree.slot(*node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoardSituation, Situation};
    use doorcard_cards::Card;
    use doorcard_efg::{Game, Turn};
    use doorcard_games::stud::Rules;
    use doorcard_games::stud::tree::HistoryDetail;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use std::collections::HashMap;

    /// Buckets by the rank of the last card each player knows of: simple, and different on every street.
    struct Ranks;

    impl CardAbstraction for Ranks {
        fn public_buckets(&self, _: Street) -> usize {
            13
        }
        fn private_buckets(&self, _: Street) -> usize {
            13
        }
        fn public_bucket(&self, _: Street, own_up: &[Card], _: &[Card]) -> u16 {
            own_up.last().unwrap().rank().index() as u16
        }
        fn private_bucket(&self, _: u16, situation: &Situation<'_>) -> u16 {
            situation.own_down.into_iter().last().unwrap().rank().index() as u16
        }
        fn board(&self, _: &BoardSituation<'_>, _: &mut [u16]) -> u16 {
            unreachable!("not asked for here")
        }
        fn fingerprint(&self) -> u64 {
            0
        }
    }

    #[test]
    fn rows_are_dense_and_in_order() {
        let game = StudTree::new(Rules::named("stud_bench").unwrap(), HistoryDetail::Counts).unwrap();
        let infosets = StudInfosets::new(&game, Ranks);
        let (mut next, mut rows) = (0, 0);
        infosets.for_each_row(&mut |slot, actions| {
            assert_eq!(slot, next);
            assert_eq!(infosets.slot_at(infosets.place_of(slot)), slot);
            next += actions as u64;
            rows += 1;
        });
        assert_eq!((next, rows), (infosets.slots(), infosets.rows()));
    }

    /// Two decisions share a slot exactly if street, buckets and remembered betting are the same.
    #[test]
    fn slots_are_infosets() {
        let game = StudTree::new(Rules::named("stud_bench").unwrap(), HistoryDetail::Full).unwrap();
        let infosets = StudInfosets::new(&game, Ranks);
        let mut rng = StdRng::seed_from_u64(3);
        let (mut seen, mut slots) = (HashMap::new(), HashMap::new());
        let mut visits = 0;
        for _ in 0..30_000 {
            let deal = game.deal(&mut rng);
            let view = infosets.view(&game, &deal);
            let mut node = game.root(&deal);
            let mut history = Vec::new();
            while let Turn::Decide { player, actions } = game.turn(&node, &deal) {
                let street = game.tree().street(node);
                let (own_up, up) = (game.up(&deal, player, street), game.up(&deal, 1 - player, street));
                let own_down = game.down(&deal, player, street).iter().copied().collect();
                let (river, dead) = (None, Default::default());
                let situation = Situation { street, own_down, river, own_up, opponent_up: up, dead };
                let public = Ranks.public_bucket(street, own_up, up);
                let buckets = (public, Ranks.private_bucket(public, &situation));
                let slot = infosets.slot(&view, &node, player);
                assert_eq!(slot, infosets.slot_of(street, buckets, node));
                // Full detail keeps the openers up to here; the line's later variants are not known yet.
                let line = deal.line.variant[..=street.index()].to_vec();
                let infoset = (deal.line.role(player), line, buckets, history.clone());
                assert_eq!(*seen.entry(slot).or_insert_with(|| infoset.clone()), infoset);
                assert_eq!(*slots.entry(infoset).or_insert(slot), slot);
                visits += 1;
                let action = rng.random_range(0..actions);
                history.push(action);
                node = game.act(&node, &deal, action);
            }
        }
        assert!(seen.len() * 2 < visits, "{} infosets in {visits} visits", seen.len());
    }
}
