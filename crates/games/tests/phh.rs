//! PHH: real hands give the payoffs on record, and written hands read back as they were.

mod common;

use common::{Style, play, random_table};
use doorcard_efg::Game;
use doorcard_games::stud::phh::{self, Hand, Step};
use doorcard_games::stud::{Chips, Rules, SeatSet, StudTable, replay};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of real hands, beside the project or beside any folder above it; they are not part of the project.
fn real_hands() -> Option<PathBuf> {
    let places = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    places.map(|place| place.join("shared/hands/phh")).find(|folder| folder.join("README.md").is_file())
}

/// File and payoffs of every row of the folder's README.
fn expected_payoffs(folder: &Path) -> Vec<(PathBuf, usize, Vec<Chips>)> {
    let text = fs::read_to_string(folder.join("README.md")).unwrap();
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let file = cells.get(1).filter(|file| file.ends_with(".phh"))?;
        let payoffs = cells[4].trim_matches(['[', ']']).split(", ").map(|n| n.parse().unwrap()).collect();
        Some((folder.join(file), cells[3].parse().unwrap(), payoffs))
    });
    rows.collect()
}

#[test]
fn real_hands_give_the_recorded_payoffs() {
    let Some(folder) = real_hands() else {
        // Past the harness, which keeps what passing tests print to itself.
        let here = env!("CARGO_MANIFEST_DIR");
        let line =
            format!("\nSKIPPED: 18 real hands were not replayed: no folder shared/hands/phh above {here}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        return;
    };
    let rows = expected_payoffs(&folder);
    assert_eq!(rows.len(), 18);
    for (file, players, payoffs) in rows {
        let name = file.display().to_string();
        let hand = phh::read(&fs::read_to_string(&file).unwrap(), &name).unwrap();
        assert_eq!(hand.stacks.len(), players, "{name}");
        let replayed = hand.replay().unwrap_or_else(|difference| panic!("{name}: {difference:?}"));
        assert_eq!(replayed.payoffs, payoffs, "{name}");
        assert_eq!(phh::read(&phh::write(&hand), &name).unwrap(), hand, "{name}");
    }
    let report = replay::replay(&[&folder], &[]).unwrap();
    assert_eq!((report.hands, report.equal), (18, 18), "{:?}", report.different);
}

fn recorded(seed: u64) -> (Hand, Vec<Chips>) {
    let (table, mut rng) = random_table(seed);
    let deck = table.deal(&mut rng);
    let end = play(&table, &deck, Style { fold: 0.15 }, &mut rng, |_| {});
    let known: SeatSet = (0..table.players()).filter(|_| rng.random_bool(0.7)).collect();
    (Hand::from_state(&end, known).unwrap(), end.payoffs().to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_hands_read_back_and_replay(seed: u64) {
        let (mut hand, payoffs) = recorded(seed);
        hand.info.insert("event".into(), "a \"test\" | 7".into());
        hand.steps.push(Step::Note("the end".into()));
        let text = phh::write(&hand);
        let read = phh::read(&text, "test.phh").unwrap();
        prop_assert_eq!(&read, &hand, "{}", text);
        match read.replay() {
            Ok(replayed) => prop_assert_eq!(replayed.payoffs, payoffs, "{}", text),
            Err(difference) => prop_assert!(false, "{:?}\n{}", difference, text),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Damaged records are refused or play differently; nothing panics.
    #[test]
    fn damaged_records_do_no_harm(seed: u64, edits in prop::collection::vec((any::<u16>(), 0..95u8), 1..4)) {
        let mut text = phh::write(&recorded(seed).0).into_bytes();
        for (place, byte) in edits {
            let place = usize::from(place) % text.len();
            text[place] = byte + b' ';
        }
        let text = String::from_utf8(text).unwrap();
        if let Ok(hand) = phh::read(&text, "test.phh") {
            let _ = hand.replay();
        }
    }

    /// Entries taken out, doubled or exchanged are noticed, not fatal.
    #[test]
    fn shuffled_records_do_no_harm(seed: u64, place: u16, other: u16, kind in 0..3) {
        let mut hand = recorded(seed).0;
        let (place, other) = (usize::from(place) % hand.steps.len(), usize::from(other) % hand.steps.len());
        match kind {
            0 => { hand.steps.remove(place); }
            1 => hand.steps.insert(place, hand.steps[other].clone()),
            _ => hand.steps.swap(place, other),
        }
        let _ = hand.replay();
    }
}

#[test]
fn many_hands_in_one_file() {
    let hands: Vec<Hand> = (0..12).map(|seed| recorded(seed).0).collect();
    let text = phh::write_many(&hands);
    assert!(text.starts_with("[1]\n") && text.contains("\n[12]\n"), "{text}");
    assert_eq!(phh::read_many(&text, "test.phhs").unwrap(), hands);
}

#[test]
fn faults_are_named() {
    let good = phh::write(&recorded(3).0);
    let without = |start: &str| {
        good.lines()
            .filter(|line| !line.starts_with(start))
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    for (text, parts) in [
        ("variant = ".to_string(), &["x.phh", "line 1"][..]),
        (without("variant"), &["x.phh", "variant"]),
        (without("antes"), &["x.phh", "antes"]),
        (without("actions"), &["x.phh", "actions"]),
        (good.replace("variant = \"", "variant = \"X"), &["variant", "F7S"]),
        (good.replace("d dh p1 ", "d dh p9 "), &["actions[0]", "d dh pN CARDS"]),
        (good.replace("d dh p1 ", "d dh p1 Zz"), &["actions[0]"]),
        (
            good.replace("starting_stacks = [", "starting_stacks = [0.5, "),
            &["starting_stacks", "whole number"],
        ),
    ] {
        let message = phh::read(&text, "x.phh").unwrap_err().to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
}

#[test]
fn records_that_break_the_rules_are_reported_where_they_do() {
    let (hand, _) = recorded(3);
    let mut wrong = hand.clone();
    let at = wrong.steps.iter().position(|step| matches!(step, Step::Act(..))).unwrap();
    let Step::Act(seat, recorded) = wrong.steps[at] else { unreachable!() };
    wrong.steps[at] = Step::Act((seat + 1) % hand.stacks.len(), recorded);
    let difference = wrong.replay().unwrap_err();
    assert_eq!(difference.step, format!("actions[{at}]"));
    assert!(difference.computed.contains(&format!("seat {seat} is to act")), "{difference:?}");

    let mut short = hand.clone();
    short.steps.truncate(at);
    assert_eq!(short.replay().unwrap_err().step, "the end of the record");

    let mut twice = hand.clone();
    let Step::Deal(_, cards) = &mut twice.steps[0] else { unreachable!() };
    cards[0] = cards[2];
    let difference = twice.replay().unwrap_err();
    assert_eq!(difference.step, "actions[0]", "{difference:?}");
    assert!(difference.expected.starts_with("d dh p1 "), "{difference:?}");

    let mut richer = hand.clone();
    richer.finishing_stacks.as_mut().unwrap()[0] += 1;
    assert_eq!(richer.replay().unwrap_err().step, "finishing_stacks");
}

/// `winnings` are the pots collected, without what went back uncalled.
#[test]
fn winnings_are_compared() {
    for seed in 0..200 {
        let (mut hand, payoffs) = recorded(seed);
        let Ok(replayed) = hand.replay() else { panic!("{seed}") };
        assert_eq!(replayed.payoffs, payoffs);
        let won = replayed.settlement.won[..payoffs.len()].to_vec();
        hand.finishing_stacks = None;
        assert!(!hand.has_result());
        hand.winnings = Some(won.clone());
        assert!(hand.has_result());
        let text = phh::write(&hand);
        assert_eq!(phh::read(&text, "test.phh").unwrap(), hand, "{text}");
        hand.replay().unwrap();
        let mut wrong = won;
        wrong[0] += 4800;
        wrong[1] += 125;
        hand.winnings = Some(wrong);
        assert_eq!(hand.replay().unwrap_err().step, "winnings");
    }
}

#[test]
fn what_other_readers_miss_is_named() {
    let hand = |profile: &str| {
        let rules = Rules::named(profile).unwrap();
        let table = StudTable::with_players(&rules, 2).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let deck = table.deal(&mut rng);
        Hand::from_state(&play(&table, &deck, Style { fold: 0.0 }, &mut rng, |_| {}), SeatSet::first(2))
            .unwrap()
    };
    let missing = |profile: &str| hand(profile).only_here().join(", ");
    assert!(missing("stud_bench").contains("fourth_street_double_bet = \"any_player\""));
    assert!(missing("stud_hilo8_no_limit").contains("variant N7S/8"));
    let mut plain = hand("stud_bench");
    plain.rules = plain.rules.config().oracle().check("test").unwrap();
    assert!(!plain.only_here().iter().any(|key| key.starts_with("odd_chip")), "{:?}", plain.only_here());
}
