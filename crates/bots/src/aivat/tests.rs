use super::*;
use crate::lbr::Seen;
use crate::strategy::draw;
use doorcard_abstraction::PublicMix;
use doorcard_cards::CardSet;
use doorcard_efg::{EnumerableGame, Game};
use doorcard_eval::stats::Moments;
use doorcard_games::stud::Rules;
use doorcard_games::stud::tree::HistoryDetail;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use xxhash_rust::xxh3::xxh3_64;

fn game(profile: &str) -> StudTree {
    StudTree::new(Rules::named(profile).unwrap(), HistoryDetail::Full).unwrap()
}

/// A player of a small game whose chances are any numbers, other ones for every position, board and hand.
struct AnyChances {
    seed: u64,
}

impl AnyChances {
    fn board(own_up: &[Card], opponent_up: &[Card]) -> u16 {
        let cards = own_up.iter().chain(opponent_up).map(|card| card.index() as u8);
        xxh3_64(&cards.collect::<Vec<u8>>()) as u16
    }

    fn group(hole: Card, later: &[Card]) -> u16 {
        (hole.index() + later.first().map_or(0, |card| 52 * (1 + card.index()))) as u16
    }

    fn row(&self, position: Position, game: &StudTree, board: u16, group: u16) -> Vec<f64> {
        let tree = game.tree();
        let slot = u64::from(tree.slot(position));
        let weight = |action: u64| {
            let numbers =
                [self.seed, slot, tree.street(position).index() as u64, board.into(), group.into(), action];
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            // Some actions are hardly ever taken.
            (xxh3_64(&bytes) as f64 / u64::MAX as f64).powi(3) + 0.001
        };
        let weights: Vec<f64> = (0..tree.actions(position).len() as u64).map(weight).collect();
        let all: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / all).collect()
    }

    /// The chances of the player in `seat`.
    fn of(&self, game: &StudTree, deal: &StudDeal, seat: usize, position: Position) -> Vec<f64> {
        let street = game.tree().street(position);
        let down = game.down(deal, seat, street);
        let board = AnyChances::board(game.up(deal, seat, street), game.up(deal, 1 - seat, street));
        self.row(position, game, board, AnyChances::group(down[0], &down[1..]))
    }
}

impl KnownPlayer for AnyChances {
    fn groups(&self, seen: &Seen<'_>, groups: &mut [u16]) -> PublicMix {
        for (group, hole) in groups.iter_mut().zip(seen.from) {
            *group = AnyChances::group(hole, seen.own_later);
        }
        PublicMix::one(AnyChances::board(seen.own_up, seen.opponent_up))
    }

    fn probabilities(&self, decision: &Decision<'_>, groups: &[u16], out: &mut [f64]) {
        for (&group, out) in groups.iter().zip(out.chunks_exact_mut(decision.actions())) {
            out.copy_from_slice(&self.row(decision.position, decision.game, decision.public.first(), group));
        }
    }
}

/// What seat 0 wins on average from a position on. Units: chips.
fn expected(game: &StudTree, players: [&AnyChances; 2], deal: &StudDeal, position: Position) -> f64 {
    match Game::turn(game, &position, deal) {
        doorcard_efg::Turn::Over => game.utility(&position, deal, 0),
        doorcard_efg::Turn::Decide { player, .. } => {
            let chances = players[player].of(game, deal, player, position);
            let values = (0..chances.len())
                .map(|action| expected(game, players, deal, game.tree().act(position, &deal.line, action)));
            chances.iter().zip(values).map(|(chance, value)| chance * value).sum()
        }
    }
}

/// A hand as it is played: the actions, and what seat 0 won. Units: chips.
fn play(
    game: &StudTree,
    players: [&AnyChances; 2],
    deal: &StudDeal,
    rng: &mut Xoshiro256PlusPlus,
) -> (Vec<usize>, f64) {
    let (mut position, mut actions) = (game.tree().root(), Vec::new());
    while let doorcard_efg::Turn::Decide { player, .. } = Game::turn(game, &position, deal) {
        let action = draw(&players[player].of(game, deal, player, position), rng.random());
        actions.push(action);
        position = game.tree().act(position, &deal.line, action);
    }
    (actions, game.utility(&position, deal, 0))
}

