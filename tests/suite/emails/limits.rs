//! The limits of emails: for one address, for the organiser and per hour.

use serde_json::{Value, json};

use crate::support::paid_site::{PaidSite, entry};
use crate::support::samples::give_content;
use crate::support::smtp::{Behaviour, SmtpServer};
use crate::support::{Place, Server, served, speaker, text, wait_for, waitlist};

/// Without limits on requests, so that only the limits on emails apply.
const NO_REQUEST_LIMITS: &str = "[limits]\nwrites_per_minute = 0\nmegabytes_per_day = 0\n";
/// A mail server that accepts every connection.
const ACCEPTS_ALL: Behaviour = Behaviour { max_connections: usize::MAX, min_concurrent: 1 };

fn judge(email: &str) -> Value {
    json!({
        "name": "Ada Sample", "email": email, "phone": "+1 201-555-0101", "company": "Sample Studio", "expertise": "makeup",
        "experience": "e".repeat(50), "availability": "both-days", "termsAccepted": true, "photographyConsent": true
    })
}

fn inquiry(email: &str) -> Value {
    json!({ "company": "Sample Brand", "email": email, "interest": "booth" })
}

/// Sends a form and returns `mailed`, or the reason why it was held for review.
fn outcome(place: &Place, server: &Server, kind: &str, body: &Value) -> String {
    let reply = server.post(&format!("/api/{kind}"), body);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let fields: Vec<String> = reply.json().as_object().expect("an object").keys().cloned().collect();
    assert_eq!(fields, ["id", "createdAt"], "the answer does not show whether the form is held");
    let (table, id) = (kind.replace('-', "_"), reply.json()["id"].clone());
    let mails: i64 =
        place.sql(&format!("select count(*) from outbox where cause = 'confirmation/{kind}/{id}'"));
    let aside: Option<String> = place.sql(&format!("select set_aside_reason from {table} where id = {id}"));
    assert_eq!(mails, i64::from(aside.is_none()), "{kind} {id}");
    aside.unwrap_or_else(|| "mailed".into())
}

#[test]
fn an_address_gets_two_confirmations_an_hour_of_each_kind_and_five_a_day_in_total() {
    let (place, server) = served(NO_REQUEST_LIMITS);
    let send = |kind: &str, body: Value| outcome(&place, &server, kind, &body);
    // A first form of each kind is never held for review.
    assert_eq!(send("speaker-applications", speaker()), "mailed");
    assert_eq!(send("judge-applications", judge("ada@example.com")), "mailed");
    assert_eq!(send("sponsor-inquiries", inquiry("ada@example.com")), "mailed");
    // One mailbox in four spellings.
    let mut outcomes = Vec::new();
    for email in ["victim@gmail.com", "Victim@Gmail.com", "victim+1@gmail.com", "v.ictim@googlemail.com"] {
        outcomes.push(send("waitlist-signups", waitlist(email)));
    }
    assert_eq!(outcomes, ["mailed", "mailed", "repeated_address", "repeated_address"]);
    assert_eq!(send("waitlist-signups", waitlist("someone.else@gmail.com")), "mailed");
    let mut outcomes = Vec::new();
    for email in ["victim+a@gmail.com", "victim+b@gmail.com"] {
        outcomes.push(send("judge-applications", judge(email)));
        outcomes.push(send("sponsor-inquiries", inquiry(email)));
    }
    assert_eq!(outcomes, ["mailed", "mailed", "mailed", "repeated_address"], "the sixth of the day");
    // An hour later the hourly limit of the kind allows one again, but not the daily limit.
    place.execute("update outbox set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-61 minutes')");
    assert_eq!(send("waitlist-signups", waitlist("victim@gmail.com")), "repeated_address");
    place.execute("update outbox set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-25 hours')");
    assert_eq!(send("waitlist-signups", waitlist("victim@gmail.com")), "mailed");
}

#[test]
fn concurrent_requests_do_not_exceed_a_limit_and_zero_means_no_limit() {
    for (limits, mails) in [("", 2), ("confirmations_per_day = 0\n", 24)] {
        let (place, server) = served(&format!("{NO_REQUEST_LIMITS}{limits}"));
        std::thread::scope(|scope| {
            for index in 0..24 {
                let server = &server;
                let body = waitlist(&format!("victim+{index}@example.com"));
                scope.spawn(move || assert_eq!(server.post("/api/waitlist-signups", &body).status, 201));
            }
        });
        assert_eq!(place.sql::<i64>("select count(*) from outbox"), mails, "{limits}");
        let aside = "select count(*) from waitlist_signups where set_aside_reason = 'repeated_address' and status = 'set_aside'";
        assert_eq!(place.sql::<i64>(aside), 24 - mails, "{limits}");
    }
}

