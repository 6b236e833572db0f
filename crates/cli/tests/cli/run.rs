//! The main job: what it leaves behind, how it goes on, and what it refuses.

use crate::common::{EXPERIMENT, command, doorcard, files, folder_with};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;

/// An experiment that has been run once, for tests that only look.
pub(crate) fn finished() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let folder = folder_with(EXPERIMENT);
            let report = doorcard(folder.path(), &["run", "small.toml", "--json"]).json();
            fs::write(folder.path().join("printed.json"), report.to_string()).unwrap();
            folder
        })
        .path()
}

pub(crate) fn last_checkpoint(run: &Path) -> PathBuf {
    files(&run.join("checkpoints")).pop().expect("a checkpoint")
}

/// The learning curve without its seconds and speeds.
fn curve(run: &Path) -> Vec<Value> {
    let text = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let strip = |line: &str| {
        let mut point: Value = serde_json::from_str(line).unwrap();
        point["seconds"] = Value::Null;
        point["nodes_per_second"] = Value::Null;
        point
    };
    text.lines().map(strip).collect()
}

#[test]
fn a_run_leaves_everything_and_says_so() {
    let folder = finished();
    let run = folder.join("runs/small");
    for name in [
        "config.toml",
        "abstraction.dcab",
        "strategy.dcst",
        "metrics.jsonl",
        "report.html",
        "report.json",
        "matches/call.json",
        "matches/uniform.json",
    ] {
        assert!(run.join(name).is_file(), "{name}");
    }
    let hands = doorcard(folder, &["replay", "runs/small/hands", "--json"]).json();
    assert_eq!((&hands["hands"], &hands["equal"]), (&Value::from(200), &Value::from(200)));
    assert_eq!(files(&run.join("checkpoints")).len(), 2);
    assert_eq!(files(&run.join("tb")).len(), 1);

    let printed: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("printed.json")).unwrap()).unwrap();
    let report: Value = serde_json::from_str(&fs::read_to_string(run.join("report.json")).unwrap()).unwrap();
    assert_eq!(printed, report);
    assert_eq!(report["training"]["iterations"], 6000);
    assert_eq!(report["game"]["name"], "stud_bench");
    assert_eq!(report["matches"][1]["opponents"][0], "call");
    assert_eq!(report["matches"][1]["hands"], 1000);
    assert_eq!(report["third_street"]["scenarios"].as_array().unwrap().len(), 4);
    let curve = report["curve"].as_array().unwrap();
    assert_eq!(curve.last().unwrap()["iteration"], 6000);
    assert!(curve.last().unwrap()["regret_visits_per_infoset"].as_f64().unwrap() > 1.0);
    // The frequencies of each situation are probabilities, and situations are all there are.
    for scenario in report["third_street"]["scenarios"].as_array().unwrap() {
        let cells = scenario["cells"].as_array().unwrap();
        let total: f64 = cells.iter().map(|cell| cell["weight"].as_f64().unwrap()).sum();
        assert!((total - 1.0).abs() < 1e-9, "{total}");
        for cell in cells {
            let sum: f64 = cell["frequencies"].as_array().unwrap().iter().map(|f| f.as_f64().unwrap()).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{cell}");
        }
    }
}

#[test]
fn again_it_says_that_it_is_done_and_touches_nothing() {
    let folder = finished();
    let run = folder.join("runs/small");
    let before = fs::read(run.join("report.json")).unwrap();
    let ran = doorcard(folder, &["run", "small.toml"]).ok();
    assert_eq!(ran.out.matches("already there").count(), 5, "{}", ran.out);
    assert!(ran.out.contains("everything was done before"), "{}", ran.out);
    let by_directory = doorcard(folder, &["run", "runs/small"]).ok();
    assert_eq!(by_directory.out, ran.out);
    assert_eq!(fs::read(run.join("report.json")).unwrap(), before);
}

