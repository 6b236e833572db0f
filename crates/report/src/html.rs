//! The report as one self-contained HTML page: no scripts, no links to other files.

use crate::plot::{self, Series};
use crate::{
    ChartScenario, CurvePoint, MatchRow, ReportError, RunReport, Rung, ThirdStreetChart, ladder, units,
};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");

/// The page.
///
/// # Errors
/// If the plotting library refuses a plot.
pub fn page(report: &RunReport) -> Result<String, ReportError> {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            (head(&report.name))
            body {
                h1 { (report.name) }
                p.sub { (report.game.description) }
                p.next { b { "Next: " } (with_code(&report.next)) }
                (facts(report))
                h2 { "Results against bots" }
                (results(&report.matches)?)
                @if !report.ladder.is_empty() {
                    h2 { "How exploitable" }
                    (ladder::section(report)?)
                }
                h2 { "Training" }
                (training(report)?)
                @if let Some(chart) = &report.third_street {
                    h2 { "How it plays third street" }
                    (third_street(chart)?)
                }
                h2 { "Set-up and sizes" }
                (setup(report))
                h2 { "What the numbers mean" }
                (meanings(report))
            }
        }
    };
    Ok(markup.into_string())
}

/// The head of a page.
pub(crate) fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) " - doorcard report" }
            style { (PreEscaped(STYLE)) }
        }
    }
}

