//! How every connection is opened.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use crate::error::Result;

/// Waits this long for a lock that another process holds.
const BUSY: Duration = Duration::from_secs(10);

/// A writing connection. `busy_timeout` comes before the journal mode, whose change needs a lock.
pub fn open(path: &Path) -> Result<Connection> {
    if !path.exists() {
        // Nobody else on the machine reads it; the log beside it takes its permissions.
        let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    }
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    connection.execute_batch(
        "pragma journal_mode = wal;
         pragma synchronous = full;
         pragma foreign_keys = on;
         pragma trusted_schema = off;
         pragma secure_delete = on;
         pragma journal_size_limit = 67108864;
         pragma wal_autocheckpoint = 4000;
         pragma cache_size = -4096;
         pragma temp_store = memory;",
    )?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// The one connection that writes while a server runs: the pages of the indexes that grow stay in memory.
pub fn open_writer(path: &Path) -> Result<Connection> {
    let connection = open(path)?;
    connection.execute_batch("pragma cache_size = -16384")?;
    Ok(connection)
}

/// A connection that cannot change anything.
pub fn open_reader(path: &Path) -> Result<Connection> {
    let connection = open(path)?;
    connection.execute_batch("pragma query_only = on")?;
    Ok(connection)
}
