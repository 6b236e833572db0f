//! Reading from a ledger and adding to it.

use crate::entry::{Bound, Entry, PlayerRecord, Recorded, rules_hash};
use crate::{LedgerError, schema};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long one process waits for another.
const PATIENCE: Duration = Duration::from_secs(20);

const COLUMNS: &str = "id, batch, time, kind, version, game, rules, rules_hash, seed, hands, settings, \
                       value_msb_per_hand, ci95, bound, deals, observations IS NOT NULL";

const FILTER: &str = "(?1 IS NULL OR game = ?1) AND \
                      (?2 IS NULL OR EXISTS (SELECT 1 FROM players WHERE result = id AND name = ?2))";

/// Which results are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Those of this game.
    pub game: Option<String>,
    /// Those in which a player of this name took part.
    pub player: Option<String>,
    /// No more than so many, the last ones.
    pub last: Option<u32>,
}

/// An open ledger.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    db: Connection,
    patience: Duration,
}

impl Ledger {
    /// Opens a ledger to add to it; creates it where there is none.
    ///
    /// # Errors
    /// If the file cannot be opened or created, is something else, damaged, of a newer version, or locked for long.
    pub fn open(path: impl AsRef<Path>) -> Result<Ledger, LedgerError> {
        Ledger::open_for(path.as_ref(), PATIENCE)
    }

    pub(crate) fn open_for(path: &Path, patience: Duration) -> Result<Ledger, LedgerError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut ledger = Ledger::connect(path, flags, patience)?;
        let sqlite = ledger.sqlite();
        schema::create(&mut ledger.db).map_err(&sqlite)?;
        schema::check(&ledger.db, path, sqlite)?;
        Ok(ledger)
    }

    /// Opens a ledger that is there to read it.
    ///
    /// # Errors
    /// As [`Ledger::open`], and if there is no such file.
    pub fn read(path: impl AsRef<Path>) -> Result<Ledger, LedgerError> {
        let path = path.as_ref();
        if !path.exists() {
            return Err(LedgerError::Missing(path.into()));
        }
        let ledger = Ledger::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY, PATIENCE)?;
        schema::check(&ledger.db, path, ledger.sqlite())?;
        Ok(ledger)
    }

    fn connect(path: &Path, flags: OpenFlags, patience: Duration) -> Result<Ledger, LedgerError> {
        let sqlite = LedgerError::sqlite(path, patience.as_secs());
        let db =
            Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(&sqlite)?;
        db.busy_timeout(patience).map_err(&sqlite)?;
        Ok(Ledger { path: path.into(), db, patience })
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds results of one piece of work, all or none, and returns their numbers.
    ///
    /// # Errors
    /// If the file cannot be written, or is locked for long.
    ///
    /// # Panics
    /// If there are observations, but not one for each deal.
    pub fn append(&mut self, entries: &[Entry]) -> Result<Vec<i64>, LedgerError> {
        for entry in entries {
            let kept = entry.observations.len() as u64;
            assert!(kept == 0 || kept == entry.deals, "{kept} observations of {} deals", entry.deals);
        }
        let sqlite = self.sqlite();
        let add = |db: &mut Connection| -> rusqlite::Result<Vec<i64>> {
            let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let ids: Vec<i64> =
                entries.iter().map(|entry| insert(&transaction, entry)).collect::<rusqlite::Result<_>>()?;
            if let Some(first) = ids.first() {
                transaction.execute("UPDATE results SET batch = ?1 WHERE id >= ?1", [first])?;
            }
            transaction.commit()?;
            Ok(ids)
        };
        add(&mut self.db).map_err(sqlite)
    }

    /// The results that a filter lets through, in the order in which they were added.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn results(&self, filter: &Filter) -> Result<Vec<Recorded>, LedgerError> {
        let sql = format!("SELECT {COLUMNS} FROM results WHERE {FILTER} ORDER BY id DESC LIMIT ?3");
        let last = filter.last.map_or(-1, i64::from);
        let read = || -> rusqlite::Result<Vec<Raw>> {
            let mut query = self.db.prepare(&sql)?;
            query.query_map(params![filter.game, filter.player, last], raw)?.collect()
        };
        let found = read().map_err(self.sqlite())?;
        found.into_iter().rev().map(|raw| self.complete(raw)).collect()
    }

    /// How many results a filter lets through, however many of the last ones it asks for.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn count(&self, filter: &Filter) -> Result<u64, LedgerError> {
        let sql = format!("SELECT count(*) FROM results WHERE {FILTER}");
        let count = self.db.query_row(&sql, params![filter.game, filter.player], |row| row.get(0));
        count.map(unsigned).map_err(self.sqlite())
    }

    /// The results in which a player of this name comes first, in the order in which they were added.
    pub(crate) fn results_of(&self, player: &str) -> Result<Vec<Recorded>, LedgerError> {
        let filter = Filter { player: Some(player.into()), ..Filter::default() };
        let mut results = self.results(&filter)?;
        results.retain(|result| result.entry.players.first().is_some_and(|first| first.name == player));
        Ok(results)
    }

    /// The result with a number, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn get(&self, id: i64) -> Result<Option<Recorded>, LedgerError> {
        let sql = format!("SELECT {COLUMNS} FROM results WHERE id = ?1");
        let found = self.db.query_row(&sql, [id], raw).optional().map_err(self.sqlite())?;
        found.map(|raw| self.complete(raw)).transpose()
    }

    /// The first result of the last piece of work that added any (`back` = 0), of the one before (1), and so on.
    pub(crate) fn first_of_batch(&self, back: u32) -> Result<Option<Recorded>, LedgerError> {
        let sql = "SELECT DISTINCT batch FROM results ORDER BY batch DESC LIMIT 1 OFFSET ?1";
        let found: Option<i64> =
            self.db.query_row(sql, [back], |row| row.get(0)).optional().map_err(self.sqlite())?;
        found.map_or(Ok(None), |id| self.get(id))
    }

    /// The observations of a result, one for each deal; nothing where they were not kept.
    ///
    /// # Errors
    /// If the file cannot be read, or there are not as many as deals.
    pub fn observations(&self, id: i64) -> Result<Option<Vec<f32>>, LedgerError> {
        let sql = "SELECT observations, deals FROM results WHERE id = ?1";
        let both = |row: &Row<'_>| Ok((row.get::<_, Option<Vec<u8>>>(0)?, row.get::<_, i64>(1)?));
        let (bytes, deals) = match self.db.query_row(sql, [id], both).optional().map_err(self.sqlite())? {
            Some((Some(bytes), deals)) => (bytes, deals),
            _ => return Ok(None),
        };
        let (numbers, rest) = bytes.as_chunks::<4>();
        if numbers.len() as i64 != deals || !rest.is_empty() {
            return Err(self.damaged(id, &format!("{} bytes of observations of {deals} deals", bytes.len())));
        }
        Ok(Some(numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()))
    }

    /// Adds the players to what stands in the table of results.
    fn complete(&self, raw: Raw) -> Result<Recorded, LedgerError> {
        let Raw { mut recorded, seed, settings, bound } = raw;
        let id = recorded.id;
        let field = |name: &str, found: &str| self.damaged(id, &format!("{name} = '{found}'"));
        recorded.entry.seed = seed.parse().map_err(|_| field("seed", &seed))?;
        recorded.entry.settings =
            serde_json::from_str(&settings).map_err(|_| field("settings", &settings))?;
        recorded.entry.bound = Bound::from_word(&bound).ok_or_else(|| field("bound", &bound))?;
        recorded.entry.players = self.players(id).map_err(self.sqlite())?;
        Ok(recorded)
    }

    fn players(&self, id: i64) -> rusqlite::Result<Vec<PlayerRecord>> {
        let sql = "SELECT name, fingerprint, iteration, abstraction, abstraction_fingerprint, config \
                   FROM players WHERE result = ?1 ORDER BY place";
        let mut query = self.db.prepare(sql)?;
        let player = |row: &Row<'_>| {
            Ok(PlayerRecord {
                name: row.get(0)?,
                fingerprint: row.get(1)?,
                iteration: row.get::<_, Option<i64>>(2)?.map(unsigned),
                abstraction: row.get(3)?,
                abstraction_fingerprint: row.get(4)?,
                config: row.get(5)?,
            })
        };
        query.query_map([id], player)?.collect()
    }

    pub(crate) fn sqlite(&self) -> impl Fn(rusqlite::Error) -> LedgerError + use<> {
        LedgerError::sqlite(&self.path, self.patience.as_secs())
    }

    fn damaged(&self, id: i64, what: &str) -> LedgerError {
        LedgerError::Damaged { path: self.path.clone(), message: format!("result {id} has {what}") }
    }
}

