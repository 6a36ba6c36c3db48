//! The log of scores. Rows are only added.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::text_enum;
use crate::store::query::{execute, from_row, query_all, query_optional};

text_enum! {
    /// What a line of the log says.
    pub enum LineKind, "a kind of line in the log of scores" {
        Points = "points",
        Penalty = "penalty",
        Comment = "comment",
        Confirmed = "confirmed",
        Reopened = "reopened",
        Conflict = "conflict",
        Abstained = "abstained",
        SecondLook = "second_look",
    }
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub at: String,
    pub judge_id: i64,
    pub code: String,
    pub kind: LineKind,
    /// The key of a criterion or a penalty.
    pub criterion: Option<String>,
    pub points: Option<f64>,
    /// Of a comment the SHA-256 of its text; of a step what it says; of a second look also the SHA-256 of its reason.
    pub detail: Option<String>,
    /// The device's id of the change.
    pub change_id: Option<String>,
    pub device: Option<String>,
    /// The device's clock.
    pub device_at: Option<String>,
    pub rubric_version: String,
    /// Who did it, if it was not the judge.
    pub actor: Option<String>,
}

from_row!(
    COLUMNS for Line:
    at, judge_id, code, kind, criterion, points, detail, change_id, device, device_at, rubric_version,
    actor
);

impl Line {
    /// A line that says only what happened to a judge's sheet.
    pub fn new(kind: LineKind, (judge_id, code): (i64, &str), rubric_version: &str, at: String) -> Line {
        Line {
            at,
            judge_id,
            code: code.to_owned(),
            kind,
            criterion: None,
            points: None,
            detail: None,
            change_id: None,
            device: None,
            device_at: None,
            rubric_version: rubric_version.to_owned(),
            actor: None,
        }
    }
}

/// Adds a line to the end of the log.
pub fn append(connection: &Connection, line: &Line) -> Result<()> {
    let sql = format!("insert into score_log ({COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    execute(
        connection,
        &sql,
        (
            &line.at,
            line.judge_id,
            &line.code,
            line.kind,
            &line.criterion,
            line.points,
            &line.detail,
            &line.change_id,
            &line.device,
            &line.device_at,
            &line.rubric_version,
            &line.actor,
        ),
    )
}

/// The lines of a judge's sheet.
pub fn of_sheet(connection: &Connection, judge_id: i64, code: &str) -> Result<Vec<Line>> {
    let sql = format!("select {COLUMNS} from score_log where judge_id = ? and code = ? order by id");
    query_all(connection, &sql, (judge_id, code), Line::from_row)
}

/// When a second look was last asked for a sheet.
pub fn second_look_asked_at(connection: &Connection, judge_id: i64, code: &str) -> Result<Option<String>> {
    let sql = "select max(at) from score_log
         where judge_id = ? and code = ? and kind = 'second_look' and detail = 'asked'";
    Ok(connection.prepare_cached(sql)?.query_row((judge_id, code), |row| row.get(0))?)
}

/// How many values a judge's sheet has had so far, which grows with each change of it.
pub fn version(connection: &Connection, judge_id: i64, code: &str) -> Result<i64> {
    let sql = "select count(*) from score_log
         where judge_id = ? and code = ? and kind in ('points', 'penalty', 'comment')";
    Ok(connection.prepare_cached(sql)?.query_row((judge_id, code), |row| row.get(0))?)
}

/// When something last happened to the sheets of these nominations.
pub fn newest_at(connection: &Connection, codes: &[String]) -> Result<Option<String>> {
    let mut newest = None;
    for code in codes {
        let at = connection
            .prepare_cached("select max(at) from score_log where code = ?")?
            .query_row([code], |row| row.get::<_, Option<String>>(0))?;
        newest = newest.max(at);
    }
    Ok(newest)
}

/// The line that a device's change of a sheet became.
pub fn with_change(
    connection: &Connection,
    (judge_id, code): (i64, &str),
    change_id: &str,
) -> Result<Option<Line>> {
    let sql = format!("select {COLUMNS} from score_log where judge_id = ? and code = ? and change_id = ?");
    query_optional(connection, &sql, (judge_id, code, change_id), Line::from_row)
}
