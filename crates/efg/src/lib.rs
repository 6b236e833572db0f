//! Extensive-form games, seen by solvers, matches and judges: traits and ids only.
//!
//! Solvers and evaluation know no poker; games know no solver. Both meet here.

mod agent;
mod boards;
pub mod conformance;
pub mod fault;
mod game;
mod infosets;
mod policy;
mod public;

pub use agent::{Agent, Observe};
pub use boards::{
    BoardGame, CardBoards, Entry, LANES, MOST_LANES, RoundEnd, RoundNode, RoundStep, RoundTree, TablePlace,
    contest_hand_by_hand, padded,
};
pub use game::{EnumerableGame, Game, Turn};
pub use infosets::{Block, Infosets, PublicInfosets, Rows};
pub use policy::{Policy, UniformPolicy};
pub use public::{PublicGame, PublicTurn, Stakes};
