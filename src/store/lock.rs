//! Keeps a second server off the same file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use super::path_check;
use super::permissions::create_private;
use crate::error::{Error, Result};

/// Held as long as a server runs; the operating system releases it when the process dies.
///
/// It lies on the database file itself, so that every name of the file, links too, has the same lock.
/// SQLite's own locks are of another sort (`fcntl`), which never meet this one (`flock`). They would be
/// lost if this process closed the file while it has it open in SQLite too: the lock is taken before and
/// dropped after everything else.
pub struct ServerLock {
    _file: File,
}

impl ServerLock {
    /// Whether a server has the database. Ask before it is opened: see above.
    pub fn is_held(database: &Path) -> bool {
        let file = OpenOptions::new().read(true).open(database);
        file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// Creates an empty database if there is none.
    ///
    /// # Errors
    /// [`Error::Locked`] when another server has the database; [`Error::Failed`] when it cannot be written.
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
