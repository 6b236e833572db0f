//! Solving small games: figures, output, files, and what is refused.

use crate::common::{command, doorcard, files};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// `solve` with these words, run where no files are.
fn solve(args: &str) -> crate::common::Ran {
    let args: Vec<&str> = ["solve"].into_iter().chain(args.split(' ')).collect();
    doorcard(folder().path(), &args)
}

#[track_caller]
fn close(value: &Value, expected: f64, tolerance: f64) {
    let value = value.as_f64().expect("a number");
    assert!((value - expected).abs() <= tolerance, "{value} where {expected} is right");
}

/// The figures are those of OpenSpiel 2.0.2 after as many iterations of CFR+.
#[test]
fn the_fields_that_scripts_rely_on_hold_known_values() {
    let report = solve("kuhn --algorithm cfr-plus --iterations 10 --threads 2 --json").json();
    assert_eq!((&report["game"], &report["algorithm"]), (&"kuhn".into(), &"cfr-plus".into()));
    assert_eq!((&report["iterations"], &report["threads"]), (&10.into(), &2.into()));
    assert_eq!((&report["infosets"], &report["players"]), (&12.into(), &2.into()));
    assert_eq!((&report["stopped"], &report["bound"]), (&"iterations".into(), &"exact".into()));
    close(&report["exploitability"], 0.032_687_091, 1e-9);
    close(&report["nash_conv"], 2.0 * 0.032_687_091, 2e-9);
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    let [low, high] = [0, 1].map(|end| report["value_bounds"][end].as_f64().unwrap());
    assert!(low < -1.0 / 18.0 && -1.0 / 18.0 < high, "{low} to {high}");
    let value = report["value"].as_f64().unwrap();
    assert!(low < value && value < high, "{value}");
    let curve = report["curve"].as_array().unwrap();
    let iterations: Vec<u64> = curve.iter().map(|point| point["iteration"].as_u64().unwrap()).collect();
    assert_eq!(iterations, [1, 2, 3, 4, 5, 6, 8, 10]);
    close(&curve[0]["exploitability"], 0.458_333_333, 1e-9);
    assert_eq!(curve[7]["exploitability"], report["exploitability"]);
    assert_eq!(curve[7]["seconds"], report["seconds"]);
    let seconds: Vec<f64> = curve.iter().map(|point| point["seconds"].as_f64().unwrap()).collect();
    assert!(seconds.is_sorted(), "{seconds:?}");

    let report = solve("leduc --algorithm cfr-plus --iterations 10 --json").json();
    assert_eq!(report["infosets"], 936);
    close(&report["exploitability"], 0.610_438_902, 1e-9);
    // Both forms, and histories one by one, are the same game.
    let histories = solve("leduc --algorithm cfr-plus --form history --iterations 10 --json").json();
    close(&histories["exploitability"], 0.610_438_902, 1e-9);
    let report = solve("kuhn --iterations 1000 --json").json();
    assert_eq!(report["algorithm"], "dcfr");
    close(&report["exploitability"], 0.000_146_500, 1e-9);
    close(&report["value"], -1.0 / 18.0, 1e-3);
}

#[test]
fn every_algorithm_comes_near_equilibrium_on_kuhn() {
    for (algorithm, budget, options) in [
        ("cfr", 1000, ""),
        ("cfr-plus", 1000, ""),
        ("linear", 1000, ""),
        ("dcfr", 1000, ""),
        ("pcfr-plus", 1000, ""),
        ("pcfr-plus", 1000, " --simultaneous"),
        ("cfr-br", 1000, ""),
        ("cfr-br", 1000, " --rule linear"),
        ("public-chance", 1000, ""),
        ("external", 20_000, ""),
        ("external", 20_000, " --prune 40"),
        ("outcome", 200_000, ""),
        ("outcome", 200_000, " --baseline 0.1 --exploration 0.5"),
        ("dcfr", 1000, " --precision f32"),
    ] {
        let report =
            solve(&format!("kuhn --algorithm {algorithm} --iterations {budget}{options} --json")).json();
        assert_eq!(report["algorithm"], algorithm);
        assert_eq!(report["iterations"], budget);
        let found = report["exploitability"].as_f64().unwrap();
        assert!(found < 0.02, "{algorithm}{options}: {found}");
    }
}

/// Whole batches are done, so that a longer run goes on from a shorter one.
#[test]
fn batches_are_whole() {
    let report = solve("kuhn --algorithm external --iterations 100 --batch 64 --json").json();
    assert_eq!((&report["iterations"], &report["sampling"]["batch"]), (&128.into(), &64.into()));
}

