//! The points of all hands behind the same up cards.
//!
//! By [`crate::sets`], the sums of a hand with two hidden cards are those of sets of at most five cards, which
//! lie in tables, and of sets of six: the hand with some dead cards added, completed by every card that may
//! still come. For all hidden pairs at once, the latter is one pass over the triples of cards behind four known
//! ones (the up cards and the dead ones that were added): each triple completes three pairs. So a pass values
//! 17,296 seven-card hands, by [`doorcard_cards::board`] in some microseconds, instead of 946 times 46. Fourth
//! street needs one pass, fifth three, sixth one.

use crate::against::Against;
use crate::private::{Own, StreetBuckets};
use crate::reader::Reader;
use crate::scale::Scale;
use crate::sets::{Sign, completions};
use crate::situation::Hidden;
use doorcard_cards::board::{Live, Values, pair_values, triple_values};
use doorcard_cards::{Card, CardSet};

/// Sums of all pairs of cards, with room for every six-bit index. Shape: \[lower card\]\[higher card\].
type PairSums<S> = Vec<[S; 64]>;

/// The values and cells of all hidden sets of a board, in room that is used again.
#[derive(Default)]
struct BoardValues {
    main: Vec<u16>,
    /// Empty except in hi/lo.
    low: Vec<u16>,
    cells: Vec<u8>,
}

impl BoardValues {
    /// Computes the values by one of the functions of [`doorcard_cards::board`].
    fn fill(&mut self, scale: &Scale, compute: impl Fn(Values, &mut Vec<u16>)) {
        let (main, low) = scale.board_values();
        compute(main, &mut self.main);
        if let Some(low) = low {
            compute(low, &mut self.low);
        }
    }

    fn fill_cells(&mut self, scale: &Scale) {
        self.cells.clear();
        self.cells.extend(self.main.iter().map(|&value| scale.main_cell(value)));
        for (cell, &value) in self.cells.iter_mut().zip(&self.low) {
            *cell += scale.low_cell(value);
        }
    }

    fn get(&self, index: usize) -> (u16, u16) {
        (self.main[index], self.low.get(index).copied().unwrap_or(0))
    }
}

impl Reader {
    /// Calls `f` with the point of every hidden set in order; see [`Reader::point`].
    pub(crate) fn board_points<F: StreetBuckets>(
        &self,
        own_up: CardSet,
        dead: CardSet,
        hidden: Hidden,
        against: &Against,
        mut f: impl FnMut(F::Point),
    ) {
        let (from, known) = match hidden {
            Hidden::Pairs { from } => return self.pair_points::<F>(own_up, dead, from, against, f),
            Hidden::PairsAndRiver { from, river } => (from, own_up.with(river)),
            Hidden::Triples { from } => (from, own_up),
        };
        let live = Live::new(from);
        let mut values = BoardValues::default();
        values.fill(&self.scale, |kind, out| match hidden {
            Hidden::Triples { .. } => triple_values(kind, known, &live, out),
            _ => pair_values(kind, known, &live, out),
        });
        for index in 0..hidden.len() {
            f(F::of_value(against.value(self.scale.standing(values.get(index)))));
        }
    }

    fn pair_points<F: StreetBuckets>(
        &self,
        own_up: CardSet,
        seen: CardSet,
        from: CardSet,
        against: &Against,
        mut f: impl FnMut(F::Point),
    ) {
        let dead = self.dead(own_up, seen);
        let mut sums = vec![[F::Sums::default(); 64]; 52];
        let mut values = BoardValues::default();
        sixes(own_up, dead, Sign::Plus, &mut |known, dead, sign| {
            self.add_triples::<F>(known, dead, sign, against, &mut values, &mut sums);
        });
        let total = completions(own_up.len() + 2, dead.len());
        let cards: Vec<Card> = from.into_iter().collect();
        for (i, &low) in cards.iter().enumerate() {
            for &high in &cards[i + 1..] {
                let mut own = Own::<F>::with_sums(against, sums[low.index()][high.index()]);
                self.sets.add_rows(&self.scale, own_up.with(low).with(high), dead, &mut own);
                f(own.point(total));
            }
        }
    }

    /// Adds to each pair of cards that are neither `known` nor `dead` its completions, with the four known
    /// cards, by a third such card.
    fn add_triples<F: StreetBuckets>(
        &self,
        known: CardSet,
        dead: CardSet,
        sign: Sign,
        against: &Against,
        values: &mut BoardValues,
        sums: &mut PairSums<F::Sums>,
    ) {
        let live = Live::new(known.union(dead).complement());
        values.fill(&self.scale, |kind, out| triple_values(kind, known, &live, out));
        values.fill_cells(&self.scale);
        let count = sign.of(1);
        let mut cells = &values.cells[..];
        for (i, a) in live.cards().iter().enumerate() {
            for (j, b) in live.cards().iter().enumerate().skip(i + 1) {
                let (upper, lower) = sums.split_at_mut(b.index());
                let (with_a, with_b) = (&mut upper[a.index()], &mut lower[0]);
                let mut pair = with_a[b.index()];
                let thirds = &live.cards()[j + 1..];
                let (of_pair, rest) = cells.split_at(thirds.len());
                cells = rest;
                for (c, &cell) in thirds.iter().zip(of_pair) {
                    let c = c.index() & 63;
                    F::add_cell(&mut pair, against, cell.into(), count);
                    F::add_cell(&mut with_a[c], against, cell.into(), count);
                    F::add_cell(&mut with_b[c], against, cell.into(), count);
                }
                with_a[b.index()] = pair;
            }
        }
    }
}

/// Calls `f` with every way to add dead cards to the up cards that makes four, the dead cards after the last
/// one added, and the sign.
fn sixes(up: CardSet, dead: CardSet, sign: Sign, f: &mut impl FnMut(CardSet, CardSet, Sign)) {
    if up.len() == 4 {
        return f(up, dead, sign);
    }
    let mut rest = dead;
    for card in dead {
        rest = rest.without(card);
        sixes(up.with(card), rest, sign.opposite(), f);
    }
}
