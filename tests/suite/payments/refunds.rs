//! The fault table of docs/payments.md, the part about money that goes back.

use serde_json::{Value, json};

use crate::payments::faults::{fails, failures, is_told, paid};
use crate::support::paid_site::{Desk, PRICE, entry};
use crate::support::text;

#[test]
fn a_refund_is_paid_once_whatever_stripe_answers_first() {
    let desk = Desk::open();
    let cookie = desk.cookie();
    for (number, failure) in failures().iter().enumerate() {
        let email = format!("f{number}@example.com");
        let id = desk.save(&entry(&email), &paid(&desk, &email)).json()["id"].as_i64().expect("an id");
        fails(&desk, "POST", "/v1/refunds", failure);
        is_told(&desk.refund(&cookie, id, "first", 10_000), 502, failure);
        for _ in 0..2 {
            let again = desk.refund(&cookie, id, "first", 10_000);
            assert_eq!(
                (again.status, &again.json()["refundedAmount"]),
                (200, &json!(10_000)),
                "{failure}: {}",
                again.text()
            );
        }
    }
    let amounts: Vec<_> =
        desk.stripe.holds("refunds").iter().map(|refund| refund["amount"].clone()).collect();
    assert_eq!(amounts, vec![json!(10_000); failures().len()]);
    assert_eq!(desk.books_agree(), failures().len());
}

#[test]
fn a_refund_that_went_unanswered_is_ended_before_another_of_that_amount() {
    let desk = Desk::open();
    let cookie = desk.cookie();
    let id = desk.save(&entry("ada@example.com"), &paid(&desk, "ada@example.com")).json()["id"]
        .as_i64()
        .expect("an id");
    let given_back = || desk.stripe.holds("refunds").len();
    fails(&desk, "POST", "/v1/refunds", &json!({ "kind": "close", "when": "after" }));
    assert_eq!(desk.refund(&cookie, id, "first", 10_000).status, 502);
    let second = desk.refund(&cookie, id, "second", 10_000);
    assert_eq!((second.status, given_back()), (409, 1), "{}", second.text());
    // Whoever is told so and asks again wants it twice; and a repeat of that is none.
    for _ in 0..3 {
        assert_eq!(desk.refund(&cookie, id, "second", 10_000).status, 200);
        assert_eq!(given_back(), 2);
    }
    assert_eq!(desk.refund(&cookie, id, "first", 10_000).status, 200);
    assert_eq!(given_back(), 2);
    // One that Stripe never had is repeated by whoever asks about payments next.
    fails(&desk, "POST", "/v1/refunds", &json!({ "kind": "close" }));
    assert_eq!(desk.refund(&cookie, id, "third", 5_000).status, 502);
    desk.reconciles();
    assert_eq!(given_back(), 3);
    assert_eq!(desk.refund(&cookie, id, "third", 5_000).status, 200);
    assert_eq!((given_back(), desk.books_agree()), (3, 1));
}

#[test]
fn a_refund_that_stripe_knows_no_payment_of_is_ended_and_put_in_front_of_the_organiser() {
    let desk = Desk::open();
    let cookie = desk.cookie();
    let intent = paid(&desk, "ada@example.com");
    let id = desk.save(&entry("ada@example.com"), &intent).json()["id"].as_i64().expect("an id");
    fails(&desk, "POST", "/v1/refunds", &json!({ "kind": "close" }));
    assert_eq!(desk.refund(&cookie, id, "first", 10_000).status, 502);
    fails(&desk, "POST", "/v1/refunds", &json!({ "kind": "status", "status": 404 }));
    let told = desk.reconciles();
    assert!(told.contains(&format!("refund_failed  $100.00  entry {id}  {intent}")), "{told}");
    assert_eq!(desk.place.sql::<String>("select state from refunds"), "failed");
    assert_eq!(desk.refund(&cookie, id, "second", 10_000).status, 200, "and it stands in nobody's way");
    assert_eq!((desk.stripe.holds("refunds").len(), desk.books_agree()), (1, 1));
}

