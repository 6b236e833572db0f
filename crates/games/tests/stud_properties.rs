//! What holds for every hand: random tables of all profiles, seat counts and stacks, played at random.

mod common;

use common::{Style, play, random_table};
use doorcard_cards::{Card, Suit};
use doorcard_efg::{Game, Observe, Turn, conformance};
use doorcard_games::stud::{
    Action, Chips, Next, PROFILES, Rules, SeatSet, ShuffledDeck, State, Street, StudTable, TieOddChips,
    Variant, bring_in, first_to_act,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: 1 << 20,
        ..ProptestConfig::default()
    }
}

/// Actions around everything that could be legal.
fn candidates(state: &State) -> Vec<Action> {
    let legal = state.legal().unwrap();
    let mut actions = vec![Action::Fold, Action::Check, Action::Call, Action::BringIn];
    let rules = state.rules();
    let bounds = [legal.raise.min(), legal.raise.max()].into_iter().flatten();
    for to in bounds.chain([rules.small_bet(), rules.big_bet(), 0, -1, Chips::MAX, Chips::MIN + 1]) {
        actions.extend([to.saturating_sub(1), to, to.saturating_add(1)].map(Action::RaiseTo));
    }
    actions
}

fn check_state(state: &State, chips: Chips) {
    let players = 0..state.players();
    let stacks: Chips = players.clone().map(|seat| state.stack(seat)).sum();
    assert_eq!(stacks + state.pot(), chips, "chips are conserved");
    assert!(players.clone().all(|seat| state.stack(seat) >= 0 && state.wager(seat) <= state.paid(seat)));
    let Some(seat) = state.actor() else { return };
    assert!(!state.folded(seat) && state.stack(seat) > 0);
    let legal = state.legal().unwrap();
    let menu = legal.actions();
    assert_eq!(menu.len(), legal.count());
    assert!(!menu.is_empty() && menu.iter().all(|&action| legal.allows(action)), "{menu:?}");
    for action in candidates(state) {
        let mut next = state.clone();
        let result = next.apply(action);
        assert_eq!(result.is_ok(), legal.allows(action), "{action} where legal are {legal}");
        if result.is_err() {
            assert_eq!(&next, state, "a refused action changes nothing");
        } else {
            let event = next.history().last().unwrap();
            assert_eq!((event.seat(), event.action(), event.street()), (seat, action, state.street()));
        }
    }
}

fn check_end(state: &State) {
    assert_eq!(state.next(), Next::Over);
    let players = state.players();
    let settlement = state.settlement();
    let payoffs = state.payoffs();
    assert_eq!(payoffs.iter().sum::<Chips>() + settlement.carried, 0);
    for (seat, payoff) in payoffs.iter().enumerate() {
        assert!(*payoff >= -state.paid(seat), "nobody loses more than it put in");
        assert!(settlement.won[seat] == 0 || !state.folded(seat), "nobody wins after folding");
    }
    let pots = state.pots();
    let returned: Chips = settlement.returned.iter().sum();
    assert_eq!(pots.iter().map(|pot| pot.amount).sum::<Chips>() + returned, state.pot());
    for (first, second) in pots.iter().zip(&pots[1..]) {
        assert!(second.seats.minus(first.seats).is_empty() && second.seats != first.seats, "{pots:?}");
    }
    let shown = state.showdown();
    if state.is_showdown() {
        assert_eq!(shown.iter().map(|&(seat, _)| seat).collect::<SeatSet>(), state.live());
        let showing: SeatSet = shown.iter().filter(|(_, shows)| *shows).map(|&(seat, _)| seat).collect();
        for seat in 0..players {
            assert!(settlement.won[seat] == 0 || showing.contains(seat), "a winner has shown");
        }
        assert_eq!(state.settlement_among(showing), settlement, "those who muck would have won nothing");
        assert!(state.live().into_iter().all(|seat| state.hand(seat).len() == 7));
    }
}

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn chips_legality_and_results(seed: u64) {
        let (table, mut rng) = random_table(seed);
        let chips = (0..table.players()).map(|seat| table.stack(seat)).sum();
        let deck = table.deal(&mut rng);
        let end = play(&table, &deck, Style { fold: 0.2 }, &mut rng, |state| check_state(state, chips));
        check_end(&end);
    }

    /// The engine promises the same as every other game.
    #[test]
    fn tables_conform(seed: u64) {
        let (table, mut rng) = random_table(seed);
        conformance::random_playouts(&table, 2, 2_000, &mut rng);
    }

    /// A seat sees nothing that depends on what is hidden from it.
    #[test]
    fn views_hide_what_is_hidden(seed: u64) {
        let (table, mut rng) = random_table(seed);
        let deck = table.deal(&mut rng);
        play(&table, &deck, Style { fold: 0.1 }, &mut rng, |state| {
            let Some(seat) = state.actor() else { return };
            let view = table.observe(state, &deck, seat);
            let others = (0..table.players()).filter(|&other| other != seat);
            for &card in others.flat_map(|other| state.down_cards(other)) {
                // Cards that were shuffled back may come again.
                let known = view.hand().contains(card) || view.dead_cards().contains(card);
                assert!(!known || state.reshuffled());
            }
            assert_eq!(view.down_cards(), state.down_cards(seat));
            assert_eq!(view.to_call(), state.legal().unwrap().call.unwrap_or(0));
            assert_eq!(view.actions(), state.legal().unwrap().actions());
        });
    }
}

