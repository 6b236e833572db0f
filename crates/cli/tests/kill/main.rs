//! Kills the program for good (SIGKILL) at random moments of its work, and looks at what it left.
//!
//! After every kill each file that has its name is whole, and the same command goes on. Who was killed any number of times ends
//! with the bytes of who never was. `KILLS=200` kills so often (scripts/kill-tests); the default is a short form for every
//! change. When a process dies is luck: a failure names what it was doing and after how long.

#[path = "../cli/common.rs"]
#[allow(dead_code, reason = "what other tests need of it")]
mod common;

use common::{EXPERIMENT, command, doorcard, files};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

/// Kills of the short form.
const SHORT: u32 = 12;
/// Kills of one piece of work before it is let through.
const KILLS_EACH: u32 = 4;

/// A piece of work.
struct Work {
    name: &'static str,
    /// Written before it begins.
    config: String,
    args: &'static [&'static str],
    /// What goes on with it once there is a checkpoint.
    resume: Option<&'static str>,
    /// What it leaves that must not depend on kills, below the folder it runs in.
    results: &'static [&'static str],
}

fn works() -> Vec<Work> {
    let ladder = "\n[evaluation.ladder]\nlbr = [5]\nhands = 200\nexploiter_hands = 40\nmilestones = 3\n\
        exploiters = [{ abstraction = \"tiny\", boards = 64 }]\n";
    let boards = EXPERIMENT
        .replace("[training]", "[training]\nsolver = \"vector_external_sampling\"")
        .replace("6000", "600")
        .replace("500\ncheckpoint_every = 1500", "10\ncheckpoint_every = 60");
    let deals =
        EXPERIMENT.replace("6000", "20000").replace("checkpoint_every = 1500", "checkpoint_every = 1000");
    let finer = EXPERIMENT.replace("\"tiny\"", "\"quickstart\"");
    vec![
        Work {
            name: "an experiment by deals",
            config: deals,
            args: &["run", "small.toml"],
            resume: None,
            results: &["abstraction.dcab", "checkpoints", "strategy.dcst", "matches", "hands"],
        },
        Work {
            name: "an experiment by boards, with a ladder",
            config: boards + ladder,
            args: &["run", "small.toml"],
            resume: None,
            results: &["abstraction.dcab", "checkpoints", "strategy.dcst", "milestones", "ladder", "matches"],
        },
        Work {
            name: "an abstraction",
            config: finer,
            args: &["abstract", "small.toml"],
            resume: None,
            results: &["abstraction.dcab"],
        },
        Work {
            name: "a small game solved",
            config: String::new(),
            args: &["solve", "mini_high", "--iterations", "3000", "--out", "runs/small"],
            resume: Some("--resume"),
            // Checkpoints before the last are written by the clock.
            results: &["checkpoints/checkpoint-000000000003000.ckpt"],
        },
    ]
}

/// All files below a path, by their names relative to `root`, but for what tells the time, the place or who works there.
fn contents(root: &Path, path: &Path, into: &mut Vec<(PathBuf, Vec<u8>)>) {
    if path.is_dir() {
        return files(path).iter().for_each(|path| contents(root, path, into));
    }
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let of_time_and_place =
        ["timing.json", "metrics.jsonl", ".lock", "report.json", "report.html", "config.toml"]
            .contains(&&*name)
            || name.starts_with("events.out");
    if !of_time_and_place {
        into.push((path.strip_prefix(root).unwrap().to_path_buf(), fs::read(path).unwrap()));
    }
}

impl Work {
    /// The command that begins the work in a folder or goes on with it.
    fn command(&self, folder: &Path) -> std::process::Command {
        let mut command = command(folder);
        command.args(self.args);
        let checkpoints = folder.join("runs/small/checkpoints");
        if checkpoints.is_dir()
            && files(&checkpoints).iter().any(|path| path.extension() == Some("ckpt".as_ref()))
        {
            command.args(self.resume);
        }
        command
    }
}

fn results(work: &Work, folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let run = folder.join("runs/small");
    let mut all = Vec::new();
    work.results.iter().for_each(|name| contents(&run, &run.join(name), &mut all));
    all
}

/// Every file of a kind with checksums that has its final name is whole.
fn assert_whole(folder: &Path, doing: &str) {
    let mut open = vec![folder.join("runs")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(files(&path));
            continue;
        }
        let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
        if ["ckpt", "dcst", "dcab"].contains(&kind) {
            let told = doorcard(folder, &["info", "--verify", path.to_str().unwrap()]);
            assert_eq!(told.code, Some(0), "{doing}: {} is damaged: {}", path.display(), told.err);
        }
        if kind == "json" {
            let text = fs::read_to_string(&path).unwrap();
            serde_json::from_str::<serde_json::Value>(&text)
                .unwrap_or_else(|error| panic!("{doing}: {}: {error}", path.display()));
        }
    }
}

#[test]
fn nothing_is_lost_by_being_killed() {
    let kills: u32 = std::env::var("KILLS").map_or(SHORT, |text| text.parse().expect("KILLS is a number"));
    let works = works();
    let share = kills.div_ceil(works.len() as u32);
    let mut rng = StdRng::seed_from_u64(kills.into());
    let mut killed = 0;
    for work in &works {
        let begin = || {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("small.toml"), &work.config).unwrap();
            folder
        };
        let through = begin();
        let start = Instant::now();
        doorcard(through.path(), work.args).ok();
        let whole = start.elapsed();
        let expected = results(work, through.path());
        assert!(!expected.is_empty(), "{}", work.name);
        let mut left = share;
        let mut rounds = 0;
        while left > 0 && rounds < 4 * share {
            rounds += 1;
            let folder = begin();
            for _ in 0..KILLS_EACH.min(left) {
                let after = whole.mul_f64(rng.random_range(0.0..1.0));
                let doing = format!("{} killed after {after:.0?} of {whole:.0?}", work.name);
                let mut child =
                    work.command(folder.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
                std::thread::sleep(after);
                let done = child.try_wait().unwrap();
                assert!(done.is_none_or(|status| status.success()), "{doing}: {done:?}");
                child.kill().unwrap();
                child.wait().unwrap();
                if folder.path().join("runs").is_dir() {
                    assert_whole(folder.path(), &doing);
                }
                if done.is_some() {
                    break;
                }
                (left, killed) = (left - 1, killed + 1);
            }
            let ran = work.command(folder.path()).output().unwrap();
            assert!(ran.status.success(), "{}: {}", work.name, String::from_utf8_lossy(&ran.stderr));
            let found = results(work, folder.path());
            let names = |files: &[(PathBuf, Vec<u8>)]| -> Vec<PathBuf> {
                files.iter().map(|(name, _)| name.clone()).collect()
            };
            assert_eq!(names(&found), names(&expected), "{}", work.name);
            for ((name, found), (_, expected)) in found.iter().zip(&expected) {
                assert!(found == expected, "{}: {} differs", work.name, name.display());
            }
        }
        assert_eq!(left, 0, "{}: too short to be killed", work.name);
        println!("{}: {share} kills, whole in {:.1} s", work.name, whole.as_secs_f64());
    }
    println!("{killed} kills: everything resumed to the same bytes");
    assert!(killed >= kills, "{killed} of {kills}");
}
