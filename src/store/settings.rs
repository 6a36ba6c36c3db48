//! Facts of this installation, by key.

use rusqlite::{Connection, OptionalExtension};

use crate::error::Result;

/// The Argon2id hash of the organiser's shared password.
pub const ADMIN_PASSWORD_HASH: &str = "admin.password_hash";

pub fn get(connection: &Connection, key: &str) -> Result<Option<String>> {
    Ok(connection
        .query_row("select value from settings where key = ?", [key], |row| row.get(0))
        .optional()?)
}

pub fn set(connection: &Connection, key: &str, value: &str, changed_at: &str) -> Result<()> {
    connection.execute(
        "insert into settings (key, value, changed_at) values (?, ?, ?)
         on conflict (key) do update set value = excluded.value, changed_at = excluded.changed_at",
        (key, value, changed_at),
    )?;
    Ok(())
}