/// A table whose chips divide by everything a pot could be split by, so that no chip is ever odd, for limit games.
fn even_table(seed: u64) -> Option<(StudTable, Xoshiro256PlusPlus)> {
    const SCALE: Chips = 2 * 2 * 2 * 3 * 5 * 7 * 2;
    let (table, rng) = random_table(seed);
    let mut config = table.rules().config();
    config.big_bet?;
    config.ante *= SCALE;
    config.small_bet *= SCALE;
    config.big_bet = config.big_bet.map(|chips| chips * SCALE);
    config.bring_in = doorcard_games::stud::BringIn::Chips(table.rules().bring_in() * SCALE);
    let stacks: Vec<Chips> = (0..table.players()).map(|seat| table.stack(seat) * SCALE).collect();
    Some((StudTable::new(&config.check("scaled").unwrap(), &stacks).unwrap(), rng))
}

/// Where a tie is broken by suit or position: the bring-in and the openers.
fn tied(state: &State) -> bool {
    let variant = state.rules().variant();
    let live = state.live();
    let door = |seat: usize| &state.up_cards(seat)[0];
    if state.street() == Street::Third {
        let low = bring_in(variant, live, door);
        return live.without(low).into_iter().any(|seat| door(seat).rank() == door(low).rank());
    }
    let first = first_to_act(variant, live, |seat| state.up_cards(seat));
    let others = live.without(first);
    // Equal to the best hand showing: it would open if it came first in position.
    others.into_iter().any(|seat| {
        let pair = [state.up_cards(seat), state.up_cards(first)];
        first_to_act(variant, SeatSet::first(2), |i| pair[i]) == 0
    })
}

