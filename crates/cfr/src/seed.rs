//! Seeds of independent random streams.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use xxhash_rust::xxh3::xxh3_64;

/// The generator of deal number `deal` of the run seeded by `run`: it draws the cards and the opponents'
/// actions. It depends on nothing else, so that deals can be traversed in any order by any thread.
pub fn deal_rng(run: u64, deal: u64) -> Xoshiro256PlusPlus {
    let mut bytes = *b"................deal of external sampling";
    bytes[..8].copy_from_slice(&run.to_le_bytes());
    bytes[8..16].copy_from_slice(&deal.to_le_bytes());
    Xoshiro256PlusPlus::seed_from_u64(xxh3_64(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;
    use std::collections::HashSet;

    #[test]
    fn streams_differ_by_run_and_deal() {
        let first = |run, deal| deal_rng(run, deal).next_u64();
        let all: HashSet<u64> = (0..50).flat_map(|run| (0..50).map(move |deal| first(run, deal))).collect();
        assert_eq!(all.len(), 2500);
        assert_eq!(first(3, 4), first(3, 4));
    }
}
