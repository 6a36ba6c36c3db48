//! The fault table of docs/payments.md, the part about Stripe's answers.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::paid_site::{Desk, PRICE_OF_TWO, entry, entry_of_two};
use crate::support::{Reply, open, text, wait_for};

/// Every way in which Stripe may fail at once, before its work and after it.
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

/// The next request of this kind fails in this way.
pub fn fails(desk: &Desk, method: &str, path: &str, failure: &Value) {
    let mut fault = failure.clone();
    fault["method"] = method.into();
    fault["path"] = path.into();
    desk.stripe.does("faults", &fault);
}

/// The person is told to try again, and nothing of the provider's words.
pub fn is_told(reply: &Reply, status: u16, failure: &Value) {
    assert_eq!(reply.status, status, "{failure}: {}", reply.text());
    let detail = reply.json()["detail"].as_str().expect("a sentence").to_owned();
    assert!(!detail.contains("unknown error") && detail.ends_with('.'), "{detail}");
}

/// An entry of `email` with an intent that is paid; nobody has told the server yet.
pub fn paid(desk: &Desk, email: &str) -> String {
    let intent = desk.intent(email, &entry(email));
    desk.stripe.pay(&intent);
    intent
}

#[test]
fn an_intent_is_made_whatever_stripe_answers_first() {
    let desk = Desk::open();
    for (number, failure) in failures().iter().enumerate() {
        let email = format!("f{number}@example.com");
        let form = entry(&email);
        fails(&desk, "POST", "^/v1/payment_intents$", failure);
        is_told(&desk.ask(&email, &form), 502, failure);
        assert_eq!(desk.status(&email), "pending", "{failure}: the entry is kept");
        let intent = desk.intent(&email, &form);
        assert_eq!(desk.intent(&email, &form), intent, "{failure}: a double click has one intent");
        desk.stripe.pay(&intent);
        let saved = desk.save(&form, &intent);
        assert_eq!(
            (saved.status, &saved.json()["paymentStatus"]),
            (201, &json!("paid")),
            "{failure}: {}",
            saved.text()
        );
    }
    assert_eq!(desk.books_agree(), failures().len());
    assert_eq!(desk.place.sql::<i64>("select count(*) from competition_entries"), failures().len() as i64);
}

#[test]
fn a_changed_form_keeps_its_intent_whatever_stripe_answers_first() {
    let desk = Desk::open();
    for (number, failure) in failures().iter().enumerate() {
        let email = format!("f{number}@example.com");
        let intent = desk.intent(&email, &entry(&email));
        let changed = entry_of_two(&email);
        fails(&desk, "POST", &format!("/v1/payment_intents/{intent}"), failure);
        is_told(&desk.ask(&email, &changed), 502, failure);
        assert_eq!(desk.intent(&email, &changed), intent, "{failure}");
        let amounts: Vec<_> =
            desk.stripe.holds("intents").iter().map(|intent| intent["amount"].clone()).collect();
        assert_eq!(amounts[number], PRICE_OF_TWO, "{failure}");
        desk.stripe.pay(&intent);
        assert_eq!(desk.save(&changed, &intent).status, 201, "{failure}");
    }
    // An intent whose answer was lost: the changed form cannot be asked for under the same idempotency key.
    let (email, lost) = ("lost@example.com", json!({ "kind": "close", "when": "after" }));
    fails(&desk, "POST", "^/v1/payment_intents$", &lost);
    is_told(&desk.ask(email, &entry(email)), 502, &lost);
    let intent = desk.intent(email, &entry_of_two(email));
    desk.stripe.pay(&intent);
    assert_eq!(desk.save(&entry_of_two(email), &intent).status, 201);
    assert_eq!(desk.books_agree(), failures().len() + 1);
}

#[test]
fn a_paid_entry_is_saved_whatever_stripe_answers_first() {
    let desk = Desk::open();
    for (number, failure) in failures().iter().enumerate() {
        let email = format!("f{number}@example.com");
        let intent = paid(&desk, &email);
        fails(&desk, "GET", &format!("/v1/payment_intents/{intent}"), failure);
        is_told(&desk.save(&entry(&email), &intent), 502, failure);
        let first = desk.save(&entry(&email), &intent);
        let second = desk.save(&entry(&email), &intent);
        assert_eq!((first.status, first.json()), (201, second.json()), "{failure}");
    }
    assert_eq!(desk.books_agree(), failures().len());
}

