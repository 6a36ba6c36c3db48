//! When a form is open. Left out: what a closed form does, which is decided where it is served.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use super::clock::{ClockTime, serialize_as_text};
use crate::time::Zone;

/// The organiser's settings for one form. `None` means no limit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opening {
    #[serde(default = "open_by_default")]
    pub open: bool,
    #[serde(default)]
    pub from: Option<Moment>,
    #[serde(default)]
    pub until: Option<Moment>,
    /// Shown to visitors while the form is closed. Empty: a standard sentence.
    #[serde(default)]
    pub message: String,
}

impl Opening {
    /// Why a form is closed at an instant and when it opens or when it closed, as a sentence for visitors; `None` if it is
    /// open. `from` and `until` are local times in `zone`, the event's time zone, whose name for people is `zone_label`.
    pub fn closed_message(&self, now: DateTime<Utc>, zone: &Zone, zone_label: &str) -> Option<String> {
        let closed = self.until.filter(|until| zone.instant(until.ends()) <= now);
        let date = match (self.opens_later(now, zone), closed) {
            (Some(from), _) => format!("This form opens on {}.", from.formatted_with_zone(zone_label)),
            (None, Some(until)) => {
                format!("This form closed on {}.", until.formatted_with_zone(zone_label))
            }
            (None, None) if self.open => return None,
            (None, None) => return Some(self.message_or("This form is closed.")),
        };
        Some(if self.message.is_empty() { date } else { format!("{} {date}", self.message) })
    }

    /// The same once the event is over. A form is then closed unless its `until` is still ahead. `open = true` does not
    /// keep it open, because every exported content has that line.
    pub fn closed_message_after_the_event(
        &self,
        now: DateTime<Utc>,
        zone: &Zone,
        zone_label: &str,
    ) -> Option<String> {
        let message = self.closed_message(now, zone, zone_label);
        if self.until.is_some() {
            return message;
        }
        message.or_else(|| Some(self.message_or("The event is over, and this form is closed.")))
    }

    /// `from`, while it is ahead.
    pub fn opens_later(&self, now: DateTime<Utc>, zone: &Zone) -> Option<Moment> {
        // Instants, not local times: an hour occurs twice when the clocks go back.
        self.from.filter(|from| now < zone.instant(from.begins()))
    }

    fn message_or(&self, reason: &str) -> String {
        if self.message.is_empty() { reason.to_owned() } else { self.message.clone() }
    }
}

impl Default for Opening {
    fn default() -> Self {
        Opening { open: true, from: None, until: None, message: String::new() }
    }
}

fn open_by_default() -> bool {
    true
}

/// A local day, or a minute of it, in the event's time zone: `2026-01-31` or `2026-01-31 18:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    day: NaiveDate,
    time: Option<ClockTime>,
}

impl Moment {
    /// The local time at which it begins.
    pub fn begins(self) -> NaiveDateTime {
        self.day.and_time(self.time.map_or(NaiveTime::MIN, ClockTime::time))
    }

    /// The first local time after it, if it is an end: the next midnight for a day, the minute itself for a minute.
    pub fn ends(self) -> NaiveDateTime {
        let length = Days::new(if self.time.is_none() { 1 } else { 0 });
        self.begins().checked_add_days(length).unwrap_or(NaiveDateTime::MAX)
    }

    /// 'January 31, 2026', or 'January 31, 2026 at 6:00 PM'.
    pub fn formatted(self) -> String {
        let day = self.day.format("%B %-d, %Y");
        match self.time {
            Some(time) => format!("{day} at {}", time.time().format("%-I:%M %p")),
            None => day.to_string(),
        }
    }

    /// 'January 31, 2026', or 'January 31, 2026 at 6:00 PM (Eastern Time)'.
    pub fn formatted_with_zone(self, time_zone_label: &str) -> String {
        if self.time.is_some() {
            format!("{} ({time_zone_label})", self.formatted())
        } else {
            self.formatted()
        }
    }
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (day, time) = match text.split_once(' ') {
            Some((day, time)) => (day, Some(time.parse::<ClockTime>()?)),
            None => (text, None),
        };
        let day = day.parse().map_err(|_| {
            format!("'{text}' is not a real day or time; write 2026-01-31 or 2026-01-31 18:00")
        })?;
        Ok(Moment { day, time })
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.day)?;
        if let Some(time) = self.time {
            write!(formatter, " {time}")?;
        }
        Ok(())
    }
}

serialize_as_text!(Moment);

#[cfg(test)]
mod tests {
    use super::*;

