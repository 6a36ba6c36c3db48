//! What needs the organiser's attention, each with a link to its page.

use serde_json::{Value, json};

use showcase::model::Kind;

use crate::support::content::{closed_portal, import};
use crate::support::paid_site::{PaidSite, entry, entry_of_two};
use crate::support::samples::{give_content, whole};
use crate::support::{
    ADMIN, Place, Server, clock, migrated, served, signed_in, speaker, text, wait_for, waitlist,
};

const REPORTS: &str = "[reports]\nrecipient = 'desk@example.com'\n";
const MAIL: &str = "[smtp]\nhost = '127.0.0.1'\nport = 9\nsecurity = 'none'\nfrom = 'hello@example.com'\n[backup]\nevery_hours = 0\n";

/// The start of the sentence about answers that the default content does not give.
const NOT_TOLD: &str = "The content does not yet tell competitors";

fn all_matters(server: &Server, session: &str) -> Vec<Value> {
    let answer = server.get("/api/attention", &[("cookie", session)]).json();
    answer["items"].as_array().expect("a list").clone()
}

/// All matters except those of the default content: it has open questions, and its event is over.
fn matters(server: &Server, session: &str) -> Vec<Value> {
    let is_other = |matter: &Value| {
        !matter["sentence"].as_str().expect("a sentence").starts_with(NOT_TOLD)
            && matter["path"] != "/export-data/forms"
    };
    all_matters(server, session).into_iter().filter(is_other).collect()
}

#[test]
fn payments_that_are_not_set_up_are_listed_while_somebody_could_enter() {
    let not_set_up = "Payment is not set up, so nobody can enter";
    let day: chrono::DateTime<chrono::Utc> = "2025-12-01T15:00:00Z".parse().expect("an instant");
    let offset = (day - clock::machine_time()).num_seconds().to_string();
    let before_the_event = [(showcase::time::OFFSET_VARIABLE, offset.as_str())];
    let place = Place::new(ADMIN);
    let server = place.serve_in(&[], &before_the_event);
    let session = server.sign_in();
    let told = |server: &Server, session: &str| sentences(&all_matters(server, session)).contains(not_set_up);
    assert!(told(&server, &session));
    let report = place.command(&["report", "daily", "--print"]).envs(before_the_event).output();
    assert!(text(&report.expect("a report").stdout).contains(not_set_up), "and in the report");
    let closed = json!({ "open": false });
    server.call(&session, "POST", "/api/openings/competition-entries", &closed).expect(200);
    wait_for("the form to close", || (!told(&server, &session)).then_some(()));
    // After the event, and where payments are set up, there is nothing to say.
    let (_place, server) = served(ADMIN);
    assert!(!told(&server, &server.sign_in()));
    let site = PaidSite::start();
    assert!(!told(&site.server, &site.cookie()));
}

#[test]
fn information_missing_for_competitors_is_listed_until_the_content_has_it() {
    let place = migrated(&format!("{ADMIN}{REPORTS}{MAIL}"));
    // If the Artist Portal is open, it says how and by when to send photos.
    let closed = closed_portal();
    import(&place, &closed);
    let server = place.serve();
    let session = server.sign_in();
    let told = |server: &Server| sentences(&all_matters(server, &session)).contains(NOT_TOLD);
    assert!(told(&server));
    let page = server.get("/competition", &[]).text();
    assert!(page.contains("Date to be announced") && page.contains("Until then nothing is due."));
    assert!(!page.contains("Artist Portal"));
    let doctor = text(&place.run(&["doctor"]).stdout);
    assert!(doctor.contains("competition.submission.deadline"), "{doctor}");
    // A category without an award is named to the organiser, and its card promises none.
    let no_award = "which award can be won in Brows - Creative.";
    assert!(sentences(&all_matters(&server, &session)).contains(no_award));
    assert!(doctor.contains(no_award) && doctor.contains("competition.cards[5].award"), "{doctor}");
    assert_eq!(page.matches("Award: ").count(), 7, "{page}");
    std::fs::write(place.path("default.toml"), showcase::site::content::Content::default_toml())
        .expect("a file");
    let checked = text(&place.run(&["content", "check", "default.toml"]).stderr);
    assert!(
        checked.contains(
            "competition.cards[5].award: the content does not yet tell competitors which award can be won"
        ),
        "{checked}"
    );

    let content = closed
        .replace("how = \"\"", "how = 'Upload them with your link.'\ndeadline = '2026-03-01 23:59'")
        .replace("live_note = \"\"", "live_note = 'You do not compete live.'")
        .replace("award = \"\"", "award = 'Brow Lamination'")
        .replace("prizes = []", "prizes = ['A trophy and a certificate']");
    std::fs::write(place.path("event.toml"), content).expect("a file");
    place.done(&["content", "import", "event.toml"]);
    wait_for("the sentence to go", || (!told(&server)).then_some(()));
    let page = server.get("/competition", &[]).text();
    for said in [
        "Photos were due by March 1, 11:59 PM",
        "The deadline for photos was March 1, 2026",
        "A trophy and a certificate",
        "You do not compete live.",
    ] {
        assert!(page.contains(said), "{said}");
    }
}

