//! What visitors send.

use std::sync::Arc;

use http::StatusCode;
use serde_json::{Value, json};
use warp::Reply;

use super::payments::completes_an_entry;
use super::{asking, blocking};
use crate::app::App;
use crate::error::Result;
use crate::http::api::state::Desk;
use crate::http::client_ip::Client;
use crate::model::Kind;
use crate::payments;
use crate::registrations::submit::{self, Submission};

/// `POST /api/<kind>` → `201` with the stored record's public part.
pub async fn register(
    kind: Kind,
    desk: Arc<Desk>,
    client: Client,
    key: Result<Option<String>>,
    body: Result<Value>,
) -> Result<impl Reply> {
    let is_entry = kind == Kind::CompetitionEntries;
    let is_new = if is_entry {
        !completes_an_entry(&desk, client, &body).await?
    } else {
        desk.writes.check(client)?;
        true
    };
    let (key, body) = (key?, body?);
    if is_new {
        desk.take_room(client, &body)?;
    }
    let network_is_busy = is_new && desk.networks.check(client.network()).is_err();
    let work = move |app: &App| {
        let submission = Submission { key: key.as_deref(), network_is_busy, ..Submission::new(kind, &body) };
        store(app, &submission)
    };
    let public = if is_entry { asking(&desk, work).await } else { blocking(&desk.app, work).await }?;
    let reply = warp::reply::json(&public);
    Ok(warp::reply::with_status(reply, StatusCode::CREATED))
}

/// The public part of what was stored.
fn store(app: &App, submission: &Submission<'_>) -> Result<Value> {
    if submission.kind == Kind::CompetitionEntries {
        let saved = payments::save(app, submission)?;
        return Ok(json!({
            "id": saved.id, "createdAt": saved.created_at,
            "paymentStatus": saved.status.as_str(), "paymentAmount": saved.amount_cents,
        }));
    }
    let stored = submit::register(app, submission)?;
    Ok(json!({ "id": stored.id, "createdAt": stored.created_at }))
}
