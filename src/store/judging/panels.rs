//! The panels of judges, and the conflicts because of which a judge does not score a nomination. `category_id` is a row of
//! `judged_categories`, which is one subcategory.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::text_enum;
use crate::store::query::{execute, from_row, query_all};

text_enum! {
    pub enum PanelRole, "a role in a panel" {
        Judge = "judge",
        /// Scores like the others, and decides ties.
        Head = "head",
        /// Scores the nominations that another judge of the panel cannot score.
        Reserve = "reserve",
    }
}

text_enum! {
    /// Who said that a judge does not score a nomination.
    pub enum ConflictSource, "a source of a conflict" {
        Computed = "computed",
        Competitor = "competitor",
        /// When the names were shown, before scoring.
        Judge = "judge",
        /// On the sheet.
        Recused = "recused",
        Organiser = "organiser",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub judge_id: i64,
    pub name: String,
    pub role: PanelRole,
    /// Whether the judge was removed or erased since. Confirmed sheets still count.
    pub is_removed: bool,
}

from_row!(Member: judge_id, name, role, is_removed);

/// The panel of a subcategory, in its order.
pub fn members(connection: &Connection, category_id: i64) -> Result<Vec<Member>> {
    let sql = "select judge_id, judges.name, role, removed_at is not null from panels join judges on judges.id = judge_id
         where category_id = ? order by position";
    query_all(connection, sql, [category_id], Member::from_row)
}

pub fn replace(connection: &Connection, category_id: i64, members: &[(i64, PanelRole)]) -> Result<()> {
    connection.execute("delete from panels where category_id = ?", [category_id])?;
    for (position, (judge_id, role)) in members.iter().enumerate() {
        connection.execute(
            "insert into panels (category_id, judge_id, role, position) values (?, ?, ?, ?)",
            (category_id, judge_id, role, position),
        )?;
    }
    Ok(())
}

/// The subcategories of a judge, with the role in each.
pub fn of_judge(connection: &Connection, judge_id: i64) -> Result<Vec<(i64, PanelRole)>> {
    let sql = "select category_id, role from panels where judge_id = ? order by category_id";
    query_all(connection, sql, [judge_id], |row| row.try_into())
}

pub fn remove_judge(connection: &Connection, judge_id: i64, category_id: i64) -> Result<()> {
    let sql = "delete from panels where judge_id = ? and category_id = ?";
    execute(connection, sql, (judge_id, category_id))
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Conflict {
    #[serde(rename = "judge")]
    pub judge_id: i64,
    pub judge_name: String,
    #[serde(skip)]
    pub nomination_id: i64,
    pub code: String,
    pub source: ConflictSource,
    pub reason: String,
}

from_row!(Conflict: judge_id, judge_name, nomination_id, code, source, reason);

impl Conflict {
    pub fn is_between(&self, judge_id: i64, nomination_id: i64) -> bool {
        (self.judge_id, self.nomination_id) == (judge_id, nomination_id)
    }
}

/// Stores a conflict, unless the judge has one with this nomination.
pub fn insert_conflict(
    connection: &Connection,
    (judge_id, nomination_id): (i64, i64),
    source: ConflictSource,
    reason: &str,
    at: &str,
) -> Result<()> {
    let sql = "insert into judging_conflicts (judge_id, nomination_id, source, reason, created_at) values (?, ?, ?, ?, ?)
             on conflict do nothing";
    execute(connection, sql, (judge_id, nomination_id, source, reason, at))
}

/// Deletes the conflict of a judge with a nomination, if there is one.
pub fn delete_conflict(connection: &Connection, (judge_id, nomination_id): (i64, i64)) -> Result<()> {
    let sql = "delete from judging_conflicts where judge_id = ? and nomination_id = ?";
    execute(connection, sql, (judge_id, nomination_id))
}

/// The nominations with which a judge has a conflict that was not said on the sheet, in any panel.
pub fn conflicts_from_names(connection: &Connection, judge_id: i64) -> Result<Vec<i64>> {
    let sql = "select nomination_id from judging_conflicts where judge_id = ? and source <> 'recused'";
    query_all(connection, sql, [judge_id], |row| row.get(0))
}

/// The conflicts in a subcategory.
pub fn conflicts(connection: &Connection, category: &str, sub_category: &str) -> Result<Vec<Conflict>> {
    let sql = "select judge_id, judges.name, nomination_id, code, source, judging_conflicts.reason from judging_conflicts
         join judges on judges.id = judge_id join nominations on nominations.id = nomination_id
         where category = ? and sub_category = ? order by code, judge_id";
    query_all(connection, sql, (category, sub_category), Conflict::from_row)
}
