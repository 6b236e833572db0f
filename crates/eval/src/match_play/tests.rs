use super::*;
use rand::{Rng, RngExt};
use std::sync::atomic::AtomicU64;

/// Everyone antes 1 and draws a number. In turn each stays for 1 more or folds, the last one left always stays; the
/// highest number among those who stayed takes the pot.
struct Highest {
    players: usize,
}

/// The choices so far: who stayed.
type Choices = Vec<bool>;

impl Game for Highest {
    type Deal = Vec<u32>;
    type Node = Choices;

    fn players(&self) -> usize {
        self.players
    }

    fn max_actions(&self) -> usize {
        2
    }

    fn deal<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<u32> {
        (0..self.players).map(|_| rng.random()).collect()
    }

    fn root(&self, _: &Vec<u32>) -> Choices {
        Vec::new()
    }

    fn turn(&self, node: &Choices, _: &Vec<u32>) -> Turn {
        match node.len() {
            n if n == self.players => Turn::Over,
            n if n + 1 == self.players && !node.contains(&true) => Turn::Decide { player: n, actions: 1 },
            n => Turn::Decide { player: n, actions: 2 },
        }
    }

    fn act(&self, node: &Choices, _: &Vec<u32>, action: usize) -> Choices {
        [&node[..], &[action == 0]].concat()
    }

    fn utility(&self, node: &Choices, deal: &Vec<u32>, player: usize) -> f64 {
        let stayed = (0..self.players).filter(|&p| node[p]);
        let winner = stayed.clone().max_by_key(|&p| deal[p]).unwrap();
        let pot = self.players + stayed.count();
        let paid = 1 + usize::from(node[player]);
        if player == winner { (pot - paid) as f64 } else { -(paid as f64) }
    }
}

impl Observe for Highest {
    /// The seat, its number, and whether there is a choice.
    type Observation<'a> = (usize, u32, bool);

    fn observe<'a>(&'a self, node: &'a Choices, deal: &'a Vec<u32>, player: usize) -> (usize, u32, bool) {
        (player, deal[player], !matches!(self.turn(node, deal), Turn::Decide { actions: 1, .. }))
    }
}

/// Stays with a number at or above the threshold.
struct Threshold(u32);

impl Agent<Highest> for Threshold {
    fn name(&self) -> &str {
        "threshold"
    }

    fn act(&self, &(_, number, choice): &(usize, u32, bool), _: &mut dyn Rng) -> usize {
        usize::from(choice && number < self.0)
    }
}

/// Stays with probability one half.
struct Coin;

impl Agent<Highest> for Coin {
    fn name(&self) -> &str {
        "coin"
    }

    fn act(&self, &(_, _, choice): &(usize, u32, bool), rng: &mut dyn Rng) -> usize {
        usize::from(choice && rng.random_bool(0.5))
    }
}

const HALF: u32 = 1 << 31;

fn config(deals: u64) -> MatchConfig {
    MatchConfig { deals, seed: 11, threads: None }
}

#[test]
fn equal_agents_tie_exactly() {
    for agent in [&Coin as &dyn Agent<Highest>, &Threshold(HALF)] {
        for players in 2..=3 {
            let result = play(&Highest { players }, &[agent; 3][..players], &config(1000), &mut ()).unwrap();
            assert!(result.agents.iter().all(|r| r.mean == 0.0 && r.ci95 == 0.0), "{result:?}");
        }
    }
}

/// Heads-up, one who always stays against one who stays in the upper half. By hand, per seat of the second: as the
/// first to act it folds half its hands for -1 and else wins 2 with probability 3/4, +1 on average: 0. As the last to
/// act likewise 0. With the threshold at one quarter: 1/4 of -1 plus 3/4 of (2 * 5/8 - 2 * 3/8 = 1/2): 1/8.
#[test]
fn known_values() {
    let game = Highest { players: 2 };
    for (threshold, value) in [(HALF, 0.0), (HALF / 2, 0.125)] {
        let result = play(&game, &[&Threshold(threshold), &Threshold(0)], &config(50_000), &mut ()).unwrap();
        let mean = result.agents[0];
        assert_eq!(mean.count, 50_000);
        assert!((mean.mean - value).abs() < mean.half_width(0.9999), "{mean} against {value}");
        assert_eq!(mean.mean, -result.agents[1].mean);
        assert_eq!((result.hands, result.complete), (100_000, true));
    }
}

