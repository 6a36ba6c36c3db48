//! The organiser's lists.

use serde_json::{Map, Value, json};
use warp::reply::Response;

use super::call::{Call, email_html, ok};
use super::paging::Paging;
use super::precondition;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail::Message;
use crate::model::Kind;
use crate::payments;
use crate::registrations::correct::{self, Correction};
use crate::registrations::export;
use crate::registrations::review::{self, Change};
use crate::registrations::{search, tickets, version};
use crate::store::registrations::{self, Filter, Found, Page};
use crate::store::tickets::Transfer;

/// `GET /api/search?q=` → `{items}`, the newest first.
pub async fn search(call: Call, _session: Session) -> Result<Response> {
    let text = call.query.get("q").cloned().unwrap_or_default();
    let found = call.run(move |app| search::search(app, &text)).await?;
    let items: Vec<Value> = found.iter().map(item).collect();
    Ok(ok(&json!({ "items": items })))
}

fn item(found: &Found) -> Value {
    let mut item = json!({
        "kind": found.kind.as_str(),
        "id": found.id,
        "name": found.name,
        "business": found.business,
        "email": found.email,
        "status": found.status,
        "createdAt": found.created_at,
    });
    if let Some(status) = &found.payment_status {
        item["paymentStatus"] = status.as_str().into();
    }
    item
}

/// `GET /api/<kind>?search= &status= &category= &sort= &page= &pageSize=` → `{items, total, page, pageSize}`.
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    let kind = call.kind();
    let filter = Filter {
        status: call.asked("status"),
        search: call.asked("search"),
        category: call.asked("category"),
        ..Filter::default()
    };
    if let Some(category) = &filter.category {
        export::require_category(&call.state.app.content(), Some(kind), category)?;
    }
    if let Some(status) = &filter.status {
        export::require_status(Some(kind), status)?;
    }
    let paging = Paging::of(&call.query)?;
    let page = page(kind, call.asked("sort").as_deref().unwrap_or("-createdAt"), paging)?;
    let (items, total) = call
        .run(move |app| {
            app.store.read(|connection| {
                let mut items: Vec<Value> = Vec::new();
                registrations::page(connection, kind, &filter, &page, |cells| {
                    items.push(export::record(kind, cells).into());
                    Ok(())
                })?;
                // A first page that is not full is all there is.
                let total = match i64::try_from(items.len()).unwrap_or(i64::MAX) {
                    all if paging.number == 1 && all < i64::from(paging.size) => all,
                    _ => registrations::count(connection, kind, &filter)?,
                };
                Ok((items, total))
            })
        })
        .await?;
    Ok(ok(&json!({ "items": items, "total": total, "page": paging.number, "pageSize": paging.size })))
}

/// `GET /api/<kind>/<id>` → the whole record with its history.
pub async fn show(call: Call, _session: Session) -> Result<Response> {
    let (kind, id) = (call.kind(), call.id());
    changed_record(&call, kind, id, |_| Ok(())).await
}

/// The record with its history, and `letters`: the statuses that the person can be told of by mail; and its version.
fn record(app: &App, kind: Kind, id: i64) -> Result<(Map<String, Value>, String)> {
    // Read first: a record that changes in between has an older version, which a save then refuses.
    let version = app.store.read(|connection| version::of(connection, kind, id))?;
    let mut record = review::details(app, kind, id)?;
    record.insert("letters".into(), review::letters(app, kind, id)?.into());
    if kind == Kind::CompetitionEntries {
        let ticket = tickets::of(app, id)?;
        record.insert("ticketHolder".into(), transfer_json(ticket.holder));
        record.insert("ticketOffer".into(), transfer_json(ticket.offered));
    }
    Ok((record, version))
}

fn transfer_json(transfer: Option<Transfer>) -> Value {
    let json = |transfer: Transfer| {
        let Transfer { created_at, name, email, answered_at, .. } = transfer;
        json!({ "name": name, "email": email, "createdAt": created_at, "answeredAt": answered_at })
    };
    transfer.map_or(Value::Null, json)
}

/// Runs a change and answers with the record as it is then; with `412` and the current record if another version was
/// expected.
pub async fn changed_record(
    call: &Call,
    kind: Kind,
    id: i64,
    change: impl FnOnce(&App) -> Result<()> + Send + 'static,
) -> Result<Response> {
    call.run(move |app| match change(app) {
        Ok(()) => record(app, kind, id).map(|(record, version)| precondition::record(&record, &version)),
        Err(Error::Changed) => {
            record(app, kind, id).map(|(record, version)| precondition::changed(record, &version))
        }
        Err(error) => Err(error),
    })
    .await
}

/// `GET /api/<kind>/<id>/decision-mail?status= &personalLine=` → the mail that would go with this status.
pub async fn decision_mail(call: Call, _session: Session) -> Result<Response> {
    let mail = preview(&call).await?;
    Ok(ok(&json!({ "recipient": mail.to, "subject": mail.subject, "text": mail.body.text()? })))
}

/// `GET /api/<kind>/<id>/decision-mail/html?status= &personalLine=` → the same mail's HTML, for a frame of our own page.
pub async fn decision_mail_html(call: Call, _session: Session) -> Result<Response> {
    Ok(email_html(preview(&call).await?.body.html()?))
}

async fn preview(call: &Call) -> Result<Message> {
    let (kind, id) = (call.kind(), call.id());
    let given = |name: &str| call.query.get(name).map_or("", String::as_str);
    let status = review::settable(given("status"))?;
    let line = review::personal_line(given("personalLine"))?;
    call.run(move |app| review::preview(app, kind, id, status, line.as_deref())).await
}

/// `PATCH /api/<kind>/<id> {status?, note?, mail?, personalLine?}` → the record as it is then.
pub async fn change(mut call: Call, session: Session) -> Result<Response> {
    let (kind, id) = (call.kind(), call.id());
    let mut change = Change::parse(&call.json().await?)?;
    change.expected = precondition::expected(&call.headers)?;
    changed_record(&call, kind, id, move |app| {
        payments::decide(app, &session.actor(), (kind, id), change).map(drop)
    })
    .await
}

/// `POST /api/<kind>/<id>/address {email, mails?}` → the record as it is then.
pub async fn correct_address(mut call: Call, session: Session) -> Result<Response> {
    let (kind, id) = (call.kind(), call.id());
    let mut correction = Correction::parse(&call.json().await?)?;
    correction.expected = precondition::expected(&call.headers)?;
    changed_record(&call, kind, id, move |app| {
        correct::registration(app, &session.actor(), kind, id, correction)
    })
    .await
}

/// A field's name sorts upwards, with a minus in front downwards.
fn page(kind: Kind, sort: &str, paging: Paging) -> Result<Page> {
    let (name, descending) = sort.strip_prefix('-').map_or((sort, false), |name| (name, true));
    let sort = registrations::sortable(kind, name)
        .ok_or_else(|| Error::Malformed(format!("{kind} cannot be sorted by '{name}'.")))?;
    Ok(Page { sort, descending, limit: paging.size, offset: paging.offset() })
}
