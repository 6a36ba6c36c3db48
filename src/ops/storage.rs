//! The size of the database: deletes what is no longer needed and records how the file grows.
//!
//! Left out on purpose: shrinking the file. SQLite reuses its free pages.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rusqlite::Connection;

use crate::app::App;
use crate::error::Result;
use crate::mail::outbox;
use crate::store::{audit, outbox as mails, settings, sizes};
use crate::time;

/// How long all audit lines of an abandoned entry are kept. After that, one remains, besides those of organisers.
const ABANDONED_KEPT: TimeDelta = TimeDelta::days(30);
/// The most audit lines deleted in one night.
const MAX_AUDIT_LINES: u32 = 200_000;
/// The most rows changed in one transaction. Registrations wait for it.
const BATCH: u32 = 100;
/// The setting that holds the size of the file by day, as JSON.
const SIZES: &str = "database.sizes";
/// How long sizes are kept: long enough to compare with a week ago.
const SIZES_KEPT: TimeDelta = TimeDelta::days(7);

/// Deletes what is no longer needed: the text and attachments of emails sent long ago, the addresses that the hourly
/// limits counted, and all but one audit line of entries abandoned long ago.
pub fn trim(app: &App, now: DateTime<Utc>) -> Result<()> {
    let days = app.config.limits.sent_mail_days;
    if days > 0 {
        let before = time::stored(now - TimeDelta::days(i64::from(days)));
        in_batches(app, &before, mails::drop_written)?;
        in_batches(app, &before, mails::drop_attachments)?;
    }
    in_batches(app, &time::stored(now - outbox::LOOK_BACK), mails::forget_counted)?;
    let before = time::stored(now - ABANDONED_KEPT);
    let lines =
        app.store.read(|connection| audit::of_abandoned_entries(connection, &before, MAX_AUDIT_LINES))?;
    for batch in lines.chunks(BATCH as usize * 10) {
        let batch = batch.to_vec();
        app.store.write(move |connection| audit::delete(connection, &batch))?;
    }
    Ok(())
}

/// Repeats a deletion in small transactions until nothing older than `before` is left.
fn in_batches(
    app: &App,
    before: &str,
    delete: fn(&Connection, before: &str, limit: u32) -> Result<usize>,
) -> Result<()> {
    loop {
        let before = before.to_owned();
        let deleted = app.store.write(move |connection| delete(connection, &before, BATCH))?;
        if deleted < BATCH as usize {
            return Ok(());
        }
    }
}

/// Records the size of the file, once a day.
pub fn record_size(app: &App, today: NaiveDate) -> Result<()> {
    app.store.write(move |connection| {
        let mut sizes_by_day = recorded_sizes(connection)?;
        if sizes_by_day.contains_key(&today) {
            return Ok(());
        }
        sizes_by_day.retain(|day, _| *day <= today && *day >= today - SIZES_KEPT);
        sizes_by_day.insert(today, sizes::file_bytes(connection)?.0);
        let json = serde_json::to_string(&sizes_by_day).unwrap_or_default();
        settings::set(connection, SIZES, &json, &time::stored(time::now()))
    })
}

/// The size of the database now and a week ago.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub bytes: i64,
    /// The part of `bytes` that SQLite can reuse.
    pub free_bytes: i64,
    /// The size a week ago, or on the first day since then that has a record.
    pub earlier: Option<(NaiveDate, i64)>,
}

pub fn size(app: &App, today: NaiveDate) -> Result<Size> {
    app.store.read(|connection| {
        let (bytes, free_bytes) = sizes::file_bytes(connection)?;
        let earlier = recorded_sizes(connection)?
            .into_iter()
            .find(|(day, _)| (today - SIZES_KEPT..today).contains(day));
        Ok(Size { bytes, free_bytes, earlier })
    })
}

/// The recorded sizes by day. An unreadable setting counts as empty.
fn recorded_sizes(connection: &Connection) -> Result<BTreeMap<NaiveDate, i64>> {
    let json = settings::get(connection, SIZES)?;
    Ok(json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

#[cfg(test)]
mod tests;
