//! The responder's expected share of the pot against every pair or triple of cards that the opponent may hide.
//!
//! Seventh and sixth street are exact, with the cards of both players taken out of each other's rivers. Before, each
//! hidden pair is completed by the same runouts: the opponent's cards to come, drawn so that within a round no card
//! comes twice, which leaves little variance in the mean over a range. The responder's own final hand is there
//! distributed over all its completions by unseen cards (third street: over those with some fourth cards), the ones
//! that the opponent holds or draws not taken out.
//!
//! In games that are not the standard one the deck is small, and on every street all that may come to both players is
//! listed: shares are exact.

use super::sets::{Down, Sets};
use arrayvec::ArrayVec;
use doorcard_cards::board::{Live, Values, hidden_sets, pair_values, triple_values};
use doorcard_cards::{Card, CardSet};
use doorcard_games::stud::showdown::{Strength, strength, strength_by};
use doorcard_games::stud::{Rules, Street, StudError, Variant};
use rand::Rng;
use rand::seq::SliceRandom;

/// How often the unseen cards are dealt out into runouts on third, fourth and fifth street: 48, 45 and 44 runouts.
const ROUNDS: [usize; 3] = [4, 3, 2];

/// For how many fourth cards the responder's hands are counted on third street.
const FOURTH_CARDS: usize = 16;

/// Above all hand values; a power of two, so that no index needs a check.
const VALUES: usize = 1 << 13;

/// In games other than the standard one, the most ways in which cards may come to both players that are listed at a
/// decision.
const MOST_RUNOUTS: u64 = 1 << 20;

/// Refuses games of whose deck neither tables nor lists are made.
pub(super) fn check(rules: &Rules) -> Result<(), StudError> {
    let unseen = rules.deck().len() - 2 * rules.up_cards(Street::Third) - rules.down_cards(Street::Third);
    let choose = |n: usize, k: usize| (0..k as u64).fold(1, |ways, i| ways * (n as u64 - i) / (i + 1));
    let hole = rules.down_cards(Street::Third);
    let missing = rules.cards_each() - hole - rules.up_cards(Street::Third);
    let runouts = choose(unseen, hole)
        .saturating_mul(choose(unseen - hole, missing))
        .saturating_mul(choose(unseen - hole - missing, missing));
    if rules.is_standard() || runouts <= MOST_RUNOUTS {
        return Ok(());
    }
    Err(StudError::Value {
        field: "ranks",
        value: format!("{} cards", rules.deck().len()),
        expected:
            "the standard game for local best response, or a deck so small that all runouts can be listed"
                .into(),
    })
}

/// The responder's share against every hidden set, in their order. `own` are all its cards, `opponent_up` those that the
/// other shows.
pub(super) fn of_sets<R: Rng + ?Sized>(
    rules: &Rules,
    street: Street,
    own: CardSet,
    opponent_up: CardSet,
    sets: &Sets,
    rng: &mut R,
) -> Vec<f32> {
    if !rules.is_standard() {
        return by_listing(rules, own, opponent_up, sets);
    }
    let shares = shares(rules.variant(), street, own, opponent_up, sets.live(), rng);
    // Which of three cards came last does not matter here.
    match sets.triples() {
        Some(triples) => sets.list().iter().map(|down| shares[triples.index(down)]).collect(),
        None => shares,
    }
}

/// By everything that may still come to both players.
fn by_listing(rules: &Rules, own: CardSet, opponent_up: CardSet, sets: &Sets) -> Vec<f32> {
    let live: CardSet = sets.live().cards().iter().copied().collect();
    let missing = rules.cards_each() - own.len();
    let with = |known: CardSet| move |cards: CardSet| (cards, strength_by(rules, known.union(cards)));
    let ours: Vec<(CardSet, Strength)> = hidden_sets(live, missing).into_iter().map(with(own)).collect();
    let share = |down: &Down| {
        let hidden: CardSet = down.iter().copied().collect();
        let (mut sum, mut runouts) = (0.0, 0);
        for (theirs, other) in
            hidden_sets(live.minus(hidden), missing).into_iter().map(with(opponent_up.union(hidden)))
        {
            let taken = hidden.union(theirs);
            for (_, own) in ours.iter().filter(|(cards, _)| cards.is_disjoint(taken)) {
                sum += own.share(other);
                runouts += 1;
            }
        }
        (sum / f64::from(runouts)) as f32
    };
    sets.list().iter().map(share).collect()
}

