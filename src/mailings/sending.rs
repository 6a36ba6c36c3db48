//! Freezes a group and hands its emails to the outbox.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde_json::json;

use super::unsubscribe::{Key, unsubscribe_link};
use super::{compose, find, group, group_of, not_sending, outbox, require_draft, with_progress};
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::EmailAddress;
use crate::mail::group::with_unsubscribe_link;
use crate::mail::message_id;
use crate::mail::outbox as mail_outbox;
use crate::model::{Actor, Expected, Status};
use crate::site::content::Content;
use crate::store::audit;
use crate::store::mailings::recipients::{self, SkipReason};
use crate::store::mailings::{self as store, Member, State, StoredMailing};
use crate::store::outbox::{Priority, State as MailState, StoredMail};
use crate::time;

/// How many emails are handed over in one transaction.
const BATCH: usize = 16;

/// Starts a draft, whose group is frozen, or resumes a paused mailing. Returns how many people get an email.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Conflict`]: it is already being sent, it has ended, or there is no mail server;
/// [`Error::Changed`]; [`Error::Invalid`] on `group`: nobody is in it.
pub fn send(app: &App, actor: &Actor, id: i64, expected: Expected) -> Result<usize> {
    // It would be sent without a warning on the day when a mail server is set up.
    if !app.demo && !mail_outbox::is_active(app) {
        return Err(Error::Conflict(
            "Nothing was sent: this server has no mail server yet. Ask its host to set one up (`[smtp]` in the \
             configuration), then send the email."
                .into(),
        ));
    }
    let count = app.store.write(|connection| {
        let now = time::stored(time::now());
        let stored = find(connection, id)?;
        let count = match stored.state {
            State::Draft => freeze(connection, &require_draft(connection, id, &expected)?, &now)?,
            State::Paused => 0,
            State::Sending => {
                return Err(Error::Conflict(format!("Mailing {id} is being sent already.")));
            }
            State::Stopped | State::Sent => return Err(not_sending(id, stored.state)),
        };
        store::set_sending(connection, id, &now)?;
        let action = if stored.state == State::Draft { "mailing sent" } else { "mailing resumed" };
        audit::record(connection, actor, action, &json!({ "mailing": id, "count": count }))?;
        Ok(count)
    })?;
    if app.demo {
        // The demo sends nothing: its emails are in the outbox to be read.
        while queue_due(app, BATCH, time::now())? > 0 {}
    }
    Ok(count)
}

/// Stores who is in the group now.
fn freeze(connection: &Connection, stored: &StoredMailing, now: &str) -> Result<usize> {
    Key::stored_or_new(connection, now)?;
    let mut count = 0;
    group::each(connection, &group_of(stored)?, stored.notice, |member, skipped| {
        count += usize::from(skipped.is_none());
        recipients::insert(connection, stored.id, &member, skipped)
    })?;
    if count == 0 {
        return Err(group::wrong("Nobody in this group can get an email. Choose another group"));
    }
    Ok(count)
}

/// Ends a mailing: those who wait get no email, and emails that are still in the outbox are discarded.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Conflict`]: it is not being sent.
pub fn stop(app: &App, actor: &Actor, id: i64) -> Result<()> {
    app.store.write(|connection| {
        let stored = find(connection, id)?;
        match stored.state {
            State::Stopped => return Ok(()),
            State::Sending | State::Paused => {}
            // All emails were queued, but some may still be waiting in the outbox.
            State::Sent if with_progress(connection, stored.clone())?.progress.queued > 0 => {}
            State::Sent | State::Draft => return Err(not_sending(id, stored.state)),
        }
        let now = time::stored(time::now());
        recipients::stop_waiting(connection, id)?;
        store::end(connection, id, State::Stopped, &now)?;
        audit::record(connection, actor, "mailing stopped", &json!({ "mailing": id }))
    })
}

