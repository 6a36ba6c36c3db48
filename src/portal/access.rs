//! How competitors get into the portal, and judges to their sheets: a link by email that works until the results are published,
//! or a code of six digits. Both open a session. There are no accounts and no passwords.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;
use serde_json::json;
use subtle::ConstantTimeEq;

use crate::app::App;
use crate::error::{Error, Result};
use crate::mail::outbox;
use crate::mail::{self, CODE_MINUTES};
use crate::model::{Actor, EntryId, Kind, NominationState, token};
use crate::site::content::Content;
use crate::store::audit;
use crate::store::judging::categories;
pub use crate::store::portal::access::Audience;
use crate::store::portal::access::{self, hash_code};
use crate::store::portal::nominations;
use crate::store::registrations;
use crate::time;

/// How long a code works.
const CODE_LIFETIME: TimeDelta = TimeDelta::minutes(CODE_MINUTES);
/// How long a link works at least. It works longer if the results are not published yet.
const LINK_LIFETIME: TimeDelta = TimeDelta::days(60);
/// After this many wrong tries, from whatever IP address, a code does not work any more.
const MAX_WRONG_TRIES: u32 = 5;
/// A session ends when it was not used for this long.
pub const SESSION_IDLE: TimeDelta = TimeDelta::days(30);
/// The time of the last use is stored this often, so that most requests do not write.
const TOUCH_INTERVAL: TimeDelta = TimeDelta::hours(1);

/// A signed-in competitor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artist {
    /// The address of the entries.
    pub email: String,
}

/// Emails a link and a code if the address has a nomination that was not withdrawn; returns whether it did, which only
/// the organiser may learn.
pub fn send_link(app: &App, email: &str) -> Result<bool> {
    let email = email.trim();
    if app.store.read(|connection| newest_entry(connection, email))?.is_none() {
        return Ok(false);
    }
    let (content, public_url, now) = (app.content(), app.public_url(), time::now());
    app.store.write(|connection| {
        let Some(entry) = newest_entry(connection, email)? else { return Ok(false) };
        let stored = registrations::get(connection, Kind::CompetitionEntries, entry.0)?;
        let Some(stored) = stored else { return Ok(false) };
        let address = stored.record.email();
        let until = works_until(connection, &content, now)?;
        let message = mail::artist_link(&content, &public_url, &stored.record, &until)?;
        outbox::queue_artist_link(connection, &address, &message, now)
    })
}

/// Until when a link that is made now works, for its email: 'January 25, 2027', or 'the results are published, at least until
/// January 25, 2027'.
pub fn works_until(connection: &Connection, content: &Content, now: DateTime<Utc>) -> Result<String> {
    let day = content.event.time_zone.at(now + LINK_LIFETIME).format("%B %-d, %Y");
    if are_published(connection, content, now)? {
        return Ok(day.to_string());
    }
    Ok(format!("the results are published, at least until {day}"))
}

fn are_published(connection: &Connection, content: &Content, now: DateTime<Utc>) -> Result<bool> {
    categories::are_published(connection, content.today(now) > content.event.last_day)
}

/// Ends all links, codes and sessions of a nomination's competitor, and emails a new link.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Conflict`]: they are ended, but the mailbox had too many links today.
pub fn replace_link(app: &App, actor: &Actor, nomination: i64) -> Result<()> {
    let unknown = || Error::NotFound("There is no such nomination.".into());
    let email = app.store.write(|connection| {
        let nomination = nominations::get(connection, nomination)?.ok_or_else(unknown)?;
        let email = nominations::entrant(connection, nomination.entry_id)?.ok_or_else(unknown)?.email;
        access::delete_of(connection, Audience::Competitors, &email)?;
        let subject = Some(nomination.entry_id.registration());
        let line = audit::Line { actor, action: "nomination link replaced", subject };
        let detail = json!({ "code": nomination.code });
        audit::insert_with(connection, &time::stored(time::now()), &line, &detail)?;
        Ok(email)
    })?;
    require_sent(send_link(app, &email)?)
}

/// Fails with [`Error::Conflict`] if no link was sent in the place of those that are ended.
pub fn require_sent(is_sent: bool) -> Result<()> {
    if is_sent {
        return Ok(());
    }
    let message = "The former links are ended. No new one was sent: the address had ten in the last 24 hours, or nothing of it \
                   takes part. Send one tomorrow.";
    Err(Error::Conflict(message.into()))
}

/// A link for the demo, which sends no email: the address of the page.
pub fn demo_link(app: &App, audience: Audience, email: &str) -> Result<String> {
    let page = match audience {
        Audience::Competitors => "artist-portal",
        Audience::Judges => "judge",
    };
    let now = time::stored(time::now());
    let link = app.store.write(|connection| access::new_link(connection, audience, email, &now))?;
    Ok(format!("{}/{page}#{}", app.public_url(), link.token))
}