#[test]
fn a_test_entry_is_left_alone_once_real_money_comes_in() {
    let mut desk = Desk::open();
    let id = desk.save(&entry("test@example.com"), &paid(&desk, "test@example.com")).json()["id"]
        .as_i64()
        .expect("an id");
    fails(&desk, "POST", "/v1/refunds", &json!({ "kind": "close" }));
    assert_eq!(desk.refund(&desk.cookie(), id, "first", 100).status, 502);
    desk.goes_live();
    assert_eq!(desk.save(&entry("live@example.com"), &paid(&desk, "live@example.com")).status, 201);
    let told = desk.place.run(&["refund", "--all-paid", "--dry-run"]);
    assert!(text(&told.stdout).starts_with("1 paid entry, $484.92 in all\n"), "{}", text(&told.stdout));
    for arguments in [&["refund", "1"][..], &["refund", "1", "--dry-run"]] {
        let told = desk.place.run(arguments);
        assert_eq!(told.status.code(), Some(1));
        assert!(text(&told.stderr).contains("the other mode"), "{}", text(&told.stderr));
    }
    assert_eq!(desk.refund(&desk.cookie(), id, "second", 100).status, 409);
    let all = desk.place.run(&["refund", "--all-paid", "--yes"]);
    assert!(all.status.success(), "{}", text(&all.stderr));
    desk.reconciles();
    assert_eq!(
        (desk.status("test@example.com"), desk.status("live@example.com")),
        ("paid".into(), "refunded".into())
    );
    // What was asked for in the test mode waits for the test keys.
    assert_eq!(desk.place.sql::<String>("select state from refunds where key like '%first'"), "asked");
    assert_eq!(desk.place.sql::<i64>("select count(*) from payment_findings"), 0);
}

#[test]
fn a_repeated_refund_that_asks_for_something_else_gives_nothing_back() {
    let desk = Desk::open();
    let cookie = desk.cookie();
    let id = desk.save(&entry("ada@example.com"), &paid(&desk, "ada@example.com")).json()["id"]
        .as_i64()
        .expect("an id");
    assert_eq!(desk.refund(&cookie, id, "part", 100).status, 200);
    assert_eq!(desk.refund_rest(&cookie, id, "part").status, 409, "the whole is another refund");
    assert_eq!(desk.refund(&cookie, id, "part", 100).status, 200);
    assert_eq!(desk.refund_rest(&cookie, id, "rest").status, 200);
    assert_eq!(desk.refund_rest(&cookie, id, "rest").status, 200, "and a repeat of that is none");
    assert_eq!(desk.refund(&cookie, id, "rest", 48_392).status, 409);
    assert_eq!((desk.stripe.holds("refunds").len(), desk.books_agree()), (2, 1));
}

#[test]
fn what_a_refund_would_give_back_is_told_as_it_would_be() {
    let desk = Desk::open();
    desk.listens();
    let intent = paid(&desk, "ada@example.com");
    desk.stripe.does("idle", &json!({}));
    let told = |arguments: &[&str]| {
        let done = desk.place.run(&[&["refund"], arguments, &["--dry-run"]].concat());
        (done.status.code(), text(&done.stdout) + &text(&done.stderr))
    };
    assert_eq!(told(&["1"]), (Some(0), "entry 1: $484.92 of $484.92\n".into()));
    assert_eq!(told(&["1", "--amount", "100"]), (Some(0), "entry 1: $1.00 of $484.92\n".into()));
    let (code, words) = told(&["99999"]);
    assert!(code == Some(1) && words.contains("no record 99999"), "{words}");
    let (code, words) = told(&["1", "--amount", "999999"]);
    assert!(code == Some(1) && words.contains("$484.92 is left"), "{words}");
    desk.stripe.does("dispute", &json!({ "payment_intent": intent }));
    desk.stripe.does("idle", &json!({}));
    let (code, words) = told(&["1"]);
    assert!(code == Some(1) && words.contains("nothing to refund"), "{words}");
}

#[test]
fn what_went_back_before_anybody_heard_of_the_payment_is_not_shown_as_paid() {
    for how in ["save", "reconcile"] {
        let desk = Desk::open();
        let intent = paid(&desk, "ada@example.com");
        desk.stripe.does("refund", &json!({ "payment_intent": intent, "silent": true }));
        if how == "save" {
            let saved = desk.save(&entry("ada@example.com"), &intent);
            assert_eq!((saved.status, &saved.json()["paymentStatus"]), (201, &json!("refunded")), "{how}");
        } else {
            fails(&desk, "GET", "/v1/events", &json!({ "kind": "status", "status": 500 }));
            assert_eq!(desk.place.run(&["payments", "reconcile"]).status.code(), Some(1));
            assert_eq!(desk.status("ada@example.com"), "refunded");
        }
        assert_eq!(desk.books_agree(), 1, "{how}");
    }
}

