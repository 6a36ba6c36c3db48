//! Exports or erases one person's data. The law requires us to keep payment records, so they stay without the person's
//! data. Everything else is deleted, and the database file is checked for it.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;

use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::{EmailAddress, by_summary_key};
use crate::judging;
use crate::judging::personal::{self, JudgeData};
use crate::judging::relations::{self, Relation};
use crate::judging::score_sheet::{self, ScoreSheet};
use crate::mail::outbox::body;
use crate::mailings::unsubscribe;
use crate::model::{Actor, EntryId, Kind, NominationState, TransferState};
use crate::payments;
use crate::portal;
use crate::portal::access::Artist;
use crate::portal::nominations::{SignedRelease, Stored};
use crate::registrations::review::{self, Details};
use crate::store::outbox::State;
use crate::store::registrations::person;
use crate::store::tickets::Transfer;
use crate::store::{
    audit, erasure, idempotency, mailings, outbox, payment_findings, receipts, redact, refunds, reviews,
    tickets,
};
use crate::time;

/// What was erased.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Erased {
    pub registrations: usize,
    /// Entries that were or may still be paid, which are kept without the person's data.
    pub payments_kept: usize,
    pub mails: usize,
    /// Texts about other people from which the address was removed.
    pub texts: usize,
}

/// Everything that is stored about one address.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonalData {
    pub email: EmailAddress,
    /// RFC 3339, UTC.
    pub exported_at: String,
    #[serde(serialize_with = "by_summary_key")]
    pub registrations: BTreeMap<Kind, Vec<Registration>>,
    pub mails: Vec<MailText>,
    /// Whether the person gets no group mail any more.
    pub unsubscribed: bool,
    pub ticket_offers: Vec<TicketOffer>,
    /// What the person said about judges in the Artist Portal.
    pub relations: Vec<Relation>,
    /// What is stored of the person as a judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeData>,
}

/// A registration with its history.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Registration {
    #[serde(flatten)]
    details: Details,
    /// Of an entry: what the person added to the receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt_details: Option<receipts::Details>,
    /// Of an entry: what was handed in through the Artist Portal.
    #[serde(skip_serializing_if = "Option::is_none")]
    nominations: Option<Vec<Nomination>>,
}

/// A nomination with what is stored of its photos and its release. The photos themselves are the person's own.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Nomination {
    code: String,
    created_at: String,
    category: String,
    sub_category: String,
    state: NominationState,
    handed_in_at: Option<String>,
    reason: Option<String>,
    photos: Vec<Photo>,
    release: Option<Release>,
    /// Once the results are published.
    score_sheet: Option<ScoreSheet>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Photo {
    slot: String,
    created_at: String,
    sha256: String,
    bytes: i64,
    taken_at: Option<String>,
    software: Option<String>,
}

/// The release that a model signed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    signed_at: String,
    version: String,
    name: String,
    adult: bool,
    guardian: Option<String>,
    signature: String,
}

impl Nomination {
    fn new(Stored { nomination, media, release }: Stored, score_sheet: Option<ScoreSheet>) -> Nomination {
        let photos = media.into_iter().map(|medium| Photo {
            slot: medium.slot,
            created_at: medium.created_at,
            sha256: medium.sha256,
            bytes: medium.bytes,
            taken_at: medium.taken_at,
            software: medium.software,
        });
        let release = release.map(|SignedRelease { signed_at, signature }| Release {
            signed_at,
            version: signature.version,
            name: signature.name,
            adult: signature.adult,
            guardian: signature.guardian,
            signature: signature.signature,
        });
        Nomination {
            code: nomination.code,
            created_at: nomination.created_at,
            category: nomination.category,
            sub_category: nomination.sub_category,
            state: nomination.state,
            handed_in_at: nomination.handed_in_at,
            reason: nomination.reason,
            photos: photos.collect(),
            release,
            score_sheet,
        }
    }
}

/// A ticket that was offered to the person.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TicketOffer {
    name: String,
    state: TransferState,
    created_at: String,
    answered_at: Option<String>,
}

impl From<Transfer> for TicketOffer {
    fn from(transfer: Transfer) -> TicketOffer {
        let Transfer { created_at, state, name, answered_at, .. } = transfer;
        TicketOffer { name, state, created_at, answered_at }
    }
}

/// An email to the person, as it was or will be sent.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MailText {
    pub created_at: String,
    pub state: State,
    pub sent_at: Option<String>,
    pub subject: String,
    pub text: String,
}

