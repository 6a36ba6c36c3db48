//! The outbox against a real SMTP server.

use std::time::{Duration, Instant};

use crate::support::mail_server::{MailServer, settings};
use crate::support::paid_site::{PaidSite, entry_of_two};
use crate::support::ports::DeafPort;
use crate::support::samples::{FREE_KINDS, path, whole};
use crate::support::smtp::{Behaviour, SmtpServer};
use crate::support::{ADMIN, migrated, served, text, wait_for, waitlist};

#[test]
fn a_confirmation_arrives_as_text_and_html() {
    let received = tempfile::tempdir().expect("a folder");
    let mails = MailServer::start(received.path(), "");
    let (place, mut server) = served(&mails.settings("none"));
    let mut person = waitlist("bea@example.com");
    person["name"] = "Bea <b>Ünïcode</b> 💫".into();
    assert_eq!(server.post("/api/waitlist-signups", &person).status, 201);
    let mail = wait_for("the mail", || std::fs::read_to_string(received.path().join("1.eml")).ok());
    for part in [
        "To: bea@example.com",
        "hello@example.com",
        "Reply-To: office@example.com",
        "Content-Type: multipart/alternative",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Type: text/html; charset=utf-8",
    ] {
        assert!(mail.contains(part), "{part} is missing in\n{mail}");
    }
    let stored: String = place.sql("select message_id from outbox");
    assert!(mail.contains(&format!("Message-ID: {stored}")), "{mail}");
    let html = place.mail_html("true");
    assert!(html.contains("&lt;b&gt;Ünïcode"), "what a person typed is text: {html}");
    wait_for("the note of it", || (place.sql::<String>("select state from outbox") == "sent").then_some(()));
    assert_eq!(place.sql::<i64>("select attempts from outbox"), 1);
    assert_eq!(place.mail("true").template, "written", "no later template changes what was sent");
    assert_eq!(
        place.sql::<String>("select template from outbox"),
        "confirmation",
        "and it can be made again"
    );
    assert_eq!(place.mail_html("true"), html);
    // A server that has sent an email stops without a panic.
    server.stop();
    assert!(!place.log().contains("panicked"), "{}", place.log());
}

#[test]
fn an_email_waits_while_the_mail_server_is_down_and_is_sent_when_it_is_back() {
    let received = tempfile::tempdir().expect("a folder");
    let deaf = DeafPort::take();
    let (place, server) = served(&settings(deaf.port(), "none"));
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
    place.wait_for_sql("the first try", "select attempts from outbox", 1);
    assert_eq!(place.sql::<String>("select state from outbox"), "waiting");
    let words: String = place.sql("select last_error from outbox");
    assert_eq!(words.matches("Connection refused").count(), 1, "{words}");
    drop(server);
    let mails = MailServer::start(received.path(), "");
    std::fs::write(place.path("config.toml"), mails.settings("none")).expect("a file");
    let _server = place.serve();
    let retried = place.run(&["outbox", "retry"]);
    assert_eq!(text(&retried.stdout).trim(), "1", "{}", text(&retried.stderr));
    wait_for("the mail", || std::fs::read_to_string(received.path().join("1.eml")).ok());
}

#[test]
fn a_hanging_mail_server_does_not_delay_a_stop() {
    let received = tempfile::tempdir().expect("a folder");
    let mute = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let mute_port = mute.local_addr().expect("an address").port();
    let (place, mut server) =
        served(&format!("{}[limits]\nshutdown_seconds = 1\n", settings(mute_port, "none")));
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
    let (_held, _) = mute.accept().expect("the sender");
    let asked = Instant::now();
    server.stop();
    // An email has a minute to be sent.
    assert!(asked.elapsed() < Duration::from_secs(30), "{:?}", asked.elapsed());
    assert!(place.log().contains("the outbox-sender thread was still working after 1 s"), "{}", place.log());
    let mails = MailServer::start(received.path(), "");
    std::fs::write(place.path("config.toml"), mails.settings("none")).expect("a file");
    let _server = place.serve();
    wait_for("the mail", || std::fs::read_to_string(received.path().join("1.eml")).ok());
}

#[test]
fn a_mail_server_that_hangs_has_the_time_that_is_set_and_the_mail_is_tried_again() {
    let mute = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = mute.local_addr().expect("an address").port();
    let (place, server) = served(&format!("{}timeout_seconds = 1\n", settings(port, "none")));
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
    let state = || place.sql::<String>("select state || ' ' || coalesce(last_error, '') from outbox");
    let error = "waiting the mail server did not accept the email within 1 s";
    wait_for("the end of the attempt", || (state() == error).then_some(()));
    assert!(place.sql::<bool>("select due_at > created_at from outbox"));
}

