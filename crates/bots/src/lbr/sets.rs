//! The hidden cards that the opponent may hold on a street, listed.
//!
//! Down cards of third street are a set, the *hole*; later ones were dealt one by one, and some players remember which.
//! Hidden cards are therefore listed as every sequence of later cards, in lexicographic order, and for each of them every
//! hole of the cards left. Where it does not matter which of three cards came last there are a third as many sets of three.

use arrayvec::ArrayVec;
use doorcard_cards::board::{Live, hidden_sets};
use doorcard_cards::{Card, CardSet};
use doorcard_games::stud::{Rules, Street};

/// The most down cards.
const MOST: usize = 3;

/// Cards face down in the order dealt, those of the hole ascending.
pub(super) type Down = ArrayVec<Card, MOST>;

/// See the module's documentation.
#[cfg_attr(test, derive(Clone))]
pub(super) struct Sets {
    /// The cards they are made of: all that the responder has not seen.
    live: Live,
    hole: usize,
    /// Later cards in the order dealt; none in sets of three.
    later: usize,
}

impl Sets {
    /// The hidden cards of a street of this game, later ones in the order dealt.
    pub(super) fn in_order(rules: &Rules, street: Street, live: CardSet) -> Sets {
        let hole = rules.down_cards(Street::Third);
        Sets { live: Live::new(live), hole, later: rules.down_cards(street) - hole }
    }

    /// Holes of two cards and a later one, if that is what these are, as sets of three.
    pub(super) fn triples(&self) -> Option<Sets> {
        (self.hole == 2 && self.later == 1).then(|| Sets { live: self.live.clone(), hole: 3, later: 0 })
    }

    /// Whether they are two cards each, dealt on third street.
    pub(super) fn are_pairs(&self) -> bool {
        self.hole == 2 && self.later == 0
    }

    /// The cards they are made of.
    pub(super) fn live(&self) -> &Live {
        &self.live
    }

    fn from(&self) -> CardSet {
        self.live.cards().iter().copied().collect()
    }

    /// How many cards each has.
    pub(super) fn dealt(&self) -> usize {
        self.hole + self.later
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        let n = self.live.cards().len();
        let sequences: usize = (n + 1 - self.later..=n).product();
        sequences * self.holes()
    }

    /// How many there are with the same later cards.
    pub(super) fn holes(&self) -> usize {
        let n = self.live.cards().len() - self.later;
        (0..self.hole).fold(1, |ways, i| ways * n.saturating_sub(i) / (i + 1))
    }

    /// Calls `f` with the cards that holes may be of and the later cards, for every sequence of these, in order.
    pub(super) fn each_sequence(&self, mut f: impl FnMut(CardSet, &[Card])) {
        fn extend(from: CardSet, missing: usize, later: &mut Down, f: &mut dyn FnMut(CardSet, &[Card])) {
            if missing == 0 {
                return f(from, later);
            }
            for card in from {
                later.push(card);
                extend(from.without(card), missing - 1, later, f);
                later.pop();
            }
        }
        extend(self.from(), self.later, &mut Down::new(), &mut f);
    }

    /// All of them in order, each as it was dealt.
    pub(super) fn list(&self) -> Vec<Down> {
        let mut list = Vec::with_capacity(self.len());
        self.each_sequence(|from, later| {
            let dealt = |hole: CardSet| hole.into_iter().chain(later.iter().copied()).collect::<Down>();
            list.extend(hidden_sets(from, self.hole).into_iter().map(dealt));
        });
        list
    }

    /// The place of cards in the order dealt, those of the hole in any order.
    pub(super) fn index(&self, down: &[Card]) -> usize {
        let (hole, later) = down.split_at(self.hole);
        let n = self.live.cards().len();
        let sequence = later
            .iter()
            .enumerate()
            .fold(0, |sequence, (nth, &card)| sequence * (n - nth) + self.place(card, &later[..nth]));
        let mut at: ArrayVec<usize, MOST> = hole.iter().map(|&card| self.place(card, later)).collect();
        at.sort_unstable();
        let left = n - later.len();
        let within = match at[..] {
            [i] => i,
            [i, j] => i * (2 * left - i - 1) / 2 + j - i - 1,
            [i, j, k] => self.live.triple_index(i, j, k),
            _ => unreachable!("a hole has one card or two, and a set three"),
        };
        sequence * self.holes() + within
    }

    /// The place of a live card among them without those that are `gone`.
    pub(super) fn place(&self, card: Card, gone: &[Card]) -> usize {
        let place = self.live.cards().partition_point(|&live| live < card);
        place - gone.iter().filter(|&&gone| gone < card).count()
    }
}
