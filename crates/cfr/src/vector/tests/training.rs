//! Whole trainings: what they come to, that they repeat, and the tables behind them.

use super::*;

#[test]
fn small_games_are_solved() {
    let kuhn = Kuhn::new(2);
    let (public, infosets) = (PublicKuhn::new(&kuhn).unwrap(), KuhnInfosets::new(&kuhn));
    for vector in SETTINGS {
        let found = trained(&public, &infosets, config(40_000, 2, vector));
        assert!(found < 0.004, "kuhn, {vector:?}: {found}");
    }
    let leduc = Leduc::new();
    let (public, infosets) = (PublicLeduc::new(&leduc), LeducInfosets::new(&leduc));
    for vector in SETTINGS {
        for rule in [UpdateRule::Linear, UpdateRule::Vanilla] {
            let found = trained(&public, &infosets, TrainConfig { rule, ..config(100_000, 2, vector) });
            println!("leduc, {rule}, {vector:?}: {found}");
            // The six buckets of a row of Leduc share a power of two, though their regrets differ widely.
            let bound = if vector.precision == Precision::Full { 0.05 } else { 0.1 };
            assert!(found < bound, "leduc, {rule}, {vector:?}: {found}");
        }
    }
}

/// Of every variant, and by both walks: the more boards, the nearer to an equilibrium.
#[test]
fn mini_studs_are_solved() {
    for (profile, vector, boards, bound) in [
        ("mini_high", SETTINGS[0], [2_000, 20_000, 100_000], 0.8),
        ("mini_razz", SETTINGS[0], [2_000, 20_000, 100_000], 0.8),
        ("mini_hilo", SETTINGS[0], [2_000, 20_000, 100_000], 8.0),
        ("mini_razz", SETTINGS[4], [500, 5_000, 30_000], 3.0),
        ("mini_hilo", SETTINGS[4], [1_000, 10_000, 60_000], 20.0),
    ] {
        let game = StudTree::new(Rules::named(profile).unwrap(), HistoryDetail::Full).unwrap();
        let public = PublicStud::new(game).unwrap();
        let infosets = LabelInfosets::new(&public, CardLabels::lossless());
        let found = boards.map(|boards| trained(&public, &infosets, config(boards, 2, vector)));
        println!("{profile}, {vector:?}: {found:?} chips");
        assert!(found[1] < found[0] / 2.0 && found[2] < found[1] / 1.5, "{profile}: {found:?}");
        assert!(found[2] < bound, "{profile}: {found:?}");
    }
}

/// What a table's positive regrets add up to does not depend on how much of a board is drawn.
#[test]
fn regrets_have_one_scale() {
    let game = Leduc::new();
    let (public, infosets) = (PublicLeduc::new(&game), LeducInfosets::new(&game));
    let boards = ListedBoards::new(&public, &infosets);
    let [few, many, all] = [SETTINGS[0], external(4, AverageFrom::OwnReach, Precision::Full), SETTINGS[4]]
        .map(|vector| {
            let mut trainer =
                BoardTrainer::new(&boards, &infosets, Subject::default(), config(8, 1, vector)).unwrap();
            trainer.step();
            trainer.summary().positive_regret
        });
    assert!(many > all / 2.0 && many < all * 2.0, "{many}, not about {all}");
    assert!(few > all / 3.0 && few < all * 3.0, "{few}, not about {all}");
}

/// Tables do not depend on the number of threads, nor on being interrupted.
#[test]
fn results_repeat() {
    let leduc = Leduc::new();
    repeats(&PublicLeduc::new(&leduc), &LeducInfosets::new(&leduc));
    for profile in ["mini_razz", "mini_hilo"] {
        let game = StudTree::new(Rules::named(profile).unwrap(), HistoryDetail::Counts).unwrap();
        let public = PublicStud::new(game).unwrap();
        repeats(&public, &LabelInfosets::new(&public, CardLabels::named("ranks").unwrap()));
    }
}

fn repeats<P: PublicGame, I: PublicInfosets<P>>(public: &P, infosets: &I) {
    let boards = ListedBoards::new(public, infosets);
    let dir = tempfile::tempdir().unwrap();
    for vector in SETTINGS {
        let file = |name: &str| dir.path().join(name);
        let train = |threads, until, name: &str, from: Option<&str>| {
            let config = config(800, threads, vector);
            let subject = Subject::default();
            let mut trainer = match from {
                Some(from) => {
                    let checkpoint = Checkpoint::open(file(from)).unwrap();
                    BoardTrainer::resume(&boards, infosets, subject, config, &checkpoint).unwrap()
                }
                None => BoardTrainer::new(&boards, infosets, subject, config).unwrap(),
            };
            while trainer.state().iterations < until {
                trainer.step();
            }
            trainer.save(&file(name)).unwrap();
            let checkpoint = Checkpoint::open(file(name)).unwrap();
            let read = |name| {
                let numbers =
                    Numbers::read(checkpoint.container(), name, boards.table_len(), vector.precision)
                        .unwrap();
                (0..boards.table_len() as usize).map(|at| numbers.number(at).to_bits()).collect::<Vec<u32>>()
            };
            [read(crate::checkpoint::REGRET), read(crate::checkpoint::STRATEGY_SUM)]
        };
        let one = train(1, 800, "one", None);
        assert!(one.iter().all(|table| table.iter().any(|&bits| bits != 0)));
        assert_eq!(one, train(2, 800, "two", None), "{vector:?}");
        assert_eq!(one, train(3, 800, "three", None), "{vector:?}");
        train(2, 304, "part", None);
        assert_eq!(one, train(1, 800, "rest", Some("part")), "{vector:?}");
    }
}

