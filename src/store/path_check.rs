//! Checks the database's path first, because SQLite's own errors do not say what to do.

use std::io::ErrorKind;
use std::path::Path;

use rustix::fs::{Access, access};

use super::folder_of;
use crate::error::{Error, Result};

/// Fails with [`Error::Failed`] if no database can be opened or created at this path.
pub fn require_possible(path: &Path) -> Result<()> {
    let refused = |message: String| Err(Error::Failed(message));
    let name = path.display();
    match (path.symlink_metadata(), path.metadata()) {
        (_, Err(error)) if error.kind() == ErrorKind::PermissionDenied => refused(not_allowed(path)),
        (_, Ok(present)) if present.is_file() && access(path, Access::READ_OK).is_err() => {
            refused(not_allowed(path))
        }
        (Ok(link), Err(_)) if link.is_symlink() => {
            refused(format!("{name} is a link to a file that does not exist. Fix the link or remove it."))
        }
        (_, Ok(present)) if present.is_dir() => refused(format!(
            "{name} is a folder. Name a file in it: --database {}.",
            path.join("showcase.db").display()
        )),
        (_, Ok(present)) if !present.is_file() => {
            refused(format!("{name} is not a regular file. Name another one with --database."))
        }
        (Err(_), _) => {
            let folder = folder_of(path);
            if folder.is_dir() {
                return Ok(());
            }
            refused(format!(
                "There is no folder {} for the database. Create it, or name another file with --database.",
                folder.display()
            ))
        }
        _ => Ok(()),
    }
}

fn not_allowed(path: &Path) -> String {
    format!(
        "{} may not be read by this user. Run this as root (`sudo showcase …`), or as the user that the server runs as.",
        path.display()
    )
}

/// Fails with [`Error::Failed`] if nothing can be written here; it names the commands that still work.
pub fn require_writable(path: &Path) -> Result<()> {
    if is_writable(path) {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "Nothing can be written to {} and its folder by this user: run this as the user that the server runs as, or as \
         root. If the disk has become read-only (`mount`), `showcase backup FILE` to another disk and `showcase \
         export` still work.",
        path.display()
    )))
}

/// Whether this user can write the database and SQLite's files beside it.
pub fn is_writable(path: &Path) -> bool {
    [path, folder_of(path)].into_iter().all(|path| access(path, Access::WRITE_OK).is_ok())
}
