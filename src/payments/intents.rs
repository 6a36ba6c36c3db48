//! The payment intent of an entry. The entry is stored first; then the provider is asked, outside of any transaction
//! and with an idempotency key of our own.

use rusqlite::Connection;
use serde_json::Value;

use super::check::{check, partial_quote};
use super::intent_request::IntentRequest;
use super::intent_without_entry;
use super::new_intent::{create, reserve};
use super::provider_refunds::is_out;
use super::quote;
use super::settle::settle;
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::Record;
use crate::model::{Actor, EntryId, IntentId, Kind, PaymentStatus};
use crate::payments::pricing::Quote;
use crate::payments::provider::{EntryMark, Failure, Intent, IntentStatus, NewIntent, Provider};
use crate::registrations::screening::{self, Suspicion};
use crate::registrations::submit::{self, NewRegistration, Submission};
use crate::site::content::Content;
use crate::store::payments::{self, Payment};
use crate::store::{audit, idempotency, registrations};
use crate::time;

/// Stores or updates the pending entry and returns the client secret of its intent. A caller that sends no entry gets
/// an intent that any matching entry can be saved with.
///
/// # Errors
/// [`Error::Invalid`]: an invalid entry, a wrong `amount`, or a form that was filled in by a script.
/// [`Error::TooManyUnpaid`]: the caller's network has started too many payments. [`Error::Forbidden`]: entries are closed.
/// [`Error::Conflict`]: the entry is paid already. [`Error::ProviderFailed`], [`Error::ProviderSlow`]: the
/// pending entry is kept, and the request can be retried with the same key. [`Error::ProviderFailedUnstored`],
/// [`Error::ProviderSlowUnstored`]: the caller sent no entry. [`Error::PaymentsOff`].
pub fn payment_intent(app: &App, request: &IntentRequest<'_>) -> Result<String> {
    if matches!(app.payments, Provider::Off) {
        return Err(Error::PaymentsOff);
    }
    request.require_objects()?;
    request.amount()?;
    let entry = &request.body["entry"];
    let submission = Submission::new(Kind::CompetitionEntries, entry);
    let content = app.content();
    submit::require_open(app, &content, &submission)?;
    if entry.is_null() {
        intent_without_entry::without_entry(app, &content, request)
    } else {
        with_entry(app, &content, request, &submission)
    }
}

/// Whether an entry is stored under this form key.
pub fn form_key_exists(app: &App, key: &str) -> Result<bool> {
    Ok(app.store.read(|connection| payments::by_form_key(connection, key))?.is_some())
}

/// Whether an entry names this intent.
pub fn entry_has_intent(app: &App, id: &IntentId) -> Result<bool> {
    Ok(app.store.read(|connection| payments::by_intent(connection, id))?.is_some())
}

/// Whether an intent belongs to an entry, or is unpaid and was created here within a day, since the server started.
pub fn is_our_intent(app: &App, id: &IntentId) -> Result<bool> {
    Ok(app.unpaid_intents.knows(id) || entry_has_intent(app, id)?)
}

fn with_entry(
    app: &App,
    content: &Content,
    request: &IntentRequest<'_>,
    submission: &Submission<'_>,
) -> Result<String> {
    let (record, quote) = check(content, submission)
        .map_err(|error| request.with_amount_error(error, partial_quote(content, submission).as_ref()))?;
    require_person(submission.body)?;
    request.require_amount(&quote)?;
    let description = description(&record);
    require_below_limit(app, request)?;
    let (entry_id, changed) = store_pending(app, request, submission, record, &quote)?;
    let _lock = app.entry_locks.lock(entry_id);
    let token = app.store.read(|connection| payments::require(connection, entry_id))?.token;
    let entry = Some(EntryMark { id: entry_id, token });
    let new = NewIntent { amount_cents: quote.total_cents, entry, description };
    // The intent is fetched first, because an entry that is already paid must not change.
    let known = update_intent(app, entry_id, &new)?;
    if let Some(changed) = changed {
        app.store.write(|connection| replace_pending(connection, entry_id, &changed))?;
    }
    let intent = match known {
        CurrentIntent::Open(intent) => intent,
        CurrentIntent::Ended(dead) => new_intent(app, request, entry_id, &new, dead.as_ref())?,
    };
    Ok(intent.client_secret)
}