#[test]
fn single_steps_agree_with_the_whole() {
    let done = finished().join("runs/small");
    let folder = folder_with(EXPERIMENT);
    let folder = folder.path();
    let run = folder.join("runs/small");
    let report = doorcard(folder, &["abstract", "small.toml", "--json"]).json();
    assert_eq!(report["bytes"].as_u64().unwrap(), fs::metadata(run.join("abstraction.dcab")).unwrap().len());
    assert_eq!(report["streets"][4]["private"], 8);
    doorcard(folder, &["export", "small.toml"]).refused(&["checkpoints", "train first"]);
    doorcard(folder, &["train", "small.toml", "--threads", "1"]).ok();
    doorcard(folder, &["train", "small.toml"]).refused(&["checkpoint-", "--resume"]);
    doorcard(folder, &["eval", "small.toml"]).refused(&["strategy.dcst"]);
    let exported = doorcard(folder, &["export", "small.toml", "--json"]).json();
    assert_eq!(exported["iteration"], 6000);
    let rows = ["average_rows", "regret_rows", "untouched_rows"].map(|key| exported[key].as_u64().unwrap());
    assert_eq!(rows.iter().sum::<u64>(), exported["infosets"].as_u64().unwrap());
    doorcard(folder, &["eval", "small.toml"]).ok();
    doorcard(folder, &["report", "small.toml"]).ok();
    let other = "stud_bench_nodouble";
    let exported = doorcard(folder, &["export", "small.toml", "--game", other, "--json"]).json();
    let translated = exported["translated"].as_str().unwrap();
    let lost = doorcard(folder, &["exploit", translated, "--hands", "50", "--no-ledger", "--json"]).json();
    assert_eq!(lost["game"], other);
    doorcard(folder, &["export", "small.toml", "--game", "razz"]).refused(&["strategy.dcst", "razz"]);

    for name in
        ["config.toml", "abstraction.dcab", "strategy.dcst", "matches/call.json", "matches/uniform.json"]
    {
        assert_eq!(fs::read(run.join(name)).unwrap(), fs::read(done.join(name)).unwrap(), "{name}");
    }
    assert_eq!(fs::read(last_checkpoint(&run)).unwrap(), fs::read(last_checkpoint(&done)).unwrap());
    assert_eq!(curve(&run), curve(&done));
}

/// A killed run leaves its newest checkpoint; what came after it is done again.
#[test]
fn a_killed_run_goes_on_from_its_checkpoint() {
    let done = finished().join("runs/small");
    let folder = folder_with(EXPERIMENT);
    let run = folder.path().join("runs/small");
    for name in ["config.toml", "abstraction.dcab", "metrics.jsonl"] {
        fs::create_dir_all(run.join("checkpoints")).unwrap();
        fs::copy(done.join(name), run.join(name)).unwrap();
    }
    // The checkpoint before the last, with the learning curve already further on.
    let checkpoints = files(&done.join("checkpoints"));
    let name = checkpoints[0].file_name().unwrap();
    assert!(name.to_str().unwrap().contains("4500"), "{name:?}");
    fs::copy(&checkpoints[0], run.join("checkpoints").join(name)).unwrap();
    let ran = doorcard(folder.path(), &["run", "small.toml"]).ok();
    assert!(!ran.out.contains("done before"), "{}", ran.out);
    assert_eq!(fs::read(last_checkpoint(&run)).unwrap(), fs::read(last_checkpoint(&done)).unwrap());
    assert_eq!(fs::read(run.join("strategy.dcst")).unwrap(), fs::read(done.join("strategy.dcst")).unwrap());
    assert_eq!(curve(&run), curve(&done));
}

