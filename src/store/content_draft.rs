//! The draft of the event's content: one for all organisers.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::Actor;
use crate::store::query::{execute, from_row, query_optional};

/// The open draft, and how often a draft was saved or closed.
#[derive(Debug, Clone, Default)]
pub struct Current {
    /// 0 before the first draft.
    pub version: i64,
    /// `None`: no draft is open.
    pub open: Option<StoredDraft>,
}

/// A draft that is open.
#[derive(Debug, Clone)]
pub struct StoredDraft {
    /// The revision that it was begun from.
    pub base: i64,
    pub base_toml: String,
    pub toml: String,
    /// RFC 3339, UTC.
    pub saved_at: String,
    pub actor: Actor,
}

from_row!(StoredDraft: base, base_toml, toml, saved_at, actor);

pub fn get(connection: &Connection) -> Result<Current> {
    let sql = "select base, base_toml, toml, saved_at, actor, version, toml is not null from content_draft";
    let current = query_optional(connection, sql, [], |row| {
        let open = if row.get(6)? { Some(StoredDraft::from_row(row)?) } else { None };
        Ok(Current { version: row.get(5)?, open })
    })?;
    Ok(current.unwrap_or_default())
}

/// Stores the draft as the next version.
pub fn save(connection: &Connection, draft: &StoredDraft) -> Result<()> {
    let sql = "insert into content_draft (id, version, base, base_toml, toml, saved_at, actor) values (1, 1, ?1, ?2, ?3, ?4, ?5)
         on conflict (id) do update set version = version + 1, base = ?1, base_toml = ?2, toml = ?3, saved_at = ?4,
             actor = ?5";
    execute(connection, sql, (draft.base, &draft.base_toml, &draft.toml, &draft.saved_at, &draft.actor))
}

/// Closes the draft, if one is open.
pub fn close(connection: &Connection) -> Result<()> {
    let sql = "update content_draft set version = version + 1, base = 0, base_toml = '', toml = null, saved_at = null,
             actor = null
         where toml is not null";
    execute(connection, sql, [])
}
