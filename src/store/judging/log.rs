//! The log of scores. Rows are only added; each has the hash of the one before.

use rusqlite::{Connection, OptionalExtension, Row};
use sha2::{Digest, Sha256};

use crate::error::Result;
use crate::model::text_enum;

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

/// A line without its place in the chain.
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

/// A stored line.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    pub id: i64,
    pub line: Line,
    pub previous_hash: String,
    pub hash: String,
}

impl Stored {
    /// Whether its hash is that of what it says.
    pub fn is_sound(&self) -> bool {
        self.hash == hash(self.id, &self.line, &self.previous_hash)
    }
}

/// What the first line names as the one before.
pub const START: &str = "";

const COLUMNS: &str = "id, at, judge_id, code, kind, criterion, points, detail, change_id, device, device_at, rubric_version, actor, previous_hash, hash";

/// Adds a line to the end of the log, and its hash to the sheet that it is about.
pub fn append(connection: &Connection, line: &Line) -> Result<()> {
    let sql = "select id, hash from score_log order by id desc limit 1";
    let last: Option<(i64, String)> =
        connection.prepare_cached(sql)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let (last_id, previous_hash) = last.unwrap_or((0, START.to_owned()));
    let id = last_id + 1;
    let hash = hash(id, line, &previous_hash);
    let sql =
        format!("insert into score_log ({COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    connection.prepare_cached(&sql)?.execute((
        id,
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
        &previous_hash,
        &hash,
    ))?;
    let sql = "update sheets set log_hash = ? where judge_id = ? and nomination_id = (select id from nominations where code = ?)";
    connection.prepare_cached(sql)?.execute((&hash, line.judge_id, &line.code))?;
    Ok(())
}

/// The highest id that the log has ever had, which SQLite keeps for tables that never reuse one.
pub fn highest_id(connection: &Connection) -> Result<i64> {
    let sql = "select seq from sqlite_sequence where name = 'score_log'";
    Ok(connection.query_row(sql, [], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// Every value goes in with its length, so that no two lines have the same bytes.
fn hash(id: i64, line: &Line, previous_hash: &str) -> String {
    let mut digest = Sha256::new();
    let mut add = |value: Option<&str>| match value {
        Some(value) => digest.update(format!("{}:{value};", value.len())),
        None => digest.update("-;"),
    };
    add(Some(previous_hash));
    add(Some(&id.to_string()));
    add(Some(&line.at));
    add(Some(&line.judge_id.to_string()));
    add(Some(&line.code));
    add(Some(line.kind.as_str()));
    add(line.criterion.as_deref());
    // A script may send -0, which SQLite stores as 0: adding 0 gives 0 for both.
    add(line.points.map(|points| (points + 0.0).to_string()).as_deref());
    for value in [&line.detail, &line.change_id, &line.device, &line.device_at] {
        add(value.as_deref());
    }
    add(Some(&line.rubric_version));
    add(line.actor.as_deref());
    hex::encode(digest.finalize())
}

/// The whole log, in its order, and the ids of rows that cannot be read.
pub fn all(connection: &Connection) -> Result<(Vec<Stored>, Vec<i64>)> {
    let mut statement = connection.prepare(&format!("select {COLUMNS} from score_log order by id"))?;
    let mut rows = statement.query([])?;
    let (mut log, mut unreadable) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        match stored(row) {
            Ok(stored) => log.push(stored),
            Err(_) => unreadable.push(row.get(0)?),
        }
    }
    Ok((log, unreadable))
}

/// The lines of a judge's sheet.
pub fn of_sheet(connection: &Connection, judge_id: i64, code: &str) -> Result<Vec<Stored>> {
    let sql = format!("select {COLUMNS} from score_log where judge_id = ? and code = ? order by id");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map((judge_id, code), stored)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The line that a device's change of a sheet became.
pub fn with_change(
    connection: &Connection,
    (judge_id, code): (i64, &str),
    change_id: &str,
) -> Result<Option<Stored>> {
    let sql = format!("select {COLUMNS} from score_log where judge_id = ? and code = ? and change_id = ?");
    Ok(connection.prepare_cached(&sql)?.query_row((judge_id, code, change_id), stored).optional()?)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<Stored> {
    Ok(Stored {
        id: row.get(0)?,
        line: Line {
            at: row.get(1)?,
            judge_id: row.get(2)?,
            code: row.get(3)?,
            kind: row.get(4)?,
            criterion: row.get(5)?,
            points: row.get(6)?,
            detail: row.get(7)?,
            change_id: row.get(8)?,
            device: row.get(9)?,
            device_at: row.get(10)?,
            rubric_version: row.get(11)?,
            actor: row.get(12)?,
        },
        previous_hash: row.get(13)?,
        hash: row.get(14)?,
    })
}
