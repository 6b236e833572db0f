//! What can be wrong with a bot's answer, and how often it was.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What was wrong when a bot did not decide for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The program cannot be run, or nobody listens at the address.
    NotStarted,
    /// No reply within the time limit.
    TimedOut,
    /// The program ended, or the connection was closed.
    Ended,
    /// The reply is not what the protocol says a reply is.
    Malformed,
    /// The action is not one of those on offer.
    Illegal,
    /// A reply longer than [`MAX_LINE`](super::MAX_LINE), or more than was asked for.
    Flooded,
    /// The bot was given up earlier and is not asked any more.
    Out,
}

impl FaultKind {
    /// All kinds, in the order in which results list them.
    pub const ALL: [FaultKind; 7] = [
        FaultKind::NotStarted,
        FaultKind::TimedOut,
        FaultKind::Ended,
        FaultKind::Malformed,
        FaultKind::Illegal,
        FaultKind::Flooded,
        FaultKind::Out,
    ];

    /// Its name in results: `timed_out`.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::NotStarted => "not_started",
            FaultKind::TimedOut => "timed_out",
            FaultKind::Ended => "ended",
            FaultKind::Malformed => "malformed",
            FaultKind::Illegal => "illegal",
            FaultKind::Flooded => "flooded",
            FaultKind::Out => "out",
        }
    }
}

/// Counts faults by kind, on any number of threads.
#[derive(Debug, Default)]
pub struct FaultCounter([AtomicU64; FaultKind::ALL.len()]);

impl FaultCounter {
    /// Counts a fault; returns how many of its kind there were before.
    pub fn count(&self, kind: FaultKind) -> u64 {
        self.0[kind as usize].fetch_add(1, Relaxed)
    }

    /// The kinds that occurred and how often.
    pub fn counts(&self) -> impl Iterator<Item = (FaultKind, u64)> {
        let all = FaultKind::ALL.into_iter().map(|kind| (kind, self.0[kind as usize].load(Relaxed)));
        all.filter(|&(_, count)| count > 0)
    }
}

/// One fault.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) kind: FaultKind,
    /// What happened, in words.
    what: String,
}

impl Fault {
    pub(super) fn new(kind: FaultKind, what: impl fmt::Display) -> Fault {
        Fault { kind, what: what.to_string() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name().replace('_', " "), self.what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_counted_by_kind() {
        let counter = FaultCounter::default();
        assert_eq!(counter.counts().count(), 0);
        assert_eq!((counter.count(FaultKind::Out), counter.count(FaultKind::Out)), (0, 1));
        counter.count(FaultKind::TimedOut);
        let counts: Vec<_> = counter.counts().collect();
        assert_eq!(counts, [(FaultKind::TimedOut, 1), (FaultKind::Out, 2)]);
        for (place, kind) in FaultKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, place, "{}", kind.name());
        }
    }
}
