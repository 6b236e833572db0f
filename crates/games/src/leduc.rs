//! Leduc hold'em (Southey, Bowling, Larson, Piccione, Burch, Billings and Rayner 2005), as in OpenSpiel.
//!
//! Six cards of three ranks and two suits. Both players ante one chip and get a private card; after a betting
//! round one public card is turned, and a second betting round follows. A raise is 2 chips in the first round
//! and 4 in the second, at most two raises a round; player 0 speaks first in both. A private card that pairs
//! the public one wins, else the higher rank; equal ranks split. The value to player 0 is -0.085606424078, found
//! by linear programming in the tests of `eval` (OpenSpiel: -0.085606); the two suits of a rank counted apart,
//! as OpenSpiel does, there are 936 infosets.

use crate::removal;
use doorcard_efg::{
    Block, EnumerableGame, Game, Infosets, PublicGame, PublicInfosets, PublicTurn, Rows, Stakes, Turn,
};
use num_traits::Float;
use rand::{Rng, RngExt};
use std::ops::AddAssign;

const CARDS: usize = 6;
/// The ranks; also the strength of a pair.
const RANKS: u8 = 3;
/// Actions in the order of OpenSpiel: fold (only against a raise), call or check, raise (while allowed).
const MAX_ACTIONS: usize = 3;
const RAISES: [u8; 2] = [2, 4];

/// One history of the betting, compiled.
#[derive(Clone, Copy, Debug)]
struct Compiled {
    kind: Kind,
    /// Indices of the nodes after each action.
    children: [u8; MAX_ACTIONS],
    /// Where a decision's row starts within the rows of one round and one hand.
    offset: u16,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Decide { player: u8, actions: u8, round: u8 },
    Fold { loser: u8, lost: u8 },
    Showdown { stake: u8 },
}

/// Leduc hold'em. The 85 betting histories are compiled once; a node is the number of one.
#[derive(Clone, Debug)]
pub struct Leduc {
    nodes: Vec<Compiled>,
    /// Slots of the rows of the first round for one private card, and of the second for one private and one
    /// public card.
    slots: [u16; 2],
}

/// A betting history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeducNode(u8);

/// Both players' private cards and the public one; `card / 2` is the rank, the jack being 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeducDeal {
    /// The private card of each player.
    pub private: [u8; 2],
    /// The card turned after the first round.
    pub public: u8,
}

/// The betting while it is being compiled.
#[derive(Clone, Copy)]
struct Betting {
    round: usize,
    paid: [u8; 2],
    player: usize,
    raises: u8,
    /// Whether the other player has spoken in this round.
    spoken: bool,
}

impl Leduc {
    /// The game.
    pub fn new() -> Leduc {
        let mut game = Leduc { nodes: Vec::new(), slots: [0; 2] };
        game.compile(Betting { round: 0, paid: [1, 1], player: 0, raises: 0, spoken: false });
        game
    }

    fn push(&mut self, kind: Kind) -> u8 {
        self.nodes.push(Compiled { kind, children: [0; MAX_ACTIONS], offset: 0 });
        (self.nodes.len() - 1) as u8
    }

    fn compile(&mut self, now: Betting) -> u8 {
        let Betting { round, paid, player, .. } = now;
        if round == 2 {
            return self.push(Kind::Showdown { stake: paid[0] });
        }
        let (facing_raise, may_raise) = (paid[player] < paid[1 - player], now.raises < 2);
        let actions = 1 + u8::from(facing_raise) + u8::from(may_raise);
        let node = self.push(Kind::Decide { player: player as u8, actions, round: round as u8 });
        self.nodes[usize::from(node)].offset = self.slots[round];
        self.slots[round] += u16::from(actions);

        let mut children = Vec::new();
        if facing_raise {
            children.push(self.push(Kind::Fold { loser: player as u8, lost: paid[player] }));
        }
        let called = [paid[1 - player]; 2];
        children.push(self.compile(if facing_raise || now.spoken {
            Betting { round: round + 1, paid: called, player: 0, raises: 0, spoken: false }
        } else {
            Betting { player: 1 - player, spoken: true, ..now }
        }));
        if may_raise {
            let mut raised = called;
            raised[player] += RAISES[round];
            children.push(self.compile(Betting {
                paid: raised,
                player: 1 - player,
                raises: now.raises + 1,
                spoken: true,
                ..now
            }));
        }
        self.nodes[usize::from(node)].children[..children.len()].copy_from_slice(&children);
        node
    }