/// A newest checkpoint that is damaged is set aside, and training goes on from the one before it to the same bytes; if
/// that one is damaged too, nothing is touched.
#[test]
fn a_damaged_checkpoint_is_passed_over() {
    let done = finished().join("runs/small");
    let folder = folder_with(EXPERIMENT);
    let run = folder.path().join("runs/small");
    fs::create_dir_all(run.join("checkpoints")).unwrap();
    for name in ["config.toml", "abstraction.dcab", "metrics.jsonl", "timing.json"] {
        fs::copy(done.join(name), run.join(name)).unwrap();
    }
    let flip = |path: &Path| {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).unwrap();
    };
    let whole = files(&done.join("checkpoints"));
    let copies: Vec<PathBuf> =
        whole.iter().map(|path| run.join("checkpoints").join(path.file_name().unwrap())).collect();
    for (from, to) in std::iter::zip(&whole, &copies) {
        fs::copy(from, to).unwrap();
    }
    let [before, newest] = &copies[..] else { panic!("two checkpoints are kept: {copies:?}") };
    flip(newest);
    flip(before);
    doorcard(folder.path(), &["train", "small.toml", "--resume"])
        .refused(&[newest.file_name().unwrap().to_str().unwrap(), "checksum"]);
    assert_eq!(files(&run.join("checkpoints")), copies);

    fs::copy(&whole[0], before).unwrap();
    let ran = doorcard(folder.path(), &["train", "small.toml", "--resume"]).ok();
    let told: Vec<&str> = ran.err.lines().filter(|line| line.contains("set aside")).collect();
    let [told] = told[..] else { panic!("{}", ran.err) };
    assert!(told.contains("checkpoint-000000000006000.ckpt") && told.contains("checksum"), "{told}");
    assert_eq!(fs::read(newest).unwrap(), fs::read(last_checkpoint(&done)).unwrap());
    assert_eq!(curve(&run), curve(&done));
    let aside = newest.with_file_name("checkpoint-000000000006000.ckpt.damaged");
    assert_eq!(files(&run.join("checkpoints")), [before.clone(), newest.clone(), aside]);
    // Once more there is nothing to tell.
    let again = doorcard(folder.path(), &["train", "small.toml", "--resume"]).ok();
    assert!(!again.err.contains("set aside") && again.out.contains("already there"), "{}", again.err);
}

/// A time limit ends a training anywhere; what goes on from there ends where all others do.
#[test]
fn training_for_seconds_says_so_and_can_be_finished() {
    let done = finished().join("runs/small");
    let folder = folder_with(EXPERIMENT);
    let run = folder.path().join("runs/small");
    doorcard(folder.path(), &["train", "small.toml", "--seconds", "0"]).refused(&["--seconds 0"]);
    let ran = doorcard(folder.path(), &["train", "small.toml", "--seconds", "0.000001"]).ok();
    assert!(ran.out.contains("time is up after") && ran.out.contains("--resume"), "{}", ran.out);
    let info = |path: &Path| doorcard(folder.path(), &["info", path.to_str().unwrap(), "--json"]).json();
    let ended = info(&last_checkpoint(&run));
    assert_eq!(ended["ended_by_time"], true);
    assert!(ended["iteration"].as_u64().unwrap() < 6000);
    let text = doorcard(folder.path(), &["info", last_checkpoint(&run).to_str().unwrap()]).ok().out;
    assert!(text.contains("another run would end elsewhere"), "{text}");

    doorcard(folder.path(), &["train", "small.toml", "--resume"]).ok();
    assert_eq!(info(&last_checkpoint(&run))["ended_by_time"], false);
    assert_eq!(fs::read(last_checkpoint(&run)).unwrap(), fs::read(last_checkpoint(&done)).unwrap());
    assert_eq!(curve(&run), curve(&done));
}