#[test]
fn an_email_postponed_by_a_wrong_clock_is_sent_once_the_clock_is_right() {
    let received = tempfile::tempdir().expect("a folder");
    let (place, server) = served("");
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
    drop(server);
    place.execute("update outbox set due_at = '2099-03-01T00:00:00.000Z', attempts = 1");
    let mails = MailServer::start(received.path(), "");
    std::fs::write(place.path("config.toml"), mails.settings("none")).expect("a file");
    let _server = place.serve();
    wait_for("the mail", || std::fs::read_to_string(received.path().join("1.eml")).ok());
}

#[test]
fn a_report_by_command_is_sent_with_and_without_a_running_server() {
    let received = tempfile::tempdir().expect("a folder");
    let mails = MailServer::start(received.path(), "");
    let place = migrated(&mails.settings("none"));
    let report = || place.run(&["report", "daily", "--to", "desk@example.com", "--no-csv"]);
    let told = report();
    assert_eq!((told.status.code(), text(&told.stderr).as_str()), (Some(0), "The report was sent.\n"));
    assert!(
        std::fs::read_to_string(received.path().join("1.eml")).expect("a mail").contains("desk@example.com")
    );
    let _server = place.serve();
    let told = report();
    assert_eq!((told.status.code(), text(&told.stderr).as_str()), (Some(0), "The report was sent.\n"));
    assert_eq!(place.sql::<String>("select group_concat(state, ' ') from outbox"), "sent sent");
}

#[test]
fn a_report_that_the_mail_server_refuses_is_an_error_with_the_servers_message() {
    for (code, status, words) in [("550", 1, "refused the report"), ("451", 0, "has not accepted it yet")] {
        let received = tempfile::tempdir().expect("a folder");
        let mails = MailServer::start(received.path(), code);
        let place = migrated(&mails.settings("none"));
        let told = place.run(&["report", "daily", "--to", "desk@example.com"]);
        let said = text(&told.stderr);
        assert_eq!(told.status.code(), Some(status), "{code}: {said}");
        assert!(said.contains(words) && said.contains("as the test wishes"), "{code}: {said}");
    }
}

#[test]
fn a_permanent_refusal_is_kept_as_failed_and_a_temporary_one_is_retried() {
    for (code, state) in [("550", "failed"), ("451", "waiting"), ("535", "waiting")] {
        let received = tempfile::tempdir().expect("a folder");
        let mails = MailServer::start(received.path(), code);
        let (place, server) = served(&mails.settings("none"));
        server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
        place.wait_for_sql("the try", "select attempts from outbox", 1);
        assert_eq!(place.sql::<String>("select state from outbox"), state, "{code}");
        let listed = place.done(&["outbox", "list", "--state", state]);
        assert!(listed.contains("bea@example.com") && listed.contains("as the test wishes"), "{listed}");
    }
}

#[test]
fn a_used_up_quota_pauses_everything_marks_nobody_and_loses_nothing() {
    let mails = SmtpServer::start(Behaviour { max_connections: 10, min_concurrent: 1 });
    mails.refuse_with(Some("550 5.4.5 Daily user sending limit exceeded."));
    let (place, server) = served(&(mails.settings(1) + ADMIN));
    for number in 0..5 {
        server.post("/api/waitlist-signups", &waitlist(&format!("p{number}@example.com")));
    }
    place.wait_for_sql("the pause", "select max(attempts) from outbox", 1);
    let cookie = server.sign_in();
    let attention = server.get("/api/attention", &[("cookie", &cookie)]).text();
    assert!(
        attention.contains("Daily user sending limit exceeded") && attention.contains("just wait"),
        "{attention}"
    );
    let state = "select count(*) filter (where state = 'waiting') || ' ' || sum(attempts) from outbox";
    assert_eq!(place.sql::<String>(state), "5 1", "one was tried, and all wait");
    assert_eq!(place.sql::<i64>("select count(*) from refused_addresses"), 0);

    // The quota still is used up: the next pause is longer.
    let pause = || place.sql::<String>("select value from settings where key = 'mail.pause'");
    let first = pause();
    place.execute(
        "update settings set value = json_set(value, '$.until', '2026-01-01T00:00:00Z') where key = 'mail.pause'",
    );
    wait_for("the next try", || {
        let count =
            |pause: &str| serde_json::from_str::<serde_json::Value>(pause).expect("JSON")["count"].as_u64();
        (count(&pause()) > count(&first)).then_some(())
    });
    mails.refuse_with(None);
    server.call(&cookie, "POST", "/api/outbox/retry", &serde_json::json!({})).expect(200);
    wait_for("all emails", || (place.sql::<String>(state).starts_with("0 ")).then_some(()));
    assert_eq!(mails.accepted(), [1; 5], "nothing twice");
    assert_eq!(place.sql::<i64>("select count(*) from settings where key = 'mail.pause'"), 0);
    let attention = server.get("/api/attention", &[("cookie", &cookie)]).text();
    assert!(!attention.contains("refuses our emails"), "{attention}");
}

