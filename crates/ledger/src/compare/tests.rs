use super::*;
use crate::{Bound, Entry, LBR, MATCH};
use serde_json::json;

fn named(name: &str) -> PlayerRecord {
    PlayerRecord { name: name.into(), ..PlayerRecord::default() }
}

fn strategy(name: &str, fingerprint: &str) -> PlayerRecord {
    PlayerRecord { fingerprint: Some(fingerprint.into()), ..named(name) }
}

fn entry(value: f64, ci95: f64, observations: &[f32]) -> Entry {
    Entry {
        kind: MATCH.into(),
        version: "0.1.0".into(),
        game: "stud_bench".into(),
        rules: "ante = 25\nbet_cap = 4\nhigh = true\n".into(),
        seed: 1,
        hands: 8,
        settings: [("seats".to_string(), json!(3))].into(),
        players: vec![named("a"), named("x"), strategy("y", "0123")],
        value_msb_per_hand: value,
        ci95,
        bound: Bound::None,
        deals: 4,
        observations: observations.into(),
    }
}

fn compared(first: Entry, second: Entry) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(folder.path().join("results.sqlite")).unwrap();
    ledger.append(&[first, second]).unwrap();
    let result = |id| ledger.get(id).unwrap().unwrap();
    ledger.compare(&result(1), &result(2)).unwrap()
}

#[test]
fn results_on_the_same_deals_are_compared_deal_by_deal() {
    // Differences 1, 3, 1, 3: mean 2, variance 4/3, and an interval of 1.96 times the root of 1/3.
    let first = entry(27.0, 98.0, &[101.0, -47.0, 51.0, 3.0]);
    let second = entry(25.0, 97.0, &[100.0, -50.0, 50.0, 0.0]);
    let Verdict::Compared(comparison) = compared(first.clone(), second.clone()) else { panic!() };
    let paired = comparison.paired.unwrap();
    assert_eq!(comparison.difference(), paired);
    assert_eq!((paired.mean, paired.count), (2.0, 4));
    assert!((paired.ci95 - 1.96 / 3.0f64.sqrt()).abs() < 1e-4, "{paired}");
    let unpaired = comparison.unpaired;
    assert_eq!(unpaired.mean, 2.0);
    assert!((unpaired.ci95 - (98.0f64 * 98.0 + 97.0 * 97.0).sqrt()).abs() < 1e-9, "{unpaired}");
    assert!((comparison.narrower().unwrap() - unpaired.ci95 / paired.ci95).abs() < 1e-12);

    for (first, second) in [
        (entry(27.0, 98.0, &[]), second),
        (first, entry(25.0, 97.0, &[])),
        (entry(27.0, 98.0, &[]), entry(25.0, 97.0, &[])),
    ] {
        let Verdict::Compared(comparison) = compared(first, second) else { panic!() };
        assert_eq!((comparison.paired, comparison.narrower()), (None, None));
        assert_eq!(comparison.difference(), unpaired);
    }
}

#[test]
fn a_result_does_not_differ_from_itself() {
    let one = entry(27.0, 98.0, &[101.0, -47.0, 51.0, 3.0]);
    let Verdict::Compared(comparison) = compared(one.clone(), one) else { panic!() };
    let difference = comparison.difference();
    assert_eq!((difference.mean, difference.ci95, comparison.narrower()), (0.0, 0.0, None));
}

/// Matches that end at an interval do so after different numbers of decks.
#[test]
fn of_different_lengths_the_deals_of_both_are_compared() {
    let one = entry(27.0, 98.0, &[101.0, -47.0, 51.0, 3.0]);
    let other = Entry { hands: 6, deals: 3, ..entry(33.0, 150.0, &[100.0, -50.0, 49.0]) };
    let Verdict::Compared(comparison) = compared(one, other) else { panic!() };
    let paired = comparison.paired.unwrap();
    assert_eq!((paired.mean, paired.count), (2.0, 3));
}

#[test]
fn whose_result_it_is_may_differ_and_so_may_what_opponents_are_called() {
    let mut other = entry(25.0, 97.0, &[100.0, -50.0, 50.0, 0.0]);
    other.players[0] = strategy("b", "4567");
    other.players[2].name = "renamed".into();
    other.version = "0.1.9".into();
    assert!(matches!(compared(entry(27.0, 98.0, &[]), other), Verdict::Compared(_)));
}

#[test]
fn other_conditions_are_refused_by_name() {
    let base = || entry(27.0, 98.0, &[]);
    let check = |change: &dyn Fn(&mut Entry), expected: &[&str]| {
        let mut other = base();
        change(&mut other);
        let Verdict::Refused(differing) = compared(base(), other) else { panic!("{expected:?}") };
        let texts: Vec<String> = differing.iter().map(Difference::to_string).collect();
        assert_eq!(texts, expected);
    };
    check(&|e| e.kind = LBR.into(), &["measure: match against lbr"]);
    check(&|e| e.game = "razz".into(), &["game: stud_bench against razz"]);
    check(
        &|e| e.rules = "ante = 30\nbet_cap = 4\nlow = true\n".into(),
        &[
            "rules, ante: ante = 25 against ante = 30",
            "rules, high: high = true against not set",
            "rules, low: not set against low = true",
        ],
    );
    check(&|e| e.seed = 2, &["seed: 1 against 2"]);
    check(&|e| (e.hands, e.deals) = (10, 5), &["hands: 8 against 10", "deals: 4 against 5"]);
    check(
        &|e| e.settings = [("street".into(), json!(5))].into(),
        &["seats: 3 against not set", "street: not set against 5"],
    );
    check(&|e| e.players[1] = named("z"), &["opponents: x, y (0123) against z, y (0123)"]);
    check(&|e| e.players[2] = strategy("y", "89ab"), &["opponents: x, y (0123) against x, y (89ab)"]);
    check(&|e| e.players.swap(1, 2), &["opponents: x, y (0123) against y (0123), x"]);
    check(&|e| e.players.truncate(1), &["opponents: x, y (0123) against none"]);
    check(&|e| e.version = "0.2.0".into(), &["version of doorcard: 0.1.0 against 0.2.0"]);
    check(
        &|e| (e.game, e.seed) = ("razz".into(), 9),
        &["game: stud_bench against razz", "seed: 1 against 9"],
    );
}

#[test]
fn versions_agree_by_their_leading_numbers() {
    let parts = ["0.1.0", "0.12.3", "1.4.2", "10.0.0-beta.1", "1"].map(compatible);
    assert_eq!(parts, ["0.1", "0.12", "1", "10", "1"]);
}
