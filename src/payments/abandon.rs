//! Ends unpaid entries. The payment intent is cancelled first, so that nobody can pay for an entry that has ended.

use chrono::{DateTime, Utc};

use super::settle::settle;
use super::settlement::end_pending;
use crate::app::App;
use crate::error::Result;
use crate::model::{EntryId, IntentId, PaymentStatus};
use crate::payments::provider::{Cancellation, Failure, Intent, IntentStatus};
use crate::store::payments::{self, Payment};
use crate::time;

/// Cancels the payment of an unpaid entry before its person is erased. If it turns out to be paid, it is settled.
///
/// # Errors
/// [`crate::error::Error::PaymentsOff`], [`crate::error::Error::ProviderFailed`],
/// [`crate::error::Error::ProviderSlow`]: the entry can still be paid.
pub fn cancel_unpaid(app: &App, entry_id: EntryId) -> Result<()> {
    let _lock = app.entry_locks.lock(entry_id);
    match app.store.read(|connection| payments::get(connection, entry_id))? {
        Some(payment) if payment.status.is_unpaid() => abandon(app, &payment, time::now()).map(drop),
        _ => Ok(()),
    }
}

/// Ends an entry as abandoned. If it was paid meanwhile, it becomes paid; if its payment is processing, it stays
/// pending. Returns the status of its intent, if the provider knows one. The caller must hold the entry's lock.
///
/// # Errors
/// The provider's failure: the entry can still be paid and stays pending.
pub fn abandon(app: &App, payment: &Payment, now: DateTime<Utc>) -> Result<Option<IntentStatus>> {
    let cancelled = match &payment.intent_id {
        Some(id) => cancel(app, id, Cancellation::Abandoned),
        None => Err(Failure::Missing),
    };
    match cancelled {
        Ok(intent) => {
            let status = intent.status;
            settle(app, &intent).map(|_| Some(status))
        }
        Err(Failure::Missing) => {
            let (status, at) = (PaymentStatus::Abandoned, time::stored(now));
            app.store.write(|connection| end_pending(connection, payment.entry_id, status, &at))?;
            Ok(None)
        }
        Err(failure) => Err(failure.into()),
    }
}

/// Cancels an intent that can still be paid. Any other is returned unchanged.
pub fn cancel(app: &App, intent_id: &IntentId, reason: Cancellation) -> std::result::Result<Intent, Failure> {
    let intent = app.payments.retrieve(intent_id)?;
    if intent.status != IntentStatus::Unpaid {
        return Ok(intent);
    }
    match app.payments.cancel(intent_id, reason) {
        // It was paid between the two requests.
        Err(Failure::Refused { status: 400, .. }) => app.payments.retrieve(intent_id),
        answer => answer,
    }
}
