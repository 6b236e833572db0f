//! Logs of changes: what traversals write instead of the tables, and how owners apply it.
//!
//! A log holds one stream of words per shard of the table. A record is a header word (offset in the shard,
//! number of actions, which table) followed by one number per action. A traversal appends; when a batch is
//! over, each shard's owner reads that shard's stream of every log, in the logs' order, and adds. So each
//! slot receives its addends in the order of deals, whatever thread traversed which deal and whatever thread
//! owns the slot: floating-point sums come out the same bit for bit.

use crate::discount::Weights;
use crate::external::Sink;
use crate::layout::MAX_SHIFT;
use crate::prefetch::prefetch;
use crate::table::Shard;
use crate::{Layout, MAX_ACTIONS, Real, Row};

/// How many records ahead of the one being applied its row is asked from memory.
const AHEAD: usize = 16;

/// Which table a record belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Regret = 0,
    StrategySum = 1,
}

/// A record's first word: offset in the shard (28 bits), actions - 1 (3 bits), table (1 bit).
#[derive(Clone, Copy)]
struct Header(u32);

const _: () = assert!(MAX_SHIFT <= 28 && MAX_ACTIONS <= 8);

impl Header {
    fn new(offset: u32, actions: usize, target: Target) -> Header {
        Header(offset << 4 | (actions as u32 - 1) << 1 | target as u32)
    }

    fn offset(self) -> usize {
        (self.0 >> 4) as usize
    }

    fn actions(self) -> usize {
        (self.0 >> 1 & 7) as usize + 1
    }

    fn target(self) -> usize {
        (self.0 & 1) as usize
    }
}

/// The changes that one task's traversals make, by shard.
pub(crate) struct Log<T: Real> {
    shift: u32,
    streams: Vec<Stream<T::Word>>,
    /// Rows visited by the traverser: records of regrets.
    pub(crate) regret_visits: u64,
    /// Rows visited by opponents: records of strategies.
    pub(crate) average_visits: u64,
}

/// Words up to `length`, and room for at least one more record behind.
#[derive(Clone, Default)]
struct Stream<W> {
    words: Vec<W>,
    length: usize,
}

const RECORD: usize = 1 + MAX_ACTIONS;

impl<T: Real> Log<T> {
    /// An empty log for the shards of `layout`.
    pub(crate) fn new(layout: &Layout) -> Log<T> {
        let stream = Stream { words: Vec::new(), length: 0 };
        Log {
            shift: layout.shift(),
            streams: vec![stream; layout.shards()],
            regret_visits: 0,
            average_visits: 0,
        }
    }

    /// Forgets all records; memory is kept.
    pub(crate) fn clear(&mut self) {
        self.streams.iter_mut().for_each(|stream| stream.length = 0);
        (self.regret_visits, self.average_visits) = (0, 0);
    }

    /// What the log takes, used or not. Units: bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.streams.iter().map(|stream| (stream.words.len() * size_of::<T>()) as u64).sum()
    }

    #[inline(always)]
    fn push(&mut self, slot: u64, values: &Row<T>, actions: usize, target: Target) {
        let offset = slot as u32 & ((1 << self.shift) - 1);
        let stream = &mut self.streams[(slot >> self.shift) as usize];
        if stream.length + RECORD > stream.words.len() {
            stream.grow();
        }
        // The whole array is written and only its first `actions` kept, which is faster than a loop.
        let record = &mut stream.words[stream.length..stream.length + RECORD];
        record[0] = T::word(Header::new(offset, actions, target).0);
        record[1..].copy_from_slice(&values.map(T::to_word));
        stream.length += 1 + actions;
    }

    /// Adds the records of one shard to its tables.
    pub(crate) fn apply(&self, shard_number: usize, shard: &mut Shard<'_, T>, weights: Weights) {
        let stream = &self.streams[shard_number];
        let words = &stream.words[..stream.length];
        let weights = [T::from_f64(weights.regret), T::from_f64(weights.average)];
        // Offsets count from the shard's place in the numbering, its tables from its first row.
        let skipped = (shard.first - ((shard_number as u64) << self.shift)) as usize;
        let mut ahead = Cursor { words, at: 0 };
        for _ in 0..AHEAD {
            ahead.prefetch(shard, skipped);
        }
        let mut at = 0;
        while at < words.len() {
            ahead.prefetch(shard, skipped);
            let header = Header(T::header(words[at]));
            let (actions, target) = (header.actions(), header.target());
            let values = &words[at + 1..at + 1 + actions];
            let row = &mut shard.tables[target][header.offset() - skipped..][..actions];
            for (sum, &value) in row.iter_mut().zip(values) {
                *sum += weights[target] * T::from_word(value);
            }
            at += 1 + actions;
        }
    }
}

