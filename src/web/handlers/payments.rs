//! Card payment: what the entry page, the provider and the organiser send.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::BytesMut;
use http::header::HeaderMap;
use serde_json::{Value, json};
use warp::Reply;

use super::{asking, blocking};
use crate::enter::{self, Ask};
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::session::Session;
use crate::stripe::Outcome;
use crate::web::client::Client;
use crate::web::desk::Desk;

/// An event names one object; the largest ones seen are some 20 KB.
pub const LARGEST_EVENT: usize = 512 * 1024;

/// `POST /api/create-competition-payment-intent` → `{clientSecret}`.
pub async fn create_intent(
    desk: Arc<Desk>,
    client: Client,
    key: Result<Option<String>>,
    body: Result<Value>,
) -> Result<impl Reply> {
    desk.writes.check(client)?;
    let (key, body) = (key?, body?);
    desk.take_room(client, &body)?;
    let network_is_busy = desk.networks.check(client.network()).is_err();
    let secret = asking(&desk, move |app| {
        enter::payment_intent(app, &Ask { body: &body, key: key.as_deref(), network_is_busy })
    })
    .await?;
    Ok(warp::reply::json(&json!({ "clientSecret": secret })))
}

/// `POST /api/competition-payments/status {clientSecret}` → how the payment stands.
pub async fn status(desk: Arc<Desk>, client: Client, body: Result<Value>) -> Result<impl Reply> {
    desk.writes.check(client)?;
    let secret = text(&body?, "clientSecret")?;
    let standing = asking(&desk, move |app| enter::standing(app, &secret)).await?;
    Ok(warp::reply::json(&json!({
        "state": standing.state.as_str(),
        "paymentStatus": standing.status.map(|status| status.as_str()),
        "paymentAmount": standing.amount_cents,
    })))
}

/// `POST /api/demo-payment {clientSecret, outcome}` stands in for the card form's confirmation.
pub async fn demo_payment(desk: Arc<Desk>, client: Client, body: Result<Value>) -> Result<impl Reply> {
    desk.writes.check(client)?;
    let body = body?;
    let secret = text(&body, "clientSecret")?;
    let outcome = match text(&body, "outcome")?.as_str() {
        "succeed" => Outcome::Succeed,
        "decline" => Outcome::Decline,
        _ => return Err(Error::field("outcome", "Please use one of: succeed, decline")),
    };
    let state = asking(&desk, move |app| enter::demo_payment(app, &secret, outcome)).await?;
    Ok(warp::reply::json(&match state {
        enter::State::Paid => json!({ "status": "succeeded" }),
        _ => json!({ "status": "requires_payment_method", "message": "Your card was declined." }),
    }))
}

/// `POST /api/stripe/webhook`.
pub async fn webhook(desk: Arc<Desk>, headers: HeaderMap, body: Result<BytesMut>) -> Result<impl Reply> {
    let payload = body?;
    let signature = headers.get("stripe-signature").and_then(|value| value.to_str().ok());
    let signature = signature.unwrap_or_default().to_owned();
    asking(&desk, move |app| enter::take_event(app, &payload, &signature)).await?;
    Ok(warp::reply::json(&json!({ "received": true })))
}

/// `POST /api/competition-entries/<id>/refund {amountCents?}`.
pub async fn refund(
    kind: Kind,
    id: i64,
    desk: Arc<Desk>,
    session: Result<Session>,
    key: Result<Option<String>>,
    body: Result<Value>,
) -> Result<impl Reply> {
    let (session, key, body) = (session?, key?, object(body?)?);
    if kind != Kind::CompetitionEntries {
        return Err(Error::NotFound("There is nothing at this address.".into()));
    }
    let amount_cents = match &body["amountCents"] {
        Value::Null => None,
        amount => Some(amount.as_i64().ok_or_else(|| wrong_type("amountCents"))?),
    };
    let refunded =
        asking(&desk, move |app| enter::refund(app, &session.username, id, amount_cents, key.as_deref()))
            .await?;
    Ok(warp::reply::json(&json!({
        "id": id, "refundedAmount": refunded.amount_cents, "paymentStatus": refunded.status.as_str(),
    })))
}

/// `GET /api/payment-findings?all=true` → `{items}`.
pub async fn findings(
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<impl Reply> {
    session?;
    let all = query.get("all").is_some_and(|value| value == "true");
    let items = blocking(&desk.app, move |app| enter::findings(app, all)).await?;
    Ok(warp::reply::json(&json!({ "items": items })))
}

/// `POST /api/payment-findings/<id>/settle {note?}` → the finding.
pub async fn settle(
    id: i64,
    desk: Arc<Desk>,
    session: Result<Session>,
    body: Result<Value>,
) -> Result<impl Reply> {
    let (session, body) = (session?, object(body?)?);
    let note = match &body["note"] {
        Value::Null => None,
        note => Some(note.as_str().ok_or_else(|| wrong_type("note"))?.to_owned()),
    };
    let found =
        blocking(&desk.app, move |app| enter::settle_by_hand(app, &session.username, id, note.as_deref()))
            .await?;
    Ok(warp::reply::json(&found))
}

/// A body in which everything is optional is still an object: what cannot be read is not taken for all of it.
fn object(body: Value) -> Result<Value> {
    if body.is_object() { Ok(body) } else { Err(Error::Malformed("Please send one JSON object.".into())) }
}

fn text(body: &Value, name: &str) -> Result<String> {
    match &body[name] {
        Value::String(text) => Ok(text.clone()),
        Value::Null => Err(Error::field(name, &format!("Please send '{name}'"))),
        _ => Err(wrong_type(name)),
    }
}

fn wrong_type(name: &str) -> Error {
    Error::Malformed(format!("The field '{name}' has a value of the wrong JSON type."))
}
