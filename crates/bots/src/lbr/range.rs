//! What the opponent may hold, by Bayes' rule.
//!
//! Within a street all that an action tells about a hand goes by its group: so weights are kept by group there, and hand
//! by hand only from street to street.

use super::known::{Decision, KnownPlayer, Seen};
use super::sets::Sets;
use doorcard_abstraction::PublicMix;
use doorcard_cards::Card;
use doorcard_cards::board::Live;
use doorcard_games::stud::tree::{Position, StudTree};
use doorcard_games::stud::{Rules, Street};

/// The hidden cards that the opponent may hold on a street, and how likely each is, up to a common factor.
#[cfg_attr(test, derive(Clone))]
pub(super) struct Range {
    pub(super) street: Street,
    /// What it may hold.
    sets: Sets,
    /// What the chances of its actions depend on beside the group.
    public: PublicMix,
    /// How likely each hidden set was when the street began.
    start: Vec<f64>,
    /// The place of each hidden set's group in `groups`.
    place: Vec<u16>,
    /// The groups there are.
    groups: Vec<u16>,
    /// By group: the weight of all its sets when the street began, and now.
    start_mass: Vec<f64>,
    mass: Vec<f64>,
    /// By group: the responder's mean share of the pot against it.
    share: Option<Vec<f64>>,
}

/// The chances of the opponent's actions at a decision. Shape: `[group][action]`.
pub(super) struct Chances {
    actions: usize,
    table: Vec<f64>,
}

impl Chances {
    /// The probabilities of all actions for a group.
    pub(super) fn row(&self, group: usize) -> &[f64] {
        &self.table[group * self.actions..][..self.actions]
    }

    /// The probability of an action by group.
    fn of(&self, action: usize) -> impl Iterator<Item = f64> + '_ {
        self.table.chunks_exact(self.actions).map(move |row| row[action])
    }
}

impl Range {
    /// Third street: every hole of unseen cards is as likely.
    pub(super) fn third(player: &dyn KnownPlayer, rules: &Rules, seen: &Seen<'_>) -> Range {
        let sets = Sets::in_order(rules, Street::Third, seen.from);
        let start = vec![1.0; sets.len()];
        Range::in_order(player, seen, sets, start)
    }

    /// The next street, after cards that leave only those of `seen` unseen. Of hidden cards that can still be held, each
    /// weigh what the betting has made of them; a card dealt face down may be any.
    pub(super) fn next(&self, player: &dyn KnownPlayer, rules: &Rules, seen: &Seen<'_>) -> Range {
        let factors: Vec<f64> =
            self.mass.iter().zip(&self.start_mass).map(|(now, start)| now / start).collect();
        let weight = |set: usize| self.start[set] * factors[usize::from(self.place[set])];
        let sets = Sets::in_order(rules, seen.street, seen.from);
        if self.sets.are_pairs() {
            let pairs = || self.pairs(sets.live(), weight);
            if sets.are_pairs() {
                let start = pairs();
                return Range::in_order(player, seen, sets, start);
            }
            // No street after the last asks which card came when.
            if let Some(triples) = sets.triples().filter(|_| seen.street == rules.last_street()) {
                let mut groups = vec![0; triples.len()];
                if let Some(public) = player.groups_of_triples(seen, &mut groups) {
                    let start = with_rivers(triples.live(), &pairs());
                    return Range::new(seen.street, triples, start, groups, public);
                }
            }
        }
        let dealt = self.sets.dealt();
        let start = sets.list().iter().map(|down| weight(self.sets.index(&down[..dealt]))).collect();
        Range::in_order(player, seen, sets, start)
    }

    /// The weights of all pairs of live cards, given those of this street's hidden sets, which are pairs too.
    fn pairs(&self, live: &Live, weight: impl Fn(usize) -> f64) -> Vec<f64> {
        let before: Vec<usize> = live.cards().iter().map(|&card| self.sets.place(card, &[])).collect();
        let mut pairs = Vec::with_capacity(live.pairs());
        for (i, &first) in before.iter().enumerate() {
            for &second in &before[i + 1..] {
                pairs.push(weight(self.sets.live().pair_index(first, second)));
            }
        }
        pairs
    }

    /// Hidden sets that the player is asked for in the order in which they were dealt.
    fn in_order(player: &dyn KnownPlayer, seen: &Seen<'_>, sets: Sets, start: Vec<f64>) -> Range {
        let mut groups = vec![0; start.len()];
        let mut chunks = groups.chunks_mut(sets.holes().max(1));
        let mut public = PublicMix::one(0);
        sets.each_sequence(|from, own_later| {
            let groups = chunks.next().expect("as many holes for each sequence");
            public = player.groups(&Seen { own_later, from, ..*seen }, groups);
        });
        Range::new(seen.street, sets, start, groups, public)
    }

