//! Shared inputs of the benchmarks; each hot path has its own file beside this one.

pub mod blown_up;

use doorcard_cards::{Card, CardSet, Deck};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A seeded generator; every benchmark draws the same inputs on every machine.
pub fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// `count` hands of `N` different cards in random order.
pub fn random_hands<const N: usize>(seed: u64, count: usize) -> Vec<[Card; N]> {
    let mut rng = rng(seed);
    let mut deck = Deck::new();
    (0..count).map(|_| deck.deal(N, &mut rng).try_into().expect("N cards")).collect()
}

/// As [`random_hands`], without the order.
pub fn random_sets<const N: usize>(seed: u64, count: usize) -> Vec<CardSet> {
    random_hands::<N>(seed, count).into_iter().map(|hand| hand.into_iter().collect()).collect()
}
