//! `POST /api/competition-entries`: saves an entry, with or without its payment.

use rusqlite::Connection;
use serde_json::Value;

use super::check::{check, chosen_categories, drop_extra, entry_errors};
use super::intents::{entry_has_intent, entry_with_idempotency_key};
use super::provider_refunds::is_out;
use super::quote;
use super::settle::settle;
use super::settlement::{self, SettlementContext};
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::{self, Record};
use crate::model::{Cents, EntryId, IntentId, Kind, PaymentStatus};
use crate::payments::pricing::Quote;
use crate::payments::provider::{Failure, Intent, IntentStatus};
use crate::registrations::submit::{self, NewRegistration, Submission};
use crate::store::payments::{self, Payment};
use crate::store::{audit, payment_findings, registrations};

/// The field that names the payment.
const INTENT: &str = "stripePaymentIntentId";
const UNKNOWN: &str = "The payment provider does not know this payment";

/// Stores an entry, or finds the one that its payment was made for, and settles the payment.
///
/// # Errors
/// [`Error::Invalid`]: an invalid entry, or a payment that is not for this entry. [`Error::Conflict`]: not paid yet, or
/// the key was used for another entry. [`Error::Forbidden`]: entries are closed. [`Error::PaymentsOff`],
/// [`Error::ProviderFailed`], [`Error::ProviderSlow`]: the payment could not be fetched, and its entry is stored.
/// [`Error::ProviderFailedUnstored`], [`Error::ProviderSlowUnstored`]: likewise, and no entry is stored.
pub fn save(app: &App, submission: &Submission<'_>) -> Result<Payment> {
    let Some(id) = intent_id(submission.body)? else {
        if let Some(answered) = submit::answered_before(app, submission)? {
            return app.store.read(|connection| payments::require(connection, EntryId(answered.id)));
        }
        let (record, quote) = new_entry(app, submission)?;
        return save_new(app, submission, record, &quote, None);
    };
    let intent = match app.payments.retrieve(&id) {
        Ok(intent) => intent,
        Err(failure @ (Failure::Missing | Failure::Off | Failure::Refused { status: 400, .. })) => {
            let is_off = matches!(failure, Failure::Off);
            return Err(match new_entry(app, submission) {
                Err(Error::Invalid(mut errors)) if !is_off => {
                    errors.insert(INTENT.into(), UNKNOWN.into());
                    Error::Invalid(errors)
                }
                Err(error) => error,
                Ok(_) if is_off => Error::PaymentsOff,
                Ok(_) => Error::field(INTENT, UNKNOWN),
            });
        }
        Err(failure) if entry_has_intent(app, &id)? || stored_before(app, submission)?.is_some() => {
            return Err(failure.into());
        }
        Err(failure) => return Err(Error::from(failure).unstored()),
    };
    // A paid entry is settled even if the content or the form has changed since.
    match app.store.read(|connection| settlement::entry_of(connection, &intent))? {
        Some(payment) => save_known(app, submission, &intent, &payment),
        None => save_with_unassigned(app, submission, &intent),
    }
}

/// The entry of a form and its price today.
fn new_entry(app: &App, submission: &Submission<'_>) -> Result<(Record, Quote)> {
    let content = app.content();
    submit::require_open(app, &content, submission)?;
    check(&content, submission)
}

/// The id of the payment that the caller names.
fn intent_id(body: &Value) -> Result<Option<IntentId>> {
    match &body[INTENT] {
        Value::Null => Ok(None),
        Value::String(id) => {
            Ok(Some(id.trim()).filter(|id| !id.is_empty()).map(|id| IntentId(id.to_owned())))
        }
        _ => Err(Error::wrong_type(INTENT)),
    }
}

/// Settles an entry that was stored before it was paid, as our own page does.
fn save_known(app: &App, submission: &Submission<'_>, intent: &Intent, payment: &Payment) -> Result<Payment> {
    let settled = settle(app, intent)?.unwrap_or_else(|| payment.clone());
    if !is_same(app, submission, payment)? {
        return Err(made_for_another());
    }
    match intent.status {
        IntentStatus::Unpaid | IntentStatus::Canceled if settled.status.is_unpaid() => Err(incomplete()),
        _ if intent.amount_cents != settled.amount_cents || intent.currency != "usd" => {
            Err(wrong_amount(intent.status))
        }
        IntentStatus::Succeeded if settled.status.is_unpaid() => Err(wrong_amount(intent.status)),
        _ => Ok(settled),
    }
}

/// Whether a form equals the stored entry. Categories that the stored entry chose stay valid.
fn is_same(app: &App, submission: &Submission<'_>, payment: &Payment) -> Result<bool> {
    let stored =
        app.store.read(|connection| registrations::get(connection, submission.kind, payment.entry_id.0))?;
    let Some(stored) = stored else { return Ok(false) };
    // The form has the answers from before an organiser's correction; its payment says whose entry it is.
    if app.store.read(|connection| audit::was_corrected(connection, submission.kind, payment.entry_id.0))? {
        return Ok(true);
    }
    let content = app.content();
    let mut offered = content.offered();
    offered.categories.extend(chosen_categories(&stored.record));
    let least = content.pricing.participant_fee_cents.min(payment.amount_cents);
    let mut record = forms::parse_with(submission.kind, submission.body, &offered, |record| {
        entry_errors(record, submission.body, least)
    })?;
    drop_extra(&mut record);
    Ok(record == stored.record)
}

