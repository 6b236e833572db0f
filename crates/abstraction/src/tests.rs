//! What every abstraction must do, for each game and family.

use crate::private::PercentileStreet;
use crate::reader::{Reader, Showing};
use crate::scale::tests::scale;
use crate::sets::tests::own_sets;
use crate::{
    Abstraction, AbstractionConfig, AbstractionError, BoardBuckets, BoardSituation, CardAbstraction,
    DealBuckets, Family, Hidden, Recall, Situation, against::Against,
};
use doorcard_cards::rank7::HandKey;
use doorcard_cards::{Card, CardSet, Deck, Suit, low, rank7};
use doorcard_games::stud::{Rules, Street, Variant};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::LazyLock;

const VARIANTS: [Variant; 3] = [Variant::High, Variant::HiLo8, Variant::Razz];
const FAMILIES: [Family; 4] = [Family::Percentile, Family::Kmeans, Family::Ochs, Family::Rank];

fn config(family: Family, dead_cards: bool) -> AbstractionConfig {
    let (name, spread) = match family {
        Family::Percentile => ("percentile", ", spread = 2"),
        Family::Kmeans => ("kmeans", ""),
        Family::Ochs => ("ochs", ""),
        Family::Rank => ("rank", ", spread = 3"),
    };
    let (private_samples, boards, neighbours) = match family {
        Family::Rank => ("", "relative", 3),
        _ => (", private = 3000", "absolute", 1),
    };
    let street = |name: &str| format!("{name} = {{ public = 5, private = 6{spread} }}\n");
    let text = format!(
        "family = \"{name}\"\nboards = \"{boards}\"\nneighbours = {neighbours}\nseed = 3\ndead_cards = {dead_cards}\nrounds = 10\n\
         samples = {{ public = 1000{private_samples} }}\n{}{}{}{}seventh = {{ private = 6 }}\n",
        street("third"),
        street("fourth"),
        street("fifth"),
        street("sixth"),
    );
    AbstractionConfig::from_toml(&text, "test").unwrap()
}

fn reader(variant: Variant, dead_cards: bool) -> Reader {
    Reader { scale: scale(variant).clone(), sets: own_sets(variant).clone(), dead_cards, clusters: 8 }
}

fn show(reader: &Reader, up: CardSet, dead: CardSet) -> Showing {
    let mut showing = Showing::new();
    reader.show(&mut showing, up, dead);
    showing
}

fn build(variant: Variant, family: Family, dead_cards: bool) -> Abstraction {
    Abstraction::from_reader(&config(family, dead_cards), reader(variant, dead_cards), &mut |_, _| {})
}

/// Small abstractions of all kinds, shared by the tests.
fn abstraction(variant: Variant, family: Family) -> &'static Abstraction {
    static ALL: LazyLock<Vec<Abstraction>> = LazyLock::new(|| {
        VARIANTS.iter().flat_map(|&variant| FAMILIES.map(|family| build(variant, family, true))).collect()
    });
    &ALL[variant as usize * FAMILIES.len() + family as usize]
}

/// One with perfect recall for each family, each of another game.
fn perfect() -> &'static [Abstraction; 3] {
    static PERFECT: LazyLock<[Abstraction; 3]> = LazyLock::new(|| {
        [(Variant::High, "percentile"), (Variant::Razz, "kmeans"), (Variant::HiLo8, "ochs")].map(
            |(variant, family)| {
                let text = format!(
                    "family = \"{family}\"\nrecall = \"perfect\"\nseed = 4\nrounds = 10\n\
                     samples = {{ public = 1000, private = 6000 }}\nthird = {{ public = 3, private = 4 }}\n\
                     fourth = {{ public = 2, private = 3 }}\nfifth = {{ public = 2, private = 3 }}\n\
                     sixth = {{ public = 2, private = 2 }}\nseventh = {{ private = 4 }}\n"
                );
                let config = AbstractionConfig::from_toml(&text, "test").unwrap();
                Abstraction::from_reader(&config, reader(variant, true), &mut |_, _| {})
            },
        )
    });
    &PERFECT
}

pub(crate) fn all() -> impl Iterator<Item = &'static Abstraction> {
    let imperfect =
        VARIANTS.into_iter().flat_map(|variant| FAMILIES.map(|family| abstraction(variant, family)));
    imperfect.chain(perfect())
}

