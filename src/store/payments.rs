//! The payment columns of competition entries, and the provider's events.

use rusqlite::{Connection, OptionalExtension, Row};

use super::registrations::person::ERASED;
use crate::error::Result;
use crate::model::PaymentStatus;

/// An entry's payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    pub entry_id: i64,
    pub created_at: String,
    pub status: PaymentStatus,
    pub intent_id: Option<String>,
    /// With tax.
    pub amount_cents: i64,
    pub refunded_cents: i64,
    /// How the amount is made up, as JSON.
    pub quote: Option<String>,
    pub paid_at: Option<String>,
    /// 0 to 2, beside the primary category.
    pub additional_categories: i64,
    /// Identifies the entry in the metadata of its intents.
    pub token: String,
    /// Whether it was paid in live mode; `None` while it is unpaid, and for payments of older versions.
    pub live: Option<bool>,
    /// The person was erased.
    pub is_erased: bool,
}

impl Payment {
    /// Whether this intent paid for it, even if it was refunded since.
    pub fn is_paid_by(&self, intent_id: &str) -> bool {
        !self.status.is_unpaid() && self.intent_id.as_deref() == Some(intent_id)
    }

    /// The amount that has not been refunded.
    pub fn left_cents(&self) -> i64 {
        self.amount_cents - self.refunded_cents
    }

    /// Whether it was paid in the other mode (live or test) than this one.
    pub fn is_of_other_mode(&self, live: Option<bool>) -> bool {
        self.live.zip(live).is_some_and(|(paid, current)| paid != current)
    }
}

const COLUMNS: &str = "id, created_at, payment_status, stripe_payment_intent_id, payment_amount_cents, refunded_cents, quote, paid_at, additional_categories, payment_token, payment_live, email";

pub fn get(connection: &Connection, entry_id: i64) -> Result<Option<Payment>> {
    let sql = format!("select {COLUMNS} from competition_entries where id = ?");
    Ok(connection.prepare_cached(&sql)?.query_row([entry_id], payment).optional()?)
}

pub fn by_intent(connection: &Connection, intent_id: &str) -> Result<Option<Payment>> {
    let sql = format!("select {COLUMNS} from competition_entries where stripe_payment_intent_id = ?");
    Ok(connection.prepare_cached(&sql)?.query_row([intent_id], payment).optional()?)
}

/// The entry that was created with this form key.
pub fn by_form_key(connection: &Connection, key: &str) -> Result<Option<Payment>> {
    let sql = format!("select {COLUMNS} from competition_entries where form_key = ?");
    Ok(connection.prepare_cached(&sql)?.query_row([key], payment).optional()?)
}

