//! Whole matches of bots that are shell scripts or threads that listen.

use super::super::*;
use super::table;
use crate::by_name;
use doorcard_eval::match_play::{MatchConfig, MatchResult, play};
use doorcard_games::stud::Rules;
use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Long enough for any bot that answers, on any machine.
const PATIENT: Duration = Duration::from_secs(60);

/// Reads the request and sets `$offered` to the actions on offer, which are its end.
const READ: &str = "read -r line || exit 0; offered=${line##*'\"actions\":'}\n";
const HELLO: &str = "read -r line; echo '{\"name\":\"sh\"}'\n";

/// The built-in `call`, in POSIX shell.
const CALL: &str = r#"case $offered in
    *'"bring in"'*) echo '{"action":"bring in"}' ;;
    *'"check"'*) echo '{"action":"check"}' ;;
    *) echo '{"action":"call"}' ;;
esac
"#;

/// Counts the faults of its bot, as results do.
struct Counted {
    bot: ExternalBot,
    faults: FaultCounter,
}

impl Counted {
    fn open(text: &str, stud: &StudTable, timeout: Duration) -> Counted {
        let bot = ExternalBot::open(text, "test", stud, timeout, |line| eprintln!("{line}")).unwrap();
        Counted { bot, faults: FaultCounter::default() }
    }

    fn faults(&self) -> Vec<(&'static str, u64)> {
        self.faults.counts().map(|(kind, count)| (kind.name(), count)).collect()
    }
}

impl Agent<StudTable> for Counted {
    fn name(&self) -> &str {
        self.bot.name()
    }

    fn act(&self, view: &SeatView<'_>, rng: &mut dyn Rng) -> usize {
        let (place, fault) = self.bot.decide(view, rng);
        if let Some(kind) = fault {
            self.faults.count(kind);
        }
        place
    }
}

/// Shell scripts in a folder of their own.
struct Scripts(TempDir);

impl Scripts {
    fn new() -> Scripts {
        Scripts(tempfile::tempdir().unwrap())
    }

