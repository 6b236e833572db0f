use super::*;
use crate::{LBR, MATCH, Verdict};
use doorcard_eval::stats::Moments;
use serde_json::json;
use std::time::Instant;

/// What a player won of another, with 100 observations.
pub(crate) fn entry(player: &str, opponent: &str) -> Entry {
    let observations: Vec<f32> =
        (0..100).map(|deal| ((deal * 37 + player.len()) % 101) as f32 * 2.5 - 120.0).collect();
    let value = observations.iter().map(|&x| f64::from(x)).collect::<Moments>().summary();
    let named = |name: &str| PlayerRecord { name: name.into(), ..PlayerRecord::default() };
    Entry {
        kind: MATCH.into(),
        version: "0.1.0".into(),
        game: "stud_bench".into(),
        rules: "ante = 25\nbet_cap = 4\n".into(),
        seed: u64::MAX,
        hands: 200,
        settings: [("seats".to_string(), json!(2))].into(),
        players: vec![named(player), named(opponent)],
        value_msb_per_hand: value.mean,
        ci95: value.ci95,
        bound: Bound::None,
        deals: 100,
        observations,
    }
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.sqlite");
    (folder, path)
}

/// What a ledger says that cannot be opened or added to.
#[track_caller]
fn message<T>(result: Result<T, LedgerError>) -> String {
    result.err().expect("an error").to_string()
}

#[test]
fn what_is_added_is_read_again() {
    let (_folder, path) = folder();
    let mut strategy = entry("small", "rock");
    strategy.players[0] = PlayerRecord {
        name: "small".into(),
        fingerprint: Some("00ff00ff00ff00ff".into()),
        iteration: Some(6000),
        abstraction: Some("tiny".into()),
        abstraction_fingerprint: Some("1234567812345678".into()),
        config: Some("name = \"small\"\n".into()),
    };
    let mut single =
        Entry { kind: LBR.into(), ci95: f64::INFINITY, bound: Bound::Lower, ..entry("call", "x") };
    single.observations.clear();
    let entries = [strategy, single];
    let ids = Ledger::open(&path).unwrap().append(&entries).unwrap();
    assert_eq!(ids, [1, 2]);
    let ledger = Ledger::read(&path).unwrap();
    for (id, entry) in ids.into_iter().zip(&entries) {
        let read = ledger.get(id).unwrap().unwrap();
        let observations = ledger.observations(id).unwrap();
        assert_eq!(observations.clone().unwrap_or_default(), entry.observations);
        assert_eq!((read.batch, read.per_deal), (1, !entry.observations.is_empty()));
        assert!(
            read.time.len() == 20 && read.time.starts_with("20") && read.time.ends_with('Z'),
            "{}",
            read.time
        );
        assert_eq!(read.rules_hash, rules_hash(&entry.rules));
        assert_eq!(Entry { observations: observations.unwrap_or_default(), ..read.entry }, *entry);
    }
    assert_eq!(ledger.get(3).unwrap(), None);
    assert_eq!(ledger.observations(3).unwrap(), None);
}

#[test]
fn the_observations_mean_is_the_value() {
    let (_folder, path) = folder();
    let mut ledger = Ledger::open(&path).unwrap();
    ledger.append(&[entry("a", "b")]).unwrap();
    let read = ledger.get(1).unwrap().unwrap();
    let observations = ledger.observations(1).unwrap().unwrap();
    let value = observations.iter().map(|&x| f64::from(x)).collect::<Moments>().summary();
    assert_eq!((value.mean, value.ci95), (read.entry.value_msb_per_hand, read.entry.ci95));
}