/// Refuses a form that a script seems to have filled in, because stolen cards are tested on payments. The form is not
/// stored either. The message says what to do to somebody who is suspected wrongly and still has the form.
///
/// # Errors
/// [`Error::Invalid`] on the field that caused the suspicion.
fn require_person(body: &Value) -> Result<()> {
    match screening::suspicion_of_form(body) {
        Some(Suspicion::HiddenField) => Err(Error::field(
            screening::HIDDEN_FIELD,
            "A field of this form that people do not see was filled in, perhaps by a browser extension, so we did not \
             start a payment. Please reload the page, check your answers and try again, or write to us.",
        )),
        Some(Suspicion::TooFast) => Err(Error::field(
            screening::SECONDS_SPENT,
            "This form arrived unusually quickly, so we did not start a payment. Please wait a moment \
             and try again.",
        )),
        _ => Ok(()),
    }
}

/// Fails with [`Error::TooManyUnpaid`] for a new form, before anything is stored.
fn require_below_limit(app: &App, request: &IntentRequest<'_>) -> Result<()> {
    match request.key {
        Some(key) if form_key_exists(app, key)? => Ok(()),
        _ => reserve(app, request.network).map(drop),
    }
}

/// Stores the entry. If the key is known, returns its entry and the changed registration instead.
fn store_pending(
    app: &App,
    request: &IntentRequest<'_>,
    submission: &Submission<'_>,
    record: Record,
    quote: &Quote,
) -> Result<(EntryId, Option<NewRegistration>)> {
    let key = request.key.map(submit::checked_key).transpose()?;
    let mut registration = NewRegistration::new(app, submission, record)?;
    registration.extra.payment_amount_cents = Some(quote.total_cents);
    registration.extra.quote = Some(quote::to_json(quote)?);
    registration.extra.form_key.clone_from(&key);
    app.store.write(|connection| {
        let stored = match &key {
            Some(key) => entry_with_key(connection, key)?,
            None => None,
        };
        match stored {
            None => Ok((EntryId(registration.write(connection)?.id), None)),
            // What was declined, withdrawn or refunded stays so. The form is a new entry, and the organiser sees both.
            Some(payment) if is_over(connection, &payment)? => {
                payments::clear_form_key(connection, payment.entry_id)?;
                Ok((EntryId(registration.write(connection)?.id), None))
            }
            Some(payment) if payment.status.is_unpaid() => Ok((payment.entry_id, Some(registration))),
            Some(payment) => Err(paid_already(payment.status)),
        }
    })
}

/// Whether an entry takes part no more, so that its form, sent again, is a new entry. A disputed one may still take part again.
fn is_over(connection: &Connection, payment: &Payment) -> Result<bool> {
    match payment.status {
        PaymentStatus::Refunded => Ok(true),
        PaymentStatus::Disputed => Ok(false),
        _ => is_out(connection, payment.entry_id),
    }
}

/// The entry that was stored with this key, by a request for an intent or by one that sent no payment.
fn entry_with_key(connection: &Connection, key: &str) -> Result<Option<Payment>> {
    if let Some(payment) = payments::by_form_key(connection, key)? {
        return Ok(Some(payment));
    }
    entry_with_idempotency_key(connection, key)
}

/// The entry that a request without a payment has stored under this idempotency key.
pub(super) fn entry_with_idempotency_key(connection: &Connection, key: &str) -> Result<Option<Payment>> {
    match idempotency::find(connection, Kind::CompetitionEntries, key)? {
        Some(answered) => payments::get(connection, EntryId(answered.registration_id)),
        None => Ok(None),
    }
}

/// Replaces the answers of a pending entry by those of the changed form.
fn replace_pending(connection: &Connection, entry_id: EntryId, changed: &NewRegistration) -> Result<()> {
    let payment = payments::require(connection, entry_id)?;
    if !payment.status.is_unpaid() {
        return Err(paid_already(payment.status));
    }
    let (kind, id) = entry_id.registration();
    let (at, mut record) = (time::stored(time::now()), changed.record.clone());
    // The browser may have kept the address that an organiser has corrected meanwhile.
    for (from, to) in audit::corrected_addresses(connection, kind, id)? {
        if record.text("email").eq_ignore_ascii_case(&from) {
            record.set_text("email", &to);
        }
    }
    registrations::replace(connection, id, &record, &changed.extra, &at)?;
    // The day within which it must be paid starts again.
    let subject = Some((kind, id));
    audit::insert(connection, &at, &audit::Line { actor: &Actor::Visitor, action: "changed", subject })?;
    payments::set_status(connection, entry_id, PaymentStatus::Pending)
}

