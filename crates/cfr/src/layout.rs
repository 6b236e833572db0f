//! A layout of infosets, checked once: rows in order, none overlapping, none too wide; and cut into shards.

use crate::{CfrError, MAX_ACTIONS};
use doorcard_efg::Rows;
use xxhash_rust::xxh3::Xxh3;

/// A shard's slots are numbered with this many bits in a log.
pub(crate) const MAX_SHIFT: u32 = 26;
/// Shards are not made smaller than `2^MIN_SHIFT` slots.
const MIN_SHIFT: u32 = 6;

/// The facts about a layout of infosets that tables, logs and files depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    rows: u64,
    slots: u64,
    fingerprint: u64,
    shift: u32,
    /// `starts[s]` is the first slot of the first row that starts at or after `s << shift`; one more closes
    /// the last shard.
    starts: Vec<u64>,
}

impl Layout {
    /// Walks all rows of `infosets` and cuts the table into at most `shards` shards.
    ///
    /// A shard owns the rows whose first slot, shifted right, is its number. Rows do not straddle shards, so
    /// that a table splits into disjoint slices.
    ///
    /// # Errors
    /// If rows overlap, are out of order, reach beyond the table, or have no or too many actions.
    pub fn new(infosets: &(impl Rows + ?Sized), shards: u64) -> Result<Layout, CfrError> {
        let slots = infosets.slots();
        let bits = |n: u64| u64::BITS - n.leading_zeros();
        let shift = bits(slots.saturating_sub(1) / shards.max(1)).clamp(MIN_SHIFT, MAX_SHIFT);
        let mut starts = Vec::new();
        let mut rows = 0u64;
        let mut end = 0;
        let mut hash = Hash::default();
        let mut fault = None;
        infosets.for_each_row(&mut |slot, actions| {
            let wrong = if slot < end {
                Some("starts inside or before the row that precedes it".to_string())
            } else if !(1..=MAX_ACTIONS).contains(&actions) {
                Some(format!("has {actions} actions: 1 to {MAX_ACTIONS} are supported"))
            } else if slot + actions as u64 > slots {
                Some(format!("reaches beyond the {slots} slots of the table"))
            } else {
                None
            };
            if let Some(wrong) = wrong {
                fault.get_or_insert(CfrError::Layout { slot, fault: wrong });
                return;
            }
            while (starts.len() as u64) << shift <= slot {
                starts.push(slot);
            }
            rows += 1;
            end = slot + actions as u64;
            hash.push(slot, actions);
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        if rows != infosets.rows() {
            let fault = format!("is the last of {rows} rows, but the infosets promise {}", infosets.rows());
            return Err(CfrError::Layout { slot: end, fault });
        }
        starts.push(slots);
        Ok(Layout { rows, slots, fingerprint: hash.finish(slots), shift, starts })
    }

    /// How many infosets.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// How many infoset-action pairs.
    pub fn slots(&self) -> u64 {
        self.slots
    }

    /// A hash of the places and action counts of all rows.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// How many shards.
    pub(crate) fn shards(&self) -> usize {
        self.starts.len() - 1
    }

    /// A slot's shard is the slot shifted right by this.
    pub(crate) fn shift(&self) -> u32 {
        self.shift
    }

    /// Where each shard starts, and where the last one ends. Units: slots.
    pub(crate) fn starts(&self) -> &[u64] {
        &self.starts
    }
}

/// Hashes rows in blocks, since one at a time would cost more than walking them.
#[derive(Default)]
struct Hash {
    hash: Xxh3,
    block: Vec<u8>,
}

impl Hash {
    fn push(&mut self, slot: u64, actions: usize) {
        self.block.extend_from_slice(&slot.to_le_bytes());
        self.block.push(actions as u8);
        if self.block.len() >= 1 << 16 {
            self.hash.update(&self.block);
            self.block.clear();
        }
    }

    fn finish(mut self, slots: u64) -> u64 {
        self.hash.update(&self.block);
        self.hash.update(&slots.to_le_bytes());
        self.hash.digest()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use doorcard_efg::Infosets;
    use doorcard_games::kuhn::{Kuhn, KuhnDeal, KuhnNode};
    use doorcard_games::leduc::{Leduc, LeducInfosets};

    /// Rows at given places, of no game in particular.
    pub(crate) struct SomeRows(pub(crate) Vec<(u64, usize)>, pub(crate) u64);

    impl Rows for SomeRows {
        fn rows(&self) -> u64 {
            self.0.len() as u64
        }

        fn slots(&self) -> u64 {
            self.1
        }

        fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
            self.0.iter().for_each(|&(slot, actions)| f(slot, actions));
        }
    }

    impl Infosets<Kuhn> for SomeRows {
        type View = ();

        fn view(&self, _game: &Kuhn, _deal: &KuhnDeal) {}

        fn slot(&self, (): &(), _node: &KuhnNode, _player: usize) -> u64 {
            0
        }
    }

    #[test]
    fn rows_lie_in_the_shard_of_their_first_slot() {
        let infosets = LeducInfosets::new(&Leduc::new());
        for shards in [1, 2, 7, 64, 1000] {
            let layout = Layout::new(&infosets, shards).unwrap();
            assert!(layout.shards() as u64 <= shards.max(1), "{} of {shards}", layout.shards());
            assert_eq!(*layout.starts().last().unwrap(), infosets.slots());
            infosets.for_each_row(&mut |slot, actions| {
                let shard = (slot >> layout.shift()) as usize;
                let (start, end) = (layout.starts()[shard], layout.starts()[shard + 1]);
                assert!(start <= slot && slot + actions as u64 <= end, "{shards}: {slot}");
            });
        }
    }

    #[test]
    fn gaps_wider_than_a_shard_are_allowed() {
        let rows = SomeRows(vec![(3, 2), (200, 3), (203, 4), (1000, 1)], 1024);
        let layout = Layout::new(&rows, 16).unwrap();
        assert_eq!((layout.shift(), layout.shards()), (6, 16));
        assert_eq!(layout.starts()[..6], [3, 200, 200, 200, 1000, 1000]);
    }

    #[test]
    fn fingerprints_tell_layouts_apart() {
        let fingerprint =
            |rows: Vec<(u64, usize)>, slots| Layout::new(&SomeRows(rows, slots), 4).unwrap().fingerprint();
        let base = fingerprint(vec![(0, 2), (2, 3)], 5);
        assert_eq!(base, fingerprint(vec![(0, 2), (2, 3)], 5));
        assert_ne!(base, fingerprint(vec![(0, 2), (2, 3)], 6));
        assert_ne!(base, fingerprint(vec![(0, 2), (2, 2)], 5));
        assert_ne!(base, fingerprint(vec![(0, 2)], 5));
    }

    #[test]
    fn inconsistent_layouts_are_refused() {
        for (rows, slots) in [
            (vec![(0, 2), (1, 2)], 9),
            (vec![(4, 2), (0, 2)], 9),
            (vec![(0, 0)], 9),
            (vec![(0, MAX_ACTIONS + 1)], 9),
            (vec![(8, 2)], 9),
        ] {
            let error = Layout::new(&SomeRows(rows.clone(), slots), 4).unwrap_err();
            assert!(matches!(error, CfrError::Layout { .. }), "{rows:?}: {error}");
        }
    }
}