/// # Errors
/// [`Error::NotFound`] if nothing is stored about this address.
pub fn export(app: &App, actor: &Actor, email: &EmailAddress) -> Result<PersonalData> {
    let (found, mails, tickets, judge) = app.store.read(|connection| {
        Ok((
            find(connection, email)?,
            mails_of(connection, email)?,
            tickets::to(connection, email.as_str())?,
            personal::of_judge(connection, email.as_str())?,
        ))
    })?;
    let unsubscribed =
        app.store.read(|connection| unsubscribe::has_unsubscribed(connection, email.as_str()))?;
    if found.is_empty() && mails.is_empty() && tickets.is_empty() && judge.is_none() {
        return Err(nobody(email));
    }
    note_export(app, actor, found.len(), mails.len());
    let mut registrations = BTreeMap::<Kind, Vec<Registration>>::new();
    for (kind, id) in found {
        let is_entry = kind == Kind::CompetitionEntries;
        let receipt_details = is_entry
            .then(|| app.store.read(|connection| receipts::details(connection, EntryId(id))))
            .transpose()?;
        let nominations = is_entry.then(|| nominations_of(app, email, EntryId(id))).transpose()?;
        let details = review::details(app, kind, id)?;
        let registration = Registration { details, receipt_details, nominations };
        registrations.entry(kind).or_default().push(registration);
    }
    Ok(PersonalData {
        email: email.clone(),
        exported_at: time::stored(time::now()),
        registrations,
        mails,
        unsubscribed,
        ticket_offers: tickets.into_iter().map(TicketOffer::from).collect(),
        relations: relations::of_person(app, email.as_str())?,
        judge,
    })
}

fn nominations_of(app: &App, email: &EmailAddress, entry: EntryId) -> Result<Vec<Nomination>> {
    let artist = Artist { email: email.to_string() };
    let nominations = app.store.read(|connection| portal::nominations::of_entry(connection, entry))?;
    let with_score_sheet = |stored: Stored| {
        let score_sheet = match score_sheet::of(app, &artist, stored.nomination.id) {
            Err(Error::NotFound(_)) => None,
            score_sheet => Some(score_sheet?),
        };
        Ok(Nomination::new(stored, score_sheet))
    };
    nominations.into_iter().map(with_score_sheet).collect()
}

/// Does not name the address, because it must not stay in the audit log after an erasure.
fn note_export(app: &App, actor: &Actor, registrations: usize, mails: usize) {
    let actor = actor.to_owned();
    app.store.note("the export of a person", move |connection| {
        let line = audit::Line { actor: &actor, action: "person exported", subject: None };
        let detail = json!({ "registrations": registrations, "mails": mails });
        audit::insert_with(connection, &time::stored(time::now()), &line, &detail)
    });
}

/// What [`erase`] would erase.
///
/// # Errors
/// [`Error::NotFound`] if nothing is stored about this address.
pub fn count(app: &App, email: &EmailAddress) -> Result<Erased> {
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
    // Deleted data may still be in the file, and the address in texts about other people.
    let is_there = found != Erased::default() || erasure::contains_address(app.store.path(), email)?;
    if is_there { Ok(found) } else { Err(nobody(email)) }
}

/// Erases a person's registrations with their history, emails and keys, and the address from texts about other people, in
/// one transaction. Then makes sure that the database's file no longer contains the address. Backups keep it until they
/// expire.
///
/// # Errors
/// [`Error::NotFound`] if nothing is stored about this address. [`Error::Failed`]: the file still contains it, and why.
pub fn erase(app: &App, actor: &Actor, email: &EmailAddress) -> Result<Erased> {
    count(app, email)?;
    let erased = erase_records(app, actor, email)?;
    erasure::require_gone(app.store.path(), email)?;
    Ok(erased)
}

/// Everybody of whom something is stored, and when their data is to be erased.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Everybody {
    /// The number of addresses.
    pub people: usize,
    /// The last day of the event, after which everybody can be erased.
    pub last_day: NaiveDate,
    /// The day that the organiser has set.
    pub erase_on: Option<NaiveDate>,
    #[serde(skip)]
    addresses: Vec<EmailAddress>,
}

/// Everybody of whom something is stored, but the organisers themselves.
pub fn everybody(app: &App) -> Result<Everybody> {
    let addresses = app.store.read(|connection| addresses(app, connection))?;
    let content = app.content();
    Ok(Everybody {
        people: addresses.len(),
        last_day: content.event.last_day,
        erase_on: content.erasure_day(),
        addresses,
    })
}

/// Erases everybody of this edition, each as [`erase`] does. When it is interrupted, it can be called again for the rest.
///
/// # Errors
/// [`Error::Conflict`] until the event is over; otherwise as [`erase`].
pub fn erase_everybody(app: &App, actor: &Actor, progress: &mut dyn FnMut(usize)) -> Result<(usize, Erased)> {
    let Everybody { addresses, last_day, .. } = everybody(app)?;
    if app.content().today(time::now()) <= last_day {
        return Err(Error::Conflict(format!(
            "The event lasts until {last_day}. Personal data of everybody can be erased from the day after."
        )));
    }
    let mut total = Erased::default();
    for (done, address) in addresses.iter().enumerate() {
        let erased = erase_records(app, actor, address)?;
        total.registrations += erased.registrations;
        total.payments_kept += erased.payments_kept;
        total.mails += erased.mails;
        total.texts += erased.texts;
        progress(done + 1);
    }
    if !addresses.is_empty() {
        erasure::require_all_gone(app.store.path(), &addresses)?;
    }
    Ok((addresses.len(), total))
}

