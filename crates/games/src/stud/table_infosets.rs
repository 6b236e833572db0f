//! The information sets of a table small enough to be walked through, found one by one.
//!
//! For mini-stud with any number of seats: nothing is merged, not even suits that play alike, so that these are the
//! infosets of the game itself. A row is what a seat knows when it acts: its own down cards in order, everybody's up
//! cards in order, and all actions. Rows are numbered as a walk over all deals and actions first meets them.

use super::{Action, State, StudError, StudTable};
use doorcard_efg::{EnumerableGame, Game, Infosets, Rows, Turn};
use smallvec::SmallVec;
use std::collections::HashMap;

/// More deals than a walk gets through in a minute.
const MAX_DEALS: u64 = 4_000_000;
/// Ends a list of cards.
const END: u8 = u8::MAX;

/// What a seat knows, in bytes that can be read back only one way.
type Key = SmallVec<[u8; 32]>;

/// The lossless information sets of a small table: a row is all that a seat has seen.
#[derive(Clone, Debug)]
pub struct TableInfosets {
    first_slots: HashMap<Key, u64>,
    /// First slot and number of actions, in the order of the walk.
    rows: Vec<(u64, u8)>,
    slots: u64,
}

impl TableInfosets {
    /// Walks through every deal and action of a table. Memory: some 120 bytes a row.
    ///
    /// # Errors
    /// If the table's deck, players and streets make more than four million deals.
    pub fn new(table: &StudTable) -> Result<TableInfosets, StudError> {
        table
            .deals()
            .filter(|&deals| deals <= MAX_DEALS)
            .ok_or(StudError::TooManyDeals { max: MAX_DEALS })?;
        let mut infosets = TableInfosets { first_slots: HashMap::new(), rows: Vec::new(), slots: 0 };
        table.for_each_deal(&mut |deal, _| infosets.walk(table, deal, &table.root(deal)));
        Ok(infosets)
    }

    fn walk(&mut self, table: &StudTable, deal: &<StudTable as Game>::Deal, node: &State) {
        let Turn::Decide { player, actions } = table.turn(node, deal) else { return };
        self.first_slots.entry(key(node, player)).or_insert_with(|| {
            let slot = self.slots;
            self.rows.push((slot, actions as u8));
            self.slots += actions as u64;
            slot
        });
        for action in 0..actions {
            self.walk(table, deal, &table.act(node, deal, action));
        }
    }
}

/// What `player` knows.
fn key(state: &State, player: usize) -> Key {
    let mut key = Key::new();
    key.push(player as u8);
    let lists = (0..state.players()).map(|seat| state.up_cards(seat));
    for cards in lists.chain([state.down_cards(player)]) {
        key.extend(cards.iter().map(|card| card.index() as u8));
        key.push(END);
    }
    for event in state.history() {
        match event.action() {
            Action::Fold => key.push(0),
            Action::Check => key.push(1),
            Action::Call => key.push(2),
            Action::BringIn => key.push(3),
            Action::RaiseTo(to) => {
                // Seven bits a byte; the last has its highest bit clear.
                key.push(4);
                let mut rest = to as u64;
                while rest > 0x7f {
                    key.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                key.push(rest as u8);
            }
        }
    }
    key
}

impl Rows for TableInfosets {
    fn rows(&self) -> u64 {
        self.rows.len() as u64
    }

    fn slots(&self) -> u64 {
        self.slots
    }

    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        self.rows.iter().for_each(|&(slot, actions)| f(slot, actions.into()));
    }
}

impl Infosets<StudTable> for TableInfosets {
    type View = ();

    fn view(&self, _: &StudTable, _: &<StudTable as Game>::Deal) {}

    /// # Panics
    /// If the node is not one of the table that was walked through.
    fn slot(&self, _: &(), node: &State, player: usize) -> u64 {
        self.first_slots[&key(node, player)]
    }
}
