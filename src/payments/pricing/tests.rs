use proptest::prelude::*;

use super::*;
use crate::site::content::Content;

/// A line of `tests/vectors/pricing.json`, which the browser's arithmetic is held against too.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector {
    tax_location: String,
    additional_categories: u8,
    after_deadline: AfterDeadline,
    today: NaiveDate,
    fee: Cents,
    extras: Cents,
    tax_rate: i64,
    tax_amount: Cents,
    total: Cents,
}

#[test]
fn the_shared_vectors_hold_for_the_default_prices() {
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("../../../tests/vectors/pricing.json")).expect("the vectors");
    assert!(vectors.len() > 40);
    assert_eq!(pricing(AfterDeadline::Keep).tax_locations.len(), 13);
    for vector in vectors {
        let pricing = pricing(vector.after_deadline);
        let expected = Quote {
            amount_cents: vector.total,
            additional_categories: vector.additional_categories,
            subtotal_cents: vector.fee + vector.extras,
            tax_rate_basis_points: vector.tax_rate,
            tax_cents: vector.tax_amount,
            total_cents: vector.total,
            breakdown: Breakdown {
                participant_fee_cents: vector.fee,
                additional_categories_cents: vector.extras,
            },
        };
        let location = vector.tax_location;
        let quote = quote(&pricing, vector.additional_categories, &location, vector.today);
        assert_eq!(quote, expected, "{} more, \"{location}\"", vector.additional_categories);
    }
}

/// The default prices.
fn pricing(after_deadline: AfterDeadline) -> Pricing {
    let content = Content::parse(Content::default_toml()).expect("the default");
    Pricing { after_deadline, ..content.pricing }
}

fn day(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

#[test]
fn a_quote_has_the_shape_of_the_specification() {
    let quote = quote(&pricing(AfterDeadline::Keep), 1, "connecticut", day("2026-01-01"));
    let expected = serde_json::json!({
        "amount": 58280, "additionalCategories": 1, "subtotal": 54800, "taxRate": 635, "taxAmount": 3480,
        "total": 58280, "breakdown": { "participantFee": 44900, "additionalCategoriesTotal": 9900 },
    });
    assert_eq!(serde_json::to_value(&quote).expect("JSON"), expected);
}

#[test]
fn every_total_is_what_some_quote_says_that_day() {
    let totals = every_total(&pricing(AfterDeadline::Regular), day("2025-09-25"));
    // Three counts at seven different rates.
    assert_eq!(totals.len(), 21);
    let has = |total: i64| totals.contains(&Cents(total));
    assert!(has(48492) && has(67824) && !has(80892));
    assert!(every_total(&pricing(AfterDeadline::Regular), day("2025-09-26")).contains(&Cents(80892)));
}

#[test]
fn rates_are_formatted_as_percentages() {
    for (rate, text) in [(0, "0.00%"), (530, "5.30%"), (625, "6.25%"), (1000, "10.00%")] {
        assert_eq!(percentage(rate), text);
    }
}

proptest! {
    /// Against exact fractions: the tax is the one whole number of cents within half a cent, halves up.
    #[test]
    fn tax_is_the_nearest_cent(
        fee in 1..=10_000_000_i64,
        more in 0..=10_000_000_i64,
        rate in 0..=2_500_i64,
        count in 0..=2_u8,
    ) {
        let mut pricing = pricing(AfterDeadline::Keep);
        pricing.participant_fee_cents = Cents(fee);
        pricing.additional_categories_cents = vec![Cents(more), Cents(more)];
        pricing.tax_locations[0].rate_basis_points = rate;
        let quote = quote(&pricing, count, "new-york", day("2026-01-01"));
        let added = if count == 0 { 0 } else { more };
        let (fee, added) = (Cents(fee), Cents(added));
        prop_assert_eq!(quote.subtotal_cents, fee + added);
        prop_assert_eq!(quote.total_cents, quote.subtotal_cents + quote.tax_cents);
        prop_assert_eq!(quote.amount_cents, quote.total_cents);
        // Both in twenty-thousandths of a cent.
        let exact = 2 * i128::from(quote.subtotal_cents.0) * i128::from(rate);
        let rounded = 2 * i128::from(quote.tax_cents.0) * 10_000;
        prop_assert!(rounded - 10_000 <= exact && exact < rounded + 10_000);
        prop_assert!(every_total(&pricing, day("2026-01-01")).contains(&quote.total_cents));
    }
}
