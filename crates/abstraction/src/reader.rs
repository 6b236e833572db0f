//! From cards to what buckets are made of: histograms, outlines, points.

use crate::against::Against;
use crate::private::StreetBuckets;
use crate::public::Outline;
use crate::scale::{MAX_CELLS, Scale};
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
    counts: [u32; MAX_CELLS],
    total: u32,
    pub(crate) outline: Outline,
}

impl Reader {
    /// What `up` may become when the cards of `dead` cannot come.
    pub(crate) fn showing(&self, up: CardSet, dead: CardSet) -> Showing {
        let (counts, total) = self.histogram(up, dead);
        let outline = Outline::new(&self.scale, &counts[..self.scale.cells()], total);
        Showing { counts, total, outline }
    }

    fn histogram<C: Count>(&self, set: CardSet, dead: CardSet) -> ([C; MAX_CELLS], u32) {
        let dead = if self.dead_cards { dead.minus(set) } else { CardSet::EMPTY };
        let mut counts = [C::default(); MAX_CELLS];
        self.sets.add(&self.scale, set, dead, &mut counts[..self.scale.cells()]);
        (counts, completions(set.len(), dead.len()))
    }

    /// Prepares to read hands against an opponent who shows this.
    pub(crate) fn read(&self, against: &mut Against, opponent: &Showing) {
        against.read(&self.scale, &opponent.counts[..self.scale.cells()], opponent.total);
    }

    /// The point of a player's `own` cards, hidden and up, when those of `dead` cannot come.
    #[inline]
    pub(crate) fn point<F: StreetBuckets>(
        &self,
        street: Street,
        own: CardSet,
        dead: CardSet,
        against: &Against,
    ) -> F::Point {
        match street {
            Street::Third => {
                let (counts, total) = self.histogram::<u32>(own, dead);
                F::of_distribution(against, &counts[..self.scale.cells()], total)
            }
            Street::Fourth | Street::Fifth | Street::Sixth => {
                let (counts, total) = self.histogram::<u16>(own, dead);
                F::of_distribution(against, &counts[..self.scale.cells()], total)
            }
            Street::Seventh => {
                let standing = self.scale.standing(HandKey::from(own));
                F::of_value(against.value(&self.scale, standing))
            }
        }
    }
}
