//! Sends refunds to the provider and stores the state of its refunds and disputes.

use rusqlite::Connection;
use sha2::{Digest, Sha256};

use super::category_refund;
use super::settlement::{SettlementContext, confirm, tell_refunded};
use crate::app::App;
use crate::door;
use crate::error::{Error, Result};
use crate::mail;
use crate::mail::outbox;
use crate::model::{Actor, Cents, EntryId, FindingKind, IntentId, PaymentStatus, RefundState};
use crate::payments::provider::{Failure, Refund as ProviderRefund, RefundOutcome};
use crate::portal;
use crate::portal::nominations::Nomination;
use crate::site::content::Content;
use crate::store::outbox::{self as stored_emails, Priority};
use crate::store::payment_findings::{self, NewFinding};
use crate::store::refunds::{self, Refund};
use crate::store::{payments, registrations, reviews};
use crate::time;

/// Sends a refund again that has no final answer, unless the provider has it already, and stores the result. An earlier
/// request may have succeeded, and the provider forgets idempotency keys after a day.
pub fn retry_refund(app: &App, refund: &Refund, intent_id: &IntentId) -> Result<()> {
    let known = match app.payments.refunds(intent_id) {
        Err(Failure::Missing) => return Err(unknown_payment(app, refund, intent_id)?),
        known => known?,
    };
    match known.into_iter().find(|known| known.mark.as_ref() == Some(&refund.key)) {
        Some(known) => store_answer(app, refund, &known),
        None => send_refund(app, refund, intent_id),
    }
}

/// Sends a refund to the provider and stores the result. Without a clear answer the refund stays unanswered.
pub fn send_refund(app: &App, refund: &Refund, intent_id: &IntentId) -> Result<()> {
    // Hashed because the provider limits keys to 255 characters.
    let name = format!("refund-{}", hex::encode(Sha256::digest(&refund.key)));
    let attempt = app.store.read(|connection| payments::attempt(connection, &name))?;
    let key = format!("{name}-{attempt}");
    match app.payments.refund(&key, intent_id, refund.amount_cents, &refund.key) {
        Ok(answer) => store_answer(app, refund, &answer),
        Err(Failure::Refused { status: 400 | 402, message, .. }) => {
            app.store.write(|connection| {
                refunds::answer(connection, &refund.key, None, RefundState::Failed).map(drop)
            })?;
            // It may have been refunded in the provider's dashboard, and the event may have been lost.
            sync_refunds(app, intent_id, refund.entry_id)?;
            Err(Error::Conflict(format!("The payment provider refused the refund: {message}")))
        }
        Err(Failure::Missing) => Err(unknown_payment(app, refund, intent_id)?),
        Err(failure) => {
            if failure.repeats_for_key() {
                let at = time::stored(time::now());
                app.store.write(|connection| payments::next_attempt(connection, &name, attempt, &at))?;
            }
            Err(failure.into())
        }
    }
}

/// Stores the provider's answer to one of our refunds.
///
/// # Errors
/// [`Error::Conflict`] if the refund has failed.
fn store_answer(app: &App, refund: &Refund, answer: &ProviderRefund) -> Result<()> {
    let context = SettlementContext::new(app);
    app.store.write(|connection| {
        store_result(connection, &context, &refund.key, &answer.id, state_of(answer))?;
        update_status(connection, &context.content, refund.entry_id)
    })?;
    if answer.outcome == RefundOutcome::Failed {
        return Err(Error::Conflict(
            "The payment provider could not refund the money. See its dashboard.".into(),
        ));
    }
    Ok(())
}

/// Ends a refund of a payment that the provider does not know: a retry would not help. An organiser has to find out
/// where the money is.
fn unknown_payment(app: &App, refund: &Refund, intent_id: &IntentId) -> Result<Error> {
    app.store.write(|connection| {
        refunds::answer(connection, &refund.key, None, RefundState::Failed)?;
        let new = NewFinding {
            object_id: intent_id.as_str(),
            problem: FindingKind::RefundFailed,
            entry_id: Some(refund.entry_id),
            amount_cents: refund.amount_cents,
            currency: "usd",
        };
        payment_findings::insert(connection, &new, &time::stored(time::now())).map(drop)
    })?;
    Ok(Error::Conflict("The payment provider does not know this payment, so nothing was refunded.".into()))
}

fn state_of(refund: &ProviderRefund) -> RefundState {
    match refund.outcome {
        RefundOutcome::Made => RefundState::Done,
        RefundOutcome::Pending => RefundState::Pending,
        RefundOutcome::Failed => RefundState::Failed,
    }
}

