//! Entries that are withdrawn, that nobody came for, and that take part without a payment.

use serde_json::{Value, json};

use crate::support::content::{edited, import};
use crate::support::paid_site::{PRICE, PRICE_OF_TWO, PaidSite, SignedInSite, entry, entry_of_two};
use crate::support::{Reply, text};

fn call(site: &SignedInSite, method: &str, path: &str, tag: &str, body: &Value) -> Reply {
    site.server.call_if(&site.cookie, tag, method, &format!("/api/competition-entries/{path}"), body)
}

fn post(site: &SignedInSite, path: &str, body: &Value) -> Reply {
    call(site, "POST", path, "", body)
}

fn reason() -> Value {
    json!({ "reason": "Guest of a sponsor" })
}

fn states(site: &SignedInSite) -> String {
    site.place.sql("select group_concat(status || ' ' || payment_status, ', ') from (select * from competition_entries order by id)")
}

#[test]
fn a_paid_entry_is_withdrawn_with_a_reason_and_its_money_stays() {
    let site = SignedInSite::open();
    site.enter_and_pay("key-1", &entry("ada@example.com"));
    for body in [json!({}), json!({ "reason": " " }), json!({ "reason": "r".repeat(60 * 1024) })] {
        assert_eq!(post(&site, "1/withdraw", &body).status, 422);
    }
    assert_eq!(post(&site, "9/withdraw", &reason()).status, 404);
    let anonymous = site.server.post("/api/competition-entries/1/withdraw", &reason());
    assert_eq!(anonymous.status, 401);
    let withdrawn = post(&site, "1/withdraw", &json!({ "reason": " She moved away " }));
    assert_eq!(withdrawn.status, 200, "{}", withdrawn.text());
    let record = withdrawn.json();
    assert_eq!((&record["status"], &record["paymentStatus"]), (&json!("withdrawn"), &json!("paid")));
    assert_eq!(record["history"][0]["note"], "She moved away");
    let again = post(&site, "1/withdraw", &json!({ "reason": "Twice" }));
    assert_eq!(
        (again.status, again.header("etag")),
        (200, withdrawn.header("etag")),
        "the second changes nothing"
    );
    assert_eq!(site.place.sql::<i64>("select count(*) from reviews"), 1);
    let nominations = "select group_concat(distinct state) from nominations";
    assert_eq!(site.place.sql::<String>(nominations), "withdrawn");
    // She can be taken back, and only a refund moves money. An entry that is declined does not take part either.
    for (status, is_in) in [("new", true), ("declined", false), ("withdrawn", false), ("new", true)] {
        assert_eq!(call(&site, "PATCH", "1", "", &json!({ "status": status })).status, 200);
        assert_eq!(states(&site), format!("{status} paid"));
        let expected = if is_in { "open" } else { "withdrawn" };
        assert_eq!(site.place.sql::<String>(nominations), expected, "{status}");
    }
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn nobody_pays_for_an_entry_that_was_withdrawn_or_declined() {
    let site = SignedInSite::open();
    let intents: Vec<String> = (1..=4)
        .map(|number| site.create_intent(&format!("key-{number}"), &entry(&format!("e{number}@example.com"))))
        .collect();
    assert_eq!(post(&site, "1/withdraw", &reason()).status, 200);
    assert_eq!(call(&site, "PATCH", "2", "", &json!({ "status": "withdrawn" })).status, 200);
    for (id, status) in [("3", "withdrawn"), ("4", "declined")] {
        assert_eq!(call(&site, "PATCH", id, "", &json!({ "status": status })).status, 200);
    }
    let ended = "withdrawn abandoned, withdrawn abandoned, withdrawn abandoned, declined abandoned";
    assert_eq!(states(&site), ended);
    for intent in intents {
        let held = site.stripe.objects("intents");
        let held = held.iter().find(|one| one["id"] == intent.as_str()).expect("the intent");
        assert_eq!(held["status"], "canceled");
    }
    // Whoever sends the form again has a new entry; what was decided stays.
    for number in [1, 4] {
        site.enter_and_pay(&format!("key-{number}"), &entry(&format!("e{number}@example.com")));
    }
    assert_eq!(states(&site), format!("{ended}, new paid, new paid"));
    assert_eq!(site.assert_books_agree(), 2);
}

#[test]
fn without_keys_whoever_takes_an_unpaid_entry_out_is_told_what_to_do() {
    let mut site = SignedInSite::open();
    site.create_intent("key-1", &entry("ada@example.com"));
    let config = std::fs::read_to_string(site.place.path("config.toml")).expect("a file");
    let without = config.replace(&site.stripe.settings(), "");
    std::fs::write(site.place.path("config.toml"), without).expect("a file");
    site.restart();
    for reply in [
        post(&site, "1/withdraw", &reason()),
        call(&site, "PATCH", "1", "", &json!({ "status": "declined" })),
    ] {
        assert!(reply.text().contains("Stripe's keys are not set"), "{}", reply.text());
    }
    assert_eq!(states(&site), "new pending");
}

#[test]
fn a_withdrawal_waits_for_a_payment_that_is_being_processed_and_for_the_provider() {
    let site = SignedInSite::open();
    let intent = site.create_intent("key-1", &entry("ada@example.com"));
    site.stripe.control("pay", &json!({ "payment_intent": intent, "outcome": "processing" }));
    for path in ["1/withdraw", "1/complimentary"] {
        let refused = post(&site, path, &reason());
        assert_eq!(refused.status, 409, "{}", refused.text());
        assert!(refused.text().contains("being processed"), "{}", refused.text());
    }
    assert_eq!(states(&site), "new pending");
    let other = site.create_intent("key-2", &entry("bea@example.com"));
    site.stripe.control("faults", &json!({ "path": format!("^/v1/payment_intents/{other}/cancel$"), "kind": "status", "status": 500, "times": 20 }));
    for path in ["2/withdraw", "2/complimentary"] {
        let failed = post(&site, path, &reason());
        assert_eq!(failed.status, 502, "{}", failed.text());
    }
    assert_eq!(states(&site), "new pending, new pending", "nothing was changed");
    assert_eq!(site.place.sql::<i64>("select count(*) from reviews"), 0);
}

#[test]
fn an_entry_waits_for_the_refund_of_another_amount_and_stays_complimentary_after_it() {
    let site = SignedInSite::open();
    for number in 1..=2 {
        let intent = site.create_intent(&format!("key-{number}"), &entry(&format!("e{number}@example.com")));
        let changes = json!({ "amount": PRICE + 1 });
        site.stripe.control("edit", &json!({ "payment_intent": intent, "changes": changes }));
        site.stripe.pay(&intent);
        for path in ["withdraw", "complimentary"] {
            let refused = post(&site, &format!("{number}/{path}"), &reason());
            assert!(refused.status == 409 && refused.text().contains("another amount"), "{}", refused.text());
        }
        site.stripe.control("refund", &json!({ "payment_intent": intent }));
        let path = if number == 1 { "withdraw" } else { "complimentary" };
        let done = post(&site, &format!("{number}/{path}"), &reason());
        assert_eq!(done.status, 200, "{}", done.text());
        if number == 2 {
            let told = site.payment_status(&intent).json();
            assert_eq!(
                (&told["state"], &told["paymentStatus"]),
                (&json!("refunded"), &json!("complimentary"))
            );
        }
    }
    // The events about both refunds arrive late.
    site.reconcile();
    assert_eq!(states(&site), "withdrawn failed, new complimentary");
    assert_eq!(site.place.sql::<i64>("select count(*) from refunds"), 0);
}

#[test]
fn a_complimentary_entry_is_confirmed_without_a_receipt_and_counted_apart() {
    let site = SignedInSite::open();
    site.enter_and_pay("key-1", &entry("ada@example.com"));
    let intent = site.create_intent("key-2", &entry_of_two("bea@example.com"));
    assert_eq!(post(&site, "2/complimentary", &json!({})).status, 422, "a reason is needed");
    let made = post(&site, "2/complimentary", &reason());
    assert_eq!(made.status, 200, "{}", made.text());
    let record = made.json();
    assert_eq!((&record["paymentStatus"], &record["paymentAmount"]), (&json!("complimentary"), &json!(0)));
    assert_eq!(record["frontRow"], "guaranteed", "two nominations have a seat, whoever pays");
    assert_eq!(record["history"][0]["note"], "Complimentary entry: no payment.\nReason: Guest of a sponsor");
    let mail = "cause = 'confirmation/competition-entries/2'";
    let told = site.place.mail_text(mail);
    assert!(told.contains("there is nothing to pay") && told.contains("Paid: Nothing to pay"), "{told}");
    assert!(
        !told.contains("RECEIPT") && !told.contains('$') && !told.contains("Guest of a sponsor"),
        "{told}"
    );
    assert!(!site.place.mail_html(mail).contains("Receipt"));
    assert_eq!(
        site.place.sql::<String>("select subject from outbox order by id desc limit 1"),
        "Your entry 2 is complimentary: Lash Extensions, Brows"
    );
    // The same again changes nothing.
    let again = post(&site, "2/complimentary", &json!({ "reason": "Twice" }));
    assert_eq!((again.status, again.header("etag")), (200, made.header("etag")));
    assert_eq!(site.place.sql::<i64>("select count(*) from outbox where cause like 'confirmation/%'"), 2);
    // Nobody can pay for it, and nothing can be refunded.
    let held = site.stripe.objects("intents");
    assert_eq!(
        held.iter().find(|one| one["id"] == intent.as_str()).expect("the intent")["status"],
        "canceled"
    );
    let told = site.payment_status(&intent).json();
    assert_eq!((&told["state"], &told["paymentStatus"]), (&json!("cancelled"), &json!("complimentary")));
    let again = site.request_intent("key-2", &entry_of_two("bea@example.com"));
    assert_eq!((again.status, &again.json()["code"]), (409, &json!("complimentary")), "{}", again.text());
    assert_eq!(post(&site, "2/refund", &json!({})).status, 409);
    assert_eq!(post(&site, "1/complimentary", &reason()).status, 409, "that one was paid");
    // It is counted, apart, and brings no money.
    let cookie = site.cookie.clone();
    let get = |path: &str| site.server.get(path, &[("cookie", &cookie)]);
    let summary = get("/api/export/json?summary=true").json();
    assert_eq!(summary["competitionEntries"], 2);
    assert_eq!(summary["competitionEntriesByStatus"], json!({ "complimentary": 1, "paid": 1 }));
    assert_eq!(get("/api/competition-entries?status=complimentary").json()["total"], 1);
    let csv = get("/api/export/csv?kind=competition-entries&status=complimentary").text();
    assert!(csv.contains("\"bea@example.com\"") && !csv.contains("ada@example.com"), "{csv}");
    let report = site.place.run(&["report", "daily", "--print", "--for", &today(&site)]);
    let report = text(&report.stdout);
    assert!(report.contains("$484.92") && !report.contains("$1,0"), "{report}");
    // A day later it is still there, and a correction of its categories costs nothing.
    let body = json!({ "values": { "additionalCategories": 0 }, "reason": "One is enough" });
    assert_eq!(call(&site, "PATCH", "2/fields", "", &body).status, 200);
    assert_eq!(
        site.place.sql::<i64>("select count(*) from competition_entries where paid_at is not null"),
        1
    );
}

/// The event's day, as the server's clock has it.
fn today(site: &SignedInSite) -> String {
    let instant: String = site.place.sql("select created_at from competition_entries where id = 1");
    let zone: showcase::time::Zone = "America/New_York".parse().expect("a zone");
    showcase::time::local(&instant, &zone)[..10].to_owned()
}

#[test]
fn a_no_show_is_noted_for_entries_that_have_a_place() {
    let site = SignedInSite::open();
    site.enter_and_pay("key-1", &entry("ada@example.com"));
    site.create_intent("key-2", &entry("bea@example.com"));
    let status =
        |id: i64| call(&site, "PATCH", &id.to_string(), "", &json!({ "status": "no_show", "note": "Day 1" }));
    assert_eq!(status(1).json()["status"], "no_show");
    let unpaid = status(2);
    assert_eq!(unpaid.status, 409, "{}", unpaid.text());
    assert!(unpaid.text().contains("not paid"), "{}", unpaid.text());
    let cookie = site.cookie.clone();
    let listed = site.server.get("/api/competition-entries?status=no_show", &[("cookie", &cookie)]);
    assert_eq!(listed.json()["total"], 1);
    // A withdrawn one cannot stay away.
    assert_eq!(post(&site, "1/withdraw", &reason()).status, 200);
    assert_eq!(status(1).status, 409);
    assert_eq!(states(&site), "withdrawn paid, new pending");
}

#[test]
fn a_stale_page_withdraws_nothing_and_cancels_no_payment() {
    let site = SignedInSite::open();
    let intent = site.create_intent("key-1", &entry("ada@example.com"));
    let cookie = site.cookie.clone();
    let opened = site.server.get("/api/competition-entries/1", &[("cookie", &cookie)]);
    assert_eq!(call(&site, "PATCH", "1", "", &json!({ "note": "She will pay tonight" })).status, 200);
    for path in ["1/withdraw", "1/complimentary"] {
        let late = call(&site, "POST", path, opened.header("etag"), &reason());
        assert_eq!(late.status, 412, "{}", late.text());
        assert_eq!(late.json()["current"]["history"][0]["note"], "She will pay tonight");
    }
    site.stripe.pay(&intent);
    assert_eq!(site.save(&entry("ada@example.com"), &intent).status, 201, "it can still be paid");
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn a_stale_page_refunds_nothing_and_a_repeated_refund_is_no_stale_one() {
    let site = SignedInSite::open();
    site.enter_and_pay("key-1", &entry("ada@example.com"));
    let cookie = site.cookie.clone();
    let tag =
        || site.server.get("/api/competition-entries/1", &[("cookie", &cookie)]).header("etag").to_owned();
    let opened = tag();
    assert_eq!(call(&site, "PATCH", "1", "", &json!({ "note": "Refund half of it" })).status, 200);
    let refund = |key: &str, tag: &str| {
        let headers = [
            ("content-type", "application/json"),
            ("cookie", cookie.as_str()),
            ("idempotency-key", key),
            ("if-match", tag),
        ];
        site.server.send("POST", "/api/competition-entries/1/refund", &headers, r#"{"amountCents":10000}"#)
    };
    let late = refund("one", &opened);
    assert_eq!(late.status, 412, "{}", late.text());
    assert_eq!(late.json()["current"]["history"][0]["note"], "Refund half of it");
    assert_eq!(site.stripe.objects("refunds").len(), 0);
    let current = tag();
    for _ in 0..2 {
        let done = refund("one", &current);
        assert_eq!((done.status, &done.json()["refundedAmount"]), (200, &json!(10_000)), "{}", done.text());
    }
    assert_eq!(refund("two", &current).status, 412, "another refund of a page that is old by now");
    assert_eq!((site.stripe.objects("refunds").len(), site.assert_books_agree()), (1, 1));
}

#[test]
fn the_refund_of_one_category_is_what_it_cost_with_tax() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    let offered = |id: i64| {
        let path = format!("/api/competition-entries/{id}");
        site.server.get(&path, &[("cookie", &cookie)]).json()["oneCategoryCents"].clone()
    };
    for (id, form) in [(1, entry("ada@example.com")), (2, entry_of_two("bea@example.com"))] {
        let intent = site.create_intent(&format!("key-{id}"), &form);
        assert_eq!(offered(id), Value::Null, "nothing is paid");
        // The payer's browser can show what the amount is made of.
        let quote = site.payment_status(&intent).json();
        assert_eq!(quote["quote"]["total"], quote["paymentAmount"]);
        assert_eq!(quote["taxLocation"], "new-york");
        site.stripe.pay(&intent);
        assert_eq!(site.save(&form, &intent).status, 201);
    }
    assert_eq!((offered(1), offered(2)), (Value::Null, json!(PRICE_OF_TWO - PRICE)));
    assert_eq!(site.refund(&cookie, 2, "one", PRICE_OF_TWO - PRICE).status, 200);
    assert_eq!(offered(2), Value::Null, "it went back");
}

#[test]
fn the_front_row_seat_of_an_entry_that_does_not_take_part_is_free_again() {
    let mut site = PaidSite::start();
    import(&site.place, &edited(&[("front_row_places = 20", "front_row_places = 1")]));
    site.restart();
    let cookie = site.cookie();
    let send = |method: &str, path: &str, body: &Value| {
        site.server.call(&cookie, method, &format!("/api/competition-entries/{path}"), body).expect(200);
    };
    for id in 1..=4 {
        site.enter_and_pay(&format!("key-{id}"), &entry_of_two(&format!("e{id}@example.com")));
        match id {
            2 => send("POST", "1/withdraw", &reason()),
            3 => send("POST", "3/refund", &json!({})),
            _ => {}
        }
    }
    let seats = "select group_concat(front_row, ' ') from (select * from competition_entries order by id)";
    assert_eq!(site.place.sql::<String>(seats), "1 0 1 1");
    let shown = (1..=4).map(|id| {
        let path = format!("/api/competition-entries/{id}");
        site.server.get(&path, &[("cookie", &cookie)]).json()["frontRow"].clone()
    });
    let expected = [Value::Null, Value::Null, Value::Null, json!("guaranteed")];
    assert_eq!(shown.collect::<Vec<_>>(), expected, "nobody is promised the seat of somebody else");
    send("POST", "4/withdraw", &reason());
    site.enter_and_pay("key-5", &entry("e5@example.com"));
    assert_eq!(site.place.sql::<String>(seats), "1 0 1 1 0", "one nomination has no seat");
}

#[test]
fn an_entry_that_was_taken_out_stays_so_when_its_form_is_sent_again() {
    let site = SignedInSite::open();
    for (number, (is_paid, actions, before)) in [
        (true, "withdraw", "withdrawn paid"),
        (true, "refund", "new refunded"),
        (true, "withdraw,refund", "withdrawn refunded"),
        (false, "declined", "declined abandoned"),
        (false, "withdrawn", "withdrawn abandoned"),
    ]
    .into_iter()
    .enumerate()
    {
        let (email, key) = (format!("e{number}@example.com"), format!("form-{number}"));
        let form = entry(&email);
        let newest = || site.place.sql::<i64>("select max(id) from competition_entries");
        let first_intent =
            if is_paid { site.enter_and_pay(&key, &form).1 } else { site.create_intent(&key, &form) };
        let first = newest();
        for action in actions.split(',') {
            let done = match action {
                "withdraw" => post(&site, &format!("{first}/withdraw"), &reason()),
                "refund" => post(&site, &format!("{first}/refund"), &json!({})),
                status => call(&site, "PATCH", &first.to_string(), "", &json!({ "status": status })),
            };
            assert_eq!(done.status, 200, "{action}: {}", done.text());
        }
        if is_paid {
            // A lost answer of the first payment is still answered as the first time.
            let repeated = site.save(&form, &first_intent);
            let expected = (201, &json!(first));
            assert_eq!((repeated.status, &repeated.json()["id"]), expected, "{}", repeated.text());
        }
        // The form is a new matter, once, and has a payment of its own.
        let intents: Vec<String> = (0..2).map(|_| site.create_intent(&key, &form)).collect();
        assert!(intents[0] == intents[1] && intents[0] != first_intent, "{intents:?}");
        site.stripe.pay(&intents[0]);
        assert_eq!(site.save(&form, &intents[0]).status, 201);
        let rows = format!(
            "select group_concat(status || ' ' || payment_status, ', ')
             from (select * from competition_entries where email = '{email}' order by id)"
        );
        assert_eq!(site.place.sql::<String>(&rows), format!("{before}, new paid"));
        let path = format!("/api/competition-entries/{}", newest());
        let shown = site.server.get(&path, &[("cookie", &site.cookie)]).json();
        assert_eq!(shown["earlierId"], first, "the organiser sees both");
        let again = site.request_intent(&key, &form);
        assert!(again.status == 409 && again.text().contains("already paid"), "{}", again.text());
    }
    assert_eq!(site.assert_books_agree(), 8);
}
