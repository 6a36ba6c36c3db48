//! The part of the fault table in docs/payments.md about the environment: crowds, clocks, the database, and payments
//! without an entry.

use std::time::Duration;

use serde_json::json;

use crate::payments::faults::paid;
use crate::support::paid_site::{PRICE, PaidSite, entry};
use crate::support::{open, text, wait_for, waitlist};

#[test]
fn a_crowd_that_waits_for_stripe_keeps_nobody_else_waiting() {
    let site = PaidSite::start();
    let mut hang = json!({ "kind": "hang", "times": 0 });
    hang["path"] = "/v1/".into();
    site.stripe.control("faults", &hang);
    // More than there are blocking threads.
    let crowd: Vec<_> = (0..560)
        .map(|number| site.begin_request_intent(&number.to_string(), &entry("a@example.com")))
        .collect();
    wait_for("the crowd", || (site.stripe.list("requests").len() >= 64).then_some(()));
    wait_for("a place in the waitlist", || {
        let begun = std::time::Instant::now();
        assert_eq!(site.server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
        // A request that waits for Stripe takes twenty seconds.
        assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
        // Until enough of the crowd have been accepted.
        (site.place.sql::<i64>("select count(*) from competition_entries") >= 64).then_some(())
    });
    drop(crowd);
}

#[test]
fn clocks_that_differ_lose_nothing() {
    for (offset_seconds, taken) in [(-600, 400), (-240, 200), (240, 200), (600, 200)] {
        let site = PaidSite::start();
        site.stripe.control("clock", &json!({ "offset_seconds": offset_seconds }));
        let (told, untold) = (paid(&site, "told@example.com"), paid(&site, "untold@example.com"));
        let event = site.stripe.event("payment_intent.succeeded", &told);
        assert_eq!(site.deliver_event(&event, json!({})), [taken], "{offset_seconds} s");
        assert_eq!(site.save(&entry("untold@example.com"), &untold).status, 201);
        site.reconcile();
        assert_eq!(site.assert_books_agree(), 2, "{offset_seconds} s");
    }
}

#[test]
fn while_the_database_is_busy_everybody_is_asked_to_come_again() {
    let site = PaidSite::start();
    let (saving, told) = (paid(&site, "save@example.com"), paid(&site, "event@example.com"));
    let event = site.stripe.event("payment_intent.succeeded", &told);
    let all = || {
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| site.request_intent("new", &entry("new@example.com")).status);
            let saved = scope.spawn(|| site.save(&entry("save@example.com"), &saving));
            let received = scope.spawn(|| site.deliver_event(&event, json!({}))[0] as u16);
            let saved = saved.join().expect("an answer");
            assert_eq!(saved.header("retry-after").is_empty(), saved.status == 201);
            [asked.join().expect("an answer"), saved.status, received.join().expect("an answer")]
        })
    };
    let other = open(&site.place.database());
    other.execute_batch("begin immediate").expect("a lock");
    assert_eq!(all(), [503; 3]);
    other.execute_batch("rollback").expect("no lock");
    assert_eq!(site.stripe.objects("intents").len(), 2, "no money could have moved for what is not stored");
    assert_eq!(all(), [200, 201, 200]);
    assert_eq!(site.assert_books_agree(), 2);
}

