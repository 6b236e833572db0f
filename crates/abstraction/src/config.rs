//! What an abstraction is built from: the TOML file ([`AbstractionConfig::from_toml`]) and the same checked once.

use crate::mix::MOST_NEIGHBOURS;
use crate::opponents::MOST_CLUSTERS;
use crate::{AbstractionError, Boards, Recall};
use doorcard_games::stud::{Street, toml_fault};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::Path;

/// Names and texts of the configurations shipped in `configs/abstractions`.
pub const CONFIGS: [(&str, &str); 9] = [
    ("tiny", include_str!("../../../configs/abstractions/tiny.toml")),
    ("quickstart", include_str!("../../../configs/abstractions/quickstart.toml")),
    ("default", include_str!("../../../configs/abstractions/default.toml")),
    ("large", include_str!("../../../configs/abstractions/large.toml")),
    ("default_percentile", include_str!("../../../configs/abstractions/default_percentile.toml")),
    ("tapered", include_str!("../../../configs/abstractions/tapered.toml")),
    ("default_kmeans", include_str!("../../../configs/abstractions/default_kmeans.toml")),
    ("small_perfect", include_str!("../../../configs/abstractions/small_perfect.toml")),
    ("default_ochs", include_str!("../../../configs/abstractions/default_ochs.toml")),
];

/// How the hands of one public bucket are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Equally filled ranges of E\[HS\], divided again by E\[HS^2\].
    Percentile,
    /// Clusters of the distribution of HS under earth mover's distance.
    Kmeans,
    /// Clusters by the chance to win against each of a few clusters of the opponent's hands.
    Ochs,
    /// As percentile, with the ranges of each board on its own.
    Rank,
}

impl Family {
    /// Whether ranges are divided again by E\[HS^2\].
    fn has_spread(self) -> bool {
        matches!(self, Family::Percentile | Family::Rank)
    }
}

/// How many buckets a street has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StreetSizes {
    /// Public buckets. Seventh street shows the same cards as sixth and shares its public buckets.
    pub public: usize,
    /// Private buckets within each public bucket.
    pub private: usize,
    /// Of the private buckets, into how many each range of E\[HS\] is divided by E\[HS^2\] (percentile and rank only).
    pub spread: usize,
}

