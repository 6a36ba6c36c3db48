//! Times: UTC in storage, the event's time zone wherever a person reads them.

mod clock;
mod zone;

use chrono::{DateTime, NaiveDate, NaiveTime, SecondsFormat, Utc};

pub use clock::{OFFSET_VARIABLE, now, offset, set_offset};
pub use zone::Zone;

/// The stored form of an instant: RFC 3339 in UTC with milliseconds, which sorts as text.
pub fn stored(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Formats a stored instant as `2026-03-28 09:30:00` in the event's time zone.
pub fn local(stored: &str, zone: &Zone) -> String {
    match DateTime::parse_from_rfc3339(stored) {
        Ok(instant) => zone.at(instant.to_utc()).format("%Y-%m-%d %H:%M:%S").to_string(),
        Err(_) => stored.to_owned(),
    }
}

/// Formats the day of a stored instant as `March 28, 2026` in the event's time zone.
pub fn local_date(stored: &str, zone: &Zone) -> String {
    match DateTime::parse_from_rfc3339(stored) {
        Ok(instant) => zone.at(instant.to_utc()).format("%B %-d, %Y").to_string(),
        Err(_) => stored.to_owned(),
    }
}

/// Parses a day such as `2026-03-28`. chrono also accepts a sign and years of more than four digits, which stored instants
/// do not have.
pub fn parse_day(text: &str) -> Option<NaiveDate> {
    let year = text.split('-').next()?;
    let has_plain_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| has_plain_year)
}

/// The instant at which a local day begins. Where clocks skip midnight, it is the first instant after the gap.
pub fn day_start(day: NaiveDate, zone: &Zone) -> DateTime<Utc> {
    zone.instant(day.and_time(NaiveTime::MIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_a_year_of_four_digits_without_a_sign() {
        assert_eq!(parse_day("2026-03-28"), NaiveDate::from_ymd_opt(2026, 3, 28));
        for wrong in
            ["+2026-03-28", "-2026-03-28", "+12026-01-01", "12026-01-01", "26-01-01", "2026-02-30", "soon"]
        {
            assert_eq!(parse_day(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_stored_instant_is_formatted_in_event_time() {
        let zone = "America/New_York".parse().expect("a zone");
        assert_eq!(local("2026-03-28T13:30:00.000Z", &zone), "2026-03-28 09:30:00");
        assert_eq!(local_date("2026-03-02T04:30:00.000Z", &zone), "March 1, 2026");
    }
}
