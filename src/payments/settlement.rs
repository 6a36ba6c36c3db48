//! Applies a payment intent to its entry, in one transaction. This is the only place that marks an entry as paid.
//!
//! The browser's call, an event, the sweep or a command may settle an entry. The first one does; later ones change
//! nothing, so that there is one confirmation email.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::{quote, receipts};
use crate::app::{App, Published};
use crate::door;
use crate::error::{Error, Result};
use crate::forms::Record;
use crate::mail::outbox::{self, Notices};
use crate::mail::{self, Message};
use crate::model::{Actor, Cents, EntryId, FindingKind, IntentId, PaymentStatus};
use crate::payments::provider::{Intent, IntentStatus, UnpaidIntents};
use crate::portal;
use crate::site;
use crate::site::content::Content;
use crate::site::publish;
use crate::store::outbox::{self as stored_emails, Priority};
use crate::store::payment_findings::{self, NewFinding};
use crate::store::payments::{self, PaidTwice, Payment};
use crate::store::{audit, refunds, registrations};
use crate::time;

/// The inputs of a settlement besides the intent.
pub struct SettlementContext {
    pub content: Arc<Content>,
    /// The event's calendar file; empty in a process that renders no pages.
    calendar: Arc<str>,
    pub public_url: String,
    /// The organiser's notices of paid entries, if the content asks for them.
    notices: Option<Notices>,
    live: Option<bool>,
    unpaid_intents: Arc<UnpaidIntents>,
    pub at: DateTime<Utc>,
}

impl SettlementContext {
    pub fn new(app: &App) -> SettlementContext {
        let Published { content, calendar, .. } = app.published();
        SettlementContext {
            public_url: app.public_url(),
            notices: Notices::new(app, &content),
            live: app.payments.is_live(),
            unpaid_intents: Arc::clone(&app.unpaid_intents),
            at: time::now(),
            content,
            calendar,
        }
    }
}

/// Like [`super::settle::settle`], within the caller's transaction.
pub fn apply(
    connection: &Connection,
    context: &SettlementContext,
    intent: &Intent,
) -> Result<Option<Payment>> {
    let found = entry_of(connection, intent)?;
    if intent.status == IntentStatus::Succeeded {
        context.unpaid_intents.stop_counting(&intent.id);
    }
    if context.live.is_some_and(|live| live != intent.live) {
        tracing::warn!(intent = intent.id.as_str(), "a payment of the other mode (live or test) was ignored");
        return Ok(found);
    }
    match (intent.status, found) {
        (IntentStatus::Succeeded, None) => {
            record_finding(connection, context, intent, FindingKind::NoEntry, None)?;
            Ok(None)
        }
        (IntentStatus::Succeeded, Some(payment)) => succeeded(connection, context, intent, payment).map(Some),
        (IntentStatus::Canceled, Some(payment)) => {
            if is_its_own(&payment, intent) {
                let end = if intent.abandoned { PaymentStatus::Abandoned } else { PaymentStatus::Failed };
                end_pending(connection, payment.entry_id, end, &time::stored(context.at))?;
            }
            payments::require(connection, payment.entry_id).map(Some)
        }
        (_, found) => Ok(found),
    }
}

/// Ends a pending entry that can no longer be paid.
pub fn end_pending(connection: &Connection, entry_id: EntryId, end: PaymentStatus, at: &str) -> Result<()> {
    if payments::require(connection, entry_id)?.status != PaymentStatus::Pending {
        return Ok(());
    }
    payments::set_status(connection, entry_id, end)?;
    let subject = Some(entry_id.registration());
    audit::insert(connection, at, &audit::Line { actor: &Actor::Program, action: end.as_str(), subject })
}

/// The entry that an intent pays for: the entry that names it, or the entry in its metadata if the process ended before
/// the intent's id was stored. The entry's number alone does not identify it, because another database on the same
/// account has the same numbers.
pub fn entry_of(connection: &Connection, intent: &Intent) -> Result<Option<Payment>> {
    let named = payments::by_intent(connection, &intent.id)?;
    let Some(mark) = &intent.entry else { return Ok(named) };
    let found = if named.is_some() { named } else { payments::get(connection, mark.id)? };
    // An intent pays only for the entry that it was created for.
    Ok(found.filter(|payment| payment.entry_id == mark.id && payment.token == mark.token))
}

