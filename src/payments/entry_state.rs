//! What became of a payment, for a browser that comes back from its bank; and the demo's card form.

use super::check::chosen;
use super::settlement::settle;
use subtle::ConstantTimeEq;

use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Kind, PaymentStatus, text_enum};
use crate::payments::provider::{Failure, Intent, IntentStatus, Outcome, Provider};
use crate::store::payments::Payment;
use crate::store::registrations;

/// How a payment stands, for the person who made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    pub state: State,
    /// The entry's; `None` while no entry is saved for this payment.
    pub status: Option<PaymentStatus>,
    pub amount_cents: i64,
    /// `None` while no entry is saved for this payment, and once its person was erased.
    pub entry: Option<OwnEntry>,
}

/// What the payer's browser shows of the entry: it may have come back from a bank knowing the payment alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnEntry {
    pub id: i64,
    /// Where the receipt goes.
    pub email: String,
    /// Each category's slug with its subcategory, the primary one first.
    pub categories: Vec<(String, String)>,
}

text_enum! {
    pub enum State, "a state of an entry's payment" {
        /// It has paid for its entry.
        Paid = "paid",
        /// Money came that is not this entry's, or not yet: a person looks at it, and nobody is to pay again.
        Held = "held",
        /// Money came, paid for nothing, and went back.
        Refunded = "refunded",
        Processing = "processing",
        Unpaid = "unpaid",
        Cancelled = "cancelled",
    }
}

/// Asks the provider about a payment, settles it and tells how it stands. Whoever knows the client secret is
/// the payer's browser.
///
/// # Errors
/// [`Error::NotFound`]: no payment has this secret.
pub fn standing(app: &App, client_secret: &str) -> Result<Standing> {
    let intent = by_secret(app, client_secret)?;
    let (id, status, amount_cents) = (intent.id.clone(), intent.status, intent.amount_cents);
    let given_back = intent.given_back;
    let payment = settle(app, intent)?;
    let entry = match &payment {
        Some(payment) => own_entry(app, payment)?,
        None => None,
    };
    let state = match status {
        IntentStatus::Succeeded if payment.as_ref().is_some_and(|payment| payment.is_paid_by(&id)) => {
            State::Paid
        }
        IntentStatus::Succeeded
            if given_back && payment.as_ref().is_none_or(|payment| payment.status.is_unpaid()) =>
        {
            State::Refunded
        }
        IntentStatus::Succeeded => State::Held,
        IntentStatus::Processing => State::Processing,
        IntentStatus::Unpaid => State::Unpaid,
        IntentStatus::Canceled => State::Cancelled,
    };
    Ok(Standing { state, status: payment.map(|payment| payment.status), amount_cents, entry })
}

fn own_entry(app: &App, payment: &Payment) -> Result<Option<OwnEntry>> {
    if payment.is_erased {
        return Ok(None);
    }
    let id = payment.entry_id;
    let stored = app.store.read(|connection| registrations::get(connection, Kind::CompetitionEntries, id))?;
    Ok(stored.map(|stored| OwnEntry {
        id,
        email: stored.record.text("email").to_owned(),
        categories: chosen(&stored.record)
            .filter(|category| !category.value.is_empty())
            .map(|category| (category.value, category.subcategories.concat()))
            .collect(),
    }))
}

/// Pays, or declines, in the demo; the answer is the intent's state, as a card form learns it.
///
/// # Errors
/// [`Error::NotFound`] outside of the demo and for an unknown secret; [`Error::Conflict`] when it is settled.
pub fn demo_payment(app: &App, client_secret: &str, outcome: Outcome) -> Result<State> {
    let Provider::Demo(demo) = &app.payments else { return Err(unknown()) };
    let intent = by_secret(app, client_secret)?;
    match demo.confirm(&intent.id, outcome) {
        Ok(intent) if intent.status == IntentStatus::Succeeded => Ok(State::Paid),
        Ok(_) => Ok(State::Unpaid),
        Err(Failure::Refused { words, .. }) => {
            Err(Error::Conflict(format!("This is not possible: {words}.")))
        }
        Err(failure) => Err(failure.into()),
    }
}

fn by_secret(app: &App, client_secret: &str) -> Result<Intent> {
    let (id, _) = client_secret.split_once("_secret_").ok_or_else(unknown)?;
    match app.payments.retrieve(id) {
        Ok(intent) if intent.client_secret.as_bytes().ct_eq(client_secret.as_bytes()).into() => Ok(intent),
        Ok(_) | Err(Failure::Missing) => Err(unknown()),
        Err(failure) => Err(failure.into()),
    }
}

fn unknown() -> Error {
    Error::NotFound("We know no such payment.".into())
}
