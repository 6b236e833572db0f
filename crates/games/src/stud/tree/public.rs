//! Heads-up stud from a small deck in public form.

use super::hands::{Hands, MAX_DOWN, Showdown};
use super::{BettingTree, Line, MAX_ACTIONS, Position, StudTree, TreeError, Turn};
use crate::stud::showdown::{self, Strength};
use crate::stud::{Rules, Street};
use arrayvec::ArrayVec;
use doorcard_cards::{Card, CardSet};
use doorcard_efg::{PublicGame, PublicTurn, Stakes};
use num_traits::Float;
use std::ops::AddAssign;

/// More public states, times hands, than a small game has; each takes some ten bytes.
const MAX_HANDS: u64 = 1 << 25;

/// [`StudTree`] in public form, all its public cards listed: for decks of a dozen cards or so.
///
/// Players are seats. The root deals the door cards, one outcome for each ordered pair of them, and the down cards with
/// them; the outcomes of a later street are the ordered pairs of new up cards, or one if the street deals down cards.
/// A hand is a player's down cards: those of the first street as a set, later ones in the order dealt, since a player
/// remembers which came last. Both seats have the same hands, numbered alike.
#[derive(Clone, Debug)]
pub struct PublicStud {
    game: StudTree,
    streets: Vec<StreetCards>,
    /// The public states in depth-first order, so that all below one lie together; the first is before the deal.
    boards: Vec<Board>,
    /// The boards after the next street's outcomes, those of one board together.
    children: Vec<StudBoard>,
    /// The hand before it of every hand, those of one board together.
    parents: Vec<u32>,
    /// By board of the last street, in their order.
    showdowns: Vec<Showdown>,
}

/// The public cards of a hand of [`PublicStud`], as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StudBoard(u32);

impl StudBoard {
    /// No cards.
    const START: StudBoard = StudBoard(0);

    /// Boards are numbered from 0, which is before the deal, in depth-first order of the outcomes.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The board of a number.
    pub fn of_index(index: usize) -> StudBoard {
        StudBoard(index as u32)
    }
}

#[derive(Clone, Debug)]
struct StreetCards {
    hands: Hands,
    /// How many joint deals there are.
    deals: f64,
    /// How many outcomes the street after it has.
    outcomes: usize,
}

#[derive(Clone, Debug)]
struct Board {
    street: Street,
    up: [[Card; 4]; 2],
    /// The cards that nobody shows.
    left: CardSet,
    line: Line,
    /// The outcome of the root that it comes from.
    outcome: u32,
    /// Where its children and parents begin, and which showdown it has.
    children: u32,
    parents: u32,
    showdown: u32,
}

impl PublicStud {
    /// Lists the public cards of a game.
    ///
    /// # Errors
    /// If there are too many of them.
    pub fn new(game: StudTree) -> Result<PublicStud, TreeError> {
        let rules = *game.rules();
        let (deck, hole) = (rules.deck(), rules.down_cards(Street::Third));
        let mut streets = Vec::new();
        let (mut boards, mut total) = (1u64, 0u64);
        for &street in &Street::ALL[..rules.streets()] {
            let left = deck.len() - 2 * rules.up_cards(street);
            let down = rules.down_cards(street);
            let hands = Hands::count(left, down, hole);
            if rules.deals_up(street) {
                boards = boards.saturating_mul(((left + 2) * (left + 1)) as u64);
            }
            total = total.saturating_add(boards.saturating_mul(hands));
            if total > MAX_HANDS || hands > u64::from(u16::MAX) {
                return Err(TreeError::DeckTooLarge(deck.len()));
            }
            let deals = boards as f64 * hands as f64 * Hands::count(left - down, down, hole) as f64;
            let deals_up = rules.next_street(street).is_some_and(|next| rules.deals_up(next));
            let outcomes = if deals_up { left * (left - 1) } else { 1 };
            streets.push(StreetCards { hands: Hands::new(left, down, hole), deals, outcomes });
        }
        let mut public = PublicStud {
            game,
            streets,
            boards: Vec::new(),
            children: Vec::new(),
            parents: Vec::new(),
            showdowns: Vec::new(),
        };
        let line = Line { bring_in: 0, variant: [0; 5] };
        let none = [[Card::from_index(0); 4]; 2];
        public.boards.push(Board {
            street: Street::Third,
            up: none,
            left: deck,
            line,
            outcome: 0,
            children: 0,
            parents: 0,
            showdown: 0,
        });
        public.list_children(StudBoard::START, Some(Street::Third));
        Ok(public)
    }

