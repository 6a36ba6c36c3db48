//! Settles an intent, and fetches the refunds of one that was refunded before we knew of it.

use super::provider_refunds;
use super::settlement::{SettlementContext, apply};
use crate::app::App;
use crate::error::Result;
use crate::model::PaymentStatus;
use crate::payments::provider::Intent;
use crate::store::payments::{self, Payment};

/// Settles an intent that was just fetched from the provider. Returns its entry's payment afterwards, or `None` if the
/// intent belongs to no entry.
///
/// # Errors
/// [`crate::error::Error::Unavailable`]: nothing was changed. [`crate::error::Error::ProviderFailed`],
/// [`crate::error::Error::ProviderSlow`]: its refunds are not
/// known yet.
pub fn settle(app: &App, intent: &Intent) -> Result<Option<Payment>> {
    let context = SettlementContext::new(app);
    let settled = app.store.write(|connection| apply(connection, &context, intent))?;
    if let Some(payment) = &settled
        && intent.has_reversal
        && matches!(payment.status, PaymentStatus::Paid | PaymentStatus::Refunded)
        && payment.is_paid_by(&intent.id)
    {
        // It was refunded before we knew of the payment. Fetch the refunds now instead of waiting for an event.
        provider_refunds::sync_refunds(app, &intent.id, payment.entry_id)?;
        return app.store.read(|connection| payments::require(connection, payment.entry_id)).map(Some);
    }
    Ok(settled)
}
