//! From cards to what buckets are made of: histograms and points.

use crate::against::Against;
use crate::private::{Own, StreetBuckets};
use crate::scale::{Counts, MAX_CELLS, Scale};
use crate::sets::{OwnSets, completions};
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
    /// Into how many clusters the family `ochs` divides the opponent's hands.
    pub(crate) clusters: usize,
}

/// The distribution of the final strength of a player who shows certain cards.
pub(crate) struct Showing {
    pub(crate) counts: Counts,
    pub(crate) total: u32,
}

impl Showing {
    pub(crate) fn new() -> Showing {
        Showing { counts: [0; MAX_CELLS], total: 0 }
    }
}

impl Reader {
    /// Sets `showing` to what `up` may become when the cards of `dead` cannot come.
    pub(crate) fn show(&self, showing: &mut Showing, up: CardSet, dead: CardSet) {
        let dead = self.dead(up, dead);
        showing.counts[..self.scale.cells()].fill(0);
        self.sets.add(&self.scale, up, dead, &mut showing.counts);
        showing.total = completions(up.len(), dead.len());
    }

    /// Those of the seen cards that cannot complete `set`.
    pub(crate) fn dead(&self, set: CardSet, seen: CardSet) -> CardSet {
        if self.dead_cards { seen.minus(set) } else { CardSet::EMPTY }
    }

    /// Prepares to read hands against an opponent who shows this.
    pub(crate) fn read<F: StreetBuckets>(&self, against: &mut Against, opponent: &Showing) {
        against.read(&self.scale, &opponent.counts, opponent.total);
        F::prepare(against, self, opponent);
    }

    /// The point of a player's `own` cards, hidden and up, when those of `dead` cannot come.
    pub(crate) fn point<F: StreetBuckets>(
        &self,
        street: Street,
        own: CardSet,
        dead: CardSet,
        against: &Against,
    ) -> F::Point {
        if street == Street::Seventh {
            return F::of_complete(against, self.scale.standing(self.scale.values(HandKey::from(own))));
        }
        let dead = self.dead(own, dead);
        let mut sums = Own::<F>::new(against);
        self.sets.add(&self.scale, own, dead, &mut sums);
        sums.point(completions(own.len(), dead.len()))
    }
}
