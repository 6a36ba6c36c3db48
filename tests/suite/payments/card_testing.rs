//! The part of the fault table in docs/payments.md about stolen cards: payments that are started and never paid, while
//! other people can still enter.

use serde_json::{Value, json};

use crate::payments::faults::inject_fault;
use crate::support::paid_site::{PRICE, PaidSite, entry, entry_of_two, intent_of};
use crate::support::{Reply, clock, open, wait_for};

const PROXY: &str = "[proxy]\ntrusted = ['127.0.0.1']\n";

fn decline_card(site: &PaidSite, intent: &str) {
    site.stripe.control("pay", &json!({ "payment_intent": intent, "outcome": "decline" }));
    site.stripe.control("idle", &json!({}));
}

/// The status of an intent at Stripe.
fn intent_status(site: &PaidSite, intent: &str) -> Value {
    let intents = site.stripe.objects("intents");
    intents.iter().find(|one| one["id"] == intent).expect("the intent")["status"].clone()
}

fn detail(reply: &Reply) -> String {
    reply.json()["detail"].as_str().expect("a sentence").to_owned()
}

/// The number of requests to Stripe with this method and start of the path.
fn requests(site: &PaidSite, method: &str, path: &str) -> usize {
    let is_it = |request: &&Value| {
        request["method"] == method && request["path"].as_str().is_some_and(|asked| asked.starts_with(path))
    };
    site.stripe.list("requests").iter().filter(is_it).count()
}