fn rules(variant: Variant) -> Rules {
    Rules::named(match variant {
        Variant::High => "stud_high",
        Variant::HiLo8 => "stud_hilo8",
        Variant::Razz => "razz",
    })
    .unwrap()
}

fn cards(text: &str) -> Vec<Card> {
    doorcard_cards::parse_cards(text).unwrap()
}

fn set(text: &str) -> CardSet {
    text.parse().unwrap()
}

struct Deal {
    down: [[Card; 2]; 2],
    up: [[Card; 4]; 2],
    river: [Card; 2],
}

fn deal(rng: &mut Xoshiro256PlusPlus) -> Deal {
    let mut deck = Deck::new();
    let c = deck.deal(14, rng);
    Deal {
        down: [[c[0], c[1]], [c[2], c[3]]],
        up: [[c[4], c[5], c[6], c[7]], [c[8], c[9], c[10], c[11]]],
        river: [c[12], c[13]],
    }
}

/// The buckets of a deal by one look-up for each.
fn one_by_one(abstraction: &Abstraction, deal: &Deal) -> DealBuckets {
    struct Plain<'a>(&'a Abstraction);
    impl CardAbstraction for Plain<'_> {
        fn public_buckets(&self, street: Street) -> usize {
            self.0.public_buckets(street)
        }
        fn private_buckets(&self, street: Street) -> usize {
            self.0.private_buckets(street)
        }
        fn public_bucket(&self, street: Street, own_up: &[Card], opponent_up: &[Card]) -> u16 {
            self.0.public_bucket(street, own_up, opponent_up)
        }
        fn private_bucket(&self, public: u16, situation: &Situation<'_>) -> u16 {
            self.0.private_bucket(public, situation)
        }
        fn board(&self, board: &BoardSituation<'_>, private: &mut [u16]) -> u16 {
            self.0.board(board, private)
        }
        fn fingerprint(&self) -> u64 {
            self.0.fingerprint()
        }
    }
    Plain(abstraction).buckets_for_deal(&deal.down, &deal.up, &deal.river)
}

#[test]
fn a_whole_board_agrees_with_single_hands() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let blind = FAMILIES.map(|family| build(Variant::HiLo8, family, false));
    let mut abstractions: Vec<&Abstraction> = all().collect();
    abstractions.extend(&blind);
    for abstraction in abstractions {
        for round in 0..3 {
            let deal = deal(&mut rng);
            for street in Street::ALL {
                let (own_up, opponent_up) =
                    (&deal.up[0][..street.up_cards()], &deal.up[1][..street.up_cards()]);
                let shown = CardSet::from(own_up).union(CardSet::from(opponent_up));
                let perfect = abstraction.config().recall() == Recall::Perfect;
                let hidden = match (street, round) {
                    (Street::Seventh, 0) if !perfect => Hidden::Triples { from: shown.complement() },
                    (Street::Seventh, _) => Hidden::PairsAndRiver {
                        from: shown.with(deal.river[0]).complement(),
                        river: deal.river[0],
                    },
                    _ => Hidden::Pairs { from: shown.complement() },
                };
                let mut private = vec![0; hidden.len()];
                let board = BoardSituation { street, own_up, opponent_up, hidden };
                let public = abstraction.board(&board, &mut private);
                assert_eq!(public, abstraction.public_bucket(street, own_up, opponent_up));
                for (own_down, bucket) in hidden.sets().into_iter().zip(private) {
                    let dead = CardSet::EMPTY;
                    let river = match hidden {
                        Hidden::PairsAndRiver { river, .. } => Some(river),
                        _ => None,
                    };
                    let situation = Situation { street, own_down, river, own_up, opponent_up, dead };
                    assert_eq!(
                        bucket,
                        abstraction.private_bucket(public, &situation),
                        "{street:?} {situation:?}"
                    );
                }
            }
        }
    }
}

