//! Exact best responses in games small enough to list every deal.
//!
//! Backward induction over one player's infosets: the deepest rows of that player are decided first, each for
//! the action with the greatest expected utility summed over all its histories, weighted by chance and by the
//! other players' strategies; then the rows above them, and so on (Johanson, Waugh, Bowling and Zinkevich
//! 2011 describe the same walk for public trees). It walks all histories once for every decision the player
//! may face in one game.
//!
//! This is right only under perfect recall, where a row fixes the player's own earlier rows and actions. Each
//! row is checked for that, and a layout that forgets is refused. Where a layout merges infosets of the game
//! but remembers (a perfect-recall abstraction), the response is the best one that the abstraction can
//! express ([`Abstract`](crate::exploitability::Scope::Abstract)). The best response in the real game to a
//! strategy of an abstraction needs the game's own infosets ([`lift`](crate::exploitability::lift)) or the
//! game's public form ([`crate::public`]).

use crate::EvalError;
use crate::tabulate::tabulate;
use doorcard_efg::{EnumerableGame, Infosets, Policy, Turn};

/// A player's best response to the others' strategies.
#[derive(Clone, Debug)]
pub struct BestResponse {
    /// The player who responds.
    pub player: usize,
    /// What the player wins with it on average. Units: chips per game.
    pub value: f64,
    /// The action chosen in the row that starts at each slot; slots where no row of the player starts hold 0.
    pub actions: Vec<u8>,
}

impl Policy for BestResponse {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        out.fill(0.0);
        out[usize::from(self.actions[slot as usize])] = 1.0;
    }
}

/// The best that `player` can do within `infosets` against `policy` played by everybody else.
///
/// # Errors
/// If the layout forgets what the player has done, or the policy is no probability distribution.
///
/// # Panics
/// If the game has no player of that number.
pub fn best_response<G: EnumerableGame, I: Infosets<G>>(
    game: &G,
    infosets: &I,
    policy: &dyn Policy,
    player: usize,
) -> Result<BestResponse, EvalError> {
    respond(game, infosets, &tabulate(infosets, policy)?, player)
}

/// As [`best_response`], with the strategy as a table.
pub(crate) fn respond<G: EnumerableGame, I: Infosets<G>>(
    game: &G,
    infosets: &I,
    strategy: &[f64],
    player: usize,
) -> Result<BestResponse, EvalError> {
    assert!(player < game.players(), "player {player} of {}", game.players());
    let mut responder = Responder {
        game,
        infosets,
        strategy,
        player,
        rows: vec![None; strategy.len()],
        values: vec![0.0; strategy.len()],
        actions: vec![0; strategy.len()],
        forgetful: None,
    };
    game.for_each_deal(&mut |deal, _| {
        let view = infosets.view(game, deal);
        responder.survey((deal, &view), &game.root(deal), None, 0);
    });
    if let Some(slot) = responder.forgetful {
        return Err(EvalError::ImperfectRecall { slot });
    }
    let deepest = responder.rows.iter().flatten().map(|row| row.depth).max();
    for depth in (0..=deepest.unwrap_or(0)).rev() {
        game.for_each_deal(&mut |deal, probability| {
            let view = infosets.view(game, deal);
            responder.weigh((deal, &view), &game.root(deal), probability, depth);
        });
        responder.decide(depth);
    }
    let mut value = 0.0;
    game.for_each_deal(&mut |deal, probability| {
        let view = infosets.view(game, deal);
        value += probability * responder.value((deal, &view), &game.root(deal));
    });
    Ok(BestResponse { player, value, actions: responder.actions })
}

/// What the survey finds out about a row of the responding player.
#[derive(Clone, Copy, PartialEq)]
struct Row {
    actions: usize,
    /// How many decisions of the player come before.
    depth: usize,
    /// The slot of the action the player took last before coming here.
    before: Option<u64>,
}

struct Responder<'a, G, I> {
    game: &'a G,
    infosets: &'a I,
    strategy: &'a [f64],
    player: usize,
    /// By the row's first slot.
    rows: Vec<Option<Row>>,
    /// The expected utility of each action, times the probability that chance and the others bring play
    /// there.
    values: Vec<f64>,
    actions: Vec<u8>,
    /// A row reached after different own actions.
    forgetful: Option<u64>,
}

impl<G: EnumerableGame, I: Infosets<G>> Responder<'_, G, I> {
    /// Finds the player's rows and checks that each fixes what the player did before.
    fn survey(&mut self, at: (&G::Deal, &I::View), node: &G::Node, before: Option<u64>, depth: usize) {
        let Turn::Decide { player, actions } = self.game.turn(node, at.0) else { return };
        let own = player == self.player;
        let slot = self.infosets.slot(at.1, node, player);
        if own {
            let row = Row { actions, depth, before };
            if *self.rows[slot as usize].get_or_insert(row) != row {
                self.forgetful.get_or_insert(slot);
            }
        }
        for action in 0..actions {
            let next = self.game.act(node, at.0, action);
            let (before, depth) = if own { (Some(slot + action as u64), depth + 1) } else { (before, depth) };
            self.survey(at, &next, before, depth);
        }
    }

    /// Adds up the values of the actions of the rows at `depth`, all deeper ones being decided. `reach` is
    /// the probability that chance and the others bring play to `node`.
    fn weigh(&mut self, at: (&G::Deal, &I::View), node: &G::Node, reach: f64, depth: usize) {
        let Turn::Decide { player, actions } = self.game.turn(node, at.0) else { return };
        if reach == 0.0 {
            return;
        }
        let slot = self.infosets.slot(at.1, node, player) as usize;
        let own = player == self.player;
        let weighed = own && self.rows[slot].is_some_and(|row| row.depth == depth);
        for action in 0..actions {
            let next = self.game.act(node, at.0, action);
            if weighed {
                self.values[slot + action] += reach * self.value(at, &next);
            } else {
                let probability = if own { 1.0 } else { self.strategy[slot + action] };
                self.weigh(at, &next, reach * probability, depth);
            }
        }
    }

    /// Chooses the best action of every row at `depth`; among equals the first.
    fn decide(&mut self, depth: usize) {
        for (slot, row) in self.rows.iter().enumerate() {
            let Some(row) = row.filter(|row| row.depth == depth) else { continue };
            let values = &self.values[slot..][..row.actions];
            let best = (1..row.actions).fold(0, |best, a| if values[a] > values[best] { a } else { best });
            self.actions[slot] = best as u8;
        }
    }

    /// The player's expected utility from `node` on, once all its rows there are decided.
    fn value(&self, at: (&G::Deal, &I::View), node: &G::Node) -> f64 {
        let Turn::Decide { player, actions } = self.game.turn(node, at.0) else {
            return self.game.utility(node, at.0, self.player);
        };
        let slot = self.infosets.slot(at.1, node, player) as usize;
        if player == self.player {
            return self.value(at, &self.game.act(node, at.0, usize::from(self.actions[slot])));
        }
        (0..actions)
            .filter(|action| self.strategy[slot + action] > 0.0)
            .map(|action| self.strategy[slot + action] * self.value(at, &self.game.act(node, at.0, action)))
            .sum()
    }
}
