//! The browser's part of the fault table in docs/payments.md: it closes at every step, or returns.

use serde_json::{Value, json};

use crate::support::content::{edited, import};
use crate::support::paid_site::{PRICE, PaidSite, entry, entry_of_two, intent_of};
use crate::support::wait_for;

const EMAIL: &str = "ada@example.com";

/// The state of a payment and of its entry, as the payer's browser is told.
fn state(site: &PaidSite, intent: &str) -> (String, Value) {
    let told = site.payment_status(intent).json();
    (told["state"].as_str().unwrap_or_default().to_owned(), told["paymentStatus"].clone())
}

#[test]
fn a_browser_that_closes_before_it_can_pay_leaves_an_entry_that_ends_after_a_day() {
    let mut site = PaidSite::start();
    site.stripe.control("faults", &json!({ "path": "^/v1/payment_intents$", "kind": "hold" }));
    let browser = site.begin_request_intent("fill-1", &entry(EMAIL));
    site.stripe.wait_for_fault("hold before");
    drop(browser);
    assert_eq!(site.status(EMAIL), "pending", "stored before any money moves");
    site.stripe.clear_faults();
    wait_for("the intent", || site.stripe.objects("intents").first().cloned());
    let declined = site.create_intent("fill-2", &entry("declined@example.com"));
    site.stripe.control("pay", &json!({ "payment_intent": declined, "outcome": "decline" }));
    site.assert_books_agree();
    site.age_entries_by_a_day();
    for email in [EMAIL, "declined@example.com"] {
        wait_for("the end of it", || (site.status(email) == "abandoned").then_some(()));
    }
    wait_for("the end of its intent", || {
        let intents = site.stripe.objects("intents");
        intents.iter().find(|intent| intent["id"] == declined.as_str())?["canceled_at"].as_i64()
    });
    assert_eq!(site.assert_books_agree(), 0);
}

