//! Card payments: the calls of the entry page, the payment provider and the organiser.

use serde_json::{Value, json};
use warp::reply::Response;

use super::call::{Call, email_html, ok};
use super::fields::{Fields, query_flag};
use super::{precondition, records};
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms;
use crate::http::blocking::with_permit;
use crate::http::body;
use crate::mail::Message;
use crate::model::{Cents, EntryId, IntentId, Kind};
use crate::payments::provider::{MAX_ID_LENGTH, Outcome, Signature};
use crate::payments::{self, IntentRequest};
use crate::store::payment_findings;
use crate::time;

/// The most bytes of a webhook event. An event holds one object; the largest ones seen have about 20 KB.
const MAX_EVENT: usize = 512 * 1024;

/// `POST /api/create-competition-payment-intent` → `{clientSecret}`.
pub async fn create_intent(mut call: Call) -> Result<Response> {
    let (key, body) = (call.idempotency_key(), call.json().await);
    let form_key = key.as_ref().ok().cloned().flatten();
    let is_known = is_known(&call, form_key, payments::form_key_exists).await?;
    let (key, body) = (key?, body?);
    if !is_known {
        call.state.submissions_per_network.take(call.client.network())?;
        call.state.count_stored_bytes(call.client, &body)?;
    }
    let network = call.client.network().0;
    let secret = call
        .run_with_provider(move |app| {
            payments::payment_intent(app, &IntentRequest { body: &body, key: key.as_deref(), network })
        })
        .await?;
    Ok(ok(&json!({ "clientSecret": secret })))
}

/// Whether `POST /api/competition-entries` saves an entry whose payment we know. Then it does not count as a new write,
/// because creating the payment already did.
pub async fn completes_known_payment(call: &Call, body: &Result<Value>) -> Result<bool> {
    let intent = body.as_ref().ok().and_then(|body| body["stripePaymentIntentId"].as_str());
    let intent = intent.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
    let is_ours = |app: &App, id: &str| payments::entry_has_intent(app, &IntentId(id.to_owned()));
    let is_known = is_known(call, intent.clone(), is_ours).await?;
    if let Some(intent) = intent.filter(|_| !is_known) {
        count_lookup(call, IntentId(intent)).await?;
    }
    Ok(is_known)
}

/// Counts a lookup of this payment at the provider, unless the payment is one of ours.
async fn count_lookup(call: &Call, intent: IntentId) -> Result<()> {
    // Longer ids are not looked up at the provider.
    if intent.as_str().len() > MAX_ID_LENGTH
        || call.run(move |app| payments::is_our_intent(app, &intent)).await?
    {
        return Ok(());
    }
    call.state.count_unknown_lookup(call.client)
}

/// Whether a request completes something we know by `name`: a form's key or an intent's id. Such requests have a higher
/// rate limit than new ones. Five hundred people behind one address start five hundred entries, and each of them needs
/// several more calls to finish.
async fn is_known(
    call: &Call,
    name: Option<String>,
    check: impl FnOnce(&App, &str) -> Result<bool> + Send + 'static,
) -> Result<bool> {
    if let Some(name) = name {
        call.state.followup_calls.take(call.client)?;
        let checked = name.clone();
        if call.run(move |app| check(app, &checked)).await? {
            call.state.payment_calls.take(name)?;
            return Ok(true);
        }
    }
    call.state.writes.take(call.client)?;
    Ok(false)
}

/// `POST /api/competition-payments/status {clientSecret}` → the state of the payment.
pub async fn status(mut call: Call) -> Result<Response> {
    let body = call.json().await?;
    let secret = limited_secret(&call, &body).await?;
    let entry_state = call.run_with_provider(move |app| payments::entry_state(app, &secret)).await;
    if matches!(entry_state, Err(Error::NotFound(_))) {
        call.state.bad_payment_requests.count(call.client);
    }
    let entry_state = entry_state?;
    let entry = entry_state.entry.as_ref();
    let categories = entry.map(|entry| {
        let named = entry.categories.iter();
        named.map(|(category, sub)| json!({ "category": category, "subCategory": sub })).collect::<Vec<_>>()
    });
    Ok(ok(&json!({
        "state": entry_state.state.as_str(),
        "paymentStatus": entry_state.status.map(crate::model::PaymentStatus::as_str),
        "paymentAmount": entry_state.amount_cents,
        "entryId": entry.map(|entry| entry.id),
        "email": entry.map(|entry| &entry.email),
        "categories": categories.unwrap_or_default(),
        "quote": entry.and_then(|entry| entry.quote.as_ref()),
        "taxLocation": entry.map(|entry| &entry.tax_location),
    })))
}

/// The client secret in the body, after checking the rate limits. Each call leads to one request to the provider.
async fn limited_secret(call: &Call, body: &Value) -> Result<String> {
    call.state.followup_calls.take(call.client)?;
    call.state.bad_payment_requests.check(call.client)?;
    call.state.payment_status_queries.take(call.client.network())?;
    let secret = text(body, "clientSecret")?;
    let id = secret.split_once("_secret_").map_or("", |(id, _)| id);
    // Longer ids are not looked up at the provider.
    if id.len() <= MAX_ID_LENGTH {
        call.state.payment_calls.take(id.to_owned())?;
        count_lookup(call, IntentId(id.to_owned())).await?;
    }
    Ok(secret)
}

