//! The restore drill: once a week the newest backup is unpacked as a restore would, checked to the last
//! page, and its records counted against the database's. A backup that was never restored is a hope.

use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;

use super::packing::unpack_to;
use super::restoring::remove_database;
use super::until;
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::store::registrations::{self, Filter};
use crate::store::{backup, migrate, open_to_read, settings, with_ending};
use crate::time;

const EVERY: TimeDelta = TimeDelta::days(7);
/// When the last drill was held, and what went wrong in it, if anything did.
const HELD_AT: &str = "backup.drilled_at";
const FAILURE: &str = "backup.drill_failure";

/// Holds the drill when it is due and there is a backup; returns which one was tried.
///
/// # Errors
/// [`Error::Failed`] when the backup is not what it should be; the daily report tells it until a drill goes well.
pub fn drill_if_due(app: &App, now: DateTime<Utc>) -> Result<Option<PathBuf>> {
    let held_at = app.store.read(|connection| settings::get(connection, HELD_AT))?;
    let held_at = held_at.and_then(|text| DateTime::parse_from_rfc3339(&text).ok());
    // A drill from the future, held before the clock was set back, does not count.
    if held_at.is_some_and(|at| at <= now && now - at.to_utc() < EVERY) {
        return Ok(None);
    }
    let Some(newest) = until(&app.config, now)?.into_iter().next() else { return Ok(None) };
    let outcome = drill(app, &newest.path, newest.at);
    let failure = outcome.as_ref().err().map(Error::for_log);
    let at = time::stored(now);
    app.store.write(move |connection| {
        settings::set(connection, HELD_AT, &at, &at)?;
        settings::set(connection, FAILURE, failure.as_deref().unwrap_or_default(), &at)
    })?;
    outcome.map(|()| Some(newest.path))
}

/// What the last drill found wrong, as a sentence for the organiser.
pub fn last_failure(connection: &Connection) -> Result<Option<String>> {
    let failure = settings::get(connection, FAILURE)?.filter(|failure| !failure.is_empty());
    Ok(failure.map(|failure| {
        format!("The restore drill failed: {failure} Make a new backup with `showcase backup`.")
    }))
}

fn drill(app: &App, file: &Path, made_at: DateTime<Utc>) -> Result<()> {
    let unpacked = with_ending(&app.config.database, ".drill");
    let tried = unpack_to(file, &unpacked).and_then(|()| compare(app, file, &unpacked, made_at));
    remove_database(&unpacked);
    tried
}

/// A backup may hold more than the database by now, when something was erased since, and never less.
fn compare(app: &App, file: &Path, unpacked: &Path, made_at: DateTime<Utc>) -> Result<()> {
    let wrong = |words: String| Error::Failed(format!("{} {words}.", file.display()));
    if migrate::version(unpacked)? > migrate::newest() {
        return Err(wrong("was made by a newer program".to_owned()));
    }
    let copy = open_to_read(unpacked)?;
    backup::check_thoroughly(&copy, file)?;
    let until = Filter { until: Some(made_at), ..Filter::default() };
    for kind in Kind::ALL {
        let kept = registrations::count_all(&copy, kind)?;
        let expected = app.store.read(|connection| registrations::count(connection, kind, &until))?;
        if kept < expected {
            return Err(wrong(format!("holds {kept} {kind}, and the database had {expected} by then")));
        }
    }
    Ok(())
}
