//! All imports of the event's content. The site shows the newest.

use rusqlite::Connection;

use super::installation::CLOSED_FORMS;
use crate::error::Result;
use crate::model::Actor;
use crate::store::query::{from_row, query_all, query_optional};

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

from_row!(COLUMNS for Revision: id, created_at, actor, note, toml);

/// A revision without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionInfo {
    pub id: i64,
    pub created_at: String,
    pub actor: String,
    pub note: String,
}

from_row!(RevisionInfo: id, created_at, actor, note);

/// A revision to be stored.
#[derive(Debug, Clone, Copy)]
pub struct NewRevision<'a> {
    pub created_at: &'a str,
    pub actor: &'a Actor,
    pub note: &'a str,
    pub toml: &'a str,
}

/// All revisions without their texts, the newest first.
pub fn list(connection: &Connection) -> Result<Vec<RevisionInfo>> {
    let sql = "select id, created_at, actor, note from content_revisions order by id desc";
    query_all(connection, sql, [], RevisionInfo::from_row)
}

pub fn newest(connection: &Connection) -> Result<Option<Revision>> {
    before(connection, i64::MAX)
}

/// The newest revision older than `id`.
pub fn before(connection: &Connection, id: i64) -> Result<Option<Revision>> {
    let sql = format!("select {COLUMNS} from content_revisions where id < ? order by id desc limit 1");
    query_optional(connection, &sql, [id], Revision::from_row)
}

/// The oldest revision.
pub fn first(connection: &Connection) -> Result<Option<Revision>> {
    let sql = format!("select {COLUMNS} from content_revisions order by id limit 1");
    query_optional(connection, &sql, [], Revision::from_row)
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<Revision>> {
    let sql = format!("select {COLUMNS} from content_revisions where id = ?");
    query_optional(connection, &sql, [id], Revision::from_row)
}

/// Identifies what the pages are made from, to notice changes by other processes. Ids are never reused: two versions are
/// equal only if nothing was imported, added or removed between them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContentVersion {
    /// The newest revision; 0 before the first import.
    pub revision: i64,
    pub pictures: PictureVersion,
    /// When a form was last opened or closed by hand, in milliseconds since 1970; 0 for never.
    pub forms_changed_at: i64,
    pub mail_texts: MailTextVersion,
}

/// When an edited text of an email was last changed, in milliseconds since 1970, and how many are edited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MailTextVersion(i64, i64);

/// The newest picture's id, the number of pictures, and how often they or their descriptions were changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PictureVersion(i64, i64, i64);

pub fn version(connection: &Connection) -> Result<ContentVersion> {
    let sql = "select (select coalesce(max(id), 0) from content_revisions),
                      (select coalesce(max(id), 0) from images), (select count(*) from images),
                      coalesce((select cast(unixepoch(changed_at, 'subsec') * 1000 as integer)
                                from settings where key = ?), 0),
                      (select coalesce(max(cast(unixepoch(changed_at, 'subsec') * 1000 as integer)), 0) from mail_texts),
                      (select count(*) from mail_texts), (select coalesce(sum(version), 0) from images)";
    Ok(connection.prepare_cached(sql)?.query_row([CLOSED_FORMS], |row| {
        Ok(ContentVersion {
            revision: row.get(0)?,
            pictures: PictureVersion(row.get(1)?, row.get(2)?, row.get(6)?),
            forms_changed_at: row.get(3)?,
            mail_texts: MailTextVersion(row.get(4)?, row.get(5)?),
        })
    })?)
}

pub fn insert(connection: &Connection, revision: &NewRevision<'_>) -> Result<i64> {
    let sql = "insert into content_revisions (created_at, actor, note, toml) values (?, ?, ?, ?)";
    let NewRevision { created_at, actor, note, toml } = revision;
    Ok(connection.prepare_cached(sql)?.insert((created_at, actor, note, toml))?)
}
