//! Everything that is stored about one person.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Value, json};

use super::{find, nobody};
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::{EmailAddress, by_summary_key};
use crate::judging::personal::{self, JudgeData};
use crate::judging::relations::{self, Relation};
use crate::judging::score_sheet::{self, ScoreSheet};
use crate::mail::outbox::body;
use crate::mailings::unsubscribe;
use crate::model::{Actor, EntryId, Kind};
use crate::portal;
use crate::portal::access::Artist;
use crate::portal::nominations::{SignedRelease, StoredNomination};
use crate::registrations::review::{self, Details};
use crate::store::portal::media::Medium;
use crate::store::ticket_transfers::Transfer;
use crate::store::{audit, door, outbox, receipts, ticket_transfers as transfers};
use crate::time;

/// Everything that is stored about one address.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonalData {
    pub email: EmailAddress,
    /// RFC 3339, UTC.
    pub exported_at: String,
    #[serde(serialize_with = "by_summary_key")]
    pub registrations: BTreeMap<Kind, Vec<Registration>>,
    pub mails: Vec<Value>,
    /// Whether the person gets no group mail any more.
    pub unsubscribed: bool,
    pub ticket_offers: Vec<Value>,
    pub tickets: Vec<Value>,
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
    nominations: Option<Vec<Value>>,
}

/// A nomination with what is stored of its photos and its release; the photos themselves are the person's own. It has the
/// score sheet once the results are published.
fn nomination(
    StoredNomination { nomination, media, release }: StoredNomination,
    score_sheet: Option<ScoreSheet>,
) -> Value {
    let photo = |medium: Medium| {
        json!({
            "slot": medium.slot,
            "createdAt": medium.created_at,
            "sha256": medium.sha256,
            "bytes": medium.bytes,
            "takenAt": medium.taken_at,
            "software": medium.software,
        })
    };
    let release = release.map(|SignedRelease { signed_at, signature }| {
        let mut release = json!({
            "signedAt": signed_at,
            "version": signature.version,
            "name": signature.name,
            "adult": signature.adult,
            "guardian": signature.guardian,
            "signature": signature.mark,
        });
        // Who confirmed it from the photo of a paper.
        if let Some(confirmed_by) = signature.confirmed_by {
            release["confirmedBy"] = confirmed_by.into();
        }
        release
    });
    json!({
        "code": nomination.code,
        "createdAt": nomination.created_at,
        "category": nomination.category,
        "subCategory": nomination.sub_category,
        "state": nomination.state,
        "handedInAt": nomination.handed_in_at,
        "reason": nomination.reason,
        "photos": media.into_iter().map(photo).collect::<Vec<_>>(),
        "release": release,
        "scoreSheet": score_sheet,
    })
}

/// A ticket that was offered to the person.
fn ticket_offer(transfer: &Transfer) -> Value {
    let Transfer { created_at, state, name, answered_at, .. } = transfer;
    json!({ "name": name, "state": state, "createdAt": created_at, "answeredAt": answered_at })
}

/// The person's tickets, with when their holders came in.
fn tickets_of(connection: &Connection, email: &str, found: &[(Kind, i64)]) -> Result<Vec<Value>> {
    let with_scans = |ticket: door::Ticket| {
        let scans = door::scans_of(connection, ticket.id)?.into_iter();
        let scan = |scan: door::Scan| json!({ "at": scan.at, "list": scan.list, "device": scan.device });
        let attendee = ticket.attendee;
        Ok(json!({
            "code": ticket.code,
            "createdAt": ticket.created_at,
            "role": attendee.role,
            "name": attendee.name,
            "business": attendee.business,
            "note": attendee.note,
            "seat": attendee.seat,
            "voidReason": ticket.void_reason,
            "scans": scans.map(scan).collect::<Vec<_>>(),
        }))
    };
    door::of_person(connection, email, found)?.into_iter().map(with_scans).collect()
}

/// Everything that is stored about an address, or [`Error::NotFound`] if nothing is.
pub fn export(app: &App, actor: &Actor, email: &EmailAddress) -> Result<PersonalData> {
    let (found, mails, offers, tickets, judge, unsubscribed) = app.store.read(|connection| {
        let found = find(connection, email)?;
        let tickets = tickets_of(connection, email.as_str(), &found)?;
        Ok((
            found,
            mails_of(connection, email)?,
            transfers::to(connection, email.as_str())?,
            tickets,
            personal::of_judge(connection, email.as_str())?,
            unsubscribe::has_unsubscribed(connection, email.as_str())?,
        ))
    })?;
    let is_unknown = found.is_empty() && mails.is_empty() && offers.is_empty() && tickets.is_empty();
    if is_unknown && judge.is_none() && !unsubscribed {
        return Err(nobody(email));
    }
    record_export(app, actor, found.len(), mails.len());
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
        ticket_offers: offers.iter().map(ticket_offer).collect(),
        tickets,
        relations: relations::of_person(app, email.as_str())?,
        judge,
    })
}

fn nominations_of(app: &App, email: &EmailAddress, entry: EntryId) -> Result<Vec<Value>> {
    let artist = Artist { email: email.to_string() };
    let nominations = app.store.read(|connection| portal::nominations::of_entry(connection, entry))?;
    let with_score_sheet = |stored: StoredNomination| {
        let score_sheet = match score_sheet::get(app, &artist, stored.nomination.id) {
            Err(Error::NotFound(_)) => None,
            score_sheet => Some(score_sheet?),
        };
        Ok(nomination(stored, score_sheet))
    };
    nominations.into_iter().map(with_score_sheet).collect()
}

/// Does not name the address, because it must not stay in the audit log after an erasure.
fn record_export(app: &App, actor: &Actor, registrations: usize, mails: usize) {
    app.store.write_audit_line("the export of a person", |connection| {
        let detail = json!({ "registrations": registrations, "mails": mails });
        audit::record(connection, actor, "person exported", &detail)
    });
}

/// The emails to the person, as they were or will be sent.
fn mails_of(connection: &Connection, email: &EmailAddress) -> Result<Vec<Value>> {
    let text_of = |mail: outbox::StoredMail| {
        let text = body(&mail).text()?;
        Ok(json!({
            "createdAt": mail.created_at,
            "state": mail.state,
            "sentAt": mail.sent_at,
            "subject": mail.subject,
            "text": text,
        }))
    };
    outbox::list_by_recipient(connection, email)?.into_iter().map(text_of).collect()
}
