//! Kuhn poker (Kuhn 1950) for any number of players, as in OpenSpiel.
//!
//! `n` players ante one chip and get one card each of `n + 1`. They speak in turn: pass or bet one chip. Once
//! somebody has bet, each other player in turn folds (pass) or calls (bet), and the highest card of those who
//! paid takes the pot. For two players the value to the first is -1/18 (Kuhn 1950) and there are 12 infosets;
//! for three there are 48.

use crate::removal;
use doorcard_efg::{
    Block, EnumerableGame, Game, Infosets, PublicGame, PublicInfosets, PublicTurn, Rows, Stakes, Turn,
};
use num_traits::Float;
use rand::{Rng, RngExt};
use std::ops::AddAssign;

/// The most players a table has, as in OpenSpiel.
pub const MAX_PLAYERS: usize = 10;

/// Kuhn poker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kuhn {
    players: usize,
}

/// What the players have done: who bet first, if anybody, and who called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KuhnNode {
    /// Actions so far; the player to move is `actions % players`.
    actions: u8,
    /// Who bet first; equal to the number of players while nobody has.
    bettor: u8,
    /// Bit `k` stands for the `k`-th answer to the bet, counted from zero: set if it was a call.
    answers: u16,
}

/// The players' cards, the lowest being 0.
pub type KuhnDeal = [u8; MAX_PLAYERS];

impl Kuhn {
    /// The game for `players` players.
    ///
    /// # Panics
    /// If there are fewer than 2 or more than [`MAX_PLAYERS`].
    pub fn new(players: usize) -> Kuhn {
        assert!((2..=MAX_PLAYERS).contains(&players), "Kuhn poker for {players} players");
        Kuhn { players }
    }

    /// How often a bet has been answered; `None` while nobody has bet.
    #[inline]
    fn answered(&self, node: &KuhnNode) -> Option<usize> {
        let bet = usize::from(node.bettor) < self.players;
        bet.then(|| usize::from(node.actions - node.bettor) - 1)
    }

    /// Decision histories: `n` without a bet, and after a bet of each player every run of up to `n - 2`
    /// answers.
    fn histories(&self) -> usize {
        self.players + self.players * self.answer_runs()
    }

    /// Runs of 0 to `n - 2` answers.
    fn answer_runs(&self) -> usize {
        (1 << (self.players - 1)) - 1
    }

    /// The node's place among the decision histories.
    #[inline]
    fn history(&self, node: &KuhnNode) -> usize {
        match self.answered(node) {
            None => usize::from(node.actions),
            Some(answered) => {
                let run = (1 << answered) - 1 + usize::from(node.answers);
                self.players + usize::from(node.bettor) * self.answer_runs() + run
            }
        }
    }

    /// Whether `player` has put in two chips.
    #[inline]
    fn paid(&self, node: &KuhnNode, player: usize) -> bool {
        let bettor = usize::from(node.bettor);
        if bettor == self.players {
            return false;
        }
        let place = (player + self.players - bettor) % self.players;
        place == 0 || node.answers >> (place - 1) & 1 == 1
    }
}

impl Game for Kuhn {
    type Deal = KuhnDeal;
    type Node = KuhnNode;

    fn players(&self) -> usize {
        self.players
    }

    fn max_actions(&self) -> usize {
        2
    }

    fn deal<R: Rng + ?Sized>(&self, rng: &mut R) -> KuhnDeal {
        let mut cards: [u8; MAX_PLAYERS + 1] = std::array::from_fn(|card| card as u8);
        for i in 0..self.players {
            cards.swap(i, rng.random_range(i..=self.players));
        }
        let mut deal = [0; MAX_PLAYERS];
        deal[..self.players].copy_from_slice(&cards[..self.players]);
        deal
    }

    #[inline]
    fn root(&self, _deal: &KuhnDeal) -> KuhnNode {
        KuhnNode { actions: 0, bettor: self.players as u8, answers: 0 }
    }

    #[inline]
    fn turn(&self, node: &KuhnNode, _deal: &KuhnDeal) -> Turn {
        let over = match self.answered(node) {
            None => usize::from(node.actions) == self.players,
            Some(answered) => answered == self.players - 1,
        };
        if over {
            Turn::Over
        } else {
            Turn::Decide { player: usize::from(node.actions) % self.players, actions: 2 }
        }
    }

    #[inline]
    fn act(&self, node: &KuhnNode, _deal: &KuhnDeal, action: usize) -> KuhnNode {
        let mut next = KuhnNode { actions: node.actions + 1, ..*node };
        match self.answered(node) {
            None if action == 1 => next.bettor = node.actions,
            None => {}
            Some(answered) => next.answers |= (action as u16) << answered,
        }
        next
    }

