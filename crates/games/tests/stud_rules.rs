//! The rulebook, topic by topic: short hands in which one rule shows.

use doorcard_cards::{Card, CardSet, parse_cards};
use doorcard_games::stud::{Action, Chips, Next, Rules, State, StudError};

/// 10/20 with ante 2 and bring-in 5, and every other setting at its default.
const LIMIT: &str = "ante = 2\nbring_in = 5\nsmall_bet = 10\nbig_bet = 20\n";

/// A hand in which the up cards are given; all other cards are any that are left, the low ones first.
struct Hand {
    state: State,
    up: Vec<Vec<Card>>,
    down: Vec<Vec<Card>>,
}

impl Hand {
    /// `up`: the up cards of each seat, seats parted by blanks; further ones are any.
    fn new(rules: &str, stacks: &[Chips], up: &str) -> Hand {
        Hand::with_down_cards(rules, stacks, up, "")
    }

    /// The same with the down cards of the first seats, parted by blanks.
    fn with_down_cards(rules: &str, stacks: &[Chips], up: &str, down: &str) -> Hand {
        let rules = Rules::from_toml(rules, "test").unwrap();
        let lists = |text: &str| text.split_whitespace().map(|cards| parse_cards(cards).unwrap()).collect();
        let mut hand = Hand { state: State::new(&rules, stacks).unwrap(), up: lists(up), down: lists(down) };
        hand.deal();
        hand
    }

    fn deal(&mut self) {
        loop {
            let named: CardSet = self.up.iter().chain(&self.down).flatten().copied().collect();
            let any =
                self.state.deck().minus(named).into_iter().next().or(self.state.deck().into_iter().next());
            let pick = |cards: &[Vec<Card>], seat: usize, at: usize| {
                cards.get(seat).and_then(|cards| cards.get(at)).copied().or(any).unwrap()
            };
            let card = match self.state.next() {
                Next::Act(_) | Next::Over => return,
                Next::Up(seat) => pick(&self.up, seat, self.state.up_cards(seat).len()),
                Next::Down(seat) => pick(&self.down, seat, self.state.down_cards(seat).len()),
                Next::Burn | Next::Board => any.unwrap(),
            };
            self.state.deal(card).unwrap();
        }
    }

    /// Actions such as `1 call` or `0 raise 20`, parted by commas: who acts, and what it does.
    fn play(&mut self, actions: &str) -> &mut Hand {
        for action in actions.split(", ") {
            let words: Vec<&str> = action.split(' ').collect();
            assert_eq!(self.state.next(), Next::Act(words[0].parse().unwrap()), "before '{action}'");
            let action = match words[1] {
                "fold" => Action::Fold,
                "check" => Action::Check,
                "call" => Action::Call,
                "bring" => Action::BringIn,
                "raise" => Action::RaiseTo(words[2].parse().unwrap()),
                other => panic!("no action '{other}'"),
            };
            self.state.apply(action).unwrap();
            self.deal();
        }
        self
    }

    fn legal(&self) -> String {
        self.state.legal().map_or_else(|| self.state.next().to_string(), |legal| legal.to_string())
    }

    fn next(&self) -> Next {
        self.state.next()
    }

    fn payoffs(&self) -> Vec<Chips> {
        self.state.payoffs().to_vec()
    }
}

fn with(lines: &str) -> String {
    format!("{LIMIT}{lines}\n")
}

#[test]
fn third_street_goes_by_completion_and_cap() {
    let mut hand = Hand::new(LIMIT, &[500; 4], "Kd 2c 9h Ts");
    assert_eq!((hand.next(), hand.legal().as_str()), (Next::Act(1), "bring in 5, raise to 10"));
    hand.play("1 bring");
    assert_eq!(hand.legal(), "fold, call 5, raise to 10");
    hand.play("2 call, 3 raise 10, 0 raise 20, 1 raise 30, 2 raise 40");
    assert_eq!(hand.legal(), "fold, call 30");
    assert_eq!(hand.state.bets_this_street(), 4);
    // The low card's own completion is the first bet, too.
    let mut hand = Hand::new(LIMIT, &[500; 4], "Kd 2c 9h Ts");
    hand.play("1 raise 10, 2 raise 20, 3 raise 30, 0 raise 40");
    assert_eq!(hand.legal(), "fold, call 30");
    // If all just call the bring-in, the round ends.
    let mut hand = Hand::new(LIMIT, &[500; 4], "Kd 2c 9h Ts");
    hand.play("1 bring, 2 call, 3 call, 0 call");
    assert_eq!((hand.state.street().number(), hand.state.pot()), (4, 28));
}

