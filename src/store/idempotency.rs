//! Idempotency keys of answered requests, so that a repeat gets the same answer.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::Kind;
use crate::store::query::{execute, from_row, query_optional};

/// The result of the request with a key.
pub struct Answered {
    pub body_hash: Vec<u8>,
    pub registration_id: i64,
    pub created_at: String,
}

from_row!(Answered: body_hash, registration_id, created_at);

pub fn find(connection: &Connection, kind: Kind, key: &str) -> Result<Option<Answered>> {
    let sql =
        "select body_hash, registration_id, created_at from idempotency_keys where kind = ? and key = ?";
    query_optional(connection, sql, (kind, key), Answered::from_row)
}

pub fn insert(connection: &Connection, kind: Kind, key: &str, answered: &Answered) -> Result<()> {
    let sql = "insert into idempotency_keys (kind, key, body_hash, registration_id, created_at) values (?, ?, ?, ?, ?)";
    execute(connection, sql, (kind, key, &answered.body_hash, answered.registration_id, &answered.created_at))
}

/// Deletes keys older than `before`.
pub fn delete_before(connection: &Connection, before: &str) -> Result<()> {
    execute(connection, "delete from idempotency_keys where created_at < ?", [before])
}

/// Deletes the keys of a registration.
pub fn delete_of(connection: &Connection, kind: Kind, registration_id: i64) -> Result<()> {
    let sql = "delete from idempotency_keys where kind = ? and registration_id = ?";
    execute(connection, sql, (kind, registration_id))
}
