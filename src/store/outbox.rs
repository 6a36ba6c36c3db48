//! Emails: waiting, sent, failed or discarded.

use rusqlite::{Connection, OptionalExtension, Row};

use crate::error::Result;
use crate::forms::EmailAddress;
use crate::model::{Kind, text_enum};

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
    pub subject_of: Option<(Kind, i64)>,
    pub recipient: &'a str,
    pub subject: &'a str,
    pub template: &'a str,
    /// The template's values (JSON).
    pub words: &'a str,
}

/// A file attached to an email.
pub struct StoredAttachment {
    pub file_name: String,
    pub content_type: String,
    pub content: Vec<u8>,
}

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
    pub words: String,
    /// The text and HTML that were sent (JSON); `None` before sending and after [`drop_written`].
    pub written: Option<String>,
    /// The registration that it is about.
    pub about: Option<(Kind, i64)>,
}

const COLUMNS: &str = "id, created_at, state, due_at, attempts, sent_at, last_error, message_id, recipient, subject, template, words, kind, registration_id, written";

/// Queues an email and returns its id.
pub fn insert(connection: &Connection, mail: &NewMail<'_>, now: &str) -> Result<i64> {
    connection
        .prepare_cached(
            "insert into outbox (created_at, due_at, cause, message_id, kind, registration_id, recipient, subject, template,
                 words, priority, counted_as)
             values (?1, coalesce(?12, ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute((
            now,
            &mail.cause,
            mail.message_id,
            mail.subject_of.map(|(kind, _)| kind),
            mail.subject_of.map(|(_, id)| id),
            mail.recipient,
            mail.subject,
            mail.template,
            mail.words,
            mail.priority as i64,
            mail.counted_as,
            mail.due_at,
        ))?;
    Ok(connection.last_insert_rowid())
}

/// Attaches a file to a queued email.
pub fn attach(
    connection: &Connection,
    id: i64,
    file_name: &str,
    content_type: &str,
    content: &[u8],
) -> Result<()> {
    connection.execute(
        "insert into outbox_attachments (outbox_id, file_name, content_type, content) values (?, ?, ?, ?)",
        (id, file_name, content_type, content),
    )?;
    Ok(())
}

pub fn attachments(connection: &Connection, id: i64) -> Result<Vec<StoredAttachment>> {
    let mut statement = connection.prepare_cached(
        "select file_name, content_type, content from outbox_attachments where outbox_id = ? order by id",
    )?;
    let rows = statement.query_map([id], |row| {
        Ok(StoredAttachment { file_name: row.get(0)?, content_type: row.get(1)?, content: row.get(2)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The id of the email with this cause.
pub fn find_cause(connection: &Connection, cause: &str) -> Result<Option<i64>> {
    Ok(connection.query_row("select id from outbox where cause = ?", [cause], |row| row.get(0)).optional()?)
}

/// The start of the cause of a reminder about an unpaid entry.
pub const REMINDER: &str = "reminder/competition-entries/";

/// Discards an address's unsent reminders about unpaid entries.
pub fn discard_reminders(connection: &Connection, recipient: &EmailAddress) -> Result<()> {
    connection
        .prepare_cached(
            "update outbox set state = 'discarded'
             where state in ('waiting', 'failed') and recipient = ?1 collate nocase and cause glob ?2",
        )?
        .execute((recipient.as_str(), format!("{REMINDER}*")))?;
    Ok(())
}

/// The next email to send, except those in `taken`: the most urgent one, of urgency `least` or higher, that has been due
/// the longest.
pub fn next_due(connection: &Connection, now: &str, least: Priority, taken: &[i64]) -> Result<Option<i64>> {
    // One query per priority, each of which finds its first row in the index.
    let mut statement = connection.prepare_cached(
        "select id from outbox where state = 'waiting' and priority = ?1 and due_at <= ?2 order by due_at, id limit ?3",
    )?;
    let most = i64::try_from(taken.len()).unwrap_or(i64::MAX).saturating_add(1);
    for priority in Priority::ALL.into_iter().filter(|priority| *priority <= least) {
        let rows = statement.query_map((priority as i64, now, most), |row| row.get::<_, i64>(0))?;
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

/// The number of emails queued since an instant that are counted as `what`, of one kind or of all.
pub fn count_as(connection: &Connection, what: &str, kind: Option<Kind>, since: &str) -> Result<u32> {
    let sql =
        "select count(*) from outbox where counted_as = ?1 and created_at > ?2 and (?3 is null or kind = ?3)";
    Ok(connection.prepare_cached(sql)?.query_row((what, since, kind), |row| row.get(0))?)
}

/// Clears `counted_as` of emails queued before an instant, of at most `most`. Returns how many.
pub fn forget_counted(connection: &Connection, before: &str, most: u32) -> Result<usize> {
    let sql = "update outbox set counted_as = null where id in
         (select id from outbox where counted_as is not null and created_at < ? limit ?)";
    Ok(connection.prepare_cached(sql)?.execute((before, most))?)
}

/// Deletes the text and HTML of emails sent before an instant, of at most `most`. Returns how many.
pub fn drop_written(connection: &Connection, before: &str, most: u32) -> Result<usize> {
    let sql = "update outbox set written = null where id in
         (select id from outbox where written is not null and sent_at < ? order by sent_at limit ?)";
    Ok(connection.prepare_cached(sql)?.execute((before, most))?)
}

/// Deletes at most `most` attachments of emails sent before an instant. Returns how many.
pub fn drop_attachments(connection: &Connection, before: &str, most: u32) -> Result<usize> {
    let sql = "delete from outbox_attachments where id in
         (select file.id from outbox_attachments file join outbox on outbox.id = file.outbox_id
          where outbox.state = 'sent' and outbox.sent_at < ? limit ?)";
    Ok(connection.prepare_cached(sql)?.execute((before, most))?)
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<StoredMail>> {
    let sql = format!("select {COLUMNS} from outbox where id = ?");
    Ok(connection.query_row(&sql, [id], stored).optional()?)
}

/// Selects emails of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    All,
    In(State),
    /// Those that wait after a failed attempt.
    Retried,
}

/// The name of [`Listed::Retried`] in requests and links.
pub const RETRIED: &str = "retried";

/// A page of emails, newest first.
pub fn list(connection: &Connection, listed: Listed, most: u32, offset: u32) -> Result<Vec<StoredMail>> {
    let (state, clause) = match listed {
        Listed::All => (None, "?1 is null"),
        Listed::In(state) => (Some(state), "state = ?1"),
        Listed::Retried => (Some(State::Waiting), "state = ?1 and attempts > 0"),
    };
    let sql = format!("select {COLUMNS} from outbox where {clause} order by id desc limit ?2 offset ?3");
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map((state, most, offset), stored)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The emails about a registration, oldest first.
pub fn about(connection: &Connection, kind: Kind, id: i64) -> Result<Vec<StoredMail>> {
    let sql = format!("select {COLUMNS} from outbox where kind = ? and registration_id = ? order by id");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map((kind, id), stored)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The emails to an address, oldest first.
pub fn to(connection: &Connection, recipient: &EmailAddress) -> Result<Vec<StoredMail>> {
    let sql = format!("select {COLUMNS} from outbox where recipient = ? collate nocase order by id");
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([recipient.as_str()], stored)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The emails with an attachment that contains an address, ignoring case.
pub fn with_address_in_attachment(connection: &Connection, address: &EmailAddress) -> Result<Vec<i64>> {
    let mut statement = connection.prepare(
        "select distinct outbox_id from outbox_attachments
         where instr(lower(cast(content as text)), lower(?1))",
    )?;
    let ids = statement.query_map([address.as_str()], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(ids)
}

/// Stores which registrations a report names or has in its attachment.
pub fn insert_report_registrations(
    connection: &Connection,
    report: i64,
    named: &[(Kind, i64)],
) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "insert into report_registrations (outbox_id, kind, registration_id) values (?, ?, ?) on conflict do nothing",
    )?;
    for (kind, id) in named {
        statement.execute((report, kind, id))?;
    }
    Ok(())
}

/// The reports that name a registration or have it in their attachment.
pub fn reports_of(connection: &Connection, kind: Kind, id: i64) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(
        "select outbox_id from report_registrations where kind = ? and registration_id = ?",
    )?;
    let ids = statement.query_map((kind, id), |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(ids)
}

/// Deletes an email and its attachments.
pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    connection.execute("delete from outbox where id = ?", [id])?;
    Ok(())
}

pub fn count(connection: &Connection, state: State) -> Result<i64> {
    Ok(connection.query_row("select count(*) from outbox where state = ?", [state], |row| row.get(0))?)
}

/// The time at which the oldest waiting email was queued.
pub fn oldest_waiting(connection: &Connection) -> Result<Option<String>> {
    Ok(connection
        .query_row("select min(created_at) from outbox where state = 'waiting'", [], |row| row.get(0))?)
}

/// The number of emails that wait after a failed attempt.
pub fn count_tried(connection: &Connection) -> Result<i64> {
    let sql = "select count(*) from outbox where state = 'waiting' and attempts > 0";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

/// Marks an email as sent. `written` is the text and HTML that were sent (JSON).
pub fn mark_sent(connection: &Connection, id: i64, written: &str, now: &str) -> Result<()> {
    connection
        .prepare_cached(
            "update outbox set state = 'sent', sent_at = ?3, attempts = attempts + 1, last_error = null, written = ?2,
                words = case template when 'artist-link'
                    then json_set(words, '$.secret', json_object('url', '(hidden)', 'code', '(hidden)')) else words end
             where id = ?1",
        )?
        .execute((id, written, now))?;
    Ok(())
}

/// Stores a failed attempt. The email is retried at `due_at`; without one it has failed.
pub fn mark_failed(connection: &Connection, id: i64, error: &str, due_at: Option<&str>) -> Result<()> {
    connection.execute(
        "update outbox set attempts = attempts + 1, last_error = ?2, due_at = coalesce(?3, due_at),
                state = case when ?3 is null then 'failed' else 'waiting' end
         where id = ?1 and state = 'waiting'",
        (id, error, due_at),
    )?;
    Ok(())
}

/// Whether a waiting email is due only after `instant`.
pub fn has_due_after(connection: &Connection, instant: &str) -> Result<bool> {
    let sql = "select exists (select 1 from outbox where state = 'waiting' and due_at > ?)";
    Ok(connection.query_row(sql, [instant], |row| row.get(0))?)
}

/// Makes waiting emails due now that are due after `instant`. Returns how many.
pub fn recall(connection: &Connection, instant: &str, now: &str) -> Result<usize> {
    let sql = "update outbox set due_at = ?2 where state = 'waiting' and due_at > ?1";
    Ok(connection.execute(sql, (instant, now))?)
}

/// Makes one or all waiting and failed emails due now. Returns how many.
pub fn retry(connection: &Connection, id: Option<i64>, now: &str) -> Result<usize> {
    Ok(connection.execute(
        "update outbox set state = 'waiting', due_at = ?2 where state in ('waiting', 'failed') and (?1 is null or id = ?1)",
        (id, now),
    )?)
}

/// Queues a copy of an email with its attachments, to another address and with other values. Returns the copy's id.
pub fn send_again(
    connection: &Connection,
    id: i64,
    message_id: &str,
    recipient: &EmailAddress,
    words: &str,
    now: &str,
) -> Result<i64> {
    connection.execute(
        "insert into outbox (created_at, due_at, cause, message_id, kind, registration_id, recipient, subject, template, words)
         select ?2, ?2, cause || '/again/' || ?3, ?3, kind, registration_id, ?4, subject, template, ?5
         from outbox where id = ?1",
        (id, now, message_id, recipient.as_str(), words),
    )?;
    let copy = connection.last_insert_rowid();
    connection.execute(
        "insert into outbox_attachments (outbox_id, file_name, content_type, content)
         select ?2, file_name, content_type, content from outbox_attachments where outbox_id = ?1 order by id",
        (id, copy),
    )?;
    Ok(copy)
}

/// Discards a waiting or failed email; `false` if there is none with this id.
pub fn discard(connection: &Connection, id: i64) -> Result<bool> {
    let changed = connection.execute(
        "update outbox set state = 'discarded' where id = ? and state in ('waiting', 'failed')",
        [id],
    )?;
    Ok(changed == 1)
}

/// Selects emails that meet all of these conditions.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// The recipient, ignoring case.
    pub to: Option<String>,
    /// The kind of the registration that it is about.
    pub kind: Option<Kind>,
    pub template: Option<String>,
    /// The earliest time at which it was queued.
    pub since: Option<String>,
}

/// The SQL condition for unsent emails that match a [`Filter`].
const MATCHES: &str = "state in ('waiting', 'failed') and (?1 is null or recipient = ?1 collate nocase)
     and (?2 is null or kind = ?2) and (?3 is null or template = ?3) and (?4 is null or created_at >= ?4)";

impl Filter {
    fn parameters(&self) -> [Option<&str>; 4] {
        [self.to.as_deref(), self.kind.map(Kind::as_str), self.template.as_deref(), self.since.as_deref()]
    }
}

/// The unsent emails that match a filter, oldest first.
pub fn list_unsent(connection: &Connection, filter: &Filter) -> Result<Vec<StoredMail>> {
    let mut statement =
        connection.prepare(&format!("select {COLUMNS} from outbox where {MATCHES} order by id"))?;
    let rows = statement.query_map(filter.parameters(), stored)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn count_unsent(connection: &Connection, filter: &Filter) -> Result<i64> {
    let sql = format!("select count(*) from outbox where {MATCHES}");
    Ok(connection.query_row(&sql, filter.parameters(), |row| row.get(0))?)
}

/// Discards the unsent emails that match a filter. Returns how many.
pub fn discard_all(connection: &Connection, filter: &Filter) -> Result<usize> {
    let sql = format!("update outbox set state = 'discarded' where {MATCHES}");
    Ok(connection.execute(&sql, filter.parameters())?)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredMail> {
    Ok(StoredMail {
        id: row.get(0)?,
        created_at: row.get(1)?,
        state: row.get(2)?,
        due_at: row.get(3)?,
        attempts: row.get(4)?,
        sent_at: row.get(5)?,
        last_error: row.get(6)?,
        message_id: row.get(7)?,
        recipient: row.get(8)?,
        subject: row.get(9)?,
        template: row.get(10)?,
        words: row.get(11)?,
        about: row.get::<_, Option<Kind>>(12)?.zip(row.get(13)?),
        written: row.get(14)?,
    })
}
