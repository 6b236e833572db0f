//! The responder's expected share of the pot against every pair or triple of cards that the opponent may hide.
//!
//! Seventh and sixth street are exact, with the cards of both players taken out of each other's rivers. Before, each
//! hidden pair is completed by the same runouts: the opponent's cards to come, drawn so that within a round no card
//! comes twice, which leaves little variance in the mean over a range. The responder's own final hand is there
//! distributed over all its completions by unseen cards (third street: over those with some fourth cards), the ones
//! that the opponent holds or draws not taken out.

use arrayvec::ArrayVec;
use doorcard_cards::board::{Live, Values, pair_values, triple_values};
use doorcard_cards::{Card, CardSet};
use doorcard_games::stud::showdown::{Strength, strength};
use doorcard_games::stud::{Street, Variant};
use rand::Rng;
use rand::seq::SliceRandom;

/// How often the unseen cards are dealt out into runouts on third, fourth and fifth street: 48, 45 and 44 runouts.
const ROUNDS: [usize; 3] = [4, 3, 2];

/// For how many fourth cards the responder's hands are counted on third street.
const FOURTH_CARDS: usize = 16;

/// Above all hand values; a power of two, so that no index needs a check.
const VALUES: usize = 1 << 13;

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
            let odds = Odds::of_completions(variant, own, live, fourth_cards);
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

    /// The strength of a set; `SPLIT` in hi/lo.
    #[inline(always)]
    fn get<const SPLIT: bool>(&self, set: usize) -> Strength {
        Strength { high: self.main[set], low: if SPLIT { self.low[set] } else { 0 } }
    }
}

fn at_showdown(variant: Variant, own: CardSet, opponent_up: CardSet, live: &Live) -> Vec<f32> {
    let own = strength(variant, own);
    let mut values = HandValues::default();
    values.fill(variant, opponent_up, live);
    if variant == Variant::HiLo8 {
        (0..live.triples()).map(|set| own.share(values.get::<true>(set)) as f32).collect()
    } else {
        values.main.iter().map(|&other| beats(own.high, other)).collect()
    }
}

/// 1 for the better hand, a half for equal ones.
#[inline(always)]
fn beats(own: u16, other: u16) -> f32 {
    f32::from(u8::from(own > other) + u8::from(own >= other)) / 2.0
}

/// As [`Strength::share`], for the inner loops.
#[inline(always)]
fn share<const SPLIT: bool>(own: Strength, other: Strength) -> f32 {
    let high = beats(own.high, other.high);
    if SPLIT && own.low.max(other.low) > 0 { (high + beats(own.low, other.low)) / 2.0 } else { high }
}

/// On sixth street a triple is a pair and a river. With n live cards a pair leaves n - 2 rivers to its holder, and each
/// of those n - 3 to the responder: all but the triple.
fn before_rivers(variant: Variant, own: CardSet, opponent_up: CardSet, live: &Live) -> Vec<f32> {
    let rivers: Vec<Strength> =
        live.cards().iter().map(|&river| strength(variant, own.with(river))).collect();
    let odds = Odds::of(variant, rivers.iter().copied());
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
    let mut sums = vec![0.0; live.pairs()];
    let mut set = 0;
    for i in 0..n {
        for j in i + 1..n {
            let pair = live.pair_index(i, j);
            let thirds = n - 1 - j;
            let row_of_j = if thirds > 0 { live.pair_index(j, j + 1) } else { live.pairs() };
            let (upper, lower) = sums.split_at_mut(row_of_j);
            let (with_i, with_j) = (&mut upper[pair + 1..][..thirds], &mut lower[..thirds]);
            let mut of_pair = 0.0;
            for (k, (with_i, with_j)) in (j + 1..n).zip(with_i.iter_mut().zip(with_j)) {
                let other = values.get::<SPLIT>(set);
                set += 1;
                let taken = share::<SPLIT>(rivers[i], other)
                    + share::<SPLIT>(rivers[j], other)
                    + share::<SPLIT>(rivers[k], other);
                let won = n as f32 * odds.share::<SPLIT>(other) - taken;
                of_pair += won;
                *with_i += won;
                *with_j += won;
            }
            sums[pair] += of_pair;
        }
    }
    let completions = ((n - 2) * (n - 3)) as f32;
    sums.iter_mut().for_each(|sum| *sum /= completions);
    sums
}