/// A checked configuration. What it means stands beside the keys of the shipped files;
/// [`AbstractionConfig::to_toml`] spells every key out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AbstractionConfig {
    family: Family,
    clusters: usize,
    boards: Boards,
    recall: Recall,
    neighbours: usize,
    seed: u64,
    bins: usize,
    dead_cards: bool,
    rounds: usize,
    public_samples: usize,
    private_samples: usize,
    streets: [StreetSizes; 5],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConfig {
    family: Family,
    #[serde(skip_serializing_if = "Option::is_none")]
    clusters: Option<u64>,
    #[serde(default)]
    boards: Boards,
    #[serde(default)]
    recall: Recall,
    #[serde(default = "default_neighbours")]
    neighbours: u64,
    seed: u64,
    #[serde(default = "default_bins")]
    bins: u64,
    #[serde(default = "default_dead_cards")]
    dead_cards: bool,
    #[serde(default = "default_rounds")]
    rounds: u64,
    samples: RawSamples,
    third: RawStreet,
    fourth: RawStreet,
    fifth: RawStreet,
    sixth: RawStreet,
    seventh: RawStreet,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSamples {
    public: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    private: Option<u64>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStreet {
    #[serde(skip_serializing_if = "Option::is_none")]
    public: Option<u64>,
    private: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<u64>,
}

fn default_bins() -> u64 {
    64
}

fn default_neighbours() -> u64 {
    1
}

fn default_dead_cards() -> bool {
    true
}

fn default_rounds() -> u64 {
    40
}

/// The most buckets of one kind on a street, or branches of a path.
const MOST_BUCKETS: u64 = 4096;
/// The most paths of one kind: they are numbered by `u16`, and so is how many there are.
const MOST_PATHS: u64 = u16::MAX as u64;
/// The most groups of hands that are divided on their own.
const MOST_GROUPS: u64 = 1 << 22;
/// The most deals to sample; the samples of one street are held in memory.
const MOST_SAMPLES: u64 = 10_000_000;

const NAMES: [&str; 5] = ["third", "fourth", "fifth", "sixth", "seventh"];

struct Checker<'a> {
    origin: &'a str,
}

impl Checker<'_> {
    fn fault(&self, field: &str, value: impl ToString, expected: impl Into<String>) -> AbstractionError {
        AbstractionError::Setting {
            origin: self.origin.into(),
            field: field.into(),
            value: value.to_string(),
            expected: expected.into(),
        }
    }

    fn number(&self, field: &str, value: u64, range: RangeInclusive<u64>) -> Result<usize, AbstractionError> {
        if range.contains(&value) {
            Ok(value as usize)
        } else {
            Err(self.fault(field, value, format!("{} to {}", range.start(), range.end())))
        }
    }

    fn private_samples(&self, family: Family, raw: Option<u64>) -> Result<usize, AbstractionError> {
        let field = "samples.private";
        match (family, raw) {
            (Family::Rank, None) => Ok(0),
            (Family::Rank, Some(deals)) => {
                Err(self.fault(field, deals, "no value: the family rank divides every board as it comes"))
            }
            (_, Some(deals)) => self.number(field, deals, 100..=MOST_SAMPLES),
            (_, None) => Err(self.fault(field, "nothing", "a number of deals")),
        }
    }

    fn street(
        &self,
        street: Street,
        raw: &RawStreet,
        sixth: &RawStreet,
        family: Family,
    ) -> Result<StreetSizes, AbstractionError> {
        let name = NAMES[street.index()];
        let field = |key: &str| format!("{name}.{key}");
        let public = match (street, raw.public) {
            (Street::Seventh, Some(public)) if raw.public != sixth.public => {
                let expected = "no value: seventh street shares the public buckets of sixth";
                return Err(self.fault(&field("public"), public, expected));
            }
            (Street::Seventh, _) => sixth.public,
            (_, public) => public,
        };
        let public = public.ok_or_else(|| self.fault(&field("public"), "nothing", "a number of buckets"))?;
        let sizes = StreetSizes {
            public: self.number(&field("public"), public, 1..=MOST_BUCKETS)?,
            private: self.number(&field("private"), raw.private, 1..=MOST_BUCKETS)?,
            spread: self.number(&field("spread"), raw.spread.unwrap_or(1), 1..=MOST_BUCKETS)?,
        };
        if !family.has_spread() && sizes.spread != 1 {
            return Err(self.fault(
                &field("spread"),
                sizes.spread,
                "no value: it belongs to the families percentile and rank",
            ));
        }
        if !sizes.private.is_multiple_of(sizes.spread) {
            let expected = format!("a divisor of {} = {}", field("private"), sizes.private);
            return Err(self.fault(&field("spread"), sizes.spread, expected));
        }
        Ok(sizes)
    }

    /// Refuses more paths than can be numbered, or than there could ever be samples for. Checked street by street, so
    /// that products cannot overflow.
    fn paths(&self, config: &AbstractionConfig) -> Result<(), AbstractionError> {
        for street in Street::ALL {
            let name = NAMES[street.index()];
            let (public, private) = config.buckets(street);
            for (kind, paths) in [("public", public), ("private", private)] {
                if paths as u64 > MOST_PATHS {
                    let expected = format!(
                        "at most {MOST_PATHS} {kind} buckets: with {} recall the numbers of the streets multiply, \
                         up to here to {paths}",
                        config.recall()
                    );
                    let sizes = config.street(street);
                    let value = if kind == "public" { sizes.public } else { sizes.private };
                    return Err(self.fault(&format!("{name}.{kind}"), value, expected));
                }
            }
            let groups = config.groups(street) as u64;
            if groups > MOST_GROUPS {
                let expected = format!(
                    "fewer buckets: with {} recall hands would have to be divided in {groups} groups, more \
                     than {MOST_GROUPS}",
                    config.recall()
                );
                return Err(self.fault(name, format!("{public} public paths"), expected));
            }
        }
        Ok(())
    }
}

