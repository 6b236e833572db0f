#![doc = include_str!("../../PROTOCOL.md")]

mod connection;
mod faults;
#[cfg(unix)]
mod process;
mod protocol;
mod tcp;

pub use connection::MAX_LINE;
pub use faults::{FaultCounter, FaultKind};
pub use protocol::VERSION;

use crate::BotError;
use crate::menu::Menu;
use connection::{Connection, Transport};
use doorcard_efg::Agent;
use doorcard_games::stud::{SeatView, StudTable};
use faults::Fault;
use protocol::{Act, Hello};
use rand::Rng;
use std::fmt::Write;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How a bot that is a program is written on the command line.
const EXEC: &str = "exec:";
/// How a bot that listens is written on the command line.
const TCP: &str = "tcp:";

/// How many times the time limit of a decision a bot has to start and say its name.
const HELLO_TIMES: u32 = 5;

/// After so many connections lost in a row without one good reply a bot is given up.
const LOST_AND_OUT: u32 = 5;

/// So many faults of each kind are written to the log.
const LOGGED: u64 = 3;

/// How long programs have to end by themselves when there is nothing more to ask.
const GOODBYE: Duration = Duration::from_millis(500);

/// Where a bot is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Address {
    /// A program and its arguments.
    Program(String, Vec<String>),
    /// `host:port`.
    Tcp(String),
}

/// Whether a player's name stands for an external bot: `exec:COMMAND` or `tcp:HOST:PORT`.
pub fn is_external(name: &str) -> bool {
    name.starts_with(EXEC) || name.starts_with(TCP)
}

/// Kills the programs of all bots and lets no more start: for a process that exits without dropping its bots.
pub fn kill_all() {
    #[cfg(unix)]
    process::kill_all();
}

impl Address {
    fn parse(text: &str) -> Result<Address, BotError> {
        let refused = |expected| BotError::Address { text: text.chars().take(80).collect(), expected };
        if let Some(command) = text.strip_prefix(EXEC) {
            let words = shlex::split(command).ok_or(refused("a command whose quotes are closed"))?;
            let mut words = words.into_iter();
            let program = words.next().filter(|program| !program.is_empty());
            let program = program.ok_or(refused("a program after 'exec:'"))?;
            return Ok(Address::Program(program, words.collect()));
        }
        let address = text.strip_prefix(TCP).unwrap_or(text);
        match address.rsplit_once(':') {
            Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok_and(|port| port > 0) => {
                Ok(Address::Tcp(address.into()))
            }
            _ => Err(refused("tcp:HOST:PORT with a port from 1 to 65535")),
        }
    }

    /// What a bot is called that has not said its name.
    fn short_name(&self) -> String {
        match self {
            Address::Program(program, _) => match Path::new(program).file_name() {
                Some(name) => name.to_string_lossy().into_owned(),
                None => program.clone(),
            },
            Address::Tcp(address) => address.clone(),
        }
    }

    fn connect(&self, limit: Duration) -> io::Result<Box<dyn Transport>> {
        match self {
            #[cfg(unix)]
            Address::Program(program, arguments) => {
                Ok(Box::new(process::Process::start(program, arguments)?))
            }
            #[cfg(not(unix))]
            Address::Program(..) => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "exec: needs Unix; use tcp:"))
            }
            Address::Tcp(address) => Ok(Box::new(tcp::Tcp::connect(address, limit)?)),
        }
    }
}

/// A bot in a program of its own, at any table.
///
/// It is asked over as many connections as there are threads with a decision for it, each with its own process.
/// Whatever is wrong with an answer costs the bot the decision: it checks, or else folds. The process or connection is
/// replaced where nobody could tell any more which line answers what, and after five replacements in a row without a
/// good reply the bot is not asked any more.
pub struct ExternalBot {
    address: Address,
    name: String,
    /// The hello message, as a line.
    hello: Vec<u8>,
    timeout: Duration,
    idle: Mutex<Vec<Connection>>,
    /// Connections lost since the last good reply.
    lost: AtomicU32,
    out: AtomicBool,
    logged: FaultCounter,
    log: fn(&str),
}

