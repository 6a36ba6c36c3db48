//! The part of the fault table in docs/payments.md about payments made before their entry, which any matching entry may
//! use.

use serde_json::json;

use super::faults::inject_fault;
use crate::support::content::{edited, import};
use crate::support::paid_site::{PRICE, PaidSite, entry};
use crate::support::{Reply, text, wait_for};

#[test]
fn a_payment_that_was_given_back_or_taken_back_pays_for_no_entry() {
    let site = PaidSite::start();
    site.enable_webhooks();
    let cookie = site.cookie();
    for how in ["refunded", "refunded in part", "disputed", "lost", "settled by hand"] {
        let intent = site.create_intent_without_entry();
        let does = |deed: &str, more: serde_json::Value| {
            let mut body = more;
            body["payment_intent"] = intent.as_str().into();
            site.stripe.control(deed, &body);
        };
        does("pay", json!({}));
        site.stripe.control("idle", &json!({}));
        match how {
            "refunded" => does("refund", json!({})),
            "refunded in part" => does("refund", json!({ "amount": 100 })),
            "disputed" => does("dispute", json!({})),
            "lost" => {
                does("dispute", json!({}));
                does("dispute-close", json!({ "status": "lost" }));
            }
            _ => {
                let id: i64 = site.place.sql("select max(id) from payment_findings");
                let path = format!("/api/payment-findings/{id}/settle");
                site.server.call(&cookie, "POST", &path, &json!({})).expect(200);
            }
        }
        site.stripe.control("idle", &json!({}));
        let saved = site.save(&entry("ada@example.com"), &intent);
        let told = saved.json()["errors"]["stripePaymentIntentId"].as_str().unwrap_or_default().to_owned();
        assert_eq!((saved.status, told.is_empty()), (422, false), "{how}: {}", saved.text());
        assert_eq!(site.place.sql::<i64>("select count(*) from competition_entries"), 0, "{how}");
    }
    assert_eq!(site.assert_books_agree(), 0);
}

#[test]
fn a_payment_that_comes_with_the_key_of_its_unpaid_entry_pays_for_it() {
    for outcome in ["succeed", "processing"] {
        let site = PaidSite::start();
        let mut form = entry("ada@example.com");
        let saved = site.save_with_key("key-1", &form);
        assert_eq!((saved.status, &saved.json()["paymentStatus"]), (201, &json!("pending")));
        let intent = site.create_intent_without_entry();
        site.stripe.control("pay", &json!({ "payment_intent": intent, "outcome": outcome }));
        form["stripePaymentIntentId"] = intent.as_str().into();
        let paid = site.save_with_key("key-1", &form);
        let status = if outcome == "succeed" { "paid" } else { "pending" };
        assert_eq!((paid.status, &paid.json()["paymentStatus"]), (201, &json!(status)), "{}", paid.text());
        assert_eq!(paid.json()["id"], saved.json()["id"]);
        if outcome == "processing" {
            site.stripe.control("settle", &json!({ "payment_intent": intent }));
            site.reconcile();
        }
        assert_eq!(
            site.save_with_key("key-1", &form).json()["paymentStatus"],
            "paid",
            "and a repeat is told so"
        );
        assert_eq!(site.assert_books_agree(), 1);
        // Another payment with the same key is neither lost nor used.
        let second = site.create_intent_without_entry();
        site.stripe.pay(&second);
        form["stripePaymentIntentId"] = second.as_str().into();
        assert_eq!(site.save_with_key("key-1", &form).status, 409);
        assert_eq!(site.assert_books_agree(), 1);
        assert_eq!(site.place.sql::<String>("select problem from payment_findings"), "no_entry");
    }
}

#[test]
fn a_payment_for_an_entry_that_was_declined_meanwhile_does_not_pay_for_it() {
    let site = PaidSite::start();
    let mut form = entry("ada@example.com");
    assert_eq!(site.save_with_key("key-1", &form).status, 201);
    site.place.execute("update competition_entries set status = 'declined'");
    let intent = site.create_intent_without_entry();
    site.stripe.pay(&intent);
    form["stripePaymentIntentId"] = intent.as_str().into();
    site.save_with_key("key-1", &form).expect_text(409, "withdrawn or declined");
    assert_eq!(site.status("ada@example.com"), "pending");
    assert_eq!(site.place.sql::<String>("select problem from payment_findings"), "no_entry");
}

