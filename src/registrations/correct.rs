//! Corrects a registration's email address, and sends again what went to the wrong one.
//!
//! The old and the new address stand in the registration's history and in the audit log. `person erase` removes them.

use chrono::Utc;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::app::App;
use crate::error::{Error, Result};
use crate::forms;
use crate::mail;
use crate::model::{Actor, Kind};
use crate::registrations::version::{self, Expected};
use crate::store::outbox::{self, State, StoredMail};
use crate::store::registrations::{self, person};
use crate::store::reviews::{self, Step};
use crate::store::{audit, redact};
use crate::time;

/// What an organiser corrects.
#[derive(Debug, Clone)]
pub struct Correction {
    pub email: String,
    /// Mails that were sent to the old address and go to the new one too; those that wait or failed always do.
    pub mails: Vec<i64>,
    pub expected: Expected,
}

impl Correction {
    /// The correction that a request's JSON asks for: `email`, and optionally `mails`.
    ///
    /// # Errors
    /// [`Error::Malformed`]: not an object, or a value of the wrong JSON type. [`Error::Invalid`]: no email address.
    pub fn parse(body: &Value) -> Result<Correction> {
        if !body.is_object() {
            return Err(Error::Malformed("Please send one JSON object.".into()));
        }
        let email = match &body["email"] {
            Value::Null => "",
            email => email.as_str().ok_or_else(|| Error::wrong_type("email"))?.trim(),
        };
        if !forms::is_email(email) || email.len() > LONGEST {
            return Err(Error::field("email", "Please enter a valid email address"));
        }
        let mails = match &body["mails"] {
            Value::Null => Some(Vec::new()),
            mails => mails.as_array().and_then(|ids| ids.iter().map(Value::as_i64).collect()),
        };
        Ok(Correction {
            email: email.to_owned(),
            mails: mails.ok_or_else(|| Error::wrong_type("mails"))?,
            expected: Expected::Any,
        })
    }
}

/// The longest address, as in the forms.
const LONGEST: usize = 200;

/// Corrects the address of a registration.
///
/// # Errors
/// [`Error::NotFound`]: no such registration. [`Error::Invalid`]: it is the address already, or a mail did not go to
/// the present one. [`Error::Conflict`]: the person was erased.
pub fn registration(app: &App, actor: &Actor, kind: Kind, id: i64, correction: Correction) -> Result<()> {
    let (actor, public_url) = (actor.to_owned(), app.public_url());
    app.store.write(move |connection| {
        correct(connection, &actor, &public_url, (kind, id), &correction, None).map(drop)
    })
}

/// Corrects the address of the registration that a mail is about, and sends that mail again; returns the new mail's id.
///
/// # Errors
/// As [`registration`]; [`Error::Conflict`]: the mail is about no registration, went to somebody else, or was discarded.
pub fn mail(app: &App, actor: &Actor, id: i64, correction: Correction) -> Result<i64> {
    let (actor, public_url) = (actor.to_owned(), app.public_url());
    app.store.write(move |connection| {
        let mail = outbox::get(connection, id)?;
        let mail = mail.ok_or_else(|| Error::NotFound(format!("There is no mail {id}.")))?;
        let about = mail.about.as_ref().and_then(|(kind, id)| Some((kind.parse::<Kind>().ok()?, *id)));
        let Some((kind, registration)) = about else {
            return Err(Error::Conflict(format!("Mail {id} is about no registration.")));
        };
        if mail.state == State::Discarded {
            return Err(Error::Conflict(format!("Mail {id} is discarded already.")));
        }
        let stored = registrations::get(connection, kind, registration)?;
        let stored = stored.ok_or_else(|| missing(kind, registration))?;
        if !went_to(&mail, stored.record.text("email")) {
            return Err(Error::Conflict(format!(
                "Mail {id} did not go to the address that this registration has now."
            )));
        }
        let correction = Correction { mails: vec![id], ..correction };
        let again = correct(connection, &actor, &public_url, (kind, registration), &correction, None)?;
        let again = again.into_iter().find(|(old, _)| *old == id).map(|(_, new)| new);
        again.ok_or_else(|| Error::Internal(format!("mail {id} was not sent again")))
    })
}

/// Corrects an address within the transaction of the caller. Returns the mails that go again: their old ids and their
/// new ones.
pub(super) fn correct(
    connection: &Connection,
    actor: &Actor,
    public_url: &str,
    (kind, id): (Kind, i64),
    correction: &Correction,
    reason: Option<&str>,
) -> Result<Vec<(i64, i64)>> {
    let stored = registrations::get(connection, kind, id)?.ok_or_else(|| missing(kind, id))?;
    version::require(connection, kind, id, &correction.expected)?;
    let (old, new) = (stored.record.text("email"), correction.email.as_str());
    if old == person::ERASED {
        return Err(Error::Conflict("This person was erased; there is nobody to write to.".into()));
    }
    if old == new {
        return Err(Error::field("email", "This is the address already"));
    }
    let mut mails = outbox::about(connection, kind, id)?;
    mails.retain(|mail| mail.state != State::Discarded && went_to(mail, old));
    if let Some(other) = correction.mails.iter().find(|id| !mails.iter().any(|mail| mail.id == **id)) {
        return Err(Error::field("mails", &format!("Mail {other} did not go to the present address")));
    }
    mails.retain(|mail| mail.state != State::Sent || correction.mails.contains(&mail.id));
    let at = time::stored(Utc::now());
    person::set_email(connection, kind, id, new)?;
    let mut again = Vec::new();
    for mail in &mails {
        let words = redact::replaced_in_json(&mail.words, old, new);
        let message_id = mail::message_id(public_url);
        again.push((mail.id, outbox::send_again(connection, mail.id, &message_id, new, &words, &at)?));
        // What was not sent need not go to the wrong address any more.
        outbox::discard(connection, mail.id)?;
    }
    let reason = reason.map_or_else(String::new, |reason| format!("\nReason: {reason}"));
    let note = Some(format!("Email address corrected from {old} to {new}.{reason}"));
    let (from, to) = (stored.status, stored.status);
    let step = Step { at: at.clone(), actor: actor.to_owned(), from, to, note };
    reviews::insert(connection, kind, id, &step)?;
    let line = audit::Line { actor, action: audit::ADDRESS_CORRECTED, subject: Some((kind, id)) };
    audit::insert_with(connection, &at, &line, &json!({ "from": old, "to": new, "mails": again.len() }))?;
    Ok(again)
}

fn went_to(mail: &StoredMail, address: &str) -> bool {
    mail.recipient.eq_ignore_ascii_case(address)
}

pub(super) fn missing(kind: Kind, id: i64) -> Error {
    Error::NotFound(format!("There is no record {id} of {kind}."))
}
