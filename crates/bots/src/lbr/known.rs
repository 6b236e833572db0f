//! Opponents whose chances to act are known for every hand they may hold.

use crate::external::is_external;
use crate::menu::Menu;
use crate::simple::holds_made_hand;
use crate::{BotError, NAMES, StrategyPlayer, probabilities};
use arrayvec::ArrayVec;
use doorcard_abstraction::{BoardSituation, CardAbstraction, Hidden, LabelInfosets, PublicMix};
use doorcard_cards::board::hidden_sets;
use doorcard_cards::{Card, CardSet};
use doorcard_efg::{Policy, PublicInfosets};
use doorcard_games::stud::tree::{Position, StudBoard, StudTree, TreeError};
use doorcard_games::stud::{Rules, Street, StudError, Variant};

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

/// What somebody sees of one player who does not see its hole cards.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The betting round.
    pub street: Street,
    /// The player's seat: only in small games are the seats of a strategy not alike.
    pub seat: usize,
    /// The player's up cards.
    pub own_up: &'a [Card],
    /// The opponent's.
    pub opponent_up: &'a [Card],
    /// The player's down cards of later streets than the third, in the order dealt: the river.
    pub own_later: &'a [Card],
    /// The cards that its hole may be of.
    pub from: CardSet,
}

impl<'a> Seen<'a> {
    /// In the standard game: the player's pairs.
    ///
    /// # Panics
    /// If it has more than one card face down after third street.
    fn pairs(&self) -> BoardSituation<'a> {
        let Seen { street, own_up, opponent_up, own_later, from, .. } = *self;
        let hidden = match *own_later {
            [] => Hidden::Pairs { from },
            [river] => Hidden::PairsAndRiver { from, river },
            _ => panic!("{own_later:?} face down after third street"),
        };
        BoardSituation { street, own_up, opponent_up, hidden }
    }

    /// In the standard game: the player's sets of three cards.
    fn triples(&self) -> BoardSituation<'a> {
        let Seen { street, own_up, opponent_up, from, .. } = *self;
        BoardSituation { street, own_up, opponent_up, hidden: Hidden::Triples { from } }
    }
}

/// A player whose chances to act are known for every hand it may hold: what a local best response needs of its opponent,
/// and AIVAT of anybody.
///
/// Hands that the player does not tell apart on a street form a group.
pub trait KnownPlayer: Sync {
    /// Refuses games whose hands the player does not know: here all but the standard one.
    ///
    /// # Errors
    /// Names what differs.
    fn check(&self, rules: &Rules) -> Result<(), StudError> {
        rules.require_standard("the opponent of local best response")
    }

