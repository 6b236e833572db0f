//! Exact solvers on small games.

use doorcard_cfr::exact::{ExactConfig, ExactSettings, Solver, Traversal, Updates};
use doorcard_cfr::{Real, Subject, UpdateRule};
use doorcard_games::kuhn::{Kuhn, KuhnInfosets, PublicKuhn};
use doorcard_games::leduc::{Leduc, LeducInfosets, PublicLeduc};

/// A game and its infosets.
pub(crate) struct Small<G, I> {
    pub(crate) name: &'static str,
    pub(crate) game: G,
    pub(crate) infosets: I,
}

pub(crate) fn leduc() -> Small<Leduc, LeducInfosets> {
    let game = Leduc::new();
    let infosets = LeducInfosets::new(&game);
    Small { name: "leduc", game, infosets }
}

pub(crate) fn kuhn(players: usize) -> Small<Kuhn, KuhnInfosets> {
    let game = Kuhn::new(players);
    Small { name: "kuhn", game, infosets: KuhnInfosets::new(&game) }
}

pub(crate) fn subject(game: &str) -> Subject {
    Subject { game: game.into(), abstraction: "lossless".into(), ..Subject::default() }
}

pub(crate) fn config(rule: UpdateRule, updates: Updates) -> ExactConfig {
    ExactConfig { settings: ExactSettings { rule, updates, seed: 1 }, ..ExactConfig::default() }
}

pub(crate) fn solver<V: Traversal, T: Real>(
    traversal: V,
    rule: UpdateRule,
    updates: Updates,
) -> Solver<V, T> {
    Solver::new(traversal, subject("small"), config(rule, updates)).unwrap()
}

pub(crate) fn public_kuhn() -> PublicKuhn {
    PublicKuhn::new(&Kuhn::new(2)).unwrap()
}

pub(crate) fn public_leduc() -> PublicLeduc {
    PublicLeduc::new(&Leduc::new())
}