#[test]
fn an_email_that_is_refused_alone_fails_in_the_end_and_keeps_no_other_waiting() {
    let mails = SmtpServer::start(Behaviour { max_connections: 10, min_concurrent: 1 });
    let (place, server) = served(&mails.settings(1));
    let signs_up = |email: &str| {
        assert_eq!(server.post("/api/waitlist-signups", &waitlist(email)).status, 201);
    };
    let does = |sql: &str| place.execute(sql);
    let count = |sql: &str| place.sql::<i64>(&format!("select count(*) from {sql}"));
    signs_up("denied@example.com");
    wait_for("the pause", || (count("settings where key = 'mail.pause'") == 1).then_some(()));
    signs_up("ada@example.com");
    does(
        "update settings set value = json_set(value, '$.until', '2026-01-01T00:00:00Z') where key = 'mail.pause'",
    );
    wait_for("the other email", || (count("outbox where state = 'sent'") == 1).then_some(()));

    // The server has accepted an email: it is not our account that it refuses.
    let refused = "recipient like 'denied@%'";
    for attempts in [2, 3] {
        does(&format!("update outbox set due_at = created_at where {refused}"));
        let tried = format!("outbox where {refused} and attempts = {attempts} and state = 'waiting'");
        wait_for("the next try", || (count(&tried) == 1).then_some(()));
        assert_eq!(count("settings where key = 'mail.pause'"), 0, "nobody waits for it");
    }
    does(&format!("update outbox set due_at = created_at, attempts = 13 where {refused}"));
    let failed = format!("outbox where {refused} and state = 'failed' and last_error like '%Access denied%'");
    wait_for("its failure", || (count(&failed) == 1).then_some(()));
    signs_up("bea@example.com");
    wait_for("the last email", || (count("outbox where state = 'sent'") == 2).then_some(()));
    assert_eq!((mails.accepted(), count("refused_addresses")), (vec![1; 2], 0));
}

#[test]
fn a_pause_ends_when_the_email_that_caused_it_is_discarded() {
    let mails = SmtpServer::start(Behaviour { max_connections: 10, min_concurrent: 1 });
    let (place, server) = served(&mails.settings(1));
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("denied@example.com")).status, 201);
    place.wait_for_sql("the pause", "select count(*) from settings where key = 'mail.pause'", 1);
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("ada@example.com")).status, 201);
    // The second pause is of two minutes, longer than the test waits.
    let longer = "update settings set value = json_set(value, '$.until', '2099-01-01T00:00:00Z') where key = 'mail.pause'";
    place.execute(longer);
    place.done(&["outbox", "discard", "1"]);
    wait_for("the other email", || (mails.accepted() == [1]).then_some(()));
}

#[test]
fn a_failed_email_that_is_retried_has_all_its_attempts_again() {
    let received = tempfile::tempdir().expect("a folder");
    let mails = MailServer::start(received.path(), "451");
    let (place, server) = served(&mails.settings("none"));
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
    let stands = |state: &str| {
        (place.sql::<String>("select state || ' ' || attempts from outbox") == state).then_some(())
    };
    wait_for("the first try", || stands("waiting 1"));
    place.execute("update outbox set state = 'failed', attempts = 13");
    place.done(&["outbox", "retry"]);
    wait_for("the next try", || stands("waiting 1"));
}

#[test]
fn an_email_is_never_sent_unencrypted_when_tls_is_required() {
    let received = tempfile::tempdir().expect("a folder");
    let mails = MailServer::start(received.path(), "");
    let (place, server) = served(&mails.settings("starttls"));
    server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
    place.wait_for_sql("the try", "select attempts from outbox", 1);
    assert_eq!(place.sql::<String>("select state from outbox"), "waiting");
    assert!(!received.path().join("1.eml").exists());
}

