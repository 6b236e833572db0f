//! The tables of vector sampling: regrets and strategy sums, in full or in half precision.

use super::lanes::{self, Lane};
use super::log::{Log, Shards};
use crate::CfrError;
use crate::memory::Zeroed;
use doorcard_efg::LANES;
use doorcard_store::{Container, ContainerWriter};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How the numbers of a table are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// `f32`.
    #[default]
    Full,
    /// Sixteen bits, and a byte for eight numbers: a power of two that they share.
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
pub(crate) struct Floats(Zeroed<f32>);

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

impl Floats {
    /// Zeros.
    pub(super) fn zeros(length: u64) -> Result<Floats, CfrError> {
        let length = usize::try_from(length).map_err(|_| CfrError::TooLarge { slots: length })?;
        Ok(Floats(Zeroed::new(length)?))
    }

    /// The numbers.
    #[cfg(test)]
    pub(super) fn as_mut_slice(&mut self) -> &mut [f32] {
        self.0.as_mut_slice()
    }

    #[inline(always)]
    fn lanes(&self, at: usize, groups: usize) -> &[Lane] {
        self.0.as_slice()[at..at + groups * LANES].as_chunks().0
    }

    pub(super) fn add(&mut self, shards: &Shards, logs: &[&Log], adding: Adding) {
        let parts = shards.split(self.0.as_mut_slice(), 1);
        parts.into_par_iter().enumerate().for_each(|(shard, (first, part))| {
            for log in logs {
                for (at, numbers) in log.shard(shard) {
                    let place = (at - first) as usize;
                    lanes::add_block(&mut part[place..place + numbers.len() * LANES], adding.factor, numbers);
                }
            }
            if adding.floor {
                for (at, numbers) in logs.iter().flat_map(|log| log.shard(shard)) {
                    let place = (at - first) as usize;
                    part[place..place + numbers.len() * LANES].iter_mut().for_each(|sum| *sum = sum.max(0.0));
                }
            }
        });
    }
}

/// A table of 16 bits a number: [`LANES`] adjacent numbers share a power of two.
///
/// A number is `m * 2^(e - 127)`, `m` being its sixteen bits as a signed integer and `e` the byte of its group, so that
/// the largest of a group has 15 significant bits. What is added is rounded up or down at random, in proportion: an
/// addend far below the last bit is not lost but counts as often as it must. The random bits come from the place and
/// the iteration alone, so that results repeat.
pub(crate) struct Halves {
    mantissas: Zeroed<u16>,
    exponents: Zeroed<u8>,
}

/// The bits of a mantissa besides its sign.
const MANTISSA_BITS: u32 = 15;

impl Halves {
    /// Zeros.
    pub(super) fn zeros(length: u64) -> Result<Halves, CfrError> {
        let length = usize::try_from(length).map_err(|_| CfrError::TooLarge { slots: length })?;
        Ok(Halves { mantissas: Zeroed::new(length)?, exponents: Zeroed::new(length / LANES)? })
    }

    #[inline(always)]
    fn decode(mantissas: &[u16; LANES], exponent: u8) -> Lane {
        let unit = f32::from_bits(u32::from(exponent) << 23);
        mantissas.map(|mantissa| f32::from(mantissa as i16) * unit)
    }

    /// The nearest numbers above or below, drawn by `bits` (16 for each number).
    #[inline(always)]
    fn encode(numbers: Lane, bits: [u64; 2]) -> ([u16; LANES], u8) {
        let largest = numbers.iter().fold(0.0f32, |most, x| most.max(x.abs()));
        let exponent = (largest.to_bits() >> 23).saturating_sub(MANTISSA_BITS - 1).max(1);
        if largest == 0.0 {
            return ([0; LANES], 0);
        }
        let unit = 1.0 / f32::from_bits(exponent << 23);
        let mantissas = std::array::from_fn(|i| {
            let draw = (bits[i / 4] >> (16 * (i % 4))) as u16;
            let exact = numbers[i] * unit;
            let below = exact.floor();
            // The difference is exact, where a sum of both would round up.
            let up = exact - below > f32::from(draw) * (1.0 / 65536.0);
            (below + f32::from(u8::from(up))).min(32767.0) as i16 as u16
        });
        (mantissas, exponent as u8)
    }

    pub(super) fn add(&mut self, shards: &Shards, logs: &[&Log], adding: Adding) {
        let mantissas = shards.split(self.mantissas.as_mut_slice(), 1);
        let exponents = shards.split(self.exponents.as_mut_slice(), LANES as u64);
        let parts: Vec<_> = mantissas.into_iter().zip(exponents).collect();
        parts.into_par_iter().enumerate().for_each(|(shard, ((first, mantissas), (_, exponents)))| {
            for (number, log) in logs.iter().enumerate() {
                for (at, added) in log.shard(shard) {
                    let group = (at - first) as usize / LANES;
                    let mantissas = &mut mantissas.as_chunks_mut::<LANES>().0[group..group + added.len()];
                    let exponents = &mut exponents[group..group + added.len()];
                    for (i, ((mantissas, exponent), added)) in
                        mantissas.iter_mut().zip(exponents).zip(added).enumerate()
                    {
                        let before = Halves::decode(mantissas, *exponent);
                        let after: Lane = std::array::from_fn(|i| before[i] + adding.factor * added[i]);
                        let seed = adding.clock << 16 | number as u64;
                        let bits = random_bits(seed, at / LANES as u64 + i as u64);
                        (*mantissas, *exponent) = Halves::encode(after, bits);
                    }
                }
            }
            if adding.floor {
                for (at, added) in logs.iter().flat_map(|log| log.shard(shard)) {
                    let first = (at - first) as usize;
                    for mantissa in &mut mantissas[first..first + added.len() * LANES] {
                        *mantissa = (*mantissa as i16).max(0) as u16;
                    }
                }
            }
        });
    }
}

