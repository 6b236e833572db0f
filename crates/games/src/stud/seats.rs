//! Sets of seats.

use super::MAX_PLAYERS;
use std::fmt;

/// A set of seats; bit `i` stands for seat `i`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SeatSet(u8);

impl SeatSet {
    /// No seat.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// Seats 0 to `players - 1`.
    ///
    /// # Panics
    /// If there are more than eight players.
    pub const fn first(players: usize) -> SeatSet {
        assert!(players <= MAX_PLAYERS, "more than eight players");
        SeatSet(((1u16 << players) - 1) as u8)
    }

    /// Whether `seat` is in the set.
    pub const fn contains(self, seat: usize) -> bool {
        seat < MAX_PLAYERS && self.0 >> seat & 1 == 1
    }

    /// How many seats.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no seat.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set with `seat` added.
    #[must_use]
    pub const fn with(self, seat: usize) -> SeatSet {
        SeatSet(self.0 | 1 << seat)
    }

    /// The set with `seat` taken out.
    #[must_use]
    pub const fn without(self, seat: usize) -> SeatSet {
        SeatSet(self.0 & !(1 << seat))
    }

    /// Seats in both sets.
    #[must_use]
    pub const fn intersection(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & other.0)
    }

    /// Seats in either set.
    #[must_use]
    pub const fn union(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 | other.0)
    }

    /// Seats of `self` that are not in `other`.
    #[must_use]
    pub const fn minus(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & !other.0)
    }

    /// The first seat in position, that is, the lowest.
    pub const fn lowest(self) -> Option<usize> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
    }

    /// The first seat clockwise from `seat` on, `seat` included.
    pub const fn clockwise_from(self, seat: usize) -> Option<usize> {
        let ahead = SeatSet(self.0 & (0xffu16 << seat) as u8);
        if ahead.0 == 0 { self.lowest() } else { ahead.lowest() }
    }
}

impl FromIterator<usize> for SeatSet {
    fn from_iter<I: IntoIterator<Item = usize>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::EMPTY, SeatSet::with)
    }
}

/// The seats of a set in ascending order.
#[derive(Clone)]
pub struct Iter(u8);

impl Iterator for Iter {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let seat = SeatSet(self.0).lowest()?;
        self.0 &= self.0 - 1;
        Some(seat)
    }
}

impl IntoIterator for SeatSet {
    type Item = usize;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        Iter(self.0)
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_go_round_clockwise() {
        let seats: SeatSet = [1, 4, 7].into_iter().collect();
        assert_eq!((seats.len(), seats.lowest()), (3, Some(1)));
        let next: Vec<usize> = (0..8).map(|seat| seats.clockwise_from(seat).unwrap()).collect();
        assert_eq!(next, [1, 1, 4, 4, 4, 7, 7, 7]);
        assert_eq!(seats.without(7).clockwise_from(5), Some(1));
        assert_eq!(SeatSet::EMPTY.clockwise_from(3), None);
        assert_eq!(SeatSet::first(8).minus(seats).into_iter().collect::<Vec<_>>(), [0, 2, 3, 5, 6]);
    }
}
