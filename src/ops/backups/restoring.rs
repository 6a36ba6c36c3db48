//! Inspects a backup and replaces the database with it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::carrying_over::{CarriedOver, carry_over};
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
    pub carried_over: CarriedOver,
}

/// Opens and checks a backup and summarises it. The database is not changed.
pub fn inspect(config: &Config, file: &Path) -> Result<Contents> {
    refuse_served(file)?;
    let unpacked = unpack(&own_file(config), file)?;
    let contents = contents(&unpacked, file);
    remove_database(&unpacked);
    contents
}

/// Replaces the database with a backup and the photos beside it. `erase_again` erases those from the file who were erased since
/// the backup. A loss of power at any step leaves the old database or the new one, whole.
///
/// # Errors
/// [`Error::Failed`] while a server runs on the database, when the backup is damaged, or when the disk has no room for it and
/// for a copy of the current database. Then nothing is changed.
pub fn restore(
    config: &Config,
    file: &Path,
    now: DateTime<Utc>,
    erase_again: impl FnOnce(&Path, &[(Kind, i64)]) -> Result<()>,
) -> Result<Restored> {
    // Before our own lock, which may be on the same file.
    refuse_served(file)?;
    let database = own_file(config);
    let _lock = if database.exists() { Some(lock(&database)?) } else { None };
    require_disk_space(&database, file)?;
    let unpacked = unpack(&database, file)?;
    let restored = contents(&unpacked, file).and_then(|_| {
        let media = media::restore_media(&Connection::open(&unpacked)?, &media::beside(file))?;
        let (previous, is_sound) = keep_current(&database, now)?;
        let replaced = previous.as_deref().filter(|_| is_sound);
        let connection = open_plain(&unpacked)?;
        let mut carried_over = carry_over(&connection, replaced)?;
        drop(connection);
        if previous.is_some() && !is_sound {
            carried_over.not_carried = Some("it cannot be read".into());
        }
        if !carried_over.erased.is_empty()
            && let Err(error) = erase_again(&unpacked, &carried_over.erased)
        {
            carried_over.not_erased = Some(error.for_log());
        }
        // Everything in the file itself: only that replaces the database.
        open_plain(&unpacked)?;
        File::open(&unpacked)?.sync_all()?;
        for step in REPLACEMENT {
            step(&unpacked, &database, is_sound)?;
        }
        Ok(Restored { previous, media, carried_over })
    });
    remove_database(&unpacked);
    restored
}

/// Takes the new database, the old one, and whether the old one is sound.
type Step = fn(&Path, &Path, bool) -> Result<()>;

/// Puts the new database in the place of the old one. The log of a sound one is merged first, because SQLite would apply it
/// to the new file. The log of a damaged one is in the copy, and is removed first.
const REPLACEMENT: [Step; 3] = [
    |_, database, is_sound| {
        if is_sound {
            open_plain(database)?;
        }
        remove_companions(database);
        Ok(())
    },
    |new, database, _| Ok(fs::rename(new, database)?),
    |_, database, _| Ok(File::open(folder_of(database))?.sync_all()?),
];

/// Opens a database whose log is merged into its file.
fn open_plain(database: &Path) -> Result<Connection> {
    let connection = Connection::open(database)?;
    connection.pragma_update(None, "journal_mode", "delete")?;
    Ok(connection)
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
        Error::Locked(database) => ServerLock::refusal(&database, "restore"),
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
fn require_disk_space(database: &Path, file: &Path) -> Result<()> {
    let current: u64 = ["", "-wal"]
        .iter()
        .filter_map(|ending| with_ending(database, ending).metadata().ok())
        .map(|file| file.len())
        .sum();
    let size = unpacked_size(file)?.unwrap_or_default().saturating_add(current);
    backup::require_disk_space("A restore needs", size, backup::NO_RESERVE, folder_of(database))
}

/// Copies the current database to another name, and says whether it is sound. A failure leaves no file behind.
fn keep_current(database: &Path, now: DateTime<Utc>) -> Result<(Option<PathBuf>, bool)> {
    if !database.exists() {
        return Ok((None, false));
    }
    let first = with_ending(database, &format!(".before-restore-{}", now.format(STAMP)));
    let mut others = (2..).map(|number| with_ending(&first, &format!("-{number}")));
    let copy = if first.exists() { others.find(|name| !name.exists()).unwrap_or(first) } else { first };
    // Copy the write-ahead log first: SQLite deletes the log of a database that it cannot read, and the newest writes
    // may be in it.
    copy_bytes(&with_ending(database, "-wal"), &with_ending(&copy, "-wal"))?;
    let sound = open_connection(database).and_then(|current| {
        backup::check(&current, database)?;
        Ok(current)
    });
    let is_sound = sound.is_ok();
    let kept = match sound {
        Ok(current) => {
            backup::write_verified(&current, &copy, backup::NO_RESERVE).map(|()| remove_companions(&copy))
        }
        // That can be the reason for the restore. Keep its bytes anyway.
        Err(_) => copy_bytes(database, &copy),
    };
    if kept.is_err() {
        remove_database(&copy);
    }
    kept?;
    File::open(&copy)?.sync_all()?;
    File::open(folder_of(&copy))?.sync_all()?;
    Ok((Some(copy), is_sound))
}

/// Copies a file if it exists. A failure leaves no file behind.
fn copy_bytes(source: &Path, target: &Path) -> Result<()> {
    let failed = || Error::io(format!("{} cannot be copied to {}", source.display(), target.display()));
    let mut opened = match File::open(source) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened.map_err(failed())?,
    };
    let mut copy = create_private(target).map_err(failed())?;
    io::copy(&mut opened, &mut copy).and_then(|_| copy.sync_all()).map_err(|error| {
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
        let connection = open_plain(unpacked)?;
        backup::check(&connection, file)?;
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
    fn a_loss_of_power_at_any_step_leaves_the_old_database_or_the_new_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let (old, new) = (folder.path().join("old.db"), folder.path().join("new.db"));
        let written = |path: &Path, text: &str, mode: &str| {
            let connection = Connection::open(path).expect("a database");
            connection.pragma_update(None, "journal_mode", mode).expect("a mode");
            let sql = format!(
                "create table t (value text); insert into t values ('{text} first'), ('{text} last')"
            );
            connection.execute_batch(&sql).expect("rows");
            connection
        };
        // Open, so that the newest rows are in the log alone, as after a kill.
        let _running = written(&old, "old", "wal");
        drop(written(&new, "new", "delete"));
        for steps in 0..=REPLACEMENT.len() {
            let state = folder.path().join(format!("after-{steps}"));
            fs::create_dir(&state).expect("a folder");
            let copied = |path: &Path, name: &str| {
                let copy = state.join(name);
                fs::copy(path, &copy).expect("a copy");
                copy
            };
            let database = copied(&old, "showcase.db");
            copied(&with_ending(&old, "-wal"), "showcase.db-wal");
            let unpacked = copied(&new, "showcase.db.restoring");
            for step in &REPLACEMENT[..steps] {
                step(&unpacked, &database, true).expect("a step");
            }
            let connection = Connection::open(&database).expect("a database");
            let rows: String = connection
                .query_row("select group_concat(value) from t", [], |row| row.get(0))
                .expect("the rows");
            let expected = if steps < 2 { "old first,old last" } else { "new first,new last" };
            assert_eq!(rows, expected, "after {steps} steps");
        }
    }

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
