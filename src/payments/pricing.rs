//! The price of an entry: pure arithmetic in whole cents on the organiser's prices and tax table. The browser computes
//! the same from the same data (`tests/vectors/pricing.json`).

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::model::Cents;

/// The tax location for every place that is not listed.
pub const OTHER_LOCATION: &str = "other";
/// The rate of a place not listed, should the table lack [`OTHER_LOCATION`] (docs/reference.md, "Rules of the event").
const UNKNOWN_LOCATION_BASIS_POINTS: i64 = 800;

/// The organiser's prices, part of the content.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "camelCase"))]
pub struct Pricing {
    /// The pass with one nomination.
    pub participant_fee_cents: Cents,
    pub regular_fee_cents: Cents,
    /// The last day of the priority price, in the event's time zone.
    pub priority_deadline: NaiveDate,
    pub after_deadline: AfterDeadline,
    /// The total price of one, two, … additional categories.
    pub additional_categories_cents: Vec<Cents>,
    pub tax_locations: Vec<TaxLocation>,
}

/// The fee after the priority deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum AfterDeadline {
    Keep,
    Regular,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "camelCase"))]
pub struct TaxLocation {
    /// The text that an entry stores.
    pub value: String,
    pub label: String,
    /// Hundredths of a percent: 625 is 6.25 %.
    pub rate_basis_points: i64,
}

/// The price of an entry and how it is made up, as the browser shows it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Quote {
    /// The same as the total.
    #[serde(rename = "amount")]
    pub amount_cents: Cents,
    pub additional_categories: u8,
    #[serde(rename = "subtotal")]
    pub subtotal_cents: Cents,
    /// Hundredths of a percent.
    #[serde(rename = "taxRate")]
    pub tax_rate_basis_points: i64,
    #[serde(rename = "taxAmount")]
    pub tax_cents: Cents,
    #[serde(rename = "total")]
    pub total_cents: Cents,
    pub breakdown: Breakdown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Breakdown {
    #[serde(rename = "participantFee")]
    pub participant_fee_cents: Cents,
    #[serde(rename = "additionalCategoriesTotal")]
    pub additional_categories_cents: Cents,
}

impl Pricing {
    /// The fee on a day of the event's time zone.
    pub fn fee_cents(&self, today: NaiveDate) -> Cents {
        match self.after_deadline {
            AfterDeadline::Regular if today > self.priority_deadline => self.regular_fee_cents,
            AfterDeadline::Regular | AfterDeadline::Keep => self.participant_fee_cents,
        }
    }

    /// The rate of a location, or of [`OTHER_LOCATION`] if it is not in the table.
    pub fn tax_rate_basis_points(&self, location: &str) -> i64 {
        let rate_of = |wanted: &str| {
            let location = self.tax_locations.iter().find(|listed| listed.value == wanted);
            location.map(|listed| listed.rate_basis_points)
        };
        rate_of(location).or_else(|| rate_of(OTHER_LOCATION)).unwrap_or(UNKNOWN_LOCATION_BASIS_POINTS)
    }

    /// The price of additional categories; more than are sold cost as much as the maximum.
    pub fn additional_cents(&self, additional: u8) -> Cents {
        let most = self.additional_categories_cents.len();
        match usize::from(additional).min(most) {
            0 => Cents(0),
            count => self.additional_categories_cents[count - 1],
        }
    }
}

/// Computes the price of an entry on a day of the event's time zone. The form limits the number of additional categories.
pub fn quote(pricing: &Pricing, additional: u8, tax_location: &str, today: NaiveDate) -> Quote {
    quote_of_fee(pricing, pricing.fee_cents(today), additional, tax_location)
}

/// Computes the price of an entry with this fee.
pub fn quote_of_fee(pricing: &Pricing, fee_cents: Cents, additional: u8, tax_location: &str) -> Quote {
    let additional_cents = pricing.additional_cents(additional);
    of_parts(fee_cents, (additional, additional_cents), pricing.tax_rate_basis_points(tax_location))
}

/// The price of an entry that was quoted before, with another number of additional categories or another tax rate. The fee
/// stays as quoted, and so does the price of the additional categories if their number does.
pub fn requote(pricing: &Pricing, quote: &Quote, additional: u8, tax_rate_basis_points: i64) -> Quote {
    let additional_cents = if additional == quote.additional_categories {
        quote.breakdown.additional_categories_cents
    } else {
        pricing.additional_cents(additional)
    };
    of_parts(quote.breakdown.participant_fee_cents, (additional, additional_cents), tax_rate_basis_points)
}

fn of_parts(
    participant_fee_cents: Cents,
    (additional, additional_categories_cents): (u8, Cents),
    tax_rate_basis_points: i64,
) -> Quote {
    let subtotal_cents = participant_fee_cents + additional_categories_cents;
    let tax_cents = share_half_up(subtotal_cents, tax_rate_basis_points);
    let total_cents = subtotal_cents + tax_cents;
    Quote {
        amount_cents: total_cents,
        additional_categories: additional,
        subtotal_cents,
        tax_rate_basis_points,
        tax_cents,
        total_cents,
        breakdown: Breakdown { participant_fee_cents, additional_categories_cents },
    }
}

/// Every possible total on a day of the event's time zone.
pub fn every_total(pricing: &Pricing, today: NaiveDate) -> BTreeSet<Cents> {
    let locations = || pricing.tax_locations.iter().map(|location| location.value.as_str());
    (0_u8..)
        .take(pricing.additional_categories_cents.len() + 1)
        .flat_map(|additional| locations().map(move |location| (additional, location)))
        .map(|(additional, location)| quote(pricing, additional, location, today).total_cents)
        .collect()
}

/// A rate as people read it: `6.25%`.
pub fn percentage(basis_points: i64) -> String {
    format!("{}.{:02}%", basis_points / 100, basis_points % 100)
}

/// A share of an amount, rounded half up to a whole cent. Neither argument is negative.
fn share_half_up(amount: Cents, basis_points: i64) -> Cents {
    Cents((amount.0 * basis_points + 5_000) / 10_000)
}

#[cfg(test)]
mod tests;
