//! Invites people from the waitlist to enter, in their order, each with a personal link that holds until an instant. The
//! state of an invitation is computed from the entries (`store::invitations`), so nothing has to be kept in step.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;
use serde_json::json;

use crate::app::App;
use crate::error::{Error, Result};
use crate::mail;
use crate::mail::outbox;
use crate::model::{Actor, Kind, Status, token};
use crate::site::content::Content;
use crate::store::invitations as store;
use crate::store::outbox::Priority;
use crate::store::registrations::Stored;
use crate::store::{audit, registrations};
use crate::time;

const KIND: Kind = Kind::WaitlistSignups;
const ENTRIES: &str = Kind::CompetitionEntries.as_str();
/// The most people who are invited at once.
const MAX_INVITED: i64 = 500;
/// The longest time that an invitation holds.
const MAX_VALIDITY: TimeDelta = TimeDelta::days(90);

/// Invites the next people on the waitlist; returns their signups, the oldest first. Somebody whose email cannot be
/// composed is not invited.
///
/// # Errors
/// [`Error::Invalid`] on `count` or `holdsUntil`. [`Error::Conflict`]: nobody is left to be invited, or entries are closed.
pub fn invite(app: &App, actor: &Actor, count: i64, holds_until: DateTime<Utc>) -> Result<Vec<i64>> {
    let Some(most) = u32::try_from(count).ok().filter(|_| (1..=MAX_INVITED).contains(&count)) else {
        return Err(Error::field("count", &format!("Please enter a number from 1 to {MAX_INVITED}")));
    };
    let sender = Sender::new(app, actor, holds_until)?;
    app.store.write(|connection| {
        let signups = store::next(connection, most)?;
        if signups.is_empty() {
            return Err(Error::Conflict(
                "Everybody on the waitlist who wants to compete is invited already or has entered.".into(),
            ));
        }
        let mut invited = Vec::new();
        for id in signups {
            let signup = registrations::get(connection, KIND, id)?
                .ok_or_else(|| Error::Internal(format!("signup {id} is gone")))?;
            if let Err(error) = sender.send(connection, &signup) {
                let recipient = signup.record.email();
                let (cause, url) = (sender.cause(id), &sender.public_url);
                let about = Some((KIND, id));
                outbox::record_uncomposed(connection, cause, about, recipient.as_str(), error, url)?;
            } else {
                invited.push(id);
            }
        }
        Ok(invited)
    })
}

/// Invites one person on the waitlist, whether or not they asked to compete. Somebody whose invitation has ended can be
/// invited again.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Invalid`] on `holdsUntil`. [`Error::Conflict`]: entries are closed, or the person is
/// invited already, has entered, has withdrawn or is held for review.
pub fn invite_one(app: &App, actor: &Actor, id: i64, holds_until: DateTime<Utc>) -> Result<()> {
    app.store.read(|connection| registrations::require(connection, KIND, id))?;
    let sender = Sender::new(app, actor, holds_until)?;
    app.store.write(|connection| {
        let signup = registrations::require(connection, KIND, id)?;
        let refuse = |reason: &str| Err(Error::Conflict(reason.to_owned()));
        match signup.status {
            Status::SetAside => return refuse("This signup is held for review. Set it to 'new' first."),
            Status::Withdrawn | Status::Declined => {
                return refuse("This signup was withdrawn. Set it to 'new' first.");
            }
            _ => {}
        }
        if store::has_entered(connection, id)? {
            return refuse("This person has entered already.");
        }
        if store::is_invited(connection, id, &sender.now)? {
            return refuse("This person is invited already. Wait until the invitation has ended.");
        }
        sender.send(connection, &signup)
    })
}

/// Sends invitations that end at the same time.
struct Sender<'a> {
    actor: &'a Actor,
    content: Arc<Content>,
    public_url: String,
    /// Stored instants.
    now: String,
    holds_until: String,
}

