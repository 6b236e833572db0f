//! How long exact solvers take on Leduc: `cargo run --release -p doorcard-cfr --example exact_leduc -- [ITERATIONS]`.
//!
//! One line a rule: iterations per second of the vector form on one core, and the iterations and seconds it takes to an
//! exploitability of 1e-3 chips (measuring left out). With ITERATIONS nothing is measured but the time of so many
//! iterations of CFR+, which suits a profiler.

use doorcard_cfr::exact::{Chance, ExactConfig, ExactSettings, Solver, Vector};
use doorcard_cfr::{CfrError, Subject, UpdateRule};
use doorcard_eval::exploitability::exploitability;
use doorcard_games::leduc::{Leduc, LeducInfosets, PublicLeduc};
use std::time::Instant;

const GOAL: f64 = 1e-3;
const MOST: u64 = 5000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Leduc::new();
    let public = PublicLeduc::new(&game);
    let infosets = LeducInfosets::new(&game);
    let solver = |rule| -> Result<Solver<_, f64>, CfrError> {
        let traversal = Vector::new(&public, &infosets, Chance::Enumerated);
        let settings = ExactSettings { rule, ..ExactSettings::default() };
        let subject = Subject { game: "leduc".into(), ..Subject::default() };
        Solver::new(traversal, subject, ExactConfig { settings, ..ExactConfig::default() })
    };
    if let Some(iterations) = std::env::args().nth(1) {
        let mut solver = solver(UpdateRule::CfrPlus)?;
        let clock = Instant::now();
        (0..iterations.parse()?).for_each(|_| solver.step());
        println!("{} iterations in {:.3} s", solver.iterations(), clock.elapsed().as_secs_f64());
        return Ok(());
    }
    for rule in [UpdateRule::CfrPlus, UpdateRule::DCFR, UpdateRule::PcfrPlus] {
        let mut solver = solver(rule)?;
        let (mut seconds, mut found) = (0.0, f64::INFINITY);
        while found > GOAL && solver.iterations() < MOST {
            let clock = Instant::now();
            (0..10).for_each(|_| solver.step());
            seconds += clock.elapsed().as_secs_f64();
            found = exploitability(&game, &infosets, &solver.average())?.exploitability;
        }
        let iterations = solver.iterations();
        println!(
            "{rule}: {:.0} iterations/s; {found:.6} after {iterations} iterations, {seconds:.4} s",
            iterations as f64 / seconds
        );
    }
    Ok(())
}