#[test]
fn an_all_in_low_card_passes_the_bring_in_on() {
    let hand = Hand::new(LIMIT, &[500, 2, 500, 500], "Kd 2c 9h Ts");
    assert_eq!((hand.next(), hand.legal().as_str()), (Next::Act(2), "bring in 5, raise to 10"));
    // Nobody left to call: no betting, the cards run out.
    let hand = Hand::new(LIMIT, &[500, 2, 1], "Kd 2c 9h");
    assert_eq!(hand.next(), Next::Over);
    assert!(hand.state.history().is_empty());
    assert_eq!((0..3).map(|seat| hand.state.hand(seat).len()).collect::<Vec<_>>(), [7, 7, 7]);
}

#[test]
fn an_all_in_high_hand_passes_the_opening_on() {
    let mut hand = Hand::new(LIMIT, &[500, 7, 500], "2cKd AcAd 9hKs");
    hand.play("0 bring, 1 call, 2 call");
    // Seat 1 shows aces but has no chips left.
    assert_eq!((hand.state.stack(1), hand.next()), (0, Next::Act(2)));
}

#[test]
fn bets_are_small_on_fourth_and_big_from_fifth() {
    let mut hand = Hand::new(LIMIT, &[500; 2], "2cKdTs 9h8c7d");
    hand.play("0 bring, 1 call");
    assert_eq!((hand.next(), hand.legal().as_str()), (Next::Act(0), "check, raise to 10"));
    hand.play("0 check, 1 raise 10, 0 raise 20, 1 call");
    for _ in 5..=7 {
        assert_eq!(hand.legal(), "check, raise to 20");
        hand.play("0 raise 20, 1 raise 40, 0 raise 60, 1 raise 80");
        assert_eq!(hand.legal(), "fold, call 20");
        hand.play("0 call");
    }
    assert_eq!(hand.next(), Next::Over);
}

#[test]
fn the_cap_can_be_lifted_heads_up() {
    let mut hand =
        Hand::new(&with("uncapped_heads_up = true\nbet_cap = 5"), &[900; 3], "2cKdTs 9h8c7d 5d4sJh");
    hand.play("0 raise 10, 1 raise 20, 2 raise 30, 0 raise 40, 1 raise 50");
    assert_eq!(hand.legal(), "fold, call 20");
    hand.play("2 fold, 0 call, 0 raise 10, 1 raise 20, 0 raise 30, 1 raise 40, 0 raise 50, 1 raise 60");
    // Third street began with three players, fourth street with two.
    assert_eq!(hand.legal(), "fold, call 10, raise to 70");
}

#[test]
fn folding_with_nothing_to_call() {
    for (value, legal) in [("refused", "check, raise to 10"), ("allowed", "fold, check, raise to 10")] {
        let mut hand = Hand::new(&with(&format!("fold_unbet = \"{value}\"")), &[500; 2], "2cKd 9h8c");
        hand.play("0 bring, 1 call");
        assert_eq!(hand.legal(), legal);
    }
    // With nobody left to bet against, the last one is not asked.
    let mut hand = Hand::new(&with("fold_unbet = \"allowed\""), &[500, 7, 500], "2cKd 9h8c 5d4s");
    hand.play("0 bring, 1 call, 2 call, 0 fold");
    assert_eq!(hand.next(), Next::Over);
}

#[test]
fn a_pair_on_fourth_street_allows_double_bets() {
    let rules =
        "ante = 1\nbring_in = 1\nsmall_bet = 2\nbig_bet = 4\nfourth_street_double_bet = \"any_player\"";
    let hand = || {
        let mut hand = Hand::new(rules, &[500; 3], "2cKd 9h9c 5d4s");
        hand.play("0 bring, 1 call, 2 call");
        hand
    };
    assert_eq!((hand().next(), hand().legal().as_str()), (Next::Act(1), "check, raise to 2, raise to 4"));
    assert_eq!(hand().play("1 raise 2").legal(), "fold, call 2, raise to 4, raise to 6");
    assert_eq!(hand().play("1 raise 2, 2 raise 4").legal(), "fold, call 4, raise to 6, raise to 8");
    assert_eq!(hand().play("1 raise 4").legal(), "fold, call 4, raise to 8");
    assert_eq!(hand().play("1 check, 2 raise 2, 0 raise 6").legal(), "fold, call 6, raise to 10");
    assert_eq!(hand().play("1 raise 2, 2 raise 4, 0 raise 8, 1 raise 12").legal(), "fold, call 8");
    // The pair counts until its holder folds; a big bet made before stays big.
    assert_eq!(hand().play("1 check, 2 raise 2, 0 call, 1 fold, 2 check").state.street().number(), 5);
    assert_eq!(hand().play("1 check, 2 raise 2, 0 raise 4, 1 fold").legal(), "fold, call 2, raise to 6");
    assert_eq!(
        hand().play("1 check, 2 raise 4, 0 call, 1 raise 8, 2 fold").legal(),
        "fold, call 4, raise to 12"
    );
    // No pair: the small bet, no more, no less.
    let mut plain = Hand::new(rules, &[500; 3], "2cKd 9h8c 5d4s");
    assert_eq!(plain.play("0 bring, 1 call, 2 call").legal(), "check, raise to 2");
}

