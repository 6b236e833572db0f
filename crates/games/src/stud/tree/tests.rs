use super::*;
use crate::stud::showdown::{self, Strength};
use crate::stud::{Next, State};
use arrayvec::ArrayVec;
use doorcard_cards::{Card, CardSet};
use doorcard_efg::{EnumerableGame, Game, PublicGame, conformance};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::ops::Range;

fn compile(game: &str, detail: HistoryDetail) -> BettingTree {
    BettingTree::compile(&Rules::named(game).unwrap(), detail).unwrap()
}

#[test]
fn a_street_has_ten_decisions_and_nine_ways_on() {
    let rules = Rules::named("stud_bench").unwrap();
    let shape = |street, pairs| {
        let tree = StreetTree::compile(&rules, street, pairs).unwrap();
        let ways = tree.ends.iter().filter(|end| matches!(end, End::Matched { .. })).count();
        (tree.decisions.len(), ways)
    };
    for street in Street::ALL {
        assert_eq!(shape(street, [false; 2]), (10, 9), "{street:?}");
    }
    for pairs in [[true, false], [false, true], [true, true]] {
        assert_eq!(shape(Street::Fourth, pairs), (30, 29));
        assert_eq!(shape(Street::Fifth, pairs), (10, 9));
    }
}

#[test]
fn a_pair_holder_must_start_the_doubling() {
    let rules = Rules::named("stud_hilo_double").unwrap();
    let both = StreetTree::compile(&rules, Street::Fourth, [true, true]).unwrap().decisions.len();
    let one = StreetTree::compile(&rules, Street::Fourth, [true, false]).unwrap().decisions.len();
    assert_eq!(both, 30);
    assert!((11..30).contains(&one), "{one}");
}

/// DESIGN: seventh street has 65,610 decisions for one order of openers without an open pair, 211,410 with one.
#[test]
fn full_histories_of_seventh_street() {
    // Openers of streets 4, 5 and 6; seventh street is opened by who opened sixth.
    let orders = 8;
    let sizes = *compile("stud_bench_nodouble", HistoryDetail::Full).sizes();
    assert_eq!(sizes[4].rows, 65_610 * orders);
    let sizes = *compile("stud_bench", HistoryDetail::Full).sizes();
    assert_eq!(sizes[4].rows, (65_610 + 211_410) * orders);
}

#[test]
fn less_detail_means_fewer_rows_but_the_same_pots() {
    let full = compile("stud_bench", HistoryDetail::Full);
    let aggressor = compile("stud_bench", HistoryDetail::Aggressor);
    let counts = compile("stud_bench", HistoryDetail::Counts);
    for street in 1..5 {
        let rows = [&full, &aggressor, &counts].map(|tree| tree.sizes()[street].rows);
        assert!(rows[0] >= rows[1] && rows[1] >= rows[2], "{rows:?}");
    }
    assert_eq!(aggressor.sizes()[0].rows, 10);
    assert_eq!([full.max_paid(), aggressor.max_paid(), counts.max_paid()], [3625; 3]);
}

#[test]
fn rows_fill_a_block_without_gaps() {
    for detail in [HistoryDetail::Full, HistoryDetail::Aggressor, HistoryDetail::Counts] {
        let tree = compile("stud_bench", detail);
        for street in Street::ALL {
            let mut next = 0;
            for &(slot, actions) in tree.rows(street) {
                assert_eq!(slot, next);
                next += u32::from(actions);
            }
            let size = tree.sizes()[street.index()];
            assert_eq!((u64::from(next), tree.rows(street).len() as u64), (size.slots, size.rows));
        }
    }
}

#[test]
fn games_that_cannot_be_compiled_are_refused() {
    let config = Rules::named("stud_bench").unwrap().config();
    let with = |key: &str, value: &str| config.with(key, value).unwrap().check("test").unwrap();
    let compile = |rules| BettingTree::compile(&rules, HistoryDetail::default()).map(|_| ());
    let short = TreeError::ShortStack { needed: 3625, stack: 3624 };
    assert_eq!(compile(with("stack", "3624")), Err(short));
    assert_eq!(compile(with("uncapped_heads_up", "true")), Err(TreeError::Uncapped));
    assert_eq!(compile(with("bet_cap", "255")), Err(TreeError::TooLarge));
    let single = with("fourth_street_double_bet", "off").config().with("bet_cap", "60").unwrap();
    assert_eq!(compile(single.check("test").unwrap()), Err(TreeError::TooLarge));
    let pot_limit = Rules::named("stud_hilo8_pot_limit").unwrap();
    assert_eq!(compile(pot_limit), Err(TreeError::NotLimit(Betting::PotLimit)));
}

