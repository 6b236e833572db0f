//! Vector external sampling: regrets.

use super::*;

/// With an opponent that never draws, the sum over all boards and hands is exact.
fn equals_the_full_tree<G, P, I>(game: &G, public: &P, infosets: &I, scale: f64)
where
    G: EnumerableGame,
    P: PublicGame,
    I: Infosets<G> + PublicInfosets<P>,
{
    Layout::new(infosets, 1).unwrap();
    for player in 0..2 {
        let pure = rows_of(game, infosets, 1 - player);
        for (seed, together) in [(1, 1), (2, 3), (3, 32)] {
            let case = Case::new(game, public, infosets, seed, Some(&pure));
            let (exact, _) = case.exact(player);
            let found = case.all_walks(player, together);
            let mut nonzero = 0;
            for (slot, (&exact, &found)) in exact.iter().zip(&found).enumerate() {
                assert!(
                    (exact - found).abs() < 1e-6 * scale,
                    "player {player} slot {slot}: {found}, not {exact}"
                );
                nonzero += usize::from(exact.abs() > 1e-9);
            }
            assert!(nonzero > 0 && (exact.len() < 1000 || nonzero > 100), "{nonzero} of {}", exact.len());
        }
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

/// Walks one hand of the player against one of the opponent, who never draws: the slow and obvious twin.
struct Twin<'a, G: BoardGame> {
    game: &'a G,
    board: &'a G::Board,
    player: usize,
    hands: [usize; 2],
    share: f64,
    table: &'a Floats,
    found: &'a mut [f64],
}

impl<G: BoardGame> Twin<'_, G> {
    fn value(&mut self, entry: u32, node: usize) -> f64 {
        let at = self.game.entry(self.board, entry);
        let decision = &at.tree.nodes[node];
        let mover = decision.position ^ at.opener;
        let lanes = self.game.lanes(at.round);
        let bucket = usize::from(self.game.buckets(self.board, mover, at.round)[self.hands[mover]]);
        let first = self.game.block(self.board, entry, mover) as usize + decision.slot * lanes + bucket;
        let actions = decision.next.len();
        let mut row = [0.0; crate::MAX_ACTIONS];
        (0..actions).for_each(|action| row[action] = self.table.number(first + action * lanes));
        let strategy = matching(&row, actions);
        let mut values = [0.0; crate::MAX_ACTIONS];
        for (action, &step) in decision.next.iter().enumerate() {
            if mover != self.player && strategy[action] == 0.0 {
                continue;
            }
            values[action] = match step {
                RoundStep::Node(child) => self.value(entry, child),
                RoundStep::End(end) => match at.tree.ends[end] {
                    RoundEnd::Fold { position, wager } => {
                        let paid = at.paid + wager;
                        if position ^ at.opener == self.player { -paid } else { paid }
                    }
                    RoundEnd::Matched { wager } if at.round + 1 == self.game.rounds() => {
                        (at.paid + wager) * (2.0 * self.share - 1.0)
                    }
                    RoundEnd::Matched { .. } => {
                        let next = self.game.next_entry(self.board, entry, end);
                        self.value(next, 0)
                    }
                },
            };
        }
        let value: f64 = (0..actions).map(|action| f64::from(strategy[action]) * values[action]).sum();
        if mover == self.player {
            for (action, child) in values[..actions].iter().enumerate() {
                self.found[first + action * lanes] += child - value;
            }
        }
        value
    }
}

/// All five streets of stud, of every variant, with the double bet: a walk finds what its twin finds.
#[test]
fn stud_walks_equal_walks_hand_by_hand() {
    for game in studs() {
        let boards = StudBoards::new(&game, Ranks);
        let mut rng = deal_rng(8, 1);
        let mut table = Floats::zeros(boards.table_len()).unwrap();
        let board = boards.draw(&mut rng);
        let mut view = View::default();
        for player in 0..2 {
            mix_against_pure(&boards, &board, &game, player, &mut table, &mut rng);
            view.look(&boards, &board, player);
            view.draw_rivals(&boards, &board, player, 3, &mut rng);
            let rivals: Vec<usize> = view.rivals.iter().map(|rival| rival.hand).collect();
            let mut logs = Vec::new();
            walk_against((&boards, &board, player), &table, &rivals, 3, |log, _| logs.push(log));
            let [log] = &mut logs[..] else { panic!("one group of hands, one walk") };
            let shards = Shards::new(&boards.cuts(), 16);
            log.sort(&shards);
            let mut sums = Floats::zeros(boards.table_len()).unwrap();
            sums.add(&shards, &[log], Adding { factor: 1.0, floor: false, clock: 1 });
            let mut found = vec![0.0; boards.table_len() as usize];
            let hands = boards.hands(&board, player);
            let (mut compatible, mut share) = (vec![0.0; hands], vec![0.0; hands]);
            for rival in rivals {
                boards.contest(&board, player, rival, &mut compatible, &mut share);
                for hand in (0..hands).filter(|&hand| compatible[hand] == 1.0) {
                    let mut hands = [hand; 2];
                    hands[1 - player] = rival;
                    let share = f64::from(share[hand]);
                    Twin {
                        game: &boards,
                        board: &board,
                        player,
                        hands,
                        share,
                        table: &table,
                        found: &mut found,
                    }
                    .value(boards.root(&board), 0);
                }
            }
            let largest = found.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            let mut differing = 0;
            for (at, (&twin, &mut walk)) in found.iter().zip(sums.as_mut_slice()).enumerate() {
                assert!(
                    (twin - f64::from(walk)).abs() < 1e-5 * largest,
                    "{at}: {walk}, not {twin} (of {largest})"
                );
                differing += usize::from(twin != 0.0);
            }
            assert!(differing > 500, "{differing}");
        }
    }
}

