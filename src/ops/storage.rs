//! The room that the database takes: what is dropped when it is no longer needed, and how the file grows.
//!
//! Left out on purpose: shrinking the file. Pages that become free are used again.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rusqlite::Connection;

use crate::app::App;
use crate::error::Result;
use crate::mail::outbox;
use crate::store::{audit, outbox as mails, settings, sizes};
use crate::time;

/// Of an entry that was abandoned this long ago the audit log keeps one of the lines that no organiser caused.
const ABANDONED_KEPT: TimeDelta = TimeDelta::days(30);
/// Audit lines dropped in one night at most.
const MOST_LINES: u32 = 200_000;
/// Rows changed in one transaction at most: registrations wait for it.
const BATCH: u32 = 100;
/// The setting that holds the size of the file by day, as JSON.
const SIZES: &str = "database.sizes";
/// Days for which sizes are kept, so that there is one of a week ago.
const SIZES_KEPT: TimeDelta = TimeDelta::days(7);

/// Drops what is no longer needed: the text and the files of mails sent long ago, what mails were counted as, and all but one
/// audit line of entries abandoned long ago.
pub fn trim(app: &App, now: DateTime<Utc>) -> Result<()> {
    let days = app.config.limits.sent_mail_days;
    if days > 0 {
        let before = time::stored(now - TimeDelta::days(i64::from(days)));
        in_batches(app, &before, mails::drop_written)?;
        in_batches(app, &before, mails::drop_attachments)?;
    }
    in_batches(app, &time::stored(now - outbox::LOOK_BACK), mails::forget_counted)?;
    let before = time::stored(now - ABANDONED_KEPT);
    let lines = app.store.read(|connection| audit::of_abandoned_entries(connection, &before, MOST_LINES))?;
    for batch in lines.chunks(BATCH as usize * 10) {
        let batch = batch.to_vec();
        app.store.write(move |connection| audit::delete(connection, &batch))?;
    }
    Ok(())
}

/// Repeats a deletion of what is older than an instant, in small transactions, until nothing is left.
fn in_batches(
    app: &App,
    before: &str,
    delete: fn(&Connection, before: &str, most: u32) -> Result<usize>,
) -> Result<()> {
    loop {
        let before = before.to_owned();
        let deleted = app.store.write(move |connection| delete(connection, &before, BATCH))?;
        if deleted < BATCH as usize {
            return Ok(());
        }
    }
}

/// Notes the size of the file, once a day.
pub fn note_size(app: &App, today: NaiveDate) -> Result<()> {
    app.store.write(move |connection| {
        let mut known = noted(connection)?;
        if known.contains_key(&today) {
            return Ok(());
        }
        known.retain(|day, _| *day <= today && *day >= today - SIZES_KEPT);
        known.insert(today, sizes::file_bytes(connection)?.0);
        let json = serde_json::to_string(&known).unwrap_or_default();
        settings::set(connection, SIZES, &json, &time::stored(Utc::now()))
    })
}

/// How large the database is, and was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub bytes: i64,
    /// Of these, what is free to be used again.
    pub free_bytes: i64,
    /// The size of a week ago, or of the first day since that is known.
    pub earlier: Option<(NaiveDate, i64)>,
}

pub fn size(app: &App, today: NaiveDate) -> Result<Size> {
    app.store.read(|connection| {
        let (bytes, free_bytes) = sizes::file_bytes(connection)?;
        let earlier =
            noted(connection)?.into_iter().find(|(day, _)| (today - SIZES_KEPT..today).contains(day));
        Ok(Size { bytes, free_bytes, earlier })
    })
}

/// The sizes by day. Anything unreadable there is ignored.
fn noted(connection: &Connection) -> Result<BTreeMap<NaiveDate, i64>> {
    let json = settings::get(connection, SIZES)?;
    Ok(json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

#[cfg(test)]
mod tests;
