//! The time by which people were promised an answer.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Datelike, NaiveDate, TimeDelta, Utc, Weekday};

use super::Content;
use super::clock::serialize_as_text;
use crate::model::Kind;
use crate::time::{self, Zone};

/// The organiser is reminded of a promised day this long before it.
const REMIND_BEFORE: TimeDelta = TimeDelta::days(7);

/// An entry that was started less than this ago may still be paid.
const STILL_PAYING: TimeDelta = TimeDelta::hours(1);

impl Content {
    /// Registrations of this kind that were received before this instant and are still unanswered or unpaid are due.
    /// `None`: none are due.
    pub fn due_before(&self, kind: Kind, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        if kind == Kind::CompetitionEntries {
            return Some(now - STILL_PAYING);
        }
        self.mail.promises.get(kind.as_str())?.due_before(now, &self.event.time_zone)
    }
}

/// Written `48 hours`, `7 business days`, or a day like `2026-02-15`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    Hours(u32),
    BusinessDays(u32),
    By(NaiveDate),
}

impl Promise {
    /// Registrations received before this instant are due. `None`: none are due yet.
    pub fn due_before(self, now: DateTime<Utc>, zone: &Zone) -> Option<DateTime<Utc>> {
        let today = zone.at(now).date_naive();
        match self {
            Promise::Hours(hours) => Some(now - TimeDelta::hours(i64::from(hours))),
            Promise::BusinessDays(days) => Some(time::day_start(business_days_before(today, days), zone)),
            Promise::By(day) => (today >= day - REMIND_BEFORE).then_some(now),
        }
    }
}

/// The day that lies `days` business days before today, today not counted.
fn business_days_before(today: NaiveDate, days: u32) -> NaiveDate {
    let is_business_day = |day: &NaiveDate| !matches!(day.weekday(), Weekday::Sat | Weekday::Sun);
    let passed = today
        .iter_days()
        .rev()
        .skip(1)
        .filter(is_business_day)
        .take(usize::try_from(days).unwrap_or(usize::MAX));
    passed.last().unwrap_or(today)
}

impl FromStr for Promise {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let count = |unit: &str| {
            let number = text.strip_suffix(unit)?.strip_suffix(' ')?;
            number.parse::<u32>().ok().filter(|count| (1..=1_000).contains(count))
        };
        if let Some(hours) = count("hours") {
            return Ok(Promise::Hours(hours));
        }
        if let Some(days) = count("business days") {
            return Ok(Promise::BusinessDays(days));
        }
        text.parse().map(Promise::By).map_err(|_| {
            format!(
                "'{text}' is not a promise; write '48 hours', '7 business days' or a day like '2026-02-15'"
            )
        })
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Promise::Hours(hours) => write!(formatter, "{hours} hours"),
            Promise::BusinessDays(days) => write!(formatter, "{days} business days"),
            Promise::By(day) => write!(formatter, "{day}"),
        }
    }
}

serialize_as_text!(Promise);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promise_is_hours_business_days_or_a_day() {
        for good in ["48 hours", "7 business days", "2026-02-15", "1000 hours"] {
            assert_eq!(good.parse::<Promise>().expect(good).to_string(), good);
        }
        for bad in ["", "0 hours", "48", "48hours", "-1 hours", "1001 hours", "7 days", "2026-02-30", "soon"]
        {
            assert!(bad.parse::<Promise>().is_err(), "{bad}");
        }
    }

    #[test]
    fn weekends_are_not_business_days_and_today_does_not_count() {
        // 2026-03-09 is a Monday. For what was sent on a Friday, five business days end with the next Friday.
        for (today, days, due_before) in [
            ("2026-03-09", 1, "2026-03-06"),
            ("2026-03-10", 1, "2026-03-09"),
            ("2026-03-13", 5, "2026-03-06"),
            ("2026-03-14", 5, "2026-03-09"),
            ("2026-03-15", 5, "2026-03-09"),
            ("2026-03-16", 5, "2026-03-09"),
            ("2026-03-17", 7, "2026-03-06"),
        ] {
            let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
            assert_eq!(business_days_before(day(today), days), day(due_before), "{today}, {days} days");
        }
    }
}
