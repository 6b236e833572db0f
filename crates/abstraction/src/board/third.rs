//! Third street, looked up.
//!
//! Two up cards differ, but for the names of suits, in their ranks and in whether they are of one suit: 325 boards.
//! Their buckets fit a small table, filled when an abstraction is built or loaded; a look-up reads one stretch of it.

use doorcard_cards::{Card, CardSet, Rank, Suit};
use rayon::prelude::*;

/// The buckets of all pairs behind one board.
const PAIRS: usize = 52 * 52;

/// The buckets of third street behind every two up cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ThirdStreet {
    /// Shape: \[own rank\]\[opponent's rank\]\[other suit, same suit\].
    public: Vec<u16>,
    /// With suits relabelled as by [`canonical`]. Shape: \[board as above\]\[card\]\[another card\].
    private: Vec<u16>,
}

/// The place of the board in the table, and a relabelling that gives all boards of this place the same suits.
fn canonical(own: Card, opponent: Card) -> (usize, [usize; 4]) {
    let same = own.suit() == opponent.suit();
    let mut map = [4; 4];
    map[own.suit().index()] = 0;
    if !same {
        map[opponent.suit().index()] = 1;
    }
    let others = if same { 1.. } else { 2.. };
    for (other, suit) in others.zip(map.iter_mut().filter(|suit| **suit == 4)) {
        *suit = other;
    }
    ((own.rank().index() * 13 + opponent.rank().index()) * 2 + usize::from(same), map)
}

impl ThirdStreet {
    /// Fills the table. `look_up` sets the buckets of all pairs of the given cards behind an own and an opponent's up
    /// card, in the order of [`crate::Hidden::sets`], and returns the public one.
    pub(crate) fn new(look_up: impl Fn(Card, Card, CardSet, &mut [u16]) -> u16 + Sync) -> ThirdStreet {
        let boards = 13 * 13 * 2;
        let (mut public, mut private) = (vec![0; boards], vec![0; boards * PAIRS]);
        public.par_iter_mut().zip(private.par_chunks_mut(PAIRS)).enumerate().for_each(
            |(board, (public, private))| {
                let rank = |index: usize| Rank::new(index as u8);
                let own = Card::new(rank(board / 26), Suit::new(0));
                let opponent = Card::new(rank(board / 2 % 13), Suit::new(u8::from(board % 2 == 0)));
                if own == opponent {
                    return;
                }
                let from = CardSet::EMPTY.with(own).with(opponent).complement();
                let cards: Vec<usize> = from.into_iter().map(Card::index).collect();
                let mut buckets = vec![0; cards.len() * (cards.len() - 1) / 2];
                *public = look_up(own, opponent, from, &mut buckets);
                let mut buckets = buckets.iter();
                for (i, &low) in cards.iter().enumerate() {
                    for (&high, &bucket) in cards[i + 1..].iter().zip(&mut buckets) {
                        private[low * 52 + high] = bucket;
                        private[high * 52 + low] = bucket;
                    }
                }
            },
        );
        ThirdStreet { public, private }
    }

    /// The public bucket.
    pub(crate) fn public(&self, own: Card, opponent: Card) -> u16 {
        self.public[canonical(own, opponent).0]
    }

    /// The private bucket of a pair.
    pub(crate) fn bucket(&self, own: Card, opponent: Card, pair: CardSet) -> u16 {
        let (board, map) = canonical(own, opponent);
        let mut places = pair.into_iter().map(|card| card.rank().index() * 4 + map[card.suit().index()]);
        let mut place = || places.next().expect("two cards");
        self.private[board * PAIRS + place() * 52 + place()]
    }

    /// Sets `buckets` to those of all pairs of `from`, and returns the public one.
    pub(crate) fn look_up(&self, own: Card, opponent: Card, from: CardSet, buckets: &mut [u16]) -> u16 {
        let (board, map) = canonical(own, opponent);
        let table = &self.private[board * PAIRS..(board + 1) * PAIRS];
        let mut cards = [0; 52];
        for (place, card) in cards.iter_mut().zip(from) {
            *place = card.rank().index() * 4 + map[card.suit().index()];
        }
        let cards = &cards[..from.len()];
        let mut buckets = buckets.iter_mut();
        for (i, &low) in cards.iter().enumerate() {
            let row = &table[low * 52..(low + 1) * 52];
            for (&high, bucket) in cards[i + 1..].iter().zip(&mut buckets) {
                *bucket = row[high];
            }
        }
        self.public[board]
    }
}