    #[inline]
    fn utility(&self, node: &KuhnNode, deal: &KuhnDeal, player: usize) -> f64 {
        let nobody_bet = usize::from(node.bettor) == self.players;
        let winner = (0..self.players)
            .filter(|&seat| nobody_bet || self.paid(node, seat))
            .max_by_key(|&seat| deal[seat])
            .expect("the bettor is in");
        let chips = |seat: usize| if self.paid(node, seat) { 2.0 } else { 1.0 };
        let pot: f64 = (0..self.players).map(chips).sum();
        if player == winner { pot - chips(player) } else { -chips(player) }
    }
}

impl EnumerableGame for Kuhn {
    fn for_each_deal(&self, f: &mut dyn FnMut(&KuhnDeal, f64)) {
        // Every ordered choice of `players` of `players + 1` cards, one position after the other.
        fn choose(deal: &mut KuhnDeal, seat: usize, left: &mut Vec<u8>, f: &mut dyn FnMut(&KuhnDeal)) {
            if left.len() == 1 {
                return f(deal);
            }
            for i in 0..left.len() {
                deal[seat] = left.remove(i);
                choose(deal, seat + 1, left, f);
                left.insert(i, deal[seat]);
            }
        }
        let deals: f64 = (2..=self.players + 1).map(|k| k as f64).product();
        let mut cards = (0..=self.players as u8).collect();
        choose(&mut [0; MAX_PLAYERS], 0, &mut cards, &mut |deal| f(deal, 1.0 / deals));
    }
}

/// Kuhn poker for two in public form. A hand is a card, the lowest being 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKuhn {
    game: Kuhn,
}

/// The cards of two players.
const PAIR: usize = 3;

impl PublicKuhn {
    /// The public form of `game`; `None` unless it is for two players.
    pub fn new(game: &Kuhn) -> Option<PublicKuhn> {
        (game.players == 2).then_some(PublicKuhn { game: *game })
    }
}

impl PublicGame for PublicKuhn {
    /// `None` before the cards are dealt.
    type Node = Option<KuhnNode>;
    type Board = ();

    fn max_actions(&self) -> usize {
        2
    }

    fn root(&self) -> (Option<KuhnNode>, ()) {
        (None, ())
    }

    #[inline]
    fn turn(&self, node: Option<KuhnNode>, _: &()) -> PublicTurn {
        let Some(node) = node else { return PublicTurn::Chance };
        match self.game.answered(&node) {
            Some(1) if node.answers == 0 => PublicTurn::Fold { player: 1 - usize::from(node.bettor) },
            Some(1) => PublicTurn::Showdown,
            None if node.actions == 2 => PublicTurn::Showdown,
            _ => PublicTurn::Decide { player: usize::from(node.actions) % 2, actions: 2 },
        }
    }

    #[inline]
    fn act(&self, node: Option<KuhnNode>, _: &(), action: usize) -> Option<KuhnNode> {
        node.map(|node| self.game.act(&node, &KuhnDeal::default(), action))
    }

    fn outcomes(&self, _: Option<KuhnNode>, _: &()) -> usize {
        1
    }

    fn outcome(&self, _: Option<KuhnNode>, _: &(), _: usize) -> (Option<KuhnNode>, ()) {
        (Some(self.game.root(&KuhnDeal::default())), ())
    }

    fn hands(&self, node: Option<KuhnNode>, _: &(), _: usize) -> usize {
        if node.is_some() { PAIR } else { 1 }
    }

    fn parents(&self, _: Option<KuhnNode>, _: &(), _: usize) -> &[u32] {
        &[0; PAIR]
    }

    fn deals(&self, node: Option<KuhnNode>, _: &()) -> f64 {
        if node.is_some() { (PAIR * (PAIR - 1)) as f64 } else { 1.0 }
    }

    fn stakes(&self, node: Option<KuhnNode>, _: &(), player: usize) -> Stakes {
        let chips = |seat| if node.is_some_and(|node| self.game.paid(&node, seat)) { 2.0 } else { 1.0 };
        Stakes { pot: chips(0) + chips(1), paid: chips(player) }
    }

    #[inline]
    fn compatible<F: Float + AddAssign>(
        &self,
        _: Option<KuhnNode>,
        _: &(),
        _: usize,
        reach: &[F],
        compatible: &mut [F],
    ) {
        removal::compatible(reach, compatible);
    }

    #[inline]
    fn contest<F: Float + AddAssign>(
        &self,
        _: Option<KuhnNode>,
        _: &(),
        _: usize,
        reach: &[F],
        compatible: &mut [F],
        share: &mut [F],
    ) {
        removal::compatible(reach, compatible);
        removal::shares(|card| card, [F::zero(); PAIR], reach, share);
    }
}

/// Every card at every history an infoset of its own; one card's rows lie together.
#[derive(Clone, Copy, Debug)]
pub struct KuhnInfosets {
    game: Kuhn,
}

impl KuhnInfosets {
    /// The lossless infosets of `game`.
    pub fn new(game: &Kuhn) -> KuhnInfosets {
        KuhnInfosets { game: *game }
    }
}

