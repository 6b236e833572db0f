//! Abstractions as files.
//!
//! An abstraction is a container of `doorcard-store`: a header that describes it, and the tables as sections.
//! The histograms of all sets are among them (20 MB with 64 cells): counting them anew takes about a second,
//! reading them back some milliseconds. They are copied out of the mapped file, which costs as much as the
//! checksums that have to be compared anyway and leaves them in ordinary memory.

use crate::abstraction::{Abstraction, Private, public_street};
use crate::board::ThirdStreet;
use crate::groups::Clusters;
use crate::ladder::Ladder;
use crate::opponents::MOST_CLUSTERS;
use crate::private::{KMEANS_DIMS, KmeansStreet, OchsStreet, PercentileStreet, RankStreet};
use crate::public::PublicBuckets;
use crate::reader::Reader;
use crate::scale::{LOW_BINS, Scale};
use crate::sets::OwnSets;
use crate::{AbstractionConfig, AbstractionError, Family, StreetSizes};
use doorcard_cards::low::LowRank;
use doorcard_cards::rank7::HighRank;
use doorcard_cards::suit_iso::SetIndex;
use doorcard_games::stud::{Rules, Street, Variant};
use doorcard_store::{Container, ContainerWriter, Element, Kind};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// The kind and version of abstraction files.
pub const KIND: Kind = Kind::new("cards", 2);

/// What the header of an abstraction file says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AbstractionHeader {
    /// The version of the program that built it.
    pub program: String,
    /// The game whose hands it values.
    pub variant: Variant,
    /// The configuration, as TOML.
    pub config: String,
    /// Public buckets of third to sixth street: as many as asked for, or as could be told apart.
    pub public_buckets: [u32; 4],
    /// See [`Abstraction::public_error`].
    pub public_error: [f64; 4],
    /// See [`crate::CardAbstraction::fingerprint`].
    pub fingerprint: u64,
}

const STREETS: [&str; 5] = ["third", "fourth", "fifth", "sixth", "seventh"];

enum Data<'a> {
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    F32(Cow<'a, [f32]>),
}

impl Data<'_> {
    fn hash(&self, hash: &mut Xxh3) {
        fn numbers<T: Copy, const N: usize>(hash: &mut Xxh3, data: &[T], bytes: impl Fn(T) -> [u8; N]) {
            hash.update(&(data.len() as u64).to_le_bytes());
            for chunk in data.chunks(1024) {
                hash.update(&chunk.iter().flat_map(|&number| bytes(number)).collect::<Vec<u8>>());
            }
        }
        match self {
            Data::U8(data) => numbers(hash, data, u8::to_le_bytes),
            Data::U16(data) => numbers(hash, data, u16::to_le_bytes),
            Data::U32(data) => numbers(hash, data, u32::to_le_bytes),
            Data::F32(data) => numbers(hash, data, f32::to_le_bytes),
        }
    }
}

impl Abstraction {
    /// Calls `f` with every table and its name.
    fn for_each_table<E>(&self, mut f: impl FnMut(&str, Data<'_>) -> Result<(), E>) -> Result<(), E> {
        let Reader { scale, sets, .. } = &self.reader;
        f("scale.main.bins", Data::U8(&scale.main.bins))?;
        f("scale.main.within", Data::U16(&scale.main.within))?;
        f("scale.low.bins", Data::U8(&scale.low.bins))?;
        f("scale.low.within", Data::U16(&scale.low.within))?;
        f("sets.1", Data::U32(&sets.one))?;
        f("sets.2", Data::U32(&sets.two))?;
        f("sets.3", Data::U32(&sets.three))?;
        f("sets.4", Data::U16(&sets.four))?;
        f("sets.5", Data::U16(&sets.five))?;
        for (street, buckets) in STREETS.iter().zip(&self.public) {
            let table = buckets.clusters.table(buckets.branches, self.config.boards().dims(scale.low_bins()));
            f(&format!("public.{street}"), Data::F32(table.into()))?;
        }
        for (index, name) in STREETS.iter().enumerate() {
            let sizes = self.config.street(Street::ALL[index]);
            match &self.private {
                Private::Percentile(streets) => {
                    let (means, squares) = streets[index].parts();
                    f(&format!("private.{name}.means"), Data::U16(means))?;
                    f(&format!("private.{name}.squares"), Data::U16(squares))?;
                }
                Private::Kmeans(streets) => {
                    let table = streets[index].clusters.table(sizes.private, KMEANS_DIMS);
                    f(&format!("private.{name}.clusters"), Data::F32(table.into()))?;
                }
                Private::Ochs(streets) => {
                    let table = streets[index].clusters.table(sizes.private, MOST_CLUSTERS);
                    f(&format!("private.{name}.clusters"), Data::F32(table.into()))?;
                }
                Private::Rank(_) => {}
            }
        }
        Ok(())
    }

    /// The fingerprint: everything buckets depend on.
    pub(crate) fn contents_hash(&self) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(&[self.variant() as u8]);
        hash.update(self.config.to_toml().as_bytes());
        let told: Result<(), std::convert::Infallible> = self.for_each_table(|name, data| {
            hash.update(name.as_bytes());
            data.hash(&mut hash);
            Ok(())
        });
        told.map_or_else(|never| match never {}, |()| hash.digest())
    }

