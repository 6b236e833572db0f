//! Bots in programs of their own: whatever they do, the match completes and says what they did.

use crate::common::{command, doorcard};
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

const HELLO: &str = "read -r line; echo '{\"name\":\"NAME\"}'\n";

/// A folder with bots that do nothing right but say their name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, does) in [
        ("dead", "exit 1"),
        ("hanging", "exec sleep 86400"),
        ("garbage", "while read -r line; do echo '{\"action\":'; done"),
        ("flooding", "read -r line; exec cat /dev/zero"),
    ] {
        std::fs::write(folder.path().join(name), HELLO.replace("NAME", name) + does).unwrap();
    }
    folder
}

#[test]
fn faulty_bots_lose_their_decisions_and_not_the_match() {
    let folder = folder();
    let players = ["exec:sh dead", "exec:sh hanging", "exec:sh garbage", "exec:sh flooding", "exec:./absent"];
    let args = [&["match", "raise"], &players[..], &["--hands", "120", "--bot-timeout", "2"]].concat();
    let ran = doorcard(folder.path(), &[&args[..], &["--json"]].concat()).ok();
    // A few lines for each kind of fault, each with bot, kind and what was expected.
    for (bot, kind, lines) in [
        ("dead", "ended: the program ended with exit code 1", 3),
        ("hanging", "timed out: no reply within 2 s", 3),
        ("garbage", "malformed: '{\"action\":' instead of {\"action\": \"...\"}", 3),
        ("flooding", "flooded: ", 3),
        ("absent", "not started: ", 3),
    ] {
        let told = ran.err.lines().filter(|line| line.starts_with(&format!("bot '{bot}' {kind}"))).count();
        assert_eq!(told, lines, "{bot}: {}", ran.err);
    }
    assert!(ran.err.contains("; expected one of: fold, "), "{}", ran.err);
    assert_eq!(ran.err.matches("more of this kind are only counted").count(), 5, "{}", ran.err);
    assert_eq!(ran.err.matches("is out").count(), 4, "{}", ran.err);

    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["hands"], 120);
    let row = |bot: &str| report["table"].as_array().unwrap().iter().find(|row| row["bot"] == bot).unwrap();
    let count = |bot: &str, kind: &str| row(bot)["faults"][kind].as_u64();
    for (bot, kind) in
        [("dead", "ended"), ("hanging", "timed_out"), ("flooding", "flooded"), ("absent", "not_started")]
    {
        // Five connections in a row, and a few more that were under way on other threads.
        assert!(count(bot, kind).is_some_and(|n| (4..50).contains(&n)), "{}", row(bot));
        assert!(count(bot, "out") > Some(50), "{}", row(bot));
    }
    assert!(count("garbage", "malformed") > Some(50) && count("garbage", "out").is_none());
    assert!(row("raise")["faults"].is_null(), "only external bots have faults");

    let text =
        doorcard(folder.path(), &args[..4].iter().chain(&args[7..]).copied().collect::<Vec<_>>()).ok().out;
    assert!(text.lines().next().unwrap().ends_with("faults") && text.contains("timed out "), "{text}");
}

#[test]
fn an_external_call_plays_the_rows_of_the_built_in_one() {
    let folder = tempfile::tempdir().unwrap();
    let script = "read -r line; echo '{\"name\":\"call\"}'\n\
        while read -r line; do case ${line##*'\"actions\":'} in\n\
        *bring*) echo '{\"action\":\"bring in\"}' ;; *check*) echo '{\"action\":\"check\"}' ;;\n\
        *) echo '{\"action\":\"call\"}' ;; esac; done";
    std::fs::write(folder.path().join("bot.sh"), script).unwrap();
    let rows = |player: &str, threads: &str| {
        let args = ["match", player, "uniform", "raise", "--game", "stud_hilo8", "--hands", "99", "--json"];
        let args = [&args[..], &["--bot-timeout", "60", "--threads", threads]].concat();
        doorcard(folder.path(), &args).json()["table"].take()
    };
    let built_in = rows("call", "1");
    for threads in ["1", "2"] {
        let mut external = rows("exec:sh bot.sh", threads);
        assert_eq!(external[0]["faults"].take(), serde_json::json!({}));
        external[0].as_object_mut().unwrap().remove("faults");
        assert_eq!(external, built_in);
    }
}

#[test]
fn ctrl_c_ends_a_match_with_a_slow_bot_and_its_programs() {
    let folder = tempfile::tempdir().unwrap();
    let script = "echo $$ >> pids; read -r line; echo '{\"name\":\"slow\"}'\n\
        while read -r line; do sleep 1; echo '{\"action\":\"fold\"}'; done; exec sleep 86400";
    std::fs::write(folder.path().join("bot.sh"), script).unwrap();
    let mut child = command(folder.path())
        .args(["match", "exec:sh bot.sh", "call", "--hands", "100000", "--bot-timeout", "60", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pids = folder.path().join("pids");
    let started = Instant::now();
    let several = || std::fs::read_to_string(&pids).is_ok_and(|text| text.lines().count() >= 1);
    while !several() && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_secs(2));
    let asked = Instant::now();
    let pid = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(asked.elapsed() < Duration::from_secs(30), "{:?}", asked.elapsed());
    for pid in std::fs::read_to_string(&pids).unwrap().lines() {
        let left = std::process::Command::new("kill").args(["-0", pid]).output().unwrap();
        assert!(!left.status.success(), "process {pid} is left");
    }
}
