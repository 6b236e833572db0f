//! What both players may hold, seen by somebody who knows all cards but the hole cards: those dealt face down on third
//! street.
//!
//! A hole weighs what its player's actions make of it. Within a street all that they tell goes by the player's groups, so
//! that what two ranges win of each other is a form in the factors of both players' groups: two tables over pairs of
//! groups, made once a street.

use super::Players;
use crate::lbr::{KnownPlayer, Seen};
use doorcard_abstraction::PublicMix;
use doorcard_cards::board::{Live, Values, pair_values};
use doorcard_cards::{Card, CardSet};
use doorcard_games::stud::showdown::{Strength, strength_by};
use doorcard_games::stud::tree::{Hands, Showdown};
use doorcard_games::stud::{Rules, Street, Variant};
use rand::Rng;
use rand::seq::SliceRandom;

/// Vectors of reach that are summed at once.
const LANES: usize = 8;

/// How many draws of what may still come are looked at before the last street. None of their cards come twice.
const DRAWS: usize = 3;

/// The holes of every street, and how many cards a player still gets.
pub(super) struct Holes {
    rules: Rules,
    /// Cards in a hole.
    size: usize,
    /// By street.
    streets: Vec<Hands>,
}

impl Holes {
    pub(super) fn new(rules: &Rules) -> Holes {
        let size = rules.down_cards(Street::Third);
        let left = |street| rules.deck().len() - 2 * known_cards(rules, street);
        let streets = Street::ALL[..rules.streets()].iter();
        Holes {
            rules: *rules,
            size,
            streets: streets.map(|&street| Hands::new(left(street), size, size)).collect(),
        }
    }

    /// How many cards, all known, a player will still be dealt after a street.
    fn missing(&self, street: Street) -> usize {
        known_cards(&self.rules, self.rules.last_street()) - known_cards(&self.rules, street)
    }

    /// The number of a hole, given the places of its cards among `left`, in ascending order.
    fn number(&self, left: usize, places: &[usize]) -> usize {
        match *places {
            [place] => place,
            [low, high] => low * (2 * left - low - 1) / 2 + high - low - 1,
            _ => unreachable!("a hole has one card or two"),
        }
    }

    /// Calls `f` with the places of every hole's cards among `left`, in the order of [`Hands`].
    fn each(&self, left: usize, mut f: impl FnMut(&[usize])) {
        for low in 0..left {
            match self.size {
                1 => f(&[low]),
                _ => (low + 1..left).for_each(|high| f(&[low, high])),
            }
        }
    }

    /// The strength of every hole of `left` beside the other cards of a player.
    fn strengths(&self, known: CardSet, left: CardSet) -> Vec<Strength> {
        if !self.rules.is_standard() {
            let cards: Vec<Card> = left.into_iter().collect();
            let mut strengths = Vec::new();
            self.each(cards.len(), |places| {
                let hole: CardSet = places.iter().map(|&place| cards[place]).collect();
                strengths.push(strength_by(&self.rules, known.union(hole)));
            });
            return strengths;
        }
        let live = Live::new(left);
        let values = |kind: Values| {
            let mut values = Vec::new();
            pair_values(kind, known, &live, &mut values);
            values.truncate(live.pairs());
            values
        };
        let variant = self.rules.variant();
        let high = values(if variant == Variant::Razz { Values::Razz } else { Values::High });
        let low = if variant == Variant::HiLo8 { values(Values::Eight) } else { vec![0; high.len()] };
        high.into_iter().zip(low).map(|(high, low)| Strength { high, low }).collect()
    }
}

/// How many cards of a player the observer knows on a street.
fn known_cards(rules: &Rules, street: Street) -> usize {
    rules.up_cards(street) + rules.down_cards(street) - rules.down_cards(Street::Third)
}

/// What one player may hold.
struct Range {
    /// The weight of each hole when the street began.
    start: Vec<f32>,
    /// The place of each hole's group in `groups`.
    place: Vec<u16>,
    /// The groups that weigh something.
    groups: Vec<u16>,
    /// What the actions of this street make of the weight of each.
    factors: Vec<f64>,
    public: PublicMix,
}

/// What both players may hold on a street.
pub(super) struct Ranges {
    pub(super) street: Street,
    /// The cards a hole may be of.
    left: Vec<Card>,
    ranges: [Range; 2],
    /// Over pairs of holes that share no card, the sum of the products of their weights. Shape: `[group][group]`.
    mass: Vec<f64>,
    /// The same, each product multiplied by twice seat 0's share less one; an unbiased estimate before the last street.
    margin: Vec<f64>,
}

