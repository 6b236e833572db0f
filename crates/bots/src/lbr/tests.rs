mod small;

use super::*;
use crate::strategy::draw;
use crate::strategy::tests::{COARSE, MIXED, in_the_engine, open, table, trained};
use crate::{Drawn, StrategyPlayer, by_name, subject};
use doorcard_abstraction::{
    Abstraction, AbstractionConfig, CardAbstraction, PublicMix, StudBoards, StudInfosets,
};
use doorcard_cards::Card;
use doorcard_cards::board::{Live, hidden_sets};
use doorcard_cfr::vector::BoardTrainer;
use doorcard_cfr::{Sampling, Strategy, TrainConfig};
use doorcard_eval::stats::{MeanCi, Moments};
use doorcard_games::stud::equity::{Budget, HandSpec, equity};
use doorcard_games::stud::tree::HistoryDetail;
use doorcard_games::stud::{Rules, Variant, showdown};

fn game(profile: &str) -> StudTree {
    StudTree::new(Rules::named(profile).unwrap(), HistoryDetail::Counts).unwrap()
}

fn baseline(name: &str, game: &StudTree) -> KnownBaseline {
    KnownBaseline::named(name, game.rules().variant()).unwrap()
}

/// What the responder wins in the first so many hands, which some threads share. Units: chips.
fn played(lbr: &LocalBestResponse<'_>, seed: u64, hands: u64, threads: u64) -> Vec<f64> {
    let part = |thread: u64| hands * thread / threads..hands * (thread + 1) / threads;
    std::thread::scope(|scope| {
        let play =
            |thread| scope.spawn(move || part(thread).map(|hand| lbr.play(seed, hand)).collect::<Vec<_>>());
        let threads: Vec<_> = (0..threads).map(play).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// What the response wins. Units: msb/h.
fn value(game: &StudTree, opponent: &str, from: Street, hands: u64) -> MeanCi {
    let opponent = baseline(opponent, game);
    let lbr = LocalBestResponse::new(game, &opponent, from).unwrap();
    let results: Moments = played(&lbr, 1, hands, 2).into_iter().collect();
    results.summary().scaled(1000.0 / game.rules().small_bet() as f64)
}

/// The values of an independent program, which does not take cards out of each other's hands before seventh street:
/// therefore 3 % beyond the intervals. Units: msb/h.
const YARDSTICK: [(&str, Street, f64, f64); 5] = [
    ("call", Street::Fifth, 1293.0, 15.0),
    ("uniform", Street::Fifth, 3962.0, 34.0),
    ("raise", Street::Fifth, 4333.0, 64.0),
    ("call", Street::Fourth, 1409.0, 17.0),
    ("uniform", Street::Fourth, 3543.0, 31.0),
];

fn measure(hands: u64) {
    let game = game("stud_bench_nodouble");
    for (opponent, from, expected, ci95) in YARDSTICK {
        let found = value(&game, opponent, from, hands);
        println!("{opponent} from {from:?}: {found} msb/h");
        let allowed = found.ci95 + ci95 + 0.03 * expected;
        assert!((found.mean - expected).abs() < allowed, "{opponent} from {from:?}: {found}, not {expected}");
    }
}

#[test]
fn the_yardstick_is_met() {
    measure(3000);
}

#[test]
#[ignore = "a million hands each: some minutes"]
fn the_yardstick_is_met_closely() {
    measure(1_000_000);
}

/// Who always folds loses the ante where the responder brings in, and the bring-in too where it has to bring in.
#[test]
fn who_always_folds_loses_what_is_in() {
    let game = game("stud_bench");
    let opponent = baseline("always_fold", &game);
    let lbr = LocalBestResponse::new(&game, &opponent, Street::Third).unwrap();
    let results = played(&lbr, 3, 400, 2);
    assert!(results.iter().all(|&chips| chips == 25.0 || chips == 75.0), "{results:?}");
    let brings_in = results.iter().filter(|&&chips| chips == 75.0).count();
    assert!((150..250).contains(&brings_in), "{brings_in}");
}

/// Before its first street the responder does not bet: against a player who never bets either, a hand costs at most
/// the bring-in and one bet.
#[test]
fn only_checks_before_its_first_street() {
    let game = game("stud_bench_nodouble");
    let opponent = baseline("call", &game);
    let lbr = LocalBestResponse::new(&game, &opponent, Street::Seventh).unwrap();
    let results = played(&lbr, 4, 300, 2);
    assert!(results.iter().all(|chips| chips.abs() <= 275.0));
    assert!(results.iter().any(|&chips| chips > 75.0));
}

#[test]
fn hands_depend_on_seed_and_number_alone() {
    let game = game("stud_bench");
    let opponent = baseline("uniform", &game);
    let lbr = LocalBestResponse::new(&game, &opponent, Street::Fourth).unwrap();
    let all = played(&lbr, 9, 60, 1);
    assert_eq!(all, played(&lbr, 9, 60, 3));
    assert_eq!(all[37], lbr.play(9, 37));
    assert_ne!(all, played(&lbr, 10, 60, 1));
    // Nor are the hands of one seed those of another shifted.
    assert_ne!(all[1..], played(&lbr, 10, 59, 1));
}

/// Games of which shares cannot be had, players who do not know the game's hands, and streets that there are not.
#[test]
fn what_cannot_be_played_is_refused() {
    let refusal = |rules: Rules, opponent: &str, from| {
        let game = StudTree::new(rules, HistoryDetail::Counts).unwrap();
        let refusal = LocalBestResponse::new(&game, &baseline(opponent, &game), from).err().unwrap();
        refusal.to_string()
    };
    let mini = Rules::named("mini_high").unwrap();
    let text = refusal(mini, "call", Street::Fifth);
    assert!(text.contains("from_street = 5") && text.contains("3 to 4"), "{text}");
    let text = refusal(mini, "fold", Street::Third);
    assert!(text.contains("fold") && text.contains("ranks"), "{text}");
    let stripped = Rules::named("stud_bench").unwrap().config().with("ranks", "\"3456789TJQKA\"").unwrap();
    let text = refusal(stripped.check("test").unwrap(), "call", Street::Third);
    assert!(text.contains("48 cards") && text.contains("small"), "{text}");
}

#[test]
fn players_of_unknown_chances_are_refused_by_name() {
    let message = |name| KnownBaseline::named(name, Variant::High).unwrap_err().to_string();
    assert!(
        message("rock").contains("'rock'") && message("rock").contains("always_fold"),
        "{}",
        message("rock")
    );
    assert!(message("shark").contains("no bot is called 'shark'"), "{}", message("shark"));
    assert!(
        message("exec:shark").contains("the chances of the bot 'exec:shark'"),
        "{}",
        message("exec:shark")
    );
}

/// The chances that are said to be a bot's are the bot's.
#[test]
fn known_baselines_play_as_the_bots() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    for profile in ["stud_bench", "stud_hilo8", "razz"] {
        let game = game(profile);
        for name in KnownBaseline::NAMES {
            let (known, bot) = (baseline(name, &game), by_name(name, game.rules()).unwrap());
            let lbr = LocalBestResponse::new(&game, &known, Street::Third).unwrap();
            for round in 0..20 {
                let seat = round % 2;
                let mut hand = Hand::new(&lbr, game.deal(&mut rng), seat);
                let deal = hand.deal;
                let mut position = game.tree().root();
                in_the_engine(&game, &deal, |view| {
                    hand.reveal(position, &mut rng);
                    let actions = game.tree().actions(position).len();
                    let mut action = rng.random_range(0..actions);
                    if view.seat() != seat {
                        let group = hand.range.group_of(game.down(&deal, 1 - seat, view.street()));
                        let chances = hand.chances(position);
                        let row = chances.row(group);
                        if name == "uniform" {
                            assert_eq!(row, vec![1.0 / actions as f64; actions]);
                        } else {
                            action = bot.act(view, &mut rng);
                            assert_eq!(
                                (row[action], row.iter().sum::<f64>()),
                                (1.0, 1.0),
                                "{name} in {profile}"
                            );
                        }
                        hand.range.observe(&chances, action);
                    }
                    position = game.tree().act(position, &deal.line, action);
                    Some(action)
                });
            }
        }
    }
}

/// A strategy over buckets of the family `rank`, trained on boards, that plays the mean of four public buckets.
fn trained_on_ranks(rules: &Rules) -> StrategyPlayer<Abstraction> {
    let street = |name: &str| format!("{name} = {{ public = 7, private = 8, spread = 2 }}\n");
    let streets = ["third", "fourth", "fifth", "sixth"].map(street).concat();
    let text = format!(
        "family = \"rank\"\nboards = \"relative\"\nneighbours = 4\nseed = 3\nrounds = 10\nsamples = {{ public = 1000 }}\n\
         {streets}seventh = {{ private = 8 }}\n"
    );
    trained_on(rules, &text)
}

/// A strategy that remembers all buckets, and so which card was the river.
fn trained_with_perfect_recall(rules: &Rules) -> StrategyPlayer<Abstraction> {
    let street = |name: &str| format!("{name} = {{ public = 2, private = 2 }}\n");
    let streets = ["third", "fourth", "fifth", "sixth"].map(street).concat();
    let text = format!(
        "family = \"percentile\"\nrecall = \"perfect\"\nseed = 1\nsamples = {{ public = 500, private = 2000 }}\n\
         {streets}seventh = {{ private = 2 }}\n"
    );
    trained_on(rules, &text)
}

fn trained_on(rules: &Rules, abstraction: &str) -> StrategyPlayer<Abstraction> {
    let config = AbstractionConfig::from_toml(abstraction, "test").unwrap();
    let cards = Abstraction::build(&config, rules, &mut |_, _| {});
    let game = StudTree::new(*rules, HistoryDetail::Counts).unwrap();
    let (boards, infosets) = (StudBoards::new(&game, &cards), StudInfosets::new(&game, &cards));
    let config = TrainConfig {
        iterations: 64,
        batch: 8,
        threads: 2,
        sampling: Sampling::Vector,
        ..TrainConfig::default()
    };
    let subject = subject(&game, "ranks", &cards);
    let mut trainer = BoardTrainer::new(&boards, &infosets, subject, config).unwrap();
    (0..8).for_each(|_| trainer.step());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ranks.dcst");
    trainer.export(&path).unwrap();
    let strategy = Strategy::open(&path).unwrap();
    StrategyPlayer::new(strategy, cards, &table("stud_bench", 2)).unwrap()
}

/// The chances that are said to be a strategy's, all hands of a board at once, are those with which its player acts on one
/// hand: on every street, between public buckets, whatever was drawn from.
#[test]
fn a_known_strategy_plays_as_its_player() {
    let rules = Rules::named("stud_bench").unwrap();
    let (by_street, mixed, averages) = check_known(&trained_on_ranks(&rules), 120);
    let all: usize = by_street.iter().sum();
    assert!(by_street.iter().all(|&decisions| decisions > 20), "{by_street:?}");
    assert!(mixed > all / 2 && averages > all / 2, "{mixed} and {averages} of {all}");
    let (by_street, ..) = check_known(&trained_with_perfect_recall(&rules), 40);
    assert!(by_street.iter().all(|&decisions| decisions > 5), "{by_street:?}");
}

/// Decisions compared by street, those between buckets and those from averages.
fn check_known(player: &StrategyPlayer<Abstraction>, rounds: usize) -> ([usize; 5], usize, usize) {
    let game = player.game();
    let lbr = LocalBestResponse::new(game, player, Street::Third).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(31);
    let (mut by_street, mut mixed, mut averages) = ([0; 5], 0, 0);
    for round in 0..rounds {
        let seat = round % 2;
        let mut hand = Hand::new(&lbr, game.deal(&mut rng), seat);
        let deal = hand.deal;
        let mut position = game.tree().root();
        in_the_engine(game, &deal, |view| {
            hand.reveal(position, &mut rng);
            // Who folds at random sees few late streets.
            let mut action = passive(game.tree(), position);
            if view.seat() == seat {
                action = action.max(rng.random_range(0..game.tree().actions(position).len()));
            } else {
                let (row, drawn) = player.row(view);
                let group = hand.range.group_of(game.down(&deal, 1 - seat, view.street()));
                let chances = hand.chances(position);
                assert_eq!(chances.row(group), &row[..], "{:?} street, {drawn:?}", view.street());
                if row[action] == 0.0 || rng.random() {
                    action = draw(&row, rng.random());
                }
                hand.range.observe(&chances, action);
                by_street[view.street().index()] += 1;
                averages += usize::from(drawn == Drawn::Average);
                let up = |seat| view.up_cards(seat);
                let publics = player.cards().public_mix(view.street(), up(1 - seat), up(seat));
                mixed += usize::from(publics.iter().filter(|&(_, weight)| weight > 0.01).count() == 4);
            }
            position = game.tree().act(position, &deal.line, action);
            Some(action)
        });
    }
    println!("{by_street:?} decisions, {mixed} of them between buckets, {averages} trained");
    (by_street, mixed, averages)
}

/// The deal with other hidden cards in one seat.
fn with_hidden(game: &StudTree, deal: &StudDeal, seat: usize, pair: [Card; 2], river: Card) -> StudDeal {
    let mut down = deal.down;
    down[seat] = [pair[0], pair[1], river];
    game.deal_of(down, deal.up)
}

/// The range after every action of random hands against one made hand by hand: each hidden set is put into the engine,
/// and weighs the product of the probabilities with which the strategy's player does what was done.
#[test]
fn ranges_equal_those_made_hand_by_hand() {
    let (_folder, path) = trained("stud_bench", 6400);
    for cards in [COARSE, MIXED] {
        check_ranges(&open(&path, cards, &table("stud_bench", 2)).unwrap(), [40, 300, 5]);
    }
}

/// So do those of who remembers which card was the river: pairs with a river.
#[test]
fn ranges_with_perfect_recall_equal_those_made_hand_by_hand() {
    check_ranges(&trained_with_perfect_recall(&Rules::named("stud_bench").unwrap()), [20, 300, 2]);
}

/// Of so many hands, more sets than the second number are compared, and more hands than the third on seventh street.
fn check_ranges<A: CardAbstraction>(player: &StrategyPlayer<A>, [rounds, sets, hands]: [usize; 3]) {
    let game = player.game();
    let lbr = LocalBestResponse::new(game, player, Street::Third).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let (mut compared, mut sevenths) = (0, 0);
    for round in 0..rounds {
        let seat = round % 2;
        let mut hand = Hand::new(&lbr, game.deal(&mut rng), seat);
        let (deal, opponent) = (hand.deal, 1 - seat);
        let mut position = game.tree().root();
        let mut line = Vec::new();
        while let Turn::Decide { role, .. } = game.tree().turn(position) {
            hand.reveal(position, &mut rng);
            let action = if role == deal.line.role(opponent) {
                hand.answer(position, &mut rng)
            } else {
                passive(game.tree(), position)
            };
            line.push(action);
            position = game.tree().act(position, &deal.line, action);
        }
        // The probability of what the opponent has done, had it held these cards.
        let likelihood = |pair: [Card; 2], river: Card| {
            let deal = with_hidden(game, &deal, opponent, pair, river);
            let (mut product, mut next) = (1.0, line.iter());
            in_the_engine(game, &deal, |view| {
                let action = *next.next()?;
                if view.seat() == opponent {
                    product *= player.row(view).0[action];
                }
                Some(action)
            });
            product
        };
        let seventh = hand.range.street == Street::Seventh;
        let unseen = lbr.unseen(&deal, seat, hand.range.street);
        let in_order = player.cards().tells_rivers_apart();
        let sets: Vec<Vec<Card>> = if seventh && in_order {
            let with = |river: Card| {
                let pairs = hidden_sets(unseen.without(river), 2).into_iter();
                pairs.map(move |pair| pair.into_iter().chain([river]).collect())
            };
            unseen.into_iter().flat_map(with).collect()
        } else {
            let sets = hidden_sets(unseen, if seventh { 3 } else { 2 }).into_iter();
            sets.map(|set| set.into_iter().collect()).collect()
        };
        let weights = hand.range.weights();
        assert_eq!(sets.len(), weights.len());
        let step = if seventh { 601 } else { 53 };
        for (cards, weight) in sets.iter().zip(&weights).skip(round).step_by(step) {
            let expected = match cards[..] {
                [a, b] => likelihood([a, b], deal.down[opponent][2]),
                [a, b, c] if in_order => likelihood([a, b], c),
                [a, b, c] => likelihood([a, b], c) + likelihood([a, c], b) + likelihood([b, c], a),
                _ => unreachable!(),
            };
            assert!((weight - expected).abs() <= 1e-9 * expected, "{cards:?}: {weight} and {expected}");
            compared += usize::from(expected > 0.0);
        }
        sevenths += usize::from(seventh);
        if seventh {
            let own = own_cards(game, &deal, seat, Street::Seventh);
            let up = CardSet::from(game.up(&deal, opponent, Street::Seventh));
            let (mut mass, mut won) = (0.0, 0.0);
            for (cards, weight) in sets.iter().zip(&weights) {
                mass += weight;
                won += weight * showdown::share(Variant::High, own, up.union(CardSet::from(&cards[..])));
            }
            let found = hand.showdown(100, &mut rng);
            assert!((found - 100.0 * (2.0 * won / mass - 1.0)).abs() < 1e-6, "{found}");
        }
    }
    assert!(compared > sets && sevenths > hands, "{compared}, {sevenths}");
}

/// Who remembers which card was the river although it does not matter to play: the same hands are worth the same.
struct Remembering<'a>(&'a dyn KnownPlayer);

impl KnownPlayer for Remembering<'_> {
    fn groups(&self, seen: &Seen<'_>, groups: &mut [u16]) -> PublicMix {
        self.0.groups(seen, groups)
    }

    fn probabilities(&self, decision: &Decision<'_>, groups: &[u16], out: &mut [f64]) {
        self.0.probabilities(decision, groups, out);
    }
}

