//! The payment intent of an entry: the entry is stored first, then the provider is asked, outside of any
//! transaction, under an idempotency key of our own.

use chrono::Utc;
use rusqlite::Connection;
use serde_json::Value;

use super::ceiling;
use super::check::{check, price_of_part};
use super::intent_request::Ask;
use super::intent_without_entry;
use super::new_intent::create;
use super::settlement::settle;
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::Record;
use crate::model::{Actor, Kind, PaymentStatus};
use crate::payments::pricing::Quote;
use crate::payments::provider::{EntryMark, Failure, Intent, IntentStatus, NewIntent};
use crate::registrations::screening::{self, Suspicion};
use crate::registrations::submit::{self, Arrival, Submission};
use crate::site::content::Content;
use crate::store::payments::{self, Payment};
use crate::store::{audit, registrations};
use crate::time;

/// Stores the pending entry, or what has changed in it, and returns the client secret of its intent. A caller
/// that sends no entry gets an intent that any matching entry may be saved with.
///
/// # Errors
/// [`Error::Invalid`]: a rule of the entry, a wrong `amount`, or a form that looks like a machine's.
/// [`Error::TooManyUnpaid`]: the caller's network has begun too many payments. [`Error::Forbidden`]: entries are closed.
/// [`Error::Conflict`]: this entry is paid already. [`Error::ProviderFailed`], [`Error::ProviderSlow`]: the
/// pending entry is kept, and the same key may be tried again. [`Error::PaymentsOff`].
pub fn payment_intent(app: &App, ask: &Ask<'_>) -> Result<String> {
    if matches!(app.payments, crate::payments::provider::Provider::Off) {
        return Err(Error::PaymentsOff);
    }
    ask.require_objects()?;
    ask.amount()?;
    let entry = &ask.body["entry"];
    let submission = Submission::new(Kind::CompetitionEntries, entry);
    let content = app.content();
    submit::require_open(app, &content, &submission)?;
    if entry.is_null() {
        intent_without_entry::without_entry(app, &content, ask)
    } else {
        with_entry(app, &content, ask, &submission)
    }
}

/// Whether a form fill has stored an entry under this key.
pub fn knows_form(app: &App, key: &str) -> Result<bool> {
    Ok(app.store.read(|connection| payments::by_form_key(connection, key))?.is_some())
}

/// Whether an entry is to be paid, or was paid, by this intent.
pub fn knows_intent(app: &App, id: &str) -> Result<bool> {
    Ok(app.store.read(|connection| payments::by_intent(connection, id))?.is_some())
}

/// Whether a payment is an entry's, or was begun here without one since the start, at most a day ago, and is not paid.
pub fn made_intent(app: &App, id: &str) -> Result<bool> {
    Ok(app.unpaid_intents.knows(id) || knows_intent(app, id)?)
}

fn with_entry(app: &App, content: &Content, ask: &Ask<'_>, submission: &Submission<'_>) -> Result<String> {
    let (record, quote) = check(app, content, submission)
        .map_err(|error| ask.with_amount(error, price_of_part(app, content, submission).as_ref()))?;
    require_person(&record, submission.body)?;
    ask.require_amount(&quote)?;
    let description = description(&record);
    require_room(app, ask)?;
    let (entry_id, changed) = place(app, ask, submission, record, &quote)?;
    let _turn = app.payment_turns.take(entry_id);
    let token = app.store.read(|connection| required(connection, entry_id))?.token;
    let entry = Some(EntryMark { id: entry_id, token });
    let new = NewIntent { amount_cents: quote.total_cents, entry, description };
    // The intent is asked first: what is paid already stays as it was paid.
    let known = known_intent(app, entry_id, &new)?;
    if let Some(changed) = changed {
        app.store.write(move |connection| rewrite(connection, entry_id, &changed))?;
    }
    let intent = match known {
        Known::Open(intent) => intent,
        Known::Ended(dead) => new_intent(app, ask, entry_id, &new, dead.as_deref())?,
    };
    Ok(intent.client_secret)
}

/// A form that looks like a machine's gets no payment: stolen cards are tried out on payments. It is not kept either;
/// whoever is suspected wrongly is told what to do, and still has the form.
///
/// # Errors
/// [`Error::Invalid`] on what made it look so.
fn require_person(record: &Record, body: &Value) -> Result<()> {
    match screening::suspicion(record, body, false) {
        Some(Suspicion::HiddenField) => Err(Error::field(
            screening::HIDDEN_FIELD,
            "Something filled in a field of this form that people do not see, as a browser extension may do, so we \
             began no payment. Please reload the page, check your answers and try again, or write to us.",
        )),
        Some(Suspicion::TooFast) => Err(Error::field(
            screening::SECONDS_SPENT,
            "This form arrived unusually quickly, so we did not start a payment. Please wait a moment \
             and try again.",
        )),
        _ => Ok(()),
    }
}

/// # Errors
/// [`Error::TooManyUnpaid`] for a new form, before anything is stored.
fn require_room(app: &App, ask: &Ask<'_>) -> Result<()> {
    let is_known = ask.key.map(|key| knows_form(app, key)).transpose()?.unwrap_or_default();
    if is_known { Ok(()) } else { ceiling::begin(app, ask.network).map(drop) }
}