/// Reports go to the organiser, whose address is a setting.
fn addresses(app: &App, connection: &Connection) -> Result<Vec<EmailAddress>> {
    person::all_addresses(connection, &[app.config.reports.recipient.as_str()])
}

fn erase_records(app: &App, actor: &Actor, email: &EmailAddress) -> Result<Erased> {
    withdraw_payments(app, email)?;
    let (actor, address) = (actor.to_owned(), email.clone());
    app.store.write(move |connection| {
        let found = find(connection, &address)?;
        let mut erased = Erased::default();
        for id in mails_about(connection, &address, &found)? {
            outbox::delete(connection, id)?;
            erased.mails += 1;
        }
        portal::nominations::erase_access(connection, address.as_str())?;
        judging::judges::erase(connection, address.as_str(), person::ERASED)?;
        mailings::forget(connection, address.as_str())?;
        let now = time::stored(time::now());
        for (kind, id) in found {
            if kind == Kind::CompetitionEntries {
                portal::nominations::erase(connection, EntryId(id))?;
                relations::erase(connection, EntryId(id))?;
            }
            reviews::delete_of(connection, kind, id)?;
            idempotency::delete_of(connection, kind, id)?;
            audit::forget_addresses(connection, kind, id, person::ERASED)?;
            audit::forget_answers(connection, kind, id)?;
            if keeps_payment(connection, kind, id)? {
                person::forget(connection, EntryId(id))?;
                refunds::forget_reasons(connection, EntryId(id))?;
                payment_findings::forget_notes(connection, EntryId(id))?;
                receipts::forget(connection, EntryId(id))?;
                erased.payments_kept += 1;
            } else {
                person::delete(connection, kind, id)?;
                erased.registrations += 1;
            }
            let line = audit::Line { actor: &actor, action: "person erased", subject: Some((kind, id)) };
            audit::insert(connection, &now, &line)?;
        }
        erased.texts += tickets::forget(connection, address.as_str())?;
        erased.texts += redact::remove_address(connection, &address)?;
        Ok(erased)
    })
}

/// Cancels unpaid payments: nobody should pay for an erased entry.
fn withdraw_payments(app: &App, email: &EmailAddress) -> Result<()> {
    let entries = app.store.read(|connection| person::ids_of(connection, Kind::CompetitionEntries, email))?;
    for id in entries {
        // The erasure does not wait for the provider. A payment that arrives anyway becomes a finding.
        if let Err(error) = payments::withdraw(app, EntryId(id)) {
            let cause = error.cause().unwrap_or_default();
            tracing::warn!(
                entry = id,
                "the payment of an erased entry could not be cancelled: {error} {cause}"
            );
        }
    }
    Ok(())
}

fn nobody(email: &EmailAddress) -> Error {
    Error::NotFound(format!("We hold no data about {email}."))
}

fn find(connection: &Connection, email: &EmailAddress) -> Result<Vec<(Kind, i64)>> {
    let mut found = Vec::new();
    for kind in Kind::ALL {
        found.extend(person::ids_of(connection, kind, email)?.into_iter().map(|id| (kind, id)));
    }
    Ok(found)
}

fn keeps_payment(connection: &Connection, kind: Kind, id: i64) -> Result<bool> {
    Ok(kind == Kind::CompetitionEntries && person::has_payment(connection, EntryId(id))?)
}

/// The emails to a person or about their registrations, the reports that name these, and emails with the address in an
/// attachment.
fn mails_about(connection: &Connection, email: &EmailAddress, found: &[(Kind, i64)]) -> Result<Vec<i64>> {
    let mut mails = outbox::with_address_in_attachment(connection, email)?;
    mails.extend(outbox::to(connection, email)?.into_iter().map(|mail| mail.id));
    for (kind, id) in found.iter().copied() {
        mails.extend(outbox::about(connection, kind, id)?.into_iter().map(|mail| mail.id));
        mails.extend(outbox::reports_of(connection, kind, id)?);
    }
    mails.sort_unstable();
    mails.dedup();
    Ok(mails)
}

fn mails_of(connection: &Connection, email: &EmailAddress) -> Result<Vec<MailText>> {
    let text_of = |mail: outbox::StoredMail| {
        Ok(MailText {
            text: body(&mail)?.text()?,
            created_at: mail.created_at,
            state: mail.state,
            sent_at: mail.sent_at,
            subject: mail.subject,
        })
    };
    outbox::to(connection, email)?.into_iter().map(text_of).collect()
}