#[test]
fn pairs_with_rivers_are_worth_what_their_triples_are() {
    let (_folder, path) = trained("stud_bench", 6400);
    let player = open(&path, COARSE, &table("stud_bench", 2)).unwrap();
    let remembering = Remembering(&player);
    let by = |opponent| {
        played(&LocalBestResponse::new(player.game(), opponent, Street::Fifth).unwrap(), 7, 150, 2)
    };
    let (triples, pairs) = (by(&player), by(&remembering));
    for (hand, (triples, pairs)) in triples.iter().zip(&pairs).enumerate() {
        assert!((triples - pairs).abs() < 1e-6, "hand {hand}: {triples} and {pairs}");
    }
}

/// What is taken off as luck is nothing on average, as far as so many hands tell (exactly:
/// [`luck_is_measured_from_the_mean_of_what_may_come`]), and much of what hands differ by.
fn luck_is_fair(game: &StudTree, opponent: &dyn KnownPlayer, from: Street, hands: u64) {
    let lbr = LocalBestResponse::new(game, opponent, from).unwrap();
    let (mut won, mut luck, mut rest) = (Moments::default(), Moments::default(), Moments::default());
    for number in 0..hands {
        let played = lbr.play_out(5, number);
        assert_eq!(lbr.play(5, number), played.won - played.luck);
        won.push(played.won);
        luck.push(played.luck);
        rest.push(played.won - played.luck);
    }
    let fair = luck.summary();
    println!("luck {fair}, variance {} of {}", rest.variance(), won.variance());
    assert!(fair.mean.abs() < 1.5 * fair.ci95, "{fair}");
    assert!(fair.ci95 > 0.0 && rest.variance() < 0.75 * won.variance());
}

