//! The part of the fault table in docs/payments.md about refunds and disputes.

use serde_json::{Value, json};

use crate::payments::faults::{assert_asks_to_retry, failures, inject_fault, paid};
use crate::support::paid_site::{PRICE, PaidSite, entry};
use crate::support::text;

#[test]
fn a_refund_is_paid_once_whatever_stripe_answers_first() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    for (number, failure) in failures().iter().enumerate() {
        let email = format!("f{number}@example.com");
        let (id, _) = site.buy(&email);
        inject_fault(&site, "POST", "/v1/refunds", failure);
        assert_asks_to_retry(&site.refund(&cookie, id, "first", 10_000), 502, failure);
        for _ in 0..2 {
            let again = site.refund(&cookie, id, "first", 10_000);
            assert_eq!(
                (again.status, &again.json()["refundedAmount"]),
                (200, &json!(10_000)),
                "{failure}: {}",
                again.text()
            );
        }
    }
    let amounts: Vec<_> =
        site.stripe.objects("refunds").iter().map(|refund| refund["amount"].clone()).collect();
    assert_eq!(amounts, vec![json!(10_000); failures().len()]);
    assert_eq!(site.assert_books_agree(), failures().len());
}

#[test]
fn a_refund_that_went_unanswered_is_ended_before_another_of_that_amount() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    let (id, _) = site.buy("ada@example.com");
    let given_back = || site.stripe.objects("refunds").len();
    inject_fault(&site, "POST", "/v1/refunds", &json!({ "kind": "close", "when": "after" }));
    assert_eq!(site.refund(&cookie, id, "first", 10_000).status, 502);
    let second = site.refund(&cookie, id, "second", 10_000);
    assert_eq!((second.status, given_back()), (409, 1), "{}", second.text());
    // Repeating the request after this answer confirms a second refund. Further repeats refund nothing.
    for _ in 0..3 {
        assert_eq!(site.refund(&cookie, id, "second", 10_000).status, 200);
        assert_eq!(given_back(), 2);
    }
    assert_eq!(site.refund(&cookie, id, "first", 10_000).status, 200);
    assert_eq!(given_back(), 2);
    // A refund that never reached Stripe is repeated by the next sweep or `reconcile`.
    inject_fault(&site, "POST", "/v1/refunds", &json!({ "kind": "close" }));
    assert_eq!(site.refund(&cookie, id, "third", 5_000).status, 502);
    site.reconcile();
    assert_eq!(given_back(), 3);
    assert_eq!(site.refund(&cookie, id, "third", 5_000).status, 200);
    assert_eq!((given_back(), site.assert_books_agree()), (3, 1));
}

#[test]
fn a_refund_of_the_same_amount_is_made_while_the_first_is_on_its_way() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    site.stripe.control("refund-status", &json!({ "status": "pending" }));
    let (id, _) = site.buy("ada@example.com");
    for (key, count) in [("first", 1), ("second", 2), ("second", 2)] {
        let asked = site.refund(&cookie, id, key, 5_000);
        assert_eq!((asked.status, site.stripe.objects("refunds").len()), (200, count), "{}", asked.text());
    }
}

#[test]
fn a_refund_that_stripe_knows_no_payment_of_is_ended_and_put_in_front_of_the_organiser() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    let (id, intent) = site.buy("ada@example.com");
    inject_fault(&site, "POST", "/v1/refunds", &json!({ "kind": "close" }));
    assert_eq!(site.refund(&cookie, id, "first", 10_000).status, 502);
    inject_fault(&site, "POST", "/v1/refunds", &json!({ "kind": "status", "status": 404 }));
    let told = site.reconcile();
    assert!(told.contains(&format!("refund_failed  $100.00  entry {id}  {intent}")), "{told}");
    assert_eq!(site.place.sql::<String>("select state from refunds"), "failed");
    assert_eq!(site.refund(&cookie, id, "second", 10_000).status, 200, "and it stands in nobody's way");
    assert_eq!((site.stripe.objects("refunds").len(), site.assert_books_agree()), (1, 1));
}

