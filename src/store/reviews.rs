//! The history of a registration: organisers' decisions and notes.

use rusqlite::Connection;
use serde::Serialize;

use crate::error::Result;
use crate::model::{Actor, Kind, Status};
use crate::store::query::{execute, query_all};
use crate::store::registrations::Stored;

/// A line of a registration's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub id: i64,
    pub step: Step,
}

/// A change of status, or a note without one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ReviewStep"))]
pub struct Step {
    /// RFC 3339, UTC.
    pub at: String,
    pub actor: Actor,
    pub from: Status,
    pub to: Status,
    pub note: Option<String>,
}

/// Adds a line and returns its id.
pub fn insert(connection: &Connection, kind: Kind, registration_id: i64, step: &Step) -> Result<i64> {
    let sql = "insert into reviews (at, actor, kind, registration_id, from_status, to_status, note) values (?, ?, ?, ?, ?, ?, ?)";
    let Step { at, actor, from, to, note } = step;
    Ok(connection.prepare_cached(sql)?.insert((at, actor, kind, registration_id, from, to, note))?)
}

/// Adds a note to the history and returns its id; the status stays.
pub fn add_note(
    connection: &Connection,
    stored: &Stored,
    actor: &Actor,
    note: String,
    at: &str,
) -> Result<i64> {
    let (from, to) = (stored.status, stored.status);
    let step = Step { at: at.to_owned(), actor: actor.clone(), from, to, note: Some(note) };
    insert(connection, stored.record.kind(), stored.id, &step)
}

/// The history of a registration, oldest first.
pub fn list(connection: &Connection, kind: Kind, registration_id: i64) -> Result<Vec<Line>> {
    let sql = "select id, at, actor, from_status, to_status, note from reviews where kind = ? and registration_id = ? order by id";
    query_all(connection, sql, (kind, registration_id), |row| {
        let step = Step {
            at: row.get(1)?,
            actor: row.get(2)?,
            from: row.get(3)?,
            to: row.get(4)?,
            note: row.get(5)?,
        };
        Ok(Line { id: row.get(0)?, step })
    })
}

/// Deletes the history of a registration.
pub fn delete_of(connection: &Connection, kind: Kind, registration_id: i64) -> Result<()> {
    let sql = "delete from reviews where kind = ? and registration_id = ?";
    execute(connection, sql, (kind, registration_id))
}