/// The weight of both ranges, and the mean of twice seat 0's share at a showdown less one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Balance {
    pub(super) mass: f64,
    pub(super) margin: f64,
}

impl Balance {
    fn new(mass: f64, sum: f64) -> Balance {
        Balance { mass, margin: if mass > 0.0 { sum / mass } else { 0.0 } }
    }
}

/// What is known of the cards of a hand on a street, by seat.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) street: Street,
    pub(super) up: [&'a [Card]; 2],
    /// The down cards of later streets than the third.
    pub(super) later: [&'a [Card]; 2],
}

impl Known<'_> {
    fn of(&self, seat: usize) -> CardSet {
        CardSet::from(self.up[seat]).union(CardSet::from(self.later[seat]))
    }
}

impl Ranges {
    /// Third street. Every hole weighs the same, but of a player who does not tell its chances the `actual` one is all
    /// there is.
    pub(super) fn third<R: Rng + ?Sized>(
        holes: &Holes,
        players: Players<'_>,
        known: Known<'_>,
        actual: [&[Card]; 2],
        rng: &mut R,
    ) -> Ranges {
        let left = known.of(0).union(known.of(1));
        let left: Vec<Card> = holes.rules.deck().minus(left).into_iter().collect();
        let start = [0, 1].map(|seat: usize| {
            let mut weights = Vec::new();
            let hidden = CardSet::from(actual[seat]);
            holes.each(left.len(), |places| {
                let is_it = || places.iter().all(|&place| hidden.contains(left[place]));
                weights.push(if players[seat].is_some() || is_it() { 1.0 } else { 0.0 });
            });
            weights
        });
        Ranges::new(holes, players, known, left, start, rng)
    }

    /// The next street: of holes that can still be held, each weighs what the betting has made of it.
    pub(super) fn next<R: Rng + ?Sized>(
        &self,
        holes: &Holes,
        players: Players<'_>,
        known: Known<'_>,
        rng: &mut R,
    ) -> Ranges {
        let seen = known.of(0).union(known.of(1));
        let still: Vec<usize> =
            (0..self.left.len()).filter(|&place| !seen.contains(self.left[place])).collect();
        let start = self.ranges.each_ref().map(|range| {
            let mut weights = Vec::new();
            holes.each(still.len(), |places| {
                let mut before = [0; 2];
                before.iter_mut().zip(places).for_each(|(before, &place)| *before = still[place]);
                let hole = holes.number(self.left.len(), &before[..places.len()]);
                weights.push(range.start[hole] * range.factors[usize::from(range.place[hole])] as f32);
            });
            // Products of many small chances would vanish.
            let most = weights.iter().copied().fold(0.0, f32::max);
            assert!(most > 0.0, "the hole that a player has weighs something");
            weights.iter_mut().for_each(|weight| *weight /= most);
            weights
        });
        let left = still.iter().map(|&place| self.left[place]).collect();
        Ranges::new(holes, players, known, left, start, rng)
    }

    fn new<R: Rng + ?Sized>(
        holes: &Holes,
        players: Players<'_>,
        known: Known<'_>,
        left: Vec<Card>,
        start: [Vec<f32>; 2],
        rng: &mut R,
    ) -> Ranges {
        let from: CardSet = left.iter().copied().collect();
        let mut seat = 0..2;
        let ranges = start.map(|start| {
            let seat = seat.next().expect("two seats");
            let seen = Seen {
                street: known.street,
                seat,
                own_up: known.up[seat],
                opponent_up: known.up[1 - seat],
                own_later: known.later[seat],
                from,
            };
            Range::new(players[seat].map(|ranged| ranged.player), &seen, start)
        });
        let mut ranges = Ranges { street: known.street, left, ranges, mass: Vec::new(), margin: Vec::new() };
        let hands = &holes.streets[known.street.index()];
        ranges.mass = ranges.over_groups(hands, ranges.starts(), ranges.places(), None);
        ranges.margin = ranges.margins(holes, known, rng);
        ranges
    }

    fn starts(&self) -> [&[f32]; 2] {
        self.ranges.each_ref().map(|range| &range.start[..])
    }

    fn places(&self) -> [&[u16]; 2] {
        self.ranges.each_ref().map(|range| &range.place[..])
    }

