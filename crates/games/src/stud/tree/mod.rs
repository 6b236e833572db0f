//! The betting of a heads-up limit hand, compiled: dense ids, so that training never runs the full rules engine.
//!
//! Heads-up, with stacks that are never short, a limit hand's betting depends on the cards in two ways only: who opens
//! each street, and whether a pair shows on fourth street (the double bet). Both are in a [`Line`]. The players are
//! named by role: role 0 brings in, role 1 is the other, so that both seats share one strategy.
//!
//! A street's betting is compiled once as a `StreetTree`; an *entry* is one way to come to a street (the
//! chips in the pot, what [`HistoryDetail`] keeps of the earlier betting, who opens, whether the double bet is open),
//! and a [`Position`] is an entry and a place in its street tree. Entries are few and small, so a traversal stays in
//! the cache. With `n` bets allowed a street has 10 decisions and 9 ways on (n = 4), and 30 and 29 on fourth street
//! with an open pair.
//!
//! A table's *row block* for one street, one public bucket and one private bucket holds the decisions of all entries
//! of that street: [`BettingTree::slot`] is the place in the block. Entries that differ only in what the detail
//! forgets have the same slots.

mod game;
mod hands;
mod history;
mod public;
mod street;
mod translation;

pub use game::{StudDeal, StudTree};
pub use hands::{Hands, Showdown};
pub use history::HistoryDetail;
pub use public::{PublicStud, StudBoard};
pub use street::MAX_ACTIONS;
pub use translation::{Translated, Translation};

use super::{Action, Betting, Chips, DoubleBet, Rules, Street};
use doorcard_efg::RoundTree;
use history::Memory;
use std::collections::HashMap;
use street::{End, LocalNode, StreetTree};

/// What the up cards decide about the betting, as far as they have been dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The seat that brings in: it plays role 0.
    pub bring_in: u8,
    /// By street: who opens it and who shows a pair, as [`BettingTree::variant`] gives it.
    pub variant: [u8; 5],
}

impl Line {
    /// The role of a seat: 0 for the one that brings in.
    #[inline]
    pub fn role(&self, seat: usize) -> usize {
        seat ^ self.bring_in as usize
    }
}

/// A place in the betting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    entry: u32,
    at: u16,
}

/// Whose turn it is at a [`Position`], or how the hand ended. Units: chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// `role` chooses among `actions` actions.
    Decide {
        /// Who is to move.
        role: usize,
        /// How many actions.
        actions: usize,
    },
    /// `role` has folded and loses `paid` chips.
    Fold {
        /// Who folded.
        role: usize,
        /// All that role put in, which the other wins.
        paid: Chips,
    },
    /// Both have put in `paid` chips and show.
    Showdown {
        /// What each put in.
        paid: Chips,
    },
}

/// Why a game's betting cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// Only limit games are compiled.
    #[error("the betting tree needs betting = \"limit\", not \"{}\"", word(.0))]
    NotLimit(Betting),
    /// Rounds that begin heads-up have no last raise.
    #[error("the betting tree needs a finite number of bets: uncapped_heads_up must be false")]
    Uncapped,
    /// Every hand is played with stacks that cover all bets.
    #[error("the betting tree needs stacks that cover every bet: at least {needed} chips, not {stack}")]
    ShortStack {
        /// The most a player can lose.
        needed: Chips,
        /// The configured stack.
        stack: Chips,
    },
    /// More public cards and hands than can be listed.
    #[error("the hands of a deck of {0} cards cannot be listed: choose fewer ranks, suits or streets")]
    DeckTooLarge(usize),
    /// More places than ids.
    #[error("the betting tree is too large: choose less history detail or a lower bet_cap")]
    TooLarge,
}

/// The word that rules have for it.
fn word(betting: &Betting) -> &'static str {
    match betting {
        Betting::Limit => "limit",
        Betting::PotLimit => "pot_limit",
        Betting::NoLimit => "no_limit",
    }
}

/// One way to come to a street.
#[derive(Clone, Debug)]
struct Entry {
    street: u8,
    /// Index of its street tree.
    tree: u8,
    /// The role that opens.
    opener: u8,
    /// What each player has put in before this street.
    paid: Chips,
    /// The first slot of its decisions within a row block of the street.
    slot: u32,
    /// Where the entries of the next street begin in `links`: `[end][variant]`; [`LAST`] on the last street.
    links: u32,
}

/// An entry as vector solvers see it: one way to come to a street. Numbers are those of [`Position`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreetEntry {
    /// Which street.
    pub street: Street,
    /// Its betting: a number of [`BettingTree::round_trees`].
    pub tree: usize,
    /// The role that opens.
    pub opener: usize,
    /// What each player has put in before. Units: chips.
    pub paid: Chips,
    /// The first slot of its decisions within a row block of the street: entries that share it share a strategy.
    pub slot: u32,
}

