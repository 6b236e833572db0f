//! Mini-stud through the engine: sizes, showdowns worked out by hand, and rules checked by slower ones.

use doorcard_cards::{Card, CardSet, parse_cards};
use doorcard_efg::{EnumerableGame, Game, Infosets, Rows, Turn, conformance};
use doorcard_games::stud::{
    Action, DoubleBet, Next, PROFILES, Rules, SeatView, State, Street, StudTable, TableInfosets, Variant,
};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;

fn table(name: &str) -> StudTable {
    let rules = Rules::named(name).unwrap();
    StudTable::with_players(&rules, rules.seats()).unwrap()
}

fn members() -> Vec<&'static str> {
    let names = PROFILES.into_iter().map(|(name, _)| name);
    names.filter(|name| !Rules::named(name).unwrap().is_standard()).collect()
}

/// Calls `f` with every state of a hand from `node` on, those of its end included.
fn walk<D>(table: &impl Game<Deal = D, Node = State>, deal: &D, node: &State, f: &mut impl FnMut(&State)) {
    f(node);
    if let Turn::Decide { actions, .. } = table.turn(node, deal) {
        for action in 0..actions {
            walk(table, deal, &table.act(node, deal, action), f);
        }
    }
}

/// The sizes that the documentation of `stud` states: deals, decisions in all of them together, infosets.
///
/// With a cap of `c` a round has `2 + 2c` decisions and ends in `1 + 2c` ways without a fold, small and big bets on open
/// pairs apart. Where no pair can show, infosets are thus products: in `mini_river` 8 x 7 x 6 views of the first street
/// with 6 decisions, and 8 x 7 x 6 x 5 of the second with 5 x 6.
#[test]
fn sizes_are_as_documented() {
    sizes_are(&[
        ("mini_high", (720, 33_120, 29_520)),
        ("mini_hilo", (20_160, 881_280, 255_456)),
        ("mini_river", (20_160, 725_760, 336 * 6 + 1_680 * 5 * 6)),
        ("mini_three", (40_320, 2_407_680, 942_528)),
        ("mini_razz", (720, 720 * 36, 120 * 6 + 720 * 5 * 6)),
        ("mini_high_3", (720, 720 * 36, 360 * 36)),
    ]);
}

#[test]
#[ignore = "half a minute: 362,880 deals"]
fn sizes_of_mini_nine_are_as_documented() {
    sizes_are(&[("mini_nine", (362_880, 362_880 * (4 + 3 * 4 + 9 * 4), 2_360_736))]);
}

fn sizes_are(members: &[(&str, (u64, u64, u64))]) {
    for &(name, expected) in members {
        let table = table(name);
        let (mut deals, mut decisions, mut total) = (0u64, 0u64, 0.0);
        table.for_each_deal(&mut |deal, probability| {
            (deals, total) = (deals + 1, total + probability);
            walk(&table, deal, &table.root(deal), &mut |node| {
                decisions += u64::from(node.actor().is_some());
            });
        });
        assert!((total - 1.0).abs() < 1e-9, "{name}: {total}");
        assert_eq!(table.deals(), Some(deals), "{name}");
        let rows = TableInfosets::new(&table).unwrap().rows();
        assert_eq!((deals, decisions, rows), expected, "{name}");
    }
}

/// A hand in which the cards come as listed and everybody brings in, checks and calls, but for `folds`, who folds when
/// that is possible; then what each seat wins.
fn called_down(name: &str, cards: &str, folds: Option<usize>) -> Vec<i64> {
    let rules = Rules::named(name).unwrap();
    let mut state = State::new(&rules, &vec![rules.stack(); rules.seats()]).unwrap();
    let mut cards = parse_cards(cards).unwrap().into_iter();
    loop {
        match state.next() {
            Next::Over => break,
            Next::Act(seat) => {
                let legal = state.legal().unwrap();
                let passive = [Action::BringIn, Action::Check, Action::Call];
                let action = match legal.fold && folds == Some(seat) {
                    true => Action::Fold,
                    false => *legal.actions().iter().find(|action| passive.contains(action)).unwrap(),
                };
                state.apply(action).unwrap();
            }
            _ => state.deal(cards.next().unwrap()).unwrap(),
        }
    }
    assert_eq!(cards.next(), None, "{name}: cards left over");
    state.payoffs().to_vec()
}

