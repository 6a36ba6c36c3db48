//! The part of the fault table in docs/payments.md about Stripe's answers.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::paid_site::{PRICE, PRICE_OF_TWO, PaidSite, entry, entry_of_two};
use crate::support::{Reply, text, wait_for};

/// Every way in which Stripe may fail immediately, before and after it has done its work.
pub fn failures() -> [Value; 6] {
    [
        json!({ "kind": "status", "status": 500 }),
        json!({ "kind": "status", "status": 500, "stored": true }),
        json!({ "kind": "status", "status": 500, "when": "after" }),
        json!({ "kind": "status", "status": 429, "retry_after": 1 }),
        json!({ "kind": "close" }),
        json!({ "kind": "close", "when": "after" }),
    ]
}

/// Makes the next request of this kind fail in this way, or every one with `"times": 0`.
pub fn inject_fault(site: &PaidSite, method: &str, path: &str, failure: &Value) {
    let mut fault = failure.clone();
    fault["method"] = method.into();
    fault["path"] = path.into();
    site.stripe.control("faults", &fault);
}

/// Asserts that the answer asks the person to retry and does not contain the provider's message.
pub fn assert_asks_to_retry(reply: &Reply, status: u16, failure: &Value) {
    assert_eq!(reply.status, status, "{failure}: {}", reply.text());
    let detail = reply.json()["detail"].as_str().expect("a sentence").to_owned();
    assert!(!detail.contains("unknown error") && detail.ends_with('.'), "{detail}");
}

/// An entry of `email` whose intent is paid; the server does not know yet.
pub fn paid(site: &PaidSite, email: &str) -> String {
    let intent = site.create_intent(email, &entry(email));
    site.stripe.pay(&intent);
    intent
}

#[test]
fn an_intent_is_made_whatever_stripe_answers_first() {
    let site = PaidSite::start();
    for (number, failure) in failures().iter().enumerate() {
        let email = format!("f{number}@example.com");
        let form = entry(&email);
        inject_fault(&site, "POST", "^/v1/payment_intents$", failure);
        assert_asks_to_retry(&site.request_intent(&email, &form), 502, failure);
        assert_eq!(site.status(&email), "pending", "{failure}: the entry is kept");
        let intent = site.create_intent(&email, &form);
        assert_eq!(site.create_intent(&email, &form), intent, "{failure}: a double click has one intent");
        site.stripe.pay(&intent);
        let saved = site.save(&form, &intent);
        assert_eq!(
            (saved.status, &saved.json()["paymentStatus"]),
            (201, &json!("paid")),
            "{failure}: {}",
            saved.text()
        );
    }
    assert_eq!(site.assert_books_agree(), failures().len());
    assert_eq!(site.place.sql::<i64>("select count(*) from competition_entries"), failures().len() as i64);
}

#[test]
fn a_changed_form_keeps_its_intent_whatever_stripe_answers_first() {
    let site = PaidSite::start();
    for (number, failure) in failures().iter().enumerate() {
        let email = format!("f{number}@example.com");
        let intent = site.create_intent(&email, &entry(&email));
        let changed = entry_of_two(&email);
        inject_fault(&site, "POST", &format!("/v1/payment_intents/{intent}"), failure);
        assert_asks_to_retry(&site.request_intent(&email, &changed), 502, failure);
        assert_eq!(site.create_intent(&email, &changed), intent, "{failure}");
        let amounts: Vec<_> =
            site.stripe.objects("intents").iter().map(|intent| intent["amount"].clone()).collect();
        assert_eq!(amounts[number], PRICE_OF_TWO, "{failure}");
        site.stripe.pay(&intent);
        assert_eq!(site.save(&changed, &intent).status, 201, "{failure}");
    }
    // An intent whose answer was lost: the changed form cannot be asked for under the same idempotency key.
    let (email, lost) = ("lost@example.com", json!({ "kind": "close", "when": "after" }));
    inject_fault(&site, "POST", "^/v1/payment_intents$", &lost);
    assert_asks_to_retry(&site.request_intent(email, &entry(email)), 502, &lost);
    site.enter_and_pay(email, &entry_of_two(email));
    assert_eq!(site.assert_books_agree(), failures().len() + 1);
}

