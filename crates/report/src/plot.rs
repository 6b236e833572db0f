//! Plots as SVG text, to be placed inside a page.

use crate::{
    ActionKind, Bound, ChartScenario, Estimate, MatchRow, ReportError, Rung, ThirdStreetChart, ladder, units,
};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Ink of text and axes.
const INK: RGBColor = RGBColor(0x22, 0x26, 0x2b);
/// Ink of secondary text.
const FAINT: RGBColor = RGBColor(0x6b, 0x72, 0x7b);
/// Grid lines.
const GRID: RGBColor = RGBColor(0xe3, 0xe6, 0xea);
/// Colours of series, told apart by people who do not see red and green (Okabe and Ito, 2008).
const SERIES: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    INK,
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A chart over two axes of numbers.
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Draws the axis of values and its grid; rows of a chart of bars or dots are named beside it.
fn grid(chart: &mut Chart<'_, '_>, x_axis: &str) -> Result<(), Box<dyn std::error::Error>> {
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
        .x_desc(x_axis)
        .draw()?;
    Ok(())
}

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
        grid(&mut chart, "win rate of the trained strategy, msb/h, with its 95% confidence interval")?;
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

/// The rungs of a ladder with their 95% confidence intervals, one bar each. An arrow points to where the exploitability
/// lies; bars that prove nothing are pale.
///
/// # Errors
/// If the plotting library refuses.
pub fn ladder(rungs: &[Rung]) -> Result<String, ReportError> {
    const WIDTH: u32 = 940;
    /// Room for the figures beside the bars.
    const FIGURES: f64 = 270.0;
    let names = names_width(rungs.iter().map(|rung| rung.what.as_str()));
    let height = 62 + 34 * rungs.len().max(1) as u32;
    let best = Rung::best(rungs).map(|(rung, _)| rung);
    render("the ladder", (WIDTH, height), |root| {
        let results = || rungs.iter().filter_map(Rung::result);
        let low = results().map(|result| result.value_msb_per_hand - half(result)).fold(0.0, f64::min);
        let high = results().map(|result| result.value_msb_per_hand + half(result)).fold(0.0, f64::max);
        let span = (high - low).max(1.0);
        let low = if low < 0.0 { low - 0.04 * span } else { 0.0 };
        let width = f64::from(WIDTH - names) - 22.0;
        let range = low..low + (low.max(high).max(low + span) - low) * width / (width - FIGURES);
        let mut chart = ChartBuilder::on(root)
            .margin(6)
            .margin_right(16)
            .x_label_area_size(42)
            .y_label_area_size(names)
            .build_cartesian_2d(range, 0.0..rungs.len() as f64)?;
        grid(&mut chart, "won from the trained strategy, msb/h, with its 95% confidence interval")?;
        chart.draw_series(std::iter::once(PathElement::new([(0.0, 0.0), (0.0, rungs.len() as f64)], INK)))?;
        for (i, rung) in rungs.iter().enumerate() {
            let y = rungs.len() as f64 - i as f64 - 0.5;
            let middle = chart.backend_coord(&(0.0, y)).1;
            let style = font(15).pos(Pos::new(HPos::Right, VPos::Center));
            let name = shortened(&rung.what, names - 14);
            root.draw_text(&name, &style, (names as i32 - 2, middle))?;
            let beside = Pos::new(HPos::Left, VPos::Center);
            let Some(result) = rung.result() else {
                let x = chart.backend_coord(&(0.0, y)).0;
                root.draw_text("not measured", &font_in(15, FAINT).pos(beside), (x + 8, middle))?;
                continue;
            };
            let (mean, half) = (result.value_msb_per_hand, half(result));
            let is_best = best.is_some_and(|best| std::ptr::eq(best, rung));
            let (colour, ink) = match rung.proves_nothing() {
                true => (FAINT.mix(0.25), FAINT),
                false => (SERIES[0].mix(if is_best { 0.85 } else { 0.5 }), INK),
            };
            let bar = Rectangle::new([(0.0, y - 0.28), (mean, y + 0.28)], colour.filled());
            chart.draw_series([bar])?;
            let bar = ErrorBar::new_horizontal(y, mean - half, mean, mean + half, INK.filled(), 7);
            chart.draw_series([bar])?;
            let mut x = chart.backend_coord(&((mean + half).max(0.0), y)).0 + 8;
            if !rung.proves_nothing() {
                match rung.bound {
                    Bound::Lower => arrow(root, (x, middle), 20)?,
                    Bound::Upper => arrow(root, (x + 20, middle), -20)?,
                    Bound::None => x -= 28,
                }
                x += 28;
            }
            let figure = units::interval(mean, result.ci95);
            let text = match rung.proves_nothing() {
                true => format!("{figure}, proves nothing"),
                false => format!("{} {figure}", ladder::at(rung.bound)),
            };
            root.draw_text(&text, &font_in(15, ink).pos(beside), (x, middle))?;
        }
        Ok(())
    })
}