#[test]
fn a_test_entry_is_left_alone_once_real_money_comes_in() {
    let mut site = PaidSite::start();
    let (id, _) = site.buy("test@example.com");
    inject_fault(&site, "POST", "/v1/refunds", &json!({ "kind": "close" }));
    assert_eq!(site.refund(&site.cookie(), id, "first", 100).status, 502);
    site.switch_to_live_keys();
    site.buy("live@example.com");
    let told = site.place.run(&["refund", "--all-paid", "--dry-run"]);
    assert!(text(&told.stdout).starts_with("1 paid entry, $484.92 in all\n"), "{}", text(&told.stdout));
    for arguments in [&["refund", "1"][..], &["refund", "1", "--dry-run"]] {
        let told = site.place.refused(arguments);
        assert!(told.contains("the other mode"), "{told}");
    }
    assert_eq!(site.refund(&site.cookie(), id, "second", 100).status, 409);
    site.place.done(&["refund", "--all-paid", "--yes"]);
    site.reconcile();
    assert_eq!(
        (site.status("test@example.com"), site.status("live@example.com")),
        ("paid".into(), "refunded".into())
    );
    // A refund requested in test mode waits for the test keys.
    assert_eq!(site.place.sql::<String>("select state from refunds where key like '%first'"), "asked");
    assert_eq!(site.place.sql::<i64>("select count(*) from payment_findings"), 0);
}

#[test]
fn a_wrong_refund_or_a_repeated_one_that_asks_for_something_else_gives_nothing_back() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    let (id, _) = site.buy("ada@example.com");
    for body in [r#"[{"amountCents":100}]"#, "[]", "100", r#""100""#, "null", r#"{"amountCents":"100"}"#] {
        let body: Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(site.send_refund(&cookie, id, "wrong", &body).status, 400, "{body}");
    }
    for key in [String::new(), "k".repeat(256)] {
        assert_eq!(site.refund(&cookie, id, &key, 100).status, 400, "{} characters", key.len());
    }
    assert_eq!(site.stripe.objects("refunds").len(), 0);
    for _ in 0..2 {
        let done = site.refund(&cookie, id, &"k".repeat(255), 100);
        assert_eq!(done.status, 200, "{}", done.text());
    }
    assert_eq!(site.stripe.objects("refunds").len(), 1);
    assert_eq!(site.refund(&cookie, id, "part", 100).status, 200);
    assert_eq!(site.refund_rest(&cookie, id, "part").status, 409, "the whole is another refund");
    assert_eq!(site.refund(&cookie, id, "part", 100).status, 200);
    assert_eq!(site.refund_rest(&cookie, id, "rest").status, 200);
    assert_eq!(site.refund_rest(&cookie, id, "rest").status, 200, "and a repeat of that is none");
    assert_eq!(site.refund(&cookie, id, "rest", 48_292).status, 409);
    assert_eq!((site.stripe.objects("refunds").len(), site.assert_books_agree()), (3, 1));
}

#[test]
fn what_a_refund_would_give_back_is_told_as_it_would_be() {
    let site = PaidSite::start();
    site.enable_webhooks();
    let intent = paid(&site, "ada@example.com");
    site.stripe.control("idle", &json!({}));
    let told = |arguments: &[&str]| {
        let done = site.place.run(&[&["refund"], arguments, &["--dry-run"]].concat());
        (done.status.code(), text(&done.stdout) + &text(&done.stderr))
    };
    assert_eq!(told(&["1"]), (Some(0), "entry 1: $484.92 of $484.92\n".into()));
    assert_eq!(told(&["1", "--amount", "100"]), (Some(0), "entry 1: $1.00 of $484.92\n".into()));
    let (code, words) = told(&["99999"]);
    assert!(code == Some(1) && words.contains("no record 99999"), "{words}");
    for amount in ["abc", "0", "4.50"] {
        let (code, words) = told(&["1", "--amount", amount]);
        assert!(code == Some(2) && words.contains("it is not an amount in cents"), "{amount}: {words}");
    }
    let (code, words) = told(&["1", "--amount", "999999"]);
    assert!(code == Some(1) && words.contains("$484.92 is left"), "{words}");
    site.stripe.control("dispute", &json!({ "payment_intent": intent }));
    site.stripe.control("idle", &json!({}));
    let (code, words) = told(&["1"]);
    assert!(code == Some(1) && words.contains("nothing to refund"), "{words}");
}

