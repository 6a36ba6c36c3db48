//! The outbox: queued emails are sent by priority and retried for three days. Those that fail stay visible.

mod ceilings;
mod listing;

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub use ceilings::{
    LOOK_BACK, NOTICES_PER_HOUR, Notices, may_confirm, queue_artist_link, queue_confirmation,
};
pub use listing::{
    ListedAttachment, ListedMail, MailDetails, details, discard, discard_all, html, page, retry,
};

use crate::app::App;
use crate::error::{Error, Result};
use crate::mail::{Attachment, Body, Cause, Failure, Mailer, Message, group};
use crate::model::Kind;
use crate::store::installation;
use crate::store::mailings::unreachable;
use crate::store::outbox::{self, NewMail, Priority, State, StoredMail};
use crate::store::portal::access::{self, Audience, NewLink};
use crate::time;

/// Minutes until the next attempt, by the number of attempts so far; the last value repeats.
const RETRY_MINUTES: [i64; 8] = [1, 2, 5, 15, 60, 180, 360, 720];
/// An email has failed for good after this many failed attempts, which take three days. The time of a [`Pause`] does
/// not count.
const MAX_ATTEMPTS: u32 = 13;
/// Minutes in which nothing is sent after the server refused our account; the last value repeats.
const PAUSE_MINUTES: [i64; 6] = [1, 2, 5, 15, 30, 60];

/// Queues an email about a registration with its attachments, within the transaction that causes it.
pub fn queue(
    connection: &Connection,
    priority: Priority,
    cause: String,
    about: (Kind, i64),
    message: &Message,
    now: &str,
) -> Result<()> {
    insert(connection, &new_mail(cause, priority, Some(about), message), message, now).map(drop)
}

/// The outbox row of a message, without its attachments.
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
        about,
        recipient: &message.to,
        subject: &message.subject,
        template: &message.body.template,
        template_values: &message.body.values,
    }
}

/// The template of an email that could not be composed. It is never sent.
const UNCOMPOSED: &str = "uncomposed";

/// Stores that an email could not be composed, as a failed one that names the reason, so that the organiser sees it and the others
/// of its batch go on. Returns its id.
///
/// # Errors
/// Those of the database; `error` itself if it is not about this email alone.
pub fn record_uncomposed(
    connection: &Connection,
    cause: String,
    about: Option<(Kind, i64)>,
    recipient: &str,
    error: Error,
    public_url: &str,
) -> Result<i64> {
    let Error::Internal(reason) = &error else { return Err(error) };
    tracing::error!("the email {cause} could not be composed: {}", error.for_log());
    let sentence = format!("This email could not be written, and was not sent: {reason}");
    let message = Message {
        to: recipient.to_owned(),
        subject: "An email that could not be written".into(),
        body: Body::new(UNCOMPOSED, &json!({ "sentence": sentence }))?,
        ..crate::mail::blank(public_url)
    };
    let now = time::stored(time::now());
    let id = outbox::insert(connection, &new_mail(cause, Priority::Visitor, about, &message), &now)?;
    outbox::mark_failed(connection, id, &sentence, None)?;
    Ok(id)
}

/// Inserts an email with its attachments and returns its id.
pub fn insert(connection: &Connection, mail: &NewMail<'_>, message: &Message, now: &str) -> Result<i64> {
    let id = outbox::insert(connection, mail, now)?;
    for file in &message.attachments {
        outbox::attach(connection, id, &file.file_name, &file.content_type, &file.content)?;
    }
    Ok(id)
}

/// Whether the server sends queued emails. It does not in the demo or without a mail server.
pub fn is_active(app: &App) -> bool {
    !app.demo && !app.config.smtp.host.is_empty()
}

/// What to send next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Mail(i64),
    /// Emails are due, but the ceiling of this hour is reached.
    HeldBack,
    /// The mail server refuses our account.
    Paused,
    Nothing,
}

