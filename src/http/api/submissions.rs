//! Submissions from visitors.

use serde_json::{Value, json};
use warp::reply::Response;

use super::call::{Call, created};
use super::payments::completes_known_payment;
use crate::app::App;
use crate::error::Result;
use crate::model::Kind;
use crate::payments;
use crate::registrations::submit::{self, Checked, Submission};

/// `POST /api/<kind>` → `201` with the stored record's public part.
pub async fn submit(mut call: Call) -> Result<Response> {
    let kind = call.kind();
    let body = call.json().await;
    let is_entry = kind == Kind::CompetitionEntries;
    let is_new = if is_entry {
        !completes_known_payment(&call, &body).await?
    } else {
        call.state.writes.take(call.client)?;
        true
    };
    let (key, body) = (call.idempotency_key()?, body?);
    if is_new {
        call.state.count_stored_bytes(call.client, &body)?;
    }
    let network_is_busy = is_new && call.state.submissions_per_network.take(call.client.network()).is_err();
    let number_today = call.state.submissions_today.count(call.client.network());
    let received = Received { kind, body, key, network_is_busy, number_today };
    let public = if is_entry {
        call.run_with_provider(move |app| save_entry(app, &received.submission())).await?
    } else {
        register(&call, received).await?
    };
    Ok(created(&public))
}

/// A submission as it came, with the server's counts.
struct Received {
    kind: Kind,
    body: Value,
    key: Option<String>,
    network_is_busy: bool,
    number_today: u32,
}

impl Received {
    fn submission(&self) -> Submission<'_> {
        let Received { kind, ref body, ref key, network_is_busy, number_today } = *self;
        Submission { key: key.as_deref(), network_is_busy, number_today, ..Submission::new(kind, body) }
    }
}

/// Saves an entry and returns its public part.
fn save_entry(app: &App, submission: &Submission<'_>) -> Result<Value> {
    let saved = payments::save(app, submission)?;
    Ok(json!({
        "id": saved.entry_id, "createdAt": saved.created_at,
        "paymentStatus": saved.status.as_str(), "paymentAmount": saved.amount_cents,
    }))
}

/// Stores a registration of another kind and returns its public part.
async fn register(call: &Call, received: Received) -> Result<Value> {
    let stored = match call.run(move |app| submit::check(app, &received.submission())).await? {
        Checked::Repeated(answered) => answered,
        Checked::New(registration) => {
            call.state.app.store.write_async(|connection| registration.write(connection)).await?
        }
    };
    Ok(json!({ "id": stored.id, "createdAt": stored.created_at }))
}
