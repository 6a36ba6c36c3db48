//! The links of our emails, which a mail server's scanner opens before the person does: with GET and HEAD, and in a
//! browser whose script runs. `unsubscribe` does the same with its link.

use serde_json::{Value, json};

use super::mailings::AT_ONCE;
use crate::judging::judging_site::JudgingSite;
use crate::portal::portal_site::link_of_email;
use crate::support::paid_site::entry;
use crate::support::{Server, clock, wait_for, waitlist};
use showcase::store::portal::access::Audience;

const FORM: [(&str, &str); 1] = [("content-type", "application/x-www-form-urlencoded")];
const SCANNER: (&str, &str) = ("x-forwarded-for", "192.0.2.66");

/// Opens a page as a scanner does, from another address.
fn scan(server: &Server, path: &str) {
    for method in ["HEAD", "GET", "HEAD", "GET"] {
        let reply = server.send(method, path, &[SCANNER], "");
        assert_eq!(reply.status, 200, "{method} {path}");
    }
}

/// The address after the site's in the newest email to a person that has such a link.
fn link(site: &JudgingSite, start: &str, recipient: &str) -> String {
    let sql = format!("recipient = '{recipient}' and words like '%{start}%' order by id desc");
    wait_for("the email", || {
        let count = format!("select count(*) from outbox where {}", sql.replace(" order by id desc", ""));
        (site.place().sql::<i64>(&count) > 0).then(|| site.place().link_in(start, &sql))
    })
}

#[test]
fn a_link_that_a_scanner_has_opened_still_works_for_the_person() {
    let site = JudgingSite::with(0, &format!("{AT_ONCE}[proxy]\ntrusted = ['127.0.0.1']\n"));
    let server = &site.portal.server;
    let organise = |method: &str, path: &str, body: Value| {
        let reply = site.organise(method, path, &body);
        assert!(reply.status < 300, "{path}: {} {}", reply.status, reply.text());
        reply
    };
    site.portal.enter("ada@example.com");
    let ada = site.portal.sign_in("ada@example.com");
    let key = site.portal.nomination(&ada)["release"]["key"].as_str().expect("a key").to_owned();

    // Sign-in links: the page, and then its script, in two browsers. Each gets a session of its own.
    organise("POST", "/api/judges", json!({ "name": "Mona", "email": "mona@example.org" }));
    for (page, api, audience, person) in [
        ("/artist-portal", "/api/artist/session", Audience::Competitors, "ada@example.com"),
        ("/judge", "/api/judge/session", Audience::Judges, "mona@example.org"),
    ] {
        let token = wait_for("the email", || link_of_email(site.place(), audience, person)).token;
        scan(server, page);
        let body = json!({ "token": token }).to_string();
        let sign_in = |more: &[(&str, &str)]| {
            let headers = [&[("content-type", "application/json")], more].concat();
            let reply = server.send("POST", api, &headers, &body);
            assert_eq!(reply.status, 204, "{page}: {}", reply.text());
            reply.header("set-cookie").split(';').next().expect("a cookie").to_owned()
        };
        let (scanner, own) = (sign_in(&[SCANNER]), sign_in(&[]));
        assert_ne!(scanner, own);
        let session = server.get(api, &[("cookie", &own)]).json();
        assert_eq!(session["signedIn"], true, "{page}: {session}");
    }

    // The model's release.
    scan(server, &format!("/release?{key}"));
    scan(server, &format!("/api/releases/{key}"));
    let signed = json!({
        "name": "Mia Model", "adult": true, "signature": "Mia Model", "accepted": true, "version": "2025-10-01"
    });
    assert_eq!(server.post(&format!("/api/releases/{key}"), &signed).status, 200);

    // The receipt, and the ticket.
    let receipt = link(&site, "/receipt/", "ada@example.com");
    scan(server, &receipt);
    assert_eq!(server.send("POST", &receipt, &FORM, "taxId=12-3456789").status, 303);
    let code = site.place().sql::<String>("select code from tickets");
    let ticket = format!("/t/{code}");
    scan(server, &ticket);
    assert!(!server.get(&ticket, &[]).text().contains("This ticket is void"));
    assert_eq!(site.place().sql::<i64>("select count(*) from scans"), 0);

    // The ticket goes to somebody else.
    let holder = json!({ "name": "Bea Sample", "email": "bea@example.com", "reason": "She is ill" });
    organise("POST", "/api/competition-entries/1/transfer", holder);
    let transfer = link(&site, "/transfer/", "bea@example.com");
    scan(server, &transfer);
    assert_eq!(site.place().sql::<String>("select state from ticket_transfers"), "offered");
    assert_eq!(server.send("POST", &transfer, &FORM, "").status, 303);

    // An invitation from the waitlist, which its page's script asks about.
    for email in ["cleo@example.com", "dora@example.com"] {
        assert_eq!(server.post("/api/waitlist-signups", &waitlist(email)).status, 201);
    }
    organise("POST", "/api/waitlist-signups/1/invite", json!({ "holdsUntil": clock::stored_before(-24) }));
    let invitation = link(&site, "/enter-competition#invitation=", "cleo@example.com");
    let token = invitation.split_once('=').expect("a token").1;
    scan(server, "/enter-competition");
    for _ in 0..2 {
        let checked = server.post("/api/waitlist-invitations/check", &json!({ "token": token })).json();
        assert_eq!((&checked["holds"], &checked["email"]), (&json!(true), &json!("cleo@example.com")));
    }
    let mut entered = entry("cleo@example.com");
    entered["invitation"] = token.into();
    assert!(!site.portal.site.create_intent("key-cleo", &entered).is_empty());
}
