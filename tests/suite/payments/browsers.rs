//! The fault table of docs/payments.md, the part about the browser: it closes at every step, or comes back.

use serde_json::json;

use crate::support::content::{edited, import};
use crate::support::paid_site::{Desk, PRICE, entry, entry_of_two, intent_of};
use crate::support::{Reply, open, wait_for};

const EMAIL: &str = "ada@example.com";

fn standing(desk: &Desk, intent: &str) -> Reply {
    let intents = desk.stripe.holds("intents");
    let found = intents.iter().find(|one| one["id"] == intent).expect("the intent");
    desk.server.post("/api/competition-payments/status", &json!({ "clientSecret": found["client_secret"] }))
}

#[test]
fn a_browser_that_closes_before_it_can_pay_leaves_an_entry_that_ends_after_a_day() {
    let mut desk = Desk::open();
    desk.stripe.does("faults", &json!({ "path": "^/v1/payment_intents$", "kind": "hold" }));
    let browser = desk.begins_to_ask("fill-1", &entry(EMAIL));
    desk.stripe.is_reached("hold before");
    drop(browser);
    assert_eq!(desk.status(EMAIL), "pending", "stored before any money moves");
    desk.stripe.forgives();
    wait_for("the intent", || desk.stripe.holds("intents").first().cloned());
    let declined = desk.intent("fill-2", &entry("declined@example.com"));
    desk.stripe.does("pay", &json!({ "payment_intent": declined, "outcome": "decline" }));
    desk.books_agree();
    desk.a_day_passes();
    for email in [EMAIL, "declined@example.com"] {
        wait_for("the end of it", || (desk.status(email) == "abandoned").then_some(()));
    }
    wait_for("the end of its intent", || {
        let intents = desk.stripe.holds("intents");
        intents.iter().find(|intent| intent["id"] == declined.as_str())?["canceled_at"].as_i64()
    });
    assert_eq!(desk.books_agree(), 0);
}

#[test]
fn a_person_who_comes_back_too_late_pays_with_an_intent_that_can_be_paid() {
    let mut desk = Desk::open();
    let ended = desk.intent("fill-1", &entry(EMAIL));
    desk.a_day_passes();
    wait_for("the end of it", || desk.stripe.holds("intents")[0]["canceled_at"].as_i64());
    let intent = desk.intent("fill-1", &entry(EMAIL));
    assert_ne!(intent, ended);
    assert_eq!(desk.intent("fill-1", &entry(EMAIL)), intent, "and the next click finds it");
    // The entry's day begins anew: the next look ends another old entry, and not this one.
    desk.intent("fill-2", &entry("other@example.com"));
    let older =
        "update competition_entries set created_at = '2025-09-01T12:00:00.000Z' where email like 'other%'";
    open(&desk.place.database()).execute_batch(older).expect("an older entry");
    desk.dies();
    wait_for("the end of the other", || (desk.status("other@example.com") == "abandoned").then_some(()));
    assert_eq!(desk.status(EMAIL), "pending");
    desk.stripe.pay(&intent);
    assert_eq!(desk.save(&entry(EMAIL), &intent).status, 201);
    assert_eq!(desk.books_agree(), 1);
}

#[test]
fn a_payment_that_was_cancelled_in_the_dashboard_is_begun_anew() {
    let desk = Desk::open();
    desk.listens();
    let cancelled = desk.intent("fill-1", &entry(EMAIL));
    desk.stripe.does("cancel", &json!({ "payment_intent": cancelled }));
    desk.stripe.does("idle", &json!({}));
    assert_eq!(desk.status(EMAIL), "failed");
    // Under the first try's key Stripe would answer with the cancelled one again, as if it could be paid.
    let intent = desk.intent("fill-1", &entry(EMAIL));
    assert_ne!(intent, cancelled);
    desk.stripe.pay(&intent);
    assert_eq!(desk.save(&entry(EMAIL), &intent).status, 201);
    assert_eq!(desk.books_agree(), 1);
}