impl Rows for KuhnInfosets {
    fn rows(&self) -> u64 {
        ((self.game.players + 1) * self.game.histories()) as u64
    }

    fn slots(&self) -> u64 {
        2 * self.rows()
    }

    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        (0..self.rows()).for_each(|row| f(2 * row, 2));
    }
}

impl Infosets<Kuhn> for KuhnInfosets {
    type View = KuhnDeal;

    #[inline]
    fn view(&self, _game: &Kuhn, deal: &KuhnDeal) -> KuhnDeal {
        *deal
    }

    #[inline]
    fn slot(&self, view: &KuhnDeal, node: &KuhnNode, player: usize) -> u64 {
        2 * (usize::from(view[player]) * self.game.histories() + self.game.history(node)) as u64
    }
}

impl PublicInfosets<PublicKuhn> for KuhnInfosets {
    /// # Panics
    /// Before the cards are dealt.
    #[inline]
    fn block(&self, _: &PublicKuhn, node: Option<KuhnNode>, _: &(), _: usize) -> Block<'_> {
        let history = self.game.history(&node.expect("the cards are dealt"));
        Block { base: 2 * history as u64, stride: 2 * self.game.histories() as u64, buckets: &[0, 1, 2] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorcard_efg::conformance::{public_form_agrees, random_playouts};
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    fn play(game: &Kuhn, deal: &KuhnDeal, actions: &[usize]) -> KuhnNode {
        actions.iter().fold(game.root(deal), |node, &action| game.act(&node, deal, action))
    }

    #[test]
    fn conforms() {
        for players in [2, 3, 5, MAX_PLAYERS] {
            random_playouts(&Kuhn::new(players), 500, 2 * players - 1, &mut StdRng::seed_from_u64(1));
        }
    }

    #[test]
    fn the_public_form_agrees() {
        let game = Kuhn::new(2);
        let (public, infosets) = (PublicKuhn::new(&game).unwrap(), KuhnInfosets::new(&game));
        for seed in 0..5 {
            public_form_agrees(&game, &infosets, &public, &infosets, &mut StdRng::seed_from_u64(seed));
        }
        assert_eq!(PublicKuhn::new(&Kuhn::new(3)), None);
    }

    #[test]
    fn counts_of_infosets_and_deals() {
        for (players, infosets, deals) in [(2, 12, 6), (3, 48, 24)] {
            let game = Kuhn::new(players);
            assert_eq!(KuhnInfosets::new(&game).rows(), infosets);
            let (mut count, mut total) = (0, 0.0);
            game.for_each_deal(&mut |_, probability| {
                count += 1;
                total += probability;
            });
            assert_eq!(count, deals);
            assert!((total - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn payoffs_of_two_players() {
        let game = Kuhn::new(2);
        let mut deal = KuhnDeal::default();
        deal[..2].copy_from_slice(&[2, 0]);
        for (actions, expected) in
            [(&[0, 0][..], 1.0), (&[1, 0], 1.0), (&[1, 1], 2.0), (&[0, 1, 0], -1.0), (&[0, 1, 1], 2.0)]
        {
            let node = play(&game, &deal, actions);
            assert_eq!(game.turn(&node, &deal), Turn::Over);
            assert_eq!(game.utility(&node, &deal, 0), expected, "{actions:?}");
        }
    }

    #[test]
    fn a_bet_among_three_is_answered_by_both_others() {
        let game = Kuhn::new(3);
        let mut deal = KuhnDeal::default();
        deal[..3].copy_from_slice(&[3, 0, 1]);
        // The first passes, the second bets, the third calls, the first folds the best card.
        let node = play(&game, &deal, &[0, 1, 1, 0]);
        assert_eq!([0, 1, 2].map(|player| game.utility(&node, &deal, player)), [-1.0, -2.0, 3.0]);
    }

    #[test]
    fn every_infoset_is_its_own_row_and_is_reached() {
        for players in 2..=4 {
            let game = Kuhn::new(players);
            let infosets = KuhnInfosets::new(&game);
            let mut seen = std::collections::BTreeMap::new();
            game.for_each_deal(&mut |deal, _| {
                let mut stack = vec![(game.root(deal), Vec::new())];
                while let Some((node, history)) = stack.pop() {
                    if let Turn::Decide { player, actions } = game.turn(&node, deal) {
                        let slot = infosets.slot(&infosets.view(&game, deal), &node, player);
                        let knows = (deal[player], history.clone());
                        assert_eq!(seen.entry(slot).or_insert_with(|| knows.clone()), &knows);
                        for action in 0..actions {
                            stack.push((game.act(&node, deal, action), [&history[..], &[action]].concat()));
                        }
                    }
                }
            });
            assert_eq!(seen.len() as u64, infosets.rows());
            assert_eq!(
                seen.into_values().collect::<std::collections::BTreeSet<_>>().len() as u64,
                infosets.rows()
            );
        }
    }
}
