//! The part of the fault table in docs/payments.md about Stripe's events: missing, repeated, late, early, out of order,
//! forged, old, or of the other mode.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use serde_json::{Value, json};

use super::faults::paid;
use crate::support::paid_site::{PaidSite, entry};
use crate::support::stripe::StandIn;
use crate::support::wait_for;

const SUCCEEDED: &str = "payment_intent.succeeded";

fn asked(site: &PaidSite, email: &str) -> String {
    site.create_intent(email, &entry(email))
}

#[test]
fn an_event_that_arrives_repeatedly_or_concurrently_settles_once() {
    let site = PaidSite::start();
    let intent = paid(&site, "ada@example.com");
    let event = site.stripe.event(SUCCEEDED, &intent);
    site.enable_webhooks();
    std::thread::scope(|scope| {
        let storm = scope.spawn(|| {
            site.stripe.control("storm", &json!({ "events": [event], "per_second": 5000, "times": 32 }))
        });
        let saved = [0; 4].map(|_| scope.spawn(|| site.save(&entry("ada@example.com"), &intent)));
        let saved = saved.map(|one| one.join().expect("an answer"));
        assert!(
            saved.iter().all(|one| one.status == 201 && one.json() == saved[0].json()),
            "{}",
            saved[0].text()
        );
        assert_eq!(storm.join().expect("an answer")["accepted"], 32);
    });
    assert_eq!(site.deliver_event(&event, json!({ "times": 2 })), [200, 200]);
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn an_event_may_arrive_before_the_browsers_call_or_long_after_it() {
    let site = PaidSite::start();
    let early = paid(&site, "early@example.com");
    assert_eq!(site.deliver_event(&site.stripe.event(SUCCEEDED, &early), json!({})), [200]);
    assert_eq!(site.status("early@example.com"), "paid");
    let first = site.save(&entry("early@example.com"), &early);
    assert_eq!((first.status, &first.json()["paymentStatus"]), (201, &json!("paid")));
    let (_, late) = site.buy("late@example.com");
    assert_eq!(site.deliver_event(&site.stripe.event(SUCCEEDED, &late), json!({})), [200]);
    assert_eq!(site.assert_books_agree(), 2);
}

#[test]
fn a_slow_payment_is_confirmed_when_it_succeeds() {
    let site = PaidSite::start();
    for (email, outcome) in [("good@example.com", "succeed"), ("bad@example.com", "decline")] {
        let intent = asked(&site, email);
        site.stripe.control("pay", &json!({ "payment_intent": intent, "outcome": "processing" }));
        let saved = site.save(&entry(email), &intent);
        assert_eq!(
            (saved.status, &saved.json()["paymentStatus"]),
            (201, &json!("pending")),
            "{}",
            saved.text()
        );
        assert_eq!(site.assert_books_agree(), usize::from(email == "bad@example.com"));
        site.enable_webhooks();
        site.stripe.control("settle", &json!({ "payment_intent": intent, "outcome": outcome }));
        site.stripe.control("idle", &json!({}));
    }
    assert_eq!(
        (site.status("good@example.com"), site.status("bad@example.com")),
        ("paid".into(), "pending".into())
    );
    // Another card for the entry whose first one was declined.
    site.buy("bad@example.com");
    assert_eq!(site.assert_books_agree(), 2);
}

/// Makes six payments succeed, fail, be refunded or disputed. Every step causes events.
fn cause_events(stripe: &StandIn, intents: &[String]) {
    let does = |deed: &str, number: usize, more: Value| {
        let mut body = more;
        body["payment_intent"] = intents[number].as_str().into();
        stripe.control(deed, &body)
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
    // The bank returns the money, so the refund has failed.
    does("refund", 5, json!({ "amount": 7_000 }));
    does("refund", 5, json!({ "amount": 2_000, "status": "failed" }));
}

#[test]
fn events_in_any_order_or_repeated_have_the_same_result() {
    for seed in 0..4 {
        let site = PaidSite::start();
        let people: Vec<String> = (0..6).map(|number| format!("p{number}@example.com")).collect();
        let intents: Vec<String> = people.iter().map(|email| asked(&site, email)).collect();
        cause_events(&site.stripe, &intents);
        let mut events: Vec<Value> =
            site.stripe.list("events").iter().map(|event| event["id"].clone()).collect();
        events.extend(events.clone());
        match seed {
            0 => {}
            1 => events.reverse(),
            _ => events.shuffle(&mut StdRng::seed_from_u64(seed)),
        }
        for event in &events {
            assert_eq!(site.deliver_event(event.as_str().expect("an id"), json!({})), [200], "seed {seed}");
        }
        let statuses: Vec<String> = people.iter().map(|email| site.status(email)).collect();
        let expected = ["paid", "partially_refunded", "refunded", "paid", "disputed", "partially_refunded"];
        assert_eq!(statuses, expected, "seed {seed}");
        assert_eq!(site.assert_books_agree(), 6, "seed {seed}");
    }
}

#[test]
fn payments_refunds_and_disputes_without_events_are_found() {
    let site = PaidSite::start();
    site.buy("browser@example.com");
    paid(&site, "closed@example.com");
    let told = site.reconcile();
    assert!(told.starts_with("1 checked, 1 paid, 0 findings"), "{told}");
    assert_eq!(site.assert_books_agree(), 2);
    let people: Vec<String> = (0..6).map(|number| format!("p{number}@example.com")).collect();
    let intents: Vec<String> = people.iter().map(|email| asked(&site, email)).collect();
    cause_events(&site.stripe, &intents);
    for _ in 0..2 {
        site.reconcile();
        assert_eq!(site.assert_books_agree(), 8);
    }
}

#[test]
fn a_failed_refund_without_an_event_is_found_for_any_payment_method() {
    let site = PaidSite::start();
    let (_, intent) = site.buy("ada@example.com");
    let refund = site
        .stripe
        .control("refund", &json!({ "payment_intent": intent, "amount": 9_900, "status": "pending" }));
    site.reconcile();
    assert_eq!(site.status("ada@example.com"), "paid", "on its way, not made");
    let failed = json!({ "refund": refund["id"], "status": "failed", "is_selected": false });
    site.stripe.control("refund-settle", &failed);
    assert!(site.reconcile().contains("refund_failed  $99.00"), "the organiser sees it");
    assert_eq!((site.status("ada@example.com").as_str(), site.assert_books_agree()), ("paid", 1));
}

#[test]
fn a_forged_or_an_old_event_changes_nothing() {
    let site = PaidSite::start();
    let intent = paid(&site, "ada@example.com");
    let event = site.stripe.event(SUCCEEDED, &intent);
    let wrong = [json!({ "forge": true }), json!({ "age_seconds": 301 }), json!({ "secret": "whsec_other" })];
    for how in wrong {
        assert_eq!(site.deliver_event(&event, how.clone()), [400], "{how}");
    }
    let unsigned = site.server.post("/api/stripe/webhook", &json!({ "id": event, "type": SUCCEEDED }));
    assert_eq!(unsigned.status, 400);
    assert_eq!(site.status("ada@example.com"), "pending");
    assert_eq!(site.place.sql::<i64>("select count(*) from outbox"), 0);
    // The genuine event is still accepted.
    assert_eq!(site.deliver_event(&event, json!({ "age_seconds": 270 })), [200]);
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn an_event_or_a_payment_of_the_other_mode_pays_for_nothing() {
    let site = PaidSite::start();
    let intent = asked(&site, "ada@example.com");
    site.stripe.control("edit", &json!({ "payment_intent": intent, "changes": { "livemode": true } }));
    site.stripe.pay(&intent);
    let event = site.stripe.event(SUCCEEDED, &intent);
    for livemode in [true, false] {
        assert_eq!(site.deliver_event(&event, json!({ "livemode": livemode })), [200]);
    }
    site.reconcile();
    assert_eq!(site.save(&entry("ada@example.com"), &intent).status, 422);
    assert_eq!(site.status("ada@example.com"), "pending");
    assert_eq!(site.place.sql::<i64>("select count(*) from outbox"), 0);
}

#[test]
fn an_unreadable_stored_quote_is_an_error_and_no_receipt_is_sent() {
    let site = PaidSite::start();
    let intent = paid(&site, "ada@example.com");
    let unreadable =
        "update competition_entries set quote = json_remove(quote, '$.breakdown.participantFee')";
    site.place.execute(unreadable);
    site.deliver_event(&site.stripe.event(SUCCEEDED, &intent), json!({}));
    assert_eq!(site.status("ada@example.com"), "paid", "the money has arrived");
    assert_eq!(site.place.sql::<i64>("select count(*) from outbox where cause like 'confirmation/%'"), 0);
    let log = site.place.log();
    assert!(log.contains("ERROR") && log.contains("the stored quote of entry 1"), "{log}");
}

#[test]
fn many_events_at_once_are_each_processed_once() {
    let site = PaidSite::start();
    let events: Vec<String> = (0..60)
        .map(|number| site.stripe.event(SUCCEEDED, &paid(&site, &format!("p{number}@example.com"))))
        .collect();
    site.enable_webhooks();
    let storm = site.stripe.control("storm", &json!({ "events": events, "per_second": 500, "times": 3 }));
    assert_eq!(storm["accepted"], 180, "{storm}");
    assert_eq!(site.assert_books_agree(), 60);
}

#[test]
fn an_event_is_processed_while_all_visitors_wait_for_the_provider() {
    let site = PaidSite::start();
    let event = site.stripe.event(SUCCEEDED, &paid(&site, "ada@example.com"));
    let before = site.stripe.list("requests").len();
    site.stripe.control("faults", &json!({ "path": "^/v1/payment_intents$", "kind": "hold", "times": 0 }));
    let crowd: Vec<_> = (0..140)
        .map(|number| site.begin_request_intent(&number.to_string(), &entry("a@example.com")))
        .collect();
    // As many requests as may wait for the provider at once.
    wait_for("the crowd", || (site.stripe.list("requests").len() >= before + 128).then_some(()));
    assert_eq!(site.deliver_event(&event, json!({})), [200]);
    for visitor in &crowd {
        visitor.set_nonblocking(true).expect("a socket");
        let answered = visitor.peek(&mut [0]).is_ok();
        assert!(!answered, "they still wait");
    }
    site.stripe.clear_faults();
}