#[test]
fn the_pair_holder_alone_may_begin_to_double() {
    let rules =
        "ante = 1\nbring_in = 1\nsmall_bet = 5\nbig_bet = 10\nfourth_street_double_bet = \"pair_holder\"";
    let hand = || {
        let mut hand = Hand::new(rules, &[500; 3], "2cAd 9h9c 5d4s");
        hand.play("0 bring, 1 call, 2 call");
        hand
    };
    assert_eq!(hand().legal(), "check, raise to 5, raise to 10");
    assert_eq!(hand().play("1 check").legal(), "check, raise to 5");
    assert_eq!(hand().play("1 raise 5").legal(), "fold, call 5, raise to 10");
    // A 10 is raised to 20.
    assert_eq!(hand().play("1 raise 10").legal(), "fold, call 10, raise to 20");
    assert_eq!(hand().play("1 check, 2 raise 5, 0 call, 1 raise 15").legal(), "fold, call 10, raise to 25");
    let off = rules.replace("pair_holder", "off");
    let mut hand = Hand::new(&off, &[500; 3], "2cAd 9h9c 5d4s");
    assert_eq!(hand.play("0 bring, 1 call, 2 call").legal(), "check, raise to 5");
}

/// Four players on fifth street, where a bet is 20; seat 1 opens and seats 2 and 3 have `short` chips left.
fn fifth_street(rule: &str, short: [Chips; 2]) -> Hand {
    on_fifth_street(&format!("short_all_in = \"{rule}\""), &[500, 500, short[0], short[1]])
}

/// Four or five players who have these chips left.
fn on_fifth_street(lines: &str, chips: &[Chips]) -> Hand {
    let stacks: Vec<Chips> = chips.iter().map(|chips| chips + 7).collect();
    let mut hand = Hand::new(&with(lines), &stacks, "2cKdTs AhJc7d 5d4sJh 8h6d3h 9c7s4d");
    hand.play("0 bring");
    everybody_calls_until(&mut hand, 5);
    assert_eq!(hand.next(), Next::Act(1));
    hand
}

#[test]
fn half_a_bet_is_a_bet() {
    // 15 of 20 counts as a bet: the next raise is to 35.
    let mut hand = fifth_street("half_bet", [15, 500]);
    assert_eq!(hand.play("1 check, 2 raise 15").legal(), "fold, call 15, raise to 35");
    assert_eq!(hand.state.bets_this_street(), 1);
    // Seat 1 has checked, but now faces a bet.
    assert_eq!(hand.play("3 call, 0 call").legal(), "fold, call 15, raise to 35");
    // 5 of 20 is no bet: the next may complete it, and seat 1, who has checked, may only call.
    let mut hand = fifth_street("half_bet", [5, 500]);
    assert_eq!(hand.play("1 check, 2 raise 5").legal(), "fold, call 5, raise to 20");
    assert_eq!(hand.state.bets_this_street(), 0);
    assert_eq!(hand.play("3 call, 0 call").legal(), "fold, call 5");
    let mut hand = fifth_street("half_bet", [5, 500]);
    assert_eq!(hand.play("1 check, 2 raise 5, 3 raise 20, 0 call").legal(), "fold, call 20, raise to 40");
    // A short raise: 5 above the bet of 20.
    let mut hand = fifth_street("half_bet", [25, 500]);
    assert_eq!(hand.play("1 raise 20, 2 raise 25").legal(), "fold, call 25, raise to 40");
    assert_eq!(hand.play("3 call, 0 call").legal(), "fold, call 5");
}

