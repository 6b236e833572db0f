//! CPU time of vector sampling on the default abstraction: `vector_speed HANDS BOARDS THREADS DETAIL`, with 0 hands for
//! public chance sampling.

use doorcard_abstraction::*;
use doorcard_cfr::vector::*;
use doorcard_cfr::*;
use doorcard_games::stud::{Rules, tree::*};
use std::time::Instant;
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect();
    (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) / 100.0
}
fn main() {
    let arg: Vec<String> = std::env::args().collect();
    let hands: usize = arg[1].parse().unwrap();
    let boards: u64 = arg[2].parse().unwrap();
    let threads: usize = arg[3].parse().unwrap();
    let detail = if arg[4] == "counts" { HistoryDetail::Counts } else { HistoryDetail::Aggressor };
    let rules = Rules::named("stud_bench").unwrap();
    let path = std::path::Path::new("/tmp/default.dcab");
    let cards = if path.exists() {
        Abstraction::load(path).unwrap()
    } else {
        let a = Abstraction::build(&AbstractionConfig::named("default").unwrap(), &rules, &mut |_, _| {});
        a.save(path).unwrap();
        a
    };
    let game = StudTree::new(rules, detail).unwrap();
    let boards_game = StudBoards::new(&game, &cards);
    let infosets = StudInfosets::new(&game, &cards);
    let (vector, batch) = match hands {
        0 => (VectorSettings::public_chance(), 4),
        hands => (ExternalSettings { hands, ..Default::default() }.into(), 32),
    };
    let config = TrainConfig {
        iterations: boards,
        batch,
        threads,
        sampling: Sampling::Vector,
        max_memory: 16 << 30,
        vector: Some(vector),
        ..Default::default()
    };
    println!(
        "infosets {} table MB {}",
        doorcard_efg::Rows::rows(&infosets),
        (doorcard_efg::BoardGame::table_len(&boards_game) * 8) >> 20
    );
    let mut t = BoardTrainer::new(&boards_game, &infosets, Subject::default(), config).unwrap();
    t.step();
    let every = if hands == 0 { 16 } else { 4000 };
    let (mut c, mut c1, mut s0) = (Instant::now(), cpu(), *t.state());
    while t.state().iterations < boards {
        t.step();
        if t.state().iterations % every >= batch && t.state().iterations < boards {
            continue;
        }
        let s = cpu() - c1;
        let wall = c.elapsed().as_secs_f64();
        let n = (t.state().iterations - s0.iterations) as f64;
        println!(
            "wall {wall:.1} {:.0} cpu us/board  {:.0} boards*hands/s  {:.1} M regret rows/s {:.1} M avg rows/s; per board rows {:.0} {:.0} log KB {}",
            s * 1e6 / n,
            n * hands as f64 / s,
            (t.state().regret_visits - s0.regret_visits) as f64 / s / 1e6,
            (t.state().average_visits - s0.average_visits) as f64 / s / 1e6,
            (t.state().regret_visits - s0.regret_visits) as f64 / n,
            (t.state().average_visits - s0.average_visits) as f64 / n,
            t.log_bytes() / 64 / 1024
        );
        (c, c1, s0) = (Instant::now(), cpu(), *t.state());
    }
    println!("{:?}", t.summary());
}