#[test]
fn luck_is_nothing_on_average() {
    let (_folder, path) = trained("stud_bench", 6400);
    let player = open(&path, COARSE, &table("stud_bench", 2)).unwrap();
    luck_is_fair(player.game(), &player, Street::Fifth, 2000);
    let hilo = game("stud_hilo8");
    luck_is_fair(&hilo, &baseline("uniform", &hilo), Street::Sixth, 1000);
}

#[test]
#[ignore = "a million hands: some minutes"]
fn luck_is_nothing_on_average_closely() {
    let (_folder, path) = trained("stud_bench", 6400);
    let player = open(&path, COARSE, &table("stud_bench", 2)).unwrap();
    luck_is_fair(player.game(), &player, Street::Fourth, 1_000_000);
}

/// The value from which luck is measured is the mean of what it may become: over the opponent's actions, and over the
/// responder's rivers.
#[test]
fn luck_is_measured_from_the_mean_of_what_may_come() {
    let (_folder, path) = trained("stud_bench", 6400);
    check_luck(&open(&path, MIXED, &table("stud_bench", 2)).unwrap(), [60, 30, 10]);
    check_luck(&trained_with_perfect_recall(&Rules::named("stud_bench").unwrap()), [6, 3, 1]);
}

/// Of so many hands, more actions than the second number are compared, and more rivers than the third.
fn check_luck<A: CardAbstraction>(player: &StrategyPlayer<A>, [rounds, actions, rivers]: [usize; 3]) {
    let game = player.game();
    let lbr = LocalBestResponse::new(game, player, Street::Sixth).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    let (mut actions_compared, mut rivers_compared) = (0, 0);
    for round in 0..rounds {
        let seat = round % 2;
        let mut hand = Hand::new(&lbr, game.deal(&mut rng), seat);
        let (deal, role) = (hand.deal, hand.deal.line.role(seat));
        let mut position = game.tree().root();
        while let Turn::Decide { role: mover, .. } = game.tree().turn(position) {
            let street = game.tree().street(position);
            if street == Street::Seventh && hand.range.street == Street::Sixth {
                hand.set_shares(&mut rng);
                let paid = showdown_paid(game.tree(), position);
                let (mut total, mut sum) = (0.0, 0.0);
                for river in lbr.unseen(&deal, seat, Street::Sixth) {
                    let mut seen = lbr.seen(&deal, seat, Street::Seventh);
                    seen.from = lbr.unseen(&deal, seat, Street::Sixth).without(river);
                    let mut range = hand.range.next(player, game.rules(), &seen);
                    let own = own_cards(game, &deal, seat, Street::Sixth).with(river);
                    let up = CardSet::from(seen.own_up);
                    range.set_shares(|sets| {
                        share::of_sets(game.rules(), Street::Seventh, own, up, sets, &mut rng)
                    });
                    let weight: f64 = range.weights().iter().sum();
                    total += weight;
                    sum += weight * range.showdown(paid);
                }
                let expected = hand.range.showdown(paid);
                assert!((sum / total - expected).abs() < 1e-4 * paid, "{} and {expected}", sum / total);
                rivers_compared += 1;
            }
            hand.reveal(position, &mut rng);
            if mover == role {
                position = game.tree().act(position, &deal.line, passive(game.tree(), position));
                continue;
            }
            if street >= Street::Sixth {
                hand.set_shares(&mut rng);
                let chances = hand.chances(position);
                let outcomes = outcomes(game.tree(), position);
                let expected = hand.expected(&chances, &outcomes);
                let mut mean = 0.0;
                for (action, outcome) in outcomes.iter().enumerate() {
                    let chance = hand.range.expect(|group, _| chances.row(group)[action]);
                    if chance > 0.0 {
                        let mut after = Hand { range: hand.range.clone(), ..hand };
                        after.range.observe(&chances, action);
                        mean += chance * after.value(outcome);
                    }
                }
                assert!((mean - expected).abs() < 1e-6, "{mean} and {expected}");
                actions_compared += 1;
            }
            let action = hand.answer(position, &mut rng);
            position = game.tree().act(position, &deal.line, action);
        }
    }
    assert!(actions_compared > actions && rivers_compared > rivers, "{actions_compared} {rivers_compared}");
}