impl<'a> Sender<'a> {
    /// # Errors
    /// [`Error::Invalid`] on `holdsUntil`. [`Error::Conflict`]: nobody can enter.
    fn new(app: &App, actor: &'a Actor, holds_until: DateTime<Utc>) -> Result<Sender<'a>> {
        let (content, now) = (app.content(), time::now());
        if holds_until <= now || holds_until > now + MAX_VALIDITY {
            let days = MAX_VALIDITY.num_days();
            let message = format!("Please choose an instant in the next {days} days");
            return Err(Error::field("holdsUntil", &message));
        }
        if !content.is_open_to_invited(now) {
            return Err(Error::Conflict(
                "Entries are closed by their dates, so nobody could enter. Change the dates under Website first."
                    .into(),
            ));
        }
        // At `holds_until` itself the link no longer works.
        let last = holds_until - TimeDelta::milliseconds(1);
        if !content.is_open_to_invited(last) {
            // Entries are open now, so only their last day can close them.
            let until = content.openings.get(ENTRIES).and_then(|entries| entries.until);
            let zone = &content.event.time_zone_label;
            let day =
                until.map(|until| format!(" on {}", until.formatted_with_zone(zone))).unwrap_or_default();
            let message =
                format!("Entries close{day}. Please choose an earlier end, or let them close later");
            return Err(Error::field("holdsUntil", &message));
        }
        Ok(Sender {
            actor,
            public_url: app.public_url(),
            content,
            now: time::stored(now),
            holds_until: time::stored(holds_until),
        })
    }

    /// The cause of the email to a signup.
    fn cause(&self, id: i64) -> String {
        format!("invitation/{KIND}/{id}/{}", self.now)
    }

    /// Stores an invitation with its email and its audit line.
    fn send(&self, connection: &Connection, signup: &Stored) -> Result<()> {
        let (id, now, holds_until) = (signup.id, &self.now, &self.holds_until);
        let token = token::new();
        let message = mail::invitation(&self.content, &self.public_url, &signup.record, &token, holds_until)?;
        outbox::queue(connection, Priority::Organiser, self.cause(id), (KIND, id), &message, now)?;
        store::insert(connection, id, &token::hash(&token), holds_until, now)?;
        let line = audit::Line { actor: self.actor, action: "invited", subject: Some((KIND, id)) };
        audit::insert_with(connection, now, &line, &json!({ "holdsUntil": holds_until }))
    }
}

/// The invitation that a link's token belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invited {
    /// `None` once the invitation has ended.
    pub email: Option<String>,
    /// RFC 3339, UTC.
    pub holds_until: String,
    /// Whether the entry form may be sent with it, also while the form is closed to everybody else.
    pub opens_form: bool,
}

/// Who was invited with this token; [`Error::NotFound`] if it is not ours.
pub fn check(app: &App, token: &str) -> Result<Invited> {
    let found = app.store.read(|connection| store::by_token(connection, &token::hash(token)))?;
    let invitation = found.ok_or_else(|| {
        Error::NotFound(
            "We do not know this invitation. Open the link from the email again, or write to us.".into(),
        )
    })?;
    let now = time::now();
    let holds = invitation.holds_until > time::stored(now);
    let opens_form = opens_form(app, &app.content(), token, now)?;
    Ok(Invited { email: holds.then_some(invitation.email), holds_until: invitation.holds_until, opens_form })
}

/// Whether an entry may be made with a token although the organiser has closed the form. Each invitation is for one entry
/// that takes part, so that a link that was passed on does not open the form to many.
pub fn opens_form(app: &App, content: &Content, token: &str, now: DateTime<Utc>) -> Result<bool> {
    if !content.is_open_to_invited(now) {
        return Ok(false);
    }
    let found = app.store.read(|connection| store::by_token(connection, &token::hash(token)))?;
    Ok(found.is_some_and(|invitation| !invitation.is_used && invitation.holds_until > time::stored(now)))
}

/// Records that an entry was made with a link, within the transaction that stores the entry. A token that is not ours, or
/// whose invitation has ended, changes nothing: the entry is valid without it.
pub fn record_entry(connection: &Connection, token: &str, entry_id: i64, now: &str) -> Result<()> {
    if let Some(invitation) = store::by_token(connection, &token::hash(token))?
        && invitation.holds_until.as_str() > now
    {
        store::set_entry(connection, invitation.id, entry_id)?;
    }
    Ok(())
}