#[test]
fn money_that_fits_no_entry_is_put_in_front_of_the_organiser() {
    let site = PaidSite::start();
    site.enable_webhooks();
    let changes = [
        json!({ "amount": PRICE - 1 }),
        json!({ "currency": "eur" }),
        json!({ "metadata": { "entry_id": "999" } }),
        json!({ "metadata": {} }),
    ];
    let mut its_own = serde_json::Map::new();
    for (number, changes) in changes.iter().enumerate() {
        let email = format!("f{number}@example.com");
        let intent = site.create_intent(&email, &entry(&email));
        its_own = site.stripe.metadata(&intent);
        site.stripe.control("edit", &json!({ "payment_intent": intent, "changes": changes }));
        site.stripe.pay(&intent);
        site.stripe.control("idle", &json!({}));
    }
    // A second payment for the one entry that is paid.
    let paid: String = site
        .place
        .sql("select stripe_payment_intent_id from competition_entries where payment_status = 'paid'");
    site.stripe.control("edit", &json!({ "payment_intent": paid, "changes": { "metadata": its_own } }));
    site.stripe.pay(&site.stripe.create_foreign_intent(Some(&paid), PRICE));
    site.stripe.control("idle", &json!({}));
    let reply = site.server.get("/api/payment-findings", &[("cookie", &site.cookie())]);
    let problems: Vec<_> = reply.json()["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| item["problem"].clone())
        .collect();
    // An intent without its metadata is still found by the id in the entry.
    assert_eq!(problems, ["second_payment", "no_entry", "wrong_amount", "wrong_amount"]);
    assert_eq!(site.assert_books_agree(), 1);
}

/// Two installations, or one that was reset or restored, with one Stripe account: the same ids name different entries.
#[test]
fn a_payment_for_an_entry_of_another_database_pays_for_none_here() {
    let theirs = PaidSite::start();
    let ours = PaidSite::with_stripe(std::sync::Arc::clone(&theirs.stripe));
    let (paid_there, waiting) = (paid(&theirs, "theirs@example.com"), entry("ours@example.com"));
    let intent = ours.create_intent("fill-1", &waiting);
    let id = "select id from competition_entries";
    assert_eq!(theirs.place.sql::<i64>(id), ours.place.sql::<i64>(id), "both have this number");
    assert_eq!(theirs.save(&entry("theirs@example.com"), &paid_there).status, 201);
    let refused = [waiting.clone(), entry("theirs@example.com")].map(|form| ours.save(&form, &paid_there));
    assert_eq!(refused.map(|one| one.status), [422, 422]);
    let event = ours.stripe.event("payment_intent.succeeded", &paid_there);
    assert_eq!(ours.deliver_event(&event, json!({})), [200]);
    let told = ours.reconcile();
    assert!(told.contains("no_entry  $484.92  no entry"), "{told}");
    assert_eq!(ours.status("ours@example.com"), "pending");
    assert_eq!(ours.place.sql::<i64>("select count(*) from competition_entries"), 1);
    assert_eq!(ours.assert_books_agree(), 0);
    // Refunds of the other site are ignored here.
    ours.stripe.pay(&intent);
    assert_eq!(ours.save(&waiting, &intent).status, 201);
    ours.stripe.control("refund", &json!({ "payment_intent": paid_there }));
    let event = ours.stripe.event("charge.refunded", &paid_there);
    assert_eq!(ours.deliver_event(&event, json!({})), [200]);
    assert_eq!(ours.status("ours@example.com"), "paid");
}

#[test]
fn an_erased_person_pays_for_nothing_any_more() {
    const EMAIL: &str = "ada@example.com";
    let site = PaidSite::start();
    site.enable_webhooks();
    let erases = |words: &str| {
        let done = site.place.run(&["person", "erase", EMAIL, "--yes"]);
        assert!(done.status.success() && text(&done.stderr).contains(words), "{}", text(&done.stderr));
    };
    let cancelled = site.create_intent("fill-1", &entry(EMAIL));
    erases("Erased: 1 registration.");
    assert_eq!(site.stripe.objects("intents")[0]["status"], "canceled");
    assert_eq!(site.place.sql::<i64>("select count(*) from competition_entries"), 0, "{cancelled}");
    // It was paid without an event: the payment is kept without the person.
    site.stripe.control(
        "pay",
        &json!({ "payment_intent": site.create_intent("fill-2", &entry(EMAIL)), "silent": true }),
    );
    erases("Erased: 1 entry (anonymised, payments kept), 1 email.");
    assert_eq!(site.status("(erased)"), "paid");
    // The intent can no longer be cancelled, or Stripe fails: a later payment becomes a finding and is not confirmed.
    for failure in [json!({}), json!({ "kind": "status", "path": "/v1/payment_intents/", "times": 0 })] {
        let intent = site.create_intent("fill-3", &entry(EMAIL));
        let outcome = if failure["kind"].is_null() { "processing" } else { "requires_action" };
        site.stripe.control("pay", &json!({ "payment_intent": intent, "outcome": outcome }));
        site.stripe.control("idle", &json!({}));
        if failure["kind"].is_string() {
            site.stripe.control("faults", &failure);
        }
        erases("1 entry (anonymised, payments kept)");
        site.stripe.clear_faults();
        site.stripe.control("settle", &json!({ "payment_intent": intent }));
        site.stripe.control("idle", &json!({}));
        let found =
            format!("select problem || ' ' || entry_id from payment_findings where intent_id = '{intent}'");
        assert!(site.place.sql::<String>(&found).starts_with("no_entry "), "{failure}");
    }
    site.reconcile();
    assert_eq!(
        site.place.sql::<i64>("select count(*) from competition_entries where paid_at is not null"),
        1
    );
    assert_eq!(site.place.sql::<i64>("select count(*) from outbox"), 0);
}

#[test]
fn a_backup_that_is_put_back_learns_what_was_paid_since() {
    let mut site = PaidSite::start();
    let (id, _) = site.buy("before@example.com");
    let begun = site.create_intent("begun", &entry("begun@example.com"));
    site.place.done(&["backup", "kept.db.gz"]);
    assert_eq!(site.refund(&site.cookie(), id, "since", 9_900).status, 200);
    site.stripe.pay(&begun);
    assert_eq!(site.save(&entry("begun@example.com"), &begun).status, 201);
    let (_, lost) = site.buy("lost@example.com");
    site.server.kill();
    let restored = site.place.run(&["restore", "kept.db.gz", "--yes"]);
    let said = text(&restored.stderr);
    assert!(restored.status.success() && said.contains("`showcase payments reconcile`"), "{said}");
    site.restart();
    let told = site.reconcile();
    assert!(told.contains("no_entry  $484.92") && told.contains(&lost), "{told}");
    let stands = ["before@example.com", "begun@example.com"].map(|email| site.status(email));
    assert_eq!(stands, ["partially_refunded", "paid"]);
    assert_eq!(site.assert_books_agree(), 2);
}