impl AbstractionConfig {
    /// Reads a configuration from TOML; `origin` names it in errors.
    ///
    /// # Errors
    /// If the text is not TOML, has unknown keys, or a value is impossible.
    pub fn from_toml(text: &str, origin: &str) -> Result<AbstractionConfig, AbstractionError> {
        let raw: RawConfig = toml::from_str(text)
            .map_err(|e| AbstractionError::Syntax { origin: origin.into(), message: toml_fault(text, &e) })?;
        AbstractionConfig::check(raw, origin)
    }

    /// As [`AbstractionConfig::from_toml`], of a table that stands in another file.
    ///
    /// # Errors
    /// If there are unknown keys, or a value is impossible.
    pub fn from_table(table: toml::Table, origin: &str) -> Result<AbstractionConfig, AbstractionError> {
        let raw = table
            .try_into()
            .map_err(|e| AbstractionError::Syntax { origin: origin.into(), message: toml_fault("", &e) })?;
        AbstractionConfig::check(raw, origin)
    }

    fn check(raw: RawConfig, origin: &str) -> Result<AbstractionConfig, AbstractionError> {
        let check = Checker { origin };
        let bins = check.number("bins", raw.bins, 32..=128)?;
        if !bins.is_multiple_of(32) {
            return Err(check.fault("bins", bins, "a multiple of 32"));
        }
        match (raw.family, raw.clusters) {
            (Family::Ochs, _) | (_, None) => {}
            (_, Some(clusters)) => {
                return Err(check.fault("clusters", clusters, "no value: it belongs to the family ochs"));
            }
        }
        if raw.family == Family::Rank && raw.recall == Recall::Perfect {
            let expected = "imperfect or public: the family rank divides all hands behind a board";
            return Err(check.fault("recall", raw.recall, expected));
        }
        if raw.neighbours > 1 && (raw.family != Family::Rank || raw.recall != Recall::Imperfect) {
            let expected = "1: only with the family rank and imperfect recall has a hand the same private bucket in all \
                            public ones";
            return Err(check.fault("neighbours", raw.neighbours, expected));
        }
        let clusters = raw.clusters.unwrap_or(MOST_CLUSTERS as u64);
        let raw_streets = [&raw.third, &raw.fourth, &raw.fifth, &raw.sixth, &raw.seventh];
        let mut streets = [StreetSizes { public: 1, private: 1, spread: 1 }; 5];
        for (street, sizes) in Street::ALL.into_iter().zip(&mut streets) {
            *sizes = check.street(street, raw_streets[street.index()], &raw.sixth, raw.family)?;
        }
        let config = AbstractionConfig {
            family: raw.family,
            clusters: check.number("clusters", clusters, 2..=MOST_CLUSTERS as u64)?,
            boards: raw.boards,
            recall: raw.recall,
            neighbours: check.number("neighbours", raw.neighbours, 1..=MOST_NEIGHBOURS as u64)?,
            // TOML's integers end at 2^63 - 1, and a seed must survive being written.
            seed: check.number("seed", raw.seed, 0..=i64::MAX as u64)? as u64,
            bins,
            dead_cards: raw.dead_cards,
            rounds: check.number("rounds", raw.rounds, 1..=1000)?,
            public_samples: check.number("samples.public", raw.samples.public, 100..=MOST_SAMPLES)?,
            private_samples: check.private_samples(raw.family, raw.samples.private)?,
            streets,
        };
        check.paths(&config)?;
        Ok(config)
    }

