//! Organisers with a name and a password of their own.

use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;

use crate::error::Result;

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

/// All accounts by name.
pub fn list(connection: &Connection) -> Result<Vec<Account>> {
    let mut statement = connection.prepare(
        "select username, created_at, password_changed_at,
                (select max(last_seen_at) from sessions where sessions.username = accounts.username)
         from accounts order by username",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(Account {
            username: row.get(0)?,
            created_at: row.get(1)?,
            password_changed_at: row.get(2)?,
            last_seen_at: row.get(3)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The stored name and the password's hash, ignoring the case of `username`.
pub fn find(connection: &Connection, username: &str) -> Result<Option<(String, String)>> {
    Ok(connection
        .query_row("select username, password_hash from accounts where username = ?", [username], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?)
}

pub fn insert(connection: &Connection, username: &str, password_hash: &str, now: &str) -> Result<()> {
    connection.execute(
        "insert into accounts (created_at, username, password_hash, password_changed_at) values (?1, ?2, ?3, ?1)",
        (now, username, password_hash),
    )?;
    Ok(())
}

pub fn set_password(connection: &Connection, username: &str, password_hash: &str, now: &str) -> Result<()> {
    connection.execute(
        "update accounts set password_hash = ?2, password_changed_at = ?3 where username = ?1",
        (username, password_hash, now),
    )?;
    Ok(())
}

pub fn delete(connection: &Connection, username: &str) -> Result<()> {
    connection.execute("delete from accounts where username = ?", [username])?;
    Ok(())
}
