//! A payment intent for a caller that sends no entry. Any matching entry can be saved with it later.

use chrono::NaiveDate;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::intent_request::{IntentRequest, wrong_amount};
use super::new_intent::{create, reserve};
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms;
use crate::model::{Kind, token};
use crate::payments::pricing::{self, Quote};
use crate::payments::provider::NewIntent;
use crate::registrations::submit;
use crate::site::content::Content;
use crate::time;

/// Creates an intent for one of the possible prices.
pub fn without_entry(app: &App, content: &Content, request: &IntentRequest<'_>) -> Result<String> {
    let data = &request.body["competitionData"];
    let today = content.today(time::now());
    let quote = quoted(content, data, today).map_err(|error| request.with_amount_error(error, None))?;
    let amount = request.amount()?;
    let is_priced = !data["additionalCategories"].is_null() || !data["taxLocation"].is_null();
    let is_valid = if is_priced {
        amount == Some(quote.total_cents)
    } else {
        amount.is_some_and(|amount| pricing::every_total(&content.pricing, today).contains(&amount))
    };
    if !is_valid {
        return Err(wrong_amount(&quote));
    }
    let amount_cents = amount.unwrap_or(quote.total_cents);
    let new = NewIntent { amount_cents, entry: None, description: "Competition entry".into() };
    let name = match request.key.map(submit::checked_key).transpose()? {
        // The same key with another amount gives another intent: neither has been paid yet.
        Some(key) => format!("loose-{}-{}", hex::encode(Sha256::digest(key)), amount_cents.0),
        None => format!("loose-{}", token::short()),
    };
    let reservation = reserve(app, request.network)?;
    let intent = create(app, &name, &new, None).map_err(Error::unstored)?;
    reservation.confirm(&intent.id);
    Ok(intent.client_secret)
}

/// The price for the fields that the caller sent; the others have their defaults.
fn quoted(content: &Content, data: &Value, today: NaiveDate) -> Result<Quote> {
    const NAMES: [&str; 4] = ["primaryCategory", "subCategory", "additionalCategories", "taxLocation"];
    let known = forms::parse_part(Kind::CompetitionEntries, data, &content.offered(), &NAMES)?;
    let additional = known.count("additionalCategories");
    Ok(pricing::quote(&content.pricing, additional, known.text("taxLocation"), today))
}