/// Everybody has put in an ante and a bring-in of 50 each: 200 chips with two players, 300 with three. Cards come round
/// the table: down cards, door cards, later streets.
#[test]
fn showdowns_worked_out_by_hand() {
    for (name, cards, expected) in [
        // Aces against kings, queens against kings, and the same three ranks twice.
        ("mini_high", "AcKc AdKd QcQd", &[100, -100][..]),
        ("mini_high", "QcAc QdKc AdKd", &[-100, 100]),
        ("mini_high", "QcQd KcKd AcAd", &[0, 0]),
        // Aces with a deuce scoop: kings with a deuce or a trey have no low.
        ("mini_hilo", "AcKc AdKd 2c2d", &[100, -100]),
        ("mini_hilo", "KcAc KdAd 3c2d", &[-100, 100]),
        // Kings for high, ace-deuce for low; treys for high, where ace-deuce beats ace-trey for low.
        ("mini_hilo", "KcAc Kd3d 2c2d", &[0, 0]),
        ("mini_hilo", "AcAd 3c2c 3dKd", &[0, 0]),
        // Nobody has a low: aces take all from deuces.
        ("mini_hilo", "Ac2c Ad2d KcKd", &[100, -100]),
        // Ace-king and ace-deuce against king-trey and trey-deuce.
        ("mini_hilo", "Ac3c 2c2d KcKd", &[100, -100]),
        // The same low, ace-king against ace-trey: three quarters and a quarter. Then all the same.
        ("mini_hilo", "AcAd 2c2d Kc3c", &[50, -50]),
        ("mini_hilo", "AcAd 2c2d KcKd", &[0, 0]),
        // Jack-ten is a straight and beats aces; ace-king is a higher one. King-jack is none, so jacks beat tens.
        ("mini_river", "TcAc JcAd KcTd", &[100, -100]),
        ("mini_river", "TcAc JcKd TdAd", &[-100, 100]),
        ("mini_river", "KcKd AcAd TcTd", &[0, 0]),
        ("mini_river", "JcTc JdTd KcAc", &[100, -100]),
        // Straight flushes to the king; a flush against a straight flush to the ace; two flushes; pairs; a straight
        // against aces.
        ("mini_three", "JcJd QcQd KcKd AdAc", &[0, 0]),
        ("mini_three", "JcQc JdQd KcKd AcAd", &[-100, 100]),
        ("mini_three", "AcQc KcJd JcQd KdAd", &[100, -100]),
        ("mini_three", "AcJc AdJd KcQc KdQd", &[100, -100]),
        ("mini_three", "JcJd QdQc KcAc KdAd", &[100, -100]),
        // Ace-deuce twice; ace-deuce, ace-trey and trey-deuce.
        ("mini_razz", "AcAd 2c2d 3c3d", &[0, 0]),
        ("mini_razz", "Ac2d Ad3c 2c3d", &[100, -100]),
        ("mini_razz", "2cAc 2d3c Ad3d", &[100, -100]),
        ("mini_razz", "2cAc 2dAd 3d3c", &[-100, 100]),
        ("mini_high_3", "AcKcQc AdKdQd", &[200, -100, -100]),
        ("mini_high_3", "QcQdAc KcKdAd", &[-100, -100, 200]),
        ("mini_high_3", "AcAdKc KdQcQd", &[200, -100, -100]),
    ] {
        assert_eq!(called_down(name, cards, None), expected, "{name} {cards}");
    }
    // The kings fold to the bring-in, and ace-queen splits 250 chips with ace-queen.
    assert_eq!(called_down("mini_high_3", "AcAdKc QcQdKd", Some(2)), [25, 25, -50]);
}

/// The ranks of up cards, those that occur most often first and among these the highest.
fn showing(up: &[Card], rank: impl Fn(Card) -> usize) -> Vec<(usize, usize)> {
    let count = |r: usize| up.iter().filter(|&&card| rank(card) == r).count();
    let mut ranks: Vec<(usize, usize)> = up.iter().map(|&card| (count(rank(card)), rank(card))).collect();
    ranks.sort_by(|a, b| b.cmp(a));
    ranks
}

