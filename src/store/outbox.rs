//! Emails: waiting, sent, failed or discarded. This file queues them and records how they were sent. What organisers list
//! and change, and what is deleted, is in the submodules.

mod cleanup;
mod listing;

use rusqlite::Connection;

pub use cleanup::{
    delete, delete_rendered_bodies, drop_attachments, forget_counted, insert_report_registrations,
    reports_of, with_address_in_attachment,
};
pub use listing::{
    Filter, Listed, RETRIED, count, count_retried, count_unsent, discard, discard_all, list,
    list_by_recipient, list_by_registration, list_unsent, oldest_waiting, retry, send_again,
};

use crate::error::Result;
use crate::forms::EmailAddress;
use crate::model::{Kind, text_enum};
use crate::store::query::{execute, from_row, query_all, query_optional};

text_enum! {
    pub enum State, "a state of a mail" {
        Waiting = "waiting",
        Sent = "sent",
        Failed = "failed",
        Discarded = "discarded",
    }
}

/// How urgent an email is, which depends on who causes it. More urgent ones are sent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Payments, reports and alarms. Exempt from the ceilings.
    Urgent = 0,
    /// An organiser's decisions.
    Organiser = 1,
    /// Confirmations and notices, which visitors cause.
    Visitor = 2,
}

impl Priority {
    pub const ALL: [Priority; 3] = [Priority::Urgent, Priority::Organiser, Priority::Visitor];
}

/// An email to be queued.
pub struct NewMail<'a> {
    /// What it is for, such as `confirmation/waitlist-signups/12`. A cause has one email.
    pub cause: String,
    pub priority: Priority,
    /// The key for [`count_as`], by which the ceilings count it.
    pub counted_as: Option<&'a str>,
    /// When it became due; `None` for now.
    pub due_at: Option<&'a str>,
    pub message_id: &'a str,
    /// The registration that it is about.
    pub about: Option<(Kind, i64)>,
    pub recipient: &'a str,
    pub subject: &'a str,
    pub template: &'a str,
    /// The template's values (JSON).
    pub template_values: &'a str,
}

/// A file attached to an email.
pub struct StoredAttachment {
    pub file_name: String,
    pub content_type: String,
    pub content: Vec<u8>,
}

from_row!(StoredAttachment: file_name, content_type, content);

/// A stored email.
#[derive(Debug, Clone)]
pub struct StoredMail {
    pub id: i64,
    pub created_at: String,
    pub state: State,
    pub due_at: String,
    pub attempts: u32,
    pub sent_at: Option<String>,
    pub last_error: Option<String>,
    pub message_id: String,
    pub recipient: String,
    pub subject: String,
    pub template: String,
    pub template_values: String,
    pub kind: Option<Kind>,
    pub registration_id: Option<i64>,
    /// The text and HTML that were sent (JSON); `None` before sending and after [`delete_rendered_bodies`].
    pub written: Option<String>,
}

from_row!(
    COLUMNS for StoredMail:
    id, created_at, state, due_at, attempts, sent_at, last_error, message_id, recipient, subject, template,
    template_values = "words", kind, registration_id, written
);

impl StoredMail {
    /// The registration that it is about.
    pub fn about(&self) -> Option<(Kind, i64)> {
        self.kind.zip(self.registration_id)
    }
}

