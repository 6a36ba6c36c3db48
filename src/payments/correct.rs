//! Corrections of registrations of any kind. For an entry they also keep the rules that its form does not state: no
//! category twice, and no change that would cost more or less.

use rusqlite::Connection;
use serde_json::{Map, Value};

use super::check::{drop_extra, repeated};
use super::quote;
use crate::app::App;
use crate::error::{FieldErrors, Result};
use crate::forms::Record;
use crate::model::{Actor, Cents, EntryId, Kind, PaymentStatus};
use crate::payments::pricing::{self, Pricing};
use crate::portal;
use crate::registrations::correct_answers::{self, AnswerCorrection, Corrected, Preview};
use crate::site::content::{Content, chosen_categories};
use crate::store::payments::{self, Payment};
use crate::time;

const ADDITIONAL: &str = "additionalCategories";
const LOCATION: &str = "taxLocation";

/// Like [`correct_answers::correct`], for any kind.
///
/// # Errors
/// Those of [`correct_answers::correct`]; [`crate::error::Error::Invalid`] also names an answer that would change the price of an entry.
pub fn correct_answers(
    app: &App,
    actor: &Actor,
    (kind, id): (Kind, i64),
    correction: AnswerCorrection,
) -> Result<Corrected> {
    if kind != Kind::CompetitionEntries {
        let no_more_rules = |_: &Connection, _: &Record, _: &mut Record| Ok(FieldErrors::new());
        return correct_answers::correct(app, actor, (kind, id), correction, no_more_rules);
    }
    let content = app.content();
    let _lock = app.entry_locks.lock(EntryId(id));
    correct_answers::correct(app, actor, (kind, id), correction, |connection, before, after| {
        let errors = check(connection, &content, EntryId(id), before, after)?;
        let chosen: Vec<_> = chosen_categories(after).collect();
        let is_changed = !chosen_categories(before).eq(chosen.iter().copied());
        if errors.is_empty() && is_changed && portal::organiser::takes_part(connection, EntryId(id))? {
            portal::nominations::update_categories(
                connection,
                EntryId(id),
                &chosen,
                &time::stored(time::now()),
            )?;
        }
        Ok(errors)
    })
}

/// Like [`correct_answers::preview`], for any kind.
pub fn preview_correction(
    app: &App,
    (kind, id): (Kind, i64),
    values: &Map<String, Value>,
) -> Result<Preview> {
    let content = app.content();
    correct_answers::preview(app, (kind, id), values, |connection, before, after| match kind {
        Kind::CompetitionEntries => check(connection, &content, EntryId(id), before, after),
        _ => Ok(FieldErrors::new()),
    })
}

fn check(
    connection: &Connection,
    content: &Content,
    entry_id: EntryId,
    before: &Record,
    after: &mut Record,
) -> Result<FieldErrors> {
    drop_extra(after);
    let mut errors = repeated(after);
    let payment = payments::require(connection, entry_id)?;
    if payment.status == PaymentStatus::Complimentary {
        return Ok(errors);
    }
    let total_cents = total_cents(&content.pricing, &payment, before, after)?;
    if total_cents != payment.amount_cents {
        let is_count_changed = before.count(ADDITIONAL) != after.count(ADDITIONAL);
        let field = if is_count_changed { ADDITIONAL } else { LOCATION };
        errors.insert(field.to_owned(), price_would_change(&payment, total_cents));
    }
    Ok(errors)
}

/// The total of the entry with the new answers, at the prices in its stored quote. Anything that is not in the quote has
/// today's price.
fn total_cents(pricing: &Pricing, payment: &Payment, before: &Record, after: &Record) -> Result<Cents> {
    let (old_count, new_count) = (before.count(ADDITIONAL), after.count(ADDITIONAL));
    let (old_location, new_location) = (before.text(LOCATION), after.text(LOCATION));
    if (old_count, old_location) == (new_count, new_location) {
        return Ok(payment.amount_cents);
    }
    let quote = quote::read(payment)?.unwrap_or_else(|| {
        pricing::quote_of_fee(pricing, pricing.participant_fee_cents, old_count, old_location)
    });
    let tax_rate = if old_location == new_location {
        quote.tax_rate_basis_points
    } else {
        pricing.tax_rate_basis_points(new_location)
    };
    let requoted = pricing::requote(pricing, &quote, new_count, tax_rate);
    Ok(payment.amount_cents + requoted.total_cents - quote.total_cents)
}

fn price_would_change(payment: &Payment, total_cents: Cents) -> String {
    let difference = total_cents - payment.amount_cents;
    let (now, then, by) = (payment.amount_cents, total_cents, Cents(difference.0.abs()));
    let more = if difference > Cents(0) { "more" } else { "less" };
    let advice = if payment.status.is_unpaid() {
        "It is not paid yet: ask the person to change the form before paying."
    } else if difference > Cents(0) {
        "Ask the person to enter again with the right answers, then refund this entry."
    } else {
        "Keep the answer, and refund the difference on the entry's page."
    };
    format!("This entry cost {now} and would cost {then}, {by} {more}; a correction moves no money. {advice}")
}