#[test]
fn less_than_half_a_bet_is_none_however_often() {
    // Two short raises of 5 and 6 on 20: neither counts, and the next may complete to 40.
    let mut hand = on_fifth_street("short_all_in = \"half_bet\"", &[500, 500, 25, 500, 31]);
    assert_eq!(hand.play("1 raise 20, 2 raise 25, 3 call, 4 raise 31").legal(), "fold, call 31, raise to 40");
    assert_eq!(hand.state.bets_this_street(), 1);
    assert_eq!(hand.play("0 call").legal(), "fold, call 11");
    assert_eq!(hand.play("1 call").legal(), "fold, call 6");
    // The completion reopens.
    let mut hand = on_fifth_street("short_all_in = \"half_bet\"", &[500, 500, 25, 500, 31]);
    hand.play("1 raise 20, 2 raise 25, 3 call, 4 raise 31, 0 raise 40");
    assert_eq!((hand.legal().as_str(), hand.state.bets_this_street()), ("fold, call 20, raise to 60", 2));
}

#[test]
fn short_raises_that_make_a_bet_together_reopen_for_those_who_face_it() {
    let mut hand = on_fifth_street("short_all_in = \"half_bet\"", &[40, 500, 29, 500, 38]);
    hand.play("1 raise 20, 2 raise 29, 3 call, 4 raise 38, 0 raise 40");
    // Seat 1 faces 20 above its bet, seat 3 no more than 11 above its call.
    assert_eq!((hand.legal().as_str(), hand.state.bets_this_street()), ("fold, call 20, raise to 60", 2));
    assert_eq!(hand.play("1 call").legal(), "fold, call 11");
}

#[test]
fn half_a_completion_is_measured_from_the_bring_in() {
    // 1 of the 5 from the bring-in to the completion is no bet; 3 are.
    for (chips, legal, bets) in [
        (6, "fold, call 6, raise to 10", 0),
        (8, "fold, call 8, raise to 18", 1),
        (7, "fold, call 7, raise to 10", 0),
    ] {
        let mut hand = Hand::new(LIMIT, &[500, chips + 2, 500], "2c Kd 9h");
        hand.play(&format!("0 bring, 1 raise {chips}"));
        assert_eq!((hand.legal().as_str(), hand.state.bets_this_street()), (legal, bets));
        assert_eq!(hand.play("2 call").legal().contains("raise"), bets == 1);
    }
    // The low card's own all-in, and a completion after it.
    let mut hand = Hand::new(LIMIT, &[8, 500, 500], "2c Kd 9h");
    assert_eq!(hand.play("0 raise 6").legal(), "fold, call 6, raise to 10");
    assert_eq!(hand.play("1 call, 2 raise 10").legal(), "fold, call 4, raise to 20");
}

#[test]
fn a_full_bet_on_top_of_a_short_one() {
    let mut hand = fifth_street("full_raise", [5, 500]);
    assert_eq!(hand.play("1 check, 2 raise 5").legal(), "fold, call 5, raise to 25");
    assert_eq!(hand.state.bets_this_street(), 1);
    // A short raise does not reopen the betting for seat 1; those who have not acted may raise.
    let mut hand = fifth_street("full_raise", [25, 500]);
    assert_eq!(hand.play("1 raise 20, 2 raise 25").legal(), "fold, call 25, raise to 45");
    assert_eq!(hand.play("3 call, 0 call").legal(), "fold, call 5");
    // A short bet does not for a player who has checked; PokerKit takes it for a full one.
    for (rule, legal) in [("full_raise_faced", "fold, call 5"), ("pokerkit", "fold, call 5, raise to 25")] {
        let lines = format!("short_all_in = \"full_raise\"\nreopening = \"{rule}\"");
        let mut hand = on_fifth_street(&lines, &[500, 500, 5, 500]);
        assert_eq!(hand.play("1 check, 2 raise 5, 3 call, 0 call").legal(), legal);
    }
    // Two that add up to a full raise do.
    let mut hand = fifth_street("full_raise", [30, 41]);
    hand.play("1 raise 20, 2 raise 30, 3 raise 41, 0 call");
    assert_eq!(hand.legal(), "fold, call 21, raise to 61");
}

