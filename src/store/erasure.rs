//! Makes sure that an erased address is gone from the database's file, not only from its tables.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::{connection, redact, with_ending};
use crate::error::{Error, Result};
use crate::forms::EmailAddress;

/// How long a checkpoint of the server may take. SQLite waits for readers, but not for another checkpoint.
const CHECKPOINT_TIMEOUT: Duration = Duration::from_secs(5);

/// Empties the log into the file and checks whether the file still contains an address, ignoring case. If an unused
/// part of a page does, the file is rebuilt with `vacuum`.
///
/// # Errors
/// [`Error::Failed`]: something reads the database all the time, or a table that is not changed holds the address.
pub fn require_gone(database: &Path, address: &EmailAddress) -> Result<()> {
    let connection = connection::open(database)?;
    forget_samples(&connection)?;
    empty_log(&connection)?;
    if !contains_address(database, address)? {
        return Ok(());
    }
    connection.execute_batch("vacuum")?;
    if !empty_log(&connection)? {
        return Err(Error::Failed(
            "The person is deleted, but the database's log could not be emptied while others read it. Run the same command again in a minute.".into(),
        ));
    }
    let tables = redact::tables_with(&connection, address)?;
    if tables.is_empty() {
        // Any other occurrence is part of a longer address, which is somebody else's.
        return Ok(());
    }
    Err(Error::Failed(format!(
        "The person is deleted, but {address} is still in what you set up yourself ({}). Remove it there, then run the same command again.",
        tables.join(", ")
    )))
}

/// As [`require_gone`] for many people at once. Parts of pages that are not used any more are always cleared.
///
/// # Errors
/// Like [`require_gone`], for the first address that is still found.
pub fn require_all_gone(database: &Path, addresses: &[EmailAddress]) -> Result<()> {
    let connection = connection::open(database)?;
    forget_samples(&connection)?;
    connection.execute_batch("vacuum")?;
    drop(connection);
    addresses.iter().try_for_each(|address| require_gone(database, address))
}

/// Moves the log into the file; `false` if a reader kept part of it.
fn empty_log(connection: &Connection) -> Result<bool> {
    let deadline = Instant::now() + CHECKPOINT_TIMEOUT;
    loop {
        let is_busy: bool = connection.query_row("pragma wal_checkpoint(truncate)", [], |row| row.get(0))?;
        if !is_busy || Instant::now() > deadline {
            return Ok(!is_busy);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Deletes the query planner's samples, which are copies of indexed values. `pragma optimize` takes new ones.
fn forget_samples(connection: &Connection) -> Result<()> {
    let sql = "select count(*) from sqlite_master where name = 'sqlite_stat4'";
    if connection.query_row(sql, [], |row| row.get::<_, i64>(0))? > 0 {
        connection.execute("delete from sqlite_stat4", [])?;
    }
    Ok(())
}

/// Whether the database's file or its log contains an address, ignoring case.
pub fn contains_address(database: &Path, address: &EmailAddress) -> Result<bool> {
    let address = address.as_str();
    Ok(file_contains(database, address)? || file_contains(&with_ending(database, "-wal"), address)?)
}

fn file_contains(path: &Path, text: &str) -> Result<bool> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let wanted = text.to_ascii_lowercase().into_bytes();
    let mut window = Vec::new();
    let mut part = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut part)?;
        if read == 0 {
            return Ok(false);
        }
        window.extend(part[..read].iter().map(u8::to_ascii_lowercase));
        if contains(&window, &wanted) {
            return Ok(true);
        }
        // The text may start in this part and end in the next one.
        let kept = window.len().saturating_sub(wanted.len().saturating_sub(1));
        window.drain(..kept);
    }
}

fn contains(window: &[u8], wanted: &[u8]) -> bool {
    let Some(first) = wanted.first() else { return false };
    let mut from = 0;
    while let Some(at) = window[from..].iter().position(|byte| byte == first) {
        if window[from + at..].starts_with(wanted) {
            return true;
        }
        from += at + 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_across_parts_and_ignoring_case() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        for before in [0, 65_530, 65_536, 131_070] {
            std::fs::write(&path, format!("{}Ada@Example.com", "x".repeat(before))).expect("a file");
            assert!(file_contains(&path, "ada@example.COM").expect("read"), "{before}");
            assert!(!file_contains(&path, "bea@example.com").expect("read"));
        }
        assert!(!file_contains(&folder.path().join("none"), "a").expect("no file holds nothing"));
    }
}
