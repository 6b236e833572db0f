//! Logs of changes: what traversals write instead of the tables, and how owners apply it.
//!
//! A log holds one stream of words per shard of the table. A record is a header word (offset in the shard,
//! number of numbers, which table) followed by one number per action; a record of what an action was worth has one number,
//! and the action's own offset. A traversal appends; when a batch is
//! over, each shard's owner reads that shard's stream of every log, in the logs' order, and adds. So each
//! slot receives its addends in the order of deals, whatever thread traversed which deal and whatever thread
//! owns the slot: floating-point sums come out the same bit for bit.
//!
//! Streams consist of chunks that a log lends to them and takes back when it is cleared, so that a log's memory
//! is that of its fullest batch, and not that of each stream's.

use crate::discount::Weights;
use crate::layout::MAX_SHIFT;
use crate::prefetch::prefetch;
use crate::sampling::Sink;
use crate::table::Shard;
use crate::{Layout, MAX_ACTIONS, Real, Row};

/// How many records ahead of the one being applied its row is asked from memory.
const AHEAD: usize = 16;

/// Which table a record belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Regret = 0,
    StrategySum = 1,
    Baseline = 2,
}

/// A record's first word: offset in the shard (27 bits), numbers - 1 (3 bits), table (2 bits).
#[derive(Clone, Copy)]
struct Header(u32);

// The last row of a shard may reach beyond the shard's numbers, hence a bit to spare.
const _: () = assert!(MAX_SHIFT <= 26 && MAX_ACTIONS <= 8);

impl Header {
    fn new(offset: u32, numbers: usize, target: Target) -> Header {
        Header(offset << 5 | (numbers as u32 - 1) << 2 | target as u32)
    }

    fn offset(self) -> usize {
        (self.0 >> 5) as usize
    }

    fn numbers(self) -> usize {
        (self.0 >> 2 & 7) as usize + 1
    }

