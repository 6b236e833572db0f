//! Known mistakes, planted on purpose, so that a test can show that each would be noticed.
//!
//! A check proves little until it has been seen to fail. Each [`Fault`] is a mistake that solvers have been published
//! with; the code that could make it asks [`planted`] at one place. In builds without debug assertions, such as
//! releases, [`planted`] is a constant `false` and nothing of this remains.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A known mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Fault {
    /// Equal hands are not split: the first seat takes the pot.
    TiesNotSplit = 1,
    /// Two suits are swapped when hands are looked up on the last street.
    SuitsSwapped,
    /// A shard's regrets are merged into the table twice.
    RegretsMergedTwice,
    /// A resumed run has lost its seed, and draws other deals.
    RandomStateLost,
    /// The seat after the one that should open a street does.
    OpenerOffByOne,
    /// Linear weighting adds every batch with the same weight.
    LinearWeightDropped,
    /// Sampled strategies are averaged where the traverser moves, and not where its opponents do.
    AverageAtTraverser,
    /// Showdowns in public form forget that two hands cannot hold the same card.
    CardsNotRemoved,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 8] = [
        Fault::TiesNotSplit,
        Fault::SuitsSwapped,
        Fault::RegretsMergedTwice,
        Fault::RandomStateLost,
        Fault::OpenerOffByOne,
        Fault::LinearWeightDropped,
        Fault::AverageAtTraverser,
        Fault::CardsNotRemoved,
    ];
}

/// Nothing is planted.
const NONE: u8 = 0;

static PLANTED: AtomicU8 = AtomicU8::new(NONE);
static GARDEN: Mutex<()> = Mutex::new(());

/// Whether this mistake is to be made. Constantly `false` without debug assertions.
#[inline(always)]
pub fn planted(fault: Fault) -> bool {
    cfg!(debug_assertions) && PLANTED.load(Ordering::Relaxed) == fault as u8
}

/// A planted fault, or none; what is planted is the whole process's. Dropping it pulls it out.
#[derive(Debug)]
pub struct Planted {
    _alone: MutexGuard<'static, ()>,
}

/// Plants a fault, or makes sure that there is none, for as long as the result lives. Waits for others to be pulled out.
pub fn plant(fault: Option<Fault>) -> Planted {
    let alone = GARDEN.lock().unwrap_or_else(PoisonError::into_inner);
    PLANTED.store(fault.map_or(NONE, |fault| fault as u8), Ordering::Relaxed);
    Planted { _alone: alone }
}

impl Drop for Planted {
    fn drop(&mut self) {
        PLANTED.store(NONE, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fault_at_a_time_until_it_is_pulled_out() {
        for fault in Fault::ALL {
            let planted_now = || Fault::ALL.map(planted);
            {
                let _alone = plant(Some(fault));
                assert_eq!(planted_now(), Fault::ALL.map(|other| other == fault));
            }
            let _none = plant(None);
            assert_eq!(planted_now(), [false; 8]);
        }
    }
}