#[test]
fn a_short_bring_in() {
    for (rule, legal) in
        [("pay_full", "fold, call 5, raise to 10"), ("pay_short", "fold, call 3, raise to 10")]
    {
        let mut hand = Hand::new(&with(&format!("short_bring_in = \"{rule}\"")), &[5, 500, 500], "2c Kd 9h");
        assert_eq!(hand.legal(), "bring in 3");
        assert_eq!(hand.play("0 bring").legal(), legal);
    }
    // Nobody pays more than another can match.
    let mut hand = Hand::new(&with("short_bring_in = \"pay_full\""), &[5, 500, 500], "2c Kd 9h");
    assert_eq!(hand.play("0 bring, 1 fold").legal(), "fold, call 3");
    let mut hand = Hand::new(&with("short_bring_in = \"pay_full\""), &[5, 500, 6], "2c Kd 9h");
    assert_eq!(hand.play("0 bring").legal(), "fold, call 4");
    assert_eq!(hand.play("1 call").legal(), "fold, call 4");
}

#[test]
fn a_stack_no_larger_than_the_bring_in_cannot_complete() {
    for (rule, legal) in [("refused", "bring in 5"), ("allowed", "bring in 5, raise to 5")] {
        let hand = Hand::new(&with(&format!("tiny_completion = \"{rule}\"")), &[7, 500], "2c Kd");
        assert_eq!(hand.legal(), legal);
    }
    let hand = Hand::new(LIMIT, &[8, 500], "2c Kd");
    assert_eq!(hand.legal(), "bring in 5, raise to 6");
}

#[test]
fn nobody_raises_what_nobody_can_call() {
    let mut hand = Hand::new(LIMIT, &[500, 12], "2cKd 9h8c");
    hand.play("0 bring, 1 raise 10");
    assert_eq!(hand.legal(), "fold, call 5");
    hand.play("0 call");
    // Seat 1 is all-in: the rest is dealt without betting.
    assert_eq!(hand.next(), Next::Over);
    assert_eq!(hand.state.pot(), 24);
}

#[test]
fn uncalled_chips_return_and_the_last_player_does_not_show() {
    let mut hand = Hand::new(LIMIT, &[500; 3], "2cKd 9h8c 5d4s");
    hand.play("0 bring, 1 raise 10, 2 call, 0 fold, 1 raise 10, 2 fold");
    assert_eq!(hand.next(), Next::Over);
    assert_eq!(hand.payoffs(), [-7, 19, -12]);
    assert_eq!(hand.state.settlement().returned[1], 10);
    assert!(hand.state.showdown().is_empty());
}

#[test]
fn short_stacks_win_only_what_they_matched() {
    // Seat 0 is all-in for 10 of 20; its flush wins the main pot, seat 1's pair the side pot.
    let mut hand =
        Hand::with_down_cards(LIMIT, &[12, 500, 500], "2cKcQc9c AhAdJd3h 8h6s5d4h", "7c5c3s 7dTs9d KsTh6h");
    hand.play("0 bring, 1 raise 10, 2 call, 0 call, 1 raise 10, 2 call, 1 check, 2 check, 1 check, 2 check");
    hand.play("1 check, 2 check");
    assert_eq!(hand.payoffs(), [24, -2, -22]);
    let pots: Vec<(Chips, usize)> =
        hand.state.pots().iter().map(|pot| (pot.amount, pot.seats.len())).collect();
    assert_eq!(pots, [(36, 3), (20, 2)]);
}

fn everybody_calls(hand: &mut Hand) {
    everybody_calls_until(hand, 8);
}

/// Plays on without a raise to the betting of a street.
fn everybody_calls_until(hand: &mut Hand, street: usize) {
    while matches!(hand.next(), Next::Act(_)) && hand.state.street().number() < street {
        let legal = hand.state.legal().unwrap();
        let action = legal
            .actions()
            .into_iter()
            .find(|action| matches!(action, Action::Check | Action::Call | Action::BringIn));
        hand.state.apply(action.unwrap()).unwrap();
        hand.deal();
    }
}

