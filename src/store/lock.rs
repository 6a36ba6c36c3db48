//! Keeps a second server off the same file.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Held as long as a server runs; the operating system releases it when the process dies.
pub struct ServerLock {
    _file: File,
}

impl ServerLock {
    /// # Errors
    /// [`Error::Failed`] when another server has the database.
    pub fn take(database: &Path) -> Result<ServerLock> {
        let path = lock_path(database);
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(|error| Error::Failed(format!("{} cannot be made: {error}.", path.display())))?;
        match file.try_lock() {
            Ok(()) => Ok(ServerLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::Failed(format!(
                "Another showcase is serving {}. Stop it first, or give this one another --database.",
                database.display()
            ))),
            Err(TryLockError::Error(error)) => {
                Err(Error::Failed(format!("{} cannot be locked: {error}.", path.display())))
            }
        }
    }
}

/// Beside the file itself, so that two names of one file share one lock.
fn lock_path(database: &Path) -> PathBuf {
    let file = database.canonicalize().unwrap_or_else(|_| database.to_owned());
    let mut path = file.into_os_string();
    path.push(".lock");
    PathBuf::from(path)
}