/// Deals by hand: `card` says what a seat gets as its card number `at`.
fn deal_by(state: &mut State, card: &mut dyn FnMut(&State) -> Card) {
    while !matches!(state.next(), Next::Act(_) | Next::Over) {
        let next = card(state);
        state.deal(next).unwrap();
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    /// Other suits change nothing but the bring-in among equal door cards (and odd chips given by suit).
    #[test]
    fn suits_do_not_matter(seed: u64, shift in 1..24usize) {
        let (table, mut rng) = random_table(seed);
        prop_assume!(table.rules().tie_odd_chips() != TieOddChips::HighSuit);
        let mut suits: Vec<usize> = (0..4).collect();
        let map: Vec<Suit> = [4, 3, 2, 1].iter().scan(shift, |rest, &n| {
            let suit = suits.remove(*rest % n);
            *rest /= n;
            Some(Suit::new(suit as u8))
        }).collect();
        let deck = table.deal(&mut rng);
        let other = deck.relabel([map[0], map[1], map[2], map[3]]);
        let (mut a, mut b) = (table.root(&deck), table.root(&other));
        prop_assume!(!tied(&a));
        while let Turn::Decide { actions, .. } = table.turn(&a, &deck) {
            prop_assert_eq!(a.next(), b.next());
            prop_assert_eq!(a.legal(), b.legal());
            let action = rng.random_range(0..actions);
            (a, b) = (table.act(&a, &deck, action), table.act(&b, &other, action));
        }
        prop_assert_eq!(a.payoffs(), b.payoffs());
        prop_assert_eq!(a.history(), b.history());
    }

    /// Moving everybody round the table changes nothing but ties broken by position.
    #[test]
    fn seats_do_not_matter(seed: u64, turn in 1..8usize) {
        let Some((table, mut rng)) = even_table(seed) else { return Ok(()) };
        let players = table.players();
        // With more seats the deck may run out, and who comes first then gets the last cards.
        prop_assume!(players <= 6);
        let moved = |seat: usize| (seat + turn) % players;
        let back = |seat: usize| (seat + players * 8 - turn) % players;
        let stacks: Vec<Chips> = (0..players).map(|seat| table.stack(back(seat))).collect();
        let deck = table.deal(&mut rng);
        let mut a = table.root(&deck);
        let mut b = State::new(table.rules(), &stacks).unwrap();
        let mut burns = 0;
        while let Turn::Decide { actions, .. } = table.turn(&a, &deck) {
            prop_assume!(!tied(&a));
            deal_by(&mut b, &mut |state| match state.next() {
                Next::Down(seat) => a.down_cards(back(seat))[state.down_cards(seat).len()],
                Next::Up(seat) => a.up_cards(back(seat))[state.up_cards(seat).len()],
                _ => { burns += 1; a.burns()[burns - 1] }
            });
            let Next::Act(seat) = a.next() else { unreachable!() };
            prop_assert_eq!(b.next(), Next::Act(moved(seat)));
            prop_assert_eq!(a.legal(), b.legal());
            let action = rng.random_range(0..actions);
            b.apply(a.legal().unwrap().actions()[action]).unwrap();
            a = table.act(&a, &deck, action);
        }
        deal_by(&mut b, &mut |state| match state.next() {
            Next::Down(seat) => a.down_cards(back(seat))[state.down_cards(seat).len()],
            Next::Up(seat) => a.up_cards(back(seat))[state.up_cards(seat).len()],
            _ => { burns += 1; a.burns()[burns - 1] }
        });
        prop_assert_eq!(b.next(), Next::Over);
        let payoffs = b.payoffs();
        for (seat, payoff) in a.payoffs().into_iter().enumerate() {
            prop_assert_eq!(payoff, payoffs[moved(seat)]);
        }
    }

    /// Replaying a deck, a seat gets the same cards whatever the others do.
    #[test]
    fn a_seat_keeps_its_cards(seed: u64) {
        let (table, mut rng) = random_table(seed);
        prop_assume!(table.players() <= 6);
        let deck: ShuffledDeck = table.deal(&mut rng);
        let a = play(&table, &deck, Style { fold: 0.1 }, &mut rng, |_| {});
        let b = play(&table, &deck, Style { fold: 0.5 }, &mut rng, |_| {});
        for seat in 0..table.players() {
            for (first, second) in [(a.up_cards(seat), b.up_cards(seat)), (a.down_cards(seat), b.down_cards(seat))] {
                let both = first.len().min(second.len());
                prop_assert_eq!(&first[..both], &second[..both]);
            }
        }
    }
}

/// Every card is as likely as any other to be dealt to any place, also when the deck runs out.
#[test]
fn deals_are_fair() {
    let rules = Rules::named("razz").unwrap();
    for players in [2, 8] {
        let table = StudTable::with_players(&rules, players).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut counts = [[0u32; 52]; 2];
        let deals = 26_000;
        for _ in 0..deals {
            let deck = table.deal(&mut rng);
            let mut node = table.root(&deck);
            while let Turn::Decide { .. } = table.turn(&node, &deck) {
                // The first passive action: fold is refused or first, so call or check.
                let menu = node.legal().unwrap().actions();
                let passive = menu.iter().position(|action| !matches!(action, Action::Fold)).unwrap();
                node = table.act(&node, &deck, passive);
            }
            counts[0][node.down_cards(players - 1)[0].index()] += 1;
            let last = node.board().unwrap_or_else(|| node.down_cards(players - 1)[2]);
            counts[1][last.index()] += 1;
        }
        for count in counts.into_iter().flatten() {
            // Five standard deviations about 500.
            assert!((f64::from(count) - 500.0).abs() < 112.0, "{players} players: {count}");
        }
    }
}

/// The table of a profile has its seats, stacks and menu.
#[test]
fn every_profile_plays() {
    for (name, _) in PROFILES {
        let rules = Rules::named(name).unwrap();
        let most = if rules.is_standard() { 8 } else { rules.seats() };
        for players in 2..=most {
            let table = StudTable::with_players(&rules, players).unwrap();
            assert_eq!((table.players(), table.stack(players - 1)), (players, rules.stack()), "{name}");
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(players as u64);
            conformance::random_playouts(&table, 50, 2_000, &mut rng);
        }
    }
    assert_eq!(Rules::named("razz").unwrap().variant(), Variant::Razz);
}

/// What simple players win from each other at the benchmark's stakes without double bets, as an independent program
/// found it over a million duplicate pairs: `uniform` (equal chance for each legal action) loses 80.9 +- 3.6 to one who
/// always calls and 3515 +- 8 to one who always raises, and a player who folds whenever it may loses 500 thousandths of
/// a small bet per hand.
#[test]
fn simple_players_win_what_they_should() {
    let rules = Rules::named("stud_bench_nodouble").unwrap();
    let table = StudTable::with_players(&rules, 2).unwrap();
    let pairs = 60_000;
    let play = |choose: &dyn Fn(&[Action], bool, &mut Xoshiro256PlusPlus) -> usize| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut won = 0.0;
        for _ in 0..pairs {
            let deck = table.deal(&mut rng);
            for hero in 0..2 {
                let mut node = table.root(&deck);
                while let Turn::Decide { player, .. } = table.turn(&node, &deck) {
                    let menu = node.legal().unwrap().actions();
                    node = table.act(&node, &deck, choose(&menu, player == hero, &mut rng));
                }
                won += table.utility(&node, &deck, hero);
            }
        }
        won / f64::from(2 * pairs) / rules.small_bet() as f64 * 1000.0
    };
    let passive = |menu: &[Action]| {
        menu.iter().position(|a| matches!(a, Action::Check | Action::Call | Action::BringIn)).unwrap()
    };
    let raise = |menu: &[Action]| {
        menu.iter().rposition(|a| matches!(a, Action::RaiseTo(_))).unwrap_or_else(|| passive(menu))
    };
    let fold =
        |menu: &[Action]| menu.iter().position(|a| *a == Action::Fold).unwrap_or_else(|| passive(menu));
    let calls = play(&|menu, hero, rng| if hero { rng.random_range(0..menu.len()) } else { passive(menu) });
    let raises = play(&|menu, hero, rng| if hero { rng.random_range(0..menu.len()) } else { raise(menu) });
    let folds = play(&|menu, hero, _| if hero { fold(menu) } else { raise(menu) });
    // Four standard errors at this number of pairs, and those of the figures themselves.
    assert!((calls + 80.9).abs() < 32.0, "{calls}");
    assert!((raises + 3515.0).abs() < 72.0, "{raises}");
    assert_eq!(folds, -500.0);
}
