//! The end of an entry that nobody pays: its intent is cancelled first, so that no money can come for what has ended.

use chrono::{DateTime, Utc};

use super::settlement::{end_pending, settle};
use crate::app::App;
use crate::error::Result;
use crate::model::PaymentStatus;
use crate::payments::provider::{Cancellation, Failure, Intent, IntentStatus};
use crate::store::payments::{self, Payment};
use crate::time;

/// Takes the payment of an unpaid entry away before its person is erased. One that turns out to be paid is settled.
///
/// # Errors
/// [`crate::error::Error::PaymentsOff`], [`crate::error::Error::ProviderFailed`],
/// [`crate::error::Error::ProviderSlow`]: it may still be paid.
pub fn withdraw(app: &App, entry_id: i64) -> Result<()> {
    let _turn = app.payment_turns.take(entry_id);
    match app.store.read(|connection| payments::get(connection, entry_id))? {
        Some(payment) if payment.status.is_unpaid() => end(app, &payment, Utc::now()),
        _ => Ok(()),
    }
}

/// Ends an entry as abandoned; one that is paid after all becomes a paid one, and one whose payment is on its way
/// waits for it. Call it in the entry's turn.
///
/// # Errors
/// The provider's failure: the entry can still be paid and waits.
pub fn end(app: &App, payment: &Payment, now: DateTime<Utc>) -> Result<()> {
    let cancelled = payment
        .intent_id
        .as_deref()
        .map_or(Err(Failure::Missing), |id| cancel(app, id, Cancellation::Abandoned));
    match cancelled {
        Ok(intent) => settle(app, intent).map(drop),
        Err(Failure::Missing) => {
            let (entry_id, at) = (payment.entry_id, time::stored(now));
            app.store
                .write(move |connection| end_pending(connection, entry_id, PaymentStatus::Abandoned, &at))
        }
        Err(failure) => Err(failure.into()),
    }
}

/// Cancels an intent that can still be paid; any other is handed back as it is.
pub fn cancel(app: &App, intent_id: &str, why: Cancellation) -> std::result::Result<Intent, Failure> {
    let intent = app.payments.retrieve(intent_id)?;
    if intent.status != IntentStatus::Unpaid {
        return Ok(intent);
    }
    match app.payments.cancel(intent_id, why) {
        // Paid in this very moment.
        Err(Failure::Refused { status: 400, .. }) => app.payments.retrieve(intent_id),
        answer => answer,
    }
}
