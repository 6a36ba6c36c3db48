//! Emails to groups: composing, pausing and stopping them, and sending each person exactly one even after failures.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::clock;
use crate::support::mail_server::{MailServer, settings};
use crate::support::paid_site::{PaidSite, entry};
use crate::support::smtp::{Behaviour, SmtpServer};
use crate::support::{ADMIN, Place, Reply, Server, migrated, open, served, speaker, wait_for, waitlist};

/// No rate and no ceiling, so that a test need not wait.
pub const AT_ONCE: &str = "[limits]\ngroup_mails_per_minute = 0\nmails_per_hour = 0\nwrites_per_minute = 0\nmegabytes_per_day = 0\n";
const FREELY: Behaviour = Behaviour { max_connections: usize::MAX, min_concurrent: 1 };

/// A signed-in organiser.
pub struct Organiser<'a> {
    pub server: &'a Server,
    session: String,
}

impl Organiser<'_> {
    pub fn of(server: &Server) -> Organiser<'_> {
        Organiser { server, session: server.sign_in() }
    }

    pub fn call(&self, method: &str, path: &str, body: &Value) -> Reply {
        self.server.call(&self.session, method, &format!("/api/mailings{path}"), body)
    }

    /// As [`Organiser::call`], if the mailing is still in the version of this tag.
    pub fn call_if(&self, tag: &str, method: &str, path: &str, body: &Value) -> Reply {
        self.server.call_if(&self.session, tag, method, &format!("/api/mailings{path}"), body)
    }

    /// The JSON of a call that succeeds.
    pub fn done(&self, method: &str, path: &str, body: &Value) -> Value {
        let reply = self.call(method, path, body);
        assert!(reply.status < 300, "{method} {path}: {} {}", reply.status, reply.text());
        reply.json()
    }

    /// A draft's id.
    pub fn draft(&self, group: &Value, subject: &str, text: &str) -> i64 {
        let draft = json!({ "group": group, "subject": subject, "text": text });
        self.done("POST", "", &draft)["id"].as_i64().expect("an id")
    }

    /// The errors of a refused call.
    fn refused(&self, method: &str, path: &str, body: &Value) -> Value {
        let reply = self.call(method, path, body);
        assert_eq!(reply.status, 422, "{method} {path} {body}: {}", reply.text());
        reply.json()["errors"].clone()
    }

    fn progress(&self, id: i64) -> Value {
        self.done("GET", &format!("/{id}"), &Value::Null)["progress"].clone()
    }

    /// Waits until every email of a mailing was sent, refused or left out.
    fn wait_until_done(&self, id: i64) -> Value {
        wait_for("the mailing", || {
            let mailing = self.done("GET", &format!("/{id}"), &Value::Null);
            let progress = &mailing["progress"];
            (mailing["state"] == "sent" && progress["queued"] == 0).then(|| progress.clone())
        })
    }
}

/// A place whose mailings wait outside the outbox: its ceiling of this hour is reached.
fn held_back() -> Place {
    let place = migrated(&format!("{ADMIN}{}[limits]\nmails_per_hour = 1\n", settings(9, "none")));
    let sent = "insert into outbox (created_at, due_at, sent_at, state, cause, message_id, recipient, subject, written)
                values (?1, ?1, ?1, 'sent', 'sent before', '<sent@before>', 'site@example.com', 's', '{}')";
    place.execute_with(sent, [clock::stored_before(0)]);
    place
}

fn waitlist_group() -> Value {
    json!({ "kind": "waitlist-signups" })
}

/// Puts this many people on the waitlist, without their confirmations: Person A is `p1@example.com`, and so on.
pub fn fill_waitlist(place: &Place, people: u32) {
    place.execute_with(
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
             insert into waitlist_signups (created_at, name, email, want_to_compete, additional_nominations)
             select ?2, 'Person ' || char(64 + i % 26), 'p' || i || '@example.com', 1, '0' from n",
        (people, clock::stored_before(0)),
    );
}