/// Fetches the refunds of an entry's payment from the provider and stores them.
pub fn sync_refunds(app: &App, intent_id: &IntentId, entry_id: EntryId) -> Result<()> {
    let refunds = app.payments.refunds(intent_id)?;
    let context = SettlementContext::new(app);
    app.store.write(|connection| record_refunds(connection, &context, entry_id, &refunds))
}

/// Stores the provider's refunds of an entry's payment. While the entry is unpaid, its intent was for another amount, so its
/// refunds are not refunds of the payment that may follow.
pub fn record_refunds(
    connection: &Connection,
    context: &SettlementContext,
    entry_id: EntryId,
    refunds: &[ProviderRefund],
) -> Result<()> {
    let at = &time::stored(context.at);
    let before = payments::get(connection, entry_id)?.map(|payment| payment.status);
    let was_paid = before.is_some_and(PaymentStatus::was_paid);
    for refund in refunds {
        let state = state_of(refund);
        let mark = refund.mark.as_deref().unwrap_or_default();
        if was_paid && !store_result(connection, context, mark, &refund.id, state)? {
            refunds::upsert_external(connection, entry_id, &refund.id, refund.amount_cents, state, at)?;
        }
        if refund.outcome == RefundOutcome::Failed {
            let new = NewFinding {
                object_id: &refund.id,
                problem: FindingKind::RefundFailed,
                entry_id: Some(entry_id),
                amount_cents: refund.amount_cents,
                currency: "usd",
            };
            payment_findings::insert(connection, &new, at)?;
        }
    }
    update_status(connection, &context.content, entry_id)?;
    let (kind, id) = entry_id.registration();
    let is_told = stored_emails::find_cause(connection, &format!("confirmation/{kind}/{id}"))?.is_some();
    let payment = payments::get(connection, entry_id)?.filter(|payment| !payment.is_erased && !is_told);
    let (Some(PaymentStatus::Refunded), Some(payment)) = (before, payment) else { return Ok(()) };
    // The whole payment went back before anybody was told of it.
    match (payment.status, &payment.intent_id) {
        (PaymentStatus::Refunded, _) => tell_refunded(connection, context, &payment),
        (PaymentStatus::Paid | PaymentStatus::PartiallyRefunded, Some(intent_id)) => {
            confirm(connection, context, intent_id, &payment, at)
        }
        _ => Ok(()),
    }
}

/// Stores the result of one of our refunds; `false` if it is not ours. A completed refund is added to the entry's
/// history, and the person is emailed if that was requested.
fn store_result(
    connection: &Connection,
    context: &SettlementContext,
    key: &str,
    refund_id: &str,
    state: RefundState,
) -> Result<bool> {
    let Some(before) = refunds::by_key(connection, key)? else { return Ok(false) };
    refunds::answer(connection, key, Some(refund_id), state)?;
    let amount = before.amount_cents;
    match (before.state, state) {
        (RefundState::Unanswered | RefundState::Pending | RefundState::Failed, RefundState::Done) => {
            let mut note = format!("Refunded {amount}");
            if let Some(category) = withdraw_category(connection, context, &before)? {
                note.push_str(&format!(" for {category}, which is withdrawn"));
            }
            if let Some(reason) = &before.reason {
                note.push_str(&format!(": {reason}"));
            }
            add_to_history(connection, context, before.entry_id, &before.actor, note)?;
            if before.notify {
                queue_email(connection, context, &before)?;
            }
        }
        (RefundState::Unanswered, RefundState::Pending) => {
            let note = format!("A refund of {amount} is on its way: the bank has not confirmed it yet.");
            add_to_history(connection, context, before.entry_id, &before.actor, note)?;
        }
        (RefundState::Done, RefundState::Failed) => {
            let mut note = format!("The refund of {amount} failed: the money did not arrive.");
            if let Some(code) = reinstate_category(connection, context, &before)? {
                note.push_str(&format!(" {code} takes part again."));
            }
            add_to_history(connection, context, before.entry_id, &Actor::PaymentProvider, note)?;
        }
        _ => {}
    }
    Ok(true)
}

/// Withdraws the nomination of the refunded category. Returns its label and code.
fn withdraw_category(
    connection: &Connection,
    context: &SettlementContext,
    refund: &Refund,
) -> Result<Option<String>> {
    let Some(nomination) = nomination_of(connection, refund)? else { return Ok(None) };
    let reason = format!("Its fee was refunded ({}).", refund.amount_cents);
    let at = time::stored(context.at);
    let is_done = portal::nominations::withdraw_one(connection, &refund.actor, &nomination, &reason, &at)?;
    let label = category_refund::label(&context.content, &nomination);
    Ok(is_done.then(|| format!("{label} ({})", nomination.code)))
}

