//! The state of a payment, for a browser that returns from the payer's bank; and the demo's card form.

use subtle::ConstantTimeEq;

use super::check::chosen_categories;
use super::intents;
use super::pricing::Quote;
use super::quote;
use super::settle::settle;
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::EmailAddress;
use crate::model::{Cents, EntryId, IntentId, PaymentStatus, text_enum};
use crate::payments::provider::{Failure, Intent, IntentStatus, Outcome, Provider};
use crate::store::payments::Payment;
use crate::store::registrations;

/// The state of a payment as its payer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryState {
    pub state: PaymentState,
    /// The entry's status; `None` while no entry is saved for this payment.
    pub status: Option<PaymentStatus>,
    pub amount_cents: Cents,
    /// `None` while no entry is saved for this payment, and after its person was erased.
    pub entry: Option<OwnEntry>,
}

/// The part of the entry that the payer's browser shows. After a bank's redirect the browser may only know the payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnEntry {
    pub id: EntryId,
    /// The receipt is sent to this address.
    pub email: EmailAddress,
    /// Each category's slug with its subcategory, the primary one first.
    pub categories: Vec<(String, String)>,
    /// How the amount is made up; `None` if it is not stored.
    pub quote: Option<Quote>,
    pub tax_location: String,
}

text_enum! {
    pub enum PaymentState, "a state of an entry's payment" {
        /// The payment has paid for its entry.
        Paid = "paid",
        /// The payment arrived but pays for no entry yet. An organiser resolves it; the payer must not pay again.
        Held = "held",
        /// The payment arrived, paid for no entry and was refunded.
        Refunded = "refunded",
        Processing = "processing",
        Unpaid = "unpaid",
        Cancelled = "cancelled",
    }
}

/// Fetches a payment from the provider, settles it and returns its state. The client secret proves that the caller is
/// the payer's browser.
///
/// # Errors
/// [`Error::NotFound`]: no payment has this secret.
pub fn entry_state(app: &App, client_secret: &str) -> Result<EntryState> {
    let mut intent = by_secret(app, client_secret)?;
    let mut payment = settle(app, &intent)?;
    if let Some(entry_id) = entry_of_other_amount(payment.as_ref(), &intent) {
        let _lock = app.entry_locks.lock(entry_id);
        // A changed form may have been replacing the entry until now.
        intent = by_secret(app, client_secret)?;
        payment = settle(app, &intent)?;
        if let Some(payment) = &payment
            && entry_of_other_amount(Some(payment), &intent).is_some()
        {
            intent = intents::reset_amount(app, payment, &intent.id)?;
        }
    }
    let entry = match &payment {
        Some(payment) => own_entry(app, payment)?,
        None => None,
    };
    let is_paid = payment.as_ref().is_some_and(|payment| payment.is_paid_by(&intent.id));
    let was_paid = payment.as_ref().is_some_and(|payment| payment.status.was_paid());
    let state = match intent.status {
        IntentStatus::Succeeded if is_paid => PaymentState::Paid,
        IntentStatus::Succeeded if intent.fully_refunded && !was_paid => PaymentState::Refunded,
        IntentStatus::Succeeded => PaymentState::Held,
        IntentStatus::Processing => PaymentState::Processing,
        IntentStatus::Unpaid => PaymentState::Unpaid,
        IntentStatus::Canceled => PaymentState::Cancelled,
    };
    Ok(EntryState {
        state,
        status: payment.map(|payment| payment.status),
        amount_cents: intent.amount_cents,
        entry,
    })
}

/// The entry that this unpaid intent is for, if the entry has another amount: Stripe's answer to a changed form was lost, so
/// that the form did not replace the entry.
fn entry_of_other_amount(payment: Option<&Payment>, intent: &Intent) -> Option<EntryId> {
    let is_other = |payment: &&Payment| {
        payment.status.is_unpaid()
            && !payment.is_erased
            && payment.intent_id.as_ref() == Some(&intent.id)
            && payment.amount_cents != intent.amount_cents
    };
    let payment = payment.filter(|_| intent.status == IntentStatus::Unpaid).filter(is_other)?;
    Some(payment.entry_id)
}

fn own_entry(app: &App, payment: &Payment) -> Result<Option<OwnEntry>> {
    if payment.is_erased {
        return Ok(None);
    }
    let (kind, id) = payment.entry_id.registration();
    let stored = app.store.read(|connection| registrations::get(connection, kind, id))?;
    let Some(stored) = stored else { return Ok(None) };
    Ok(Some(OwnEntry {
        id: payment.entry_id,
        email: stored.record.email(),
        categories: chosen_categories(&stored.record)
            .filter(|category| !category.value.is_empty())
            .map(|category| (category.value, category.subcategories.concat()))
            .collect(),
        quote: quote::read(payment)?.filter(|quote| quote.total_cents == payment.amount_cents),
        tax_location: stored.record.text("taxLocation").to_owned(),
    }))
}

/// Pays or declines in the demo and returns the payment's state.
///
/// # Errors
/// [`Error::NotFound`]: not the demo, or an unknown secret. [`Error::Conflict`]: the payment is complete already.
pub fn demo_payment(app: &App, client_secret: &str, outcome: Outcome) -> Result<PaymentState> {
    let Provider::Demo(demo) = &app.payments else { return Err(unknown()) };
    let intent = by_secret(app, client_secret)?;
    match demo.confirm(&intent.id, outcome) {
        Ok(intent) if intent.status == IntentStatus::Succeeded => Ok(PaymentState::Paid),
        Ok(_) => Ok(PaymentState::Unpaid),
        Err(Failure::Refused { message, .. }) => {
            Err(Error::Conflict(format!("This payment cannot be made: {message}.")))
        }
        Err(failure) => Err(failure.into()),
    }
}

fn by_secret(app: &App, client_secret: &str) -> Result<Intent> {
    let (id, _) = client_secret.split_once("_secret_").ok_or_else(unknown)?;
    match app.payments.retrieve(&IntentId(id.to_owned())) {
        Ok(intent) if intent.client_secret.as_bytes().ct_eq(client_secret.as_bytes()).into() => Ok(intent),
        Ok(_) | Err(Failure::Missing) => Err(unknown()),
        Err(failure) => Err(failure.into()),
    }
}

fn unknown() -> Error {
    Error::NotFound("We don't know this payment.".into())
}
