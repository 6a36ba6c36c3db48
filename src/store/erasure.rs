//! Makes sure that an erased address is gone from the database's file, not only from its tables.

use std::collections::HashMap;
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

/// Checkpoints the write-ahead log, then searches the database file for an address, ignoring case. If it is found, runs
/// `vacuum`, which clears unused pages, and checks the tables.
///
/// # Errors
/// [`Error::Failed`]: a reader kept the log busy, or a table that erasure does not touch still contains the address.
pub fn require_gone(database: &Path, address: &EmailAddress) -> Result<()> {
    let connection = connection::open(database)?;
    forget_samples(&connection)?;
    empty_log(&connection)?;
    if !contains_address(database, address)? {
        return Ok(());
    }
    connection.execute_batch("vacuum")?;
    if !empty_log(&connection)? {
        return Err(log_is_busy());
    }
    require_not_in_tables(&connection, address)
}

/// Like [`require_gone`] for many people at once, but always runs `vacuum`, and only once.
pub fn require_all_gone(database: &Path, addresses: &[EmailAddress]) -> Result<()> {
    let connection = connection::open(database)?;
    forget_samples(&connection)?;
    connection.execute_batch("vacuum")?;
    let is_log_empty = empty_log(&connection)?;
    let found = find_addresses(database, addresses)?;
    if !found.is_empty() && !is_log_empty {
        return Err(log_is_busy());
    }
    found.into_iter().try_for_each(|address| require_not_in_tables(&connection, address))
}

fn log_is_busy() -> Error {
    Error::Failed(
        "The person is deleted, but the database's log could not be emptied while others read it. Run the same command again in a minute.".into(),
    )
}

fn require_not_in_tables(connection: &Connection, address: &EmailAddress) -> Result<()> {
    let tables = redact::tables_with(connection, address)?;
    if tables.is_empty() {
        // Any other occurrence is part of a longer address, which is somebody else's.
        return Ok(());
    }
    Err(Error::Failed(format!(
        "The person is deleted, but {address} is still in what you set up yourself ({}). Remove it there, then run the same command again.",
        tables.join(", ")
    )))
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
    Ok(!find_addresses(database, std::slice::from_ref(address))?.is_empty())
}

/// The addresses that the database's file or its log contains, ignoring case.
fn find_addresses<'a>(database: &Path, addresses: &'a [EmailAddress]) -> Result<Vec<&'a EmailAddress>> {
    let mut search = Search::new(addresses.iter().map(EmailAddress::as_str));
    search.read(database)?;
    search.read(&with_ending(database, "-wal"))?;
    let found = addresses.iter().zip(search.wanted).filter(|(_, wanted)| wanted.is_found);
    Ok(found.map(|(address, _)| address).collect())
}

/// Searches files for many addresses in one pass, because a database with photos can have gigabytes.
struct Search {
    wanted: Vec<Wanted>,
    /// Indexes of `wanted`, by the characters around the `@`, which every address has.
    by_at: HashMap<[u8; 3], Vec<usize>>,
    longest: usize,
}

struct Wanted {
    /// In lowercase.
    address: Vec<u8>,
    /// The position of the `@`.
    at: usize,
    is_found: bool,
}

impl Search {
    fn new<'a>(addresses: impl Iterator<Item = &'a str>) -> Search {
        let mut search = Search { wanted: Vec::new(), by_at: HashMap::new(), longest: 0 };
        for address in addresses {
            let address = address.to_ascii_lowercase().into_bytes();
            let at = address.iter().position(|byte| *byte == b'@').unwrap_or_default();
            if let Some(around) = around(&address, at) {
                search.by_at.entry(around).or_default().push(search.wanted.len());
            }
            search.longest = search.longest.max(address.len());
            search.wanted.push(Wanted { address, at, is_found: false });
        }
        search
    }

    /// Reads a file, if there is one.
    fn read(&mut self, path: &Path) -> Result<()> {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let mut window = Vec::new();
        let mut part = vec![0; 1 << 16];
        loop {
            let read = file.read(&mut part)?;
            if read == 0 {
                return Ok(());
            }
            window.extend(part[..read].iter().map(u8::to_ascii_lowercase));
            self.mark(&window);
            // An address may start in this part and end in the next one.
            let kept = window.len().saturating_sub(self.longest.saturating_sub(1));
            window.drain(..kept);
        }
    }

    /// Marks the addresses that this part of a file contains.
    fn mark(&mut self, part: &[u8]) {
        for at in (0..part.len()).filter(|at| part[*at] == b'@') {
            let Some(around) = around(part, at) else { continue };
            for index in self.by_at.get(&around).into_iter().flatten() {
                let wanted = &mut self.wanted[*index];
                let starts = at.checked_sub(wanted.at);
                wanted.is_found |= starts.is_some_and(|start| part[start..].starts_with(&wanted.address));
            }
        }
    }
}

/// The character before an `@` and the two after it.
fn around(bytes: &[u8], at: usize) -> Option<[u8; 3]> {
    Some([*bytes.get(at.checked_sub(1)?)?, *bytes.get(at + 1)?, *bytes.get(at + 2)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_across_parts_and_ignoring_case() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let all = ["ada@example.COM", "bea@example.com", "cy@example.org", "da@example.com", "a@b.co"];
        let found = |path: &Path| {
            let mut search = Search::new(all.into_iter());
            search.read(path).expect("read");
            let found = all.into_iter().zip(search.wanted).filter(|(_, wanted)| wanted.is_found);
            found.map(|(address, _)| address).collect::<Vec<_>>()
        };
        for before in [0, 65_518, 65_530, 65_534, 65_536, 131_070] {
            let text = format!("{}Ada@Example.comBEA@example.net@a@b.co", "x".repeat(before));
            std::fs::write(&path, text).expect("a file");
            assert_eq!(found(&path), ["ada@example.COM", "da@example.com", "a@b.co"], "{before}");
        }
        assert!(found(&folder.path().join("none")).is_empty(), "no file contains nothing");
    }
}
