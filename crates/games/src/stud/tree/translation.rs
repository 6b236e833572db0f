//! Action translation: the decisions of one game read as those of another, which differs in the double bet.
//!
//! A strategy that was trained without the double bet can sit at a table that has it: it takes a bet of either size for
//! the bet it knows, and makes the smaller. That is what a solver amounts to which leaves the double bet out, and the way
//! to measure what leaving it out costs.
//!
//! Actions are matched by kind and raises in order of size: the first with the first, the second with the second, and
//! what one game has more of with the largest of the other.

use super::{BettingTree, MAX_ACTIONS, NO_ENTRY, Position, Turn};
use crate::stud::{Action, Street};
use arrayvec::ArrayVec;
use std::collections::{HashSet, VecDeque};

/// A decision, and the one it is read as. Both lie within row blocks of the same street.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// The first slot of the decision.
    pub slot: u32,
    /// The first slot of the decision that it is read as, in the other game.
    pub as_slot: u32,
    /// By action of the other game: the action of this one that it is played as. The others are never taken.
    pub played_as: ArrayVec<u8, MAX_ACTIONS>,
}

/// Every decision of a game, read as one of another.
#[derive(Clone, Debug)]
pub struct Translation {
    streets: [Vec<Option<Translated>>; 5],
}

impl Translation {
    /// Reads the decisions of `game` as those of `other`.
    ///
    /// Where histories that share a row of `game` are told apart by `other`, as wagers of two small bets and of a double one
    /// are in [`HistoryDetail::Aggressor`](super::HistoryDetail), the first of a breadth-first walk is read, small bets first.
    ///
    /// # Panics
    /// If the trees remember differently much of the betting, or their rules differ in more than the double bet.
    pub fn new(game: &BettingTree, other: &BettingTree) -> Translation {
        assert_eq!(game.detail, other.detail, "trees that remember the betting alike");
        let streets = std::array::from_fn(|street| vec![None; game.sizes[street].slots as usize]);
        let mut translation = Translation { streets };
        let roots = (game.root(), other.root());
        let mut open = VecDeque::from([roots]);
        let mut seen = HashSet::from([roots]);
        while let Some((mine, theirs)) = open.pop_front() {
            for next in translation.visit((game, mine), (other, theirs)) {
                if seen.insert(next) {
                    open.push_back(next);
                }
            }
        }
        translation
    }

    /// The decision of this game whose first slot within a street's row block is `slot`.
    ///
    /// # Panics
    /// If no decision begins there.
    pub fn of(&self, street: Street, slot: u32) -> &Translated {
        self.streets[street.index()][slot as usize].as_ref().expect("the slot of a decision")
    }

    /// Reads one decision, and returns the positions that follow in both games.
    fn visit(
        &mut self,
        (game, mine): (&BettingTree, Position),
        (other, theirs): (&BettingTree, Position),
    ) -> Vec<(Position, Position)> {
        let is_decision = |tree: &BettingTree, at| matches!(tree.turn(at), Turn::Decide { .. });
        match (is_decision(game, mine), is_decision(other, theirs)) {
            (true, true) => {}
            (false, false) => return next_street((game, mine), (other, theirs)),
            _ => panic!("rules that differ in more than the double bet"),
        }
        let (actions, known) = (game.actions(mine), other.actions(theirs));
        let read = Translated {
            slot: game.slot(mine),
            as_slot: other.slot(theirs),
            played_as: known.iter().map(|&action| counterpart(action, known, actions)).collect(),
        };
        let street = game.street(mine).index();
        self.streets[street][read.slot as usize].get_or_insert(read);
        let follow = |(index, &action): (usize, &Action)| {
            let as_known = counterpart(action, actions, known);
            (game.act_in_round(mine, index), other.act_in_round(theirs, as_known.into()))
        };
        actions.iter().enumerate().map(follow).collect()
    }
}

/// Of `to`, the action that matches `action` of `from`.
fn counterpart(action: Action, from: &[Action], to: &[Action]) -> u8 {
    let is_raise = |action: &Action| matches!(action, Action::RaiseTo(_));
    let index = if is_raise(&action) {
        let nth = from.iter().filter(|other| is_raise(other)).position(|&other| other == action);
        let raises = (0..to.len()).filter(|&index| is_raise(&to[index])).take(1 + nth.unwrap_or(0));
        raises.last()
    } else {
        to.iter().position(|&other| other == action)
    };
    index.expect("rules that differ in the double bet alone") as u8
}