#[test]
fn what_went_back_before_anybody_heard_of_the_payment_is_not_shown_as_paid() {
    for how in ["save", "reconcile"] {
        let site = PaidSite::start();
        let intent = paid(&site, "ada@example.com");
        site.stripe.control("refund", &json!({ "payment_intent": intent, "silent": true }));
        if how == "save" {
            let saved = site.save(&entry("ada@example.com"), &intent);
            assert_eq!((saved.status, &saved.json()["paymentStatus"]), (201, &json!("refunded")), "{how}");
        } else {
            inject_fault(&site, "GET", "/v1/events", &json!({ "kind": "status", "status": 500 }));
            site.place.refused(&["payments", "reconcile"]);
            assert_eq!(site.status("ada@example.com"), "refunded");
        }
        assert_eq!(site.assert_books_agree(), 1, "{how}");
        let stored =
            "select (select group_concat(template) from outbox where recipient = 'ada@example.com') || ' '
             || (select count(*) from nominations) || ' ' || (select front_row from competition_entries)";
        assert_eq!(site.place.sql::<String>(stored), "decision 0 0", "{how}: only the refund is told");
        let told = site.place.mail_text("recipient = 'ada@example.com'");
        assert!(told.contains("$484.92") && told.contains("refund"), "{told}");
        site.reconcile();
        let mails = "select count(*) from outbox where recipient = 'ada@example.com'";
        assert_eq!(site.place.sql::<i64>(mails), 1, "once");
    }
}

#[test]
fn a_refund_that_the_bank_has_not_taken_is_on_its_way_and_not_made() {
    let site = PaidSite::start();
    site.enable_webhooks();
    let cookie = site.cookie();
    site.stripe.control("refund-status", &json!({ "status": "pending" }));
    for (email, outcome, status) in
        [("ada@example.com", "succeeded", "refunded"), ("bea@example.com", "failed", "paid")]
    {
        let (id, _) = site.buy(email);
        let asked = || site.send_refund(&cookie, id, email, &json!({ "notify": true }));
        let first = asked();
        assert_eq!((first.status, &first.json()["paymentStatus"]), (200, &json!("paid")), "{}", first.text());
        assert_eq!(asked().json(), first.json(), "sent again");
        let told =
            format!("select count(*) from outbox where cause like 'refund/competition-entries/{id}/%'");
        assert_eq!(site.place.sql::<i64>(&told), 0, "nobody is told that it was made");
        let record =
            site.server.get(&format!("/api/competition-entries/{id}"), &[("cookie", &cookie)]).text();
        assert!(record.contains("is on its way"), "{record}");
        let other = site.refund_rest(&cookie, id, "other");
        other.expect_text(409, "on its way back already");
        let refund = site.stripe.objects("refunds").last().expect("a refund")["id"].clone();
        site.stripe.control("refund-settle", &json!({ "refund": refund, "status": outcome }));
        site.stripe.control("idle", &json!({}));
        assert_eq!(site.status(email), status);
        assert_eq!(site.place.sql::<i64>(&told), i64::from(status == "refunded"), "{email}");
    }
    assert_eq!(site.assert_books_agree(), 2);
}