#[test]
fn what_happens_when_the_deck_runs_out() {
    for (rule, burn, players, shared, burns, reshuffled) in [
        // 42 cards, three burns and seven left: burn, deal five, mix the last with four burns, burn one, deal two.
        ("burns_then_community", true, 7, false, 5, true),
        ("burns_then_community", true, 8, true, 4, true),
        ("burns_then_community", false, 7, false, 0, false),
        ("burns_then_community", false, 8, true, 0, false),
        ("community", true, 7, true, 4, false),
        // One card is left: it is the shared one, and none is burnt.
        ("community", true, 8, true, 3, false),
        ("burns_and_folded_then_community", true, 7, false, 4, true),
        ("burns_and_folded_then_community", true, 8, true, 4, true),
        ("community", true, 6, false, 4, false),
    ] {
        let rules = with(&format!("exhausted_deck = \"{rule}\"\nburn = {burn}"));
        let mut hand = Hand::new(&rules, &vec![500; players], "");
        everybody_calls(&mut hand);
        let state = &hand.state;
        let name = format!("{rule} burn={burn} {players}");
        assert_eq!(state.next(), Next::Over, "{name}");
        assert_eq!(state.board().is_some(), shared, "{name}");
        assert_eq!((state.burns().len(), state.reshuffled()), (burns, reshuffled), "{name}");
        let held: CardSet = (0..players).fold(CardSet::EMPTY, |all, seat| all.union(state.hand(seat)));
        let expected = if shared { 6 * players + 1 } else { 7 * players };
        assert_eq!(held.len(), expected, "{name}: no card is in two hands");
        assert!((0..players).all(|seat| state.hand(seat).len() == 7), "{name}");
    }
}

#[test]
fn folded_cards_come_again_only_where_the_setting_says_so() {
    for (rule, shared) in
        [("burns_and_folded_then_community", false), ("burns_then_community", true), ("community", true)]
    {
        let rules = with(&format!("exhausted_deck = \"{rule}\""));
        let mut hand = Hand::new(&rules, &[500; 8], "2c3h 2d 2h 2s 3c 3d 4c 4d");
        hand.play("0 bring, 1 call, 2 call, 3 call, 4 call, 5 call, 6 call, 7 fold");
        everybody_calls(&mut hand);
        // Seven players are left, four cards and three burns.
        assert_eq!(hand.state.board().is_some(), shared, "{rule}");
    }
}

#[test]
fn pot_limit_raises() {
    let rules = "betting = \"pot_limit\"\nante = 1\nbring_in = 1\nsmall_bet = 2\n";
    let mut hand = Hand::new(rules, &[900; 5], "2cKd 9h8c 5d4s Jh7h ThTs");
    assert_eq!(hand.legal(), "bring in 1, raise to 2 up to 5");
    hand.play("0 bring, 1 call, 2 call, 3 call, 4 call");
    // Pot 10, bet 2: call 2, then raise by the 14 in the pot, to 16; the next seat to 60.
    assert_eq!(hand.legal(), "check, raise to 2 up to 10");
    assert_eq!(hand.play("4 raise 2").legal(), "fold, call 2, raise to 4 up to 16");
    assert_eq!(hand.play("0 raise 16").legal(), "fold, call 16, raise to 30 up to 60");
}

#[test]
fn an_all_in_main_pot_does_not_count_in_pot_limit() {
    for (rule, legal) in [
        // Seat 1 put in 12 in all; seats 0 and 2 have 30 each beyond that once seat 2 has called.
        ("side_pot", "fold, call 20, raise to 50 up to 90"),
        ("all", "fold, call 20, raise to 50 up to 126"),
    ] {
        let rules = format!(
            "betting = \"pot_limit\"\nante = 2\nbring_in = 5\nsmall_bet = 10\npot_limit_counts = \"{rule}\"\n"
        );
        let mut hand = Hand::new(&rules, &[900, 12, 900], "2cKdKs 9h8c7c AhAd4s");
        hand.play("0 bring, 1 raise 10, 2 call, 0 call, 2 check, 0 check, 2 raise 10, 0 raise 30");
        assert_eq!(hand.legal(), legal);
    }
}

#[test]
fn how_large_a_completion_counts() {
    for (rule, legal) in [
        ("whole", "fold, call 9, raise to 18 up to 498"),
        ("over_bring_in", "fold, call 9, raise to 16 up to 498"),
    ] {
        let rules = format!(
            "betting = \"no_limit\"\nante = 2\nbring_in = 2\nsmall_bet = 4\ncompletion_size = \"{rule}\"\n"
        );
        let mut hand = Hand::new(&rules, &[500; 3], "2c Kd 9h");
        assert_eq!(hand.play("0 bring, 1 raise 9").legal(), legal);
        assert_eq!(hand.play("2 call").legal(), legal.replace("call 9", "call 7"));
    }
}

#[test]
fn no_limit_raises() {
    let rules = "betting = \"no_limit\"\nante = 2\nbring_in = 2\nsmall_bet = 4\n";
    let mut hand = Hand::new(rules, &[500, 154, 500], "2cKd 9h8c AsQh");
    hand.play("0 bring, 1 call, 2 call");
    assert_eq!(hand.legal(), "check, raise to 4 up to 496");
    assert_eq!(hand.play("2 raise 100").legal(), "fold, call 100, raise to 200 up to 496");
    // An all-in for less than a full raise does not reopen the betting for the bettor.
    hand.play("0 call, 1 raise 150");
    assert_eq!(hand.legal(), "fold, call 50");
    assert_eq!(hand.play("2 call").legal(), "fold, call 50");
}

