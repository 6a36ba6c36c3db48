//! Reports: on request, scheduled, and by command.

use serde_json::{Value, json};

use crate::support::mail_server::MailServer;
use crate::support::{ADMIN, Place, Server, migrated, served, signed_in, speaker, wait_for, waitlist};

const REPORTS: &str = "[reports]\nrecipient = 'desk@example.com'\n";

#[test]
fn a_requested_report_arrives_with_its_csv() {
    let received = tempfile::tempdir().expect("a folder");
    let mails = MailServer::start(received.path(), "");
    let (place, server, cookie) = signed_in(&format!("{ADMIN}{REPORTS}{}", mails.settings("none")));
    assert_eq!(server.send("POST", "/api/export/send-daily-report", &[], "").status, 401);
    for (path, body, subject, with_csv) in [
        ("/api/export/send-daily-report", json!({}), "Daily report", true),
        ("/api/export/send-weekly-report", json!({}), "Weekly report", true),
        (
            "/api/export/send-notification",
            json!({ "period": "weekly", "includeCSV": false }),
            "Weekly report",
            false,
        ),
    ] {
        let sent = server.call(&cookie, "POST", path, &body);
        assert_eq!((sent.status, &sent.json()["status"]), (200, &json!("sent")), "{path}");
        let newest = std::fs::read_dir(received.path()).expect("a folder").count();
        let mail = std::fs::read_to_string(received.path().join(format!("{newest}.eml"))).expect("the mail");
        assert!(mail.contains("To: desk@example.com") && mail.contains(subject), "{mail}");
        assert_eq!(
            mail.contains("Content-Disposition: attachment; filename=\"registrations-"),
            with_csv,
            "{mail}"
        );
    }
    for (body, status) in [
        (json!({ "period": "yearly" }), 422),
        (json!({}), 422),
        (json!({ "period": null }), 422),
        (json!({ "period": 5 }), 400),
        (json!({ "period": "daily", "includeCSV": "yes" }), 400),
        (json!([]), 400),
        (json!("daily"), 400),
    ] {
        assert_eq!(
            server.call(&cookie, "POST", "/api/export/send-notification", &body).status,
            status,
            "{body}"
        );
    }
    let days = |cadence: &str| {
        place.sql::<String>(&format!(
            "select file_name from outbox_attachments join outbox on outbox.id = outbox_id where cause like 'report/{cadence}/%'"
        ))
    };
    let (daily, weekly) = (days("daily"), days("weekly"));
    let last = daily.trim_start_matches("registrations-").trim_end_matches(".csv");
    assert_eq!(daily.len(), "registrations-2026-11-20.csv".len(), "{daily}");
    assert!(weekly.ends_with(&format!("-to-{last}.csv")) && weekly.len() == daily.len() + 14, "{weekly}");
}

#[test]
fn a_refused_report_is_a_failure_and_a_delayed_one_is_queued_with_the_mail_servers_message() {
    for (code, status, state) in [("550", 502, "failed 1"), ("451", 202, "waiting 1")] {
        let received = tempfile::tempdir().expect("a folder");
        let mails = MailServer::start(received.path(), code);
        let (place, server) = served(&format!("{ADMIN}{REPORTS}{}", mails.settings("none")));
        let told = server.call(&server.sign_in(), "POST", "/api/export/send-daily-report", &json!({}));
        assert_eq!(told.status, status, "{}", told.text());
        assert!(told.json()["detail"].as_str().expect("a sentence").contains("as the test wishes"));
        assert_eq!(place.sql::<String>("select state || ' ' || attempts from outbox"), state);
    }
}

#[test]
fn a_report_waits_as_long_as_is_set_for_a_hanging_mail_server() {
    // Accepts connections and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = silent.local_addr().expect("an address").port();
    let (_place, server, session) = signed_in(&format!(
        "{ADMIN}{REPORTS}wait_seconds = 1\n[smtp]\nhost = '127.0.0.1'\nport = {port}\nsecurity = 'none'\nfrom = 'hello@example.com'\n"
    ));
    let started = std::time::Instant::now();
    let queued = server.call(&session, "POST", "/api/export/send-daily-report", &json!({}));
    assert_eq!((queued.status, &queued.json()["status"]), (202, &json!("queued")));
    assert!(started.elapsed() < std::time::Duration::from_secs(9));
    assert_eq!(
        server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status,
        201,
        "nobody else waits"
    );
}

#[test]
fn a_missing_recipient_or_mail_server_is_reported() {
    let (_place, server) = served(ADMIN);
    let told = server.call(&server.sign_in(), "POST", "/api/export/send-daily-report", &json!({}));
    assert_eq!(told.status, 409);
    assert!(told.text().contains("reports.recipient"), "{}", told.text());
    let (_place, server) = served(&format!("{ADMIN}{REPORTS}"));
    let queued = server.call(&server.sign_in(), "POST", "/api/export/send-daily-report", &json!({}));
    assert_eq!(queued.status, 202);
    let words = queued.json()["detail"].as_str().expect("a sentence").to_owned();
    assert!(words.contains("outbox") && words.contains("no mail server"), "{words}");
}

