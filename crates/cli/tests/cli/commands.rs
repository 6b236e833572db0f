//! The other commands: exit codes, messages and JSON.

use crate::common::{EXPERIMENT, command, doorcard, folder_with};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const ORACLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/tests/data");

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_command_explains_itself_with_an_example() {
    let help = doorcard(here(), &["--help"]).ok().out;
    for name in [
        "run", "abstract", "train", "export", "eval", "report", "match", "equity", "replay", "play", "info",
        "bench", "solve", "exploit", "ledger", "compare",
    ] {
        assert!(help.contains(&format!("\n  {name} ")), "{name}: {help}");
        let text = doorcard(here(), &[name, "--help"]).ok().out;
        assert!(text.contains("Example"), "{name}: {text}");
        assert!(text.contains(&format!("  doorcard {name}")), "{name}: {text}");
        assert!(text.contains("--json"), "{text}");
    }
}

#[test]
fn bad_command_lines_exit_with_two() {
    for args in
        [&["dance"][..], &["match", "call"], &["run"], &["match", "call", "raise", "--hands", "0"], &[]]
    {
        assert_eq!(doorcard(here(), args).code, Some(2), "{args:?}");
    }
    doorcard(here(), &["match", "call", "shark"]).refused(&["'shark'", "rock", "exec:", "tcp:"]);
    doorcard(here(), &["match", "call", "exec:"]).refused(&["'exec:'", "a program"]);
    doorcard(here(), &["match", "call", "tcp:localhost"]).refused(&["'tcp:localhost'", "tcp:HOST:PORT"]);
    doorcard(here(), &["match", "call", "raise", "--game", "holdem"]).refused(&["'holdem'", "stud_bench"]);
    doorcard(here(), &["run", "absent.toml"]).refused(&["absent.toml"]);
    let nine = ["match", "call", "call", "call", "call", "call", "call", "call", "call", "call"];
    doorcard(here(), &nine).refused(&["9 players", "8 seats"]);
}

#[test]
fn what_knows_only_the_standard_game_refuses_others() {
    for args in [
        &["equity", "Ac/Ad", "Kc/Kd", "--game", "mini_high"][..],
        &["match", "uniform", "rock", "--game", "mini_high"],
        &["match", "equity", "call", "--game", "mini_hilo"],
        &["match", "call", "fold", "--game", "mini_river"],
        &["match", "call", "raise", "--game", "mini_high", "--hands-out", "absent/out.phhs"],
        &["play", "rock", "--game", "mini_three"],
        &["abstract", "tiny", "--game", "mini_razz", "--out", "absent/out.dcab"],
        &["replay", ORACLE, "--rules", "ranks=A2345678"],
    ] {
        doorcard(here(), args).refused(&["only the standard game", "ranks"]);
    }
    let experiment = folder_with(&EXPERIMENT.replace("stud_bench", "mini_high"));
    doorcard(experiment.path(), &["run", "small.toml"]).refused(&["a card abstraction", "ranks"]);
    doorcard(here(), &["match", "call", "raise", "uniform", "--game", "mini_high"])
        .refused(&["3 players need 9 cards"]);
    let args = ["match", "call", "raise", "--game", "mini_hilo", "--json", "--no-ledger"];
    let report = doorcard(here(), &args).json();
    assert_eq!(report["table"][0]["mean_msb_per_hand"], 0.0);
}

