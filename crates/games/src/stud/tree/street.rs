//! One street's betting, compiled once and shared by every pot it is played for.
//!
//! Heads-up limit with deep stacks: what may be done on a street depends only on the street, on who shows a pair on
//! fourth, and on the wagers so far; never on the pot. A position is 0 for the player who opens the street.

use super::TreeError;
use crate::stud::{Action, Chips, DoubleBet, Permission, Rules, Street};
use arrayvec::ArrayVec;
use doorcard_efg::{RoundEnd, RoundNode, RoundStep, RoundTree};

/// The most actions at any node: fold, call, raise by a small bet, raise by a big bet.
pub const MAX_ACTIONS: usize = 4;

/// Where a street's betting ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The player in `position` folds and loses what it wagered here.
    Fold { position: u8, wager: Chips },
    /// Both have wagered the same.
    Matched { wager: Chips, bets: u8, aggressor: Option<u8> },
}

/// A decision within a street.
#[derive(Clone, Debug)]
pub(super) struct LocalNode {
    pub(super) position: u8,
    pub(super) actions: ArrayVec<Action, MAX_ACTIONS>,
    /// By action: a decision if below the number of decisions, else an end, counted from there.
    pub(super) next: [u16; MAX_ACTIONS],
    /// The first slot of this decision within the street's row of slots.
    pub(super) slot: u32,
}

/// A street's betting: decisions in depth-first order, then ends.
#[derive(Clone, Debug)]
pub(super) struct StreetTree {
    pub(super) decisions: Vec<LocalNode>,
    pub(super) ends: Vec<End>,
    /// Decision-action pairs.
    pub(super) slots: u32,
}

impl StreetTree {
    /// Compiles a street. `pairs`: which positions show a pair; it matters on fourth street only.
    ///
    /// # Errors
    /// If it has more places than ids.
    pub(super) fn compile(rules: &Rules, street: Street, pairs: [bool; 2]) -> Result<StreetTree, TreeError> {
        let mut tree = StreetTree { decisions: Vec::new(), ends: Vec::new(), slots: 0 };
        let round = Round {
            rules,
            street,
            pairs,
            wagers: [0; 2],
            bets: 0,
            doubled: false,
            actor: 0,
            acted: 0,
            aggressor: None,
        };
        let mut links = Vec::new();
        tree.visit(&round, &mut links);
        let decisions = tree.decisions.len();
        if decisions + tree.ends.len() > usize::from(u16::MAX) {
            return Err(TreeError::TooLarge);
        }
        for (from, action, to) in links {
            tree.decisions[from].next[action] = match to {
                Target::Decision(i) => i,
                Target::End(i) => decisions + i,
            } as u16;
        }
        Ok(tree)
    }

    /// The same in the form of vector solvers.
    pub(super) fn round_tree(&self) -> RoundTree {
        let step = |next: u16| match usize::from(next).checked_sub(self.decisions.len()) {
            Some(end) => RoundStep::End(end),
            None => RoundStep::Node(next.into()),
        };
        let node = |node: &LocalNode| RoundNode {
            position: node.position.into(),
            slot: node.slot as usize,
            next: node.next[..node.actions.len()].iter().map(|&next| step(next)).collect(),
        };
        let end = |end: &End| match *end {
            End::Fold { position, wager } => {
                RoundEnd::Fold { position: position.into(), wager: wager as f64 }
            }
            End::Matched { wager, .. } => RoundEnd::Matched { wager: wager as f64 },
        };
        RoundTree {
            nodes: self.decisions.iter().map(node).collect(),
            ends: self.ends.iter().map(end).collect(),
            slots: self.slots as usize,
        }
    }