/// A row of the table of results, not everything in it read yet.
struct Raw {
    recorded: Recorded,
    seed: String,
    settings: String,
    bound: String,
}

fn raw(row: &Row<'_>) -> rusqlite::Result<Raw> {
    let entry = Entry {
        kind: row.get(3)?,
        version: row.get(4)?,
        game: row.get(5)?,
        rules: row.get(6)?,
        seed: 0,
        hands: unsigned(row.get(9)?),
        settings: Default::default(),
        players: Vec::new(),
        value_msb_per_hand: row.get(11)?,
        ci95: row.get::<_, Option<f64>>(12)?.unwrap_or(f64::INFINITY),
        bound: Bound::None,
        deals: unsigned(row.get(14)?),
        observations: Vec::new(),
    };
    let recorded = Recorded {
        id: row.get(0)?,
        batch: row.get(1)?,
        time: row.get(2)?,
        rules_hash: row.get(7)?,
        per_deal: row.get(15)?,
        entry,
    };
    Ok(Raw { recorded, seed: row.get(8)?, settings: row.get(10)?, bound: row.get(13)? })
}

fn insert(db: &Transaction<'_>, entry: &Entry) -> rusqlite::Result<i64> {
    let bytes: Vec<u8> = entry.observations.iter().flat_map(|x| x.to_le_bytes()).collect();
    let settings =
        serde_json::to_string(&entry.settings).expect("settings have string keys and plain values");
    let mut add = db.prepare(
        "INSERT INTO results (batch, time, kind, version, game, rules, rules_hash, seed, hands, settings, \
         value_msb_per_hand, ci95, bound, deals, observations) \
         VALUES (0, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?;
    add.execute(params![
        entry.kind,
        entry.version,
        entry.game,
        entry.rules,
        rules_hash(&entry.rules),
        entry.seed.to_string(),
        signed(entry.hands),
        settings,
        entry.value_msb_per_hand,
        entry.ci95.is_finite().then_some(entry.ci95),
        entry.bound.word(),
        signed(entry.deals),
        (!bytes.is_empty()).then_some(bytes),
    ])?;
    let id = db.last_insert_rowid();
    let mut add = db.prepare("INSERT INTO players VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
    for (place, player) in entry.players.iter().enumerate() {
        add.execute(params![
            id,
            place as i64,
            player.name,
            player.fingerprint,
            player.iteration.map(signed),
            player.abstraction,
            player.abstraction_fingerprint,
            player.config,
        ])?;
    }
    Ok(id)
}

/// Counts of hands and iterations are far below 2^63.
fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn unsigned(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}

#[cfg(test)]
mod tests;
