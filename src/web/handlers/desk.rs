//! The rooms of the organiser's desk: outbox, audit log, backups, tallies, and what needs a look.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{NaiveDate, Utc};
use http::StatusCode;
use serde_json::{Value, json};
use warp::Reply;
use warp::reply::Response;

use super::blocking;
use crate::correct::{self, Correction};
use crate::error::{Error, Result};
use crate::session::Session;
use crate::store::audit;
use crate::store::outbox::State;
use crate::web::desk::Desk;
use crate::web::paging::Paging;
use crate::{attention, backups, days, outbox};

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

/// `GET /api/backups` → `{items, everyHours, keep, folder}`.
pub async fn backups(desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    session?;
    Ok(warp::reply::json(&blocking(&desk.app, |app| backups::shown(&app.config)).await?))
}

/// `POST /api/backups` makes one now → the list.
pub async fn back_up(desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    let session = session?;
    let list = blocking(&desk.app, move |app| {
        backups::make_by_hand(app, &session.username, Utc::now())?;
        backups::shown(&app.config)
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
    Ok(warp::reply::json(&blocking(&desk.app, move |app| days::tally(app, from, to)).await?))
}

/// `GET /api/attention` → `{items: [{room, path, sentence}], samples: [key], new: {speakerApplications: 3, …}}`.
pub async fn attention(desk: Arc<Desk>, session: Result<Session>) -> Result<impl Reply> {
    session?;
    let answer = blocking(&desk.app, |app| {
        let (items, new) = app.store.read(|connection| {
            Ok((attention::matters(app, connection)?, attention::new_ones(connection)?))
        })?;
        Ok(json!({ "items": items, "samples": app.content().samples(), "new": new }))
    });
    Ok(warp::reply::json(&answer.await?))
}
