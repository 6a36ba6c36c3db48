//! Invites people from the waitlist to enter, in their order, each with a personal link that holds until an instant. The
//! state of an invitation is computed from the entries (`store::invitations`), so nothing has to be kept in step.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::error::{Error, Result};
use crate::mail;
use crate::mail::outbox;
use crate::model::{Actor, Kind};
use crate::store::invitations as store;
use crate::store::outbox::Priority;
use crate::store::{audit, registrations};
use crate::time;

const KIND: Kind = Kind::WaitlistSignups;
/// The most people who are invited at once.
const MOST: i64 = 500;
/// The longest time that an invitation holds.
const LONGEST: TimeDelta = TimeDelta::days(90);

/// Invites the next people on the waitlist; returns their signups, the oldest first.
///
/// # Errors
/// [`Error::Invalid`] on `count` or `holdsUntil`. [`Error::Conflict`]: nobody is left to be invited.
pub fn invite(app: &App, actor: &Actor, count: i64, holds_until: DateTime<Utc>) -> Result<Vec<i64>> {
    let now = time::now();
    let Some(most) = u32::try_from(count).ok().filter(|_| (1..=MOST).contains(&count)) else {
        return Err(Error::field("count", &format!("Please enter a number from 1 to {MOST}")));
    };
    if holds_until <= now || holds_until > now + LONGEST {
        let days = LONGEST.num_days();
        return Err(Error::field("holdsUntil", &format!("Please choose an instant in the next {days} days")));
    }
    let (actor, content, public_url) = (actor.to_owned(), app.content(), app.public_url());
    app.store.write(move |connection| {
        let (now, holds_until) = (time::stored(now), time::stored(holds_until));
        let signups = store::next(connection, most)?;
        if signups.is_empty() {
            return Err(Error::Conflict(
                "Everybody on the waitlist who wants to compete is invited already or has entered.".into(),
            ));
        }
        for id in &signups {
            let token = hex::encode(rand::random::<[u8; 32]>());
            let signup = registrations::get(connection, KIND, *id)?
                .ok_or_else(|| Error::Internal(format!("signup {id} is gone")))?;
            store::insert(connection, *id, &hash(&token), &holds_until, &now)?;
            let message = mail::invitation(&content, &public_url, &signup.record, &token, &holds_until)?;
            let cause = format!("invitation/{KIND}/{id}/{now}");
            outbox::queue(connection, Priority::Organiser, cause, (KIND, *id), &message, &now)?;
            let line = audit::Line { actor: &actor, action: "invited", subject: Some((KIND, *id)) };
            audit::insert_with(connection, &now, &line, &json!({ "holdsUntil": holds_until }))?;
        }
        Ok(signups)
    })
}

/// The invitation that a link's token belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invited {
    /// `None` once the invitation has ended.
    pub email: Option<String>,
    /// RFC 3339, UTC.
    pub holds_until: String,
}

/// # Errors
/// [`Error::NotFound`] for a token that is not ours.
pub fn check(app: &App, token: &str) -> Result<Invited> {
    let found = app.store.read(|connection| store::by_token(connection, &hash(token)))?;
    let invitation = found.ok_or_else(|| {
        Error::NotFound(
            "We do not know this invitation. Open the link from the email again, or write to us.".into(),
        )
    })?;
    let holds = invitation.holds_until > time::stored(time::now());
    Ok(Invited { email: holds.then_some(invitation.email), holds_until: invitation.holds_until })
}

/// Records that an entry was made with a link, within the transaction that stores the entry. A token that is not ours, or
/// whose invitation has ended, changes nothing: the entry is valid without it.
pub fn note_entry(connection: &Connection, token: &str, entry_id: i64, now: &str) -> Result<()> {
    match store::by_token(connection, &hash(token))? {
        Some(invitation) if invitation.holds_until.as_str() > now => {
            store::set_entry(connection, invitation.id, entry_id)
        }
        _ => Ok(()),
    }
}

fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