    #[inline]
    fn node(&self, node: &LeducNode) -> &Compiled {
        &self.nodes[usize::from(node.0)]
    }
}

impl Default for Leduc {
    fn default() -> Leduc {
        Leduc::new()
    }
}

/// How good a private card is with a public one: its rank, a pair above all ranks.
#[inline]
fn strength(private: u8, public: u8) -> u8 {
    let rank = private / 2;
    if rank == public / 2 { RANKS } else { rank }
}

impl Game for Leduc {
    type Deal = LeducDeal;
    type Node = LeducNode;

    fn players(&self) -> usize {
        2
    }

    fn max_actions(&self) -> usize {
        MAX_ACTIONS
    }

    fn deal<R: Rng + ?Sized>(&self, rng: &mut R) -> LeducDeal {
        let mut cards: [u8; CARDS] = std::array::from_fn(|card| card as u8);
        for i in 0..3 {
            cards.swap(i, rng.random_range(i..CARDS));
        }
        LeducDeal { private: [cards[0], cards[1]], public: cards[2] }
    }

    #[inline]
    fn root(&self, _deal: &LeducDeal) -> LeducNode {
        LeducNode(0)
    }

    #[inline]
    fn turn(&self, node: &LeducNode, _deal: &LeducDeal) -> Turn {
        match self.node(node).kind {
            Kind::Decide { player, actions, .. } => {
                Turn::Decide { player: player.into(), actions: actions.into() }
            }
            _ => Turn::Over,
        }
    }

    #[inline]
    fn act(&self, node: &LeducNode, _deal: &LeducDeal, action: usize) -> LeducNode {
        LeducNode(self.node(node).children[action])
    }

    #[inline]
    fn utility(&self, node: &LeducNode, deal: &LeducDeal, player: usize) -> f64 {
        match self.node(node).kind {
            Kind::Fold { loser, lost } if usize::from(loser) == player => -f64::from(lost),
            Kind::Fold { lost, .. } => f64::from(lost),
            Kind::Showdown { stake } => {
                let strength = |player: usize| strength(deal.private[player], deal.public);
                let sign = strength(player).cmp(&strength(1 - player)) as i8;
                f64::from(sign) * f64::from(stake)
            }
            Kind::Decide { .. } => panic!("the utility of a node where play goes on"),
        }
    }
}

impl EnumerableGame for Leduc {
    fn for_each_deal(&self, f: &mut dyn FnMut(&LeducDeal, f64)) {
        for code in 0..CARDS * CARDS * CARDS {
            let [a, b, public] =
                [code / (CARDS * CARDS), code / CARDS % CARDS, code % CARDS].map(|c| c as u8);
            if a != b && a != public && b != public {
                f(&LeducDeal { private: [a, b], public }, 1.0 / 120.0);
            }
        }
    }
}

/// What has been dealt, in public form. A hand is a private card, counted among those that are not the
/// public one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeducBoard {
    /// No cards.
    Start,
    /// Private cards.
    Private,
    /// Private cards and this public card.
    Public(u8),
}

/// The private card of every hand by public card, which is also the hand's number before the public card. Shape:
/// `[public card][hand]`.
static OTHERS: [[u32; CARDS - 1]; CARDS] = {
    let mut others = [[0; CARDS - 1]; CARDS];
    let mut public = 0;
    while public < CARDS {
        let mut hand = 0;
        while hand < CARDS - 1 {
            others[public][hand] = (hand + (hand >= public) as usize) as u32;
            hand += 1;
        }
        public += 1;
    }
    others
};

