//! Card payment: what the entry page, the provider and the organiser send.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Buf;
use chrono::Utc;
use http::header::HeaderMap;
use serde_json::{Value, json};
use warp::reply::Response;
use warp::{Reply, Stream};

use super::{asking, blocking, in_turn, mail_html};
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::{self, whole_number};
use crate::http::api::fields::asks_for;
use crate::http::api::state::Desk;
use crate::http::body;
use crate::http::client_ip::Client;
use crate::mail::Message;
use crate::model::Kind;
use crate::payments::provider::{LONGEST_ID, Outcome, Signature};
use crate::payments::{self, Ask};

/// An event names one object; the largest ones seen are some 20 KB.
pub const LARGEST_EVENT: usize = 512 * 1024;

/// `POST /api/create-competition-payment-intent` → `{clientSecret}`.
pub async fn create_intent(
    desk: Arc<Desk>,
    client: Client,
    key: Result<Option<String>>,
    body: Result<Value>,
) -> Result<impl Reply> {
    let form = key.as_ref().ok().cloned().flatten();
    let is_known = is_known(&desk, client, form, payments::knows_form).await?;
    let (key, body) = (key?, body?);
    if !is_known {
        desk.networks.check(client.network())?;
        desk.take_room(client, &body)?;
    }
    let network = client.network().0;
    let secret = asking(&desk, move |app| {
        payments::payment_intent(app, &Ask { body: &body, key: key.as_deref(), network })
    })
    .await?;
    Ok(warp::reply::json(&json!({ "clientSecret": secret })))
}

/// Whether `POST /api/competition-entries` saves an entry whose payment we know: it was counted when it was begun.
///
/// # Errors
/// [`Error::TooMany`].
pub async fn completes_an_entry(desk: &Desk, client: Client, body: &Result<Value>) -> Result<bool> {
    let intent = body.as_ref().ok().and_then(|body| body["stripePaymentIntentId"].as_str());
    let intent = intent.map(|id| id.trim().to_owned());
    is_known(desk, client, intent, payments::knows_intent).await
}

/// Whether a request completes something that we know by this name (a form's key, an intent's id). It is counted as
/// what it is: five hundred people behind one address begin as many entries, and each makes some calls more.
///
/// # Errors
/// [`Error::TooMany`].
async fn is_known(
    desk: &Desk,
    client: Client,
    name: Option<String>,
    look: impl FnOnce(&App, &str) -> Result<bool> + Send + 'static,
) -> Result<bool> {
    if let Some(name) = name {
        desk.completions.check(client)?;
        let looked_for = name.clone();
        if blocking(&desk.app, move |app| look(app, &looked_for)).await? {
            desk.payment_calls.check(name)?;
            return Ok(true);
        }
    }
    desk.writes.check(client)?;
    Ok(false)
}

/// `POST /api/competition-payments/status {clientSecret}` → how the payment stands.
pub async fn status(desk: Arc<Desk>, client: Client, body: Result<Value>) -> Result<impl Reply> {
    let secret = asked_about(&desk, client, &body?)?;
    let standing = asking(&desk, move |app| payments::standing(app, &secret)).await;
    if matches!(standing, Err(Error::NotFound(_))) {
        desk.unknown_payments.count(client);
    }
    let standing = standing?;
    let entry = standing.entry.as_ref();
    let categories = entry.map(|entry| {
        let named = entry.categories.iter();
        named.map(|(category, sub)| json!({ "category": category, "subCategory": sub })).collect::<Vec<_>>()
    });
    Ok(warp::reply::json(&json!({
        "state": standing.state.as_str(),
        "paymentStatus": standing.status.map(|status| status.as_str()),
        "paymentAmount": standing.amount_cents,
        "entryId": entry.map(|entry| entry.id),
        "email": entry.map(|entry| &entry.email),
        "categories": categories.unwrap_or_default(),
    })))
}

/// The client secret of a payment, unless it, or any, is asked about too often: each question is one to the provider.
fn asked_about(desk: &Desk, client: Client, body: &Value) -> Result<String> {
    desk.completions.check(client)?;
    desk.unknown_payments.check(client)?;
    desk.payment_questions.check(client.network())?;
    let secret = text(body, "clientSecret")?;
    let id = secret.split_once("_secret_").map_or("", |(id, _)| id);
    // The provider is not asked about anything longer.
    if id.len() <= LONGEST_ID {
        desk.payment_calls.check(id.to_owned())?;
    }
    Ok(secret)
}