/// Both players, all streets, against single hands.
fn check_sampled_board(abstraction: &Abstraction, deal: &Deal, buckets: &mut BoardBuckets) {
    abstraction.sampled_board(&deal.up, &deal.river, buckets);
    let seen: CardSet = deal.up.iter().flatten().chain(&deal.river).copied().collect();
    let pairs = Hidden::Pairs { from: seen.complement() }.sets();
    for player in 0..2 {
        for street in Street::ALL {
            let own_up = &deal.up[player][..street.up_cards()];
            let opponent_up = &deal.up[1 - player][..street.up_cards()];
            let public = buckets.public[player][street.index()];
            assert_eq!(public, abstraction.public_bucket(street, own_up, opponent_up));
            let private = &buckets.private[player][street.index()];
            assert_eq!(private.len(), 861);
            for (&pair, &bucket) in pairs.iter().zip(private) {
                let river = (street == Street::Seventh).then_some(deal.river[player]);
                let own_down = pair.into_iter().chain(river).collect();
                let dead = CardSet::EMPTY;
                let situation = Situation { street, own_down, river, own_up, opponent_up, dead };
                assert_eq!(bucket, abstraction.private_bucket(public, &situation), "{situation:?}");
            }
        }
    }
}

#[test]
fn a_sampled_board_agrees_with_single_hands() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    let blind: Vec<Abstraction> =
        VARIANTS.iter().flat_map(|&variant| FAMILIES.map(|family| build(variant, family, false))).collect();
    // Up cards with three and four of a suit, with pairs and trips, and with the opponent's of the same suit.
    let fixed = [
        ("AhKh9h2h", "Qs7h6h2d", "Th3c"),
        ("7s6s5s4d", "8s9sTsJs", "3s2s"),
        ("AcAdAh2c", "KcKdKhQc", "AsKs"),
        ("2c3d4h5s", "6c7d8h9s", "TcJd"),
    ];
    let mut buckets = BoardBuckets::default();
    let mut abstractions: Vec<&Abstraction> = all().collect();
    abstractions.extend(&blind);
    for abstraction in abstractions {
        for (own, opponent, river) in fixed {
            let four = |text: &str| cards(text).try_into().expect("four cards");
            let river = cards(river).try_into().expect("two cards");
            // Nobody's hidden cards matter.
            let deal = Deal { down: [river; 2], up: [four(own), four(opponent)], river };
            check_sampled_board(abstraction, &deal, &mut buckets);
        }
        check_sampled_board(abstraction, &deal(&mut rng), &mut buckets);
    }
}

#[test]
fn a_whole_deal_agrees_with_single_hands() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for abstraction in all() {
        for _ in 0..100 {
            let deal = deal(&mut rng);
            let buckets = abstraction.buckets_for_deal(&deal.down, &deal.up, &deal.river);
            assert_eq!(buckets, one_by_one(abstraction, &deal));
            for street in Street::ALL {
                for player in buckets {
                    let (public, private) = player[street.index()];
                    assert!(usize::from(public) < abstraction.public_buckets(street));
                    assert!(usize::from(private) < abstraction.private_buckets(street));
                }
            }
        }
    }
}

/// With public recall, boards that are told apart once are told apart ever after, and hands are not.
#[test]
fn public_recall_remembers_earlier_boards() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    for family in [Family::Rank, Family::Percentile] {
        let toml = config(family, true).to_toml();
        let text =
            toml.replace("recall = \"imperfect\"", "recall = \"public\"").replace("neighbours = 3\n", "");
        let config = AbstractionConfig::from_toml(&text, "test").unwrap();
        assert_eq!(
            Street::ALL.map(|street| config.buckets(street)),
            [(5, 6), (25, 6), (125, 6), (625, 6), (625, 6)]
        );
        let abstraction = Abstraction::from_reader(&config, reader(Variant::High, true), &mut |_, _| {});
        let mut buckets = BoardBuckets::default();
        for _ in 0..50 {
            let deal = deal(&mut rng);
            for hand in one_by_one(&abstraction, &deal) {
                let public = hand.map(|(public, _)| public);
                assert_eq!(public[4], public[3]);
                assert!((0..3).all(|street| public[street + 1] / 5 == public[street]), "{public:?}");
            }
            assert_eq!(
                abstraction.buckets_for_deal(&deal.down, &deal.up, &deal.river),
                one_by_one(&abstraction, &deal)
            );
        }
        check_sampled_board(&abstraction, &deal(&mut rng), &mut buckets);
    }
}