/// The first positions of the next street, for whatever cards may come; none where the hand is over.
fn next_street(
    (game, mine): (&BettingTree, Position),
    (other, theirs): (&BettingTree, Position),
) -> Vec<(Position, Position)> {
    let (Some((my_links, entry)), Some((their_links, _))) = (game.links(mine), other.links(theirs)) else {
        return Vec::new();
    };
    let street = Street::ALL[usize::from(entry.street) + 1];
    let mut next = Vec::new();
    for opener in 0..2 {
        for pairs in [[false, false], [true, false], [false, true], [true, true]] {
            let link = |tree: &BettingTree, links: usize| {
                tree.links[links + usize::from(tree.variant(street, opener, pairs))]
            };
            let (mine, theirs) = (link(game, my_links), link(other, their_links));
            if mine != NO_ENTRY && theirs != NO_ENTRY {
                next.push((Position { entry: mine, at: 0 }, Position { entry: theirs, at: 0 }));
            }
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stud::Rules;
    use crate::stud::tree::{HistoryDetail, StudTree};
    use doorcard_efg::Game;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    fn compiled(profile: &str, detail: HistoryDetail) -> StudTree {
        StudTree::new(Rules::named(profile).unwrap(), detail).unwrap()
    }

    #[test]
    fn a_game_reads_itself() {
        for detail in [HistoryDetail::Counts, HistoryDetail::Aggressor] {
            let game = compiled("stud_bench", detail);
            let translation = Translation::new(game.tree(), game.tree());
            for street in Street::ALL {
                for &(slot, actions) in game.tree().rows(street) {
                    let read = translation.of(street, slot);
                    assert_eq!((read.slot, read.as_slot), (slot, slot));
                    assert!(read.played_as.iter().copied().eq(0..actions), "{read:?}");
                }
            }
        }
    }

    /// Random hands of the game with the double bet, followed in the game without it by kinds of actions alone.
    #[test]
    fn double_bets_are_read_as_bets() {
        let (game, other) = (
            compiled("stud_bench", HistoryDetail::Counts),
            compiled("stud_bench_nodouble", HistoryDetail::Counts),
        );
        let translation = Translation::new(game.tree(), other.tree());
        let mut rng = StdRng::seed_from_u64(5);
        let (mut doubled, mut decisions) = (0, 0);
        for _ in 0..20_000 {
            let deal = game.deal(&mut rng);
            let line = other.deal_of(deal.down, deal.up).line;
            let (mut at, mut known) = (game.tree().root(), other.tree().root());
            while let Turn::Decide { actions, .. } = game.tree().turn(at) {
                let street = game.tree().street(at);
                let read = translation.of(street, game.tree().slot(at));
                assert_eq!(read.as_slot, other.tree().slot(known));
                let [menu, known_menu] = [game.tree().actions(at), other.tree().actions(known)];
                let kinds = |menu: &[Action]| menu.iter().map(std::mem::discriminant).collect::<Vec<_>>();
                let mut kept = kinds(menu);
                kept.dedup();
                assert_eq!(kept, kinds(known_menu), "fold, call, one raise");
                for (action, &played) in read.played_as.iter().enumerate() {
                    assert_eq!(
                        std::mem::discriminant(&menu[usize::from(played)]),
                        std::mem::discriminant(&known_menu[action])
                    );
                }
                // Of two sizes it makes the smaller.
                let raises = menu.iter().filter(|action| matches!(action, Action::RaiseTo(_))).count();
                doubled += usize::from(raises == 2);
                let smallest = menu.iter().position(|action| matches!(action, Action::RaiseTo(_)));
                if let Some(smallest) = smallest {
                    assert_eq!(usize::from(*read.played_as.last().unwrap()), smallest);
                }
                let action = rng.random_range(0..actions);
                let kind = std::mem::discriminant(&menu[action]);
                let as_known = known_menu.iter().position(|known| std::mem::discriminant(known) == kind);
                at = game.tree().act(at, &deal.line, action);
                known = other.tree().act(known, &line, as_known.unwrap());
                decisions += 1;
            }
            assert!(!matches!(other.tree().turn(known), Turn::Decide { .. }));
        }
        assert!(doubled > 1_000 && decisions > 50_000, "{doubled} of {decisions}");
    }

    /// And the other way round: what one game has more of goes to the largest of the other.
    #[test]
    fn a_strategy_with_the_double_bet_plays_without_it() {
        let (game, other) = (
            compiled("stud_bench_nodouble", HistoryDetail::Counts),
            compiled("stud_bench", HistoryDetail::Counts),
        );
        let translation = Translation::new(game.tree(), other.tree());
        for &(slot, actions) in game.tree().rows(Street::Fourth) {
            let read = translation.of(Street::Fourth, slot);
            assert!(read.played_as.iter().all(|&action| action < actions));
        }
    }
}
