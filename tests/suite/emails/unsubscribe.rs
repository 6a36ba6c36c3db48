//! Unsubscribing from emails to groups with one click (RFC 8058).

use serde_json::{Value, json};

use super::mailings::{AT_ONCE, Organiser, fill_waitlist};
use crate::support::mail_server::{MailServer, settings};
use crate::support::ports::DeafPort;
use crate::support::{ADMIN, Place, served, wait_for, waitlist};

const ONE_CLICK: [(&str, &str); 1] = [("content-type", "application/x-www-form-urlencoded")];

/// The path of the link in the email to an address.
fn link(place: &Place, recipient: &str) -> String {
    let newest = format!("cause like 'mailing/%' and recipient = '{recipient}' order by id desc");
    place.link_in("/unsubscribe/", &newest)
}

/// Sends a mailing to the waitlist and waits for this many emails of it.
fn send(place: &Place, organiser: &Organiser<'_>, notice: &str, emails: i64) -> i64 {
    let draft = json!({
        "group": { "kind": "waitlist-signups" }, "subject": "News", "text": "t", "notice": notice,
    });
    let id = organiser.done("POST", "", &draft)["id"].as_i64().expect("an id");
    organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    let sent = format!("select count(*) from outbox where cause like 'mailing/{id}/%' and state = 'sent'");
    place.wait_for_sql("the emails", &sent, emails);
    id
}

#[test]
fn one_click_unsubscribes_from_every_later_group_mail_and_outlives_an_erasure() {
    let received = tempfile::tempdir().expect("a folder");
    let mails = MailServer::start(received.path(), "");
    let smtp = format!("{}connections = 1\n", mails.settings("none"));
    let (place, server) = served(&format!("{ADMIN}{smtp}{AT_ONCE}"));
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 2);
    send(&place, &organiser, "", 2);
    let mail = std::fs::read_to_string(received.path().join("1.eml")).expect("a mail");
    let header = mail.split("List-Unsubscribe: <").nth(1).and_then(|rest| rest.split('>').next());
    let header = header.unwrap_or_else(|| panic!("{mail}")).replace(['\r', '\n', ' '], "");
    let recipient = mail.split("To: ").nth(1).and_then(|rest| rest.lines().next()).expect("an address");
    let path = link(&place, recipient);
    assert!(header.ends_with(&path), "{header} {path}");
    assert!(mail.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{mail}");
    assert_eq!(recipient, "p1@example.com");

    let page = server.get(&path, &[]);
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert!(
        page.text().contains("<form method=\"post\">") && !page.text().contains(recipient),
        "{}",
        page.text()
    );
    assert_eq!(page.header("cache-control"), "no-store");
    // Without any referrer the form's origin would be null, and an organiser who is signed in would be refused.
    assert_eq!(
        (page.header("referrer-policy"), page.header("x-robots-tag")),
        ("same-origin", "noindex, nofollow")
    );
    assert!(page.header("content-security-policy").contains("form-action 'self'"));
    let count = || place.sql::<i64>("select count(*) from unsubscribed");
    assert_eq!(count(), 0, "a mail program that follows the link changes nothing");
    for _ in 0..2 {
        let done = server.send("POST", &path, &ONE_CLICK, "List-Unsubscribe=One-Click");
        assert_eq!(done.status, 200, "{}", done.text());
        assert!(done.text().contains("You are unsubscribed"), "{}", done.text());
    }
    assert_eq!(count(), 1);
    assert_eq!(place.sql::<i64>("select count(*) from audit_log where action = 'unsubscribed'"), 1);
    assert!(!place.log().contains(path.trim_start_matches("/unsubscribe/")), "{}", place.log());

    let second = send(&place, &organiser, "", 1);
    let progress = organiser.done("GET", &format!("/{second}"), &Value::Null)["progress"].clone();
    assert_eq!((&progress["recipients"], &progress["unsubscribed"]), (&json!(1), &json!(1)), "{progress}");
    // An email that the person causes or needs is no group mail.
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("P1@example.com")).status, 201);
    wait_for("the confirmation", || {
        let sent = "select count(*) from outbox where cause like 'confirmation/%' and state = 'sent'";
        (place.sql::<i64>(sent) == 1).then_some(())
    });
    let export = place.done(&["person", "export", "p1@example.com"]);
    assert!(export.contains("\"unsubscribed\": true"), "{export}");

    place.done(&["person", "erase", "p1@example.com", "--yes"]);
    assert_eq!(count(), 1, "only a hash, so it stays");
    assert_eq!(server.send("POST", &path, &ONE_CLICK, "").status, 200, "the link still works");
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("p1@example.com")).status, 201);
    let third = send(&place, &organiser, "", 1);
    let progress = organiser.done("GET", &format!("/{third}"), &Value::Null)["progress"].clone();
    assert_eq!(progress["unsubscribed"], 1, "{progress}");
}