/// Leduc hold'em in public form.
#[derive(Clone, Debug)]
pub struct PublicLeduc {
    game: Leduc,
}

impl PublicLeduc {
    /// The public form of `game`.
    pub fn new(game: &Leduc) -> PublicLeduc {
        PublicLeduc { game: game.clone() }
    }
}

impl PublicGame for PublicLeduc {
    type Node = LeducNode;
    type Board = LeducBoard;

    fn max_actions(&self) -> usize {
        MAX_ACTIONS
    }

    fn root(&self) -> (LeducNode, LeducBoard) {
        (LeducNode(0), LeducBoard::Start)
    }

    #[inline]
    fn turn(&self, node: LeducNode, board: &LeducBoard) -> PublicTurn {
        match (self.game.node(&node).kind, board) {
            (_, LeducBoard::Start) | (Kind::Decide { round: 1, .. }, LeducBoard::Private) => {
                PublicTurn::Chance
            }
            (Kind::Decide { player, actions, .. }, _) => {
                PublicTurn::Decide { player: player.into(), actions: actions.into() }
            }
            (Kind::Fold { loser, .. }, _) => PublicTurn::Fold { player: loser.into() },
            (Kind::Showdown { .. }, _) => PublicTurn::Showdown,
        }
    }

    #[inline]
    fn act(&self, node: LeducNode, _: &LeducBoard, action: usize) -> LeducNode {
        LeducNode(self.game.node(&node).children[action])
    }

    fn outcomes(&self, _: LeducNode, board: &LeducBoard) -> usize {
        if *board == LeducBoard::Start { 1 } else { CARDS }
    }

    fn outcome(&self, node: LeducNode, board: &LeducBoard, index: usize) -> (LeducNode, LeducBoard) {
        let start = *board == LeducBoard::Start;
        (node, if start { LeducBoard::Private } else { LeducBoard::Public(index as u8) })
    }

    fn hands(&self, _: LeducNode, board: &LeducBoard, _: usize) -> usize {
        match board {
            LeducBoard::Start => 1,
            LeducBoard::Private => CARDS,
            LeducBoard::Public(_) => CARDS - 1,
        }
    }

    fn parents(&self, _: LeducNode, board: &LeducBoard, _: usize) -> &[u32] {
        match *board {
            LeducBoard::Start => &[],
            LeducBoard::Private => &[0; CARDS],
            LeducBoard::Public(public) => &OTHERS[usize::from(public)],
        }
    }

    fn deals(&self, _: LeducNode, board: &LeducBoard) -> f64 {
        match board {
            LeducBoard::Start => 1.0,
            LeducBoard::Private => (CARDS * (CARDS - 1)) as f64,
            LeducBoard::Public(_) => (CARDS * (CARDS - 1) * (CARDS - 2)) as f64,
        }
    }

    /// Counts the chips that were matched; the rest of an unanswered raise goes back to who made it.
    ///
    /// # Panics
    /// If play goes on at the node.
    fn stakes(&self, node: LeducNode, _: &LeducBoard, _: usize) -> Stakes {
        match self.game.node(&node).kind {
            Kind::Fold { lost: paid, .. } | Kind::Showdown { stake: paid } => {
                Stakes { pot: 2.0 * f64::from(paid), paid: f64::from(paid) }
            }
            Kind::Decide { .. } => panic!("the stakes of a node where play goes on"),
        }
    }

    #[inline]
    fn compatible<F: Float + AddAssign>(
        &self,
        _: LeducNode,
        _: &LeducBoard,
        _: usize,
        reach: &[F],
        compatible: &mut [F],
    ) {
        removal::compatible(reach, compatible);
    }

