//! Idempotency keys of answered requests, so that a repeat gets the same answer.

use rusqlite::{Connection, OptionalExtension};

use crate::error::Result;
use crate::model::Kind;

/// The result of the request with a key.
pub struct Answered {
    pub body_hash: Vec<u8>,
    pub registration_id: i64,
    pub created_at: String,
}

pub fn find(connection: &Connection, kind: Kind, key: &str) -> Result<Option<Answered>> {
    Ok(connection
        .prepare_cached(
            "select body_hash, registration_id, created_at from idempotency_keys where kind = ? and key = ?",
        )?
        .query_row((kind, key), |row| {
            Ok(Answered { body_hash: row.get(0)?, registration_id: row.get(1)?, created_at: row.get(2)? })
        })
        .optional()?)
}

pub fn insert(connection: &Connection, kind: Kind, key: &str, answered: &Answered) -> Result<()> {
    connection
        .prepare_cached(
            "insert into idempotency_keys (kind, key, body_hash, registration_id, created_at) values (?, ?, ?, ?, ?)",
        )?
        .execute((
            kind,
            key,
            &answered.body_hash,
            answered.registration_id,
            &answered.created_at,
        ))?;
    Ok(())
}

/// Deletes keys older than `before`. Returns how many.
pub fn delete_before(connection: &Connection, before: &str) -> Result<usize> {
    Ok(connection.execute("delete from idempotency_keys where created_at < ?", [before])?)
}

/// Deletes the keys of a registration.
pub fn delete_of(connection: &Connection, kind: Kind, registration_id: i64) -> Result<()> {
    connection.execute(
        "delete from idempotency_keys where kind = ? and registration_id = ?",
        (kind, registration_id),
    )?;
    Ok(())
}
