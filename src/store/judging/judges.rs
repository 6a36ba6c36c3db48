//! Judges. One who was removed keeps the row, because the log of scores names it.

use rusqlite::{Connection, Row};
use serde::Serialize;

use crate::error::Result;
use crate::store::query::{execute, from_row, query_all, query_optional};

/// Its JSON is the organiser's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "JudgeDetails"))]
pub struct Judge {
    pub id: i64,
    #[serde(skip)]
    pub created_at: String,
    pub name: String,
    pub email: String,
    #[serde(flatten)]
    pub contact: Contact,
    #[serde(skip)]
    pub invited_at: Option<String>,
    #[serde(skip)]
    pub terms_version: Option<String>,
    pub terms_accepted_at: Option<String>,
    #[serde(skip)]
    pub removed_at: Option<String>,
    /// The name on the site, if it is another one.
    pub public_name: Option<String>,
}

impl Judge {
    /// The name by which others know the judge.
    pub fn shown_name(&self) -> &str {
        self.public_name.as_deref().unwrap_or(&self.name)
    }
}

/// The details that show that a judge is an entrant, or close to one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "JudgeContact"))]
pub struct Contact {
    pub phone: Option<String>,
    pub instagram: Option<String>,
    pub business_name: Option<String>,
}

const COLUMNS: &str = "id, created_at, name, email, phone, instagram, business_name, invited_at, terms_version, terms_accepted_at, removed_at, public_name";

/// Stores a judge, or invites one again who was removed; the id.
pub fn insert(
    connection: &Connection,
    (name, email): (&str, &str),
    contact: &Contact,
    application_id: Option<i64>,
    at: &str,
) -> Result<i64> {
    let id = connection.query_row(
        "insert into judges (created_at, name, email, phone, instagram, business_name, application_id, invited_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?1)
         on conflict (email) do update set name = excluded.name, phone = excluded.phone, instagram = excluded.instagram,
             business_name = excluded.business_name, application_id = excluded.application_id,
             invited_at = excluded.invited_at, removed_at = null
         returning id",
        (at, name, email, &contact.phone, &contact.instagram, &contact.business_name, application_id),
        |row| row.get(0),
    )?;
    Ok(id)
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<Judge>> {
    let sql = format!("select {COLUMNS} from judges where id = ?");
    query_optional(connection, &sql, [id], judge)
}

/// Lets another judge have the address of one who was removed: a space and the id are appended to it, and `IS_OF` still finds it.
pub fn free_address(connection: &Connection, email: &str) -> Result<()> {
    let sql = "update judges set email = email || ' ' || id where email = ? and removed_at is not null";
    execute(connection, sql, [email])
}

/// The judge with an address, who was not removed.
pub fn with_email(connection: &Connection, email: &str) -> Result<Option<Judge>> {
    let sql = format!("select {COLUMNS} from judges where email = ? and removed_at is null");
    query_optional(connection, &sql, [email], judge)
}

/// All who were not removed, by name.
pub fn all(connection: &Connection) -> Result<Vec<Judge>> {
    let sql =
        format!("select {COLUMNS} from judges where removed_at is null order by name collate nocase, id");
    query_all(connection, &sql, [], judge)
}

/// Stores the names, the address and the contact of a judge.
pub fn update(connection: &Connection, judge: &Judge) -> Result<()> {
    let Contact { phone, instagram, business_name } = &judge.contact;
    let sql = "update judges set name = ?2, public_name = ?3, email = ?4, phone = ?5, instagram = ?6, business_name = ?7
         where id = ?1";
    execute(
        connection,
        sql,
        (judge.id, &judge.name, &judge.public_name, &judge.email, phone, instagram, business_name),
    )
}

pub fn set_terms(connection: &Connection, id: i64, version: &str, at: &str) -> Result<()> {
    let sql = "update judges set terms_version = ?2, terms_accepted_at = ?3 where id = ?1";
    execute(connection, sql, (id, version, at))
}

pub fn remove(connection: &Connection, id: i64, at: &str) -> Result<()> {
    execute(connection, "update judges set removed_at = ?2 where id = ?1", (id, at))
}

/// Removes the personal data; the row stays, because the log of scores names it.
pub fn forget(connection: &Connection, email: &str, erased: &str, at: &str) -> Result<usize> {
    let sql = format!(
        "update judges set name = ?2, public_name = null, email = ?2 || ' ' || id, phone = null, instagram = null, business_name = null,
             application_id = null, terms_version = null, terms_accepted_at = null, removed_at = coalesce(removed_at, ?3)
         where {IS_OF}"
    );
    Ok(connection.execute(&sql, (email, erased, at))?)
}

/// The condition that a judge has the address `?1`, or had it before `free_address`.
pub(super) const IS_OF: &str = "email in (?1, ?1 || ' ' || id)";

/// An entrant whom a judge may know or be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    pub nomination_id: i64,
    pub category: String,
    pub sub_category: String,
    pub name: String,
    pub email: String,
    pub phone: String,
    pub instagram: String,
    pub business_name: String,
}

from_row!(Entrant: nomination_id, category, sub_category, name, email, phone, instagram, business_name);

/// The competitors of all nominations that take part.
pub fn entrants(connection: &Connection) -> Result<Vec<Entrant>> {
    let sql = "select nominations.id, nominations.category, nominations.sub_category, name, email,
             coalesce(phone_normalised, phone), coalesce(instagram_normalised, instagram, ''), business_name
         from nominations join competition_entries as entry on entry.id = entry_id
         where nominations.state <> 'withdrawn' order by nominations.id";
    query_all(connection, sql, [], Entrant::from_row)
}

/// An accepted application to judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    pub id: i64,
    pub name: String,
    pub email: String,
    pub contact: Contact,
}

/// The accepted applications to judge, by name.
pub fn applications(connection: &Connection) -> Result<Vec<Application>> {
    let sql = "select id, name, email, coalesce(phone_normalised, phone), coalesce(instagram_normalised, instagram), company
         from judge_applications where status = 'accepted' order by name collate nocase, id";
    query_all(connection, sql, [], |row| {
        let contact = Contact { phone: row.get(3)?, instagram: row.get(4)?, business_name: row.get(5)? };
        Ok(Application { id: row.get(0)?, name: row.get(1)?, email: row.get(2)?, contact })
    })
}

fn judge(row: &Row<'_>) -> rusqlite::Result<Judge> {
    Ok(Judge {
        id: row.get(0)?,
        created_at: row.get(1)?,
        name: row.get(2)?,
        email: row.get(3)?,
        contact: Contact { phone: row.get(4)?, instagram: row.get(5)?, business_name: row.get(6)? },
        invited_at: row.get(7)?,
        terms_version: row.get(8)?,
        terms_accepted_at: row.get(9)?,
        removed_at: row.get(10)?,
        public_name: row.get(11)?,
    })
}