/// The responder's share against every hidden set of the `live` cards, all that it has not seen, in the order of
/// [`hidden_sets`](doorcard_cards::board::hidden_sets). `own` are all its cards, `opponent_up` those that the other
/// shows.
pub(super) fn shares<R: Rng + ?Sized>(
    variant: Variant,
    street: Street,
    own: CardSet,
    opponent_up: CardSet,
    live: &Live,
    rng: &mut R,
) -> Vec<f32> {
    match street {
        Street::Seventh => at_showdown(variant, own, opponent_up, live),
        Street::Sixth => before_rivers(variant, own, opponent_up, live),
        Street::Third | Street::Fourth | Street::Fifth => {
            let mut cards: Vec<Card> = live.cards().to_vec();
            cards.shuffle(rng);
            let fourth_cards = &cards[..if street == Street::Third { FOURTH_CARDS } else { 0 }];
            let odds = Odds::of_completions(variant, own, live, fourth_cards, POT);
            let rounds = ROUNDS[street.index()];
            by_runouts(variant, &odds, opponent_up, live, rounds, &mut || {
                cards.shuffle(rng);
                cards.clone()
            })
        }
    }
}

/// The values of hidden sets behind the same known cards.
#[derive(Default)]
struct HandValues {
    main: Vec<u16>,
    /// Empty except in hi/lo.
    low: Vec<u16>,
}

impl HandValues {
    /// All that complete `known`, four cards by triples or five cards by pairs.
    fn fill(&mut self, variant: Variant, known: CardSet, live: &Live) {
        let values = if known.len() == 4 { triple_values } else { pair_values };
        let main = if variant == Variant::Razz { Values::Razz } else { Values::High };
        values(main, known, live, &mut self.main);
        if variant == Variant::HiLo8 {
            values(Values::Eight, known, live, &mut self.low);
        }
    }

    /// The strengths of so many sets from one on; `SPLIT` in hi/lo.
    fn strengths<const SPLIT: bool>(&self, from: usize, len: usize) -> impl Iterator<Item = Strength> + '_ {
        // Where there are no lows, what is read in their place is not used.
        let low = if SPLIT { &self.low } else { &self.main };
        let sets = self.main[from..][..len].iter().zip(&low[from..][..len]);
        sets.map(|(&high, &low)| Strength { high, low: if SPLIT { low } else { 0 } })
    }
}

fn at_showdown(variant: Variant, own: CardSet, opponent_up: CardSet, live: &Live) -> Vec<f32> {
    let own = strength(variant, own);
    let mut values = HandValues::default();
    values.fill(variant, opponent_up, live);
    let quarters = |quarters: u16| f32::from(quarters) / 4.0;
    match variant {
        Variant::HiLo8 => values
            .strengths::<true>(0, live.triples())
            .map(|other| quarters(won::<true>(own, other)))
            .collect(),
        Variant::High | Variant::Razz => values
            .strengths::<false>(0, live.triples())
            .map(|other| quarters(won::<false>(own, other)))
            .collect(),
    }
}

/// [`Strength::share`] in quarters of the pot, for inner loops.
#[inline(always)]
fn won<const SPLIT: bool>(own: Strength, other: Strength) -> u16 {
    let halves = |own: u16, other: u16| u16::from(own > other) + u16::from(own >= other);
    let high = halves(own.high, other.high);
    high + if SPLIT && own.low.max(other.low) > 0 { halves(own.low, other.low) } else { high }
}

/// On sixth street a triple is a pair and a river. With n live cards a pair leaves n - 2 rivers to its holder, and each
/// of those n - 3 to the responder: all but the triple.
fn before_rivers(variant: Variant, own: CardSet, opponent_up: CardSet, live: &Live) -> Vec<f32> {
    let rivers: Vec<Strength> =
        live.cards().iter().map(|&river| strength(variant, own.with(river))).collect();
    // In quarters of a pot for each river: exact.
    let odds = Odds::of(variant, rivers.iter().copied(), 4 * rivers.len() as u32);
    let mut values = HandValues::default();
    values.fill(variant, opponent_up, live);
    match variant {
        Variant::HiLo8 => rivers_apart::<true>(&rivers, &odds, &values, live),
        Variant::High | Variant::Razz => rivers_apart::<false>(&rivers, &odds, &values, live),
    }
}

