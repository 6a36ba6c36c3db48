//! The provider's events. One tells when to ask; what was paid and given back, the provider is then asked, so that
//! their order does not matter. A dispute is taken from the event itself; one that has ended is not opened again.

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde_json::Value;

use super::settlement::{Clerk, apply, entry_of};
use super::sweep_budget::Round;
use super::{abandon, provider_refunds};
use crate::app::App;
use crate::error::Result;
use crate::model::DisputeState;
use crate::payments::provider::{Cancellation, Event, Failure, Intent, IntentStatus};
use crate::store::{payments, refunds};
use crate::time;

/// A card was declined, or a payment that took its time failed.
const FAILED_CARD: &str = "payment_intent.payment_failed";

/// What is looked for among the events that may never have arrived. Of a refund that failed the provider tells
/// `charge.refund.updated` for some ways to pay only (Stripe's API reference, 'Refunds').
const LISTED: [&str; 8] = [
    "charge.refunded",
    "charge.refund.updated",
    "refund.updated",
    "refund.failed",
    "charge.dispute.created",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
    "charge.dispute.closed",
];

/// Takes in the events about refunds and disputes since an instant that never arrived.
///
/// # Errors
/// When the provider's list cannot be had.
pub fn take_missed(app: &App, since: DateTime<Utc>, round: &mut Round) -> Result<()> {
    let mut after = None::<String>;
    loop {
        let (events, more) = app.payments.events(&LISTED, since.timestamp(), after.as_deref())?;
        after = events.last().map(|event| event.id.clone());
        round.each(&events, |event| format!("event {}", event.id), |event| take_event(app, event.clone()));
        if !more || after.is_none() {
            return Ok(());
        }
    }
}

/// Takes an event in, whose signature holds: when this returns, it is processed and stored. One that was taken in
/// before changes nothing.
///
/// # Errors
/// [`crate::error::Error::ProviderFailed`], [`crate::error::Error::ProviderSlow`],
/// [`crate::error::Error::Unavailable`]: nothing was changed; the provider sends it again.
pub fn take_event(app: &App, event: Event) -> Result<()> {
    if app.payments.is_live().is_some_and(|live| live != event.live) {
        tracing::warn!(event = event.id, "an event of the other mode (live or test) was left alone");
        return Ok(());
    }
    if app.store.read(|connection| payments::knows_event(connection, &event.id))? {
        return Ok(());
    }
    let intent = intent_of(app, &event)?;
    let is_about_refunds = is_of_refunds(&event.name);
    let is_failed_card = event.name == FAILED_CARD;
    // One at a time about one entry: nobody writes down an older list of refunds, or counts a card too few.
    let entry_of = |intent| app.store.read(|connection| entry_of(connection, intent));
    let looked_at = intent.as_ref().filter(|_| is_about_refunds || is_failed_card);
    let payment = looked_at.map(entry_of).transpose()?.flatten();
    let _turn = payment.as_ref().map(|payment| app.payment_turns.take(payment.entry_id));
    let intent = match intent {
        Some(intent) if is_failed_card => Some(after_failed_card(app, intent, payment.is_some())?),
        intent => intent,
    };
    let refunded = intent.as_ref().filter(|_| is_about_refunds);
    let made = refunded.map(|intent| app.payments.refunds(&intent.id)).transpose()?;
    let clerk = Clerk::new(app);
    app.store.write(move |connection| {
        let at = time::stored(clerk.at);
        if !payments::remember_event(connection, &event.id, &event.name, &at)? {
            return Ok(());
        }
        let Some(intent) = intent else { return Ok(()) };
        if is_failed_card {
            payments::count_failed_card(connection, &intent.id, &at)?;
        }
        apply(connection, &clerk, &intent)?;
        let Some(payment) = payments::by_intent(connection, &intent.id)? else { return Ok(()) };
        if let Some(made) = made {
            provider_refunds::take_in(connection, &clerk, payment.entry_id, &made)?;
        }
        note_dispute(connection, &event, payment.entry_id)
    })
}

/// Cancels an intent of ours on which too many cards have failed, this one included; any other is handed back as it is.
/// It is done before the event is written down, so that an event whose work was interrupted does it when it comes
/// again.
fn after_failed_card(app: &App, intent: Intent, has_entry: bool) -> Result<Intent> {
    let most = app.config.limits.failed_cards;
    let is_ours = has_entry || app.unpaid_intents.knows(&intent.id);
    if most == 0 || !is_ours || intent.status != IntentStatus::Unpaid {
        return Ok(intent);
    }
    let failed = app.store.read(|connection| payments::failed_cards(connection, &intent.id))? + 1;
    if failed < most {
        return Ok(intent);
    }
    tracing::warn!(intent = intent.id, failed, "a payment on which many cards failed is cancelled");
    Ok(abandon::cancel(app, &intent.id, Cancellation::FailedCards)?)
}

/// The intent that an event is about, as the provider knows it now.
fn intent_of(app: &App, event: &Event) -> Result<Option<Intent>> {
    let is_intent = event.name.starts_with("payment_intent.");
    let id = if is_intent { text(&event.object["id"]) } else { intent_id(&event.object) };
    let is_ours = is_intent || is_of_refunds(&event.name) || is_of_a_dispute(&event.name);
    let Some(id) = id.filter(|_| is_ours) else { return Ok(None) };
    match app.payments.retrieve(id) {
        Ok(intent) => Ok(Some(intent)),
        // Not to be found, and told to be paid: that alone pays for nothing, but a person should look.
        Err(Failure::Missing) if is_intent => Ok(Intent::parse(event.object.clone())
            .filter(|intent| intent.status == IntentStatus::Succeeded)
            .map(|intent| Intent { entry: None, received_cents: 0, ..intent })),
        Err(Failure::Missing) => Ok(None),
        Err(failure) => Err(failure.into()),
    }
}

fn is_of_refunds(name: &str) -> bool {
    name.starts_with("charge.refund") || name.starts_with("refund.")
}

fn is_of_a_dispute(name: &str) -> bool {
    name.starts_with("charge.dispute.")
}

fn note_dispute(connection: &Connection, event: &Event, entry_id: i64) -> Result<()> {
    let Some(dispute) = text(&event.object["id"]).filter(|_| is_of_a_dispute(&event.name)) else {
        return Ok(());
    };
    let state = match event.object["status"].as_str() {
        // An inquiry takes no money, and giving it back is one way to end it (Stripe's guide, 'How disputes work').
        Some("warning_needs_response" | "warning_under_review") => return Ok(()),
        Some("won" | "warning_closed" | "prevented") => DisputeState::Won,
        Some("lost") => DisputeState::Lost,
        _ => DisputeState::Open,
    };
    refunds::set_dispute(connection, dispute, entry_id, state)?;
    provider_refunds::restate(connection, entry_id)
}

/// `payment_intent` of a charge, a refund or a dispute: an id, or the whole object.
fn intent_id(object: &Value) -> Option<&str> {
    let named = &object["payment_intent"];
    text(named).or_else(|| text(&named["id"]))
}

fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}
