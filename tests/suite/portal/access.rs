//! Competitors get in by a link that works until it is revoked, or by a code; strangers learn nothing.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::portal::portal_site::{Portal, artist_link};
use crate::support::content::{closed_portal, import};
use crate::support::{limit_files, text, wait_for};

#[test]
fn a_link_opens_a_session_again_and_again_until_all_are_ended() {
    let portal = Portal::open();
    portal.enter("ada@example.com");
    let link = portal.ask_for_link("Ada@Example.com");
    let cookies: Vec<String> = (0..2).map(|_| portal.sign_in_with(&json!({ "token": link.token }))).collect();
    for cookie in &cookies {
        let session = portal.server.get("/api/artist/session", &[("cookie", cookie)]).json();
        assert_eq!(session, json!({ "signedIn": true, "email": "ada@example.com" }));
    }
    let own = portal.server.get("/api/artist/nominations", &[("cookie", &cookies[0])]).json();
    let code = own["tickets"][0].as_str().expect("a ticket");
    assert_eq!(portal.server.get(&format!("/t/{code}"), &[]).status, 200);
    let sessions: Vec<&str> = cookies.iter().filter_map(|cookie| Some(cookie.split_once('=')?.1)).collect();
    portal.place.assert_not_stored("ada@example.com", &[&[link.token.as_str()], &sessions[..]].concat());
    // One of them signs out by itself.
    let first = [("cookie", cookies[0].as_str())];
    assert_eq!(portal.server.send("DELETE", "/api/artist/session", &first, "").status, 204);
    assert!(!portal.is_signed_in(&cookies[0]) && portal.is_signed_in(&cookies[1]));
    let second = [("cookie", cookies[1].as_str())];
    assert_eq!(portal.server.send("POST", "/api/artist/session/end-all", &second, "").status, 204);
    assert!(!portal.is_signed_in(&cookies[1]));
    for body in [json!({ "token": link.token }), json!({ "email": "ada@example.com", "code": link.code })] {
        assert_eq!(portal.server.post("/api/artist/session", &body).status, 401, "{body}");
    }
}

#[test]
fn a_code_opens_one_session_and_dies_after_five_wrong_tries_or_ten_minutes() {
    let portal = Portal::open();
    portal.enter("ada@example.com");
    let try_code = |code: &str| {
        let body = json!({ "email": "ada@example.com", "code": code });
        portal.server.post("/api/artist/session", &body).status
    };
    let wrong = |right: &str| if right == "000000" { "000001" } else { "000000" };
    let first = portal.ask_for_link("ada@example.com");
    for expected in [401; 4] {
        assert_eq!(try_code(wrong(&first.code)), expected);
    }
    assert_eq!(try_code(&first.code), 204, "the fifth try is the right one");
    assert_eq!(try_code(&first.code), 401, "a code works once");
    let second = portal.ask_for_link("ada@example.com");
    assert_eq!((try_code(&first.code), try_code(&second.code)), (401, 204), "the newest one counts");
    let third = portal.ask_for_link("ada@example.com");
    for _ in 0..5 {
        assert_eq!(try_code(wrong(&third.code)), 401);
    }
    assert_eq!(try_code(&third.code), 401, "it was tried too often");
    for (minutes, status) in [(9, 204), (10, 401)] {
        let code = portal.ask_for_link("ada@example.com").code;
        let older = format!(
            "update artist_codes set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-{minutes} minutes')"
        );
        portal.place.execute(&older);
        assert_eq!(try_code(&code), status, "{minutes} minutes");
    }
}

#[test]
fn the_answer_to_a_code_that_was_sent_slowly_does_not_come_sooner() {
    let portal = Portal::open();
    let body = json!({ "email": "ada@example.com", "code": "000000" }).to_string();
    let (first, last) = body.split_at(9);
    let mut stream = portal.server.connect();
    write!(
        stream,
        "POST /api/artist/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{first}",
        body.len()
    )
    .expect("sent");
    // Longer than a code is answered after.
    std::thread::sleep(Duration::from_millis(700));
    let sent = Instant::now();
    stream.write_all(last.as_bytes()).expect("sent");
    let mut answer = [0; 4096];
    let read = stream.read(&mut answer).expect("an answer");
    assert!(answer[..read].starts_with(b"HTTP/1.1 401 "), "{}", text(&answer[..read]));
    assert!(sent.elapsed() >= Duration::from_millis(490), "{:?}", sent.elapsed());
}

