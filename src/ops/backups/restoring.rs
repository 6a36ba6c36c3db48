//! What a backup holds, and putting it in the database's place.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::STAMP;
use super::packing::unpack_to;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::store::{
    ServerLock, backup, create_private, migrate, open_connection, registrations, with_ending,
};

/// What SQLite puts beside a database.
const COMPANIONS: [&str; 2] = ["-wal", "-shm"];

/// What a backup holds.
#[derive(Debug, PartialEq, Eq)]
pub struct Contents {
    pub schema: i64,
    /// Records by kind.
    pub counts: Vec<(Kind, i64)>,
}

/// Opens and checks a backup, and tells what it holds; the database stays as it is.
pub fn inspect(config: &Config, file: &Path) -> Result<Contents> {
    let unpacked = unpack(&own_file(config), file)?;
    let contents = contents(&unpacked, file);
    remove_database(&unpacked);
    contents
}

/// Puts a backup in the database's place and returns where the database that was there is kept.
///
/// # Errors
/// [`Error::Failed`] while a server runs on the database, or when the backup is not whole; nothing is
/// changed then.
pub fn restore(config: &Config, file: &Path, now: DateTime<Utc>) -> Result<Option<PathBuf>> {
    let database = own_file(config);
    let _lock = if database.exists() { Some(lock(&database)?) } else { None };
    let unpacked = unpack(&database, file)?;
    let restored = contents(&unpacked, file).and_then(|_| {
        let safety = keep_present(&database, now)?;
        remove_companions(&database);
        fs::rename(&unpacked, &database)?;
        Ok(safety)
    });
    remove_database(&unpacked);
    restored
}

/// The database's own file, whatever links lead to it: a link stays one, and all that a restore makes is on
/// the disk of the file that it replaces.
fn own_file(config: &Config) -> PathBuf {
    config.database.canonicalize().unwrap_or_else(|_| config.database.clone())
}

/// Removes a copy with whatever reading it has put beside it.
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

/// A whole copy of the present database under another name.
fn keep_present(database: &Path, now: DateTime<Utc>) -> Result<Option<PathBuf>> {
    if !database.exists() {
        return Ok(None);
    }
    let first = with_ending(database, &format!(".before-restore-{}", now.format(STAMP)));
    let mut others = (2..).map(|number| with_ending(&first, &format!("-{number}")));
    let safety = if first.exists() { others.find(|name| !name.exists()).unwrap_or(first) } else { first };
    // First its log: SQLite throws away that of a database it cannot read, and the newest writes may be in it.
    let log = with_ending(&safety, "-wal");
    copy_bytes(&with_ending(database, "-wal"), &log)?;
    match open_connection(database).and_then(|present| backup::write_verified(&present, &safety)) {
        Ok(()) => {
            let _ = fs::remove_file(&log);
        }
        // A database that cannot be read is what a restore is for; its bytes are kept all the same.
        Err(_) => copy_bytes(database, &safety)?,
    }
    Ok(Some(safety))
}

/// Copies a file, if it is there.
fn copy_bytes(source: &Path, target: &Path) -> Result<()> {
    match File::open(source) {
        Ok(mut source) => io::copy(&mut source, &mut create_private(target)?).map(drop).map_err(Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The database of a backup, plain or compressed, unpacked beside the present one. The newest writes of a plain
/// file whose server was killed are in the log beside it.
fn unpack(database: &Path, file: &Path) -> Result<PathBuf> {
    let unpacked = with_ending(database, ".restoring");
    // What a killed restore left would be taken for the log of this one.
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
    let whole = || -> Result<Contents> {
        let schema = migrate::version(unpacked)?;
        let connection = Connection::open(unpacked)?;
        backup::check(&connection, file)?;
        // Its log is taken in: only the file itself goes to the database's place.
        connection.pragma_update(None, "journal_mode", "delete")?;
        let count = |kind| Ok((kind, registrations::count_all(&connection, kind)?));
        Ok(Contents { schema, counts: Kind::ALL.into_iter().map(count).collect::<Result<_>>()? })
    };
    whole().map_err(|error| {
        let cause = error.for_log();
        Error::Failed(format!("{} is not a backup that can be restored: {cause}", file.display()))
    })
}
