//! A registration's way in: checked, then written with its audit line and its confirmation mail in
//! one transaction. What this answers with `Ok` is on disk.

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::content::Content;
use crate::error::{Error, Result};
use crate::mail::{self, Message};
use crate::model::Kind;
use crate::rules::{self, Record};
use crate::store::idempotency::Answered;
use crate::store::{audit, idempotency, outbox, registrations};
use crate::time;

/// The longest idempotency key that is taken, in bytes.
const LONGEST_KEY: usize = 255;

/// The public part of a stored registration.
#[derive(Debug, PartialEq, Eq)]
pub struct Registered {
    pub id: i64,
    /// RFC 3339, UTC.
    pub created_at: String,
}

/// Stores one registration of a kind that needs no payment.
///
/// # Errors
/// [`Error::Malformed`], [`Error::Invalid`]: see [`rules::parse`]. [`Error::Forbidden`]: the form is
/// closed. [`Error::Conflict`]: the key was used for another registration. [`Error::Unavailable`]:
/// nothing was stored.
pub fn register(app: &App, kind: Kind, body: &Value, key: Option<&str>) -> Result<Registered> {
    register_at(app, kind, body, key, Utc::now())
}

/// [`register`] at a given instant.
pub fn register_at(
    app: &App,
    kind: Kind,
    body: &Value,
    key: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Registered> {
    let content = app.content();
    require_open(&content, kind, now)?;
    let record = rules::parse(kind, body, &content.offered())?;
    let key = key.map(checked_key).transpose()?;
    let confirmation = mail::confirmation(&content, &app.public_url(), &record)?;
    let created_at = time::stored(now);
    app.store.write(move |connection| write(connection, &record, &confirmation, key.as_deref(), created_at))
}

/// # Errors
/// [`Error::Forbidden`] with the organiser's reason and date.
fn require_open(content: &Content, kind: Kind, now: DateTime<Utc>) -> Result<()> {
    match content.opening(kind.as_str(), now).closed_message() {
        Some(message) => Err(Error::Forbidden(message)),
        None => Ok(()),
    }
}

fn checked_key(key: &str) -> Result<String> {
    if key.is_empty() || key.len() > LONGEST_KEY {
        return Err(Error::Malformed(format!("An Idempotency-Key has 1 to {LONGEST_KEY} characters.")));
    }
    Ok(key.to_owned())
}

fn write(
    connection: &Connection,
    record: &Record,
    confirmation: &Message,
    key: Option<&str>,
    created_at: String,
) -> Result<Registered> {
    let kind = record.kind();
    let body_hash = hash(record);
    if let Some(answered) = key.map(|key| idempotency::find(connection, kind, key)).transpose()?.flatten() {
        return repeated(answered, &body_hash);
    }
    let id = registrations::insert(connection, record, &created_at)?;
    let line = audit::Line { actor: "visitor", action: "registered", subject: Some((kind, id)) };
    audit::insert(connection, &created_at, &line)?;
    outbox::insert(connection, &queued(confirmation, kind, id), &created_at)?;
    let answered = Answered { body_hash, registration_id: id, created_at };
    if let Some(key) = key {
        idempotency::insert(connection, kind, key, &answered)?;
    }
    Ok(Registered { id, created_at: answered.created_at })
}

/// The same registration again is answered as the first time; another one under its key is refused.
fn repeated(answered: Answered, body_hash: &[u8]) -> Result<Registered> {
    if answered.body_hash == body_hash {
        return Ok(Registered { id: answered.registration_id, created_at: answered.created_at });
    }
    Err(Error::Conflict("This Idempotency-Key was used for another registration.".into()))
}

fn queued(confirmation: &Message, kind: Kind, id: i64) -> outbox::NewMail<'_> {
    outbox::NewMail {
        cause: format!("confirmation/{kind}/{id}"),
        message_id: &confirmation.message_id,
        subject_of: Some((kind, id)),
        recipient: &confirmation.to,
        subject: &confirmation.subject,
        body_text: &confirmation.text,
        body_html: &confirmation.html,
    }
}

/// Tells two registrations apart: the hash of every normalised value, with its field.
fn hash(record: &Record) -> Vec<u8> {
    let mut digest = Sha256::new();
    for (field, value) in record.fields() {
        digest.update(format!("{}={value:?}\n", field.name));
    }
    digest.finalize().to_vec()
}