#[cfg(unix)]
#[test]
fn ctrl_c_writes_a_checkpoint_and_says_how_to_go_on() {
    let long = EXPERIMENT.replace("6000", "4000000").replace("1500", "2000");
    let folder = folder_with(&long);
    let run = folder.path().join("runs/small");
    let child = command(folder.path())
        .args(["run", "small.toml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = || run.join("checkpoints").is_dir() && !files(&run.join("checkpoints")).is_empty();
    for _ in 0..1200 {
        if begun() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(begun(), "no checkpoint within a minute");
    // A second process is kept out meanwhile.
    doorcard(folder.path(), &["run", "small.toml"]).refused(&["runs/small", "another doorcard"]);
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.contains("a checkpoint is written") && err.contains("same command"), "{err}");
    let info =
        doorcard(folder.path(), &["info", last_checkpoint(&run).to_str().unwrap(), "--verify", "--json"])
            .json();
    assert!(info["iteration"].as_u64().unwrap() > 0);
}

#[test]
fn another_configuration_is_refused_by_name() {
    let folder = finished();
    let other = folder.join("other.toml");
    for (from, to, parts) in [
        ("seed = 7", "seed = 8", ["seed", "was 7"]),
        ("iterations = 6000", "iterations = 5000", ["training.iterations", "was 6000"]),
        ("\"tiny\"", "\"quickstart\"", ["abstraction.", "was "]),
        ("\"stud_bench\"", "\"stud_bench_nodouble\"", ["game.fourth_street_double_bet", "any_player"]),
        ("batch = 500", "batch = 250", ["training.batch", "was 500"]),
    ] {
        fs::write(&other, EXPERIMENT.replace(from, to)).unwrap();
        doorcard(folder, &["run", "other.toml"]).refused(&parts);
    }
}

/// What an experiment says about sampling is what its checkpoints were trained with.
#[test]
fn experiments_choose_how_to_sample() {
    let outcome = "solver = \"outcome_sampling\"\nbaseline = 0.1\nexploration = 0.5\nbatch";
    for (settings, fields) in [
        (
            outcome,
            [("sampling", "\"outcome\""), ("exploration", "0.5"), ("baseline", "0.1"), ("prune", "null")],
        ),
        (
            "prune = { below = 20000 }\nbatch",
            [
                ("sampling", "\"external\""),
                ("exploration", "null"),
                ("baseline", "null"),
                ("prune", "{\"below\":20000.0,\"explore\":0.05}"),
            ],
        ),
    ] {
        let experiment = EXPERIMENT.replace("6000", "1000").replace("batch", settings);
        let folder = folder_with(&experiment);
        doorcard(folder.path(), &["train", "small.toml"]).ok();
        let checkpoint = last_checkpoint(&folder.path().join("runs/small"));
        let info = doorcard(folder.path(), &["info", checkpoint.to_str().unwrap(), "--json"]).json();
        for (field, value) in fields {
            assert_eq!(info[field].to_string(), value, "{field}");
        }
        let other = experiment.replace("0.5", "0.7").replace("20000", "30000");
        fs::write(folder.path().join("small.toml"), other).unwrap();
        doorcard(folder.path(), &["train", "small.toml", "--resume"]).refused(&["training.", "was "]);
        doorcard(folder.path(), &["export", "runs/small"]).ok();
    }
    let folder = folder_with(&EXPERIMENT.replace("batch", "exploration = 0.5\nbatch"));
    doorcard(folder.path(), &["run", "small.toml"]).refused(&["training.exploration", "outcome_sampling"]);
    assert!(!folder.path().join("runs").exists());
}

/// Public chance sampling trains over whole boards, draws no hands, and leaves a strategy like all others.
#[test]
fn boards_are_walked_whole() {
    let boards = EXPERIMENT
        .replace(
            "iterations = 6000\nbatch = 500",
            "solver = \"public_chance_sampling\"\niterations = 6\nbatch = 2",
        )
        .replace("checkpoint_every = 1500", "checkpoint_every = 4");
    let folder = folder_with(&boards.replace("batch", "hands = 8\nbatch"));
    doorcard(folder.path(), &["train", "small.toml"])
        .refused(&["training.hands", "only solver = \"vector_external_sampling\" has use for it"]);
    assert!(!folder.path().join("runs").exists());

    let folder = folder_with(&boards);
    let run = folder.path().join("runs/small");
    doorcard(folder.path(), &["train", "small.toml", "--threads", "2"]).ok();
    let info = |path: &Path| doorcard(folder.path(), &["info", path.to_str().unwrap(), "--json"]).json();
    let checkpoint = info(&last_checkpoint(&run));
    assert_eq!(checkpoint["sampling"], "public-chance");
    assert_eq!(checkpoint["iteration"], 6);
    let exported = doorcard(folder.path(), &["export", "small.toml", "--json"]).json();
    assert!(run.join("strategy.dcst").is_file());
    // A board visits all betting: far more rows than boards.
    let averaged = exported["average_rows"].as_u64().unwrap();
    assert!(averaged > 1000 && averaged < exported["infosets"].as_u64().unwrap(), "{averaged}");
    let metrics = curve(&run);
    let last = metrics.last().unwrap();
    assert!(last["regret_visits_per_infoset"].as_f64().unwrap() > 0.1, "{last}");
}

/// Vector external sampling from a configuration to a report; interrupted and resumed on another number of threads it
/// ends with the same bytes.
#[test]
fn boards_are_sampled() {
    let settings = "solver = \"vector_external_sampling\"\niterations = 96\nbatch = 8\nhands = 3\nlines = 2\n\
                    precision = \"half\"";
    let boards = EXPERIMENT
        .replace("iterations = 6000\nbatch = 500", settings)
        .replace("checkpoint_every = 1500", "checkpoint_every = 32");
    let whole = folder_with(&boards);
    doorcard(whole.path(), &["run", "small.toml", "--threads", "2"]).ok();
    let run = whole.path().join("runs/small");
    let report = fs::read_to_string(run.join("report.html")).unwrap();
    assert!(report.contains("boards trained on"), "{report}");
    assert!(report.contains("vector external sampling, 3 hands a board"), "{report}");
    let info = |path: &Path| doorcard(whole.path(), &["info", path.to_str().unwrap(), "--json"]).json();
    let checkpoint = info(&last_checkpoint(&run));
    assert_eq!((&checkpoint["sampling"], &checkpoint["unit"]), (&"vector".into(), &"boards".into()));
    let settings = ["hands", "average", "lines", "precision", "batch", "iteration"];
    let expected = [3.into(), "own_reach".into(), 2.into(), "half".into(), 8.into(), Value::from(96)];
    assert_eq!(settings.map(|key| checkpoint[key].clone()), expected);
    // Time is told where the run directory has recorded it: of the newest checkpoint and the strategy, of an earlier one
    // if the learning curve has a point there, and of nothing elsewhere.
    let metrics = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let point = |iteration: u64| {
        let points = metrics.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        points.into_iter().find(|point| point["iteration"] == iteration).expect("a point")["seconds"].clone()
    };
    assert!(checkpoint["seconds"].as_f64().unwrap() >= point(96).as_f64().unwrap());
    let strategy = info(&run.join("strategy.dcst"));
    assert_eq!(strategy["seconds"], checkpoint["seconds"]);
    assert_eq!(settings.map(|key| strategy[key].clone()), expected);
    let earlier = info(&files(&run.join("checkpoints"))[0]);
    assert_eq!((&earlier["iteration"], &earlier["seconds"]), (&64.into(), &point(64)));
    let alone = whole.path().join("alone.dcst");
    fs::copy(run.join("strategy.dcst"), &alone).unwrap();
    assert_eq!(info(&alone)["seconds"], Value::Null);
    // A run directory stands for its newest checkpoint.
    assert_eq!(info(&run), checkpoint);
    let text = doorcard(whole.path(), &["info", run.to_str().unwrap()]).ok().out;
    let fields: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    for (name, value) in [
        ("sampling", "vector"),
        ("hands a board", "3"),
        ("average", "own_reach"),
        ("lines a board", "2"),
        ("precision", "half"),
        ("batch", "8 boards"),
        ("trained on", "96 boards"),
    ] {
        // Values stand one below the other, beside the longest name.
        assert!(fields.contains(&&*format!("{name:<26}  {value}")), "{name}: {text}");
    }
    assert!(fields.iter().any(|line| line.starts_with("training time  ") && line.ends_with(" s")), "{text}");
    doorcard(whole.path(), &["info", whole.path().to_str().unwrap()]).refused(&["neither a checkpoint"]);

    let parts = folder_with(&boards.replace("iterations = 96", "iterations = 40"));
    doorcard(parts.path(), &["train", "small.toml", "--threads", "1"]).ok();
    fs::write(parts.path().join("small.toml"), &boards).unwrap();
    doorcard(parts.path(), &["train", "small.toml", "--resume", "--threads", "3"]).ok();
    doorcard(parts.path(), &["export", "small.toml"]).ok();
    let strategy = |folder: &Path| fs::read(folder.join("runs/small/strategy.dcst")).unwrap();
    assert!(strategy(whole.path()) == strategy(parts.path()));

    for (from, to, parts) in [
        ("hands = 3", "hands = -1", ["small.toml: training.hands = -1", "from 1 to 32"]),
        ("hands = 3", "hands = 3\nweighting = \"dcfr\"", ["small.toml: training.weighting", "\"cfr-plus\""]),
        ("lines = 2", "lines = 0", ["training.lines", "from 1 to 1024"]),
        ("\"half\"", "\"quarter\"", ["precision", "half"]),
        ("batch", "prune = { below = 1 }\nbatch", ["training.prune", "external_sampling"]),
    ] {
        let folder = folder_with(&boards.replacen(from, to, 1));
        doorcard(folder.path(), &["train", "small.toml"]).refused(&parts);
        assert!(!folder.path().join("runs").exists());
    }
}

#[test]
fn perfect_recall_is_trained_played_and_measured() {
    let street = |name: &str, public: &str| format!("\n[{name}]\n{public}private = 2\n");
    let streets = ["third", "fourth", "fifth", "sixth"].map(|name| street(name, "public = 2\n")).concat();
    let abstraction = format!(
        "family = \"percentile\"\nrecall = \"perfect\"\nseed = 1\n\n[samples]\npublic = 500\nprivate = 2000\n\
         {streets}{}",
        street("seventh", "")
    );
    for solver in ["external_sampling", "vector_external_sampling"] {
        let settings = format!("solver = \"{solver}\"\niterations = 64\nbatch = 16");
        let experiment = EXPERIMENT
            .replace("\"tiny\"", "\"perfect.toml\"")
            .replace("iterations = 6000\nbatch = 500", &settings)
            .replace("1500", "32");
        let folder = folder_with(&experiment);
        fs::write(folder.path().join("perfect.toml"), &abstraction).unwrap();
        doorcard(folder.path(), &["run", "small.toml"]).ok();
        let text =
            doorcard(folder.path(), &["exploit", "runs/small/strategy.dcst", "--hands", "20"]).ok().out;
        assert!(text.contains("local best response on streets 5 to 7"), "{text}");
    }
}

/// A copy of the finished experiment, to change.
pub(crate) fn finished_copy() -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for path in files(from) {
            let target = to.join(path.file_name().unwrap());
            if path.is_dir() {
                copy(&path, &target);
            } else {
                fs::copy(&path, target).unwrap();
            }
        }
    }
    let folder = folder_with(EXPERIMENT);
    copy(&finished().join("runs"), &folder.path().join("runs"));
    folder
}

