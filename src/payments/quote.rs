//! The quote of an entry, as its payment's row stores it.

use crate::error::{Error, Result};
use crate::payments::pricing::Quote;
use crate::store::payments::Payment;

/// The quote that is stored with a payment.
///
/// # Errors
/// [`Error::Internal`] if it cannot be read.
pub fn read(payment: &Payment) -> Result<Option<Quote>> {
    payment.quote.as_deref().map(serde_json::from_str).transpose().map_err(|error| {
        Error::Internal(format!("the stored quote of entry {} cannot be read: {error}", payment.entry_id))
    })
}

/// A quote as the JSON that its entry's row stores.
pub fn to_json(quote: &Quote) -> Result<String> {
    serde_json::to_string(quote).map_err(|error| Error::Internal(format!("a quote: {error}")))
}