    /// `place` is the group of each hidden set.
    fn new(street: Street, sets: Sets, start: Vec<f64>, mut place: Vec<u16>, public: PublicMix) -> Range {
        let most = place.iter().copied().max().map_or(0, |group| usize::from(group) + 1);
        let mut all = vec![0.0; most];
        for (&group, &weight) in place.iter().zip(&start) {
            all[usize::from(group)] += weight;
        }
        // Groups of no weight keep a place: nothing they are counted in notices, except that a mass of zero divides.
        let mut places = vec![0; most];
        let (mut groups, mut start_mass) = (Vec::new(), Vec::new());
        for (group, &weight) in all.iter().enumerate() {
            if weight > 0.0 {
                places[group] = groups.len() as u16;
                groups.push(group as u16);
                start_mass.push(weight);
            }
        }
        for place in &mut place {
            *place = places[usize::from(*place)];
        }
        let mass = start_mass.clone();
        Range { street, sets, public, start, place, groups, start_mass, mass, share: None }
    }

    /// How likely every hidden set is now, in the order of [`Sets::list`], up to a common factor.
    #[cfg(test)]
    pub(super) fn weights(&self) -> Vec<f64> {
        let factor = |place: u16| self.mass[usize::from(place)] / self.start_mass[usize::from(place)];
        self.start.iter().zip(&self.place).map(|(start, &place)| start * factor(place)).collect()
    }

    /// The place in [`Range::groups`] of the group of the cards that the opponent holds, in the order dealt.
    pub(super) fn group_of(&self, hidden: &[Card]) -> usize {
        self.place[self.sets.index(hidden)].into()
    }

    /// The chances of the opponent's actions at a decision on this street.
    pub(super) fn chances(&self, player: &dyn KnownPlayer, game: &StudTree, position: Position) -> Chances {
        let decision = Decision { game, street: self.street, position, public: self.public };
        let actions = decision.actions();
        let mut table = vec![0.0; actions * self.groups.len()];
        player.probabilities(&decision, &self.groups, &mut table);
        Chances { actions, table }
    }

    /// The opponent has taken an action.
    pub(super) fn observe(&mut self, chances: &Chances, action: usize) {
        for (mass, chance) in self.mass.iter_mut().zip(chances.of(action)) {
            *mass *= chance;
        }
    }
}

impl Range {
    /// Sets the responder's share of the pot against every hidden set, in their order, if that has not been done on this
    /// street.
    pub(super) fn set_shares(&mut self, shares: impl FnOnce(&Sets) -> Vec<f32>) {
        if self.share.is_some() {
            return;
        }
        let mut mean = vec![0.0; self.groups.len()];
        for ((&start, &place), share) in self.start.iter().zip(&self.place).zip(shares(&self.sets)) {
            mean[usize::from(place)] += start * f64::from(share);
        }
        for (mean, mass) in mean.iter_mut().zip(&self.start_mass) {
            *mean /= mass;
        }
        self.share = Some(mean);
    }

    /// Whether [`Range::set_shares`] has been called on this street.
    pub(super) fn has_shares(&self) -> bool {
        self.share.is_some()
    }

    /// The expected value of `value`, which is given each group's place and the responder's share against it.
    ///
    /// # Panics
    /// Before [`Range::set_shares`].
    pub(super) fn expect(&self, mut value: impl FnMut(usize, f64) -> f64) -> f64 {
        let shares = self.share.as_ref().expect("shares are set before they are asked for");
        let (mut total, mut sum) = (0.0, 0.0);
        for (group, (&mass, &share)) in self.mass.iter().zip(shares).enumerate() {
            total += mass;
            sum += mass * value(group, share);
        }
        sum / total
    }

    /// What the responder wins on average if both pay `paid` chips and show.
    pub(super) fn showdown(&self, paid: f64) -> f64 {
        self.expect(|_, share| paid * (2.0 * share - 1.0))
    }

    /// What the responder wins on average if the opponent, whose chances these are, either folds, having paid
    /// `forfeits`, or goes on to a showdown for which both pay `paid`. Units: chips.
    pub(super) fn fold_or_showdown(&self, chances: &Chances, fold: usize, forfeits: f64, paid: f64) -> f64 {
        let folds: Vec<f64> = chances.of(fold).collect();
        self.expect(|group, share| {
            folds[group] * forfeits + (1.0 - folds[group]) * paid * (2.0 * share - 1.0)
        })
    }
}

/// The weights of all triples, given those of pairs: any of the three may have come last.
fn with_rivers(live: &Live, pairs: &[f64]) -> Vec<f64> {
    let n = live.cards().len();
    let row = |i: usize| {
        // The pairs whose lower card is `i`, which begin with `i + 1`.
        if i + 1 < n { &pairs[live.pair_index(i, i + 1)..][..n - i - 1] } else { &[][..] }
    };
    let mut triples = Vec::with_capacity(live.triples());
    for i in 0..n {
        let of_i = row(i);
        for j in i + 1..n {
            let pair = of_i[j - i - 1];
            triples.extend(of_i[j - i..].iter().zip(row(j)).map(|(with_i, with_j)| pair + with_i + with_j));
        }
    }
    triples
}
