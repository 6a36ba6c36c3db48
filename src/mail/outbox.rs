//! The outbox: mails leave by urgency, are tried again for three days, and are never lost from sight.

mod ceilings;

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;
use serde_json::{Map, Value, json};

pub use ceilings::{LOOK_BACK, Notices, may_confirm, queue_confirmation};

use crate::app::App;
use crate::error::{Error, Result};
use crate::mail::{Attachment, Body, Failure, Mailer, Message};
use crate::model::{Actor, Kind};
use crate::store::outbox::{self, Filter, NewMail, Priority, State, StoredMail};
use crate::store::{audit, registrations};
use crate::time;

/// Minutes until the next try, by the number of tries so far; the last one repeats.
const WAITS: [i64; 8] = [1, 2, 5, 15, 60, 180, 360, 720];
/// After this long a mail that the server keeps refusing for now is given up as failed.
const PATIENCE: TimeDelta = TimeDelta::days(3);

/// Queues a mail about a registration with its files, within the transaction that is its cause.
pub fn queue(
    connection: &Connection,
    priority: Priority,
    cause: String,
    about: (Kind, i64),
    message: &Message,
    now: &str,
) -> Result<()> {
    insert(connection, &new_mail(cause, priority, Some(about), message), message, now)
}

/// What the outbox keeps of a message, without its files.
pub fn new_mail<'a>(
    cause: String,
    priority: Priority,
    about: Option<(Kind, i64)>,
    message: &'a Message,
) -> NewMail<'a> {
    NewMail {
        cause,
        priority,
        counted_as: None,
        due_at: None,
        message_id: &message.message_id,
        subject_of: about,
        recipient: &message.to,
        subject: &message.subject,
        template: &message.body.template,
        words: &message.body.words,
    }
}

fn insert(connection: &Connection, mail: &NewMail<'_>, message: &Message, now: &str) -> Result<()> {
    let id = outbox::insert(connection, mail, now)?;
    for file in &message.attachments {
        outbox::attach(connection, id, &file.file_name, &file.content_type, &file.content)?;
    }
    Ok(())
}

/// Whether a server sends what is queued; without a mail server, and in the demo, mails stay.
pub fn is_emptied(app: &App) -> bool {
    !app.demo && !app.config.smtp.host.is_empty()
}

/// What is to be sent next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Mail(i64),
    /// Nothing: this hour's mails are sent, and the others wait.
    HeldBack,
    Nothing,
}

/// The mail to be sent next, beside those that are being sent just now.
pub fn next(app: &App, sending: &[i64], now: DateTime<Utc>) -> Result<Next> {
    app.store.read(|connection| {
        let is_full = is_hour_full(app, connection, sending.len(), now)?;
        let least = if is_full { Priority::Urgent } else { Priority::Visitor };
        let now = time::stored(now);
        match outbox::next_due(connection, &now, least, sending)? {
            Some(id) => Ok(Next::Mail(id)),
            None if is_full && outbox::count_less_urgent(connection, &now)? > 0 => Ok(Next::HeldBack),
            None => Ok(Next::Nothing),
        }
    })
}

/// How many mails the hour's ceiling holds back now.
pub fn count_held_back(app: &App, connection: &Connection, now: DateTime<Utc>) -> Result<i64> {
    if is_emptied(app) && is_hour_full(app, connection, 0, now)? {
        outbox::count_less_urgent(connection, &time::stored(now))
    } else {
        Ok(0)
    }
}

fn is_hour_full(app: &App, connection: &Connection, sending: usize, now: DateTime<Utc>) -> Result<bool> {
    let ceiling = i64::from(app.config.limits.mails_per_hour);
    let sending = i64::try_from(sending).unwrap_or(i64::MAX);
    let since = time::stored(now - TimeDelta::hours(1));
    Ok(ceiling > 0 && outbox::count_sent(connection, &since)?.saturating_add(sending) >= ceiling)
}

/// Makes mails due that a clock which ran ahead has put off for longer than any try is.
pub fn recall(app: &App, now: DateTime<Utc>) -> Result<()> {
    let longest = time::stored(now + TimeDelta::minutes(2 * WAITS[WAITS.len() - 1]));
    if !app.store.read(|connection| outbox::has_due_after(connection, &longest))? {
        return Ok(());
    }
    let now = time::stored(now);
    let recalled = app.store.write(move |connection| outbox::recall(connection, &longest, &now))?;
    tracing::warn!("the clock ran ahead and was put back: {recalled} mails that it had put off are due now");
    Ok(())
}

/// A mail that was handed to the mail server, and what came of it; kept by [`note`].
pub struct Attempt {
    mail: StoredMail,
    at: DateTime<Utc>,
    /// What was sent, as JSON.
    outcome: std::result::Result<String, Failure>,
}

impl Attempt {
    pub fn mail_id(&self) -> i64 {
        self.mail.id
    }

    /// The server took no connection, which says nothing of the mail.
    pub fn found_no_connection(&self) -> bool {
        self.outcome.as_ref().is_err_and(|failure| failure.is_of_connection)
    }
}

