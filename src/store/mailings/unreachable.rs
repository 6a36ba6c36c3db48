//! Addresses that get no emails to groups: those that have unsubscribed, and those that a mail server has refused for good.

use rusqlite::Connection;
use serde::Serialize;

use crate::error::Result;

pub fn is_unsubscribed(connection: &Connection, address_hash: &[u8]) -> Result<bool> {
    let sql = "select 1 from unsubscribed where address_hash = ?";
    Ok(connection.prepare_cached(sql)?.exists([address_hash])?)
}

/// Returns whether it is new.
pub fn insert_unsubscribed(connection: &Connection, address_hash: &[u8], now: &str) -> Result<bool> {
    let sql = "insert into unsubscribed (address_hash, at) values (?, ?) on conflict do nothing";
    Ok(connection.execute(sql, (address_hash, now))? == 1)
}

/// The hashes of all addresses that have unsubscribed, each with the time.
pub fn unsubscribed(connection: &Connection) -> Result<Vec<(Vec<u8>, String)>> {
    let mut statement = connection.prepare("select address_hash, at from unsubscribed")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Discards the unsent emails with this token in their link. A failed one would be sent by a retry.
pub fn discard_with_token(connection: &Connection, token: &str) -> Result<()> {
    connection.execute(
        "update outbox set state = 'discarded' where state in ('waiting', 'failed') and template = 'group'
         and instr(words, ?)",
        [token],
    )?;
    Ok(())
}

pub fn is_refused(connection: &Connection, address: &str) -> Result<bool> {
    let sql = "select 1 from refused_addresses where recipient = ?";
    Ok(connection.prepare_cached(sql)?.exists([address])?)
}

/// Records that a mail server has refused an address for good.
pub fn insert_refused(connection: &Connection, address: &str, reply: &str, now: &str) -> Result<()> {
    connection.execute(
        "insert into refused_addresses (recipient, at, reply) values (?1, ?2, ?3)
         on conflict (recipient) do update set at = excluded.at, reply = excluded.reply",
        (address, now, reply),
    )?;
    Ok(())
}

/// Forgets that an address was refused, because an email has reached it.
pub fn delete_refused(connection: &Connection, address: &str) -> Result<()> {
    connection.prepare_cached("delete from refused_addresses where recipient = ?")?.execute([address])?;
    Ok(())
}

/// An address that a mail server has refused.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "RefusedAddress"))]
pub struct Refused {
    pub recipient: String,
    pub at: String,
    pub reply: String,
}

/// The newest first.
pub fn refused(connection: &Connection, most: u32, offset: u32) -> Result<Vec<Refused>> {
    let mut statement = connection.prepare(
        "select recipient, at, reply from refused_addresses order by at desc, recipient limit ? offset ?",
    )?;
    let rows = statement.query_map((most, offset), |row| {
        Ok(Refused { recipient: row.get(0)?, at: row.get(1)?, reply: row.get(2)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn count_refused(connection: &Connection) -> Result<i64> {
    Ok(connection.query_row("select count(*) from refused_addresses", [], |row| row.get(0))?)
}
