//! How large an abstraction may be for the memory there is.
//!
//! What training takes grows most of all with the table of the strategy, and this with the hands told apart on a street times the decisions they meet there, and almost
//! all decisions are on the last streets. The proposal of [`fit`] is plain: fourth to seventh street have equal
//! numbers of buckets, [`RATIO`] public ones for each private one, as the shipped configurations have. Third street,
//! where few cards are known and few can be told apart, has half of either kind. Private buckets are multiples of
//! [`LANES`], so that vectors over them need no padding, and at most [`MOST_LANES`], which a vector of the solver holds.
//! Samples grow with the buckets they fill.

use crate::{AbstractionConfig, AbstractionError, Recall, StreetSizes};
use doorcard_efg::{LANES, MOST_LANES};
use doorcard_games::stud::Street;
use doorcard_games::stud::tree::StudTree;

/// Public buckets for each private one.
const RATIO: f64 = 1.5;

/// The most buckets of either kind on third street: 325 pairs of door cards differ by more than the names of suits,
/// and each leaves some hundreds of hands that do.
const MOST_ON_THIRD: usize = 144;

/// The most public buckets proposed on later streets; private ones are at most what a vector holds.
const MOST: usize = 2048;

/// Sampled deals for each public bucket and for each hand told apart, of which each is two samples.
const DEALS_FOR_PUBLIC: usize = 500;
const DEALS_FOR_HAND: usize = 32;

/// The most deals proposed, for the sake of time and memory.
const MOST_DEALS: usize = 5_000_000;

/// What a strategy has on one street.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedStreet {
    /// The betting round.
    pub street: Street,
    /// Public buckets.
    pub public: usize,
    /// Private buckets within each.
    pub private: usize,
    /// Infosets.
    pub rows: u64,
    /// Pairs of infosets and actions: entries of a table.
    pub slots: u64,
}

/// What strategies over an abstraction with this configuration have, before it is built.
///
/// Exactly what [`crate::StudInfosets`] lays out afterwards, unless the cards shown on a street cannot be told apart in
/// as many public buckets as were asked for; then there is less.
pub fn planned(game: &StudTree, config: &AbstractionConfig) -> [PlannedStreet; 5] {
    Street::ALL.map(|street| {
        let (public, private) = config.buckets(street);
        let hands = (public * private) as u64;
        let betting = &game.tree().sizes()[street.index()];
        PlannedStreet { street, public, private, rows: hands * betting.rows, slots: hands * betting.slots }
    })
}

