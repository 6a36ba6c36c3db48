//! All imports of the event's content. The site shows the newest.

use rusqlite::{Connection, OptionalExtension, Row};

use super::settings::CLOSED_FORMS;
use crate::error::Result;
use crate::model::Actor;

/// An import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    pub id: i64,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// 'command line' or the organiser's name.
    pub actor: String,
    pub note: String,
    pub toml: String,
}

/// A revision without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub id: i64,
    pub created_at: String,
    pub actor: String,
    pub note: String,
}

/// A revision to be stored.
#[derive(Debug, Clone, Copy)]
pub struct NewRevision<'a> {
    pub created_at: &'a str,
    pub actor: &'a Actor,
    pub note: &'a str,
    pub toml: &'a str,
}

const COLUMNS: &str = "id, created_at, actor, note, toml";

/// All revisions, the newest first.
pub fn list(connection: &Connection) -> Result<Vec<Revision>> {
    let mut statement =
        connection.prepare(&format!("select {COLUMNS} from content_revisions order by id desc"))?;
    let revisions = statement.query_map([], read)?.collect::<rusqlite::Result<_>>()?;
    Ok(revisions)
}

/// All revisions without their texts, the newest first.
pub fn heads(connection: &Connection) -> Result<Vec<Head>> {
    let mut statement =
        connection.prepare("select id, created_at, actor, note from content_revisions order by id desc")?;
    let heads = statement.query_map([], |row| {
        Ok(Head { id: row.get(0)?, created_at: row.get(1)?, actor: row.get(2)?, note: row.get(3)? })
    })?;
    Ok(heads.collect::<rusqlite::Result<_>>()?)
}

/// The newest revision older than `id`; for `i64::MAX` the newest of all.
pub fn before(connection: &Connection, id: i64) -> Result<Option<Revision>> {
    let sql = format!("select {COLUMNS} from content_revisions where id < ? order by id desc limit 1");
    Ok(connection.query_row(&sql, [id], read).optional()?)
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<Revision>> {
    let sql = format!("select {COLUMNS} from content_revisions where id = ?");
    Ok(connection.query_row(&sql, [id], read).optional()?)
}

/// Identifies what the pages were made from, so that changes by other processes are noticed. Ids are never reused:
/// two editions are equal only if nothing was imported, added or removed between them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Edition {
    /// The newest revision; 0 before the first import.
    pub revision: i64,
    pub pictures: PictureMark,
    /// When a form was last opened or closed by hand, in milliseconds since 1970; 0 for never.
    pub forms_changed_at: i64,
    pub mail_texts: MailTextMark,
}

/// When an edited text of an email was last changed, in milliseconds since 1970, and how many there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MailTextMark(i64, i64);

/// The newest picture's id, the number of pictures, and how often what is said about them was changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PictureMark(i64, i64, i64);

pub fn edition(connection: &Connection) -> Result<Edition> {
    let sql = "select (select coalesce(max(id), 0) from content_revisions),
                      (select coalesce(max(id), 0) from images), (select count(*) from images),
                      coalesce((select cast(unixepoch(changed_at, 'subsec') * 1000 as integer)
                                from settings where key = ?), 0),
                      (select coalesce(max(cast(unixepoch(changed_at, 'subsec') * 1000 as integer)), 0) from mail_texts),
                      (select count(*) from mail_texts), (select coalesce(sum(version), 0) from images)";
    Ok(connection.prepare_cached(sql)?.query_row([CLOSED_FORMS], |row| {
        Ok(Edition {
            revision: row.get(0)?,
            pictures: PictureMark(row.get(1)?, row.get(2)?, row.get(6)?),
            forms_changed_at: row.get(3)?,
            mail_texts: MailTextMark(row.get(4)?, row.get(5)?),
        })
    })?)
}

pub fn insert(connection: &Connection, revision: &NewRevision<'_>) -> Result<i64> {
    connection.execute(
        "insert into content_revisions (created_at, actor, note, toml) values (?, ?, ?, ?)",
        (revision.created_at, revision.actor, revision.note, revision.toml),
    )?;
    Ok(connection.last_insert_rowid())
}

fn read(row: &Row<'_>) -> rusqlite::Result<Revision> {
    Ok(Revision {
        id: row.get(0)?,
        created_at: row.get(1)?,
        actor: row.get(2)?,
        note: row.get(3)?,
        toml: row.get(4)?,
    })
}
