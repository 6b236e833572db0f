//! The infosets of small stud games, card by card: exact, or with cards that a player cannot tell apart.
//!
//! An infoset is a seat, the [labels](CardLabels) of its own up cards, of the opponent's and of its own down cards, each
//! in the order dealt, and the place in the betting tree, which tells who opened each street and whether the double bet
//! was open. The seat belongs to it: seat 0 opens when showing hands are
//! equal, so that the seats are not interchangeable in an exact solution. With a label for every card and the whole
//! betting kept ([`HistoryDetail::Full`]) the infosets are those of the game. With fewer labels a player still
//! remembers all it has seen (perfect recall); with less of the betting it does not.
//!
//! **Layout.** `[public class][seat][place in the betting tree][hand][action]`, without gaps. A public class is what both
//! seats know of the up cards on one street, with who brings in and, where the whole betting is kept, who opened each
//! street so far; it has rows only for the places that its cards lead to. All hands of a node lie together, since a
//! vector visits them at once. Classes come in the order of the boards, so that without lost cards all rows below an
//! outcome of the root are one range.

use crate::AbstractionError;
use doorcard_cards::{Card, Suit};
use doorcard_efg::fault::{Fault, planted};
use doorcard_efg::{Block, Infosets, PublicGame, PublicInfosets, Rows};
use doorcard_games::stud::Street;
use doorcard_games::stud::tree::{
    BettingTree, HistoryDetail, Line, Position, PublicStud, StudBoard, StudDeal, StudTree, Turn,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// What a player sees of a card: cards with the same label cannot be told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardLabels {
    name: String,
    /// The label of every card: the first card that has it.
    labels: [u8; 52],
}

impl CardLabels {
    /// Every card as it is.
    pub fn lossless() -> CardLabels {
        CardLabels::new("lossless", Card::index)
    }

    /// Ranks alone.
    pub fn ranks() -> CardLabels {
        CardLabels::new("ranks", |card| card.rank().index())
    }

    /// Cards have one label if they have one `kind`.
    fn new(name: &str, kind: impl Fn(Card) -> usize) -> CardLabels {
        let first = |card: &Card| Card::all().position(|other| kind(other) == kind(*card));
        let labels = std::array::from_fn(|card| {
            let card = Card::from_index(card as u8);
            first(&card).unwrap_or(card.index()) as u8
        });
        CardLabels { name: name.into(), labels }
    }

    /// The labels of this name: `lossless`, `ranks`, or groups of ranks such as `9T JQ KA`. Suits are not seen with
    /// groups; a rank in none of them is one by itself.
    ///
    /// # Errors
    /// If it is none of these, or a rank is in two groups.
    pub fn named(name: &str) -> Result<CardLabels, AbstractionError> {
        match name {
            "lossless" => return Ok(CardLabels::lossless()),
            "ranks" => return Ok(CardLabels::ranks()),
            _ => {}
        }
        let fault = |expected: &str| AbstractionError::Setting {
            origin: "card labels".into(),
            field: "labels".into(),
            value: name.into(),
            expected: expected.into(),
        };
        let mut group_of: [Option<usize>; 13] = [None; 13];
        for group in name.split_whitespace() {
            let mut first = None;
            for letter in group.chars() {
                let rank = "23456789TJQKA".find(letter);
                let rank =
                    rank.ok_or_else(|| fault("lossless, ranks, or groups of ranks such as 9T JQ KA"))?;
                if group_of[rank].replace(*first.get_or_insert(rank)).is_some() {
                    return Err(fault("every rank once at most"));
                }
            }
        }
        if group_of.iter().all(Option::is_none) {
            return Err(fault("lossless, ranks, or groups of ranks such as 9T JQ KA"));
        }
        Ok(CardLabels::new(name, |card| group_of[card.rank().index()].unwrap_or(card.rank().index())))
    }