/// The memory that is refused or granted before training is, to the byte, that of the tables and of the logs of batches.
#[test]
fn memory_is_what_was_predicted() {
    let [_, game, _] = studs();
    let boards = StudBoards::new(&game, Ranks);
    let infosets = StudInfosets::new(&game, Ranks);
    for vector in [SETTINGS[0], SETTINGS[3], SETTINGS[4], SETTINGS[5]] {
        let tables = predicted_table_bytes(&boards, &vector);
        let logs = predicted_log_bytes(&boards, &vector, 4);
        let train = |max_memory| {
            let config = TrainConfig { batch: 4, max_memory, ..config(8, 2, vector) };
            BoardTrainer::new(&boards, &infosets, Subject::default(), config)
        };
        let refused = train(tables + logs - 1).err().expect("a byte too few");
        assert!(matches!(refused, CfrError::Memory { needed, .. } if needed == tables + logs), "{refused}");
        let mut trainer = train(tables + logs).unwrap();
        assert_eq!((trainer.table_bytes(), trainer.log_bytes()), (tables, logs), "{vector:?}");
        let numbers = match vector.precision {
            Precision::Full => 2 * 4 * boards.table_len(),
            Precision::Half => 2 * 17 * boards.table_len() / 8,
        };
        assert_eq!(tables, numbers);
        // Two batches do not make them grow.
        trainer.step();
        trainer.step();
        assert!(trainer.last_updates() > 0);
        assert_eq!(trainer.log_bytes(), logs, "{vector:?}");
    }
}

/// With CFR+ a sum is cut off at zero after the batch, not between its logs, whose order must not matter.
#[test]
fn sums_are_cut_off_once_a_batch() {
    let shards = Shards::new(&[0, 8], 1);
    let log_of = |number: f32| {
        let mut log = Log::default();
        log.room(0, 1).copy_from_slice(&[[number, -number, 1.0, -1.0, 0.0, 2.0, -2.0, 0.5]]);
        log.sort(&shards);
        log
    };
    let (up, down) = (log_of(3.0), log_of(-5.0));
    let expected = [0.0, 2.0, 2.0, 0.0, 0.0, 4.0, 0.0, 1.0];
    let adding = Adding { factor: 1.0, floor: true, clock: 1 };
    for logs in [[&up, &down], [&down, &up]] {
        let mut floats = Floats::zeros(8).unwrap();
        floats.add(&shards, &logs, adding);
        let mut halves = Halves::zeros(8).unwrap();
        halves.add(&shards, &logs, adding);
        for (at, expected) in expected.into_iter().enumerate() {
            assert_eq!((floats.number(at), halves.number(at)), (expected, expected), "{at}");
        }
    }
}

/// Half precision keeps fifteen bits of the largest of a group and is right in the mean.
#[test]
fn halves_round_in_proportion() {
    let mut rng = deal_rng(3, 0);
    let numbers: Vec<f32> =
        (0..64).map(|_| (rng.random::<f32>() - 0.5) * 2f32.powi(rng.random_range(-9..9))).collect();
    let shards = Shards::new(&[0, 64], 4);
    let log_of = |numbers: &[f32]| {
        let mut log = Log::default();
        for (group, numbers) in numbers.chunks_exact(8).enumerate() {
            log.room(group as u64 * 8, 1).copy_from_slice(&[numbers.try_into().unwrap()]);
        }
        log.sort(&shards);
        log
    };
    let log = log_of(&numbers);
    let (mut sums, draws) = (vec![0.0f64; 64], 4_000);
    for clock in 1..=draws {
        let mut halves = Halves::zeros(64).unwrap();
        halves.add(&shards, &[&log], Adding { factor: 1.0, floor: false, clock });
        for (at, sum) in sums.iter_mut().enumerate() {
            let group = &numbers[at / 8 * 8..][..8];
            let largest = group.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            assert!((halves.number(at) - numbers[at]).abs() <= largest / 8192.0);
            *sum += f64::from(halves.number(at));
        }
    }
    for (at, sum) in sums.iter().enumerate() {
        let largest = numbers[at / 8 * 8..][..8].iter().fold(0.0f32, |most, x| most.max(x.abs()));
        let unit = f64::from(largest) / 8192.0;
        let error = (sum / draws as f64 - f64::from(numbers[at])).abs();
        assert!(error < unit * 2.0 / (draws as f64).sqrt(), "{at}: {error}, unit {unit}");
    }
    // Small addends are not lost: a million times 1e-6 is one, beside a thousand.
    let mut halves = Halves::zeros(64).unwrap();
    let mut first = vec![0.0; 64];
    first[0] = 1000.0;
    halves.add(&shards, &[&log_of(&first)], Adding { factor: 1.0, floor: false, clock: 1 });
    let mut small = vec![0.0; 64];
    small[1] = 1e-4;
    let log = log_of(&small);
    for clock in 2..100_002 {
        halves.add(&shards, &[&log], Adding { factor: 1.0, floor: false, clock });
    }
    assert_eq!(halves.number(0), 1000.0);
    assert!((halves.number(1) - 10.0).abs() < 3.0, "{}", halves.number(1));
}
