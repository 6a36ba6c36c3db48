//! The audit log: who did what and when. A record is identified by its kind and id. Only the lines
//! of a corrected address and of corrected answers have personal data, until the person is erased.

use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::Result;
use crate::model::{Actor, Kind};
use crate::store::query::{execute, query_all};
use crate::time;

/// One line of the audit log.
pub struct Line<'a> {
    pub actor: &'a Actor,
    pub action: &'a str,
    pub subject: Option<(Kind, i64)>,
}

/// Every action, each with its sentence in `ui/src/admin/audit/sentences.ts`; a test there compares both.
const ACTIONS: &str = include_str!("audit_actions.json");

fn is_listed(action: &str) -> bool {
    ACTIONS.contains(&format!("\"{action}\""))
}

/// Inserts a line without a subject, at the current time, with details as JSON.
pub fn record(connection: &Connection, actor: &Actor, action: &str, detail: &Value) -> Result<()> {
    insert_with(connection, &time::stored(time::now()), &Line { actor, action, subject: None }, detail)
}

pub fn insert(connection: &Connection, at: &str, line: &Line<'_>) -> Result<()> {
    insert_line(connection, at, line, None)
}

/// Inserts a line with details as JSON.
pub fn insert_with(connection: &Connection, at: &str, line: &Line<'_>, detail: &Value) -> Result<()> {
    insert_line(connection, at, line, Some(detail.to_string()))
}

fn insert_line(connection: &Connection, at: &str, line: &Line<'_>, detail: Option<String>) -> Result<()> {
    debug_assert!(is_listed(line.action), "'{}' is not in src/store/audit_actions.json", line.action);
    let (kind, id) = line.subject.unzip();
    let sql = "insert into audit_log (at, actor, action, kind, subject_id, detail) values (?, ?, ?, ?, ?, ?)";
    execute(connection, sql, (at, line.actor, line.action, kind, id, detail))
}

/// The action of a line that has addresses in its detail: `from` and `to`.
pub const ADDRESS_CORRECTED: &str = "address corrected";

/// Replaces the addresses in the lines about a registration's corrections.
pub fn forget_addresses(connection: &Connection, kind: Kind, id: i64, replacement: &str) -> Result<()> {
    let sql = "update audit_log set detail = json_set(detail, '$.from', ?4, '$.to', ?4)
         where kind = ?1 and subject_id = ?2 and action = ?3 and json_extract(detail, '$.from') is not null";
    execute(connection, sql, (kind.as_str(), id, ADDRESS_CORRECTED, replacement))
}

