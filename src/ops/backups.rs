//! Backups: created while the server runs, read back, rotated by count, and restored.
//!
//! A backup is the whole database as one file. In the backup folder it is compressed and named after the database and
//! the instant: `showcase.db` gives `showcase-20260328T133000Z.db.gz`, so that several databases can share a folder.
//! The bytes of photos are not in it, but beside it, in `media/`: each photo once for all backups that contain it.
//! Elsewhere a backup is one file with everything: compressed if its name ends in `.gz`, otherwise a plain SQLite database.
//! Left out on purpose: copying backups to another machine, which any tool can do with a finished file.

mod carrying_over;
pub mod media;
mod packing;
mod restoring;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use rusqlite::Connection;
use serde::Serialize;

pub use carrying_over::CarriedOver;
use packing::compress;
pub use packing::copy_and_hash;
pub use restoring::{Contents, Restored, inspect, remove_database, restore};

use crate::app::App;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::store::{
    audit, backup, create_private, create_private_folder, folder_of, free_bytes, is_same_disk, is_writable,
    migrate, open_connection, open_read_only, with_ending,
};
use crate::time;

const ENDING: &str = ".db.gz";
const STAMP: &str = "%Y%m%dT%H%M%SZ";
/// What follows [`ENDING`] in the names of a backup's temporary files.
const TEMPORARY: [&str; 4] = [".copy", ".copy.partial", ".copy.partial-journal", ".partial"];
/// What `migrate` and `restore` append to the database's name for a copy of it.
const COPIES: [&str; 2] = [".schema-", ".before-restore-"];
/// A temporary file that has not grown for this long belongs to a process that was killed.
const STALE_AFTER: TimeDelta = TimeDelta::hours(1);

/// A finished backup in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    pub path: PathBuf,
    pub at: DateTime<Utc>,
}

/// Creates a backup in the backup folder, with `now` in its name.
///
/// # Errors
/// [`Error::Failed`] when the disk is full or the copy does not pass its check. No file is left behind.
pub fn make_in_folder(config: &Config, now: DateTime<Utc>) -> Result<PathBuf> {
    // Before the folder is created: in a wrong folder there is no database, and nothing is left behind.
    migrate::require_current(&config.database)?;
    require_writable_folder(config)?;
    let target = folder(config).join(format!("{}-{}{ENDING}", database_name(config), now.format(STAMP)));
    let write = |source: &Connection, copy: &Path, reserve: u64| {
        write_with_media(source, copy, &media::beside(&target), now, reserve)
    };
    write_backup(config, &target, write)?;
    Ok(target)
}

/// Creates a backup with everything in one file.
///
/// # Errors
/// Those of [`make_in_folder`].
pub fn make_file(config: &Config, target: &Path) -> Result<()> {
    migrate::require_current(&config.database)?;
    write_backup(config, target, backup::write_verified)
}

/// Writes a backup under temporary names, and renames it once it is complete. `write` copies the database to a path, so that a
/// number of bytes stays free.
fn write_backup(
    config: &Config,
    target: &Path,
    write: impl FnOnce(&Connection, &Path, u64) -> Result<()>,
) -> Result<()> {
    let parent = folder_of(target);
    create_private_folder(parent).map_err(Error::io(format!("{} cannot be created", parent.display())))?;
    let reserve = reserve(config, parent);
    let copy = with_ending(target, ".copy");
    let partial = with_ending(target, ".partial");
    // A disk that has become read-only is exactly the one to back up from.
    let source = match is_writable(&config.database) {
        true => open_connection(&config.database)?,
        false => open_read_only(&config.database)?,
    };
    let made = write(&source, &copy, reserve).and_then(|()| {
        let finished = if is_compressed(target) {
            backup::require_disk_space(backup::NEED, copy.metadata()?.len(), reserve, parent)?;
            compress(&copy, &partial)?;
            &partial
        } else {
            File::open(&copy)?.sync_all()?;
            &copy
        };
        fs::rename(finished, target).map_err(Error::from)
    });
    let _ = fs::remove_file(&copy);
    let _ = fs::remove_file(&partial);
    made.map_err(|error| {
        Error::Failed(format!("The backup {} could not be created: {}", target.display(), error.for_log()))
    })
}

