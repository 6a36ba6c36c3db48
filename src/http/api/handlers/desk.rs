//! The rooms of the organiser's desk: outbox, audit log, backups, tallies, and what needs a look.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{NaiveDate, Utc};
use http::StatusCode;
use serde_json::{Value, json};
use warp::Reply;
use warp::reply::Response;

use super::blocking;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::api::fields::Fields;
use crate::http::api::paging::Paging;
use crate::http::api::state::Desk;
use crate::mail::outbox;
use crate::model::Kind;
use crate::ops::health::attention;
use crate::ops::{backups, storage};
use crate::registrations::correct::{self, Correction};
use crate::registrations::daily_counts;
use crate::site::openings;
use crate::store::audit;
use crate::store::outbox::State;
use crate::store::sizes;

/// What takes the room of the database is counted anew after this long.
const PARTS_KEPT: Duration = Duration::from_secs(600);

/// `GET /api/outbox?state= &page= &pageSize=`.
pub async fn mails(
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<impl Reply> {
    session?;
    let state =
        query.get("state").filter(|word| !word.is_empty()).map(|word| word.parse::<State>()).transpose();
    let state = state.map_err(|words| Error::Malformed(format!("{words}.")))?;
    let paging = Paging::of(&query)?;
    let (items, counts) =
        blocking(&desk.app, move |app| outbox::page(app, state, paging.size, paging.offset())).await?;
    let total = match state {
        Some(state) => counts[state.as_str()].clone(),
        None => counts.values().filter_map(Value::as_i64).sum::<i64>().into(),
    };
    let (page, size) = (paging.number, paging.size);
    Ok(warp::reply::json(
        &json!({ "items": items, "total": total, "page": page, "pageSize": size, "counts": counts }),
    ))
}

/// `GET /api/outbox/<id>` → the mail with its text and the names of its files.
pub async fn mail(id: i64, desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    session?;
    Ok(warp::reply::json(&blocking(&desk.app, move |app| outbox::shown(app, id)).await?))
}

/// `GET /api/outbox/<id>/html` → the mail as it is sent, for a frame of our own page.
pub async fn mail_html(id: i64, desk: Arc<Desk>, session: Result<Session>) -> Result<Response> {
    session?;
    Ok(super::mail_html(blocking(&desk.app, move |app| outbox::html(app, id)).await?))
}

/// `POST /api/outbox/<id>/retry` → the mail; `POST /api/outbox/retry` → how many.
pub async fn retry(id: Option<i64>, desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    let session = session?;
    let answer = blocking(&desk.app, move |app| {
        let count = outbox::retry(app, &session.username, id)?;
        id.map_or_else(|| Ok(json!({ "count": count })), |id| outbox::shown(app, id))
    });
    Ok(warp::reply::json(&answer.await?))
}

/// `POST /api/outbox/<id>/discard` → the mail.
pub async fn discard(id: i64, desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    let session = session?;
    let mail = blocking(&desk.app, move |app| {
        outbox::discard(app, &session.username, id)?;
        outbox::shown(app, id)
    });
    Ok(warp::reply::json(&mail.await?))
}

/// `POST /api/outbox/<id>/correct {email}` → the mail that goes to the corrected address.
pub async fn correct_mail(
    id: i64,
    desk: Arc<Desk>,
    session: Result<Session>,
    body: Result<Value>,
) -> Result<impl Reply> {
    let session = session?;
    let correction = Correction::parse(&body?)?;
    let mail = blocking(&desk.app, move |app| {
        let again = correct::mail(app, &session.username, id, correction)?;
        outbox::shown(app, again)
    });
    Ok(warp::reply::json(&mail.await?))
}

/// `GET /api/audit?actor= &action= &page= &pageSize=`.
pub async fn audit(
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<impl Reply> {
    session?;
    let paging = Paging::of(&query)?;
    let asked = |name: &str| query.get(name).filter(|value| !value.is_empty()).cloned();
    let only = audit::Only { actor: asked("actor"), action: asked("action") };
    let (items, total, words) = blocking(&desk.app, move |app| {
        app.store.read(|connection| {
            let items = audit::list(connection, &only, paging.size, paging.offset())?;
            Ok((items, audit::count(connection, &only)?, audit::words(connection)?))
        })
    })
    .await?;
    let (page, size) = (paging.number, paging.size);
    Ok(warp::reply::json(&json!({
        "items": items, "total": total, "page": page, "pageSize": size, "actors": words.0, "actions": words.1,
    })))
}

/// `GET /api/openings` → `{items: [{kind, open, message, closedByHand}]}`.
pub async fn openings(desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    session?;
    Ok(warp::reply::json(&blocking(&desk.app, listed_openings).await?))
}

/// `POST /api/openings/<kind> {open, message?}` closes a form, or takes that back → the list.
pub async fn set_opening(
    kind: Kind,
    desk: Arc<Desk>,
    session: Result<Session>,
    body: Result<Value>,
) -> Result<impl Reply> {
    let (session, body) = (session?, Fields::of(&body?)?);
    let open = body.flag("open")?.ok_or_else(|| Error::field("open", "Please send true or false"))?;
    let message = body.text("message")?.unwrap_or_default();
    let list = blocking(&desk.app, move |app| {
        openings::set(app, &session.username, kind, open, &message)?;
        listed_openings(app)
    });
    Ok(warp::reply::json(&list.await?))
}

fn listed_openings(app: &App) -> Result<Value> {
    let item = |state: openings::State| {
        json!({
            "kind": state.kind.as_str(), "open": state.open, "message": state.message,
            "closedByHand": state.closed_by_hand,
        })
    };
    Ok(json!({ "items": openings::list(app)?.into_iter().map(item).collect::<Value>() }))
}

/// `GET /api/backups` → `{items, everyHours, keep, folder}`.
pub async fn backups(desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    session?;
    Ok(warp::reply::json(&blocking(&desk.app, |app| backups::to_json(&app.config)).await?))
}

/// `POST /api/backups` makes one now → the list.
pub async fn back_up(desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    let session = session?;
    let list = blocking(&desk.app, move |app| {
        backups::make_by_hand(app, &session.username, Utc::now())?;
        backups::to_json(&app.config)
    });
    Ok(warp::reply::with_status(warp::reply::json(&list.await?), StatusCode::CREATED))
}

/// `GET /api/tallies?from= &to=` → registrations and revenue by day and by category.
pub async fn tallies(
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<impl Reply> {
    session?;
    let day = |name: &str| {
        let asked = query.get(name).filter(|value| !value.is_empty());
        asked.map(|text| text.parse::<NaiveDate>()).transpose()
    };
    let no_day = |_| Error::Malformed("from and to are days like 2026-03-28.".into());
    let (from, to) = (day("from").map_err(no_day)?, day("to").map_err(no_day)?);
    Ok(warp::reply::json(&blocking(&desk.app, move |app| daily_counts::tally(app, from, to)).await?))
}

/// `GET /api/storage` → `{bytes, freeBytes, earlier: {day, bytes}?, parts: [{name, bytes}]}`. The parts are counted
/// every ten minutes at most, since that reads all rows.
pub async fn storage(desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    session?;
    let size = blocking(&desk.app, |app| storage::size(app, Utc::now().date_naive())).await?;
    let mut counted = desk.parts.lock().await;
    let parts = match counted.as_ref().filter(|(at, _)| at.elapsed() < PARTS_KEPT) {
        Some((_, parts)) => parts.clone(),
        None => {
            let parts = blocking(&desk.app, |app| app.store.read(sizes::parts)).await?;
            counted.insert((Instant::now(), parts)).1.clone()
        }
    };
    let parts: Value = parts.iter().map(|part| json!({ "name": part.name, "bytes": part.bytes })).collect();
    let earlier = size.earlier.map(|(day, bytes)| json!({ "day": day, "bytes": bytes }));
    Ok(warp::reply::json(
        &json!({ "bytes": size.bytes, "freeBytes": size.free_bytes, "earlier": earlier, "parts": parts }),
    ))
}

/// `GET /api/attention` → `{items: [{room, path, sentence}], samples: [key], new: {speakerApplications: 3, …}}`.
pub async fn attention(desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    session?;
    let answer = blocking(&desk.app, |app| {
        let (items, new) = app.store.read(|connection| {
            Ok((attention::matters(app, connection)?, attention::count_new(connection)?))
        })?;
        Ok(json!({ "items": items, "samples": app.content().samples(), "new": new }))
    });
    Ok(warp::reply::json(&answer.await?))
}
