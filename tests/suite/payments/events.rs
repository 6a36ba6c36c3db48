//! The fault table of docs/payments.md, the part about Stripe's events: never, twice, late, early, out of order,
//! forged, old, and of the other mode.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use serde_json::{Value, json};

use crate::support::paid_site::{Desk, entry};
use crate::support::stripe::StandIn;
use crate::support::{open, wait_for};

const SUCCEEDED: &str = "payment_intent.succeeded";

fn asked(desk: &Desk, email: &str) -> String {
    desk.intent(email, &entry(email))
}

fn paid(desk: &Desk, email: &str) -> String {
    let intent = asked(desk, email);
    desk.stripe.pay(&intent);
    intent
}

#[test]
fn an_event_that_never_comes_is_not_needed() {
    let desk = Desk::open();
    let saved = paid(&desk, "browser@example.com");
    assert_eq!(desk.save(&entry("browser@example.com"), &saved).status, 201);
    paid(&desk, "closed@example.com");
    let told = desk.reconciles();
    assert!(told.starts_with("1 checked, 1 paid, 0 findings"), "{told}");
    assert_eq!(desk.books_agree(), 2);
}

#[test]
fn an_event_that_comes_twice_or_at_once_settles_once() {
    let desk = Desk::open();
    let intent = paid(&desk, "ada@example.com");
    let event = desk.stripe.event(SUCCEEDED, &intent);
    desk.listens();
    std::thread::scope(|scope| {
        let storm = scope.spawn(|| {
            desk.stripe.does("storm", &json!({ "events": [event], "per_second": 5000, "times": 32 }))
        });
        let saved = [0; 4].map(|_| scope.spawn(|| desk.save(&entry("ada@example.com"), &intent)));
        let saved = saved.map(|one| one.join().expect("an answer"));
        assert!(
            saved.iter().all(|one| one.status == 201 && one.json() == saved[0].json()),
            "{}",
            saved[0].text()
        );
        assert_eq!(storm.join().expect("an answer")["accepted"], 32);
    });
    assert_eq!(desk.receives(&event, json!({ "times": 2 })), [200, 200]);
    assert_eq!(desk.books_agree(), 1);
}

#[test]
fn an_event_may_come_before_the_browser_or_long_after_it() {
    let desk = Desk::open();
    let early = paid(&desk, "early@example.com");
    assert_eq!(desk.receives(&desk.stripe.event(SUCCEEDED, &early), json!({})), [200]);
    assert_eq!(desk.status("early@example.com"), "paid");
    let first = desk.save(&entry("early@example.com"), &early);
    assert_eq!((first.status, &first.json()["paymentStatus"]), (201, &json!("paid")));
    let late = paid(&desk, "late@example.com");
    assert_eq!(desk.save(&entry("late@example.com"), &late).status, 201);
    assert_eq!(desk.receives(&desk.stripe.event(SUCCEEDED, &late), json!({})), [200]);
    assert_eq!(desk.books_agree(), 2);
}

#[test]
fn a_payment_that_takes_its_time_is_confirmed_when_it_is_through() {
    let desk = Desk::open();
    for (email, outcome) in [("good@example.com", "succeed"), ("bad@example.com", "decline")] {
        let intent = asked(&desk, email);
        desk.stripe.does("pay", &json!({ "payment_intent": intent, "outcome": "processing" }));
        let saved = desk.save(&entry(email), &intent);
        assert_eq!(
            (saved.status, &saved.json()["paymentStatus"]),
            (201, &json!("pending")),
            "{}",
            saved.text()
        );
        assert_eq!(desk.books_agree(), usize::from(email == "bad@example.com"));
        desk.listens();
        desk.stripe.does("settle", &json!({ "payment_intent": intent, "outcome": outcome }));
        desk.stripe.does("idle", &json!({}));
    }
    assert_eq!(
        (desk.status("good@example.com"), desk.status("bad@example.com")),
        ("paid".into(), "pending".into())
    );
    // Another card for the entry whose first one was declined.
    let again = asked(&desk, "bad@example.com");
    desk.stripe.pay(&again);
    assert_eq!(desk.save(&entry("bad@example.com"), &again).status, 201);
    assert_eq!(desk.books_agree(), 2);
}