#[test]
fn missing_portraits_are_listed_as_doctor_names_them() {
    let (place, server, session) = signed_in(&format!("{ADMIN}{REPORTS}{MAIL}"));
    let portraits = || server.get("/api/attention", &[("cookie", &session)]).json()["portraits"].clone();
    let keys = portraits();
    let first = keys[0].as_str().expect("a key");
    assert!(
        text(&place.run(&["doctor"]).stdout).contains(&format!(
            "no face or work in {} places: {first}",
            keys.as_array().expect("a list").len()
        ))
    );
    let quote =
        "\n[home.quote]\ntext = 'I came for the arena.'\nname = 'Ana'\nrole = 'Studio Uno'\n\n[home.closing]";
    let content = showcase::site::content::Content::default_toml().replace("\n[home.closing]", quote);
    std::fs::write(place.path("event.toml"), content).expect("a file");
    place.done(&["content", "import", "event.toml"]);
    wait_for("the quotation to count", || (!portraits().to_string().contains("home.quote")).then_some(()));
}

fn sentences(matters: &[Value]) -> String {
    matters.iter().map(|matter| format!("{}\n", matter["sentence"].as_str().expect("a sentence"))).collect()
}

#[test]
fn entries_that_are_still_open_after_the_event_are_listed_and_can_be_closed_with_one_call() {
    let (place, server, session) = signed_in(&format!("{ADMIN}{REPORTS}{MAIL}"));
    // The default content's event was in March 2026.
    let told = || {
        let matters = all_matters(&server, &session);
        matters.iter().any(|matter| matter["path"] == "/export-data/forms")
    };
    assert!(told());
    let set = |path: &str, body: Value| server.call(&session, "POST", path, &body);
    for (path, body, status) in [
        ("/api/openings/nails", json!({ "open": false }), 404),
        ("/api/openings/competition-entries", json!({}), 422),
        ("/api/openings/competition-entries", json!({ "open": "no" }), 400),
        ("/api/openings/competition-entries", json!({ "open": false, "message": "x".repeat(501) }), 422),
    ] {
        assert_eq!(set(path, body.clone()).status, status, "{path} {body}");
    }
    let closed =
        set("/api/openings/competition-entries", json!({ "open": false, "message": "Thank you, all." }))
            .json();
    let entry = |list: &Value| {
        let items = list["items"].as_array().expect("a list");
        items.iter().find(|item| item["kind"] == "competition-entries").expect("entries").clone()
    };
    assert_eq!(
        entry(&closed),
        json!({ "kind": "competition-entries", "open": false, "message": "Thank you, all.", "closedByHand": true })
    );
    let refused = || server.post("/api/competition-entries", &json!({}));
    wait_for("the form to close", || (refused().status == 403).then_some(()));
    assert!(refused().text().contains("Thank you, all."));
    wait_for("the page to say so", || {
        server.get("/enter-competition", &[]).text().contains("Thank you, all.").then_some(())
    });
    // An import does not reopen the form, the log says who closed it, and it can be reopened.
    let imported = place.run(&["content", "import", "-"]);
    assert!(!imported.status.success(), "nothing was given");
    let content = place.done(&["content", "export", "--default"]);
    std::fs::write(place.path("event.toml"), format!("{content}\n")).expect("a file");
    place.done(&["content", "import", "event.toml"]);
    assert_eq!(entry(&server.get("/api/openings", &[("cookie", &session)]).json())["open"], false);
    let actor: String =
        place.sql("select actor || ' ' || detail from audit_log where action = 'form closed'");
    assert_eq!(actor, r#"organiser {"kind":"competition-entries"}"#);
    assert_eq!(set("/api/openings/competition-entries", json!({ "open": true })).status, 200);
    wait_for("the form to open", || (refused().status == 422).then_some(()));
}

#[test]
fn a_site_without_a_mail_server_or_a_report_recipient_says_so() {
    let (_place, server, session) = signed_in(&format!("{ADMIN}[backup]\nevery_hours = 0\n"));
    let told = sentences(&matters(&server, &session));
    assert!(told.contains("smtp.host is not set") && told.contains("reports.recipient is not set"), "{told}");
    drop(server);
    let (_place, server) = served(&format!("{ADMIN}{REPORTS}{MAIL}"));
    assert_eq!(matters(&server, &server.sign_in()), Vec::<Value>::new());
}

#[test]
fn an_unreadable_backup_folder_is_reported_and_hides_nothing_else() {
    let place = Place::new(&format!("{ADMIN}{REPORTS}[backup]\nfolder = 'backups'\n"));
    std::fs::write(place.path("backups"), "no folder").expect("a file");
    let server = place.serve();
    let session = server.sign_in();
    wait_for("the first try", || place.log().contains("the backup:").then_some(()));
    let told = sentences(&matters(&server, &session));
    assert!(told.contains("smtp.host is not set"), "{told}");
    assert!(told.contains("The folder backups cannot be read") && told.contains("backup.folder"), "{told}");
    let report = place.run(&["report", "daily", "--print"]);
    assert!(text(&report.stdout).contains("The folder backups cannot be read"), "{}", text(&report.stderr));
}

#[test]
fn a_command_does_not_promise_emails_without_a_mail_server() {
    let place = migrated("");
    let told = text(&place.run(&["report", "daily", "--to", "me@example.com"]).stderr);
    assert!(told.contains("smtp.host is not set"), "{told}");
    let place = migrated(MAIL);
    let told = text(&place.run(&["report", "daily", "--to", "me@example.com"]).stderr);
    assert!(told.contains("The mail server has not accepted it yet"), "{told}");
    let told = text(&place.run(&["outbox", "retry"]).stderr);
    assert!(told.contains("no server is running"), "{told}");
}

#[test]
fn submissions_held_for_review_are_listed_by_kind_with_a_link() {
    let (_place, server, session) = signed_in(&format!("{ADMIN}{REPORTS}{MAIL}"));
    for mut body in [speaker(), speaker()] {
        body["referralNote"] = "x".into();
        assert_eq!(server.post("/api/speaker-applications", &body).status, 201);
    }
    let mut signup = waitlist("bea@example.com");
    signup["referralNote"] = "x".into();
    assert_eq!(server.post("/api/waitlist-signups", &signup).status, 201);
    let expected =
        [("speaker-applications", "speaker applications: 2."), ("waitlist-signups", "waitlist signups: 1.")];
    let matters = matters(&server, &session);
    assert_eq!(matters.len(), 2, "{matters:?}");
    for (matter, (kind, words)) in matters.iter().zip(expected) {
        assert_eq!(matter["room"], kind);
        assert_eq!(matter["path"], format!("/export-data/{kind}?status=set_aside"));
        assert!(matter["sentence"].as_str().expect("a sentence").contains(words), "{matter}");
    }
}

/// The matters about registrations, without those about emails: the mail server of these tests accepts none.
fn waiting(server: &Server, session: &str) -> Vec<Value> {
    let is_kind = |matter: &Value| matter["room"].as_str().is_some_and(|room| room.parse::<Kind>().is_ok());
    matters(server, session).into_iter().filter(is_kind).collect()
}

/// The ids in the list that a matter links to.
fn listed(server: &Server, session: &str, matter: &Value) -> Vec<i64> {
    let path = matter["path"].as_str().expect("a path").replace("/export-data/", "/api/");
    let list = server.get(&path, &[("cookie", session)]).json();
    let ids: Vec<i64> =
        list["items"].as_array().expect("a list").iter().filter_map(|item| item["id"].as_i64()).collect();
    assert_eq!(list["total"].as_u64(), u64::try_from(ids.len()).ok());
    ids
}

/// Makes these registrations this many hours older.
fn age(place: &Place, table: &str, ids: &str, hours: i64) {
    let at = clock::stored_before(hours);
    place.execute(&format!("update {table} set created_at = '{at}' where id in ({ids})"));
}

#[test]
fn applications_that_wait_longer_than_promised_are_listed_with_a_link() {
    let (place, server, session) = signed_in(&format!("{ADMIN}{REPORTS}{MAIL}"));
    for _ in 0..5 {
        assert_eq!(server.post("/api/sponsor-applications", &whole(Kind::SponsorApplications)).status, 201);
    }
    assert_eq!(server.post("/api/sponsor-inquiries", &whole(Kind::SponsorInquiries)).status, 201);
    assert_eq!(sentences(&waiting(&server, &session)), "", "nobody has waited yet");
    age(&place, "sponsor_applications", "1, 2, 3, 4", 49);
    age(&place, "sponsor_applications", "5", 47);
    age(&place, "sponsor_inquiries", "1", 49);
    server.decide(&session, "sponsor-applications/2", &json!({ "status": "in_review" }));
    server.decide(&session, "sponsor-applications/4", &json!({ "status": "declined" }));
    let told = waiting(&server, &session);
    assert_eq!(
        told,
        [
            json!({
                "room": "sponsor-applications", "path": "/export-data/sponsor-applications?status=due&sort=createdAt",
                "sentence": "3 sponsor applications are older than the 48 hours you promised."
            }),
            json!({
                "room": "sponsor-inquiries", "path": "/export-data/sponsor-inquiries?status=due&sort=createdAt",
                "sentence": "1 sponsor inquiry is older than the 48 hours you promised."
            }),
        ]
    );
    // Each link's list has exactly those that were counted, also as a file.
    assert_eq!(listed(&server, &session, &told[0]), [1, 2, 3]);
    assert_eq!(listed(&server, &session, &told[1]), [1]);
    let csv =
        server.get("/api/export/csv?kind=sponsor-applications&status=due", &[("cookie", &session)]).text();
    assert_eq!(csv.lines().count(), 4, "{csv}");
    let printed = place.done(&["export", "--kind", "sponsor-applications", "--status", "due"]);
    assert_eq!(printed, csv);
    // Of all kinds together nothing is due: each has its own promise.
    assert_eq!(server.get("/api/export/csv?status=due", &[("cookie", &session)]).status, 400);
    let counts = server.get("/api/attention", &[("cookie", &session)]).json()["new"].clone();
    assert_eq!(
        (&counts["sponsorApplications"], &counts["sponsorInquiries"], &counts["speakerApplications"]),
        (&json!(3), &json!(1), &json!(0))
    );
    let report = place.done(&["report", "daily", "--print"]);
    let line = "! 3 sponsor applications are older than the 48 hours you promised.\n";
    let after = report.split_once(line).expect(line).1;
    assert!(after.contains("/export-data/sponsor-applications?status=due&sort=createdAt"), "{report}");
}

#[test]
fn a_promised_date_is_listed_a_week_before_and_without_promises_nothing_is() {
    let cases = [
        (-21, Some(", 3 weeks ago")),
        (-7, Some(", a week ago")),
        (-2, Some(", 2 days ago")),
        (-1, Some(", yesterday")),
        (0, Some("")),
        (6, Some("")),
        (9, None),
    ];
    for (days, late) in cases {
        let place = Place::new(&format!("{ADMIN}{REPORTS}{MAIL}"));
        let day = clock::now().date_naive() + chrono::TimeDelta::days(days);
        let promised = format!("speaker-applications = \"{day}\"");
        give_content(&place, &[("speaker-applications = \"2026-02-15\"", &promised)]);
        let server = place.serve();
        let session = server.sign_in();
        assert_eq!(server.post("/api/speaker-applications", &speaker()).status, 201);
        let day = day.format("%B %-d");
        let expected = late
            .map(|late| format!("1 speaker application waits for an answer (promised by {day}{late}).\n"))
            .unwrap_or_default();
        assert_eq!(sentences(&waiting(&server, &session)), expected, "{days} days ahead");
    }
    let place = Place::new(&format!("{ADMIN}{REPORTS}{MAIL}"));
    let default = showcase::site::content::Content::default_toml();
    let start = default.find("[mail.promises]").expect("promises");
    let end = start + default[start..].find("\n\n").expect("their end");
    give_content(&place, &[(&default[start..end], "")]);
    let server = place.serve();
    assert_eq!(server.post("/api/speaker-applications", &speaker()).status, 201);
    assert_eq!(sentences(&waiting(&server, &server.sign_in())), "");
}

#[test]
fn entries_that_were_started_but_not_paid_are_listed_after_an_hour() {
    let (place, server, session) =
        signed_in(&format!("{ADMIN}{REPORTS}{MAIL}[limits]\nwrites_per_minute = 0\n"));
    for number in 0..4 {
        let mut entry = whole(Kind::CompetitionEntries);
        entry["email"] = format!("e{number}@example.com").into();
        assert_eq!(server.post("/api/competition-entries", &entry).status, 201);
    }
    assert_eq!(sentences(&waiting(&server, &session)), "");
    age(&place, "competition_entries", "1, 2, 3", 2);
    server.decide(&session, "competition-entries/3", &json!({ "status": "withdrawn" }));
    let told = waiting(&server, &session);
    assert_eq!(
        told,
        [json!({
            "room": "competition-entries", "path": "/export-data/competition-entries?status=due&sort=createdAt",
            "sentence": "2 entries were begun more than an hour ago and are not paid yet."
        })]
    );
    assert_eq!(listed(&server, &session, &told[0]), [1, 2]);
}

#[test]
fn wrong_passwords_are_counted_in_one_audit_line_an_hour() {
    let unhindered = "[limits]\nwrites_per_minute = 0\nsign_ins_per_minute = 0\n";
    let (place, server) = served(&format!("{ADMIN}{REPORTS}{MAIL}{unhindered}"));
    std::thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| {
                let wrong = json!({ "password": "not-the-one", "username": "ada@example.com" });
                // On a busy machine some get 429 and are not counted.
                let status =
                    || Some(server.post("/api/admin/session", &wrong).status).filter(|status| *status != 429);
                assert_eq!(wait_for("an answer", status), 401);
            });
        }
    });
    let session = server.sign_in();
    let lines = "select group_concat(actor || '|' || action || '|' || detail, ';') from audit_log where action like 'sign-in%'";
    assert_eq!(place.sql::<String>(lines), r#"visitor|sign-ins refused|{"count":12}"#);
    let told = matters(&server, &session);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(
        (&told[0]["room"], &told[0]["path"]),
        (&json!("audit"), &json!("/export-data/audit?action=sign-ins+refused"))
    );
    assert!(told[0]["sentence"].as_str().expect("a sentence").contains("12"), "{told:?}");
    // An hour later a new line begins. A day later this no longer needs attention.
    let aged = |hours: i64| {
        let sql = "update audit_log set at = ? where action = 'sign-ins refused'";
        place.execute_with(sql, [clock::stored_before(hours)]);
    };
    aged(2);
    assert_eq!(server.post("/api/admin/session", &json!({ "password": "no" })).status, 401);
    assert_eq!(place.sql::<i64>("select count(*) from audit_log where action = 'sign-ins refused'"), 2);
    aged(25);
    assert_eq!(matters(&server, &session), Vec::<Value>::new());
}

