use super::*;
use doorcard_efg::EnumerableGame;
use doorcard_efg::conformance::{public_form_agrees, random_playouts};
use doorcard_games::stud::{Event, Next, Rules, State};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::HashSet;

/// Small games of every shape, with the stakes of the benchmark.
fn games() -> Vec<(&'static str, Rules)> {
    let game = |name, variant, [ranks, suits, streets, hand_cards, bet_cap]: [&str; 5]| {
        let config = Rules::named("stud_bench").unwrap().config();
        let settings = [
            ("burn", "false"),
            ("variant", variant),
            ("low_qualifier", if variant == "hilo8" { "2" } else { "8" }),
            ("ranks", ranks),
            ("suits", suits),
            ("streets", streets),
            ("hand_cards", hand_cards),
            ("bet_cap", bet_cap),
        ];
        let config = settings.iter().fold(config, |config, (key, value)| config.with(key, value).unwrap());
        (name, config.check(name).unwrap())
    };
    vec![
        game("two streets", "high", ["QKA", "cd", "[\"du\", \"u\"]", "2", "2"]),
        game("three streets", "high", ["JQKA", "cd", "[\"du\", \"u\", \"d\"]", "3", "1"]),
        game("a down card first", "high", ["JQKA", "cd", "[\"du\", \"d\", \"u\"]", "2", "1"]),
        game("two hole cards", "high", ["QKA", "cdh", "[\"ddu\"]", "2", "4"]),
        game("three down cards", "high", ["3A", "cdhs", "[\"ddu\", \"d\"]", "2", "1"]),
        game("split", "hilo8", ["A2K", "cd", "[\"du\", \"d\"]", "2", "2"]),
        game("razz", "razz", ["A2K", "cd", "[\"du\", \"u\"]", "2", "2"]),
    ]
}

fn public(rules: Rules, detail: HistoryDetail) -> PublicStud {
    PublicStud::new(StudTree::new(rules, detail).unwrap()).unwrap()
}

#[test]
fn both_forms_agree() {
    let mut rng = StdRng::seed_from_u64(1);
    for (_, rules) in games() {
        for detail in [HistoryDetail::Full, HistoryDetail::Counts] {
            let game = public(rules, detail);
            random_playouts(game.game(), 200, 40, &mut rng);
            for labels in ["lossless", "ranks", "QK"] {
                let infosets = LabelInfosets::new(&game, CardLabels::named(labels).unwrap());
                assert_eq!(infosets.root_outcomes().is_some(), labels == "lossless");
                public_form_agrees(game.game(), &infosets, &game, &infosets, &mut rng);
            }
        }
    }
}

/// What a player has observed: its seat, its down cards, the up cards of both, as labels, and who did what.
type Observed = (usize, [Vec<u8>; 3], Vec<Event>);

fn observe(state: &State, deal: &StudDeal, labels: &CardLabels, seen: &mut HashSet<Observed>) {
    let mut state = state.clone();
    loop {
        let card = match state.next() {
            Next::Down(seat) => deal.down[seat][state.down_cards(seat).len()],
            Next::Up(seat) => deal.up[seat][state.up_cards(seat).len()],
            _ => break,
        };
        state.deal(card).unwrap();
    }
    let Next::Act(seat) = state.next() else { return };
    let label = |cards: &[Card]| cards.iter().map(|card| labels.labels[card.index()]).collect::<Vec<_>>();
    let mut down = label(state.down_cards(seat));
    down[..state.rules().down_cards(Street::Third)].sort();
    let cards = [down, label(state.up_cards(seat)), label(state.up_cards(1 - seat))];
    seen.insert((seat, cards, state.history().to_vec()));
    for action in state.legal().unwrap().actions() {
        let mut next = state.clone();
        next.apply(action).unwrap();
        observe(&next, deal, labels, seen);
    }
}

/// With the whole betting kept, rows are what players can tell apart: counted by playing every deal on the engine.
#[test]
fn rows_are_as_many_as_observations() {
    for (name, rules) in games() {
        let game = public(rules, HistoryDetail::Full);
        for labels in ["lossless", "ranks", "QK"] {
            let infosets = LabelInfosets::new(&game, CardLabels::named(labels).unwrap());
            let start = State::new(&rules, &[rules.stack(); 2]).unwrap();
            let mut seen = HashSet::new();
            let mut dealt = HashSet::new();
            game.game().for_each_deal(&mut |deal, _| {
                // Deals that look the same to both players need not be played twice.
                let down = deal.down.map(|down| infosets.labels.of(&down));
                let up = deal.up.map(|up| infosets.labels.of(&up));
                if dealt.insert((down, up, deal.line.bring_in, deal.line.variant)) {
                    observe(&start, deal, &infosets.labels, &mut seen);
                }
            });
            assert_eq!(infosets.rows(), seen.len() as u64, "{name}, {labels}");
        }
    }
}

#[test]
fn rows_are_dense_and_in_order() {
    for (_, rules) in games() {
        let game = public(rules, HistoryDetail::Full);
        for labels in ["lossless", "ranks"] {
            let infosets = LabelInfosets::new(&game, CardLabels::named(labels).unwrap());
            let (mut next, mut rows) = (0, 0);
            infosets.for_each_row(&mut |slot, actions| {
                assert_eq!(slot, next);
                next += actions as u64;
                rows += 1;
            });
            assert_eq!((next, rows), (infosets.slots(), infosets.rows()));
            let Some(outcomes) = infosets.root_outcomes() else { continue };
            assert_eq!(outcomes.len(), rules.deck().len() * (rules.deck().len() - 1));
            assert_eq!((outcomes[0].start, outcomes[outcomes.len() - 1].end), (0, next));
            assert!(outcomes.windows(2).all(|pair| pair[0].end == pair[1].start && !pair[0].is_empty()));
        }
    }
}

#[test]
fn labels_by_name() {
    let label = |name: &str, cards: &str| {
        let cards = doorcard_cards::parse_cards(cards).unwrap();
        let labels = CardLabels::named(name).unwrap();
        assert_eq!(labels.name(), name);
        labels.of(&cards)
    };
    let same = |name: &str, cards: &str| label(name, cards).windows(2).all(|pair| pair[0] == pair[1]);
    assert!(same("ranks", "9c9d9h9s") && !same("ranks", "9cTc") && !same("lossless", "9c9d"));
    assert!(same("9T JQ KA", "9cTd") && same("9T JQ KA", "KcAd") && !same("9T JQ KA", "TcJd"));
    assert!(same("KQ", "QcKd") && same("KQ", "2c2d") && !same("KQ", "2c3d"));
    for (name, part) in [("", "groups of ranks"), ("rank", "rank"), ("9T T", "once"), ("1", "groups")] {
        let error = CardLabels::named(name).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let fingerprint = |name| CardLabels::named(name).unwrap().fingerprint();
    assert_eq!(fingerprint("lossless"), 0);
    assert_eq!(fingerprint("2 3"), fingerprint("ranks"));
    assert_eq!(fingerprint("KQ"), fingerprint("QK"));
    assert!(fingerprint("KQ") != fingerprint("ranks") && fingerprint("ranks") != 0);
}
