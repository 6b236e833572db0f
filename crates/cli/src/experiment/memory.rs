//! Amounts of memory as configurations write them.

/// Reads `2GiB`, `512 MiB`, `64KiB` or `1000B`.
pub(crate) fn parse(text: &str) -> Option<u64> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(split);
    let shift = match unit.trim() {
        "B" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        "TiB" => 40,
        _ => return None,
    };
    let bytes = number.parse::<f64>().ok()? * (1u64 << shift) as f64;
    (bytes >= 1.0 && bytes < 2f64.powi(60)).then_some(bytes as u64)
}

/// The shortest form that [`parse`] reads back.
pub(super) fn write(bytes: u64) -> String {
    let (mut n, mut unit) = (bytes, 0);
    while unit < 4 && n.is_multiple_of(1024) {
        n /= 1024;
        unit += 1;
    }
    format!("{n}{}", ["B", "KiB", "MiB", "GiB", "TiB"][unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_and_written() {
        assert_eq!(parse("2GiB"), Some(2 << 30));
        assert_eq!(parse("1.5 MiB"), Some(3 << 19));
        assert_eq!(parse("17B"), Some(17));
        for bad in ["", "2", "GiB", "2GB", "-1GiB", "0B", "1e3GiB", "99999999999TiB", "2 Gi B"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
        for bytes in [1, 1000, 1024, 3 << 19, 2 << 30] {
            assert_eq!(parse(&write(bytes)), Some(bytes));
        }
        assert_eq!(write(2 << 30), "2GiB");
    }
}