#[test]
fn what_went_back_at_stripes_and_nobody_told_stops_no_refund_of_all() {
    let site = PaidSite::start();
    // A refund that is refused shows what went back before it.
    let (id, intent) = site.buy("refused@example.com");
    site.stripe.control("refund", &json!({ "payment_intent": intent, "amount": 1_000, "silent": true }));
    assert_eq!(site.refund(&site.cookie(), id, "first", PRICE).status, 409);
    let status = site.status("refused@example.com");
    assert_eq!((status.as_str(), site.assert_books_agree()), ("partially_refunded", 1));
    let part = site.buy("part@example.com").1;
    let whole = site.buy("whole@example.com").1;
    site.buy("none@example.com");
    site.stripe.control("refund", &json!({ "payment_intent": part, "amount": 1_000, "silent": true }));
    site.stripe.control("refund", &json!({ "payment_intent": whole, "silent": true }));
    let all = site.place.run(&["refund", "--all-paid", "--yes"]);
    assert!(all.status.success(), "{}", text(&all.stderr));
    assert!(text(&all.stderr).contains("Refunds for 4 entries are on their way."), "{}", text(&all.stderr));
    for email in ["refused@example.com", "part@example.com", "whole@example.com", "none@example.com"] {
        assert_eq!(site.status(email), "refunded", "{email}");
    }
    assert_eq!((site.stripe.objects("refunds").len(), site.assert_books_agree()), (6, 4));
    // Disputes are not among the refunds. The command says how to find them.
    let disputed = site.buy("disputed@example.com").1;
    site.stripe.control("dispute", &json!({ "payment_intent": disputed, "silent": true }));
    let all = site.place.refused(&["refund", "--all-paid", "--yes"]);
    assert!(all.contains("showcase payments reconcile"), "{all}");
    site.reconcile();
    let all = site.place.done(&["refund", "--all-paid", "--yes"]);
    let words = "0 paid entries, $0.00 in all\n1 disputed entry left out, because the bank decides.";
    assert!(all.starts_with(words), "{all}");
    assert_eq!(site.assert_books_agree(), 5);
}

#[test]
fn a_command_that_stripe_fails_says_what_to_do() {
    let site = PaidSite::start();
    let (id, _) = site.buy("ada@example.com");
    for kind in ["status", "close"] {
        let failure = json!({ "kind": kind, "status": 500, "times": 0 });
        inject_fault(&site, "POST", "/v1/refunds", &failure);
        inject_fault(&site, "GET", "/v1", &failure);
        let id = id.to_string();
        for arguments in [&["refund", &id][..], &["payments", "reconcile"]] {
            let words = site.place.refused(arguments);
            assert!(
                words.contains("refused the request or sent an incomplete response")
                    && words.contains("again"),
                "{words}"
            );
        }
        site.stripe.clear_faults();
    }
    site.reconcile();
    assert_eq!((site.stripe.objects("refunds").len(), site.assert_books_agree()), (1, 1));
}

#[test]
fn a_refund_without_keys_is_not_left_to_be_made_when_they_come() {
    let site = PaidSite::start();
    let (id, _) = site.buy("ada@example.com");
    let config = std::fs::read_to_string(site.place.path("config.toml")).expect("a file");
    let without = config.replace(&site.stripe.settings(), "");
    std::fs::write(site.place.path("config.toml"), without).expect("a file");
    let told = site.place.run(&["refund", &id.to_string()]);
    assert!(text(&told.stderr).contains("Set stripe.secret_key"), "{}", text(&told.stderr));
    std::fs::write(site.place.path("config.toml"), config).expect("a file");
    site.reconcile();
    assert_eq!((site.stripe.objects("refunds").len(), site.assert_books_agree()), (0, 1));
}

#[test]
fn an_inquiry_takes_nothing_back_until_it_becomes_a_dispute() {
    let site = PaidSite::start();
    site.enable_webhooks();
    let does = |what: &str, intent: &str, more: Value| {
        let mut body = json!({ "payment_intent": intent });
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        site.stripe.control(what, &body);
        site.stripe.control("idle", &json!({}));
    };
    let (answered, closed) = (site.buy("answered@example.com"), site.buy("closed@example.com"));
    let escalated = site.buy("escalated@example.com");
    for (_, intent) in [&answered, &closed, &escalated] {
        does("dispute", intent, json!({ "inquiry": true }));
    }
    for email in ["answered@example.com", "closed@example.com", "escalated@example.com"] {
        assert_eq!(site.status(email), "paid", "{email}");
    }
    assert_eq!(site.refund_rest(&site.cookie(), answered.0, "answer").status, 200);
    does("dispute-close", &answered.1, json!({ "status": "warning_closed" }));
    does("dispute-close", &closed.1, json!({ "status": "warning_closed" }));
    does("dispute-escalate", &escalated.1, json!({}));
    for (email, status) in [
        ("answered@example.com", "refunded"),
        ("closed@example.com", "paid"),
        ("escalated@example.com", "disputed"),
    ] {
        assert_eq!(site.status(email), status, "{email}");
    }
    let again = site.request_intent("escalated@example.com", &entry("escalated@example.com"));
    assert_eq!(again.status, 409);
    assert!(again.text().contains("bank has withdrawn the payment"), "{}", again.text());
    does("dispute-close", &escalated.1, json!({ "status": "won" }));
    assert_eq!((site.status("escalated@example.com"), site.assert_books_agree()), ("paid".into(), 3));
}