/// The result of a deal is the average over rotations, and its spread is what the interval is made of.
#[test]
fn observations_are_averages_over_rotations() {
    struct Hand {
        deal_index: u64,
        rotation: usize,
        seats: Vec<usize>,
        numbers: Vec<u32>,
        end: Choices,
    }
    struct Hands(Vec<Hand>);
    impl MatchObserver<Highest> for Hands {
        fn wants_hands(&self) -> bool {
            true
        }
        fn hand(&mut self, hand: &PlayedHand<'_, Highest>) {
            self.0.push(Hand {
                deal_index: hand.deal_index,
                rotation: hand.rotation,
                seats: hand.seats.to_vec(),
                numbers: hand.deal.clone(),
                end: hand.end.clone(),
            });
        }
    }
    let game = Highest { players: 3 };
    let mut hands = Hands(Vec::new());
    let agents: [&dyn Agent<Highest>; 3] = [&Coin, &Threshold(HALF), &Threshold(0)];
    let result = play(&game, &agents, &config(500), &mut hands).unwrap();
    assert_eq!(hands.0.len(), 1500);
    for (agent, expected) in result.agents.iter().enumerate() {
        let mut moments = Moments::default();
        for (deal_index, deal) in hands.0.chunks_exact(3).enumerate() {
            let mut sum = 0.0;
            for (rotation, hand) in deal.iter().enumerate() {
                assert_eq!((hand.deal_index, hand.rotation), (deal_index as u64, rotation));
                assert_eq!(hand.numbers, deal[0].numbers, "a deal keeps its cards");
                let seat = hand.seats.iter().position(|&a| a == agent).unwrap();
                assert_eq!(seat, (agent + rotation) % 3);
                sum += game.utility(&hand.end, &hand.numbers, seat);
            }
            moments.push(sum / 3.0);
        }
        let summary = moments.summary();
        assert!((summary.mean - expected.mean).abs() < 1e-12 && (summary.ci95 - expected.ci95).abs() < 1e-12);
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let game = Highest { players: 2 };
    let agents: [&dyn Agent<Highest>; 3] = [&Coin, &Threshold(HALF), &Threshold(HALF / 3)];
    let run = |threads| {
        let config = MatchConfig { threads: Some(threads), ..config(3001) };
        play_schedule(&game, &agents, &Schedule::round_robin(3), &config, &mut ()).unwrap()
    };
    assert_eq!(run(1), run(2));
    assert_eq!(run(1), run(5));
}

#[test]
fn round_robin_pairs_equal_matches_of_two() {
    let game = Highest { players: 2 };
    let agents: [&dyn Agent<Highest>; 3] = [&Coin, &Threshold(HALF), &Threshold(HALF / 3)];
    let all = play_schedule(&game, &agents, &Schedule::round_robin(3), &config(2000), &mut ()).unwrap();
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let pair = play(&game, &[agents[a], agents[b]], &config(2000), &mut ()).unwrap();
        assert_eq!(all.pair(a, b), Some(pair.agents[0]));
        assert_eq!(all.pair(b, a), Some(pair.agents[1]));
    }
    assert_eq!(all.pair(0, 0), None);
    assert_eq!((all.hands, all.hands_of(1)), (12_000, 8000));
    for a in 0..3 {
        let opponents = (0..3).filter(|&b| b != a);
        let mean = opponents.map(|b| all.pair(a, b).unwrap().mean).sum::<f64>() / 2.0;
        assert!((all.agents[a].mean - mean).abs() < 1e-12);
    }
    let gauntlet = Schedule::first_against_others(3);
    let gauntlet = play_schedule(&game, &agents, &gauntlet, &config(2000), &mut ()).unwrap();
    assert_eq!(gauntlet.agents[0], all.agents[0]);
    assert_eq!(gauntlet.pair(1, 2), None);
}

#[test]
fn observers_stop_a_match() {
    struct Stop(u64);
    impl MatchObserver<Highest> for Stop {
        fn progress(&mut self, so_far: &MatchResult) -> ControlFlow<()> {
            assert!(so_far.deals > self.0);
            self.0 = so_far.deals;
            if so_far.deals >= 5000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let game = Highest { players: 2 };
    let mut stop = Stop(0);
    let result = play(&game, &[&Coin, &Threshold(0)], &config(100_000), &mut stop).unwrap();
    assert!(!result.complete && result.deals == stop.0 && result.deals < 10_000);
    let whole = play(&game, &[&Coin, &Threshold(0)], &config(stop.0), &mut ()).unwrap();
    assert_eq!(whole.agents, result.agents, "a stopped match is the beginning of the whole one");
}

#[test]
fn a_flag_stops_a_match_between_two_decisions() {
    /// Sets the flag at its 500th decision.
    struct Impatient<'a>(AtomicU64, &'a AtomicBool);
    impl Agent<Highest> for Impatient<'_> {
        fn name(&self) -> &str {
            "impatient"
        }

        fn act(&self, _: &(usize, u32, bool), _: &mut dyn Rng) -> usize {
            if self.0.fetch_add(1, Ordering::Relaxed) + 1 == 500 {
                self.1.store(true, Ordering::Relaxed);
            }
            0
        }
    }
    struct Watch<'a>(&'a AtomicBool);
    impl MatchObserver<Highest> for Watch<'_> {
        fn stop_flag(&self) -> Option<&AtomicBool> {
            Some(self.0)
        }
    }
    let game = Highest { players: 2 };
    for threads in [1, 3] {
        let stop = AtomicBool::new(false);
        let impatient = Impatient(AtomicU64::new(0), &stop);
        let config = MatchConfig { threads: Some(threads), ..config(100_000) };
        let result = play(&game, &[&impatient, &Coin], &config, &mut Watch(&stop)).unwrap();
        assert!(!result.complete && result.deals < 500, "{}", result.deals);
        assert!(impatient.0.into_inner() <= 500 + threads as u64);
        let whole = play(&game, &[&Threshold(0), &Coin], &self::config(result.deals), &mut ()).unwrap();
        assert_eq!(whole.agents, result.agents, "a stopped match is the beginning of the whole one");
    }
}