/// The next email to send. `sending` are those that are being sent at the moment.
pub fn next(app: &App, sending: &[i64], now: DateTime<Utc>) -> Result<Next> {
    app.store.read(|connection| {
        if Pause::read(connection)?.is_some_and(|pause| now < pause.until) {
            return Ok(Next::Paused);
        }
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

/// A time in which nothing is sent, since the mail server refuses our account: its quota is used up, the password has changed.
#[derive(Debug, Serialize, Deserialize)]
pub struct Pause {
    pub until: DateTime<Utc>,
    /// The number of pauses before this one since the server last accepted an email.
    count: usize,
    /// The email whose `last_error` says why.
    pub mail: i64,
}

impl Pause {
    pub fn read(connection: &Connection) -> Result<Option<Pause>> {
        let stored = installation::get(connection, installation::MAIL_PAUSE)?;
        Ok(stored.and_then(|pause| serde_json::from_str(&pause).ok()))
    }

    /// The next pause, unless one has begun: several connections are refused at the same time.
    fn begin(connection: &Connection, mail: i64, now: DateTime<Utc>) -> Result<Pause> {
        let before = Pause::read(connection)?;
        if let Some(pause) = before.as_ref().filter(|pause| now < pause.until) {
            return Ok(Pause { mail: pause.mail, ..*pause });
        }
        let count = before.map_or(0, |pause| pause.count + 1);
        let minutes = PAUSE_MINUTES[count.min(PAUSE_MINUTES.len() - 1)];
        let pause = Pause { until: now + TimeDelta::minutes(minutes), count, mail };
        pause.store(connection, now)?;
        Ok(pause)
    }

    /// Lets emails be tried at once. If the server still refuses our account, the next pause is longer: only an email that it
    /// accepts ends them.
    fn lift(connection: &Connection, now: DateTime<Utc>) -> Result<()> {
        let Some(pause) = Pause::read(connection)? else { return Ok(()) };
        Pause { until: now, ..pause }.store(connection, now)
    }

    /// Lifts the pause if the email that caused it was discarded.
    fn lift_without_mail(connection: &Connection, now: DateTime<Utc>) -> Result<()> {
        let Some(pause) = Pause::read(connection)? else { return Ok(()) };
        let mail = outbox::get(connection, pause.mail)?;
        if mail.is_some_and(|mail| mail.state == State::Discarded) {
            Pause::lift(connection, now)?;
        }
        Ok(())
    }

    fn end(connection: &Connection) -> Result<()> {
        installation::delete(connection, installation::MAIL_PAUSE)
    }

    fn store(&self, connection: &Connection, now: DateTime<Utc>) -> Result<()> {
        let value = serde_json::to_string(self)
            .map_err(|error| Error::Internal(format!("a pause of the mail: {error}")))?;
        installation::set(connection, installation::MAIL_PAUSE, &value, &time::stored(now))
    }
}

/// Emails to groups leave one email in ten of an hour's ceiling to all other emails.
const LEFT_BY_GROUPS: i64 = 10;

/// Whether the ceiling of this hour has room for emails to groups. `sending` is how many are being sent at the moment.
pub fn has_room_for_group(app: &App, sending: usize, now: DateTime<Utc>) -> Result<bool> {
    let ceiling = i64::from(app.config.limits.mails_per_hour);
    let sent = app.store.read(|connection| sent_in_hour(connection, sending, now))?;
    Ok(ceiling == 0 || sent < ceiling - ceiling / LEFT_BY_GROUPS)
}

/// How many emails the ceiling of this hour holds back now.
pub fn count_held_back(app: &App, connection: &Connection, now: DateTime<Utc>) -> Result<i64> {
    if !is_active(app) || !is_hour_full(app, connection, 0, now)? {
        return Ok(0);
    }
    outbox::count_less_urgent(connection, &time::stored(now))
}

fn is_hour_full(app: &App, connection: &Connection, sending: usize, now: DateTime<Utc>) -> Result<bool> {
    let ceiling = i64::from(app.config.limits.mails_per_hour);
    Ok(ceiling > 0 && sent_in_hour(connection, sending, now)? >= ceiling)
}

/// The number of emails that were sent in the last hour or are being sent.
fn sent_in_hour(connection: &Connection, sending: usize, now: DateTime<Utc>) -> Result<i64> {
    let since = time::stored(now - TimeDelta::hours(1));
    let sending = i64::try_from(sending).unwrap_or(i64::MAX);
    Ok(outbox::count_sent(connection, &since)?.saturating_add(sending))
}

/// Makes emails due whose next attempt is further away than any retry interval, because the clock was ahead when it was
/// set.
pub fn reset_far_attempts(app: &App, now: DateTime<Utc>) -> Result<()> {
    let longest = time::stored(now + TimeDelta::minutes(2 * RETRY_MINUTES[RETRY_MINUTES.len() - 1]));
    if !app.store.read(|connection| outbox::has_due_after(connection, &longest))? {
        return Ok(());
    }
    let now = time::stored(now);
    let count = app.store.write(|connection| outbox::reset_far_attempts(connection, &longest, &now))?;
    tracing::warn!("the clock was ahead and has been set back: {count} emails that it delayed are due now");
    Ok(())
}

/// An attempt to send an email, with its outcome. [`record_attempt`] stores it.
pub struct Attempt {
    mail: StoredMail,
    at: DateTime<Utc>,
    /// The values of the written body that was sent (JSON), or why it was not.
    outcome: std::result::Result<String, Failure>,
}

impl Attempt {
    pub fn mail_id(&self) -> i64 {
        self.mail.id
    }

    /// The server accepted no connection, which is not the email's fault.
    pub fn found_no_connection(&self) -> bool {
        self.outcome.as_ref().is_err_and(|failure| failure.is_of_connection)
    }
}

/// Sends an email if it is still waiting. Call [`record_attempt`] with the result.
///
/// A crash before [`record_attempt`] sends the email twice, under the same `Message-ID`. That is better than losing it.
///
/// # Errors
/// Only those of the database. The mail server's reply is in the attempt.
pub fn attempt(app: &App, mailer: &Mailer, id: i64) -> Result<Option<Attempt>> {
    let waiting = app.store.read(|connection| {
        let mail = outbox::get(connection, id)?.filter(|mail| mail.state == State::Waiting);
        mail.map(|mail| Ok((mail, outbox::attachments(connection, id)?))).transpose()
    })?;
    let Some((mail, attachments)) = waiting else { return Ok(None) };
    if mail.template == UNCOMPOSED {
        let message = mail.last_error.clone().unwrap_or_default();
        let outcome = Err(Failure { cause: Cause::Mail, is_of_connection: false, message });
        return Ok(Some(Attempt { mail, at: time::now(), outcome }));
    }
    // A link that signs somebody in is made now: what is stored, backed up or exported never opens anything.
    let link = match Audience::of_template(&mail.template) {
        Some(audience) => {
            let at = time::stored(time::now());
            Some(app.store.write(|connection| access::new_link(connection, audience, &mail.recipient, &at))?)
        }
        None => None,
    };
    let outcome = written_bodies(&mail, link.as_ref()).map_err(unreadable).and_then(|(kept, sent)| {
        mailer.send(&message(&mail, sent, attachments))?;
        Ok(kept.values)
    });
    Ok(Some(Attempt { mail, at: time::now(), outcome }))
}

/// The body that is kept of an email, and the one that is sent, which has the link that signs its recipient in.
fn written_bodies(mail: &StoredMail, link: Option<&NewLink>) -> Result<(Body, Body)> {
    let kept = body(mail);
    let sent = match link {
        Some(link) => kept.with_link(&link.token, &link.code)?.as_written()?,
        None => kept.as_written()?,
    };
    Ok((kept.as_written()?, sent))
}

/// Stores the outcome of an attempt.
///
/// # Errors
/// Only those of the database; the call can be repeated.
pub fn record_attempt(app: &App, attempt: &Attempt) -> Result<()> {
    let (id, at) = (attempt.mail.id, time::stored(attempt.at));
    match &attempt.outcome {
        Ok(written) => {
            app.store.write(|connection| {
                unreachable::delete_refused(connection, &attempt.mail.recipient)?;
                Pause::end(connection)?;
                outbox::mark_sent(connection, id, written, &at)
            })?;
            tracing::info!(mail = id, "sent");
        }
        Err(failure) => {
            let due = next_try(&attempt.mail, failure.cause, attempt.at).map(time::stored);
            // The server's message may have the person's address, so it is not logged.
            tracing::warn!(
                mail = id,
                "not sent; `showcase outbox show {id}` shows the reason and the next attempt"
            );
            let reason = failure.to_string();
            app.store.write(|connection| match failure.cause {
                // The server has accepted other emails since it refused this one, so it is not our account: everything else is
                // sent, and this email is retried as after a temporary failure.
                Cause::Account if attempt.mail.attempts > 0 && Pause::read(connection)?.is_none() => {
                    let due = next_try(&attempt.mail, Cause::Temporary, attempt.at).map(time::stored);
                    outbox::mark_failed(connection, id, &reason, due.as_deref())
                }
                Cause::Account => {
                    let pause = Pause::begin(connection, id, attempt.at)?;
                    // After the others that wait: if the server refuses only this email, it must not cause one pause after another.
                    let due = pause.until + TimeDelta::minutes(1);
                    outbox::mark_refused(connection, id, &reason, &time::stored(due))
                }
                Cause::Mailbox => {
                    unreachable::insert_refused(connection, &attempt.mail.recipient, &reason, &at)?;
                    outbox::mark_failed(connection, id, &reason, None)
                }
                Cause::Mail | Cause::Temporary => {
                    outbox::mark_failed(connection, id, &reason, due.as_deref())
                }
            })?;
        }
    }
    Ok(())
}

/// Sends one waiting email from a command, when no server runs.
///
/// # Errors
/// Only those of the database. The mail server's reply is stored in the outbox.
pub fn deliver_one(app: &App, mailer: &Mailer, id: i64) -> Result<()> {
    if let Some(attempt) = attempt(app, mailer, id)? {
        record_attempt(app, &attempt)?;
    }
    Ok(())
}

/// A body that cannot be rendered is a final failure: a retry would fail too.
fn unreadable(error: Error) -> Failure {
    let message = error.cause().unwrap_or_default().to_owned();
    Failure { cause: Cause::Mail, is_of_connection: false, message }
}

/// The body of a stored email without the link that signs its recipient in: as it was sent, if that is kept, otherwise from
/// its template and values.
pub fn body(mail: &StoredMail) -> Body {
    match &mail.written {
        Some(written) => Body::from_written(written.clone()),
        None => Body { template: mail.template.clone(), values: mail.template_values.clone() },
    }
}

fn message(mail: &StoredMail, body: Body, attachments: Vec<outbox::StoredAttachment>) -> Message {
    let attachments = attachments.into_iter().map(|file| Attachment {
        file_name: file.file_name,
        content_type: file.content_type,
        content: file.content,
    });
    Message {
        message_id: mail.message_id.clone(),
        to: mail.recipient.clone(),
        subject: mail.subject.clone(),
        body,
        attachments: attachments.collect(),
        unsubscribe: group::unsubscribe_link(&mail.template, &mail.template_values),
    }
}

/// When to retry; `None` if the failure is final or there were [`MAX_ATTEMPTS`].
fn next_try(mail: &StoredMail, cause: Cause, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    if cause != Cause::Temporary || mail.attempts >= MAX_ATTEMPTS {
        return None;
    }
    let attempts = usize::try_from(mail.attempts).unwrap_or(usize::MAX);
    Some(now + TimeDelta::minutes(RETRY_MINUTES[attempts.min(RETRY_MINUTES.len() - 1)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_spread_over_three_days_and_then_end() {
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
            template_values: String::new(),
            kind: None,
            registration_id: None,
            written: None,
        };
        let mut now = start;
        while let Some(next) = next_try(&mail, Cause::Temporary, now) {
            assert!(next > now);
            (now, mail.attempts) = (next, mail.attempts + 1);
        }
        assert!((10..20).contains(&mail.attempts), "{}", mail.attempts);
        let three_days = start + TimeDelta::days(3);
        assert!(now <= three_days + TimeDelta::hours(13) && now > three_days - TimeDelta::hours(13), "{now}");
        assert_eq!(next_try(&mail, Cause::Mailbox, start), None);
    }
}
