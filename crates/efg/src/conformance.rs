//! Tests any game must pass, run by each game's own tests.

use crate::{Game, Turn};
use rand::{Rng, RngExt};

/// Plays `playouts` random games and checks what every game promises: play ends, players and actions are in range,
/// acting does not change the node acted on, and the utilities of all players sum to zero.
///
/// # Panics
/// If the game breaks a promise; the message says which.
pub fn random_playouts<G: Game, R: Rng>(game: &G, playouts: usize, max_depth: usize, rng: &mut R) {
    for _ in 0..playouts {
        let deal = game.deal(rng);
        let mut node = game.root(&deal);
        let mut depth = 0;
        while let Turn::Decide { player, actions } = game.turn(&node, &deal) {
            assert!(player < game.players(), "player {player} of {}", game.players());
            assert!((1..=game.max_actions()).contains(&actions), "{actions} actions");
            let before = game.turn(&node, &deal);
            let next = game.act(&node, &deal, rng.random_range(0..actions));
            assert_eq!(before, game.turn(&node, &deal), "acting changed the node acted on");
            node = next;
            depth += 1;
            assert!(depth <= max_depth, "a game longer than {max_depth} actions");
        }
        let total: f64 = (0..game.players()).map(|p| game.utility(&node, &deal, p)).sum();
        assert!(total.abs() < 1e-6, "utilities sum to {total}");
    }
}