/// On mini-stud the mean is the exact value, by twenty seeds: with both players known, with either alone, and with a
/// value function that is nonsense.
#[test]
fn unbiased_on_mini_stud() {
    for profile in ["mini_high", "mini_river", "mini_hilo"] {
        let game = game(profile);
        let both = [&AnyChances { seed: 1 }, &AnyChances { seed: 2 }];
        let mut exact = 0.0;
        game.for_each_deal(&mut |deal, probability| {
            exact += probability * expected(&game, both, deal, game.tree().root());
        });
        let known = both.map(|player| Some(Ranged { player, game: &game }));
        let fitted = {
            let aivat = Aivat::new(&game, Values::check_down());
            let (mut fit, rng) = (Fit::default(), &mut Xoshiro256PlusPlus::seed_from_u64(1000));
            for _ in 0..2000 {
                let deal = game.deal(rng);
                let (actions, _) = play(&game, both, &deal, rng);
                aivat.learn(known, &deal, &actions, rng, &mut fit);
            }
            fit.values()
        };
        let nonsense = Values::any([[-5.0, 3.0], [7.0, -4.0], [0.0, 9.0], [-2.0, 0.0], [4.0, 4.0]]);
        for (what, players, values) in [
            ("both", known, fitted.clone()),
            ("first", [known[0], None], fitted.clone()),
            ("second", [None, known[1]], Values::check_down()),
            ("nonsense", known, nonsense),
        ] {
            let aivat = Aivat::new(&game, values);
            let (mut plain, mut means, mut all) =
                (Moments::default(), Moments::default(), Moments::default());
            for seed in 0..20 {
                let rng = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
                let mut of_seed = Moments::default();
                for _ in 0..400 {
                    let deal = game.deal(rng);
                    let (actions, won) = play(&game, both, &deal, rng);
                    plain.push(won);
                    let value = aivat.estimate(players, &deal, &actions, rng).value();
                    of_seed.push(value);
                    all.push(value);
                }
                means.push(of_seed.mean());
            }
            let off = (means.mean() - exact) / means.std_error();
            println!(
                "{profile}, {what}: exact {exact:.3}, by seeds {:.3} +- {:.3} ({off:+.2} standard errors), deviation {:.1} of {:.1}",
                means.mean(),
                means.std_error(),
                all.variance().sqrt(),
                plain.variance().sqrt(),
            );
            assert!(
                off.abs() < 3.0,
                "{profile}, {what}: {} is not {exact}, {off} standard errors",
                means.mean()
            );
            if what == "both" {
                assert!(all.variance() < 0.5 * plain.variance());
            }
        }
    }
}

/// How often each hand of [`exactly_unbiased_over_all_hands`] is valued.
const DRAWN: usize = 2;

/// All hands of the smallest mini-stud, each as likely as it is: nothing is left to chance but what estimates draw.
#[test]
fn exactly_unbiased_over_all_hands() {
    let game = game("mini_high");
    let both = [&AnyChances { seed: 1 }, &AnyChances { seed: 2 }];
    let known = both.map(|player| Some(Ranged { player, game: &game }));
    let aivat = Aivat::new(&game, Values::any([[1.5, 0.5]; 5]));
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(7);
    for players in [known, [known[0], None], [None, known[1]]] {
        let (mut exact, mut mean, mut variance) = (0.0, 0.0, 0.0);
        game.for_each_deal(&mut |deal, probability| {
            let mut open = vec![(game.tree().root(), Vec::new(), probability)];
            while let Some((position, actions, probability)) = open.pop() {
                let doorcard_efg::Turn::Decide { player, .. } = Game::turn(&game, &position, deal) else {
                    exact += probability * game.utility(&position, deal, 0);
                    let mut estimates = Moments::default();
                    (0..DRAWN).for_each(|_| {
                        estimates.push(aivat.estimate(players, deal, &actions, rng).value());
                    });
                    mean += probability * estimates.mean();
                    variance += (probability * estimates.std_error()).powi(2);
                    continue;
                };
                for (action, chance) in both[player].of(&game, deal, player, position).into_iter().enumerate()
                {
                    let next = game.tree().act(position, &deal.line, action);
                    let actions = [&actions[..], &[action]].concat();
                    open.push((next, actions, probability * chance));
                }
            }
        });
        let error = variance.sqrt();
        println!("exact {exact:.4}, mean {mean:.4} +- {error:.4}");
        assert!((mean - exact).abs() < 4.0 * error + 1e-3 && error < 1.2, "{mean} +- {error} is not {exact}");
    }
}