#[test]
fn start_and_stop_survive_a_restart() {
    let (place, server, session) = signed_in(&format!("{ADMIN}{REPORTS}"));
    let status = |server: &Server| server.get("/api/scheduler/status", &[("cookie", &session)]).json();
    let first = status(&server);
    assert_eq!(first["isRunning"], true, "with a mailbox it runs from the start: {first}");
    assert_eq!(first["config"], json!({ "dailyReportTime": "09:00", "weeklyReportTime": "Mon 09:00" }));
    assert!(first["nextDailyRun"].as_str().expect("an instant").ends_with(":00:00.000Z"));
    assert_eq!((&first["lastDailyRun"], &first["lastWeeklyRun"]), (&Value::Null, &Value::Null));
    let stopped = server.call(&session, "POST", "/api/scheduler/stop", &json!({})).json();
    assert_eq!((&stopped["isRunning"], &stopped["nextDailyRun"]), (&json!(false), &Value::Null));
    drop(server);
    let server = place.serve();
    assert_eq!(status(&server)["isRunning"], false);
    assert_eq!(server.call(&session, "POST", "/api/scheduler/start", &json!({})).json()["isRunning"], true);
    assert_eq!(server.get("/api/scheduler/start", &[("cookie", &session)]).status, 405);
    let (_without, server, session) = signed_in(ADMIN);
    let status = || server.get("/api/scheduler/status", &[("cookie", &session)]).json();
    assert_eq!(status()["isRunning"], false, "without a mailbox it does not");
    server.call(&session, "POST", "/api/scheduler/start", &Value::Null).expect(200);
    assert_eq!(status()["isRunning"], true);
}

#[test]
fn after_a_downtime_one_daily_and_one_weekly_report_are_sent_and_name_the_missed_ones() {
    let place = Place::new(&format!("{ADMIN}{REPORTS}"));
    drop(place.serve());
    let long_ago = "insert into settings values ('reports.started_at', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')
                    on conflict (key) do update set value = excluded.value";
    place.execute(long_ago);
    let server = place.serve();
    let count = || place.sql::<i64>("select count(*) from outbox where cause like 'report/%'");
    wait_for("both reports", || (count() == 2).then_some(()));
    let daily = place.mail_text("cause like 'report/daily/%'");
    assert!(
        daily.contains(
            "The server was offline; these reports were not sent: December 31, 2025; January 1, 2026;"
        ),
        "{daily}"
    );
    drop(server);
    let _again = place.serve();
    let first_tick = || place.log().contains("smtp.host is not set").then_some(());
    wait_for("the second start", first_tick);
    assert_eq!(count(), 2, "caught up once");
}

#[test]
fn the_command_prints_a_report_or_queues_it() {
    let (place, server) = served(REPORTS);
    server.post("/api/speaker-applications", &speaker());
    server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
    // Reports cover only days that have ended.
    place.execute(
        "update speaker_applications set created_at = '2026-03-10T12:00:00.000Z';
             update waitlist_signups set created_at = '2026-03-10T12:00:00.000Z';",
    );
    let daily =
        ["report", "daily", "--for", "2026-03-10", "--print", "--no-csv", "--to", "someone@example.com"];
    let printed = place.done(&daily);
    assert!(printed.contains("2 registrations (previous period: 0)"), "{printed}");
    assert!(printed.contains("Speaker application: 1 (before: 0)\n  Ada Sample"), "{printed}");
    assert!(printed.contains("\n\nSpeaker application: 1"), "what needs a look stands apart: {printed}");
    assert!(printed.ends_with("Showcase\n"), "{printed:?}");
    assert_eq!(place.sql::<i64>("select count(*) from outbox where cause like 'report/%'"), 0);
    place.done(&["report", "weekly", "--to", "someone@example.com", "--no-csv"]);
    assert_eq!(
        place.sql::<String>("select recipient from outbox where cause like 'report/weekly/%'"),
        "someone@example.com"
    );
    assert_eq!(place.sql::<i64>("select count(*) from outbox_attachments"), 0);
    assert_eq!(place.run(&["report", "yearly"]).status.code(), Some(2));
}

#[test]
fn a_report_counts_entries_as_the_dashboard_does() {
    let place = migrated(REPORTS);
    for status in ["paid", "pending", "abandoned", "failed"] {
        let name = format!("Entrant {status}");
        place.insert_entry(&[
            ("created_at", &"2026-03-10T12:00:00.000Z"),
            ("name", &name),
            ("payment_status", &status),
        ]);
    }
    let printed = place.done(&["report", "daily", "--for", "2026-03-10", "--print"]);
    assert!(printed.contains("2 registrations (previous period: 0)"), "{printed}");
    assert!(
        printed.contains("Competition entry: 2 (before: 0)\n  Entrant pending, Entrant paid"),
        "{printed}"
    );
}

#[test]
fn a_report_groups_digits_and_isolates_the_text_direction_of_names() {
    let place = migrated(REPORTS);
    place.execute(
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 1234)
             insert into waitlist_signups (created_at, name, email, want_to_compete, additional_nominations)
             select '2026-03-10T12:00:00.000Z', char(0x202e) || 'evil' || i, 'a@example.com', 0, '0' from n;",
    );
    let printed = place.done(&["report", "daily", "--for", "2026-03-10", "--print"]);
    assert!(printed.contains("1,234 registrations (previous period: 0)"), "{printed}");
    assert!(printed.contains("evil1234, evil1233,") && printed.contains("and 1,214 more"), "{printed}");
    assert!(!printed.contains('\u{202e}'), "{printed:?}");
    place.done(&["report", "daily", "--for", "2026-03-10", "--no-csv"]);
    let html = place.mail_html("true");
    assert!(html.contains("<bdi>evil1234</bdi>, <bdi>evil1233</bdi>"), "{html}");
}
