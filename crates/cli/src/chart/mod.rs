//! How a strategy plays third street: the frequencies of its actions by door cards and class of hand.
//!
//! Every pair of door cards up to suits, and every pair of hidden cards with it, is looked up once: the chart is
//! exact. A hand counts as often as it is dealt, times the probability with which its own earlier actions lead to the
//! decision; whether the opponent's would is left out.

mod hands;

use doorcard_abstraction::Situation;
use doorcard_cards::{Card, CardSet, Rank, Suit};
use doorcard_games::stud::tree::{Position, StudTree, Turn};
use doorcard_games::stud::{Action, Street, Variant};
use doorcard_report::{ActionKind, ChartAction, ChartCell, ChartScenario, ThirdStreetChart};
use hands::HandClass;
use rayon::prelude::*;

/// The most actions of a third-street decision: fold, call, raise.
const ACTIONS: usize = 3;

/// Groups of the opponent's door card.
const GROUPS: [&str; 4] = ["2 to 5", "6 to 9", "T to K", "A"];

/// The decisions shown: what has happened, in words and as a line of play, with who acts (0: the bring-in).
const DECISIONS: [(&str, usize, &[Step]); 4] = [
    ("The bring-in, first to act", 0, &[]),
    ("The other player, facing the bring-in", 1, &[Step::BringIn]),
    ("The other player, facing a completion", 1, &[Step::Raise]),
    ("The bring-in, facing a completion by the other", 0, &[Step::BringIn, Step::Raise]),
];

/// One action of a line of play.
#[derive(Clone, Copy)]
enum Step {
    BringIn,
    Raise,
}

impl Step {
    fn is(self, action: Action) -> bool {
        match self {
            Step::BringIn => action == Action::BringIn,
            Step::Raise => matches!(action, Action::RaiseTo(_)),
        }
    }
}

