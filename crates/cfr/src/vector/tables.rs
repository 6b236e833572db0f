//! The tables of vector sampling: regrets and strategy sums, in full or in half precision.

use super::lanes::{self, Lane};
use super::log::{Log, Shards};
use crate::CfrError;
use crate::memory::Zeroed;
use doorcard_efg::LANES;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How the numbers of a table are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// `f32`.
    #[default]
    Full,
    /// Sixteen bits: see [`Halves`].
    Half,
}

/// Regrets as walks read them.
pub(super) trait Regrets: Sync {
    /// The numbers of a block from `at`, a multiple of [`LANES`], on. `room`: as long as the block.
    fn block<'a>(&'a self, at: usize, room: &'a mut [Lane]) -> &'a [Lane];

    /// As [`Regrets::block`], of several blocks.
    fn blocks<'a>(&'a self, at: usize, groups: usize, room: &'a mut Vec<Lane>) -> &'a [Lane];

    /// One number.
    fn number(&self, at: usize) -> f32;

    /// Starts loading the numbers around `at`.
    fn prefetch(&self, at: usize);
}

/// A table of `f32`.
pub(super) struct Floats(pub(super) Zeroed<f32>);

impl Regrets for Floats {
    #[inline(always)]
    fn block<'a>(&'a self, at: usize, room: &'a mut [Lane]) -> &'a [Lane] {
        self.lanes(at, room.len())
    }

    #[inline(always)]
    fn blocks<'a>(&'a self, at: usize, groups: usize, _: &'a mut Vec<Lane>) -> &'a [Lane] {
        self.lanes(at, groups)
    }

    #[inline(always)]
    fn number(&self, at: usize) -> f32 {
        self.0.as_slice()[at]
    }

    #[inline(always)]
    fn prefetch(&self, at: usize) {
        crate::prefetch::prefetch(self.0.as_slice(), at);
    }
}

/// What is done with what a batch has found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adding {
    /// The factor of what is added.
    pub(super) factor: f32,
    /// Whether sums below zero become zero.
    pub(super) floor: bool,
}

impl Floats {
    #[inline(always)]
    fn lanes(&self, at: usize, groups: usize) -> &[Lane] {
        self.0.as_slice()[at..at + groups * LANES].as_chunks().0
    }

    pub(super) fn add(&mut self, shards: &Shards, logs: &[&Log], adding: Adding) {
        let parts = shards.split(self.0.as_mut_slice());
        parts.into_par_iter().enumerate().for_each(|(shard, (first, part))| {
            for log in logs {
                for (at, numbers) in log.shard(shard) {
                    let place = (at - first) as usize;
                    let out = &mut part[place..place + numbers.len() * LANES];
                    if adding.floor {
                        lanes::add_block_floored(out, adding.factor, numbers);
                    } else {
                        lanes::add_block(out, adding.factor, numbers);
                    }
                }
            }
        });
    }
}

/// The memory of tables of `length` numbers each. Units: bytes.
pub(super) fn bytes(length: u64, precision: Precision) -> u64 {
    match precision {
        Precision::Full => 2 * 4 * length,
        Precision::Half => 2 * (2 * length + length / LANES as u64),
    }
}

/// Zeros.
pub(super) fn floats(length: u64) -> Result<Floats, CfrError> {
    let length = usize::try_from(length).map_err(|_| CfrError::TooLarge { slots: length })?;
    Ok(Floats(Zeroed::new(length)?))
}
