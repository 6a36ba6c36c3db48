//! The codes of certificates, which `/verify` finds. Names are looked up when they are shown.

use rusqlite::{Connection, OptionalExtension};

use crate::error::Result;
use crate::model::text_enum;

text_enum! {
    pub enum CertificateKind, "a kind of certificate" {
        Participant = "participant",
        Place = "place",
        Judge = "judge",
        Speaker = "speaker",
    }
}

/// What a certificate is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject {
    pub kind: CertificateKind,
    pub nomination_id: Option<i64>,
    pub judge_id: Option<i64>,
    pub category_id: Option<i64>,
    /// An accepted application to speak.
    pub application_id: Option<i64>,
}

/// The code of a subject.
pub fn code_of(connection: &Connection, subject: &Subject) -> Result<Option<String>> {
    let sql = "select code from certificates where kind = ? and nomination_id is ? and judge_id is ? and category_id is ?
         and application_id is ?";
    let found = connection.prepare_cached(sql)?.query_row(
        (subject.kind, subject.nomination_id, subject.judge_id, subject.category_id, subject.application_id),
        |row| row.get(0),
    );
    Ok(found.optional()?)
}

pub fn insert(connection: &Connection, code: &str, subject: &Subject, at: &str) -> Result<()> {
    connection
        .prepare_cached(
            "insert into certificates (code, created_at, kind, nomination_id, judge_id, category_id, application_id)
             values (?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute((
            code,
            at,
            subject.kind,
            subject.nomination_id,
            subject.judge_id,
            subject.category_id,
            subject.application_id,
        ))?;
    Ok(())
}

pub fn find(connection: &Connection, code: &str) -> Result<Option<Subject>> {
    let sql =
        "select kind, nomination_id, judge_id, category_id, application_id from certificates where code = ?";
    let found = connection.prepare_cached(sql)?.query_row([code], |row| {
        Ok(Subject {
            kind: row.get(0)?,
            nomination_id: row.get(1)?,
            judge_id: row.get(2)?,
            category_id: row.get(3)?,
            application_id: row.get(4)?,
        })
    });
    Ok(found.optional()?)
}

/// All certificates, in the order in which they were issued.
pub fn all(connection: &Connection) -> Result<Vec<(String, Subject)>> {
    let sql = "select code, kind, nomination_id, judge_id, category_id, application_id from certificates
         order by category_id, created_at, kind, nomination_id, judge_id, code";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| {
        let subject = Subject {
            kind: row.get(1)?,
            nomination_id: row.get(2)?,
            judge_id: row.get(3)?,
            category_id: row.get(4)?,
            application_id: row.get(5)?,
        };
        Ok((row.get(0)?, subject))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The accepted applications to speak: id and name.
pub fn speakers(connection: &Connection) -> Result<Vec<(i64, String)>> {
    let sql = "select id, name from speaker_applications where status = 'accepted' order by name collate nocase, id";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