#[test]
fn after_a_downtime_a_backup_that_the_start_creates_is_not_reported_as_late() {
    let place = Place::new(&format!("{ADMIN}{REPORTS}"));
    drop(place.serve());
    let long_ago = "insert into settings values ('reports.started_at', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')
                    on conflict (key) do update set value = excluded.value";
    place.execute(long_ago);
    let backups = place.path("backups");
    let made = || {
        std::fs::read_dir(&backups).map_or(0, |files| {
            files.flatten().filter(|file| file.path().extension().is_some_and(|end| end == "gz")).count()
        })
    };
    wait_for("no backup", || {
        let _ = std::fs::remove_dir_all(&backups);
        (made() == 0).then_some(())
    });
    let _server = place.serve();
    let count = || place.sql::<i64>("select count(*) from outbox where cause like 'report/%'");
    wait_for("both reports", || (count() == 2).then_some(()));
    let daily = place.mail_text("cause like 'report/daily/%'");
    assert!(!daily.contains("Backups are late"), "{daily}");
}

#[test]
fn an_untrusted_proxy_is_named_in_the_log_and_on_the_start_page() {
    let (place, server, session) = signed_in(&format!("{ADMIN}{REPORTS}{MAIL}"));
    let sentence = "Requests arrive through a proxy at 127.0.0.1 that is not in proxy.trusted; all visitors share one limit.";
    let is_told = || {
        let told = matters(&server, &session);
        told.iter().any(|matter| matter["sentence"].as_str().is_some_and(|words| words.starts_with(sentence)))
    };
    assert!(!is_told());
    for _ in 0..3 {
        server.get("/healthz", &[("x-forwarded-for", "203.0.113.7")]);
    }
    assert!(is_told());
    assert_eq!(place.log().matches(sentence).count(), 1, "{}", place.log());
    // A trusted proxy is not reported.
    let trusting = Place::new(&format!("{ADMIN}{REPORTS}{MAIL}[proxy]\ntrusted = ['127.0.0.1']\n"));
    let server = trusting.serve();
    server.get("/healthz", &[("x-forwarded-for", "203.0.113.7")]);
    let session = server.sign_in();
    assert!(matters(&server, &session).iter().all(|matter| !matter.to_string().contains("proxy")));
}

