//! Opponents whose chances to act are known for every hand they may hold.

use crate::external::is_external;
use crate::menu::Menu;
use crate::simple::holds_made_hand;
use crate::{BotError, NAMES, StrategyPlayer, probabilities};
use doorcard_abstraction::{BoardSituation, CardAbstraction, PublicMix};
use doorcard_cards::CardSet;
use doorcard_games::stud::tree::{Position, StudTree};
use doorcard_games::stud::{Street, Variant};

/// A decision of the opponent, as both players see it.
pub struct Decision<'a> {
    /// The game it is one of.
    pub game: &'a StudTree,
    /// The betting round.
    pub street: Street,
    /// Where in the betting.
    pub position: Position,
    /// What [`KnownPlayer::groups`] returned for the street.
    pub public: PublicMix,
}

impl Decision<'_> {
    /// How many actions there are.
    pub fn actions(&self) -> usize {
        self.game.tree().actions(self.position).len()
    }

    fn menu(&self) -> Menu {
        Menu(self.game.tree().actions(self.position).iter().copied().collect())
    }
}

/// A player whose chances to act are known for every hand it may hold: what a local best response needs of its opponent.
///
/// Hands that the player does not tell apart on a street form a group.
pub trait KnownPlayer: Sync {
    /// Writes the group of every set of hidden cards, in the order of
    /// [`Hidden::sets`](doorcard_abstraction::Hidden::sets), and returns what else its chances depend on that both
    /// players see: public buckets. The up cards called own are those of this player.
    fn groups(&self, board: &BoardSituation<'_>, groups: &mut [u16]) -> PublicMix;

    /// Writes the probability of every action for the given groups. Shape of `out`: `[place in groups][action]`.
    fn probabilities(&self, decision: &Decision<'_>, groups: &[u16], out: &mut [f64]);
}

impl<A: CardAbstraction> KnownPlayer for StrategyPlayer<A> {
    fn groups(&self, board: &BoardSituation<'_>, groups: &mut [u16]) -> PublicMix {
        self.cards().board(board, groups);
        self.cards().public_mix(board.street, board.own_up, board.opponent_up)
    }

    /// # Panics
    /// If the position is none of the strategy's own game, [`StrategyPlayer::game`].
    fn probabilities(&self, decision: &Decision<'_>, groups: &[u16], out: &mut [f64]) {
        let infosets = self.infosets();
        let Decision { street, position, public, .. } = *decision;
        for (&group, row) in groups.iter().zip(out.chunks_exact_mut(decision.actions())) {
            probabilities(self.strategy(), &infosets, street, (public, group), position, row);
        }
    }
}

/// A baseline player whose chances are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownBaseline {
    /// [`crate::Uniform`].
    Uniform,
    /// [`crate::CallingStation`].
    Call,
    /// [`crate::Maniac`].
    Raise,
    /// [`crate::AlwaysFold`].
    AlwaysFold,
    /// [`crate::Nit`] in a game of this variant.
    Fold(Variant),
}

impl KnownBaseline {
    /// The names that [`KnownBaseline::named`] knows.
    pub const NAMES: [&str; 5] = ["uniform", "call", "raise", "fold", "always_fold"];

    /// The baseline player with this name, in a game of this variant.
    ///
    /// # Errors
    /// If nobody has the name, or its bearer weighs chances in a way that is not known hand by hand.
    pub fn named(name: &str, variant: Variant) -> Result<KnownBaseline, BotError> {
        match name {
            "uniform" => Ok(KnownBaseline::Uniform),
            "call" => Ok(KnownBaseline::Call),
            "raise" => Ok(KnownBaseline::Raise),
            "always_fold" => Ok(KnownBaseline::AlwaysFold),
            "fold" => Ok(KnownBaseline::Fold(variant)),
            _ if NAMES.contains(&name) || is_external(name) => {
                Err(BotError::Unreadable { name: name.into() })
            }
            _ => Err(BotError::Unknown { name: name.chars().take(80).collect() }),
        }
    }
}

impl KnownPlayer for KnownBaseline {
    /// Players that do not look at their cards have one group; `fold` has those of hands without and with something
    /// made.
    fn groups(&self, board: &BoardSituation<'_>, groups: &mut [u16]) -> PublicMix {
        match *self {
            KnownBaseline::Fold(variant) => {
                let up = CardSet::from(board.own_up);
                for (group, hidden) in groups.iter_mut().zip(board.hidden.sets()) {
                    *group = holds_made_hand(variant, board.street, hidden.union(up)).into();
                }
            }
            _ => groups.fill(0),
        }
        PublicMix::one(0)
    }

    fn probabilities(&self, decision: &Decision<'_>, groups: &[u16], out: &mut [f64]) {
        let menu = decision.menu();
        for (&group, row) in groups.iter().zip(out.chunks_exact_mut(menu.0.len())) {
            let action = match self {
                KnownBaseline::Uniform => {
                    row.fill(1.0 / row.len() as f64);
                    continue;
                }
                KnownBaseline::Call => menu.passive(),
                KnownBaseline::Raise => menu.largest_raise(),
                KnownBaseline::AlwaysFold => menu.give_up(),
                KnownBaseline::Fold(_) if group == 1 => menu.passive(),
                KnownBaseline::Fold(_) => menu.give_up(),
            };
            row.fill(0.0);
            row[action] = 1.0;
        }
    }
}
