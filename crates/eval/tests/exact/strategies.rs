//! Strategies that are measured, and how figures are compared.

use doorcard_efg::{Game, Infosets, Policy};
use doorcard_games::kuhn::{Kuhn, KuhnDeal, KuhnInfosets, KuhnNode};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;

pub(crate) fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() < tolerance, "{found} where {expected} was expected");
}

/// An equilibrium of Kuhn poker (Kuhn 1950), as the probability of betting at each infoset.
pub(crate) struct KuhnEquilibrium {
    pub bets: BTreeMap<u64, f64>,
}

impl KuhnEquilibrium {
    /// `alpha`, from 0 to 1/3, is how often the first player bets the jack.
    pub(crate) fn new(alpha: f64) -> KuhnEquilibrium {
        let game = Kuhn::new(2);
        let infosets = KuhnInfosets::new(&game);
        let mut bets = BTreeMap::new();
        for card in 0..3 {
            let mut deal = KuhnDeal::default();
            deal[..2].fill(card);
            let view = infosets.view(&game, &deal);
            let root = game.root(&deal);
            let at = |actions: &[usize]| -> (KuhnNode, usize) {
                let node = actions.iter().fold(root, |node, &action| game.act(&node, &deal, action));
                (node, actions.len() % 2)
            };
            let card = usize::from(card);
            for (history, bet) in [
                (&[][..], [alpha, 0.0, 3.0 * alpha][card]),
                (&[0, 1], [0.0, alpha + 1.0 / 3.0, 1.0][card]),
                (&[0], [1.0 / 3.0, 0.0, 1.0][card]),
                (&[1], [0.0, 1.0 / 3.0, 1.0][card]),
            ] {
                let (node, player) = at(history);
                bets.insert(infosets.slot(&view, &node, player), bet);
            }
        }
        KuhnEquilibrium { bets }
    }
}

impl Policy for KuhnEquilibrium {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        let bet = self.bets[&slot];
        out.copy_from_slice(&[1.0 - bet, bet]);
    }
}

/// A strategy by slots.
pub(crate) struct Table(pub Vec<f64>);

impl Policy for Table {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        out.copy_from_slice(&self.0[slot as usize..][..out.len()]);
    }
}

/// Strategies drawn by seed: for an even one all actions have some probability, for an odd one about half have none.
pub(crate) struct Random(pub u64);

impl Policy for Random {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.0 << 32 | slot);
        let floor = if self.0.is_multiple_of(2) { 0.0 } else { 0.5 };
        out.iter_mut().for_each(|p| *p = (rng.random::<f64>() - floor).max(0.0));
        let sum: f64 = out.iter().sum();
        if sum == 0.0 {
            out[0] = 1.0;
        } else {
            out.iter_mut().for_each(|p| *p /= sum);
        }
    }
}

/// Kuhn poker at random, but for a row at slot 4 whose probabilities sum to a half.
pub(crate) struct Halves;

impl Policy for Halves {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        out.fill(if slot == 4 { 0.25 } else { 0.5 });
    }
}

/// Different probabilities at every row.
pub(crate) struct Skewed;

impl Policy for Skewed {
    fn probabilities(&self, slot: u64, out: &mut [f64]) {
        for (action, p) in out.iter_mut().enumerate() {
            *p = 1.0 + ((slot * 7 + action as u64 * 5) % 11) as f64;
        }
        let sum: f64 = out.iter().sum();
        out.iter_mut().for_each(|p| *p /= sum);
    }
}
