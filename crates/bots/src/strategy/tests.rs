use super::*;
use crate::by_name;
use doorcard_abstraction::{AbstractionConfig, BoardSituation};
use doorcard_cards::Card;
use doorcard_cfr::{TrainConfig, Trainer};
use doorcard_efg::{Game, Infosets, Turn};
use doorcard_eval::match_play::{MatchConfig, play};
use doorcard_games::stud::tree::StudDeal;
use doorcard_games::stud::{Next, State};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::PathBuf;
use tempfile::TempDir;

/// Four public buckets, by who shows the higher card and whether the player shows a pair; hands by their pairs and
/// by their highest card.
#[derive(Clone, Copy)]
pub(crate) struct Coarse {
    fingerprint: u64,
    /// Whether a board plays the mean of three public buckets.
    mixed: bool,
}

pub(crate) const COARSE: Coarse = Coarse { fingerprint: 77, mixed: false };

/// The same, between public buckets.
pub(crate) const MIXED: Coarse = Coarse { mixed: true, ..COARSE };

fn pairs(cards: CardSet) -> usize {
    let ranks: std::collections::BTreeSet<_> = cards.into_iter().map(|card| card.rank()).collect();
    cards.len() - ranks.len()
}

impl CardAbstraction for Coarse {
    fn public_buckets(&self, _: Street) -> usize {
        4
    }

    fn private_buckets(&self, _: Street) -> usize {
        16
    }

    fn public_bucket(&self, _: Street, own_up: &[Card], opponent_up: &[Card]) -> u16 {
        let higher = own_up.iter().max() > opponent_up.iter().max();
        u16::from(higher) + 2 * u16::from(pairs(CardSet::from(own_up)) > 0)
    }

    fn public_mix(&self, street: Street, own_up: &[Card], opponent_up: &[Card]) -> PublicMix {
        let own = self.public_bucket(street, own_up, opponent_up);
        let count = if self.mixed { 3 } else { 1 };
        PublicMix::nearest(count, (0..4).map(|public| f32::from(own ^ public)), 4.0)
    }

    fn private_bucket(&self, _: u16, situation: &Situation<'_>) -> u16 {
        let own = situation.own_down.union(CardSet::from(situation.own_up));
        let high = own.into_iter().map(|card| card.rank().index()).max().unwrap_or(0) / 4;
        (4 * pairs(own).min(3) + high) as u16
    }

