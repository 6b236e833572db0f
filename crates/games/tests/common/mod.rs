//! Random hands for the tests: seeded tables of every profile, seat count and stack, played at random.

use doorcard_efg::{Game, Turn};
use doorcard_games::stud::{Chips, PROFILES, Rules, ShuffledDeck, State, StudTable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::LazyLock;

/// Keys of a rules file and their values, from which random rules are drawn.
const CHOICES: [(&str, &[&str]); 16] = [
    ("uncapped_heads_up", &["false", "true"]),
    ("fold_unbet", &["refused", "allowed"]),
    ("short_all_in", &["half_bet", "full_raise"]),
    ("reopening", &["full_raise_faced", "pokerkit"]),
    ("short_bring_in", &["pay_full", "pay_short"]),
    ("tiny_completion", &["refused", "allowed"]),
    ("fourth_street_double_bet", &["any_player", "pair_holder", "off"]),
    ("exhausted_deck", &["burns_then_community", "community", "burns_and_folded_then_community"]),
    ("burn", &["true", "false"]),
    ("show_first", &["last_aggressor", "opener"]),
    ("muck", &["allowed", "never"]),
    ("tie_odd_chips", &["first_left", "one_each", "high_suit"]),
    ("merge_pots", &["false", "true"]),
    ("odd_chip", &["high_hand", "left_of_dealer"]),
    ("completion_size", &["whole", "over_bring_in"]),
    ("pot_limit_counts", &["side_pot", "all"]),
];

/// The profiles of the standard game: others need decks that serve all seats.
static STANDARD: LazyLock<Vec<(&str, Rules)>> = LazyLock::new(|| {
    let profiles = PROFILES.into_iter().map(|(name, _)| (name, Rules::named(name).unwrap()));
    profiles.filter(|(_, rules)| rules.is_standard()).collect()
});

/// A random table and a source of further chance.
pub(crate) fn random_table(seed: u64) -> (StudTable, Xoshiro256PlusPlus) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (name, rules) = STANDARD[rng.random_range(0..STANDARD.len())];
    let mut config = rules.config();
    let limit = config.bet_cap.is_some();
    for (key, values) in CHOICES {
        if rng.random_bool(0.5)
            && (limit || !["uncapped_heads_up", "fourth_street_double_bet"].contains(&key))
        {
            config = config.with(key, values[rng.random_range(0..values.len())]).unwrap();
        }
    }
    let rules = config.check(name).unwrap();
    let players = rng.random_range(2..=8);
    let depth = rng.random_range(0..4);
    let stacks: Vec<Chips> = (0..players)
        .map(|_| match if depth == 3 { rng.random_range(0..3) } else { depth } {
            0 => rng.random_range(1..=rules.ante() + rules.bring_in() + rules.small_bet()),
            1 => rng.random_range(1..=8 * rules.small_bet()),
            _ => rng.random_range(20..200) * rules.small_bet() + rng.random_range(0..3),
        })
        .collect();
    (StudTable::new(&rules, &stacks).unwrap(), rng)
}

/// How readily random players fold.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub(crate) fold: f64,
}

/// Plays a hand at random, calling `visit` before every action and at the end.
pub(crate) fn play(
    table: &StudTable,
    deck: &ShuffledDeck,
    style: Style,
    rng: &mut Xoshiro256PlusPlus,
    mut visit: impl FnMut(&State),
) -> State {
    let mut node = table.root(deck);
    let mut actions_left = 2_000;
    while let Turn::Decide { actions, .. } = table.turn(&node, deck) {
        visit(&node);
        let skip = usize::from(actions > 1 && node.legal().unwrap().fold && !rng.random_bool(style.fold));
        node = table.act(&node, deck, rng.random_range(skip..actions));
        actions_left -= 1;
        assert!(actions_left > 0, "the hand does not end");
    }
    visit(&node);
    node
}
