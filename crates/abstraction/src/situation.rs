//! What a player knows, and what an abstraction makes of it.

use crate::PublicMix;
use doorcard_cards::board::hidden_sets;
use doorcard_cards::{Card, CardSet};
use doorcard_games::stud::Street;

/// What one player of a heads-up hand knows.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The betting round.
    pub street: Street,
    /// The player's hidden cards: two, on seventh street three.
    pub own_down: CardSet,
    /// Which of them was dealt last, on seventh street; nothing before. Abstractions with perfect recall need to
    /// know, others do not look at it.
    pub river: Option<Card>,
    /// The player's up cards: [`Street::up_cards`] of them.
    pub own_up: &'a [Card],
    /// The opponent's up cards, as many.
    pub opponent_up: &'a [Card],
    /// Any other cards seen, such as up cards of folded players; usually empty. With perfect recall they count as
    /// seen from the first street on.
    pub dead: CardSet,
}

/// The hidden sets a player may hold, in the order of [`Hidden::sets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// Two cards of `from`: third to sixth street.
    Pairs {
        /// Cards the player may hold.
        from: CardSet,
    },
    /// Two cards of `from` and one that is fixed: seventh street with a sampled river.
    PairsAndRiver {
        /// Cards the player may have been dealt at first.
        from: CardSet,
        /// The last card, not in `from`.
        river: Card,
    },
    /// Three cards of `from`: seventh street, where it is not remembered which came last.
    Triples {
        /// Cards the player may hold.
        from: CardSet,
    },
}

impl Hidden {
    /// The hidden sets in the order of [`doorcard_cards::board::hidden_sets`]: lexicographic over ascending cards.
    pub fn sets(self) -> Vec<CardSet> {
        match self {
            Hidden::Pairs { from } => hidden_sets(from, 2),
            Hidden::PairsAndRiver { from, river } => {
                hidden_sets(from, 2).into_iter().map(|pair| pair.with(river)).collect()
            }
            Hidden::Triples { from } => hidden_sets(from, 3),
        }
    }

    /// How many hidden sets there are.
    pub fn len(self) -> usize {
        let pairs = |n: usize| n * n.saturating_sub(1) / 2;
        match self {
            Hidden::Pairs { from } | Hidden::PairsAndRiver { from, .. } => pairs(from.len()),
            Hidden::Triples { from } => pairs(from.len()) * from.len().saturating_sub(2) / 3,
        }
    }

    /// The cards that occur in hidden sets, and how many each set has.
    pub(crate) fn cards(self) -> (CardSet, usize) {
        match self {
            Hidden::Pairs { from } => (from, 2),
            Hidden::PairsAndRiver { from, river } => (from.with(river), 3),
            Hidden::Triples { from } => (from, 3),
        }
    }

    /// Whether there is no hidden set.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// All hands a player may hold on a street, given what shows.
#[derive(Clone, Copy, Debug)]
pub struct BoardSituation<'a> {
    /// The betting round.
    pub street: Street,
    /// The player's up cards: [`Street::up_cards`] of them.
    pub own_up: &'a [Card],
    /// The opponent's up cards, as many.
    pub opponent_up: &'a [Card],
    /// What the player may hold; none of the cards may be among the up cards. Cards that lie outside are not
    /// thereby dead: the bucket of a set does not depend on which others are asked for.
    pub hidden: Hidden,
}

/// The public and the private bucket of each street for each of two players. Shape: \[player\]\[street\].
pub type DealBuckets = [[(u16, u16); 5]; 2];

/// The buckets of all hands of both players on all streets of a sampled board: every pair of first cards out of those
/// that neither show nor are a river. Memory to be used again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardBuckets {
    /// The public bucket. Shape: `[player][street]`.
    pub public: [[u16; 5]; 2],
    /// The private bucket of every hand, in the order of [`Hidden::sets`]. Shape: `[player][street][hand]`.
    pub private: [[Vec<u16>; 5]; 2],
}

/// Which situations a strategy cannot tell apart.
///
/// Buckets are numbered from 0 on each street, the private ones within each public bucket in ascending order of
/// strength (with perfect recall: of strength on third street first, then on fourth, and so on). They depend only on what the player knows, and not on the names of suits: relabelling the suits of all
/// cards changes no bucket.
pub trait CardAbstraction: Send + Sync {
    /// How many public buckets a street has.
    fn public_buckets(&self, street: Street) -> usize;

    /// How many private buckets each public bucket of a street has.
    fn private_buckets(&self, street: Street) -> usize;

    /// The bucket of what both players show.
    ///
    /// # Panics
    /// Unless both show [`Street::up_cards`] cards.
    fn public_bucket(&self, street: Street, own_up: &[Card], opponent_up: &[Card]) -> u16;

    /// The public buckets whose strategies a board plays the mean of; the first is its
    /// [`CardAbstraction::public_bucket`]. If there are several, a hand has the same private bucket in each.
    ///
    /// # Panics
    /// As [`CardAbstraction::public_bucket`].
    fn public_mix(&self, street: Street, own_up: &[Card], opponent_up: &[Card]) -> PublicMix {
        PublicMix::one(self.public_bucket(street, own_up, opponent_up))
    }