/// Half the length of an error bar. An interval without an end has no place in a plot.
fn half(result: Estimate) -> f64 {
    if result.ci95.is_finite() { result.ci95 } else { 0.0 }
}

/// An arrow from a point to the right, or, where `length` is negative, to the left.
fn arrow(root: &Area<'_>, (x, y): (i32, i32), length: i32) -> Result<(), Box<dyn std::error::Error>> {
    let (tip, back) = (x + length, -6 * length.signum());
    root.draw(&PathElement::new([(x, y), (tip, y)], INK.stroke_width(2)))?;
    root.draw(&PathElement::new([(tip + back, y - 4), (tip, y), (tip + back, y + 4)], INK.stroke_width(2)))?;
    Ok(())
}

/// Pixels of a letter in 15 pixels, on average.
const LETTER: f64 = 7.6;

/// Room for names beside a plot. Units: pixels.
fn names_width<'a>(names: impl Iterator<Item = &'a str>) -> u32 {
    let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
    ((longest as f64 * LETTER) as u32 + 16).clamp(120, 380)
}

/// A name that fits into so many pixels.
fn shortened(name: &str, width: u32) -> String {
    let most = (f64::from(width) / LETTER) as usize;
    if name.chars().count() <= most {
        return name.into();
    }
    name.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// A line over training time.
pub struct Timed {
    /// What it is, for the legend.
    pub name: String,
    /// Seconds and what was measured, seconds ascending.
    pub points: Vec<(f64, Estimate)>,
}

/// Lower bounds over training time with their 95% confidence intervals, a line each. `measure` names the measure. Time is
/// on a logarithmic axis if it spans much.
///
/// # Errors
/// If the plotting library refuses.
pub fn over_time(measure: &str, series: &[Timed]) -> Result<String, ReportError> {
    const WIDTH: u32 = 940;
    let legend = if series.len() > 1 { names_width(series.iter().map(|s| s.name.as_str())) + 34 } else { 22 };
    let height = 330.max(60 + 22 * series.len() as u32);
    render("exploitability over time", (WIDTH, height), |root| {
        let all = || series.iter().flat_map(|series| &series.points);
        let first = all().map(|point| point.0).fold(f64::INFINITY, f64::min);
        let last = all().map(|point| point.0).fold(0.0, f64::max);
        let last = if last > 0.0 { last } else { 1.0 };
        let low = all().map(|(_, result)| result.value_msb_per_hand - half(*result)).fold(0.0, f64::min);
        let high = all().map(|(_, result)| result.value_msb_per_hand + half(*result)).fold(0.0, f64::max);
        let span = (high - low).max(1.0);
        let logarithmic = first > 0.0 && last / first >= 5.0;
        let along = |seconds: f64| if logarithmic { seconds.log2() } else { seconds };
        let x_range = match logarithmic {
            true => {
                let room = 0.04 * (last / first).log2();
                first.log2() - room..last.log2() + room
            }
            false => 0.0..last * 1.04,
        };
        let mut chart = ChartBuilder::on(root)
            .margin(8)
            .margin_right(legend)
            .x_label_area_size(48)
            .y_label_area_size(70)
            .build_cartesian_2d(
                x_range.clone(),
                (if low < 0.0 { low - 0.05 * span } else { 0.0 })..high + 0.08 * span,
            )?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(FAINT)
            .x_labels(0)
            .y_labels(6)
            .y_label_formatter(&|y| axis_number(*y))
            .label_style(font(14))
            .axis_desc_style(font(15))
            .y_desc("won at least, msb/h")
            .draw()?;
        let (across, down) = chart.plotting_area().get_pixel_range();
        let mut free_from = i32::MIN;
        for seconds in ticks(first, last, logarithmic) {
            let x = chart.plotting_area().map_coordinate(&(along(seconds), 0.0)).0;
            if !across.contains(&x) {
                continue;
            }
            root.draw(&PathElement::new([(x, down.end), (x, down.end + 5)], FAINT))?;
            let text = tick(seconds);
            let width = (text.len() as f64 * 7.0) as i32;
            if x - width / 2 >= free_from {
                let style = font(14).pos(Pos::new(HPos::Center, VPos::Top));
                root.draw_text(&text, &style, (x, down.end + 8))?;
                free_from = x + width / 2 + 10;
            }
        }
        let axis = if logarithmic { "training time, logarithmic" } else { "training time" };
        let style = font(15).pos(Pos::new(HPos::Center, VPos::Top));
        let text = format!("{axis}; {measure}, with 95% confidence intervals");
        root.draw_text(&text, &style, ((across.start + across.end) / 2, down.end + 27))?;
        if low < 0.0 {
            let zero = PathElement::new([(x_range.start, 0.0), (x_range.end, 0.0)], INK);
            chart.draw_series([zero])?;
        }
        for (i, series) in series.iter().enumerate() {
            let colour = SERIES[i % SERIES.len()];
            let points = || series.points.iter().map(|&(seconds, result)| (along(seconds), result));
            let line = points().map(|(x, result)| (x, result.value_msb_per_hand));
            chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
            chart.draw_series(points().map(|(x, result)| {
                let (mean, half) = (result.value_msb_per_hand, half(result));
                ErrorBar::new_vertical(x, mean - half, mean, mean + half, colour.filled(), 8)
            }))?;
            let dots = points().map(|(x, result)| (x, result.value_msb_per_hand));
            chart.draw_series(dots.map(|point| Circle::new(point, 3, colour.filled())))?;
        }
        if series.len() > 1 {
            for (i, series) in series.iter().enumerate() {
                let (x, y) = (across.end + 14, 22 + 22 * i as i32);
                let colour = SERIES[i % SERIES.len()];
                root.draw(&PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(3)))?;
                let style = font(15).pos(Pos::new(HPos::Left, VPos::Center));
                root.draw_text(&shortened(&series.name, legend - 42), &style, (x + 22, y))?;
            }
        }
        Ok(())
    })
}

