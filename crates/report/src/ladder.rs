//! Ladders: what a strategy can lose to somebody who knows it, by several measures and along training. For terminals, as
//! CSV, as LaTeX, and a section of the page.
//!
//! All figures are in msb/h (thousandths of a small bet per hand), with half the width of their 95% confidence intervals.

use crate::cross_table::{csv_text, escape, math, number, on_one_line};
use crate::plot::{self, Timed};
use crate::table::{Align, plain};
use crate::{Bound, Estimate, MilestonePoint, ReportError, RunReport, Rung, units};
use maud::{Markup, PreEscaped, html};

/// What no reader of a lower bound should forget.
pub(crate) const CAVEAT: &str = "Lower bounds: the strategy loses at least so much to somebody who knows it. \
    That is not its exploitability, which is what a best response wins: no less than any rung, and nobody knows how much more.";

/// What a bound says, in front of a figure.
pub(crate) fn at(bound: Bound) -> &'static str {
    match bound {
        Bound::Lower => "at least",
        Bound::Upper => "at most",
        Bound::None => "about",
    }
}

/// What there is to say of a rung besides its figure.
pub(crate) fn remark(rung: &Rung) -> String {
    match (&rung.note, rung.proves_nothing()) {
        (Some(note), _) => note.clone(),
        (None, true) => "proves nothing".into(),
        (None, false) => String::new(),
    }
}

/// The rungs for a terminal.
pub fn text(rungs: &[Rung]) -> String {
    let columns = [
        ("can be won from it", Align::Left),
        ("msb/h", Align::Right),
        ("95% CI", Align::Right),
        ("hands", Align::Right),
        ("by", Align::Left),
        ("", Align::Left),
    ];
    let line = |rung: &Rung| {
        let result = rung.result();
        let figure = |show: fn(Estimate) -> String| result.map_or("-".into(), show);
        vec![
            if result.is_some() { at(rung.bound).into() } else { "-".into() },
            figure(|result| units::signed(result.value_msb_per_hand)),
            figure(|result| format!("± {}", units::unsigned(result.ci95))),
            if result.is_some() { units::count(rung.hands) } else { "-".into() },
            rung.what.clone(),
            remark(rung),
        ]
    };
    plain(&columns, rungs.iter().map(line).collect())
}

/// The milestones that are not the finished strategy, whose figure is a rung.
fn earlier(report: &RunReport) -> impl Iterator<Item = &MilestonePoint> {
    report.exploitability.iter().filter(|point| point.iteration < report.training.iterations)
}

/// Rungs and milestones as CSV with a head: of the finished strategy a record for each rung, then one for each strategy
/// kept along training. Figures are not rounded; what is unknown is empty.
pub fn csv(report: &RunReport) -> String {
    let head = ["iteration", "seconds", "measure", "what", "bound", "msb_per_hand", "ci95", "hands", "note"];
    let mut records = vec![head.map(String::from).to_vec()];
    let optional = |x: Option<f64>| x.map_or_else(String::new, number);
    for rung in &report.ladder {
        records.push(vec![
            report.training.iterations.to_string(),
            number(report.training.seconds),
            rung.measure.clone(),
            rung.what.clone(),
            word(rung.bound).into(),
            optional(rung.value_msb_per_hand),
            optional(rung.ci95),
            rung.hands.to_string(),
            rung.note.clone().unwrap_or_default(),
        ]);
    }
    for point in earlier(report) {
        records.push(vec![
            point.iteration.to_string(),
            optional(point.seconds),
            "lbr".into(),
            point.what.clone(),
            word(Bound::Lower).into(),
            number(point.value_msb_per_hand),
            number(point.ci95),
            point.hands.to_string(),
            String::new(),
        ]);
    }
    csv_text(&records)
}

/// A bound as JSON has it.
fn word(bound: Bound) -> &'static str {
    match bound {
        Bound::Lower => "lower",
        Bound::Upper => "upper",
        Bound::None => "none",
    }
}

