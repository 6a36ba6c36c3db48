//! Checks the disk and the database, makes the site read-only while one of them has a problem, and emails the organiser
//! about a new one.

use std::fs;
use std::io::Write;

use crate::app::App;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::mail;
use crate::mail::outbox::new_mail;
use crate::ops::health::status::Trouble;
use crate::store::outbox::Priority;
use crate::store::{self, backup, create_private, folder_of, open_read_only, outbox, with_ending};
use crate::time;

/// The free space on the database's disk, in bytes.
pub fn free_bytes(config: &Config) -> Result<u64> {
    store::free_bytes(folder_of(&config.database))
}

/// The trouble, if any, of a disk with this much free space.
pub fn check_disk(config: &Config, free_bytes: u64) -> Option<Trouble> {
    let free_megabytes = free_bytes / 1_000_000;
    (free_megabytes < config.limits.free_megabytes).then_some(Trouble::LowDisk { free_megabytes })
}

/// Checks that the database's folder is writable by writing a file and deleting it. A disk that is mounted writable
/// may still fail every write.
pub fn check_writing(config: &Config) -> Option<Trouble> {
    let probe = with_ending(&config.database, ".probe");
    let _ = fs::remove_file(&probe);
    let written = create_private(&probe).and_then(|mut file| {
        file.write_all(b"probe")?;
        file.sync_all()
    });
    let _ = fs::remove_file(&probe);
    written.err().map(|error| Trouble::Unwritable(error.to_string()))
}

/// Checks the database file on the disk, bypassing our connections and their caches. A file that cannot be opened now,
/// because no file descriptor is left or it is locked, does not count as damaged.
pub fn check_database(config: &Config) -> Option<Trouble> {
    let connection = match open_read_only(&config.database) {
        Ok(connection) => connection,
        Err(Error::Damaged(cause)) => return Some(Trouble::Damaged(cause)),
        Err(_) => return None,
    };
    match backup::check(&connection, &config.database) {
        // A busy database is not damaged.
        Ok(()) | Err(Error::Unavailable(_)) => None,
        Err(error) => Some(Trouble::Damaged(error.for_log())),
    }
}

/// Makes the result of a check the current state. Logs a change, and emails the organiser about a new trouble.
pub fn apply(app: &App, found: Option<Trouble>) {
    let was_damaged = matches!(app.health.trouble(), Some(Trouble::Damaged(_)));
    if was_damaged
        && !matches!(found, Some(Trouble::Damaged(_)))
        && let Err(error) = app.store.forget_cached()
    {
        tracing::error!("the repaired database cannot be used yet: {}", error.for_log());
        return;
    }
    let before = app.health.replace_trouble(found.clone());
    let kind = |trouble: &Option<Trouble>| trouble.as_ref().map(Trouble::kind);
    if kind(&before) != kind(&found) {
        match &found {
            None => tracing::info!("the site accepts registrations again"),
            Some(trouble) => {
                tracing::error!("{}", trouble.for_organiser());
                app.health.set_unreported(found.clone());
            }
        }
    }
    if let Some(trouble) = app.health.unreported() {
        match alarm(app, trouble.kind(), &trouble.for_organiser()) {
            Ok(()) => app.health.set_unreported(None),
            // A full disk cannot store the email either. The next probe retries.
            Err(error) => tracing::debug!("the alarm could not be queued yet: {}", error.for_log()),
        }
    }
}

/// Emails the organiser a sentence about something urgent, at most once a day for each kind.
pub fn alarm(app: &App, kind: &str, sentence: &str) -> Result<()> {
    let recipient = app.config.reports.recipient.as_str();
    if recipient.is_empty() {
        return Ok(());
    }
    let now = time::now();
    let cause = format!("trouble/{kind}/{}", now.date_naive());
    let message = mail::alarm(&app.content(), &app.public_url(), sentence, recipient)?;
    app.store.write(|connection| {
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
    fn a_database_that_cannot_be_opened_does_not_count_as_damaged() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = |name: &str| Config { database: folder.path().join(name), ..Config::default() };
        // As on a server without a file descriptor: the log has changes, and its index cannot be opened.
        let (live, unopened) = (config("live.db").database, config("unopened.db").database);
        let connection = rusqlite::Connection::open(&live).expect("a database");
        connection.execute_batch("pragma journal_mode = wal; create table a (b)").expect("a table");
        for ending in ["", "-wal"] {
            fs::copy(with_ending(&live, ending), with_ending(&unopened, ending)).expect("a copy");
        }
        let index = with_ending(&unopened, "-shm");
        std::os::unix::fs::symlink(&index, &index).expect("a link that leads nowhere");
        assert_eq!(check_database(&config("unopened.db")), None);
        fs::write(folder.path().join("damaged.db"), "SQLite format 3\0".repeat(500)).expect("a file");
        assert!(matches!(check_database(&config("damaged.db")), Some(Trouble::Damaged(_))));
    }

    #[test]
    fn an_unwritable_folder_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = |path: std::path::PathBuf| Config { database: path, ..Config::default() };
        assert_eq!(check_writing(&config(folder.path().join("showcase.db"))), None);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is left behind");
        let trouble = check_writing(&config("/proc/showcase.db".into())).expect("a trouble");
        assert!(trouble.for_organiser().contains("No such file or directory"), "{trouble:?}");
    }

    #[test]
    fn a_disk_is_low_below_the_limit_and_recovers_above_it() {
        let config = Config::default();
        let limit = config.limits.free_megabytes * 1_000_000;
        assert_eq!(check_disk(&config, limit), None);
        assert_eq!(
            check_disk(&config, limit - 1),
            Some(Trouble::LowDisk { free_megabytes: config.limits.free_megabytes - 1 })
        );
    }
}
