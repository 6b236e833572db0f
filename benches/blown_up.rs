//! Leduc poker with tables as large as one likes: the walk of a small game, the memory of a large one.
//!
//! Every deal draws a number for each player, a stand-in for a private hand, and each number has a table of
//! its own.

use doorcard_efg::{Game, Infosets, Rows, Turn};
use doorcard_games::leduc::{Leduc, LeducDeal, LeducInfosets, LeducNode, LeducView};
use rand::{Rng, RngExt};

/// Leduc poker with a number for each player.
#[derive(Clone, Debug)]
pub struct BlownUpLeduc {
    leduc: Leduc,
    numbers: u32,
}

impl BlownUpLeduc {
    /// The game with `numbers` numbers.
    pub fn new(numbers: u32) -> BlownUpLeduc {
        BlownUpLeduc { leduc: Leduc::new(), numbers }
    }
}

impl Game for BlownUpLeduc {
    type Deal = (LeducDeal, [u32; 2]);
    type Node = LeducNode;

    fn players(&self) -> usize {
        2
    }

    fn max_actions(&self) -> usize {
        self.leduc.max_actions()
    }

    fn deal<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::Deal {
        let deal = self.leduc.deal(rng);
        (deal, std::array::from_fn(|_| rng.random_range(0..self.numbers)))
    }

    fn root(&self, (deal, _): &Self::Deal) -> LeducNode {
        self.leduc.root(deal)
    }

    #[inline]
    fn turn(&self, node: &LeducNode, (deal, _): &Self::Deal) -> Turn {
        self.leduc.turn(node, deal)
    }

    #[inline]
    fn act(&self, node: &LeducNode, (deal, _): &Self::Deal, action: usize) -> LeducNode {
        self.leduc.act(node, deal, action)
    }

    #[inline]
    fn utility(&self, node: &LeducNode, (deal, _): &Self::Deal, player: usize) -> f64 {
        self.leduc.utility(node, deal, player)
    }
}

/// A copy of Leduc's infosets for each number.
#[derive(Clone, Debug)]
pub struct BlownUpInfosets {
    leduc: LeducInfosets,
    numbers: u64,
}

impl BlownUpInfosets {
    /// The infosets of `game`.
    pub fn new(game: &BlownUpLeduc) -> BlownUpInfosets {
        BlownUpInfosets { leduc: LeducInfosets::new(&game.leduc), numbers: game.numbers.into() }
    }
}

impl Rows for BlownUpInfosets {
    fn rows(&self) -> u64 {
        self.leduc.rows() * self.numbers
    }

    fn slots(&self) -> u64 {
        self.leduc.slots() * self.numbers
    }

    fn for_each_row(&self, f: &mut dyn FnMut(u64, usize)) {
        for number in 0..self.numbers {
            let base = number * self.leduc.slots();
            self.leduc.for_each_row(&mut |slot, actions| f(base + slot, actions));
        }
    }
}

impl Infosets<BlownUpLeduc> for BlownUpInfosets {
    type View = LeducView;

    fn view(&self, game: &BlownUpLeduc, (deal, numbers): &(LeducDeal, [u32; 2])) -> LeducView {
        let view = self.leduc.view(&game.leduc, deal);
        view.map(|round| std::array::from_fn(|p| round[p] + u64::from(numbers[p]) * self.leduc.slots()))
    }

    #[inline]
    fn slot(&self, view: &LeducView, node: &LeducNode, player: usize) -> u64 {
        self.leduc.slot(view, node, player)
    }
}