/// Saves an entry with a payment that was made without one.
fn save_with_unassigned(app: &App, submission: &Submission<'_>, intent: &Intent) -> Result<Payment> {
    let saved = new_entry(app, submission).and_then(|(record, quote)| {
        require_payable(app, submission, intent, &quote)?;
        save_new(app, submission, record, &quote, Some(intent))
    });
    let is_refused = matches!(saved, Err(Error::Forbidden(_) | Error::Conflict(_) | Error::Invalid(_)));
    if is_refused && intent.status == IntentStatus::Succeeded {
        // A payment without an entry becomes a finding, which is resolved if it pays for an entry later.
        settle(app, intent)?;
    }
    saved
}

/// Whether an intent that belongs to no entry yet can pay for this one.
fn require_payable(app: &App, submission: &Submission<'_>, intent: &Intent, quote: &Quote) -> Result<()> {
    if intent.entry.is_some() {
        // For an entry of another database on the same account, or a deleted one.
        return Err(made_for_another());
    }
    let is_dealt_with = app.store.read(|connection| payment_findings::is_resolved(connection, &intent.id))?;
    if intent.has_reversal || is_dealt_with {
        return Err(Error::field(
            INTENT,
            "This payment was refunded or is being reviewed, so it cannot pay for an entry",
        ));
    }
    let is_other_mode = app.payments.is_live().is_some_and(|live| live != intent.live);
    if is_other_mode || intent.currency != "usd" || amount_of(intent) != quote.total_cents {
        return Err(wrong_amount(intent.status));
    }
    match intent.status {
        IntentStatus::Succeeded | IntentStatus::Processing => Ok(()),
        IntentStatus::Unpaid | IntentStatus::Canceled => Err(match stored_before(app, submission)? {
            Some(payment) if can_attach(&payment) => incomplete(),
            Some(_) => used_with_another(),
            None => Error::Conflict(
                "This payment is not complete yet, so nothing was stored. Please pay, with another card if needed, then \
                 send the form again."
                    .into(),
            ),
        }),
    }
}

/// The entry of this form that an earlier request with the same key has stored.
fn stored_before(app: &App, submission: &Submission<'_>) -> Result<Option<Payment>> {
    let Some(key) = submission.key else { return Ok(None) };
    let payment = app.store.read(|connection| entry_with_idempotency_key(connection, key))?;
    let Some(payment) = payment else { return Ok(None) };
    match is_same(app, submission, &payment) {
        Ok(is_same) => Ok(is_same.then_some(payment)),
        Err(Error::Invalid(_) | Error::Malformed(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The amount received or, before that, requested.
fn amount_of(intent: &Intent) -> Cents {
    if intent.status == IntentStatus::Succeeded { intent.received_cents } else { intent.amount_cents }
}

/// Stores an entry as pending and settles its payment in the same transaction.
fn save_new(
    app: &App,
    submission: &Submission<'_>,
    record: Record,
    quote: &Quote,
    intent: Option<&Intent>,
) -> Result<Payment> {
    let mut registration = NewRegistration::new(app, submission, record)?;
    registration.extra.payment_amount_cents = Some(quote.total_cents);
    registration.extra.quote = Some(quote::to_json(quote)?);
    registration.extra.intent_id = intent.map(|intent| intent.id.clone());
    let mut context = SettlementContext::new(app);
    context.at = submission.at;
    app.store.write(|connection| {
        if let Some(intent) = intent
            && let Some(other) = payments::by_intent(connection, &intent.id)?
        {
            let stored = registrations::get(connection, Kind::CompetitionEntries, other.entry_id.0)?;
            return match stored {
                Some(stored) if stored.record == registration.record => Ok(other),
                _ => Err(made_for_another()),
            };
        }
        let entry_id = EntryId(registration.write(connection)?.id);
        if let Some(intent) = intent {
            attach(connection, entry_id, intent)?;
            settlement::apply(connection, &context, intent)?;
        }
        payments::require(connection, entry_id)
    })
}

/// Assigns a payment to the entry it was sent with. A new entry has it already; an entry that was first sent without a
/// payment gets it now.
fn attach(connection: &Connection, entry_id: EntryId, intent: &Intent) -> Result<()> {
    let Some(payment) = payments::get(connection, entry_id)? else { return Ok(()) };
    if payment.intent_id.as_ref() == Some(&intent.id) {
        return Ok(());
    }
    if !can_attach(&payment) {
        return Err(used_with_another());
    }
    if is_out(connection, entry_id)? {
        return Err(Error::Conflict(
            "This entry was withdrawn or declined, so it cannot be paid. Please write to us.".into(),
        ));
    }
    if amount_of(intent) != payment.amount_cents {
        return Err(wrong_amount(intent.status));
    }
    payments::set_status(connection, entry_id, PaymentStatus::Pending)?;
    payments::set_intent(connection, entry_id, &intent.id)
}

/// Whether an entry that was first sent without a payment still has none.
fn can_attach(payment: &Payment) -> bool {
    payment.intent_id.is_none() && payment.status.is_unpaid()
}

fn used_with_another() -> Error {
    Error::Conflict("This Idempotency-Key was used with another payment.".into())
}

fn incomplete() -> Error {
    Error::Conflict(
        "This payment is not complete yet. We have kept your entry. Please pay, with another card if needed."
            .into(),
    )
}

fn made_for_another() -> Error {
    Error::field(INTENT, "This payment was made for another entry")
}

/// The organizer is notified only of money that has arrived, by a finding.
fn wrong_amount(status: IntentStatus) -> Error {
    let message = match status {
        IntentStatus::Succeeded => {
            "This payment is not the price of this entry. The organizer has been notified"
        }
        IntentStatus::Unpaid | IntentStatus::Processing | IntentStatus::Canceled => {
            "This payment is not the price of this entry"
        }
    };
    Error::field(INTENT, message)
}
