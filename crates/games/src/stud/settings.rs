//! The named choices of the rulebook: every point on which card rooms, our source documents or the replay oracle
//! differ is one of these enums, and never a choice hidden in code.
//!
//! The first value of each is the default.

use serde::{Deserialize, Serialize};

/// An amount of chips. Use cents where half a bet is not a whole number.
pub type Chips = i64;

macro_rules! setting {
    ($(#[$meta:meta])* $name:ident { $(#[$first_meta:meta])* $first:ident $(, $(#[$value_meta:meta])* $value:ident)* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $(#[$first_meta])*
            #[default]
            $first,
            $($(#[$value_meta])* $value,)*
        }
    };
}

setting! {
    /// How hands win.
    Variant {
        /// Seven-card stud: the best high hand.
        High,
        /// Stud hi/lo: half the pot for the best high hand, half for the best low that qualifies, with eight or better
        /// in the standard game.
        #[serde(rename = "hilo8")]
        HiLo8,
        /// The best ace-to-five low, without a qualifier.
        Razz,
    }
}

setting! {
    /// How much may be bet.
    Betting {
        /// Fixed bets: small on streets 3 and 4, big afterwards.
        Limit,
        /// Up to the pot.
        PotLimit,
        /// Up to the stack.
        NoLimit,
    }
}

setting! {
    /// Who may make the first big bet or raise on fourth street when a pair shows (limit games).
    DoubleBet {
        /// Anybody, as soon as anybody left in the hand shows a pair.
        AnyPlayer,
        /// Only a player whose own up cards are a pair; anybody once that has been done.
        PairHolder,
        /// Nobody.
        Off,
    }
}

setting! {
    /// Whether something unusual may be done.
    Permission {
        /// It is not among the legal actions.
        Refused,
        /// It is.
        Allowed,
    }
}

setting! {
    /// What an all-in wager of less than the full size does in a limit game.
    ShortAllIn {
        /// Half a bet or more on top of the highest wager counts as a full bet: the next raise is one bet on top of it.
        /// Less than half neither counts towards the cap nor reopens the betting, and the next player may complete it
        /// to the full bet; several that come to a full bet together count as one, and reopen the betting for those
        /// who face a full bet since they last acted. On third street half is half the way from the bring-in to the
        /// completion.
        HalfBet,
        /// It counts towards the cap and the next raise is a full bet on top of it. [`Reopening`] says who may raise
        /// again.
        FullRaise,
    }
}

setting! {
    /// Who may raise again after all-in wagers of less than a full raise, in pot-limit and no-limit games and in limit
    /// games under [`ShortAllIn::FullRaise`].
    Reopening {
        /// Players who face at least a full raise since they last acted, made by one wager or by several together.
        FullRaiseFaced,
        /// As PokerKit 0.7.7 has it: players who face at least the last full raise, if they have not acted since that
        /// raise or no short all-in has followed it. Short all-ins in a row that add up to a full raise are settled,
        /// and those after them start a new sum. A first bet of any size is a full one, also for players who have
        /// checked.
        Pokerkit,
    }
}

setting! {
    /// What the others owe when the low card brings in all-in for less than the bring-in.
    ShortBringIn {
        /// The whole bring-in.
        PayFull,
        /// What the low card could post.
        PayShort,
    }
}

setting! {
    /// What is shuffled back when the deck cannot serve seventh street; if that is not enough either, one face-up
    /// card is shared by all.
    ExhaustedDeck {
        /// The burnt cards.
        BurnsThenCommunity,
        /// Nothing.
        Community,
        /// The burnt cards and those of folded players. No card room does this; the oracle does.
        BurnsAndFoldedThenCommunity,
    }
}

setting! {
    /// Who shows first at a showdown.
    ShowFirst {
        /// The last to bet or raise on seventh street, or its opener if nobody did.
        LastAggressor,
        /// The opener of seventh street.
        Opener,
    }
}

setting! {
    /// Whether a beaten hand may be thrown away unseen.
    Muck {
        /// A hand that can win nothing any more is not shown.
        Allowed,
        /// Every hand is shown.
        Never,
    }
}

setting! {
    /// Who gets the chips that do not divide among equal hands.
    TieOddChips {
        /// All of them go to the tied player first in position.
        FirstLeft,
        /// One each, from the tied player first in position on.
        OneEach,
        /// All of them go to the tied player who holds the highest card, by rank and then by suit.
        HighSuit,
    }
}

setting! {
    /// Where the odd chip between the high and the low half goes.
    OddChip {
        /// To the high half.
        HighHand,
        /// To the half won by the player nearest to the dealer's left.
        LeftOfDealer,
        /// It stays for the next hand's pot.
        NextPot,
    }
}

setting! {
    /// How large a completion counts when the next raise is measured (pot-limit and no-limit).
    CompletionSize {
        /// A bring-in of 2 completed to 9 is a bet of 9.
        Whole,
        /// A bring-in of 2 completed to 9 is a raise of 7.
        OverBringIn,
    }
}

setting! {
    /// Which pots count towards a pot-limit raise once somebody is all-in.
    PotLimitCounts {
        /// Only chips that all-in players cannot win.
        SidePot,
        /// All chips.
        All,
    }
}

/// A betting round, named after the number of cards each player then holds in the standard game. Games with fewer
/// cards use the first of these names in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Street {
    /// Two down cards and the door card.
    Third,
    /// The second up card.
    Fourth,
    /// The third up card.
    Fifth,
    /// The fourth up card.
    Sixth,
    /// The river, dealt down.
    Seventh,
}

impl Street {
    /// The five streets in order.
    pub const ALL: [Street; 5] =
        [Street::Third, Street::Fourth, Street::Fifth, Street::Sixth, Street::Seventh];

    /// Third = 0 to seventh = 4.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The street's number, 3 to 7: how many cards each player holds in the standard game.
    pub const fn number(self) -> usize {
        self as usize + 3
    }

    /// How many up cards each player shows in the standard game, 1 to 4.
    pub const fn up_cards(self) -> usize {
        if self as usize == 4 { 4 } else { self as usize + 1 }
    }

    /// The street after this one in the standard game.
    pub const fn next(self) -> Option<Street> {
        match self {
            Street::Third => Some(Street::Fourth),
            Street::Fourth => Some(Street::Fifth),
            Street::Fifth => Some(Street::Sixth),
            Street::Sixth => Some(Street::Seventh),
            Street::Seventh => None,
        }
    }
}

/// The name of a setting's value as it stands in a rules file.
pub(super) fn name<T: Serialize>(value: T) -> String {
    toml::Value::try_from(value).map_or_else(|_| "?".into(), |value| value.as_str().unwrap_or("?").into())
}