/// The recipients of the emails of all mailings, in order.
pub fn queued(place: &Place) -> Vec<String> {
    let connection = open(&place.database());
    let sql = "select recipient from outbox where cause like 'mailing/%' order by recipient";
    let mut statement = connection.prepare(sql).expect(sql);
    let rows = statement.query_map([], |row| row.get(0)).expect(sql);
    rows.collect::<rusqlite::Result<_>>().expect(sql)
}

#[test]
fn everybody_in_a_group_gets_one_email_with_their_own_name() {
    let mails = SmtpServer::start(FREELY);
    let (place, server) = served(&format!("{ADMIN}{}{AT_ONCE}", mails.settings(2)));
    let organiser = Organiser::of(&server);
    for (name, email) in
        [("Bea <b>Bold", "bea@example.com"), ("Bea again", "BEA@example.com"), ("Cleo", "cleo@example.com")]
    {
        let mut person = waitlist(email);
        person["name"] = name.into();
        assert_eq!(server.post("/api/waitlist-signups", &person).status, 201);
    }
    let mut held = waitlist("held@example.com");
    held["referralNote"] = "x".into();
    assert_eq!(server.post("/api/waitlist-signups", &held).status, 201);
    assert_eq!(server.post("/api/speaker-applications", &speaker()).status, 201);
    let all = json!({ "kind": "all" });
    assert_eq!(organiser.done("POST", "/count", &json!({ "group": all }))["recipients"], 3);
    let id = organiser.draft(
        &all,
        "News for {name}",
        "Dear {{ name }},\n\n<script>alert(1)</script> at {event}.\nBye",
    );
    let draft = organiser.done("GET", &format!("/{id}"), &Value::Null);
    assert_eq!((&draft["state"], &draft["progress"]["recipients"]), (&json!("draft"), &json!(3)));
    assert_eq!(draft["text"], "Dear {name},\n\n<script>alert(1)</script> at {event}.\nBye");
    let sent = organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    assert!(sent["startedAt"].is_string(), "{sent}");
    let progress = organiser.wait_until_done(id);
    assert_eq!((&progress["sent"], &progress["failed"]), (&json!(3), &json!(0)), "{progress}");
    assert_eq!(queued(&place), ["BEA@example.com", "ada@example.com", "cleo@example.com"]);
    let of_bea = "cause like 'mailing/%' and recipient = 'BEA@example.com'";
    let said = place.mail_text(of_bea);
    assert!(said.starts_with("Dear Bea again,\n\n<script>"), "{said}");
    assert!(said.contains("/unsubscribe/"), "{said}");
    let html = place.mail_html(of_bea);
    assert!(html.contains("&lt;script&gt;") && !html.contains("<script"), "{html}");
    assert_eq!(
        place.sql::<String>(&format!("select subject from outbox where {of_bea}")),
        "News for Bea again"
    );
    let lines = "select group_concat(action) from (select action from audit_log where action like 'mailing %' order by id)";
    assert_eq!(place.sql::<String>(lines), "mailing drafted,mailing sent,mailing ended");
    assert!(!place.log().contains("example.com"), "{}", place.log());
}

#[test]
fn a_text_that_greets_is_sent_as_it_is_and_names_that_no_greeting_uses_are_shown() {
    let (_place, server) = served(ADMIN);
    for (name, email) in [("Ada", "ada@example.com"), ("Lashes 4 U", "lashes@example.com")] {
        let mut person = waitlist(email);
        person["name"] = name.into();
        assert_eq!(server.post("/api/waitlist-signups", &person).status, 201);
    }
    let organiser = Organiser::of(&server);
    for (text, greetings) in [("Hello {name},\n\nDoors open at nine.", 1), ("Doors open at nine.", 1)] {
        let id = organiser.draft(&waitlist_group(), "News", text);
        let shown = organiser.done("GET", &format!("/{id}/preview"), &Value::Null);
        let first = shown["items"][0]["text"].as_str().expect("a text");
        assert_eq!(first.matches("Ada").count(), greetings, "{first}");
        assert_eq!(shown["unnamed"], json!(["Lashes 4 U"]));
        let html = organiser.call("GET", &format!("/{id}/preview/html"), &Value::Null).text();
        assert_eq!(html.matches("Hello Ada,</p>").count(), greetings, "{html}");
    }
}

