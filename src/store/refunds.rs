//! Refunds and disputes.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::{Actor, Cents, DisputeState, EntryId, RefundState};
use crate::store::query::{execute, from_row, query_all, query_optional};

/// A refund that was requested here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    pub id: i64,
    pub entry_id: EntryId,
    pub amount_cents: Cents,
    pub state: RefundState,
    /// The caller's idempotency key, or one of our own.
    pub key: String,
    /// The provider's id, once it has answered.
    pub refund_id: Option<String>,
    /// Whether all that was left was requested; `None` for refunds made in the provider's dashboard.
    pub is_rest: Option<bool>,
    /// Who requested it.
    pub actor: Actor,
    /// Shown only to organisers.
    pub reason: Option<String>,
    /// Whether the person gets an email.
    pub notify: bool,
    /// The code of the nomination that is withdrawn with it.
    pub category: Option<String>,
}

from_row!(
    COLUMNS for Refund:
    id, entry_id, amount_cents, state, key, refund_id, is_rest, actor, reason, notify, category
);

/// A refund to be stored.
pub struct NewRefund<'a> {
    pub entry_id: EntryId,
    pub amount_cents: Cents,
    pub is_rest: bool,
    pub key: &'a str,
    pub actor: &'a Actor,
    pub reason: Option<&'a str>,
    pub notify: bool,
    /// The code of the nomination that is withdrawn with it.
    pub category: Option<&'a str>,
}

/// Stores a refund before it is sent, and returns its id.
pub fn insert(connection: &Connection, new: &NewRefund<'_>, at: &str) -> Result<i64> {
    let sql =
        "insert into refunds (created_at, actor, entry_id, amount_cents, is_rest, state, key, reason, notify, category)
             values (?, ?, ?, ?, ?, 'asked', ?, ?, ?, ?)";
    Ok(connection.prepare_cached(sql)?.insert((
        at,
        new.actor,
        new.entry_id,
        new.amount_cents,
        new.is_rest,
        new.key,
        new.reason,
        new.notify,
        new.category,
    ))?)
}

pub fn by_key(connection: &Connection, key: &str) -> Result<Option<Refund>> {
    let sql = format!("select {COLUMNS} from refunds where key = ?");
    query_optional(connection, &sql, [key], Refund::from_row)
}

/// The condition that the provider has given no final answer to a refund, as SQL.
const IS_OPEN: &str = "state in ('asked', 'pending')";

/// An entry's refunds of ours without a final answer, oldest first.
pub fn open(connection: &Connection, entry_id: EntryId) -> Result<Vec<Refund>> {
    let sql = format!(
        "select {COLUMNS} from refunds where entry_id = ? and {IS_OPEN} and key is not null order by id"
    );
    query_all(connection, &sql, [entry_id], Refund::from_row)
}

/// Refunds of ours without a final answer that were requested before an instant, of entries that were paid in this mode,
/// oldest first.
pub fn all_open(
    connection: &Connection,
    live: Option<bool>,
    requested_before: &str,
    limit: u32,
) -> Result<Vec<Refund>> {
    let sql = format!(
        "select {COLUMNS} from refunds
         where {IS_OPEN} and key is not null and created_at < ?2 and not exists (
             select 1 from competition_entries where id = refunds.entry_id and payment_live <> ?1)
         order by id limit ?3"
    );
    query_all(connection, &sql, (live, requested_before, limit), Refund::from_row)
}

/// Stores the result of one of our refunds.
pub fn answer(
    connection: &Connection,
    key: &str,
    refund_id: Option<&str>,
    state: RefundState,
) -> Result<bool> {
    let changed = connection
        .prepare_cached("update refunds set state = ?, refund_id = coalesce(?, refund_id) where key = ?")?
        .execute((state, refund_id, key))?;
    Ok(changed == 1)
}

/// Inserts or updates a refund that was made in the provider's dashboard.
pub fn upsert_external(
    connection: &Connection,
    entry_id: EntryId,
    refund_id: &str,
    amount: Cents,
    state: RefundState,
    at: &str,
) -> Result<()> {
    let sql = "insert into refunds (created_at, actor, entry_id, amount_cents, state, refund_id)
             values (?, ?, ?, ?, ?, ?)
             on conflict (refund_id) do update set state = excluded.state";
    execute(connection, sql, (at, Actor::PaymentProvider, entry_id, amount, state, refund_id))
}

/// Deletes the reasons of an entry's refunds.
pub fn forget_reasons(connection: &Connection, entry_id: EntryId) -> Result<()> {
    execute(connection, "update refunds set reason = null where entry_id = ?", [entry_id])
}

/// Whether money of an entry was refunded without a request here.
pub fn is_refunded_elsewhere(connection: &Connection, entry_id: EntryId) -> Result<bool> {
    let sql = "select 1 from refunds where entry_id = ? and state = 'done' and key is null";
    Ok(connection.prepare_cached(sql)?.exists([entry_id])?)
}

/// The sum of an entry's completed refunds.
pub fn done_cents(connection: &Connection, entry_id: EntryId) -> Result<Cents> {
    let sql = "select coalesce(sum(amount_cents), 0) from refunds where entry_id = ? and state = 'done'";
    Ok(connection.prepare_cached(sql)?.query_row([entry_id], |row| row.get(0))?)
}

/// The sum of an entry's refunds without a final answer.
pub fn open_cents(connection: &Connection, entry_id: EntryId) -> Result<Cents> {
    let sql = format!("select coalesce(sum(amount_cents), 0) from refunds where entry_id = ? and {IS_OPEN}");
    Ok(connection.prepare_cached(&sql)?.query_row([entry_id], |row| row.get(0))?)
}

/// The codes of the nominations whose refunds have no final answer.
pub fn open_categories(connection: &Connection, entry_id: EntryId) -> Result<Vec<String>> {
    let sql =
        format!("select category from refunds where entry_id = ? and {IS_OPEN} and category is not null");
    query_all(connection, &sql, [entry_id], |row| row.get(0))
}

/// Stores a dispute's state. An older event does not reopen a dispute that has ended.
pub fn set_dispute(
    connection: &Connection,
    dispute_id: &str,
    entry_id: EntryId,
    state: DisputeState,
) -> Result<()> {
    let sql = "insert into disputes (dispute_id, entry_id, state) values (?, ?, ?)
             on conflict (dispute_id) do update set state = case excluded.state when 'open' then state else excluded.state end";
    execute(connection, sql, (dispute_id, entry_id, state))
}

/// Whether a dispute about an entry is open or lost.
pub fn is_disputed(connection: &Connection, entry_id: EntryId) -> Result<bool> {
    let sql = "select 1 from disputes where entry_id = ? and state <> 'won'";
    Ok(connection.prepare_cached(sql)?.exists([entry_id])?)
}
