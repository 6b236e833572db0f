//! Rankings and cross-tables of matches over several tables: for terminals, as CSV and as LaTeX.
//!
//! A cell is what the player of its row won at the tables where the player of its column sat too: heads-up simply
//! against it. Rows and columns stand in the order of the ranking. All figures are in msb/h (thousandths of a small bet
//! per hand), with half the width of their 95% confidence intervals.

use crate::table::{Align, plain};
use crate::{CrossCell, MatchReport, Ranked, units};

/// The players, best first: a line each with its mean over all its tables.
pub fn ranking(report: &MatchReport) -> String {
    let columns = [
        ("rank", Align::Right),
        ("player", Align::Left),
        ("msb/h", Align::Right),
        ("95% CI", Align::Right),
        ("tables", Align::Right),
        ("hands", Align::Right),
    ];
    let line = |(place, ranked): (usize, &Ranked)| {
        vec![
            (place + 1).to_string(),
            ranked.player.clone(),
            units::signed(ranked.mean_msb_per_hand),
            format!("± {}", units::unsigned(ranked.ci95)),
            units::count(ranked.tables as u64),
            units::count(ranked.hands),
        ]
    };
    plain(&columns, report.standings().iter().enumerate().map(line).collect())
}

/// The cross-table for a terminal.
pub fn text(report: &MatchReport) -> String {
    let standings = report.standings();
    let corner = if heads_up(report) { "msb/h against" } else { "msb/h with" };
    let mut columns = vec![(corner, Align::Left)];
    columns.extend(standings.iter().map(|ranked| (ranked.player.as_str(), Align::Right)));
    let shown = |cell: &CrossCell| units::interval(cell.mean_msb_per_hand, cell.ci95);
    let line = |row: &Ranked| {
        let cells = standings.iter().map(|column| cell(report, row, column).map_or("-".into(), shown));
        [row.player.clone()].into_iter().chain(cells).collect()
    };
    plain(&columns, standings.iter().map(line).collect())
}

/// Ranking and cross-table as CSV with a head: rank, player, its mean and interval and hands, then, where there was more
/// than one table, mean and interval against each player. Means are not rounded; what is unknown is empty.
pub fn csv(report: &MatchReport) -> String {
    let standings = report.standings();
    let against = if report.cross.is_empty() { &[][..] } else { &standings[..] };
    let mut head = ["rank", "player", "msb_per_hand", "ci95", "hands"].map(String::from).to_vec();
    for column in against {
        head.extend([format!("msb_per_hand:{}", column.player), format!("ci95:{}", column.player)]);
    }
    let mut records = vec![head];
    for (place, row) in standings.iter().enumerate() {
        let mut record = vec![(place + 1).to_string(), row.player.clone()];
        record.extend([number(row.mean_msb_per_hand), number(row.ci95), row.hands.to_string()]);
        for column in against {
            let found = cell(report, row, column);
            record.extend(found.map_or([String::new(), String::new()], |cell| {
                [number(cell.mean_msb_per_hand), number(cell.ci95)]
            }));
        }
        records.push(record);
    }
    csv_text(&records)
}

/// Records as the text of a CSV file, fields quoted where they have to be.
pub fn csv_text(records: &[Vec<String>]) -> String {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    for record in records {
        writer.write_record(record).expect("records of one length are written to memory");
    }
    let bytes = writer.into_inner().expect("memory takes everything");
    String::from_utf8(bytes).expect("fields are text")
}

/// A number in full; what is not finite is empty.
pub fn number(x: f64) -> String {
    if x.is_finite() { x.to_string() } else { String::new() }
}

/// Ranking and cross-table as a LaTeX `tabular` with the rules of the package `booktabs`. Columns: rank, player, mean over
/// all tables, then, where there was more than one table, mean against each player.
pub fn latex(report: &MatchReport) -> String {
    let standings = report.standings();
    let against = if report.cross.is_empty() { &[][..] } else { &standings[..] };
    let origin = format!(
        "doorcard {}, {}, {} hands at each table, seed {}",
        report.version, report.game, report.hands, report.seed
    );
    let mut text = format!("% {}\n", on_one_line(&origin));
    text += "% msb/h with 95% confidence intervals; \\usepackage{booktabs}\n";
    text += &format!("\\begin{{tabular}}{{rlr{}}}\n\\toprule\n", "r".repeat(against.len()));
    let mut head = vec![String::new(), "player".into(), "msb/h".into()];
    let with = if heads_up(report) { "against" } else { "with" };
    head.extend(against.iter().map(|column| format!("{with} {}", escape(&column.player))));
    text += &format!("{} \\\\\n\\midrule\n", head.join(" & "));
    for (place, row) in standings.iter().enumerate() {
        let mut fields = vec![(place + 1).to_string(), escape(&row.player)];
        fields.push(math(row.mean_msb_per_hand, row.ci95));
        fields.extend(against.iter().map(|column| {
            let found = cell(report, row, column);
            found.map_or("--".into(), |cell| math(cell.mean_msb_per_hand, cell.ci95))
        }));
        text += &format!("{} \\\\\n", fields.join(" & "));
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

pub(crate) fn heads_up(report: &MatchReport) -> bool {
    report.table.iter().all(|row| row.opponents.len() == 1)
}

pub(crate) fn cell<'a>(report: &'a MatchReport, row: &Ranked, column: &Ranked) -> Option<&'a CrossCell> {
    report.cross.iter().find(|cell| cell.player == row.player && cell.opponent == column.player)
}