#[test]
fn one_recipient_whose_email_cannot_be_written_stops_no_other() {
    let mails = SmtpServer::start(FREELY);
    let (place, server) = served(&(mails.settings(1) + ADMIN + AT_ONCE));
    for number in 0..20 {
        server.post("/api/waitlist-signups", &waitlist(&format!("p{number}@example.com")));
    }
    wait_for("the confirmations", || (mails.recipients().len() == 20).then_some(()));
    let fails = "create trigger broken before insert on outbox
         when new.recipient = 'p3@example.com' and new.template <> 'uncomposed' begin select raise(abort, 'broken'); end";
    place.execute(fails);
    let organiser = Organiser::of(&server);
    let id = organiser.draft(&waitlist_group(), "News", "Doors open at nine.");
    organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    wait_for("the others", || (mails.recipients().len() == 39).then_some(()));
    let progress = wait_for("the end", || {
        let mailing = organiser.done("GET", &format!("/{id}"), &Value::Null);
        (mailing["state"] == "sent" && mailing["progress"]["sent"] == 19).then(|| mailing["progress"].clone())
    });
    assert_eq!((&progress["failed"], &progress["waiting"]), (&json!(1), &json!(0)), "{progress}");
    let reason: String = place.sql("select last_error from outbox where state = 'failed'");
    assert!(reason.contains("broken"), "{reason}");
}

#[test]
fn a_group_is_counted_live_and_frozen_when_it_is_sent() {
    let place = held_back();
    let server = place.serve();
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 3);
    let id = organiser.draft(&waitlist_group(), "s", "t");
    assert_eq!(organiser.progress(id)["recipients"], 3);
    fill_waitlist(&place, 5);
    assert_eq!(organiser.progress(id)["recipients"], 5, "by address");
    organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    fill_waitlist(&place, 7);
    let progress = organiser.progress(id);
    assert_eq!((&progress["recipients"], &progress["waiting"]), (&json!(5), &json!(5)));
    assert_eq!(place.sql::<i64>("select count(*) from mailing_recipients"), 5);
}