/// Stores the entry, or finds the one of the same form fill and hands back what has changed since.
fn place(
    app: &App,
    ask: &Ask<'_>,
    submission: &Submission<'_>,
    record: Record,
    quote: &Quote,
) -> Result<(i64, Option<Arrival>)> {
    let key = ask.key.map(submit::checked_key).transpose()?;
    let mut arrival = Arrival::new(app, submission, record)?;
    arrival.beside.payment_amount_cents = Some(quote.total_cents);
    arrival.beside.quote = Some(stored_quote(quote)?);
    arrival.beside.form_key.clone_from(&key);
    app.store.write(move |connection| {
        let placed = key.as_deref().map(|key| payments::by_form_key(connection, key)).transpose()?.flatten();
        match placed {
            None => Ok((arrival.write(connection)?.id, None)),
            Some(payment) if payment.status.is_unpaid() => Ok((payment.entry_id, Some(arrival))),
            Some(payment) => Err(paid_already(payment.status)),
        }
    })
}

/// Writes a changed form over its pending entry.
fn rewrite(connection: &Connection, entry_id: i64, changed: &Arrival) -> Result<()> {
    let payment = required(connection, entry_id)?;
    if !payment.status.is_unpaid() {
        return Err(paid_already(payment.status));
    }
    let at = time::stored(Utc::now());
    registrations::replace(connection, entry_id, &changed.record, &changed.beside, &at)?;
    // From now on there is a day again to pay it.
    let subject = Some((Kind::CompetitionEntries, entry_id));
    audit::insert(connection, &at, &audit::Line { actor: &Actor::Visitor, action: "changed", subject })?;
    payments::set_status(connection, entry_id, PaymentStatus::Pending)
}

/// What an entry is paid with so far.
enum Known {
    /// It has the present amount and can be paid.
    Open(Intent),
    /// There was none, or this one, which cannot be paid any more.
    Ended(Option<String>),
}

/// Gives the intent that an entry has the present amount. Call it in the entry's turn.
///
/// # Errors
/// [`Error::Conflict`]: it is paid, or on its way.
fn known_intent(app: &App, entry_id: i64, new: &NewIntent) -> Result<Known> {
    let payment = app.store.read(|connection| required(connection, entry_id))?;
    let Some(id) = payment.intent_id else { return Ok(Known::Ended(None)) };
    match app.payments.update(&id, new) {
        Ok(intent) if intent.status == IntentStatus::Unpaid => return Ok(Known::Open(intent)),
        // Paid, on its way, or cancelled: it cannot be changed any more.
        Ok(_) | Err(Failure::Refused { .. } | Failure::Missing) => require_unpaid(app, &id)?,
        Err(failure) => return Err(failure.into()),
    }
    Ok(Known::Ended(Some(id)))
}

/// Makes an intent for an entry that has none, or whose one is `dead`. Call it in the entry's turn.
fn new_intent(
    app: &App,
    ask: &Ask<'_>,
    entry_id: i64,
    new: &NewIntent,
    dead: Option<&str>,
) -> Result<Intent> {
    let begun = ceiling::begin(app, ask.network)?;
    let payment = app.store.read(|connection| required(connection, entry_id))?;
    // The instant keeps the names of two databases apart.
    let name = format!("entry-{entry_id}-{}", payment.created_at);
    let intent = create(app, &name, new, dead)?;
    begun.made(&intent.id);
    let id = intent.id.clone();
    app.store.write(move |connection| {
        payments::set_status(connection, entry_id, PaymentStatus::Pending)?;
        payments::set_intent(connection, entry_id, Some(&id))
    })?;
    Ok(intent)
}

fn required(connection: &Connection, entry_id: i64) -> Result<Payment> {
    payments::get(connection, entry_id)?.ok_or_else(|| Error::Internal(format!("entry {entry_id} is gone")))
}

/// Settles an intent that could not be changed.
///
/// # Errors
/// [`Error::Conflict`] unless it can only be replaced.
fn require_unpaid(app: &App, id: &str) -> Result<()> {
    let intent = match app.payments.retrieve(id) {
        Ok(intent) => intent,
        Err(Failure::Missing) => return Ok(()),
        Err(failure) => return Err(failure.into()),
    };
    let (status, given_back) = (intent.status, intent.given_back);
    let paid = settle(app, intent)?.filter(|payment| payment.is_paid_by(id));
    match status {
        IntentStatus::Canceled => Ok(()),
        IntentStatus::Succeeded if given_back && paid.is_none() => Ok(()),
        IntentStatus::Succeeded => Err(paid.map_or_else(held, |payment| paid_already(payment.status))),
        IntentStatus::Processing => Err(Error::Conflict(
            "Your payment is being processed. We confirm your entry by email once it is complete.".into(),
        )),
        IntentStatus::Unpaid => Err(Error::ProviderFailed("an unpaid intent could not be changed".into())),
    }
}

fn paid_already(status: PaymentStatus) -> Error {
    let words = match status {
        PaymentStatus::Refunded | PaymentStatus::Disputed => {
            "This entry was paid, and its payment was refunded. To enter again, please begin a new form."
        }
        _ => "This entry is paid already; its confirmation is on its way to you by e-mail.",
    };
    Error::Conflict(words.into())
}

/// Money came that is not this entry's.
fn held() -> Error {
    Error::Conflict(
        "We have your payment and are looking at it: please do not pay again. We write to you by e-mail."
            .into(),
    )
}

fn description(record: &Record) -> String {
    let count = 1 + record.count("additionalCategories");
    format!("Competition entry, {count} nomination{}", if count == 1 { "" } else { "s" })
}

/// A quote as it is kept beside its entry.
pub fn stored_quote(quote: &Quote) -> Result<String> {
    serde_json::to_string(quote).map_err(|error| Error::Internal(format!("a quote: {error}")))
}
