use super::*;
use crate::stud::Rules;

fn compile(game: &str, detail: HistoryDetail) -> BettingTree {
    BettingTree::compile(&Rules::named(game).unwrap(), detail).unwrap()
}

#[test]
fn a_street_has_ten_decisions_and_nine_ways_on() {
    let rules = Rules::named("stud_bench").unwrap();
    let shape = |street, pairs| {
        let tree = StreetTree::compile(&rules, street, pairs);
        let ways = tree.ends.iter().filter(|end| matches!(end, End::Matched { .. })).count();
        (tree.decisions.len(), ways)
    };
    for street in Street::ALL {
        assert_eq!(shape(street, [false; 2]), (10, 9), "{street:?}");
    }
    for pairs in [[true, false], [false, true], [true, true]] {
        assert_eq!(shape(Street::Fourth, pairs), (30, 29));
        assert_eq!(shape(Street::Fifth, pairs), (10, 9));
    }
}

#[test]
fn a_pair_holder_must_start_the_doubling() {
    let rules = Rules::named("stud_hilo_double").unwrap();
    let both = StreetTree::compile(&rules, Street::Fourth, [true, true]).decisions.len();
    let one = StreetTree::compile(&rules, Street::Fourth, [true, false]).decisions.len();
    assert_eq!(both, 30);
    assert!((11..30).contains(&one), "{one}");
}

/// DESIGN: seventh street has 65,610 decisions for one order of openers without an open pair, 211,410 with one.
#[test]
fn full_histories_of_seventh_street() {
    // Openers of streets 4, 5 and 6; seventh street is opened by who opened sixth.
    let orders = 8;
    let sizes = *compile("stud_bench_nodouble", HistoryDetail::Full).sizes();
    assert_eq!(sizes[4].rows, 65_610 * orders);
    let sizes = *compile("stud_bench", HistoryDetail::Full).sizes();
    assert_eq!(sizes[4].rows, (65_610 + 211_410) * orders);
}

#[test]
fn less_detail_means_fewer_rows_but_the_same_pots() {
    let full = compile("stud_bench", HistoryDetail::Full);
    let aggressor = compile("stud_bench", HistoryDetail::Aggressor);
    let counts = compile("stud_bench", HistoryDetail::Counts);
    for street in 1..5 {
        let rows = [&full, &aggressor, &counts].map(|tree| tree.sizes()[street].rows);
        assert!(rows[0] >= rows[1] && rows[1] >= rows[2], "{rows:?}");
    }
    assert_eq!(aggressor.sizes()[0].rows, 10);
    assert_eq!([full.max_paid(), aggressor.max_paid(), counts.max_paid()], [3625; 3]);
}

#[test]
fn rows_fill_a_block_without_gaps() {
    for detail in [HistoryDetail::Full, HistoryDetail::Aggressor, HistoryDetail::Counts] {
        let tree = compile("stud_bench", detail);
        for street in Street::ALL {
            let mut next = 0;
            for &(slot, actions) in tree.rows(street) {
                assert_eq!(slot, next);
                next += u32::from(actions);
            }
            let size = tree.sizes()[street.index()];
            assert_eq!((u64::from(next), tree.rows(street).len() as u64), (size.slots, size.rows));
        }
    }
}

#[test]
fn games_that_cannot_be_compiled_are_refused() {
    let config = Rules::named("stud_bench").unwrap().config();
    let with = |key: &str, value: &str| config.with(key, value).unwrap().check("test").unwrap();
    let compile = |rules| BettingTree::compile(&rules, HistoryDetail::default()).map(|_| ());
    let short = TreeError::ShortStack { needed: 3625, stack: 3624 };
    assert_eq!(compile(with("stack", "3624")), Err(short));
    assert_eq!(compile(with("uncapped_heads_up", "true")), Err(TreeError::Uncapped));
    let pot_limit = Rules::named("stud_hilo8_pot_limit").unwrap();
    assert_eq!(compile(pot_limit), Err(TreeError::NotLimit(Betting::PotLimit)));
}