/// Text whose parts between backticks are commands.
fn with_code(text: &str) -> Markup {
    html! {
        @for (i, part) in text.split('`').enumerate() {
            @if i % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn facts(report: &RunReport) -> Markup {
    let wins = report.matches.iter().filter(|row| row.wins()).count();
    let last = report.curve.last();
    html! {
        div.facts {
            @if !report.matches.is_empty() {
                div {
                    b { (wins) " of " (report.matches.len()) }
                    span { "bots beaten, whole 95% interval above zero" }
                }
            }
            @if let Some((rung, best)) = Rung::best(&report.ladder) {
                div {
                    b { (units::interval(best.value_msb_per_hand, best.ci95)) }
                    span { "msb/h can be won from it at least, by " (rung.what) }
                }
            }
            div { b { (units::short(report.training.iterations as f64)) } span { (report.training.unit) " trained on" } }
            div { b { (units::seconds(report.training.seconds)) } span { "training, " (report.training.threads) " threads" } }
            div { b { (units::short(report.sizes.infosets as f64)) } span { "infosets in " (units::bytes(report.sizes.table_bytes)) } }
            @if let Some(point) = last {
                div {
                    b { (format!("{:.1}", point.regret_visits_per_infoset)) }
                    span { "regret visits per infoset; " (units::percent(point.visited)) " visited" }
                }
            }
        }
    }
}

fn results(rows: &[MatchRow]) -> Result<Markup, ReportError> {
    if rows.is_empty() {
        return Ok(html! { p { "No matches were played." } });
    }
    Ok(html! {
        figure {
            (PreEscaped(plot::win_rates(rows)?))
        }
        table {
            thead { tr {
                th { "opponent" }
                th.n { "win rate, msb/h" }
                th.n { "95% CI, msb/h" }
                th.n { "decks" }
                th.n { "hands" }
                th.n { "fallback" }
                th { "verdict" }
            } }
            tbody {
                @for row in rows {
                    tr {
                        td { (row.opponents.join(", ")) }
                        td.n { (units::signed(row.mean_msb_per_hand)) }
                        td.n { "± " (units::unsigned(row.ci95)) }
                        td.n { (units::count(row.duplicates)) }
                        td.n { (units::count(row.hands)) }
                        td.n { (row.fallback_rate.map_or("-".into(), units::percent)) }
                        td { (verdict(row)) }
                    }
                }
            }
        }
        p.note {
            "Unbiased estimates of the win rate against these opponents only. Each deck is played once with each "
            "rotation of the seats; the intervals come from the spread of whole decks. Fallback is the share of the "
            "strategy's decisions for which training left no average."
        }
    })
}

fn verdict(row: &MatchRow) -> &'static str {
    match row {
        row if row.wins() => "wins",
        row if row.loses() => "loses",
        _ => "undecided: zero lies inside the interval",
    }
}

fn training(report: &RunReport) -> Result<Markup, ReportError> {
    let points = &report.curve;
    if points.is_empty() {
        return Ok(html! { p { "No checkpoints were recorded." } });
    }
    let line = |name, value: fn(&CurvePoint) -> f64| Series {
        name,
        points: points.iter().map(|point| (point.iteration as f64, value(point))).collect(),
    };
    let visits = plot::curve(
        "visits per infoset",
        &[
            line("regrets", |p| p.regret_visits_per_infoset),
            line("average", |p| p.average_visits_per_infoset),
        ],
    )?;
    let share = plot::curve(
        "infosets reached, %",
        &[line("regrets", |p| p.visited * 100.0), line("average", |p| p.averaged * 100.0)],
    )?;
    let regret =
        plot::curve("summed positive regret, sampled", &[line("regret", |p| p.summed_positive_regret)])?;
    let speed = plot::curve("decision nodes per second", &[line("speed", |p| p.nodes_per_second)])?;
    let last = &points[points.len() - 1];
    Ok(html! {
        div.curves {
            figure { (PreEscaped(visits)) }
            figure { (PreEscaped(share)) }
            figure { (PreEscaped(regret)) }
            figure { (PreEscaped(speed)) }
        }
        table {
            thead { tr {
                th.n { "iterations" }
                th.n { "time" }
                th.n { "nodes" }
                th.n { "regret visits / infoset" }
                th.n { "average visits / infoset" }
                th.n { "summed positive regret, sampled" }
            } }
            tbody {
                @for point in thinned(points, 8) {
                    tr {
                        td.n { (units::count(point.iteration)) }
                        td.n { (units::seconds(point.seconds)) }
                        td.n { (units::short(point.nodes as f64)) }
                        td.n { (format!("{:.2}", point.regret_visits_per_infoset)) }
                        td.n { (format!("{:.2}", point.average_visits_per_infoset)) }
                        td.n { (units::short(point.summed_positive_regret)) }
                    }
                }
            }
        }
        p.note {
            (units::percent(1.0 - last.averaged)) " of the infosets have no average strategy yet; there the exported "
            "strategy plays by its current regrets, then as the nearest hand does, then by equal chances. Summed "
            "positive regret tells whether training still moves. It bounds nothing: it is sampled, and it grows with "
            "the number of infosets."
            @if report.ladder.is_empty() { " This report measures no exploitability." }
        }
    })
}

/// At most `n` points, evenly spread, always with the last.
fn thinned(points: &[CurvePoint], n: usize) -> Vec<&CurvePoint> {
    let step = points.len().div_ceil(n).max(1);
    points.iter().rev().step_by(step).collect::<Vec<_>>().into_iter().rev().collect()
}

fn third_street(chart: &ThirdStreetChart) -> Result<Markup, ReportError> {
    let mut sections = Vec::new();
    for scenario in &chart.scenarios {
        sections.push(html! {
            h3 { (scenario.title) }
            (key(scenario))
            figure { (PreEscaped(plot::scenario(chart, scenario)?)) }
            details {
                summary { "By own door card" }
                (grid(chart, scenario))
            }
        });
    }
    Ok(html! {
        p { "How often each class of hand takes each action, in percent. " (chart.method) }
        @for section in sections { (section) }
    })
}

fn key(scenario: &ChartScenario) -> Markup {
    html! {
        div.key {
            @for action in &scenario.actions {
                span { i style=(format!("background:{}", css(plot::colour(action.kind)))) {} (action.name) }
            }
        }
    }
}

/// The whole chart of one decision as a table of small stacked bars.
fn grid(chart: &ThirdStreetChart, scenario: &ChartScenario) -> Markup {
    let opponents = |own: &str| {
        let own = own.to_string();
        chart.opponents.iter().filter(move |opponent| {
            scenario.mean(|cell| cell.own == own && &cell.opponent == *opponent).is_some()
        })
    };
    html! {
        div.grid { table {
            thead { tr {
                th { "own" br; "door" }
                th { "opp." br; "door" }
                @for hand in &chart.hands { th { (hand) } }
            } }
            tbody {
                @for own in &chart.own {
                    @for (i, opponent) in opponents(own).enumerate() {
                        tr.first[i == 0] {
                            th { b { (own) } }
                            th { (opponent) }
                            @for hand in &chart.hands { (grid_cell(scenario, own, opponent, hand)) }
                        }
                    }
                }
            }
        } }
        p.note {
            "Percent for " (scenario.actions.iter().map(|action| action.name.as_str()).collect::<Vec<_>>().join(" / ")) "."
        }
    }
}

fn grid_cell(scenario: &ChartScenario, own: &str, opponent: &str, hand: &str) -> Markup {
    let Some((mean, _)) =
        scenario.mean(|cell| cell.own == own && cell.opponent == opponent && cell.hand == hand)
    else {
        return html! { td.none { "-" } };
    };
    let mut stops = Vec::new();
    let mut left = 0.0;
    for (action, share) in scenario.actions.iter().zip(&mean) {
        let colour = css(plot::colour(action.kind));
        stops.push(format!("{colour}bb {:.0}% {:.0}%", left * 100.0, (left + share) * 100.0));
        left += share;
    }
    let text: Vec<String> = mean.iter().map(|share| format!("{:.0}", share * 100.0)).collect();
    html! {
        td { div style=(format!("background:linear-gradient(90deg,{})", stops.join(","))) { (text.join(" / ")) } }
    }
}

fn css((r, g, b): (u8, u8, u8)) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn setup(report: &RunReport) -> Markup {
    let RunReport { game, abstraction, training, sizes, .. } = report;
    let rows = [
        ("game", format!("{}: {}", game.name, game.description)),
        ("seed", report.seed.to_string()),
        ("abstraction", format!("{}, fingerprint {}", abstraction.name, abstraction.fingerprint)),
        ("betting history", abstraction.history.clone()),
        (
            "buckets, public x private",
            abstraction
                .streets
                .iter()
                .map(|street| format!("{} {} x {}", street.street, street.public, street.private))
                .collect::<Vec<_>>()
                .join("; "),
        ),
        (
            "solver",
            format!(
                "{}, {} weighting, batches of {} {}",
                training.solver, training.weighting, training.batch, training.unit
            ),
        ),
        ("infosets", units::count(sizes.infosets)),
        ("infoset-action pairs", units::count(sizes.slots)),
        ("table in memory", units::bytes(sizes.table_bytes)),
        ("abstraction file", units::bytes(sizes.abstraction_bytes)),
        ("strategy file", units::bytes(sizes.strategy_bytes)),
        ("decision nodes visited", units::count(training.nodes)),
        ("program", format!("doorcard {}", report.version)),
    ];
    html! {
        table { tbody { @for (name, value) in rows { tr { th { (name) } td { (value) } } } } }
    }
}

fn meanings(report: &RunReport) -> Markup {
    html! {
        table { tbody {
            tr { th { "msb/h" } td {
                "thousandths of a small bet per hand; here a small bet is " (report.game.small_bet)
                " chips, so 1 msb/h = " (format!("{}", report.game.small_bet as f64 / 1000.0)) " chips per hand"
            } }
            tr { th { "95% CI" } td { "confidence interval of the mean over decks, by the normal approximation" } }
            @if !report.ladder.is_empty() {
                tr { th { "lower bound" } td { "somebody who knows the strategy wins this much from it in the real game; a best response wins no less, and nobody knows how much more" } }
                tr { th { "local best response" } td { "a responder that looks no further than its own next bet and takes it that both check and call ever after (Lisy and Bowling 2017)" } }
                tr { th { "exploiter" } td { "a strategy that was trained against this one, which stayed fixed, and then played it; valued by AIVAT" } }
            }
            tr { th { "infoset" } td { "all situations in which the player is given the same betting history and the same buckets" } }
            tr { th { "visit" } td { "one update of an infoset's regrets, or of its average strategy" } }
            tr { th { "summed positive regret" } td { "the largest positive cumulative regret of each infoset as sampled, summed over all infosets, over the total weight of the iterations; chips" } }
            tr { th { "repeatable" } td { "the same configuration and seed give the same bytes for any number of threads; only seconds and speeds differ" } }
        } }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{
        AbstractionSummary, ActionKind, Bound, ChartAction, ChartCell, GameSummary, MilestonePoint, Sizes,
        StreetBuckets, TrainingSummary,
    };

    /// A report with every part filled in.
    pub(crate) fn sample() -> RunReport {
        let point = |iteration: u64| {
            let t = iteration as f64 / 2_000_000.0;
            CurvePoint {
                iteration,
                seconds: 75.0 * t,
                nodes: iteration * 310,
                nodes_per_second: 7.9e6 - 4e5 * t,
                regret_visits_per_infoset: 41.0 * t,
                average_visits_per_infoset: 17.0 * t,
                visited: 1.0 - (-4.0 * t).exp(),
                averaged: 1.0 - (-2.5 * t).exp(),
                summed_positive_regret: 9000.0 / (1.0 + 12.0 * t).sqrt(),
            }
        };
        let row = |bot: &str, mean, ci95| MatchRow {
            bot: "quickstart".into(),
            opponents: vec![bot.into()],
            mean_msb_per_hand: mean,
            ci95,
            hands: 200_000,
            duplicates: 100_000,
            fallback_rate: Some(0.013),
            faults: None,
            aivat: None,
        };
        let street = |street: &str, public, private| StreetBuckets { street: street.into(), public, private };
        RunReport {
            name: "quickstart".into(),
            version: "0.1.0".into(),
            seed: 1,
            game: GameSummary {
                name: "stud_bench".into(),
                description: "seven-card stud high, limit, 2 players, ante 25, bring-in 50, bets 100 and 200"
                    .into(),
                players: 2,
                small_bet: 100,
            },
            abstraction: AbstractionSummary {
                name: "percentile".into(),
                fingerprint: "0123456789abcdef".into(),
                history: "aggressor".into(),
                streets: vec![street("third", 16, 30), street("fourth", 24, 20), street("seventh", 36, 24)],
            },
            training: TrainingSummary {
                solver: "external sampling".into(),
                unit: "deals".into(),
                weighting: "linear".into(),
                iterations: 2_000_000,
                batch: 4096,
                nodes: 620_000_000,
                threads: 2,
                seconds: 75.2,
            },
            sizes: Sizes {
                infosets: 13_512_000,
                slots: 37_000_000,
                table_bytes: 450_000_000,
                abstraction_bytes: 12_000_000,
                strategy_bytes: 74_000_000,
            },
            curve: (1..=20).map(|i| point(i * 100_000)).collect(),
            matches: vec![
                row("uniform", 812.4, 9.1),
                row("raise", 1904.0, 21.5),
                row("fold", 488.1, 2.2),
                row("rock", 71.3, 7.7),
                row("equity", -12.0, 14.9),
                row("other", -250.0, 12.0),
            ],
            ladder: vec![
                rung("lbr 5-7", "local best response, streets 5-7", Some((85.3, 11.5))),
                rung("lbr 4-7", "local best response, streets 4-7", Some((-3.4, 16.2))),
                rung("lbr 3-7", "local best response, streets 3-7", None),
                rung(
                    "exploiter default_percentile",
                    "exploiter, default_percentile, 100,000 boards",
                    Some((112.7, 9.8)),
                ),
            ],
            exploitability: [(250_000, 9.1, 311.0), (500_000, 18.6, 190.2), (1_000_000, 37.9, 121.4)]
                .map(|(iteration, seconds, value)| milestone(iteration, seconds, value))
                .into_iter()
                .chain([milestone(2_000_000, 75.2, 85.3)])
                .collect(),
            third_street: Some(chart()),
            next: "play against it: `doorcard play runs/quickstart/strategy.dcs`".into(),
        }
    }

    fn rung(name: &str, what: &str, result: Option<(f64, f64)>) -> Rung {
        Rung {
            measure: name.split(' ').next().unwrap().into(),
            name: name.into(),
            what: what.into(),
            bound: Bound::Lower,
            value_msb_per_hand: result.map(|(value, _)| value),
            ci95: result.map(|(_, ci95)| ci95),
            hands: 100_000,
            note: result.is_none().then(|| "not measured: asks for too much".into()),
        }
    }

    fn milestone(iteration: u64, seconds: f64, value: f64) -> MilestonePoint {
        MilestonePoint {
            iteration,
            seconds: Some(seconds),
            what: "local best response, streets 5-7".into(),
            value_msb_per_hand: value,
            ci95: 11.5,
            hands: 100_000,
        }
    }

    fn chart() -> ThirdStreetChart {
        let texts = |list: &[&str]| list.iter().map(|text| text.to_string()).collect::<Vec<_>>();
        let own = texts(&["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"]);
        let opponents = texts(&["2 to 5", "6 to 9", "T to K", "A"]);
        let hands = texts(&[
            "rolled-up trips",
            "big pair, buried",
            "big pair, split",
            "small pair, buried",
            "small pair, split",
            "pair, one card dead",
            "three-flush",
            "three-straight",
            "high cards",
            "rest",
        ]);
        let action = |name: &str, kind| ChartAction { name: name.into(), kind };
        let cells = |actions: usize, skip_high: bool| {
            let mut cells = Vec::new();
            for (i, own) in own.iter().enumerate() {
                for (j, opponent) in opponents.iter().enumerate() {
                    for (k, hand) in hands.iter().enumerate() {
                        if skip_high && i < 3 && j < 3 {
                            continue;
                        }
                        let raise = (0.95 - 0.09 * k as f64 - 0.02 * (i + j) as f64).clamp(0.0, 1.0);
                        let fold = if actions == 3 { (1.0 - raise) * k as f64 / 12.0 } else { 0.0 };
                        let frequencies = if actions == 3 {
                            vec![fold, 1.0 - raise - fold, raise]
                        } else {
                            vec![1.0 - raise, raise]
                        };
                        let (own, opponent, hand) = (own.clone(), opponent.clone(), hand.clone());
                        cells.push(ChartCell { own, opponent, hand, weight: 1.0 / 520.0, frequencies });
                    }
                }
            }
            cells
        };
        let two = cells(2, true);
        let three = cells(3, false);
        ThirdStreetChart {
            method: "All 1,098,240 combinations, weighted by how often they arise.".into(),
            own,
            opponents,
            hands,
            scenarios: vec![
                ChartScenario {
                    title: "Low card, first to act: bring in or complete".into(),
                    actions: vec![
                        action("bring-in", ActionKind::Passive),
                        action("complete", ActionKind::Aggressive),
                    ],
                    cells: two,
                },
                ChartScenario {
                    title: "High card, facing the bring-in".into(),
                    actions: vec![
                        action("fold", ActionKind::Fold),
                        action("call", ActionKind::Passive),
                        action("complete", ActionKind::Aggressive),
                    ],
                    cells: three,
                },
            ],
        }
    }

    #[test]
    fn the_page_is_whole_and_self_contained() {
        let page = page(&sample()).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
        assert_eq!(page.matches("<svg").count(), 1 + 2 + 4 + 2);
        for text in
            ["+1,904.0", "± 21.5", "undecided", "rolled-up trips", "doorcard play", "msb/h", "13,512,000"]
        {
            assert!(page.contains(text), "{text}");
        }
        // The figure to quote, what proves nothing, what was not measured, and what all that is not.
        for text in [
            "+112.7 ± 9.8 msb/h</b> (exploiter, default_percentile, 100,000 boards)",
            "proves nothing",
            "not measured: asks for too much",
            "not its exploitability",
            "training time",
        ] {
            assert!(page.contains(text), "{text}");
        }
        // No bound from the other side is known here, and none is claimed.
        assert!(page.contains("summed positive regret, sampled") && page.contains("bounds nothing"));
        assert!(!page.contains("positive regret, msb/h") && !page.contains("from above"));
        for link in ["src=", "href=", "<script", "url("] {
            assert!(!page.contains(link), "{link}");
        }
    }

    #[test]
    fn names_are_escaped() {
        let report = RunReport { name: "<b>&".into(), ..sample() };
        assert!(page(&report).unwrap().contains("<h1>&lt;b&gt;&amp;</h1>"));
    }

    #[test]
    fn an_untrained_unplayed_report_still_renders() {
        let report = RunReport {
            curve: vec![],
            matches: vec![],
            ladder: vec![],
            exploitability: vec![],
            third_street: None,
            ..sample()
        };
        let page = page(&report).unwrap();
        assert!(!page.contains("How exploitable"));
        assert!(page.contains("No matches were played") && page.contains("No checkpoints were recorded"));
    }

    #[test]
    fn an_interval_without_an_end_is_unknown() {
        let mut report = sample();
        report.matches[0].ci95 = f64::INFINITY;
        let page = page(&report).unwrap();
        assert!(page.contains("+812.4 ± unknown") && page.contains("undecided"));
    }

    #[test]
    fn thinning_keeps_the_last() {
        let points = sample().curve;
        let thin = thinned(&points, 8);
        assert!(thin.len() <= 8);
        assert_eq!(thin.last().unwrap().iteration, 2_000_000);
    }
}
