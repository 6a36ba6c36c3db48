//! Prices and tax rates are within plausible limits.

use super::Findings;
use crate::model::Cents;
use crate::payments::pricing::OTHER_LOCATION;
use crate::site::content::model::Content;

/// Stripe charges no less.
const LOWEST_CENTS: i64 = 50;
/// A hundred thousand dollars: a higher price is a typing error.
const HIGHEST_CENTS: i64 = 10_000_000;
/// 25 %, more than any US sales tax: a higher rate is a typing error.
const HIGHEST_BASIS_POINTS: i64 = 2_500;
/// The entry form offers one and two additional categories.
const ADDITIONAL_CATEGORIES: usize = 2;

pub(super) fn check(content: &Content, findings: &mut Findings<'_>) {
    let pricing = &content.pricing;
    check_cents(pricing.participant_fee_cents, "pricing.participant_fee_cents", findings);
    check_cents(pricing.regular_fee_cents, "pricing.regular_fee_cents", findings);
    let regular_is_higher = pricing.regular_fee_cents >= pricing.participant_fee_cents;
    findings.require(
        regular_is_higher,
        "pricing.regular_fee_cents",
        "must not be lower than pricing.participant_fee_cents",
    );
    check_additional_categories(content, findings);
    check_tax_locations(content, findings);
}

fn check_cents(amount: Cents, key: &str, findings: &mut Findings<'_>) {
    let rule = format!(
        "must be at least {LOWEST_CENTS} cents, the least that Stripe charges, and at most {HIGHEST_CENTS}"
    );
    findings.require((LOWEST_CENTS..=HIGHEST_CENTS).contains(&amount.0), key, rule);
}

fn check_additional_categories(content: &Content, findings: &mut Findings<'_>) {
    let key = "pricing.additional_categories_cents";
    let prices = &content.pricing.additional_categories_cents;
    findings.require(
        prices.len() == ADDITIONAL_CATEGORIES,
        key,
        "must be two prices: for one additional category, and for two together",
    );
    for (index, cents) in prices.iter().enumerate() {
        check_cents(*cents, &format!("{key}[{index}]"), findings);
    }
    findings.require(prices.is_sorted(), key, "two categories must not cost less than one");
    let described = content.pass.add_ons.len() == ADDITIONAL_CATEGORIES;
    findings.require(
        described,
        "pass.add_ons",
        "must have two members: for one additional category, and for two",
    );
}

fn check_tax_locations(content: &Content, findings: &mut Findings<'_>) {
    let locations = &content.pricing.tax_locations;
    let key = |index: usize, name: &str| format!("pricing.tax_locations[{index}].{name}");
    findings.unique(locations.iter().map(|location| location.value.as_str()), |index| key(index, "value"));
    findings.unique(locations.iter().map(|location| location.label.as_str()), |index| key(index, "label"));
    for (index, location) in locations.iter().enumerate() {
        let possible = (0..=HIGHEST_BASIS_POINTS).contains(&location.rate_basis_points);
        findings.require(
            possible,
            key(index, "rate_basis_points"),
            "must be 0 to 2500 hundredths of a percent",
        );
    }
    let has_other = locations.iter().any(|location| location.value == OTHER_LOCATION);
    findings.require(
        has_other,
        "pricing.tax_locations",
        "one value must be 'other': it stands for all places that are not listed",
    );
}