    /// What an abstraction takes on disk and, but for 1.8 MB of third street's buckets, in memory. Units: bytes.
    ///
    /// Fewer if there are fewer different public states than public buckets asked for.
    pub fn predicted_bytes(config: &AbstractionConfig, rules: &Rules) -> u64 {
        let variant = rules.variant();
        let low_bins = if variant == Variant::HiLo8 { LOW_BINS } else { 1 };
        let dims = config.boards().dims(low_bins);
        let mut lengths: Vec<u64> = vec![2 * 1024];
        let (main, low) = ladder_lengths(variant);
        lengths.extend([main, 2 * main, low, 2 * low].map(|n| n as u64));
        lengths.push(OwnSets::bytes(Scale::cells_for(variant, config.bins())));
        for street in Street::ALL {
            let sizes = StreetSizes { public: config.groups(street), ..config.street(street) };
            if street != Street::Seventh {
                lengths.push((4 * config.buckets(street).0 * dims) as u64);
            }
            lengths.push(match config.family() {
                Family::Percentile => {
                    let (means, squares) = PercentileStreet::lengths(sizes);
                    2 * (means + squares) as u64
                }
                Family::Kmeans => 4 * (sizes.public * sizes.private * KMEANS_DIMS) as u64,
                Family::Ochs => 4 * (sizes.public * sizes.private * MOST_CLUSTERS) as u64,
                Family::Rank => 0,
            });
        }
        lengths.into_iter().sum()
    }

    /// The header of its file.
    pub fn header(&self) -> AbstractionHeader {
        AbstractionHeader {
            program: env!("CARGO_PKG_VERSION").into(),
            variant: self.variant(),
            config: self.config.to_toml(),
            public_buckets: [0, 1, 2, 3].map(|street| self.public[street].len() as u32),
            public_error: self.public_error,
            fingerprint: self.fingerprint,
        }
    }

    /// Writes the abstraction to a file, atomically, and returns the file's length. Units: bytes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<u64, AbstractionError> {
        let mut writer = ContainerWriter::create(path, KIND, &self.header())?;
        self.for_each_table(|name, data| match data {
            Data::U8(data) => writer.section(name, data),
            Data::U16(data) => writer.section(name, data),
            Data::U32(data) => writer.section(name, data),
            Data::F32(data) => writer.section(name, &data),
        })?;
        Ok(writer.commit()?)
    }

    /// Reads an abstraction file, comparing every checksum.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged or of another kind, or its contents do not fit together.
    pub fn load(path: impl AsRef<Path>) -> Result<Abstraction, AbstractionError> {
        let source = Source { container: Container::open(path, KIND)? };
        let header: AbstractionHeader = source.container.header()?;
        let config = AbstractionConfig::from_toml(&header.config, &source.path())?;
        let reader = source.reader(header.variant, &config)?;
        let public = source.public(&config, &header, config.boards().dims(reader.scale.low_bins()))?;
        let sizes = Street::ALL.map(|street| {
            let groups = public[public_street(street)].len() * config.paths_before(street).1;
            StreetSizes { public: groups, ..config.street(street) }
        });
        let private = match config.family() {
            Family::Percentile => {
                Private::Percentile(each_street(|street| source.percentile(street, sizes[street]))?)
            }
            Family::Kmeans => Private::Kmeans(each_street(|street| {
                let clusters = source.private(street, sizes[street], KMEANS_DIMS)?;
                Ok(KmeansStreet { clusters })
            })?),
            Family::Ochs => Private::Ochs(each_street(|street| {
                let clusters = source.private(street, sizes[street], MOST_CLUSTERS)?;
                Ok(OchsStreet { clusters })
            })?),
            Family::Rank => Private::Rank(sizes.map(RankStreet::new)),
        };
        let abstraction = Abstraction {
            config,
            reader,
            public,
            public_error: header.public_error,
            private,
            third: ThirdStreet::default(),
            fingerprint: header.fingerprint,
        };
        Ok(abstraction.with_third_street())
    }
}

fn each_street<T>(read: impl Fn(usize) -> Result<T, AbstractionError>) -> Result<[T; 5], AbstractionError> {
    Ok([read(0)?, read(1)?, read(2)?, read(3)?, read(4)?])
}