#[test]
fn an_event_is_refused_while_stripe_cannot_be_asked_and_taken_when_it_comes_again() {
    let desk = Desk::open();
    for (number, failure) in failures().iter().enumerate() {
        let intent = paid(&desk, &format!("f{number}@example.com"));
        let event = desk.stripe.event("payment_intent.succeeded", &intent);
        fails(&desk, "GET", &format!("/v1/payment_intents/{intent}"), failure);
        assert_eq!(desk.receives(&event, json!({ "times": 3 })), [502, 200, 200], "{failure}");
    }
    assert_eq!(desk.books_agree(), failures().len());
}

#[test]
fn nobody_waits_longer_for_stripe_than_is_set() {
    // Less than the default by more than a busy machine takes, and more than any answer takes.
    let desk = Desk::with("timeout_seconds = 3\n");
    let cookie = desk.cookie();
    let hang = json!({ "kind": "hang", "when": "after" });
    let (saving, told) = (paid(&desk, "save@example.com"), paid(&desk, "event@example.com"));
    let event = desk.stripe.event("payment_intent.succeeded", &told);
    let refunded = paid(&desk, "refund@example.com");
    let id = desk.save(&entry("refund@example.com"), &refunded).json()["id"].as_i64().expect("an id");
    fails(&desk, "POST", "^/v1/payment_intents$", &hang);
    fails(&desk, "GET", &format!("/v1/payment_intents/{saving}"), &hang);
    fails(&desk, "GET", &format!("/v1/payment_intents/{told}"), &hang);
    fails(&desk, "POST", "/v1/refunds", &hang);
    let all = || {
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| desk.ask("new", &entry("new@example.com")).status);
            let saved = scope.spawn(|| desk.save(&entry("save@example.com"), &saving).status);
            let received = scope.spawn(|| desk.receives(&event, json!({}))[0] as u16);
            let refund = scope.spawn(|| desk.refund(&cookie, id, "first", 10_000).status);
            [asked, saved, received, refund].map(|one| one.join().expect("an answer"))
        })
    };
    let begun = std::time::Instant::now();
    assert_eq!(all(), [504; 4]);
    assert!(begun.elapsed() < Duration::from_secs(18), "{:?}", begun.elapsed());
    assert_eq!(all(), [200, 201, 200, 200]);
    desk.stripe.pay(&desk.intent("new", &entry("new@example.com")));
    desk.reconciles();
    assert_eq!((desk.books_agree(), desk.stripe.holds("refunds").len()), (4, 1));
}

#[test]
fn one_payment_that_cannot_be_asked_about_keeps_no_other_waiting() {
    let mut desk = Desk::open();
    let unreadable = desk.intent("unreadable", &entry("unreadable@example.com"));
    let id = desk.save(&entry("refund@example.com"), &paid(&desk, "refund@example.com")).json()["id"]
        .as_i64()
        .expect("an id");
    paid(&desk, "closed@example.com");
    let fault = json!({ "kind": "status", "status": 500, "times": 0 });
    fails(&desk, "GET", &format!("/v1/payment_intents/{unreadable}"), &fault);
    let fault = json!({ "kind": "status", "status": 403, "times": 0 });
    fails(&desk, "POST", "/v1/refunds", &fault);
    assert_eq!(desk.refund(&desk.cookie(), id, "first", 10_000).status, 502);
    desk.stripe.does("dispute", &json!({ "payment_intent": unreadable_paid(&desk, &unreadable) }));
    // Asked about one after the other by the sweeper, the refund first, also of those that are a day old.
    open(&desk.place.database())
        .execute_batch("update refunds set created_at = '2026-01-01T00:00:00.000Z'")
        .expect("an older refund");
    desk.a_day_passes();
    wait_for("the settling", || (desk.status("closed@example.com") == "paid").then_some(()));
    // And by hand, down to what has no entry; what was not answered is told.
    let stray = desk.loose();
    desk.stripe.pay(&stray);
    let disputed = paid(&desk, "disputed@example.com");
    desk.stripe.does("dispute", &json!({ "payment_intent": disputed }));
    let told = desk.place.run(&["payments", "reconcile"]);
    assert_eq!(told.status.code(), Some(1), "{}", text(&told.stdout));
    assert!(text(&told.stdout).contains(&stray), "{}", text(&told.stdout));
    assert_eq!(desk.status("disputed@example.com"), "disputed");
}

/// Pays an intent beside the page, in silence, and hands it back.
fn unreadable_paid<'a>(desk: &Desk, intent: &'a str) -> &'a str {
    desk.stripe.does("pay", &json!({ "payment_intent": intent, "silent": true }));
    intent
}

/// The fault table names a test in each row, and every test of these files stands in it.
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