#[test]
fn a_person_who_comes_back_too_late_pays_with_an_intent_that_can_be_paid() {
    let mut site = PaidSite::start();
    let ended = site.create_intent("fill-1", &entry(EMAIL));
    site.age_entries_by_a_day();
    wait_for("the end of it", || site.stripe.objects("intents")[0]["canceled_at"].as_i64());
    let intent = site.create_intent("fill-1", &entry(EMAIL));
    assert_ne!(intent, ended);
    assert_eq!(site.create_intent("fill-1", &entry(EMAIL)), intent, "and the next click finds it");
    // The entry has a whole day again: the next sweep abandons another old entry, but not this one.
    site.create_intent("fill-2", &entry("other@example.com"));
    let older =
        "update competition_entries set created_at = '2025-09-01T12:00:00.000Z' where email like 'other%'";
    site.place.execute(older);
    site.restart();
    wait_for("the end of the other", || (site.status("other@example.com") == "abandoned").then_some(()));
    assert_eq!(site.status(EMAIL), "pending");
    site.stripe.pay(&intent);
    assert_eq!(site.save(&entry(EMAIL), &intent).status, 201);
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn a_payment_that_was_cancelled_in_the_dashboard_is_begun_anew() {
    let site = PaidSite::start();
    site.enable_webhooks();
    let cancelled = site.create_intent("fill-1", &entry(EMAIL));
    site.stripe.control("cancel", &json!({ "payment_intent": cancelled }));
    site.stripe.control("idle", &json!({}));
    assert_eq!(site.status(EMAIL), "failed");
    // With the key of the first attempt Stripe would return the cancelled intent as if it could be paid.
    let intent = site.create_intent("fill-1", &entry(EMAIL));
    assert_ne!(intent, cancelled);
    site.stripe.pay(&intent);
    assert_eq!(site.save(&entry(EMAIL), &intent).status, 201);
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn a_browser_that_closes_after_paying_loses_nothing() {
    let mut site = PaidSite::start();
    let pays = |site: &PaidSite, email: &str| {
        let intent = site.create_intent(email, &entry(email));
        site.stripe.pay(&intent);
        intent
    };
    // The browser closed after the bank's page: the event settles the payment.
    site.enable_webhooks();
    pays(&site, "event@example.com");
    site.stripe.control("idle", &json!({}));
    assert_eq!(site.status("event@example.com"), "paid");
    site.stripe.control("target", &json!({}));
    // Without an event the server queries the payment itself, even for an entry that is a day old.
    pays(&site, "nobody@example.com");
    site.age_entries_by_a_day();
    wait_for("the settling", || (site.status("nobody@example.com") == "paid").then_some(()));
    // The browser closes while the entry is being saved.
    let intent = pays(&site, EMAIL);
    site.stripe.control("faults", &json!({ "method": "GET", "kind": "hold" }));
    let browser = site.begin_save(&entry(EMAIL), &intent);
    site.stripe.wait_for_fault("hold before");
    drop(browser);
    site.stripe.clear_faults();
    wait_for("the settling", || (site.status(EMAIL) == "paid").then_some(()));
    assert_eq!(site.assert_books_agree(), 3);
}

#[test]
fn a_browser_that_comes_back_from_its_bank_in_a_fresh_tab_is_told_the_truth() {
    let site = PaidSite::start();
    for (email, outcome, state) in [
        ("good@example.com", "succeed", "paid"),
        ("bad@example.com", "decline", "unpaid"),
        (EMAIL, "", "processing"),
    ] {
        let intent = site.create_intent(email, &entry(email));
        let begun = if outcome.is_empty() { "processing" } else { "requires_action" };
        site.stripe.control("pay", &json!({ "payment_intent": intent, "outcome": begun }));
        if !outcome.is_empty() {
            site.stripe.control("settle", &json!({ "payment_intent": intent, "outcome": outcome }));
        }
        let told = site.payment_status(&intent);
        assert_eq!((told.status, &told.json()["state"]), (200, &json!(state)), "{}", told.text());
    }
    assert_eq!(site.assert_books_agree(), 1);
    let stranger =
        site.server.post("/api/competition-payments/status", &json!({ "clientSecret": "pi_1_secret_x" }));
    assert_eq!(stranger.status, 404);
    // A browser that knows the payment alone is told its entry.
    let form = entry_of_two("two@example.com");
    let (id, intent) = site.enter_and_pay("two@example.com", &form);
    let told = site.payment_status(&intent).json();
    assert_eq!((&told["entryId"], &told["email"]), (&json!(id), &form["email"]));
    assert_eq!(
        told["categories"],
        json!([
            { "category": form["primaryCategory"], "subCategory": form["subCategory"] },
            { "category": form["additionalCategory1"], "subCategory": form["additionalCategory1Sub"] },
        ])
    );
}

#[test]
fn a_form_that_is_changed_after_it_was_paid_leaves_the_paid_entry_as_it_was() {
    let site = PaidSite::start();
    let intent = site.create_intent("fill-1", &entry(EMAIL));
    site.stripe.pay(&intent);
    assert_eq!(site.request_intent("fill-1", &entry_of_two(EMAIL)).status, 409);
    assert_eq!(site.status(EMAIL), "paid");
    assert_eq!(site.place.sql::<i64>("select additional_categories from competition_entries"), 0);
    assert_eq!(site.assert_books_agree(), 1);
    assert_eq!(site.place.sql::<i64>("select count(*) from payment_findings"), 0);
}

#[test]
fn a_content_that_changes_while_somebody_pays_loses_nothing() {
    let site = PaidSite::start();
    let mut form = entry(EMAIL);
    (form["primaryCategory"], form["subCategory"]) = ("brows".into(), "Lamination".into());
    let intent = site.create_intent("fill-1", &form);
    site.stripe.pay(&intent);
    let changes = [
        ("participant_fee_cents = 44900", "participant_fee_cents = 59900"),
        ("\"Lamination\"", "\"Laminate\""),
    ];
    import(&site.place, &edited(&changes));
    wait_for("the change", || {
        (site.request_intent("fill-2", &entry("bea@example.com")).status == 422).then_some(())
    });
    let saved = site.save(&form, &intent);
    assert_eq!((saved.status, &saved.json()["paymentStatus"]), (201, &json!("paid")), "{}", saved.text());
    assert_eq!(saved.json()["paymentAmount"], PRICE);
    assert_eq!(site.assert_books_agree(), 1);
    // A changed form is refused, and so is an invalid one. The paid entry stays as it was.
    form["name"] = "Bea Example".into();
    assert_eq!(site.save(&form, &intent).status, 422);
    form["name"] = "".into();
    assert_eq!(site.save(&form, &intent).status, 422);
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn an_entry_whose_payment_cannot_be_cancelled_waits_until_it_is() {
    let mut site = PaidSite::start();
    site.create_intent("fill-1", &entry(EMAIL));
    site.stripe.control("faults", &json!({ "path": "^/v1/payment_intents/.*/cancel$", "kind": "close" }));
    site.age_entries_by_a_day();
    site.stripe.wait_for_fault("close before");
    site.place.wait_for_sql(
        "the note that it was asked about",
        "select count(payment_checked_at) from competition_entries",
        1,
    );
    assert_eq!(site.status(EMAIL), "pending", "it could still be paid");
    site.place.execute("update competition_entries set payment_checked_at = '2026-01-01T00:00:00.000Z'");
    site.restart();
    wait_for("the end of it", || (site.status(EMAIL) == "abandoned").then_some(()));
    assert_eq!(site.stripe.objects("intents")[0]["status"], "canceled");
    // Stripe's event about the cancellation does not change the status to failed.
    let event = site
        .stripe
        .event("payment_intent.canceled", site.stripe.objects("intents")[0]["id"].as_str().expect("it"));
    assert_eq!(site.deliver_event(&event, json!({})), [200]);
    assert_eq!((site.status(EMAIL), site.assert_books_agree()), ("abandoned".into(), 0));
}

#[test]
fn money_that_is_not_the_entrys_is_told_apart_from_a_paid_entry() {
    let site = PaidSite::start();
    let told = |intent: &str| state(&site, intent);
    let loose = site.create_intent_without_entry();
    site.stripe.pay(&loose);
    assert_eq!(told(&loose), ("held".into(), json!(null)));
    assert_eq!(site.save(&entry("loose@example.com"), &loose).status, 201);
    assert_eq!(told(&loose), ("paid".into(), json!("paid")));
    // If the amount differs from the entry's, the answer says neither that it is paid nor to pay again.
    let wrong = intent_of(&site.request_intent("fill-1", &entry(EMAIL)));
    site.stripe.control("edit", &json!({ "payment_intent": wrong, "changes": { "amount": PRICE + 1 } }));
    site.stripe.pay(&wrong);
    assert_eq!(told(&wrong), ("held".into(), json!("pending")));
    let again = site.request_intent("fill-1", &entry(EMAIL));
    let words = again.json()["detail"].as_str().expect("a sentence").to_owned();
    assert!(
        again.status == 409 && words.contains("do not pay again") && !words.contains("already paid"),
        "{words}"
    );
    // A second payment for a paid entry.
    let first = site.create_intent("fill-2", &entry("twice@example.com"));
    let second = site.stripe.create_foreign_intent(Some(&first), PRICE);
    for intent in [&first, &second] {
        site.stripe.pay(intent);
    }
    assert_eq!(told(&first), ("paid".into(), json!("paid")));
    assert_eq!(told(&second), ("held".into(), json!("paid")));
    let again = site.request_intent("fill-2", &entry("twice@example.com"));
    assert!(again.status == 409 && again.text().contains("already paid"), "{}", again.text());
    assert_eq!(site.assert_books_agree(), 2);
}

#[test]
fn money_that_went_back_before_it_paid_is_told_so_and_the_form_is_paid_anew() {
    let site = PaidSite::start();
    let told = |intent: &str| state(&site, intent);
    let wrong = site.create_intent("fill-1", &entry(EMAIL));
    site.stripe.control("edit", &json!({ "payment_intent": wrong, "changes": { "amount": PRICE + 1 } }));
    let loose = site.create_intent_without_entry();
    for intent in [&wrong, &loose] {
        site.stripe.pay(intent);
        assert_eq!(told(intent).0, "held");
        site.stripe.control("refund", &json!({ "payment_intent": intent, "amount": 1, "silent": true }));
        assert_eq!(told(intent).0, "held", "most of it is here");
        site.stripe.control("refund", &json!({ "payment_intent": intent, "silent": true }));
    }
    assert_eq!(told(&loose), ("refunded".into(), json!(null)));
    assert_eq!(told(&wrong), ("refunded".into(), json!("failed")));
    let next = site.create_intent("fill-1", &entry(EMAIL));
    assert_ne!(next, wrong);
    site.stripe.pay(&next);
    assert_eq!(site.save(&entry(EMAIL), &next).json()["paymentStatus"], "paid");
    site.reconcile();
    assert_eq!(site.assert_books_agree(), 1);
    assert_eq!(site.place.sql::<i64>("select count(*) from payment_findings"), 2);
}

#[test]
fn money_that_went_back_before_it_paid_is_not_a_refund_of_the_next_payment() {
    let site = PaidSite::start();
    site.enable_webhooks();
    let wrong = site.create_intent("fill-1", &entry(EMAIL));
    site.stripe.control("edit", &json!({ "payment_intent": wrong, "changes": { "amount": PRICE + 1 } }));
    site.stripe.pay(&wrong);
    site.stripe.control("refund", &json!({ "payment_intent": wrong }));
    site.stripe.control("idle", &json!({}));
    assert_eq!(site.status(EMAIL), "failed");
    let next = site.create_intent("fill-1", &entry(EMAIL));
    site.stripe.pay(&next);
    assert_eq!(site.save(&entry(EMAIL), &next).json()["paymentStatus"], "paid");
    site.stripe.control("idle", &json!({}));
    site.reconcile();
    assert_eq!(site.assert_books_agree(), 1);
    // A part of the money that paid is one.
    site.stripe.control("refund", &json!({ "payment_intent": next, "amount": 100 }));
    site.stripe.control("idle", &json!({}));
    assert_eq!((site.status(EMAIL).as_str(), site.assert_books_agree()), ("partially_refunded", 1));
}