#[test]
fn a_group_is_chosen_by_status_payment_and_category() {
    let site = PaidSite::start();
    let (place, server) = (&site.place, &site.server);
    for (fill, email) in [("fill-1", "ada@example.com"), ("fill-2", "bea@example.com")] {
        let intent = site.create_intent(fill, &entry(email));
        if email.starts_with("ada") {
            site.stripe.pay(&intent);
            assert_eq!(site.save(&entry(email), &intent).status, 201);
        }
    }
    assert_eq!(server.post("/api/speaker-applications", &speaker()).status, 201);
    let organiser = Organiser::of(server);
    server.decide(&organiser.session, "speaker-applications/1", &json!({ "status": "accepted" }));
    let category: String = place.sql("select primary_category from competition_entries limit 1");
    for (group, expected) in [
        (json!({ "kind": "competition-entries" }), 2),
        (json!({ "kind": "competition-entries", "paymentStatus": "paid" }), 1),
        (json!({ "kind": "competition-entries", "paymentStatus": ["paid", "pending"] }), 2),
        (json!({ "kind": "competition-entries", "category": category }), 2),
        (json!({ "kind": "competition-entries", "category": "brows" }), 0),
        (json!({ "kind": "speaker-applications", "status": "accepted" }), 1),
        (json!({ "kind": "speaker-applications", "status": ["declined", "new"] }), 0),
        (json!({ "kind": "all", "status": "accepted" }), 1),
    ] {
        let count = organiser.done("POST", "/count", &json!({ "group": group }));
        assert_eq!(count["recipients"], expected, "{group}");
    }
    // The fee of her nomination to it was refunded.
    let connection = open(&place.database());
    for (reason, expected) in [("'Refunded'", 1), ("null", 2)] {
        let withdrawn = format!("update nominations set state = 'withdrawn', reason = {reason}");
        connection.execute_batch(&withdrawn).expect("a withdrawn nomination");
        let group = json!({ "kind": "competition-entries", "category": category });
        let count = organiser.done("POST", "/count", &json!({ "group": group }));
        assert_eq!(count["recipients"], expected, "{reason}");
    }
    // People who withdrew or were declined do not take part, although their payment is kept.
    let taking_part = json!({
        "kind": "competition-entries",
        "paymentStatus": ["paid", "partially_refunded", "disputed", "complimentary"],
    });
    let with_status = |status: &str| {
        let mut group = taking_part.clone();
        group["status"] = status.into();
        group
    };
    let count =
        |group: &Value| organiser.done("POST", "/count", &json!({ "group": group }))["recipients"].clone();
    for (status, expected) in [("no_show", 1), ("declined", 0), ("withdrawn", 0), ("new", 1)] {
        let sql = "update competition_entries set status = ? where email = 'ada@example.com'";
        place.execute_with(sql, [status]);
        assert_eq!(count(&taking_part), expected, "{status}");
        assert_eq!(count(&with_status(status)), 1, "{status} is asked for");
        let all = json!({ "kind": "competition-entries" });
        assert_eq!(count(&all), 2, "{status}: without a condition");
    }
    let entries = json!({ "kind": "competition-entries", "paymentStatus": "paid" });
    let id = organiser.draft(&entries, "Entry {number}", "{name} enters {categories}.");
    let preview = organiser.done("GET", &format!("/{id}/preview"), &Value::Null);
    assert_eq!(preview["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(preview["items"][0]["subject"], "Entry 1");
    assert!(preview["items"][0]["text"].as_str().expect("a text").contains(" enters "), "{preview}");
}

#[test]
fn what_cannot_be_sent_is_refused_with_every_wrong_field() {
    let place = held_back();
    let server = place.serve();
    let organiser = Organiser::of(&server);
    let good = || json!({ "group": waitlist_group(), "subject": "s", "text": "t" });
    for (field, value, part) in [
        ("subject", json!("a\nb"), "one line"),
        ("subject", json!("a\r\nBcc: x@example.com"), "one line"),
        ("subject", json!("  "), "enter a subject"),
        ("subject", json!("s".repeat(201)), "at most 200"),
        ("subject", json!("{nmae}"), "there is no placeholder 'nmae'"),
        (
            "text",
            json!("a\n\n{{ nmae }}"),
            "Line 3: there is no placeholder 'nmae'. You can use {name}, {event}",
        ),
        ("text", json!("{{ {{ name }} }}"), "Line 1: a brace"),
        ("text", json!("{% if name %}x{% endif %}"), "Line 1: there is no placeholder"),
        ("text", json!("{categories}"), "there is no placeholder 'categories'"),
        ("text", json!(""), "enter a text"),
        ("text", json!("t".repeat(60_000)), "at most 10000"),
        ("text", json!("a\u{1b}b"), "control characters"),
        ("group", json!({ "kind": "competition-entries", "category": "nails" }), "no category 'nails'"),
        ("group", json!(null), "choose whom"),
        ("notice", json!("urgent"), "place, time, cancellation"),
    ] {
        let mut draft = good();
        draft[field] = value;
        let errors = organiser.refused("POST", "", &draft);
        assert!(errors[field].as_str().unwrap_or_default().contains(part), "{draft}: {errors}");
    }
    let errors = organiser.refused("POST", "", &json!({}));
    let fields: Vec<&String> = errors.as_object().expect("errors").keys().collect();
    assert_eq!(fields, ["group", "subject", "text"]);
    assert_eq!(organiser.call("POST", "", &json!({ "group": 1, "subject": "s", "text": "t" })).status, 400);
    let id = organiser.draft(&waitlist_group(), "s", "t");
    let nobody = organiser.refused("POST", &format!("/{id}/send"), &Value::Null);
    assert!(nobody["group"].as_str().expect("a message").contains("Nobody"), "{nobody}");
    assert_eq!(organiser.done("GET", &format!("/{id}"), &Value::Null)["state"], "draft");
    let missing = organiser.call("GET", "/99", &Value::Null);
    assert_eq!(missing.status, 404);
    let known = organiser.done("GET", "/placeholders", &Value::Null);
    assert_eq!(known["items"][0]["placeholder"], "{name}");
    assert!(known["items"].as_array().expect("a list").iter().all(|item| item["meaning"].is_string()));
}

#[test]
fn a_draft_is_changed_by_one_organiser_at_a_time_and_no_more_once_it_is_sent() {
    let place = held_back();
    let server = place.serve();
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 2);
    let id = organiser.draft(&waitlist_group(), "s", "t");
    let path = format!("/{id}");
    let first = organiser.call("GET", &path, &Value::Null);
    // A proxy that compressed it would weaken the tag.
    assert_eq!(first.header("cache-control"), "no-store, no-transform");
    let first = first.header("etag").to_owned();
    let better =
        organiser.call_if(&first, "PATCH", &path, &json!({ "subject": "better", "notice": "place" }));
    let (second, changed) = (better.header("etag").to_owned(), better.json());
    assert_ne!(second, first);
    assert_eq!((&changed["notice"], &changed["text"]), (&json!("place"), &json!("t")));
    let same = organiser.call_if(&second, "PATCH", &path, &json!({ "subject": " better " }));
    assert_eq!((same.status, same.header("etag")), (200, second.as_str()), "the same save changes nothing");
    for (method, path) in
        [("PATCH", path.clone()), ("POST", format!("{path}/send")), ("DELETE", path.clone())]
    {
        let late = organiser.call_if(&first, method, &path, &json!({ "subject": "mine" }));
        assert_eq!((late.status, late.header("etag")), (412, second.as_str()), "{method}: {}", late.text());
        assert_eq!(late.json()["current"]["subject"], "better", "{method}");
    }
    assert_eq!(organiser.call_if("2", "PATCH", &path, &json!({ "subject": "mine" })).status, 400);
    assert_eq!(organiser.done("PATCH", &path, &json!({ "notice": "" }))["notice"], Value::Null);
    // Two organisers press at the same time.
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let press = || scope.spawn(|| organiser.call("POST", &format!("{path}/send"), &Value::Null).status);
        let pressed: Vec<_> = (0..6).map(|_| press()).collect();
        pressed.into_iter().map(|press| press.join().expect("an answer")).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 5, "{statuses:?}");
    assert_eq!(place.sql::<i64>("select count(*) from mailing_recipients"), 2);
    for (method, body) in [("PATCH", json!({ "subject": "late" })), ("DELETE", Value::Null)] {
        assert_eq!(organiser.call(method, &path, &body).status, 409, "{method}");
    }
    let draft = organiser.draft(&waitlist_group(), "s", "t");
    organiser.done("DELETE", &format!("/{draft}"), &Value::Null);
    assert_eq!(organiser.call("GET", &format!("/{draft}"), &Value::Null).status, 404);
    let list = organiser.done("GET", "?pageSize=1", &Value::Null);
    assert_eq!((&list["total"], &list["items"][0]["id"]), (&json!(1), &json!(id)));
}

