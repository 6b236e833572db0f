//! A betting round: what the player to act may do, and what an action changes.
//!
//! Two readings of all-in wagers below the full size live here, chosen by [`ShortAllIn`] in limit games; pot-limit and
//! no-limit games follow the second.
//! * [`ShortAllIn::HalfBet`] measures bets from `base`, the height of the last bet that counts as full. An all-in for
//!   half a bet or more on top of the highest wager is a bet; less is chips to call, which the next player may complete
//!   to a full bet above `base`. On third street half is half the way from the bring-in to the completion.
//! * [`ShortAllIn::FullRaise`] counts every wager towards the cap and asks for a full bet on top of it.
//!
//! A full bet or raise reopens the betting for everybody. Wagers below that reopen it for the seats that they have
//! raised, one or several together, by a full raise since those last acted; each seat's height is kept for this.
//! [`Reopening::Pokerkit`] instead follows PokerKit, which keeps one running sum of short all-ins for the table.

use super::dealing::Cards;
use super::opener::shows_pair;
use super::{
    Action, Betting, Chips, CompletionSize, DoubleBet, Legal, MAX_PLAYERS, Permission, PotLimitCounts, Raise,
    Reopening, Rules, SeatSet, ShortAllIn, ShortBringIn, Street,
};
use arrayvec::ArrayVec;

/// The chips of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bank {
    /// What each seat has left.
    pub(super) stacks: [Chips; MAX_PLAYERS],
    /// What each seat has put in on this street.
    pub(super) wagers: [Chips; MAX_PLAYERS],
    /// What each seat has put in altogether.
    pub(super) paid: [Chips; MAX_PLAYERS],
}

impl Bank {
    /// Moves chips from a stack to the pot, as antes are.
    pub(super) fn post(&mut self, seat: usize, chips: Chips) {
        self.stacks[seat] -= chips;
        self.paid[seat] += chips;
    }

    /// Raises a seat's wager on this street.
    fn wager_to(&mut self, seat: usize, to: Chips) {
        self.post(seat, to - self.wagers[seat]);
        self.wagers[seat] = to;
    }

    /// The most a seat's wager on this street can come to.
    fn reach(&self, seat: usize) -> Chips {
        self.wagers[seat] + self.stacks[seat]
    }

    pub(super) fn has_chips(&self, seat: usize) -> bool {
        self.stacks[seat] > 0
    }
}

/// What a round needs to know of the hand besides the chips.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) rules: &'a Rules,
    pub(super) street: Street,
    /// Who has not folded.
    pub(super) live: SeatSet,
    pub(super) cards: &'a Cards,
}

/// The state of a betting round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Round {
    /// Who is still to act.
    pub(super) pending: SeatSet,
    /// Who has acted and not had the betting reopened since.
    acted: SeatSet,
    /// The wager it took to stay in when each seat last acted.
    heights: [Chips; MAX_PLAYERS],
    /// Bets and raises that count towards the cap.
    pub(super) bets: u32,
    cap: u32,
    /// Whether the player to act must bring in or complete.
    bring_in_due: bool,
    /// Whether a completion or bet has been made, or is not needed.
    completed: bool,
    /// Whether a big bet has been made on a fourth street with a pair.
    doubled: bool,
    /// The highest wager.
    top: Chips,
    /// What everybody owes at least, after a bring-in that came up short.
    floor: Chips,
    /// Half-bet rule: the height of the last bet that counts as full.
    base: Chips,
    /// The largest bet or raise so far, by which the next must raise at least.
    raise_by: Chips,
    /// PokerKit's rule: the same with a completion measured from the bring-in, which a player must face to raise again.
    reopen_by: Chips,
    /// PokerKit's rule: the sum of the short all-ins since the last full raise.
    short_run: Chips,
}

impl Round {
    /// A round that nobody has acted in; `contenders` have chips to bet with.
    pub(super) fn new(rules: &Rules, street: Street, contenders: SeatSet, live: SeatSet) -> Round {
        let uncapped = rules.uncapped_heads_up() && live.len() == 2;
        let third = street == Street::Third;
        Round {
            pending: contenders,
            acted: SeatSet::EMPTY,
            heights: [0; MAX_PLAYERS],
            bets: 0,
            cap: rules.bet_cap().filter(|_| !uncapped).map_or(u32::MAX, u32::from),
            bring_in_due: third,
            completed: !third,
            doubled: false,
            top: 0,
            floor: 0,
            base: 0,
            raise_by: 0,
            reopen_by: 0,
            short_run: 0,
        }
    }

    /// The height of wager that lets a player stay in.
    fn target(&self) -> Chips {
        self.top.max(self.floor)
    }

    /// The chips it takes `seat` to stay in, no more than it has or than anybody could match.
    pub(super) fn owed(&self, scene: Scene, bank: &Bank, seat: usize) -> Chips {
        let others = scene.live.without(seat).into_iter().map(|other| bank.reach(other));
        let matched =
            if self.floor > self.top { others.max().unwrap_or(0).min(self.floor) } else { self.top };
        (matched.max(self.top) - bank.wagers[seat]).clamp(0, bank.stacks[seat])
    }