/// A paid entry of this address: its id, and its payment.
fn bought(desk: &Desk, email: &str) -> (i64, String) {
    let intent = paid(desk, email);
    (desk.save(&entry(email), &intent).json()["id"].as_i64().expect("an id"), intent)
}

#[test]
fn what_went_back_at_stripes_and_nobody_told_stops_no_refund_of_all() {
    let desk = Desk::open();
    let part = bought(&desk, "part@example.com").1;
    let whole = bought(&desk, "whole@example.com").1;
    bought(&desk, "none@example.com");
    desk.stripe.does("refund", &json!({ "payment_intent": part, "amount": 1_000, "silent": true }));
    desk.stripe.does("refund", &json!({ "payment_intent": whole, "silent": true }));
    let all = desk.place.run(&["refund", "--all-paid", "--yes"]);
    assert!(all.status.success(), "{}", text(&all.stderr));
    for email in ["part@example.com", "whole@example.com", "none@example.com"] {
        assert_eq!(desk.status(email), "refunded", "{email}");
    }
    assert_eq!((desk.stripe.holds("refunds").len(), desk.books_agree()), (4, 3));
    // What a bank has taken back is not known from the refunds: the command says how it is found.
    let disputed = bought(&desk, "disputed@example.com").1;
    desk.stripe.does("dispute", &json!({ "payment_intent": disputed, "silent": true }));
    let all = desk.place.run(&["refund", "--all-paid", "--yes"]);
    assert_eq!(all.status.code(), Some(1));
    assert!(text(&all.stderr).contains("showcase payments reconcile"), "{}", text(&all.stderr));
    desk.reconciles();
    let all = desk.place.run(&["refund", "--all-paid", "--yes"]);
    assert!(all.status.success());
    let words = "0 paid entries, $0.00 in all\n1 disputed entry left out, because the bank decides.";
    assert!(text(&all.stdout).starts_with(words), "{}", text(&all.stdout));
    assert_eq!(desk.books_agree(), 4);
}

#[test]
fn a_refund_that_is_refused_shows_what_went_back_before_it() {
    let desk = Desk::open();
    let (id, intent) = bought(&desk, "ada@example.com");
    desk.stripe.does("refund", &json!({ "payment_intent": intent, "amount": 1_000, "silent": true }));
    assert_eq!(desk.refund(&desk.cookie(), id, "first", PRICE).status, 409);
    assert_eq!((desk.status("ada@example.com").as_str(), desk.books_agree()), ("partially_refunded", 1));
}

#[test]
fn a_refund_that_cannot_be_read_gives_nothing_back() {
    let desk = Desk::open();
    let (id, _) = bought(&desk, "ada@example.com");
    let (cookie, path) = (desk.cookie(), format!("/api/competition-entries/{id}/refund"));
    for body in [r#"[{"amountCents":100}]"#, "[]", "100", r#""100""#, "null", r#"{"amountCents":"100"}"#] {
        let headers = [("content-type", "application/json"), ("cookie", cookie.as_str())];
        assert_eq!(desk.server.send("POST", &path, &headers, body).status, 400, "{body}");
    }
    assert_eq!((desk.stripe.holds("refunds").len(), desk.books_agree()), (0, 1));
}

#[test]
fn a_refund_takes_every_key_that_an_entry_takes() {
    let desk = Desk::open();
    let (id, _) = bought(&desk, "ada@example.com");
    let cookie = desk.cookie();
    for key in [String::new(), "k".repeat(256)] {
        assert_eq!(desk.refund(&cookie, id, &key, 100).status, 400, "{} characters", key.len());
    }
    for _ in 0..2 {
        let done = desk.refund(&cookie, id, &"k".repeat(255), 100);
        assert_eq!(done.status, 200, "{}", done.text());
    }
    assert_eq!((desk.stripe.holds("refunds").len(), desk.books_agree()), (1, 1));
}