#[test]
fn a_passed_deadline_for_photos_is_said_to_visitors_and_to_the_organiser() {
    let place = Place::new(&format!("{ADMIN}{REPORTS}{MAIL}"));
    let deadline = ("how = \"\"", "how = 'Upload them.'\ndeadline = '2026-11-18 18:00'");
    give_content(&place, &[&[deadline][..], &LATER].concat());
    let server = place.serve();
    let session = server.sign_in();
    for path in ["/competition", "/faq"] {
        let page = server.get(path, &[]).text();
        let sentence = "The deadline for photos was November 18, 2026 at 6:00 PM (Eastern Time).";
        assert!(page.contains(sentence), "{path}");
        assert!(!page.contains("Send your photos by November 18"), "{path}");
    }
    let told =
        "The deadline for photos (November 18, 2026 at 6:00 PM) has passed, but people can still enter.";
    assert!(
        sentences(&matters(&server, &session)).contains(told),
        "{}",
        sentences(&matters(&server, &session))
    );
    let doctor = text(&place.run(&["doctor"]).stdout);
    assert!(doctor.contains(told), "{doctor}");
    let check = checked(&place);
    assert!(check.contains(&format!("competition.submission.deadline: {told}")), "{check}");
}

/// What `content check` says about the current content.
fn checked(place: &Place) -> String {
    place.done(&["content", "export", "--output", "event.toml"]);
    text(&place.run(&["content", "check", "event.toml"]).stderr)
}

