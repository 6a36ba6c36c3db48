//! The organiser's lists of registrations, and single registrations.

use serde::Serialize;
use serde_json::{Value, json};
use warp::reply::Response;

use super::call::{Call, email_html, ok};
use super::fields::Fields;
use super::paging::Paging;
use super::precondition;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms;
use crate::mail::Message;
use crate::model::{Cents, EntryId, Expected, Kind, NominationState, Status};
use crate::payments;
use crate::portal::nominations::Nomination;
use crate::registrations::correct::{self, Correction};
use crate::registrations::export;
use crate::registrations::review::{self, Change, Details};
use crate::registrations::{search, ticket_transfers, version};
use crate::store::door::sponsor_places;
use crate::store::portal::nominations;
use crate::store::registrations::{self, Filter, Page};
use crate::store::ticket_transfers::Transfer;
use crate::time;

/// `GET /api/search?q=` → `{items}`, newest first.
pub async fn search(call: Call, _session: Session) -> Result<Response> {
    let text = call.query.get("q").cloned().unwrap_or_default();
    let found = call.run(move |app| search::search(app, &text)).await?;
    Ok(ok(&json!({ "items": found })))
}

/// `GET /api/<kind>?search= &status= &category= &sort= &page= &pageSize=` → `{items, total, page, pageSize}`.
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    let kind = call.kind();
    let due_before = call.state.app.due_before(kind, time::now());
    let filter = Filter {
        status: call.query_value("status"),
        due_before,
        search: call.query_value("search"),
        category: call.query_value("category"),
        ..Filter::default()
    };
    if let Some(category) = &filter.category {
        export::require_category(&call.state.app.content(), Some(kind), category)?;
    }
    if let Some(status) = &filter.status {
        export::require_status(Some(kind), status)?;
    }
    let paging = Paging::parse(&call.query)?;
    let page = page(kind, call.query_value("sort").as_deref().unwrap_or("-createdAt"), paging)?;
    let (items, total) = call
        .run(move |app| {
            app.store.read(|connection| {
                let mut items: Vec<Value> = Vec::new();
                registrations::page(connection, kind, &filter, &page, |cells| {
                    items.push(export::row_as_json(kind, cells).into());
                    Ok(())
                })?;
                // If the first page is not full, its length is the total.
                let total = match i64::try_from(items.len()).unwrap_or(i64::MAX) {
                    all if paging.number == 1 && all < i64::from(paging.size) => all,
                    _ => registrations::count(connection, kind, &filter)?,
                };
                Ok((items, total))
            })
        })
        .await?;
    Ok(paging.answer(&items, total))
}

/// `GET /api/<kind>/<id>` → the complete record with its history.
pub async fn show(call: Call, _session: Session) -> Result<Response> {
    let (kind, id) = (call.kind(), call.id());
    changed_record(&call, kind, id, |_| Ok(())).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    #[serde(flatten)]
    details: Details,
    /// The statuses for which the person can be sent an email.
    #[serde(rename = "letters")]
    emailed_statuses: Vec<Status>,
    /// Only for sponsors: how many people may come.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<i64>,
    #[serde(flatten)]
    entry: Option<EntryDetails>,
}

/// What only an entry has.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryDetails {
    /// Who has the ticket, if that is not the entrant.
    ticket_holder: Option<TransferDetails>,
    ticket_offer: Option<TransferDetails>,
    /// For a paid entry with additional categories: the price of one of them, with tax.
    #[serde(skip_serializing_if = "Option::is_none")]
    one_category_cents: Option<Cents>,
    /// The categories, with their codes.
    nominations: Vec<NominationLine>,
    /// A part was refunded at the payment provider, and no category was withdrawn.
    refunded_elsewhere: bool,
}