    /// Sums over pairs of holes that share no card, by the groups of both: of the products of their weights, or, with a
    /// showdown, of these times twice seat 0's share less one.
    fn over_groups(
        &self,
        hands: &Hands,
        weights: [&[f32]; 2],
        places: [&[u16]; 2],
        showdown: Option<&Showdown>,
    ) -> Vec<f64> {
        let [rows, columns] = self.ranges.each_ref().map(|range| range.groups.len());
        let mut sums = vec![0.0; rows * columns];
        let len = weights[0].len();
        let mut reach = vec![[0.0; LANES]; len];
        let (mut mass, mut share) = (vec![[0.0; LANES]; len], vec![[0.0; LANES]; len]);
        for first in (0..columns).step_by(LANES) {
            for ((reach, &weight), &place) in reach.iter_mut().zip(weights[1]).zip(places[1]) {
                *reach = [0.0; LANES];
                if let Some(lane) = usize::from(place).checked_sub(first).filter(|&lane| lane < LANES) {
                    reach[lane] = weight;
                }
            }
            match showdown {
                Some(showdown) => hands.contest(showdown, 0, &reach, &mut mass, &mut share),
                None => hands.compatible(&reach, &mut mass),
            }
            let lanes = LANES.min(columns - first);
            for (hole, (&weight, &place)) in weights[0].iter().zip(places[0]).enumerate() {
                if weight == 0.0 {
                    continue;
                }
                let row = &mut sums[usize::from(place) * columns + first..][..lanes];
                for (lane, sum) in row.iter_mut().enumerate() {
                    let of_hole = match showdown {
                        Some(_) => 2.0 * share[hole][lane] - mass[hole][lane],
                        None => mass[hole][lane],
                    };
                    *sum += f64::from(weight) * f64::from(of_hole);
                }
            }
        }
        sums
    }

    /// What `margin` is: exact where no card is to come, else a mean over what may come. Each draw is followed by its
    /// mirror, in which the players get each other's cards.
    fn margins<R: Rng + ?Sized>(&self, holes: &Holes, known: Known<'_>, rng: &mut R) -> Vec<f64> {
        let (known, missing) = ([known.of(0), known.of(1)], holes.missing(self.street));
        if missing == 0 {
            return self.at_showdown(holes, known);
        }
        let left = self.left.len();
        let mut cards: Vec<usize> = (0..left).collect();
        let mut sums = vec![0.0; self.mass.len()];
        let mut draws = 0;
        cards.shuffle(rng);
        for draw in cards.chunks_exact(2 * missing).take(DRAWS) {
            let halves = draw.split_at(missing);
            for [first, second] in [[halves.0, halves.1], [halves.1, halves.0]] {
                let with = |known: CardSet, places: &[usize]| {
                    places.iter().fold(known, |known, &place| known.with(self.left[place]))
                };
                let of_draw = self.at_draw(holes, [with(known[0], first), with(known[1], second)], draw);
                sums.iter_mut().zip(of_draw).for_each(|(sum, of_draw)| *sum += of_draw);
                draws += 1;
            }
        }
        // Of all draws, those that leave two holes alone.
        let goes = |drawn: usize| (left - 2 * holes.size - drawn) as f64 / (left - drawn) as f64;
        let goes: f64 = (0..2 * missing).map(goes).product();
        sums.iter_mut().for_each(|sum| *sum /= f64::from(draws) * goes);
        sums
    }

    fn at_showdown(&self, holes: &Holes, known: [CardSet; 2]) -> Vec<f64> {
        let left = self.left.iter().copied().collect();
        let strengths = known.map(|known| holes.strengths(known, left));
        let showdown = Showdown::new([&strengths[0], &strengths[1]]);
        let hands = &holes.streets[holes.rules.last_street().index()];
        self.over_groups(hands, self.starts(), self.places(), Some(&showdown))
    }

    /// As at a showdown with these cards of both players, of which those at the places `drawn` are no longer left.
    fn at_draw(&self, holes: &Holes, known: [CardSet; 2], drawn: &[usize]) -> Vec<f64> {
        let still: Vec<usize> = (0..self.left.len()).filter(|place| !drawn.contains(place)).collect();
        let left = still.iter().map(|&place| self.left[place]).collect();
        let strengths = known.map(|known| holes.strengths(known, left));
        let showdown = Showdown::new([&strengths[0], &strengths[1]]);
        let (mut weights, mut places) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        holes.each(still.len(), |at| {
            let mut before = [0; 2];
            before.iter_mut().zip(at).for_each(|(before, &place)| *before = still[place]);
            let hole = holes.number(self.left.len(), &before[..at.len()]);
            for (seat, range) in self.ranges.iter().enumerate() {
                weights[seat].push(range.start[hole]);
                places[seat].push(range.place[hole]);
            }
        });
        let hands = &holes.streets[holes.rules.last_street().index()];
        let (weights, places) = ([&weights[0][..], &weights[1]], [&places[0][..], &places[1]]);
        self.over_groups(hands, weights, places, Some(&showdown))
    }

