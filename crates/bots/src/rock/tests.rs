use super::*;
use crate::spot::samples::limit;

/// What the rock does: heads-up or against several, with these cards.
fn does(spot: &Spot) -> &'static str {
    spot.chosen(decide(spot))
}

const HIGH: Variant = Variant::High;

#[test]
fn third_street_pairs() {
    // Rolled up: raises without end.
    for bets in 0..3 {
        assert_eq!(does(&limit(HIGH, "7s7d/7c", &["Ah", "Kd"]).facing(bets)), "raise");
    }
    // The best pair: completes, reraises once, then calls.
    let aces = || limit(HIGH, "AsAd/7c", &["Kh", "Qd", "2c"]);
    assert_eq!((does(&aces()), does(&aces().facing(1)), does(&aces().facing(2))), ("raise", "raise", "call"));
    // Tens under a king: completes, only calls a raise, and not with both other tens gone.
    let tens = || limit(HIGH, "TsTd/7c", &["Kh", "Qd", "2c"]);
    assert_eq!((does(&tens()), does(&tens().facing(1))), ("raise", "call"));
    assert_eq!(does(&tens().dead("ThTc")), "call");
    assert_eq!(does(&tens().dead("ThTc").facing(2)), "fold");
    // Fours: only live, and with a kicker over the board.
    assert_eq!(does(&limit(HIGH, "4s4d/Ac", &["Kh", "9d", "2c"]).facing(1)), "call");
    assert_eq!(does(&limit(HIGH, "4s4d/Ac", &["Kh", "9d", "2c"]).dead("4h").facing(1)), "fold");
    assert_eq!(does(&limit(HIGH, "4s4d/9c", &["Kh", "Td", "2c"]).facing(1)), "fold");
}

#[test]
fn third_street_draws_need_live_cards() {
    let flush = || limit(HIGH, "3s9s/Js", &["Kh", "Qd", "2c"]);
    assert_eq!((does(&flush().facing(1)), does(&flush().facing(2))), ("call", "fold"));
    assert_eq!(does(&flush().dead("2s4s").facing(1)), "call");
    assert_eq!(does(&flush().dead("2s4s8s").facing(1)), "fold");
    let straight = || limit(HIGH, "8s9d/Tc", &["Kh", "Ad", "2c"]);
    assert_eq!(does(&straight().facing(1)), "call");
    assert_eq!(does(&straight().dead("7cJdJh").facing(1)), "fold");
    assert_eq!(does(&limit(HIGH, "8s9d/3c", &["Kh", "Ad", "2c"]).facing(1)), "fold");
}

#[test]
fn the_best_door_card_steals() {
    assert_eq!(does(&limit(HIGH, "2s7d/Ac", &["Kh", "3d"])), "raise");
    // Not against many, not into a better door card, and not once somebody has bet.
    assert_eq!(does(&limit(HIGH, "2s7d/Ac", &["Kh", "3d", "9d"])), "fold");
    assert_eq!(does(&limit(HIGH, "2s7d/Qc", &["Kh", "3d"])), "fold");
    assert_eq!(does(&limit(HIGH, "2s7d/Ac", &["Kh", "3d"]).facing(1)), "fold");
    assert_eq!(does(&limit(Variant::Razz, "QsJd/2c", &["Kh", "Td"])), "raise");
    assert_eq!(does(&limit(Variant::Razz, "QsJd/2c", &["Kh", "8d"])), "fold");
}

#[test]
fn later_streets_look_at_the_boards() {
    // An overpair bets, calls a raise, and folds to an open pair above it.
    assert_eq!(does(&limit(HIGH, "QsQd/7c2h", &["Jh8d"])), "raise");
    assert_eq!(does(&limit(HIGH, "QsQd/7c2h", &["Jh8d"]).facing(1)), "call");
    assert_eq!(does(&limit(HIGH, "QsQd/7c2h", &["KhKd"]).facing(1)), "fold");
    // Two pair slows down against three suited cards.
    assert_eq!(does(&limit(HIGH, "QsQd/7c7h2s", &["Jh8d3c"]).facing(1)), "raise");
    assert_eq!(does(&limit(HIGH, "QsQd/7c7h2s", &["Jh8h3h"]).facing(1)), "call");
    // Nothing checks and folds.
    assert_eq!(does(&limit(HIGH, "4sTd/7c2h9s", &["Jh8d3c"])), "check");
    assert_eq!(does(&limit(HIGH, "4sTd/7c2h9s", &["Jh8d3c"]).facing(1)), "fold");
    // A full house raises to the cap, a flush only calls it against an open pair.
    let full = limit(HIGH, "QsQd/7c7h7sKd2c", &["JhJd3c4d"]);
    let flush = || limit(HIGH, "2s9s/Qs4sKsAd7h", &["JhJd3c4d"]);
    assert_eq!(
        (does(&full.facing(3)), does(&flush().facing(1)), does(&flush().facing(3))),
        ("raise", "raise", "call")
    );
}

#[test]
fn live_draws_call_at_a_price() {
    // Nine live spades on sixth street: 9 of 42 unseen cards.
    let draw = |opponent: &str| limit(HIGH, "2s9s/QsJs4d6d", &[opponent]).facing(1);
    let four = "AhAd3c4h";
    assert_eq!(does(&draw(four).with_pot(1200)), "call");
    assert_eq!(does(&draw(four).with_pot(500)), "fold");
    // Five of them dead: 4 of 37.
    assert_eq!(does(&draw(four).dead("3s5s6s7s8s").with_pot(1200)), "fold");
    // Nothing comes after the river.
    assert_eq!(does(&limit(HIGH, "2s9s/QsJs4d6d3h", &["AhAd5c6c"]).facing(1).with_pot(1200)), "fold");
}

#[test]
fn razz_counts_low_cards() {
    let razz = |own, opponents: &[&str]| limit(Variant::Razz, own, opponents);
    assert_eq!(does(&razz("As3d/5c", &["7h", "Kd", "4c"]).facing(1)), "raise");
    assert_eq!(does(&razz("As3d/8c", &["7h", "Kd", "4c"]).facing(1)), "call");
    assert_eq!(does(&razz("As3d/Jc", &["7h", "Kd", "4c"])), "fold");
    assert_eq!(does(&razz("As3d/3c", &["7h", "Kd", "4c"])), "fold");
    // Ahead after the other's bad card, behind after one's own.
    assert_eq!(does(&razz("As3d/5c7d", &["6hQd"]).facing(1)), "raise");
    assert_eq!(does(&razz("As3d/5cQd", &["6h7d"]).facing(1)), "fold");
    assert_eq!(does(&razz("As3d/5cQd", &["6hJd"]).facing(1)), "call");
    // A made six.
    assert_eq!(does(&razz("As3d/5c6d2hKd", &["2s4d8c7h"]).facing(3)), "raise");
}

#[test]
fn hilo_wants_both_halves() {
    let hilo = |own, opponents: &[&str]| limit(Variant::HiLo8, own, opponents);
    // Low cards with an ace raise; kings against low doors do not get past a bet.
    assert_eq!(does(&hilo("As3d/5c", &["7h", "Kd", "4c"])), "raise");
    assert_eq!(does(&hilo("KsKd/9c", &["7h", "Qd", "4c"]).facing(1)), "fold");
    // A low that is also a flush.
    assert_eq!(does(&hilo("As3s/5s6sKd7s", &["9dTdJcQh"]).facing(3)), "raise");
    // A made low alone calls.
    assert_eq!(does(&hilo("As3d/5c6d8hKd", &["2c4cQdJd"]).facing(1)), "call");
}
