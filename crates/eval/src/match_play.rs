//! Duplicate matches: every deal is played once for every rotation of the agents over the seats.
//!
//! With two agents that is the deal and the same deal with the seats swapped; with n agents each of them plays each
//! seat's cards once, the order around the table kept. What an agent won with a deal, averaged over the rotations, is
//! one observation: the luck of the cards largely cancels, and observations of different deals are independent, so the
//! usual confidence interval of their mean is right.
//!
//! A seat's randomness comes from the match's seed, the deal and the seat, not from the agent: whoever plays that
//! seat's cards sees the same random numbers. Agents that play alike then make the same choices from the same seat
//! and their difference is exactly 0; and matches with one seed differ only where the agents do.
//!
//! Deals are played in chunks on rayon's threads and merged in order, so that results, hands and the observer's calls
//! are the same for any number of threads.

use crate::EvalError;
use crate::stats::{MeanCi, Moments};
use doorcard_efg::{Agent, Game, Observe, Turn};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use xxhash_rust::xxh3::xxh3_64;

/// Deals that one task plays.
const CHUNK_DEALS: u64 = 16;

/// About how many hands are played between two calls of [`MatchObserver::progress`].
const WAVE_HANDS: u64 = 4096;

/// How long a match is and where its luck comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchConfig {
    /// How many deals, each played once for every rotation at every table.
    pub deals: u64,
    /// The seed of cards and choices.
    pub seed: u64,
    /// How many threads; `None` for those of the rayon pool that the caller runs in.
    pub threads: Option<usize>,
}

/// Which agents sit at one table.
///
/// Each deal is played at every table of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    tables: Vec<Vec<usize>>,
}

impl Schedule {
    /// Tables of agents, by their numbers, in the order around the table. An agent may sit at a table more than once.
    pub fn new(tables: Vec<Vec<usize>>) -> Schedule {
        Schedule { tables }
    }

    /// One table with all agents.
    pub fn one_table(agents: usize) -> Schedule {
        Schedule::new(vec![(0..agents).collect()])
    }

    /// Every pair of agents, heads-up.
    pub fn round_robin(agents: usize) -> Schedule {
        Schedule::combinations(agents, 2)
    }

    /// Every choice of `seats` of the agents, in lexicographic order. With two seats that is
    /// [`Schedule::round_robin`].
    pub fn combinations(agents: usize, seats: usize) -> Schedule {
        if seats > agents {
            return Schedule::new(Vec::new());
        }
        let mut table: Vec<usize> = (0..seats).collect();
        let mut tables = vec![table.clone()];
        // The last member that can move on does, and those behind it follow on its heels.
        while let Some(moving) = (0..seats).rfind(|&i| table[i] < agents - seats + i) {
            let next = table[moving] + 1;
            table.truncate(moving);
            table.extend(next..next + seats - moving);
            tables.push(table.clone());
        }
        Schedule::new(tables)
    }

    /// Agent 0 heads-up against each of the others.
    pub fn first_against_others(agents: usize) -> Schedule {
        Schedule::new((1..agents).map(|b| vec![0, b]).collect())
    }

    /// The tables.
    pub fn tables(&self) -> &[Vec<usize>] {
        &self.tables
    }

    fn hands_per_deal(&self) -> u64 {
        self.tables.iter().map(|t| t.len() as u64).sum()
    }

    fn check(&self, seats: usize, agents: usize) -> Result<(), EvalError> {
        for (table, members) in self.tables.iter().enumerate() {
            if members.len() != seats {
                return Err(EvalError::Seats { table, expected: seats, found: members.len() });
            }
            if let Some(&agent) = members.iter().find(|&&a| a >= agents) {
                return Err(EvalError::UnknownAgent { table, agent, agents });
            }
        }
        Ok(())
    }
}

/// What a match came to.
///
/// Units: the game's utilities (chips) per hand. Counts of a [`MeanCi`] are deals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchResult {
    /// Per agent, its result over all tables it sat at.
    pub agents: Vec<MeanCi>,
    /// The tables, in the schedule's order.
    pub tables: Vec<TableResult>,
    /// How many deals were played.
    pub deals: u64,
    /// How many hands were played at all tables together.
    pub hands: u64,
    /// Whether all deals were played; if not, the observer stopped the match.
    pub complete: bool,
}

