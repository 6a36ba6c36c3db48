//! Corrects a registration's email address and resends the emails that went to the wrong one.
//!
//! The registration's history and the audit log keep the old and the new address until `person erase` removes them.

use rusqlite::Connection;
use serde_json::json;

use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::{self, EmailAddress, Record};
use crate::mail;
use crate::mailings;
use crate::model::{Actor, Kind};
use crate::registrations::version::{self, Expected};
use crate::store::outbox::{self, State};
use crate::store::registrations::{self, person};
use crate::store::{audit, invitations, redact, reviews};
use crate::time;

/// What an organiser corrects.
#[derive(Debug, Clone)]
pub struct Correction {
    pub email: EmailAddress,
    /// The sent emails to resend to the new address. Waiting and failed ones are always resent.
    pub mails: Vec<i64>,
    pub expected: Expected,
    /// The address is used even if another person has it.
    pub confirm: bool,
    /// Added to the history.
    pub reason: Option<String>,
}

/// The same length that the forms allow.
const MAX_BYTES: usize = 200;

/// Parses the corrected address.
///
/// # Errors
/// [`Error::Invalid`] on `email`: it is not an email address, or too long.
pub fn address(text: &str) -> Result<EmailAddress> {
    let email = EmailAddress::parse(text).filter(|email| email.as_str().len() <= MAX_BYTES);
    email.ok_or_else(|| Error::field("email", "Please enter a valid email address"))
}

/// Corrects the address of a registration.
///
/// # Errors
/// [`Error::NotFound`]: no such registration. [`Error::Invalid`]: the address is not new, or an email did not go to the
/// current one. [`Error::Conflict`]: the person was erased, or another person has the address and that is not confirmed.
pub fn registration(app: &App, actor: &Actor, kind: Kind, id: i64, correction: Correction) -> Result<()> {
    let public_url = app.public_url();
    app.store.write(|connection| correct(connection, actor, &public_url, (kind, id), &correction).map(drop))
}

/// Corrects the address of the registration that an email is about and resends that email; returns the new email's id.
///
/// # Errors
/// Those of [`registration`]; [`Error::Conflict`]: the email is not about a registration, went to another address, or was
/// discarded.
pub fn of_email(app: &App, actor: &Actor, id: i64, correction: Correction) -> Result<i64> {
    let public_url = app.public_url();
    app.store.write(|connection| {
        let mail = outbox::get(connection, id)?;
        let mail = mail.ok_or_else(|| Error::NotFound(format!("There is no email {id}.")))?;
        let Some((kind, registration)) = mail.about() else {
            return Err(Error::Conflict(format!("Email {id} is not about a registration.")));
        };
        if mail.state == State::Discarded {
            return Err(Error::Conflict(format!("Email {id} was discarded.")));
        }
        let stored = registrations::require(connection, kind, registration)?;
        if stored.record.email() != *mail.recipient {
            let message = format!("Email {id} did not go to this registration's current address.");
            return Err(Error::Conflict(message));
        }
        let correction = Correction { mails: vec![id], ..correction };
        let resent = correct(connection, actor, &public_url, (kind, registration), &correction)?;
        let resent = resent.into_iter().find(|(old, _)| *old == id).map(|(_, new)| new);
        resent.ok_or_else(|| {
            Error::Conflict(format!(
                "Email {id} went to a group and cannot be sent again: {} has already received this email, has unsubscribed or was \
                 refused by its mail server. Correct the address of the registration instead.",
                correction.email
            ))
        })
    })
}

/// Corrects an address within the caller's transaction. Returns the resent emails: their old ids and their new ones.
pub(super) fn correct(
    connection: &Connection,
    actor: &Actor,
    public_url: &str,
    (kind, id): (Kind, i64),
    correction: &Correction,
) -> Result<Vec<(i64, i64)>> {
    let stored = registrations::require(connection, kind, id)?;
    version::require(connection, kind, id, &correction.expected)?;
    let (old, new) = (&stored.record.email(), &correction.email);
    if *old == *person::ERASED {
        return Err(Error::Conflict("This person was erased, so there is no address to correct.".into()));
    }
    // A change of case is a correction too.
    if old.as_str() == new.as_str() {
        return Err(Error::field("email", "This is already the address"));
    }
    if !correction.confirm {
        require_no_other_person(connection, &stored.record, new)?;
    }
    let mut mails = outbox::list_by_registration(connection, kind, id)?;
    mails.retain(|mail| mail.state != State::Discarded && *old == *mail.recipient);
    if let Some(other) = correction.mails.iter().find(|id| !mails.iter().any(|mail| mail.id == **id)) {
        return Err(Error::field("mails", &format!("Email {other} did not go to the current address")));
    }
    mails.retain(|mail| mail.state != State::Sent || correction.mails.contains(&mail.id));
    let at = time::stored(time::now());
    person::set_email(connection, kind, id, new)?;
    let mut resent = Vec::new();
    for mail in &mails {
        // An email that was not sent must not go to the wrong address. A sent one is not changed.
        outbox::discard(connection, mail.id)?;
        let is_chosen = correction.mails.contains(&mail.id);
        if !is_chosen && is_ended_invitation(connection, kind, id, mail.id, &at)? {
            continue;
        }
        let values = redact::replace_in_json(&mail.template_values, old, new);
        let copy = if mail.template == mail::group::TEMPLATE {
            mailings::send_again(connection, public_url, mail, &values, new, &at)?
        } else {
            let message_id = mail::message_id(public_url);
            Some(outbox::send_again(connection, mail.id, &message_id, new, &values, &at)?)
        };
        resent.extend(copy.map(|copy| (mail.id, copy)));
    }
    let mut note = format!("Email address corrected from {old} to {new}.");
    if let Some(reason) = &correction.reason {
        note.push_str(&format!("\nReason: {reason}"));
    }
    reviews::add_note(connection, &stored, actor, note, &at)?;
    let line = audit::Line { actor, action: audit::ADDRESS_CORRECTED, subject: Some((kind, id)) };
    audit::insert_with(connection, &at, &line, &json!({ "from": old, "to": new, "mails": resent.len() }))?;
    Ok(resent)
}

/// Whether an email invites from the waitlist to enter, with a link that no longer works.
fn is_ended_invitation(connection: &Connection, kind: Kind, id: i64, mail: i64, now: &str) -> Result<bool> {
    Ok(kind == Kind::WaitlistSignups
        && outbox::is_invitation(connection, mail)?
        && !invitations::is_invited(connection, id, now)?)
}

/// Fails with [`Error::Conflict`] if a registration under another name has this address.
fn require_no_other_person(connection: &Connection, record: &Record, email: &EmailAddress) -> Result<()> {
    let (name, _) = record.person();
    for kind in Kind::ALL {
        for id in person::ids_of(connection, kind, email)? {
            let Some(other) = registrations::get(connection, kind, id)? else { continue };
            let (other_name, _) = other.record.person();
            if !other_name.trim().eq_ignore_ascii_case(name.trim()) {
                let form = forms::form(kind).name.to_lowercase();
                return Err(Error::Conflict(format!(
                    "{email} belongs to {other_name} as well ({form} {id}). Send \"confirm\": true to use it anyway."
                )));
            }
        }
    }
    Ok(())
}
