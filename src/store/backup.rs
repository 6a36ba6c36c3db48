//! Online copies of the database, each checked before it gets its name.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::permissions::create_private;
use super::{folder_of, free_bytes, with_ending};
use crate::error::{Error, Result};

/// Pages copied at a time; writers run in between.
const PAGES: i32 = 1024;

/// Copies `source` to a temporary file, checks it, and renames it to `target`.
///
/// # Errors
/// [`Error::Failed`] if the disk is full or the copy fails its check.
pub fn write_verified(source: &Connection, target: &Path) -> Result<()> {
    require_room(source, target)?;
    let partial = with_ending(target, ".partial");
    let outcome = copy(source, &partial).and_then(|copy| check(&copy, &partial));
    match outcome.and_then(|()| std::fs::rename(&partial, target).map_err(Error::from)) {
        Ok(()) => Ok(()),
        Err(error) => {
            let _ = std::fs::remove_file(&partial);
            Err(Error::Failed(format!("{} could not be written: {}", target.display(), error.for_log())))
        }
    }
}

/// # Errors
/// [`Error::Failed`] with SQLite's first finding.
pub fn check(connection: &Connection, path: &Path) -> Result<()> {
    let finding: String = connection.query_row("pragma quick_check(1)", [], |row| row.get(0))?;
    if finding == "ok" {
        return Ok(());
    }
    Err(Error::Failed(format!("{} is damaged ({finding}). Restore the last backup.", path.display())))
}

fn copy(source: &Connection, target: &Path) -> Result<Connection> {
    let _ = std::fs::remove_file(target);
    create_private(target)?;
    let mut copy = Connection::open(target)?;
    Backup::new(source, &mut copy)?.run_to_completion(PAGES, Duration::from_millis(1), None)?;
    // Without this, the copy would have a write-ahead log beside it.
    copy.pragma_update(None, "journal_mode", "delete")?;
    Ok(copy)
}

/// As [`check`], including the content of every index, which is slow.
///
/// # Errors
/// [`Error::Failed`] with SQLite's first finding.
pub fn check_thoroughly(connection: &Connection, path: &Path) -> Result<()> {
    let finding: String = connection.query_row("pragma integrity_check(1)", [], |row| row.get(0))?;
    if finding == "ok" {
        Ok(())
    } else {
        Err(Error::Failed(format!("{} is damaged ({finding}).", path.display())))
    }
}

fn require_room(source: &Connection, target: &Path) -> Result<()> {
    let size: i64 = source.query_row(
        "select page_count * page_size from pragma_page_count(), pragma_page_size()",
        [],
        |row| row.get(0),
    )?;
    let folder = folder_of(target);
    let size = size.unsigned_abs();
    let free = free_bytes(folder)?;
    if free > size + size / 10 {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "A backup needs {} MB in {}, and {} MB are free. Free some space first; nothing was changed.",
        size / 1_000_000 + 1,
        folder.display(),
        free / 1_000_000
    )))
}