/// Whether an entry has this intent, or none yet.
fn is_its_own(payment: &Payment, intent: &Intent) -> bool {
    payment.intent_id.as_ref().is_none_or(|id| *id == intent.id)
}

fn succeeded(
    connection: &Connection,
    context: &SettlementContext,
    intent: &Intent,
    payment: Payment,
) -> Result<Payment> {
    if !payment.status.is_unpaid() {
        // A complimentary entry needs no money, whichever intent brings it.
        if !is_its_own(&payment, intent) || payment.status == PaymentStatus::Complimentary {
            record_finding(connection, context, intent, FindingKind::SecondPayment, Some(payment.entry_id))?;
        }
        return Ok(payment);
    }
    if payment.is_erased {
        record_finding(connection, context, intent, FindingKind::NoEntry, Some(payment.entry_id))?;
        return Ok(payment);
    }
    let is_right_amount = intent.currency == "usd" && intent.received_cents == payment.amount_cents;
    if !payment_findings::is_resolved(connection, &intent.id)? {
        if is_right_amount && intent.fully_refunded {
            record_refunded(connection, context, intent, &payment)?;
        } else if is_right_amount {
            pay(connection, context, intent, &payment)?;
        } else {
            record_finding(connection, context, intent, FindingKind::WrongAmount, Some(payment.entry_id))?;
        }
    }
    // An intent that was refunded in full cannot pay for the entry any more. The same form starts another payment.
    if intent.fully_refunded && is_its_own(&payment, intent) {
        end_pending(connection, payment.entry_id, PaymentStatus::Failed, &time::stored(context.at))?;
    }
    payments::require(connection, payment.entry_id)
}

fn pay(
    connection: &Connection,
    context: &SettlementContext,
    intent: &Intent,
    payment: &Payment,
) -> Result<()> {
    let (id, at) = (payment.entry_id, time::stored(context.at));
    let places = context.content.pass.front_row_places;
    let front_row = payments::gets_front_row(connection, payment.additional_categories, places)?;
    mark_paid(connection, intent, id, front_row, &at)?;
    portal::nominations::create(connection, id, &at)?;
    door::tickets::sync_entry(connection, &context.content, id)?;
    confirm(connection, context, &intent.id, payment, &at)
}

/// Records a payment that has already gone back as a whole: it gives no place, no nomination and no receipt. The person is emailed
/// once the bank has taken the refund ([`tell_refunded`]), or a receipt if it did not.
fn record_refunded(
    connection: &Connection,
    context: &SettlementContext,
    intent: &Intent,
    payment: &Payment,
) -> Result<()> {
    let (entry_id, at) = (payment.entry_id, time::stored(context.at));
    let front_row = false;
    mark_paid(connection, intent, entry_id, front_row, &at)?;
    payments::set_refunded(connection, entry_id, payment.amount_cents)?;
    payments::set_status(connection, entry_id, PaymentStatus::Refunded)?;
    let (kind, id) = entry_id.registration();
    let Some(stored) = registrations::get(connection, kind, id)? else { return Ok(()) };
    stored_emails::discard_reminders(connection, &stored.record.email())
}

/// Marks an entry as paid by this intent, with its audit line, and resolves the finding about the intent.
fn mark_paid(
    connection: &Connection,
    intent: &Intent,
    entry_id: EntryId,
    front_row: bool,
    at: &str,
) -> Result<()> {
    payments::mark_paid(connection, entry_id, &intent.id, at, front_row, intent.live)?;
    payment_findings::resolve_for_intent(connection, &intent.id, at)?;
    let subject = Some(entry_id.registration());
    audit::insert(connection, at, &audit::Line { actor: &Actor::PaymentProvider, action: "paid", subject })
}

