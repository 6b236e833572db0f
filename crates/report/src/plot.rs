//! Plots as SVG text, to be placed inside a page.

use crate::{ActionKind, ChartScenario, MatchRow, ReportError, ThirdStreetChart, units};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Ink of text and axes.
const INK: RGBColor = RGBColor(0x22, 0x26, 0x2b);
/// Ink of secondary text.
const FAINT: RGBColor = RGBColor(0x6b, 0x72, 0x7b);
/// Grid lines.
const GRID: RGBColor = RGBColor(0xe3, 0xe6, 0xea);
/// Colours of series, told apart by people who do not see red and green (Okabe and Ito, 2008).
const SERIES: [RGBColor; 3] =
    [RGBColor(0x00, 0x72, 0xb2), RGBColor(0xd5, 0x5e, 0x00), RGBColor(0x00, 0x9e, 0x73)];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A named line through points.
pub struct Series {
    /// What it is, for the legend.
    pub name: &'static str,
    /// Its points, x ascending.
    pub points: Vec<(f64, f64)>,
}

/// The colour of an action.
pub fn colour(kind: ActionKind) -> (u8, u8, u8) {
    match kind {
        ActionKind::Fold => (0xc9, 0xcf, 0xd6),
        ActionKind::Passive => (0x56, 0xb4, 0xe9),
        ActionKind::Aggressive => (0xd5, 0x5e, 0x00),
    }
}

/// Lines over iterations; the y axis starts at zero.
///
/// # Errors
/// If the plotting library refuses.
pub fn curve(y_axis: &'static str, series: &[Series]) -> Result<String, ReportError> {
    render(y_axis, (460, 270), |root| {
        let all = || series.iter().flat_map(|series| &series.points);
        let x_max = all().map(|p| p.0).fold(1.0, f64::max);
        let y_max = all().map(|p| p.1).fold(0.0, f64::max);
        let y_max = if y_max > 0.0 { y_max * 1.08 } else { 1.0 };
        let mut chart = ChartBuilder::on(root)
            .margin(8)
            .margin_right(22)
            .x_label_area_size(42)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..x_max, 0.0..y_max)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(FAINT)
            .x_labels(5)
            .y_labels(5)
            .x_label_formatter(&|x| axis_number(*x))
            .y_label_formatter(&|y| axis_number(*y))
            .label_style(font(14))
            .axis_desc_style(font(15))
            .x_desc("iterations")
            .y_desc(y_axis)
            .draw()?;
        for (i, series) in series.iter().enumerate() {
            let colour = SERIES[i % SERIES.len()];
            chart
                .draw_series(LineSeries::new(series.points.iter().copied(), colour.stroke_width(2)))?
                .label(series.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
            chart.draw_series(series.points.iter().map(|&point| Circle::new(point, 2, colour.filled())))?;
        }
        if series.len() > 1 {
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperLeft)
                .background_style(WHITE.mix(0.85))
                .label_font(font(14))
                .draw()?;
        }
        Ok(())
    })
}

/// Win rates with their 95% confidence intervals, one bar for each row.
///
/// # Errors
/// If the plotting library refuses.
pub fn win_rates(rows: &[MatchRow]) -> Result<String, ReportError> {
    let height = 62 + 34 * rows.len().max(1) as u32;
    // An interval without an end has no place in a plot.
    let half = |row: &MatchRow| if row.ci95.is_finite() { row.ci95 } else { 0.0 };
    render("win rates", (940, height), |root| {
        let low = rows.iter().map(|row| row.mean_msb_per_hand - half(row)).fold(0.0, f64::min);
        let high = rows.iter().map(|row| row.mean_msb_per_hand + half(row)).fold(0.0, f64::max);
        let span = (high - low).max(1.0);
        // Room for the numbers beside the bars.
        let range = (if low < 0.0 { low - 0.2 * span } else { 0.0 })..(high + 0.2 * span);
        let mut chart = ChartBuilder::on(root)
            .margin(6)
            .margin_right(16)
            .x_label_area_size(42)
            .y_label_area_size(150)
            .build_cartesian_2d(range, 0.0..rows.len() as f64)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(FAINT)
            .x_labels(8)
            .y_labels(0)
            .x_label_formatter(&|x| axis_number(*x))
            .label_style(font(14))
            .axis_desc_style(font(15))
            .x_desc("win rate of the trained strategy, msb/h, with its 95% confidence interval")
            .draw()?;
        let centre = |i: usize| rows.len() as f64 - i as f64 - 0.5;
        chart.draw_series(rows.iter().enumerate().map(|(i, row)| {
            let colour = if row.mean_msb_per_hand >= 0.0 { SERIES[0] } else { SERIES[1] };
            let y = centre(i);
            Rectangle::new([(0.0, y - 0.28), (row.mean_msb_per_hand, y + 0.28)], colour.mix(0.55).filled())
        }))?;
        chart.draw_series(rows.iter().enumerate().map(|(i, row)| {
            let (mean, half) = (row.mean_msb_per_hand, half(row));
            ErrorBar::new_horizontal(centre(i), mean - half, mean, mean + half, INK.filled(), 7)
        }))?;
        chart.draw_series(std::iter::once(PathElement::new([(0.0, 0.0), (0.0, rows.len() as f64)], INK)))?;
        for (i, row) in rows.iter().enumerate() {
            let (mean, half) = (row.mean_msb_per_hand, half(row));
            let (end, shift, anchor) =
                if mean >= 0.0 { (mean + half, 8, HPos::Left) } else { (mean - half, -8, HPos::Right) };
            let (x, y) = chart.backend_coord(&(end.max(mean), centre(i)));
            let x = if mean >= 0.0 { x } else { chart.backend_coord(&(end, centre(i))).0 };
            let style = font(15).pos(Pos::new(anchor, VPos::Center));
            root.draw_text(&units::interval(mean, row.ci95), &style, (x + shift, y))?;
            let style = font(16).pos(Pos::new(HPos::Right, VPos::Center));
            root.draw_text(&format!("against {}", row.opponents.join(", ")), &style, (148, y))?;
        }
        Ok(())
    })
}

