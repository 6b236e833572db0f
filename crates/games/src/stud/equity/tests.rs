use super::*;
use crate::stud::showdown::strength;
use doorcard_cards::{Deck, Suit};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const VARIANTS: [Variant; 3] = [Variant::High, Variant::HiLo8, Variant::Razz];

/// Samples even what could be listed.
const SAMPLED: Budget = Budget { exact_work: 0, samples: 400_000 };

fn hands(texts: &[&str]) -> Vec<HandSpec> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn set(text: &str) -> CardSet {
    text.parse().unwrap()
}

fn report(variant: Variant, texts: &[&str], dead: &str, budget: Budget) -> EquityReport {
    equity(variant, &hands(texts), set(dead), budget, 5).unwrap()
}

fn equities(report: &EquityReport) -> Vec<f64> {
    report.players.iter().map(|player| player.equity).collect()
}

/// Equity, win, tie and scoop of every hand by dealing card by card and dividing each half of the pot by hand.
fn plain(variant: Variant, hands: &[CardSet], dead: CardSet) -> Vec<[f64; 4]> {
    fn deal(
        variant: Variant,
        hands: &mut Vec<CardSet>,
        live: CardSet,
        sums: &mut Vec<[f64; 4]>,
        deals: &mut f64,
    ) {
        if let Some(player) = hands.iter().position(|hand| hand.len() < 7) {
            for card in live {
                hands[player] = hands[player].with(card);
                deal(variant, hands, live.without(card), sums, deals);
                hands[player] = hands[player].without(card);
            }
            return;
        }
        *deals += 1.0;
        let strengths: Vec<Strength> = hands.iter().map(|&hand| strength(variant, hand)).collect();
        let mut shares = vec![0.0; hands.len()];
        let mut part = |pot: f64, values: Vec<u16>| {
            let best = *values.iter().max().unwrap();
            let winners = values.iter().filter(|&&value| value == best).count();
            for (share, value) in shares.iter_mut().zip(values) {
                *share += if value == best { pot / winners as f64 } else { 0.0 };
            }
        };
        let lows: Vec<u16> = strengths.iter().map(|strength| strength.low).collect();
        let highs = strengths.iter().map(|strength| strength.high).collect();
        if lows.iter().any(|&low| low > 0) {
            part(0.5, highs);
            part(0.5, lows);
        } else {
            part(1.0, highs);
        }
        for (i, sum) in sums.iter_mut().enumerate() {
            let others = shares.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, share)| *share);
            let best_other = others.fold(0.0, f64::max);
            sum[0] += shares[i];
            sum[1] += f64::from(shares[i] > best_other + 1e-9);
            sum[2] += f64::from((shares[i] - best_other).abs() < 1e-9);
            sum[3] += f64::from(shares[i] > 1.0 - 1e-9);
        }
    }
    let live = hands.iter().fold(dead.complement(), |live, hand| live.minus(*hand));
    let mut sums = vec![[0.0; 4]; hands.len()];
    let mut deals = 0.0;
    deal(variant, &mut hands.to_vec(), live, &mut sums, &mut deals);
    sums.into_iter().map(|sum| sum.map(|sum| sum / deals)).collect()
}

fn assert_plain(variant: Variant, specs: &[HandSpec], dead: CardSet) {
    let known: Vec<CardSet> = specs.iter().map(HandSpec::known).collect();
    let report = equity(variant, specs, dead, Budget::default(), 0).unwrap();
    assert_eq!(report.method, Method::Exact);
    for (player, expected) in report.players.iter().zip(plain(variant, &known, dead)) {
        for (value, expected) in [player.equity, player.win, player.tie, player.scoop].iter().zip(expected) {
            assert!((value - expected).abs() < 1e-9, "{variant:?} {specs:?}: {player:?}, {expected}");
        }
        assert!((player.high + player.low - player.equity).abs() < 1e-12);
        assert_eq!(player.ci95, 0.0);
    }
}

