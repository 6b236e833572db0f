//! What a player has looked up of late. A decision seldom comes alone: most of the next ones of a hand are of the same
//! street, and to place a hand among all others behind its board is most of the work of a decision.

use doorcard_abstraction::{PublicMix, Situation};
use doorcard_cards::{Card, CardSet};
use doorcard_games::stud::Street;
use std::sync::Mutex;
use xxhash_rust::xxh3::xxh3_64;

/// How many situations are remembered: more than hands are played at once.
const PLACES: usize = 256;

/// See the module's documentation.
pub(super) struct Memory(Vec<Mutex<Option<(Key, Found)>>>);

/// The public buckets of a situation, and the private bucket.
pub(super) type Found = (PublicMix, u16);

/// Everything a bucket may depend on. The order of up cards matters to those with perfect recall.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    street: Street,
    own_down: CardSet,
    river: Option<Card>,
    /// The player's up cards, then the opponent's. Places that hold none repeat the first card.
    up: [Card; 8],
}

impl Key {
    fn new(situation: &Situation<'_>) -> Key {
        let Situation { street, own_down, river, own_up, opponent_up, .. } = *situation;
        let mut up = [own_up[0]; 8];
        up[..own_up.len()].copy_from_slice(own_up);
        up[4..4 + opponent_up.len()].copy_from_slice(opponent_up);
        Key { street, own_down, river, up }
    }

    fn place(&self) -> usize {
        let mut bytes = [0; 17];
        bytes[..8].copy_from_slice(&self.own_down.bits().to_le_bytes());
        bytes[8..16].iter_mut().zip(self.up).for_each(|(byte, card)| *byte = card.index() as u8);
        bytes[16] = self.street.index() as u8;
        xxh3_64(&bytes) as usize % PLACES
    }
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory((0..PLACES).map(|_| Mutex::new(None)).collect())
    }

    /// What is known of a situation, or else what `look_up` finds. Dead cards must be none.
    pub(super) fn get(&self, situation: &Situation<'_>, look_up: impl FnOnce() -> Found) -> Found {
        debug_assert!(situation.dead.is_empty());
        let key = Key::new(situation);
        let place = &self.0[key.place()];
        let remembered = *place.lock().expect("nothing panics while it is locked");
        match remembered {
            Some((known, found)) if known == key => found,
            _ => {
                let found = look_up();
                *place.lock().expect("nothing panics while it is locked") = Some((key, found));
                found
            }
        }
    }
}