/// The newest entry of an address with a nomination that takes part.
fn newest_entry(connection: &Connection, email: &str) -> Result<Option<EntryId>> {
    let nominations = nominations::of_person(connection, email)?.into_iter();
    let taking_part = nominations.filter(|nomination| nomination.state != NominationState::Withdrawn);
    Ok(taking_part.map(|nomination| nomination.entry_id).max())
}

/// Opens a session with the token of a link and returns the session's token.
///
/// # Errors
/// [`Error::Unauthorised`]: the link has ended, was revoked, or never existed.
pub fn sign_in_with_link(app: &App, audience: Audience, token: &str) -> Result<String> {
    let token_hash = token::hash(token);
    let session = token::new();
    let session_hash = token::hash(&session);
    let (content, now) = (app.content(), time::now());
    app.store.write(|connection| {
        let oldest = time::stored(now - LINK_LIFETIME);
        let ended = || Error::Unauthorised("This link does not work any more. Ask for a new one.".into());
        let (email, made_at) = access::find_link(connection, audience, &token_hash)?.ok_or_else(ended)?;
        if made_at <= oldest && are_published(connection, &content, now)? {
            return Err(ended());
        }
        access::insert_session(connection, audience, &session_hash, &email, &time::stored(now))
    })?;
    Ok(session)
}

/// Like [`sign_in_with_link`], with the code that was mailed to an address. A code works once.
///
/// # Errors
/// [`Error::Unauthorised`]: it is wrong, too old, or was tried too often; the answer does not tell which.
pub fn sign_in_with_code(app: &App, audience: Audience, email: &str, code: &str) -> Result<String> {
    let (email, code) = (email.trim(), code.trim());
    let session = token::new();
    let session_hash = token::hash(&session);
    // A wrong try has to be stored, so that it is no error of this transaction.
    let is_right = app.store.write(|connection| {
        let now = time::now();
        let Some(stored) = access::find_code(connection, audience, email)? else { return Ok(false) };
        let is_in_time = stored.created_at > time::stored(now - CODE_LIFETIME);
        if !is_in_time || stored.wrong_tries >= MAX_WRONG_TRIES {
            return Ok(false);
        }
        if !bool::from(stored.code_hash.ct_eq(&hash_code(email, code))) {
            access::count_wrong_try(connection, audience, email)?;
            return Ok(false);
        }
        access::delete_code(connection, audience, email)?;
        access::insert_session(connection, audience, &session_hash, email, &time::stored(now))?;
        Ok(true)
    })?;
    if is_right {
        return Ok(session);
    }
    Err(Error::Unauthorised("This code is wrong or too old. Ask for a new one.".into()))
}

/// The email address of a session.
///
/// # Errors
/// [`Error::Unauthorised`]: there is no such session, or it has ended.
pub fn check(app: &App, audience: Audience, token: &str) -> Result<String> {
    let token_hash = token::hash(token);
    let now = time::now();
    let found = app.store.read(|connection| access::find_session(connection, audience, &token_hash))?;
    let session = found
        .filter(|session| session.last_seen_at > time::stored(now - SESSION_IDLE))
        .ok_or_else(|| Error::Unauthorised("Please open the link from your email first.".into()))?;
    if session.last_seen_at < time::stored(now - TOUCH_INTERVAL) {
        let touched = app
            .store
            .write(|connection| access::touch_session(connection, audience, &token_hash, &time::stored(now)));
        // A full disk keeps nobody from reading.
        if let Err(error) = touched {
            tracing::warn!("the last use of a session could not be recorded: {}", error.for_log());
        }
    }
    Ok(session.email)
}

/// Ends a session; ending one that is not there is no error.
pub fn sign_out(app: &App, audience: Audience, token: &str) -> Result<()> {
    let token_hash = token::hash(token);
    app.store.write(|connection| access::delete_session(connection, audience, &token_hash))
}

/// Signs somebody out everywhere: ends all sessions, and revokes all links and the code.
pub fn end_all(app: &App, audience: Audience, email: &str) -> Result<()> {
    app.store.write(|connection| access::delete_of(connection, audience, email))
}

/// Deletes sessions and codes that have ended by themselves.
pub fn delete_expired(app: &App) -> Result<()> {
    let now = time::now();
    let (last_seen, sent) = (time::stored(now - SESSION_IDLE), time::stored(now - CODE_LIFETIME));
    app.store.write(|connection| {
        for audience in [Audience::Competitors, Audience::Judges] {
            access::delete_before(connection, audience, &last_seen, &sent)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_privacy_policy_says_how_long_the_cookie_lasts() {
        let content = Content::parse(Content::default_toml()).expect("the default content");
        let days = format!(
            "cookies for visitors, except one that keeps competitors and judges signed in for {} days",
            SESSION_IDLE.num_days()
        );
        assert!(content.legal.privacy.sections.iter().any(|section| section.text.contains(&days)), "{days}");
    }
}