    fn target(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// The changes that one task's traversals make, by shard.
pub(crate) struct Log<T: Real> {
    shift: u32,
    streams: Vec<Stream<T::Word>>,
    /// Chunks that no stream uses.
    free: Vec<Box<[T::Word]>>,
    /// How many chunks there are, used or free.
    chunks: u64,
    /// Rows visited by the traverser: records of regrets.
    pub(crate) regret_visits: u64,
    /// Rows visited by opponents: records of strategies.
    pub(crate) average_visits: u64,
}

/// The records of one shard: full chunks in order, then the one being written.
struct Stream<W> {
    full: Vec<Chunk<W>>,
    last: Chunk<W>,
}

/// Words up to `length`. A chunk with room for less than a whole row's record behind is full.
struct Chunk<W> {
    words: Box<[W]>,
    length: usize,
}

/// The longest record. Units: words.
const RECORD: usize = 1 + MAX_ACTIONS;
/// Units: words. Each stream in use wastes half a chunk on average, and there may be ten thousand streams.
const CHUNK: usize = 256;

impl<T: Real> Log<T> {
    /// An empty log for the shards of `layout`.
    pub(crate) fn new(layout: &Layout) -> Log<T> {
        Log {
            shift: layout.shift(),
            streams: (0..layout.shards()).map(|_| Stream::default()).collect(),
            free: Vec::new(),
            chunks: 0,
            regret_visits: 0,
            average_visits: 0,
        }
    }

    /// Forgets all records; memory is kept.
    pub(crate) fn clear(&mut self) {
        for stream in &mut self.streams {
            stream.last.length = 0;
            self.free.extend(stream.full.drain(..).map(|chunk| chunk.words));
        }
        (self.regret_visits, self.average_visits) = (0, 0);
    }

    /// Forgets all records and gives the memory back.
    pub(crate) fn release(&mut self) {
        self.streams.fill_with(Stream::default);
        (self.free, self.chunks) = (Vec::new(), 0);
        (self.regret_visits, self.average_visits) = (0, 0);
    }

    /// What the log takes, used or not. Units: bytes.
    pub(crate) fn bytes(&self) -> u64 {
        Log::<T>::bytes_of(self.chunks, self.streams.len() as u64)
    }

    /// What `chunks` chunks in `streams` streams take. Units: bytes.
    fn bytes_of(chunks: u64, streams: u64) -> u64 {
        // A chunk is listed in its stream or among the free ones; lists have room for up to twice as many.
        let chunk = (CHUNK * size_of::<T::Word>() + 2 * size_of::<Chunk<T::Word>>()) as u64;
        chunks.saturating_mul(chunk).saturating_add(streams * size_of::<Stream<T::Word>>() as u64)
    }

    /// The most that a log of `words` words takes however they fall into `streams` streams. Units: bytes.
    pub(crate) fn bytes_for(words: u64, streams: u64) -> u64 {
        // A full chunk may lack a record but for one word; each stream has one that is not full.
        let full = words / (CHUNK - RECORD + 1) as u64;
        Log::<T>::bytes_of(full + streams, streams)
    }

    /// Appends a record of `numbers` numbers for the slots from `action` of the row at `slot` on.
    #[inline(always)]
    fn push(&mut self, slot: u64, action: usize, values: &Row<T>, numbers: usize, target: Target) {
        let offset = (slot as u32 & ((1 << self.shift) - 1)) + action as u32;
        let stream = &mut self.streams[(slot >> self.shift) as usize];
        if stream.last.length + RECORD > stream.last.words.len() {
            self.chunks += stream.grow(&mut self.free);
        }
        let chunk = &mut stream.last;
        // The whole array is written and only its first numbers kept, which is faster than a loop.
        let record = &mut chunk.words[chunk.length..chunk.length + RECORD];
        record[0] = T::word(Header::new(offset, numbers, target).0);
        record[1..].copy_from_slice(&values.map(T::to_word));
        chunk.length += 1 + numbers;
    }

    /// Adds the records of one shard to its tables. Baselines move by the part `rate` to what was found.
    pub(crate) fn apply(&self, shard_number: usize, shard: &mut Shard<'_, T>, weights: Weights, rate: f64) {
        let stream = &self.streams[shard_number];
        let rate = T::from_f64(rate);
        let weights = [T::from_f64(weights.regret), T::from_f64(weights.average)];
        // Offsets count from the shard's place in the numbering, its tables from its first row.
        let skipped = (shard.first - ((shard_number as u64) << self.shift)) as usize;
        let mut ahead = Records::<T>::new(stream);
        let mut fetch = |shard: &Shard<'_, T>| {
            if let Some((header, _)) = ahead.next() {
                prefetch(shard.tables[header.target()], header.offset() - skipped);
            }
        };
        (0..AHEAD).for_each(|_| fetch(shard));
        for (header, values) in Records::<T>::new(stream) {
            fetch(shard);
            let target = header.target();
            let row = &mut shard.tables[target][header.offset() - skipped..][..values.len()];
            if target == Target::Baseline as usize {
                row.iter_mut().zip(values).for_each(|(b, &found)| *b += rate * (T::from_word(found) - *b));
                continue;
            }
            for (sum, &value) in row.iter_mut().zip(values) {
                *sum += weights[target] * T::from_word(value);
            }
        }
    }
}

/// The records of a stream in the order they were written.
struct Records<'a, T: Real> {
    full: std::slice::Iter<'a, Chunk<T::Word>>,
    last: Option<&'a Chunk<T::Word>>,
    /// What is left of the chunk being read.
    words: &'a [T::Word],
}