    /// The name, which [`CardLabels::named`] reads.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// 0 without loss; else a number that labels which tell the same cards apart share.
    pub fn fingerprint(&self) -> u64 {
        if self.labels == CardLabels::lossless().labels { 0 } else { xxh3_64(&self.labels) }
    }

    fn of(&self, cards: &[Card]) -> Vec<u8> {
        cards.iter().map(|card| self.labels[card.index()]).collect()
    }
}

/// The infosets of a small stud game: a row is a seat, the labels of its up cards, of the opponent's and of its down cards
/// in the order dealt, and a place in the betting.
#[derive(Clone, Debug)]
pub struct LabelInfosets<'a> {
    game: &'a PublicStud,
    labels: CardLabels,
    classes: Vec<Class>,
    places: Vec<Places>,
    /// By board; that before the deal has none.
    boards: Vec<BoardRows>,
    /// The buckets of the hands of a board; boards with the same ones share them.
    buckets: Vec<u32>,
    slots: u64,
    outcomes: Option<Vec<Range<u64>>>,
}

#[derive(Clone, Debug)]
struct Class {
    places: u32,
    bring_in: u8,
    /// How many hands are told apart.
    hands: u64,
    /// By seat.
    base: [u64; 2],
}

/// The places of the betting that the cards of a class lead to.
#[derive(Clone, Debug)]
struct Places {
    /// By slot of the tree: the actions of the same role's places before it, per hand.
    before: Vec<u32>,
    /// The same number, and the actions, of every place of a role. Shape: `[role][place]`.
    rows: [Vec<(u32, u8)>; 2],
    /// All actions of a role, per hand.
    slots: [u32; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct BoardRows {
    base: [u64; 2],
    hands: u32,
    places: u32,
    /// Where the board's hands begin in `buckets`.
    buckets: u32,
}

/// A class while boards are being read.
struct ClassInProgress {
    street: Street,
    bring_in: u8,
    hands: BTreeMap<Vec<u8>, u32>,
    /// The variants of the streets so far.
    lines: BTreeSet<Vec<u8>>,
    outcomes: Range<usize>,
}

impl<'a> LabelInfosets<'a> {
    /// Lays out the infosets of a game whose players see the labels of cards.
    pub fn new(game: &'a PublicStud, labels: CardLabels) -> LabelInfosets<'a> {
        let full = game.tree().detail() == HistoryDetail::Full;
        let hole = game.rules().down_cards(Street::Third);
        let mut numbers = HashMap::new();
        let mut classes: Vec<ClassInProgress> = Vec::new();
        let mut class_of = Vec::new();
        let mut boards = vec![BoardRows::default()];
        let (mut buckets, mut bucket_lists) = (Vec::new(), HashMap::new());
        for board in game.boards() {
            let (street, line) = (game.street(board), game.line(board));
            let variants = &line.variant[..=street.index()];
            let up = [0, 1].map(|seat| labels.of(game.up(board, seat)));
            let key = (street, up, line.bring_in, full.then(|| variants.to_vec()));
            let class = *numbers.entry(key).or_insert(classes.len());
            if class == classes.len() {
                classes.push(ClassInProgress {
                    street,
                    bring_in: line.bring_in,
                    hands: BTreeMap::new(),
                    lines: BTreeSet::new(),
                    outcomes: game.root_outcome(board)..game.root_outcome(board) + 1,
                });
            }
            let growing = &mut classes[class];
            growing.lines.insert(variants.to_vec());
            growing.outcomes.end = growing.outcomes.end.max(game.root_outcome(board) + 1);
            let list: Vec<u32> = game
                .down(board)
                .map(|down| {
                    let mut seen = labels.of(&down);
                    seen[..hole].sort_unstable();
                    let next = growing.hands.len() as u32;
                    *growing.hands.entry(seen).or_insert(next)
                })
                .collect();
            let start = *bucket_lists.entry(list).or_insert_with_key(|list| {
                buckets.extend_from_slice(list);
                (buckets.len() - list.len()) as u32
            });
            class_of.push(class);
            boards.push(BoardRows { buckets: start, ..BoardRows::default() });
        }

        let mut places: Vec<Places> = Vec::new();
        let mut place_numbers = HashMap::new();
        let mut slots = 0;
        let mut begins = Vec::new();
        let one_outcome = classes.iter().all(|class| class.outcomes.len() == 1);
        let laid_out: Vec<Class> = classes
            .into_iter()
            .map(|class| {
                let key = (class.street, class.lines);
                let number = *place_numbers.entry(key).or_insert_with_key(|(street, lines)| {
                    places.push(Places::new(game.tree(), *street, lines));
                    places.len() as u32 - 1
                });
                if begins.len() <= class.outcomes.start {
                    begins.push(slots);
                }
                let hands = class.hands.len() as u64;
                let base = [0, 1].map(|seat| {
                    let base = slots;
                    let role = seat ^ usize::from(class.bring_in);
                    slots += hands * u64::from(places[number as usize].slots[role]);
                    base
                });
                Class { places: number, bring_in: class.bring_in, hands, base }
            })
            .collect();
        for (board, class) in boards[1..].iter_mut().zip(class_of) {
            let Class { places, hands, base, .. } = laid_out[class];
            *board = BoardRows { base, hands: hands as u32, places, ..*board };
        }
        let outcomes = one_outcome.then(|| {
            let ends = begins.iter().skip(1).copied().chain([slots]);
            begins.iter().zip(ends).map(|(&begin, end)| begin..end).collect()
        });
        LabelInfosets { game, labels, classes: laid_out, places, boards, buckets, slots, outcomes }
    }

    /// What players see of a card.
    pub fn labels(&self) -> &CardLabels {
        &self.labels
    }

    /// The game.
    pub fn game(&self) -> &'a PublicStud {
        self.game
    }

    /// The bucket of every hand on a board with cards: hands in one bucket are not told apart.
    pub fn buckets(&self, board: StudBoard) -> &[u32] {
        let hands = self.game.hands(self.game.tree().root(), &board, 0);
        &self.buckets[self.boards[board.index()].buckets as usize..][..hands]
    }

    /// A known mistake: the hand with clubs for diamonds and diamonds for clubs, if there is one.
    fn with_suits_swapped(&self, board: StudBoard, down: &[Card]) -> Option<usize> {
        let swap = |card: &Card| match card.suit().index() {
            suit @ 0..=1 => Card::new(card.rank(), Suit::new(1 - suit as u8)),
            _ => *card,
        };
        let swapped: Vec<Card> = down.iter().map(swap).collect();
        self.game.down(board).position(|hand| hand[..] == swapped[..])
    }

    /// The first slot of bucket 0 at a node, and the actions there.
    #[inline]
    fn base(&self, rows: &BoardRows, node: Position, player: usize) -> (u64, u64) {
        let tree = self.game.tree();
        let before = self.places[rows.places as usize].before[tree.slot(node) as usize];
        let actions = tree.actions(node).len() as u64;
        (rows.base[player] + u64::from(before) * u64::from(rows.hands), actions)
    }
}

impl Places {
    /// The places on a street that any of these lines leads to.
    fn new(tree: &BettingTree, street: Street, lines: &BTreeSet<Vec<u8>>) -> Places {
        let mut found = BTreeMap::new();
        for variants in lines {
            let mut line = Line { bring_in: 0, variant: [0; 5] };
            line.variant[..variants.len()].copy_from_slice(variants);
            find_places(tree, tree.root(), &line, street, &mut found);
        }
        let mut places = Places {
            before: vec![0; tree.sizes()[street.index()].slots as usize],
            rows: Default::default(),
            slots: [0; 2],
        };
        for (slot, (role, actions)) in found {
            let before: &mut u32 = &mut places.slots[role];
            places.before[slot as usize] = *before;
            places.rows[role].push((*before, actions));
            *before += u32::from(actions);
        }
        places
    }
}

/// Adds the decisions on a street below a position, by slot: whose they are and how many actions they have.
fn find_places(
    tree: &BettingTree,
    position: Position,
    line: &Line,
    street: Street,
    found: &mut BTreeMap<u32, (usize, u8)>,
) {
    match tree.turn(position) {
        Turn::Decide { role, actions } => {
            if tree.street(position) == street {
                found.insert(tree.slot(position), (role, actions as u8));
            }
            for action in 0..actions {
                find_places(tree, tree.act_in_round(position, action), line, street, found);
            }
        }
        Turn::Showdown { .. } if tree.street(position) < street => {
            find_places(tree, tree.deal(position, line), line, street, found);
        }
        Turn::Fold { .. } | Turn::Showdown { .. } => {}
    }
}

impl Rows for LabelInfosets<'_> {
    fn rows(&self) -> u64 {
        let rows = |class: &Class| {
            let [first, second] = &self.places[class.places as usize].rows;
            class.hands * (first.len() + second.len()) as u64
        };
        self.classes.iter().map(rows).sum()
    }

    fn slots(&self) -> u64 {
        self.slots
    }

    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        for class in &self.classes {
            for seat in 0..2 {
                for &(before, actions) in
                    &self.places[class.places as usize].rows[seat ^ usize::from(class.bring_in)]
                {
                    let base = class.base[seat] + u64::from(before) * class.hands;
                    (0..class.hands).for_each(|hand| f(base + hand * u64::from(actions), actions.into()));
                }
            }
        }
    }
}

