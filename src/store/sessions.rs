//! Signed-in organisers, by the hash of their cookie's token.

use rusqlite::{Connection, OptionalExtension};

use crate::error::Result;

pub struct StoredSession {
    pub username: String,
    pub last_seen_at: String,
}

pub fn insert(connection: &Connection, token_hash: &[u8], username: &str, now: &str) -> Result<()> {
    connection.execute(
        "insert into sessions (token_hash, username, created_at, last_seen_at) values (?1, ?2, ?3, ?3)",
        (token_hash, username, now),
    )?;
    Ok(())
}

pub fn find(connection: &Connection, token_hash: &[u8]) -> Result<Option<StoredSession>> {
    Ok(connection
        .prepare_cached("select username, last_seen_at from sessions where token_hash = ?")?
        .query_row([token_hash], |row| Ok(StoredSession { username: row.get(0)?, last_seen_at: row.get(1)? }))
        .optional()?)
}

pub fn touch(connection: &Connection, token_hash: &[u8], now: &str) -> Result<()> {
    connection.execute("update sessions set last_seen_at = ?2 where token_hash = ?1", (token_hash, now))?;
    Ok(())
}

pub fn delete(connection: &Connection, token_hash: &[u8]) -> Result<()> {
    connection.execute("delete from sessions where token_hash = ?", [token_hash])?;
    Ok(())
}

/// Forgets every session: after a new password nobody stays signed in with the old one.
pub fn delete_all(connection: &Connection) -> Result<()> {
    connection.execute("delete from sessions", [])?;
    Ok(())
}

/// Forgets sessions that were last used before `before`.
pub fn delete_before(connection: &Connection, before: &str) -> Result<usize> {
    Ok(connection.execute("delete from sessions where last_seen_at < ?", [before])?)
}