/// What the agents of one table won.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableResult {
    /// The agents, as in the schedule.
    pub agents: Vec<usize>,
    /// Their results, in the same order; they sum to zero if the game's utilities do.
    pub results: Vec<MeanCi>,
    /// The same by a [`Valuation`], if there was one that could value all hands.
    pub valued: Option<Valued>,
    /// How many hands were played at this table.
    pub hands: u64,
}

/// A table's results by a [`Valuation`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Valued {
    /// In the order of the table's agents.
    pub results: Vec<MeanCi>,
    /// The standard deviation of what the first of them won in a single hand, and of what the hand was worth to it.
    pub deviations: [f64; 2],
}

impl MatchResult {
    /// The result of agent `a` against agent `b` at the first table where just these two sat.
    pub fn pair(&self, a: usize, b: usize) -> Option<MeanCi> {
        self.tables.iter().find_map(|table| match table.agents[..] {
            [x, y] if (x, y) == (a, b) => Some(table.results[0]),
            [x, y] if (y, x) == (a, b) => Some(table.results[1]),
            _ => None,
        })
    }

    /// How many hands an agent played.
    pub fn hands_of(&self, agent: usize) -> u64 {
        self.tables.iter().filter(|t| t.agents.contains(&agent)).map(|t| t.hands).sum()
    }
}

/// One hand of a match, as it ended.
pub struct PlayedHand<'a, G: Game> {
    /// The number of the deal, from 0.
    pub deal_index: u64,
    /// The number of the table in the schedule.
    pub table: usize,
    /// The rotation: the table's first agent sits in this seat.
    pub rotation: usize,
    /// The agent in each seat.
    pub seats: &'a [usize],
    /// The cards.
    pub deal: &'a G::Deal,
    /// The node at which the hand ended.
    pub end: &'a G::Node,
}

/// Values hands of a match otherwise than by what was won, without bias and with less variance: AIVAT.
pub trait Valuation<G: Game>: Sync {
    /// What a hand was worth to each seat, if this can tell. It may depend on nothing but the hand, who sat where, and the
    /// random numbers. Units: the game's utilities.
    fn value(
        &self,
        seats: &[usize],
        deal: &G::Deal,
        end: &G::Node,
        rng: &mut dyn Rng,
        values: &mut [f64],
    ) -> bool;
}

/// Watches a match, from the thread that called it.
pub trait MatchObserver<G: Game> {
    /// Whether to hand over every hand; hands are kept only if so.
    fn wants_hands(&self) -> bool {
        false
    }