/// With perfect recall, what is told apart once is told apart ever after; without, it is not.
#[test]
fn perfect_recall_remembers_all_earlier_buckets() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    for (abstraction, remembers) in
        perfect().iter().map(|a| (a, true)).chain(FAMILIES.map(|f| (abstraction(Variant::High, f), false)))
    {
        type Bucket = (u16, u16);
        let mut seen: [HashMap<Bucket, Vec<Bucket>>; 5] = Default::default();
        let (mut again, mut forgot) = (0, 0);
        for _ in 0..1500 {
            for hand in one_by_one(abstraction, &deal(&mut rng)) {
                for street in 1..5 {
                    match seen[street].entry(hand[street]) {
                        Entry::Occupied(before) => {
                            again += 1;
                            forgot += usize::from(before.get()[..] != hand[..street]);
                        }
                        Entry::Vacant(new) => drop(new.insert(hand[..street].to_vec())),
                    }
                }
            }
        }
        assert!(again > 1000, "{again}");
        assert_eq!(forgot == 0, remembers, "{forgot} of {again}");
    }
}

/// With perfect recall the order of the up cards and the river matter, however the hand ends.
#[test]
fn perfect_recall_tells_the_river_from_first_cards() {
    let abstraction = &perfect()[0];
    let (own_up, opponent_up) = (cards("9c7d4h2s"), cards("Td8s5c3h"));
    let public = abstraction.public_bucket(Street::Seventh, &own_up, &opponent_up);
    let bucket = |river: &str| {
        let (street, river) = (Street::Seventh, Some(river.parse().unwrap()));
        let (own_down, dead) = (set("AsAd6h"), CardSet::EMPTY);
        let situation =
            Situation { street, own_down, river, own_up: &own_up, opponent_up: &opponent_up, dead };
        abstraction.private_bucket(public, &situation)
    };
    assert!(bucket("6h") > bucket("As"));
    assert_eq!(bucket("Ad"), bucket("As"));
}

#[test]
#[should_panic(expected = "was dealt last on seventh street")]
fn perfect_recall_must_know_the_river() {
    let (street, own_down, dead) = (Street::Seventh, set("AsAd6h"), CardSet::EMPTY);
    let (own_up, opponent_up) = (&cards("9c7d4h2s")[..], &cards("Td8s5c3h")[..]);
    perfect()[0].private_bucket(0, &Situation { street, own_down, river: None, own_up, opponent_up, dead });
}

#[test]
fn suits_have_no_names_and_cards_no_order() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for abstraction in all() {
        for _ in 0..150 {
            let deal = deal(&mut rng);
            let mut map = [0, 1, 2, 3].map(Suit::new);
            (1..4).for_each(|i| map.swap(i, rng.random_range(0..=i)));
            let relabel = |card: Card| Card::new(card.rank(), map[card.suit().index()]);
            let relabelled = Deal {
                down: deal.down.map(|[a, b]| [relabel(b), relabel(a)]),
                up: deal.up.map(|up| up.map(relabel)),
                river: deal.river.map(relabel),
            };
            let buckets = abstraction.buckets_for_deal(&deal.down, &deal.up, &deal.river);
            let again = abstraction.buckets_for_deal(&relabelled.down, &relabelled.up, &relabelled.river);
            assert_eq!(buckets, again);
            let seats_swapped = abstraction.buckets_for_deal(
                &[deal.down[1], deal.down[0]],
                &[deal.up[1], deal.up[0]],
                &[deal.river[1], deal.river[0]],
            );
            assert_eq!([buckets[1], buckets[0]], seats_swapped);
        }
    }
}