#[test]
fn misfits_are_refused() {
    let game = Highest { players: 2 };
    let error = play(&game, &[&Coin], &config(1), &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "table 0 seats 1 agents, but the game has 2 seats");
    let schedule = Schedule::new(vec![vec![0, 1], vec![0, 2]]);
    let error = play_schedule(&game, &[&Coin, &Coin], &schedule, &config(1), &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "table 1 names agent 2, but there are 2 agents, numbered from 0");
}

/// Sums what every table's members won, to be held against the match's own results.
#[derive(Default)]
struct Deals {
    seen: Vec<(u64, usize)>,
    won: Vec<Vec<Moments>>,
    worth: Vec<Vec<Moments>>,
}

/// Values a hand at twice what was won, and hands in which seat 0 sits agent 3 not at all.
struct Twice;

impl Valuation<Highest> for Twice {
    fn value(
        &self,
        seats: &[usize],
        deal: &<Highest as Game>::Deal,
        end: &<Highest as Game>::Node,
        _: &mut dyn Rng,
        values: &mut [f64],
    ) -> bool {
        let game = Highest { players: seats.len() };
        for (seat, value) in values.iter_mut().enumerate() {
            *value = 2.0 * game.utility(end, deal, seat);
        }
        seats[0] != 3
    }
}

impl MatchObserver<Highest> for Deals {
    fn wants_deals(&self) -> bool {
        true
    }

    fn deal(&mut self, deal_index: u64, table: usize, won: &[f64], worth: Option<&[f64]>) {
        self.seen.push((deal_index, table));
        for (all, of_members) in [(&mut self.won, Some(won)), (&mut self.worth, worth)] {
            all.resize(all.len().max(table + 1), vec![Moments::default(); won.len()]);
            let members = all[table].iter_mut().zip(of_members.into_iter().flatten());
            members.for_each(|(moments, &of_member)| moments.push(of_member));
        }
    }
}

#[test]
fn deals_are_handed_over_in_order_and_add_up_to_the_results() {
    let agents: [&dyn Agent<Highest>; 4] = [&Coin, &Threshold(HALF), &Threshold(0), &Threshold(HALF / 2)];
    let schedule = Schedule::combinations(4, 3);
    let mut deals = Deals::default();
    let game = Highest { players: 3 };
    let result = play_valued(&game, &agents, &schedule, &config(2_500), Some(&Twice), &mut deals).unwrap();
    let order = (0..2_500).flat_map(|deal| (0..4).map(move |table| (deal, table)));
    assert!(deals.seen.iter().copied().eq(order));
    for (table, won) in result.tables.iter().zip(&deals.won) {
        for (result, won) in table.results.iter().zip(won) {
            let won = won.summary();
            assert_eq!(result.count, won.count);
            assert!((result.mean - won.mean).abs() < 1e-9 && (result.ci95 - won.ci95).abs() < 1e-9);
        }
    }
    for (number, (table, worth)) in result.tables.iter().zip(&deals.worth).enumerate() {
        // Agent 3 sits at all tables but the first.
        assert_eq!(table.valued.is_some(), number == 0);
        for (member, (result, worth)) in table.results.iter().zip(worth).enumerate() {
            let worth = worth.summary();
            assert_eq!(worth.count, if number == 0 { 2_500 } else { 0 }, "table {number}, member {member}");
            assert!(number > 0 || (2.0 * result.mean - worth.mean).abs() < 1e-9);
        }
    }
}

#[test]
fn combinations_are_all_there_once_and_in_order() {
    let tables = |agents, seats| Schedule::combinations(agents, seats).tables().to_vec();
    assert_eq!(tables(4, 3), [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]);
    assert_eq!(tables(3, 3), [[0, 1, 2]]);
    assert_eq!(tables(2, 3), Vec::<Vec<usize>>::new());
    for (agents, seats, count) in [(5, 2, 10), (8, 4, 70), (10, 8, 45), (9, 1, 9)] {
        let tables = tables(agents, seats);
        assert_eq!(tables.len(), count);
        assert!(tables.is_sorted() && tables.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(tables.iter().all(|table| table.windows(2).all(|pair| pair[0] < pair[1])));
    }
}