/// Against an opponent of mixed strategies, whose actions are drawn, regrets of drawn boards and hands are on average those
/// of the full tree, and come nearer to them with the number of boards: where chance brought a walk to a row often
/// enough for its variance to be known, `least` actions or more, each within five standard errors.
fn draws_average_to_the_full_tree<G, P, I>(game: &G, public: &P, infosets: &I, boards: u64, least: usize)
where
    G: EnumerableGame,
    P: PublicGame,
    I: Infosets<G> + PublicInfosets<P>,
{
    const HANDS: usize = 3;
    const KNOWN: u64 = 200;
    for player in 0..2 {
        let mut case = Case::new(game, public, infosets, 4, None);
        // Some actions never, the others not too seldom.
        case.regrets.iter_mut().filter(|regret| **regret > 0.0).for_each(|regret| *regret += 1.0);
        let (exact, _) = case.exact(player);
        let largest = exact.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let (regrets, shards) = (case.table(), Shards::new(&case.boards.cuts(), 1));
        let places = case.boards.table_len() as usize;
        let (mut sums, mut squares, mut hits) = (vec![0.0; places], vec![0.0; places], vec![0; places]);
        let (mut view, mut scratch) = (View::default(), Scratch::default());
        // The squared error of the actions compared, after a sixteenth of the boards and after all.
        let mut early = Vec::new();
        for number in 0..boards {
            let mut rng = deal_rng(9, number);
            let board = case.boards.draw(&mut rng);
            view.look(&case.boards, &board, player);
            view.draw_rivals(&case.boards, &board, player, HANDS, &mut rng);
            let scene = Scene { game: &case.boards, board: &board, player, view: &view, regrets: &regrets };
            let (mut log, _) = regrets_of(scene, &mut scratch, &mut rng);
            log.sort(&shards);
            let scale = case.boards.hands(&board, 1 - player) as f64 / (HANDS as f64 * case.boards.deals());
            for (first, numbers) in log.shard(0) {
                for (place, &regret) in (first as usize..).zip(numbers.as_flattened()) {
                    let regret = f64::from(regret) * scale;
                    sums[place] += regret;
                    squares[place] += regret * regret;
                    hits[place] += u64::from(regret != 0.0);
                }
            }
            if number + 1 == boards / 16 {
                early = sums.iter().map(|sum| sum / (boards / 16) as f64).collect();
            }
        }
        let (mut compared, mut errors) = (0, [0.0; 2]);
        infosets.for_each_row(&mut |slot, actions| {
            let row = case.boards.place(slot);
            for action in 0..actions {
                let place = (row.first + action as u64 * row.stride) as usize;
                if hits[place] < KNOWN {
                    continue;
                }
                let (exact, n) = (exact[slot as usize + action], boards as f64);
                let mean = sums[place] / n;
                let deviation = ((squares[place] / n - mean * mean) / n).sqrt();
                assert!(
                    (mean - exact).abs() < 5.0 * deviation + 1e-6 * largest,
                    "player {player} slot {slot}: {mean} +- {deviation}, not {exact}"
                );
                errors[0] += (early[place] - exact).powi(2);
                errors[1] += (mean - exact).powi(2);
                compared += 1;
            }
        });
        println!("player {player}: {compared} actions of {}, squared errors {errors:?}", exact.len());
        assert!(compared >= least, "{compared}");
        assert!(errors[1] < errors[0] / 4.0, "{errors:?}");
    }
}

#[test]
fn drawn_actions_are_unbiased() {
    let game = Leduc::new();
    draws_average_to_the_full_tree(&game, &PublicLeduc::new(&game), &LeducInfosets::new(&game), 8_000, 300);
    let game = StudTree::new(Rules::named("mini_three").unwrap(), HistoryDetail::Counts).unwrap();
    let public = PublicStud::new(game).unwrap();
    let infosets = LabelInfosets::new(&public, CardLabels::named("ranks").unwrap());
    draws_average_to_the_full_tree(public.game(), &public, &infosets, 40_000, 300);
}

