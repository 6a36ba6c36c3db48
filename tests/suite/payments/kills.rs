//! The part of the fault table in docs/payments.md about the server: it is killed at every step and restarted.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::paid_site::{PRICE, PaidSite, entry, entry_of_two};
use crate::support::{TIMEOUT, wait_for};

const EMAIL: &str = "ada@example.com";

/// Makes the next request of this kind hang, before or after Stripe has done its work.
fn hangs(site: &PaidSite, method: &str, path: &str, when: &str) {
    site.stripe.control("faults", &json!({ "method": method, "path": path, "kind": "hang", "when": when }));
}

#[test]
fn a_server_that_is_killed_while_an_intent_is_made_makes_no_second_one() {
    for when in ["before", "after"] {
        let mut site = PaidSite::start();
        hangs(&site, "POST", "^/v1/payment_intents$", when);
        let _browser = site.begin_request_intent("fill-1", &entry(EMAIL));
        site.stripe.wait_for_fault(&format!("hang {when}"));
        site.restart();
        let intent = site.create_intent("fill-1", &entry(EMAIL));
        assert_eq!(site.stripe.objects("intents").len(), 1, "{when}");
        site.stripe.pay(&intent);
        assert_eq!(site.save(&entry(EMAIL), &intent).status, 201);
        assert_eq!(site.assert_books_agree(), 1);
    }
}

#[test]
fn a_server_that_is_killed_while_a_form_changes_takes_the_right_amount() {
    for when in ["before", "after"] {
        let mut site = PaidSite::start();
        let intent = site.create_intent("fill-1", &entry(EMAIL));
        hangs(&site, "POST", &format!("/v1/payment_intents/{intent}"), when);
        let changed = entry_of_two(EMAIL);
        let _browser = site.begin_request_intent("fill-1", &changed);
        site.stripe.wait_for_fault(&format!("hang {when}"));
        site.restart();
        assert_eq!(site.create_intent("fill-1", &changed), intent, "{when}");
        site.stripe.pay(&intent);
        assert_eq!(site.save(&changed, &intent).status, 201);
        assert_eq!(site.assert_books_agree(), 1);
    }
}

#[test]
fn a_server_that_is_killed_while_it_settles_settles_once_afterwards() {
    for how in ["browser", "event", "reconcile"] {
        let mut site = PaidSite::start();
        let intent = site.create_intent("fill-1", &entry(EMAIL));
        site.stripe.pay(&intent);
        let event = site.stripe.event("payment_intent.succeeded", &intent);
        hangs(&site, "GET", &format!("/v1/payment_intents/{intent}"), "after");
        let hook = site.webhook_url();
        std::thread::scope(|scope| {
            let browser = (how == "browser").then(|| site.begin_save(&entry(EMAIL), &intent));
            let told = (how == "event").then(|| {
                scope.spawn(|| site.stripe.control("deliver", &json!({ "event": event, "url": hook })))
            });
            let command = (how == "reconcile")
                .then(|| site.place.command(&["payments", "reconcile"]).spawn().expect("it starts"));
            site.stripe.wait_for_fault("hang after");
            if let Some(mut command) = command {
                command.kill().expect("killed");
                command.wait().expect("ended");
            } else {
                site.server.signal("KILL");
            }
            drop(browser);
            if let Some(told) = told {
                assert!(told.join().expect("an answer")[0]["status"].is_null());
            }
        });
        site.restart();
        site.enable_webhooks();
        site.stripe.control("redeliver", &json!({}));
        assert_eq!(site.save(&entry(EMAIL), &intent).status, 201);
        site.reconcile();
        assert_eq!(site.assert_books_agree(), 1, "{how}");
    }
}

#[test]
fn a_server_that_is_killed_while_money_goes_back_gives_it_back_once() {
    for when in ["before", "after"] {
        let mut site = PaidSite::start();
        let (id, _) = site.buy(EMAIL);
        hangs(&site, "POST", "/v1/refunds", when);
        let path = format!("/api/competition-entries/{id}/refund");
        let headers = format!("cookie: {}\r\nidempotency-key: r\r\n", site.cookie());
        let _organiser = site.begin_post(&path, &headers, &json!({ "amountCents": 10_000 }));
        site.stripe.wait_for_fault(&format!("hang {when}"));
        site.restart();
        let again = site.refund(&site.cookie(), id, "r", 10_000);
        assert_eq!(again.status, 200, "{}", again.text());
        assert_eq!(site.stripe.objects("refunds").len(), 1, "{when}");
        assert_eq!(site.assert_books_agree(), 1);
        // Refunds the rest, as for a cancelled event. Running the command again must not refund it twice.
        for _ in 0..2 {
            site.place.done(&["refund", "--all-paid", "--yes"]);
        }
        assert_eq!((site.status(EMAIL), site.stripe.objects("refunds").len()), ("refunded".into(), 2));
        assert_eq!(site.assert_books_agree(), 1);
    }
}

#[test]
fn a_server_that_is_killed_while_it_ends_an_entry_ends_or_pays_it() {
    for (when, is_paid) in [("before", false), ("after", false), ("before", true)] {
        let mut site = PaidSite::start();
        let intent = site.create_intent("fill-1", &entry(EMAIL));
        hangs(&site, "POST", &format!("/v1/payment_intents/{intent}/cancel"), when);
        site.age_entries_by_a_day();
        site.stripe.wait_for_fault(&format!("hang {when}"));
        if is_paid {
            site.stripe.pay(&intent);
        }
        site.restart();
        site.enable_webhooks();
        if is_paid {
            let event = site.stripe.event("payment_intent.succeeded", &intent);
            assert_eq!(site.deliver_event(&event, json!({})), [200]);
        }
        let wanted = if is_paid { "paid" } else { "abandoned" };
        wait_for(wanted, || (site.status(EMAIL) == wanted).then_some(()));
        assert_eq!(site.assert_books_agree(), usize::from(is_paid), "{when}");
    }
}

/// Buyers who retry until they succeed, while the server is killed again and again.
#[test]
fn a_server_that_is_killed_under_load_loses_and_doubles_nothing() {
    const BUYERS: usize = 8;
    const ENTRIES: usize = 5;
    let mut site = PaidSite::start();
    let address = Mutex::new(site.server.address.clone());
    let bought = AtomicUsize::new(0);
    let origin = site.stripe.origin().to_owned();
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
            site.restart();
            address.lock().expect("a lock").clone_from(&site.server.address);
            site.enable_webhooks();
        }
    });
    site.stripe.control("idle", &json!({}));
    site.stripe.control("redeliver", &json!({}));
    site.reconcile();
    assert_eq!(site.assert_books_agree(), BUYERS * ENTRIES);
    let entries: i64 = site.place.sql("select count(*) from competition_entries");
    assert_eq!(entries as usize, BUYERS * ENTRIES, "one entry a form fill");
}

/// Fills in the form, pays and saves. Repeats each step until it succeeds.
fn buys(address: &Mutex<String>, stripe: &str, email: &str) {
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(Some(TIMEOUT)).build().into();
    let deadline = Instant::now() + TIMEOUT * 5;
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
