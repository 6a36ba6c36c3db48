//! The refund of one category of an entry: its price, and its nomination, which is withdrawn with it.

use rusqlite::Connection;

use super::{pricing, quote};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Cents, EntryId, NominationState, PaymentStatus};
use crate::portal::nominations::Nomination;
use crate::site::content::Content;
use crate::store::payments::{self, Payment};
use crate::store::portal::nominations;
use crate::store::refunds;

/// The price of one more category of an entry, as `price_cents` says.
pub fn one_category_cents(app: &App, entry_id: EntryId) -> Result<Option<Cents>> {
    let content = app.content();
    app.store.read(|connection| match payments::get(connection, entry_id)? {
        Some(payment) => price_cents(connection, &content, &payment),
        None => Ok(None),
    })
}

/// What one more category of a paid entry cost with tax, at the price that the entry was quoted. `None` if it has only
/// one category left, if another amount was refunded than that of its withdrawn categories, or if the price of one of two
/// has changed since.
pub fn price_cents(connection: &Connection, content: &Content, payment: &Payment) -> Result<Option<Cents>> {
    if !matches!(payment.status, PaymentStatus::Paid | PaymentStatus::PartiallyRefunded) {
        return Ok(None);
    }
    let quote = quote::read(payment)?.filter(|quote| quote.total_cents == payment.amount_cents);
    let Some(quote) = quote else { return Ok(None) };
    // A quote has the sum of its additional categories, so the price of one of two is taken from today's prices.
    let (additional, sum) = (quote.additional_categories, quote.breakdown.additional_categories_cents);
    if additional > 1 && content.pricing.additional_cents(additional) != sum {
        return Ok(None);
    }
    let nominations = nominations::of_entry(connection, payment.entry_id)?;
    // A category whose refund is on its way counts as withdrawn.
    let open = refunds::open_categories(connection, payment.entry_id)?;
    let is_withdrawn =
        |nomination: &&Nomination| nomination.is_withdrawn_alone() || open.contains(&nomination.code);
    let withdrawn = nominations.iter().filter(is_withdrawn).count();
    let left = usize::from(additional).saturating_sub(withdrawn);
    let Some(fewer) = left.checked_sub(1) else { return Ok(None) };
    let total_of = |additional: usize| {
        let additional = u8::try_from(additional).unwrap_or(u8::MAX);
        pricing::requote(&content.pricing, &quote, additional, quote.tax_rate_basis_points).total_cents
    };
    let refunded_cents = payment.refunded_cents + refunds::open_cents(connection, payment.entry_id)?;
    let is_as_expected = refunded_cents == quote.total_cents - total_of(left);
    let price = total_of(left) - total_of(fewer);
    Ok((is_as_expected && price > Cents(0)).then_some(price))
}

/// Whether a part of the payment was refunded in the provider's dashboard while every category still takes part.
pub fn is_refunded_elsewhere(app: &App, entry_id: EntryId) -> Result<bool> {
    app.store.read(|connection| {
        let payment = payments::get(connection, entry_id)?;
        let is_part = payment.is_some_and(|payment| payment.status == PaymentStatus::PartiallyRefunded);
        if !is_part || !refunds::is_refunded_elsewhere(connection, entry_id)? {
            return Ok(false);
        }
        let nominations = nominations::of_entry(connection, entry_id)?;
        Ok(nominations.len() > 1 && !nominations.iter().any(Nomination::is_withdrawn_alone))
    })
}

/// The nomination with this code, if it can be withdrawn and is not the entry's last one.
///
/// # Errors
/// [`Error::Invalid`] on `category`.
pub fn withdrawable(
    connection: &Connection,
    content: &Content,
    entry_id: EntryId,
    code: &str,
) -> Result<Nomination> {
    let all = nominations::of_entry(connection, entry_id)?;
    let refuse = |message: String| Err(Error::field("category", &message));
    let Some(found) = all.iter().find(|nomination| nomination.code.eq_ignore_ascii_case(code)) else {
        let known: Vec<String> = all
            .iter()
            .map(|nomination| format!("{} {}", nomination.code, label(content, nomination)))
            .collect();
        return refuse(format!(
            "This entry has no category with the code {code}. It has: {}",
            known.join(", ")
        ));
    };
    if !can_withdraw(found) {
        let state = found.state.as_str().replace('_', " ");
        return refuse(format!("{} is {state}, so it cannot be withdrawn", found.code));
    }
    // The bank may take days: until then the nomination takes part, but its fee goes back once.
    let open = refunds::open_categories(connection, entry_id)?;
    if open.contains(&found.code) {
        return refuse(format!("The refund of {} is on its way already", found.code));
    }
    let is_left = |nomination: &&Nomination| can_withdraw(nomination) && !open.contains(&nomination.code);
    if all.iter().filter(is_left).count() == 1 {
        return refuse(format!(
            "{} is the only category that still takes part. Refund everything that is left, which withdraws it",
            found.code
        ));
    }
    Ok(found.clone())
}

fn can_withdraw(nomination: &Nomination) -> bool {
    use NominationState::{HandedIn, Open, Ready, Returned};
    matches!(nomination.state, Open | HandedIn | Returned | Ready)
}

/// The nomination with this code.
pub fn by_code(connection: &Connection, entry_id: EntryId, code: &str) -> Result<Option<Nomination>> {
    Ok(nominations::of_entry(connection, entry_id)?.into_iter().find(|nomination| nomination.code == code))
}

pub fn label(content: &Content, nomination: &Nomination) -> String {
    content.nomination(&nomination.category, &nomination.sub_category)
}