#[test]
fn duplicates_cancel_and_rows_mirror_each_other() {
    let args = [
        "match",
        "call",
        "raise",
        "--game",
        "stud-bench-nodouble",
        "--hands",
        "2001",
        "--seed",
        "3",
        "--json",
        "--no-ledger",
    ];
    let report = doorcard(here(), &args).json();
    assert_eq!(
        (report["game"].as_str(), report["hands"].as_u64()),
        (Some("stud_bench_nodouble"), Some(2002))
    );
    assert_eq!(report["seed"], 3);
    for row in report["table"].as_array().unwrap() {
        assert_eq!(row["mean_msb_per_hand"], 0.0);
        assert_eq!(row["ci95"], 0.0);
        assert_eq!(row["hands"], 2002);
    }
    let args =
        ["match", "uniform", "rock", "call", "--round-robin", "--hands", "400", "--json", "--no-ledger"];
    let one = doorcard(here(), &[&args[..], &["--threads", "1"]].concat()).json();
    let two = doorcard(here(), &[&args[..], &["--threads", "2"]].concat()).json();
    assert_eq!(one, two);
    let table = one["table"].as_array().unwrap();
    assert_eq!(table.len(), 6);
    for pair in table.chunks(2) {
        let mean = |row: &Value| row["mean_msb_per_hand"].as_f64().unwrap();
        assert_eq!(mean(&pair[0]), -mean(&pair[1]));
    }
}

#[test]
fn every_profile_and_table_size_can_be_played() {
    for (game, players) in [("razz", 8), ("stud_hilo8_no_limit", 4), ("stud_hilo_double", 3)] {
        let bots = ["rock", "equity", "uniform", "fold", "raise", "call", "rock", "uniform"];
        let args =
            [&["match"], &bots[..players], &["--game", game, "--hands", "40", "--json", "--no-ledger"]]
                .concat();
        let report = doorcard(here(), &args).json();
        let table = report["table"].as_array().unwrap();
        assert_eq!(table.len(), players);
        let sum: f64 = table.iter().map(|row| row["mean_msb_per_hand"].as_f64().unwrap()).sum();
        assert!(sum.abs() < 1e-6, "{game}: {sum}");
    }
}

#[test]
fn hands_written_are_hands_replayed() {
    let folder = tempfile::tempdir().unwrap();
    for (game, players) in [("stud_bench", 2), ("razz", 5), ("stud_hilo8_pot_limit", 8)] {
        let bots = ["rock", "uniform", "call", "raise", "uniform", "uniform", "rock", "fold"];
        let args =
            [&["match"], &bots[..players], &["--game", game, "--hands", "80", "--hands-out", "out.phhs"]]
                .concat();
        let text = doorcard(folder.path(), &args).ok().out;
        assert!(text.contains("doorcard replay out.phhs"), "{text}");
        // A double bet on an open pair is no rule of the standard's games.
        let told = text.contains("fourth_street_double_bet = \"any_player\"");
        assert_eq!(told, game == "stud_bench", "{text}");
        let report = doorcard(folder.path(), &["replay", "out.phhs", "--json"]).json();
        assert_eq!((&report["hands"], &report["equal"]), (&Value::from(80), &Value::from(80)), "{report}");
    }
    doorcard(folder.path(), &["match", "call", "raise", "--hands-out", "out.txt"])
        .refused(&["out.txt", ".phhs"]);
}