/// One decision of the chart: a panel for each group of the opponent's door card, a stacked bar for each class of
/// hand, averaged over own door cards.
///
/// # Errors
/// If the plotting library refuses.
pub fn scenario(chart: &ThirdStreetChart, scenario: &ChartScenario) -> Result<String, ReportError> {
    const NAMES: i32 = 200;
    const WIDTH: i32 = 940;
    const BAR: i32 = 19;
    let panels = chart.opponents.len().max(1) as i32;
    let panel = (WIDTH - NAMES) / panels;
    let height = 44 + 24 * chart.hands.len() as i32;
    render("third street", (WIDTH as u32, height as u32), |root| {
        let right = font(15).pos(Pos::new(HPos::Right, VPos::Center));
        let centre = Pos::new(HPos::Center, VPos::Center);
        let y_of = |row: usize| 40 + 24 * row as i32;
        root.draw_text("opponent's door card:", &font_in(14, FAINT).pos(right.pos), (NAMES - 10, 16))?;
        for (row, hand) in chart.hands.iter().enumerate() {
            root.draw_text(hand, &right, (NAMES - 10, y_of(row) + BAR / 2))?;
        }
        for (column, opponent) in chart.opponents.iter().enumerate() {
            let x0 = NAMES + panel * column as i32;
            let width = panel - 14;
            root.draw_text(opponent, &font(15).pos(centre), (x0 + width / 2, 16))?;
            for (row, hand) in chart.hands.iter().enumerate() {
                let y = y_of(row);
                let Some((mean, _)) = scenario.mean(|cell| &cell.opponent == opponent && &cell.hand == hand)
                else {
                    root.draw_text("-", &font_in(14, FAINT).pos(centre), (x0 + width / 2, y + BAR / 2))?;
                    continue;
                };
                let mut left = 0.0;
                for (action, share) in scenario.actions.iter().zip(mean) {
                    let (from, to) = (x0 + scale(left, width), x0 + scale(left + share, width));
                    let (r, g, b) = colour(action.kind);
                    root.draw(&Rectangle::new([(from, y), (to, y + BAR)], RGBColor(r, g, b).filled()))?;
                    if to - from >= 24 {
                        let ink = if action.kind == ActionKind::Aggressive { WHITE } else { INK };
                        let text = format!("{:.0}", share * 100.0);
                        root.draw_text(&text, &font_in(14, ink).pos(centre), ((from + to) / 2, y + BAR / 2))?;
                    }
                    left += share;
                }
            }
        }
        Ok(())
    })
}

fn scale(share: f64, width: i32) -> i32 {
    (share * f64::from(width)).round() as i32
}

fn font(size: u32) -> TextStyle<'static> {
    font_in(size, INK)
}

fn font_in(size: u32, ink: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&ink)
}

/// Axis labels without needless zeros: `0`, `250 k`, `1.5 M`, `0.02`.
fn axis_number(x: f64) -> String {
    let (scaled, prefix) = match x.abs() {
        a if a >= 1e9 => (x / 1e9, " G"),
        a if a >= 1e6 => (x / 1e6, " M"),
        a if a >= 1e4 => (x / 1e3, " k"),
        _ => (x, ""),
    };
    // Nine significant digits hide the rounding of multiples of a tenth.
    let rounded: f64 = format!("{scaled:.8e}").parse().unwrap_or(scaled);
    format!("{rounded}{prefix}")
}

fn render(
    plot: &'static str,
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> Result<(), Box<dyn std::error::Error>>,
) -> Result<String, ReportError> {
    let mut svg = String::new();
    let drawn = {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        draw(&root).and_then(|()| root.present().map_err(Into::into))
    };
    drawn.map_err(|error| ReportError::Plot { plot, message: error.to_string() })?;
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axis_numbers_are_short() {
        assert_eq!(
            [0.0, 0.02, 0.1 + 0.2, 2500.0, 250_000.0, 1_500_000.0, -40_000.0].map(axis_number),
            ["0", "0.02", "0.3", "2500", "250 k", "1.5 M", "-40 k"]
        );
    }

    #[test]
    fn nothing_to_draw_is_no_error() {
        assert!(curve("nodes per second", &[]).unwrap().contains("</svg>"));
        assert!(win_rates(&[]).unwrap().contains("</svg>"));
    }

    #[test]
    fn a_scenario_shows_every_class_and_every_share() {
        let report = crate::html::tests::sample();
        let chart = report.third_street.unwrap();
        let svg = scenario(&chart, &chart.scenarios[1]).unwrap();
        for text in chart.hands.iter().chain(&chart.opponents) {
            assert!(svg.contains(text.as_str()), "{text}");
        }
    }
}
