//! Forms that the organiser has closed and can reopen.

use serde_json::{Value, json};
use warp::reply::Response;

use super::call::{Call, ok};
use super::fields::Fields;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::site::openings;

/// `GET /api/openings` → `{items: [{kind, open, message, closedByHand}]}`.
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    Ok(ok(&call.run(openings_json).await?))
}

/// `POST /api/openings/<kind> {open, message?}` closes a form or reopens it → the list.
pub async fn set(mut call: Call, session: Session) -> Result<Response> {
    let kind = call.kind();
    let body = Fields::parse(&call.json().await?)?;
    let open = body.flag("open")?.ok_or_else(|| Error::field("open", "Please send true or false"))?;
    let message = body.text("message")?.unwrap_or_default();
    let list = call.run(move |app| {
        openings::set(app, &session.actor(), kind, open, &message)?;
        openings_json(app)
    });
    Ok(ok(&list.await?))
}

fn openings_json(app: &App) -> Result<Value> {
    Ok(json!({ "items": openings::list(app)? }))
}
