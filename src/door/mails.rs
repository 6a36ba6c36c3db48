//! Sends tickets: to one person or a group when the organiser says so, and automatically before the event.

use std::collections::HashSet;

use chrono::{DateTime, Days, NaiveTime, Utc};
use rusqlite::Connection;
use serde_json::json;

use super::tickets::{TRANSFERRED, Ticket, find};
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail::{self, outbox};
use crate::model::{Actor, Kind, Role};
use crate::site::content::Content;
use crate::store::audit;
use crate::store::door as store;
use crate::store::outbox::{self as stored_emails, Priority};
use crate::time;

/// The local hour at which tickets are sent before the event.
const MORNING: NaiveTime = NaiveTime::from_hms_opt(9, 0, 0).expect("a time");

/// Sends a ticket, even if it was sent before.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Conflict`]: it is void, or has no address.
pub fn send(app: &App, actor: &Actor, id: i64) -> Result<()> {
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| {
        let ticket = find(connection, id)?;
        if !ticket.is_valid() {
            return Err(Error::Conflict("This ticket is void, so it is not sent.".into()));
        }
        let now = time::now();
        let cause = format!("ticket/{id}/{}", time::stored(now));
        if !queue(connection, &content, &public_url, &ticket, cause, now)? {
            return Err(Error::Conflict("This ticket has no email address.".into()));
        }
        audit::record(connection, actor, "tickets sent", &json!({ "ticket": id }))
    })
}

/// Sends their ticket to everybody with a valid one and an address who has not had it. Returns how many.
pub fn send_all(app: &App, actor: &Actor, role: Option<Role>) -> Result<usize> {
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| {
        let (mut count, now) = (0, time::now());
        for ticket in store::all(connection)? {
            let should_send =
                ticket.mailed_at.is_none() && role.is_none_or(|role| ticket.attendee.role == role);
            if should_send && ticket.is_valid() {
                let cause = format!("ticket/{}/{}", ticket.id, time::stored(now));
                count += usize::from(queue_or_record_failure(
                    connection,
                    &content,
                    &public_url,
                    &ticket,
                    cause,
                    now,
                )?);
            }
        }
        audit::record(connection, actor, "tickets sent", &json!({ "count": count }))?;
        Ok(count)
    })
}

/// Sends tickets on the days that the content names. Of several that were missed only the last one is sent.
pub fn remind(app: &App, now: DateTime<Utc>) -> Result<()> {
    let content = app.content();
    let Some(days) = due(&content, now) else { return Ok(()) };
    if app.store.read(|connection| unreminded(connection, days))?.is_empty() {
        return Ok(());
    }
    let public_url = app.public_url();
    app.store.write(|connection| {
        for ticket in unreminded(connection, days)? {
            let cause = reminder_cause(&ticket, days);
            queue_or_record_failure(connection, &content, &public_url, &ticket, cause, now)?;
        }
        Ok(())
    })
}

/// The valid tickets with an address that were not sent so many days before the event.
fn unreminded(connection: &Connection, days: u32) -> Result<Vec<Ticket>> {
    let mut tickets = Vec::new();
    for ticket in store::all(connection)? {
        let can_be_sent = ticket.is_valid() && ticket.attendee.email.is_some();
        if can_be_sent && stored_emails::find_cause(connection, &reminder_cause(&ticket, days))?.is_none() {
            tickets.push(ticket);
        }
    }
    Ok(tickets)
}

fn reminder_cause(ticket: &Ticket, days: u32) -> String {
    format!("ticket/{}/before-{days}", ticket.id)
}

/// Emails everybody whose ticket has become void after it was sent, unless they have another valid one. A transferred ticket has its
/// own email ([`mail::ticket_transferred`]).
pub fn tell_void(app: &App) -> Result<()> {
    if app.store.read(unsent_void_notices)?.is_empty() {
        return Ok(());
    }
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| {
        for VoidNotice { cause, reason, name, email } in unsent_void_notices(connection)? {
            let at = time::stored(time::now());
            let message = mail::ticket_void(&content, &public_url, (&name, &email), &reason);
            let queued = message.and_then(|message| {
                let mail = outbox::new_mail(cause.clone(), Priority::Organiser, None, &message);
                stored_emails::insert(connection, &mail, &at)
            });
            queued.or_else(|error| {
                outbox::record_uncomposed(connection, cause, None, &email, error, &public_url)
            })?;
        }
        Ok(())
    })
}