/// The nearest public bucket is the one of the board; the others are nearer than the rest, and all give a hand the same
/// private bucket.
#[test]
fn a_board_is_a_mix_of_the_public_buckets_near_it() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let mut several = 0;
    for abstraction in all() {
        let count = abstraction.config().neighbours();
        for _ in 0..20 {
            let deal = deal(&mut rng);
            for street in Street::ALL {
                let (own_up, opponent_up) =
                    (&deal.up[0][..street.up_cards()], &deal.up[1][..street.up_cards()]);
                let mix = abstraction.public_mix(street, own_up, opponent_up);
                assert_eq!(mix.first(), abstraction.public_bucket(street, own_up, opponent_up));
                let parts: Vec<(u16, f64)> = mix.iter().collect();
                assert_eq!(parts.len(), count.min(abstraction.public_buckets(street)));
                assert!((parts.iter().map(|part| part.1).sum::<f64>() - 1.0).abs() < 1e-6);
                assert!(parts.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{parts:?}");
                if count > 1 {
                    let down = if street == Street::Seventh { 3 } else { 2 };
                    let own_down = deal.down[0].iter().chain(&deal.river[..1]).take(down).copied().collect();
                    let river = (street == Street::Seventh).then_some(deal.river[0]);
                    let dead = CardSet::EMPTY;
                    let situation = Situation { street, own_down, river, own_up, opponent_up, dead };
                    let private = |public| abstraction.private_bucket(public, &situation);
                    assert!(parts.iter().all(|part| private(part.0) == private(mix.first())));
                    several += parts.len() - 1;
                }
            }
        }
    }
    assert!(several > 500);
}

/// Public and private buckets are made of the opponent's up cards and nothing else of the opponent's.
#[test]
fn the_opponents_hidden_cards_change_nothing() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    for abstraction in all() {
        for _ in 0..20 {
            let mut deal = deal(&mut rng);
            let before = abstraction.buckets_for_deal(&deal.down, &deal.up, &deal.river)[0];
            let [a, b] = deal.down[1];
            (deal.down[1], deal.river[1]) = ([b, deal.river[1]], a);
            assert_eq!(abstraction.buckets_for_deal(&deal.down, &deal.up, &deal.river)[0], before);
        }
    }
}

#[test]
fn a_flush_draw_without_its_suit_is_none() {
    // Four hearts after sixth street. Eight other cards were seen: hearts, or the same ranks of other suits.
    let (own_up, opponent_up) = (cards("Th7h6h3s"), cards("9c5d3d2s"));
    let bucket = |abstraction: &Abstraction, dead: &str| {
        let (street, own_down, dead) = (Street::Sixth, set("KhQd"), set(dead));
        let situation =
            Situation { street, own_down, river: None, own_up: &own_up, opponent_up: &opponent_up, dead };
        abstraction.private_bucket(0, &situation)
    };
    let sizes = ["third", "fourth", "fifth", "sixth"]
        .map(|name| format!("{name} = {{ public = 1, private = 12 }}\n"));
    let build = |family: &str, dead_cards: bool| {
        let text = format!(
            "family = \"{family}\"\nseed = 1\ndead_cards = {dead_cards}\nsamples = {{ public = 100, private = 2000 }}\n\
             {}seventh = {{ private = 12 }}",
            sizes.concat()
        );
        let config = AbstractionConfig::from_toml(&text, "test").unwrap();
        Abstraction::from_reader(&config, reader(Variant::High, dead_cards), &mut |_, _| {})
    };
    for family in ["percentile", "kmeans", "ochs"] {
        let aware = build(family, true);
        let (live, dead) = (bucket(&aware, "2d4c5c8d9dJdQcAd"), bucket(&aware, "2h4h5h8h9hJhQhAh"));
        assert!(live > dead, "{family}: {live} {dead}");
        let blind = build(family, false);
        assert_eq!(bucket(&blind, "2d4c5c8d9dJdQcAd"), bucket(&blind, "2h4h5h8h9hJhQhAh"));
    }
    // The points themselves: half of the fifth-street draw's flushes are gone with four of the suit.
    let reader = reader(Variant::High, true);
    let mut against = Against::new();
    reader.read::<PercentileStreet>(&mut against, &show(&reader, set("2c4c8c"), CardSet::EMPTY));
    let mean = |dead: &str| {
        reader.point::<PercentileStreet>(Street::Fifth, set("KhTh7h6hQd"), set(dead), &against).0
    };
    let share = |dead: &str| f64::from(mean(dead)) / f64::from(mean("2c4c8cJc"));
    assert!(share("2h4h8hJh") < 0.85 && share("2h4h8hJh3h5h9hAh") < 0.7);
}