#[test]
fn a_short_all_in_over_a_whole_completion_reopens_nothing() {
    let rules = "betting = \"no_limit\"\nante = 2\nbring_in = 2\nsmall_bet = 4\n";
    let mut hand = Hand::new(rules, &[500, 500, 500, 19], "2c Kd 9h Ts");
    // 17 is a raise by 8 on a completion that counts 9.
    hand.play("0 bring, 1 raise 9, 2 call, 3 raise 17");
    // The bring-in faces the completion.
    assert_eq!(hand.legal(), "fold, call 15, raise to 26 up to 498");
    assert_eq!(hand.play("0 fold").legal(), "fold, call 8");
    assert_eq!(hand.play("1 call").legal(), "fold, call 8");
    let mut hand = Hand::new(rules, &[500, 500, 500, 20], "2c Kd 9h Ts");
    hand.play("0 bring, 1 raise 9, 2 call, 3 raise 18, 0 fold");
    assert_eq!(hand.legal(), "fold, call 9, raise to 27 up to 498");
    // The smallest completion reopens for those who have called the bring-in, an all-in below it does not.
    let mut hand = Hand::new(rules, &[500, 500, 500, 5], "2c Kd 9h Ts");
    hand.play("0 bring, 1 call, 2 call, 3 raise 3, 0 call");
    assert_eq!(hand.legal(), "fold, call 1");
    for size in ["whole", "over_bring_in"] {
        let rules = format!("{rules}completion_size = \"{size}\"\n");
        let mut hand = Hand::new(&rules, &[500; 4], "2c Kd 9h Ts");
        assert!(hand.play("0 bring, 1 call, 2 call, 3 raise 4, 0 call").legal().contains("raise"), "{size}");
    }
}

#[test]
fn all_ins_reopen_for_players_who_face_a_full_raise() {
    let hand = |rule: &str, stacks: &[Chips]| {
        let rules = format!(
            "betting = \"no_limit\"\nante = 2\nbring_in = 2\nsmall_bet = 4\nreopening = \"{rule}\"\n"
        );
        let mut hand = Hand::new(&rules, stacks, "2cKd AhJc 5d4s 8h6d 9c7s");
        hand.play("0 bring, 1 call, 2 call, 3 call, 4 call");
        hand
    };
    // 60, 60 and 30 on a bet of 100: the bettor faces 150. PokerKit has begun a new sum after the second.
    for (rule, legal) in
        [("full_raise_faced", "fold, call 150, raise to 350 up to 496"), ("pokerkit", "fold, call 150")]
    {
        let mut hand = hand(rule, &[500, 500, 164, 224, 254]);
        assert_eq!(hand.play("1 raise 100, 2 raise 160, 3 raise 220, 4 raise 250, 0 call").legal(), legal);
    }
    // Who has called 160 faces no more than 90.
    let mut short = hand("full_raise_faced", &[254, 500, 164, 500, 224]);
    short.play("1 raise 100, 2 raise 160, 3 call, 4 raise 220, 0 raise 250, 1 call");
    assert_eq!(short.legal(), "fold, call 90");
    // A first bet of 1 where the smallest is 4, against a player who has checked.
    for (rule, legal) in
        [("full_raise_faced", "fold, call 1"), ("pokerkit", "fold, call 1, raise to 5 up to 496")]
    {
        let mut hand = hand(rule, &[500, 500, 5, 500, 500]);
        assert_eq!(hand.play("1 check, 2 raise 1, 3 call, 4 call, 0 call").legal(), legal);
    }
}

#[test]
fn a_pot_limit_raise_over_a_short_bring_in_calls_it_in_full() {
    let rules =
        "betting = \"pot_limit\"\nante = 50\nbring_in = 150\nsmall_bet = 300\npot_limit_counts = \"all\"\n";
    let mut hand = Hand::new(rules, &[150, 9000, 9000, 9000], "2c Kd 9h Ts");
    // Antes 200, bring-in 100, call 150: raise by 450 to 600.
    assert_eq!(hand.play("0 bring").legal(), "fold, call 150, raise to 300 up to 600");
}