/// Reinstates the nomination of a refunded category, because the refund failed after all. Returns its code.
fn reinstate_category(
    connection: &Connection,
    context: &SettlementContext,
    refund: &Refund,
) -> Result<Option<String>> {
    let nomination = nomination_of(connection, refund)?;
    let Some(nomination) = nomination.filter(Nomination::is_withdrawn_alone) else {
        return Ok(None);
    };
    if is_out(connection, refund.entry_id)? {
        return Ok(None);
    }
    let at = time::stored(context.at);
    portal::nominations::reinstate_one(connection, &Actor::PaymentProvider, &nomination, &at)?;
    Ok(Some(nomination.code))
}

fn nomination_of(connection: &Connection, refund: &Refund) -> Result<Option<Nomination>> {
    match &refund.category {
        Some(code) => category_refund::by_code(connection, refund.entry_id, code),
        None => Ok(None),
    }
}

fn add_to_history(
    connection: &Connection,
    context: &SettlementContext,
    entry_id: EntryId,
    actor: &Actor,
    note: String,
) -> Result<()> {
    let (kind, id) = entry_id.registration();
    let Some(stored) = registrations::get(connection, kind, id)? else { return Ok(()) };
    reviews::add_note(connection, &stored, actor, note, &time::stored(context.at)).map(drop)
}

fn queue_email(connection: &Connection, context: &SettlementContext, refund: &Refund) -> Result<()> {
    let (kind, id) = refund.entry_id.registration();
    let Some(stored) = registrations::get(connection, kind, id)? else { return Ok(()) };
    let is_erased = payments::get(connection, refund.entry_id)?.is_none_or(|payment| payment.is_erased);
    let cause = format!("refund/{kind}/{id}/{}", refund.id);
    if is_erased || stored_emails::find_cause(connection, &cause)?.is_some() {
        return Ok(());
    }
    let (content, url, at) = (&context.content, &context.public_url, time::stored(context.at));
    let nomination = nomination_of(connection, refund)?;
    let category = nomination.map(|nomination| category_refund::label(content, &nomination));
    let Refund { entry_id, amount_cents, .. } = *refund;
    let message = mail::refund(content, url, &stored.record, entry_id, amount_cents, category.as_deref())?;
    outbox::queue(connection, Priority::Urgent, cause, (kind, id), &message, &at)
}

/// Sets a paid entry's status from its refunds and disputes. Any other entry is not changed.
pub fn update_status(connection: &Connection, content: &Content, entry_id: EntryId) -> Result<()> {
    let payment = payments::get(connection, entry_id)?.filter(|payment| payment.status.was_paid());
    let Some(payment) = payment else { return Ok(()) };
    let was_whole = payment.refunded_cents == payment.amount_cents;
    let mut refunded = refunds::done_cents(connection, entry_id)?;
    if was_whole {
        // It was found with its refund still on the way, and has no place unless that fails.
        refunded = refunded + refunds::open_cents(connection, entry_id)?;
    }
    let refunded = refunded.min(payment.amount_cents);
    if refunded != payment.refunded_cents {
        payments::set_refunded(connection, entry_id, refunded)?;
    }
    let status = if refunds::is_disputed(connection, entry_id)? {
        PaymentStatus::Disputed
    } else if refunded == payment.amount_cents {
        PaymentStatus::Refunded
    } else if refunded > Cents(0) {
        PaymentStatus::PartiallyRefunded
    } else {
        PaymentStatus::Paid
    };
    payments::set_status(connection, entry_id, status)?;
    let at = time::stored(time::now());
    // By the money and not the status: a dispute of a payment that went back gives no place back.
    match (was_whole, refunded == payment.amount_cents) {
        (false, true) => portal::nominations::withdraw(connection, entry_id, &at)?,
        (true, false) if !is_out(connection, entry_id)? => {
            portal::nominations::reinstate(connection, entry_id, &at)?;
        }
        _ => {}
    }
    door::tickets::sync_entry(connection, content, entry_id)
}

/// Whether an entry was declined or withdrawn.
pub(super) fn is_out(connection: &Connection, entry_id: EntryId) -> Result<bool> {
    let (kind, id) = entry_id.registration();
    let stored = registrations::get(connection, kind, id)?;
    Ok(stored.is_some_and(|stored| stored.status.is_out()))
}
