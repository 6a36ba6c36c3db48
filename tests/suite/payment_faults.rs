//! The fault table of docs/payments.md, the part about answers: Stripe's, the clocks', the database's.

use std::time::Duration;

use serde_json::{Value, json};

use crate::stripe::{Desk, PASSWORD, PRICE, PRICE_OF_TWO, entry, entry_of_two};
use crate::support::{Reply, open};

/// Every way in which Stripe may fail at once, before its work and after it.
fn failures() -> [Value; 6] {
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
fn fails(desk: &Desk, method: &str, path: &str, failure: &Value) {
    let mut fault = failure.clone();
    fault["method"] = method.into();
    fault["path"] = path.into();
    desk.stripe.does("faults", &fault);
}

/// The person is told to try again, and nothing of the provider's words.
fn is_told(reply: &Reply, status: u16, failure: &Value) {
    assert_eq!(reply.status, status, "{failure}: {}", reply.text());
    let detail = reply.json()["detail"].as_str().expect("a sentence").to_owned();
    assert!(!detail.contains("unknown error") && detail.ends_with('.'), "{detail}");
}

/// An entry of `email` with an intent that is paid; nobody has told the server yet.
fn paid(desk: &Desk, email: &str) -> String {
    let intent = desk.intent(email, &entry(email));
    desk.stripe.pay(&intent);
    intent
}

fn cookie(desk: &Desk) -> String {
    let reply = desk.server.post("/api/admin/session", &json!({ "password": PASSWORD }));
    reply.header("set-cookie").split(';').next().expect("a pair").to_owned()
}

fn refund(desk: &Desk, cookie: &str, entry: i64, key: &str, cents: i64) -> Reply {
    let headers = [("content-type", "application/json"), ("cookie", cookie), ("idempotency-key", key)];
    let path = format!("/api/competition-entries/{entry}/refund");
    desk.server.send("POST", &path, &headers, &json!({ "amountCents": cents }).to_string())
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
    assert_eq!(desk.books_agree(), failures().len());
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
fn a_refund_is_paid_once_whatever_stripe_answers_first() {
    let desk = Desk::open();
    let cookie = cookie(&desk);
    for (number, failure) in failures().iter().enumerate() {
        let email = format!("f{number}@example.com");
        let id = desk.save(&entry(&email), &paid(&desk, &email)).json()["id"].as_i64().expect("an id");
        fails(&desk, "POST", "/v1/refunds", failure);
        is_told(&refund(&desk, &cookie, id, "first", 10_000), 502, failure);
        for _ in 0..2 {
            let again = refund(&desk, &cookie, id, "first", 10_000);
            assert_eq!(
                (again.status, &again.json()["refundedAmount"]),
                (200, &json!(10_000)),
                "{failure}: {}",
                again.text()
            );
        }
    }
    let amounts: Vec<_> =
        desk.stripe.holds("refunds").iter().map(|refund| refund["amount"].clone()).collect();
    assert_eq!(amounts, vec![json!(10_000); failures().len()]);
    assert_eq!(desk.books_agree(), failures().len());
}

#[test]
fn a_refund_that_went_unanswered_is_ended_before_another_of_that_amount() {
    let desk = Desk::open();
    let cookie = cookie(&desk);
    let id = desk.save(&entry("ada@example.com"), &paid(&desk, "ada@example.com")).json()["id"]
        .as_i64()
        .expect("an id");
    let given_back = || desk.stripe.holds("refunds").len();
    fails(&desk, "POST", "/v1/refunds", &json!({ "kind": "close", "when": "after" }));
    assert_eq!(refund(&desk, &cookie, id, "first", 10_000).status, 502);
    let second = refund(&desk, &cookie, id, "second", 10_000);
    assert_eq!((second.status, given_back()), (409, 1), "{}", second.text());
    // Whoever is told so and asks again wants it twice; and a repeat of that is none.
    for _ in 0..3 {
        assert_eq!(refund(&desk, &cookie, id, "second", 10_000).status, 200);
        assert_eq!(given_back(), 2);
    }
    assert_eq!(refund(&desk, &cookie, id, "first", 10_000).status, 200);
    assert_eq!(given_back(), 2);
    // One that Stripe never had is repeated by whoever asks about payments next.
    fails(&desk, "POST", "/v1/refunds", &json!({ "kind": "close" }));
    assert_eq!(refund(&desk, &cookie, id, "third", 5_000).status, 502);
    desk.reconciles();
    assert_eq!(given_back(), 3);
    assert_eq!(refund(&desk, &cookie, id, "third", 5_000).status, 200);
    assert_eq!((given_back(), desk.books_agree()), (3, 1));
}

#[test]
fn nobody_waits_longer_than_twenty_seconds_for_stripe() {
    let desk = Desk::open();
    let cookie = cookie(&desk);
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
            let refund = scope.spawn(|| refund(&desk, &cookie, id, "first", 10_000).status);
            [asked, saved, received, refund].map(|one| one.join().expect("an answer"))
        })
    };
    let begun = std::time::Instant::now();
    assert_eq!(all(), [504; 4]);
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
    assert_eq!(all(), [200, 201, 200, 200]);
    desk.stripe.pay(&desk.intent("new", &entry("new@example.com")));
    desk.reconciles();
    assert_eq!((desk.books_agree(), desk.stripe.holds("refunds").len()), (4, 1));
}

