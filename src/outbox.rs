//! The outbox: mails leave one at a time, are tried again for three days, and are never lost from sight.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;

use crate::app::App;
use crate::error::Result;
use crate::mail::{Attachment, Failure, Mailer, Message};
use crate::model::Kind;
use crate::store::outbox::{self, StoredMail};
use crate::time;

/// Minutes until the next try, by the number of tries so far; the last one repeats.
const WAITS: [i64; 8] = [1, 2, 5, 15, 60, 180, 360, 720];
/// After this long a mail that the server keeps refusing for now is given up as failed.
const PATIENCE: TimeDelta = TimeDelta::days(3);

/// Queues a mail about a registration with its files, within the transaction that is its cause.
pub fn queue(
    connection: &Connection,
    cause: String,
    about: (Kind, i64),
    message: &Message,
    now: &str,
) -> Result<()> {
    let mail = outbox::NewMail {
        cause,
        message_id: &message.message_id,
        subject_of: Some(about),
        recipient: &message.to,
        subject: &message.subject,
        body_text: &message.text,
        body_html: &message.html,
    };
    let id = outbox::insert(connection, &mail, now)?;
    for file in &message.attachments {
        outbox::attach(connection, id, &file.file_name, &file.content_type, &file.content)?;
    }
    Ok(())
}

/// Sends the mail that has been due the longest; `false` when none is due.
///
/// A crash between the server's answer and our note of it sends the mail twice, under the same
/// `Message-ID`, which is better than losing it.
pub fn deliver_next(app: &App, mailer: &Mailer) -> Result<bool> {
    let now = time::stored(Utc::now());
    let Some(mail) = app.store.read(|connection| outbox::next_due(connection, &now))? else {
        return Ok(false);
    };
    let id = mail.id;
    let attachments = app.store.read(|connection| outbox::attachments(connection, id))?;
    let outcome = mailer.send(&message(&mail, attachments));
    let finished_at = Utc::now();
    match outcome {
        Ok(()) => {
            tracing::info!(mail = id, "sent");
            app.store
                .write(move |connection| outbox::mark_sent(connection, id, &time::stored(finished_at)))?;
        }
        Err(failure) => {
            let due = next_try(&mail, &failure, finished_at).map(time::stored);
            tracing::warn!(mail = id, next_try = due.as_deref().unwrap_or("none"), "not sent: {failure}");
            app.store.write(move |connection| {
                outbox::mark_failed(connection, id, &failure.to_string(), due.as_deref())
            })?;
        }
    }
    Ok(true)
}

fn message(mail: &StoredMail, attachments: Vec<outbox::StoredAttachment>) -> Message {
    Message {
        message_id: mail.message_id.clone(),
        to: mail.recipient.clone(),
        subject: mail.subject.clone(),
        text: mail.body_text.clone(),
        html: mail.body_html.clone(),
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
    use crate::store::outbox::State;

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
            body_text: String::new(),
            body_html: String::new(),
        };
        let busy = Failure { is_final: false, words: "451 try later".into() };
        let mut now = start;
        while let Some(next) = next_try(&mail, &busy, now) {
            assert!(next > now);
            (now, mail.attempts) = (next, mail.attempts + 1);
        }
        assert!((10..20).contains(&mail.attempts), "{}", mail.attempts);
        assert!(now <= start + PATIENCE && now > start + PATIENCE - TimeDelta::hours(13));
        let refused = Failure { is_final: true, words: "550 no such person".into() };
        assert_eq!(next_try(&mail, &refused, start), None);
    }
}