/// The shipped games that can be compiled, with stacks that are never short.
fn games() -> Vec<(&'static str, Rules)> {
    let names =
        ["stud_high", "stud_high_ante_bring_in", "stud_hilo_double", "stud_hilo8", "razz", "stud_bench"];
    let deep = |name| Rules::named(name).unwrap().config().with("stack", "100000").unwrap();
    names.map(|name| (name, deep(name).check(name).unwrap())).to_vec()
}

/// Deals what is due; burns come from the cards that nobody holds.
fn deal_due(state: &mut State, deal: &StudDeal) {
    let held: CardSet = deal.down.iter().flatten().chain(deal.up.iter().flatten()).copied().collect();
    loop {
        let card = match state.next() {
            Next::Down(seat) => deal.down[seat][state.down_cards(seat).len()],
            Next::Up(seat) => deal.up[seat][state.up_cards(seat).len()],
            Next::Burn => state.deck().minus(held).into_iter().next().unwrap(),
            _ => return,
        };
        state.deal(card).unwrap();
    }
}

/// Walks the engine and the tree through the betting lines of a deal: those that begin with the actions `choose` picks.
fn walk(
    game: &StudTree,
    deal: &StudDeal,
    state: &State,
    position: Position,
    choose: &mut dyn FnMut(usize) -> Range<usize>,
    visited: &mut usize,
) {
    *visited += 1;
    let tree = game.tree();
    match (state.next(), tree.turn(position)) {
        (Next::Act(seat), Turn::Decide { role, actions }) => {
            assert_eq!(deal.line.role(seat), role);
            assert_eq!(state.street(), tree.street(position));
            let menu = state.legal().unwrap().actions();
            assert_eq!(menu[..], *tree.actions(position), "after {:?}", state.history());
            assert_eq!(actions, menu.len());
            let up = [state.up_cards(0), state.up_cards(1)];
            let taken = state.history().iter().map(|event| event.action());
            assert_eq!(game.locate(up, taken), Some(position));
            for i in choose(menu.len()) {
                let mut next = state.clone();
                next.apply(menu[i]).unwrap();
                deal_due(&mut next, deal);
                walk(game, deal, &next, tree.act(position, &deal.line, i), choose, visited);
            }
        }
        (Next::Over, _) => {
            let payoffs = state.payoffs();
            for seat in 0..2 {
                let utility = game.utility(&position, deal, seat);
                // Shares are fractions in the tree: the engine's odd chips of both halves are at most one chip away.
                assert!((payoffs[seat] as f64 - utility).abs() <= 1.0, "{payoffs:?}, seat {seat}: {utility}");
            }
        }
        (next, turn) => panic!("the engine waits for {next:?}, the tree has {turn:?}"),
    }
}

#[test]
fn the_tree_is_the_engine() {
    let mut rng = StdRng::seed_from_u64(4);
    let (mut doubled, mut single) = (0, 0);
    let details = [HistoryDetail::Aggressor, HistoryDetail::Counts, HistoryDetail::Full];
    for ((name, rules), detail) in games().into_iter().zip(details.into_iter().cycle()) {
        for force_pair in [false, true] {
            let game = StudTree::new(rules, detail).unwrap();
            let mut deal = game.deal(&mut rng);
            if force_pair {
                // A pair on fourth street is rare: swap the card in its place for one that pairs the door card.
                let pair = Card::from_index(deal.up[0][0].index() as u8 ^ 1);
                let replaced = std::mem::replace(&mut deal.up[0][1], pair);
                let others = deal.down.iter_mut().flatten().chain(deal.up[1].iter_mut());
                others.filter(|card| **card == pair).for_each(|card| *card = replaced);
                deal.up[0][2..].iter_mut().filter(|card| **card == pair).for_each(|card| *card = replaced);
                deal = game.deal_of(deal.down, deal.up);
            }
            let mut state = State::new(&rules, &[rules.stack(); 2]).unwrap();
            deal_due(&mut state, &deal);
            let mut visited = 0;
            walk(&game, &deal, &state, game.root(&deal), &mut |actions| 0..actions, &mut visited);
            assert!(visited > 100_000, "{name}: {visited}");
            *if deal.line.variant[1] > 1 { &mut doubled } else { &mut single } += 1;
        }
    }
    assert!(doubled >= 3 && single >= 3, "{doubled} deals with a double bet, {single} without");
}

