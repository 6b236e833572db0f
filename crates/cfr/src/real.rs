//! The number type of tables.

use doorcard_store::Element;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// A number that tables can hold: `f32` in training, `f64` where small games are solved exactly.
pub trait Real:
    Element
    + Default
    + PartialOrd
    + Send
    + Sync
    + fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// An unsigned integer of the same size: what logs are made of.
    type Word: Copy + Default + Send + Sync;

    /// The nearest number of this type.
    fn from_f64(value: f64) -> Self;
    /// The same number.
    fn to_f64(self) -> f64;
    /// A number from 0 up to, not including, 1 from 64 random bits. The `f64` of the same bits, rounded down.
    fn unit(bits: u64) -> Self;
    /// The bits.
    fn to_word(self) -> Self::Word;
    /// The number of these bits.
    fn from_word(word: Self::Word) -> Self;
    /// A word holding 32 bits that are no number.
    fn word(header: u32) -> Self::Word;
    /// The bits [`Real::word`] was given.
    fn header(word: Self::Word) -> u32;
}

impl Real for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    type Word = u32;

    fn from_f64(value: f64) -> f32 {
        value as f32
    }
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    fn unit(bits: u64) -> f32 {
        (bits >> 40) as f32 * (1.0 / (1u64 << 24) as f32)
    }
    fn to_word(self) -> u32 {
        self.to_bits()
    }
    fn from_word(word: u32) -> f32 {
        f32::from_bits(word)
    }
    fn word(header: u32) -> u32 {
        header
    }
    fn header(word: u32) -> u32 {
        word
    }
}

impl Real for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    type Word = u64;

    fn from_f64(value: f64) -> f64 {
        value
    }
    fn to_f64(self) -> f64 {
        self
    }
    fn unit(bits: u64) -> f64 {
        (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
    fn to_word(self) -> u64 {
        self.to_bits()
    }
    fn from_word(word: u64) -> f64 {
        f64::from_bits(word)
    }
    fn word(header: u32) -> u64 {
        header.into()
    }
    fn header(word: u64) -> u32 {
        word as u32
    }
}