#[test]
fn a_preview_shows_three_real_people_and_a_test_goes_to_the_organiser() {
    let (place, server) = served(&format!("{ADMIN}[reports]\nrecipient = 'site@example.com'\n"));
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 9);
    let id = organiser.draft(&waitlist_group(), "For {name}", "Dear <i>{name}");
    let preview = organiser.done("GET", &format!("/{id}/preview"), &Value::Null);
    let items = preview["items"].as_array().expect("people");
    let people: BTreeSet<&str> = items.iter().filter_map(|item| item["recipient"].as_str()).collect();
    assert_eq!((items.len(), people.len()), (3, 3), "{preview}");
    assert_eq!(items[0]["subject"], "For Person A");
    assert!(items[0]["text"].as_str().expect("a text").contains("/unsubscribe/preview"));
    let html = organiser.call("GET", &format!("/{id}/preview/html?person=3"), &Value::Null);
    assert!(html.header("content-security-policy").contains("sandbox"));
    assert!(html.text().contains("Dear &lt;i&gt;Person"), "{}", html.text());
    for wrong in ["0", "4", "x", "-1"] {
        let path = format!("/{id}/preview/html?person={wrong}");
        assert_eq!(organiser.call("GET", &path, &Value::Null).status, 404, "{wrong}");
    }
    assert_eq!(place.sql::<i64>("select count(*) from outbox"), 0, "a preview queues nothing");
    let test = organiser.done("POST", &format!("/{id}/test"), &Value::Null);
    assert_eq!(test["recipient"], "site@example.com");
    organiser.done("POST", &format!("/{id}/test"), &json!({ "email": "ines@example.com" }));
    assert_eq!(
        place.sql::<String>(
            "select group_concat(recipient || ' ' || subject || ' ' || priority, ', ') from outbox"
        ),
        "site@example.com Test: For Person A 1, ines@example.com Test: For Person A 1"
    );
    let link = |recipient: &str| {
        let text = place.mail_text(&format!("recipient = '{recipient}'"));
        text.split("/unsubscribe/").nth(1).expect("a link").trim().to_owned()
    };
    assert_ne!(link("site@example.com"), link("ines@example.com"), "nobody else's link");
    assert_eq!(
        organiser.refused("POST", &format!("/{id}/test"), &json!({ "email": "x" }))["email"],
        "Please enter a valid email address"
    );
    assert_eq!(organiser.done("GET", &format!("/{id}"), &Value::Null)["state"], "draft");
}

