//! The provider's events. An event only triggers a request for the payment's current state, so their order does not
//! matter. A dispute is read from the event itself; one that has ended is not opened again.

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde_json::Value;

use super::settlement::{SettlementContext, apply, entry_of};
use super::sweep_budget::SweepBudget;
use super::{abandon, provider_refunds};
use crate::app::App;
use crate::error::Result;
use crate::model::{Cents, DisputeState, EntryId, IntentId};
use crate::payments::provider::{Cancellation, Event, EventKind, Failure, Intent, IntentStatus};
use crate::site::content::Content;
use crate::store::{payments, refunds};
use crate::time;

/// Processes the events about refunds and disputes since an instant that never arrived.
///
/// # Errors
/// The provider's failure if its list cannot be read.
pub fn process_missed_events(app: &App, since: DateTime<Utc>, budget: &mut SweepBudget) -> Result<()> {
    let types: Vec<&str> = EventKind::ALL
        .into_iter()
        .filter(|kind| kind.is_refund() || kind.is_dispute())
        .map(EventKind::as_str)
        .collect();
    let mut after = None::<String>;
    loop {
        let (events, more) = app.payments.events(&types, since.timestamp(), after.as_deref())?;
        after = events.last().map(|event| event.id.clone());
        let name = |event: &Event| format!("event {}", event.id);
        budget.each(&events, name, |event| process_event(app, event));
        if !more || after.is_none() {
            return Ok(());
        }
    }
}

/// Processes a verified event and stores that it was processed. An event that was processed before changes nothing.
///
/// # Errors
/// [`crate::error::Error::ProviderFailed`], [`crate::error::Error::ProviderSlow`],
/// [`crate::error::Error::Unavailable`]: nothing was changed, and the provider sends it again.
pub fn process_event(app: &App, event: &Event) -> Result<()> {
    if app.payments.is_live().is_some_and(|live| live != event.live) {
        tracing::warn!(event = event.id, "an event of the other mode (live or test) was ignored");
        return Ok(());
    }
    if app.store.read(|connection| payments::has_event(connection, &event.id))? {
        return Ok(());
    }
    let intent = intent_of(app, event)?;
    let is_about_refunds = event.kind.is_some_and(EventKind::is_refund);
    let is_failed_card = event.kind == Some(EventKind::PaymentFailed);
    // Under the entry's lock, so that no older list of refunds is stored and every failed card is counted.
    let payment = match &intent {
        Some(intent) if is_about_refunds || is_failed_card => {
            app.store.read(|connection| entry_of(connection, intent))?
        }
        _ => None,
    };
    let _lock = payment.as_ref().map(|payment| app.entry_locks.lock(payment.entry_id));
    let intent = match intent {
        Some(intent) if is_failed_card => Some(after_failed_card(app, intent, payment.is_some())?),
        intent => intent,
    };
    let refunds = match &intent {
        Some(intent) if is_about_refunds => Some(app.payments.refunds(&intent.id)?),
        _ => None,
    };
    let context = SettlementContext::new(app);
    app.store.write(|connection| {
        let at = time::stored(context.at);
        if !payments::insert_event(connection, &event.id, &event.name, &at)? {
            return Ok(());
        }
        let Some(intent) = intent else { return Ok(()) };
        if is_failed_card {
            payments::add_failed_card(connection, &intent.id, &at)?;
        }
        apply(connection, &context, &intent)?;
        let Some(payment) = payments::by_intent(connection, &intent.id)? else { return Ok(()) };
        if let Some(refunds) = refunds {
            provider_refunds::record_refunds(connection, &context, payment.entry_id, &refunds)?;
        }
        // Like a refund, a dispute is about the money that paid for the entry.
        if !payment.status.was_paid() {
            return Ok(());
        }
        store_dispute(connection, &context.content, event, payment.entry_id)
    })
}

/// A payment is cancelled after this many cards have failed: criminals test stolen ones.
const MAX_FAILED_CARDS: u32 = 5;

/// Cancels an intent of ours on which too many cards have failed, including this one. Any other is returned unchanged.
/// This happens before the event is stored, so that it is repeated if it was interrupted.
fn after_failed_card(app: &App, intent: Intent, has_entry: bool) -> Result<Intent> {
    let is_ours = has_entry || app.unpaid_intents.knows(&intent.id);
    if !is_ours || intent.status != IntentStatus::Unpaid {
        return Ok(intent);
    }
    let failed = app.store.read(|connection| payments::failed_cards(connection, &intent.id))? + 1;
    if failed < MAX_FAILED_CARDS {
        return Ok(intent);
    }
    let id = intent.id.as_str();
    tracing::warn!(intent = id, failed, "cancelling a payment on which too many cards failed");
    Ok(abandon::cancel(app, &intent.id, Cancellation::FailedCards)?)
}

/// The current state of the intent that an event is about; `None` for an event that we don't use.
fn intent_of(app: &App, event: &Event) -> Result<Option<Intent>> {
    let Some(kind) = event.kind else { return Ok(None) };
    let is_intent = kind.is_payment();
    let id = if is_intent { text(&event.object["id"]) } else { intent_id(&event.object) };
    let Some(id) = id.map(|id| IntentId(id.to_owned())) else { return Ok(None) };
    match app.payments.retrieve(&id) {
        Ok(intent) => Ok(Some(intent)),
        // The provider does not know a payment that the event reports as paid. It pays for nothing, but becomes a finding.
        Err(Failure::Missing) if is_intent => Ok(Intent::parse(event.object.clone())
            .filter(|intent| intent.status == IntentStatus::Succeeded)
            .map(|intent| Intent { entry: None, received_cents: Cents(0), ..intent })),
        Err(Failure::Missing) => Ok(None),
        Err(failure) => Err(failure.into()),
    }
}

fn store_dispute(connection: &Connection, content: &Content, event: &Event, entry_id: EntryId) -> Result<()> {
    if !event.kind.is_some_and(EventKind::is_dispute) {
        return Ok(());
    }
    let Some(dispute) = text(&event.object["id"]) else { return Ok(()) };
    let state = match event.object["status"].as_str() {
        // An inquiry withdraws no money, and a refund is one way to end it (Stripe's guide, 'How disputes work').
        Some("warning_needs_response" | "warning_under_review") => return Ok(()),
        Some("won" | "warning_closed" | "prevented") => DisputeState::Won,
        Some("lost") => DisputeState::Lost,
        _ => DisputeState::Open,
    };
    refunds::set_dispute(connection, dispute, entry_id, state)?;
    provider_refunds::update_status(connection, content, entry_id)
}

/// `payment_intent` of a charge, a refund or a dispute: an id, or the whole object.
fn intent_id(object: &Value) -> Option<&str> {
    let named = &object["payment_intent"];
    text(named).or_else(|| text(&named["id"]))
}

fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}
