//! The private buckets of all hands behind the same up cards.
//!
//! What two cards may come to differs little between pairs: it depends on ranks, and on suits where they make
//! flushes. So sums are made for all pairs at once, in parts ([`pair_sums`]). Where one or two cards are to come they
//! are counted without any tables: on fifth and sixth street. On fourth street, by [`crate::sets`], the sums of a hand
//! with dead cards are those of table rows of four and five cards ([`rows`]) and of sets of six, counted as on
//! sixth. Third street is looked up whole ([`third`]).

mod pair_sums;
mod rows;
mod third;

pub(crate) use third::ThirdStreet;

use crate::against::Against;
use crate::private::{Own, StreetBuckets};
use crate::reader::{Reader, Showing};
use crate::recall::Within;
use crate::scale::Scale;
use crate::sets::{Sign, completions};
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

/// What a player sees beside hidden cards.
#[derive(Clone, Copy)]
pub(crate) struct Shown {
    /// The player's up cards.
    pub(crate) own: CardSet,
    /// All others that are seen: the opponent's up cards, and those of folded players.
    pub(crate) others: CardSet,
}

/// Reads whole boards, in room that is used again.
pub(crate) struct BoardReader<'a, F: StreetBuckets> {
    reader: &'a Reader,
    /// Of every hidden set in order.
    sums: Vec<F::Sums>,
    /// Where the hands of the board that is read are divided.
    cuts: F::Cuts,
    /// Large, and made when first needed: single hands seldom do.
    pair_sums: Option<Box<PairSums<F::Sums>>>,
    values: BoardValues,
}

impl<'a, F: StreetBuckets> BoardReader<'a, F> {
    pub(crate) fn new(reader: &'a Reader) -> BoardReader<'a, F> {
        BoardReader {
            reader,
            sums: Vec::new(),
            cuts: F::Cuts::default(),
            pair_sums: None,
            values: BoardValues::default(),
        }
    }

    /// Divides the hands behind the up cards of third to sixth street, if the family does so board by board.
    pub(crate) fn cut(&mut self, family: &F, shown: Shown, against: &Against) {
        if F::BY_BOARD {
            let dead = self.reader.dead(shown.own, shown.others);
            self.sum_pairs(shown.own, dead, shown.own.union(shown.others).complement(), against);
            family.cut(&mut self.cuts, completions(shown.own.len() + 2, dead.len()), &self.sums);
        }
    }

    /// Divides the complete hands of a player who shows this, if the family does so board by board.
    pub(crate) fn cut_complete(&mut self, family: &F, own: &Showing, against: &Against) {
        if F::BY_BOARD {
            family.cut_complete(&mut self.cuts, &own.counts, against);
        }
    }

    /// The bucket of one hand behind the board that was cut.
    pub(crate) fn bucket(&self, within: &Within<'_, F>, path: u16, point: F::Point) -> u16 {
        within.bucket(&self.cuts, path, point)
    }

    /// Replaces the path of every hidden set in order by its bucket; see [`Reader::point`] and [`Within::bucket`]. The
    /// board must have been cut.
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
                let dead = self.reader.dead(shown.own, shown.others);
                if F::BY_BOARD && at_once(shown.own, dead) {
                    // Counted when the board was cut.
                    self.list_pairs(from);
                } else {
                    self.sum_pairs(shown.own, dead, from, against);
                }
                let total = completions(shown.own.len() + 2, dead.len());
                within.buckets_of_sums(&self.cuts, total, &self.sums, buckets);
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
        // Many hands are of equal values: what they come to is kept, the latest at each place.
        let mut met = [(((0, 0), 0), 0); 512];
        for (index, bucket) in buckets.iter_mut().enumerate() {
            let (values, path) = (self.values.get(index), *bucket);
            let last = &mut met[usize::from(values.0.wrapping_add(values.1 << 3)) % 512];
            if (values, path) != last.0 {
                let point = F::of_complete(against, self.reader.scale.standing(values));
                *last = ((values, path), within.bucket(&self.cuts, path, point));
            }
            *bucket = last.1;
        }
    }

    /// Adds up the completions of every pair that avoid `dead`.
    fn sum_pairs(&mut self, up: CardSet, dead: CardSet, from: CardSet, against: &Against) {
        let Reader { scale, sets, .. } = self.reader;
        if !at_once(up, dead) {
            let cards: Vec<Card> = from.into_iter().collect();
            self.sums.clear();
            for (i, &low) in cards.iter().enumerate() {
                for &high in &cards[i + 1..] {
                    let mut own = Own::<F>::new(against);
                    sets.add(scale, up.with(low).with(high), dead, &mut own);
                    self.sums.push(own.into_sums());
                }
            }
            return;
        }
        let sums = self.pair_sums.get_or_insert_with(|| Box::new(PairSums::new()));
        if up.len() == 2 {
            let live = up.union(dead).complement();
            sums.clear();
            if !dead.is_empty() {
                sums.count::<F>(scale, up.union(dead), live, against);
            }
            sums.add_rows::<F>(scale, sets, up, Sign::Plus, against);
            for card in dead {
                sums.add_rows::<F>(scale, sets, up.with(card), Sign::Minus, against);
            }
        } else {
            sums.count::<F>(scale, up, up.union(dead).complement(), against);
        }
        self.list_pairs(from);
    }

    /// Sets `sums` to those of all pairs of these cards, which [`BoardReader::sum_pairs`] has counted.
    fn list_pairs(&mut self, from: CardSet) {
        let cards: Vec<Card> = from.into_iter().collect();
        self.sums.clear();
        let counted = self.pair_sums.as_ref().expect("pairs are counted before they are listed");
        counted.extend::<F>(&mut self.sums, &cards);
    }
}

/// Whether the pairs behind these up cards are counted all at once, and not one by one.
fn at_once(up: CardSet, dead: CardSet) -> bool {
    up.len() > 2 || (up.len() == 2 && dead.len() <= 2)
}