#[test]
fn a_necessary_notice_has_no_link_and_says_why() {
    let received = tempfile::tempdir().expect("a folder");
    let mails = MailServer::start(received.path(), "");
    let (place, server) = served(&format!("{ADMIN}{}{AT_ONCE}", mails.settings("none")));
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 1);
    send(&place, &organiser, "", 1);
    assert_eq!(server.send("POST", &link(&place, "p1@example.com"), &ONE_CLICK, "").status, 200);
    for (number, (notice, part)) in [
        ("place", "the place has changed"),
        ("time", "the time has changed"),
        ("cancellation", "is cancelled"),
    ]
    .into_iter()
    .enumerate()
    {
        let id = send(&place, &organiser, notice, 1);
        let (text, html) = (
            place.mail_text(&format!("cause like 'mailing/{id}/%'")),
            place.mail_html(&format!("cause like 'mailing/{id}/%'")),
        );
        for body in [&text, &html] {
            assert!(body.contains(part) && body.contains("goes to everybody"), "{body}");
            assert!(!body.contains("/unsubscribe") && !body.contains("unsubscribe&"), "{body}");
        }
        let mail =
            std::fs::read_to_string(received.path().join(format!("{}.eml", number + 2))).expect("a mail");
        assert!(!mail.contains("List-Unsubscribe"), "{mail}");
    }
}

#[test]
fn an_email_that_was_not_sent_is_discarded_by_unsubscribing_and_by_stopping_the_mailing() {
    let deaf = DeafPort::take();
    let (place, server) = served(&format!("{ADMIN}{}{AT_ONCE}", settings(deaf.port(), "none")));
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 4);
    let id = organiser.draft(&json!({ "kind": "waitlist-signups" }), "s", "t");
    organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    place.wait_for_sql("the attempts", "select count(*) from outbox where attempts > 0", 4);
    // Failed emails would be sent by "Send all now".
    place.execute(
        "update outbox set state = 'failed' where recipient in ('p2@example.com', 'p4@example.com')",
    );
    for email in ["p1@example.com", "p2@example.com"] {
        assert_eq!(server.send("POST", &link(&place, email), &ONE_CLICK, "").status, 200);
    }
    let states = "select group_concat(substr(recipient, 1, 2) || ' ' || state) from (select * from outbox order by recipient)";
    assert_eq!(place.sql::<String>(states), "p1 discarded,p2 discarded,p3 waiting,p4 failed");
    organiser.done("POST", &format!("/{id}/stop"), &Value::Null);
    assert_eq!(place.sql::<i64>("select count(*) from outbox where state = 'discarded'"), 4);
}

#[test]
fn a_guessed_token_unsubscribes_nobody() {
    let (place, server) = served(ADMIN);
    assert_eq!(
        server.send("POST", "/unsubscribe/00", &ONE_CLICK, "").status,
        404,
        "no mailing was ever sent"
    );
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 2);
    let id = organiser.draft(&json!({ "kind": "waitlist-signups" }), "s", "t");
    for email in ["a@example.com", "b@example.com"] {
        organiser.done("POST", &format!("/{id}/test"), &json!({ "email": email }));
    }
    let token = |recipient: &str| {
        let mail = place.mail_text(&format!("recipient = '{recipient}'"));
        mail.split("/unsubscribe/").nth(1).expect("a link").trim().to_owned()
    };
    let (a, b) = (token("a@example.com"), token("b@example.com"));
    let mixed = format!("{}{}", &a[..32], &b[32..]);
    for guess in [mixed.as_str(), &a[..63], "preview", &"0".repeat(64), "%2e%2e", "é", &"a".repeat(5000)] {
        for method in ["GET", "POST"] {
            let guess = guess.replace('é', "%C3%A9");
            let reply = server.send(method, &format!("/unsubscribe/{guess}"), &ONE_CLICK, "");
            assert_eq!(reply.status, 404, "{method} {guess}: {}", reply.text());
            if !guess.starts_with('%') && guess.len() < 1000 {
                assert!(
                    reply.text().contains("This link does not work"),
                    "{method} {guess}: {}",
                    reply.text()
                );
            }
        }
    }
    assert_eq!(place.sql::<i64>("select count(*) from unsubscribed"), 0);
    let large = "x".repeat(100_000);
    assert_eq!(server.send("POST", &format!("/unsubscribe/{a}"), &ONE_CLICK, &large).status, 413);
    let foreign = [ONE_CLICK[0], ("origin", "https://mail.example.com")];
    assert_eq!(
        server.send("POST", &format!("/unsubscribe/{a}"), &foreign, "List-Unsubscribe=One-Click").status,
        200
    );
    assert_eq!(place.sql::<i64>("select count(*) from unsubscribed"), 1);
    assert_eq!(server.send("PUT", &format!("/unsubscribe/{a}"), &[], "").status, 405);
}
