//! Organisers with a name and a password of their own.

use rusqlite::Connection;
use serde::Serialize;

use crate::error::Result;
use crate::store::query::{execute, from_row, query_all, query_optional};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Account {
    pub username: String,
    /// RFC 3339, UTC.
    pub created_at: String,
    pub password_changed_at: String,
    /// When a session of this account was last used.
    pub last_seen_at: Option<String>,
}

from_row!(Account: username, created_at, password_changed_at, last_seen_at);

/// All accounts by name.
pub fn list(connection: &Connection) -> Result<Vec<Account>> {
    let sql = "select username, created_at, password_changed_at,
                (select max(last_seen_at) from sessions where sessions.username = accounts.username)
         from accounts order by username";
    query_all(connection, sql, [], Account::from_row)
}

/// The stored name and the password's hash, ignoring the case of `username`.
pub fn find(connection: &Connection, username: &str) -> Result<Option<(String, String)>> {
    let sql = "select username, password_hash from accounts where username = ?";
    query_optional(connection, sql, [username], |row| Ok((row.get(0)?, row.get(1)?)))
}

pub fn insert(connection: &Connection, username: &str, password_hash: &str, now: &str) -> Result<()> {
    let sql = "insert into accounts (created_at, username, password_hash, password_changed_at) values (?1, ?2, ?3, ?1)";
    execute(connection, sql, (now, username, password_hash))
}

pub fn set_password(connection: &Connection, username: &str, password_hash: &str, now: &str) -> Result<()> {
    let sql = "update accounts set password_hash = ?2, password_changed_at = ?3 where username = ?1";
    execute(connection, sql, (username, password_hash, now))
}

pub fn delete(connection: &Connection, username: &str) -> Result<()> {
    execute(connection, "delete from accounts where username = ?", [username])
}