/// Bets of one size, high caps, folding unbet: too many lines to walk them all.
#[test]
fn unusual_limits_are_the_engine_too() {
    let mut rng = StdRng::seed_from_u64(5);
    for (key, value) in [
        ("big_bet", "100"),
        ("bet_cap", "1"),
        ("bet_cap", "8"),
        ("fold_unbet", "allowed"),
        ("bring_in", "1"),
        ("fourth_street_double_bet", "pair_holder"),
    ] {
        let config = Rules::named("stud_bench").unwrap().config().with("stack", "100000").unwrap();
        let rules = config.with(key, value).unwrap().check("test").unwrap();
        let game = StudTree::new(rules, HistoryDetail::Counts).unwrap();
        let mut doubled = 0;
        for _ in 0..3_000 {
            let deal = game.deal(&mut rng);
            doubled += usize::from(deal.line.variant[1] > 1);
            let mut state = State::new(&rules, &[rules.stack(); 2]).unwrap();
            deal_due(&mut state, &deal);
            // The last actions of the menu raise: lean towards them, so that caps are met.
            let mut choose = |actions: usize| {
                let action = rng.random_range(0..actions).max(rng.random_range(0..actions));
                action..action + 1
            };
            walk(&game, &deal, &state, game.root(&deal), &mut choose, &mut 0);
        }
        assert!(doubled > 100, "{doubled} deals with a pair on fourth street");
    }
}

#[test]
fn conformance_of_every_game() {
    for (_, rules) in games() {
        let game = StudTree::new(rules, HistoryDetail::Aggressor).unwrap();
        conformance::random_playouts(&game, 2_000, 50, &mut StdRng::seed_from_u64(1));
    }
}

/// The two-player members of mini-stud, and games of other shapes with larger stakes.
fn small_games() -> Vec<(&'static str, Rules)> {
    let game = |variant, [ranks, suits, streets, hand_cards]: [&str; 4], double_bet| {
        let config = Rules::named("stud_bench").unwrap().config();
        let settings = [
            ("burn", "false"),
            ("variant", variant),
            ("low_qualifier", if variant == "hilo8" { "3" } else { "8" }),
            ("ranks", ranks),
            ("suits", suits),
            ("streets", streets),
            ("hand_cards", hand_cards),
            ("fourth_street_double_bet", double_bet),
        ];
        let config = settings.iter().fold(config, |config, (key, value)| config.with(key, value).unwrap());
        (variant, config.check(variant).unwrap())
    };
    let members = ["mini_high", "mini_hilo", "mini_river", "mini_three", "mini_razz"];
    let members = members.map(|name| (name, Rules::named(name).unwrap()));
    let unusual = [
        game("high", ["TJQK", "cd", "[\"du\", \"d\", \"u\"]", "4"], "off"),
        game("high", ["QKA", "cdh", "[\"ddu\", \"u\"]", "2"], "pair_holder"),
        game("hilo8", ["A23", "cdh", "[\"ddu\", \"d\"]", "2"], "off"),
    ];
    members.into_iter().chain(unusual).collect()
}

#[test]
fn small_trees_are_the_engine() {
    let mut rng = StdRng::seed_from_u64(6);
    for (name, rules) in small_games() {
        for detail in [HistoryDetail::Full, HistoryDetail::Counts] {
            let game = StudTree::new(rules, detail).unwrap();
            conformance::random_playouts(&game, 200, 50, &mut rng);
            let mut visited = 0;
            for _ in 0..20 {
                let deal = game.deal(&mut rng);
                let mut state = State::new(&rules, &[rules.stack(); 2]).unwrap();
                deal_due(&mut state, &deal);
                walk(&game, &deal, &state, game.root(&deal), &mut |actions| 0..actions, &mut visited);
            }
            assert!(visited > 20 * 60, "{name}: {visited} nodes");
        }
    }
}

