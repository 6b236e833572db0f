//! What a run's strategy can lose, along its training and at the end; several runs on one page.

use crate::common::{EXPERIMENT, command, doorcard, files, folder_with};
use crate::run::{finished, finished_copy, last_checkpoint, reused};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;

const LADDER: &str = r#"
[evaluation.ladder]
lbr = [5]
hands = 64
exploiters = [{ abstraction = "tiny", boards = 64 }]
exploiter_hands = 40
milestones = 3
"#;

fn json(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// Milestones change nothing about training, and are the strategies of trainings that end there, whether training went
/// through or was killed after the checkpoint and before the strategy was written.
#[test]
fn milestones_are_kept_and_training_is_the_same() {
    let done = finished().join("runs/small");
    let through = folder_with(&format!("{EXPERIMENT}{LADDER}"));
    doorcard(through.path(), &["train", "small.toml"]).ok();
    let through = through.path().join("runs/small");
    let names = |run: &Path| -> Vec<String> {
        let all = files(&run.join("milestones"));
        all.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    };
    assert_eq!(names(&through), ["1500.dcst", "3000.dcst", "abstraction.dcab"]);
    assert_eq!(fs::read(last_checkpoint(&through)).unwrap(), fs::read(last_checkpoint(&done)).unwrap());

    let folder = folder_with(&EXPERIMENT.replace("6000", "3000"));
    let run = folder.path().join("runs/small");
    doorcard(folder.path(), &["train", "small.toml"]).ok();
    doorcard(folder.path(), &["export", "small.toml"]).ok();
    let shorter = fs::read(run.join("strategy.dcst")).unwrap();
    assert_eq!(fs::read(through.join("milestones/3000.dcst")).unwrap(), shorter);
    fs::write(folder.path().join("small.toml"), format!("{EXPERIMENT}{LADDER}")).unwrap();
    doorcard(folder.path(), &["train", "small.toml", "--resume"]).ok();
    // The first was gone past before it was asked for.
    assert_eq!(names(&run), ["3000.dcst", "abstraction.dcab"]);
    assert_eq!(fs::read(run.join("milestones/3000.dcst")).unwrap(), shorter);
    assert_eq!(fs::read(last_checkpoint(&run)).unwrap(), fs::read(last_checkpoint(&done)).unwrap());
    // It plays like any other strategy, and its time is known.
    let file = "runs/small/milestones/3000.dcst";
    doorcard(folder.path(), &["match", file, "call", "--hands", "40", "--no-ledger"]).ok();
    assert!(doorcard(folder.path(), &["info", file, "--json"]).json()["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_ladder_is_measured_once_and_anew_where_settings_changed() {
    let folder = folder_with(&format!("{EXPERIMENT}{LADDER}"));
    let folder = folder.path();
    let run = folder.join("runs/small");
    let first = doorcard(folder, &["run", "small.toml"]).ok().out;
    assert!(first.contains("can be won from it") && first.contains("exploiter, tiny, 64 boards"), "{first}");
    let report = json(&run.join("report.json"));
    let (rungs, points) = (&report["ladder"], &report["exploitability"]);
    for (rung, measure, hands) in [(&rungs[0], "lbr", 64), (&rungs[1], "exploiter", 40)] {
        assert_eq!((&rung["measure"], &rung["bound"]), (&measure.into(), &"lower".into()));
        assert_eq!(rung["hands"], hands);
        assert!(rung["value_msb_per_hand"].is_f64() && rung["ci95"].as_f64().unwrap() > 0.0, "{rung}");
    }
    let iterations: Vec<u64> =
        points.as_array().unwrap().iter().map(|point| point["iteration"].as_u64().unwrap()).collect();
    assert_eq!(iterations, [1500, 3000, 6000]);
    assert!(
        points.as_array().unwrap().iter().all(|point| point["seconds"].as_f64().unwrap() > 0.0),
        "{points}"
    );
    // The last point is the rung, and that is what `exploit` measures.
    assert_eq!(points[2]["value_msb_per_hand"], rungs[0]["value_msb_per_hand"]);
    let args =
        ["exploit", "runs/small/strategy.dcst", "--hands", "64", "--seed", "7", "--json", "--no-ledger"];
    assert_eq!(doorcard(folder, &args).json()["value_msb_per_hand"], rungs[0]["value_msb_per_hand"]);
    let csv = fs::read_to_string(run.join("ladder.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 + 2, "{csv}");
    assert!(fs::read_to_string(run.join("ladder.tex")).unwrap().contains("\\toprule"));
    assert!(fs::read_to_string(run.join("report.html")).unwrap().contains("How exploitable"));
    let kinds = || -> Vec<String> {
        let results = doorcard(folder, &["ledger", "--json"]).json();
        let mut kinds: Vec<String> = (results.as_array().unwrap().iter())
            .map(|result| result["kind"].as_str().unwrap().to_string())
            .filter(|kind| kind != "match")
            .collect();
        kinds.sort();
        kinds
    };
    assert_eq!(kinds(), ["exploiter", "lbr", "lbr", "lbr"]);

    let again = |from: &str, to: &str| {
        let text = format!("{EXPERIMENT}{LADDER}").replace(from, to);
        fs::write(folder.join("small.toml"), text).unwrap();
        doorcard(folder, &["run", "small.toml"]).ok().out
    };
    let all = ["abstraction", "training", "export", "evaluation", "ladder", "report"];
    let before = fs::read(run.join("report.json")).unwrap();
    assert_eq!(reused(&again("", "")), all);
    assert_eq!(fs::read(run.join("report.json")).unwrap(), before);
    // A rung that is there is not measured again because another is asked for.
    let exploiter = fs::read(run.join("ladder/exploiter_tiny.json")).unwrap();
    assert_eq!(reused(&again("hands = 64", "hands = 66")), [&all[..4], &[]].concat());
    assert_eq!(fs::read(run.join("ladder/exploiter_tiny.json")).unwrap(), exploiter);
    assert_eq!(json(&run.join("report.json"))["ladder"][0]["hands"], 66);
    assert_eq!(kinds().len(), 4 + 3);
    // Fewer boards than the exploiter has seen: it is begun anew.
    assert_eq!(reused(&again("boards = 64", "boards = 32")), all[..4]);
    assert_eq!(kinds().len(), 4 + 3 + 1 + 3);
    // A damaged file is no result, and without a ladder there is none.
    fs::write(run.join("ladder/lbr_5.json"), "{").unwrap();
    assert_eq!(reused(&again("boards = 64", "boards = 32")), [&all[..4], &all[5..]].concat());
    assert_eq!(reused(&again(LADDER, "")), all[..4]);
    assert_eq!(json(&run.join("report.json"))["ladder"], Value::Array(vec![]));
}

/// Ctrl-C keeps the rungs that are finished; the others are measured when the run goes on.
#[cfg(unix)]
#[test]
fn a_stopped_ladder_goes_on_where_it_was() {
    let folder = finished_copy();
    let folder = folder.path();
    let ladder = folder.join("runs/small/ladder");
    let with = |boards: &str| {
        let text = format!("{EXPERIMENT}{LADDER}").replace("boards = 64", boards);
        fs::write(folder.join("small.toml"), text).unwrap();
    };
    with("boards = 1_000_000_000");
    let mut child = command(folder)
        .args(["run", "small.toml", "--no-ledger"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !ladder.join("exploiter_tiny/tb").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.contains("Go on with the same command") || err.contains("Start with the same"), "{err}");
    let kept = fs::read(ladder.join("lbr_5.json")).unwrap();
    assert!(!ladder.join("exploiter_tiny.json").exists());
    with("boards = 64");
    doorcard(folder, &["run", "small.toml", "--no-ledger"]).ok();
    assert_eq!(fs::read(ladder.join("lbr_5.json")).unwrap(), kept);
    assert!(ladder.join("exploiter_tiny.json").exists());
}

/// A measure that does not know a strategy, or has no room, is a rung with a reason.
#[test]
fn a_rung_that_cannot_be_measured_says_why() {
    let folder = finished_copy();
    let ladder = "\n[evaluation.ladder]\nlbr = []\nexploiters = [{ abstraction = \"large\", boards = 64 }]\n";
    let text = EXPERIMENT.replace("batch", "max_memory = \"128MiB\"\nbatch") + ladder;
    fs::write(folder.path().join("small.toml"), text).unwrap();
    let ran = doorcard(folder.path(), &["run", "small.toml"]).ok();
    assert!(ran.out.contains("not measured: this experiment needs"), "{}", ran.out);
    let report = json(&folder.path().join("runs/small/report.json"));
    let rung = &report["ladder"][0];
    assert!(rung["value_msb_per_hand"].is_null() && rung["ci95"].is_null(), "{rung}");
    assert!(rung["note"].as_str().unwrap().contains("max_memory = 128 MiB"), "{rung}");
}

#[test]
fn several_runs_are_compared_on_one_page() {
    let folder = finished_copy();
    let folder = folder.path();
    let ladder = "\n[evaluation.ladder]\nhands = 20\n";
    fs::write(
        folder.join("other.toml"),
        EXPERIMENT.replace("6000", "1000").replace("\"small\"", "\"other\"") + ladder,
    )
    .unwrap();
    doorcard(folder, &["train", "other.toml"]).ok();
    doorcard(folder, &["export", "other.toml"]).ok();
    let strategies = ["runs/small/strategy.dcst", "runs/other/strategy.dcst", "call"];
    let round_robin = [&["match"], &strategies[..], &["--round-robin", "--hands", "40", "--json"]].concat();
    fs::write(folder.join("match.json"), doorcard(folder, &round_robin).ok().out).unwrap();
    // The report of the second is missing and is made first.
    let args = ["report", "runs/small", "other.toml", "--out", "compared", "--match", "match.json"];
    let text = doorcard(folder, &args).ok().out;
    assert!(
        text.contains("msb/h lost at least") && text.contains("next: open compared/comparison.html"),
        "{text}"
    );
    assert!(folder.join("runs/other/report.json").is_file());
    let compared = json(&folder.join("compared/comparison.json"));
    assert_eq!(compared, doorcard(folder, &[&args[..], &["--json"]].concat()).json());
    let runs = compared["runs"].as_array().unwrap();
    assert_eq!((&runs[0]["name"], &runs[1]["name"]), (&"small".into(), &"other".into()));
    assert_eq!(
        (&runs[1]["training"]["iterations"], &runs[1]["ladder"][0]["hands"]),
        (&1000.into(), &20.into())
    );
    assert_eq!(runs[0]["ladder"], Value::Array(vec![]));
    assert_eq!(compared["matches"]["ranking"].as_array().unwrap().len(), 3);
    let csv = fs::read_to_string(folder.join("compared/comparison.csv")).unwrap();
    assert!(csv.starts_with("run,abstraction,") && csv.lines().count() == 3, "{csv}");
    assert!(fs::read_to_string(folder.join("compared/comparison.tex")).unwrap().contains("\\bottomrule"));
    let page = fs::read_to_string(folder.join("compared/comparison.html")).unwrap();
    assert!(page.contains("2 runs compared") && page.contains("Against each other"));

    let refused = |args: &[&str], parts: &[&str]| {
        doorcard(folder, &[&["report"], args].concat()).refused(parts);
    };
    refused(&["runs/small", "other.toml"], &["--out"]);
    refused(&["runs/small", "--out", "x"], &["--out", "two experiments"]);
    refused(&["runs/small", "--match", "match.json"], &["--match", "two experiments"]);
    let other = EXPERIMENT.replace("stud_bench", "stud_high").replace("\"small\"", "\"high\"");
    fs::write(folder.join("high.toml"), other).unwrap();
    refused(
        &["runs/small", "high.toml", "--out", "x"],
        &["high.toml: its game is stud_high", "expected stud_bench"],
    );
    let text = fs::read_to_string(folder.join("match.json")).unwrap().replace("stud_bench", "razz");
    fs::write(folder.join("razz.json"), text).unwrap();
    let args = ["runs/small", "other.toml", "--out", "x", "--match", "razz.json"];
    refused(&args, &["razz.json: its game is razz", "stud_bench"]);
    assert!(!folder.join("x").exists() && !folder.join("runs/high").exists());
}

/// Trained without the double bet and judged with it; and by a best response within its own abstraction.
#[test]
fn a_strategy_is_judged_in_another_game() {
    let ladder = LADDER.replace("milestones = 3", "milestones = 0").replace("\"tiny\"", "\"own\"");
    let text = format!("{EXPERIMENT}{ladder}")
        .replace("game = \"stud_bench\"", "game = \"stud_bench_nodouble\"")
        .replace("6000", "1000")
        .replace("[evaluation]", "[evaluation]\ngame = \"stud_bench\"");
    let folder = folder_with(&text);
    let folder = folder.path();
    doorcard(folder, &["run", "small.toml"]).ok();
    let report = json(&folder.join("runs/small/report.json"));
    assert_eq!(report["game"]["name"], "stud_bench");
    assert!(report["game"]["description"].as_str().unwrap().contains("trained for stud_bench_nodouble"));
    let rungs = &report["ladder"];
    assert_eq!((&rungs[1]["measure"], &rungs[1]["name"]), (&"abstract".into(), &"abstract".into()));
    assert!(rungs[0]["value_msb_per_hand"].is_f64() && rungs[1]["value_msb_per_hand"].is_f64(), "{rungs}");
    let ledger = doorcard(folder, &["ledger", "--json"]).json();
    let games: Vec<&str> =
        ledger.as_array().unwrap().iter().map(|result| result["game"].as_str().unwrap()).collect();
    assert!(games.iter().all(|&game| game == "stud_bench"), "{games:?}");
    // Again there is nothing to do, and the translated strategy goes by the run's name.
    let all = ["abstraction", "training", "export", "evaluation", "ladder", "report"];
    assert_eq!(reused(&doorcard(folder, &["run", "small.toml"]).ok().out), all);
    let translated = "runs/small/strategy.stud_bench.dcst";
    let args = ["match", translated, "call", "--hands", "40", "--json", "--no-ledger"];
    assert_eq!(doorcard(folder, &args).json()["table"][0]["bot"], "small");
    // Along training there are strategies of its own game only.
    fs::write(folder.join("small.toml"), text.replace("milestones = 0", "milestones = 2")).unwrap();
    doorcard(folder, &["run", "small.toml"]).refused(&["evaluation.ladder.milestones", "evaluation.game"]);
    // The same measure by hand.
    let args = ["exploit", translated, "--measure", "abstract", "--boards", "32", "--hands", "40", "--json"];
    let report = doorcard(folder, &args).json();
    assert_eq!((&report["measure"], &report["bound"]), (&"abstract".into(), &"lower".into()));
    assert_eq!(report["exploiter"]["abstraction"], "own");
}