/// Who opens: the lowest door card by rank and suit, then the best hand showing, first in position among equals; in
/// razz the other way round, the ace low.
fn slow_opener(state: &State) -> usize {
    let razz = state.rules().variant() == Variant::Razz;
    let rank = |card: Card| if razz { card.rank().low_index() } else { card.rank().index() };
    let live: Vec<usize> = state.live().into_iter().collect();
    if state.street() == Street::Third {
        let door = |&seat: &usize| (rank(state.up_cards(seat)[0]), state.up_cards(seat)[0].suit());
        let doors = live.iter().copied();
        return if razz { doors.max_by_key(door) } else { doors.min_by_key(door) }.unwrap();
    }
    let shown = |seat: usize| showing(state.up_cards(seat), rank);
    let mut best = live[0];
    for &seat in &live[1..] {
        if if razz { shown(seat) < shown(best) } else { shown(seat) > shown(best) } {
            best = seat;
        }
    }
    best
}

/// Every state of random deals of every member, all actions included.
#[test]
fn hands_keep_the_rules() {
    for name in members() {
        let table = table(name);
        let rules = table.rules();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let (mut doubles, mut showdowns, mut folds, mut splits) = (0, 0, 0, 0);
        for _ in 0..60 {
            let deal = table.deal(&mut rng);
            walk(&table, &deal, &table.root(&deal), &mut |state| {
                let street = state.street();
                let seats = 0..state.players();
                let total: i64 = seats.clone().map(|seat| state.stack(seat)).sum::<i64>() + state.pot();
                assert_eq!(total, rules.stack() * state.players() as i64, "{name}");
                let mut dealt = CardSet::EMPTY;
                for seat in seats.clone() {
                    for &card in state.up_cards(seat).iter().chain(state.down_cards(seat)) {
                        assert!(rules.deck().contains(card) && !dealt.contains(card), "{name}: {card}");
                        dealt = dealt.with(card);
                    }
                }
                if state.is_over() {
                    let payoffs = state.payoffs();
                    assert_eq!(payoffs.iter().sum::<i64>(), 0, "{name}");
                    let lost = |seat: usize| -payoffs[seat];
                    assert!(seats.clone().all(|seat| lost(seat) <= state.paid(seat)), "{name}");
                    assert!(state.settlement().carried == 0);
                    if state.is_showdown() {
                        assert_eq!(street, rules.last_street(), "{name}");
                        showdowns += 1;
                        splits += usize::from(payoffs.contains(&0));
                    } else {
                        folds += 1;
                    }
                    return;
                }
                for seat in state.live() {
                    assert_eq!(state.up_cards(seat).len(), rules.up_cards(street), "{name}");
                    assert_eq!(state.down_cards(seat).len(), rules.down_cards(street), "{name}");
                }
                let actor = state.actor().unwrap();
                let acted = state.history().iter().filter(|event| event.street() == street).count();
                if acted == 0 {
                    assert_eq!(state.opener(), Some(slow_opener(state)), "{name}");
                    assert_eq!(state.opener(), Some(actor), "{name}");
                    assert_eq!(state.legal().unwrap().bring_in.is_some(), street == Street::Third, "{name}");
                }
                let sizes: Vec<i64> = menu(state).iter().filter_map(|action| raise(*action)).collect();
                let top = seats.clone().map(|seat| state.wager(seat)).max().unwrap();
                let pair = |seat| showing(state.up_cards(seat), |card| card.rank().index())[0].0 > 1;
                let open_pair = state.live().into_iter().any(pair);
                if street == Street::Fourth && open_pair && rules.double_bet() == DoubleBet::AnyPlayer {
                    // A small or a big bet; once a big one is in, only big ones.
                    let doubled = state.history().iter().any(|event| {
                        event.street() == street && raise(event.action()).is_some_and(|to| to % 200 == 0)
                    });
                    let allowed =
                        if doubled || top > 100 { vec![top + 200] } else { vec![top + 100, top + 200] };
                    assert!(
                        sizes.is_empty() || sizes.iter().all(|size| allowed.contains(size)),
                        "{name}: {sizes:?}"
                    );
                    doubles += usize::from(sizes.contains(&(top + 200)));
                } else {
                    let size = match street {
                        Street::Third if state.bets_this_street() == 0 => 100,
                        Street::Third => top + 100,
                        Street::Fourth => top + 100,
                        _ => top + 200,
                    };
                    assert!(sizes.is_empty() || sizes == [size], "{name} {street:?}: {sizes:?}");
                }
                let capped = state.bets_this_street() == usize::from(rules.bet_cap().unwrap());
                assert_eq!(sizes.is_empty(), capped, "{name}");
            });
        }
        let open_pairs = rules.double_bet() != DoubleBet::Off && rules.up_cards(Street::Fourth) == 2;
        assert_eq!(doubles > 0, open_pairs && rules.streets() > 1, "{name}");
        assert!(showdowns > 0 && folds > 0, "{name}");
        assert!(splits > 0 || name == "mini_high_3", "{name}: no pot is split");
    }
}

