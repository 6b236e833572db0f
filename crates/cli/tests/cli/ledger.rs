//! Results from matches and measurements through the ledger to comparisons; rankings and cross-tables.

use crate::common::{EXPERIMENT, command, doorcard, folder_with};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Plays a short match and returns what it prints as JSON.
fn play(folder: &Path, args: &[&str]) -> Value {
    doorcard(folder, &[&["match", "--hands", "400", "--json"], args].concat()).json()
}

fn ledger(folder: &Path, args: &[&str]) -> Vec<Value> {
    let list = doorcard(folder, &[&["ledger", "--json"], args].concat()).json();
    list.as_array().expect("a list").clone()
}

#[test]
fn from_matches_through_the_ledger_to_a_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let first = play(folder, &["rock", "call"]);
    assert_eq!(first["ledger"], serde_json::json!([1, 2]));
    let second = play(folder, &["uniform", "call"]);
    let results = ledger(folder, &[]);
    let players: Vec<_> =
        results.iter().map(|result| result["players"][0]["name"].as_str().unwrap()).collect();
    assert_eq!(players, ["rock", "call", "uniform", "call"]);
    for (result, row) in results[..2].iter().zip(first["table"].as_array().unwrap()) {
        for (field, expected) in [
            ("value_msb_per_hand", &row["mean_msb_per_hand"]),
            ("ci95", &row["ci95"]),
            ("hands", &row["hands"]),
            ("deals", &row["duplicates"]),
            ("game", &first["game"]),
            ("seed", &first["seed"]),
            ("version", &first["version"]),
            ("kind", &"match".into()),
            ("bound", &"none".into()),
            ("per_deal", &true.into()),
        ] {
            assert_eq!(&result[field], expected, "{field}");
        }
        assert!(result["rules"].as_str().unwrap().contains("ante = 25"));
        assert_eq!(result["settings"], serde_json::json!({ "seats": 2 }));
    }

    let report = doorcard(folder, &["compare", "1", "3", "--json"]).json();
    let mean = |result: &Value| result["table"][0]["mean_msb_per_hand"].as_f64().unwrap();
    let figure = |field: &str| report[field].as_f64().unwrap();
    assert_eq!((&report["comparable"], &report["method"]), (&true.into(), &"paired".into()));
    assert!((figure("difference_msb_per_hand") - (mean(&first) - mean(&second))).abs() < 1e-3, "{report}");
    let half = |result: &Value| result["table"][0]["ci95"].as_f64().unwrap();
    assert!((figure("unpaired_ci95") - half(&first).hypot(half(&second))).abs() < 1e-9, "{report}");
    assert!((figure("narrower") - figure("unpaired_ci95") / figure("ci95")).abs() < 1e-9);
    // Who plays may be said in other words.
    for words in [["rock", "uniform"], ["last~1", "last"], ["rock", "3"]] {
        let other = doorcard(folder, &["compare", words[0], words[1], "--json"]).json();
        assert_eq!(other, report, "{words:?}");
    }
    let text = doorcard(folder, &["compare", "1", "3"]).ok().out;
    for part in ["A - B", "paired over 200 deals", "unpaired", "\nnext: doorcard ledger"] {
        assert!(text.contains(part), "{part}: {text}");
    }

    let text = doorcard(folder, &["ledger", "--last", "3"]).ok().out;
    for part in
        ["uniform", "msb/h", "95% CI", "3 of 4 results; --last 4 shows all", "\nnext: doorcard compare"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(ledger(folder, &["--player", "rock"]).len(), 2);
    assert_eq!(ledger(folder, &["--game", "razz"]).len(), 0);
    doorcard(folder, &["ledger", "--csv", "all.csv", "--player", "rock"]).ok();
    let csv = fs::read_to_string(folder.join("all.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines.len() == 3 && lines[0].starts_with("id,batch,time,version,kind,game,"), "{csv}");
    assert!(lines[1].starts_with("1,1,2") && lines[1].contains(",\"{\"\"seats\"\":2}\",rock,,"), "{csv}");
}

#[test]
fn what_was_not_measured_alike_is_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let lbr = |args: &[&str]| {
        doorcard(folder, &[&["exploit", "--hands", "40", "--json"], args].concat()).json()["ledger"]
            .to_string()
    };
    play(folder, &["rock", "call"]);
    let by_match = "1";
    for (args, part) in [
        (&["rock", "call", "--seed", "2"][..], "seed: 1 against 2"),
        (&["rock", "uniform"], "opponents: call against uniform"),
        (&["rock", "call", "--game", "razz"], "game: stud_bench against razz"),
        (&["rock", "call", "--game", "stud-bench-nodouble"], "rules, fourth_street_double_bet"),
        (&["rock", "call", "call"], "seats: 2 against 3"),
    ] {
        doorcard(folder, &[&["match"], args, &["--hands", "400"]].concat()).ok();
        let ran = doorcard(folder, &["compare", by_match, "last"]);
        assert_eq!(ran.code, Some(1), "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("same conditions") && ran.err.contains(part), "{part}: {}", ran.err);
        assert_eq!(ran.out, "");
    }
    let (fifth, fourth) = (lbr(&["call"]), lbr(&["call", "--from-street", "4"]));
    let ran = doorcard(folder, &["compare", &fifth, &fourth, "--json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("from_street: 5 against 4"), "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&report["comparable"], &report["method"]), (&false.into(), &Value::Null));
    assert_eq!(report["differences"][0]["what"], "from_street");
    let ran = doorcard(folder, &["compare", by_match, &fifth]);
    assert!(ran.code == Some(1) && ran.err.contains("measure: match against lbr"), "{}", ran.err);

    let other = lbr(&["uniform"]);
    let text = doorcard(folder, &["compare", &other, &fifth]).ok().out;
    assert!(text.contains("from street 5") && text.contains("paired over 40 deals"), "{text}");
    let text = doorcard(folder, &["ledger"]).ok().out;
    assert!(text.contains("lbr: what local best response wins"), "{text}");

    doorcard(folder, &["compare", "1", "99"]).refused(&["'99'", "last~1"]);
    doorcard(folder, &["compare", "1", "2", "--ledger", "absent.sqlite"])
        .refused(&["absent.sqlite", "no such"]);
}

/// A result is worth more than its place in a file: it is printed whatever is wrong with the ledger.
#[test]
fn a_bad_ledger_costs_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("results.sqlite"), "this is no database ".repeat(200)).unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    let args = ["match", "call", "raise", "--hands", "2", "--json"];
    for (options, part) in [
        (&[][..], "results.sqlite: damaged, or not a ledger"),
        (&["--ledger", "folder"], "folder: cannot open the ledger"),
        (&["--ledger", "absent/r.sqlite"], "absent/r.sqlite: cannot open"),
    ] {
        let ran = doorcard(folder, &[&args[..], options].concat());
        let report: Value = serde_json::from_str(&ran.out).expect("the result");
        assert_eq!(report["hands"], 2);
        assert!(report.get("ledger").is_none());
        ran.refused(&[part, "not in the ledger", "--no-ledger"]);
    }
    doorcard(folder, &["ledger"]).refused(&["results.sqlite: damaged"]);
    doorcard(folder, &[&args[..], &["--no-ledger"]].concat()).ok();
    fs::remove_file(folder.join("results.sqlite")).unwrap();
    doorcard(folder, &[&args[..], &["--no-ledger"]].concat()).ok();
    assert!(!folder.join("results.sqlite").exists());
    doorcard(folder, &["ledger"]).refused(&["no such ledger"]);
    let both = [&args[..], &["--no-ledger", "--ledger", "r.sqlite"]].concat();
    assert_eq!(doorcard(folder, &both).code, Some(2));
}

