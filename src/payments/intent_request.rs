//! What a page asks for when the person goes on to pay, and the amount it believes to be right.

use std::net::IpAddr;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::forms::whole_number;
use crate::payments::pricing::{Quote, money};

/// What a page asks for when the person goes on to pay.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// `{amount, competitionData, entry?}`.
    pub body: &'a Value,
    /// The `Idempotency-Key`: one a form fill.
    pub key: Option<&'a str>,
    /// The first address of the caller's network: it may have so many unpaid intents and no more.
    pub network: IpAddr,
}

impl Ask<'_> {
    /// # Errors
    /// [`Error::Malformed`]: the body or a part of it is no JSON object.
    pub fn require_objects(&self) -> Result<()> {
        if !self.body.is_object() {
            return Err(Error::Malformed("Please send one JSON object.".into()));
        }
        for name in ["competitionData", "entry"] {
            if !matches!(self.body[name], Value::Null | Value::Object(_)) {
                return Err(Error::wrong_type(name));
            }
        }
        Ok(())
    }

    /// Names the amount too where other fields are wrong and it is missing, or not the price, if that is known.
    pub fn with_amount(&self, error: Error, quote: Option<&Quote>) -> Error {
        let Error::Invalid(mut errors) = error else { return error };
        match (self.amount(), quote) {
            (Ok(None), _) => drop(errors.insert("amount".into(), "Invalid payment amount".into())),
            (Ok(Some(amount)), Some(quote)) if amount != quote.total_cents => {
                errors.insert("amount".into(), wrong_amount_message(quote));
            }
            _ => {}
        }
        Error::Invalid(errors)
    }

    /// The caller's amount in cents; `None` when there is none or it is not a whole number.
    ///
    /// # Errors
    /// [`Error::Malformed`]: it is no number at all.
    pub fn amount(&self) -> Result<Option<i64>> {
        match &self.body["amount"] {
            Value::Null => Ok(None),
            amount @ Value::Number(_) => Ok(whole_number(amount)),
            _ => Err(Error::wrong_type("amount")),
        }
    }

    /// # Errors
    /// [`Error::Invalid`] on `amount`: the caller believes in another price.
    pub fn require_amount(&self, quote: &Quote) -> Result<()> {
        if self.amount()? == Some(quote.total_cents) { Ok(()) } else { Err(wrong_amount(quote)) }
    }
}

pub fn wrong_amount(quote: &Quote) -> Error {
    Error::field("amount", &wrong_amount_message(quote))
}

fn wrong_amount_message(quote: &Quote) -> String {
    let cents = quote.total_cents;
    format!("This entry costs {} ({cents} cents) with tax", money(cents))
}