/// What a strategy does on third street.
pub(crate) trait ThirdStreetPolicy: Sync {
    /// Writes the probability of each action of the decision at `position`.
    fn probabilities(&self, position: Position, situation: &Situation<'_>, out: &mut [f64]);
}

/// A decision, found in the tree: its position, and the own decisions that lead to it with the action taken there.
struct Decision {
    title: &'static str,
    role: usize,
    position: Position,
    actions: Vec<Action>,
    before: Vec<Earlier>,
}

/// An own decision on the way, with the action taken.
struct Earlier {
    position: Position,
    actions: usize,
    taken: usize,
}

/// Two door cards that stand for all that differ in suits only.
struct Doors {
    own: Card,
    opponent: Card,
    /// How many pairs of cards they stand for.
    weight: f64,
}

/// Sums over the hands of one pair of door cards, by class.
type Sums = Vec<[f64; ACTIONS + 1]>;

/// The chart of a strategy.
pub(crate) fn third_street(game: &StudTree, policy: &dyn ThirdStreetPolicy) -> ThirdStreetChart {
    let variant = game.rules().variant();
    let classes = HandClass::all(variant);
    let scenarios = DECISIONS
        .iter()
        .filter_map(|&(title, role, steps)| decision(game, title, role, steps))
        .map(|decision| scenario(game, policy, &decision))
        .collect();
    ThirdStreetChart {
        method: "Every pair of door cards and every pair of hidden cards, weighted by how often they are dealt and by \
                 how often the player's own earlier action leads here."
            .into(),
        own: ranks(variant).map(|rank| rank.to_string()).collect(),
        opponents: GROUPS.map(String::from).to_vec(),
        hands: classes.iter().map(|class| class.name().to_string()).collect(),
        scenarios,
    }
}

/// Ranks from best to worst.
fn ranks(variant: Variant) -> impl Iterator<Item = Rank> {
    let mut ranks: Vec<Rank> = Rank::all().collect();
    match variant {
        Variant::High | Variant::HiLo8 => ranks.reverse(),
        Variant::Razz => ranks.sort_by_key(|rank| rank.low_index()),
    }
    ranks.into_iter()
}

fn group(rank: Rank) -> usize {
    match rank.index() {
        0..=3 => 0,
        4..=7 => 1,
        8..=11 => 2,
        _ => 3,
    }
}

/// Follows a line of play; nothing if the game has no such line.
fn decision(game: &StudTree, title: &'static str, role: usize, steps: &[Step]) -> Option<Decision> {
    let tree = game.tree();
    let doors = [Card::from_index(0), Card::from_index(5)];
    let line = game.line([&doors[..1], &doors[1..]]);
    let mut position = tree.root();
    let mut before = Vec::new();
    for step in steps {
        let Turn::Decide { role: actor, .. } = tree.turn(position) else { return None };
        let index = tree.actions(position).iter().position(|&action| step.is(action))?;
        if actor == role {
            before.push(Earlier { position, actions: tree.actions(position).len(), taken: index });
        }
        position = tree.act(position, &line, index);
    }
    let actions = tree.actions(position).to_vec();
    match tree.turn(position) {
        Turn::Decide { role: actor, .. } if actor == role && actions.len() <= ACTIONS => {
            Some(Decision { title, role, position, actions, before })
        }
        _ => None,
    }
}

fn scenario(game: &StudTree, policy: &dyn ThirdStreetPolicy, decision: &Decision) -> ChartScenario {
    let variant = game.rules().variant();
    let classes = HandClass::all(variant);
    let doors = doors(game, decision.role);
    let sums: Vec<Sums> =
        doors.par_iter().map(|doors| hands_with(policy, decision, variant, doors)).collect();

    let actions = decision.actions.len();
    let mut cells = vec![vec![[0.0; ACTIONS + 1]; classes.len()]; Rank::COUNT * GROUPS.len()];
    let mut total = 0.0;
    for (doors, sums) in doors.iter().zip(&sums) {
        let cell = &mut cells[doors.own.rank().index() * GROUPS.len() + group(doors.opponent.rank())];
        for (into, from) in cell.iter_mut().zip(sums) {
            for (into, from) in into.iter_mut().zip(from) {
                *into += doors.weight * from;
            }
            total += doors.weight * from[ACTIONS];
        }
    }
    let mut chart_cells = Vec::new();
    for own in ranks(variant) {
        for (g, opponent) in GROUPS.iter().enumerate() {
            for (class, sums) in classes.iter().zip(&cells[own.index() * GROUPS.len() + g]) {
                let weight = sums[ACTIONS];
                if weight > 0.0 {
                    chart_cells.push(ChartCell {
                        own: own.to_string(),
                        opponent: opponent.to_string(),
                        hand: class.name().into(),
                        weight: weight / total,
                        frequencies: sums[..actions].iter().map(|sum| sum / weight).collect(),
                    });
                }
            }
        }
    }
    ChartScenario {
        title: decision.title.into(),
        actions: decision.actions.iter().map(|&action| label(action, game)).collect(),
        cells: chart_cells,
    }
}

/// Sums over all hidden cards with these door cards: by class, the probability of each action and the weight.
fn hands_with(policy: &dyn ThirdStreetPolicy, decision: &Decision, variant: Variant, doors: &Doors) -> Sums {
    let classes = HandClass::all(variant);
    let mut sums = vec![[0.0; ACTIONS + 1]; classes.len()];
    let mut probabilities = [0.0f64; ACTIONS];
    let rest: Vec<Card> = Card::all().filter(|&card| card != doors.own && card != doors.opponent).collect();
    for (i, &a) in rest.iter().enumerate() {
        for &b in &rest[..i] {
            let situation = Situation {
                street: Street::Third,
                own_down: CardSet::EMPTY.with(a).with(b),
                river: None,
                own_up: &[doors.own],
                opponent_up: &[doors.opponent],
                dead: CardSet::EMPTY,
            };
            let mut reach = 1.0;
            for earlier in &decision.before {
                policy.probabilities(earlier.position, &situation, &mut probabilities[..earlier.actions]);
                reach *= probabilities[earlier.taken];
            }
            policy.probabilities(decision.position, &situation, &mut probabilities[..decision.actions.len()]);
            let class = HandClass::of(variant, [a, b], doors.own, doors.opponent);
            let class = classes.iter().position(|&c| c == class).expect("every class of a variant is listed");
            for (sum, &probability) in sums[class].iter_mut().zip(&probabilities[..decision.actions.len()]) {
                *sum += reach * probability;
            }
            sums[class][ACTIONS] += reach;
        }
    }
    sums
}

/// The pairs of door cards with which the player has this role, up to suits.
fn doors(game: &StudTree, role: usize) -> Vec<Doors> {
    let mut list = Vec::new();
    let card = |rank, suit| Card::new(rank, Suit::new(suit));
    for own in Rank::all() {
        for opponent in Rank::all() {
            let kinds: &[(u8, u8, f64)] =
                if own == opponent { &[(0, 1, 6.0), (1, 0, 6.0)] } else { &[(0, 0, 4.0), (0, 1, 12.0)] };
            for &(own_suit, opponent_suit, weight) in kinds {
                let (own, opponent) = (card(own, own_suit), card(opponent, opponent_suit));
                if game.line([&[own], &[opponent]]).role(0) == role {
                    list.push(Doors { own, opponent, weight });
                }
            }
        }
    }
    list
}

fn label(action: Action, game: &StudTree) -> ChartAction {
    let small = game.rules().small_bet();
    let (name, kind) = match action {
        Action::Fold => ("fold", ActionKind::Fold),
        Action::Check => ("check", ActionKind::Passive),
        Action::Call => ("call", ActionKind::Passive),
        Action::BringIn => ("bring in", ActionKind::Passive),
        Action::RaiseTo(to) if to == small => ("complete", ActionKind::Aggressive),
        Action::RaiseTo(_) => ("raise", ActionKind::Aggressive),
    };
    ChartAction { name: name.into(), kind }
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorcard_games::stud::Rules;
    use doorcard_games::stud::tree::HistoryDetail;

    /// Takes the last action with hands that hold a pair or better, otherwise the first.
    struct PairsRaise;

    impl ThirdStreetPolicy for PairsRaise {
        fn probabilities(&self, _: Position, situation: &Situation<'_>, out: &mut [f64]) {
            let cards = situation.own_down.with(situation.own_up[0]);
            let ranks: Vec<Rank> = cards.into_iter().map(Card::rank).collect();
            out.fill(0.0);
            let paired = ranks[0] == ranks[1] || ranks[1] == ranks[2];
            let choice = if paired { out.len() - 1 } else { 0 };
            out[choice] = 1.0;
        }
    }

    fn chart() -> ThirdStreetChart {
        let game = StudTree::new(Rules::named("stud_bench").unwrap(), HistoryDetail::Counts).unwrap();
        third_street(&game, &PairsRaise)
    }

    /// Each pair of door cards makes either player the bring-in equally often, so that the mean over both roles is the
    /// share of a class among all C(52,3) hands.
    #[test]
    fn weights_are_those_of_three_card_hands() {
        let chart = chart();
        let share = |scenario: usize, names: &[&str]| -> f64 {
            let cells = chart.scenarios[scenario].cells.iter();
            cells.filter(|cell| names.contains(&cell.hand.as_str())).map(|cell| cell.weight).sum()
        };
        let pairs: Vec<&str> = chart.hands[1..6].iter().map(String::as_str).collect();
        for (names, hands) in [
            (&["rolled-up trips"][..], 13.0 * 4.0),
            (&pairs, 13.0 * 6.0 * 48.0),
            (&["three-flush"], 4.0 * 286.0),
            (&["three-straight"], 12.0 * 60.0),
            (&["three high cards (T+)"], 7.0 * 60.0),
        ] {
            let mean = (share(0, names) + share(1, names)) / 2.0;
            assert!((mean - hands / 22_100.0).abs() < 1e-12, "{names:?}: {mean}");
        }
    }

    #[test]
    fn frequencies_are_the_strategys_and_earlier_actions_filter_hands() {
        let chart = chart();
        let actions: Vec<Vec<&str>> =
            chart.scenarios.iter().map(|s| s.actions.iter().map(|a| a.name.as_str()).collect()).collect();
        assert_eq!(actions[0], ["bring in", "complete"]);
        assert_eq!(actions[1], ["fold", "call", "complete"]);
        assert_eq!(actions[2], ["fold", "call", "raise"]);
        let paired: Vec<&String> = chart.hands[..6].iter().collect();
        for scenario in &chart.scenarios[..3] {
            for cell in &scenario.cells {
                let chosen = if paired.contains(&&cell.hand) { cell.frequencies.len() - 1 } else { 0 };
                assert!((cell.frequencies[chosen] - 1.0).abs() < 1e-12, "{cell:?}");
            }
        }
        // Pairs completed at once, so that only others can be completed on.
        assert!(chart.scenarios[3].cells.iter().all(|cell| !paired.contains(&&cell.hand)));
    }
}