/// What may become of six payments; every step makes events.
fn lives(stripe: &StandIn, intents: &[String]) {
    let does = |deed: &str, number: usize, more: Value| {
        let mut body = more;
        body["payment_intent"] = intents[number].as_str().into();
        stripe.does(deed, &body)
    };
    does("pay", 0, json!({ "outcome": "decline" }));
    does("pay", 0, json!({ "outcome": "processing" }));
    does("settle", 0, json!({}));
    for number in 1..6 {
        does("pay", number, json!({}));
    }
    does("refund", 1, json!({ "amount": 10_000 }));
    does("refund", 1, json!({ "amount": 5_000 }));
    does("refund", 2, json!({ "amount": 10_000 }));
    does("refund", 2, json!({}));
    does("dispute", 3, json!({}));
    does("dispute-close", 3, json!({ "status": "won" }));
    does("dispute", 4, json!({}));
    does("dispute-close", 4, json!({ "status": "lost" }));
    // The bank sends the money back: what was given back is not.
    does("refund", 5, json!({ "amount": 7_000 }));
    does("refund", 5, json!({ "amount": 2_000, "status": "failed" }));
}

#[test]
fn events_in_any_order_and_more_than_once_come_to_the_same() {
    for seed in 0..4 {
        let desk = Desk::open();
        let people: Vec<String> = (0..6).map(|number| format!("p{number}@example.com")).collect();
        let intents: Vec<String> = people.iter().map(|email| asked(&desk, email)).collect();
        lives(&desk.stripe, &intents);
        let mut events: Vec<Value> =
            desk.stripe.reads("events").iter().map(|event| event["id"].clone()).collect();
        events.extend(events.clone());
        match seed {
            0 => {}
            1 => events.reverse(),
            _ => events.shuffle(&mut StdRng::seed_from_u64(seed)),
        }
        for event in &events {
            assert_eq!(desk.receives(event.as_str().expect("an id"), json!({})), [200], "seed {seed}");
        }
        let statuses: Vec<String> = people.iter().map(|email| desk.status(email)).collect();
        let expected = ["paid", "partially_refunded", "refunded", "paid", "disputed", "partially_refunded"];
        assert_eq!(statuses, expected, "seed {seed}");
        assert_eq!(desk.books_agree(), 6, "seed {seed}");
    }
}

#[test]
fn refunds_and_disputes_that_nobody_told_are_found() {
    let desk = Desk::open();
    let people: Vec<String> = (0..6).map(|number| format!("p{number}@example.com")).collect();
    let intents: Vec<String> = people.iter().map(|email| asked(&desk, email)).collect();
    lives(&desk.stripe, &intents);
    desk.reconciles();
    assert_eq!(desk.books_agree(), 6);
    desk.reconciles();
    assert_eq!(desk.books_agree(), 6);
}

#[test]
fn a_refund_of_any_way_to_pay_that_failed_and_nobody_told_is_found() {
    let desk = Desk::open();
    let intent = paid(&desk, "ada@example.com");
    assert_eq!(desk.save(&entry("ada@example.com"), &intent).status, 201);
    let refund = desk
        .stripe
        .does("refund", &json!({ "payment_intent": intent, "amount": 9_900, "status": "pending" }));
    desk.reconciles();
    assert_eq!(desk.status("ada@example.com"), "partially_refunded");
    let failed = json!({ "refund": refund["id"], "status": "failed", "is_selected": false });
    desk.stripe.does("refund-settle", &failed);
    assert!(desk.reconciles().contains("refund_failed  $99.00"), "shown to the organiser");
    assert_eq!((desk.status("ada@example.com").as_str(), desk.books_agree()), ("paid", 1));
}