/// How many values the main order and the low one have.
fn ladder_lengths(variant: Variant) -> (usize, usize) {
    match variant {
        Variant::High => (HighRank::COUNT, 0),
        Variant::Razz => (LowRank::COUNT, 0),
        Variant::HiLo8 => (HighRank::COUNT, LowRank::EIGHTS),
    }
}

struct Source {
    container: Container,
}

impl Source {
    fn path(&self) -> String {
        self.container.path().display().to_string()
    }

    fn fault(&self, reason: impl Into<String>) -> AbstractionError {
        AbstractionError::Contents { path: self.path(), reason: reason.into() }
    }

    fn table<T: Element>(&self, name: &str, length: usize) -> Result<&[T], AbstractionError> {
        Ok(self.container.section_of(name, length as u64)?)
    }

    fn ladder(&self, name: &str, length: usize, bins: usize) -> Result<Ladder, AbstractionError> {
        let ladder = Ladder {
            bins: self.table(&format!("scale.{name}.bins"), length)?.to_vec(),
            within: self.table(&format!("scale.{name}.within"), length)?.to_vec(),
        };
        if ladder.bins.iter().any(|&bin| usize::from(bin) >= bins)
            || ladder.within.iter().any(|&within| within > 256)
        {
            return Err(self.fault(format!("scale.{name} has bins above {bins}")));
        }
        Ok(ladder)
    }

    fn reader(&self, variant: Variant, config: &AbstractionConfig) -> Result<Reader, AbstractionError> {
        let (main, low) = ladder_lengths(variant);
        let main_bins = Scale::main_bins(variant, config.bins());
        let main = self.ladder("main", main, main_bins)?;
        let low = self.ladder("low", low, LOW_BINS - 1)?;
        let scale = Scale::from_ladders(variant, config.bins(), main, low);
        let length = |cards| SetIndex::class_count(cards) * scale.cells();
        let sets = OwnSets {
            one: self.table("sets.1", length(1))?.to_vec(),
            two: self.table("sets.2", length(2))?.to_vec(),
            three: self.table("sets.3", length(3))?.to_vec(),
            four: self.table("sets.4", length(4))?.to_vec(),
            five: self.table("sets.5", length(5))?.to_vec(),
        };
        Ok(Reader { scale, sets, dead_cards: config.dead_cards(), clusters: config.clusters() })
    }

    /// The public buckets of third to sixth street.
    fn public(
        &self,
        config: &AbstractionConfig,
        header: &AbstractionHeader,
        dims: usize,
    ) -> Result<[PublicBuckets; 4], AbstractionError> {
        let street = |street: Street| {
            let name = format!("public.{}", STREETS[street.index()]);
            let (groups, asked) = (config.paths_before(street).0, config.street(street).public);
            // A single group may have found fewer clusters.
            let told = header.public_buckets[street.index()] as usize;
            let branches = if groups == 1 { told } else { asked };
            if told == 0 || branches > asked || told != groups * branches {
                return Err(self.fault(format!("{name}: {told} buckets of {} asked for", groups * asked)));
            }
            let clusters = self.clusters(&name, groups, branches, dims)?;
            if groups == 1 && clusters.len(0) != branches {
                return Err(self.fault(format!("{name}: {} buckets of {told}", clusters.len(0))));
            }
            Ok(PublicBuckets { clusters, boards: config.boards(), branches })
        };
        let [third, fourth, fifth, sixth] =
            [Street::Third, Street::Fourth, Street::Fifth, Street::Sixth].map(street);
        Ok([third?, fourth?, fifth?, sixth?])
    }

    fn percentile(&self, street: usize, sizes: StreetSizes) -> Result<PercentileStreet, AbstractionError> {
        let (means, squares) = PercentileStreet::lengths(sizes);
        let name = |kind: &str| format!("private.{}.{kind}", STREETS[street]);
        let means = self.table(&name("means"), means)?.to_vec();
        let squares = self.table(&name("squares"), squares)?.to_vec();
        Ok(PercentileStreet::from_parts(sizes, means, squares))
    }

    /// Clusters of `groups` groups, `count` in each.
    fn clusters(
        &self,
        name: &str,
        groups: usize,
        count: usize,
        dims: usize,
    ) -> Result<Clusters, AbstractionError> {
        let table: &[f32] = self.table(name, groups * count * dims)?;
        Clusters::from_table(table, count, dims)
            .ok_or_else(|| self.fault(format!("{name} has a group without clusters")))
    }

    /// The clusters of a family on a street.
    fn private(&self, street: usize, sizes: StreetSizes, dims: usize) -> Result<Clusters, AbstractionError> {
        self.clusters(&format!("private.{}.clusters", STREETS[street]), sizes.public, sizes.private, dims)
    }
}
