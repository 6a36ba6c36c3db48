//! Prevents a second server from using the same database.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use super::path_check;
use super::permissions::create_private;
use crate::error::{Error, Result};

/// Held while a server runs; the operating system releases it when the process dies.
///
/// The lock is on the database file itself, so that all names of the file, including links, share it. SQLite's own locks
/// (`fcntl`) are independent of it (`flock`). A process loses them when it closes any handle of the file, so this lock is
/// taken before SQLite opens the file and dropped after SQLite closes it.
pub struct ServerLock {
    _file: File,
}

impl ServerLock {
    /// Whether a server uses the database. Call it before SQLite opens the file (see above).
    pub fn is_held(database: &Path) -> bool {
        let file = OpenOptions::new().read(true).open(database);
        // A shared lock, so that two commands that ask at the same moment do not take each other for a server.
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The error of a command that needs the server to be stopped, such as 'restore'.
    pub fn refusal(database: &Path, command: &str) -> Error {
        Error::Failed(format!(
            "A server is running on {}. Stop it first (`systemctl stop showcase`, or Ctrl-C), then {command}.",
            database.display()
        ))
    }

    /// Locks the database for a server. Creates an empty one if there is none.
    ///
    /// # Errors
    /// [`Error::Locked`] if another server uses the database; [`Error::Failed`] if it cannot be written or locked.
    pub fn take(database: &Path) -> Result<ServerLock> {
        path_check::require_possible(database)?;
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(database)
            .or_else(|error| match error.kind() {
                ErrorKind::NotFound => create_private(database),
                _ => Err(error),
            })
            .map_err(|error| {
                Error::Failed(format!(
                    "{} cannot be written: {error}. Give the server's user the file and its folder; \
                     `showcase export` only reads.",
                    database.display()
                ))
            })?;
        match file.try_lock() {
            Ok(()) => Ok(ServerLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::Locked(database.to_owned())),
            Err(TryLockError::Error(error)) => {
                Err(Error::Failed(format!("{} cannot be locked: {error}.", database.display())))
            }
        }
    }
}
