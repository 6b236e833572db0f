//! Small games over boards: every board of a [`PublicGame`] listed, so that the solver that trains stud is proven on
//! games that are solved exactly.
//!
//! A board is one way for all public chance to fall; a hand is one of the hands that a player may hold in the end, and
//! what it was in earlier rounds follows from [`PublicGame::parents`]. Private cards dealt late are thus part of a hand
//! here, where stud's boards fix them.

use doorcard_efg::{
    BoardGame, CardBoards, Entry, PublicGame, PublicInfosets, PublicTurn, RoundEnd, RoundNode, RoundStep,
    RoundTree, TablePlace, padded,
};
use rand::{Rng, RngExt};
use std::collections::HashMap;

/// See the module's documentation in the source.
pub struct ListedBoards<'a, G: PublicGame> {
    game: &'a G,
    boards: Vec<Listed<G>>,
    rounds: usize,
    /// The most private buckets of a block. Shape: `[round]`.
    private: Vec<usize>,
    /// How many numbers an action of a block has. Shape: `[round]`.
    lanes: Vec<usize>,
    length: u64,
    cuts: Vec<u64>,
    /// Place, round and actions of every block.
    blocks: Vec<(u64, usize, usize)>,
    /// Shape: `[slot]`.
    places: Vec<TablePlace>,
    deals: f64,
    most_hands: usize,
}

/// One board.
struct Listed<G: PublicGame> {
    /// The state in which hands are compared, and the board there.
    showdown: (G::Node, G::Board),
    entries: Vec<ListedEntry>,
    /// Shape: `[player][round][hand]`.
    buckets: [Vec<Vec<u16>>; 2],
}

struct ListedEntry {
    round: usize,
    tree: RoundTree,
    opener: usize,
    /// By end: the entry that follows.
    next: Vec<u32>,
    /// By player: where the blocks begin.
    first: [u64; 2],
}

/// The table while it is laid out.
#[derive(Default)]
struct Layout {
    length: u64,
    cuts: Vec<u64>,
    blocks: Vec<(u64, usize, usize)>,
    /// Where the blocks of a player begin whose first row of the entry stands at this slot.
    regions: HashMap<u64, u64>,
    places: HashMap<u64, TablePlace>,
}

impl<'a, G: PublicGame> ListedBoards<'a, G> {
    /// Lists the boards of a game with these infosets.
    ///
    /// # Panics
    /// If the game is not one of rounds in which both players have put in the same, or bets differ by who asks.
    pub fn new<I: PublicInfosets<G>>(game: &'a G, infosets: &I) -> ListedBoards<'a, G> {
        ListedBoards::with_lanes(game, infosets, &[])
    }

    /// As [`ListedBoards::new`], with blocks of at least so many lanes in each round: those of a player whose tables lie
    /// beside these.
    ///
    /// # Panics
    /// As [`ListedBoards::new`].
    pub fn with_lanes<I: PublicInfosets<G>>(
        game: &'a G,
        infosets: &I,
        least: &[usize],
    ) -> ListedBoards<'a, G> {
        let (node, board) = game.root();
        let mut paths = Vec::new();
        list(game, node, board, &mut Vec::new(), &mut paths);
        let rounds = paths.first().map_or(0, Vec::len);
        let mut private = vec![1; rounds];
        for path in &paths {
            for (round, (node, board, _)) in path.iter().enumerate() {
                let PublicTurn::Decide { player, .. } = game.turn(*node, board) else { continue };
                let block = infosets.block(game, *node, board, player);
                let most = block.buckets.iter().max().map_or(0, |&most| most as usize + 1);
                private[round] = private[round].max(most);
            }
        }
        let least = least.iter().copied().chain(std::iter::repeat(0));
        let lanes: Vec<usize> =
            private.iter().zip(least).map(|(&private, least)| padded(private).max(least)).collect();
        let mut layout = Layout { cuts: vec![0], ..Layout::default() };
        let boards: Vec<Listed<G>> =
            paths.iter().map(|path| Listed::new(game, infosets, path, &lanes, &mut layout)).collect();
        let mut places = vec![TablePlace { first: 0, stride: 0 }; infosets.slots() as usize];
        for (slot, place) in layout.places {
            places[slot as usize] = place;
        }
        let first = boards.first().expect("a game has boards");
        let deals = game.deals(first.showdown.0, &first.showdown.1) / boards.len() as f64;
        let most_hands = boards.iter().map(|board| board.buckets[0][0].len()).max().unwrap_or(0);
        ListedBoards {
            game,
            boards,
            rounds,
            private,
            lanes,
            length: layout.length,
            cuts: layout.cuts,
            blocks: layout.blocks,
            places,
            deals,
            most_hands,
        }
    }