/// The default event a year later, so that it is ahead of the tests' clock, with a closed Artist Portal.
pub const LATER: [(&str, &str); 5] = [
    ("sample = true\nopen = true\n# A sample date", "open = false\n# A sample date"),
    ("dates = \"March 28-29, 2026\"", "dates = \"March 28-29, 2027\""),
    (
        "first_day = \"2026-03-28\"\nlast_day = \"2026-03-29\"",
        "first_day = \"2027-03-28\"\nlast_day = \"2027-03-29\"",
    ),
    ("date = \"2026-03-28\"", "date = \"2027-03-28\""),
    ("date = \"2026-03-29\"", "date = \"2027-03-29\""),
];

#[test]
fn a_day_of_announcement_that_has_passed_is_not_promised_any_more_and_a_missing_one_is_asked_for() {
    let place = Place::new(&format!("{ADMIN}{REPORTS}{MAIL}"));
    give_content(&place, &LATER);
    let asked = checked(&place);
    assert!(
        asked.contains("competition.submission.announced_by: the content does not yet tell competitors"),
        "{asked}"
    );
    let announced = ("how = \"\"", "how = \"\"\nannounced_by = '2026-11-18'");
    give_content(&place, &[&[announced][..], &LATER].concat());
    let server = place.serve();
    let session = server.sign_in();
    let page = server.get("/competition", &[]).text();
    assert!(
        page.contains("We will email you how and by when to send your photos. Until then nothing is due.")
    );
    let told =
        "The day by which competitors were to hear how to send their work (November 18, 2026) has passed.";
    assert!(
        sentences(&matters(&server, &session)).contains(told),
        "{}",
        sentences(&matters(&server, &session))
    );
    assert!(text(&place.run(&["doctor"]).stdout).contains(told));
}

