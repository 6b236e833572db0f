//! The comparison as one self-contained HTML page.

use super::{Column, ComparedRun, Comparison, SETUP, shown};
use crate::html::head;
use crate::plot::{self, Group};
use crate::table::Align;
use crate::{MatchReport, ReportError, cross_table, ladder, units};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The page.
///
/// # Errors
/// If the plotting library refuses a plot.
pub fn page(comparison: &Comparison) -> Result<String, ReportError> {
    let (rungs, bots) = (comparison.rungs(), comparison.bots());
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            (head(&format!("{} runs compared", comparison.runs.len())))
            body {
                h1 { (comparison.runs.len()) " runs compared" }
                p.sub { (comparison.game.description) }
                h2 { "Set-up and cost" }
                (setups(comparison))
                @if !rungs.is_empty() {
                    h2 { "How exploitable" }
                    (bounds(comparison, &rungs)?)
                }
                @if !bots.is_empty() {
                    h2 { "Results against bots" }
                    (results(comparison, &bots, true))
                    p.note {
                        "Win rates in msb/h with 95% confidence intervals. Fallback is the share of the strategy's decisions "
                        "for which training left no average, over these matches. What wins against one opponent and what "
                        "cannot be exploited are two questions."
                    }
                }
                @if let Some(report) = &comparison.matches {
                    h2 { "Against each other" }
                    (matches(report))
                }
                p.note { "msb/h: thousandths of a small bet per hand. doorcard " (comparison.version) "." }
            }
        }
    };
    Ok(markup.into_string())
}

fn setups(comparison: &Comparison) -> Markup {
    html! {
        div.wide { table {
            thead { tr {
                @for (head, align) in SETUP { th.n[align == Align::Right] { (head) } }
                th { "fingerprint" }
            } }
            tbody {
                @for (setup, run) in comparison.setups().iter().zip(&comparison.runs) {
                    tr {
                        @for (cell, (_, align)) in setup.iter().zip(SETUP) {
                            td.n[align == Align::Right] { (cell) }
                        }
                        td { code { (run.abstraction.fingerprint) } }
                    }
                }
            }
        } }
        p.note { "Infosets are those of the abstract game; the fingerprint is the abstraction's." }
    }
}

fn bounds(comparison: &Comparison, rungs: &[Column]) -> Result<Markup, ReportError> {
    let names = || comparison.runs.iter().map(|run| run.name.clone());
    let groups: Vec<Group> = rungs
        .iter()
        .map(|rung| Group {
            name: rung.what.clone(),
            rows: names().zip(rung.results.iter().copied()).collect(),
        })
        .collect();
    let lines: Vec<_> = comparison
        .runs
        .iter()
        .map(|run| ladder::timed(&run.name, &run.exploitability))
        .filter(|line| !line.points.is_empty())
        .collect();
    let mut measures: Vec<&str> =
        comparison.runs.iter().flat_map(|run| &run.exploitability).map(|point| point.what.as_str()).collect();
    measures.dedup();
    // Lines of different measures say nothing to each other.
    let measure = match measures[..] {
        [measure] => measure,
        _ => "not all by one measure",
    };
    Ok(html! {
        p { (ladder::CAVEAT) }
        figure {
            (PreEscaped(plot::dots("won from the strategy at least, msb/h, with its 95% confidence interval", &groups)?))
        }
        (results(comparison, rungs, false))
        (remarks(&comparison.runs))
        @if !lines.is_empty() {
            h3 { "Against training time" }
            figure { (PreEscaped(plot::over_time(measure, &lines)?)) }
        }
    })
}

/// What there is to say of rungs besides their figures.
fn remarks(runs: &[ComparedRun]) -> Markup {
    let all: Vec<(String, String)> = runs
        .iter()
        .flat_map(|run| run.ladder.iter().map(move |rung| (run, rung)))
        .map(|(run, rung)| (format!("{}, {}", run.name, rung.what), ladder::remark(rung)))
        .filter(|(_, remark)| !remark.is_empty())
        .collect();
    html! {
        @for (what, remark) in all { p.note { (what) ": " (remark) "." } }
    }
}

fn results(comparison: &Comparison, columns: &[Column], fallbacks: bool) -> Markup {
    html! {
        div.wide { table {
            thead { tr {
                th { "run" }
                @for column in columns { th.n { (column.head) ", msb/h" } }
                @if fallbacks { th.n { "fallback" } }
            } }
            tbody {
                @for ((i, run), fallback) in comparison.runs.iter().enumerate().zip(comparison.fallbacks()) {
                    tr {
                        td { (run.name) }
                        @for column in columns { td.n { (shown(column.results[i])) } }
                        @if fallbacks { td.n { (fallback) } }
                    }
                }
            }
        } }
    }
}

/// Ranking and cross-table of a match.
fn matches(report: &MatchReport) -> Markup {
    let standings = report.standings();
    let with = if cross_table::heads_up(report) { "against" } else { "with" };
    html! {
        div.wide { table {
            thead { tr {
                th.n { "rank" }
                th { "player" }
                th.n { "msb/h, all tables" }
                @if !report.cross.is_empty() {
                    @for column in &standings { th.n { (with) " " (column.player) } }
                }
            } }
            tbody {
                @for (place, row) in standings.iter().enumerate() {
                    tr {
                        td.n { (place + 1) }
                        td { (row.player) }
                        td.n { b { (units::interval(row.mean_msb_per_hand, row.ci95)) } }
                        @if !report.cross.is_empty() {
                            @for column in &standings {
                                td.n {
                                    (cross_table::cell(report, row, column).map_or("-".into(), |cell| {
                                        units::interval(cell.mean_msb_per_hand, cell.ci95)
                                    }))
                                }
                            }
                        }
                    }
                }
            }
        } }
        p.note {
            "msb/h with 95% confidence intervals; " (units::count(report.hands)) " hands at each table, seed "
            (report.seed) ". All tables play the same decks, and a rank's interval comes from the spread of whole decks."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn the_page_has_every_part_and_needs_no_other_file() {
        let page = page(&sample()).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
        assert_eq!(page.matches("<svg").count(), 2);
        for part in [
            "2 runs compared",
            "rank_10m",
            "0123456789abcdef",
            "not its exploitability",
            "+61.3 ± 11.5",
            "quickstart, local best response, streets 3-7: not measured: asks for too much.",
            "Against training time",
            "Against each other",
            "against a_b",
        ] {
            assert!(page.contains(part), "{part}");
        }
        for link in ["src=", "href=", "<script", "url("] {
            assert!(!page.contains(link), "{link}");
        }
        let mut bare = sample();
        bare.matches = None;
        for run in &mut bare.runs {
            (run.ladder, run.exploitability) = (Vec::new(), Vec::new());
        }
        let page = super::page(&bare).unwrap();
        assert!(!page.contains("How exploitable") && !page.contains("Against each other"));
        assert!(page.contains("Results against bots"));
    }
}
