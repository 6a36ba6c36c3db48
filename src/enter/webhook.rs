//! The provider's events. One tells when to ask; what is so, the provider is then asked. Refunds and disputes
//! are taken from the event itself, whose signature holds, so that their order does not matter.

use chrono::Utc;
use rusqlite::Connection;
use serde_json::Value;

use super::refund;
use super::settle::{Clerk, apply};
use crate::app::App;
use crate::error::{Error, Result};
use crate::store::{payments, refunds};
use crate::stripe::{self, Event, Failure, Intent, IntentStatus};
use crate::time;

/// Takes an event in: when this returns, it is processed and stored. One that was taken in before changes nothing.
///
/// # Errors
/// [`Error::Malformed`]: the signature does not hold. [`Error::PaymentsOff`]: no secret is set.
/// [`Error::ProviderFailed`], [`Error::ProviderSlow`], [`Error::Unavailable`]: nothing was changed; the provider
/// sends it again.
pub fn take_event(app: &App, payload: &[u8], signature: &str) -> Result<()> {
    let secret = &app.config.stripe.webhook_secret;
    if secret.is_empty() {
        return Err(Error::PaymentsOff);
    }
    let event = stripe::verify(payload, signature, secret, Utc::now().timestamp())?;
    if app.payments.is_live().is_some_and(|live| live != event.live) {
        tracing::warn!(event = event.id, "an event of the other mode (live or test) was left alone");
        return Ok(());
    }
    if app.store.read(|connection| payments::knows_event(connection, &event.id))? {
        return Ok(());
    }
    let intent = intent_of(app, &event)?;
    let clerk = Clerk::new(app);
    app.store.write(move |connection| {
        let at = time::stored(clerk.at);
        if !payments::remember_event(connection, &event.id, &event.name, &at)? {
            return Ok(());
        }
        if let Some(intent) = &intent {
            apply(connection, &clerk, intent)?;
        }
        note(connection, &event, &at)
    })
}

/// The intent that an event is about, as the provider knows it now.
fn intent_of(app: &App, event: &Event) -> Result<Option<Intent>> {
    let is_intent = event.name.starts_with("payment_intent.");
    let id = if is_intent { text(&event.object["id"]) } else { intent_id(&event.object) };
    let is_ours = is_intent || touches_money(&event.name);
    let Some(id) = id.filter(|_| is_ours) else { return Ok(None) };
    match app.payments.retrieve(id) {
        Ok(intent) => Ok(Some(intent)),
        // Not to be found, and told to be paid: that alone pays for nothing, but a person should look.
        Err(Failure::Missing) if is_intent => Ok(Intent::parse(event.object.clone())
            .filter(|intent| intent.status == IntentStatus::Succeeded)
            .map(|intent| Intent { entry_id: None, received_cents: 0, ..intent })),
        Err(Failure::Missing) => Ok(None),
        Err(failure) => Err(failure.into()),
    }
}

fn touches_money(name: &str) -> bool {
    ["charge.refund", "refund.", "charge.dispute."].iter().any(|start| name.starts_with(start))
}

/// What an event says beyond its intent.
fn note(connection: &Connection, event: &Event, at: &str) -> Result<()> {
    let object = &event.object;
    let Some(intent_id) = intent_id(object) else { return Ok(()) };
    let Some(payment) = payments::by_intent(connection, intent_id)? else { return Ok(()) };
    let id = payment.entry_id;
    match event.name.as_str() {
        "charge.refunded" => {
            let refunded = object["amount_refunded"].as_i64().unwrap_or_default();
            payments::set_refunded(connection, id, refunded.max(payment.refunded_cents))?;
        }
        name if name.starts_with("charge.dispute.") => {
            let state = match object["status"].as_str() {
                Some("won" | "warning_closed" | "prevented") => "won",
                Some("lost") => "lost",
                _ => "open",
            };
            if let Some(dispute) = text(&object["id"]) {
                refunds::set_dispute(connection, dispute, id, state)?;
            }
        }
        name if name.starts_with("refund.") || name.starts_with("charge.refund.") => {
            refund::note(connection, id, object, at)?;
        }
        _ => return Ok(()),
    }
    refund::restate(connection, id)
}

/// `payment_intent` of a charge, a refund or a dispute: an id, or the whole object.
fn intent_id(object: &Value) -> Option<&str> {
    let named = &object["payment_intent"];
    text(named).or_else(|| text(&named["id"]))
}

fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}
