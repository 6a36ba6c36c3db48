//! Every import of the event's content, the newest of which is shown.

use rusqlite::{Connection, OptionalExtension};

use crate::error::Result;

/// The TOML of the newest revision.
pub fn newest(connection: &Connection) -> Result<Option<String>> {
    Ok(connection
        .query_row("select toml from content_revisions order by id desc limit 1", [], |row| row.get(0))
        .optional()?)
}
