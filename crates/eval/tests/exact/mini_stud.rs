//! Mini-stud in history form: its infosets remember, and its figures agree with the sequence form.

use crate::sequence_form;
use crate::strategies::{Random, assert_close};
use doorcard_efg::UniformPolicy;
use doorcard_eval::best_response::best_response;
use doorcard_eval::exploitability::exploitability;
use doorcard_games::stud::{Rules, StudTable, TableInfosets};

fn member(name: &str) -> (StudTable, TableInfosets) {
    let rules = Rules::named(name).unwrap();
    let table = StudTable::with_players(&rules, rules.seats()).unwrap();
    let infosets = TableInfosets::new(&table).unwrap();
    (table, infosets)
}

/// Best responses are refused for layouts that forget.
#[test]
fn best_responses_equal_those_of_the_sequence_form() {
    for name in ["mini_high", "mini_razz"] {
        let (table, infosets) = member(name);
        let policy = Random(5);
        for player in 0..2 {
            let response = best_response(&table, &infosets, &policy, player).unwrap();
            let twin = sequence_form::best_response(&table, &infosets, &policy, player);
            assert_close(response.value, twin, 1e-4);
        }
    }
}

#[test]
fn three_seats_are_measured() {
    let (table, infosets) = member("mini_high_3");
    let found = exploitability(&table, &infosets, &UniformPolicy).unwrap();
    assert_close(found.values.iter().sum(), 0.0, 1e-9);
    assert!(found.best_responses.iter().zip(&found.values).all(|(best, value)| best > value), "{found:?}");
    assert_close(found.exploitability, found.nash_conv / 3.0, 1e-12);
}
