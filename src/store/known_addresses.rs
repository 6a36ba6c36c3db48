//! Keyed hashes of the IP addresses and browsers of earlier sign-ins.

use rusqlite::Connection;

use crate::error::Result;
use crate::store::query::execute;

pub fn exists(connection: &Connection, address_hash: &[u8], used_since: &str) -> Result<bool> {
    Ok(connection
        .prepare_cached("select 1 from known_addresses where address_hash = ? and last_used_at >= ?")?
        .exists((address_hash, used_since))?)
}

pub fn insert(connection: &Connection, address_hash: &[u8], now: &str) -> Result<()> {
    let sql = "insert into known_addresses (address_hash, last_used_at) values (?1, ?2)
         on conflict (address_hash) do update set last_used_at = excluded.last_used_at";
    execute(connection, sql, (address_hash, now))
}

/// Forgets addresses that were last used before `before`.
pub fn delete_before(connection: &Connection, before: &str) -> Result<()> {
    execute(connection, "delete from known_addresses where last_used_at < ?", [before])
}
