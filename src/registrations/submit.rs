//! Submits registrations: each is checked, then stored with its audit line and emails in one transaction. An `Ok` means
//! that it is on disk. A suspected bot gets the same answer, but the registration is held for review and not emailed.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::config::Limits;
use crate::error::{Error, Result};
use crate::forms::{self, Record};
use crate::mail;
use crate::mail::outbox::{self, Notices};
use crate::model::{Actor, Kind};
use crate::registrations::invitations;
use crate::registrations::screening::{self, Suspicion};
use crate::site::content::Content;
use crate::store::idempotency::Answered;
use crate::store::registrations::{self, ExtraColumns};
use crate::store::{audit, idempotency};
use crate::time;

/// The longest accepted idempotency key, in bytes.
const MAX_KEY_LENGTH: usize = 255;

/// The field with the token of an invitation from the waitlist.
const INVITATION: &str = "invitation";

/// A submission and its metadata.
#[derive(Debug, Clone, Copy)]
pub struct Submission<'a> {
    pub kind: Kind,
    /// The request's JSON.
    pub body: &'a Value,
    /// The `Idempotency-Key`.
    pub key: Option<&'a str>,
    /// The sender's network sends more at once than people do.
    pub network_is_busy: bool,
    /// The number of forms that the sender's network has sent today, including this one.
    pub number_today: u32,
    pub at: DateTime<Utc>,
}

impl<'a> Submission<'a> {
    /// A submission without a key, received now from a network that is not busy.
    pub fn new(kind: Kind, body: &'a Value) -> Submission<'a> {
        Submission { kind, body, key: None, network_is_busy: false, number_today: 1, at: time::now() }
    }
}

/// The public part of a stored registration.
#[derive(Debug, PartialEq, Eq)]
pub struct Registered {
    pub id: i64,
    /// RFC 3339, UTC.
    pub created_at: String,
}

/// A submission that was checked.
pub enum Checked {
    /// It repeats an earlier one, and gets the same answer.
    Repeated(Registered),
    /// Still to be written, in a transaction.
    New(Box<NewRegistration>),
}

/// Stores a registration of any kind except a competition entry (see `payments`).
///
/// # Errors
/// Those of [`check`] and [`NewRegistration::write`]. [`Error::Unavailable`]: nothing was stored.
pub fn register(app: &App, submission: &Submission<'_>) -> Result<Registered> {
    match check(app, submission)? {
        Checked::Repeated(answered) => Ok(answered),
        Checked::New(registration) => app.store.write(|connection| registration.write(connection)),
    }
}

/// Checks a registration of any kind except a competition entry, and stores nothing.
///
/// # Errors
/// [`Error::Malformed`], [`Error::Invalid`]: see [`forms::parse`]. [`Error::Forbidden`]: the form is
/// closed.
pub fn check(app: &App, submission: &Submission<'_>) -> Result<Checked> {
    if let Some(answered) = answered_before(app, submission)? {
        return Ok(Checked::Repeated(answered));
    }
    let content = app.content();
    require_open(app, &content, submission)?;
    let record = forms::parse(submission.kind, submission.body, &content.offered())?;
    let mut registration = NewRegistration::new(app, submission, record)?;
    if registration.extra.set_aside_reason.is_none() {
        registration.mails = Some(Mails { notices: Notices::new(app, &content) });
    }
    Ok(Checked::New(Box::new(registration)))
}

/// The answer to an earlier request with the same key and the same JSON. It is repeated even if the form has closed or the
/// content has changed since (docs/reference.md, "HTTP").
///
/// # Errors
/// [`Error::Malformed`]: an invalid key.
pub fn answered_before(app: &App, submission: &Submission<'_>) -> Result<Option<Registered>> {
    let Some(key) = submission.key.map(checked_key).transpose()? else { return Ok(None) };
    let answered = app.store.read(|connection| idempotency::find(connection, submission.kind, &key))?;
    let request = hash_of_request(submission.body);
    let answered = answered.filter(|answered| answered.body_hash.ends_with(&request));
    Ok(answered.map(|answered| Registered { id: answered.registration_id, created_at: answered.created_at }))
}

/// Fails with [`Error::Forbidden`], with the organiser's reason and date, if the form is closed.
pub fn require_open(app: &App, content: &Content, submission: &Submission<'_>) -> Result<()> {
    let (kind, now) = (submission.kind, submission.at);
    let Some(message) = content.closed_message(kind, now) else { return Ok(()) };
    if let (Kind::CompetitionEntries, Some(token)) = (kind, submission.body[INVITATION].as_str())
        && invitations::opens_form(app, content, token, now)?
    {
        return Ok(());
    }
    Err(Error::Forbidden(message))
}

pub fn checked_key(key: &str) -> Result<String> {
    if key.is_empty() || key.len() > MAX_KEY_LENGTH {
        return Err(Error::Malformed(format!("An Idempotency-Key has 1 to {MAX_KEY_LENGTH} characters.")));
    }
    Ok(key.to_owned())
}

/// The columns that are not answers, except the earlier registration, which is looked up in the transaction.
fn extra_columns(content: &Content, submission: &Submission<'_>, record: &Record) -> ExtraColumns {
    let Submission { kind, body, network_is_busy, .. } = *submission;
    let suspicion = screening::suspicion(record, body, network_is_busy);
    ExtraColumns {
        phone: record.phone(),
        instagram: record.instagram(),
        agreed_to: content.agreed_to(kind, body),
        set_aside_reason: suspicion.map(Suspicion::as_str),
        ..ExtraColumns::default()
    }
}

/// The emails that a registration causes.
pub struct Mails {
    /// `None` if the organiser wants no notices.
    notices: Option<Notices>,
}

/// A checked registration and everything else that the transaction writes.
pub struct NewRegistration {
    pub content: Arc<Content>,
    pub public_url: String,
    pub record: Record,
    pub extra: ExtraColumns,
    /// `None` if it is held for review or confirmed later.
    pub mails: Option<Mails>,
    key: Option<String>,
    body_hash: Vec<u8>,
    number_today: u32,
    at: DateTime<Utc>,
    created_at: String,
    limits: Limits,
    /// The token of the invitation with which an entry is made.
    invitation: Option<String>,
}

impl NewRegistration {
    /// A checked registration without emails.
    ///
    /// # Errors
    /// [`Error::Malformed`]: an invalid key.
    pub fn new(app: &App, submission: &Submission<'_>, record: Record) -> Result<NewRegistration> {
        let content = app.content();
        let extra = extra_columns(&content, submission, &record);
        Ok(NewRegistration {
            public_url: app.public_url(),
            extra,
            mails: None,
            key: submission.key.map(checked_key).transpose()?,
            body_hash: [hash_of_record(&record), hash_of_request(submission.body)].concat(),
            number_today: submission.number_today,
            at: submission.at,
            created_at: time::stored(submission.at),
            limits: app.config.limits.clone(),
            invitation: submission.body[INVITATION].as_str().map(str::to_owned),
            content,
            record,
        })
    }

