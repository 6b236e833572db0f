//! Plain, aligned tables for terminals.

use crate::{MatchReport, MatchRow, units};
use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// The side on which a column is flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table with a head, a rule under it and no other lines. Every line ends with a line break and no line with
/// blanks.
///
/// ```
/// use doorcard_report::table::{Align, plain};
/// let text = plain(&[("bot", Align::Left), ("hands", Align::Right)], vec![vec!["rock".into(), "2,000".into()]]);
/// assert_eq!(text, "bot   hands\n-----------\nrock  2,000\n");
/// ```
pub fn plain(columns: &[(&str, Align)], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('-')));
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(columns.iter().map(|(name, align)| cell(name, *align)));
    for row in rows {
        table.add_row(row.iter().zip(columns).map(|(text, (_, align))| cell(text, *align)));
    }
    finish(table)
}

/// Names and values in two columns, without a head.
pub fn fields(rows: &[(&str, String)]) -> String {
    let mut table = Table::new();
    table.load_style(TableStyle::new());
    table.set_content_arrangement(ContentArrangement::Disabled);
    for (name, value) in rows {
        table.add_row([Cell::new(name), Cell::new(value)]);
    }
    finish(table)
}

/// The result of a match in msb/h: a cross-table where every table had two seats and more than two players met,
/// otherwise one line for each player. With trained strategies also how often each fell back for want of an average,
/// and with external bots that had faults how many of each kind.
pub fn matches(report: &MatchReport) -> String {
    let mut names: Vec<&str> = Vec::new();
    for row in &report.table {
        if !names.contains(&row.bot.as_str()) {
            names.push(&row.bot);
        }
    }
    let pairs = report.table.iter().all(|row| row.opponents.len() == 1);
    if pairs && names.len() > 2 && report.table.len() == names.len() * (names.len() - 1) {
        let more = [remarks(&report.table, "fallback", fallback), remarks(&report.table, "faults", faults)];
        let parts = std::iter::once(cross_table(&names, &report.table)).chain(more.into_iter().flatten());
        parts.collect::<Vec<_>>().join("\n")
    } else {
        list(&report.table)
    }
}

/// One line for each row.
pub fn list(rows: &[MatchRow]) -> String {
    let mut columns = vec![
        ("player", Align::Left),
        ("against", Align::Left),
        ("msb/h", Align::Right),
        ("95% CI", Align::Right),
        ("hands", Align::Right),
    ];
    let mut remarks: Vec<fn(&MatchRow) -> Option<String>> = Vec::new();
    if rows.iter().any(|row| fallback(row).is_some()) {
        columns.push(("fallback", Align::Right));
        remarks.push(fallback);
    }
    if rows.iter().any(|row| faults(row).is_some()) {
        columns.push(("faults", Align::Left));
        remarks.push(faults);
    }
    let lines = rows.iter().map(|row| {
        let mut line = vec![
            row.bot.clone(),
            row.opponents.join(", "),
            units::signed(row.mean_msb_per_hand),
            format!("± {}", units::unsigned(row.ci95)),
            units::count(row.hands),
        ];
        line.extend(remarks.iter().map(|remark| remark(row).unwrap_or("-".into())));
        line
    });
    plain(&columns, lines.collect())
}

/// How often a trained strategy fell back.
fn fallback(row: &MatchRow) -> Option<String> {
    row.fallback_rate.map(units::percent)
}

/// How often an external bot lost a decision to what, if it did.
fn faults(row: &MatchRow) -> Option<String> {
    let words =
        |(kind, count): (&String, &u64)| format!("{} {}", kind.replace('_', " "), units::count(*count));
    let text = row.faults.iter().flatten().map(words).collect::<Vec<_>>().join(", ");
    (!text.is_empty()).then_some(text)
}

/// What there is to say about players in each match, a line for each about whom there is; nothing if there is none.
fn remarks(rows: &[MatchRow], what: &str, remark: fn(&MatchRow) -> Option<String>) -> Option<String> {
    let columns = [("player", Align::Left), ("against", Align::Left), (what, Align::Right)];
    let line = |row: &MatchRow| Some(vec![row.bot.clone(), row.opponents.join(", "), remark(row)?]);
    let lines: Vec<_> = rows.iter().filter_map(line).collect();
    (!lines.is_empty()).then(|| plain(&columns, lines))
}