    /// The groups a player's hole may be of, and what else its chances depend on that both players see.
    pub(super) fn groups(&self, seat: usize) -> (&[u16], PublicMix) {
        let range = &self.ranges[seat];
        (&range.groups, range.public)
    }

    /// How the ranges stand.
    pub(super) fn balance(&self) -> Balance {
        self.balance_with(0, |_| 1.0)
    }

    /// How they would stand if the factor of each group of a player were multiplied by `chance`.
    pub(super) fn balance_with(&self, seat: usize, chance: impl Fn(usize) -> f64) -> Balance {
        let [rows, columns] = self.ranges.each_ref().map(|range| &range.factors[..]);
        let chances: Vec<f64> = (0..self.ranges[seat].factors.len()).map(chance).collect();
        let one = |of: usize, group: usize| if of == seat { chances[group] } else { 1.0 };
        let (mut mass, mut sum) = (0.0, 0.0);
        for (row, factor) in rows.iter().enumerate() {
            let (mut mass_of_row, mut sum_of_row) = (0.0, 0.0);
            for (column, of_column) in columns.iter().enumerate() {
                let of_column = of_column * one(1, column);
                let at = row * columns.len() + column;
                mass_of_row += of_column * self.mass[at];
                sum_of_row += of_column * self.margin[at];
            }
            mass += factor * one(0, row) * mass_of_row;
            sum += factor * one(0, row) * sum_of_row;
        }
        Balance::new(mass, sum)
    }

    /// A player has done what each of its groups does with this chance.
    pub(super) fn observe(&mut self, seat: usize, chance: impl Fn(usize) -> f64) {
        let factors = &mut self.ranges[seat].factors;
        factors.iter_mut().enumerate().for_each(|(group, factor)| *factor *= chance(group));
    }
}