#[test]
fn competitors_who_have_paid_are_still_to_be_told_after_the_form_has_closed() {
    let site = PaidSite::start();
    let entry = entry("ada@example.com");
    let intent = site.create_intent("fill-1", &entry);
    site.stripe.pay(&intent);
    assert_eq!(site.save(&entry, &intent).status, 201);
    let cookie = site.cookie();
    let closed = json!({ "open": false });
    site.server.call(&cookie, "POST", "/api/openings/competition-entries", &closed).expect(200);
    let is_told = || sentences(&all_matters(&site.server, &cookie)).contains(NOT_TOLD);
    wait_for("the form to close", || {
        let refused = site.server.post("/api/competition-entries", &json!({}));
        (refused.status == 403).then_some(())
    });
    assert!(is_told(), "a paid entry waits for it");
}

#[test]
fn every_open_form_after_the_event_is_named_and_can_be_closed() {
    let (place, server, session) = signed_in(&format!("{ADMIN}{REPORTS}{MAIL}"));
    let told =
        || all_matters(&server, &session).into_iter().find(|matter| matter["path"] == "/export-data/forms");
    let matter = told().expect("open forms");
    assert_eq!(
        matter["closes"],
        json!([
            "speaker-applications",
            "judge-applications",
            "sponsor-applications",
            "professional-demo-registrations",
            "competition-entries",
            "sponsor-inquiries"
        ])
    );
    let sentence = "The event is over, but these forms are open: speaker applications, judge applications, \
                    sponsor applications, professional demo registrations, competition entries, sponsor inquiries.";
    // Nobody can pay here: no payment provider is set up.
    assert_eq!(matter["sentence"], sentence);
    assert!(text(&place.run(&["doctor"]).stdout).contains(sentence));
    for kind in matter["closes"].as_array().expect("a list") {
        let path = format!("/api/openings/{}", kind.as_str().expect("a kind"));
        server.call(&session, "POST", &path, &json!({ "open": false })).expect(200);
    }
    wait_for("nothing to be left open", || told().is_none().then_some(()));
}

