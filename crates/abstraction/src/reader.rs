//! From cards to what buckets are made of: histograms, outlines, points.

use crate::against::Against;
use crate::private::StreetBuckets;
use crate::public::Outline;
use crate::scale::{Counts, MAX_CELLS, Scale};
use crate::sets::{Count, OwnSets, completions};
use doorcard_cards::CardSet;
use doorcard_cards::rank7::HandKey;
use doorcard_games::stud::Street;

/// Reads cards by a scale and its tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reader {
    pub(crate) scale: Scale,
    pub(crate) sets: OwnSets,
    /// Whether seen cards are taken out of what can still come.
    pub(crate) dead_cards: bool,
}

/// The distribution of the final strength of a player who shows certain cards.
pub(crate) struct Showing {
    counts: Counts<u32>,
    total: u32,
    pub(crate) outline: Outline,
}

impl Showing {
    pub(crate) fn new() -> Showing {
        Showing { counts: [0; MAX_CELLS], total: 0, outline: Outline::default() }
    }
}

/// Room for one hand's histogram.
pub(crate) struct Scratch {
    wide: Counts<u32>,
    narrow: Counts<u16>,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        Scratch { wide: [0; MAX_CELLS], narrow: [0; MAX_CELLS] }
    }
}

impl Reader {
    /// Sets `showing` to what `up` may become when the cards of `dead` cannot come.
    pub(crate) fn show(&self, showing: &mut Showing, up: CardSet, dead: CardSet) {
        showing.total = self.histogram(up, dead, &mut showing.counts);
        showing.outline.draw(&self.scale, &showing.counts, showing.total);
    }

    fn histogram<C: Count>(&self, set: CardSet, dead: CardSet, counts: &mut Counts<C>) -> u32 {
        let dead = if self.dead_cards { dead.minus(set) } else { CardSet::EMPTY };
        self.sets.count(&self.scale, set, dead, counts);
        completions(set.len(), dead.len())
    }

    /// Prepares to read hands against an opponent who shows this.
    pub(crate) fn read<F: StreetBuckets>(&self, against: &mut Against, opponent: &Showing) {
        against.read(&self.scale, &opponent.counts, opponent.total);
        F::prepare(against);
    }

    /// The point of a player's `own` cards, hidden and up, when those of `dead` cannot come.
    pub(crate) fn point<F: StreetBuckets>(
        &self,
        street: Street,
        own: CardSet,
        dead: CardSet,
        against: &Against,
        scratch: &mut Scratch,
    ) -> F::Point {
        match street {
            Street::Third => {
                let total = self.histogram(own, dead, &mut scratch.wide);
                F::of_distribution(against, &scratch.wide, total)
            }
            Street::Fourth | Street::Fifth | Street::Sixth => {
                let total = self.histogram(own, dead, &mut scratch.narrow);
                F::of_distribution(against, &scratch.narrow, total)
            }
            Street::Seventh => {
                let standing = self.scale.standing(HandKey::from(own));
                F::of_value(against.value(standing))
            }
        }
    }

    /// The private buckets of hands, of own cards hidden and up, within the public bucket `public`.
    #[expect(clippy::too_many_arguments)]
    pub(crate) fn buckets<F: StreetBuckets>(
        &self,
        family: &F,
        street: Street,
        public: u16,
        opponent: &Showing,
        hands: impl IntoIterator<Item = CardSet>,
        dead: CardSet,
        buckets: &mut [u16],
    ) {
        let mut against = Against::new();
        let mut scratch = Scratch::new();
        self.read::<F>(&mut against, opponent);
        for (bucket, own) in buckets.iter_mut().zip(hands) {
            let point = self.point::<F>(street, own, dead, &against, &mut scratch);
            *bucket = family.bucket(public.into(), point);
        }
    }
}
