//! The rules of a competition entry that its form does not state: no category twice, and the right price.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::error::{Error, FieldErrors, Result};
use crate::forms::{self, OfferedCategory, Record, whole_number};
use crate::model::Cents;
use crate::payments::pricing::{self, Quote};
use crate::registrations::submit::Submission;
use crate::site::content::{CATEGORY_FIELDS, Content};

/// Checks a submitted entry and computes its price on the site's current day. Additional categories beyond the chosen
/// number are dropped from the record, as on the page.
///
/// # Errors
/// Those of [`forms::parse`]; [`Error::Invalid`] also names a category that was chosen twice and an amount below the fee.
pub fn check(content: &Content, submission: &Submission<'_>) -> Result<(Record, Quote)> {
    let least = content.pricing.participant_fee_cents;
    let mut record = forms::parse_with(submission.kind, submission.body, &content.offered(), |record| {
        entry_errors(record, submission.body, least)
    })?;
    drop_extra(&mut record);
    let quote = quote(content, submission.at, &record);
    Ok((record, quote))
}

/// The price of an entry on the site's current day.
fn quote(content: &Content, at: DateTime<Utc>, record: &Record) -> Quote {
    let (additional, location) = (record.count("additionalCategories"), record.text("taxLocation"));
    pricing::quote(&content.pricing, additional, location, content.today(at))
}

/// The price of an entry whose other answers may be invalid; `None` if an answer that the price depends on is invalid.
pub fn partial_quote(content: &Content, submission: &Submission<'_>) -> Option<Quote> {
    const NAMES: [&str; 2] = ["additionalCategories", "taxLocation"];
    let known = forms::parse_part(submission.kind, submission.body, &content.offered(), &NAMES).ok()?;
    Some(quote(content, submission.at, &known))
}

/// The fields that break a rule which the form does not state.
///
/// # Errors
/// [`Error::Malformed`]: `paymentAmount` is not a number.
pub fn entry_errors(record: &Record, body: &Value, least: Cents) -> Result<FieldErrors> {
    let mut errors = repeated(record);
    if let Some(message) = wrong_amount(body, least)? {
        errors.insert("paymentAmount".to_owned(), message);
    }
    Ok(errors)
}

/// Drops the additional categories beyond the chosen number.
pub fn drop_extra(record: &mut Record) {
    let additional = usize::from(record.count("additionalCategories"));
    for (category, sub) in CATEGORY_FIELDS.into_iter().skip(1 + additional) {
        record.clear(category);
        record.clear(sub);
    }
}

/// The categories of an entry, the primary one first.
pub fn chosen_categories(record: &Record) -> impl Iterator<Item = OfferedCategory> {
    CATEGORY_FIELDS.into_iter().map(|(category, sub)| OfferedCategory {
        value: record.text(category).to_owned(),
        subcategories: vec![record.text(sub).to_owned()],
    })
}

/// The additional categories that repeat an earlier one.
pub fn repeated(record: &Record) -> FieldErrors {
    let mut seen = Vec::new();
    let mut errors = FieldErrors::new();
    let additional = usize::from(record.count("additionalCategories"));
    for (field, _) in CATEGORY_FIELDS.into_iter().take(1 + additional) {
        let category = record.text(field);
        if category.is_empty() {
            continue;
        }
        if seen.contains(&category) {
            errors.insert(field.to_owned(), "Please select a category that you have not chosen yet".into());
        }
        seen.push(category);
    }
    errors
}

/// The caller's amount is only checked; the stored one is the server's.
fn wrong_amount(body: &Value, least: Cents) -> Result<Option<String>> {
    match &body["paymentAmount"] {
        Value::Null => Ok(None),
        amount @ Value::Number(_) => {
            let enough = whole_number(amount).is_some_and(|amount| Cents(amount) >= least);
            Ok((!enough).then(|| "Invalid payment amount".to_owned()))
        }
        _ => Err(Error::wrong_type("paymentAmount")),
    }
}
