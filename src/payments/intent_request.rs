//! The request for a payment intent, and the check of the amount that the caller expects.

use std::net::IpAddr;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::forms::whole_number;
use crate::model::Cents;
use crate::payments::pricing::Quote;

/// A request to create or change a payment intent.
#[derive(Debug, Clone, Copy)]
pub struct IntentRequest<'a> {
    /// `{amount, competitionData, entry?}`.
    pub body: &'a Value,
    /// The `Idempotency-Key`, one per filled-in form.
    pub key: Option<&'a str>,
    /// The first address of the caller's network, which unpaid intents are counted by.
    pub network: IpAddr,
}

impl IntentRequest<'_> {
    /// Fails with [`Error::Malformed`] if the body or a part of it is not a JSON object.
    pub fn require_objects(&self) -> Result<()> {
        if !self.body.is_object() {
            return Err(Error::not_an_object());
        }
        for name in ["competitionData", "entry"] {
            if !matches!(self.body[name], Value::Null | Value::Object(_)) {
                return Err(Error::wrong_type(name));
            }
        }
        Ok(())
    }

    /// Adds the amount to the errors of other fields if it is missing or, when the price is known, wrong.
    pub fn with_amount_error(&self, error: Error, quote: Option<&Quote>) -> Error {
        let Error::Invalid(mut errors) = error else { return error };
        match (self.amount(), quote) {
            (Ok(None), _) => {
                errors.insert("amount".into(), "Invalid payment amount".into());
            }
            (Ok(Some(amount)), Some(quote)) if amount != quote.total_cents => {
                errors.insert("amount".into(), wrong_amount_message(quote));
            }
            _ => {}
        }
        Error::Invalid(errors)
    }

    /// The caller's amount; `None` if it is missing or not an integer.
    ///
    /// # Errors
    /// [`Error::Malformed`]: it is not a number.
    pub fn amount(&self) -> Result<Option<Cents>> {
        match &self.body["amount"] {
            Value::Null => Ok(None),
            amount @ Value::Number(_) => Ok(whole_number(amount).map(Cents)),
            _ => Err(Error::wrong_type("amount")),
        }
    }

    /// Fails with [`Error::Invalid`] on `amount` if the caller expects another price.
    pub fn require_amount(&self, quote: &Quote) -> Result<()> {
        if self.amount()? == Some(quote.total_cents) { Ok(()) } else { Err(wrong_amount(quote)) }
    }
}

pub fn wrong_amount(quote: &Quote) -> Error {
    Error::field("amount", &wrong_amount_message(quote))
}

fn wrong_amount_message(quote: &Quote) -> String {
    let total = quote.total_cents;
    format!("This entry costs {total} ({} cents) with tax", total.0)
}
