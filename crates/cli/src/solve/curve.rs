//! What a solver's way to equilibrium is told by: points of exact measures, as a table, JSON and TensorBoard.

use doorcard_eval::exploitability::Exploitability;
use doorcard_games::stud::Chips;
use doorcard_report::table::{Align, plain};
use doorcard_report::units;
use serde::{Deserialize, Serialize};

/// The average strategy, measured after some iterations. Units: chips a game, seconds of solving alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) iteration: u64,
    pub(crate) seconds: f64,
    /// What each player wins when all play the average strategy.
    pub(crate) values: Vec<f64>,
    /// What all players together would gain by best responses, in the real game.
    pub(crate) nash_conv: f64,
    /// Half of `nash_conv`, for two players; nothing for more, where it would measure no distance to anything reached.
    pub(crate) exploitability: Option<f64>,
    /// The same against best responses that see the game as the abstraction does, at powers of ten and at the end; nothing
    /// without an abstraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) abstract_exploitability: Option<f64>,
    /// An upper bound of the average regret of the player who regrets most, by the sum of positive counterfactual regrets
    /// (Zinkevich et al. 2007), iterations weighed as the rule weighs regrets; nothing where regrets are sampled, and
    /// nothing under an abstraction, where it would bound the regret against strategies of the abstraction alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) average_regret_bound: Option<f64>,
}

impl Point {
    pub(crate) fn new(iteration: u64, seconds: f64, measured: &Exploitability) -> Point {
        Point {
            iteration,
            seconds,
            values: measured.values.clone(),
            nash_conv: measured.nash_conv,
            exploitability: (measured.values.len() == 2).then_some(measured.exploitability),
            abstract_exploitability: None,
            average_regret_bound: None,
        }
    }

    /// The scalars of TensorBoard, with units.
    pub(crate) fn scalars(&self) -> Vec<(String, f64)> {
        let mut scalars: Vec<(String, f64)> = vec![("nash_conv/real_chips".into(), self.nash_conv)];
        scalars.extend(self.exploitability.map(|x| ("exploitability/real_chips".into(), x)));
        scalars.extend(self.abstract_exploitability.map(|x| ("exploitability/abstract_chips".into(), x)));
        scalars.extend(self.average_regret_bound.map(|x| ("regret/average_bound_chips".into(), x)));
        let values = self.values.iter().enumerate();
        scalars.extend(values.map(|(player, &x)| (format!("value/player_{player}_chips"), x)));
        scalars
    }
}

/// Chips, and thousandths of a small bet where the game has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    /// Units: chips.
    pub(crate) small_bet: Option<Chips>,
}

impl Units {
    /// Thousandths of a small bet.
    pub(crate) fn msb(self, chips: f64) -> Option<f64> {
        self.small_bet.map(|small_bet| 1000.0 * chips / small_bet as f64)
    }
}

/// The curve for people.
pub(crate) fn table(points: &[Point], units: Units) -> String {
    let abstracted = points.iter().any(|point| point.abstract_exploitability.is_some());
    let two = points.iter().all(|point| point.exploitability.is_some());
    let bounded = !two && points.iter().any(|point| point.average_regret_bound.is_some());
    let measure = match (two, abstracted) {
        (false, _) => "nash_conv, chips",
        (true, false) => "exploitability, chips",
        (true, true) => "real exploitability, chips",
    };
    let mut columns = vec![("iterations", Align::Right), ("seconds", Align::Right), (measure, Align::Right)];
    if units.small_bet.is_some() {
        columns.push(("msb/h", Align::Right));
    }
    if abstracted {
        columns.push(("in the abstraction, chips", Align::Right));
    }
    if bounded {
        columns.push(("average regret, chips, at most", Align::Right));
    }
    columns.push(("value to player 0, chips", Align::Right));
    let row = |point: &Point| {
        let measured = point.exploitability.unwrap_or(point.nash_conv);
        let mut row = vec![units::count(point.iteration), format!("{:.3}", point.seconds), small(measured)];
        row.extend(units.msb(measured).map(small));
        if abstracted {
            row.push(point.abstract_exploitability.map_or_else(String::new, small));
        }
        if bounded {
            row.push(point.average_regret_bound.map_or_else(String::new, small));
        }
        row.push(format!("{:+.9}", point.values[0]));
        row
    };
    plain(&columns, points.iter().map(row).collect())
}

/// Small positive numbers of any size: plain down to a millionth, then with an exponent.
pub(crate) fn small(x: f64) -> String {
    if x == 0.0 || x.abs() >= 1e-6 { format!("{x:.9}") } else { format!("{x:.3e}") }
}