#[test]
fn receipts_are_sent_even_if_the_address_has_reached_its_limits() {
    let mut site = PaidSite::start();
    let settings = std::fs::read_to_string(site.place.path("config.toml")).expect("a file");
    let settings = settings.replace("confirmations_per_day = 0", "confirmations_per_day = 1");
    std::fs::write(site.place.path("config.toml"), settings).expect("a file");
    site.restart();
    assert_eq!(site.server.post("/api/waitlist-signups", &waitlist("ada@example.com")).status, 201);
    for key in ["fill-1", "fill-2", "fill-3"] {
        site.enter_and_pay(key, &entry("ada@example.com"));
    }
    assert_eq!(site.assert_books_agree(), 3, "each paid entry has its one receipt");
    // Receipts do not count against the limits of the address either.
    site.server.post("/api/judge-applications", &judge("ada@example.com"));
    assert_eq!(site.place.sql::<i64>("select count(*) from outbox where kind <> 'competition-entries'"), 1);
}

#[test]
fn after_the_hourly_limit_of_notices_the_organiser_gets_one_that_points_to_the_dashboard() {
    let place = Place::new(&format!("{NO_REQUEST_LIMITS}[reports]\nrecipient = 'office@example.com'\n"));
    give_content(&place, &[("notify_organiser = false", "notify_organiser = true")]);
    let server = place.serve();
    for index in 0..65 {
        let body = waitlist(&format!("p{index}@example.com"));
        assert_eq!(server.post("/api/waitlist-signups", &body).status, 201);
    }
    let to_organiser = "recipient = 'office@example.com'";
    assert_eq!(place.sql::<i64>(&format!("select count(*) from outbox where {to_organiser}")), 61);
    let last = format!("{to_organiser} order by id desc limit 1");
    let subject: String = place.sql(&format!("select subject from outbox where {last}"));
    assert_eq!(subject, "More registrations are coming in");
    assert!(place.mail_text(&last).contains("/export-data"), "{}", place.mail_text(&last));
    assert_eq!(place.sql::<i64>("select count(*) from outbox where cause like 'confirmation/%'"), 65);
}

#[test]
fn beyond_the_hourly_limit_emails_wait_the_organiser_is_warned_and_receipts_go_first() {
    let mails = SmtpServer::start(ACCEPTS_ALL);
    let site = PaidSite::start();
    let settings = std::fs::read_to_string(site.place.path("config.toml")).expect("a file");
    for index in 0..6 {
        let body = waitlist(&format!("p{index}@example.com"));
        assert_eq!(site.server.post("/api/waitlist-signups", &body).status, 201);
    }
    let intent = site.create_intent("fill-1", &entry("ada@example.com"));
    site.stripe.pay(&intent);
    assert_eq!(site.save(&entry("ada@example.com"), &intent).status, 201);
    std::fs::write(
        site.place.path("config.toml"),
        format!(
            "{settings}mails_per_hour = 3\n{}[reports]\nrecipient = 'office@example.com'\n",
            mails.settings(1)
        ),
    )
    .expect("a file");
    let mut site = site;
    site.restart();
    // The receipt, two confirmations, and the alarm, which has no limit.
    wait_for("the alarm", || (mails.recipients().len() == 4).then_some(()));
    let sent = ["ada@example.com", "p0@example.com", "p1@example.com", "office@example.com"];
    assert_eq!(mails.recipients(), sent);
    let waiting = "select count(*) from outbox where state = 'waiting'";
    site.place.wait_for_sql("the note of the alarm", waiting, 4);
    let alarm = site.place.mail_text("recipient = 'office@example.com'");
    assert!(alarm.contains("More than 3 emails") || alarm.contains("3 emails"), "{alarm}");
    let cookie = site.cookie();
    let matters = site.server.get("/api/attention", &[("cookie", &cookie)]).text();
    assert!(matters.contains("4 more are held back"), "{matters}");
    // Receipts do not wait.
    site.enter_and_pay("fill-2", &entry("bea@example.com"));
    wait_for("the second receipt", || (mails.recipients().len() == 5).then_some(()));
    assert_eq!(mails.recipients()[4], "bea@example.com");
    let sent = "select count(*) from outbox where state = 'sent'";
    site.place.wait_for_sql("the note of all five", sent, 5);
    // The rest is sent as soon as the hourly limit allows it.
    let later = "update outbox set sent_at = strftime('%Y-%m-%dT%H:%M:%fZ', sent_at, '-61 minutes') where state = 'sent'";
    site.place.execute(later);
    wait_for("the next three", || (mails.recipients().len() == 8).then_some(()));
    assert!(mails.accepted().iter().all(|count| *count == 1), "{:?}", mails.accepted());
    assert_eq!(site.place.sql::<i64>("select count(*) from outbox where cause like 'trouble/%'"), 1);
}

/// Queues this many confirmations while there is no mail server.
fn queued(place: &Place, count: usize) {
    let server = place.serve();
    for index in 0..count {
        let body = waitlist(&format!("p{index}@example.com"));
        assert_eq!(server.post("/api/waitlist-signups", &body).status, 201);
    }
}

