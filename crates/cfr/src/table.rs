//! The dense tables of a solver: cumulative regrets and strategy sums, and baselines where they are asked for.

use crate::memory::Zeroed;
use crate::{CfrError, Layout, MAX_ACTIONS, Real, Row};

/// Regrets and strategy sums of every infoset-action pair, and perhaps baselines ([`crate::outcome`]).
///
/// They are two arrays, not one of pairs: a traversal reads regrets only, so that twice as many rows share a
/// cache line.
///
/// Shape of all: `[slot]`, as the [`doorcard_efg::Infosets`] lay them out. Units: chips times the weights of
/// the [`crate::UpdateRule`] for regrets, weights for strategy sums, chips for baselines.
pub struct Table<T> {
    regret: Zeroed<T>,
    strategy_sum: Zeroed<T>,
    baseline: Option<Zeroed<T>>,
    slots: usize,
}

impl<T: Real> Table<T> {
    /// What a table of `slots` slots without baselines takes; baselines take half as much again. Units: bytes.
    pub fn predicted_bytes(slots: u64) -> u64 {
        Table::<T>::needed_bytes(slots, false)
    }

    /// What one of the arrays takes. Units: bytes.
    fn bytes_of_one(slots: u64) -> u64 {
        slots.saturating_add(MAX_ACTIONS as u64).saturating_mul(size_of::<T>() as u64)
    }

    /// A table of zeros without baselines.
    ///
    /// # Errors
    /// If it would exceed `max_memory` bytes (nothing is allocated then), or the system has no memory.
    pub fn new(slots: u64, max_memory: u64) -> Result<Table<T>, CfrError> {
        Table::allocate(slots, max_memory, false)
    }

    /// A table of zeros with baselines.
    ///
    /// # Errors
    /// As [`Table::new`].
    pub fn with_baselines(slots: u64, max_memory: u64) -> Result<Table<T>, CfrError> {
        Table::allocate(slots, max_memory, true)
    }

    /// What [`Table::allocate`] takes. Units: bytes.
    pub(crate) fn needed_bytes(slots: u64, baselines: bool) -> u64 {
        Table::<T>::bytes_of_one(slots).saturating_mul(2 + u64::from(baselines))
    }

    pub(crate) fn allocate(slots: u64, max_memory: u64, baselines: bool) -> Result<Table<T>, CfrError> {
        let needed = Table::<T>::needed_bytes(slots, baselines);
        if needed > max_memory {
            return Err(CfrError::Memory { needed, limit: max_memory });
        }
        let slots = usize::try_from(slots).map_err(|_| CfrError::TooLarge { slots })?;
        // The last row can be read as an array of MAX_ACTIONS too.
        let length = slots + MAX_ACTIONS;
        let baseline = baselines.then(|| Zeroed::new(length)).transpose()?;
        Ok(Table { regret: Zeroed::new(length)?, strategy_sum: Zeroed::new(length)?, baseline, slots })
    }

    /// How many infoset-action pairs.
    pub fn slots(&self) -> u64 {
        self.slots as u64
    }

    /// Cumulative regrets. Shape: `[slot]`.
    pub fn regret(&self) -> &[T] {
        &self.regret.as_slice()[..self.slots]
    }

    /// Cumulative strategies. Shape: `[slot]`.
    pub fn strategy_sum(&self) -> &[T] {
        &self.strategy_sum.as_slice()[..self.slots]
    }

    /// What each action is thought to be worth to its player, if there are baselines. Shape: `[slot]`.
    pub fn baseline(&self) -> Option<&[T]> {
        self.baseline.as_ref().map(|baseline| &baseline.as_slice()[..self.slots])
    }

    /// Baselines for writing.
    pub(crate) fn baseline_mut(&mut self) -> Option<&mut [T]> {
        let slots = self.slots;
        self.baseline.as_mut().map(|baseline| &mut baseline.as_mut_slice()[..slots])
    }

    /// Both tables for writing: regrets, strategy sums.
    pub fn both_mut(&mut self) -> (&mut [T], &mut [T]) {
        (&mut self.regret.as_mut_slice()[..self.slots], &mut self.strategy_sum.as_mut_slice()[..self.slots])
    }