    /// Writes the group of every hole, sets of cards in lexicographic order, and returns what else its chances depend on
    /// that both players see.
    fn groups(&self, seen: &Seen<'_>, groups: &mut [u16]) -> PublicMix;

    /// The same for sets of three hidden cards, whichever of them came last: those of `seen.from`, which has all of them.
    /// `None` from players who remember which it was.
    fn groups_of_triples(&self, _seen: &Seen<'_>, _groups: &mut [u16]) -> Option<PublicMix> {
        None
    }

    /// Writes the probability of every action for the given groups. Shape of `out`: `[place in groups][action]`.
    fn probabilities(&self, decision: &Decision<'_>, groups: &[u16], out: &mut [f64]);
}

impl<A: CardAbstraction> StrategyPlayer<A> {
    fn groups_of(&self, board: &BoardSituation<'_>, groups: &mut [u16]) -> PublicMix {
        self.cards().board(board, groups);
        self.cards().public_mix(board.street, board.own_up, board.opponent_up)
    }
}

impl<A: CardAbstraction> KnownPlayer for StrategyPlayer<A> {
    fn groups(&self, seen: &Seen<'_>, groups: &mut [u16]) -> PublicMix {
        self.groups_of(&seen.pairs(), groups)
    }

    fn groups_of_triples(&self, seen: &Seen<'_>, groups: &mut [u16]) -> Option<PublicMix> {
        (!self.cards().tells_rivers_apart()).then(|| self.groups_of(&seen.triples(), groups))
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

/// The player of a policy over the infosets of a small game, exact ones or with cards that it cannot tell apart.
pub struct KnownPolicy<'a> {
    infosets: &'a LabelInfosets<'a>,
    policy: &'a dyn Policy,
}

impl<'a> KnownPolicy<'a> {
    /// Who plays by `policy`.
    ///
    /// # Errors
    /// If the game has more than 32,767 boards.
    pub fn new(
        infosets: &'a LabelInfosets<'a>,
        policy: &'a dyn Policy,
    ) -> Result<KnownPolicy<'a>, TreeError> {
        let game = infosets.game();
        // A board and a seat are one number of 16 bits.
        match game.boards().last() {
            Some(last) if last.index() >= 1 << 15 => Err(TreeError::DeckTooLarge(game.rules().deck().len())),
            _ => Ok(KnownPolicy { infosets, policy }),
        }
    }

    /// The game it plays.
    pub fn game(&self) -> &'a StudTree {
        self.infosets.game().game()
    }
}

impl KnownPlayer for KnownPolicy<'_> {
    fn check(&self, _: &Rules) -> Result<(), StudError> {
        Ok(())
    }

    fn groups(&self, seen: &Seen<'_>, groups: &mut [u16]) -> PublicMix {
        let game = self.infosets.game();
        let mut up = [seen.own_up, seen.opponent_up];
        up.rotate_right(seen.seat);
        let board = game.board_of(up, seen.street);
        let buckets = self.infosets.buckets(board);
        let holes = hidden_sets(seen.from, game.rules().down_cards(Street::Third));
        for (group, hole) in groups.iter_mut().zip(holes) {
            let down: ArrayVec<Card, 3> = hole.into_iter().chain(seen.own_later.iter().copied()).collect();
            *group = buckets[game.hand_of(board, &down)] as u16;
        }
        PublicMix::one((2 * board.index() + seen.seat) as u16)
    }

    /// # Panics
    /// If the position is none of its own game, [`KnownPolicy::game`].
    fn probabilities(&self, decision: &Decision<'_>, groups: &[u16], out: &mut [f64]) {
        let public = usize::from(decision.public.first());
        let (board, seat) = (StudBoard::of_index(public / 2), public % 2);
        let block = self.infosets.block(self.infosets.game(), decision.position, &board, seat);
        for (&group, row) in groups.iter().zip(out.chunks_exact_mut(decision.actions())) {
            self.policy.probabilities(block.base + block.stride * u64::from(group), row);
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

impl KnownBaseline {
    /// Players that do not look at their cards have one group; `fold` has those of hands without and with something
    /// made.
    fn groups_of<'b>(&self, board: impl FnOnce() -> BoardSituation<'b>, groups: &mut [u16]) -> PublicMix {
        match *self {
            KnownBaseline::Fold(variant) => {
                let board = board();
                let up = CardSet::from(board.own_up);
                for (group, hidden) in groups.iter_mut().zip(board.hidden.sets()) {
                    *group = holds_made_hand(variant, board.street, hidden.union(up)).into();
                }
            }
            _ => groups.fill(0),
        }
        PublicMix::one(0)
    }
}

impl KnownPlayer for KnownBaseline {
    fn check(&self, rules: &Rules) -> Result<(), StudError> {
        match self {
            KnownBaseline::Fold(_) => rules.require_standard("fold"),
            _ => Ok(()),
        }
    }

    fn groups(&self, seen: &Seen<'_>, groups: &mut [u16]) -> PublicMix {
        self.groups_of(|| seen.pairs(), groups)
    }

    fn groups_of_triples(&self, seen: &Seen<'_>, groups: &mut [u16]) -> Option<PublicMix> {
        Some(self.groups_of(|| seen.triples(), groups))
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
