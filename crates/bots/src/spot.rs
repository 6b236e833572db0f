//! What the rule-based players look at.

use crate::menu::Menu;
use arrayvec::ArrayVec;
use doorcard_cards::CardSet;
use doorcard_games::stud::{Betting, Chips, MAX_PLAYERS, SeatView, Street, Variant};

/// A decision, as its player sees it.
pub(crate) struct Spot {
    pub(crate) variant: Variant,
    pub(crate) betting: Betting,
    pub(crate) street: Street,
    /// All cards of the player; the shared river counts for everyone.
    pub(crate) own: CardSet,
    /// Those of them that show.
    pub(crate) showing: CardSet,
    /// The up cards of each opponent left in the hand.
    pub(crate) opponents: ArrayVec<CardSet, { MAX_PLAYERS - 1 }>,
    /// All cards of others that are or were face up, those of folded players included.
    pub(crate) seen: CardSet,
    /// The chips in all pots, bets of this street included.
    pub(crate) pot: Chips,
    /// The chips it takes to call.
    pub(crate) to_call: Chips,
    /// The player's own chips in front of it on this street.
    pub(crate) wager: Chips,
    /// Bets and raises on this street; the bring-in is none.
    pub(crate) bets: usize,
    /// The size of a bet on this street.
    pub(crate) bet: Chips,
    pub(crate) menu: Menu,
}

impl Spot {
    /// The decision that `view`'s seat has to make.
    pub(crate) fn of(view: &SeatView<'_>) -> Spot {
        let (rules, seat, street) = (view.rules(), view.seat(), view.street());
        let board: CardSet = view.board().into_iter().collect();
        let others = (0..view.players()).filter(|&other| other != seat && !view.folded(other));
        Spot {
            variant: rules.variant(),
            betting: rules.betting(),
            street,
            own: view.hand(),
            showing: CardSet::from(view.up_cards(seat)),
            opponents: others.map(|other| CardSet::from(view.up_cards(other)).union(board)).collect(),
            seen: view.dead_cards(),
            pot: view.pot(),
            to_call: view.to_call(),
            wager: view.wager(seat),
            bets: view.bets_this_street(),
            bet: rules.bet_size(street),
            menu: Menu(view.actions()),
        }
    }

    /// The total wager of a large raise: any size that limit games offer, the pot in the others.
    pub(crate) fn big_raise(&self) -> Chips {
        match self.betting {
            Betting::Limit => Chips::MAX,
            Betting::PotLimit | Betting::NoLimit => self.wager + 2 * self.to_call + self.pot,
        }
    }
}

#[cfg(test)]
pub(crate) mod samples {
    use super::*;
    use doorcard_games::stud::Action;

    /// A decision in a limit game with bets of 100 and 200: own cards as `down/up`, the opponents' up cards, nothing
    /// bet yet (but the bring-in of 50 on third street), and a pot of 400 from fourth street on.
    pub(crate) fn limit(variant: Variant, own: &str, opponents: &[&str]) -> Spot {
        let (down, up) = own.split_once('/').unwrap();
        let set = |text: &str| text.parse::<CardSet>().unwrap();
        let opponents: ArrayVec<CardSet, 7> = opponents.iter().map(|up| set(up)).collect();
        let own = set(down).union(set(up));
        let street = Street::ALL[own.len() - 3];
        let third = street == Street::Third;
        Spot {
            variant,
            betting: Betting::Limit,
            street,
            own,
            showing: set(up),
            seen: opponents.iter().fold(CardSet::EMPTY, |all, &up| all.union(up)),
            pot: if third { 50 + 25 * (1 + opponents.len() as Chips) } else { 400 },
            opponents,
            to_call: if third { 50 } else { 0 },
            wager: 0,
            bets: 0,
            bet: if street < Street::Fifth { 100 } else { 200 },
            menu: Menu(ArrayVec::new()),
        }
        .offered()
    }

    impl Spot {
        /// The same with these cards of folded players dead.
        pub(crate) fn dead(mut self, cards: &str) -> Spot {
            self.seen = self.seen.union(cards.parse().unwrap());
            self
        }

        /// The same after so many bets of one opponent, none of them called.
        pub(crate) fn facing(mut self, bets: usize) -> Spot {
            self.bets = bets;
            self.to_call = bets as Chips * self.bet;
            self.pot += self.to_call;
            self.offered()
        }

        /// The same with another pot.
        pub(crate) fn with_pot(mut self, pot: Chips) -> Spot {
            self.pot = pot;
            self
        }

        fn offered(mut self) -> Spot {
            let raise = Action::RaiseTo(self.wager + self.bet * (self.bets as Chips + 1));
            let actions: &[Action] =
                if self.to_call > 0 { &[Action::Fold, Action::Call, raise] } else { &[Action::Check, raise] };
            self.menu = Menu(actions.iter().copied().collect());
            self
        }

        /// What an action's index means.
        pub(crate) fn chosen(&self, index: usize) -> &'static str {
            match self.menu.0[index] {
                Action::Fold => "fold",
                Action::Check => "check",
                Action::Call => "call",
                Action::BringIn => "bring in",
                Action::RaiseTo(_) => "raise",
            }
        }
    }
}