    /// Everything `seat`, who is to act, may do.
    pub(super) fn legal(&self, scene: Scene, bank: &Bank, seat: usize) -> Legal {
        let owed = self.owed(scene, bank, seat);
        let (raise, menu) = self.raise(scene, bank, seat, owed);
        if self.bring_in_due {
            let bring_in = scene.rules.bring_in().min(bank.stacks[seat]);
            return Legal { fold: false, call: None, bring_in: Some(bring_in), raise, menu };
        }
        let fold = owed > 0 || scene.rules.fold_unbet() == Permission::Allowed;
        Legal { fold, call: Some(owed), bring_in: None, raise, menu }
    }

    /// Completions, bets and raises open to `seat`, and the half-pot and pot sizes for the menu.
    fn raise(&self, scene: Scene, bank: &Bank, seat: usize, owed: Chips) -> (Raise, [Chips; 2]) {
        if !self.may_raise(scene, bank, seat, owed) {
            return (Raise::None, [0; 2]);
        }
        let all_in = bank.reach(seat);
        if scene.rules.betting() == Betting::Limit {
            let mut sizes = ArrayVec::new();
            for bet in self.bet_sizes(scene, seat) {
                let to = self.limit_raise(scene.rules, bet).min(all_in);
                if sizes.last() != Some(&to) {
                    sizes.push(to);
                }
            }
            return (Raise::Fixed(sizes), [0; 2]);
        }
        let bet = scene.rules.small_bet();
        let smallest = self.full_raise(bet);
        let called = self.target();
        let pot_after_call: Chips = bank.paid.iter().sum::<Chips>() + owed;
        let pot = called + pot_after_call;
        let half = called + pot_after_call / 2;
        let largest = match scene.rules.betting() {
            Betting::PotLimit => (called + countable_pot(scene, bank, seat, owed)).max(smallest).min(all_in),
            _ => all_in,
        };
        (Raise::Range { min: smallest.min(all_in), max: largest }, [half, pot])
    }

    /// Whether `seat` may complete, bet or raise at all.
    fn may_raise(&self, scene: Scene, bank: &Bank, seat: usize, owed: Chips) -> bool {
        let to_beat = self.target();
        let reaches_further = |other: usize| bank.reach(other) > to_beat;
        if self.bets >= self.cap
            || !reaches_further(seat)
            || !scene.live.without(seat).into_iter().any(reaches_further)
        {
            return false;
        }
        if self.bring_in_due {
            let tiny = bank.stacks[seat] <= scene.rules.bring_in();
            return !tiny || scene.rules.tiny_completion() == Permission::Allowed;
        }
        if !pokerkit_reopens(scene.rules) {
            return !self.acted.contains(seat);
        }
        let reopened = self.short_run == 0 || self.short_run >= self.reopen_by || !self.acted.contains(seat);
        owed >= self.reopen_by && reopened
    }

    /// The bets that `seat` may make or raise by in a limit game, ascending.
    fn bet_sizes(&self, scene: Scene, seat: usize) -> ArrayVec<Chips, 2> {
        let rules = scene.rules;
        let (small, big) = (rules.small_bet(), rules.big_bet());
        let mut sizes = ArrayVec::new();
        if scene.street != Street::Fourth || rules.double_bet() == DoubleBet::Off {
            sizes.push(rules.bet_size(scene.street));
            return sizes;
        }
        // Under the full-raise rule the size of the last raise sees to it that big bets stay big.
        if !(self.doubled && half_bet_rule(rules)) {
            sizes.push(small);
        }
        let pair = |seat: usize| shows_pair(scene.cards.up(seat));
        let double = match rules.double_bet() {
            DoubleBet::AnyPlayer => scene.live.into_iter().any(pair),
            DoubleBet::PairHolder => pair(seat),
            DoubleBet::Off => false,
        };
        let already = self.doubled && (half_bet_rule(rules) || rules.double_bet() == DoubleBet::PairHolder);
        if double || already {
            sizes.push(big);
        }
        sizes
    }

    /// The total wager of a bet or raise by `bet` in a limit game, before the stack limits it.
    fn limit_raise(&self, rules: &Rules, bet: Chips) -> Chips {
        if half_bet_rule(rules) { self.base + bet } else { self.full_raise(bet) }
    }

    /// The total wager of a completion, or of a raise by the last bet or raise, but at least by `bet`.
    fn full_raise(&self, bet: Chips) -> Chips {
        if self.completed { self.top + self.raise_by.max(bet) } else { bet }
    }

