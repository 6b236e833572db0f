//! Shared inputs of the benchmarks; each hot path has its own file beside this one.

pub mod blown_up;

use doorcard_abstraction::{Abstraction, AbstractionConfig};
use doorcard_cards::{Card, CardSet, Deck};
use doorcard_games::stud::Rules;
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

/// A shipped abstraction of this name with its own sizes but from fewer samples: look-ups cost the same, building a
/// tenth.
///
/// # Panics
/// If there is no such abstraction, or no such rules.
pub fn small_abstraction(name: &str, rules: &str) -> Abstraction {
    let text = AbstractionConfig::named(name).expect("a shipped configuration").to_toml();
    let text = text.replace("public = 40000", "public = 4000");
    let text = ["400000", "200000"]
        .iter()
        .fold(text, |text, n| text.replace(&format!("private = {n}"), "private = 20000"));
    let config = AbstractionConfig::from_toml(&text, name).expect("still valid");
    Abstraction::build(&config, &Rules::named(rules).expect("shipped rules"), &mut |_, _| {})
}
