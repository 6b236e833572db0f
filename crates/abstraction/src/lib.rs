//! Which stud situations a strategy tells apart: features, buckets, files.
//!
//! A heads-up stud hand has far too many card situations for a table. An [`Abstraction`] maps what one player
//! knows on a street to a *public bucket*, made of both players' up cards, and a *private bucket* within it,
//! made of the player's hidden cards given the public ones. What play and training need of it is the trait
//! [`CardAbstraction`]; the rows of a table over betting and buckets are laid out by [`StudInfosets`].
//!
//! # Exact distributions with dead cards
//!
//! More than in other poker games, what can still come depends on the cards seen in other hands: a flush draw
//! with most of its suit gone is none. All buckets are therefore made of the exact distribution of a player's
//! final strength given every card seen. It is cheap, because hands in stud share no cards. Let H(S) be the
//! histogram of the final strength of a set S of a player's own cards over all completions to seven cards from
//! the full deck. It depends on S only up to the names of suits, and tables for the 151,828 classes of one to
//! five cards take 20 MB and less than a second to count. Completions that avoid the dead cards D follow by
//! inclusion and exclusion,
//!
//! H(S without D) = sum over subsets T of D, |T| <= 7 - |S|, of (-1)^|T| H(S + T),
//!
//! from few table rows and at most a few sets of six cards, completed card by card. See `sets.rs` for the
//! recursion and `board.rs` for the same for all hidden cards at once.
//!
//! # From distributions to buckets
//!
//! - Strength is counted in cells (`scale.rs`, `ladder.rs`): 64 bins of the hand's value in stud high and razz,
//!   in hi/lo pairs of a high and a low bin.
//! - The opponent's distribution is that of the up cards shown, with the player's own up cards dead. The
//!   player's hidden cards are not taken out of it, so that there is one per board; this misjudges win
//!   probabilities by 1 to 2 % (standard deviation over random hands). Read against it, each own cell has a win
//!   probability or expected share of the pot, HS (`against.rs`).
//! - Public buckets are clusters of the pair of both players' distributions, or of how they stand against each other
//!   (`public.rs`).
//! - Private buckets are made by a [`Family`] (`private/`): `rank`, `percentile` and `kmeans` of the own distribution of
//!   HS, `ochs` of HS against clusters of the opponent's hands (`opponents.rs`).
//!
//! - Buckets of a street are made on their own, or remember those of earlier streets ([`Recall`]).
//!
//! E\[HS\], E\[HS^2\] and distributions of HS as features: M. Johanson, N. Burch, R. Valenzano and M. Bowling,
//! "Evaluating State-Space Abstractions in Extensive-Form Games" (2013). Theirs are of hold'em hands against a
//! uniformly random one; here the opponent's up cards and all dead cards enter.
//!
//! # Exactness
//!
//! Features are sums of integers, or computed from such sums in one fixed way. Therefore relabelling suits
//! changes no bucket, a look-up for one hand and one for a whole board agree bit for bit, and the file depends
//! on the configuration alone, for any number of threads.
//!
//! ```no_run
//! use doorcard_abstraction::{Abstraction, AbstractionConfig};
//! use doorcard_games::stud::Rules;
//!
//! let config = AbstractionConfig::named("quickstart")?;
//! let rules = Rules::named("stud_high").expect("shipped rules");
//! let abstraction = Abstraction::build(&config, &rules, &mut |phase, done| eprintln!("{phase}: {:.0} %", 100.0 * done));
//! abstraction.save("quickstart.cards")?;
//! # Ok::<(), doorcard_abstraction::AbstractionError>(())
//! ```

mod abstraction;
mod against;
mod board;
mod boards;
mod build;
mod cluster;
mod config;
mod error;
mod exploitation;
mod file;
mod fit;
mod groups;
mod infosets;
mod labels;
mod ladder;
mod mix;
mod opponents;
mod private;
mod public;
mod reader;
mod recall;
mod scale;
mod sets;
mod situation;

pub use abstraction::Abstraction;
pub use boards::{DrawnBoard, StudBoards, Unbuilt};
pub use config::{AbstractionConfig, CONFIGS, Family, StreetSizes};
pub use error::AbstractionError;
pub use exploitation::{BoardExploitation, Exploitation, ExploitedBoard};
pub use file::{AbstractionHeader, KIND};
pub use fit::{PlannedStreet, fit, planned};
pub use infosets::{DealView, StudInfosets};
pub use labels::{CardLabels, LabelInfosets, LabelView};
pub use mix::{MOST_NEIGHBOURS, PublicMix};
pub use public::Boards;
pub use recall::Recall;
pub use situation::{BoardBuckets, BoardSituation, CardAbstraction, DealBuckets, Hidden, Situation};

#[cfg(test)]
mod tests;
