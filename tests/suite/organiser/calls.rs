//! The API calls of the organiser's pages.

use serde_json::{Value, json};

use crate::support::{ADMIN, PASSWORD, served, signed_in, speaker, wait_for, waitlist};

#[test]
fn the_outbox_is_read_page_by_page_retried_and_discarded() {
    let (place, server, session) = signed_in(ADMIN);
    let get = |path: &str| server.get(path, &[("cookie", &session)]);
    let post = |path: &str| server.send("POST", path, &[("cookie", &session)], "");
    let mut person = waitlist("bea@example.com");
    person["name"] = "Bea <script>alert(1)</script>".into();
    server.post("/api/waitlist-signups", &person);
    server.post("/api/speaker-applications", &speaker());
    place.execute(
        "update outbox set state = 'failed', last_error = '550 no such person', attempts = 1 where id = 1",
    );
    let page = get("/api/outbox?pageSize=1").json();
    assert_eq!((&page["total"], &page["items"][0]["recipient"]), (&json!(2), &json!("ada@example.com")));
    assert_eq!(page["counts"], json!({ "waiting": 1, "sent": 0, "failed": 1, "discarded": 0 }));
    assert_eq!(
        (&page["items"][0]["kind"], &page["items"][0]["registrationId"]),
        (&json!("speaker-applications"), &json!(1))
    );
    assert_eq!(get("/api/outbox?pageSize=1&page=2").json()["items"][0]["id"], 1);
    let failed = get("/api/outbox?state=failed").json();
    assert_eq!(
        (&failed["total"], &failed["items"][0]["lastError"]),
        (&json!(1), &json!("550 no such person"))
    );
    for wrong in ["state=lost", "page=0", "pageSize=x", "page=-1"] {
        assert_eq!(get(&format!("/api/outbox?{wrong}")).status, 400, "{wrong}");
    }
    assert!(get("/api/outbox/1").json()["text"].as_str().expect("a text").contains("Bea"));
    let html = get("/api/outbox/1/html");
    assert_eq!(html.header("content-type"), "text/html; charset=utf-8");
    let policy = html.header("content-security-policy");
    assert!(
        policy.contains("sandbox") && policy.contains("frame-ancestors 'self'") && !policy.contains("script"),
        "{policy}"
    );
    assert!(html.text().contains("&lt;script&gt;") && !html.text().contains("<script>"));
    let retried = post("/api/outbox/1/retry");
    assert_eq!((retried.status, &retried.json()["state"]), (200, &json!("waiting")));
    assert_eq!(post("/api/outbox/1/discard").json()["state"], "discarded");
    assert_eq!(post("/api/outbox/1/retry").status, 409);
    assert_eq!(post("/api/outbox/1/discard").status, 409);
    for path in ["/api/outbox/99/retry", "/api/outbox/99/discard"] {
        assert_eq!(post(path).status, 404);
    }
    assert_eq!(get("/api/outbox/99").status, 404);
    assert_eq!(post("/api/outbox/retry").json()["count"], 1);
    let record = get("/api/speaker-applications/1").json();
    assert_eq!(record["mails"][0]["subject"], get("/api/outbox/2").json()["subject"]);
    let actions: String = place.sql("select group_concat(action, ', ') from (select action from audit_log where action like 'mail%' order by id)");
    assert_eq!(actions, "mail retried, mail discarded, mail retried");
}

#[test]
fn the_audit_log_says_who_did_what() {
    let (place, server, session) = signed_in(ADMIN);
    let get = |path: &str| server.get(path, &[("cookie", &session)]).json();
    server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
    get("/api/export/json");
    get("/api/export/json?summary=true");
    server.decide(&session, "waitlist-signups/1", &json!({ "status": "accepted" }));
    let log = get("/api/audit");
    let lines: Vec<(String, String)> = log["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|line| {
            (line["actor"].as_str().expect("it").to_owned(), line["action"].as_str().expect("it").to_owned())
        })
        .collect();
    let line = |actor: &str, action: &str| (actor.to_owned(), action.to_owned());
    assert_eq!(
        lines,
        [
            line("organiser", "reviewed"),
            line("organiser", "exported"),
            line("visitor", "registered"),
            line("organiser", "signed in"),
        ],
        "the counts alone are no export"
    );
    assert!(!log.to_string().contains("bea@example.com"));
    assert_eq!(log["actors"], json!(["organiser", "visitor"]));
    assert_eq!(log["items"][0]["detail"], json!({ "status": "accepted", "note": false, "mail": false }));
    assert_eq!(get("/api/audit?actor=visitor")["total"], 1);
    assert_eq!(get("/api/audit?actor=visitor&action=exported")["total"], 0);
    place.done(&["backup", "kept.db.gz"]);
    assert_eq!(server.send("DELETE", "/api/admin/session", &[("cookie", &session)], "").status, 204);
    let last = "select group_concat(actor || ': ' || action, ', ') from (select * from audit_log where id > 4 order by id)";
    assert_eq!(place.sql::<String>(last), "command line: backup made, organiser: signed out");
}

#[test]
fn a_backup_is_created_and_listed() {
    let (place, server, session) = signed_in(ADMIN);
    // The server's first backup must be finished, because one in the same second would have the same name.
    wait_for("the first backup", || place.log().contains("created the backup").then_some(()));
    let made = server.send("POST", "/api/backups", &[("cookie", &session)], "");
    assert_eq!(made.status, 201);
    let list = server.get("/api/backups", &[("cookie", &session)]).json();
    assert_eq!((&list["everyHours"], &list["keep"]), (&json!(24), &json!(14)));
    let newest = &list["items"][0];
    assert!(newest["bytes"].as_i64().expect("a size") > 1000);
    let name = newest["name"].as_str().expect("a name");
    place.done(&["restore", &format!("backups/{name}"), "--dry-run"]);
}

