//! Counts and sums by the hour in UTC, which callers add up to days in the event's time zone. An hour is the start of a
//! stored instant, such as `2026-03-28T13`. In a time zone whose offset is not whole hours, the first and last part of a
//! day are counted on the wrong day.

use rusqlite::Connection;
use serde::Serialize;

use super::registrations::table;
use crate::error::Result;
use crate::model::{Cents, Kind};

/// Registrations created in `from <= created_at < until`, except those held for review and abandoned or failed entries.
pub fn registrations_by_hour(
    connection: &Connection,
    kind: Kind,
    from: &str,
    until: &str,
) -> Result<Vec<(String, i64)>> {
    let payment = match kind {
        Kind::CompetitionEntries => "and payment_status not in ('abandoned', 'failed')",
        _ => "",
    };
    let sql = format!(
        "select substr(created_at, 1, 13), count(*) from {}
         where created_at >= ? and created_at < ? and status <> 'set_aside' {payment} group by 1",
        table(kind)
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map((from, until), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The payments of entries paid in `from <= paid_at < until`, minus refunds.
pub fn revenue_by_hour(connection: &Connection, from: &str, until: &str) -> Result<Vec<(String, Cents)>> {
    let mut statement = connection.prepare_cached(
        "select substr(paid_at, 1, 13), sum(payment_amount_cents - refunded_cents) from competition_entries
         where paid_at >= ? and paid_at < ? and payment_status in ('paid', 'partially_refunded') group by 1",
    )?;
    let rows = statement.query_map((from, until), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The entries of one primary category.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "CategoryCount"))]
pub struct Category {
    pub category: String,
    pub entries: i64,
    pub paid: i64,
    #[serde(rename = "revenue")]
    pub revenue_cents: Cents,
}

/// Entries created in `from <= created_at < until` by their primary category.
pub fn by_category(connection: &Connection, from: &str, until: &str) -> Result<Vec<Category>> {
    let mut statement = connection.prepare_cached(
        "select primary_category, count(*), sum(payment_status in ('paid', 'partially_refunded')),
                sum(case when payment_status in ('paid', 'partially_refunded')
                         then payment_amount_cents - refunded_cents else 0 end)
         from competition_entries
         where created_at >= ? and created_at < ? and status <> 'set_aside'
               and payment_status not in ('abandoned', 'failed')
         group by 1 order by 2 desc, 1",
    )?;
    let rows = statement.query_map((from, until), |row| {
        Ok(Category {
            category: row.get(0)?,
            entries: row.get(1)?,
            paid: row.get(2)?,
            revenue_cents: row.get(3)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
