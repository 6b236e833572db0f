//! The most that the logs of a batch can take, told from a few deals before anything is allocated.

use crate::batch;
use crate::depth_first::Changes;
use crate::log::Log;
use crate::sampling::Sampling;
use crate::seed::deal_rng;
use crate::{MAX_ACTIONS, Real};
use doorcard_efg::{Game, Turn};

/// Deals whose game trees are walked ...
const DEALS: u64 = 64;
/// ... unless this many nodes have been before.
const ENOUGH_NODES: u64 = 4 << 20;

/// The most that the logs of batches of `batch` deals take, whatever the opponents play, if no deal has a larger
/// game tree than the largest of a few random ones. Units: bytes.
///
/// That is much: on stud_bench, play at random and play between trained strategies take 10 to 25 times less. But
/// after a first large batch all players may raise at every turn, which took seven times as much as play at random
/// where they did not see their cards. The bound does not depend on infosets, so that
/// it can be asked for before an abstraction is built. [`crate::Trainer`] keeps the limit that it is given even
/// where larger trees are dealt.
pub fn predicted_log_bytes<G: Game, T: Real>(
    game: &G,
    sampling: Sampling,
    batch: u64,
    threads: usize,
) -> u64 {
    let (mut most, mut nodes) = (0, 0);
    for number in 0..DEALS {
        let deal = game.deal(&mut deal_rng(0, number));
        let walk = |traverser| most_words(game, sampling, &deal, &game.root(&deal), traverser, &mut nodes);
        most = most.max((0..game.players()).map(walk).sum());
        if nodes >= ENOUGH_NODES {
            break;
        }
    }
    let (tasks, each) = batch::tasks(batch);
    let words = each.saturating_mul(most);
    let logs = tasks.saturating_mul(Log::<T>::bytes_for(words, batch::shards(batch, threads)));
    // Batches of one task may keep a list instead.
    if tasks == 1 { logs.max(Changes::<T>::bytes_for(words)) } else { logs }
}

/// The most words that a traversal writes from `node` on: actions that are drawn are those that lead to the most.
fn most_words<G: Game>(
    game: &G,
    sampling: Sampling,
    deal: &G::Deal,
    node: &G::Node,
    traverser: usize,
    nodes: &mut u64,
) -> u64 {
    *nodes += 1;
    let Turn::Decide { player, actions } = game.turn(node, deal) else { return 0 };
    let actions = actions.min(MAX_ACTIONS);
    let tries_all = player == traverser && sampling == Sampling::External;
    let below = (0..actions)
        .map(|action| most_words(game, sampling, deal, &game.act(node, deal, action), traverser, nodes))
        .fold(0, |sum: u64, words| if tries_all { sum + words } else { sum.max(words) });
    // The traverser of outcome sampling also records what its action was worth.
    let outcome = if player == traverser && !tries_all { 2 } else { 0 };
    1 + actions as u64 + outcome + below
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorcard_games::kuhn::Kuhn;

    #[test]
    fn the_most_words_of_kuhn_poker_by_hand() {
        let game = Kuhn::new(2);
        let deal = game.deal(&mut deal_rng(0, 0));
        let most =
            |sampling, traverser| most_words(&game, sampling, &deal, &game.root(&deal), traverser, &mut 0);
        let external = |traverser| most(Sampling::External, traverser);
        let outcome = |traverser| most(Sampling::Outcome, traverser);
        // Four decisions, of three words each. The first player: its root, the answer after a pass and a bet of the
        // opponent, and the opponent's answers to a pass and to a bet. The second player: the root and either its
        // answer to a bet, or its answer to a pass and the decision behind its own bet.
        assert_eq!((external(0), external(1)), (4 * 3, 3 * 3));
        // The longest line has three decisions, two of them the first player's.
        assert_eq!((outcome(0), outcome(1)), (3 * 3 + 2 * 2, 3 * 3 + 2));
    }
}