    fn closed_message(rule: &str, now: &str) -> Option<String> {
        let opening: Opening = toml::from_str(rule).expect(rule);
        let zone = &"America/New_York".parse().expect("a zone");
        opening.closed_message(now.parse().expect(now), zone, "Eastern Time")
    }

    #[test]
    fn a_form_is_open_within_its_days() {
        let cases = [
            // The settings, the instant, and the sentence for visitors if it is closed then.
            ("", "2026-01-01T00:00:00Z", None),
            ("open = true", "2026-01-01T00:00:00Z", None),
            ("open = false", "2026-01-01T00:00:00Z", Some("This form is closed.")),
            (
                "open = false\nmessage = 'All places are taken.'",
                "2026-01-01T00:00:00Z",
                Some("All places are taken."),
            ),
            // Midnight in New York is five hours later in UTC.
            ("from = '2026-01-05'", "2026-01-05T04:59:59Z", Some("This form opens on January 5, 2026.")),
            ("from = '2026-01-05'", "2026-01-05T05:00:00Z", None),
            // The last day counts in full.
            ("until = '2026-02-01'", "2026-02-02T04:59:59Z", None),
            ("until = '2026-02-01'", "2026-02-02T05:00:00Z", Some("This form closed on February 1, 2026.")),
            ("until = '2026-02-01 18:00'", "2026-02-01T22:59:59Z", None),
            (
                "until = '2026-02-01 18:00'\nmessage = 'The list is complete.'",
                "2026-02-01T23:00:00Z",
                Some("The list is complete. This form closed on February 1, 2026 at 6:00 PM (Eastern Time)."),
            ),
            // Closed by hand inside its days, and before them.
            ("open = false\nfrom = '2026-01-05'", "2026-01-06T12:00:00Z", Some("This form is closed.")),
            (
                "open = false\nfrom = '2026-01-05 09:30'",
                "2026-01-01T12:00:00Z",
                Some("This form opens on January 5, 2026 at 9:30 AM (Eastern Time)."),
            ),
            // Summer time: four hours.
            ("until = '2026-03-28'", "2026-03-29T03:59:59Z", None),
            ("until = '2026-03-28'", "2026-03-29T04:00:00Z", Some("This form closed on March 28, 2026.")),
            // The clocks go back at 2 AM: 1:30 occurs twice, and the form closes at the first and stays closed.
            ("until = '2026-11-01 01:30'", "2026-11-01T05:29:59Z", None),
            (
                "until = '2026-11-01 01:30'",
                "2026-11-01T05:45:00Z",
                Some("This form closed on November 1, 2026 at 1:30 AM (Eastern Time)."),
            ),
            (
                "until = '2026-11-01 01:30'",
                "2026-11-01T06:10:00Z",
                Some("This form closed on November 1, 2026 at 1:30 AM (Eastern Time)."),
            ),
            ("from = '2026-11-01 01:30'", "2026-11-01T06:10:00Z", None),
        ];
        for (rule, now, message) in cases {
            assert_eq!(closed_message(rule, now).as_deref(), message, "{rule:?} at {now}");
        }
    }

    #[test]
    fn a_form_closes_with_the_event_unless_a_later_end_is_named() {
        let over = "The event is over, and this form is closed.";
        let cases = [
            ("", Some(over)),
            ("open = true", Some(over)),
            ("message = 'Thank you for two days.'", Some("Thank you for two days.")),
            ("until = '2026-04-30'", None),
            ("until = '2026-02-01'", Some("This form closed on February 1, 2026.")),
            ("open = false\nuntil = '2026-04-30'", Some("This form is closed.")),
            ("from = '2026-04-15'\nuntil = '2026-04-30'", Some("This form opens on April 15, 2026.")),
        ];
        let zone = &"America/New_York".parse().expect("a zone");
        let now = "2026-04-01T12:00:00Z".parse().expect("an instant");
        for (rule, message) in cases {
            let opening: Opening = toml::from_str(rule).expect(rule);
            let found = opening.closed_message_after_the_event(now, zone, "Eastern Time");
            assert_eq!(found.as_deref(), message, "{rule:?}");
        }
    }

    #[test]
    fn a_moment_is_a_real_day_with_or_without_a_time() {
        for good in ["2026-01-31", "2026-01-31 18:00", "2028-02-29"] {
            assert_eq!(good.parse::<Moment>().expect(good).to_string(), good);
        }
        for bad in ["", "2026-02-30", "2026-13-01", "January 5", "2026-01-31T18:00", "2026-01-31 6 PM"] {
            assert!(bad.parse::<Moment>().is_err(), "{bad:?} was accepted");
        }
    }
}