    /// # Panics
    /// Before the public card.
    #[inline]
    fn contest<F: Float + AddAssign>(
        &self,
        _: LeducNode,
        board: &LeducBoard,
        _: usize,
        reach: &[F],
        compatible: &mut [F],
        share: &mut [F],
    ) {
        let &LeducBoard::Public(public) = board else { panic!("a showdown without a public card") };
        let cards = &OTHERS[usize::from(public)];
        removal::compatible(reach, compatible);
        let strength = |hand: usize| usize::from(strength(cards[hand] as u8, public));
        removal::shares(strength, [F::zero(); RANKS as usize + 1], reach, share);
    }
}

/// Every private and public card at every history an infoset of its own. Rows lie as
/// `[private card][history][action]` in the first round, after them as
/// `[public card][private card among the others][history][action]` in the second.
#[derive(Clone, Debug)]
pub struct LeducInfosets {
    nodes: Vec<Compiled>,
    slots: [u64; 2],
}

/// Where the rows of a deal start. Shape: `[round][player]`. Units: slots.
pub type LeducView = [[u64; 2]; 2];

impl LeducInfosets {
    /// The lossless infosets of `game`.
    pub fn new(game: &Leduc) -> LeducInfosets {
        LeducInfosets { nodes: game.nodes.clone(), slots: game.slots.map(u64::from) }
    }

    /// The first slot of the second round with this public card.
    #[inline]
    fn second_round(&self, public: u8) -> u64 {
        CARDS as u64 * self.slots[0] + u64::from(public) * (CARDS as u64 - 1) * self.slots[1]
    }

    fn decisions(&self, wanted: u8) -> impl Iterator<Item = (u64, usize)> {
        self.nodes.iter().filter_map(move |node| match node.kind {
            Kind::Decide { actions, round, .. } if round == wanted => {
                Some((u64::from(node.offset), usize::from(actions)))
            }
            _ => None,
        })
    }
}

impl Rows for LeducInfosets {
    fn rows(&self) -> u64 {
        let [first, second] = [0, 1].map(|round| self.decisions(round).count() as u64);
        CARDS as u64 * (first + (CARDS as u64 - 1) * second)
    }

    fn slots(&self) -> u64 {
        self.second_round(CARDS as u8)
    }

    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        let mut base = 0;
        for (round, hands) in [(0, CARDS), (1, CARDS * (CARDS - 1))] {
            for _hand in 0..hands {
                self.decisions(round).for_each(|(offset, actions)| f(base + offset, actions));
                base += self.slots[usize::from(round)];
            }
        }
    }
}

impl Infosets<Leduc> for LeducInfosets {
    type View = LeducView;

    #[inline]
    fn view(&self, _game: &Leduc, deal: &LeducDeal) -> LeducView {
        let private = deal.private.map(|card| u64::from(card) * self.slots[0]);
        let public = deal.private.map(|card| {
            let hand = u64::from(card) - u64::from(card > deal.public);
            self.second_round(deal.public) + hand * self.slots[1]
        });
        [private, public]
    }

    #[inline]
    fn slot(&self, view: &LeducView, node: &LeducNode, player: usize) -> u64 {
        let node = &self.nodes[usize::from(node.0)];
        let Kind::Decide { round, .. } = node.kind else {
            panic!("the infoset of a node where play is over")
        };
        view[usize::from(round)][player] + u64::from(node.offset)
    }
}