    fn visit(&mut self, round: &Round<'_>, links: &mut Vec<(usize, usize, Target)>) -> Target {
        let actions = round.actions();
        let me = self.decisions.len();
        self.decisions.push(LocalNode {
            position: round.actor as u8,
            actions: actions.clone(),
            next: [0; MAX_ACTIONS],
            slot: self.slots,
        });
        self.slots += actions.len() as u32;
        for (i, &action) in actions.iter().enumerate() {
            let target = match round.after(action) {
                Step::Continue(next) => self.visit(&next, links),
                Step::End(end) => {
                    self.ends.push(end);
                    Target::End(self.ends.len() - 1)
                }
            };
            links.push((me, i, target));
        }
        Target::Decision(me)
    }
}

enum Target {
    Decision(usize),
    End(usize),
}

enum Step<'a> {
    Continue(Round<'a>),
    End(End),
}

/// The betting of a street so far.
#[derive(Clone)]
struct Round<'a> {
    rules: &'a Rules,
    street: Street,
    pairs: [bool; 2],
    /// By position, on this street.
    wagers: [Chips; 2],
    /// Completions, bets and raises; the bring-in is none.
    bets: u8,
    /// Whether a big bet has been made on fourth street.
    doubled: bool,
    actor: usize,
    /// Actions since the last bet.
    acted: u8,
    aggressor: Option<u8>,
}

impl<'a> Round<'a> {
    /// What is legal, in the order of the engine's menu: fold, check or call, bring-in, raises ascending.
    fn actions(&self) -> ArrayVec<Action, MAX_ACTIONS> {
        let mut actions = ArrayVec::new();
        let must_open = self.street == Street::Third && self.wagers == [0; 2];
        if must_open {
            actions.push(Action::BringIn);
        } else {
            let owes = self.wagers[1 - self.actor] > self.wagers[self.actor];
            if owes || self.rules.fold_unbet() == Permission::Allowed {
                actions.push(Action::Fold);
            }
            actions.push(if owes { Action::Call } else { Action::Check });
        }
        if self.rules.bet_cap().is_none_or(|cap| self.bets < cap) {
            actions.extend(self.raises());
        }
        actions
    }

    fn raises(&self) -> ArrayVec<Action, 2> {
        let top = self.wagers[0].max(self.wagers[1]);
        let small = self.rules.small_bet();
        let big = self.rules.big_bet();
        let mut raises = ArrayVec::new();
        match self.street {
            Street::Third if self.bets == 0 => raises.push(Action::RaiseTo(small)),
            Street::Third => raises.push(Action::RaiseTo(top + small)),
            Street::Fourth => {
                if !self.doubled {
                    raises.push(Action::RaiseTo(top + small));
                }
                if self.may_double() && big != small {
                    raises.push(Action::RaiseTo(top + big));
                }
            }
            _ => raises.push(Action::RaiseTo(top + big)),
        }
        raises
    }

    fn may_double(&self) -> bool {
        self.doubled
            || match self.rules.double_bet() {
                DoubleBet::AnyPlayer => self.pairs != [false; 2],
                DoubleBet::PairHolder => self.pairs[self.actor],
                DoubleBet::Off => false,
            }
    }

    fn after(&self, action: Action) -> Step<'a> {
        let mut next = self.clone();
        let me = self.actor;
        let top = self.wagers[0].max(self.wagers[1]);
        match action {
            Action::Fold => return Step::End(End::Fold { position: me as u8, wager: self.wagers[me] }),
            Action::Check | Action::Call => {
                next.wagers[me] = top;
                next.acted += 1;
                // A call of a bet ends the round; so do two checks, and a call of the bring-in alone.
                if action == Action::Call || next.acted == 2 {
                    return Step::End(End::Matched {
                        wager: top,
                        bets: self.bets,
                        aggressor: self.aggressor,
                    });
                }
            }
            Action::BringIn => next.wagers[me] = self.rules.bring_in(),
            Action::RaiseTo(to) => {
                next.doubled |= self.street == Street::Fourth && to - top > self.rules.small_bet();
                next.wagers[me] = to;
                next.bets += 1;
                next.acted = 1;
                next.aggressor = Some(me as u8);
            }
        }
        next.actor = 1 - me;
        Step::Continue(next)
    }
}