fn menu(state: &State) -> Vec<Action> {
    state.legal().unwrap().actions().to_vec()
}

fn raise(action: Action) -> Option<i64> {
    match action {
        Action::RaiseTo(to) => Some(to),
        _ => None,
    }
}

#[test]
fn too_many_players_for_the_deck_are_refused() {
    let rules = Rules::named("mini_high").unwrap();
    let message = StudTable::with_players(&rules, 3).unwrap_err().to_string();
    assert!(message.contains("3 players need 9 cards") && message.contains("the 6 of the deck"), "{message}");
    let burning = rules.config().with("burn", "true").unwrap().check("test").unwrap_err().to_string();
    assert!(burning.contains("seats = 2") && burning.contains("7 cards"), "{burning}");
}

#[test]
fn random_play_keeps_the_promises_of_a_game() {
    for name in members() {
        conformance::random_playouts(&table(name), 2_000, 60, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    }
}

/// Deals drawn at random are those listed, each as often as any other.
#[test]
fn drawn_deals_are_the_listed_ones() {
    for name in ["mini_high", "mini_high_3", "mini_razz"] {
        let table = table(name);
        let cards = |deal: &_| {
            let mut end = table.root(deal);
            while let Turn::Decide { .. } = table.turn(&end, deal) {
                let passive = [Action::BringIn, Action::Check, Action::Call];
                let action = menu(&end).iter().position(|action| passive.contains(action)).unwrap();
                end = table.act(&end, deal, action);
            }
            let hand = |seat| [end.down_cards(seat), end.up_cards(seat)].concat();
            (0..end.players()).map(hand).collect::<Vec<_>>()
        };
        let mut counts = HashMap::new();
        table.for_each_deal(&mut |deal, probability| {
            assert!((probability - 1.0 / 720.0).abs() < 1e-12);
            assert_eq!(counts.insert(cards(deal), 0u32), None, "a deal listed twice");
        });
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
        for _ in 0..72_000 {
            *counts.get_mut(&cards(&table.deal(&mut rng))).expect("a listed deal") += 1;
        }
        // A hundred each; six standard deviations of ten.
        assert!(counts.values().all(|&count| (40..=160).contains(&count)), "{name}");
    }
}

/// The rows of two histories are the same exactly if the seat sees the same.
#[test]
fn infosets_are_what_a_seat_sees() {
    for name in ["mini_high", "mini_razz", "mini_high_3"] {
        let table = table(name);
        let infosets = TableInfosets::new(&table).unwrap();
        let mut rows = HashMap::new();
        infosets.for_each_row(&mut |slot, actions| assert_eq!(rows.insert(slot, actions), None));
        assert_eq!(rows.values().sum::<usize>() as u64, infosets.slots());
        let mut seen: HashMap<String, u64> = HashMap::new();
        let mut slots: HashMap<u64, String> = HashMap::new();
        table.for_each_deal(&mut |deal, _| {
            walk(&table, deal, &table.root(deal), &mut |state| {
                let Some(seat) = state.actor() else { return };
                let view = SeatView::new(state, seat);
                let ups: Vec<&[Card]> = (0..view.players()).map(|other| view.up_cards(other)).collect();
                let sees = format!("{seat} {:?} {ups:?} {:?}", view.down_cards(), view.history());
                let slot = infosets.slot(&(), state, seat);
                assert_eq!(rows.get(&slot), Some(&view.actions().len()), "{name}: {sees}");
                assert_eq!(*seen.entry(sees.clone()).or_insert(slot), slot, "{name}: {sees}");
                assert_eq!(*slots.entry(slot).or_insert(sees.clone()), sees, "{name}");
            });
        });
        assert_eq!(slots.len() as u64, infosets.rows(), "{name}");
    }
}

#[test]
fn tables_too_large_to_walk_are_refused() {
    let whole = StudTable::with_players(&Rules::named("stud_bench").unwrap(), 2).unwrap();
    assert_eq!(whole.deals(), None);
    let message = TableInfosets::new(&whole).unwrap_err().to_string();
    assert!(message.contains("more than 4000000 ways"), "{message}");
}
