//! Public chance sampling: nothing is drawn but boards, so that all boards together are full-tree CFR.

use super::*;
use crate::vector::log::LogSize;
use crate::vector::public_chance::{PublicScratch, PublicWalk, log_size};
use doorcard_efg::{LANES, contest_hand_by_hand};

/// What walks of all boards add: the regrets, as those of the full tree, and the average. Shape of both: `[slot]`.
fn all_boards<G, P, I>(case: &Case<'_, G, P, I>, player: usize) -> [Vec<f64>; 2]
where
    G: EnumerableGame,
    P: PublicGame,
    I: Infosets<G> + PublicInfosets<P>,
{
    let table = case.table();
    let shards = Shards::new(&case.boards.cuts(), 4);
    let zeros = || Floats::zeros(case.boards.table_len()).unwrap();
    let mut sums = [zeros(), zeros()];
    let mut scratch = PublicScratch::default();
    let count = case.boards.len();
    let each = (1.0 / (case.boards.deals() * count as f64)) as f32;
    for board in 0..count {
        let mut logs = [Log::default(), Log::default()];
        let [log, average] = &mut logs;
        walk(&case.boards, &board, player, &table, &mut scratch, log, average);
        for ((log, sums), factor) in logs.iter_mut().zip(&mut sums).zip([each, 1.0]) {
            log.sort(&shards);
            sums.add(&shards, &[log], Adding { factor, floor: false, clock: 1 });
        }
    }
    sums.map(|sums| case.by_slot(&sums))
}

fn walk<G: BoardGame>(
    game: &G,
    board: &G::Board,
    player: usize,
    regrets: &Floats,
    scratch: &mut PublicScratch,
    log: &mut Log,
    average: &mut Log,
) -> u64 {
    let mut walk =
        PublicWalk { game, board, player, regrets, scratch, log, average, visits: 0, average_visits: 0 };
    walk.run();
    walk.visits
}

/// What a walk of a board logs of regrets, and the rows it visited.
pub(super) fn regrets_of<G: BoardGame>(
    game: &G,
    board: &G::Board,
    player: usize,
    regrets: &Floats,
) -> (Log, u64) {
    let (mut log, mut average) = (Log::default(), Log::default());
    let visits = walk(game, board, player, regrets, &mut PublicScratch::default(), &mut log, &mut average);
    (log, visits)
}

/// Regrets are those of the full tree, whatever both play; averages grow as the own reach times the strategy, by a
/// factor of the row that is the same for all strategies.
fn equals_the_full_tree<G, P, I>(game: &G, public: &P, infosets: &I, scale: f64)
where
    G: EnumerableGame,
    P: PublicGame,
    I: Infosets<G> + PublicInfosets<P>,
{
    for player in 0..2 {
        let (own, other) = (rows_of(game, infosets, player), rows_of(game, infosets, 1 - player));
        let mut averages = Vec::new();
        // Mixed strategies; an opponent that plays many hands alike and never takes some actions; an own one.
        for (seed, pure) in [(1, None), (2, None), (3, Some(&other)), (4, Some(&own))] {
            let case = Case::new(game, public, infosets, seed, pure.map(|rows| &rows[..]));
            let (exact, reach) = case.exact(player);
            let [found, added] = all_boards(&case, player);
            let mut nonzero = 0;
            for (slot, (&exact, &found)) in exact.iter().zip(&found).enumerate() {
                assert!(
                    (exact - found).abs() < 1e-6 * scale,
                    "player {player} slot {slot}: {found}, not {exact}"
                );
                nonzero += usize::from(exact.abs() > 1e-9);
            }
            assert!(nonzero > 0 && (exact.len() < 1000 || nonzero > 100), "{nonzero} of {}", exact.len());
            averages.push((reach, added, case.regrets));
        }
        let mut factors = vec![None; infosets.slots() as usize];
        let mut compared = 0;
        for (reach, added, regrets) in &averages {
            infosets.for_each_row(&mut |slot, actions| {
                let slot = slot as usize;
                if !own[slot] {
                    assert!(added[slot..][..actions].iter().all(|&added| added == 0.0));
                    return;
                }
                let mut row = [0.0; crate::MAX_ACTIONS];
                row[..actions].copy_from_slice(&regrets[slot..][..actions]);
                let strategy = matching(&row, actions);
                let total: f64 = added[slot..][..actions].iter().sum();
                for action in 0..actions {
                    let error = added[slot + action] - total * f64::from(strategy[action]);
                    assert!(error.abs() < 1e-5 * total.max(1e-9), "player {player} slot {slot}: {error}");
                }
                let reach: f64 = reach[slot..][..actions].iter().sum();
                assert_eq!(reach > 0.0, total > 0.0, "player {player} slot {slot}: {total}, not {reach}");
                if reach > 0.0 {
                    let factor = *factors[slot].get_or_insert(total / reach);
                    assert!((total / reach / factor - 1.0).abs() < 1e-4, "player {player} slot {slot}");
                    compared += 1;
                }
            });
        }
        assert!(compared >= 12, "{compared} rows");
    }
}

#[test]
fn kuhn_equals_the_full_tree() {
    let game = Kuhn::new(2);
    equals_the_full_tree(&game, &PublicKuhn::new(&game).unwrap(), &KuhnInfosets::new(&game), 1.0);
}

#[test]
fn leduc_equals_the_full_tree() {
    let game = Leduc::new();
    equals_the_full_tree(&game, &PublicLeduc::new(&game), &LeducInfosets::new(&game), 10.0);
}

#[test]
fn mini_stud_equals_the_full_tree() {
    for (rules, detail, labels) in MINI_STUDS {
        let game = StudTree::new(Rules::named(rules).unwrap(), detail).unwrap();
        let public = PublicStud::new(game).unwrap();
        let infosets = LabelInfosets::new(&public, CardLabels::named(labels).unwrap());
        equals_the_full_tree(public.game(), &public, &infosets, 1000.0);
    }
}

/// On the boards of the full deck, sums over the opponent's hands in one sweep are those hand by hand.
#[test]
fn stud_contests_equal_contests_hand_by_hand() {
    for rules in ["stud_bench", "stud_hilo8", "razz"] {
        let game = StudTree::new(Rules::named(rules).unwrap(), HistoryDetail::Counts).unwrap();
        let boards = StudBoards::new(&game, Ranks);
        let mut rng = deal_rng(9, 1);
        let mut means = Vec::new();
        for number in 0..6 {
            let board = boards.draw(&mut rng);
            let hands = boards.hands(&board, 0);
            // All hands, hands here and there, a hand in a hundred, and none at all.
            let reach: Vec<[f32; LANES]> = (0..hands)
                .map(|_| {
                    std::array::from_fn(|vector| match vector {
                        0 => 1.0,
                        1..4 => rng.random(),
                        4..7 => f32::from(u8::from(rng.random::<f32>() < 0.01)) * rng.random::<f32>(),
                        _ => 0.0,
                    })
                })
                .collect();
            for player in 0..2 {
                let zeros = || vec![[0.0; LANES]; hands];
                let [mut compatible, mut share, mut alone] = [zeros(), zeros(), zeros()];
                boards.contest_reach(&board, player, &reach, &mut compatible, Some(&mut share));
                boards.contest_reach(&board, player, &reach, &mut alone, None);
                let [mut twin, mut twin_share] = [zeros(), zeros()];
                contest_hand_by_hand(&boards, &board, player, &reach, &mut twin, Some(&mut twin_share));
                let total: [f32; LANES] =
                    std::array::from_fn(|vector| reach.iter().map(|reach| reach[vector]).sum());
                for (found, twin) in [(&compatible, &twin), (&alone, &twin), (&share, &twin_share)] {
                    for (hand, (found, twin)) in found.iter().zip(twin).enumerate() {
                        for vector in 0..LANES {
                            let error = (found[vector] - twin[vector]).abs();
                            // Up to some two thousand roundings of 6e-8 each, at random; a hand too many or
                            // too few is a thousandth.
                            assert!(
                                error <= 1e-5 * total[vector],
                                "{rules}, board {number}, player {player}, hand {hand}, vector {vector}: \
                                 {}, not {} of {}",
                                found[vector],
                                twin[vector],
                                total[vector]
                            );
                        }
                    }
                }
                means.extend((0..hands).map(|hand| twin_share[hand][0] / twin[hand][0]));
            }
        }
        // Where all hands are worth the same a test would prove nothing.
        assert!(means.iter().any(|&mean| mean < 0.2) && means.iter().any(|&mean| mean > 0.8), "{rules}");
    }
}

/// All five streets of stud, of every variant, with the double bet: against an opponent that never draws, a walk finds
/// what external sampling finds against all of its hands.
#[test]
fn stud_walks_equal_external_sampling_of_all_hands() {
    for game in studs() {
        let boards = StudBoards::new(&game, Ranks);
        let mut rng = deal_rng(8, 1);
        let mut table = Floats::zeros(boards.table_len()).unwrap();
        let board = boards.draw(&mut rng);
        let shards = Shards::new(&boards.cuts(), 16);
        let mut scratch = PublicScratch::default();
        for player in 0..2 {
            mix_against_pure(&boards, &board, &game, player, &mut table, &mut rng);
            let [mut log, mut average] = [Log::default(), Log::default()];
            let size = log_size(&boards, &board, player);
            assert_ne!(size, LogSize::default());
            log.reserve(size);
            average.reserve(size);
            walk(&boards, &board, player, &table, &mut scratch, &mut log, &mut average);
            assert_eq!([log.bytes(), average.bytes()], [size.bytes(); 2], "more than was foreseen");
            log.sort(&shards);
            let zeros = || Floats::zeros(boards.table_len()).unwrap();
            let (mut found, mut twin) = (zeros(), zeros());
            let adding = Adding { factor: 1.0, floor: false, clock: 1 };
            found.add(&shards, &[&log], adding);
            let hands: Vec<usize> = (0..boards.hands(&board, 1 - player)).collect();
            walk_against((&boards, &board, player), &table, &hands, 32, |mut log, _| {
                log.sort(&shards);
                twin.add(&shards, &[&log], adding);
            });
            let (found, twin) = (found.as_mut_slice(), twin.as_mut_slice());
            let largest = twin.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            for (at, (&mut found, &mut twin)) in found.iter_mut().zip(&mut *twin).enumerate() {
                assert!((found - twin).abs() < 1e-5 * largest, "{at}: {found}, not {twin} (of {largest})");
            }
            let differing = twin.iter().filter(|&&x| x != 0.0).count();
            assert!(differing > 500, "{differing}");
        }
    }
}

/// Each board teaches more than one of external sampling.
#[test]
fn a_mini_stud_is_solved() {
    let game = StudTree::new(Rules::named("mini_high").unwrap(), HistoryDetail::Full).unwrap();
    let public = PublicStud::new(game).unwrap();
    let infosets = LabelInfosets::new(&public, CardLabels::lossless());
    let settings = VectorSettings::public_chance();
    let found = [500, 5_000, 50_000].map(|boards| trained(&public, &infosets, config(boards, 2, settings)));
    println!("mini_high by public chance sampling: {found:?} chips");
    assert!(found[1] < found[0] / 2.0 && found[2] < found[1] / 2.0, "{found:?}");
    let external = trained(&public, &infosets, config(5_000, 2, SETTINGS[0]));
    println!("mini_high by external sampling, 5000 boards: {external} chips");
    assert!(found[1] < external, "{}, not below {external}", found[1]);
}

#[test]
fn settings_out_of_range_are_refused() {
    let game = Leduc::new();
    let (public, infosets) = (PublicLeduc::new(&game), LeducInfosets::new(&game));
    let boards = ListedBoards::new(&public, &infosets);
    let plain = ExternalSettings::default();
    for (settings, setting) in [
        (ExternalSettings { hands: 33, ..plain }, "hands"),
        (ExternalSettings { lines: 0, ..plain }, "lines"),
        (ExternalSettings { hands: 0, ..plain }, "hands"),
    ] {
        let config = config(8, 1, settings.into());
        let refused = BoardTrainer::new(&boards, &infosets, Subject::default(), config);
        let message = refused.err().expect("refused").to_string();
        assert!(message.contains(setting), "{message}");
    }
}