/// Sizes of one street.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreetSize {
    /// Ways to come to the street.
    pub entries: u64,
    /// Decisions that a strategy tells apart (before cards).
    pub rows: u64,
    /// Decision-action pairs of those: the length of a row block.
    pub slots: u64,
}

/// The compiled betting of a heads-up limit game.
#[derive(Clone, Debug)]
pub struct BettingTree {
    detail: HistoryDetail,
    double_bet: DoubleBet,
    trees: Vec<StreetTree>,
    entries: Vec<Entry>,
    links: Vec<u32>,
    sizes: [StreetSize; 5],
    /// By street: first slot and number of actions of every row of its block, ascending.
    rows: [Vec<(u32, u8)>; 5],
    max_paid: Chips,
}

/// More entries than any sensible game has; each costs about 150 bytes while the tree is compiled.
const MAX_ENTRIES: usize = 1 << 20;
/// The same for the links between them, of four bytes each.
const MAX_LINKS: usize = 1 << 25;
/// A link to a line that the cards cannot take.
const NO_ENTRY: u32 = u32::MAX;
/// The links of an entry of the last street.
const LAST: u32 = u32::MAX;
/// The most variants of a street: the opener, and on fourth street which roles show a pair.
const VARIANTS: usize = 8;

impl BettingTree {
    /// Compiles the betting of `rules` for two players.
    ///
    /// # Errors
    /// If the game is not limit, has rounds without a cap, or a stack that does not cover every bet.
    pub fn compile(rules: &Rules, detail: HistoryDetail) -> Result<BettingTree, TreeError> {
        if rules.betting() != Betting::Limit {
            return Err(TreeError::NotLimit(rules.betting()));
        }
        if rules.uncapped_heads_up() || rules.bet_cap().is_none() {
            return Err(TreeError::Uncapped);
        }
        let mut builder = Builder::new(rules, detail);
        builder.run()?;
        let tree = builder.finish();
        if rules.stack() < tree.max_paid {
            return Err(TreeError::ShortStack { needed: tree.max_paid, stack: rules.stack() });
        }
        Ok(tree)
    }

    /// The variant of a street: who opens it (a role) and which roles show a pair there.
    pub fn variant(&self, street: Street, opener: usize, pairs: [bool; 2]) -> u8 {
        variant(self.double_bet, street, opener, pairs)
    }

    /// The first position of a hand.
    #[inline]
    pub fn root(&self) -> Position {
        Position { entry: 0, at: 0 }
    }

    #[inline]
    fn local(&self, position: Position) -> (&Entry, &StreetTree) {
        let entry = &self.entries[position.entry as usize];
        (entry, &self.trees[entry.tree as usize])
    }

    fn decision(&self, position: Position) -> (&Entry, &LocalNode) {
        let (entry, tree) = self.local(position);
        (entry, &tree.decisions[position.at as usize])
    }

    /// Whose turn it is, or how the hand ended.
    #[inline]
    pub fn turn(&self, position: Position) -> Turn {
        let (entry, tree) = self.local(position);
        let at = position.at as usize;
        match tree.decisions.get(at) {
            Some(node) => {
                Turn::Decide { role: (node.position ^ entry.opener) as usize, actions: node.actions.len() }
            }
            None => match tree.ends[at - tree.decisions.len()] {
                End::Fold { position, wager } => {
                    Turn::Fold { role: (position ^ entry.opener) as usize, paid: entry.paid + wager }
                }
                End::Matched { wager, .. } => Turn::Showdown { paid: entry.paid + wager },
            },
        }
    }

    /// The position after the `action`-th action of a decision.
    ///
    /// # Panics
    /// If the position is no decision, has fewer actions, or the line goes where the cards cannot.
    #[inline]
    pub fn act(&self, position: Position, line: &Line, action: usize) -> Position {
        self.deal(self.act_in_round(position, action), line)
    }

    /// As [`BettingTree::act`], but if that ends a round before the last, the position is the end of the round, where
    /// cards are due.
    ///
    /// # Panics
    /// If the position is no decision or has fewer actions.
    #[inline]
    pub fn act_in_round(&self, position: Position, action: usize) -> Position {
        let (_, tree) = self.local(position);
        Position { entry: position.entry, at: tree.decisions[position.at as usize].next[action] }
    }

    /// Where the links of a position stand if it is the end of a round before the last.
    #[inline]
    fn links(&self, position: Position) -> Option<(usize, &Entry)> {
        let (entry, tree) = self.local(position);
        let end = (position.at as usize).wrapping_sub(tree.decisions.len());
        let matched = end < tree.ends.len() && matches!(tree.ends[end], End::Matched { .. });
        (matched && entry.links != LAST).then(|| (entry.links as usize + end * VARIANTS, entry))
    }