#[test]
fn a_payment_whose_changed_form_was_lost_is_for_the_stored_entry_again() {
    let site = PaidSite::start();
    let email = "ada@example.com";
    let intent = site.create_intent(email, &entry(email));
    let lost = json!({ "kind": "close", "when": "after" });
    inject_fault(&site, "POST", &format!("/v1/payment_intents/{intent}"), &lost);
    assert_asks_to_retry(&site.request_intent(email, &entry_of_two(email)), 502, &lost);
    // The person goes on with the payment that was begun before.
    let status = site.payment_status(&intent).json();
    assert_eq!((&status["paymentAmount"], &status["quote"]["total"]), (&json!(PRICE), &json!(PRICE)));
    site.stripe.pay(&intent);
    assert_eq!(site.payment_status(&intent).json()["state"], "paid");
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn a_paid_entry_is_saved_whatever_stripe_answers_first() {
    let site = PaidSite::start();
    for (number, failure) in failures().iter().enumerate() {
        let email = format!("f{number}@example.com");
        let intent = paid(&site, &email);
        inject_fault(&site, "GET", &format!("/v1/payment_intents/{intent}"), failure);
        assert_asks_to_retry(&site.save(&entry(&email), &intent), 502, failure);
        let first = site.save(&entry(&email), &intent);
        let second = site.save(&entry(&email), &intent);
        assert_eq!((first.status, first.json()), (201, second.json()), "{failure}");
    }
    assert_eq!(site.assert_books_agree(), failures().len());
}

#[test]
fn an_event_is_refused_while_stripe_cannot_be_asked_and_taken_when_it_comes_again() {
    let site = PaidSite::start();
    for (number, failure) in failures().iter().enumerate() {
        let intent = paid(&site, &format!("f{number}@example.com"));
        let event = site.stripe.event("payment_intent.succeeded", &intent);
        inject_fault(&site, "GET", &format!("/v1/payment_intents/{intent}"), failure);
        assert_eq!(site.deliver_event(&event, json!({ "times": 3 })), [502, 200, 200], "{failure}");
    }
    assert_eq!(site.assert_books_agree(), failures().len());
}

#[test]
fn nobody_waits_longer_for_stripe_than_is_set() {
    // Less than the default by more than a busy machine takes, and more than any answer takes.
    let site = PaidSite::with_config("timeout_seconds = 3\n");
    let cookie = site.cookie();
    let hang = json!({ "kind": "hang", "when": "after" });
    let (saving, told) = (paid(&site, "save@example.com"), paid(&site, "event@example.com"));
    let event = site.stripe.event("payment_intent.succeeded", &told);
    let (id, _) = site.buy("refund@example.com");
    inject_fault(&site, "POST", "^/v1/payment_intents$", &hang);
    inject_fault(&site, "GET", &format!("/v1/payment_intents/{saving}"), &hang);
    inject_fault(&site, "GET", &format!("/v1/payment_intents/{told}"), &hang);
    inject_fault(&site, "POST", "/v1/refunds", &hang);
    let all = || {
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| site.request_intent("new", &entry("new@example.com")).status);
            let saved = scope.spawn(|| site.save(&entry("save@example.com"), &saving).status);
            let received = scope.spawn(|| site.deliver_event(&event, json!({}))[0] as u16);
            let refund = scope.spawn(|| site.refund(&cookie, id, "first", 10_000).status);
            [asked, saved, received, refund].map(|one| one.join().expect("an answer"))
        })
    };
    let begun = std::time::Instant::now();
    assert_eq!(all(), [504; 4]);
    assert!(begun.elapsed() < Duration::from_secs(18), "{:?}", begun.elapsed());
    assert_eq!(all(), [200, 201, 200, 200]);
    site.stripe.pay(&site.create_intent("new", &entry("new@example.com")));
    site.reconcile();
    assert_eq!((site.assert_books_agree(), site.stripe.objects("refunds").len()), (4, 1));
}

#[test]
fn one_payment_that_cannot_be_asked_about_keeps_no_other_waiting() {
    let mut site = PaidSite::start();
    let unreadable = site.create_intent("unreadable", &entry("unreadable@example.com"));
    let (id, _) = site.buy("refund@example.com");
    paid(&site, "closed@example.com");
    let fault = json!({ "kind": "status", "status": 500, "times": 0 });
    inject_fault(&site, "GET", &format!("/v1/payment_intents/{unreadable}"), &fault);
    let fault = json!({ "kind": "status", "status": 403, "times": 0 });
    inject_fault(&site, "POST", "/v1/refunds", &fault);
    assert_eq!(site.refund(&site.cookie(), id, "first", 10_000).status, 502);
    site.stripe.control("dispute", &json!({ "payment_intent": pay_silently(&site, &unreadable) }));
    // The sweep queries them one after the other, the refund first, including those that are a day old.
    site.place.execute("update refunds set created_at = '2026-01-01T00:00:00.000Z'");
    site.age_entries_by_a_day();
    wait_for("the settling", || (site.status("closed@example.com") == "paid").then_some(()));
    // So does `reconcile`, down to the payment without an entry. It reports the one that failed.
    let stray = site.create_intent_without_entry();
    site.stripe.pay(&stray);
    let disputed = paid(&site, "disputed@example.com");
    site.stripe.control("dispute", &json!({ "payment_intent": disputed }));
    let told = site.place.run(&["payments", "reconcile"]);
    assert_eq!(told.status.code(), Some(1), "{}", text(&told.stdout));
    assert!(text(&told.stdout).contains(&stray), "{}", text(&told.stdout));
    assert_eq!(site.status("disputed@example.com"), "disputed");
}

/// Pays an intent without an event and returns it.
fn pay_silently<'a>(site: &PaidSite, intent: &'a str) -> &'a str {
    site.stripe.control("pay", &json!({ "payment_intent": intent, "silent": true }));
    intent
}

/// Each row of the fault table names a test, and every test of these files is in the table.
#[test]
fn the_fault_table_and_the_tests_agree() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file");
    let document = read("docs/payments.md");
    let table = document.split("## What was tried").nth(1).expect("the table");
    let rows = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| what goes wrong"));
    let mut named = std::collections::BTreeSet::new();
    for row in rows {
        let tests = row.trim_end_matches(" |").rsplit("| ").next().expect("a cell");
        named.extend(tests.split(", ").map(|test| test.trim_matches('`').to_owned()));
    }
    let files =
        ["browsers", "card_testing", "events", "faults", "kills", "refunds", "surroundings", "without_entry"];
    let sources: String = files.iter().map(|name| read(&format!("tests/suite/payments/{name}.rs"))).collect();
    let tests = sources.split("#[test]\nfn ").skip(1).map(|test| test.split('(').next().expect("a name"));
    let tests: std::collections::BTreeSet<String> =
        tests.filter(|name| *name != "the_fault_table_and_the_tests_agree").map(str::to_owned).collect();
    assert_eq!(named, tests);
}
