//! The fault table of docs/payments.md, the part about what is around: crowds, clocks, the database, and money that
//! fits no entry.

use std::time::Duration;

use serde_json::json;

use crate::payments::faults::paid;
use crate::support::paid_site::{Desk, PRICE, entry};
use crate::support::{open, text, wait_for, waitlist};

#[test]
fn a_crowd_that_waits_for_stripe_keeps_nobody_else_waiting() {
    let desk = Desk::open();
    let mut hang = json!({ "kind": "hang", "times": 0 });
    hang["path"] = "/v1/".into();
    desk.stripe.does("faults", &hang);
    // More than the threads that there are for work that blocks.
    let crowd: Vec<_> =
        (0..560).map(|number| desk.begins_to_ask(&number.to_string(), &entry("a@example.com"))).collect();
    wait_for("the crowd", || (desk.stripe.reads("requests").len() >= 64).then_some(()));
    wait_for("a place in the waitlist", || {
        let begun = std::time::Instant::now();
        assert_eq!(desk.server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
        // Whoever waits for Stripe waits for twenty seconds.
        assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
        // Once all of the crowd are inside.
        (desk.place.sql::<i64>("select count(*) from competition_entries") >= 64).then_some(())
    });
    drop(crowd);
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
    let mut its_own = serde_json::Map::new();
    for (number, changes) in changes.iter().enumerate() {
        let email = format!("f{number}@example.com");
        let intent = desk.intent(&email, &entry(&email));
        its_own = desk.stripe.metadata(&intent);
        desk.stripe.does("edit", &json!({ "payment_intent": intent, "changes": changes }));
        desk.stripe.pay(&intent);
        desk.stripe.does("idle", &json!({}));
    }
    // A second payment for the one entry that is paid.
    let paid: String = desk
        .place
        .sql("select stripe_payment_intent_id from competition_entries where payment_status = 'paid'");
    desk.stripe.does("edit", &json!({ "payment_intent": paid, "changes": { "metadata": its_own } }));
    desk.stripe.pay(&desk.stripe.another_intent(Some(&paid), PRICE));
    desk.stripe.does("idle", &json!({}));
    let reply = desk.server.get("/api/payment-findings", &[("cookie", &desk.cookie())]);
    let problems: Vec<_> = reply.json()["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| item["problem"].clone())
        .collect();
    // An intent that lost its metadata is still the one that the entry names.
    assert_eq!(problems, ["second_payment", "no_entry", "wrong_amount", "wrong_amount"]);
    assert_eq!(desk.books_agree(), 1);
}

/// Two installations, or one that began anew or was restored, on one account: ids are the same, entries are not.
#[test]
fn a_payment_for_an_entry_of_another_database_pays_for_none_here() {
    let theirs = Desk::open();
    let ours = Desk::at(std::sync::Arc::clone(&theirs.stripe));
    let (paid_there, waiting) = (paid(&theirs, "theirs@example.com"), entry("ours@example.com"));
    let intent = ours.intent("fill-1", &waiting);
    let id = "select id from competition_entries";
    assert_eq!(theirs.place.sql::<i64>(id), ours.place.sql::<i64>(id), "both have this number");
    assert_eq!(theirs.save(&entry("theirs@example.com"), &paid_there).status, 201);
    let refused = [waiting.clone(), entry("theirs@example.com")].map(|form| ours.save(&form, &paid_there));
    assert_eq!(refused.map(|one| one.status), [422, 422]);
    let event = ours.stripe.event("payment_intent.succeeded", &paid_there);
    assert_eq!(ours.receives(&event, json!({})), [200]);
    let told = ours.reconciles();
    assert!(told.contains("no_entry  $484.92  no entry"), "{told}");
    assert_eq!(ours.status("ours@example.com"), "pending");
    assert_eq!(ours.place.sql::<i64>("select count(*) from competition_entries"), 1);
    assert_eq!(ours.books_agree(), 0);
    // What is given back there is no matter of this desk.
    ours.stripe.pay(&intent);
    assert_eq!(ours.save(&waiting, &intent).status, 201);
    ours.stripe.does("refund", &json!({ "payment_intent": paid_there }));
    let event = ours.stripe.event("charge.refunded", &paid_there);
    assert_eq!(ours.receives(&event, json!({})), [200]);
    assert_eq!(ours.status("ours@example.com"), "paid");
}

#[test]
fn an_erased_person_pays_for_nothing_any_more() {
    const EMAIL: &str = "ada@example.com";
    let desk = Desk::open();
    desk.listens();
    let erases = |words: &str| {
        let done = desk.place.run(&["person", "erase", EMAIL, "--yes"]);
        assert!(done.status.success() && text(&done.stderr).contains(words), "{}", text(&done.stderr));
    };
    let cancelled = desk.intent("fill-1", &entry(EMAIL));
    erases("Erased: 1 registration and 0 emails");
    assert_eq!(desk.stripe.holds("intents")[0]["status"], "canceled");
    assert_eq!(desk.place.sql::<i64>("select count(*) from competition_entries"), 0, "{cancelled}");
    // It was paid, and nobody had told: the payment is kept without the person.
    desk.stripe
        .does("pay", &json!({ "payment_intent": desk.intent("fill-2", &entry(EMAIL)), "silent": true }));
    erases("Erased: 0 registrations, the person in 1 entry (the payments are kept) and 1 email");
    assert_eq!(desk.status("(erased)"), "paid");
    // It cannot be cancelled any more, or Stripe cannot be asked: what comes then is shown, and confirmed to nobody.
    for failure in [json!({}), json!({ "kind": "status", "path": "/v1/payment_intents/", "times": 0 })] {
        let intent = desk.intent("fill-3", &entry(EMAIL));
        let outcome = if failure["kind"].is_null() { "processing" } else { "requires_action" };
        desk.stripe.does("pay", &json!({ "payment_intent": intent, "outcome": outcome }));
        desk.stripe.does("idle", &json!({}));
        if failure["kind"].is_string() {
            desk.stripe.does("faults", &failure);
        }
        erases("the person in 1 entry");
        desk.stripe.forgives();
        desk.stripe.does("settle", &json!({ "payment_intent": intent }));
        desk.stripe.does("idle", &json!({}));
        let found =
            format!("select problem || ' ' || entry_id from payment_findings where intent_id = '{intent}'");
        assert!(desk.place.sql::<String>(&found).starts_with("no_entry "), "{failure}");
    }
    desk.reconciles();
    assert_eq!(
        desk.place.sql::<i64>("select count(*) from competition_entries where paid_at is not null"),
        1
    );
    assert_eq!(desk.place.sql::<i64>("select count(*) from outbox"), 0);
}

#[test]
fn a_backup_that_is_put_back_learns_what_was_paid_since() {
    let mut desk = Desk::open();
    let before = desk.save(&entry("before@example.com"), &paid(&desk, "before@example.com"));
    let begun = desk.intent("begun", &entry("begun@example.com"));
    assert!(desk.place.run(&["backup", "kept.db.gz"]).status.success());
    let id = before.json()["id"].as_i64().expect("an id");
    assert_eq!(desk.refund(&desk.cookie(), id, "since", 9_900).status, 200);
    desk.stripe.pay(&begun);
    assert_eq!(desk.save(&entry("begun@example.com"), &begun).status, 201);
    let lost = paid(&desk, "lost@example.com");
    assert_eq!(desk.save(&entry("lost@example.com"), &lost).status, 201);
    desk.server.kill();
    let restored = desk.place.run(&["restore", "kept.db.gz", "--yes"]);
    let said = text(&restored.stderr);
    assert!(restored.status.success() && said.contains("`showcase payments reconcile`"), "{said}");
    desk.dies();
    let told = desk.reconciles();
    assert!(told.contains("no_entry  $484.92") && told.contains(&lost), "{told}");
    let stands = ["before@example.com", "begun@example.com"].map(|email| desk.status(email));
    assert_eq!(stands, ["partially_refunded", "paid"]);
    assert_eq!(desk.books_agree(), 2);
}