    /// How many boards there are; they are numbered from 0 and all as likely.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }
}

/// The states at which the rounds of a board begin, along one line of betting, and the outcome of chance that led there.
type Path<G> = Vec<(<G as PublicGame>::Node, <G as PublicGame>::Board, usize)>;

/// Lists the boards below a chance node.
fn list<G: PublicGame>(
    game: &G,
    node: G::Node,
    board: G::Board,
    path: &mut Path<G>,
    paths: &mut Vec<Path<G>>,
) {
    for outcome in 0..game.outcomes(node, &board) {
        let (first, board) = game.outcome(node, &board, outcome);
        path.push((first, board.clone(), outcome));
        let mut at = first;
        // The shortest line that goes on: never fold, never raise where that can be avoided.
        loop {
            match game.turn(at, &board) {
                PublicTurn::Decide { actions, .. } => {
                    let goes_on = |&action: &usize| {
                        !matches!(game.turn(game.act(at, &board, action), &board), PublicTurn::Fold { .. })
                    };
                    let action = (0..actions).find(goes_on).expect("an action that does not fold");
                    at = game.act(at, &board, action);
                }
                PublicTurn::Chance => {
                    list(game, at, board.clone(), path, paths);
                    break;
                }
                PublicTurn::Showdown => {
                    paths.push(path.clone());
                    break;
                }
                PublicTurn::Fold { .. } => unreachable!("folds are not taken"),
            }
        }
        path.pop();
    }
}

impl<G: PublicGame> Listed<G> {
    fn new<I: PublicInfosets<G>>(
        game: &G,
        infosets: &I,
        path: &Path<G>,
        lanes: &[usize],
        layout: &mut Layout,
    ) -> Listed<G> {
        let (last, board, _) = path.last().expect("a round");
        // Hands of the last round, and what they were before.
        let ancestors: [Vec<Vec<u32>>; 2] = [0, 1].map(|player| {
            let mut hands: Vec<Vec<u32>> = vec![(0..game.hands(*last, board, player) as u32).collect()];
            for (node, board, _) in path[1..].iter().rev() {
                let parents = game.parents(*node, board, player);
                let earlier = hands.last().expect("begins with one");
                hands.push(earlier.iter().map(|&hand| parents[hand as usize]).collect());
            }
            hands.reverse();
            hands
        });
        let mut listed = Listed {
            showdown: (*last, board.clone()),
            entries: Vec::new(),
            buckets: ancestors
                .clone()
                .map(|rounds| rounds.iter().map(|hands| vec![0; hands.len()]).collect()),
        };
        let mut known = vec![(0, path[0].0)];
        let mut at = 0;
        while at < known.len() {
            let (round, node) = known[at];
            let entry =
                listed.entry(game, infosets, path, (round, node), &ancestors, lanes, layout, &mut known);
            listed.entries.push(entry);
            at += 1;
        }
        listed
    }