#[test]
fn a_form_that_looks_like_a_machines_gets_no_payment_and_is_told_what_to_do() {
    let site = PaidSite::start();
    for (name, value, words) in [
        ("referralNote", json!("https://pills.example"), "reload the page"),
        ("secondsSpent", json!(0.1), "wait a moment"),
    ] {
        let mut form = entry("ada@example.com");
        form[name] = value;
        let reply = site.request_intent("fill-1", &form);
        assert_eq!(reply.status, 422, "{name}: {}", reply.text());
        assert!(
            detail(&reply).contains(words) && reply.json()["errors"][name].is_string(),
            "{}",
            reply.text()
        );
    }
    assert_eq!(requests(&site, "POST", "/v1/"), 0);
    assert_eq!(site.place.sql::<i64>("select count(*) from competition_entries"), 0);
    // A person who was suspected wrongly follows the advice.
    let mut form = entry("ada@example.com");
    form["secondsSpent"] = json!(3);
    site.stripe.pay(&site.create_intent("fill-1", &form));
    site.reconcile();
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn a_busy_network_begins_no_more_payments() {
    let site = PaidSite::with_config(&format!("{PROXY}[limits]\nwrites_per_minute = 2\n"));
    let ask = |address: &str, number: usize| {
        site.request_intent_from(
            address,
            &format!("fill-{number}"),
            &entry(&format!("p{number}@example.com")),
        )
    };
    // A network's limit is three times a client's.
    let asked: Vec<u16> = (0..9).map(|number| ask(&format!("198.51.100.{number}"), number).status).collect();
    assert_eq!(asked, [200, 200, 200, 200, 200, 200, 429, 429, 429]);
    let refused = ask("198.51.100.77", 77);
    assert_eq!((refused.status, refused.header("retry-after").is_empty()), (429, false));
    assert_eq!(requests(&site, "POST", "/v1/payment_intents"), 6);
    assert_eq!(site.place.sql::<i64>("select count(*) from competition_entries"), 6);
    assert_eq!(ask("203.0.113.1", 100).status, 200, "another network");
}

#[test]
fn unpaid_payments_have_a_ceiling_and_the_organiser_is_told() {
    let site = PaidSite::with_config(&format!(
        "{PROXY}[reports]\nrecipient = 'desk@example.com'\n[limits]\nwrites_per_minute = 0\nunpaid_payments_per_network = 6\nunpaid_payments = 8\n"
    ));
    let ask = |network: u8, number: usize| {
        let form = entry(&format!("n{network}-{number}@example.com"));
        site.request_intent_from(&format!("198.51.{network}.7"), &format!("fill-{network}-{number}"), &form)
    };
    let asked = |network: u8| (0..8).map(|number| ask(network, number).status).collect::<Vec<_>>();
    let told = "select count(*) from outbox where cause like 'trouble/unpaid-payments/%'";
    // Six a network and eight in all. Beyond eight, a network may still have five (`MIN_LEFT`), so the second one gets
    // five: eleven.
    assert_eq!(ask(1, 0).status, 200);
    assert_eq!(site.place.sql::<i64>(told), 0);
    assert_eq!(asked(1), [200, 200, 200, 200, 200, 200, 429, 429], "the first is begun already");
    assert_eq!(asked(2), [200, 200, 200, 200, 200, 429, 429, 429], "five are left to a network");
    assert_eq!(
        site.place.sql::<i64>("select count(*) from competition_entries"),
        11,
        "nothing is kept of others"
    );
    let refused = ask(1, 7);
    assert!(detail(&refused).contains("another connection"), "{}", refused.text());
    assert_eq!(refused.header("retry-after"), "3600");
    assert_eq!(site.place.sql::<i64>(told), 1, "one mail a day");
    let matters = site.server.get("/api/attention", &[("cookie", &site.cookie())]).text();
    assert!(matters.contains("stolen cards"), "{matters}");
    // A payment that was started can be completed, which allows another one.
    let intent = intent_of(&ask(1, 3));
    site.stripe.pay(&intent);
    assert_eq!(site.save(&entry("n1-3@example.com"), &intent).status, 201);
    assert_eq!([ask(1, 6).status, ask(1, 7).status], [429, 429], "more than eight in all");
    for number in [0, 1, 2] {
        let intent = intent_of(&ask(2, number));
        site.stripe.pay(&intent);
        assert_eq!(site.save(&entry(&format!("n2-{number}@example.com")), &intent).status, 201);
    }
    assert_eq!([ask(1, 6).status, ask(1, 7).status], [200, 429]);
    assert_eq!(site.assert_books_agree(), 4);
}

#[test]
fn a_payment_is_cancelled_after_five_failed_cards_and_its_form_begins_another() {
    let site = PaidSite::start();
    site.enable_webhooks();
    let form = entry("ada@example.com");
    let intent = site.create_intent("fill-1", &form);
    for card in 1..=4 {
        decline_card(&site, &intent);
        assert_eq!(intent_status(&site, &intent), "requires_payment_method", "card {card}");
    }
    assert_eq!(site.payment_status(&intent).json()["state"], "unpaid");
    decline_card(&site, &intent);
    assert_eq!(
        (intent_status(&site, &intent), site.status("ada@example.com").as_str()),
        (json!("canceled"), "failed")
    );
    assert_eq!(site.payment_status(&intent).json()["state"], "cancelled");
    let another = site.create_intent("fill-1", &form);
    assert_ne!(another, intent);
    site.stripe.pay(&another);
    assert_eq!(site.save(&form, &another).status, 201);
    site.stripe.control("idle", &json!({}));
    assert_eq!(site.assert_books_agree(), 1);
    // The same applies to a payment that was started without an entry.
    let loose = site.create_intent_without_entry();
    (0..5).for_each(|_| decline_card(&site, &loose));
    assert_eq!(intent_status(&site, &loose), "canceled");
}

#[test]
fn failed_cards_are_counted_once_and_for_payments_of_ours() {
    let site = PaidSite::start();
    site.enable_webhooks();
    let intent = site.create_intent("fill-1", &entry("ada@example.com"));
    (0..4).for_each(|_| decline_card(&site, &intent));
    // A repeated event is not another card.
    let event = site.stripe.event("payment_intent.payment_failed", &intent);
    assert_eq!(site.deliver_event(&event, json!({ "times": 3 })), [200, 200, 200]);
    assert_eq!(intent_status(&site, &intent), "requires_payment_method");
    inject_fault(
        &site,
        "POST",
        &format!("/v1/payment_intents/{intent}/cancel"),
        &json!({ "kind": "status", "status": 500 }),
    );
    decline_card(&site, &intent);
    assert_eq!(intent_status(&site, &intent), "requires_payment_method", "Stripe could not be asked");
    site.stripe.control("redeliver", &json!({}));
    assert_eq!(
        (intent_status(&site, &intent), site.status("ada@example.com").as_str()),
        (json!("canceled"), "failed")
    );
    // Another shop on the same account.
    let theirs = site.stripe.create_foreign_intent(None, 1000);
    (0..6).for_each(|_| decline_card(&site, &theirs));
    assert_eq!(intent_status(&site, &theirs), "requires_payment_method");
}

/// Pending entries of the given age (an SQLite modifier), each with an intent of its own; the server does not run.
fn many_entries(site: &mut PaidSite, count: usize, age: &str) -> Vec<String> {
    site.create_intent("fill-1", &entry("first@example.com"));
    site.server.kill();
    let intents: Vec<String> = (0..count).map(|_| site.stripe.create_foreign_intent(None, PRICE)).collect();
    let database = open(&site.place.database());
    let form = format!(
        "begin;
         update competition_entries set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', '{}', '{age}');
         create temp table form as select * from competition_entries;",
        clock::stored_before(0)
    );
    database.execute_batch(&form).expect("a form");
    for (number, intent) in intents.iter().enumerate() {
        database
            .execute(
                "update temp.form set id = null, email = ?1, form_key = ?1, payment_token = ?1, stripe_payment_intent_id = ?2",
                (format!("p{number}@example.com"), intent),
            )
            .expect("a form");
        database.execute("insert into competition_entries select * from temp.form", []).expect("an entry");
    }
    database.execute_batch("drop table temp.form; commit").expect("entries");
    intents
}

#[test]
fn a_paid_entry_is_found_behind_many_unpaid_ones() {
    let mut site = PaidSite::start();
    let intents = many_entries(&mut site, 1500, "-3 minutes");
    site.stripe.control("pay", &json!({ "payment_intent": intents[750], "silent": true }));
    let before = site.stripe.list("requests").len();
    site.server = site.place.serve();
    wait_for("the settling", || (site.status("p750@example.com") == "paid").then_some(()));
    let asked = site.stripe.list("requests").len() - before;
    assert!(asked <= 20, "{asked} requests");
    let unasked = "select count(*) from competition_entries where payment_status = 'pending' and payment_checked_at is null";
    assert_eq!(site.place.sql::<i64>(unasked), 0);
}

#[test]
fn more_entries_end_in_a_minute_than_one_network_may_begin() {
    let mut site = PaidSite::start();
    // 180 a minute by default.
    let intents = many_entries(&mut site, 200, "-25 hours");
    site.stripe.control("pay", &json!({ "payment_intent": intents[199], "silent": true }));
    site.server = site.place.serve();
    let left = "select count(*) from competition_entries where payment_status = 'pending'";
    site.place.wait_for_sql("the end of them", left, 0);
    assert_eq!(site.status("p199@example.com"), "paid");
    assert_eq!(
        site.stripe.objects("intents").iter().filter(|intent| intent["status"] == "canceled").count(),
        200,
        "and no money can come for them"
    );
}

#[test]
fn how_a_payment_stands_is_asked_a_few_times_a_minute() {
    let site = PaidSite::with_config(&format!("{PROXY}[limits]\nsign_ins_per_minute = 0\n"));
    let intent = site.create_intent("fill-1", &entry("ada@example.com"));
    let before = requests(&site, "GET", "/v1/payment_intents/");
    // One more is answered every three seconds.
    let started = std::time::Instant::now();
    let most = || 22 + started.elapsed().as_secs() as usize / 3;
    let statuses: Vec<u16> = (0..60).map(|_| site.payment_status(&intent).status).collect();
    let answered = statuses.iter().filter(|status| **status == 200).count();
    assert!((19..=most()).contains(&answered), "{statuses:?}");
    assert_eq!(requests(&site, "GET", "/v1/payment_intents/") - before, answered);
    // Meanwhile another person, and somebody who guesses ids.
    let other = site.create_intent("fill-2", &entry("bea@example.com"));
    assert_eq!(site.payment_status(&other).status, 200);
    let guess = |number: usize| {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", "203.0.113.5")];
        let body = json!({ "clientSecret": format!("pi_guess{number}_secret_x") });
        site.server.send("POST", "/api/competition-payments/status", &headers, &body.to_string()).status
    };
    let guesses: Vec<u16> = (0..60).map(guess).collect();
    let told = guesses.iter().filter(|status| **status == 404).count();
    assert!((20..=most()).contains(&told), "{guesses:?}");
    assert_eq!(requests(&site, "GET", "/v1/payment_intents/pi_guess"), told);
    assert!(guesses[58..].contains(&429), "{guesses:?}");
}

/// Shows which call counts against which limit. The calculation for five hundred people is in `src/http/rate_limit.rs`.
#[test]
fn what_completes_an_entry_is_not_counted_as_a_new_one() {
    let site = PaidSite::with_config("[limits]\nwrites_per_minute = 3\n");
    for number in 0..3 {
        let (email, key) = (format!("p{number}@example.com"), format!("fill-{number}"));
        let intent = site.create_intent(&key, &entry(&email));
        assert_eq!(site.payment_status(&intent).status, 200);
        site.stripe.pay(&intent);
        let saved = site.save(&entry(&email), &intent);
        assert_eq!((saved.status, &saved.json()["paymentStatus"]), (201, &json!("paid")), "{}", saved.text());
        assert_eq!(site.payment_status(&intent).status, 200);
    }
    assert_eq!(site.request_intent("fill-3", &entry("p3@example.com")).status, 429, "a fourth one is new");
    assert_eq!(site.save(&entry("p3@example.com"), "pi_unknown").status, 429, "as is one that nobody knows");
    assert_eq!(
        site.request_intent("fill-2", &entry_of_two("p2@example.com")).status,
        409,
        "paid, and a known form"
    );
    assert_eq!(site.assert_books_agree(), 3);
}

#[test]
fn payments_that_nobody_here_began_are_looked_up_a_few_times_a_minute() {
    let site = PaidSite::with_config(&format!("{PROXY}[limits]\nwrites_per_minute = 4\n"));
    let known = site.create_intent("fill-1", &entry("ada@example.com"));
    site.stripe.pay(&known);
    let save = |address: String, path: &str, body: Value| {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", address.as_str())];
        site.server.send("POST", path, &headers, &body.to_string())
    };
    let lookups = || requests(&site, "GET", "/v1/payment_intents/pi_guess");
    let guess = |address: String, number: usize| {
        let mut body = entry("eve@example.com");
        body["stripePaymentIntentId"] = format!("pi_guess{number}").into();
        save(address, "/api/competition-entries", body)
    };
    // From many addresses of one network.
    let statuses: Vec<u16> =
        (0..30).map(|number| guess(format!("198.51.100.{number}"), number).status).collect();
    assert!(statuses.iter().all(|status| [422, 429].contains(status)), "{statuses:?}");
    assert!((4..=6).contains(&lookups()), "{}", lookups());
    let refused = guess("198.51.100.99".into(), 99);
    assert_eq!((refused.status, refused.header("retry-after").is_empty()), (429, false));
    assert!(detail(&refused).starts_with("Too many payments that we don't know"), "{}", detail(&refused));
    // And from many networks, with both calls.
    for number in 0..60 {
        if number % 2 == 0 {
            guess(format!("203.0.{number}.1"), 100 + number);
        } else {
            let body = json!({ "clientSecret": format!("pi_guess{number}_secret_x") });
            save(format!("203.0.{number}.1"), "/api/competition-payments/status", body);
        }
    }
    assert!((12..=16).contains(&lookups()), "{}", lookups());
    // Payments of our own entries are not affected.
    assert_eq!(site.payment_status(&known).status, 200);
    assert_eq!(site.save(&entry("ada@example.com"), &known).status, 201);
}