fn notes(site: &PaidSite) -> String {
    site.place.sql("select coalesce(group_concat(actor || ': ' || note, ' | '), '') from reviews")
}

#[test]
fn a_refund_tells_the_person_and_stands_in_the_history() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    let (id, _) = site.buy("ada@example.com");
    let mails = || site.place.sql::<i64>("select count(*) from outbox where cause like 'refund/%'");
    let path = format!("/api/competition-entries/{id}/refund-mail");
    assert_eq!(site.server.get(&format!("{path}?amountCents=10000"), &[]).status, 401);
    let get = |path: &str| site.server.get(path, &[("cookie", &cookie)]);
    let preview = get(&format!("{path}?amountCents=10000")).json();
    assert_eq!((&preview["recipient"], &preview["amountCents"]), (&json!("ada@example.com"), &json!(10_000)));
    assert_eq!(get(&format!("{path}?amountCents=99999999")).status, 422);
    assert_eq!(get(&format!("{path}?amountCents=x")).status, 400);
    assert_eq!(get("/api/competition-entries/99/refund-mail").status, 404);
    assert_eq!(get("/api/speaker-applications/1/refund-mail").status, 404);
    assert!(get(&format!("{path}/html?amountCents=10000")).text().contains("$100.00"));
    assert_eq!((mails(), notes(&site)), (0, String::new()));

    let body = json!({ "amountCents": 10_000, "reason": " Cannot travel ", "notify": true });
    for _ in 0..2 {
        assert_eq!(site.send_refund(&cookie, id, "first", &body).status, 200);
    }
    assert_eq!(notes(&site), "organiser: Refunded $100.00: Cannot travel");
    assert_eq!(mails(), 1);
    let sent = site.place.mail_text("cause like 'refund/%'");
    assert_eq!(preview["text"].as_str().expect("text"), sent);
    assert!(sent.contains("$100.00") && sent.contains("5 to 10 days"), "{sent}");
    assert!(!sent.contains("Cannot travel") && !sent.contains("See you"), "{sent}");
    // A caller that sends neither field: a line in the history, and no email.
    assert_eq!(site.refund(&cookie, id, "second", 100).status, 200);
    assert_eq!(notes(&site), "organiser: Refunded $100.00: Cannot travel | organiser: Refunded $1.00");
    assert_eq!(mails(), 1);
    for (wrong, status) in [
        (json!({ "amountCents": 100, "reason": 7 }), 400),
        (json!({ "amountCents": 100, "notify": "yes" }), 400),
        (json!({ "amountCents": 100, "reason": "r".repeat(10_001) }), 422),
    ] {
        assert_eq!(site.send_refund(&cookie, id, "third", &wrong).status, status);
    }
    assert_eq!((site.stripe.objects("refunds").len(), site.assert_books_agree()), (2, 1));
    // The reason may contain a name.
    site.place.done(&["person", "erase", "ada@example.com", "--yes"]);
    assert_eq!(site.place.sql::<i64>("select count(*) from refunds where reason is not null"), 0);
    assert_eq!((notes(&site), mails()), (String::new(), 0));
}