/// A mean and its interval in math mode; a comma that groups digits is no punctuation there.
pub(crate) fn math(mean: f64, ci95: f64) -> String {
    let digits = |text: String| text.replace(',', "{,}");
    match ci95.is_finite() {
        true => format!("${} \\pm {}$", digits(units::signed(mean)), digits(units::unsigned(ci95))),
        false => format!("${}$", digits(units::signed(mean))),
    }
}

/// Text with the characters that LaTeX reads as commands made plain.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in on_one_line(text).chars() {
        match c {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}

pub(crate) fn on_one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::MatchRow;

    /// A round robin of three.
    pub(crate) fn sample() -> MatchReport {
        let met = [("rock", "call", 1234.54), ("rock", "a_b", -10.0), ("call", "a_b", 2.0)];
        let both = met.iter().flat_map(|&(a, b, mean)| [(a, b, mean), (b, a, -mean)]);
        let row = |(player, opponent, mean): (&str, &str, f64)| MatchRow {
            bot: player.into(),
            opponents: vec![opponent.into()],
            mean_msb_per_hand: mean,
            ci95: 8.04,
            hands: 2000,
            duplicates: 1000,
            fallback_rate: None,
            faults: None,
            aivat: None,
        };
        let cell = |(player, opponent, mean): (&str, &str, f64)| CrossCell {
            player: player.into(),
            opponent: opponent.into(),
            mean_msb_per_hand: mean,
            ci95: 8.04,
            tables: 1,
        };
        let ranked = |player: &str, mean| Ranked {
            player: player.into(),
            mean_msb_per_hand: mean,
            ci95: 5.5,
            tables: 2,
            hands: 4000,
        };
        MatchReport {
            version: "0.0.0".into(),
            game: "stud_bench".into(),
            hands: 2000,
            seed: 1,
            strategy: None,
            table: both.clone().map(row).collect(),
            ranking: vec![ranked("rock", 612.27), ranked("a_b", 4.0), ranked("call", -616.27)],
            cross: both.map(cell).collect(),
            ledger: Vec::new(),
        }
    }

    #[test]
    fn a_round_robin_is_ranked_and_crossed() {
        let expected = "\
rank  player   msb/h  95% CI  tables  hands
-------------------------------------------
   1  rock    +612.3   ± 5.5       2  4,000
   2  a_b       +4.0   ± 5.5       2  4,000
   3  call    -616.3   ± 5.5       2  4,000

msb/h against            rock          a_b            call
----------------------------------------------------------
rock                        -  -10.0 ± 8.0  +1,234.5 ± 8.0
a_b               +10.0 ± 8.0            -      -2.0 ± 8.0
call           -1,234.5 ± 8.0   +2.0 ± 8.0               -
";
        assert_eq!(crate::table::matches(&sample()), expected);
    }

    #[test]
    fn csv_is_exact_and_quoted_where_it_must_be() {
        let mut report = sample();
        report.ranking[2].ci95 = f64::INFINITY;
        let expected = "\
rank,player,msb_per_hand,ci95,hands,msb_per_hand:rock,ci95:rock,msb_per_hand:a_b,ci95:a_b,msb_per_hand:call,ci95:call
1,rock,612.27,5.5,4000,,,-10,8.04,1234.54,8.04
2,a_b,4,5.5,4000,10,8.04,,,-2,8.04
3,call,-616.27,,4000,-1234.54,8.04,2,8.04,,
";
        assert_eq!(csv(&report), expected);
        let records = [vec!["a,b".to_string(), "say \"no\"".into()]];
        assert_eq!(csv_text(&records), "\"a,b\",\"say \"\"no\"\"\"\n");
    }

    #[test]
    fn latex_is_escaped_and_ruled() {
        let mut report = sample();
        report.ranking[2].ci95 = f64::INFINITY;
        let expected = r"% doorcard 0.0.0, stud_bench, 2000 hands at each table, seed 1
% msb/h with 95% confidence intervals; \usepackage{booktabs}
\begin{tabular}{rlrrrr}
\toprule
 & player & msb/h & against rock & against a\_b & against call \\
\midrule
1 & rock & $+612.3 \pm 5.5$ & -- & $-10.0 \pm 8.0$ & $+1{,}234.5 \pm 8.0$ \\
2 & a\_b & $+4.0 \pm 5.5$ & $+10.0 \pm 8.0$ & -- & $-2.0 \pm 8.0$ \\
3 & call & $-616.3$ & $-1{,}234.5 \pm 8.0$ & $+2.0 \pm 8.0$ & -- \\
\bottomrule
\end{tabular}
";
        assert_eq!(latex(&report), expected);
        assert_eq!(
            escape("50% of a&b #1 {x} $y ~z ^ \\\n"),
            "50\\% of a\\&b \\#1 \\{x\\} \\$y \\textasciitilde{}z \\textasciicircum{} \\textbackslash{} "
        );
    }

    #[test]
    fn a_single_table_has_standings_and_no_cross_table() {
        let mut report = sample();
        report.table.truncate(2);
        report.table.reverse();
        (report.ranking, report.cross) = (Vec::new(), Vec::new());
        assert_eq!(
            csv(&report),
            "rank,player,msb_per_hand,ci95,hands\n1,rock,1234.54,8.04,2000\n2,call,-1234.54,8.04,2000\n"
        );
        assert!(latex(&report).contains("\\begin{tabular}{rlr}"));
    }
}