    /// Reads a configuration file.
    ///
    /// # Errors
    /// If it cannot be read, or as [`AbstractionConfig::from_toml`].
    pub fn load(path: impl AsRef<Path>) -> Result<AbstractionConfig, AbstractionError> {
        let origin = path.as_ref().display().to_string();
        let text = std::fs::read_to_string(&path)
            .map_err(|source| AbstractionError::Read { path: origin.clone(), source })?;
        AbstractionConfig::from_toml(&text, &origin)
    }

    /// A shipped configuration by name; `default-kmeans` and `default_kmeans` are the same.
    ///
    /// # Errors
    /// If there is no such configuration; the message lists those there are.
    pub fn named(name: &str) -> Result<AbstractionConfig, AbstractionError> {
        let wanted = name.replace('-', "_");
        let found = CONFIGS.iter().find(|(known, _)| *known == wanted);
        let (known, text) = found.ok_or_else(|| AbstractionError::UnknownName {
            name: name.chars().take(80).collect(),
            known: CONFIGS.map(|(known, _)| known).join(", "),
        })?;
        AbstractionConfig::from_toml(text, known)
    }

    /// This configuration with every key spelled out.
    pub fn to_toml(&self) -> String {
        let street = |street: Street| {
            let sizes = self.street(street);
            RawStreet {
                public: (street != Street::Seventh).then_some(sizes.public as u64),
                private: sizes.private as u64,
                spread: self.family.has_spread().then_some(sizes.spread as u64),
            }
        };
        let raw = RawConfig {
            family: self.family,
            clusters: (self.family == Family::Ochs).then_some(self.clusters as u64),
            boards: self.boards,
            recall: self.recall,
            neighbours: self.neighbours as u64,
            seed: self.seed,
            bins: self.bins as u64,
            dead_cards: self.dead_cards,
            rounds: self.rounds as u64,
            samples: RawSamples {
                public: self.public_samples as u64,
                private: (self.family != Family::Rank).then_some(self.private_samples as u64),
            },
            third: street(Street::Third),
            fourth: street(Street::Fourth),
            fifth: street(Street::Fifth),
            sixth: street(Street::Sixth),
            seventh: street(Street::Seventh),
        };
        toml::to_string(&raw).expect("plain values can be written as TOML")
    }

    /// The same with other sizes and samples.
    pub(crate) fn resized(
        &self,
        streets: [StreetSizes; 5],
        public_samples: usize,
        private_samples: usize,
    ) -> AbstractionConfig {
        AbstractionConfig { streets, public_samples, private_samples, ..self.clone() }
    }

    /// How the hands of one public bucket are divided.
    pub fn family(&self) -> Family {
        self.family
    }

    /// Into how many clusters the family `ochs` divides the opponent's hands.
    pub fn clusters(&self) -> usize {
        self.clusters
    }

    /// How boards are described for public buckets.
    pub fn boards(&self) -> Boards {
        self.boards
    }

    /// Which earlier buckets a bucket remembers.
    pub fn recall(&self) -> Recall {
        self.recall
    }

    /// How many public buckets the strategy of a board is the mean of; see [`PublicMix`](crate::PublicMix).
    pub fn neighbours(&self) -> usize {
        self.neighbours
    }

    /// The seed of every sample and clustering.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many bins of strength the histograms have (hi/lo crosses `bins / 2` high with four low ones).
    pub fn bins(&self) -> usize {
        self.bins
    }

    /// Whether seen cards are taken out of what can still come. Without, every histogram is that of a full deck.
    pub fn dead_cards(&self) -> bool {
        self.dead_cards
    }

    /// The most rounds of a clustering.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Deals from which the public buckets of each street are clustered, both sides of each.
    pub fn public_samples(&self) -> usize {
        self.public_samples
    }

    /// Deals from which the private buckets of each street are made, both sides of each; 0 where none are needed.
    pub fn private_samples(&self) -> usize {
        self.private_samples
    }