/// Rungs and, where there are any, milestones as LaTeX `tabular`s with the rules of the package `booktabs`.
pub fn latex(report: &RunReport) -> String {
    let origin = format!("doorcard {}, {}, {}", report.version, report.name, report.game.name);
    let mut text = format!("% {}\n", on_one_line(&origin));
    text += "% lower bounds are not the exploitability; msb/h with 95% confidence intervals; \\usepackage{booktabs}\n";
    text += "\\begin{tabular}{llrr}\n\\toprule\nmeasure & bound & msb/h & hands \\\\\n\\midrule\n";
    for rung in &report.ladder {
        let (figure, hands) = match rung.result() {
            Some(result) => (math(result.value_msb_per_hand, result.ci95), units::count(rung.hands)),
            None => ("not measured".into(), "--".into()),
        };
        text += &format!("{} & {} & {figure} & {hands} \\\\\n", escape(&rung.what), word(rung.bound));
    }
    text += "\\bottomrule\n\\end{tabular}\n";
    if let [first, ..] = &report.exploitability[..] {
        text += &format!("\n% {}, along training\n", on_one_line(&first.what));
        text += "\\begin{tabular}{rrr}\n\\toprule\n";
        text += &format!("{} & training & msb/h \\\\\n\\midrule\n", escape(&report.training.unit));
        for point in &report.exploitability {
            let time = point.seconds.map_or("--".into(), units::seconds);
            let figure = math(point.value_msb_per_hand, point.ci95);
            text += &format!("{} & {time} & {figure} \\\\\n", units::count(point.iteration));
        }
        text += "\\bottomrule\n\\end{tabular}\n";
    }
    text
}

/// The points of a run whose time is known.
pub(crate) fn timed(name: &str, points: &[MilestonePoint]) -> Timed {
    let known = |point: &MilestonePoint| {
        let result = Estimate { value_msb_per_hand: point.value_msb_per_hand, ci95: point.ci95 };
        Some((point.seconds?, result))
    };
    Timed { name: name.into(), points: points.iter().filter_map(known).collect() }
}

/// The section of a page.
pub(crate) fn section(report: &RunReport) -> Result<Markup, ReportError> {
    let rungs = &report.ladder;
    let best = Rung::best(rungs);
    Ok(html! {
        p { (CAVEAT) }
        p {
            @match best {
                Some((rung, best)) => {
                    "The figure to quote is the largest: at least "
                    b { (units::interval(best.value_msb_per_hand, best.ci95)) " msb/h" }
                    " (" (rung.what) ")."
                }
                None => "No rung is above zero by more than its interval: none proves anything.",
            }
        }
        figure { (PreEscaped(plot::ladder(rungs)?)) }
        table {
            thead { tr {
                th { "measure" }
                th { "bound" }
                th.n { "msb/h" }
                th.n { "95% CI, msb/h" }
                th.n { "hands" }
                th { "remarks" }
            } }
            tbody {
                @for rung in rungs {
                    @let result = rung.result();
                    tr {
                        td { (rung.what) }
                        td { (word(rung.bound)) }
                        td.n { (result.map_or("-".into(), |result| units::signed(result.value_msb_per_hand))) }
                        td.n { (result.map_or("-".into(), |result| format!("± {}", units::unsigned(result.ci95)))) }
                        td.n { (if result.is_some() { units::count(rung.hands) } else { "-".into() }) }
                        td { (if is_best(rung, best) { "the figure to quote".into() } else { remark(rung) }) }
                    }
                }
            }
        }
        @if let [first, ..] = &report.exploitability[..] {
            h3 { "Against training time" }
            figure { (PreEscaped(plot::over_time(&first.what, &[timed(&report.name, &report.exploitability)])?)) }
            (milestones(report))
        }
    })
}

fn is_best(rung: &Rung, best: Option<(&Rung, Estimate)>) -> bool {
    best.is_some_and(|(best, _)| std::ptr::eq(best, rung))
}

