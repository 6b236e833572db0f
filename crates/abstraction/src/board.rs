//! The private buckets of all hands behind the same up cards.
//!
//! By [`crate::sets`], the sums of a hand with two hidden cards and dead ones are those of table rows of at most five
//! cards, and of sets of six or seven. For all hidden pairs at once the latter come from [`pair_sums`], which
//! also counts completions by one or two cards without any tables. So fourth street reads three rows for each
//! pair and the pair's sums behind the four up cards, fifth and sixth street none. Third street is looked up whole
//! ([`third`]).

mod pair_sums;
mod third;

pub(crate) use third::ThirdStreet;

use crate::against::Against;
use crate::private::{Own, StreetBuckets};
use crate::reader::Reader;
use crate::recall::Within;
use crate::scale::Scale;
use crate::sets::{Hand, Sign, Sum, completions};
use crate::situation::Hidden;
use doorcard_cards::board::{Live, Values, pair_values, triple_values};
use doorcard_cards::{Card, CardSet};
use pair_sums::PairSums;

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

    /// Replaces the path of every hidden set in order by its bucket; see [`Reader::point`] and [`Within::bucket`].
    pub(crate) fn buckets(
        &mut self,
        within: &Within<'_, F>,
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
                within.buckets_of_sums(total, &self.sums, buckets);
            }
            Hidden::PairsAndRiver { from, river } => {
                let known = shown.own.with(river);
                let live = Live::new(from);
                self.values.fill(&self.reader.scale, |kind, out| pair_values(kind, known, &live, out));
                self.complete(within, against, buckets);
            }
            Hidden::Triples { from } => {
                let live = Live::new(from);
                self.values.fill(&self.reader.scale, |kind, out| triple_values(kind, shown.own, &live, out));
                self.complete(within, against, buckets);
            }
        }
    }

    /// The buckets of complete hands.
    fn complete(&self, within: &Within<'_, F>, against: &Against, buckets: &mut [u16]) {
        // Neighbours are often equal: most hands differ from the one before in the suit of one card alone.
        let mut last = (((0, 0), 0), 0);
        for (index, bucket) in buckets.iter_mut().enumerate() {
            let (values, path) = (self.values.get(index), *bucket);
            if (values, path) != last.0 {
                let point = F::of_complete(against, self.reader.scale.standing(values));
                last = ((values, path), within.bucket(path, point));
            }
            *bucket = last.1;
        }
    }

    /// Adds up the completions of every pair that avoid `dead`.
    fn sum_pairs(&mut self, up: CardSet, dead: CardSet, from: CardSet, against: &Against) {
        let Reader { scale, sets, .. } = self.reader;
        let cards: Vec<Card> = from.into_iter().collect();
        self.sums.clear();
        let known = if up.len() == 2 { up.union(dead) } else { up };
        if known.len() < 3 {
            for (i, &low) in cards.iter().enumerate() {
                for &high in &cards[i + 1..] {
                    let mut own = Own::<F>::new(against);
                    sets.add(scale, up.with(low).with(high), dead, &mut own);
                    self.sums.push(own.into_sums());
                }
            }
            return;
        }
        self.pair_sums.count::<F>(scale, known, up.union(dead).complement(), against);
        self.pair_sums.extend::<F>(&mut self.sums, &cards);
        if known == up {
            return;
        }
        let hand = Hand::new(up);
        let dead: Vec<Hand> = dead.into_iter().map(|card| hand.with(card)).collect();
        // Rows lie far apart in memory. Those of many pairs are found first, so that some are fetched while others are
        // added up.
        let mut rows = Vec::new();
        let mut sums = &mut self.sums[..];
        for (i, &low) in cards.iter().enumerate() {
            let highs = &cards[i + 1..];
            rows.clear();
            for &high in highs {
                rows.push(sets.four(scale, hand.with(low).with(high)));
                rows.extend(dead.iter().map(|hand| sets.five(scale, hand.with(low).with(high))));
            }
            let (own, rest) = sums.split_at_mut(highs.len());
            sums = rest;
            for (sums, rows) in own.iter_mut().zip(rows.chunks_exact(1 + dead.len())) {
                let mut own = Own::<F>::with_sums(against, *sums);
                own.add_row(rows[0], Sign::Plus);
                rows[1..].iter().for_each(|row| own.add_row(row, Sign::Minus));
                *sums = own.into_sums();
            }
        }
    }
}
