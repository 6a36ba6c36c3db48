//! The subcategories that are judged: the locked rubric, the seal and the published results.

use rusqlite::Connection;
use rusqlite::types::Type;

use crate::error::Result;
use crate::model::text_enum;
use crate::store::query::{execute, from_row, query_all, query_optional};

text_enum! {
    pub enum CategoryState, "a state of a subcategory" {
        NoPanel = "no_panel",
        Scoring = "scoring",
        Sealed = "sealed",
        Published = "published",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    pub id: i64,
    pub category: String,
    pub sub_category: String,
    /// JSON; `None` before the first score.
    pub rubric: Option<String>,
    pub rubric_version: Option<String>,
    pub sealed_at: Option<String>,
    pub sealed_by: Option<String>,
    pub published_at: Option<String>,
    /// What was sealed, as JSON.
    pub results: Option<String>,
    /// What was last public, as JSON; also while the results are reopened.
    pub last_published: Option<String>,
}

from_row!(
    COLUMNS for Category:
    id, category, sub_category, rubric, rubric_version, sealed_at, sealed_by, published_at, results,
    last_published
);

impl Category {
    /// The state of a subcategory that has a panel.
    pub const fn state(&self) -> CategoryState {
        match (&self.sealed_at, &self.published_at) {
            (_, Some(_)) => CategoryState::Published,
            (Some(_), None) => CategoryState::Sealed,
            (None, None) => CategoryState::Scoring,
        }
    }
}

/// The row of a subcategory, which is added if there is none.
pub fn ensure(connection: &Connection, category: &str, sub_category: &str) -> Result<Category> {
    let sql = "insert into judged_categories (category, sub_category) values (?, ?) on conflict do nothing";
    connection.prepare_cached(sql)?.execute((category, sub_category))?;
    let sql = format!("select {COLUMNS} from judged_categories where category = ? and sub_category = ?");
    Ok(connection.prepare_cached(&sql)?.query_row((category, sub_category), Category::from_row)?)
}

pub fn find(connection: &Connection, category: &str, sub_category: &str) -> Result<Option<Category>> {
    let sql = format!("select {COLUMNS} from judged_categories where category = ? and sub_category = ?");
    query_optional(connection, &sql, (category, sub_category), Category::from_row)
}

pub fn all(connection: &Connection) -> Result<Vec<Category>> {
    let sql = format!("select {COLUMNS} from judged_categories order by id");
    query_all(connection, &sql, [], Category::from_row)
}

/// Locks the rubric, unless it is locked already.
pub fn lock_rubric(connection: &Connection, id: i64, rubric: &str, version: &str, at: &str) -> Result<()> {
    let sql = "update judged_categories set rubric = ?2, rubric_version = ?3, rubric_locked_at = ?4
         where id = ?1 and rubric is null";
    execute(connection, sql, (id, rubric, version, at))
}

pub fn seal(connection: &Connection, id: i64, results: &str, by: &str, at: &str) -> Result<()> {
    let sql = "update judged_categories set results = ?2, sealed_by = ?3, sealed_at = ?4 where id = ?1";
    execute(connection, sql, (id, results, by, at))
}

/// Removes the seal and unpublishes the results.
pub fn unseal(connection: &Connection, id: i64) -> Result<()> {
    let sql = "update judged_categories set results = null, sealed_by = null, sealed_at = null, published_at = null where id = ?";
    execute(connection, sql, [id])
}

pub fn publish(connection: &Connection, id: i64, at: &str) -> Result<()> {
    let sql = "update judged_categories set published_at = ?2, last_published = results where id = ?1";
    execute(connection, sql, (id, at))
}

/// Whether all results are public: those of every subcategory with a panel and a nomination that can be judged. False while
/// nothing is judged. After the event (`is_over`) nothing becomes ready any more.
pub fn are_published(connection: &Connection, is_over: bool) -> Result<bool> {
    let sql = "select count(*) > 0 and count(*) = count(published_at) from judged_categories
         where published_at is not null or (id in (select category_id from panels) and exists (select 1 from nominations
             where nominations.category = judged_categories.category and nominations.sub_category = judged_categories.sub_category
                 and (state = 'ready' or (not ?1 and state not in ('withdrawn', 'forfeited', 'disqualified')))))";
    Ok(connection.prepare_cached(sql)?.query_row([is_over], |row| row.get(0))?)
}

/// A placed entry of a published subcategory, with the name that is stored now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    pub category: String,
    pub sub_category: String,
    pub published_at: String,
    pub place: i64,
    pub points: String,
    pub name: String,
    pub business_name: String,
}

from_row!(Placed: category, sub_category, published_at, place, points, name, business_name);

/// All placed entries that are public, by subcategory and place. Entries of people who were erased are left out.
pub fn published(connection: &Connection) -> Result<Vec<Placed>> {
    let sql = "select judged.category, judged.sub_category, judged.published_at, result.value ->> 'place',
             result.value ->> 'points', entry.name, entry.business_name
         from judged_categories as judged, json_each(judged.results, '$.results') as result
         join nominations on nominations.code = result.value ->> 'code'
         join competition_entries as entry on entry.id = nominations.entry_id
         where judged.published_at is not null and result.value ->> 'place' is not null
         order by judged.id, 4, nominations.id";
    query_all(connection, sql, [], Placed::from_row)
}

/// A head judge's decision about a tie. It holds for exactly these entries with exactly these points: when a sheet is reopened or
/// changed in a second look, the tie may be another one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(serde::Deserialize), serde(default))]
pub struct TieDecision {
    /// The better one first.
    pub codes: Vec<String>,
    /// What each had at that time, as an exact fraction.
    pub points: String,
    pub reason: String,
}

pub fn insert_tie(
    connection: &Connection,
    category_id: i64,
    judge_id: Option<i64>,
    actor: &str,
    decision: &TieDecision,
    at: &str,
) -> Result<()> {
    let codes = serde_json::json!(decision.codes).to_string();
    let sql = "insert into tie_decisions (created_at, category_id, judge_id, actor, codes, points, reason) values (?, ?, ?, ?, ?, ?, ?)";
    execute(connection, sql, (at, category_id, judge_id, actor, codes, &decision.points, &decision.reason))
}

pub fn ties(connection: &Connection, category_id: i64) -> Result<Vec<TieDecision>> {
    let sql = "select codes, points, reason from tie_decisions where category_id = ? order by id";
    query_all(connection, sql, [category_id], |row| {
        let codes: String = row.get(0)?;
        let codes = serde_json::from_str(&codes)
            .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error)))?;
        Ok(TieDecision { codes, points: row.get(1)?, reason: row.get(2)? })
    })
}