#[test]
fn two_processes_add_to_one_ledger() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let matches: Vec<_> = (0..4)
        .map(|seed| {
            let args = ["match", "call", "raise", "--hands", "20", "--json", "--seed", &seed.to_string()];
            command(folder).args(args).stdout(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in matches {
        assert!(child.wait().unwrap().success());
    }
    let mut seeds: Vec<_> =
        ledger(folder, &[]).iter().map(|result| result["seed"].as_u64().unwrap()).collect();
    seeds.sort_unstable();
    assert_eq!(seeds, [0, 0, 1, 1, 2, 2, 3, 3]);
}

#[test]
fn a_round_robin_is_ranked_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let args = ["rock", "call", "uniform", "--round-robin", "--csv", "cross.csv", "--latex", "cross.tex"];
    let report = play(folder, &args);
    let ranking = report["ranking"].as_array().unwrap();
    let mean = |value: &Value| value["mean_msb_per_hand"].as_f64().unwrap();
    assert!(ranking.is_sorted_by(|a, b| mean(a) >= mean(b)));
    let table = report["table"].as_array().unwrap();
    for ranked in ranking {
        let own: Vec<f64> = table.iter().filter(|row| row["bot"] == ranked["player"]).map(mean).collect();
        assert!((mean(ranked) - (own[0] + own[1]) / 2.0).abs() < 1e-6, "{ranked}");
        assert_eq!((&ranked["tables"], &ranked["hands"]), (&2.into(), &800.into()));
    }
    for cell in report["cross"].as_array().unwrap() {
        let met = |row: &&Value| row["bot"] == cell["player"] && row["opponents"][0] == cell["opponent"];
        let row = table.iter().find(met).unwrap();
        assert!((mean(row) - mean(cell)).abs() < 1e-6);
        assert!((row["ci95"].as_f64().unwrap() - cell["ci95"].as_f64().unwrap()).abs() < 1e-6);
    }
    let csv = fs::read_to_string(folder.join("cross.csv")).unwrap();
    assert!(csv.starts_with("rank,player,msb_per_hand,ci95,hands,") && csv.lines().count() == 4, "{csv}");
    let tex = fs::read_to_string(folder.join("cross.tex")).unwrap();
    assert!(tex.contains("\\begin{tabular}{rlrrrr}") && tex.contains("stud_bench, 400 hands"), "{tex}");

    let args = ["match", "rock", "call", "uniform", "--seats", "2", "--hands", "400"];
    let text = doorcard(folder, &args).ok().out;
    let next = text.lines().last().unwrap();
    let numbers: Vec<&str> = next.strip_prefix("next: doorcard compare ").unwrap().split(' ').collect();
    doorcard(folder, &["compare", numbers[0], numbers[1]]).ok();
    assert!(text.contains("rank  player") && text.contains("msb/h against"), "{text}");
}

#[test]
fn more_players_than_seats_meet_at_every_table() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let report = play(folder, &["rock", "call", "uniform", "rock", "--seats", "3"]);
    assert_eq!(report["table"].as_array().unwrap().len(), 12);
    let ranking = report["ranking"].as_array().unwrap();
    assert!(ranking.iter().all(|ranked| ranked["tables"] == 3) && ranking.len() == 4);
    let sum: f64 = ranking.iter().map(|ranked| ranked["mean_msb_per_hand"].as_f64().unwrap()).sum();
    assert!(sum.abs() < 1e-6, "{sum}");
    // Around the table: after the second comes the third, then the first. Names are without the numbers of a match.
    let names = |id: usize| -> Vec<String> {
        let results = ledger(folder, &[]);
        let players = results[id - 1]["players"].as_array().unwrap();
        players.iter().map(|player| player["name"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(names(2), ["call", "uniform", "rock"]);
    assert_eq!(names(6), ["rock", "rock", "call"]);

    let refused =
        |args: &[&str], parts: &[&str]| doorcard(folder, &[&["match"], args].concat()).refused(parts);
    refused(&["rock", "call", "--seats", "3"], &["--seats 3", "3 players or more, not 2"]);
    let many = ["call"; 12];
    refused(&[&many[..], &["--seats", "6"]].concat(), &["924 tables", "500"]);
    refused(&[&many[..], &many, &many, &["--round-robin"]].concat(), &["630 tables", "500"]);
    assert_eq!(doorcard(folder, &["match", "rock", "call", "--seats", "9"]).code, Some(2));
}

#[test]
fn runs_add_what_they_played_once_and_strategies_are_known_by_their_fingerprints() {
    let folder = folder_with(&EXPERIMENT.replace("duplicates = 500", "duplicates = 100"));
    let folder = folder.path();
    doorcard(folder, &["run", "small.toml", "--ledger", "own.sqlite"]).ok();
    doorcard(folder, &["run", "small.toml", "--ledger", "own.sqlite"]).ok();
    let results = ledger(folder, &["--ledger", "own.sqlite"]);
    assert_eq!(results.len(), 4);
    let strategy = &results[0]["players"][0];
    let info = doorcard(folder, &["info", "runs/small/strategy.dcst", "--json"]).json();
    for field in ["fingerprint", "iteration"] {
        assert_eq!(strategy[field], info[field], "{field}");
    }
    assert_eq!((&strategy["name"], &strategy["abstraction"]), (&"small".into(), &"tiny".into()));
    assert!(strategy["config"].as_str().unwrap().contains("name = \"small\""));
    assert!(!folder.join("results.sqlite").exists());

    // The same match by hand is the same result, and so is the strategy under another name.
    let seed = results[0]["seed"].to_string();
    let args = ["match", "runs/small/strategy.dcst", "uniform", "--hands", "200", "--seed", &seed];
    doorcard(folder, &[&args[..], &["--ledger", "own.sqlite"]].concat()).ok();
    let report = doorcard(folder, &["compare", "1", "last", "--ledger", "own.sqlite", "--json"]).json();
    assert_eq!((&report["difference_msb_per_hand"], &report["ci95"]), (&0.0.into(), &0.0.into()));
    fs::remove_file(folder.join("runs/small/matches/call.json")).unwrap();
    doorcard(folder, &["eval", "small.toml", "--ledger", "own.sqlite"]).ok();
    assert_eq!(ledger(folder, &["--ledger", "own.sqlite"]).len(), 8);
}
