//! ACME account keys and certificates, by a hash of the account or the domains.

use rusqlite::Connection;

use crate::error::Result;
use crate::store::query::{execute, query_optional};

pub const ACCOUNT: &str = "account";
pub const CERTIFICATE: &str = "certificate";

pub fn get(connection: &Connection, kind: &str, key: &str) -> Result<Option<Vec<u8>>> {
    let sql = "select value from tls_cache where kind = ? and key = ?";
    query_optional(connection, sql, [kind, key], |row| row.get(0))
}

pub fn set(connection: &Connection, kind: &str, key: &str, value: &[u8], changed_at: &str) -> Result<()> {
    let sql = "insert into tls_cache (kind, key, value, changed_at) values (?, ?, ?, ?)
         on conflict (kind, key) do update set value = excluded.value, changed_at = excluded.changed_at";
    execute(connection, sql, (kind, key, value, changed_at))
}
