//! Emails that are waiting, sent, failed or discarded.

use serde_json::json;
use warp::reply::Response;

use super::call::{Call, email_html, ok};
use super::paging::Paging;
use super::records;
use crate::admin::sessions::Session;
use crate::error::{Error, Result};
use crate::mail::outbox;
use crate::model::Expected;
use crate::registrations::correct;
use crate::store::outbox::{Listed, RETRIED, State};

/// `GET /api/outbox?state= &page= &pageSize=`.
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    let listed = match call.query_value("state").as_deref() {
        None => Listed::All,
        Some(RETRIED) => Listed::Retried,
        Some(state) => {
            Listed::In(state.parse::<State>().map_err(|message| Error::Malformed(format!("{message}.")))?)
        }
    };
    let paging = Paging::parse(&call.query)?;
    let (items, total, counts) =
        call.run(move |app| outbox::page(app, listed, paging.size, paging.offset())).await?;
    let (page, size) = (paging.number, paging.size);
    Ok(ok(&json!({ "items": items, "total": total, "page": page, "pageSize": size, "counts": counts })))
}

/// `GET /api/outbox/<id>` → the email with its text and the names of its attachments.
pub async fn show(call: Call, _session: Session) -> Result<Response> {
    let id = call.id();
    Ok(ok(&call.run(move |app| outbox::details(app, id)).await?))
}

/// `GET /api/outbox/<id>/html` → the email's HTML, for a frame in the organiser's pages.
pub async fn html(call: Call, _session: Session) -> Result<Response> {
    let id = call.id();
    Ok(email_html(call.run(move |app| outbox::html(app, id)).await?))
}

/// `POST /api/outbox/retry` → `{count}`.
pub async fn retry_all(call: Call, session: Session) -> Result<Response> {
    let count = call.run(move |app| outbox::retry(app, &session.actor(), None)).await?;
    Ok(ok(&json!({ "count": count })))
}

/// `POST /api/outbox/<id>/retry` → the email.
pub async fn retry(call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    let mail = call.run(move |app| {
        outbox::retry(app, &session.actor(), Some(id))?;
        outbox::details(app, id)
    });
    Ok(ok(&mail.await?))
}

/// `POST /api/outbox/<id>/discard` → the email.
pub async fn discard(call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    let mail = call.run(move |app| {
        outbox::discard(app, &session.actor(), id)?;
        outbox::details(app, id)
    });
    Ok(ok(&mail.await?))
}

/// `POST /api/outbox/<id>/correct {email}` → the email to the corrected address.
pub async fn correct(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    let correction = records::correction(&call.json().await?, Expected::Any)?;
    let mail = call.run(move |app| {
        let corrected = correct::of_email(app, &session.actor(), id, correction)?;
        outbox::details(app, corrected)
    });
    Ok(ok(&mail.await?))
}