#[derive(Serialize)]
struct NominationLine {
    id: i64,
    code: String,
    label: String,
    state: NominationState,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TransferDetails {
    name: String,
    email: String,
    created_at: String,
    answered_at: Option<String>,
}

impl From<Transfer> for TransferDetails {
    fn from(transfer: Transfer) -> TransferDetails {
        let Transfer { created_at, name, email, answered_at, .. } = transfer;
        TransferDetails { name, email, created_at, answered_at }
    }
}

/// A record as an organiser reads it, and its version.
fn record(app: &App, kind: Kind, id: i64) -> Result<(Record, String)> {
    // Read first: a record that changes in between has an older version, which a save then refuses.
    let version = app.store.read(|connection| version::current(connection, kind, id))?;
    let places = match kind {
        Kind::SponsorApplications => Some(app.store.read(|connection| sponsor_places(connection, id))?),
        _ => None,
    };
    let entry = match kind {
        Kind::CompetitionEntries => Some(entry_details(app, EntryId(id))?),
        _ => None,
    };
    let details = review::details(app, kind, id)?;
    let emailed_statuses = review::statuses_with_email(app, kind, id)?;
    Ok((Record { details, emailed_statuses, places, entry }, version))
}

fn entry_details(app: &App, id: EntryId) -> Result<EntryDetails> {
    let transfers = ticket_transfers::get(app, id.0)?;
    Ok(EntryDetails {
        ticket_holder: transfers.holder.map(TransferDetails::from),
        ticket_offer: transfers.offered.map(TransferDetails::from),
        one_category_cents: payments::one_category_cents(app, id)?,
        nominations: nominations_of(app, id)?,
        refunded_elsewhere: payments::is_refunded_elsewhere(app, id)?,
    })
}

fn nominations_of(app: &App, entry_id: EntryId) -> Result<Vec<NominationLine>> {
    let content = app.content();
    let found = app.store.read(|connection| nominations::of_entry(connection, entry_id))?;
    let line = |found: Nomination| NominationLine {
        id: found.id,
        label: content.nomination(&found.category, &found.sub_category),
        code: found.code,
        state: found.state,
    };
    Ok(found.into_iter().map(line).collect())
}

/// Runs a change and answers with the changed record; with `412` and the current record if another version was
/// expected.
pub async fn changed_record(
    call: &Call,
    kind: Kind,
    id: i64,
    change: impl FnOnce(&App) -> Result<()> + Send + 'static,
) -> Result<Response> {
    call.run(move |app| precondition::after(change(app), || record(app, kind, id))).await
}

/// `412` with the current record.
pub fn changed(app: &App, kind: Kind, id: i64) -> Result<Response> {
    record(app, kind, id).map(|(record, version)| precondition::changed(&record, &version))
}

/// `GET /api/<kind>/<id>/decision-mail?status= &personalLine=` → a preview of the email that this status would send.
pub async fn decision_mail(call: Call, _session: Session) -> Result<Response> {
    let (mail, warning) = preview(&call).await?;
    let text = mail.body.text()?;
    Ok(ok(&json!({ "recipient": mail.to, "subject": mail.subject, "text": text, "warning": warning })))
}

/// `GET /api/<kind>/<id>/decision-mail/html?status= &personalLine=` → its HTML, for a frame in the
/// organiser's pages.
pub async fn decision_mail_html(call: Call, _session: Session) -> Result<Response> {
    Ok(email_html(preview(&call).await?.0.body.html()?))
}

/// The email and what the organiser should know before sending it.
async fn preview(call: &Call) -> Result<(Message, Option<String>)> {
    let (kind, id) = (call.kind(), call.id());
    let value = |name: &str| call.query.get(name).map_or("", String::as_str);
    let status = review::settable_status(value("status"))?;
    let line = review::personal_line(value("personalLine"))?;
    call.run(move |app| {
        let mail = review::preview(app, kind, id, status, line.as_deref())?;
        Ok((mail, review::warning(app, kind, id, status)?))
    })
    .await
}

/// `PATCH /api/<kind>/<id> {status?, note?, mail?, personalLine?}` → the updated record.
pub async fn change(mut call: Call, session: Session) -> Result<Response> {
    let (kind, id) = (call.kind(), call.id());
    let fields = Fields::parse(&call.json().await?)?;
    let change = Change {
        status: fields.text("status")?.as_deref().map(review::settable_status).transpose()?,
        note: fields.text("note")?.map(|note| forms::free_text("note", &note)).transpose()?.flatten(),
        mail: fields.flag("mail")?.unwrap_or_default(),
        personal_line: fields
            .text("personalLine")?
            .as_deref()
            .map(review::personal_line)
            .transpose()?
            .flatten(),
        expected: precondition::expected(&call.headers)?,
    };
    changed_record(&call, kind, id, move |app| {
        payments::decide(app, &session.actor(), (kind, id), change).map(drop).map_err(for_organisers)
    })
    .await
}

/// Replaces the sentence for visitors, who can join the waitlist, by one that helps an organiser.
pub fn for_organisers(error: Error) -> Error {
    match error {
        Error::PaymentsOff => Error::ReadOnly(
            "Stripe's keys are not set, so nothing was changed. Ask the person who runs the server to set [stripe] in its configuration."
                .into(),
        ),
        other => other,
    }
}

/// `POST /api/<kind>/<id>/address {email, mails?, confirm?}` → the updated record.
pub async fn correct_address(mut call: Call, session: Session) -> Result<Response> {
    let (kind, id) = (call.kind(), call.id());
    let correction = correction(&call.json().await?, precondition::expected(&call.headers)?)?;
    changed_record(&call, kind, id, move |app| {
        correct::registration(app, &session.actor(), kind, id, correction)
    })
    .await
}

/// Parses `{email, mails?, confirm?}`.
pub fn correction(body: &Value, expected: Expected) -> Result<Correction> {
    let fields = Fields::parse(body)?;
    Ok(Correction {
        email: correct::address(&fields.text("email")?.unwrap_or_default())?,
        mails: fields.list("mails", Value::as_i64)?,
        expected,
        confirm: fields.flag("confirm")?.unwrap_or_default(),
        reason: None,
    })
}

/// `sort` is a field's name; a leading minus sorts in descending order.
fn page(kind: Kind, sort: &str, paging: Paging) -> Result<Page> {
    let (name, descending) = sort.strip_prefix('-').map_or((sort, false), |name| (name, true));
    let sort = registrations::sortable(kind, name)
        .ok_or_else(|| Error::Malformed(format!("{kind} cannot be sorted by '{name}'.")))?;
    Ok(Page { sort, descending, limit: paging.size, offset: paging.offset() })
}
