//! Deletes what the database no longer needs.
//!
//! Left out on purpose: shrinking the file. SQLite reuses its free pages.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;

use crate::app::App;
use crate::error::Result;
use crate::mail::outbox;
use crate::store::{audit, outbox as stored_emails};
use crate::time;

/// How long the exact text and the attachments of a sent email are kept. Later the email is rendered again from its values.
const TEXT_KEPT: TimeDelta = TimeDelta::days(30);
/// How long all audit lines of an abandoned entry are kept. After that, one remains, besides those of organisers.
const ABANDONED_KEPT: TimeDelta = TimeDelta::days(30);
/// The most audit lines deleted in one night.
const MAX_AUDIT_LINES: u32 = 200_000;
/// The most rows changed in one transaction. Registrations wait for it.
const BATCH: u32 = 100;

/// Deletes what is no longer needed: the text and attachments of emails sent long ago, the addresses that the hourly
/// limits counted, and all but one audit line of entries abandoned long ago.
pub fn trim(app: &App, now: DateTime<Utc>) -> Result<()> {
    let before = time::stored(now - TEXT_KEPT);
    in_batches(app, &before, stored_emails::delete_rendered_bodies)?;
    in_batches(app, &before, stored_emails::drop_attachments)?;
    in_batches(app, &time::stored(now - outbox::LOOK_BACK), stored_emails::forget_counted)?;
    let before = time::stored(now - ABANDONED_KEPT);
    let lines = app
        .store
        .read(|connection| audit::lines_of_abandoned_entries(connection, &before, MAX_AUDIT_LINES))?;
    for batch in lines.chunks(BATCH as usize * 10) {
        app.store.write(|connection| audit::delete(connection, batch))?;
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
        let deleted = app.store.write(|connection| delete(connection, before, BATCH))?;
        if deleted < BATCH as usize {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests;
