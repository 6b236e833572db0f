//! Numbers for people: grouped digits, units, signs.

/// `12,345,678`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Three significant digits with a prefix: `7.13 M`, `812 k`, `3.20`.
pub fn short(x: f64) -> String {
    let (scaled, prefix) = match x.abs() {
        a if a >= 1e9 => (x / 1e9, " G"),
        a if a >= 1e6 => (x / 1e6, " M"),
        a if a >= 1e4 => (x / 1e3, " k"),
        _ => (x, ""),
    };
    let places = match scaled.abs() {
        a if a >= 100.0 => 0,
        a if a >= 10.0 => 1,
        _ => 2,
    };
    format!("{scaled:.places$}{prefix}")
}

/// `1.24 GiB`, `12.0 KiB`, `17 B`.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut x = n as f64;
    while x >= 1024.0 && unit + 1 < UNITS.len() {
        x /= 1024.0;
        unit += 1;
    }
    match (unit, x) {
        (0, _) => format!("{n} B"),
        (_, x) if x >= 100.0 => format!("{x:.0} {}", UNITS[unit]),
        (_, x) if x >= 10.0 => format!("{x:.1} {}", UNITS[unit]),
        (_, x) => format!("{x:.2} {}", UNITS[unit]),
    }
}

/// `4.2 s`, `3 min 12 s`, `2 h 05 min`.
pub fn seconds(s: f64) -> String {
    let whole = s.round() as u64;
    match s {
        s if s < 60.0 && whole < 60 => format!("{s:.1} s"),
        s if s < 3600.0 && whole < 3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// What stands for a number that is not known: the width of an interval from a single observation is infinite.
const UNKNOWN: &str = "unknown";

/// A signed mean with one decimal and grouped digits: `+1,234.5`, `-0.3`, `0.0`; `unknown` if it is not finite.
pub fn signed(x: f64) -> String {
    if !x.is_finite() {
        return UNKNOWN.into();
    }
    let tenths = (x.abs() * 10.0).round() as u64;
    let sign = match tenths {
        0 => "",
        _ if x < 0.0 => "-",
        _ => "+",
    };
    format!("{sign}{}.{}", count(tenths / 10), tenths % 10)
}

/// A mean and half its interval: `+1,234.5 ± 6.7`.
pub fn interval(mean: f64, half: f64) -> String {
    format!("{} ± {}", signed(mean), unsigned(half))
}

/// One decimal and grouped digits: `1,234.5`; `unknown` if it is not finite.
pub fn unsigned(x: f64) -> String {
    if !x.is_finite() {
        return UNKNOWN.into();
    }
    let tenths = (x.abs() * 10.0).round() as u64;
    format!("{}.{}", count(tenths / 10), tenths % 10)
}

/// A share as a percentage with one decimal: `58.9 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        assert_eq!(
            [count(0), count(999), count(1000), count(12_345_678)],
            ["0", "999", "1,000", "12,345,678"]
        );
    }

    #[test]
    fn prefixes_keep_three_digits() {
        assert_eq!(
            [short(7_130_000.0), short(812_000.0), short(9_500.0), short(3.2), short(41.25)],
            ["7.13 M", "812 k", "9500", "3.20", "41.2"]
        );
    }

    #[test]
    fn bytes_and_seconds_have_units() {
        assert_eq!([bytes(17), bytes(12 * 1024), bytes(1_331_439_862)], ["17 B", "12.0 KiB", "1.24 GiB"]);
        assert_eq!(
            [seconds(4.21), seconds(59.99), seconds(192.0), seconds(7_500.0)],
            ["4.2 s", "1 min 00 s", "3 min 12 s", "2 h 05 min"]
        );
    }

    #[test]
    fn means_are_signed_and_zero_is_not() {
        assert_eq!([signed(1234.54), signed(-0.26), signed(-0.04)], ["+1,234.5", "-0.3", "0.0"]);
        assert_eq!(interval(-3515.2, 8.04), "-3,515.2 ± 8.0");
        assert_eq!(percent(0.5894), "58.9 %");
        assert_eq!(interval(50.0, f64::INFINITY), "+50.0 ± unknown");
        assert_eq!(signed(f64::NAN), "unknown");
    }
}
