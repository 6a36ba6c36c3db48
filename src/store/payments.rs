//! The payment columns of competition entries, and the provider's events.

use rusqlite::Connection;

use super::registrations::person::ERASED;
use crate::error::{Error, Result};
use crate::model::{Cents, EntryId, IntentId, Kind, PaymentStatus};
use crate::store::query::{execute, from_row, query_all, query_optional};

/// An entry's payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    pub entry_id: EntryId,
    pub created_at: String,
    pub status: PaymentStatus,
    pub intent_id: Option<IntentId>,
    /// Including tax.
    pub amount_cents: Cents,
    pub refunded_cents: Cents,
    /// How the amount is made up, as JSON.
    pub quote: Option<String>,
    pub paid_at: Option<String>,
    /// 0 to 2, besides the primary category.
    pub additional_categories: i64,
    /// Identifies the entry in the metadata of its intents.
    pub token: String,
    /// Whether it was paid in live mode; `None` while it is unpaid.
    pub live: Option<bool>,
    /// The person was erased ([`ERASED`]).
    pub is_erased: bool,
}

from_row!(
    COLUMNS for Payment:
    entry_id = "id", created_at, status = "payment_status", intent_id = "stripe_payment_intent_id",
    amount_cents = "payment_amount_cents", refunded_cents, quote, paid_at, additional_categories,
    token = "payment_token", live = "payment_live", is_erased = "email = '(erased)'"
);

impl Payment {
    /// Whether this intent paid for it, even if it was refunded since.
    pub fn is_paid_by(&self, intent_id: &IntentId) -> bool {
        self.status.was_paid() && self.intent_id.as_ref() == Some(intent_id)
    }

    /// The amount that has not been refunded.
    pub fn left_cents(&self) -> Cents {
        self.amount_cents - self.refunded_cents
    }

    /// Whether it was paid in the other mode (live or test) than this one.
    pub fn is_of_other_mode(&self, live: Option<bool>) -> bool {
        self.live.zip(live).is_some_and(|(paid, current)| paid != current)
    }
}

pub fn get(connection: &Connection, entry_id: EntryId) -> Result<Option<Payment>> {
    let sql = format!("select {COLUMNS} from competition_entries where id = ?");
    query_optional(connection, &sql, [entry_id], Payment::from_row)
}

/// The payment of an entry, or [`Error::NotFound`].
pub fn require(connection: &Connection, entry_id: EntryId) -> Result<Payment> {
    get(connection, entry_id)?.ok_or_else(|| {
        Error::NotFound(format!("There is no record {entry_id} of {}.", Kind::CompetitionEntries))
    })
}

pub fn by_intent(connection: &Connection, intent_id: &IntentId) -> Result<Option<Payment>> {
    let sql = format!("select {COLUMNS} from competition_entries where stripe_payment_intent_id = ?");
    query_optional(connection, &sql, [intent_id], Payment::from_row)
}

/// Lets another entry be stored with the key of this one's form.
pub fn clear_form_key(connection: &Connection, entry_id: EntryId) -> Result<()> {
    execute(connection, "update competition_entries set form_key = null where id = ?", [entry_id])
}

/// The entry that was created with this form key.
pub fn by_form_key(connection: &Connection, key: &str) -> Result<Option<Payment>> {
    let sql = format!("select {COLUMNS} from competition_entries where form_key = ?");
    query_optional(connection, &sql, [key], Payment::from_row)
}

/// The condition that an entry's payment counts as revenue and can be refunded, as SQL.
pub(super) const IS_PAID: &str = "payment_status in ('paid', 'partially_refunded')";

/// Entries that were paid in this mode or in an unknown one, oldest first.
pub fn refundable(connection: &Connection, live: Option<bool>) -> Result<Vec<Payment>> {
    let sql = format!(
        "select {COLUMNS} from competition_entries where {IS_PAID}
         and (payment_live = ?1) is not false order by id"
    );
    query_all(connection, &sql, [live], Payment::from_row)
}

/// The number of disputed entries of this mode or of an unknown one.
pub fn count_disputed(connection: &Connection, live: Option<bool>) -> Result<u32> {
    let sql = "select count(*) from competition_entries where payment_status = 'disputed'
         and (payment_live = ?1) is not false";
    Ok(connection.query_row(sql, [live], |row| row.get(0))?)
}

/// Pending entries with an intent, created before `created_before`, that are due for a check: entries created after
/// `young_from` if they were last checked before `young_before`, older ones if before `old_before`. Entries held for review
/// come last.
pub fn due_for_check(connection: &Connection, times: &CheckTimes, limit: u32) -> Result<Vec<Payment>> {
    let sql = format!(
        "select {COLUMNS} from competition_entries
         where payment_status = 'pending' and stripe_payment_intent_id is not null and created_at < ?1
         and (payment_checked_at is null or payment_checked_at < ?3 or (created_at > ?2 and payment_checked_at < ?4))
         order by status = 'set_aside', payment_checked_at, id limit ?5"
    );
    let CheckTimes { created_before, young_from, old_before, young_before } = times;
    query_all(
        connection,
        &sql,
        (created_before, young_from, old_before, young_before, limit),
        Payment::from_row,
    )
}