#[test]
fn budgets_end_a_solution() {
    let report = solve("leduc --until 0.1 --json").json();
    assert_eq!(report["stopped"], "until");
    assert!(report["exploitability"].as_f64().unwrap() <= 0.1);
    let curve = report["curve"].as_array().unwrap();
    assert!(curve[curve.len() - 2]["exploitability"].as_f64().unwrap() > 0.1);
    let started = Instant::now();
    let ran = solve("leduc --seconds 0.2").ok();
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(ran.out.contains("the number of iterations does not repeat"), "{}", ran.out);
}

#[test]
fn the_text_names_units_and_what_is_exact() {
    let text = solve("kuhn --algorithm cfr-plus --iterations 10").ok().out;
    for part in [
        "Kuhn poker, 2 players",
        "cfr-plus, alternating updates",
        "12 infosets",
        "exploitability, chips",
        "0.032687091 chips: exact",
        "the game's value to player 0 lies between",
        "same bytes for any number of threads",
    ] {
        assert!(text.contains(part), "{part} in: {text}");
    }
    // Kuhn has no small bet to count in.
    assert!(!text.contains("msb/h"), "{text}");
    let text = solve("mini_high --iterations 2").ok().out;
    assert!(text.contains("msb/h") && text.contains("mini-stud high"), "{text}");
}

/// The columns of a table end where its heads do.
#[test]
fn the_curve_is_aligned() {
    let text = solve("mini_high --cards QK --iterations 3").ok().out;
    let table: Vec<&str> = text.lines().skip_while(|line| !line.contains("iterations  ")).collect();
    let ends: Vec<usize> = table[1..].iter().take(3).map(|line| line.trim_end().len()).collect();
    assert!(ends.iter().all(|&end| end == table[0].trim_end().len()), "{text}");
}

/// With more than two players exploitability means little: regrets are told instead, and no value.
#[test]
fn three_players_have_regrets_and_no_value() {
    for game in ["kuhn3 --iterations 300", "mini_high_3 --iterations 2"] {
        let text = solve(game).ok().out;
        assert!(text.contains("nash_conv ") && text.contains("average regret at most "), "{text}");
        assert!(!text.contains("lies between") && !text.contains("exploitability"), "{text}");
        let report = solve(&format!("{game} --json")).json();
        assert!(report["value_bounds"].is_null());
        assert_eq!(report["players"], 3);
        assert_eq!(report["values"].as_array().unwrap().len(), 3);
        let bound = report["average_regret_bound"].as_f64().unwrap();
        assert!(bound > 0.0, "{bound}");
        assert!(report["nash_conv"].as_f64().unwrap() > 0.0);
        assert!(report["exploitability"].is_null() && report["curve"][0]["exploitability"].is_null());
    }
    // Regrets that are sampled bound nothing.
    let report = solve("kuhn3 --algorithm external --iterations 80 --json").json();
    assert!(report["average_regret_bound"].is_null());
    let text = solve("kuhn3 --algorithm external --iterations 80").ok().out;
    assert!(text.contains("average regret: not known"), "{text}");
}

#[test]
fn an_abstraction_is_judged_in_the_real_game() {
    let args = "mini_high --cards QK --iterations 40";
    let report = solve(&format!("{args} --json")).json();
    let [real, inside] =
        ["exploitability", "abstract_exploitability"].map(|name| report[name].as_f64().unwrap());
    assert!(0.0 < inside && inside < real / 2.0, "{inside} inside, {real} in the real game");
    assert_eq!(report["cards"], "QK");
    let lossless = solve("mini_high --iterations 2 --json").json();
    assert!(report["infosets"].as_u64() < lossless["infosets"].as_u64());
    assert!(lossless["abstract_exploitability"].is_null());
    let text = solve(args).ok().out;
    for part in ["real exploitability, chips", "in the abstraction, chips", "abstract exploitability"] {
        assert!(text.contains(part), "{part} in: {text}");
    }
}