/// The configuration of the largest proposal (see the module's documentation in the source) with which training needs at
/// most `memory`; everything but sizes and samples is that of `base`. `needed` says what a configuration needs: the more,
/// the more public buckets it has. Units: bytes.
///
/// # Errors
/// If even the smallest proposal needs more, or `base` has public or perfect recall, where the numbers of the streets multiply.
pub fn fit(
    base: &AbstractionConfig,
    memory: u64,
    mut needed: impl FnMut(&AbstractionConfig) -> u64,
) -> Result<AbstractionConfig, AbstractionError> {
    if base.recall() != Recall::Imperfect {
        return Err(AbstractionError::Setting {
            origin: "the abstraction to be fitted".into(),
            field: "recall".into(),
            value: base.recall().to_string(),
            expected: "imperfect: with public or perfect recall the numbers of the streets multiply, and are best chosen by hand"
                .into(),
        });
    }
    let spread = Street::ALL.map(|street| base.street(street).spread);
    let step = spread.into_iter().fold(LANES, lcm);
    let proposal = |public: usize, private: usize| {
        let few = |n: usize| n.div_ceil(2).min(MOST_ON_THIRD);
        let sizes = Street::ALL.map(|street| {
            let (public, private) = match street {
                Street::Third => (few(public), few(private).next_multiple_of(step)),
                _ => (public, private),
            };
            StreetSizes { public, private, spread: spread[street.index()] }
        });
        let deals = |least: usize, wanted: usize| least.max(wanted.next_multiple_of(10_000)).min(MOST_DEALS);
        let private_deals = match base.private_samples() {
            0 => 0,
            least => deals(least, DEALS_FOR_HAND * public * private),
        };
        base.resized(sizes, deals(base.public_samples(), DEALS_FOR_PUBLIC * public), private_deals)
    };
    // For each number of private buckets, the most public ones that fit.
    let numbers: Vec<usize> = (1..=MOST).collect();
    let fitting: Vec<(usize, usize)> = (step..=MOST_LANES)
        .step_by(step)
        .map(|private| {
            (numbers.partition_point(|&public| needed(&proposal(public, private)) <= memory), private)
        })
        .filter(|&(public, _)| public > 0)
        .collect();
    let off = |&(public, private): &(usize, usize)| (public as f64 / private as f64 / RATIO).ln().abs();
    let best = fitting.into_iter().min_by(|a, b| off(a).total_cmp(&off(b)));
    let unfit = |least| AbstractionError::Unfit { memory, least };
    let (public, private) = best.ok_or_else(|| unfit(needed(&proposal(1, step))))?;
    Ok(proposal(public, private))
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Abstraction, StudInfosets};
    use doorcard_efg::Rows;
    use doorcard_games::stud::Rules;
    use doorcard_games::stud::tree::HistoryDetail;

    fn game(detail: HistoryDetail) -> StudTree {
        StudTree::new(Rules::named("stud_bench").unwrap(), detail).unwrap()
    }

    fn total(game: &StudTree, config: &AbstractionConfig) -> u64 {
        planned(game, config).iter().map(|street| street.slots).sum()
    }

    /// A proposal whose strategies have at most so many slots.
    fn fitted(
        game: &StudTree,
        base: &AbstractionConfig,
        most: u64,
    ) -> Result<AbstractionConfig, AbstractionError> {
        fit(base, most, |config| total(game, config))
    }

    #[test]
    fn proposals_fill_what_there_is() {
        let game = game(HistoryDetail::Aggressor);
        for name in ["default", "default_kmeans", "default_ochs"] {
            let base = AbstractionConfig::named(name).unwrap();
            let mut before = 0;
            for most in [1 << 27, 1 << 29, 1 << 31] {
                let config = fitted(&game, &base, most).unwrap();
                let slots = total(&game, &config);
                assert!(slots <= most && slots > most / 100 * 95, "{name}: {slots} of {most}");
                let [third, fourth, .., seventh] = Street::ALL.map(|street| config.street(street));
                assert_eq!((fourth.public, fourth.private), (seventh.public, seventh.private));
                assert!(third.public < fourth.public && third.private <= fourth.private);
                assert!([third, seventh].iter().all(|sizes| sizes.private.is_multiple_of(8)));
                let ratio = seventh.public as f64 / seventh.private as f64;
                assert!((1.2..1.9).contains(&ratio), "{ratio}");
                assert_eq!(
                    (config.family(), fourth.spread),
                    (base.family(), base.street(Street::Fourth).spread)
                );
                assert!(config.private_samples() >= before);
                before = config.private_samples();
                assert_eq!(AbstractionConfig::from_toml(&config.to_toml(), "fitted").unwrap(), config);
            }
        }
    }

    /// Where little of the betting is remembered, memory goes into public buckets once private ones fill a vector.
    #[test]
    fn private_buckets_fit_a_vector() {
        let game = game(HistoryDetail::Counts);
        let base = AbstractionConfig::named("default").unwrap();
        let config = fitted(&game, &base, 1 << 29).unwrap();
        let seventh = config.street(Street::Seventh);
        assert_eq!(seventh.private, MOST_LANES);
        assert!(seventh.public > 2 * MOST_LANES, "{seventh:?}");
        assert!(total(&game, &config) > (1 << 29) / 100 * 95);
    }

    /// What grows with private buckets besides the table, as logs do, is answered by fewer of them and more public ones.
    #[test]
    fn all_that_is_needed_counts() {
        let game = game(HistoryDetail::Counts);
        let base = AbstractionConfig::named("default").unwrap();
        let memory = 1 << 27;
        let alone = fitted(&game, &base, memory).unwrap();
        let needed = |config: &AbstractionConfig| {
            total(&game, config) + (config.street(Street::Seventh).private as u64) * memory / 64
        };
        let beside = fit(&base, memory, needed).unwrap();
        let [alone, sizes] = [&alone, &beside].map(|config| config.street(Street::Seventh));
        assert!(alone.private > 60 && sizes.private < 60, "{alone:?} {sizes:?}");
        assert!(needed(&beside) <= memory && needed(&beside) > memory / 100 * 95, "{}", needed(&beside));
    }

    #[test]
    fn what_cannot_fit_is_refused() {
        let game = game(HistoryDetail::Counts);
        let base = AbstractionConfig::named("default").unwrap();
        let error = fitted(&game, &base, 1000).unwrap_err();
        let AbstractionError::Unfit { memory: 1000, least } = error else { panic!("{error}") };
        assert_eq!(total(&game, &fitted(&game, &base, least).unwrap()), least);
        assert!(fitted(&game, &base, least - 1).is_err());
        let perfect = AbstractionConfig::named("small_perfect").unwrap();
        assert!(fitted(&game, &perfect, 1 << 30).unwrap_err().to_string().contains("recall = perfect"));
    }

    /// Of what is planned and what is laid out once the abstraction is built, with either recall.
    #[test]
    fn plans_are_kept() {
        let game = game(HistoryDetail::Counts);
        for abstraction in crate::tests::all().filter(|a| a.variant() == game.rules().variant()) {
            let infosets = StudInfosets::new(&game, abstraction);
            let planned = planned(&game, abstraction.config());
            assert_eq!(
                planned.map(|street| street.rows),
                Street::ALL.map(|street| infosets.street_rows(street))
            );
            assert_eq!(planned.iter().map(|street| street.slots).sum::<u64>(), infosets.slots());
        }
    }

    #[test]
    fn building_takes_more_than_what_is_built() {
        let rules = Rules::named("stud_bench").unwrap();
        for (name, _) in crate::CONFIGS {
            let config = AbstractionConfig::named(name).unwrap();
            let built = Abstraction::predicted_bytes(&config, &rules);
            assert!(Abstraction::predicted_build_bytes(&config, &rules) > built, "{name}");
        }
    }
}
