//! Backups: made while the server runs, compressed, proven readable, kept by count; and restored.
//!
//! A backup is the whole database as one gzip file, `showcase-20260328T133000Z.db.gz` of `showcase.db`, so that
//! databases that share a folder keep their backups apart. Left out on
//! purpose: copying it to another machine, which any tool can do with a finished file.

mod drill;
mod packing;
mod restoring;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use serde_json::{Value, json};

pub use drill::{drill_if_due, last_failure};
use packing::compress;
pub use restoring::{Contents, inspect, restore};

use crate::app::App;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::store::{
    audit, backup, create_private, create_private_folder, folder_of, free_bytes, is_writable, migrate,
    open_connection, open_to_read, with_ending,
};
use crate::time;

const ENDING: &str = ".db.gz";
const STAMP: &str = "%Y%m%dT%H%M%SZ";
/// What is beside a backup while it is made.
const HALVES: [&str; 4] = [".copy", ".copy.partial", ".copy.partial-journal", ".partial"];
/// A half that has not grown for so long was left by a process that was killed.
const ABANDONED: TimeDelta = TimeDelta::hours(1);

/// A finished backup in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    pub path: PathBuf,
    pub at: DateTime<Utc>,
}

/// Makes a backup at `target`, or in the backup folder under the present instant's name.
///
/// # Errors
/// [`Error::Failed`] when there is no room, or the copy does not pass its check; nothing is left behind.
pub fn make(config: &Config, target: Option<&Path>, now: DateTime<Utc>) -> Result<PathBuf> {
    let target = match target {
        Some(target) => target.to_owned(),
        None => folder(config).join(format!("{}{}{ENDING}", prefix(config), now.format(STAMP))),
    };
    let parent = folder_of(&target);
    create_private_folder(parent).map_err(Error::io(format!("{} cannot be made", parent.display())))?;
    migrate::require_current(&config.database)?;
    let copy = with_ending(&target, ".copy");
    let partial = with_ending(&target, ".partial");
    // A disk that can only be read any more is one to save from.
    let source = match is_writable(&config.database) {
        true => open_connection(&config.database)?,
        false => open_to_read(&config.database)?,
    };
    let made = backup::write_verified(&source, &copy)
        .and_then(|()| compress(&copy, &partial))
        .and_then(|()| fs::rename(&partial, &target).map_err(Error::from));
    let _ = fs::remove_file(&copy);
    let _ = fs::remove_file(&partial);
    made.map(|()| target.clone()).map_err(|error| {
        Error::Failed(format!("The backup {} could not be made: {}", target.display(), error.for_log()))
    })
}

/// Makes a backup in the folder because an organiser wants one, and notes who did.
pub fn make_by_hand(app: &App, actor: &Actor, now: DateTime<Utc>) -> Result<PathBuf> {
    let made = make(&app.config, None, now)?;
    note(app, actor, now);
    Ok(made)
}

/// Notes that somebody made a backup.
pub fn note(app: &App, actor: &Actor, now: DateTime<Utc>) {
    let actor = actor.to_owned();
    app.store.note("the backup", move |connection| {
        let line = audit::Line { actor: &actor, action: "backup made", subject: None };
        audit::insert(connection, &time::stored(now), &line)
    });
}

/// The backups and the rules by which they are made, as the dashboard shows them.
pub fn shown(config: &Config) -> Result<Value> {
    let mut items = Vec::new();
    for made in list(config)? {
        let name = made.path.file_name().map(|name| name.to_string_lossy().into_owned());
        let bytes = made.path.metadata()?.len();
        items.push(json!({ "name": name, "at": time::stored(made.at), "bytes": bytes }));
    }
    let folder = folder(config);
    let free = if folder.exists() { Some(free_bytes(&folder)?) } else { None };
    Ok(json!({
        "items": items, "everyHours": config.backup.every_hours, "keep": config.backup.keep,
        "folder": folder.to_string_lossy(), "freeBytes": free,
    }))
}