#[test]
fn deals_of_small_games_are_listed_once_each() {
    // Ordered cards, the two hole cards of each player being a set: all 8 cards; 8 of 9 cards with 4 orders of holes.
    let games = small_games();
    for ((name, rules), expected) in [(games[3], 40_320), (games[6], 90_720)] {
        let game = StudTree::new(rules, HistoryDetail::Counts).unwrap();
        let (mut seen, mut total) = (std::collections::HashSet::new(), 0.0);
        game.for_each_deal(&mut |deal, probability| {
            assert!(expected == 40_320 || deal.down.iter().all(|down| down[0] < down[1]));
            assert!(seen.insert((deal.down, deal.up)));
            total += probability;
        });
        assert_eq!(seen.len(), expected, "{name}");
        assert!((total - 1.0).abs() < 1e-9);
    }
}

/// Sums over the opponent's hands against every pair of hands, compared by the deal they make.
#[test]
fn removal_and_shares_are_those_of_all_pairs_of_hands() {
    let mut rng = StdRng::seed_from_u64(7);
    let mut quarters = 0;
    for (name, rules) in small_games() {
        let public = PublicStud::new(StudTree::new(rules, HistoryDetail::Counts).unwrap()).unwrap();
        let node = public.tree().root();
        let boards: Vec<StudBoard> = public.boards().collect();
        for _ in 0..60 {
            let board = boards[rng.random_range(0..boards.len())];
            let street = public.street(board);
            let down: Vec<_> = public.down(board).collect();
            for (hand, down) in down.iter().enumerate() {
                assert_eq!(public.hand_of(board, down), hand);
            }
            assert_eq!(public.board_of([0, 1].map(|seat| public.up(board, seat)), street), board);
            for player in 0..2 {
                let reach: Vec<f64> = down.iter().map(|_| rng.random()).collect();
                let (mut compatible, mut share) = (vec![0.0; down.len()], vec![0.0; down.len()]);
                public.compatible(node, &board, player, &reach, &mut compatible);
                let strength = |seat: usize, down: &ArrayVec<Card, 3>| {
                    let cards = public.up(board, seat).iter().chain(down).copied().collect();
                    showdown::strength_by(&rules, cards)
                };
                let last = street == rules.last_street();
                let strengths = [player, 1 - player].map(|seat| match last {
                    true => down.iter().map(|down| strength(seat, down)).collect(),
                    false => vec![Strength::default(); down.len()],
                });
                let mut slow = vec![[0.0; 2]; down.len()];
                for (i, sums) in slow.iter_mut().enumerate() {
                    for (j, reach) in reach.iter().enumerate() {
                        if down[i].iter().all(|card| !down[j].contains(card)) {
                            let share = strengths[0][i].share(strengths[1][j]);
                            sums[0] += reach;
                            sums[1] += reach * share;
                            quarters += usize::from(share == 0.25 || share == 0.75);
                        }
                    }
                }
                let near = |a: f64, b: f64| (a - b).abs() < 1e-12 * down.len() as f64;
                assert!(compatible.iter().zip(&slow).all(|(a, b)| near(*a, b[0])), "{name}");
                if last {
                    public.contest(node, &board, player, &reach, &mut compatible, &mut share);
                    for ((compatible, share), slow) in compatible.iter().zip(&share).zip(&slow) {
                        assert!(near(*compatible, slow[0]) && near(*share, slow[1]), "{name}");
                    }
                }
            }
        }
    }
    assert!(quarters > 100, "{quarters} quartered pots");
}

#[test]
fn large_decks_are_not_listed() {
    let game = StudTree::new(Rules::named("stud_bench").unwrap(), HistoryDetail::Counts).unwrap();
    assert_eq!(PublicStud::new(game).map(|_| ()), Err(TreeError::DeckTooLarge(52)));
}