#[test]
fn of_registrations_of_one_moment_the_last_one_counts() {
    let place = Place::new(ADMIN);
    let server = place.serve();
    fill_waitlist(&place, 10);
    open(&place.database())
        .execute_batch("update waitlist_signups set email = 'p@example.com'")
        .expect("one address");
    let organiser = Organiser::of(&server);
    let id = organiser.draft(&waitlist_group(), "For {name}", "News");
    organiser.done("POST", &format!("/{id}/test"), &json!({ "email": "ines@example.com" }));
    assert_eq!(place.sql::<String>("select subject from outbox"), "Test: For Person J");
}

#[test]
fn a_mailing_is_paused_resumed_and_stopped() {
    let place = held_back();
    let server = place.serve();
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 4);
    let id = organiser.draft(&waitlist_group(), "Hello all", "t");
    for action in ["pause", "stop"] {
        assert_eq!(organiser.call("POST", &format!("/{id}/{action}"), &Value::Null).status, 409, "{action}");
    }
    let sent = organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    assert_eq!(sent["progress"]["recipients"], 4, "{sent}");
    let again = organiser.call("POST", &format!("/{id}/send"), &Value::Null);
    assert!(again.status == 409 && again.text().contains("is being sent already"), "{}", again.text());
    assert_eq!(organiser.done("POST", &format!("/{id}/pause"), &Value::Null)["state"], "paused");
    assert_eq!(organiser.done("POST", &format!("/{id}/send"), &Value::Null)["state"], "sending");
    let stopped = organiser.done("POST", &format!("/{id}/stop"), &Value::Null);
    assert_eq!((&stopped["state"], &stopped["progress"]["leftOut"]), (&json!("stopped"), &json!(4)));
    assert!(stopped["endedAt"].is_string());
    assert_eq!(organiser.call("POST", &format!("/{id}/send"), &Value::Null).status, 409);
    let missing = organiser.call("POST", "/99/pause", &Value::Null);
    assert!(missing.status == 404 && missing.text().contains("There is no mailing 99"), "{}", missing.text());
}

#[test]
fn what_happens_to_a_person_after_the_group_was_frozen_is_heeded() {
    let mails = SmtpServer::start(FREELY);
    let place = held_back();
    let server = place.serve();
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 6);
    let id = organiser.draft(&waitlist_group(), "s", "t");
    organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    place.execute(
        "update waitlist_signups set status = 'set_aside' where id = 1;
             update waitlist_signups set email = 'moved@example.com' where id = 2;
             update waitlist_signups set email = 'P5@example.com' where id = 4;",
    );
    place.done(&["person", "erase", "p3@example.com", "--yes"]);
    drop(server);
    std::fs::write(place.path("config.toml"), format!("{ADMIN}{}{AT_ONCE}", mails.settings(1)))
        .expect("a file");
    let server = place.serve();
    let organiser = Organiser::of(&server);
    let progress = organiser.wait_until_done(id);
    assert_eq!((&progress["sent"], &progress["leftOut"]), (&json!(3), &json!(2)), "{progress}");
    let mut got = mails.recipients();
    got.sort();
    assert_eq!(got, ["moved@example.com", "p5@example.com", "p6@example.com"]);
}

