//! Competition entries before they are paid.

use serde_json::{Value, json};

use crate::support::paid_site::{self, PaidSite};
use crate::support::served;

fn entry() -> Value {
    json!({
        "name": "Ada Sample", "email": "ada@example.com", "phone": "+1 201-555-0101", "businessName": "Sample Studio",
        "location": "Jersey City, NJ", "primaryCategory": "lash-extensions", "subCategory": "Volume",
        "agreementTerms": true, "agreementMedia": true
    })
}

fn with(changes: &[(&str, Value)]) -> Value {
    let mut entry = entry();
    for (name, value) in changes {
        entry[*name] = value.clone();
    }
    entry
}

#[test]
fn an_unpaid_entry_is_stored_with_our_price_and_not_confirmed() {
    let (place, server) = served("");
    let brows = [("additionalCategory1", json!("brows")), ("additionalCategory1Sub", json!("Lamination"))];
    let one_more: Vec<_> = [("additionalCategories", json!(1)), ("taxLocation", json!("new-jersey"))]
        .into_iter()
        .chain(brows.clone())
        .collect();
    let cases = [
        // $449 with New York's 8 %, the default; the caller's amount is ignored.
        (with(&[("paymentAmount", json!(99_999))]), 48_492),
        // $548 with 6.25 %.
        (with(&one_more), 58_225),
        // A category beyond `additionalCategories` is ignored and costs nothing.
        (with(&brows), 48_492),
        // An unknown tax location has 8 %.
        (with(&[("taxLocation", json!("atlantis"))]), 48_492),
    ];
    for (body, amount) in cases {
        let reply = server.post("/api/competition-entries", &body).expect(201);
        let stored = reply.json();
        assert_eq!((&stored["paymentStatus"], &stored["paymentAmount"]), (&json!("pending"), &json!(amount)));
    }
    assert_eq!(place.sql::<i64>("select count(*) from outbox"), 0, "no mail before it is paid");
    assert_eq!(place.sql::<i64>("select count(additional_category1) from competition_entries"), 1);
}

#[test]
fn without_a_payment_provider_the_answer_says_so() {
    let (_place, server) = served("");
    let intent = json!({ "amount": 48_492, "competitionData": { "primaryCategory": "brows", "subCategory": "Creative" } });
    let reply = server.post("/api/create-competition-payment-intent", &intent).expect(503);
    assert!(reply.json()["detail"].as_str().expect("a sentence").contains("Online payment is not open yet"));
    let paid = with(&[("stripePaymentIntentId", json!("pi_1"))]);
    assert_eq!(server.post("/api/competition-entries", &paid).status, 503);
}

#[test]
fn a_wrong_payment_request_is_answered_like_every_form() {
    let site = PaidSite::start();
    let ask = |body: Value| site.server.post("/api/create-competition-payment-intent", &body);
    let data = json!({ "primaryCategory": "lash-extensions", "subCategory": "Volume" });
    for body in [
        json!({ "amount": "x" }),
        json!({ "amount": 48_492, "competitionData": "x" }),
        json!({ "amount": 48_492, "competitionData": [1] }),
        json!({ "amount": 48_492, "competitionData": { "primaryCategory": 5 } }),
        json!({ "amount": 48_492, "competitionData": data, "entry": "x" }),
    ] {
        assert_eq!(ask(body.clone()).status, 400, "{body}");
    }
    for (body, wrong) in [
        (json!({}), vec!["amount", "primaryCategory", "subCategory"]),
        (
            json!({ "amount": null, "competitionData": null }),
            vec!["amount", "primaryCategory", "subCategory"],
        ),
        (json!({ "amount": 48_492 }), vec!["primaryCategory", "subCategory"]),
        (json!({ "competitionData": data }), vec!["amount"]),
    ] {
        let reply = ask(body.clone());
        let errors = reply.json()["errors"].as_object().expect("the fields").clone();
        let named: Vec<&str> = errors.keys().map(String::as_str).collect();
        assert_eq!((reply.status, named), (422, wrong), "{body}");
    }
}

#[test]
fn all_wrong_fields_of_an_entry_are_named_at_once() {
    let site = PaidSite::start();
    let wrong = json!({
        "name": "A", "email": "nowhere", "businessName": " ", "portfolio": "my site",
        "primaryCategory": "lash-extensions", "subCategory": "Lamination", "additionalCategories": 2,
        "additionalCategory1": "lash-extensions", "additionalCategory1Sub": "Volume",
        "additionalCategory2": "brows", "additionalCategory2Sub": "Volume",
        "taxLocation": "", "paymentAmount": 44_899, "agreementTerms": false
    });
    let fields = [
        "additionalCategory1",
        "additionalCategory2Sub",
        "agreementMedia",
        "agreementTerms",
        "businessName",
        "email",
        "location",
        "name",
        "paymentAmount",
        "phone",
        "portfolio",
        "subCategory",
        "taxLocation",
    ];
    let with_field = |field: &'static str| {
        let mut all = fields.to_vec();
        all.push(field);
        all.sort_unstable();
        all
    };
    let (entries, intents) = ("/api/competition-entries", "/api/create-competition-payment-intent");
    let paid_by = |intent: &str| {
        let mut body = wrong.clone();
        body["stripePaymentIntentId"] = intent.into();
        body
    };
    let known = site.create_intent("known", &paid_site::entry("ada@example.com"));
    for (path, body, expected) in [
        (entries, wrong.clone(), fields.to_vec()),
        (entries, paid_by("pi_unknown"), with_field("stripePaymentIntentId")),
        (entries, paid_by(&site.create_intent_without_entry()), fields.to_vec()),
        (entries, paid_by(&known), fields.to_vec()),
        (intents, json!({ "amount": 48_492, "entry": wrong }), fields.to_vec()),
        (intents, json!({ "entry": wrong }), with_field("amount")),
    ] {
        let reply = site.server.post(path, &body);
        let errors = reply.json()["errors"].as_object().cloned().unwrap_or_default();
        let named: Vec<&str> = errors.keys().map(String::as_str).collect();
        assert_eq!((reply.status, named), (422, expected), "{body}");
        assert_eq!(errors["paymentAmount"], "Invalid payment amount");
        assert_eq!(errors["additionalCategory1"], "Please select a category that you have not chosen yet");
    }
    site.server.post(entries, &with(&[("paymentAmount", json!("44900"))])).expect(400);
    // If the categories and the tax location are valid, the price is known, even if other answers are wrong.
    let nameless = with(&[("name", json!(""))]);
    let errors =
        site.server.post(intents, &json!({ "amount": 1, "entry": nameless })).json()["errors"].clone();
    assert_eq!(errors["amount"], "This entry costs $484.92 (48492 cents) with tax");
    assert_eq!(errors["name"], "Name must be at least 2 characters");
}