fn cross_table(names: &[&str], rows: &[MatchRow]) -> String {
    let mut columns = vec![("msb/h against", Align::Left)];
    columns.extend(names.iter().map(|name| (*name, Align::Right)));
    let lines = names.iter().map(|&name| {
        let mut line = vec![name.to_string()];
        line.extend(names.iter().map(|&opponent| {
            rows.iter()
                .find(|row| row.bot == name && row.opponents[0] == opponent)
                .map_or("-".into(), |row| units::interval(row.mean_msb_per_hand, row.ci95))
        }));
        line
    });
    plain(&columns, lines.collect())
}

fn cell(text: &str, align: Align) -> Cell {
    Cell::new(text).set_alignment(match align {
        Align::Left => CellAlignment::Left,
        Align::Right => CellAlignment::Right,
    })
}

fn finish(mut table: Table) -> String {
    let last = table.column_count().saturating_sub(1);
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if i == last { 0 } else { 2 }));
    }
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(bot: &str, opponent: &str, mean: f64) -> MatchRow {
        MatchRow {
            bot: bot.into(),
            opponents: vec![opponent.into()],
            mean_msb_per_hand: mean,
            ci95: 8.04,
            hands: 200_000,
            duplicates: 100_000,
            fallback_rate: None,
            faults: None,
        }
    }

    fn report(table: Vec<MatchRow>) -> MatchReport {
        MatchReport {
            version: "0.0.0".into(),
            game: "stud_bench".into(),
            hands: 200_000,
            seed: 1,
            strategy: None,
            table,
        }
    }

    #[test]
    fn two_players_get_a_line_each() {
        let text = matches(&report(vec![row("rock", "raise", 1234.5), row("raise", "rock", -1234.5)]));
        assert_eq!(
            text,
            "player  against     msb/h  95% CI    hands\n\
             ------------------------------------------\n\
             rock    raise    +1,234.5   ± 8.0  200,000\n\
             raise   rock     -1,234.5   ± 8.0  200,000\n"
        );
    }

    #[test]
    fn strategies_show_how_often_they_fell_back() {
        let strategy =
            |opponent: &str, rate| MatchRow { fallback_rate: Some(rate), ..row("s", opponent, 1.0) };
        let text = list(&[strategy("rock", 0.0126), row("rock", "s", -1.0)]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].ends_with("fallback") && lines[2].ends_with("1.3 %"), "{text}");
        assert!(lines[3].ends_with(" -"), "{text}");

        let mut table = vec![strategy("rock", 0.0126), strategy("call", 0.5)];
        for (bot, opponent) in [("rock", "s"), ("rock", "call"), ("call", "s"), ("call", "rock")] {
            table.push(row(bot, opponent, 0.0));
        }
        let text = matches(&report(table));
        let end = "player  against  fallback\n-------------------------\n\
                   s       rock        1.3 %\ns       call       50.0 %\n";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn faults_are_shown_where_there_are_any() {
        let faults = |counts: &[(&str, u64)]| {
            Some(counts.iter().map(|&(kind, count)| (kind.to_string(), count)).collect())
        };
        let bad = MatchRow { faults: faults(&[("out", 1234), ("timed_out", 5)]), ..row("bad", "rock", -1.0) };
        let good = MatchRow { faults: faults(&[]), ..row("good", "rock", 1.0) };
        let text = list(&[bad.clone(), good.clone(), row("rock", "bad", 1.0)]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].ends_with("faults") && lines[2].ends_with("out 1,234, timed out 5"), "{text}");
        assert!(lines[3].ends_with(" -") && lines[4].ends_with(" -"), "{text}");
        assert!(!list(std::slice::from_ref(&good)).contains("faults"));

        let mut table = vec![bad, good];
        for (bot, opponent) in [("bad", "good"), ("good", "bad"), ("rock", "bad"), ("rock", "good")] {
            table.push(row(bot, opponent, 0.0));
        }
        let text = matches(&report(table));
        assert!(text.contains("msb/h against"), "{text}");
        assert!(text.ends_with("\nbad     rock     out 1,234, timed out 5\n"), "{text}");
    }

    #[test]
    fn three_players_get_a_cross_table() {
        let mut rows = Vec::new();
        for a in ["a", "b", "c"] {
            for b in ["a", "b", "c"] {
                if a != b {
                    rows.push(row(a, b, 10.0));
                }
            }
        }
        let text = matches(&report(rows));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert!(
            lines[2].starts_with("a") && lines[2].contains(" - ") && lines[2].contains("+10.0 ± 8.0"),
            "{text}"
        );
    }

    #[test]
    fn fields_are_aligned() {
        assert_eq!(fields(&[("a", "1".into()), ("long", "2".into())]), "a     1\nlong  2\n");
    }
}
