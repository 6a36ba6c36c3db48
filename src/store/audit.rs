//! Who did what, when; a record is named by its kind and id, never by a person.

use rusqlite::Connection;
use serde_json::Value;

use crate::error::Result;
use crate::model::Kind;

/// One line of the audit log.
pub struct Line<'a> {
    /// 'visitor', 'command line' or the organiser's name.
    pub actor: &'a str,
    pub action: &'a str,
    pub subject: Option<(Kind, i64)>,
}

pub fn insert(connection: &Connection, at: &str, line: &Line<'_>) -> Result<()> {
    connection
        .prepare_cached("insert into audit_log (at, actor, action, kind, subject_id) values (?, ?, ?, ?, ?)")?
        .execute((
            at,
            line.actor,
            line.action,
            line.subject.map(|(kind, _)| kind.as_str()),
            line.subject.map(|(_, id)| id),
        ))?;
    Ok(())
}

/// A line with what else there is to know of it, as JSON.
pub fn insert_with(connection: &Connection, at: &str, line: &Line<'_>, detail: &Value) -> Result<()> {
    connection
        .prepare_cached(
            "insert into audit_log (at, actor, action, kind, subject_id, detail) values (?, ?, ?, ?, ?, ?)",
        )?
        .execute((
            at,
            line.actor,
            line.action,
            line.subject.map(|(kind, _)| kind.as_str()),
            line.subject.map(|(_, id)| id),
            detail.to_string(),
        ))?;
    Ok(())
}
