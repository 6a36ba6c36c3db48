//! Inspects a backup and replaces the database with it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::packing::unpack_to;
use super::{STAMP, media};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::store::{
    ServerLock, backup, create_private, migrate, open_connection, registrations, with_ending,
};

/// Suffixes of the files that SQLite creates beside a database.
const COMPANIONS: [&str; 2] = ["-wal", "-shm"];

/// A summary of a backup.
#[derive(Debug, PartialEq, Eq)]
pub struct Contents {
    pub schema: i64,
    /// The number of records of each kind.
    pub counts: Vec<(Kind, i64)>,
    pub media: media::Checked,
}

/// The result of a restore.
#[derive(Debug)]
pub struct Restored {
    /// Where the old database is kept, if there was one.
    pub previous: Option<PathBuf>,
    /// The photos that were restored, and those that could not be.
    pub media: media::Checked,
}

/// Opens and checks a backup and summarises it. The database is not changed.
pub fn inspect(config: &Config, file: &Path) -> Result<Contents> {
    let unpacked = unpack(&own_file(config), file)?;
    let contents = contents(&unpacked, file);
    remove_database(&unpacked);
    contents
}

/// Replaces the database with a backup and the photos beside it.
///
/// # Errors
/// [`Error::Failed`] while a server runs on the database, or when the backup is damaged. Then nothing is changed.
pub fn restore(config: &Config, file: &Path, now: DateTime<Utc>) -> Result<Restored> {
    let database = own_file(config);
    let _lock = if database.exists() { Some(lock(&database)?) } else { None };
    let unpacked = unpack(&database, file)?;
    let restored = contents(&unpacked, file).and_then(|_| {
        let media = media::put_back(&Connection::open(&unpacked)?, &media::beside(file))?;
        let previous = keep_current(&database, now)?;
        remove_companions(&database);
        fs::rename(&unpacked, &database)?;
        Ok(Restored { previous, media })
    });
    remove_database(&unpacked);
    restored
}

/// The database file with symbolic links resolved. So a link stays a link, and a restore works on the disk of the
/// file that it replaces.
fn own_file(config: &Config) -> PathBuf {
    config.database.canonicalize().unwrap_or_else(|_| config.database.clone())
}

/// Deletes a copy of a database and the files that SQLite created beside it.
pub fn remove_database(copy: &Path) {
    let _ = fs::remove_file(copy);
    remove_companions(copy);
}

fn remove_companions(database: &Path) {
    for companion in COMPANIONS {
        let _ = fs::remove_file(with_ending(database, companion));
    }
}

fn lock(database: &Path) -> Result<ServerLock> {
    ServerLock::take(database).map_err(|error| match error {
        Error::Locked(database) => Error::Failed(format!(
            "A server is running on {}. Stop it first (`systemctl stop showcase`, or Ctrl-C), then restore.",
            database.display()
        )),
        other => other,
    })
}

/// Copies the current database to another name.
fn keep_current(database: &Path, now: DateTime<Utc>) -> Result<Option<PathBuf>> {
    if !database.exists() {
        return Ok(None);
    }
    let first = with_ending(database, &format!(".before-restore-{}", now.format(STAMP)));
    let mut others = (2..).map(|number| with_ending(&first, &format!("-{number}")));
    let safety = if first.exists() { others.find(|name| !name.exists()).unwrap_or(first) } else { first };
    // Copy the write-ahead log first: SQLite deletes the log of a database that it cannot read, and the newest writes
    // may be in it.
    let log = with_ending(&safety, "-wal");
    copy_bytes(&with_ending(database, "-wal"), &log)?;
    match open_connection(database).and_then(|current| backup::write_verified(&current, &safety)) {
        Ok(()) => {
            let _ = fs::remove_file(&log);
        }
        // The database may be damaged: that can be the reason for the restore. Keep its bytes anyway.
        Err(_) => copy_bytes(database, &safety)?,
    }
    Ok(Some(safety))
}

/// Copies a file if it exists.
fn copy_bytes(source: &Path, target: &Path) -> Result<()> {
    match File::open(source) {
        Ok(mut source) => io::copy(&mut source, &mut create_private(target)?).map(drop).map_err(Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Unpacks a plain or compressed backup beside the current database. The file may be the database of a server that was
/// killed: then its newest writes are in the log beside it, so the log is copied too.
fn unpack(database: &Path, file: &Path) -> Result<PathBuf> {
    let unpacked = with_ending(database, ".restoring");
    // Otherwise SQLite would apply a log that a killed restore has left behind.
    remove_companions(&unpacked);
    unpack_to(file, &unpacked)?;
    let own = file.canonicalize()?;
    match copy_bytes(&with_ending(&own, "-wal"), &with_ending(&unpacked, "-wal")) {
        Ok(()) => Ok(unpacked),
        Err(error) => {
            remove_database(&unpacked);
            Err(error)
        }
    }
}

fn contents(unpacked: &Path, file: &Path) -> Result<Contents> {
    let read = || -> Result<Contents> {
        let schema = migrate::version(unpacked)?;
        let connection = Connection::open(unpacked)?;
        backup::check(&connection, file)?;
        // Merge the log into the file: only the file itself replaces the database.
        connection.pragma_update(None, "journal_mode", "delete")?;
        let count = |kind| Ok((kind, registrations::count_all(&connection, kind)?));
        let counts = Kind::ALL.into_iter().map(count).collect::<Result<_>>()?;
        Ok(Contents { schema, counts, media: media::check(&connection, &media::beside(file))? })
    };
    read().map_err(|error| {
        let cause = error.for_log();
        Error::Failed(format!("{} is not a backup that can be restored: {cause}", file.display()))
    })
}
