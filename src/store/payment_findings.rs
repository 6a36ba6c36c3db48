//! Findings: payments and refunds that need an organiser, such as a payment that belongs to no entry.

use rusqlite::Connection;
use serde::Serialize;

use crate::error::Result;
use crate::model::{Actor, Cents, EntryId, FindingKind, IntentId};
use crate::store::query::{execute, from_row, query_all, query_optional};

/// The most findings in a list.
const MAX_LISTED: u32 = 500;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Finding {
    pub id: i64,
    pub found_at: String,
    pub stripe_payment_intent_id: String,
    pub problem: FindingKind,
    pub entry_id: Option<EntryId>,
    #[serde(rename = "amount")]
    pub amount_cents: Cents,
    pub currency: String,
    pub settled_at: Option<String>,
    pub settled_by: Option<String>,
    pub note: Option<String>,
}

from_row!(
    COLUMNS for Finding:
    id, found_at, stripe_payment_intent_id = "intent_id", problem, entry_id, amount_cents, currency, settled_at,
    settled_by, note
);

/// A finding to be stored.
pub struct NewFinding<'a> {
    /// The provider's id of the payment intent, or of the refund that failed.
    pub object_id: &'a str,
    pub problem: FindingKind,
    pub entry_id: Option<EntryId>,
    pub amount_cents: Cents,
    pub currency: &'a str,
}

/// Stores a finding; returns `false` if there is one for this object already.
pub fn insert(connection: &Connection, new: &NewFinding<'_>, at: &str) -> Result<bool> {
    let added = connection
        .prepare_cached(
            "insert into payment_findings (found_at, intent_id, problem, entry_id, amount_cents, currency)
             values (?, ?, ?, ?, ?, ?) on conflict (intent_id) do nothing",
        )?
        .execute((at, new.object_id, new.problem, new.entry_id, new.amount_cents, new.currency))?;
    Ok(added == 1)
}

/// The open and the resolved findings, newest first.
pub fn all(connection: &Connection) -> Result<Vec<Finding>> {
    let sql = format!("select {COLUMNS} from payment_findings order by id desc limit {MAX_LISTED}");
    query_all(connection, &sql, [], Finding::from_row)
}

/// The findings that are not resolved, newest first.
pub fn open(connection: &Connection) -> Result<Vec<Finding>> {
    let sql = format!(
        "select {COLUMNS} from payment_findings where settled_at is null order by id desc limit {MAX_LISTED}"
    );
    query_all(connection, &sql, [], Finding::from_row)
}

pub fn count_open(connection: &Connection) -> Result<i64> {
    let sql = "select count(*) from payment_findings where settled_at is null";
    Ok(connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<Finding>> {
    let sql = format!("select {COLUMNS} from payment_findings where id = ?");
    query_optional(connection, &sql, [id], Finding::from_row)
}

/// Whether the finding about an intent is resolved.
pub fn is_resolved(connection: &Connection, intent_id: &IntentId) -> Result<bool> {
    let sql = "select 1 from payment_findings where intent_id = ? and settled_at is not null";
    Ok(connection.prepare_cached(sql)?.exists([intent_id])?)
}

/// Marks a finding as resolved by an organiser.
pub fn resolve(connection: &Connection, id: i64, actor: &Actor, note: Option<&str>, at: &str) -> Result<()> {
    let sql = "update payment_findings set settled_at = ?, settled_by = ?, note = ? where id = ?";
    execute(connection, sql, (at, actor, note, id))
}

/// Resolves the finding about an intent when its entry turns out to be paid.
pub fn resolve_for_intent(connection: &Connection, intent_id: &IntentId, at: &str) -> Result<()> {
    let sql = "update payment_findings set settled_at = ?, settled_by = ? where intent_id = ? and settled_at is null";
    execute(connection, sql, (at, Actor::Program, intent_id))
}

/// Deletes the notes of an entry's findings.
pub fn forget_notes(connection: &Connection, entry_id: EntryId) -> Result<()> {
    execute(connection, "update payment_findings set note = null where entry_id = ?", [entry_id])
}