fn rivers_apart<const SPLIT: bool>(
    rivers: &[Strength],
    odds: &Odds,
    values: &HandValues,
    live: &Live,
) -> Vec<f32> {
    let n = rivers.len();
    let mut sums = vec![0u32; live.pairs()];
    let mut set = 0;
    for i in 0..n {
        for j in i + 1..n {
            let pair = live.pair_index(i, j);
            let thirds = &rivers[j + 1..];
            let row_of_j = if thirds.is_empty() { live.pairs() } else { live.pair_index(j, j + 1) };
            let (upper, lower) = sums.split_at_mut(row_of_j);
            let with_i = &mut upper[pair + 1..][..thirds.len()];
            let with_j = &mut lower[..thirds.len()];
            let mut of_pair = 0;
            let others = values.strengths::<SPLIT>(set, thirds.len());
            for (((&third, other), with_i), with_j) in thirds.iter().zip(others).zip(with_i).zip(with_j) {
                let taken = [rivers[i], rivers[j], third].map(|river| won::<SPLIT>(river, other));
                let won = u32::from(odds.share::<SPLIT>(other) - taken.iter().sum::<u16>());
                of_pair += won;
                *with_i += won;
                *with_j += won;
            }
            sums[pair] += of_pair;
            set += thirds.len();
        }
    }
    let completions = (4 * (n - 2) * (n - 3)) as f32;
    sums.into_iter().map(|sum| sum as f32 / completions).collect()
}

/// What the responder's unknown final hand wins against a known one, by value.
struct Odds {
    /// Of the pot, or of its high half.
    main: Vec<u16>,
    /// Of what is for low, against hands with a low: by its value.
    low: Vec<u16>,
    /// Of what is for low, against hands without one: by their value for high, which counts a second time if the
    /// responder has no low either.
    no_low: Vec<u16>,
}

impl Odds {
    /// The responder has each of these hands with equal chance. The whole pot is `pot` units, below 2^16.
    fn of(variant: Variant, hands: impl Iterator<Item = Strength>, pot: u32) -> Odds {
        let mut counts = Counts::new(variant);
        hands.for_each(|hand| counts.add(hand));
        counts.odds(pot)
    }

    /// The responder's cards are completed to seven by unseen ones, on third street first by each of `fourth_cards`.
    fn of_completions(variant: Variant, own: CardSet, live: &Live, fourth_cards: &[Card], pot: u32) -> Odds {
        let mut counts = Counts::new(variant);
        let mut values = HandValues::default();
        if fourth_cards.is_empty() {
            values.fill(variant, own, live);
            counts.add_all(&values);
        }
        let unseen: CardSet = live.cards().iter().copied().collect();
        for &fourth in fourth_cards {
            values.fill(variant, own.with(fourth), &Live::new(unseen.without(fourth)));
            counts.add_all(&values);
        }
        counts.odds(pot)
    }

    #[inline(always)]
    fn share<const SPLIT: bool>(&self, other: Strength) -> u16 {
        let high = usize::from(other.high) & (VALUES - 1);
        let main = self.main[high];
        if !SPLIT {
            return main;
        }
        let low = match other.low {
            0 => self.no_low[high],
            low => self.low[usize::from(low) & (VALUES - 1)],
        };
        main + low
    }
}

/// How many of the responder's hands have each value.
struct Counts {
    total: u32,
    main: Vec<u32>,
    /// Hi/lo only, else empty: by low, and those without one by their value for high.
    low: Vec<u32>,
    no_low: Vec<u32>,
}

impl Counts {
    fn new(variant: Variant) -> Counts {
        let split = if variant == Variant::HiLo8 { VALUES } else { 0 };
        Counts { total: 0, main: vec![0; VALUES], low: vec![0; split], no_low: vec![0; split] }
    }

    fn add(&mut self, hand: Strength) {
        self.total += 1;
        self.main[usize::from(hand.high)] += 1;
        match (hand.low, self.low.is_empty()) {
            (_, true) => {}
            (0, false) => self.no_low[usize::from(hand.high)] += 1,
            (low, false) => self.low[usize::from(low)] += 1,
        }
    }

    fn add_all(&mut self, values: &HandValues) {
        for (set, &high) in values.main.iter().enumerate() {
            self.add(Strength { high, low: values.low.get(set).copied().unwrap_or(0) });
        }
    }