/// The rows of one deal, and the buckets of both hands. Shape: `[street]`, of the bucket `[street][seat]`.
#[derive(Clone, Copy, Debug)]
pub struct LabelView {
    rows: [BoardRows; 5],
    bucket: [[u32; 2]; 5],
}

impl Infosets<StudTree> for LabelInfosets<'_> {
    type View = LabelView;

    fn view(&self, game: &StudTree, deal: &StudDeal) -> LabelView {
        let mut view = LabelView { rows: [BoardRows::default(); 5], bucket: [[0; 2]; 5] };
        for &street in &Street::ALL[..game.rules().streets()] {
            let board = self.game.board_of([0, 1].map(|seat| game.up(deal, seat, street)), street);
            let rows = self.boards[board.index()];
            view.rows[street.index()] = rows;
            view.bucket[street.index()] = [0, 1].map(|seat| {
                let down = game.down(deal, seat, street);
                let mut hand = self.game.hand_of(board, down);
                if planted(Fault::SuitsSwapped) && street == game.rules().last_street() {
                    hand = self.with_suits_swapped(board, down).unwrap_or(hand);
                }
                self.buckets[rows.buckets as usize + hand]
            });
        }
        view
    }

    #[inline]
    fn slot(&self, view: &LabelView, &node: &Position, player: usize) -> u64 {
        let street = self.game.tree().street(node).index();
        let (base, actions) = self.base(&view.rows[street], node, player);
        base + actions * u64::from(view.bucket[street][player])
    }
}

impl PublicInfosets<PublicStud> for LabelInfosets<'_> {
    #[inline]
    fn block<'b>(
        &'b self,
        game: &'b PublicStud,
        node: Position,
        board: &'b StudBoard,
        player: usize,
    ) -> Block<'b> {
        let rows = &self.boards[board.index()];
        let (base, stride) = self.base(rows, node, player);
        let buckets = &self.buckets[rows.buckets as usize..][..game.hands(node, board, player)];
        Block { base, stride, buckets }
    }

    fn root_outcomes(&self) -> Option<Vec<Range<u64>>> {
        self.outcomes.clone()
    }
}

#[cfg(test)]
mod tests;