#[test]
fn clocks_that_differ_lose_nothing() {
    for (offset_seconds, taken) in [(-600, 400), (-240, 200), (240, 200), (600, 200)] {
        let desk = Desk::open();
        desk.stripe.does("clock", &json!({ "offset_seconds": offset_seconds }));
        let (told, untold) = (paid(&desk, "told@example.com"), paid(&desk, "untold@example.com"));
        let event = desk.stripe.event("payment_intent.succeeded", &told);
        assert_eq!(desk.receives(&event, json!({})), [taken], "{offset_seconds} s");
        assert_eq!(desk.save(&entry("untold@example.com"), &untold).status, 201);
        desk.reconciles();
        assert_eq!(desk.books_agree(), 2, "{offset_seconds} s");
    }
}

#[test]
fn while_the_database_is_busy_everybody_is_asked_to_come_again() {
    let desk = Desk::open();
    let (saving, told) = (paid(&desk, "save@example.com"), paid(&desk, "event@example.com"));
    let event = desk.stripe.event("payment_intent.succeeded", &told);
    let all = || {
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| desk.ask("new", &entry("new@example.com")).status);
            let saved = scope.spawn(|| desk.save(&entry("save@example.com"), &saving));
            let received = scope.spawn(|| desk.receives(&event, json!({}))[0] as u16);
            let saved = saved.join().expect("an answer");
            assert_eq!(saved.header("retry-after").is_empty(), saved.status == 201);
            [asked.join().expect("an answer"), saved.status, received.join().expect("an answer")]
        })
    };
    let other = open(&desk.place.database());
    other.execute_batch("begin immediate").expect("a lock");
    assert_eq!(all(), [503; 3]);
    other.execute_batch("rollback").expect("no lock");
    assert_eq!(desk.stripe.holds("intents").len(), 2, "no money could have moved for what is not stored");
    assert_eq!(all(), [200, 201, 200]);
    assert_eq!(desk.books_agree(), 2);
}

#[test]
fn money_that_fits_no_entry_is_put_in_front_of_the_organiser() {
    let desk = Desk::open();
    desk.listens();
    let changes = [
        json!({ "amount": PRICE - 1 }),
        json!({ "currency": "eur" }),
        json!({ "metadata": { "entry_id": "999" } }),
        json!({ "metadata": {} }),
    ];
    for (number, changes) in changes.iter().enumerate() {
        let email = format!("f{number}@example.com");
        let intent = desk.intent(&email, &entry(&email));
        desk.stripe.does("edit", &json!({ "payment_intent": intent, "changes": changes }));
        desk.stripe.pay(&intent);
    }
    desk.stripe.does("idle", &json!({}));
    let reply = desk.server.get("/api/payment-findings", &[("cookie", &cookie(&desk))]);
    let problems: Vec<_> = reply.json()["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| item["problem"].clone())
        .collect();
    // An intent that lost its metadata is still the one that the entry names.
    assert_eq!(problems, ["no_entry", "wrong_amount", "wrong_amount"]);
    assert_eq!(desk.books_agree(), 1);
}