/// HTML with unescaped slashes.
fn unescaped(html: &str) -> String {
    html.replace("&#x2f;", "/")
}

#[test]
fn the_receipt_says_first_what_was_entered_when_and_where_and_links_to_what_helps() {
    let site = PaidSite::start();
    let entry = entry_of_two("ada@example.com");
    site.enter_and_pay("fill-1", &entry);
    let id: i64 = site.place.sql("select id from competition_entries");
    let subject: String = site.place.sql("select subject from outbox");
    assert_eq!(subject, format!("Your entry {id} is paid: Lash Extensions, Brows"));
    let (text, html) = (site.place.mail_text("true"), unescaped(&site.place.mail_html("true")));
    let url = text.lines().find_map(|line| line.strip_suffix("/event.ics")).expect("a calendar link");
    let url = url.trim_start_matches("Add to calendar: ");
    // The preview text in a mail program comes before the heading.
    let seen = html.split_once("<h1").map(|(_, seen)| seen.to_owned()).expect("a heading");
    for body in [&text, &seen] {
        let order = [
            "Registration Complete!",
            "Lash Extensions - Volume",
            "Brows - Lamination",
            "March 28-29, 2026, 9:30 AM to 8:00 PM",
            "1 Sample Lake Drive",
            "Send your photos",
            ", was due by March 1, 2026 at 11:59 PM (Eastern Time)",
            "Judges score",
            ", March 29 at 3:00 PM",
            "Photos were due by the deadline set in the Artist Portal: March 1, 2026 at 11:59 PM (Eastern Time).",
            "Sample Brow Brand LLC",
            "Competition Terms",
            "ada@example.com",
            "hello@example.com",
            "+1 201-555-0100",
        ];
        let places: Vec<usize> = order
            .iter()
            .map(|part| {
                if part.contains('@') {
                    body.rfind(part)
                } else {
                    body.to_lowercase().find(&part.to_lowercase())
                }
            })
            .zip(order)
            .map(|(at, part)| at.unwrap_or_else(|| panic!("'{part}' is missing in\n{body}")))
            .collect();
        assert!(places[..12].is_sorted(), "{places:?}\n{body}");
        for link in ["/event.ics", "/schedule", "/artist-portal"].map(|path| format!("{url}{path}")) {
            assert!(body.contains(&link), "{link}");
        }
        assert!(body.contains("https://www.google.com/maps/search/?api=1"), "{body}");
        assert!(body.contains("1 additional category"), "{body}");
        assert!(body.contains("Your payment has arrived") && !body.contains("on its way"), "{body}");
        assert_eq!(body.to_lowercase().matches("your receipt").count(), 1, "{body}");
        // The answers have all categories in one row.
        assert!(!body.contains("First additional") && !body.contains("Subcategory"), "{body}");
        assert!(!body.contains("I agree to"), "what was agreed to is said once: {body}");
    }
    assert!(text.contains("Categories: Lash Extensions - Volume, Brows - Lamination\n"), "{text}");
    assert!(html.contains(&format!(
        "<img src=\"{url}/icon-192.png\" width=\"40\" height=\"40\" alt=\"A fan of lashes\""
    )));
    let server = site.server.get("/icon-192.png", &[]);
    assert_eq!((server.status, server.header("content-type")), (200, "image/png"));
}

#[test]
fn a_confirmation_of_an_application_or_signup_invites_nobody_and_says_how_to_reach_us() {
    let (place, server) = served("");
    for kind in FREE_KINDS {
        assert_eq!(server.post(&path(kind), &whole(kind)).status, 201);
        let queued = format!("cause like 'confirmation/{kind}/%'");
        let is_sponsor = kind.as_str().starts_with("sponsor");
        for body in [place.mail_text(&queued), unescaped(&place.mail_html(&queued))] {
            let id: i64 = place.sql(&format!("select registration_id from outbox where {queued}"));
            let number = format!("Your number with us is {id}.");
            for part in [number.as_str(), "+1 201-555-0100", "Long texts are kept with us"] {
                assert!(body.contains(part), "{kind}: {part}\n{body}");
            }
            for part in
                ["March 28-29, 2026, 9:30", "1 Sample Lake Drive", "/event.ics", "/schedule", "See you in"]
            {
                assert!(!body.contains(part), "{kind}: {part}\n{body}");
            }
            assert!(
                body.contains(if is_sponsor { "partners@example.com" } else { "hello@example.com" }),
                "{kind}"
            );
            assert!(!body.contains("answer this mail"), "{kind}");
        }
    }
}