impl<'a, T: Real> Records<'a, T> {
    fn new(stream: &'a Stream<T::Word>) -> Records<'a, T> {
        Records { full: stream.full.iter(), last: Some(&stream.last), words: &[] }
    }
}

impl<'a, T: Real> Iterator for Records<'a, T> {
    type Item = (Header, &'a [T::Word]);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.words.is_empty() {
            let chunk = self.full.next().or_else(|| self.last.take())?;
            self.words = &chunk.words[..chunk.length];
        }
        let (&word, rest) = self.words.split_first()?;
        let header = Header(T::header(word));
        let (values, rest) = rest.split_at(header.numbers());
        self.words = rest;
        Some((header, values))
    }
}

impl<W> Default for Stream<W> {
    fn default() -> Stream<W> {
        Stream { full: Vec::new(), last: Chunk { words: Box::default(), length: 0 } }
    }
}

impl<W: Copy + Default> Stream<W> {
    /// Goes on in another chunk, a free one if there is one. Returns how many chunks had to be made.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, free: &mut Vec<Box<[W]>>) -> u64 {
        let reused = free.pop();
        let made = u64::from(reused.is_none());
        let words = reused.unwrap_or_else(|| vec![W::default(); CHUNK].into_boxed_slice());
        let full = std::mem::replace(&mut self.last, Chunk { words, length: 0 });
        if full.length > 0 {
            self.full.push(full);
        }
        made
    }
}

impl<T: Real> Sink<T> for Log<T> {
    #[inline(always)]
    fn regret(&mut self, slot: u64, deltas: &Row<T>, actions: usize) {
        self.regret_visits += 1;
        self.push(slot, 0, deltas, actions, Target::Regret);
    }

    #[inline(always)]
    fn average(&mut self, slot: u64, strategy: &Row<T>, actions: usize) {
        self.average_visits += 1;
        self.push(slot, 0, strategy, actions, Target::StrategySum);
    }

    #[inline(always)]
    fn outcome(&mut self, slot: u64, action: usize, value: T) {
        let mut row = [T::ZERO; MAX_ACTIONS];
        row[0] = value;
        self.push(slot, action, &row, 1, Target::Baseline);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;
    use crate::layout::tests::SomeRows;
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
        let layout = Layout::new(&SomeRows(rows.clone(), slots), shards).unwrap();
        let mut logs = [Log::<T>::new(&layout), Log::new(&layout)];
        let mut expected = [(); 3].map(|()| vec![T::ZERO; slots as usize]);
        let rate = 0.25;
        let mut outcomes = 0;
        let weights = Weights { regret: 3.0, average: 0.5 };
        for log in &mut logs {
            // The second round finds the buffers of the first.
            log.regret(rows[0].0, &[T::ONE; MAX_ACTIONS], rows[0].1);
            log.clear();
            for _ in 0..2000 {
                let (slot, actions) = rows[rng.random_range(0..rows.len())];
                let values: Row<T> = std::array::from_fn(|_| T::from_f64(rng.random_range(-9.0..9.0)));
                if rng.random_range(0..3) == 0 {
                    let action = rng.random_range(0..actions);
                    log.outcome(slot, action, values[0]);
                    let baseline = &mut expected[2][slot as usize + action];
                    *baseline += T::from_f64(rate) * (values[0] - *baseline);
                    outcomes += 1;
                    continue;
                }
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
            assert_eq!(log.regret_visits + log.average_visits + outcomes, 2000);
            outcomes = 0;
            assert!(log.bytes() <= Log::<T>::bytes_for(2000 * RECORD as u64, layout.shards() as u64));
        }
        let mut table = Table::<T>::with_baselines(slots, u64::MAX).unwrap();
        for (number, mut shard) in table.shards(&layout).into_iter().enumerate() {
            logs.iter().for_each(|log| log.apply(number, &mut shard, weights, rate));
        }
        assert_eq!(table.regret(), expected[0]);
        assert_eq!(table.strategy_sum(), expected[1]);
        assert_eq!(table.baseline().unwrap(), expected[2]);
    }

    #[test]
    fn applied_logs_equal_direct_addition_in_the_same_order() {
        for shards in [1, 3, 16, 64] {
            check::<f32>(shards);
            check::<f64>(shards);
        }
    }
}