/// Entries that were paid in this mode or in an unknown one, oldest first.
pub fn refundable(connection: &Connection, live: Option<bool>) -> Result<Vec<Payment>> {
    let sql = format!(
        "select {COLUMNS} from competition_entries where payment_status in ('paid', 'partially_refunded')
         and (payment_live = ?1) is not false order by id"
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([live], payment)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The number of disputed entries of this mode or of an unknown one.
pub fn disputed(connection: &Connection, live: Option<bool>) -> Result<u32> {
    let sql = "select count(*) from competition_entries where payment_status = 'disputed'
         and (payment_live = ?1) is not false";
    Ok(connection.query_row(sql, [live], |row| row.get(0))?)
}

/// Pending entries with an intent that have not been asked about for a while: one made after `young_from` since
/// `young_before`, any other since `old_before`, and none that was made after `made_before`. Those that were set
/// aside come last.
pub fn to_ask(connection: &Connection, times: &AskTimes, most: u32) -> Result<Vec<Payment>> {
    let sql = format!(
        "select {COLUMNS} from competition_entries
         where payment_status = 'pending' and stripe_payment_intent_id is not null and created_at < ?1
         and (payment_checked_at is null or payment_checked_at < ?3 or (created_at > ?2 and payment_checked_at < ?4))
         order by status = 'set_aside', payment_checked_at, id limit ?5"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let AskTimes { made_before, young_from, old_before, young_before } = times;
    let rows = statement.query_map((made_before, young_from, old_before, young_before, most), payment)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The instants that [`to_ask`] goes by.
pub struct AskTimes {
    pub made_before: String,
    pub young_from: String,
    pub old_before: String,
    pub young_before: String,
}

/// Every pending entry with an intent, the oldest first.
pub fn pending(connection: &Connection) -> Result<Vec<Payment>> {
    let sql = format!(
        "select {COLUMNS} from competition_entries
         where payment_status = 'pending' and stripe_payment_intent_id is not null order by id"
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], payment)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Pending entries that nobody has made or changed since an instant, and that were not asked about since
/// `asked_before`: those that were never asked about first, and those that were set aside last.
pub fn overdue(
    connection: &Connection,
    made_before: &str,
    asked_before: &str,
    most: u32,
) -> Result<Vec<Payment>> {
    let sql = format!(
        "select {COLUMNS} from competition_entries
         where payment_status = 'pending' and created_at < ?1
         and (payment_checked_at is null or payment_checked_at < ?2)
         and not exists (select 1 from audit_log where kind = 'competition-entries'
             and subject_id = competition_entries.id and action = 'changed' and at >= ?1)
         order by status = 'set_aside', payment_checked_at, id limit ?3"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map((made_before, asked_before, most), payment)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// How many entries were begun before an instant and are not paid; not those that were set aside or withdrawn.
pub fn count_unpaid(connection: &Connection, begun_before: &str) -> Result<i64> {
    let sql = "select count(*) from competition_entries
         where payment_status = 'pending' and created_at < ? and status not in ('set_aside', 'withdrawn', 'declined')";
    Ok(connection.prepare_cached(sql)?.query_row([begun_before], |row| row.get(0))?)
}

/// Which entries may be reminded of, beside that they are begun after `?1` and before `?2`: they wait for their payment,
/// were not changed since, and nobody of that address has paid, or was reminded before.
const REMINDABLE: &str = "payment_status = 'pending' and stripe_payment_intent_id is not null
     and status not in ('set_aside', 'withdrawn', 'declined') and created_at > ?1 and created_at < ?2
     and not exists (select 1 from audit_log where kind = 'competition-entries'
         and subject_id = competition_entries.id and action = 'changed' and at >= ?2)
     and not exists (select 1 from competition_entries as other where other.email = competition_entries.email collate nocase
         and other.payment_status not in ('pending', 'failed', 'abandoned'))
     and not exists (select 1 from competition_entries as other
         join outbox on outbox.kind = 'competition-entries' and outbox.registration_id = other.id
         where other.email = competition_entries.email collate nocase and outbox.cause glob 'reminder/*')";

/// Entries that were begun and left, the oldest first.
pub fn to_remind(connection: &Connection, after: &str, before: &str, most: u32) -> Result<Vec<Payment>> {
    let sql = format!(
        "select {COLUMNS} from competition_entries where {REMINDABLE} order by created_at, id limit ?3"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map((after, before, most), payment)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Whether an entry is still among those of [`to_remind`].
pub fn may_be_reminded(connection: &Connection, entry_id: i64, after: &str, before: &str) -> Result<bool> {
    let sql = format!("select 1 from competition_entries where {REMINDABLE} and id = ?3");
    Ok(connection.prepare_cached(&sql)?.exists((after, before, entry_id))?)
}

/// Names the intent that is to pay for an entry.
pub fn set_intent(connection: &Connection, entry_id: i64, intent_id: Option<&str>) -> Result<()> {
    connection
        .prepare_cached("update competition_entries set stripe_payment_intent_id = ? where id = ?")?
        .execute((intent_id, entry_id))?;
    Ok(())
}

pub fn set_status(connection: &Connection, entry_id: i64, status: PaymentStatus) -> Result<()> {
    connection
        .prepare_cached("update competition_entries set payment_status = ? where id = ?")?
        .execute((status, entry_id))?;
    Ok(())
}

/// Marks an entry as paid. An entry that was set aside becomes new, because a person has paid for it.
pub fn mark_paid(
    connection: &Connection,
    entry_id: i64,
    intent_id: &str,
    at: &str,
    front_row: bool,
    live: bool,
) -> Result<()> {
    connection
        .prepare_cached(
            "update competition_entries set payment_status = 'paid', stripe_payment_intent_id = ?, paid_at = ?,
             front_row = ?, payment_live = ?, status = case status when 'set_aside' then 'new' else status end where id = ?",
        )?
        .execute((intent_id, at, front_row, live, entry_id))?;
    Ok(())
}

/// Lets an unpaid entry take part without a payment.
pub fn mark_complimentary(connection: &Connection, entry_id: i64, front_row: bool) -> Result<()> {
    connection.execute(
        "update competition_entries set payment_status = 'complimentary', payment_amount_cents = 0, front_row = ? where id = ?",
        (front_row, entry_id),
    )?;
    Ok(())
}

pub fn mark_checked(connection: &Connection, entry_id: i64, at: &str) -> Result<()> {
    connection
        .prepare_cached("update competition_entries set payment_checked_at = ? where id = ?")?
        .execute((at, entry_id))?;
    Ok(())
}

pub fn set_refunded(connection: &Connection, entry_id: i64, cents: i64) -> Result<()> {
    connection
        .prepare_cached("update competition_entries set refunded_cents = ? where id = ?")?
        .execute((cents, entry_id))?;
    Ok(())
}

/// How many entries have a guaranteed place in the front row.
pub fn front_row_taken(connection: &Connection) -> Result<i64> {
    let sql = "select count(*) from competition_entries
         where front_row = 1 and (paid_at is not null or payment_status = 'complimentary')";
    Ok(connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// The payments from `from` to `until` (stored instants; `None` is open) minus their refunds, in cents.
pub fn revenue_cents(connection: &Connection, from: Option<&str>, until: Option<&str>) -> Result<i64> {
    let sql = "select coalesce(sum(payment_amount_cents - refunded_cents), 0) from competition_entries
         where paid_at is not null and paid_at >= coalesce(?1, '') and paid_at < coalesce(?2, '9999')
         and payment_status in ('paid', 'partially_refunded')";
    Ok(connection.prepare_cached(sql)?.query_row((from, until), |row| row.get(0))?)
}

/// Stores an event as processed; `false` if it was processed before.
pub fn remember_event(connection: &Connection, id: &str, name: &str, at: &str) -> Result<bool> {
    let added = connection
        .prepare_cached(
            "insert into stripe_events (id, type, received_at) values (?, ?, ?) on conflict do nothing",
        )?
        .execute((id, name, at))?;
    Ok(added == 1)
}

pub fn knows_event(connection: &Connection, id: &str) -> Result<bool> {
    Ok(connection.prepare_cached("select 1 from stripe_events where id = ?")?.exists([id])?)
}

/// Deletes events older than `before`. The provider resends an event for at most three days.
pub fn forget_events(connection: &Connection, before: &str) -> Result<usize> {
    Ok(connection.execute("delete from stripe_events where received_at < ?", [before])?)
}

/// The number of failed cards on an intent, from the provider's events.
pub fn failed_cards(connection: &Connection, intent_id: &str) -> Result<u32> {
    let count = connection
        .prepare_cached("select count from failed_cards where intent_id = ?")?
        .query_row([intent_id], |row| row.get(0))
        .optional()?;
    Ok(count.unwrap_or_default())
}

pub fn count_failed_card(connection: &Connection, intent_id: &str, at: &str) -> Result<()> {
    connection
        .prepare_cached(
            "insert into failed_cards (intent_id, count, last_at) values (?1, 1, ?2)
             on conflict (intent_id) do update set count = count + 1, last_at = excluded.last_at",
        )?
        .execute((intent_id, at))?;
    Ok(())
}

/// Forgets the failed cards of intents on which the last one failed before an instant.
pub fn forget_failed_cards(connection: &Connection, before: &str) -> Result<usize> {
    Ok(connection.execute("delete from failed_cards where last_at < ?", [before])?)
}

/// The attempt that is part of an idempotency key; the first is 1.
pub fn attempt(connection: &Connection, name: &str) -> Result<i64> {
    let attempt = connection
        .prepare_cached("select attempt from stripe_attempts where name = ?")?
        .query_row([name], |row| row.get(0))
        .optional()?;
    Ok(attempt.unwrap_or(1))
}

/// Starts a new attempt after `failed` was refused, unless another request has done so.
pub fn next_attempt(connection: &Connection, name: &str, failed: i64, at: &str) -> Result<()> {
    connection
        .prepare_cached(
            "insert into stripe_attempts (name, attempt, at) values (?1, ?2 + 1, ?3)
             on conflict (name) do update set attempt = max(attempt, excluded.attempt), at = excluded.at",
        )?
        .execute((name, failed, at))?;
    Ok(())
}

fn payment(row: &Row<'_>) -> rusqlite::Result<Payment> {
    Ok(Payment {
        entry_id: row.get(0)?,
        created_at: row.get(1)?,
        status: row.get(2)?,
        intent_id: row.get(3)?,
        amount_cents: row.get(4)?,
        refunded_cents: row.get(5)?,
        quote: row.get(6)?,
        paid_at: row.get(7)?,
        additional_categories: row.get(8)?,
        token: row.get(9)?,
        live: row.get(10)?,
        is_erased: row.get_ref(11)?.as_str()? == ERASED,
    })
}