    /// Carries out a legal action of `seat`.
    pub(super) fn apply(&mut self, scene: Scene, bank: &mut Bank, seat: usize, action: Action) {
        self.pending = self.pending.without(seat);
        self.acted = self.acted.with(seat);
        match action {
            Action::Fold | Action::Check => {}
            Action::Call => {
                bank.wager_to(seat, bank.wagers[seat] + self.owed(scene, bank, seat));
                self.top = self.top.max(bank.wagers[seat]);
            }
            Action::BringIn => {
                let due = scene.rules.bring_in();
                bank.wager_to(seat, due.min(bank.stacks[seat]));
                self.top = bank.wagers[seat];
                self.floor = match scene.rules.short_bring_in() {
                    ShortBringIn::PayFull => due,
                    ShortBringIn::PayShort => 0,
                };
                self.bring_in_due = false;
            }
            Action::RaiseTo(to) => {
                bank.wager_to(seat, to);
                self.count_raise(scene, seat, to, bank.has_chips(seat));
                let others = scene.live.without(seat).into_iter();
                self.pending = others.filter(|&other| bank.has_chips(other)).collect();
            }
        }
        self.heights[seat] = self.target();
    }

    /// Takes note of a completion, bet or raise to `to`.
    fn count_raise(&mut self, scene: Scene, seat: usize, to: Chips, has_chips_left: bool) {
        let bet = self.bet_sizes(scene, seat)[0];
        if half_bet_rule(scene.rules) {
            self.count_half_bets(scene, seat, to, bet);
        } else {
            self.count_full_raises(scene, seat, to, bet, has_chips_left);
        }
        self.top = to;
        self.bring_in_due = false;
        self.completed = true;
    }

    /// The part of [`Round::count_raise`] under the half-bet rule; a bet is `bet` chips.
    fn count_half_bets(&mut self, scene: Scene, seat: usize, to: Chips, bet: Chips) {
        let rules = scene.rules;
        self.doubled |= scene.street == Street::Fourth && to - self.base > rules.small_bet();
        let (from, full) = if scene.street == Street::Third && self.bets == 0 {
            (self.target().max(rules.bring_in()), bet - rules.bring_in())
        } else {
            (self.target(), bet)
        };
        let is_bet = 2 * (to - from) >= full;
        // Several that are none alone come to a bet together.
        if is_bet || to - self.base >= bet {
            self.bets += 1;
            self.base = to;
        }
        self.reopen(seat, to, is_bet, full);
    }

    /// The part of [`Round::count_raise`] under the full-raise rule; a bet is `bet` chips.
    fn count_full_raises(&mut self, scene: Scene, seat: usize, to: Chips, bet: Chips, has_chips_left: bool) {
        let by = to - self.top;
        self.bets = self.bets.saturating_add(1);
        if pokerkit_reopens(scene.rules) {
            self.count_short_run(seat, by, has_chips_left);
        } else {
            let full = self.full_raise(bet);
            self.reopen(seat, to, to >= full, full - self.target());
        }
        let whole = !self.completed && scene.rules.completion_size() == CompletionSize::Whole;
        self.raise_by = self.raise_by.max(if whole { to } else { by });
        self.doubled = scene.street == Street::Fourth && self.raise_by > scene.rules.small_bet();
    }

    /// Reopens the betting after a wager to `to` of `seat`: for everybody if it `is_full`, else for those whom it puts
    /// `full` chips or more above the wager they last stayed in for.
    fn reopen(&mut self, seat: usize, to: Chips, is_full: bool, full: Chips) {
        let closed = |other: &usize| !is_full && to - self.heights[*other] < full;
        self.acted = self.acted.into_iter().filter(closed).collect::<SeatSet>().with(seat);
    }

    /// PokerKit's account of short all-ins after a wager by `by` chips.
    fn count_short_run(&mut self, seat: usize, by: Chips, has_chips_left: bool) {
        if by >= self.reopen_by {
            self.acted = SeatSet::EMPTY.with(seat);
            self.reopen_by = by;
        }
        self.short_run = if has_chips_left { 0 } else { self.short_run + by };
        if self.short_run >= self.reopen_by {
            self.short_run = 0;
        }
    }
}

/// Whether all-in wagers follow the half-bet rule.
fn half_bet_rule(rules: &Rules) -> bool {
    rules.betting() == Betting::Limit && rules.short_all_in() == ShortAllIn::HalfBet
}

/// Whether the betting reopens as in PokerKit.
fn pokerkit_reopens(rules: &Rules) -> bool {
    rules.reopening() == Reopening::Pokerkit && !half_bet_rule(rules)
}

/// The pot by which `seat` may raise in a pot-limit game once it has called.
fn countable_pot(scene: Scene, bank: &Bank, seat: usize, owed: Chips) -> Chips {
    let all_in = scene.live.into_iter().filter(|&other| !bank.has_chips(other));
    let winnable_by_all_in = match scene.rules.pot_limit_counts() {
        PotLimitCounts::All => 0,
        PotLimitCounts::SidePot => all_in.map(|other| bank.paid[other]).max().unwrap_or(0),
    };
    let paid = bank.paid.iter().enumerate();
    paid.map(|(other, &paid)| paid + if other == seat { owed } else { 0 })
        .map(|paid| (paid - winnable_by_all_in).max(0))
        .sum()
}