/// Runs ahead of the record being applied.
struct Cursor<'a, W> {
    words: &'a [W],
    at: usize,
}

impl<W: Copy> Cursor<'_, W> {
    #[inline(always)]
    fn prefetch<T: Real<Word = W>>(&mut self, shard: &Shard<'_, T>, skipped: usize) {
        if let Some(&word) = self.words.get(self.at) {
            let header = Header(T::header(word));
            prefetch(shard.tables[header.target()], header.offset() - skipped);
            self.at += 1 + header.actions();
        }
    }
}

impl<W: Copy + Default> Stream<W> {
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let length = (self.words.len() * 2).max(64 * RECORD);
        self.words.resize(length, W::default());
    }
}

impl<T: Real> Sink<T> for Log<T> {
    #[inline(always)]
    fn regret(&mut self, slot: u64, deltas: &Row<T>, actions: usize) {
        self.regret_visits += 1;
        self.push(slot, deltas, actions, Target::Regret);
    }

    #[inline(always)]
    fn average(&mut self, slot: u64, strategy: &Row<T>, actions: usize) {
        self.average_visits += 1;
        self.push(slot, strategy, actions, Target::StrategySum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;
    use crate::layout::tests::Rows;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn check<T: Real>(shards: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(shards);
        let mut rows = Vec::new();
        let mut slot = 5;
        for _ in 0..300 {
            let actions = rng.random_range(1..=MAX_ACTIONS);
            rows.push((slot, actions));
            slot += actions as u64 + rng.random_range(0..3) * rng.random_range(0..50u64);
        }
        let slots = slot + 7;
        let layout = Layout::new(&Rows(rows.clone(), slots), shards).unwrap();
        let mut logs = [Log::<T>::new(&layout), Log::new(&layout)];
        let mut expected = [vec![T::ZERO; slots as usize], vec![T::ZERO; slots as usize]];
        let weights = Weights { regret: 3.0, average: 0.5 };
        for log in &mut logs {
            // The second round finds the buffers of the first.
            log.push(rows[0].0, &[T::ONE; MAX_ACTIONS], rows[0].1, Target::Regret);
            log.clear();
            for _ in 0..2000 {
                let (slot, actions) = rows[rng.random_range(0..rows.len())];
                let values: Row<T> = std::array::from_fn(|_| T::from_f64(rng.random_range(-9.0..9.0)));
                let regret = rng.random::<bool>();
                if regret {
                    log.regret(slot, &values, actions);
                } else {
                    log.average(slot, &values, actions);
                }
                let weight = T::from_f64(if regret { weights.regret } else { weights.average });
                for a in 0..actions {
                    expected[usize::from(!regret)][slot as usize + a] += weight * values[a];
                }
            }
            assert_eq!(log.regret_visits + log.average_visits, 2000);
        }
        let mut table = Table::<T>::new(slots, u64::MAX).unwrap();
        for (number, mut shard) in table.shards(&layout).into_iter().enumerate() {
            logs.iter().for_each(|log| log.apply(number, &mut shard, weights));
        }
        assert_eq!(table.regret(), expected[0]);
        assert_eq!(table.strategy_sum(), expected[1]);
    }

    #[test]
    fn applied_logs_equal_direct_addition_in_the_same_order() {
        for shards in [1, 3, 16, 64] {
            check::<f32>(shards);
            check::<f64>(shards);
        }
    }
}
