//! Messages here; bots, good and bad, in [`matches`].

#[cfg(unix)]
mod matches;

use super::protocol::{self, Act, Hello};
use super::*;
use doorcard_cards::Card;
use doorcard_efg::{Game, Turn};
use doorcard_games::stud::{Action, Next, PROFILES, Rules, State};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../PROTOCOL.md");

fn table(profile: &str, players: usize) -> StudTable {
    StudTable::with_players(&Rules::named(profile).unwrap(), players).unwrap()
}

/// Deals these cards in the order in which they are due.
fn deal(state: &mut State, cards: &str) {
    for card in cards.split(' ') {
        state.deal(card.parse::<Card>().unwrap()).unwrap();
    }
}

/// The hand of the documented exchange, at both decisions of seat 0.
fn documented() -> [State; 2] {
    let mut state = State::new(&Rules::named("stud_bench").unwrap(), &[10_000; 2]).unwrap();
    deal(&mut state, "Ah 9c 7d 9s 7c 2h");
    state.apply(Action::BringIn).unwrap();
    let third = state.clone();
    state.apply(Action::Call).unwrap();
    if state.next() == Next::Burn {
        deal(&mut state, "3c");
    }
    deal(&mut state, "7s Jd");
    [third, state]
}

fn json(line: &[u8]) -> Value {
    assert_eq!(line.iter().position(|&byte| byte == b'\n'), Some(line.len() - 1), "one line");
    serde_json::from_slice(line).unwrap()
}

#[test]
fn the_documented_exchange_is_the_real_one() {
    let (_, example) = DOCUMENT.split_once("```text\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let side = |prefix| example.lines().filter_map(|line| line.strip_prefix(prefix)).collect::<Vec<_>>();
    let (sent, received) = (side("> "), side("< "));

    let stud = table("stud_bench", 2);
    let states = documented();
    let acts = [0, 1].map(|i| Act::new(&SeatView::new(&states[i], 0), i as u64 + 1, 1234567890123456789));
    let hello = protocol::line(&Hello::new("stud_bench", &stud, Duration::from_secs(2)));
    let real = [hello, protocol::line(&acts[0]), protocol::line(&acts[1])];
    let real = real.map(|line| String::from_utf8(line).unwrap().trim_end().to_string());
    // The documented program is the one of today, whatever its version.
    let version = format!("doorcard {}", env!("CARGO_PKG_VERSION"));
    let sent: Vec<String> = sent.iter().map(|line| line.replace("doorcard 0.1.0", &version)).collect();
    assert!(sent == real, "the real messages are\n> {}", real.join("\n> "));

    assert_eq!(received.len(), 3);
    assert_eq!(protocol::name(received[0].as_bytes()).unwrap().as_deref(), Some("my bot"));
    for (i, expected) in [(0, Action::Call), (1, Action::RaiseTo(200))] {
        let place = acts[i].choice(received[i + 1].as_bytes()).unwrap();
        assert_eq!(states[i].legal().unwrap().actions()[place], expected);
    }
}

#[test]
fn every_field_and_fault_is_documented() {
    let stud = table("stud_bench", 2);
    let hello = json(&protocol::line(&Hello::new("stud_bench", &stud, Duration::from_secs(2))));
    let act = json(&protocol::line(&Act::new(&SeatView::new(&documented()[0], 0), 1, 0)));
    let messages = [&hello, &act, &act["game"], &act["history"][0], &act["actions"][1]];
    for field in messages.iter().flat_map(|message| message.as_object().unwrap().keys()) {
        assert!(DOCUMENT.contains(&format!("`{field}`")), "{field}");
    }
    for kind in FaultKind::ALL {
        assert!(DOCUMENT.contains(&format!("`{}`", kind.name())), "{}", kind.name());
    }
}

/// Walks random hands and calls `f` with every decision and its deal.
fn random_decisions(stud: &StudTable, hands: usize, mut f: impl FnMut(&State, usize)) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for _ in 0..hands {
        let deal = stud.deal(&mut rng);
        let mut state = stud.root(&deal);
        while let Turn::Decide { player, actions } = stud.turn(&state, &deal) {
            f(&state, player);
            state = stud.act(&state, &deal, rng.random_range(0..actions));
        }
    }
}

