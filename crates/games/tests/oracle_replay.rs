//! Replays every hand of the oracle: cards, actors, legal actions, amounts, pots and payoffs at every step, and the
//! payoffs under other odd-chip conventions.

use doorcard_games::stud::oracle::OracleHand;
use doorcard_games::stud::{Chips, RulesConfig, Variant};
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
