//! The fault table of docs/payments.md, the part about ends: the browser closes, or the server is killed, at
//! every step.

use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::stripe::{Desk, PASSWORD, PRICE, entry, entry_of_two};
use crate::support::{Reply, open, wait_for};

const EMAIL: &str = "ada@example.com";

/// Sends a request and does not wait for its answer.
fn begins(desk: &Desk, path: &str, headers: &str, body: &Value) -> TcpStream {
    let body = body.to_string();
    let mut connection = desk.server.connect();
    write!(
        connection,
        "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        desk.server.address,
        body.len()
    )
    .expect("sent");
    connection
}

fn begins_to_ask(desk: &Desk, entry: &Value, amount: i64) -> TcpStream {
    let body = json!({ "amount": amount, "competitionData": {}, "entry": entry });
    begins(desk, "/api/create-competition-payment-intent", "idempotency-key: fill-1\r\n", &body)
}

fn begins_to_save(desk: &Desk, intent: &str) -> TcpStream {
    let mut body = entry(EMAIL);
    body["paymentAmount"] = PRICE.into();
    body["stripePaymentIntentId"] = intent.into();
    begins(desk, "/api/competition-entries", "", &body)
}

/// Waits until Stripe has the request that a fault was made for.
fn reaches_stripe(desk: &Desk, fault: &str) {
    wait_for(fault, || {
        desk.stripe.reads("requests").iter().any(|request| request["fault"] == fault).then_some(())
    });
}

/// The next request of this kind hangs, before or after Stripe's work.
fn hangs(desk: &Desk, method: &str, path: &str, when: &str) {
    desk.stripe.does("faults", &json!({ "method": method, "path": path, "kind": "hang", "when": when }));
}

/// Makes every entry a day and an hour older, and lets the server look at what is left unpaid.
fn a_day_passes(desk: &mut Desk) {
    let older =
        "update competition_entries set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-25 hours')";
    open(&desk.place.database()).execute_batch(older).expect("older entries");
    desk.dies();
}

fn cookie(desk: &Desk) -> String {
    let reply = desk.server.post("/api/admin/session", &json!({ "password": PASSWORD }));
    reply.header("set-cookie").split(';').next().expect("a pair").to_owned()
}

fn standing(desk: &Desk, intent: &str) -> Reply {
    let intents = desk.stripe.holds("intents");
    let found = intents.iter().find(|one| one["id"] == intent).expect("the intent");
    desk.server.post("/api/competition-payments/status", &json!({ "clientSecret": found["client_secret"] }))
}