#[test]
fn a_forged_or_an_old_event_changes_nothing() {
    let desk = Desk::open();
    let intent = paid(&desk, "ada@example.com");
    let event = desk.stripe.event(SUCCEEDED, &intent);
    let wrong = [json!({ "forge": true }), json!({ "age_seconds": 301 }), json!({ "secret": "whsec_other" })];
    for how in wrong {
        assert_eq!(desk.receives(&event, how.clone()), [400], "{how}");
    }
    let unsigned = desk.server.post("/api/stripe/webhook", &json!({ "id": event, "type": SUCCEEDED }));
    assert_eq!(unsigned.status, 400);
    assert_eq!(desk.status("ada@example.com"), "pending");
    assert_eq!(desk.place.sql::<i64>("select count(*) from outbox"), 0);
    // Nor does it stand in the way of the true one.
    assert_eq!(desk.receives(&event, json!({ "age_seconds": 270 })), [200]);
    assert_eq!(desk.books_agree(), 1);
}

#[test]
fn an_event_or_a_payment_of_the_other_mode_pays_for_nothing() {
    let desk = Desk::open();
    let intent = asked(&desk, "ada@example.com");
    desk.stripe.does("edit", &json!({ "payment_intent": intent, "changes": { "livemode": true } }));
    desk.stripe.pay(&intent);
    let event = desk.stripe.event(SUCCEEDED, &intent);
    for livemode in [true, false] {
        assert_eq!(desk.receives(&event, json!({ "livemode": livemode })), [200]);
    }
    desk.reconciles();
    assert_eq!(desk.save(&entry("ada@example.com"), &intent).status, 422);
    assert_eq!(desk.status("ada@example.com"), "pending");
    assert_eq!(desk.place.sql::<i64>("select count(*) from outbox"), 0);
}

#[test]
fn a_stored_quote_that_cannot_be_read_is_an_error_and_no_receipt_without_lines() {
    let desk = Desk::open();
    let intent = paid(&desk, "ada@example.com");
    let unreadable =
        "update competition_entries set quote = json_remove(quote, '$.breakdown.participantFee')";
    open(&desk.place.database()).execute_batch(unreadable).expect("an update");
    desk.receives(&desk.stripe.event(SUCCEEDED, &intent), json!({}));
    assert_eq!(desk.status("ada@example.com"), "paid", "the money has come all the same");
    assert_eq!(desk.place.sql::<i64>("select count(*) from outbox where cause like 'confirmation/%'"), 0);
    let log = desk.place.log();
    assert!(log.contains("ERROR") && log.contains("the stored quote of entry 1"), "{log}");
}

#[test]
fn a_crowd_of_events_is_taken_without_loss_or_doubling() {
    let desk = Desk::open();
    let events: Vec<String> = (0..60)
        .map(|number| desk.stripe.event(SUCCEEDED, &paid(&desk, &format!("p{number}@example.com"))))
        .collect();
    desk.listens();
    let storm = desk.stripe.does("storm", &json!({ "events": events, "per_second": 500, "times": 3 }));
    assert_eq!(storm["accepted"], 180, "{storm}");
    assert_eq!(desk.books_agree(), 60);
}

#[test]
fn an_event_is_taken_while_all_visitors_wait_for_the_provider() {
    let desk = Desk::open();
    let event = desk.stripe.event(SUCCEEDED, &paid(&desk, "ada@example.com"));
    let before = desk.stripe.reads("requests").len();
    desk.stripe.does("faults", &json!({ "path": "^/v1/payment_intents$", "kind": "hold", "times": 0 }));
    let crowd: Vec<_> =
        (0..140).map(|number| desk.begins_to_ask(&number.to_string(), &entry("a@example.com"))).collect();
    // As many as may ask at once.
    wait_for("the crowd", || (desk.stripe.reads("requests").len() >= before + 128).then_some(()));
    assert_eq!(desk.receives(&event, json!({})), [200]);
    for visitor in &crowd {
        visitor.set_nonblocking(true).expect("a socket");
        let answered = visitor.peek(&mut [0]).is_ok();
        assert!(!answered, "they still wait");
    }
    desk.stripe.forgives();
}
