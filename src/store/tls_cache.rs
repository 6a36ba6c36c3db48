//! ACME account keys and certificates, by a hash of the account or the domains.

use rusqlite::{Connection, OptionalExtension};

use crate::error::Result;

pub const ACCOUNT: &str = "account";
pub const CERTIFICATE: &str = "certificate";

pub fn get(connection: &Connection, kind: &str, key: &str) -> Result<Option<Vec<u8>>> {
    Ok(connection
        .query_row("select value from tls_cache where kind = ? and key = ?", [kind, key], |row| row.get(0))
        .optional()?)
}

pub fn set(connection: &Connection, kind: &str, key: &str, value: &[u8], changed_at: &str) -> Result<()> {
    connection.execute(
        "insert into tls_cache (kind, key, value, changed_at) values (?, ?, ?, ?)
         on conflict (kind, key) do update set value = excluded.value, changed_at = excluded.changed_at",
        (kind, key, value, changed_at),
    )?;
    Ok(())
}