/// What the email about a void ticket says, and to whom.
struct VoidNotice {
    cause: String,
    reason: String,
    name: String,
    email: String,
}

fn unsent_void_notices(connection: &Connection) -> Result<Vec<VoidNotice>> {
    let all = store::all(connection)?;
    let with_another: HashSet<String> = all
        .iter()
        .filter(|ticket| ticket.is_valid())
        .filter_map(|ticket| ticket.attendee.email.as_ref().map(|email| email.to_ascii_lowercase()))
        .collect();
    let mut notices = Vec::new();
    for ticket in all {
        let (Some(mailed_at), Some(reason), Some(email)) =
            (ticket.mailed_at, ticket.void_reason, ticket.attendee.email)
        else {
            continue;
        };
        let cause = format!("ticket-void/{}/{mailed_at}", ticket.id);
        if reason != TRANSFERRED
            && !with_another.contains(&email.to_ascii_lowercase())
            && stored_emails::find_cause(connection, &cause)?.is_none()
        {
            notices.push(VoidNotice { cause, reason, name: ticket.attendee.name, email });
        }
    }
    Ok(notices)
}

/// How many days before the event the last sending was due; `None` before the first one, and once the doors are open.
fn due(content: &Content, now: DateTime<Utc>) -> Option<u32> {
    let event = &content.event;
    let opens = event.time_zone.instant(event.begins());
    let is_due = |days: &u32| {
        let day = event.first_day.checked_sub_days(Days::new(u64::from(*days)));
        day.is_some_and(|day| event.time_zone.instant(day.and_time(MORNING)) <= now)
    };
    content.door.tickets_before_days.iter().copied().filter(is_due).min().filter(|_| now < opens)
}

/// Like [`queue`], for one of many: an email that cannot be composed is recorded, and the others go on.
fn queue_or_record_failure(
    connection: &Connection,
    content: &Content,
    public_url: &str,
    ticket: &Ticket,
    cause: String,
    now: DateTime<Utc>,
) -> Result<bool> {
    let queued = queue(connection, content, public_url, ticket, cause.clone(), now);
    queued.or_else(|error| {
        let recipient = ticket.attendee.email.as_deref().unwrap_or_default();
        outbox::record_uncomposed(connection, cause, registration_of(ticket), recipient, error, public_url)?;
        Ok(false)
    })
}

/// The registration of a ticket, whose corrected address its email follows; `None` if the ticket was transferred: its new holder
/// keeps their own.
fn registration_of(ticket: &Ticket) -> Option<(Kind, i64)> {
    let own = ticket.source.as_ref().filter(|source| source.holder.is_empty())?;
    Some((own.kind.parse().ok()?, own.id))
}

/// Queues the email with a ticket. Returns `false` if the ticket has no address.
fn queue(
    connection: &Connection,
    content: &Content,
    public_url: &str,
    ticket: &Ticket,
    cause: String,
    now: DateTime<Utc>,
) -> Result<bool> {
    let Some(email) = &ticket.attendee.email else { return Ok(false) };
    let at = time::stored(now);
    let bring = content.door.bring.get(&ticket.attendee.role).map(String::as_str);
    let url = |code: &str| format!("{public_url}/t/{code}");
    // The people whom a sponsor brings have no address of their own.
    let others: Vec<String> = match &ticket.source {
        Some(source) => store::other_places(connection, source)?.iter().map(|code| url(code)).collect(),
        None => Vec::new(),
    };
    let person = (ticket.attendee.name.as_str(), email.as_str());
    let message = mail::event_ticket(content, public_url, person, &url(&ticket.code), &others, bring)?;
    let mail = outbox::new_mail(cause, Priority::Organiser, registration_of(ticket), &message);
    stored_emails::insert(connection, &mail, &at)?;
    store::set_mailed(connection, ticket.id, &at)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tickets_are_sent_on_the_mornings_that_the_content_names() {
        let content = Content::parse(Content::default_toml()).expect("the default content");
        for (at, expected) in [
            ("2026-03-21T12:59:00Z", None),
            ("2026-03-21T13:00:00Z", Some(7)),
            ("2026-03-27T12:59:00Z", Some(7)),
            ("2026-03-27T13:00:00Z", Some(1)),
            ("2026-03-28T13:29:00Z", Some(1)),
            ("2026-03-28T13:30:00Z", None),
        ] {
            assert_eq!(due(&content, at.parse().expect("an instant")), expected, "{at}");
        }
    }
}
