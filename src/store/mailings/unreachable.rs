//! Addresses that get no emails to groups: those that have unsubscribed, and those that a mail server has refused for good.

use rusqlite::Connection;
use serde::Serialize;

use crate::error::Result;
use crate::store::query::{execute, from_row, query_all};

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
    let sql = "select address_hash, at from unsubscribed";
    query_all(connection, sql, [], |row| row.try_into())
}

/// Discards the unsent emails with this token in their link. A failed one would be sent by a retry.
pub fn discard_with_token(connection: &Connection, token: &str) -> Result<()> {
    let sql =
        "update outbox set state = 'discarded' where state in ('waiting', 'failed') and template = 'group'
         and instr(words, ?)";
    execute(connection, sql, [token])
}

pub fn is_refused(connection: &Connection, address: &str) -> Result<bool> {
    let sql = "select 1 from refused_addresses where recipient = ?";
    Ok(connection.prepare_cached(sql)?.exists([address])?)
}

/// Records that a mail server has refused an address for good.
pub fn insert_refused(connection: &Connection, address: &str, reply: &str, now: &str) -> Result<()> {
    let sql = "insert into refused_addresses (recipient, at, reply) values (?1, ?2, ?3)
         on conflict (recipient) do update set at = excluded.at, reply = excluded.reply";
    execute(connection, sql, (address, now, reply))
}

/// Forgets that an address was refused, because an email has reached it.
pub fn delete_refused(connection: &Connection, address: &str) -> Result<()> {
    execute(connection, "delete from refused_addresses where recipient = ?", [address])
}

/// An address that a mail server has refused.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RefusedAddress {
    pub recipient: String,
    pub at: String,
    pub reply: String,
}

from_row!(RefusedAddress: recipient, at, reply);

/// The newest first.
pub fn refused(connection: &Connection, limit: u32, offset: u32) -> Result<Vec<RefusedAddress>> {
    let sql =
        "select recipient, at, reply from refused_addresses order by at desc, recipient limit ? offset ?";
    query_all(connection, sql, (limit, offset), RefusedAddress::from_row)
}

pub fn count_refused(connection: &Connection) -> Result<i64> {
    Ok(connection.query_row("select count(*) from refused_addresses", [], |row| row.get(0))?)
}