    /// The player's name of a bot that is this script.
    fn bot(&self, text: &str) -> String {
        let path = self.0.path().join("bot.sh");
        std::fs::write(&path, text).unwrap();
        format!("exec:sh {}", shlex::try_quote(path.to_str().unwrap()).unwrap())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn against_raise(stud: &StudTable, agent: &dyn Agent<StudTable>, deals: u64, threads: usize) -> MatchResult {
    let raise = by_name("raise", stud.rules()).unwrap();
    let config = MatchConfig { deals, seed: 7, threads: Some(threads) };
    play(stud, &[agent, &*raise], &config, &mut ()).unwrap()
}

/// A match of a bad bot to which every decision was lost: that of the built-in player that checks or folds.
fn loses_all(text: &str, timeout: Duration, expected: &[&str]) -> Vec<(&'static str, u64)> {
    let stud = table("stud_bench", 2);
    let bot = Counted::open(text, &stud, timeout);
    let result = against_raise(&stud, &bot, 40, 1);
    let folds = by_name("always_fold", stud.rules()).unwrap();
    assert_eq!(result, against_raise(&stud, &*folds, 40, 1), "{text}");
    let faults = bot.faults();
    assert_eq!(faults.iter().map(|&(kind, _)| kind).collect::<Vec<_>>(), expected, "{text}: {faults:?}");
    faults
}

#[test]
fn a_deterministic_bot_plays_as_its_twin_for_any_number_of_threads() {
    let scripts = Scripts::new();
    let name = scripts.bot(&format!("{HELLO}while true; do {READ}{CALL}done"));
    for (profile, players, deals) in [("stud_bench", 2, 40), ("stud_hilo8_no_limit", 3, 20), ("razz", 8, 17)]
    {
        let stud = table(profile, players);
        let call = by_name("call", stud.rules()).unwrap();
        let uniform = by_name("uniform", stud.rules()).unwrap();
        let run = |agent: &dyn Agent<StudTable>, threads| {
            let mut agents: Vec<&dyn Agent<StudTable>> = vec![&*uniform; players];
            agents[0] = agent;
            let config = MatchConfig { deals, seed: 3, threads: Some(threads) };
            play(&stud, &agents, &config, &mut ()).unwrap()
        };
        let expected = run(&*call, 1);
        for threads in [1, 3] {
            let bot = Counted::open(&name, &stud, PATIENT);
            assert_eq!(bot.name(), "sh");
            assert_eq!(run(&bot, threads), expected, "{profile} on {threads} threads");
            assert_eq!(bot.faults(), []);
            assert!(bot.bot.idle().len() <= threads, "{}", bot.bot.idle().len());
        }
    }
}

#[test]
fn luck_makes_chance_the_same_for_any_number_of_threads() {
    let scripts = Scripts::new();
    // Calls or gives up by the last digit of its luck.
    let script = format!(
        "{HELLO}while true; do {READ}luck=${{line##*'\"luck\":\"'}}; luck=${{luck%%'\"'*}}\n\
         case $luck in *[01234]) offered=${{offered##*fold}} ;; esac\n\
         case $offered in *'\"fold\"'*) echo '{{\"action\":\"fold\"}}'; continue ;; esac\n{CALL}done"
    );
    let name = scripts.bot(&script);
    let stud = table("stud_bench", 2);
    let run = |threads| {
        let bot = Counted::open(&name, &stud, PATIENT);
        let result = against_raise(&stud, &bot, 64, threads);
        assert_eq!(bot.faults(), []);
        result
    };
    let one = run(1);
    assert_eq!(one, run(4));
    for name in ["call", "always_fold"] {
        let twin = by_name(name, stud.rules()).unwrap();
        assert_ne!(one, against_raise(&stud, &*twin, 64, 1), "it does both, not only {name}");
    }
}

#[test]
fn a_program_that_is_not_there_is_out() {
    let faults = loses_all("exec:/absent/bot --fast", PATIENT, &["not_started", "out"]);
    // Once when it was opened, and for four decisions.
    assert_eq!(faults[0].1, 4);
}

#[test]
fn a_program_that_ends_at_once_is_out() {
    let scripts = Scripts::new();
    let faults = loses_all(&scripts.bot("exit 3"), PATIENT, &["ended", "out"]);
    assert_eq!(faults[0].1, 4);
    loses_all(&scripts.bot(&format!("{HELLO}kill -9 $$")), PATIENT, &["ended", "out"]);
    // It reads on but says nothing more.
    loses_all(&scripts.bot(&format!("{HELLO}exec >&-; cat >/dev/null")), PATIENT, &["ended", "out"]);
}

#[test]
fn a_program_that_ends_now_and_then_is_replaced() {
    let scripts = Scripts::new();
    let stud = table("stud_bench", 2);
    let name = scripts.bot(&format!("{HELLO}for i in 1 2 3 4; do {READ}{CALL}done"));
    let bot = Counted::open(&name, &stud, PATIENT);
    against_raise(&stud, &bot, 40, 1);
    let faults = bot.faults();
    assert!(matches!(faults[..], [("ended", 6..)]), "{faults:?}");
}

#[test]
fn a_program_that_hangs_is_out_and_nothing_of_it_is_left() {
    let scripts = Scripts::new();
    let pids = scripts.file("pids");
    let started = Instant::now();
    // A child of the program holds its output open, and neither ends by itself.
    let script = format!(
        "trap '' TERM INT HUP\nsleep 86400 &\necho $$ $! >> {}\n{HELLO}wait\n",
        pids.to_str().unwrap()
    );
    let faults = loses_all(&scripts.bot(&script), Duration::from_secs(1), &["timed_out", "out"]);
    assert!((4..=5).contains(&faults[0].1), "{faults:?}");
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    let pids = std::fs::read_to_string(pids).unwrap();
    assert!(pids.split_whitespace().count() >= 2, "{pids}");
    for pid in pids.split_whitespace() {
        assert!(gone(pid), "process {pid} is left");
    }
    loses_all(&scripts.bot("sleep 86400"), Duration::from_millis(40), &["timed_out", "out"]);
}

/// Whether a process has ended; one that nobody has reaped yet, having lost its parent, has.
fn gone(pid: &str) -> bool {
    let ended = || {
        let status = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
        matches!(status.stdout.trim_ascii(), [] | [b'Z', ..])
    };
    (0..200).any(|_| {
        let ended = ended();
        if !ended {
            std::thread::sleep(Duration::from_millis(20));
        }
        ended
    })
}

/// Requests are short enough for any pipe; what does not fit must not wait for ever either.
#[test]
fn what_is_not_read_is_not_sent_for_ever() {
    let deaf = Address::parse("exec:sleep 86400").unwrap();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = Address::Tcp(silent.local_addr().unwrap().to_string());
    for address in [deaf, silent] {
        let mut transport = address.connect(PATIENT).unwrap();
        let deadline = Instant::now() + Duration::from_millis(100);
        let error = transport.send(&vec![0; 64 << 20], deadline).unwrap_err();
        assert!(connection::is_timeout(&error), "{address:?}: {error}");
        assert!(deadline.elapsed() < PATIENT, "{address:?}");
    }
}

#[test]
fn garbage_costs_the_decision_and_not_the_connection() {
    let scripts = Scripts::new();
    for reply in ["garbage", "{\"action\":7}", "{\"id\":123456,\"action\":\"call\"}", "\\377\\0"] {
        let script = format!("{HELLO}while true; do {READ}printf '{reply}\\n'; done");
        loses_all(&scripts.bot(&script), PATIENT, &["malformed"]);
    }
    loses_all(&scripts.bot("while read -r line; do echo no; done"), PATIENT, &["malformed", "out"]);
}

#[test]
fn illegal_actions_cost_the_decision() {
    let scripts = Scripts::new();
    let script = format!("{HELLO}while true; do {READ}echo '{{\"action\":\"raise to\",\"amount\":1}}'; done");
    loses_all(&scripts.bot(&script), PATIENT, &["illegal"]);
}

#[test]
fn floods_are_not_read() {
    let scripts = Scripts::new();
    let flood = |what: &str| loses_all(&scripts.bot(&format!("{HELLO}{what}")), PATIENT, &["flooded", "out"]);
    flood("cat /dev/zero");
    flood("yes '{\"action\":\"call\"}'");
    flood("yes ''");
    // More than was asked for, at the end of every reply.
    flood(&format!("while true; do {READ}printf '{{\"action\":\"fold\"}}\\nthinking\\n'; done"));
    // From the first moment on.
    loses_all(&scripts.bot("cat /dev/zero"), PATIENT, &["flooded", "out"]);
}

/// Listens; each connection is served by a thread of its own.
fn listener(serve: fn(std::net::TcpStream)) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            std::thread::spawn(move || serve(stream));
        }
    });
    format!("tcp:{address}")
}