/// Random tables: hands that lack these many cards, and how many cards are dead.
fn random_table(missing: &[usize], dead: usize, seed: u64) -> (Vec<HandSpec>, CardSet) {
    let mut deck = Deck::new();
    let mut dealt = deck.deal(52, &mut Xoshiro256PlusPlus::seed_from_u64(seed)).iter().copied();
    let specs =
        missing.iter().map(|missing| HandSpec::new(dealt.by_ref().take(7 - missing).collect()).unwrap());
    (specs.collect(), dealt.take(dead).collect())
}

#[test]
fn exact_results_are_those_of_plain_enumeration() {
    for variant in VARIANTS {
        for (seed, missing) in
            [&[0, 0][..], &[1, 0], &[1, 1], &[1, 1, 1], &[0, 1, 0, 1], &[2, 1], &[0, 3]].iter().enumerate()
        {
            let (specs, dead) = random_table(missing, 10, seed as u64);
            assert_plain(variant, &specs, dead);
        }
        assert_plain(variant, &hands(&["AsAdAh2c3c4c", "KsKdKh5c6c7c", "QsQdQh5d6d7d"]), CardSet::EMPTY);
    }
}

#[test]
fn sweeping_finds_what_listing_finds() {
    for split in [false, true] {
        let value = |key| Strength {
            high: high(key).0,
            low: if split { low::eight(key).map_or(0, |low| low.0) } else { 0 },
        };
        for (seed, missing) in [[0, 1], [1, 0], [1, 1], [2, 2], [3, 2], [1, 4], [3, 3]].iter().enumerate() {
            let (specs, dead) = random_table(missing, 16, 100 + seed as u64);
            let table = Table::new(&specs, dead).unwrap();
            assert!(sweep::work(&table, split).is_some());
            let listed = enumerate::enumerate(&table, value);
            assert_eq!(u128::from(listed.deals()), enumerate::deals(&table).unwrap());
            assert_eq!(sweep::sweep(&table, split, value), listed, "{specs:?}");
        }
    }
}

/// Figures of public calculators for stud high.
#[test]
fn public_values() {
    let report = report(Variant::High, &["7h7c2s", "AhJh9d"], "", Budget::default());
    assert_eq!(report.method, Method::Exact);
    assert_eq!(report.deals, 163_185 * 111_930);
    for (found, public) in equities(&report).into_iter().zip([0.5833, 0.4167]) {
        assert!((found - public).abs() < 0.0005, "{report:?}");
    }
    let report = self::report(Variant::High, &["2s2h2d", "7c6c5c", "Th9h8h"], "", Budget::default());
    assert_eq!(report.method, Method::Sampled);
    for (player, public) in report.players.iter().zip([0.5894, 0.2092, 0.2015]) {
        assert!((player.equity - public).abs() < 0.001 && player.ci95 <= 0.0005, "{report:?}");
    }
}

#[test]
fn sampled_results_agree_with_exact_ones() {
    for variant in VARIANTS {
        for texts in [&["As2d/3c4h", "KsKd/Kc9h"][..], &["As2d3h/3c4hJs", "KsKdQh/Kc9h8d", "5s6d7h/8hTcTd"]] {
            let exact = report(variant, texts, "2c2h", Budget::default());
            let sampled = report(variant, texts, "2c2h", SAMPLED);
            assert_eq!((exact.method, sampled.method), (Method::Exact, Method::Sampled));
            assert_eq!(sampled.deals, SAMPLED.samples);
            for (exact, sampled) in exact.players.iter().zip(&sampled.players) {
                // 2.5 half-widths of 95% intervals are 4.9 standard deviations.
                assert!((exact.equity - sampled.equity).abs() < 2.5 * sampled.ci95, "{exact:?} {sampled:?}");
                let parts =
                    |e: &Equity| [e.win, e.tie, e.scoop, e.quarter, e.half, e.three_quarters, e.high, e.low];
                for (exact, sampled) in parts(exact).iter().zip(parts(sampled)) {
                    assert!((exact - sampled).abs() < 0.004, "{variant:?}: {exact} {sampled}");
                }
            }
        }
    }
}

