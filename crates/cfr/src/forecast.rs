//! What the logs of a batch will take, told from a few deals before anything is allocated.

use crate::batch;
use crate::log::Log;
use crate::seed::deal_rng;
use crate::{MAX_ACTIONS, Real};
use doorcard_efg::{Game, Turn};
use rand::{Rng, RngExt};

/// Deals that are played ...
const DEALS: u64 = 256;
/// ... unless they have written this many words before.
const ENOUGH_WORDS: u64 = 4 << 20;
/// How many standard deviations the fullest batch of a task is expected to lie above the mean.
const DEVIATIONS: f64 = 5.0;
/// Players who have learned something write other numbers of records than those that choose at random, with whom
/// the deals are played: in stud a tenth more or less, and half as many again if they do not see their cards and
/// hardly ever fold.
const HEADROOM: f64 = 1.75;

/// What the logs of batches of `batch` deals will take at most, as far as a few deals played at random can tell.
/// They do not depend on infosets, so that this can be asked before an abstraction is built. Units: bytes.
///
/// [`crate::Trainer`] holds itself to the limit that it is given, not to this forecast.
pub fn predicted_log_bytes<G: Game, T: Real>(game: &G, batch: u64, threads: usize) -> u64 {
    let (mut deals, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for number in 0..DEALS {
        let mut rng = deal_rng(0, number);
        let deal = game.deal(&mut rng);
        let words = words(game, &deal, &mut rng) as f64;
        (deals, sum, squares) = (deals + 1.0, sum + words, squares + words * words);
        if sum >= ENOUGH_WORDS as f64 {
            break;
        }
    }
    let mean: f64 = sum / deals;
    let deviation = (squares / deals - mean * mean).max(0.0).sqrt();
    let (tasks, each) = batch::tasks(batch);
    let each = each as f64;
    let task = (each * mean + DEVIATIONS * each.sqrt() * deviation) * HEADROOM;
    tasks.saturating_mul(Log::<T>::bytes_for(task as u64, batch::shards(threads)))
}

/// The words that one deal's traversals write when opponents choose at random.
fn words<G: Game>(game: &G, deal: &G::Deal, rng: &mut impl Rng) -> u64 {
    let mut words = 0;
    let mut found = Vec::new();
    for traverser in 0..game.players() {
        found.push(game.root(deal));
        while let Some(node) = found.pop() {
            let Turn::Decide { player, actions } = game.turn(&node, deal) else { continue };
            let actions = actions.min(MAX_ACTIONS);
            words += 1 + actions as u64;
            if player == traverser {
                found.extend((0..actions).map(|action| game.act(&node, deal, action)));
            } else {
                found.push(game.act(&node, deal, rng.random_range(0..actions)));
            }
        }
    }
    words
}