/// The steps of a run that were already there.
pub(crate) fn reused(out: &str) -> Vec<&str> {
    let lines = out.lines().filter(|line| line.contains("already there"));
    lines.map(|line| line.split_whitespace().next().unwrap()).collect()
}

/// What is trained and played depends on how it came about no more than on the threads.
#[test]
fn a_run_is_extended_and_evaluated_anew() {
    let folder = finished_copy();
    let run = folder.path().join("runs/small");
    let again = |text: &str| {
        fs::write(folder.path().join("small.toml"), text).unwrap();
        doorcard(folder.path(), &["run", "small.toml"]).ok().out
    };
    let longer =
        EXPERIMENT.replace("6000", "8000").replace("every = 1500", "every = 4000\nkeep = 5\nthreads = 1");
    assert_eq!(reused(&again(&longer)), ["abstraction"]);
    assert_eq!(reused(&again(&longer)).len(), 5);
    let config = fs::read_to_string(run.join("config.toml")).unwrap();
    assert!(config.contains("iterations = 8000") && config.contains("checkpoint_every = 4000"), "{config}");
    let at_once = folder_with(&longer);
    doorcard(at_once.path(), &["train", "small.toml"]).ok();
    doorcard(at_once.path(), &["export", "small.toml"]).ok();
    let other = at_once.path().join("runs/small");
    assert_eq!(fs::read(last_checkpoint(&run)).unwrap(), fs::read(last_checkpoint(&other)).unwrap());
    assert_eq!(fs::read(run.join("strategy.dcst")).unwrap(), fs::read(other.join("strategy.dcst")).unwrap());

    let more =
        longer.replace("duplicates = 500", "duplicates = 600").replace("\"call\"]", "\"call\", \"fold\"]");
    assert_eq!(reused(&again(&more)), ["abstraction", "training", "export"]);
    let report: Value = serde_json::from_str(&fs::read_to_string(run.join("report.json")).unwrap()).unwrap();
    let hands: Vec<_> =
        report["matches"].as_array().unwrap().iter().map(|row| row["hands"].as_u64()).collect();
    assert_eq!((&report["training"]["iterations"], hands), (&Value::from(8000), vec![Some(1200); 3]));
}