/// Queues the email as the first person of the group would get it, to an organiser's address.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] on `email`, or on `group` if nobody is in it.
pub fn send_test(app: &App, actor: &Actor, id: i64, email: &str) -> Result<()> {
    let email = EmailAddress::parse(email)
        .ok_or_else(|| Error::field("email", "Please enter a valid email address"))?
        .to_string();
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| {
        let now = time::stored(time::now());
        let stored = find(connection, id)?;
        let mut first = None;
        group::each(connection, &group_of(&stored)?, stored.notice, |member, skipped| {
            if skipped.is_none() && first.is_none() {
                first = Some(member);
            }
            Ok(())
        })?;
        let first =
            first.ok_or_else(|| group::wrong("Nobody is in this group, so there is nothing to show"))?;
        let key = Key::stored_or_new(connection, &now)?;
        let link = unsubscribe_link(&key, &public_url, &email);
        let message = compose(connection, &content, &public_url, &stored, &first, &link)?;
        let mut message = message.ok_or_else(|| group::wrong("The first person of this group is gone"))?;
        message.subject = format!("Test: {}", message.subject);
        message.to.clone_from(&email);
        let cause = format!("mailing-test/{id}/{}", message.message_id);
        outbox::insert(connection, &mail_outbox::new_mail(cause, Priority::Organiser, None, &message), &now)?;
        audit::record(connection, actor, "mailing tested", &json!({ "mailing": id }))
    })
}

/// Queues the next emails of the mailing that is being sent, `most` at most. Returns the number of recipients that were
/// queued or skipped; 0 if nothing is being sent.
pub fn queue_due(app: &App, most: usize, now: DateTime<Utc>) -> Result<usize> {
    let Some(id) = app.store.read(store::sending)? else { return Ok(0) };
    let (content, public_url, now) = (app.content(), app.public_url(), time::stored(now));
    app.store.write(|connection| {
        // An organiser may have paused it meanwhile.
        let Some(stored) = store::get(connection, id)?.filter(|stored| stored.state == State::Sending) else {
            return Ok(0);
        };
        let next = recipients::waiting(connection, id, most.min(BATCH))?;
        let key = Key::stored_or_new(connection, &now)?;
        for (recipient_id, member) in &next {
            let recipient = (*recipient_id, member);
            let queued = queue(connection, &content, &public_url, &key, &stored, recipient, &now);
            if let Err(error) = queued {
                let (cause, about) = (cause(id, *recipient_id), (member.kind, member.registration_id));
                let failed = mail_outbox::record_uncomposed(
                    connection,
                    cause,
                    Some(about),
                    &member.address,
                    error,
                    &public_url,
                )?;
                recipients::mark_queued(connection, *recipient_id, failed)?;
            }
        }
        if recipients::waiting(connection, id, 1)?.is_empty() {
            store::end(connection, id, State::Sent, &now)?;
            audit::record(connection, &Actor::Program, "mailing ended", &json!({ "mailing": id }))?;
        }
        Ok(next.len())
    })
}

fn cause(mailing: i64, recipient: i64) -> String {
    format!("mailing/{mailing}/{recipient}")
}

/// Queues the email to one recipient, or skips them with the reason.
fn queue(
    connection: &Connection,
    content: &Content,
    public_url: &str,
    key: &Key,
    stored: &StoredMailing,
    (recipient_id, member): (i64, &Member),
    now: &str,
) -> Result<()> {
    let skip = |reason| recipients::mark_skipped(connection, recipient_id, reason);
    let Some(registration) = group::registration_of(connection, member)? else {
        return skip(SkipReason::Erased);
    };
    let address = registration.record.text("email");
    if !address.contains('@') {
        return skip(SkipReason::Erased);
    }
    if registration.status == Status::SetAside {
        return skip(SkipReason::SetAside);
    }
    if address != member.address && !recipients::readdress(connection, recipient_id, address)? {
        return skip(SkipReason::SameAddress);
    }
    if let Some(reason) = group::why_skipped(connection, Some(key), stored.notice, address)? {
        return skip(reason);
    }
    let link = unsubscribe_link(key, public_url, address);
    let Some(message) = compose(connection, content, public_url, stored, member, &link)? else {
        return skip(SkipReason::Erased);
    };
    let about = (member.kind, member.registration_id);
    let cause = cause(stored.id, recipient_id);
    let mail = mail_outbox::new_mail(cause, Priority::Visitor, Some(about), &message);
    let outbox_id = outbox::insert(connection, &mail, now)?;
    recipients::mark_queued(connection, recipient_id, outbox_id)
}

