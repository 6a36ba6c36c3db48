//! The payment intent of a caller that sends no entry: any matching entry may be saved with it later.

use chrono::{NaiveDate, Utc};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::ceiling;
use super::intent_request::{Ask, wrong_amount};
use super::new_intent::create;
use crate::app::App;
use crate::error::Result;
use crate::forms;
use crate::model::Kind;
use crate::payments::pricing::{self, Quote};
use crate::payments::provider::NewIntent;
use crate::registrations::submit;
use crate::site::content::Content;

/// Makes an intent of one of the amounts that the rules can give.
pub fn without_entry(app: &App, content: &Content, ask: &Ask<'_>) -> Result<String> {
    let data = &ask.body["competitionData"];
    let today = app.site_today(content, Utc::now());
    let quote = quoted(content, data, today).map_err(|error| ask.with_amount(error, None))?;
    let amount = ask.amount()?;
    let is_told = !data["additionalCategories"].is_null() || !data["taxLocation"].is_null();
    let fits = if is_told {
        amount == Some(quote.total_cents)
    } else {
        amount.is_some_and(|amount| pricing::every_total(&content.pricing, today).contains(&amount))
    };
    if !fits {
        return Err(wrong_amount(&quote));
    }
    let amount_cents = amount.unwrap_or(quote.total_cents);
    let new = NewIntent { amount_cents, entry: None, description: "Competition entry".into() };
    let name = match ask.key.map(submit::checked_key).transpose()? {
        // The same key with another amount is another intent: nothing is paid by either yet.
        Some(key) => format!("loose-{}-{amount_cents}", hex::encode(Sha256::digest(key))),
        None => format!("loose-{:032x}", rand::random::<u128>()),
    };
    let begun = ceiling::begin(app, ask.network)?;
    let intent = create(app, &name, &new, None)?;
    begun.made(&intent.id);
    Ok(intent.client_secret)
}

/// What the names that a caller sends come to; the rest has the contract's defaults.
fn quoted(content: &Content, data: &Value, today: NaiveDate) -> Result<Quote> {
    const NAMES: [&str; 4] = ["primaryCategory", "subCategory", "additionalCategories", "taxLocation"];
    let known = forms::parse_part(Kind::CompetitionEntries, data, &content.offered(), &NAMES)?;
    let additional = known.count("additionalCategories");
    Ok(pricing::quote(&content.pricing, additional, known.text("taxLocation"), today))
}
