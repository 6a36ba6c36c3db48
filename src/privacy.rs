//! Exports or erases one person's data. The law requires us to keep payment records, so they stay without the person's
//! data. Everything else is deleted, and the database file is checked for it.

use chrono::Utc;
use rusqlite::Connection;
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::{self, form};
use crate::mail::outbox::body;
use crate::mailings::unsubscribe;
use crate::model::{Actor, Kind};
use crate::payments;
use crate::registrations::review;
use crate::store::registrations::person;
use crate::store::{
    audit, erasure, idempotency, mailings, outbox, payment_findings, redact, refunds, reviews,
};
use crate::time;

/// What was erased.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Erased {
    pub registrations: usize,
    /// Entries that were or may still be paid: kept without the person's data.
    pub payments_kept: usize,
    pub mails: usize,
    /// Other people's texts that the address was removed from.
    pub texts: usize,
}

/// Everything that is kept about an address: registrations with their history, and mails.
///
/// # Errors
/// [`Error::NotFound`] when there is nothing.
pub fn export(app: &App, actor: &Actor, email: &str) -> Result<Value> {
    let email = checked(email)?;
    let (found, mails) =
        app.store.read(|connection| Ok((find(connection, email)?, mails_of(connection, email)?)))?;
    let has_unsubscribed = app.store.read(|connection| unsubscribe::has_unsubscribed(connection, email))?;
    if found.is_empty() && mails.is_empty() {
        return Err(nobody(email));
    }
    note_export(app, actor, found.len(), mails.len());
    let mut registrations: Map<String, Value> = Map::new();
    for (kind, id) in found {
        let key = form(kind).summary_key.clone();
        let list = registrations.entry(key).or_insert_with(|| json!([]));
        if let Some(list) = list.as_array_mut() {
            list.push(review::details(app, kind, id)?.into());
        }
    }
    Ok(json!({
        "email": email,
        "exportedAt": time::stored(Utc::now()),
        "registrations": registrations,
        "mails": mails,
        "unsubscribed": has_unsubscribed,
    }))
}

/// Without the address, which must not stay in the audit log after an erasure.
fn note_export(app: &App, actor: &Actor, registrations: usize, mails: usize) {
    let actor = actor.to_owned();
    app.store.note("the export of a person", move |connection| {
        let line = audit::Line { actor: &actor, action: "person exported", subject: None };
        let detail = json!({ "registrations": registrations, "mails": mails });
        audit::insert_with(connection, &time::stored(Utc::now()), &line, &detail)
    });
}

/// What [`erase`] would erase.
///
/// # Errors
/// [`Error::NotFound`] when there is nothing.
pub fn count(app: &App, email: &str) -> Result<Erased> {
    let email = checked(email)?;
    let found = app.store.read(|connection| {
        let found = find(connection, email)?;
        let mut erased = Erased { mails: mails_about(connection, email, &found)?.len(), ..Erased::default() };
        for (kind, id) in found {
            if keeps_payment(connection, kind, id)? {
                erased.payments_kept += 1;
            } else {
                erased.registrations += 1;
            }
        }
        Ok(erased)
    })?;
    // What was deleted may still be in the file, or in what others wrote.
    let is_there = found != Erased::default() || erasure::holds(app.store.path(), email)?;
    if is_there { Ok(found) } else { Err(nobody(email)) }
}

/// Erases a person from registrations, their history, mails and keys, and the address from what others wrote, in
/// one transaction, and makes sure that no byte of it is left in the database's file. Backups lose it as they expire.
///
/// # Errors
/// [`Error::NotFound`] when there is nothing. [`Error::Failed`]: the file still holds it, with the reason.
pub fn erase(app: &App, actor: &Actor, email: &str) -> Result<Erased> {
    let email = checked(email)?;
    count(app, email)?;
    withdraw_payments(app, email)?;
    let (actor, address) = (actor.to_owned(), email.to_owned());
    let erased = app.store.write(move |connection| {
        let found = find(connection, &address)?;
        let mut erased = Erased::default();
        for id in mails_about(connection, &address, &found)? {
            outbox::delete(connection, id)?;
            erased.mails += 1;
        }
        mailings::forget(connection, &address)?;
        let now = time::stored(Utc::now());
        for (kind, id) in found {
            reviews::delete_of(connection, kind, id)?;
            idempotency::delete_of(connection, kind, id)?;
            audit::forget_addresses(connection, kind, id, person::ERASED)?;
            if keeps_payment(connection, kind, id)? {
                person::forget(connection, id)?;
                refunds::forget_reasons(connection, id)?;
                payment_findings::forget_notes(connection, id)?;
                erased.payments_kept += 1;
            } else {
                person::delete(connection, kind, id)?;
                erased.registrations += 1;
            }
            let line = audit::Line { actor: &actor, action: "person erased", subject: Some((kind, id)) };
            audit::insert(connection, &now, &line)?;
        }
        erased.texts = redact::take_out(connection, &address)?;
        Ok(erased)
    })?;
    erasure::require_gone(app.store.path(), email)?;
    Ok(erased)
}

/// Cancels unpaid payments: nobody should pay for an erased entry.
fn withdraw_payments(app: &App, email: &str) -> Result<()> {
    let entries = app.store.read(|connection| person::ids_of(connection, Kind::CompetitionEntries, email))?;
    for id in entries {
        // The erasure does not wait for the provider. A payment that arrives anyway becomes a finding.
        if let Err(error) = payments::withdraw(app, id) {
            let cause = error.cause().unwrap_or_default();
            tracing::warn!(entry = id, "its payment could not be cancelled: {error} {cause}");
        }
    }
    Ok(())
}

fn checked(email: &str) -> Result<&str> {
    let email = email.trim();
    if forms::is_email(email) {
        return Ok(email);
    }
    Err(Error::Malformed(format!("'{email}' is not an email address.")))
}

fn nobody(email: &str) -> Error {
    Error::NotFound(format!("We hold no data about {email}."))
}

fn find(connection: &Connection, email: &str) -> Result<Vec<(Kind, i64)>> {
    let mut found = Vec::new();
    for kind in Kind::ALL {
        found.extend(person::ids_of(connection, kind, email)?.into_iter().map(|id| (kind, id)));
    }
    Ok(found)
}

fn keeps_payment(connection: &Connection, kind: Kind, id: i64) -> Result<bool> {
    Ok(kind == Kind::CompetitionEntries && person::has_payment(connection, id)?)
}

/// The mails to a person, or about one's registrations, the reports that name these, and mails with the address in a file.
fn mails_about(connection: &Connection, email: &str, found: &[(Kind, i64)]) -> Result<Vec<i64>> {
    let mut mails = outbox::with_a_file_holding(connection, email)?;
    mails.extend(outbox::to(connection, email)?.into_iter().map(|mail| mail.id));
    for (kind, id) in found.iter().copied() {
        mails.extend(outbox::about(connection, kind, id)?.into_iter().map(|mail| mail.id));
        mails.extend(outbox::reports_of(connection, kind, id)?);
    }
    mails.sort_unstable();
    mails.dedup();
    Ok(mails)
}

fn mails_of(connection: &Connection, email: &str) -> Result<Vec<Value>> {
    let mails = outbox::to(connection, email)?;
    let shown = |mail: outbox::StoredMail| {
        Ok(json!({
            "createdAt": mail.created_at, "state": mail.state.as_str(), "sentAt": mail.sent_at,
            "subject": mail.subject, "text": body(&mail).text()?,
        }))
    };
    mails.into_iter().map(shown).collect()
}