/// Own cards, the opponent's up cards and the unseen ones, of a random deal.
fn situation(game: &StudTree, street: Street, rng: &mut Xoshiro256PlusPlus) -> (CardSet, CardSet, CardSet) {
    let deal = game.deal(rng);
    let own = own_cards(game, &deal, 0, street);
    let other = CardSet::from(game.up(&deal, 1, street));
    (own, other, own.union(other).complement())
}

#[test]
fn shares_with_all_cards_known_are_exact() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for profile in ["stud_bench", "stud_hilo8", "razz"] {
        let game = game(profile);
        let variant = game.rules().variant();
        for _ in 0..3 {
            let (own, other, unseen) = situation(&game, Street::Seventh, &mut rng);
            let found = share::shares(variant, Street::Seventh, own, other, &Live::new(unseen), &mut rng);
            for (hidden, found) in hidden_sets(unseen, 3).into_iter().zip(found) {
                let expected = showdown::share(variant, own, other.union(hidden));
                assert_eq!(f64::from(found), expected, "{own} against {} in {profile}", other.union(hidden));
            }

            let (own, other, unseen) = situation(&game, Street::Sixth, &mut rng);
            let found = share::shares(variant, Street::Sixth, own, other, &Live::new(unseen), &mut rng);
            for (hidden, found) in hidden_sets(unseen, 2).into_iter().zip(found).step_by(29) {
                let mut all = Moments::default();
                for theirs in unseen.minus(hidden) {
                    for ours in unseen.minus(hidden).without(theirs) {
                        let against = other.union(hidden).with(theirs);
                        all.push(showdown::share(variant, own.with(ours), against));
                    }
                }
                assert!((f64::from(found) - all.mean()).abs() < 1e-4, "{own} {other} {hidden} in {profile}");
            }
        }
    }
}