/// The instants that [`due_for_check`] compares with.
pub struct CheckTimes {
    pub created_before: String,
    pub young_from: String,
    pub old_before: String,
    pub young_before: String,
}

/// All pending entries with an intent, oldest first.
pub fn pending(connection: &Connection) -> Result<Vec<Payment>> {
    let sql = format!(
        "select {COLUMNS} from competition_entries
         where payment_status = 'pending' and stripe_payment_intent_id is not null order by id"
    );
    query_all(connection, &sql, [], Payment::from_row)
}

/// Pending entries that were not created or changed since `created_before` and not checked since `checked_before`: those never
/// checked first, those held for review last.
pub fn overdue(
    connection: &Connection,
    created_before: &str,
    checked_before: &str,
    limit: u32,
) -> Result<Vec<Payment>> {
    let sql = format!(
        "select {COLUMNS} from competition_entries
         where payment_status = 'pending' and created_at < ?1
         and (payment_checked_at is null or payment_checked_at < ?2)
         and not exists (select 1 from audit_log where kind = 'competition-entries'
             and subject_id = competition_entries.id and action = 'changed' and at >= ?1)
         order by status = 'set_aside', payment_checked_at, id limit ?3"
    );
    query_all(connection, &sql, (created_before, checked_before, limit), Payment::from_row)
}

/// Whether any entry is paid.
pub fn has_paid(connection: &Connection) -> Result<bool> {
    let sql = format!("select 1 from competition_entries where {IS_PAID} limit 1");
    Ok(connection.prepare_cached(&sql)?.exists([])?)
}

/// The condition for a reminder: the entry was started after `?1` and before `?2`, waits for its payment and was not
/// changed since `?2`, and nobody with its address has paid or was reminded.
const REMINDABLE: &str = "payment_status = 'pending' and stripe_payment_intent_id is not null
     and status not in ('set_aside', 'withdrawn', 'declined') and created_at > ?1 and created_at < ?2
     and not exists (select 1 from audit_log where kind = 'competition-entries'
         and subject_id = competition_entries.id and action = 'changed' and at >= ?2)
     and not exists (select 1 from competition_entries as other where other.email = competition_entries.email collate nocase
         and other.payment_status not in ('pending', 'failed', 'abandoned'))
     and not exists (select 1 from competition_entries as other
         join outbox on outbox.kind = 'competition-entries' and outbox.registration_id = other.id
         where other.email = competition_entries.email collate nocase and outbox.cause glob 'reminder/*')";

/// Entries to send a reminder about, oldest first.
pub fn to_remind(connection: &Connection, after: &str, before: &str, limit: u32) -> Result<Vec<Payment>> {
    let sql = format!(
        "select {COLUMNS} from competition_entries where {REMINDABLE} order by created_at, id limit ?3"
    );
    query_all(connection, &sql, (after, before, limit), Payment::from_row)
}

/// Whether [`to_remind`] would still return an entry.
pub fn may_be_reminded(
    connection: &Connection,
    entry_id: EntryId,
    after: &str,
    before: &str,
) -> Result<bool> {
    let sql = format!("select 1 from competition_entries where {REMINDABLE} and id = ?3");
    Ok(connection.prepare_cached(&sql)?.exists((after, before, entry_id))?)
}

/// Sets the intent that pays for an entry.
pub fn set_intent(connection: &Connection, entry_id: EntryId, intent_id: &IntentId) -> Result<()> {
    let sql = "update competition_entries set stripe_payment_intent_id = ? where id = ?";
    execute(connection, sql, (intent_id, entry_id))
}

pub fn set_status(connection: &Connection, entry_id: EntryId, status: PaymentStatus) -> Result<()> {
    let sql = "update competition_entries set payment_status = ? where id = ?";
    execute(connection, sql, (status, entry_id))
}

/// Marks an entry as paid. An entry held for review becomes new, because a person has paid for it.
pub fn mark_paid(
    connection: &Connection,
    entry_id: EntryId,
    intent_id: &IntentId,
    at: &str,
    front_row: bool,
    live: bool,
) -> Result<()> {
    let sql = "update competition_entries set payment_status = 'paid', stripe_payment_intent_id = ?, paid_at = ?,
             front_row = ?, payment_live = ?, status = case status when 'set_aside' then 'new' else status end where id = ?";
    execute(connection, sql, (intent_id, at, front_row, live, entry_id))
}

/// Lets an unpaid entry take part without a payment.
pub fn mark_complimentary(connection: &Connection, entry_id: EntryId, front_row: bool) -> Result<()> {
    let sql = "update competition_entries set payment_status = 'complimentary', payment_amount_cents = 0, front_row = ? where id = ?";
    execute(connection, sql, (front_row, entry_id))
}

pub fn mark_checked(connection: &Connection, entry_id: EntryId, at: &str) -> Result<()> {
    let sql = "update competition_entries set payment_checked_at = ? where id = ?";
    execute(connection, sql, (at, entry_id))
}

