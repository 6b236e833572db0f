//! Progress of long work on standard error: a bar on a terminal, a plain line now and then elsewhere.

use crate::output::note;
use doorcard_report::units;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// Time between two plain lines.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// The progress of one piece of work.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    label: String,
    unit: &'static str,
    /// `None` if nobody knows.
    total: Option<u64>,
    first: u64,
    started: Instant,
    said: Instant,
}

impl Progress {
    /// Work of `total` units, if that is known, of which `done` were done before.
    pub(crate) fn new(label: &str, unit: &'static str, done: u64, total: impl Into<Option<u64>>) -> Progress {
        let total = total.into();
        let bar = io::stderr().is_terminal().then(|| {
            let template = match total {
                Some(_) => "{prefix:<12} {bar:28} {percent:>3} %  {msg}",
                None => "{prefix:<12} {spinner} {human_pos}  {msg}",
            };
            let style =
                ProgressStyle::with_template(template).expect("a fixed template").progress_chars("=> ");
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(5));
            bar.with_style(style).with_prefix(label.to_string())
        });
        let now = Instant::now();
        Progress { bar, label: label.into(), unit, total, first: done, started: now, said: now }
    }

    /// So much is done; `more` is anything else worth knowing.
    pub(crate) fn at(&mut self, done: u64, more: &str) {
        let message = || {
            let left = self.total.unwrap_or(0).saturating_sub(done);
            let pace = pace(done - self.first.min(done), left, self.started.elapsed());
            let more = if more.is_empty() { String::new() } else { format!(", {more}") };
            match pace {
                Some((rate, left)) => {
                    let left =
                        self.total.map_or_else(String::new, |_| format!(", {} left", units::seconds(left)));
                    format!("{} {}/s{left}{more}", units::short(rate), self.unit)
                }
                None => more.trim_start_matches(", ").to_string(),
            }
        };
        if let Some(bar) = &self.bar {
            bar.set_message(message());
            bar.set_position(done);
        } else if self.said.elapsed() >= PLAIN_EVERY {
            self.said = Instant::now();
            let so_far = match self.total {
                Some(total) => format!("{:.0} %", done as f64 / total.max(1) as f64 * 100.0),
                None => units::count(done),
            };
            note(format!("{}  {so_far}  {}", self.label, message()));
        }
    }

    /// So much of a phase is done, whose parts are nothing anybody would count.
    pub(crate) fn phase(&mut self, done: u64, name: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(name.to_string());
            bar.set_position(done);
        }
    }

    /// The work is over; the bar makes room for the results.
    pub(crate) fn finish(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Units per second and seconds left, once there is anything to tell them from.
fn pace(done: u64, left: u64, elapsed: Duration) -> Option<(f64, f64)> {
    let seconds = elapsed.as_secs_f64();
    (done > 0 && seconds > 0.0).then(|| {
        let rate = done as f64 / seconds;
        (rate, left as f64 / rate)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pace_is_units_per_second_and_seconds_left() {
        assert_eq!(pace(0, 10, Duration::from_secs(1)), None);
        assert_eq!(pace(20, 30, Duration::from_secs(2)), Some((10.0, 3.0)));
    }
}
