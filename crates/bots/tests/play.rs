//! The rule-based players at real tables.

use doorcard_bots::{Agent, NAMES, by_name};
use doorcard_eval::match_play::{MatchConfig, MatchResult, Schedule, play, play_schedule};
use doorcard_games::stud::{PROFILES, Rules, StudTable};

fn config(deals: u64) -> MatchConfig {
    MatchConfig { deals, seed: 20, threads: None }
}

fn heads_up(profile: &str, names: [&str; 2], deals: u64) -> MatchResult {
    let table = StudTable::with_players(&Rules::named(profile).unwrap(), 2).unwrap();
    let agents = names.map(|name| by_name(name, table.rules()).unwrap());
    play(&table, &[&*agents[0], &*agents[1]], &config(deals), &mut ()).unwrap()
}

/// The first agent's result in thousandths of a small bet per hand, and a bound on its error that is exceeded once in
/// 15,000 tests (four standard errors).
fn msb(profile: &str, names: [&str; 2], deals: u64) -> (f64, f64) {
    let small_bet = Rules::named(profile).unwrap().small_bet() as f64;
    let result = heads_up(profile, names, deals).agents[0].scaled(1000.0 / small_bet);
    (result.mean, 4.0 * result.std_error())
}

#[test]
fn every_player_plays_every_profile_at_every_table() {
    for (profile, _) in PROFILES {
        let rules = Rules::named(profile).unwrap();
        if !rules.is_standard() {
            continue;
        }
        for players in 2..=8 {
            // Deep, short and mixed stacks.
            let stack = rules.small_bet();
            let stacks =
                [vec![rules.stack(); players], (0..players).map(|seat| 1 + stack * seat as i64).collect()];
            for stacks in stacks {
                let table = StudTable::new(&rules, &stacks).unwrap();
                let agents: Vec<_> = NAMES.iter().map(|name| by_name(name, &rules).unwrap()).collect();
                let agents: Vec<&dyn Agent<StudTable>> = agents.iter().map(|agent| &**agent).collect();
                // Everyone meets everyone: as many tables as players, each starting with another of them.
                let seats = |first| (first..first + players).map(|i| i % NAMES.len()).collect();
                let schedule = Schedule::new((0..NAMES.len()).map(seats).collect());
                let result = play_schedule(&table, &agents, &schedule, &config(3), &mut ()).unwrap();
                for table in result.tables {
                    let total: f64 = table.results.iter().map(|r| r.mean).sum();
                    assert!(total.abs() < 1e-6, "{profile} with {players}: utilities sum to {total}");
                }
            }
        }
    }
}

#[test]
fn players_that_value_hands_refuse_other_games() {
    let config = Rules::named("stud_bench").unwrap().config();
    let small = config.with("ranks", "89TJQKA").unwrap().check("small").unwrap();
    let table = StudTable::with_players(&small, 2).unwrap();
    for name in NAMES {
        match by_name(name, &small) {
            Ok(agent) => {
                let result = play(&table, &[&*agent, &*agent], &self::config(20), &mut ()).unwrap();
                assert_eq!(result.agents.len(), 2, "{name}");
            }
            Err(error) => {
                assert!(["fold", "rock", "equity"].contains(&name), "{name}");
                let message = error.to_string();
                assert!(message.contains(&format!("'{name}'")) && message.contains("ranks"), "{message}");
            }
        }
    }
}

#[test]
fn threads_do_not_change_results() {
    let table = StudTable::with_players(&Rules::named("stud_high").unwrap(), 3).unwrap();
    let agents = ["equity", "uniform", "rock"].map(|name| by_name(name, table.rules()).unwrap());
    let run = |threads| {
        let config = MatchConfig { threads: Some(threads), ..config(150) };
        play(&table, &[&*agents[0], &*agents[1], &*agents[2]], &config, &mut ()).unwrap()
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn call_against_raise_is_a_draw() {
    for profile in ["stud_bench_nodouble", "stud_bench"] {
        let result = heads_up(profile, ["call", "raise"], 3000).agents[0];
        assert_eq!((result.mean, result.ci95), (0.0, 0.0), "{profile}");
    }
}

#[test]
fn always_folding_costs_the_ante_and_half_the_bring_ins() {
    let result = heads_up("stud_bench_nodouble", ["always_fold", "raise"], 3000).agents[0];
    // 25 + 50 / 2 chips, which are 500 msb.
    assert_eq!((result.mean, result.ci95), (-50.0, 0.0));
}

/// Values of an independent program over 1,000,000 duplicate pairs, with their 95% intervals.
const UNIFORM_AGAINST: [(&str, f64, f64); 2] = [("call", -80.9, 3.6), ("raise", -3515.0, 8.0)];

#[test]
fn uniform_loses_what_is_known() {
    for (opponent, known, ci95) in UNIFORM_AGAINST {
        let (mean, tolerance) = msb("stud_bench_nodouble", ["uniform", opponent], 20_000);
        assert!((mean - known).abs() < tolerance + ci95, "{opponent}: {mean} +- {tolerance} against {known}");
    }
}

#[test]
#[ignore = "4,000,000 hands"]
fn uniform_loses_what_is_known_in_a_million_pairs() {
    for (opponent, known, ci95) in UNIFORM_AGAINST {
        let result = heads_up("stud_bench_nodouble", ["uniform", opponent], 1_000_000).agents[0].scaled(10.0);
        println!("uniform against {opponent}: {result} msb/h, known {known} ± {ci95}");
        // Two independent estimates differ by less than 1.4 times the sum of their 95% intervals in all but one of
        // ten thousand tests.
        let tolerance = 1.4 * (result.ci95 + ci95);
        assert!((result.mean - known).abs() < tolerance, "{opponent}: {result} against {known}");
        assert!(result.ci95 < 1.2 * ci95, "{opponent}: {result}: a wider interval than {ci95}");
    }
}

#[test]
fn thought_beats_thoughtlessness() {
    for profile in ["stud_bench", "stud_hilo8", "razz"] {
        for (thinker, deals) in [("equity", 600), ("rock", 2000)] {
            for other in ["uniform", "call", "raise", "fold"] {
                let (mean, tolerance) = msb(profile, [thinker, other], deals);
                assert!(mean > tolerance, "{profile}: {thinker} against {other}: {mean} +- {tolerance}");
            }
        }
    }
}
