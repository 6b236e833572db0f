//! Which earlier buckets a bucket remembers.
//!
//! With perfect recall a bucket is a path: the buckets of a street are divided anew within each bucket of the street
//! before, and numbered `bucket before * branches + branch`, the public and the private ones alike. Public paths are
//! divided within public paths, and hands within the pair of a public path (this street's included) and a private
//! one (of the streets before). With imperfect recall every street's buckets are made on their own, which amounts to
//! a single path before each street, number 0. With public recall only public buckets are paths, and hands are divided
//! within the public path alone: what has shown is remembered, what the hand once was is not.
//!
//! Perfect recall keeps the guarantees of counterfactual regret minimisation, at the price of buckets that are spent
//! on what is past; see K. Waugh, M. Zinkevich, M. Johanson, M. Kan, D. Schnizlein and M. Bowling, "A Practical Use of
//! Imperfect Recall" (2009), and Johanson et al. (2013), where imperfect recall plays better from equal memory.

use crate::AbstractionConfig;
use crate::private::StreetBuckets;
use doorcard_games::stud::Street;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which earlier buckets a bucket remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recall {
    /// None: each street's buckets are made on their own.
    #[default]
    Imperfect,
    /// The public ones.
    Public,
    /// All: two situations in one bucket were in one bucket on every earlier street.
    Perfect,
}

impl fmt::Display for Recall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Recall::Imperfect => "imperfect",
            Recall::Public => "public",
            Recall::Perfect => "perfect",
        })
    }
}

impl AbstractionConfig {
    /// The public buckets of a street, and the private ones within each. Where they are paths, the numbers of the
    /// streets multiply.
    pub fn buckets(&self, street: Street) -> (usize, usize) {
        let (public, private) = self.paths_before(street);
        // Seventh street shares the public buckets of sixth: it continues a path with nothing new.
        let own = match (self.recall(), street) {
            (Recall::Public | Recall::Perfect, Street::Seventh) => 1,
            _ => self.street(street).public,
        };
        (public * own, private * self.street(street).private)
    }

    /// How many public and private paths lead to a street.
    pub(crate) fn paths_before(&self, street: Street) -> (usize, usize) {
        match (self.recall(), street.index()) {
            (Recall::Imperfect, _) | (_, 0) => (1, 1),
            (Recall::Public, index) => (self.buckets(Street::ALL[index - 1]).0, 1),
            (Recall::Perfect, index) => self.buckets(Street::ALL[index - 1]),
        }
    }

    /// How many groups the hands of a street are divided in: those that are told apart before they are looked at.
    pub(crate) fn groups(&self, street: Street) -> usize {
        self.buckets(street).0 * self.paths_before(street).1
    }

    /// The streets of which public buckets must be known for that of `street`, itself the last.
    pub(crate) fn public_streets_for(&self, street: Street) -> &'static [Street] {
        streets_to(street, self.recall() != Recall::Imperfect)
    }

    /// The streets of which private buckets must be known for those of `street`, itself the last.
    pub(crate) fn private_streets_for(&self, street: Street) -> &'static [Street] {
        streets_to(street, self.recall() == Recall::Perfect)
    }

    /// The buckets that those of the street after `before` continue.
    #[inline]
    pub(crate) fn path(&self, before: (u16, u16)) -> (u16, u16) {
        match self.recall() {
            Recall::Imperfect => (0, 0),
            Recall::Public => (before.0, 0),
            Recall::Perfect => before,
        }
    }

    /// The public bucket on an `earlier` street, or the same, of situations in `public` on `street`.
    pub(crate) fn public_on(&self, earlier: Street, street: Street, public: u16) -> u16 {
        let (now, then) = (self.buckets(street).0, self.buckets(earlier).0);
        match self.recall() {
            Recall::Imperfect => public,
            Recall::Public | Recall::Perfect => (usize::from(public) / (now / then)) as u16,
        }
    }

    /// The hands of a public bucket of a street, and how `family` divides them.
    #[inline]
    pub(crate) fn within<'a, F>(&self, family: &'a F, street: Street, public: u16) -> Within<'a, F> {
        let paths = self.paths_before(street).1;
        let branches = self.street(street).private as u16;
        Within { family, first: usize::from(public) * paths, paths, branches }
    }
}

/// All streets up to one, or it alone.
fn streets_to(street: Street, all: bool) -> &'static [Street] {
    let streets: &'static [Street] = &Street::ALL;
    let first = if all { 0 } else { street.index() };
    &streets[first..=street.index()]
}

/// The private buckets within one public bucket.
pub(crate) struct Within<'a, F> {
    pub(crate) family: &'a F,
    /// The group of its first path.
    first: usize,
    paths: usize,
    branches: u16,
}

impl<F: StreetBuckets> Within<'_, F> {
    /// The bucket of a hand with this point that has come along `path`.
    #[inline]
    pub(crate) fn bucket(&self, cuts: &F::Cuts, path: u16, point: F::Point) -> u16 {
        path * self.branches + self.family.bucket(cuts, self.first + usize::from(path), point)
    }

    /// Replaces the paths of hands with `total` completions each that add up to these sums by their buckets.
    pub(crate) fn buckets_of_sums(&self, cuts: &F::Cuts, total: u32, sums: &[F::Sums], buckets: &mut [u16]) {
        if self.paths == 1 {
            return self.family.buckets_of_sums(cuts, self.first, total, sums, buckets);
        }
        for (bucket, sums) in buckets.iter_mut().zip(sums) {
            *bucket = self.bucket(cuts, *bucket, F::of_sums(sums, total));
        }
    }
}