#[test]
fn every_action_on_offer_can_be_chosen() {
    for (profile, _) in PROFILES {
        let rules = Rules::named(profile).unwrap();
        let stud = table(profile, rules.seats());
        random_decisions(&stud, 30, |state, seat| {
            let view = SeatView::new(state, seat);
            let act = Act::new(&view, 9, 0);
            let message = json(&protocol::line(&act));
            let offers = message["actions"].as_array().unwrap();
            for (place, (offer, action)) in offers.iter().zip(view.actions()).enumerate() {
                // The words and amounts are those of the engine's own text.
                let amount = offer["amount"].as_i64();
                let word = offer["action"].as_str().unwrap();
                let text =
                    if word == "raise to" { format!("{word} {}", amount.unwrap()) } else { word.into() };
                assert_eq!(text, action.to_string());
                // A bot may send back what was offered, and amounts are what the engine makes of them.
                assert_eq!(act.choice(offer.to_string().as_bytes()).unwrap(), place, "{profile}: {offer}");
                let mut after = state.clone();
                after.apply(action).unwrap();
                let event = after.history().last().unwrap();
                assert!(amount.is_none_or(|amount| amount == event.to()), "{profile}: {offer} is {event:?}");
            }
        });
    }
}

#[test]
fn replies_are_read_strictly_where_it_matters() {
    let [third, fourth] = documented();
    let [third, fourth] = [&third, &fourth].map(|state| Act::new(&SeatView::new(state, 0), 7, 0));
    // Fold, call, complete to 100; and check, bet 100 or 200.
    let place = |act: &Act, reply: &str| act.choice(reply.as_bytes()).map_err(|fault| fault.kind);
    assert_eq!(place(&third, r#"{"action":"fold"}"#), Ok(0));
    assert_eq!(place(&third, r#"{"id":7,"action":"call","note":[1]}"#), Ok(1));
    assert_eq!(place(&third, r#"{"action":"raise to"}"#), Ok(2), "there is but one amount");
    assert_eq!(place(&third, r#"{"action":"fold","amount":0}"#), Ok(0));
    assert_eq!(place(&fourth, r#"{"action":"raise to","amount":200}"#), Ok(2));

    assert_eq!(place(&fourth, r#"{"action":"raise to"}"#), Err(FaultKind::Illegal));
    assert_eq!(place(&fourth, r#"{"action":"raise to","amount":150}"#), Err(FaultKind::Illegal));
    assert_eq!(place(&third, r#"{"action":"call","amount":100}"#), Err(FaultKind::Illegal));
    assert_eq!(place(&third, r#"{"action":"check"}"#), Err(FaultKind::Illegal));
    for malformed in [
        "",
        "call",
        "[]",
        r#"{"action":"shove"}"#,
        r#"{"action":"Call"}"#,
        r#"{"amount":100}"#,
        r#"{"action":"call","amount":"50"}"#,
        r#"{"action":"call","id":6}"#,
        r#"{"action":"call"} {"action":"call"}"#,
        "{\"action\":\"call\",\"x\":\"\u{0}\"}",
    ] {
        assert_eq!(place(&third, malformed), Err(FaultKind::Malformed), "{malformed}");
    }
    assert_eq!(third.choice(b"\xff{}").unwrap_err().kind, FaultKind::Malformed);
    let deep = "[".repeat(50_000);
    assert_eq!(place(&third, &deep), Err(FaultKind::Malformed));
}

/// What others hold and what is to come changes nothing of a request.
#[test]
fn requests_hold_only_what_the_seat_knows() {
    for (profile, players) in [("stud_bench", 2), ("stud_hilo8_no_limit", 5), ("razz", 8)] {
        let stud = table(profile, players);
        let mut compared = 0;
        random_decisions(&stud, 40, |state, seat| {
            // The same hand with the down cards of all others taken from the deck.
            let known =
                (0..players).fold(state.hand(seat), |known, other| known.union(state.up_cards(other).into()));
            let mut fresh = known.complement().into_iter();
            let mut twin = State::new(state.rules(), &vec![state.rules().stack(); players]).unwrap();
            let mut events = state.history().iter();
            while twin.history().len() < state.history().len() || !matches!(twin.next(), Next::Act(_)) {
                let nth_down = |to: usize, twin: &State| state.down_cards(to)[twin.down_cards(to).len()];
                let card = match twin.next() {
                    Next::Down(to) if to == seat => Some(nth_down(to, &twin)),
                    Next::Up(to) => Some(state.up_cards(to)[twin.up_cards(to).len()]),
                    Next::Act(_) | Next::Over => None,
                    Next::Down(_) | Next::Burn => fresh.next(),
                    Next::Board => state.board(),
                };
                match (card, twin.next()) {
                    // A deck that runs out is shuffled anew, and other cards may not be in it any more.
                    (Some(card), _) => match twin.deal(card) {
                        Ok(()) => {}
                        Err(_) => return,
                    },
                    (None, Next::Act(_)) => twin.apply(events.next().unwrap().action()).unwrap(),
                    (None, _) => return,
                }
            }
            let request = |state| protocol::line(&Act::new(&SeatView::new(state, seat), 1, 0));
            assert_eq!(
                String::from_utf8(request(state)).unwrap(),
                String::from_utf8(request(&twin)).unwrap(),
                "{profile}"
            );
            let hidden =
                (0..players).any(|other| other != seat && twin.down_cards(other) != state.down_cards(other));
            compared += usize::from(hidden);
        });
        assert!(compared > 100, "{profile}: {compared}");
    }
}

#[test]
fn addresses_say_what_was_expected() {
    let parse = |text| Address::parse(text).map_err(|error| error.to_string());
    let words = |program: &str, rest: &[&str]| {
        Address::Program(program.into(), rest.iter().map(|word| word.to_string()).collect())
    };
    assert_eq!(parse("exec:./bot"), Ok(words("./bot", &[])));
    assert_eq!(parse("exec:python3 'my bot.py' --fast"), Ok(words("python3", &["my bot.py", "--fast"])));
    assert_eq!(parse("tcp:localhost:7000"), Ok(Address::Tcp("localhost:7000".into())));
    assert_eq!(parse("tcp:[::1]:7000"), Ok(Address::Tcp("[::1]:7000".into())));
    for (bad, expected) in [
        ("exec:", "a program"),
        ("exec:  ", "a program"),
        ("exec:''", "a program"),
        ("exec:'bot", "quotes are closed"),
        ("tcp:", "tcp:HOST:PORT"),
        ("tcp:localhost", "tcp:HOST:PORT"),
        ("tcp::70", "tcp:HOST:PORT"),
        ("tcp:localhost:0", "1 to 65535"),
        ("tcp:localhost:70000", "1 to 65535"),
    ] {
        let message = parse(bad).unwrap_err();
        assert!(message.contains(bad) && message.contains(expected), "{message}");
    }
    assert_eq!(words("dir/my_bot", &[]).short_name(), "my_bot");
    assert_eq!(Address::Tcp("h:1".into()).short_name(), "h:1");
}

#[test]
fn names_are_made_fit_for_tables() {
    let name = |text: &str| protocol::name(text.as_bytes()).map_err(|fault| fault.kind);
    assert_eq!(name(r#"{"name":" a\tb\u001b[2J "}"#), Ok(Some("ab[2J".into())));
    assert_eq!(name(r#"{"name":"\n"}"#), Ok(None));
    assert_eq!(name(&format!(r#"{{"name":"{}"}}"#, "é".repeat(99))), Ok(Some("é".repeat(40))));
    assert_eq!(name("{}"), Err(FaultKind::Malformed));
}