#[test]
fn an_address_that_is_refused_for_good_is_listed_and_skipped_until_an_email_reaches_it() {
    let mails = SmtpServer::start(FREELY);
    let (place, server) = served(&format!("{ADMIN}{}{AT_ONCE}", mails.settings(1)));
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 2);
    place.execute("update waitlist_signups set email = 'nobody@example.com' where id = 1");
    let first = organiser.draft(&waitlist_group(), "s", "t");
    organiser.done("POST", &format!("/{first}/send"), &Value::Null);
    let progress = organiser.wait_until_done(first);
    assert_eq!((&progress["sent"], &progress["failed"]), (&json!(1), &json!(1)), "{progress}");
    let refused = organiser.done("GET", "/refused", &Value::Null);
    assert_eq!(
        (&refused["total"], &refused["items"][0]["recipient"]),
        (&json!(1), &json!("nobody@example.com"))
    );
    assert!(refused["items"][0]["reply"].as_str().expect("a reply").contains("no such person"), "{refused}");
    let second = organiser.draft(&waitlist_group(), "s", "t");
    assert_eq!(organiser.progress(second)["refused"], 1);
    organiser.done("POST", &format!("/{second}/send"), &Value::Null);
    let progress = organiser.wait_until_done(second);
    assert_eq!((&progress["sent"], &progress["refused"]), (&json!(1), &json!(1)), "{progress}");
    // The mailbox exists now: another email to it was accepted.
    place.execute("update refused_addresses set recipient = 'bea@example.com'");
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
    place.wait_for_sql("the mark to go", "select count(*) from refused_addresses", 0);
}

#[test]
fn a_kill_at_any_moment_sends_nobody_two_emails_and_forgets_nobody() {
    const PEOPLE: u32 = 120;
    let mails = SmtpServer::start(FREELY);
    let (place, mut server) = served(&format!("{ADMIN}{}{AT_ONCE}", mails.settings(1)));
    fill_waitlist(&place, PEOPLE);
    let id = Organiser::of(&server).draft(&waitlist_group(), "s", "t");
    let sent = Organiser::of(&server).call("POST", &format!("/{id}/send"), &Value::Null);
    assert_eq!(sent.status, 200, "{}", sent.text());
    let mut kills = 0;
    let sent = || place.sql::<u32>("select count(*) from outbox where state = 'sent'");
    // The kills fall wherever the server is by then: between queueing, sending and noting.
    for goal in (1..PEOPLE).step_by(13) {
        wait_for("some emails", || (sent() >= goal).then_some(()));
        server.kill();
        kills += 1;
        server = place.serve();
    }
    Organiser::of(&server).wait_until_done(id);
    let got: BTreeSet<String> = mails.recipients().into_iter().collect();
    assert_eq!(got.len(), PEOPLE as usize, "nobody is forgotten");
    // An email that was accepted just before a kill goes out again under the same Message-ID: it is the same email.
    let accepted = mails.accepted();
    assert_eq!(accepted.len(), PEOPLE as usize, "one email for each person");
    let repeats: usize = accepted.iter().map(|times| times - 1).sum();
    assert!(repeats <= kills, "{repeats} repeats after {kills} kills");
    assert_eq!(place.sql::<u32>("select count(*) from outbox"), PEOPLE);
}

