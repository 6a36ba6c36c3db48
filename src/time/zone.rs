//! The event's time zone, with daylight saving time, from the compiled-in IANA database.

use std::fmt;
use std::str::FromStr;

use chrono::{
    DateTime, Datelike, FixedOffset, NaiveDateTime, Offset, TimeDelta, TimeZone as _, Timelike, Utc,
};
use jiff::Timestamp;
use jiff::civil;
use jiff::tz::{AmbiguousOffset, TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A time zone of the IANA database, such as `America/New_York`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone(TimeZone);

impl Zone {
    pub const UTC: Zone = Zone(TimeZone::UTC);

    /// The local time of an instant.
    pub fn at(&self, instant: DateTime<Utc>) -> DateTime<FixedOffset> {
        let offset = Timestamp::from_second(instant.timestamp()).map(|second| self.0.to_offset(second));
        instant.with_timezone(&chrono_offset(offset.unwrap_or(jiff::tz::Offset::UTC)))
    }

    /// Whether this local time exists: an hour is skipped when daylight saving time begins.
    pub fn has(&self, local: NaiveDateTime) -> bool {
        let offset = civil_of(local).map(|local| self.0.to_ambiguous_timestamp(local).offset());
        !matches!(offset, Some(AmbiguousOffset::Gap { .. }))
    }

    /// The instant of a local time. A time that is skipped is moved ahead by half hours until it exists; of a time that
    /// occurs twice, it is the first.
    pub fn instant(&self, local: NaiveDateTime) -> DateTime<Utc> {
        let offset = |local| match self.0.to_ambiguous_timestamp(civil_of(local)?).offset() {
            AmbiguousOffset::Unambiguous { offset } | AmbiguousOffset::Fold { before: offset, .. } => {
                Some(offset)
            }
            AmbiguousOffset::Gap { .. } => None,
        };
        (0..8)
            .filter_map(|half_hours| local.checked_add_signed(TimeDelta::minutes(30 * half_hours)))
            .find_map(|local| chrono_offset(offset(local)?).from_local_datetime(&local).single())
            .map_or(local.and_utc(), |instant| instant.with_timezone(&Utc))
    }
}

fn chrono_offset(offset: jiff::tz::Offset) -> FixedOffset {
    FixedOffset::east_opt(offset.seconds()).unwrap_or(Utc.fix())
}

/// `None` outside the years that jiff supports.
fn civil_of(local: NaiveDateTime) -> Option<civil::DateTime> {
    let year = i16::try_from(local.year()).ok()?;
    let [month, day, hour, minute, second] =
        [local.month(), local.day(), local.hour(), local.minute(), local.second()]
            .map(|part| i8::try_from(part).unwrap_or_default());
    civil::DateTime::new(year, month, day, hour, minute, second, 0).ok()
}

impl FromStr for Zone {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // jiff also accepts "america/new_york", but other programs that read the content do not.
        TimeZone::get(text)
            .ok()
            .filter(|zone| zone.iana_name() == Some(text))
            .map(Zone)
            .ok_or_else(|| format!("'{text}' is not a time zone; write a name like America/New_York"))
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.iana_name().unwrap_or("UTC"))
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl Serialize for Zone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> Zone {
        name.parse().expect(name)
    }

    #[test]
    fn only_exact_iana_names_are_time_zones() {
        for good in ["America/New_York", "Europe/Paris", "Australia/Lord_Howe", "US/Eastern", "UTC"] {
            assert_eq!(zone(good).to_string(), good);
        }
        for bad in ["", "EST5", "america/new_york", "America/Jersey_City", "-05:00", "../UTC"] {
            assert!(bad.parse::<Zone>().is_err(), "{bad:?} was accepted as a time zone");
        }
    }

    #[test]
    fn local_times_follow_summer_time() {
        let cases = [
            ("America/New_York", "2026-03-07T09:00:00", "2026-03-07T14:00:00Z"),
            ("America/New_York", "2026-03-08T09:00:00", "2026-03-08T13:00:00Z"),
            // 02:30 does not exist on the day the clocks go forward.
            ("America/New_York", "2026-03-08T02:30:00", "2026-03-08T07:00:00Z"),
            // 01:30 happens twice on the day they go back; the first counts.
            ("America/New_York", "2026-11-01T01:30:00", "2026-11-01T05:30:00Z"),
            // Long after the last year that the database lists, its rule for later years applies.
            ("America/New_York", "2199-07-01T09:00:00", "2199-07-01T13:00:00Z"),
            ("Australia/Lord_Howe", "2026-10-04T02:10:00", "2026-10-03T15:40:00Z"),
        ];
        for (name, local, instant) in cases {
            let found = zone(name).instant(local.parse().expect("a local time"));
            assert_eq!(found, instant.parse::<DateTime<Utc>>().expect("an instant"), "{name} {local}");
        }
        for (local, exists) in
            [("2026-03-08T02:30:00", false), ("2026-03-08T03:00:00", true), ("2026-11-01T01:30:00", true)]
        {
            assert_eq!(zone("America/New_York").has(local.parse().expect("a local time")), exists, "{local}");
        }
        let hour = |instant: &str| zone("America/New_York").at(instant.parse().expect("it")).to_rfc3339();
        assert_eq!(hour("2026-03-08T06:59:59Z"), "2026-03-08T01:59:59-05:00");
        assert_eq!(hour("2026-03-08T07:00:00Z"), "2026-03-08T03:00:00-04:00");
    }

    #[test]
    fn times_outside_the_supported_years_are_taken_as_utc() {
        let zone = zone("America/New_York");
        assert_eq!(zone.instant(NaiveDateTime::MAX), NaiveDateTime::MAX.and_utc());
        assert_eq!(zone.at(DateTime::<Utc>::MAX_UTC), DateTime::<Utc>::MAX_UTC);
    }
}