/// Where an axis of time has marks. Units: seconds.
fn ticks(first: f64, last: f64, logarithmic: bool) -> Vec<f64> {
    const UNITS: [f64; 3] = [1.0, 60.0, 3600.0];
    let mut steps = vec![0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
    for unit in UNITS {
        let most: &[f64] = if unit < 3600.0 { &[] } else { &[50.0, 100.0, 200.0, 500.0, 1000.0] };
        steps.extend(
            [1.0, 2.0, 5.0, 10.0, 20.0]
                .iter()
                .chain(if unit < 3600.0 { &[30.0][..] } else { most })
                .map(|n| n * unit),
        );
    }
    if logarithmic {
        return steps.into_iter().filter(|step| (first * 0.8..=last * 1.2).contains(step)).collect();
    }
    let step = steps.iter().copied().find(|step| last / step <= 8.0).unwrap_or(last);
    (0..=(last / step) as u32).map(|n| f64::from(n) * step).collect()
}

/// A time at a mark: `0`, `0.5 s`, `1 min 20 s`, `5 min`, `2 h`.
fn tick(seconds: f64) -> String {
    let parts = |large: &str, small: &str, of: f64| match (seconds / of, seconds % of / (of / 60.0)) {
        (whole, 0.0) => format!("{} {large}", axis_number(whole)),
        (whole, rest) => format!("{} {large} {} {small}", whole.floor(), axis_number(rest)),
    };
    match seconds {
        0.0 => "0".into(),
        s if s < 60.0 => format!("{} s", axis_number(s)),
        s if s < 3600.0 => parts("min", "s", 60.0),
        _ => parts("h", "min", 3600.0),
    }
}

/// Results of several runs by one measure.
pub struct Group {
    /// The measure.
    pub name: String,
    /// Runs by their names with what was measured, if it was; the same runs in the same order in every group.
    pub rows: Vec<(String, Option<Estimate>)>,
}

/// Lower bounds with their 95% confidence intervals, a dot for each run in a group for each measure. `x_axis` says what is
/// measured, with its unit.
///
/// # Errors
/// If the plotting library refuses.
pub fn dots(x_axis: &str, groups: &[Group]) -> Result<String, ReportError> {
    const WIDTH: u32 = 940;
    const ROW: i32 = 24;
    /// Room for the figures beside the dots.
    const FIGURES: f64 = 240.0;
    let rows = || groups.iter().flat_map(|group| &group.rows);
    let names = names_width(rows().map(|(name, _)| name.as_str())).max(200);
    let lines: usize = groups.iter().map(|group| group.rows.len() + 1).sum();
    let height = 62 + ROW as u32 * lines.max(1) as u32 + 8 * groups.len() as u32;
    render("the ladders", (WIDTH, height), |root| {
        let results = || rows().filter_map(|(_, result)| *result);
        let low = results().map(|result| result.value_msb_per_hand - half(result)).fold(0.0, f64::min);
        let high = results().map(|result| result.value_msb_per_hand + half(result)).fold(0.0, f64::max);
        let span = (high - low).max(1.0);
        let low = low - 0.04 * span;
        let width = f64::from(WIDTH - names) - 22.0;
        let range = low..low + (high.max(low + span) - low) * width / (width - FIGURES);
        let mut chart = ChartBuilder::on(root)
            .margin(6)
            .margin_right(16)
            .x_label_area_size(42)
            .y_label_area_size(names)
            .build_cartesian_2d(range, 0.0..1.0)?;
        grid(&mut chart, x_axis)?;
        chart.draw_series([PathElement::new([(0.0, 0.0), (0.0, 1.0)], FAINT)])?;
        let mut y = 6 + ROW / 2;
        let place = |value: f64| chart.plotting_area().map_coordinate(&(value, 0.0)).0;
        let beside = Pos::new(HPos::Left, VPos::Center);
        for group in groups {
            let style = ("sans-serif", 15, FontStyle::Bold).into_font().color(&INK);
            let name = shortened(&group.name, WIDTH - 20);
            // No line through the words.
            let width = (name.chars().count() as f64 * LETTER * 1.08) as i32;
            root.draw(&Rectangle::new(
                [(8, y - ROW / 2 + 2), (12 + width, y + ROW / 2 - 2)],
                WHITE.filled(),
            ))?;
            root.draw_text(&name, &style.pos(beside), (8, y))?;
            y += ROW;
            for (i, (name, result)) in group.rows.iter().enumerate() {
                let style = font(15).pos(Pos::new(HPos::Right, VPos::Center));
                root.draw_text(&shortened(name, names - 14), &style, (names as i32 - 2, y))?;
                match result {
                    Some(result) => {
                        let colour = SERIES[i % SERIES.len()];
                        let (mean, half) = (result.value_msb_per_hand, half(*result));
                        let (from, to) = (place(mean - half), place(mean + half));
                        root.draw(&PathElement::new([(from, y), (to, y)], colour.stroke_width(2)))?;
                        for end in [from, to] {
                            root.draw(&PathElement::new(
                                [(end, y - 5), (end, y + 5)],
                                colour.stroke_width(2),
                            ))?;
                        }
                        root.draw(&Circle::new((place(mean), y), 5, colour.filled()))?;
                        let (ink, remark) = match result.is_positive() {
                            true => (INK, ""),
                            false => (FAINT, ", proves nothing"),
                        };
                        let text = units::interval(mean, result.ci95) + remark;
                        // Not across the line at zero.
                        let x = to.max(place(0.0)) + 10;
                        root.draw_text(&text, &font_in(14, ink).pos(beside), (x, y))?;
                    }
                    None => {
                        let style = font_in(14, FAINT).pos(beside);
                        root.draw_text("not measured", &style, (place(0.0) + 8, y))?;
                    }
                }
                y += ROW;
            }
            y += 8;
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
        assert!(ladder(&[]).unwrap().contains("</svg>"));
        assert!(over_time("m", &[]).unwrap().contains("</svg>"));
        assert!(dots("msb/h", &[]).unwrap().contains("</svg>"));
    }

    #[test]
    fn marks_of_time_are_round_and_cover_the_axis() {
        let shown = |first, last, logarithmic| -> Vec<String> {
            ticks(first, last, logarithmic).into_iter().map(tick).collect()
        };
        assert_eq!(shown(0.0, 600.0, false), ["0", "2 min", "4 min", "6 min", "8 min", "10 min"]);
        assert_eq!(shown(0.0, 1.0, false), ["0", "0.2 s", "0.4 s", "0.6 s", "0.8 s", "1 s"]);
        assert_eq!(shown(0.0, 110.0, false)[3..], ["1 min", "1 min 20 s", "1 min 40 s"]);
        assert_eq!(shown(0.0, 13_000.0, false)[2..5], ["1 h", "1 h 30 min", "2 h"]);
        assert_eq!(shown(40.0, 3600.0, true).first().unwrap(), "1 min");
        assert_eq!(shown(40.0, 3600.0, true).last().unwrap(), "1 h");
        for (first, last) in [(0.01, 0.2), (3.0, 50.0), (60.0, 4000.0), (3600.0, 400_000.0)] {
            assert!(ticks(first, last, true).len() >= 3 && ticks(first, last, false).len() >= 4);
        }
    }

    #[test]
    fn a_ladder_says_which_way_it_bounds_and_what_proves_nothing() {
        let svg = ladder(&crate::html::tests::sample().ladder).unwrap();
        for text in ["at least +85.3 ± 11.5", "-3.4 ± 16.2, proves nothing", "not measured", "msb/h"] {
            assert!(svg.contains(text), "{text}");
        }
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
