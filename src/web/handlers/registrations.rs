//! What visitors send.

use std::sync::Arc;

use http::StatusCode;
use serde_json::{Value, json};
use warp::Reply;

use super::blocking;
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::register::{self, Submission};
use crate::web::client::Client;
use crate::web::desk::Desk;

/// `POST /api/<kind>` → `201` with the stored record's public part.
pub async fn register(
    kind: Kind,
    desk: Arc<Desk>,
    client: Client,
    key: Result<Option<String>>,
    body: Result<Value>,
) -> Result<impl Reply> {
    desk.writes.check(client)?;
    let (key, body) = (key?, body?);
    let network_is_busy = desk.networks.check(client.network()).is_err();
    let stored = blocking(&desk.app, move |app| {
        let submission = Submission { key: key.as_deref(), network_is_busy, ..Submission::new(kind, &body) };
        register::register(app, &submission)
    })
    .await?;
    let mut public = json!({ "id": stored.id, "createdAt": stored.created_at });
    if let Some(amount) = stored.payment_amount_cents {
        public["paymentStatus"] = "pending".into();
        public["paymentAmount"] = amount.into();
    }
    let reply = warp::reply::json(&public);
    Ok(warp::reply::with_status(reply, StatusCode::CREATED))
}

/// `POST /api/create-competition-payment-intent`: card payment is not built yet, and this says so.
pub async fn payment_intent() -> Error {
    Error::PaymentsOff
}