    #[allow(clippy::too_many_arguments)]
    fn entry<I: PublicInfosets<G>>(
        &mut self,
        game: &G,
        infosets: &I,
        path: &Path<G>,
        (round, root): (usize, G::Node),
        ancestors: &[Vec<Vec<u32>>; 2],
        lanes: &[usize],
        layout: &mut Layout,
        known: &mut Vec<(usize, G::Node)>,
    ) -> ListedEntry {
        let board = &path[round].1;
        let PublicTurn::Decide { player: opener, .. } = game.turn(root, board) else {
            panic!("a round begins with a decision")
        };
        let mut tree = RoundTree::default();
        let mut next = Vec::new();
        let mut states = Vec::new();
        let mut open = vec![(root, None)];
        // Depth first; a node's step is filled in once its child has a number.
        while let Some((node, from)) = open.pop() {
            let number = tree.nodes.len();
            let paid = |player| game.stakes(node, board, player).paid;
            let step = match game.turn(node, board) {
                PublicTurn::Decide { player, actions } => {
                    let position = player ^ opener;
                    let steps = vec![RoundStep::Node(0); actions];
                    tree.nodes.push(RoundNode { position, slot: tree.slots, next: steps });
                    tree.slots += actions;
                    states.push((node, player));
                    for action in (0..actions).rev() {
                        open.push((game.act(node, board, action), Some((number, action))));
                    }
                    RoundStep::Node(number)
                }
                PublicTurn::Fold { player } => {
                    tree.ends.push(RoundEnd::Fold { position: player ^ opener, wager: paid(player) });
                    next.push(u32::MAX);
                    RoundStep::End(tree.ends.len() - 1)
                }
                PublicTurn::Showdown => {
                    self.showdown = (node, board.clone());
                    tree.ends.push(RoundEnd::Matched { wager: paid(0) });
                    next.push(u32::MAX);
                    RoundStep::End(tree.ends.len() - 1)
                }
                PublicTurn::Chance => {
                    let number = known.len() as u32;
                    known.push((round + 1, game.outcome(node, board, path[round + 1].2).0));
                    tree.ends.push(RoundEnd::Matched { wager: 0.0 });
                    next.push(number);
                    RoundStep::End(tree.ends.len() - 1)
                }
            };
            if let Some((parent, action)) = from {
                tree.nodes[parent].next[action] = step;
            }
        }
        let lanes = lanes[round];
        let mut first = [0; 2];
        for player in 0..2 {
            let own: Vec<(usize, G::Node)> = states
                .iter()
                .enumerate()
                .filter(|(_, state)| state.1 == player)
                .map(|(number, state)| (number, state.0))
                .collect();
            let Some(&(_, node)) = own.first() else { continue };
            let key = infosets.block(game, node, board, player).base;
            first[player] = *layout.regions.entry(key).or_insert_with(|| {
                let at = layout.length;
                layout.length += (tree.slots * lanes) as u64;
                layout.cuts.push(layout.length);
                layout.blocks.extend(own.iter().map(|&(number, _)| {
                    let node = &tree.nodes[number];
                    (at + (node.slot * lanes) as u64, round, node.next.len())
                }));
                at
            });
            for (number, node) in own {
                let block = infosets.block(game, node, board, player);
                let at = first[player] + (tree.nodes[number].slot * lanes) as u64;
                for (bucket, &hand) in self.buckets[player][round].iter_mut().zip(&ancestors[player][round]) {
                    *bucket = block.buckets[hand as usize] as u16;
                    let slot = block.slot(hand as usize);
                    let place = TablePlace { first: at + u64::from(*bucket), stride: lanes as u64 };
                    layout.places.insert(slot, place);
                }
            }
        }
        ListedEntry { round, tree, opener, next, first }
    }
}

impl<G: PublicGame> BoardGame for ListedBoards<'_, G> {
    /// The number of a board.
    type Board = usize;

    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> usize {
        self.draw_cards(rng)
    }

    fn rounds(&self) -> usize {
        self.rounds
    }

    fn max_hands(&self) -> usize {
        self.most_hands
    }

    fn private_buckets(&self, round: usize) -> usize {
        self.private[round]
    }

    fn lanes(&self, round: usize) -> usize {
        self.lanes[round]
    }

    fn table_len(&self) -> u64 {
        self.length
    }

    fn cuts(&self) -> Vec<u64> {
        self.cuts.clone()
    }

    fn for_each_block(&self, f: &mut dyn FnMut(u64, usize, usize)) {
        self.blocks.iter().for_each(|&(first, round, actions)| f(first, round, actions));
    }

    fn hands(&self, &board: &usize, player: usize) -> usize {
        self.boards[board].buckets[player][0].len()
    }

    fn buckets<'a>(&'a self, &board: &'a usize, player: usize, round: usize) -> &'a [u16] {
        &self.boards[board].buckets[player][round]
    }

    fn root(&self, _: &usize) -> u32 {
        0
    }

    fn entry<'a>(&'a self, &board: &'a usize, entry: u32) -> Entry<'a> {
        let ListedEntry { round, tree, opener, .. } = &self.boards[board].entries[entry as usize];
        Entry { round: *round, tree, opener: *opener, paid: 0.0 }
    }

    fn next_entry(&self, &board: &usize, entry: u32, end: usize) -> u32 {
        self.boards[board].entries[entry as usize].next[end]
    }

    fn block(&self, &board: &usize, entry: u32, player: usize) -> u64 {
        self.boards[board].entries[entry as usize].first[player]
    }

    fn contest(
        &self,
        &board: &usize,
        player: usize,
        against: usize,
        compatible: &mut [f32],
        share: &mut [f32],
    ) {
        let (node, state) = &self.boards[board].showdown;
        let mut reach = vec![0.0; self.hands(&board, 1 - player)];
        reach[against] = 1.0;
        self.game.contest(*node, state, player, &reach, compatible, share);
    }

    fn deals(&self) -> f64 {
        self.deals
    }

    fn place(&self, slot: u64) -> TablePlace {
        self.places[slot as usize]
    }
}

/// Boards are numbered alike whatever the infosets.
impl<G: PublicGame> CardBoards for ListedBoards<'_, G> {
    /// The number of a board.
    type Cards = usize;

    fn draw_cards<R: Rng + ?Sized>(&self, rng: &mut R) -> usize {
        rng.random_range(0..self.boards.len())
    }

    fn board_of(&self, &board: &usize) -> usize {
        board
    }
}