/// Copies the database without the bytes of photos, and writes those to `folder`. Most of them before the transaction
/// that the copy is of: it keeps the write-ahead log from shrinking.
fn write_with_media(
    source: &Connection,
    copy: &Path,
    folder: &Path,
    now: DateTime<Utc>,
    reserve: u64,
) -> Result<()> {
    media::write(source, folder, now, reserve)?;
    let snapshot = source.unchecked_transaction()?;
    media::write(&snapshot, folder, now, reserve)?;
    backup::write_without_media(&snapshot, copy, reserve)
}

/// How much space stays free in a folder, in bytes. With less on the database's disk, the site would become read-only.
fn reserve(config: &Config, folder: &Path) -> u64 {
    if is_same_disk(folder, folder_of(&config.database)) {
        config.limits.free_megabytes.saturating_mul(1_000_000)
    } else {
        0
    }
}

fn is_compressed(backup: &Path) -> bool {
    backup.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"))
}

/// Creates a backup in the folder for an organiser and records it in the audit log.
pub fn make_by_hand(app: &App, actor: &Actor, now: DateTime<Utc>) -> Result<PathBuf> {
    let made = make_in_folder(&app.config, now)?;
    record_action(app, actor, now);
    Ok(made)
}

/// Records in the audit log who created a backup.
pub fn record_action(app: &App, actor: &Actor, now: DateTime<Utc>) {
    app.store.write_audit_line("the backup", |connection| {
        let line = audit::Line { actor, action: "backup made", subject: None };
        audit::insert(connection, &time::stored(now), &line)
    });
}

/// The backups and their settings, for the organiser's page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Backups"))]
pub struct Overview {
    /// The newest first.
    pub items: Vec<ListedBackup>,
    pub every_hours: u32,
    pub keep: u32,
    pub folder: String,
    /// `None` while the folder does not exist.
    pub free_bytes: Option<u64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedBackup {
    pub name: String,
    /// RFC 3339, UTC.
    pub at: String,
    pub bytes: u64,
}

pub fn overview(config: &Config) -> Result<Overview> {
    let mut items = Vec::new();
    for backup in list(config)? {
        let name = backup.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Meanwhile it may have been deleted as the oldest.
        let Ok(bytes) = backup.path.metadata().map(|found| found.len()) else { continue };
        items.push(ListedBackup { name, at: time::stored(backup.at), bytes });
    }
    let folder = folder(config);
    Ok(Overview {
        items,
        every_hours: config.backup.every_hours,
        keep: config.backup.keep,
        free_bytes: if folder.exists() { Some(free_bytes(&folder)?) } else { None },
        folder: folder.to_string_lossy().into_owned(),
    })
}

/// Creates a backup when the newest is older than `backup.every_hours`, and deletes the oldest beyond `backup.keep`.
/// Returns `None` when none is due. Backups dated in the future (the clock was set back) are neither counted nor
/// deleted.
pub fn make_if_due(config: &Config, now: DateTime<Utc>) -> Result<Option<PathBuf>> {
    if config.backup.every_hours == 0 {
        return Ok(None);
    }
    let newest = until(config, now)?.into_iter().next();
    let every = TimeDelta::hours(i64::from(config.backup.every_hours));
    if newest.is_some_and(|newest| now - newest.at < every) {
        return Ok(None);
    }
    delete_stale_files(config, now)?;
    let made = make_in_folder(config, now)?;
    let keep = config.backup.keep.max(1) as usize;
    let kept = until(config, now)?;
    for old in kept.iter().skip(keep) {
        fs::remove_file(&old.path)?;
    }
    if let Some(oldest) = kept.get(keep - 1) {
        delete_copies_of_migrations(config, oldest.at)?;
    }
    // Other databases' backups in the folder name photos there too.
    let all = files(config)?.into_iter().filter(|file| file.suffix.is_empty());
    if let Some(oldest) = all.map(|file| file.backup.at).min() {
        media::delete_unneeded(&media::beside(&made), oldest)?;
    }
    Ok(Some(made))
}

/// The backups created by `now`, the newest first.
pub fn until(config: &Config, now: DateTime<Utc>) -> Result<Vec<Backup>> {
    let mut backups = list(config)?;
    backups.retain(|backup| backup.at <= now);
    Ok(backups)
}

/// All backups in the folder, the newest first.
pub fn list(config: &Config) -> Result<Vec<Backup>> {
    let own = own_files(config)?.into_iter().filter(|file| file.suffix.is_empty());
    let mut backups: Vec<Backup> = own.map(|file| file.backup).collect();
    backups.sort_by_key(|backup| std::cmp::Reverse(backup.at));
    Ok(backups)
}

/// The copies of the database beside it that `migrate` and `restore` have made.
pub fn older_copies(config: &Config) -> Result<Vec<PathBuf>> {
    let database = config.database.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut found = Vec::new();
    for entry in fs::read_dir(folder_of(&config.database))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.strip_prefix(&database).is_some_and(|rest| COPIES.iter().any(|copy| rest.starts_with(copy))) {
            found.push(config.database.with_file_name(name));
        }
    }
    found.sort();
    Ok(found)
}