#[test]
fn filters_let_through_what_they_say() {
    let (_folder, path) = folder();
    let mut ledger = Ledger::open(&path).unwrap();
    let razz = Entry { game: "razz".into(), ..entry("c", "a") };
    ledger.append(&[entry("a", "b"), entry("b", "a"), razz, entry("b", "c")]).unwrap();
    let ids = |filter: Filter| -> Vec<i64> {
        ledger.results(&filter).unwrap().into_iter().map(|result| result.id).collect()
    };
    let all = Filter::default();
    assert_eq!(ids(all.clone()), [1, 2, 3, 4]);
    assert_eq!(ids(Filter { last: Some(2), ..all.clone() }), [3, 4]);
    assert_eq!(ledger.count(&Filter { last: Some(2), ..all.clone() }).unwrap(), 4);
    assert_eq!(ids(Filter { game: Some("razz".into()), ..all.clone() }), [3]);
    let with_a = Filter { player: Some("a".into()), ..all };
    assert_eq!(ids(with_a.clone()), [1, 2, 3]);
    assert_eq!(ids(Filter { game: Some("stud_bench".into()), last: Some(1), ..with_a }), [2]);
}

/// Four threads, each with a connection of its own, begin with no file and add ten times two results.
#[test]
fn several_add_at_once_and_nothing_is_lost() {
    let (_folder, path) = folder();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..10 {
                    let name = format!("p{thread}");
                    let both = [entry(&name, "x"), entry("x", &name)];
                    let ids = Ledger::open(path).unwrap().append(&both).unwrap();
                    assert_eq!(ids[1], ids[0] + 1);
                }
            });
        }
    });
    let results = Ledger::read(&path).unwrap().results(&Filter::default()).unwrap();
    assert!(results.iter().map(|result| result.id).eq(1..=80));
    assert!(results.iter().all(|result| result.batch == result.id - (result.id - 1) % 2));
    for thread in 0..4 {
        let name = format!("p{thread}");
        assert_eq!(results.iter().filter(|result| result.entry.players[0].name == name).count(), 10);
    }
}

#[test]
fn who_waits_too_long_is_told() {
    let (_folder, path) = folder();
    Ledger::open(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let patience = Duration::from_millis(1100);
    let start = Instant::now();
    let mut ledger = Ledger::open_for(&path, patience).unwrap();
    let message = message(ledger.append(&[entry("a", "b")]));
    assert!(
        message.contains("results.sqlite") && message.contains("locked") && message.contains("1 second"),
        "{message}"
    );
    assert!(start.elapsed() >= patience);
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(ledger.append(&[entry("a", "b")]).unwrap(), [1]);
}

#[test]
fn other_files_and_versions_are_refused() {
    let (folder, path) = folder();
    assert!(message(Ledger::read(&path)).contains("no such ledger"));
    Ledger::open(&path).unwrap().append(&[entry("a", "b")]).unwrap();
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 7).unwrap();
    for text in [message(Ledger::open(&path)), message(Ledger::read(&path))] {
        assert!(text.contains("version 7") && text.contains("newer doorcard"), "{text}");
    }

    let other = folder.path().join("other.sqlite");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    for text in [message(Ledger::open(&other)), message(Ledger::read(&other))] {
        assert!(text.contains("other.sqlite: not a ledger"), "{text}");
    }

    let words = folder.path().join("words.txt");
    std::fs::write(&words, "no database at all, but words ".repeat(100)).unwrap();
    for text in [message(Ledger::open(&words)), message(Ledger::read(&words))] {
        assert!(text.contains("words.txt: damaged, or not a ledger"), "{text}");
    }
    assert!(message(Ledger::open(folder.path())).contains("cannot open the ledger"));
    assert!(
        message(Ledger::open(folder.path().join("absent/results.sqlite"))).contains("cannot open the ledger")
    );
}

#[test]
fn what_cannot_be_written_says_so() {
    let (_folder, path) = folder();
    Ledger::open(&path).unwrap();
    let text = message(Ledger::read(&path).unwrap().append(&[entry("a", "b")]));
    assert!(text.contains("results.sqlite: the ledger is read-only"), "{text}");
}

