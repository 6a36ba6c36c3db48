//! Registrations and revenue by day and by category, for the plots of the dashboard.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::form;
use crate::model::Kind;
use crate::store::daily_counts;
use crate::time::{self, Zone};

/// Days shown unless asked for otherwise, today included, and at most.
const USUAL: u64 = 28;
const MOST: i64 = 400;

/// The tallies of some event-local days, both inclusive: `{from, to, days: […], categories: […]}`.
///
/// # Errors
/// [`Error::Malformed`] when the days are in the wrong order, or too many.
pub fn tally(app: &App, from: Option<NaiveDate>, to: Option<NaiveDate>) -> Result<Value> {
    let zone = app.content().event.time_zone.clone();
    let to = to.unwrap_or_else(|| zone.at(time::now()).date_naive());
    let from = from.unwrap_or_else(|| to - Days::new(USUAL - 1));
    if from > to {
        return Err(Error::Malformed(format!("{from} is after {to}; give the earlier day first.")));
    }
    if (to - from).num_days() >= MOST {
        return Err(Error::Malformed(format!("At most {MOST} days can be asked for at once.")));
    }
    let (start, end) =
        (time::stored(time::day_start(from, &zone)), time::stored(time::day_start(to + Days::new(1), &zone)));
    app.store.read(|connection| {
        let mut days: BTreeMap<NaiveDate, Day> =
            from.iter_days().take_while(|day| *day <= to).map(|day| (day, Day::default())).collect();
        for kind in Kind::ALL {
            for (hour, count) in daily_counts::registrations_by_hour(connection, kind, &start, &end)? {
                if let Some(day) = local_day(&hour, &zone).and_then(|day| days.get_mut(&day)) {
                    *day.counts.entry(kind).or_default() += count;
                }
            }
        }
        for (hour, cents) in daily_counts::revenue_by_hour(connection, &start, &end)? {
            if let Some(day) = local_day(&hour, &zone).and_then(|day| days.get_mut(&day)) {
                day.revenue_cents += cents;
            }
        }
        let categories = daily_counts::by_category(connection, &start, &end)?;
        let categories = categories.into_iter().map(|tally| {
            json!({ "category": tally.category, "entries": tally.entries, "paid": tally.paid, "revenue": tally.revenue_cents })
        });
        let days = days.iter().map(|(day, tally)| tally.to_json(*day));
        Ok(json!({ "from": from, "to": to, "days": days.collect::<Value>(), "categories": categories.collect::<Value>() }))
    })
}

#[derive(Default)]
struct Day {
    counts: BTreeMap<Kind, i64>,
    revenue_cents: i64,
}

impl Day {
    fn to_json(&self, day: NaiveDate) -> Value {
        let count = |kind: &Kind| self.counts.get(kind).copied().unwrap_or_default();
        let by_kind: Map<String, Value> =
            Kind::ALL.iter().map(|kind| (form(*kind).summary_key.clone(), count(kind).into())).collect();
        json!({
            "day": day, "total": self.counts.values().sum::<i64>(),
            "registrations": by_kind, "revenue": self.revenue_cents,
        })
    }
}

/// The event-local day of an hour like `2026-03-28T13`.
fn local_day(hour: &str, zone: &Zone) -> Option<NaiveDate> {
    time::local(&format!("{hour}:00:00Z"), zone).get(..10)?.parse().ok()
}
