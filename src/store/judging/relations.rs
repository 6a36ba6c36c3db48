//! What competitors say about judges whom the site names.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row};
use serde_json::json;

use super::judges::IS_OF;
use crate::error::Result;
use crate::model::{EntryId, text_enum};
use crate::store::query::{execute, query_all};

text_enum! {
    pub enum RelationKind, "a relation to a judge" {
        TrainedBy = "trained_by",
        WorksFor = "works_for",
        RelatedTo = "related_to",
    }
}

text_enum! {
    pub enum RelationState, "a state of a relation" {
        Counts = "counts",
        Requested = "requested",
        Rejected = "rejected",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Relation {
    /// The judge's name on the site.
    pub judge: String,
    pub kind: RelationKind,
    /// In the competitor's own words.
    pub note: Option<String>,
    /// Whether the judge is out because of it: at once, or if the organiser says so. `Rejected` is not stored: it follows from
    /// `rejected_for`.
    #[serde(skip_serializing_if = "RelationState::counts")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub state: RelationState,
    /// The codes of the nominations for which the organiser rejected it.
    #[serde(rename = "rejectedFor", skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub rejected_for: Vec<String>,
    /// Why the organiser decided so, for the competitor.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub answer: Option<String>,
}

impl RelationState {
    fn counts(&self) -> bool {
        *self == RelationState::Counts
    }
}

/// What a person has said about judges, with any of their entries.
pub fn of_person(connection: &Connection, email: &str) -> Result<Vec<Relation>> {
    let sql = "select distinct judge, kind, note, state, rejected_for, answer from relations join competition_entries as entry on entry.id = entry_id
         where entry.email = ? collate nocase order by judge collate nocase, kind";
    query_all(connection, sql, [email], relation)
}

/// What everybody has said, keyed by their email address in lowercase.
pub fn by_email(connection: &Connection) -> Result<BTreeMap<String, Vec<Relation>>> {
    let sql =
        "select distinct judge, kind, note, state, rejected_for, answer, lower(entry.email) from relations
         join competition_entries as entry on entry.id = entry_id order by judge collate nocase, kind";
    let rows: Vec<_> = query_all(connection, sql, [], |row| Ok((row.get(6)?, relation(row)?)))?;
    let mut found: BTreeMap<String, Vec<Relation>> = BTreeMap::new();
    for (email, relation) in rows {
        found.entry(email).or_default().push(relation);
    }
    Ok(found)
}

/// Replaces what a person said, with each of the person's entries that has a nomination.
pub fn replace(connection: &Connection, email: &str, relations: &[Relation], at: &str) -> Result<()> {
    connection.execute(
        "delete from relations where entry_id in (select id from competition_entries where email = ? collate nocase)",
        [email],
    )?;
    for relation in relations {
        connection.execute(
            "insert into relations (entry_id, judge, kind, note, state, rejected_for, answer, created_at)
             select distinct entry.id, ?2, ?3, ?4, ?5, ?6, ?7, ?8 from competition_entries as entry
             join nominations on nominations.entry_id = entry.id where entry.email = ?1 collate nocase",
            (
                email,
                &relation.judge,
                relation.kind,
                &relation.note,
                relation.state,
                json!(relation.rejected_for).to_string(),
                &relation.answer,
                at,
            ),
        )?;
    }
    Ok(())
}

/// Stores the organiser's answer to what a person said, and the code of the nomination for which it was rejected, if it was. An
/// empty answer takes an earlier one away.
pub fn set_answer(
    connection: &Connection,
    (email, relation): (&str, &Relation),
    rejected_for: Option<&str>,
    answer: &str,
) -> Result<()> {
    connection.execute(
        "update relations set answer = nullif(?5, ''), rejected_for = iif(?4 is null, rejected_for, json_insert(rejected_for, '$[#]', ?4))
         where judge = ?2 and kind = ?3
             and entry_id in (select id from competition_entries where email = ?1 collate nocase)",
        (email, &relation.judge, relation.kind, rejected_for, answer),
    )?;
    Ok(())
}

/// Deletes what was said with an entry.
pub fn delete_of(connection: &Connection, entry_id: EntryId) -> Result<()> {
    execute(connection, "delete from relations where entry_id = ?", [entry_id])
}

/// Deletes what was said about a judge with this address.
pub fn delete_about(connection: &Connection, judge_email: &str) -> Result<()> {
    let sql = format!(
        "delete from relations where exists (select 1 from judges where {IS_OF} and relations.judge in (name, public_name))"
    );
    execute(connection, &sql, [judge_email])
}

fn relation(row: &Row<'_>) -> rusqlite::Result<Relation> {
    let rejected_for: String = row.get(4)?;
    Ok(Relation {
        judge: row.get(0)?,
        kind: row.get(1)?,
        note: row.get(2)?,
        state: row.get(3)?,
        rejected_for: serde_json::from_str(&rejected_for).unwrap_or_default(),
        answer: row.get(5)?,
    })
}
