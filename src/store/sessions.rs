//! Organisers' sessions, by the hash of the token in the cookie.

use std::collections::HashMap;
use std::sync::Mutex;

use rusqlite::Connection;

use crate::error::Result;
use crate::store::query::{execute, from_row, query_all, query_optional};

/// Instants are RFC 3339, UTC.
pub struct StoredSession {
    pub username: String,
    pub created_at: String,
    pub last_seen_at: String,
    /// When the password was last entered in this session.
    pub confirmed_at: String,
}

from_row!(StoredSession: username, created_at, last_seen_at, confirmed_at);

/// Sessions that could not be stored, because the disk is full or read-only, by the hash of their token.
pub type UnsavedSessions = Mutex<HashMap<Vec<u8>, UnsavedSession>>;

#[derive(Clone)]
pub struct UnsavedSession {
    pub username: String,
    pub created_at: String,
    pub last_seen_at: String,
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

from_row!(Listed: token_hash, username, created_at, last_seen_at, user_agent);

pub fn insert(
    connection: &Connection,
    token_hash: &[u8],
    username: &str,
    user_agent: Option<&str>,
    now: &str,
) -> Result<()> {
    let sql = "insert into sessions (token_hash, username, created_at, last_seen_at, user_agent) values (?1, ?2, ?3, ?3, ?4)";
    execute(connection, sql, (token_hash, username, now, user_agent))
}

pub fn find(connection: &Connection, token_hash: &[u8]) -> Result<Option<StoredSession>> {
    let sql = "select username, created_at, last_seen_at, coalesce(confirmed_at, created_at)
             from sessions where token_hash = ?";
    query_optional(connection, sql, [token_hash], StoredSession::from_row)
}

/// All sessions, the most recently used first.
pub fn list(connection: &Connection) -> Result<Vec<Listed>> {
    let sql = "select token_hash, username, created_at, last_seen_at, user_agent from sessions order by last_seen_at desc";
    query_all(connection, sql, [], Listed::from_row)
}

pub fn touch(connection: &Connection, token_hash: &[u8], now: &str) -> Result<()> {
    let sql = "update sessions set last_seen_at = ?2 where token_hash = ?1";
    execute(connection, sql, (token_hash, now))
}

/// Records that the password was entered again.
pub fn confirm(connection: &Connection, token_hash: &[u8], now: &str) -> Result<()> {
    let sql = "update sessions set confirmed_at = ?2 where token_hash = ?1";
    execute(connection, sql, (token_hash, now))
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
    execute(connection, "delete from sessions where username = ?", [username])
}

/// Deletes sessions that were last used or created before these instants.
pub fn delete_before(connection: &Connection, last_seen: &str, created: &str) -> Result<()> {
    let sql = "delete from sessions where last_seen_at < ? or created_at < ?";
    execute(connection, sql, (last_seen, created))
}