/// Makes a backup when the newest is older than `backup.every_hours`, and forgets the oldest beyond
/// `backup.keep`; `None` when it was not yet time. Those from the future, made before the clock was set back,
/// do not count and are left alone.
pub fn make_if_due(config: &Config, now: DateTime<Utc>) -> Result<Option<PathBuf>> {
    if config.backup.every_hours == 0 {
        return Ok(None);
    }
    let newest = until(config, now)?.into_iter().next();
    let every = TimeDelta::hours(i64::from(config.backup.every_hours));
    if newest.is_some_and(|newest| now - newest.at < every) {
        return Ok(None);
    }
    forget_halves(config, now)?;
    let made = make(config, None, now)?;
    for old in until(config, now)?.into_iter().skip(config.backup.keep.max(1) as usize) {
        fs::remove_file(&old.path)?;
    }
    Ok(Some(made))
}

/// The backups that were made by now, the newest first.
pub fn until(config: &Config, now: DateTime<Utc>) -> Result<Vec<Made>> {
    let mut made = list(config)?;
    made.retain(|made| made.at <= now);
    Ok(made)
}

/// All backups in the folder, the newest first.
pub fn list(config: &Config) -> Result<Vec<Made>> {
    let mut made = stamped(config, &[""])?;
    made.sort_by_key(|made| std::cmp::Reverse(made.at));
    Ok(made)
}

/// Each half is as large as the database: kills in a row would fill the disk.
fn forget_halves(config: &Config, now: DateTime<Utc>) -> Result<()> {
    for half in stamped(config, &HALVES)? {
        let grown = half.path.metadata().and_then(|file| file.modified());
        if grown.is_ok_and(|grown| DateTime::<Utc>::from(grown) < now - ABANDONED) {
            let _ = fs::remove_file(&half.path);
        }
    }
    Ok(())
}

/// What the folder holds under the name of a backup and one of these endings more.
fn stamped(config: &Config, endings: &[&str]) -> Result<Vec<Made>> {
    let folder = folder(config);
    let unreadable = |error: io::Error| {
        Error::Failed(format!(
            "The folder {} cannot be read: {error}. Look at its disk and its owner, or set another backup.folder.",
            folder.display()
        ))
    };
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let prefix = prefix(config);
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let stamp = name.strip_prefix(&prefix).and_then(|rest| rest.split_once(ENDING));
        let stamp = stamp.filter(|(_, more)| endings.contains(more));
        if let Some(Ok(at)) = stamp.map(|(stamp, _)| NaiveDateTime::parse_from_str(stamp, STAMP)) {
            found.push(Made { path, at: at.and_utc() });
        }
    }
    Ok(found)
}

/// Where backups are kept: the configured folder, or `backups` beside the database.
pub fn folder(config: &Config) -> PathBuf {
    match config.backup.folder.as_str() {
        "" => config.database.parent().unwrap_or(Path::new("")).join("backups"),
        folder => PathBuf::from(folder),
    }
}

/// Tries whether backups can be kept where the settings say: only a write tells. What is missing of the folder is made
/// with the first backup, so that nothing of the trial stays.
///
/// # Errors
/// [`Error::Failed`] names the folder, and says what to do.
pub fn try_folder(config: &Config) -> Result<()> {
    let folder = folder(config);
    let whole = std::path::absolute(&folder)?;
    let is_there = |path: &&Path| path.symlink_metadata().is_ok();
    let Some(present) = whole.ancestors().find(is_there) else { return Ok(()) };
    let trial = present.join(format!(".showcase-trial-{}", std::process::id()));
    let tried = match present == whole {
        true => create_private(&trial).and_then(|mut file| {
            file.write_all(b"trial")?;
            file.sync_all()
        }),
        false => create_private_folder(&trial),
    };
    let _ = fs::remove_file(&trial);
    let _ = fs::remove_dir(&trial);
    tried.map_err(|error| {
        Error::Failed(format!(
            "Backups cannot be written to {}: {error}. Give the server's user that folder, or set another backup.folder.",
            folder.display()
        ))
    })
}

/// How the names of a database's backups begin.
fn prefix(config: &Config) -> String {
    format!("{}-", config.database.file_stem().unwrap_or_default().to_string_lossy())
}