/// E\[HS\] against the share of the pot won in dealt-out hands. The reader does not take the player's hidden
/// cards out of what the opponent may hold, and counts by cells: both are within the tolerance.
#[test]
fn mean_hs_is_the_share_won_at_showdown() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let won = |a: u16, b: u16| if a == b { 0.5 } else { f64::from(a > b) };
    for variant in VARIANTS {
        let reader = reader(variant, true);
        let share = |a: HandKey, b: HandKey| match variant {
            Variant::High => won(rank7::high(a).0, rank7::high(b).0),
            Variant::Razz => won(low::razz(a).0, low::razz(b).0),
            Variant::HiLo8 => {
                let high = won(rank7::high(a).0, rank7::high(b).0);
                let value = |hand| low::eight(hand).map_or(0, |low| low.0);
                (high + if value(a).max(value(b)) == 0 { high } else { won(value(a), value(b)) }) / 2.0
            }
        };
        let mut worst: f64 = 0.0;
        let mut squares = Vec::new();
        for round in 0..60 {
            let street = Street::ALL[round % 5];
            let deal = deal(&mut rng);
            let up = deal.up.map(|up| CardSet::from(&up[..street.up_cards()]));
            let mut own = up[0].union(CardSet::from(&deal.down[0][..]));
            if street == Street::Seventh {
                own = own.with(deal.river[0]);
            }
            let mut against = Against::new();
            reader.read::<PercentileStreet>(&mut against, &show(&reader, up[1], up[0]));
            let (mean, _) = reader.point::<PercentileStreet>(street, own, up[1], &against);
            let mut deck = Deck::without(own.union(up[1]));
            let (mine, theirs) = (7 - own.len(), 7 - up[1].len());
            let rounds = 6000;
            let mut sum = 0.0;
            for _ in 0..rounds {
                let cards = deck.deal(mine + theirs, &mut rng);
                let hand = HandKey::from(own.union(CardSet::from(&cards[..mine])));
                let other = HandKey::from(up[1].union(CardSet::from(&cards[mine..])));
                sum += share(hand, other);
            }
            let error = f64::from(mean) / 65536.0 - sum / f64::from(rounds);
            worst = worst.max(error.abs());
            squares.push(error * error);
        }
        let typical = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt();
        assert!(typical < 0.025 && worst < 0.09, "{variant:?}: {typical} {worst}");
    }
}

#[test]
fn percentile_buckets_are_about_equally_filled() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    for variant in VARIANTS {
        let abstraction = abstraction(variant, Family::Percentile);
        let mut counts = [[0u32; 6]; 5];
        for _ in 0..4000 {
            let deal = deal(&mut rng);
            for player in abstraction.buckets_for_deal(&deal.down, &deal.up, &deal.river) {
                for (counts, (_, private)) in counts.iter_mut().zip(player) {
                    counts[usize::from(private)] += 1;
                }
            }
        }
        // 1,333 expected; thresholds come from 6,000 samples over five public buckets. On seventh street hands
        // that beat nothing the opponent can hold are all equal, and may be more than a bucket's share.
        for (street, counts) in Street::ALL.into_iter().zip(counts) {
            let most = if street == Street::Seventh { 2100 } else { 1620 };
            assert!(counts.iter().all(|count| (1050..most).contains(count)), "{variant:?} {counts:?}");
        }
    }
}