#[test]
fn a_command_that_stripe_fails_says_what_to_do() {
    let desk = Desk::open();
    let (id, _) = bought(&desk, "ada@example.com");
    for kind in ["status", "close"] {
        let failure = json!({ "kind": kind, "status": 500, "times": 0 });
        fails(&desk, "POST", "/v1/refunds", &failure);
        fails(&desk, "GET", "/v1", &failure);
        let id = id.to_string();
        for arguments in [&["refund", &id][..], &["payments", "reconcile"]] {
            let told = desk.place.run(arguments);
            let words = text(&told.stderr);
            assert_eq!(told.status.code(), Some(1));
            assert!(words.contains("did not answer properly") && words.contains("again"), "{words}");
        }
        desk.stripe.forgives();
    }
    desk.reconciles();
    assert_eq!((desk.stripe.holds("refunds").len(), desk.books_agree()), (1, 1));
}

#[test]
fn a_refund_without_keys_is_not_left_to_be_made_when_they_come() {
    let desk = Desk::open();
    let (id, _) = bought(&desk, "ada@example.com");
    let config = std::fs::read_to_string(desk.place.path("config.toml")).expect("a file");
    let without = config.replace(&desk.stripe.settings(), "");
    std::fs::write(desk.place.path("config.toml"), without).expect("a file");
    let told = desk.place.run(&["refund", &id.to_string()]);
    assert!(text(&told.stderr).contains("Set stripe.secret_key"), "{}", text(&told.stderr));
    std::fs::write(desk.place.path("config.toml"), config).expect("a file");
    desk.reconciles();
    assert_eq!((desk.stripe.holds("refunds").len(), desk.books_agree()), (0, 1));
}

#[test]
fn an_inquiry_takes_nothing_back_until_it_becomes_a_dispute() {
    let desk = Desk::open();
    desk.listens();
    let does = |what: &str, intent: &str, more: Value| {
        let mut body = json!({ "payment_intent": intent });
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        desk.stripe.does(what, &body);
        desk.stripe.does("idle", &json!({}));
    };
    let (answered, closed) = (bought(&desk, "answered@example.com"), bought(&desk, "closed@example.com"));
    let escalated = bought(&desk, "escalated@example.com");
    for (_, intent) in [&answered, &closed, &escalated] {
        does("dispute", intent, json!({ "inquiry": true }));
    }
    for email in ["answered@example.com", "closed@example.com", "escalated@example.com"] {
        assert_eq!(desk.status(email), "paid", "{email}");
    }
    assert_eq!(desk.refund_rest(&desk.cookie(), answered.0, "answer").status, 200);
    does("dispute-close", &answered.1, json!({ "status": "warning_closed" }));
    does("dispute-close", &closed.1, json!({ "status": "warning_closed" }));
    does("dispute-escalate", &escalated.1, json!({}));
    for (email, status) in [
        ("answered@example.com", "refunded"),
        ("closed@example.com", "paid"),
        ("escalated@example.com", "disputed"),
    ] {
        assert_eq!(desk.status(email), status, "{email}");
    }
    does("dispute-close", &escalated.1, json!({ "status": "won" }));
    assert_eq!((desk.status("escalated@example.com"), desk.books_agree()), ("paid".into(), 3));
}

/// What the organiser's page sends.
fn told_refund(desk: &Desk, cookie: &str, entry: i64, key: &str, body: &Value) -> crate::support::Reply {
    let headers = [("content-type", "application/json"), ("cookie", cookie), ("idempotency-key", key)];
    desk.server.send("POST", &format!("/api/competition-entries/{entry}/refund"), &headers, &body.to_string())
}

fn notes(desk: &Desk) -> String {
    desk.place.sql("select coalesce(group_concat(actor || ': ' || note, ' | '), '') from reviews")
}

