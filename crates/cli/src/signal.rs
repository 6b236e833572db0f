//! Ctrl-C as a flag that long work looks at between its steps.

use crate::output::note;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static INSTALLED: OnceLock<()> = OnceLock::new();

/// From now on the first Ctrl-C (or SIGTERM) sets the flag; the second ends the program at once.
pub(crate) fn install() {
    INSTALLED.get_or_init(|| {
        let handler = || {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            note("stopping at the next safe point; Ctrl-C again to stop at once");
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            note(format!("warning: Ctrl-C will not be caught: {error}"));
        }
    });
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
