//! Organisers' sessions, by the hash of the token in the cookie.

use std::collections::HashMap;
use std::sync::Mutex;

use rusqlite::{Connection, OptionalExtension};

use crate::error::Result;

/// Instants are RFC 3339, UTC.
pub struct StoredSession {
    pub username: String,
    pub created_at: String,
    pub last_seen_at: String,
    /// When the password was last entered in this session.
    pub confirmed_at: String,
}

/// Sessions that could not be stored, because the disk is full or read-only, by the hash of their token.
pub type UnsavedSessions = Mutex<HashMap<Vec<u8>, UnsavedSession>>;

#[derive(Clone)]
pub struct UnsavedSession {
    pub username: String,
    pub created_at: String,
    pub user_agent: Option<String>,
    /// The hash of the password that was entered, if the database has it. The session ends when it changes.
    pub password_hash: Option<String>,
}

/// A session as an organiser sees it in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub token_hash: Vec<u8>,
    pub username: String,
    pub created_at: String,
    pub last_seen_at: String,
    pub user_agent: Option<String>,
}

pub fn insert(
    connection: &Connection,
    token_hash: &[u8],
    username: &str,
    user_agent: Option<&str>,
    now: &str,
) -> Result<()> {
    connection.execute(
        "insert into sessions (token_hash, username, created_at, last_seen_at, user_agent) values (?1, ?2, ?3, ?3, ?4)",
        (token_hash, username, now, user_agent),
    )?;
    Ok(())
}

pub fn find(connection: &Connection, token_hash: &[u8]) -> Result<Option<StoredSession>> {
    Ok(connection
        .prepare_cached(
            "select username, created_at, last_seen_at, coalesce(confirmed_at, created_at)
             from sessions where token_hash = ?",
        )?
        .query_row([token_hash], |row| {
            Ok(StoredSession {
                username: row.get(0)?,
                created_at: row.get(1)?,
                last_seen_at: row.get(2)?,
                confirmed_at: row.get(3)?,
            })
        })
        .optional()?)
}

/// All sessions, the most recently used first.
pub fn list(connection: &Connection) -> Result<Vec<Listed>> {
    let mut statement = connection.prepare(
        "select token_hash, username, created_at, last_seen_at, user_agent from sessions order by last_seen_at desc",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(Listed {
            token_hash: row.get(0)?,
            username: row.get(1)?,
            created_at: row.get(2)?,
            last_seen_at: row.get(3)?,
            user_agent: row.get(4)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn touch(connection: &Connection, token_hash: &[u8], now: &str) -> Result<()> {
    connection.execute("update sessions set last_seen_at = ?2 where token_hash = ?1", (token_hash, now))?;
    Ok(())
}

/// Stores that the password was entered again.
pub fn confirm(connection: &Connection, token_hash: &[u8], now: &str) -> Result<()> {
    connection.execute("update sessions set confirmed_at = ?2 where token_hash = ?1", (token_hash, now))?;
    Ok(())
}

/// Ends one session; `false` if there is none.
pub fn delete(connection: &Connection, token_hash: &[u8]) -> Result<bool> {
    Ok(connection.execute("delete from sessions where token_hash = ?", [token_hash])? > 0)
}

/// Ends all sessions, including those of accounts, because anybody with the shared password can create an account.
/// Returns how many.
pub fn delete_all(connection: &Connection) -> Result<usize> {
    Ok(connection.execute("delete from sessions", [])?)
}

/// Ends all sessions of an account.
pub fn delete_of(connection: &Connection, username: &str) -> Result<()> {
    connection.execute("delete from sessions where username = ?", [username])?;
    Ok(())
}

/// Deletes sessions that were last used or created before these instants.
pub fn delete_before(connection: &Connection, last_seen: &str, created: &str) -> Result<()> {
    connection
        .execute("delete from sessions where last_seen_at < ? or created_at < ?", (last_seen, created))?;
    Ok(())
}
