//! What a solver asks of a traversal, and what one leaves.

use crate::{CfrError, MAX_ACTIONS, Real};
use doorcard_efg::{Block, Rows};
use std::ops::Range;

/// One way of finding the counterfactual regrets of a player.
///
/// A game comes in one or more parts that share no rows, so that they can be solved side by side.
pub trait Traversal: Sync {
    /// The memory of a pass through one part, kept from one to the next.
    type Scratch: Send;

    /// The name, for files and tables.
    fn name(&self) -> &'static str;

    /// How many players.
    fn players(&self) -> usize;

    /// The rows.
    fn rows(&self) -> &dyn Rows;

    /// The slots of each part, in ascending order.
    fn parts(&self) -> Vec<Range<u64>>;

    /// Reports every row of a part, any number of times, and returns the memory that passes need there.
    fn survey(&self, part: usize, reached: &mut Reached) -> Self::Scratch;

    /// Whether a pass visits few of the rows, and so says which.
    fn is_sparse(&self) -> bool {
        false
    }

    /// Adds up in `found` what the rows of a player in one part get in one iteration.
    fn pass<T: Real>(
        &self,
        pass: Pass,
        strategies: Strategies<'_, T>,
        found: &mut Found<'_>,
        scratch: &mut Self::Scratch,
    );

    /// Refuses rules that the traversal cannot serve.
    ///
    /// # Errors
    /// [`CfrError::Setting`].
    fn check(&self, rule: crate::UpdateRule) -> Result<(), CfrError> {
        let _ = rule;
        Ok(())
    }
}

/// Which pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The part of the game.
    pub part: usize,
    /// Whose regrets.
    pub player: usize,
    /// The iteration, counted from one.
    pub iteration: u64,
    /// The seed of the run, for traversals that sample.
    pub seed: u64,
}

/// What everybody plays now in one part.
#[derive(Clone, Copy, Debug)]
pub struct Strategies<'a, T> {
    /// The part's first slot.
    pub(super) first: u64,
    pub(super) slots: &'a [T],
}

impl<'a, T: Real> Strategies<'a, T> {
    /// Strategies of slots `first` and following.
    pub fn new(first: u64, slots: &'a [T]) -> Strategies<'a, T> {
        Strategies { first, slots }
    }

    /// The probabilities of an action of all hands: from that of bucket 0 on, at the block's strides.
    #[inline(always)]
    pub(super) fn of_action(self, block: Block<'_>, action: usize) -> &'a [T] {
        &self.slots[(block.base - self.first) as usize + action..]
    }

    /// The probabilities of a row.
    #[inline(always)]
    pub(super) fn row(self, slot: u64, actions: usize) -> &'a [T] {
        &self.slots[(slot - self.first) as usize..][..actions]
    }
}

/// What a pass finds, by slot of one part: added to, from zero.
#[derive(Debug)]
pub struct Found<'a> {
    /// The part's first slot.
    pub(super) first: u64,
    /// Counterfactual regrets. Shape: `[slot]`. Units: chips.
    pub(super) regret: &'a mut [f64],
    /// At a row's first slot: the probability that chance and the player's own actions lead to the row.
    pub(super) reach: &'a mut [f64],
    /// The rows that were added to, some more than once; `None` if nobody asks.
    pub(super) visited: Option<&'a mut Vec<OwnRow>>,
}

