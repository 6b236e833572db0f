//! Players that look at little or nothing: yardsticks whose results against each other are known.

use crate::menu::Menu;
use crate::reading::{Made, babies, made};
use doorcard_cards::CardSet;
use doorcard_cards::Rank;
use doorcard_efg::Agent;
use doorcard_games::stud::{SeatView, Street, StudTable, Variant};
use rand::{Rng, RngExt};

/// `uniform`: every action on the menu with equal chance.
///
/// Folding is not on the menu when checking is free (unless the rules set `fold_unbet = "allowed"`).
pub struct Uniform;

impl Agent<StudTable> for Uniform {
    fn name(&self) -> &str {
        "uniform"
    }

    fn act(&self, view: &SeatView<'_>, rng: &mut dyn Rng) -> usize {
        rng.random_range(0..view.actions().len())
    }
}

/// `call`: never folds, never bets. It posts the bring-in, checks, and calls anything.
pub struct CallingStation;

impl Agent<StudTable> for CallingStation {
    fn name(&self) -> &str {
        "call"
    }

    fn act(&self, view: &SeatView<'_>, _: &mut dyn Rng) -> usize {
        Menu(view.actions()).passive()
    }
}

/// `raise`: bets and raises whenever it may, by the largest amount on the menu, and else calls.
///
/// That is the big bet where the double bet is possible, and everything in pot-limit and no-limit. It completes
/// instead of bringing in.
pub struct Maniac;

impl Agent<StudTable> for Maniac {
    fn name(&self) -> &str {
        "raise"
    }

    fn act(&self, view: &SeatView<'_>, _: &mut dyn Rng) -> usize {
        Menu(view.actions()).largest_raise()
    }
}

/// `always_fold`: folds whenever it may, checks when that is free, and posts the bring-in.
///
/// Heads-up against `raise` it loses the ante and every second bring-in, whatever the cards.
pub struct AlwaysFold;

impl Agent<StudTable> for AlwaysFold {
    fn name(&self) -> &str {
        "always_fold"
    }

    fn act(&self, view: &SeatView<'_>, _: &mut dyn Rng) -> usize {
        Menu(view.actions()).give_up()
    }
}

/// `fold`: a nit. It never bets, calls with a made hand, and otherwise folds to anything that costs chips.
///
/// A made hand for high is a pair or better on third and fourth street, and two pair or better from fifth street on.
/// For low it is three different cards of eight or lower on third and fourth street, four on fifth and sixth, and
/// five on seventh. In hi/lo either will do.
pub struct Nit;

impl Agent<StudTable> for Nit {
    fn name(&self) -> &str {
        "fold"
    }

    fn act(&self, view: &SeatView<'_>, _: &mut dyn Rng) -> usize {
        let menu = Menu(view.actions());
        let made = holds_made_hand(view.rules().variant(), view.street(), view.hand());
        if made { menu.passive() } else { menu.give_up() }
    }
}

/// Whether [`Nit`] calls with these cards.
pub(crate) fn holds_made_hand(variant: Variant, street: Street, own: CardSet) -> bool {
    let lowest = Rank::new(0);
    let (high, low) = match street {
        Street::Third | Street::Fourth => (Made::Pair(lowest), 3),
        Street::Fifth | Street::Sixth => (Made::TwoPair(lowest, lowest), 4),
        Street::Seventh => (Made::TwoPair(lowest, lowest), 5),
    };
    let high = variant != Variant::Razz && made(own) >= high;
    let low = variant != Variant::High && babies(own) >= low;
    high || low
}