impl ExternalBot {
    /// The bot that `text` names, for a table of `game` with `timeout` for each decision; `log` is given a line for
    /// each of its first faults. The bot is started and asked its name. That this fails is a fault like others: the
    /// bot is tried again when there is something to decide.
    ///
    /// # Errors
    /// If the text is not `exec:COMMAND` or `tcp:HOST:PORT`.
    pub fn open(
        text: &str,
        game: &str,
        table: &StudTable,
        timeout: Duration,
        log: fn(&str),
    ) -> Result<ExternalBot, BotError> {
        let address = Address::parse(text)?;
        let mut bot = ExternalBot {
            name: address.short_name(),
            hello: protocol::line(&Hello::new(game, table, timeout)),
            address,
            timeout,
            idle: Mutex::default(),
            lost: AtomicU32::new(0),
            out: AtomicBool::new(false),
            logged: FaultCounter::default(),
            log,
        };
        match bot.connect() {
            Ok((connection, name)) => {
                bot.idle().push(connection);
                if let Some(name) = name {
                    bot.name = name;
                }
            }
            Err(fault) => bot.tell(&fault, || "when it was started".into()),
        }
        Ok(bot)
    }

    /// The place of the bot's action on the menu, and the fault for which it was chosen for the bot, if it was.
    pub fn decide(&self, view: &SeatView<'_>, rng: &mut dyn Rng) -> (usize, Option<FaultKind>) {
        // Drawn whatever happens, so that a fault moves nobody's later luck.
        let luck = rng.next_u64();
        match self.ask(view, luck) {
            Ok(place) => (place, None),
            Err(fault) => {
                let place = Menu(view.actions()).give_up();
                self.tell(&fault, || situation(view, place));
                (place, Some(fault.kind))
            }
        }
    }

    fn ask(&self, view: &SeatView<'_>, luck: u64) -> Result<usize, Fault> {
        if self.out.load(Relaxed) {
            return Err(Fault::new(FaultKind::Out, "it was given up and is not asked any more"));
        }
        let idle = self.idle().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => self.connect()?.0,
        };
        let request = Act::new(view, connection.requests, luck);
        let reply = match connection.exchange(&protocol::line(&request), self.timeout) {
            Ok(reply) => reply,
            Err(fault) => {
                self.lose();
                return Err(fault);
            }
        };
        self.idle().push(connection);
        let place = request.choice(&reply)?;
        self.lost.store(0, Relaxed);
        Ok(place)
    }

    /// A new connection, and what the bot calls itself.
    fn connect(&self) -> Result<(Connection, Option<String>), Fault> {
        let limit = HELLO_TIMES * self.timeout;
        let connected = self.address.connect(limit);
        let connected = connected.map_err(|error| Fault::new(FaultKind::NotStarted, error));
        let greeted = connected.and_then(|transport| {
            let mut connection = Connection::new(transport);
            let name = protocol::name(&connection.exchange(&self.hello, limit)?)?;
            Ok((connection, name))
        });
        greeted.inspect_err(|_| self.lose())
    }

    /// Counts a lost connection.
    fn lose(&self) {
        let lost = self.lost.fetch_add(1, Relaxed) + 1;
        if lost >= LOST_AND_OUT && !self.out.swap(true, Relaxed) {
            (self.log)(&format!(
                "bot '{}' is out: {lost} connections in a row were lost without a good reply between them; \
                 from here on it checks, else folds",
                self.name
            ));
        }
    }

    /// Writes the first faults of each kind to the log. That a bot is out was said once.
    fn tell(&self, fault: &Fault, when: impl FnOnce() -> String) {
        if fault.kind == FaultKind::Out {
            return;
        }
        let before = self.logged.count(fault.kind);
        if before < LOGGED {
            let last = if before + 1 == LOGGED { "; more of this kind are only counted" } else { "" };
            (self.log)(&format!("bot '{}' {fault}; {}{last}", self.name, when()));
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a fault happened, what was expected and what was done.
fn situation(view: &SeatView<'_>, place: usize) -> String {
    let street = format!("{:?}", view.street()).to_lowercase();
    let mut text = format!("seat {} of {} on {street} street with ", view.seat(), view.players());
    for card in view.down_cards() {
        let _ = write!(text, "{card}");
    }
    text.push('/');
    for card in view.up_cards(view.seat()) {
        let _ = write!(text, "{card}");
    }
    let actions = view.actions();
    let offered: Vec<String> = actions.iter().map(|action| action.to_string()).collect();
    let _ = write!(text, "; expected one of: {}; played: {}", offered.join(", "), offered[place]);
    text
}

impl Agent<StudTable> for ExternalBot {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&self, view: &SeatView<'_>, rng: &mut dyn Rng) -> usize {
        self.decide(view, rng).0
    }
}

impl Drop for ExternalBot {
    /// Says goodbye to all first, so that all of them have the same short time to end by themselves.
    fn drop(&mut self) {
        let mut idle = std::mem::take(&mut *self.idle());
        idle.iter_mut().for_each(Connection::hang_up);
        let deadline = Instant::now() + GOODBYE;
        for connection in idle {
            connection.finish(deadline);
        }
    }
}

#[cfg(test)]
mod tests;
