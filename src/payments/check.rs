//! What a competition entry must be beyond its form: no category twice, and a price that is ours.

use serde_json::Value;

use crate::error::{Error, FieldErrors, Result};
use crate::forms::{OfferedCategory, Record, whole_number};
use crate::payments::pricing::{self, Quote};
use crate::registrations::submit::Submission;
use crate::site::content::Content;

const EXTRA: [(&str, &str); 2] =
    [("additionalCategory1", "additionalCategory1Sub"), ("additionalCategory2", "additionalCategory2Sub")];

/// Checks an entry and returns what it costs. Extra categories beyond their number are dropped from the
/// record, as the page drops them.
///
/// # Errors
/// [`Error::Invalid`]: a category twice, or an amount below the fee.
pub fn check(content: &Content, submission: &Submission<'_>, record: &mut Record) -> Result<Quote> {
    let additional = record.count("additionalCategories");
    drop_extra(record);
    let mut errors = repeated(record);
    if let Some(message) = wrong_amount(submission.body, content.pricing.participant_fee_cents)? {
        errors.insert("paymentAmount".to_owned(), message);
    }
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    let today = content.today(submission.at);
    Ok(pricing::quote(&content.pricing, additional, record.text("taxLocation"), today))
}

/// # Errors
/// [`Error::Invalid`]: the caller names an amount below this one.
pub fn require_amount(body: &Value, least: i64) -> Result<()> {
    wrong_amount(body, least)?.map_or(Ok(()), |message| Err(Error::field("paymentAmount", &message)))
}

/// Drops the extra categories beyond their number.
pub fn drop_extra(record: &mut Record) {
    let additional = usize::from(record.count("additionalCategories"));
    for (category, sub) in EXTRA.into_iter().skip(additional) {
        record.clear(category);
        record.clear(sub);
    }
}

/// What an entry has chosen, as the content offered it then.
pub fn chosen(record: &Record) -> impl Iterator<Item = OfferedCategory> {
    let chosen = [("primaryCategory", "subCategory")].into_iter().chain(EXTRA);
    chosen.map(|(category, sub)| OfferedCategory {
        value: record.text(category).to_owned(),
        subcategories: vec![record.text(sub).to_owned()],
    })
}

/// Extra categories that were chosen before.
fn repeated(record: &Record) -> FieldErrors {
    let mut seen = vec![record.text("primaryCategory")];
    let mut errors = FieldErrors::new();
    for (field, _) in EXTRA {
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

/// The amount that a caller names is only looked at; the stored one is the server's own.
fn wrong_amount(body: &Value, least: i64) -> Result<Option<String>> {
    match &body["paymentAmount"] {
        Value::Null => Ok(None),
        amount @ Value::Number(_) => {
            let enough = whole_number(amount).is_some_and(|amount| amount >= least);
            Ok((!enough).then(|| "Invalid payment amount".to_owned()))
        }
        _ => Err(Error::wrong_type("paymentAmount")),
    }
}