#[test]
fn emails_that_are_retried_are_listed_apart_from_those_that_wait_for_their_first_attempt() {
    // Without a mail server no attempt is made meanwhile.
    let (place, server, session) = signed_in(&format!("{ADMIN}{REPORTS}[backup]\nevery_hours = 0\n"));
    for _ in 0..2 {
        assert_eq!(server.post("/api/speaker-applications", &speaker()).status, 201);
    }
    place.execute("update outbox set attempts = id - 1");
    let told = matters(&server, &session);
    let is_retried = |matter: &&Value| matter["path"] == "/export-data/outbox?state=retried";
    let retried = told.iter().find(is_retried).expect("a sentence");
    assert!(retried["sentence"].as_str().expect("a sentence").contains("not accepted yet: 1."), "{retried}");
    assert_eq!(listed(&server, &session, retried), [2]);
}

#[test]
fn a_person_who_paid_twice_for_one_category_is_named_until_one_of_the_two_is_refunded() {
    let site = PaidSite::start();
    let session = site.cookie();
    let told = || {
        let is_it = |matter: &Value| matter["sentence"].as_str().expect("a sentence").contains("paid twice");
        all_matters(&site.server, &session).into_iter().filter(is_it).collect::<Vec<_>>()
    };
    // Two devices: each form has its own key, and both are paid.
    site.enter_and_pay("phone", &entry("ada@example.com"));
    let mut second = entry_of_two("ADA@example.com");
    second["name"] = "ada sample".into();
    site.enter_and_pay("tablet", &second);
    let confirmation =
        |id: i64| site.place.mail_text(&format!("cause = 'confirmation/competition-entries/{id}'"));
    let hint = "You have already paid for Lash Extensions - Volume, in entry 1.";
    assert!(confirmation(2).contains(hint), "{}", confirmation(2));
    assert!(!confirmation(1).contains("already paid"), "{}", confirmation(1));
    // Neither another category nor another person of the same salon, with the same address, is a mistake.
    let mut other = entry("ada@example.com");
    other["subCategory"] = "Classic".into();
    site.enter_and_pay("other category", &other);
    let mut colleague = entry("ada@example.com");
    colleague["name"] = "Bea Sample".into();
    site.enter_and_pay("colleague", &colleague);
    assert!(!confirmation(4).contains("already paid"), "{}", confirmation(4));
    assert_eq!(
        told(),
        [json!({
            "room": "competition-entries", "path": "/export-data/competition-entries?search=ada%40example.com",
            "sentence": "Ada Sample paid twice for Lash Extensions - Volume, in entries 1 and 2. Ask which one is meant, and refund the other."
        })]
    );
    let refunded = site.refund_rest(&session, 1, "one of them");
    assert_eq!(refunded.status, 200, "{}", refunded.text());
    assert_eq!(told(), Vec::<Value>::new());
    assert_eq!(site.assert_books_agree(), 4);
}