#[test]
fn a_refund_whose_answer_was_lost_is_told_once_and_one_that_failed_never() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    let (id, _) = site.buy("ada@example.com");
    let mails = || site.place.sql::<i64>("select count(*) from outbox where cause like 'refund/%'");
    let body = json!({ "amountCents": 10_000, "reason": "Ill", "notify": true });
    inject_fault(&site, "POST", "/v1/refunds", &json!({ "kind": "close", "when": "after" }));
    assert_eq!(site.send_refund(&cookie, id, "first", &body).status, 502);
    assert_eq!((mails(), notes(&site)), (0, String::new()), "nobody knows yet");
    site.reconcile();
    assert_eq!(site.send_refund(&cookie, id, "first", &body).status, 200);
    site.reconcile();
    assert_eq!((mails(), notes(&site)), (1, "organiser: Refunded $100.00: Ill".to_owned()));
    inject_fault(&site, "POST", "/v1/refunds", &json!({ "kind": "status", "status": 400 }));
    assert_eq!(site.send_refund(&cookie, id, "second", &body).status, 409);
    assert_eq!((mails(), notes(&site).contains('|')), (1, false));
    site.place.done(&["refund", "1", "--amount", "100", "--reason", "Late", "--notify"]);
    assert_eq!((mails(), notes(&site).contains("| command line: Refunded $1.00: Late")), (2, true));
}

/// The templates of the emails to a person, the nominations that take part, the valid tickets and the payment's status.
fn state_of(site: &PaidSite, email: &str) -> String {
    site.place.sql(&format!(
        "select (select coalesce(group_concat(template), 'none') from outbox where recipient = '{email}') || ' '
         || (select count(*) from nominations where state <> 'withdrawn') || ' '
         || (select count(*) from tickets where void_reason is null) || ' '
         || (select payment_status from competition_entries where email = '{email}')"
    ))
}

#[test]
fn a_payment_whose_refund_is_on_its_way_when_it_is_found_is_told_once_the_bank_has_decided() {
    for (outcome, expected) in [("succeeded", "decision 0 0 refunded"), ("failed", "entry 1 1 paid")] {
        let site = PaidSite::start();
        site.enable_webhooks();
        let intent = site.create_intent("ada", &entry("ada@example.com"));
        site.stripe.control("pay", &json!({ "payment_intent": intent, "silent": true }));
        let refund = json!({ "payment_intent": intent, "status": "pending", "silent": true });
        site.stripe.control("refund", &refund);
        site.save(&entry("ada@example.com"), &intent).expect(201);
        assert_eq!(state_of(&site, "ada@example.com"), "none 0 0 refunded");
        let refund = site.stripe.objects("refunds")[0]["id"].clone();
        site.stripe.control("refund-settle", &json!({ "refund": refund, "status": outcome }));
        site.stripe.control("idle", &json!({}));
        assert_eq!(state_of(&site, "ada@example.com"), expected);
        assert_eq!(site.assert_books_agree(), 1, "{outcome}");
    }
}

#[test]
fn a_dispute_after_a_whole_refund_gives_no_place_back() {
    let site = PaidSite::start();
    site.enable_webhooks();
    let (id, intent) = site.buy("ada@example.com");
    site.refund_rest(&site.cookie(), id, "all").expect(200);
    let before = state_of(&site, "ada@example.com");
    assert!(before.ends_with(" 0 0 refunded"), "{before}");
    site.stripe.control("dispute", &json!({ "payment_intent": intent }));
    site.stripe.control("idle", &json!({}));
    assert_eq!(state_of(&site, "ada@example.com"), before.replace("refunded", "disputed"));
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn a_dispute_of_a_payment_whose_refund_is_on_its_way_gives_no_place_back() {
    let site = PaidSite::start();
    site.enable_webhooks();
    let intent = site.create_intent("ada", &entry("ada@example.com"));
    site.stripe.control("pay", &json!({ "payment_intent": intent, "silent": true }));
    site.stripe.control("refund", &json!({ "payment_intent": intent, "status": "pending", "silent": true }));
    site.save(&entry("ada@example.com"), &intent).expect(201);
    site.stripe.control("dispute", &json!({ "payment_intent": intent }));
    site.stripe.control("idle", &json!({}));
    for _ in 0..2 {
        site.place.done(&["payments", "reconcile"]);
        assert_eq!(state_of(&site, "ada@example.com"), "none 0 0 disputed");
    }
}
