//! Building: tables by counting, public buckets by clustering sampled boards, private buckets from sampled deals.

use crate::abstraction::{Abstraction, Private, public_street};
use crate::against::Against;
use crate::board::ThirdStreet;
use crate::private::{KmeansStreet, OchsStreet, PercentileStreet, RankStreet, StreetBuckets};
use crate::public::PublicBuckets;
use crate::reader::{Reader, Showing};
use crate::scale::{LOW_BINS, Scale};
use crate::sets::OwnSets;
use crate::{AbstractionConfig, Family, Recall, StreetSizes};
use doorcard_cards::{Card, CardSet, Deck};
use doorcard_games::stud::{Rules, Street, Variant};
use ndarray::{Array2, ArrayView2};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Deals to a task, each with its own seed.
const CHUNK: usize = 500;

/// A seed for one purpose.
fn derive(seed: u64, purpose: &str, index: u64) -> u64 {
    xxh3_64_with_seed(&[purpose.as_bytes(), &index.to_le_bytes()[..]].concat(), seed)
}

/// The up cards of both players in the order of a deal, then two hidden cards of each, then their rivers.
struct Sample<'a>(&'a [Card]);

impl Sample<'_> {
    fn up(&self, street: Street, player: usize) -> CardSet {
        self.0[player * 4..player * 4 + street.up_cards()].iter().copied().collect()
    }

    fn own(&self, street: Street, player: usize) -> CardSet {
        let own = self.up(street, player).with(self.0[8 + 2 * player]).with(self.0[9 + 2 * player]);
        if street == Street::Seventh { own.with(self.0[12 + player]) } else { own }
    }
}

/// Calls `f` with `deals` samples in chunks, in parallel, and collects what it makes of each in order.
fn sample<T: Send>(deals: usize, seed: u64, f: impl Fn(&Sample<'_>) -> [T; 2] + Sync) -> Vec<T> {
    let chunks: Vec<Vec<T>> = (0..deals.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(derive(seed, "chunk", chunk as u64));
            let mut deck = Deck::new();
            let count = CHUNK.min(deals - chunk * CHUNK);
            (0..count).flat_map(|_| f(&Sample(deck.deal(14, &mut rng)))).collect()
        })
        .collect();
    chunks.into_iter().flatten().collect()
}

struct Builder<'a> {
    config: &'a AbstractionConfig,
    reader: Reader,
    /// Third to sixth street, as far as they are built.
    public: Vec<PublicBuckets>,
}

impl Builder<'_> {
    /// What both players show.
    fn show(&self, street: Street, sample: &Sample<'_>) -> [Showing; 2] {
        [0, 1].map(|player| {
            let mut showing = Showing::new();
            self.reader.show(&mut showing, sample.up(street, player), sample.up(street, 1 - player));
            showing
        })
    }

    fn public(&self, street: Street) -> (PublicBuckets, f64) {
        let seed = derive(self.config.seed(), "public buckets", street.index() as u64);
        let scale = &self.reader.scale;
        let boards = self.config.boards();
        let dims = boards.dims(scale.low_bins());
        let (_, earlier) = self.config.public_streets_for(street).split_last().expect("the street itself");
        let samples = sample(self.config.public_samples(), seed, |sample| {
            let mut paths = [0; 2];
            for &street in earlier {
                paths = self.public_of(street, &self.show(street, sample), paths);
            }
            let [first, second] = self.show(street, sample);
            let board =
                |own: &Showing, opponent: &Showing| boards.point(scale, own, opponent)[..dims].to_vec();
            [(paths[0], board(&first, &second)), (paths[1], board(&second, &first))]
        });
        let groups: Vec<Array2<f32>> = by_group(samples, self.config.paths_before(street).0)
            .into_iter()
            .map(|points| {
                Array2::from_shape_vec((points.len(), dims), points.concat()).expect("rows of equal length")
            })
            .collect();
        let views: Vec<ArrayView2<'_, f32>> = groups.iter().map(|points| points.view()).collect();
        PublicBuckets::fit(
            boards,
            &views,
            self.config.street(street).public,
            self.config.rounds(),
            derive(seed, "clusters", 0),
        )
    }

    /// Both players' public buckets on a street, after those of the street before.
    fn public_of(&self, street: Street, showing: &[Showing; 2], paths: [u16; 2]) -> [u16; 2] {
        let buckets = &self.public[public_street(street)];
        [0, 1].map(|player| {
            let (own, opponent) = (&showing[player], &showing[1 - player]);
            buckets.bucket(&self.reader.scale, self.config.path((paths[player], 0)).0, own, opponent)
        })
    }

    fn private<F: StreetBuckets>(&self, progress: &mut dyn FnMut(f64)) -> [F; 5] {
        let mut fitted: Vec<F> = Vec::new();
        for street in Street::ALL {
            let buckets = self.private_street(street, &fitted);
            fitted.push(buckets);
            progress(street.number() as f64 / 5.0 - 0.4);
        }
        fitted.try_into().unwrap_or_else(|_| unreachable!("one for each street"))
    }

    /// `earlier`: the buckets of the streets before.
    fn private_street<F: StreetBuckets>(&self, street: Street, earlier: &[F]) -> F {
        let seed = derive(self.config.seed(), "private buckets", street.index() as u64);
        let (reader, config) = (&self.reader, self.config);
        if F::BY_BOARD {
            return F::fit(Vec::new(), config.street(street), config.rounds(), seed);
        }
        let (_, before) = config.public_streets_for(street).split_last().expect("the street itself");
        let groups_in_each = config.paths_before(street).1;
        let samples = sample(config.private_samples(), seed, |sample| {
            let mut against = Against::new();
            let mut point = |street: Street, player: usize, opponent: &Showing| {
                reader.read::<F>(&mut against, opponent);
                reader.point::<F>(street, sample.own(street, player), sample.up(street, 1 - player), &against)
            };
            let mut last = [(0, 0); 2];
            for &street in before {
                let showing = self.show(street, sample);
                let public = self.public_of(street, &showing, last.map(|(public, _)| public));
                last = [0, 1].map(|player| {
                    let private = if config.recall() == Recall::Perfect {
                        let within = config.within(&earlier[street.index()], street, public[player]);
                        within.bucket(
                            &F::Cuts::default(),
                            last[player].1,
                            point(street, player, &showing[1 - player]),
                        )
                    } else {
                        0
                    };
                    (public[player], private)
                });
            }
            let showing = self.show(street, sample);
            let public = match (config.recall(), street) {
                (Recall::Public | Recall::Perfect, Street::Seventh) => last.map(|(public, _)| public),
                _ => self.public_of(street, &showing, last.map(|(public, _)| public)),
            };
            [0, 1].map(|player| {
                let path = config.path(last[player]).1;
                let group = usize::from(public[player]) * groups_in_each + usize::from(path);
                (group, point(street, player, &showing[1 - player]))
            })
        });
        let groups = self.public[public_street(street)].len() * groups_in_each;
        let sizes = StreetSizes { public: groups, ..config.street(street) };
        F::fit(by_group(samples, groups), sizes, config.rounds(), derive(seed, "clusters", 0))
    }
}

