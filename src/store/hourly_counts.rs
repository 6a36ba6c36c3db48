//! Counts and sums by the hour in UTC, which callers add up to days in the event's time zone. An hour is the start of a
//! stored instant, such as `2026-03-28T13`. In a time zone whose offset is not whole hours, the first and last part of a
//! day are counted on the wrong day.

use rusqlite::Connection;
use serde::Serialize;

use super::payments::IS_PAID;
use super::registrations::table;
use crate::error::Result;
use crate::model::{Cents, Kind};
use crate::store::query::{from_row, query_all};

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
    query_all(connection, &sql, (from, until), |row| row.try_into())
}

/// The payments of entries paid in `from <= paid_at < until`, minus refunds.
pub fn revenue_by_hour(connection: &Connection, from: &str, until: &str) -> Result<Vec<(String, Cents)>> {
    let sql = format!(
        "select substr(paid_at, 1, 13), sum(payment_amount_cents - refunded_cents) from competition_entries
         where paid_at >= ? and paid_at < ? and {IS_PAID} group by 1"
    );
    query_all(connection, &sql, (from, until), |row| row.try_into())
}

/// The entries of one primary category.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CategoryCount {
    pub category: String,
    pub entries: i64,
    pub paid: i64,
    #[serde(rename = "revenue")]
    pub revenue_cents: Cents,
}

from_row!(CategoryCount: category, entries, paid, revenue_cents);

/// Entries created in `from <= created_at < until` by their primary category.
pub fn by_category(connection: &Connection, from: &str, until: &str) -> Result<Vec<CategoryCount>> {
    let sql = format!(
        "select primary_category, count(*), sum({IS_PAID}),
                sum(case when {IS_PAID} then payment_amount_cents - refunded_cents else 0 end)
         from competition_entries
         where created_at >= ? and created_at < ? and status <> 'set_aside'
               and payment_status not in ('abandoned', 'failed')
         group by 1 order by 2 desc, 1"
    );
    query_all(connection, &sql, (from, until), CategoryCount::from_row)
}
