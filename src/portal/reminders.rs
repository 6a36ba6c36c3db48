//! Reminds competitors of their deadline if something is missing, and names it.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;

use super::own::{self, OwnNomination};
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail;
use crate::mail::outbox;
use crate::model::{Kind, NominationState};
use crate::site::content::Content;
use crate::store::outbox::{self as stored_emails, Priority};
use crate::store::portal::nominations::{self, Nomination};
use crate::store::registrations;
use crate::time;

/// How long before the deadline a reminder is sent.
const BEFORE: [TimeDelta; 5] =
    [TimeDelta::days(14), TimeDelta::days(7), TimeDelta::days(3), TimeDelta::days(1), TimeDelta::hours(6)];

/// Queues the reminders that are due. Each is sent once, however often this runs; of several that were missed, only the
/// last one is.
///
/// # Errors
/// Only those of the database, after all others were tried.
pub fn remind(app: &App, now: DateTime<Utc>) -> Result<()> {
    let content = app.content();
    if !content.portal.open {
        return Ok(());
    }
    let due = app.store.read(|connection| {
        let all = nominations::all(connection)?.into_iter();
        let due = all.filter_map(|nomination| Some((reminder_of(&content, &nomination, now)?, nomination)));
        let mut unsent = Vec::new();
        for (reminder, nomination) in due {
            if stored_emails::find_cause(connection, &cause(&nomination, &reminder))?.is_none() {
                unsent.push((reminder, nomination));
            }
        }
        Ok(unsent)
    })?;
    let public_url = app.public_url();
    let mut failed = Ok(());
    for (reminder, nomination) in due {
        let queued = app.store.write(|connection| {
            let queued = queue(connection, &content, &public_url, &nomination, &reminder, now);
            queued.or_else(|error| record_failure(connection, &public_url, &nomination, &reminder, error))
        });
        failed = failed.and(queued);
    }
    failed
}

/// A reminder that is due.
#[derive(Debug, PartialEq, Eq)]
struct Reminder {
    deadline: DateTime<Utc>,
    before: TimeDelta,
}

/// The latest reminder that is due, if the nomination waits for its competitor and existed when the reminder became due.
fn reminder_of(content: &Content, nomination: &Nomination, now: DateTime<Utc>) -> Option<Reminder> {
    if !matches!(nomination.state, NominationState::Open | NominationState::Returned) {
        return None;
    }
    let deadline = own::deadline(content, nomination).filter(|deadline| now < *deadline)?;
    let before = BEFORE.into_iter().rev().find(|before| deadline - *before <= now)?;
    let was_there = nomination.created_at <= time::stored(deadline - before);
    was_there.then_some(Reminder { deadline, before })
}

/// Names the reminder, so that it is queued once.
fn cause(nomination: &Nomination, reminder: &Reminder) -> String {
    let (deadline, hours) = (time::stored(reminder.deadline), reminder.before.num_hours());
    format!("portal-reminder/{}/{deadline}/{hours}", nomination.id)
}

fn queue(
    connection: &Connection,
    content: &Content,
    public_url: &str,
    nomination: &Nomination,
    reminder: &Reminder,
    now: DateTime<Utc>,
) -> Result<()> {
    let cause = cause(nomination, reminder);
    let kind = Kind::CompetitionEntries;
    let current = nominations::get(connection, nomination.id)?;
    let current = current.filter(|current| reminder_of(content, current, now).as_ref() == Some(reminder));
    let (Some(current), None) = (current, stored_emails::find_cause(connection, &cause)?) else {
        return Ok(());
    };
    let own = own::view(connection, content, current, now)?;
    let Some(stored) = registrations::get(connection, kind, own.nomination.entry_id.0)? else {
        return Ok(());
    };
    let missing = missing(&own);
    let due = mail::PortalReminder { nomination: &own.label, deadline: reminder.deadline, missing: &missing };
    let message = mail::portal_reminder(content, public_url, &stored.record, &due)?;
    let at = time::stored(time::now());
    outbox::queue(connection, Priority::Organiser, cause, (kind, stored.id), &message, &at)
}

/// Records an email that could not be composed, so that the organiser sees it.
fn record_failure(
    connection: &Connection,
    public_url: &str,
    nomination: &Nomination,
    reminder: &Reminder,
    error: Error,
) -> Result<()> {
    let (kind, id) = nomination.entry_id.registration();
    let entrant = nominations::entrant(connection, nomination.entry_id)?;
    let recipient = entrant.map(|entrant| entrant.email).unwrap_or_default();
    let cause = cause(nomination, reminder);
    outbox::record_uncomposed(connection, cause, Some((kind, id)), &recipient, error, public_url).map(drop)
}

/// The labels of what is missing.
fn missing(own: &OwnNomination) -> Vec<String> {
    let label = |key: &str| match own.returnable(key) {
        Some(slot) => slot.slot.label.clone(),
        None => "the release, signed by your model".to_owned(),
    };
    let missing: Vec<String> = own.missing().into_iter().map(label).collect();
    if missing.is_empty() { vec!["handing it in: all photos are there".to_owned()] } else { missing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_reminder_whose_time_has_come_is_due() {
        let content = Content::parse(Content::default_toml()).expect("the default content");
        let deadline: DateTime<Utc> = "2026-03-02T04:59:00Z".parse().expect("an instant");
        let nomination = |state, created_before: TimeDelta| Nomination {
            created_at: time::stored(deadline - created_before),
            state,
            ..Nomination::sample()
        };
        use NominationState::{HandedIn, Open, Returned};
        let (long_ago, minute) = (TimeDelta::days(100), TimeDelta::minutes(1));
        for (state, created, left, expected) in [
            (Open, long_ago, TimeDelta::days(14) + minute, None),
            (Open, long_ago, TimeDelta::days(14), Some(14 * 24)),
            (Open, long_ago, TimeDelta::days(8), Some(14 * 24)),
            (Returned, long_ago, TimeDelta::days(2), Some(3 * 24)),
            (HandedIn, long_ago, TimeDelta::days(2), None),
            (Open, TimeDelta::hours(70), TimeDelta::days(2), None),
            (Open, long_ago, TimeDelta::hours(7), Some(24)),
            (Open, long_ago, minute, Some(6)),
            (Open, long_ago, -minute, None),
        ] {
            let due = reminder_of(&content, &nomination(state, created), deadline - left);
            assert_eq!(due.map(|due| due.before.num_hours()), expected, "{state} {left}");
        }
    }
}
