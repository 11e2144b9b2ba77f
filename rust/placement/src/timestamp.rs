//! RFC 3339 times as Kubernetes writes them.

/// Nanoseconds since 1970 of `2026-03-01T00:04:00[.123456789]Z` (or with an offset); None when the text is no such time.
pub fn parse(text: &str) -> Option<i64> {
    let (date, time) = text.split_once(['T', 't'])?;
    let mut parts = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let zone_at = time.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = time.split_at(zone_at);
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let mut parts = whole.splitn(3, ':').map(|part| part.parse::<i64>().ok());
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || !(0..=9999).contains(&year) {
        return None;
    }
    let digits: String = fraction
        .chars()
        .chain("000000000".chars())
        .take(9)
        .collect();
    let nanos: i64 = digits.parse().ok()?;
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        - offset_seconds(zone)?;
    seconds.checked_mul(1_000_000_000)?.checked_add(nanos)
}

fn offset_seconds(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let seconds = hours.parse::<i64>().ok()? * 3600 + minutes.parse::<i64>().ok()? * 60;
    Some(if zone.starts_with('-') {
        -seconds
    } else {
        seconds
    })
}

/// Proleptic Gregorian calendar, with years starting in March.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_times_parse() {
        assert_eq!(parse("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(
            parse("2026-03-01T00:00:03.5Z"),
            Some(1_772_323_203_500_000_000)
        );
        assert_eq!(
            parse("2026-03-01T02:00:03+02:00"),
            parse("2026-03-01T00:00:03Z")
        );
        assert_eq!(parse("yesterday"), None);
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in "\\PC{0,40}") {
            let _ = parse(&text);
        }
    }
}