    /// Adds all boards after one: those of `street` and of the streets after it.
    fn list_children(&mut self, board: StudBoard, street: Option<Street>) {
        let Some(street) = street else { return };
        let rules = *self.game.rules();
        let parent = self.boards[board.index()].clone();
        let first = self.children.len();
        self.boards[board.index()].children = first as u32;
        self.children.resize(first + self.outcomes_of(board), StudBoard::START);
        let pairs: Vec<Option<[Card; 2]>> = if rules.deals_up(street) {
            let ordered = |a: Card| parent.left.without(a).into_iter().map(move |b| Some([a, b]));
            parent.left.into_iter().flat_map(ordered).collect()
        } else {
            vec![None]
        };
        for (i, pair) in pairs.into_iter().enumerate() {
            let child = StudBoard(self.boards.len() as u32);
            self.children[first + i] = child;
            let mut next = parent.clone();
            next.street = street;
            let shown = rules.up_cards(street);
            if let Some(pair) = pair {
                for (up, card) in next.up.iter_mut().zip(pair) {
                    up[shown - 1] = card;
                    next.left = next.left.without(card);
                }
            }
            next.line = self.game.line(next.up.each_ref().map(|up| &up[..shown]));
            if board == StudBoard::START {
                next.outcome = i as u32;
            }
            next.parents = self.parents.len() as u32;
            next.showdown = self.showdowns.len() as u32;
            self.list_hands(board, &next);
            self.boards.push(next);
            self.list_children(child, rules.next_street(street));
        }
    }

    /// Adds the hands before those of a board, and at the end of the game their strengths.
    fn list_hands(&mut self, parent: StudBoard, board: &Board) {
        let rules = *self.game.rules();
        let hands = &self.streets[board.street.index()].hands;
        let left: Vec<Card> = board.left.into_iter().collect();
        let held = |hand: usize| hands.cards(hand).iter().map(|&place| left[usize::from(place)]);
        if parent == StudBoard::START {
            self.parents.extend((0..hands.len()).map(|_| 0));
        } else {
            let before = &self.boards[parent.index()];
            let number = &self.streets[before.street.index()].hands;
            let down = rules.down_cards(before.street);
            let parent_of =
                |hand| number.number(held(hand).take(down).map(|card| place(before.left, card))) as u32;
            self.parents.extend((0..hands.len()).map(parent_of));
        }
        if board.street == rules.last_street() {
            let shown = rules.up_cards(board.street);
            let strengths = board.up.each_ref().map(|up| {
                let strength = |hand| {
                    let cards = up[..shown].iter().copied().chain(held(hand)).collect();
                    showdown::strength_by(&rules, cards)
                };
                (0..hands.len()).map(strength).collect::<Vec<Strength>>()
            });
            self.showdowns.push(Showdown::new(strengths.each_ref().map(|strengths| &strengths[..])));
        }
    }

    #[inline]
    fn board(&self, board: StudBoard) -> &Board {
        &self.boards[board.index()]
    }

    #[inline]
    fn hands_of(&self, board: StudBoard) -> &Hands {
        &self.streets[self.board(board).street.index()].hands
    }

    fn outcomes_of(&self, board: StudBoard) -> usize {
        if board == StudBoard::START {
            let deck = self.board(board).left.len();
            deck * (deck - 1)
        } else {
            self.streets[self.board(board).street.index()].outcomes
        }
    }

    /// The same game in history form.
    pub fn game(&self) -> &StudTree {
        &self.game
    }

    /// The compiled betting.
    pub fn tree(&self) -> &BettingTree {
        self.game.tree()
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.game.rules()
    }

    /// All boards with cards, in ascending order.
    pub fn boards(&self) -> impl Iterator<Item = StudBoard> + use<> {
        (1..self.boards.len() as u32).map(StudBoard)
    }

    /// The board after these up cards, in the order dealt, on a street.
    ///
    /// # Panics
    /// If they are not as many as the street has, or not different cards of the deck.
    pub fn board_of(&self, up: [&[Card]; 2], street: Street) -> StudBoard {
        let rules = self.rules();
        let mut board = StudBoard::START;
        for &dealt in &Street::ALL[..=street.index()] {
            let now = self.board(board);
            let outcome = if rules.deals_up(dealt) {
                let [a, b] = up.map(|cards| usize::from(place(now.left, cards[rules.up_cards(dealt) - 1])));
                a * (now.left.len() - 1) + b - usize::from(b > a)
            } else {
                0
            };
            board = self.children[now.children as usize + outcome];
        }
        board
    }

    /// The street of a board with cards.
    pub fn street(&self, board: StudBoard) -> Street {
        self.board(board).street
    }

    /// Which outcome of the root a board with cards comes from.
    pub fn root_outcome(&self, board: StudBoard) -> usize {
        self.board(board).outcome as usize
    }

    /// Who brings in and who opens, as far as the board goes.
    pub fn line(&self, board: StudBoard) -> &Line {
        &self.board(board).line
    }