impl<'a> Found<'a> {
    /// Sums for slots `first` and following: regrets, and reach at the first slot of every row.
    pub fn new(first: u64, regret: &'a mut [f64], reach: &'a mut [f64]) -> Found<'a> {
        Found { first, regret, reach, visited: None }
    }

    /// The rows of all hands of a block are being added to.
    #[inline(always)]
    pub(super) fn visit(&mut self, block: Block<'_>, actions: usize) {
        if let Some(visited) = &mut self.visited {
            let row = |hand| OwnRow { slot: block.slot(hand), actions: actions as u8 };
            visited.extend((0..block.buckets.len()).map(row));
        }
    }

    /// The regrets of a row.
    #[inline(always)]
    pub(super) fn regret(&mut self, slot: u64, actions: usize) -> &mut [f64] {
        &mut self.regret[(slot - self.first) as usize..][..actions]
    }

    /// The regrets of an action of all hands: from that of bucket 0 on, at the block's strides.
    #[inline(always)]
    pub(super) fn regrets_of_action(&mut self, block: Block<'_>, action: usize) -> &mut [f64] {
        &mut self.regret[(block.base - self.first) as usize + action..]
    }

    /// The regrets and the reach of all hands: from the row of bucket 0 on, at the block's strides.
    #[inline(always)]
    pub(super) fn of_block(&mut self, block: Block<'_>) -> (&mut [f64], &mut [f64]) {
        let start = (block.base - self.first) as usize;
        (&mut self.regret[start..], &mut self.reach[start..])
    }

    /// The reach of a row.
    #[inline(always)]
    pub(super) fn reach(&mut self, slot: u64) -> &mut f64 {
        &mut self.reach[(slot - self.first) as usize]
    }
}

/// The rows that a survey has found, and whose they are.
#[derive(Debug)]
pub struct Reached {
    /// By a row's first slot: its player plus one and its actions; zeros elsewhere.
    owners: Vec<(u8, u8)>,
    /// The slots of the part that is being surveyed.
    part: Range<u64>,
    fault: Option<CfrError>,
}

/// A row of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OwnRow {
    pub(super) slot: u64,
    pub(super) actions: u8,
}

impl Reached {
    /// No rows yet, of a table of `slots` slots.
    pub fn new(slots: u64) -> Reached {
        Reached { owners: vec![(0, 0); slots as usize], part: 0..slots, fault: None }
    }

    /// Rows reported from now on must lie in these slots.
    pub(super) fn enter(&mut self, part: Range<u64>) {
        self.part = part;
    }

    /// The row at `slot` is where `player` chooses among `actions` actions.
    pub fn row(&mut self, slot: u64, player: usize, actions: usize) {
        let row = (player as u8 + 1, actions as u8);
        let wrong = match self.owners.get_mut(slot as usize) {
            _ if !(1..=MAX_ACTIONS).contains(&actions) => {
                format!("has {actions} actions: 1 to {MAX_ACTIONS} are supported")
            }
            _ if slot < self.part.start || self.part.end < slot + actions as u64 => {
                format!("is not in slots {:?}, the part of the game where it is reached", self.part)
            }
            None => "lies beyond the table".into(),
            Some(found) if *found == (0, 0) => {
                *found = row;
                return;
            }
            Some(found) if *found == row => return,
            Some(&mut (owner, found)) => format!(
                "is reached by player {} with {found} actions and by player {player} with {actions}",
                owner - 1
            ),
        };
        self.fault.get_or_insert(CfrError::Layout { slot, fault: wrong });
    }

    /// The rows of each player in each part. Shape: `[part][player][row]`, rows in ascending order.
    ///
    /// # Errors
    /// If a row was reached in different ways, outside its part, or is none of the layout's.
    pub(super) fn into_parts(
        mut self,
        rows: &dyn Rows,
        players: usize,
        parts: &[Range<u64>],
    ) -> Result<Vec<Vec<Vec<OwnRow>>>, CfrError> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let mut found = vec![vec![Vec::new(); players]; parts.len()];
        let mut fault = None;
        let mut part = 0;
        rows.for_each_row(&mut |slot, actions| {
            let (owner, seen) = std::mem::take(&mut self.owners[slot as usize]);
            if owner == 0 {
                return;
            }
            if usize::from(seen) != actions {
                let fault_here = format!("has {actions} actions, but the game {seen}");
                fault.get_or_insert(CfrError::Layout { slot, fault: fault_here });
                return;
            }
            while parts[part].end <= slot {
                part += 1;
            }
            found[part][usize::from(owner) - 1].push(OwnRow { slot, actions: seen });
        });
        if let Some(slot) = self.owners.iter().position(|&owner| owner != (0, 0)) {
            let stray = "is reached in the game, but no row starts there".into();
            fault.get_or_insert(CfrError::Layout { slot: slot as u64, fault: stray });
        }
        fault.map_or(Ok(found), Err)
    }
}