impl PublicInfosets<PublicLeduc> for LeducInfosets {
    /// # Panics
    /// If nobody is to move.
    #[inline]
    fn block(&self, _: &PublicLeduc, node: LeducNode, board: &LeducBoard, _: usize) -> Block<'_> {
        const HANDS: &[u32; CARDS] = &[0, 1, 2, 3, 4, 5];
        let offset = u64::from(self.nodes[usize::from(node.0)].offset);
        match *board {
            LeducBoard::Start => panic!("the infosets before the cards are dealt"),
            LeducBoard::Private => Block { base: offset, stride: self.slots[0], buckets: HANDS },
            LeducBoard::Public(public) => Block {
                base: self.second_round(public) + offset,
                stride: self.slots[1],
                buckets: &HANDS[..CARDS - 1],
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorcard_efg::conformance::{public_form_agrees, random_playouts};
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use std::collections::{BTreeMap, BTreeSet};

    fn play(game: &Leduc, actions: &[usize]) -> LeducNode {
        let deal = LeducDeal { private: [0, 1], public: 2 };
        actions.iter().fold(game.root(&deal), |node, &action| game.act(&node, &deal, action))
    }

    #[test]
    fn conforms() {
        random_playouts(&Leduc::new(), 2000, 8, &mut StdRng::seed_from_u64(1));
    }

    #[test]
    fn the_public_form_agrees() {
        let game = Leduc::new();
        let (public, infosets) = (PublicLeduc::new(&game), LeducInfosets::new(&game));
        for seed in 0..5 {
            public_form_agrees(&game, &infosets, &public, &infosets, &mut StdRng::seed_from_u64(seed));
        }
    }

    #[test]
    fn the_tree_has_the_size_of_openspiel() {
        let game = Leduc::new();
        // 9,457 histories, counting the chance nodes, in OpenSpiel's tree.
        let decisions = |round| {
            game.nodes
                .iter()
                .filter(|n| matches!(n.kind, Kind::Decide { round: r, .. } if r == round))
                .count()
        };
        let folds = |round| if round == 0 { 4 } else { 20 };
        let showdowns = game.nodes.iter().filter(|n| matches!(n.kind, Kind::Showdown { .. })).count();
        let chance = 1 + 6 + 30 * 5;
        let histories = chance + 30 * (decisions(0) + folds(0)) + 120 * (decisions(1) + folds(1) + showdowns);
        assert_eq!((game.nodes.len(), histories), (85, 9457));
    }

    #[test]
    fn payoffs() {
        let game = Leduc::new();
        let deal = |a, b, public| LeducDeal { private: [a, b], public };
        let value = |actions: &[usize], deal| game.utility(&play(&game, actions), &deal, 0);
        // Raise, raise, fold: player 0 loses the ante and its raise of 2.
        assert_eq!(value(&[1, 2, 0], deal(5, 0, 2)), -3.0);
        // Check, check, check, check: the ante.
        assert_eq!(value(&[0, 0, 0, 0], deal(4, 2, 1)), 1.0);
        assert_eq!(value(&[0, 0, 0, 0], deal(4, 2, 3)), -1.0);
        assert_eq!(value(&[0, 0, 0, 0], deal(4, 5, 0)), 0.0);
        // Two raises in both rounds: 1 + 2 * 2 + 2 * 4.
        assert_eq!(value(&[1, 2, 1, 1, 2, 1], deal(1, 2, 0)), 13.0);
    }

    #[test]
    fn every_infoset_is_its_own_row_and_is_reached() {
        let game = Leduc::new();
        let infosets = LeducInfosets::new(&game);
        let mut seen = BTreeMap::new();
        let mut rows = BTreeMap::new();
        infosets.for_each_row(&mut |slot, actions| assert!(rows.insert(slot, actions).is_none()));
        game.for_each_deal(&mut |deal, _| {
            let view = infosets.view(&game, deal);
            let mut stack = vec![game.root(deal)];
            while let Some(node) = stack.pop() {
                let Turn::Decide { player, actions } = game.turn(&node, deal) else { continue };
                let Kind::Decide { round, .. } = game.node(&node).kind else { unreachable!() };
                let slot = infosets.slot(&view, &node, player);
                let knows = (deal.private[player], (round == 1).then_some(deal.public), node.0);
                assert_eq!(*seen.entry(slot).or_insert(knows), knows);
                assert_eq!(rows[&slot], actions);
                stack.extend((0..actions).map(|action| game.act(&node, deal, action)));
            }
        });
        assert_eq!(seen.len(), 936);
        assert_eq!((infosets.rows(), rows.len()), (936, 936));
        assert_eq!(seen.into_values().collect::<BTreeSet<_>>().len(), 936);
        let (last, actions) = rows.last_key_value().unwrap();
        assert_eq!(last + *actions as u64, infosets.slots());
    }
}