/// Erased persons are in them: they go when no backup is as old. A copy that a restore has made is the host's to delete.
fn delete_copies_of_migrations(config: &Config, oldest: DateTime<Utc>) -> Result<()> {
    for copy in older_copies(config)? {
        let is_of_migration = copy.extension().is_some_and(|ending| ending == "backup");
        if is_of_migration && DateTime::<Utc>::from(copy.metadata()?.modified()?) < oldest {
            fs::remove_file(&copy)?;
        }
    }
    Ok(())
}

/// Each temporary file is as large as the database: repeated kills would fill the disk.
fn delete_stale_files(config: &Config, now: DateTime<Utc>) -> Result<()> {
    for file in own_files(config)?.into_iter().filter(|file| TEMPORARY.contains(&file.suffix.as_str())) {
        let path = &file.backup.path;
        let modified = path.metadata().and_then(|metadata| metadata.modified());
        if modified.is_ok_and(|modified| DateTime::<Utc>::from(modified) < now - STALE_AFTER) {
            let _ = fs::remove_file(path);
        }
    }
    Ok(())
}

/// A file in the folder whose name is that of a backup, or begins with it.
struct BackupFile {
    /// The name of its database, without an extension.
    database: String,
    /// What follows [`ENDING`]; empty for a finished backup.
    suffix: String,
    backup: Backup,
}

fn own_files(config: &Config) -> Result<Vec<BackupFile>> {
    let mut own = files(config)?;
    own.retain(|file| file.database == database_name(config));
    Ok(own)
}

/// The files of all databases that share the folder.
fn files(config: &Config) -> Result<Vec<BackupFile>> {
    let folder = folder(config);
    let unreadable = |error: io::Error| {
        Error::Failed(format!(
            "The folder {} cannot be read: {error}. Check its disk and its owner, or set another backup.folder.",
            folder.display()
        ))
    };
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let Some((start, suffix)) = name.split_once(ENDING) else { continue };
        let Some((database, stamp)) = start.rsplit_once('-') else { continue };
        let Ok(at) = NaiveDateTime::parse_from_str(stamp, STAMP) else { continue };
        let backup = Backup { path, at: at.and_utc() };
        found.push(BackupFile { database: database.to_owned(), suffix: suffix.to_owned(), backup });
    }
    Ok(found)
}

/// The backup folder: the configured one, or `backups` beside the database.
pub fn folder(config: &Config) -> PathBuf {
    match config.backup.folder.as_str() {
        "" => config.database.parent().unwrap_or(Path::new("")).join("backups"),
        folder => PathBuf::from(folder),
    }
}

/// Checks that the backup folder is writable by writing a file and deleting it. If the folder does not exist yet, its
/// nearest existing ancestor is checked; the first backup creates the rest.
pub fn require_writable_folder(config: &Config) -> Result<()> {
    let folder = folder(config);
    let absolute = std::path::absolute(&folder)?;
    let exists = |path: &&Path| path.symlink_metadata().is_ok();
    let Some(existing) = absolute.ancestors().find(exists) else { return Ok(()) };
    let trial = existing.join(format!(".showcase-trial-{}", std::process::id()));
    let written = if existing == absolute {
        create_private(&trial).and_then(|mut file| {
            file.write_all(b"trial")?;
            file.sync_all()
        })
    } else {
        create_private_folder(&trial)
    };
    let _ = fs::remove_file(&trial);
    let _ = fs::remove_dir(&trial);
    written.map_err(|error| {
        let folder = folder.display();
        let advice = match error.kind() {
            io::ErrorKind::ReadOnlyFilesystem => format!(
                "If systemd runs the server, allow the folder with `systemctl edit showcase`: [Service] \
                 ReadWritePaths=-{folder}. Otherwise check its disk"
            ),
            _ => "Make the server's user the owner of that folder".to_owned(),
        };
        Error::Failed(format!(
            "Backups cannot be written to {folder}: {error}. {advice}, or set another backup.folder."
        ))
    })
}

/// The name of the database without its extension, with which the names of its backups begin.
fn database_name(config: &Config) -> String {
    config.database.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