/// `POST /api/demo-payment {clientSecret, outcome}` stands in for the card form's confirmation.
pub async fn demo_payment(desk: Arc<Desk>, client: Client, body: Result<Value>) -> Result<impl Reply> {
    let body = body?;
    let secret = asked_about(&desk, client, &body)?;
    let outcome = match text(&body, "outcome")?.as_str() {
        "succeed" => Outcome::Succeed,
        "decline" => Outcome::Decline,
        _ => return Err(Error::field("outcome", "Please use one of: succeed, decline")),
    };
    let state = asking(&desk, move |app| payments::demo_payment(app, &secret, outcome)).await?;
    Ok(warp::reply::json(&match state {
        payments::State::Paid => json!({ "status": "succeeded" }),
        _ => json!({ "status": "requires_payment_method", "message": "Your card was declined." }),
    }))
}

/// `POST /api/stripe/webhook`. What can be told from the headers is told before the body is read, and an event takes
/// its turn once its signature holds.
pub async fn webhook<B: Buf>(
    desk: Arc<Desk>,
    client: Client,
    headers: HeaderMap,
    body: impl Stream<Item = std::result::Result<B, warp::Error>>,
) -> Result<impl Reply> {
    let secret = &desk.app.config.stripe.webhook_secret;
    if secret.is_empty() {
        return Err(Error::PaymentsOff);
    }
    desk.failed_events.check(client)?;
    let header = headers.get("stripe-signature").and_then(|value| value.to_str().ok());
    let failed = |_: &Error| desk.failed_events.count(client);
    let signature = Signature::parse(header.unwrap_or_default(), Utc::now().timestamp());
    let signature = signature.inspect_err(failed)?;
    let payload = body::read(&headers, body, &desk.body_limits(LARGEST_EVENT), Some(client)).await?;
    let event = signature.verify(payload.as_slice(), secret).inspect_err(failed)?;
    drop(payload);
    in_turn(&desk.events, &desk.app, move |app| payments::take_event(app, event)).await?;
    Ok(warp::reply::json(&json!({ "received": true })))
}

/// `GET /api/competition-entries/<id>/refund-mail?amountCents=` → the mail that would tell of this refund.
pub async fn refund_mail(
    kind: Kind,
    id: i64,
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<impl Reply> {
    session?;
    let (mail, amount_cents) = previewed(kind, id, &desk, &query).await?;
    Ok(warp::reply::json(&json!({
        "recipient": mail.to, "subject": mail.subject, "text": mail.body.text()?, "amountCents": amount_cents,
    })))
}

/// `GET /api/competition-entries/<id>/refund-mail/html?amountCents=` → its HTML, for a frame of our own page.
pub async fn refund_mail_html(
    kind: Kind,
    id: i64,
    desk: Arc<Desk>,
    session: Result<Session>,
    query: HashMap<String, String>,
) -> Result<Response> {
    session?;
    Ok(mail_html(previewed(kind, id, &desk, &query).await?.0.body.html()?))
}

async fn previewed(
    kind: Kind,
    id: i64,
    desk: &Desk,
    query: &HashMap<String, String>,
) -> Result<(Message, i64)> {
    require_entries(kind)?;
    let asked = query.get("amountCents").filter(|text| !text.is_empty());
    let amount_cents = asked.map(|text| text.parse::<i64>()).transpose();
    let amount_cents = amount_cents.map_err(|_| Error::Malformed("amountCents is a whole number.".into()))?;
    blocking(&desk.app, move |app| payments::refund_mail(app, id, amount_cents)).await
}

fn require_entries(kind: Kind) -> Result<()> {
    if kind == Kind::CompetitionEntries {
        return Ok(());
    }
    Err(Error::NotFound("There is nothing at this address.".into()))
}

/// `POST /api/competition-entries/<id>/refund {amountCents?, reason?, notify?}`.
pub async fn refund(
    kind: Kind,
    id: i64,
    desk: Arc<Desk>,
    session: Result<Session>,
    key: Result<Option<String>>,
    body: Result<Value>,
) -> Result<impl Reply> {
    let (session, key, body) = (session?, key?, object(body?)?);
    require_entries(kind)?;
    let amount_cents = match &body["amountCents"] {
        Value::Null => None,
        amount => Some(whole_number(amount).ok_or_else(|| wrong_type("amountCents"))?),
    };
    let reason = match &body["reason"] {
        Value::Null => None,
        reason => forms::free_text("reason", reason.as_str().ok_or_else(|| wrong_type("reason"))?)?,
    };
    let notify = match &body["notify"] {
        Value::Null => false,
        notify => notify.as_bool().ok_or_else(|| wrong_type("notify"))?,
    };
    let wanted = payments::Wanted { amount_cents, reason, notify };
    let refunded =
        asking(&desk, move |app| payments::refund(app, &session.username, id, &wanted, key.as_deref()))
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
    let all = asks_for(&query, "all")?;
    let items = blocking(&desk.app, move |app| payments::findings(app, all)).await?;
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
        blocking(&desk.app, move |app| payments::settle_by_hand(app, &session.username, id, note.as_deref()))
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
