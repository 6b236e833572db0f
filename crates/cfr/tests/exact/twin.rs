//! A slow twin: CFR on Leduc as OpenSpiel's `cfr.cc` and `discounted_cfr.py` do it, sum by sum in their order.
//!
//! Leduc is chaotic under these iterations (see `openspiel.rs`), so that only this order gives OpenSpiel's late
//! figures. The solvers are compared with it one iteration at a time, from its own tables.

use crate::common::{Small, public_leduc};
use doorcard_cfr::UpdateRule;
use doorcard_efg::{Game, Infosets, Policy, PublicGame, PublicTurn};
use doorcard_games::leduc::{Leduc, LeducBoard, LeducDeal, LeducInfosets, LeducNode, PublicLeduc};

pub(crate) struct Twin<'a> {
    small: &'a Small<Leduc, LeducInfosets>,
    public: PublicLeduc,
    rule: UpdateRule,
    pub(crate) iteration: i32,
    pub(crate) regret: Vec<f64>,
    pub(crate) strategy_sum: Vec<f64>,
    pub(crate) strategy: Vec<f64>,
    /// Of each player: first slots and actions.
    rows: [Vec<(usize, usize)>; 2],
}

impl<'a> Twin<'a> {
    pub(crate) fn new(small: &'a Small<Leduc, LeducInfosets>, rule: UpdateRule) -> Twin<'a> {
        let slots = doorcard_efg::Rows::slots(&small.infosets) as usize;
        let [regret, strategy_sum, strategy] = [0; 3].map(|_| vec![0.0; slots]);
        let public = public_leduc();
        let rows = [Vec::new(), Vec::new()];
        let mut twin = Twin { small, public, rule, iteration: 0, regret, strategy_sum, strategy, rows };
        twin.chance(None, Some([1.0; 3]));
        for player in 0..2 {
            twin.rows[player].sort();
            twin.rows[player].dedup();
            twin.match_regrets(player);
        }
        twin
    }

    pub(crate) fn step(&mut self) {
        self.iteration += 1;
        for player in 0..2 {
            self.chance(Some(player), Some([1.0; 3]));
            let t = f64::from(self.iteration);
            for &(slot, actions) in &self.rows[player] {
                for regret in &mut self.regret[slot..slot + actions] {
                    match self.rule {
                        UpdateRule::CfrPlus if *regret < 0.0 => *regret = 0.0,
                        UpdateRule::Dcfr { alpha, beta, .. } => {
                            let exponent = if *regret >= 0.0 { alpha } else { beta };
                            *regret *= t.powf(exponent) / (t.powf(exponent) + 1.0);
                        }
                        _ => {}
                    }
                }
            }
            self.match_regrets(player);
        }
    }

    fn match_regrets(&mut self, player: usize) {
        for &(slot, actions) in &self.rows[player] {
            let regret = &self.regret[slot..slot + actions];
            let sum: f64 = regret.iter().filter(|&&regret| regret > 0.0).sum();
            for (strategy, &regret) in self.strategy[slot..slot + actions].iter_mut().zip(regret) {
                *strategy = match sum > 0.0 {
                    true => regret.max(0.0) / sum,
                    false => 1.0 / actions as f64,
                };
            }
        }
    }

    /// Deals the private cards. Without reach the rows are only listed.
    fn chance(&mut self, player: Option<usize>, reach: Option<[f64; 3]>) {
        let root = self.public.root().0;
        for a in 0..6u8 {
            for b in (0..6).filter(|&b| b != a) {
                let reach = reach.map(|[x, y, chance]| [x, y, chance * (1.0 / 6.0) * (1.0 / 5.0)]);
                self.walk(root, [a, b], None, reach.unwrap_or_default(), player);
            }
        }
    }

    /// What player 0 wins from `node` on.
    fn walk(
        &mut self,
        node: LeducNode,
        private: [u8; 2],
        public: Option<u8>,
        reach: [f64; 3],
        player: Option<usize>,
    ) -> f64 {
        let left = (0..6u8).filter(|card| !private.contains(card));
        let board = public.map_or(LeducBoard::Private, LeducBoard::Public);
        // Before the public card any card does: nothing depends on it.
        let deal = LeducDeal { private, public: public.or(left.clone().next()).unwrap() };
        let (mover, actions) = match self.public.turn(node, &board) {
            PublicTurn::Decide { player, actions } => (player, actions),
            PublicTurn::Chance => {
                return left.fold(0.0, |value, card| {
                    let reach = [reach[0], reach[1], reach[2] * 0.25];
                    value + 0.25 * self.walk(node, private, Some(card), reach, player)
                });
            }
            _ => return self.small.game.utility(&node, &deal, 0),
        };
        let view = self.small.infosets.view(&self.small.game, &deal);
        let slot = self.small.infosets.slot(&view, &node, mover) as usize;
        if player.is_none() {
            self.rows[mover].push((slot, actions));
        } else if reach[0] == 0.0 && reach[1] == 0.0 {
            return 0.0;
        }
        let (mut value, mut values) = (0.0, [0.0; 3]);
        for (action, value_after) in values.iter_mut().enumerate().take(actions) {
            let probability = self.strategy[slot + action];
            let mut reach = reach;
            reach[mover] *= probability;
            let next = self.public.act(node, &board, action);
            *value_after = self.walk(next, private, public, reach, player);
            value += probability * *value_after;
        }
        if player == Some(mover) {
            let sign = if mover == 0 { 1.0 } else { -1.0 };
            let t = f64::from(self.iteration);
            for (action, value_after) in values.iter().enumerate().take(actions) {
                let others = reach[1 - mover] * reach[2];
                self.regret[slot + action] += others * (sign * value_after - sign * value);
                let probability = self.strategy[slot + action];
                // OpenSpiel leaves out chance, which is the same for all histories of a row.
                self.strategy_sum[slot + action] += reach[2]
                    * match self.rule {
                        UpdateRule::CfrPlus => t * reach[mover] * probability,
                        UpdateRule::Dcfr { gamma, .. } => reach[mover] * probability * t.powf(gamma),
                        _ => reach[mover] * probability,
                    };
            }
        }
        value
    }
}

/// The average strategy.
impl Policy for Twin<'_> {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        let row = &self.strategy_sum[slot as usize..][..out.len()];
        let sum: f64 = row.iter().sum();
        out.iter_mut().zip(row).for_each(|(out, strategy)| *out = strategy / sum);
    }
}
