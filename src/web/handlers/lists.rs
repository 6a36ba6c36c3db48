//! The organiser's lists.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};
use warp::Reply;

use super::blocking;
use crate::error::{Error, Result};
use crate::export;
use crate::model::Kind;
use crate::review::{self, Change};
use crate::search;
use crate::session::Session;
use crate::store::registrations::{self, Filter, Found, Page};
use crate::web::desk::Desk;
use crate::web::paging::Paging;

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
    let record = blocking(&desk.app, move |app| review::shown(app, kind, id)).await?;
    Ok(warp::reply::json(&record))
}

/// `GET /api/<kind>/<id>/decision-mail?status=` → the mail that would go with this status.
pub async fn decision_mail(
    kind: Kind,
    id: i64,
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<impl Reply> {
    session?;
    let status = review::settable(query.get("status").map_or("", String::as_str))?;
    let mail = blocking(&desk.app, move |app| review::preview(app, kind, id, status)).await?;
    Ok(warp::reply::json(
        &json!({ "recipient": mail.to, "subject": mail.subject, "text": mail.body.text()? }),
    ))
}

/// `PATCH /api/<kind>/<id> {status?, note?, mail?}` → the record as it is then.
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
        review::shown(app, kind, id)
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
