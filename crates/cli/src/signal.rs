//! Ctrl-C: a flag that long work looks at between its steps, or the end at once while there is nothing to save.

use crate::output::note;
use doorcard_bots::external;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

static STOP: AtomicBool = AtomicBool::new(false);
static INSTALLED: OnceLock<()> = OnceLock::new();
/// What to say about work that is abandoned at once, while such work goes on.
static ABANDON: Mutex<Option<&'static str>> = Mutex::new(None);

/// From now on the first Ctrl-C (or SIGTERM) sets the flag; the second ends the program at once.
pub(crate) fn install() {
    INSTALLED.get_or_init(|| {
        let handler = || {
            // Held until the program has ended, so that the work cannot come to its end and begin to save itself.
            let abandon = abandon();
            if let Some(message) = *abandon {
                note(message);
                exit();
            }
            if STOP.swap(true, Ordering::Relaxed) {
                exit();
            }
            note("stopping at the next safe point; Ctrl-C again to stop at once");
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            note(format!("warning: Ctrl-C will not be caught: {error}"));
        }
    });
}

/// Ends the program at once, and with it all that it has started.
fn exit() -> ! {
    external::kill_all();
    std::process::exit(130);
}

/// Does work that leaves nothing behind before its end: meanwhile the first Ctrl-C says `message` and ends the program
/// with exit code 130.
pub(crate) fn abandoning<T>(message: &'static str, work: impl FnOnce() -> T) -> T {
    *abandon() = Some(message);
    let result = work();
    *abandon() = None;
    result
}

fn abandon() -> MutexGuard<'static, Option<&'static str>> {
    ABANDON.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The flag itself.
pub(crate) fn flag() -> &'static AtomicBool {
    &STOP
}

/// Sets the flag, as Ctrl-C does.
pub(crate) fn stop() {
    STOP.store(true, Ordering::Relaxed);
}

/// Whether the flag is set.
pub(crate) fn stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}