#[test]
fn who_wins_both_halves_gets_the_odd_chip() {
    for (down, payoffs, carried) in [
        // A wheel in clubs wins everything; then seat 1 has the better high.
        ("AcQs AdTd", vec![20, -15, -5], 0),
        ("AhQs KcTd", vec![2, 2, -5], 1),
    ] {
        let mut hand = Hand::with_down_cards(
            "variant = \"hilo8\"\nodd_chip = \"next_pot\"\nante = 5\nbring_in = 10\nsmall_bet = 20\n",
            &[500; 3],
            "2c3c4c5c KdKhKs8s 9c",
            down,
        );
        hand.play("0 bring, 1 call, 2 fold");
        everybody_calls(&mut hand);
        assert_eq!((hand.payoffs(), hand.state.settlement().carried), (payoffs, carried));
    }
}

/// Seven players on a shared river, the ace of spades, which is the high card of both broadway straights.
#[test]
fn a_shared_high_card_gives_odd_chips_by_the_next_card() {
    let rules = with("exhausted_deck = \"community\"\ntie_odd_chips = \"high_suit\"");
    for (first, second, lucky) in [("KdQhJdTh", "KcQsJcTs", 0), ("KcQsJcTs", "KdQhJdTh", 1)] {
        // The eighth seat is empty: its cards stay in the deck to the end.
        let up = format!("{first} {second} 7s6d8h9c 4d6h8s9d 4h6s8c9h 4s6c8d9s 7c7d5d4c AcAdAhKhKs");
        let down = "2s3h 3d2h Qd5s Qc5c Jh7h Js5h TcTd";
        let mut hand = Hand::with_down_cards(&rules, &[500; 7], &up, down);
        everybody_calls(&mut hand);
        assert_eq!(hand.state.board().map(|card| card.to_string()).as_deref(), Some("As"));
        let won = hand.state.settlement().won;
        assert_eq!(won[lucky] - won[1 - lucky], hand.state.pot() % 2, "{won:?}");
        assert_eq!(hand.state.pot() % 2, 1);
    }
}

#[test]
fn who_shows_first() {
    for (rule, first) in [("last_aggressor", 1), ("opener", 0)] {
        let mut hand = Hand::with_down_cards(
            &with(&format!("show_first = \"{rule}\"")),
            &[500; 3],
            "2cKdTsKs 9h8c7dQd 5d4sJh3h",
            "AcAd4h 9c6s4c 7s8d2d",
        );
        hand.play("0 bring, 1 call, 2 call, 0 check, 1 check, 2 check, 0 check, 1 check, 2 check");
        hand.play("0 check, 1 check, 2 check, 0 check, 1 raise 20, 2 call, 0 call");
        let shown = hand.state.showdown().to_vec();
        let expected: &[(usize, bool)] = match first {
            // The pair of nines shows, seat 2 has nothing better, and seat 0 wins.
            1 => &[(1, true), (2, false), (0, true)],
            _ => &[(0, true), (1, false), (2, false)],
        };
        assert_eq!(shown, expected, "{rule}");
    }
}

#[test]
fn illegal_actions_say_what_was_legal() {
    let mut hand = Hand::new(LIMIT, &[500; 2], "2c Kd");
    let before = hand.state.clone();
    let error = hand.state.apply(Action::RaiseTo(11)).unwrap_err();
    assert_eq!(error.to_string(), "seat 0 cannot raise to 11: legal are bring in 5, raise to 10");
    assert!(matches!(error, StudError::Illegal { seat: 0, .. }));
    assert_eq!(hand.state, before);
    let error = hand.state.deal("As".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "no card is due (As given): seat 0 is to act");
    hand.play("0 bring");
    hand.state.apply(Action::Call).unwrap();
    let error = hand.state.apply(Action::Check).unwrap_err();
    assert_eq!(error.to_string(), "nobody can check now: a card is to be burnt");
    let error = hand.state.deal("2c".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "2c cannot be dealt: it is in a player's hand");
}

#[test]
fn impossible_tables_are_refused() {
    let rules = Rules::from_toml(LIMIT, "test").unwrap();
    for (stacks, message) in [
        (&[500][..], "1 players: expected 2 to 8"),
        (&[500; 9], "9 players: expected 2 to 8"),
        (&[500, 0], "seat 1 starts with 0 chips: expected 1 to 281474976710656"),
        (&[Chips::MAX, 5], "seat 0 starts with 9223372036854775807 chips: expected 1 to 281474976710656"),
    ] {
        assert_eq!(State::new(&rules, stacks).unwrap_err().to_string(), message);
    }
}