#[test]
fn a_browser_that_closes_after_paying_loses_nothing() {
    let mut desk = Desk::open();
    let pays = |desk: &Desk, email: &str| {
        let intent = desk.intent(email, &entry(email));
        desk.stripe.pay(&intent);
        intent
    };
    // Its answer to the bank's page was the last that it did: the event tells.
    desk.listens();
    pays(&desk, "event@example.com");
    desk.stripe.does("idle", &json!({}));
    assert_eq!(desk.status("event@example.com"), "paid");
    desk.stripe.does("target", &json!({}));
    // No event either: the server asks by itself, also about an entry that is a day old.
    pays(&desk, "nobody@example.com");
    desk.a_day_passes();
    wait_for("the settling", || (desk.status("nobody@example.com") == "paid").then_some(()));
    // It closes while the save is under way.
    let intent = pays(&desk, EMAIL);
    desk.stripe.does("faults", &json!({ "method": "GET", "kind": "hold" }));
    let browser = desk.begins_to_save(&entry(EMAIL), &intent);
    desk.stripe.is_reached("hold before");
    drop(browser);
    desk.stripe.forgives();
    wait_for("the settling", || (desk.status(EMAIL) == "paid").then_some(()));
    assert_eq!(desk.books_agree(), 3);
}

#[test]
fn a_browser_that_comes_back_from_its_bank_in_a_fresh_tab_is_told_the_truth() {
    let desk = Desk::open();
    for (email, outcome, state) in [
        ("good@example.com", "succeed", "paid"),
        ("bad@example.com", "decline", "unpaid"),
        (EMAIL, "", "processing"),
    ] {
        let intent = desk.intent(email, &entry(email));
        let begun = if outcome.is_empty() { "processing" } else { "requires_action" };
        desk.stripe.does("pay", &json!({ "payment_intent": intent, "outcome": begun }));
        if !outcome.is_empty() {
            desk.stripe.does("settle", &json!({ "payment_intent": intent, "outcome": outcome }));
        }
        let told = standing(&desk, &intent);
        assert_eq!((told.status, &told.json()["state"]), (200, &json!(state)), "{}", told.text());
    }
    assert_eq!(desk.books_agree(), 1);
    let stranger =
        desk.server.post("/api/competition-payments/status", &json!({ "clientSecret": "pi_1_secret_x" }));
    assert_eq!(stranger.status, 404);
}

#[test]
fn a_browser_that_knows_the_payment_alone_is_told_its_entry() {
    let desk = Desk::open();
    let intent = desk.intent("fill-1", &entry_of_two(EMAIL));
    desk.stripe.pay(&intent);
    let told = standing(&desk, &intent).json();
    assert_eq!(told["entryId"], desk.place.sql::<i64>("select id from competition_entries"));
    assert_eq!(told["email"], EMAIL);
    let form = entry_of_two(EMAIL);
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
    let desk = Desk::open();
    let intent = desk.intent("fill-1", &entry(EMAIL));
    desk.stripe.pay(&intent);
    assert_eq!(desk.ask("fill-1", &entry_of_two(EMAIL)).status, 409);
    assert_eq!(desk.status(EMAIL), "paid");
    assert_eq!(desk.place.sql::<i64>("select additional_categories from competition_entries"), 0);
    assert_eq!(desk.books_agree(), 1);
    assert_eq!(desk.place.sql::<i64>("select count(*) from payment_findings"), 0);
}

#[test]
fn a_content_that_changes_while_somebody_pays_loses_nothing() {
    let desk = Desk::open();
    let mut form = entry(EMAIL);
    (form["primaryCategory"], form["subCategory"]) = ("brows".into(), "Lamination".into());
    let intent = desk.intent("fill-1", &form);
    desk.stripe.pay(&intent);
    let changes = [
        ("participant_fee_cents = 44900", "participant_fee_cents = 59900"),
        ("\"Lamination\"", "\"Laminate\""),
    ];
    import(&desk.place, &edited(&changes));
    wait_for("the change", || (desk.ask("fill-2", &entry("bea@example.com")).status == 422).then_some(()));
    let saved = desk.save(&form, &intent);
    assert_eq!((saved.status, &saved.json()["paymentStatus"]), (201, &json!("paid")), "{}", saved.text());
    assert_eq!(saved.json()["paymentAmount"], PRICE);
    assert_eq!(desk.books_agree(), 1);
    // Another form with it is still another form; and one that cannot be read leaves what was paid as paid.
    form["name"] = "Bea Example".into();
    assert_eq!(desk.save(&form, &intent).status, 422);
    form["name"] = "".into();
    assert_eq!(desk.save(&form, &intent).status, 422);
    assert_eq!(desk.books_agree(), 1);
}