    /// A hand that was played. Hands come in the order of deals, then tables, then rotations.
    fn hand(&mut self, _hand: &PlayedHand<'_, G>) {}

    /// Whether to hand over what every deal came to; that is kept only if so.
    fn wants_deals(&self) -> bool {
        false
    }

    /// What each member of a table won with a deal, averaged over the rotations: one observation each, whose mean over
    /// the deals is the table's result; and the same by the match's [`Valuation`], if there is one that could value all
    /// rotations. Deals come in order, and the tables of a deal in that of the schedule.
    /// Shape: `[member of the table]`. Units: chips per hand.
    fn deal(&mut self, _deal_index: u64, _table: usize, _won: &[f64], _worth: Option<&[f64]>) {}

    /// A flag that ends the match as soon as it is set, even between two calls of [`MatchObserver::progress`], which
    /// may be long apart with slow players. What was played in order until then counts.
    fn stop_flag(&self) -> Option<&AtomicBool> {
        None
    }

    /// Results so far, every few thousand hands; `Break` ends the match here.
    fn progress(&mut self, _so_far: &MatchResult) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Watches nothing.
impl<G: Game> MatchObserver<G> for () {}

/// Plays a duplicate match with all agents at one table.
///
/// # Errors
/// If the number of agents is not the game's number of seats, or the threads cannot be started.
///
/// # Panics
/// If an agent chooses an action that does not exist.
pub fn play<G: Observe>(
    game: &G,
    agents: &[&dyn Agent<G>],
    config: &MatchConfig,
    observer: &mut dyn MatchObserver<G>,
) -> Result<MatchResult, EvalError> {
    play_schedule(game, agents, &Schedule::one_table(agents.len()), config, observer)
}

/// Plays each deal at every table of a schedule, in every rotation.
///
/// # Errors
/// If a table does not fit the game or the agents, or the threads cannot be started.
///
/// # Panics
/// If an agent chooses an action that does not exist.
pub fn play_schedule<G: Observe>(
    game: &G,
    agents: &[&dyn Agent<G>],
    schedule: &Schedule,
    config: &MatchConfig,
    observer: &mut dyn MatchObserver<G>,
) -> Result<MatchResult, EvalError> {
    play_valued(game, agents, schedule, config, None, observer)
}

/// As [`play_schedule`], and values every hand. Tables with hands that cannot be valued have no such result.
///
/// # Errors
/// As [`play_schedule`].
///
/// # Panics
/// As [`play_schedule`].
pub fn play_valued<G: Observe>(
    game: &G,
    agents: &[&dyn Agent<G>],
    schedule: &Schedule,
    config: &MatchConfig,
    valuation: Option<&dyn Valuation<G>>,
    observer: &mut dyn MatchObserver<G>,
) -> Result<MatchResult, EvalError> {
    schedule.check(game.players(), agents.len())?;
    let pool = match config.threads {
        None => None,
        Some(threads) => Some(
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .map_err(|source| EvalError::Threads { threads, source })?,
        ),
    };
    let (keep_hands, keep_deals) = (observer.wants_hands(), observer.wants_deals());
    let table = Match { game, agents, schedule, seed: config.seed, keep_hands, keep_deals, valuation };

    let mut tally = Tally::new(agents.len(), schedule);
    let chunks_per_wave = (WAVE_HANDS / (CHUNK_DEALS * schedule.hands_per_deal().max(1))).max(1);
    let mut from = 0;
    let mut stopped = false;
    while from < config.deals && !stopped {
        let to = config.deals.min(from + chunks_per_wave * CHUNK_DEALS);
        let chunks = (to - from).div_ceil(CHUNK_DEALS);
        let stop = observer.stop_flag();
        let wave = || -> Vec<Option<Chunk<G>>> {
            let starts = (0..chunks).into_par_iter().map(|c| from + c * CHUNK_DEALS);
            starts.map(|start| table.play_chunk(start, to.min(start + CHUNK_DEALS), stop)).collect()
        };
        let played = match &pool {
            None => wave(),
            Some(pool) => pool.install(wave),
        };
        let mut deal_index = from;
        for chunk in played.iter().map_while(Option::as_ref) {
            tally.merge(&chunk.tally);
            for (kept, deal_index) in chunk.kept.iter().zip(deal_index..) {
                kept.report(deal_index, schedule, observer);
            }
            let hands = schedule.hands_per_deal().max(1) as usize;
            let deals = chunk.won.chunks(hands).zip(chunk.worth.chunks(hands));
            for (deal, deal_index) in deals.zip(deal_index..) {
                report_deal(deal, deal_index, schedule, observer);
            }
            deal_index += chunk.tally.deals;
        }
        from = tally.deals;
        stopped = observer.progress(&tally.result(schedule, from == config.deals)).is_break() || from < to;
    }
    Ok(tally.result(schedule, from == config.deals))
}

/// What every task needs to know.
struct Match<'a, G: Observe> {
    game: &'a G,
    agents: &'a [&'a dyn Agent<G>],
    schedule: &'a Schedule,
    seed: u64,
    keep_hands: bool,
    keep_deals: bool,
    valuation: Option<&'a dyn Valuation<G>>,
}

/// What a task brings home.
struct Chunk<G: Game> {
    tally: Tally,
    kept: Vec<KeptDeal<G>>,
    /// What members of tables won with each deal in a hand, if the observer wants to know. Shape: `[deal][table][member]`.
    won: Vec<f64>,
    /// The same by the valuation, NaN where there is none.
    worth: Vec<f64>,
}

/// A deal with the ends of its hands, by table and rotation.
struct KeptDeal<G: Game> {
    deal: G::Deal,
    ends: Vec<G::Node>,
}