    fn board(&self, board: &BoardSituation<'_>, private: &mut [u16]) -> u16 {
        let BoardSituation { street, own_up, opponent_up, hidden } = *board;
        let public = self.public_bucket(street, own_up, opponent_up);
        for (bucket, own_down) in private.iter_mut().zip(hidden.sets()) {
            let (river, dead) = (None, CardSet::EMPTY);
            let situation = Situation { street, own_down, river, own_up, opponent_up, dead };
            *bucket = self.private_bucket(public, &situation);
        }
        public
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

/// A strategy trained for `iterations` in a folder of its own.
pub(crate) fn trained(profile: &str, iterations: u64) -> (TempDir, PathBuf) {
    let game = StudTree::new(Rules::named(profile).unwrap(), HistoryDetail::Counts).unwrap();
    let infosets = StudInfosets::new(&game, COARSE);
    let config = TrainConfig { iterations, batch: 64, threads: 1, ..TrainConfig::default() };
    let mut trainer =
        Trainer::<_, _, f32>::new(&game, &infosets, subject(&game, "coarse", &COARSE), config).unwrap();
    for _ in 0..iterations / 64 {
        trainer.step();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.dcst");
    trainer.export(&path).unwrap();
    (folder, path)
}

pub(crate) fn open(
    path: &PathBuf,
    cards: Coarse,
    table: &StudTable,
) -> Result<StrategyPlayer<Coarse>, BotError> {
    StrategyPlayer::new(Strategy::open(path).unwrap(), cards, table)
}

pub(crate) fn table(profile: &str, players: usize) -> StudTable {
    StudTable::with_players(&Rules::named(profile).unwrap(), players).unwrap()
}

/// Plays the cards of a deal in the engine. `choose` is given what the seat to act sees, and ends the hand with `None`.
pub(crate) fn in_the_engine(
    game: &StudTree,
    deal: &StudDeal,
    mut choose: impl FnMut(&SeatView<'_>) -> Option<usize>,
) {
    let mut state = State::new(game.rules(), &[game.rules().stack(); 2]).unwrap();
    let used: CardSet = deal.down.iter().flatten().chain(deal.up.iter().flatten()).copied().collect();
    loop {
        match state.next() {
            Next::Down(seat) => {
                let card = deal.down[seat][state.down_cards(seat).len()];
                state.deal(card).unwrap();
            }
            Next::Up(seat) => {
                let card = deal.up[seat][state.up_cards(seat).len()];
                state.deal(card).unwrap();
            }
            Next::Burn => {
                let burn = used.complement().intersection(state.deck()).into_iter().next().unwrap();
                state.deal(burn).unwrap();
            }
            Next::Board => panic!("two players do not exhaust a deck"),
            Next::Over => return,
            Next::Act(seat) => {
                let view = SeatView::new(&state, seat);
                let Some(action) = choose(&view) else { return };
                let chosen = view.actions()[action];
                state.apply(chosen).unwrap();
            }
        }
    }
}

/// At every decision of random hands, the engine's view leads to the row that training used.
#[test]
fn finds_the_rows_that_were_trained() {
    let (_folder, path) = trained("stud_bench", 64);
    let player = open(&path, COARSE, &table("stud_bench", 2)).unwrap();
    let (game, infosets) = (&player.game, player.infosets());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    for _ in 0..300 {
        let deal = game.deal(&mut rng);
        let view = infosets.view(game, &deal);
        let mut node = game.root(&deal);
        in_the_engine(game, &deal, |seen| {
            let Turn::Decide { player: mover, actions } = game.turn(&node, &deal) else {
                panic!("the tree's hand is over")
            };
            let place = player.place(seen);
            let slot = infosets.slot_of(place.street, (place.publics.first(), place.private), place.position);
            assert_eq!(
                (mover, actions, slot),
                (seen.seat(), seen.actions().len(), infosets.slot(&view, &node, seen.seat()))
            );
            let action = rng.random_range(0..actions);
            node = game.act(&node, &deal, action);
            Some(action)
        });
        assert_eq!(game.turn(&node, &deal), Turn::Over);
    }
}

/// Even a few seconds of training with a crude abstraction beat players that do not look at their cards.
#[test]
fn training_wins() {
    let (_folder, path) = trained("stud_bench", 30_000);
    let table = table("stud_bench", 2);
    for other in ["uniform", "call", "raise"] {
        let player = open(&path, COARSE, &table).unwrap();
        let opponent = by_name(other, table.rules()).unwrap();
        let config = MatchConfig { deals: 4000, seed: 4, threads: None };
        let result = play(&table, &[&player, &*opponent], &config, &mut ()).unwrap().agents[0];
        assert!(result.mean > 4.0 * result.std_error(), "{other}: {}", result.scaled(10.0));
        let decisions = player.decisions();
        assert!(decisions.total() > 8000 && decisions.fallback_rate() < 0.1, "{other}: {decisions:?}");
    }
}

#[test]
fn untrained_rows_borrow_from_their_neighbours() {
    let (_folder, path) = trained("stud_bench", 640);
    let table = table("stud_bench", 2);
    let player = open(&path, COARSE, &table).unwrap();
    let config = MatchConfig { deals: 500, seed: 4, threads: None };
    play(&table, &[&player, &player], &config, &mut ()).unwrap();
    let Decisions { average, regret, neighbour, uniform } = player.decisions();
    assert!(average > 0 && regret > 0 && neighbour > 0 && uniform > 0, "{:?}", player.decisions());
    assert!(player.decisions().fallback_rate() > 0.02);

    // Whatever stands in for a row is a distribution.
    let infosets = player.infosets();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut row = [0.0; MAX_ACTIONS];
    for_each_row(&player, PublicMix::one(3), &mut rng, |place, actions| {
        let drawn = player.probabilities(place, &mut row[..actions]);
        assert!((row[..actions].iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let slot = infosets.slot_of(place.street, (3, place.private), place.position);
        let own = player.strategy.row(slot, &mut [0.0; 8][..actions]);
        assert_eq!(own == Source::Untouched, matches!(drawn, Drawn::Neighbour | Drawn::Uniform));
    });
}

/// The place of every hand at the decisions of random play, and how many actions there are.
fn for_each_row(
    player: &StrategyPlayer<Coarse>,
    publics: PublicMix,
    rng: &mut Xoshiro256PlusPlus,
    mut f: impl FnMut(&Place, usize),
) {
    let game = player.game();
    for _ in 0..300 {
        let deal = game.deal(rng);
        let mut position = game.root(&deal);
        while let Turn::Decide { actions, .. } = game.turn(&position, &deal) {
            let street = game.tree().street(position);
            (0..16).for_each(|private| f(&Place { street, publics, private, position }, actions));
            position = game.act(&position, &deal, rng.random_range(0..actions));
        }
    }
}

/// Public bucket 3 with a fifth of 1: where both were trained, the mean of their strategies; where one was, that one's.
#[test]
fn a_mix_of_public_buckets_plays_the_mean_of_their_strategies() {
    let (_folder, path) = trained("stud_bench", 640);
    let player = open(&path, COARSE, &table("stud_bench", 2)).unwrap();
    let infosets = player.infosets();
    let publics = PublicMix::nearest(2, [1e9, 3.5, 1e9, 1.5].into_iter(), 5.0);
    let weights: Vec<(u16, f64)> = publics.iter().collect();
    assert_eq!((weights[0].0, weights[1].0), (3, 1));
    assert!((weights[0].1 - 0.8).abs() < 1e-6, "{weights:?}");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut met = [0; 4];
    for_each_row(&player, publics, &mut rng, |place, actions| {
        let mut rows = [[0.0; MAX_ACTIONS]; 3];
        let [mixed, near, far] = &mut rows;
        let drawn = player.probabilities(place, &mut mixed[..actions]);
        let row = |public, out: &mut [f64]| {
            let slot = infosets.slot_of(place.street, (public, place.private), place.position);
            player.strategy.row(slot, out) == Source::Average
        };
        let trained = (row(3, &mut near[..actions]), row(1, &mut far[..actions]));
        let of_near = match trained {
            (true, true) => 0.8,
            (true, false) => 1.0,
            (false, true) => 0.0,
            (false, false) => {
                assert_ne!(drawn, Drawn::Average, "{trained:?}");
                met[3] += 1;
                return;
            }
        };
        assert_eq!(drawn, if trained.0 { Drawn::Average } else { Drawn::Neighbour });
        met[(of_near * 2.0) as usize] += 1;
        for action in 0..actions {
            let mean = of_near * near[action] + (1.0 - of_near) * far[action];
            assert!((mixed[action] - mean).abs() < 1e-6, "{trained:?} {rows:?}");
        }
    });
    assert!(met.iter().all(|&times| times > 0), "{met:?}");
}

#[test]
fn other_games_are_refused_by_name() {
    let (folder, path) = trained("stud_bench", 64);
    let refusal = |cards, table: &StudTable| {
        let message = open(&path, cards, table).err().expect("a refusal").to_string();
        message.replace(folder.path().to_str().unwrap(), "")
    };
    assert_eq!(
        refusal(COARSE, &table("stud_bench_nodouble", 2)),
        "/small.dcst: trained with fourth_street_double_bet = \"any_player\", but the table has \
         fourth_street_double_bet = \"off\""
    );
    assert!(refusal(COARSE, &table("razz", 2)).contains("variant = \"razz\""));
    assert!(refusal(COARSE, &table("stud_hilo8_no_limit", 2)).starts_with("/small.dcst: trained with "));
    assert_eq!(
        refusal(COARSE, &table("stud_bench", 3)),
        "/small.dcst: a strategy for two seats at a table of 3"
    );
    let short = StudTable::new(&Rules::named("stud_bench").unwrap(), &[10_000, 3600]).unwrap();
    assert_eq!(
        refusal(COARSE, &short),
        "/small.dcst: trained for stacks of 3625 chips or more, but the table has one of 3600"
    );
    let other = refusal(Coarse { fingerprint: 78, ..COARSE }, &table("stud_bench", 2));
    assert!(other.contains("made for the abstraction 'coarse' (000000000000004d)"), "{other}");
    // Deeper stacks make no difference.
    let deep = StudTable::new(&Rules::named("stud_bench").unwrap(), &[20_000, 3625]).unwrap();
    assert!(open(&path, COARSE, &deep).is_ok());
}

/// With the shipped abstraction, from files: found side by side, and refused when one of them is missing or another's.
#[test]
fn opens_files_side_by_side() {
    let rules = Rules::named("stud_bench").unwrap();
    let build = |seed: u64| {
        let text = AbstractionConfig::named("tiny").unwrap().to_toml();
        let text = text.lines().filter(|line| !line.starts_with("seed")).collect::<Vec<_>>().join("\n");
        let config = AbstractionConfig::from_toml(&format!("seed = {seed}\n{text}"), "test").unwrap();
        Abstraction::build(&config, &rules, &mut |_, _| {})
    };
    let (cards, other) = (build(1), build(2));
    let game = StudTree::new(rules, HistoryDetail::Counts).unwrap();
    let infosets = StudInfosets::new(&game, &cards);
    let config = TrainConfig { iterations: 640, batch: 64, threads: 1, ..TrainConfig::default() };
    let subject = subject(&game, "tiny", &cards);
    let mut trainer = Trainer::<_, _, f32>::new(&game, &infosets, subject, config).unwrap();
    (0..10).for_each(|_| trainer.step());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("strategy.dcst");
    trainer.export(&path).unwrap();

    let table = table("stud_bench", 2);
    let missing = StrategyPlayer::open(&path, &table).err().unwrap().to_string();
    assert!(missing.contains(ABSTRACTION_FILE), "{missing}");
    other.save(folder.path().join(ABSTRACTION_FILE)).unwrap();
    let mismatch = StrategyPlayer::open(&path, &table).err().unwrap().to_string();
    assert!(mismatch.contains("made for the abstraction 'tiny'"), "{mismatch}");
    cards.save(folder.path().join(ABSTRACTION_FILE)).unwrap();
    let player = StrategyPlayer::open(&path, &table).unwrap();
    assert_eq!(player.name(), "strategy");

    let config = MatchConfig { deals: 200, seed: 4, threads: None };
    play(&table, &[&player, &*by_name("rock", table.rules()).unwrap()], &config, &mut ()).unwrap();
    assert!(player.decisions().average > 0, "{:?}", player.decisions());
}

#[test]
fn draws_follow_the_probabilities() {
    let row = [0.25, 0.0, 0.5, 0.25];
    let at = |luck| draw(&row, luck);
    assert_eq!([at(0.0), at(0.2499), at(0.25), at(0.7499), at(0.75), at(0.9999)], [0, 0, 2, 2, 3, 3]);
    assert_eq!(draw(&[0.5, 0.499_999_999, 0.0], 0.999_999_999_9), 1);
}

/// A strategy that knows no double bet plays at a table that has it: as it would have played had every double bet been a
/// plain one, and never makes one itself.
#[test]
fn a_translated_strategy_takes_double_bets_for_bets() {
    let (folder, path) = trained("stud_bench_nodouble", 4_096);
    let without = Strategy::open(&path).unwrap();
    let rules = Rules::named("stud_bench").unwrap();
    let translated = folder.path().join("translated.dcst");
    translate(&without, &COARSE, ("stud_bench", &rules), &translated).unwrap();
    let player = open(&translated, COARSE, &table("stud_bench", 2)).unwrap();
    let plain = open(&path, COARSE, &table("stud_bench_nodouble", 2)).unwrap();
    let (game, own) = (player.game(), plain.game());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let (mut doubled, mut rows) = (0, 0);
    for _ in 0..3_000 {
        let deal = game.deal(&mut rng);
        let (mut at, mut known) = (game.tree().root(), own.tree().root());
        let line = own.deal_of(deal.down, deal.up).line;
        while let doorcard_games::stud::tree::Turn::Decide { role, actions } = game.tree().turn(at) {
            let seat = deal.line.role(role);
            let street = game.tree().street(at);
            let (own_up, opponent_up) = (game.up(&deal, seat, street), game.up(&deal, 1 - seat, street));
            let own_down = game.down(&deal, seat, street).iter().copied().collect();
            let (river, dead) = (None, CardSet::EMPTY);
            let situation = Situation { street, own_down, river, own_up, opponent_up, dead };
            let publics = COARSE.public_mix(street, own_up, opponent_up);
            let hand = (publics, COARSE.private_bucket(publics.first(), &situation));
            let (mut row, mut expected) = ([0.0; MAX_ACTIONS], [0.0; MAX_ACTIONS]);
            let menus = [game.tree().actions(at), own.tree().actions(known)];
            let [row, expected] =
                [(&mut row, menus[0]), (&mut expected, menus[1])].map(|(row, menu)| &mut row[..menu.len()]);
            let drawn = probabilities(player.strategy(), &player.infosets(), street, hand, at, row);
            let plainly = probabilities(plain.strategy(), &plain.infosets(), street, hand, known, expected);
            if drawn != Drawn::Uniform && drawn != Drawn::Neighbour {
                assert_eq!(drawn, plainly);
                assert_eq!(row[..expected.len()], *expected, "{street:?}");
                assert!(row[expected.len()..].iter().all(|&p| p == 0.0), "{row:?}");
                rows += 1;
            }
            doubled += usize::from(actions > menus[1].len());
            let action = rng.random_range(0..actions);
            at = game.tree().act(at, &deal.line, action);
            known = own.tree().act(known, &line, action.min(menus[1].len() - 1));
        }
    }
    assert!(rows > 3_000 && doubled > 100, "{rows} rows, {doubled} with two sizes");
    let (before, after) = (without.header(), player.strategy().header());
    assert!(after.rows > before.rows && after.state == before.state);
    assert!(after.subject.abstraction.contains("translated to stud_bench"), "{}", after.subject.abstraction);
}

#[test]
fn translation_is_of_the_double_bet_alone() {
    let (folder, path) = trained("stud_bench_nodouble", 64);
    let strategy = Strategy::open(&path).unwrap();
    let rules = Rules::named("razz").unwrap();
    let error = translate(&strategy, &COARSE, ("razz", &rules), &folder.path().join("x.dcst")).unwrap_err();
    assert!(matches!(error, BotError::OtherRules { .. }), "{error}");
}