    /// The regrets as the traversals read them: every row as [`MAX_ACTIONS`] numbers.
    pub(crate) fn regret_rows(&self) -> Regrets<'_, T> {
        Regrets { slots: self.regret.as_slice() }
    }

    /// Both tables for writing as [`Table::both_mut`], every row as [`MAX_ACTIONS`] numbers.
    pub(crate) fn rows_mut(&mut self) -> (&mut [T], &mut [T]) {
        (self.regret.as_mut_slice(), self.strategy_sum.as_mut_slice())
    }

    /// The baselines as the traversals read them.
    pub(crate) fn baseline_rows(&self) -> Option<Regrets<'_, T>> {
        self.baseline.as_ref().map(|baseline| Regrets { slots: baseline.as_slice() })
    }

    /// The tables cut into the layout's shards, each with its first slot.
    pub(crate) fn shards(&mut self, layout: &Layout) -> Vec<Shard<'_, T>> {
        let mut rest: [&mut [T]; 3] = [
            self.regret.as_mut_slice(),
            self.strategy_sum.as_mut_slice(),
            self.baseline.as_mut().map_or(&mut [], Zeroed::as_mut_slice),
        ];
        let mut at = 0;
        let mut shards = Vec::with_capacity(layout.shards());
        for bounds in layout.starts().windows(2) {
            let (start, end) = (bounds[0] as usize, bounds[1] as usize);
            let tables = rest.each_mut().map(|rest| {
                let table = std::mem::take(rest);
                if table.is_empty() {
                    return table;
                }
                let (own, behind) = table[start - at..].split_at_mut(end - start);
                *rest = behind;
                own
            });
            shards.push(Shard { first: start as u64, tables });
            at = end;
        }
        shards
    }
}

/// Frozen regrets (or baselines), read a row at a time.
#[derive(Clone, Copy)]
pub struct Regrets<'a, T> {
    /// The slots, followed by at least [`MAX_ACTIONS`] more.
    slots: &'a [T],
}

impl<'a, T: Real> Regrets<'a, T> {
    /// Rows of a plain array, which must be [`MAX_ACTIONS`] longer than its last row's end.
    pub fn new(slots: &'a [T]) -> Regrets<'a, T> {
        Regrets { slots }
    }

    /// The row at `slot` and what follows it.
    #[inline(always)]
    pub(crate) fn row(self, slot: u64) -> Row<T> {
        let slot = slot as usize;
        self.slots[slot..slot + MAX_ACTIONS].try_into().expect("MAX_ACTIONS numbers")
    }

    /// Starts loading the row at `slot`.
    #[inline(always)]
    pub(crate) fn prefetch(self, slot: u64) {
        crate::prefetch::prefetch(self.slots, slot as usize);
    }
}

/// A range of all tables that one task may write.
pub(crate) struct Shard<'a, T> {
    /// The number of its first slot.
    pub(crate) first: u64,
    /// Regrets, strategy sums, and baselines: empty where there are none.
    pub(crate) tables: [&'a mut [T]; 3],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::tests::SomeRows;

    #[test]
    fn memory_is_predicted_and_refused_before_it_is_taken() {
        assert_eq!(Table::<f32>::predicted_bytes(1_000_000), 8_000_032);
        assert_eq!(Table::<f64>::predicted_bytes(0), 64);
        let huge = Table::<f32>::new(u64::MAX / 2, 1 << 30);
        assert!(matches!(huge, Err(CfrError::Memory { limit, .. }) if limit == 1 << 30));
        assert!(Table::<f32>::new(1_000_000, 8_000_031).is_err());
        let table = Table::<f32>::new(1_000_000, 8_000_032).unwrap();
        assert_eq!(table.regret().len(), 1_000_000);
        assert!(table.strategy_sum().iter().all(|&x| x == 0.0));
    }

    #[test]
    fn shards_are_disjoint_and_hold_their_rows() {
        let rows = SomeRows(vec![(3, 2), (63, 3), (203, 4), (1000, 1)], 1024);
        let layout = Layout::new(&rows, 16).unwrap();
        let mut table = Table::<f64>::with_baselines(1024, u64::MAX).unwrap();
        for (number, shard) in table.shards(&layout).into_iter().enumerate() {
            for table in shard.tables {
                table.iter_mut().for_each(|x| *x += number as f64 + 1.0);
            }
        }
        for &(slot, actions) in &rows.0 {
            let expected = (slot >> layout.shift()) as f64 + 1.0;
            assert!(table.regret()[slot as usize..][..actions].iter().all(|&x| x == expected), "{slot}");
        }
        assert_eq!(table.regret(), table.strategy_sum());
        assert_eq!(table.regret(), table.baseline().unwrap());
        // Without baselines the third part of every shard is empty.
        let mut table = Table::<f64>::new(1024, u64::MAX).unwrap();
        assert!(table.shards(&layout).iter().all(|shard| shard.tables[2].is_empty()));
    }
}