/// What each hand won less what it was worth is zero on average, between strategies with buckets of their own: of games
/// with three streets and of those of the full deck.
fn agrees_with_what_is_won<P: KnownPlayer>(
    game: &StudTree,
    players: [(&P, bool); 2],
    chances: impl Fn(&P, &StudDeal, usize, Position) -> Vec<f64>,
    hands: u64,
) {
    let ranged = players.map(|(player, known)| known.then_some(Ranged { player: player as _, game }));
    let aivat = Aivat::new(game, Values::check_down());
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut plain, mut valued, mut between) = (Moments::default(), Moments::default(), Moments::default());
    for _ in 0..hands {
        let deal = game.deal(rng);
        let (mut position, mut actions) = (game.tree().root(), Vec::new());
        while let doorcard_efg::Turn::Decide { player, .. } = Game::turn(game, &position, &deal) {
            let action = draw(&chances(players[player].0, &deal, player, position), rng.random());
            actions.push(action);
            position = game.tree().act(position, &deal.line, action);
        }
        let won = game.utility(&position, &deal, 0);
        let worth = aivat.estimate(ranged, &deal, &actions, rng).value();
        plain.push(won);
        valued.push(worth);
        between.push(won - worth);
    }
    let off = between.mean() / between.std_error();
    println!(
        "won {:.1} +- {:.1}, worth {:.1} +- {:.1}, difference {off:+.2} standard errors of {:.1}",
        plain.mean(),
        plain.std_error(),
        valued.mean(),
        valued.std_error(),
        between.std_error()
    );
    assert!(off.abs() < 3.5, "{} +- {}", between.mean(), between.std_error());
    let both_known = players.iter().all(|&(_, known)| known);
    assert!(!both_known || valued.variance() < plain.variance());
}

#[test]
fn agrees_with_what_is_won_on_three_streets_and_at_razz() {
    for profile in ["mini_three", "mini_razz"] {
        let game = game(profile);
        let both = [&AnyChances { seed: 3 }, &AnyChances { seed: 4 }];
        for known in [[true, true], [true, false]] {
            println!("{profile}, {known:?}");
            let chances = |player: &AnyChances, deal: &StudDeal, seat, at| player.of(&game, deal, seat, at);
            agrees_with_what_is_won(&game, [(both[0], known[0]), (both[1], known[1])], chances, 20_000);
        }
    }
}

/// Two strategies trained for different times over mixed buckets.
fn on_the_full_deck(hands: u64) {
    use crate::StrategyPlayer;
    use crate::strategy::tests::{MIXED, open, table, trained};
    use doorcard_abstraction::{CardAbstraction, Situation};
    for profile in ["stud_bench", "stud_hilo8", "razz"] {
        let (_long_folder, long) = trained(profile, 8192);
        let (_short_folder, short) = trained(profile, 512);
        let players = [&long, &short].map(|path| open(path, MIXED, &table(profile, 2)).unwrap());
        let game = players[0].game();
        let chances = |player: &StrategyPlayer<_>, deal: &StudDeal, seat: usize, position: Position| {
            let street = game.tree().street(position);
            let (own_up, opponent_up) = (game.up(deal, seat, street), game.up(deal, 1 - seat, street));
            let own_down = game.down(deal, seat, street).iter().copied().collect();
            let (river, dead) = (None, CardSet::EMPTY);
            let situation = Situation { street, own_down, river, own_up, opponent_up, dead };
            let public = MIXED.public_mix(street, own_up, opponent_up);
            let group = MIXED.private_bucket(public.first(), &situation);
            let decision = Decision { game, street, position, public };
            let mut row = vec![0.0; decision.actions()];
            KnownPlayer::probabilities(player, &decision, &[group], &mut row);
            row
        };
        for known in [[true, true], [true, false]] {
            println!("{profile}, {known:?}");
            let sides = [(&players[0], known[0]), (&players[1], known[1])];
            agrees_with_what_is_won(game, sides, chances, hands);
        }
    }
}

#[test]
fn agrees_with_what_is_won_on_the_full_deck() {
    on_the_full_deck(400);
}

#[test]
#[ignore = "minutes; run by scripts/slow-tests"]
fn agrees_with_what_is_won_in_long_matches() {
    on_the_full_deck(40_000);
}
