//! Lists of emails, and what organisers do with those that have not been sent.

use rusqlite::Connection;

use super::{COLUMNS, State, StoredMail};
use crate::error::Result;
use crate::forms::EmailAddress;
use crate::model::Kind;
use crate::store::query::{execute, query_all};

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
pub fn list(connection: &Connection, listed: Listed, limit: u32, offset: u32) -> Result<Vec<StoredMail>> {
    let (state, clause) = match listed {
        Listed::All => (None, "?1 is null"),
        Listed::In(state) => (Some(state), "state = ?1"),
        Listed::Retried => (Some(State::Waiting), "state = ?1 and attempts > 0"),
    };
    let sql = format!("select {COLUMNS} from outbox where {clause} order by id desc limit ?2 offset ?3");
    query_all(connection, &sql, (state, limit, offset), StoredMail::from_row)
}

/// The emails about a registration, oldest first.
pub fn list_by_registration(connection: &Connection, kind: Kind, id: i64) -> Result<Vec<StoredMail>> {
    let sql = format!("select {COLUMNS} from outbox where kind = ? and registration_id = ? order by id");
    query_all(connection, &sql, (kind, id), StoredMail::from_row)
}

/// The emails to an address, oldest first.
pub fn list_by_recipient(connection: &Connection, recipient: &EmailAddress) -> Result<Vec<StoredMail>> {
    let sql = format!("select {COLUMNS} from outbox where recipient = ? collate nocase order by id");
    query_all(connection, &sql, [recipient.as_str()], StoredMail::from_row)
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
pub fn count_retried(connection: &Connection) -> Result<i64> {
    let sql = "select count(*) from outbox where state = 'waiting' and attempts > 0";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

/// Makes one or all waiting or failed emails due now. Failed ones may be tried as often as new ones. Returns how many.
pub fn retry(connection: &Connection, id: Option<i64>, now: &str) -> Result<usize> {
    Ok(connection.execute(
        "update outbox set state = 'waiting', due_at = ?2, attempts = case state when 'failed' then 0 else attempts end
         where state in ('waiting', 'failed') and (?1 is null or id = ?1)",
        (id, now),
    )?)
}

/// Queues a copy of an email with its attachments, to another address and with other values. Returns the copy's id.
pub fn send_again(
    connection: &Connection,
    id: i64,
    message_id: &str,
    recipient: &EmailAddress,
    values: &str,
    now: &str,
) -> Result<i64> {
    let sql = "insert into outbox (created_at, due_at, cause, message_id, kind, registration_id, recipient, subject, template, words, priority)
         select ?2, ?2, cause || '/again/' || ?3, ?3, kind, registration_id, ?4, subject, template, ?5, priority
         from outbox where id = ?1";
    let copy = connection.prepare_cached(sql)?.insert((id, now, message_id, recipient.as_str(), values))?;
    let sql = "insert into outbox_attachments (outbox_id, file_name, content_type, content)
         select ?2, file_name, content_type, content from outbox_attachments where outbox_id = ?1 order by id";
    execute(connection, sql, (id, copy))?;
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
    let sql = format!("select {COLUMNS} from outbox where {MATCHES} order by id");
    query_all(connection, &sql, filter.parameters(), StoredMail::from_row)
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
