//! The private buckets of all hands behind the same up cards.
//!
//! By [`crate::sets`], the sums of a hand with two hidden cards and dead ones are those of table rows of at most five
//! cards, and of sets of six or seven. For all hidden pairs at once the latter come from [`crate::pair_sums`], which
//! also counts completions by one or two cards without any tables. So third street reads two rows for each pair,
//! fourth three and the pair's sums behind the four up cards, fifth and sixth none.

use crate::against::Against;
use crate::pair_sums::PairSums;
use crate::private::{Own, StreetBuckets};
use crate::reader::Reader;
use crate::scale::Scale;
use crate::sets::completions;
use crate::situation::Hidden;
use doorcard_cards::board::{Live, Values, pair_values, triple_values};
use doorcard_cards::{Card, CardSet};

/// The values of all hidden sets of a board, in room that is used again.
#[derive(Default)]
struct BoardValues {
    main: Vec<u16>,
    /// Empty except in hi/lo.
    low: Vec<u16>,
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

    fn get(&self, index: usize) -> (u16, u16) {
        (self.main[index], self.low.get(index).copied().unwrap_or(0))
    }
}

/// Up cards as one player sees them.
#[derive(Clone, Copy)]
pub(crate) struct Shown {
    pub(crate) own: CardSet,
    pub(crate) opponent: CardSet,
}

/// Reads whole boards, in room that is used again.
pub(crate) struct BoardReader<'a, F: StreetBuckets> {
    reader: &'a Reader,
    /// Of every hidden set in order.
    sums: Vec<F::Sums>,
    pair_sums: Box<PairSums<F::Sums>>,
    values: BoardValues,
}

impl<'a, F: StreetBuckets> BoardReader<'a, F> {
    pub(crate) fn new(reader: &'a Reader) -> BoardReader<'a, F> {
        BoardReader {
            reader,
            sums: Vec::new(),
            pair_sums: Box::new(PairSums::new()),
            values: BoardValues::default(),
        }
    }

    /// Sets `buckets` to that of every hidden set in order; see [`Reader::point`].
    pub(crate) fn buckets(
        &mut self,
        family: &F,
        public: usize,
        shown: Shown,
        hidden: Hidden,
        against: &Against,
        buckets: &mut [u16],
    ) {
        match hidden {
            Hidden::Pairs { from } => {
                let dead = self.reader.dead(shown.own, shown.opponent);
                self.sum_pairs(shown.own, dead, from, against);
                let total = completions(shown.own.len() + 2, dead.len());
                family.buckets_of_sums(public, total, &self.sums, buckets);
            }
            Hidden::PairsAndRiver { from, river } => {
                let known = shown.own.with(river);
                let live = Live::new(from);
                self.values.fill(&self.reader.scale, |kind, out| pair_values(kind, known, &live, out));
                self.complete(family, public, against, buckets);
            }
            Hidden::Triples { from } => {
                let live = Live::new(from);
                self.values.fill(&self.reader.scale, |kind, out| triple_values(kind, shown.own, &live, out));
                self.complete(family, public, against, buckets);
            }
        }
    }

    /// The buckets of complete hands.
    fn complete(&self, family: &F, public: usize, against: &Against, buckets: &mut [u16]) {
        // Neighbours are often equal: most hands differ from the one before in the suit of one card alone.
        let mut last = ((0, 0), 0);
        for (index, bucket) in buckets.iter_mut().enumerate() {
            let values = self.values.get(index);
            if values != last.0 {
                let standing = self.reader.scale.standing(values);
                last = (values, family.bucket(public, F::of_value(against.value(standing))));
            }
            *bucket = last.1;
        }
    }

    /// Adds up the completions of every pair that avoid `dead`.
    fn sum_pairs(&mut self, up: CardSet, dead: CardSet, from: CardSet, against: &Against) {
        let Reader { scale, sets, .. } = self.reader;
        let (known, rows) = match up.len() {
            // Two cards or more are added to the hand of which some are dead.
            1 | 2 => (up.union(dead), true),
            _ => (up, false),
        };
        let by_pairs = (3..=4).contains(&known.len());
        if by_pairs {
            self.pair_sums.count::<F>(scale, known, up.union(dead).complement(), against);
        }
        self.sums.clear();
        let cards: Vec<Card> = from.into_iter().collect();
        for (i, &low) in cards.iter().enumerate() {
            for &high in &cards[i + 1..] {
                let sums = if by_pairs { self.pair_sums.get::<F>(low, high) } else { F::Sums::default() };
                let mut own = Own::<F>::with_sums(against, sums);
                if rows {
                    sets.add_rows(scale, up.with(low).with(high), dead, &mut own);
                }
                self.sums.push(own.into_sums());
            }
        }
    }
}
