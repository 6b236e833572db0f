use super::*;
use doorcard_efg::EnumerableGame;
use doorcard_efg::conformance::{public_form_agrees, random_playouts};
use doorcard_games::stud::{DoubleBet, Event, Next, Rules, State, shows_pair};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::HashSet;

/// The two-player members of mini-stud with their numbers of infosets, as the engine counts them.
const MEMBERS: [(&str, u64); 5] = [
    ("mini_high", 29_520),
    ("mini_hilo", 255_456),
    ("mini_river", 52_416),
    ("mini_three", 942_528),
    ("mini_razz", 22_320),
];

/// Groups that merge two ranks of every game here.
const GROUPS: &str = "23T KJ QA";

/// Games of other shapes: two hole cards, three down cards, a down card before the second up card.
fn unusual_games() -> Vec<(&'static str, Rules)> {
    let game = |name, [ranks, suits, streets, bet_cap]: [&str; 4]| {
        let config = Rules::named("mini_high").unwrap().config();
        let settings = [("ranks", ranks), ("suits", suits), ("streets", streets), ("bet_cap", bet_cap)];
        let config = settings.iter().fold(config, |config, (key, value)| config.with(key, value).unwrap());
        (name, config.check(name).unwrap())
    };
    vec![
        game("two hole cards", ["QKA", "cdh", "[\"ddu\"]", "4"]),
        game("three down cards", ["3A", "cdhs", "[\"ddu\", \"d\"]", "1"]),
        game("a down card first", ["JQKA", "cd", "[\"du\", \"d\", \"u\"]", "1"]),
    ]
}

fn games() -> Vec<(&'static str, Rules)> {
    let members = MEMBERS.map(|(name, _)| (name, Rules::named(name).unwrap()));
    members.into_iter().chain(unusual_games()).collect()
}

fn public(rules: Rules, detail: HistoryDetail) -> PublicStud {
    PublicStud::new(StudTree::new(rules, detail).unwrap()).unwrap()
}

#[test]
fn both_forms_agree() {
    let mut rng = StdRng::seed_from_u64(1);
    for (_, rules) in games() {
        for (detail, all_labels) in
            [(HistoryDetail::Full, &["lossless", GROUPS][..]), (HistoryDetail::Counts, &["ranks"])]
        {
            let game = public(rules, detail);
            random_playouts(game.game(), 200, 40, &mut rng);
            for &labels in all_labels {
                let infosets = LabelInfosets::new(&game, CardLabels::named(labels).unwrap());
                assert_eq!(infosets.root_outcomes().is_some(), labels == "lossless");
                public_form_agrees(game.game(), &infosets, &game, &infosets, &mut rng);
            }
        }
    }
}

/// What a player has observed: its seat, its down cards, the up cards of both, as labels, whether the double bet is or
/// was open, and who did what.
type Observed = (usize, [Vec<u8>; 3], bool, Vec<Event>);

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
    let rules = state.rules();
    let fourth = rules.up_cards(Street::Fourth);
    let pair = |seat: usize| state.up_cards(seat).get(..fourth).is_some_and(shows_pair);
    let open =
        rules.double_bet() == DoubleBet::AnyPlayer && state.street() > Street::Third && (pair(0) || pair(1));
    seen.insert((seat, cards, open, state.history().to_vec()));
    for action in state.legal().unwrap().actions() {
        let mut next = state.clone();
        next.apply(action).unwrap();
        observe(&next, deal, labels, seen);
    }
}

#[test]
fn the_members_have_as_many_infosets_as_on_the_engine() {
    for (name, infosets) in MEMBERS {
        let game = public(Rules::named(name).unwrap(), HistoryDetail::Full);
        assert_eq!(LabelInfosets::new(&game, CardLabels::lossless()).rows(), infosets, "{name}");
    }
}

/// With the whole betting kept, rows are what players can tell apart: counted by playing every deal on the engine.
#[test]
fn rows_are_as_many_as_observations() {
    let mini_high = ("mini_high", Rules::named("mini_high").unwrap());
    for (name, rules) in unusual_games().into_iter().chain([mini_high]) {
        let game = public(rules, HistoryDetail::Full);
        for labels in ["lossless", GROUPS] {
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