#[test]
fn what_cannot_be_solved_is_refused_in_one_line() {
    for (args, parts) in [
        (
            "stud-bench",
            &["stud-bench", "kuhn, kuhn3", "leduc", "mini_high", "mini_three", "doorcard train"][..],
        ),
        ("stud_hilo8_no_limit", &["stud_hilo8_no_limit", "leduc", "mini_high"]),
        ("kuhn8", &["kuhn8", "kuhn3 to kuhn7"]),
        ("kuhn1", &["kuhn1", "kuhn3 to kuhn7"]),
        ("kuhn02", &["kuhn02", "kuhn3 to kuhn7"]),
        ("kuhn3 --until 0.1", &["--until", "two players"]),
        ("holdem", &["'holdem'", "kuhn, kuhn3", "leduc", "mini_high", "rules file"]),
        ("absent/rules.toml", &["absent/rules.toml"]),
        ("kuhn --cards ranks", &["--cards ranks", "kuhn"]),
        ("leduc --cards ranks", &["--cards ranks", "leduc"]),
        ("mini_high --cards X", &["X", "ranks"]),
        ("mini_high_3 --cards ranks", &["--cards ranks", "two seats"]),
        ("kuhn --algorithm cfr --rule linear", &["--rule", "cfr is a rule itself", "external"]),
        ("kuhn --algorithm external --rule cfr-plus", &["rule", "cfr-plus", "linear"]),
        ("kuhn --algorithm external --baseline 0.1", &["--baseline", "external", "outcome"]),
        ("kuhn --algorithm outcome --prune 3", &["--prune", "outcome", "external"]),
        ("kuhn --algorithm outcome --baseline 2", &["baseline", "2", "at most 1"]),
        ("kuhn --algorithm outcome --exploration 0", &["exploration", "0", "above 0"]),
        ("kuhn --algorithm external --batch 0", &["batch", "0"]),
        ("kuhn --algorithm external --prune -1", &["prune", "-1"]),
        ("kuhn --algorithm dcfr --batch 8", &["--batch", "dcfr"]),
        ("kuhn --algorithm external --simultaneous", &["--simultaneous", "external"]),
        ("kuhn --algorithm external --form public", &["--form", "external", "history"]),
        ("kuhn3 --form public", &["public", "two players"]),
        ("kuhn3 --algorithm cfr-br", &["cfr-br", "two players"]),
        ("kuhn3 --algorithm public-chance", &["public-chance", "two players"]),
        ("kuhn --seconds -1", &["--seconds -1", "above 0"]),
        ("kuhn --seconds 0", &["--seconds 0", "above 0"]),
        ("kuhn --seconds NaN", &["--seconds NaN"]),
        ("kuhn --until 0", &["--until 0", "above 0"]),
        ("mini_high --max-memory 0", &["memory"]),
    ] {
        let ran = solve(args);
        assert_eq!(ran.err.lines().count(), 1, "{args}: {}", ran.err);
        assert!(ran.out.is_empty(), "{args}: {}", ran.out);
        ran.refused(parts);
    }
}

/// Arguments of one solution, kept in `out`.
fn kept(args: &str, iterations: u64, more: &[&str]) -> Vec<String> {
    let iterations = iterations.to_string();
    let words =
        args.split(' ').chain(["--out", "out", "--iterations", &iterations]).chain(more.iter().copied());
    ["solve"].into_iter().chain(words).map(String::from).collect()
}