#[test]
fn a_refund_tells_the_person_and_stands_in_the_history() {
    let desk = Desk::open();
    let cookie = desk.cookie();
    let id = desk.save(&entry("ada@example.com"), &paid(&desk, "ada@example.com")).json()["id"]
        .as_i64()
        .expect("an id");
    let mails = || desk.place.sql::<i64>("select count(*) from outbox where cause like 'refund/%'");
    let path = format!("/api/competition-entries/{id}/refund-mail");
    assert_eq!(desk.server.get(&format!("{path}?amountCents=10000"), &[]).status, 401);
    let get = |path: &str| desk.server.get(path, &[("cookie", &cookie)]);
    let preview = get(&format!("{path}?amountCents=10000")).json();
    assert_eq!((&preview["recipient"], &preview["amountCents"]), (&json!("ada@example.com"), &json!(10_000)));
    assert_eq!(get(&format!("{path}?amountCents=99999999")).status, 422);
    assert_eq!(get(&format!("{path}?amountCents=x")).status, 400);
    assert_eq!(get("/api/competition-entries/99/refund-mail").status, 404);
    assert_eq!(get("/api/speaker-applications/1/refund-mail").status, 404);
    assert!(get(&format!("{path}/html?amountCents=10000")).text().contains("$100.00"));
    assert_eq!((mails(), notes(&desk)), (0, String::new()));

    let body = json!({ "amountCents": 10_000, "reason": " Cannot travel ", "notify": true });
    for _ in 0..2 {
        assert_eq!(told_refund(&desk, &cookie, id, "first", &body).status, 200);
    }
    assert_eq!(notes(&desk), "organiser: Refunded $100.00: Cannot travel");
    assert_eq!(mails(), 1);
    let sent = desk.place.mail_text("cause like 'refund/%'");
    assert_eq!(preview["text"].as_str().expect("text"), sent);
    assert!(sent.contains("$100.00") && sent.contains("5 to 10 days"), "{sent}");
    assert!(!sent.contains("Cannot travel") && !sent.contains("See you"), "{sent}");
    // A caller that says neither: a line, and no mail.
    assert_eq!(desk.refund(&cookie, id, "second", 100).status, 200);
    assert_eq!(notes(&desk), "organiser: Refunded $100.00: Cannot travel | organiser: Refunded $1.00");
    assert_eq!(mails(), 1);
    for (wrong, status) in [
        (json!({ "amountCents": 100, "reason": 7 }), 400),
        (json!({ "amountCents": 100, "notify": "yes" }), 400),
        (json!({ "amountCents": 100, "reason": "r".repeat(10_001) }), 422),
    ] {
        assert_eq!(told_refund(&desk, &cookie, id, "third", &wrong).status, status);
    }
    assert_eq!((desk.stripe.holds("refunds").len(), desk.books_agree()), (2, 1));
    // The reason may name somebody.
    let erased = desk.place.run(&["person", "erase", "ada@example.com", "--yes"]);
    assert!(erased.status.success(), "{}", text(&erased.stderr));
    assert_eq!(desk.place.sql::<i64>("select count(*) from refunds where reason is not null"), 0);
    assert_eq!((notes(&desk), mails()), (String::new(), 0));
}

#[test]
fn a_refund_whose_answer_was_lost_is_told_once_and_one_that_failed_never() {
    let desk = Desk::open();
    let cookie = desk.cookie();
    let id = desk.save(&entry("ada@example.com"), &paid(&desk, "ada@example.com")).json()["id"]
        .as_i64()
        .expect("an id");
    let mails = || desk.place.sql::<i64>("select count(*) from outbox where cause like 'refund/%'");
    let body = json!({ "amountCents": 10_000, "reason": "Ill", "notify": true });
    fails(&desk, "POST", "/v1/refunds", &json!({ "kind": "close", "when": "after" }));
    assert_eq!(told_refund(&desk, &cookie, id, "first", &body).status, 502);
    assert_eq!((mails(), notes(&desk)), (0, String::new()), "nobody knows yet");
    desk.reconciles();
    assert_eq!(told_refund(&desk, &cookie, id, "first", &body).status, 200);
    desk.reconciles();
    assert_eq!((mails(), notes(&desk)), (1, "organiser: Refunded $100.00: Ill".to_owned()));
    fails(&desk, "POST", "/v1/refunds", &json!({ "kind": "status", "status": 400 }));
    assert_eq!(told_refund(&desk, &cookie, id, "second", &body).status, 409);
    assert_eq!((mails(), notes(&desk).contains('|')), (1, false));
    let by_command = desk.place.run(&["refund", "1", "--amount", "100", "--reason", "Late", "--notify"]);
    assert!(by_command.status.success(), "{}", text(&by_command.stderr));
    assert_eq!((mails(), notes(&desk).contains("| command line: Refunded $1.00: Late")), (2, true));
}