    fn odds(&self, pot: u32) -> Odds {
        let with_low: u32 = self.low.iter().sum();
        let side = if self.low.is_empty() { pot } else { pot / 2 };
        Odds {
            main: self.cumulate(&self.main, 0, side),
            low: self.cumulate(&self.low, 0, side),
            no_low: self.cumulate(&self.no_low, with_low, side),
        }
    }

    /// By value, the part of the responder's hands that beat it and half of those that equal it; `more` hands beat
    /// all. Units: one part of `unit`.
    fn cumulate(&self, counts: &[u32], more: u32, unit: u32) -> Vec<u16> {
        let mut above = more + counts.iter().sum::<u32>();
        // Twice as many hands, and rounded to the nearest: exact where the unit is a multiple of that.
        let factor = f64::from(unit) / f64::from(2 * self.total);
        let step = |&count: &u32| {
            above -= count;
            (f64::from(2 * above + count) * factor + 0.5) as u16
        };
        counts.iter().map(step).collect()
    }
}

/// The pot in the units of shares that are summed over runouts.
const POT: u32 = 1 << 15;

/// `deal` gives the live cards in a random order.
fn by_runouts(
    variant: Variant,
    odds: &Odds,
    opponent_up: CardSet,
    live: &Live,
    rounds: usize,
    deal: &mut dyn FnMut() -> Vec<Card>,
) -> Vec<f32> {
    let n = live.cards().len();
    let mut sums = Sums { of_pairs: vec![0; live.pairs()], runouts: 0, without: [0; 64] };
    let unseen: CardSet = live.cards().iter().copied().collect();
    let mut values = HandValues::default();
    for _ in 0..rounds {
        for runout in deal().chunks_exact(5 - opponent_up.len()) {
            let runout = CardSet::from(runout);
            values.fill(variant, opponent_up.union(runout), &Live::new(unseen.minus(runout)));
            match variant {
                Variant::HiLo8 => sums.add::<true>(odds, live, runout, &values),
                Variant::High | Variant::Razz => sums.add::<false>(odds, live, runout, &values),
            }
        }
    }
    let parts: Vec<f32> = (0..=sums.runouts).map(|runouts| 1.0 / (runouts * POT) as f32).collect();
    let mut shares = Vec::with_capacity(live.pairs());
    for i in 0..n {
        for j in i + 1..n {
            let missed = (sums.without[i] | sums.without[j]).count_ones();
            shares.push(sums.of_pairs[shares.len()] as f32 * parts[(sums.runouts - missed) as usize]);
        }
    }
    shares
}

/// The responder's shares over runouts.
struct Sums {
    /// By hidden pair. Units: 1/[`POT`].
    of_pairs: Vec<u32>,
    /// How many so far, at most 64.
    runouts: u32,
    /// By the place of a live card: the runouts it is one of, which pairs with it go without.
    without: [u64; 64],
}

impl Sums {
    /// `values` are those of the pairs of live cards that are not in the runout, in order.
    fn add<const SPLIT: bool>(&mut self, odds: &Odds, live: &Live, runout: CardSet, values: &HandValues) {
        // The live cards that are left: runs of neighbours, cut at the cards of the runout.
        let mut runs: ArrayVec<std::ops::Range<usize>, 8> = ArrayVec::new();
        let mut start = 0;
        for (place, &card) in live.cards().iter().enumerate() {
            if runout.contains(card) {
                self.without[place] |= 1 << self.runouts;
                runs.push(start..place);
                start = place + 1;
            }
        }
        runs.push(start..live.cards().len());
        self.runouts += 1;
        let mut set = 0;
        for (nth, run) in runs.iter().enumerate() {
            for i in run.clone() {
                let next = std::iter::once(i + 1..run.end).chain(runs[nth + 1..].iter().cloned());
                for seconds in next.filter(|seconds| !seconds.is_empty()) {
                    let row = &mut self.of_pairs[live.pair_index(i, seconds.start)..][..seconds.len()];
                    let others = values.strengths::<SPLIT>(set, seconds.len());
                    for (sum, other) in row.iter_mut().zip(others) {
                        *sum += u32::from(odds.share::<SPLIT>(other));
                    }
                    set += seconds.len();
                }
            }
        }
    }
}