fn solve_in(folder: &Path, args: &str, iterations: u64, more: &[&str]) -> crate::common::Ran {
    let args = kept(args, iterations, more);
    doorcard(folder, &args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Starts a solution that never ends and waits until its curve has gone beyond `iteration`.
fn started(folder: &Path, args: &str, iteration: u64, more: &[&str]) -> Child {
    let child = command(folder)
        .args(kept(args, 1 << 40, more))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let beyond = || {
        let text = fs::read_to_string(folder.join("out/curve.json")).unwrap_or_else(|_| "[]".into());
        let curve: Vec<Value> = serde_json::from_str(&text).expect("a curve is written whole");
        curve.last().is_some_and(|point| point["iteration"].as_u64().unwrap() > iteration)
    };
    let start = Instant::now();
    while !beyond() {
        assert!(start.elapsed() < Duration::from_secs(60), "no point of the curve within a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn newest(folder: &Path) -> PathBuf {
    files(&folder.join("out/checkpoints")).pop().expect("a checkpoint")
}

/// The iteration in a checkpoint's name.
fn iteration(checkpoint: &Path) -> u64 {
    let name = checkpoint.file_stem().unwrap().to_str().unwrap();
    name.strip_prefix("checkpoint-").unwrap().parse().unwrap()
}

fn curve(folder: &Path) -> Vec<(u64, f64)> {
    let text = fs::read_to_string(folder.join("out/curve.json")).unwrap();
    let points: Vec<Value> = serde_json::from_str(&text).unwrap();
    let point =
        |point: &Value| (point["iteration"].as_u64().unwrap(), point["exploitability"].as_f64().unwrap());
    points.iter().map(point).collect()
}

/// The iterations and the newest checkpoint of an uninterrupted solution are those of `folder`, and so is its curve but
/// for the points at which `folder`'s was interrupted.
#[track_caller]
fn same_as_uninterrupted(folder: &Path, args: &str, iterations: u64, more: &[&str]) {
    let whole = tempfile::tempdir().unwrap();
    solve_in(whole.path(), args, iterations, more).ok();
    assert_eq!(newest(folder).file_name(), newest(whole.path()).file_name());
    assert!(fs::read(newest(folder)).unwrap() == fs::read(newest(whole.path())).unwrap(), "{args}");
    let parts = curve(folder);
    for point in curve(whole.path()) {
        assert!(parts.contains(&point), "{args}: {point:?} is not in {parts:?}");
    }
}

#[cfg(unix)]
#[test]
fn resumed_after_ctrl_c_is_uninterrupted() {
    for (args, before, after) in [
        ("leduc --algorithm dcfr", &["--threads", "2"], &["--threads", "1"]),
        ("leduc --algorithm external --batch 64", &["--threads", "1"], &["--threads", "2"]),
        ("mini_high --algorithm dcfr", &["--threads", "1"], &["--threads", "2"]),
    ] {
        let folder = folder();
        let child = started(folder.path(), args, 0, before);
        // A second process is kept out meanwhile.
        solve_in(folder.path(), args, 10, &["--resume"]).refused(&["out", "another doorcard"]);
        let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{err}");
        assert!(err.contains("a checkpoint is written") && err.contains("--resume"), "{err}");
        let at = iteration(&newest(folder.path()));
        assert!(at > 0);
        let target = at + 128;
        solve_in(folder.path(), args, target, &[after.as_slice(), &["--resume"]].concat()).ok();
        assert!(iteration(&newest(folder.path())) >= target);
        same_as_uninterrupted(folder.path(), args, target, before);
    }
}

/// A killed solution leaves its newest checkpoint; what came after it is done again.
#[test]
fn resumed_after_being_killed_is_uninterrupted() {
    for (args, first, target) in [
        ("leduc --algorithm dcfr", 40, 100),
        ("leduc --algorithm external --batch 64", 640, 1280),
        ("leduc --algorithm outcome --baseline 0.1", 800, 2000),
        ("mini_high --algorithm dcfr", 4, 10),
    ] {
        let folder = folder();
        solve_in(folder.path(), args, first, &["--threads", "2"]).ok();
        let mut child = started(folder.path(), args, first, &["--resume"]);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(iteration(&newest(folder.path())), first);
        solve_in(folder.path(), args, target, &["--resume", "--threads", "1"]).ok();
        same_as_uninterrupted(folder.path(), args, target, &["--threads", "2"]);
        let iterations: Vec<u64> = curve(folder.path()).iter().map(|point| point.0).collect();
        assert!(iterations.is_sorted() && iterations.last() == Some(&target), "{iterations:?}");
    }
}

#[test]
fn a_kept_solution_leaves_curve_and_result() {
    let folder = folder();
    let report = solve_in(folder.path(), "kuhn --algorithm dcfr", 100, &["--json"]).json();
    let out = folder.path().join("out");
    let result: Value = serde_json::from_str(&fs::read_to_string(out.join("result.json")).unwrap()).unwrap();
    assert_eq!(result, report);
    let curve: Value = serde_json::from_str(&fs::read_to_string(out.join("curve.json")).unwrap()).unwrap();
    assert_eq!(curve, report["curve"]);
    assert_eq!(files(&out.join("tb")).len(), 1);
    assert!(fs::read_to_string(out.join("solve.toml")).unwrap().contains("algorithm = \"dcfr\""));
    let text = solve_in(folder.path(), "kuhn --algorithm dcfr", 200, &["--resume"]).ok().out;
    assert!(text.contains("out/result.json"), "{text}");
    assert_eq!(iteration(&newest(folder.path())), 200);
    // The newest two are kept.
    solve_in(folder.path(), "kuhn --algorithm dcfr", 300, &["--resume"]).ok();
    assert_eq!(files(&out.join("checkpoints")).len(), 2);
}

#[test]
fn info_says_what_an_exact_checkpoint_is() {
    let info = |args: &str, more: &[&str]| {
        let folder = folder();
        solve_in(folder.path(), args, 32, &[]).ok();
        let checkpoint = newest(folder.path());
        let checkpoint = checkpoint.to_str().unwrap();
        doorcard(folder.path(), &[&["info", checkpoint, "--verify"], more].concat())
    };
    let exact = info("leduc --algorithm dcfr --simultaneous --seed 5", &["--json"]).json();
    for (field, value) in [
        ("kind", "exact checkpoint"),
        ("game", "leduc"),
        ("traversal", "vector"),
        ("updates", "simultaneous"),
        ("weighting", "dcfr(1.5, 0, 2)"),
        ("abstraction", "lossless"),
    ] {
        assert_eq!(exact[field], value, "{field}");
    }
    assert_eq!(
        (&exact["iteration"], &exact["infosets"], &exact["seed"]),
        (&32.into(), &936.into(), &5.into())
    );
    for field in ["rules", "batch", "sampling", "exploration", "visits_per_infoset"] {
        assert!(exact[field].is_null(), "{field}");
    }
    let stud = info("mini_high --cards ranks", &["--json"]).json();
    assert_eq!(
        (&stud["game"], &stud["variant"], &stud["abstraction"]),
        (&"mini_high".into(), &"high".into(), &"ranks".into())
    );
    let text = info("kuhn3 --algorithm pcfr-plus", &[]).ok().out;
    for part in ["full-tree", "alternating", "pcfr-plus", "32 iterations", "kuhn3", "every checksum matches"]
    {
        assert!(text.contains(part), "{part} in: {text}");
    }
    let sampled = info("kuhn --algorithm outcome --baseline 0.1", &["--json"]).json();
    assert_eq!((&sampled["kind"], &sampled["sampling"]), (&"checkpoint".into(), &"outcome".into()));
    assert_eq!((&sampled["exploration"], &sampled["baseline"]), (&0.6.into(), &0.1.into()));
    let pruned = info("kuhn --algorithm external --prune 40", &["--json"]).json();
    assert_eq!(pruned["prune"]["below"], 40.0);
    assert!(pruned["exploration"].is_null() && pruned["baseline"].is_null() && pruned["updates"].is_null());
    let text = info("kuhn --algorithm external --prune 40", &[]).ok().out;
    assert!(text.contains("external") && text.contains("below -40 chips"), "{text}");
}

#[test]
fn an_existing_solution_goes_on_only_as_it_began() {
    let folder = folder();
    let begun = "leduc --algorithm external --batch 16";
    solve_in(folder.path(), begun, 160, &[]).ok();
    let checkpoint = newest(folder.path());
    let before = fs::read(&checkpoint).unwrap();
    solve_in(folder.path(), begun, 320, &[]).refused(&["out", "checkpoint-", "--resume"]);
    for (args, parts) in [
        ("kuhn --algorithm external --batch 16", &["game is \"kuhn\" now but was \"leduc\""][..]),
        ("leduc --algorithm outcome --batch 16", &["algorithm is \"outcome\" now but was \"external\""]),
        ("leduc --algorithm external --batch 8", &["sampling.batch is 8 now but was 16"]),
        ("leduc --algorithm external --batch 16 --seed 2", &["seed is 2 now but was 1"]),
        (
            "leduc --algorithm external --batch 16 --rule vanilla",
            &["rule is \"vanilla\" now but was \"linear\""],
        ),
        (
            "leduc --algorithm external --batch 16 --precision f32",
            &["precision is \"f32\" now but was \"f64\""],
        ),
    ] {
        let ran = solve_in(folder.path(), args, 320, &["--resume"]);
        assert_eq!(ran.err.lines().count(), 1, "{args}: {}", ran.err);
        ran.refused(parts);
    }
    assert_eq!(files(checkpoint.parent().unwrap()), std::slice::from_ref(&checkpoint));
    assert!(fs::read(&checkpoint).unwrap() == before);

    let mut damaged = before.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&checkpoint, damaged).unwrap();
    solve_in(folder.path(), begun, 320, &["--resume"]).refused(&["checkpoint-000000000000160", "checksum"]);
    fs::write(&checkpoint, &before[..middle]).unwrap();
    solve_in(folder.path(), begun, 320, &["--resume"]).refused(&["checkpoint-000000000000160"]);
    fs::write(&checkpoint, &before).unwrap();
    solve_in(folder.path(), begun, 320, &["--resume"]).ok();
}

/// What was refused, or stopped before its first checkpoint, has not begun.
#[test]
fn a_refused_setting_can_be_mended_in_the_same_folder() {
    let folder = folder();
    solve_in(folder.path(), "kuhn --algorithm outcome --exploration 2", 8, &[]).refused(&["exploration"]);
    solve_in(folder.path(), "kuhn --algorithm outcome --exploration 0.2", 8, &[]).ok();
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let folder = folder();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("thesis.tex"), "years of work").unwrap();
    for more in [&[][..], &["--resume"]] {
        solve_in(folder.path(), "kuhn", 10, more).refused(&["out", "not empty", "solve.toml"]);
        assert_eq!(files(&out), [out.join("thesis.tex")]);
    }
    solve("kuhn --resume").refused(&["--out"]);
}
