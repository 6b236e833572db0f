//! Building: tables by counting, public buckets by clustering sampled boards, private buckets from sampled deals.

use crate::abstraction::{Abstraction, Private, public_street};
use crate::against::Against;
use crate::board::ThirdStreet;
use crate::private::{KmeansStreet, PercentileStreet, StreetBuckets};
use crate::public::{Outline, PublicBuckets, dims};
use crate::reader::{Reader, Showing};
use crate::scale::Scale;
use crate::sets::OwnSets;
use crate::{AbstractionConfig, Family, StreetSizes};
use doorcard_cards::{Card, CardSet, Deck};
use doorcard_games::stud::{Rules, Street};
use ndarray::Array2;
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
        let dims = dims(self.reader.scale.low_bins());
        let points: Vec<Vec<f32>> = sample(self.config.public_samples(), seed, |sample| {
            let [first, second] = self.show(street, sample);
            [(&first, &second), (&second, &first)].map(|(own, opponent)| {
                Outline::board(&self.reader.scale, &own.outline, &opponent.outline)[..dims].to_vec()
            })
        });
        let points =
            Array2::from_shape_vec((points.len(), dims), points.concat()).expect("rows of equal length");
        PublicBuckets::fit(
            points.view(),
            self.config.street(street).public,
            self.config.rounds(),
            derive(seed, "clusters", 0),
        )
    }

    fn private<F: StreetBuckets>(
        &self,
        public: &[PublicBuckets; 4],
        progress: &mut dyn FnMut(f64),
    ) -> [F; 5] {
        Street::ALL.map(|street| {
            let fitted = self.private_street(street, &public[public_street(street)]);
            progress(street.number() as f64 / 5.0 - 0.4);
            fitted
        })
    }

    fn private_street<F: StreetBuckets>(&self, street: Street, public: &PublicBuckets) -> F {
        let seed = derive(self.config.seed(), "private buckets", street.index() as u64);
        let reader = &self.reader;
        let samples = sample(self.config.private_samples(), seed, |sample| {
            let showing = self.show(street, sample);
            [0, 1].map(|player| {
                let (own, opponent) = (&showing[player], &showing[1 - player]);
                let mut against = Against::new();
                reader.read::<F>(&mut against, opponent);
                let bucket = public.bucket(&reader.scale, &own.outline, &opponent.outline);
                let (own, dead) = (sample.own(street, player), sample.up(street, 1 - player));
                (bucket, reader.point::<F>(street, own, dead, &against))
            })
        });
        let mut points = vec![Vec::new(); public.len()];
        for (bucket, point) in samples {
            points[usize::from(bucket)].push(point);
        }
        let sizes = StreetSizes { public: public.len(), ..self.config.street(street) };
        F::fit(points, sizes, self.config.rounds(), derive(seed, "clusters", 0))
    }
}

impl Abstraction {
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
        let reader = Reader { scale, sets, dead_cards: config.dead_cards() };
        Abstraction::from_reader(config, reader, progress)
    }

    /// Builds all but the scale and the histograms.
    pub(crate) fn from_reader(
        config: &AbstractionConfig,
        reader: Reader,
        progress: &mut dyn FnMut(&'static str, f64),
    ) -> Abstraction {
        let builder = Builder { config, reader };
        progress("public buckets", 0.0);
        let fitted = [Street::Third, Street::Fourth, Street::Fifth, Street::Sixth].map(|street| {
            let fitted = builder.public(street);
            progress("public buckets", street.number() as f64 / 4.0 - 0.5);
            fitted
        });
        let public_error = [0, 1, 2, 3].map(|street| fitted[street].1);
        let public = fitted.map(|(buckets, _)| buckets);
        progress("private buckets", 0.0);
        let mut told = |done| progress("private buckets", done);
        let private = match config.family() {
            Family::Percentile => {
                Private::Percentile(builder.private::<PercentileStreet>(&public, &mut told))
            }
            Family::Kmeans => Private::Kmeans(builder.private::<KmeansStreet>(&public, &mut told)),
        };
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