/// The family rank, of one board: every hand is about where sorting all hands by E\[HS\] puts it, and buckets are
/// equally filled.
#[test]
fn ranks_are_places_among_all_hands_of_a_board() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(31);
    for variant in VARIANTS {
        let text = config(Family::Rank, true).to_toml().replace("private = 6", "private = 8");
        let config = AbstractionConfig::from_toml(&text.replace("spread = 3", "spread = 1"), "test").unwrap();
        let abstraction = Abstraction::from_reader(&config, reader(variant, true), &mut |_, _| {});
        let reader = &abstraction.reader;
        for _ in 0..3 {
            let deal = deal(&mut rng);
            for street in Street::ALL {
                let [own_up, opponent_up] = [0, 1].map(|player: usize| &deal.up[player][..street.up_cards()]);
                let (own, opponent) = (CardSet::from(own_up), CardSet::from(opponent_up));
                let from = own.union(opponent).complement();
                let hidden = match street {
                    Street::Seventh => Hidden::Triples { from },
                    _ => Hidden::Pairs { from },
                };
                let mut buckets = vec![0; hidden.len()];
                abstraction.board(&BoardSituation { street, own_up, opponent_up, hidden }, &mut buckets);
                let mut against = Against::new();
                reader.read::<PercentileStreet>(&mut against, &show(reader, opponent, own));
                let hands: Vec<u16> = hidden
                    .sets()
                    .into_iter()
                    .map(|down| {
                        reader.point::<PercentileStreet>(street, own.union(down), opponent, &against).0
                    })
                    .collect();
                let mut sorted = hands.clone();
                sorted.sort_unstable();
                let mut filled = [0; 8];
                for (&hs, &bucket) in hands.iter().zip(&buckets) {
                    let place = |end: usize| 8.0 * end as f64 / sorted.len() as f64;
                    let below = place(sorted.partition_point(|&other| other.saturating_add(70) < hs));
                    let above = place(sorted.partition_point(|&other| other <= hs.saturating_add(70)));
                    let bucket = f64::from(bucket);
                    // On seventh street the hands of a cell, up to a third of all, are not quite spread evenly, and
                    // in hi/lo those with a low least of all.
                    let near = match (street, variant) {
                        (Street::Seventh, Variant::HiLo8) => 2.5,
                        (Street::Seventh, _) => 1.0,
                        _ => 0.3,
                    };
                    assert!(
                        below - near < bucket + 1.0 && bucket < above + near,
                        "{variant:?} {street:?}: {below} {bucket} {above}"
                    );
                    filled[bucket as usize] += 1;
                }
                // Many hands may be equal, such as those that beat nothing or everything the opponent can hold.
                let most_alike = sorted.chunk_by(|a, b| b - a < 70).map(<[u16]>::len).max().unwrap();
                let (least, most) = (filled.iter().min().unwrap(), filled.iter().max().unwrap());
                if street != Street::Seventh {
                    assert!(
                        most - least < hands.len() / 16 + most_alike,
                        "{variant:?} {street:?} {filled:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn higher_buckets_win_more() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for family in FAMILIES {
        let abstraction = abstraction(Variant::High, family);
        let mut won = [[(0.0, 0u32); 6]; 5];
        for _ in 0..6000 {
            let deal = deal(&mut rng);
            let hand = |player: usize| {
                let up = CardSet::from(&deal.up[player][..]).union(CardSet::from(&deal.down[player][..]));
                rank7::high_of(up.with(deal.river[player]))
            };
            let wins = f64::from(u8::from(hand(0) > hand(1)));
            let buckets = abstraction.buckets_for_deal(&deal.down, &deal.up, &deal.river);
            for (won, (_, private)) in won.iter_mut().zip(buckets[0]) {
                let (sum, count) = &mut won[usize::from(private)];
                (*sum, *count) = (*sum + wins, *count + 1);
            }
        }
        // Over all public buckets together; the least and the best third are far apart on every street.
        for street in won {
            let rate = |buckets: &[(f64, u32)]| {
                buckets.iter().map(|b| b.0).sum::<f64>() / f64::from(buckets.iter().map(|b| b.1).sum::<u32>())
            };
            let (low, middle, high) = (rate(&street[..2]), rate(&street[2..4]), rate(&street[4..]));
            assert!(low + 0.02 < middle && middle + 0.02 < high, "{family:?}: {low} {middle} {high}");
        }
    }
}

#[test]
fn public_buckets_ascend_with_advantage() {
    for family in FAMILIES {
        let abstraction = abstraction(Variant::High, family);
        let public = |street, own: &str, opponent: &str| {
            usize::from(abstraction.public_bucket(street, &cards(own), &cards(opponent)))
        };
        for (street, strong, weak) in [
            (Street::Third, "Ah", "2c"),
            (Street::Fourth, "AhAd", "2c7d"),
            (Street::Fifth, "AhAdAc", "2c7dJs"),
            (Street::Sixth, "AhAdAc4s", "2c7dJs9s"),
        ] {
            let last = abstraction.public_buckets(street) - 1;
            assert_eq!((public(street, weak, strong), public(street, strong, weak)), (0, last), "{street:?}");
        }
        let razz = super::tests::abstraction(Variant::Razz, family);
        assert_eq!(razz.public_bucket(Street::Third, &cards("Kc"), &cards("As")), 0);
    }
}

#[test]
fn cards_of_folded_players_count() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    for abstraction in all() {
        let mut changed = 0;
        for round in 0..200 {
            let street = Street::ALL[round % 4];
            let mut deck = Deck::new();
            let dealt = deck.deal(20, &mut rng);
            let (own_up, opponent_up) = (&dealt[..street.up_cards()], &dealt[4..4 + street.up_cards()]);
            let own_down = CardSet::from(&dealt[8..10]);
            let bucket = |dead: &[Card]| {
                let dead = CardSet::from(dead);
                let situation = Situation { street, own_down, river: None, own_up, opponent_up, dead };
                abstraction.private_bucket(0, &situation)
            };
            // Cards that show anyway are dead already.
            assert_eq!(bucket(opponent_up), bucket(&[]));
            changed += usize::from(bucket(&dealt[10..]) != bucket(&[]));
        }
        assert!((20..150).contains(&changed), "{changed}");
    }
}

#[test]
fn saved_and_loaded_is_the_same() {
    let directory = tempfile::tempdir().unwrap();
    for abstraction in all() {
        let path = directory.path().join("abstraction");
        let bytes = abstraction.save(&path).unwrap();
        assert_eq!(bytes, std::fs::metadata(&path).unwrap().len());
        let loaded = Abstraction::load(&path).unwrap();
        assert!(loaded == *abstraction);
        assert_eq!(loaded.contents_hash(), abstraction.fingerprint());
        assert_eq!(loaded.header().config, abstraction.config().to_toml());
        let predicted = Abstraction::predicted_bytes(abstraction.config(), &rules(abstraction.variant()));
        assert!(predicted.abs_diff(bytes) * 1000 < bytes, "{predicted} {bytes}");
        assert!(loaded.check(&rules(abstraction.variant())).is_ok());
        let other = if abstraction.variant() == Variant::Razz { Variant::High } else { Variant::Razz };
        assert!(loaded.check(&rules(other)).unwrap_err().to_string().contains("razz"));
    }
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("abstraction");
    abstraction(Variant::High, Family::Kmeans).save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let damaged = directory.path().join("damaged");
    for round in 0..20 {
        let mut copy = bytes.clone();
        let at = rng.random_range(0..copy.len());
        if round % 2 == 0 {
            copy[at] ^= 1 << rng.random_range(0..8)
        } else {
            copy.truncate(at)
        };
        std::fs::write(&damaged, copy).unwrap();
        assert!(matches!(Abstraction::load(&damaged), Err(AbstractionError::Store(_))));
    }
    let foreign = doorcard_store::Kind::new("strategy", 1);
    doorcard_store::ContainerWriter::create(&damaged, foreign, &1u8).unwrap().commit().unwrap();
    let message = Abstraction::load(&damaged).unwrap_err().to_string();
    assert!(message.contains("strategy"), "{message}");
    assert!(Abstraction::load(directory.path().join("none")).is_err());
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for family in FAMILIES {
        let fingerprints = [1, 2, 4].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| build(Variant::High, family, true)).fingerprint()
        });
        assert_eq!(fingerprints, [abstraction(Variant::High, family).fingerprint(); 3]);
    }
    let mut all = FAMILIES.map(|family| abstraction(Variant::High, family).fingerprint());
    all.sort();
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn building_from_rules_is_the_same_and_tells_progress() {
    let mut told: Vec<(&str, f64)> = Vec::new();
    let config = config(Family::Percentile, true);
    let built =
        Abstraction::build(&config, &rules(Variant::Razz), &mut |phase, done| told.push((phase, done)));
    assert!(built == *abstraction(Variant::Razz, Family::Percentile));
    assert!(told.iter().all(|(_, done)| (0.0..=1.0).contains(done)));
    let mut phases: Vec<&str> = told.iter().map(|(phase, _)| *phase).collect();
    phases.dedup();
    assert_eq!(phases, ["strength scale", "histograms", "public buckets", "private buckets"]);
    assert!(
        phases.iter().all(|phase| told.iter().any(|&(p, done)| p == *phase && (done - 1.0).abs() < 1e-9))
    );
}

#[test]
#[should_panic(expected = "Fourth street shows 2 cards")]
fn too_few_up_cards_are_a_bug() {
    abstraction(Variant::High, Family::Percentile).public_bucket(Street::Fourth, &cards("As"), &cards("Ks"));
}