/// Every page of the file overwritten with noise, one at a time: results or an error, never a panic.
#[test]
fn damaged_pages_are_errors() {
    let (_folder, path) = folder();
    let entries: Vec<Entry> = (0..20).map(|_| entry("a", "b")).collect();
    Ledger::open(&path).unwrap().append(&entries).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let mut noticed = 0;
    for start in (0..whole.len()).step_by(4096) {
        let mut damaged = whole.clone();
        damaged[start..].iter_mut().take(4096).enumerate().for_each(|(i, byte)| *byte = (i * 151 + 13) as u8);
        std::fs::write(&path, damaged).unwrap();
        let read = || -> Result<(), LedgerError> {
            let ledger = Ledger::read(&path)?;
            for result in ledger.results(&Filter::default())? {
                ledger.observations(result.id)?;
            }
            Ledger::open(&path)?.append(&entries).map(|_| ())
        };
        match read() {
            Ok(()) => {}
            Err(LedgerError::Damaged { .. } | LedgerError::NotALedger(_) | LedgerError::Newer { .. }) => {
                noticed += 1
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(noticed >= 3, "{noticed}");
}

#[test]
fn fields_that_make_no_sense_are_damage() {
    let (_folder, path) = folder();
    Ledger::open(&path).unwrap().append(&[entry("a", "b")]).unwrap();
    for (sql, part) in [
        ("UPDATE results SET seed = '-1'", "seed = '-1'"),
        ("UPDATE results SET seed = '1', settings = '['", "settings = '['"),
        ("UPDATE results SET settings = '{}', bound = 'odd'", "bound = 'odd'"),
    ] {
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let text = message(Ledger::read(&path).unwrap().get(1));
        assert!(text.contains("result 1 has") && text.contains(part), "{text}");
    }
    let sql = "UPDATE results SET bound = 'none', observations = x'0000'";
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let ledger = Ledger::read(&path).unwrap();
    let result = ledger.get(1).unwrap().unwrap();
    let text = message(ledger.compare(&result, &result));
    assert!(text.contains("2 bytes of observations of 100 deals"), "{text}");
}

#[test]
fn results_are_found_by_number_place_and_name() {
    let (_folder, path) = folder();
    let mut ledger = Ledger::open(&path).unwrap();
    ledger.append(&[entry("a", "x"), entry("x", "a")]).unwrap();
    ledger.append(&[entry("bb", "x"), entry("x", "bb")]).unwrap();
    // The same again: names mean the latest.
    ledger.append(&[entry("a", "x"), entry("x", "a")]).unwrap();
    let ids = |first: &str, second: &str| {
        let (first, second) = ledger.find_pair(first, second).unwrap();
        (first.id, second.id)
    };
    assert_eq!(ids("1", "3"), (1, 3));
    assert_eq!(ids("last", "last~1"), (5, 3));
    assert_eq!(ids("last~2", "4"), (1, 4));
    assert_eq!(ids("a", "bb"), (5, 3));
    assert_eq!(ids("bb", "1"), (3, 1));
    // Nothing of x can be compared with what a won: the latest of both, to be refused.
    assert_eq!(ids("a", "x"), (5, 6));
    for wanted in ["7", "last~3", "nobody", "last~", "-1"] {
        let text = message(ledger.find_pair("1", wanted));
        assert!(text.contains(&format!("'{wanted}'")) && text.contains("last~1"), "{text}");
    }

    let razz = |player: &str| Entry { game: "razz".into(), ..entry(player, "x") };
    ledger.append(&[razz("a"), razz("bb")]).unwrap();
    let text = message(ledger.find_pair("a", "bb"));
    assert!(text.contains("'a' and 'bb'") && text.contains("7 and 8") && text.contains("5 and 3"), "{text}");
    let (first, second) = ledger.find_pair("7", "bb").unwrap();
    assert_eq!((first.id, second.id), (7, 8));
    assert!(matches!(ledger.compare(&first, &second).unwrap(), Verdict::Compared(_)));
}