/// Answers hello, and calls `f` for every request after it.
fn greet(stream: std::net::TcpStream, mut f: impl FnMut(String, &mut std::net::TcpStream)) {
    let mut out = stream.try_clone().unwrap();
    let mut lines = BufReader::new(stream).lines();
    let _ = lines.next();
    let _ = out.write_all(b"{\"name\":\"listener\"}\n");
    for line in lines.map_while(Result::ok) {
        f(line, &mut out);
    }
}

#[test]
fn a_bot_that_listens_plays_as_its_twin() {
    let name = listener(|stream| {
        greet(stream, |line, out| {
            let offered = line.rsplit("\"actions\":").next().unwrap();
            let word = ["bring in", "check", "call"].into_iter().find(|word| offered.contains(word)).unwrap();
            // In two pieces, as networks may have it.
            out.write_all(b"{\"action\":").unwrap();
            out.write_all(format!("\"{word}\"}}\r\n").as_bytes()).unwrap();
        });
    });
    let stud = table("stud_bench", 2);
    let call = by_name("call", stud.rules()).unwrap();
    for threads in [1, 3] {
        let bot = Counted::open(&name, &stud, PATIENT);
        assert_eq!(bot.name(), "listener");
        let result = against_raise(&stud, &bot, 40, threads);
        assert_eq!(result, against_raise(&stud, &*call, 40, 1));
        assert_eq!(bot.faults(), []);
    }
}

#[test]
fn bad_listeners_are_out() {
    let closes = listener(|stream| greet(stream, |_, out| out.shutdown(std::net::Shutdown::Both).unwrap()));
    loses_all(&closes, PATIENT, &["ended", "out"]);
    let silent = listener(|stream| greet(stream, |_, _| {}));
    loses_all(&silent, Duration::from_millis(200), &["timed_out", "out"]);
    let floods = listener(|stream| {
        greet(stream, |_, out| while out.write_all(&[b'x'; 4096]).is_ok() {});
    });
    loses_all(&floods, PATIENT, &["flooded", "out"]);
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    loses_all(&format!("tcp:{nobody}"), PATIENT, &["not_started", "out"]);
}

/// The example in Python, as a program and as one that listens, at tables of every kind.
#[test]
fn the_example_bot_plays_without_faults() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 to run scripts/example_bot.py");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/example_bot.py");
    let mut server =
        Command::new("python3").args([script, "--listen", "0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut said).unwrap();
    let port = said.trim().rsplit(':').next().unwrap();

    let program = format!("exec:python3 {}", shlex::try_quote(script).unwrap());
    let mut heads_up = Vec::new();
    for name in [program, format!("tcp:127.0.0.1:{port}")] {
        for (profile, players) in [("stud_bench", 2), ("stud_hilo8_no_limit", 4), ("razz", 8)] {
            let stud = table(profile, players);
            let bot = Counted::open(&name, &stud, PATIENT);
            assert_eq!(bot.name(), "example");
            let others = by_name("uniform", stud.rules()).unwrap();
            let mut agents: Vec<&dyn Agent<StudTable>> = vec![&*others; players];
            agents[0] = &bot;
            let config = MatchConfig { deals: 32, seed: 5, threads: Some(2) };
            let result = play(&stud, &agents, &config, &mut ()).unwrap();
            assert_eq!(bot.faults(), [], "{name} at {profile}");
            if players == 2 {
                heads_up.push(result);
            }
        }
    }
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(heads_up[0], heads_up[1]);
    let rules = Rules::named("stud_bench").unwrap();
    let msb = heads_up[0].agents[0].scaled(1000.0 / rules.small_bet() as f64);
    assert!(msb.mean > 0.0, "it loses to uniform: {} msb/h", msb.mean);
}
