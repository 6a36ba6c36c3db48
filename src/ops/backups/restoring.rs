//! Inspects a backup and replaces the database with it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::packing::{unpack_to, unpacked_size};
use super::{STAMP, media};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::store::{
    ServerLock, backup, create_private, folder_of, migrate, open_connection, registrations, with_ending,
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
    refuse_served(file)?;
    let unpacked = unpack(&own_file(config), file)?;
    let contents = contents(&unpacked, file);
    remove_database(&unpacked);
    contents
}

/// Replaces the database with a backup and the photos beside it.
///
/// # Errors
/// [`Error::Failed`] while a server runs on the database, when the backup is damaged, or when the disk has no room for it and
/// for a copy of the current database. Then nothing is changed.
pub fn restore(config: &Config, file: &Path, now: DateTime<Utc>) -> Result<Restored> {
    // Before our own lock, which may be on the same file.
    refuse_served(file)?;
    let database = own_file(config);
    let _lock = if database.exists() { Some(lock(&database)?) } else { None };
    require_room(&database, file)?;
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
        Error::Locked(database) => ServerLock::running(&database, "restore"),
        other => other,
    })
}

/// A running server's database changes while it is read. Checked before anything opens it, see [`ServerLock`].
fn refuse_served(file: &Path) -> Result<()> {
    if !file.is_file() || !ServerLock::is_held(file) {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "{} is the database of a running server. Stop that server, or make a backup with `showcase backup FILE` and name \
         that one.",
        file.display()
    )))
}

/// The disk holds the current database, a copy of it, and the unpacked backup.
fn require_room(database: &Path, file: &Path) -> Result<()> {
    let current: u64 = ["", "-wal"]
        .iter()
        .filter_map(|ending| with_ending(database, ending).metadata().ok())
        .map(|file| file.len())
        .sum();
    let size = unpacked_size(file)?.unwrap_or_default().saturating_add(current);
    backup::require_room("A restore needs", size, 0, folder_of(database))
}

/// Copies the current database to another name. A failure leaves no file behind.
fn keep_current(database: &Path, now: DateTime<Utc>) -> Result<Option<PathBuf>> {
    if !database.exists() {
        return Ok(None);
    }
    let first = with_ending(database, &format!(".before-restore-{}", now.format(STAMP)));
    let mut others = (2..).map(|number| with_ending(&first, &format!("-{number}")));
    let safety = if first.exists() { others.find(|name| !name.exists()).unwrap_or(first) } else { first };
    // Copy the write-ahead log first: SQLite deletes the log of a database that it cannot read, and the newest writes
    // may be in it.
    copy_bytes(&with_ending(database, "-wal"), &with_ending(&safety, "-wal"))?;
    let sound = open_connection(database).and_then(|current| {
        backup::check(&current, database)?;
        Ok(current)
    });
    let kept = match sound {
        Ok(current) => backup::write_verified(&current, &safety, 0).map(|()| remove_companions(&safety)),
        // That can be the reason for the restore. Keep its bytes anyway.
        Err(_) => copy_bytes(database, &safety),
    };
    if kept.is_err() {
        remove_database(&safety);
    }
    kept.map(|()| Some(safety))
}

/// Copies a file if it exists. A failure leaves no file behind.
fn copy_bytes(source: &Path, target: &Path) -> Result<()> {
    let failed = || Error::io(format!("{} cannot be copied to {}", source.display(), target.display()));
    let mut opened = match File::open(source) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened.map_err(failed())?,
    };
    let mut copy = create_private(target).map_err(failed())?;
    io::copy(&mut opened, &mut copy).map(drop).map_err(|error| {
        let _ = fs::remove_file(target);
        failed()(error)
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_fails_leaves_no_file_and_names_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("copy");
        copy_bytes(&folder.path().join("missing"), &target).expect("nothing to copy");
        // A folder can be opened, but not read.
        let error = copy_bytes(folder.path(), &target).expect_err("not a file").to_string();
        assert!(error.contains(&target.display().to_string()) && !target.exists(), "{error}");
    }
}