impl<G: Observe> Match<'_, G> {
    /// Nothing if `stop` was set before the chunk was played.
    fn play_chunk(&self, from: u64, to: u64, stop: Option<&AtomicBool>) -> Option<Chunk<G>> {
        let seats = self.game.players();
        let mut tally = Tally::new(self.agents.len(), self.schedule);
        let mut kept = Vec::new();
        let (mut all_won, mut all_worth) = (Vec::new(), Vec::new());
        let mut seating = vec![0; seats];
        let mut luck: Vec<Xoshiro256PlusPlus> = Vec::with_capacity(seats);
        let (mut won, mut worth, mut of_hand) = (vec![0.0; seats], vec![0.0; seats], vec![0.0; seats]);
        for deal_index in from..to {
            let deal = self.game.deal(&mut generator(self.seed, Purpose::Cards, deal_index, 0));
            let mut ends = Vec::new();
            for (number, members) in self.schedule.tables.iter().enumerate() {
                won.fill(0.0);
                worth.fill(0.0);
                let mut valued = self.valuation.is_some();
                for rotation in 0..seats {
                    seat(members, rotation, &mut seating);
                    luck.clear();
                    let seat_luck = |s| generator(self.seed, Purpose::Choices, deal_index, s as u64);
                    luck.extend((0..seats).map(seat_luck));
                    let end = self.play_hand(&deal, &seating, &mut luck, stop)?;
                    let seat_of = |member: usize| (member + rotation) % seats;
                    for (member, won) in won.iter_mut().enumerate() {
                        *won += self.game.utility(&end, &deal, seat_of(member));
                    }
                    if let Some(valuation) = self.valuation {
                        let mut rng = generator(self.seed, Purpose::Valuation, deal_index, rotation as u64);
                        valued &= valuation.value(&seating, &deal, &end, &mut rng, &mut of_hand);
                        for (member, worth) in worth.iter_mut().enumerate() {
                            *worth += of_hand[seat_of(member)];
                        }
                        let first = seat_of(0);
                        tally.hand(number, self.game.utility(&end, &deal, first), of_hand[first]);
                    }
                    if self.keep_hands {
                        ends.push(end);
                    }
                }
                tally.table(number, members, &won);
                if valued {
                    tally.worth(number, &worth);
                }
                if self.keep_deals {
                    all_won.extend(won.iter().map(|won| won / seats as f64));
                    let per_hand = |worth: &f64| if valued { worth / seats as f64 } else { f64::NAN };
                    all_worth.extend(worth.iter().map(per_hand));
                }
            }
            tally.deal();
            if self.keep_hands {
                kept.push(KeptDeal { deal, ends });
            }
        }
        Some(Chunk { tally, kept, won: all_won, worth: all_worth })
    }

    fn play_hand(
        &self,
        deal: &G::Deal,
        seating: &[usize],
        luck: &mut [Xoshiro256PlusPlus],
        stop: Option<&AtomicBool>,
    ) -> Option<G::Node> {
        let mut node = self.game.root(deal);
        while let Turn::Decide { player, actions } = self.game.turn(&node, deal) {
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return None;
            }
            let agent = self.agents[seating[player]];
            let action = agent.act(&self.game.observe(&node, deal, player), &mut luck[player]);
            assert!(action < actions, "{} chose action {action} of {actions}", agent.name());
            node = self.game.act(&node, deal, action);
        }
        Some(node)
    }
}

impl<G: Game> KeptDeal<G> {
    fn report(&self, deal_index: u64, schedule: &Schedule, observer: &mut dyn MatchObserver<G>) {
        let mut ends = self.ends.iter();
        for (table, members) in schedule.tables.iter().enumerate() {
            let mut seats = vec![0; members.len()];
            for (rotation, end) in (0..members.len()).zip(&mut ends) {
                seat(members, rotation, &mut seats);
                let deal = &self.deal;
                observer.hand(&PlayedHand { deal_index, table, rotation, seats: &seats, deal, end });
            }
        }
    }
}

/// Hands over what one deal came to at each table.
fn report_deal<G: Game>(
    (mut won, mut worth): (&[f64], &[f64]),
    deal_index: u64,
    schedule: &Schedule,
    observer: &mut dyn MatchObserver<G>,
) {
    for (table, members) in schedule.tables.iter().enumerate() {
        let (of_table, others) = won.split_at(members.len());
        let (worth_of_table, worth_of_others) = worth.split_at(members.len());
        let valued = !worth_of_table.iter().any(|worth| worth.is_nan());
        observer.deal(deal_index, table, of_table, valued.then_some(worth_of_table));
        (won, worth) = (others, worth_of_others);
    }
}

/// Puts the member m of a table into seat m + rotation.
fn seat(members: &[usize], rotation: usize, seating: &mut [usize]) {
    for (member, &agent) in members.iter().enumerate() {
        seating[(member + rotation) % members.len()] = agent;
    }
}

/// What a generator is for; part of its seed.
#[derive(Clone, Copy)]
enum Purpose {
    Cards = 1,
    Choices = 2,
    Valuation = 3,
}

