//! What a walk has found, kept until its batch is done.
//!
//! Walks of a batch see the tables as they were before it. What each finds is logged, block by block, and added to the
//! tables in the order of boards, every range of a table by one thread: the same sums in the same order for any number
//! of threads, without locks.

use super::lanes::Lane;
use doorcard_efg::LANES;

/// The most parts of a table that threads update: enough for many threads even where most changes fall into few of them.
pub(super) const MOST_SHARDS: usize = 1024;

/// What one walk adds to one table.
#[derive(Default)]
pub(super) struct Log {
    entries: Vec<LogEntry>,
    /// The entries by shard, those of a shard in the order they came.
    sorted: Vec<LogEntry>,
    data: Vec<Lane>,
    /// Where the entries of each shard begin, once [sorted](Log::sort). Shape: `[shard + 1]`.
    starts: Vec<u32>,
}

/// What a log holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LogSize {
    pub(super) blocks: usize,
    /// Of all blocks.
    pub(super) groups: usize,
}

impl LogSize {
    /// Of both.
    pub(super) fn with(self, other: LogSize) -> LogSize {
        LogSize { blocks: self.blocks + other.blocks, groups: self.groups + other.groups }
    }

    /// The larger of each.
    pub(super) fn max(self, other: LogSize) -> LogSize {
        LogSize { blocks: self.blocks.max(other.blocks), groups: self.groups.max(other.groups) }
    }

    /// So many times as much.
    pub(super) fn times(self, factor: usize) -> LogSize {
        LogSize { blocks: factor * self.blocks, groups: factor * self.groups }
    }

    /// What a [reserved](Log::reserve) log takes. Units: bytes.
    pub(super) fn bytes(self) -> u64 {
        let starts = (MOST_SHARDS + 1) * size_of::<u32>();
        (2 * self.blocks * size_of::<LogEntry>() + self.groups * size_of::<Lane>() + starts) as u64
    }
}

#[derive(Clone, Copy, Default)]
struct LogEntry {
    /// The place in the table.
    at: u64,
    /// Where its numbers begin in `data`.
    data: u32,
    groups: u32,
}

impl Log {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.sorted.clear();
        self.data.clear();
        self.starts.clear();
    }

    /// Makes room for what is known to come and no more.
    pub(super) fn reserve(&mut self, size: LogSize) {
        self.entries.reserve_exact(size.blocks);
        self.sorted.reserve_exact(size.blocks);
        self.data.reserve_exact(size.groups);
        self.starts.reserve_exact(MOST_SHARDS + 1);
    }

    /// Adds numbers for the table from `at` on.
    #[inline]
    pub(super) fn push(&mut self, at: u64, numbers: &[Lane]) {
        let data = self.data.len() as u32;
        self.data.extend_from_slice(numbers);
        self.entries.push(LogEntry { at, data, groups: numbers.len() as u32 });
    }

    /// Adds `weight * strategy` to one bucket of a block.
    #[inline]
    pub(super) fn push_bucket(&mut self, at: u64, lanes: usize, bucket: u16, strategy: &[f32], weight: f32) {
        let bucket = usize::from(bucket);
        for (action, &probability) in strategy.iter().enumerate() {
            let place = action * lanes + bucket;
            let mut lane = super::lanes::ZERO;
            lane[place % LANES] = weight * probability;
            self.push(at + (place - place % LANES) as u64, &[lane]);
        }
    }

    /// Room for the numbers of a block, which the caller fills.
    #[inline]
    pub(super) fn room(&mut self, at: u64, groups: usize) -> &mut [Lane] {
        let data = self.data.len();
        self.data.resize(data + groups, super::lanes::ZERO);
        self.entries.push(LogEntry { at, data: data as u32, groups: groups as u32 });
        &mut self.data[data..]
    }

    /// Sorts the entries by shard, those of a shard in the order they came.
    pub(super) fn sort(&mut self, shards: &Shards) {
        let count = shards.len();
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        for entry in &self.entries {
            self.starts[shards.of(entry.at) + 1] += 1;
        }
        for shard in 0..count {
            self.starts[shard + 1] += self.starts[shard];
        }
        let mut next = self.starts.clone();
        self.sorted.clear();
        self.sorted.resize(self.entries.len(), LogEntry::default());
        for entry in &self.entries {
            let place = &mut next[shards.of(entry.at)];
            self.sorted[*place as usize] = *entry;
            *place += 1;
        }
    }

    /// The entries of a shard: place and numbers.
    pub(super) fn shard(&self, shard: usize) -> impl Iterator<Item = (u64, &[Lane])> {
        let range = self.starts[shard] as usize..self.starts[shard + 1] as usize;
        self.sorted[range]
            .iter()
            .map(|entry| (entry.at, &self.data[entry.data as usize..][..entry.groups as usize]))
    }

    /// What it holds.
    pub(super) fn size(&self) -> LogSize {
        LogSize { blocks: self.entries.len(), groups: self.data.len() }
    }

    /// How many numbers it adds to the table.
    pub(super) fn numbers(&self) -> u64 {
        (self.data.len() * LANES) as u64
    }

    /// What it takes. Units: bytes.
    pub(super) fn bytes(&self) -> u64 {
        ((self.entries.capacity() + self.sorted.capacity()) * size_of::<LogEntry>()
            + self.data.capacity() * size_of::<Lane>()
            + self.starts.capacity() * size_of::<u32>()) as u64
    }
}

/// A table cut into ranges that no block straddles.
#[derive(Clone, Debug)]
pub(super) struct Shards {
    /// Where each begins, and where the last ends.
    starts: Vec<u64>,
    /// The shard of every multiple of `2^shift`.
    guess: Vec<u16>,
    shift: u32,
}

impl Shards {
    /// Cuts at some of `bounds`, ascending from 0 to the table's length, into at most `count` ranges.
    pub(super) fn new(bounds: &[u64], count: usize) -> Shards {
        let length = bounds.last().copied().unwrap_or(0);
        let mut starts = vec![0];
        for &bound in bounds {
            let due = length as u128 * starts.len() as u128 / count as u128;
            if bound > 0 && (u128::from(bound) >= due && bound < length) {
                starts.push(bound);
            }
        }
        starts.push(length);
        let shift = (u64::BITS - length.leading_zeros()).saturating_sub(14);
        let mut shard = 0;
        let guess = (0..=length >> shift)
            .map(|piece| {
                while shard + 2 < starts.len() && starts[shard + 1] <= piece << shift {
                    shard += 1;
                }
                shard as u16
            })
            .collect();
        Shards { starts, guess, shift }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    fn of(&self, at: u64) -> usize {
        // The guess is at most a little too low.
        let mut shard = usize::from(self.guess[(at >> self.shift) as usize]);
        while self.starts[shard + 1] <= at {
            shard += 1;
        }
        shard
    }

    /// Cuts a table of which one number stands for `each` places, every part with its first place.
    pub(super) fn split<'a, T>(&self, table: &'a mut [T], each: u64) -> Vec<(u64, &'a mut [T])> {
        let mut rest = table;
        self.starts
            .windows(2)
            .map(|bounds| {
                let length = ((bounds[1] - bounds[0]) / each) as usize;
                let (part, behind) = std::mem::take(&mut rest).split_at_mut(length);
                rest = behind;
                (bounds[0], part)
            })
            .collect()
    }
}