/// The corrections of a registration's address, oldest first: the address before and after.
pub fn corrected_addresses(connection: &Connection, kind: Kind, id: i64) -> Result<Vec<(String, String)>> {
    let sql = "select detail ->> 'from', detail ->> 'to' from audit_log
         where kind = ? and subject_id = ? and action = ? order by id";
    query_all(connection, sql, (kind, id, ADDRESS_CORRECTED), |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The action of a line that holds answers: in its detail `values`, by field, with `from` and `to`.
pub const ANSWERS_CORRECTED: &str = "answers corrected";

/// Removes the answers from the lines about corrections of a registration; the lines stay.
pub fn forget_answers(connection: &Connection, kind: Kind, id: i64) -> Result<()> {
    let sql = "update audit_log set detail = json_set(detail, '$.values', json_object())
         where kind = ?1 and subject_id = ?2 and action = ?3";
    execute(connection, sql, (kind, id, ANSWERS_CORRECTED))
}

/// Whether an organiser has corrected answers of a registration or its address.
pub fn was_corrected(connection: &Connection, kind: Kind, id: i64) -> Result<bool> {
    let sql = "select 1 from audit_log where kind = ? and subject_id = ? and action in (?, ?)";
    Ok(connection.prepare_cached(sql)?.exists((kind, id, ANSWERS_CORRECTED, ADDRESS_CORRECTED))?)
}

/// Counts a frequent event: increments the count in the newest line since `since`, or inserts a line.
pub fn increment(connection: &Connection, at: &str, since: &str, line: &Line<'_>) -> Result<()> {
    let newest = counts(connection, line.action, since)?.into_iter().next();
    let Some((id, count)) = newest else {
        return insert_with(connection, at, line, &json!({ "count": 1 }));
    };
    let detail = json!({ "count": count + 1 }).to_string();
    execute(connection, "update audit_log set detail = ? where id = ?", (detail, id))
}

/// The sum of the counts of [`increment`] since an instant.
pub fn sum_counts(connection: &Connection, action: &str, since: &str) -> Result<i64> {
    Ok(counts(connection, action, since)?.into_iter().map(|(_, count)| count).sum())
}

/// The ids and counts of the lines of [`increment`], newest first. They have no subject; an index finds them.
fn counts(connection: &Connection, action: &str, since: &str) -> Result<Vec<(i64, i64)>> {
    let sql = "select id, detail from audit_log
         where kind is null and subject_id is null and action = ? and at >= ? order by id desc";
    query_all(connection, sql, (action, since), |row| {
        let detail: Option<String> = row.get(1)?;
        let detail: Value = detail.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
        Ok((row.get(0)?, detail["count"].as_i64().unwrap_or(1)))
    })
}

/// Lines about entries that were created before an instant, abandoned and not changed since, except the newest line of
/// each entry and those of organisers.
pub fn lines_of_abandoned_entries(connection: &Connection, before: &str, limit: u32) -> Result<Vec<i64>> {
    let sql = "select line.id from competition_entries as entry
         join audit_log as line on line.kind = 'competition-entries' and line.subject_id = entry.id
         where entry.payment_status = 'abandoned' and entry.created_at < ?1 and line.actor in (?3, ?4)
         and line.id < (select max(id) from audit_log where kind = 'competition-entries' and subject_id = entry.id)
         and ?1 > (select max(at) from audit_log where kind = 'competition-entries' and subject_id = entry.id)
         limit ?2";
    query_all(connection, sql, (before, limit, Actor::Visitor, Actor::Program), |row| row.get(0))
}

pub fn delete(connection: &Connection, ids: &[i64]) -> Result<()> {
    let mut statement = connection.prepare_cached("delete from audit_log where id = ?")?;
    for id in ids {
        statement.execute([id])?;
    }
    Ok(())
}

/// A stored line.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AuditEntry {
    pub id: i64,
    pub at: String,
    pub actor: String,
    pub action: String,
    pub kind: Option<String>,
    pub subject_id: Option<i64>,
    #[cfg_attr(test, ts(type = "Record<string, unknown> | null"))]
    pub detail: Option<Value>,
}

/// Selects lines by actor and action.
#[derive(Debug, Default)]
pub struct Filter {
    pub actor: Option<String>,
    pub action: Option<String>,
}

/// A page of lines, newest first.
pub fn list(connection: &Connection, filter: &Filter, limit: u32, offset: u32) -> Result<Vec<AuditEntry>> {
    let sql = "select id, at, actor, action, kind, subject_id, detail from audit_log
         where (?1 is null or actor = ?1) and (?2 is null or action = ?2) order by id desc limit ?3 offset ?4";
    query_all(connection, sql, (&filter.actor, &filter.action, limit, offset), |row| {
        let detail: Option<String> = row.get(6)?;
        Ok(AuditEntry {
            id: row.get(0)?,
            at: row.get(1)?,
            actor: row.get(2)?,
            action: row.get(3)?,
            kind: row.get(4)?,
            subject_id: row.get(5)?,
            detail: detail.and_then(|json| serde_json::from_str(&json).ok()),
        })
    })
}

pub fn count(connection: &Connection, filter: &Filter) -> Result<i64> {
    let sql =
        "select count(*) from audit_log where (?1 is null or actor = ?1) and (?2 is null or action = ?2)";
    Ok(connection.prepare_cached(sql)?.query_row((&filter.actor, &filter.action), |row| row.get(0))?)
}

/// All actors and all actions in the log.
pub fn actors_and_actions(connection: &Connection) -> Result<(Vec<String>, Vec<String>)> {
    let column = |sql: &str| -> Result<Vec<String>> { query_all(connection, sql, [], |row| row.get(0)) };
    Ok((
        column("select distinct actor from audit_log order by 1")?,
        column("select distinct action from audit_log order by 1")?,
    ))
}
