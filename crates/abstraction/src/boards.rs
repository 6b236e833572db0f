//! Heads-up stud over drawn boards, abstracted: what the vector solver trains on.
//!
//! A board is the up cards of both players and their rivers; a hand is a pair of first cards, one of 861. Players are
//! roles: 0 brings in. Everything a hand may do is valued at once: buckets by
//! [`CardAbstraction::sampled_board`], strengths by [`doorcard_cards::board`].
//!
//! Tables lie as `[street][remembered betting][public bucket][decision][action][private bucket]`: what a walk visits of
//! a street, with one player's public bucket, is one piece of memory.

use crate::{AbstractionConfig, BoardBuckets, BoardSituation, CardAbstraction, Situation};
use doorcard_cards::board::{Live, Values, pair_values};
use doorcard_cards::{Card, CardSet, Deck};
use doorcard_efg::{BoardGame, CardBoards, Entry, LANES, RoundTree, TablePlace, padded};
use doorcard_games::stud::showdown::Strength;
use doorcard_games::stud::tree::{BettingTree, Hands, Line, Showdown, StreetEntry, StudTree};
use doorcard_games::stud::{Rules, Street, Variant};
use rand::{Rng, RngExt};
use std::sync::OnceLock;

/// Cards that neither show nor are a river.
const LEFT: usize = 42;
/// First cards: pairs of those.
const HANDS: usize = LEFT * (LEFT - 1) / 2;

/// See the module's documentation in the source.
pub struct StudBoards<'a, A> {
    game: &'a StudTree,
    cards: A,
    /// The same pairs on every board.
    pairs: Hands,
    trees: Vec<RoundTree>,
    entries: Vec<BoardEntry>,
    streets: [StreetBlocks; 5],
    length: u64,
}

#[derive(Clone, Copy)]
struct BoardEntry {
    entry: StreetEntry,
    /// Where the blocks of its first public bucket begin, and from one public bucket to the next.
    first: u64,
    stride: u64,
}

/// Where the blocks of a street lie.
#[derive(Clone, Default)]
struct StreetBlocks {
    public: u64,
    private: u64,
    lanes: usize,
    /// The first slot of the street in the order of [`crate::StudInfosets`], and the slots of one hand.
    base: u64,
    slots: u64,
    /// For each slot of a hand the remembered betting it belongs to: where its blocks begin, and its first slot and
    /// number of slots.
    memories: Vec<Memory>,
}

#[derive(Clone, Copy, Default)]
struct Memory {
    first: u64,
    slot: u32,
    slots: u32,
}

/// A board: see [`StudBoards`].
pub struct DrawnBoard {
    line: Line,
    buckets: BoardBuckets,
    /// The cards of every hand, as a mask.
    masks: Vec<u64>,
    /// Places among high (razz: low) hands, more is better. Shape: `[player][hand]`.
    high: [Vec<u16>; 2],
    /// Places among qualifying lows, 0 without one; empty but in hi/lo.
    low: [Vec<u16>; 2],
    /// Hands in the order of both, made when first asked for.
    showdown: OnceLock<Showdown>,
}

impl DrawnBoard {
    fn showdown(&self) -> &Showdown {
        self.showdown.get_or_init(|| {
            let strengths = [0, 1].map(|player: usize| {
                let low = self.low[player].iter().copied().chain(std::iter::repeat(0));
                let both = self.high[player].iter().zip(low);
                both.map(|(&high, low)| Strength { high, low }).collect::<Vec<Strength>>()
            });
            Showdown::new([&strengths[0], &strengths[1]])
        })
    }
}