/// Random bits for one group of numbers (SplitMix64, Steele, Lea and Flood 2014).
fn random_bits(seed: u64, place: u64) -> [u64; 2] {
    let start = seed.wrapping_mul(0xd1b5_4a32_d192_ed03) ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    [1, 2].map(|step: u64| {
        let x = start.wrapping_add(step.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    })
}

impl Regrets for Halves {
    #[inline(always)]
    fn block<'a>(&'a self, at: usize, room: &'a mut [Lane]) -> &'a [Lane] {
        let mantissas = &self.mantissas.as_slice()[at..at + room.len() * LANES];
        let exponents = &self.exponents.as_slice()[at / LANES..][..room.len()];
        for ((room, mantissas), &exponent) in
            room.iter_mut().zip(mantissas.as_chunks::<LANES>().0).zip(exponents)
        {
            *room = Halves::decode(mantissas, exponent);
        }
        room
    }

    #[inline(always)]
    fn blocks<'a>(&'a self, at: usize, groups: usize, room: &'a mut Vec<Lane>) -> &'a [Lane] {
        room.resize(groups, lanes::ZERO);
        self.block(at, room)
    }

    #[inline(always)]
    fn number(&self, at: usize) -> f32 {
        let unit = f32::from_bits(u32::from(self.exponents.as_slice()[at / LANES]) << 23);
        f32::from(self.mantissas.as_slice()[at] as i16) * unit
    }

    #[inline(always)]
    fn prefetch(&self, at: usize) {
        crate::prefetch::prefetch(self.mantissas.as_slice(), at);
        crate::prefetch::prefetch(self.exponents.as_slice(), at / LANES);
    }
}

/// A table in either form.
pub(crate) enum Numbers {
    Full(Floats),
    Half(Halves),
}

impl Numbers {
    /// Zeros.
    pub(crate) fn zeros(length: u64, precision: Precision) -> Result<Numbers, CfrError> {
        Ok(match precision {
            Precision::Full => Numbers::Full(Floats::zeros(length)?),
            Precision::Half => Numbers::Half(Halves::zeros(length)?),
        })
    }

    /// What it takes. Units: bytes.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = match self {
            Numbers::Full(table) => size_of_val(table.0.as_slice()),
            Numbers::Half(table) => {
                size_of_val(table.mantissas.as_slice()) + size_of_val(table.exponents.as_slice())
            }
        };
        bytes as u64
    }

    /// One number.
    #[inline]
    pub(crate) fn number(&self, at: usize) -> f32 {
        match self {
            Numbers::Full(table) => table.number(at),
            Numbers::Half(table) => table.number(at),
        }
    }

    /// The numbers of a block. `room`: as long as the block.
    pub(super) fn block<'a>(&'a self, at: usize, room: &'a mut [Lane]) -> &'a [Lane] {
        match self {
            Numbers::Full(table) => table.block(at, room),
            Numbers::Half(table) => table.block(at, room),
        }
    }

    pub(super) fn add(&mut self, shards: &Shards, logs: &[&Log], adding: Adding) {
        match self {
            Numbers::Full(table) => table.add(shards, logs, adding),
            Numbers::Half(table) => table.add(shards, logs, adding),
        }
    }

    /// Writes the sections of a table.
    pub(crate) fn write(
        &self,
        writer: &mut ContainerWriter,
        name: &str,
    ) -> Result<(), doorcard_store::Error> {
        match self {
            Numbers::Full(table) => writer.section(name, table.0.as_slice()),
            Numbers::Half(table) => {
                writer.section(name, table.mantissas.as_slice())?;
                writer.section(&exponents_of(name), table.exponents.as_slice())
            }
        }
    }

    /// Copies a table out of a checkpoint.
    pub(crate) fn read(
        container: &Container,
        name: &str,
        length: u64,
        precision: Precision,
    ) -> Result<Numbers, CfrError> {
        let mut numbers = Numbers::zeros(length, precision)?;
        match &mut numbers {
            Numbers::Full(table) => {
                table.0.as_mut_slice().copy_from_slice(container.section_of(name, length)?);
            }
            Numbers::Half(table) => {
                let exponents = container.section_of(&exponents_of(name), length / LANES as u64)?;
                table.mantissas.as_mut_slice().copy_from_slice(container.section_of(name, length)?);
                table.exponents.as_mut_slice().copy_from_slice(exponents);
            }
        }
        Ok(numbers)
    }
}

fn exponents_of(name: &str) -> String {
    format!("{name}_exponent")
}

/// Regrets before any training, which need no memory.
pub(super) struct Untrained;

impl Regrets for Untrained {
    fn block<'a>(&'a self, _: usize, room: &'a mut [Lane]) -> &'a [Lane] {
        room.fill(lanes::ZERO);
        room
    }

    fn blocks<'a>(&'a self, _: usize, groups: usize, room: &'a mut Vec<Lane>) -> &'a [Lane] {
        room.clear();
        room.resize(groups, lanes::ZERO);
        room
    }

    fn number(&self, _: usize) -> f32 {
        0.0
    }

    fn prefetch(&self, _: usize) {}
}

/// What is done with what a batch has found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adding {
    /// The factor of what is added.
    pub(super) factor: f32,
    /// Whether sums that are below zero after all logs become zero.
    pub(super) floor: bool,
    /// The batch, counted from one: what rounding is drawn from.
    pub(super) clock: u64,
}

/// The memory of tables of `length` numbers each. Units: bytes.
pub(super) fn bytes(length: u64, precision: Precision) -> u64 {
    match precision {
        Precision::Full => 2 * 4 * length,
        Precision::Half => 2 * (2 * length + length / LANES as u64),
    }
}