pub fn set_refunded(connection: &Connection, entry_id: EntryId, refunded: Cents) -> Result<()> {
    let sql = "update competition_entries set refunded_cents = ? where id = ?";
    execute(connection, sql, (refunded, entry_id))
}

/// Whether an entry with this many additional categories gets one of the `places` that are guaranteed in the front row: those
/// of the first entries with two nominations or more that take part.
pub fn gets_front_row(connection: &Connection, additional: i64, places: u32) -> Result<bool> {
    let sql = concat!(
        "select count(*) from competition_entries where front_row = 1 and ",
        additional_nominations!(),
        " >= 1 and ",
        takes_part!()
    );
    let taken: u32 = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
    Ok(additional >= 1 && taken < places)
}

/// One person's paid entries to the same category.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaidTwice {
    pub name: String,
    pub email: String,
    pub category: String,
    pub sub_category: String,
    /// Two or more, oldest first.
    pub entries: Vec<EntryId>,
}

/// Who has paid more than once for a category, such as from two devices: the same address and name.
pub fn paid_twice(connection: &Connection) -> Result<Vec<PaidTwice>> {
    let sql = concat!(
        "select min(entry.id), name, email, category, nominations.sub_category, json_group_array(entry.id order by entry.id)
         from competition_entries as entry join nominations on entry_id = entry.id
         where nominations.state <> 'withdrawn' and payment_status <> 'complimentary' and email <> ?1 and ",
        takes_part!(),
        " group by lower(email), lower(name), category, nominations.sub_category having count(*) > 1 order by 1, category"
    );
    query_all(connection, sql, [ERASED], |row| {
        let entries: String = row.get(5)?;
        let entries: Vec<i64> = serde_json::from_str(&entries).unwrap_or_default();
        Ok(PaidTwice {
            name: row.get(1)?,
            email: row.get(2)?,
            category: row.get(3)?,
            sub_category: row.get(4)?,
            entries: entries.into_iter().map(EntryId).collect(),
        })
    })
}

/// The payments from `from` to `until` (stored instants; `None` is open) minus their refunds.
pub fn revenue_cents(connection: &Connection, from: Option<&str>, until: Option<&str>) -> Result<Cents> {
    let sql = format!(
        "select coalesce(sum(payment_amount_cents - refunded_cents), 0) from competition_entries
         where paid_at is not null and paid_at >= coalesce(?1, '') and paid_at < coalesce(?2, '9999') and {IS_PAID}"
    );
    Ok(connection.prepare_cached(&sql)?.query_row((from, until), |row| row.get(0))?)
}

/// Stores an event as processed; `false` if it was processed before.
pub fn insert_event(connection: &Connection, id: &str, name: &str, at: &str) -> Result<bool> {
    let added = connection
        .prepare_cached(
            "insert into stripe_events (id, type, received_at) values (?, ?, ?) on conflict do nothing",
        )?
        .execute((id, name, at))?;
    Ok(added == 1)
}

pub fn has_event(connection: &Connection, id: &str) -> Result<bool> {
    Ok(connection.prepare_cached("select 1 from stripe_events where id = ?")?.exists([id])?)
}

/// Deletes events older than `before`. The provider resends an event for at most three days.
pub fn delete_events_before(connection: &Connection, before: &str) -> Result<()> {
    execute(connection, "delete from stripe_events where received_at < ?", [before])
}

/// The number of failed cards on an intent, from the provider's events.
pub fn failed_cards(connection: &Connection, intent_id: &IntentId) -> Result<u32> {
    let sql = "select count from failed_cards where intent_id = ?";
    Ok(query_optional(connection, sql, [intent_id], |row| row.get(0))?.unwrap_or_default())
}

pub fn add_failed_card(connection: &Connection, intent_id: &IntentId, at: &str) -> Result<()> {
    let sql = "insert into failed_cards (intent_id, count, last_at) values (?1, 1, ?2)
             on conflict (intent_id) do update set count = count + 1, last_at = excluded.last_at";
    execute(connection, sql, (intent_id, at))
}

/// Deletes the counts of intents on which the last card failed before an instant.
pub fn delete_failed_cards_before(connection: &Connection, before: &str) -> Result<()> {
    execute(connection, "delete from failed_cards where last_at < ?", [before])
}

/// The attempt that is part of an idempotency key; the first is 1.
pub fn attempt(connection: &Connection, name: &str) -> Result<i64> {
    let sql = "select attempt from stripe_attempts where name = ?";
    Ok(query_optional(connection, sql, [name], |row| row.get(0))?.unwrap_or(1))
}

/// Starts a new attempt after `failed` was refused, unless another request has done so.
pub fn next_attempt(connection: &Connection, name: &str, failed: i64, at: &str) -> Result<()> {
    let sql = "insert into stripe_attempts (name, attempt, at) values (?1, ?2 + 1, ?3)
             on conflict (name) do update set attempt = max(attempt, excluded.attempt), at = excluded.at";
    execute(connection, sql, (name, failed, at))
}