impl<'a, A: CardAbstraction> StudBoards<'a, A> {
    /// Lays out tables.
    ///
    /// # Panics
    /// If the game's deck, streets or hands are not those of the standard game, which no abstraction is built for.
    pub fn new(game: &'a StudTree, cards: A) -> StudBoards<'a, A> {
        StudBoards::with_lanes(game, cards, [0; 5])
    }

    /// As [`StudBoards::new`], with blocks of at least so many private buckets on each street.
    pub(crate) fn with_lanes(game: &'a StudTree, cards: A, least: [usize; 5]) -> StudBoards<'a, A> {
        assert!(game.rules().is_standard(), "boards are drawn from the deck of 52 cards");
        let tree: &BettingTree = game.tree();
        let trees = tree.round_trees();
        let mut streets: [StreetBlocks; 5] = Default::default();
        let (mut base, mut length) = (0, 0);
        for (street, blocks) in Street::ALL.into_iter().zip(&mut streets) {
            let (public, private) =
                (cards.public_buckets(street) as u64, cards.private_buckets(street) as u64);
            let slots = tree.sizes()[street.index()].slots;
            let lanes = padded(private as usize).max(least[street.index()]);
            let memories = vec![Memory::default(); slots as usize];
            *blocks = StreetBlocks { public, private, lanes, base, slots, memories };
            base += slots * public * private;
        }
        let mut entries = Vec::with_capacity(tree.entries() as usize);
        for number in 0..tree.entries() {
            let entry = tree.entry(number);
            let blocks = &mut streets[entry.street.index()];
            let slots = trees[entry.tree].slots;
            let stride = (slots * blocks.lanes) as u64;
            let own = entry.slot as usize..entry.slot as usize + slots;
            if blocks.memories[own.start].slots == 0 {
                let memory = Memory { first: length, slot: entry.slot, slots: slots as u32 };
                blocks.memories[own.clone()].fill(memory);
                length += stride * blocks.public;
            }
            entries.push(BoardEntry { entry, first: blocks.memories[own.start].first, stride });
        }
        StudBoards { game, cards, pairs: Hands::new(LEFT, 2, 2), trees, entries, streets, length }
    }

    fn rules(&self) -> &Rules {
        self.game.rules()
    }

    /// Puts a board, for each player and street, into one of the public buckets whose mean it plays, drawn by their weights.
    fn draw_publics<R: Rng + ?Sized>(&self, board: &mut DrawnBoard, up: [[Card; 4]; 2], rng: &mut R) {
        let up = [board.line.role(0), board.line.role(1)].map(|seat| up[seat]);
        for (player, publics) in board.buckets.public.iter_mut().enumerate() {
            for (street, public) in Street::ALL.into_iter().zip(publics) {
                let shown = street.up_cards();
                let mix = self.cards.public_mix(street, &up[player][..shown], &up[1 - player][..shown]);
                *public = mix.draw(rng.random());
            }
        }
    }

    /// One entry of each remembered betting, in the order of their blocks.
    fn memories(&self) -> impl Iterator<Item = &BoardEntry> {
        let mut next = 0;
        self.entries.iter().filter(move |entry| {
            let new = entry.first == next;
            if new {
                next += self.streets[entry.entry.street.index()].public * entry.stride;
            }
            new
        })
    }

    /// The board of given up cards and rivers, players in either order.
    pub fn board(&self, up: [[Card; 4]; 2], river: [Card; 2]) -> DrawnBoard {
        let line = self.game.line([&up[0], &up[1]]);
        let by_role = |role: usize| role ^ usize::from(line.bring_in);
        let (up, river) = ([up[by_role(0)], up[by_role(1)]], [river[by_role(0)], river[by_role(1)]]);
        let mut buckets = BoardBuckets::default();
        self.cards.sampled_board(&up, &river, &mut buckets);
        let left = up.iter().flatten().chain(&river).copied().collect::<CardSet>().complement();
        let live = Live::new(left);
        let known = [0, 1].map(|role| up[role].iter().copied().collect::<CardSet>().with(river[role]));
        let values = |kind: Values| {
            known.map(|known| {
                let mut values = Vec::with_capacity(HANDS + 16);
                pair_values(kind, known, &live, &mut values);
                values.truncate(HANDS);
                values
            })
        };
        let (high, low) = match self.rules().variant() {
            Variant::High => (values(Values::High), Default::default()),
            Variant::HiLo8 => (values(Values::High), values(Values::Eight)),
            Variant::Razz => (values(Values::Razz), Default::default()),
        };
        let cards = live.cards();
        let pairs = (0..cards.len()).flat_map(|i| (i + 1..cards.len()).map(move |j| (i, j)));
        let masks = pairs.map(|(i, j)| 1 << cards[i].index() | 1 << cards[j].index()).collect();
        DrawnBoard { line, buckets, masks, high, low, showdown: OnceLock::new() }
    }
}

/// An abstraction that is not built yet: its sizes, and all hands in one bucket. For forecasts.
pub struct Unbuilt([(usize, usize); 5]);

impl Unbuilt {
    /// That of a configuration.
    pub fn new(config: &AbstractionConfig) -> Unbuilt {
        Unbuilt(Street::ALL.map(|street| config.buckets(street)))
    }
}

impl CardAbstraction for Unbuilt {
    fn public_buckets(&self, street: Street) -> usize {
        self.0[street.index()].0
    }

    fn private_buckets(&self, street: Street) -> usize {
        self.0[street.index()].1
    }

    fn public_bucket(&self, _: Street, _: &[Card], _: &[Card]) -> u16 {
        0
    }

    fn private_bucket(&self, _: u16, _: &Situation<'_>) -> u16 {
        0
    }

    fn board(&self, _: &BoardSituation<'_>, private: &mut [u16]) -> u16 {
        private.fill(0);
        0
    }

    fn fingerprint(&self) -> u64 {
        0
    }
}

impl<A: CardAbstraction> BoardGame for StudBoards<'_, A> {
    type Board = DrawnBoard;

    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> DrawnBoard {
        let cards = self.draw_cards(rng);
        self.board_of(&cards)
    }

    fn rounds(&self) -> usize {
        5
    }

    fn max_hands(&self) -> usize {
        HANDS
    }

    #[inline]
    fn private_buckets(&self, round: usize) -> usize {
        self.streets[round].private as usize
    }

    #[inline]
    fn lanes(&self, round: usize) -> usize {
        self.streets[round].lanes
    }

    fn table_len(&self) -> u64 {
        self.length
    }

    fn cuts(&self) -> Vec<u64> {
        let mut cuts = vec![0];
        for entry in self.memories() {
            let public = self.streets[entry.entry.street.index()].public;
            cuts.extend((1..=public).map(|public| entry.first + public * entry.stride));
        }
        cuts
    }

    fn for_each_block(&self, f: &mut dyn FnMut(u64, usize, usize)) {
        for entry in self.memories() {
            let street = entry.entry.street.index();
            let StreetBlocks { public, lanes, .. } = &self.streets[street];
            let (public, lanes) = (*public, *lanes);
            for public in 0..public {
                for node in &self.trees[entry.entry.tree].nodes {
                    let first = entry.first + public * entry.stride + (node.slot * lanes) as u64;
                    f(first, street, node.next.len());
                }
            }
        }
    }

    fn hands(&self, _: &DrawnBoard, _: usize) -> usize {
        HANDS
    }

    #[inline]
    fn buckets<'a>(&'a self, board: &'a DrawnBoard, player: usize, round: usize) -> &'a [u16] {
        &board.buckets.private[player][round]
    }

    fn root(&self, _: &DrawnBoard) -> u32 {
        0
    }

    #[inline]
    fn entry<'a>(&'a self, _: &'a DrawnBoard, entry: u32) -> Entry<'a> {
        let StreetEntry { street, tree, opener, paid, .. } = self.entries[entry as usize].entry;
        Entry { round: street.index(), tree: &self.trees[tree], opener, paid: paid as f64 }
    }

    #[inline]
    fn next_entry(&self, board: &DrawnBoard, entry: u32, end: usize) -> u32 {
        self.game.tree().next_entry(entry, end, &board.line)
    }

    #[inline]
    fn block(&self, board: &DrawnBoard, entry: u32, player: usize) -> u64 {
        let entry = &self.entries[entry as usize];
        let public = board.buckets.public[player][entry.entry.street.index()];
        entry.first + u64::from(public) * entry.stride
    }

    fn contest(
        &self,
        board: &DrawnBoard,
        player: usize,
        against: usize,
        compatible: &mut [f32],
        share: &mut [f32],
    ) {
        let mask = board.masks[against];
        for (compatible, &other) in compatible.iter_mut().zip(&board.masks) {
            *compatible = if other & mask == 0 { 1.0 } else { 0.0 };
        }
        let half = |own: u16, other: u16| {
            let wins = if own > other { 0.5 } else { 0.0 };
            let stays = if own >= other { 0.5 } else { 0.0 };
            (wins + stays) / 2.0
        };
        let (own, other) = (&board.high[player], board.high[1 - player][against]);
        for (share, (&own, &goes)) in share.iter_mut().zip(own.iter().zip(&*compatible)) {
            *share = goes * 2.0 * half(own, other);
        }
        let Some(&other_low) = board.low[1 - player].get(against) else { return };
        for (share, (&own_low, &goes)) in share.iter_mut().zip(board.low[player].iter().zip(&*compatible)) {
            if own_low != 0 || other_low != 0 {
                *share = *share / 2.0 + goes * half(own_low, other_low);
            }
        }
    }

    fn contest_reach(
        &self,
        board: &DrawnBoard,
        player: usize,
        reach: &[[f32; LANES]],
        compatible: &mut [[f32; LANES]],
        share: Option<&mut [[f32; LANES]]>,
    ) {
        match share {
            Some(share) => self.pairs.contest(board.showdown(), player, reach, compatible, share),
            None => self.pairs.compatible(reach, compatible),
        }
    }

    /// 780 pairs are left to the opponent of each of 861.
    fn deals(&self) -> f64 {
        f64::from(42 * 41 / 2 * (40 * 39 / 2))
    }

    fn place(&self, slot: u64) -> TablePlace {
        let street = self.streets.iter().rposition(|blocks| blocks.base <= slot).expect("streets begin at 0");
        let blocks = &self.streets[street];
        let (hand, within) = ((slot - blocks.base) / blocks.slots, (slot - blocks.base) % blocks.slots);
        let (public, private) = (hand / blocks.private, hand % blocks.private);
        let memory = blocks.memories[within as usize];
        let lanes = blocks.lanes as u64;
        let decision = within - u64::from(memory.slot);
        let first = memory.first + (public * u64::from(memory.slots) + decision) * lanes + private;
        TablePlace { first, stride: lanes }
    }
}

impl<A: CardAbstraction> CardBoards for StudBoards<'_, A> {
    /// The up cards of both players and their rivers.
    type Cards = ([[Card; 4]; 2], [Card; 2]);

    fn draw_cards<R: Rng + ?Sized>(&self, rng: &mut R) -> ([[Card; 4]; 2], [Card; 2]) {
        let mut deck = Deck::new();
        let cards = deck.deal(10, rng);
        let up = |from: usize| std::array::from_fn(|i| cards[from + i]);
        ([up(0), up(4)], [cards[8], cards[9]])
    }

    fn board_of(&self, &(up, river): &([[Card; 4]; 2], [Card; 2])) -> DrawnBoard {
        self.board(up, river)
    }

    fn board_of_fixed<R: Rng + ?Sized>(
        &self,
        &(up, river): &([[Card; 4]; 2], [Card; 2]),
        rng: &mut R,
    ) -> DrawnBoard {
        let mut board = self.board(up, river);
        self.draw_publics(&mut board, up, rng);
        board
    }
}