fn milestones(report: &RunReport) -> Markup {
    html! {
        table {
            thead { tr {
                th.n { (report.training.unit) }
                th.n { "training time" }
                th.n { "msb/h" }
                th.n { "95% CI, msb/h" }
                th.n { "hands" }
            } }
            tbody {
                @for point in &report.exploitability {
                    tr {
                        td.n { (units::count(point.iteration)) }
                        td.n { (point.seconds.map_or("-".into(), units::seconds)) }
                        td.n { (units::signed(point.value_msb_per_hand)) }
                        td.n { "± " (units::unsigned(point.ci95)) }
                        td.n { (units::count(point.hands)) }
                    }
                }
            }
        }
        p.note {
            "The average strategy as it was after so much of the training. All are measured on the same deals, and by a "
            "lower bound, which may fall faster or more slowly than what a best response wins."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::tests::sample;

    #[test]
    fn rungs_are_listed_for_a_terminal() {
        let expected = "\
can be won from it   msb/h  95% CI    hands  by
--------------------------------------------------------------------------------------------------------------
at least             +85.3  ± 11.5  100,000  local best response, streets 5-7
at least              -3.4  ± 16.2  100,000  local best response, streets 4-7               proves nothing
-                        -       -        -  local best response, streets 3-7               not measured: asks for too much
at least            +112.7   ± 9.8  100,000  exploiter, default_percentile, 100,000 boards
";
        let shown = text(&sample().ladder);
        let lines =
            |text: &str| text.lines().filter(|l| !l.starts_with("--")).map(String::from).collect::<Vec<_>>();
        assert_eq!(lines(&shown), lines(expected));
    }

    #[test]
    fn csv_has_rungs_and_milestones_and_the_last_once() {
        let expected = "\
iteration,seconds,measure,what,bound,msb_per_hand,ci95,hands,note
2000000,75.2,lbr,\"local best response, streets 5-7\",lower,85.3,11.5,100000,
2000000,75.2,lbr,\"local best response, streets 4-7\",lower,-3.4,16.2,100000,
2000000,75.2,lbr,\"local best response, streets 3-7\",lower,,,100000,not measured: asks for too much
2000000,75.2,exploiter,\"exploiter, default_percentile, 100,000 boards\",lower,112.7,9.8,100000,
250000,9.1,lbr,\"local best response, streets 5-7\",lower,311,11.5,100000,
500000,18.6,lbr,\"local best response, streets 5-7\",lower,190.2,11.5,100000,
1000000,37.9,lbr,\"local best response, streets 5-7\",lower,121.4,11.5,100000,
";
        assert_eq!(csv(&sample()), expected);
    }

    #[test]
    fn latex_is_escaped_and_ruled() {
        let expected = r"% doorcard 0.1.0, quickstart, stud_bench
% lower bounds are not the exploitability; msb/h with 95% confidence intervals; \usepackage{booktabs}
\begin{tabular}{llrr}
\toprule
measure & bound & msb/h & hands \\
\midrule
local best response, streets 5-7 & lower & $+85.3 \pm 11.5$ & 100,000 \\
local best response, streets 4-7 & lower & $-3.4 \pm 16.2$ & 100,000 \\
local best response, streets 3-7 & lower & not measured & -- \\
exploiter, default\_percentile, 100,000 boards & lower & $+112.7 \pm 9.8$ & 100,000 \\
\bottomrule
\end{tabular}

% local best response, streets 5-7, along training
\begin{tabular}{rrr}
\toprule
deals & training & msb/h \\
\midrule
250,000 & 9.1 s & $+311.0 \pm 11.5$ \\
500,000 & 18.6 s & $+190.2 \pm 11.5$ \\
1,000,000 & 37.9 s & $+121.4 \pm 11.5$ \\
2,000,000 & 1 min 15 s & $+85.3 \pm 11.5$ \\
\bottomrule
\end{tabular}
";
        assert_eq!(latex(&sample()), expected);
    }
}