/// On earlier streets the mean over all hidden pairs is close to that of hands dealt out: within the noise of 44 to 48
/// runouts, and on average within 1 % of the pot, for cards that are not taken out of each other's hands.
#[test]
fn shares_before_sixth_street_are_close() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    for (profile, street, noise) in [
        ("stud_bench", Street::Third, 0.05),
        ("stud_bench", Street::Fourth, 0.03),
        ("stud_bench", Street::Fifth, 0.03),
        ("stud_hilo8", Street::Fifth, 0.03),
        ("razz", Street::Fourth, 0.03),
    ] {
        let game = game(profile);
        let variant = game.rules().variant();
        let mut errors = Moments::default();
        for _ in 0..16 {
            let (own, other, unseen) = situation(&game, street, &mut rng);
            let found: Moments = share::shares(variant, street, own, other, &Live::new(unseen), &mut rng)
                .into_iter()
                .map(f64::from)
                .collect();
            let hands = [own, other].map(|cards| HandSpec::new(cards).unwrap());
            let budget = Budget { exact_work: 0, samples: 20_000 };
            let dealt = equity(variant, &hands, CardSet::EMPTY, budget, 1).unwrap().players[0].equity;
            errors.push(found.mean() - dealt);
        }
        let spread = errors.variance().sqrt();
        assert!(spread < noise, "{profile} {street:?}: spread {spread}");
        let bias = errors.mean().abs();
        assert!(bias < 0.01 + 2.0 * errors.std_error(), "{profile} {street:?}: bias {bias}, spread {spread}");
    }
}

/// Hi/lo and razz: the response beats a player who never folds.
#[test]
fn split_and_low_games_are_measured() {
    for profile in ["stud_hilo8", "razz"] {
        let found = value(&game(profile), "call", Street::Fifth, 1000);
        assert!(found.mean > 2.0 * found.ci95, "{profile}: {found}");
    }
}