/// Shape: \[group\]\[sample\].
fn by_group<G: Into<usize>, P>(samples: Vec<(G, P)>, groups: usize) -> Vec<Vec<P>> {
    let mut points: Vec<Vec<P>> = (0..groups).map(|_| Vec::new()).collect();
    for (group, point) in samples {
        points[group.into()].push(point);
    }
    points
}

/// The most that a family's samples of one street take while they are made and divided. Units: bytes.
fn private_bytes<F: StreetBuckets>(samples: u64) -> u64 {
    let (sample, point) = (size_of::<(usize, F::Point)>() as u64, size_of::<F::Point>() as u64);
    // Chunks and the whole of them; then the whole and lists by group, which grow by doubling.
    samples * (2 * sample).max(sample + 2 * point)
}

impl Abstraction {
    /// About the most memory that building takes, on few threads. Units: bytes.
    pub fn predicted_build_bytes(config: &AbstractionConfig, rules: &Rules) -> u64 {
        let low_bins = if rules.variant() == Variant::HiLo8 { LOW_BINS } else { 1 };
        let samples = 2 * config.private_samples() as u64;
        let private = match config.family() {
            Family::Percentile => private_bytes::<PercentileStreet>(samples),
            Family::Kmeans => private_bytes::<KmeansStreet>(samples),
            Family::Ochs => private_bytes::<OchsStreet>(samples),
            Family::Rank => 0,
        };
        let board = (4 * config.boards().dims(low_bins) + size_of::<(u16, Vec<f32>)>()) as u64;
        // Each board on its own, all of a group in one piece, and the different ones of them.
        let public = 2 * config.public_samples() as u64 * 3 * board;
        Abstraction::predicted_bytes(config, rules) + private.max(public)
    }

    /// Builds the abstraction of a game; of the rules only the variant matters, since they must be
    /// [supported](Abstraction::supports).
    ///
    /// `progress` is told the phase and which fraction of it is done. The result depends on the configuration and
    /// the variant alone, not on the number of threads.
    pub fn build(
        config: &AbstractionConfig,
        rules: &Rules,
        progress: &mut dyn FnMut(&'static str, f64),
    ) -> Abstraction {
        progress("strength scale", 0.0);
        let scale = Scale::new(rules.variant(), config.bins());
        progress("strength scale", 1.0);
        let sets = OwnSets::new(&scale, &mut |done| progress("histograms", done));
        let reader = Reader { scale, sets, dead_cards: config.dead_cards(), clusters: config.clusters() };
        Abstraction::from_reader(config, reader, progress)
    }

    /// Builds all but the scale and the histograms.
    pub(crate) fn from_reader(
        config: &AbstractionConfig,
        reader: Reader,
        progress: &mut dyn FnMut(&'static str, f64),
    ) -> Abstraction {
        let mut builder = Builder { config, reader, public: Vec::new() };
        progress("public buckets", 0.0);
        let public_error = [Street::Third, Street::Fourth, Street::Fifth, Street::Sixth].map(|street| {
            let (buckets, error) = builder.public(street);
            builder.public.push(buckets);
            progress("public buckets", street.number() as f64 / 4.0 - 0.5);
            error
        });
        progress("private buckets", 0.0);
        let mut told = |done| progress("private buckets", done);
        let private = match config.family() {
            Family::Percentile => Private::Percentile(builder.private::<PercentileStreet>(&mut told)),
            Family::Kmeans => Private::Kmeans(builder.private::<KmeansStreet>(&mut told)),
            Family::Ochs => Private::Ochs(builder.private::<OchsStreet>(&mut told)),
            Family::Rank => Private::Rank(builder.private::<RankStreet>(&mut told)),
        };
        let public =
            builder.public.try_into().unwrap_or_else(|_| unreachable!("one for each of four streets"));
        let reader = builder.reader;
        let mut abstraction = Abstraction {
            config: config.clone(),
            reader,
            public,
            public_error,
            private,
            third: ThirdStreet::default(),
            fingerprint: 0,
        };
        abstraction.fingerprint = abstraction.contents_hash();
        abstraction.with_third_street()
    }
}