/// Hands a mail to the mail server if it still waits; nothing is written.
///
/// A crash before [`note`] sends the mail twice, under the same `Message-ID`, which is better than losing it.
///
/// # Errors
/// Only of the database: what the mail server says is in the attempt.
pub fn attempt(app: &App, mailer: &Mailer, id: i64) -> Result<Option<Attempt>> {
    let waiting = app.store.read(|connection| {
        let mail = outbox::get(connection, id)?.filter(|mail| mail.state == State::Waiting);
        mail.map(|mail| Ok((mail, outbox::attachments(connection, id)?))).transpose()
    })?;
    let Some((mail, attachments)) = waiting else { return Ok(None) };
    let outcome = body(&mail).as_written().map_err(unreadable).and_then(|body| {
        let message = message(&mail, body, attachments);
        mailer.send(&message).map(|()| message.body.words)
    });
    Ok(Some(Attempt { mail, at: Utc::now(), outcome }))
}

/// Keeps what came of an attempt.
///
/// # Errors
/// Only of the database; it can be noted again.
pub fn note(app: &App, attempt: &Attempt) -> Result<()> {
    let (id, at) = (attempt.mail.id, time::stored(attempt.at));
    match &attempt.outcome {
        Ok(written) => {
            let written = written.clone();
            app.store.write(move |connection| outbox::mark_sent(connection, id, &written, &at))?;
            tracing::info!(mail = id, "sent");
        }
        Err(failure) => {
            let due = next_try(&attempt.mail, failure, attempt.at).map(time::stored);
            // The server's words may name the person; they stay in the outbox.
            let next_try = due.as_deref().unwrap_or("none");
            tracing::warn!(mail = id, next_try, "not sent; `showcase outbox show {id}` has the reason");
            let words = failure.to_string();
            app.store.write(move |connection| outbox::mark_failed(connection, id, &words, due.as_deref()))?;
        }
    }
    Ok(())
}

/// Sends one mail that waits, where no server does.
///
/// # Errors
/// Only of the database: what the mail server says stands in the outbox.
pub fn deliver_one(app: &App, mailer: &Mailer, id: i64) -> Result<()> {
    attempt(app, mailer, id)?.map_or(Ok(()), |attempt| note(app, &attempt))
}

/// No later try makes a mail of words that do not fit their template.
fn unreadable(error: Error) -> Failure {
    let words = error.cause().unwrap_or_default().to_owned();
    Failure { is_final: true, is_of_connection: false, words }
}

/// A page of mails, the newest first, without their bodies; and how many there are in each state.
pub fn page(
    app: &App,
    state: Option<State>,
    most: u32,
    offset: u32,
) -> Result<(Vec<Value>, Map<String, Value>)> {
    app.store.read(|connection| {
        let mails = outbox::list(connection, state, most, offset)?;
        let mut counts = Map::new();
        for state in State::ALL {
            counts.insert(state.as_str().to_owned(), outbox::count(connection, state)?.into());
        }
        Ok((mails.iter().map(listed).collect(), counts))
    })
}

/// A mail as a list shows it.
pub fn listed(mail: &StoredMail) -> Value {
    json!({
        "id": mail.id, "createdAt": mail.created_at, "state": mail.state.as_str(), "dueAt": mail.due_at,
        "attempts": mail.attempts, "sentAt": mail.sent_at, "lastError": mail.last_error,
        "recipient": mail.recipient, "subject": mail.subject,
        "kind": mail.about.as_ref().map(|(kind, _)| kind), "registrationId": mail.about.as_ref().map(|(_, id)| id),
    })
}

/// A mail with its text and the names of its files.
///
/// # Errors
/// [`Error::NotFound`].
pub fn shown(app: &App, id: i64) -> Result<Value> {
    app.store.read(|connection| {
        let mail = outbox::get(connection, id)?.ok_or_else(|| missing(id))?;
        let files = outbox::attachments(connection, id)?.into_iter().map(|file| {
            json!({ "fileName": file.file_name, "contentType": file.content_type, "bytes": file.content.len() })
        });
        let mut shown = listed(&mail);
        shown["text"] = body(&mail).text()?.into();
        shown["isToPerson"] = is_to_person(connection, &mail)?.into();
        shown["messageId"] = mail.message_id.clone().into();
        // Its text is made anew, and its files are gone.
        shown["isTrimmed"] = is_trimmed(&mail).into();
        shown["attachments"] = files.collect();
        Ok(shown)
    })
}

fn is_trimmed(mail: &StoredMail) -> bool {
    mail.state == State::Sent && mail.written.is_none() && !body(mail).is_written()
}

/// Whether it went to the address that its registration has now.
fn is_to_person(connection: &Connection, mail: &StoredMail) -> Result<bool> {
    let about = mail.about.as_ref().and_then(|(kind, id)| Some((kind.parse::<Kind>().ok()?, *id)));
    let Some((kind, id)) = about else { return Ok(false) };
    let stored = registrations::get(connection, kind, id)?;
    Ok(stored.is_some_and(|stored| mail.recipient.eq_ignore_ascii_case(stored.record.text("email"))))
}

