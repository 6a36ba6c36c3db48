//! How judges sign in: as competitors do (`portal::access`), with a separate cookie and separate paths.

use rusqlite::Connection;

use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::EmailAddress;
use crate::mail::outbox;
use crate::mail::{self, JudgeLinkReason};
use crate::portal::access;
use crate::site::content::Content;
use crate::store::judging::judges;
use crate::time;

/// A signed-in judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judge {
    pub id: i64,
    pub name: String,
    pub email: String,
    /// Whether they accepted the terms in force.
    pub has_accepted: bool,
}

/// Emails a link and a code to a judge who asks for them; returns whether the address is a judge's, which only the
/// organiser may learn.
pub fn send_link(app: &App, email: &str) -> Result<bool> {
    send_link_because(app, email, JudgeLinkReason::Requested)
}

/// Like [`send_link`], with the reason that the email gives.
pub(super) fn send_link_because(app: &App, email: &str, reason: JudgeLinkReason) -> Result<bool> {
    let email = email.trim();
    if app.store.read(|connection| judges::with_email(connection, email))?.is_none() {
        return Ok(false);
    }
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| queue_link(connection, &content, &public_url, email, reason))
}

/// Queues the email with a judge's link, within a transaction; `false` if the mailbox has had too many today.
pub(super) fn queue_link(
    connection: &Connection,
    content: &Content,
    public_url: &str,
    email: &str,
    reason: JudgeLinkReason,
) -> Result<bool> {
    let Some(judge) = judges::with_email(connection, email)? else { return Ok(false) };
    let Some(address) = EmailAddress::parse(&judge.email) else { return Ok(false) };
    let now = time::now();
    let until = access::works_until(connection, content, now)?;
    let recipient = (judge.name.as_str(), address.as_str());
    let message = mail::judge_link(content, public_url, recipient, &until, reason)?;
    outbox::queue_artist_link(connection, &address, &message, now)
}

/// The judge with the address of a session.
///
/// # Errors
/// [`Error::Unauthorised`]: the judge was removed.
pub fn judge_with_email(app: &App, email: &str) -> Result<Judge> {
    let found = app.store.read(|connection| judges::with_email(connection, email))?;
    let judge =
        found.ok_or_else(|| Error::Unauthorised("Please open the link from your email first.".into()))?;
    let has_accepted = judge.terms_version.as_deref() == Some(app.content().judging.terms.version.as_str());
    Ok(Judge { id: judge.id, name: judge.name, email: judge.email, has_accepted })
}

/// Stores that a judge accepts the terms.
///
/// # Errors
/// [`Error::Invalid`]: they were not accepted, or others are in force.
pub fn accept_terms(app: &App, judge: &Judge, accepted: bool, version: &str) -> Result<()> {
    if !accepted {
        return Err(Error::field("accepted", "Please accept the terms to go on"));
    }
    if version != app.content().judging.terms.version {
        return Err(Error::field("version", "The terms have changed. Please read them again"));
    }
    app.store.write(|connection| judges::set_terms(connection, judge.id, version, &time::stored(time::now())))
}

/// Fails with [`Error::TermsRequired`] until the judge has accepted the terms.
pub fn require_terms(judge: &Judge) -> Result<()> {
    if judge.has_accepted { Ok(()) } else { Err(Error::TermsRequired) }
}