#[test]
fn shares_sum_to_the_pot() {
    for variant in VARIANTS {
        for texts in [&["As2d/3c", "KsKd/Kc", "5s6d/7h", "??/8d"][..], &["As/2d", "Kc"]] {
            let report = report(variant, texts, "", Budget { exact_work: 0, samples: 20_000 });
            assert!((equities(&report).iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn seats_and_suits_do_not_matter() {
    let map = [2, 0, 3, 1].map(Suit::new);
    for variant in VARIANTS {
        for (budget, texts) in [
            (Budget::default(), &["As2d3h/3c4hJs", "KsKdQh/Kc9h8d", "5s6d7h/8hTcTd"][..]),
            (Budget::default(), &["As2d3h/3c", "KsKdQh/Kc"]),
            (SAMPLED, &["As2d/3c", "KsKd/Kc", "5s6d/7h"]),
        ] {
            let specs = hands(texts);
            let dead = set("AdKh");
            let original = equity(variant, &specs, dead, budget, 1).unwrap();
            let mut reversed = specs.clone();
            reversed.reverse();
            let mut seats = equity(variant, &reversed, dead, budget, 2).unwrap();
            seats.players.reverse();
            let relabelled: Vec<HandSpec> =
                specs.iter().map(|hand| HandSpec::new(hand.known().relabel(map)).unwrap()).collect();
            let suits = equity(variant, &relabelled, dead.relabel(map), budget, 3).unwrap();
            if original.method == Method::Exact {
                assert_eq!(original, seats);
                assert_eq!(original, suits);
            }
            for other in [seats, suits] {
                for (a, b) in original.players.iter().zip(&other.players) {
                    assert!((a.equity - b.equity).abs() <= 2.5 * (a.ci95 + b.ci95), "{a:?} {b:?}");
                }
            }
        }
    }
}

#[test]
fn threads_do_not_matter() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let budget = Budget { exact_work: 0, samples: 50_001 };
        pool.install(|| report(Variant::HiLo8, &["As2d/3c", "KsKd/Kc", "5s6d/7h"], "", budget))
    };
    assert_eq!(on(1), on(3));
    assert_eq!(on(1).deals, 50_001);
}

#[test]
fn eight_hands_share_the_river() {
    let texts = ["As", "Ks", "Qs", "Js", "Ts", "9s", "8s", "7s"];
    let report = report(Variant::High, &texts, "", Budget { exact_work: 0, samples: 100_000 });
    assert!(report.shared_river);
    assert!((equities(&report).iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(report.players[0].equity > report.players[7].equity);

    // Two hands, two live cards: one for each. One live card: shared. None: refused.
    let specs = hands(&["AsAdAhKcKd2s", "QsQdQhJcJd3s"]);
    let held = specs[0].known().union(specs[1].known());
    for (live, shared) in [("2c2d", false), ("2c", true)] {
        let dead = held.complement().minus(set(live));
        let report = equity(Variant::High, &specs, dead, Budget::default(), 0).unwrap();
        assert_eq!((report.shared_river, report.method), (shared, Method::Exact));
        assert_eq!(equities(&report), [1.0, 0.0]);
    }
    let error = equity(Variant::High, &specs, held.complement(), Budget::default(), 0).unwrap_err();
    assert!(error.to_string().contains("0 cards are left"), "{error}");
}

/// The shared river is one card, drawn from all live ones.
#[test]
fn a_shared_river_is_counted_exactly() {
    let specs = hands(&["AsAdKhKcQd2s", "JsJdThTcQh3s"]);
    let held = specs[0].known().union(specs[1].known());
    let live = set("Jc");
    let report = equity(Variant::High, &specs, held.union(live).complement(), Budget::default(), 0).unwrap();
    assert_eq!((report.deals, equities(&report)), (1, vec![0.0, 1.0]));
    let texts = ["2c3c4c5c", "2d3d4d5d", "2h3h4h5h", "2s3s4s5s", "6c7c8c9c", "6d7d8d9d", "6h7h8h9h"];
    let specs = hands(&texts);
    // Of 24 live cards the hands lack 21: with 20 live ones, two each and a shared river.
    let table = Table::new(&specs, set("AcAdAhAs")).unwrap();
    assert!(table.shared_river);
    assert_eq!(table.cards_to_come(), 15);
    assert!(enumerate::deals(&table).unwrap() > 1 << 40);
}

#[test]
fn impossible_tables_are_refused() {
    let refuse = |texts: &[&str], dead: &str| {
        equity(Variant::High, &hands(texts), set(dead), Budget::default(), 0).unwrap_err().to_string()
    };
    assert!(refuse(&["AsAd"], "").contains("1 players: expected 2 to 8"));
    assert!(refuse(&["AsAd", "KsAd"], "").contains("Ad is in hand 1 and in hand 2"));
    assert!(refuse(&["AsAd", "KsKd"], "Kd").contains("Kd is in hand 2 and in the dead cards"));
}

#[test]
fn reports_serialise() {
    let report = report(Variant::High, &["AsAdAhKcKd2s", "QsQdQhJcJd3s"], "", Budget::default());
    let text = serde_json::to_string(&report).unwrap();
    assert!(text.starts_with(r#"{"method":"exact","deals":"#), "{text}");
    assert_eq!(serde_json::from_str::<EquityReport>(&text).unwrap(), report);
}

/// A hand of which nothing is known is a hand whose first card may be any live one.
#[test]
fn an_unknown_hand_is_the_mean_over_its_first_card() {
    let live = set("2c4d5s7h8d9cJhQsKdKh");
    let known = set("AsAd7c7s3h2d8s");
    let dead = live.union(known).complement().to_string();
    for variant in VARIANTS {
        let whole = report(variant, &[&known.to_string(), "??/??"], &dead, Budget::default());
        assert_eq!((whole.method, whole.deals), (Method::Exact, 120));
        let first = |card: Card| {
            let one = report(variant, &[&known.to_string(), &card.to_string()], &dead, Budget::default());
            equities(&one)[0] / live.len() as f64
        };
        let mean: f64 = live.into_iter().map(first).sum();
        assert!((equities(&whole)[0] - mean).abs() < 1e-12, "{variant:?}: {whole:?}, {mean}");
    }
}

#[test]
fn hands_against_unknown_ones_are_sampled() {
    for variant in VARIANTS {
        let even = report(variant, &["??", "??"], "", Budget { samples: 100_000, ..Budget::default() });
        assert_eq!(even.method, Method::Sampled);
        let player = even.players[0];
        assert!((player.equity - 0.5).abs() < 2.0 * player.ci95, "{variant:?}: {player:?}");
        // It lies between the best and the worst of what the unknown hand may hold.
        let aces = report(variant, &["AsAd/Kc", "??"], "", SAMPLED);
        let first: Vec<f64> = ["2c", "7d", "Kh", "Ac"]
            .iter()
            .map(|card| equities(&report(variant, &["AsAd/Kc", card], "", SAMPLED))[0])
            .collect();
        let [low, high] = [f64::min, f64::max].map(|f| first.iter().copied().reduce(f).unwrap());
        assert!((low..high).contains(&equities(&aces)[0]), "{variant:?}: {aces:?}, {first:?}");
    }
    let eight = report(Variant::High, &["??"; 8], "", SAMPLED);
    assert!(eight.shared_river && eight.method == Method::Sampled);
}