impl Range {
    fn new(player: Option<&dyn KnownPlayer>, seen: &Seen<'_>, start: Vec<f32>) -> Range {
        let mut place = vec![0; start.len()];
        let public = player.map_or(PublicMix::one(0), |player| player.groups(seen, &mut place));
        let most = place.iter().copied().max().map_or(0, usize::from);
        let mut weighs = vec![false; most + 1];
        for (&group, &weight) in place.iter().zip(&start) {
            weighs[usize::from(group)] |= weight > 0.0;
        }
        // Groups that weigh nothing keep a place: nothing that is counted there is noticed.
        let (mut groups, mut places) = (Vec::new(), vec![0; most + 1]);
        for (group, _) in weighs.iter().enumerate().filter(|(_, weighs)| **weighs) {
            places[group] = groups.len() as u16;
            groups.push(group as u16);
        }
        place.iter_mut().for_each(|place| *place = places[usize::from(*place)]);
        Range { start, place, factors: vec![1.0; groups.len()], groups, public }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorcard_cards::Deck;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Tells holes apart by the sum of their cards' numbers.
    struct BySum;

    impl KnownPlayer for BySum {
        fn groups(&self, seen: &Seen<'_>, groups: &mut [u16]) -> PublicMix {
            let cards: Vec<Card> = seen.from.into_iter().collect();
            let pairs = (0..cards.len()).flat_map(|low| (low + 1..cards.len()).map(move |high| (low, high)));
            for (group, (low, high)) in groups.iter_mut().zip(pairs) {
                *group = ((cards[low].index() + cards[high].index()) % 5) as u16;
            }
            PublicMix::one(0)
        }

        fn probabilities(&self, _: &super::super::Decision<'_>, _: &[u16], _: &mut [f64]) {
            unreachable!("nobody acts here")
        }
    }

    /// On the real deck, with two hole cards and any number of cards to come, estimates are on average what hands dealt to
    /// the end come to, group by group.
    #[test]
    fn estimates_are_right_on_average() {
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(9);
        for (profile, street, dealt) in [
            ("stud_bench", Street::Fourth, ["AsAd", "7c2h"]),
            ("stud_bench", Street::Sixth, ["KsKdKc4h", "8c9hTd2s"]),
            ("stud_hilo8", Street::Fifth, ["As3d5c", "KhQc9d"]),
            ("razz", Street::Third, ["As", "Kd"]),
        ] {
            let rules = Rules::named(profile).unwrap();
            let holes = Holes::new(&rules);
            let cards = |text: &str| -> Vec<Card> {
                let pairs: Vec<char> = text.chars().collect();
                pairs.chunks(2).map(|card| card.iter().collect::<String>().parse().unwrap()).collect()
            };
            let up = dealt.map(cards);
            let known = Known { street, up: [&up[0], &up[1]], later: [&[], &[]] };
            let seen = known.of(0).union(known.of(1));
            let left: Vec<Card> = rules.deck().minus(seen).into_iter().collect();
            let tree = doorcard_games::stud::tree::StudTree::new(
                rules,
                doorcard_games::stud::tree::HistoryDetail::Counts,
            )
            .unwrap();
            let ranged = super::super::Ranged { player: &BySum, game: &tree };
            // Holes of a player are the likelier the lower, those of the other the higher.
            let mut start = [Vec::new(), Vec::new()];
            let mut pairs = Vec::new();
            holes.each(left.len(), |places| {
                let sum = (places[0] + places[1]) as f32 / (2 * left.len()) as f32;
                start[0].push(1.0 - 0.8 * sum);
                start[1].push(0.2 + sum * sum);
                pairs.push([left[places[0]], left[places[1]]]);
            });
            // What is estimated: all groups alike, and two of them taken out.
            let taken = |group: usize| if group.is_multiple_of(2) { 1.0 } else { 0.25 };
            let mut estimates = [doorcard_eval::stats::Moments::default(); 2];
            for _ in 0..400 {
                let ranges = Ranges::new(&holes, [Some(ranged); 2], known, left.clone(), start.clone(), rng);
                estimates[0].push(ranges.balance().margin);
                let (groups, _) = ranges.groups(0);
                estimates[1].push(ranges.balance_with(0, |place| taken(groups[place].into())).margin);
            }
            // Deals to the end: two holes by their weights, then any cards.
            let (mut sums, mut weights) = ([0.0; 2], [0.0; 2]);
            let mut squares = [0.0; 2];
            let mut deals = 0;
            while deals < 150_000 {
                let at = [0, 1].map(|_| rand::RngExt::random_range(&mut *rng, 0..pairs.len()));
                let [own, other] = at.map(|at| CardSet::from(&pairs[at][..]));
                if !own.intersection(other).is_empty() {
                    continue;
                }
                deals += 1;
                let held = own.union(other);
                let mut rest: Vec<Card> = left.iter().copied().filter(|&card| !held.contains(card)).collect();
                let missing = holes.missing(street);
                let (drawn, _) = rest.partial_shuffle(rng, 2 * missing);
                let (first, second) = drawn.split_at(missing);
                let whole = |seat: usize, hole: CardSet, drawn: &[Card]| {
                    strength_by(&rules, known.of(seat).union(hole).union(CardSet::from(drawn)))
                };
                let share = whole(0, own, first).share(whole(1, other, second));
                let group = (pairs[at[0]][0].index() + pairs[at[0]][1].index()) % 5;
                let plain = f64::from(start[0][at[0]]) * f64::from(start[1][at[1]]);
                for (which, weight) in [plain, plain * taken(group)].into_iter().enumerate() {
                    sums[which] += weight * (2.0 * share - 1.0);
                    weights[which] += weight;
                    squares[which] += weight * weight;
                }
            }
            for which in 0..2 {
                let truth = sums[which] / weights[which];
                let error = (squares[which].sqrt() / weights[which]).hypot(estimates[which].std_error());
                let off = (estimates[which].mean() - truth) / error;
                println!(
                    "{profile}, {street:?}: {truth:.4}, estimated {off:+.2} standard errors of {error:.4} away"
                );
                assert!(off.abs() < 4.0 && error < 0.01, "{profile}, {street:?}: {truth}, {off}");
            }
        }
    }

    /// Of the full deck strengths are found all at once: they are those of each hole, in the order of its number.
    #[test]
    fn strengths_are_those_of_each_hole() {
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(4);
        for profile in ["stud_bench", "stud_hilo8", "razz"] {
            let rules = Rules::named(profile).unwrap();
            let holes = Holes::new(&rules);
            for _ in 0..5 {
                let mut deck = Deck::new();
                let dealt = deck.deal(10, rng);
                let known: CardSet = dealt[..5].iter().copied().collect();
                let left = CardSet::from(dealt).complement();
                let (cards, found) = (left.into_iter().collect::<Vec<Card>>(), holes.strengths(known, left));
                let mut number = 0;
                holes.each(cards.len(), |places| {
                    assert_eq!(holes.number(cards.len(), places), number);
                    let hole: CardSet = places.iter().map(|&place| cards[place]).collect();
                    assert_eq!(
                        found[number],
                        strength_by(&rules, known.union(hole)),
                        "{profile}: {known} {hole}"
                    );
                    number += 1;
                });
                assert_eq!(number, found.len());
            }
        }
    }
}