#[test]
fn several_emails_are_sent_in_parallel_and_fewer_to_a_server_that_refuses_connections() {
    for (max_connections, min_concurrent, connections, emails) in [(usize::MAX, 3, 3, 30), (1, 1, 4, 20)] {
        let mails = SmtpServer::start(Behaviour { max_connections, min_concurrent });
        let place = Place::new("");
        queued(&place, emails);
        std::fs::write(place.path("config.toml"), mails.settings(connections)).expect("a file");
        let _server = place.serve();
        wait_for("all of them", || {
            let sent = "select count(*) from outbox where state = 'sent'";
            (place.sql::<i64>(sent) == emails as i64).then_some(())
        });
        assert_eq!(mails.accepted(), vec![1; emails], "each exactly once");
        if max_connections > 1 {
            assert_eq!(mails.max_offered(), 3, "three at once, and never more");
        } else {
            assert!(mails.refused() > 0, "the server did refuse connections");
            // A refused connection does not count as an attempt to send an email.
            assert_eq!(place.sql::<i64>("select sum(attempts) from outbox"), emails as i64);
        }
    }
}

#[test]
fn the_emails_of_a_flood_are_discarded_by_address_kind_and_time() {
    let (place, server) = served(NO_REQUEST_LIMITS);
    for email in ["bea@example.com", "flood1@example.net", "flood2@example.net"] {
        assert_eq!(outcome(&place, &server, "waitlist-signups", &waitlist(email)), "mailed");
    }
    assert_eq!(outcome(&place, &server, "sponsor-inquiries", &inquiry("Flood1@example.net")), "mailed");
    place.execute(
        "update outbox set created_at = '2026-01-01T00:00:00.000Z' where recipient = 'bea@example.com'",
    );
    let discard = |arguments: &[&str]| {
        let output = place.run(&[&["outbox", "discard"], arguments].concat());
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let waiting = || place.sql::<i64>("select count(*) from outbox where state = 'waiting'");
    // The command asks for a confirmation, which nobody gives here. A dry run needs none.
    let (code, _, errors) = discard(&["--to", "flood1@example.net"]);
    assert!(
        code == Some(1) && errors.contains("Discard 2 emails without sending?") && errors.contains("--yes"),
        "{errors}"
    );
    let (code, output, _) = discard(&["--to", "flood1@example.net", "--dry-run"]);
    assert_eq!((code, output.lines().next_back(), waiting()), (Some(0), Some("2"), 4), "{output}");
    assert!(output.contains("flood1@example.net") && !output.contains("bea@example.com"), "{output}");
    // Only emails that match all filters are discarded.
    let (code, output, errors) =
        discard(&["--to", "flood1@example.net", "--kind", "sponsor-inquiries", "--yes"]);
    assert_eq!((code, output.trim(), waiting()), (Some(0), "1", 3), "{errors}");
    let (code, output, errors) =
        discard(&["--kind", "waitlist-signups", "--since", "2026-01-02T00:00:00Z", "--yes"]);
    assert_eq!((code, output.trim(), waiting()), (Some(0), "2", 1), "{errors}");
    assert_eq!(
        place.sql::<String>("select recipient from outbox where state = 'waiting'"),
        "bea@example.com"
    );
    let audited = "select json_extract(detail, '$.count') from audit_log where action = 'mail discarded' order by id desc";
    assert_eq!(place.sql::<i64>(audited), 2);
    for wrong in [&[][..], &["1", "--to", "a@example.com"], &["--since", "yesterday"], &["--kind", "letters"]]
    {
        assert_eq!(discard(wrong).0, Some(2), "{wrong:?}");
    }
    let (code, output, _) = discard(&["--to", "nobody@example.com", "--yes"]);
    assert_eq!((code, output.trim()), (Some(0), "0"));
}

#[test]
fn emails_of_other_networks_go_before_those_of_a_flood() {
    let mails = SmtpServer::start(ACCEPTS_ALL);
    let (place, server) = served(&format!("[proxy]\ntrusted = ['127.0.0.1']\n{NO_REQUEST_LIMITS}"));
    let sign_up = |address: &str, email: &str| {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", address)];
        let reply = server.send("POST", "/api/waitlist-signups", &headers, &waitlist(email).to_string());
        assert_eq!(reply.status, 201, "{}", reply.text());
    };
    for number in 0..30 {
        sign_up(&format!("198.51.100.{number}"), &format!("flood{number}@example.net"));
    }
    sign_up("203.0.113.9", "bea@example.com");
    drop(server);
    std::fs::write(place.path("config.toml"), mails.settings(1)).expect("a file");
    let _server = place.serve();
    wait_for("all mails", || (mails.recipients().len() == 31).then_some(()));
    let position_of_bea = mails.recipients().iter().position(|to| to == "bea@example.com");
    assert!(position_of_bea.is_some_and(|position| position <= 1), "{:?}", mails.recipients());
}