fn generator(seed: u64, purpose: Purpose, deal: u64, seat: u64) -> Xoshiro256PlusPlus {
    let mut bytes = [0; 32];
    for (slot, word) in bytes.chunks_exact_mut(8).zip([seed, purpose as u64, deal, seat]) {
        slot.copy_from_slice(&word.to_le_bytes());
    }
    Xoshiro256PlusPlus::seed_from_u64(xxh3_64(&bytes))
}

/// Running statistics of a match or a part of it.
struct Tally {
    deals: u64,
    agents: Vec<Moments>,
    tables: Vec<Vec<Moments>>,
    /// The same by a valuation.
    worth: Vec<Vec<Moments>>,
    /// By table: what its first member won in each hand, and what the hand was worth to it.
    hands: Vec<[Moments; 2]>,
    /// Of the deal in progress, per agent: what it won and in how many hands.
    current: Vec<(f64, u32)>,
}

impl Tally {
    fn new(agents: usize, schedule: &Schedule) -> Tally {
        let table = |members: &Vec<usize>| vec![Moments::default(); members.len()];
        Tally {
            deals: 0,
            agents: vec![Moments::default(); agents],
            tables: schedule.tables.iter().map(table).collect(),
            worth: schedule.tables.iter().map(table).collect(),
            hands: vec![Default::default(); schedule.tables.len()],
            current: vec![(0.0, 0); agents],
        }
    }

    /// Counts what a table's members won in all rotations of one deal.
    fn table(&mut self, number: usize, members: &[usize], won: &[f64]) {
        for ((moments, &agent), &won) in self.tables[number].iter_mut().zip(members).zip(won) {
            moments.push(won / members.len() as f64);
            self.current[agent].0 += won;
            self.current[agent].1 += members.len() as u32;
        }
    }

    /// Counts what a hand came to for the first member of a table.
    fn hand(&mut self, number: usize, won: f64, worth: f64) {
        let [of_won, of_worth] = &mut self.hands[number];
        of_won.push(won);
        of_worth.push(worth);
    }

    /// Counts what all rotations of one deal were worth to a table's members.
    fn worth(&mut self, number: usize, worth: &[f64]) {
        for (moments, &of_member) in self.worth[number].iter_mut().zip(worth) {
            moments.push(of_member / worth.len() as f64);
        }
    }

    /// Ends a deal.
    fn deal(&mut self) {
        self.deals += 1;
        for (moments, current) in self.agents.iter_mut().zip(&mut self.current) {
            if current.1 > 0 {
                moments.push(current.0 / f64::from(current.1));
            }
            *current = (0.0, 0);
        }
    }

    fn merge(&mut self, other: &Tally) {
        self.deals += other.deals;
        let tables = self.tables.iter_mut().zip(&other.tables);
        let pairs = tables.flat_map(|(a, b)| a.iter_mut().zip(b));
        let worth = self.worth.iter_mut().zip(&other.worth).flat_map(|(a, b)| a.iter_mut().zip(b));
        let hands = self.hands.iter_mut().zip(&other.hands).flat_map(|(a, b)| a.iter_mut().zip(b));
        let agents = self.agents.iter_mut().zip(&other.agents);
        for (mine, theirs) in agents.chain(pairs).chain(worth).chain(hands) {
            mine.merge(theirs);
        }
    }

    fn result(&self, schedule: &Schedule, complete: bool) -> MatchResult {
        let valued = |table: usize| {
            let worth = &self.worth[table];
            let all = worth.first().is_some_and(|first| first.count() == self.deals && self.deals > 0);
            all.then(|| Valued {
                results: worth.iter().map(Moments::summary).collect(),
                deviations: self.hands[table].map(|moments| moments.variance().sqrt()),
            })
        };
        let table = |(number, (members, moments)): (usize, (&Vec<usize>, &Vec<Moments>))| TableResult {
            agents: members.clone(),
            results: moments.iter().map(Moments::summary).collect(),
            valued: valued(number),
            hands: self.deals * members.len() as u64,
        };
        MatchResult {
            agents: self.agents.iter().map(Moments::summary).collect(),
            tables: schedule.tables.iter().zip(&self.tables).enumerate().map(table).collect(),
            deals: self.deals,
            hands: self.deals * schedule.hands_per_deal(),
            complete,
        }
    }
}

#[cfg(test)]
mod tests;