/// Emails somebody whose whole payment went back before we heard of it, as soon as all of it has arrived.
pub(super) fn tell_refunded(
    connection: &Connection,
    context: &SettlementContext,
    payment: &Payment,
) -> Result<()> {
    let (kind, id) = payment.entry_id.registration();
    let Some(intent_id) = &payment.intent_id else { return Ok(()) };
    let cause = format!("refund/{kind}/{id}/{intent_id}");
    if stored_emails::find_cause(connection, &cause)?.is_some()
        || refunds::done_cents(connection, payment.entry_id)? < payment.amount_cents
    {
        return Ok(());
    }
    let Some(stored) = registrations::get(connection, kind, id)? else { return Ok(()) };
    let (content, amount) = (&context.content, payment.amount_cents);
    let message = mail::refund(content, &context.public_url, &stored.record, payment.entry_id, amount, None)?;
    outbox::queue(connection, Priority::Urgent, cause, (kind, id), &message, &time::stored(context.at))
}

/// The confirmation with its receipt and calendar, and the organiser's notice.
pub(super) fn confirm(
    connection: &Connection,
    context: &SettlementContext,
    intent_id: &IntentId,
    payment: &Payment,
    at: &str,
) -> Result<()> {
    let (kind, id) = payment.entry_id.registration();
    let stored = registrations::get(connection, kind, id)?
        .ok_or_else(|| Error::Internal(format!("entry {id} is gone")))?;
    let cause = |email: &str| format!("{email}/{kind}/{id}");
    // The reminders of this entry, and of others that the same person started.
    stored_emails::discard_reminders(connection, &stored.record.email())?;
    if stored_emails::find_cause(connection, &cause("confirmation"))?.is_none()
        && let Some(message) = confirmation(connection, context, intent_id, payment, &stored.record, at)?
    {
        outbox::queue(connection, Priority::Urgent, cause("confirmation"), (kind, id), &message, at)?;
    }
    match &context.notices {
        Some(notices) if stored_emails::find_cause(connection, &cause("notice"))?.is_none() => {
            let (content, public_url) = (&context.content, &context.public_url);
            notices.queue(connection, content, public_url, &stored.record, id, context.at)
        }
        _ => Ok(()),
    }
}

/// The confirmation of a paid entry; `None`, with an error in the log, if the receipt's lines cannot be read.
fn confirmation(
    connection: &Connection,
    context: &SettlementContext,
    intent_id: &IntentId,
    payment: &Payment,
    record: &Record,
    at: &str,
) -> Result<Option<Message>> {
    let (kind, id) = payment.entry_id.registration();
    let quote = match quote::read(payment) {
        Ok(quote) => quote,
        Err(error) => {
            tracing::error!("no confirmation was sent: {}", error.for_log());
            return Ok(None);
        }
    };
    let mut twice = payments::paid_twice(connection)?;
    twice.retain(|twice| twice.entries[1..].contains(&payment.entry_id));
    let label = |twice: &PaidTwice| context.content.nomination(&twice.category, &twice.sub_category);
    let receipt = mail::Receipt {
        entry_id: payment.entry_id,
        intent_id,
        paid_at: at,
        amount_cents: payment.amount_cents,
        quote,
        agreed_to: registrations::agreed_to(connection, kind, id)?,
        url: Some(receipts::new_link(connection, &context.public_url, payment.entry_id, at)?),
        paid_before: twice.iter().map(|twice| (label(twice), twice.entries[0])).collect(),
    };
    let mut message = mail::entry_confirmation(&context.content, &context.public_url, record, &receipt)?;
    let calendar = if context.calendar.is_empty() {
        publish::calendar(&site::load_current(connection)?, &context.public_url)
    } else {
        context.calendar.to_string()
    };
    message.attachments.push(mail::Attachment {
        file_name: "event.ics".into(),
        content_type: "text/calendar; charset=utf-8; method=PUBLISH".into(),
        content: calendar.into_bytes(),
    });
    Ok(Some(message))
}

/// Stores a finding about a payment that cannot be assigned, for an organiser to resolve.
pub fn record_finding(
    connection: &Connection,
    context: &SettlementContext,
    intent: &Intent,
    problem: FindingKind,
    entry_id: Option<EntryId>,
) -> Result<()> {
    let amount_cents =
        if intent.received_cents > Cents(0) { intent.received_cents } else { intent.amount_cents };
    let new = NewFinding {
        object_id: intent.id.as_str(),
        problem,
        entry_id,
        amount_cents,
        currency: &intent.currency,
    };
    if payment_findings::insert(connection, &new, &time::stored(context.at))? {
        tracing::warn!(intent = intent.id.as_str(), %problem, "a payment needs an organiser's attention");
    }
    Ok(())
}
