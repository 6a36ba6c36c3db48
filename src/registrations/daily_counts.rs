//! Registrations and revenue by day and by category, for the dashboard's charts.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use serde::Serialize;

use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::by_summary_key;
use crate::model::{Cents, Kind};
use crate::store::hourly_counts::{self, CategoryCount};
use crate::time::{self, Zone};

/// The number of days counted by default, including today.
const DEFAULT_DAYS: u64 = 28;
const MAX_DAYS: i64 = 400;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DailyCounts {
    /// A day in the event's time zone, inclusive.
    pub from: NaiveDate,
    /// A day in the event's time zone, inclusive.
    pub to: NaiveDate,
    pub days: Vec<Day>,
    pub categories: Vec<CategoryCount>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "DailyCount"))]
pub struct Day {
    pub day: NaiveDate,
    /// The registrations of all kinds.
    pub total: i64,
    #[serde(serialize_with = "by_summary_key")]
    #[cfg_attr(test, ts(type = "Record<string, number>"))]
    pub registrations: BTreeMap<Kind, i64>,
    #[serde(rename = "revenue")]
    pub revenue_cents: Cents,
}

impl Day {
    fn new(day: NaiveDate) -> Day {
        let registrations = Kind::ALL.into_iter().map(|kind| (kind, 0)).collect();
        Day { day, total: 0, registrations, revenue_cents: Cents(0) }
    }
}

/// Counts registrations and revenue on days in the event's time zone, both inclusive.
///
/// # Errors
/// [`Error::Malformed`] if the days are in the wrong order, or too many.
pub fn daily_counts(app: &App, from: Option<NaiveDate>, to: Option<NaiveDate>) -> Result<DailyCounts> {
    let zone = app.content().event.time_zone.clone();
    let to = to.unwrap_or_else(|| zone.at(time::now()).date_naive());
    let from = from.unwrap_or_else(|| to - Days::new(DEFAULT_DAYS - 1));
    if from > to {
        return Err(Error::Malformed(format!("{from} is after {to}; give the earlier day first.")));
    }
    if (to - from).num_days() >= MAX_DAYS {
        return Err(Error::Malformed(format!("Please ask for at most {MAX_DAYS} days.")));
    }
    let day_start = |day| time::stored(time::day_start(day, &zone));
    let (start, end) = (day_start(from), day_start(to + Days::new(1)));
    app.store.read(|connection| {
        let mut days: BTreeMap<NaiveDate, Day> =
            from.iter_days().take_while(|day| *day <= to).map(|day| (day, Day::new(day))).collect();
        for kind in Kind::ALL {
            for (hour, count) in hourly_counts::registrations_by_hour(connection, kind, &start, &end)? {
                if let Some(day) = local_day(&hour, &zone).and_then(|day| days.get_mut(&day)) {
                    *day.registrations.entry(kind).or_default() += count;
                    day.total += count;
                }
            }
        }
        for (hour, revenue) in hourly_counts::revenue_by_hour(connection, &start, &end)? {
            if let Some(day) = local_day(&hour, &zone).and_then(|day| days.get_mut(&day)) {
                day.revenue_cents = day.revenue_cents + revenue;
            }
        }
        let categories = hourly_counts::by_category(connection, &start, &end)?;
        Ok(DailyCounts { from, to, days: days.into_values().collect(), categories })
    })
}

/// The event-local day of an hour like `2026-03-28T13`.
fn local_day(hour: &str, zone: &Zone) -> Option<NaiveDate> {
    time::local(&format!("{hour}:00:00Z"), zone).get(..10)?.parse().ok()
}