    /// The up cards of a seat on a board, in the order dealt.
    pub fn up(&self, board: StudBoard, seat: usize) -> &[Card] {
        let board = self.board(board);
        &board.up[seat][..self.rules().up_cards(board.street)]
    }

    /// The down cards of every hand on a board with cards, in the order dealt; those of the first street ascending.
    pub fn down(&self, board: StudBoard) -> impl Iterator<Item = ArrayVec<Card, MAX_DOWN>> {
        let left: ArrayVec<Card, 52> = self.board(board).left.into_iter().collect();
        let hands = self.hands_of(board);
        (0..hands.len()).map(move |hand| hands.cards(hand).iter().map(|&p| left[usize::from(p)]).collect())
    }

    /// The number of the hand of these down cards, in the order dealt, on a board with cards.
    ///
    /// # Panics
    /// If they are not as many as the street has, or not different cards that nobody shows.
    pub fn hand_of(&self, board: StudBoard, down: &[Card]) -> usize {
        let left = self.board(board).left;
        self.hands_of(board).number(down.iter().map(|&card| place(left, card)))
    }
}

/// The place of a card of a set in its order.
#[inline]
fn place(cards: CardSet, card: Card) -> u8 {
    (cards.bits() & ((1 << card.index()) - 1)).count_ones() as u8
}

impl PublicGame for PublicStud {
    type Node = Position;
    type Board = StudBoard;

    fn max_actions(&self) -> usize {
        MAX_ACTIONS
    }

    fn root(&self) -> (Position, StudBoard) {
        (self.tree().root(), StudBoard::START)
    }

    #[inline]
    fn turn(&self, node: Position, &board: &StudBoard) -> PublicTurn {
        if board == StudBoard::START {
            return PublicTurn::Chance;
        }
        let line = self.line(board);
        match self.tree().turn(node) {
            Turn::Decide { role, actions } => PublicTurn::Decide { player: line.role(role), actions },
            Turn::Fold { role, .. } => PublicTurn::Fold { player: line.role(role) },
            Turn::Showdown { .. } if self.tree().awaits_cards(node) => PublicTurn::Chance,
            Turn::Showdown { .. } => PublicTurn::Showdown,
        }
    }

    #[inline]
    fn act(&self, node: Position, _: &StudBoard, action: usize) -> Position {
        self.tree().act_in_round(node, action)
    }

    fn outcomes(&self, _: Position, &board: &StudBoard) -> usize {
        self.outcomes_of(board)
    }

    fn outcome(&self, node: Position, &board: &StudBoard, index: usize) -> (Position, StudBoard) {
        let child = self.children[self.board(board).children as usize + index];
        // At the root no round has ended, and the position stays.
        (self.tree().deal(node, self.line(child)), child)
    }

    fn hands(&self, _: Position, &board: &StudBoard, _: usize) -> usize {
        if board == StudBoard::START { 1 } else { self.hands_of(board).len() }
    }

    fn parents<'a>(&'a self, node: Position, board: &'a StudBoard, player: usize) -> &'a [u32] {
        if *board == StudBoard::START {
            return &[];
        }
        let hands = self.hands(node, board, player);
        &self.parents[self.board(*board).parents as usize..][..hands]
    }

    fn deals(&self, _: Position, &board: &StudBoard) -> f64 {
        if board == StudBoard::START { 1.0 } else { self.streets[self.board(board).street.index()].deals }
    }

    /// Counts the chips that were matched; the rest of a wager that nobody called goes back.
    ///
    /// # Panics
    /// If play goes on at the node.
    fn stakes(&self, node: Position, _: &StudBoard, _: usize) -> Stakes {
        match self.tree().turn(node) {
            Turn::Fold { paid, .. } | Turn::Showdown { paid } => {
                Stakes { pot: 2.0 * paid as f64, paid: paid as f64 }
            }
            Turn::Decide { .. } => panic!("the stakes of a node where play goes on"),
        }
    }

    fn compatible<F: Float + AddAssign>(
        &self,
        _: Position,
        &board: &StudBoard,
        _: usize,
        reach: &[F],
        compatible: &mut [F],
    ) {
        self.hands_of(board).compatible(reach.as_chunks::<1>().0, compatible.as_chunks_mut().0);
    }

    /// # Panics
    /// Before the last street.
    fn contest<F: Float + AddAssign>(
        &self,
        _: Position,
        &board: &StudBoard,
        player: usize,
        reach: &[F],
        compatible: &mut [F],
        share: &mut [F],
    ) {
        let showdown = &self.showdowns[self.board(board).showdown as usize];
        let (reach, compatible) = (reach.as_chunks::<1>().0, compatible.as_chunks_mut().0);
        self.hands_of(board).contest(showdown, player, reach, compatible, share.as_chunks_mut().0);
    }
}