    /// Whether a position is the end of a round before the last: [`BettingTree::deal`] goes on from there.
    #[inline]
    pub fn awaits_cards(&self, position: Position) -> bool {
        self.links(position).is_some()
    }

    /// The first position of the next street, after the end of a round before the last; other positions stay.
    ///
    /// # Panics
    /// If the line goes where the cards cannot.
    #[inline]
    pub fn deal(&self, position: Position, line: &Line) -> Position {
        match self.links(position) {
            Some((links, entry)) => {
                let variant = line.variant[entry.street as usize + 1] as usize;
                Position { entry: self.links[links + variant], at: 0 }
            }
            None => position,
        }
    }

    /// The street of a position.
    #[inline]
    pub fn street(&self, position: Position) -> Street {
        Street::ALL[self.entries[position.entry as usize].street as usize]
    }

    /// The first slot of a decision within a row block of its street.
    ///
    /// # Panics
    /// If the position is no decision.
    #[inline]
    pub fn slot(&self, position: Position) -> u32 {
        let (entry, node) = self.decision(position);
        entry.slot + node.slot
    }

    /// The engine's actions at a decision, in the same order.
    ///
    /// # Panics
    /// If the position is no decision.
    pub fn actions(&self, position: Position) -> &[Action] {
        &self.decision(position).1.actions
    }

    /// The betting of every street, as vector solvers walk it; [`BettingTree::entry`] says which belongs where.
    pub fn round_trees(&self) -> Vec<RoundTree> {
        self.trees.iter().map(StreetTree::round_tree).collect()
    }

    /// What an entry is.
    pub fn entry(&self, entry: u32) -> StreetEntry {
        let Entry { street, tree, opener, paid, slot, .. } = self.entries[entry as usize];
        StreetEntry {
            street: Street::ALL[usize::from(street)],
            tree: tree.into(),
            opener: opener.into(),
            paid,
            slot,
        }
    }

    /// How many entries there are; a hand begins with number 0.
    pub fn entries(&self) -> u32 {
        self.entries.len() as u32
    }

    /// The entry after a matched end of a round before the last.
    ///
    /// # Panics
    /// If the end is none of these, or the line goes where the cards cannot.
    #[inline]
    pub fn next_entry(&self, entry: u32, end: usize, line: &Line) -> u32 {
        let entry = &self.entries[entry as usize];
        let variant = usize::from(line.variant[usize::from(entry.street) + 1]);
        self.links[entry.links as usize + end * VARIANTS + variant]
    }

    /// Sizes by street.
    pub fn sizes(&self) -> &[StreetSize; 5] {
        &self.sizes
    }

    /// First slot and number of actions of every row of a street's block, ascending.
    pub fn rows(&self, street: Street) -> &[(u32, u8)] {
        &self.rows[street.index()]
    }

    /// How much of the earlier betting infosets keep.
    pub fn detail(&self) -> HistoryDetail {
        self.detail
    }

    /// The most a player can put in. Units: chips.
    pub fn max_paid(&self) -> Chips {
        self.max_paid
    }
}

fn variant(double_bet: DoubleBet, street: Street, opener: usize, pairs: [bool; 2]) -> u8 {
    let [first, second] = pairs.map(u8::from);
    let shown = match double_bet {
        _ if street != Street::Fourth => 0,
        DoubleBet::Off => 0,
        DoubleBet::AnyPlayer => first | second,
        DoubleBet::PairHolder => first | second << 1,
    };
    opener as u8 | shown << 1
}

/// Entries are told apart by all that matters to play; rows by what an infoset remembers of it.
struct Builder<'a> {
    rules: &'a Rules,
    detail: HistoryDetail,
    tree: BettingTree,
    tree_ids: HashMap<(Street, [bool; 2]), u8>,
    /// Entries whose next street has not been linked yet, with their memory and variant.
    open: std::collections::VecDeque<(u32, Memory, u8)>,
    entry_ids: HashMap<(Street, Memory, Chips, u8), u32>,
    /// The first slot of a memory and variant within a row block.
    slots: HashMap<(Street, Memory, u8), u32>,
}