/// What the responder's unknown final hand wins against a known one: shares by value.
struct Odds {
    /// Of the pot, or of its high half.
    main: Vec<f32>,
    /// Of what is for low, against hands with a low: by its value.
    low: Vec<f32>,
    /// Of what is for low, against hands without one: by their value for high, which counts a second time if the
    /// responder has no low either.
    no_low: Vec<f32>,
}

impl Odds {
    /// The responder has each of these hands with equal chance.
    fn of(variant: Variant, hands: impl Iterator<Item = Strength>) -> Odds {
        let mut counts = Counts::new(variant);
        hands.for_each(|hand| counts.add(hand));
        counts.odds()
    }

    /// The responder's cards are completed to seven by unseen ones, on third street first by each of `fourth_cards`.
    fn of_completions(variant: Variant, own: CardSet, live: &Live, fourth_cards: &[Card]) -> Odds {
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
        counts.odds()
    }

    #[inline(always)]
    fn share<const SPLIT: bool>(&self, other: Strength) -> f32 {
        let main = self.main[usize::from(other.high) & (VALUES - 1)];
        if !SPLIT {
            return main;
        }
        let low = match other.low {
            0 => self.no_low[usize::from(other.high) & (VALUES - 1)],
            low => self.low[usize::from(low) & (VALUES - 1)],
        };
        (main + low) / 2.0
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
        for set in 0..values.main.len() {
            self.add(Strength { high: values.main[set], low: values.low.get(set).copied().unwrap_or(0) });
        }
    }

    fn odds(&self) -> Odds {
        let all_lows = self.low.iter().sum::<u32>() as f32 / self.total as f32;
        Odds {
            main: self.cumulate(&self.main),
            low: self.cumulate(&self.low),
            no_low: self.cumulate(&self.no_low).iter().map(|share| share + all_lows).collect(),
        }
    }

    /// By value, the part of the responder's hands that beat it and half of those that equal it.
    fn cumulate(&self, counts: &[u32]) -> Vec<f32> {
        let mut above: u32 = counts.iter().sum();
        let step = |&count: &u32| {
            above -= count;
            (above as f32 + count as f32 / 2.0) / self.total as f32
        };
        counts.iter().map(step).collect()
    }
}

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
    let mut sums = Sums { of_pairs: vec![0.0; live.pairs()], runouts: 0, without: [0; 64] };
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
    let mut pair = 0;
    for i in 0..n {
        for j in i + 1..n {
            let missed = (sums.without[i] | sums.without[j]).count_ones();
            sums.of_pairs[pair] /= (sums.runouts - missed) as f32;
            pair += 1;
        }
    }
    sums.of_pairs
}

/// The responder's shares over runouts.
struct Sums {
    /// By hidden pair.
    of_pairs: Vec<f32>,
    /// How many so far, at most 64.
    runouts: u32,
    /// By the place of a live card: the runouts it is one of, which pairs with it go without.
    without: [u64; 64],
}

impl Sums {
    fn add<const SPLIT: bool>(&mut self, odds: &Odds, live: &Live, runout: CardSet, values: &HandValues) {
        let mut rest: ArrayVec<usize, 52> = ArrayVec::new();
        for (place, &card) in live.cards().iter().enumerate() {
            if runout.contains(card) {
                self.without[place] |= 1 << self.runouts;
            } else {
                rest.push(place);
            }
        }
        self.runouts += 1;
        let mut set = 0;
        for (nth, &i) in rest[..rest.len() - 1].iter().enumerate() {
            let row = live.pair_index(i, i + 1);
            for &j in &rest[nth + 1..] {
                self.of_pairs[row + j - i - 1] += odds.share::<SPLIT>(values.get::<SPLIT>(set));
                set += 1;
            }
        }
    }
}