    /// The sizes asked for on a street; with perfect recall these are branches of each path, see
    /// [`AbstractionConfig::buckets`].
    pub fn street(&self, street: Street) -> StreetSizes {
        self.streets[street.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "family = \"percentile\"\nseed = 5\nsamples = { public = 1000, private = 2000 }\n\
        third = { public = 4, private = 6, spread = 2 }\nfourth = { public = 4, private = 6 }\n\
        fifth = { public = 4, private = 6 }\nsixth = { public = 3, private = 6 }\nseventh = { private = 6 }\n";

    fn error(text: &str) -> String {
        AbstractionConfig::from_toml(text, "test.toml").unwrap_err().to_string()
    }

    #[test]
    fn what_is_left_out_has_defaults() {
        let config = AbstractionConfig::from_toml(SMALL, "test.toml").unwrap();
        assert_eq!((config.bins(), config.dead_cards(), config.rounds()), (64, true, 40));
        assert_eq!(config.street(Street::Third), StreetSizes { public: 4, private: 6, spread: 2 });
        assert_eq!(config.street(Street::Seventh), StreetSizes { public: 3, private: 6, spread: 1 });
    }

    #[test]
    fn shipped_configurations_are_valid_and_survive_being_written() {
        for (name, _) in CONFIGS {
            let config = AbstractionConfig::named(name).unwrap();
            assert_eq!(AbstractionConfig::from_toml(&config.to_toml(), name).unwrap(), config, "{name}");
        }
        let message = AbstractionConfig::named("huge").unwrap_err().to_string();
        assert!(message.contains("'huge'") && message.contains("quickstart"), "{message}");
    }

    #[test]
    fn faults_name_file_and_field() {
        for (from, to, parts) in [
            ("seed = 5", "seed = -1", &["test.toml", "line 2", "seed"][..]),
            ("seed = 5", "sede = 5", &["test.toml", "sede"]),
            ("percentile", "lossless", &["lossless", "percentile", "kmeans", "ochs"]),
            ("seed = 5", "seed = 5\nclusters = 4", &["clusters = 4", "ochs"]),
            ("seed = 5", "recall = \"some\"\nseed = 5", &["recall", "some", "perfect"]),
            ("percentile", "rank", &["samples.private = 2000", "rank"]),
            (
                "percentile\"",
                "rank\"\nrecall = \"perfect\"",
                &["recall = perfect", "imperfect or public", "rank"],
            ),
            ("seed = 5", "neighbours = 3\nseed = 5", &["neighbours = 3", "rank"]),
            (", private = 2000", "", &["samples.private = nothing", "deals"]),
        ] {
            let message = error(&SMALL.replace(from, to));
            assert!(parts.iter().all(|part| message.contains(part)), "{to}: {message}");
        }
        assert!(AbstractionConfig::load("/nowhere.toml").unwrap_err().to_string().contains("/nowhere.toml"));
    }
    #[test]
    fn with_perfect_recall_numbers_multiply_and_must_fit() {
        let perfect = SMALL.replace("seed = 5", "recall = \"perfect\"\nseed = 5");
        let config = AbstractionConfig::from_toml(&perfect, "test.toml").unwrap();
        let buckets = Street::ALL.map(|street| config.buckets(street));
        assert_eq!(buckets, [(4, 6), (16, 36), (64, 216), (192, 1296), (192, 7776)]);
        assert_eq!(config.groups(Street::Seventh), 192 * 1296);
        let imperfect = AbstractionConfig::from_toml(SMALL, "test.toml").unwrap();
        assert_eq!(imperfect.buckets(Street::Seventh), (3, 6));
        assert_eq!(AbstractionConfig::from_toml(&config.to_toml(), "written").unwrap(), config);
        for (from, to, parts) in [
            ("private = 6", "private = 12", &["seventh.private = 12", "65535", "248832"][..]),
            ("public = 4", "public = 32", &["sixth.public = 3", "65535", "98304"]),
            ("public = 4", "public = 25", &["sixth = 46875", "10125000 groups", "4194304"]),
        ] {
            let message = error(&perfect.replace(from, to));
            assert!(parts.iter().all(|part| message.contains(part)), "{to}: {message}");
        }
    }
}