#[test]
fn a_kill_while_it_is_started_leaves_a_draft_or_a_whole_group() {
    for round in 0..6_u32 {
        let place = held_back();
        let mut server = place.serve();
        fill_waitlist(&place, 3000);
        let id = Organiser::of(&server).draft(&waitlist_group(), "s", "t");
        let organiser = Organiser::of(&server);
        let headers = format!(
            "POST /api/mailings/{id}/send HTTP/1.1\r\nhost: x\r\ncookie: {}\r\ncontent-length: 0\r\n\r\n",
            organiser.session
        );
        let mut stream = server.connect();
        std::io::Write::write_all(&mut stream, headers.as_bytes()).expect("a request");
        // Not a wait for anything: the moments at which it dies are what is tested.
        std::thread::sleep(std::time::Duration::from_millis(u64::from(12 * round)));
        server.kill();
        let server = place.serve();
        let organiser = Organiser::of(&server);
        let mailing = organiser.done("GET", &format!("/{id}"), &Value::Null);
        let frozen: i64 = place.sql("select count(*) from mailing_recipients");
        match mailing["state"].as_str() {
            Some("draft") => assert_eq!(frozen, 0, "round {round}"),
            Some("sending") => assert_eq!(frozen, 3000, "round {round}"),
            other => panic!("round {round}: {other:?}"),
        }
    }
}

#[test]
fn other_emails_go_before_those_to_a_group() {
    let received = tempfile::tempdir().expect("a folder");
    let place = held_back();
    let server = place.serve();
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 40);
    let id = organiser.draft(&waitlist_group(), "To all", "t");
    organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    for number in 0..5 {
        assert_eq!(
            server.post("/api/waitlist-signups", &waitlist(&format!("new{number}@example.com"))).status,
            201
        );
    }
    drop(server);
    let mails = MailServer::start(received.path(), "");
    let smtp = format!("{}connections = 1\n", mails.settings("none"));
    std::fs::write(place.path("config.toml"), format!("{ADMIN}{smtp}{AT_ONCE}")).expect("a file");
    let _server = place.serve();
    wait_for("all emails", || received.path().join("45.eml").exists().then_some(()));
    for number in 1..=5 {
        let mail = std::fs::read_to_string(received.path().join(format!("{number}.eml"))).expect("a mail");
        assert!(mail.contains("To: new"), "{mail}");
    }
}

#[test]
fn emails_to_groups_leave_a_tenth_of_the_hour_to_others() {
    let mails = SmtpServer::start(FREELY);
    let limits = AT_ONCE.replace("mails_per_hour = 0", "mails_per_hour = 20");
    let (place, server) = served(&format!("{ADMIN}{}{limits}", mails.settings(1)));
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 60);
    let id = organiser.draft(&waitlist_group(), "s", "t");
    organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    wait_for("a part of them", || (mails.recipients().len() >= 16).then_some(()));
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("new@example.com")).status, 201);
    wait_for("the confirmation", || mails.recipients().contains(&"new@example.com".to_owned()).then_some(()));
    assert!(organiser.progress(id)["waiting"].as_i64() > Some(20), "{}", organiser.progress(id));
}

#[test]
fn a_demo_keeps_the_emails_of_a_mailing_in_its_outbox() {
    let place = Place::new("");
    let server = place.serve_with(&["--demo"]);
    let password = server.greeting.split("shown this once: ").nth(1).and_then(|rest| rest.lines().next());
    let session = server.sign_in_with(&json!({ "password": password.expect("a password") }));
    let organiser = Organiser { server: &server, session };
    let id = organiser.draft(&json!({ "kind": "speaker-applications" }), "s", "t");
    let sent = organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    assert_eq!(sent["state"], "sent", "{sent}");
    assert!(sent["progress"]["queued"].as_i64() > Some(0), "{sent}");
}

#[test]
fn without_a_mail_server_nothing_is_sent() {
    let (place, server) = served(ADMIN);
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 2);
    let id = organiser.draft(&waitlist_group(), "s", "t");
    for state in ["draft", "paused"] {
        place.execute_with("update mailings set state = ?", [state]);
        let refused = organiser.call("POST", &format!("/{id}/send"), &Value::Null);
        assert_eq!(refused.status, 409, "{state}: {}", refused.text());
        assert!(refused.text().contains("Ask its host to set one up"), "{state}: {}", refused.text());
        let mailing = organiser.done("GET", &format!("/{id}"), &Value::Null);
        assert_eq!(mailing["state"], state);
    }
    assert_eq!(place.sql::<i64>("select count(*) from mailing_recipients"), 0);
}
