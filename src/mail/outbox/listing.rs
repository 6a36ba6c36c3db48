//! The emails as organisers see them, and what they do with those that have not been sent.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;

use super::body;
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, Kind};
use crate::store::outbox::{self, Filter, State, StoredMail};
use crate::store::{audit, registrations};
use crate::time;

/// An email in a list, without its body.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedMail {
    pub id: i64,
    pub created_at: String,
    #[cfg_attr(test, ts(inline))]
    pub state: State,
    pub due_at: String,
    pub attempts: u32,
    pub sent_at: Option<String>,
    pub last_error: Option<String>,
    /// `Name <address>`, or only the address.
    pub recipient: String,
    pub subject: String,
    /// The kind and the id of the registration that it is about.
    pub kind: Option<Kind>,
    pub registration_id: Option<i64>,
}

impl From<StoredMail> for ListedMail {
    fn from(mail: StoredMail) -> ListedMail {
        ListedMail {
            id: mail.id,
            created_at: mail.created_at,
            state: mail.state,
            due_at: mail.due_at,
            attempts: mail.attempts,
            sent_at: mail.sent_at,
            last_error: mail.last_error,
            recipient: mail.recipient,
            subject: mail.subject,
            kind: mail.kind,
            registration_id: mail.registration_id,
        }
    }
}

/// An email with its text and the names of its attachments.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MailDetails {
    #[serde(flatten)]
    pub mail: ListedMail,
    pub text: String,
    /// Whether its recipient is the current address of its registration.
    pub is_to_person: bool,
    pub message_id: String,
    /// Its text is rendered again, and its attachments are deleted.
    pub is_trimmed: bool,
    pub attachments: Vec<ListedAttachment>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedAttachment {
    pub file_name: String,
    pub content_type: String,
    pub bytes: usize,
}

/// A page of emails, the newest first, and the number of emails in each state.
pub fn page(
    app: &App,
    listed: outbox::Listed,
    most: u32,
    offset: u32,
) -> Result<(Vec<ListedMail>, i64, BTreeMap<State, i64>)> {
    app.store.read(|connection| {
        let mails = outbox::list(connection, listed, most, offset)?;
        let mut counts = BTreeMap::new();
        for state in State::ALL {
            counts.insert(state, outbox::count(connection, state)?);
        }
        let total = match listed {
            outbox::Listed::All => counts.values().sum(),
            outbox::Listed::In(state) => counts[&state],
            outbox::Listed::Retried => outbox::count_retried(connection)?,
        };
        Ok((mails.into_iter().map(ListedMail::from).collect(), total, counts))
    })
}

/// An email with its text and attachments, or [`Error::NotFound`].
pub fn details(app: &App, id: i64) -> Result<MailDetails> {
    app.store.read(|connection| {
        let mail = outbox::get(connection, id)?.ok_or_else(|| missing(id))?;
        let attachments = outbox::attachments(connection, id)?.into_iter();
        let attachments = attachments.map(|file| ListedAttachment {
            file_name: file.file_name,
            content_type: file.content_type,
            bytes: file.content.len(),
        });
        Ok(MailDetails {
            text: body(&mail).text()?,
            is_to_person: is_to_person(connection, &mail)?,
            message_id: mail.message_id.clone(),
            is_trimmed: is_trimmed(&mail),
            attachments: attachments.collect(),
            mail: mail.into(),
        })
    })
}

fn is_trimmed(mail: &StoredMail) -> bool {
    mail.state == State::Sent && mail.written.is_none() && !body(mail).is_written()
}

fn is_to_person(connection: &Connection, mail: &StoredMail) -> Result<bool> {
    let Some((kind, id)) = mail.about() else { return Ok(false) };
    let stored = registrations::get(connection, kind, id)?;
    Ok(stored.is_some_and(|stored| stored.record.email() == *mail.recipient))
}

/// The HTML of an email.
///
/// # Errors
/// [`Error::NotFound`].
pub fn html(app: &App, id: i64) -> Result<String> {
    let mail = app.store.read(|connection| outbox::get(connection, id))?;
    body(&mail.ok_or_else(|| missing(id))?).html()
}

/// Makes a waiting or failed email due now, or all of them for `None`. Returns how many.
///
/// # Errors
/// [`Error::Conflict`] if the email was sent or discarded; [`Error::NotFound`].
pub fn retry(app: &App, actor: &Actor, id: Option<i64>) -> Result<usize> {
    app.store.write(|connection| {
        let at = time::now();
        let now = time::stored(at);
        let count = outbox::retry(connection, id, &now)?;
        super::Pause::lift(connection, at)?;
        if let (Some(id), 0) = (id, count) {
            return Err(not_open(connection, id)?);
        }
        audit::record(connection, actor, "mail retried", &json!({ "mail": id, "count": count }))?;
        Ok(count)
    })
}

/// Discards a waiting or failed email.
///
/// # Errors
/// Those of [`retry`].
pub fn discard(app: &App, actor: &Actor, id: i64) -> Result<()> {
    app.store.write(|connection| {
        if !outbox::discard(connection, id)? {
            return Err(not_open(connection, id)?);
        }
        super::Pause::lift_without_mail(connection, time::now())?;
        audit::record(connection, actor, "mail discarded", &json!({ "mail": id }))
    })
}

/// Discards all emails that wait or failed and match a filter; returns how many.
pub fn discard_all(app: &App, actor: &Actor, filter: Filter) -> Result<usize> {
    app.store.write(|connection| {
        let count = outbox::discard_all(connection, &filter)?;
        super::Pause::lift_without_mail(connection, time::now())?;
        // The audit log names no person, so that the address is omitted.
        let detail = json!({
            "count": count, "kind": filter.kind.map(Kind::as_str), "template": filter.template, "since": filter.since,
        });
        audit::record(connection, actor, "mail discarded", &detail)?;
        Ok(count)
    })
}

/// The error for an email that neither waits nor has failed.
fn not_open(connection: &Connection, id: i64) -> Result<Error> {
    let mail = outbox::get(connection, id)?.ok_or_else(|| missing(id))?;
    Ok(Error::Conflict(format!("Email {id} has already been {}.", mail.state.as_str())))
}

fn missing(id: i64) -> Error {
    Error::NotFound(format!("There is no email {id}. `showcase outbox list` shows all of them."))
}