#[test]
fn a_browser_that_closes_before_it_can_pay_leaves_an_entry_that_ends_after_a_day() {
    let mut desk = Desk::open();
    desk.stripe.does("faults", &json!({ "path": "^/v1/payment_intents$", "kind": "delay", "ms": 300 }));
    let browser = begins_to_ask(&desk, &entry(EMAIL), PRICE);
    reaches_stripe(&desk, "delay before");
    drop(browser);
    assert_eq!(desk.status(EMAIL), "pending", "stored before any money moves");
    wait_for("the intent", || desk.stripe.holds("intents").first().cloned());
    let declined = desk.intent("fill-2", &entry("declined@example.com"));
    desk.stripe.does("pay", &json!({ "payment_intent": declined, "outcome": "decline" }));
    desk.books_agree();
    a_day_passes(&mut desk);
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
    a_day_passes(&mut desk);
    wait_for("the end of it", || desk.stripe.holds("intents")[0]["canceled_at"].as_i64());
    let intent = desk.intent("fill-1", &entry(EMAIL));
    assert_ne!(intent, ended);
    assert_eq!(desk.intent("fill-1", &entry(EMAIL)), intent, "and the next click finds it");
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
    a_day_passes(&mut desk);
    wait_for("the settling", || (desk.status("nobody@example.com") == "paid").then_some(()));
    // It closes while the save is under way.
    let intent = pays(&desk, EMAIL);
    desk.stripe.does("faults", &json!({ "method": "GET", "kind": "delay", "ms": 300 }));
    let browser = begins_to_save(&desk, &intent);
    reaches_stripe(&desk, "delay before");
    drop(browser);
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
fn a_server_that_is_killed_while_an_intent_is_made_makes_no_second_one() {
    for when in ["before", "after"] {
        let mut desk = Desk::open();
        hangs(&desk, "POST", "^/v1/payment_intents$", when);
        let _browser = begins_to_ask(&desk, &entry(EMAIL), PRICE);
        reaches_stripe(&desk, &format!("hang {when}"));
        desk.dies();
        let intent = desk.intent("fill-1", &entry(EMAIL));
        assert_eq!(desk.stripe.holds("intents").len(), 1, "{when}");
        desk.stripe.pay(&intent);
        assert_eq!(desk.save(&entry(EMAIL), &intent).status, 201);
        assert_eq!(desk.books_agree(), 1);
    }
}

#[test]
fn a_server_that_is_killed_while_a_form_changes_takes_the_right_amount() {
    for when in ["before", "after"] {
        let mut desk = Desk::open();
        let intent = desk.intent("fill-1", &entry(EMAIL));
        hangs(&desk, "POST", &format!("/v1/payment_intents/{intent}"), when);
        let changed = entry_of_two(EMAIL);
        let _browser = begins_to_ask(&desk, &changed, crate::stripe::PRICE_OF_TWO);
        reaches_stripe(&desk, &format!("hang {when}"));
        desk.dies();
        assert_eq!(desk.intent("fill-1", &changed), intent, "{when}");
        desk.stripe.pay(&intent);
        assert_eq!(desk.save(&changed, &intent).status, 201);
        assert_eq!(desk.books_agree(), 1);
    }
}

#[test]
fn a_server_that_is_killed_while_it_settles_settles_once_afterwards() {
    for how in ["browser", "event", "reconcile"] {
        let mut desk = Desk::open();
        let intent = desk.intent("fill-1", &entry(EMAIL));
        desk.stripe.pay(&intent);
        let event = desk.stripe.event("payment_intent.succeeded", &intent);
        hangs(&desk, "GET", &format!("/v1/payment_intents/{intent}"), "after");
        let hook = desk.hook();
        std::thread::scope(|scope| {
            let browser = (how == "browser").then(|| begins_to_save(&desk, &intent));
            let told = (how == "event").then(|| {
                scope.spawn(|| desk.stripe.does("deliver", &json!({ "event": event, "url": hook })))
            });
            let command = (how == "reconcile")
                .then(|| desk.place.command(&["payments", "reconcile"]).spawn().expect("it starts"));
            reaches_stripe(&desk, "hang after");
            if let Some(mut command) = command {
                command.kill().expect("killed");
                command.wait().expect("ended");
            } else {
                desk.server.signal("KILL");
            }
            drop(browser);
            if let Some(told) = told {
                assert!(told.join().expect("an answer")[0]["status"].is_null());
            }
        });
        desk.dies();
        desk.listens();
        desk.stripe.does("redeliver", &json!({}));
        assert_eq!(desk.save(&entry(EMAIL), &intent).status, 201);
        desk.reconciles();
        assert_eq!(desk.books_agree(), 1, "{how}");
    }
}

#[test]
fn a_server_that_is_killed_while_money_goes_back_gives_it_back_once() {
    for when in ["before", "after"] {
        let mut desk = Desk::open();
        let intent = desk.intent("fill-1", &entry(EMAIL));
        desk.stripe.pay(&intent);
        let id = desk.save(&entry(EMAIL), &intent).json()["id"].as_i64().expect("an id");
        hangs(&desk, "POST", "/v1/refunds", when);
        let path = format!("/api/competition-entries/{id}/refund");
        let headers = format!("cookie: {}\r\nidempotency-key: r\r\n", cookie(&desk));
        let _organiser = begins(&desk, &path, &headers, &json!({ "amountCents": 10_000 }));
        reaches_stripe(&desk, &format!("hang {when}"));
        desk.dies();
        let headers =
            [("content-type", "application/json"), ("cookie", &cookie(&desk)), ("idempotency-key", "r")];
        let again = desk.server.send("POST", &path, &headers, &json!({ "amountCents": 10_000 }).to_string());
        assert_eq!(again.status, 200, "{}", again.text());
        assert_eq!(desk.stripe.holds("refunds").len(), 1, "{when}");
        assert_eq!(desk.books_agree(), 1);
        // The rest of it, for an event that is cancelled; once, however often it is asked for.
        for _ in 0..2 {
            let all = desk.place.run(&["refund", "--all-paid", "--yes"]);
            assert!(all.status.success(), "{}", crate::support::text(&all.stderr));
        }
        assert_eq!((desk.status(EMAIL), desk.stripe.holds("refunds").len()), ("refunded".into(), 2));
        assert_eq!(desk.books_agree(), 1);
    }
}

#[test]
fn a_server_that_is_killed_while_it_ends_an_entry_ends_or_pays_it() {
    for (when, is_paid) in [("before", false), ("after", false), ("before", true)] {
        let mut desk = Desk::open();
        let intent = desk.intent("fill-1", &entry(EMAIL));
        hangs(&desk, "POST", &format!("/v1/payment_intents/{intent}/cancel"), when);
        a_day_passes(&mut desk);
        reaches_stripe(&desk, &format!("hang {when}"));
        if is_paid {
            desk.stripe.pay(&intent);
        }
        desk.dies();
        desk.listens();
        if is_paid {
            let event = desk.stripe.event("payment_intent.succeeded", &intent);
            assert_eq!(desk.receives(&event, json!({})), [200]);
        }
        let wanted = if is_paid { "paid" } else { "abandoned" };
        wait_for(wanted, || (desk.status(EMAIL) == wanted).then_some(()));
        assert_eq!(desk.books_agree(), usize::from(is_paid), "{when}");
    }
}

/// Buyers who try again until they are through, while the server dies again and again.
#[test]
fn a_server_that_is_killed_under_load_loses_and_doubles_nothing() {
    const BUYERS: usize = 8;
    const ENTRIES: usize = 5;
    let mut desk = Desk::open();
    let address = std::sync::Mutex::new(desk.server.address.clone());
    let bought = AtomicUsize::new(0);
    let origin = desk.stripe.origin().to_owned();
    std::thread::scope(|scope| {
        for buyer in 0..BUYERS {
            let (address, bought, origin) = (&address, &bought, &origin);
            scope.spawn(move || {
                for number in 0..ENTRIES {
                    buys(address, origin, &format!("b{buyer}n{number}@example.com"));
                    bought.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for round in 1..=4 {
            wait_for("buyers", || {
                (bought.load(Ordering::Relaxed) >= round * BUYERS * ENTRIES / 6).then_some(())
            });
            desk.dies();
            address.lock().expect("a lock").clone_from(&desk.server.address);
            desk.listens();
        }
    });
    desk.stripe.does("idle", &json!({}));
    desk.stripe.does("redeliver", &json!({}));
    desk.reconciles();
    assert_eq!(desk.books_agree(), BUYERS * ENTRIES);
    let entries: i64 = desk.place.sql("select count(*) from competition_entries");
    assert_eq!(entries as usize, BUYERS * ENTRIES, "one entry a form fill");
}

/// Fills, pays and saves, each step again and again until it is answered well.
fn buys(address: &std::sync::Mutex<String>, stripe: &str, email: &str) {
    let agent: ureq::Agent =
        ureq::Agent::config_builder().timeout_global(Some(Duration::from_secs(30))).build().into();
    let deadline = Instant::now() + Duration::from_secs(120);
    let post = |path: &str, body: &Value| -> Value {
        loop {
            let url = format!("http://{}{path}", address.lock().expect("a lock"));
            let answer = agent.post(url).header("idempotency-key", email).send_json(body);
            if let Some(value) = answer.ok().and_then(|mut answer| answer.body_mut().read_json().ok()) {
                return value;
            }
            assert!(Instant::now() < deadline, "{path} of {email} was never answered");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    let form = entry(email);
    let asked = json!({ "amount": PRICE, "competitionData": {}, "entry": form });
    let secret = post("/api/create-competition-payment-intent", &asked)["clientSecret"].clone();
    let paid = agent.post(format!("{stripe}/control/pay")).send_json(json!({ "client_secret": secret }));
    let intent: Value = paid.expect("paid").body_mut().read_json().expect("JSON");
    let mut save = form;
    save["paymentAmount"] = PRICE.into();
    save["stripePaymentIntentId"] = intent["id"].clone();
    assert_eq!(post("/api/competition-entries", &save)["paymentStatus"], "paid");
}