/// Every hand of the opponent takes its actions as often as its strategy says, and hands that play alike share them out:
/// of any number of them hardly more or fewer take one than it is likely.
#[test]
fn opponents_act_by_their_strategies() {
    const DRAWS: u64 = 10_000;
    let game = StudTree::new(Rules::named("stud_bench").unwrap(), HistoryDetail::Counts).unwrap();
    let boards = StudBoards::new(&game, Ranks);
    let mut rng = deal_rng(12, 0);
    let mut table = Floats::zeros(boards.table_len()).unwrap();
    for regret in table.as_mut_slice() {
        *regret = rng.random::<f32>() - 0.3;
    }
    let board = boards.draw(&mut rng);
    let (player, entry) = (1, boards.root(&board));
    let at = boards.entry(&board, entry);
    let node = at.tree.nodes.iter().find(|node| node.position ^ at.opener != player && node.next.len() == 3);
    let node = node.expect("somebody folds, calls or raises");
    let mut view = View::default();
    view.look(&boards, &board, player);
    // One hand sixteen times, and sixteen others.
    let hands: Vec<usize> = [40; 16].into_iter().chain((0..16).map(|number| 50 * number)).collect();
    view.rivals.resize_with(hands.len(), Default::default);
    for (number, &hand) in hands.iter().enumerate() {
        view.rival(&boards, &board, player, number, hand);
    }
    let block = boards.block(&board, entry, 1 - player);
    let lanes = boards.lanes(0);
    let strategies: Vec<[f32; crate::MAX_ACTIONS]> = hands
        .iter()
        .map(|&hand| {
            let bucket = usize::from(boards.buckets(&board, 1 - player, 0)[hand]);
            let regret = |action| table.number(block as usize + (node.slot + action) * lanes + bucket);
            matching(&[regret(0), regret(1), regret(2), 0.0], 3)
        })
        .collect();
    assert!(strategies.iter().any(|strategy| strategy.iter().filter(|&&p| p > 0.0).count() >= 2));
    let mut counts = vec![[0u64; 3]; hands.len()];
    let mut walk = Walk {
        scene: Scene { game: &boards, board: &board, player, view: &view, regrets: &table },
        rng: &mut rng,
        scratch: &mut Scratch::default(),
        log: &mut Log::default(),
        average: None,
        visits: 0,
        average_visits: 0,
    };
    for _ in 0..DRAWS {
        let parts = walk.draw(block, node, 0, u32::MAX);
        assert_eq!(parts.iter().fold(0, |all, part| all ^ part), u32::MAX, "each hand takes one action");
        for (action, part) in parts[..3].iter().enumerate() {
            for (hand, counts) in counts.iter_mut().enumerate() {
                counts[action] += u64::from(part >> hand & 1);
            }
            let alike = f64::from((part & 0xffff).count_ones());
            assert!((alike - 16.0 * f64::from(strategies[0][action])).abs() < 2.0, "{alike} of 16");
        }
    }
    for (strategy, counts) in strategies.iter().zip(&counts) {
        for (&probability, &count) in strategy.iter().zip(counts) {
            let (probability, found) = (f64::from(probability), count as f64 / DRAWS as f64);
            let deviation = (probability * (1.0 - probability) / DRAWS as f64).sqrt();
            assert!((found - probability).abs() <= 4.0 * deviation, "{found}, not {probability}");
        }
    }
}

/// A walk visits the rows of its blocks, and numbers that pad a block are no rows: those of a street, of 5 to 21 buckets,
/// are padded to 8, 16 and 24.
#[test]
fn padding_is_not_visited() {
    let [game, ..] = studs();
    let boards = StudBoards::new(&game, Ranks);
    let rounds = 0..boards.rounds();
    assert_eq!(rounds.clone().map(|round| boards.lanes(round)).collect::<Vec<_>>(), [8, 16, 16, 24, 24]);
    let buckets: Vec<usize> = rounds.map(|round| boards.private_buckets(round)).collect();
    assert_eq!(buckets, [5, 9, 13, 17, 21]);
    let mut rounds = std::collections::HashMap::new();
    boards.for_each_block(&mut |first, round, _| {
        rounds.insert(first, round);
    });
    let board = boards.draw(&mut deal_rng(8, 1));
    let table = Floats::zeros(boards.table_len()).unwrap();
    let shards = Shards::new(&boards.cuts(), 1);
    let check = |mut log: Log, visits: u64| {
        log.sort(&shards);
        let mut by_round = [0; 5];
        log.shard(0).for_each(|(first, _)| by_round[rounds[&first]] += 1);
        assert!(by_round.iter().all(|&blocks| blocks > 0), "{by_round:?}");
        let rows: usize = by_round.iter().zip(&buckets).map(|(blocks, buckets)| blocks * buckets).sum();
        assert_eq!(visits, rows as u64);
    };
    for player in 0..2 {
        let mut drawn = 0;
        walk_against((&boards, &board, player), &table, &[3, 77, 500, 800], 4, |log, visits| {
            check(log, visits);
            drawn += 1;
        });
        assert_eq!(drawn, 1);
        let (log, visits) = public_chance::regrets_of(&boards, &board, player, &table);
        check(log, visits);
    }
}
