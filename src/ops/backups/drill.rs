//! The restore drill. Once a week it unpacks the newest backup as a restore would, checks every page, and compares the
//! number of records with the database and every photo with its SHA-256.

use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;

use super::packing::{unpack_to, unpacked_size};
use super::restoring::remove_database;
use super::{media, reserve, until};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::store::registrations::{self, Filter};
use crate::store::{backup, folder_of, migrate, open_to_read, settings, with_ending};
use crate::time;

const EVERY: TimeDelta = TimeDelta::days(7);
/// A drill that failed is repeated after this time, or as soon as there is another backup.
const AFTER_FAILURE: TimeDelta = TimeDelta::days(1);
/// The setting that holds the time of the last drill.
const HELD_AT: &str = "backup.drilled_at";
/// The setting that holds the name of the backup that was checked last.
const CHECKED: &str = "backup.drilled";
/// The setting that holds what the last drill found wrong and what to do; empty if it succeeded.
const FAILURE: &str = "backup.drill_failure";

/// Runs the drill if it is due and there is a backup. Returns the backup that was checked.
///
/// # Errors
/// [`Error::Failed`] when the backup is bad, which the daily report repeats until a drill succeeds, or when the disk has no
/// room for the drill.
pub fn drill_if_due(app: &App, now: DateTime<Utc>) -> Result<Option<PathBuf>> {
    let (held_at, checked, failure) = app.store.read(|connection| {
        let get = |key| settings::get(connection, key);
        Ok((get(HELD_AT)?, get(CHECKED)?, get(FAILURE)?))
    })?;
    let has_failed = failure.is_some_and(|failure| !failure.is_empty());
    let every = if has_failed { AFTER_FAILURE } else { EVERY };
    let held_at = held_at.and_then(|text| DateTime::parse_from_rfc3339(&text).ok());
    // A drill dated in the future (the clock was set back) does not count.
    let is_recent = held_at.is_some_and(|at| at <= now && now - at.to_utc() < every);
    if is_recent && !has_failed {
        return Ok(None);
    }
    let Some(newest) = until(&app.config, now)?.into_iter().next() else { return Ok(None) };
    let name = newest.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if is_recent && checked.as_ref() == Some(&name) {
        return Ok(None);
    }
    // Without room nothing is known of the backup: the drill is held as soon as there is. Backups need as much, and the host
    // is told when they are late.
    let folder = folder_of(&app.config.database);
    let size = unpacked_size(&newest.path).ok().flatten().unwrap_or_default();
    backup::require_room("Unpacking a backup needs", size, reserve(&app.config, folder), folder)?;
    let outcome = drill(app, &newest.path, newest.at);
    let failure = outcome.as_ref().err().map(Error::for_log);
    let at = time::stored(now);
    app.store.write(move |connection| {
        settings::set(connection, HELD_AT, &at, &at)?;
        settings::set(connection, CHECKED, &name, &at)?;
        settings::set(connection, FAILURE, failure.as_deref().unwrap_or_default(), &at)
    })?;
    outcome.map(|()| Some(newest.path))
}

/// What the last drill found wrong, as sentences for the organiser.
pub fn last_failure(connection: &Connection) -> Result<Option<String>> {
    let failure = settings::get(connection, FAILURE)?.filter(|failure| !failure.is_empty());
    Ok(failure.map(|failure| format!("The restore drill failed: {failure}")))
}

fn drill(app: &App, file: &Path, made_at: DateTime<Utc>) -> Result<()> {
    let new_backup = |error: Error| {
        let cause = error.for_log();
        Error::Failed(format!("{}. Make a new backup with `showcase backup`.", cause.trim_end_matches('.')))
    };
    let unpacked = with_ending(&app.config.database, ".drill");
    let outcome = unpack_to(file, &unpacked).and_then(|()| compare(app, file, &unpacked, made_at));
    remove_database(&unpacked);
    outcome.map_err(new_backup)
}

/// A backup may hold more records than the database, because some were erased since, but never fewer.
fn compare(app: &App, file: &Path, unpacked: &Path, made_at: DateTime<Utc>) -> Result<()> {
    let wrong = |problem: String| Error::Failed(format!("{} {problem}.", file.display()));
    if migrate::version(unpacked)? > migrate::newest() {
        return Err(wrong("was made by a newer version of showcase".to_owned()));
    }
    let copy = open_to_read(unpacked)?;
    backup::check_thoroughly(&copy, file)?;
    let until = Filter { until: Some(made_at), ..Filter::default() };
    for kind in Kind::ALL {
        let kept = registrations::count_all(&copy, kind)?;
        let expected = app.store.read(|connection| registrations::count(connection, kind, &until))?;
        if kept < expected {
            return Err(wrong(format!("holds {kept} {kind}, but the database had {expected} at that time")));
        }
    }
    let checked = media::check(&copy, &media::beside(file))?;
    if !checked.is_sound() {
        media::rename_damaged(&media::beside(file), &checked.wrong)?;
        return Err(wrong(format!("is not complete: {}", checked.sentence())));
    }
    let checked = media::check_stored(app)?;
    if !checked.is_sound() {
        return Err(Error::Failed(format!("In the database, {}.", checked.sentence())));
    }
    Ok(())
}
