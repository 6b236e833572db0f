//! Replays every hand of the oracle: cards, actors, legal actions, amounts, pots and payoffs at every step, and the
//! payoffs under other odd-chip conventions.

use doorcard_games::stud::oracle::OracleHand;
use doorcard_games::stud::{Chips, RulesConfig, Variant, replay};
use flate2::read::GzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

const FILES: [(&str, usize); 7] = [
    ("stud_high", 1500),
    ("stud_hilo8", 1500),
    ("razz", 1500),
    ("stud_high_double_any", 600),
    ("stud_hilo8_double_holder", 600),
    ("stud_hilo8_pot_limit", 600),
    ("stud_hilo8_no_limit", 600),
];

fn hands(name: &str) -> Vec<OracleHand> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}.jsonl.gz"));
    let file = BufReader::new(GzDecoder::new(File::open(path).unwrap()));
    file.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

#[test]
fn all_hands_replay_equal() {
    for (name, expected) in FILES {
        let hands = hands(name);
        assert_eq!(hands.len(), expected, "{name}");
        for hand in &hands {
            let rules = hand.rules().unwrap().check(&hand.id).unwrap();
            let state =
                hand.replay(&rules).unwrap_or_else(|difference| panic!("{}: {difference:?}", hand.id));
            hand.compare_result(&state).unwrap_or_else(|difference| panic!("{}: {difference:?}", hand.id));
        }
    }
}

/// The other conventions pay what `notes.odd_chips` says, and where it is silent, the same as recorded.
#[test]
fn odd_chip_conventions_replay_equal() {
    let conventions: [(&str, &[(&str, &str)]); 3] = [
        ("per_pot_first", &[("merge_pots", "false")]),
        ("per_pot_each", &[("merge_pots", "false"), ("tie_odd_chips", "one_each")]),
        (
            "halves_to_left",
            &[("merge_pots", "false"), ("tie_odd_chips", "one_each"), ("odd_chip", "left_of_dealer")],
        ),
    ];
    let mut noted = 0;
    for (name, _) in FILES {
        for hand in hands(name) {
            let config = hand.rules().unwrap();
            for (convention, changes) in conventions {
                if convention == "halves_to_left" && config.variant != Variant::HiLo8 {
                    continue;
                }
                let change =
                    |config: RulesConfig, &(key, value): &(&str, &str)| config.with(key, value).unwrap();
                let rules = changes.iter().fold(config, change).check(&hand.id).unwrap();
                let note = hand.notes.get("odd_chips").and_then(|notes| notes.get(convention));
                noted += usize::from(note.is_some());
                let expected: Vec<Chips> =
                    note.map_or(hand.payoffs.clone(), |note| serde_json::from_value(note.clone()).unwrap());
                let state = hand.replay(&rules).unwrap();
                assert_eq!(state.payoffs().to_vec(), expected, "{} {convention}", hand.id);
            }
        }
    }
    assert!(noted > 200, "{noted} hands with other payoffs");
}

/// Files and folders, as `doorcard replay` takes them, under the oracle's rules and others.
#[test]
fn files_and_folders_replay() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let report = replay::replay(&[&folder], &[]).unwrap();
    assert_eq!((report.hands, report.equal), (6900, 6900));

    let file = folder.join("razz.jsonl.gz");
    let overrides = [("short_all_in".to_string(), "half_bet".to_string())];
    let report = replay::replay(&[&file], &overrides).unwrap();
    assert_eq!(report.hands, 1500);
    assert_eq!(report.hands - report.equal, report.different.len());
    let difference = &report.different[0];
    assert!(
        difference.source.ends_with("razz.jsonl.gz") && difference.step.starts_with("action"),
        "{difference:?}"
    );
    // Only hands with a short wager depend on the rule.
    let noted = hands("razz").iter().filter(|hand| hand.notes.contains_key("short_wager")).count();
    assert!((100..=noted).contains(&report.different.len()), "{} of {noted}", report.different.len());
}

#[test]
fn files_that_cannot_be_replayed_are_named() {
    let none: [(String, String); 0] = [];
    let message = |path: &Path| {
        let report = replay::replay(&[path], &none).unwrap();
        assert_eq!((report.hands, report.unreadable.len()), (0, 1));
        report.unreadable[0].message.clone()
    };
    assert!(message(Path::new("/nowhere/hands.phh")).contains("/nowhere/hands.phh"));
    assert!(message(Path::new("hands.txt")).contains("hands.txt: file name: expected an ending of .phh"));
    let wrong = [("short_all_in".to_string(), "sometimes".to_string())];
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/razz.jsonl.gz");
    assert!(replay::replay(&[&file], &wrong).unwrap_err().to_string().contains("short_all_in=sometimes"));
    let folder = tempfile::tempdir().unwrap();
    let torn = folder.path().join("torn.jsonl");
    std::fs::write(&torn, "{\"id\": 3}\n").unwrap();
    assert!(message(&torn).contains("torn.jsonl, hand 0"));
}

/// A record that is wrong in one number is noticed where it is wrong.
#[test]
fn wrong_records_are_noticed() {
    let hand = &hands("stud_high")[1];
    let rules = hand.rules().unwrap().check(&hand.id).unwrap();
    let replay = |change: &dyn Fn(&mut OracleHand)| {
        let mut hand = hand.clone();
        change(&mut hand);
        hand.replay(&rules).and_then(|state| hand.compare_result(&state)).unwrap_err().step
    };
    assert_eq!(replay(&|hand| hand.actions[2].legal.fold = false), "action 2: legal");
    assert_eq!(replay(&|hand| hand.actions[0].seat = 2), "action 0: street and seat");
    assert_eq!(replay(&|hand| hand.actions[3].amount += 1), "action 3: amount and total wager");
    assert_eq!(replay(&|hand| hand.actions[0].kind = "complete".into()), "action 0");
    assert_eq!(replay(&|hand| hand.deals.swap(0, 1)), "dealing 4s on street 3");
    assert_eq!(replay(&|hand| hand.pots[0].0 += 1), "pots");
    assert_eq!(replay(&|hand| hand.payoffs[0] += 1), "payoffs");
    assert_eq!(replay(&|hand| hand.won[0] += 1), "won");
    assert_eq!(replay(&|hand| hand.actions.truncate(5)), "the end");
    assert_eq!(
        replay(&|hand| hand.actions.push(hand.actions[0].clone())),
        "deals and actions left at the end"
    );
}
