//! The organiser's lists.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use warp::Reply;
use warp::reply::Response;

use super::{blocking, mail_html};
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::api::paging::Paging;
use crate::http::api::state::Desk;
use crate::mail::Message;
use crate::model::Kind;
use crate::registrations::correct::{self, Correction};
use crate::registrations::export;
use crate::registrations::review::{self, Change};
use crate::registrations::search;
use crate::store::registrations::{self, Filter, Found, Page};

/// `GET /api/search?q=` → `{items}`, the newest first.
pub async fn search(
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<impl Reply> {
    session?;
    let text = query.get("q").cloned().unwrap_or_default();
    let found = blocking(&desk.app, move |app| search::search(app, &text)).await?;
    let items: Vec<Value> = found.iter().map(item).collect();
    Ok(warp::reply::json(&json!({ "items": items })))
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
pub async fn list(
    kind: Kind,
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<impl Reply> {
    session?;
    let asked = |name: &str| query.get(name).filter(|value| !value.is_empty()).cloned();
    let category = asked("category");
    let filter = Filter { status: asked("status"), search: asked("search"), category, ..Filter::default() };
    if let Some(category) = &filter.category {
        export::require_category(&desk.app.content(), Some(kind), category)?;
    }
    if let Some(status) = &filter.status {
        export::require_status(Some(kind), status)?;
    }
    let paging = Paging::of(&query)?;
    let page = page(kind, asked("sort").as_deref().unwrap_or("-createdAt"), paging)?;
    let (items, total) = blocking(&desk.app, move |app| {
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
    Ok(warp::reply::json(
        &json!({ "items": items, "total": total, "page": paging.number, "pageSize": paging.size }),
    ))
}

/// `GET /api/<kind>/<id>` → the whole record with its history.
pub async fn show(kind: Kind, id: i64, desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    session?;
    let record = blocking(&desk.app, move |app| record(app, kind, id)).await?;
    Ok(warp::reply::json(&record))
}

/// The record with its history, and `letters`: the statuses that the person can be told of by mail.
fn record(app: &App, kind: Kind, id: i64) -> Result<Map<String, Value>> {
    let mut record = review::shown(app, kind, id)?;
    record.insert("letters".into(), review::letters(app, kind, id)?.into());
    Ok(record)
}

/// `GET /api/<kind>/<id>/decision-mail?status= &personalLine=` → the mail that would go with this status.
pub async fn decision_mail(
    kind: Kind,
    id: i64,
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<impl Reply> {
    session?;
    let mail = previewed(kind, id, &desk, &query).await?;
    Ok(warp::reply::json(
        &json!({ "recipient": mail.to, "subject": mail.subject, "text": mail.body.text()? }),
    ))
}

/// `GET /api/<kind>/<id>/decision-mail/html?status= &personalLine=` → the same mail's HTML, for a frame of our own page.
pub async fn decision_mail_html(
    kind: Kind,
    id: i64,
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<Response> {
    session?;
    Ok(mail_html(previewed(kind, id, &desk, &query).await?.body.html()?))
}

async fn previewed(kind: Kind, id: i64, desk: &Desk, query: &HashMap<String, String>) -> Result<Message> {
    let given = |name: &str| query.get(name).map_or("", String::as_str);
    let status = review::settable(given("status"))?;
    let line = review::personal_line(given("personalLine"))?;
    blocking(&desk.app, move |app| review::preview(app, kind, id, status, line.as_deref())).await
}

/// `PATCH /api/<kind>/<id> {status?, note?, mail?, personalLine?}` → the record as it is then.
pub async fn change(
    kind: Kind,
    id: i64,
    desk: Arc<Desk>,
    session: Result<Session>,
    body: Result<Value>,
) -> Result<impl Reply> {
    let session = session?;
    let change = Change::parse(&body?)?;
    let record = blocking(&desk.app, move |app| {
        review::change(app, &session.username, kind, id, change)?;
        record(app, kind, id)
    })
    .await?;
    Ok(warp::reply::json(&record))
}

/// `POST /api/<kind>/<id>/address {email, mails?}` → the record as it is then.
pub async fn correct_address(
    kind: Kind,
    id: i64,
    desk: Arc<Desk>,
    session: Result<Session>,
    body: Result<Value>,
) -> Result<impl Reply> {
    let session = session?;
    let correction = Correction::parse(&body?)?;
    let record = blocking(&desk.app, move |app| {
        correct::registration(app, &session.username, kind, id, correction)?;
        record(app, kind, id)
    })
    .await?;
    Ok(warp::reply::json(&record))
}

/// A field's name sorts upwards, with a minus in front downwards.
fn page(kind: Kind, sort: &str, paging: Paging) -> Result<Page> {
    let (name, descending) = sort.strip_prefix('-').map_or((sort, false), |name| (name, true));
    let sort = registrations::sortable(kind, name)
        .ok_or_else(|| Error::Malformed(format!("{kind} cannot be sorted by '{name}'.")))?;
    Ok(Page { sort, descending, limit: paging.size, offset: paging.offset() })
}