/// Whatever stands in the place of a step's work without being it is made anew.
#[test]
fn only_the_right_work_counts_as_done() {
    let folder = finished_copy();
    let run = folder.path().join("runs/small");
    let again = || doorcard(folder.path(), &["run", "small.toml"]).ok().out;
    let names = ["strategy.dcst", "matches/call.json", "report.json", "report.html"];
    let before = names.map(|name| fs::read(run.join(name)).unwrap());
    let as_before = || assert!(names.map(|name| fs::read(run.join(name)).unwrap()) == before);

    fs::write(run.join("report.html"), "").unwrap();
    assert_eq!(reused(&again()), ["abstraction", "training", "export", "evaluation"]);
    as_before();
    fs::copy(run.join("matches/uniform.json"), run.join("matches/call.json")).unwrap();
    assert_eq!(reused(&again()), ["abstraction", "training", "export", "report"]);
    as_before();
    let older = String::from_utf8(before[1].clone()).unwrap().replace(env!("CARGO_PKG_VERSION"), "0.0.0");
    fs::write(run.join("matches/call.json"), older).unwrap();
    assert_eq!(reused(&again()), ["abstraction", "training", "export", "report"]);
    as_before();
    fs::remove_dir_all(run.join("checkpoints")).unwrap();
    assert_eq!(reused(&again()).len(), 5);
    as_before();
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_building_of_an_abstraction_at_once() {
    let folder = folder_with(&EXPERIMENT.replace("tiny", "default"));
    for args in [&["abstract", "default", "--out", "d.dcab"][..], &["run", "small.toml"]] {
        let mut child =
            command(folder.path()).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The directory of a run is there before its abstraction is begun, on a busy machine long after the start.
        let config = folder.path().join("runs/small/config.toml");
        while args[0] == "run" && !config.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        std::thread::sleep(std::time::Duration::from_secs(1));
        assert!(child.try_wait().unwrap().is_none(), "too fast for this test: {args:?}");
        let sent = std::time::Instant::now();
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{err}");
        assert!(err.contains("while the abstraction was being built"), "{err}");
        assert!(sent.elapsed().as_secs() < 5, "{:?}", sent.elapsed());
    }
    let names = |folder: &Path| -> Vec<String> {
        files(folder).iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    };
    assert_eq!(names(folder.path()), ["runs", "small.toml"]);
    assert_eq!(names(&folder.path().join("runs/small")), [".lock", "config.toml"]);
}

#[test]
fn an_abstraction_that_could_not_be_written_is_not_built() {
    let folder = finished();
    let started = std::time::Instant::now();
    doorcard(folder, &["abstract", "default", "--out", "absent/d.dcab"]).refused(&["absent/d.dcab"]);
    doorcard(folder, &["abstract", "default", "--out", "runs"]).refused(&["--out runs", "name of a file"]);
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}

#[test]
fn what_does_not_fit_is_refused_before_it_is_begun() {
    let folder = folder_with(&EXPERIMENT.replace("batch", "max_memory = \"8MiB\"\nbatch"));
    doorcard(folder.path(), &["run", "small.toml"]).refused(&["infosets", "max_memory = 8.00 MiB"]);
    assert!(!folder.path().join("runs").exists());
    // The table would fit, but not what a batch writes down.
    let folder = folder_with(&EXPERIMENT.replace("batch = 500", "max_memory = \"1GiB\"\nbatch = 65536"));
    doorcard(folder.path(), &["run", "small.toml"]).refused(&["for the logs of a batch", "smaller batch"]);
    assert!(!folder.path().join("runs").exists());
    let folder = folder_with(&EXPERIMENT.replace("stud_bench", "stud_hilo8_no_limit"));
    doorcard(folder.path(), &["run", "small.toml"]).refused(&["betting = \"limit\"", "no_limit"]);
}

#[test]
fn a_strategy_plays_its_own_game_only() {
    let folder = finished();
    let strategy = "strategy:runs/small/strategy.dcst";
    let report =
        doorcard(folder, &["match", strategy, "call", "--hands", "1000", "--seed", "7", "--json"]).json();
    let evaluated: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("runs/small/matches/call.json")).unwrap())
            .unwrap();
    assert_eq!(report["table"][0]["mean_msb_per_hand"], evaluated["table"][0]["mean_msb_per_hand"]);
    assert_eq!(report["table"][0]["bot"], "small");
    doorcard(folder, &["match", strategy, "call", "--game", "stud_bench_nodouble"])
        .refused(&["strategy.dcst", "fourth_street_double_bet"]);
    doorcard(folder, &["match", strategy, "call", "rock"]).refused(&["strategy.dcst", "3"]);
    let report = doorcard(folder, &["exploit", strategy, "--hands", "20", "--json"]).json();
    let info = doorcard(folder, &["info", "runs/small/strategy.dcst", "--json"]).json();
    for field in ["game", "iteration", "fingerprint", "abstraction", "abstraction_fingerprint"] {
        assert_eq!(report[field], info[field], "{field}");
    }
    doorcard(folder, &["exploit", strategy, "--game", "stud_bench_nodouble"])
        .refused(&["strategy.dcst", "fourth_street_double_bet"]);
    doorcard(folder, &["match", "runs/small/abstraction.dcab", "call"])
        .refused(&["abstraction.dcab", "strategy"]);
}