impl<'a> Builder<'a> {
    fn new(rules: &'a Rules, detail: HistoryDetail) -> Builder<'a> {
        let tree = BettingTree {
            detail,
            double_bet: rules.double_bet(),
            trees: Vec::new(),
            entries: Vec::new(),
            links: Vec::new(),
            sizes: [StreetSize::default(); 5],
            rows: Default::default(),
            max_paid: 0,
        };
        Builder {
            rules,
            detail,
            tree,
            tree_ids: HashMap::new(),
            open: Default::default(),
            entry_ids: HashMap::new(),
            slots: HashMap::new(),
        }
    }

    fn run(&mut self) -> Result<(), TreeError> {
        self.entry(Street::Third, Memory::start(), self.rules.ante(), 0)?;
        while let Some((id, memory, variant)) = self.open.pop_front() {
            let entry = self.tree.entries[id as usize].clone();
            let ends = self.tree.trees[entry.tree as usize].ends.clone();
            let first = self.tree.links.len();
            if first > MAX_LINKS {
                return Err(TreeError::TooLarge);
            }
            self.tree.entries[id as usize].links = first as u32;
            self.tree.links.resize(first + ends.len() * VARIANTS, NO_ENTRY);
            let street = Street::ALL[entry.street as usize + 1];
            let variants = self.variants(street, entry.opener);
            for (i, &end) in ends.iter().enumerate() {
                let End::Matched { wager, .. } = end else { continue };
                let next = memory.after(self.detail, entry.opener, variant, i, end);
                for &variant in &variants {
                    let to = self.entry(street, next.clone(), entry.paid + wager, variant)?;
                    self.tree.links[first + i * VARIANTS + variant as usize] = to;
                }
            }
        }
        Ok(())
    }

    /// The variants that can follow: without a new up card the opener stays, except that the first street was opened
    /// by the bring-in; and one up card is no pair.
    fn variants(&self, street: Street, opener: u8) -> Vec<u8> {
        let new = street == Street::Fourth || self.rules.deals_up(street);
        let openers = if new { vec![0, 1] } else { vec![opener as usize] };
        let pairs = [[false, false], [true, false], [false, true], [true, true]];
        let pairs = if self.rules.up_cards(street) > 1 { &pairs[..] } else { &pairs[..1] };
        let mut variants: Vec<u8> = openers
            .into_iter()
            .flat_map(|o| pairs.iter().map(move |&p| (o, p)))
            .map(|(o, p)| variant(self.rules.double_bet(), street, o, p))
            .collect();
        variants.sort_unstable();
        variants.dedup();
        variants
    }

    fn entry(&mut self, street: Street, memory: Memory, paid: Chips, variant: u8) -> Result<u32, TreeError> {
        let key = (street, memory, paid, variant);
        if let Some(&id) = self.entry_ids.get(&key) {
            return Ok(id);
        }
        let (_, memory, ..) = &key;
        let opener = variant & 1;
        let tree = self.street_tree(street, variant)?;
        let slot = self.slot(street, memory, variant, tree)?;
        if self.tree.entries.len() == MAX_ENTRIES {
            return Err(TreeError::TooLarge);
        }
        let id = self.tree.entries.len() as u32;
        let entry = Entry { street: street.index() as u8, tree, opener, paid, slot, links: LAST };
        self.tree.entries.push(entry);
        self.tree.sizes[street.index()].entries += 1;
        let most = self.tree.trees[tree as usize].ends.iter().map(|end| match *end {
            End::Fold { wager, .. } | End::Matched { wager, .. } => paid + wager,
        });
        self.tree.max_paid = most.fold(self.tree.max_paid, Chips::max);
        if street != self.rules.last_street() {
            self.open.push_back((id, memory.clone(), variant));
        }
        self.entry_ids.insert(key, id);
        Ok(id)
    }

    fn street_tree(&mut self, street: Street, variant: u8) -> Result<u8, TreeError> {
        let (opener, shown) = (variant & 1, variant >> 1);
        let roles = match self.rules.double_bet() {
            DoubleBet::PairHolder => [shown & 1 == 1, shown & 2 == 2],
            _ => [shown == 1; 2],
        };
        let positions = if opener == 0 { roles } else { [roles[1], roles[0]] };
        if let Some(&id) = self.tree_ids.get(&(street, positions)) {
            return Ok(id);
        }
        // At most one for each street and pair of positions: far fewer than 256.
        let id = self.tree.trees.len() as u8;
        self.tree.trees.push(StreetTree::compile(self.rules, street, positions)?);
        self.tree_ids.insert((street, positions), id);
        Ok(id)
    }

    fn slot(&mut self, street: Street, memory: &Memory, variant: u8, tree: u8) -> Result<u32, TreeError> {
        let key = (street, memory.clone(), variant);
        if let Some(&slot) = self.slots.get(&key) {
            return Ok(slot);
        }
        let size = &mut self.tree.sizes[street.index()];
        let slot = u32::try_from(size.slots).map_err(|_| TreeError::TooLarge)?;
        let tree = &self.tree.trees[tree as usize];
        size.slots += u64::from(tree.slots);
        size.rows += tree.decisions.len() as u64;
        self.tree.rows[street.index()]
            .extend(tree.decisions.iter().map(|node| (slot + node.slot, node.actions.len() as u8)));
        self.slots.insert(key, slot);
        Ok(slot)
    }

    fn finish(self) -> BettingTree {
        self.tree
    }
}

#[cfg(test)]
mod tests;