#[test]
fn daily_counts_follow_the_events_days_and_revenue() {
    let (place, server, session) = signed_in(ADMIN);
    // In New York: late on March 7, early and late on March 8 (the clocks go forward), early on March 9.
    for instant in [
        "2026-03-08T04:59:59.999Z",
        "2026-03-08T05:00:00.000Z",
        "2026-03-09T03:59:59.999Z",
        "2026-03-09T04:00:00.000Z",
    ] {
        place.execute_with(
            "insert into sponsor_inquiries (created_at, company, email, interest) values (?, 'c', 'e@example.com', 'booth')",
            [instant],
        );
    }
    for (status, category, refunded) in [
        ("paid", "lash-lift", 0),
        ("partially_refunded", "brows", 10_000),
        ("refunded", "brows", 48_492),
        ("failed", "makeup", 0),
    ] {
        place.insert_entry(&[
            ("created_at", &"2026-03-08T12:00:00.000Z"),
            ("paid_at", &"2026-03-09T12:00:00.000Z"),
            ("primary_category", &category),
            ("payment_status", &status),
            ("refunded_cents", &refunded),
        ]);
    }
    let get = |query: &str| server.get(&format!("/api/tallies{query}"), &[("cookie", &session)]);
    let tally = get("?from=2026-03-07&to=2026-03-09").json();
    let days = tally["days"].as_array().expect("days");
    let column = |name: &str| days.iter().map(|day| day[name].clone()).collect::<Value>();
    assert_eq!(column("day"), json!(["2026-03-07", "2026-03-08", "2026-03-09"]));
    assert_eq!(column("total"), json!([1, 5, 1]), "the failed entry takes no part");
    assert_eq!(column("revenue"), json!([0, 0, 48_492 + 38_492]));
    assert_eq!(days[1]["registrations"]["sponsorInquiries"], 2);
    assert_eq!(
        tally["categories"],
        json!([
            { "category": "brows", "entries": 2, "paid": 1, "revenue": 38_492 },
            { "category": "lash-lift", "entries": 1, "paid": 1, "revenue": 48_492 },
        ])
    );
    assert_eq!(get("").json()["days"].as_array().map(Vec::len), Some(28));
    for wrong in ["?from=2026-03-09&to=2026-03-08", "?from=soon", "?from=2020-01-01"] {
        assert_eq!(get(wrong).status, 400, "{wrong}");
    }
}

#[test]
fn what_needs_attention_is_listed_with_its_page() {
    let (place, server, session) =
        signed_in(&format!("[admin]\npassword = '{PASSWORD}'\n[backup]\nevery_hours = 0\n"));
    server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
    place.execute(
        "update outbox set state = 'failed';
             insert into payment_findings (found_at, intent_id, problem, amount_cents, currency) values ('2026-01-01T00:00:00.000Z', 'pi_1', 'no_entry', 100, 'usd');",
    );
    let attention = server.get("/api/attention", &[("cookie", &session)]).json();
    let rooms: Vec<&str> = attention["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| item["room"].as_str().expect("a room"))
        .collect();
    assert!(
        rooms.contains(&"outbox") && rooms.contains(&"payments") && !rooms.contains(&"backups"),
        "{attention}"
    );
    assert!(attention["samples"].as_array().expect("a list").len() > 3);
}

#[test]
fn a_search_works_in_every_alphabet_and_survives_nonsense() {
    let (_place, server, session) = signed_in(ADMIN);
    for (index, name) in ["Élodie Ünal", "Straße [x]", "Łucja *", "Ада"].into_iter().enumerate() {
        let mut person = waitlist(&format!("p{index}@example.com"));
        person["name"] = name.into();
        assert_eq!(server.post("/api/waitlist-signups", &person).status, 201);
    }
    let names = |search: &str| {
        let list =
            server.get(&format!("/api/waitlist-signups?search={search}"), &[("cookie", &session)]).json();
        let total = list["total"].as_i64().expect("a number");
        let items = list["items"].as_array().expect("a list").clone();
        assert_eq!(items.len(), usize::try_from(total).expect("small"));
        items.iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    for (search, found) in [
        ("%C3%A9LODIE", "Élodie Ünal"),
        ("%C3%89lodie%20%C3%BCnal", "Élodie Ünal"),
        ("%C5%81UCJA", "Łucja *"),
        // As typed on a keyboard without diacritics.
        ("elodie%20unal", "Élodie Ünal"),
        ("LUCJA", "Łucja *"),
        ("%D0%B0%D0%B4%D0%B0", "Ада"),
        ("[x]", "Straße [x]"),
        ("*", "Łucja *"),
        ("P1@EXAMPLE", "Straße [x]"),
        ("%C3%BCnal%20%C3%A9lodie", "Élodie Ünal"),
        ("example%20%20*", "Łucja *"),
    ] {
        assert_eq!(names(search), [found], "{search}");
    }
    for everything in ["", "%20%20", "%00", "%09"] {
        assert_eq!(names(everything).len(), 4, "{everything:?}");
    }
    assert_eq!(names("Adaline").len(), 0);
    assert_eq!(names(&"x".repeat(5000)).len(), 0);
}

#[test]
fn an_organiser_may_send_a_larger_body_than_a_visitor() {
    let (_place, server) = served(ADMIN);
    server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
    let session = server.sign_in();
    let note = json!({ "note": "n".repeat(200_000) });
    let refused = server.call(&session, "PATCH", "/api/waitlist-signups/1", &note);
    assert_eq!(refused.status, 422, "read whole, and too long for a note: {}", refused.text());
    assert!(!refused.json()["errors"]["note"].is_null());
}