/// Every change of a byte and every truncation is noticed by `info --verify`.
#[test]
fn damaged_files_are_refused() {
    damage(8);
}

#[test]
#[ignore = "a thousand damaged files take minutes"]
fn a_thousand_damaged_files_are_refused() {
    damage(500);
}

fn damage(each: u64) {
    let run = finished().join("runs/small");
    let folder = tempfile::tempdir().unwrap();
    // A linear congruential generator (Knuth, MMIX) for the places.
    let mut state = 1u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for file in [last_checkpoint(&run), run.join("strategy.dcst"), run.join("abstraction.dcab")] {
        let whole = fs::read(&file).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        let copy = folder.path().join(name);
        for _ in 0..each {
            let at = random(whole.len() as u64) as usize;
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << random(8);
            fs::write(&copy, flipped).unwrap();
            doorcard(folder.path(), &["info", name, "--verify"]).refused(&[name]);
            fs::write(&copy, &whole[..at]).unwrap();
            doorcard(folder.path(), &["info", name, "--verify"]).refused(&[name]);
        }
        fs::write(&copy, &whole).unwrap();
        doorcard(folder.path(), &["info", name, "--verify"]).ok();
    }
}

#[test]
fn info_says_what_a_file_is() {
    let folder = finished();
    let info = |file: &str| doorcard(folder, &["info", file, "--json"]).json();
    let strategy = info("runs/small/strategy.dcst");
    assert_eq!(strategy["kind"], "strategy");
    assert_eq!(strategy["iteration"], 6000);
    for field in ["version", "fingerprint", "infosets", "bytes", "visits_per_infoset"] {
        assert!(!strategy[field].is_null(), "{field}");
    }
    let abstraction = info("runs/small/abstraction.dcab");
    assert_eq!(abstraction["kind"], "abstraction");
    assert_eq!(abstraction["abstraction_fingerprint"], strategy["abstraction_fingerprint"]);
    // One field, one meaning: games go by the names that `match` knows.
    assert_eq!((&strategy["game"], &strategy["history"]), (&"stud_bench".into(), &"counts".into()));
    assert_eq!((&strategy["variant"], &abstraction["variant"]), (&"high".into(), &"high".into()));
    assert!(strategy["rules"].as_str().unwrap().contains("bring_in") && strategy["config"].is_null());
    assert!(abstraction["config"].as_str().unwrap().contains("private") && abstraction["rules"].is_null());
    assert!(abstraction["game"].is_null());
    fs::write(folder.join("foreign.bin"), "GIF89a").unwrap();
    doorcard(folder, &["info", "foreign.bin"]).refused(&["foreign.bin"]);
    doorcard(folder, &["info", "absent.bin"]).refused(&["absent.bin"]);
}

/// What a strategy fell back to at one table has nothing to do with what it did at another.
#[test]
fn fallbacks_are_counted_by_table() {
    let folder = finished();
    let strategy = "strategy:runs/small/strategy.dcst";
    let play = |others: &[&str]| -> Vec<(String, f64)> {
        let fixed = ["--round-robin", "--hands", "400", "--seed", "3", "--json"];
        let report = doorcard(folder, &[&["match", strategy], others, &fixed].concat()).json();
        let rows = report["table"].as_array().unwrap().iter();
        rows.filter(|row| row["bot"] == "small")
            .map(|row| (row["opponents"][0].to_string(), row["fallback_rate"].as_f64().unwrap()))
            .collect()
    };
    let together = play(&["raise", "fold"]);
    assert_eq!(together, [play(&["raise"]), play(&["fold"])].concat());
    assert_ne!(together[0].1, together[1].1);
    let text = doorcard(folder, &["match", strategy, "raise", "--hands", "400", "--seed", "3"]).ok().out;
    assert!(text.contains("fallback") && text.contains(" %"), "{text}");
}