#[test]
fn an_intent_with_the_key_of_an_unpaid_entry_is_for_that_entry() {
    let site = PaidSite::start();
    let mut form = entry("ada@example.com");
    let id = site.save_with_key("key-1", &form).json()["id"].clone();
    form["businessName"] = "Another Studio".into();
    let intent = site.create_intent("key-1", &form);
    assert_eq!(site.place.sql::<i64>("select count(*) from competition_entries"), 1);
    site.stripe.pay(&intent);
    let paid = site.save(&form, &intent).json();
    assert_eq!((&paid["id"], &paid["paymentStatus"]), (&id, &json!("paid")), "{paid}");
    assert_eq!(site.place.sql::<String>("select business_name from competition_entries"), "Another Studio");
    assert_eq!(site.request_intent("key-1", &form).status, 409, "it is paid");
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn a_refused_payment_says_whether_the_entry_is_stored_and_who_was_told() {
    let site = PaidSite::start();
    let form = entry("ada@example.com");
    let refused = |reply: &Reply, status: u16| {
        assert_eq!(reply.status, status, "{}", reply.text());
        reply.text()
    };
    let fault = json!({ "kind": "status", "status": 500 });
    let intent = site.create_intent_without_entry();
    assert!(refused(&site.save(&form, &intent), 409).contains("nothing was stored"));
    inject_fault(&site, "GET", &format!("/v1/payment_intents/{intent}"), &fault);
    assert!(refused(&site.save(&form, &intent), 502).contains("not stored yet"));
    inject_fault(&site, "POST", "^/v1/payment_intents$", &fault);
    let data = json!({ "amount": PRICE, "competitionData": {
        "primaryCategory": "lash-extensions", "subCategory": "Volume",
    } });
    let asked = site.server.post("/api/create-competition-payment-intent", &data);
    assert!(refused(&asked, 502).contains("not stored yet"));

    let mut elsewhere = form.clone();
    elsewhere["taxLocation"] = "new-jersey".into();
    let findings = || site.place.sql::<i64>("select count(*) from payment_findings");
    assert!(!refused(&site.save(&elsewhere, &intent), 422).contains("notified"));
    assert_eq!(findings(), 0);
    site.stripe.pay(&intent);
    assert!(refused(&site.save(&elsewhere, &intent), 422).contains("The organizer has been notified"));
    assert_eq!(findings(), 1);
    assert_eq!(site.place.sql::<i64>("select count(*) from competition_entries"), 0);

    let intent = site.create_intent("fill-1", &form);
    assert!(refused(&site.save(&form, &intent), 409).contains("We have kept your entry"));
    inject_fault(&site, "GET", &format!("/v1/payment_intents/{intent}"), &fault);
    assert!(refused(&site.save(&form, &intent), 502).contains("We kept what you sent"));
    assert_eq!(site.status("ada@example.com"), "pending");
}

#[test]
fn a_refused_payment_with_the_key_of_a_stored_entry_says_that_the_entry_is_kept() {
    let site = PaidSite::start();
    let mut form = entry("ada@example.com");
    assert_eq!(site.save_with_key("key-1", &form).status, 201);
    let intent = site.create_intent_without_entry();
    form["stripePaymentIntentId"] = intent.as_str().into();
    let unpaid = site.save_with_key("key-1", &form);
    assert_eq!(unpaid.status, 409, "{}", unpaid.text());
    assert!(unpaid.text().contains("We have kept your entry"), "{}", unpaid.text());
    let fault = json!({ "kind": "status", "status": 500 });
    inject_fault(&site, "GET", &format!("/v1/payment_intents/{intent}"), &fault);
    let unreachable = site.save_with_key("key-1", &form);
    assert_eq!(unreachable.status, 502, "{}", unreachable.text());
    assert!(unreachable.text().contains("We kept what you sent"), "{}", unreachable.text());
    // With another key nothing is stored.
    let other = site.save_with_key("key-2", &form);
    assert!(other.text().contains("nothing was stored"), "{}", other.text());
    assert_eq!(site.place.sql::<i64>("select count(*) from competition_entries"), 1);
}

#[test]
fn a_payment_that_was_made_when_entries_closed_is_put_in_front_of_the_organiser() {
    let site = PaidSite::start();
    let intent = site.create_intent_without_entry();
    site.stripe.pay(&intent);
    let closing = "[openings.competition-entries]\nopen = true";
    import(&site.place, &edited(&[(closing, &closing.replace("true", "false\nmessage = 'Closed now.'"))]));
    wait_for("the closing", || {
        (site.request_intent("fill-1", &entry("bea@example.com")).status == 403).then_some(())
    });
    assert_eq!(site.save(&entry("ada@example.com"), &intent).status, 403);
    assert_eq!(site.place.sql::<String>("select problem from payment_findings"), "no_entry");
    assert_eq!(site.assert_books_agree(), 0);
}

#[test]
fn what_can_be_no_payment_is_told_so_and_never_asked_about() {
    let site = PaidSite::start();
    // The last one is longer than the provider accepts.
    for id in ["pi_unknown".to_owned(), "pi/../x".into(), "π".into(), "p".repeat(60_000)] {
        let reply = site.save(&entry("ada@example.com"), &id);
        let start: String = id.chars().take(12).collect();
        assert_eq!(reply.status, 422, "{start}: {}", reply.text());
        let told = &reply.json()["errors"]["stripePaymentIntentId"];
        assert!(told.to_string().contains("does not know this payment"), "{start}: {told}");
        let secret = json!({ "clientSecret": format!("{id}_secret_x") });
        assert_eq!(site.server.post("/api/competition-payments/status", &secret).status, 404, "{start}");
    }
    assert_eq!(site.place.sql::<i64>("select count(*) from competition_entries"), 0);
}

#[test]
fn a_payment_that_cannot_be_recorded_does_not_hide_the_others() {
    let site = PaidSite::start();
    let intents = [0; 3].map(|_| {
        let intent = site.create_intent_without_entry();
        site.stripe.pay(&intent);
        intent
    });
    // The list has them by age, so that this one is neither the first nor the last.
    let trigger = format!(
        "create trigger fails before insert on payment_findings when new.intent_id = '{}'
         begin select raise(abort, 'no'); end",
        intents[1]
    );
    site.place.execute(&trigger);
    let found = || site.place.sql::<i64>("select count(*) from payment_findings where problem = 'no_entry'");
    let reconciled = site.place.run(&["payments", "reconcile"]);
    assert_eq!((reconciled.status.code(), found()), (Some(1), 2), "{}", text(&reconciled.stderr));
    assert!(text(&reconciled.stderr).contains("1 could not be checked"), "{}", text(&reconciled.stderr));
    site.place.execute("drop trigger fails");
    site.reconcile();
    assert_eq!((found(), site.assert_books_agree()), (3, 0));
}