/// Queues a copy of an email to a group, with these values (JSON), to the corrected address of its recipient, and returns the
/// copy's id. `None` if this address gets no copy: it is in the mailing already, has unsubscribed or was refused.
pub fn send_again(
    connection: &Connection,
    public_url: &str,
    mail: &StoredMail,
    values: &str,
    address: &EmailAddress,
    now: &str,
) -> Result<Option<i64>> {
    let key = Key::stored_or_new(connection, now)?;
    let (recipient_id, notice) = match recipients::of_mail(connection, mail.id)? {
        Some((id, notice)) => (Some(id), notice),
        None => (None, None),
    };
    let skipped = match recipient_id {
        Some(id) if !recipients::readdress(connection, id, address.as_str())? => {
            Some(SkipReason::SameAddress)
        }
        _ => group::why_skipped(connection, Some(&key), notice, address.as_str())?,
    };
    if let Some(reason) = skipped {
        // An email that was sent stays counted as sent.
        if let Some(id) = recipient_id.filter(|_| mail.state != MailState::Sent) {
            recipients::mark_skipped(connection, id, reason)?;
        }
        return Ok(None);
    }
    let values = with_unsubscribe_link(values, &unsubscribe_link(&key, public_url, address.as_str()))?;
    let copy = outbox::send_again(connection, mail.id, &message_id(public_url), address, &values, now)?;
    if let Some(id) = recipient_id {
        recipients::mark_queued(connection, id, copy)?;
    }
    Ok(Some(copy))
}

/// How fast emails are handed to the outbox: `limits.group_mails_per_minute`.
pub struct Pace {
    /// Between two emails; zero for no limit.
    interval: Duration,
    next_at: Instant,
}

/// A delay shorter than this is caught up.
const CATCH_UP: Duration = Duration::from_secs(1);

impl Pace {
    /// 0 means no limit.
    pub fn new(per_minute: u32) -> Pace {
        let interval = Duration::from_secs(60).checked_div(per_minute).unwrap_or_default();
        Pace { interval, next_at: Instant::now() }
    }

    /// How many emails may be handed over now.
    pub fn due(&self, now: Instant) -> usize {
        let Some(late) = now.checked_duration_since(self.next_at) else { return 0 };
        let more = late.min(CATCH_UP).as_nanos().checked_div(self.interval.as_nanos());
        more.map_or(BATCH, |more| usize::try_from(more + 1).unwrap_or(BATCH).min(BATCH))
    }

    /// Records that so many were handed over.
    pub fn advance(&mut self, count: usize, now: Instant) {
        let from = self.next_at.max(now.checked_sub(CATCH_UP).unwrap_or(now));
        self.next_at = from + self.interval * u32::try_from(count).unwrap_or(u32::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many emails are handed over from `from` to `until` seconds, checking every 200 ms.
    fn handed_over(pace: &mut Pace, start: Instant, from: u64, until: u64) -> usize {
        let mut count = 0;
        for step in from * 5..until * 5 {
            let now = start + Duration::from_millis(200 * step);
            let due = pace.due(now);
            if due > 0 {
                pace.advance(due, now);
                count += due;
            }
        }
        count
    }

    #[test]
    fn emails_are_handed_over_at_the_set_rate() {
        for (per_minute, seconds, expected) in
            [(10, 600, 100), (60, 60, 60), (600, 60, 600), (3000, 60, 3000)]
        {
            let mut pace = Pace::new(per_minute);
            let start = pace.next_at;
            let count = handed_over(&mut pace, start, 0, seconds);
            assert!(
                count.abs_diff(expected) * 20 <= expected,
                "{per_minute} a minute: {count} of {expected}"
            );
        }
        assert_eq!(Pace::new(0).due(Instant::now()), BATCH);
    }

    #[test]
    fn an_idle_time_is_not_caught_up() {
        let mut pace = Pace::new(60);
        let start = pace.next_at;
        assert!(handed_over(&mut pace, start, 3600, 3610) <= 12);
    }
}