#[test]
fn oracle_hands_replay_and_other_rules_differ() {
    let file = format!("{ORACLE}/stud_hilo8.jsonl.gz");
    let ran = doorcard(here(), &["replay", &file]).ok();
    assert_eq!(ran.out, "1,500 of 1,500 hands replayed equal\n");

    let ran =
        doorcard(here(), &["replay", &file, "--rules", "merge_pots=false", "--rules", "bet_cap=3", "--json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let different = report["different"].as_array().unwrap();
    assert_eq!(report["hands"].as_u64().unwrap() - report["equal"].as_u64().unwrap(), different.len() as u64);
    for field in ["source", "index", "step", "expected", "computed"] {
        assert!(!different[0][field].is_null(), "{field}");
    }
    doorcard(here(), &["replay", &file, "--rules", "blind=3"]).refused(&["blind"]);
    doorcard(here(), &["replay", "Cargo.toml"]).refused(&["Cargo.toml", ".phh"]);
    doorcard(here(), &["replay", "src"]).refused(&["src"]);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.jsonl"), "{}\n").unwrap();
    doorcard(folder.path(), &["replay", "bad.jsonl"]).refused(&["bad.jsonl"]);
}

/// Two hands with results and one without, a file that is broken and one that lies.
#[test]
fn replay_says_what_it_compared_and_what_it_could_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    doorcard(here, &["match", "call", "raise", "--hands", "2", "--hands-out", "good.phhs"]).ok();
    let good = fs::read_to_string(here.join("good.phhs")).unwrap();
    let keep = |line: &&str| !line.starts_with("finishing_stacks");
    let silent: String = good.lines().filter(keep).map(|line| format!("{line}\n")).collect();
    fs::write(here.join("silent.phhs"), silent.clone()).unwrap();
    let ran = doorcard(here, &["replay", "good.phhs", "silent.phhs"]).ok();
    let end = "4 of 4 hands replayed equal; 2 of the hands do not say what they paid: payoffs not compared\n";
    assert!(ran.out.ends_with(end), "{}", ran.out);

    let hand = silent.replacen("\nvariant", "\nwinnings = [5000, 125]\nvariant", 1);
    let hand =
        if hand == silent { silent.replacen("[1]\n", "[1]\nwinnings = [5000, 125]\n", 1) } else { hand };
    fs::write(here.join("lies.phhs"), hand).unwrap();
    let ran = doorcard(here, &["replay", "lies.phhs"]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(ran.out.contains("winnings") && ran.out.contains("[5000, 125]"), "{}", ran.out);

    fs::write(here.join("bad.phh"), "variant = ").unwrap();
    let ran = doorcard(here, &["replay", ".", "--json"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("1 file not read") && ran.err.contains("bad.phh"), "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let counts = ["hands", "equal", "with_payoffs"].map(|field| report[field].as_u64().unwrap());
    assert_eq!(counts, [6, 5, 3], "{report}");
    assert_eq!(report["unreadable"].as_array().unwrap().len(), 1);
}

#[test]
fn a_single_deck_has_no_interval() {
    let args = ["match", "call", "raise", "--hands", "2", "--no-ledger"];
    let text = doorcard(here(), &args).ok().out;
    assert!(text.contains("± unknown"), "{text}");
    let report = doorcard(here(), &[&args[..], &["--json"]].concat()).json();
    assert!(report["table"][0]["ci95"].is_null());
}

#[test]
fn a_game_in_the_terminal() {
    let mut child = command(here())
        .args(["play", "call", "--seed", "5", "--hands", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Bring in or call or check, whichever is there; a wrong answer is asked again.
    let answers = "nonsense\n".to_string() + &"ch\nca\nbr\n".repeat(40);
    let _ = child.stdin.take().unwrap().write_all(answers.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    for part in
        ["hand 2", "seventh street", "your move: 1", "a number or the first letters", "2 hands, ", "msb/h"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    doorcard(here(), &["play", "call", "--json"]).refused(&["play"]);
    doorcard(here(), &["play", "nobody"]).refused(&["nobody"]);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = command(here())
        .args(["replay", &format!("{ORACLE}/stud_high.jsonl.gz"), "--rules", "bet_cap=3", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), err.as_str()), (Some(0), ""));
}

#[test]
fn bench_reports_every_rate() {
    let report = doorcard(here(), &["bench", "--seconds", "0.05", "--threads", "1", "--json"]).json();
    assert_eq!(report["threads"], 1);
    for field in [
        "eval7_per_s",
        "board_eval_per_s",
        "hands_per_s",
        "es_nodes_per_s",
        "boards_per_s",
        "board_hands_per_s",
        "most_board_hands_per_s",
        "regret_updates_per_s",
        "board_buckets_per_s",
        "lookups_per_s",
    ] {
        assert!(report[field].as_f64().unwrap() > 0.0, "{field}");
    }
    // Nobody does more than as much as there are threads, or boards in a batch.
    for on_paper in report["on_paper"].as_array().unwrap() {
        let (threads, batch) = (on_paper["threads"].as_f64().unwrap(), on_paper["batch"].as_f64().unwrap());
        let speed_up = on_paper["speed_up"].as_f64().unwrap();
        assert!(speed_up > 1.0 && speed_up <= threads.min(batch), "{on_paper}");
    }
}

#[test]
fn what_a_bot_can_lose_is_bounded_from_below() {
    let measured = |threads: &str| {
        let args =
            ["exploit", "call", "--game", "stud-bench-nodouble", "--from-street", "4", "--hands", "600"];
        let rest = ["--seed", "3", "--json", "--no-ledger", "--threads", threads];
        let mut report = doorcard(here(), &[&args[..], &rest].concat()).json();
        assert!(report["hands_per_s"].take().as_f64().unwrap() > 0.0);
        report
    };
    let report = measured("1");
    assert_eq!(report, measured("2"));
    for (field, expected) in [
        ("measure", "lbr".into()),
        ("bound", "lower".into()),
        ("hands", 600.into()),
        ("seed", 3.into()),
        ("game", "stud_bench_nodouble".into()),
        ("from_street", 4.into()),
        ("strategy", "call".into()),
        ("iteration", Value::Null),
    ] {
        assert_eq!(report[field], expected, "{field}");
    }
    let figure = |field: &str| report[field].as_f64().unwrap();
    assert!((figure("value_msb_per_hand") - 1409.0).abs() < 2.0 * figure("ci95"), "{report}");

    let args = ["exploit", "always_fold", "--from-street", "3", "--hands", "50", "--no-ledger"];
    let text = doorcard(here(), &args).ok().out;
    assert!(
        text.contains("a lower bound") && text.contains("\nnext: doorcard exploit always_fold"),
        "{text}"
    );
    let refused =
        |args: &[&str], parts: &[&str]| doorcard(here(), &[&["exploit"], args].concat()).refused(parts);
    refused(&["rock"], &["'rock'", "always_fold"]);
    refused(&["shark"], &["'shark'"]);
    refused(&["strategy:absent.dcst"], &["absent.dcst"]);
    refused(&["call", "--game", "mini_high", "--from-street", "5"], &["from_street = 5", "3 to 4"]);
    let small =
        doorcard(here(), &["exploit", "call", "--game", "mini_high", "--hands", "60", "--no-ledger"]).ok();
    assert!(small.out.contains("best response on street 4, in"), "{}", small.out);
    assert!(small.out.contains("next: doorcard solve mini_high"), "{}", small.out);
    refused(&["fold", "--game", "mini_high", "--from-street", "3"], &["fold", "ranks"]);
    refused(&["call", "--game", "stud_hilo8_no_limit"], &["limit"]);
    refused(&["call", "--measure", "exact"], &["doorcard solve"]);
    assert_eq!(doorcard(here(), &["exploit", "call", "--from-street", "8"]).code, Some(2));
}

#[test]
fn public_equities_are_met() {
    let equities = |args: &[&str]| -> (Value, Vec<f64>) {
        let report = doorcard(here(), &[&["equity", "--json"], args].concat()).json();
        let players = report["players"].as_array().unwrap();
        (
            report["method"].clone(),
            players.iter().map(|player| player["equity"].as_f64().unwrap() * 100.0).collect(),
        )
    };
    for (hands, expected) in [
        (&["2s2h2d", "7c6c5c", "Th9h8h"][..], &[58.94, 20.92, 20.15][..]),
        (&["7h7c2s", "AhJh9d"], &[58.33, 41.67]),
    ] {
        let (_, found) = equities(hands);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 0.1, "{hands:?}: {found} for {expected}");
        }
    }
    let (method, found) = equities(&["AsAd/Kc9h7d6d", "2c2d/5h7c8c9s", "--dead", "2s"]);
    assert_eq!(method, "exact");
    assert!((found.iter().sum::<f64>() - 100.0).abs() < 1e-9);
    let text = doorcard(here(), &["equity", "--game", "stud_hilo8", "As2s3s", "KsKdKc"]).ok().out;
    assert!(text.contains("scoop") && text.contains("deals"), "{text}");
    doorcard(here(), &["equity", "AsAd/Kc", "As2c3c"]).refused(&["As", "hand 1", "hand 2"]);
    doorcard(here(), &["equity", "AsAd/Kx", "2c"]).refused(&["Kx"]);
    doorcard(here(), &["equity", "AsAd/Kc", "2c", "--dead", "2c"]).refused(&["2c", "dead"]);
    doorcard(here(), &["equity", "AsAd/Kc", "2c", "--dead", "zz"]).refused(&["zz"]);
}

#[test]
fn abstractions_are_proposed_for_the_memory_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let propose = |args: &[&str]| doorcard(folder.path(), &[&["abstract", "--fit"], args].concat());
    for (memory, bytes) in [("1GiB", 1u64 << 30), ("4GiB", 4 << 30), ("16GiB", 16 << 30)] {
        let report = propose(&[memory, "--json"]).json();
        let field = |key: &str| report[key].as_u64().unwrap();
        let (table, total) = (field("table_bytes"), field("total_bytes"));
        assert_eq!(total, table + field("abstraction_bytes") + field("log_bytes"));
        assert!(total <= bytes && total > bytes / 100 * 95, "{memory}: {total}");
        let streets = report["streets"].as_array().unwrap();
        let sum = |key: &str| streets.iter().map(|street| street[key].as_u64().unwrap()).sum::<u64>();
        assert_eq!(report["entries"].as_u64().unwrap(), sum("entries"));
        assert_eq!(report["infosets"].as_u64().unwrap(), sum("infosets"));
        assert!(table - sum("bytes") < 64);
    }
    let entries = |args: &[&str]| propose(args).json()["entries"].as_u64().unwrap();
    let whole = entries(&["1GiB", "--json"]);
    assert!(entries(&["1GiB", "--precision", "half", "--json"]) > whole / 10 * 17);
    assert!(entries(&["1GiB", "--batch", "64", "--json"]) < whole / 100 * 97);

    let args = ["32MiB", "--history", "counts", "--game", "razz", "--batch", "4", "--out", "proposal.toml"];
    let text = propose(&[&["tiny"], &args[..]].concat());
    // The name of the abstraction may stand before or after.
    assert_eq!(text.code, Some(2), "{}", text.err);
    let text = doorcard(folder.path(), &[&["abstract", "tiny", "--fit"], &args[..]].concat()).ok().out;
    for part in ["razz", "counts", "seventh", "proposal.toml", " of 32.0 MiB", "a batch of 4 boards"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let build = ["abstract", "proposal.toml", "--game", "razz", "--out", "razz.dcab", "--json"];
    let built = doorcard(folder.path(), &build).json();
    let proposed = std::fs::read_to_string(folder.path().join("proposal.toml")).unwrap();
    let seventh = proposed.split("[seventh]").nth(1).unwrap();
    assert!(seventh.contains(&format!("private = {}", built["streets"][4]["private"])), "{proposed}");

    propose(&["1KiB"]).refused(&["1024 bytes are not enough", "needs", "MiB"]);
    propose(&["64MiB", "--batch", "4096"]).refused(&["67108864 bytes are not enough", "needs"]);
    propose(&["4"]).refused(&["--fit", "4GiB"]);
    propose(&["1GiB", "--history", "all"]).refused(&["aggressor", "counts"]);
    propose(&["1GiB", "--game", "mini_razz"]).refused(&["a card abstraction", "ranks"]);
    doorcard(folder.path(), &["abstract", "small_perfect", "--fit", "1GiB"]).refused(&["recall = perfect"]);
    doorcard(folder.path(), &["abstract", "tiny", "--history", "counts"]).refused(&["--fit"]);
    doorcard(folder.path(), &["abstract", "tiny", "--game", "razz"]).refused(&["--game", "--out"]);
}