#[test]
fn a_stranger_gets_the_same_answers_and_no_email() {
    let portal = Portal::open();
    portal.enter("ada@example.com");
    portal.site.request_intent("unpaid", &crate::support::paid_site::entry("bea@example.com"));
    let server = &portal.server;
    let mut answers = Vec::new();
    for email in ["bea@example.com", "nobody@example.com", "ada@example.com"] {
        let reply = server.post("/api/artist/links", &json!({ "email": email }));
        answers.push((reply.status, reply.text()));
    }
    assert!(answers.iter().all(|answer| *answer == answers[2] && answer.0 == 202), "{answers:?}");
    // The last one is Ada's, and each is handled before the next can be.
    let mails = || portal.place.sql::<i64>("select count(*) from outbox where template = 'artist-link'");
    wait_for("Ada's email", || (mails() > 0).then_some(()));
    assert_eq!(mails(), 1);
    let codes: Vec<_> = ["ada@example.com", "nobody@example.com"]
        .map(|email| server.post("/api/artist/session", &json!({ "email": email, "code": "abc" })))
        .map(|reply| (reply.status, reply.text()))
        .into();
    assert!(codes[0] == codes[1] && codes[0].0 == 401, "{codes:?}");
    for (body, status) in [
        (json!({}), 422),
        (json!({ "email": "" }), 202),
        (json!({ "email": "no address" }), 202),
        (json!({ "email": 7 }), 400),
        (json!([]), 400),
    ] {
        assert_eq!(server.post("/api/artist/links", &body).status, status, "{body}");
    }
    for (body, status) in [
        (json!({}), 422),
        (json!({ "email": "ada@example.com" }), 422),
        (json!({ "token": "" }), 401),
        (json!({ "token": "../../etc" }), 401),
        (json!({ "token": 7 }), 400),
    ] {
        assert_eq!(server.post("/api/artist/session", &body).status, status, "{body}");
    }
}

#[test]
fn a_mailbox_gets_ten_links_a_day() {
    let portal = Portal::open();
    portal.enter("ada@example.com");
    for _ in 0..10 {
        portal.ask_for_link("ada@example.com");
    }
    portal.server.post("/api/artist/links", &json!({ "email": "ada@example.com" })).expect(202);
    // Another person's link is made after it.
    portal.enter("bea@example.com");
    portal.ask_for_link("bea@example.com");
    let links = "select count(*) from artist_links where email = 'ada@example.com'";
    assert_eq!(portal.place.sql::<i64>(links), 10);
}

#[test]
fn a_network_that_guesses_is_stopped_and_right_codes_never_count() {
    let portal = Portal::with(
        "[limits]\nsign_ins_per_minute = 1\nwrites_per_minute = 0\nmegabytes_per_day = 0\nconfirmations_per_day = 0\n",
    );
    portal.enter("ada@example.com");
    for _ in 0..5 {
        portal.sign_in("ada@example.com");
    }
    let guess = || portal.server.post("/api/artist/session", &json!({ "token": "guess" }));
    let statuses: Vec<u16> = (0..4).map(|_| guess().status).collect();
    assert_eq!(statuses, [401, 401, 401, 429]);
    assert!(!guess().header("retry-after").is_empty());
}

#[test]
fn a_write_from_another_site_is_refused() {
    let (portal, cookie) = Portal::with_artist();
    let foreign = [("cookie", cookie.as_str()), ("origin", "https://evil.example")];
    for (method, path) in [("DELETE", "session"), ("POST", "session/end-all")] {
        let reply = portal.server.send(method, &format!("/api/artist/{path}"), &foreign, "");
        assert_eq!(reply.status, 403, "{path}");
    }
    assert!(portal.is_signed_in(&cookie));
}

#[test]
fn the_organiser_sees_the_email_without_what_opens_a_session() {
    let portal = Portal::open();
    portal.enter("ada@example.com");
    let link = portal.ask_for_link("ada@example.com");
    let id: i64 = portal.place.sql("select id from outbox where template = 'artist-link'");
    let cookie = portal.site.cookie();
    let headers = [("cookie", cookie.as_str())];
    let shown = portal.server.get(&format!("/api/outbox/{id}"), &headers).text();
    let html = portal.server.get(&format!("/api/outbox/{id}/html"), &headers).text();
    let printed = text(&portal.place.run(&["outbox", "show", &id.to_string()]).stdout);
    let exported = portal.place.done(&["person", "export", "ada@example.com"]);
    for seen in [shown, html, printed, exported] {
        assert!(seen.contains("(hidden)"), "{seen}");
        assert!(!seen.contains(&link.token) && !seen.contains(&link.code), "{seen}");
    }
}

#[test]
fn there_is_nothing_while_the_portal_is_closed() {
    let (portal, cookie) = Portal::with_artist();
    assert!(
        portal.server.get("/competition", &[]).text().contains("set in the Artist Portal: March 1, 2056")
    );
    import(&portal.place, &closed_portal());
    let headers = [("cookie", cookie.as_str())];
    wait_for("the closed portal", || {
        (portal.server.get("/api/artist/session", &headers).status == 404).then_some(())
    });
    portal.server.post("/api/artist/links", &json!({ "email": "ada@example.com" })).expect(404);
    for page in ["/competition", "/faq", "/terms", "/enter-competition"] {
        let page = portal.server.get(page, &[]).text();
        assert!(!page.contains("Artist Portal"));
    }
    assert!(artist_link(&portal.place, "nobody@example.com").is_none());
}

#[test]
fn on_a_full_disk_a_competitor_who_is_signed_in_reads_on() {
    let (portal, cookie) = Portal::with_artist();
    let (place, server) = (&portal.place, &portal.server);
    let earlier =
        "update artist_sessions set last_seen_at = strftime('%Y-%m-%dT%H:%M:%fZ', last_seen_at, '-2 hours')";
    place.execute(earlier);
    // Files may not grow any more, which looks like a full disk.
    limit_files(server, &place.path("showcase.db-wal").metadata().expect("the log").len().to_string());
    server.get("/api/artist/nominations", &[("cookie", &cookie)]).expect(200);
}
