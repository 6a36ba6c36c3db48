//! Looks whether disk and database are sound, turns the site read-only while they are not, and tells the
//! organiser when that changes.

use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;

use chrono::Utc;

use crate::app::App;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::mail;
use crate::mail::outbox::new_mail;
use crate::ops::health::status::Trouble;
use crate::store::outbox::Priority;
use crate::store::{self, backup, create_private, folder_of, open_to_read, outbox, with_ending};
use crate::time;

/// What is free beside the database, in bytes.
pub fn free_bytes(config: &Config) -> Result<u64> {
    store::free_bytes(folder_of(&config.database))
}

/// The trouble of a disk with so much free room.
pub fn judge_disk(config: &Config, free_bytes: u64) -> Option<Trouble> {
    let free_megabytes = free_bytes / 1_000_000;
    (free_megabytes < config.limits.free_megabytes).then_some(Trouble::LowDisk { free_megabytes })
}

/// The trouble of a disk that no longer takes what is written beside the database. A mount may say that it is
/// writable, and each write still fails: so a file is made, and removed again.
pub fn judge_writing(config: &Config) -> Option<Trouble> {
    let probe = with_ending(&config.database, ".probe");
    let _ = fs::remove_file(&probe);
    let written = create_private(&probe).and_then(|mut file| {
        file.write_all(b"probe")?;
        file.sync_all()
    });
    let _ = fs::remove_file(&probe);
    written.err().map(|error| Trouble::Unwritable(error.to_string()))
}

/// Checks the database file as it lies on the disk, past every cache of ours. A file that cannot be opened now, because
/// no file descriptor is left or somebody has locked it, says nothing about what is in it.
pub fn judge_database(config: &Config) -> Option<Trouble> {
    let connection = match open_to_read(&config.database) {
        Ok(connection) => connection,
        Err(Error::Damaged(cause)) => return Some(Trouble::Damaged(cause)),
        Err(_) => return None,
    };
    match backup::check(&connection, &config.database) {
        Ok(()) | Err(Error::Unavailable(_)) => None,
        Err(error) => Some(Trouble::Damaged(error.for_log())),
    }
}

/// Puts what was found into force, and tells the organiser and the log when it is new or gone.
pub fn apply(app: &App, found: Option<Trouble>) {
    let was_damaged = matches!(app.condition.trouble(), Some(Trouble::Damaged(_)));
    if was_damaged
        && !matches!(found, Some(Trouble::Damaged(_)))
        && let Err(error) = app.store.forget_cached()
    {
        tracing::error!("the repaired database cannot be used yet: {}", error.for_log());
        return;
    }
    let before = app.condition.set(found.clone());
    let sort = |trouble: &Option<Trouble>| trouble.as_ref().map(Trouble::sort);
    if sort(&before) != sort(&found) {
        match &found {
            None => tracing::info!("the site takes registrations again"),
            Some(trouble) => {
                tracing::error!("{}", trouble.for_organiser());
                app.condition.set_untold(found.clone());
            }
        }
    }
    if let Some(trouble) = app.condition.untold() {
        match tell(app, &trouble) {
            Ok(()) => app.condition.set_untold(None),
            // A full disk takes no mail either: it is tried again at each look.
            Err(error) => tracing::debug!("not told yet: {}", error.for_log()),
        }
    }
}

/// What tells a file from another one that has its name later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    number: u64,
}

/// The file that the server has open; `None` when it cannot be told.
pub fn identity(config: &Config) -> Option<Identity> {
    let file = config.database.metadata().ok()?;
    Some(Identity { device: file.dev(), number: file.ino() })
}

/// The trouble of a database file that is no longer where it was opened.
pub fn judge_place(config: &Config, opened: Option<Identity>) -> Option<Trouble> {
    let is_there = opened.is_none() || identity(config) == opened;
    (!is_there).then(|| Trouble::Moved(config.database.display().to_string()))
}

fn tell(app: &App, trouble: &Trouble) -> Result<()> {
    alarm(app, trouble.sort(), &trouble.for_organiser())
}

/// Mails the organiser a sentence about what needs a hand now: once a day for each sort.
pub fn alarm(app: &App, sort: &str, sentence: &str) -> Result<()> {
    let recipient = app.config.reports.recipient.clone();
    if recipient.is_empty() {
        return Ok(());
    }
    let now = Utc::now();
    let cause = format!("trouble/{sort}/{}", now.date_naive());
    let message = mail::alarm(&app.content(), &app.public_url(), sentence, &recipient)?;
    app.store.write(move |connection| {
        if outbox::find_cause(connection, &cause)?.is_some() {
            return Ok(());
        }
        let mail = new_mail(cause, Priority::Urgent, None, &message);
        outbox::insert(connection, &mail, &time::stored(now)).map(drop)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_cannot_be_opened_is_not_called_damaged() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = |name: &str| Config { database: folder.path().join(name), ..Config::default() };
        // What a server without a file descriptor meets: changes are in the log, and the index of it cannot be opened.
        let (live, unopened) = (config("live.db").database, config("unopened.db").database);
        let connection = rusqlite::Connection::open(&live).expect("a database");
        connection.execute_batch("pragma journal_mode = wal; create table a (b)").expect("a table");
        for ending in ["", "-wal"] {
            fs::copy(with_ending(&live, ending), with_ending(&unopened, ending)).expect("a copy");
        }
        let index = with_ending(&unopened, "-shm");
        std::os::unix::fs::symlink(&index, &index).expect("a link that leads nowhere");
        assert_eq!(judge_database(&config("unopened.db")), None);
        fs::write(folder.path().join("damaged.db"), "SQLite format 3\0".repeat(500)).expect("a file");
        assert!(matches!(judge_database(&config("damaged.db")), Some(Trouble::Damaged(_))));
    }

    #[test]
    fn a_folder_that_takes_nothing_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let beside = |path: std::path::PathBuf| Config { database: path, ..Config::default() };
        assert_eq!(judge_writing(&beside(folder.path().join("showcase.db"))), None);
        assert_eq!(fs::read_dir(folder.path()).expect("it").count(), 0, "nothing is left behind");
        let nowhere = judge_writing(&beside("/proc/showcase.db".into())).expect("a trouble");
        assert!(nowhere.for_organiser().contains("No such file or directory"), "{nowhere:?}");
    }

    #[test]
    fn a_disk_is_low_below_the_limit_and_recovers_above_it() {
        let config = Config::default();
        let limit = config.limits.free_megabytes * 1_000_000;
        assert_eq!(judge_disk(&config, limit), None);
        assert_eq!(
            judge_disk(&config, limit - 1),
            Some(Trouble::LowDisk { free_megabytes: config.limits.free_megabytes - 1 })
        );
    }
}
