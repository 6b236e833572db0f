//! AIVAT and intervals in matches; trained exploiters.

use crate::common::{EXPERIMENT, doorcard, folder_with};
use std::fs;

/// The mean by AIVAT agrees with the plain one within their intervals, and its own is much narrower.
#[test]
fn aivat_tells_the_same_with_less_luck() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["match", "uniform", "call", "--aivat", "--hands", "1000", "--no-ledger"];
    let report = doorcard(folder.path(), &[&args[..], &["--json"]].concat()).json();
    let row = &report["table"][0];
    let figure = |value: &serde_json::Value| value.as_f64().unwrap();
    let (plain, ci95) = (figure(&row["mean_msb_per_hand"]), figure(&row["ci95"]));
    let (aivat, narrow) = (figure(&row["aivat"]["mean_msb_per_hand"]), figure(&row["aivat"]["ci95"]));
    assert!((plain - aivat).abs() < 1.5 * (ci95 + narrow), "{plain} +- {ci95}, {aivat} +- {narrow}");
    assert!(narrow < 0.6 * ci95 && figure(&row["aivat"]["deviation_cut"]) > 0.5, "{row}");
    let other = &report["table"][1]["aivat"]["mean_msb_per_hand"];
    assert!((aivat + figure(other)).abs() < 1e-9, "one's win is the other's loss");

    let text = doorcard(folder.path(), &args).ok().out;
    assert!(text.lines().next().unwrap().contains("AIVAT"), "{text}");
    // The same for any number of threads.
    let one = doorcard(folder.path(), &[&["--threads", "1"], &args[..], &["--json"]].concat()).json();
    assert_eq!(one, report);
}

#[test]
fn aivat_needs_somebody_whose_chances_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |args: &[&str], parts: &[&str]| {
        doorcard(folder.path(), &[&["match", "--aivat"], args].concat()).refused(parts);
    };
    refused(&["rock", "equity"], &["--aivat", "chances are known"]);
    // Before anything is written.
    fs::write(folder.path().join("old.phhs"), "old").unwrap();
    refused(&["rock", "equity", "--hands-out", "old.phhs"], &["--aivat", "chances are known"]);
    assert_eq!(fs::read_to_string(folder.path().join("old.phhs")).unwrap(), "old");
    refused(&["call", "call", "call"], &["--aivat", "heads-up"]);
    refused(&["call", "uniform", "--game", "stud_hilo8_no_limit"], &["--aivat", "limit"]);
    refused(&["call", "uniform", "--game", "mini_high"], &["--aivat", "full deck"]);
}

#[test]
fn a_match_ends_when_its_interval_is_narrow_enough() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["match", "uniform", "call", "--ci", "60", "--hands", "1000000", "--json", "--no-ledger"];
    let report = doorcard(folder.path(), &args).json();
    let row = &report["table"][0];
    assert!(row["ci95"].as_f64().unwrap() <= 60.0, "{report}");
    assert!((2000..100_000).contains(&row["hands"].as_u64().unwrap()), "{report}");
    // By AIVAT sooner; two such matches are compared over the decks of both, though they ended after different numbers.
    let valued = |player: &str, ci: &str| {
        let args = ["match", player, "call", "--aivat", "--ci", ci, "--hands", "1000000", "--json"];
        let report = doorcard(folder.path(), &args).json();
        let row = &report["table"][0];
        assert!(row["aivat"]["ci95"].as_f64().unwrap() <= ci.parse().unwrap(), "{report}");
        assert!(row["ci95"].as_f64().unwrap() > ci.parse().unwrap(), "{report}");
        row["hands"].as_u64().unwrap()
    };
    let hands = [valued("uniform", "9"), valued("uniform", "6")];
    assert!(hands[0] != hands[1], "{hands:?}");
    let compared = doorcard(folder.path(), &["compare", "1", "3", "--json"]).json();
    assert_eq!(compared["deals"].as_u64().unwrap(), hands[0].min(hands[1]) / 2, "{compared}");
    let none = doorcard(folder.path(), &["match", "call", "call", "--ci", "0"]);
    assert!(none.code == Some(2) && none.err.contains("above 0"), "{}", none.err);
}

/// An exploiter is trained, kept, found again, and no strategy like any other is the worse for it.
#[test]
fn an_exploiter_is_trained_against_the_strategy_and_plays_it() {
    let folder = folder_with(EXPERIMENT);
    let folder = folder.path();
    doorcard(folder, &["train", "small.toml"]).ok();
    doorcard(folder, &["export", "small.toml"]).ok();
    let strategy = "runs/small/strategy.dcst";
    let before = fs::read(folder.join(strategy)).unwrap();
    let args = [
        "exploit",
        strategy,
        "--measure",
        "exploiter",
        "--boards",
        "640",
        "--abstraction",
        "quickstart",
        "--hands",
        "400",
    ];
    let report = doorcard(folder, &[&args[..], &["--json"]].concat()).json();
    assert_eq!((&report["measure"], &report["bound"]), (&"exploiter".into(), &"lower".into()));
    assert_eq!(report["exploiter"]["boards"], 640);
    assert!(report["ci95"].as_f64().unwrap() < report["plain"]["ci95"].as_f64().unwrap(), "{report}");
    assert_eq!(fs::read(folder.join(strategy)).unwrap(), before);
    let kept = report["exploiter"]["strategy"].as_str().unwrap();
    let trained = fs::read(folder.join(kept)).unwrap();
    let info = doorcard(folder, &["info", kept, "--json"]).json();
    let fingerprint = report["fingerprint"].as_str().unwrap();
    assert_eq!(info["abstraction"], format!("quickstart, against {fingerprint}"));
    // It is found again, and plays any match.
    let text = doorcard(folder, &args).ok().out;
    assert!(text.contains("loses at least") && text.contains("by AIVAT"), "{text}");
    assert_eq!(fs::read(folder.join(kept)).unwrap(), trained);
    doorcard(folder, &["match", kept, "call", "--hands", "200", "--no-ledger"]).ok();
    let ledger = doorcard(folder, &["ledger", "--json"]).json();
    assert_eq!((&ledger[0]["kind"], &ledger[0]["bound"]), (&"exploiter".into(), &"lower".into()));
    // Of bots there is no file to train against, and other measures have no use for its options.
    doorcard(folder, &["exploit", "call", "--measure", "exploiter"]).refused(&["call", "expected a file"]);
    doorcard(folder, &["exploit", strategy, "--boards", "9"]).refused(&["--boards", "exploiter"]);
}
