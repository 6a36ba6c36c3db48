//! Opens connections with their settings.

use std::path::Path;
use std::time::Duration;

use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::fold::fold;
use super::permissions::create_private;
use crate::error::{Error, Result};
use crate::time;

/// How long a statement waits for a lock that another process holds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// A writing connection. `busy_timeout` comes before the journal mode, whose change needs a lock.
pub fn open(path: &Path) -> Result<Connection> {
    if !path.exists() {
        // SQLite gives the log the file's permissions. If this fails, opening the file below reports why.
        let _ = create_private(path);
    }
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
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
    add_functions(&connection)?;
    Ok(connection)
}

/// Adds our own functions to SQL. `stored_now()` is the program's clock as instants are stored: SQLite's own 'now' is the
/// machine's clock, which tests cannot set. `folded(text)` is for searches.
fn add_functions(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8;
    connection.create_scalar_function("stored_now", 0, flags, |_| Ok(time::stored(time::now())))?;
    let flags = flags | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("folded", 1, flags, |context| Ok(fold(context.get_raw(0).as_str()?)))
}

/// The server's only writing connection. Its cache is large enough for the pages of the growing indexes.
pub fn open_writer(path: &Path) -> Result<Connection> {
    let connection = open(path)?;
    connection.execute_batch("pragma cache_size = -16384")?;
    Ok(connection)
}

/// A connection of a server's pool, which refuses every write.
pub fn open_query_only(path: &Path) -> Result<Connection> {
    let connection = open(path)?;
    connection.execute_batch("pragma query_only = on")?;
    Ok(connection)
}

/// A connection that needs no write permission for the file or its folder.
///
/// # Errors
/// [`Error::Failed`] if there are changes in a log that cannot be read without write permission.
pub fn open_read_only(path: &Path) -> Result<Connection> {
    match connect(path, OpenFlags::empty()) {
        Ok(connection) => Ok(connection),
        Err(error) if is_unwritable(&error) => open_immutable(path),
        Err(error) => Err(error.into()),
    }
}

/// SQLite needs a shared-memory file beside the log. If it cannot be created but there is no log, the file alone is the
/// whole database and can be opened as immutable.
fn open_immutable(path: &Path) -> Result<Connection> {
    let log = super::with_ending(path, "-wal");
    if log.metadata().is_ok_and(|log| log.len() > 0) {
        return Err(Error::Failed(format!(
            "{} cannot be read without write permission, because {} has changes. Copy both to another folder first.",
            path.display(),
            log.display()
        )));
    }
    let name: String = path
        .to_string_lossy()
        .chars()
        .map(|character| match character {
            '%' | '?' | '#' => format!("%{:02x}", character as u32),
            other => other.to_string(),
        })
        .collect();
    Ok(connect(format!("file:{name}?immutable=1").as_ref(), OpenFlags::SQLITE_OPEN_URI)?)
}

fn connect(path: &Path, more: OpenFlags) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.query_row("select count(*) from sqlite_master", [], |row| row.get::<_, i64>(0))?;
    connection
        .execute_batch("pragma trusted_schema = off; pragma temp_store = memory; pragma query_only = on;")?;
    add_functions(&connection)?;
    Ok(connection)
}

fn is_unwritable(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
    )
}
