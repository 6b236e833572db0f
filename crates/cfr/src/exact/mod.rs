//! Exact solvers: every iteration sees the whole game, or the whole of what it has sampled of the public cards.
//!
//! An iteration makes one pass for each player. A pass leaves, for every row of that player, the counterfactual
//! regrets against the others' strategies (Zinkevich, Johanson, Bowling and Piccione 2007, equation 8) and the player's
//! own reach; then the [`crate::UpdateRule`] is applied row by row, which gives the next strategy. How a pass finds its
//! regrets is a [`Traversal`]:
//!
//! | traversal | games | what it walks |
//! |---|---|---|
//! | [`FullTree`] | [`doorcard_efg::EnumerableGame`], any number of players | every history of every deal |
//! | [`Vector`] | [`doorcard_efg::PublicGame`], two players | public states, a vector of hands at each; chance enumerated or sampled |
//! | [`CfrBr`] | [`doorcard_efg::PublicGame`], two players | the same, against a best response |
//!
//! **The average.** A pass adds to a row, for every history in it, the probability that chance and the player's own
//! actions lead there: the numerator of equation 4 of the paper above times the chance of the row, which cancels where
//! the row is one infoset. Rows that merge infosets are thereby averaged as the abstract game's rows are.
//!
//! **Numbers.** Tables hold `T`; everything within an iteration is `f64`.

pub mod cfr_br;
mod checkpoint;
pub mod full_tree;
mod pass;
mod solver;
mod update;
pub mod vector;

pub use cfr_br::CfrBr;
pub use checkpoint::{EXACT, ExactCheckpoint, ExactHeader};
pub use full_tree::FullTree;
pub use pass::{Found, Pass, Reached, Strategies, Traversal};
pub use solver::{ExactConfig, ExactSettings, Solver, Updates};
pub use vector::{Chance, Vector};
