//! Submissions from visitors.

use serde_json::{Value, json};
use warp::reply::Response;

use super::call::{Call, created};
use super::payments::completes_known_payment;
use crate::app::App;
use crate::error::Result;
use crate::model::Kind;
use crate::payments;
use crate::registrations::submit::{self, Submission};

/// `POST /api/<kind>` → `201` with the stored record's public part.
pub async fn submit(mut call: Call) -> Result<Response> {
    let kind = call.kind();
    let body = call.json().await;
    let is_entry = kind == Kind::CompetitionEntries;
    let is_new = if is_entry {
        !completes_known_payment(&call, &body).await?
    } else {
        call.state.writes.check(call.client)?;
        true
    };
    let (key, body) = (call.idempotency_key()?, body?);
    if is_new {
        call.state.count_stored_bytes(call.client, &body)?;
    }
    let network_is_busy = is_new && call.state.networks.check(call.client.network()).is_err();
    let number_today = call.state.forms.count(call.client.network());
    let work = move |app: &App| {
        let submission =
            Submission { key: key.as_deref(), network_is_busy, number_today, ..Submission::new(kind, &body) };
        store(app, &submission)
    };
    let public = if is_entry { call.run_with_provider(work).await } else { call.run(work).await };
    Ok(created(&public?))
}

/// Stores a submission and returns its public part.
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
