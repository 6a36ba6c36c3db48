//! The codes of certificates, which `/verify` finds. Names are looked up when they are shown.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::text_enum;
use crate::store::query::{execute, from_row, query_all, query_optional};

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

from_row!(Subject: kind, nomination_id, judge_id, category_id, application_id);

impl Subject {
    /// A subject that refers to no record yet.
    pub const fn new(kind: CertificateKind) -> Subject {
        Subject { kind, nomination_id: None, judge_id: None, category_id: None, application_id: None }
    }
}

/// The code of a subject.
pub fn code_of(connection: &Connection, subject: &Subject) -> Result<Option<String>> {
    let sql = "select code from certificates where kind = ? and nomination_id is ? and judge_id is ? and category_id is ?
         and application_id is ?";
    query_optional(
        connection,
        sql,
        (subject.kind, subject.nomination_id, subject.judge_id, subject.category_id, subject.application_id),
        |row| row.get(0),
    )
}

pub fn insert(connection: &Connection, code: &str, subject: &Subject, at: &str) -> Result<()> {
    let sql = "insert into certificates (code, created_at, kind, nomination_id, judge_id, category_id, application_id)
             values (?, ?, ?, ?, ?, ?, ?)";
    execute(
        connection,
        sql,
        (
            code,
            at,
            subject.kind,
            subject.nomination_id,
            subject.judge_id,
            subject.category_id,
            subject.application_id,
        ),
    )
}

pub fn find(connection: &Connection, code: &str) -> Result<Option<Subject>> {
    let sql =
        "select kind, nomination_id, judge_id, category_id, application_id from certificates where code = ?";
    query_optional(connection, sql, [code], Subject::from_row)
}

/// All certificates, by category and in the order in which they were issued.
pub fn all(connection: &Connection) -> Result<Vec<(String, Subject)>> {
    let sql = "select code, kind, nomination_id, judge_id, category_id, application_id from certificates
         order by category_id, created_at, kind, nomination_id, judge_id, code";
    query_all(connection, sql, [], |row| {
        let subject = Subject {
            kind: row.get(1)?,
            nomination_id: row.get(2)?,
            judge_id: row.get(3)?,
            category_id: row.get(4)?,
            application_id: row.get(5)?,
        };
        Ok((row.get(0)?, subject))
    })
}

/// The accepted applications to speak: id and name.
pub fn speakers(connection: &Connection) -> Result<Vec<(i64, String)>> {
    let sql = "select id, name from speaker_applications where status = 'accepted' order by name collate nocase, id";
    query_all(connection, sql, [], |row| row.try_into())
}
