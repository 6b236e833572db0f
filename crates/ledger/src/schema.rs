//! What the tables of a ledger look like, and how files of other versions are told.
//!
//! Numbers of 64 bits without a sign (seeds) are text, since SQLite's have one. `observations` are `f32`, little-endian.
//! A change of the schema gets a new version: this program refuses newer ones and will have to read older ones.

use crate::LedgerError;
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// The version that this program writes, in `PRAGMA user_version`.
pub(crate) const VERSION: i64 = 1;

/// What `PRAGMA application_id` says of a ledger: "DOOR".
const APPLICATION: i64 = 0x444f_4f52;

const TABLES: &str = "
CREATE TABLE results (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    batch INTEGER NOT NULL,
    time TEXT NOT NULL,
    kind TEXT NOT NULL,
    version TEXT NOT NULL,
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    rules_hash TEXT NOT NULL,
    seed TEXT NOT NULL,
    hands INTEGER NOT NULL,
    settings TEXT NOT NULL,
    value_msb_per_hand REAL NOT NULL,
    ci95 REAL,
    bound TEXT NOT NULL,
    deals INTEGER NOT NULL,
    observations BLOB
) STRICT;
CREATE TABLE players (
    result INTEGER NOT NULL REFERENCES results(id),
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    fingerprint TEXT,
    iteration INTEGER,
    abstraction TEXT,
    abstraction_fingerprint TEXT,
    config TEXT,
    PRIMARY KEY (result, place)
) STRICT, WITHOUT ROWID;
";

/// What a file says it is: application, version, and how many tables it has.
fn header(db: &Connection) -> rusqlite::Result<(i64, i64, i64)> {
    let number = |sql| db.query_row(sql, [], |row| row.get(0));
    Ok((
        number("PRAGMA application_id")?,
        number("PRAGMA user_version")?,
        number("SELECT count(*) FROM sqlite_schema")?,
    ))
}

/// Makes a ledger of an empty file.
pub(crate) fn create(db: &mut Connection) -> rusqlite::Result<()> {
    if header(db)? != (0, 0, 0) {
        return Ok(());
    }
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    if header(&transaction)? == (0, 0, 0) {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()
}

/// Refuses what is not a ledger of a version that this program knows.
pub(crate) fn check(
    db: &Connection,
    path: &Path,
    sqlite: impl Fn(rusqlite::Error) -> LedgerError,
) -> Result<(), LedgerError> {
    match header(db).map_err(sqlite)? {
        (APPLICATION, VERSION, _) => Ok(()),
        (APPLICATION, found, _) if found > VERSION => {
            Err(LedgerError::Newer { path: path.into(), found, known: VERSION })
        }
        _ => Err(LedgerError::NotALedger(path.into())),
    }
}