/// `POST /api/demo-payment {clientSecret, outcome}` stands in for the card form's confirmation.
pub async fn demo_payment(mut call: Call) -> Result<Response> {
    let body = call.json().await?;
    let secret = limited_secret(&call, &body).await?;
    let outcome = match text(&body, "outcome")?.as_str() {
        "succeed" => Outcome::Succeed,
        "decline" => Outcome::Decline,
        _ => return Err(Error::field("outcome", "Please use one of: succeed, decline")),
    };
    let state = call.run_with_provider(move |app| payments::demo_payment(app, &secret, outcome)).await?;
    Ok(ok(&match state {
        payments::PaymentState::Paid => json!({ "status": "succeeded" }),
        _ => json!({ "status": "requires_payment_method", "message": "Your card was declined." }),
    }))
}

/// `POST /api/stripe/webhook`. The headers are checked before the body is read, and an event waits for a permit only
/// after its signature was verified.
pub async fn webhook(mut call: Call) -> Result<Response> {
    let body = call.take_body();
    let (state, client) = (&call.state, call.client);
    let secret = &state.app.config.stripe.webhook_secret;
    if secret.is_empty() {
        return Err(Error::PaymentsOff);
    }
    state.bad_payment_requests.check(client)?;
    let failed = |_: &Error| {
        state.bad_payment_requests.count(client);
    };
    let signature = Signature::parse(call.header("stripe-signature"), time::now().timestamp());
    let signature = signature.inspect_err(failed)?;
    let payload = body::read(&call.headers, body, &state.body_limits(MAX_EVENT), Some(client)).await?;
    let event = signature.verify(payload.as_slice(), secret).inspect_err(failed)?;
    drop(payload);
    with_permit(&state.events, &state.app, move |app| payments::process_event(app, &event)).await?;
    Ok(ok(&json!({ "received": true })))
}

/// `GET /api/competition-entries/<id>/refund-mail?amountCents= &category=` → a preview of the email about this refund.
pub async fn refund_mail(call: Call, _session: Session) -> Result<Response> {
    let (mail, amount_cents) = preview(&call).await?;
    Ok(ok(&json!({
        "recipient": mail.to, "subject": mail.subject, "text": mail.body.text()?, "amountCents": amount_cents,
    })))
}

/// `GET /api/competition-entries/<id>/refund-mail/html?amountCents= &category=` → its HTML, for a frame in the organiser's pages.
pub async fn refund_mail_html(call: Call, _session: Session) -> Result<Response> {
    Ok(email_html(preview(&call).await?.0.body.html()?))
}

async fn preview(call: &Call) -> Result<(Message, Cents)> {
    let id = EntryId(call.id());
    let amount_cents = call.query_value("amountCents").map(|text| text.parse::<i64>()).transpose();
    let amount_cents =
        amount_cents.map_err(|_| Error::Malformed("amountCents must be an integer.".into()))?;
    let request = payments::RefundRequest {
        amount_cents: amount_cents.map(Cents),
        category: call.query_value("category"),
        ..payments::RefundRequest::default()
    };
    call.run(move |app| payments::refund_mail(app, id, &request)).await
}

/// `POST /api/competition-entries/<id>/refund {amountCents?, category?, reason?, notify?}`.
pub async fn refund(mut call: Call, session: Session) -> Result<Response> {
    let id = EntryId(call.id());
    let body = Fields::parse(&call.json_object_if_any().await?)?;
    let key = call.idempotency_key()?;
    let amount_cents = body.whole_number("amountCents")?.map(Cents);
    let reason = body.text("reason")?;
    let reason = reason.map(|reason| forms::free_text("reason", &reason)).transpose()?.flatten();
    let notify = body.flag("notify")?.unwrap_or_default();
    let category = body.text("category")?;
    let expected = precondition::expected(&call.headers)?;
    let request = payments::RefundRequest { amount_cents, category, reason, notify, key, expected };
    call.run_with_provider(move |app| match payments::refund(app, &session.actor(), id, &request) {
        Ok(refunded) => Ok(ok(&json!({
            "id": id, "refundedAmount": refunded.amount_cents, "paymentStatus": refunded.status.as_str(),
        }))),
        Err(Error::Changed) => records::changed(app, Kind::CompetitionEntries, id.0),
        Err(error) => Err(records::for_organisers(error)),
    })
    .await
}

/// `POST /api/competition-entries/<id>/receipt-link` → `{url}`.
pub async fn receipt_link(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    call.json_object_if_any().await?;
    let url = call.run(move |app| payments::receipt_link(app, &session.actor(), EntryId(id))).await?;
    Ok(ok(&json!({ "url": url })))
}

/// `GET /api/payment-findings?all=true` → `{items}`.
pub async fn findings(call: Call, _session: Session) -> Result<Response> {
    let all = query_flag(&call.query, "all")?;
    let list = if all { payment_findings::all } else { payment_findings::open };
    let items = call.run(move |app| app.store.read(list)).await?;
    Ok(ok(&json!({ "items": items })))
}

/// `POST /api/payment-findings/<id>/settle {note?}` → the finding.
pub async fn settle(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    let note = Fields::parse(&call.json_object_if_any().await?)?.text("note")?;
    let found = call.run(move |app| payments::resolve_finding(app, &session.actor(), id, note.as_deref()));
    Ok(ok(&found.await?))
}

fn text(body: &Value, name: &str) -> Result<String> {
    match &body[name] {
        Value::String(text) => Ok(text.clone()),
        Value::Null => Err(Error::field(name, &format!("Please send '{name}'"))),
        _ => Err(Error::wrong_type(name)),
    }
}