/// A mail's HTML part.
///
/// # Errors
/// [`Error::NotFound`].
pub fn html(app: &App, id: i64) -> Result<String> {
    let mail = app.store.read(|connection| outbox::get(connection, id))?;
    body(&mail.ok_or_else(|| missing(id))?).html()
}

/// Makes a mail that waits or failed due now, or all of them; returns how many.
///
/// # Errors
/// [`Error::Conflict`] when this one was sent or discarded; [`Error::NotFound`].
pub fn retry(app: &App, actor: &Actor, id: Option<i64>) -> Result<usize> {
    let actor = actor.to_owned();
    app.store.write(move |connection| {
        let now = time::stored(Utc::now());
        let count = outbox::retry(connection, id, &now)?;
        if let (Some(id), 0) = (id, count) {
            return Err(settled(connection, id)?);
        }
        let line = audit::Line { actor: &actor, action: "mail retried", subject: None };
        audit::insert_with(connection, &now, &line, &json!({ "mail": id, "count": count }))?;
        Ok(count)
    })
}

/// Gives up a mail that waits or failed.
///
/// # Errors
/// As [`retry`].
pub fn discard(app: &App, actor: &Actor, id: i64) -> Result<()> {
    let actor = actor.to_owned();
    app.store.write(move |connection| {
        if !outbox::discard(connection, id)? {
            return Err(settled(connection, id)?);
        }
        let line = audit::Line { actor: &actor, action: "mail discarded", subject: None };
        audit::insert_with(connection, &time::stored(Utc::now()), &line, &json!({ "mail": id }))
    })
}

/// Gives up all mails that wait or failed and fit a filter; returns how many.
pub fn discard_all(app: &App, actor: &Actor, filter: Filter) -> Result<usize> {
    let actor = actor.to_owned();
    app.store.write(move |connection| {
        let count = outbox::discard_all(connection, &filter)?;
        let line = audit::Line { actor: &actor, action: "mail discarded", subject: None };
        // The log names no person: the address is left out.
        let detail = json!({
            "count": count, "kind": filter.kind.map(Kind::as_str), "template": filter.template, "since": filter.since,
        });
        audit::insert_with(connection, &time::stored(Utc::now()), &line, &detail)?;
        Ok(count)
    })
}

/// Why nothing can be done to a mail any more.
fn settled(connection: &Connection, id: i64) -> Result<Error> {
    Ok(match outbox::get(connection, id)? {
        Some(mail) => Error::Conflict(format!("Mail {id} is {} already.", mail.state.as_str())),
        None => missing(id),
    })
}

fn missing(id: i64) -> Error {
    Error::NotFound(format!("There is no mail {id}; `showcase outbox list` shows them all."))
}

/// What a kept mail says: as it was sent, while that is kept; else as its template makes it today.
pub fn body(mail: &StoredMail) -> Body {
    match &mail.written {
        Some(written) => Body::from_written(written.clone()),
        None => Body { template: mail.template.clone(), words: mail.words.clone() },
    }
}

fn message(mail: &StoredMail, body: Body, attachments: Vec<outbox::StoredAttachment>) -> Message {
    Message {
        message_id: mail.message_id.clone(),
        to: mail.recipient.clone(),
        subject: mail.subject.clone(),
        body,
        attachments: attachments
            .into_iter()
            .map(|file| Attachment {
                file_name: file.file_name,
                content_type: file.content_type,
                content: file.content,
            })
            .collect(),
    }
}

/// When to try again; `None` when the server's refusal is final or three days have passed.
fn next_try(mail: &StoredMail, failure: &Failure, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    if failure.is_final {
        return None;
    }
    let tries = usize::try_from(mail.attempts).unwrap_or(usize::MAX);
    let next = now + TimeDelta::minutes(WAITS[tries.min(WAITS.len() - 1)]);
    let created = DateTime::parse_from_rfc3339(&mail.created_at).map_or(now, |at| at.with_timezone(&Utc));
    (next <= created + PATIENCE).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_are_spread_over_three_days_and_then_end() {
        let start: DateTime<Utc> = "2026-03-01T12:00:00Z".parse().expect("an instant");
        let mut mail = StoredMail {
            id: 1,
            created_at: time::stored(start),
            state: State::Waiting,
            due_at: time::stored(start),
            attempts: 0,
            sent_at: None,
            last_error: None,
            message_id: "<1@example.com>".into(),
            recipient: "a@example.com".into(),
            subject: String::new(),
            template: String::new(),
            words: String::new(),
            written: None,
            about: None,
        };
        let busy = Failure { is_final: false, is_of_connection: false, words: "451 try later".into() };
        let mut now = start;
        while let Some(next) = next_try(&mail, &busy, now) {
            assert!(next > now);
            (now, mail.attempts) = (next, mail.attempts + 1);
        }
        assert!((10..20).contains(&mail.attempts), "{}", mail.attempts);
        assert!(now <= start + PATIENCE && now > start + PATIENCE - TimeDelta::hours(13));
        let refused = Failure { is_final: true, is_of_connection: false, words: "550 no such person".into() };
        assert_eq!(next_try(&mail, &refused, start), None);
    }
}