/// Queues an email and returns its id.
pub fn insert(connection: &Connection, mail: &NewMail<'_>, now: &str) -> Result<i64> {
    let sql = "insert into outbox (created_at, due_at, cause, message_id, kind, registration_id, recipient, subject, template,
             words, priority, counted_as)
         values (?1, coalesce(?12, ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    Ok(connection.prepare_cached(sql)?.insert((
        now,
        &mail.cause,
        mail.message_id,
        mail.about.map(|(kind, _)| kind),
        mail.about.map(|(_, id)| id),
        mail.recipient,
        mail.subject,
        mail.template,
        mail.template_values,
        mail.priority as i64,
        mail.counted_as,
        mail.due_at,
    ))?)
}

/// Attaches a file to a queued email.
pub fn attach(
    connection: &Connection,
    id: i64,
    file_name: &str,
    content_type: &str,
    content: &[u8],
) -> Result<()> {
    let sql =
        "insert into outbox_attachments (outbox_id, file_name, content_type, content) values (?, ?, ?, ?)";
    execute(connection, sql, (id, file_name, content_type, content))
}

pub fn attachments(connection: &Connection, id: i64) -> Result<Vec<StoredAttachment>> {
    let sql =
        "select file_name, content_type, content from outbox_attachments where outbox_id = ? order by id";
    query_all(connection, sql, [id], StoredAttachment::from_row)
}

/// The id of the email with this cause.
pub fn find_cause(connection: &Connection, cause: &str) -> Result<Option<i64>> {
    query_optional(connection, "select id from outbox where cause = ?", [cause], |row| row.get(0))
}

/// Whether an email invites from the waitlist to enter.
pub fn is_invitation(connection: &Connection, id: i64) -> Result<bool> {
    let sql = "select 1 from outbox where id = ? and cause glob 'invitation/*'";
    Ok(connection.prepare_cached(sql)?.exists([id])?)
}

/// The start of the cause of a reminder about an unpaid entry.
pub const REMINDER: &str = "reminder/competition-entries/";

/// Discards an address's unsent reminders about unpaid entries.
pub fn discard_reminders(connection: &Connection, recipient: &EmailAddress) -> Result<()> {
    let sql = "update outbox set state = 'discarded'
             where state in ('waiting', 'failed') and recipient = ?1 collate nocase and cause glob ?2";
    execute(connection, sql, (recipient.as_str(), format!("{REMINDER}*")))
}

/// The next email to send, except those in `taken`: the most urgent one, of urgency `least` or higher, that has been due
/// the longest.
pub fn next_due(connection: &Connection, now: &str, least: Priority, taken: &[i64]) -> Result<Option<i64>> {
    // One query per priority, each of which finds its first row in the index.
    let mut statement = connection.prepare_cached(
        "select id from outbox where state = 'waiting' and priority = ?1 and due_at <= ?2 order by due_at, id limit ?3",
    )?;
    let limit = taken.len() + 1;
    for priority in Priority::ALL.into_iter().filter(|priority| *priority <= least) {
        let rows = statement.query_map((priority as i64, now, limit), |row| row.get::<_, i64>(0))?;
        for id in rows {
            let id = id?;
            if !taken.contains(&id) {
                return Ok(Some(id));
            }
        }
    }
    Ok(None)
}

/// The number of emails sent since an instant. Only those that still have their text are counted; it is kept for longer
/// than any ceiling's period.
pub fn count_sent(connection: &Connection, since: &str) -> Result<i64> {
    let sql = "select count(*) from outbox where written is not null and sent_at >= ?";
    Ok(connection.prepare_cached(sql)?.query_row([since], |row| row.get(0))?)
}

/// The number of due emails that are less urgent than [`Priority::Urgent`].
pub fn count_less_urgent(connection: &Connection, now: &str) -> Result<i64> {
    let sql = "select count(*) from outbox where state = 'waiting' and priority in (1, 2) and due_at <= ?";
    Ok(connection.prepare_cached(sql)?.query_row([now], |row| row.get(0))?)
}

/// The number of emails queued since an instant that are counted as `what`, for one kind of registration or for all.
pub fn count_as(connection: &Connection, what: &str, kind: Option<Kind>, since: &str) -> Result<u32> {
    let sql =
        "select count(*) from outbox where counted_as = ?1 and created_at > ?2 and (?3 is null or kind = ?3)";
    Ok(connection.prepare_cached(sql)?.query_row((what, since, kind), |row| row.get(0))?)
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<StoredMail>> {
    let sql = format!("select {COLUMNS} from outbox where id = ?");
    query_optional(connection, &sql, [id], StoredMail::from_row)
}

/// Marks an email as sent. `written` is the text and HTML that were sent (JSON).
pub fn mark_sent(connection: &Connection, id: i64, written: &str, now: &str) -> Result<()> {
    let sql = "update outbox set state = 'sent', sent_at = ?3, attempts = attempts + 1, last_error = null, written = ?2
             where id = ?1";
    execute(connection, sql, (id, written, now))
}

/// Stores a failed attempt. The email is retried at `due_at`; without one it has failed.
pub fn mark_failed(connection: &Connection, id: i64, error: &str, due_at: Option<&str>) -> Result<()> {
    let sql = "update outbox set attempts = attempts + 1, last_error = ?2, due_at = coalesce(?3, due_at),
                state = case when ?3 is null then 'failed' else 'waiting' end
         where id = ?1 and state = 'waiting'";
    execute(connection, sql, (id, error, due_at))
}

/// Stores an attempt that the server refused because of our account, which does not count as one of the email's. `attempts`
/// becomes 1 at least, by which the next refusal is known not to be the first.
pub fn mark_refused(connection: &Connection, id: i64, error: &str, due_at: &str) -> Result<()> {
    let sql = "update outbox set attempts = max(attempts, 1), last_error = ?2, due_at = ?3 where id = ?1 and state = 'waiting'";
    execute(connection, sql, (id, error, due_at))
}

/// Whether a waiting email is due only after `instant`.
pub fn has_due_after(connection: &Connection, instant: &str) -> Result<bool> {
    let sql = "select exists (select 1 from outbox where state = 'waiting' and due_at > ?)";
    Ok(connection.query_row(sql, [instant], |row| row.get(0))?)
}

/// Makes waiting emails that are due after `instant` due now. Returns how many.
pub fn reset_far_attempts(connection: &Connection, instant: &str, now: &str) -> Result<usize> {
    let sql = "update outbox set due_at = ?2 where state = 'waiting' and due_at > ?1";
    Ok(connection.execute(sql, (instant, now))?)
}
