//! Faults planted on purpose, and the checks that notice them: a ladder whose rungs have all been seen to fail.
//!
//! Every rung is a check that other tests make at length. Without a fault all hold; each fault must break the rung that
//! is there for it. Releases hold no faults, so that there is nothing to test in a build without debug assertions.
#![cfg(debug_assertions)]

mod ladder;

use doorcard_efg::fault::{Fault, plant};
use ladder::LADDER;
use std::panic::{self, AssertUnwindSafe};

/// The rungs that fail now.
fn failing() -> Vec<&'static str> {
    let fails = |check: fn()| panic::catch_unwind(AssertUnwindSafe(check)).is_err();
    LADDER.iter().filter(|(_, check)| fails(*check)).map(|&(name, _)| name).collect()
}

/// The rung that is there for a fault.
fn watcher(fault: Fault) -> &'static str {
    match fault {
        Fault::TiesNotSplit => "the tree pays as the engine does",
        Fault::SuitsSwapped | Fault::CardsNotRemoved => "both forms of a game agree",
        Fault::RegretsMergedTwice => "sampled regrets are unbiased",
        Fault::AverageAtTraverser => "sampled averages are unbiased",
        Fault::RandomStateLost => "a resumed run is an uninterrupted one",
        Fault::OpenerOffByOne => "exploitabilities of uniform play are those on record",
        Fault::LinearWeightDropped => "curves are OpenSpiel's",
    }
}

#[test]
fn every_planted_fault_is_noticed() {
    {
        let _none = plant(None);
        assert_eq!(failing(), [""; 0], "without a fault");
    }
    // Panics are expected from here on; their messages would only confuse.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let found = Fault::ALL.map(|fault| {
        let _planted = plant(Some(fault));
        (fault, failing())
    });
    panic::set_hook(hook);
    for (fault, failing) in &found {
        println!("{fault:?}: {}", failing.join("; "));
    }
    for (fault, failing) in found {
        assert!(failing.contains(&watcher(fault)), "{fault:?} breaks {failing:?}, not '{}'", watcher(fault));
    }
}