    /// The bucket of a hand within `public`, the [`CardAbstraction::public_bucket`] of the situation.
    ///
    /// # Panics
    /// If the situation has too many or too few cards of a kind, a river that is not among the hidden cards or is
    /// missing though it is needed, or `public` is out of range.
    fn private_bucket(&self, public: u16, situation: &Situation<'_>) -> u16;

    /// The buckets of all hands a player may hold: writes the private ones to `private`, in the order of
    /// [`Hidden::sets`], and returns the public one.
    ///
    /// The same as [`CardAbstraction::public_bucket`] and [`CardAbstraction::private_bucket`] set by set, with the
    /// work that belongs to the board done once.
    ///
    /// # Panics
    /// If `private` is not as long as [`Hidden::len`], the hidden sets do not fit the street, there are too many
    /// or too few up cards, or an abstraction with perfect recall is asked for [`Hidden::Triples`].
    fn board(&self, board: &BoardSituation<'_>, private: &mut [u16]) -> u16;

    /// The buckets of all hands of both players on all streets, given the up cards and the river of each.
    ///
    /// The same as [`CardAbstraction::board`] for each player and street: with the river fixed on seventh street, and
    /// with the cards that may be hidden being those that neither show nor are a river (which does not make a river
    /// dead before it is dealt).
    fn sampled_board(&self, up: &[[Card; 4]; 2], river: &[Card; 2], buckets: &mut BoardBuckets) {
        let seen: CardSet = up.iter().flatten().chain(river).copied().collect();
        let from = seen.complement();
        for player in 0..2 {
            for street in Street::ALL {
                let hidden = match street {
                    Street::Seventh => Hidden::PairsAndRiver { from, river: river[player] },
                    _ => Hidden::Pairs { from },
                };
                let own_up = &up[player][..street.up_cards()];
                let opponent_up = &up[1 - player][..street.up_cards()];
                let private = &mut buckets.private[player][street.index()];
                private.resize(hidden.len(), 0);
                buckets.public[player][street.index()] =
                    self.board(&BoardSituation { street, own_up, opponent_up, hidden }, private);
            }
        }
    }

    /// The buckets of both players on all streets of a deal: two hidden cards, four up cards and the river of each.
    fn buckets_for_deal(&self, down: &[[Card; 2]; 2], up: &[[Card; 4]; 2], river: &[Card; 2]) -> DealBuckets {
        let mut buckets = DealBuckets::default();
        for (player, buckets) in buckets.iter_mut().enumerate() {
            for (street, bucket) in Street::ALL.into_iter().zip(buckets) {
                let own_up = &up[player][..street.up_cards()];
                let opponent_up = &up[1 - player][..street.up_cards()];
                let river = (street == Street::Seventh).then_some(river[player]);
                let own_down = down[player].iter().copied().chain(river).collect();
                let situation =
                    Situation { street, own_down, river, own_up, opponent_up, dead: CardSet::EMPTY };
                let public = self.public_bucket(street, own_up, opponent_up);
                *bucket = (public, self.private_bucket(public, &situation));
            }
        }
        buckets
    }

    /// Whether the buckets of seventh street depend on which of the three hidden cards came last.
    fn tells_rivers_apart(&self) -> bool {
        false
    }

    /// A number that stands for everything buckets depend on: equal fingerprints mean equal buckets.
    fn fingerprint(&self) -> u64;
}

/// A borrowed abstraction is one.
impl<A: CardAbstraction + ?Sized> CardAbstraction for &A {
    fn public_buckets(&self, street: Street) -> usize {
        (**self).public_buckets(street)
    }

    fn private_buckets(&self, street: Street) -> usize {
        (**self).private_buckets(street)
    }

    fn public_bucket(&self, street: Street, own_up: &[Card], opponent_up: &[Card]) -> u16 {
        (**self).public_bucket(street, own_up, opponent_up)
    }

    fn public_mix(&self, street: Street, own_up: &[Card], opponent_up: &[Card]) -> PublicMix {
        (**self).public_mix(street, own_up, opponent_up)
    }

    fn private_bucket(&self, public: u16, situation: &Situation<'_>) -> u16 {
        (**self).private_bucket(public, situation)
    }

    fn board(&self, board: &BoardSituation<'_>, private: &mut [u16]) -> u16 {
        (**self).board(board, private)
    }

    fn sampled_board(&self, up: &[[Card; 4]; 2], river: &[Card; 2], buckets: &mut BoardBuckets) {
        (**self).sampled_board(up, river, buckets);
    }

    fn buckets_for_deal(&self, down: &[[Card; 2]; 2], up: &[[Card; 4]; 2], river: &[Card; 2]) -> DealBuckets {
        (**self).buckets_for_deal(down, up, river)
    }

    fn tells_rivers_apart(&self) -> bool {
        (**self).tells_rivers_apart()
    }

    fn fingerprint(&self) -> u64 {
        (**self).fingerprint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_sets_are_all_and_in_order() {
        let from: CardSet = "2c3d4h5s6c".parse().unwrap();
        let river = "As".parse().unwrap();
        let texts = |hidden: Hidden| hidden.sets().iter().map(CardSet::to_string).collect::<Vec<_>>();
        let pairs = texts(Hidden::Pairs { from });
        assert_eq!(pairs[..5], ["2c3d", "2c4h", "2c5s", "2c6c", "3d4h"]);
        assert_eq!(texts(Hidden::PairsAndRiver { from, river })[4], "3d4hAs");
        let triples = texts(Hidden::Triples { from });
        assert_eq!((&triples[0][..], &triples[1][..], &triples[9][..]), ("2c3d4h", "2c3d5s", "4h5s6c"));
        for hidden in
            [Hidden::Pairs { from }, Hidden::PairsAndRiver { from, river }, Hidden::Triples { from }]
        {
            assert_eq!((hidden.sets().len(), hidden.len(), hidden.is_empty()), (10, 10, false));
        }
        assert!(Hidden::Triples { from: "2c3d".parse().unwrap() }.is_empty());
    }
}