/// Changes an unpaid intent back to the amount of its stored entry. The caller must hold the entry's lock.
pub(super) fn reset_amount(app: &App, payment: &Payment, id: &IntentId) -> Result<Intent> {
    let (kind, number) = payment.entry_id.registration();
    let stored = app.store.read(|connection| registrations::require(connection, kind, number))?;
    let entry = Some(EntryMark { id: payment.entry_id, token: payment.token.clone() });
    let description = description(&stored.record);
    Ok(app.payments.update(id, &NewIntent { amount_cents: payment.amount_cents, entry, description })?)
}

/// The intent that an entry has so far.
enum CurrentIntent {
    /// It has the current amount and can be paid.
    Open(Intent),
    /// There is none, or its id if it can no longer be paid.
    Ended(Option<IntentId>),
}

/// Updates an entry's payment intent to the current amount. The caller must hold the entry's lock.
///
/// # Errors
/// [`Error::Conflict`]: it is paid or processing.
fn update_intent(app: &App, entry_id: EntryId, new: &NewIntent) -> Result<CurrentIntent> {
    let payment = app.store.read(|connection| payments::require(connection, entry_id))?;
    let Some(id) = payment.intent_id else { return Ok(CurrentIntent::Ended(None)) };
    match app.payments.update(&id, new) {
        Ok(intent) if intent.status == IntentStatus::Unpaid => return Ok(CurrentIntent::Open(intent)),
        // Paid, processing or cancelled: it can no longer be changed.
        Ok(_) | Err(Failure::Refused { .. } | Failure::Missing) => require_unpaid(app, &id)?,
        Err(failure) => return Err(failure.into()),
    }
    Ok(CurrentIntent::Ended(Some(id)))
}

/// Creates an intent for an entry that has none, or whose intent `dead` can no longer be paid. The caller must hold the
/// entry's lock.
fn new_intent(
    app: &App,
    request: &IntentRequest<'_>,
    entry_id: EntryId,
    new: &NewIntent,
    dead: Option<&IntentId>,
) -> Result<Intent> {
    let reservation = reserve(app, request.network)?;
    let payment = app.store.read(|connection| payments::require(connection, entry_id))?;
    // The creation time distinguishes entries of the same number in two databases.
    let name = format!("entry-{entry_id}-{}", payment.created_at);
    let intent = create(app, &name, new, dead)?;
    reservation.confirm(&intent.id);
    app.store.write(|connection| {
        payments::set_status(connection, entry_id, PaymentStatus::Pending)?;
        payments::set_intent(connection, entry_id, &intent.id)
    })?;
    Ok(intent)
}

/// Settles an intent that could not be updated.
///
/// # Errors
/// [`Error::Conflict`] if it must not be replaced: it is paid or processing.
fn require_unpaid(app: &App, id: &IntentId) -> Result<()> {
    let intent = match app.payments.retrieve(id) {
        Ok(intent) => intent,
        Err(Failure::Missing) => return Ok(()),
        Err(failure) => return Err(failure.into()),
    };
    let paid = settle(app, &intent)?.filter(|payment| payment.is_paid_by(id));
    match intent.status {
        IntentStatus::Canceled => Ok(()),
        IntentStatus::Succeeded if intent.fully_refunded && paid.is_none() => Ok(()),
        IntentStatus::Succeeded => {
            Err(paid.map_or_else(being_checked, |payment| paid_already(payment.status)))
        }
        IntentStatus::Processing => Err(Error::Conflict(
            "Your payment is being processed. We confirm your entry by email once it is complete.".into(),
        )),
        IntentStatus::Unpaid => Err(Error::ProviderFailed("an unpaid intent could not be updated".into())),
    }
}

fn paid_already(status: PaymentStatus) -> Error {
    let message = match status {
        PaymentStatus::Refunded => {
            "This entry was paid, and its payment was refunded. To enter again, please send the form once more."
        }
        PaymentStatus::Disputed => {
            "This entry was paid, but the cardholder's bank has withdrawn the payment. Please write to us."
        }
        PaymentStatus::Complimentary => return Error::Complimentary,
        _ => "This entry is already paid. Its confirmation is on its way to you by email.",
    };
    Error::Conflict(message.into())
}

/// The error for a payment that has arrived but does not match the entry.
fn being_checked() -> Error {
    Error::Conflict(
        "We have received your payment and are checking it. Please do not pay again. We will email you."
            .into(),
    )
}

fn description(record: &Record) -> String {
    let count = 1 + record.count("additionalCategories");
    format!("Competition entry, {count} nomination{}", if count == 1 { "" } else { "s" })
}
