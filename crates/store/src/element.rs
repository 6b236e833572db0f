//! Types of numbers a section can hold.

use std::fmt;

/// The type of a section's elements, as recorded in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ElementType {
    /// Unsigned, 8 bits.
    U8 = 1,
    /// Unsigned, 16 bits.
    U16 = 2,
    /// Unsigned, 32 bits.
    U32 = 3,
    /// Unsigned, 64 bits.
    U64 = 4,
    /// IEEE 754, 32 bits.
    F32 = 5,
    /// IEEE 754, 64 bits.
    F64 = 6,
}

impl ElementType {
    pub(crate) fn from_tag(tag: u8) -> Option<ElementType> {
        use ElementType::*;
        [U8, U16, U32, U64, F32, F64].into_iter().find(|&element| element as u8 == tag)
    }

    /// The size of one element. Units: bytes.
    pub const fn bytes(self) -> usize {
        match self {
            ElementType::U8 => 1,
            ElementType::U16 => 2,
            ElementType::U32 | ElementType::F32 => 4,
            ElementType::U64 | ElementType::F64 => 8,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ElementType::U8 => "u8",
            ElementType::U16 => "u16",
            ElementType::U32 => "u32",
            ElementType::U64 => "u64",
            ElementType::F32 => "f32",
            ElementType::F64 => "f64",
        })
    }
}

/// A number that can be written to a section and mapped back.
pub trait Element: bytemuck::Pod {
    /// How the type is recorded.
    const TYPE: ElementType;
}

macro_rules! elements {
    ($($number:ty => $tag:ident),*) => { $(impl Element for $number {
        const TYPE: ElementType = ElementType::$tag;
    })* };
}

elements!(u8 => U8, u16 => U16, u32 => U32, u64 => U64, f32 => F32, f64 => F64);
