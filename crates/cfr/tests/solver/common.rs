//! Trainers on small games.

use doorcard_cfr::{Real, Subject, TrainConfig, Trainer};
use doorcard_games::kuhn::{Kuhn, KuhnInfosets};
use doorcard_games::leduc::{Leduc, LeducInfosets};

/// A game and its infosets.
pub(crate) struct Small<G, I> {
    pub(crate) game: G,
    pub(crate) infosets: I,
}

pub(crate) fn leduc() -> Small<Leduc, LeducInfosets> {
    let game = Leduc::new();
    let infosets = LeducInfosets::new(&game);
    Small { game, infosets }
}

pub(crate) fn kuhn(players: usize) -> Small<Kuhn, KuhnInfosets> {
    let game = Kuhn::new(players);
    Small { game, infosets: KuhnInfosets::new(&game) }
}

pub(crate) fn subject(game: &str) -> Subject {
    Subject { game: game.into(), abstraction: "lossless".into(), ..Subject::default() }
}

impl Small<Leduc, LeducInfosets> {
    pub(crate) fn trainer<T: Real>(&self, config: TrainConfig) -> Trainer<'_, Leduc, LeducInfosets, T> {
        Trainer::new(&self.game, &self.infosets, subject("leduc"), config).unwrap()
    }
}

impl Small<Kuhn, KuhnInfosets> {
    pub(crate) fn trainer<T: Real>(&self, config: TrainConfig) -> Trainer<'_, Kuhn, KuhnInfosets, T> {
        Trainer::new(&self.game, &self.infosets, subject("kuhn"), config).unwrap()
    }
}
