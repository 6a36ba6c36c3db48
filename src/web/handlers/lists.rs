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
use crate::session::Session;
use crate::store::registrations::{self, Filter, Page};
use crate::web::desk::Desk;

/// Rows on a page, unless asked for otherwise, and at most.
const PAGE_SIZE: u32 = 50;
const MOST: u32 = 500;

/// `GET /api/<kind>?search= &status= &sort= &page= &pageSize=` → `{items, total, page, pageSize}`.
pub async fn list(
    kind: Kind,
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<impl Reply> {
    session?;
    let asked = |name: &str| query.get(name).filter(|value| !value.is_empty()).cloned();
    let filter = Filter { status: asked("status"), search: asked("search"), ..Filter::default() };
    let number = positive(asked("page"), 1)?;
    let size = positive(asked("pageSize"), PAGE_SIZE)?.min(MOST);
    let page = page(kind, asked("sort").as_deref().unwrap_or("-createdAt"), number, size)?;
    let (items, total) = blocking(&desk.app, move |app| {
        app.store.read(|connection| {
            let mut items: Vec<Value> = Vec::new();
            registrations::page(connection, kind, &filter, &page, |cells| {
                items.push(export::record(kind, cells).into());
                Ok(())
            })?;
            Ok((items, registrations::count(connection, kind, &filter)?))
        })
    })
    .await?;
    Ok(warp::reply::json(&json!({ "items": items, "total": total, "page": number, "pageSize": size })))
}

/// `GET /api/<kind>/<id>` → the whole record with its history.
pub async fn show(kind: Kind, id: i64, desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    session?;
    let record = blocking(&desk.app, move |app| review::shown(app, kind, id)).await?;
    Ok(warp::reply::json(&record))
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

/// A whole number of 1 or more.
fn positive(asked: Option<String>, usual: u32) -> Result<u32> {
    match asked.map(|text| text.parse()) {
        None => Ok(usual),
        Some(Ok(number)) if number > 0 => Ok(number),
        Some(_) => Err(Error::Malformed("page and pageSize are whole numbers from 1 on.".into())),
    }
}

/// A field's name sorts upwards, with a minus in front downwards.
fn page(kind: Kind, sort: &str, number: u32, size: u32) -> Result<Page> {
    let (name, descending) = sort.strip_prefix('-').map_or((sort, false), |name| (name, true));
    let sort = registrations::sortable(kind, name)
        .ok_or_else(|| Error::Malformed(format!("{kind} cannot be sorted by '{name}'.")))?;
    Ok(Page { sort, descending, limit: size, offset: (number - 1).saturating_mul(size) })
}