    /// Writes it within the caller's transaction. A repeat under its key writes nothing.
    ///
    /// # Errors
    /// [`Error::Conflict`]: the key was used for another registration.
    pub fn write(mut self, connection: &Connection) -> Result<Registered> {
        let kind = self.record.kind();
        if let Some(key) = &self.key
            && let Some(answered) = idempotency::find(connection, kind, key)?
        {
            return repeated(answered, &self.body_hash);
        }
        let address = self.record.email();
        let earlier = registrations::earlier(connection, kind, &address)?;
        self.extra.earlier_id = earlier.as_ref().map(|earlier| earlier.id);
        if self.mails.is_some() && !outbox::may_confirm(connection, &self.limits, kind, &address, self.at)? {
            self.mails = None;
            self.extra.set_aside_reason = Some(Suspicion::RepeatedAddress.as_str());
        }
        let id = registrations::insert(connection, &self.record, &self.extra, &self.created_at)?;
        let line = audit::Line { actor: &Actor::Visitor, action: "registered", subject: Some((kind, id)) };
        audit::insert(connection, &self.created_at, &line)?;
        if let (Kind::CompetitionEntries, Some(token)) = (kind, &self.invitation) {
            invitations::record_entry(connection, token, id, &self.created_at)?;
        }
        if let Some(mails) = &self.mails {
            self.queue(connection, mails, id, earlier.as_ref().map(|earlier| earlier.created_at.as_str()))?;
        }
        let answered =
            Answered { body_hash: self.body_hash, registration_id: id, created_at: self.created_at };
        if let Some(key) = &self.key {
            idempotency::insert(connection, kind, key, &answered)?;
        }
        Ok(Registered { id, created_at: answered.created_at })
    }

    fn queue(&self, connection: &Connection, mails: &Mails, id: i64, earlier: Option<&str>) -> Result<()> {
        let confirmation = mail::confirmation(&self.content, &self.public_url, &self.record, id, earlier)?;
        outbox::queue_confirmation(connection, &self.record, id, &confirmation, self.at, self.number_today)?;
        let Some(notices) = &mails.notices else { return Ok(()) };
        notices.queue(connection, &self.content, &self.public_url, &self.record, id, self.at)
    }
}

/// Answers a repeated registration like the first one and refuses another one under its key. Records are compared, not
/// JSON: a repeat may write the same values differently.
fn repeated(answered: Answered, body_hash: &[u8]) -> Result<Registered> {
    if answered.body_hash.get(..HASH_BYTES) == body_hash.get(..HASH_BYTES) {
        return Ok(Registered { id: answered.registration_id, created_at: answered.created_at });
    }
    Err(Error::Conflict("This Idempotency-Key was used for another registration.".into()))
}

/// The length of a SHA-256. A key is stored with the hash of its record followed by the hash of its request.
const HASH_BYTES: usize = 32;

/// The hash of a request's JSON, independent of the order of its keys.
fn hash_of_request(body: &Value) -> Vec<u8> {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Object(fields) => {
                let by_name: BTreeMap<&String, Value> =
                    fields.iter().map(|(name, value)| (name, sorted(value))).collect();
                by_name.into_iter().map(|(name, value)| (name.clone(), value)).collect()
            }
            Value::Array(items) => items.iter().map(sorted).collect(),
            other => other.clone(),
        }
    }
    Sha256::digest(sorted(body).to_string()).to_vec()
}

/// The hash of a record's normalised values with their fields.
fn hash_of_record(record: &Record) -> Vec<u8> {
    let mut digest = Sha256::new();
    for (field, value) in record.fields() {
        digest.update(format!("{}={value:?}\n", field.name));
    }
    digest.finalize().to_vec()
}

#[cfg(test)]
mod tests;
