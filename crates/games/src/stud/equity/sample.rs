//! Equity by random deals.
//!
//! Deals come in chunks, each from a generator of its own, and are counted in whole numbers: the result depends on
//! the seed and the number of deals, not on the threads.

use super::Table;
use super::tally::Tally;
use crate::stud::MAX_PLAYERS;
use crate::stud::showdown::Strength;
use doorcard_cards::Deck;
use doorcard_cards::rank7::HandKey;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// How many deals are drawn from one seed.
const CHUNK: u64 = 1 << 14;

/// `deals` random deals.
pub(super) fn sample<V>(table: &Table, deals: u64, seed: u64, value: V) -> Tally
where
    V: Fn(HandKey) -> Strength + Copy + Sync,
{
    let chunks = 0..deals.div_ceil(CHUNK);
    chunks
        .into_par_iter()
        .map(|chunk| {
            let bytes = [&b"deals of equity"[..], &chunk.to_le_bytes()].concat();
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(xxh3_64_with_seed(&bytes, seed));
            sample_chunk(table, CHUNK.min(deals - chunk * CHUNK), &mut rng, value)
        })
        .sum()
}

fn sample_chunk<V>(table: &Table, deals: u64, rng: &mut Xoshiro256PlusPlus, value: V) -> Tally
where
    V: Fn(HandKey) -> Strength,
{
    let mut deck = Deck::without(table.live.complement());
    let mut strengths = [Strength::default(); MAX_PLAYERS];
    let mut tally = Tally::default();
    for _ in 0..deals {
        let (river, mut dealt) =
            deck.deal(table.cards_to_come(), rng).split_at(usize::from(table.shared_river));
        for (strength, hand) in strengths.iter_mut().zip(&table.hands) {
            let shared = if hand.missing > 0 { river } else { &[] };
            let (own, rest) = dealt.split_at(hand.missing - shared.len());
            dealt = rest;
            *strength = value(own.iter().chain(shared).fold(hand.key, |key, &card| key.add(card)));
        }
        tally.record(&strengths[..table.hands.len()], 1);
    }
    tally
}