#[test]
fn an_entry_whose_payment_cannot_be_cancelled_waits_until_it_is() {
    let mut desk = Desk::open();
    desk.intent("fill-1", &entry(EMAIL));
    desk.stripe.does("faults", &json!({ "path": "^/v1/payment_intents/.*/cancel$", "kind": "close" }));
    desk.a_day_passes();
    desk.stripe.is_reached("close before");
    wait_for("the note that it was asked about", || {
        (desk.place.sql::<i64>("select count(payment_checked_at) from competition_entries") == 1)
            .then_some(())
    });
    assert_eq!(desk.status(EMAIL), "pending", "it could still be paid");
    open(&desk.place.database())
        .execute_batch("update competition_entries set payment_checked_at = '2026-01-01T00:00:00.000Z'")
        .expect("asked about long ago");
    desk.dies();
    wait_for("the end of it", || (desk.status(EMAIL) == "abandoned").then_some(()));
    assert_eq!(desk.stripe.holds("intents")[0]["status"], "canceled");
    // Stripe's event about it does not make it one that somebody has cancelled.
    let event = desk
        .stripe
        .event("payment_intent.canceled", desk.stripe.holds("intents")[0]["id"].as_str().expect("it"));
    assert_eq!(desk.receives(&event, json!({})), [200]);
    assert_eq!((desk.status(EMAIL), desk.books_agree()), ("abandoned".into(), 0));
}

#[test]
fn money_that_is_not_the_entrys_is_told_apart_from_a_paid_entry() {
    let desk = Desk::open();
    let told = |intent: &str| {
        let told = standing(&desk, intent).json();
        (told["state"].as_str().unwrap_or_default().to_owned(), told["paymentStatus"].clone())
    };
    let loose = desk.loose();
    desk.stripe.pay(&loose);
    assert_eq!(told(&loose), ("held".into(), json!(null)));
    assert_eq!(desk.save(&entry("loose@example.com"), &loose).status, 201);
    assert_eq!(told(&loose), ("paid".into(), json!("paid")));
    // Of another amount than the entry's: nobody is told that the entry is paid, or to pay again.
    let wrong = intent_of(&desk.ask("fill-1", &entry(EMAIL)));
    desk.stripe.does("edit", &json!({ "payment_intent": wrong, "changes": { "amount": PRICE + 1 } }));
    desk.stripe.pay(&wrong);
    assert_eq!(told(&wrong), ("held".into(), json!("pending")));
    let again = desk.ask("fill-1", &entry(EMAIL));
    let words = again.json()["detail"].as_str().expect("a sentence").to_owned();
    assert!(
        again.status == 409 && words.contains("do not pay again") && !words.contains("already paid"),
        "{words}"
    );
    // A second payment for a paid entry.
    let first = desk.intent("fill-2", &entry("twice@example.com"));
    let second = desk.stripe.another_intent(Some(&first), PRICE);
    for intent in [&first, &second] {
        desk.stripe.pay(intent);
    }
    assert_eq!(told(&first), ("paid".into(), json!("paid")));
    assert_eq!(told(&second), ("held".into(), json!("paid")));
    let again = desk.ask("fill-2", &entry("twice@example.com"));
    assert!(again.status == 409 && again.text().contains("already paid"), "{}", again.text());
    assert_eq!(desk.books_agree(), 2);
}

#[test]
fn money_that_went_back_before_it_paid_is_told_so_and_the_form_is_paid_anew() {
    let desk = Desk::open();
    let told = |intent: &str| {
        let told = standing(&desk, intent).json();
        (told["state"].as_str().unwrap_or_default().to_owned(), told["paymentStatus"].clone())
    };
    let wrong = desk.intent("fill-1", &entry(EMAIL));
    desk.stripe.does("edit", &json!({ "payment_intent": wrong, "changes": { "amount": PRICE + 1 } }));
    let loose = desk.loose();
    for intent in [&wrong, &loose] {
        desk.stripe.pay(intent);
        assert_eq!(told(intent).0, "held");
        desk.stripe.does("refund", &json!({ "payment_intent": intent, "amount": 1, "silent": true }));
        assert_eq!(told(intent).0, "held", "most of it is here");
        desk.stripe.does("refund", &json!({ "payment_intent": intent, "silent": true }));
    }
    assert_eq!(told(&loose), ("refunded".into(), json!(null)));
    assert_eq!(told(&wrong), ("refunded".into(), json!("failed")));
    let next = desk.intent("fill-1", &entry(EMAIL));
    assert_ne!(next, wrong);
    desk.stripe.pay(&next);
    assert_eq!(desk.save(&entry(EMAIL), &next).json()["paymentStatus"], "paid");
    desk.reconciles();
    assert_eq!(desk.books_agree(), 1);
    assert_eq!(desk.place.sql::<i64>("select count(*) from payment_findings"), 2);
}
